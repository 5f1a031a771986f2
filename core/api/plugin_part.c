// SPDX-License-Identifier: Apache-2.0
//
// Parts of plugins, which are loaded when they are first used; see sinew/part.h. Nothing is kept
// here: the dynamic linker returns the same object for the same file.

#include "sinew/part.h"

#include <stdlib.h>
#include <string.h>

#include "api/plugin_part.h"
#include "base/text.h"
#include "host/engine_state.h"
#include "platform/object.h"

static const sn_provide *find(const sn_plugin *about, const char *kind, const char *name) {
  const sn_provide *p = about->provides;
  while (p->kind && (strcmp(p->kind, kind) != 0 || !p->name || strcmp(p->name, name) != 0)) {
    p++;
  }
  return p->kind ? p : NULL;
}

static sn_status check_ops(const sn_provide *row, const char *path, sn_error *error) {
  const si_kind *kind = si_kind_find(row->kind, error);
  char *subject = kind ? si_text("'%s' of %s", row->name, path) : NULL;
  void *copy = subject ? si_kind_copy_ops(kind, row->ops, SI_AGE_UNKNOWN, subject, error) : NULL;
  const sn_status status = copy      ? SN_OK
                           : subject ? SN_EPLUGIN
                           : kind    ? si_no_memory(error)
                                     : SN_EPLUGIN;
  free(copy);
  free(subject);
  return status;
}

static sn_status load_part(sn_engine *engine, const char *path, const char *kind, const char *name,
                           const void **ops, sn_error *error) {
  char *canonical = NULL;
  sn_plugin_entry_fn *entry;
  sn_plugin about;
  const sn_status status = si_plugin_read(engine, path, path, &canonical, &entry, &about, error);
  free(canonical);
  SN_TRY(status);
  const sn_provide *row = find(&about, kind, name);
  if (!row) {
    return si_fail(error, SN_EPLUGIN,
                   "%s does not provide '%s' of kind %s; install all files of "
                   "the plugin again",
                   path, name, kind);
  }
  SN_TRY(check_ops(row, path, error));
  *ops = row->ops;
  return SN_OK;
}

static sn_status part_ops(const sn_host *host, const void *inside, const char *file,
                          const char *kind, const char *name, const void **ops, sn_error *error) {
  const char *plugin = si_object_path(inside), *slash = plugin ? strrchr(plugin, '/') : NULL;
  *ops = NULL;
  if (!slash) {
    return si_fail(error, SN_EINVAL,
                   "sn_part_service: `inside` is not an address in the file of a plugin");
  }
  char *path = si_text("%.*s/%s", (int)(slash - plugin), plugin, file);
  const sn_status status = path ? load_part((sn_engine *)(uintptr_t)host, path, kind, name, ops,
                                            error)
                                : si_no_memory(error);
  free(path);
  return status;
}

const sn_part_service si_part_service_table = {
  .size = sizeof(sn_part_service),
  .ops = part_ops,
};
