// SPDX-License-Identifier: Apache-2.0
//
// The compiled model against the reference engine's: scenes from files, and texts with everything
// that the compiler decides, each attribute of <compiler> among them.

#include "default_engine.h"
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
#define TWO                                                                                      \
  "<body name='a' pos='1 0 0' euler='10 20 30'><freejoint/><geom name='ga' size='.1'/>"          \
  "<site name='sa' pos='0 1 0'/></body><body name='b' pos='0 1 0' euler='50 0 10'>"              \
  "<joint name='jb' axis='0 1 0' range='-10 30' limited='true' springref='5'/><site name='sb'/>" \
  "<geom name='gb' type='box' size='.1 .2 .3'/><body name='c' pos='0 0 1'><joint name='jc' "     \
  "type='slide' axis='1 2 3' ref='.2' springref='.3'/><geom name='gc' size='.1'/></body></body>"

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
  // pairs, exclusions, equality
  "<mujoco><worldbody>" TWO "</worldbody><contact><pair name='p' geom1='gc' geom2='gb'/><pair "
  "geom1='gb' geom2='ga' friction='7 8' margin='2' gap='1' solref='3 3' solimp='.1 .2'/><exclude "
  "body1='c' body2='a'/><exclude body1='world' body2='c'/><exclude body1='b' body2='a'/></contact>"
  "</mujoco>",
  "<mujoco><worldbody>" TWO "</worldbody><equality><connect body1='a' body2='b' anchor='.1 .2 .3'/>"
  "<connect body1='a' anchor='.1 .2 .3'/><weld body1='a' body2='b'/><weld body1='a' "
  "torquescale='3'/><weld body1='c' body2='a' relpose='1 2 3 1 1 0 0'/><weld body1='c' body2='a' "
  "relpose='1 2 3 0 0 0 0' anchor='3 4 5'/><joint joint1='jb' joint2='jc'/><joint joint1='jc' "
  "polycoef='1 2 3 4 5'/></equality></mujoco>",
  // tendons and actuators
  "<mujoco><worldbody>" TWO "</worldbody><tendon><fixed name='t' range='1 2' limited='true'><joint "
  "joint='jb' coef='2'/><joint joint='jc' coef='3'/></fixed><spatial springlength='.4'><site "
  "site='sa'/><geom geom='ga'/><site site='sb'/></spatial><spatial><site site='sa'/><site "
  "site='sb'/><pulley divisor='2'/><site site='sa'/><geom geom='gc' sidesite='sb'/><site "
  "site='sb'/></spatial></tendon><actuator><motor joint='jb' gear='2'/><position joint='jc' kp='3' "
  "ctrlrange='-1 1' ctrllimited='true'/><velocity tendon='t' kv='4'/><motor site='sa' gear='1 2 3 "
  "4 5 6'/><motor site='sa' refsite='sb' gear='1 2 3 0 0 0'/><motor slidersite='sa' cranksite='sb' "
  "cranklength='.3'/><general joint='jb' dyntype='filter' dynprm='.1' actlimited='true' "
  "actrange='0 1'/></actuator></mujoco>",
  // cameras, lights, materials, user data, keyframes, custom data
  "<mujoco model='odds'><size nuser_body='3' nkey='3'/><asset><texture name='t' type='2d' "
  "builtin='checker' width='4' height='6'/>"
  "<texture name='u' builtin='gradient' width='4' height='4'/>"
  "<material name='m' texture='t' texrepeat='2 3'/></asset><worldbody>" TWO "<camera "
  "mode='targetbody' target='b' fovy='60' ipd='.1' pos='1 2 3' euler='1 2 3'/><light dir='0 1 -1' "
  "mode='targetbodycom' target='a'/><body name='m' mocap='true' pos='7 8 9' user='1 2'><camera "
  "mode='track'/><geom size='.1' material='m' user='4 5'/></body></worldbody><keyframe><key/>"
  "<key time='3' qpos='1 2 3 2 0 0 1 5 6' mpos='1 2 3' mquat='2 0 0 1'/></keyframe><custom>"
  "<numeric name='o' size='5' data='1 2'/><text name='q' data='hello'/><tuple name='tu'><element "
  "objtype='body' objname='b'/><element objtype='site' objname='sb' prm='3'/></tuple></custom>"
  "</mujoco>",
};

// every attribute of the compiler
#define COMPILER(attributes, text)                       \
  "<mujoco><compiler " attributes "/>" text "</mujoco>", \
      "<mujoco>" text "<compiler " attributes "/></mujoco>"
