// SPDX-License-Identifier: Apache-2.0
//
// Files in zip archives. See archive.c.

#ifndef SI_PLATFORM_ARCHIVE_H
#define SI_PLATFORM_ARCHIVE_H

#include "sinew/sinew.h"

// Cuts a path behind the part that is a file and gives what follows, NULL when no part of it is:
// "a/b.zip/c/d" becomes "a/b.zip" and "c/d".
const char *si_archive_member(char *path);

// The content of a member, with a zero behind it that is not counted; freed with free. *bytes is
// NULL before. most: larger members are refused. SN_ENOTFOUND: there is no such archive or
// no such member.
sn_status si_archive_read(const char *archive, const char *member, int64_t most, uint8_t **bytes,
                          int64_t *count, sn_error *error);

#endif
