// SPDX-License-Identifier: Apache-2.0
//
// The kinematic tree, for forces at bodies.
//
// About the origin c of its tree (subtree_com of body_rootid) dof i moves a body with S_i = cdof_i,
// so a wrench W = [torque; force] about c is the generalized force S_i' W on every dof that moves
// the body.

#ifndef TREE_H
#define TREE_H

#include "sinew/instance.h"
#include "sinew/kinematics.h"
#include "sinew/passive.h"

typedef struct tree {
  int64_t nv, nbody;
  const int32_t *body_parentid, *body_rootid, *dof_parentid, *dof_bodyid;
  sn_field cdof, subtree_com, cvel;
  const sn_kinematics_service *kinematics;
} tree;

tree tree_find(sn_lookup *l);
const double *tree_origin(const tree *t, const sn_data_view *data, int32_t body);
// Adds a wrench about the origin of the tree to the dofs that move a body.
void tree_apply(const tree *t, const sn_data_view *data, int32_t body, const double *wrench,
                double *qfrc);
// Adds S_i' B S_j, with B (nbody x 6 x 6) the derivative of the wrench on each body by its
// velocity, both about the origin of the tree. B is overwritten with sums over subtrees.
void tree_derive(const tree *t, const sn_data_view *data, double *B, const sn_sparse *pattern,
                 double *D);

#endif
