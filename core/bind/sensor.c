// SPDX-License-Identifier: Apache-2.0
//
// Sensors, grouped by type and stage, so that a plugin gets many of them at once. A sensor that
// reads another one of its stage, its object, its reference, or named by an attribute, is bound and
// evaluated after it:
//
//   order    the first type of which all sensors of the stage that are left can be evaluated, or
//            else the first one of which some can, and those alone
//
// so that types stay together, in the order of the model, where no sensor reads another.

#include <stdlib.h>
#include <string.h>

#include "base/finite.h"
#include "base/text.h"
#include "base/words.h"
#include "bind/bind.h"
#include "dynamics/dynamics.h"
#include "host/limits.h"
#include "model/model_call.h"
#include "spec/spec.h"

// ------------------------------------------------------------------ sensors of a type

static const char *name_or_null(const sn_model *m, int32_t offset) {
  return m->names[offset] ? m->names + offset : NULL;
}

// A model of a file may not fit the type that is loaded now.
static int fits(const sn_model *m, const si_provider *p, const sn_sensor *s) {
  const sn_sensor_ops *ops = p->ops;
  int attached = !ops->objects[0] ||
                 (s->objid >= 0 && s->objtype && si_is_listed(ops->objects, s->objtype));
  int related = s->refid < 0 || (s->reftype && si_is_listed(ops->references, s->reftype));
  int staged = si_sensor_is_open(p) || m->sensor_needstage[s->id] == ops->stage;
  return attached && related && staged && s->dim == m->sensor_dim[s->id] &&
         s->nstate == si_sensor_states(m, s->id);
}

// stateadr: of its first state variable among the sensors that are bound together.
static sn_status describe_sensor(const sn_model *m, const si_provider *p, int32_t i,
                                 int32_t stateadr, sn_sensor *out, sn_error *error) {
  *out = (sn_sensor){
    .id = i,
    .objid = m->sensor_objid[i],
    .refid = m->sensor_refid[i],
    .objtype = name_or_null(m, m->sensor_objtypename[i]),
    .reftype = name_or_null(m, m->sensor_reftypename[i]),
  };
  sn_value *values = NULL;
  const char *lines = name_or_null(m, m->sensor_attradr[i]);
  SN_TRY(
      si_attributes_read(((const sn_sensor_ops *)p->ops)->attributes, lines, &values, NULL, error));
  out->values = values;
  const sn_param *declared = ((const sn_sensor_ops *)p->ops)->attributes;
  SN_TRY(si_bind_references(m, declared, values, error));
  int32_t dim, nstate;
  SN_TRY(si_sensor_sizes(m, p, out, m->sensor_dim[i], &dim, &nstate, error));
  out->dim = dim;
  out->adr = m->sensor_adr[i];
  out->nstate = nstate;
  out->stateadr = stateadr;
  if (!fits(m, p, out)) {
    return si_fail(error, SN_EINVAL,
                   "sensor %d was compiled with a number of values or a stage that its type in the "
                   "loaded plugin does not have; compile the model again",
                   (int)i);
  }
  return SN_OK;
}

static sn_status check_sensor(sn_model *m, const si_provider *p, const sn_sensor *sensor,
                              sn_error *error) {
  const sn_sensor_ops *ops = p->ops;
  si_watch call;
  si_model_enter(&call, m, p, "check");
  sn_status status = ops->check ? ops->check(p->self, &m->view, sensor, error) : SN_OK;
  status = si_watch_end(&call, status, error);
  return status < 0 ? si_bind_blame(m, SI_ELEMENT_sensor, sensor->id, status) : SN_OK;
}

// The quantities that must be computed before a type is evaluated, as SI_HAS_*.
static int32_t needs_of(const si_provider *p) {
  const char *needs = ((const sn_sensor_ops *)p->ops)->needs;
  return (si_is_listed(needs, "cacc") ? SI_HAS_BODY_FORCES : 0) |
         (si_is_listed(needs, "subtree_vel") ? SI_HAS_SUBTREE : 0);
}

