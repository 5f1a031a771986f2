// SPDX-License-Identifier: Apache-2.0
//
// Models that the command keeps: what it prints is the same, several processes at a time, limits of
// the system, another build of a plugin, `sinew cache`.

#include <sys/stat.h>
#include <unistd.h>

#include "abi/objects.h"
#include "model_file.h"
#include "scenes.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

static void set_up(void) {
  open_folder();
  setenv("XDG_CACHE_HOME", folder, 1);
}

static void tear_down(void) {
  setenv("XDG_CACHE_HOME", SN_TEST_BUILD "/tests/cache", 1);
  close_folder();
}

// Files in the folder of the models.
static int files(void) {
  char line[256];
  snprintf(line, sizeof line, "ls -A %s/sinew/models 2>/dev/null | wc -l", folder);
  output o = run_line(line);
  const int n = atoi(o.text);
  done(&o);
  return n;
}

static void is_number_of_files(int n) {
  ck_assert_int_eq(files(), n);
}

// ------------------------------------------------------------------ the same output

static const char *const inspected[] = { SAMPLE("ant"), SAMPLE("arm"), SAMPLE("figure"),
                                         SAMPLE("stack"), MODEL("model/small") };
enum { NINSPECTED = sizeof inspected / sizeof inspected[0] };

START_TEST(inspect_prints_the_same) {
  output cold = call("inspect %s --json --no-cache", inspected[_i]);
  expect(&cold, 0);
  is_number_of_files(0);
  for (int k = 0; k < 2; k++) {
    output o = call("inspect %s --json", inspected[_i]);
    expect(&o, 0);
    ck_assert_str_eq(o.text, cold.text);
    is_number_of_files(1);
    done(&o);
  }
  done(&cold);
}
END_TEST

START_TEST(warnings_are_printed_again) {
  put_text("r.urdf", WARNED_ROBOT);
  usleep(150000);
  for (int k = 0; k < 2; k++) {
    output o = call("inspect %s 2>&1 >/dev/null", in_folder("r.urdf"));
    expect(&o, 0);
    ck_assert_msg(strstr(o.text, "lower 2 is above upper 1"), "%s", o.text);
    is_number_of_files(1);
    done(&o);
    output strict = call("inspect %s --strict 2>&1", in_folder("r.urdf"));
    expect(&strict, 1);
    done(&strict);
  }
}
END_TEST

// ------------------------------------------------------------------ what a system does

START_TEST(processes_share_the_folder) {
  char line[1024];
  snprintf(line, sizeof line,
           "for i in 1 2 3 4 5 6; do %s/sinew trace %s --steps 20 > %s/out$i & done; wait; "
           "cat %s/out? | sort | uniq -c | awk '{print $1}' | sort -u",
           SN_TEST_BUILD, SAMPLE("figure"), folder, folder);
  for (int k = 0; k < 2; k++) {
    output o = run_line(line);
    expect(&o, 0);
    ck_assert_msg(atoi(o.text) % 6 == 0 && atoi(o.text) > 0, "%s", o.text);
    is_number_of_files(1);
    done(&o);
  }
}
END_TEST

// A write past this limit ends a process.
START_TEST(limit_of_file_sizes_is_respected) {
  char line[512];
  snprintf(line, sizeof line, "ulimit -f 4; %s/sinew run %s --steps 1", SN_TEST_BUILD,
           SAMPLE("arm"));
  output o = run_line(line);
  expect(&o, 0);
  is_number_of_files(0);
  done(&o);
}
END_TEST

