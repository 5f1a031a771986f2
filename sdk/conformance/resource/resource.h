// SPDX-License-Identifier: Apache-2.0
//
// What the tests of resources share: files that are read, and what was found meanwhile.

#ifndef SINEW_CONFORMANCE_RESOURCE_H
#define SINEW_CONFORMANCE_RESOURCE_H

#include "conformance/kit.h"
#include "sinew/resource.h"

enum { MOST_PATH = 512 };

typedef struct tally {
  kit *k;
  const sn_source *archive;   // NULL: names with a prefix
  const char *parent;         // the folder that is being listed
  int depth;
  int probes, probes_bad;
  int tries, silent, statuses;   // failures without a message; unknown statuses
  int files, sizes, outside, unequal;
  int listed, unlisted;   // files that `list` listed; of these that cannot be opened
  sn_status last;         // of the last file that was tried
} tally;

static inline const sn_resource_ops *kit_resource_ops(const tally *t) {
  return t->k->provider->ops;
}

// Reads a file twice; false: it cannot be read. text: what it has to contain; NULL: not known.
// size: of the text; 0: up to its end.
int kit_try_file(tally *t, const char *name, const char *text, int64_t size);
// Reads all files in a folder and below, of those there are.
void kit_list_folder(tally *t, const char *folder);

// zip_files.c. Archives of all kinds.
void kit_try_zip(tally *t);

#endif
