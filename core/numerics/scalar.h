// SPDX-License-Identifier: Apache-2.0
//
// Formulas that are written once for one simulation and for several at a time: files with names
// *_loops.h, which are included once with this header, and once with lanes/lane.h. They use
//
//   NUMBER           a real number, or the same number of several simulations
//   MASK             the result of a comparison of NUMBERs, of each simulation
//   VECTORS(f)       the function sn_f of sinew/math.h, of arrays of NUMBERs
//   SCALARS(f)       a function below
//
// A branch is taken if any simulation takes it (SCALARS(any)); what it computes is selected for
// those that do. So each simulation gets the bits that it gets alone.

#ifndef SI_NUMERICS_SCALAR_H
#define SI_NUMERICS_SCALAR_H

#include <math.h>

#include "sinew/math.h"

#define NUMBER double
#define MASK int
#define VECTORS(function) sn_##function
#define SCALARS(function) number_##function

// x in all simulations
static inline double number_all(double x) {
  return x;
}

// a where the mask is set, b elsewhere
static inline double number_select(int mask, double a, double b) {
  return mask ? a : b;
}

static inline int number_any(int mask) {
  return mask;
}

static inline int number_not(int mask) {
  return !mask;
}

static inline double number_sqrt(double x) {
  return sqrt(x);
}

static inline double number_abs(double x) {
  return fabs(x);
}

static inline double number_clamp(double x, double lo, double hi) {
  return sn_clamp(x, lo, hi);
}

// Where the mask is set; 0 elsewhere.
static inline double number_atan2(int mask, double y, double x) {
  return mask ? atan2(y, x) : 0;
}

#endif
