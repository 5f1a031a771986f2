// SPDX-License-Identifier: Apache-2.0
//
// Passive forces: closed forms, work that cannot be positive, options that change at run time,
// plugins that return nonsense. Derivatives are in test_integrator.c.

#include "random_state.h"
#include "suite.h"
#include "toy_plugin.h"

#define BODY(joint, attributes)                                            \
  "<body " attributes ">" joint "<geom type='ellipsoid' size='.1 .2 .35' " \
  "contype='0' conaffinity='0'/></body>"

static const double *passive(const sn_model *m, sn_data *d) {
  ck_assert_int_ge(sn_forward(m, d), 0);
  return d->qfrc_passive;
}

static double power(const sn_model *m, sn_data *d) {
  double sum = 0;
  const double *f = passive(m, d);
  for (int64_t i = 0; i < m->nv; i++) {
    sum += f[i] * d->qvel[i];
  }
  return sum;
}

// ------------------------------------------------------------------ springs and dampers

START_TEST(scalar_joints_follow_hooke) {
  sn_model *m = model_of("<mujoco><compiler angle='radian'/><worldbody>" BODY(
      "<joint type='slide' axis='1 0 0' stiffness='3' damping='.5' springref='.2'/>"
      "<joint axis='0 1 0' stiffness='7'/><joint axis='0 0 1' damping='2'/>",
      "") "</worldbody></mujoco>");
  sn_data *d = data_of(m);
  for (int i = 0; i < 3; i++) {
    d->qpos[i] = 0.5;
    d->qvel[i] = 0.3;
  }
  const double *f = passive(m, d);
  CLOSE(f[0], -3 * 0.3 - 0.5 * 0.3, 1e-14);
  CLOSE(f[1], -7 * 0.5, 1e-14);
  CLOSE(f[2], -2 * 0.3, 1e-14);
  done_with(m, d);
}
END_TEST

// A ball that is turned by an angle about an axis is pulled back about it.
START_TEST(balls_are_pulled_along_the_shortest_turn) {
  sn_model *m = model_of("<mujoco><worldbody>" BODY(
      "<joint type='ball' stiffness='4' damping='.1'/>", "") "</worldbody></mujoco>");
  sn_data *d = data_of(m);
  double axis[3] = { 1, -2, 0.5 };
  sn_normalize3(axis);
  for (int k = 1; k < 12; k++) {
    double angle = 0.5 * k, shortest = angle > SN_PI ? angle - 2 * SN_PI : angle;
    sn_axisangle_quat(d->qpos, axis, angle);
    const double *f = passive(m, d);
    for (int i = 0; i < 3; i++) {
      CLOSE(f[i], -4 * shortest * axis[i], 1e-12);
    }
  }
  done_with(m, d);
}
END_TEST

START_TEST(free_bodies_can_be_held_by_springs) {
  sn_model *m = model_of("<mujoco><worldbody>" BODY(
      "<joint type='free' stiffness='5' damping='2'/>", "pos='1 2 3'") "</worldbody></mujoco>");
  sn_data *d = data_of(m);
  const double axis[3] = { 0, 1, 0 };
  d->qpos[0] += 0.1;
  d->qpos[2] -= 0.2;
  sn_axisangle_quat(d->qpos + 3, axis, 0.3);
  d->qvel[1] = d->qvel[5] = 0.7;
  const double *f = passive(m, d);
  const double want[6] = { -0.5, -1.4, 1, 0, -1.5, -1.4 };
  for (int i = 0; i < 6; i++) {
    CLOSE(f[i], want[i], 1e-13);
  }
  done_with(m, d);
}
END_TEST

