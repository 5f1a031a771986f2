// SPDX-License-Identifier: Apache-2.0
//
// /proc/self/maps has a line for each mapped part of a file; its inode tells which file that was,
// also when another one has its path by now:
//
//   7f12a4000000-7f12a4013000 r-xp 00000000 08:02 1835021    /opt/sinew/plugins/newton.so
//
// Whether a library is found elsewhere next time is asked without the order in which folders are
// searched: every name of every object counts in every folder of every object, as if the one
// library in all of them were the first. So more is noted than matters, but nothing is left out.
//
// Reference: proc(5), dl_iterate_phdr(3), ld.so(8).

#include "platform/loaded.h"

#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "platform/file.h"
#include "platform/runpath.h"

int si_loaded_program(char *path, size_t size) {
  const ssize_t n = readlink("/proc/self/exe", path, size);
  const int known = n > 0 && (size_t)n < size;
  path[known ? n : 0] = '\0';
  return known;
}

// ------------------------------------------------------------------ files that are mapped

typedef struct mapping {
  uintptr_t start, end;
  uint64_t inode;
} mapping;

typedef struct visit {
  void (*each)(void *context, const char *path, uint64_t inode);
  void *context;
  char program[PATH_MAX];
  mapping *mapping;
  int64_t n, capacity;
} visit;

static void read_mappings(visit *v) {
  FILE *file = fopen("/proc/self/maps", "re");
  char *line = NULL;
  size_t size = 0;
  while (file && getline(&line, &size, file) > 0) {
    mapping m;
    mapping *more = si_grow(v->mapping, v->n, &v->capacity, sizeof *more);
    v->mapping = more ? more : v->mapping;
    if (more && sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %" SCNu64, &m.start, &m.end,
                       &m.inode) == 3) {
      v->mapping[v->n++] = m;
    }
  }
  free(line);
  if (file) {
    fclose(file);
  }
}

// The path of an object, the first of which is the program; NULL: what the kernel provides, whose
// name is no path.
static const char *path_of(const struct dl_phdr_info *info, const char *program) {
  return strchr(info->dlpi_name, '/') ? info->dlpi_name : info->dlpi_name[0] ? NULL : program;
}

static uint64_t inode_of(const struct dl_phdr_info *info, const visit *v) {
  for (int k = 0; k < info->dlpi_phnum; k++) {
    const uintptr_t at = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
    for (int64_t i = 0; info->dlpi_phdr[k].p_type == PT_LOAD && i < v->n; i++) {
      if (v->mapping[i].start <= at && at < v->mapping[i].end) {
        return v->mapping[i].inode;
      }
    }
  }
  return 0;
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  const visit *v = context;
  const char *path = path_of(info, v->program);
  (void)size;
  if (path) {
    v->each(v->context, path, inode_of(info, v));
  }
  return 0;
}

void si_loaded_each(void (*each)(void *context, const char *path, uint64_t inode), void *context) {
  visit v = { .each = each, .context = context };
  si_loaded_program(v.program, sizeof v.program);
  read_mappings(&v);
  dl_iterate_phdr(visit_object, &v);
  free(v.mapping);
}

// ------------------------------------------------------------------ names and folders

typedef struct list {
  char **at;
  int64_t n, capacity;
} list;

typedef struct search {
  void (*each)(void *context, const char *path, int is_folder);
  void *context;
  char program[PATH_MAX];
  list names, folders;
  int failed;   // a folder is not known, or there is no memory
} search;

// Takes the text; NULL: no memory.
static void add(search *s, list *l, char *text) {
  for (int64_t i = 0; text && i < l->n; i++) {
    if (strcmp(l->at[i], text) == 0) {
      free(text);
      return;
    }
  }
  char **more = text ? si_grow(l->at, l->n, &l->capacity, sizeof *more) : NULL;
  if (!more) {
    free(text);
    s->failed = 1;
    return;
  }
  l->at = more;
  l->at[l->n++] = text;
}

