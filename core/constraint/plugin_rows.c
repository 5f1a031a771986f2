// SPDX-License-Identifier: Apache-2.0
//
// Rows of constraints that plugins compute, see sinew/constraint.h: equations, which are rows of
// equality, and limits, which are rows while their residual is negative. A plugin writes its
// Jacobian for all dofs; the rows have the columns that it declared.
//
//   weight of a row   sum_i J_i^2 dof_invweight0_i, the diagonal of J M^-1 J' for a diagonal M at
//                     qpos0

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "constraint/rows.h"
#include "data/sleep.h"

// What the plugin wrote: nrow, nrow x nv, nrow.
typedef struct evaluated {
  double *residual, *J, *velocity;
} evaluated;

static double *take_zeros(si_worker *w, int64_t n) {
  double *out = si_arena_reals(&w->scratch, n);
  memset(out, 0, (size_t)n * sizeof *out);
  return out;
}

static void declare_output(si_worker *w, const char *name, double *out, int64_t n) {
  si_worker_output(w, name, out, n * (int64_t)sizeof *out);
}

static sn_status call_evaluate(si_rows *rows, const si_plugin_equality *e, evaluated *v) {
  const sn_constraint_ops *ops = e->provider->ops;
  si_worker *w = rows->w;
  const int64_t nJ = e->nrow * rows->m->nv;
  v->residual = take_zeros(w, e->nrow);
  v->J = take_zeros(w, nJ);
  declare_output(w, "residual", v->residual, e->nrow);
  declare_output(w, "J", v->J, nJ);
  const si_call call = si_worker_enter(w, e->provider, "evaluate");
  return si_worker_leave(w, &call,
                         ops->evaluate(e->provider->self, e->bound, &rows->d->view, v->residual,
                                       v->J, si_worker_lend(w)));
}

static sn_status call_velocity(si_rows *rows, const si_plugin_equality *e, evaluated *v) {
  const sn_constraint_ops *ops = e->provider->ops;
  si_worker *w = rows->w;
  v->velocity = take_zeros(w, e->nrow);
  if (!ops->velocity) {
    return SN_OK;
  }
  declare_output(w, "velocity", v->velocity, e->nrow);
  const si_call call = si_worker_enter(w, e->provider, "velocity");
  return si_worker_leave(
      w, &call,
      ops->velocity(e->provider->self, e->bound, &rows->d->view, v->velocity, si_worker_lend(w)));
}

// Whether a row can be used. A limit that is not violated is no row, so that only what is not a
// number matters there.
static int is_good(const si_plugin_equality *e, int32_t r, const double *residual, double x) {
  const int is_far = e->kind[r] == SN_CONSTRAINT_LIMIT && residual[r] >= 0;
  return is_far ? isfinite(x) : fabs(x) <= SI_LARGEST;
}

// The first bad number of one number a row; NULL: there is none.
static const double *first_bad(const si_plugin_equality *e, const double *residual,
                               const double *x) {
  for (int32_t r = 0; r < e->nrow; r++) {
    if (!is_good(e, r, residual, x[r])) {
      return x + r;
    }
  }
  return NULL;
}

// The same of J, whose numbers at other dofs than the declared ones are ignored.
static const double *first_bad_slope(const si_plugin_equality *e, const double *residual,
                                     const double *J, int64_t nv) {
  for (int32_t r = 0; r < e->nrow; r++) {
    for (int32_t k = 0; k < e->ndof; k++) {
      const double *x = J + r * nv + e->dof[k];
      if (!is_good(e, r, residual, *x)) {
        return x;
      }
    }
  }
  return NULL;
}

// Whether the results can be used; if not, the constraint is left out, which is reported.
static int is_usable(si_worker *w, const si_plugin_equality *e, const char *operation,
                     sn_status status, const char *output, const double *bad) {
  if (status >= 0 && !bad) {
    return 1;
  }
  si_worker_warn_result(w, e->provider, operation, status, output, status < 0 ? NULL : bad,
                        "this constraint is left out");
  return 0;
}

static int evaluate(si_rows *rows, const si_plugin_equality *e, evaluated *v) {
  si_worker *w = rows->w;
  sn_status status = call_evaluate(rows, e, v);
  if (!is_usable(w, e, "evaluate", status, "residual", first_bad(e, v->residual, v->residual)) ||
      !is_usable(w, e, "evaluate", status, "J",
                 first_bad_slope(e, v->residual, v->J, rows->m->nv))) {
    return 0;
  }
  status = call_velocity(rows, e, v);
  return is_usable(w, e, "velocity", status, "velocity", first_bad(e, v->residual, v->velocity));
}

