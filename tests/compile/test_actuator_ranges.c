// SPDX-License-Identifier: Apache-2.0
//
// What newer models say of actuators: ranges of the force of all actuators at a joint or tendon,
// damping ratios, inherited ranges; of cables that are turned; and what they say that has no effect
// here. Expected numbers are those of the format's reference engine, version 3.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/data.h"
#include "model_file.h"
#include "settings.h"
#include "sinew/math.h"
#include "spec/spec.h"
#include "suite.h"

static sn_error *error;
static sn_engine *engine;
static int files;

static void setup(void) {
  error = sn_error_new();
  engine = sn_engine_open(NULL, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
}

static void teardown(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

static sn_spec *read_text(const char *text) {
  char name[32];
  snprintf(name, sizeof name, "m%d.xml", files++);
  ck_assert_int_ge(sn_engine_add_resource(engine, name, text, (int64_t)strlen(text), error), 0);
  return sn_spec_load(engine, name, error);
}

static sn_model *compile(sn_spec *spec) {
  sn_model *m = spec ? sn_compile(spec, error) : NULL;
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  return m;
}

static sn_model *load(const char *text) {
  sn_spec *spec = read_text(text);
  sn_model *m = compile(spec);
  sn_spec_free(spec);
  return m;
}

static void rejected(const char *text, const char *word) {
  si_error_clear(error);
  sn_spec *spec = read_text(text);
  sn_model *m = spec ? sn_compile(spec, error) : NULL;
  ck_assert_msg(m == NULL, "loaded: %s", text);
  sn_spec_free(spec);
  ck_assert_msg(strstr(sn_error_text(error), word) != NULL, "%s", sn_error_text(error));
}

static void near(const double *found, int n, const double *expected) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(fabs(found[i] - expected[i]) <= 1e-9 * fmax(1, fabs(expected[i])),
                  "number %d is %.17g, not %.17g", i, found[i], expected[i]);
  }
}
#define NEAR(found, ...)                                                 \
  near(found, (int)(sizeof((double[]){ __VA_ARGS__ }) / sizeof(double)), \
       (const double[]){ __VA_ARGS__ })

#define ARM(attributes)                                                                      \
  "<worldbody><body><joint name='j' axis='0 1 0' range='0 90' damping='.4' " attributes "/>" \
  "<geom type='capsule' size='.1 .2' pos='.3 0 0'/><body pos='.5 0 0'>"                      \
  "<joint name='k' axis='0 1 0' type='slide' actuatorfrcrange='-2 3' range='-1 2' "          \
  "damping='2'/><geom size='.1' pos='.3 0 0'/></body></body></worldbody>"

static sn_data *start(const sn_model *m) {
  sn_data *d = sn_data_new(m, error);
  static const double q[] = { .3, .2 }, v[] = { 1, -1 }, w[] = { .4 },
                      u[] = { 1.2, .3, .4, .5, 1.6, .7, .8 };
  ck_assert_ptr_nonnull(d);
  sn_state_set(m, d, SN_STATE_QPOS, q);
  sn_state_set(m, d, SN_STATE_QVEL, v);
  sn_state_set(m, d, SN_STATE_ACT, w);
  sn_state_set(m, d, SN_STATE_CTRL, u);
  return d;
}

static void check_servos(sn_model *m) {
  ck_assert_int_eq(m->jnt_actgravcomp[0], 1);
  const double *bias = snm_actuator_biasprm(m);
  const double damping[] = {
    0, -5, -4.3135375377596, -8.629448500247552, 0, -1.9022407923691682, -3.01947627643172
  };
  for (int i = 0; i < 7; i++) {
    near(bias + 10 * i + 2, 1, damping + i);
  }
  NEAR(snm_actuator_ctrlrange(m), 0, 0, 0, 0, 0, 0, -0.25, 1.25, 0, 0, -1.4, 3.4, 0, 0);
  NEAR(snm_actuator_actrange(m) + 12, 0.15707963267948966, 1.413716694115407);
  ck_assert_int_eq(snm_actuator_ctrllimited(m)[3], 1);
  ck_assert_int_eq(snm_actuator_ctrllimited(m)[2], 0);

  sn_data *d = start(m);
  ck_assert_int_ge(sn_forward(m, d), 0);
  NEAR(snd_actuator_force(d), 1.2, 6.5, -3.9135375377596, 21.888345500742652, 0.17454280258459715,
       -1.174542802584597, -2.9194762764317197);
  NEAR(snd_qfrc_actuator(d), -1, 3);
  NEAR(snd_qacc(d), 16.577646588159762, 1.193662073189215);
  NEAR(snd_sensordata(d), -1, -1, 3);
  sn_data_free(d);
}

