// SPDX-License-Identifier: Apache-2.0
//
// A model that differs from another one, its base, in some numbers, again and again in others: the
// worker of a rollout. It shares the arrays of the base, except those that vary and those that
// follow from them, and is bound to the plugins itself, since they may keep addresses of arrays.

#ifndef SI_EDIT_VARIANT_H
#define SI_EDIT_VARIANT_H

#include "data/part.h"

typedef struct si_variant si_variant;

// part: npart quantities of the model that vary; they are copied. The base is not changed, and must
// live longer. Freed by the caller.
sn_status si_variant_new(const sn_model *base, const si_part *part, int64_t npart, si_variant **out,
                         sn_error *error);
void si_variant_free(si_variant *v);
sn_model *si_variant_model(si_variant *v);
// Do these quantities vary, and no others?
int si_variant_has(const si_variant *v, const si_part *part, int64_t npart);
// Its memory, without what plugins keep for it.
int64_t si_variant_bytes(const si_variant *v);
// Gives the quantities these values, one after another, and all others those of the base; what
// follows from them is computed again. SN_EINVAL: a value is out of range; the model cannot be used
// then until values are set that are not. Allocates only where the plugins must be bound again.
sn_status si_variant_set(si_variant *v, const double *values, sn_error *error);

#endif
