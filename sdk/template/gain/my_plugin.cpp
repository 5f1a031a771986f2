// SPDX-License-Identifier: Apache-2.0
//
// A template for gains in C++: a force that decreases with speed, as that of a motor. The gain
// multiplies the control, or the activation,
//
//   gain = strength / (1 + (v / speed)^2)     d gain / dv = -2 gain^2 v / (strength speed^2)
//
// sinew/plugin.hpp makes operations of the member functions of `motor`, and errors of the
// exceptions that leave them. Replace the names and the mathematics by your own.

#include "sinew/actuator.h"
#include "sinew/plugin.hpp"

namespace {

enum { STRENGTH, SPEED };   // indices in prm

class motor : public sn_instance {
public:
  motor(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  sn_status value(const sn_actuators *batch, double *out, sn_scratch *) const {
    for (int64_t i = 0; i < batch->n; i++) {
      const double *prm = batch->prm + i * SN_NACTPRM;
      const double slow = batch->velocity[i] / prm[SPEED];
      out[i] = prm[STRENGTH] / (1 + slow * slow);
    }
    return SN_OK;
  }

  // The derivative by velocity, for implicit integrators.
  sn_status dvelocity(const sn_actuators *batch, double *out, sn_scratch *) const {
    for (int64_t i = 0; i < batch->n; i++) {
      const double *prm = batch->prm + i * SN_NACTPRM;
      const double slow = batch->velocity[i] / prm[SPEED], bottom = 1 + slow * slow;
      out[i] = -2 * prm[STRENGTH] * slow / (prm[SPEED] * bottom * bottom);
    }
    return SN_OK;
  }

  sn_status check(const double *prm, const sn_host *, sn_error *) const {
    if (!(prm[SPEED] > 0)) {
      throw sinew::failure(SN_EINVAL, "the speed must be positive, gainprm=\"1 10\"");
    }
    return SN_OK;
  }
};

const sn_param numbers[] = {
  { .name = "strength",
    .default_value = "1",
    .summary = "force at rest for a control of 1, N or N m",
    .min = -1e9,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  { .name = "speed",
    .default_value = "10",
    .summary = "speed at which the force is half, m/s or rad/s",
    .min = 1e-9,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  {},
};

const sn_force_ops ops = {
  .head = { .size = sizeof(sn_force_ops),
            .summary = "gain that decreases with speed",
            .create = sinew::create<motor>,
            .destroy = sinew::destroy<motor> },
  .value = sinew::operation<&motor::value>,
  .dvelocity = sinew::operation<&motor::dvelocity>,
  .check = sinew::operation<&motor::check>,
  .numbers = numbers,
};

const sn_provide provides[] = {
  SN_PROVIDE_GAIN("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a gain of actuators", .provides = provides)
