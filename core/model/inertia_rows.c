// SPDX-License-Identifier: Apache-2.0
//
// The rows of qM: which degrees of freedom M couples, and where the numbers are.
//
// Row i runs along inertia_parent, the tree in which eliminating the dofs from the last to the
// first makes no entries but between a dof and its ancestors (the elimination tree, Liu 1990). M
// couples a dof with its kinematic ancestors, so this is dof_parentid.

#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static void find_parents(const sn_model *m, int32_t *parent) {
  memcpy(parent, m->dof_parentid, (size_t)m->nv * sizeof *parent);
}

// A row is one longer than that of the parent.
static int64_t place_rows(int64_t nv, const int32_t *parent, int32_t *length, int32_t *adr) {
  int64_t n = 0;
  for (int64_t i = 0; i < nv; i++) {
    length[i] = parent[i] < 0 ? 1 : length[parent[i]] + 1;
    adr[i] = (int32_t)(n > INT32_MAX ? INT32_MAX : n);
    n += length[i];
  }
  return n;
}

sn_status si_inertia_rows(const sn_model *m, int32_t *parent, int32_t *adr, int64_t *nM) {
  int32_t *length = malloc((size_t)(m->nv + 1) * sizeof *length);
  if (!length) {
    return SN_ENOMEM;
  }
  find_parents(m, parent);
  *nM = place_rows(m->nv, parent, length, adr);
  free(length);
  return SN_OK;
}

sn_status si_model_make_rows(sn_model *m, sn_error *error) {
  int32_t *parent = malloc((size_t)(m->nv + 1) * sizeof *parent);
  if (!parent || si_inertia_rows(m, parent, m->dof_Madr, &m->nM) < 0) {
    free(parent);
    return si_fail(error, SN_ENOMEM, "no memory for a model");
  }
  if (memcmp(parent, m->dof_parentid, (size_t)m->nv * sizeof *parent) == 0) {
    free(parent);
    parent = m->dof_parentid;
  }
  m->inertia_parent = parent;
  return SN_OK;
}
