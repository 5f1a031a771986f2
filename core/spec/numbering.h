// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a spec's elements in the model: bodies depth first, what a body owns by body,
// both in the order of adding; everything else in the order of adding. (Pairs and exclusions are
// sorted once more by the compiler.)

#ifndef SI_SPEC_NUMBERING_H
#define SI_SPEC_NUMBERING_H

#include "spec/spec.h"

// Ids of one kind, in both directions.
typedef struct si_numbering {
  int64_t n;
  int32_t *spec;    // by id in the model
  int32_t *model;   // by id in the spec
} si_numbering;

// Numbers the elements of all kinds: SI_NELEMENTS of them. si_numbering_free frees the arrays, also
// when this fails.
sn_status si_spec_number(const sn_spec *spec, si_numbering *number, sn_error *error);
void si_numbering_free(si_numbering *number);

#endif
