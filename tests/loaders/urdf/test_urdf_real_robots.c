// SPDX-License-Identifier: Apache-2.0
//
// Robots as they come: what walks or flies, inertia that no body has and links without any, effort
// limits and actuators for all joints, mimic joints that cannot follow, and files that are not
// quite URDF.

#include "loaders/urdf/urdf_text.h"
#include "suite.h"

static sn_spec *must_load(const char *text) {
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  return spec;
}

// ------------------------------------------------------------------ the root

#define ON_WORLD                                                                     \
  R("<link name='world'/>" LINK("a") LINK("b") JOINT("w", "fixed", "world", "a", "") \
        JOINT("j", "revolute", "a", "b", ""))

START_TEST(root_floats_on_request) {
  static const struct {
    const char *value;
    int64_t free, on_world;   // nv
  } rows[] = { { "false", 1, 1 }, { "auto", 7, 1 }, { "true", 7, 7 } };
  for (int i = 0; i < 3; i++) {
    char more[100];
    snprintf(more, sizeof more, "[plugin.urdf]\nfloating_base = %s\n", rows[i].value);
    again(more);
    sn_model *m = model_of(TWO("revolute", ""));
    ck_assert_int_eq(snm_nv(m), rows[i].free);
    ck_assert_int_eq(sn_find(m, "joint", "a_free"), rows[i].free == 7 ? 0 : -1);
    ck_assert_int_eq(sn_model_note(m, 0) == NULL, rows[i].free == 7);
    // its inertia is in the equations of motion: thrown up without spin it falls freely
    if (rows[i].free == 7) {
      sn_data *d = data_of(m);
      sn_forward(m, d);
      close_to(snd_qacc(d), (const double[]){ 0, 0, -9.81, 0, 0, 0, 0 }, 7, 1e-9, "qacc");
      sn_data_free(d);
    }
    sn_model_free(m);
    // also where it carries a link that is fixed to it
    m = model_of(R(LINK("a") LINK("b") LINK("c") JOINT("f", "fixed", "a", "b", "")
                       JOINT("j", "revolute", "b", "c", "")));
    ck_assert_int_eq(snm_nv(m), rows[i].free);
    ck_assert_int_eq(sn_model_note(m, 0) == NULL, rows[i].free == 7);
    sn_model_free(m);
    m = model_of(ON_WORLD);
    ck_assert_int_eq(snm_nv(m), rows[i].on_world);
    ck_assert_ptr_null(sn_model_note(m, 0));
    sn_model_free(m);
  }
}
END_TEST

START_TEST(free_joint_takes_no_other_name) {
  again("[plugin.urdf]\nfloating_base = true\n");
  sn_model *m = model_of(R(LINK("a") LINK("b") JOINT("a_free", "revolute", "a", "b", "")));
  ck_assert_int_eq(snm_nv(m), 7);
  ck_assert_int_eq(sn_find(m, "joint", "a_free"), 1);
  sn_model_free(m);
}
END_TEST

