// SPDX-License-Identifier: Apache-2.0
//
// Actuators: closed forms of the laws, clamping, laws with several states that are not contiguous
// in the model, bad controls, laws that return nonsense.

#include "dynamics/actuation.h"
#include "random_state.h"
#include "suite.h"

#define SLIDER(number)                                                                    \
  "<body><joint name='j" #number "' type='slide' axis='1 0 0'/><geom size='.1' mass='1' " \
  "contype='0' conaffinity='0'/></body>"

#define MODEL(actuators)                                                                       \
  "<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody>" SLIDER(0) SLIDER(1) SLIDER(2) \
      SLIDER(3) "</worldbody><actuator>" actuators "</actuator></mujoco>"

// ------------------------------------------------------------------ laws for the tests

// A critically damped filter of order 2: w0' = w1, w1' = k^2 (u - w0) - 2 k w1; the force is the
// last state.
static int32_t pair_states(const void *self, const double *prm) {
  (void)self, (void)prm;
  return 2;
}

static int64_t largest_batch;

static sn_status pair_rate(const void *self, const sn_actuators *b, double *act_dot,
                           sn_scratch *scratch) {
  (void)self, (void)scratch;
  largest_batch = b->n > largest_batch ? b->n : largest_batch;
  for (int64_t i = 0; i < b->n; i++) {
    double k = b->prm[SN_NACTPRM * i];
    act_dot[2 * i] = b->act[2 * i + 1];
    act_dot[2 * i + 1] = k * k * (b->ctrl[i] - b->act[2 * i]) - 2 * k * b->act[2 * i + 1];
  }
  return SN_OK;
}

static sn_status mad_value(const void *self, const sn_actuators *b, double *out,
                           sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->time > 0.015 ? NAN : 1;
  }
  return SN_OK;
}

static const sn_dynamics_ops pair_ops = { .head = { .size = sizeof(sn_dynamics_ops) },
                                          .states = pair_states,
                                          .rate = pair_rate };

static const sn_force_ops mad_ops = { .head = { .size = sizeof(sn_force_ops) },
                                      .value = mad_value };

// A back EMF: w' = u - 3 w - 5 v; does not act through sites.
static sn_status emf_rate(const void *self, const sn_actuators *b, double *act_dot,
                          sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    act_dot[i] = b->ctrl[i] - 3 * b->act[i] - 5 * b->velocity[i];
  }
  return SN_OK;
}

static sn_status emf_derive(const void *self, const sn_actuators *b, double *by_act,
                            double *by_ctrl, double *by_length, double *by_velocity,
                            sn_scratch *scratch) {
  (void)self, (void)by_length, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    by_act[i] = -3;
    by_ctrl[i] = 1;
    by_velocity[i] = -5;
  }
  return SN_OK;
}

static int32_t one_state(const void *self, const double *prm) {
  (void)self, (void)prm;
  return 1;
}

static const sn_dynamics_ops emf_ops = { .head = { .size = sizeof(sn_dynamics_ops) },
                                         .states = one_state,
                                         .rate = emf_rate,
                                         .transmissions = "joint|tendon|refsite",
                                         .derivative = emf_derive };

// What an application registers as `user`: gain 2, bias -length.
static sn_status two_value(const void *self, const sn_actuators *b, double *out,
                           sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = 2;
  }
  return SN_OK;
}

static sn_status length_value(const void *self, const sn_actuators *b, double *out,
                              sn_scratch *scratch) {
  (void)self, (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = -b->length[i];
  }
  return SN_OK;
}

static const sn_force_ops two_ops = { .head = { .size = sizeof(sn_force_ops) },
                                      .value = two_value };
static const sn_force_ops length_ops = { .head = { .size = sizeof(sn_force_ops) },
                                         .value = length_value };

static void open_with_laws(void) {
  open_engine();
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_DYNAMICS, "pair", &pair_ops, error), 0);
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_GAIN, "mad", &mad_ops, error), 0);
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_DYNAMICS, "emf", &emf_ops, error), 0);
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_GAIN, "user", &two_ops, error), 0);
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_BIAS, "user", &length_ops, error), 0);
}

