// SPDX-License-Identifier: Apache-2.0
//
// The table of the model's fields of the public headers as data: what every array is called, means
// and measures. Memory, copies, files, JSON and plugins' handles are made from it; data/fields.h
// has the same for a simulation.

#ifndef SI_MODEL_FIELDS_H
#define SI_MODEL_FIELDS_H

#include "model/model.h"

typedef struct si_field_info {
  const char *name, *rows, *unit, *meaning;
  int32_t type;      // SN_REAL, SN_INT, SN_BYTE, SN_CHAR
  int32_t bytes;     // of one number
} si_field_info;

enum {
  SI_TYPE_real = SN_REAL,
  SI_TYPE_int = SN_INT,
  SI_TYPE_byte = SN_BYTE,
  SI_TYPE_char = SN_CHAR,
  SI_BYTES_real = 8,
  SI_BYTES_int = 4,
  SI_BYTES_byte = 1,
  SI_BYTES_char = 1
};

// Gives the sizes of a model `m` their names, in which rows and cols of the tables are expressions.
#define SI_LOCAL_SIZE(name, meaning) \
  const int64_t name = m->name;      \
  (void)name;
#define SI_SIZES_IN_SCOPE SN_MODEL_SIZES(SI_LOCAL_SIZE)

typedef struct si_extent {
  int64_t rows, cols;
} si_extent;

typedef struct si_size_info {
  const char *name, *meaning;
  int64_t offset;    // of the int64_t in its owner, an sn_model or sn_data
} si_size_info;

extern const si_field_info si_model_field_table[SI_NMODELFIELD];
extern const si_size_info si_model_size_table[SI_NMODELSIZE];

// Rows and columns of every field for these sizes.
void si_model_extents(const sn_model *sizes, si_extent *out);   // SI_NMODELFIELD

// Places arrays one after another, each at a multiple of 64 bytes: sets field[i] = base + offset
// and returns the bytes needed. base NULL: only counts.
int64_t si_fields_place(const si_field_info *info, const si_extent *extent, int64_t n,
                        uint8_t *base, void **field);

// The index of the field of this name among n; -1: there is none.
int64_t si_field_index(const si_field_info *info, int64_t n, const char *name);
// Fills a public view of an array at p. dynamic: its rows change from step to step.
sn_status si_field_view(sn_view *view, const si_field_info *info, si_extent extent, void *p,
                        int32_t dynamic);
// The size or count of this name of a model or a simulation; -1: there is none.
int64_t si_size_number(const void *owner, const si_size_info *info, int64_t n, const char *name);

#endif
