// SPDX-License-Identifier: Apache-2.0
//
// The field tables of the public headers as data: what every array of model and data is called,
// means and measures. Memory, copies, files, JSON and plugins' handles are made from it.

#ifndef SN_MODEL_FIELDS_H
#define SN_MODEL_FIELDS_H

#include "model/data.h"

typedef struct sn_field_info {
  const char *name, *unit, *meaning;
  int32_t type;      // SN_REAL, SN_INT, SN_BYTE
  int32_t bytes;     // of one number
} sn_field_info;

typedef struct sn_extent {
  int64_t rows, cols;
} sn_extent;

typedef struct sn_size_info {
  const char *name, *meaning;
  int64_t offset;    // of the int64_t in sn_model or sn_data
} sn_size_info;

extern const sn_field_info sn_model_field_table[SN_NMODELFIELD];
extern const sn_field_info sn_data_field_table[SN_NDATAFIELD + SN_NSTEPFIELD];
extern const sn_size_info sn_model_size_table[SN_NMODELSIZE];
extern const sn_size_info sn_data_count_table[SN_NDATACOUNT];

// Rows and columns of every field for these sizes and counts.
void sn_model_extents(const sn_model *sizes, sn_extent *out);                      // SN_NMODELFIELD
void sn_data_extents(const sn_model *model, sn_extent *out);                       // SN_NDATAFIELD
void sn_step_extents(const sn_data *data, sn_extent *out);                         // SN_NSTEPFIELD

// Places arrays one after another, each at a multiple of 64 bytes: sets field[i] = base + offset
// and returns the bytes needed. base NULL: only counts.
int64_t sn_fields_place(const sn_field_info *info, const sn_extent *extent, int64_t n,
                        uint8_t *base, void **field);

extern const sn_fields_service sn_fields_service_table;

#endif
