// SPDX-License-Identifier: Apache-2.0
//
// A host, a builder and a source that only remember: what a loader does is seen without an engine.
// Definitions are kept as they were added. Memory that the loader gives back is kept too, until
// fake_close, so that their strings and arrays stay readable; what it forgets is counted.

#ifndef TESTS_FAKE_BUILDER_H
#define TESTS_FAKE_BUILDER_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "compile/compile.h"
#include "sinew/loader.h"

enum { FAKE_FILES = 16 };

// one file in memory; name relative to the main file
typedef struct fake_file {
  const char *name, *text;
} fake_file;

typedef struct fake_memory fake_memory;
struct fake_memory {
  fake_memory *next;
  double align;
};

#define FAKE_KEEP(kind)   \
  sn_##kind##_def *kind;  \
  sn_location *kind##_place; \
  int64_t n##kind;
#define FAKE_SETTING(kind) sn_##kind kind;

// everything that a loader reported
typedef struct fake {
  sn_host host;
  sn_builder builder;
  sn_source source;
  fake_file files[FAKE_FILES];
  SN_ELEMENTS(FAKE_KEEP)
  SN_SETTINGS(FAKE_SETTING)
  char model[256];
  int64_t nwarning;
  char warning[256];
  int32_t warning_line;
  int32_t reserved;
  int64_t held;        // blocks not given back
  int64_t nopen;       // sources not closed
  int32_t from_disk;   // open files by path, relative to `folder`
  char folder[1024];
  fake_memory *memory;
  sn_status code;   // of the error
  char file[512], message[2048];
  int32_t line, column;
} fake;

static fake *the_fake;   // the one in use; a spec has no context in its functions

// ------------------------------------------------------------------ the host

static void *fake_alloc(const sn_host *host, int64_t bytes) {
  (void)host;
  fake_memory *m = calloc(1, sizeof *m + (size_t)bytes);
  m->next = the_fake->memory;
  the_fake->memory = m;
  the_fake->held++;
  return m + 1;
}

static void fake_free(const sn_host *host, void *memory) {
  (void)host;
  the_fake->held -= memory != NULL;
}

static sn_status fake_error(const sn_host *host, sn_error *error, sn_status code, const char *file,
                            int32_t line, int32_t column, const char *text) {
  (void)host;
  (void)error;
  the_fake->code = code;
  the_fake->line = line;
  the_fake->column = column;
  snprintf(the_fake->file, sizeof the_fake->file, "%s", file ? file : "");
  snprintf(the_fake->message, sizeof the_fake->message, "%s", text);
  return code;
}

// ------------------------------------------------------------------ the builder

#define FAKE_ADD(kind)                                                                    \
  static sn_status fake_add_##kind(sn_spec *spec, const sn_##kind##_def *def,             \
                                   const sn_location *location, int32_t *id, sn_error *error) { \
    (void)spec;                                                                           \
    (void)error;                                                                          \
    fake *f = the_fake;                                                                   \
    int64_t n = f->n##kind;                                                               \
    if ((n & (n - 1)) == 0) {                                                             \
      size_t capacity = n ? 2 * (size_t)n : 1;                                                \
      f->kind = realloc(f->kind, capacity * sizeof *def);                                     \
      f->kind##_place = realloc(f->kind##_place, capacity * sizeof *location);                   \
    }                                                                                     \
    f->kind[n] = *def;                                                                    \
    f->kind##_place[n] = *location;                                                          \
    f->n##kind = n + 1;                                                                   \
    *id = (int32_t)n;                                                                     \
    return SN_OK;                                                                         \
  }
SN_ELEMENTS(FAKE_ADD)

#define FAKE_GET(kind)                                                                    \
  static sn_status fake_get_##kind(const sn_spec *spec, int32_t id, sn_##kind##_def *def, \
                                   sn_error *error) {                                     \
    (void)spec;                                                                           \
    (void)error;                                                                          \
    *def = the_fake->kind[id];                                                            \
    return SN_OK;                                                                         \
  }                                                                                       \
  static sn_status fake_set_##kind(sn_spec *spec, int32_t id, const sn_##kind##_def *def, \
                                   sn_error *error) {                                     \
    (void)spec;                                                                           \
    (void)error;                                                                          \
    the_fake->kind[id] = *def;                                                            \
    return SN_OK;                                                                         \
  }
SN_ELEMENTS(FAKE_GET)

#define FAKE_SETTINGS(kind)                                                                     \
  static sn_status fake_get_##kind(const sn_spec *spec, sn_##kind *settings) {                  \
    (void)spec;                                                                                 \
    *settings = the_fake->kind;                                                                 \
    return SN_OK;                                                                               \
  }                                                                                             \
  static sn_status fake_set_##kind(sn_spec *spec, const sn_##kind *settings, sn_error *error) { \
    (void)spec;                                                                                 \
    (void)error;                                                                                \
    the_fake->kind = *settings;                                                                 \
    return SN_OK;                                                                               \
  }
