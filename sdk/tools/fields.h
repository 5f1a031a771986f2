// SPDX-License-Identifier: Apache-2.0
//
// Arrays of a model or a simulation, printed as JSON or as text.

#ifndef SINEW_FIELDS_H
#define SINEW_FIELDS_H

#include "command.h"
#include "tools/json/json.h"

// Arrays of more numbers than this are left out.
enum { LARGEST_ARRAY = 250000 };

// A member with the array of a view. Bytes (names, texts, pixels) and very large arrays are left
// out.
void field_json(json *j, const sn_view *view);
// The lists PREFIXwarnings and PREFIXnotes: what the loader of a model repaired or left out, and
// what is worth knowing. Every command prints them as load_warnings and load_notes.
void loading_json(json *j, const char *prefix, const sn_model *m);
// The object warnings: how often each kind occurred in a simulation, by sn_data_warning_name.
void counts_json(json *j, const sn_data *d);
// The array as text: name, shape, unit and meaning, then one line a row.
void field_text(const sn_view *view);
// The operands from `first` on must be names of fields; reports a usage error otherwise.
int fields_check(const options *o, int first, int32_t (*at)(void *context, int64_t i, sn_view *v),
                 void *context);

#endif