// In a file system of its own, where this user can mount one.
START_TEST(full_disk_does_no_harm) {
  char line[1024];
  snprintf(line, sizeof line,
           "unshare -rm sh -c 'mount -t tmpfs -o size=32k none %s && %s/sinew run %s --steps 1 "
           "> /dev/null && ls -A %s/sinew/models | wc -l' || echo skipped",
           folder, SN_TEST_BUILD, SAMPLE("arm"), folder);
  output o = run_line(line);
  ck_assert_msg(strcmp(o.text, "0\n") == 0 || strstr(o.text, "skipped"), "%s", o.text);
  if (strstr(o.text, "skipped")) {
    printf("full_disk_does_no_harm is skipped: no file system can be mounted\n");
  }
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ another build

static ino_t entry(void) {
  char line[256];
  snprintf(line, sizeof line, "ls -i %s/sinew/models | awk '{print $1}'", folder);
  output o = run_line(line);
  const ino_t number = (ino_t)strtoull(o.text, NULL, 10);
  done(&o);
  return number;
}

static void run_with_plugin(void) {
  output o = call("run %s --steps 1 --plugin %s/mine.so", SAMPLE("arm"), folder);
  expect(&o, 0);
  done(&o);
}

START_TEST(other_build_of_a_plugin_is_seen) {
  char copy[512];
  snprintf(copy, sizeof copy, "cp %s/samples/propeller.so %s/mine.so", SN_TEST_BUILD, folder);
  output o = run_line(copy);
  expect(&o, 0);
  done(&o);
  usleep(300000);
  run_with_plugin();
  const ino_t first = entry();
  ck_assert_uint_ne(first, 0);
  run_with_plugin();
  ck_assert_uint_eq(entry(), first);
  o = run_line(copy);
  expect(&o, 0);
  done(&o);
  usleep(300000);
  run_with_plugin();
  ck_assert_uint_ne(entry(), first);
  is_number_of_files(1);
}
END_TEST

// ------------------------------------------------------------------ libraries

// A plugin that needs a library, which is found in `lib` beside it.
static void put_plugin_with_library(void) {
  char line[1024];
  snprintf(
      line, sizeof line,
      "cd %s && mkdir lib first && cp %s/brings.so . && cp %s/libbrought.so %s/libdeeper.so lib",
      folder, OBJECTS, OBJECTS, OBJECTS);
  output o = run_line(line);
  expect(&o, 0);
  done(&o);
  usleep(300000);
}

// The entry after a run that searches libraries in the folder `first` too.
static ino_t entry_after_run(void) {
  char line[1024];
  snprintf(line, sizeof line,
           "LD_LIBRARY_PATH=%s/first %s/sinew run %s --steps 1 --plugin %s/brings.so", folder,
           SN_TEST_BUILD, SAMPLE("arm"), folder);
  output o = run_line(line);
  expect(&o, 0);
  done(&o);
  return entry();
}

// Where a library appears that the dynamic linker then takes in place of the one that it took: in a
// folder of LD_LIBRARY_PATH, or in a subfolder for some processors.
static const char *const shadows[] = { "first", "lib/glibc-hwcaps/x86-64-v2",
                                       "first/glibc-hwcaps/x86-64-v2" };

START_TEST(library_that_comes_first_is_seen) {
  put_plugin_with_library();
  const ino_t first = entry_after_run();
  ck_assert_uint_ne(first, 0);
  ck_assert_uint_eq(entry_after_run(), first);
  char line[1024];
  snprintf(line, sizeof line, "cd %s && mkdir -p %s && cp lib/*.so %s", folder, shadows[_i],
           shadows[_i]);
  output o = run_line(line);
  expect(&o, 0);
  done(&o);
  usleep(300000);
  const ino_t second = entry_after_run();
  ck_assert_uint_ne(second, first);
  ck_assert_uint_eq(entry_after_run(), second);
}
END_TEST

// A library that only a part of a loader needs, which is not loaded for a model that is kept.
START_TEST(library_of_a_part_is_seen) {
  put_plugin_with_library();
  const ino_t first = entry_after_run();
  char line[1024];
  snprintf(line, sizeof line,
           "cp -L $(ldd %s/loaders/parts/mjcf.so | awk '/tinyxml2/ { print $3 }') %s/first",
           SN_TEST_BUILD, folder);
  output o = run_line(line);
  expect(&o, 0);
  done(&o);
  usleep(300000);
  ck_assert_uint_ne(entry_after_run(), first);
}
END_TEST

// ------------------------------------------------------------------ the command

START_TEST(models_are_counted_and_removed) {
  output o = call("run %s --steps 1", SAMPLE("arm"));
  expect(&o, 0);
  done(&o);
  o = call("cache --json");
  expect(&o, 0);
  const json_node *counts = root(&o);
  ck_assert_int_eq((int)number(&o, counts, "files"), 1);
  ck_assert(number(&o, counts, "bytes") > 1000);
  done(&o);
  put_text("sinew/models/other.sinew-model", "of somebody else");
  o = call("cache clear");
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "1 model,"));
  is_number_of_files(1);
  done(&o);
  o = call("cache");
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, folder));
  done(&o);
  o = call("cache empty 2>&1");
  expect(&o, 2);
  done(&o);
}
END_TEST

START_TEST(it_can_be_turned_off) {
  static const char *const ways[] = { "--no-cache", "--set cache.models=no", "--config off.ini" };
  put_text("off.ini", "[cache]\nmodels = no\n");
  for (int k = 0; k < 3; k++) {
    char line[1024];
    snprintf(line, sizeof line, "cd %s; %s/sinew run %s --steps 1 %s", folder, SN_TEST_BUILD,
             SAMPLE("arm"), ways[k]);
    output o = run_line(line);
    expect(&o, 0);
    is_number_of_files(0);
    done(&o);
  }
  put_text("wrong.ini", "[cache]\nmodels = maybe\n");
  output o = call("run %s --steps 1 --config %s 2>&1", SAMPLE("arm"), in_folder("wrong.ini"));
  expect(&o, 1);
  ck_assert_msg(strstr(o.text, "wrong.ini:2: cache.models is yes or no, not 'maybe'"), "%s",
                o.text);
  done(&o);
}
END_TEST

// A process keeps nothing that was started in the moment when its program was linked.
static int wait_for_build(void) {
  usleep(200000);
  return 1;
}

TESTS() {
  NEEDS(wait_for_build(), "");
  FIXTURE(set_up, tear_down);
  EACH(inspect_prints_the_same, 0, NINSPECTED);
  TEST(warnings_are_printed_again);
  TEST(processes_share_the_folder);
  TEST(limit_of_file_sizes_is_respected);
  TEST(full_disk_does_no_harm);
  TEST(other_build_of_a_plugin_is_seen);
  EACH(library_that_comes_first_is_seen, 0, (int)(sizeof shadows / sizeof shadows[0]));
  TEST(library_of_a_part_is_seen);
  TEST(models_are_counted_and_removed);
  TEST(it_can_be_turned_off);
}
