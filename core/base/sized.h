// SPDX-License-Identifier: Apache-2.0
//
// Structs that start with their size and are shared with a caller who may know an older or a newer
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

// The other way round: theirs, which has at least `first` bytes, into ours, `size` bytes, zero
// where theirs ends. SN_EINVAL: its size is not set; SN_EUNSUPPORTED: it has members beyond ours
// that are not zero.
static inline sn_status si_copy_in(void *ours, size_t size, const void *theirs, size_t first) {
  const unsigned char *bytes = theirs;
  const uint32_t own = (uint32_t)size;
  uint32_t length = 0;
  if (theirs) {
    memcpy(&length, theirs, sizeof length);
  }
  if (length < first || length > SI_LONGEST) {
    return SN_EINVAL;
  }
  for (size_t i = size; i < length; i++) {
    if (bytes[i]) {
      return SN_EUNSUPPORTED;
    }
  }
  memset(ours, 0, size);
  memcpy(ours, theirs, length < size ? length : size);
  memcpy(ours, &own, sizeof own);
  return SN_OK;
}

#endif