static void check_steps(sn_model *m, const double *q, const double *v) {
  sn_data *d = start(m);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  near(snd_qpos(d), 2, q);
  near(snd_qvel(d), 2, v);
  sn_data_free(d);
}

START_TEST(force_ranges_are_those_of_version_3) {
  sn_model *m = load(model_file("compile/servos"));
  check_servos(m);
  check_steps(m, (const double[]){ 0.3399064204572535, 0.17071053847455778 },
              (const double[]){ 1.4945017638447569, -0.964529394935772 });

  // what a range holds is damped as if it did not, by that engine as by this one
  ck_assert_int_ge(sn_model_parse_option(m, "integrator", "implicit", error), 0);
  check_steps(m, (const double[]){ 0.3394648736895289, 0.1709993730361307 },
              (const double[]){ 1.4724721051496061, -0.9501294181706764 });
  ck_assert_int_ge(sn_model_parse_option(m, "integrator", "euler", error), 0);
  ck_assert_int_ge(sn_model_parse_option(m, "eulerdamp", "disable", error), 0);
  check_steps(m, (const double[]){ 0.3399149302432831, 0.1707139202385048 },
              (const double[]){ 1.4949263062747604, -0.9643608451793982 });
  sn_model_free(m);
}
END_TEST

// A tendon whose actuators do more than it may: all of them are scaled.
START_TEST(forces_of_a_tendon_are_scaled) {
  sn_model *m = load("<mujoco>" ARM(
      "") "<tendon><fixed name='t' actuatorfrcrange='-1 2'><joint joint='j' coef='2'/>"
          "<joint joint='k' coef='-3'/></fixed></tendon><actuator><motor tendon='t' gear='2'/>"
          "<motor tendon='t'/><motor joint='j'/></actuator></mujoco>");
  sn_data *d = sn_data_new(m, error);
  sn_state_set(m, d, SN_STATE_CTRL, (const double[]){ 5, -2, .3 });
  ck_assert_int_ge(sn_forward(m, d), 0);
  NEAR(snd_actuator_force(d), 10 / 3., -4 / 3., .3);
  NEAR(snd_qfrc_actuator(d), 10.966666666666667, -2);
  sn_state_set(m, d, SN_STATE_CTRL, (const double[]){ -2, 1.5, .3 });
  ck_assert_int_ge(sn_forward(m, d), 0);
  NEAR(snd_actuator_force(d), -2, 1.5, .3);   // -0.5, inside
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

START_TEST(servos_saved_and_read_again) {
  char path[] = "/tmp/sinew_newer_XXXXXX.xml";
  int descriptor = mkstemps(path, 4);
  ck_assert_int_ge(descriptor, 0);
  close(descriptor);
  sn_spec *spec = read_text(model_file("compile/servos"));
  sn_model *m = compile(spec);
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  sn_model *again = sn_load(engine, path, error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(error));
  check_servos(again);
  sn_model_free(again);

  // the binary file
  ck_assert_int_ge(sn_model_save(m, path, error), 0);
  again = sn_load(engine, path, error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(error));
  check_servos(again);
  sn_model_free(again);

  // what was edited counts over what would be computed
  m->actuator_biasprm[22] = -7;
  m->actuator_ctrlrange[6] = -3;
  m->jnt_actfrcrange[1] = 9;
  ck_assert_msg(sn_spec_update(spec, m, error) >= 0, "%s", sn_error_text(error));
  sn_model_free(m);
  m = compile(spec);
  NEAR(snm_actuator_biasprm(m) + 20, 0, -4, -7);
  NEAR(snm_actuator_biasprm(m) + 30, 0, -40, -8.629448500247552);
  NEAR(snm_actuator_ctrlrange(m) + 6, -3, 1.25);
  NEAR(snm_jnt_actfrcrange(m), -1, 9);
  sn_model_free(m);
  sn_spec_free(spec);
  remove(path);
}
END_TEST

// A servo with everything that is computed, one number of which is edited. What is not edited stays
// as it was found, to the bit, and the spec can be saved.
START_TEST(servos_edited) {
  static const struct {
    const char *field;
    int at;
    double value;
  } edits[] = {
    { "actuator_gainprm", 0, 100 }, { "actuator_gainprm", 1, 3 },   { "actuator_biasprm", 0, 1 },
    { "actuator_biasprm", 1, -60 }, { "actuator_biasprm", 2, -7 },  { "actuator_dynprm", 1, 2 },
    { "actuator_ctrlrange", 1, 1 }, { "actuator_actrange", 1, .5 },
  };
  static const char *const fields[] = { "actuator_gainprm", "actuator_biasprm", "actuator_dynprm",
                                        "actuator_ctrlrange", "actuator_actrange" };
  char path[] = "/tmp/sinew_newer_XXXXXX.xml";
  int descriptor = mkstemps(path, 4);
  ck_assert_int_ge(descriptor, 0);
  close(descriptor);
  // all edits of a position, which has no activation; and of an intvelocity
  enum { EDITS = sizeof edits / sizeof *edits };
  for (int k = 0; k < 2 * EDITS - 1; k++) {
    const int position = k < EDITS - 1, edit = position ? k : k - (EDITS - 1);
    char text[1024];
    snprintf(text, sizeof text,
             "<mujoco><compiler angle='radian'/>%s<actuator><%s joint='j' kp='50' dampratio='1' "
             "inheritrange='1'/></actuator></mujoco>",
             ARM(""), position ? "position" : "intvelocity");
    sn_spec *spec = read_text(text);
    sn_model *m = compile(spec);
    sn_view view = { .size = sizeof view };
    ck_assert_int_ge(sn_model_field(m, edits[edit].field, &view), 0);
    ((double *)view.p)[edits[edit].at] = edits[edit].value;
    ck_assert_msg(sn_spec_update(spec, m, error) >= 0, "%s", sn_error_text(error));
    sn_model *again[2] = { compile(spec), NULL };
    ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
    again[1] = sn_load(engine, path, error);
    ck_assert_msg(again[1] != NULL, "%s", sn_error_text(error));
    for (int j = 0; j < 2; j++) {
      for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        sn_view found = { .size = sizeof found };
        sn_model_field(m, fields[i], &view);
        sn_model_field(again[j], fields[i], &found);
        near(found.p, (int)view.cols, view.p);
      }
      sn_model_free(again[j]);
    }
    sn_model_free(m);
    sn_spec_free(spec);
  }
  remove(path);
}
END_TEST

