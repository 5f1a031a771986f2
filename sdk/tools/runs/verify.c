// SPDX-License-Identifier: Apache-2.0
//
// sinew run --verify: makes the run of a record again and lists what differs, in the order in which
// one thing causes the next: the command line, engine, plugins, configuration, files, the final
// state. What differs in the machine is listed only as a note.

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorded_run.h"
#include "run_record.h"
#include "tools/fields.h"

enum { MOST_DIFFERENCES = 64 };

typedef struct difference {
  const char *group;
  char text[700];
} difference;

typedef struct check {
  const options *o;         // as the command was called
  recorded_run r;
  session s;
  dependencies now;
  difference difference[MOST_DIFFERENCES];
  int n, more;              // more: differences that are not listed
  int states_differ;
} check;

__attribute__((format(printf, 3, 4))) static void differ(check *c, const char *group,
                                                         const char *format, ...) {
  va_list list;
  if (c->n == MOST_DIFFERENCES) {
    c->more++;
    return;
  }
  difference *d = &c->difference[c->n++];
  d->group = group;
  va_start(list, format);
  vsnprintf(d->text, sizeof d->text, format, list);
  va_end(list);
}

// ------------------------------------------------------------------ dependencies

static const dependency *named(const dependencies *d, const char *group, const char *name) {
  for (int64_t i = 0; i < d->n; i++) {
    if (strcmp(d->item[i].group, group) == 0 && strcmp(d->item[i].name, name) == 0) {
      return &d->item[i];
    }
  }
  return NULL;
}

static const dependency *numbered(const dependencies *d, const char *group, int64_t index) {
  for (int64_t i = 0; i < d->n; i++) {
    if (strcmp(d->item[i].group, group) == 0 && index-- == 0) {
      return &d->item[i];
    }
  }
  return NULL;
}

static void compare_values(check *c, const char *group, const char *name, const char *now,
                           const char *recorded) {
  if (strcmp(now, recorded) != 0) {
    differ(c, group, "%s: '%s' instead of '%s'", name, now, recorded);
  }
}

// By name: what is added counts as well.
static void compare_named(check *c, const char *group, const json_node *recorded) {
  for (const json_node *p = recorded_child(&c->r, recorded); p; p = recorded_sibling(&c->r, p)) {
    const dependency *d = named(&c->now, group, p->key);
    const char *value = p->type == JSON_TEXT ? p->text : "";
    if (d) {
      compare_values(c, group, p->key, d->value, value);
    } else {
      differ(c, group, "%s: now missing; recorded: '%s'", p->key, value);
    }
  }
  const dependency *d;
  for (int64_t i = 0; (d = numbered(&c->now, group, i)); i++) {
    if (!recorded_member(&c->r, recorded, d->name, JSON_TEXT)) {
      differ(c, group, "%s: new; its value is '%s'", d->name, d->value);
    }
  }
}

// In the order in which they are opened: the model may have been moved.
static void compare_files(check *c, const json_node *recorded) {
  int64_t i = 0;
  for (const json_node *p = recorded_child(&c->r, recorded); p;
       p = recorded_sibling(&c->r, p), i++) {
    const dependency *d = numbered(&c->now, "files", i);
    const char *hash = p->type == JSON_TEXT ? p->text : "";
    if (!d) {
      differ(c, "files", "%s: not read now, but read when the run was recorded", p->key);
    } else if (strcmp(d->value, hash) != 0) {
      differ(c, "files", "%s: its hash is %s instead of %s%s%s", d->name, d->value, hash,
             strcmp(d->name, p->key) == 0 ? "" : " of ",
             strcmp(d->name, p->key) == 0 ? "" : p->key);
    }
  }
  for (const dependency *d; (d = numbered(&c->now, "files", i)); i++) {
    differ(c, "files", "%s: read now, but not when the run was recorded", d->name);
  }
}

static int compare_dependencies(check *c) {
  for (int g = 0; dependency_groups[g]; g++) {
    const char *group = dependency_groups[g];
    const json_node *recorded = recorded_member(&c->r, recorded_root(&c->r), group, JSON_OBJECT);
    if (!recorded) {
      return recorded_incomplete(
          &c->r, "one of engine, plugins, configuration, files and machine is missing");
    }
    if (strcmp(group, "files") == 0) {
      compare_files(c, recorded);
    } else if (strcmp(group, "machine") != 0) {
      compare_named(c, group, recorded);
    }
  }
  return DONE;
}

