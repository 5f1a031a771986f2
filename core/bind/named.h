// SPDX-License-Identifier: Apache-2.0
//
// Providers that act in every model, and those that act where an element `force` of the model names
// them: passive forces, contact modifiers. The type of the element is the name of a passive force,
// or a kind and a name, "contact/one_way".

#ifndef SI_BIND_NAMED_H
#define SI_BIND_NAMED_H

#include "model/model.h"

typedef struct si_named_kind {
  const char *word;   // before the slash; "": there is none
  const char *id;     // of the kind
  uint32_t flag;      // of the providers that act only where a model names them
  int32_t reserved;
  size_t attributes;  // offset of the table of attributes in the operations
} si_named_kind;

// The kind of a type, and the name that follows the slash. An unknown kind is taken for a part of
// the name of a passive force, which no provider has.
const si_named_kind *si_named_kind_of(const char *type, const char **name);
const sn_param *si_named_attributes(const si_named_kind *kind, const si_provider *provider);

// Binds those of a kind: first every provider that acts in every model, in the order of
// registration, then those that the model names, in its order. attributes: NULL, or the lines of
// the element. An element that is refused is remembered (si_bind_blame).
typedef sn_status si_bind_fn(sn_model *m, const si_provider *provider, const char *attributes,
                             sn_error *error);
sn_status si_bind_each(sn_model *m, const char *id, si_bind_fn *bind, sn_error *error);

#endif
