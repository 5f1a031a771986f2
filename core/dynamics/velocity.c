// SPDX-License-Identifier: Apache-2.0
//
// Velocities of tendons and actuators: their Jacobians times qvel.

#include "dynamics/dynamics.h"
#include "sinew/numerics/sparse.h"

void si_dyn_velocity(const sn_model *m, sn_data *d) {
  const sn_sparse tendons = si_tendon_jacobian(m, d), moments = si_actuator_moment(m, d);
  sn_sparse_multiply(&tendons, d->qvel, d->ten_velocity);
  sn_sparse_multiply(&moments, d->qvel, d->actuator_velocity);
}
