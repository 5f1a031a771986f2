// SPDX-License-Identifier: Apache-2.0
//
// Files that loaders read: from memory, where the application put them, from plugins (provided.c),
// else from disk. A name is relative to the folder of the file that says it.
//
//   "arm.xml" says "mesh/hand.stl" in "robot/arm.xml":
//     in memory "robot/mesh/hand.stl", in memory "mesh/hand.stl", disk robot/mesh/hand.stl
//   "mesh/hand.stl" in "package://arm/arm.urdf", with a plugin for "package://":
//     in memory "package://arm/mesh/hand.stl", the plugin, in memory "mesh/hand.stl"
//
// Where a part of a path is a file, that file is an archive, which stands for a folder:
// "robot.zip/arm.xml" finds its meshes in there. A file in an archive may be an archive too:
// "robots.zip/arm.zip/arm.xml". An archive is read once for a model and belongs to the file that
// was opened first.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/files.h"
#include "files/reading.h"
#include "host/limits.h"
#include "platform/file.h"

typedef struct opened {
  sn_source source;   // first
  sn_engine *engine;
  char *name;
  uint8_t *bytes;   // owned; NULL: those of a file in memory
  struct opened *includer;   // whose part it is; NULL: it is no part
  int depth;                 // the number of files over which it was opened
  struct opened *first;      // what opened it, or what opened that, and so on; NULL: the engine did
  struct opened *archives;   // of the first: those that files were found in
  struct opened *next;       // of an archive
  double asked;              // of the first: bytes requested for it and all files that it opened
} opened;

static opened *first_of(opened *o) {
  return o->first ? o->first : o;
}

// ------------------------------------------------------------------ names

// Characters at the beginning of a path that ".." does not take back: a prefix of a plugin,
// "scheme://", or "/".
static size_t root_length(const sn_engine *engine, const char *path) {
  const size_t prefix = si_provided_prefix(engine, path), word = strcspn(path, ":/");
  return prefix                                            ? prefix
         : word > 0 && strncmp(path + word, "://", 3) == 0 ? word + 3
                                                           : path[0] == '/';
}

// "a/./b/../c" becomes "a/c", from `start` on, in place.
static void normalize(char *start) {
  char *from = start, *to = start;
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
}

// The path of `name` relative to the folder of `base`, without "." and with ".." taken back where
// it can be. NULL: no memory.
static char *source_path(const sn_engine *engine, const char *base, const char *name) {
  size_t n = 0;
  if (base && name[0] != '/' && si_provided_prefix(engine, name) == 0) {
    const char *slash = strrchr(base, '/');
    const size_t root = si_provided_prefix(engine, base);
    n = slash ? (size_t)(slash - base) + 1 : 0;
    n = root > n ? root : n;
  }
  char *path = si_text("%.*s%s", (int)n, n ? base : "", name);
  if (path) {
    normalize(path + root_length(engine, path));
  }
  return path;
}

// ------------------------------------------------------------------ a source

static sn_status open_any(sn_engine *engine, opened *first, const char *base, const char *name,
                          sn_source **source, sn_error *error);
static sn_status find_archive(opened *owner, const char *path, opened **archive,
                              const char **member, sn_error *error);
static sn_status find_inner(opened *owner, const char *path, opened **archive, const char **member,
                            sn_error *error);

static sn_status source_open(sn_source *source, const char *name, sn_source **child,
                             sn_error *error) {
  enum { DEEPEST = 64 };   // beyond, a loader opens its own file again and again
  opened *o = (opened *)source;
  if (o->depth >= DEEPEST) {
    *child = NULL;
    return si_fail(error, SN_EINVAL,
                   "files open each other over more than %d levels; the last is "
                   "'%s', which opens '%s'",
                   DEEPEST, o->name, name ? name : "");
  }
  const sn_status status = open_any(o->engine, first_of(o), o->name, name, child, error);
  if (status >= 0) {
    ((opened *)*child)->depth = o->depth + 1;
  }
  return status == SN_ENOTFOUND ? SN_EIO : status;
}

