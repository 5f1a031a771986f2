// SPDX-License-Identifier: Apache-2.0
//
// LDL' of the Hessian by panels, right-looking: a panel is factored densely, then what it takes
// from each column of the nodes below is computed densely and subtracted in long pieces.
//
// A factored panel holds D_j L_j, not L_j: with 1 / D_j at hand neither a square root nor a
// scaling pass is needed.

#include "hessian.h"

#include <string.h>

int32_t hessian_pieces(const hessian *h, const node *a, int32_t i, piece *out) {
  const pattern *p = &h->pattern;
  int32_t n = 0;
  for (int32_t b = i; b < a->nbelow; b++) {
    const interval *from = &a->below[b];
    int32_t row = pattern_row(p, a->below[i].node, from->place);
    if (n && out[n - 1].row + out[n - 1].length == row) {
      out[n - 1].length += from->length;
    } else {
      out[n++] = (piece){ .begin = from->row, .length = from->length, .row = row };
    }
  }
  return n;
}

static void subtract(double *column, const double *from, int32_t n, const piece *pieces,
                     int32_t skip) {
  for (int32_t q = 0; q < n; q++) {
    for (int32_t r = q ? 0 : skip; r < pieces[q].length; r++) {
      column[pieces[q].row + r] -= from[pieces[q].begin + r];
    }
  }
}

// What the elimination of a node takes from columns begin ... end - 1 of interval i below it.
static void eliminate_columns(const hessian *h, const node *a, int32_t i, int32_t begin,
                              int32_t end, const workspace *work) {
  const interval *to = &a->below[i];
  const node *target = &h->pattern.at[to->node];
  const double *panel = h->value + a->panel;
  double *column = h->value + target->panel;
  column += (int64_t)(to->place + begin - target->place) * target->ld;
  int32_t n = hessian_pieces(h, a, i, work->pieces);
  for (int32_t j = begin; j < end; j += SN_KERNEL_LANES) {
    int32_t count = end - j < SN_KERNEL_LANES ? end - j : SN_KERNEL_LANES;
    h->kernel->eliminate(a->size, a->ld, panel, panel, h->Dinv + a->place, to->row + j, count,
                         work->coefficients, work->columns);
    for (int32_t q = 0; q < count; q++, column += target->ld) {
      subtract(column, work->columns + q * a->ld, n, work->pieces, j + q);
    }
  }
}

static int32_t factor_panel(const hessian *h, const node *a, const workspace *work) {
  return h->kernel->factor(a->size, a->ld, h->value + a->panel, h->Dinv + a->place,
                           work->coefficients);
}

// ------------------------------------------------------------------ by several threads

// The subtrees of a part, without what they take from the top.
static void factor_part(void *context, int64_t k) {
  hessian *h = context;
  const division *v = h->division;
  panel_part *x = &v->part[k];
  x->bad = 0;
  for (int32_t i = 0; i < x->nnode; i++) {
    const node *a = &h->pattern.at[x->node[i]];
    x->bad += factor_panel(h, a, &v->work[k]);
    for (int32_t b = 0; b < a->nbelow && v->part_of[a->below[b].node] == k; b++) {
      eliminate_columns(h, a, b, 0, a->below[b].length, &v->work[k]);
    }
  }
}

typedef struct slicing {
  hessian *h;
  int32_t top;   // node of the top, by its number there
  int32_t reserved;
} slicing;

// What the sources of a node of the top take from a slice of its columns, in their order.
static void eliminate_sources(void *context, int64_t k) {
  const slicing *s = context;
  const hessian *h = s->h;
  const division *v = h->division;
  const node *t = &h->pattern.at[v->part[v->npart - 1].node[s->top]];
  const int32_t begin = (int32_t)(t->size * k / v->nslice[s->top]),
                end = (int32_t)(t->size * (k + 1) / v->nslice[s->top]);
  for (int32_t i = 0; i < v->nsource[s->top]; i++) {
    const source *from = &v->source[s->top][i];
    const node *a = &h->pattern.at[from->node];
    const interval *to = &a->below[from->interval];
    const int32_t at = to->place - t->place;   // of the interval, in the node
    const int32_t first = begin > at ? begin - at : 0;
    const int32_t last = end < at + to->length ? end - at : to->length;
    if (first < last) {
      eliminate_columns(h, a, from->interval, first, last, &v->work[k]);
    }
  }
}

