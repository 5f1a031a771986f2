// SPDX-License-Identifier: Apache-2.0
//
// Rows of equality constraints of plugins, see sinew/constraint.h. A plugin writes its Jacobian for
// all dofs; the rows have the columns that it declared.
//
//   weight of a row   sum_i J_i^2 dof_invweight0_i, the diagonal of J M^-1 J' for a diagonal M at
//                     qpos0

#include <string.h>

#include "base/finite.h"
#include "constraint/rows.h"

static void soften(si_rows *rows, int32_t eq, const si_plugin_equality *e, const double *J) {
  const sn_model *m = rows->m;
  const int64_t first = rows->d->nefc - e->nrow;
  const double *residual = rows->d->efc_pos + first;
  double sum = 0;
  for (int32_t r = 0; r < e->nrow; r++) {
    sum += residual[r] * residual[r];
  }
  for (int32_t r = 0; r < e->nrow; r++) {
    si_softness softness = { .solref = m->eq_solref + SI_NREFERENCE * eq,
                             .solimp = m->eq_solimp + SI_NIMPEDANCE * eq,
                             .distance = e->nrow == 1 ? residual[0] : sqrt(sum) };
    for (int32_t k = 0; k < e->ndof; k++) {
      softness.weight += J[r * e->ndof + k] * J[r * e->ndof + k] * m->dof_invweight0[e->dof[k]];
    }
    si_rows_soften(rows, first + r, &softness);
  }
}

// A block with the residual and the declared columns of J, unless J is zero there.
static void add_block(si_rows *rows, int32_t eq, const si_plugin_equality *e,
                      const double *residual, const double *J) {
  const int64_t nv = rows->m->nv;
  double *out = si_rows_block(rows, SN_ROW_EQUALITY, eq, e->nrow, e->ndof, e->dof);
  for (int32_t r = 0; r < e->nrow; r++) {
    for (int32_t k = 0; k < e->ndof; k++) {
      out[r * e->ndof + k] = J[r * nv + e->dof[k]];
    }
  }
  memcpy(rows->d->efc_pos + rows->d->nefc - e->nrow, residual, (size_t)e->nrow * sizeof *residual);
  if (!si_rows_drop_idle(rows, out)) {
    soften(rows, eq, e, out);
  }
}

void si_equality_plugin_rows(si_rows *rows, int32_t eq) {
  const si_plugin_equality *e = &rows->m->bound.equality[eq];
  const sn_constraint_ops *ops = e->provider->ops;
  const int64_t nv = rows->m->nv;
  si_worker *w = rows->w;
  if (e->ndof == 0) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *residual = si_arena_reals(&w->scratch, e->nrow);
  double *J = si_arena_reals(&w->scratch, e->nrow * nv);
  memset(residual, 0, (size_t)e->nrow * sizeof *residual);
  memset(J, 0, (size_t)(e->nrow * nv) * sizeof *J);
  si_worker_output(w, "residual", residual, e->nrow * (int64_t)sizeof *residual);
  si_worker_output(w, "J", J, e->nrow * nv * (int64_t)sizeof *J);
  const si_call call = si_worker_enter(w, e->provider, "evaluate");
  sn_status status = ops->evaluate(e->provider->self, e->bound, &rows->d->view, residual, J,
                                   si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  if (status >= 0 && si_all_finite(residual, e->nrow) && si_all_finite(J, e->nrow * nv)) {
    add_block(rows, eq, e, residual, J);
  } else {
    si_worker_warn(w, SN_WARN_PLUGIN, "the constraint '%s' %s and was left out", e->provider->name,
                   status < 0 ? "failed" : "is not finite");
  }
  si_arena_release(&w->scratch, mark);
}
