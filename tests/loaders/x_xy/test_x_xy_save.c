// SPDX-License-Identifier: Apache-2.0
//
// Saving x_xy: what is written moves as what was read, whether it came from x_xy, from MJCF or from
// URDF, to 1e-10 over 200 steps; a file that was written is written again as it is; and what the
// format cannot say is named.

#include "loading.h"
#include "settings.h"
#include "suite.h"

static void setup(void) {
  open_engine("");
}

static const double tolerance = 1e-10;

// Writes a spec; the text of the file, to be freed.
static char *saved(sn_spec *spec) {
  char path[512];
  snprintf(path, sizeof path, "%s/out%d.xml", folder, files++);
  ck_assert_msg(sn_spec_save(spec, "x_xy", path, error) >= 0, "%s", sn_error_text(error));
  return read_file(path);
}

static sn_model *compiled(sn_spec *spec) {
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  return m;
}

// The same velocities, of no particular pattern, in both.
static void push(const sn_model *m, sn_data *a, sn_data *b) {
  for (int64_t i = 0; i < snm_nv(m); i++) {
    snd_qvel(a)[i] = snd_qvel(b)[i] = 0.5 * sin(1.7 * (double)i + 0.3);
  }
}

// Centers of mass of the bodies of one model against those of the same names in the other.
static void same_places(const sn_model *a, sn_data *da, const sn_model *b, sn_data *db, int step) {
  for (int32_t i = 1; i < snm_nbody(a); i++) {
    int32_t k = sn_find(b, "body", sn_name(a, "body", i));
    if (snm_body_mass(a)[i] < 1e-6) {
      continue;
    }
    ck_assert_msg(k >= 0, "no body %s", sn_name(a, "body", i));
    double distance = sn_dist3(snd_xipos(da) + 3 * i, snd_xipos(db) + 3 * k);
    ck_assert_msg(distance < tolerance, "step %d: body %s is off by %g", step,
                  sn_name(a, "body", i), distance);
    ck_assert_double_eq_tol(snm_body_mass(a)[i], snm_body_mass(b)[k], 1e-12 * snm_body_mass(a)[i]);
  }
}

// bodies: the second model has those of the first.
static void moves_alike(sn_spec *spec, int bodies, int exact) {
  sn_model *a = compiled(spec);
  char *text = saved(spec);
  sn_spec *copy = spec_of(text);
  sn_model *b = compiled(copy);
  sn_data *da = data_of(a), *db = data_of(b);
  ck_assert_int_eq(snm_nv(a), snm_nv(b));
  push(a, da, db);
  for (int step = 0; step < 200; step++) {
    ck_assert_int_ge(sn_step(a, da), 0);
    ck_assert_int_ge(sn_step(b, db), 0);
    for (int64_t i = 0; i < snm_nv(a); i++) {
      ck_assert_msg(fabs(snd_qvel(da)[i] - snd_qvel(db)[i]) < tolerance,
                    "step %d, velocity %lld: %.15g instead of %.15g in\n%s", step, (long long)i,
                    snd_qvel(db)[i], snd_qvel(da)[i], text);
    }
  }
  sn_forward(a, da);
  sn_forward(b, db);
  if (bodies) {
    same_places(a, da, b, db, 200);
  }

  // a file of the format is written again as it is
  char *again = saved(copy);
  if (exact) {
    ck_assert_str_eq(again, text);
  }
  free(again);
  free(text);
  done_with(a, da);
  done_with(b, db);
  sn_spec_free(copy);
  sn_spec_free(spec);
}

// ------------------------------------------------------------------ what moves alike

#define BOX "<geom type='box' mass='2' dim='.3 .4 .5' pos='.2 .1 -.3' euler='10 20 30'/>"
#define X(body)                                                                  \
  "<x_xy model='m &amp; n'><options gravity='1 2 9' dt='.005'/><worldbody>" body \
  "</worldbody></x_xy>"
#define TWO(joint, attributes)                                                          \
  X("<body name='a' joint='" joint "' pos='1 2 3' euler='30 40 50' " attributes ">" BOX \
    "<body name='b' joint='ry' pos='.5 0 0' damping='.1'>" BOX "</body></body>")
#define W(option, world)                                                                          \
  "<mujoco><option timestep='.005'><flag contact='disable'/></option>" option "<worldbody>" world \
  "</worldbody></mujoco>"
#define G "<geom type='box' size='.1 .2 .3' pos='.2 .1 -.3' euler='10 20 30' mass='2'/>"

