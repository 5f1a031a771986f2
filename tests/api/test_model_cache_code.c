// SPDX-License-Identifier: Apache-2.0
//
// Models that are kept, and the code that takes part in them: a plugin whose file is exchanged
// while a process has it loaded.

#include <sys/wait.h>

#include "kept_models.h"
#include "scenes.h"
#include "suite.h"

// Two folders with a plugin each, which are not the same, and a configuration with that of `used`.
static void put_plugins(void) {
  char line[1024];
  snprintf(line, sizeof line,
           "cd %s && mkdir used next && cp %s/samples/propeller.so used/mine.so && "
           "cp %s/samples/imu_drift.so next/mine.so",
           folder, SN_TEST_BUILD, SN_TEST_BUILD);
  ck_assert_int_eq(system(line), 0);
  snprintf(line, sizeof line,
           "root = true\ninclude = %s/sinew.ini\n[plugins]\nmine = used/mine.so\n", SN_TEST_BUILD);
  put_text("mine.ini", line);
  config = in_folder("mine.ini");
  wait_a_moment();
}

// The files have the times that they had: only the folders are renamed.
static int exchange(void) {
  return rename(in_folder("used"), in_folder("old")) == 0 &&
         rename(in_folder("next"), in_folder("used")) == 0;
}

// What a process does before it loads a model: the folders are exchanged while an engine has the
// plugin, or after that one was closed, when the dynamic linker still has it; or before the first.
enum { HELD, CLOSED, BEFORE };

static void load_after_exchange(int when) {
  sn_engine *engine = when == BEFORE ? NULL : open_with("yes");
  if (when == CLOSED) {
    sn_engine_close(engine);
    engine = NULL;
  }
  ck_assert(exchange());
  engine = engine ? engine : open_with("yes");
  image i = load_in(engine, SAMPLE("arm"), 0);
  free(i.bytes);
  sn_engine_close(engine);
}

// In a process that is started after the files were written.
static int count_after_exchange(int when) {
  put_plugins();
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    load_after_exchange(when);
    _exit(0);
  }
  int status = -1;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  ino_t number;
  return entries(&number);
}

START_TEST(exchanged_plugin_is_seen) {
  ck_assert_int_eq(count_after_exchange(_i), 0);
}
END_TEST

START_TEST(plugin_that_was_exchanged_before_is_kept) {
  ck_assert_int_eq(count_after_exchange(BEFORE), 1);
}
END_TEST

TESTS_IN_PROCESSES() {
  NEEDS(is_old_enough(), "");
  FIXTURE(set_up, tear_down);
  EACH(exchanged_plugin_is_seen, HELD, CLOSED + 1);
  TEST(plugin_that_was_exchanged_before_is_kept);
}
