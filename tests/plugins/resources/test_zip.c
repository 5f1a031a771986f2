// SPDX-License-Identifier: Apache-2.0
//
// Files in zip archives: on disk, in memory and below another plugin's prefix; models with relative
// includes and meshes in them; damaged archives. Where the plugin was not built there is nothing to
// test.

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/resource/archive.h"
#include "files/files.h"
#include "model/model.h"
#include "suite.h"
#include "temporary_folder.h"

static sn_engine *engine;
static sn_error *error;

static void set_up(void) {
  open_folder();
  error = sn_error_new();
  engine = sn_engine_open(NULL, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(si_engine_freeze(engine, error), SN_OK);
}

static void tear_down(void) {
  sn_engine_close(engine);
  sn_error_free(error);
  close_folder();
}

static sn_source *open_source(const char *name) {
  sn_source *s = NULL;
  ck_assert_msg(si_engine_open_source(engine, NULL, name, &s, error) >= 0, "%s",
                sn_error_text(error));
  ck_assert_int_eq(s->bytes[s->count], 0);
  return s;
}

static void is_child(sn_source *s, const char *name, const char *text) {
  sn_source *child = NULL;
  ck_assert_msg(s->open(s, name, &child, error) >= 0, "%s", sn_error_text(error));
  ck_assert_str_eq((const char *)child->bytes, text);
  child->close(child);
}

static void is_rejected(const char *name, const char *word) {
  sn_source *s = NULL;
  ck_assert_int_eq(si_engine_open_source(engine, NULL, name, &s, error), SN_EIO);
  ck_assert_ptr_null(s);
  ck_assert_msg(strstr(sn_error_text(error), word) != NULL, "%s", sn_error_text(error));
}

// ------------------------------------------------------------------ one archive

// arm.xml, 40 times "<arm/>", deflated; mesh/a.stl, "stored"; made with Python's zipfile
static const uint8_t archive[] = {
  80, 75,  3,   4,   20,  0,   0,   0,  8,   0,   0,   0,   33,  0,   163, 143, 73,  32,  11,
  0,  0,   0,   240, 0,   0,   0,   7,  0,   0,   0,   97,  114, 109, 46,  120, 109, 108, 179,
  73, 44,  202, 213, 183, 179, 25,  49, 36,  0,   80,  75,  3,   4,   20,  0,   0,   0,   0,
  0,  0,   0,   33,  0,   11,  249, 67, 86,  6,   0,   0,   0,   6,   0,   0,   0,   10,  0,
  0,  0,   109, 101, 115, 104, 47,  97, 46,  115, 116, 108, 115, 116, 111, 114, 101, 100, 80,
  75, 1,   2,   20,  3,   20,  0,   0,  0,   8,   0,   0,   0,   33,  0,   163, 143, 73,  32,
  11, 0,   0,   0,   240, 0,   0,   0,  7,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
  0,  128, 1,   0,   0,   0,   0,   97, 114, 109, 46,  120, 109, 108, 80,  75,  1,   2,   20,
  3,  20,  0,   0,   0,   0,   0,   0,  0,   33,  0,   11,  249, 67,  86,  6,   0,   0,   0,
  6,  0,   0,   0,   10,  0,   0,   0,  0,   0,   0,   0,   0,   0,   0,   0,   128, 1,   48,
  0,  0,   0,   109, 101, 115, 104, 47, 97,  46,  115, 116, 108, 80,  75,  5,   6,   0,   0,
  0,  0,   2,   0,   2,   0,   109, 0,  0,   0,   94,  0,   0,   0,   0,   0
};
enum {
  STORED_AT = 88,        // the content of mesh/a.stl
  SIZE_AT = 22,          // the size of arm.xml in its header,
  ENTRY_SIZE_AT = 118    // and in the directory
};

START_TEST(archive_is_read) {
  put_bytes("a.zip", archive, sizeof archive);
  put_bytes("beside.stl", "solid a", 7);
  sn_source *s = open_source(in_folder("a.zip/arm.xml"));
  ck_assert_int_eq(s->count, 240);
  ck_assert_int_eq(strncmp((const char *)s->bytes, "<arm/><arm/>", 12), 0);

  // what is in it finds what is in it, and what is beside it
  is_child(s, "mesh/a.stl", "stored");
  is_child(s, "./mesh/../mesh/a.stl", "stored");
  is_child(s, "../beside.stl", "solid a");
  char why[300];
  ck_assert_int_eq(s->check(s, "mesh/a.stl", why, sizeof why), SN_OK);
  ck_assert_int_eq(s->check(s, "mesh/b.stl", why, sizeof why), SN_ENOTFOUND);
  ck_assert_ptr_nonnull(strstr(why, "there is no 'mesh/b.stl' in "));
  s->close(s);

  is_rejected(in_folder("a.zip/leg.xml"), "there is no 'leg.xml' in ");
  is_rejected(in_folder("a.zip/mesh"), "there is no 'mesh' in ");
  is_rejected(in_folder("a.zip/mesh/a.stl/b"), "a.stl is a file, and not an archive that");
  is_rejected(in_folder("beside.stl/arm.xml"), "not an archive that a plugin recognizes");
}
END_TEST

START_TEST(damaged_archive) {
  uint8_t bytes[sizeof archive];
  memcpy(bytes, archive, sizeof archive);
  bytes[STORED_AT] ^= 1;
  put_bytes("a.zip", bytes, sizeof bytes);
  is_rejected(in_folder("a.zip/mesh/a.stl"), "damaged");

  // whatever is wrong: content or an error, and nothing lost
  for (size_t i = 0; i < sizeof archive; i++) {
    memcpy(bytes, archive, sizeof archive);
    bytes[i] = (uint8_t)(bytes[i] + 0x7f);
    put_bytes("a.zip", bytes, i % 2 ? sizeof bytes : i);
    sn_source *s = NULL;
    if (si_engine_open_source(engine, NULL, in_folder("a.zip/arm.xml"), &s, error) >= 0) {
      ck_assert_int_eq(s->bytes[s->count], 0);
      s->close(s);
    }
  }
}
END_TEST

// A file that claims a gigabyte in a few bytes is rejected before memory is allocated for it.
START_TEST(claims_are_limited) {
  uint8_t bytes[sizeof archive];
  memcpy(bytes, archive, sizeof archive);
  const uint8_t claim[4] = { 0, 0, 0, 0x20 };   // 512 MiB
  memcpy(bytes + SIZE_AT, claim, sizeof claim);
  memcpy(bytes + ENTRY_SIZE_AT, claim, sizeof claim);
  put_bytes("a.zip", bytes, sizeof bytes);
  ck_assert_int_eq(sn_engine_set(engine, "limits.memory", "100M", error), SN_OK);
  sn_source *s = NULL;
  ck_assert_int_eq(si_engine_open_source(engine, NULL, in_folder("a.zip/arm.xml"), &s, error),
                   SN_ENOMEM);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "limits.memory"));
}
END_TEST

