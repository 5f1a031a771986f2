// SPDX-License-Identifier: Apache-2.0
//
// L'DL = M, and the doors to the inertia of the present state: the view for plugins, products,
// solutions and the dense copy of the public interface. The kernels are in numerics/tree.c.

#include "dynamics/dynamics.h"
#include "sinew/math.h"
#include "sinew/numerics/tree.h"

void si_dyn_factor(const sn_model *m, sn_data *d, si_worker *w) {
  sn_tree_factor(m->nv, m->inertia_parent, m->dof_Madr, d->qM, d->qLD, d->qLDiagInv);
  for (int64_t i = 0; i < m->nv; i++) {
    if (d->qLDiagInv[i] >= 1 / SN_TINY) {
      const char *joint = sn_name(m, "joint", m->dof_jntid[i]);
      const char *body = sn_name(m, "body", m->dof_bodyid[i]);
      si_worker_warn(w, SN_WARN_INERTIA,
                     "dof %lld, of joint %d '%s' and body %d '%s'; add mass to the body or "
                     "armature to the joint, and check for parallel joints",
                     (long long)i, m->dof_jntid[i], joint, m->dof_bodyid[i], body);
      return;
    }
  }
}

sn_inertia si_inertia_view(const sn_model *m, const sn_data *d) {
  return (sn_inertia){ .size = sizeof(sn_inertia),
                       .nv = m->nv,
                       .nM = m->nM,
                       .parent = m->inertia_parent,
                       .adr = m->dof_Madr,
                       .M = d->qM,
                       .L = d->qLD,
                       .Dinv = d->qLDiagInv };
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
  memset(out, 0, (size_t)(nv * nv) * sizeof(double));
  for (int64_t i = 0; i < nv; i++) {
    const double *row = data->qM + model->dof_Madr[i];
    for (int64_t j = i; j >= 0; j = model->inertia_parent[j]) {
      out[i * nv + j] = out[j * nv + i] = *row++;
    }
  }
}
