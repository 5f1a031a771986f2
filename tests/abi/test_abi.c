// SPDX-License-Identifier: Apache-2.0
//
// Shared objects of every sort, loaded by an ini: the right ones work, each wrong one is rejected
// by name with its reason, and the process and the engine live on.

#include <fcntl.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/objects.h"
#include "base/arena.h"
#include "host/engine.h"
#include "suite.h"

static sn_error *error;

static void set_up(void) {
  umask(022);
  open_folder();
  ck_assert_int_eq(symlink(OBJECTS, in_folder("abi")), 0);
  error = sn_error_new();
}

static void tear_down(void) {
  close_folder();
  sn_error_free(error);
}

// An engine of an ini with this text; the file is "sinew.ini" in the folder.
static sn_engine *open_with(const char *text) {
  put_text("sinew.ini", text);
  return sn_engine_open(in_folder("sinew.ini"), error);
}

// After a rejection: numbers round as ever, and a good plugin still loads and works.
static void check_alive(void) {
  ck_assert_int_eq(fegetround(), FE_TONEAREST);
  sn_engine *engine = open_with("[plugins]\ngood = abi/good.so\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  const si_provider *p = si_engine_find(engine, SN_KIND_SOLVER, "alpha", error);
  ck_assert_ptr_nonnull(p);
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  ck_assert_int_eq(*(int64_t *)p->self, 3);
  sn_engine_close(engine);
}

// ------------------------------------------------------------------ rejected

static const struct {
  const char *object, *reason;
} rejected[] = {
  { "magic",
    "its descriptor is 0x464c457f, not SN_PLUGIN_MAGIC; define the descriptor with SN_PLUGIN" },
  { "short_descriptor", "the size of its descriptor is 16 bytes" },
  { "major", "built for ABI 2, this engine has ABI 1" },
  { "minor", "needs ABI 1.1, this engine has 1.0" },
  { "real", "its real numbers have 4 bytes" },
  { "license", "its descriptor has no license; set it to an SPDX identifier" },
  { "short_table", "the operation table has 40 bytes, and that of the kind solver has 48" },
  { "smaller_kind",
    "mesh 'alpha' of plugin 'victim': the operation table has 48 bytes, like that of the kind "
    "solver, and that of the kind mesh has 88; list it with the macro of its own kind" },
  { "larger_kind",
    "solver 'alpha' of plugin 'victim': the operation table has 120 bytes, like that of the kind "
    "gain, and that of the kind solver has 48" },
  { "headless", "the size of the operation table is 8 bytes" },
  { "operation", "the required operation 'solve' is NULL" },
  { "kind", "unknown kind 'sinew.solver/2'; this engine supports 'sinew.solver/1'" },
  { "flags",
    "its flags 0x110 contain 0x100, which is unknown to this engine; a solver has the flags "
    "SN_SOLVER_NO_ISLANDS|SN_SOLVER_DUAL|SN_SOLVER_POST|SN_SOLVER_COULOMB|SN_SOLVER_RECURSIVE" },
  { "bad_name", "named 'two words'" },
  { "twice", "provides the solver 'alpha' twice" },
  { "default", "'gain' is 30, outside of the range 1 to 9" },
  { "init", "its init failed: the dongle is missing" },
  { "init_silent", "its operation 'init' failed without a message (SN_EIO)" },
  { "init_status",
    "its init failed: plugin 'victim': its operation 'init' returned the status 12345, "
    "which is unknown" },
  { "init_more", "its operation 'init' returned SN_MORE, but it has no output with a capacity" },
  { "init_rounding", "its operation 'init' changed the rounding mode" },
  { "load_rounding", "its loading changed the rounding mode" },
  { "null_entry", "sn_plugin_entry returned NULL; it must return the address of a descriptor" },
  { "no_entry", "does not export the function sn_plugin_entry" },
};

START_TEST(plugin_is_rejected) {
  char text[256];
  const char *object = rejected[_i].object;
  snprintf(text, sizeof text, "; a comment\n[plugins]\nvictim = abi/%s.so\n", object);
  sn_engine *engine = open_with(text);
  ck_assert_msg(engine == NULL, "%s was accepted", object);
  ck_assert_int_eq(sn_error_code(error), SN_EPLUGIN);
  ck_assert_str_eq(sn_error_file(error), in_folder("sinew.ini"));
  ck_assert_int_eq(sn_error_line(error), 3);
  ck_assert_msg(strstr(sn_error_message(error), rejected[_i].reason) != NULL, "%s",
                sn_error_text(error));
  ck_assert_msg(strstr(sn_error_message(error), "victim") != NULL, "%s", sn_error_text(error));
  check_alive();
}
END_TEST

// the same while an engine lives: nothing of the plugin stays behind
START_TEST(rejection_rolls_back) {
  char path[512];
  sn_engine *engine = open_with("[plugins]\nnewer = abi/newer.so\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  snprintf(path, sizeof path, OBJECTS "%s.so", rejected[_i].object);
  sn_status status = sn_engine_load_plugin(engine, "victim", path, error);
  if (strcmp(rejected[_i].object, "load_rounding") == 0) {
    // what an object does when it is mapped, it does once in a process
    ck_assert_int_eq(fegetround(), FE_TONEAREST);
    sn_engine_close(engine);
    return;
  }
  ck_assert_int_eq(status, SN_EPLUGIN);
  ck_assert_ptr_nonnull(si_engine_each(engine, SN_KIND_SOLVER, 0));
  ck_assert_ptr_null(si_engine_each(engine, SN_KIND_SOLVER, 1));
  ck_assert_ptr_null(si_engine_find(engine, SN_KIND_SOLVER, "before", error));
  ck_assert_int_eq(sn_engine_load_plugin(engine, "good", OBJECTS "good.so", error), SN_OK);
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  sn_engine_close(engine);
}
END_TEST

START_TEST(create_fails) {
  static const char *const objects[] = { "create", "create_rounding", "create_status",
                                         "create_more" };
  static const char *const reasons[] = { "create does not feel like it",
                                         "its operation 'create' changed the rounding mode",
                                         "its operation 'create' returned the status 12345",
                                         "its operation 'create' returned SN_MORE" };
  char text[256];
  snprintf(text, sizeof text, "[plugins]\nnewer = abi/newer.so\nvictim = abi/%s.so\n", objects[_i]);
  sn_engine *engine = open_with(text);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_lt(si_engine_freeze(engine, error), 0);
  ck_assert_msg(strstr(sn_error_message(error), reasons[_i]) != NULL, "%s", sn_error_text(error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "victim"));
  ck_assert_ptr_null(si_engine_find(engine, SN_KIND_SOLVER, "newer", error)->self);
  sn_engine_close(engine);
  check_alive();
}
END_TEST

// ------------------------------------------------------------------ not even an object

static void reject_file(const char *name, sn_status code, const char *reason) {
  char text[256];
  snprintf(text, sizeof text, "[plugins]\nvictim = %s\n", name);
  sn_engine *engine = open_with(text);
  ck_assert_msg(engine == NULL, "%s was accepted", name);
  ck_assert_msg(strstr(sn_error_message(error), reason) != NULL, "%s", sn_error_text(error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), name));
  ck_assert_int_eq(sn_error_code(error), code);
  ck_assert_int_eq(sn_error_line(error), 2);
}

START_TEST(truncated) {
  struct stat s;
  ck_assert_int_eq(stat(OBJECTS "good.so", &s), 0);
  for (long size = 0; size < s.st_size; size += size < 200 ? 7 : s.st_size / 37) {
    copy_part(OBJECTS "good.so", "part.so", size);
    reject_file("part.so", SN_EPLUGIN, size < 4 ? "not a shared object" : "truncated");
  }
  copy_part(OBJECTS "good.so", "part.so", s.st_size - 1);
  reject_file("part.so", SN_EPLUGIN, "truncated");
  check_alive();
}
END_TEST

START_TEST(not_elf) {
  char words[3000];
  memset(words, 'x', sizeof words);
  put_bytes("text.so", words, sizeof words);
  reject_file("text.so", SN_EPLUGIN, "not a shared object");

  // for another machine, and a program instead of an object
  copy_part(OBJECTS "good.so", "other.so", -1);
  int d = open(in_folder("other.so"), O_RDWR);
  const uint8_t machine[2] = { 0xfe, 0xca }, type[2] = { 1, 0 };
  ck_assert_int_eq(pwrite(d, machine, 2, 18), 2);
  reject_file("other.so", SN_EPLUGIN, "for another machine");
  copy_part(OBJECTS "good.so", "other.so", -1);
  ck_assert_int_eq(pwrite(d, type, 2, 16), 2);
  close(d);
  reject_file("other.so", SN_EPLUGIN, "not a shared object");
  check_alive();
}
END_TEST

START_TEST(missing_and_odd_files) {
  reject_file("nowhere.so", SN_EIO, "No such file");
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), " optional` to load it only if it exists"));
  ck_assert_int_eq(mkdir(in_folder("dir.so"), 0755), 0);
  reject_file("dir.so", SN_EIO, "not a regular file");
  ck_assert_int_eq(mkfifo(in_folder("pipe.so"), 0600), 0);
  reject_file("pipe.so", SN_EIO, "not a regular file");
}
END_TEST

