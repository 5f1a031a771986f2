// SPDX-License-Identifier: Apache-2.0
//
// Quantities by name, "FIELD", "FIELD:ELEMENT" or "FIELD:ELEMENT:K" (sinew/rollout.h): a run of
// numbers of an array of a model or of a simulation, a count, or an option.

#ifndef SI_DATA_PART_H
#define SI_DATA_PART_H

#include "data/data.h"

enum { SI_PART_FIELD, SI_PART_COUNT, SI_PART_OPTION };

typedef struct si_part {
  int32_t what;    // SI_PART_*
  int32_t field;   // index of the field or count
  int32_t type;    // SN_REAL or SN_INT
  int32_t reserved;
  int64_t first, n;   // numbers from `first` on
  int64_t offset;     // of an option: bytes in sn_option
} si_part;

// A quantity of a simulation: real numbers or integers of constant size, or a count.
sn_status si_part_of_data(const sn_model *m, const char *name, si_part *out, sn_error *error);
// A quantity of a model: a field of real numbers, or an option that is a real number.
sn_status si_part_of_model(const sn_model *m, const char *name, si_part *out, sn_error *error);
// The first number of a quantity of a simulation as a real number, and the ones after it.
double si_part_number(const si_part *part, const sn_data *d, int64_t k);

#endif
