// SPDX-License-Identifier: Apache-2.0
//
// What the loader of URDF makes of a robot: the tree, joints of every type, limits, mimic joints,
// transmissions, shapes, materials, and inertia that is of no rigid body. That it agrees with the
// reference engine is tested in reference/test_urdf_reference.c.

#include "loaders/urdf/urdf_text.h"
#include "settings.h"
#include "suite.h"

// ------------------------------------------------------------------ the tree

START_TEST(links_become_bodies_in_the_order_of_joints) {
  sn_model *m = model_of(
      R(AWAKE LINK("c") LINK("a") LINK("b") LINK("d") JOINT("j2", "revolute", "a", "b", "")
            JOINT("j1", "revolute", "a", "c", "<origin xyz='1 2 3' rpy='.1 .2 .3'/>")
                JOINT("j3", "prismatic", "b", "d", "")));
  static const char *const names[] = { "world", "a", "b", "d", "c" };
  ck_assert_str_eq(sn_model_name(m), "r");
  ck_assert_int_eq(snm_nbody(m), 5);
  for (int i = 0; i < 5; i++) {
    ck_assert_str_eq(sn_name(m, "body", i), names[i]);
  }
  close_to(snm_body_pos(m) + 12, (const double[]){ 1, 2, 3 }, 3, 0, "origin");
  // about fixed axes: Rz(.3) Ry(.2) Rx(.1)
  double want[4] = { 1, 0, 0, 0 }, turn[4];
  for (int i = 0; i < 3; i++) {
    sn_axisangle_quat(turn, (const double[]){ i == 0, i == 1, i == 2 }, 0.1 * (i + 1));
    sn_mul_quat(want, turn, want);
  }
  close_to(snm_body_quat(m) + 16, want, 4, 1e-15, "rpy");
  sn_model_free(m);
}
END_TEST

START_TEST(fixed_links_are_fused) {
  sn_model *m = model_of(R(LINK("a") LINK("b") LINK("c") LINK("d") JOINT(
      "j1", "revolute", "a", "b", "") JOINT("j2", "fixed", "b", "c", "<origin xyz='2 0 0'/>")
                               JOINT("j3", "revolute", "c", "d", "<origin xyz='0 1 0'/>")));
  ck_assert_int_eq(snm_nbody(m), 3);
  ck_assert_str_eq(sn_name(m, "body", 1), "b");
  ck_assert_double_eq(snm_body_mass(m)[1], 2);
  close_to(snm_body_ipos(m) + 3, (const double[]){ 1, 0, 0 }, 3, 1e-15, "center");
  // two unit tensors, and masses of 1 at distance 1
  close_to(snm_body_inertia(m) + 3, (const double[]){ 4, 4, 2 }, 3, 1e-14, "inertia");
  close_to(snm_body_pos(m) + 6, (const double[]){ 2, 1, 0 }, 3, 1e-15, "child of the fused");
  sn_model_free(m);
}
END_TEST

