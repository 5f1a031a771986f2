// SPDX-License-Identifier: Apache-2.0
//
// What the forces of this plugin share: an instance with the host's services, fields by name, and
// forces at points of bodies.
//
// Body b is moved by the dofs tip(b), parent(tip), ... down to -1. About the origin c of its tree
// (subtree_com of body_rootid) dof i moves it with S_i = cdof_i, so a wrench W = [torque; force]
// about c is the generalized force S_i' W on every dof of the chain.

#ifndef COMMON_H
#define COMMON_H

#include "sinew/passive.h"

typedef struct instance {
  const sn_host *host;
  const sn_fields_service *fields;
} instance;

// create and destroy of every force here
sn_status instance_create(const sn_host *host, const sn_value *values, void **self,
                          sn_error *error);
void instance_destroy(void *self);
// Memory of the host, cleared; with the error filled when there is none.
void *instance_alloc(const instance *self, int64_t bytes, sn_error *error);

// A field by name: an array of the model, whose address stays, or a handle to one of the data.
// After a failure it does nothing, so that a list of them needs one check at its end.
typedef struct finder {
  const instance *self;
  const sn_model_view *model;
  sn_error *error;
  sn_status status;
} finder;

const double *find_reals(finder *f, const char *name);
const int32_t *find_ints(finder *f, const char *name);
sn_field find_data(finder *f, const char *name);
const double *find_option(finder *f, const char *name);
int64_t find_size(const finder *f, const char *name);

// The kinematic tree.
typedef struct tree {
  int64_t nv, nbody;
  const int32_t *body_parentid, *body_rootid, *body_weldid, *body_dofadr, *body_dofnum;
  const int32_t *dof_parentid, *dof_bodyid;
  sn_field cdof, subtree_com, cvel, xipos;
} tree;

tree find_tree(finder *f);
const double *tree_origin(const tree *t, const sn_data_view *data, int32_t body);
// Adds a wrench about the origin of the tree to the dofs that move a body.
void tree_apply(const tree *t, const sn_data_view *data, int32_t body, const double *wrench,
                double *qfrc);
// Adds S_i' B S_j, with B (nbody x 6 x 6) the derivative of each body's wrench by its velocity,
// both about the origin of the tree. B is overwritten with sums over subtrees.
void tree_derive(const tree *t, const sn_data_view *data, double *B, const sn_sparse *pattern,
                 double *D);

#endif
