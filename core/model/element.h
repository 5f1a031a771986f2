// SPDX-License-Identifier: Apache-2.0
//
// Which rows of an array belong to which element, after SN_MODEL_ELEMENTS and SN_MODEL_PARTS
// (sinew/fields_model.h). `rows` is the number of an array's rows as the tables of fields have it:
// "nbody", "nq" (`rows` of si_field_info).

#ifndef SI_MODEL_ELEMENT_H
#define SI_MODEL_ELEMENT_H

#include "model/model.h"

// The kinds that have names, with the array of their offsets: "body" ...
int32_t *si_model_names(const sn_model *model, const char *kind, int64_t *n);

// The kind of the elements that the rows belong to; NULL: they do not belong to elements.
const char *si_element_kind(const char *rows);

// The rows of an element of that kind: *n from *first on; *n is 0 if it has none.
void si_element_rows(const sn_model *model, const char *rows, int32_t id, int64_t *first,
                     int64_t *n);

// The element that a row belongs to: its kind, and its number in *id; NULL: none.
const char *si_element_of_row(const sn_model *model, const char *rows, int64_t row, int64_t *id);

// "joint 'knee'"; without a name "joint 3", or with its type "equality 0 (connect)".
enum { SI_MODEL_TITLE = 96 };
const char *si_model_title(const sn_model *model, const char *kind, int32_t id,
                           char out[SI_MODEL_TITLE]);

#endif
