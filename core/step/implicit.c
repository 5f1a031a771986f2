// SPDX-License-Identifier: Apache-2.0
//
// Implicit velocity, EQUATIONS (5): (M - h D) x = M qacc, where M qacc is qfrc_smooth +
// qfrc_constraint. D has the sparsity of M, so that elimination from the leaves to the root makes
// no new entries: L'DL when D is symmetric, else LU (sinew/numerics/tree.h). Where passive forces
// or actuators couple branches, both run along an elimination tree that has these couplings
// (bind/coupling.c).

#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "dynamics/actuation.h"
#include "dynamics/derivative.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"
#include "sinew/numerics/sparse.h"
#include "sinew/numerics/tree.h"
#include "step/pipeline.h"
#include "step/stepper.h"

// Joint damping stays in M + h D when passive forces are disabled.
// Matches MuJoCo 2.2.2: damping-without-passive
static int any_damping(const sn_model *m) {
  for (int64_t i = 0; i < m->nv; i++) {
    if (m->dof_damping[i] != 0) {
      return 1;
    }
  }
  return 0;
}

// A matrix A of the model, to be solved with several times.
typedef struct linear_system {
  si_elimination e;
  sn_inertia factor;        // of a symmetric A
  sn_unsymmetric A, work;   // of another; NULL
} linear_system;

// Of A + h diag(damping); where h is not 0, e is the tree of M.
static linear_system symmetric_system(const sn_model *m, sn_data *d, si_worker *w,
                                      const si_elimination *e, const double *A, double h) {
  double *L = si_arena_reals(&w->scratch, e->n), *Dinv = si_arena_reals(&w->scratch, m->nv);
  if (e->parent == m->inertia_parent) {
    si_dyn_factor_tree(m, d, A, h, L, Dinv);
  } else {
    sn_tree_factor(m->nv, e->parent, e->adr, A, L, Dinv);
  }
  return (linear_system){ .e = *e,
                          .factor = { .size = sizeof(sn_inertia),
                                      .nv = m->nv,
                                      .nM = e->n,
                                      .parent = e->parent,
                                      .adr = e->adr,
                                      .L = L,
                                      .Dinv = Dinv } };
}

static linear_system unsymmetric_system(si_worker *w, const si_elimination *e, sn_unsymmetric A) {
  const sn_unsymmetric work = { si_arena_reals(&w->scratch, e->n),
                                si_arena_reals(&w->scratch, e->n) };
  return (linear_system){ .e = *e, .A = A, .work = work };
}

// x = A^-1 x
static void solve(const sn_model *m, sn_data *d, const linear_system *s, double *x) {
  if (!s->A.lower && s->e.parent != m->inertia_parent) {
    sn_tree_solve(&s->factor, x);
    return;
  }
  if (!s->A.lower) {
    si_dyn_solve_tree(m, d, &s->factor, x, x);
    return;
  }
  memcpy(s->work.lower, s->A.lower, (size_t)s->e.n * sizeof(double));
  memcpy(s->work.upper, s->A.upper, (size_t)s->e.n * sizeof(double));
  sn_unsymmetric_solve(m->nv, s->e.parent, s->e.adr, s->work, x);
}

// The same by recursion along the bodies.
static linear_system recursive_system(const sn_model *m, const sn_data *d, si_worker *w, double h) {
  double *extra = si_arena_reals(&w->scratch, m->nv);
  double *factor = si_arena_reals(&w->scratch, SN_ARTICULATION_FACTOR * m->nv);
  sn_articulation *links = si_arena_take(&w->scratch, (int64_t)sizeof *links, 8);
  for (int64_t i = 0; i < m->nv; i++) {
    extra[i] = h * m->dof_damping[i];
  }
  sn_articulation_factor(&d->links.view, extra, factor);
  *links = d->links.view;
  links->factor = factor;
  linear_system s = { .e = si_elimination_tree(m), .factor = si_inertia_view(m, d) };
  s.factor.links = links;
  return s;
}

// A = M + h diag(damping)
static linear_system damped_system(const sn_model *m, sn_data *d, si_worker *w, double h) {
  if (d->computed & SI_HAS_LINKS) {
    return recursive_system(m, d, w, h);
  }
  const si_elimination own = si_elimination_tree(m);
  return symmetric_system(m, d, w, &own, d->qM, h);
}

static sn_unsymmetric zeros(si_worker *w, int64_t n) {
  sn_unsymmetric D = { si_arena_reals(&w->scratch, n), si_arena_reals(&w->scratch, n) };
  memset(D.lower, 0, (size_t)n * sizeof(double));
  memset(D.upper, 0, (size_t)n * sizeof(double));
  return D;
}

