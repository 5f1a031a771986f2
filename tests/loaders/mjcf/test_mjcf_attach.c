// SPDX-License-Identifier: Apache-2.0
//
// Other files as parts of an MJCF model: <asset><model> and <attach>. Which elements come with a
// body, the order of ids, frames, keyframes, other formats, files in files, errors with their
// places. Unless a comment differs, orders are those of MuJoCo 3.

#include <math.h>

#include "data/data.h"
#include "default_engine.h"
#include "model/model.h"
#include "suite.h"

static void add(const char *name, const char *text) {
  OK(sn_engine_add_resource(engine, name, text, (int64_t)strlen(text), error));
}

static const char arm[] =
    "<mujoco model='robot'><compiler angle='radian'/><default><geom rgba='1 0 0 1'/></default>"
    "<asset><material name='steel'/></asset><worldbody><geom name='floor' type='plane' "
    "size='1 1 1'/><body name='a' pos='1 0 0' euler='0 0 .5'><joint name='j' range='-1 1'/>"
    "<geom name='g' size='.3' material='steel'/><body name='b' pos='0 0 1'><joint name='k'/>"
    "<geom size='.1'/><site name='s'/></body></body><body name='other'><joint name='oj'/>"
    "<geom size='.2'/></body></worldbody><contact><exclude body1='a' body2='b'/>"
    "<exclude body1='a' body2='other'/></contact><equality><joint joint1='j' joint2='k'/>"
    "<joint joint1='oj'/></equality><actuator><motor name='m' joint='j'/>"
    "<motor name='om' joint='oj'/></actuator><sensor><jointpos name='sj' joint='k'/>"
    "<clock name='c'/></sensor><keyframe><key name='home' qpos='.1 .2 .3'/></keyframe></mujoco>";

static void set_up(void) {
  open_engine();
  add("arm.xml", arm);
}

#define ASSETS(models) "<mujoco><asset>" models "</asset>"
#define ARM ASSETS("<model name='arm' file='arm.xml'/>")

static int named(const sn_model *m, const char *kind, const char *const *names) {
  int32_t n = 0;
  while (names[n] && strcmp(sn_name(m, kind, n), names[n]) == 0) {
    n++;
  }
  return !names[n];
}

// The body with what is inside of it, and what refers to nothing else of its file. Bodies are where
// the element is; everything else comes behind that of the main file.
START_TEST(body_is_attached) {
  sn_model *m = model_of(
      ARM "<worldbody><body name='p'><joint name='pj'/><geom size='1'/></body>"
          "<attach model='arm' body='a' prefix='L_'/><body name='q'><joint name='qj'/>"
          "<geom size='1'/></body></worldbody><actuator><motor name='mine' joint='L_k'/></actuator>"
          "<sensor><jointpos name='first' joint='qj'/></sensor><keyframe>"
          "<key name='k0' qpos='1 2 3 4'/><key name='k1' qpos='1 4'/></keyframe></mujoco>");
  ck_assert(named(m, "body", (const char *[]){ "world", "p", "L_a", "L_b", "q", NULL }));
  ck_assert(named(m, "joint", (const char *[]){ "pj", "L_j", "L_k", "qj", NULL }));
  ck_assert(named(m, "actuator", (const char *[]){ "mine", "L_m", NULL }));
  ck_assert(named(m, "sensor", (const char *[]){ "first", "L_sj", "L_c", NULL }));
  ck_assert(named(m, "key", (const char *[]){ "k0", "k1", "L_home", NULL }));
  ck_assert_int_eq(m->nbody, 5);
  ck_assert_int_eq(m->ngeom, 4);
  ck_assert_int_eq(m->nu, 2);
  ck_assert_int_eq(m->neq, 1);
  ck_assert_int_eq(m->nexclude, 1);
  ck_assert_int_eq(m->nmat, 1);
  ck_assert_int_eq(m->actuator_trnid[0], sn_find(m, "joint", "L_k"));

  // radians of the part in a file in degrees; classes and pose of the part
  const int32_t j = sn_find(m, "joint", "L_j"), a = sn_find(m, "body", "L_a");
  ck_assert_double_eq_tol(m->jnt_range[2 * j], -1, 1e-15);
  ck_assert_double_eq(m->body_pos[3 * a], 1);
  ck_assert_double_eq_tol(m->body_quat[4 * a + 3], sin(0.25), 1e-15);
  ck_assert_double_eq(m->geom_rgba[4 * sn_find(m, "geom", "L_g") + 1], 0);

  // numbers of all joints, or of those of the main file
  static const double want[][4] = { { 1, 2, 3, 4 }, { 1, 0, 0, 4 }, { 0, 0.1, 0.2, 0 } };
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 4; i++) {
      ck_assert_double_eq(m->key_qpos[4 * k + i], want[k][i]);
    }
  }
  sn_model_free(m);
}
END_TEST

