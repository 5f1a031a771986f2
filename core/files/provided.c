// SPDX-License-Identifier: Apache-2.0
//
// Files that plugins provide (resource.h): which plugin opens a name or an archive, and the
// content in memory of the host, which is checked against the limits before it is allocated.

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "files/files.h"
#include "files/probe.h"
#include "host/watching.h"
#include "platform/fpenv.h"

// ------------------------------------------------------------------ prefixes

static size_t prefix_of(const si_provider *p, const char *name) {
  const char *list = ((const sn_resource_ops *)p->ops)->prefixes;
  size_t longest = 0;
  for (si_word prefix; si_next_word(&list, &prefix);) {
    const int begins = strncmp(name, prefix.text, prefix.n) == 0;
    longest = begins && prefix.n > longest ? prefix.n : longest;
  }
  return longest;
}

size_t si_provided_prefix(const sn_engine *engine, const char *name) {
  const si_provider *p;
  size_t longest = 0;
  for (int64_t i = 0; (p = si_engine_each(engine, SN_KIND_RESOURCE, i)); i++) {
    const size_t n = prefix_of(p, name);
    longest = n > longest ? n : longest;
  }
  return longest;
}

// ------------------------------------------------------------------ archives

static si_probe_fn *probe_of(const void *ops) {
  return ((const sn_resource_ops *)ops)->probe;
}

// SN_ENOTFOUND: no provider recognizes the archive.
static sn_status recognize(const sn_engine *engine, const sn_source *archive, const char *name,
                           const si_provider **best, sn_error *error) {
  SN_TRY(si_engine_probe(engine, SN_KIND_RESOURCE, archive, probe_of, best, error));
  if (*best) {
    return SN_OK;
  }
  char *missing = si_engine_missing(engine, SN_KIND_RESOURCE, NULL);
  si_fail(error, SN_ENOTFOUND,
          "cannot open '%s': %s is a file, and not an archive that a plugin recognizes%s%s", name,
          archive->name, missing ? "; plugins that are not loaded, but may read it: " : "",
          missing ? missing : "");
  free(missing);
  return SN_ENOTFOUND;
}

int si_source_is_archive(const sn_engine *engine, const sn_source *source) {
  const si_provider *p;
  return recognize(engine, source, source->name, &p, NULL) >= 0;
}

// ------------------------------------------------------------------ reading

// The result of an operation: a failure or an unknown status as an error that names the file.
static sn_status judge(const si_provider *p, const char *name, const char *operation,
                       sn_status status, const si_fpenv *before, const sn_error *inner,
                       sn_error *error) {
  SN_TRY(si_fpenv_check(before, p->kind, p->name, error));
  if (status > 0) {
    return si_fail(
        error, SN_EPLUGIN,
        "cannot open '%s': '%s' of the resource '%s' returned %d, which is not a status of this "
        "operation",
        name, operation, p->name, status);
  }
  return status == SN_OK ? SN_OK
         : inner->message[0]
             ? si_fail(error, status, "cannot open '%s': %s", name, inner->message)
             : si_fail(error, status,
                       "cannot open '%s': the resource '%s' failed with status %d and no message",
                       name, p->name, status);
}