static sn_status source_reserve(sn_source *source, int64_t bytes, sn_error *error) {
  opened *o = (opened *)source, *first = first_of(o);
  const sn_location location = { .file = o->name };
  first->asked += bytes > 0 ? (double)bytes : 0;
  return si_limit_memory(o->engine, first->asked, &location, "the elements of this file", error);
}

static void source_close(sn_source *source) {
  opened *o = (opened *)source;
  for (opened *a = o ? o->archives : NULL, *next; a; a = next) {
    next = a->next;
    source_close(&a->source);
  }
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
  sn_status status = open_any(o->engine, first_of(o), o->name, name, &child, error);
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
  opened *o = (opened *)source, *archive = NULL;
  const char *inside = NULL;
  char *path = source_path(o->engine, o->name, folder);
  size_t n = path ? strlen(path) : 0;
  if (n > 0 && n > root_length(o->engine, path) && path[n - 1] == '/') {
    path[n - 1] = '\0';
  }
  if (path && si_provided_prefix(o->engine, path) > 0) {
    si_reading_open(o->engine->reading);
  } else if (path) {
    si_reading_add(o->engine->reading, si_file_is_folder(path) ? SI_READ_FOLDER : SI_READ_NO_FOLDER,
                   path);
  }
  // the folder itself may be an archive
  char *whole = path ? si_text("%s/", path) : NULL;
  if (whole && si_provided_prefix(o->engine, path) > 0) {
    inside = path;
  } else if (whole && !si_file_is_folder(path) &&
             find_archive(first_of(o), whole, &archive, &inside, NULL) >= 0 && archive &&
             find_inner(first_of(o), whole, &archive, &inside, NULL) >= 0) {
    char *end = whole + strlen(whole) - 1;
    *end = inside <= end ? '\0' : *end;
  }
  const sn_status status = whole
                               ? si_folder_list(o->engine, path, archive ? &archive->source : NULL,
                                                inside, context, each)
                               : SN_ENOMEM;
  free(whole);
  free(path);
  return status;
}

static opened *new_source(sn_engine *engine, opened *first, const char *name) {
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
  o->first = first;
  o->name = copy;
  return o;
}

// ------------------------------------------------------------------ memory, plugins, the disk

static void set_bytes(opened *o, const uint8_t *bytes, int64_t count) {
  o->source.bytes = bytes;
  o->source.count = count;
}

// SN_ENOTFOUND: there is none of this name.
static sn_status read_memory(opened *o, const char *name) {
  const si_resource *r = si_resource_find(o->engine, name);
  char *copy = r ? strdup(r->name) : NULL;
  if (!copy) {
    return r ? SN_ENOMEM : SN_ENOTFOUND;
  }
  free(o->name);
  o->name = copy;
  o->source.name = copy;
  set_bytes(o, r->bytes, r->count);
  return SN_OK;
}

static sn_status read_provided(opened *o, const sn_source *archive, const char *name,
                               sn_error *error) {
  int64_t count = 0;
  if (!archive) {
    si_reading_open(o->engine->reading);
  } else if (o->engine->reading) {
    o->engine->reading->has_members = 1;
  }
  SN_TRY(si_provided_read(o->engine, archive, name, o->name, &first_of(o)->asked, &o->bytes, &count,
                          error));
  set_bytes(o, o->bytes, count);
  return SN_OK;
}

static sn_status read_all(int descriptor, const char *path, uint8_t *bytes, int64_t count,
                          sn_error *error) {
  const int64_t n = si_file_read(descriptor, bytes, count);
  return n == count ? SN_OK
                    : si_fail(error, SN_EIO, "cannot read %s: %s", path,
                              n < 0 ? strerror(errno) : "it was truncated while it was read");
}

