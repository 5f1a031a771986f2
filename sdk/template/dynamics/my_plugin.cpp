// SPDX-License-Identifier: Apache-2.0
//
// A template for activation dynamics in C++: the activation follows the control with a delay,
//
//   w' = (u - w) / tau     for a constant control:  w(t + h) = u + (w(t) - u) exp(-h / tau)
//
// sinew/plugin.hpp makes operations of the member functions of `lag`, and errors of the exceptions
// that leave them. Replace the names and the mathematics by your own.

#include <cmath>

#include "sinew/actuator.h"
#include "sinew/plugin.hpp"

namespace {

enum { TAU };   // index in prm

class lag : public sn_instance {
public:
  lag(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  int32_t states(const double *) const {
    return 1;
  }

  sn_status rate(const sn_actuators *batch, double *act_dot, sn_scratch *) const {
    for (int64_t i = 0; i < batch->n; i++) {
      act_dot[i] = (batch->ctrl[i * batch->nctrl] - batch->act[i]) / tau(batch, i);
    }
    return SN_OK;
  }

  sn_status advance(const sn_actuators *batch, const double *act_dot, double h, double *act_next,
                    sn_scratch *) const {
    for (int64_t i = 0; i < batch->n; i++) {
      act_next[i] = batch->act[i] - act_dot[i] * tau(batch, i) * std::expm1(-h / tau(batch, i));
    }
    return SN_OK;
  }

  sn_status check(const double *prm, const sn_host *, sn_error *) const {
    if (!(prm[TAU] > 0)) {
      throw sinew::failure(SN_EINVAL, "the time constant must be positive, dynprm=\"0.1\"");
    }
    return SN_OK;
  }

  // Derivatives of the rate by length and velocity are zero, as they are before the call.
  sn_status derivative(const sn_actuators *batch, double *by_act, double *by_ctrl, double *,
                       double *, sn_scratch *) const {
    for (int64_t i = 0; i < batch->n; i++) {
      by_act[i] = -1 / tau(batch, i);
      by_ctrl[i] = 1 / tau(batch, i);
    }
    return SN_OK;
  }

private:
  static double tau(const sn_actuators *batch, int64_t i) {
    return batch->prm[i * SN_NACTPRM + TAU];
  }
};

const sn_param numbers[] = {
  { .name = "tau",
    .default_value = "0.1",
    .summary = "time constant, s",
    .min = 1e-9,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  {},
};

const sn_dynamics_ops ops = {
  .head = { .size = sizeof(sn_dynamics_ops),
            .summary = "activation that follows the control",
            .create = sinew::create<lag>,
            .destroy = sinew::destroy<lag> },
  .states = sinew::operation<&lag::states>,
  .rate = sinew::operation<&lag::rate>,
  .advance = sinew::operation<&lag::advance>,
  .check = sinew::operation<&lag::check>,
  .numbers = numbers,
  .derivative = sinew::operation<&lag::derivative>,
};

const sn_provide provides[] = {
  SN_PROVIDE_DYNAMICS("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "dynamics of actuators", .provides = provides)
