// SPDX-License-Identifier: Apache-2.0
//
// sinew compare: what it measures against closed forms, which runs it makes, and its chart.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

static const double gravity = 9.81;   // m/s^2

static const json_node *choice(const output *o, int i) {
  const json_node *list = member(o, &o->doc.node[0], "choices");
  int32_t at = list->first;
  ck_assert_int_lt(i, list->count);
  while (i-- > 0) {
    at = o->doc.node[at].next;
  }
  return &o->doc.node[at];
}

static const char *name_of(const output *o, int i) {
  return member(o, choice(o, i), "name")->text;
}

static double measured(const output *o, int i, const char *measure, const char *what) {
  return number(o, member(o, choice(o, i), measure), what);
}

static output compare(const char *model, const char *arguments) {
  output o = call("compare %s -q --json %s", in_folder(model), arguments);
  expect(&o, 0);
  root(&o);
  return o;
}

// ------------------------------------------------------------------ closed forms

// A point mass of 2 kg on a rod of 1 m, that starts from rest at 1 rad.
static const char pendulum[] =
    "<mujoco><option timestep='0.001'/><worldbody><body><joint name='q' axis='0 1 0'/>"
    "<inertial pos='0 0 -1' mass='2' diaginertia='1e-9 1e-9 1e-9'/></body></worldbody>"
    "<keyframe><key name='start' qpos='1'/></keyframe></mujoco>";

// The largest of |qvel sin(qpos)| along the motion, from the energy: qvel^2 = 2 g (cos q - cos 1).
static double largest_product(void) {
  double most = 0;
  for (double q = 0; q < 1; q += 1e-4) {
    most = fmax(most, sin(q) * sqrt(2 * gravity * (cos(q) - cos(1))));
  }
  return most;
}

// Semi-implicit Euler conserves the energy less h/2 times its rate of potential energy, up to h^2
// (Hairer, Lubich, Wanner: Geometric Numerical Integration, IX.3), so the energy itself oscillates
// by h/2 m g l |qvel sin(qpos)|. The error of order 4 of Runge-Kutta is far below.
START_TEST(energy_of_a_pendulum_by_integrator) {
  const double expected = 0.5 * 0.001 * 2 * gravity * largest_product();
  put_text("pendulum.xml", pendulum);
  output o = compare("pendulum.xml", "--key start --time 4 --integrator euler,rk4");
  ck_assert_str_eq(name_of(&o, 0), "euler");
  ck_assert_str_eq(member(&o, choice(&o, 1), "integrator")->text, "rk4");
  ck_assert_double_eq_tol(fabs(measured(&o, 0, "energy_change", "max")), expected, 0.01 * expected);
  ck_assert_double_lt(fabs(measured(&o, 1, "energy_change", "max")), 1e-9);
  ck_assert(number(&o, choice(&o, 0), "steps") == 4000);
  done(&o);
}
END_TEST

// The error of Euler is of order 1: the differences of the steps 2 h and h from a run with a
// 500th of the step are as 2 to 1.
START_TEST(difference_from_a_fine_run_has_the_order_of_the_integrator) {
  put_text("pendulum.xml", pendulum);
  output o = compare("pendulum.xml", "--key start --time 1 --set integrator=euler --fine 500 "
                                     "--vary timestep=0.002,0.001");
  ck_assert_str_eq(name_of(&o, 1), "timestep=0.001");
  ck_assert(member(&o, choice(&o, 2), "reference")->number != 0);
  ck_assert(number(&o, choice(&o, 2), "steps") == 250000);
  ck_assert(measured(&o, 2, "position_difference", "max") == 0);
  const double two = measured(&o, 0, "position_difference", "max");
  const double one = measured(&o, 1, "position_difference", "max");
  ck_assert_double_eq_tol(two / one, 2, 0.02);
  // qpos runs ahead by half a step
  const double fastest = sqrt(2 * gravity * (1 - cos(1)));
  ck_assert_double_eq_tol(one, 0.5 * 0.001 * fastest, 0.02 * 0.5 * 0.001 * fastest);
  done(&o);
}
END_TEST

// A box on four contacts: depth = g (1 - d) (dmax T)^2 / (4 d^2), with T of solref and d = dmax of
// solimp, whatever its mass.
START_TEST(penetration_of_a_box_by_solref) {
  put_text("box.xml", "<mujoco><worldbody><geom type='plane' size='5 5 .1' condim='1'/>"
                      "<body pos='0 0 .1'><freejoint/>"
                      "<geom type='box' size='.1 .1 .1' mass='2' condim='1'/></body>"
                      "</worldbody></mujoco>");
  output o = compare("box.xml", "--time 3 --set override=on --set 'o_solimp=0.9 0.9 0.001 0.5 2' "
                                "--vary 'o_solref=0.02 1,0.01 1,0.04 1'");
  const double times[] = { 0.02, 0.01, 0.04 };
  for (int i = 0; i < 3; i++) {
    const double d = 0.9, depth = gravity * (1 - d) * pow(d * times[i], 2) / (4 * d * d);
    ck_assert_double_eq_tol(measured(&o, i, "penetration", "end"), depth, 1e-6 * depth);
    ck_assert(measured(&o, i, "contacts", "end") == 4);
    ck_assert_double_lt(measured(&o, i, "momentum_change", "end"), 1e-6);
  }
  done(&o);
}
END_TEST