static sn_status read_descriptor(opened *o, int descriptor, int64_t count, sn_error *error) {
  if (count > SI_SOURCE_MAX) {
    return si_fail(error, SN_EIO, "cannot read %s: it has %lld bytes, the limit is %lld", o->name,
                   (long long)count, (long long)SI_SOURCE_MAX);
  }
  o->bytes = malloc((size_t)count + 1);
  if (!o->bytes) {
    return si_no_memory(error);
  }
  o->bytes[count] = 0;
  set_bytes(o, o->bytes, count);
  return read_all(descriptor, o->name, o->bytes, count, error);
}

// A file that cannot be opened; it may be there.
static void note_missing(const sn_engine *engine, const char *path, int is_missing) {
  if (is_missing) {
    si_reading_add(engine->reading, SI_READ_NO_FILE, path);
  } else {
    si_reading_open(engine->reading);
  }
}

// SN_ENOTFOUND: there is no such file. written: the name as it was given, for the message.
static sn_status read_disk(opened *o, const char *written, sn_error *error) {
  const char *why, *path = *o->name ? o->name : ".";
  int64_t count;
  const int descriptor = si_file_open(path, &count, &why);
  if (descriptor < 0) {
    const int code = errno;
    const int missing = code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG;
    note_missing(o->engine, path, missing);
    if (code == EISDIR || code == EINVAL) {
      return si_fail(error, SN_EIO, "cannot read %s: %s", path, why);
    }
    const int resources = o->engine->nresource > 0 && code == ENOENT;
    const int both = resources && strcmp(path, written) != 0;
    if (!resources && strcmp(path, written) == 0) {
      return si_fail(error, missing ? SN_ENOTFOUND : SN_EIO, "cannot open '%s': %s", path, why);
    }
    return si_fail(error, missing ? SN_ENOTFOUND : SN_EIO,
                   "cannot open '%s': tried %s (%s)%s%s%s%s%s", written, path, why,
                   resources ? ", and the files in memory '" : "", resources ? path : "",
                   both ? "', '" : "", both ? written : "", resources ? "'" : "");
  }
  si_reading_add_open(o->engine->reading, path, descriptor);
  const sn_status status = read_descriptor(o, descriptor, count, error);
  si_file_close(descriptor);
  return status;
}

// ------------------------------------------------------------------ archives

// A part of a path as a file, which is then an archive. SN_ENOTFOUND: it is no file.
static sn_status read_archive(opened *archive, sn_error *error) {
  const char *path = archive->name;
  opened *first = first_of(archive);
  const sn_status status = read_memory(archive, path);
  if (status != SN_ENOTFOUND) {
    return status;
  }
  if (si_provided_prefix(archive->engine, path) > 0) {
    return read_provided(archive, NULL, path, NULL);
  }
  const sn_location location = { .file = path };
  SN_TRY(read_disk(archive, path, error));
  first->asked += (double)archive->source.count;
  return si_limit_memory(archive->engine, first->asked, &location, "the content of this archive",
                         error);
}

static opened *find_read(opened *owner, const char *name) {
  opened *a = owner->archives;
  while (a && strcmp(a->name, name) != 0) {
    a = a->next;
  }
  return a;
}

// An archive that was read joins the list of its owner; one that could not be read is freed.
static sn_status keep_archive(opened *owner, opened *read, sn_status status, opened **archive) {
  if (status < 0) {
    source_close(read ? &read->source : NULL);
    return status;
  }
  read->next = owner->archives;
  owner->archives = read;
  *archive = read;
  return SN_OK;
}

// An archive of this name, read now or before, in the list of its owner.
static sn_status get_archive(opened *owner, const char *name, opened **archive, sn_error *error) {
  sn_engine *engine = owner->engine;
  *archive = find_read(owner, name);
  if (*archive) {
    return SN_OK;
  }
  if (!si_resource_find(engine, name) && si_provided_prefix(engine, name) == 0 &&
      !si_file_is_regular(name)) {
    si_reading_add(engine->reading, SI_READ_NO_FILE, name);
    return SN_ENOTFOUND;
  }
  opened *a = new_source(engine, owner, name);
  const sn_status status = a ? read_archive(a, error) : si_no_memory(error);
  return keep_archive(owner, a, status, archive);
}