// ------------------------------------------------------------------ the state

// A part of a state in the record, checked against the model. NULL: it does not fit, which is a
// difference.
static const json_node *recorded_part(check *c, const json_node *state, const char *name,
                                      int64_t n) {
  const json_node *list = recorded_member(&c->r, state, name, JSON_LIST);
  if (!list || list->count != n) {
    differ(c, "state", "%s: the model has %lld numbers instead of %d", name, (long long)n,
           list ? list->count : 0);
    c->states_differ = 1;
    return NULL;
  }
  return list;
}

// Reads a state: the numbers of all parts. DONE, or FAILED: the model has other sizes, or after
// reporting.
static int read_state(check *c, const json_node *state, double *out) {
  const char *name;
  uint32_t mask;
  for (int i = 0; (name = state_part(i, &mask)); i++) {
    const int64_t n = sn_state_size(c->s.model, mask);
    const json_node *list = recorded_part(c, state, name, n);
    if (!list) {
      return FAILED;
    }
    if (!recorded_numbers(&c->r, list, out, n)) {
      return recorded_incomplete(&c->r, "a state must consist of numbers");
    }
    out += n;
  }
  return DONE;
}

static int is_same(double a, double b) {
  return a == b || (isnan(a) && isnan(b));
}

static void compare_part(check *c, const char *name, const double *now, const double *recorded,
                         int64_t n) {
  int64_t count = 0, at = 0;
  for (int64_t i = 0; i < n; i++) {
    if (!is_same(now[i], recorded[i])) {
      const double by = fabs(now[i] - recorded[i]), most = fabs(now[at] - recorded[at]);
      at = count++ == 0 || by > most ? i : at;
    }
  }
  if (count) {
    differ(c, "state",
           "%s: %lld of %lld numbers, by up to %.3g: number %lld is %.17g instead of "
           "%.17g",
           name, (long long)count, (long long)n, fabs(now[at] - recorded[at]), (long long)at,
           now[at], recorded[at]);
    c->states_differ = 1;
  }
}

static void compare_states(check *c, const double *now, const double *recorded) {
  const char *name;
  uint32_t mask;
  for (int i = 0; (name = state_part(i, &mask)); i++) {
    const int64_t n = sn_state_size(c->s.model, mask);
    compare_part(c, name, now, recorded, n);
    now += n;
    recorded += n;
  }
}

static int repeat(check *c, double *start, double *recorded) {
  const json_node *document = recorded_root(&c->r);
  const json_node *result = recorded_member(&c->r, document, "result", JSON_OBJECT);
  int status = read_state(c, recorded_member(&c->r, document, "start", JSON_OBJECT), start);
  status = status == DONE
               ? read_state(c, recorded_member(&c->r, result, "state", JSON_OBJECT), recorded)
               : status;
  status = status == DONE ? recorded_controls(&c->r, c->s.model) : status;
  if (status != DONE) {
    return c->states_differ ? DONE : status;
  }
  sn_reset(c->s.model, c->s.data);
  sn_state_set(c->s.model, c->s.data, SN_STATE_INTEGRATION, start);
  summary sum = { .planned = c->r.steps };
  const plan p = { .controls = c->r.controls };
  status = simulate(&c->s, &sum, &p);
  if (status == DONE && sum.interrupted) {
    return report_text(c->o, NULL, 0, 0, "interrupted after %lld of %lld steps",
                       (long long)sum.steps, (long long)c->r.steps);
  }
  double *now = status == DONE ? state_copy(&c->s) : NULL;
  if (now) {
    compare_states(c, now, recorded);
  }
  free(now);
  return now ? DONE : FAILED;
}

static int compare_runs(check *c) {
  const int64_t n = sn_state_size(c->s.model, SN_STATE_INTEGRATION);
  double *start = calloc((size_t)n, sizeof *start), *recorded = calloc((size_t)n, sizeof *start);
  const int status = start && recorded ? repeat(c, start, recorded) : report(c->o, NULL);
  free(start);
  free(recorded);
  return status;
}

// ------------------------------------------------------------------ the result