// ------------------------------------------------------------------ activation dynamics

START_TEST(dynamics_have_their_closed_form) {
  sn_model *m = model_of(MODEL("<general joint='j0' dyntype='integrator' gainprm='1'/>"
                               "<general joint='j1' dyntype='filter' dynprm='.25'/>"
                               "<general joint='j2' dyntype='filterexact' dynprm='.25'/>"
                               "<general joint='j3' dyntype='integrator' actlimited='true' "
                               "actrange='-.1 .2'/>"));
  sn_data *d = data_of(m);
  int n = 70;
  double h = 0.01, t = n * h;
  for (int i = 0; i < 4; i++) {
    d->ctrl[i] = 1.5;
  }
  for (int i = 0; i < n; i++) {
    sn_step(m, d);
  }
  CLOSE(d->act[0], 1.5 * t, 1e-13);
  CLOSE(d->act[1], 1.5 * (1 - pow(1 - h / 0.25, n)), 1e-13);
  CLOSE(d->act[2], 1.5 * (1 - exp(-t / 0.25)), 1e-13);
  CLOSE(d->act[3], 0.2, 0);
  done_with(m, d);
}
END_TEST

START_TEST(several_states_are_packed) {
  sn_model *m = model_of(MODEL("<motor joint='j1'/>"
                               "<general joint='j0' dyntype='pair' dynprm='4' gainprm='3'/>"
                               "<general joint='j3' dyntype='filter' dynprm='.5'/>"
                               "<general joint='j2' dyntype='pair' dynprm='9' gainprm='5'/>"));
  sn_data *d = data_of(m);
  ck_assert_int_eq(m->na, 5);
  for (int i = 0; i < 5; i++) {
    d->act[i] = 0.3 + 0.1 * i;
  }
  for (int i = 0; i < 4; i++) {
    d->ctrl[i] = 2 - i;
  }
  largest_batch = 0;
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_eq(largest_batch, 2);
  const double want[5] = { 0.4, 16 * (1 - 0.3) - 8 * 0.4, (0 - 0.5) / 0.5, 0.7,
                           81 * (-1 - 0.6) - 18 * 0.7 };
  for (int i = 0; i < 5; i++) {
    CLOSE(d->act_dot[i], want[i], 1e-14);
  }
  CLOSE(d->actuator_force[0], 2, 0);
  CLOSE(d->actuator_force[1], 3 * 0.4, 1e-14);
  CLOSE(d->actuator_force[2], 0.5, 1e-14);
  CLOSE(d->actuator_force[3], 5 * 0.7, 1e-14);
  done_with(m, d);
}
END_TEST

