// SPDX-License-Identifier: Apache-2.0
//
// Edits of a spec as a whole: removing with and without cascade, copying, attaching under a
// prefix, copying back what was edited in a model, and going on with the state of what stayed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/data.h"
#include "default_engine.h"
#include "model_file.h"
#include "settings.h"
#include "spec/spec.h"
#include "suite.h"

#define CROWD_TEXT model_file("spec/crowd")
#define ARM_TEXT model_file("spec/arm")

static const char table[] =
    "<mujoco model='table'><compiler angle='radian'/><worldbody><body name='cart'><freejoint "
    "name='free'/><geom size='0.1'/><body name='mount' pos='0 0 1'/></body></worldbody><keyframe>"
    "<key name='far' qpos='1 2 3 1 0 0 0'/></keyframe></mujoco>";

#define REJECTED(call, code, word)                                                          \
  do {                                                                                     \
    ck_assert_int_eq((call), (code));                                                      \
    ck_assert_msg(strstr(sn_error_text(error), word) != NULL, "%s", sn_error_text(error)); \
  } while (0)

static void near(const double *found, int n, const double *expected) {
  for (int i = 0; i < n; i++) {
    ck_assert_double_eq_tol(found[i], expected[i], 1e-12);
  }
}
#define NEAR(found, ...)                                                 \
  near(found, (int)(sizeof((double[]){ __VA_ARGS__ }) / sizeof(double)), \
       (const double[]){ __VA_ARGS__ })

// ------------------------------------------------------------------ removing

START_TEST(remove_rejects_what_is_needed) {
  sn_spec *spec = good_spec(ARM_TEXT);
  int64_t sensors = sn_spec_count(spec, "sensor");
  REJECTED(sn_spec_remove(spec, "site", sn_spec_find(spec, "site", "hand"), 0, error), SN_EINVAL,
           "sensor 0");
  REJECTED(sn_spec_remove(spec, "joint", sn_spec_find(spec, "joint", "elbow"), 0, error), SN_EINVAL,
           "depends on it");
  REJECTED(sn_spec_remove(spec, "body", 0, 1, error), SN_EINVAL, "world");
  REJECTED(sn_spec_remove(spec, "geom", 7, 1, error), SN_EINVAL, "no geom 7");
  ck_assert_int_eq(sn_spec_count(spec, "sensor"), sensors);
  ck_assert_int_eq(sn_spec_count(spec, "site"), 1);
  sn_spec_free(spec);
}
END_TEST

// What can do without it, does without it.
START_TEST(remove_material_only_forgets_it) {
  sn_spec *spec = good_spec(ARM_TEXT);
  OK(sn_spec_remove(spec, "material", 0, 0, error));
  sn_geom_def geom;
  sn_default_geom(&geom);
  OK(sn_spec_get_geom(spec, sn_spec_find(spec, "geom", "bone"), &geom, error));
  ck_assert_ptr_null(geom.material);
  sn_model_free(compiled(spec));
  sn_spec_free(spec);
}
END_TEST