// Fills a row of the problem, whose numbers of J begin at `out`, with row r of the constraint.
static void fill(si_rows *rows, const si_plugin_equality *e, const evaluated *v, int32_t r,
                 int64_t row, double *out) {
  for (int32_t k = 0; k < e->ndof; k++) {
    out[k] = v->J[r * rows->m->nv + e->dof[k]];
  }
  rows->d->efc_pos[row] = v->residual[r];
  rows->d->efc_velref[row] = v->velocity[r];
}

static void soften(si_rows *rows, int32_t eq, const si_plugin_equality *e, int64_t row,
                   double distance, const double *J) {
  const sn_model *m = rows->m;
  si_softness softness = { .solref = m->eq_solref + SI_NREFERENCE * eq,
                           .solimp = m->eq_solimp + SI_NIMPEDANCE * eq,
                           .distance = distance,
                           .exact = rows->d->efc_type[row] == SN_ROW_EQUALITY &&
                                    si_equality_is_exact(m, eq) };
  for (int32_t k = 0; k < e->ndof; k++) {
    softness.weight += J[k] * J[k] * m->dof_invweight0[e->dof[k]];
  }
  si_rows_soften(rows, row, &softness);
}

// One block of all equations, unless J is zero there.
static void add_equations(si_rows *rows, int32_t eq, const si_plugin_equality *e,
                          const evaluated *v) {
  const int32_t n = e->nrow - e->nlimit;
  double *J = si_rows_block(rows, SN_ROW_EQUALITY, eq, n, e->ndof, e->dof);
  const int64_t first = rows->d->nefc - n;
  int32_t at = 0;
  double sum = 0;
  for (int32_t r = 0; r < e->nrow; r++) {
    if (e->kind[r] == SN_CONSTRAINT_EQUATION) {
      fill(rows, e, v, r, first + at, J + at * e->ndof);
      sum += v->residual[r] * v->residual[r];
      at++;
    }
  }
  if (si_rows_drop_idle(rows, J)) {
    return;
  }
  const double distance = n == 1 ? rows->d->efc_pos[first] : sqrt(sum);
  for (int32_t r = 0; r < n; r++) {
    soften(rows, eq, e, first + r, distance, J + r * e->ndof);
  }
}

// A block for each limit that is violated, unless J is zero there.
static void add_limits(si_rows *rows, int32_t eq, const si_plugin_equality *e, const evaluated *v) {
  for (int32_t r = 0; r < e->nrow; r++) {
    if (e->kind[r] == SN_CONSTRAINT_LIMIT && v->residual[r] < 0) {
      double *J = si_rows_block(rows, SN_ROW_LIMIT_PLUGIN, eq, 1, e->ndof, e->dof);
      const int64_t row = rows->d->nefc - 1;
      fill(rows, e, v, r, row, J);
      if (!si_rows_drop_idle(rows, J)) {
        soften(rows, eq, e, row, v->residual[r], J);
      }
    }
  }
}

static void add_rows(si_rows *rows, int32_t eq,
                     void (*add)(si_rows *rows, int32_t eq, const si_plugin_equality *e,
                                 const evaluated *v)) {
  const si_plugin_equality *e = &rows->m->bound.equality[eq];
  if (e->ndof == 0 || si_dofs_asleep(rows->m, rows->d, e->ndof, e->dof) ||
      (rows->left_out && rows->left_out[eq])) {
    return;
  }
  const si_mark mark = si_arena_mark(&rows->w->scratch);
  evaluated v;
  if (evaluate(rows, e, &v)) {
    add(rows, eq, e, &v);
  } else if (rows->left_out) {
    rows->left_out[eq] = 1;
  }
  si_arena_release(&rows->w->scratch, mark);
}

int64_t si_plugin_equations(const sn_model *m, int64_t eq) {
  return m->bound.equality[eq].nrow - m->bound.equality[eq].nlimit;
}

void si_plugin_equation_rows(si_rows *rows, int32_t eq) {
  if (si_plugin_equations(rows->m, eq) > 0) {
    add_rows(rows, eq, add_equations);
  }
}

// ------------------------------------------------------------------ limits

// The limits of a constraint, unless it is disabled.
static int64_t limits_of(const sn_model *m, const sn_data *d, int64_t eq) {
  const int disabled = (m->opt.disableflags & SN_DISABLE_EQUALITY) || !d->eq_enabled[eq];
  return disabled ? 0 : m->bound.equality[eq].nlimit;
}

int64_t si_plugin_limit_count(const sn_model *m, const sn_data *d) {
  int64_t n = 0;
  for (int64_t i = 0; m->bound.equality && i < m->neq; i++) {
    n += limits_of(m, d, i);
  }
  return n;
}

void si_plugin_limit_rows(si_rows *rows) {
  const sn_model *m = rows->m;
  for (int32_t i = 0; m->bound.equality && i < m->neq; i++) {
    if (limits_of(m, rows->d, i) > 0) {
      add_rows(rows, i, add_limits);
    }
  }
}
