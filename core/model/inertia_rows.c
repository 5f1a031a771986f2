// SPDX-License-Identifier: Apache-2.0
//
// Which degrees of freedom M couples, and so the rows of qM.
//
// Of a kinematic tree, M couples each dof with its ancestors: row i runs along dof_parentid. A
// tendon with armature couples all dofs that change its length, also those of different branches
// or trees:
//
//     0 - 1 - 2           with a tendon from 2 to 4:   0 - 1 - 2 - 3 - 4
//         |
//         3 - 4
//
// The rows then run along inertia_parent, the tree in which eliminating the dofs from the last to
// the first makes no entries but between a dof and its ancestors (the elimination tree, Liu 1990):
// the paths of the coupled dofs to the root are merged into one, in descending order. Without such
// tendons it is dof_parentid itself.

#include <stdlib.h>
#include <string.h>

#include "model/model.h"

void si_rows_merge(int32_t *parent, int32_t a, int32_t b) {
  while (a != b) {
    const int32_t later = a > b ? a : b, other = a > b ? b : a, next = parent[later];
    if (other < 0) {
      return;
    }
    a = next > other ? next : other;
    b = next > other ? other : next;
    parent[later] = a;
  }
}

// The last dof that moves an element of a path; -1: none.
static int32_t last_dof(const sn_model *m, int32_t e) {
  const int32_t type = m->wrap_type[e], id = m->wrap_objid[e];
  if (type == SN_WRAP_JOINT) {
    return m->jnt_dofadr[id];
  }
  if (type == SN_WRAP_PULLEY) {
    return -1;
  }
  return si_chain_tip(m, type == SN_WRAP_SITE ? m->site_bodyid[id] : m->geom_bodyid[id]);
}

static void find_parents(const sn_model *m, int32_t *parent) {
  memcpy(parent, m->dof_parentid, (size_t)m->nv * sizeof *parent);
  for (int64_t t = 0; t < m->ntendon; t++) {
    const int32_t begin = m->tendon_adr[t], end = begin + m->tendon_num[t];
    int32_t tip = -1;
    for (int32_t e = begin; e < end && m->tendon_armature[t] != 0; e++) {
      const int32_t dof = last_dof(m, e);
      si_rows_merge(parent, tip, dof);
      tip = dof > tip ? dof : tip;
    }
  }
}

int64_t si_rows_place(int64_t nv, const int32_t *parent, int32_t *adr) {
  int64_t n = 0;
  for (int64_t i = 0; i < nv && n <= INT32_MAX; i++) {
    const int32_t up = parent[i];   // its row ends where that of up + 1, at most i, begins
    adr[i] = (int32_t)n;
    n += up < 0 ? 1 : adr[up + 1] - adr[up] + 1;
  }
  return n;
}

int64_t si_inertia_rows(const sn_model *m, int32_t *parent, int32_t *adr) {
  find_parents(m, parent);
  return si_rows_place(m->nv, parent, adr);
}

// Every tree with the first of those that M couples it with. The dofs of a tree follow each other,
// and a row goes from later dofs to earlier ones.
static void join_trees(const sn_model *m, const int32_t *parent, int32_t *first) {
  int32_t ntree = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    if (m->dof_treeid[i] == ntree) {
      first[ntree] = ntree;
      ntree++;
    }
    int32_t a = m->dof_treeid[i], b = parent[i] < 0 ? a : m->dof_treeid[parent[i]];
    while (first[a] != a) {
      a = first[a];
    }
    while (first[b] != b) {
      b = first[b];
    }
    first[a > b ? a : b] = a < b ? a : b;
  }
  for (int32_t t = 0; t < ntree; t++) {
    first[t] = first[first[t]];
  }
}

sn_status si_model_make_rows(sn_model *m, sn_error *error) {
  const size_t bytes = (size_t)(m->nv + 1) * sizeof(int32_t);
  int32_t *parent = malloc(bytes), *first = malloc(bytes);
  if (!parent || !first) {
    free(parent);
    free(first);
    return si_fail(error, SN_ENOMEM, "out of memory for a model");
  }
  m->nM = si_inertia_rows(m, parent, m->dof_Madr);
  if (memcmp(parent, m->dof_parentid, (size_t)m->nv * sizeof *parent) == 0) {
    free(parent);
    free(first);
    parent = m->dof_parentid;
    first = NULL;
  } else {
    join_trees(m, parent, first);
  }
  m->inertia_parent = parent;
  m->first_tree = first;
  return m->nM <= INT32_MAX
             ? SN_OK
             : si_fail(error, SN_ECOMPILE,
                       "tendons with armature couple too many degrees of freedom: the inertia "
                       "matrix would have more than %d entries; give fewer tendons armature",
                       INT32_MAX);
}

// ------------------------------------------------------------------ recursion instead of rows

// Dofs of a row of M from which on recursion is faster, in the mean of squares: the work with rows
// grows with their square.
enum { DEEP = 32 };

static int is_deep(const sn_model *m) {
  double sum = 0;
  for (int64_t i = 0; i < m->nv; i++) {
    const double n = (double)((i + 1 < m->nv ? m->dof_Madr[i + 1] : m->nM) - m->dof_Madr[i]);
    sum += n * n;
  }
  return sum >= (double)DEEP * DEEP * (double)m->nv;
}

int si_model_allows_recursion(const sn_model *m) {
  for (int64_t t = 0; t < m->ntendon; t++) {
    if (m->tendon_armature[t] != 0) {
      return 0;
    }
  }
  return m->opt.inertia != SN_INERTIA_MATRIX;
}

int si_model_is_recursive(const sn_model *m) {
  return m->nv > 0 && si_model_allows_recursion(m) &&
         (m->opt.inertia == SN_INERTIA_RECURSIVE || is_deep(m));
}