START_TEST(remove_joint_with_its_followers) {
  sn_spec *spec = good_spec(ARM_TEXT);
  OK(sn_spec_remove(spec, "joint", sn_spec_find(spec, "joint", "elbow"), 1, error));
  ck_assert_int_eq(sn_spec_count(spec, "tendon"), 0);
  ck_assert_int_eq(sn_spec_count(spec, "actuator"), 1);
  ck_assert_int_eq(sn_spec_count(spec, "body"), 3);

  // the keyframe keeps the numbers of what is left
  sn_key_def key;
  sn_default_key(&key);
  OK(sn_spec_get_key(spec, 0, &key, error));
  ck_assert_int_eq(key.qpos.n, 1);
  ck_assert_double_eq(key.qpos.p[0], 0.5);
  ck_assert_double_eq(key.qvel.p[0], 1);
  ck_assert_int_eq(key.act.n, 0);
  ck_assert_int_eq(key.ctrl.n, 1);
  ck_assert_double_eq(key.ctrl.p[0], 4);
  sn_model *m = compiled(spec);
  ck_assert_int_eq(snm_nv(m), 1);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(remove_body_with_its_inside) {
  sn_spec *spec = good_spec(ARM_TEXT);
  OK(sn_spec_remove(spec, "body", sn_spec_find(spec, "body", "upper"), 1, error));
  ck_assert_int_eq(sn_spec_count(spec, "body"), 1);
  ck_assert_int_eq(sn_spec_count(spec, "geom"), 0);
  ck_assert_int_eq(sn_spec_count(spec, "actuator"), 0);
  ck_assert_int_eq(sn_spec_count(spec, "exclude"), 0);
  ck_assert_int_eq(sn_spec_count(spec, "material"), 1);
  sn_model_free(compiled(spec));
  sn_spec_free(spec);
}
END_TEST

// Bodies behind a removed one have new ids; what they own follows.
START_TEST(owners_are_renumbered) {
  sn_spec *spec = good_spec(
      "<mujoco><worldbody><body name='a'><joint/><geom size='1'/></body>"
      "<body name='b'><joint/><geom name='g' size='2'/><body name='c' pos='0 0 1'>"
      "<geom name='h' size='3'/></body></body></worldbody></mujoco>");
  OK(sn_spec_remove(spec, "body", sn_spec_find(spec, "body", "a"), 1, error));
  sn_model *m = compiled(spec);
  ck_assert_int_eq(snm_nbody(m), 3);
  ck_assert_int_eq(snm_geom_bodyid(m)[sn_find(m, "geom", "h")], sn_find(m, "body", "c"));
  ck_assert_int_eq(snm_body_parentid(m)[sn_find(m, "body", "c")], sn_find(m, "body", "b"));
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ copying, attaching

START_TEST(copy_compiles_to_the_same) {
  sn_spec *spec = good_spec(ARM_TEXT), *copy = sn_spec_copy(spec, error);
  ck_assert_ptr_nonnull(copy);
  sn_model *a = compiled(spec), *b;
  sn_spec_free(spec);
  b = compiled(copy);
  sn_view x = { .size = sizeof x }, y = { .size = sizeof y };
  for (int64_t i = 0; sn_model_field_at(a, i, &x); i++) {
    ck_assert(sn_model_field_at(b, i, &y));
    ck_assert_int_eq(x.rows * x.cols, y.rows * y.cols);
    size_t each = x.type == SN_REAL ? 8 : x.type == SN_INT ? 4 : 1;
    ck_assert_msg(x.rows * x.cols == 0 || memcmp(x.p, y.p, (size_t)(x.rows * x.cols) * each) == 0,
                  "%s", x.name);
  }
  sn_model_free(a);
  sn_model_free(b);
  sn_spec_free(copy);
}
END_TEST

START_TEST(attach_arm_to_a_table) {
  sn_spec *spec = good_spec(table), *part = good_spec(ARM_TEXT);
  int32_t mount = sn_spec_find(spec, "body", "mount");
  OK(sn_spec_attach(spec, mount, part, "left_", error));
  OK(sn_spec_attach(spec, mount, part, "right_", error));
  int64_t bodies = sn_spec_count(spec, "body");
  REJECTED(sn_spec_attach(spec, mount, part, "left_", error), SN_EINVAL, "left_lower");
  ck_assert_int_eq(sn_spec_count(spec, "body"), bodies);

  // the same arm, twice, in its own units and place
  sn_model *m = compiled(spec), *alone = compiled(part);
  ck_assert_int_eq(snm_nv(m), 6 + 2 * snm_nv(alone));
  ck_assert_int_eq(snm_nsensordata(m), 2 * snm_nsensordata(alone));
  int32_t upper = sn_find(m, "body", "right_upper"), was = sn_find(alone, "body", "upper");
  ck_assert_int_eq(snm_body_parentid(m)[upper], sn_find(m, "body", "mount"));
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(snm_body_quat(m)[4 * upper + i], snm_body_quat(alone)[4 * was + i],
                            1e-15);
  }
  int32_t j = sn_find(m, "joint", "right_shoulder"), k = sn_find(alone, "joint", "shoulder");
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(snm_jnt_range(m)[2 * j + i], snm_jnt_range(alone)[2 * k + i], 1e-15);
  }
  ck_assert_double_eq_tol(snm_qpos0(m)[snm_jnt_qposadr(m)[j]], 10 * acos(-1) / 180, 1e-15);
  ck_assert_int_eq(snm_geom_matid(m)[sn_find(m, "geom", "right_bone")],
                   sn_find(m, "material", "right_steel"));

  // keyframes: the table's with the arms as in qpos0; an arm's with the rest so
  int32_t far = sn_find(m, "key", "far"), up = sn_find(m, "key", "right_up");
  const double *q = snm_key_qpos(m) + far * snm_nq(m), *r = snm_key_qpos(m) + up * snm_nq(m);
  ck_assert_double_eq(q[1], 2);
  ck_assert_double_eq_tol(q[snm_jnt_qposadr(m)[j]], 10 * acos(-1) / 180, 1e-15);
  ck_assert_double_eq(r[snm_jnt_qposadr(m)[j]], 0.5);
  ck_assert_double_eq(r[3], 1);
  ck_assert_double_eq(snm_key_ctrl(m)[up * snm_nu(m) + sn_find(m, "actuator", "right_slow")], 6);
  ck_assert_double_eq(snm_key_act(m)[up * snm_na(m) + 1], 3);
  sn_model_free(m);
  sn_model_free(alone);
  sn_spec_free(spec);
  sn_spec_free(part);
}
END_TEST

