// SPDX-License-Identifier: Apache-2.0
//
// Every solver with every integrator, cone and Jacobian: a thousand steps of a humanoid and of a
// model with every kind of row, without a warning; and the first steps out of contact are those of
// the reference engine.
//
// The problem has one solution. Here every solver goes on until nothing improves, in the reference
// Newton's method does, and the states may differ by what is left and by its growth over the steps.
// Where a solver stops early, by its tolerance, it stops where the reference does: the algorithms
// are documented, and the line search is exact.

#include "pair.h"

static const char *const models[] = { "/usr/share/mujoco/model/humanoid/humanoid.xml",
                                      SN_TEST_SOURCE "/samples/models/rows.xml" };
static const char *const solvers[] = { "newton", "cg", "pgs" };
static const char *const integrators[] = { "euler", "implicit", "rk4", "implicitfast" };
static const int their_integrator[] = { mjINT_EULER, mjINT_IMPLICIT, mjINT_RK4 };   // no fourth
static const char *const cones[] = { "pyramidal", "elliptic" };
static const char *const jacobians[] = { "dense", "sparse" };
enum { NMODEL = 2, NSOLVER = 3, NINTEGRATOR = 4, NCONE = 2, NJACOBIAN = 2 };
enum { NCOMBINATION = NMODEL * NSOLVER * NINTEGRATOR * NCONE * NJACOBIAN };

typedef struct combination {
  int model, solver, integrator, cone, jacobian;
  char text[128];
} combination;

static combination choose(int i) {
  combination c = { .jacobian = i % NJACOBIAN,
                    .cone = i / NJACOBIAN % NCONE,
                    .integrator = i / (NJACOBIAN * NCONE) % NINTEGRATOR,
                    .solver = i / (NJACOBIAN * NCONE * NINTEGRATOR) % NSOLVER,
                    .model = i / (NJACOBIAN * NCONE * NINTEGRATOR * NSOLVER) };
  snprintf(c.text, sizeof c.text, "%s, %s, %s, %s, %s", c.model ? "rows" : "humanoid",
           solvers[c.solver], integrators[c.integrator], cones[c.cone], jacobians[c.jacobian]);
  return c;
}

static void open_combination(pair *p, const combination *c) {
  ck_assert(open_pair(p, models[c->model]));
  set_ours(p, "solver", solvers[c->solver]);
  set_ours(p, "integrator", integrators[c->integrator]);
  set_ours(p, "cone", cones[c->cone]);
  set_ours(p, "jacobian", jacobians[c->jacobian]);
  p->m->opt.integrator = their_integrator[c->integrator < 3 ? c->integrator : 0];
  p->m->opt.cone = c->cone ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  p->m->opt.jacobian = c->jacobian ? mjJAC_SPARSE : mjJAC_DENSE;
  p->m->opt.solver = mjSOL_NEWTON;
  p->m->opt.tolerance = 0;
  p->m->opt.iterations = 100;
}

START_TEST(a_thousand_steps) {
  combination c = choose(_i);
  pair p;
  int64_t most = 0;
  open_combination(&p, &c);
  if (c.model) {
    ck_assert_int_eq(sn_reset_key(p.model, p.data, 0), SN_OK);
  }
  for (int step = 1; step <= 1000; step++) {
    move_controls(p.m, sn_ctrl(p.data), step);
    ck_assert_msg(sn_step(p.model, p.data) == SN_OK, "%s: step %d: %s", c.text, step,
                  sn_error_message(sn_data_error(p.data)));
    most = sn_nefc(p.data) > most ? sn_nefc(p.data) : most;
  }
  for (int w = 0; w < SN_NWARNINGS; w++) {
    ck_assert_msg(sn_warnings(p.data, w) == 0, "%s: %s", c.text, sn_warning_name(w));
  }
  ck_assert_int_gt(most, 10);
  // nothing was thrown about
  ck_assert_msg(largest(sn_qvel(p.data), p.m->nv) < 100, "%s: velocity %g", c.text,
                largest(sn_qvel(p.data), p.m->nv));
  close_pair(&p);
}
END_TEST

