// SPDX-License-Identifier: Apache-2.0
//
// Which files are safe to load code from: those that only their owner and root can change.

#ifndef SI_PLATFORM_TRUST_H
#define SI_PLATFORM_TRUST_H

#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "platform/elf.h"

// The cure where the limit of open files is reached.
#define SI_RAISE_FILES "; raise the limit of open files (ulimit -n), or close some"

// Opens a regular file that no other user can change or replace: its descriptor, or a status.
// kind: "plugin" ..., for messages.
int si_trust_open(const char *path, const char *kind, sn_error *error);

// A folder that was found safe with a file in it: the way to its other files is not checked again.
// Only the user and root can change what was found, so this is for one reading of a configuration,
// not for the life of a process. All zero: none yet.
typedef struct si_trusted {
  char *given;    // as the path of that file had it
  char *folder;   // canonical
  int descriptor;
} si_trusted;
// As si_trust_open. near: the folder of the previous file, which becomes that of this one; NULL:
// none. *whole: the canonical path, freed by the caller.
int si_trust_open_near(si_trusted *near, const char *path, const char *kind, char **whole,
                       sn_error *error);
void si_trusted_free(si_trusted *near);
// Rejects a path of a file that does not exist when another user could make it.
sn_status si_trust_absent(const char *path, const char *kind, sn_error *error);
// Whether another account than uid has the group as its primary group. accounts: rows in the format
// of /etc/passwd, of any length. True as well if they cannot be read to the end.
int si_trust_group_is_shared(FILE *accounts, gid_t gid, uid_t uid);
// Finds the libraries that an object asks for in its run path, and theirs; rejects those that
// another user can change. path is absolute. needed.c
sn_status si_needed_check(const si_elf *elf, const char *path, sn_error *error);

#endif