// Joints that are added to a spec with keyframes, between edits of it: `far` keeps its numbers, and
// the joints have those of a reset.
static void add_slide(sn_spec *spec, const char *body, double ref) {
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = sn_spec_find(spec, "body", body);
  joint.type = SN_JOINT_SLIDE;
  joint.ref = ref;
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
}

static void far_is(sn_spec *spec, int n, const double *expected) {
  sn_model *m = compiled(spec);
  ck_assert_int_eq(snm_nq(m), n);
  near(snm_key_qpos(m) + sn_find(m, "key", "far") * n, n, expected);
  sn_model_free(m);
}

START_TEST(keyframes_follow_joints_that_are_added) {
  sn_spec *spec = good_spec(table), *part = good_spec(ARM_TEXT);
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.body = sn_spec_find(spec, "body", "mount");
  geom.size[0] = 0.1;
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  add_slide(spec, "mount", 0.1);
  far_is(spec, 8, (const double[]){ 1, 2, 3, 1, 0, 0, 0, 0.1 });
  add_slide(spec, "mount", 0.2);
  sn_spec *copy = sn_spec_copy(spec, error);
  ck_assert_msg(copy != NULL, "%s", sn_error_text(error));
  far_is(copy, 9, (const double[]){ 1, 2, 3, 1, 0, 0, 0, 0.1, 0.2 });
  sn_spec_free(copy);

  // the part has more joints than its keyframe, too
  add_slide(part, "upper", 0.3);
  OK(sn_spec_attach(spec, sn_spec_find(spec, "body", "mount"), part, "arm_", error));
  add_slide(spec, "mount", 0.4);
  const double shoulder = 10 * acos(-1) / 180;
  far_is(spec, 13, (const double[]){ 1, 2, 3, 1, 0, 0, 0, 0.1, 0.2, 0.4, shoulder, 0.3, 0 });
  OK(sn_spec_remove(spec, "body", sn_spec_find(spec, "body", "arm_upper"), 1, error));
  add_slide(spec, "mount", 0.5);
  far_is(spec, 11, (const double[]){ 1, 2, 3, 1, 0, 0, 0, 0.1, 0.2, 0.4, 0.5 });

  // numbers that were set for all joints stay, and a wrong number of them is still an error
  sn_key_def key;
  sn_default_key(&key);
  OK(sn_spec_get_key(part, 0, &key, error));
  key.qpos = (sn_reals){ (double[]){ 7, 8, 9 }, 3 };
  OK(sn_spec_set_key(part, 0, &key, error));
  sn_model *m = compiled(part);
  ck_assert_double_eq(snm_key_qpos(m)[2], 9);
  sn_model_free(m);
  add_slide(part, "upper", 0);
  add_slide(part, "upper", 0);
  OK(sn_spec_get_key(part, 0, &key, error));   // what it pointed to was replaced
  key.qpos = (sn_reals){ (double[]){ 7, 8, 9, 10 }, 4 };
  OK(sn_spec_set_key(part, 0, &key, error));
  ck_assert_ptr_null(sn_compile(part, error));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "qpos"));
  sn_spec_free(spec);
  sn_spec_free(part);
}
END_TEST

