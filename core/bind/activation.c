// SPDX-License-Identifier: Apache-2.0
//
// Activations after a reset, from the dynamics that have the operation `reset`: so the spring of a
// series elastic actuator starts without a force although the joint does not start at zero.

#include <stdlib.h>
#include <string.h>

#include "base/finite.h"
#include "bind/bind.h"
#include "model/model_call.h"

// The actuators of a function at rest, packed into `storage`.
static sn_actuators batch_at_rest(const sn_model *m, const si_binding *function, double *storage) {
  const int64_t n = function->n;
  double *prm = storage, *zero = prm + SN_NACTPRM * n, *length = zero + n;
  double *range = length + n, *acc0 = range + 2 * n;
  for (int64_t k = 0; k < n; k++) {
    const int32_t i = function->id[k];
    memcpy(prm + SN_NACTPRM * k, m->actuator_dynprm + SN_NACTPRM * i, SN_NACTPRM * sizeof *prm);
    memcpy(range + 2 * k, m->actuator_lengthrange + 2 * i, 2 * sizeof *range);
    length[k] = m->actuator_length0[i];
    acc0[k] = m->actuator_acc0[i];
  }
  return (sn_actuators){ .size = sizeof(sn_actuators),
                         .nstate = function->nstate,
                         .n = n,
                         .prm = prm,
                         .ctrl = zero,
                         .length = length,
                         .velocity = zero,
                         .lengthrange = range,
                         .acc0 = acc0,
                         .h = m->opt.timestep,
                         .id = function->id,
                         .nctrl = 1,
                         .bound = function->bound };
}

static sn_status call_reset(const sn_model *m, const si_binding *function, si_rest *rest,
                            double *storage, double *act, sn_error *error) {
  const sn_dynamics_ops *ops = function->provider->ops;
  sn_actuators batch = batch_at_rest(m, function, storage);
  SN_TRY(si_rest_view(rest, &batch.data, error));
  const int64_t n = function->nstate;
  si_watch call;
  si_model_enter(&call, m, function->provider, "reset");
  double *lent = si_watch_lend(&call, "act", act, n * function->n * (int64_t)sizeof *act);
  const sn_status status = si_watch_end(&call, ops->reset(function->provider->self, &batch, lent),
                                        error);
  if (status < 0 && error && sn_error_code(error) < 0) {
    return status;
  }
  for (int64_t k = 0; k < function->n; k++) {
    const int32_t i = function->id[k];
    if (status < 0 || !si_all_finite(act + n * k, n)) {
      return si_fail(error, SN_EPLUGIN, "'%s' could not reset the activations of actuator %d",
                     function->provider->name, i);
    }
    memcpy(m->bound.act0 + m->actuator_actadr[i], act + n * k, (size_t)n * sizeof *act);
  }
  return SN_OK;
}

static sn_status reset_function(sn_model *m, const si_binding *function, si_rest *rest,
                                sn_error *error) {
  enum { INPUTS = SN_NACTPRM + 5 };   // numbers of each actuator
  m->bound.act0 = m->bound.act0 ? m->bound.act0 : calloc((size_t)m->na, sizeof(double));
  double *storage = calloc((size_t)(function->n * (INPUTS + function->nstate)), sizeof *storage);
  const sn_status status = storage && m->bound.act0
                               ? call_reset(m, function, rest, storage,
                                            storage + INPUTS * function->n, error)
                               : si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  free(storage);
  return status;
}

sn_status si_bind_activation_start(sn_model *m, si_rest *rest, sn_error *error) {
  free(m->bound.act0);
  m->bound.act0 = NULL;
  for (int64_t k = 0; k < m->bound.dynamics.n; k++) {
    const si_binding *function = &m->bound.dynamics.at[k];
    if (((const sn_dynamics_ops *)function->provider->ops)->reset && function->nstate > 0) {
      SN_TRY(reset_function(m, function, rest, error));
    }
  }
  return SN_OK;
}
