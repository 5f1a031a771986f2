// SPDX-License-Identifier: Apache-2.0
//
// A compiled model beside the reference engine's of the same text: every array that both have, the
// tensors of inertia, the statistics, and every name. Names of arrays are the documented ones, so
// the reference's own list says what to compare.

#ifndef SN_TEST_SAME_MODEL_H
#define SN_TEST_SAME_MODEL_H

#include <check.h>
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "sinew/math.h"
#include "sinew/sinew.h"

// The reference fuses no bodies in a model with constraints; we do beside those between joints.
static inline void fuse_as_the_reference(sn_spec *spec) {
  sn_compiler compiler = { .def_size = sizeof compiler };
  sn_spec_get_compiler(spec, &compiler);
  if (sn_spec_count(spec, "equality") > 0 && compiler.fusestatic) {
    compiler.fusestatic = 0;
    sn_spec_set_compiler(spec, &compiler, NULL);
  }
}

// NULL when the text is rejected; why has 1024 bytes.
static inline mjModel *load_reference(const char *xml, char *why) {
  mjVFS *vfs = malloc(sizeof *vfs);
  ck_assert_ptr_nonnull(vfs);
  mj_defaultVFS(vfs);
  ck_assert_int_eq(mj_makeEmptyFileVFS(vfs, "text.xml", (int)strlen(xml)), 0);
  memcpy(vfs->filedata[0], xml, strlen(xml));
  mjModel *ref = mj_loadXML("text.xml", vfs, why, 1024);
  mj_deleteVFS(vfs);
  free(vfs);
  return ref;
}

// ------------------------------------------------------------------ how close

typedef struct closeness {
  double absolute, relative;
} closeness;

static const closeness usual = { 1e-8, 1e-6 };
static const closeness statistic = { 1e-7, 1e-6 };
static const closeness looks = { 1e-7, 1e-6 };   // of meshes: single precision in the reference
static const closeness tensors = { 1e-12, 1e-7 };
static const closeness tensors_of_meshes = { 1e-12, 4e-7 };   // axes to a microradian there

static inline int is_close(double ours, double theirs, double scale, closeness how) {
  return fabs(ours - theirs) <= how.absolute + how.relative * fabs(scale);
}

// Arrays that differ by design: names have their own layout; textures are made differently; of
// skins the reference keeps weights that are zero but for rounding; frames of inertia, ambiguous
// where moments are equal, are compared as tensors.
static inline int is_ignored(const char *name) {
  static const char *const list[] = {
    "name",        "tex_adr",       "tex_rgb",    "skin_",
    "body_simple", "dof_simplenum", "body_iquat", "body_inertia"
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    if (strncmp(name, list[i], strlen(list[i])) == 0) {
      return 1;
    }
  }
  return strstr(name, "_sameframe") != NULL;
}

// ------------------------------------------------------------------ arrays

static inline double number_of(const sn_view *view, int64_t i) {
  return view->type == SN_REAL  ? ((const double *)view->p)[i]
         : view->type == SN_INT ? ((const int32_t *)view->p)[i]
                                : ((const uint8_t *)view->p)[i];
}

// Quaternions may differ by their sign. at: first number of the quaternion.
static inline double quat_sign(const sn_view *view, const double *ref, int64_t at) {
  double dot = 0;
  for (int64_t k = at; k < at + 4; k++) {
    dot += ref[k] * number_of(view, k);
  }
  return dot < 0 ? -1 : 1;
}

static inline void same_array(const char *what, const sn_model *m, const char *name,
                              const double *ref, int64_t rows, int64_t cols, int is_exact) {
  sn_view view = { .size = sizeof view };
  ck_assert_msg(sn_model_field(m, name, &view) == SN_OK, "%s: no %s", what, name);
  ck_assert_msg(view.rows == rows && view.cols == cols,
                "%s: %s is %lld x %lld instead of %lld x %lld", what, name, (long long)view.rows,
                (long long)view.cols, (long long)rows, (long long)cols);
  size_t length = strlen(name);
  int is_quat = length > 4 && strcmp(name + length - 4, "quat") == 0;
  const closeness how = is_exact || strcmp(name, "mesh_vert") == 0 ? (closeness){ 0, 0 }
                        : strncmp(name, "mesh_", 5) == 0           ? looks
                                                                   : usual;
  for (int64_t i = 0; i < rows * cols; i++) {
    double got = number_of(&view, i) * (is_quat ? quat_sign(&view, ref, i / 4 * 4) : 1);
    ck_assert_msg(is_close(got, ref[i], ref[i], how), "%s: %s[%lld] is %.17g instead of %.17g",
                  what, name, (long long)i, got, ref[i]);
  }
}

