// SPDX-License-Identifier: Apache-2.0
//
// Colliders by name, and the pairs of geom types that they support.

#ifndef SN_TEST_COLLIDER_PAIRS_H
#define SN_TEST_COLLIDER_PAIRS_H

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

#endif
