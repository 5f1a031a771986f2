// SPDX-License-Identifier: Apache-2.0
//
// Compiled models that are kept in files, for sn_load; model_cache.c.

#ifndef SI_API_MODEL_CACHE_H
#define SI_API_MODEL_CACHE_H

#include "files/reading.h"
#include "model/model.h"

// One call of sn_load.
typedef struct si_model_cache {
  sn_engine *engine;
  si_buffer key;
  const char *folder;   // NULL: the model is not kept
  char name[32];
  si_reading reading;   // what the call finds
  int64_t nlogged;
} si_model_cache;

// The model of a file as it was kept, bound; NULL: there is none that is still valid. Until the
// end, what is read is collected then. No errors: what is wrong appears when the file itself is
// read.
sn_model *si_model_cache_begin(si_model_cache *cache, sn_engine *engine, const char *path);
// Keeps a model that was compiled. model: the result of the call, which may be NULL.
void si_model_cache_end(si_model_cache *cache, const sn_model *model);

#endif
