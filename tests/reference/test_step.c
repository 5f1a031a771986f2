// SPDX-License-Identifier: Apache-2.0
//
// Sinew against the reference engine, in one process, on the scenes of scenes.h: the quantities of
// the forward dynamics at a state, and the trajectory over some steps.
//
// Both solve the constraint problem to the end (Newton's method, tolerance 0), so that what is
// compared does not depend on when a solver stops. Two correct engines still drift apart, as fast
// as the motion is unstable. That speed is measured: the reference runs again from a velocity that
// is changed by 1e-13, and the difference of the engines may reach a multiple of what comes of it.

#include <check.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "sinew/sinew.h"

enum { STEPS = 100, NCHECKPOINTS = 7 };
static const int checkpoints[NCHECKPOINTS] = { 1, 2, 5, 10, 20, 50, STEPS };
static const double forward_tolerance = 1e-9;   // relative to the largest number of an array
// the same with meshes, whose vertices the reference keeps in single precision
static const double mesh_tolerance = 1e-7;
static const double solved_tolerance = 1e-6;    // the same, for what the solver found
static const double rounding = 1e-11;   // of a trajectory, relative; with meshes mesh_tolerance
static const double perturbation = 1e-13;
static const double drift_factor = 1e3;   // allowed drift, in drifts of the perturbed run
static const double chaotic = 1e-2;       // a larger allowance judges nothing

typedef struct pair {
  sn_engine *engine;
  sn_error *error;
  sn_model *model;
  sn_data *data;
  mjModel *m;
  mjData *d, *perturbed;
} pair;

// ------------------------------------------------------------------ setting up

static void quiet(const char *message) {
  (void)message;
}

static void set(pair *p, const char *name, const char *value) {
  ck_assert_msg(sn_option_set(p->model, name, value, p->error) >= 0, "%s=%s: %s", name, value,
                sn_error_text(p->error));
}

// False when the scene is not required and uses what is not built.
static int open_pair(pair *p, const scene *s) {
  char why[300] = "";
  memset(p, 0, sizeof *p);
  mju_user_warning = quiet;
  p->error = sn_error_new();
  p->engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", p->error);
  ck_assert_msg(p->engine != NULL, "%s", sn_error_text(p->error));
  p->model = sn_load(p->engine, s->path, p->error);
  if (!p->model) {
    ck_assert_msg(!(s->flags & SCENE_REQUIRED) && sn_error_code(p->error) == SN_EUNSUPPORTED, "%s",
                  sn_error_text(p->error));
    return 0;
  }
  set(p, "solver", "newton");
  set(p, "tolerance", "0");
  set(p, "iterations", "100");
  set(p, "noslip_iterations", "0");
  p->data = sn_data_new(p->model, p->error);
  ck_assert_ptr_nonnull(p->data);
  p->m = mj_loadXML(s->path, NULL, why, sizeof why);
  ck_assert_msg(p->m != NULL, "%s", why);
  p->m->opt.solver = mjSOL_NEWTON;
  p->m->opt.tolerance = 0;
  p->m->opt.iterations = 100;
  p->m->opt.noslip_iterations = 0;
  p->m->opt.enableflags |= mjENBL_ENERGY;
  p->d = mj_makeData(p->m);
  p->perturbed = mj_makeData(p->m);
  ck_assert_int_eq(sn_nq(p->model), p->m->nq);
  ck_assert_int_eq(sn_nv(p->model), p->m->nv);
  ck_assert_int_eq(sn_nu(p->model), p->m->nu);
  ck_assert_int_eq(sn_na(p->model), p->m->na);

  // ranges of lengths are found by simulation, each engine's own: what follows starts from one
  for (int i = 0; i < 2 * p->m->nu; i++) {
    double ours = sn_actuator_lengthrange(p->model)[i], theirs = p->m->actuator_lengthrange[i];
    ck_assert_msg(fabs(ours - theirs) <= 1e-6 * fmax(1, fabs(theirs)),
                  "%s: actuator_lengthrange[%d] is %g instead of %g", s->name, i, ours, theirs);
    p->m->actuator_lengthrange[i] = ours;
  }
  if (s->key >= 0) {
    ck_assert_int_eq(sn_reset_key(p->model, p->data, s->key), SN_OK);
    mj_resetDataKeyframe(p->m, p->d, s->key);
  }
  return 1;
}

