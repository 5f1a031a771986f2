// SPDX-License-Identifier: Apache-2.0
//
// Models that are not kept, and the files of those that are: damaged, of others, where they cannot
// be written, too many of them.

#include <fcntl.h>

#include "kept_models.h"
#include "scenes.h"
#include "suite.h"
#include "toy_plugin.h"

// ------------------------------------------------------------------ what is not kept

// Loads the model, after which the folder is still empty, and closes the engine.
static void expect_not_kept(sn_engine *engine, const char *path) {
  image i = load_in(engine, path, 0);
  free(i.bytes);
  ino_t number;
  ck_assert_int_eq(entries(&number), 0);
  sn_engine_close(engine);
}

START_TEST(file_that_has_just_changed_is_not_kept) {
  put_text("m.xml", BALL("1"));
  sn_engine *engine = open_with("yes");
  put_text("m.xml", BALL("2"));
  expect_not_kept(engine, in_folder("m.xml"));
}
END_TEST

START_TEST(files_in_memory_are_not_kept) {
  sn_engine *engine = open_with("yes");
  OK(sn_engine_add_resource(engine, "m.xml", BALL("1"), sizeof BALL("1") - 1, error));
  image i = load_in(engine, "m.xml", 0);
  free(i.bytes);
  expect_not_kept(engine, SAMPLE("arm"));
}
END_TEST

START_TEST(models_of_own_providers_are_not_kept) {
  static const sn_passive_ops own = TOY_FORCE(idle_apply);
  sn_engine *engine = open_with("yes");
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "own", &own, error));
  expect_not_kept(engine, SAMPLE("arm"));
}
END_TEST

START_TEST(models_of_checked_plugins_are_not_kept) {
  sn_engine *engine = open_with("yes");
  OK(sn_engine_set(engine, "check_plugins", "yes", error));
  expect_not_kept(engine, SAMPLE("arm"));
}
END_TEST

START_TEST(binary_files_are_not_kept) {
  sn_engine *engine = open_with("no");
  sn_model *m = sn_load(engine, SAMPLE("arm"), error);
  OK(sn_model_save(m, in_folder("arm.snb"), error));
  sn_model_free(m);
  sn_engine_close(engine);
  wait_a_moment();
  is_never_kept(in_folder("arm.snb"));
}
END_TEST

START_TEST(nothing_is_kept_by_default) {
  const sn_engine_request request = { .size = sizeof request,
                                      .config = SN_TEST_BUILD "/sinew.ini" };
  sn_engine *engine = sn_engine_open_with(&request, error);
  OK(sn_engine_set(engine, "cache.folder", kept_folder(), error));
  image i = load_in(engine, SAMPLE("arm"), 0);
  free(i.bytes);
  ck_assert_int_ne(access(in_folder("kept"), F_OK), 0);
  sn_engine_close(engine);
}
END_TEST

// ------------------------------------------------------------------ the files

static void entry_path(char *path, size_t size) {
  DIR *d = opendir(kept_folder());
  ck_assert_ptr_nonnull(d);
  for (const struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] != '.') {
      snprintf(path, size, "%s/%s", kept_folder(), e->d_name);
    }
  }
  closedir(d);
}

// Bytes of the header, of the head and of the model, one at a time; and the file cut off.
START_TEST(damaged_entry_is_replaced) {
  char path[600];
  static uint8_t bytes[1 << 20];
  put_text("m.xml", BALL("1"));
  wait_a_moment();
  is_kept(in_folder("m.xml"));
  entry_path(path, sizeof path);
  FILE *f = fopen(path, "rb");
  const size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  ck_assert(n > 1000 && n < sizeof bytes);
  enum { CASES = 60 };
  for (size_t k = 0; k < CASES; k++) {
    const size_t at = k < 32 ? k : 32 + (k - 32) * (n - 33) / (CASES - 33);
    f = fopen(path, "r+b");
    ck_assert_ptr_nonnull(f);
    fseek(f, (long)at, SEEK_SET);
    fputc(bytes[at] ^ 0x41, f);
    fclose(f);
    ck_assert_msg(load_and_compare(in_folder("m.xml"), 0) == WRITTEN, "byte %zu of %zu", at, n);
    ck_assert_int_eq(truncate(path, (off_t)at), 0);
    ck_assert_msg(load_and_compare(in_folder("m.xml"), 0) == WRITTEN, "cut at %zu of %zu", at, n);
  }
  ck_assert_int_eq(load_and_compare(in_folder("m.xml"), 0), TAKEN);
}
END_TEST

START_TEST(folder_of_others_is_not_used) {
  is_kept(SAMPLE("arm"));
  ck_assert_int_eq(chmod(kept_folder(), 0777), 0);
  ino_t before, after;
  entries(&before);
  char path[600];
  entry_path(path, sizeof path);
  ck_assert_int_eq(truncate(path, 10), 0);
  load_and_compare(SAMPLE("arm"), 0);
  struct stat s;
  ck_assert_int_eq(entries(&after), 1);
  ck_assert(stat(path, &s) == 0 && s.st_size == 10);
  // an entry that others can write
  ck_assert_int_eq(chmod(kept_folder(), 0700), 0);
  is_kept(SAMPLE("arm"));
  ck_assert_int_eq(chmod(path, 0666), 0);
  ck_assert_int_eq(load_and_compare(SAMPLE("arm"), 0), WRITTEN);
}
END_TEST

static void load_into(const char *place) {
  sn_engine *engine = open_with("yes");
  OK(sn_engine_set(engine, "cache.folder", place, error));
  image i = load_in(engine, SAMPLE("arm"), 0), j = load_in(engine, SAMPLE("arm"), 0);
  ck_assert(is_same(&i, &j));
  free(i.bytes);
  free(j.bytes);
  sn_engine_close(engine);
}

