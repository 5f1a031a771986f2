// SPDX-License-Identifier: Apache-2.0
//
// How threads share the panels of a Hessian: subtrees of the elimination tree, and the top that is
// left when those are small enough to be divided evenly (subtree-to-subcube mapping, George, Liu
// and Ng, 1989). Which number is computed by which thread does not show in the result: in each
// column, groups add in their order, and eliminated nodes take in theirs.

#include <string.h>

#include "hessian.h"

enum {
  PARTS = 4,            // of a thread
  LEAST_WORK = 100000,  // multiplications, below which sharing gains nothing
  LEAST_SLICED = 20000  // the same for one node
};

// Multiplications of the factor of a node and of what it takes from others.
static double work_of(const node *a) {
  const double above = a->size, below = a->m - a->size;
  return above * (above * a->m + below * below) / 2;
}

// part_of: -1 for the nodes of the top. Returns the number of parts without it.
static int32_t cut(const pattern *p, int32_t nthread, double *work, int32_t *part_of) {
  double total = 0;
  for (int64_t k = 0; k < p->nnode; k++) {
    work[k] = 0;
  }
  for (int64_t k = 0; k < p->nnode; k++) {
    const double own = work_of(&p->at[k]);
    total += own;
    work[k] += own;
    if (p->at[k].nbelow) {
      work[p->at[k].below[0].node] += work[k];   // of the subtree
    }
  }
  if (total < LEAST_WORK) {
    return 0;
  }
  const double most = total / (PARTS * nthread);
  double begun = 0;   // work of the part
  int32_t n = 0, is_open = 0;
  for (int64_t k = 0; k < p->nnode; k++) {
    const int is_top = work[k] > most;
    const int is_root = !p->at[k].nbelow || work[p->at[k].below[0].node] > most;
    begun += is_root && !is_top ? work[k] : 0;
    part_of[k] = is_top ? -1 : n;
    is_open |= !is_top;
    if (is_open && (is_top || (is_root && begun > most / 2))) {
      n++;
      begun = 0;
      is_open = 0;
    }
  }
  return n + is_open;
}

// ------------------------------------------------------------------ what is of a part

// Calls add(part, i) for each part that row i of M, or group i, has numbers in.
typedef void adding(panel_part *x, int32_t i);

static void count_dof(panel_part *x, int32_t i) {
  (void)i;
  x->ndof++;
}
static void add_dof(panel_part *x, int32_t i) {
  x->dof[x->ndof++] = i;
}
static void count_group(panel_part *x, int32_t i) {
  (void)i;
  x->ngroup++;
}
static void add_group(panel_part *x, int32_t i) {
  x->group[x->ngroup++] = i;
}

static void once(const division *v, int32_t of, int32_t i, int32_t *last, adding *add) {
  const int32_t k = v->part_of[of];
  if (last[k] != i) {
    last[k] = i;
    add(&v->part[k], i);
  }
}

static void find_dofs(const hessian *h, int32_t *last, adding *add) {
  const pattern *p = &h->pattern;
  const int32_t *parent = h->primal->problem->inertia->parent;
  memset(last, -1, (size_t)h->division->npart * sizeof *last);
  for (int32_t dof = 0; dof < (int32_t)p->nv; dof++) {
    for (int32_t i = dof; i >= 0; i = parent[p->stretch[i]]) {
      once(h->division, p->node_of[i], dof, last, add);
    }
  }
}

static void find_groups(const hessian *h, int32_t *last, adding *add) {
  memset(last, -1, (size_t)h->division->npart * sizeof *last);
  for (int32_t k = 0; k < (int32_t)h->primal->groups.n; k++) {
    for (int32_t r = 0; r < h->scatter[k]->nrun; r++) {
      once(h->division, h->scatter[k]->run[r].node, k, last, add);
    }
  }
}