static sn_status bind_sensor_type(sn_model *m, si_binding *b, sn_error *error) {
  const sn_sensor_ops *ops = b->provider->ops;
  b->needs = needs_of(b->provider);
  sn_sensor *sensors = calloc((size_t)b->n, sizeof *sensors);
  if (!sensors) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  sn_status status = SN_OK;
  for (int64_t k = 0; k < b->n && status >= 0; k++) {
    status = describe_sensor(m, b->provider, b->id[k], b->nstate, &sensors[k], error);
    if (status >= 0) {
      b->nstate += sensors[k].nstate;
      status = check_sensor(m, b->provider, &sensors[k], error);
    }
  }
  if (status >= 0) {
    si_watch call;
    si_model_enter(&call, m, b->provider, "bind");
    status = ops->bind(b->provider->self, &m->view, b->n, sensors, &b->bound, error);
    status = si_watch_end(&call, status, error);
    if (status < 0 && b->n == 1) {
      si_bind_blame(m, SI_ELEMENT_sensor, b->id[0], status);
    }
  }
  for (int64_t k = 0; k < b->n; k++) {
    free((void *)(uintptr_t)sensors[k].values);
  }
  free(sensors);
  return status;
}

// ------------------------------------------------------------------ which sensors they read

enum { BOUND = -1, JUST_BOUND = -2 };

typedef struct reading {
  int32_t sensor, source;   // ids
} reading;

typedef struct readings {
  int64_t n, capacity;
  reading *at;
  int32_t *waiting;   // of each sensor: how many of its sources in its stage are not bound yet;
                      // BOUND: it is bound itself, or its type is not available
} readings;

static const char *stage_word(int32_t stage) {
  static const char *const words[SN_NSTAGES] = { [SN_STAGE_POSITION] = "position",
                                                 [SN_STAGE_VELOCITY] = "velocity",
                                                 [SN_STAGE_ACCELERATION] = "acceleration" };
  return words[stage];
}

static sn_status add_reading(sn_model *m, readings *r, int32_t sensor, int64_t source,
                             sn_error *error) {
  const int32_t *stage = m->sensor_needstage;
  if (source < 0 || r->waiting[source] == BOUND) {
    return SN_OK;
  }
  if (stage[source] > stage[sensor]) {
    si_fail(error, SN_EINVAL,
            "it reads sensor '%s', whose values are computed later in a step: they belong to the "
            "stage %s, its own to the stage %s; its type must have the later stage",
            sn_name(m, "sensor", (int32_t)source), stage_word(stage[source]),
            stage_word(stage[sensor]));
    return si_bind_blame(m, SI_ELEMENT_sensor, sensor, SN_EINVAL);
  }
  reading *at = si_grow(r->at, r->n, &r->capacity, sizeof *at);
  if (!at) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  r->at = at;
  r->at[r->n++] = (reading){ sensor, (int32_t)source };
  r->waiting[sensor] += stage[source] == stage[sensor];
  return SN_OK;
}

static int is_sensor(const sn_model *m, int32_t offset) {
  return strcmp(m->names + offset, "sensor") == 0;
}

// Sensors that attributes of a sensor name.
static sn_status read_attributes(sn_model *m, const sn_param *declared, int32_t id, readings *r,
                                 sn_error *error) {
  sn_value *values = NULL;
  SN_TRY(
      si_attributes_read(declared, name_or_null(m, m->sensor_attradr[id]), &values, NULL, error));
  sn_status status = si_bind_references(m, declared, values, error);
  for (int64_t i = 0; declared[i].name && status >= 0; i++) {
    const char *kinds = declared[i].choices;
    si_word kind = { .text = "" };
    if (declared[i].type != SN_PARAM_REFERENCE || !values[i].text[0]) {
      continue;
    }
    for (int64_t place = 0; place <= values[i].n && si_next_word(&kinds, &kind); place++) {}
    if (strcmp(kind.text, "sensor") == 0) {
      status = add_reading(m, r, id, values[i].integer, error);
    }
  }
  free(values);
  return status;
}

