// SPDX-License-Identifier: Apache-2.0
//
// Sensors, and passive forces asked for by name. A sensor's stage, data type and dimension are its
// plugin's; a type that leaves the dimension open takes all three from the spec.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

// What is known of a sensor once its names are resolved.
typedef struct resolved {
  const si_provider *provider;
  const sn_sensor_ops *ops;
  sn_sensor sensor;
} resolved;

// An object of a sensor: accepted kinds, kind and name as written. A type that accepts one kind
// need not be told which.
static sn_status find_object(si_build *b, int64_t i, const char *accepted, const char **kind,
                             const char *name, int32_t *id) {
  *id = -1;
  int given = name && name[0];
  if (!given) {
    *kind = NULL;
    return SN_OK;
  }
  if ((!*kind || !(*kind)[0]) && accepted && accepted[0] && !strchr(accepted, '|')) {
    *kind = accepted;
  }
  const char *said = *kind ? *kind : "";
  if (!accepted || !accepted[0] || !si_is_listed(accepted, said)) {
    return SI_FAIL(b, sensor, i, "it cannot be attached to %s%s'%s'; its type accepts %s", said,
                   said[0] ? " " : "", name, accepted && accepted[0] ? accepted : "no object here");
  }
  return si_build_refer_word(b, SI_ELEMENT_sensor, i, said, name, id);
}

// What it says to its plugin, checked; and how many values it has.
static sn_status find_dimension(si_build *b, int64_t i, resolved *r) {
  const sn_sensor_def *def = SI_DEF(b, sensor, i);
  const sn_param *declared = r->ops->attributes;
  sn_value *values = NULL;
  sn_status status = si_attributes_check(&declared, 1, def->attributes, b->error);
  if (status >= 0) {
    status = si_attributes_read(declared, def->attributes, &values, NULL, b->error);
  }
  if (status < 0) {
    return si_build_blame(b, status, SI_ELEMENT_sensor, i);
  }
  r->sensor.values = values;
  r->sensor.dim = r->ops->dim;
  if (r->sensor.dim == 0) {
    r->sensor.dim = r->ops->dimension ? r->ops->dimension(r->provider->self, &r->sensor) : def->dim;
  }
  r->sensor.values = NULL;
  free(values);
  return SN_OK;
}

static sn_status resolve(si_build *b, int64_t i, resolved *r) {
  const sn_sensor_def *def = SI_DEF(b, sensor, i);
  const char *type = def->type ? def->type : "";
  r->provider = si_engine_find(b->engine, SN_KIND_SENSOR, type, b->error);
  if (!r->provider) {
    return si_build_blame(b, SN_ENOTFOUND, SI_ELEMENT_sensor, i);
  }
  r->ops = r->provider->ops;
  r->sensor = (sn_sensor){
    .id = (int32_t)i, .objtype = def->objtype, .reftype = def->reftype, .nstate = r->ops->nstate
  };
  SN_TRY(find_object(b, i, r->ops->objects, &r->sensor.objtype, def->object, &r->sensor.objid));
  if (r->ops->objects && r->ops->objects[0] && r->sensor.objid < 0) {
    return SI_FAIL(b, sensor, i, "it names no %s to measure", r->ops->objects);
  }
  SN_TRY(
      find_object(b, i, r->ops->references, &r->sensor.reftype, def->refobject, &r->sensor.refid));

  SN_TRY(find_dimension(b, i, r));
  if (r->sensor.dim < 1) {
    return SI_FAIL(b, sensor, i, "it has %d values; specify a positive dim", r->sensor.dim);
  }
  return SN_OK;
}

// Does the spec decide about stage and data type?
static int is_open(const resolved *r) {
  return r->ops->dim == 0 && !r->ops->dimension;
}

