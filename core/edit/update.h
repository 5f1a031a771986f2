// SPDX-License-Identifier: Apache-2.0
//
// What the parts of sn_spec_update share: the spec, the model that it made, the one that was
// edited. Elements have the ids of the models.

#ifndef SI_COMPILE_UPDATE_H
#define SI_COMPILE_UPDATE_H

#include <string.h>

#include "compile/compile.h"

typedef struct update {
  sn_spec *spec;
  sn_model *fresh;
  const sn_model *m;
  si_numbering number[SI_NELEMENTS];
  sn_error *error;
} update;

static inline int differs(const double *a, const double *b, int64_t n) {
  return n > 0 && memcmp(a, b, (size_t)n * sizeof(double)) != 0;
}

static inline void *def_of(const update *u, int32_t kind, int64_t id) {
  return u->spec->list[kind].at[u->number[kind].spec[id]].def;
}
#define DEF(u, kind, id) ((sn_##kind##_def *)def_of(u, SI_ELEMENT_##kind, id))

// Numbers of which a definition has as many as it likes: paths, tuples, skins, heights, user
// numbers, custom numbers, keyframes. update_lists.c
sn_status si_spec_update_lists(const update *u);

// update_check.c. Was a number edited that the spec could say?
int si_update_edited(const update *u);
// Does the spec now make every number that was edited? again: the model that it makes now. The
// first that it does not is the error.
sn_status si_spec_update_check(const update *u, const sn_model *again);

#endif
