// SPDX-License-Identifier: Apache-2.0
//
// Binding providers that act in every model, and those that act where an element `force` of the
// model names them (host/named.h).

#ifndef SI_BIND_NAMED_H
#define SI_BIND_NAMED_H

#include "host/named.h"
#include "model/model.h"

// Binds those of a kind: first every provider that acts in every model, in the order of
// registration, then those that the model names, in its order. attributes: NULL, or the lines of
// the element. An element that is refused is remembered (si_bind_blame).
typedef sn_status si_bind_fn(sn_model *m, const si_provider *provider, const char *attributes,
                             sn_error *error);
sn_status si_bind_each(sn_model *m, const char *id, si_bind_fn *bind, sn_error *error);

#endif
