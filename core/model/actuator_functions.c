// SPDX-License-Identifier: Apache-2.0
//
// What the functions of an actuator say about their parameters: whether they accept them, and how
// many activation states an actuator with them has.

#include "host/calling.h"
#include "model/model.h"

int32_t si_dynamics_states(const si_provider *p, const double *prm) {
  const sn_dynamics_ops *ops = p->ops;
  const si_call call = si_call_enter(p, "states");
  const int32_t n = ops->states(p->self, prm);
  si_call_end(&call);
  return n;
}

sn_status si_dynamics_check(const si_provider *p, const double *prm, const sn_host *host,
                            sn_error *error) {
  const sn_dynamics_ops *ops = p->ops;
  const si_call call = si_call_enter(p, "check");
  return si_call_leave(&call, ops->check ? ops->check(p->self, prm, host, error) : SN_OK, error);
}

sn_status si_force_check(const si_provider *p, const double *prm, const sn_host *host,
                         sn_error *error) {
  const sn_force_ops *ops = p->ops;
  const si_call call = si_call_enter(p, "check");
  return si_call_leave(&call, ops->check ? ops->check(p->self, prm, host, error) : SN_OK, error);
}
