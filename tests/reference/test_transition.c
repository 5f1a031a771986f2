// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of a step, against differences that are taken here, step by step from scratch, and
// against those of the reference engine; and what the function promises: the data is left as it
// was found, controls at the end of their range are changed inwards.

#include "model_file.h"
#include "reference/pair.h"
#include "suite.h"

static const char *const integrators[] = { "euler", "implicit", "rk4", "implicitfast" };
static const int their_integrator[] = { mjINT_EULER, mjINT_IMPLICIT, mjINT_RK4 };
static const double eps = 1e-6;

typedef struct derivatives {
  double *A, *B, *C, *D;
  int64_t nx, nu, ns;
} derivatives;

static derivatives make(const pair *p) {
  derivatives t = { .nx = 2 * p->m->nv + p->m->na, .nu = p->m->nu, .ns = p->m->nsensordata };
  t.A = calloc((size_t)(t.nx * t.nx) + 1, sizeof(double));
  t.B = calloc((size_t)(t.nx * t.nu) + 1, sizeof(double));
  t.C = calloc((size_t)(t.ns * t.nx) + 1, sizeof(double));
  t.D = calloc((size_t)(t.ns * t.nu) + 1, sizeof(double));
  return t;
}

static void drop(derivatives *t) {
  free(t->A);
  free(t->B);
  free(t->C);
  free(t->D);
}

static void open_scene(pair *p, int integrator) {
  open_text(p, model_file("reference/transition"));
  converge(p);
  set_ours(p, "integrator", integrators[integrator]);
  p->m->opt.integrator = their_integrator[integrator < 3 ? integrator : 0];
  mj_forward(p->m, p->d);
  for (int i = 0; i < p->m->nv; i++) {
    p->d->qvel[i] = 0.3 * cos(2.3 * i);
  }
  p->d->qpos[11] = -0.1;   // beyond its limit
  p->d->ctrl[0] = 0.4;
  p->d->ctrl[1] = 0.7;
  p->d->ctrl[2] = -0.2;
  p->d->act[0] = 0.3;
  mj_forward(p->m, p->d);
  memcpy(p->d->qacc_warmstart, p->d->qacc, (size_t)p->m->nv * sizeof(double));
  follow(p);
  ck_assert_int_gt(p->d->nefc, 8);
}

// ------------------------------------------------------------------ differences taken here

// One step from the state that is in `base` after a change of coordinate i (state or, beyond,
// control) by h. Returns the next state and the sensors of the step.
static void stepped(const pair *p, const double *base, int64_t i, double h, double *qpos,
                    double *rest, double *sensor) {
  const sn_model *m = p->model;
  int64_t nv = snm_nv(m), na = snm_na(m);
  sn_data *d = sn_data_new(m, p->error);
  sn_state_set(m, d, SN_STATE_INTEGRATION, base);
  if (i < nv) {
    double *v = calloc((size_t)nv, sizeof *v);
    v[i] = 1;
    sn_integrate_position(m, snd_qpos(d), v, h);
    free(v);
  } else if (i < 2 * nv) {
    snd_qvel(d)[i - nv] += h;
  } else if (i < 2 * nv + na) {
    snd_act(d)[i - 2 * nv] += h;
  } else {
    snd_ctrl(d)[i - 2 * nv - na] += h;
  }
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  memcpy(qpos, snd_qpos(d), (size_t)snm_nq(m) * sizeof(double));
  memcpy(rest, snd_qvel(d), (size_t)nv * sizeof(double));
  memcpy(rest + nv, snd_act(d), (size_t)na * sizeof(double));
  memcpy(sensor, snd_sensordata(d), (size_t)snm_nsensordata(m) * sizeof(double));
  sn_data_free(d);
}