// Joint damping and bias forces, which couple no branches that M does not: on the pattern of M,
// both triangles.
static void derive_on_tree(const sn_model *m, sn_data *d, si_worker *w, uint32_t which,
                           sn_unsymmetric D) {
  if ((which & SN_DERIV_DAMPING) && !(which & SN_DERIV_PASSIVE)) {
    si_derive_damping(m, D);
  }
  if (which & SN_DERIV_BIAS) {
    si_derive_bias(m, d, w, D);
  }
}

// The others, on the pattern of an elimination tree. Joint damping is among the passive forces.
static void derive_coupled(const sn_model *m, sn_data *d, si_worker *w, uint32_t which,
                           const si_elimination *e, sn_unsymmetric D) {
  if (which & SN_DERIV_PASSIVE) {
    si_derive_passive(m, d, w, e, SI_BY_VELOCITY, D);
  }
  if (which & SN_DERIV_ACTUATOR) {
    si_derive_actuation(m, d, w, e, SI_BY_VELOCITY, D);
  }
}

// The selected derivatives on the pattern of an elimination tree, `coupled` or that of M.
static sn_unsymmetric derivatives_of(const sn_model *m, sn_data *d, si_worker *w, uint32_t which,
                                     const si_elimination *e, int coupled) {
  sn_unsymmetric D = zeros(w, e->n);
  if (!coupled) {
    derive_coupled(m, d, w, which, e, D);
    derive_on_tree(m, d, w, which, D);
    return D;
  }
  const sn_unsymmetric own = zeros(w, m->nM);
  derive_on_tree(m, d, w, which, own);
  si_elimination_spread(m, e, own.lower, D.lower);
  si_elimination_spread(m, e, own.upper, D.upper);
  derive_coupled(m, d, w, which, e, D);
  return D;
}

// y += scale K x
static void add_product(const sn_model *m, const si_elimination *e, sn_unsymmetric K, double scale,
                        const double *x, double *y) {
  for (int32_t i = 0; i < (int32_t)m->nv; i++) {
    int32_t at = e->adr[i];
    y[i] += scale * K.lower[at] * x[i];
    for (int32_t a = e->parent[i]; a >= 0; a = e->parent[a]) {
      at++;
      y[i] += scale * K.lower[at] * x[a];
      y[a] += scale * K.upper[at] * x[i];
    }
  }
}

// D += h K with K the derivatives by position, and out += h K v.
static void add_stiffness(const sn_model *m, sn_data *d, si_worker *w, uint32_t which, double h,
                          const si_elimination *e, sn_unsymmetric D, double *out) {
  const sn_unsymmetric K = zeros(w, e->n);
  if (which & SN_DERIV_PASSIVE) {
    si_derive_passive(m, d, w, e, SI_BY_POSITION, K);
  }
  if (which & SN_DERIV_ACTUATOR) {
    si_derive_actuation(m, d, w, e, SI_BY_POSITION, K);
  }
  for (int64_t i = 0; i < e->n; i++) {
    D.lower[i] += h * K.lower[i];
    D.upper[i] += h * K.upper[i];
  }
  add_product(m, e, K, h, d->qvel, out);
}

// A = M - h D; the force of springs, h K v, is added to out if they are implicit too.
static linear_system derived_system(const sn_model *m, sn_data *d, si_worker *w, uint32_t which,
                                    double h, double *out) {
  const int coupled = m->bound.coupled.parent && !(which & SN_DERIV_TREE) &&
                      which & (SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR);
  const si_elimination e = coupled ? m->bound.coupled : si_elimination_tree(m);
  si_dyn_need_inertia(m, d);
  sn_unsymmetric A = derivatives_of(m, d, w, which, &e, coupled);
  if (which & SN_DERIV_POSITION) {
    add_stiffness(m, d, w, which, h, &e, A, out);
  }
  double *M = d->qM;
  if (coupled) {
    M = si_arena_reals(&w->scratch, e.n);
    si_elimination_spread(m, &e, d->qM, M);
  }
  if (which & SN_DERIV_SYMMETRIC) {
    for (int64_t i = 0; i < e.n; i++) {
      A.lower[i] = M[i] - h * 0.5 * (A.lower[i] + A.upper[i]);
    }
    return symmetric_system(m, d, w, &e, A.lower, 0);
  }
  for (int64_t i = 0; i < e.n; i++) {
    A.lower[i] = M[i] - h * A.lower[i];
    A.upper[i] = M[i] - h * A.upper[i];
  }
  return unsymmetric_system(w, &e, A);
}

// ------------------------------------------------------------------ exact constraints

// Exact equality constraints hold for the acceleration that an implicit method computes, whose
// forces are not those at the start of the step. Their forces f follow from
//
//   A x = force + G' f,  G x = aref
//
// With the forces of the forward dynamics instead, which balance those of stiff springs and dampers
// at the start, x would be as large as these forces are.
typedef struct exact_rows {
  int32_t n, *row;
  double *scale;   // n: by the approximate diagonal of G M^-1 G'
  double *X;       // n x nv
} exact_rows;