static void close_pair(pair *p) {
  mj_deleteData(p->perturbed);
  mj_deleteData(p->d);
  mj_deleteModel(p->m);
  sn_data_free(p->data);
  if (p->model) {
    sn_model_free(p->model);
  }
  sn_engine_close(p->engine);
  sn_error_free(p->error);
}

// a signal over the range of each control
static void set_controls(const mjModel *m, double *ctrl, int step) {
  for (int i = 0; i < m->nu; i++) {
    double s = 0.3 * sin(0.1 * step + i);
    const double *range = m->actuator_ctrlrange + 2 * i;
    ctrl[i] = m->actuator_ctrllimited[i] ? 0.5 * (range[0] + range[1] + s * (range[1] - range[0]))
                                         : s;
  }
}

// ------------------------------------------------------------------ comparing

static double largest(const double *x, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

static double difference(const double *x, const double *y, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; i++) {
    double d = fabs(x[i] - y[i]);
    most = d <= most ? most : d;   // keeps NaN
  }
  return most;
}

static void check_array(const scene *s, const char *name, const double *ours, const double *theirs,
                        int64_t n, double tolerance) {
  double off = difference(ours, theirs, n), allowed = tolerance * fmax(1, largest(theirs, n));
  ck_assert_msg(off <= allowed, "%s: %s differs by %g, %g is allowed", s->name, name, off, allowed);
}

static void check_inertia(const scene *s, pair *p) {
  int64_t nv = sn_nv(p->model);
  double *ours = calloc((size_t)(nv * nv) + 1, sizeof *ours);
  double *theirs = calloc((size_t)(nv * nv) + 1, sizeof *theirs);
  sn_full_inertia(p->model, p->data, ours);
  mj_fullM(p->m, theirs, p->d->qM);
  check_array(s, "qM", ours, theirs, nv * nv, p->m->nmesh ? mesh_tolerance : forward_tolerance);
  free(ours);
  free(theirs);
}

// ------------------------------------------------------------------ tests

START_TEST(test_forward) {
  const scene *s = &scenes[_i];
  pair p;
  if (open_pair(&p, s)) {
    sn_data *a = p.data;
    mjData *b = p.d;
    int64_t nbody = p.m->nbody, nv = p.m->nv;
    double tolerance = p.m->nmesh ? mesh_tolerance : forward_tolerance;
    double *dq = calloc((size_t)nv + 1, sizeof *dq);
    // some displacement and velocity, the same for both
    for (int64_t i = 0; i < nv; i++) {
      dq[i] = 0.03 * sin(1.7 * (double)i + 0.3);
      b->qvel[i] = 0.2 * cos(2.3 * (double)i);
    }
    mj_integratePos(p.m, b->qpos, dq, 1);
    free(dq);
    set_controls(p.m, b->ctrl, 7);
    memcpy(sn_qpos(a), b->qpos, (size_t)p.m->nq * sizeof(double));
    memcpy(sn_qvel(a), b->qvel, (size_t)nv * sizeof(double));
    memcpy(sn_ctrl(a), b->ctrl, (size_t)p.m->nu * sizeof(double));
    ck_assert_int_ge(sn_forward(p.model, a), 0);
    ck_assert_int_ge(sn_compute_energy(p.model, a), 0);
    mj_forward(p.m, b);

    check_array(s, "xpos", sn_xpos(a), b->xpos, 3 * nbody, tolerance);
    check_array(s, "xmat", sn_xmat(a), b->xmat, 9 * nbody, tolerance);
    check_array(s, "xipos", sn_xipos(a), b->xipos, 3 * nbody, tolerance);
    check_array(s, "geom_xpos", sn_geom_xpos(a), b->geom_xpos, 3 * p.m->ngeom, tolerance);
    check_array(s, "geom_xmat", sn_geom_xmat(a), b->geom_xmat, 9 * p.m->ngeom, tolerance);
    check_array(s, "subtree_com", sn_subtree_com(a), b->subtree_com, 3 * nbody, tolerance);
    check_inertia(s, &p);
    check_array(s, "cvel", sn_cvel(a), b->cvel, 6 * nbody, tolerance);
    check_array(s, "qfrc_bias", sn_qfrc_bias(a), b->qfrc_bias, nv, tolerance);
    check_array(s, "qfrc_passive", sn_qfrc_passive(a), b->qfrc_passive, nv, tolerance);
    check_array(s, "qfrc_actuator", sn_qfrc_actuator(a), b->qfrc_actuator, nv, tolerance);
    check_array(s, "qacc_smooth", sn_qacc_smooth(a), b->qacc_smooth, nv, solved_tolerance);
    check_array(s, "energy", sn_energy(a), b->energy, 2, tolerance);
    ck_assert_msg(sn_ncon(a) == b->ncon, "%s: %lld contacts instead of %d", s->name,
                  (long long)sn_ncon(a), b->ncon);
    ck_assert_msg(sn_nefc(a) == b->nefc, "%s: %lld rows instead of %d", s->name,
                  (long long)sn_nefc(a), b->nefc);
    check_array(s, "qacc", sn_qacc(a), b->qacc, nv, solved_tolerance);
    check_array(s, "qfrc_constraint", sn_qfrc_constraint(a), b->qfrc_constraint, nv,
                solved_tolerance);
    if (p.m->nsensordata) {
      check_array(s, "sensordata", sn_sensordata(a), b->sensordata, p.m->nsensordata,
                  solved_tolerance);
    }
  }
  close_pair(&p);
}
END_TEST

