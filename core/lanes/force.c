// SPDX-License-Identifier: Apache-2.0
//
// Passive forces and actuators in lanes. The functions of actuators take any number of elements, so
// they get those of all simulations in one call, lane after lane:
//
//   actuators 3, 4     elements  [ 3 of sim 0 | 3 of sim 1 | ... | 4 of sim 0 | 4 of sim 1 | ... ]
//
// and need no form of their own. Passive forces read fields of the data: they have the operation
// `apply_lanes`. Stages and order as in core/dynamics: passive.c, actuation.c, actuator_force.c,
// activation.c.

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "lanes/state.h"
#include "sinew/math.h"

// ------------------------------------------------------------------ what is covered

// A function with a binding may read fields of one simulation.
static int functions_cover(const si_bindings *functions) {
  for (int64_t k = 0; k < functions->n; k++) {
    if (functions->at[k].bound || functions->at[k].nstate > 1) {
      return 0;
    }
  }
  return 1;
}

static int actuators_cover(const sn_model *m) {
  for (int64_t i = 0; i < m->nu; i++) {
    const int32_t type = m->actuator_trntype[i];
    if ((type != SN_TRN_JOINT && type != SN_TRN_JOINTINPARENT && type != SN_TRN_TENDON) ||
        m->actuator_actnum[i] > 1 || m->actuator_actearly[i]) {
      return 0;
    }
  }
  return m->opt.disableactuator == 0 && functions_cover(&m->bound.dynamics) &&
         functions_cover(&m->bound.gain) && functions_cover(&m->bound.bias);
}

static int any(const int32_t *flags, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    if (flags[i]) {
      return 1;
    }
  }
  return 0;
}

int si_lane_forces_cover(const sn_model *m) {
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    const sn_passive_ops *ops = m->bound.passive.at[k].provider->ops;
    if (!ops->apply_lanes || ops->head.flags & SN_PASSIVE_GRAVCOMP) {
      return 0;
    }
  }
  return m->bound.controller.n == 0 && m->nforcestate == 0 && actuators_cover(m) &&
         !any(m->jnt_actfrclimited, m->njnt) && !any(m->tendon_actfrclimited, m->ntendon);
}

// ------------------------------------------------------------------ batches

int64_t si_lane_batch_elements(const sn_model *m) {
  const si_bindings *all[] = { &m->bound.dynamics, &m->bound.gain, &m->bound.bias };
  int64_t n = 0;
  for (int k = 0; k < 3; k++) {
    for (int64_t i = 0; i < all[k]->n; i++) {
      n += all[k]->at[i].n;
    }
  }
  return n * SI_LANES;
}

static double *take(double **reals, int64_t n) {
  double *p = *reals;
  *reals += n;
  return p;
}

static void make_batch(const si_binding *b, si_lane_batch *out, double **reals, int32_t **ids) {
  const int64_t n = b->n * SI_LANES;
  *out = (si_lane_batch){ .binding = b,
                          .n = n,
                          .ctrl = take(reals, n),
                          .length = take(reals, n),
                          .velocity = take(reals, n),
                          .act = take(reals, n),
                          .out = take(reals, n),
                          .acc0 = take(reals, n),
                          .lengthrange = take(reals, 2 * n),
                          .prm = take(reals, SN_NACTPRM * n),
                          .id = *ids };
  *ids += n;
  for (int64_t i = 0; i < n; i++) {
    out->id[i] = (int32_t)b->id[i / SI_LANES];
  }
}

void si_lane_make_batches(si_lanes *l, si_lane_batch *batch, double *reals, int32_t *ids) {
  const sn_model *m = l->m;
  const si_bindings *from[] = { &m->bound.dynamics, &m->bound.gain, &m->bound.bias };
  si_lane_batches *to[] = { &l->dynamics, &l->gain, &l->bias };
  for (int k = 0; k < 3; k++) {
    *to[k] = (si_lane_batches){ from[k]->n, batch };
    for (int64_t i = 0; i < from[k]->n; i++) {
      make_batch(&from[k]->at[i], batch++, &reals, &ids);
    }
  }
}

// prm: of all actuators of the model.
static void use_parameters(const si_lane_batches *batches, int lane, const sn_model *m,
                           const double *prm) {
  for (int64_t k = 0; k < batches->n; k++) {
    const si_lane_batch *b = &batches->at[k];
    for (int64_t i = lane; i < b->n; i += SI_LANES) {
      const int64_t id = b->id[i];
      memcpy(b->prm + SN_NACTPRM * i, prm + SN_NACTPRM * id, SN_NACTPRM * sizeof *prm);
      memcpy(b->lengthrange + 2 * i, m->actuator_lengthrange + 2 * id, 2 * sizeof *prm);
      b->acc0[i] = m->actuator_acc0[id];
    }
  }
}

