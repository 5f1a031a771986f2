// SPDX-License-Identifier: Apache-2.0
//
// See tree.h. Derivatives: with k the later one of dofs i and j, the bodies that both dofs move are
// those of the subtree of dof k. So the entry (i, j) is S_i' (sum of B_b over them) S_j: the sums
// are made once, from the leaves to the root, and then each entry is one product.

#include "tree.h"

#include <stddef.h>

#include "sinew/math.h"
#include "sinew/numerics/tree.h"

tree tree_find(sn_lookup *l) {
  return (tree){ .nv = sn_lookup_size(l, "nv"),
                 .nbody = sn_lookup_size(l, "nbody"),
                 .body_parentid = sn_lookup_ints(l, "body_parentid"),
                 .body_rootid = sn_lookup_ints(l, "body_rootid"),
                 .dof_parentid = sn_lookup_ints(l, "dof_parentid"),
                 .dof_bodyid = sn_lookup_ints(l, "dof_bodyid"),
                 .cdof = sn_lookup_data(l, "cdof"),
                 .subtree_com = sn_lookup_data(l, "subtree_com"),
                 .cvel = sn_lookup_data(l, "cvel"),
                 .kinematics = sn_lookup_service(l, SN_SERVICE_KINEMATICS) };
}

const double *tree_origin(const tree *t, const sn_data_view *data, int32_t body) {
  return sn_field_reals(data->fields, t->subtree_com) + 3 * t->body_rootid[body];
}

void tree_apply(const tree *t, const sn_data_view *data, int32_t body, const double *wrench,
                double *qfrc) {
  t->kinematics->apply(data, body, tree_origin(t, data, body), wrench + 3, wrench, qfrc);
}

void tree_derive(const tree *t, const sn_data_view *data, double *B, const sn_sparse *pattern,
                 double *D) {
  const double *S = sn_field_reals(data->fields, t->cdof);
  for (int64_t b = t->nbody - 1; b > 0; b--) {
    double *up = B + 36 * t->body_parentid[b];
    for (int i = 0; i < 36 && t->body_parentid[b] > 0; i++) {
      up[i] += B[36 * b + i];
    }
  }
  for (int32_t i = 0; i < (int32_t)t->nv; i++) {
    for (int32_t p = 0; p < pattern->nnz[i]; p++) {
      const int32_t j = pattern->col[pattern->adr[i] + p], later = i > j ? i : j;
      // no body is moved by both dofs of a pair that is not of a dof and its ancestor
      if (!sn_tree_is_ancestor(t->dof_parentid, i > j ? j : i, later)) {
        continue;
      }
      const double *sum = B + 36 * t->dof_bodyid[later];
      double value = 0;
      for (int r = 0; r < 6; r++) {
        value += S[6 * i + r] * sn_dot6(sum + 6 * r, S + 6 * j);
      }
      D[pattern->adr[i] + p] += value;
    }
  }
}
