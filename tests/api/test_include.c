// SPDX-License-Identifier: Apache-2.0
//
// Files as parts of a model, by the operation `include` of the builder, through the sample loader
// of scenes: formats side by side, frames, prefixes, nesting; cycles, limits and errors with their
// places.

#include <math.h>
#include <string.h>

#include "data/data.h"
#include "default_engine.h"
#include "model/model.h"
#include "suite.h"

static void set_up(void) {
  open_engine();
  OK(sn_engine_load_plugin(engine, "scene", SN_TEST_BUILD "/samples/scene.so", error));
}

static void add(const char *name, const char *text) {
  OK(sn_engine_add_resource(engine, name, text, (int64_t)strlen(text), error));
}

static sn_model *load(const char *name) {
  si_error_clear(error);
  sn_model *m = sn_load(engine, name, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  return m;
}

static void rejected(const char *name, const char *start, const char *words) {
  si_error_clear(error);
  ck_assert_ptr_null(sn_load(engine, name, error));
  ck_assert_msg(strncmp(sn_error_text(error), start, strlen(start)) == 0, "%s",
                sn_error_text(error));
  ck_assert_msg(strstr(sn_error_text(error), words) != NULL, "%s", sn_error_text(error));
}

#define ARM                                                                                   \
  "<mujoco><worldbody><geom name='base' size='1'/><body name='arm' pos='1 0 0'>"             \
  "<joint name='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.5' size='0.02'/>" \
  "</body></worldbody><actuator><motor name='motor' joint='hinge'/></actuator></mujoco>"
#define URDF                                                                               \
  "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='2'/>"        \
  "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"           \
  "<joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/></joint>" \
  "</robot>"
#define X_XY                                                                                    \
  "<x_xy><options gravity='0 0 9.81' dt='0.01'/><worldbody><body name='arm' joint='ry'>"        \
  "<geom type='box' mass='3' pos='0 0 0' dim='1 1 1'/></body></worldbody></x_xy>"

START_TEST(formats_side_by_side) {
  add("arm.xml", ARM);
  add("arm.urdf", URDF);
  add("arm.x_xy", X_XY);
  add("scene.xml", "<scene timestep='0.004'><part file='arm.xml' prefix='m_'/>"
                   "<part file='arm.urdf' prefix='u_'/><part file='arm.x_xy' prefix='x_'/>"
                   "</scene>");
  sn_model *m = load("scene.xml");
  ck_assert_int_eq(m->nv, 3);
  ck_assert_double_eq(m->body_mass[sn_find(m, "body", "u_arm")], 2);
  ck_assert_double_eq(m->body_mass[sn_find(m, "body", "x_arm")], 3);
  ck_assert_int_ge(sn_find(m, "joint", "m_hinge"), 0);
  ck_assert_int_ge(sn_find(m, "joint", "u_hinge"), 0);
  ck_assert_int_eq(m->actuator_trnid[0], sn_find(m, "joint", "m_hinge"));
  ck_assert_int_eq(m->geom_bodyid[sn_find(m, "geom", "m_base")], 0);

  // settings are those of the scene, and a note says so for a part that has its own
  const char *note = NULL;
  int notes = 0;
  for (int64_t i = 0; (note = sn_model_note(m, i)) != NULL; i++) {
    notes += strstr(note, "the options of the included file 'arm.x_xy' are not used") != NULL;
  }
  ck_assert_int_eq(notes, 1);
  sn_model_free(m);
}
END_TEST

// The same numbers as attaching by hand, to a body that has the frame.
START_TEST(frame_is_a_body) {
  add("arm.xml", ARM);
  add("scene.xml", "<scene><part file='arm.xml' prefix='a_' name='stand' pos='1 2 3' "
                   "euler='0 0 90'/></scene>");
  sn_model *m = load("scene.xml");
  sn_data *d = data_of(m);
  OK(sn_forward(m, d));
  const int32_t arm = sn_find(m, "body", "a_arm"), stand = sn_find(m, "body", "stand");
  ck_assert_int_eq(m->body_parentid[arm], stand);
  ck_assert_int_eq(m->geom_bodyid[sn_find(m, "geom", "a_base")], stand);
  const double want[3] = { 1, 3, 3 };   // 1 0 0, turned about z, at 1 2 3
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(d->xpos[3 * arm + i], want[i], 1e-14);
  }

  sn_spec *spec = sn_spec_new(engine, error), *part = sn_spec_load(engine, "arm.xml", error);
  sn_body_def body;
  sn_default_body(&body);
  body.name = "stand";
  memcpy(body.pos, (double[]){ 1, 2, 3 }, sizeof body.pos);
  body.orient.euler[0] = body.orient.euler[1] = 0;
  body.orient.euler[2] = 90 * (3.14159265358979323846 / 180);
  int32_t id;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  OK(sn_spec_attach(spec, id, part, "a_", error));
  sn_model *other = compiled(spec);
  ck_assert_int_eq(m->nbody, other->nbody);
  ck_assert_int_eq(memcmp(m->body_quat, other->body_quat, 4 * (size_t)m->nbody * 8), 0);
  ck_assert_int_eq(memcmp(m->body_inertia, other->body_inertia, 3 * (size_t)m->nbody * 8), 0);
  sn_model_free(other);
  sn_spec_free(part);
  sn_spec_free(spec);
  done_with(m, d);
}
END_TEST

