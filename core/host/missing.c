// SPDX-License-Identifier: Apache-2.0
//
// Which plugin, among the files beside those that are loaded, would provide what is missing: for an
// error message. Nothing of them is run or mapped. A plugin's table has the kind and the name as
// texts, "sinew.sensor/1" and "touch", so a file with both among its constants is likely to be the
// one; that it holds them for another reason costs no more than a wrong suggestion.

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"
#include "platform/elf.h"
#include "platform/file.h"
#include "platform/folder.h"
#include "platform/trust.h"

static int file_provides(const char *path, const char *kind, const char *name) {
  sn_error ignored = { 0 };
  const int descriptor = si_trust_open(path, "plugin", &ignored);
  if (descriptor < 0) {
    return 0;
  }
  si_elf elf;
  const int found = si_elf_open(descriptor, path, &elf, &ignored) >= 0 &&
                    si_elf_has_texts(&elf, kind, name);
  si_elf_close(&elf);
  si_file_close(descriptor);
  return found;
}

static int is_loaded(const sn_engine *engine, const char *path) {
  for (int64_t i = 0; i < engine->nplugin; i++) {
    if (engine->plugin[i]->path && strcmp(engine->plugin[i]->path, path) == 0) {
      return 1;
    }
  }
  return 0;
}

typedef struct search {
  const sn_engine *engine;
  const char *folder, *kind, *name;
  char *found;   // paths, with commas between them
} search;

// The first file that provides it; without a name, all that provide something of the kind.
static void look_at(void *context, const char *file, int32_t is_folder) {
  search *s = context;
  const char *end = strrchr(file, '.');
  const int wanted = !is_folder && end && strcmp(end, ".so") == 0 && (!s->found || !s->name);
  char *path = wanted ? si_text("%s/%s", s->folder, file) : NULL;
  const int known = path && (is_loaded(s->engine, path) || (s->found && strstr(s->found, path)));
  if (path && !known && file_provides(path, s->kind, s->name)) {
    char *joined = s->found ? si_text("%s, %s", s->found, path) : strdup(path);
    free(s->found);
    s->found = joined;
  }
  free(path);
}

char *si_engine_missing(const sn_engine *engine, const char *kind, const char *name) {
  char last[PATH_MAX] = "", folder[PATH_MAX];
  search s = { .engine = engine, .folder = folder, .kind = kind, .name = name };
  for (int64_t i = 0; i < engine->nplugin && (!s.found || !name); i++) {
    const char *path = engine->plugin[i]->path, *slash = path ? strrchr(path, '/') : NULL;
    if (!slash || (size_t)(slash - path) >= sizeof folder) {
      continue;
    }
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    if (strcmp(folder, last) != 0) {
      si_folder_sorted(folder, look_at, &s);
      strcpy(last, folder);
    }
  }
  return s.found;
}
