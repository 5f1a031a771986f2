// SPDX-License-Identifier: Apache-2.0
//
// Models as bytes: of the binary file, of jobs for other processes.

#ifndef SI_API_BINARY_H
#define SI_API_BINARY_H

#include "model/model.h"

int si_model_is_binary(const uint8_t *bytes, int64_t count);
sn_status si_model_write(const sn_model *model, sn_sink *sink, sn_error *error);
// Not bound yet. name: of the file.
sn_model *si_model_read(sn_engine *engine, const uint8_t *bytes, int64_t count, const char *name,
                        sn_error *error);

#endif
