// SPDX-License-Identifier: Apache-2.0
//
// Sparsity patterns that depend on integers of the model alone: on the rows of M and on the
// paths of its tendons. They are made once, before the first evaluation of a model, and constant
// afterwards; every row has ascending columns.

#ifndef SI_DYNAMICS_PATTERN_H
#define SI_DYNAMICS_PATTERN_H

#include "model/model.h"

typedef struct si_pattern {
  int64_t n;       // numbers of all rows
  int32_t *nnz;    // numbers of a row
  int32_t *adr;    // the first number of a row
  int32_t *col;    // n
} si_pattern;

struct si_patterns {
  // ntendon x nv. A row has the dofs that can change the length of the tendon: the joints of a
  // fixed tendon; of a spatial one, the dofs that move one end of a segment and not the other.
  si_pattern tendon;
  // nv x nv, the sparsity of M with both triangles: row i has the ancestors of i along
  // inertia_parent, i itself, and the descendants of i. For derivatives by velocity.
  si_pattern tree;
  // nv x nv, the same for the elimination tree of a model whose passive forces couple branches;
  // empty in others
  si_pattern coupled;
};

sn_status si_patterns_new(const sn_model *m, struct si_patterns **out, sn_error *error);
// Makes the pattern `coupled` of an elimination tree.
sn_status si_patterns_couple(const sn_model *m, const si_elimination *e, sn_error *error);
void si_patterns_free(struct si_patterns *patterns);

#endif
