// SPDX-License-Identifier: Apache-2.0
//
// Activations after a reset, from the dynamics that have the operation `reset`: so the spring of a
// series elastic actuator starts without a force although the joint does not start at zero.

#include <stdlib.h>

#include "base/finite.h"
#include "bind/bind.h"

static sn_status reset_actuator(const sn_model *m, const si_provider *function, int32_t i,
                                double *act, sn_error *error) {
  const sn_dynamics_ops *ops = function->ops;
  static const double zero = 0;
  const sn_actuators batch = { .size = sizeof batch,
                               .nstate = m->actuator_actnum[i],
                               .n = 1,
                               .prm = m->actuator_dynprm + SN_NACTPRM * i,
                               .ctrl = &zero,
                               .length = m->actuator_length0 + i,
                               .velocity = &zero,
                               .lengthrange = m->actuator_lengthrange + 2 * i,
                               .acc0 = m->actuator_acc0 + i,
                               .h = m->opt.timestep,
                               .id = &i,
                               .nctrl = 1 };
  const si_call call = si_call_enter(function, "reset");
  const sn_status status = si_call_leave(
      &call, ops->reset(function->self, &batch, act + m->actuator_actadr[i]), error);
  if (status < 0 && error && sn_error_code(error) < 0) {
    return status;
  }
  if (status < 0 || !si_all_finite(act + m->actuator_actadr[i], m->actuator_actnum[i])) {
    return si_fail(error, SN_EPLUGIN, "'%s' could not reset the activations of actuator %d",
                   function->name, i);
  }
  return SN_OK;
}

sn_status si_bind_activations(sn_model *m, sn_error *error) {
  free(m->bound.act0);
  m->bound.act0 = NULL;
  for (int64_t k = 0; k < m->bound.dynamics.n; k++) {
    const si_binding *function = &m->bound.dynamics.at[k];
    if (!((const sn_dynamics_ops *)function->provider->ops)->reset || function->nstate == 0) {
      continue;
    }
    m->bound.act0 = m->bound.act0 ? m->bound.act0 : calloc((size_t)m->na, sizeof(double));
    if (!m->bound.act0) {
      return si_fail(error, SN_ENOMEM, "no memory to bind a model");
    }
    for (int64_t j = 0; j < function->n; j++) {
      SN_TRY(reset_actuator(m, function->provider, function->id[j], m->bound.act0, error));
    }
  }
  return SN_OK;
}