static int may_name_sensors(const sn_param *declared) {
  for (int64_t i = 0; declared && declared[i].name; i++) {
    if (declared[i].type == SN_PARAM_REFERENCE && si_is_listed(declared[i].choices, "sensor")) {
      return 1;
    }
  }
  return 0;
}

static sn_status find_readings(sn_model *m, const si_bindings *types, readings *r,
                               sn_error *error) {
  r->waiting = malloc((size_t)(m->nsensor + 1) * sizeof *r->waiting);
  if (!r->waiting) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  for (int64_t i = 0; i < m->nsensor; i++) {
    r->waiting[i] = BOUND;
  }
  for (int64_t k = 0; k < types->n; k++) {
    for (int64_t i = 0; i < types->at[k].n; i++) {
      r->waiting[types->at[k].id[i]] = 0;
    }
  }
  for (int64_t k = 0; k < types->n; k++) {
    const sn_sensor_ops *ops = types->at[k].provider->ops;
    const sn_param *declared = ops->attributes;
    const int reads_attributes = may_name_sensors(declared);
    if (ops->head.flags & SN_OPS_WEAK) {
      continue;   // the application writes its values
    }
    for (int64_t i = 0; i < types->at[k].n; i++) {
      const int32_t id = types->at[k].id[i];
      if (is_sensor(m, m->sensor_objtypename[id])) {
        SN_TRY(add_reading(m, r, id, m->sensor_objid[id], error));
      }
      if (is_sensor(m, m->sensor_reftypename[id])) {
        SN_TRY(add_reading(m, r, id, m->sensor_refid[id], error));
      }
      if (reads_attributes) {
        SN_TRY(read_attributes(m, declared, id, r, error));
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ their order

typedef struct group {
  int64_t ready, left;   // sensors of a type in a stage: that can be bound now; not bound yet
} group;

static int is_left(const sn_model *m, const readings *r, int32_t id, int stage) {
  return m->sensor_needstage[id] == stage && r->waiting[id] != BOUND;
}

static group count(const sn_model *m, const si_binding *type, const readings *r, int stage) {
  group g = { 0, 0 };
  for (int64_t i = 0; i < type->n; i++) {
    g.left += is_left(m, r, type->id[i], stage);
    g.ready += is_left(m, r, type->id[i], stage) && r->waiting[type->id[i]] == 0;
  }
  return g;
}

// Binds the n sensors of a type that can be evaluated now.
static sn_status bind_ready(sn_model *m, const si_binding *type, int64_t n, int stage, readings *r,
                            sn_error *error) {
  si_binding *b = si_bind_add(&m->bound.sensor[stage], type->provider, n);
  if (!b) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  for (int64_t i = 0; i < type->n; i++) {
    const int32_t id = type->id[i];
    if (is_left(m, r, id, stage) && r->waiting[id] == 0) {
      b->id[b->n++] = id;
      r->waiting[id] = JUST_BOUND;
    }
  }
  for (int64_t i = 0; i < r->n; i++) {
    const reading *at = &r->at[i];
    r->waiting[at->sensor] -= r->waiting[at->source] == JUST_BOUND && r->waiting[at->sensor] > 0;
  }
  for (int64_t i = 0; i < b->n; i++) {
    r->waiting[b->id[i]] = BOUND;
  }
  return bind_sensor_type(m, b, error);
}

// A source of a sensor that waits, and waits itself.
static int32_t waiting_source(const readings *r, int32_t id) {
  for (int64_t i = 0; i < r->n; i++) {
    if (r->at[i].sensor == id && r->waiting[r->at[i].source] > 0) {
      return r->at[i].source;
    }
  }
  return -1;
}

// All sensors that are left in a stage wait. Following their sources, one comes into a circle.
static sn_status fail_circle(sn_model *m, int stage, const readings *r, sn_error *error) {
  int32_t id = 0;
  while (!is_left(m, r, id, stage)) {
    id++;
  }
  for (int64_t i = 0; i < m->nsensor; i++) {
    id = waiting_source(r, id);
  }
  const int32_t source = waiting_source(r, id);
  si_fail(
      error, SN_EINVAL,
      source == id
          ? "it reads its own values, sensor '%s'"
          : "it reads sensor '%s', which in turn reads this one, directly or through others, so "
            "neither can be evaluated first",
      sn_name(m, "sensor", source));
  return si_bind_blame(m, SI_ELEMENT_sensor, id, SN_EINVAL);
}

static sn_status bind_stage(sn_model *m, const si_bindings *types, int stage, readings *r,
                            sn_error *error) {
  for (;;) {
    const si_binding *next = NULL;
    group best = { 0, 0 };
    int64_t left = 0;
    for (int64_t k = 0; k < types->n && (!next || best.ready < best.left); k++) {
      const group g = count(m, &types->at[k], r, stage);
      left += g.left;
      if (g.ready > 0 && (!next || g.ready == g.left)) {
        next = &types->at[k];
        best = g;
      }
    }
    if (!next) {
      return left == 0 ? SN_OK : fail_circle(m, stage, r, error);
    }
    SN_TRY(bind_ready(m, next, best.ready, stage, r, error));
  }
}

sn_status si_bind_sensors(sn_model *m, sn_error *error) {
  si_bindings types = { 0 };
  readings r = { 0 };
  sn_status status = si_bind_group(m, SN_KIND_SENSOR, m->nsensor, m->sensor_typename, NULL, &types,
                                   error);
  status = status < 0 ? status : find_readings(m, &types, &r, error);
  for (int stage = SN_STAGE_POSITION; stage < SN_NSTAGES && status >= 0; stage++) {
    status = bind_stage(m, &types, stage, &r, error);
  }
  free(r.at);
  free(r.waiting);
  si_bind_free(&types);
  return status;
}

// ------------------------------------------------------------------ their states after a reset

// packed: b->nstate zeros, the states in the order of the sensors.
static sn_status reset_sensors(sn_model *m, const si_binding *b, si_rest *rest, double *packed,
                               sn_error *error) {
  const sn_sensor_ops *ops = b->provider->ops;
  const sn_data_view *data;
  SN_TRY(si_rest_view(rest, &data, error));
  si_watch call;
  si_model_enter(&call, m, b->provider, "reset");
  double *lent = si_watch_lend(&call, "state", packed, b->nstate * (int64_t)sizeof *packed);
  const sn_status status = ops->reset(b->provider->self, b->bound, data, lent);
  SN_TRY(si_watch_end(&call, status, error));
  if (!si_all_finite(packed, b->nstate)) {
    return si_fail(error, SN_EPLUGIN, "the sensor type '%s' starts with a state that is not finite",
                   b->provider->name);
  }
  for (int64_t k = 0; k < b->n; k++) {
    const int32_t n = si_sensor_states(m, b->id[k]);
    memcpy(m->bound.sensor_state0 + m->sensor_stateadr[b->id[k]], packed,
           (size_t)n * sizeof *packed);
    packed += n;
  }
  return SN_OK;
}

static sn_status start_type(sn_model *m, const si_binding *b, si_rest *rest, sn_error *error) {
  double **start = &m->bound.sensor_state0;
  if (!((const sn_sensor_ops *)b->provider->ops)->reset || b->nstate == 0) {
    return SN_OK;
  }
  *start = *start ? *start : calloc((size_t)m->nsensorstate, sizeof **start);
  double *packed = calloc((size_t)b->nstate, sizeof *packed);
  const sn_status status = *start && packed
                               ? reset_sensors(m, b, rest, packed, error)
                               : si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  free(packed);
  return status;
}

sn_status si_bind_sensor_start(sn_model *m, si_rest *rest, sn_error *error) {
  for (int stage = 0; stage < SN_NSTAGES; stage++) {
    for (int64_t i = 0; i < m->bound.sensor[stage].n; i++) {
      SN_TRY(start_type(m, &m->bound.sensor[stage].at[i], rest, error));
    }
  }
  return SN_OK;
}