void si_lane_use_parameters(si_lanes *l) {
  for (int w = 0; w < SI_LANES; w++) {
    const sn_model *m = l->models[w];
    use_parameters(&l->dynamics, w, m, m->actuator_dynprm);
    use_parameters(&l->gain, w, m, m->actuator_gainprm);
    use_parameters(&l->bias, w, m, m->actuator_biasprm);
  }
}

// Numbers of elements from those of all actuators.
static void pack(const si_lane_batch *b, const si_lane *from, double *to) {
  for (int64_t k = 0; k < b->binding->n; k++) {
    memcpy(to + k * SI_LANES, from + b->binding->id[k], sizeof *from);
  }
}

static void unpack(const si_lane_batch *b, si_lane *to) {
  for (int64_t k = 0; k < b->binding->n; k++) {
    memcpy(to + b->binding->id[k], b->out + k * SI_LANES, sizeof *to);
  }
}

static void pack_states(const sn_model *m, const si_lane_batch *b, const si_lane *from,
                        double *to) {
  for (int64_t k = 0; k < b->binding->n; k++) {
    memcpy(to + k * SI_LANES, from + m->actuator_actadr[b->binding->id[k]], sizeof *from);
  }
}

static void unpack_states(const sn_model *m, const si_lane_batch *b, si_lane *to) {
  for (int64_t k = 0; k < b->binding->n; k++) {
    memcpy(to + m->actuator_actadr[b->binding->id[k]], b->out + k * SI_LANES, sizeof *to);
  }
}

static sn_actuators elements(const si_lanes *l, const si_lane_batch *b) {
  const int64_t nstate = l->m->actuator_actnum[b->binding->id[0]];
  pack(b, l->clamped, b->ctrl);
  pack(b, l->actuator_length, b->length);
  pack(b, l->actuator_velocity, b->velocity);
  if (nstate > 0) {
    pack_states(l->m, b, l->act, b->act);
  }
  return (sn_actuators){ .size = sizeof(sn_actuators),
                         .nstate = (int32_t)nstate,
                         .n = b->n,
                         .prm = b->prm,
                         .ctrl = b->ctrl,
                         .act = nstate > 0 ? b->act : NULL,
                         .length = b->length,
                         .velocity = b->velocity,
                         .lengthrange = b->lengthrange,
                         .acc0 = b->acc0,
                         .id = b->id,
                         .nctrl = 1,
                         .h = l->m->opt.timestep,
                         .time = l->now };
}

// After a call: its status, and simulations with results that are not finite are not covered.
static sn_status finish(si_lanes *l, const si_lane_batch *b, const si_call *call,
                        sn_status status) {
  SN_TRY(si_worker_leave(l->w, call, status));
  for (int64_t i = 0; i < b->n; i++) {
    if (!isfinite(b->out[i])) {
      l->covered[i % SI_LANES] = 0;
    }
  }
  return SN_OK;
}

