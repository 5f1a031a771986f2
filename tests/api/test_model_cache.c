// SPDX-License-Identifier: Apache-2.0
//
// Models that are kept: what is taken from an entry is to the bit what compiling makes, and nothing
// is taken that would be made differently now.

#include <fcntl.h>

#include "conformance/resource/archive.h"
#include "german_locale.h"
#include "kept_models.h"
#include "model_file.h"
#include "scenes.h"
#include "suite.h"

// ------------------------------------------------------------------ the same model

static const char *const models[] = {
  SAMPLE("ant"),          SAMPLE("arm"),      SAMPLE("cart_pole"),
  SAMPLE("chain"),        SAMPLE("figure"),   SAMPLE("double_pendulum"),
  SAMPLE("paddle"),       SAMPLE("pendulum"), SAMPLE("rows"),
  SAMPLE("slider"),       SAMPLE("stack"),    SAMPLE("tray"),
  SAMPLE("tumbling_box"), MODEL("model/small"),
};
enum { NMODELS = sizeof models / sizeof models[0] };

START_TEST(sample_is_the_same) {
  ck_assert_int_eq(load_and_compare(models[_i], 100), WRITTEN);
  ck_assert_int_eq(load_and_compare(models[_i], 100), TAKEN);
}
END_TEST

START_TEST(reference_model_is_the_same) {
  const scene *s = &scenes[_i];
  if (access(s->path, R_OK) == 0) {
    ck_assert_int_eq(load_and_compare(s->path, 20), WRITTEN);
    ck_assert_int_eq(load_and_compare(s->path, 20), TAKEN);
  }
}
END_TEST

START_TEST(texts_are_kept) {
  put_text("r.urdf", "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"
                     "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                     "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
                     "<limit lower='2' upper='1' effort='1' velocity='1'/></joint></robot>");
  wait_a_moment();
  is_kept(in_folder("r.urdf"));
  sn_engine *engine = open_with("yes");
  sn_model *m = sn_load(engine, in_folder("r.urdf"), error);
  ck_assert_ptr_nonnull(strstr(sn_model_warning(m, 0), "lower 2 is above upper 1"));
  ck_assert_ptr_nonnull(sn_model_note(m, 0));
  sn_model_free(m);
  sn_engine_close(engine);
}
END_TEST

START_TEST(german_locale_gets_the_same) {
  ck_assert_int_eq(load_and_compare(SAMPLE("arm"), 10), WRITTEN);
  ck_assert(!find_german() || set_german());
  ck_assert_int_eq(load_and_compare(SAMPLE("arm"), 10), TAKEN);
  setlocale(LC_ALL, "C");
}
END_TEST

// ------------------------------------------------------------------ what has changed

// Writes a file of the same size, and gives it the old time of modification.
static void replace(const char *name, const char *text) {
  struct stat s;
  ck_assert_int_eq(stat(in_folder(name), &s), 0);
  ck_assert_int_eq(s.st_size, (off_t)strlen(text));
  put_text(name, text);
  const struct timespec times[] = { s.st_atim, s.st_mtim };
  ck_assert_int_eq(utimensat(AT_FDCWD, in_folder(name), times, 0), 0);
}

START_TEST(changed_include_is_seen) {
  put_text("main.xml", MAIN);
  put_text("part.xml", BALL("1"));
  wait_a_moment();
  is_kept(in_folder("main.xml"));
  replace("part.xml", BALL("2"));
  load_and_compare(in_folder("main.xml"), 0);
  wait_a_moment();
  is_kept(in_folder("main.xml"));
}
END_TEST

#define TETRAHEDRON(x) "v 0 0 0\nv ." x " 0 0\nv 0 .2 0\nv 0 0 .2\n" \
                       "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
#define MESHED                                                                              \
  "<mujoco><asset><mesh name='t' file='t.obj'/></asset><worldbody><body><freejoint/>"       \
  "<geom type='mesh' mesh='t'/></body></worldbody></mujoco>"

START_TEST(changed_mesh_is_seen) {
  put_text("m.xml", MESHED);
  put_text("t.obj", TETRAHEDRON("2"));
  wait_a_moment();
  is_kept(in_folder("m.xml"));
  replace("t.obj", TETRAHEDRON("3"));
  load_and_compare(in_folder("m.xml"), 0);
}
END_TEST

START_TEST(file_in_place_of_another_is_seen) {
  put_text("m.xml", MESHED);
  put_text("t.obj", TETRAHEDRON("2"));
  put_text("u.obj", TETRAHEDRON("3"));
  wait_a_moment();
  is_kept(in_folder("m.xml"));
  ck_assert_int_eq(rename(in_folder("u.obj"), in_folder("t.obj")), 0);
  load_and_compare(in_folder("m.xml"), 0);
}
END_TEST

