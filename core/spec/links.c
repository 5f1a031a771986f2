// SPDX-License-Identifier: Apache-2.0
//
// References: every name in a definition that is the name of another element. Removing,
// attaching and renaming walk these, so that no kind has code of its own.

#include <stddef.h>
#include <string.h>

#include "spec/spec.h"

// The kind that equalities of a type relate, actuators of a type move, tendons of a type pass.
static const int32_t equality_kind[] = { [SN_EQUALITY_CONNECT] = SI_ELEMENT_body,
                                         [SN_EQUALITY_WELD] = SI_ELEMENT_body,
                                         [SN_EQUALITY_JOINT] = SI_ELEMENT_joint,
                                         [SN_EQUALITY_TENDON] = SI_ELEMENT_tendon,
                                         [SN_EQUALITY_PLUGIN] = -1 };
static const int32_t target_kind[] = {
  [SN_TRN_JOINT] = SI_ELEMENT_joint,      [SN_TRN_JOINTINPARENT] = SI_ELEMENT_joint,
  [SN_TRN_SLIDERCRANK] = SI_ELEMENT_site, [SN_TRN_TENDON] = SI_ELEMENT_tendon,
  [SN_TRN_SITE] = SI_ELEMENT_site,        [SN_TRN_BODY] = SI_ELEMENT_body
};
static const int32_t wrap_kind[] = { [SN_WRAP_NONE] = -1,
                                     [SN_WRAP_JOINT] = SI_ELEMENT_joint,
                                     [SN_WRAP_PULLEY] = -1,
                                     [SN_WRAP_SITE] = SI_ELEMENT_site,
                                     [SN_WRAP_SPHERE] = SI_ELEMENT_geom,
                                     [SN_WRAP_CYLINDER] = SI_ELEMENT_geom };

#define KIND_OF(table, type) \
  ((type) >= 0 && (size_t)(type) < sizeof(table) / sizeof(table)[0] ? (table)[type] : -1)

typedef struct walk {
  const sn_spec *spec;
  si_reference_fn *visit;
  void *context;
} walk;

static void meet(const walk *w, const char **name, int32_t wanted, int32_t need) {
  if (wanted >= 0 && *name && **name) {
    w->visit(w->context, name, wanted, need);
  }
}

// The kind of a sensor's object: the given one, or the only one that its type accepts.
static int32_t sensor_kind(const sn_spec *spec, const sn_sensor_def *def, const char *given,
                           int reference) {
  if (given && *given) {
    return si_element_of(given);
  }
  const si_provider *p = spec->engine && def->type
                             ? si_engine_find(spec->engine, SN_KIND_SENSOR, def->type, NULL)
                             : NULL;
  const sn_sensor_ops *ops = p ? p->ops : NULL;
  return ops ? si_element_of(reference ? ops->references : ops->objects) : -1;
}

// Names inside of nested items, and those whose kind depends on a type.
static void walk_special(const walk *w, int32_t kind, void *any) {
  if (kind == SI_ELEMENT_equality) {
    sn_equality_def *def = any;
    int32_t wanted = def->sites ? SI_ELEMENT_site : KIND_OF(equality_kind, def->type);
    meet(w, &def->obj1, wanted, 1);
    meet(w, &def->obj2, wanted, 1);
  } else if (kind == SI_ELEMENT_actuator) {
    sn_actuator_def *def = any;
    meet(w, &def->target, KIND_OF(target_kind, def->trntype), 1);
  } else if (kind == SI_ELEMENT_sensor) {
    sn_sensor_def *def = any;
    meet(w, &def->object, sensor_kind(w->spec, def, def->objtype, 0), 1);
    meet(w, &def->refobject, sensor_kind(w->spec, def, def->reftype, 1), 1);
  } else if (kind == SI_ELEMENT_tendon) {
    const sn_tendon_def *def = any;
    for (int64_t i = 0; i < def->nwrap; i++) {
      sn_wrap_def *item = (sn_wrap_def *)&def->wrap[i];
      meet(w, &item->object, KIND_OF(wrap_kind, item->type), 1);
      meet(w, &item->sidesite, SI_ELEMENT_site, 0);
    }
  } else if (kind == SI_ELEMENT_skin) {
    const sn_skin_def *def = any;
    for (int64_t i = 0; i < def->nbone; i++) {
      meet(w, &((sn_bone_def *)&def->bone[i])->body, SI_ELEMENT_body, 1);
    }
  } else if (kind == SI_ELEMENT_tuple) {
    const sn_tuple_def *def = any;
    for (int64_t i = 0; i < def->nitem; i++) {
      sn_tuple_item *item = (sn_tuple_item *)&def->item[i];
      meet(w, &item->object, si_element_of(item->objtype), 1);
    }
  }
}

void si_element_references(const sn_spec *spec, int32_t kind, void *def, si_reference_fn *visit,
                           void *context) {
  const walk w = { spec, visit, context };
  for (const si_def_member *member = si_element_shape[kind].members; member->type; member++) {
    if (member->type == SI_DEF_NAME) {
      meet(&w, (const char **)(void *)((char *)def + member->offset), member->about,
           (int32_t)member->other);
    }
  }
  walk_special(&w, kind, def);
}
