// SPDX-License-Identifier: Apache-2.0
//
// See fluid.h. With R the axes and r the position of a local frame relative to the origin of the
// tree, motions transform as local = X global and forces as global = X' local, [rotation;
// translation]:
//
//   X = [ R'          0  ]
//       [ -R' [r]x    R' ]
//
// so the derivative of a wrench about the origin by the velocity there is X' B X.

#include "fluid.h"

#include <string.h>

#include "sinew/math.h"

// ------------------------------------------------------------------ binding

fluid fluid_find(sn_lookup *l, const char *xpos, const char *xmat) {
  return (fluid){ .tree = tree_find(l),
                  .density = sn_lookup_option(l, "density"),
                  .viscosity = sn_lookup_option(l, "viscosity"),
                  .wind = sn_lookup_option(l, "wind"),
                  .xpos = sn_lookup_data(l, xpos),
                  .xmat = sn_lookup_data(l, xmat) };
}

fluid *fluid_new(const void *self, const fluid *found, int64_t most, sn_error *error) {
  fluid *f = sn_instance_alloc(self, sizeof *f + (size_t)(most * found->bytes), error);
  if (f) {
    *f = *found;
    f->part = (char *)(f + 1);
  }
  return f;
}

static fluid_part *part_at(const fluid *f, int64_t i) {
  return (fluid_part *)(void *)(f->part + i * f->bytes);
}

void *fluid_add(fluid *f, int32_t frame, int32_t body) {
  fluid_part *part = part_at(f, f->n++);
  *part = (fluid_part){ .frame = frame, .body = body };
  return part;
}

void fluid_viscous(double viscosity, double r, double *spin, double *slide) {
  *spin = 8 * SN_PI * viscosity * r * r * r;
  *slide = 6 * SN_PI * viscosity * r;
}

// ------------------------------------------------------------------ frames

// Velocity relative to the medium, in a frame (axes R, row-major) at r from the origin.
static void local_velocity(double *local, const double *R, const double *r, const double *cvel,
                           const double *wind) {
  double v[3];
  sn_cross(v, cvel, r);
  sn_add3(v, v, cvel + 3);
  sn_sub3(v, v, wind);
  sn_mul_matT_vec3(local, R, cvel);
  sn_mul_matT_vec3(local + 3, R, v);
}

// The wrench about the origin of a local one.
static void global_wrench(double *out, const double *R, const double *r, const double *local) {
  double moment[3];
  sn_mul_mat_vec3(out, R, local);
  sn_mul_mat_vec3(out + 3, R, local + 3);
  sn_cross(moment, r, out + 3);
  sn_add3(out, out, moment);
}

// out (6 x 6) += X' B X
static void add_derivative(double *out, const double *R, const double *r, const double *B) {
  double X[36] = { 0 }, BX[36];
  for (int j = 0; j < 3; j++) {
    double e[3] = { 0 }, t[3];
    e[j] = 1;
    sn_cross(t, e, r);
    for (int i = 0; i < 3; i++) {
      X[6 * i + j] = X[6 * (i + 3) + j + 3] = R[3 * j + i];
      X[6 * (i + 3) + j] = R[i] * t[0] + R[3 + i] * t[1] + R[6 + i] * t[2];
    }
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      BX[6 * i + j] = 0;
      for (int k = 0; k < 6; k++) {
        BX[6 * i + j] += B[6 * i + k] * X[6 * k + j];
      }
    }
  }
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      for (int k = 0; k < 6; k++) {
        out[6 * i + j] += X[6 * k + i] * BX[6 * k + j];
      }
    }
  }
}

// ------------------------------------------------------------------ operations

static int is_empty(const fluid *f) {
  return *f->density == 0 && *f->viscosity == 0;
}

// A part in its present pose: returns the axes of its frame; r: the position of the frame relative
// to the origin of the tree; the local force and its derivative.
static const double *evaluate(const fluid *f, const sn_data_view *data, const fluid_part *part,
                              double *r, double *force, double *B) {
  const double *R = sn_field_reals(data->fields, f->xmat) + 9 * part->frame;
  double vel[6];
  sn_sub3(r, sn_field_reals(data->fields, f->xpos) + 3 * part->frame,
          tree_origin(&f->tree, data, part->body));
  local_velocity(vel, R, r, sn_field_reals(data->fields, f->tree.cvel) + 6 * part->body, f->wind);
  f->resist(part, *f->density, *f->viscosity, vel, force, B);
  return R;
}

sn_status fluid_apply(const void *self, const void *bound, const sn_data_view *data,
                      const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self;
  (void)state;
  (void)scratch;
  const fluid *f = bound;
  for (int64_t i = 0; i < f->n && !is_empty(f); i++) {
    const fluid_part *part = part_at(f, i);
    double r[3], force[6], wrench[6];
    const double *R = evaluate(f, data, part, r, force, NULL);
    global_wrench(wrench, R, r, force);
    tree_apply(&f->tree, data, part->body, wrench, qfrc);
  }
  return SN_OK;
}

sn_status fluid_apply_lanes(const void *self, const void *bound, const sn_data_view *data,
                            int64_t width, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)data, (void)width, (void)qfrc, (void)scratch;
  return is_empty(bound) ? SN_OK : SN_EUNSUPPORTED;
}

sn_status fluid_derive(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, const sn_sparse *pattern, double *D,
                       sn_scratch *scratch) {
  (void)self;
  (void)state;
  const fluid *f = bound;
  if (is_empty(f)) {
    return SN_OK;
  }
  double *sum;
  SN_ALLOC(sum, scratch, 36 * f->tree.nbody);
  memset(sum, 0, 36 * (size_t)f->tree.nbody * sizeof(double));
  for (int64_t i = 0; i < f->n; i++) {
    const fluid_part *part = part_at(f, i);
    double r[3], force[6], B[36];
    const double *R = evaluate(f, data, part, r, force, B);
    add_derivative(sum + 36 * part->body, R, r, B);
  }
  tree_derive(&f->tree, data, sum, pattern, D);
  return SN_OK;
}
