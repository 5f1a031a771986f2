// SPDX-License-Identifier: Apache-2.0
//
// The loops of tree.c and of core/lanes, which include this file with
//
//   NUMBER                    a real number: double, or the same number of several simulations
//   ZERO                      0, as a NUMBER
//   inverse_pivot(pivot)      1 / *pivot, with the pivot bounded from below
//   is_diagonal(block, n)     may a block be treated as diagonal?
//
// They branch on integers alone, so that each simulation gets the bits that it gets alone.
//
// The rows follow one another; row k holds dof k, its parent, the parent's parent ... to the root:
//
//   row k   [ kk | k p(k) | k p(p(k)) | ... ]      entry q couples k with its q-th ancestor a_q
//
// The ancestors of a_q are the tail of those of k. So the update of row a_q in eliminating k,
// L[a_q][.] -= L[k][q] / D_k * L[k][q + .], is one loop over two contiguous rows.
//
// Dofs of a body, and of bodies in a chain, follow one another too: a run is a sequence of dofs
// first .. last, each the parent of the next. The rows of a run are
//
//   last       [ last  last-1 ... first | a_0 a_1 a_2 ... ]
//   ...                                 |
//   first      [ first                  | a_0 a_1 a_2 ... ]      a_0 = parent(first)
//                 within the run          above the run, the same for all of them
//
// so that within a run indices are known, and above it each ancestor is looked up once a run.

// A run of dofs.
typedef struct run {
  int32_t first, last;
  int32_t top;     // parent of the first; -1: none
  int32_t above;   // dofs above the run
} run;

// The run that ends in dof `last`.
static inline run run_before(int64_t nv, const int32_t *parent, const int32_t *adr, int32_t last) {
  int32_t first = last;
  while (first > 0 && parent[first] == first - 1) {
    first--;
  }
  int32_t top = parent[first];
  int32_t above = top < 0 ? 0 : sn_tree_row_length(nv, parent, adr, first) - 1;
  return (run){ first, last, top, above };
}

// The run that begins with dof `first`.
static inline run run_after(int64_t nv, const int32_t *parent, const int32_t *adr, int32_t first) {
  int32_t last = first;
  while (last + 1 < nv && parent[last + 1] == last) {
    last++;
  }
  int32_t top = parent[first];
  int32_t above = top < 0 ? 0 : sn_tree_row_length(nv, parent, adr, first) - 1;
  return (run){ first, last, top, above };
}

// ------------------------------------------------------------------ blocks
//
// A run from the root on is a triangle of n (n + 1) / 2 numbers: entry q of row t at t (t + 1) / 2
// + q. Single bodies are such blocks, and often diagonal ones.

enum { BLOCK = 6 };   // dofs of the largest block that is unrolled

static inline int is_block(const run *r) {
  return r->top < 0 && r->last - r->first < BLOCK;
}

// ------------------------------------------------------------------ factorization

// y -= a1 x1 (+ a2 x2 + a3 x3)
static inline void subtract1(NUMBER *restrict y, int32_t n, NUMBER a, const NUMBER *restrict x) {
  for (int32_t i = 0; i < n; i++) {
    y[i] -= a * x[i];
  }
}

static inline void subtract3(NUMBER *restrict y, int32_t n, const NUMBER *a,
                             const NUMBER *restrict x1, const NUMBER *restrict x2,
                             const NUMBER *restrict x3) {
  for (int32_t i = 0; i < n; i++) {
    y[i] -= a[0] * x1[i] + a[1] * x2[i] + a[2] * x3[i];
  }
}

enum { PIVOTS = 4 };   // that are eliminated from a row at once

// y loses a0 x0, then a1 x1, a2 x2, a3 x3: the numbers of four calls of subtract1.
static inline void subtract4(NUMBER *restrict y, int32_t n, const NUMBER *a,
                             const NUMBER *restrict x0, const NUMBER *restrict x1,
                             const NUMBER *restrict x2, const NUMBER *restrict x3) {
  for (int32_t i = 0; i < n; i++) {
    y[i] = y[i] - a[0] * x0[i] - a[1] * x1[i] - a[2] * x2[i] - a[3] * x3[i];
  }
}

