// SPDX-License-Identifier: Apache-2.0
//
// Tests a solver with random strictly convex problems that have every type of row and a unique
// solution. No simulation is needed: the inertia matrix is made from a random factor, M = L'DL
// along the tree below, so it is positive definite and has the sparsity pattern of the tree.
//
//   dof   0 - 1 - 2 - 3        6 - 7
//             |
//             4 - 5

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"

enum {
  NV = 8,
  NEQUALITY = 2,
  NFRICTION = 2,
  NLIMIT = 2,
  NPLAIN = 1,
  NPYRAMID = 4,
  NCONE = 2,
  NEFC = NEQUALITY + NFRICTION + NLIMIT + NPLAIN + NPYRAMID + 3 + 4,
  NBLOCK = NEQUALITY + NFRICTION + NLIMIT + NPLAIN + 1 + NCONE
};

// Largest violation of the conditions of optimality, relative to the largest force: about what
// iterative methods that work on forces reach.
static const double optimality_tolerance = 1e-5;
static const double start_tolerance = 1e-4;
static const double post_tolerance = 1e-9;   // of post-solvers: rad/s^2 or m/s^2, and N
static const double state_tolerance = 1e-3;   // of forces by the formula of their state

typedef struct problem {
  sn_problem view;
  sn_inertia inertia;
  int32_t parent[NV], adr[NV];
  double M[NV * NV], L[NV * NV], Dinv[NV];
  double qacc_smooth[NV], qfrc_smooth[NV], start[NV];
  int32_t nnz[NEFC], jadr[NEFC], col[NEFC * NV], type[NEFC];
  double J[NEFC * NV], D[NEFC], R[NEFC], aref[NEFC], loss[NEFC];
  double force[NEFC], qacc[NV];   // the result of the main solver, for a post-solver
  sn_sparse dual;                 // J M^-1 J'
  double A[NEFC * NEFC];
  int32_t anz[NEFC], aadr[NEFC], acol[NEFC * NEFC];
  sn_block block[NBLOCK];
  sn_cone cone[NCONE];
} problem;

typedef struct answer {
  double qacc[NV], force[NEFC];
  int32_t state[NEFC], iterations;
  sn_status status;
} answer;

// What the calls of a solver showed.
typedef struct findings {
  kit_calls calls;
  sn_status failed;
  char wrong[128];   // of states and iterations
} findings;

// ------------------------------------------------------------------ making problems

static void make_inertia(kit *k, problem *p) {
  static const int32_t parent[NV] = { -1, 0, 1, 2, 1, 4, -1, 6 };
  double L[NV][NV] = { { 0 } }, D[NV], M[NV][NV] = { { 0 } };
  // a unit lower factor with entries at the ancestors only
  for (int i = 0; i < NV; i++) {
    D[i] = kit_between(k, 0.5, 2);
    L[i][i] = 1;
    for (int32_t a = parent[i]; a >= 0; a = parent[a]) {
      L[i][a] = 0.5 * kit_random(k);
    }
  }
  for (int i = 0; i < NV; i++) {
    for (int a = 0; a < NV; a++) {
      for (int b = 0; b < NV; b++) {
        M[a][b] += L[i][a] * D[i] * L[i][b];
      }
    }
  }
  // rows along the tree
  int32_t n = 0;
  for (int i = 0; i < NV; i++) {
    p->parent[i] = parent[i];
    p->adr[i] = n;
    p->Dinv[i] = 1 / D[i];
    for (int32_t a = i; a >= 0; a = parent[a]) {
      p->M[n] = M[i][a];
      p->L[n++] = a == i ? D[i] : L[i][a];
    }
    p->qacc_smooth[i] = 5 * kit_random(k);
    p->start[i] = 5 * kit_random(k);
  }
  for (int a = 0; a < NV; a++) {
    p->qfrc_smooth[a] = 0;
    for (int b = 0; b < NV; b++) {
      p->qfrc_smooth[a] += M[a][b] * p->qacc_smooth[b];
    }
  }
  p->view.inertia = &p->inertia;
  p->inertia = (sn_inertia){ .size = sizeof p->inertia,
                             .nv = NV,
                             .nM = n,
                             .parent = p->parent,
                             .adr = p->adr,
                             .M = p->M,
                             .L = p->L,
                             .Dinv = p->Dinv };
}