START_TEST(actearly_is_the_activation_of_the_next_step) {
  sn_model *m = model_of(
      MODEL("<general joint='j0' dyntype='filterexact' dynprm='.1' gainprm='2'/>"));
  m->actuator_actearly[0] = 1;
  sn_data *d = data_of(m);
  d->ctrl[0] = 1;
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(d->actuator_force[0], 2 * (1 - exp(-0.01 / 0.1)), 1e-14);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ forces

START_TEST(forces_have_their_closed_form) {
  sn_model *m = model_of(MODEL("<position joint='j0' kp='10' gear='3'/>"
                               "<velocity joint='j1' kv='4'/>"
                               "<position joint='j2' kp='10' forcelimited='true' "
                               "forcerange='-2 1'/>"
                               "<general joint='j3' gaintype='affine' gainprm='1 2 3' "
                               "biastype='affine' biasprm='4 5 6'/>"));
  sn_data *d = data_of(m);
  for (int i = 0; i < 4; i++) {
    d->qpos[i] = 0.1 * (i + 1);
    d->qvel[i] = -0.2 * (i + 1);
    d->ctrl[i] = 0.7;
  }
  ck_assert_int_ge(sn_forward(m, d), 0);
  CLOSE(d->actuator_force[0], 10 * (0.7 - 3 * 0.1), 1e-14);
  CLOSE(d->qfrc_actuator[0], 30 * (0.7 - 3 * 0.1), 1e-14);
  CLOSE(d->actuator_force[1], 4 * (0.7 + 0.4), 1e-14);
  CLOSE(d->actuator_force[2], 1, 0);
  CLOSE(d->actuator_force[3], 0.7 * (1 + 0.8 - 2.4) + 4 + 5 * 0.4 - 6 * 0.8, 1e-14);
  done_with(m, d);
}
END_TEST

START_TEST(controls_are_clamped) {
  sn_model *m = model_of(MODEL("<motor joint='j0' ctrllimited='true' ctrlrange='-1 2'/>"
                               "<motor joint='j1'/>"));
  sn_data *d = data_of(m);
  d->ctrl[0] = 5;
  d->ctrl[1] = 6;
  sn_forward(m, d);
  CLOSE(d->actuator_force[0], 2, 0);
  CLOSE(d->actuator_force[1], 6, 0);
  ck_assert_double_eq(d->ctrl[0], 5);   // the input stays as the user set it
  set_option(m, "clampctrl", "disable");
  sn_forward(m, d);
  CLOSE(d->actuator_force[0], 5, 0);
  set_option(m, "actuation", "disable");
  sn_forward(m, d);
  CLOSE(d->actuator_force[0], 0, 0);
  CLOSE(d->qfrc_actuator[1], 0, 0);
  done_with(m, d);
}
END_TEST

START_TEST(bad_controls_turn_actuators_off) {
  static const double bad[] = { NAN, INFINITY, -1e11 };
  sn_model *m = model_of(MODEL("<motor joint='j0'/><position joint='j1' kp='3'/>"));
  sn_data *d = data_of(m);
  for (int i = 0; i < 3; i++) {
    sn_reset(m, d);
    d->qpos[1] = 0.5;
    d->ctrl[0] = 1;
    d->ctrl[1] = bad[i];
    ck_assert_int_ge(sn_forward(m, d), 0);
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_BADCTRL), 1);
    CLOSE(d->actuator_force[0], 0, 0);
    CLOSE(d->actuator_force[1], -1.5, 1e-15);
  }
  done_with(m, d);
}
END_TEST

