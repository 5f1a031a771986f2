// SPDX-License-Identifier: Apache-2.0
//
// More joints, by a file of lines:
//
//   # hinges of a hip, and a slide along an axis of its own
//   hip   = rz rx ry
//   guide = p:0,0.6,0.8
//
// A line defines a name for a sequence of joints, in this order: px py pz rx ry rz spherical
// and p3d of the format, r:X,Y,Z and p:X,Y,Z about or along an axis. q and qd list them as they are
// written. They share a body: at most six degrees of freedom, and spherical comes last.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/number.h"
#include "x_xy/x_xy.h"

enum { MOST_DOF = 6, MOST_NAME = 64 };

typedef struct text_line {
  x_loader *l;
  const char *file;
  int32_t number;
} text_line;

static sn_status fail(const text_line *at, const char *what, const char *word) {
  char text[300];
  snprintf(text, sizeof text, "%.180s \"%.60s\"", what, word);
  const sn_host *host = at->l->b->host;
  return host->error(host, at->l->r.error, SN_EPARSE, at->file, at->number, 0, text);
}

// "r:0,0.6,0.8" or "p:...".
static sn_status read_own(const text_line *at, const char *word, x_primitive *p) {
  const char *s = word + 2;
  p->type = word[0] == 'r' ? SN_JOINT_HINGE : SN_JOINT_SLIDE;
  p->axis = 5;
  for (int i = 0; i < 3; i++) {
    const char *end = sn_read_number(s, &p->own[i]);
    if (end == s || !isfinite(p->own[i]) || *end != (i < 2 ? ',' : '\0')) {
      return fail(at, "an axis takes three numbers separated by commas, not", word);
    }
    s = end + 1;
  }
  return sn_norm3(p->own) > SN_TINY ? SN_OK : fail(at, "the axis must not be zero:", word);
}

static sn_status add_primitive(const text_line *at, const char *word, x_joint *joint,
                               x_primitive p) {
  static const char *const suffix[] = { ".1", ".2", ".3", ".4", ".5", ".6" };
  int turns = p.type == SN_JOINT_BALL;
  if (joint->nv + (turns ? 3 : 1) > MOST_DOF) {
    return fail(at, "a joint has at most six degrees of freedom; exceeded by", word);
  }
  if (joint->nq > joint->nv) {
    return fail(at, "spherical must be the last part; it is followed by", word);
  }
  p.q = joint->nq;
  p.qd = joint->nv;
  p.suffix = suffix[joint->nprimitive];
  joint->nq += turns ? 4 : 1;
  joint->nv += turns ? 3 : 1;
  joint->primitive[joint->nprimitive++] = p;
  return SN_OK;
}

static sn_status read_word(const text_line *at, const char *word, x_joint *joint) {
  static const char *const known[] = { "px", "py", "pz", "rx", "ry", "rz", "spherical", "p3d" };
  x_primitive own = { 0 };
  if ((word[0] == 'r' || word[0] == 'p') && word[1] == ':') {
    SN_TRY(read_own(at, word, &own));
    return add_primitive(at, word, joint, own);
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i], word) == 0) {
      const x_joint *from = x_find_joint(at->l, word);
      for (int32_t k = 0; k < from->nprimitive; k++) {
        SN_TRY(add_primitive(at, word, joint, from->primitive[k]));
      }
      return SN_OK;
    }
  }
  return fail(at, "the parts of a joint are px py pz rx ry rz spherical p3d r:X,Y,Z p:X,Y,Z, not",
              word);
}

// The next piece between blanks, cut out of the text; NULL: none.
static char *next_word(char **text) {
  char *word = *text + strspn(*text, " \t\r");
  size_t n = strcspn(word, " \t\r");
  *text = word + n + (word[n] != '\0');
  word[n] = '\0';
  return n ? word : NULL;
}

static sn_status read_line(const text_line *at, char *line) {
  x_loader *l = at->l;
  line[strcspn(line, "#")] = '\0';
  char *equals = strchr(line, '=');
  if (!equals) {
    char *word = next_word(&line);
    return word ? fail(at, "expected NAME = JOINT JOINT ..., found", word) : SN_OK;
  }
  *equals = '\0';
  char *rest = equals + 1, *name = next_word(&line), *word;
  if (!name || strlen(name) >= MOST_NAME || next_word(&line)) {
    return fail(at, "expected one name of less than 64 characters before '=', found",
                name ? name : "");
  }
  if (x_find_joint(l, name)) {
    return fail(at, "there is another joint", name);
  }
  x_joint *joint = &l->custom[l->ncustom];
  *joint = (x_joint){ .name = name };
  while ((word = next_word(&rest))) {
    SN_TRY(read_word(at, word, joint));
  }
  if (joint->nprimitive == 0) {
    return fail(at, "expected joints after '=' of", name);
  }
  if (joint->nprimitive == 1) {
    joint->primitive[0].suffix = "";
  }
  l->ncustom++;
  return SN_OK;
}

sn_status x_read_custom(x_loader *l) {
  sn_source *file = NULL;
  if (!l->params->joints[0]) {
    return SN_OK;
  }
  SN_TRY(l->source->open(l->source, l->params->joints, &file, l->r.error));
  int64_t lines = 1;
  for (int64_t i = 0; i < file->count; i++) {
    lines += file->bytes[i] == '\n';
  }
  text_line at = { .l = l, .file = l->params->joints };
  l->custom_names = malloc((size_t)file->count + 1);
  l->custom = calloc((size_t)lines, sizeof *l->custom);
  sn_status status = SN_OK;
  if (!l->custom_names || !l->custom) {
    status = l->b->host->error(l->b->host, l->r.error, SN_ENOMEM, NULL, 0, 0, "out of memory");
  } else {
    memcpy(l->custom_names, file->bytes, (size_t)file->count);
    l->custom_names[file->count] = '\0';
  }
  char *line = l->custom_names;
  while (status >= 0 && line) {
    char *end = strchr(line, '\n');
    if (end) {
      *end = '\0';
    }
    at.number++;
    status = read_line(&at, line);
    line = end ? end + 1 : NULL;
  }
  l->source->close(file);
  return status;
}