// up, down: of a change in multiples of eps
static void take_differences(const pair *p, double up, double down, derivatives *t) {
  const sn_model *m = p->model;
  int64_t nv = snm_nv(m), nq = snm_nq(m);
  double base[512], qpos[2][64], rest[2][64], sensor[2][64], dq[64];
  ck_assert_int_le(sn_state_size(m, SN_STATE_INTEGRATION), 512);
  ck_assert(nq <= 64 && t->nx <= 64 && t->ns <= 64);
  sn_state_get(m, p->data, SN_STATE_INTEGRATION, base);
  for (int64_t i = 0; i < t->nx + t->nu; i++) {
    double h = (up - down) * eps;
    stepped(p, base, i, down * eps, qpos[0], rest[0], sensor[0]);
    stepped(p, base, i, up * eps, qpos[1], rest[1], sensor[1]);
    sn_differentiate_position(m, dq, h, qpos[0], qpos[1]);
    double *of_state = i < t->nx ? t->A + i : t->B + i - t->nx;
    double *of_sensor = i < t->nx ? t->C + i : t->D + i - t->nx;
    int64_t stride = i < t->nx ? t->nx : t->nu;
    for (int64_t k = 0; k < t->nx; k++) {
      of_state[k * stride] = k < nv ? dq[k] : (rest[1][k - nv] - rest[0][k - nv]) / h;
    }
    for (int64_t k = 0; k < t->ns; k++) {
      of_sensor[k * stride] = (sensor[1][k] - sensor[0][k]) / h;
    }
  }
}

// The centered D of this version of the reference has the sign of minus and plus exchanged.
static void mend_sign(int centered, derivatives *theirs) {
  for (int64_t i = 0; centered && i < theirs->ns * theirs->nu; i++) {
    theirs->D[i] = -theirs->D[i];
  }
}

static void same(const char *where, const derivatives *a, const derivatives *b, double tolerance) {
  same_array(where, "A", a->A, b->A, a->nx * a->nx, tolerance);
  same_array(where, "B", a->B, b->B, a->nx * a->nu, tolerance);
  same_array(where, "C", a->C, b->C, a->ns * a->nx, tolerance);
  same_array(where, "D", a->D, b->D, a->ns * a->nu, tolerance);
}

// ------------------------------------------------------------------ tests

START_TEST(equals_plain_differences) {
  pair p;
  int centered = _i % 2;
  open_scene(&p, _i / 2);
  derivatives ours = make(&p), plain = make(&p);
  ck_assert_int_eq(sn_transition_fd(p.model, p.data, eps, centered, ours.A, ours.B, ours.C, ours.D),
                   SN_OK);
  take_differences(&p, 1, centered ? -1 : 0, &plain);
  // it skips what does not change, so the same numbers come out up to the warm start
  same(integrators[_i / 2], &ours, &plain, 1e-7);
  ck_assert_double_gt(largest(ours.A, ours.nx * ours.nx), 0.9);
  ck_assert_double_gt(largest(ours.B, ours.nx * ours.nu), 1e-3);
  ck_assert_double_gt(largest(ours.C, ours.ns * ours.nx), 0.9);
  ck_assert_double_gt(largest(ours.D, ours.ns * ours.nu), 1e-2);
  drop(&ours);
  drop(&plain);
  close_pair(&p);
}
END_TEST

// Not with rk4: there the reference skips stages that the integrator has overwritten.
START_TEST(equals_the_reference) {
  pair p;
  int centered = _i % 2;
  open_scene(&p, _i / 2);
  derivatives ours = make(&p), theirs = make(&p);
  ck_assert_int_eq(sn_transition_fd(p.model, p.data, eps, centered, ours.A, ours.B, ours.C, ours.D),
                   SN_OK);
  mjd_transitionFD(p.m, p.d, eps, (mjtByte)centered, theirs.A, theirs.B, theirs.C, theirs.D);
  mend_sign(centered, &theirs);
  same(integrators[_i / 2], &ours, &theirs, 2e-6);
  drop(&ours);
  drop(&theirs);
  close_pair(&p);
}
END_TEST

// The same on the humanoid, which lies on the floor.
START_TEST(equals_the_reference_on_a_humanoid) {
  pair p;
  ck_assert(open_pair(&p, "/usr/share/mujoco/model/humanoid/humanoid.xml"));
  converge(&p);
  set_ours(&p, "integrator", "euler");
  p.m->opt.integrator = mjINT_EULER;
  for (int i = 0; i < 400; i++) {
    move_controls(p.m, p.d->ctrl, i);
    mj_step(p.m, p.d);
  }
  ck_assert_int_gt(p.d->ncon, 0);
  follow(&p);
  derivatives ours = make(&p), theirs = make(&p);
  ck_assert_int_eq(sn_transition_fd(p.model, p.data, eps, _i, ours.A, ours.B, ours.C, ours.D),
                   SN_OK);
  mjd_transitionFD(p.m, p.d, eps, (mjtByte)_i, theirs.A, theirs.B, theirs.C, theirs.D);
  mend_sign(_i, &theirs);
  same("humanoid", &ours, &theirs, 1e-5);
  drop(&ours);
  drop(&theirs);
  close_pair(&p);
}
END_TEST

