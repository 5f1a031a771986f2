// SPDX-License-Identifier: Apache-2.0
//
// Groups of rows and products with the Jacobian; see groups.h.

#include "groups.h"

#include <string.h>

#include "dot.h"

// The run of rows from `row` on, at most to `end`, whose numbers follow each other.
static group take_rows(const sn_sparse *J, int32_t row, int32_t end) {
  int32_t n = J->nnz[row], adr = J->adr[row], next = row + 1;
  while (next < end && J->nnz[next] == n && J->adr[next] == adr + (next - row) * n) {
    next++;
  }
  return (
      group){ .row = row, .nrow = next - row, .ncol = n, .col = J->col + adr, .J = J->val + adr };
}

// Whether b continues a: same columns, next rows, next numbers.
static int continues(const group *a, const group *b) {
  return a->ncol == b->ncol && b->J == a->J + (int64_t)a->nrow * a->ncol &&
         memcmp(a->col, b->col, (size_t)a->ncol * sizeof *a->col) == 0;
}

// Threads share the groups where J is so large that a product takes longer than to wake them.
static sn_status divide(groups *g, sn_scratch *mem) {
  enum { LEAST = 16384, PARTS = 4 };   // numbers of J in a part; parts of a thread
  int64_t columns = 0, numbers = 0;
  g->widest = 1;
  for (int64_t k = 0; k < g->n; k++) {
    group *a = &g->at[k];
    g->widest = a->ncol > g->widest ? a->ncol : g->widest;
    a->sum = (int32_t)columns;
    columns += a->ncol;
    numbers += (int64_t)a->nrow * a->ncol;
  }
  const int64_t most = (int64_t)PARTS * g->tasks.nthread, n = numbers / LEAST;
  const int is_shared = g->tasks.nthread > 1 && n > 1 && g->n >= most && columns <= INT32_MAX;
  g->npart = !is_shared ? 1 : n < most ? n : most;
  SN_ALLOC(g->gathered, mem, g->npart * g->widest);
  SN_ALLOC(g->sums, mem, is_shared ? columns : g->widest);
  return SN_OK;
}

sn_status groups_make(groups *g, const sn_problem *problem, const sn_kernels *kernel,
                      const tasks *threads, sn_scratch *mem) {
  *g = (groups){ .problem = problem, .kernel = kernel, .tasks = *threads };
  SN_ALLOC(g->at, mem, problem->nefc);
  for (int64_t b = 0; b < problem->nblock; b++) {
    int32_t row = problem->block[b].row, end = row + problem->block[b].nrow;
    while (row < end) {
      group next = take_rows(&problem->J, row, end);
      row += next.nrow;
      if (g->n && continues(&g->at[g->n - 1], &next)) {
        g->at[g->n - 1].nrow += next.nrow;
      } else {
        g->at[g->n++] = next;
      }
    }
  }
  return divide(g, mem);
}

// ------------------------------------------------------------------ products

typedef struct product {
  const groups *groups;
  const double *x;
  double *y;
} product;

// Most rows of soft bodies, cloths and particles have the dofs of one or two points, one or three
// of each: without loops, their products take half the instructions.
static inline double row_times(int32_t n, const double *J, const int32_t *col, const double *x) {
  switch (n) {
    case 2: return dot_sparse(2, J, col, x);
    case 3: return dot_sparse(3, J, col, x);
    case 6: return dot_sparse(6, J, col, x);
    default: return dot_sparse(n, J, col, x);
  }
}

static inline void add_scaled(int32_t n, const double *J, const int32_t *col, double f, double *y) {
  for (int32_t i = 0; i < n; i++) {
    y[col[i]] += J[i] * f;
  }
}

static inline void add_row(int32_t n, const double *J, const int32_t *col, double f, double *y) {
  switch (n) {
    case 2: add_scaled(2, J, col, f, y); break;
    case 3: add_scaled(3, J, col, f, y); break;
    case 6: add_scaled(6, J, col, f, y); break;
    default: add_scaled(n, J, col, f, y);
  }
}

static inline int64_t first_group(const groups *g, int64_t part) {
  return g->n * part / g->npart;
}

static void multiply_part(void *context, int64_t part) {
  const product *p = context;
  const groups *g = p->groups;
  const double *x = p->x;
  double *gathered = g->gathered + part * g->widest;
  for (int64_t k = first_group(g, part), end = first_group(g, part + 1); k < end; k++) {
    const group *a = &g->at[k];
    double *y = p->y + a->row;
    if (a->ncol == 1) {
      for (int32_t r = 0; r < a->nrow; r++) {
        y[r] = a->J[r] * x[a->col[0]];
      }
      continue;
    }
    if (a->nrow == 1) {
      *y = row_times(a->ncol, a->J, a->col, x);
      continue;
    }
    for (int32_t i = 0; i < a->ncol; i++) {
      gathered[i] = x[a->col[i]];
    }
    g->kernel->rows_times(a->nrow, a->ncol, a->J, gathered, y);
  }
}

void groups_multiply(const groups *g, const double *x, double *y) {
  tasks_run(&g->tasks, g->npart, multiply_part, &(product){ g, x, y });
}

static inline int has_force(const group *a, const double *force) {
  int32_t r = 0;
  while (r < a->nrow && force[r] == 0) {
    r++;
  }
  return r < a->nrow;
}

// What each group of several rows adds to its columns.
static void sum_part(void *context, int64_t part) {
  const product *p = context;
  const groups *g = p->groups;
  for (int64_t k = first_group(g, part), end = first_group(g, part + 1); k < end; k++) {
    const group *a = &g->at[k];
    if (a->nrow > 1 && has_force(a, p->x + a->row)) {
      g->kernel->times_rows(a->nrow, a->ncol, a->J, p->x + a->row, g->sums + a->sum);
    }
  }
}

// The sums of all groups are added in their order, whichever thread computed them.
void groups_multiply_transposed(const groups *g, const double *f, double *y) {
  if (g->npart > 1) {
    tasks_run(&g->tasks, g->npart, sum_part, &(product){ g, f, NULL });
  }
  memset(y, 0, (size_t)g->problem->nv * sizeof *y);
  for (int64_t k = 0; k < g->n; k++) {
    const group *a = &g->at[k];
    const double *force = f + a->row;
    if (a->nrow == 1) {
      if (force[0] != 0) {
        add_row(a->ncol, a->J, a->col, force[0], y);
      }
      continue;
    }
    if (!has_force(a, force)) {
      continue;
    }
    double *sums = g->sums;
    if (g->npart > 1) {
      sums += a->sum;
    } else {
      g->kernel->times_rows(a->nrow, a->ncol, a->J, force, sums);
    }
    for (int32_t i = 0; i < a->ncol; i++) {
      y[a->col[i]] += sums[i];
    }
  }
}
