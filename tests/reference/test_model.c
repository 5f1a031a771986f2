// SPDX-License-Identifier: Apache-2.0
//
// The compiled model against the reference engine's: every array that both have, of the same text.
// Names of arrays are the documented ones, so the reference's own list says what to compare.

#include <check.h>
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "sinew/math.h"
#include "sinew/sinew.h"

static sn_error *error;
static sn_engine *engine;

static void setup(void) {
  error = sn_error_new();
  engine = sn_engine_open(NULL, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
}

static void teardown(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

// ------------------------------------------------------------------ what to compare, how close

// Arrays that differ by design: names have their own layout; textures and graphs are made
// differently; frames of inertia are compared as tensors.
static int is_ignored(const char *name) {
  static const char *const list[] = { "name",          "mesh_graph", "tex_adr",
                                      "tex_rgb",       "skin_",      "body_simple",
                                      "dof_simplenum", "body_iquat", "body_inertia" };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    if (strncmp(name, list[i], strlen(list[i])) == 0) {
      return 1;
    }
  }
  return strstr(name, "_sameframe") != NULL;
}

static double number(const sn_view *view, int64_t i) {
  return view->type == SN_REAL  ? ((const double *)view->p)[i]
         : view->type == SN_INT ? ((const int32_t *)view->p)[i]
                                : ((const uint8_t *)view->p)[i];
}

// Quaternions may differ by their sign. at: first number of the quaternion that holds number i.
static double quat_sign(const sn_view *view, const double *ref, int64_t at) {
  double dot = 0;
  for (int64_t k = at; k < at + 4; k++) {
    dot += ref[k] * number(view, k);
  }
  return dot < 0 ? -1 : 1;
}

static void compare_array(const char *what, const sn_model *m, const char *name, const double *ref,
                          int64_t rows, int64_t cols, int exact) {
  sn_view view;
  ck_assert_msg(sn_model_field(m, name, &view) == SN_OK, "%s: no %s", what, name);
  ck_assert_msg(view.rows == rows && view.cols == cols,
                "%s: %s is %lld x %lld instead of %lld x %lld", what, name, (long long)view.rows,
                (long long)view.cols, (long long)rows, (long long)cols);
  size_t length = strlen(name);
  int is_quat = length > 4 && strcmp(name + length - 4, "quat") == 0;
  for (int64_t i = 0; i < rows * cols; i++) {
    double got = number(&view, i) * (is_quat ? quat_sign(&view, ref, i / 4 * 4) : 1);
    // the reference keeps what describes a mesh in single precision
    double least = strncmp(name, "mesh_", 5) == 0 ? 1e-7 : 1e-8;
    double allowed = exact ? 0 : least + 1e-6 * fabs(ref[i]);
    ck_assert_msg(fabs(got - ref[i]) <= allowed, "%s: %s[%lld] is %.17g instead of %.17g", what,
                  name, (long long)i, got, ref[i]);
  }
}

// The tensor R diag R' of a body.
static void tensor(const double *quat, const double *inertia, double *out) {
  double R[9];
  sn_quat_mat(R, quat);
  for (int p = 0; p < 3; p++) {
    for (int q = 0; q < 3; q++) {
      out[3 * p + q] = 0;
      for (int k = 0; k < 3; k++) {
        out[3 * p + q] += R[3 * p + k] * inertia[k] * R[3 * q + k];
      }
    }
  }
}

static void compare_tensors(const char *what, const sn_model *m, const mjModel *ref) {
  // the reference integrates over meshes in single precision
  const double close = ref->nmesh > 0 ? 4e-7 : 1e-7;
  for (int i = 0; i < ref->nbody; i++) {
    double ours[9], theirs[9], scale = 0;
    tensor(sn_body_iquat(m) + 4 * i, sn_body_inertia(m) + 3 * i, ours);
    tensor(ref->body_iquat + 4 * i, ref->body_inertia + 3 * i, theirs);
    for (int k = 0; k < 9; k++) {
      scale = fmax(scale, fabs(theirs[k]));
    }
    for (int k = 0; k < 9; k++) {
      ck_assert_msg(fabs(ours[k] - theirs[k]) <= 1e-12 + close * scale,
                    "%s: inertia of body %d is %.17g instead of %.17g at %d", what, i, ours[k],
                    theirs[k], k);
    }
  }
}

static void compare_statistic(const char *what, const sn_model *m, const mjModel *ref) {
  const sn_statistic *s = sn_model_statistic(m);
  const double ours[] = { s->meaninertia[0], s->meanmass[0], s->meansize[0], s->extent[0],
                          s->center[0],      s->center[1],   s->center[2] };
  const double theirs[] = { ref->stat.meaninertia, ref->stat.meanmass,  ref->stat.meansize,
                            ref->stat.extent,      ref->stat.center[0], ref->stat.center[1],
                            ref->stat.center[2] };
  for (int k = 0; k < 7; k++) {
    ck_assert_msg(fabs(ours[k] - theirs[k]) <= 1e-7 + 1e-6 * fabs(theirs[k]),
                  "%s: statistic %d is %.17g instead of %.17g", what, k, ours[k], theirs[k]);
  }
}

static void compare_models(const char *what, const sn_model *m, const mjModel *ref) {
  enum { IS_INT = 1, IS_mjtByte = 1, IS_int = IS_INT, IS_mjtNum = 0, IS_float = 0, IS_char = 1 };
  MJMODEL_POINTERS_PREAMBLE(ref)
  // single precision of looks comes as written; the last digits of these are no fault
#define X(type, name, nr, nc)                                      \
  if (!is_ignored(#name)) {                                        \
    int64_t rows = ref->nr, cols = (nc), n = rows * cols;          \
    double *numbers = malloc((size_t)(n + 1) * sizeof *numbers);   \
    ck_assert_ptr_nonnull(numbers);                                \
    for (int64_t i = 0; i < n; i++) {                              \
      numbers[i] = (double)ref->name[i];                           \
    }                                                              \
    compare_array(what, m, #name, numbers, rows, cols, IS_##type); \
    free(numbers);                                                 \
  }
  MJMODEL_POINTERS
#undef X
  compare_tensors(what, m, ref);
  compare_statistic(what, m, ref);
  for (int i = 0; i < ref->nbody; i++) {
    const char *name = mj_id2name(ref, mjOBJ_BODY, i);
    ck_assert_str_eq(sn_name(m, "body", i), name ? name : "");
  }
}

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
    compare_models(s->name, m, ref);
  } else {
    ck_assert_msg(!(s->flags & SCENE_REQUIRED) && sn_error_code(error) == SN_EUNSUPPORTED, "%s",
                  sn_error_text(error));
  }
  sn_model_free(m);
  mj_deleteModel(ref);
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
  "<mesh name='L' vertex='0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0 0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 " \
  "1' face='0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 " \
  "3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11'/>"
#define MESHES                                                                                  \
  "<asset><mesh name='t' vertex='0 0 0 1 0 .1 0 1.3 0 0 .2 1.7'/>" HULL_L "</asset><worldbody>" \
  "<body><freejoint/><geom type='mesh' mesh='t'/></body><body pos='2 0 0'><freejoint/>"         \
  "<geom type='mesh' mesh='L' pos='1 2 3' euler='10 20 30'/><geom type='mesh' mesh='t' "        \
  "contype='0' conaffinity='0' density='9'/></body><body pos='6 0 0'><joint/><geom "            \
  "type='capsule' mesh='t'/><geom type='box' mesh='L' euler='0 30 0' pos='1 0 0'/><geom "       \
  "type='ellipsoid' mesh='t' fitscale='1.5'/><geom type='sphere' mesh='L'/><geom "              \
  "type='cylinder' mesh='t'/></body></worldbody>"

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
  char text[1024] = "", name[] = "text.xml";
  mjVFS *vfs = malloc(sizeof *vfs);
  ck_assert_ptr_nonnull(vfs);
  mj_defaultVFS(vfs);
  ck_assert_int_eq(mj_makeEmptyFileVFS(vfs, name, (int)strlen(xml)), 0);
  memcpy(vfs->filedata[0], xml, strlen(xml));
  mjModel *ref = mj_loadXML(name, vfs, text, sizeof text);
  ck_assert_msg(ref != NULL, "%s: %s", xml, text);
  mj_deleteVFS(vfs);
  free(vfs);

  sn_engine_add_resource(engine, name, xml, (int64_t)strlen(xml), error);
  sn_model *m = sn_load(engine, name, error);
  ck_assert_msg(m != NULL, "%s: %s", xml, sn_error_text(error));
  compare_models(xml, m, ref);
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

int main(void) {
  Suite *suite = suite_create("compile against the reference");
  TCase *tcase = tcase_create("compile");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, scenes_agree, 0, NSCENES);
  tcase_add_loop_test(tcase, texts_agree, 0, NTEXTS);
  tcase_add_loop_test(tcase, compilers_agree, 0, NCOMPILERS);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
