// SPDX-License-Identifier: Apache-2.0
//
// The inertia of the present state, in one of two ways: by the entries of M, with L'DL = M, or by
// recursion along the bodies. And the doors to it: the view for plugins, products, solutions and
// the dense copy of the public interface. The kernels are numerics/tree.c, numerics/articulated.c.

#include "data/share.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "dynamics/tendon_armature.h"
#include "model/element.h"
#include "sinew/math.h"
#include "sinew/numerics/tree.h"

static void form(const sn_model *m, sn_data *d) {
  si_dyn_crb(m, d);
  d->computed |= SI_HAS_INERTIA;
}

void si_dyn_factor_part(const sn_model *m, const double *A, double h, int32_t begin, int32_t end,
                        double *L, double *Dinv) {
  if (begin >= end) {
    return;
  }
  const int64_t from = m->dof_Madr[begin], to = end < m->nv ? m->dof_Madr[end] : m->nM;
  memcpy(L + from, A + from, (size_t)(to - from) * sizeof *L);
  for (int32_t i = begin; i < end && h != 0; i++) {
    L[m->dof_Madr[i]] += h * m->dof_damping[i];
  }
  sn_tree_factor_part(m->nv, m->inertia_parent, m->dof_Madr, begin, end, L, Dinv);
}

typedef struct factoring {
  const double *A;
  double h, *L, *Dinv;
} factoring;

SI_TASK sn_status factor_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k,
                             void *context) {
  (void)w;
  const factoring *f = context;
  const si_run *run = &d->sleep.run[k];
  si_dyn_factor_part(m, f->A, f->h, run->begin.dof, run->end.dof, f->L, f->Dinv);
  return SN_OK;
}

void si_dyn_factor_runs(const sn_model *m, sn_data *d, const double *A, double h, double *L,
                        double *Dinv) {
  si_share_runs(m, d, factor_run, &(factoring){ A, h, L, Dinv });
}

typedef struct solving {
  const sn_inertia *A;
  const double *b;
  double *x;
} solving;

SI_TASK sn_status solve_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  (void)m, (void)w;
  const solving *s = context;
  const int32_t begin = d->sleep.run[k].begin.dof, end = d->sleep.run[k].end.dof;
  if (s->x != s->b && begin < end) {
    memcpy(s->x + begin, s->b + begin, (size_t)(end - begin) * sizeof *s->x);
  }
  sn_tree_solve_part(s->A, begin, end, s->x);
  return SN_OK;
}

void si_dyn_solve_runs(const sn_model *m, sn_data *d, const sn_inertia *A, const double *b,
                       double *x) {
  si_share_runs(m, d, solve_run, &(solving){ A, b, x });
}

static void factor(const sn_model *m, sn_data *d) {
  si_dyn_factor_tree(m, d, d->qM, 0, d->qLD, d->qLDiagInv);
}

// The way is that of the option when the simulation was made, unless both were edited since then.
static int is_recursive(const sn_model *m, const sn_data *d) {
  return d->links.axis && si_model_allows_recursion(m);
}

void si_dyn_inertia(const sn_model *m, sn_data *d, si_worker *w) {
  d->computed &= ~(SI_HAS_LINKS | SI_HAS_INERTIA);
  if (is_recursive(m, d)) {
    si_dyn_composite(m, d);
    si_dyn_articulate(m, d);
    d->computed |= SI_HAS_LINKS;
  } else {
    form(m, d);
    si_dyn_tendon_inertia(m, d, w);
  }
}

static void warn_of_pivots(const sn_model *m, const double *Dinv, si_worker *w) {
  for (int64_t i = 0; i < m->nv; i++) {
    if (Dinv[i] >= 1 / SN_TINY) {
      char joint[SI_MODEL_TITLE], body[SI_MODEL_TITLE];
      si_worker_warn(w, SN_WARN_INERTIA,
                     "dof %lld, of %s and %s; add mass to the body or "
                     "armature to the joint, or remove a second joint that has the same axis",
                     (long long)i, si_model_title(m, "joint", m->dof_jntid[i], joint),
                     si_model_title(m, "body", m->dof_bodyid[i], body));
      return;
    }
  }
}

void si_dyn_factor(const sn_model *m, sn_data *d, si_worker *w) {
  if (!(d->computed & SI_HAS_LINKS)) {
    factor(m, d);
    warn_of_pivots(m, d->qLDiagInv, w);
    return;
  }
  sn_articulation_factor(&d->links.view, NULL, d->links.factor);
  warn_of_pivots(m, d->links.factor, w);
  if (d->wants_inertia || m->bound.wants_inertia) {
    si_dyn_need_inertia(m, d);
  }
}

void si_dyn_need_inertia(const sn_model *m, sn_data *d) {
  if (d->computed & SI_HAS_LINKS && !(d->computed & SI_HAS_INERTIA)) {
    // also of what sleeps: in the steps before, the entries need not have been computed
    si_dyn_crb_rows(m, d, 0, (int32_t)m->nv);
    d->computed |= SI_HAS_INERTIA;
    sn_tree_factor(m->nv, m->inertia_parent, m->dof_Madr, d->qM, d->qLD, d->qLDiagInv);
  }
}

sn_inertia si_inertia_view(const sn_model *m, const sn_data *d) {
  const int links = d->computed & SI_HAS_LINKS, entries = !links || d->computed & SI_HAS_INERTIA;
  return (sn_inertia){ .size = sizeof(sn_inertia),
                       .nv = m->nv,
                       .nM = m->nM,
                       .parent = m->inertia_parent,
                       .adr = m->dof_Madr,
                       .M = entries ? d->qM : NULL,
                       .L = entries ? d->qLD : NULL,
                       .Dinv = entries ? d->qLDiagInv : NULL,
                       .recursion = links ? &sn_articulation_recursion : NULL,
                       .links = links ? &d->links.view : NULL };
}

void sn_multiply_inertia(const sn_model *model, const sn_data *data, const double *x, double *out) {
  sn_inertia inertia = si_inertia_view(model, data);
  sn_tree_multiply(&inertia, x, out);
}

void sn_solve_inertia(const sn_model *model, const sn_data *data, double *x) {
  sn_inertia inertia = si_inertia_view(model, data);
  sn_tree_solve(&inertia, x);
}

void sn_full_inertia(const sn_model *model, const sn_data *data, double *out) {
  int64_t nv = model->nv;
  si_dyn_need_inertia(model, (sn_data *)(uintptr_t)data);   // no result of its own: kept for later
  memset(out, 0, (size_t)(nv * nv) * sizeof(double));
  for (int64_t i = 0; i < nv; i++) {
    const double *row = data->qM + model->dof_Madr[i];
    for (int64_t j = i; j >= 0; j = model->inertia_parent[j]) {
      out[i * nv + j] = out[j * nv + i] = *row++;
    }
  }
}
