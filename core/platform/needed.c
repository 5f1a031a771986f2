// SPDX-License-Identifier: Apache-2.0
//
// The libraries that a shared object needs. The dynamic linker maps them with the object and runs
// their code first, so they are checked like the object itself, before the linker gets it.
//
// An object names what it needs (DT_NEEDED) and folders to search (DT_RUNPATH, or the older
// DT_RPATH, which holds for the libraries of its libraries too):
//
//   needed   libfoo.so.1, libm.so.6          found in a run path: trusted, and so on from there
//   runpath  $ORIGIN/../lib:/opt/foo/lib     found in none: the folders of the system, not checked
//
// In a folder, the dynamic linker prefers subfolders for some processors. They are checked like the
// folder.
//
// What the process has loaded already is not searched for. LD_LIBRARY_PATH and the folders of the
// system are the user's and the administrator's own word. A folder in which another user could put
// a missing library is rejected like the library.
//
// Reference: System V ABI, dynamic linking; ld.so(8).

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "platform/elf.h"
#include "platform/file.h"
#include "platform/runpath.h"
#include "platform/trust.h"

enum { TEXT_MAX = 16 << 20, ENTRIES_MAX = 1 << 14, OBJECTS_MAX = 256 };

// An object on the way from the plugin to a library.
typedef struct object {
  const struct object *parent;   // whose library it is; NULL: the plugin
  const char *path;
  char *text;          // its string table, and a zero; names below point into it
  const char *rpath;   // NULL: none
  const char *runpath;
  uint64_t *needed;   // offsets of names in text
  int64_t nneeded;
} object;

typedef struct search {
  sn_error *error;
  const char *plugin;   // its path, for messages
  char *seen[OBJECTS_MAX];
  int nseen;
} search;

// ------------------------------------------------------------------ the dynamic section

// The string table, whose address in memory the dynamic section has.
static sn_status read_strings(const si_elf *elf, uint64_t address, uint64_t bytes, object *o) {
  const ElfW(Phdr) * part;
  for (unsigned i = 0; (part = si_elf_segment(elf, PT_LOAD, i)) != NULL; i++) {
    if (address < part->p_vaddr || address - part->p_vaddr >= part->p_filesz) {
      continue;
    }
    const uint64_t skip = address - part->p_vaddr;
    if (bytes > part->p_filesz - skip || bytes > TEXT_MAX) {
      return SN_EPLUGIN;
    }
    o->text = calloc(1, bytes + 1);
    if (!o->text) {
      return SN_ENOMEM;
    }
    return si_elf_read(elf, o->text, bytes, part->p_offset + skip) ? SN_OK : SN_EPLUGIN;
  }
  return SN_EPLUGIN;
}

typedef struct table {
  ElfW(Dyn) * entry;
  uint64_t n;
} table;

static uint64_t value_of(const table *t, int64_t tag, uint64_t otherwise) {
  for (uint64_t i = 0; i < t->n && t->entry[i].d_tag != DT_NULL; i++) {
    if (t->entry[i].d_tag == tag) {
      return t->entry[i].d_un.d_val;
    }
  }
  return otherwise;
}

// Names that are loaded with the object, in `o`; all offsets are inside its text.
static sn_status collect(const table *t, uint64_t bytes, object *o) {
  o->needed = calloc(t->n + 1, sizeof *o->needed);
  if (!o->needed) {
    return SN_ENOMEM;
  }
  for (uint64_t i = 0; i < t->n && t->entry[i].d_tag != DT_NULL; i++) {
    const int64_t tag = t->entry[i].d_tag;
    const uint64_t value = t->entry[i].d_un.d_val;
    const int names_library = tag == DT_NEEDED || tag == DT_AUXILIARY || tag == DT_FILTER;
    if ((names_library || tag == DT_RPATH || tag == DT_RUNPATH) && value >= bytes) {
      return SN_EPLUGIN;
    }
    if (names_library) {
      o->needed[o->nneeded++] = value;
    } else if (tag == DT_RPATH) {
      o->rpath = o->text + value;
    } else if (tag == DT_RUNPATH) {
      o->runpath = o->text + value;
    }
  }
  o->rpath = o->runpath ? NULL : o->rpath;   // the newer one replaces the older
  return SN_OK;
}

