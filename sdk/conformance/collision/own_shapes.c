// SPDX-License-Identifier: Apache-2.0
//
// Shapes of the same plugin as a collider, which it may know better than by their support function.

#include <string.h>

#include "conformance/world/world.h"
#include "shapes.h"
#include "sinew/shape.h"

static int is_own(const kit *k, const sn_provider_info *p) {
  return strcmp(p->kind, SN_KIND_SHAPE) == 0 && p->plugin && k->provider->plugin &&
         strcmp(p->plugin, k->provider->plugin) == 0;
}

// What the shape itself does wrong is reported by its own tests.
static int test_with(kit *k, const sn_provider_info *p, kit_world *w,
                     void (*test)(kit *k, void *context), void *context) {
  const sn_shape_ops *ops = p->ops;
  kit other = { .engine = k->engine, .provider = p, .report = kit_ignore, .seed = 1 };
  kit_attributes a;
  sn_shape_info info = { .size = sizeof info };
  sn_error *error = sn_error_new();
  void *data = NULL;
  const int made = kit_instance(&other) &&
                   kit_attributes_set(&other, w, ops->attributes, KIT_DEFAULTS, &a);
  const int usable = made && KIT_CALL(ops, make)(other.self, a.values, &info, &data, error) >= 0 &&
                     kit_finite(info.half, 3);
  if (usable) {
    const sn_user_shape shape = {
      .size = sizeof shape, .type = p->name, .ops = ops, .self = other.self, .data = data
    };
    shape_set_own(&shape, info.half);
    test(k, context);
    shape_set_own(NULL, NULL);
  }
  if (data) {
    KIT_CALL(ops, drop)(other.self, data);
  }
  if (made && ops->head.destroy) {
    ops->head.destroy(other.self);
  }
  sn_error_free(error);
  return usable;
}

int shape_each_own(kit *k, void (*test)(kit *k, void *context), void *context) {
  sn_provider_info p = { .size = sizeof p };
  sn_error *error = sn_error_new();
  kit_world w = { 0 };
  int n = 0;
  for (int64_t i = 0; sn_engine_provider(k->engine, i, &p); i++) {
    if (is_own(k, &p) && (w.data || kit_world_new(k, &w, NULL, error))) {
      n += test_with(k, &p, &w, test, context);
    }
  }
  kit_world_free(&w);
  sn_error_free(error);
  return n;
}
