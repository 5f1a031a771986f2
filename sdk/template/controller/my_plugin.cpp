// SPDX-License-Identifier: Apache-2.0
//
// A template for controllers in C++: all actuators brake in proportion to their velocities, on top
// of the controls of the application. The class `brake` is the provider, `bound_brake` what it
// keeps for one model; sinew/plugin.hpp makes operations of their member functions, and errors of
// the exceptions that leave them. Replace the rule by your own. The kind is a draft: a plugin that
// uses it must be compiled for the version of Sinew that loads it.

#include <memory>

#include "sinew/controller.h"
#include "sinew/plugin.hpp"

namespace {

// What it keeps for one model. All simulations of the model share it, so it does not change.
class bound_brake {
public:
  bound_brake(sn_lookup &lookup, double gain)
      : gain_(gain), nu_(sn_lookup_size(&lookup, "nu")),
        velocity_(sn_lookup_data(&lookup, "actuator_velocity")) {}

  sn_status control(const sn_data_view *data, const double *, sn_controls *controls,
                    sn_scratch *) const {
    const double *velocity = sn_field_reals(data->fields, velocity_);
    for (int64_t i = 0; i < nu_; i++) {
      controls->ctrl[i] -= gain_ * velocity[i];
    }
    return SN_OK;
  }

private:
  double gain_;
  int64_t nu_;
  sn_field velocity_;
};

class brake : public sn_instance {
public:
  brake(const sn_instance &base, const sn_value *values)
      : sn_instance(base), gain_(values[0].real) {}

  // Null: nothing to do in this model, and the controller costs nothing.
  std::unique_ptr<bound_brake> bind(sn_lookup &lookup, const sn_value *) const {
    return gain_ == 0 ? nullptr : std::make_unique<bound_brake>(lookup, gain_);
  }

private:
  double gain_;
};

const sn_param params[] = {
  { .name = "gain",
    .default_value = "0.1",
    .summary = "control per unit of velocity",
    .min = 0,
    .max = 1e6,
    .type = SN_PARAM_REAL },
  {},
};

const sn_controller_ops ops = {
  .head = { .size = sizeof(sn_controller_ops),
            .summary = "brakes all actuators",
            .params = params,
            .create = sinew::create<brake>,
            .destroy = sinew::destroy<brake> },
  .bind = sinew::bind<&brake::bind>,
  .unbind = sinew::unbind<bound_brake>,
  .control = sinew::bound_operation<&bound_brake::control>,
};

const sn_provide provides[] = {
  SN_PROVIDE_CONTROLLER("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a controller", .provides = provides)