// Attached several times, at several depths: ids follow the document.
START_TEST(several_parts) {
  sn_model *m = model_of(
      ARM "<worldbody><attach model='arm' body='b' prefix='1_'/><body name='x'><body name='y'>"
          "<attach model='arm' body='a' prefix='2_'/><geom size='1'/></body>"
          "<attach model='arm' body='b' prefix='3_'/><body name='z'/></body>"
          "<attach model='arm' body='other' prefix='4_'/></worldbody><keyframe>"
          "<key name='k' qpos='1 2 3 4 5'/></keyframe></mujoco>");
  ck_assert(named(
      m, "body",
      (const char *[]){ "world", "1_b", "x", "y", "2_a", "2_b", "3_b", "z", "4_other", NULL }));
  static const char *const parent[][2] = {
    { "1_b", "world" }, { "2_a", "y" }, { "2_b", "2_a" }, { "3_b", "x" }, { "4_other", "world" },
  };
  for (int i = 0; i < 5; i++) {
    ck_assert_int_eq(m->body_parentid[sn_find(m, "body", parent[i][0])],
                     sn_find(m, "body", parent[i][1]));
  }
  ck_assert_int_eq(m->geom_bodyid[sn_find(m, "geom", "2_g")], sn_find(m, "body", "2_a"));
  // of the main file, then 1_home 2_home 3_home 4_home, each at its own joints
  static const double want[][5] = {
    { 1, 2, 3, 4, 5 }, { 0.2 }, { 0, 0.1, 0.2 }, { 0, 0, 0, 0.2 }, { 0, 0, 0, 0, 0.3 },
  };
  ck_assert_int_eq(m->nkey, 5);
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 5; i++) {
      ck_assert_double_eq(m->key_qpos[5 * k + i], want[k][i]);
    }
  }
  sn_model_free(m);
}
END_TEST

// Without a body, everything in the world of the file, in the frame around the element; the same as
// writing it there.
START_TEST(world_in_a_frame) {
#define WORLD(content)                                                                    \
  "<frame pos='0 0 5' euler='0 90 0'><frame pos='1 0 0' axisangle='1 1 0 30'>" content    \
  "</frame></frame>"
#define THINGS(p)                                                                              \
  "<geom name='" p "c' type='capsule' fromto='0 0 0 1 2 3' size='.1'/><geom name='" p "box' "  \
  "type='box' pos='1 2 3' euler='10 20 30' size='1 2 3'/><site name='" p "s' pos='1 0 2'/>"    \
  "<camera name='" p "v' pos='3 2 1' xyaxes='1 1 0 0 0 1'/><light name='" p "l' pos='1 1 1' "  \
  "dir='1 0 1'/><body name='" p "f' pos='4 5 6' zaxis='1 2 3'><freejoint/><geom size='1'/></body>"
  add("things.xml", "<mujoco><worldbody>" THINGS("") "</worldbody></mujoco>");
  sn_model *m[2] = {
    model_of(ASSETS("<model name='t' file='things.xml'/>") "<worldbody>" WORLD(
        "<attach model='t' prefix='p_'/>") "</worldbody></mujoco>"),
    model_of("<mujoco><worldbody>" WORLD(THINGS("p_")) "</worldbody></mujoco>"),
  };
  ck_assert_int_eq(m[0]->nbody, 2);
  sn_data *d[2] = { data_of(m[0]), data_of(m[1]) };
  for (int i = 0; i < 2; i++) {
    OK(sn_forward(m[i], d[i]));
  }
#define SAME(field, n)                                                     \
  for (int64_t i = 0; i < (n); i++) {                                      \
    ck_assert_double_eq_tol(d[0]->field[i], d[1]->field[i], 1e-14);        \
  }
  SAME(xpos, 3 * 2);
  SAME(xmat, 9 * 2);
  SAME(geom_xpos, 3 * 3);
  SAME(geom_xmat, 9 * 3);
  SAME(site_xpos, 3);
  SAME(cam_xpos, 3);
  SAME(cam_xmat, 9);
  SAME(light_xpos, 3);
  SAME(light_xdir, 3);
  SAME(qpos, 7);
  done_with(m[0], d[0]);
  done_with(m[1], d[1]);
}
END_TEST

