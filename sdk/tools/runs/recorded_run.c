// SPDX-License-Identifier: Apache-2.0
//
// Reading the record of a run; see recorded_run.h.

#include "recorded_run.h"

#include <stdlib.h>
#include <string.h>

#include "run_record.h"

// ------------------------------------------------------------------ nodes

const json_node *recorded_root(const recorded_run *r) {
  return &r->doc.node[0];
}

const json_node *recorded_child(const recorded_run *r, const json_node *node) {
  return node && node->first ? &r->doc.node[node->first] : NULL;
}

const json_node *recorded_sibling(const recorded_run *r, const json_node *node) {
  return node->next ? &r->doc.node[node->next] : NULL;
}

const json_node *recorded_member(const recorded_run *r, const json_node *object, const char *key,
                                 int type) {
  if (!object || object->type != JSON_OBJECT) {
    return NULL;
  }
  for (const json_node *p = recorded_child(r, object); p; p = recorded_sibling(r, p)) {
    if (strcmp(p->key, key) == 0) {
      return p->type == type ? p : NULL;
    }
  }
  return NULL;
}

int recorded_incomplete(const recorded_run *r, const char *what) {
  return report_text(r->o, r->path, 0, 0, "this is not a complete record of a run: %s", what);
}

int recorded_numbers(const recorded_run *r, const json_node *list, double *out, int64_t n) {
  int64_t k = 0;
  for (const json_node *p = recorded_child(r, list); p && k < n; p = recorded_sibling(r, p)) {
    const int is_word = p->type == JSON_TEXT;   // "nan", "inf", "-inf"
    if (!is_word && p->type != JSON_NUMBER) {
      return 0;
    }
    out[k++] = is_word ? strtod(p->text, NULL) : p->number;
  }
  return list && list->count == n;
}

// ------------------------------------------------------------------ arguments

static const json_node *argument(const recorded_run *r, const char *key, int type) {
  const json_node *all = recorded_member(r, recorded_root(r), "arguments", JSON_OBJECT);
  return recorded_member(r, all, key, type);
}

static const char *text_argument(const recorded_run *r, const char *key) {
  const json_node *node = argument(r, key, JSON_TEXT);
  return node ? node->text : NULL;
}

// Texts of the record, and behind them those of the command line.
static const char **join(const recorded_run *r, const char *key, const char *const *last, int nlast,
                         int *n) {
  const json_node *list = argument(r, key, JSON_LIST);
  const char **out = calloc((size_t)(list ? list->count : 0) + (size_t)nlast + 1, sizeof *out);
  *n = 0;
  for (const json_node *p = recorded_child(r, list); out && p; p = recorded_sibling(r, p)) {
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
static int read_arguments(recorded_run *r, const char *model) {
  const options *o = r->o;
  const json_node *steps = argument(r, "steps", JSON_NUMBER);
  const json_node *checks = argument(r, "check_plugins", JSON_BOOL);
  options *a = &r->arguments;
  *a = *o;
  a->config = o->config ? o->config : text_argument(r, "config");
  a->profile = o->profile ? o->profile : text_argument(r, "profile");
  a->check_plugins = o->check_plugins || (checks && checks->number != 0);
  a->set = join(r, "set", o->set, o->nset, &a->nset);
  a->plugin = join(r, "plugin", o->plugin, o->nplugin, &a->nplugin);
  a->operand = calloc(1, sizeof *a->operand);
  a->noperand = 1;
  if (!a->set || !a->plugin || !a->operand) {
    return report_text(o, NULL, 0, 0, "out of memory for the arguments");
  }
  a->operand[0] = model ? model : text_argument(r, "model");
  if (!a->operand[0] || !steps || !(steps->number >= 0 && steps->number < 0x1p53)) {
    return recorded_incomplete(r, "model and steps of `arguments` are missing");
  }
  r->steps = (int64_t)steps->number;
  return DONE;
}

// ------------------------------------------------------------------ reading

int recorded_run_is(const char *path) {
  const size_t n = strlen(path);
  return n > 5 && strcmp(path + n - 5, ".json") == 0;
}

int recorded_run_read(recorded_run *r, const options *o, const char *path, const char *model) {
  int64_t n = 0;
  *r = (recorded_run){ .o = o, .path = path, .arguments = *o };
  r->bytes = read_whole(o, path, &n);
  if (!r->bytes) {
    return FAILED;
  }
  if (!json_read(&r->doc, r->bytes, n)) {
    return report_text(o, path, r->doc.line, r->doc.column,
                       "this is not JSON: %s; the record of a run is written by "
                       "`sinew run --record FILE.json`",
                       r->doc.message);
  }
  const json_node *format = recorded_member(r, recorded_root(r), "format", JSON_TEXT);
  if (!format || strcmp(format->text, RUN_RECORD_FORMAT) != 0) {
    return report_text(o, path, 0, 0,
                       "this is not a record of a run that this version can read: \"format\" "
                       "must be \"%s\"",
                       RUN_RECORD_FORMAT);
  }
  return read_arguments(r, model);
}

void recorded_run_free(recorded_run *r) {
  json_free(&r->doc);
  free(r->bytes);
  free(r->controls);
  if (r->o && r->arguments.operand != r->o->operand) {
    free(r->arguments.set);
    free(r->arguments.plugin);
    free(r->arguments.operand);
  }
}

int recorded_controls(recorded_run *r, const sn_model *m) {
  const json_node *controls = recorded_member(r, recorded_root(r), "controls", JSON_OBJECT);
  const int64_t n = r->steps * snm_nu(m);
  if (!controls || n == 0) {
    return DONE;
  }
  const json_node *data = recorded_member(r, controls, "data", JSON_LIST);
  if (!data || data->count != n) {
    return recorded_incomplete(r, "`controls` must have a number for each actuator in each step");
  }
  r->controls = malloc((size_t)n * sizeof *r->controls);
  if (!r->controls) {
    return report(r->o, NULL);
  }
  return recorded_numbers(r, data, r->controls, n)
             ? DONE
             : recorded_incomplete(r, "`controls` must be numbers");
}

int recorded_start(const recorded_run *r, const sn_model *m, sn_data *d) {
  const json_node *start = recorded_member(r, recorded_root(r), "start", JSON_OBJECT);
  double *state = calloc((size_t)sn_state_size(m, SN_STATE_INTEGRATION) + 1, sizeof *state);
  const char *name, *wrong = NULL;
  uint32_t mask;
  double *p = state;
  for (int i = 0; state && !wrong && (name = state_part(i, &mask)); i++) {
    const int64_t n = sn_state_size(m, mask);
    const json_node *list = recorded_member(r, start, name, JSON_LIST);
    wrong = n == 0 || recorded_numbers(r, list, p, n) ? NULL : name;
    p += n;
  }
  if (state && !wrong) {
    sn_reset(m, d);
    sn_state_set(m, d, SN_STATE_INTEGRATION, state);
  }
  free(state);
  return wrong   ? report_text(r->o, r->path, 0, 0,
                               "`%s` of the start of the run does not fit the model, which has "
                                 "changed",
                               wrong)
         : state ? DONE
                 : report(r->o, NULL);
}