// x = M^-1 x by the factor M = L'DL, whose rows follow the tree from a dof to its root.
static void solve_inertia(const problem *p, double *x) {
  for (int i = NV - 1; i >= 0; i--) {
    int32_t at = p->adr[i];
    for (int32_t a = p->parent[i]; a >= 0; a = p->parent[a]) {
      x[a] -= p->L[++at] * x[i];
    }
  }
  for (int i = 0; i < NV; i++) {
    int32_t at = p->adr[i];
    x[i] *= p->Dinv[i];
    for (int32_t a = p->parent[i]; a >= 0; a = p->parent[a]) {
      x[i] -= p->L[++at] * x[a];
    }
  }
}

static void add_rows(problem *p, int n, int type) {
  p->block[p->view.nblock++] = (sn_block){ .row = (int32_t)p->view.nefc, .nrow = n };
  for (int i = 0; i < n; i++) {
    p->type[p->view.nefc++] = type;
  }
}

// friction directions are scaled as the regularizer of an elliptic contact is
static void add_cone(kit *k, problem *p, int dim) {
  int row = (int)p->view.nefc;
  sn_cone *c = &p->cone[p->view.ncone++];
  *c = (sn_cone){ .row = row, .dim = dim };
  for (int i = 0; i < 5; i++) {
    c->friction[i] = kit_between(k, 0.3, 1.2);
  }
  add_rows(p, dim, SN_ROW_CONTACT_ELLIPTIC);
  for (int i = 1; i < dim; i++) {
    double ratio = c->friction[0] / c->friction[i - 1];
    p->R[row + i] = p->R[row] * ratio * ratio;
  }
  c->mu = c->friction[0] * sqrt(p->R[row + 1] / p->R[row]);
}

static void make_dual(problem *p) {
  for (int i = 0; i < NEFC; i++) {
    double x[NV];
    memcpy(x, p->J + i * NV, sizeof x);
    solve_inertia(p, x);
    p->anz[i] = NEFC;
    p->aadr[i] = i * NEFC;
    for (int j = 0; j < NEFC; j++) {
      p->acol[i * NEFC + j] = j;
      for (int c = 0; c < NV; c++) {
        p->A[i * NEFC + j] += p->J[j * NV + c] * x[c];
      }
    }
  }
  p->dual = (sn_sparse){
    .nnz = p->anz, .adr = p->aadr, .col = p->acol, .val = p->A, .nrow = NEFC, .ncol = NEFC
  };
  p->view.dual = &p->dual;
}

