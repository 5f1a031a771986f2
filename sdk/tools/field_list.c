// SPDX-License-Identifier: Apache-2.0
//
// sinew fields: the names of all arrays and counts of a model and of its simulation.

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fields.h"

// A line of the list.
typedef struct item {
  const char *of;        // model, state
  const char *name, *type, *unit, *meaning;
  int64_t rows, cols;    // rows negative: a single number
  int64_t value;         // of a size of the model; negative: a count of the state
  int dynamic;
} item;

static const char *const types[] = {
  [SN_REAL] = "real", [SN_INT] = "integer", [SN_BYTE] = "byte", [SN_CHAR] = "text"
};

static int has_word(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (; *text; text++) {
    if (strncasecmp(text, word, n) == 0) {
      return 1;
    }
  }
  return n == 0;
}

// Every word must be in the name, the unit or the meaning.
static int is_wanted(const options *o, const item *f) {
  for (int i = 1; i < o->noperand; i++) {
    const char *word = o->operand[i];
    if (!has_word(f->name, word) && !has_word(f->meaning, word) && !has_word(f->unit, word)) {
      return 0;
    }
  }
  return 1;
}

static void print_text(const item *f) {
  enum { START = 60, END = 100 };
  char size[40] = "count*";
  if (f->rows < 0 && f->value >= 0) {
    snprintf(size, sizeof size, "= %lld", (long long)f->value);
  } else if (f->rows >= 0) {
    snprintf(size, sizeof size, f->cols == 1 ? "%lld%s" : "%lld%s x %lld", (long long)f->rows,
             f->dynamic ? "*" : "", (long long)f->cols);
  }
  const int column = printf("%-6s %-22s %-12s %-16s ", f->of, f->name, size, f->unit);
  print_wrapped(column, START, END, f->meaning);
}

static void print_json(json *j, const item *f) {
  json_object(j, NULL);
  json_text(j, "name", f->name);
  json_text(j, "of", f->of);
  json_text(j, "type", f->type);
  json_list(j, "shape");
  if (f->rows >= 0) {
    json_integer(j, NULL, f->rows);
  }
  if (f->rows >= 0 && f->cols != 1) {
    json_integer(j, NULL, f->cols);
  }
  json_end(j);
  if (f->rows < 0 && f->value >= 0) {
    json_integer(j, "value", f->value);
  }
  json_text(j, "unit", f->unit);
  json_text(j, "meaning", f->meaning);
  json_bool(j, "dynamic", f->dynamic);
  json_end(j);
}

static void put(const options *o, json *j, const item *f, int64_t *n) {
  if (is_wanted(o, f)) {
    if (!j && *n == 0) {
      printf("%s%-6s %-22s %-12s %-16s %s%s\n", styled(stdout, BOLD), "of", "name", "size", "unit",
             "meaning", styled(stdout, PLAIN));
    }
    if (j) {
      print_json(j, f);
    } else {
      print_text(f);
    }
    ++*n;
  }
}

static item item_of(const char *of, const sn_view *view) {
  return (item){ .of = of,
                 .name = view->name,
                 .type = types[view->type],
                 .unit = view->unit,
                 .meaning = view->meaning,
                 .rows = view->rows,
                 .cols = view->cols,
                 .dynamic = view->dynamic };
}

// A size of the model with its value, or a count of the state, whose value is negative.
static void put_number(const session *s, json *j, const char *name, const char *meaning,
                       int64_t value, int64_t *n) {
  const item f = { .of = value < 0 ? "state" : "model",
                   .name = name,
                   .type = "integer",
                   .unit = "",
                   .meaning = meaning,
                   .rows = -1,
                   .value = value,
                   .dynamic = value < 0 };
  put(s->o, j, &f, n);
}

static int64_t put_all(const session *s, json *j) {
  sn_view view = { .size = sizeof view };
  int64_t n = 0;
  for (int64_t i = 0; sn_model_field_at(s->model, i, &view); i++) {
    const item f = item_of("model", &view);
    put(s->o, j, &f, &n);
  }
  for (int64_t i = 0; sn_data_field_at(s->model, s->data, i, &view); i++) {
    const item f = item_of("state", &view);
    put(s->o, j, &f, &n);
  }
#define PUT_COUNT(count, stage, text) put_number(s, j, #count, text, -1, &n);
#define PUT_SIZE(size, text) put_number(s, j, #size, text, sn_size(s->model, #size), &n);
  SN_DATA_COUNTS(PUT_COUNT)
  SN_MODEL_SIZES(PUT_SIZE)
#undef PUT_SIZE
#undef PUT_COUNT
  return n;
}

static int list_text(const session *s) {
  if (put_all(s, NULL) > 0) {
    return DONE;
  }
  char words[200] = "";
  size_t used = 0;
  for (int i = 1; i < s->o->noperand && used < sizeof words; i++) {
    used += (size_t)snprintf(words + used, sizeof words - used, "%s'%s'", used ? " and " : "",
                             s->o->operand[i]);
  }
  return report_text(s->o, NULL, 0, 0, "no field matches %s; `sinew fields %s` lists all", words,
                     s->o->operand[0]);
}

static int list_json(const session *s) {
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_list(&j, "fields");
  put_all(s, &j);
  json_end(&j);
  loading_json(&j, "load_", s->model);
  return json_finish(&j) ? DONE : FAILED;
}

static int fields(const options *o) {
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  if (status == DONE) {
    status = o->json ? list_json(&s) : list_text(&s);
  }
  session_close(&s);
  return status;
}

const command fields_command = {
  .name = "fields",
  .operands = "MODEL [WORD]...",
  .summary = "lists the arrays of a model and of its state: size, unit, meaning",
  .accepts = "strict json",
  .story =
      "Those of the model are printed by `sinew inspect`, those of the state by `sinew state`,\n"
      "and recorded by --record of `sinew run` and `sinew trace`. Sizes with * change during a\n"
      "simulation. With words, only the fields that have all of them in name, unit or meaning.\n",
  .examples = "sinew fields arm\n"
              "sinew fields arm velocity --json\n",
  .min = 1,
  .max = -1,
  .takes_model = 1,
  .run = fields,
};