START_TEST(folder_that_cannot_be_made_does_no_harm) {
  load_into("/proc/none/models");
  put_text("file", "");
  load_into(in_folder("file"));
  load_into(in_folder("file/models"));
  load_into("/dev/null");
}
END_TEST

// Of six models of one size, five have room.
START_TEST(oldest_are_removed) {
  enum { ALL = 6 };
  char first[600] = "", name[32], text[32];
  struct stat s;
  for (int k = 0; k < ALL; k++) {
    snprintf(name, sizeof name, "m%d.xml", k);
    put_text(name, BALL("1"));
  }
  wait_a_moment();
  sn_engine *engine = open_with("yes");
  for (int k = 0; k < ALL; k++) {
    snprintf(name, sizeof name, "m%d.xml", k);
    image i = load_in(engine, in_folder(name), 0);
    free(i.bytes);
    if (k == 0) {
      entry_path(first, sizeof first);
      ck_assert_int_eq(stat(first, &s), 0);
      const struct timespec then[] = { { .tv_sec = 1000000 }, { .tv_sec = 1000000 } };
      ck_assert_int_eq(utimensat(AT_FDCWD, first, then, 0), 0);
      snprintf(text, sizeof text, "%lld", (long long)(11 * s.st_size / 2));
      OK(sn_engine_set(engine, "cache.size", text, error));
    }
    ck_assert_int_eq(access(first, F_OK), k < ALL - 1 ? 0 : -1);
  }
  ino_t number;
  ck_assert_int_eq(entries(&number), ALL - 1);
  // a model that takes more than a quarter is not kept
  snprintf(text, sizeof text, "%lld", (long long)(3 * s.st_size));
  OK(sn_engine_set(engine, "cache.size", text, error));
  image i = load_in(engine, in_folder("m0.xml"), 0);
  free(i.bytes);
  ck_assert_int_eq(entries(&number), ALL - 1);
  sn_engine_close(engine);
}
END_TEST

// The limit is checked again when a model is used for the first time in an hour.
START_TEST(lower_limit_holds_at_the_next_use) {
  enum { ALL = 5 };
  char path[600], name[32], text[32];
  struct stat s;
  ino_t number;
  for (int k = 0; k < ALL; k++) {
    snprintf(name, sizeof name, "m%d.xml", k);
    put_text(name, BALL("1"));
  }
  wait_a_moment();
  sn_engine *engine = open_with("yes");
  for (int k = 0; k < ALL; k++) {
    snprintf(name, sizeof name, "m%d.xml", k);
    image i = load_in(engine, in_folder(name), 0);
    free(i.bytes);
    if (k == 0) {
      entry_path(path, sizeof path);
      ck_assert_int_eq(stat(path, &s), 0);
    }
  }
  ck_assert_int_eq(entries(&number), ALL);
  snprintf(text, sizeof text, "%lld", (long long)(9 * s.st_size / 2));
  OK(sn_engine_set(engine, "cache.size", text, error));
  const struct timespec then[] = { { .tv_sec = 1000000 }, { .tv_sec = 1000000 } };
  ck_assert_int_eq(utimensat(AT_FDCWD, path, then, 0), 0);
  image i = load_in(engine, in_folder("m0.xml"), 0);
  free(i.bytes);
  ck_assert_int_eq(entries(&number), ALL - 1);
  sn_engine_close(engine);
}
END_TEST

// Taking a model is using it.
START_TEST(use_is_noted) {
  char path[600];
  struct stat s;
  is_kept(SAMPLE("arm"));
  entry_path(path, sizeof path);
  const struct timespec then[] = { { .tv_sec = 1000000 }, { .tv_sec = 1000000 } };
  ck_assert_int_eq(utimensat(AT_FDCWD, path, then, 0), 0);
  ck_assert_int_eq(load_and_compare(SAMPLE("arm"), 0), TAKEN);
  ck_assert(stat(path, &s) == 0 && s.st_mtime > 1000000);
}
END_TEST

// ------------------------------------------------------------------ who watches the files

static int seen;
static void note_file(void *context, const char *path, const uint8_t *bytes, int64_t count) {
  (void)context;
  seen += strstr(path, "main.xml") ? 1 : strstr(path, "part.xml") ? 100 : 0;
  ck_assert_int_eq((int64_t)strlen((const char *)bytes), count);
}

START_TEST(files_are_passed_on) {
  put_text("main.xml", MAIN);
  put_text("part.xml", BALL("1"));
  wait_a_moment();
  is_kept(in_folder("main.xml"));
  sn_engine *engine = open_with("yes");
  sn_engine_watch_files(engine, note_file, NULL);
  ino_t before, after;
  entries(&before);
  image i = load_in(engine, in_folder("main.xml"), 0);
  free(i.bytes);
  entries(&after);
  ck_assert(before == after);
  ck_assert_int_eq(seen, 101);
  sn_engine_close(engine);
}
END_TEST

TESTS_IN_PROCESSES() {
  NEEDS(is_old_enough(), "");
  FIXTURE(set_up, tear_down);
  TEST(file_that_has_just_changed_is_not_kept);
  TEST(files_in_memory_are_not_kept);
  TEST(models_of_own_providers_are_not_kept);
  TEST(models_of_checked_plugins_are_not_kept);
  TEST(binary_files_are_not_kept);
  TEST(nothing_is_kept_by_default);
  TEST(damaged_entry_is_replaced);
  TEST(folder_of_others_is_not_used);
  TEST(folder_that_cannot_be_made_does_no_harm);
  TEST(oldest_are_removed);
  TEST(lower_limit_holds_at_the_next_use);
  TEST(use_is_noted);
  TEST(files_are_passed_on);
}
