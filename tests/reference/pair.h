// SPDX-License-Identifier: Apache-2.0
//
// What tests against the reference engine share: one model in both engines, options set in both,
// states copied from the reference, arrays compared.

#ifndef PAIR_H
#define PAIR_H

#include <check.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinew/sinew.h"

typedef struct pair {
  sn_engine *engine;
  sn_error *error;
  sn_model *model;
  sn_data *data;
  mjModel *m;
  mjData *d;
} pair;

static void quiet(const char *message) {
  (void)message;
}

static inline void set_ours(pair *p, const char *name, const char *value) {
  ck_assert_msg(sn_model_parse_option(p->model, name, value, p->error) >= 0, "%s=%s: %s", name,
                value, sn_error_text(p->error));
}

// False if Sinew reports that the model uses a feature or a format that is not built.
static inline int open_pair(pair *p, const char *path) {
  char why[300] = "";
  memset(p, 0, sizeof *p);
  mju_user_warning = quiet;
  p->error = sn_error_new();
  p->engine = sn_engine_open(SN_TEST_BUILD "/tests/mujoco-2.2.ini", p->error);
  ck_assert_msg(p->engine != NULL, "%s", sn_error_text(p->error));
  p->model = sn_load(p->engine, path, p->error);
  if (!p->model) {
    ck_assert_msg(sn_error_code(p->error) == SN_EUNSUPPORTED, "%s", sn_error_text(p->error));
    return 0;
  }
  p->data = sn_data_new(p->model, p->error);
  p->m = mj_loadXML(path, NULL, why, sizeof why);
  ck_assert_msg(p->m != NULL, "%s", why);
  p->d = mj_makeData(p->m);
  ck_assert_int_eq(snm_nq(p->model), p->m->nq);
  ck_assert_int_eq(snm_nv(p->model), p->m->nv);
  ck_assert_int_eq(snm_nu(p->model), p->m->nu);
  ck_assert_int_eq(snm_na(p->model), p->m->na);
  return 1;
}

// The same for a text in memory.
static inline void open_text(pair *p, const char *xml) {
  char path[] = "/tmp/sinew_pair_XXXXXX.xml";
  FILE *f = fdopen(mkstemps(path, 4), "w");
  ck_assert_ptr_nonnull(f);
  fputs(xml, f);
  fclose(f);
  int loaded = open_pair(p, path);
  unlink(path);
  ck_assert(loaded);
}

static inline void close_pair(pair *p) {
  mj_deleteData(p->d);
  mj_deleteModel(p->m);
  sn_data_free(p->data);
  if (p->model) {
    sn_model_free(p->model);
  }
  sn_engine_close(p->engine);
  sn_error_free(p->error);
}

// Both solve to the end, by Newton's method: the solution does not depend on when a solver stops.
static inline void converge(pair *p) {
  set_ours(p, "solver", "newton");
  set_ours(p, "tolerance", "0");
  set_ours(p, "iterations", "100");
  set_ours(p, "noslip_iterations", "0");
  p->m->opt.solver = mjSOL_NEWTON;
  p->m->opt.tolerance = 0;
  p->m->opt.iterations = 100;
  p->m->opt.noslip_iterations = 0;
}

// The state and the inputs of the reference, for both.
static inline void follow(pair *p) {
  const mjModel *m = p->m;
  const mjData *from = p->d;
  sn_data *to = p->data;
  snd_time(to)[0] = from->time;
  memcpy(snd_qpos(to), from->qpos, (size_t)m->nq * sizeof(double));
  memcpy(snd_qvel(to), from->qvel, (size_t)m->nv * sizeof(double));
  memcpy(snd_ctrl(to), from->ctrl, (size_t)m->nu * sizeof(double));
  memcpy(snd_qacc_warmstart(to), from->qacc_warmstart, (size_t)m->nv * sizeof(double));
  memcpy(snd_qfrc_applied(to), from->qfrc_applied, (size_t)m->nv * sizeof(double));
  memcpy(snd_xfrc_applied(to), from->xfrc_applied, (size_t)m->nbody * 6 * sizeof(double));
  if (m->na) {
    memcpy(snd_act(to), from->act, (size_t)m->na * sizeof(double));
  }
}

// A signal over the range of each control of the reference.
static inline void move_controls(const mjModel *m, double *ctrl, int step) {
  for (int i = 0; i < m->nu; i++) {
    double s = 0.3 * sin(0.1 * step + i);
    const double *range = m->actuator_ctrlrange + 2 * i;
    ctrl[i] = m->actuator_ctrllimited[i] ? 0.5 * (range[0] + range[1] + s * (range[1] - range[0]))
                                         : s;
  }
}

// A state away from the reset, moving.
static inline void stir(pair *p, double displacement, double speed) {
  double *dq = calloc((size_t)p->m->nv + 1, sizeof *dq);
  for (int i = 0; i < p->m->nv; i++) {
    dq[i] = displacement * sin(1.7 * i + 0.3);
    p->d->qvel[i] = speed * cos(2.3 * i);
  }
  mj_integratePos(p->m, p->d->qpos, dq, 1);
  free(dq);
  move_controls(p->m, p->d->ctrl, 7);
  follow(p);
}

static inline double largest(const double *x, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

static inline double difference(const double *x, const double *y, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < n; i++) {
    double off = fabs(x[i] - y[i]);
    most = off <= most ? most : off;   // keeps NaN
  }
  return most;
}

// Relative to the largest number of the array, at least 1.
static inline void same_array(const char *where, const char *name, const double *ours,
                              const double *theirs, int64_t n, double tolerance) {
  double off = difference(ours, theirs, n), allowed = tolerance * fmax(1, largest(theirs, n));
  ck_assert_msg(off <= allowed, "%s: %s differs by %g, %g is allowed", where, name, off, allowed);
}

#endif
