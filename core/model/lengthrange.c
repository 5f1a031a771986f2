// SPDX-License-Identifier: Apache-2.0
//
// The range of lengths that an actuator can reach, found by simulation: a force along the
// transmission pulls it to one end, then to the other, in a damped world without gravity,
// contacts, passive forces, friction loss and other actuators; limits and equality constraints
// hold. The force is scaled so that it accelerates the joints by a given amount.
//
//   for each end: repeat  qvel *= exp(-h / timeconst);  qfrc = +-(accel / |M^-1 moment|) moment
//   the length over the last part of the time is the answer, when it has settled
//
// Chapter Modeling, "Actuator length range"; the parameters are those of element lengthrange.

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "linalg/tree.h"
#include "model/compile.h"
#include "pipeline/pipeline.h"

typedef struct pull {
  const sn_compiler *c;
  int64_t actuator;
  double side;           // -1: towards short, 1: towards long
  double low, high;      // of the length, over the evaluation interval
} pull;

// Force along the transmission that accelerates the joints by c->lr_accel.
static void apply_force(const sn_model *m, sn_data *d, const pull *p) {
  sn_mark mark = sn_arena_mark(&d->scratch);
  double *acceleration = sn_arena_reals(&d->scratch, m->nv), sum = 0;
  int32_t adr = d->actuator_moment_rowadr[p->actuator];
  int32_t n = d->actuator_moment_rownnz[p->actuator];
  memset(d->qfrc_applied, 0, (size_t)m->nv * sizeof(double));
  for (int32_t k = 0; k < n; k++) {
    d->qfrc_applied[d->actuator_moment_colind[adr + k]] += d->actuator_moment[adr + k];
  }
  memcpy(acceleration, d->qfrc_applied, (size_t)m->nv * sizeof(double));
  const sn_inertia inertia = sn_inertia_view(m, d);
  sn_tree_solve(&inertia, acceleration);
  for (int64_t i = 0; i < m->nv; i++) {
    sum += acceleration[i] * acceleration[i];
  }
  double force = p->c->lr_accel[0] / fmax(1e-10, sqrt(sum));
  if (p->c->lr_maxforce[0] > 0) {
    force = fmin(force, p->c->lr_maxforce[0]);
  }
  for (int64_t i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] *= p->side * force;
  }
  sn_arena_release(&d->scratch, mark);
}

static sn_status settle(const sn_model *m, sn_data *d, void *context) {
  pull *p = context;
  double h = m->opt.timestep[0], total = p->c->lr_inttotal[0];
  double damping = exp(-h / fmax(0.01, p->c->lr_timeconst[0]));
  p->low = HUGE_VAL;
  p->high = -HUGE_VAL;
  // counted, so that it ends whatever the integrator does to the time
  int64_t steps = (int64_t)ceil(total / h);
  for (int64_t step = 0; step < steps; step++) {
    for (int64_t i = 0; i < m->nv; i++) {
      d->qvel[i] *= damping;
    }
    SN_TRY(sn_position(m, d));
    apply_force(m, d, p);
    SN_TRY(sn_forward_from(m, d, SN_STAGE_POSITION, 1));
    double length = d->actuator_length[p->actuator];
    if (!isfinite(length) || sn_check_state(m, d) || sn_check_acceleration(m, d)) {
      return SN_EDIVERGED;
    }
    if ((double)step * h > total - p->c->lr_inteval[0]) {
      p->low = fmin(p->low, length);
      p->high = fmax(p->high, length);
    }
    SN_TRY(sn_integrate(m, d));
  }
  return p->low <= p->high ? SN_OK : SN_EINVAL;
}

static sn_status both_ends(const sn_model *m, sn_data *d, const sn_compiler *c, int64_t actuator,
                           double *range, sn_error *error) {
  double wander = 0;
  for (int end = 0; end < 2; end++) {
    pull p = {.c = c, .actuator = actuator, .side = end ? 1 : -1};
    sn_reset(m, d);
    sn_status status = sn_guarded(settle, m, d, &p);
    if (status < 0) {
      return sn_fail(error, SN_ECOMPILE, "its range of lengths cannot be found: the simulation "
                     "that looks for it %s; give it a lengthrange, or adjust <lengthrange>",
                     status == SN_EDIVERGED ? "diverged" : "failed");
    }
    range[end] = end ? p.high : p.low;
    wander = fmax(wander, p.high - p.low);
  }
  if (range[0] >= range[1]) {
    return sn_fail(error, SN_ECOMPILE, "its range of lengths %g %g is empty: the transmission "
                   "does not change its length; give it a lengthrange", range[0], range[1]);
  }
  if (wander > c->lr_tolrange[0] * (range[1] - range[0])) {
    return sn_fail(error, SN_ECOMPILE, "its range of lengths did not settle within %g s: %g to %g "
                   "and moving by %g; it may be unlimited: limit the joints, or give it a "
                   "lengthrange, or raise inttotal of <lengthrange>", c->lr_inttotal[0], range[0],
                   range[1], wander);
  }
  return SN_OK;
}

sn_status sn_lengthrange_find(sn_model *m, const sn_compiler *c, int64_t actuator, double *range,
                              sn_error *error) {
  const sn_option saved = m->opt;
  m->opt.disableflags = SN_DISABLE_FRICTIONLOSS | SN_DISABLE_CONTACT | SN_DISABLE_PASSIVE |
                        SN_DISABLE_GRAVITY | SN_DISABLE_ACTUATION | SN_DISABLE_SENSOR;
  m->opt.enableflags = 0;
  m->opt.timestep[0] = c->lr_timestep[0];
  sn_data *d = sn_data_new(m, error);
  sn_status status = d ? both_ends(m, d, c, actuator, range, error) : SN_ENOMEM;
  sn_data_free(d);
  m->opt = saved;
  return status;
}
