// SPDX-License-Identifier: Apache-2.0
//
// Who would provide what nobody provides: looks for a plugin among the files beside those that are
// loaded, for an error message. Nothing of them is run or mapped. A row of a plugin's table,
// sn_provide, is constant data whose pointers the dynamic linker fills in, so both texts are found
// where its relocations say:
//
//   .rela.dyn   [ offset o, addend -> "sinew.sensor/1" ] [ offset o + 8, addend -> "touch" ] ...
//
// A file that packs its relocations otherwise is not recognized; then there is no hint.
// Reference: System V ABI, object files, relocation.

#include <dirent.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/engine_state.h"
#include "platform/trust.h"

typedef struct image {
  uint8_t *bytes;   // of a file that si_elf_check accepted
  uint64_t size;
  ElfW(Ehdr) header;
} image;

static int copy_at(const image *f, uint64_t offset, void *to, uint64_t n) {
  if (n > f->size || offset > f->size - n) {
    return 0;
  }
  memcpy(to, f->bytes + offset, n);
  return 1;
}

static int part_at(const image *f, unsigned i, ElfW(Phdr) * part) {
  return i < f->header.e_phnum &&
         copy_at(f, f->header.e_phoff + i * sizeof *part, part, sizeof *part);
}

// Where an address is in the file; its size: nowhere.
static uint64_t offset_of(const image *f, uint64_t address) {
  ElfW(Phdr) part;
  for (unsigned i = 0; part_at(f, i, &part); i++) {
    if (part.p_type == PT_LOAD && address >= part.p_vaddr &&
        address - part.p_vaddr < part.p_filesz) {
      return part.p_offset + (address - part.p_vaddr);
    }
  }
  return f->size;
}

static int is_text(const image *f, uint64_t address, const char *text) {
  const uint64_t offset = offset_of(f, address), n = strlen(text) + 1;
  return n <= f->size && offset <= f->size - n && memcmp(f->bytes + offset, text, n) == 0;
}

// The table of relocations: its offset and how many there are.
static uint64_t find_relocations(const image *f, uint64_t *offset) {
  ElfW(Phdr) part;
  uint64_t address = 0, bytes = 0;
  for (unsigned i = 0; part_at(f, i, &part); i++) {
    ElfW(Dyn) entry;
    for (uint64_t at = 0; part.p_type == PT_DYNAMIC && at < part.p_filesz; at += sizeof entry) {
      if (!copy_at(f, part.p_offset + at, &entry, sizeof entry) || entry.d_tag == DT_NULL) {
        break;
      }
      address = entry.d_tag == DT_RELA ? entry.d_un.d_ptr : address;
      bytes = entry.d_tag == DT_RELASZ ? entry.d_un.d_val : bytes;
    }
  }
  *offset = offset_of(f, address);
  return *offset < f->size && bytes <= f->size - *offset ? bytes / sizeof(ElfW(Rela)) : 0;
}

static int has_row(const image *f, const char *kind, const char *name) {
  uint64_t start, n = find_relocations(f, &start), wanted = 0;
  for (uint64_t i = 0; i < n; i++) {
    ElfW(Rela) r;
    if (!copy_at(f, start + i * sizeof r, &r, sizeof r)) {
      return 0;
    }
    // ascending, as linkers write them: the name follows its kind
    if (wanted && r.r_offset == wanted && (!name || is_text(f, (uint64_t)r.r_addend, name))) {
      return 1;
    }
    wanted = is_text(f, (uint64_t)r.r_addend, kind) ? r.r_offset + sizeof(void *) : 0;
  }
  return 0;
}

static int file_provides(const char *path, const char *kind, const char *name) {
  enum { LARGEST = 64 << 20 };   // bytes of a plugin
  sn_error ignored = { 0 };
  struct stat s;
  image f = { 0 };
  int descriptor = si_trust_open(path, "plugin", &ignored), found = 0;
  if (descriptor < 0) {
    return 0;
  }
  if (si_elf_check(descriptor, path, &ignored) >= 0 && fstat(descriptor, &s) == 0 &&
      s.st_size <= LARGEST) {
    f.size = (uint64_t)s.st_size;
    f.bytes = malloc(f.size);
    found = f.bytes && pread(descriptor, f.bytes, f.size, 0) == s.st_size &&
            copy_at(&f, 0, &f.header, sizeof f.header) && has_row(&f, kind, name);
  }
  free(f.bytes);
  close(descriptor);
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

// The first file of a folder, by name, that provides it, joined to what was found before; without a
// name all that provide something of the kind.
static char *look_in(const sn_engine *engine, const char *folder, const char *kind,
                     const char *name, char *found) {
  struct dirent **entry = NULL;
  int n = scandir(folder, &entry, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    const char *file = entry[i]->d_name, *end = strrchr(file, '.');
    const int wanted = end && strcmp(end, ".so") == 0 && (!found || !name);
    char *path = wanted ? si_text("%s/%s", folder, file) : NULL;
    const int known = path && (is_loaded(engine, path) || (found && strstr(found, path)));
    if (path && !known && file_provides(path, kind, name)) {
      char *joined = found ? si_text("%s, %s", found, path) : strdup(path);
      free(found);
      found = joined;
    }
    free(path);
    free(entry[i]);
  }
  free(entry);
  return found;
}

char *si_engine_missing(const sn_engine *engine, const char *kind, const char *name) {
  char *found = NULL, last[PATH_MAX] = "", folder[PATH_MAX];
  for (int64_t i = 0; i < engine->nplugin && (!found || !name); i++) {
    const char *path = engine->plugin[i]->path, *slash = path ? strrchr(path, '/') : NULL;
    if (!slash || (size_t)(slash - path) >= sizeof folder) {
      continue;
    }
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    if (strcmp(folder, last) != 0) {
      found = look_in(engine, folder, kind, name, found);
      strcpy(last, folder);
    }
  }
  return found;
}
