// SPDX-License-Identifier: Apache-2.0
//
// What a model that was read from a file says about its actuators and sensors, against what the
// plugins that it names say now: numbers of states and values, kinds of objects, parameters. A
// plugin that changed since the model was compiled is found here too.

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "model/validate.h"

static sn_status disagrees(const sn_location *location, sn_error *error, const char *kind,
                           int64_t id, const char *name, const char *what) {
  return si_fail_at(error, SN_EPARSE, location,
                    "%s %lld of this compiled model: %s differs from what the plugin '%s' "
                    "declares; compile the model again from its source",
                    kind, (long long)id, what, name);
}

// ------------------------------------------------------------------ actuators

static sn_status check_dynamics(const sn_model *m, int64_t i, const sn_location *location,
                                sn_error *error) {
  const char *name = m->names + m->actuator_dynname[i];
  const double *prm = m->actuator_dynprm + SN_NACTPRM * i;
  const si_provider *p;
  SN_TRY(si_engine_find_type(m->engine, SN_KIND_DYNAMICS, name, &p, error));
  const int absent = !p && strcmp(name, "none") != 0;   // the model says how many states
  if (!absent && m->actuator_actnum[i] != (p ? si_dynamics_states(p, prm) : 0)) {
    return disagrees(location, error, "actuator", i, name, "its number of activation states");
  }
  return p ? si_dynamics_check(p, prm, sn_engine_host(m->engine), error) : SN_OK;
}

static sn_status check_force(const sn_model *m, const char *kind, const char *name,
                             const double *prm, sn_error *error) {
  const si_provider *p;
  SN_TRY(si_engine_find_type(m->engine, kind, name, &p, error));
  return p ? si_force_check(p, prm, sn_engine_host(m->engine), error) : SN_OK;
}

// ------------------------------------------------------------------ sensors

static sn_status check_sensor(const sn_model *m, int64_t i, int64_t *state,
                              const sn_location *location, sn_error *error) {
  const char *name = m->names + m->sensor_typename[i];
  const si_provider *p = si_engine_find(m->engine, SN_KIND_SENSOR, name, error);
  if (!p) {
    return SN_ENOTFOUND;
  }
  const sn_sensor_ops *ops = p->ops;
  const char *object = m->names + m->sensor_objtypename[i];
  const char *reference = m->names + m->sensor_reftypename[i];
  const int has_object = m->sensor_objid[i] >= 0, has_reference = m->sensor_refid[i] >= 0;
  const int needs_object = ops->objects && ops->objects[0];
  if (has_object != needs_object || (has_object && !si_is_listed(ops->objects, object)) ||
      (has_reference && !si_is_listed(ops->references, reference))) {
    return disagrees(location, error, "sensor", i, name, "its object");
  }
  // the sizes are compared when the model is bound; here, that they are in its arrays
  if (m->sensor_stateadr[i] < *state || m->sensor_stateadr[i] > m->nsensorstate ||
      (i == 0 && m->sensor_stateadr[i] != 0)) {
    return disagrees(location, error, "sensor", i, name, "its number of states");
  }
  *state = m->sensor_stateadr[i];
  return SN_OK;
}

// ------------------------------------------------------------------ all

// As of a model that is compiled, see compile/actuator.c.
static sn_status warn_absent(sn_model *m, int64_t i, sn_error *error) {
  const struct {
    const char *kind, *name;
  } list[] = { { SN_KIND_DYNAMICS, m->names + m->actuator_dynname[i] },
               { SN_KIND_GAIN, m->names + m->actuator_gainname[i] },
               { SN_KIND_BIAS, m->names + m->actuator_biasname[i] } };
  for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
    if (strcmp(list[k].name, "user") == 0 &&
        !si_engine_find(m->engine, list[k].kind, "user", NULL)) {
      SN_TRY(si_model_warn(m, error,
                           "actuator %lld: no plugin or application provides 'user' of kind "
                           "\"%s\", which has no effect",
                           (long long)i, list[k].kind));
    }
  }
  return SN_OK;
}

sn_status si_model_validate_providers(sn_model *m, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < m->nu; i++) {
    SN_TRY(warn_absent(m, i, error));
    SN_TRY(check_dynamics(m, i, location, error));
    SN_TRY(check_force(m, SN_KIND_GAIN, m->names + m->actuator_gainname[i],
                       m->actuator_gainprm + SN_NACTPRM * i, error));
    SN_TRY(check_force(m, SN_KIND_BIAS, m->names + m->actuator_biasname[i],
                       m->actuator_biasprm + SN_NACTPRM * i, error));
  }
  int64_t state = 0;
  for (int64_t i = 0; i < m->nsensor; i++) {
    SN_TRY(check_sensor(m, i, &state, location, error));
  }
  return m->nsensor > 0 || m->nsensorstate == 0
             ? SN_OK
             : si_fail_at(error, SN_EPARSE, location,
                          "this compiled model has sensor state without a sensor; compile it again "
                          "from its source");
}