// What a class says of servos acts on general actuators with the laws of one.
START_TEST(inheritrange_is_decided_by_laws) {
  static const struct {
    const char *laws;
    double range[4], damping;   // of control, of activation
  } cases[] = {
    { "", { -1, 2 }, -1.8305824657275382 },
    { "biastype='none'", { 0 }, 0 },
    { "gaintype='affine'", { 0 }, -1.8305824657275382 },
    { "dyntype='filter'", { 0 }, -1.8305824657275382 },
    { "dyntype='integrator' actlimited='true'", { 0, 0, -1, 2 }, -1.8305824657275382 },
    { "dyntype='filterexact'", { -1, 2 }, -1.8305824657275382 },
    { "gainprm='50'", { -1, 2 }, -1.8305824657275382 },
    { "gainprm='60'", { 0 }, 0 },
    { "gainprm='7' biasprm='0 -7'", { -1, 2 }, -0.6849412404988299 },
    { "biasprm='0 -50 -3'", { -1, 2 }, -3 },
    { "biasprm='1 -50'", { -1, 2 }, -1.8305824657275382 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "<mujoco><compiler angle='radian'/><default><position kp='50' dampratio='1' "
             "inheritrange='1'/></default><worldbody><body><joint name='j' range='-1 2'/>"
             "<geom size='.1'/></body></worldbody><actuator><general joint='j' %s/></actuator>"
             "</mujoco>",
             cases[i].laws);
    sn_model *m = load(text);
    near(snm_actuator_ctrlrange(m), 2, cases[i].range);
    near(snm_actuator_actrange(m), 2, cases[i].range + 2);
    near(snm_actuator_biasprm(m) + 2, 1, &cases[i].damping);
    sn_model_free(m);
  }
}
END_TEST