static const char *const models[] = {
  // every joint of the format
  TWO("frozen", ""),
  TWO("px", "damping='.3' armature='.2' spring_stiff='7' spring_zero='.1'"),
  TWO("py", ""),
  TWO("pz", "damping='.3'"),
  TWO("rx", "armature='.1'"),
  TWO("ry", "spring_stiff='3' spring_zero='-.4'"),
  TWO("rz", ""),
  TWO("saddle", "damping='.1 .2' armature='.3 .4' spring_stiff='5 6' spring_zero='.7 .8'"),
  TWO("p3d", "damping='1 2 3' spring_stiff='5 6 7' spring_zero='.7 .8 .9'"),
  TWO("free_2d", "damping='1 2 3' spring_stiff='5 6 7' spring_zero='.7 .8 .9'"),
  TWO("spherical", "damping='1 2 3' armature='.1 .2 .3' spring_stiff='5 6 7'"
                   " spring_zero='.8 .6 0 0'"),
  TWO("free", "damping='5 5 5 25 26 27' armature='.1 .2 .3 .4 .5 .6' spring_stiff='1 2 3 4 5 6'"
              " spring_zero='0 .6 0 .8 1 2 3'"),
  TWO("rr", "damping='.1'"),
  TWO("rr_imp", "damping='.1 .2'"),
  TWO("cor", "damping='1 2 3 4 5 6 7 8 9' armature='.1 .1 .1 .1 .1 .1 .1 .1 .1'"),
  // shapes
  X("<body name='a' joint='spherical'><geom type='sphere' mass='1' dim='.2' pos='1 0 0'/>"
    "<geom type='cylinder' mass='2' dim='.2 .5' euler='0 30 0'/>"
    "<geom type='capsule' mass='.5' dim='.1 .3' pos='0 1 0' color='red'/><geom type='xyz'/>"
    "<omc pos_marker='3' pos='1 2 3'/></body><geom type='box' mass='1' dim='1 1 1'/>"),
  // MJCF: axes and anchors anywhere, inertia in numbers, orientations of every kind
  W("", "<body name='a' pos='0 0 1'><joint axis='1 2 3' pos='.1 .2 .3' damping='.2'/>" G
        "<body name='b' pos='.3 0 0' axisangle='0 1 1 40'><joint type='slide' axis='1 -1 0'"
        " stiffness='30' springref='.2' ref='.1' armature='.3'/>" G "</body></body>"),
  W("<compiler angle='radian' eulerseq='XYZ'/>",
    "<body name='a' euler='.3 .4 .5'><joint axis='0 -1 0' ref='.3' stiffness='9' springref='.5'/>"
    "<inertial pos='.1 .2 .3' euler='.1 .2 .3' mass='2' diaginertia='.3 .2 .15'/></body>"
    "<body name='b' zaxis='1 1 1'><joint type='ball' pos='.1 0 0' damping='.1'/>"
    "<inertial pos='.1 .2 .3' mass='2' fullinertia='.3 .2 .15 .01 .02 .03'/></body>"),
  W("", "<body name='a' pos='1 2 3'><freejoint/>" G
        "<body name='b' pos='.5 0 0'><joint axis='1 0 0'/><joint axis='0 1 0'/><joint"
        " axis='0 0 1'/>" G "</body></body>"),
  W("", "<body name='a' xyaxes='0 1 0 -1 0 0'><joint type='slide' axis='1 0 0'/>"
        "<joint type='slide' axis='0 0 1'/><joint axis='0 1 0' pos='0 0 .5'/>"
        "<geom type='capsule' fromto='0 0 0 .3 .4 .5' size='.05'/>"
        "<geom type='ellipsoid' size='.1 .2 .3' pos='0 0 1'/>"
        "<geom type='cylinder' size='.1 .3' density='500' group='2'/></body>"),
  W("<compiler inertiafromgeom='true' inertiagrouprange='1 2'/>",
    "<body name='a'><joint axis='1 1 0'/><inertial pos='0 0 0' mass='9' diaginertia='1 1 1'/>"
    "<geom type='box' size='.1 .2 .3' mass='2' group='1'/><geom size='.3' pos='1 0 0'/></body>"),
  // chains of bodies without mass, which must not be felt
  W("", "<body name='a'><joint axis='0 1 0' pos='.1 .2 .3' damping='.1'/><joint axis='1 0 1'"
        " stiffness='2'/><geom size='.03' pos='.1 .1 0'/><geom size='.03' pos='0 .1 .1'/>"
        "<body name='b' pos='.4 -.2 0' euler='40 80 50'><joint axis='0 0 1' pos='.1 -.1 0'/>"
        "<joint axis='0 1 0' ref='-20' damping='.1'/><joint axis='1 1 0' stiffness='.3'/>"
        "<geom type='box' size='.05 .1 .02' pos='0 .1 .1'/></body></body>"),
// inertia that only compiling finds: meshes, shapes fitted to them, repairs
#define MESH "<asset><mesh name='t' vertex='0 0 0  .3 0 0  0 .5 0  0 0 .4  .2 .3 .1'/></asset>"
  W(MESH,
    "<body name='a' euler='10 20 30'><joint axis='1 2 0'/><geom type='mesh' mesh='t' pos='.1 0 0'"
    " euler='20 30 40'/>" G "<body name='b' pos='.5 0 0'><joint type='ball' damping='.1'/>"
    "<geom type='box' mesh='t' mass='2' pos='0 .1 0'/></body></body>"
    "<body name='c'><freejoint/><inertial pos='0 .1 0' mass='2' diaginertia='.1 .2 .25'/>"
    "<geom type='mesh' mesh='t'/></body>"),
  W("<compiler settotalmass='3' discardvisual='true'/>" MESH,
    "<body name='a'><joint axis='1 2 0'/>" G "<body name='b' pos='.5 0 0'><joint type='slide'/>" G
    "<geom type='mesh' mesh='t' contype='0' conaffinity='0'/></body></body>"),
  W("<compiler boundmass='1' boundinertia='.3' balanceinertia='true'/>",
    "<body name='a'><joint axis='1 2 0'/><geom size='.1'/><body name='b' pos='.5 0 0'>"
    "<joint axis='1 0 1'/><inertial pos='.1 0 0' mass='2' diaginertia='.1 .2 .8'/></body></body>"),
};
enum { NMODELS = sizeof models / sizeof models[0] };

