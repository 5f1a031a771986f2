// SPDX-License-Identifier: Apache-2.0
//
// The loader of URDF: the tree, joints of every type, limits, mimic joints, transmissions, shapes,
// materials, inertia that is of no rigid body, where meshes are found, what is left out and said
// so, and every error with its place. That it agrees with the reference engine is tested in
// reference/test_urdf_reference.c.

#include "loading.h"

static void setup(void) {
  open_engine("");
}

static void again(const char *more) {
  close_engine();
  open_engine(more);
}

#define R(inside) "<robot name='r'>\n" inside "\n</robot>"
#define INERTIA(m, xx, yy, zz, xy)                                                          \
  "<inertial><mass value='" m "'/><inertia ixx='" xx "' iyy='" yy "' izz='" zz "' ixy='" xy \
  "' ixz='0' iyz='0'/></inertial>"
#define UNIT INERTIA("1", "1", "1", "1", "0")
#define LINK(name) "<link name='" name "'>" UNIT "</link>\n"
#define JOINT(name, type, parent, child, more)                                            \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child \
  "'/>" more "</joint>\n"
#define TWO(type, more) R(LINK("a") LINK("b") JOINT("j", type, "a", "b", more))
#define AWAKE "<mujoco><compiler fusestatic='false'/></mujoco>\n"
#define VISIBLE "<mujoco><compiler discardvisual='false'/></mujoco>\n"

static void close_to(const double *got, const double *want, int n, double tolerance,
                     const char *what) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(fabs(got[i] - want[i]) <= tolerance, "%s [%d]: %.12g instead of %.12g", what, i,
                  got[i], want[i]);
  }
}

// ------------------------------------------------------------------ the tree

START_TEST(links_become_bodies_in_the_order_of_joints) {
  sn_model *m = model_of(
      R(AWAKE LINK("c") LINK("a") LINK("b") LINK("d") JOINT("j2", "revolute", "a", "b", "")
            JOINT("j1", "revolute", "a", "c", "<origin xyz='1 2 3' rpy='.1 .2 .3'/>")
                JOINT("j3", "prismatic", "b", "d", "")));
  static const char *const names[] = { "world", "a", "b", "d", "c" };
  ck_assert_str_eq(sn_model_name(m), "r");
  ck_assert_int_eq(sn_nbody(m), 5);
  for (int i = 0; i < 5; i++) {
    ck_assert_str_eq(sn_name(m, "body", i), names[i]);
  }
  close_to(sn_body_pos(m) + 12, (const double[]){ 1, 2, 3 }, 3, 0, "origin");
  // about fixed axes: Rz(.3) Ry(.2) Rx(.1)
  double want[4] = { 1, 0, 0, 0 }, turn[4];
  for (int i = 0; i < 3; i++) {
    sn_axisangle_quat(turn, (const double[]){ i == 0, i == 1, i == 2 }, 0.1 * (i + 1));
    sn_mul_quat(want, turn, want);
  }
  close_to(sn_body_quat(m) + 16, want, 4, 1e-15, "rpy");
  sn_model_free(m);
}
END_TEST

START_TEST(fixed_links_are_fused) {
  sn_model *m = model_of(R(LINK("a") LINK("b") LINK("c") LINK("d") JOINT(
      "j1", "revolute", "a", "b", "") JOINT("j2", "fixed", "b", "c", "<origin xyz='2 0 0'/>")
                               JOINT("j3", "revolute", "c", "d", "<origin xyz='0 1 0'/>")));
  ck_assert_int_eq(sn_nbody(m), 3);
  ck_assert_str_eq(sn_name(m, "body", 1), "b");
  ck_assert_double_eq(sn_body_mass(m)[1], 2);
  close_to(sn_body_ipos(m) + 3, (const double[]){ 1, 0, 0 }, 3, 1e-15, "center");
  // two unit tensors, and masses of 1 at distance 1
  close_to(sn_body_inertia(m) + 3, (const double[]){ 4, 4, 2 }, 3, 1e-14, "inertia");
  close_to(sn_body_pos(m) + 6, (const double[]){ 2, 1, 0 }, 3, 1e-15, "child of the fused");
  sn_model_free(m);
}
END_TEST

