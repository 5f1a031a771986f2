// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the compiler share: a spec over an engine of toys, elements in a line each.

#ifndef SN_TEST_COMPILING_H
#define SN_TEST_COMPILING_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "host/toy_engine.h"
#include "sinew/math.h"

static sn_error *error;
static sn_engine *engine;
static sn_spec *spec;
static sn_model *model;

static inline void setup(void) {
  error = sn_error_new();
  engine = toy_engine(error);
  spec = sn_spec_new(engine, error);
  ck_assert_ptr_nonnull(spec);
  model = NULL;
}

static inline void teardown(void) {
  sn_model_free(model);
  sn_spec_free(spec);
  sn_engine_close(engine);
  sn_error_free(error);
}

#define OK(call) ck_assert_msg((call) >= 0, "%s: %s", #call, sn_error_text(error))
#define NEAR(a, b, tolerance) ck_assert_double_le(fabs((a) - (b)), tolerance)

static inline void compile(void) {
  sn_model_free(model);
  model = sn_compile(spec, error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
}

// Compiling fails, and the message has these words.
static inline void rejected(sn_status code, const char *word1, const char *word2) {
  sn_model *m = sn_compile(spec, error);
  ck_assert_ptr_null(m);
  ck_assert_int_eq(sn_error_code(error), code);
  const char *text = sn_error_text(error);
  ck_assert_msg(strstr(text, word1) && strstr(text, word2), "%s", text);
}

static inline int32_t add_body(int32_t parent, const char *name) {
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.parent = parent;
  body.name = name;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  return id;
}

static inline void add_joint(int32_t body, const char *name, int32_t type) {
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = body;
  joint.name = name;
  joint.type = type;
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
}

static inline void add_geom(int32_t body, const char *name, int32_t type, double a, double b,
                            double c) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.body = body;
  geom.name = name;
  geom.type = type;
  SN_SET(geom.size, a, b, c);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static inline void add_site(int32_t body, const char *name) {
  sn_site_def site;
  sn_default_site(&site);
  site.body = body;
  site.name = name;
  OK(sn_spec_add_site(spec, &site, NULL, NULL, error));
}

static inline void same_rotation(const double *a, const double *b) {
  double dot = a[0] * b[0] + sn_dot3(a + 1, b + 1);
  NEAR(fabs(dot), 1, 1e-14);
}

#endif