static void make_problem(kit *k, problem *p) {
  const sn_solver_ops *ops = k->provider->ops;
  memset(p, 0, sizeof *p);
  make_inertia(k, p);
  for (int i = 0; i < NEFC; i++) {
    p->R[i] = kit_between(k, 0.05, 0.5);
    p->aref[i] = 10 * kit_random(k);
    p->nnz[i] = NV;
    p->jadr[i] = i * NV;
    for (int c = 0; c < NV; c++) {
      p->col[i * NV + c] = c;
      p->J[i * NV + c] = kit_random(k);
    }
  }
  for (int i = 0; i < NEQUALITY; i++) {
    add_rows(p, 1, SN_ROW_EQUALITY);
  }
  for (int i = 0; i < NFRICTION; i++) {
    p->loss[p->view.nefc] = kit_between(k, 0.5, 2);
    add_rows(p, 1, SN_ROW_FRICTION_DOF);
  }
  for (int i = 0; i < NLIMIT; i++) {
    add_rows(p, 1, SN_ROW_LIMIT_JOINT);
  }
  add_rows(p, NPLAIN, SN_ROW_CONTACT_FRICTIONLESS);
  add_rows(p, NPYRAMID, SN_ROW_CONTACT_PYRAMIDAL);
  add_cone(k, p, 3);
  add_cone(k, p, 4);
  for (int i = 0; i < NEFC; i++) {
    p->D[i] = 1 / p->R[i];
  }

  sn_problem *v = &p->view;
  v->size = sizeof *v;
  v->jacobian = SN_JACOBIAN_AUTO;
  v->nv = NV;
  v->ne = NEQUALITY;
  v->nf = NFRICTION;
  v->qacc_smooth = p->qacc_smooth;
  v->qfrc_smooth = p->qfrc_smooth;
  v->qacc_start = p->start;
  v->J = (sn_sparse){
    .nnz = p->nnz, .adr = p->jadr, .col = p->col, .val = p->J, .nrow = NEFC, .ncol = NV
  };
  v->block = p->block;
  v->type = p->type;
  v->D = p->D;
  v->R = p->R;
  v->aref = p->aref;
  v->frictionloss = p->loss;
  v->cone = p->cone;
  v->scale = 1.0 / NV;
  v->iterations = 1000;
  if (ops->head.flags & SN_SOLVER_DUAL) {
    make_dual(p);
  }
}

// ------------------------------------------------------------------ calls

static double largest(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = x[i] == x[i] ? fmax(most, fabs(x[i])) : INFINITY;
  }
  return most;
}

enum { QACC, FORCE, STATE, ITERATION, COUNT };
enum { NITERATION = 3 };   // fewer than most solvers make

// The operation itself, with guarded scratch memory. The outputs are the result of the main solver
// before the call of a post-solver.
static sn_status run_solve(const kit_call *call, sn_scratch *scratch) {
  const sn_solver_ops *ops = call->kit->provider->ops;
  const problem *p = call->context;
  sn_solution solution = { .size = sizeof solution,
                           .qacc = call->output[QACC].memory,
                           .force = call->output[FORCE].memory,
                           .state = call->output[STATE].memory,
                           .iteration = call->output[ITERATION].memory,
                           .ncapacity = NITERATION };
  sn_solution before = solution;
  const sn_status status = KIT_CALL(ops, solve)(call->kit->self, &p->view, &solution, scratch);
  memcpy(call->output[COUNT].memory, &solution.iterations, sizeof solution.iterations);
  before.iterations = solution.iterations;
  before.nsoftened = solution.nsoftened;
  return kit_same_struct(status, &solution, &before, sizeof before);
}

// qacc_smooth + M^-1 J' force
static void accelerate(const problem *p, const double *force, double *qacc) {
  memset(qacc, 0, NV * sizeof *qacc);
  for (int i = 0; i < NEFC; i++) {
    for (int c = 0; c < NV; c++) {
      qacc[c] += p->J[i * NV + c] * force[i];
    }
  }
  solve_inertia(p, qacc);
  for (int c = 0; c < NV; c++) {
    qacc[c] += p->qacc_smooth[c];
  }
}

// The force of a row in the quadratic zone, -D (J qacc - aref).
static double quadratic_force(const problem *p, int row, const double *qacc) {
  double residual = -p->aref[row];
  for (int c = 0; c < NV; c++) {
    residual += p->J[row * NV + c] * qacc[c];
  }
  return -p->D[row] * residual;
}

// Whether the force of the cone of this row is on its surface.
static int is_on_cone(const problem *p, int row, const double *force, double slack) {
  for (int c = 0; c < NCONE; c++) {
    const sn_cone *cone = &p->cone[c];
    if (row >= cone->row && row < cone->row + cone->dim) {
      double square = 0;
      for (int i = 1; i < cone->dim; i++) {
        const double x = force[cone->row + i] / cone->friction[i - 1];
        square += x * x;
      }
      return fabs(sqrt(square) - force[cone->row]) <= slack;
    }
  }
  return 0;
}

