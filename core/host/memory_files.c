// SPDX-License-Identifier: Apache-2.0
//
// Files in memory, which the application adds (sn_engine_add_resource); core/files reads them.

#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"

const si_resource *si_resource_find(const sn_engine *engine, const char *name) {
  for (int64_t i = 0; i < engine->nresource; i++) {
    if (strcmp(engine->resource[i].name, name) == 0) {
      return &engine->resource[i];
    }
  }
  return NULL;
}

sn_status si_resource_add(sn_engine *engine, char *name, const void *bytes, int64_t count,
                          sn_error *error) {
  uint8_t *copy = malloc((size_t)count + 1);
  si_resource *more = si_more(engine->resource, engine->nresource, sizeof *more);
  engine->resource = more ? more : engine->resource;
  if (!copy || !more) {
    free(name);
    free(copy);
    return si_no_memory(error);
  }
  if (count > 0) {
    memcpy(copy, bytes, (size_t)count);
  }
  copy[count] = 0;
  si_resource *added = &engine->resource[engine->nresource++];
  added->name = name;
  added->bytes = copy;
  added->count = count;
  return SN_OK;
}

void si_resources_free(sn_engine *engine) {
  for (int64_t i = 0; i < engine->nresource; i++) {
    free(engine->resource[i].name);
    free(engine->resource[i].bytes);
  }
  free(engine->resource);
  engine->resource = NULL;
  engine->nresource = 0;
}