// A mesh is looked for beside the robot before it is looked for in the folders above.
START_TEST(file_that_comes_first_is_seen) {
  ck_assert_int_eq(mkdir(in_folder("robot"), 0700), 0);
  ck_assert_int_eq(mkdir(in_folder("mesh"), 0700), 0);
  put_text("robot/r.urdf",
           "<robot name='r'><link name='a'><visual><geometry><mesh filename='mesh/t.obj'/>"
           "</geometry></visual><collision><geometry><mesh filename='mesh/t.obj'/></geometry>"
           "</collision></link></robot>");
  put_text("mesh/t.obj", TETRAHEDRON("2"));
  wait_a_moment();
  is_kept(in_folder("robot/r.urdf"));
  ck_assert_int_eq(mkdir(in_folder("robot/mesh"), 0700), 0);
  put_text("robot/mesh/t.obj", TETRAHEDRON("3"));
  load_and_compare(in_folder("robot/r.urdf"), 0);
  ck_assert_int_eq(unlink(in_folder("robot/mesh/t.obj")), 0);
  load_and_compare(in_folder("robot/r.urdf"), 0);
}
END_TEST

START_TEST(missing_file_is_an_error_again) {
  put_text("main.xml", MAIN);
  put_text("part.xml", BALL("1"));
  wait_a_moment();
  is_kept(in_folder("main.xml"));
  ck_assert_int_eq(unlink(in_folder("part.xml")), 0);
  sn_engine *engine = open_with("yes");
  ck_assert_ptr_null(sn_load(engine, in_folder("main.xml"), error));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "main.xml:1:"));
  sn_engine_close(engine);
}
END_TEST

START_TEST(changed_archive_is_seen) {
  if (access(SN_TEST_BUILD "/plugins/zip.so", R_OK) != 0) {
    return;   // built without minizip
  }
  for (int k = 0; k < 2; k++) {
    uint8_t bytes[2048];
    const archive_file parts[] = { { .name = "m.xml", .text = MESHED },
                                   { .name = "t.obj",
                                     .text = k ? TETRAHEDRON("3") : TETRAHEDRON("2") } };
    put_bytes("a.zip", bytes, (size_t)archive_write(parts, 2, bytes, sizeof bytes));
    load_and_compare(in_folder("a.zip/m.xml"), 0);
    wait_a_moment();
    is_kept(in_folder("a.zip/m.xml"));
  }
}
END_TEST

// ------------------------------------------------------------------ another configuration

START_TEST(other_profile_is_another_model) {
  put_text("mujoco.ini", "root = true\ninclude = " SN_TEST_BUILD "/sinew.ini\n"
                         "include = " SN_TEST_SOURCE "/sdk/profiles/mujoco-2.2.ini\n");
  const char *standard = config;
  is_kept(SAMPLE("arm"));
  config = in_folder("mujoco.ini");
  is_kept(SAMPLE("arm"));
  config = standard;
  ck_assert_int_eq(load_and_compare(SAMPLE("arm"), 0), TAKEN);
}
END_TEST

START_TEST(setting_is_another_model) {
  sn_engine *engine = open_with("yes");
  image first = load_in(engine, SAMPLE("arm"), 0);
  OK(sn_engine_set(engine, "option.timestep", "0.00125", error));
  image second = load_in(engine, SAMPLE("arm"), 0), third = load_in(engine, SAMPLE("arm"), 0);
  ck_assert(!is_same(&first, &second));
  ck_assert(is_same(&second, &third));
  free(first.bytes);
  free(second.bytes);
  free(third.bytes);
  sn_engine_close(engine);
}
END_TEST

// The same name in two folders.
START_TEST(working_folder_counts) {
  char before[512];
  ck_assert_ptr_nonnull(getcwd(before, sizeof before));
  for (int k = 0; k < 2; k++) {
    const char *name = k ? "a" : "b";
    ck_assert_int_eq(mkdir(in_folder(name), 0700), 0);
    put_text(k ? "a/m.xml" : "b/m.xml", k ? BALL("1") : BALL("2"));
  }
  wait_a_moment();
  for (int k = 0; k < 4; k++) {
    ck_assert_int_eq(chdir(in_folder(k & 1 ? "a" : "b")), 0);
    ck_assert_int_eq(load_and_compare("m.xml", 0), k < 2 ? WRITTEN : TAKEN);
  }
  ck_assert_int_eq(chdir(before), 0);
}
END_TEST

TESTS_IN_PROCESSES() {
  NEEDS(is_old_enough(), "");
  FIXTURE(set_up, tear_down);
  EACH(sample_is_the_same, 0, NMODELS);
  EACH(reference_model_is_the_same, 0, (int)(sizeof scenes / sizeof scenes[0]));
  TEST(texts_are_kept);
  TEST(german_locale_gets_the_same);
  TEST(changed_include_is_seen);
  TEST(changed_mesh_is_seen);
  TEST(file_in_place_of_another_is_seen);
  TEST(file_that_comes_first_is_seen);
  TEST(missing_file_is_an_error_again);
  TEST(changed_archive_is_seen);
  TEST(other_profile_is_another_model);
  TEST(setting_is_another_model);
  TEST(working_folder_counts);
}
