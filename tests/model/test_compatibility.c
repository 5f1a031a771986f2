// SPDX-License-Identifier: Apache-2.0
//
// With `compatibility = mujoco-2.2` the errors of that version, which have closed forms; without it
// the right values.

#include <math.h>

#include "data/data.h"
#include "default_engine.h"
#include "dynamics/dynamics.h"
#include "model/model.h"
#include "sinew/math.h"
#include "suite.h"

#define NEAR(a, b, tol) ck_assert_double_eq_tol(a, b, tol)

static const char *const versions[] = { "none", "mujoco-2.2" };

static sn_model *model_as(int version, const char *text) {
  OK(sn_engine_set(engine, "option.compatibility", versions[version], error));
  return model_of(text);
}

// The second moments of a unit mass are 1/20, 1/20 and 1/80 m^2 along the principal axes, and the
// half sizes of the box that has them the roots of three times that.
START_TEST(mass_of_a_tetrahedron) {
  static const double mass[] = { 1000. / 6, 8000 * .15 * 0.19364916731037084 };
  sn_model *m = model_as(_i,
                         "<mujoco><asset><mesh name='t' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 "
                         "1 0 1 3 0 3 2 1 2 3'/></asset><worldbody><body><freejoint/><geom "
                         "type='mesh' mesh='t'/></body></worldbody></mujoco>");
  NEAR(m->body_mass[1], mass[_i], 1e-4);
  sn_model_free(m);
}
END_TEST

// A body that is rotated by an angle about x from what holds it, with a torquescale of 3.
START_TEST(weld) {
  static const double scale[] = { 3, 1 };
  const double angle = 0.4;
  sn_model *m = model_as(_i,
                         "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody>"
                         "<body name='a' mocap='true'/><body name='b'><freejoint/><geom "
                         "size='.1'/></body></worldbody><equality><weld body1='a' body2='b' "
                         "torquescale='3'/></equality></mujoco>");
  sn_data *d = data_of(m);
  d->qpos[3] = cos(angle / 2);
  d->qpos[4] = sin(angle / 2);
  OK(sn_forward(m, d));
  si_dyn_rne_post(m, d);
  NEAR(fabs(d->efc_pos[3]), scale[_i] * sin(angle / 2), 1e-12);

  // the body's acceleration is that of the rows' torque in either case
  const double *force = d->efc_force;
  const double torque = m->body_inertia[6] * d->qacc[3];
  ck_assert_double_gt(fabs(torque), 1e-6);
  const double reported = d->cfrc_ext[12];
  NEAR(reported, _i == 0 ? torque : -force[3], 1e-9 * fabs(force[3]));
  NEAR(fabs(torque), 1.5 * cos(angle / 2) * fabs(force[3]), 1e-9 * fabs(torque));
  done_with(m, d);
}
END_TEST

// Both sites move with the joint. The force along z at the one, 1 m beside the other, and its
// reaction make a torque about the joint.
START_TEST(sites_that_move_together) {
  static const double moment[] = { 0, -1 };
  sn_model *m = model_as(
      _i, "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1'/><site "
          "name='r'/><site name='s' pos='1 0 0'/></body></worldbody><actuator><general "
          "site='s' refsite='r' gear='0 0 1 0 0 0'/></actuator></mujoco>");
  sn_data *d = data_of(m);
  OK(sn_forward(m, d));
  double row[1];
  sn_full_actuator_moment(m, d, row);
  NEAR(row[0], moment[_i], 1e-12);
  done_with(m, d);
}
END_TEST

// The site is rotated by 1 rad about y in a body that is rotated by 90 degrees about x, the
// reference by the body alone: the rotation between them has the axis y in the reference's frame,
// and with the factors of the products in the wrong order the axis z.
START_TEST(rotation_between_sites) {
  static const double length[] = { 1, 0 }, other[] = { 0, 1 };
  sn_model *m = model_as(
      _i, "<mujoco><compiler angle='radian'/><worldbody><body quat='1 1 0 0'><joint "
          "axis='1 0 0'/><geom size='.1'/><site name='r'/><site name='s' euler='0 1 "
          "0'/></body></worldbody><actuator><general site='s' refsite='r' gear='0 0 0 "
          "0 1 0'/><general site='s' refsite='r' gear='0 0 0 0 0 1'/></actuator>"
          "</mujoco>");
  sn_data *d = data_of(m);
  OK(sn_forward(m, d));
  NEAR(d->actuator_length[0], length[_i], 1e-12);
  NEAR(fabs(d->actuator_length[1]), other[_i], 1e-12);
  done_with(m, d);
}
END_TEST

// The center of the sphere, and the end of the capsule, is 0.05 below a face of the box.
START_TEST(center_in_a_box) {
  static const double depth[] = { .4, .35 };
  OK(sn_engine_set(engine, "plugin.primitive.manifold", _i == 0 ? "true" : "false", error));
  sn_model *m = model_of("<mujoco><worldbody><geom type='box' size='1 1 1'/><body pos='.95 0 0'>"
                         "<freejoint/><geom size='.35'/></body><body pos='0 .5 1.15'><freejoint/>"
                         "<geom type='capsule' size='.35 .2'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  OK(sn_forward(m, d));
  ck_assert_int_ge(d->ncon, 2);
  for (int64_t i = 0; i < d->ncon; i++) {
    if (d->contact_geom1[i] == 0 || d->contact_geom2[i] == 0) {
      NEAR(d->contact_dist[i], -depth[_i], 1e-12);
    }
  }
  done_with(m, d);
}
END_TEST

enum { VERSIONS = sizeof versions / sizeof *versions };

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(mass_of_a_tetrahedron, 0, VERSIONS);
  EACH(weld, 0, VERSIONS);
  EACH(sites_that_move_together, 0, VERSIONS);
  EACH(rotation_between_sites, 0, VERSIONS);
  EACH(center_in_a_box, 0, VERSIONS);
}
