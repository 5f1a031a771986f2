// SPDX-License-Identifier: Apache-2.0
//
// Two sets of constraint problems in the manner of FCLib (V. Acary and others, A collection of
// discrete frictional contact problems, 2014): saved from simulations of heaps, towers, stacks,
// walls, arches, grasps, loops and others, with ratios of masses of up to 1e6. They are made by
// code and are the same, bit for bit, on each machine. Solvers are improved with the first set; the
// second, held out, is of the same families with other numbers of bodies, masses and instants.

#ifndef SN_BENCH_PROBLEM_SET_H
#define SN_BENCH_PROBLEM_SET_H

#include "sinew/sinew.h"

typedef struct problem_set {
  sn_problems *problems;
  int *family;   // of each
  int held_out;
  int reserved;
} problem_set;

extern const char *const problem_families[];
enum { PROBLEM_FAMILIES = 9 };

// Makes a set with an engine of the configuration of the build; freed by the caller. The
// program stops if it fails. `share`: only one scene of so many, for tests.
problem_set make_problem_set(int is_held_out, int share);
void free_problem_set(problem_set *set);
void save_problem_set(const char *path, int is_held_out);

#endif
