// SPDX-License-Identifier: Apache-2.0
//
// Drag and viscous resistance of bodies, each as the box that has its inertia, half sizes r, in
// its inertial frame, with velocity v and w relative to the medium (density rho, viscosity beta):
//
//   drag      f_i = -2 rho r_j r_k |v_i| v_i      g_i = -rho/2 r_i (r_j^4 + r_k^4) |w_i| w_i
//   viscous   f = -6 pi beta r_eq v               g = -8 pi beta r_eq^3 w       r_eq = mean(r)
//
//   r_x = sqrt(3 / (2 m) (I_y + I_z - I_x)) and cyclic
//
// A body with a geom that has the ellipsoid model is left to that.

#include <stddef.h>

#include "fluid.h"
#include "forces.h"

static const double smallest = 1e-15;   // of a mass in kg, an inertia in kg m^2

typedef struct box {
  int32_t body;
  int32_t reserved;
  double r[3];
} box;

typedef struct boxes {
  tree tree;
  medium fluid;
  sn_field ximat;
  int64_t n;
  box *at;
} boxes;

// ------------------------------------------------------------------ binding

static int has_ellipsoid(const int32_t *geomnum, const int32_t *geomadr, const double *geom_fluid,
                         int32_t body) {
  for (int32_t g = geomadr[body]; g < geomadr[body] + geomnum[body]; g++) {
    if (geom_fluid[12 * g] > 0) {
      return 1;
    }
  }
  return 0;
}

static box equivalent(int32_t body, double mass, const double *inertia) {
  box made = { .body = body };
  for (int i = 0; i < 3; i++) {
    double rest = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
    made.r[i] = sqrt(1.5 * fmax(smallest, rest) / mass);
  }
  return made;
}

static sn_status fluid_bind(const void *self, const sn_model_view *model, const sn_value *values,
                            void **bound, sn_error *error) {
  (void)values;
  finder f = { .self = self, .model = model, .error = error };
  boxes found = { .tree = find_tree(&f),
                  .fluid = find_medium(&f),
                  .ximat = find_data(&f, "ximat") };
  const int32_t *geomnum = find_ints(&f, "body_geomnum"), *geomadr = find_ints(&f, "body_geomadr");
  const double *geom_fluid = find_reals(&f, "geom_fluid");
  const double *mass = find_reals(&f, "body_mass"), *inertia = find_reals(&f, "body_inertia");
  if (f.status < 0) {
    return f.status;
  }
  int64_t bytes = (int64_t)sizeof found + found.tree.nbody * (int64_t)sizeof(box);
  boxes *s = instance_alloc(self, bytes, error);
  if (!s) {
    return SN_ENOMEM;
  }
  *s = found;
  s->at = (box *)(s + 1);
  for (int32_t b = 1; b < (int32_t)found.tree.nbody; b++) {
    int moves = found.tree.body_weldid[b] != 0;
    if (moves && mass[b] >= smallest && !has_ellipsoid(geomnum, geomadr, geom_fluid, b)) {
      s->at[s->n++] = equivalent(b, mass[b], inertia + 3 * b);
    }
  }
  if (s->n == 0) {
    f.self->host->free(f.self->host, s);
    s = NULL;
  }
  *bound = s;
  return SN_OK;
}

static void fluid_unbind(const void *self, void *bound) {
  const sn_host *host = ((const instance *)self)->host;
  host->free(host, bound);
}

// ------------------------------------------------------------------ force and derivative

// The force on a box, [torque; force], and the diagonal of its derivative by velocity.
static void resist(const box *b, double rho, double beta, const double *vel, double *force,
                   double *slope) {
  double mean = (b->r[0] + b->r[1] + b->r[2]) / 3;
  double spin = 8 * SN_PI * beta * mean * mean * mean, slide = 6 * SN_PI * beta * mean;
  for (int i = 0; i < 3; i++) {
    double r = b->r[i], s = b->r[(i + 1) % 3], t = b->r[(i + 2) % 3];
    double turn = 0.5 * rho * r * (s * s * s * s + t * t * t * t), push = 2 * rho * s * t;
    double w = vel[i], v = vel[3 + i];
    force[i] = -spin * w - turn * fabs(w) * w;
    force[3 + i] = -slide * v - push * fabs(v) * v;
    slope[i] = -spin - 2 * turn * fabs(w);
    slope[3 + i] = -slide - 2 * push * fabs(v);
  }
}

// A box in its present state: axes, place relative to the origin, local force and derivative.
static const double *evaluate(const boxes *s, const sn_data_view *data, const box *b, double *r,
                              double *force, double *slope) {
  const double *R = sn_field_reals(data->fields, s->ximat) + 9 * b->body;
  double vel[6];
  sn_sub3(r, sn_field_reals(data->fields, s->tree.xipos) + 3 * b->body,
          tree_origin(&s->tree, data, b->body));
  fluid_velocity(vel, R, r, sn_field_reals(data->fields, s->tree.cvel) + 6 * b->body,
                 s->fluid.wind);
  resist(b, *s->fluid.density, *s->fluid.viscosity, vel, force, slope);
  return R;
}

static sn_status fluid_apply(const void *self, const void *bound, const sn_data_view *data,
                             double *qfrc, sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  const boxes *s = bound;
  for (int64_t i = 0; i < s->n && !medium_is_empty(&s->fluid); i++) {
    double r[3], force[6], slope[6], wrench[6];
    const double *R = evaluate(s, data, &s->at[i], r, force, slope);
    fluid_wrench(wrench, R, r, force);
    tree_apply(&s->tree, data, s->at[i].body, wrench, qfrc);
  }
  return SN_OK;
}

static sn_status fluid_derive(const void *self, const void *bound, const sn_data_view *data,
                              const sn_sparse *pattern, double *D, sn_scratch *scratch) {
  (void)self;
  const boxes *s = bound;
  if (medium_is_empty(&s->fluid)) {
    return SN_OK;
  }
  double *sum = sn_take_reals(scratch, 36 * s->tree.nbody);
  memset(sum, 0, 36 * (size_t)s->tree.nbody * sizeof(double));
  for (int64_t i = 0; i < s->n; i++) {
    double r[3], force[6], slope[6], B[36] = { 0 };
    const double *R = evaluate(s, data, &s->at[i], r, force, slope);
    for (int k = 0; k < 6; k++) {
      B[7 * k] = slope[k];
    }
    fluid_matrix(sum + 36 * s->at[i].body, R, r, B);
  }
  tree_derive(&s->tree, data, sum, pattern, D);
  return SN_OK;
}

const sn_passive_ops fluid_inertia_ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .summary = "drag and viscous resistance of bodies as boxes of the same inertia, by the "
                       "options density, viscosity, wind",
            .create = instance_create,
            .destroy = instance_destroy },
  .bind = fluid_bind,
  .unbind = fluid_unbind,
  .apply = fluid_apply,
  .derive = fluid_derive,
};
