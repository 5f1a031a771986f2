// SPDX-License-Identifier: Apache-2.0

#ifndef SI_PLATFORM_FOLDER_H
#define SI_PLATFORM_FOLDER_H

#include <stddef.h>

#include "sinew/abi.h"

// Calls `each` for every entry of a folder whose name does not start with a dot, in the order of
// the disk, until it fails. path "": the working folder. SN_ENOTFOUND: it cannot be opened.
typedef sn_status si_folder_visit(void *context, const char *name, int32_t is_folder);
sn_status si_folder_each(const char *path, si_folder_visit *each, void *context);

// Entries, which may come from several places. At most SI_ENTRIES_MAX are listed; a folder of more
// is not looked at, so that the answer never depends on the order of the disk.
enum { SI_ENTRIES_MAX = 20000 };
typedef struct si_entry_name {
  char *name;
  int32_t is_folder;
} si_entry_name;
typedef struct si_listing {
  si_entry_name *entries;
  int64_t n;
} si_listing;

sn_status si_listing_add(si_listing *listing, const char *name, size_t length, int32_t is_folder);
// The same as an si_folder_visit: `context` is the listing.
sn_status si_listing_visit(void *context, const char *name, int32_t is_folder);
// Calls `each` for the entries sorted by bytes, each once.
typedef void si_entry_visit(void *context, const char *name, int32_t is_folder);
void si_listing_each(si_listing *listing, si_entry_visit *each, void *context);
void si_listing_free(si_listing *listing);

// The entries of a folder on disk, sorted.
void si_folder_sorted(const char *path, si_entry_visit *each, void *context);

#endif