START_TEST(motion_is_the_same_after_saving) {
  moves_alike(spec_of(models[_i]), 1, _i < 15);
}
END_TEST

START_TEST(model_keeps_its_name_and_options) {
  sn_spec *spec = spec_of(TWO("rx", ""));
  char *text = saved(spec);
  sn_spec *copy = spec_of(text);
  sn_model *m = compiled(copy);
  ck_assert_str_eq(sn_model_name(m), "m & n");
  ck_assert_double_eq(option_of(m).timestep, .005);
  ck_assert_double_eq(option_of(m).gravity[2], -9);
  sn_model_free(m);
  sn_spec_free(copy);
  sn_spec_free(spec);
  free(text);
}
END_TEST

START_TEST(robot_can_be_written) {
#define I                                                                                       \
  "<inertial><mass value='1'/><inertia ixx='.1' iyy='.2' izz='.25' ixy='.01' ixz='0' iyz='0'/>" \
  "</inertial>"
  moves_alike(
      spec_of(
          "<robot name='r'><link name='base'>" I "</link><link name='l1'>" I
          "</link><link name='l2'>" I
          "</link><joint name='j1' type='continuous'><parent link='base'/><child link='l1'/>"
          "<origin xyz='0 0 1' rpy='.1 .2 .3'/><axis xyz='0 1 1'/><dynamics damping='.5'/></joint>"
          "<joint name='j2' type='fixed'><parent link='l1'/><child link='l2'/><origin xyz='1 0 0'/>"
          "</joint></robot>"),
      0, 0);
}
END_TEST

START_TEST(mjcf_of_x_xy_moves_alike) {
  for (int i = 1; i < 10; i++) {
    sn_spec *spec = spec_of(models[i]);
    sn_model *a = compiled(spec);
    char path[512];
    snprintf(path, sizeof path, "%s/mjcf%d.xml", folder, i);
    ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
    sn_model *b = sn_load(engine, path, error);
    ck_assert_msg(b != NULL, "%s", sn_error_text(error));
    sn_data *da = data_of(a), *db = data_of(b);
    push(a, da, db);
    for (int step = 0; step < 200; step++) {
      sn_step(a, da);
      sn_step(b, db);
    }
    for (int64_t k = 0; k < snm_nq(a); k++) {
      ck_assert_double_eq_tol(snd_qpos(da)[k], snd_qpos(db)[k], tolerance);
    }
    done_with(a, da);
    done_with(b, db);
    sn_spec_free(spec);
  }
}
END_TEST

// ------------------------------------------------------------------ what the format cannot express

#define M(more, body)                                \
  "<mujoco><compiler autolimits='true'/><worldbody>" \
  "<body name='a'><joint name='j' axis='1 0 0'/>" body G "</body></worldbody>" more "</mujoco>"

