// SPDX-License-Identifier: Apache-2.0
//
// Checks of a model that was read from a file, or edited: could the compiler have made it? If so,
// no step reads or writes outside of its arrays.

#ifndef SI_MODEL_VALIDATE_H
#define SI_MODEL_VALIDATE_H

#include "model/model.h"

// Ids, addresses and types are in their ranges, then what follows from them. Before binding.
sn_status si_model_validate(const sn_model *model, const sn_location *location, sn_error *error);
// The part of it for one array: each number is in the range of its rule.
sn_status si_model_validate_field(const sn_model *model, int32_t field, const sn_location *location,
                                  sn_error *error);
// The part of it for meshes, height fields, textures, skins and texts. validate_assets.c
sn_status si_model_validate_assets(const sn_model *model, const sn_location *location,
                                   sn_error *error);
// The part of it that computes again what the compiler derives; after ranges. validate_tree.c
sn_status si_model_validate_tree(const sn_model *model, const sn_location *location,
                                 sn_error *error);
// Numbers of states, values and objects are those of the engine's plugins. Before binding.
// validate_provider.c
sn_status si_model_validate_providers(sn_model *model, const sn_location *location,
                                      sn_error *error);
// The error of all these functions for a number that is out of range. place: of the file; NULL: a
// program wrote into the arrays of a model in memory.
sn_status si_model_bad(const sn_location *location, sn_error *error, const char *array, int64_t i);

#endif