// A part of a part has both prefixes, and names of files count from the file that has them.
START_TEST(parts_of_parts) {
  add("robots/arms/arm.xml",
      "<mujoco><asset><mesh name='m' file='mesh/t.obj'/></asset><worldbody><body name='arm'>"
      "<joint name='hinge'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  add("robots/arms/mesh/t.obj",
      "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  add("robots/pair.xml", "<scene><part file='arms/arm.xml' prefix='l_'/>"
                         "<part file='arms/../arms/arm.xml' prefix='r_' body='l_arm'/></scene>");
  add("scene.xml", "<scene><part file='robots/pair.xml' prefix='a_'/>"
                   "<part file='robots/pair.xml' prefix='b_' body='a_r_arm'/></scene>");
  sn_model *m = load("scene.xml");
  ck_assert_int_eq(m->nmesh, 4);
  static const char *const chain[] = { "a_l_arm", "a_r_arm", "b_l_arm", "b_r_arm" };
  for (int i = 0; i < 4; i++) {
    const int32_t body = sn_find(m, "body", chain[i]);
    ck_assert_int_ge(body, 1);
    ck_assert_int_eq(m->body_parentid[body], i ? sn_find(m, "body", chain[i - 1]) : 0);
  }
  sn_model_free(m);
}
END_TEST

START_TEST(cycles_are_rejected) {
  add("self.xml", "<scene>\n <part file='./self.xml'/></scene>");
  rejected("self.xml", "self.xml:2:2: ", "the file includes itself: self.xml > self.xml");
  add("x/a.xml", "<scene><part file='b.xml'/></scene>");
  add("x/b.xml", "<scene><part file='../c.xml'/></scene>");
  add("c.xml", "<scene><part file='x/a.xml'/></scene>");
  rejected("x/a.xml", "c.xml:1:8: ", "itself: x/a.xml > x/b.xml > c.xml > x/a.xml");
  for (int i = 0; i < 40; i++) {
    char name[16], text[64];
    snprintf(name, sizeof name, "s%d.xml", i);
    snprintf(text, sizeof text, "<scene><part file='s%d.xml'/></scene>", i + 1);
    add(name, text);
  }
  rejected("s0.xml", "s32.xml:1:8: ", "over more than 32 levels: s0.xml > s1.xml");
}
END_TEST

START_TEST(errors_have_their_place) {
  add("arm.xml", ARM);
  add("bad.xml", "<mujoco>\n<worldbody>\n <body><joint axxis='1'/></body></worldbody></mujoco>");
  add("a.xml", "<scene>\n <part file='bad.xml'/></scene>");
  rejected("a.xml", "bad.xml:3:", "axxis");
  add("b.xml", "<scene>\n <part file='arm.xml'/>\n <part file='arm.xml'/></scene>");
  rejected("b.xml", "b.xml:3:2: ", "exists already; choose a prefix other than ''");
  add("c.xml", "<scene>\n  <part file='no.xml'/></scene>");
  rejected("c.xml", "c.xml:2:3: ", "cannot open 'no.xml'");
  add("d.xml", "<scene><part file=''/></scene>");
  rejected("d.xml", "d.xml:1:8: ", "the name of the file is empty");
  add("e.xml", "<scene><part file='d.xml' possition='0 0 0'/></scene>");
  rejected("e.xml", "e.xml:1:27: ", "has no attribute 'possition'");
  add("f.xml", "<scene><part file='arm.xml' body='b'/></scene>");
  rejected("f.xml", "f.xml:1:29: ", "no part above this one has a body 'b'");
  add("g.xml", "<scene><part file='arm.xml' pos='0 0'/></scene>");
  rejected("g.xml", "g.xml:1:29: ", "pos");
  add("plain", "nothing known");
  add("h.xml", "<scene><part file='plain'/></scene>");
  rejected("h.xml", "plain: ", "no loader recognizes this file");
}
END_TEST