// The archive that a path leads into, and the rest of the path: the first part that is a file.
// *archive NULL: there is none.
static sn_status find_archive(opened *owner, const char *path, opened **archive,
                              const char **member, sn_error *error) {
  const size_t root = root_length(owner->engine, path);
  *archive = NULL;
  for (const char *slash = strchr(path + root, '/'); slash; slash = strchr(slash + 1, '/')) {
    char *part = strndup(path, (size_t)(slash - path));
    const sn_status status = part ? get_archive(owner, part, archive, error) : si_no_memory(error);
    free(part);
    if (status != SN_ENOTFOUND) {
      *member = slash + 1;
      return status;
    }
  }
  return SN_OK;
}

// A file in an archive as an archive, read now or before. inside: its name there.
static sn_status get_inner(opened *owner, const opened *outer, const char *name, const char *inside,
                           opened **archive, sn_error *error) {
  *archive = find_read(owner, name);
  if (*archive) {
    return SN_OK;
  }
  opened *a = new_source(owner->engine, owner, name);
  const sn_status status = a ? read_provided(a, &outer->source, inside, error)
                             : si_no_memory(error);
  return keep_archive(owner, a, status, archive);
}

// From an archive that a path leads into to the innermost one: parts of the rest of the path that
// are files.
static sn_status find_inner(opened *owner, const char *path, opened **archive, const char **member,
                            sn_error *error) {
  for (const char *slash = strchr(*member, '/'); slash; slash = strchr(slash + 1, '/')) {
    char *part = strndup(path, (size_t)(slash - path));
    opened *inner = NULL;
    const sn_status status = part ? get_inner(owner, *archive, part, part + (*member - path),
                                              &inner, error)
                                  : si_no_memory(error);
    free(part);
    if (status >= 0) {
      *archive = inner;
      *member = slash + 1;
    } else if (status != SN_ENOTFOUND) {
      return status;
    }
  }
  return SN_OK;
}

// A file in an archive, or in one that is in there. missing: why the path itself could not be
// opened.
static sn_status read_member(opened *o, const sn_error *missing, sn_error *error) {
  opened *archive;
  const char *member = NULL;
  sn_error inner = { 0 };
  SN_TRY(find_archive(first_of(o), o->name, &archive, &member, error));
  if (!archive) {
    si_error_assign(error, missing);
    return SN_ENOTFOUND;
  }
  const opened *outer = archive;
  sn_status status = read_provided(o, &archive->source, member, &inner);
  if (status == SN_ENOTFOUND) {
    SN_TRY(find_inner(first_of(o), o->name, &archive, &member, error));
    status = archive == outer ? status : read_provided(o, &archive->source, member, &inner);
  }
  if (status < 0) {
    si_error_assign(error, &inner);
  }
  return status;
}

// ------------------------------------------------------------------ all of them

static sn_status read_any(opened *o, const char *name, sn_error *error) {
  sn_status status = read_memory(o, o->name);
  status = status == SN_ENOTFOUND ? read_memory(o, name) : status;
  if (status != SN_ENOTFOUND) {
    return status;
  }
  const size_t prefix = si_provided_prefix(o->engine, o->name);
  const char *rest = o->name + prefix;
  if (prefix > 0 && (rest[0] == '\0' || strcmp(rest, "..") == 0 || strncmp(rest, "../", 3) == 0)) {
    return si_fail(error, SN_EIO, "cannot open '%s': the name %s '%.*s'", o->name,
                   rest[0] ? "leads above" : "has nothing after", (int)prefix, o->name);
  }
  sn_error inner = { 0 };
  status = prefix > 0 ? read_provided(o, NULL, o->name, &inner) : read_disk(o, name, &inner);
  if (status == SN_ENOTFOUND) {
    return read_member(o, &inner, error);
  }
  if (status < 0) {
    si_error_assign(error, &inner);
  }
  return status;
}

