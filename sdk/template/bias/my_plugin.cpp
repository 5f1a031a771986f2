// SPDX-License-Identifier: Apache-2.0
//
// A template for biases in C++: the drag of a gear, quadratic in velocity. The bias is added to the
// force,
//
//   bias = -drag |v| v     d bias / dv = -2 drag |v|
//
// sinew/plugin.hpp makes operations of the member functions of `gear`, and errors of the exceptions
// that leave them. Replace the names and the mathematics by your own.

#include <cmath>

#include "sinew/actuator.h"
#include "sinew/plugin.hpp"

namespace {

enum { DRAG };   // index in prm

class gear : public sn_instance {
public:
  gear(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  sn_status value(const sn_actuators *batch, double *out, sn_scratch *) const {
    for (int64_t i = 0; i < batch->n; i++) {
      out[i] = -drag(batch, i) * std::fabs(batch->velocity[i]) * batch->velocity[i];
    }
    return SN_OK;
  }

  // The derivative by velocity, for implicit integrators.
  sn_status dvelocity(const sn_actuators *batch, double *out, sn_scratch *) const {
    for (int64_t i = 0; i < batch->n; i++) {
      out[i] = -2 * drag(batch, i) * std::fabs(batch->velocity[i]);
    }
    return SN_OK;
  }

private:
  static double drag(const sn_actuators *batch, int64_t i) {
    return batch->prm[i * SN_NACTPRM + DRAG];
  }
};

const sn_param numbers[] = {
  { .name = "drag",
    .default_value = "0.01",
    .summary = "N s^2/m^2 or N m s^2/rad^2",
    .min = 0,
    .max = 1e9,
    .type = SN_PARAM_REAL },
  {},
};

const sn_force_ops ops = {
  .head = { .size = sizeof(sn_force_ops),
            .summary = "drag of a gear",
            .create = sinew::create<gear>,
            .destroy = sinew::destroy<gear> },
  .value = sinew::operation<&gear::value>,
  .dvelocity = sinew::operation<&gear::dvelocity>,
  .numbers = numbers,
};

const sn_provide provides[] = {
  SN_PROVIDE_BIAS("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a bias of actuators", .provides = provides)