START_TEST(other_formats) {
  add("arm.urdf",
      "<robot name='r'><link name='base'/><link name='l'><inertial><mass value='2'/><inertia "
      "ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='hinge' "
      "type='continuous'><parent link='base'/><child link='l'/></joint></robot>");
  add("arm.x_xy", "<x_xy><options gravity='0 0 9.81' dt='0.01'/><worldbody><body name='box' "
                  "joint='ry'><geom type='box' mass='3' pos='0 0 0' dim='1 1 1'/></body>"
                  "</worldbody></x_xy>");
  sn_model *m = model_of(ASSETS(
      "<model file='arm.urdf'/><model file='arm.x_xy'/><model file='arm.xml'/>") "<worldbody><attach model='r' body='l' prefix='u_'/><attach model='arm' body='box' "
                                                                                 "prefix='x_'/><attach model='robot' body='b' prefix='m_'/></worldbody></mujoco>");
  ck_assert(named(m, "body", (const char *[]){ "world", "u_l", "x_box", "m_b", NULL }));
  ck_assert_double_eq(m->body_mass[1], 2);
  ck_assert_double_eq(m->body_mass[2], 3);
  ck_assert_int_eq(m->nv, 3);
  sn_model_free(m);
}
END_TEST

// Names in parts of parts have both prefixes; names of files count from the file that has them.
START_TEST(parts_of_parts) {
  add("kit/hand.xml", "<mujoco><asset><mesh name='t' file='mesh/t.obj'/></asset><worldbody>"
                      "<body name='hand'><joint name='h'/><geom type='mesh' mesh='t'/></body>"
                      "</worldbody></mujoco>");
  add("kit/mesh/t.obj", "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                        "f 2 3 4\n");
  add("kit/arm.xml",
      ASSETS(
          "<model name='hand' file='hand.xml'/>") "<worldbody><body name='arm'><joint "
                                                  "name='j'/><geom size='1'/><attach model='hand' "
                                                  "body='hand' "
                                                  "prefix='in_'/></body></worldbody></mujoco>");
  sn_model *m = model_of(
      ASSETS("<model name='arm' file='kit/arm.xml'/>") "<worldbody><attach model='arm' body='arm' "
                                                       "prefix='out_'/></worldbody>"
                                                       "<actuator><motor "
                                                       "joint='out_in_h'/></actuator></mujoco>");
  ck_assert(named(m, "body", (const char *[]){ "world", "out_arm", "out_in_hand", NULL }));
  ck_assert_int_ge(sn_find(m, "mesh", "out_in_t"), 0);
  sn_model_free(m);
}
END_TEST

START_TEST(errors_have_their_place) {
  reject_text(ARM "<worldbody>\n <attach model='leg' body='a' prefix=''/></worldbody></mujoco>",
              ":2:10: attach: there is no <model> named \"leg\" among the assets; there are: "
              "arm");
  reject_text("<mujoco><worldbody>\n <attach model='leg' prefix=''/></worldbody></mujoco>",
              "there are no models");
  reject_text(ARM "<worldbody>\n <attach model='arm' body='z' prefix=''/></worldbody></mujoco>",
              ":2:2: the file 'arm.xml' has no body 'z'");
  reject_text(ARM "<worldbody>\n <attach model='arm' body='a'/></worldbody></mujoco>",
              "attribute \"prefix\" is required");
  reject_text(ARM "<worldbody><attach model='arm' body='a' prefix='L_'/>\n <attach model='arm' "
                  "body='a' prefix='L_'/></worldbody></mujoco>",
              ":2:2: attach: a body 'L_a' exists already; choose a prefix other than 'L_'");
  reject_text("<mujoco><asset>\n<model name='m' file='no.xml'/></asset></mujoco>",
              ":2:17: model: cannot open \"no.xml\"");
  reject_text("<mujoco><asset><model name='m'/></asset></mujoco>", "\"file\" is required");
  reject_text(ARM "<worldbody><replicate count='2'>\n<attach model='arm' body='a' prefix='L_'/>"
                  "</replicate></worldbody></mujoco>",
              ":2:1: attach: cannot be inside <replicate>");
  reject_text(ARM "<worldbody><attach model='arm' prefix='' pos='0 0 0'/></worldbody></mujoco>",
              "pos");
  add("bad.xml", "<mujoco><worldbody>\n <body name='a'><joint axxis='1'/></body></worldbody>"
                 "</mujoco>");
  reject_text(ASSETS("<model name='b' file='bad.xml'/>") "<worldbody><attach model='b' "
                                                         "prefix=''/></worldbody></mujoco>",
              "bad.xml:2:");
  add("self.xml", ASSETS("<model name='s' file='self.xml'/>") "<worldbody><attach model='s' "
                                                              "prefix='a'/></worldbody></mujoco>");
  reject_text(ASSETS("<model name='s' file='self.xml'/>") "<worldbody><attach model='s' "
                                                          "prefix='a'/></worldbody></mujoco>",
              "the file includes itself");
}
END_TEST

// Plugins that a part names refer to elements of the part, whose names get the prefix.
static const struct {
  const char *type, *attributes;
} providers[] = {
  { "contact type='one_way'", "<config key='geom' value='g'/>" },
  { "contact type='surface_velocity'", "<config key='geom' value='g'/>" },
  { "contact type='friction_pair'",
    "<config key='geom1' value='g'/><config key='geom2' value='h'/>" },
  { "controller type='pd'", "<config key='actuator' value='m'/><config key='key' value='k'/>" },
};
enum { NPROVIDERS = sizeof providers / sizeof providers[0] };

START_TEST(references_of_plugins_get_the_prefix) {
  char part[1024];
  OK(sn_engine_load_plugin(engine, "friction_pair", SN_TEST_BUILD "/samples/friction_pair.so",
                           error));
  snprintf(part, sizeof part,
           "<mujoco><extension><%s>%s</%.*s></extension><worldbody><body name='a'>"
           "<joint name='j'/><geom name='g' size='.1'/></body><body pos='1 0 0'><joint/>"
           "<geom name='h' size='.1'/></body></worldbody><actuator><motor name='m' joint='j'/>"
           "</actuator><keyframe><key name='k' qpos='1 0'/></keyframe></mujoco>",
           providers[_i].type, providers[_i].attributes, (int)strcspn(providers[_i].type, " "),
           providers[_i].type);
  add("part.xml", part);
  sn_model *m = model_of(
      ASSETS("<model name='p' file='part.xml'/>") "<worldbody><attach model='p' "
                                                  "prefix='l_'/></worldbody></mujoco>");
  ck_assert(sn_find(m, "geom", "l_g") >= 0);
  done_with(m, data_of(m));
}
END_TEST

// Of several models with one name, the first; a model that is not attached adds nothing.
START_TEST(models_by_name) {
  add("ball.xml", "<mujoco><worldbody><body name='ball'><geom size='1'/></body></worldbody>"
                  "</mujoco>");
  sn_model *m = model_of(ASSETS(
      "<model name='x' file='arm.xml'/><model name='x' "
      "file='ball.xml'/><model name='y' file='ball.xml'/>") "<worldbody><attach model='x' body='b' "
                                                            "prefix=''/></worldbody></mujoco>");
  ck_assert(named(m, "body", (const char *[]){ "world", "b", NULL }));
  ck_assert_int_eq(m->nbody, 2);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(set_up, close_engine);
  EACH(references_of_plugins_get_the_prefix, 0, NPROVIDERS);
  TEST(body_is_attached);
  TEST(several_parts);
  TEST(world_in_a_frame);
  TEST(other_formats);
  TEST(parts_of_parts);
  TEST(errors_have_their_place);
  TEST(models_by_name);
}
