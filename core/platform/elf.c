// SPDX-License-Identifier: Apache-2.0
//
// A look at a shared object before the dynamic linker maps it, or instead: a file that ends early
// would be mapped all the same, and end the process at the first missing page.
//
//   [ header | program headers | segments ... | section headers ]   every part must lie in the file
//
// Reference: System V ABI, object files.

#include "platform/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#elif defined(__riscv)
enum { MACHINE = EM_RISCV };
#elif defined(__powerpc64__)
enum { MACHINE = EM_PPC64 };
#else
enum { MACHINE = EM_NONE };   // not known: the dynamic linker decides
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { ORDER = ELFDATA2LSB };
#else
enum { ORDER = ELFDATA2MSB };
#endif

enum { CLASS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };

static int read_at(int descriptor, void *to, size_t bytes, uint64_t offset) {
  return pread(descriptor, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static sn_status truncated(const char *path, uint64_t has, uint64_t needs, sn_error *error) {
  return si_fail(error, SN_EPLUGIN,
                 "the plugin %s is truncated: it has %llu bytes and needs "
                 "%llu; build or copy it again",
                 path, (unsigned long long)has, (unsigned long long)needs);
}

static sn_status check_header(const ElfW(Ehdr) * h, const char *path, sn_error *error) {
  const unsigned char *id = h->e_ident;
  if (id[EI_CLASS] != CLASS || id[EI_DATA] != ORDER ||
      (MACHINE != EM_NONE && h->e_machine != MACHINE)) {
    return si_fail(error, SN_EPLUGIN,
                   "the plugin %s is a shared object for another machine (ELF "
                   "machine %u); build it for this one",
                   path, h->e_machine);
  }
  if (h->e_type != ET_DYN || h->e_phentsize != sizeof(ElfW(Phdr)) || h->e_phnum == 0) {
    return si_fail(error, SN_EPLUGIN,
                   "the plugin %s is an ELF file but not a shared object; link "
                   "it with -shared",
                   path);
  }
  return SN_OK;
}

static sn_status read_header(int descriptor, uint64_t size, const char *path, ElfW(Ehdr) * header,
                             sn_error *error) {
  const ssize_t n = pread(descriptor, header, sizeof *header, 0);
  if (n < SELFMAG || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) {
    return si_fail(error, SN_EPLUGIN, "the plugin %s is not a shared object (no ELF header)", path);
  }
  if (n < (ssize_t)sizeof *header) {
    return truncated(path, size, sizeof *header, error);
  }
  return check_header(header, path, error);
}

// Offsets are 64 bits: the sums below cannot wrap once each part is inside the file.
static sn_status read_segments(const ElfW(Ehdr) * header, uint64_t size, const char *path,
                               si_elf *elf, sn_error *error) {
  const uint64_t bytes = (uint64_t)header->e_phnum * header->e_phentsize;
  const uint64_t end = header->e_phoff + bytes;
  if (header->e_phoff > size || end > size) {
    return truncated(path, size, end, error);
  }
  elf->segment = malloc(bytes);
  if (!elf->segment) {
    return si_no_memory(error);
  }
  if (!read_at(elf->descriptor, elf->segment, bytes, header->e_phoff)) {
    return truncated(path, size, end, error);
  }
  elf->nsegment = header->e_phnum;
  for (unsigned i = 0; i < elf->nsegment; i++) {
    const ElfW(Phdr) *part = &elf->segment[i];
    if ((part->p_type == PT_LOAD || part->p_type == PT_DYNAMIC) &&
        (part->p_offset > size || part->p_filesz > size - part->p_offset)) {
      return truncated(path, size, part->p_offset + part->p_filesz, error);
    }
  }
  return SN_OK;
}

sn_status si_elf_open(int descriptor, const char *path, si_elf *elf, sn_error *error) {
  *elf = (si_elf){ .descriptor = descriptor };
  struct stat s;
  if (fstat(descriptor, &s) != 0) {
    return si_fail(error, SN_EIO, "cannot read the plugin %s: %s", path, strerror(errno));
  }
  const uint64_t size = (uint64_t)s.st_size;
  ElfW(Ehdr) header;
  SN_TRY(read_header(descriptor, size, path, &header, error));
  sn_status status = read_segments(&header, size, path, elf, error);
  if (status >= 0 && header.e_shoff != 0) {
    const uint64_t end = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
    if (header.e_shoff > size || end > size) {
      status = truncated(path, size, end, error);
    }
  }
  if (status < 0) {
    si_elf_close(elf);
  }
  return status;
}

void si_elf_close(si_elf *elf) {
  free(elf->segment);
  *elf = (si_elf){ .descriptor = -1 };
}

int si_elf_read(const si_elf *elf, void *to, size_t bytes, uint64_t offset) {
  return read_at(elf->descriptor, to, bytes, offset);
}

const ElfW(Phdr) * si_elf_segment(const si_elf *elf, uint32_t type, unsigned n) {
  for (unsigned i = 0; i < elf->nsegment; i++) {
    if (elf->segment[i].p_type == type && n-- == 0) {
      return &elf->segment[i];
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ constants

int si_elf_has_texts(const si_elf *elf, const char *first, const char *second) {
  enum { LARGEST = 64 << 20 };   // bytes of a segment
  const char *const text[2] = { first, second };
  int found[2] = { 0, second == NULL };
  const ElfW(Phdr) * part;
  for (unsigned i = 0; (part = si_elf_segment(elf, PT_LOAD, i)) != NULL; i++) {
    char *bytes = part->p_filesz <= LARGEST ? malloc(part->p_filesz + 1) : NULL;
    if (bytes && si_elf_read(elf, bytes, part->p_filesz, part->p_offset)) {
      for (int k = 0; k < 2; k++) {
        found[k] = found[k] || memmem(bytes, part->p_filesz, text[k], strlen(text[k]) + 1);
      }
    }
    free(bytes);
  }
  return found[0] && found[1];
}
