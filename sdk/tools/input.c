// SPDX-License-Identifier: Apache-2.0
//
// The state and the inputs that `state`, `trace` and `run` start from, as a JSON file:
//
//   {"key": "squat", "qpos": [...], "qvel": [...], "ctrl": [...], "xfrc_applied": [[...], ...]}
//
// Numbers may be a list, lists of rows, or {"shape": .., "data": ..} as these commands print them.
// A keyframe comes first, whatever the order. What is absent is as after a reset.

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "sinew/suggest.h"
#include "tools/json/json.h"

static const char *const fields[] = { "time",         "qpos",      "qvel",
                                      "act",          "ctrl",      "qfrc_applied",
                                      "xfrc_applied", "mocap_pos", "mocap_quat" };
enum { NFIELDS = sizeof fields / sizeof fields[0], LARGEST = 1 << 28 };

int input_has(const char *name) {
  int known = 0;
  for (int i = 0; i < NFIELDS; i++) {
    known |= strcmp(name, fields[i]) == 0;
  }
  return known;
}

typedef struct input {
  session *s;
  const char *path;
  json_document doc;
} input;

// ------------------------------------------------------------------ numbers

static int wrong(const input *in, const json_node *at, const char *what) {
  return report_text(in->s->o, in->path, at->line, at->column, "%s%s%s", at->key ? at->key : "",
                     at->key ? ": " : "", what);
}

static const json_node *first_child(const input *in, const json_node *node) {
  return node->first ? &in->doc.node[node->first] : NULL;
}

static const json_node *next_sibling(const input *in, const json_node *node) {
  return node->next ? &in->doc.node[node->next] : NULL;
}

// the list itself, or the "data" of {"shape": .., "data": ..}
static const json_node *data_of(const input *in, const json_node *node) {
  if (node->type != JSON_OBJECT) {
    return node;
  }
  for (const json_node *c = first_child(in, node); c; c = next_sibling(in, c)) {
    if (strcmp(c->key, "data") == 0) {
      return c;
    }
  }
  return node;
}

static int number_of(const json_node *node, double *out) {
  static const struct {
    const char *word;
    double value;
  } words[] = { { "nan", NAN }, { "inf", INFINITY }, { "-inf", -INFINITY } };
  *out = node->number;
  for (int i = 0; node->type == JSON_TEXT && i < 3; i++) {
    if (strcmp(node->text, words[i].word) == 0) {
      *out = words[i].value;
      return 1;
    }
  }
  return node->type == JSON_NUMBER;
}

// Copies up to `capacity` numbers of a list, or of a list of lists, and counts all of them. row:
// the length that each inner list must have, 0: any. DONE or FAILED.
static int collect(const input *in, const json_node *list, int64_t row, double *out,
                   int64_t capacity, int64_t *count) {
  if (list->type != JSON_LIST) {
    return wrong(in, list, "expected a list of numbers");
  }
  int64_t i = 0;
  for (const json_node *c = first_child(in, list); c; c = next_sibling(in, c), i++) {
    double value;
    if (c->type == JSON_LIST) {
      int64_t before = *count;
      const json_node *inner = first_child(in, c);
      if (inner && inner->type == JSON_LIST) {
        return wrong(in, inner, "lists are nested more than two levels deep");
      }
      if (collect(in, c, 0, out, capacity, count) != DONE) {
        return FAILED;
      }
      if (row && *count - before != row) {
        return report_text(in->s->o, in->path, c->line, c->column,
                           "%s%srow %lld has %lld number%s instead of %lld",
                           list->key ? list->key : "", list->key ? ": " : "", (long long)i,
                           (long long)(*count - before), *count - before == 1 ? "" : "s",
                           (long long)row);
      }
    } else if (!number_of(c, &value)) {
      return wrong(in, c, "expected a number");
    } else {
      if (*count < capacity) {
        out[*count] = value;
      }
      ++*count;
    }
  }
  return DONE;
}

static int set_field(const input *in, const json_node *node, const char *name) {
  session *s = in->s;
  sn_view view = { .size = sizeof view };
  if (sn_data_field(s->model, s->data, name, &view) < 0) {
    return wrong(in, node, "no such field");
  }
  int64_t n = view.rows * view.cols, count = 0;
  if (strcmp(name, "time") == 0 && node->type == JSON_NUMBER) {
    snd_time(s->data)[0] = node->number;
    return DONE;
  }
  if (collect(in, data_of(in, node), view.cols > 1 ? view.cols : 0, view.p, n, &count) != DONE) {
    return FAILED;
  }
  return count == n ? DONE
                    : report_text(s->o, in->path, node->line, node->column,
                                  "%s has %lld numbers, the model needs %lld", name,
                                  (long long)count, (long long)n);
}

