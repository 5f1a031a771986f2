// SPDX-License-Identifier: Apache-2.0

#ifndef SI_API_LOAD_H
#define SI_API_LOAD_H

#include "model/model.h"

// The model of a binary file, bound to the plugins of the engine. name: of the file, for errors.
sn_model *si_model_load(sn_engine *engine, const uint8_t *bytes, int64_t count, const char *name,
                        sn_error *error);

#endif