// Whether a row can have this state. At the solution of the convex problem, each state is a formula
// of the force: none, -D (J qacc - aref), the bound of the friction loss, the surface of the cone.
// qacc: that of the forces. slack: by how much they may differ; INFINITY: they are not compared,
// since other problems have other solutions.
static int is_state(const problem *p, int row, const answer *a, const double *qacc, double slack) {
  const int has_loss = p->type[row] == SN_ROW_FRICTION_DOF;
  const double force = a->force[row], bound = p->loss[row];
  switch (a->state[row]) {
    case SN_ROWSTATE_SATISFIED: return fabs(force) <= slack;
    case SN_ROWSTATE_QUADRATIC: return fabs(force - quadratic_force(p, row, qacc)) <= slack;
    case SN_ROWSTATE_LINEARNEG: return has_loss && fabs(force - bound) <= slack;
    case SN_ROWSTATE_LINEARPOS: return has_loss && fabs(force + bound) <= slack;
    case SN_ROWSTATE_CONE:
      return p->type[row] == SN_ROW_CONTACT_ELLIPTIC && is_on_cone(p, row, a->force, slack);
    default: return 0;
  }
}

static void check_answer(const kit *k, const problem *p, const answer *a, findings *f) {
  const uint32_t other = SN_SOLVER_POST | SN_SOLVER_COULOMB;
  const int is_convex = !(((const sn_ops *)k->provider->ops)->flags & other);
  if (a->iterations < 0 && !*f->wrong) {
    snprintf(f->wrong, sizeof f->wrong, "iterations is %d", a->iterations);
  }
  double qacc[NV];
  accelerate(p, a->force, qacc);
  const double slack = is_convex ? state_tolerance * (1 + largest(a->force, NEFC)) : INFINITY;
  for (int i = 0; i < NEFC && !*f->wrong; i++) {
    if (!is_state(p, i, a, qacc, slack)) {
      snprintf(f->wrong, sizeof f->wrong, "row %d, of type %d, with the force %.3g, has state %d",
               i, p->type[i], a->force[i], a->state[i]);
    }
  }
}

// Solves the problem, and again as calls.h says. The calls of a solver that fails are not judged.
static void solve(kit *k, const problem *p, answer *a, findings *f) {
  static const sn_iteration unused[NITERATION];
  static const int32_t none = -1;
  int32_t before[NEFC];
  kit_call call = { .operation = "solve", .run = run_solve, .context = p };
  for (int i = 0; i < NEFC; i++) {
    before[i] = SN_ROWSTATE_QUADRATIC;
  }
  const kit_output outputs[] = {
    [QACC] = { "qacc", sizeof p->qacc, p->qacc, NULL },
    [FORCE] = { "force", sizeof p->force, p->force, NULL },
    [STATE] = { "state", sizeof before, before, NULL },
    [ITERATION] = { "iteration", sizeof unused, unused, NULL },
    [COUNT] = { "iterations", sizeof none, &none, NULL },
  };
  const kit_input inputs[] = {
    { "M", p->M, sizeof p->M },
    { "L", p->L, sizeof p->L },
    { "Dinv", p->Dinv, sizeof p->Dinv },
    { "qacc_smooth", p->qacc_smooth, sizeof p->qacc_smooth },
    { "qfrc_smooth", p->qfrc_smooth, sizeof p->qfrc_smooth },
    { "qacc_start", p->start, sizeof p->start },
    { "J", p->J, sizeof p->J },
    { "D", p->D, sizeof p->D },
    { "R", p->R, sizeof p->R },
    { "aref", p->aref, sizeof p->aref },
    { "the problem", p, sizeof *p },
  };
  call.noutput = sizeof outputs / sizeof outputs[0];
  call.ninput = sizeof inputs / sizeof inputs[0];
  memcpy(call.output, outputs, sizeof outputs);
  memcpy(call.input, inputs, sizeof inputs);
  memset(a, 0, sizeof *a);
  a->status = kit_calls_make(k, &f->calls, &call) ? SN_OK : SN_EPLUGIN;
  if (a->status >= 0) {
    memcpy(a->qacc, call.output[QACC].memory, sizeof a->qacc);
    memcpy(a->force, call.output[FORCE].memory, sizeof a->force);
    memcpy(a->state, call.output[STATE].memory, sizeof a->state);
    memcpy(&a->iterations, call.output[COUNT].memory, sizeof a->iterations);
    check_answer(k, p, a, f);
  }
  f->failed = a->status < 0 ? a->status : f->failed;
  kit_call_free(&call);
}

