// SPDX-License-Identifier: Apache-2.0
//
// What a configuration can say, as tables: for sinew.ini(5), docs/configuration.md and completion.

#ifndef SINEW_TOOLS_INI_H
#define SINEW_TOOLS_INI_H

// A line `key = value` of a section. Words in capital letters stand for names.
typedef struct ini_row {
  const char *section;   // "": before the first section
  const char *key, *value, *meaning;
} ini_row;
extern const ini_row ini_rows[];   // ends with a row without a section

// A layer of the configuration, from the weakest to the strongest.
typedef struct ini_layer {
  const char *name, *origin;
} ini_layer;
extern const ini_layer ini_layers[];   // ends with a row without a name

// A variable of the environment.
typedef struct ini_variable {
  const char *name, *meaning;
} ini_variable;
extern const ini_variable ini_variables[];   // ends with a row without a name

// How a file is read: a sentence each.
extern const char *const ini_rules[];   // ends with NULL

#endif
