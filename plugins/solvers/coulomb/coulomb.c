// SPDX-License-Identifier: Apache-2.0
//
// Coulomb friction proper. The convex problem of solver.h lets a sliding contact open: its force
// and z = J a - aref are complementary in the cone and its dual, so the normal row moves apart at
// the rate of slip, times the coefficient of friction. De Saxce's shift takes that away: the normal
// row is shifted by the slip, z_0 + t, and then the same complementarity is Coulomb's law. For an
// elliptic contact, with w_i = friction_i z_i, g_i = f_i / friction_i (i > 0) and t = |w|, this
// solver finds
//
//   f_0 = D_0 max(0, -z_0)                   the normal force, whatever the slip
//   g   = -E w         where E t <= f_0      sticking; E = D_1 / friction_1^2
//   g   = -f_0 w / t   elsewhere             sliding: opposite to the slip
//
// D_0 and D_1 are those of the problem divided by the parameters `normal` and `friction`. All other
// rows are as in solver.h.
//
// The law is the convex one with the normal row at z_0 + max(0, t - f_0 / E), the part of t that is
// slip. So near a solution the solver alternates: shifts from the point, then iterations of
// Newton's method (newton/iterate.h) on the convex problem with these shifts, until they have a
// part of the residual left. Right after the shifts, forces are those of the law, and the gradient
// is the residual of the law itself: M (a - a0) - J' f(a). The first shifts are those of the warm
// start, which are right at rest, and with `normal` 1 in steady sliding. It goes on as long as the
// residual falls fast.
//
// In piles that move, where the shifts of contacts depend on each other, that need not converge.
// There Newton's method on accelerations and forces (active.h) does it, nearly always with the
// regularizers of the law, else with larger ones that become smaller down to those of the law, or
// as small as that takes it (soften.h). If it finds no solution at all, a few sweeps over the
// contacts (sweep.h) find forces nearby, and a path of interior points (path.h) leads on from
// there. If that fails too, another form of the method on accelerations and forces is tried, with
// shorter steps and with whole ones, and another path. Where all of that fails, more sweeps are
// made, for their forces obey the dynamics and the cones, so that they add no energy. These methods
// need M by its entries; where M is known by its recursion alone, the alternation goes on.
//
// References: De Saxce, Feng, The bipotential method: a constructive approach to design the
// complete contact law with friction and improved numerical algorithms, Math. Comput. Modelling 28
// (1998) 225-245. Acary, Cadoux, Lemarechal, Malick, A formulation of the linear discrete Coulomb
// friction problem via convex optimization, ZAMM 91 (2011) 155-175.

#include <float.h>
#include <math.h>
#include <string.h>

#include "newton/iterate.h"
#include "path.h"
#include "sinew/numerics/sparse.h"
#include "soften.h"
#include "sweep.h"

enum { FRICTION, NORMAL };

static const sn_param coulomb_params[] = {
  [FRICTION] = { .name = "friction",
                 .default_value = "1e-5",
                 .summary = "factor of the regularizer R of friction rows of elliptic contacts; "
                            "creep of sticking contacts is proportional to it; raised, up to 1, in "
                            "steps that are hard to solve (no unit)",
                 .min = 1e-12,
                 .max = 1,
                 .type = SN_PARAM_REAL },
  [NORMAL] = { .name = "normal",
               .default_value = "1",
               .summary = "factor of the regularizer R of normal rows of elliptic and frictionless "
                          "contacts; depth at rest is nearly independent of load when it is small; "
                          "raised, up to 1, in steps that are hard to solve (no unit)",
               .min = 1e-12,
               .max = 1,
               .type = SN_PARAM_REAL },
  { .name = NULL },
};

typedef struct coulomb {
  solver_instance newton;
  double friction, normal;
} coulomb;

// The convex problem with shifts.
typedef struct shifted {
  sn_problem problem;
  double *D, *R;
  sn_cone *cone;
  double *shift;   // ncone; added to the residual of the normal row
} shifted;

// ------------------------------------------------------------------ the shifted problem

static void scale_row(shifted *s, int64_t row, double factor) {
  s->R[row] *= factor;
  s->D[row] /= factor;
}

static void scale_rows(const coulomb *self, shifted *s) {
  sn_problem *q = &s->problem;
  for (int64_t i = 0; i < q->nefc; i++) {
    if (q->type[i] == SN_ROW_CONTACT_FRICTIONLESS) {
      scale_row(s, i, self->normal);
    }
  }
  for (int64_t k = 0; k < q->ncone; k++) {
    sn_cone *c = &s->cone[k];
    scale_row(s, c->row, self->normal);
    for (int32_t i = 1; i < c->dim; i++) {
      scale_row(s, c->row + i, self->friction);
    }
    c->mu = c->friction[0] * sqrt(s->R[c->row + 1] / s->R[c->row]);
  }
}

