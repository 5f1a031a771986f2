// SPDX-License-Identifier: Apache-2.0
//
// Parts of plugins, sinew/part.h: one is found beside the plugin, is the same at each call, and is
// checked like a plugin when it is first used, not before, and by `sinew plugins doctor`.

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "abi/objects.h"
#include "sinew/sinew.h"
#include "suite.h"

static sn_error *error;

static void copy_object(const char *object, const char *name) {
  char from[512];
  snprintf(from, sizeof from, OBJECTS "%s", object);
  copy_part(from, name, -1);
  ck_assert_int_eq(chmod(in_folder(name), 0644), 0);
}

static void set_up(void) {
  open_folder();
  ck_assert_int_eq(chmod(folder, 0755), 0);
  ck_assert_int_eq(mkdir(in_folder("parts"), 0755), 0);
  error = sn_error_new();
  copy_object("part_user.so", "part_user.so");
}

static void tear_down(void) {
  close_folder();
  sn_error_free(error);
}

// The model of a mesh file with this text; NULL: the error has the reason.
static sn_model *load(sn_engine *engine, const char *text) {
  static const char xml[] =
      "<mujoco><asset><mesh name=\"m\" file=\"m.part_user\"/></asset><worldbody>"
      "<geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>";
  ck_assert_int_ge(sn_engine_add_resource(engine, "m.xml", xml, sizeof xml - 1, error), 0);
  ck_assert_int_ge(
      sn_engine_add_resource(engine, "m.part_user", text, (int64_t)strlen(text), error), 0);
  return sn_load(engine, "m.xml", error);
}

static sn_engine *open_engine(void) {
  sn_engine *engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_msg(sn_engine_load_plugin(engine, "part_user", in_folder("part_user.so"), error) >= 0,
                "%s", sn_error_text(error));
  return engine;
}

START_TEST(a_part_is_loaded_when_it_is_used) {
  sn_engine *engine = open_engine();
  // not before: the file is not there until now
  copy_object("good.so", "parts/late.so");
  sn_model *model = load(engine, "parts/late.so sinew.solver/1 alpha");
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  sn_model_free(model);
  sn_engine_close(engine);
}
END_TEST

static const struct {
  const char *object, *text, *reason;
  int code;
} wrong[] = {
  { NULL, "parts/late.so sinew.solver/1 alpha", "parts/late.so: No such file", SN_EIO },
  { "good.so", "parts/late.so sinew.solver/1 beta",
    "does not provide 'beta' of kind sinew.solver/1; install all files", SN_EPLUGIN },
  { "good.so", "parts/late.so sinew.mesh/1 alpha", "does not provide 'alpha' of kind sinew.mesh/1",
    SN_EPLUGIN },
  { "kind.so", "parts/late.so sinew.solver/2 alpha", "kind", SN_EPLUGIN },
  { "magic.so", "parts/late.so sinew.solver/1 alpha", "the magic number", SN_EPLUGIN },
  { "operation.so", "parts/late.so sinew.solver/1 alpha",
    "parts/late.so: the required operation 'solve' is NULL", SN_EPLUGIN },
  { "load_rounding.so", "parts/late.so sinew.solver/1 alpha", "its loading changed", SN_EPLUGIN },
  { "brings.so", "parts/late.so sinew.solver/1 alpha", "libbrought.so", SN_ENOTFOUND },
  { "no_entry.so", "parts/late.so sinew.solver/1 alpha", "does not export", SN_EPLUGIN },
};

START_TEST(parts_are_checked) {
  if (wrong[_i].object) {
    copy_object(wrong[_i].object, "parts/late.so");
  }
  sn_engine *engine = open_engine();
  ck_assert_ptr_null(load(engine, wrong[_i].text));
  ck_assert_msg(strstr(sn_error_message(error), wrong[_i].reason) != NULL, "wanted '%s', got '%s'",
                wrong[_i].reason, sn_error_text(error));
  ck_assert_int_eq(sn_error_code(error), wrong[_i].code);
  sn_engine_close(engine);
}
END_TEST

START_TEST(a_part_that_others_can_write_is_rejected) {
  copy_object("good.so", "parts/late.so");
  ck_assert_int_eq(chmod(in_folder("parts/late.so"), 0666), 0);
  sn_engine *engine = open_engine();
  ck_assert_ptr_null(load(engine, "parts/late.so sinew.solver/1 alpha"));
  ck_assert_msg(strstr(sn_error_message(error), "other users can write it") != NULL, "%s",
                sn_error_text(error));
  sn_engine_close(engine);
}
END_TEST

// ------------------------------------------------------------------ sinew plugins doctor

static const struct {
  const char *object, *reason;
} tried[] = {
  { "part_user.so", NULL },
  { NULL, "parts/late.so: No such file" },
  { "good.so", "it does not provide the same; install all files" },
  { "magic.so", "the magic number" },
  { "brings.so", "libbrought.so: cannot open shared object file" },
};

START_TEST(the_doctor_tries_parts) {
  char command[512], told[8192];
  if (tried[_i].object) {
    copy_object(tried[_i].object, "parts/late.so");
  }
  snprintf(command, sizeof command,
           "LD_LIBRARY_PATH=" SN_TEST_BUILD " " SN_TEST_BUILD "/sinew plugins doctor %s 2>&1",
           in_folder("part_user.so"));
  FILE *output = popen(command, "r");
  ck_assert_ptr_nonnull(output);
  told[fread(told, 1, sizeof told - 1, output)] = '\0';
  const int status = pclose(output);
  const char *reason = tried[_i].reason;
  ck_assert_msg((status == 0) == !reason, "%s", told);
  ck_assert_msg(strstr(told, reason ? "NOT LOADED   part_user: " : "loaded       part_user: ") !=
                    NULL,
                "%s", told);
  ck_assert_msg(!reason || strstr(told, reason) != NULL, "wanted '%s', got '%s'", reason, told);
}
END_TEST

// Each file of a folder of parts is that of a plugin, whose descriptor names it.
static const char *const part_folders[] = { SN_TEST_BUILD "/plugins/parts",
                                            SN_TEST_BUILD "/loaders/parts" };

START_TEST(descriptors_name_parts) {
  sn_engine *engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  DIR *parts = opendir(part_folders[_i]);
  for (const struct dirent *file; parts && (file = readdir(parts));) {
    char part[sizeof file->d_name + 8];
    snprintf(part, sizeof part, "parts/%s", file->d_name);
    sn_plugin_info p = { .size = sizeof p };
    int found = file->d_name[0] == '.';
    for (int64_t i = 0; !found && sn_engine_plugin(engine, i, &p); i++) {
      found = p.part && strcmp(p.part, part) == 0;
    }
    ck_assert_msg(found, "no plugin names %s", part);
  }
  if (parts) {
    closedir(parts);
  }
  sn_engine_close(engine);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  TEST(a_part_is_loaded_when_it_is_used);
  EACH(parts_are_checked, 0, sizeof wrong / sizeof wrong[0]);
  TEST(a_part_that_others_can_write_is_rejected);
  EACH(the_doctor_tries_parts, 0, sizeof tried / sizeof tried[0]);
  EACH(descriptors_name_parts, 0, sizeof part_folders / sizeof part_folders[0]);
}