// Momentum of a free body under gravity: m g t; its angular momentum stays. And a joint far outside
// of its range violates it by as much.
START_TEST(momentum_and_violation) {
  put_text("fall.xml", "<mujoco><option timestep='0.01'/><worldbody><body><freejoint/>"
                       "<geom type='box' size='.1 .2 .3' mass='3'/></body>"
                       "<body pos='3 0 0'><joint type='slide' axis='1 0 0' limited='true' "
                       "range='0.5 2'/><geom size='.1' mass='1'/></body></worldbody>"
                       "<keyframe><key qpos='0 0 0 1 0 0 0 0' qvel='0 0 0 1 .1 0 0'/></keyframe>"
                       "</mujoco>");
  output o = compare("fall.xml", "--key 0 --steps 50 --integrator rk4 --set gravity='0 0 -10'");
  const json_node *at = member(&o, member(&o, choice(&o, 0), "violation"), "at");
  ck_assert_double_eq_tol(o.doc.node[at->first].number, 0.5, 1e-12);
  ck_assert_int_eq(at->count, 51);
  done(&o);
  o = compare("fall.xml", "--key 0 --steps 50 --set limit=off --set gravity='0 0 -10' --fine 2");
  // 3 kg fall, 1 kg on a slide does not
  ck_assert_double_eq_tol(measured(&o, 0, "momentum_change", "end"), 3 * 10 * 0.5, 1e-9);
  ck_assert(measured(&o, 0, "violation", "max") == 0);
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ choices

START_TEST(lists_are_combined) {
  output o = call("compare pendulum -q --json --steps 20 --solver newton,pgs "
                  "--integrator euler,rk4 --profile none,mujoco-2.2");
  expect(&o, 0);
  static const char *const names[] = { "newton euler none", "newton euler mujoco-2.2",
                                       "newton rk4 none",   "newton rk4 mujoco-2.2",
                                       "pgs euler none",    "pgs euler mujoco-2.2",
                                       "pgs rk4 none",      "pgs rk4 mujoco-2.2" };
  ck_assert_int_eq(member(&o, root(&o), "choices")->count, 8);
  for (int i = 0; i < 8; i++) {
    ck_assert_str_eq(name_of(&o, i), names[i]);
  }
  ck_assert_str_eq(member(&o, choice(&o, 4), "solver")->text, "pgs");
  ck_assert_str_eq(member(&o, choice(&o, 7), "profile")->text, "mujoco-2.2");
  done(&o);
}
END_TEST

START_TEST(repeated_vary_is_an_axis) {
  output o = call("compare pendulum -q --json --steps 4 --vary timestep=0.001,0.002 "
                  "--vary iterations=1,100");
  expect(&o, 0);
  static const char *const names[] = { "timestep=0.001 iterations=1",
                                       "timestep=0.001 iterations=100",
                                       "timestep=0.002 iterations=1",
                                       "timestep=0.002 iterations=100" };
  ck_assert_int_eq(member(&o, root(&o), "choices")->count, 4);
  for (int i = 0; i < 4; i++) {
    ck_assert_str_eq(name_of(&o, i), names[i]);
  }
  done(&o);
}
END_TEST

// Each choice loads the model, but standard input can be read once only.
START_TEST(model_from_standard_input) {
  output o = call("compare - -q --json --steps 4 --solver newton,cg <" SN_TEST_SOURCE
                  "/samples/models/stack.xml");
  expect(&o, 0);
  root(&o);
  ck_assert_str_eq(name_of(&o, 1), "cg");
  ck_assert(number(&o, choice(&o, 1), "steps") == 4);
  done(&o);
}
END_TEST

// The states are those of `sinew run`.
START_TEST(runs_are_those_of_run) {
  output o = call("compare stack -q --json --steps 40 --solver pgs,newton --collision ccd");
  expect(&o, 0);
  root(&o);
  output r = call("run stack -q --json --steps 40 --set solver=newton --set convex=ccd");
  expect(&r, 0);
  const json_node *run = root(&r);
  const json_node *c = choice(&o, 1);
  ck_assert(measured(&o, 1, "energy_change", "end") ==
            number(&r, member(&r, run, "energy"), "change"));
  ck_assert(number(&o, c, "contacts_per_step") == number(&r, member(&r, run, "contacts"), "mean"));
  ck_assert(number(&o, c, "iterations_per_step") ==
            number(&r, member(&r, run, "iterations"), "mean"));
  ck_assert_double_gt(measured(&o, 1, "position_difference", "max"), 0);
  ck_assert_double_gt(number(&o, c, "seconds_per_step"), 0);
  done(&o);
  done(&r);
}
END_TEST

static const struct {
  const char *arguments, *says;
  int status;
} wrong_calls[] = {
  { "pendulum", "nothing to compare", 2 },
  { "pendulum --solver newton,,cg", "empty value", 2 },
  { "pendulum --solver newton,newtom --steps 3", "newtom", 1 },
  { "pendulum --vary timestep", "NAME=A,B", 2 },
  { "pendulum --vary timestep=1,2,3,4,5,6,7,8,9 --solver a,b,c,d,e,f,g,h", "more than 64", 2 },
  { "pendulum --solver newton --steps 3 --plot chart.txt", ".svg, .png or .pdf", 2 },
};
enum { NWRONG_CALLS = sizeof wrong_calls / sizeof wrong_calls[0] };

START_TEST(wrong_calls_are_named) {
  output o = call("compare %s 2>&1 > /dev/null", wrong_calls[_i].arguments);
  expect(&o, wrong_calls[_i].status);
  ck_assert_msg(strstr(o.text, wrong_calls[_i].says) != NULL, "%s", o.text);
  done(&o);
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  TEST(energy_of_a_pendulum_by_integrator);
  TEST(difference_from_a_fine_run_has_the_order_of_the_integrator);
  TEST(penetration_of_a_box_by_solref);
  TEST(momentum_and_violation);
  TEST(lists_are_combined);
  TEST(repeated_vary_is_an_axis);
  TEST(model_from_standard_input);
  TEST(runs_are_those_of_run);
  EACH(wrong_calls_are_named, 0, NWRONG_CALLS);
}
