// SPDX-License-Identifier: Apache-2.0
//
// Files that loaders read: from memory, where the application put them, else from disk. A name is
// relative to the folder of the file that says it.
//
//   "arm.xml" says "mesh/hand.stl" in "robot/arm.xml":
//     resource "robot/mesh/hand.stl", resource "mesh/hand.stl", disk robot/mesh/hand.stl
//
// On disk, a zip archive is as good as a folder: "robot.zip/arm.xml" finds its meshes in there.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"
#include "host/limits.h"
#include "platform/archive.h"
#include "platform/file.h"

static const int64_t SOURCE_MAX = (int64_t)1 << 30;   // bytes: a file of more is refused

typedef struct opened {
  sn_source source;   // first
  sn_engine *engine;
  char *name;
  uint8_t *bytes;   // of the disk; NULL: the resource's
  struct opened *first;   // what opened it, or what opened that, and so on; NULL: the engine did
  double asked;           // of the first: bytes requested for it and all files that it opened
} opened;

// ------------------------------------------------------------------ names

char *si_source_path(const char *base, const char *name) {
  const char *slash = base && name[0] != '/' ? strrchr(base, '/') : NULL;
  char *path = slash ? si_text("%.*s%s", (int)(slash - base + 1), base, name) : strdup(name);
  if (!path) {
    return NULL;
  }
  const int absolute = path[0] == '/';
  char *from = path + absolute, *to = path + absolute, *const start = path + absolute;
  while (*from) {
    size_t n = strcspn(from, "/");
    char *previous = to;
    if (to > start) {
      // the part before: "abc/" ends at `to`
      previous = to - 1;
      while (previous > start && previous[-1] != '/') {
        previous--;
      }
    }
    const int up = n == 2 && from[0] == '.' && from[1] == '.';
    const int skip = n == 0 || (n == 1 && from[0] == '.');
    const int undo = up && to > start && strncmp(previous, "../", 3) != 0;
    if (undo) {
      to = previous;
    } else if (!skip) {
      memmove(to, from, n);
      to += n;
      if (from[n]) {
        *to++ = '/';
      }
    }
    from += n + (from[n] == '/');
  }
  *to = '\0';
  return path;
}

