// SPDX-License-Identifier: Apache-2.0
//
// What an address within a simulation or its model is called, in messages of the checking mode.

#ifndef SI_DATA_ADDRESS_H
#define SI_DATA_ADDRESS_H

#include "data/data.h"

// What an operation of a plugin may write, or an input, which it may not write, with a name: an
// array, or the pointers and sizes in a struct of its arguments, with the name of its type.
typedef struct si_output {
  const struct si_output *next;
  const char *name;
  uint8_t *memory;
  int64_t bytes;
  int is_input, is_struct;
} si_output;

// "qvel[3] of joint 'knee'", "memory of the host"; d NULL: the arrays of the model alone.
void si_data_address_name(const sn_model *m, const sn_data *d, const uint8_t *at, char *out,
                          size_t size);

// "wrote qvel[3] of joint 'knee', which is not one of its outputs"; outputs: a list, may be NULL.
const char *si_stray_write(const sn_model *m, const sn_data *d, const si_output *outputs,
                           const uint8_t *at, char *out, size_t size);

#endif
