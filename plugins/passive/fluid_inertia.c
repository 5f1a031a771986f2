// SPDX-License-Identifier: Apache-2.0
//
// Drag and viscous resistance of bodies. Each is taken for the box of the same mass and inertia,
// with half sizes r, in its inertial frame. With the linear velocity v and the angular velocity w
// relative to the medium (density rho, viscosity beta):
//
//   drag      f_i = -2 rho r_j r_k |v_i| v_i      g_i = -rho/2 r_i (r_j^4 + r_k^4) |w_i| w_i
//   viscous   f = -6 pi beta r_eq v               g = -8 pi beta r_eq^3 w       r_eq = mean(r)
//
//   r_x = sqrt(3 / (2 m) (I_y + I_z - I_x)) and cyclic
//
// Bodies with a geom that uses the ellipsoid model are left out: fluid_ellipsoid.c.

#include <string.h>

#include "fluid.h"
#include "forces.h"
#include "sinew/math.h"

// Bodies of less mass (kg) are left out, and no box has a smaller moment of inertia (kg m^2): far
// below those of any real body, so that nothing is divided by zero.
static const double smallest = 1e-15;

typedef struct box {
  fluid_part head;
  double r[3];
} box;

static int has_ellipsoid(const int32_t *geomnum, const int32_t *geomadr, const double *geom_fluid,
                         int32_t body) {
  for (int32_t g = geomadr[body]; g < geomadr[body] + geomnum[body]; g++) {
    if (geom_fluid[12 * g] > 0) {
      return 1;
    }
  }
  return 0;
}

static void fill_box(box *b, double mass, const double *inertia) {
  for (int i = 0; i < 3; i++) {
    double rest = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
    b->r[i] = sqrt(1.5 * fmax(smallest, rest) / mass);
  }
}

static void box_resist(const fluid_part *part, double rho, double beta, const double *vel,
                       double *force, double *B) {
  const box *b = (const box *)part;
  double spin, slide;
  fluid_viscous(beta, (b->r[0] + b->r[1] + b->r[2]) / 3, &spin, &slide);
  if (B) {
    memset(B, 0, 36 * sizeof *B);
  }
  for (int i = 0; i < 3; i++) {
    double r = b->r[i], s = b->r[(i + 1) % 3], t = b->r[(i + 2) % 3];
    double turn = 0.5 * rho * r * (s * s * s * s + t * t * t * t), push = 2 * rho * s * t;
    double w = vel[i], v = vel[3 + i];
    force[i] = -spin * w - turn * fabs(w) * w;
    force[3 + i] = -slide * v - push * fabs(v) * v;
    if (B) {
      B[7 * i] = -spin - 2 * turn * fabs(w);
      B[7 * (3 + i)] = -slide - 2 * push * fabs(v);
    }
  }
}

static sn_status fluid_bind(const void *self, const sn_model_view *model, const sn_value *values,
                            void **bound, sn_error *error) {
  (void)values;
  sn_lookup l = sn_lookup_start(self, model, error);
  fluid found = fluid_find(&l, "xipos", "ximat");
  found.resist = box_resist;
  found.bytes = sizeof(box);
  const int32_t *geomnum = sn_lookup_ints(&l, "body_geomnum");
  const int32_t *geomadr = sn_lookup_ints(&l, "body_geomadr");
  const double *geom_fluid = sn_lookup_reals(&l, "geom_fluid");
  const double *mass = sn_lookup_reals(&l, "body_mass");
  const double *inertia = sn_lookup_reals(&l, "body_inertia");
  SN_TRY(l.status);
  fluid *f = fluid_new(self, &found, found.tree.nbody, error);
  if (!f) {
    return SN_ENOMEM;
  }
  for (int32_t b = 1; b < (int32_t)found.tree.nbody; b++) {
    int moves = found.tree.kinematics->chain(model, b, NULL) > 0;
    if (moves && mass[b] >= smallest && !has_ellipsoid(geomnum, geomadr, geom_fluid, b)) {
      fill_box(fluid_add(f, b, b), mass[b], inertia + 3 * b);
    }
  }
  if (f->n == 0) {
    sn_instance_unbind(self, f);
    f = NULL;
  }
  *bound = f;
  return SN_OK;
}

const sn_passive_ops fluid_inertia_ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .summary = "drag and viscous resistance of bodies as boxes of the same inertia, by the "
                       "options density, viscosity, wind",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .implements = "density|viscosity",
  .bind = fluid_bind,
  .unbind = sn_instance_unbind,
  .apply = fluid_apply,
  .derivative = fluid_derive,
  .apply_lanes = fluid_apply_lanes,
};