static sn_status check_sensor(si_build *b, int64_t i, int32_t datatype, int32_t stage) {
  const sn_sensor_def *def = SI_DEF(b, sensor, i);
  if (def->cutoff > 0 && (datatype == SN_DATA_AXIS || datatype == SN_DATA_QUATERNION)) {
    return SI_FAIL(b, sensor, i, "cutoff cannot be applied to an axis or a quaternion; remove it");
  }
  if (datatype < 0 || datatype >= SN_NDATATYPES || stage <= SN_STAGE_NONE || stage >= SN_NSTAGES) {
    return SI_FAIL(b, sensor, i,
                   "its datatype or stage is not one of the SN_DATA_* and SN_STAGE_* "
                   "values");
  }
  return SN_OK;
}

static sn_status check_force(si_build *b, int64_t i) {
  const sn_force_def *def = SI_DEF(b, force, i);
  const char *type = def->type ? def->type : "";
  const si_provider *p = si_engine_find(b->engine, SN_KIND_PASSIVE, type, b->error);
  if (!p) {
    return si_build_blame(b, SN_ENOTFOUND, SI_ELEMENT_force, i);
  }
  const sn_passive_ops *ops = p->ops;
  if (!(ops->head.flags & SN_PASSIVE_NAMED)) {
    return SI_FAIL(b, force, i,
                   "'%s' applies to every model without being listed; remove the "
                   "force",
                   type);
  }
  sn_value *values = NULL;
  sn_status status = si_attributes_check(&ops->attributes, 1, def->attributes, b->error);
  if (status >= 0) {
    status = si_attributes_read(ops->attributes, def->attributes, &values, NULL, b->error);
  }
  free(values);
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_force, i) : SN_OK;
}

sn_status si_compile_sensor_measure(si_build *b) {
  sn_model *s = &b->size;
  s->nsensor = b->number[SI_ELEMENT_sensor].n;
  s->nforce = b->number[SI_ELEMENT_force].n;
  for (int64_t i = 0; i < s->nsensor; i++) {
    resolved r;
    SN_TRY(resolve(b, i, &r));
    s->nsensordata += r.sensor.dim;
    s->nsensorstate += r.ops->nstate;
    if (s->nsensordata > INT32_MAX || s->nsensorstate > INT32_MAX) {
      return SI_FAIL(b, sensor, i, "the sensors together have too many values");
    }
  }
  for (int64_t i = 0; i < s->nforce; i++) {
    SN_TRY(check_force(b, i));
  }
  return SN_OK;
}

sn_status si_compile_sensor_fill(si_build *b) {
  sn_model *m = b->m;
  int32_t address = 0, state = 0;
  for (int64_t i = 0; i < m->nsensor; i++) {
    const sn_sensor_def *def = SI_DEF(b, sensor, i);
    resolved r;
    SN_TRY(resolve(b, i, &r));
    m->sensor_type[i] = si_sensor_number(def->type);
    m->sensor_datatype[i] = is_open(&r) ? def->datatype : r.ops->datatype;
    m->sensor_needstage[i] = is_open(&r) && def->stage ? def->stage : r.ops->stage;
    m->sensor_objtype[i] = r.sensor.objtype ? si_object_number(r.sensor.objtype) : 0;
    m->sensor_reftype[i] = r.sensor.reftype ? si_object_number(r.sensor.reftype) : 0;
    m->sensor_objid[i] = r.sensor.objid;
    m->sensor_refid[i] = r.sensor.refid;
    m->sensor_dim[i] = r.sensor.dim;
    m->sensor_adr[i] = address;
    m->sensor_stateadr[i] = state;
    address += r.sensor.dim;
    state += r.ops->nstate;
    SN_TRY(check_sensor(b, i, m->sensor_datatype[i], m->sensor_needstage[i]));
  }
  return SN_OK;
}

sn_status si_build_sensor_kinds(si_build *b, int64_t i, const char **object,
                                const char **reference) {
  resolved r;
  SN_TRY(resolve(b, i, &r));
  *object = r.sensor.objtype;
  *reference = r.sensor.reftype;
  return SN_OK;
}