static int32_t factor_divided(hessian *h) {
  const division *v = h->division;
  const tasks *t = &h->primal->groups.tasks;
  const panel_part *top = &v->part[v->npart - 1];
  tasks_run(t, v->npart - 1, factor_part, h);
  int32_t bad = 0;
  for (int32_t k = 0; k < v->npart - 1; k++) {
    bad += v->part[k].bad;
  }
  for (int32_t k = 0; k < top->nnode; k++) {
    tasks_run(t, v->nslice[k], eliminate_sources, &(slicing){ .h = h, .top = k });
    bad += factor_panel(h, &h->pattern.at[top->node[k]], &h->work);
  }
  return bad;
}

// ------------------------------------------------------------------ all of it

int32_t hessian_factor(hessian *h) {
  if (h->lowrank) {
    return lowrank_factor(h->lowrank);
  }
  if (h->division) {
    return factor_divided(h);
  }
  const pattern *p = &h->pattern;
  int32_t bad = 0;
  for (int64_t k = 0; k < p->nnode; k++) {
    const node *a = &p->at[k];
    bad += factor_panel(h, a, &h->work);
    for (int32_t i = 0; i < a->nbelow; i++) {
      eliminate_columns(h, a, i, 0, a->below[i].length, &h->work);
    }
  }
  return bad;
}

void hessian_gather(const hessian *h, const node *a, double *local) {
  for (int32_t i = 0; i < a->nbelow; i++) {
    const interval *b = &a->below[i];
    for (int32_t j = 0; j < b->length; j++) {
      local[b->row + j] = h->permuted[b->place + j];
    }
  }
  for (int32_t i = a->m; i < a->ld; i++) {
    local[i] = 0;
  }
}

void hessian_scatter(const hessian *h, const node *a, const double *local) {
  for (int32_t i = 0; i < a->nbelow; i++) {
    const interval *b = &a->below[i];
    for (int32_t j = 0; j < b->length; j++) {
      h->permuted[b->place + j] = local[b->row + j];
    }
  }
}

void hessian_solve(const hessian *h, const double *g, double *out) {
  if (h->lowrank) {
    lowrank_solve(h->lowrank, g, out);
    return;
  }
  const pattern *p = &h->pattern;
  for (int64_t i = 0; i < p->nv; i++) {
    h->permuted[p->place[i]] = -g[i];
  }
  // z = D^-1 L^-1 x
  for (int64_t k = 0; k < p->nnode; k++) {
    const node *a = &p->at[k];
    double *x = h->permuted + a->place;
    memcpy(h->local, x, (size_t)a->size * sizeof *x);
    hessian_gather(h, a, h->local);
    h->kernel->forward(a->size, a->ld, h->value + a->panel, h->Dinv + a->place, h->local, x);
    hessian_scatter(h, a, h->local);
  }
  // x = L'^-1 z, or U^-1 z
  const double *last = h->upper ? h->upper : h->value;
  for (int64_t k = p->nnode - 1; k >= 0; k--) {
    const node *a = &p->at[k];
    double *x = h->permuted + a->place;
    memset(h->local, 0, (size_t)a->size * sizeof *x);
    hessian_gather(h, a, h->local);
    h->kernel->backward(a->size, a->ld, last + a->panel, h->Dinv + a->place, h->local, x);
    memcpy(x, h->local, (size_t)a->size * sizeof *x);
  }
  for (int64_t i = 0; i < p->nv; i++) {
    out[i] = h->permuted[p->place[i]];
  }
}
