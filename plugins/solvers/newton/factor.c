// SPDX-License-Identifier: Apache-2.0
//
// LDL' of the Hessian by panels, right-looking: a panel is factored densely, then what it takes
// from each column of the nodes below is computed densely and subtracted in long pieces.
//
// A factored panel holds D_j L_j, not L_j: with 1 / D_j at hand neither a square root nor a
// scaling pass is needed.

#include "hessian.h"

#include <string.h>

int32_t hessian_pieces(const hessian *h, const node *a, int32_t i) {
  const pattern *p = &h->pattern;
  piece *out = h->pieces;
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

// What the elimination of a node takes from the columns of each interval below it.
static void eliminate(hessian *h, const node *a) {
  const pattern *p = &h->pattern;
  const double *panel = h->value + a->panel;
  for (int32_t i = 0; i < a->nbelow; i++) {
    const interval *to = &a->below[i];
    const node *target = &p->at[to->node];
    double *column = h->value + target->panel + (int64_t)(to->place - target->place) * target->ld;
    int32_t n = hessian_pieces(h, a, i);
    for (int32_t j = 0; j < to->length; j += SN_KERNEL_LANES) {
      int32_t count = to->length - j < SN_KERNEL_LANES ? to->length - j : SN_KERNEL_LANES;
      h->kernel->eliminate(a->size, a->ld, panel, h->Dinv + a->place, to->row + j, count,
                           h->coefficients, h->columns);
      for (int32_t q = 0; q < count; q++, column += target->ld) {
        subtract(column, h->columns + q * a->ld, n, h->pieces, j + q);
      }
    }
  }
}

int32_t hessian_factor(hessian *h) {
  if (h->lowrank) {
    return lowrank_factor(h->lowrank);
  }
  const pattern *p = &h->pattern;
  int32_t bad = 0;
  for (int64_t k = 0; k < p->nnode; k++) {
    const node *a = &p->at[k];
    bad += h->kernel->factor(a->size, a->ld, h->value + a->panel, h->Dinv + a->place,
                             h->coefficients);
    eliminate(h, a);
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
  // x = L'^-1 z
  for (int64_t k = p->nnode - 1; k >= 0; k--) {
    const node *a = &p->at[k];
    double *x = h->permuted + a->place;
    memset(h->local, 0, (size_t)a->size * sizeof *x);
    hessian_gather(h, a, h->local);
    h->kernel->backward(a->size, a->ld, h->value + a->panel, h->Dinv + a->place, h->local, x);
    memcpy(x, h->local, (size_t)a->size * sizeof *x);
  }
  for (int64_t i = 0; i < p->nv; i++) {
    out[i] = h->permuted[p->place[i]];
  }
}