// ------------------------------------------------------------------ models

static const archive_file robot[] = {
  { "robot/robot.xml",
    "<mujoco><compiler meshdir='mesh'/><asset><mesh name='m' file='tetra.obj'/></asset>"
    "<include file='parts/world.xml'/></mujoco>",
    0, 0 },
  { "robot/parts/world.xml",
    "<mujoco><worldbody><body name='b'><freejoint/><geom type='mesh' mesh='m'/></body>"
    "</worldbody></mujoco>",
    0, 0 },
  { "robot/mesh/tetra.obj",
    "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
    "f 2 3 4\n",
    0, 0 },
  { "robot/package.xml", "<package><name>tetrapod</name></package>", 0, 0 },
  { "robot/robot.urdf",
    "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' "
    "iyy='1' iyz='0' izz='1'/></inertial><collision><geometry>"
    "<mesh filename='package://tetrapod/mesh/tetra.obj'/></geometry></collision></link></robot>",
    0, 0 },
};
enum { NROBOT = sizeof robot / sizeof robot[0], ROOM = 1 << 13 };

static int64_t write_robot(uint8_t *bytes) {
  const int64_t n = archive_write(robot, NROBOT, bytes, ROOM);
  ck_assert_int_gt(n, 0);
  return n;
}

static void loads(const char *name) {
  sn_model *m = sn_load(engine, name, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(m->nmesh, 1);
  ck_assert_int_eq(m->nmeshface, 4);
  sn_model_free(m);
}

START_TEST(model_in_an_archive) {
  uint8_t bytes[ROOM];
  put_bytes("robot.zip", bytes, (size_t)write_robot(bytes));
  loads(in_folder("robot.zip/robot/robot.xml"));
  // the package of its meshes is found in there, by its package.xml
  loads(in_folder("robot.zip/robot/robot.urdf"));
}
END_TEST

START_TEST(archive_is_no_model) {
  uint8_t bytes[ROOM];
  put_bytes("robot.zip", bytes, (size_t)write_robot(bytes));
  ck_assert_ptr_null(sn_load(engine, in_folder("robot.zip"), error));
  ck_assert_msg(strstr(sn_error_text(error), "is an archive; name a file in it") != NULL, "%s",
                sn_error_text(error));
}
END_TEST

START_TEST(archive_in_memory) {
  uint8_t bytes[ROOM];
  const int64_t n = write_robot(bytes);
  ck_assert_int_eq(sn_engine_add_resource(engine, "kit/robot.zip", bytes, n, error), SN_OK);
  loads("kit/robot.zip/robot/robot.xml");
  sn_source *s = open_source("kit/robot.zip/robot/robot.xml");
  is_child(s, "package.xml", robot[3].text);
  s->close(s);
}
END_TEST

static void write_entry(void *context, const char *name, int32_t is_folder) {
  char *list = context;
  snprintf(list + strlen(list), 200 - strlen(list), "%s%s ", name, is_folder ? "/" : "");
}

// An archive in an archive in an archive: models find their meshes in there, what is beside the
// archives, and folders.
START_TEST(archives_in_archives) {
  static uint8_t bytes[3][2 * ROOM];
  const int64_t n = write_robot(bytes[0]);
  const archive_file middle[] = { { "kit/inner.zip", (const char *)bytes[0], n, 0 },
                                  { "kit/beside.stl", "solid b", 0, 0 } };
  const int64_t n1 = archive_write(middle, 2, bytes[1], 2 * ROOM);
  const archive_file outer[] = { { "deep/middle.zip", (const char *)bytes[1], n1, 0 } };
  const int64_t n2 = archive_write(outer, 1, bytes[2], 2 * ROOM);
  ck_assert(n1 > 0 && n2 > 0);
  put_bytes("outer.zip", bytes[2], (size_t)n2);
#define INNER "outer.zip/deep/middle.zip/kit/inner.zip"
  loads(in_folder(INNER "/robot/robot.xml"));
  loads(in_folder(INNER "/robot/robot.urdf"));
  sn_source *s = open_source(in_folder(INNER "/robot/robot.xml"));
  is_child(s, "package.xml", robot[3].text);
  is_child(s, "../../beside.stl", "solid b");
  static const char *const want[][2] = {
    { "mesh", "tetra.obj " },
    { "../../inner.zip", "robot/ " },
    { "../..", "beside.stl inner.zip " },
    { "../../../..", "middle.zip " },
  };
  for (int i = 0; i < 4; i++) {
    char list[200] = "";
    ck_assert_int_eq(s->list(s, want[i][0], list, write_entry), SN_OK);
    ck_assert_str_eq(list, want[i][1]);
  }
  s->close(s);
  is_rejected(in_folder(INNER "/robot/leg.xml"), "there is no 'robot/leg.xml' in ");
  is_rejected(in_folder("outer.zip/deep/low.zip/a"), "there is no 'deep/low.zip/a' in ");
  is_rejected(in_folder(INNER "/robot/package.xml/a"), "not an archive that a plugin recognizes");

  // the content of all archives counts
  char limit[32];
  snprintf(limit, sizeof limit, "%d", (int)(n2 + n1 + n / 2));
  ck_assert_int_eq(sn_engine_set(engine, "limits.memory", limit, error), SN_OK);
  ck_assert_int_eq(
      si_engine_open_source(engine, NULL, in_folder(INNER "/robot/robot.xml"), &s, error),
      SN_ENOMEM);
}
END_TEST

START_TEST(missing_files_are_explained) {
  static const archive_file files[] = {
    { "a.xml", "<mujoco><asset><mesh file='no.stl'/></asset></mujoco>", 0, 0 },
    { "b.xml", "<mujoco><include file='no.xml'/></mujoco>", 0, 0 },
  };
  uint8_t bytes[ROOM];
  put_bytes("r.zip", bytes, (size_t)archive_write(files, 2, bytes, ROOM));
  ck_assert_ptr_null(sn_load(engine, in_folder("r.zip/a.xml"), error));
  ck_assert_msg(strstr(sn_error_text(error), "there is no 'no.stl' in") != NULL, "%s",
                sn_error_text(error));
  ck_assert_ptr_null(sn_load(engine, in_folder("r.zip/b.xml"), error));
  ck_assert_msg(strstr(sn_error_text(error), "there is no 'no.xml' in") != NULL, "%s",
                sn_error_text(error));
}
END_TEST

START_TEST(folders_in_an_archive) {
  uint8_t bytes[ROOM];
  put_bytes("robot.zip", bytes, (size_t)write_robot(bytes));
  sn_source *s = open_source(in_folder("robot.zip/robot/robot.xml"));
  static const char *const want[][2] = {
    { ".", "mesh/ package.xml parts/ robot.urdf robot.xml " },
    { "mesh", "tetra.obj " },
    { "..", "robot/ " },
    { "../..", "robot.zip " },
  };
  for (int i = 0; i < 4; i++) {
    char list[200] = "";
    ck_assert_int_eq(s->list(s, want[i][0], list, write_entry), SN_OK);
    ck_assert_str_eq(list, want[i][1]);
  }
  char list[200] = "";
  ck_assert_int_eq(s->list(s, "nothing", list, write_entry), SN_ENOTFOUND);
  ck_assert_int_eq(s->list(s, "mes", list, write_entry), SN_ENOTFOUND);
  s->close(s);
}
END_TEST

TESTS() {
  NEEDS(access(SN_TEST_BUILD "/plugins/zip.so", F_OK) == 0, "built without minizip");
  FIXTURE(set_up, tear_down);
  TEST(archive_is_read);
  TEST(damaged_archive);
  TEST(claims_are_limited);
  TEST(model_in_an_archive);
  TEST(archive_is_no_model);
  TEST(archive_in_memory);
  TEST(missing_files_are_explained);
  TEST(folders_in_an_archive);
  TEST(archives_in_archives);
}
