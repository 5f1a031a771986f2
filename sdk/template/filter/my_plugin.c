// SPDX-License-Identifier: Apache-2.0
//
// A template for contact filters: geoms of the same group do not collide, except those of group 0.
// Replace the rule by your own.

#include <stddef.h>

#include "sinew/filter.h"
#include "sinew/instance.h"

// The data for one model.
typedef struct bound_filter {
  const int32_t *group;
} bound_filter;

static sn_status bind(const void *self, const sn_model_view *model, void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const bound_filter b = { .group = sn_lookup_ints(&l, "geom_group") };
  const int64_t ngeom = sn_lookup_size(&l, "ngeom");
  SN_TRY(l.status);

  // nothing to do: leave *bound NULL, and the filter costs nothing
  for (int64_t i = 0; i < ngeom; i++) {
    if (b.group[i] != 0) {
      return sn_instance_keep(self, &b, sizeof b, bound, error);
    }
  }
  return SN_OK;
}

static sn_status select_pairs(const void *self, const void *bound, const sn_data_view *data,
                              int64_t n, const int32_t *geom1, const int32_t *geom2, int32_t *keep,
                              sn_scratch *scratch) {
  const bound_filter *b = (const bound_filter *)bound;
  (void)self;
  (void)data;
  (void)scratch;
  for (int64_t i = 0; i < n; i++) {
    const int32_t group = b->group[geom1[i]];
    if (group != 0 && group == b->group[geom2[i]]) {
      keep[i] = 0;
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_filter_ops ops = {
  .head = { .size = sizeof(sn_filter_ops),
            .summary = "geoms of the same group, except group 0, do not collide",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .bind = bind,
  .unbind = sn_instance_unbind,
  .select = select_pairs,
};

static const sn_provide provides[] = {
  SN_PROVIDE_FILTER("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a contact filter", .provides = provides)
