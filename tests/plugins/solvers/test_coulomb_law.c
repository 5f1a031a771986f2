// SPDX-License-Identifier: Apache-2.0
//
// The solver `coulomb` and sn_problem_evaluate_coulomb, the measure of Coulomb's law, against
// algorithms that share nothing with them: on small random problems projected iterations on the
// forces, slow and simple; on one contact of a point mass, where M and J are the identity, closed
// forms of opening, sticking and sliding, and a search of all forces on a grid.

#include "default_engine.h"
#include "plugins/solvers/problem.h"
#include "sinew/sinew.h"
#include "suite.h"

// ------------------------------------------------------------------ projected iterations

typedef struct iterate {
  double qacc[PROBLEM_DOFS], force[PROBLEM_ROWS];
  int32_t state[PROBLEM_ROWS];
} iterate;

// qacc = a0 + M^-1 J' f
static void accelerate(const sn_problem *p, iterate *s) {
  memset(s->qacc, 0, (size_t)p->nv * sizeof *s->qacc);
  for (int64_t i = 0; i < p->nefc; i++) {
    for (int32_t k = p->J.adr[i]; k < p->J.adr[i] + p->J.nnz[i]; k++) {
      s->qacc[p->J.col[k]] += p->J.val[k] * s->force[i];
    }
  }
  sn_tree_solve(p->inertia, s->qacc);
  for (int64_t i = 0; i < p->nv; i++) {
    s->qacc[i] += p->qacc_smooth[i];
  }
}

static double residual_of(const sn_problem *p, const iterate *s, int64_t row) {
  double z = -p->aref[row];
  for (int32_t k = p->J.adr[row]; k < p->J.adr[row] + p->J.nnz[row]; k++) {
    z += p->J.val[k] * s->qacc[p->J.col[k]];
  }
  return z;
}

// One contact: x = P(x - step v) in the cone. friction: factor of the regularizers of friction.
// Returns the change.
static double project_contact(const sn_problem *p, const sn_cone *c, double step, double friction,
                              const double *z, double *f) {
  double x[6], y[6], across = 0, slip = 0, change = 0;
  for (int32_t i = 0; i < c->dim; i++) {
    const double mu = i ? c->friction[i - 1] : 1;
    const double R = p->R[c->row + i] * mu * mu * (i ? friction : 1);
    x[i] = f[i] / mu;
    y[i] = z[i] * mu + R * x[i];
    slip += i ? y[i] * y[i] : 0;
  }
  y[0] += sqrt(slip);
  double to[6];
  for (int32_t i = 0; i < c->dim; i++) {
    to[i] = x[i] - step * y[i];
    across += i ? to[i] * to[i] : 0;
  }
  across = sqrt(across);
  const double first = across <= to[0] ? to[0] : fmax(0, 0.5 * (to[0] + across));
  for (int32_t i = 0; i < c->dim; i++) {
    const double mu = i ? c->friction[i - 1] : 1;
    to[i] = i == 0 ? first : across > first ? to[i] * first / across : to[i];
    change = fmax(change, fabs(to[i] - x[i]));
    f[i] = to[i] * mu;
  }
  return change;
}

static double project_row(const sn_problem *p, int64_t i, double step, double z, double *f) {
  const double before = *f, eta = p->frictionloss[i];
  *f -= step * (z + p->R[i] * *f);
  *f = i < p->ne ? *f : i < p->ne + p->nf ? fmin(fmax(*f, -eta), eta) : fmax(*f, 0);
  return fabs(*f - before);
}

// From no force, until forces do not change. Returns whether that was reached.
static bool iterate_forces(const sn_problem *p, double step, double friction, iterate *s) {
  enum { LIMIT = 2000000 };
  static double z[PROBLEM_ROWS];
  memset(s->force, 0, sizeof s->force);
  for (int k = 0; k < LIMIT; k++) {
    double change = 0;
    int64_t cone = 0;
    accelerate(p, s);
    for (int64_t i = 0; i < p->nefc; i++) {
      z[i] = residual_of(p, s, i);
    }
    for (int64_t i = 0; i < p->nefc;) {
      const sn_cone *c = cone < p->ncone && p->cone[cone].row == i ? &p->cone[cone++] : NULL;
      const double off = c ? project_contact(p, c, step, friction, z + i, s->force + i)
                           : project_row(p, i, step, z[i], s->force + i);
      change = fmax(change, off);
      i += c ? c->dim : 1;
    }
    if (change < 1e-13) {
      return true;
    }
  }
  return false;
}

// ------------------------------------------------------------------ random problems

