// SPDX-License-Identifier: Apache-2.0
//
// The compiled model against the reference engine's: scenes from files, and texts with everything
// that the compiler decides, each attribute of <compiler> among them.

#include "default_engine.h"
#include "model_file.h"
#include "reference/same_model.h"
#include "scenes.h"
#include "suite.h"

// ------------------------------------------------------------------ scenes

START_TEST(scenes_agree) {
  const scene *s = &scenes[_i];
  char text[1024] = "";
  mjModel *ref = mj_loadXML(s->path, NULL, text, sizeof text);
  if (!ref) {
    ck_assert_msg(!(s->flags & SCENE_REQUIRED), "%s: %s", s->path, text);
    return;
  }
  sn_model *m = sn_load(engine, s->path, error);
  if (m) {
    same_model(s->name, m, ref);
  } else {
    ck_assert_msg(!(s->flags & SCENE_REQUIRED) && sn_error_code(error) == SN_EUNSUPPORTED, "%s",
                  sn_error_text(error));
  }
  sn_model_free(m);
  mj_deleteModel(ref);
}
END_TEST

// ------------------------------------------------------------------ a deep tree

// A chain of 1001 bodies, in files of 77 that include each other, for the reference reads no more
// than 100 nested elements of one file.
START_TEST(deep_trees_agree) {
  enum { FILES = 13, EACH = 77 };
  char folder[] = "/tmp/sinew-XXXXXX", path[FILES + 1][64], text[1024] = "";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  for (int i = 0; i <= FILES; i++) {
    snprintf(path[i], sizeof path[i], "%s/%d.xml", folder, i);
    FILE *f = fopen(path[i], "w");
    ck_assert_ptr_nonnull(f);
    fputs(i == 0 ? "<mujoco><worldbody>" : "<part>", f);
    for (int k = 0; i > 0 && k < EACH; k++) {
      fprintf(f, "<body pos='0 .01 -.1'>%s<geom size='.02'/>",
              k % 20 ? "" : "<joint axis='0 1 0'/>");
    }
    if (i < FILES) {
      fprintf(f, "<include file='%d.xml'/>", i + 1);
    }
    for (int k = 0; i > 0 && k < EACH; k++) {
      fputs("</body>", f);
    }
    fputs(i == 0 ? "</worldbody></mujoco>" : "</part>", f);
    ck_assert_int_eq(fclose(f), 0);
  }
  mjModel *ref = mj_loadXML(path[0], NULL, text, sizeof text);
  ck_assert_msg(ref != NULL, "%s", text);
  sn_model *m = sn_load(engine, path[0], error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(sn_size(m, "nbody"), FILES * EACH + 1);
  same_model("a deep tree", m, ref);
  sn_model_free(m);
  mj_deleteModel(ref);
  for (int i = 0; i <= FILES; i++) {
    ck_assert_int_eq(remove(path[i]), 0);
  }
  ck_assert_int_eq(remove(folder), 0);
}
END_TEST

// ------------------------------------------------------------------ texts

#define WORLD(text) "<mujoco><worldbody>" text "</worldbody></mujoco>"
static const char *const texts[] = {
  // statistics of little models
  WORLD(""),
  WORLD("<geom size='.1' pos='1 2 3'/>"),
  WORLD("<geom type='plane' size='1 2 3' pos='1 2 3'/><geom size='.1'/>"),
  WORLD("<geom type='plane' size='0 0 3' pos='1 2 3'/><geom size='.1'/>"),
  WORLD("<body pos='1 2 5' quat='1 1 0 0'/><body pos='3 3 4'/>"),
  WORLD("<body pos='1 0 0'/>"),
  WORLD("<body pos='1 0 0' euler='0 90 0'/>"),
  WORLD("<body><site pos='0 0 .05'/></body>"),
  WORLD("<body euler='0 90 0'><site pos='0 0 .05'/></body>"),
  WORLD("<body><site pos='0 5 3'/></body>"),
  WORLD("<body><site pos='1e-30 5 3'/></body>"),
  WORLD("<body><site pos='0 5 3'/><geom size='.1'/></body>"),
  WORLD(
      "<body pos='5 0 0'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><freejoint/>"
      "<body pos='0 4 0'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint/></body></body>"),
  WORLD("<body pos='.1 .2 .3'><inertial mass='1' pos='0 .1 0' diaginertia='1 1 1'/></body>"),
  WORLD("<body pos='1 2 5'><geom size='.1'/><joint pos='3 0 0'/><body pos='0 1 0'>"
        "<geom size='.1'/><body pos='1 0 0'><joint pos='0 4 0'/><geom size='.1'/></body></body>"
        "</body>"),
  WORLD("<site pos='5 0 0'/><geom size='.1'/>"),
  // orientations
  WORLD("<body euler='10 20 30'><geom size='.1'/><body xyaxes='1 1 0 0 1 .5'><geom size='.1'/>"
        "<site zaxis='1 2 3'/><body axisangle='1 1 0 40'/></body></body>"),
  "<mujoco><compiler eulerseq='ZyX' angle='radian'/><worldbody><body euler='.1 .2 .3'/>"
  "</worldbody></mujoco>",
  WORLD("<geom type='capsule' size='.1' fromto='0 0 0 1 2 3'/>"
        "<geom type='box' size='.1 .2 .3' fromto='0 0 0 1 2 3'/>"
        "<site type='ellipsoid' size='.1' fromto='0 0 0 -1 2 3'/>"),
  // inertia
  WORLD("<body><geom type='box' size='.3 .1 .2' euler='10 20 30'/></body>"
        "<body><geom size='.1'/><geom type='box' size='.1 .2 .3' pos='1 .2 0' euler='1 2 3'/>"
        "</body><body><geom type='capsule' size='.1 .2' mass='2'/></body>"
        "<body><geom type='ellipsoid' size='.1 .2 .3'/><geom type='cylinder' size='.1 .2'/></body>"
        "<body><inertial pos='0 1 0' mass='1' fullinertia='3 2 4 .1 .2 .3'/></body>"
        "<body><inertial pos='0 1 0' mass='1' diaginertia='3 2 4' euler='10 20 30'/></body>"),
  "<mujoco><compiler boundmass='5' boundinertia='2.2' settotalmass='1'/><worldbody><body>"
  "<inertial mass='1' pos='0 0 0' diaginertia='1 2 2.5'/><body><geom size='1'/></body></body>"
  "</worldbody></mujoco>",
  WORLD("<geom fluidshape='ellipsoid' fluidcoef='11 12 13 14 15' type='capsule' size='.1 .2'/>"
        "<geom fluidshape='ellipsoid' type='box' size='.1 .2 .3'/>"),
  // joints
  WORLD("<body pos='1 2 3' quat='1 1 0 0'><joint springdamper='.1 .5' axis='1 0 0'/>"
        "<geom type='box' size='.1 .2 .3'/><body pos='0 0 1'><joint axis='0 1 0' damping='7' "
        "springdamper='.1 1' armature='3'/><geom size='.2'/></body></body>"),
  WORLD(
      "<body><joint type='ball' springdamper='.1 1' range='0 20' limited='true'/>"
      "<geom type='box' size='.1 .2 .3'/></body><body><joint type='free' damping='2' "
      "armature='3' stiffness='3' springdamper='.3 1'/><geom type='box' size='.1 .2 .3'/></body>"),
};
enum { NTEXTS = sizeof texts / sizeof texts[0] };

static const char *const files[] = { "pairs", "equalities", "actuators", "odds" };
enum { NFILES = sizeof files / sizeof files[0] };

// Attributes of the compiler, each before the elements of a model and after them.
static const struct {
  const char *attributes, *model;
} compilers[] = {
  { "autolimits='true'", "limits" },
  { "boundmass='2.5'", "arm" },
  { "boundinertia='1.7'", "arm" },
  { "settotalmass='3'", "arm" },
  { "boundmass='2.5' boundinertia='1.7' settotalmass='5'", "arm" },
  { "balanceinertia='true'", "unbalanced" },
  { "coordinate='local'", "arm" },
  { "angle='radian'", "arm" },
  { "angle='degree'", "arm" },
  { "eulerseq='XYZ'", "arm" },
  { "eulerseq='zyx'", "arm" },
  { "eulerseq='ZxZ'", "arm" },
  { "eulerseq='yXz'", "arm" },
  { "fitaabb='true'", "meshes" },
  { "fitaabb='false'", "meshes" },
  { "exactmeshinertia='true'", "meshes" },
  { "exactmeshinertia='false'", "meshes" },
  { "convexhull='false'", "meshes" },
  { "discardvisual='true'", "meshes" },
  { "discardvisual='true'", "arm" },
  { "usethread='false'", "meshes" },
  { "fusestatic='true'", "arm" },
  { "fusestatic='true' discardvisual='true' inertiafromgeom='true'", "arm" },
  { "inertiafromgeom='true'", "arm" },
  { "inertiafromgeom='auto'", "arm" },
  { "inertiafromgeom='true' inertiagrouprange='0 1'", "arm" },
  { "inertiafromgeom='true' inertiagrouprange='1 1' boundmass='.1' boundinertia='.1'", "arm" },
};
enum { NCOMPILERS = sizeof compilers / sizeof compilers[0] };

static void compare_text(const char *xml) {
  char why[1024] = "";
  mjModel *ref = load_reference(xml, why);
  ck_assert_msg(ref != NULL, "%s: %s", xml, why);
  sn_model *m = model_of(xml);
  same_model(xml, m, ref);
  sn_model_free(m);
  mj_deleteModel(ref);
}

START_TEST(texts_agree) {
  compare_text(texts[_i]);
}
END_TEST

static const char *in_room(const char *name) {
  static char path[64];
  snprintf(path, sizeof path, "reference/model/%s", name);
  return path;
}

START_TEST(files_agree) {
  compare_text(model_file(in_room(files[_i])));
}
END_TEST

START_TEST(compilers_agree) {
  char compiler[256], first[1 << 14];
  const char *name = in_room(compilers[_i].model);
  snprintf(compiler, sizeof compiler, "<compiler %s/>", compilers[_i].attributes);
  snprintf(first, sizeof first, "<mujoco>%s%s", compiler,
           strstr(model_file(name), "<mujoco>") + strlen("<mujoco>"));
  compare_text(first);
  compare_text(model_file_with(name, compiler));
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(deep_trees_agree);
  EACH(scenes_agree, 0, NSCENES);
  EACH(texts_agree, 0, NTEXTS);
  EACH(files_agree, 0, NFILES);
  EACH(compilers_agree, 0, NCOMPILERS);
}
