// SPDX-License-Identifier: Apache-2.0
//
// What an integrator is handed: the state to advance in place, and the mathematics of the model.

#include "step/stepper.h"

#include "dynamics/actuation.h"
#include "dynamics/dynamics.h"
#include "step/pipeline.h"

static sn_status forward(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  return si_forward_all(m, d, w, 1);
}

// A failure ends the step, also when the integrator does not return it.
static sn_status evaluate(sn_stepper *s) {
  si_worker *w = s->context;
  sn_status status = si_guarded_again(forward, w->data->model, w->data, w, NULL);
  w->evaluation = w->evaluation < 0 ? w->evaluation : status;
  return status;
}

static void advance_position(sn_stepper *s, const double *v, double h) {
  const si_worker *w = s->context;
  sn_integrate_position(w->data->model, s->qpos, v, h);
}

typedef struct activation_request {
  const double *act_dot;
  double h;
} activation_request;

static sn_status advance_states(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const activation_request *r = context;
  si_dyn_advance_activation(m, d, w, r->act_dot, r->h, d->act);
  return SN_OK;
}

static void advance_activation(sn_stepper *s, const double *act_dot, double h) {
  si_worker *w = s->context;
  activation_request request = { act_dot, h };
  si_guarded_again(advance_states, w->data->model, w->data, w, &request);
}

static void clamp_activation(sn_stepper *s) {
  const si_worker *w = s->context;
  si_dyn_clamp_activation(w->data->model, w->data);
}

static void subtract(sn_stepper *s, const double *from, const double *to, double *v) {
  const si_worker *w = s->context;
  sn_differentiate_position(w->data->model, v, 1, from, to);
}

static void dexpinv(sn_stepper *s, const double *u, const double *v, double *out) {
  const si_worker *w = s->context;
  si_transport(w->data->model, u, v, out);
}

static sn_status move_freely(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const double *h = context;
  si_dyn_free_motion(m, d, w, *h);
  return SN_OK;
}

static sn_status free_motion(sn_stepper *s, double h) {
  si_worker *w = s->context;
  return si_guarded_again(move_freely, w->data->model, w->data, w, &h);
}

// ------------------------------------------------------------------ the table

void si_stepper_init(const sn_model *m, sn_data *d, si_worker *w, sn_stepper *out) {
  *out = (sn_stepper){
    .size = sizeof(sn_stepper),
    .context = w,
    .h = m->opt.timestep,
    .nq = m->nq,
    .nv = m->nv,
    .na = m->na,
    .time = d->time,
    .qpos = d->qpos,
    .qvel = d->qvel,
    .act = d->act,
    .qacc = d->qacc,
    .act_dot = d->act_dot,
    .evaluate = evaluate,
    .advance_position = advance_position,
    .advance_activation = advance_activation,
    .implicit = si_stepper_implicit,
    .clamp_activation = clamp_activation,
    .subtract = subtract,
    .dexpinv = dexpinv,
    .state = m->nintegratorstate > 0 ? d->integrator_state : NULL,
    .nstate = m->nintegratorstate,
    .free_motion = free_motion,
    .bound = m->bound.integrator_bound,
  };
}