START_TEST(a_link_called_world_is_the_world) {
  sn_model *m = model_of(
      R(AWAKE "<link name='world'/>" LINK("a") JOINT("j", "revolute", "world", "a", "")));
  ck_assert_int_eq(sn_nbody(m), 2);
  ck_assert_str_eq(sn_name(m, "body", 1), "a");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ joints

START_TEST(every_type_of_joint) {
  const struct {
    const char *type;
    int64_t nq, nv;
  } types[] = { { "revolute", 1, 1 }, { "continuous", 1, 1 }, { "prismatic", 1, 1 },
                { "floating", 7, 6 }, { "planar", 3, 3 },     { "fixed", 0, 0 } };
  for (int i = 0; i < 6; i++) {
    char text[1000];
    snprintf(text, sizeof text, TWO("%s", "<axis xyz='0 2 0'/>"), types[i].type);
    sn_model *m = model_of(text);
    ck_assert_int_eq(sn_nq(m), types[i].nq);
    ck_assert_int_eq(sn_nv(m), types[i].nv);
    sn_model_free(m);
  }
}
END_TEST

START_TEST(a_joint_has_axis_limit_and_dynamics) {
  sn_spec *spec = spec_of(TWO("revolute",
                              "<axis xyz='0 3 4'/><limit lower='-1' upper='2' effort='5'"
                              " velocity='6'/><dynamics damping='.5' friction='.7'/>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "velocity limits are not kept"));
  ck_assert(warned(spec, "effort limits are for the motors"));
  sn_model *m = sn_compile(spec, error);
  close_to(sn_jnt_axis(m), (const double[]){ 0, .6, .8 }, 3, 1e-15, "axis");
  close_to(sn_jnt_range(m), (const double[]){ -1, 2 }, 2, 0, "range");
  ck_assert_int_eq(sn_jnt_limited(m)[0], 1);
  ck_assert_double_eq(sn_dof_damping(m)[0], .5);
  ck_assert_double_eq(sn_dof_frictionloss(m)[0], .7);
  sn_model_free(m);
  sn_spec_free(spec);

  // the axis is x when nothing is said; a range of nothing does not hold
  m = model_of(TWO("revolute", "<limit effort='1' velocity='1'/>"));
  close_to(sn_jnt_axis(m), (const double[]){ 1, 0, 0 }, 3, 0, "axis");
  ck_assert_int_eq(sn_jnt_limited(m)[0], 0);
  sn_model_free(m);
}
END_TEST

// In the plane through the origin, with the axis as normal.
START_TEST(a_planar_joint_moves_in_its_plane) {
  sn_model *m = model_of(TWO("planar", "<origin xyz='1 0 0'/><axis xyz='1 2 2'/>"));
  sn_data *d = data_of(m);
  const double normal[3] = { 1. / 3, 2. / 3, 2. / 3 };
  ck_assert_int_eq(sn_find(m, "joint", "j_TX"), 0);
  ck_assert_int_eq(sn_find(m, "joint", "j_TY"), 1);
  ck_assert_int_eq(sn_find(m, "joint", "j_RZ"), 2);
  sn_qpos(d)[0] = .3;
  sn_qpos(d)[1] = -.4;
  sn_qpos(d)[2] = .5;
  sn_forward(m, d);
  double r[3], turned[3];
  sn_sub3(r, sn_xpos(d) + 3, (const double[]){ 1, 0, 0 });
  ck_assert_double_eq_tol(sn_dot3(r, normal), 0, 1e-15);
  ck_assert_double_eq_tol(sn_norm3(r), .5, 1e-15);
  sn_rotate(turned, normal, sn_xquat(d) + 4);
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

START_TEST(mimic_joints_follow_when_they_are_asked_to) {
  sn_spec *spec = spec_of(MIMIC);
  ck_assert(warned(spec, "mimic joints move freely"));
  sn_spec_free(spec);

  again("[plugin.urdf]\nmimic = true\n");
  sn_model *m = model_of(MIMIC);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_neq(m), 1);
  int32_t q1 = sn_jnt_qposadr(m)[sn_find(m, "joint", "j1")];
  int32_t q2 = sn_jnt_qposadr(m)[sn_find(m, "joint", "j2")];
  sn_qpos(d)[q1] = .3;
  sn_qvel(d)[q1] = .5;
  for (int i = 0; i < 1000; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_double_gt(fabs(sn_qpos(d)[q1]), 1e-3);
  ck_assert_double_eq_tol(sn_qpos(d)[q2], .25 + 2 * sn_qpos(d)[q1], 1e-3);
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
  ck_assert(warned(spec, "transmissions make no motors"));
  sn_spec_free(spec);

  again("[plugin.urdf]\ntransmissions = true\n");
  spec = spec_of(TRANSMISSION);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "not of one joint and one actuator"));
  sn_model *m = sn_compile(spec, error);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_nu(m), 2);
  ck_assert_int_eq(sn_find(m, "actuator", "m1"), 0);
  ck_assert_int_eq(sn_find(m, "actuator", "t2"), 1);
  // force of the joint = reduction * control, at most the effort
  sn_ctrl(d)[0] = .1;
  sn_ctrl(d)[1] = 2;
  sn_forward(m, d);
  close_to(sn_qfrc_actuator(d), (const double[]){ -5, 8 }, 2, 1e-12, "force");
  sn_ctrl(d)[0] = 10;
  sn_forward(m, d);
  ck_assert_double_eq_tol(sn_qfrc_actuator(d)[0], -30, 1e-12);
  done_with(m, d);
  sn_spec_free(spec);
}
END_TEST

START_TEST(what_a_motor_is_not_is_listed) {
  again("[plugin.urdf]\ntransmissions = true\n");
  sn_spec *spec = spec_of(R(LINK("a") LINK("b") JOINT(
      "j", "continuous", "a", "b",
      "") "<transmission name='t'>"
          "<type>transmission_interface/OddTransmission</type><joint name='j'>"
          "<hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface></joint>"
          "<actuator name='m'/></transmission>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "OddTransmission\" is taken for a simple transmission"));
  ck_assert(warned(spec, "takes an effort, not what \"hardware_interface/PositionJointInterface"));
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ shapes

#define SHAPE(what, inside) "<" what "><geometry>" inside "</geometry></" what ">"

START_TEST(shapes_collide_or_show) {
  sn_model *m = model_of(R(VISIBLE "<link name='a'>" SHAPE(
      "collision",
      "<box size='1 2 3'/>") "<collision><origin xyz='1 2 3' rpy='1.5707963267948966 0 0'/><geometry>"
                             "<cylinder radius='.1' length='.4'/></geometry></collision>" SHAPE(
                                 "visual", "<sphere radius='.2'/>")
                                 SHAPE("collision",
                                       "<capsule radius='.3' length='1'/>") "<visual/></link>"));
  static const int32_t type[] = { SN_GEOM_BOX, SN_GEOM_CYLINDER, SN_GEOM_SPHERE, SN_GEOM_CAPSULE };
  ck_assert_int_eq(sn_ngeom(m), 4);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(sn_geom_type(m)[i], type[i]);
    ck_assert_int_eq(sn_geom_contype(m)[i] != 0, i != 2);
    ck_assert_int_eq(sn_geom_group(m)[i], i == 2);
  }
  close_to(sn_geom_size(m), (const double[]){ .5, 1, 1.5, .1, .2, 0 }, 6, 1e-15, "sizes");
  close_to(sn_geom_pos(m) + 3, (const double[]){ 1, 2, 3 }, 3, 0, "origin");
  sn_model_free(m);
}
END_TEST

START_TEST(visuals_are_discarded_unless_asked_for) {
  sn_model *m = model_of(R("<link name='a'>" SHAPE("collision", "<box size='1 2 3'/>") SHAPE(
      "visual", "<mesh filename='package://nowhere/at/all.dae'/>") "</link>"));
  ck_assert_int_eq(sn_ngeom(m), 1);
  sn_model_free(m);
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
  close_to(sn_geom_rgba(m), (const double[]){ .5, .5, .5, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, .5 },
           16, 1e-7, "colors");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ inertia

#define BAD                                                                                 \
  R("%s" LINK("a") "<link name='b'>\n" INERTIA("1", "1", "2", "9", ".5") "</link>\n" JOINT( \
      "j", "revolute", "a", "b", ""))

START_TEST(inertia_of_no_body_is_refused_with_matrix_and_cure) {
  char text[1500];
  snprintf(text, sizeof text, BAD, "");
  refused(text, 4, 0, "[1 0.5 0; 0.5 2 0; 0 0 9]");
  refused(text, 4, 0, "<compiler balanceinertia=\"true\"/>");
  refused(R("<link name='a'>" INERTIA("1", "1", "1", "1", "2") "</link>"), 2, 0,
          "principal moments");
  refused(R("<link name='a'>" INERTIA("1", "-1", "1", "1", "0") "</link>"), 2, 0, "positive");
}
END_TEST

START_TEST(inertia_of_no_body_is_repaired_and_listed_on_request) {
  char text[1500];
  snprintf(text, sizeof text, BAD, "<mujoco><compiler balanceinertia='true'/></mujoco>");
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "balanceinertia sets them to 4"));
  sn_model *m = sn_compile(spec, error);
  close_to(sn_body_inertia(m) + 3, (const double[]){ 4, 4, 4 }, 3, 1e-12, "mean");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(inertia_comes_from_collision_shapes_where_it_is_not_written) {
  sn_model *m = model_of(
      R(LINK("a") "<link name='b'>" SHAPE("collision", "<box size='.1 .2 .3'/>")
            SHAPE("visual", "<box size='9 9 9'/>") "</link>" JOINT("j", "revolute", "a", "b", "")));
  ck_assert_double_eq_tol(sn_body_mass(m)[1], 6, 1e-12);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ meshes

// A tetrahedron in STL.
static void write_mesh(const char *name) {
  static const float corner[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  static const int face[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
  unsigned char bytes[84 + 4 * 50] = { 0 };
  bytes[80] = 4;
  for (int f = 0; f < 4; f++) {
    for (int v = 0; v < 3; v++) {
      memcpy(bytes + 84 + 50 * f + 12 + 12 * v, corner[face[f][v]], 12);
    }
  }
  make_file(name, bytes, sizeof bytes);
}

#define MESH(more, name) \
  R(more                 \
    "<link name='a'>" SHAPE("collision", "<mesh filename='" name "' scale='1 2 3'/>") "</link>")

// Loads folder/robots/urdf/robot.urdf; its one mesh has this name.
static void finds(const char *text, const char *mesh) {
  sn_model *m = sn_load(engine, write_file("robots/urdf/robot.urdf", text), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(sn_nmesh(m), 1);
  ck_assert_str_eq(sn_name(m, "mesh", 0), mesh);
  sn_model_free(m);
}

START_TEST(meshes_are_found) {
  char folders[512];
  write_mesh("robots/urdf/beside.stl");
  write_mesh("robots/urdf/sub/below.stl");
  write_mesh("robots/meshes/up.stl");
  write_mesh("elsewhere/pkg/meshes/ros.stl");
  write_mesh("prefix/share/pkg2/meshes/ament.stl");
  write_mesh("given/pkg3/given.stl");

  finds(MESH("", "beside.stl"), "beside");
  finds(MESH("", "package://any/where/beside.stl"), "beside");   // strippath
  finds(MESH("", "sub/below.stl"), "below");
  finds(MESH("<mujoco><compiler strippath='false'/></mujoco>", "sub/below.stl"), "below");
  finds(MESH("<mujoco><compiler meshdir='sub'/></mujoco>", "below.stl"), "below");
  finds(MESH("", "../meshes/up.stl"), "up");
  // upwards: the folder of that name itself, and one that holds it
  finds(MESH("", "package://robots/meshes/up.stl"), "up");
  finds(MESH("", "model://robots/meshes/up.stl"), "up");
  finds(MESH("", "package://elsewhere/pkg/meshes/ros.stl"), "ros");

  char text[900];
  snprintf(text, sizeof text, MESH("", "file://%s/robots/meshes/up.stl"), folder);
  finds(text, "up");

  snprintf(folders, sizeof folders, "/nowhere:%s/elsewhere/", folder);
  setenv("ROS_PACKAGE_PATH", folders, 1);
  finds(MESH("", "package://pkg/meshes/ros.stl"), "ros");
  snprintf(folders, sizeof folders, "%s/elsewhere/pkg", folder);   // the package itself
  setenv("ROS_PACKAGE_PATH", folders, 1);
  finds(MESH("", "package://pkg/meshes/ros.stl"), "ros");
  unsetenv("ROS_PACKAGE_PATH");

  snprintf(folders, sizeof folders, "%s/prefix", folder);
  setenv("AMENT_PREFIX_PATH", folders, 1);
  finds(MESH("", "package://pkg2/meshes/ament.stl"), "ament");
  unsetenv("AMENT_PREFIX_PATH");
}
END_TEST

START_TEST(the_parameter_says_where_packages_are) {
  char lines[700];
  close_engine();
  open_engine("");
  snprintf(lines, sizeof lines, "[plugin.urdf]\npackage_path = /nowhere:%s/../given_urdf\n",
           folder);
  again(lines);
  write_mesh("../given_urdf/pkg3/given.stl");
  sn_model *m = model_of(MESH("", "package://pkg3/given.stl"));
  ck_assert_str_eq(sn_name(m, "mesh", 0), "given");
  sn_model_free(m);
  ck_assert_int_eq(system("rm -r '" SN_TEST_BUILD "/given_urdf'"), 0);
}
END_TEST

START_TEST(a_missing_mesh_names_every_place) {
  setenv("ROS_PACKAGE_PATH", "/ros/one:/ros/two", 1);
  setenv("AMENT_PREFIX_PATH", "/ament", 1);
  const char *text = MESH("", "package://pkg/meshes/none.stl");
  refused(text, 2, 0, "tried none.stl");
  refused(text, 2, 0, "/ros/one/pkg/meshes/none.stl");
  refused(text, 2, 0, "/ros/two/pkg/meshes/none.stl");
  refused(text, 2, 0, "/ament/share/pkg/meshes/none.stl");
  refused(text, 2, 0, "and each folder above it");
  refused(text, 2, 0, folder);
  refused(text, 2, 0, "package_path");
  unsetenv("ROS_PACKAGE_PATH");
  unsetenv("AMENT_PREFIX_PATH");
  refused(MESH("", "sub/none.stl"), 2, 0, "tried none.stl, sub/none.stl");
}
END_TEST

START_TEST(one_file_and_scale_is_one_mesh) {
  write_mesh("t.stl");
  sn_model *m = model_of(
      R("<link name='a'>" SHAPE("collision", "<mesh filename='t.stl'/>")
            SHAPE("collision", "<mesh filename='t.stl'/>")
                SHAPE("collision", "<mesh filename='t.stl' scale='1 1 2'/>") "</link>"));
  ck_assert_int_eq(sn_nmesh(m), 2);
  ck_assert_str_eq(sn_name(m, "mesh", 1), "t1");
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ the element mujoco

START_TEST(the_extension_sets_compiler_option_and_size) {
  sn_spec *spec = spec_of(R(
      "<mujoco><compiler inertiafromgeom='true' boundmass='.5' angle='degree' fuzestatic='true'/>\n"
      "<option timestep='.004' integrator='RK4' gravity='1 2 3' cone='elliptic'>"
      "<flag gravity='disable' energy='enable'/></option>\n<size nuserdata='7'/>\n<visual/></mujoco>" LINK(
          "a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit lower='-1' upper='1'/>")));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "angle is fixed by URDF"));
  ck_assert(warned(spec, "did you mean \"fusestatic\"?"));
  ck_assert(warned(spec, "<visual> in <mujoco>"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  const sn_option *o = sn_model_option(m);
  ck_assert_double_eq(o->timestep[0], .004);
  ck_assert_str_eq(o->integrator, "rk4");
  close_to(o->gravity, (const double[]){ 1, 2, 3 }, 3, 0, "gravity");
  ck_assert_int_eq(o->cone, SN_CONE_ELLIPTIC);
  ck_assert_int_eq(o->disableflags, SN_DISABLE_GRAVITY);
  ck_assert_int_eq(o->enableflags, SN_ENABLE_ENERGY);
  ck_assert_int_eq(sn_size(m, "nuserdata"), 7);
  close_to(sn_jnt_range(m), (const double[]){ -1, 1 }, 2, 0, "radians all the same");
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ what is left out

#define FOREIGN                                                                               \
  R(LINK("a") LINK("b")                                                                       \
        JOINT("j", "revolute", "a", "b",                                                      \
              "<calibration rising='0'/>") "<gazebo reference='a'><x/></gazebo>\n<gazebo/>\n" \
                                           "<link name='c' kind='soft'/>")

START_TEST(what_is_left_out_is_listed_once) {
  sn_spec *spec = spec_of(FOREIGN);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "<gazebo> in <robot> is not simulated and is ignored (2 times"));
  ck_assert(warned(spec, "<calibration> in <joint>"));
  ck_assert(warned(spec, "attribute \"kind\" of <link>"));
  ck_assert(warned(spec, "2 links have no joint above them"));
  int n = 0;
  while (sn_spec_warning(spec, n)) {
    n++;
  }
  ck_assert_int_eq(n, 4);
  sn_spec_free(spec);
}
END_TEST

START_TEST(what_has_no_meaning_here_is_listed) {
  sn_spec *spec = spec_of(R(
      LINK("a") "<link name='b'>" UNIT "<collision name='c'><geometry><sphere radius='1'/>"
                "</geometry></collision></link>" JOINT(
                    "j", "fixed", "a", "b", "<dynamics damping='1'/>") "<xacro:macro name='m'/>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "the dynamics of a fixed joint do nothing"));
  ck_assert(warned(spec, "names of shapes are not kept"));
  ck_assert(warned(spec, "<xacro:macro> is of xacro and is ignored; make URDF of the file first"));
  sn_spec_free(spec);
}
END_TEST

START_TEST(strict_makes_errors_of_it) {
  again("[plugin.urdf]\nstrict = true\n");
  refused(FOREIGN, 4, 0, "<calibration> in <joint>");
  refused(TWO("revolute", "<limit velocity='1'/>"), 4, 0, "velocity limits");
  sn_model_free(model_of(TWO("revolute", "")));
}
END_TEST

// ------------------------------------------------------------------ the page for users

// The block of docs/urdf.md with this word after its fence. To be freed.
static char *block(const char *fence) {
  char *page = read_file(SN_TEST_SOURCE "/docs/urdf.md"), *start = strstr(page, fence);
  ck_assert_ptr_nonnull(start);
  start += strlen(fence);
  char *text = strndup(start, (size_t)(strstr(start, "```") - start));
  free(page);
  return text;
}

// The gripper closes: its motor moves one finger, the other one follows.
START_TEST(the_pages_gripper_works) {
  char *robot = block("```xml\n"), *parameters = block("```ini\n");
  again(parameters);
  sn_model *m = model_of(robot);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_nbody(m), 4);   // with motors nothing is fused
  ck_assert_int_eq(sn_neq(m), 1);
  ck_assert_int_eq(sn_nu(m), 1);
  sn_ctrl(d)[sn_find(m, "actuator", "motor")] = 0.01;
  for (int i = 0; i < 300; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  ck_assert_double_gt(sn_qpos(d)[0], 0.015);
  ck_assert_double_eq_tol(sn_qpos(d)[1], sn_qpos(d)[0], 5e-4);
  done_with(m, d);
  free(robot);
  free(parameters);
}
END_TEST

// ------------------------------------------------------------------ errors

#define VISUAL(inside) R("<link name='a'><collision>\n" inside "</collision></link>")

static const struct {
  const char *text;
  int32_t line, column;
  const char *part;
} mistakes[] = {
  { "<robot>", 1, 0, "" },
  { R(""), 1, 1, "at least one link" },
  { R("<link/>"), 2, 1, "attribute \"name\" is required" },
  { R(LINK("a") LINK("a")), 3, 1, "another link \"a\", in line 2" },
  { R(LINK("a") LINK("b") "<joint name='j'/>"), 4, 1, "attribute \"type\" is required" },
  { R(LINK("a") LINK("b") "<joint name='j' type='revolut'/>"), 4, 17,
    "did you mean \"revolute\"?" },
  { R(LINK("a") LINK("b") "<joint name='j' type='fixed'><child link='b'/></joint>"), 4, 1,
    "needs <parent link" },
  { R(LINK("a") "<joint name='j' type='fixed'><parent link='a'/>\n<child link='aa'/></joint>"), 4,
    8, "no link \"aa\"; did you mean \"a\"?" },
  { R(LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "")), 5,
    1, "child of two joints, of this one and of that in line 4" },
  { R(LINK("a") LINK("b") LINK("c") JOINT("j", "fixed", "b", "c", "")
          JOINT("k", "fixed", "c", "b", "")),
    3, 1, "loop of joints" },
  { R(LINK("a") LINK("world") JOINT("j", "fixed", "a", "world", "")), 4, 1, "the fixed world" },
  { TWO("revolute", "\n<axis xyz='0 0 0'/>"), 5, 1, "no direction" },
  { TWO("revolute", "\n<axis/>"), 5, 1, "\"xyz\" is required" },
  { TWO("revolute", "\n<limit lower='x'/>"), 5, 8, "expected a number" },
  { TWO("revolute", "\n<limit/><limit/>"), 5, 9, "at most once" },
  { R("<link name='a'>\n<inertial><mass value='1'/></inertial></link>"), 3, 1,
    "<inertia> is missing" },
  { R("<link name='a'>\n" INERTIA("-1", "1", "1", "1", "0") "</link>"), 3, 0, "not be negative" },
  { R("<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1'/></inertial></link>"), 3, 1,
    "\"iyy\" is required" },
  { VISUAL(""), 2, 16, "needs <geometry>" },
  { VISUAL("<geometry><cone/></geometry>"), 3, 1, "one of <box>" },
  { VISUAL("<geometry><box size='1 1'/></geometry>"), 3, 16, "takes 3 numbers" },
  { VISUAL("<geometry><sphere radius='0'/></geometry>"), 3, 19, "must be positive" },
  { VISUAL("<geometry><cylinder radius='1'/></geometry>"), 3, 11, "\"length\" is required" },
  { VISUAL("<geometry><mesh/></geometry>"), 3, 11, "\"filename\" is required" },
  { VISUAL("<origin xyz='1 2'/><geometry><sphere radius='1'/></geometry>"), 3, 9,
    "takes 3 numbers" },
  { R("<mujoco/><mujoco/>" LINK("a")), 2, 10, "at most once" },
  { R("<mujoco><compiler fusestatic='0'/></mujoco>" LINK("a")), 2, 19, "expected one of: false" },
  { R("<mujoco><option cone='round'/></mujoco>" LINK("a")), 2, 17, "expected one of: pyramidal" },
  { R("<mujoco><option><flag gravity='off'/></option></mujoco>" LINK("a")), 2, 23,
    "expected one of: disable" },
};
enum { NMISTAKES = sizeof mistakes / sizeof mistakes[0] };

START_TEST(mistakes_are_refused_with_their_place) {
  refused(mistakes[_i].text, mistakes[_i].line, mistakes[_i].column, mistakes[_i].part);
}
END_TEST

START_TEST(wrong_mimics_and_transmissions_are_refused) {
  again("[plugin.urdf]\nmimic = true\ntransmissions = true\n");
  refused(TWO("revolute", "\n<mimic/>"), 5, 1, "\"joint\" is required");
  refused(TWO("revolute", "\n<mimic joint='k'/>"), 5, 8, "no joint \"k\"");
  refused(TWO("floating", "\n<mimic joint='j'/>"), 5, 1, "a floating joint cannot mimic");
  refused(R(LINK("a") "<transmission>\n<joint name='j'/></transmission>"), 4, 8, "no joint \"j\"");
  refused(R(LINK("a") LINK("b") JOINT(
              "j", "revolute", "a", "b",
              "") "<transmission><joint name='j'/>\n<mechanicalReduction>0</mechanicalReduction>"
                  "</transmission>"),
          6, 1, "a mechanical reduction of 0");
  refused(R(LINK("a") LINK("b") JOINT(
              "j", "revolute", "a", "b",
              "") "<transmission><joint name='j'/>\n<mechanicalReduction>x</mechanicalReduction>"
                  "</transmission>"),
          6, 1, "expected a number");
}
END_TEST

int main(void) {
  Suite *s = suite_create("urdf");
  TCase *t = tcase_create("urdf");
  tcase_add_checked_fixture(t, setup, close_engine);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, links_become_bodies_in_the_order_of_joints);
  tcase_add_test(t, fixed_links_are_fused);
  tcase_add_test(t, a_link_called_world_is_the_world);
  tcase_add_test(t, every_type_of_joint);
  tcase_add_test(t, a_joint_has_axis_limit_and_dynamics);
  tcase_add_test(t, a_planar_joint_moves_in_its_plane);
  tcase_add_test(t, mimic_joints_follow_when_they_are_asked_to);
  tcase_add_test(t, transmissions_are_motors_when_they_are_asked_to);
  tcase_add_test(t, what_a_motor_is_not_is_listed);
  tcase_add_test(t, shapes_collide_or_show);
  tcase_add_test(t, visuals_are_discarded_unless_asked_for);
  tcase_add_test(t, materials_color_what_follows);
  tcase_add_test(t, inertia_of_no_body_is_refused_with_matrix_and_cure);
  tcase_add_test(t, inertia_of_no_body_is_repaired_and_listed_on_request);
  tcase_add_test(t, inertia_comes_from_collision_shapes_where_it_is_not_written);
  tcase_add_test(t, meshes_are_found);
  tcase_add_test(t, the_parameter_says_where_packages_are);
  tcase_add_test(t, a_missing_mesh_names_every_place);
  tcase_add_test(t, one_file_and_scale_is_one_mesh);
  tcase_add_test(t, the_extension_sets_compiler_option_and_size);
  tcase_add_test(t, what_is_left_out_is_listed_once);
  tcase_add_test(t, what_has_no_meaning_here_is_listed);
  tcase_add_test(t, strict_makes_errors_of_it);
  tcase_add_test(t, the_pages_gripper_works);
  tcase_add_loop_test(t, mistakes_are_refused_with_their_place, 0, NMISTAKES);
  tcase_add_test(t, wrong_mimics_and_transmissions_are_refused);
  suite_add_tcase(s, t);
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
