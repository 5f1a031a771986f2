// SPDX-License-Identifier: Apache-2.0
//
// One iteration of Newton's method on the reduced primal problem, for solvers that minimize it once
// or again and again.

#ifndef NEWTON_ITERATE_H
#define NEWTON_ITERATE_H

#include "common/instance.h"
#include "hessian.h"

// The iterations of one call.
typedef struct progress {
  double scale, tolerance;
  double norm;   // of the gradient, not scaled
  sn_solution *solution;
} progress;

// What rounding leaves of the gradient, M x - qfrc_smooth - J' f.
double newton_rounding(const primal *p);
// One step; stale: whether H must be assembled again. SN_OK: there is nothing more to gain.
// SN_NOT_CONVERGED: go on. SN_EDIVERGED: numbers have overflowed.
sn_status newton_iterate(const solver_instance *self, primal *p, hessian *h, progress *g,
                         int32_t *stale);

#endif