// A damping ratio beside a bias that no shortcut has is rejected with its place and a cure.
START_TEST(servos_without_a_shortcut_are_not_saved) {
  sn_spec *spec = read_text(
      "<mujoco><default><position kp='50' dampratio='1'/></default><worldbody><body>"
      "<joint name='j'/><geom size='.1'/></body></worldbody><actuator>\n"
      " <general name='a' joint='j' biasprm='1 -50'/></actuator></mujoco>");
  sn_model_free(compile(spec));
  ck_assert_int_eq(sn_spec_save(spec, "mjcf", "/tmp/sinew_newer_rejected.xml", error),
                   SN_EUNSUPPORTED);
  const char *text = sn_error_text(error);
  ck_assert_msg(strstr(text, ".xml:2:2: actuator 'a' (0): MJCF cannot express a damping ratio") &&
                    strstr(text, "set the compiled values"),
                "%s", text);
  sn_spec_free(spec);
}
END_TEST

// Of a class and an element inside of it, the element says how a servo is damped.
START_TEST(servos_of_classes) {
  sn_model *m = load(
      "<mujoco><default><position kp='4' dampratio='.5'/><default class='v'><position kv='3'/>"
      "</default></default>" ARM(
          "") "<actuator><position joint='j'/><position joint='j' kv='2'/><position joint='j' class='v'/>"
              "<position joint='j' class='v' dampratio='.25'/><velocity joint='j'/>"
              "<intvelocity joint='j' actrange='0 1'/></actuator></mujoco>");
  const double damping[] = { -4.3135375377596, -2, -3, -4.3135375377596 / 2, -4, -4.3135375377596 };
  for (int i = 0; i < 6; i++) {
    near(snm_actuator_biasprm(m) + 10 * i + 2, 1, damping + i);
  }
  sn_model_free(m);
}
END_TEST

START_TEST(ranges_rejected) {
  rejected("<mujoco>" ARM("actuatorfrclimited='true'") "</mujoco>",
           "actfrclimited is true, but its actfrcrange is empty (0 0); set actfrcrange");
  rejected("<mujoco>" ARM("actuatorfrcrange='2 1'") "</mujoco>", "2 1, is empty");
  rejected("<mujoco><compiler autolimits='false'/>" ARM(
               "limited='true' actuatorfrcrange='-1 1'") "</mujoco>",
           "autolimits");
#define SERVO(attributes) \
  "<mujoco>" ARM("") "<actuator><position joint='j' " attributes "/></actuator></mujoco>"
  rejected(SERVO("kv='1' dampratio='1'"), "remove one");
  rejected(SERVO("dampratio='-1'"), "dampratio is negative");
  rejected(SERVO("inheritrange='-1'"), "inheritrange is negative");
  rejected(SERVO("inheritrange='1' ctrlrange='0 1'"), "set only one");
  rejected(SERVO("kp='-3' dampratio='1'"), "with kp >= 0");
  rejected(SERVO("kp='1e308' dampratio='1e308'"), ".xml:1:");
  rejected(SERVO("kp='1e308' dampratio='1e308'"), "is not finite");
  rejected("<mujoco><worldbody><body><joint name='b' range='0 1e308'/><geom size='1'/>"
           "</body></worldbody><actuator><position joint='b' inheritrange='1e308'/></actuator>"
           "</mujoco>",
           "is not finite");
  rejected(
      "<mujoco><worldbody><body><joint name='b' type='ball' range='0 1'/><geom size='1'/>"
      "</body></worldbody><actuator><position joint='b' inheritrange='1'/></actuator></mujoco>",
      "only slide joints, hinge joints and tendons");
  rejected(
      "<mujoco><worldbody><body><joint name='b'/><geom size='1'/>"
      "</body></worldbody><actuator><position joint='b' inheritrange='1'/></actuator></mujoco>",
      "that is empty");
}
END_TEST

static int warned(const sn_model *m, const char *text) {
  int n = 0;
  for (int64_t i = 0; sn_model_warning(m, i); i++) {
    n += strstr(sn_model_warning(m, i), text) != NULL;
  }
  return n;
}