static sn_status fill_parts(const hessian *h, sn_scratch *mem) {
  const division *v = h->division;
  int32_t *last;
  SN_ALLOC(last, mem, v->npart);
  find_dofs(h, last, count_dof);
  find_groups(h, last, count_group);
  for (int64_t k = 0; k < h->pattern.nnode; k++) {
    v->part[v->part_of[k]].nnode++;
  }
  for (int32_t k = 0; k < v->npart; k++) {
    panel_part *x = &v->part[k];
    SN_ALLOC(x->node, mem, x->nnode);
    SN_ALLOC(x->dof, mem, x->ndof);
    SN_ALLOC(x->group, mem, x->ngroup);
    x->nnode = x->ndof = x->ngroup = 0;
  }
  find_dofs(h, last, add_dof);
  find_groups(h, last, add_group);
  for (int32_t k = 0; k < (int32_t)h->pattern.nnode; k++) {
    panel_part *x = &v->part[v->part_of[k]];
    x->node[x->nnode++] = k;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the top

// Multiplications of what a node of the top takes from its sources.
static double work_of_sources(const hessian *h, int32_t top) {
  const division *v = h->division;
  double sum = 0;
  for (int32_t i = 0; i < v->nsource[top]; i++) {
    const node *a = &h->pattern.at[v->source[top][i].node];
    const interval *to = &a->below[v->source[top][i].interval];
    sum += (double)a->size * to->length * (a->m - to->row);
  }
  return sum;
}

static sn_status find_sources(const hessian *h, int32_t *number, sn_scratch *mem) {
  division *v = h->division;
  const pattern *p = &h->pattern;
  const panel_part *top = &v->part[v->npart - 1];
  SN_ALLOC(v->nslice, mem, top->nnode);
  SN_ALLOC(v->nsource, mem, top->nnode);
  SN_ALLOC(v->source, mem, top->nnode);
  memset(v->nsource, 0, (size_t)top->nnode * sizeof *v->nsource);
  for (int32_t k = 0; k < top->nnode; k++) {
    number[top->node[k]] = k;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t k = 0; k < (int32_t)p->nnode; k++) {
      for (int32_t i = 0; i < p->at[k].nbelow; i++) {
        const int32_t target = p->at[k].below[i].node;
        if (v->part_of[target] != v->npart - 1) {
          continue;
        }
        const int32_t t = number[target], at = v->nsource[t]++;
        if (pass) {
          v->source[t][at] = (source){ k, i };
        }
      }
    }
    for (int32_t k = 0; k < top->nnode && pass; k++) {
      v->nslice[k] = work_of_sources(h, k) < LEAST_SLICED ? 1 : v->most;
    }
    for (int32_t k = 0; k < top->nnode && !pass; k++) {
      SN_ALLOC(v->source[k], mem, v->nsource[k]);
      v->nsource[k] = 0;
    }
  }
  return SN_OK;
}

sn_status hessian_divide(hessian *h, int64_t rows, int64_t widest, sn_scratch *mem) {
  const pattern *p = &h->pattern;
  const int32_t nthread = h->primal->groups.tasks.nthread;
  if (nthread < 2) {
    return SN_OK;
  }
  double *work;
  int32_t *part_of, *number;
  SN_ALLOC(work, mem, p->nnode);
  SN_ALLOC(part_of, mem, p->nnode);
  SN_ALLOC(number, mem, p->nnode);
  const int32_t n = cut(p, nthread, work, part_of);
  if (n < 2) {
    return SN_OK;
  }
  division *v;
  SN_ALLOC(v, mem, 1);
  *v = (division){ .npart = n + 1, .most = 2 * nthread, .part_of = part_of };
  SN_ALLOC(v->part, mem, v->npart);
  memset(v->part, 0, (size_t)v->npart * sizeof *v->part);
  for (int64_t k = 0; k < p->nnode; k++) {
    part_of[k] = part_of[k] < 0 ? n : part_of[k];
  }
  h->division = v;
  SN_TRY(fill_parts(h, mem));
  SN_TRY(find_sources(h, number, mem));
  const int32_t nwork = v->npart > v->most ? v->npart : v->most;
  SN_ALLOC(v->work, mem, nwork);
  for (int32_t k = 0; k < nwork; k++) {
    SN_TRY(hessian_workspace(h, rows, widest, &v->work[k], mem));
  }
  return SN_OK;
}