START_TEST(writable_by_others) {
  copy_part(OBJECTS "good.so", "open.so", -1);
  ck_assert_int_eq(chmod(in_folder("open.so"), 0757), 0);
  reject_file("open.so", SN_EPLUGIN, "other users can write it; use: chmod go-w");
  ck_assert_int_eq(chmod(in_folder("open.so"), 0775), 0);
  reject_file("open.so", SN_EPLUGIN, "other users can write it");
  ck_assert_int_eq(chmod(in_folder("open.so"), 0755), 0);
  ck_assert_int_eq(mkdir(in_folder("sub"), 0755), 0);
  copy_part(OBJECTS "good.so", "sub/good.so", -1);
  ck_assert_int_eq(chmod(in_folder("sub"), 0777), 0);
  reject_file("sub/good.so", SN_EPLUGIN, "other users can write in the folder");
  if (geteuid() == 0) {
    ck_assert_int_eq(chown(in_folder("open.so"), 12345, 0), 0);
    reject_file("open.so", SN_EPLUGIN, "belongs to another user");
  }

  // and the ini itself
  sn_engine *engine = open_with("[plugins]\ngood = abi/good.so\n");
  ck_assert_ptr_nonnull(engine);
  sn_engine_close(engine);
  ck_assert_int_eq(chmod(in_folder("sinew.ini"), 0666), 0);
  ck_assert_ptr_null(sn_engine_open(in_folder("sinew.ini"), error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "other users can write it"));
}
END_TEST