static const struct {
  const char *text, *part;
} unsaid[] = {
  { M("<actuator><motor joint='j'/></actuator>", ""), "elements of kind actuator (1)" },
  { M("<equality><joint joint1='j'/></equality>", ""), "elements of kind equality (1)" },
  { M("<option integrator='RK4'/>", ""), "the integrator rk4" },
  { M("<option viscosity='1'/>", ""), "the medium" },
  { M("<option><flag passive='disable'/></option>", ""), "the disable flags" },
  { M("", "<joint name='k' axis='0 1 1' range='-10 10'/>"), "the limit of joint 'k' (1)" },
  { M("", "<joint name='k' axis='0 1 1' frictionloss='1'/>"), "the friction loss of joint 'k'" },
  { M("", "<joint name='k' axis='0 1 1' springdamper='1 1'/>"), "the springdamper of joint 'k'" },
  { M("", "<body name='c' gravcomp='1'>" G "</body>"), "the gravcomp of body 'c'" },
  { M("", "<body name='c' pos='1 0 0'><joint/><body name='d' pos='3 0 0'><joint/>" G "</body>" G
          "</body>"),
    "geoms 0 and 2 can collide" },
};
enum { NUNSAID = sizeof unsaid / sizeof unsaid[0] };

START_TEST(unsupported_elements_are_named) {
  sn_spec *spec = spec_of(unsaid[_i].text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  char path[512];
  snprintf(path, sizeof path, "%s/none.xml", folder);
  ck_assert_int_eq(sn_spec_save(spec, "x_xy", path, error), SN_EUNSUPPORTED);
  ck_assert_msg(strstr(sn_error_message(error), unsaid[_i].part) != NULL, "no \"%s\" in: %s",
                unsaid[_i].part, sn_error_message(error));
  ck_assert_int_ne(access(path, F_OK), 0);
  sn_spec_free(spec);
}
END_TEST

START_TEST(rest_is_written_on_request) {
  close_engine();
  open_engine("[plugin.x_xy]\nlossy = true\n");
  sn_spec *spec = spec_of(unsaid[_i].text);
  char *text = saved(spec);
  ck_assert(warned(spec, unsaid[_i].part));
  sn_spec *copy = spec_of(text);
  sn_model_free(compiled(copy));
  sn_spec_free(copy);
  sn_spec_free(spec);
  free(text);
}
END_TEST

// A chain of n bodies, made in code: no file could hold a longer one.
static sn_spec *chain(int n) {
  sn_spec *spec = sn_spec_new(engine, error);
  sn_body_def body;
  sn_joint_def joint;
  sn_geom_def geom;
  sn_default_body(&body);
  sn_default_joint(&joint);
  sn_default_geom(&geom);
  geom.size[0] = 0.1;
  geom.contype = geom.conaffinity = 0;
  body.pos[0] = 0.3;
  joint.damping = 0.1;
  for (int i = 0; i < n; i++) {
    int32_t id;
    ck_assert_int_ge(sn_spec_add_body(spec, &body, NULL, &id, error), 0);
    body.parent = joint.body = geom.body = id;
    ck_assert_int_ge(sn_spec_add_joint(spec, &joint, NULL, NULL, error), 0);
    ck_assert_int_ge(sn_spec_add_geom(spec, &geom, NULL, NULL, error), 0);
  }
  return spec;
}

START_TEST(tree_written_can_be_read_however_deep) {
  moves_alike(chain(96), 0, 0);
  sn_spec *spec = chain(97);
  char path[512];
  snprintf(path, sizeof path, "%s/none.xml", folder);
  ck_assert_int_eq(sn_spec_save(spec, "x_xy", path, error), SN_EUNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "nested too deeply"));
  sn_spec_free(spec);
}
END_TEST

START_TEST(joints_of_a_users_file_are_written) {
  close_engine();
  open_engine("[plugin.x_xy]\njoints = more.txt\n");
  write_file("more.txt", "hip = rz rx ry\nguide = p:0,0.6,0.8 r:1,1,0\nankle = px spherical\n");
  moves_alike(spec_of(TWO("hip", "damping='.1 .2 .3' spring_stiff='1 2 3'")), 1, 1);
  moves_alike(spec_of(TWO("guide", "armature='.1 .2' spring_stiff='1 2' spring_zero='.1 .2'")), 1,
              1);
  moves_alike(spec_of(TWO("ankle", "spring_stiff='1 2 3 4' spring_zero='.1 .8 .6 0 0'")), 1, 1);
}
END_TEST