enum { PROBLEMS = 20 };

static void report(kit *k, const findings *f) {
  kit_check(k, "rows", !*f->wrong, "%s", *f->wrong ? f->wrong : "states and iterations are valid");
  kit_calls_report(k, &f->calls);
}

// ------------------------------------------------------------------ requirements

// the largest violation of the conditions of optimality, relative to the largest force
static double optimality(const problem *p, answer *a) {
  double cost, residual[2];
  sn_solution solution = {
    .size = sizeof solution, .qacc = a->qacc, .force = a->force, .state = a->state
  };
  sn_problem_evaluate(&p->view, &solution, &cost, residual);
  double worst = (residual[0] + residual[1]) / (1 + largest(a->force, NEFC));
  return worst == worst ? worst : INFINITY;
}

// ------------------------------------------------------------------ Coulomb's law

// The largest violation of the dynamics and of Coulomb's law, relative to the largest force.
static double coulomb_violation(const problem *p, answer *a) {
  double residual[2];
  sn_solution solution = {
    .size = sizeof solution, .qacc = a->qacc, .force = a->force, .state = a->state
  };
  sn_problem_evaluate_coulomb(&p->view, &solution, residual);
  const double worst = (residual[0] + residual[1]) / (1 + largest(a->force, NEFC));
  return worst == worst ? worst : INFINITY;
}

static void test_coulomb(kit *k) {
  double worst = 0;
  findings f = { .failed = SN_OK };
  for (int i = 0; i < PROBLEMS; i++) {
    problem p;
    answer a;
    make_problem(k, &p);
    solve(k, &p, &a, &f);
    if (f.failed < 0) {
      break;
    }
    worst = fmax(worst, coulomb_violation(&p, &a));
  }
  kit_check(k, "Coulomb's law", worst <= optimality_tolerance,
            "largest violation of the dynamics and of Coulomb's law, relative to the largest "
            "force: %.1e; %.0e is allowed",
            worst, optimality_tolerance);
  report(k, &f);
}

// ------------------------------------------------------------------ the convex problem

static void test_solver(kit *k) {
  double worst = 0, apart = 0;
  findings f = { .failed = SN_OK };
  for (int i = 0; i < PROBLEMS; i++) {
    problem p;
    answer a, b;
    make_problem(k, &p);
    solve(k, &p, &a, &f);
    if (f.failed < 0) {
      break;
    }
    worst = fmax(worst, optimality(&p, &a));

    // the solution is unique: it must be found from another start, too
    for (int c = 0; c < NV; c++) {
      p.start[c] = p.qacc_smooth[c];
    }
    solve(k, &p, &b, &f);
    for (int c = 0; c < NV; c++) {
      const double off = fabs(a.qacc[c] - b.qacc[c]) / (1 + largest(a.qacc, NV));
      apart = off <= apart ? apart : off;   // also if it is not a number
    }
  }
  kit_check(
      k, "optimal", worst <= optimality_tolerance,
      "largest violation of the conditions of optimality, relative to the largest force: %.1e; "
      "%.0e is allowed",
      worst, optimality_tolerance);
  kit_check(k, "any start", apart <= start_tolerance,
            "solutions from two starts differ by %.1e; %.0e is allowed", apart, start_tolerance);
  report(k, &f);
}