START_TEST(tendon_springs_have_a_dead_band) {
  sn_model *m = model_of("<mujoco><worldbody>" BODY(
      "<joint name='j' type='slide' axis='1 0 0'/>",
      "") "</worldbody><tendon><fixed stiffness='10' damping='3' springlength='.1'>"
          "<joint joint='j' coef='2'/></fixed></tendon></mujoco>");
  m->tendon_lengthspring[0] = -0.1;
  m->tendon_lengthspring1[0] = 0.2;
  sn_data *d = data_of(m);
  const struct {
    double length, stretch;
  } list[] = { { -0.3, -0.2 }, { -0.1, 0 }, { 0, 0 }, { 0.2, 0 }, { 0.5, 0.3 } };
  for (int k = 0; k < 5; k++) {
    d->qpos[0] = list[k].length / 2;
    d->qvel[0] = 0.25;
    CLOSE(passive(m, d)[0], 2 * (-10 * list[k].stretch - 3 * 0.5), 1e-12);
  }
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ gravity compensation

START_TEST(compensated_bodies_float) {
  sn_model *m = model_of("<mujoco><worldbody>" BODY("<freejoint/>", "")
                             BODY("<freejoint/>", "pos='1 0 0'") "</worldbody></mujoco>");
  m->body_gravcomp[1] = 1;
  m->body_gravcomp[2] = 1.5;
  bind_again(m);
  sn_data *d = data_of(m);
  passive(m, d);
  for (int i = 0; i < 6; i++) {
    CLOSE(d->qacc[i], 0, 1e-13);
    CLOSE(d->qacc[6 + i], i == 2 ? 0.5 * 9.81 : 0, 1e-13);
  }
  set_option(m, "gravity", "disable");
  passive(m, d);
  CLOSE(d->qfrc_passive[2], 0, 0);
  set_option(m, "gravity", "enable");
  set_option(m, "passive", "disable");
  passive(m, d);
  CLOSE(d->qacc[2], -9.81, 1e-12);
  done_with(m, d);
}
END_TEST

// Joints that count it with their actuators: clamped with them, and left out where none acts. The
// numbers are those of the format's reference engine, version 3.
static const char floating[] =
    "<mujoco><option timestep='.01'/><worldbody><body gravcomp='1.2'><joint name='j' axis='0 1 0' "
    "damping='.3' actuatorgravcomp='true' actuatorfrcrange='-40 20'/><geom size='.1' pos='.3 0 0'/>"
    "<body pos='.6 0 0' gravcomp='.5'><joint name='b' type='ball' stiffness='1' "
    "actuatorgravcomp='true'/><geom type='capsule' size='.1 .2' pos='.1 .2 0'/>"
    "<body pos='0 0 .5' gravcomp='.7'><joint type='slide' axis='1 0 1'/><geom size='.1'/></body>"
    "</body></body></worldbody>%s</mujoco>";

START_TEST(compensation_counts_with_actuators) {
  static const double force[] = { -40, 13.703485394624115, -8.918379720957525, -1.3392995530721379,
                                  0 };
  static const double rest[] = { -1.0020256239807086, -0.1373856511927195, 0.5416625470150149,
                                 0.11090864665498246, 23.455105404529935 };
  static const double all[] = { -86.84186283334877, 13.703485394624115, -8.918379720957525,
                                -1.3392995530721379, 23.455105404529935 };
  static const double pose[] = { 0.3907053864535819,  0.9528699368471947,   0.07390342172069671,
                                 -0.2869055210146367, -0.06528697972885165, 0.23087501615790706 };
  char text[1024];
  snprintf(text, sizeof text, floating, "<actuator><motor joint='j' gear='-3'/></actuator>");
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  d->ctrl[0] = 1;
  for (int i = 0; i < 20; i++) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
  for (int i = 0; i < 5; i++) {
    CLOSE(d->qfrc_actuator[i], force[i], 1e-10);
    CLOSE(d->qfrc_passive[i], rest[i], 1e-10);
    CLOSE(d->qfrc_gravcomp[i], all[i], 1e-10);
    CLOSE(d->qpos[i], pose[i], 1e-12);
  }
  set_option(m, "passive", "disable");
  passive(m, d);
  CLOSE(d->qfrc_gravcomp[0], 0, 0);
  CLOSE(d->qfrc_actuator[0], -3, 0);
  CLOSE(d->qfrc_actuator[1], 0, 0);
  set_option(m, "passive", "enable");
  set_option(m, "actuation", "disable");
  passive(m, d);
  CLOSE(d->qfrc_actuator[1], 0, 0);
  ck_assert_ptr_null(sn_model_warning(m, 0));
  done_with(m, d);

  // nothing is actuated
  snprintf(text, sizeof text, floating, "");
  m = model_of(text);
  d = data_of(m);
  CLOSE(passive(m, d)[0], 0, 0);
  ck_assert_int_ne(d->qfrc_gravcomp[0] != 0, 0);
  CLOSE(d->qfrc_actuator[0], 0, 0);
  ck_assert_ptr_nonnull(strstr(sn_model_warning(m, 0), "joint 'j': its actuatorgravcomp"));
  ck_assert_ptr_null(sn_model_warning(m, 1));
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ fluids

#define IN_WATER(coefficients)                                                                    \
  "<mujoco><option density='1000' gravity='0 0 0'/><worldbody><body><freejoint/>"                 \
  "<geom type='ellipsoid' size='.1 .2 .35' fluidshape='ellipsoid' fluidcoef='" coefficients "'/>" \
  "<geom type='capsule' size='.1 .2' pos='.3 .1 0' euler='20 30 40' fluidshape='ellipsoid' "      \
  "fluidcoef='" coefficients "'/></body></worldbody></mujoco>"

START_TEST(fluids_take_energy) {
  sn_model *list[] = {
    model_of("<mujoco><option density='1.2' viscosity='0.4'/><worldbody>" BODY("<freejoint/>", "")
                 BODY("<joint axis='1 2 3' pos='.4 0 0'/>", "") "</worldbody></mujoco>"),
    model_of(IN_WATER("0.5 0.25 1.5 1 1")), model_of(IN_WATER("1 0 2 0.5 0"))
  };
  for (int k = 0; k < 3; k++) {
    sn_data *d = data_of(list[k]);
    for (uint32_t seed = 1; seed < 30; seed++) {
      scramble(list[k], d, seed);
      ck_assert_double_lt(power(list[k], d), 0);
    }
    done_with(list[k], d);
  }
}
END_TEST

// Lift and added mass turn momentum round: they do no work.
START_TEST(lift_does_no_work) {
  sn_model *m = model_of(IN_WATER("0 0 0 1 1"));
  sn_data *d = data_of(m);
  for (uint32_t seed = 1; seed < 30; seed++) {
    scramble(m, d, seed);
    double work = power(m, d);
    ck_assert_double_gt(fabs(d->qfrc_passive[0]), 1e-3);
    ck_assert_double_le(fabs(work), 1e-11 * sn_norm3(d->qfrc_passive));
  }
  done_with(m, d);
}
END_TEST

// In still air what drifts with the wind feels nothing; and options may change at run time.
START_TEST(medium_is_read_when_it_is_needed) {
  static const char *const shape[] = { "none", "ellipsoid" };
  for (int k = 0; k < 2; k++) {
    char xml[512];
    snprintf(xml, sizeof xml,
             "<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .2 "
             ".3' fluidshape='%s'/></body></worldbody></mujoco>",
             shape[k]);
    sn_model *m = model_of(xml);
    sn_data *d = data_of(m);
    d->qvel[0] = 0.7;
    CLOSE(passive(m, d)[0], 0, 0);
    set_option(m, "density", "1.2");
    set_option(m, "viscosity", "0.1");
    ck_assert_double_lt(passive(m, d)[0], -1e-3);
    set_option(m, "wind", "0.7 0 0");
    CLOSE(passive(m, d)[0], 0, 0);
    done_with(m, d);
  }
}
END_TEST

// A box of one size: drag 2 rho r_j r_k v^2, viscous 6 pi beta mean(r) v.
START_TEST(boxes_have_the_documented_drag) {
  sn_model *m = model_of(
      "<mujoco><option density='1.2' viscosity='0.1'/><worldbody><body><freejoint/>"
      "<geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  d->qvel[1] = -2;
  CLOSE(passive(m, d)[1], 2 * 1.2 * 0.1 * 0.3 * 4 + 6 * SN_PI * 0.1 * 0.2 * 2, 1e-12);
  d->qvel[1] = 0;
  d->qvel[4] = 3;
  CLOSE(passive(m, d)[4],
        -0.5 * 1.2 * 0.2 * (pow(0.1, 4) + pow(0.3, 4)) * 9 - 8 * SN_PI * 0.1 * pow(0.2, 3) * 3,
        1e-12);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ plugins

static sn_status toy_apply(const void *self, const void *bound, const sn_data_view *data,
                           const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)state, (void)bound, (void)data, (void)scratch;
  qfrc[0] += 5;
  qfrc[1] = NAN;
  return SN_OK;
}

static const sn_passive_ops toy_ops = TOY_FORCE(toy_apply);

START_TEST(force_that_is_not_finite_is_taken_back) {
  ck_assert_int_ge(sn_engine_add(engine, SN_KIND_PASSIVE, "toy", &toy_ops, error), 0);
  sn_model *m = model_of("<mujoco><worldbody>" BODY(
      "<joint type='slide' damping='2'/><joint axis='1 0 0'/>", "") "</worldbody></mujoco>");
  sn_data *d = data_of(m);
  d->qvel[0] = 1;
  CLOSE(passive(m, d)[0], -2, 0);
  CLOSE(d->qfrc_passive[1], 0, 0);
  ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 1);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(scalar_joints_follow_hooke);
  TEST(balls_are_pulled_along_the_shortest_turn);
  TEST(free_bodies_can_be_held_by_springs);
  TEST(tendon_springs_have_a_dead_band);
  TEST(compensated_bodies_float);
  TEST(compensation_counts_with_actuators);
  TEST(fluids_take_energy);
  TEST(lift_does_no_work);
  TEST(medium_is_read_when_it_is_needed);
  TEST(boxes_have_the_documented_drag);
  TEST(force_that_is_not_finite_is_taken_back);
}
