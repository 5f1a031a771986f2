// SPDX-License-Identifier: Apache-2.0
//
// Rows of the constraint problem beside those of the reference engine, with parameters as no one
// would set them: impedances beyond their bounds, widths of zero, powers below one, both formats
// of solref and mixtures of them, frictions of zero, margins and gaps, limits that are active on
// both sides, polynomials, and the override of contacts.

#include "data/data.h"
#include "reference/pair.h"
#include "suite.h"

enum { TRIALS = 60 };

static uint32_t seed;

static double uniform(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * (seed / 4294967296.0);
}

static int one_in(int n) {
  return uniform(0, n) < 1;
}

// ------------------------------------------------------------------ parameters at random

static void random_solref(double *x) {
  if (one_in(3)) {
    x[0] = -uniform(0, 2000);
    x[1] = -uniform(0, 50);
  } else {
    x[0] = uniform(0.001, 0.1);
    x[1] = uniform(0.1, 3);
  }
  if (one_in(8)) {   // one of each sign, or zeros
    x[one_in(2)] *= one_in(2) ? -1 : 0;
  }
}

static void random_solimp(double *x) {
  x[0] = one_in(5) ? uniform(-0.5, 0) : uniform(0, 1);
  x[1] = one_in(5) ? uniform(1, 2) : uniform(0, 1);
  x[2] = one_in(5) ? uniform(-0.1, 0) * one_in(2) : uniform(1e-4, 0.1);
  x[3] = one_in(5) ? one_in(2) : uniform(0, 1);
  x[4] = one_in(4) ? uniform(-1, 1) : one_in(3) ? 1 : one_in(2) ? 2 : uniform(1, 6);
}

static void copy(double *to, const double *from, int64_t n) {
  if (n) {
    memcpy(to, from, (size_t)n * sizeof *to);
  }
}

// The same in both; numbers the reference would hold.
#define BOTH(name, size) copy(p->model->name, p->m->name, (size))

static void random_laws(pair *p) {
  mjModel *m = p->m;
  for (int i = 0; i < m->neq; i++) {
    random_solref(m->eq_solref + 2 * i);
    random_solimp(m->eq_solimp + 5 * i);
    if (m->eq_type[i] == mjEQ_WELD) {
      m->eq_data[11 * i + 10] = uniform(0, 2);
    }
    for (int k = 0; k < 5 && m->eq_type[i] >= mjEQ_JOINT; k++) {
      m->eq_data[11 * i + k] = uniform(-1, 1);
    }
  }
  for (int i = 0; i < m->njnt; i++) {
    random_solref(m->jnt_solref + 2 * i);
    random_solimp(m->jnt_solimp + 5 * i);
    m->jnt_margin[i] = one_in(2) ? uniform(0, 0.5) : 0;
    if (m->jnt_type[i] >= mjJNT_SLIDE) {
      m->jnt_range[2 * i] = uniform(-0.2, 0.05);
      m->jnt_range[2 * i + 1] = m->jnt_range[2 * i] + uniform(0, 0.2);
    }
  }
  for (int i = 0; i < m->nv; i++) {
    random_solref(m->dof_solref + 2 * i);
    random_solimp(m->dof_solimp + 5 * i);
    m->dof_frictionloss[i] = one_in(3) ? uniform(0, 1) : 0;
  }
  for (int i = 0; i < m->ntendon; i++) {
    random_solref(m->tendon_solref_lim + 2 * i);
    random_solimp(m->tendon_solimp_lim + 5 * i);
    random_solref(m->tendon_solref_fri + 2 * i);
    random_solimp(m->tendon_solimp_fri + 5 * i);
    m->tendon_margin[i] = one_in(2) ? uniform(0, 0.5) : 0;
    m->tendon_frictionloss[i] = one_in(2) ? uniform(0, 1) : 0;
  }
  BOTH(eq_solref, 2 * m->neq);
  BOTH(eq_solimp, 5 * m->neq);
  BOTH(eq_data, 11 * m->neq);
  BOTH(jnt_solref, 2 * m->njnt);
  BOTH(jnt_solimp, 5 * m->njnt);
  BOTH(jnt_margin, m->njnt);
  BOTH(jnt_range, 2 * m->njnt);
  BOTH(dof_solref, 2 * m->nv);
  BOTH(dof_solimp, 5 * m->nv);
  BOTH(dof_frictionloss, m->nv);
  BOTH(tendon_solref_lim, 2 * m->ntendon);
  BOTH(tendon_solimp_lim, 5 * m->ntendon);
  BOTH(tendon_solref_fri, 2 * m->ntendon);
  BOTH(tendon_solimp_fri, 5 * m->ntendon);
  BOTH(tendon_margin, m->ntendon);
  BOTH(tendon_frictionloss, m->ntendon);
}

