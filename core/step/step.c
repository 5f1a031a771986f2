// SPDX-License-Identifier: Apache-2.0
//
// One time step: check, evaluate, check, compare if asked, integrate. Impacts come first, between
// the stages of positions and velocities.

#include <string.h>

#include "base/finite.h"
#include "constraint/constraint.h"
#include "data/fields.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "step/pipeline.h"
#include "step/stepper.h"

// All but the inputs: the state, and what the evaluations compute that an integrator requests.
static void declare_outputs(const sn_model *m, sn_data *d, si_worker *w) {
  si_extent extent[SI_NDATAFIELD];
  si_data_extents(m, extent);
  si_checker_evaluates(w);
  for (int i = 0; i < SI_NDATAFIELD; i++) {
    const char *at = d->field[i];
    const int is_input = at >= (const char *)d->ctrl && at < (const char *)d->qacc;
    if (!is_input || d->field[i] == d->mocap_quat) {
      si_worker_output(w, si_data_field_table[i].name, d->field[i],
                       extent[i].rows * extent[i].cols * si_data_field_table[i].bytes);
    }
  }
  si_worker_output(w, "state", d->force_state, m->nforcestate * (int64_t)sizeof(double));
  si_worker_output(w, "state", d->integrator_state, d->nintegratorstate * (int64_t)sizeof(double));
}

// Numbers that the integrator made not finite of finite ones. The accelerations were finite before
// it; those that it evaluates diverge with the model, which is no fault of the integrator.
static void check_result(const sn_model *m, sn_data *d, si_worker *w, int act_was_finite) {
  if (si_all_finite(d->qpos, m->nq) && si_all_finite(d->qvel, m->nv) &&
      (!act_was_finite || si_all_finite(d->act, m->na))) {
    return;
  }
  const double *bad = si_first_not_finite(d->qpos, m->nq);
  const int reset = bad || (bad = si_first_not_finite(d->qvel, m->nv)) != NULL;
  if (!bad && act_was_finite && si_all_finite(d->act_dot, m->na)) {
    bad = si_first_not_finite(d->act, m->na);
  }
  if (bad && si_all_finite(d->qacc, m->nv)) {
    si_worker_warn_result(w, m->bound.integrator, "step", SN_OK, NULL, bad,
                          reset ? "the next step resets the simulation" : "the number is kept");
  }
}

static sn_status integrate(const sn_model *m, sn_data *d, si_worker *w) {
  const si_provider *p = m->bound.integrator;
  const sn_integrator_ops *ops = p->ops;
  sn_stepper stepper;
  si_stepper_init(m, d, w, &stepper);
  memcpy(d->qacc_warmstart, d->qacc, (size_t)m->nv * sizeof(double));
  si_mark mark = si_arena_mark(&w->scratch);
  double before = d->time[0], after = before + m->opt.timestep;
  const int act_was_finite = si_all_finite(d->act, m->na);
  w->evaluation = SN_OK;
  if (w->checker) {
    declare_outputs(m, d, w);
  }
  si_worker_struct(w, "sn_stepper", &stepper, sizeof stepper);
  const si_call call = si_worker_enter(w, p, "step");
  sn_status status = ops->step(p->self, &stepper, si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  si_arena_release(&w->scratch, mark);
  if (w->evaluation < 0) {
    return w->evaluation;   // w->error says why
  }
  if (status >= 0) {
    check_result(m, d, w, act_was_finite);
    si_dyn_passive_advance(m, d, w, m->opt.timestep);
    si_dyn_control_advance(m, d, w, m->opt.timestep);
  }
  // SN_EDIVERGED means 'reset, and continued from there', which no integrator does
  const sn_status returned = status;
  status = status == SN_EDIVERGED ? SN_EPLUGIN : status;
  if (status < 0 && sn_error_code(&w->error) >= 0) {
    si_worker_fail(w, status, p, "step", returned);
  }
  // the check is skipped where the time is not finite, or so large that t + h rounds to t
  if (status >= 0 && after > before && !(d->time[0] > before)) {
    si_worker_warn(w, SN_WARN_PLUGIN, "the integrator '%s' did not advance the time", p->name);
    d->time[0] = after;
  }
  return status;
}

sn_status si_integrate(const sn_model *m, sn_data *d, si_worker *w) {
  if (si_any_exact(m, d) < 0) {
    return integrate(m, d, w);
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *start = si_arena_reals(&w->scratch, m->nq);
  memcpy(start, d->qpos, (size_t)m->nq * sizeof *start);
  sn_status status = integrate(m, d, w);
  status = status < 0 ? status : si_project(m, d, w, start);
  si_arena_release(&w->scratch, mark);
  return status;
}

// context: gets what was bad, see si_check_state.
static sn_status step(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const char **bad = context;
  *bad = si_check_state(m, d, w);
  if (si_sleep_in_use(m, d)) {
    SI_TIMED(w, sleep, si_sleep_wake_edited(m, d));
  }
  SN_TRY(si_forward_position(m, d, w, 0));
  SN_TRY(si_impact(m, d, w));
  SN_TRY(si_forward_from(m, d, w, SN_STAGE_POSITION, 0));
  const char *bad_acceleration = si_check_acceleration(m, d, w);
  if (bad_acceleration) {
    *bad = bad_acceleration;
    SN_TRY(si_forward_all(m, d, w, 0));
  }
  if (m->opt.enableflags & SN_ENABLE_FWDINV) {
    SI_TIMED(w, inverse, si_compare_inverse(m, d, w));
  }
  sn_status status;
  SI_TIMED(w, integrate, status = si_integrate(m, d, w));
  if (status >= 0 && si_sleep_in_use(m, d)) {
    SI_TIMED(w, sleep, si_sleep_fall(m, d, w));
  }
  return status;
}

sn_status sn_step(const sn_model *model, sn_data *data) {
  // a reset writes the inputs too, see si_keep_applied
  const uint32_t writes = SN_STATE_INTEGRATION & ~(uint32_t)SN_STATE_XFRC_APPLIED;
  const char *bad = NULL;
  sn_status status = si_guarded(step, model, data, writes, &bad);
  return status < 0 || !bad
             ? status
             : si_fail(&data->error, SN_EDIVERGED, "%s; the simulation was reset", bad);
}
