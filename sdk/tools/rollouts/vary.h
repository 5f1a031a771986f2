// SPDX-License-Identifier: Apache-2.0
//
// --vary of `sinew rollout`: values of a quantity of the model for each rollout.
//
//   NAME=uniform(A,B)       uniform in [A, B)
//   NAME=loguniform(A,B)    its logarithm is uniform; 0 < A < B
//   NAME=normal(MEAN,SIGMA)
//   NAME=A,B,...            these values; of several lists all combinations, the last list changes
//                           fastest, and after the last combination they begin again
//
// A random number depends on --seed, NAME, the number of the rollout and its place in the quantity
// alone: another --vary, another number of rollouts or another shard changes none.

#ifndef SINEW_TOOLS_VARY_H
#define SINEW_TOOLS_VARY_H

#include "tools/command.h"

typedef struct varied {
  char *name;              // before the `=`
  double a, b;             // of a distribution
  double *list;            // nlist values; NULL: a distribution
  int64_t nlist, stride;   // rollouts with the same value of the list, one after another
  int kind;                // of vary.c
} varied;

// Reads o->vary. *n: their number; out has room for o->nvary. DONE, or USAGE or FAILED after
// reporting. Free them in any case.
int vary_read(const options *o, varied *out);
void vary_free(const options *o, varied *v);
// The number of combinations of all lists; 1: there is none.
int64_t vary_combinations(const options *o, const varied *v);
// `width` numbers of rollout `i`.
void vary_values(const varied *v, const sn_random_service *random, uint64_t seed, int64_t i,
                 int64_t width, double *out);

#endif