static const si_resource *find_resource(const sn_engine *engine, const char *name) {
  for (int64_t i = 0; i < engine->nresource; i++) {
    if (strcmp(engine->resource[i].name, name) == 0) {
      return &engine->resource[i];
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ a source

// The same as si_engine_open_source, but SN_ENOTFOUND where there is no such file.
static sn_status open_any(sn_engine *engine, const char *base, const char *name, sn_source **source,
                          sn_error *error);

static sn_status source_open(sn_source *source, const char *name, sn_source **child,
                             sn_error *error) {
  opened *o = (opened *)source;
  SN_TRY(si_engine_open_source(o->engine, o->name, name, child, error));
  ((opened *)*child)->first = o->first ? o->first : o;
  return SN_OK;
}

static sn_status source_reserve(sn_source *source, int64_t bytes, sn_error *error) {
  opened *o = (opened *)source, *first = o->first ? o->first : o;
  const sn_location location = { .file = o->name };
  first->asked += bytes > 0 ? (double)bytes : 0;
  return si_limit_memory(o->engine, first->asked, &location, "the elements of this file", error);
}

static void source_close(sn_source *source) {
  opened *o = (opened *)source;
  if (o) {
    free(o->name);
    free(o->bytes);
    free(o);
  }
}

static sn_status source_check(sn_source *source, const char *name, char *why, int64_t size) {
  opened *o = (opened *)source;
  sn_source *child = NULL;
  sn_error *error = sn_error_new();
  sn_status status = open_any(o->engine, o->name, name, &child, error);
  if (why && size > 0) {
    snprintf(why, (size_t)size, "%s", status < 0 ? sn_error_message(error) : "");
  }
  if (status >= 0) {
    source_close(child);
  }
  sn_error_free(error);
  return status >= 0 || status == SN_ENOTFOUND ? status : SN_EIO;
}

static sn_status source_list(sn_source *source, const char *folder, void *context,
                             void (*each)(void *context, const char *name, int32_t is_folder)) {
  opened *o = (opened *)source;
  char *path = si_source_path(o->name, folder);
  sn_status status = path ? si_folder_list(o->engine, path, context, each) : SN_ENOMEM;
  free(path);
  return status;
}

static opened *new_source(sn_engine *engine, const char *name) {
  opened *o = calloc(1, sizeof *o);
  char *copy = strdup(name);
  if (!o || !copy) {
    free(o);
    free(copy);
    return NULL;
  }
  o->source = (sn_source){ .size = sizeof(sn_source),
                           .context = o,
                           .name = copy,
                           .open = source_open,
                           .close = source_close,
                           .check = source_check,
                           .list = source_list,
                           .reserve = source_reserve };
  o->engine = engine;
  o->name = copy;
  return o;
}

// ------------------------------------------------------------------ the disk

static sn_status read_all(int descriptor, const char *path, uint8_t *bytes, int64_t count,
                          sn_error *error) {
  const int64_t n = si_file_read(descriptor, bytes, count);
  return n == count ? SN_OK
                    : si_fail(error, SN_EIO, "cannot read %s: %s", path,
                              n < 0 ? strerror(errno) : "it was truncated while it was read");
}

static sn_status read_disk(int descriptor, int64_t count, opened *o, sn_error *error) {
  if (count > SOURCE_MAX) {
    return si_fail(error, SN_EIO, "cannot read %s: it has %lld bytes, at most %lld are read",
                   o->name, (long long)count, (long long)SOURCE_MAX);
  }
  o->bytes = malloc((size_t)count + 1);
  if (!o->bytes) {
    return si_no_memory(error);
  }
  o->bytes[count] = 0;
  o->source.bytes = o->bytes;
  o->source.count = count;
  return read_all(descriptor, o->name, o->bytes, count, error);
}

// SN_ENOTFOUND: no part of the path is an archive, or it has no such member. *said: the error is
// filled.
static sn_status open_archive(sn_engine *engine, const char *path, sn_source **source, int *said,
                              sn_error *error) {
  char *archive = strdup(path);
  const char *member = archive ? si_archive_member(archive) : NULL;
  opened *o = member ? new_source(engine, path) : NULL;
  sn_status status = !archive  ? si_no_memory(error)
                     : !member ? SN_ENOTFOUND
                     : !o      ? si_no_memory(error)
                               : si_archive_read(archive, member, SOURCE_MAX, &o->bytes,
                                                 &o->source.count, error);
  free(archive);
  *said = member != NULL;
  if (status < 0) {
    source_close(o ? &o->source : NULL);
    return status;
  }
  o->source.bytes = o->bytes;
  *source = &o->source;
  return SN_OK;
}

static sn_status open_disk(sn_engine *engine, const char *path, const char *name,
                           sn_source **source, sn_error *error) {
  const char *why;
  int64_t count;
  const int descriptor = si_file_open(path, &count, &why);
  if (descriptor < 0) {
    const int code = errno;
    int said = 0;
    if (code == EISDIR || code == EINVAL) {
      return si_fail(error, SN_EIO, "cannot read %s: %s", path, why);
    }
    sn_status status = code == ENOTDIR ? open_archive(engine, path, source, &said, error)
                                       : SN_ENOTFOUND;
    if (status != SN_ENOTFOUND || said) {
      return status;
    }
    const int missing = code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG;
    const int resources = engine->nresource > 0 && code == ENOENT;
    si_fail(error, SN_EIO, "cannot open '%s': tried %s (%s)%s%s%s%s", name, path, why,
            resources ? ", and among the files in memory '" : "", resources ? path : "",
            resources && strcmp(path, name) != 0 ? "', '" : "",
            resources && strcmp(path, name) != 0 ? name : "");
    return missing ? SN_ENOTFOUND : SN_EIO;
  }
  opened *o = new_source(engine, path);
  sn_status status = o ? read_disk(descriptor, count, o, error) : si_no_memory(error);
  si_file_close(descriptor);
  if (status < 0) {
    source_close(o ? &o->source : NULL);
    return status;
  }
  *source = &o->source;
  return SN_OK;
}

static sn_status open_any(sn_engine *engine, const char *base, const char *name, sn_source **source,
                          sn_error *error) {
  *source = NULL;
  if (!name || !name[0]) {
    return si_fail(error, SN_EINVAL, "a file needs a name");
  }
  char *path = si_source_path(base, name);
  if (!path) {
    return si_no_memory(error);
  }
  const si_resource *r = find_resource(engine, path);
  r = r ? r : find_resource(engine, name);
  sn_status status = SN_OK;
  if (r) {
    opened *o = new_source(engine, r->name);
    if (o) {
      o->source.bytes = r->bytes;
      o->source.count = r->count;
      *source = &o->source;
    }
    status = o ? SN_OK : si_no_memory(error);
  } else {
    status = open_disk(engine, path, name, source, error);
  }
  free(path);
  return status;
}

sn_status si_engine_open_source(sn_engine *engine, const char *base, const char *name,
                                sn_source **source, sn_error *error) {
  sn_status status = open_any(engine, base, name, source, error);
  return status == SN_ENOTFOUND ? SN_EIO : status;
}

// ------------------------------------------------------------------ files in memory

sn_status sn_engine_add_resource(sn_engine *engine, const char *name, const void *bytes,
                                 int64_t count, sn_error *error) {
  if (!name || !name[0] || count < 0 || count > SOURCE_MAX || (!bytes && count > 0)) {
    return si_fail(error, SN_EINVAL, "a file in memory requires a name, and 0 to %lld bytes",
                   (long long)SOURCE_MAX);
  }
  char *path = si_source_path(NULL, name);
  if (path && find_resource(engine, path)) {
    free(path);
    return si_fail(error, SN_EINVAL, "there is already a file in memory named '%s'", name);
  }
  uint8_t *copy = malloc((size_t)count + 1);
  si_resource *more = si_more(engine->resource, engine->nresource, sizeof *more);
  engine->resource = more ? more : engine->resource;
  if (!path || !copy || !more) {
    free(path);
    free(copy);
    return si_no_memory(error);
  }
  if (count > 0) {
    memcpy(copy, bytes, (size_t)count);
  }
  copy[count] = 0;
  si_resource *added = &engine->resource[engine->nresource++];
  added->name = path;
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
