// SPDX-License-Identifier: Apache-2.0
//
// The identity of contact points: boxes and meshes that rest on each other keep the numbers of
// their contact points from step to step, no two points of a pair have the same number, and solvers
// see them.

#include <stdlib.h>

#include "default_engine.h"
#include "model/data.h"
#include "model_file.h"
#include "sinew/solver.h"
#include "suite.h"

enum { MOST = 64, SETTLED = 600, WATCHED = 400 };

typedef struct point {
  int32_t geom1, geom2, feature;
} point;

static int compare(const void *a, const void *b) {
  const point *x = a, *y = b;
  return x->geom1 != y->geom1   ? x->geom1 - y->geom1
         : x->geom2 != y->geom2 ? x->geom2 - y->geom2
                                : (x->feature > y->feature) - (x->feature < y->feature);
}

static int list_points(const sn_data *d, point *out) {
  ck_assert_int_le(d->ncon, MOST);
  for (int i = 0; i < d->ncon; i++) {
    out[i] = (point){ d->contact_geom1[i], d->contact_geom2[i], d->contact_feature[i] };
  }
  qsort(out, (size_t)d->ncon, sizeof *out, compare);
  return (int)d->ncon;
}

START_TEST(resting_shapes_keep_numbers) {
  sn_model *m = model_of(model_file("contact/features"));
  sn_data *d = sn_data_new(m, error);
  ck_assert_ptr_nonnull(d);
  point first[MOST], now[MOST];
  for (int i = 0; i < SETTLED; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
  }
  const int n = list_points(d, first);
  ck_assert_int_ge(n, 4 * 4);   // four pairs of faces
  for (int i = 0; i < n; i++) {
    ck_assert_int_gt(first[i].feature, 0);
    ck_assert(i == 0 || compare(&first[i - 1], &first[i]) != 0);
  }
  for (int step = 0; step < WATCHED; step++) {
    ck_assert_int_ge(sn_step(m, d), 0);
    ck_assert_int_eq(list_points(d, now), n);
    for (int i = 0; i < n; i++) {
      ck_assert_msg(compare(&first[i], &now[i]) == 0,
                    "step %d: geoms %d and %d have feature %d, geoms %d and %d had %d", step,
                    now[i].geom1, now[i].geom2, now[i].feature, first[i].geom1, first[i].geom2,
                    first[i].feature);
    }
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ solvers

static const sn_data *seen;
static int64_t rows_seen;

// Leaves the constraints without force; what the problem says of its rows is that of the data.
static sn_status look(const void *self, const sn_problem *p, sn_solution *out,
                      sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  ck_assert_int_eq(p->ncontact, seen->ncon);
  for (int64_t i = 0; i < p->nefc; i++) {
    const int32_t id = p->id[i];
    if (p->type[i] >= SN_ROW_CONTACT_FRICTIONLESS) {
      ck_assert(id >= 0 && id < p->ncontact);
      ck_assert_int_eq(p->geom1[id], seen->contact_geom1[id]);
      ck_assert_int_eq(p->geom2[id], seen->contact_geom2[id]);
      ck_assert_int_eq(p->feature[id], seen->contact_feature[id]);
      ck_assert_int_gt(p->feature[id], 0);
    } else {
      ck_assert_int_eq(p->type[i], SN_ROW_FRICTION_DOF);
      ck_assert_int_eq(id, 0);
    }
    out->force[i] = 0;
    out->state[i] = 0;
  }
  rows_seen += p->nefc;
  memcpy(out->qacc, p->qacc_smooth, (size_t)p->nv * sizeof(double));
  out->iterations = 1;
  return SN_OK;
}

static const sn_solver_ops look_ops = {
  .head = { .size = sizeof look_ops, .summary = "looks at the rows" },
  .solve = look,
};
// Two islands, so that rows are gathered.
START_TEST(solvers_see_contacts) {
  OK(sn_engine_add(engine, SN_KIND_SOLVER, "look", &look_ops, error));
  sn_model *m = model_of(
      "<mujoco><option solver='look'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='1 0 0.099'><joint type='slide' axis='0 0 1' frictionloss='1'/>"
      "<geom type='box' size='0.1 0.1 0.1'/></body>"
      "<body pos='0 0 0.099'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
      "</worldbody></mujoco>");
  sn_data *d = sn_data_new(m, error);
  ck_assert_ptr_nonnull(d);
  seen = d;
  rows_seen = 0;
  ck_assert_int_ge(sn_forward(m, d), 0);
  ck_assert_int_eq(d->ncon, 8);
  ck_assert_int_eq(rows_seen, d->nefc);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(resting_shapes_keep_numbers);
  TEST(solvers_see_contacts);
}