static exact_rows find_exact(const sn_model *m, const sn_data *d, si_worker *w) {
  exact_rows e = { 0 };
  if (d->ne == 0 || si_any_exact(m, d) < 0) {
    return e;
  }
  e.row = si_arena_ints(&w->scratch, d->ne);
  for (int32_t i = 0; i < (int32_t)d->ne; i++) {
    if (si_equality_is_exact(m, d->efc_id[i])) {
      e.row[e.n++] = i;
    }
  }
  e.scale = si_arena_reals(&w->scratch, e.n);
  e.X = si_arena_reals(&w->scratch, e.n * m->nv);
  return e;
}

// Takes their forces from those of all constraints.
static void leave_out(const sn_data *d, const exact_rows *e, const sn_sparse *J, double *force) {
  for (int32_t k = 0; k < e->n; k++) {
    sn_row_add(sn_sparse_row_at(J, e->row[k]), -d->efc_force[e->row[k]], force);
  }
}

static void swap(double *a, double *b, int64_t n, int64_t stride) {
  for (int64_t i = 0; i < n; i++) {
    const double x = a[i * stride];
    a[i * stride] = b[i * stride];
    b[i * stride] = x;
  }
}

// The equations S x = f, in elimination; unknown order[k] is in column k.
typedef struct equations {
  int32_t n, rank;
  double *S, *f;
  int32_t *order;
} equations;

// Brings the largest number that is left to the diagonal, and returns it.
static double bring_pivot(equations *q) {
  const int32_t n = q->n, k = q->rank;
  int32_t row = k, col = k;
  for (int32_t i = k; i < n; i++) {
    for (int32_t j = k; j < n; j++) {
      if (fabs(q->S[i * n + j]) > fabs(q->S[row * n + col])) {
        row = i;
        col = j;
      }
    }
  }
  swap(q->S + row * n, q->S + k * n, n, 1);
  swap(q->f + row, q->f + k, 1, 1);
  swap(q->S + col, q->S + k, n, n);
  const int32_t unknown = q->order[col];
  q->order[col] = q->order[k];
  q->order[k] = unknown;
  return q->S[k * n + k];
}

static void eliminate(equations *q) {
  const int32_t n = q->n, k = q->rank;
  const double *row = q->S + k * n;
  for (int32_t i = k + 1; i < n; i++) {
    const double part = q->S[i * n + k] / row[k];
    for (int32_t j = k; j < n; j++) {
      q->S[i * n + j] -= part * row[j];
    }
    q->f[i] -= part * q->f[k];
  }
}

// Gaussian elimination with complete pivoting. Where pivots are rounding errors, equations repeat
// or contradict others: they are left out, and as many unknowns are 0.
static void solve_equations(equations *q, double *x) {
  static const double negligible = 1e-12;
  double first = 0;
  for (int32_t k = 0; k < q->n; k++) {
    q->order[k] = k;
    x[k] = 0;
  }
  for (; q->rank < q->n; q->rank++) {
    const double pivot = fabs(bring_pivot(q));
    first = q->rank ? first : pivot;
    if (!(pivot > negligible * first)) {
      break;
    }
    eliminate(q);
  }
  for (int32_t k = q->rank - 1; k >= 0; k--) {
    double sum = q->f[k];
    for (int32_t j = k + 1; j < q->rank; j++) {
      sum -= q->S[k * q->n + j] * x[q->order[j]];
    }
    x[q->order[k]] = sum / q->S[k * q->n + k];
  }
}

// X = A^-1 G', with the rows of G scaled.
static void respond(const sn_model *m, sn_data *d, const linear_system *A, const sn_sparse *J,
                    const exact_rows *e) {
  for (int32_t k = 0; k < e->n; k++) {
    double *x = e->X + k * m->nv;
    e->scale[k] = 1 / sqrt(fmax(SN_TINY, d->efc_diagApprox[e->row[k]]));
    memset(x, 0, (size_t)m->nv * sizeof *x);
    sn_row_add(sn_sparse_row_at(J, e->row[k]), e->scale[k], x);
    solve(m, d, A, x);
  }
}

// x, without their forces, becomes the solution with them.
static void meet_exact(const sn_model *m, sn_data *d, si_worker *w, const linear_system *A,
                       const sn_sparse *J, const exact_rows *e, double *x) {
  const int32_t n = e->n;
  equations q = { .n = n,
                  .S = si_arena_reals(&w->scratch, (int64_t)n * n),
                  .f = si_arena_reals(&w->scratch, n),
                  .order = si_arena_ints(&w->scratch, n) };
  double *force = si_arena_reals(&w->scratch, n);
  respond(m, d, A, J, e);
  for (int32_t k = 0; k < n; k++) {
    const sn_sparse_row G = sn_sparse_row_at(J, e->row[k]);
    q.f[k] = e->scale[k] * (d->efc_aref[e->row[k]] - sn_row_dot(G, x));
    for (int32_t j = 0; j < n; j++) {
      q.S[k * n + j] = e->scale[k] * sn_row_dot(G, e->X + j * m->nv);
    }
  }
  solve_equations(&q, force);
  for (int32_t k = 0; k < n; k++) {
    for (int64_t i = 0; i < m->nv; i++) {
      x[i] += force[k] * e->X[k * m->nv + i];
    }
  }
}

