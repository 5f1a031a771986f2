// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.filter/1: which pairs of geoms may collide, beyond what a model says. Every filter
// that is loaded is asked, in the order of registration, about the pairs that all other filters
// left; one that says no is enough. So an application's contact filter callback is this table too.

#ifndef SINEW_FILTER_H
#define SINEW_FILTER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_FILTER "sinew.filter/1"

typedef struct sn_filter_ops {
  sn_ops head;
  // [load] Resolves what it needs. *bound NULL on return: nothing to do for this model, and it
  // then costs nothing.
  sn_status (*bind)(const void *self, const sn_model_view *model, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [step] Pairs of geoms (geom1[i], geom2[i]), n of them, explicit ones among them, near each
  // other and in no promised order; positions are those of this step. Clears keep[i], which is 1
  // before, where a pair must not collide. The answer depends on the state alone.
  sn_status (*select)(const void *self, const void *bound, const sn_data_view *data, int64_t n,
                      const int32_t *geom1, const int32_t *geom2, int32_t *keep,
                      sn_scratch *scratch);
} sn_filter_ops;
SN_LAYOUT(sn_filter_ops, 64);

SN_END_DECLS

#endif
