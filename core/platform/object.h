// SPDX-License-Identifier: Apache-2.0
//
// Shared objects: code that is loaded at run time.

#ifndef SI_PLATFORM_OBJECT_H
#define SI_PLATFORM_OBJECT_H

#include "base/error.h"
#include "platform/trust.h"

// What to load. plugin: its name, for messages; near: as si_trust_open_near has it.
typedef struct si_object_request {
  const char *plugin, *path, *symbol;
  si_trusted *near;
} si_object_request;
// Maps a shared object for good and finds a function in it, with every check on the way: the file
// and the libraries that it needs are trusted (trust.h), it is whole, and it is still the same file
// when it has been mapped. *canonical: its path, freed by the caller, also after an error.
sn_status si_object_load(const si_object_request *what, char **canonical, void (**function)(void),
                         sn_error *error);

// The path of the file that code or a constant was loaded from; NULL: not known.
const char *si_object_path(const void *address);
// The path of the file that this code was loaded from; NULL: not known.
const char *si_object_own_path(void);

#endif