START_TEST(law_with_invalid_results_is_named) {
  sn_model *m = model_of(MODEL("<general joint='j0' gaintype='mad'/><motor joint='j1'/>"));
  sn_data *d = data_of(m);
  hear_warnings();
  d->ctrl[0] = d->ctrl[1] = 1;
  for (int i = 0; i < 10; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 8);
  ck_assert_ptr_nonnull(strstr(heard(), "'mad'"));
  CLOSE(d->qvel[1], 10 * 0.01, 1e-12);   // the others go on
  CLOSE(d->qvel[0], 2 * 0.01, 1e-12);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ muscles

#define MUSCLE                                                                    \
  MODEL("<muscle joint='j0' lengthrange='.75 1.05' range='.75 1.05' force='100' " \
        "timeconst='.02 .04'/>")

// With these ranges the scaled length is the length.
static double muscle_force(const sn_model *m, sn_data *d, double length, double velocity,
                           double act) {
  d->qpos[0] = length;
  d->qvel[0] = velocity;
  d->act[0] = act;
  sn_forward(m, d);
  return d->actuator_force[0];
}

START_TEST(muscles_pull_as_documented) {
  sn_model *m = model_of(MUSCLE);
  sn_data *d = data_of(m);
  CLOSE(muscle_force(m, d, 1, 0, 1), -100, 1e-12);    // strongest at rest
  CLOSE(muscle_force(m, d, 1, 0, 0.4), -40, 1e-12);   // linear in activation
  CLOSE(muscle_force(m, d, 1, -1.5, 1), 0, 1e-12);    // none at the largest velocity
  CLOSE(muscle_force(m, d, 1, 9, 1), -120, 1e-12);    // fvmax when lengthening
  CLOSE(muscle_force(m, d, 0.5, 0, 1), 0, 1e-12);     // lmin
  CLOSE(muscle_force(m, d, 0.4, 0, 1), 0, 1e-12);     // and below
  CLOSE(muscle_force(m, d, 0.9, 0, 0), 0, 1e-12);     // passive: only beyond rest
  ck_assert_double_lt(muscle_force(m, d, 1.3, 0, 0), -1);
  // it never pushes, and has no jumps
  double last = 0;
  for (double length = 0.2; length < 2; length += 1e-3) {
    double force = muscle_force(m, d, length, 0.1, 1);
    ck_assert_double_le(force, 0);
    ck_assert(fabs(force - last) < 1);
    last = force;
  }
  done_with(m, d);
}
END_TEST

START_TEST(short_muscles_push_where_the_plugin_says_so) {
  OK(sn_engine_set(engine, "plugin.gain.muscle.push_below_lmin", "true", error));
  sn_model *m = model_of(MUSCLE);
  sn_data *d = data_of(m);
  CLOSE(muscle_force(m, d, 0.4, 0, 1), 188, 1e-12);   // 100 (0.5 (0.6 / 0.25)^2 - 1)
  done_with(m, d);
}
END_TEST

START_TEST(muscles_rise_faster_than_they_fall) {
  sn_model *m = model_of(MUSCLE);
  sn_data *d = data_of(m);
  d->ctrl[0] = 1;
  d->act[0] = 0.5;
  sn_forward(m, d);
  CLOSE(d->act_dot[0], 0.5 / (0.02 * (0.5 + 1.5 * 0.5)), 1e-13);
  d->ctrl[0] = 0;
  sn_forward(m, d);
  CLOSE(d->act_dot[0], -0.5 / (0.04 / (0.5 + 1.5 * 0.5)), 1e-13);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ derivatives

START_TEST(slopes_are_those_of_differences) {
  sn_model *m = model_of(MODEL("<general joint='j0' gaintype='affine' gainprm='1 2 3' "
                               "biastype='affine' biasprm='4 5 6'/>"
                               "<velocity joint='j1' kv='2'/>"
                               "<muscle joint='j2' lengthrange='-2 2' force='30'/>"
                               "<muscle joint='j3' lengthrange='-2 2' force='-1' scale='9'/>"));
  sn_data *d = data_of(m);
  const double eps = 1e-6;
  for (uint32_t seed = 1; seed < 20; seed++) {
    double slope[4], up[4];
    scramble(m, d, seed);
    sn_forward(m, d);
    si_dyn_actuator_slope(m, d, d->worker, SI_BY_VELOCITY, slope);
    for (int i = 0; i < 4; i++) {
      d->qvel[i] += eps;
    }
    sn_forward(m, d);
    memcpy(up, d->actuator_force, sizeof up);
    for (int i = 0; i < 4; i++) {
      d->qvel[i] -= 2 * eps;
    }
    sn_forward(m, d);
    for (int i = 0; i < 4; i++) {
      CLOSE(slope[i], (up[i] - d->actuator_force[i]) / (2 * eps), 1e-6);
    }
  }
  done_with(m, d);
}
END_TEST

// With actearly the force sees the state after the step, which the velocity moves.
START_TEST(slopes_see_the_next_state) {
  sn_model *m = model_of(MODEL("<general joint='j0' dyntype='emf' gainprm='7' actearly='true' "
                               "gear='2'/><general joint='j1' dyntype='emf' gainprm='7'/>"
                               "<general joint='j2' dyntype='emf' actearly='true' "
                               "actlimited='true' actrange='-.01 .01'/>"));
  sn_data *d = data_of(m);
  const double eps = 1e-6;
  double slope[3], force[2];
  d->act[2] = d->ctrl[2] = 1;
  sn_forward(m, d);
  si_dyn_actuator_slope(m, d, d->worker, SI_BY_VELOCITY, slope);
  for (int side = 0; side < 2; side++) {
    d->qvel[0] = side ? eps : -eps;
    sn_forward(m, d);
    force[side] = d->actuator_force[0];
  }
  CLOSE(slope[0], (force[1] - force[0]) / (2 * eps) / 2, 1e-9);   // by 2 v
  CLOSE(slope[0], 7 * 0.01 * -5, 1e-12);
  CLOSE(slope[1], 0, 0);
  CLOSE(slope[2], 0, 0);   // held by its range
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ who may be used

static const char *rejection(const char *xml) {
  static int number;
  char name[32];
  snprintf(name, sizeof name, "bad%d.xml", number++);
  ck_assert_int_ge(sn_engine_add_resource(engine, name, xml, (int64_t)strlen(xml), error), 0);
  ck_assert_ptr_null(sn_load(engine, name, error));
  return sn_error_text(error);
}

#define HAS(text, part) ck_assert_msg(strstr(text, part) != NULL, "%s", text)

START_TEST(laws_reject_what_they_cannot_move) {
#define AT_SITES(target)                                                                 \
  "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/><site name='s'/></body>"   \
  "<site name='w'/></worldbody><actuator>\n<general name='a' dyntype='emf' " target "/>" \
  "</actuator></mujoco>"
  const char *text = rejection(AT_SITES("site='s'"));
  HAS(text, ".xml:2:1: actuator 'a'");
  HAS(text, "'emf' does not support the transmission site; it supports joint|tendon|refsite");
  HAS(rejection(AT_SITES("jointinparent='j'")), "does not support the transmission jointinparent");
  sn_model_free(model_of(AT_SITES("site='s' refsite='w'")));
  sn_model_free(model_of(AT_SITES("joint='j'")));
}
END_TEST

START_TEST(user_laws_are_the_applications) {
  sn_model *m = model_of(MODEL("<general joint='j0' gaintype='user' biastype='user'/>"));
  sn_data *d = data_of(m);
  d->ctrl[0] = 3;
  d->qpos[0] = 0.5;
  sn_forward(m, d);
  CLOSE(d->actuator_force[0], 2 * 3 - 0.5, 1e-15);
  ck_assert_int_eq(m->actuator_gaintype[0], 3);
  done_with(m, d);

  // dynamics that no plugin provides: the activation does not change
  m = model_of(MODEL("<general name='a' joint='j0' dyntype='user' gainprm='2'/>"));
  ck_assert_int_eq(m->na, 1);
  ck_assert_ptr_null(sn_model_warning(m, 1));
  HAS(sn_model_warning(m, 0), "actuator 'a': no plugin or application provides its dyntype 'user'");
  HAS(sn_model_warning(m, 0), "sn_engine_add(engine, \"sinew.dynamics/1\", \"user\"");
  d = data_of(m);
  d->ctrl[0] = 1;
  d->act[0] = 0.25;
  sn_step(m, d);
  CLOSE(d->act[0], 0.25, 0);
  CLOSE(d->actuator_force[0], 0.5, 1e-15);
  done_with(m, d);
}
END_TEST

// actdim is the number of activations that the dynamics has anyway; of `user`, any number.
START_TEST(activations_are_counted) {
  sn_model *m = model_of(MODEL("<general joint='j3'/>"
                               "<general joint='j0' dyntype='pair' actdim='2'/>"
                               "<general joint='j1' dyntype='integrator' actdim='1'/>"
                               "<general joint='j2' dyntype='filter' actdim='-1'/>"));
  ck_assert_int_eq(m->na, 4);
  sn_model_free(m);
  HAS(rejection(MODEL("<general name='a' joint='j0' dyntype='pair' actdim='3'/>")),
      "actuator 'a': actdim is 3, but its dynamics 'pair' has 2 activations");
  HAS(rejection(MODEL("<general name='a' joint='j0' dyntype='filter' actdim='2'/>")),
      "'filter' has 1 activation;");
  HAS(rejection(MODEL("<general name='a' joint='j0' actdim='1'/>")), "'none' has 0 activations");
}
END_TEST

START_TEST(muscles_reject_curves_that_are_none) {
  static const char *const rows[][2] = {
    { "range='1 1'", "must be ascending" },
    { "lmin='1'", "lmin must be less than 1" },
    { "lmax='.9'", "lmax greater" },
    { "vmax='0'", "must be positive" },
    { "scale='-1'", "must be positive" },
    { "fpmax='-1'", "must be positive" },
    { "timeconst='-1 .04'", "time constants" },
    { "timeconst='.01 -1'", "time constants" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char xml[2048];
    snprintf(xml, sizeof xml, MODEL("<muscle name='a' joint='j0' lengthrange='0 1' %s/>"),
             rows[i][0]);
    HAS(rejection(xml), "actuator 'a'");
    HAS(rejection(xml), rows[i][1]);
  }
}
END_TEST

// ------------------------------------------------------------------ groups

#define THREE SLIDER(0) SLIDER(1) SLIDER(2)

START_TEST(groups_are_switched_off) {
  sn_model *m = model_of(
      "<mujoco><option timestep='0.01' gravity='0 0 0' actuatorgroupdisable='1 3'/>"
      "<worldbody>" THREE "</worldbody><actuator><motor joint='j0' group='1'/>"
      "<motor joint='j1' group='2'/><general joint='j1' group='3' dyntype='filterexact' "
      "dynprm='.1'/><general joint='j2' group='3' dyntype='integrator' actearly='true'/>"
      "<general joint='j0' group='0' dyntype='filter' dynprm='.1'/></actuator></mujoco>");
  sn_data *d = data_of(m);
  ck_assert_int_eq(m->opt.disableactuator, 1 << 1 | 1 << 3);
  for (int i = 0; i < 5; i++) {
    d->ctrl[i] = 1;
  }
  d->act[0] = d->act[1] = d->act[2] = 0.5;
  d->ctrl[0] = NAN;   // it is not read
  for (int i = 0; i < 10; i++) {
    sn_step(m, d);
  }
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_BADCTRL), 0);
  CLOSE(d->act[0], 0.5, 0);   // states of those that are off stay
  CLOSE(d->act[1], 0.5, 0);
  CLOSE(d->act[2], 1 - 0.5 * pow(0.9, 10), 1e-14);
  CLOSE(d->act_dot[1], 0, 0);
  CLOSE(d->actuator_force[0], 0, 0);
  CLOSE(d->actuator_force[2], 0, 0);
  CLOSE(d->qvel[1], 10 * 0.01, 1e-13);

  // on again
  set_option(m, "disableactuator", "0");
  d->ctrl[0] = 1;
  sn_forward(m, d);
  CLOSE(d->actuator_force[0], 1, 0);
  CLOSE(d->act_dot[1], 1, 0);
  done_with(m, d);
  HAS(rejection("<mujoco><option actuatorgroupdisable='31'/></mujoco>"), "integers from 0 to 30");
}
END_TEST

TESTS() {
  FIXTURE(open_with_laws, close_engine);
  TEST(dynamics_have_their_closed_form);
  TEST(several_states_are_packed);
  TEST(actearly_is_the_activation_of_the_next_step);
  TEST(forces_have_their_closed_form);
  TEST(controls_are_clamped);
  TEST(bad_controls_turn_actuators_off);
  TEST(law_with_invalid_results_is_named);
  TEST(muscles_pull_as_documented);
  TEST(short_muscles_push_where_the_plugin_says_so);
  TEST(muscles_rise_faster_than_they_fall);
  TEST(slopes_are_those_of_differences);
  TEST(slopes_see_the_next_state);
  TEST(laws_reject_what_they_cannot_move);
  TEST(user_laws_are_the_applications);
  TEST(activations_are_counted);
  TEST(muscles_reject_curves_that_are_none);
  TEST(groups_are_switched_off);
}