// Each file doubles the next one.
START_TEST(limits_count_all_parts) {
  add("s12.xml", "<mujoco><worldbody><body name='b'><joint/><geom size='1'/></body></worldbody>"
                 "</mujoco>");
  for (int i = 0; i < 12; i++) {
    char name[16], text[128];
    snprintf(name, sizeof name, "s%d.xml", i);
    snprintf(text, sizeof text,
             "<scene><part file='s%d.xml' prefix='a'/><part file='s%d.xml' prefix='b'/></scene>",
             i + 1, i + 1);
    add(name, text);
  }
  OK(sn_engine_set(engine, "limits.elements", "1000", error));
  rejected("s0.xml", "", "more elements than limits.elements");
  OK(sn_engine_set(engine, "limits.elements", "none", error));
  sn_model *m = load("s9.xml");
  ck_assert_int_eq(m->nv, 8);
  sn_model_free(m);
  OK(sn_engine_set(engine, "limits.memory", "600K", error));
  rejected("s0.xml", "", "limits.memory");
}
END_TEST

// While a part is read, it counts the memory of what includes it: nesting is no way around the
// limit.
START_TEST(nested_parts_share_the_memory) {
  static char big[200000];
  for (int i = 0; i < 6; i++) {
    char name[16];
    snprintf(name, sizeof name, "n%d.xml", i);
    int n = snprintf(big, sizeof big, "<mujoco><custom><numeric name='n%d' data='", i);
    for (int k = 0; k < 20000; k++) {
      n += snprintf(big + n, sizeof big - (size_t)n, "1 ");
    }
    snprintf(big + n, sizeof big - (size_t)n, "'/></custom></mujoco>");
    add(name, big);
  }
  add("scene.xml", "<scene><part file='n0.xml'/><part file='n1.xml'/><part file='n2.xml'/>"
                   "<part file='n3.xml'/><part file='n4.xml'/><part file='n5.xml'/></scene>");
  OK(sn_engine_set(engine, "limits.memory", "700K", error));
  rejected("scene.xml", "", "limits.memory");
  OK(sn_engine_set(engine, "limits.memory", "100M", error));
  sn_model_free(load("scene.xml"));
}
END_TEST

// ------------------------------------------------------------------ a loader that goes on

static sn_status statuses[8];
static int64_t bodies;

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  return count == 2 && memcmp(bytes, "go", 2) == 0 ? 100 : 0;
}

static sn_status try_includes(const void *self, sn_source *source, const sn_builder *b,
                              sn_error *e) {
  sn_include_def def;
  sn_source other = *source;
  (void)self;
  sn_default_include(&def);
  def.file = "arm.xml";
  def.name = "frame";
  statuses[0] = b->include(b->spec, source, &def, NULL, e);
  statuses[1] = b->include(b->spec, source, &def, NULL, e);   // the names exist
  bodies = b->count(b->spec, "body");
  def.def_size = 0;
  statuses[2] = b->include(b->spec, source, &def, NULL, e);
  sn_default_include(&def);
  def.file = "arm.xml";
  other.open = NULL;
  statuses[3] = b->include(b->spec, &other, &def, NULL, e);
  // ids that the bodies of the part cannot have: of the body it is attached to, behind the end
  def.prefix = "p_";
  def.body = def.at = 2;
  statuses[4] = b->include(b->spec, source, &def, NULL, e);
  def.at = 4;
  statuses[5] = b->include(b->spec, source, &def, NULL, e);
  def.at = 0;
  def.subtree = "leg";
  statuses[6] = b->include(b->spec, source, &def, NULL, e);
  // a definition of before these members
  def.subtree = NULL;
  def.def_size = (uint32_t)offsetof(sn_include_def, subtree);
  def.prefix = "q_";
  statuses[7] = b->include(b->spec, source, &def, NULL, e);
  return SN_OK;
}

static const sn_loader_ops going_on = {
  .head = { .size = sizeof going_on, .summary = "goes on after failures" },
  .probe = probe,
  .load = try_includes,
};

