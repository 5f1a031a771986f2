// SPDX-License-Identifier: Apache-2.0
//
// Forces that depend on position and velocity alone: the sum of what the bound plugins add, in
// the order of registration. Compensation of gravity is also kept by itself: the joints that ask
// for it get their part with the forces of actuators, see actuation.c.
//
// Forces read their states during the evaluations of a step and advance them once at its end.

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "dynamics/dynamics.h"

static double *state_of(const si_binding *b, const sn_data *d) {
  return b->nstate > 0 ? d->force_state + b->stateadr : NULL;
}

static sn_status add(const si_binding *b, sn_data *d, si_worker *w, double *qfrc) {
  const sn_passive_ops *ops = b->provider->ops;
  si_mark mark = si_arena_mark(&w->scratch);
  si_worker_output(w, "qfrc", qfrc, d->model->nv * (int64_t)sizeof *qfrc);
  const si_call call = si_worker_enter(w, b->provider, "apply");
  sn_status status = ops->apply(b->provider->self, b->bound, &d->view, state_of(b, d), qfrc,
                                si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  si_arena_release(&w->scratch, mark);
  return status;
}

static sn_status apply(const sn_model *m, sn_data *d, si_worker *w, const si_binding *b) {
  const sn_passive_ops *ops = b->provider->ops;
  if (!(ops->head.flags & SN_PASSIVE_GRAVCOMP)) {
    return add(b, d, w, d->qfrc_passive);
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *qfrc = si_arena_reals(&w->scratch, m->nv);
  memset(qfrc, 0, (size_t)m->nv * sizeof(double));
  sn_status status = add(b, d, w, qfrc);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qfrc_gravcomp[i] += qfrc[i];
    d->qfrc_passive[i] += m->jnt_actgravcomp[m->dof_jntid[i]] ? 0 : qfrc[i];
  }
  si_arena_release(&w->scratch, mark);
  return status;
}

static void clear(const sn_model *m, sn_data *d) {
  memset(d->qfrc_passive, 0, (size_t)m->nv * sizeof(double));
  memset(d->qfrc_gravcomp, 0, (size_t)m->nv * sizeof(double));
}

static int is_finite(const sn_model *m, const sn_data *d) {
  return si_all_finite(d->qfrc_passive, m->nv) && si_all_finite(d->qfrc_gravcomp, m->nv);
}

static const double *not_finite(const sn_model *m, const sn_data *d) {
  const double *number = si_first_not_finite(d->qfrc_passive, m->nv);
  return number ? number : si_first_not_finite(d->qfrc_gravcomp, m->nv);
}

// status: of each force.
static int apply_all(const sn_model *m, sn_data *d, si_worker *w, int32_t *status) {
  clear(m, d);
  int good = 1;
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    status[k] = apply(m, d, w, &m->bound.passive.at[k]);
    good &= status[k] >= 0;
  }
  return good && is_finite(m, d);
}

// Once more, one at a time: nonsense is taken back, with a warning that names the plugin. A force
// that failed is not called again: it has logged why.
static void apply_good(const sn_model *m, sn_data *d, si_worker *w, const int32_t *first) {
  size_t bytes = (size_t)m->nv * sizeof(double);
  si_mark mark = si_arena_mark(&w->scratch);
  double *before = si_arena_reals(&w->scratch, m->nv);
  double *floating = si_arena_reals(&w->scratch, m->nv);
  clear(m, d);
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    const si_binding *b = &m->bound.passive.at[k];
    memcpy(before, d->qfrc_passive, bytes);
    memcpy(floating, d->qfrc_gravcomp, bytes);
    const sn_status status = first[k] < 0 ? first[k] : apply(m, d, w, b);
    if (status < 0 || !is_finite(m, d)) {
      si_worker_warn_result(w, b->provider, "apply", status, NULL, not_finite(m, d),
                            "this force is left out");
      memcpy(d->qfrc_passive, before, bytes);
      memcpy(d->qfrc_gravcomp, floating, bytes);
    }
  }
  si_arena_release(&w->scratch, mark);
}

sn_status si_dyn_passive(const sn_model *m, sn_data *d, si_worker *w) {
  if (m->nv == 0) {
    return SN_OK;
  }
  if (m->bound.passive.n == 0 || m->opt.disableflags & SN_DISABLE_PASSIVE) {
    clear(m, d);
    return SN_OK;
  }
  const si_mark mark = si_arena_mark(&w->scratch);
  int32_t *status = si_arena_ints(&w->scratch, m->bound.passive.n);
  if (!apply_all(m, d, w, status)) {
    apply_good(m, d, w, status);
  }
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}

// ------------------------------------------------------------------ the end of a step

void si_dyn_advance_state(sn_data *d, si_worker *w, const si_binding *b, si_advance_fn *operation,
                          double h) {
  if (b->nstate == 0) {
    return;
  }
  const size_t bytes = (size_t)b->nstate * sizeof(double);
  si_mark mark = si_arena_mark(&w->scratch);
  double *next = si_arena_reals(&w->scratch, b->nstate), *state = state_of(b, d);
  memcpy(next, state, bytes);
  si_worker_output(w, "state", next, (int64_t)bytes);
  const si_call call = si_worker_enter(w, b->provider, "advance");
  sn_status status = operation(b->provider->self, b->bound, &d->view, h, next, si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  if (status < 0 || !si_all_finite(next, b->nstate)) {
    si_worker_warn_result(w, b->provider, "advance", status, "its state",
                          si_first_not_finite(next, b->nstate), "the state keeps its value");
  } else {
    memcpy(state, next, bytes);
  }
  si_arena_release(&w->scratch, mark);
}

void si_dyn_passive_advance(const sn_model *m, sn_data *d, si_worker *w, double h) {
  if (m->nforcestate == 0 || m->opt.disableflags & SN_DISABLE_PASSIVE) {
    return;
  }
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    const si_binding *b = &m->bound.passive.at[k];
    si_dyn_advance_state(d, w, b, ((const sn_passive_ops *)b->provider->ops)->advance, h);
  }
}