// "C library: 'glibc 2.36' instead of ..." of the first difference; "": none
static const char *machine_note(const check *c, char *out, size_t capacity) {
  const json_node *recorded = recorded_member(&c->r, recorded_root(&c->r), "machine", JSON_OBJECT);
  out[0] = '\0';
  for (const json_node *p = recorded_child(&c->r, recorded); p && !*out;
       p = recorded_sibling(&c->r, p)) {
    const dependency *d = named(&c->now, "machine", p->key);
    if (d && p->type == JSON_TEXT && strcmp(d->value, p->text) != 0) {
      snprintf(out, capacity, "%s: '%s' instead of '%s'", p->key, d->value, p->text);
    }
  }
  return out;
}

static int print_json(const check *c) {
  char machine[300];
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", c->n == 0);
  json_text(&j, "record", c->o->verify);
  json_text(&j, "model", c->r.arguments.operand[0]);
  json_integer(&j, "steps", c->r.steps);
  json_bool(&j, "same_state", !c->states_differ);
  json_list(&j, "differences");
  for (int i = 0; i < c->n; i++) {
    json_object(&j, NULL);
    json_text(&j, "what", c->difference[i].group);
    json_text(&j, "text", c->difference[i].text);
    json_end(&j);
  }
  json_end(&j);
  json_integer(&j, "more_differences", c->more);
  json_text(&j, "machine", *machine_note(c, machine, sizeof machine) ? machine : NULL);
  if (c->n) {
    json_text(&j, "error", c->difference[0].text);
  }
  return json_finish(&j) ? DONE : FAILED;
}

static void print_text(const check *c) {
  char machine[300];
  printf("model       %s\nsteps       %lld\n", c->r.arguments.operand[0], (long long)c->r.steps);
  for (int i = 0; i < c->n; i++) {
    printf("%-12s%s: %s\n", i ? "" : "differs", c->difference[i].group, c->difference[i].text);
  }
  if (c->more) {
    printf("            and %d more\n", c->more);
  }
  if (*machine_note(c, machine, sizeof machine)) {
    printf("note        machine: %s\n", machine);
  }
  printf("state       %s\n", c->states_differ ? "differs from the record" : "identical");
}

static int print(const check *c) {
  if (c->o->json) {
    const int status = print_json(c);
    return c->n ? FAILED : status;
  }
  print_text(c);
  fflush(stdout);
  return c->n ? report_text(c->o, c->o->verify, 0, 0, "the first difference is in %s: %s",
                            c->difference[0].group, c->difference[0].text)
              : DONE;
}

// What is given now comes after the arguments of the record.
static void compare_arguments(check *c) {
  const options *o = c->o;
  for (int i = 0; i < o->nset; i++) {
    differ(c, "arguments", "--set %s was not given", o->set[i]);
  }
  for (int i = 0; i < o->nplugin; i++) {
    differ(c, "arguments", "--plugin %s was not given", o->plugin[i]);
  }
}

// ------------------------------------------------------------------ the subcommand

static int check_run(check *c) {
  const char *model = c->o->noperand ? c->o->operand[0] : NULL;
  int status = recorded_run_read(&c->r, c->o, c->o->verify, model);
  status = status == DONE ? session_open(&c->s, &c->r.arguments) : status;
  if (status == DONE) {
    dependencies_watch(&c->now, &c->s);
    status = session_load(&c->s, c->r.arguments.operand[0]);
  }
  status = status == DONE ? dependencies_collect(&c->now, &c->s) : status;
  compare_arguments(c);
  status = status == DONE ? compare_dependencies(c) : status;
  status = status == DONE ? compare_runs(c) : status;
  return status == DONE ? print(c) : signals_status(status);
}

int run_verify(const options *o) {
  if (o->time >= 0 || o->steps >= 0 || o->key || o->input || o->record || o->record_file ||
      o->out || o->every > 0) {
    return usage_error(o->command,
                       "--verify repeats the recorded run; --time, --steps, --every, --key, "
                       "--input, --record and --out cannot be combined with it");
  }
  check *c = calloc(1, sizeof *c);
  if (!c) {
    return report(o, NULL);
  }
  c->o = o;
  const int status = check_run(c);
  session_close(&c->s);
  dependencies_free(&c->now);
  recorded_run_free(&c->r);
  free(c);
  return status;
}
