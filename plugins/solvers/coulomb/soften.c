// SPDX-License-Identifier: Apache-2.0
//
// Continuation in the regularizers; see soften.h.

#include "soften.h"

#include <math.h>

#include <string.h>

typedef struct continuation {
  active *method;
  double level;   // 0: the regularizers of the law
  double least;   // the smallest level that changes a regularizer
  double kept;    // the last level at which the error was small, or HUGE_VAL, and the point
  double *a, *x;
} continuation;

// Goes on with the regularizers of a level.
static void set_level(continuation *c, double level) {
  c->level = level > c->least ? fmin(level, 1) : 0;
  active_soften(c->method, c->level);
}

static void keep(continuation *c) {
  const sn_problem *q = c->method->problem;
  memcpy(c->a, c->method->a, (size_t)q->nv * sizeof *c->a);
  memcpy(c->x, c->method->x, (size_t)q->nefc * sizeof *c->x);
  c->kept = c->level;
}

static sn_status start(continuation *c, active *method, const sn_solution *solution,
                       double imbalance, sn_scratch *mem) {
  const sn_problem *q = method->problem;
  *c = (continuation){ .method = method, .least = 1, .kept = HUGE_VAL };
  SN_ALLOC(c->a, mem, q->nv);
  SN_ALLOC(c->x, mem, q->nefc);
  for (int64_t i = 0; i < q->nefc; i++) {
    c->least = fmin(c->least, q->R[i] * method->D[i]);
  }
  c->level = active_start(method, solution, imbalance);
  return SN_OK;
}

// Where a level has no solution, the way there from the last one that has was too long: a shorter
// one from there. Where there is none yet, a larger level from here.
static void turn_back(continuation *c, double *smaller) {
  static const double larger = 10, shortest = 0.7;
  if (c->kept > 1) {
    set_level(c, larger * fmax(c->level, c->least));
    return;
  }
  *smaller = fmin(sqrt(*smaller), shortest);
  set_level(c, c->kept * *smaller);
  active_place(c->method, c->a, c->x);
}

// Contacts with larger regularizers than those of the law.
static int64_t softened(const continuation *c) {
  static const double rounding = 1e-9;
  const sn_problem *q = c->method->problem;
  int64_t n = 0;
  for (int64_t k = 0; k < c->method->nunit; k++) {
    const active_unit *t = &c->method->unit[k];
    int any = 0;
    for (int32_t i = t->row; i < t->row + t->n; i++) {
      any |= c->level > (1 + rounding) * q->R[i] * c->method->D[i];
    }
    n += any;
  }
  return n;
}

// With the regularizers of the law from the start.
static sn_status solve_directly(active *method, sn_solution *solution) {
  enum { MOST = 24, IDLE = 6 };
  active_soften(method, 0);
  return active_solve(method, MOST, IDLE, solution);
}

// Level by level. Returns the status at level 0.
static sn_status descend(continuation *c, sn_solution *solution) {
  // iterations that solve no level, and how many may pass in a row in which the error does not fall
  // to half; the method by the projection gets nowhere in more
  enum { MOST = 20, MOST_PROJECTED = 10, IDLE = 1 };
  static const double small = 0.001, smallest = 0.1;
  active *method = c->method;
  const int32_t most = method->is_projected ? MOST_PROJECTED : MOST;
  double smaller = smallest, least = HUGE_VAL;
  int32_t idle = 0, lost = 0;
  int is_first = 1;   // iteration at this level
  while (solution->iterations < method->problem->iterations && lost < most &&
         active_step(method, solution)) {
    const int is_near = method->length == 1 && method->error < small * method->terms;
    if (is_near && c->level == 0) {
      return active_solve(method, ACTIVE_FEW, ACTIVE_IDLE, solution);
    }
    lost += !is_near;
    idle = method->error < 0.5 * least ? 0 : idle + 1;
    least = fmin(least, method->error);
    if (!is_near && idle <= IDLE) {
      is_first = 0;
      continue;
    }
    if (is_near) {
      keep(c);
      smaller = is_first ? fmax(smaller * smaller, smallest) : smaller;
      set_level(c, c->level * smaller);
    } else {
      turn_back(c, &smaller);
    }
    idle = 0;
    least = HUGE_VAL;
    is_first = 1;
  }
  return SN_NOT_CONVERGED;
}

sn_status soften_solve(active *method, double imbalance, sn_solution *solution, sn_scratch *mem) {
  static const double larger = 1000;
  continuation c;
  SN_TRY(start(&c, method, solution, imbalance, mem));
  if (!method->is_projected) {
    if (solve_directly(method, solution) == SN_OK) {
      return SN_OK;
    }
    c.level = active_start(method, solution, imbalance);
  }
  sn_status status = descend(&c, solution);
  for (double level = c.kept; status == SN_NOT_CONVERGED && level <= 1; level *= larger) {
    set_level(&c, level);
    active_place(method, c.a, c.x);
    status = active_solve(method, ACTIVE_FEW, ACTIVE_IDLE, solution);
    if (status == SN_OK && SN_HAS(solution, nsoftened)) {
      solution->nsoftened = softened(&c);
    }
  }
  active_soften(method, 0);
  return status;
}
