// SPDX-License-Identifier: Apache-2.0
//
// Files of the format ELF, read without mapping them: shared objects.

#ifndef SI_PLATFORM_ELF_H
#define SI_PLATFORM_ELF_H

#include <link.h>

#include "base/error.h"

// Rejects a file that is not a whole shared object for this machine.
sn_status si_elf_check(int descriptor, const char *path, sn_error *error);

// The following functions take files that si_elf_check accepted.

// False: the file ends before.
int si_elf_read(int descriptor, void *to, size_t bytes, uint64_t offset);
// The n-th segment of a type (PT_LOAD ...); false: there is none.
int si_elf_segment(int descriptor, uint32_t type, unsigned n, ElfW(Phdr) * segment);
// Do constants of the object end with these texts? (Linkers let a text be the end of a longer one.)
// second may be NULL.
int si_elf_has_texts(int descriptor, const char *first, const char *second);

#endif