// Attributes for viewers and for other engines' methods load, each with one warning.
START_TEST(attributes_without_effect_are_listed) {
  sn_model *m = load(
      "<mujoco><option ls_iterations='5' ccd_iterations='7' ccd_tolerance='1e-4'>"
      "<flag eulerdamp='disable' nativeccd='disable'/></option><asset><material name='m' "
      "metallic='1'/></asset><worldbody><camera resolution='640 480'/><camera resolution='1 1' "
      "principal='1 1'/><light type='directional'/><light type='point'/><light type='image'/><geom size='1' material='m'/></worldbody>"
      "</mujoco>");
  ck_assert_int_eq(warned(m, "camera: resolution"), 0);
  ck_assert_int_eq(warned(m, "camera: principal has no effect"), 1);
  ck_assert_int_eq(warned(m, "material: metallic"), 1);
  ck_assert_int_eq(warned(m, "ls_iterations"), 1);
  ck_assert_int_eq(warned(m, "nativeccd"), 1);
  ck_assert_int_eq(warned(m, "eulerdamp") + warned(m, "ccd_"), 0);
  ck_assert_int_eq(warned(m, "light: type point has no effect"), 1);
  ck_assert_int_eq(warned(m, "light: type"), 1);
  ck_assert_int_eq(snm_light_directional(m)[0], 1);
  ck_assert_int_eq(option_of(m).mpr_iterations, 7);
  ck_assert_double_eq(option_of(m).mpr_tolerance, 1e-4);
  ck_assert_int_eq(option_of(m).disableflags, SN_DISABLE_EULERDAMP);
  sn_model_free(m);
}
END_TEST

