// SPDX-License-Identifier: Apache-2.0
//
// Welds: the residual in closed form, its Jacobian against finite differences, and the forces on
// the bodies that are held, which of free bodies are all that there are.

#include <math.h>

#include "data/data.h"
#include "default_engine.h"
#include "dynamics/dynamics.h"
#include "model/model.h"
#include "sinew/math.h"
#include "suite.h"

// two free bodies, turned in each other, with sites that are turned in them
#define WELD(equality)                                                                 \
  "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><default><geom "         \
  "contype='0'/></default><worldbody><body name='a' pos='.1 .2 .3' euler='.3 -.2 .5'>" \
  "<freejoint/><geom type='box' size='.1 .2 .3'/><site name='r' pos='.1 .2 .3' "       \
  "euler='.2 .4 .6'/></body><body name='b' pos='.4 .1 0' euler='.5 .1 0'><freejoint/>" \
  "<geom type='box' size='.1 .1 .2'/><site name='s' pos='.2 .1 .1' euler='.5 .3 .2'/>" \
  "</body></worldbody><equality><weld " equality "/></equality></mujoco>"

static const char *const welds[] = {
  WELD("body1='a' body2='b' torquescale='3' relpose='.1 .2 0 1 .2 .1 0'"),
  WELD("body1='b' body2='a' torquescale='.5' anchor='.1 0 .2' relpose='.1 .2 0 1 0 .1 .3'"),
  WELD("site1='r' site2='s' torquescale='3'"),
  WELD("site1='s' site2='r'"),
};
enum { WELDS = sizeof welds / sizeof *welds, ROWS = 6, NV = 12 };

// The residual after the positions moved along dof i by a step.
static void moved_residual(const sn_model *m, sn_data *d, const double *qpos0, int i, double step,
                           double *residual) {
  double along[NV] = { 0 };
  along[i] = step;
  memcpy(d->qpos, qpos0, (size_t)m->nq * sizeof *qpos0);
  sn_integrate_position(m, d->qpos, along, 1);
  OK(sn_forward_position(m, d));
  memcpy(residual, d->efc_pos, ROWS * sizeof *residual);
}

START_TEST(rows_are_derivatives_of_the_residual) {
  const double step = 1e-6;
  sn_model *m = model_of(welds[_i]);
  sn_data *d = data_of(m);
  double qpos[14], J[ROWS * NV];
  OK(sn_forward_position(m, d));
  ck_assert_int_eq(d->nefc, ROWS);
  memcpy(qpos, d->qpos, sizeof qpos);
  sn_full_constraint_jacobian(m, d, J);
  for (int i = 0; i < NV; i++) {
    double low[ROWS], high[ROWS];
    moved_residual(m, d, qpos, i, -step, low);
    moved_residual(m, d, qpos, i, step, high);
    for (int k = 0; k < ROWS; k++) {
      double difference = (high[k] - low[k]) / (2 * step);
      ck_assert_msg(fabs(J[NV * k + i] - difference) < 1e-8, "row %d, dof %d: %.9g instead of %.9g",
                    k, i, J[NV * k + i], difference);
    }
  }
  done_with(m, d);
}
END_TEST

// torquescale sin(angle/2) axis, of the turn from the second site to the first, on the axes of the
// second site.
START_TEST(residual_of_sites) {
  sn_model *m = model_of(welds[2]);
  sn_data *d = data_of(m);
  double relative[9], quat[4];
  OK(sn_forward_position(m, d));
  sn_mul_matT_mat3(relative, d->site_xmat + 9, d->site_xmat);
  sn_mat_quat(quat, relative);
  for (int k = 0; k < 3; k++) {
    double want = 3 * (quat[0] < 0 ? -quat[1 + k] : quat[1 + k]);
    ck_assert_double_eq_tol(d->efc_pos[3 + k], want, 1e-12);
  }
  done_with(m, d);
}
END_TEST

// A free body hangs on nothing: no force is transmitted by its joint.
START_TEST(forces_on_free_bodies) {
  sn_model *m = model_of(welds[_i]);
  sn_data *d = data_of(m);
  OK(sn_forward(m, d));
  si_dyn_rne_post(m, d);
  double largest = 0;
  for (int k = 0; k < ROWS; k++) {
    largest = fmax(largest, fabs(d->efc_force[k]));
  }
  ck_assert_double_gt(largest, 1);
  for (int k = 6; k < 18; k++) {
    ck_assert_double_le(fabs(d->cfrc_int[k]), 1e-9 * largest);
  }
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(rows_are_derivatives_of_the_residual, 0, WELDS);
  TEST(residual_of_sites);
  EACH(forces_on_free_bodies, 0, WELDS);
}