START_TEST(global_coordinates_are_rejected) {
  sn_spec *spec = spec_of(M("<compiler coordinate='global'/>", ""));
  char path[512];
  snprintf(path, sizeof path, "%s/none.xml", folder);
  ck_assert_int_eq(sn_spec_save(spec, "x_xy", path, error), SN_EUNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "global coordinates"));
  sn_spec_free(spec);
}
END_TEST

START_TEST(model_without_bodies_is_rejected) {
  for (int lossy = 0; lossy < 2; lossy++) {
    close_engine();
    open_engine(lossy ? "[plugin.x_xy]\nlossy = true\n" : "");
    sn_spec *spec = spec_of("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
    char path[512];
    snprintf(path, sizeof path, "%s/none.xml", folder);
    ck_assert_int_eq(sn_spec_save(spec, "x_xy", path, error), SN_EUNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(sn_error_message(error), "at least one body"));
    ck_assert_int_ne(access(path, F_OK), 0);
    sn_spec_free(spec);
  }
}
END_TEST

#define APART(name) "<body name='" name "' pos='1 0 0'><freejoint/>" G "</body>"
#define THREE(excluded)                                                                   \
  "<mujoco><worldbody>" APART("a") APART("b") APART("c") "</worldbody><contact>" excluded \
                                                         "</contact></mujoco>"

START_TEST(excluded_bodies_cannot_collide) {
  sn_spec *spec = spec_of(THREE("<exclude body1='c' body2='b'/><exclude body1='a' body2='b'/>"
                                "<exclude body1='a' body2='c'/>"));
  char *text = saved(spec);
  ck_assert(warned(spec, "elements of kind exclude (3) are not written"));
  free(text);
  sn_spec_free(spec);
  spec = spec_of(THREE("<exclude body1='b' body2='a'/><exclude body1='a' body2='c'/>"));
  char path[512];
  snprintf(path, sizeof path, "%s/none.xml", folder);
  ck_assert_int_eq(sn_spec_save(spec, "x_xy", path, error), SN_EUNSUPPORTED);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "geoms 1 and 2 can collide"));
  sn_spec_free(spec);
}
END_TEST

START_TEST(unmoving_parts_are_warned_of) {
  sn_spec *spec = spec_of(
      M("<sensor><jointpos joint='j'/></sensor><worldbody><site name='w'/></worldbody>",
        "<site name='s'/><camera/><geom type='ellipsoid' size='1 1 1' mass='0'"
        " contype='0' conaffinity='0'/>"));
  char *text = saved(spec);
  ck_assert(warned(spec, "elements of kind sensor (1)"));
  ck_assert(warned(spec, "elements of kind camera (1)"));
  ck_assert(warned(spec, "site 's'"));
  ck_assert(warned(spec, "site 'w'"));
  ck_assert(warned(spec, "a shape that x_xy does not have"));
  sn_spec_free(spec);
  free(text);
}
END_TEST

START_TEST(visual_parts_are_warned_of) {
  sn_spec *spec = spec_of(
      M("<statistic extent='2'/><visual><map znear='.1'/></visual><size nuser_jnt='1'/>",
        "<joint name='k' axis='0 1 1' ref='.5' user='3' actuatorfrcrange='-1 1'/>"
        "<body name='b' user='4'>" G "</body>"));
  char *text = saved(spec);
  ck_assert(warned(spec, "statistic is not written"));
  ck_assert(warned(spec, "visual is not written"));
  ck_assert(warned(
      spec, "the ref 0.5 of joint 'k' (1): coordinates of x_xy are zero in the initial pose"));
  ck_assert(warned(spec, "the user numbers of joint 'k' (1)"));
  ck_assert(warned(spec, "the actuatorfrcrange of joint 'k' (1)"));
  ck_assert(warned(spec, "the user numbers of body 'b'"));
  sn_spec_free(spec);
  free(text);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  EACH(motion_is_the_same_after_saving, 0, NMODELS);
  TEST(model_keeps_its_name_and_options);
  TEST(robot_can_be_written);
  TEST(mjcf_of_x_xy_moves_alike);
  EACH(unsupported_elements_are_named, 0, NUNSAID);
  EACH(rest_is_written_on_request, 0, NUNSAID);
  TEST(tree_written_can_be_read_however_deep);
  TEST(joints_of_a_users_file_are_written);
  TEST(global_coordinates_are_rejected);
  TEST(unmoving_parts_are_warned_of);
  TEST(model_without_bodies_is_rejected);
  TEST(excluded_bodies_cannot_collide);
  TEST(visual_parts_are_warned_of);
}