// ------------------------------------------------------------------ accepted

START_TEST(newer_and_older) {
  sn_engine *engine = open_with("[plugins]\nnewer = abi/newer.so\nolder = abi/older.so\n"
                                "[plugin.newer]\ngain = 7\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  ck_assert_int_eq(*(int64_t *)si_engine_find(engine, SN_KIND_SOLVER, "newer", error)->self, 7);
  ck_assert_int_eq(*(int64_t *)si_engine_find(engine, SN_KIND_SOLVER, "older", error)->self, 3);
  sn_engine_close(engine);
}
END_TEST

static void remember(void *context, int32_t level, const char *topic, const char *text) {
  (void)topic;
  if (level >= SN_LOG_WARNING) {
    snprintf(context, 1024, "%s", text);
  }
}

// A provider of an unknown kind beside one of a known kind is left out, with a warning and listed.
START_TEST(unknown_kind_is_left_out) {
  sn_engine *engine = open_with("[plugins]\nmixed = abi/mixed.so\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  char last[1024] = "";
  sn_engine_set_log(engine, remember, last);
  ck_assert_msg(strstr(last, "'alpha' of plugin 'mixed' is left out: unknown kind "
                             "'sinew.solver/2'; this engine supports 'sinew.solver/1', "),
                "%s", last);
  ck_assert_ptr_nonnull(si_engine_find(engine, SN_KIND_SOLVER, "before", error));
  ck_assert_ptr_null(si_engine_find(engine, SN_KIND_SOLVER, "alpha", error));
  sn_provider_info info = { .size = sizeof info };
  ck_assert_int_eq(sn_engine_skipped(engine, 0, &info), 1);
  ck_assert_str_eq(info.kind, "sinew.solver/2");
  ck_assert_str_eq(info.name, "alpha");
  ck_assert_str_eq(info.plugin, "mixed");
  ck_assert_msg(strstr(last, info.summary) != NULL, "%s", info.summary);
  ck_assert_ptr_null(info.ops);
  ck_assert_int_eq(sn_engine_skipped(engine, 1, &info), 0);
  ck_assert_int_eq(sn_engine_skipped(engine, -1, &info), 0);
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  sn_engine_close(engine);
}
END_TEST

START_TEST(cplusplus) {
  static const char *const objects[] = { "cpp11", "cpp17", "cpp20" };
  char text[256];
  snprintf(text, sizeof text, "[plugins]\nmine = abi/%s.so\n", objects[_i]);
  sn_engine *engine = open_with(text);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  const si_provider *p = si_engine_find(engine, SN_KIND_SOLVER, "cpp", error);
  const sn_solver_ops *ops = p->ops;
  double smooth[2] = { 1, 2 }, qacc[2] = { 0 };
  const sn_problem problem = { .size = sizeof problem, .nv = 2, .qacc_smooth = smooth };
  sn_solution solution = { .size = sizeof solution, .qacc = qacc };
  // too little memory, and then enough: the lock of the plugin is free again
  si_arena arena;
  si_arena_init(&arena, 8);
  ck_assert_int_eq(ops->solve(p->self, &problem, &solution, &arena.scratch), SN_ENOMEM);
  si_arena_free(&arena);
  si_arena_init(&arena, 0);
  ck_assert_int_eq(ops->solve(p->self, &problem, &solution, &arena.scratch), SN_OK);
  ck_assert_double_eq(qacc[1], 2);
  si_arena_free(&arena);
  sn_engine_close(engine);
}
END_TEST

START_TEST(same_name_twice) {
  ck_assert_ptr_null(open_with("[plugins]\ngood = abi/good.so\nrival = abi/rival.so\n"));
  ck_assert_int_eq(sn_error_line(error), 3);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "'good' and 'rival' both provide the "
                                                        "solver 'alpha'"));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "solver.alpha = rival"));
  ck_assert_ptr_null(open_with("[plugins]\ngood = abi/good.so\nagain = abi/./good.so\n"));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "already loaded as 'good'"));
}
END_TEST