static int set_key(const input *in, const json_node *node) {
  session *s = in->s;
  int32_t key = -1;
  if (node->type == JSON_TEXT) {
    key = find_key(s->model, node->text);
  } else if (node->type == JSON_NUMBER && node->number >= 0 &&
             node->number < (double)snm_nkey(s->model) && node->number == floor(node->number)) {
    key = (int32_t)node->number;
  }
  if (key >= 0 && sn_reset_key(s->model, s->data, key) >= 0) {
    return DONE;
  }
  char keys[256];
  return report_text(s->o, in->path, node->line, node->column,
                     "the model has no such keyframe; its keyframes: %s",
                     list_keys(s->model, keys, sizeof keys));
}

static int set_sequence(const input *in, const json_node *node, double **controls, int64_t *nstep) {
  const json_node *data = data_of(in, node);
  int64_t nu = snm_nu(in->s->model), count = 0;
  if (nu == 0) {
    *nstep = data->count;
    return data->type == JSON_LIST ? DONE : wrong(in, node, "expected a list");
  }
  if (collect(in, data, nu, NULL, 0, &count) != DONE) {
    return FAILED;
  }
  if (count % nu) {
    return wrong(in, node, "each step must have one number for each actuator");
  }
  *controls = malloc((size_t)(count + 1) * sizeof(double));
  *nstep = count / nu;
  int64_t again = 0;
  return *controls ? collect(in, data, nu, *controls, count, &again)
                   : wrong(in, node, "out of memory");
}

// ------------------------------------------------------------------ members

#define INPUTS \
  "inputs are time, qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, mocap_pos, mocap_quat, key"

static int unknown_member(const input *in, const json_node *node, int sequence) {
  const char *names[NFIELDS + 2];
  memcpy(names, fields, sizeof fields);
  names[NFIELDS] = "key";
  names[NFIELDS + 1] = "ctrl_sequence";
  char hint[SN_SUGGEST_TEXT];
  const char *near = nearest_word(node->key, names, NFIELDS + 1 + (sequence != 0));
  return report_text(
      in->s->o, in->path, node->line, node->column, "'%s' is not an input%s", node->key,
      sn_suggest_text(hint, sizeof hint, near, sequence ? INPUTS ", ctrl_sequence" : INPUTS));
}

static int is_key(const json_node *node) {
  return strcmp(node->key, "key") == 0;
}

static int apply_members(input *in, double **controls, int64_t *nstep) {
  const json_node *root = &in->doc.node[0];
  if (root->type != JSON_OBJECT) {
    return wrong(in, root, "expected an object");
  }
  // the keyframe first: it sets what the others then replace
  for (const json_node *c = first_child(in, root); c; c = next_sibling(in, c)) {
    if (is_key(c) && set_key(in, c) != DONE) {
      return FAILED;
    }
  }
  for (const json_node *c = first_child(in, root); c; c = next_sibling(in, c)) {
    int known = is_key(c), status = DONE;
    for (const json_node *b = first_child(in, root); b != c; b = next_sibling(in, b)) {
      if (strcmp(b->key, c->key) == 0) {   // there are few: others are not inputs
        return report_text(in->s->o, in->path, c->line, c->column, "'%s' is given twice", c->key);
      }
    }
    if (!known && input_has(c->key)) {
      known = 1;
      status = set_field(in, c, c->key);
    }
    if (!known && controls && strcmp(c->key, "ctrl_sequence") == 0) {
      known = 1;
      status = set_sequence(in, c, controls, nstep);
    }
    if (!known) {
      status = unknown_member(in, c, controls != NULL);
    }
    if (status != DONE) {
      return FAILED;
    }
  }
  return DONE;
}

int input_apply(session *s, const char *path, double **controls, int64_t *nstep) {
  if (controls) {
    *controls = NULL;
    *nstep = -1;
  }
  if (!path) {
    return DONE;
  }
  if (*path == '{' && access(path, F_OK) != 0) {
    return usage_error(s->o->command, "--input takes the name of a JSON file, or - to read "
                                      "standard input, not the JSON text itself");
  }
  int64_t n = 0;
  char *bytes = read_whole(s->o, path, &n);
  if (!bytes) {
    return FAILED;
  }
  path = strcmp(path, "-") == 0 ? "standard input" : path;   // in messages
  input in = { .s = s, .path = path };
  int status = json_read(&in.doc, bytes, n)
                   ? apply_members(&in, controls, nstep)
                   : report_text(s->o, path, in.doc.line, in.doc.column, "%s", in.doc.message);
  free(bytes);
  json_free(&in.doc);
  if (status != DONE && controls) {
    free(*controls);
    *controls = NULL;
  }
  return status;
}