START_TEST(root_floats_of_several) {
  again("[plugin.urdf]\nfloating_base = auto\n");
  sn_spec *spec = must_load(R(LINK("a") LINK("b")));
  ck_assert(warned(
      spec,
      "2 links are not the child of any joint, but URDF allows only one root link; each of them is given a"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_int_eq(snm_nv(m), 12);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// Where the robot has a free joint of its own, the root is the world under another name.
START_TEST(root_with_a_floating_joint_stays) {
  static const char *const values[] = { "false", "auto", "true" };
  for (int i = 0; i < 3; i++) {
    char more[100];
    snprintf(more, sizeof more, "[plugin.urdf]\nfloating_base = %s\n", values[i]);
    again(more);
    sn_model *m = model_of(R("<link name='odom'/>" LINK("a") LINK("b") JOINT(
        "f", "floating", "odom", "a", "") JOINT("j", "revolute", "a", "b", "")));
    ck_assert_int_eq(snm_nv(m), 7);
    ck_assert_ptr_null(sn_model_warning(m, 0));
    ck_assert_ptr_null(sn_model_note(m, 0));
    sn_model_free(m);
  }
}
END_TEST

START_TEST(infinite_limits_bound_nothing) {
  static const struct {
    const char *text;
    double range[2], effort;
    int limited;
  } rows[] = {
    { TWO("revolute", "<limit lower='-inf' upper='inf' effort='inf' velocity='inf'/>"),
      { 0, 0 },
      0,
      0 },
    { TWO("revolute", "<limit lower='-1' upper='1' effort='inf'/>"), { -1, 1 }, 0, 1 },
    { TWO("prismatic", "<limit lower='0' upper='inf' effort='2'/>"), { 0, 1e10 }, 2, 1 },
  };
  for (int i = 0; i < 3; i++) {
    sn_model *m = model_of(rows[i].text);
    ck_assert_int_eq(snm_jnt_limited(m)[0], rows[i].limited);
    close_to(snm_jnt_range(m), rows[i].range, 2, 0, "range");
    ck_assert_double_eq(snm_jnt_actfrcrange(m)[1], rows[i].effort);
    sn_model_free(m);
  }
}
END_TEST

START_TEST(joint_in_the_world_without_a_link) {
  sn_model *m = model_of(R(LINK("a") LINK("b") JOINT("w", "prismatic", "world", "a", "")
                               JOINT("j", "revolute", "a", "b", "")));
  ck_assert_int_eq(snm_nv(m), 2);
  ck_assert_int_eq(snm_body_parentid(m)[sn_find(m, "body", "a")], 0);
  ck_assert_ptr_null(sn_model_note(m, 0));
  sn_model_free(m);
}
END_TEST

START_TEST(robot_without_links_is_an_empty_world) {
  sn_spec *spec = must_load(R(""));
  ck_assert(warned(spec, "no links"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_int_eq(snm_nbody(m), 1);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ inertia

#define MATRIX(mass, xx, yy, zz, xy, xz, yz)                                                    \
  R(LINK("a") "<link name='b'><inertial><mass value='" mass "'/><inertia ixx='" xx "' iyy='" yy \
              "' izz='" zz "' ixy='" xy "' ixz='" xz "' iyz='" yz                               \
              "'/></inertial></link>" JOINT("j", "revolute", "a", "b", ""))

// The nearest moments that a rigid body has, of a body whose mass makes the floor small.
START_TEST(inertia_is_repaired_by_the_least_change) {
  static const struct {
    const char *text;
    double want[3];   // descending
  } rows[] = {
    // 9 > 1 + 2: a third of the excess of 6 to each
    { MATRIX("1", "1", "2", "9", "0", "0", "0"), { 7, 4, 3 } },
    // a negative moment and its plane: the edge I1 = I2, I3 = 0
    { MATRIX("1", "1", "1", "-.5", "0", "0", "0"), { 1, 1, 0 } },
    { MATRIX("1", "-1", "-1", "-1", "0", "0", "0"), { 0, 0, 0 } },
    // the first one, turned by 45 degrees about z and then y: eigenvalues 9, 2, 1
    { MATRIX("1", "5.25", "1.5", "5.25", "-.35355339059327373", "3.75", ".35355339059327373"),
      { 7, 4, 3 } },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    again("[plugin.urdf]\n");
    rejected(rows[i].text, 3, 0, "set plugin.urdf.inertia to repair");
    again("[plugin.urdf]\ninertia = repair\n");
    sn_spec *spec = must_load(rows[i].text);
    ck_assert(warned(spec, "link \"b\": the principal moments"));
    ck_assert(warned(spec, "the sum of the other two); they are changed to"));
    ck_assert(warned(spec, "about the same axes, as plugin.urdf.inertia = repair requests"));
    sn_model *m = sn_compile(spec, error);
    ck_assert_msg(m != NULL, "%s", sn_error_text(error));
    const double *I = snm_body_inertia(m) + 3;
    double sorted[3] = { fmax(I[0], fmax(I[1], I[2])), 0, fmin(I[0], fmin(I[1], I[2])) };
    sorted[1] = I[0] + I[1] + I[2] - sorted[0] - sorted[2];
    close_to(sorted, rows[i].want, 3, 5e-6, "moments");
    ck_assert_double_gt(sorted[2], 0);
    sn_model_free(m);
    sn_spec_free(spec);
  }
}
END_TEST

// A sum over axes that a repair keeps: the vector of the largest moment is an eigenvector still.
START_TEST(repaired_inertia_keeps_its_axes) {
  sn_spec *spec = must_load(
      MATRIX("1", "5.25", "1.5", "5.25", "-.35355339059327373", "3.75", ".35355339059327373"));
  sn_body_def d;
  sn_default_body(&d);
  ck_assert_int_ge(sn_spec_get_body(spec, sn_spec_find(spec, "body", "b"), &d, error), 0);
  const double *f = d.fullinertia, s = sqrt(.5);
  const double got[3] = { f[0] * s + f[4] * s, f[3] * s + f[5] * s, f[4] * s + f[2] * s };
  close_to(got, (const double[]){ 7 * s, 0, 7 * s }, 3, 1e-5, "I v");
  sn_spec_free(spec);
}
END_TEST

START_TEST(links_without_inertia_get_a_little) {
  static const char *const texts[] = {
    R(LINK("a") "<link name='b'/>" JOINT("j", "revolute", "a", "b", "")),
    R(LINK("a") "<link name='b'/><link name='c'/>" JOINT("j", "revolute", "a", "b", "")
          JOINT("k", "fixed", "b", "c", "")),
  };
  for (int i = 0; i < 2; i++) {
    again("[plugin.urdf]\n");
    rejected(texts[i], 3, 0, "the link \"b\" moves, and neither it nor a link that is fixed to it");
    again("");
    sn_spec *spec = must_load(texts[i]);
    ck_assert(warned(spec, "\"b\" moves, and has mass 0 and principal moments 0 0 0; they are "
                           "set to 0.001 and 1e-06 1e-06 1e-06"));
    sn_model *m = sn_compile(spec, error);
    ck_assert_msg(m != NULL, "%s", sn_error_text(error));
    ck_assert_double_eq(snm_body_mass(m)[sn_find(m, "body", "b")], 1e-3);
    sn_model_free(m);
    sn_spec_free(spec);
  }
  // mass without moments keeps its mass
  sn_spec *spec = must_load(MATRIX("2", "0", "0", "0", "0", "0", "0"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_double_eq(snm_body_mass(m)[sn_find(m, "body", "b")], 2);
  close_to(snm_body_inertia(m) + 3, (const double[]){ 2e-3, 2e-3, 2e-3 }, 3, 1e-15, "moments");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// A thin rod keeps the moments that it has, a link with moments keeps them, too.
START_TEST(inertia_that_is_given_is_kept) {
  sn_spec *spec = must_load(MATRIX("2", "0", "3", "3", "0", "0", "0"));
  ck_assert(
      warned(spec, "has mass 2 and principal moments 0 3 3; they are set to 2 and 2e-06 3 3"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  double moments[3];
  memcpy(moments, snm_body_inertia(m) + 3, sizeof moments);
  close_to(moments, (const double[]){ 2e-6, 3, 3 }, 3, 1e-15, "moments");
  sn_model_free(m);
  sn_spec_free(spec);

  spec = must_load(MATRIX("0", "2", "3", "4", "0", "0", "0"));
  ck_assert(warned(spec, "moves, and its mass is 0; it is set to 0.001"));
  m = sn_compile(spec, error);
  ck_assert_double_eq(snm_body_mass(m)[1], 1e-3);
  close_to(snm_body_inertia(m) + 3, (const double[]){ 2, 3, 4 }, 3, 1e-15, "moments");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(frames_need_no_inertia) {
  again("[plugin.urdf]\n");
  sn_model *m = model_of(R("<link name='base'/><link name='frame'/>" LINK("b") LINK("c") JOINT(
      "j", "fixed", "base", "frame", "") JOINT("k", "revolute", "frame", "b", "")
                               JOINT("l", "fixed", "b", "c", "")));
  ck_assert_ptr_null(sn_model_warning(m, 0));
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ actuators

#define ARM                                                                           \
  R(LINK("a") LINK("b") LINK("c") LINK("d")                                           \
        JOINT("j1", "revolute", "a", "b", "<limit lower='-1' upper='2' effort='7'/>") \
            JOINT("j2", "prismatic", "b", "c", "")                                    \
                JOINT("j3", "continuous", "c", "d", "<mimic joint='j1'/><limit effort='3'/>"))

START_TEST(motor_for_every_joint_on_request) {
  sn_model *m = model_of(ARM);
  ck_assert_int_eq(snm_nu(m), 0);
  close_to(snm_jnt_actfrcrange(m), (const double[]){ -7, 7, 0, 0, -3, 3 }, 6, 0, "effort");
  sn_model_free(m);

  again("[plugin.urdf]\nactuators = motor\n");
  m = model_of(ARM);
  ck_assert_int_eq(snm_nu(m), 2);
  ck_assert_int_eq(sn_find(m, "actuator", "j1"), 0);
  ck_assert_int_eq(sn_find(m, "actuator", "j2"), 1);
  close_to(snm_actuator_ctrlrange(m), (const double[]){ -7, 7, 0, 0 }, 4, 0, "control");
  close_to(snm_actuator_forcerange(m), (const double[]){ -7, 7, 0, 0 }, 4, 0, "force");
  ck_assert_int_eq(snm_jnt_actfrclimited(m)[0], 0);   // the motor's limit is the same
  sn_data *d = data_of(m);
  snd_ctrl(d)[0] = 9;
  snd_ctrl(d)[1] = 4;
  sn_forward(m, d);
  close_to(snd_qfrc_actuator(d), (const double[]){ 7, 4, 0 }, 3, 1e-12, "force");
  done_with(m, d);
}
END_TEST

// Without actuators the limits bound nothing, and version 2.2.2 does not know their word; a motor
// has them in words that it knows.
START_TEST(converted_robots_need_no_newer_words) {
  char path[300];
  snprintf(path, sizeof path, "%s/out.xml", folder);
  sn_spec *spec = must_load(ARM);
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  ck_assert(noted(spec, "the limits of actuator forces of 2 joints are not written"));
  char *text = read_file(path);
  ck_assert_ptr_null(strstr(text, "actuatorfrc"));
  free(text);
  sn_spec_free(spec);
  spec = must_load(TWO("revolute", "<limit effort='7'/>"));
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  ck_assert(noted(spec, "the limits of actuator forces of 1 joint are not written"));
  sn_spec_free(spec);

  again("[plugin.urdf]\nactuators = motor\n");
  snprintf(path, sizeof path, "%s/out.xml", folder);
  spec = must_load(R(LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit effort='7'/>")));
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  text = read_file(path);
  ck_assert_ptr_null(strstr(text, "actuatorfrc"));
  ck_assert_ptr_nonnull(strstr(text, "forcerange=\"-7 7\""));
  free(text);
  sn_spec_free(spec);
}
END_TEST

// force = kp (u - q) - kv dq/dt, at most the effort
START_TEST(servo_for_every_joint_on_request) {
  again("[plugin.urdf]\nactuators = position\nkp = 20\nkv = 3\n");
  sn_model *m = model_of(ARM);
  sn_data *d = data_of(m);
  close_to(snm_actuator_ctrlrange(m), (const double[]){ -1, 2 }, 2, 0, "control");
  snd_ctrl(d)[0] = .3;
  snd_ctrl(d)[1] = 1;
  snd_qpos(d)[1] = .25;
  snd_qvel(d)[1] = .5;
  sn_forward(m, d);
  close_to(snd_qfrc_actuator(d), (const double[]){ 6, 13.5, 0 }, 3, 1e-12, "force");
  snd_ctrl(d)[0] = 2;
  sn_forward(m, d);
  ck_assert_double_eq_tol(snd_qfrc_actuator(d)[0], 7, 1e-12);
  done_with(m, d);

  // critical damping: kv = 2 sqrt(kp m) with the inertia of the joint at rest, here the mass
  again("[plugin.urdf]\nactuators = position\nkp = 20\n");
  m = model_of(TWO("prismatic", ""));
  ck_assert_double_eq_tol(snm_actuator_biasprm(m)[2], -2 * sqrt(20 * 1.), 1e-12);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ mimic

START_TEST(mimic_joints_that_cannot_follow_move_freely) {
  static const struct {
    const char *text, *warning;
  } rows[] = {
    { TWO("revolute", "<mimic joint='k'/>"), "there is no joint \"k\" with one degree" },
    { TWO("revolute", "<mimic joint='j'/>"), "mimics itself" },
    { TWO("fixed", "<mimic joint='j2'/>"), "cannot mimic" },
    { R(LINK("a") LINK("b") LINK("c") JOINT("j", "revolute", "a", "b", "<mimic joint='k'/>")
            JOINT("k", "fixed", "a", "c", "")),
      "there is no joint \"k\"" },
    { R("<link name='world'/>" LINK("b") LINK("c")
            JOINT("j", "revolute", "b", "c", "<mimic joint='k'/>")
                JOINT("k", "floating", "world", "b", "")),
      "there is no joint \"k\"" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sn_spec *spec = must_load(rows[i].text);
    ck_assert_msg(warned(spec, rows[i].warning), "%s", rows[i].warning);
    sn_model *m = sn_compile(spec, error);
    ck_assert_msg(m != NULL, "%s", sn_error_text(error));
    ck_assert_int_eq(snm_neq(m), 0);
    sn_model_free(m);
    sn_spec_free(spec);
  }
}
END_TEST

// ------------------------------------------------------------------ files that are not quite URDF

START_TEST(commas_are_blanks) {
  sn_spec *spec = must_load(TWO("revolute", "<origin xyz='1, 2,3' rpy='0,0,0'/>"));
  ck_assert(noted(spec, "commas between numbers are treated as spaces (2 times; here first)"));
  sn_model *m = sn_compile(spec, error);
  close_to(snm_body_pos(m) + 3, (const double[]){ 1, 2, 3 }, 3, 0, "origin");
  sn_model_free(m);
  sn_spec_free(spec);
  rejected(TWO("revolute", "<limit lower='0,5'/>"), 4, 0, "takes 1 number");
}
END_TEST

START_TEST(visuals_that_are_not_shown_are_not_judged) {
  static const char *const shapes[] = { "<box size='0 0 0'/>", "<box/>", "<cone/>", "", "<mesh/>",
                                        "<sphere radius='x'/>" };
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    char text[700];
    snprintf(text, sizeof text,
             R("<link name='a'>" UNIT "<visual><origin xyz='1'/><geometry>%s</geometry><material "
               "name='m'><color rgba='1 1 1'/></material></visual></link>"),
             shapes[i]);
    sn_spec *spec = must_load(text);
    ck_assert(noted(spec, "a color must have four numbers"));
    sn_spec_free(spec);
  }
  sn_spec *spec = must_load(
      R(VISIBLE "<link name='a'>" UNIT SHAPE("visual", "<box size='0 1 1'/>") "</link>"));
  ck_assert(noted(spec, "of size 0 is invisible"));
  sn_spec_free(spec);
}
END_TEST

START_TEST(xacro_output_is_urdf) {
  sn_model *m = model_of(
      "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>" LINK("a") "</robot>");
  ck_assert_ptr_null(sn_model_warning(m, 0));
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(root_floats_on_request);
  TEST(free_joint_takes_no_other_name);
  TEST(root_floats_of_several);
  TEST(root_with_a_floating_joint_stays);
  TEST(infinite_limits_bound_nothing);
  TEST(joint_in_the_world_without_a_link);
  TEST(robot_without_links_is_an_empty_world);
  TEST(inertia_is_repaired_by_the_least_change);
  TEST(repaired_inertia_keeps_its_axes);
  TEST(links_without_inertia_get_a_little);
  TEST(inertia_that_is_given_is_kept);
  TEST(frames_need_no_inertia);
  TEST(motor_for_every_joint_on_request);
  TEST(converted_robots_need_no_newer_words);
  TEST(servo_for_every_joint_on_request);
  TEST(mimic_joints_that_cannot_follow_move_freely);
  TEST(commas_are_blanks);
  TEST(visuals_that_are_not_shown_are_not_judged);
  TEST(xacro_output_is_urdf);
}
