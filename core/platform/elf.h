// SPDX-License-Identifier: Apache-2.0
//
// Files of the format ELF, read without mapping them: shared objects.

#ifndef SI_PLATFORM_ELF_H
#define SI_PLATFORM_ELF_H

#include <link.h>

#include "base/error.h"

// A shared object, open, with its table of segments.
typedef struct si_elf {
  int descriptor;   // the caller's
  unsigned nsegment;
  ElfW(Phdr) * segment;
} si_elf;

// Reads the table; rejects a file that is not a whole shared object for this machine.
sn_status si_elf_open(int descriptor, const char *path, si_elf *elf, sn_error *error);
void si_elf_close(si_elf *elf);

// False: the file ends before.
int si_elf_read(const si_elf *elf, void *to, size_t bytes, uint64_t offset);
// The n-th segment of a type (PT_LOAD ...); NULL: there is none.
const ElfW(Phdr) * si_elf_segment(const si_elf *elf, uint32_t type, unsigned n);
// Do constants of the object end with these texts? (Linkers let a text be the end of a longer one.)
// second may be NULL.
int si_elf_has_texts(const si_elf *elf, const char *first, const char *second);

#endif
