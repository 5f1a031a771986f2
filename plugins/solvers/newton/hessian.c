// SPDX-License-Identifier: Apache-2.0
//
// Assembly of the Hessian: the inertia, row by row, and a group of rows at a time. For a group
// the rows that bend the cost are gathered in the order of elimination, G (rows x n), and
// multiplied by C, B = C G; then the lower triangle of B'G is computed densely and added to the
// panels in long pieces.

#include "hessian.h"

#include <string.h>

// ------------------------------------------------------------------ where things go

// Runs of the columns of a group, by place. `begin` is the column of the first place.
static int32_t find_runs(const pattern *p, const group *g, run *runs) {
  int32_t n = 0;
  for (int32_t i = 0; i < g->ncol; i++) {
    int32_t k = p->node_of[g->col[i]], place = p->place[g->col[i]];
    if (n && runs[n - 1].node == k && runs[n - 1].place == place + 1) {
      runs[n - 1].place = place;
      runs[n - 1].length++;
      runs[n - 1].begin = i;
    } else {
      runs[n++] = (run){ .node = k, .begin = i, .length = 1, .place = place };
    }
  }
  for (int32_t i = 1; i < n; i++) {
    run x = runs[i];
    int32_t j = i;
    for (; j > 0 && runs[j - 1].place > x.place; j--) {
      runs[j] = runs[j - 1];
    }
    runs[j] = x;
  }
  return n;
}

// The pieces of the columns of run a: the rest of the run, then the later runs, joined where they
// touch.
static int32_t find_pieces(const pattern *p, const scatter *s, int32_t a, piece *out) {
  int32_t n = 0;
  for (int32_t b = a; b < s->nrun; b++) {
    const run *r = &s->run[b];
    piece next = { .begin = r->begin,
                   .length = r->length,
                   .row = pattern_row(p, s->run[a].node, r->place) };
    if (n && out[n - 1].row + out[n - 1].length == next.row) {
      out[n - 1].length += next.length;
    } else {
      out[n++] = next;
    }
  }
  return n;
}

static sn_status make_scatter(const pattern *p, const group *g, run *runs, sn_scratch *mem,
                              const scatter **out) {
  int32_t nrun = find_runs(p, g, runs);
  scatter *s;
  SN_ALLOC(s, mem, 1);
  *s = (scatter){ .n = g->ncol, .ld = sn_kernel_pad(g->ncol), .nrun = nrun };
  SN_ALLOC(s->source, mem, g->ncol);
  SN_ALLOC(s->npiece, mem, nrun);
  SN_ALLOC(s->run, mem, nrun);
  SN_ALLOC(s->piece, mem, nrun);

  // a run's columns come from its last dof to its first, so its source falls
  int32_t n = 0;
  for (int32_t k = 0; k < nrun; k++) {
    s->run[k] = runs[k];
    s->run[k].begin = n;
    for (int32_t i = 0; i < runs[k].length; i++) {
      s->source[n++] = runs[k].begin - i;
    }
  }
  for (int32_t k = 0; k < nrun; k++) {
    SN_ALLOC(s->piece[k], mem, (nrun - k));
    s->npiece[k] = find_pieces(p, s, k, s->piece[k]);
  }
  *out = s;
  return SN_OK;
}

static sn_status find_cones(hessian *h, sn_scratch *mem) {
  const sn_problem *q = h->primal->problem;
  if (q->ncone) {
    SN_ALLOC(h->cone_at, mem, q->nefc);
    memset(h->cone_at, -1, (size_t)q->nefc * sizeof *h->cone_at);
    for (int32_t k = 0; k < q->ncone; k++) {
      h->cone_at[q->cone[k].row] = k;
    }
  }
  return SN_OK;
}

sn_status hessian_workspace(const hessian *h, int64_t rows, int64_t widest, workspace *w,
                            sn_scratch *mem) {
  SN_ALLOC(w->pieces, mem, h->pattern.most);
  SN_ALLOC(w->G, mem, rows * widest);
  SN_ALLOC(w->B, mem, rows * widest);
  SN_ALLOC(w->C, mem, widest * widest);
  SN_ALLOC(w->columns, mem, (int64_t)SN_KERNEL_LANES * h->pattern.tallest);
  SN_ALLOC(w->coefficients, mem, (int64_t)SN_KERNEL_LANES * h->pattern.widest);
  return SN_OK;
}