static sn_status read_open(sn_engine *engine, const si_provider *p, const char *name, void *file,
                           int64_t size, double *asked, uint8_t **bytes, sn_error *error) {
  const sn_resource_ops *ops = p->ops;
  const sn_location location = { .file = name };
  if (size < 0) {
    return si_fail(error, SN_EPLUGIN,
                   "cannot open '%s': the resource '%s' reports a size of %lld bytes", name,
                   p->name, (long long)size);
  }
  if (size > SI_SOURCE_MAX) {
    return si_fail(error, SN_EIO, "cannot open '%s': it has %lld bytes, the limit is %lld", name,
                   (long long)size, (long long)SI_SOURCE_MAX);
  }
  *asked += (double)size;
  SN_TRY(si_limit_memory(engine, *asked, &location, "the content of this file", error));
  *bytes = malloc((size_t)size + 1);
  if (!*bytes) {
    return si_no_memory(error);
  }
  (*bytes)[size] = 0;
  si_fpenv before;
  si_fpenv_save(&before);
  sn_error inner = { 0 };
  si_watch call;
  si_watch_open(&call, si_engine_checks(engine));
  uint8_t *lent = si_watch_lend(&call, "bytes", *bytes, size + 1);
  si_watch_enter(&call, p, "read");
  const sn_status status = ops->read(p->self, file, lent, &inner);
  SN_TRY(si_watch_end(&call, SN_OK, error));
  SN_TRY(judge(p, name, "read", status, &before, &inner, error));
  return (*bytes)[size] == 0
             ? SN_OK
             : si_fail(error, SN_EPLUGIN,
                       "cannot open '%s': the resource '%s' wrote past the %lld bytes of the file",
                       name, p->name, (long long)size);
}

// whole: the name for messages.
static sn_status read_of(sn_engine *engine, const si_provider *p, const sn_source *archive,
                         const char *name, const char *whole, double *asked, uint8_t **bytes,
                         int64_t *count, sn_error *error) {
  const sn_resource_ops *ops = p->ops;
  void *file = NULL;
  int64_t size = 0;
  si_fpenv before;
  si_fpenv_save(&before);
  sn_error inner = { 0 };
  si_watch call;
  si_watch_begin(&call, engine, p, "open");
  sn_status status = ops->open(p->self, archive, name, &file, &size, &inner);
  const int opened = status >= 0;
  const sn_status watched = si_watch_end(&call, SN_OK, error);
  status = watched < 0 ? watched : judge(p, whole, "open", status, &before, &inner, error);
  if (status >= 0) {
    status = read_open(engine, p, whole, file, size, asked, bytes, error);
  }
  if (opened) {
    si_watch_begin(&call, engine, p, "close");
    ops->close(p->self, file);
    si_watch_warn(&call, engine);
  }
  if (status < 0) {
    free(*bytes);
    *bytes = NULL;
  } else {
    *count = size;
  }
  return status;
}

sn_status si_provided_read(sn_engine *engine, const sn_source *archive, const char *name,
                           const char *whole, double *asked, uint8_t **bytes, int64_t *count,
                           sn_error *error) {
  const si_provider *p;
  sn_status status = SN_ENOTFOUND;
  *bytes = NULL;
  SN_TRY(si_engine_freeze(engine, error));
  if (archive) {
    SN_TRY(recognize(engine, archive, whole, &p, error));
    return read_of(engine, p, archive, name, whole, asked, bytes, count, error);
  }
  for (int64_t i = 0; status == SN_ENOTFOUND && (p = si_engine_each(engine, SN_KIND_RESOURCE, i));
       i++) {
    if (prefix_of(p, name) > 0) {
      status = read_of(engine, p, NULL, name, whole, asked, bytes, count, error);
    }
  }
  return status;
}

sn_status si_provided_list(const sn_engine *engine, const sn_source *archive, const char *folder,
                           void *context,
                           sn_status (*each)(void *context, const char *name, int32_t is_folder)) {
  const si_provider *p, *only = NULL;
  sn_status result = SN_ENOTFOUND;
  if (!engine->frozen) {
    return result;
  }
  if (archive) {
    SN_TRY(recognize(engine, archive, folder, &only, NULL));
  }
  for (int64_t i = 0; (p = si_engine_each(engine, SN_KIND_RESOURCE, i)); i++) {
    const sn_resource_ops *ops = p->ops;
    if (!ops->list || (archive ? p != only : prefix_of(p, folder) == 0)) {
      continue;
    }
    si_watch call;
    si_watch_begin(&call, engine, p, "list");
    const sn_status status = si_watch_end(&call, ops->list(p->self, archive, folder, context, each),
                                          NULL);
    if (status == SN_ENOMEM) {
      return status;
    }
    result = status >= 0 ? SN_OK : result;
  }
  return result;
}
