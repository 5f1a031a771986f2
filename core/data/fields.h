// SPDX-License-Identifier: Apache-2.0
//
// The tables of the fields of a simulation as data; see model/fields.h. First those of
// SN_DATA_FIELDS, then those of SN_STEP_FIELDS.

#ifndef SI_DATA_FIELDS_H
#define SI_DATA_FIELDS_H

#include "data/data.h"
#include "model/fields.h"

extern const si_field_info si_data_field_table[SI_NDATAFIELD + SI_NSTEPFIELD];
extern const si_size_info si_data_count_table[SI_NDATACOUNT];

// Rows and columns of every field for the sizes of a model, and for the counts of the present step.
void si_data_extents(const sn_model *model, si_extent *out);   // SI_NDATAFIELD
void si_step_extents(const sn_data *data, si_extent *out);     // SI_NSTEPFIELD

extern const sn_fields_service si_fields_service_table;

#endif
