// SPDX-License-Identifier: Apache-2.0
//
// Is a model that comes from a file one that the compiler could have made? Of one that is, no step
// reads or writes outside of its arrays.

#ifndef SI_MODEL_VALIDATE_H
#define SI_MODEL_VALIDATE_H

#include "model/model.h"

// Ids, addresses and types are in their ranges, then what follows from them. Before binding.
sn_status si_model_validate(const sn_model *model, const sn_place *place, sn_error *error);
// The part of it that makes again what the compiler derives; ranges are checked. validate_tree.c
sn_status si_model_validate_tree(const sn_model *model, const sn_place *place, sn_error *error);
// What the model says and what the engine's plugins say agree; validate_law.c. Before binding.
sn_status si_model_validate_laws(sn_model *model, const sn_place *place, sn_error *error);

#endif