#define ARM                                                                                       \
  "<worldbody><body name='a' pos='1 0 0' euler='10 20 30'><joint name='ja' axis='0 1 0'/>"        \
  "<inertial pos='.1 0 0' mass='3' diaginertia='2 3 4'/><geom type='box' size='.1 .2 .3'/>"       \
  "<geom size='.05' contype='0' conaffinity='0' group='2'/><site name='sa' pos='0 1 0'/>"         \
  "<body name='b' pos='0 1 0' euler='50 0 10'><geom type='capsule' size='.1 .2'/>"                \
  "<geom size='.2' group='1'/><body name='c' pos='0 0 1'><joint name='jc' type='slide' "          \
  "axis='1 2 3'/><inertial pos='0 0 .1' mass='2' diaginertia='1 2 2.5'/><geom size='.1' "         \
  "group='1'/></body></body></body><body><geom size='.1'/><body pos='0 1 0' euler='0 0 9'>"       \
  "<inertial pos='0 0 .1' mass='2' diaginertia='1 2 2.5'/><site/><camera/><light/><body><joint/>" \
  "<geom size='.3'/></body></body></body></worldbody>"
#define LIMITS                                                                                  \
  "<worldbody><body><joint name='j' range='-10 30'/><geom size='.1'/><body><joint/>"            \
  "<geom size='.1'/></body></body></worldbody><tendon><fixed range='0 1'><joint joint='j' "     \
  "coef='2'/></fixed></tendon><actuator><general joint='j' ctrlrange='-1 1' forcerange='-2 2' " \
  "dyntype='filter' actrange='0 1'/></actuator>"
#define HULL_L \
  "<mesh name='L' vertex='0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0 0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 " \
  "2 1' face='0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 "  \
  "9 2 9 8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11'/>"
#define MESHES                                                                                  \
  "<asset><mesh name='t' vertex='0 0 0 1 0 .1 0 1.3 0 0 .2 1.7'/>" HULL_L "</asset><worldbody>" \
  "<body><freejoint/><geom type='mesh' mesh='t' mass='2'/></body><body pos='2 0 0'>"            \
  "<freejoint/><geom type='mesh' mesh='L' mass='3' pos='1 2 3' euler='10 20 30'/><geom "        \
  "type='mesh' mesh='t' contype='0' conaffinity='0' mass='9'/></body><body pos='6 0 0'>"        \
  "<joint/><geom type='capsule' mesh='t'/><geom type='box' mesh='L' euler='0 30 0' "            \
  "pos='1 0 0'/><geom type='ellipsoid' mesh='t' fitscale='1.5'/><geom type='sphere' "           \
  "mesh='L'/><geom type='cylinder' mesh='t'/></body></worldbody>"

static const char *const compilers[] = {
  COMPILER("autolimits='true'", LIMITS),
  COMPILER("boundmass='2.5'", ARM),
  COMPILER("boundinertia='1.7'", ARM),
  COMPILER("settotalmass='3'", ARM),
  COMPILER("boundmass='2.5' boundinertia='1.7' settotalmass='5'", ARM),
  COMPILER("balanceinertia='true'", "<worldbody><body><joint/><inertial pos='0 0 0' mass='1' "
                                    "diaginertia='1 1 4'/></body></worldbody>"),
  COMPILER("coordinate='local'", ARM),
  COMPILER("angle='radian'", ARM),
  COMPILER("angle='degree'", ARM),
  COMPILER("eulerseq='XYZ'", ARM),
  COMPILER("eulerseq='zyx'", ARM),
  COMPILER("eulerseq='ZxZ'", ARM),
  COMPILER("eulerseq='yXz'", ARM),
  COMPILER("fitaabb='true'", MESHES),
  COMPILER("fitaabb='false'", MESHES),
  COMPILER("exactmeshinertia='true'", MESHES),
  COMPILER("exactmeshinertia='false'", MESHES),
  COMPILER("convexhull='false'", MESHES),
  COMPILER("discardvisual='true'", MESHES),
  COMPILER("discardvisual='true'", ARM),
  COMPILER("usethread='false'", MESHES),
  COMPILER("fusestatic='true'", ARM),
  COMPILER("fusestatic='true' discardvisual='true' inertiafromgeom='true'", ARM),
  COMPILER("inertiafromgeom='true'", ARM),
  COMPILER("inertiafromgeom='auto'", ARM),
  COMPILER("inertiafromgeom='true' inertiagrouprange='0 1'", ARM),
  COMPILER("inertiafromgeom='true' inertiagrouprange='1 1' boundmass='.1' boundinertia='.1'", ARM),
};
enum { NCOMPILERS = sizeof compilers / sizeof compilers[0] };

enum { NTEXTS = sizeof texts / sizeof texts[0] };

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

START_TEST(compilers_agree) {
  compare_text(compilers[_i]);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(deep_trees_agree);
  EACH(scenes_agree, 0, NSCENES);
  EACH(texts_agree, 0, NTEXTS);
  EACH(compilers_agree, 0, NCOMPILERS);
}