START_TEST(link_called_world_is_the_world) {
  sn_model *m = model_of(
      R(AWAKE "<link name='world'/>" LINK("a") JOINT("j", "revolute", "world", "a", "")));
  ck_assert_int_eq(snm_nbody(m), 2);
  ck_assert_str_eq(sn_name(m, "body", 1), "a");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ joints

START_TEST(joint_types) {
  const struct {
    const char *type;
    int64_t nq, nv;
  } types[] = { { "revolute", 1, 1 }, { "continuous", 1, 1 }, { "prismatic", 1, 1 },
                { "floating", 7, 6 }, { "planar", 3, 3 },     { "fixed", 0, 0 } };
  for (int i = 0; i < 6; i++) {
    char text[1000];
    snprintf(text, sizeof text, TWO("%s", "<axis xyz='0 2 0'/>"), types[i].type);
    sn_model *m = model_of(text);
    ck_assert_int_eq(snm_nq(m), types[i].nq);
    ck_assert_int_eq(snm_nv(m), types[i].nv);
    sn_model_free(m);
  }
}
END_TEST

START_TEST(long_names_of_joints_are_kept) {
  char name[701], text[1500], part[720];
  memset(name, 'n', 700);
  name[700] = '\0';
  snprintf(text, sizeof text, R(LINK("a") LINK("b") JOINT("%s", "planar", "a", "b", "")), name);
  sn_model *m = model_of(text);
  static const char *const suffix[] = { "_TX", "_TY", "_RZ" };
  for (int i = 0; i < 3; i++) {
    snprintf(part, sizeof part, "%s%s", name, suffix[i]);
    ck_assert_str_eq(sn_name(m, "joint", i), part);
  }
  sn_model_free(m);
}
END_TEST

START_TEST(joint_axis_limit_and_dynamics) {
  sn_spec *spec = spec_of(TWO("revolute",
                              "<axis xyz='0 3 4'/><limit lower='-1' upper='2' effort='5'"
                              " velocity='6'/><dynamics damping='.5' friction='.7'/>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(noted(spec, "velocity limits are ignored"));
  sn_model *m = sn_compile(spec, error);
  close_to(snm_jnt_axis(m), (const double[]){ 0, .6, .8 }, 3, 1e-15, "axis");
  close_to(snm_jnt_range(m), (const double[]){ -1, 2 }, 2, 0, "range");
  ck_assert_int_eq(snm_jnt_limited(m)[0], 1);
  close_to(snm_jnt_actfrcrange(m), (const double[]){ -5, 5 }, 2, 0, "effort");
  ck_assert_int_eq(snm_jnt_actfrclimited(m)[0], 1);
  ck_assert_double_eq(snm_dof_damping(m)[0], .5);
  ck_assert_double_eq(snm_dof_frictionloss(m)[0], .7);
  sn_model_free(m);
  sn_spec_free(spec);

  // the default axis is x; an empty range does not hold
  m = model_of(TWO("revolute", "<limit effort='1' velocity='1'/>"));
  close_to(snm_jnt_axis(m), (const double[]){ 1, 0, 0 }, 3, 0, "axis");
  ck_assert_int_eq(snm_jnt_limited(m)[0], 0);
  sn_model_free(m);
}
END_TEST

// In the plane through the origin, with the axis as normal.
START_TEST(joint_planar_moves_in_its_plane) {
  sn_model *m = model_of(TWO("planar", "<origin xyz='1 0 0'/><axis xyz='1 2 2'/>"));
  sn_data *d = data_of(m);
  const double normal[3] = { 1. / 3, 2. / 3, 2. / 3 };
  ck_assert_int_eq(sn_find(m, "joint", "j_TX"), 0);
  ck_assert_int_eq(sn_find(m, "joint", "j_TY"), 1);
  ck_assert_int_eq(sn_find(m, "joint", "j_RZ"), 2);
  snd_qpos(d)[0] = .3;
  snd_qpos(d)[1] = -.4;
  snd_qpos(d)[2] = .5;
  sn_forward(m, d);
  double r[3], turned[3];
  sn_sub3(r, snd_xpos(d) + 3, (const double[]){ 1, 0, 0 });
  ck_assert_double_eq_tol(sn_dot3(r, normal), 0, 1e-15);
  ck_assert_double_eq_tol(sn_norm3(r), .5, 1e-15);
  sn_rotate(turned, normal, snd_xquat(d) + 4);
  close_to(turned, normal, 3, 1e-15, "the normal turns about itself");
  done_with(m, d);
}
END_TEST

#define MIMIC                                                                             \
  R(LINK("a") LINK("b") LINK("c")                                                         \
        JOINT("j1", "continuous", "a", "b", "<axis xyz='0 0 1'/><dynamics damping='1'/>") \
            JOINT("j2", "continuous", "a", "c",                                           \
                  "<axis xyz='0 0 1'/><dynamics damping='1'/>"                            \
                  "<mimic joint='j1' multiplier='2' offset='.25'/>"))

START_TEST(mimic_joints_follow_unless_they_are_not_asked_to) {
  again("[plugin.urdf]\nmimic = false\n");
  sn_spec *spec = spec_of(MIMIC);
  ck_assert(warned(spec, "mimic joints move freely"));
  sn_spec_free(spec);

  again("");
  sn_model *m = model_of(MIMIC);
  sn_data *d = data_of(m);
  ck_assert_int_eq(snm_neq(m), 1);
  int32_t q1 = snm_jnt_qposadr(m)[sn_find(m, "joint", "j1")];
  int32_t q2 = snm_jnt_qposadr(m)[sn_find(m, "joint", "j2")];
  snd_qpos(d)[q1] = .3;
  snd_qvel(d)[q1] = .5;
  for (int i = 0; i < 1000; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_double_gt(fabs(snd_qpos(d)[q1]), 1e-3);
  ck_assert_double_eq_tol(snd_qpos(d)[q2], .25 + 2 * snd_qpos(d)[q1], 1e-3);
  done_with(m, d);
}
END_TEST

#define TRANSMISSION \
  R(LINK("a") LINK("b") LINK("c")                                                                      \
        JOINT("j1", "continuous", "a", "b", "<limit effort='30' velocity='1'/>") JOINT(                \
            "j2", "continuous", "a", "c",                                                              \
            "") "<transmission name='t1'><type>transmission_interface/SimpleTransmission</type>"       \
                "<joint name='j1'><hardwareInterface>EffortJointInterface</hardwareInterface></joint>" \
                "<actuator name='m1'><mechanicalReduction>-50</mechanicalReduction></actuator>"        \
                "</transmission>\n"                                                                    \
                "<transmission name='t2' type='pr2_mechanism_model/SimpleTransmission'>"               \
                "<joint name='j2'/><mechanicalReduction>4</mechanicalReduction></transmission>\n"      \
                "<transmission name='t3'><joint name='j1'/><joint name='j2'/></transmission>")

START_TEST(transmissions_are_motors_when_they_are_asked_to) {
  sn_spec *spec = spec_of(TRANSMISSION);
  ck_assert(noted(spec, "transmissions do not create motors"));
  sn_spec_free(spec);

  again("[plugin.urdf]\ntransmissions = true\n");
  spec = spec_of(TRANSMISSION);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "must have one joint and at most one actuator"));
  sn_model *m = sn_compile(spec, error);
  sn_data *d = data_of(m);
  ck_assert_int_eq(snm_nu(m), 2);
  ck_assert_int_eq(sn_find(m, "actuator", "m1"), 0);
  ck_assert_int_eq(sn_find(m, "actuator", "t2"), 1);
  // force of the joint = reduction * control, at most the effort
  snd_ctrl(d)[0] = .1;
  snd_ctrl(d)[1] = 2;
  sn_forward(m, d);
  close_to(snd_qfrc_actuator(d), (const double[]){ -5, 8 }, 2, 1e-12, "force");
  snd_ctrl(d)[0] = 10;
  sn_forward(m, d);
  ck_assert_double_eq_tol(snd_qfrc_actuator(d)[0], -30, 1e-12);
  done_with(m, d);
  sn_spec_free(spec);
}
END_TEST

START_TEST(transmission_that_is_no_motor_is_listed) {
  again("[plugin.urdf]\ntransmissions = true\n");
  sn_spec *spec = spec_of(R(LINK("a") LINK("b") JOINT(
      "j", "continuous", "a", "b",
      "") "<transmission name='t'>"
          "<type>transmission_interface/OddTransmission</type><joint name='j'>"
          "<hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface></joint>"
          "<actuator name='m'/></transmission>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "OddTransmission\" is treated as a simple transmission"));
  ck_assert(noted(spec, "the interface \"hardware_interface/PositionJointInterface"));
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ shapes

START_TEST(shapes_collide_or_show) {
  sn_model *m = model_of(R(VISIBLE "<link name='a'>" SHAPE(
      "collision",
      "<box size='1 2 3'/>") "<collision><origin xyz='1 2 3' rpy='1.5707963267948966 0 0'/><geometry>"
                             "<cylinder radius='.1' length='.4'/></geometry></collision>" SHAPE(
                                 "visual", "<sphere radius='.2'/>")
                                 SHAPE("collision",
                                       "<capsule radius='.3' length='1'/>") "<visual/></link>"));
  static const int32_t type[] = { SN_GEOM_BOX, SN_GEOM_CYLINDER, SN_GEOM_SPHERE, SN_GEOM_CAPSULE };
  ck_assert_int_eq(snm_ngeom(m), 4);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(snm_geom_type(m)[i], type[i]);
    ck_assert_int_eq(snm_geom_contype(m)[i] != 0, i != 2);
    ck_assert_int_eq(snm_geom_group(m)[i], i == 2);
  }
  close_to(snm_geom_size(m), (const double[]){ .5, 1, 1.5, .1, .2, 0 }, 6, 1e-15, "sizes");
  close_to(snm_geom_pos(m) + 3, (const double[]){ 1, 2, 3 }, 3, 0, "origin");
  sn_model_free(m);
}
END_TEST

START_TEST(visuals_are_discarded_unless_asked_for) {
  sn_model *m = model_of(R("<link name='a'>" SHAPE("collision", "<box size='1 2 3'/>") SHAPE(
      "visual", "<mesh filename='package://nowhere/at/all.dae'/>") "</link>"));
  ck_assert_int_eq(snm_ngeom(m), 1);
  sn_model_free(m);
}
END_TEST

// A collision shape has no material of its own, whatever stands in it.
START_TEST(collisions_have_no_color_of_their_own) {
  sn_spec *spec = spec_of(
      R("<link name='a'><visual><geometry><sphere radius='1'/></geometry>"
        "<material name='seen'><color rgba='0 1 0 1'/></material></visual><collision><geometry>"
        "<sphere radius='1'/></geometry><material name='m'><color rgba='1 0 0 1'/></material>"
        "</collision></link>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(noted(spec, "<material> in <collision>"));
  sn_model *m = sn_compile(spec, error);
  close_to(snm_geom_rgba(m), (const double[]){ 0, 1, 0, 1 }, 4, 1e-7, "color");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(materials_color_what_follows) {
  sn_model *m = model_of(R(
      VISIBLE
      "<link name='a'>" SHAPE("collision", "<sphere radius='1'/>") "<visual><geometry><sphere radius='1'/></geometry><material name='late'/></visual>" SHAPE(
          "collision",
          "<sphere radius='1'/>") "<visual><geometry><sphere radius='1'/></geometry><material name='own'>"
                                  "<color rgba='0 1 0 .5'/></material></visual></link>"
                                  "<material name='late'><color rgba='1 0 0 1'/></material>"));
  close_to(snm_geom_rgba(m), (const double[]){ .5, .5, .5, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, .5 },
           16, 1e-7, "colors");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ inertia

#define BAD                                                                                 \
  R("%s" LINK("a") "<link name='b'>\n" INERTIA("1", "1", "2", "9", ".5") "</link>\n" JOINT( \
      "j", "revolute", "a", "b", ""))

START_TEST(inertia_of_no_body_is_rejected_with_matrix_and_cure) {
  char text[1500];
  again("[plugin.urdf]\n");
  snprintf(text, sizeof text, BAD, "");
  rejected(text, 4, 0, "[1 0.5 0; 0.5 2 0; 0 0 9]");
  rejected(text, 4, 0, "<compiler balanceinertia=\"true\"/>");
  rejected(text, 4, 0, "set plugin.urdf.inertia to repair");
  rejected(R("<link name='a'>" INERTIA("1", "1", "1", "1", "2") "</link>"), 2, 0,
           "principal moments");
  rejected(R("<link name='a'>" INERTIA("1", "-1", "1", "1", "0") "</link>"), 2, 0, "positive");
}
END_TEST

START_TEST(inertia_of_no_body_is_repaired_and_listed_on_request) {
  char text[1500];
  snprintf(text, sizeof text, BAD, "<mujoco><compiler balanceinertia='true'/></mujoco>");
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "balanceinertia sets them to 4"));
  sn_model *m = sn_compile(spec, error);
  close_to(snm_body_inertia(m) + 3, (const double[]){ 4, 4, 4 }, 3, 1e-12, "mean");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(inertia_comes_from_collision_shapes_where_it_is_not_written) {
  sn_model *m = model_of(
      R(LINK("a") "<link name='b'>" SHAPE("collision", "<box size='.1 .2 .3'/>")
            SHAPE("visual", "<box size='9 9 9'/>") "</link>" JOINT("j", "revolute", "a", "b", "")));
  ck_assert_double_eq_tol(snm_body_mass(m)[1], 6, 1e-12);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ the element mujoco

START_TEST(mujoco_extension_sets_compiler_option_and_size) {
  sn_spec *spec = spec_of(R(
      "<mujoco><compiler inertiafromgeom='true' boundmass='.5' angle='degree' fuzestatic='true'/>\n"
      "<option timestep='.004' integrator='RK4' gravity='1 2 3' cone='elliptic'>"
      "<flag gravity='disable' energy='enable'/></option>\n<size nuserdata='7'/>\n<visual/></mujoco>" LINK(
          "a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit lower='-1' upper='1'/>")));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(noted(spec, "angle is fixed by URDF"));
  ck_assert(warned(spec, "did you mean \"fusestatic\"?"));
  ck_assert(warned(spec, "<visual> in <mujoco>"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  const sn_option o = option_of(m);
  ck_assert_double_eq(o.timestep, .004);
  ck_assert_str_eq(o.integrator, "rk4");
  close_to(o.gravity, (const double[]){ 1, 2, 3 }, 3, 0, "gravity");
  ck_assert_int_eq(o.cone, SN_CONE_ELLIPTIC);
  ck_assert_int_eq(o.disableflags, SN_DISABLE_GRAVITY);
  ck_assert_int_eq(o.enableflags, SN_ENABLE_ENERGY);
  ck_assert_int_eq(sn_size(m, "nuserdata"), 7);
  close_to(snm_jnt_range(m), (const double[]){ -1, 1 }, 2, 0, "radians all the same");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ the page for users

// The gripper closes: its motor moves one finger, the other one follows.
START_TEST(documentation_gripper_works) {
  char *robot = block_of("urdf.md", "xml", 0), *parameters = block_of("urdf.md", "ini", 0);
  again(strchr(parameters, '['));   // without its `include`: the engine has the installed sections
  sn_model *m = model_of(robot);
  sn_data *d = data_of(m);
  ck_assert_int_eq(snm_nbody(m), 4);
  ck_assert_int_eq(snm_nq(m), 7 + 2);   // the hand is free
  ck_assert_int_eq(snm_neq(m), 1);
  ck_assert_int_eq(snm_nu(m), 1);
  snd_ctrl(d)[sn_find(m, "actuator", "left_slide")] = 0.015;
  for (int i = 0; i < 300; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_double_eq_tol(snd_qpos(d)[7], 0.015, 5e-4);
  ck_assert_double_eq_tol(snd_qpos(d)[8], snd_qpos(d)[7], 5e-4);
  done_with(m, d);
  free(robot);
  free(parameters);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(long_names_of_joints_are_kept);
  TEST(links_become_bodies_in_the_order_of_joints);
  TEST(fixed_links_are_fused);
  TEST(link_called_world_is_the_world);
  TEST(joint_types);
  TEST(joint_axis_limit_and_dynamics);
  TEST(joint_planar_moves_in_its_plane);
  TEST(mimic_joints_follow_unless_they_are_not_asked_to);
  TEST(transmissions_are_motors_when_they_are_asked_to);
  TEST(transmission_that_is_no_motor_is_listed);
  TEST(shapes_collide_or_show);
  TEST(visuals_are_discarded_unless_asked_for);
  TEST(collisions_have_no_color_of_their_own);
  TEST(materials_color_what_follows);
  TEST(inertia_of_no_body_is_rejected_with_matrix_and_cure);
  TEST(inertia_of_no_body_is_repaired_and_listed_on_request);
  TEST(inertia_comes_from_collision_shapes_where_it_is_not_written);
  TEST(mujoco_extension_sets_compiler_option_and_size);
  TEST(documentation_gripper_works);
}
