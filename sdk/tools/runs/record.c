// SPDX-License-Identifier: Apache-2.0
//
// What a simulation records; see record.h.

#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/number.h"
#include "sinew/suggest.h"

// ------------------------------------------------------------------ numbers

// A step at the start of a text; `*p` is advanced. False: there is none.
static int read_step(const char **p, int64_t *step) {
  char *end;
  errno = 0;
  *step = strtoll(*p, &end, 10);
  const int read = **p >= '0' && **p <= '9' && !errno;
  *p = read ? end : *p;
  return read;
}

static int wrong(const session *s, const char *item, const char *why) {
  return usage_error(s->o->command, "--record '%s': %s", item, why);
}

// ------------------------------------------------------------------ steps

static int add_span(record *r, const session *s, const char *item, span add) {
  char why[96];
  if (add.last < add.first && add.last != r->steps) {
    snprintf(why, sizeof why, "the range is reversed; write %lld:%lld", (long long)add.last,
             (long long)add.first);
    return wrong(s, item, why);
  }
  if (add.last > r->steps || add.first > r->steps) {
    snprintf(why, sizeof why, "the run has steps 0 to %lld", (long long)r->steps);
    return wrong(s, item, why);
  }
  add.stride = add.stride > r->steps ? r->steps + 1 : add.stride;
  r->span[r->nspan++] = add;
  return DONE;
}

// "every 10", "every 0.01s"
static int read_every(record *r, const session *s, const char *item) {
  const double h = model_options(s->model).timestep;
  const char *p = item + strlen("every");
  p += strspn(p, " ");
  double value;
  const char *end = sn_read_number(p, &value);
  const char *unit = end + strspn(end, " ");
  const int seconds = strcmp(unit, "s") == 0;
  const double stride = seconds ? round(value / h) : value;
  if (end == p || (*unit && !seconds) || !(stride < 0x1p53) ||
      (!seconds && !(value == floor(value)))) {
    return wrong(s, item, "expected a number of steps or seconds, 'every 10' or 'every 0.01s'");
  }
  if (!(stride >= 1)) {
    char why[96];
    snprintf(why, sizeof why, "the interval must be at least one time step, %g s", h);
    return wrong(s, item, why);
  }
  return add_span(r, s, item, (span){ 0, r->steps, (int64_t)stride });
}

// "5", "1:10", "5:", ":10", "0:100:10"
static int read_span(record *r, const session *s, const char *item) {
  span add = { 0, r->steps, 1 };
  const char *p = item;
  const int has_first = read_step(&p, &add.first);
  if (!*p && has_first) {
    add.last = add.first;
    return add_span(r, s, item, add);
  }
  int ok = *p++ == ':';
  if (ok && *p && *p != ':') {
    ok = read_step(&p, &add.last);
  }
  if (ok && *p == ':') {
    p++;
    ok = read_step(&p, &add.stride) && add.stride > 0;
  }
  return ok && !*p ? add_span(r, s, item, add)
                   : wrong(s, item, "expected a step, FIRST:LAST or FIRST:LAST:STRIDE");
}

// ------------------------------------------------------------------ arrays

static int no_array(const session *s, const char *item) {
  enum { MOST = 512 };
  const char *names[MOST] = { "all", "last", "every" };
  sn_view view = { .size = sizeof view };
  int n = 3;
  for (int64_t i = 0; n < MOST && sn_data_field_at(s->model, s->data, i, &view); i++) {
    names[n++] = view.name;
  }
  char hint[SN_SUGGEST_TEXT];
  const char *near = nearest_word(item, names, n);
  return usage_error(s->o->command,
                     "--record '%s': neither an array nor a set of steps; "
                     "`sinew fields MODEL` lists the arrays%s",
                     item, sn_suggest_text(hint, sizeof hint, near, NULL));
}

