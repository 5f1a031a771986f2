// SPDX-License-Identifier: Apache-2.0
//
// Performance profiles; see the header.

#include "profile.h"

#include <math.h>

static double least(const double *cost, int n) {
  double best = INFINITY;
  for (int k = 0; k < n; k++) {
    best = fmin(best, cost[k]);
  }
  return best;
}

void performance_profile(const double *cost, int nproblem, int nsolver, const double *factor,
                         int nfactor, double *share) {
  for (int i = 0; i < nfactor * nsolver; i++) {
    share[i] = 0;
  }
  for (int p = 0; p < nproblem; p++) {
    const double *of = cost + p * nsolver, best = least(of, nsolver);
    for (int i = 0; i < nfactor; i++) {
      for (int k = 0; k < nsolver; k++) {
        share[i * nsolver + k] += isfinite(of[k]) && of[k] <= factor[i] * best;
      }
    }
  }
  for (int i = 0; i < nfactor * nsolver && nproblem > 0; i++) {
    share[i] /= nproblem;
  }
}