// compares the states; false when the motion is too unstable to say anything
static int check_states(const scene *s, const pair *p, int step) {
  const mjModel *m = p->m;
  const struct {
    const char *name;
    const double *ours, *theirs, *perturbed;
    int64_t n;
  } parts[] = {
    { "qpos", sn_qpos(p->data), p->d->qpos, p->perturbed->qpos, m->nq },
    { "qvel", sn_qvel(p->data), p->d->qvel, p->perturbed->qvel, m->nv },
  };
  double exact = m->nmesh ? mesh_tolerance : rounding;
  for (int i = 0; i < 2; i++) {
    double scale = fmax(1, largest(parts[i].theirs, parts[i].n));
    double drift = difference(parts[i].theirs, parts[i].perturbed, parts[i].n);
    double allowed = exact * scale + drift_factor * drift;
    double off = difference(parts[i].ours, parts[i].theirs, parts[i].n);
    if (!(allowed < chaotic * scale)) {
      return 0;
    }
    ck_assert_msg(off <= allowed, "%s: after step %d %s differs by %g, %g is allowed", s->name,
                  step, parts[i].name, off, allowed);
  }
  return 1;
}

START_TEST(test_trajectory) {
  const scene *s = &scenes[_i];
  pair p;
  if (open_pair(&p, s)) {
    int next = 0, judged = 0;
    mj_copyData(p.perturbed, p.m, p.d);
    for (int i = 0; i < p.m->nv; i++) {
      p.perturbed->qvel[i] += i % 2 ? perturbation : -perturbation;
    }
    for (int step = 1; step <= STEPS && next >= 0; step++) {
      set_controls(p.m, sn_ctrl(p.data), step);
      set_controls(p.m, p.d->ctrl, step);
      set_controls(p.m, p.perturbed->ctrl, step);
      ck_assert_int_ge(sn_step(p.model, p.data), 0);
      mj_step(p.m, p.d);
      mj_step(p.m, p.perturbed);
      if (step == checkpoints[next]) {
        int calm = check_states(s, &p, step);
        judged += calm;
        next = calm && next + 1 < NCHECKPOINTS ? next + 1 : -1;
      }
    }
    // some scenes of the reference are chaotic from the start
    int least = s->flags & SCENE_REQUIRED ? 3 : 1;
    ck_assert_msg(judged >= least, "%s: only %d checkpoints say anything", s->name, judged);
    ck_assert_double_eq_tol(sn_time(p.data)[0], p.d->time, 1e-12);
  }
  close_pair(&p);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("step");
  TCase *tcase = tcase_create("scenes");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, test_forward, 0, NSCENES);
  tcase_add_loop_test(tcase, test_trajectory, 0, NSCENES);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
