// SPDX-License-Identifier: Apache-2.0
//
// Gears with backlash against closed forms. With a constant impedance, the penetration x of a flank
// without other forces follows x'' + 2 x' / T + x / T^2 = 0, where solref is (T, 1):
//
//   x = v t exp(-t / T)    deepest |v| T / e, at t = T
//   the force, which cannot pull, ends at t = 2 T with x' = -v exp(-2)

#include <math.h>

#include "random_state.h"
#include "suite.h"

#define CONFIG(key, value) "<config key='" key "' value='" value "'/>"
#define GEAR(attributes, configs) \
  "<equality><plugin type='gear' name='g' " attributes ">" configs "</plugin></equality>"

// Two wheels with inertias 2 and 0.5; ratio 0.5.
static const char wheels[] =
    "<mujoco><option gravity='0 0 0' timestep='1e-5'/><worldbody>"
    "<body><joint name='a' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='2 2 2'/>"
    "</body><body><joint name='b' axis='0 0 1'/>"
    "<inertial pos='0 0 0' mass='1' diaginertia='.5 .5 .5'/></body></worldbody>" GEAR(
        "solref='.02 1' solimp='.9 .9 .001'",
        CONFIG("joint1", "a") CONFIG("joint2", "b") CONFIG("ratio", ".5")
            CONFIG("backlash", ".02")) "</mujoco>";

// The first wheel stays at rest until the second has crossed half of the free play, then leaves it
// with the restitution of a critically damped spring that cannot pull.
START_TEST(flank_hits_flank) {
  sn_model *m = model_of(wheels);
  sn_data *d = data_of(m);
  const double T = 0.02, speed = -0.5 * 3;
  double deepest = 0, ends = 0, begins = -1;
  d->qvel[1] = 3;
  for (int i = 0; i < 12000; i++) {
    const double e = d->qpos[0] - 0.5 * d->qpos[1];
    OK(sn_step(m, d));
    if (e > -0.01) {
      ck_assert_int_eq(d->nefc, 0);
    }
    if (begins < 0 && d->nefc == 0) {
      ck_assert_double_eq(d->qpos[0], 0);
    }
    if (d->nefc > 0) {
      ck_assert_int_eq(d->nefc, 1);
      ck_assert_int_eq(d->ne, 0);
      ck_assert_int_eq(d->nl, 1);
      ck_assert_int_eq(d->efc_type[0], SN_ROW_LIMIT_PLUGIN);
      ck_assert_int_eq(d->efc_id[0], 0);
      ck_assert_double_ge(d->efc_force[0], 0);
      deepest = fmin(deepest, d->efc_pos[0]);
      begins = begins < 0 ? d->time[0] : begins;
      ends = d->efc_force[0] > 0 ? d->time[0] : ends;
    }
    // the sum of both angular momenta, each at the speed of joint 2
    CLOSE(0.5 * 2 * d->qvel[0] + 0.5 * d->qvel[1], 1.5, 1e-12);
  }
  CLOSE(begins, 0.01 / 1.5, 2e-5);
  CLOSE(deepest, speed * T / exp(1), 1e-5);
  CLOSE(ends - begins, 2 * T, 1e-4);
  CLOSE(d->qvel[0] - 0.5 * d->qvel[1], -speed * exp(-2), 1e-3);
  done_with(m, d);
}
END_TEST

// A rack that rests on one flank of a gear that stands still: its weight penetrates by
// r = m g R / (k d) = g T^2 (1 - d).
START_TEST(weight_penetrates_as_its_impedance_says) {
  sn_model *m = model_of(
      "<mujoco><option timestep='.001' tolerance='0'/><worldbody><body><joint name='rack' "
      "type='slide' axis='0 0 1'/><geom size='.1' mass='3'/></body></worldbody>" GEAR(
          "solref='.02 1' solimp='.8 .8 .001'",
          CONFIG("joint1", "rack") CONFIG("backlash", ".05")) "</mujoco>");
  sn_data *d = data_of(m);
  for (int i = 0; i < 3000; i++) {
    OK(sn_step(m, d));
  }
  CLOSE(d->qpos[0], -0.025 - 9.81 * 0.02 * 0.02 * (1 - 0.8), 1e-10);
  CLOSE(d->qfrc_constraint[0], 3 * 9.81, 1e-9);

  // inverse dynamics finds that no other force acts
  sn_forward(m, d);
  sn_inverse(m, d);
  CLOSE(d->qfrc_inverse[0], 0, 1e-9);

  // disabled, it falls
  d->eq_enabled[0] = 0;
  sn_forward(m, d);
  ck_assert_int_eq(d->nefc, 0);
  CLOSE(d->qacc[0], -9.81, 1e-12);
  done_with(m, d);
}
END_TEST

START_TEST(flags_disable_limits) {
  static const char *const flags[] = { "limit", "equality", "constraint" };
  for (int i = 0; i < 3; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "<mujoco><option><flag %s='disable'/></option><worldbody><body><joint name='rack' "
             "type='slide' axis='0 0 1'/><geom size='.1' mass='3'/></body></worldbody>" GEAR(
                 "", CONFIG("joint1", "rack") CONFIG("backlash", ".05")) "</mujoco>",
             flags[i]);
    sn_model *m = model_of(text);
    sn_data *d = data_of(m);
    d->qpos[0] = -1;
    OK(sn_forward(m, d));
    ck_assert_int_eq(d->nefc, 0);
    done_with(m, d);
  }
}
END_TEST