sn_status hessian_make(hessian *h, const primal *p, const sn_kernels *kernel, int dense,
                       sn_scratch *mem) {
  const sn_problem *q = p->problem;
  const groups *g = &p->groups;
  *h = (hessian){ .primal = p, .kernel = kernel };
  SN_TRY(find_cones(h, mem));
  if (!q->inertia->M) {
    SN_ALLOC(h->lowrank, mem, 1);
    return lowrank_make(h->lowrank, p, kernel, h->cone_at, mem);
  }
  SN_TRY(pattern_make(&h->pattern, q->inertia, g, dense, mem));
  SN_ALLOC(h->scatter, mem, g->n);
  run *runs;
  SN_ALLOC(runs, mem, q->nv);
  int64_t rows = 1, widest = 1;
  for (int64_t k = 0; k < g->n; k++) {
    const group *a = &g->at[k];
    int same = k && a->ncol == a[-1].ncol &&
               memcmp(a->col, a[-1].col, (size_t)a->ncol * sizeof *a->col) == 0;
    if (same) {
      h->scatter[k] = h->scatter[k - 1];
    } else {
      SN_TRY(make_scatter(&h->pattern, a, runs, mem, &h->scatter[k]));
    }
    rows = a->nrow > rows ? a->nrow : rows;
    widest = h->scatter[k]->ld > widest ? h->scatter[k]->ld : widest;
  }
  SN_ALLOC(h->value, mem, h->pattern.size);
  SN_ALLOC(h->Dinv, mem, q->nv);
  SN_ALLOC(h->permuted, mem, q->nv);
  SN_ALLOC(h->local, mem, h->pattern.tallest);
  SN_TRY(hessian_workspace(h, rows, widest, &h->work, mem));
  return hessian_divide(h, rows, widest, mem);
}

// ------------------------------------------------------------------ the inertia

// Whether a thread that works on a part changes the columns of a node.
static inline int is_in_part(const hessian *h, int32_t of, int32_t part) {
  return !h->division || h->division->part_of[of] == part;
}

// Row i of M runs from dof i to the root: stretch by stretch.
static void add_inertia_row(const hessian *h, int32_t dof, int32_t part, double *value) {
  const sn_inertia *m = h->primal->problem->inertia;
  const pattern *p = &h->pattern;
  int32_t k = p->node_of[dof], place = p->place[dof];
  const double *M = m->M + m->adr[dof];
  double *own = value + p->at[k].panel + (int64_t)(place - p->at[k].place) * p->at[k].ld;
  const int is_own = is_in_part(h, k, part);
  for (int32_t i = dof; i >= 0; i = m->parent[p->stretch[i]]) {
    int32_t length = i - p->stretch[i] + 1;
    if (p->place[i] >= place) {
      if (is_own) {
        memcpy(own + pattern_row(p, k, p->place[i]), M, (size_t)length * sizeof *M);
      }
    } else if (is_in_part(h, p->node_of[i], part)) {
      const node *a = &p->at[p->node_of[i]];
      double *to = value + a->panel + (int64_t)(p->place[i] - a->place) * a->ld;
      to += pattern_row(p, p->node_of[i], place);
      for (int32_t j = 0; j < length; j++) {
        to[(int64_t)j * a->ld] = M[j];
      }
    }
    M += length;
  }
}

// ------------------------------------------------------------------ rows

// Gathers row r of a group.
static void gather_row(const group *g, const scatter *s, int32_t r, double *G) {
  const double *J = g->J + (int64_t)r * g->ncol;
  for (int32_t i = 0; i < s->n; i++) {
    G[i] = J[s->source[i]];
  }
  for (int32_t i = s->n; i < s->ld; i++) {
    G[i] = 0;
  }
}

