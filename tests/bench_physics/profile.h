// SPDX-License-Identifier: Apache-2.0
//
// Performance profiles (E. Dolan, J. More, Mathematical Programming 91, 2002): for each solver the
// share of problems that it solves within a factor of the time of the fastest.

#ifndef SN_BENCH_PROFILE_H
#define SN_BENCH_PROFILE_H

// cost: nproblem x nsolver, INFINITY where a solver fails. factor: nfactor, at least 1. share:
// nfactor x nsolver, written. Problems that no solver solves count as not solved.
void performance_profile(const double *cost, int nproblem, int nsolver, const double *factor,
                         int nfactor, double *share);

#endif
