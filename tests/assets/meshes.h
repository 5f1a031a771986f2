// SPDX-License-Identifier: Apache-2.0
//
// What the tests of meshes share: one mesh from its definition to a model, and bytes of a file.

#ifndef SN_TEST_MESHES_H
#define SN_TEST_MESHES_H

#include "assets/mesh.h"
#include "assets/mesh_shapes.h"
#include "default_engine.h"
#include "suite.h"

static sn_spec *spec;
static sn_model *model;
static uint8_t bytes[1 << 20];
static int64_t nbytes;

#define NEAR(a, b, tolerance)                                                                     \
  do {                                                                                            \
    double near_a = (a), near_b = (b), near_t = (tolerance);                                      \
    ck_assert_msg(fabs(near_a - near_b) <= near_t, "%s is %.17g, not %.17g", #a, near_a, near_b); \
  } while (0)

static inline void setup(void) {
  open_engine();
  OK(si_engine_freeze(engine, error));
  spec = NULL;
  model = NULL;
  nvert = nface = nbytes = 0;
}

static inline void teardown(void) {
  sn_model_free(model);
  sn_spec_free(spec);
  close_engine();
}

// ------------------------------------------------------------------ models

static inline void new_spec(int exact) {
  sn_model_free(model);
  sn_spec_free(spec);
  model = NULL;
  spec = sn_spec_new(engine, error);
  sn_compiler c = { .def_size = sizeof c };
  OK(sn_spec_get_compiler(spec, &c));
  c.exactmeshinertia = exact;
  OK(sn_spec_set_compiler(spec, &c, error));
}

static inline sn_geom_def geom_def(void) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.type = SN_GEOM_MESH;
  geom.mesh = "m";
  geom.density = 1;
  return geom;
}

// A body with one geom that shows one mesh. Returns false when it is rejected.
static inline int try_mesh(const sn_mesh_def *mesh, sn_geom_def *geom) {
  sn_body_def body;
  sn_joint_def joint;
  sn_default_body(&body);
  sn_default_joint(&joint);
  joint.type = SN_JOINT_FREE;
  OK(sn_spec_add_body(spec, &body, NULL, &joint.body, error));
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
  geom->body = joint.body;
  OK(sn_spec_add_mesh(spec, mesh, NULL, NULL, error));
  OK(sn_spec_add_geom(spec, geom, NULL, NULL, error));
  model = sn_compile(spec, error);
  return model != NULL;
}

static inline void compile(const sn_mesh_def *mesh, sn_geom_def *geom) {
  ck_assert_msg(try_mesh(mesh, geom), "%s", sn_error_text(error));
}

static inline void rejected(const sn_mesh_def *mesh, const char *word) {
  sn_geom_def geom = geom_def();
  new_spec(0);
  ck_assert_msg(!try_mesh(mesh, &geom), "not rejected: %s", word);
  ck_assert_msg(strstr(sn_error_message(error), word) != NULL, "no '%s' in: %s", word,
                sn_error_text(error));
}

// ------------------------------------------------------------------ bytes

static inline void put(const void *from, int64_t n) {
  ck_assert_int_le(nbytes + n, (int64_t)sizeof bytes);
  memcpy(bytes + nbytes, from, (size_t)n);
  nbytes += n;
}

static inline void put_int(int64_t i) {
  for (int k = 0; k < 4; k++) {
    put(&(uint8_t){ (uint8_t)(i >> 8 * k) }, 1);
  }
}

static inline void put_float(double x) {
  float f = (float)x;
  put(&f, sizeof f);
}

#endif