static inline void same_arrays(const char *what, const sn_model *m, const mjModel *ref) {
  enum { IS_INT = 1, IS_mjtByte = 1, IS_int = IS_INT, IS_mjtNum = 0, IS_float = 0, IS_char = 1 };
  MJMODEL_POINTERS_PREAMBLE(ref)
#define X(type, name, nr, nc)                                    \
  if (!is_ignored(#name)) {                                      \
    int64_t rows = ref->nr, cols = (nc), n = rows * cols;        \
    double *numbers = malloc((size_t)(n + 1) * sizeof *numbers); \
    ck_assert_ptr_nonnull(numbers);                              \
    for (int64_t i = 0; i < n; i++) {                            \
      numbers[i] = (double)ref->name[i];                         \
    }                                                            \
    same_array(what, m, #name, numbers, rows, cols, IS_##type);  \
    free(numbers);                                               \
  }
  MJMODEL_POINTERS
#undef X
}

// ------------------------------------------------------------------ what is derived

// The tensor R diag R' of a body.
static inline void tensor_of(const double *quat, const double *inertia, double *out) {
  double R[9];
  sn_quat_mat(R, quat);
  for (int p = 0; p < 3; p++) {
    for (int q = 0; q < 3; q++) {
      out[3 * p + q] = 0;
      for (int k = 0; k < 3; k++) {
        out[3 * p + q] += R[3 * p + k] * inertia[k] * R[3 * q + k];
      }
    }
  }
}

static inline void same_tensors(const char *what, const sn_model *m, const mjModel *ref) {
  const closeness how = ref->nmesh > 0 ? tensors_of_meshes : tensors;
  for (int i = 0; i < ref->nbody; i++) {
    double ours[9], theirs[9], scale = 0;
    tensor_of(snm_body_iquat(m) + 4 * i, snm_body_inertia(m) + 3 * i, ours);
    tensor_of(ref->body_iquat + 4 * i, ref->body_inertia + 3 * i, theirs);
    for (int k = 0; k < 9; k++) {
      scale = fmax(scale, fabs(theirs[k]));
    }
    for (int k = 0; k < 9; k++) {
      ck_assert_msg(is_close(ours[k], theirs[k], scale, how),
                    "%s: inertia of body %d is %.17g instead of %.17g at %d", what, i, ours[k],
                    theirs[k], k);
    }
  }
}

static inline void same_statistic(const char *what, const sn_model *m, const mjModel *ref) {
  const sn_statistic s = statistic_of(m);
  const double ours[] = { s.meaninertia, s.meanmass,  s.meansize, s.extent,
                          s.center[0],   s.center[1], s.center[2] };
  const double theirs[] = { ref->stat.meaninertia, ref->stat.meanmass,  ref->stat.meansize,
                            ref->stat.extent,      ref->stat.center[0], ref->stat.center[1],
                            ref->stat.center[2] };
  for (int k = 0; k < 7; k++) {
    ck_assert_msg(is_close(ours[k], theirs[k], theirs[k], statistic),
                  "%s: statistic %d is %.17g instead of %.17g", what, k, ours[k], theirs[k]);
  }
}

// ------------------------------------------------------------------ names

static inline void same_names(const char *what, const sn_model *m, const mjModel *ref) {
  const struct {
    const char *kind;
    int type, n;
  } kinds[] = { { "body", mjOBJ_BODY, ref->nbody },      { "joint", mjOBJ_JOINT, ref->njnt },
                { "geom", mjOBJ_GEOM, ref->ngeom },      { "site", mjOBJ_SITE, ref->nsite },
                { "skin", mjOBJ_SKIN, ref->nskin },      { "tendon", mjOBJ_TENDON, ref->ntendon },
                { "equality", mjOBJ_EQUALITY, ref->neq } };
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    for (int i = 0; i < kinds[k].n; i++) {
      const char *name = mj_id2name(ref, kinds[k].type, i);
      const char *got = sn_name(m, kinds[k].kind, i);
      ck_assert_msg(strcmp(got, name ? name : "") == 0, "%s: %s %d is '%s' instead of '%s'", what,
                    kinds[k].kind, i, got, name ? name : "");
    }
  }
}

static inline void same_model(const char *what, const sn_model *m, const mjModel *ref) {
  same_arrays(what, m, ref);
  same_tensors(what, m, ref);
  same_statistic(what, m, ref);
  same_names(what, m, ref);
}

#endif
