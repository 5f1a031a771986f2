// SPDX-License-Identifier: Apache-2.0
//
// Are all ids and addresses of a model within its arrays? For models that come from a file.

#ifndef SN_MODEL_VALIDATE_H
#define SN_MODEL_VALIDATE_H

#include "model/model.h"

sn_status sn_model_validate(const sn_model *model, const sn_place *place, sn_error *error);

#endif