// At either end of its range a control is changed inwards; a derivative across the end would be
// half of it, or nothing.
START_TEST(controls_are_changed_inwards) {
  pair p;
  double end = _i % 2 ? 1 : -1;
  int centered = _i / 2;
  open_scene(&p, 0);
  snd_ctrl(p.data)[0] = 0;
  derivatives inside = make(&p), at = make(&p);
  ck_assert_int_eq(sn_transition_fd(p.model, p.data, eps, centered, NULL, inside.B, NULL, NULL),
                   SN_OK);
  snd_ctrl(p.data)[0] = end;
  ck_assert_int_eq(sn_transition_fd(p.model, p.data, eps, centered, NULL, at.B, NULL, at.D), SN_OK);
  ck_assert_double_gt(largest(at.B, at.nx * at.nu), 1e-3);
  // the actuator is linear, the constraint is not quite
  same_array("end", "B", at.B, inside.B, at.nx * at.nu, 2e-3);
  // the reference does the same
  p.d->ctrl[0] = end;
  mjd_transitionFD(p.m, p.d, eps, (mjtByte)centered, NULL, inside.B, NULL, inside.D);
  mend_sign(centered, &inside);
  same_array("end", "B", at.B, inside.B, at.nx * at.nu, 2e-6);
  same_array("end", "D", at.D, inside.D, at.ns * at.nu, 2e-6);
  drop(&inside);
  drop(&at);
  close_pair(&p);
}
END_TEST

START_TEST(data_is_left_as_it_was) {
  pair p;
  double before[512], after[512];
  open_scene(&p, _i);
  const sn_model *m = p.model;
  derivatives t = make(&p);
  ck_assert_int_eq(sn_step(m, p.data), SN_OK);
  int64_t n = sn_state_size(m, SN_STATE_INTEGRATION);
  sn_state_get(m, p.data, SN_STATE_INTEGRATION, before);
  ck_assert_int_eq(sn_transition_fd(m, p.data, eps, 1, t.A, t.B, t.C, t.D), SN_OK);
  sn_state_get(m, p.data, SN_STATE_INTEGRATION, after);
  ck_assert_mem_eq(before, after, (size_t)n * sizeof(double));
  // and goes on as if nothing had been: the same bits as a twin that was not asked
  sn_data *twin = sn_data_new(m, p.error);
  sn_state_set(m, twin, SN_STATE_INTEGRATION, before);
  for (int i = 0; i < 10; i++) {
    ck_assert_int_eq(sn_step(m, p.data), SN_OK);
    ck_assert_int_eq(sn_step(m, twin), SN_OK);
  }
  ck_assert_uint_eq(sn_state_hash(m, p.data, SN_STATE_INTEGRATION),
                    sn_state_hash(m, twin, SN_STATE_INTEGRATION));
  ck_assert_int_eq(sn_transition_fd(m, p.data, 0, 1, t.A, NULL, NULL, NULL), SN_EINVAL);
  ck_assert_int_eq(sn_transition_fd(m, p.data, NAN, 1, t.A, NULL, NULL, NULL), SN_EINVAL);
  ck_assert_int_eq(sn_transition_fd(m, p.data, INFINITY, 1, t.A, NULL, NULL, NULL), SN_EINVAL);
  ck_assert_int_eq(sn_transition_fd(m, p.data, 1e-300, 1, t.A, NULL, NULL, NULL), SN_EINVAL);
  sn_data_free(twin);
  drop(&t);
  close_pair(&p);
}
END_TEST

TESTS() {
  EACH(equals_plain_differences, 0, 8);
  EACH(equals_the_reference, 0, 4);
  EACH(equals_the_reference_on_a_humanoid, 0, 2);
  EACH(controls_are_changed_inwards, 0, 4);
  EACH(data_is_left_as_it_was, 0, 4);
}
