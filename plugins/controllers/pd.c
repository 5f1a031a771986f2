// SPDX-License-Identifier: Apache-2.0
//
// A proportional-derivative controller of one actuator or of all: with the length l and velocity l'
// of the actuator (the angle of a joint times the gear, for example), and the target r,
//
//   u = kp (r - l) - kd l'
//
// The target is the control that the application sets, or the length at a keyframe. A position
// servo of MJCF does the same with the gains of the actuator; here any actuator becomes one.

#include <stddef.h>

#include "sinew/controller.h"
#include "sinew/enums.h"
#include "sinew/instance.h"

enum { ACTUATOR, KP, KD, KEY };   // attributes

typedef struct pd {
  int64_t first, end;   // the actuators
  double kp, kd;
  sn_field length, velocity;
  int32_t has_target;
  int32_t reserved;
  double target[];      // of each of them, when there is a keyframe
} pd;

// The lengths of actuators of hinges and slides at a keyframe.
static sn_status find_targets(sn_lookup *l, int32_t key, pd *s) {
  const int32_t *trntype = sn_lookup_ints(l, "actuator_trntype");
  const int32_t *trnid = sn_lookup_ints(l, "actuator_trnid");
  const int32_t *type = sn_lookup_ints(l, "jnt_type"), *adr = sn_lookup_ints(l, "jnt_qposadr");
  const double *gear = sn_lookup_reals(l, "actuator_gear"), *qpos = sn_lookup_reals(l, "key_qpos");
  SN_TRY(l->status);
  qpos += key * sn_lookup_size(l, "nq");
  for (int64_t i = s->first; i < s->end; i++) {
    const int32_t j = trnid[2 * i];
    const int joint = trntype[i] == SN_TRN_JOINT || trntype[i] == SN_TRN_JOINTINPARENT;
    if (!joint || (type[j] != SN_JOINT_HINGE && type[j] != SN_JOINT_SLIDE)) {
      return sn_instance_fail(l->self, l->error, SN_EUNSUPPORTED,
                              "pd: a keyframe can be the target of actuators of hinge and slide "
                              "joints only; set 'actuator' to one of these, or use controls as "
                              "targets");
    }
    s->target[i - s->first] = gear[6 * i] * qpos[adr[j]];
  }
  return SN_OK;
}

static sn_status pd_bind(const void *self, const sn_model_view *model, const sn_value *values,
                         void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t key = (int32_t)values[KEY].integer;
  const int64_t actuator = values[ACTUATOR].integer;   // -1: all
  const int64_t first = actuator < 0 ? 0 : actuator;
  const int64_t end = actuator < 0 ? sn_lookup_size(&l, "nu") : actuator + 1;
  pd *s = sn_instance_alloc(self, sizeof *s + (size_t)(end - first) * sizeof(double), error);
  if (!s) {
    return SN_ENOMEM;
  }
  s->first = first;
  s->end = end;
  s->kp = values[KP].real;
  s->kd = values[KD].real;
  s->length = sn_lookup_data(&l, "actuator_length");
  s->velocity = sn_lookup_data(&l, "actuator_velocity");
  s->has_target = key >= 0;
  sn_status status = l.status < 0 || key < 0 ? l.status : find_targets(&l, key, s);
  if (status < 0) {
    sn_instance_unbind(self, s);
    return status;
  }
  *bound = s;
  return SN_OK;
}

static sn_status pd_control(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, sn_controls *controls, sn_scratch *scratch) {
  const pd *s = bound;
  const double *length = sn_field_reals(data->fields, s->length);
  const double *velocity = sn_field_reals(data->fields, s->velocity);
  (void)self;
  (void)state;
  (void)scratch;
  for (int64_t i = s->first; i < s->end; i++) {
    const double r = s->has_target ? s->target[i - s->first] : controls->ctrl[i];
    controls->ctrl[i] = s->kp * (r - length[i]) - s->kd * velocity[i];
  }
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "actuator",
    .default_value = "",
    .choices = "actuator",
    .type = SN_PARAM_REFERENCE,
    .summary = "actuator; empty: all" },
  { .name = "kp",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e12,
    .summary = "control per unit of length" },
  { .name = "kd",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e12,
    .summary = "control per unit of velocity" },
  { .name = "key",
    .default_value = "",
    .choices = "key",
    .type = SN_PARAM_REFERENCE,
    .summary = "keyframe with the target; empty: the controls are targets" },
  { .name = NULL },
};

static const sn_controller_ops ops = {
  .head = { .size = sizeof(sn_controller_ops),
            .flags = SN_CONTROLLER_NAMED,
            .summary = "proportional-derivative control of actuators",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = pd_bind,
  .unbind = sn_instance_unbind,
  .control = pd_control,
};

static const sn_provide provides[] = {
  SN_PROVIDE_CONTROLLER("pd", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "controllers", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "controllers that models name", .provides = provides)