static void scale_row(const scatter *s, double weight, const double *G, double *B) {
  for (int32_t i = 0; i < s->ld; i++) {
    B[i] = weight * G[i];
  }
}

// Row r of a group into G and, times its weight, into B.
static void gather(const group *g, const scatter *s, int32_t r, double weight, double *G,
                   double *B) {
  gather_row(g, s, r, G);
  scale_row(s, weight, G, B);
}

// A cone: B = W G.
static void gather_cone(const hessian *h, const group *g, const scatter *s, int32_t r, int32_t cone,
                        const double *W, double *G, double *B) {
  int32_t dim = h->primal->problem->cone[cone].dim;
  for (int32_t i = 0; i < dim; i++) {
    gather_row(g, s, r + i, G + i * s->ld);
  }
  for (int32_t i = 0; i < dim; i++) {
    h->kernel->times_rows(dim, s->ld, G, W + i * dim, B + i * s->ld);
  }
}

// The rows of a group that bend the cost, into G and B; returns their number.
static int32_t gather_active(const hessian *h, const group *g, const scatter *s,
                             const workspace *work) {
  const primal *p = h->primal;
  int32_t n = 0;
  for (int32_t r = 0; r < g->nrow; r++) {
    int32_t row = g->row + r, state = p->state[row];
    double *G = work->G + n * s->ld, *B = work->B + n * s->ld;
    if (state == SN_ROWSTATE_QUADRATIC) {
      gather(g, s, r, p->problem->D[row], G, B);
      n++;
    } else if (state == SN_ROWSTATE_CONE) {
      int32_t cone = h->cone_at[row], dim = p->problem->cone[cone].dim;
      double W[36];
      primal_cone_hessian(p, cone, W);
      gather_cone(h, g, s, r, cone, W, G, B);
      n += dim;
      r += dim - 1;
    }
  }
  return n;
}

// C of a cone.
typedef enum form { ZERO, DIAGONAL, SYMMETRIC, UNSYMMETRIC } form;

static form form_of(int32_t n, const double *C) {
  form f = ZERO;
  for (int32_t i = 0; i < n; i++) {
    f = f == ZERO && C[i * n + i] != 0 ? DIAGONAL : f;
    for (int32_t j = 0; j < i; j++) {
      const double left = C[i * n + j], right = C[j * n + i];
      if (left != right) {
        return UNSYMMETRIC;
      }
      f = left != 0 ? SYMMETRIC : f;
    }
  }
  return f;
}

// The rows of a group with numbers in the C that was set, into G and B; returns their number.
static int32_t gather_weighted(const hessian *h, const group *g, const scatter *s,
                               const workspace *work, form *most) {
  int32_t n = 0, dim = 1;
  *most = ZERO;
  for (int32_t r = 0; r < g->nrow; r += dim) {
    const int32_t row = g->row + r, cone = h->cone_at ? h->cone_at[row] : -1;
    double *G = work->G + n * s->ld, *B = work->B + n * s->ld;
    dim = cone < 0 ? 1 : h->primal->problem->cone[cone].dim;
    const double *C = cone < 0 ? h->weight + row : h->block + 36 * (int64_t)cone;
    const form f = form_of(dim, C);
    *most = f > *most ? f : *most;
    if (f == ZERO) {
      continue;
    }
    if (f == DIAGONAL) {
      for (int32_t i = 0; i < dim; i++) {
        gather(g, s, r + i, C[i * dim + i], G + i * s->ld, B + i * s->ld);
      }
    } else {
      gather_cone(h, g, s, r, cone, C, G, B);
    }
    n += dim;
  }
  return n;
}

// Adds the lower triangle of C, n x n, to panels.
static void scatter_columns(const hessian *h, const scatter *s, int32_t part, const double *C,
                            double *value) {
  const pattern *p = &h->pattern;
  for (int32_t a = 0; a < s->nrun; a++) {
    const run *r = &s->run[a];
    if (!is_in_part(h, r->node, part)) {
      continue;
    }
    const node *k = &p->at[r->node];
    double *column = value + k->panel + (int64_t)(r->place - k->place) * k->ld;
    for (int32_t j = r->begin; j < r->begin + r->length; j++, column += k->ld) {
      const double *from = C + (int64_t)j * s->ld;
      for (int32_t q = 0; q < s->npiece[a]; q++) {
        const piece *to = &s->piece[a][q];
        int32_t skip = q ? 0 : j - r->begin;
        for (int32_t i = skip; i < to->length; i++) {
          column[to->row + i] += from[to->begin + i];
        }
      }
    }
  }
}

