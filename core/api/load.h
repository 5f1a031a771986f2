// SPDX-License-Identifier: Apache-2.0

#ifndef SI_API_LOAD_H
#define SI_API_LOAD_H

#include "model/model.h"
#include "spec/spec.h"

// The model of a binary file, bound to the plugins of the engine. name: of the file, for errors.
sn_model *si_model_load(sn_engine *engine, const uint8_t *bytes, int64_t count, const char *name,
                        sn_error *error);

// Reads a source into a spec by the loader that recognizes it.
sn_status si_spec_read(sn_spec *spec, sn_source *source, sn_error *error);
// The operation `include` of the builder. include.c
sn_status si_spec_include(sn_spec *spec, sn_source *source, const sn_include_def *def,
                          const sn_location *location, sn_error *error);

#endif