static sn_status force_values(si_lanes *l, const si_lane_batches *batches, si_lane *out) {
  for (int64_t k = 0; k < batches->n; k++) {
    const si_lane_batch *b = &batches->at[k];
    const si_provider *p = b->binding->provider;
    const sn_actuators in = elements(l, b);
    const si_call call = si_worker_enter(l->w, p, "value");
    SN_TRY(
        finish(l, b, &call,
               ((const sn_force_ops *)p->ops)->value(p->self, &in, b->out, si_worker_lend(l->w))));
    unpack(b, out);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ activations

static sn_status rates(si_lanes *l) {
  for (int64_t k = 0; k < l->dynamics.n; k++) {
    const si_lane_batch *b = &l->dynamics.at[k];
    const si_provider *p = b->binding->provider;
    const sn_actuators in = elements(l, b);
    if (in.nstate == 0) {
      continue;
    }
    const si_call call = si_worker_enter(l->w, p, "rate");
    SN_TRY(finish(
        l, b, &call,
        ((const sn_dynamics_ops *)p->ops)->rate(p->self, &in, b->out, si_worker_lend(l->w))));
    unpack_states(l->m, b, l->act_dot);
  }
  return SN_OK;
}

sn_status si_lane_advance_activation(si_lanes *l, const double *act_dot, double h) {
  const sn_model *m = l->m;
  si_lane *next = l->work, *given = l->work + m->na;   // which need not be aligned
  if (m->na == 0) {
    return SN_OK;
  }
  memcpy(given, act_dot, (size_t)m->na * sizeof *given);
  for (int64_t i = 0; i < m->na; i++) {
    next[i] = l->act[i] + h * given[i];
  }
  for (int64_t k = 0; k < l->dynamics.n; k++) {
    const si_lane_batch *b = &l->dynamics.at[k];
    const si_provider *p = b->binding->provider;
    const sn_dynamics_ops *ops = p->ops;
    const sn_actuators in = elements(l, b);
    if (in.nstate == 0 || !ops->advance) {
      continue;
    }
    const si_mark mark = si_arena_mark(&l->w->scratch);
    double *dot = si_arena_reals(&l->w->scratch, b->n);
    pack_states(m, b, given, dot);
    const si_call call = si_worker_enter(l->w, p, "advance");
    const sn_status status = finish(
        l, b, &call, ops->advance(p->self, &in, dot, h, b->out, si_worker_lend(l->w)));
    si_arena_release(&l->w->scratch, mark);
    SN_TRY(status);
    unpack_states(m, b, next);
  }
  memcpy(l->act, next, (size_t)m->na * sizeof *next);
  si_lane_clamp_activation(l);
  return SN_OK;
}

static void clamp(si_lane *x, const si_lane *range) {
  *x = lane_clamp(*x, range[0], range[1]);
}

void si_lane_clamp_activation(si_lanes *l) {
  const sn_model *m = l->m;
  for (int64_t i = 0; i < m->nu; i++) {
    if (m->actuator_actlimited[i] && m->actuator_actnum[i] > 0) {
      clamp(&l->act[m->actuator_actadr[i]], l->numbers.actuator_actrange + 2 * i);
    }
  }
}

// ------------------------------------------------------------------ the stages

static sn_status apply(si_lanes *l, int64_t k, const sn_model *m, si_lane *qfrc) {
  const si_binding *b = &m->bound.passive.at[k];
  const sn_passive_ops *ops = b->provider->ops;
  l->view.model = &m->view;
  const si_call call = si_worker_enter(l->w, b->provider, "apply_lanes");
  return si_worker_leave(l->w, &call,
                         ops->apply_lanes(b->provider->self, b->bound, &l->view, SI_LANES,
                                          (double *)qfrc, si_worker_lend(l->w)));
}

// A passive force is bound to one model. Where the models differ, those of all simulations are
// computed with the model of each, which gets its own.
static sn_status apply_each(si_lanes *l, int64_t k) {
  const int64_t nv = l->m->nv;
  si_lane *given = l->work, *qfrc = l->work + nv;
  memcpy(given, l->qfrc_passive, (size_t)nv * sizeof *given);
  for (int w = 0; w < SI_LANES; w++) {
    if (!l->usable[w]) {
      continue;
    }
    memcpy(qfrc, given, (size_t)nv * sizeof *given);
    SN_TRY(apply(l, k, l->models[w], qfrc));
    for (int64_t i = 0; i < nv; i++) {
      l->qfrc_passive[i][w] = qfrc[i][w];
    }
  }
  return SN_OK;
}

sn_status si_lane_passive(si_lanes *l) {
  const sn_model *m = l->m;
  memset(l->qfrc_passive, 0, (size_t)m->nv * sizeof(si_lane));
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    SN_TRY(l->differ ? apply_each(l, k) : apply(l, k, m, l->qfrc_passive));
  }
  si_lane_check_numbers(l, l->qfrc_passive, m->nv, HUGE_VAL);
  return SN_OK;
}

static void clamp_controls(si_lanes *l) {
  const sn_model *m = l->m;
  si_lane_check_numbers(l, l->ctrl, m->nu, SI_LARGEST);
  for (int64_t i = 0; i < m->nu; i++) {
    l->clamped[i] = l->ctrl[i];
    if (m->actuator_ctrllimited[i] && !(m->opt.disableflags & SN_DISABLE_CLAMPCTRL)) {
      clamp(&l->clamped[i], l->numbers.actuator_ctrlrange + 2 * i);
    }
  }
}

sn_status si_lane_actuation(si_lanes *l) {
  const sn_model *m = l->m;
  const size_t bytes = (size_t)m->nu * sizeof(si_lane);
  si_lane *force = l->actuator_force, *gain = l->work;
  clamp_controls(l);
  SN_TRY(rates(l));
  memset(force, 0, bytes);
  memset(gain, 0, bytes);
  SN_TRY(force_values(l, &l->gain, gain));
  SN_TRY(force_values(l, &l->bias, force));
  memset(l->qfrc_actuator, 0, (size_t)m->nv * sizeof(si_lane));
  for (int64_t i = 0; i < m->nu; i++) {
    const int has_state = m->actuator_actnum[i] > 0;
    const si_lane in = has_state ? l->act[m->actuator_actadr[i]] : l->clamped[i];
    force[i] = gain[i] * in + force[i];
    if (m->actuator_forcelimited[i]) {
      clamp(&force[i], l->numbers.actuator_forcerange + 2 * i);
    }
    const int32_t adr = l->actuator_moment_rowadr[i];
    for (int32_t k = adr; k < adr + l->actuator_moment_rownnz[i]; k++) {
      l->qfrc_actuator[l->actuator_moment_colind[k]] += force[i] * l->actuator_moment[k];
    }
  }
  return SN_OK;
}