// Rows on one dof add to its diagonal.
static void add_diagonal(hessian *h, const group *g) {
  const pattern *p = &h->pattern;
  const primal *q = h->primal;
  double sum = 0;
  for (int32_t r = 0; r < g->nrow; r++) {
    if (q->state[g->row + r] == SN_ROWSTATE_QUADRATIC) {
      sum += q->problem->D[g->row + r] * g->J[r] * g->J[r];
    }
  }
  const node *k = &p->at[p->node_of[g->col[0]]];
  h->value[k->panel + (int64_t)(p->place[g->col[0]] - k->place) * (k->ld + 1)] += sum;
}

static void add_group(hessian *h, int32_t group_at, int32_t part, const workspace *work) {
  const group *g = &h->primal->groups.at[group_at];
  const scatter *s = h->scatter[group_at];
  if (s->n == 1 && !h->cone_at && !h->weight) {
    add_diagonal(h, g);
    return;
  }
  form most = SYMMETRIC;
  int32_t n = h->weight ? gather_weighted(h, g, s, work, &most) : gather_active(h, g, s, work);
  if (n == 0) {
    return;
  }
  h->kernel->gram(n, s->n, s->ld, work->B, work->G, work->C);
  scatter_columns(h, s, part, work->C, h->value);
  if (h->upper) {
    if (most == UNSYMMETRIC) {
      h->kernel->gram(n, s->n, s->ld, work->G, work->B, work->C);
    }
    scatter_columns(h, s, part, work->C, h->upper);
  }
}

// ------------------------------------------------------------------ all of it

static void assemble_part(void *context, int64_t k) {
  hessian *h = context;
  const pattern *p = &h->pattern;
  const panel_part *x = &h->division->part[k];
  double *triangle[] = { h->value, h->upper };
  for (int t = 0; t < 2 && triangle[t]; t++) {
    for (int32_t i = 0; i < x->nnode; i++) {
      const node *a = &p->at[x->node[i]];
      memset(triangle[t] + a->panel, 0, (size_t)a->ld * (size_t)a->size * sizeof *triangle[t]);
    }
    for (int32_t i = 0; i < x->ndof; i++) {
      add_inertia_row(h, x->dof[i], (int32_t)k, triangle[t]);
    }
  }
  for (int32_t i = 0; i < x->ngroup; i++) {
    add_group(h, x->group[i], (int32_t)k, &h->division->work[k]);
  }
}

static void add_inertia(const hessian *h, double *value) {
  memset(value, 0, (size_t)h->pattern.size * sizeof *value);
  for (int32_t i = 0; i < h->pattern.nv; i++) {
    add_inertia_row(h, i, 0, value);
  }
}

void hessian_assemble(hessian *h) {
  if (h->lowrank) {   // its factor makes all of it
    return;
  }
  const groups *g = &h->primal->groups;
  if (h->division) {
    tasks_run(&g->tasks, h->division->npart, assemble_part, h);
    return;
  }
  const size_t bytes = (size_t)h->pattern.size * sizeof *h->value;
  if (h->inertia) {
    memcpy(h->value, h->inertia, bytes);
  } else {
    add_inertia(h, h->value);
  }
  if (h->upper) {
    memcpy(h->upper, h->value, bytes);
  }
  for (int32_t k = 0; k < (int32_t)g->n; k++) {
    add_group(h, k, 0, &h->work);
  }
}

sn_status hessian_make_unsymmetric(hessian *h, sn_scratch *mem) {
  SN_ALLOC(h->upper, mem, h->pattern.size);
  SN_ALLOC(h->inertia, mem, h->pattern.size);
  add_inertia(h, h->inertia);
  return SN_OK;
}