static double judge(const sn_problem *p, iterate *s) {
  double residual[2];
  const sn_solution solution = {
    .size = sizeof solution, .qacc = s->qacc, .force = s->force, .state = s->state
  };
  sn_problem_evaluate_coulomb(p, &solution, residual);
  return fmax(residual[0], residual[1]);
}

enum { SEEDS = 24 };

// Both find the same accelerations, and the measure finds no error in either, but one in a force
// that is changed.
START_TEST(projected_iterations_agree) {
  static const double friction = 1e-5;   // the default of the solver
  const test_shape shape = { .seed = (uint64_t)_i + 1,
                             .trees = 3,
                             .depth = 6,
                             .equality = _i % 2,
                             .friction = 1,
                             .limit = 1,
                             .frictionless = _i % 3 == 0,
                             .elliptic = 1 + _i % 3,
                             .across = 1 };
  static iterate slow, fast;
  test_problem *t = test_problem_new(&shape);
  sn_problem *p = &t->problem;
  p->tolerance = 0;
  p->iterations = 1000;
  ck_assert_msg(iterate_forces(p, 0.02, friction, &slow), "the slow algorithm did not converge");
  sn_solution solution = {
    .size = sizeof solution, .qacc = fast.qacc, .force = fast.force, .state = fast.state
  };
  OK(sn_problem_solve(engine, "coulomb", p, &solution, error));
  ck_assert_double_lt(judge(p, &slow), 1e-8);
  ck_assert_double_lt(judge(p, &fast), 1e-8);
  for (int64_t i = 0; i < p->nv; i++) {
    ck_assert_double_eq_tol(fast.qacc[i], slow.qacc[i], 1e-7);
  }
  for (int64_t i = 0; i < p->nefc; i++) {
    const double before = slow.force[i];
    slow.force[i] -= 1e-3;   // for more, a smaller regularizer of a normal row might do
    accelerate(p, &slow);
    ck_assert_double_gt(judge(p, &slow), 1e-5);
    slow.force[i] = before;
  }
  free(t);
}
END_TEST

// Stopped at any limit of iterations, forces obey the dynamics and the friction cones.
START_TEST(stopped_early) {
  const test_shape shape = { .seed = (uint64_t)_i + 1,
                             .trees = 8,
                             .depth = 6,
                             .limit = 3,
                             .frictionless = 3,
                             .elliptic = 30,
                             .across = 1,
                             .softness = 1e-4 };
  static iterate s;
  test_problem *t = test_problem_new(&shape);
  sn_problem *p = &t->problem;
  sn_solution solution = {
    .size = sizeof solution, .qacc = s.qacc, .force = s.force, .state = s.state
  };
  int open = 0;
  for (p->iterations = 1; p->iterations < 100; p->iterations += 7) {
    double cost, residual[2], largest = 1;
    const sn_status status = sn_problem_solve(engine, "coulomb", p, &solution, error);
    OK(status);
    open += status == SN_NOT_CONVERGED;
    ck_assert_int_le(solution.iterations, p->iterations);
    for (int64_t i = 0; i < p->nefc; i++) {
      largest = fmax(largest, fabs(s.force[i]));
    }
    sn_problem_evaluate(p, &solution, &cost, residual);
    ck_assert_double_lt(residual[0], 1e-9 * largest);
    for (int64_t k = 0; k < p->ncone; k++) {
      const sn_cone *c = &p->cone[k];
      double square = 0;
      for (int32_t i = 1; i < c->dim; i++) {
        const double g = s.force[c->row + i] / c->friction[i - 1];
        square += g * g;
      }
      ck_assert_double_ge(s.force[c->row], sqrt(square) - 1e-9 * largest);
    }
  }
  ck_assert_int_gt(open, 0);
  free(t);
}
END_TEST

// ------------------------------------------------------------------ one contact

// A point mass of 1 kg on a floor with friction 0.5: z = a0 + f - aref, aref = 0.
typedef struct contact {
  sn_problem problem;
  sn_inertia inertia;
  double one[3], J[3], smooth[3], zero[3], D[3], R[3];
  int32_t parent[3], adr[3], nnz[3], col[3], type[3];
  sn_cone cone;
  sn_block block;
} contact;

