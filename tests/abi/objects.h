// SPDX-License-Identifier: Apache-2.0
//
// The shared objects of tests/abi, in the build tree, and copies of them in the folder of a case.

#ifndef SN_TEST_OBJECTS_H
#define SN_TEST_OBJECTS_H

#include "temporary_folder.h"

#define OBJECTS SN_TEST_BUILD "/tests/abi/plugins/"

// The first bytes of a file; a negative number: all of it.
static inline void copy_part(const char *from, const char *name, long most) {
  static char bytes[1 << 25];   // an object with sanitizers is large
  FILE *f = fopen(from, "rb");
  ck_assert_msg(f != NULL, "no %s", from);
  const size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  ck_assert_uint_lt(n, sizeof bytes);
  put_bytes(name, bytes, most >= 0 && (size_t)most < n ? (size_t)most : n);
}

#endif
