// SPDX-License-Identifier: Apache-2.0
//
// Whether a file is the same as before, without reading it.

#ifndef SI_PLATFORM_STAMP_H
#define SI_PLATFORM_STAMP_H

#include <stdint.h>

// What a file system changes when the content, the owner or the permissions of a file change, or
// another file takes its place. Times are in nanoseconds since 1970.
typedef struct si_stamp {
  uint64_t device, inode, mode;
  int64_t size, modified, changed;
} si_stamp;

// Of what a path leads to. False: to nothing, or it cannot be reached.
int si_stamp_path(const char *path, si_stamp *stamp);
int si_stamp_descriptor(int descriptor, si_stamp *stamp);
int si_stamp_is_file(const si_stamp *stamp);
int si_stamp_is_folder(const si_stamp *stamp);
int si_stamp_same(const si_stamp *a, const si_stamp *b);
// Does a file with this stamp have the content that it had when it was read, at that time or later?
// A change in the same unit of the clock of the file system as the one before is not seen, so the
// last one must have been some time before that.
int si_stamp_is_settled(const si_stamp *stamp, int64_t read);
int64_t si_stamp_now(void);
// When this process was started; 0: it is not known.
int64_t si_stamp_of_process(void);

#endif
