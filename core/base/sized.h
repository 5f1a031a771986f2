// SPDX-License-Identifier: Apache-2.0
//
// Structs that start with their size and are filled for a caller who may know an older or a newer
// version of them.

#ifndef SI_BASE_SIZED_H
#define SI_BASE_SIZED_H

#include <string.h>

#include "sinew/abi.h"

enum { SI_SHORTEST = 16, SI_LONGEST = 1 << 16 };   // sizes that a caller can mean, in bytes

// Copies as much of ours, `size` bytes, as fits; what is longer in theirs becomes zero. Their size
// stays. SN_EINVAL, and nothing is written: it is not set.
static inline sn_status si_copy_out(void *theirs, const void *ours, size_t size) {
  uint32_t length;
  if (!theirs) {
    return SN_EINVAL;
  }
  memcpy(&length, theirs, sizeof length);
  if (length < SI_SHORTEST || length > SI_LONGEST) {
    return SN_EINVAL;
  }
  memset(theirs, 0, length);
  memcpy(theirs, ours, length < size ? length : size);
  memcpy(theirs, &length, sizeof length);
  return SN_OK;
}

#endif