START_TEST(attach_rejected) {
  sn_spec *spec = good_spec(table), *part = good_spec(ARM_TEXT);
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  REJECTED(sn_spec_attach(spec, id, part, "x", error), SN_EINVAL, "has no name");
  REJECTED(sn_spec_attach(spec, 99, part, "x", error), SN_EINVAL, "no body 99");
  REJECTED(sn_spec_attach(spec, 0, spec, "x", error), SN_EINVAL, "itself");
  sn_model_free(compiled(spec));   // nothing of part is left in it
  ck_assert_int_eq(sn_spec_count(spec, "geom"), 1);
  sn_spec_free(spec);
  sn_spec_free(part);
}
END_TEST

START_TEST(remove_body_among_many) {
  sn_spec *spec = good_spec(CROWD_TEXT);
  sn_model_free(compiled(spec));
  OK(sn_spec_remove(spec, "body", sn_spec_find(spec, "body", "b"), 1, error));
  static const struct {
    const char *kind, *left;
    int64_t n;
  } left[] = { { "body", "a", 3 },      { "joint", "ja", 1 },   { "geom", "ga", 2 },
               { "site", "sa", 2 },     { "pair", NULL, 0 },    { "exclude", NULL, 0 },
               { "equality", NULL, 1 }, { "tendon", "ta", 1 },  { "actuator", "aa", 2 },
               { "sensor", "na", 2 },   { "mesh", "solid", 1 }, { "key", "k", 1 } };
  for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
    ck_assert_msg(sn_spec_count(spec, left[i].kind) == left[i].n, "%lld of %s",
                  (long long)sn_spec_count(spec, left[i].kind), left[i].kind);
    ck_assert(!left[i].left || sn_spec_find(spec, left[i].kind, left[i].left) >= 0);
  }
  sn_model *m = compiled(spec);
  ck_assert_int_eq(snm_nkey(m), 1);
  NEAR(snm_key_qpos(m), .3);
  NEAR(snm_key_qvel(m), 1);
  NEAR(snm_key_ctrl(m), 1, 3);
  NEAR(snm_key_mpos(m), 5, 6, 7);
  ck_assert_int_eq(snm_na(m), 0);
  sn_data *d = sn_data_new(m, error);
  OK(sn_step(m, d));
  sn_data_free(d);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// Numbers of a crowd that is attached twice are those of the crowd, whatever the settings are of
// what it is attached to.
static void check_crowd(const sn_model *m, const sn_model *alone, const char *prefix) {
  static const char *const fields[][3] = { { "joint", "jnt_range", "ja" },
                                           { "joint", "jnt_limited", "ja" },
                                           { "joint", "jnt_axis", "ja" },
                                           { "geom", "geom_size", "ga" },
                                           { "actuator", "actuator_ctrlrange", "ac" },
                                           { "actuator", "actuator_biasprm", "ac" },
                                           { "actuator", "actuator_ctrllimited", "ac" },
                                           { "body", "body_inertia", "a" },
                                           { "body", "body_mass", "c" },
                                           { "tendon", "tendon_length0", "ta" } };
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    char name[32];
    sn_view here = { .size = sizeof here }, there = { .size = sizeof there };
    snprintf(name, sizeof name, "%s%s", prefix, fields[i][2]);
    OK(sn_model_field(m, fields[i][1], &here));
    OK(sn_model_field(alone, fields[i][1], &there));
    int32_t at = sn_find(m, fields[i][0], name), was = sn_find(alone, fields[i][0], fields[i][2]);
    ck_assert_msg(at >= 0 && was >= 0, "%s", name);
    for (int64_t k = 0; k < here.cols; k++) {
      double x = here.type == SN_REAL ? ((double *)here.p)[at * here.cols + k]
                                      : ((int32_t *)here.p)[at * here.cols + k];
      double y = here.type == SN_REAL ? ((double *)there.p)[was * here.cols + k]
                                      : ((int32_t *)there.p)[was * here.cols + k];
      ck_assert_msg(fabs(x - y) <= 1e-12, "%s of %s: %.17g, not %.17g", fields[i][1], name, x, y);
    }
  }
}

