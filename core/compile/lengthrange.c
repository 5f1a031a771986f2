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
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "dynamics/dynamics.h"
#include "platform/thread.h"
#include "sinew/numerics/tree.h"
#include "step/pipeline.h"

typedef struct pull {
  const sn_compiler *c;
  const si_deadline *deadline;
  int64_t actuator;
  double side;        // -1: towards short, 1: towards long
  double low, high;   // of the length, over the evaluation interval
} pull;

// Force along the transmission that accelerates the joints by c->lr_accel, and is no larger than
// c->lr_maxforce in the joints.
static void apply_force(const sn_model *m, sn_data *d, si_worker *w, const pull *p) {
  si_mark mark = si_arena_mark(&w->scratch);
  double *acceleration = si_arena_reals(&w->scratch, m->nv), sum = 0, square = 0;
  memset(d->qfrc_applied, 0, (size_t)m->nv * sizeof(double));
  sn_row_add(si_actuator_row(d, p->actuator), 1, d->qfrc_applied);
  memcpy(acceleration, d->qfrc_applied, (size_t)m->nv * sizeof(double));
  const sn_inertia inertia = si_inertia_view(m, d);
  sn_tree_solve(&inertia, acceleration);
  for (int64_t i = 0; i < m->nv; i++) {
    sum += acceleration[i] * acceleration[i];
    square += d->qfrc_applied[i] * d->qfrc_applied[i];
  }
  double force = p->c->lr_accel / fmax(1e-10, sqrt(sum));
  if (p->c->lr_maxforce > 0) {
    force = fmin(force, p->c->lr_maxforce / fmax(1e-10, sqrt(square)));
  }
  for (int64_t i = 0; i < m->nv; i++) {
    d->qfrc_applied[i] *= p->side * force;
  }
  si_arena_release(&w->scratch, mark);
}

static sn_status settle(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  pull *p = context;
  double h = m->opt.timestep, total = p->c->lr_inttotal;
  double damping = exp(-h / fmax(0.01, p->c->lr_timeconst));
  p->low = HUGE_VAL;
  p->high = -HUGE_VAL;
  // counted too, so that it ends whatever the integrator does to the time
  int64_t steps = (int64_t)ceil(total / h) + 1;
  for (int64_t step = 0; step < steps && d->time[0] < total; step++) {
    for (int64_t i = 0; i < m->nv; i++) {
      d->qvel[i] *= damping;
    }
    if (si_limit_passed(p->deadline, 0)) {
      return si_limit_time(p->deadline, 0, &w->error);
    }
    SN_TRY(si_position(m, d, w));
    apply_force(m, d, w, p);
    SN_TRY(si_forward_from(m, d, w, SN_STAGE_POSITION, 1));
    double length = d->actuator_length[p->actuator];
    if (!isfinite(length) || si_check_state(m, d, w) || si_check_acceleration(m, d, w)) {
      return SN_EDIVERGED;
    }
    if (d->time[0] > total - p->c->lr_inteval) {
      p->low = fmin(p->low, length);
      p->high = fmax(p->high, length);
    }
    SN_TRY(si_integrate(m, d, w));
  }
  return p->low <= p->high ? SN_OK : SN_EINVAL;
}

// The simulation ended early. Where it diverged the parameters are to blame; any other failure has
// its own reason and cure.
static sn_status failed(sn_status status, const sn_data *d, sn_error *error) {
  static const char cure[] = "specify its lengthrange, or adjust <lengthrange>";
  if (status == SN_EDIVERGED || !d->error.message[0]) {
    return si_fail(
        error, SN_ECOMPILE,
        "its length range cannot be computed: the simulation that searches for it %s; %s",
        status == SN_EDIVERGED ? "diverged" : "failed", cure);
  }
  return si_fail(error, status, "its length range cannot be computed: %s", d->error.message);
}

static sn_status both_ends(const sn_model *m, sn_data *d, const sn_compiler *c,
                           const si_deadline *deadline, int64_t actuator, double *range,
                           sn_error *error) {
  double wander = 0;
  for (int end = 0; end < 2; end++) {
    pull p = { .c = c, .deadline = deadline, .actuator = actuator, .side = end ? 1 : -1 };
    sn_reset(m, d);
    sn_status status = si_guarded(settle, m, d, SI_EVALUATION_WRITES, &p);
    if (status < 0) {
      return failed(status, d, error);
    }
    range[end] = end ? p.high : p.low;
    wander = fmax(wander, p.high - p.low);
  }
  if (range[0] >= range[1]) {
    return si_fail(error, SN_ECOMPILE,
                   "its length range %g %g is empty: the length of the transmission does not "
                   "change; specify a lengthrange",
                   range[0], range[1]);
  }
  if (wander > c->lr_tolrange * (range[1] - range[0])) {
    return si_fail(error, SN_ECOMPILE,
                   "its length range did not converge within %g s: %g to %g, still changing by %g; "
                   "it may be unlimited: limit the joints, specify a lengthrange, or increase "
                   "inttotal of <lengthrange>",
                   c->lr_inttotal, range[0], range[1], wander);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ several actuators

// The actuators whose ranges are sought. Each range takes a simulation of its own, so that the
// results do not depend on the number of threads.
typedef struct work {
  const sn_model *m;
  const sn_compiler *c;
  const si_deadline *deadline;
  int64_t n;
  const int32_t *actuator;   // n
  double *range;             // nu x 2, of the model
  sn_error *error;           // n
  atomic_llong next;
} work;

static void do_work(void *context) {
  work *w = context;
  sn_data *d = NULL;
  for (int64_t k; (k = atomic_fetch_add(&w->next, 1)) < w->n;) {
    int32_t i = w->actuator[k];
    d = d ? d : sn_data_new(w->m, &w->error[k]);
    if (d) {
      both_ends(w->m, d, w->c, w->deadline, i, w->range + 2 * i, &w->error[k]);
    }
  }
  sn_data_free(d);
}

sn_status si_lengthrange_find(sn_model *m, const sn_compiler *c, const si_deadline *deadline,
                              int64_t n, const int32_t *actuator, int64_t *failed,
                              sn_error *error) {
  work w = { .m = m,
             .c = c,
             .deadline = deadline,
             .n = n,
             .actuator = actuator,
             .range = m->actuator_lengthrange };
  w.error = calloc((size_t)n + 1, sizeof *w.error);
  if (!w.error) {
    return si_fail(error, SN_ENOMEM, "out of memory while compiling");
  }
  const sn_option saved = m->opt;
  m->opt.disableflags = SN_DISABLE_FRICTIONLOSS | SN_DISABLE_CONTACT | SN_DISABLE_PASSIVE |
                        SN_DISABLE_GRAVITY | SN_DISABLE_ACTUATION | SN_DISABLE_SENSOR;
  m->opt.enableflags = 0;
  m->opt.timestep = c->lr_timestep;
  const int64_t processors = c->usethread ? si_processors() : 1;
  si_threads_run(n < processors ? n : processors, do_work, &w);
  m->opt = saved;

  // the error of the first actuator that failed, in the order of ids
  sn_status status = SN_OK;
  for (int64_t k = 0; k < n && status >= 0; k++) {
    status = w.error[k].code;
    if (status < 0) {
      *failed = actuator[k];
      si_fail(error, status, "%s", w.error[k].message);
    }
  }
  free(w.error);
  return status;
}