// Eliminates dof t from the `count` rows before it. n: numbers in its row.
static inline void eliminate_dof(const int32_t *adr, int32_t t, int32_t count, int32_t n, NUMBER *L,
                                 NUMBER *Dinv) {
  const NUMBER *row = L + adr[t];
  Dinv[t] = inverse_pivot(L + adr[t]);
  for (int32_t p = 1; p <= count; p++) {
    subtract1(L + adr[t - p], n - p, row[p] * Dinv[t], row + p);
  }
}

// Eliminates the dofs of a run from the rows of the run. Rows stay unscaled; Dinv is made.
__attribute__((always_inline)) static inline void eliminate_within(const run *r, const int32_t *adr,
                                                                   NUMBER *L, NUMBER *Dinv) {
  int32_t t = r->last;
  for (; t - r->first >= PIVOTS; t -= PIVOTS) {
    const int32_t inside = t - r->first, n = inside + 1 + r->above;
    const NUMBER *x[PIVOTS];
    for (int32_t k = 0; k < PIVOTS; k++) {
      eliminate_dof(adr, t - k, PIVOTS - 1 - k, n - k, L, Dinv);
      x[k] = L + adr[t - k];
    }
    for (int32_t p = PIVOTS; p <= inside; p++) {
      const NUMBER a[PIVOTS] = { x[0][p] * Dinv[t], x[1][p - 1] * Dinv[t - 1],
                                 x[2][p - 2] * Dinv[t - 2], x[3][p - 3] * Dinv[t - 3] };
      subtract4(L + adr[t - p], n - p, a, x[0] + p, x[1] + p - 1, x[2] + p - 2, x[3] + p - 3);
    }
  }
  for (; t >= r->first; t--) {
    eliminate_dof(adr, t, t - r->first, t - r->first + 1 + r->above, L, Dinv);
  }
}

// Eliminates them from the rows of the dofs above, three at a time.
__attribute__((always_inline)) static inline void eliminate_above(const run *r,
                                                                  const int32_t *parent,
                                                                  const int32_t *adr, NUMBER *L,
                                                                  const NUMBER *Dinv) {
  int32_t t = r->last;
  for (; t - r->first >= 2; t -= 3) {
    const NUMBER *x1 = L + adr[t] + (t - r->first) + 1;
    const NUMBER *x2 = L + adr[t - 1] + (t - r->first), *x3 = L + adr[t - 2] + (t - r->first) - 1;
    for (int32_t q = 0, i = r->top; q < r->above; q++, i = parent[i]) {
      const NUMBER a[3] = { x1[q] * Dinv[t], x2[q] * Dinv[t - 1], x3[q] * Dinv[t - 2] };
      subtract3(L + adr[i], r->above - q, a, x1 + q, x2 + q, x3 + q);
    }
  }
  for (; t >= r->first; t--) {
    const NUMBER *x = L + adr[t] + (t - r->first) + 1;
    for (int32_t q = 0, i = r->top; q < r->above; q++, i = parent[i]) {
      subtract1(L + adr[i], r->above - q, x[q] * Dinv[t], x + q);
    }
  }
}

// Divides the rows by their pivots.
static void scale_rows(const run *r, const int32_t *adr, NUMBER *L, const NUMBER *Dinv) {
  for (int32_t t = r->first; t <= r->last; t++) {
    NUMBER *row = L + adr[t];
    int32_t n = t - r->first + 1 + r->above;
    for (int32_t p = 1; p < n; p++) {
      row[p] *= Dinv[t];
    }
  }
}

// Also where all are factored: a copy of its own there, since most matrices are small.
__attribute__((always_inline)) static inline void factor_part(int64_t nv, const int32_t *parent,
                                                              const int32_t *adr, int32_t begin,
                                                              int32_t end, NUMBER *L,
                                                              NUMBER *Dinv) {
  int32_t last = end - 1;
  while (last >= begin) {
    run r = run_before(nv, parent, adr, last);
    last = r.first - 1;
    if (is_block(&r) && is_diagonal(L + adr[r.first], r.last - r.first + 1)) {
      for (int32_t t = r.first; t <= r.last; t++) {
        Dinv[t] = inverse_pivot(L + adr[t]);
      }
      continue;
    }
    eliminate_within(&r, adr, L, Dinv);
    if (r.above > 0) {
      eliminate_above(&r, parent, adr, L, Dinv);
    }
    scale_rows(&r, adr, L, Dinv);
  }
}