// ------------------------------------------------------------------ the service

// Where the exact rows are nearly dependent, as of rods on a line, errors of integration ask for
// accelerations without bound. What turns the velocity by a large part of itself is left to the
// projection after the step.
static void limit_exact(const sn_model *m, sn_data *d, si_worker *w, double h, double *force) {
  static const double most = 0.2;
  if (d->ne == 0 || si_any_exact(m, d) < 0) {
    return;
  }
  const si_mark mark = si_arena_mark(&w->scratch);
  const sn_sparse J = si_constraint_jacobian(d, m->nv);
  const exact_rows e = find_exact(m, d, w);
  double *f = si_arena_reals(&w->scratch, m->nv), *x = si_arena_reals(&w->scratch, m->nv);
  memset(f, 0, (size_t)m->nv * sizeof *f);
  leave_out(d, &e, &J, f);
  memcpy(x, f, (size_t)m->nv * sizeof *x);
  sn_solve_inertia(m, d, x);
  const sn_inertia inertia = si_inertia_view(m, d);
  double *Mv = si_arena_reals(&w->scratch, m->nv), push = 0, v = 0, a = 0;
  sn_tree_multiply(&inertia, d->qvel, Mv);
  for (int64_t i = 0; i < m->nv; i++) {
    push += x[i] * f[i];
    v += d->qvel[i] * Mv[i];
    a += d->qacc_smooth[i] * d->qfrc_smooth[i];
  }
  if (h * sqrt(push) > most * sqrt(v) + h * sqrt(a)) {
    for (int64_t i = 0; i < m->nv; i++) {
      force[i] += f[i];
    }
    si_worker_warn(w, SN_WARN_EQUALITY,
                   "the exact constraints are nearly dependent in this pose, as of rods on a line, "
                   "and ask for an acceleration without bound: the step leaves it out; use a "
                   "smaller timestep, or the integrator rk4");
  }
  si_arena_release(&w->scratch, mark);
}

enum { DERIVATIVES = SN_DERIV_DAMPING | SN_DERIV_PASSIVE | SN_DERIV_ACTUATOR | SN_DERIV_BIAS };

typedef struct implicit_request {
  uint32_t which;
  double h;
  double *out;
} implicit_request;

static sn_status solve_implicit(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  const implicit_request *r = context;
  const uint32_t which = r->which;
  double h = r->h, *out = r->out;
  for (int64_t i = 0; i < m->nv; i++) {
    out[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  }
  if (which & SN_DERIV_NO_INERTIAL) {
    si_dyn_add_inertial(m, d, out);
    limit_exact(m, d, w, h, out);
  }
  if ((which & DERIVATIVES) == 0) {
    sn_solve_inertia(m, d, out);
    return SN_OK;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  const sn_sparse J = si_constraint_jacobian(d, m->nv);
  exact_rows exact = { 0 };
  if (!(which & SN_DERIV_NO_INERTIAL)) {   // of which aref is a part
    exact = find_exact(m, d, w);
    leave_out(d, &exact, &J, out);
  }
  const linear_system A = (which & DERIVATIVES) == SN_DERIV_DAMPING
                              ? damped_system(m, d, w, h)
                              : derived_system(m, d, w, which, h, out);
  solve(m, d, &A, out);
  if (exact.n > 0) {
    meet_exact(m, d, w, &A, &J, &exact, out);
  }
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}

// Without derivatives the acceleration is that of the evaluation.
sn_status si_stepper_implicit(sn_stepper *s, uint32_t which, double h, double *out) {
  si_worker *w = s->context;
  const sn_model *m = w->data->model;
  const int no_damping = m->opt.disableflags & SN_DISABLE_EULERDAMP || !any_damping(m);
  if ((which & DERIVATIVES) == SN_DERIV_DAMPING && no_damping) {
    which &= ~(uint32_t)SN_DERIV_DAMPING;
  }
  if ((which & (DERIVATIVES | SN_DERIV_NO_INERTIAL)) == 0) {
    memcpy(out, w->data->qacc, (size_t)m->nv * sizeof(double));
    return SN_OK;
  }
  implicit_request request = { which, h, out };
  return si_guarded_again(solve_implicit, m, w->data, w, &request);
}
