// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.filter/1: which pairs of geoms may collide, in addition to the rules of the model.
// All loaded filters are called in the order of registration; each gets the pairs that remain and
// may reject some. An application registers a contact filter callback as a filter, too.

#ifndef SINEW_FILTER_H
#define SINEW_FILTER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_FILTER "sinew.filter/1"

typedef struct sn_filter_ops {
  sn_ops head;
  // [load] Resolves fields and ids. *bound NULL on return: the filter has nothing to do for this
  // model and is not called.
  sn_status (*bind)(const void *self, const sn_model_view *model, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [step] Pairs of geoms (geom1[i], geom2[i]), n of them, explicit ones among them, near each
  // other and in no promised order; positions are those of this step. Clears keep[i], which is 1
  // before, where a pair must not collide. The result must depend only on the state.
  sn_status (*select)(const void *self, const void *bound, const sn_data_view *data, int64_t n,
                      const int32_t *geom1, const int32_t *geom2, int32_t *keep,
                      sn_scratch *scratch);
} sn_filter_ops;
SN_LAYOUT(sn_filter_ops, 64);

SN_END_DECLS

#endif