static void random_contacts(pair *p) {
  mjModel *m = p->m;
  static const int dims[] = { 1, 3, 4, 6 };
  for (int i = 0; i < m->ngeom; i++) {
    random_solref(m->geom_solref + 2 * i);
    random_solimp(m->geom_solimp + 5 * i);
    m->geom_solmix[i] = one_in(4) ? 0 : uniform(0, 3);
    m->geom_margin[i] = one_in(2) ? uniform(0, 0.1) : 0;
    m->geom_gap[i] = one_in(2) ? uniform(0, 0.05) : 0;
    m->geom_condim[i] = p->model->geom_condim[i] = dims[(int)uniform(0, 4)];
    m->geom_priority[i] = p->model->geom_priority[i] = one_in(3);
    for (int k = 0; k < 3; k++) {
      m->geom_friction[3 * i + k] = one_in(4) ? 0 : uniform(0, 2);
    }
  }
  BOTH(geom_solref, 2 * m->ngeom);
  BOTH(geom_solimp, 5 * m->ngeom);
  BOTH(geom_solmix, m->ngeom);
  BOTH(geom_margin, m->ngeom);
  BOTH(geom_gap, m->ngeom);
  BOTH(geom_friction, 3 * m->ngeom);
}

static void random_options(pair *p) {
  mjOption *a = &p->m->opt;
  sn_model *b = p->model;
  int elliptic = one_in(2), override = one_in(4), unsafe = one_in(3);
  a->cone = elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  a->impratio = one_in(2) ? 1 : uniform(0.1, 20);
  a->enableflags = override ? mjENBL_OVERRIDE : 0;
  a->disableflags = unsafe ? mjDSBL_REFSAFE : 0;
  a->o_margin = uniform(0, 0.05);
  random_solref(a->o_solref);
  random_solimp(a->o_solimp);
  set_ours(p, "cone", elliptic ? "elliptic" : "pyramidal");
  set_ours(p, "override", override ? "enable" : "disable");
  set_ours(p, "refsafe", unsafe ? "disable" : "enable");
  b->opt.impratio = a->impratio;
  b->opt.o_margin = a->o_margin;
  copy(b->opt.o_solref, a->o_solref, 2);
  copy(b->opt.o_solimp, a->o_solimp, 5);
}

static void random_state(pair *p) {
  mj_resetData(p->m, p->d);
  double *dq = calloc((size_t)p->m->nv, sizeof *dq);
  for (int i = 0; i < p->m->nv; i++) {
    dq[i] = uniform(-0.05, 0.05);
    p->d->qvel[i] = uniform(-1, 1);
  }
  mj_integratePos(p->m, p->d->qpos, dq, 1);
  free(dq);
  follow(p);
}

// ------------------------------------------------------------------ comparing

static void same_rows(const pair *p, int trial) {
  const sn_data *a = p->data;
  const mjData *b = p->d;
  char where[32];
  snprintf(where, sizeof where, "trial %d", trial);
  ck_assert_msg(a->nefc == b->nefc && a->ne == b->ne && a->nf == b->nf && a->ncon == b->ncon,
                "%s: %d rows, %d contacts instead of %d, %d", where, (int)a->nefc, (int)a->ncon,
                b->nefc, b->ncon);
  const struct {
    const char *name;
    const double *ours, *theirs;
    int width;
  } parts[] = {
    { "efc_pos", a->efc_pos, b->efc_pos, 1 },
    { "efc_margin", a->efc_margin, b->efc_margin, 1 },
    { "efc_frictionloss", a->efc_frictionloss, b->efc_frictionloss, 1 },
    { "efc_diagApprox", a->efc_diagApprox, b->efc_diagApprox, 1 },
    { "efc_KBIP", a->efc_KBIP, b->efc_KBIP, 4 },
    { "efc_R", a->efc_R, b->efc_R, 1 },
    { "efc_D", a->efc_D, b->efc_D, 1 },
    { "efc_vel", a->efc_vel, b->efc_vel, 1 },
    { "efc_aref", a->efc_aref, b->efc_aref, 1 },
  };
  for (int i = 0; i < b->nefc; i++) {
    ck_assert_int_eq(a->efc_type[i], b->efc_type[i]);
    ck_assert_int_eq(a->efc_id[i], b->efc_id[i]);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
      for (int c = 0; c < parts[k].width; c++) {
        double x = parts[k].ours[parts[k].width * i + c];
        double y = parts[k].theirs[parts[k].width * i + c];
        ck_assert_msg(fabs(x - y) <= 1e-10 * (1e-3 + fabs(y)),
                      "%s, row %d of type %d: %s[%d] is %.15g, not %.15g", where, i, b->efc_type[i],
                      parts[k].name, c, x, y);
      }
    }
  }
}

START_TEST(rows_are_the_same) {
  pair p;
  int64_t rows = 0;
  seed = 77u + (uint32_t)_i;
  ck_assert(open_pair(&p, SN_TEST_SOURCE "/samples/models/rows.xml"));
  for (int trial = 0; trial < TRIALS; trial++) {
    random_laws(&p);
    random_contacts(&p);
    random_options(&p);
    random_state(&p);
    mj_fwdPosition(p.m, p.d);
    mj_fwdVelocity(p.m, p.d);
    ck_assert_int_eq(sn_forward_position(p.model, p.data), SN_OK);
    ck_assert_int_eq(sn_forward_velocity(p.model, p.data), SN_OK);
    same_rows(&p, trial);
    rows += p.data->nefc;
  }
  ck_assert_int_gt(rows, 30 * TRIALS);
  close_pair(&p);
}
END_TEST

TESTS() {
  EACH(rows_are_the_same, 0, 8);
}