static sn_status read_dynamic(const si_elf *elf, object *o) {
  const ElfW(Phdr) *part = si_elf_segment(elf, PT_DYNAMIC, 0);
  if (!part) {
    return SN_OK;   // it needs nothing
  }
  table t = { .n = part->p_filesz / sizeof(ElfW(Dyn)) };
  if (t.n > ENTRIES_MAX) {
    return SN_EPLUGIN;
  }
  t.entry = calloc(t.n + 1, sizeof *t.entry);
  if (!t.entry) {
    return SN_ENOMEM;
  }
  sn_status status = SN_EPLUGIN;
  if (si_elf_read(elf, t.entry, t.n * sizeof *t.entry, part->p_offset)) {
    const uint64_t bytes = value_of(&t, DT_STRSZ, 0);
    status = read_strings(elf, value_of(&t, DT_STRTAB, 0), bytes, o);
    status = status < 0 ? status : collect(&t, bytes, o);
  }
  free(t.entry);
  return status;
}

static void free_object(object *o) {
  free(o->text);
  free(o->needed);
}

// ------------------------------------------------------------------ a folder of the run path

static sn_status reject(search *s, const object *o, const char *name, const char *why) {
  return si_fail(s->error, SN_EPLUGIN, "the plugin %s is rejected: %s needs the library %s: %s",
                 s->plugin, o->parent ? o->path : "it", name, why);
}

static sn_status check_object(search *s, object *o, const si_elf *elf);

// A library that the dynamic linker would take, or the place where it would have looked.
static sn_status check_library(search *s, const object *o, const char *name, const char *path,
                               int *found) {
  sn_error inner = { 0 };
  *found = si_file_exists(path);
  if (!*found) {
    sn_status status = si_trust_absent(path, "library", &inner);
    return status < 0 ? reject(s, o, name, inner.message) : SN_OK;
  }
  if (path[0] != '/') {
    return reject(s, o, name,
                  "its run path leads to a file in the working folder; link it with a run path "
                  "that starts with $ORIGIN");
  }
  int descriptor = si_trust_open(path, "library", &inner);
  if (descriptor == SN_ENOMEM) {   // says nothing about the library
    return si_fail(s->error, SN_ENOMEM, "%s", inner.message);
  }
  if (descriptor < 0) {
    return reject(s, o, name, inner.message);
  }
  object library = { .parent = o, .path = path };
  si_elf elf;
  sn_status status = si_elf_open(descriptor, path, &elf, &inner);
  status = status < 0 ? reject(s, o, name, inner.message) : check_object(s, &library, &elf);
  si_elf_close(&elf);
  close(descriptor);
  return status;
}

// What the dynamic linker may take from a folder ("": the working folder). *found: of the folder
// itself, since it depends on the processor whether subfolders count.
static sn_status check_folder(search *s, const object *o, const char *name, const char *folder,
                              int depth, int *found) {
  const char *slash = *folder ? "/" : "", *preferred;
  for (size_t i = 0; depth < SI_PREFERRED_DEPTH && (preferred = si_runpath_preferred(i)); i++) {
    char *inner = si_text("%s%s%s", folder, slash, preferred);
    sn_status status = inner ? SN_OK : si_no_memory(s->error);
    if (inner && si_file_is_folder(inner)) {
      status = check_folder(s, o, name, inner, depth + 1, found);
    }
    free(inner);
    SN_TRY(status);
  }
  char *path = si_text("%s%s%s", folder, slash, name);
  sn_status status = path ? check_library(s, o, name, path, found) : si_no_memory(s->error);
  free(path);
  return status;
}

