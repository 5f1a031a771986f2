// SPDX-License-Identifier: Apache-2.0
//
// What edits of a spec as a whole (remove.c, attach.c, place.c) share. Keyframes follow them:
// keyframe.h. An edit that fails leaves the spec as it was, unless memory runs out while keyframes
// are arranged.

#ifndef SI_SPEC_EDIT_H
#define SI_SPEC_EDIT_H

#include <string.h>

#include "spec/keyframe.h"

static inline sn_status si_edit_no_memory(sn_error *error) {
  return si_fail(error, SN_ENOMEM, "out of memory while editing the spec");
}

// The body that holds an element; -1: elements of this kind have none.
static inline int32_t si_edit_owner(int32_t kind, const void *def) {
  int32_t owner = -1;
  const ptrdiff_t offset = si_element_owner(kind);
  if (offset >= 0) {
    memcpy(&owner, (const char *)def + offset, sizeof owner);
  }
  return owner;
}

static inline void si_edit_set_owner(int32_t kind, void *def, int32_t owner) {
  const ptrdiff_t offset = si_element_owner(kind);
  if (offset >= 0) {
    memcpy((char *)def + offset, &owner, sizeof owner);
  }
}

// Bodies have new ids, now[old]; what they hold follows.
static inline void si_edit_renumber_owners(sn_spec *spec, const int32_t *now) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (int64_t i = 0; i < spec->list[kind].n; i++) {
      void *def = spec->list[kind].at[i].def;
      const int32_t owner = si_edit_owner(kind, def);
      if (owner > 0) {
        si_edit_set_owner(kind, def, now[owner]);
      }
    }
  }
}

// Sorts the names of all kinds.
static inline sn_status si_edit_sort(sn_spec *spec, sn_error *error) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    if (si_spec_sort(spec, kind) < 0) {
      return si_edit_no_memory(error);
    }
  }
  return SN_OK;
}

#endif
