// SPDX-License-Identifier: Apache-2.0
//
// Sensors, and what a model names in elements `force`: passive forces, contact modifiers. Stage,
// data type and dimension of a sensor are those of its plugin; a type that leaves the dimension
// open takes all three from the spec. Sizes are known last, because they may depend on the model.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "bind/bind.h"
#include "bind/named.h"
#include "compile/compile.h"

// What is known of a sensor once its names are resolved.
typedef struct resolved {
  const si_provider *provider;
  const sn_sensor_ops *ops;
  sn_sensor sensor;
} resolved;

// The object or the reference of a sensor (`role`): accepted kinds, kind and name as written. Where
// a type accepts one kind only, it may be omitted.
static sn_status find_object(si_build *b, int64_t i, const char *role, const char *accepted,
                             const char **kind, const char *name, int32_t *id) {
  *id = -1;
  int given = name && name[0];
  if (!given) {
    *kind = NULL;
    return SN_OK;
  }
  if ((!*kind || !(*kind)[0]) && accepted && accepted[0] && !strchr(accepted, '|')) {
    *kind = accepted;
  }
  const char *word = *kind ? *kind : "";
  const char *type = SI_DEF(b, sensor, i)->type;
  if (!accepted || !accepted[0]) {
    return SI_FAIL(b, sensor, i,
                   "a sensor of type '%s' takes no %s, but '%s' is specified; remove it", type,
                   role, name);
  }
  if (!si_is_listed(accepted, word)) {
    return SI_FAIL(b, sensor, i,
                   "the %s of a sensor of type '%s' must be a %s; '%s' is specified as %s%s", role,
                   type, accepted, name, word[0] ? "a " : "one without a kind", word);
  }
  return si_build_refer_word(b, SI_ELEMENT_sensor, i, word, name, id);
}

// Are its attributes those of its type, with valid values?
static sn_status check_attributes(si_build *b, int64_t i, const resolved *r) {
  const sn_sensor_def *def = SI_DEF(b, sensor, i);
  const sn_param *declared = r->ops->attributes;
  sn_value *values = NULL;
  sn_status status = si_attributes_check(&declared, 1, def->attributes, b->error);
  if (status >= 0) {
    status = si_attributes_read(declared, def->attributes, &values, NULL, b->error);
  }
  free(values);
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_sensor, i) : SN_OK;
}

static sn_status resolve(si_build *b, int64_t i, resolved *r) {
  const sn_sensor_def *def = SI_DEF(b, sensor, i);
  const char *type = def->type ? def->type : "";
  r->provider = si_engine_find(b->engine, SN_KIND_SENSOR, type, b->error);
  if (!r->provider) {
    return si_build_blame(b, SN_ENOTFOUND, SI_ELEMENT_sensor, i);
  }
  r->ops = r->provider->ops;
  r->sensor = (sn_sensor){ .id = (int32_t)i, .objtype = def->objtype, .reftype = def->reftype };
  SN_TRY(find_object(b, i, "object", r->ops->objects, &r->sensor.objtype, def->object,
                     &r->sensor.objid));
  if (r->ops->objects && r->ops->objects[0] && r->sensor.objid < 0) {
    return SI_FAIL(b, sensor, i, "no %s is specified; name the one to measure", r->ops->objects);
  }
  SN_TRY(find_object(b, i, "reference", r->ops->references, &r->sensor.reftype, def->refobject,
                     &r->sensor.refid));

  return check_attributes(b, i, r);
}

// Does the spec decide about stage and data type?
static int is_open(const resolved *r) {
  return si_sensor_is_open(r->provider);
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
  const char *name;
  const si_named_kind *kind = si_named_kind_of(def->type ? def->type : "", &name);
  const si_provider *p = si_engine_find(b->engine, kind->id, name, b->error);
  if (!p) {
    return si_build_blame(b, SN_ENOTFOUND, SI_ELEMENT_force, i);
  }
  if (!(((const sn_ops *)p->ops)->flags & kind->flag)) {
    return SI_FAIL(b, force, i,
                   "'%s' acts in every model and cannot be listed in one; remove the %s", name,
                   kind->word[0] ? kind->word : "force");
  }
  const sn_param *declared = si_named_attributes(kind, p);
  sn_value *values = NULL;
  sn_status status = si_attributes_check(&declared, 1, def->attributes, b->error);
  if (status >= 0) {
    status = si_attributes_read(declared, def->attributes, &values, NULL, b->error);
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
  }
  for (int64_t i = 0; i < s->nforce; i++) {
    SN_TRY(check_force(b, i));
  }
  return SN_OK;
}

sn_status si_compile_sensor_fill(si_build *b) {
  sn_model *m = b->m;
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
    SN_TRY(check_sensor(b, i, m->sensor_datatype[i], m->sensor_needstage[i]));
  }
  return SN_OK;
}

static sn_status shape_sensor(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_sensor_def *def = SI_DEF(b, sensor, i);
  resolved r;
  sn_value *values = NULL;
  int32_t nstate;
  SN_TRY(resolve(b, i, &r));
  SN_TRY(si_attributes_read(r.ops->attributes, def->attributes, &values, NULL, b->error));
  r.sensor.values = values;
  sn_status status = si_bind_references(m, r.ops->attributes, values, b->error);
  status = status < 0 ? status
                      : si_sensor_sizes(m, r.provider, &r.sensor, def->dim, &m->sensor_dim[i],
                                        &nstate, b->error);
  free(values);
  if (status < 0) {
    return si_build_blame(b, status, SI_ELEMENT_sensor, i);
  }
  m->sensor_adr[i] = (int32_t)m->nsensordata;
  m->sensor_stateadr[i] = (int32_t)m->nsensorstate;
  m->nsensordata += m->sensor_dim[i];
  m->nsensorstate += nstate;
  if (m->nsensordata > INT32_MAX || m->nsensorstate > INT32_MAX) {
    return SI_FAIL(b, sensor, i, "the sensors together have too many values");
  }
  status = si_limit_states(b->engine, r.provider, m->nsensordata + m->nsensorstate, b->error);
  return status < 0 ? si_build_blame(b, status, SI_ELEMENT_sensor, i) : SN_OK;
}

sn_status si_compile_sensor_sizes(si_build *b) {
  for (int64_t i = 0; i < b->m->nsensor; i++) {
    SN_TRY(shape_sensor(b, i));
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