// Searches the folders of `list`, which object `owner` has, for a library of `o`.
static sn_status search_list(search *s, const object *o, const object *owner, const char *list,
                             const char *name, int *found) {
  *found = 0;
  const char *folders = list && *list ? list : NULL;
  while (folders && !*found) {
    const size_t n = strcspn(folders, ":");
    int unknown;
    char *folder = si_runpath_expand(owner->path, folders, n, &unknown);
    if (unknown) {
      return reject(s, o, name,
                    "its run path contains a '$' that is not $ORIGIN; use the path of "
                    "the folder");
    }
    sn_status status = folder ? check_folder(s, o, name, folder, 0, found) : si_no_memory(s->error);
    free(folder);
    SN_TRY(status);
    folders = folders[n] ? folders + n + 1 : NULL;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ one library

// Whether the process has loaded a library of this name: then the dynamic linker takes that.
static int is_loaded(const char *name) {
  struct link_map *map = NULL;
  void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  int same = 0;
  if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) {
    const char *text = NULL;
    uint64_t soname = 0;
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
      text = d->d_tag == DT_STRTAB ? (const char *)d->d_un.d_ptr : text;
      soname = d->d_tag == DT_SONAME ? d->d_un.d_val : soname;
    }
    // some systems leave the addresses of this table as they are in the file
    text = text && (uintptr_t)text < map->l_addr ? text + map->l_addr : text;
    same = text && soname && strcmp(text + soname, name) == 0;
  }
  if (library) {
    dlclose(library);
  }
  return same;
}

static sn_status check_needed(search *s, const object *o, const char *name) {
  int found = 0, unknown;
  if (strchr(name, '/')) {
    char *path = si_runpath_expand(o->path, name, strlen(name), &unknown);
    if (unknown) {
      return reject(s, o, name,
                    "it contains a '$' that is not $ORIGIN; use the path of the "
                    "folder");
    }
    sn_status status = path ? check_library(s, o, name, path, &found) : si_no_memory(s->error);
    free(path);
    return status;
  }
  if (is_loaded(name)) {
    return SN_OK;
  }
  if (o->runpath) {
    return search_list(s, o, o, o->runpath, name, &found);
  }
  for (const object *owner = o; owner && !found; owner = owner->parent) {
    SN_TRY(search_list(s, o, owner, owner->rpath, name, &found));
  }
  return SN_OK;
}

// What `o`, accepted and open, needs.
static sn_status check_object(search *s, object *o, const si_elf *elf) {
  for (int i = 0; i < s->nseen; i++) {
    if (strcmp(s->seen[i], o->path) == 0) {
      return SN_OK;
    }
  }
  if (s->nseen == OBJECTS_MAX) {
    return si_fail(s->error, SN_EPLUGIN,
                   "the plugin %s is rejected: it needs more than %d libraries", s->plugin,
                   OBJECTS_MAX);
  }
  s->seen[s->nseen] = strdup(o->path);
  if (!s->seen[s->nseen++]) {
    s->nseen--;
    return si_no_memory(s->error);
  }
  sn_status status = read_dynamic(elf, o);
  if (status == SN_ENOMEM) {
    si_no_memory(s->error);
  } else if (status < 0) {
    si_fail(s->error, status,
            "the plugin %s is rejected: the dynamic section of %s is damaged; build it again",
            s->plugin, o->path);
  }
  for (int64_t i = 0; i < o->nneeded && status >= 0; i++) {
    status = check_needed(s, o, o->text + o->needed[i]);
  }
  free_object(o);
  return status;
}

sn_status si_needed_check(const si_elf *elf, const char *path, sn_error *error) {
  search s = { .error = error, .plugin = path };
  object plugin = { .path = path };
  sn_status status = check_object(&s, &plugin, elf);
  for (int i = 0; i < s.nseen; i++) {
    free(s.seen[i]);
  }
  return status;
}
