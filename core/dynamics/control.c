// SPDX-License-Identifier: Apache-2.0
//
// Controllers: plugins that write controls and generalized forces, before actuation. Each works on
// a copy, so that nonsense of one is ignored. Their states follow those of passive forces.

#include <string.h>

#include "base/finite.h"
#include "dynamics/dynamics.h"

static double *state_of(const si_binding *b, const sn_data *d) {
  return b->nstate > 0 ? d->force_state + b->stateadr : NULL;
}

static int is_disabled(const sn_model *m) {
  return (m->opt.disableflags & SN_DISABLE_ACTUATION) != 0;
}

static void control(const sn_model *m, sn_data *d, si_worker *w, const si_binding *b) {
  const sn_controller_ops *ops = b->provider->ops;
  const size_t nu = (size_t)m->nu * sizeof(double), nv = (size_t)m->nv * sizeof(double);
  si_mark mark = si_arena_mark(&w->scratch);
  sn_controls out = { .size = sizeof out,
                      .ctrl = si_arena_reals(&w->scratch, m->nu),
                      .qfrc = si_arena_reals(&w->scratch, m->nv) };
  memcpy(out.ctrl, d->ctrl_effective, nu);
  memcpy(out.qfrc, d->qfrc_controller, nv);
  out.ctrl = si_worker_output_apart(w, "ctrl", out.ctrl, (int64_t)nu);
  out.qfrc = si_worker_output_apart(w, "qfrc", out.qfrc, (int64_t)nv);
  const double *ctrl = out.ctrl, *qfrc = out.qfrc;
  si_worker_struct(w, "sn_controls", &out, sizeof out);
  const si_call call = si_worker_enter(w, b->provider, "control");
  sn_status status = ops->control(b->provider->self, b->bound, &d->view, state_of(b, d), &out,
                                  si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  if (status < 0 || !si_all_finite(ctrl, m->nu) || !si_all_finite(qfrc, m->nv)) {
    const double *number = si_first_not_finite(ctrl, m->nu);
    si_worker_warn_result(w, b->provider, "control", status, number ? "ctrl" : "qfrc",
                          number ? number : si_first_not_finite(qfrc, m->nv),
                          "what it wrote is left out");
  } else {
    memcpy(d->ctrl_effective, ctrl, nu);
    memcpy(d->qfrc_controller, qfrc, nv);
  }
  si_arena_release(&w->scratch, mark);
}

sn_status si_dyn_control(const sn_model *m, sn_data *d, si_worker *w) {
  if (m->bound.controller.n == 0) {
    return SN_OK;
  }
  memcpy(d->ctrl_effective, d->ctrl, (size_t)m->nu * sizeof(double));
  memset(d->qfrc_controller, 0, (size_t)m->nv * sizeof(double));
  for (int64_t k = 0; k < m->bound.controller.n && !is_disabled(m); k++) {
    control(m, d, w, &m->bound.controller.at[k]);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the end of a step

void si_dyn_control_advance(const sn_model *m, sn_data *d, si_worker *w, double h) {
  for (int64_t k = 0; k < m->bound.controller.n && !is_disabled(m); k++) {
    const si_binding *b = &m->bound.controller.at[k];
    si_dyn_advance_state(d, w, b, ((const sn_controller_ops *)b->provider->ops)->advance, h);
  }
}
