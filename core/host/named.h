// SPDX-License-Identifier: Apache-2.0
//
// The kinds whose providers an element `force` of a model can name: passive forces, contact
// modifiers. The type of the element is the name of a passive force, or a kind and a name,
// "contact/one_way".

#ifndef SI_HOST_NAMED_H
#define SI_HOST_NAMED_H

#include <stddef.h>

#include "host/engine.h"

typedef struct si_named_kind {
  const char *word;   // before the slash; "": there is none
  const char *id;     // of the kind
  uint32_t flag;      // of the providers that act only where a model names them
  int32_t reserved;
  size_t attributes;  // offset of the table of attributes in the operations
} si_named_kind;

// The kind of an id; NULL: its providers cannot be named.
const si_named_kind *si_named_kind_find(const char *id);
// The kind of a type, and the name that follows the slash. An unknown kind is taken for a part of
// the name of a passive force, which no provider has.
const si_named_kind *si_named_kind_of(const char *type, const char **name);
const sn_param *si_named_attributes(const si_named_kind *kind, const si_provider *provider);

#endif
