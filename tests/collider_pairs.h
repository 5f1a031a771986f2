// SPDX-License-Identifier: Apache-2.0
//
// Colliders by name, and the pairs of geom types that they support.

#ifndef SN_TEST_COLLIDER_PAIRS_H
#define SN_TEST_COLLIDER_PAIRS_H

#include <stdlib.h>
#include <string.h>

#include "sinew/collider.h"
#include "sinew/sinew.h"

static const char *const type_names[SN_NGEOMTYPES] = { "plane",     "hfield",   "sphere", "capsule",
                                                       "ellipsoid", "cylinder", "box",    "mesh" };

static inline int names_type(const char *name, int type) {
  return strcmp(name, "convex") == 0 ? type >= SN_GEOM_SPHERE : strcmp(name, type_names[type]) == 0;
}

static inline int supports(const sn_collider_ops *ops, int first, int second) {
  for (const sn_collider_pair *p = ops->pairs; p->first; p++) {
    if (names_type(p->first, first) && names_type(p->second, second)) {
      return 1;
    }
  }
  return 0;
}

// NULL: the engine has no collider of this name.
static inline const sn_collider_ops *find_collider(const sn_engine *engine, const char *name) {
  sn_provider_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_provider(engine, i, &info); i++) {
    if (strcmp(info.kind, SN_KIND_COLLIDER) == 0 && strcmp(info.name, name) == 0) {
      return info.ops;
    }
  }
  return NULL;
}

// What the operations of a collider get as `self`: with the default parameters, except for
// `manifold`. Ends in close_collider. Returns 0 when it could not be created.
static inline int open_collider(sn_engine *engine, const sn_collider_ops *ops, int manifold,
                                void **self) {
  enum { MOST_PARAMS = 16 };
  sn_value values[MOST_PARAMS] = { 0 };
  const sn_param *params = ops->head.params;
  for (int i = 0; params && params[i].name && i < MOST_PARAMS; i++) {
    const char *text = params[i].default_value;
    values[i] = (sn_value){ .real = strtod(text, NULL),
                            .integer = strtoll(text, NULL, 10),
                            .text = text };
    if (strcmp(params[i].name, "manifold") == 0) {
      values[i].integer = manifold;
    }
  }
  *self = NULL;
  return !ops->head.create || ops->head.create(sn_engine_host(engine), values, self, NULL) >= 0;
}

static inline void close_collider(const sn_collider_ops *ops, void *self) {
  if (ops->head.destroy) {
    ops->head.destroy(self);
  }
}

#endif
