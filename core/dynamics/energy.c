// SPDX-License-Identifier: Apache-2.0
//
// Potential energy of gravity and springs, kinetic energy qvel' M qvel / 2.

#include "dynamics/dynamics.h"
#include "sinew/math.h"

// How far a joint is from the rest of its spring, a number a dof. Returns the number of dofs.
static int32_t joint_stretch(const sn_model *m, const sn_data *d, int32_t j, double *stretch) {
  int32_t type = m->jnt_type[j], n = 0;
  const double *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
  double difference[4];
  if (type >= SN_JOINT_SLIDE) {
    stretch[0] = q[0] - rest[0];
    return 1;
  }
  if (type == SN_JOINT_FREE) {
    sn_sub3(stretch, q, rest);
    n = 3;
  }
  sn_conj_quat(difference, rest + n);
  sn_mul_quat(difference, difference, q + n);
  sn_normalize4(difference);
  sn_quat_vec(stretch + n, difference);
  return n + 3;
}

static double spring_energy(const sn_model *m, const sn_data *d) {
  double energy = 0;
  for (int32_t j = 0; j < (int32_t)m->njnt; j++) {
    double stretch[6];
    int32_t n = joint_stretch(m, d, j, stretch), dof = m->jnt_dofadr[j];
    for (int32_t k = 0; k < n; k++) {
      energy += 0.5 * m->dof_stiffness[dof + k] * stretch[k] * stretch[k];
    }
  }
  for (int64_t t = 0; t < m->ntendon; t++) {
    double length = d->ten_length[t];
    double stretch = length -
                     sn_clamp(length, m->tendon_lengthspring[t], m->tendon_lengthspring1[t]);
    energy += 0.5 * m->tendon_stiffness[t] * stretch * stretch;
  }
  return energy;
}

void si_dyn_energy_position(const sn_model *m, sn_data *d) {
  double energy = 0;
  if (!(m->opt.disableflags & SN_DISABLE_GRAVITY)) {
    for (int64_t b = 1; b < m->nbody; b++) {
      energy -= m->body_mass[b] * sn_dot3(m->opt.gravity, d->xipos + 3 * b);
    }
  }
  if (!(m->opt.disableflags & SN_DISABLE_PASSIVE)) {
    energy += spring_energy(m, d);
  }
  d->energy[0] = energy;
}

void si_dyn_energy_velocity(const sn_model *m, sn_data *d, si_worker *w) {
  si_mark mark = si_arena_mark(&w->scratch);
  double *momentum = si_arena_reals(&w->scratch, m->nv), sum = 0;
  sn_multiply_inertia(m, d, d->qvel, momentum);
  for (int64_t i = 0; i < m->nv; i++) {
    sum += momentum[i] * d->qvel[i];
  }
  d->energy[1] = 0.5 * sum;
  si_arena_release(&w->scratch, mark);
}
