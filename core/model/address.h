// SPDX-License-Identifier: Apache-2.0
//
// What an address within a model is called, in messages.

#ifndef SI_MODEL_ADDRESS_H
#define SI_MODEL_ADDRESS_H

#include "model/fields.h"

typedef struct si_address {
  const si_field_info *field;
  int64_t row, column, cols;
} si_address;

// The array, one of n, that contains an address. False: none does.
int si_address_find(const si_field_info *info, const si_extent *extent, void *const *field,
                    int64_t n, const uint8_t *at, si_address *out);
// "qvel[3] of joint 'knee'", "xpos[2, 1] of body 2".
void si_address_name(const sn_model *m, const si_address *place, char *out, size_t size);
// The same for an address, or "the option 'gravity'", or "memory of the host".
void si_model_address_name(const sn_model *m, const uint8_t *at, char *out, size_t size);

#endif