START_TEST(attached_meshes_do_not_change_their_mass) {
  static const char tetrahedron[] =
      "<mujoco><asset><mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
      "<body name='b'><freejoint/><geom type='mesh' mesh='t'/></body></worldbody></mujoco>";
  static const char exact[] = "<mujoco><compiler exactmeshinertia='true'/><worldbody/></mujoco>";
  sn_spec *part = good_spec(tetrahedron), *host = good_spec(exact);
  ck_assert_int_eq(sn_spec_attach(host, 0, part, "p_", error), SN_EINVAL);
  ck_assert_msg(strstr(sn_error_text(error), "exactmeshinertia") != NULL, "%s",
                sn_error_text(error));
  ck_assert_int_eq(sn_spec_find(host, "mesh", "p_t"), -1);
  sn_spec_free(host);

  host = good_spec("<mujoco><worldbody/></mujoco>");
  OK(sn_spec_attach(host, 0, part, "p_", error));
  sn_spec_free(host);
  sn_spec_free(part);
}
END_TEST

// A part is rejected where the settings of the host would change it, and only there.
START_TEST(settings_that_change_a_part_are_told) {
#define PART(settings, inertial, geom)                                                       \
  "<mujoco><compiler " settings "/><asset><mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 2'/>" \
  "</asset><worldbody><body name='b'>" inertial "<geom name='g' " geom                       \
  "/></body></worldbody></mujoco>"
#define GIVEN "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>"
#define BALL "size='.1' group='2'"
#define FITTED "type='sphere' mesh='t'"
  static const struct {
    const char *part, *host, *word;   // word: NULL where it is attached
  } cases[] = {
    { PART("", GIVEN, BALL), "inertiafromgeom='true'", "body 'b': its inertia would change" },
    { PART("", "", BALL), "inertiafromgeom='true'", NULL },
    { PART("inertiafromgeom='true'", "", BALL), "", NULL },
    { PART("inertiafromgeom='true'", GIVEN, BALL), "inertiafromgeom='true'", NULL },
    { PART("inertiafromgeom='true'", GIVEN, BALL), "",
      "set inertiafromgeom of both to the same value" },
    { PART("", "", BALL), "inertiafromgeom='false'", "inertiafromgeom" },
    { PART("", GIVEN, BALL), "inertiafromgeom='false'", NULL },
    { PART("inertiagrouprange='2 3'", "", BALL), "inertiagrouprange='1 2'", NULL },
    { PART("inertiagrouprange='2 3'", "", BALL), "inertiagrouprange='3 4'",
      "geom 'g': the inertia" },
    { PART("inertiagrouprange='2 3'", GIVEN, BALL), "inertiagrouprange='3 4'", NULL },
    { PART("settotalmass='4'", "", BALL), "", "the settotalmass of part, 4, cannot be applied" },
    { PART("settotalmass='4'", "", BALL), "settotalmass='4'", NULL },
    { PART("", "", BALL), "settotalmass='4'", NULL },
    { PART("fitaabb='true'", "", FITTED), "", "geom 'g': its fit to the mesh would change" },
    { PART("fitaabb='true'", "", FITTED), "fitaabb='true'", NULL },
    { PART("fitaabb='true'", "", BALL), "", NULL },
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char name[2][32], text[128];
    snprintf(name[0], sizeof name[0], "setting%d.xml", (int)i);
    snprintf(name[1], sizeof name[1], "settings%d.xml", (int)i);
    snprintf(text, sizeof text, "<mujoco><compiler %s/><worldbody/></mujoco>", cases[i].host);
    sn_spec *part = good_spec(cases[i].part), *host = good_spec(text);
    if (cases[i].word) {
      REJECTED(sn_spec_attach(host, 0, part, "p_", error), SN_EINVAL, cases[i].word);
      ck_assert_int_eq(sn_spec_count(host, "body") + sn_spec_count(host, "geom"), 1);
    } else {
      OK(sn_spec_attach(host, 0, part, "p_", error));
    }
    sn_spec_free(host);
    sn_spec_free(part);
  }
}
END_TEST

