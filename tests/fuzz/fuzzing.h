// SPDX-License-Identifier: Apache-2.0
//
// What fuzzers of loaders share: an engine with one loader, an instance of it with parameters of
// our choice, and a source in memory that counts what is open.

#ifndef SN_TEST_FUZZING_H
#define SN_TEST_FUZZING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct fuzzed {
  sn_engine *engine;
  sn_error *error;
  const sn_loader_ops *ops;
  void *self;
} fuzzed;

static int64_t fuzz_open_files;
static const char *fuzz_file_name, *fuzz_file_text;   // the one other file that there is

static void fuzz_demand(int truth, const char *what) {
  if (!truth) {
    fprintf(stderr, "%s\n", what);
    abort();
  }
}

static void fuzz_close(sn_source *child) {
  fuzz_open_files--;
  free((void *)(uintptr_t)child->bytes);
  free(child);
}

static sn_status fuzz_open(sn_source *source, const char *name, sn_source **child,
                           sn_error *error) {
  (void)error;
  fuzz_demand(name && name[0], "a file without a name is opened");
  if (!fuzz_file_name || strcmp(name, fuzz_file_name) != 0) {
    return SN_EIO;
  }
  sn_source *s = malloc(sizeof *s);
  *s = *source;
  s->name = fuzz_file_name;
  s->bytes = (const uint8_t *)strdup(fuzz_file_text);
  s->count = (int64_t)strlen(fuzz_file_text);
  fuzz_open_files++;
  *child = s;
  return SN_OK;
}

// path: of the plugin; values: of its parameters, in their order.
static inline void fuzz_loader(fuzzed *f, const char *name, const char *path,
                               const sn_value *values) {
  f->error = sn_error_new();
  f->engine = sn_engine_open("", f->error);
  fuzz_demand(f->engine && sn_engine_load_plugin(f->engine, name, path, f->error) >= 0 &&
                  si_engine_freeze(f->engine, f->error) >= 0,
              sn_error_text(f->error));
  f->ops = si_engine_find(f->engine, SN_KIND_LOADER, name, f->error)->ops;
  fuzz_demand(f->ops->head.create(sn_engine_host(f->engine), values, &f->self, f->error) >= 0,
              "no instance");
}

// A spec of these bytes, or NULL and an error that says why.
static inline sn_spec *fuzz_load(fuzzed *f, const uint8_t *data, size_t size) {
  uint8_t *bytes = calloc(1, size + 1);   // followed by a zero that is not counted
  memcpy(bytes, data, size);
  sn_source source = { .size = sizeof source,
                       .name = "main.xml",
                       .bytes = bytes,
                       .count = (int64_t)size,
                       .open = fuzz_open,
                       .close = fuzz_close };
  si_error_clear(f->error);
  sn_spec *spec = sn_spec_new(f->engine, f->error);
  sn_status status = f->ops->load(f->self, &source, sn_spec_builder(spec), f->error);
  fuzz_demand(fuzz_open_files == 0, "a file is left open");
  fuzz_demand((status < 0) == (sn_error_message(f->error)[0] != 0), "status and message differ");
  free(bytes);
  if (status < 0) {
    sn_spec_free(spec);
    return NULL;
  }
  return spec;
}

#endif
