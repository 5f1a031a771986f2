// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.filter/1: contact filters. They reject pairs of geoms that the rules of the model
// (contype, exclude ...) would allow to collide. All loaded filters are called in the order of
// registration; each gets the pairs that the previous ones kept. An application registers a
// contact-filter callback in the same way.

#ifndef SINEW_FILTER_H
#define SINEW_FILTER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_FILTER "sinew.filter/1"

// The operations of a contact filter.
typedef struct sn_filter_ops {
  sn_ops head;
  // [load] Resolves fields and ids. *bound NULL on return: the filter has nothing to do for this
  // model and is not called.
  sn_status (*bind)(const void *self, const sn_model_view *model, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [step] Sets keep[i], which is 1 before the call, to 0 if the pair (geom1[i], geom2[i]) must not
  // collide. The n pairs are those that the broad phase found, including explicit ones, in an
  // unspecified order; positions are those of this step. The result must depend only on the state.
  sn_status (*select)(const void *self, const void *bound, const sn_data_view *data, int64_t n,
                      const int32_t *geom1, const int32_t *geom2, int32_t *keep,
                      sn_scratch *scratch);
} sn_filter_ops;
SN_LAYOUT(sn_filter_ops, 64);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_FILTER(name, ops) SN_PROVIDE(SN_KIND_FILTER, name, sn_filter_ops, ops)

SN_END_DECLS

#endif
