// SPDX-License-Identifier: Apache-2.0
//
// A fixture: a folder of its own for each case, below /tmp, which everybody may write and which has
// the sticky bit. It is removed with all that is in it.

#ifndef SN_TEST_TEMPORARY_FOLDER_H
#define SN_TEST_TEMPORARY_FOLDER_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64];

static inline void open_folder(void) {
  strcpy(folder, "/tmp/sinew-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void close_folder(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
}

// The path of a file in it, good until eight more are made.
static inline const char *in_folder(const char *name) {
  static char path[8][512];
  static int next;
  next = (next + 1) & 7;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

// Writes a file in the folder.
static inline void put_bytes(const char *name, const void *bytes, size_t n) {
  FILE *file = fopen(in_folder(name), "wb");
  ck_assert_msg(file != NULL, "cannot write %s", name);
  ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
  ck_assert_int_eq(fclose(file), 0);
}

static inline void put_text(const char *name, const char *text) {
  put_bytes(name, text, strlen(text));
}

#endif