// ------------------------------------------------------------------ post-solvers

// Forces that the constraints allow, at random, and the acceleration that results from them.
static void make_result(kit *k, problem *p) {
  for (int i = 0; i < NEFC; i++) {
    const double bound = p->loss[i];
    p->force[i] = p->type[i] == SN_ROW_EQUALITY       ? kit_random(k)
                  : p->type[i] == SN_ROW_FRICTION_DOF ? bound * kit_random(k)
                                                      : kit_between(k, 0, 2);
  }
  for (int c = 0; c < NCONE; c++) {
    const sn_cone *cone = &p->cone[c];
    const double share = p->force[cone->row] / sqrt(cone->dim - 1);
    for (int i = 1; i < cone->dim; i++) {
      p->force[cone->row + i] = cone->friction[i - 1] * share * kit_random(k);
    }
  }
  accelerate(p, p->force, p->qacc);
  p->view.force_start = p->force;
  p->view.noslip_tolerance = 1e-10;
  p->view.noslip_iterations = 100;
}

// How far the forces are outside of what the constraints allow, in N.
static double outside(const problem *p, const double *force) {
  double worst = 0;
  for (int i = 0; i < NEFC; i++) {
    const double over = p->type[i] == SN_ROW_EQUALITY          ? 0
                        : p->type[i] == SN_ROW_FRICTION_DOF    ? fabs(force[i]) - p->loss[i]
                        : p->type[i] == SN_ROW_CONTACT_ELLIPTIC ? 0
                                                                : -force[i];
    worst = fmax(worst, over);
  }
  for (int c = 0; c < NCONE; c++) {
    const sn_cone *cone = &p->cone[c];
    double square = 0;
    for (int i = 1; i < cone->dim; i++) {
      const double x = force[cone->row + i] / cone->friction[i - 1];
      square += x * x;
    }
    worst = fmax(worst, fmax(-force[cone->row], sqrt(square) - force[cone->row]));
  }
  return worst;
}

static void test_post_solver(kit *k) {
  double apart = 0, over = 0;
  findings f = { .failed = SN_OK };
  for (int i = 0; i < PROBLEMS; i++) {
    problem p;
    answer a;
    double cost, residual[2];
    make_problem(k, &p);
    make_result(k, &p);
    solve(k, &p, &a, &f);
    if (f.failed < 0) {
      break;
    }
    const sn_solution solution = {
      .size = sizeof solution, .qacc = a.qacc, .force = a.force, .state = a.state
    };
    sn_problem_evaluate(&p.view, &solution, &cost, residual);
    apart = residual[0] <= apart ? apart : residual[0];
    over = outside(&p, a.force) <= over ? over : outside(&p, a.force);
  }
  kit_check(k, "dynamics", apart <= post_tolerance,
            "M qacc differs from qfrc_smooth + J' force by at most %.1e; %.0e is allowed", apart,
            post_tolerance);
  kit_check(k, "feasible", over <= post_tolerance,
            "forces are at most %.1e N outside of what the constraints allow; %.0e is allowed",
            over, post_tolerance);
  report(k, &f);
}

void kit_solver(kit *k) {
  const sn_solver_ops *ops = k->provider->ops;
  if (!ops->solve) {
    kit_report(k, "operations", KIT_FAILED, "solve is missing");
  } else if (ops->head.flags & SN_SOLVER_POST) {
    test_post_solver(k);
  } else if (ops->head.flags & SN_SOLVER_COULOMB) {
    test_coulomb(k);
  } else {
    test_solver(k);
  }
}