START_TEST(failure_leaves_nothing) {
  OK(sn_engine_add(engine, SN_KIND_LOADER, "going_on", &going_on, error));
  add("arm.xml", ARM);
  add("go", "go");
  sn_spec *spec = sn_spec_load(engine, "go", error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  const sn_status want[] = { SN_OK,     SN_EINVAL, SN_EINVAL,   SN_EUNSUPPORTED,
                             SN_EINVAL, SN_EINVAL, SN_ENOTFOUND, SN_OK };
  for (int i = 0; i < 8; i++) {
    ck_assert_int_eq(statuses[i], want[i]);
  }
  ck_assert_int_eq(bodies, 3);   // the world, the frame, the arm
  ck_assert_int_eq(sn_spec_count(spec, "body"), 4);
  ck_assert_int_eq(sn_spec_find(spec, "body", "frame"), 1);
  sn_model_free(compiled(spec));
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ a loader that adds more

#define KEYED                                                                                   \
  "<mujoco><worldbody><body name='arm'><joint name='hinge' axis='0 1 0'/><geom size='1'/></body>" \
  "</worldbody><actuator><motor name='motor' joint='hinge'/></actuator><keyframe>"              \
  "<key name='on' qpos='0.5' ctrl='2'/></keyframe></mujoco>"

static sn_status include_keyed(sn_source *source, const sn_builder *b, const char *file,
                               const char *prefix, sn_error *e) {
  sn_include_def def;
  sn_default_include(&def);
  def.file = file;
  def.prefix = prefix;
  return b->include(b->spec, source, &def, NULL, e);
}

static sn_status add_joint(const sn_builder *b, int32_t body, int32_t type, double ref,
                           sn_error *e) {
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = body;
  joint.type = type;
  joint.ref = ref;
  return b->add_joint(b->spec, &joint, NULL, NULL, e);
}

static sn_status add_ball(const sn_builder *b, int32_t type, double z, int32_t mocap, sn_error *e) {
  sn_body_def body;
  sn_geom_def geom;
  int32_t id;
  sn_default_body(&body);
  sn_default_geom(&geom);
  body.pos[2] = z;
  body.mocap = mocap;
  SN_TRY(b->add_body(b->spec, &body, NULL, &id, e));
  geom.body = id;
  geom.size[0] = 1;
  SN_TRY(b->add_geom(b->spec, &geom, NULL, NULL, e));
  return mocap ? SN_OK : add_joint(b, id, type, 0.25, e);
}

// Two parts with keyframes, and after each of them other joints; at last after a part that is
// rejected.
static sn_status include_early(const void *self, sn_source *source, const sn_builder *b,
                               sn_error *e) {
  (void)self;
  SN_TRY(include_keyed(source, b, "keyed.xml", "left_", e));
  SN_TRY(add_ball(b, SN_JOINT_FREE, 3, 0, e));
  SN_TRY(include_keyed(source, b, "keyed.xml", "right_", e));
  // a joint whose number in the model is lower than those of the second part
  SN_TRY(add_joint(b, b->find(b->spec, "body", "left_arm"), SN_JOINT_SLIDE, 0.75, e));
  ck_assert_int_lt(include_keyed(source, b, "keyed.xml", "left_", NULL), 0);   // the names exist
  SN_TRY(add_ball(b, SN_JOINT_SLIDE, 4, 0, e));
  return add_ball(b, 0, 5, 1, e);
}

static const sn_loader_ops early = {
  .head = { .size = sizeof early, .summary = "includes parts before other elements" },
  .probe = probe,
  .load = include_early,
};

START_TEST(keyframes_of_parts_are_completed) {
  OK(sn_engine_add(engine, SN_KIND_LOADER, "early", &early, error));
  add("keyed.xml", KEYED);
  add("go", "go");
  sn_model *m = load("go");
  // hinge and slide of the left arm, the free joint, the right hinge, the slide of the last ball
  const double left[11] = { 0.5, 0.75, 0, 0, 3, 1, 0, 0, 0, 0, 0.25 };
  const double right[11] = { 0, 0.75, 0, 0, 3, 1, 0, 0, 0, 0.5, 0.25 };
  ck_assert_int_eq(m->nq, 11);
  ck_assert_int_eq(m->nkey, 2);
  ck_assert_int_eq(sn_find(m, "key", "right_on"), 1);
  for (int i = 0; i < 11; i++) {
    ck_assert_double_eq(m->key_qpos[i], left[i]);
    ck_assert_double_eq(m->key_qpos[11 + i], right[i]);
  }
  const double ctrl[4] = { 2, 0, 0, 2 };
  ck_assert_int_eq(m->nu, 2);
  ck_assert_int_eq(memcmp(m->key_ctrl, ctrl, sizeof ctrl), 0);
  ck_assert_double_eq(m->key_mpos[5], 5);
  sn_model_free(m);
}
END_TEST

START_TEST(sample_scene_swings) {
  sn_model *m = load(SN_TEST_SOURCE "/samples/plugins/loader_scene/scene.xml");
  ck_assert_int_eq(m->nv, 2);
  ck_assert_double_eq(m->opt.timestep, 0.002);
  sn_data *d = data_of(m);
  for (int i = 0; i < 100; i++) {
    OK(sn_step(m, d));
  }
  ck_assert_double_gt(fabs(d->qpos[0]), 0.1);
  ck_assert_double_gt(fabs(d->qpos[1]), 0.1);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(set_up, close_engine);
  TEST(formats_side_by_side);
  TEST(frame_is_a_body);
  TEST(parts_of_parts);
  TEST(cycles_are_rejected);
  TEST(errors_have_their_place);
  TEST(limits_count_all_parts);
  TEST(nested_parts_share_the_memory);
  TEST(failure_leaves_nothing);
  TEST(keyframes_of_parts_are_completed);
  TEST(sample_scene_swings);
}