static void make_contact(contact *c, const double *smooth) {
  *c = (contact){ .one = { 1, 1, 1 },
                  .J = { 1, 1, 1 },
                  .smooth = { smooth[0], smooth[1], smooth[2] },
                  .parent = { -1, -1, -1 },
                  .adr = { 0, 1, 2 },
                  .nnz = { 1, 1, 1 },
                  .col = { 0, 1, 2 },
                  .cone = { .row = 0, .dim = 3, .mu = 0.5, .friction = { 0.5, 0.5, 0, 0, 0 } },
                  .block = { 0, 3 } };
  for (int i = 0; i < 3; i++) {
    c->R[i] = 0.1;
    c->D[i] = 10;
    c->type[i] = SN_ROW_CONTACT_ELLIPTIC;
  }
  c->inertia = (sn_inertia){ .size = sizeof c->inertia,
                             .nv = 3,
                             .nM = 3,
                             .parent = c->parent,
                             .adr = c->adr,
                             .M = c->one,
                             .L = c->one,
                             .Dinv = c->one };
  c->problem = (sn_problem){
    .size = sizeof c->problem,
    .nv = 3,
    .nefc = 3,
    .qacc_smooth = c->smooth,
    .qfrc_smooth = c->smooth,
    .qacc_start = c->smooth,
    .inertia = &c->inertia,
    .J = { .nnz = c->nnz, .adr = c->adr, .col = c->col, .val = c->J, .nrow = 3, .ncol = 3 },
    .nblock = 1,
    .block = &c->block,
    .type = c->type,
    .D = c->D,
    .R = c->R,
    .aref = c->zero,
    .frictionloss = c->zero,
    .ncone = 1,
    .cone = &c->cone,
    .scale = 1,
    .iterations = 100
  };
}

static double judge_force(const contact *c, double f0, double f1, double f2) {
  iterate s = { .force = { f0, f1, f2 } };
  accelerate(&c->problem, &s);
  return judge(&c->problem, &s);
}

// The forces of a contact whose regularizers are r and e, in units of acceleration times mass.
static void closed_form(const double *smooth, double r, double e, double *f) {
  const double mu = 0.5, speed = hypot(smooth[1], smooth[2]);
  f[0] = fmax(0, -smooth[0] / (1 + r));
  const double stick = speed / (1 + e), share = fmin(stick, mu * f[0]);
  f[1] = -share * smooth[1] / speed;
  f[2] = -share * smooth[2] / speed;
}

static const double cases[][3] = {
  { 2, 1, -1 },      // opens
  { -3, 0.4, 0.8 },  // sticks
  { -1, 2, 1 },      // slides
  { -3, 0.9, 1.2 },  // on the edge: sticks with little of its regularizer
};
enum { CASES = sizeof cases / sizeof *cases };

// Whatever regularizers a solver has chosen in their ranges, its forces obey the law; not with
// softer ones.
START_TEST(regularizers_in_their_range) {
  static const double factors[] = { 0, 1e-5, 0.3, 1 };
  contact c;
  double f[3];
  make_contact(&c, cases[_i]);
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      closed_form(cases[_i], factors[i] * c.R[0], factors[j] * c.R[1], f);
      ck_assert_double_lt(judge_force(&c, f[0], f[1], f[2]), 1e-12);
    }
  }
  if (f[0] > 0) {
    closed_form(cases[_i], 1.5 * c.R[0], 0, f);
    ck_assert_double_gt(judge_force(&c, f[0], f[1], f[2]), 1e-3);
  }
}
END_TEST

// On a grid of forces, the measure is least near the forces of rigid contact or of those with
// regularizers, and large elsewhere: no other force is taken for a solution.
START_TEST(no_other_force_on_a_grid) {
  enum { GRID = 81, middle = GRID / 2 };
  const double spacing = 0.05;
  contact c;
  double rigid[3], soft[3];
  make_contact(&c, cases[_i]);
  closed_form(cases[_i], 0, 0, rigid);
  closed_form(cases[_i], c.R[0], c.R[1], soft);
  double largest = 0;
  for (int i = 0; i < GRID; i++) {
    for (int j = 0; j < GRID; j++) {
      for (int k = 0; k < GRID; k++) {
        const double f[3] = { spacing * i, spacing * (j - middle), spacing * (k - middle) };
        const double off = judge_force(&c, f[0], f[1], f[2]);
        double away = 0;   // from the box between both
        for (int q = 0; q < 3; q++) {
          const double low = fmin(rigid[q], soft[q]), high = fmax(rigid[q], soft[q]);
          away = fmax(away, fmax(low - f[q], f[q] - high));
        }
        if (away > 2 * spacing) {
          ck_assert_msg(off > spacing, "error %g at the force %g %g %g", off, f[0], f[1], f[2]);
        }
        largest = fmax(largest, off);
      }
    }
  }
  ck_assert_double_gt(largest, 1);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(projected_iterations_agree, 0, SEEDS);
  EACH(stopped_early, 0, 4);
  EACH(regularizers_in_their_range, 0, CASES);
  EACH(no_other_force_on_a_grid, 0, CASES);
}