// ------------------------------------------------------------------ solution

enum { CHUNK = 64 };   // dofs above a run that are gathered at once

// x <- L'^-1 x for the dofs of a run: what those above lose to them, the nearest first.
static void solve_upward(const run *r, const int32_t *parent, const int32_t *adr, const NUMBER *L,
                         NUMBER *x) {
  for (int32_t t = r->last; t > r->first; t--) {
    const NUMBER *row = L + adr[t];
    NUMBER *below = x + t, value = x[t];
    for (int32_t p = 1; p <= t - r->first; p++) {
      below[-p] -= row[p] * value;
    }
  }
  int32_t i = r->top;
  for (int32_t begin = 0; begin < r->above; begin += CHUNK) {
    NUMBER loss[CHUNK];
    int32_t n = r->above - begin < CHUNK ? r->above - begin : CHUNK;
    memset(loss, 0, (size_t)n * sizeof(NUMBER));
    for (int32_t t = r->first; t <= r->last; t++) {
      const NUMBER *row = L + adr[t] + t - r->first + 1 + begin;
      NUMBER value = x[t];
      for (int32_t q = 0; q < n; q++) {
        loss[q] += row[q] * value;
      }
    }
    for (int32_t q = 0; q < n; q++, i = parent[i]) {
      x[i] -= loss[q];
    }
  }
}

// x <- L^-1 x: what the dofs of a run lose to those above, the farthest first: the nearest was
// computed just before, and nothing else has to wait for it.
static void solve_downward(const run *r, const int32_t *parent, const int32_t *adr, const NUMBER *L,
                           NUMBER *x) {
  int32_t i = r->top;
  for (int32_t begin = 0; begin < r->above; begin += CHUNK) {
    NUMBER above[CHUNK];
    int32_t n = r->above - begin < CHUNK ? r->above - begin : CHUNK;
    for (int32_t q = 0; q < n; q++, i = parent[i]) {
      above[q] = x[i];
    }
    for (int32_t t = r->first; t <= r->last; t++) {
      const NUMBER *row = L + adr[t] + t - r->first + 1 + begin;
      NUMBER even = ZERO, odd = ZERO;
      int32_t q = n - 1;
      for (; q > 0; q -= 2) {
        even += row[q] * above[q];
        odd += row[q - 1] * above[q - 1];
      }
      x[t] -= q == 0 ? (even + odd) + row[0] * above[0] : even + odd;
    }
  }
  for (int32_t t = r->first + 1; t <= r->last; t++) {
    const NUMBER *row = L + adr[t], *below = x + t;
    NUMBER sum = x[t];
    for (int32_t p = t - r->first; p > 0; p--) {
      sum -= row[p] * below[-p];
    }
    x[t] = sum;
  }
}

// x <- A^-1 x for the dofs from `begin` up to `end`.
__attribute__((always_inline)) static inline void solve_part(int64_t nv, const int32_t *parent,
                                                             const int32_t *adr, int32_t begin,
                                                             int32_t end, const NUMBER *L,
                                                             const NUMBER *Dinv, NUMBER *x) {
  for (int32_t last = end - 1; last >= begin;) {
    run r = run_before(nv, parent, adr, last);
    last = r.first - 1;
    if (!is_block(&r) || !is_diagonal(L + adr[r.first], r.last - r.first + 1)) {
      solve_upward(&r, parent, adr, L, x);
    }
  }
  for (int32_t k = begin; k < end; k++) {
    x[k] *= Dinv[k];
  }
  for (int32_t first = begin; first < end;) {
    run r = run_after(nv, parent, adr, first);
    first = r.last + 1;
    if (!is_block(&r) || !is_diagonal(L + adr[r.first], r.last - r.first + 1)) {
      solve_downward(&r, parent, adr, L, x);
    }
  }
}