static sn_status shifted_make(const coulomb *self, shifted *s, const sn_problem *problem,
                              sn_scratch *mem) {
  size_t rows = (size_t)problem->nefc * sizeof(double);
  s->problem = *problem;
  SN_ALLOC(s->D, mem, problem->nefc);
  SN_ALLOC(s->R, mem, problem->nefc);
  SN_ALLOC(s->cone, mem, problem->ncone);
  SN_ALLOC(s->shift, mem, problem->ncone);
  memcpy(s->D, problem->D, rows);
  memcpy(s->R, problem->R, rows);
  if (problem->ncone) {
    memcpy(s->cone, problem->cone, (size_t)problem->ncone * sizeof *s->cone);
    memset(s->shift, 0, (size_t)problem->ncone * sizeof *s->shift);
  }
  scale_rows(self, s);
  s->problem.D = s->D;
  s->problem.R = s->R;
  s->problem.cone = s->cone;
  return SN_OK;
}

// The part of the residual of friction that is slip; z_0 without shift.
static double slip(const shifted *s, const sn_cone *c, const double *jar, double normal) {
  double tt = 0, f = s->D[c->row] * fmax(0, -normal);
  for (int32_t i = 1; i < c->dim; i++) {
    double w = c->friction[i - 1] * jar[c->row + i];
    tt += w * w;
  }
  return fmax(0, sqrt(tt) - f * s->R[c->row + 1] * c->friction[0] * c->friction[0]);
}

// Shifts for the point, with the forces that follow.
static void shift_rows(shifted *s, primal *p) {
  for (int64_t k = 0; k < s->problem.ncone; k++) {
    const sn_cone *c = &s->cone[k];
    double normal = p->jar[c->row] - s->shift[k];
    s->shift[k] = slip(s, c, p->jar, normal);
    p->jar[c->row] = normal + s->shift[k];
  }
  primal_update(p);
}

// ------------------------------------------------------------------ the iteration

// Minimizes the convex problem until the gradient is a part of what it was.
static sn_status minimize(const coulomb *self, primal *p, hessian *h, progress *g) {
  static const double enough = 0.1;
  const double target = enough * g->norm;
  int32_t stale = 1;
  sn_status status = SN_NOT_CONVERGED;
  while (status == SN_NOT_CONVERGED && g->norm > target &&
         g->solution->iterations < p->problem->iterations) {
    status = newton_iterate(&self->newton, p, h, g, &stale);
  }
  return status;
}

// A force D z has the rounding error of z, the difference between J a and aref, times D: much where
// the regularizers are small.
static double force_rounding(const primal *p) {
  const sn_problem *q = p->problem;
  double sum = 0;
  for (int64_t i = 0; i < q->nefc; i++) {
    if (p->force[i] != 0) {
      const double error = q->D[i] * (fabs(q->aref[i]) + fabs(p->jar[i]));
      const sn_sparse_row J = sn_sparse_row_at(&q->J, i);
      for (int32_t k = 0; k < J.n; k++) {
        sum += error * error * J.val[k] * J.val[k];
      }
    }
  }
  return DBL_EPSILON * sqrt(sum);
}

static int is_solved(const primal *p, const progress *g, double tolerance) {
  return g->scale * g->norm < tolerance || g->norm <= newton_rounding(p) ||
         g->norm <= force_rounding(p);
}

// Alternates shifts and Newton's method: at rest and in steady sliding that takes few iterations,
// elsewhere it may go round in circles. Other methods, where there are some, follow as soon as the
// residual does not fall fast.
static sn_status alternate(const coulomb *self, shifted *s, primal *p, hessian *h, progress *g) {
  enum { POLISH = 2, ATTEMPT = 2 };
  static const double fast = 0.1;
  sn_solution *solution = g->solution;
  const int32_t limit = s->problem.iterations;
  sn_status status = SN_NOT_CONVERGED;
  int32_t polished = 0;
  int is_fast = 1;
  while (status == SN_NOT_CONVERGED && solution->iterations < limit && (is_fast || h->lowrank)) {
    const int32_t before = solution->iterations;
    const double norm = g->norm;
    s->problem.iterations = h->lowrank || limit - before < ATTEMPT ? limit : before + ATTEMPT;
    const sn_status inner = minimize(self, p, h, g);
    if (inner >= 0) {
      shift_rows(s, p);
      g->norm = primal_gradient(p);
    }
    const int solved = is_solved(p, g, g->tolerance);
    polished += solved;
    status = inner < 0                                                           ? inner
             : is_solved(p, g, COULOMB_FINE * g->tolerance) || polished > POLISH ? SN_OK
                                                                                 : SN_NOT_CONVERGED;
    if (solution->iterations == before) {   // no step descends: rounding
      break;
    }
    is_fast = solved || g->norm < fast * norm;
  }
  s->problem.iterations = limit;
  return status == SN_NOT_CONVERGED && is_solved(p, g, g->tolerance) ? SN_OK : status;
}

// ------------------------------------------------------------------ hard problems

// Sweeps from the forces of the solution, until they change little; with what follows from them.
static void sweep(dual *u, int32_t most, sn_solution *solution) {
  const double enough = u->problem->tolerance / u->problem->scale;
  double change = HUGE_VAL;
  dual_restart(u);
  for (int32_t k = 0; k < most && (k == 0 || (change > enough && u->moved)); k++) {
    change = sweep_law(u);
  }
  dual_finish(u, solution);
}