START_TEST(attach_twice_under_other_settings) {
  static const char *const hosts[] = {
    "<mujoco><compiler angle='degree' autolimits='false' eulerseq='ZYX'/><asset><material "
    "name='skin'/></asset><worldbody><body name='h'><freejoint/><geom size='1'/></body>"
    "</worldbody></mujoco>",
    "<mujoco><compiler angle='radian'/><option timestep='.01' gravity='0 0 0'/><worldbody><body "
    "name='h'><geom size='1'/></body></worldbody><actuator><general body='h' dyntype='integrator' "
    "name='z'/></actuator><keyframe><key name='own' act='8'/></keyframe></mujoco>",
  };
  sn_spec *part = good_spec(CROWD_TEXT);
  sn_model *alone = compiled(part);
  OK(sn_spec_remove(part, "body", sn_spec_find(part, "body", "m"), 1, error));
  for (int i = 0; i < 2; i++) {
    char file[32];
    snprintf(file, sizeof file, "host%d.xml", i);
    sn_spec *spec = good_spec(hosts[i]);
    int32_t body = sn_spec_find(spec, "body", "h");
    OK(sn_spec_attach(spec, body, part, "l_", error));
    OK(sn_spec_attach(spec, body, part, "r_", error));
    sn_model *m = compiled(spec);
    check_crowd(m, alone, "l_");
    check_crowd(m, alone, "r_");
    ck_assert_int_ge(sn_find(m, "material", "l_skin"), 0);
    ck_assert_int_eq(option_of(m).timestep == .01, i == 1);

    // saved and read again it is the same
    char path[512];
    snprintf(path, sizeof path, "/tmp/sinew_attach_%d_%d.xml", (int)getpid(), i);
    OK(sn_spec_save(spec, "mjcf", path, error));
    sn_model *again = sn_load(engine, path, error);
    ck_assert_msg(again != NULL, "%s", sn_error_text(error));
    check_crowd(again, alone, "l_");
    check_crowd(again, alone, "r_");
    ck_assert_int_eq(snm_nkey(again), snm_nkey(m));
    remove(path);
    sn_model_free(again);
    sn_model_free(m);
    sn_spec_free(spec);
  }
  sn_model_free(alone);
  sn_spec_free(part);
}
END_TEST

// ------------------------------------------------------------------ going on

START_TEST(state_of_what_stayed) {
  sn_spec *spec = good_spec(ARM_TEXT), *other = good_spec(table);
  sn_model *m = compiled(spec);
  sn_data *d = sn_data_new(m, error);
  OK(sn_reset_key(m, d, 0));
  for (int i = 0; i < 20; i++) {
    OK(sn_step(m, d));
  }
  OK(sn_spec_attach(other, sn_spec_find(other, "body", "mount"), spec, "", error));
  OK(sn_spec_remove(other, "joint", sn_spec_find(other, "joint", "free"), 1, error));
  sn_model *n = compiled(other);
  sn_data *e = sn_data_transfer(n, m, d, error);
  ck_assert_ptr_nonnull(e);
  ck_assert_double_eq(snd_time(e)[0], snd_time(d)[0]);
  for (int32_t i = 0; i < 2; i++) {
    int32_t was = sn_find(m, "joint", sn_name(n, "joint", i));
    ck_assert_double_eq(snd_qpos(e)[i], snd_qpos(d)[was]);
    ck_assert_double_eq(snd_qvel(e)[i], snd_qvel(d)[was]);
    ck_assert(snd_qvel(e)[i] != 0);
  }
  for (int32_t i = 0; i < snm_nu(n); i++) {
    ck_assert_double_eq(snd_ctrl(e)[i], snd_ctrl(d)[i]);
  }
  ck_assert_double_eq(snd_act(e)[0], snd_act(d)[0]);
  OK(sn_step(n, e));
  sn_data_free(d);
  sn_data_free(e);
  sn_model_free(m);
  sn_model_free(n);
  sn_spec_free(spec);
  sn_spec_free(other);
}
END_TEST

// ------------------------------------------------------------------ copying back