static int add_field(record *r, const session *s, const char *item) {
  recorded add = { .view = { .size = sizeof(sn_view) }, .n = 1 };
  if (r->nfield == MOST_RECORDED) {
    return wrong(s, item, "too many arrays");
  }
#define IS_COUNT(count, stage, meaning) \
  add.name = strcmp(item, #count) == 0 ? #count : add.name;
  SN_DATA_COUNTS(IS_COUNT)
#undef IS_COUNT
  if (!add.name) {
    if (sn_data_field(s->model, s->data, item, &add.view) < 0) {
      return no_array(s, item);
    }
    if (add.view.dynamic || add.view.type >= SN_BYTE) {
      return wrong(s, item,
                   "its size changes from step to step; `sinew state MODEL --time T` prints it");
    }
    add.name = add.view.name;
    add.n = add.view.rows * add.view.cols;
  }
  r->field[r->nfield++] = add;
  return DONE;
}

// ------------------------------------------------------------------ items

static int is_every(const char *item) {
  return strncmp(item, "every", 5) == 0 && (item[5] == ' ' || !item[5]);
}

int record_names_steps(const char *item) {
  return strcmp(item, "all") == 0 || strcmp(item, "last") == 0 || is_every(item) ||
         (*item && strchr("0123456789:-", *item));
}

static int read_item(record *r, const session *s, const char *item) {
  if (!record_names_steps(item)) {
    return add_field(r, s, item);
  }
  const int last = strcmp(item, "last") == 0;
  if (last || strcmp(item, "all") == 0) {
    return add_span(r, s, item, (span){ last ? r->steps : 0, r->steps, 1 });
  }
  return is_every(item) ? read_every(r, s, item) : read_span(r, s, item);
}

static int read_items(record *r, const session *s, const char *text) {
  int status = DONE;
  while (*text && status == DONE) {
    const size_t n = strcspn(text, ",");
    const char *start = text + strspn(text, " ");
    char *item = strndup(start, start < text + n ? (size_t)(text + n - start) : 0);
    if (!item) {
      return report(s->o, NULL);
    }
    for (size_t end = strlen(item); end > 0 && item[end - 1] == ' ';) {
      item[--end] = '\0';
    }
    status = *item ? read_item(r, s, item) : wrong(s, text, "an item is empty");
    free(item);
    text += n + (text[n] == ',');
  }
  return status;
}

int record_open(record *r, const session *s, int64_t steps, const char *preset) {
  const char *text = s->o->record ? s->o->record : "";
  *r = (record){ .steps = steps };
  r->span = calloc(strlen(text) + 4, sizeof *r->span);   // an item has at least one character
  if (!r->span) {
    return report(s->o, NULL);
  }
  int status = s->o->record && !*text ? wrong(s, text, "it is empty") : read_items(r, s, text);
  if (status == DONE && s->o->every > 0) {
    status = add_span(r, s, "every", (span){ 0, steps, s->o->every });
  }
  if (status == DONE && r->nspan == 0) {
    status = read_items(r, s, preset);
  }
  r->names_fields = r->nfield > 0;
  if (status == DONE && r->nfield == 0) {
    status = read_items(r, s, "qpos,qvel,act,sensordata");
  }
  return status;
}

void record_free(record *r) {
  free(r->span);
  r->span = NULL;
}

// ------------------------------------------------------------------ during the run

static int64_t next_of(const span *s, int64_t step) {
  const int64_t behind = step > s->first ? step - s->first : 0;
  const int64_t next = s->first + (behind + s->stride - 1) / s->stride * s->stride;
  return next <= s->last ? next : -1;
}

int64_t record_next(const record *r, int64_t step) {
  int64_t first = -1;
  for (int64_t i = 0; i < r->nspan; i++) {
    const int64_t next = next_of(&r->span[i], step);
    first = next >= 0 && (first < 0 || next < first) ? next : first;
  }
  return first;
}

double record_number(const record *r, int i, const sn_data *d, int64_t k) {
  const recorded *f = &r->field[i];
  return !f->view.p                ? (double)sn_count(d, f->name)
         : f->view.type == SN_REAL ? ((const double *)f->view.p)[k]
                                   : ((const int32_t *)f->view.p)[k];
}
