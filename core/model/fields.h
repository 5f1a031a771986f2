// SPDX-License-Identifier: Apache-2.0
//
// The field tables of the public headers as data: what every array of model and data is called,
// means and measures. Memory, copies, files, JSON and plugins' handles are made from it.

#ifndef SI_MODEL_FIELDS_H
#define SI_MODEL_FIELDS_H

#include "model/data.h"

typedef struct si_field_info {
  const char *name, *rows, *unit, *meaning;
  int32_t type;      // SN_REAL, SN_INT, SN_BYTE, SN_CHAR
  int32_t bytes;     // of one number
} si_field_info;

typedef struct si_extent {
  int64_t rows, cols;
} si_extent;

typedef struct si_size_info {
  const char *name, *meaning;
  int64_t offset;    // of the int64_t in sn_model or sn_data
} si_size_info;

extern const si_field_info si_model_field_table[SI_NMODELFIELD];
extern const si_field_info si_data_field_table[SI_NDATAFIELD + SI_NSTEPFIELD];
extern const si_size_info si_model_size_table[SI_NMODELSIZE];
extern const si_size_info si_data_count_table[SI_NDATACOUNT];

// Rows and columns of every field for these sizes and counts.
void si_model_extents(const sn_model *sizes, si_extent *out);                      // SI_NMODELFIELD
void si_data_extents(const sn_model *model, si_extent *out);                       // SI_NDATAFIELD
void si_step_extents(const sn_data *data, si_extent *out);                         // SI_NSTEPFIELD

// Places arrays one after another, each at a multiple of 64 bytes: sets field[i] = base + offset
// and returns the bytes needed. base NULL: only counts.
int64_t si_fields_place(const si_field_info *info, const si_extent *extent, int64_t n,
                        uint8_t *base, void **field);

extern const sn_fields_service si_fields_service_table;

#endif
