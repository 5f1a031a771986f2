// SPDX-License-Identifier: Apache-2.0
//
// Files of packages by name, in MJCF and URDF alike: the folders of the parameter and of the
// environment, names that lead out of a package, and the message about a missing one.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/files.h"
#include "model/model.h"
#include "suite.h"
#include "temporary_folder.h"

static sn_engine *engine;
static sn_error *error;

// path: the parameter of the plugin; NULL: its default.
static void open_engine(const char *path) {
  engine = sn_engine_open(NULL, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  if (path) {
    ck_assert_msg(sn_engine_set(engine, "plugin.packages.path", path, error) >= 0, "%s",
                  sn_error_text(error));
  }
  ck_assert_msg(si_engine_freeze(engine, error) >= 0, "%s", sn_error_text(error));
}

static void set_up(void) {
  open_folder();
  error = sn_error_new();
  unsetenv("ROS_PACKAGE_PATH");
  unsetenv("AMENT_PREFIX_PATH");
  static const char *const folders[] = { "shelf", "shelf/arm",   "shelf/arm/mesh",
                                         "ament", "ament/share", "ament/share/leg" };
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    ck_assert_int_eq(mkdir(in_folder(folders[i]), 0755), 0);
  }
  put_text("shelf/arm/arm.xml",
           "<mujoco><compiler meshdir='mesh'/><asset><mesh name='m' file='t.obj'/>"
           "<mesh name='n' file='package://arm/mesh/t.obj'/></asset><worldbody>"
           "<geom type='mesh' mesh='m'/></worldbody></mujoco>");
  put_text("shelf/arm/mesh/t.obj",
           "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  put_text("shelf/secret", "secret");
  put_text("ament/share/leg/leg.txt", "leg");
}

static void tear_down(void) {
  sn_engine_close(engine);
  sn_error_free(error);
  close_folder();
}

static void is_rejected(const char *name, const char *words) {
  sn_source *s = NULL;
  ck_assert_int_eq(si_engine_open_source(engine, NULL, name, &s, error), SN_EIO);
  ck_assert_ptr_null(s);
  ck_assert_msg(strstr(sn_error_text(error), words) != NULL, "%s", sn_error_text(error));
}

START_TEST(model_of_a_package) {
  open_engine(in_folder("shelf"));
  static const char *const names[] = { "package://arm/arm.xml", "model://arm/arm.xml",
                                       "package://arm/mesh/../arm.xml" };
  for (int i = 0; i < 3; i++) {
    sn_model *m = sn_load(engine, names[i], error);
    ck_assert_msg(m != NULL, "%s", sn_error_text(error));
    ck_assert_int_eq(m->nmesh, 2);
    sn_model_free(m);
  }
}
END_TEST

// The loader of URDF asks too, where its own search finds nothing.
START_TEST(robot_with_meshes_of_a_package) {
  open_engine(in_folder("shelf"));
  ck_assert_int_eq(mkdir(in_folder("elsewhere"), 0755), 0);
  put_text("elsewhere/r.urdf",
           "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' "
           "ixz='0' iyy='1' iyz='0' izz='1'/></inertial><collision><geometry>"
           "<mesh filename='package://arm/mesh/t.obj'/></geometry></collision></link></robot>");
  sn_model *m = sn_load(engine, in_folder("elsewhere/r.urdf"), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(m->nmesh, 1);
  sn_model_free(m);
}
END_TEST

START_TEST(folders_of_the_environment) {
  setenv("AMENT_PREFIX_PATH", in_folder("ament"), 1);
  setenv("ROS_PACKAGE_PATH", in_folder("shelf/arm/"), 1);
  open_engine(NULL);
  sn_source *s = NULL;
  ck_assert_int_eq(si_engine_open_source(engine, NULL, "package://leg/leg.txt", &s, error), SN_OK);
  ck_assert_str_eq((const char *)s->bytes, "leg");
  s->close(s);
  ck_assert_int_eq(si_engine_open_source(engine, NULL, "package://arm/mesh/t.obj", &s, error),
                   SN_OK);
  s->close(s);
}
END_TEST

START_TEST(what_is_missing) {
  open_engine(in_folder("shelf"));
  is_rejected("package://leg/leg.txt", "no package 'leg' with this file is in path of "
                                       "[plugin.packages] (");
  is_rejected("package://arm/../secret", "cannot open 'package://secret'");
  is_rejected("package://../secret", "leads above 'package://'");
  is_rejected("package://arm/mesh", "it is a folder");
  is_rejected("package://", "has nothing after 'package://'");
}
END_TEST

static void count_entries(void *context, const char *name, int32_t is_folder) {
  (void)name;
  *(int *)context += 1 + 10 * is_folder;
}

START_TEST(folder_of_a_package) {
  open_engine(in_folder("shelf"));
  sn_source *s = NULL;
  ck_assert_int_eq(si_engine_open_source(engine, NULL, "package://arm/arm.xml", &s, error), SN_OK);
  int n = 0;
  ck_assert_int_eq(s->list(s, ".", &n, count_entries), SN_OK);
  ck_assert_int_eq(n, 12);   // arm.xml, mesh/
  ck_assert_int_eq(s->list(s, "nothing", &n, count_entries), SN_ENOTFOUND);
  s->close(s);
}
END_TEST

TESTS_IN_PROCESSES() {
  FIXTURE(set_up, tear_down);
  TEST(model_of_a_package);
  TEST(robot_with_meshes_of_a_package);
  TEST(folders_of_the_environment);
  TEST(what_is_missing);
  TEST(folder_of_a_package);
}
