// SPDX-License-Identifier: Apache-2.0
//
// A template for controllers: all actuators brake in proportion to their velocities, on top of the
// controls of the application. Replace the rule by your own. The kind is a draft: a plugin that
// uses it must be compiled for the version of Sinew that loads it.

#include <stddef.h>

#include "sinew/controller.h"
#include "sinew/instance.h"

typedef struct controller {
  sn_instance base;   // first
  double gain;
} controller;

// The data for one model.
typedef struct bound_controller {
  int64_t nu;
  sn_field velocity;
} bound_controller;

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(controller), self, error));
  ((controller *)*self)->gain = values[0].real;
  return SN_OK;
}

// Nothing to do: leave *bound NULL, and the controller costs nothing.
static sn_status bind(const void *self, const sn_model_view *model, const sn_value *values,
                      void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const bound_controller b = { .nu = sn_lookup_size(&l, "nu"),
                               .velocity = sn_lookup_data(&l, "actuator_velocity") };
  (void)values;
  SN_TRY(l.status);
  return b.nu == 0 ? SN_OK : sn_instance_keep(self, &b, sizeof b, bound, error);
}

static sn_status control(const void *self, const void *bound, const sn_data_view *data,
                         const double *state, sn_controls *controls, sn_scratch *scratch) {
  const controller *s = (const controller *)self;
  const bound_controller *b = (const bound_controller *)bound;
  const double *velocity = sn_field_reals(data->fields, b->velocity);
  (void)state;
  (void)scratch;
  for (int64_t i = 0; i < b->nu; i++) {
    controls->ctrl[i] -= s->gain * velocity[i];
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param params[] = {
  { .name = "gain",
    .default_value = "0.1",
    .summary = "control per unit of velocity",
    .min = 0,
    .max = 1e6,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_controller_ops ops = {
  .head = { .size = sizeof(sn_controller_ops),
            .summary = "brakes all actuators",
            .params = params,
            .create = create,
            .destroy = sn_instance_destroy },
  .bind = bind,
  .unbind = sn_instance_unbind,
  .control = control,
};

static const sn_provide provides[] = {
  SN_PROVIDE_CONTROLLER("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a controller", .provides = provides)
