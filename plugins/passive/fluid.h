// SPDX-License-Identifier: Apache-2.0
//
// What both fluid models share: the medium, the bodies or geoms in it, and the way from the local
// force on each, which the model computes, to generalized forces.

#ifndef FLUID_H
#define FLUID_H

#include "tree.h"

// A body or a geom in the medium. The struct of a model for one of them starts with this.
typedef struct fluid_part {
  int32_t frame;   // whose local frame: the body itself, or the geom
  int32_t body;
} fluid_part;

// The force [torque; force] on a part in its local frame, at the local velocity [angular; linear]
// relative to the medium, and its derivative B by the velocity (6 x 6). B NULL: not needed.
typedef void fluid_resist_fn(const fluid_part *part, double density, double viscosity,
                             const double *vel, double *force, double *B);

typedef struct fluid {
  tree tree;
  const double *density, *viscosity, *wind;   // options, may change
  sn_field xpos, xmat;                        // of the local frames
  fluid_resist_fn *resist;
  int64_t n, bytes;   // parts, and bytes of each
  char *part;
} fluid;

// The medium and the tree; xpos and xmat are names of fields.
fluid fluid_find(sn_lookup *l, const char *xpos, const char *xmat);
// A copy of `found` in memory of the host, with room for `most` parts, none of them used yet. NULL:
// out of memory, `error` is filled.
fluid *fluid_new(const void *self, const fluid *found, int64_t most, sn_error *error);
// The next part, cleared but for its head.
void *fluid_add(fluid *f, int32_t frame, int32_t body);
// Viscous resistance of a sphere of radius r (Stokes): the torque and the force of a unit velocity.
void fluid_viscous(double viscosity, double r, double *spin, double *slide);

// The operations of sn_passive_ops.
sn_status fluid_apply(const void *self, const void *bound, const sn_data_view *data,
                      const double *state, double *qfrc, sn_scratch *scratch);
// Without a medium alone.
sn_status fluid_apply_lanes(const void *self, const void *bound, const sn_data_view *data,
                            int64_t width, double *qfrc, sn_scratch *scratch);
sn_status fluid_derive(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, const sn_sparse *pattern, double *D,
                       sn_scratch *scratch);

#endif