SN_SETTINGS(FAKE_SETTINGS)

static sn_status fake_set_name(sn_spec *spec, const char *name) {
  (void)spec;
  snprintf(the_fake->model, sizeof the_fake->model, "%s", name);
  return SN_OK;
}

static sn_status fake_warn(sn_spec *spec, const sn_location *location, const char *text) {
  (void)spec;
  the_fake->warning_line = location->line;
  the_fake->nwarning++;
  snprintf(the_fake->warning, sizeof the_fake->warning, "%s", text);
  return SN_OK;
}

static const char *fake_orientation(const sn_spec *spec, const sn_orient *orient, double *quat) {
  (void)spec;
  return si_orient_quat(orient, &the_fake->compiler, quat);
}

// ------------------------------------------------------------------ sources

static void fake_close_source(sn_source *child) {
  the_fake->nopen--;
  free((void *)(uintptr_t)child->bytes);
  free((void *)(uintptr_t)child->name);
  free(child);
}

static char *fake_read_disk(const char *path, int64_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    return NULL;
  }
  size_t size = 0, capacity = 65536;
  char *bytes = malloc(capacity + 1);
  for (size_t n; (n = fread(bytes + size, 1, capacity - size, file)) > 0;) {
    size += n;
    if (size == capacity) {
      bytes = realloc(bytes, 2 * capacity + 1);
      capacity *= 2;
    }
  }
  fclose(file);
  bytes[size] = 0;
  *count = (int64_t)size;
  return bytes;
}

static sn_status fake_open_source(sn_source *source, const char *name, sn_source **child,
                                  sn_error *error) {
  (void)error;
  char *bytes = NULL;
  int64_t count = 0;
  if (the_fake->from_disk) {
    char path[2304];
    snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : the_fake->folder, name);
    bytes = fake_read_disk(path, &count);
  }
  for (int i = 0; i < FAKE_FILES && the_fake->files[i].name && !bytes; i++) {
    if (strcmp(the_fake->files[i].name, name) == 0) {
      count = (int64_t)strlen(the_fake->files[i].text);
      bytes = calloc(1, (size_t)count + 1);
      memcpy(bytes, the_fake->files[i].text, (size_t)count);
    }
  }
  if (!bytes) {
    return SN_EIO;
  }
  sn_source *s = calloc(1, sizeof *s);
  *s = *source;
  s->name = strdup(name);
  s->bytes = (const uint8_t *)bytes;
  s->count = count;
  *child = s;
  the_fake->nopen++;
  return SN_OK;
}

// ------------------------------------------------------------------ life

static void fake_open(fake *f) {
  memset(f, 0, sizeof *f);
  the_fake = f;
  f->host = (sn_host){ .size = sizeof(sn_host),
                       .abi_major = SN_ABI_MAJOR,
                       .version = SN_VERSION,
                       .alloc = fake_alloc,
                       .free = fake_free,
                       .error = fake_error };
  f->builder.size = sizeof(sn_builder);
  f->builder.host = &f->host;
  f->builder.set_name = fake_set_name;
  f->builder.warn = fake_warn;
  f->builder.orientation = fake_orientation;
#define FAKE_WIRE(kind)                    \
  f->builder.add_##kind = fake_add_##kind; \
  f->builder.get_##kind = fake_get_##kind; \
  f->builder.set_##kind = fake_set_##kind;
  SN_ELEMENTS(FAKE_WIRE)
#undef FAKE_WIRE
#define FAKE_WIRE(kind)                    \
  f->builder.get_##kind = fake_get_##kind; \
  f->builder.set_##kind = fake_set_##kind; \
  sn_default_##kind(&f->kind);
  SN_SETTINGS(FAKE_WIRE)
#undef FAKE_WIRE

  // the world
  sn_body_def world;
  sn_default_body(&world);
  const sn_location nowhere = { NULL, 0, 0 };
  int32_t id;
  fake_add_body(NULL, &world, &nowhere, &id, NULL);
}

static sn_status fake_load(fake *f, const sn_loader_ops *loader, const char *name,
                           const void *bytes, int64_t count) {
  f->source = (sn_source){ .size = sizeof(sn_source),
                           .name = name,
                           .bytes = bytes,
                           .count = count,
                           .open = fake_open_source,
                           .close = fake_close_source };
  return loader->load(NULL, &f->source, &f->builder, NULL);
}

// The first loader of a shared object, NULL when there is none.
static const sn_loader_ops *fake_loader(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return NULL;
  }
  sn_plugin_entry_fn *entry;
  *(void **)&entry = dlsym(library, "sn_plugin_entry");
  return entry()->provides[0].ops;
}

static void fake_close(fake *f) {
  while (f->memory) {
    fake_memory *next = f->memory->next;
    free(f->memory);
    f->memory = next;
  }
#define FAKE_DROP(kind) \
  free(f->kind);        \
  free(f->kind##_place);
  SN_ELEMENTS(FAKE_DROP)
#undef FAKE_DROP
}

#endif
