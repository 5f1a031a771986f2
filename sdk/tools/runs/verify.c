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

#include "run_record.h"
#include "tools/fields.h"

enum { MOST_DIFFERENCES = 64 };

typedef struct difference {
  const char *group;
  char text[700];
} difference;

typedef struct check {
  const options *o;         // as the command was called
  options arguments;        // those of the record
  json_document doc;
  char *bytes;
  session s;
  dependencies now;
  double *controls;
  int64_t steps;
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

// ------------------------------------------------------------------ reading

static const json_node *child(const check *c, const json_node *node) {
  return node && node->first ? &c->doc.node[node->first] : NULL;
}

static const json_node *sibling(const check *c, const json_node *node) {
  return node->next ? &c->doc.node[node->next] : NULL;
}

// A member of an object of the record; NULL: there is none of this type.
static const json_node *find(const check *c, const json_node *object, const char *key, int type) {
  if (!object || object->type != JSON_OBJECT) {
    return NULL;
  }
  for (const json_node *p = child(c, object); p; p = sibling(c, p)) {
    if (strcmp(p->key, key) == 0) {
      return p->type == type ? p : NULL;
    }
  }
  return NULL;
}

static const json_node *find_in(const check *c, const char *object, const char *key, int type) {
  return find(c, find(c, &c->doc.node[0], object, JSON_OBJECT), key, type);
}

static const char *text_in(const check *c, const char *object, const char *key) {
  const json_node *node = find_in(c, object, key, JSON_TEXT);
  return node ? node->text : NULL;
}

static int wrong(const check *c, const char *what) {
  return report_text(c->o, c->o->verify, 0, 0, "this is not a complete record of a run: %s", what);
}

// The numbers of a list; false: one of them is none, or there are others than n.
static int read_numbers(const check *c, const json_node *list, double *out, int64_t n) {
  int64_t k = 0;
  for (const json_node *p = child(c, list); p && k < n; p = sibling(c, p)) {
    const int is_word = p->type == JSON_TEXT;   // "nan", "inf", "-inf"
    if (!is_word && p->type != JSON_NUMBER) {
      return 0;
    }
    out[k++] = is_word ? strtod(p->text, NULL) : p->number;
  }
  return list && list->count == n;
}

// Texts of the record, and behind them those of the command line.
static const char **join(const check *c, const char *key, const char *const *last, int nlast,
                         int *n) {
  const json_node *list = find_in(c, "arguments", key, JSON_LIST);
  const char **out = calloc((size_t)(list ? list->count : 0) + (size_t)nlast + 1, sizeof *out);
  *n = 0;
  for (const json_node *p = child(c, list); out && p; p = sibling(c, p)) {
    // --set without a value is an error of the command line, which is never written
    if (p->type == JSON_TEXT && (strcmp(key, "set") != 0 || strchr(p->text, '='))) {
      out[(*n)++] = p->text;
    }
  }
  for (int i = 0; out && i < nlast; i++) {
    out[(*n)++] = last[i];
  }
  return out;
}

// The command line of the record, changed by what is given now.
static int read_arguments(check *c) {
  const options *o = c->o;
  const json_node *steps = find_in(c, "arguments", "steps", JSON_NUMBER);
  const json_node *checks = find_in(c, "arguments", "check_plugins", JSON_BOOL);
  options *a = &c->arguments;
  *a = *o;
  a->config = o->config ? o->config : text_in(c, "arguments", "config");
  a->profile = o->profile ? o->profile : text_in(c, "arguments", "profile");
  a->check_plugins = o->check_plugins || (checks && checks->number != 0);
  a->set = join(c, "set", o->set, o->nset, &a->nset);
  a->plugin = join(c, "plugin", o->plugin, o->nplugin, &a->nplugin);
  a->operand = calloc(1, sizeof *a->operand);
  a->noperand = 1;
  if (!a->set || !a->plugin || !a->operand) {
    return report_text(o, NULL, 0, 0, "out of memory for the arguments");
  }
  a->operand[0] = o->noperand ? o->operand[0] : text_in(c, "arguments", "model");
  if (!a->operand[0] || !steps || !(steps->number >= 0 && steps->number < 0x1p53)) {
    return wrong(c, "model and steps of `arguments` are missing");
  }
  c->steps = (int64_t)steps->number;
  return DONE;
}

static int read_record(check *c) {
  int64_t n = 0;
  c->bytes = read_whole(c->o, c->o->verify, &n);
  if (!c->bytes) {
    return FAILED;
  }
  if (!json_read(&c->doc, c->bytes, n)) {
    return report_text(c->o, c->o->verify, c->doc.line, c->doc.column, "%s", c->doc.message);
  }
  const json_node *format = find(c, &c->doc.node[0], "format", JSON_TEXT);
  if (!format || strcmp(format->text, RUN_RECORD_FORMAT) != 0) {
    return report_text(c->o, c->o->verify, 0, 0,
                       "this is no record of a run that this version can read: its member "
                       "`format` is not \"%s\"",
                       RUN_RECORD_FORMAT);
  }
  return read_arguments(c);
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
  for (const json_node *p = child(c, recorded); p; p = sibling(c, p)) {
    const dependency *d = named(&c->now, group, p->key);
    const char *value = p->type == JSON_TEXT ? p->text : "";
    if (d) {
      compare_values(c, group, p->key, d->value, value);
    } else {
      differ(c, group, "%s: it is not there; it was '%s'", p->key, value);
    }
  }
  const dependency *d;
  for (int64_t i = 0; (d = numbered(&c->now, group, i)); i++) {
    if (!find(c, recorded, d->name, JSON_TEXT)) {
      differ(c, group, "%s: it was not there; it is '%s'", d->name, d->value);
    }
  }
}

// In the order in which they are opened: the model may have been moved.
static void compare_files(check *c, const json_node *recorded) {
  int64_t i = 0;
  for (const json_node *p = child(c, recorded); p; p = sibling(c, p), i++) {
    const dependency *d = numbered(&c->now, "files", i);
    const char *hash = p->type == JSON_TEXT ? p->text : "";
    if (!d) {
      differ(c, "files", "%s: it is not read; it was", p->key);
    } else if (strcmp(d->value, hash) != 0) {
      differ(c, "files", "%s: its hash is %s instead of %s%s%s", d->name, d->value, hash,
             strcmp(d->name, p->key) == 0 ? "" : " of ",
             strcmp(d->name, p->key) == 0 ? "" : p->key);
    }
  }
  for (const dependency *d; (d = numbered(&c->now, "files", i)); i++) {
    differ(c, "files", "%s: it was not read; it is", d->name);
  }
}

static int compare_dependencies(check *c) {
  for (int g = 0; dependency_groups[g]; g++) {
    const char *group = dependency_groups[g];
    const json_node *recorded = find(c, &c->doc.node[0], group, JSON_OBJECT);
    if (!recorded) {
      return wrong(c, "one of engine, plugins, configuration, files and machine is missing");
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
  const json_node *list = find(c, state, name, JSON_LIST);
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
    if (!read_numbers(c, list, out, n)) {
      return wrong(c, "a state has something else than numbers");
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

static int read_controls(check *c) {
  const json_node *controls = find(c, &c->doc.node[0], "controls", JSON_OBJECT);
  const int64_t n = c->steps * snm_nu(c->s.model);
  if (!controls || n == 0) {
    return DONE;
  }
  const json_node *data = find(c, controls, "data", JSON_LIST);
  if (!data || data->count != n) {
    return wrong(c, "`controls` must have a number for each actuator in each step");
  }
  c->controls = malloc((size_t)n * sizeof *c->controls);
  if (!c->controls) {
    return report(c->o, NULL);
  }
  return read_numbers(c, data, c->controls, n) ? DONE : wrong(c, "`controls` must be numbers");
}

static int repeat(check *c, double *start, double *recorded) {
  const json_node *document = &c->doc.node[0];
  const json_node *result = find(c, document, "result", JSON_OBJECT);
  int status = read_state(c, find(c, document, "start", JSON_OBJECT), start);
  status = status == DONE ? read_state(c, find(c, result, "state", JSON_OBJECT), recorded) : status;
  status = status == DONE ? read_controls(c) : status;
  if (status != DONE) {
    return c->states_differ ? DONE : status;
  }
  sn_reset(c->s.model, c->s.data);
  sn_state_set(c->s.model, c->s.data, SN_STATE_INTEGRATION, start);
  summary sum = { .planned = c->steps };
  const plan p = { .controls = c->controls };
  status = simulate(&c->s, &sum, &p);
  if (status == DONE && sum.interrupted) {
    return report_text(c->o, NULL, 0, 0, "interrupted after %lld of %lld steps",
                       (long long)sum.steps, (long long)c->steps);
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
  const json_node *recorded = find(c, &c->doc.node[0], "machine", JSON_OBJECT);
  out[0] = '\0';
  for (const json_node *p = child(c, recorded); p && !*out; p = sibling(c, p)) {
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
  json_text(&j, "model", c->arguments.operand[0]);
  json_integer(&j, "steps", c->steps);
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
  printf("model       %s\nsteps       %lld\n", c->arguments.operand[0], (long long)c->steps);
  for (int i = 0; i < c->n; i++) {
    printf("%-12s%s: %s\n", i ? "" : "differs", c->difference[i].group, c->difference[i].text);
  }
  if (c->more) {
    printf("            and %d more\n", c->more);
  }
  if (*machine_note(c, machine, sizeof machine)) {
    printf("note        machine: %s\n", machine);
  }
  printf("state       %s\n",
         c->states_differ ? "another one than that of the record" : "the same in every number");
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
  int status = read_record(c);
  status = status == DONE ? session_open(&c->s, &c->arguments) : status;
  if (status == DONE) {
    dependencies_watch(&c->now, &c->s);
    status = session_load(&c->s, c->arguments.operand[0]);
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
  c->arguments = *o;
  const int status = check_run(c);
  session_close(&c->s);
  dependencies_free(&c->now);
  json_free(&c->doc);
  free(c->bytes);
  free(c->controls);
  if (c->arguments.operand != o->operand) {
    free(c->arguments.set);
    free(c->arguments.plugin);
    free(c->arguments.operand);
  }
  free(c);
  return status;
}