START_TEST(first_steps_agree) {
  static const double tolerance[NSOLVER] = { 1e-9, 1e-7, 1e-7 };
  static const char *const iterations[NSOLVER] = { "100", "2000", "3000" };
  enum { BEFORE = 350, STEPS = 8 };
  combination c = choose(_i);
  pair p;
  open_combination(&p, &c);
  if (c.integrator < 3) {
    set_ours(&p, "tolerance", "0");
    set_ours(&p, "iterations", iterations[c.solver]);
    if (c.model) {
      mj_resetDataKeyframe(p.m, p.d, 0);
    }
    // until there are contacts
    for (int step = 1; step <= (c.model ? 20 : BEFORE); step++) {
      mj_step(p.m, p.d);
    }
    follow(&p);
    for (int step = 1; step <= STEPS; step++) {
      move_controls(p.m, p.d->ctrl, step);
      move_controls(p.m, sn_ctrl(p.data), step);
      mj_step(p.m, p.d);
      ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
    }
    ck_assert_int_gt(p.d->ncon, 0);
    ck_assert_int_eq(sn_nefc(p.data), p.d->nefc);
    same_array(c.text, "qpos", sn_qpos(p.data), p.d->qpos, p.m->nq, tolerance[c.solver]);
    same_array(c.text, "qvel", sn_qvel(p.data), p.d->qvel, p.m->nv, tolerance[c.solver]);
  }
  close_pair(&p);
}
END_TEST

// A loose tolerance, from the same states: as many iterations, and the same acceleration.
START_TEST(stops_where_the_reference_does) {
  static const struct {
    const char *solver;
    int theirs, cone;
    double tolerance;
  } cases[] = { { "cg", mjSOL_CG, mjCONE_PYRAMIDAL, 1e-7 },
                { "cg", mjSOL_CG, mjCONE_ELLIPTIC, 3e-5 },
                { "pgs", mjSOL_PGS, mjCONE_PYRAMIDAL, 1e-9 } };
  int seen = 0;
  pair p;
  ck_assert(open_pair(&p, models[0]));
  set_ours(&p, "solver", cases[_i].solver);
  set_ours(&p, "tolerance", "1e-6");
  set_ours(&p, "iterations", "50");
  set_ours(&p, "cone", cases[_i].cone == mjCONE_ELLIPTIC ? "elliptic" : "pyramidal");
  p.m->opt.solver = cases[_i].theirs;
  p.m->opt.tolerance = 1e-6;
  p.m->opt.iterations = 50;
  p.m->opt.cone = cases[_i].cone;
  for (int step = 1; step <= 400; step++) {
    move_controls(p.m, p.d->ctrl, step);
    follow(&p);
    mj_step(p.m, p.d);
    ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
    if (p.d->solver_iter > 10 && sn_nefc(p.data) == p.d->nefc) {
      char where[64];
      snprintf(where, sizeof where, "%s, step %d", cases[_i].solver, step);
      ck_assert_msg(sn_solver_iter(p.data) == p.d->solver_iter, "%s: %d iterations, not %d", where,
                    (int)sn_solver_iter(p.data), p.d->solver_iter);
      same_array(where, "qacc", sn_qacc(p.data), p.d->qacc, p.m->nv, cases[_i].tolerance);
      seen++;
    }
  }
  ck_assert_int_gt(seen, 100);
  close_pair(&p);
}
END_TEST

// A warm start that is within the tolerance is improved nevertheless. Kept as it is, what rounding
// leaves of a flat falling cloth would grow fourfold in each step.
START_TEST(rounding_does_not_grow) {
  pair p;
  ck_assert(open_pair(&p, "/usr/share/mujoco/model/composite/cloth.xml"));
  for (int step = 1; step <= 100; step++) {
    mj_step(p.m, p.d);
    ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
  }
  ck_assert_int_eq(p.d->ncon, 0);
  same_array("cloth", "qvel", sn_qvel(p.data), p.d->qvel, p.m->nv, 1e-11);
  close_pair(&p);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("combinations");
  TCase *tcase = tcase_create("all");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, a_thousand_steps, 0, NCOMBINATION);
  tcase_add_loop_test(tcase, first_steps_agree, 0, NCOMBINATION);
  suite_add_tcase(suite, tcase);
  TCase *stops = tcase_create("stops");
  tcase_set_timeout(stops, 120);
  tcase_add_loop_test(stops, stops_where_the_reference_does, 0, 3);
  tcase_add_test(stops, rounding_does_not_grow);
  suite_add_tcase(suite, stops);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