START_TEST(override) {
  static const char *const winner[] = { "good", "rival" };
  static const int64_t gain[] = { 3, 5 };
  for (int k = 0; k < 4; k++) {
    char text[256];
    snprintf(text, sizeof text,
             "[plugins]\n%s = abi/%s.so\n%s = abi/%s.so\n[override]\n"
             "solver.alpha = %s\n",
             winner[k & 1], winner[k & 1], winner[!(k & 1)], winner[!(k & 1)], winner[k >> 1]);
    sn_engine *engine = open_with(text);
    ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
    ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
    const si_provider *p = si_engine_find(engine, SN_KIND_SOLVER, "alpha", error);
    ck_assert_int_eq(*(int64_t *)p->self, gain[k >> 1]);
    ck_assert_ptr_null(si_engine_each(engine, SN_KIND_SOLVER, 1));
    sn_engine_close(engine);
  }

  sn_engine *engine = open_with(
      "[plugins]\ngood = abi/good.so\n[override]\nsolver.alpha = rival\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_ENOTFOUND);
  ck_assert_int_eq(sn_error_line(error), 4);
  sn_engine_close(engine);
}
END_TEST

START_TEST(optional) {
  sn_engine *engine = open_with(
      "[plugins]\nfar = nowhere.so optional\nbad = abi/magic.so optional\n"
      "good = abi/good.so optional\n[plugin.absent]\nx = 1\n");
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  char last[1024] = "";
  sn_engine_set_log(engine, remember, last);
  ck_assert_ptr_nonnull(strstr(last, "'bad' is not loaded"));
  ck_assert_ptr_nonnull(si_engine_find(engine, SN_KIND_SOLVER, "alpha", error));
  ck_assert_ptr_null(si_engine_find(engine, SN_KIND_SOLVER, "beta", error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "'far' ("));
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
  ck_assert_ptr_nonnull(strstr(last, "plugin.absent"));
  sn_engine_close(engine);
}
END_TEST

// In both orders of closing.
START_TEST(two_engines) {
  sn_engine *a = open_with("[plugins]\ngood = abi/good.so\n[plugin.alpha]\ngain = 2\n");
  sn_engine *b = open_with("[plugins]\ngood = abi/good.so\n[plugin.alpha]\ngain = 8\n");
  ck_assert_ptr_nonnull(a);
  ck_assert_ptr_nonnull(b);
  ck_assert_int_eq(si_engine_freeze(a, error), SN_OK);
  ck_assert_int_eq(si_engine_freeze(b, error), SN_OK);
  ck_assert_int_eq(*(int64_t *)si_engine_find(a, SN_KIND_SOLVER, "alpha", error)->self, 2);
  ck_assert_int_eq(*(int64_t *)si_engine_find(b, SN_KIND_SOLVER, "alpha", error)->self, 8);
  sn_engine_close(_i ? b : a);
  sn_engine_close(_i ? a : b);
}
END_TEST

// Without descriptors nothing is wrong with the file, and the cure is none of a missing one.
START_TEST(too_many_open_files) {
  struct rlimit before;
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int lowest = dup(STDERR_FILENO);
  close(lowest);
  int nfailed = 0;
  for (int more = 1; more < 8; more++) {
    put_text("sinew.ini", "root = true\n[plugins]\ngood = abi/good.so\n");
    const struct rlimit few = { (rlim_t)(lowest + more), before.rlim_max };
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    sn_engine *engine = sn_engine_open(in_folder("sinew.ini"), error);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
    if (!engine) {
      nfailed++;
      ck_assert_msg(strstr(sn_error_text(error), "raise the limit of open files") != NULL, "%s",
                    sn_error_text(error));
      ck_assert_msg(!strstr(sn_error_text(error), "optional"), "%s", sn_error_text(error));
      ck_assert_msg(!strstr(sn_error_text(error), "install"), "%s", sn_error_text(error));
    }
    sn_engine_close(engine);
  }
  ck_assert_int_gt(nfailed, 0);
  ck_assert_int_lt(nfailed, 7);
}
END_TEST

TESTS() {
  const int nrejected = sizeof rejected / sizeof rejected[0];
  FIXTURE(set_up, tear_down);
  EACH(plugin_is_rejected, 0, nrejected);
  EACH(rejection_rolls_back, 0, nrejected);
  EACH(create_fails, 0, 4);
  TEST(too_many_open_files);
  TEST(truncated);
  TEST(not_elf);
  TEST(missing_and_odd_files);
  TEST(writable_by_others);
  TEST(newer_and_older);
  TEST(unknown_kind_is_left_out);
  EACH(cplusplus, 0, 3);
  TEST(same_name_twice);
  TEST(override);
  TEST(optional);
  EACH(two_engines, 0, 2);
}
