// SPDX-License-Identifier: Apache-2.0
//
// Binding providers that act in every model, and those that act where an element `force` of the
// model names them (host/named.h).

#ifndef SI_BIND_NAMED_H
#define SI_BIND_NAMED_H

#include "bind/bind.h"
#include "host/named.h"
#include "model/model.h"

// Binds those of a kind: first every provider that acts in every model, in the order of
// registration, then those that the model names, in its order. attributes: NULL, or the lines of
// the element. An element that is rejected is remembered (si_bind_blame).
typedef sn_status si_bind_fn(sn_model *m, const si_provider *provider, const char *attributes,
                             sn_error *error);
sn_status si_bind_each(sn_model *m, const char *id, si_bind_fn *bind, sn_error *error);

// The operations that these kinds have in common, of one provider; NULL: it has none.
typedef struct si_named_ops {
  const char *word;   // of the kind, for messages: "passive force"
  const sn_param *attributes;
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);
  int64_t (*states)(const void *self, const void *bound);
  sn_status (*reset)(const void *self, const void *bound, const sn_data_view *data, double *state);
  int can_advance;   // has the operation that states need
} si_named_ops;

// Binds one provider and adds it to the list, unless it has nothing to do in this model. Its states
// follow those of what was bound before.
sn_status si_bind_named(sn_model *m, const si_provider *provider, const si_named_ops *ops,
                        const char *attributes, si_bindings *list, sn_error *error);
// Its states after a reset, into bound.force_state0.
sn_status si_bind_named_start(sn_model *m, const si_binding *b, const si_named_ops *ops,
                              si_rest *rest, sn_error *error);

#endif