// A pinion of radius r and inertia I lifts a rack of mass m: (m r^2 + I) alpha = tau - m g r.
START_TEST(pinion_lifts_a_rack) {
  sn_model *m = model_of(
      "<mujoco><option timestep='.001' tolerance='0'/><worldbody><body><joint name='rack' "
      "type='slide' axis='0 0 1'/><geom size='.1' mass='3'/></body><body pos='.1 0 0'>"
      "<joint name='pinion' axis='0 1 0'/><inertial pos='0 0 0' mass='1' "
      "diaginertia='.01 .01 .01'/></body></worldbody>" GEAR(
          "solref='.01 1'",
          CONFIG("joint1", "rack") CONFIG("joint2", "pinion") CONFIG("ratio", ".1")) "</mujoco>");
  sn_data *d = data_of(m);
  d->qfrc_applied[1] = 5;
  for (int i = 0; i < 1000; i++) {
    OK(sn_step(m, d));
  }
  sn_forward(m, d);
  const double alpha = (5 - 3 * 9.81 * 0.1) / (3 * 0.01 + 0.01);
  ck_assert_int_eq(d->ne, 1);
  CLOSE(d->qacc[1], alpha, 1e-8);
  CLOSE(d->qacc[0], 0.1 * alpha, 1e-9);
  CLOSE(d->qvel[0], 0.1 * d->qvel[1], 1e-9);
  CLOSE(d->qfrc_constraint[0], 3 * (9.81 + 0.1 * alpha), 1e-8);
  CLOSE(d->qfrc_constraint[1], -0.1 * d->qfrc_constraint[0], 1e-12);
  done_with(m, d);
}
END_TEST

// A third shaft that turns at 2 rad/s carries the joint along, without the lag b u / (k d) that a
// residual that moves has without its reference velocity.
START_TEST(third_shaft_turns) {
  sn_model *m = model_of(
      "<mujoco><option gravity='0 0 0' timestep='.001' tolerance='0'/><worldbody><body>"
      "<joint name='a'/><geom size='.1'/></body></worldbody>" GEAR(
          "solref='.02 1'", CONFIG("joint1", "a") CONFIG("speed", "2")) "</mujoco>");
  sn_data *d = data_of(m);
  for (int i = 0; i < 1000; i++) {
    OK(sn_step(m, d));
  }
  CLOSE(d->qvel[0], 2, 1e-9);
  CLOSE(d->qpos[0], 2 * d->time[0], 1e-9);
  OK(sn_forward(m, d));
  CLOSE(d->efc_velref[0], 2, 0);
  CLOSE(d->efc_aref[0], 0, 1e-6);
  done_with(m, d);
}
END_TEST

// Without backlash and with ratio 1 it is the constraint of joints that MJCF has.
START_TEST(equals_a_constraint_of_joints) {
#define ARMS(equality)                                                                          \
  "<mujoco><worldbody><body><joint name='a' axis='0 1 0' ref='.1'/><geom size='.1' pos='.2 0 .1'/>" \
  "<body pos='.5 0 0'><joint name='b' axis='0 1 1'/><geom size='.1' pos='.1 .3 0'/></body>"     \
  "</body></worldbody>" equality "</mujoco>"
  sn_model *m[2] = {
    model_of(ARMS(GEAR("", CONFIG("joint1", "a") CONFIG("joint2", "b")))),
    model_of(ARMS("<equality><joint joint1='a' joint2='b'/></equality>")),
  };
  sn_data *d[2] = { data_of(m[0]), data_of(m[1]) };
  for (int i = 0; i < 2; i++) {
    scramble(m[i], d[i], 5);
    OK(sn_forward(m[i], d[i]));
    ck_assert_int_eq(d[i]->ne, 1);
  }
  for (int k = 0; k < 2; k++) {
    CLOSE(d[0]->qacc[k], d[1]->qacc[k], 1e-12);
  }
  done_with(m[0], d[0]);
  done_with(m[1], d[1]);
}
END_TEST

// In a state in which a flank holds one wheel against the other.
START_TEST(solvers_agree) {
  static const char *const solvers[] = { "newton", "cg", "pgs" };
  double first[2];
  for (int i = 0; i < 3; i++) {
    sn_model *m = model_of(wheels);
    set_option(m, "solver", solvers[i]);
    set_option(m, "tolerance", "0");
    sn_data *d = data_of(m);
    d->qpos[0] = -0.03;
    d->qfrc_applied[1] = 2;
    OK(sn_forward(m, d));
    ck_assert_double_gt(d->efc_force[0], 0);
    for (int k = 0; k < 2; k++) {
      first[k] = i == 0 ? d->qacc[k] : first[k];
      CLOSE(d->qacc[k], first[k], 1e-9 * (1 + fabs(first[k])));
    }
    done_with(m, d);
  }
}
END_TEST

START_TEST(wrong_gears) {
#define ONE(configs)                                                                        \
  "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/><body><joint name='ball' "    \
  "type='ball'/><geom size='.1'/></body></body></worldbody>" GEAR("", configs) "</mujoco>"
  reject_text(ONE(""), "needs the attribute 'joint1', the name of a joint");
  reject_text(ONE(CONFIG("joint1", "ball")), "joint1 must be a hinge or a slide");
  reject_text(ONE(CONFIG("joint1", "a") CONFIG("joint2", "ball")), "joint2 must be a hinge");
  reject_text(ONE(CONFIG("joint1", "a") CONFIG("joint2", "a")), "two different joints");
  reject_text(ONE(CONFIG("joint1", "a") CONFIG("backlash", "-1")), "backlash");
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(flank_hits_flank);
  TEST(weight_penetrates_as_its_impedance_says);
  TEST(flags_disable_limits);
  TEST(pinion_lifts_a_rack);
  TEST(third_shaft_turns);
  TEST(equals_a_constraint_of_joints);
  TEST(solvers_agree);
  TEST(wrong_gears);
}
