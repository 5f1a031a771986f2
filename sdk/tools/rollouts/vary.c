// SPDX-License-Identifier: Apache-2.0
//
// Values of quantities that vary; see vary.h.

#include "vary.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/hash.h"
#include "sinew/number.h"
#include "sinew/suggest.h"

enum { LIST, UNIFORM, LOGUNIFORM, NORMAL, NKINDS };

static const char *const kinds[NKINDS] = { NULL, "uniform", "loguniform", "normal" };

#define FORMS                                                                \
  "write NAME=uniform(A,B), loguniform(A,B), normal(MEAN,SIGMA) or values that " \
  "are separated by commas"

static int wrong(const options *o, const char *text, const char *why) {
  return usage_error(o->command, "--vary '%s': %s; " FORMS, text, why);
}

// "gauss(0,1)"
static int unknown_distribution(const options *o, const char *text, const char *word, size_t n) {
  char name[64], hint[2 * SN_SUGGEST_TEXT];
  snprintf(name, sizeof name, "%.*s", (int)(n < 60 ? n : 60), word);
  const int gauss = strncasecmp(name, "gauss", 5) == 0;   // as other programs call it
  const char *near = gauss ? kinds[NORMAL] : nearest_word(name, &kinds[UNIFORM], NKINDS - UNIFORM);
  return usage_error(o->command, "--vary '%s': there is no distribution '%s'%s", text, name,
                     sn_suggest_text(hint, sizeof hint, near, FORMS));
}

// ------------------------------------------------------------------ reading

// "A,B)"
static int read_pair(const options *o, const char *text, const char *p, varied *v) {
  const char *end = sn_read_number(p, &v->a);
  if (end == p || *end != ',') {
    return wrong(o, text, "a distribution has two numbers");
  }
  p = end + 1;
  end = sn_read_number(p, &v->b);
  if (end == p || strcmp(end, ")") != 0 || !isfinite(v->a) || !isfinite(v->b)) {
    return wrong(o, text, "a distribution has two numbers");
  }
  if (v->kind == NORMAL ? v->b < 0 : v->b < v->a) {
    return wrong(o, text,
                 v->kind == NORMAL ? "the standard deviation is negative"
                                   : "the second number is smaller than the first");
  }
  return v->kind == LOGUNIFORM && !(v->a > 0) ? wrong(o, text, "the numbers must be positive")
                                              : DONE;
}

static int read_list(const options *o, const char *text, const char *p, varied *v) {
  v->list = calloc(strlen(p) + 1, sizeof *v->list);
  if (!v->list) {
    return report(o, NULL);
  }
  for (;;) {
    const char *end = sn_read_number(p, &v->list[v->nlist]);
    if (end == p || (*end && *end != ',')) {
      return wrong(o, text, "a value is not a number");
    }
    v->nlist++;
    if (!*end) {
      return DONE;
    }
    p = end + 1;
  }
}

static int read_one(const options *o, const char *text, varied *v) {
  const char *equals = strchr(text, '='), *p = equals + 1;
  v->name = strndup(text, (size_t)(equals - text));
  if (!v->name) {
    return report(o, NULL);
  }
  for (int kind = UNIFORM; kind < NKINDS; kind++) {
    const size_t n = strlen(kinds[kind]);
    if (strncmp(p, kinds[kind], n) == 0 && p[n] == '(') {
      v->kind = kind;
      return read_pair(o, text, p + n + 1, v);
    }
  }
  const size_t n = strcspn(p, "(");
  return p[n] && isalpha((unsigned char)*p) ? unknown_distribution(o, text, p, n)
                                            : read_list(o, text, p, v);
}

int vary_read(const options *o, varied *out) {
  int64_t stride = 1;
  for (int i = 0; i < o->nvary; i++) {
    const int status = read_one(o, o->vary[i], &out[i]);
    if (status != DONE) {
      return status;
    }
    for (int k = 0; k < i; k++) {
      if (strcmp(out[i].name, out[k].name) == 0) {
        return usage_error(o->command, "--vary %s is given twice", out[i].name);
      }
    }
  }
  for (int i = o->nvary - 1; i >= 0; i--) {
    out[i].stride = stride;
    stride *= out[i].nlist > 0 && stride < INT64_MAX / out[i].nlist ? out[i].nlist : 1;
  }
  return DONE;
}

void vary_free(const options *o, varied *v) {
  for (int i = 0; v && i < o->nvary; i++) {
    free(v[i].name);
    free(v[i].list);
  }
}

int64_t vary_combinations(const options *o, const varied *v) {
  return o->nvary > 0 ? v[0].stride * (v[0].nlist > 0 ? v[0].nlist : 1) : 1;
}

// ------------------------------------------------------------------ values

// The stream of its random numbers.
static uint64_t stream_of(const char *name) {
  return hash_bytes(HASH_START, name, strlen(name));
}

void vary_values(const varied *v, const sn_random_service *random, uint64_t seed, int64_t i,
                 int64_t width, double *out) {
  const uint64_t counter = (uint64_t)(i * width);
  if (v->kind == NORMAL) {
    random->normal(seed, stream_of(v->name), counter, width, out);
  } else if (v->kind != LIST) {
    random->uniform(seed, stream_of(v->name), counter, width, out);
  }
  for (int64_t k = 0; k < width; k++) {
    out[k] = v->kind == LIST         ? v->list[i / v->stride % v->nlist]
             : v->kind == NORMAL     ? v->a + v->b * out[k]
             : v->kind == LOGUNIFORM ? v->a * exp(log(v->b / v->a) * out[k])
                                     : v->a + (v->b - v->a) * out[k];
  }
}
