// SPDX-License-Identifier: Apache-2.0
//
// A model from a text in both engines, and comparisons of what laws make of its states.

#ifndef TESTS_REFERENCE_LAWS_H
#define TESTS_REFERENCE_LAWS_H

#include "random_state.h"
#include "reference/pair.h"

static inline void same(const char *what, const double *ours, const double *theirs, int64_t n,
                        double tolerance) {
  same_array("laws", what, ours, theirs, n, tolerance);
}

static inline void copy(double *to, const double *from, int64_t n) {
  if (n) {
    memcpy(to, from, (size_t)n * sizeof(double));
  }
}

// The same model in both; `option` stands in for the one in the text.
static inline pair pair_of(const char *xml, const char *option) {
  char text[16384];
  const char *rest = strstr(xml, "<default>");
  rest = rest ? rest : strstr(xml, "<worldbody>");
  int n = snprintf(text, sizeof text, "<mujoco>%s%s", option, rest);
  ck_assert_int_lt(n, (int)sizeof text);
  pair p;
  open_text(&p, text);
  same("geom_fluid", p.model->geom_fluid, p.m->geom_fluid, 12 * p.model->ngeom, 1e-6);
  copy(p.model->geom_fluid, p.m->geom_fluid, 12 * p.model->ngeom);
  return p;
}

static inline void share(pair *p, uint32_t seed) {
  const sn_model *m = p->model;
  sn_data *d = p->data;
  scramble(m, d, seed);
  mj_resetData(p->m, p->d);
  copy(p->d->qpos, d->qpos, m->nq);
  copy(p->d->qvel, d->qvel, m->nv);
  copy(p->d->act, d->act, m->na);
  copy(p->d->ctrl, d->ctrl, m->nu);
}

static inline void compare_state(const pair *p, double tolerance) {
  const sn_model *m = p->model;
  sn_data *d = p->data;
  same("qfrc_passive", d->qfrc_passive, p->d->qfrc_passive, m->nv, tolerance);
  same("actuator_force", d->actuator_force, p->d->actuator_force, m->nu, tolerance);
  same("qfrc_actuator", d->qfrc_actuator, p->d->qfrc_actuator, m->nv, tolerance);
  same("act_dot", d->act_dot, p->d->act_dot, m->na, tolerance);
  ck_assert_int_eq(m->nsensordata, p->m->nsensordata);
  for (int64_t i = 0; i < m->nsensor; i++) {
    same(m->names + m->sensor_typename[i], d->sensordata + m->sensor_adr[i],
         p->d->sensordata + p->m->sensor_adr[i], m->sensor_dim[i], tolerance);
  }
}

static inline void compare_run(const char *xml, const char *option, int steps, double tolerance) {
  pair p = pair_of(xml, option);
  for (uint32_t seed = 1; seed <= 5; seed++) {
    share(&p, seed);
    mj_forward(p.m, p.d);
    ck_assert_int_ge(sn_forward(p.model, p.data), 0);
    compare_state(&p, tolerance);
    for (int i = 0; i < steps; i++) {
      mj_step(p.m, p.d);
      ck_assert_int_eq(sn_step(p.model, p.data), SN_OK);
    }
    same("qpos", p.data->qpos, p.d->qpos, p.model->nq, tolerance);
    same("qvel", p.data->qvel, p.d->qvel, p.model->nv, tolerance);
    same("act", p.data->act, p.d->act, p.model->na, tolerance);
  }
  close_pair(&p);
}

#endif