START_TEST(update_edits_come_back) {
  sn_spec *spec = good_spec(ARM_TEXT);
  sn_model *m = compiled(spec);
  array_of(m, "geom_friction")[0] = 0.25;
  array_of(m, "body_mass")[2] = 7;
  array_of(m, "dof_damping")[0] = 3;
  array_of(m, "jnt_range")[1] = 1;
  array_of(m, "body_pos")[3 * 2 + 1] = 0.125;
  array_of(m, "key_qpos")[1] = -0.5;
  array_of(m, "actuator_gear")[0] = 50;
  sn_option opt = option_of(m);
  opt.timestep = 0.001;
  ck_assert_int_eq(sn_model_set_option(m, &opt, error), SN_OK);
  OK(sn_spec_update(spec, m, error));
  sn_model *n = compiled(spec);
  ck_assert_double_eq(snm_geom_friction(n)[0], 0.25);
  ck_assert_double_eq(snm_body_mass(n)[2], 7);
  ck_assert_double_eq(snm_body_inertia(n)[3 * 2], snm_body_inertia(m)[3 * 2]);
  ck_assert_double_eq(snm_dof_damping(n)[0], 3);
  ck_assert_double_eq_tol(snm_jnt_range(n)[1], 1, 1e-15);
  ck_assert_double_eq(snm_body_pos(n)[3 * 2 + 1], 0.125);
  ck_assert_double_eq(snm_key_qpos(n)[1], -0.5);
  ck_assert_double_eq(snm_actuator_gear(n)[0], 50);
  ck_assert_double_eq(option_of(n).timestep, 0.001);

  // what was not edited is as it was written
  sn_body_def body;
  sn_geom_def geom;
  sn_default_body(&body);
  sn_default_geom(&geom);
  OK(sn_spec_get_body(spec, sn_spec_find(spec, "body", "upper"), &body, error));
  OK(sn_spec_get_geom(spec, sn_spec_find(spec, "geom", "bone"), &geom, error));
  ck_assert_double_eq(body.orient.euler[1], 30);
  ck_assert_int_eq(body.inertial, 0);
  ck_assert_double_eq(geom.fromto[3], 0.4);
  sn_model_free(m);
  sn_model_free(n);
  sn_spec_free(spec);
}
END_TEST

START_TEST(edited_frames_replace_their_ends) {
  sn_spec *spec = good_spec(ARM_TEXT);
  sn_model *m = compiled(spec);
  int32_t bone = sn_find(m, "geom", "bone");
  array_of(m, "geom_pos")[3 * bone] += 1;
  array_of(m, "geom_size")[3 * bone + 1] = 0.5;
  OK(sn_spec_update(spec, m, error));
  sn_model *n = compiled(spec);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq(snm_geom_pos(n)[3 * bone + i], snm_geom_pos(m)[3 * bone + i]);
    ck_assert_double_eq(snm_geom_size(n)[3 * bone + i], snm_geom_size(m)[3 * bone + i]);
  }
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(snm_geom_quat(n)[4 * bone + i], snm_geom_quat(m)[4 * bone + i], 1e-15);
  }
  sn_model_free(m);
  sn_model_free(n);
  sn_spec_free(spec);
}
END_TEST

START_TEST(update_from_another_model_is_rejected) {
  sn_spec *spec = good_spec(ARM_TEXT), *other = good_spec(table);
  sn_model *m = compiled(other);
  REJECTED(sn_spec_update(spec, m, error), SN_EINVAL, "not compiled from this spec");
  sn_model_free(m);
  sn_spec_free(spec);
  sn_spec_free(other);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(remove_rejects_what_is_needed);
  TEST(remove_material_only_forgets_it);
  TEST(remove_joint_with_its_followers);
  TEST(remove_body_with_its_inside);
  TEST(owners_are_renumbered);
  TEST(copy_compiles_to_the_same);
  TEST(attach_arm_to_a_table);
  TEST(keyframes_follow_joints_that_are_added);
  TEST(attach_rejected);
  TEST(remove_body_among_many);
  TEST(attach_twice_under_other_settings);
  TEST(attached_meshes_do_not_change_their_mass);
  TEST(settings_that_change_a_part_are_told);
  TEST(state_of_what_stayed);
  TEST(update_edits_come_back);
  TEST(edited_frames_replace_their_ends);
  TEST(update_from_another_model_is_rejected);
}