// One folder for all assets; a folder of one kind counts more.
START_TEST(assets_in_one_folder) {
  static const char obj[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3";
  ck_assert_int_ge(sn_engine_add_resource(engine, "all/a.obj", obj, sizeof obj - 1, error), 0);
  ck_assert_int_ge(sn_engine_add_resource(engine, "own/b.obj", obj, sizeof obj - 1, error), 0);
  sn_model *m = load("<mujoco><compiler assetdir='all'/><asset><mesh file='a.obj'/></asset>"
                     "<worldbody><geom type='mesh' mesh='a'/></worldbody></mujoco>");
  sn_model_free(m);
  m = load("<mujoco><compiler assetdir='all' meshdir='own'/><asset><mesh file='b.obj'/></asset>"
           "<worldbody><geom type='mesh' mesh='b'/></worldbody></mujoco>");
  sn_model_free(m);
}
END_TEST

// That engine keeps the points in single precision.
START_TEST(cables_are_turned) {
  static const double pos[] = { 0.016, 0.3728, 0.0696, 0.4166737, 0, 0, 0.4166737, 0, 0 };
  static const double quat[] = { -0.18391686, 0.75314190, 0.42662434,  0.46577197,
                                 0.89579848,  0,          0,           0.44446043,
                                 0.89579851,  0,          -0.30702353, 0.32137452,
                                 0.89579849,  0,          -0.44399704, 0.02029015 };
  sn_model *m = load(
      "<mujoco><worldbody><composite type='cable' count='5 1 1' size='1 .3 1.5' "
      "curve='cos(s) sin(s) s' offset='.1 .2 .3' initial='none' quat='.6 0 .64 .48'>"
      "<joint kind='main'/><geom type='capsule' size='.02'/></composite></worldbody></mujoco>");
  for (int i = 0; i < 9; i++) {
    ck_assert_double_eq_tol(snm_body_pos(m)[3 + i], pos[i], 1e-7);
  }
  for (int i = 0; i < 16; i++) {
    ck_assert_double_eq_tol(snm_body_quat(m)[4 + i], quat[i], 1e-7);
  }
  sn_model_free(m);

  // vertices are not, whatever the length of quat
  static const double points[] = { 1, 2, 3, 0.1, 0, 0, 0.2, 0, 0 };
  static const double turns[] = { 1, 0,          0,          0, 0.70710678,  0,
                                  0, 0.70710678, 0.70710678, 0, -0.31622775, -0.63245554 };
  m = load("<mujoco><worldbody><composite type='cable' vertex='0 0 0 .1 0 0 .1 .2 0 .3 .2 .1' "
           "offset='1 2 3' initial='none' quat='1.2 0 1.28 .96'>"
           "<geom type='capsule' size='.01'/></composite></worldbody></mujoco>");
  for (int i = 0; i < 9; i++) {
    ck_assert_double_eq_tol(snm_body_pos(m)[3 + i], points[i], 1e-7);
  }
  for (int i = 0; i < 12; i++) {
    ck_assert_double_eq_tol(snm_body_quat(m)[4 + i], turns[i], 1e-7);
  }
  ck_assert_int_eq(warned(m, "no effect on vertices"), 1);
  sn_model_free(m);

  // a curve is turned, not stretched
  m = load("<mujoco><worldbody><composite type='cable' count='3 1 1' curve='s' size='1' "
           "initial='none' quat='1.2 0 1.28 .96'>"
           "<geom type='capsule' size='.01'/></composite></worldbody></mujoco>");
  ck_assert_double_eq_tol(snm_body_pos(m)[6], 0.5, 1e-15);
  ck_assert_double_eq_tol(snm_body_quat(m)[4], 0.36, 1e-15);
  sn_model_free(m);
  rejected("<mujoco><worldbody><composite type='cable' vertex='0 0 0 1 0 0' quat='0 0 0 0'>"
           "<geom type='capsule' size='.02'/></composite></worldbody></mujoco>",
           "quat must not have length 0");
}
END_TEST

#define CABLE(attributes, geom, plugin)                                                           \
  "<mujoco><option integrator='implicit'/><extension><plugin plugin='mujoco.elasticity.cable'>"   \
  "<instance name='steel'><config key='bend' value='3e9'/><config key='twist' value='2e9'/>"      \
  "</instance></plugin></extension><worldbody><composite type='cable' initial='none' " attributes \
  "><plugin plugin='mujoco.elasticity.cable' " plugin "<joint kind='main'/><geom " geom           \
  "/></composite></worldbody></mujoco>"
#define ROUND "type='capsule' size='.002'"

// The torque of each joint is that of a rod of its length, by section and modulus.
START_TEST(cables_resist_bending_and_twisting) {
  static const double turns[][3] = { { .01, 0, 0 }, { 0, .02, 0 }, { 0, 0, -.03 }, { 0, 0, 0 } };
  const double fourth = pow(.002, 4), length = .25;
  sn_model *m = load(CABLE("count='5 1 1' curve='s' size='1'", ROUND, "instance='steel'/>"));
  const double k[3] = { 2e9 * SN_PI / 2 * fourth / length, 3e9 * SN_PI / 4 * fourth / length,
                        3e9 * SN_PI / 4 * fourth / length };
  sn_data *d = sn_data_new(m, error);
  double q[12];
  for (int j = 0; j < 3; j++) {
    const double angle = sn_norm3(turns[j]);
    q[4 * j] = cos(angle / 2);
    sn_scale3(q + 4 * j + 1, turns[j], sin(angle / 2) / angle);
  }
  sn_state_set(m, d, SN_STATE_QPOS, q);
  ck_assert_int_ge(sn_forward(m, d), 0);
  for (int i = 0; i < 9; i++) {
    ck_assert_double_eq_tol(snd_qfrc_passive(d)[i], -k[i % 3] * turns[i / 3][i % 3], 1e-12);
  }
  sn_data_free(d);
  sn_model_free(m);

  // of a box: bending about an axis is by the height across it; twisting, of a square, exactly
  // 2.2492 a^4, which the formula meets to 0.2 %
  m = load(CABLE("count='3 1 1' curve='s' size='1'", "type='box' size='.1 .002 .001'",
                 "><config key='bend' value='3e9'/></plugin>"));
  NEAR(m->dof_stiffness, 0, 3e9 * 4 / 3 * .002 * 1e-9 / .5, 3e9 * 4 / 3 * .001 * 8e-9 / .5);
  sn_model_free(m);
  m = load(CABLE("count='3 1 1' curve='s' size='1'", "type='box' size='.1 .001 .001'",
                 "><config key='twist' value='1e9'/></plugin>"));
  ck_assert_double_eq_tol(m->dof_stiffness[0] / (1e9 * 2.2492e-12 / .5), 1, 2e-3);
  sn_model_free(m);
}
END_TEST

// A clamped cable sags by its weight w a length: each joint turns by the moment of what hangs on
// it, w (L - x)^2 / 2, over its stiffness; for many links that tends to w L^4 / (8 E I).
START_TEST(cables_sag) {
  enum { N = 20 };
  sn_model *m = load(
      "<mujoco><option integrator='implicit'/><worldbody><composite type='cable' initial='none' "
      "count='21 1 1' curve='s' size='1'><plugin plugin='mujoco.elasticity.cable'><config "
      "key='bend' value='3e9'/></plugin><joint kind='main' damping='.03'/>"
      "<geom type='cylinder' size='.02'/></composite></worldbody></mujoco>");
  const double pi = SN_PI, r = .02, w = 1000 * pi * r * r * 9.81, stiff = 3e9 * pi / 4 * pow(r, 4);
  double sag = 0;
  for (int i = 1; i < N; i++) {
    sag += w * pow(1 - i / (double)N, 3) / 2 / (stiff * N);
  }
  ck_assert_double_eq_tol(sag, w / (8 * stiff), 0.12 * sag);
  for (int i = 0; i < 3 * (N - 1); i++) {
    m->dof_damping[i] = 20;
  }
  sn_data *d = sn_data_new(m, error);
  for (int i = 0; i < 2000; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  const double *end = snd_site_xpos(d) + 3 * sn_find(m, "site", "S_last");
  ck_assert_double_eq_tol(-end[2], sag, 0.01 * sag);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// A flat cable is at rest when it is straight; another one, as it is made.
START_TEST(flat_cables_are_straight_at_rest) {
  static const char made[] = CABLE("vertex='0 0 0 1 0 0 1 1 0'", ROUND,
                                   "><config key='bend' value='3e9'/></plugin>");
  static const char flat[] = CABLE("vertex='0 0 0 1 0 0 1 1 0'", ROUND,
                                   "><config key='bend' value='3e9'/><config key='flat' "
                                   "value='true'/><config key='vmax' value='1'/></plugin>");
  const double k = 3e9 * SN_PI / 4 * pow(.002, 4);
  for (int i = 0; i < 2; i++) {
    sn_model *m = load(i ? flat : made);
    sn_data *d = sn_data_new(m, error);
    ck_assert_int_ge(sn_forward(m, d), 0);
    const double torque = i ? -k * SN_PI / 2 : 0;
    ck_assert_double_eq_tol(snd_qfrc_passive(d)[0], 0, 1e-12);
    ck_assert_double_eq_tol(snd_qfrc_passive(d)[1], 0, 1e-12);
    ck_assert_double_eq_tol(snd_qfrc_passive(d)[2], torque, 1e-9);
    sn_data_free(d);
    sn_model_free(m);
  }
}
END_TEST

START_TEST(wrong_elasticity_is_rejected) {
#define WRONG(plugin) CABLE("vertex='0 0 0 1 0 0'", ROUND, plugin)
  rejected(WRONG("instance='iron'/>"), "no instance \"iron\"");
  rejected(WRONG("><config key='band' value='1'/></plugin>"), "no key \"band\"");
  rejected(WRONG("><config key='bend' value='-1'/></plugin>"), "bend is negative");
  rejected(WRONG("><config key='bend'/></plugin>"), "\"key\" and \"value\" are required");
  rejected("<mujoco><extension><plugin plugin='mujoco.sdf.nut'/></extension></mujoco>",
           "\"mujoco.sdf.nut\" is not supported");
  rejected("<mujoco><worldbody><body name='b'><composite type='grid' count='3 3 1' spacing='.1'>"
           "<plugin plugin='mujoco.elasticity.cable'/><geom size='.01'/></composite></body>"
           "</worldbody></mujoco>",
           "for composites of type cable");
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(force_ranges_are_those_of_version_3);
  TEST(forces_of_a_tendon_are_scaled);
  TEST(servos_saved_and_read_again);
  TEST(servos_edited);
  TEST(inheritrange_is_decided_by_laws);
  TEST(servos_without_a_shortcut_are_not_saved);
  TEST(servos_of_classes);
  TEST(ranges_rejected);
  TEST(attributes_without_effect_are_listed);
  TEST(assets_in_one_folder);
  TEST(cables_are_turned);
  TEST(cables_resist_bending_and_twisting);
  TEST(cables_sag);
  TEST(flat_cables_are_straight_at_rest);
  TEST(wrong_elasticity_is_rejected);
}
