// SPDX-License-Identifier: Apache-2.0
//
// What is in a folder: entries on disk, first parts of the names of files in memory, and entries
// that plugins list; without those that start with a dot.

#include <string.h>

#include "files/files.h"
#include "platform/folder.h"

// "robot/mesh/a.stl" in memory: the folder "robot/" has the folder "mesh".
static sn_status add_memory(si_listing *l, const sn_engine *engine, const char *path) {
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
    if (length > 0 && rest[0] != '.' && si_listing_add(l, rest, length, rest[length] == '/') < 0) {
      return SN_ENOMEM;
    }
  }
  return SN_OK;
}

// A plugin may list what starts with a dot, and names that are none.
static sn_status keep_provided(void *context, const char *name, int32_t is_folder) {
  return !name || !name[0] || name[0] == '.' || strchr(name, '/')
             ? SN_OK
             : si_listing_visit(context, name, is_folder);
}

sn_status si_folder_list(const sn_engine *engine, const char *path, const sn_source *archive,
                         const char *inside, void *context,
                         void (*each)(void *context, const char *name, int32_t is_folder)) {
  si_listing l = { 0 };
  const sn_status disk = si_folder_each(path, si_listing_visit, &l),
                  memory = add_memory(&l, engine, path),
                  provided = inside ? si_provided_list(engine, archive, inside, &l, keep_provided)
                                    : SN_ENOTFOUND;
  const int fail = disk == SN_ENOMEM || memory < 0 || provided == SN_ENOMEM;
  if (!fail) {
    si_listing_each(&l, each, context);
  }
  const sn_status status = fail ? SN_ENOMEM
                           : l.n == 0 && disk < 0 && provided < 0 ? SN_ENOTFOUND
                                                                  : SN_OK;
  si_listing_free(&l);
  return status;
}
