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
  static const double small = 0.1;   // part of the terms of the dynamics
  const sn_problem *q = method->problem;
  *c = (continuation){ .method = method, .least = 1, .kept = HUGE_VAL };
  SN_ALLOC(c->a, mem, q->nv);
  SN_ALLOC(c->x, mem, q->nefc);
  memcpy(c->a, solution->qacc, (size_t)q->nv * sizeof *c->a);
  for (int64_t i = 0; i < q->nefc; i++) {
    c->least = fmin(c->least, q->R[i] * method->D[i]);
    c->x[i] = solution->force[i] / method->S[i];
  }
  active_place(method, c->a, c->x);
  if (imbalance > small * method->terms) {
    memcpy(c->a, q->qacc_start, (size_t)q->nv * sizeof *c->a);
    active_forces(method, c->a, c->x);
    for (int64_t i = 0; i < q->nefc; i++) {
      c->x[i] /= method->S[i];
    }
    set_level(c, 1);
    active_place(method, c->a, c->x);
  }
  return SN_OK;
}

sn_status soften_solve(active *method, double imbalance, sn_solution *solution, sn_scratch *mem) {
  enum { MOST = 10, IDLE = 2 };   // iterations, and how many of them without a small error
  static const double small = 0.001, smaller = 0.1, larger = 10, back = 30;
  continuation c;
  SN_TRY(start(&c, method, solution, imbalance, mem));
  const int32_t limit = method->problem->iterations, most = solution->iterations + MOST;
  const int32_t end = most < limit ? most : limit;
  sn_status status = SN_NOT_CONVERGED;
  int32_t idle = 0;
  while (solution->iterations < end && active_step(method, solution)) {
    const int is_near = method->error < small * method->terms;
    if (is_near && c.level == 0) {
      status = active_solve(method, solution);
      if (status == SN_OK) {
        break;
      }
    }
    if (is_near && c.level > 0) {
      keep(&c);
      set_level(&c, c.level * smaller);
      idle = 0;
    } else if (is_near || ++idle > IDLE) {
      set_level(&c, larger * fmax(c.level, c.least));
      idle = 0;
    }
  }
  for (double level = c.kept; status == SN_NOT_CONVERGED && level <= 1; level *= back) {
    set_level(&c, level);
    active_place(method, c.a, c.x);
    status = active_solve(method, solution);
  }
  active_soften(method, 0);
  return status;
}