static void free_list(list *l) {
  for (int64_t i = 0; i < l->n; i++) {
    free(l->at[i]);
  }
  free(l->at);
}

// A name with a slash is a path, and nothing is searched.
static void add_name(search *s, const char *name) {
  if (!strchr(name, '/')) {
    add(s, &s->names, strdup(name));
  }
}

// Folders between any of the characters `ends`. One below the working folder is not known: that may
// have been another one when the process was started.
static void add_folders(search *s, const char *path, const char *folders, const char *ends) {
  while (folders) {
    const size_t n = strcspn(folders, ends);
    int unknown;
    char *folder = si_runpath_expand(path, folders, n, &unknown);
    s->failed |= !folder || folder[0] != '/';
    add(s, &s->folders, folder);
    folders = folders[n] ? folders + n + 1 : NULL;
  }
}

static void read_dynamic(search *s, const char *path, uintptr_t base, const ElfW(Dyn) * first) {
  const char *text = NULL;
  for (const ElfW(Dyn) *d = first; d->d_tag != DT_NULL; d++) {
    text = d->d_tag == DT_STRTAB ? (const char *)d->d_un.d_ptr : text;
  }
  // some systems leave the addresses of this table as they are in the file
  text = text && (uintptr_t)text < base ? text + base : text;
  for (const ElfW(Dyn) *d = first; text && d->d_tag != DT_NULL; d++) {
    const int64_t tag = d->d_tag;
    if (tag == DT_NEEDED || tag == DT_AUXILIARY || tag == DT_FILTER || tag == DT_SONAME) {
      add_name(s, text + d->d_un.d_val);
    } else if (tag == DT_RPATH || tag == DT_RUNPATH) {
      add_folders(s, path, text + d->d_un.d_val, ":");
    }
  }
}

static int search_of_object(struct dl_phdr_info *info, size_t size, void *context) {
  search *s = context;
  const char *path = path_of(info, s->program);
  (void)size;
  for (int k = 0; path && k < info->dlpi_phnum; k++) {
    if (info->dlpi_phdr[k].p_type == PT_DYNAMIC) {
      const uintptr_t at = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
      s->failed |= path[0] != '/';
      read_dynamic(s, path, info->dlpi_addr, (const ElfW(Dyn) *)at);
    }
  }
  return 0;
}

// ------------------------------------------------------------------ the places

static void look_in(search *s, const char *folder, int depth) {
  if (!si_file_is_folder(folder)) {
    s->each(s->context, folder, 1);
    return;
  }
  const char *preferred;
  for (size_t i = 0; depth < SI_PREFERRED_DEPTH && (preferred = si_runpath_preferred(i)); i++) {
    char *inner = si_text("%s/%s", folder, preferred);
    s->failed |= !inner;
    if (inner) {
      look_in(s, inner, depth + 1);
    }
    free(inner);
  }
  for (int64_t i = 0; i < s->names.n; i++) {
    char *path = si_text("%s/%s", folder, s->names.at[i]);
    s->failed |= !path;
    if (path) {
      s->each(s->context, path, 0);
    }
    free(path);
  }
}

int si_loaded_search(void (*each)(void *context, const char *path, int is_folder), void *context) {
  search s = { .each = each, .context = context };
  s.failed = !si_loaded_program(s.program, sizeof s.program);
  dl_iterate_phdr(search_of_object, &s);
  const char *folders = getenv("LD_LIBRARY_PATH");
  add_folders(&s, s.program, folders && *folders ? folders : NULL, ":;");
  for (int64_t i = 0; i < s.folders.n && !s.failed; i++) {
    look_in(&s, s.folders.at[i], 0);
  }
  each(context, "/etc/ld.so.cache", 0);
  each(context, "/etc/ld.so.preload", 0);
  free_list(&s.names);
  free_list(&s.folders);
  return !s.failed;
}
