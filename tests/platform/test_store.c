// SPDX-License-Identifier: Apache-2.0
//
// Files of a folder that only the user can write: what was read stays as it was, whatever happens
// to the file.

#include <sys/stat.h>
#include <unistd.h>

#include "platform/store.h"
#include "suite.h"
#include "temporary_folder.h"

enum { COUNT = 3 << 20 };
static uint8_t bytes[COUNT];
static int store;

static void set_up(void) {
  open_folder();
  for (size_t i = 0; i < COUNT; i++) {
    bytes[i] = (uint8_t)(i * 31 + i / 4096);
  }
  store = si_store_open(folder, 0);
  ck_assert_int_ge(store, 0);
  const si_store_part parts[] = { { bytes, 1000 }, { bytes + 1000, COUNT - 1000 } };
  ck_assert(si_store_write(store, "file", parts, 2));
}

static void tear_down(void) {
  si_store_close(store);
  close_folder();
}

static int is_whole(const si_stored *s) {
  return s->count == COUNT && memcmp(s->bytes, bytes, COUNT) == 0;
}

START_TEST(what_is_written_is_read) {
  si_stored s = si_store_read(store, "file", COUNT);
  ck_assert(is_whole(&s));
  si_store_release(&s);
  ck_assert_ptr_null(s.bytes);
  s = si_store_read(store, "file", COUNT - 1);
  ck_assert_ptr_null(s.bytes);
  s = si_store_read(store, "other", COUNT);
  ck_assert_ptr_null(s.bytes);
}
END_TEST

// Another program writes in place, or cuts the file off, after it was read.
START_TEST(changes_after_reading_do_no_harm) {
  si_stored s = si_store_read(store, "file", COUNT);
  FILE *file = fopen(in_folder("file"), "r+b");
  ck_assert_ptr_nonnull(file);
  fputs("changed", file);
  fclose(file);
  ck_assert_int_eq(truncate(in_folder("file"), 100), 0);
  ck_assert(is_whole(&s));
  si_store_release(&s);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  TEST(what_is_written_is_read);
  TEST(changes_after_reading_do_no_harm);
}