// The path of interior points, from forces that sweeps find from those of the warm start.
static sn_status sweep_and_follow(dual *u, primal *p, hessian *h, active *method, double inside,
                                  sn_solution *solution, sn_scratch *mem) {
  enum { SWEEPS = 30 };
  active_soften(method, 1);
  active_forces(method, p->problem->qacc_start, solution->force);
  active_soften(method, 0);
  for (int64_t i = 0; i < p->problem->nefc; i++) {
    solution->force[i] *= method->S[i];
  }
  sweep(u, SWEEPS, solution);
  const sn_status status = path_solve(p, h, method, inside, solution, mem);
  if (status == SN_OK) {   // a contact that hardly touches has lost its force
    dual_finish(u, solution);
  }
  return status;
}

// One method after the other: those that solve most problems in few iterations first.
static const struct {
  int is_careful;   // of the method by the projection
  double inside;    // where the path starts; 0: it is that method
} attempts[] = { { .inside = 0.3 }, { .is_careful = 1 }, { 0 }, { .inside = 30 } };
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

static sn_status solve_by_steps(const coulomb *self, primal *p, hessian *h, const double *D,
                                double imbalance, sn_solution *solution, sn_scratch *mem) {
  enum { LAST = 100 };   // sweeps
  const sn_problem *q = p->problem;
  active method;
  dual u;
  SN_TRY(hessian_make_unsymmetric(h, mem));
  SN_TRY(active_make(&method, p, h, D, mem));
  sn_status status = soften_solve(&method, imbalance, solution, mem);
  if (status != SN_NOT_CONVERGED) {
    return status;
  }
  SN_TRY(dual_make(&u, q, self->newton.kernel, solution->force, q->R, mem));
  for (int i = 0; i < ATTEMPTS && status == SN_NOT_CONVERGED; i++) {
    const double inside = attempts[i].inside;
    method.is_projected = inside == 0;
    method.is_careful = attempts[i].is_careful;
    status = inside > 0 ? sweep_and_follow(&u, p, h, &method, inside, solution, mem)
                        : soften_solve(&method, HUGE_VAL, solution, mem);
  }
  if (status == SN_NOT_CONVERGED) {
    sweep(&u, LAST, solution);
  }
  return status;
}

static sn_status coulomb_solve(const void *instance, const sn_problem *problem,
                               sn_solution *solution, sn_scratch *scratch) {
  // of the tolerance: at rest the rounding errors of positions are larger than COULOMB_FINE
  static const double still = 0.001;
  static const double near = 0.1;   // of the terms of the dynamics
  pool mem = pool_from(scratch);
  const coulomb *self = instance;
  shifted s;
  primal p;
  hessian h;
  SN_TRY(shifted_make(self, &s, problem, &mem.scratch));
  const tasks alone = tasks_with(NULL, NULL);
  SN_TRY(primal_make(&p, &s.problem, self->newton.kernel, &alone, solution, &mem.scratch));
  primal_place(&p, problem->qacc_start);
  shift_rows(&s, &p);
  progress g = { .scale = problem->scale, .tolerance = problem->tolerance, .solution = solution };
  solution->iterations = 0;
  g.norm = primal_gradient(&p);
  if (is_solved(&p, &g, still * g.tolerance)) {
    return SN_OK;
  }

  const int dense = problem->jacobian == SN_JACOBIAN_DENSE;
  SN_TRY(hessian_make(&h, &p, self->newton.kernel, dense, &mem.scratch));
  sn_status status = SN_NOT_CONVERGED;
  if (h.lowrank || g.norm < near * newton_rounding(&p) / DBL_EPSILON) {
    status = alternate(self, &s, &p, &h, &g);
  }
  if (status != SN_NOT_CONVERGED || h.lowrank) {   // other methods need the entries of M
    return status;
  }
  return solve_by_steps(self, &p, &h, problem->D, g.norm, solution, &mem.scratch);
}

// ------------------------------------------------------------------ the plugin

static sn_status coulomb_create(const sn_host *host, const sn_value *values, void **self,
                                sn_error *error) {
  coulomb *s = host->alloc(host, (int64_t)sizeof *s);
  if (!s) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for a solver");
  }
  s->newton = (solver_instance){ .host = host,
                                 .kernel = sn_kernels_for_machine(),
                                 .linesearch_iterations = 50,
                                 .linesearch_tolerance = 0.01 };
  s->friction = values[FRICTION].real;
  s->normal = values[NORMAL].real;
  *self = s;
  return SN_OK;
}

static const sn_solver_ops coulomb_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .flags = SN_SOLVER_COULOMB | SN_SOLVER_RECURSIVE,
            .summary = "Coulomb friction by De Saxce's shift of normal rows",
            .params = coulomb_params,
            .create = coulomb_create,
            .destroy = solver_destroy },
  .solve = coulomb_solve,
};

static const sn_provide coulomb_provides[] = {
  SN_PROVIDE_SOLVER("coulomb", &coulomb_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "coulomb", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "solver with Coulomb friction proper", .provides = coulomb_provides)