// The same as si_engine_open_source, but SN_ENOTFOUND where there is no such file. first: what all
// is opened for; NULL: this file is it.
static sn_status open_any(sn_engine *engine, opened *first, const char *base, const char *name,
                          sn_source **source, sn_error *error) {
  *source = NULL;
  if (!name || !name[0]) {
    return si_fail(error, SN_EINVAL, "a file requires a name");
  }
  char *path = source_path(engine, base, name);
  opened *o = path ? new_source(engine, first, path) : NULL;
  const sn_status status = o ? read_any(o, name, error) : si_no_memory(error);
  free(path);
  if (status < 0) {
    source_close(o ? &o->source : NULL);
    return status;
  }
  if (engine->watch) {
    engine->watch(engine->watch_context, o->name, o->source.bytes, o->source.count);
  }
  *source = &o->source;
  return SN_OK;
}

sn_status si_engine_open_source(sn_engine *engine, const char *base, const char *name,
                                sn_source **source, sn_error *error) {
  const sn_status status = open_any(engine, NULL, base, name, source, error);
  return status == SN_ENOTFOUND ? SN_EIO : status;
}

// ------------------------------------------------------------------ parts

enum { MOST_LEVELS = 32 };   // of files that include each other

// The files from the first on, "a.xml > b.xml > c.xml".
static void put_chain(const opened *o, char *out, size_t capacity) {
  if (o->includer) {
    put_chain(o->includer, out, capacity);
  }
  const size_t n = strlen(out);
  snprintf(out + n, capacity - n, "%s%s", n ? " > " : "", o->name);
}

static sn_status check_chain(const opened *part, sn_error *error) {
  int levels = 0, cycle = 0;
  for (const opened *o = part->includer; o; o = o->includer) {
    levels++;
    cycle |= strcmp(o->name, part->name) == 0;
  }
  if (!cycle && levels <= MOST_LEVELS) {
    return SN_OK;
  }
  char chain[1500] = "";
  put_chain(part, chain, sizeof chain);
  return cycle ? si_fail(error, SN_EINVAL, "the file includes itself: %s", chain)
               : si_fail(error, SN_EINVAL, "files include each other over more than %d levels: %s",
                         MOST_LEVELS, chain);
}

sn_status si_source_open_part(const sn_engine *engine, sn_source *source, const char *name,
                              sn_source **part, sn_error *error) {
  *part = NULL;
  if (!source || source->open != source_open || ((opened *)source)->engine != engine) {
    return si_fail(error, SN_EUNSUPPORTED,
                   "cannot include a file: the engine has not opened the file that includes it");
  }
  SN_TRY(source_open(source, name, part, error));
  opened *o = (opened *)*part;
  o->includer = (opened *)source;
  const sn_status status = check_chain(o, error);
  if (status < 0) {
    source_close(*part);
    *part = NULL;
  }
  return status;
}

// ------------------------------------------------------------------ files in memory, watching

sn_status sn_engine_add_resource(sn_engine *engine, const char *name, const void *bytes,
                                 int64_t count, sn_error *error) {
  if (!name || !name[0] || count < 0 || count > SI_SOURCE_MAX || (!bytes && count > 0)) {
    return si_fail(error, SN_EINVAL, "a file in memory requires a name, and 0 to %lld bytes",
                   (long long)SI_SOURCE_MAX);
  }
  char *path = source_path(engine, NULL, name);
  if (path && si_resource_find(engine, path)) {
    free(path);
    return si_fail(error, SN_EINVAL, "there is already a file in memory named '%s'", name);
  }
  return path ? si_resource_add(engine, path, bytes, count, error) : si_no_memory(error);
}

void sn_engine_watch_files(sn_engine *engine, sn_file_fn *watch, void *context) {
  engine->watch = watch;
  engine->watch_context = context;
}
