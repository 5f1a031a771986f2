// SPDX-License-Identifier: Apache-2.0
//
// The identity of contact points: boxes and meshes that rest on each other keep the numbers of
// their contact points from step to step, no two points of a pair have the same number, and solvers
// see them.

#include <stdlib.h>

#include "data/data.h"
#include "default_engine.h"
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

// ------------------------------------------------------------------ single contact points

// The number of the only contact of two wedges, or of a ball on a wedge, at a place and an angle.
static int32_t feature_at(const sn_model *m, sn_data *d, double x, double angle, double height) {
  d->qpos[0] = x;
  d->qpos[1] = height;
  d->qpos[2] = angle;
  ck_assert_int_ge(sn_forward_position(m, d), 0);
  ck_assert_int_eq(d->ncon, 1);
  ck_assert_int_gt(d->contact_feature[0], 0);
  return d->contact_feature[0];
}

static const struct {
  const char *collider, *geom;
  int is_smooth;
} singles[] = {
  { "gjk", "type='mesh' mesh='wedge'", 0 },
  { "ccd", "type='mesh' mesh='wedge'", 0 },
  { "ccd", "type='box' size='.1 .1 .1'", 0 },
  { "gjk", "type='sphere' size='.1'", 1 },
};
enum { NSINGLES = sizeof singles / sizeof singles[0] };

// Tilted to the right it rests on another edge than tilted to the left, wherever that is.
START_TEST(single_contacts_have_numbers) {
  char text[1024];
  snprintf(
      text, sizeof text,
      "<mujoco><asset><mesh name='wedge' vertex='-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1 -0.5 -0.5 1 "
      "0.5 -0.5 1  0.5 0.5 1  -0.5 0.5 1' scale='.1 .1 .1'/><mesh name='floor' vertex='-1 -1 -1 "
      "1 -1 -1  1 1 -1  -1 1 -1 -1 -1 0  1 -1 0  1 1 0  -1 1 0'/></asset>"
      "<worldbody><geom type='mesh' mesh='floor' pos='0 0 0'/><body pos='0 0 .1'>"
      "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
      "<joint axis='0 1 0'/><geom %s/></body></worldbody></mujoco>",
      singles[_i].geom);
  char key[64];
  OK(sn_select(engine, "*-mesh", singles[_i].collider, error));
  snprintf(key, sizeof key, "plugin.%s.manifold", singles[_i].collider);
  OK(sn_engine_set(engine, key, "false", error));
  sn_model *m = model_of(text);
  sn_data *d = sn_data_new(m, error);
  const double angle = 0.17, height = singles[_i].is_smooth ? -0.005 : 0.005;
  const int32_t left = feature_at(m, d, 0, -angle, height);
  const int32_t right = feature_at(m, d, 0, angle, height);
  for (int i = -5; i <= 5; i++) {
    ck_assert_int_eq(feature_at(m, d, 0.02 * i, angle + 0.01 * i, height), right);
  }
  ck_assert_int_eq(left == right, singles[_i].is_smooth);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ solvers

static const sn_data *seen;
static int64_t rows_seen;

// Leaves the constraints without force; the ids of rows in the problem are those of the data.
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
  EACH(single_contacts_have_numbers, 0, NSINGLES);
  TEST(solvers_see_contacts);
}
