// SPDX-License-Identifier: Apache-2.0
//
// What is in a folder: entries on disk, first parts of the names of files in memory, and entries
// that plugins list; sorted by bytes, each once, without those that start with a dot. At most MOST
// entries are listed; a folder of more is not looked at, so that the answer never depends on the
// order of the disk.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"
#include "platform/folder.h"

enum { MOST = 20000 };

typedef struct entry {
  char *name;
  int32_t is_folder;
} entry;

typedef struct listing {
  entry *entries;
  int64_t n;
} listing;

static sn_status keep(listing *l, const char *name, size_t length, int32_t is_folder) {
  entry *more = si_more(l->entries, l->n, sizeof *more);
  l->entries = more ? more : l->entries;
  char *copy = more ? strndup(name, length) : NULL;
  if (!copy) {
    return SN_ENOMEM;
  }
  l->entries[l->n++] = (entry){ copy, is_folder };
  return SN_OK;
}

static sn_status keep_entry(void *context, const char *name, int32_t is_folder) {
  listing *l = context;
  return l->n < MOST ? keep(l, name, strlen(name), is_folder) : SN_ENOTFOUND;
}

// "robot/mesh/a.stl" in memory: the folder "robot/" has the folder "mesh".
static sn_status add_memory(listing *l, const sn_engine *engine, const char *path) {
  size_t n = strlen(path);
  while (n > 0 && path[n - 1] == '/') {
    n--;
  }
  for (int64_t i = 0; i < engine->nresource; i++) {
    const char *name = engine->resource[i].name;
    if (n > 0 && (strncmp(name, path, n) != 0 || name[n] != '/')) {
      continue;
    }
    const char *rest = name + n + (n > 0);
    const size_t length = strcspn(rest, "/");
    if (length > 0 && rest[0] != '.' && keep(l, rest, length, rest[length] == '/') < 0) {
      return SN_ENOMEM;
    }
  }
  return SN_OK;
}

static int compare(const void *a, const void *b) {
  const entry *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : y->is_folder - x->is_folder;
}

// A plugin may list what starts with a dot, and names that are none.
static sn_status keep_provided(void *context, const char *name, int32_t is_folder) {
  return !name || !name[0] || name[0] == '.' || strchr(name, '/')
             ? SN_OK
             : keep_entry(context, name, is_folder);
}

sn_status si_folder_list(const sn_engine *engine, const char *path, const sn_source *archive,
                         const char *inside, void *context,
                         void (*each)(void *context, const char *name, int32_t is_folder)) {
  listing l = { 0 };
  const sn_status disk = si_folder_each(path, keep_entry, &l),
                  memory = add_memory(&l, engine, path),
                  provided = inside ? si_provided_list(engine, archive, inside, &l, keep_provided)
                                    : SN_ENOTFOUND;
  const int fail = disk == SN_ENOMEM || memory < 0 || provided == SN_ENOMEM;
  if (l.n > 0) {
    qsort(l.entries, (size_t)l.n, sizeof *l.entries, compare);
  }
  for (int64_t i = 0; !fail && i < l.n; i++) {
    if (i == 0 || strcmp(l.entries[i].name, l.entries[i - 1].name) != 0) {
      each(context, l.entries[i].name, l.entries[i].is_folder);
    }
  }
  for (int64_t i = 0; i < l.n; i++) {
    free(l.entries[i].name);
  }
  free(l.entries);
  return fail ? SN_ENOMEM : l.n == 0 && disk < 0 && provided < 0 ? SN_ENOTFOUND : SN_OK;
}
