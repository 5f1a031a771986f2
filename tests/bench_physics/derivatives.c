// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of a step, whose truth is Richardson's extrapolation of finite differences, and the
// forces of inverse dynamics, which must return what was applied.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_physics.h"
#include "scenes.h"

static double *differences(trial *t, double eps, int centered) {
  const size_t n = (size_t)(2 * snm_nv(t->m) + snm_na(t->m));
  double *A = malloc(n * n * sizeof *A);
  if (!A || sn_transition_fd(t->m, t->d, eps, centered, A, NULL, NULL, NULL) < 0) {
    quit(t->error);
  }
  return A;
}

static double largest(const trial *t, const double *A) {
  const int64_t n = 2 * snm_nv(t->m) + snm_na(t->m);
  double most = 0;
  for (int64_t i = 0; i < n * n; i++) {
    most = fmax(most, fabs(A[i]));
  }
  return most;
}

// Differences of this size, negative: one-sided, against (4 A(e / 2) - A(e)) / 3, relative to the
// largest entry.
static double difference_error(trial *t) {
  const double e = 2e-5, eps = fabs(t->parameter);
  simulate(t, 0.9);
  double *coarse = differences(t, e, 1), *fine = differences(t, 0.5 * e, 1);
  double *A = differences(t, eps, t->parameter > 0);
  const int64_t n = 2 * snm_nv(t->m) + snm_na(t->m);
  for (int64_t i = 0; i < n * n; i++) {
    A[i] -= (4 * fine[i] - coarse[i]) / 3;
  }
  const double off = largest(t, A) / largest(t, fine);
  free(coarse);
  free(fine);
  free(A);
  return off;
}

// The largest entry at this size: where there is a derivative it hardly depends on the size.
static double largest_entry(trial *t) {
  simulate(t, 2);
  double *A = differences(t, t->parameter, 1);
  const double most = largest(t, A);
  free(A);
  return most;
}

// The largest force that inverse dynamics finds where none was applied, relative to the weight.
static double inverse_force(trial *t) {
  double most = 0;
  simulate(t, 0.9);
  if (sn_forward(t->m, t->d) < 0 || sn_inverse(t->m, t->d) < 0) {
    return NAN;
  }
  for (int64_t i = 0; i < snm_nv(t->m); i++) {
    most = fmax(most, fabs(snd_qfrc_inverse(t->d)[i]));
  }
  return most / (9.81 * snm_body_subtreemass(t->m)[0]);
}

#define FIGURE "samples/models/figure"
#define STACK "samples/models/stack"

static const row by_solver[] = {
  { .title = "figure on the floor, centered differences of 1e-6: error, relative",
    .model = FIGURE,
    .settings = "cone=elliptic",
    .measure = difference_error,
    .parameter = 1e-6 },
  { .title = "centered, 1e-7",
    .model = FIGURE,
    .settings = "cone=elliptic",
    .measure = difference_error,
    .parameter = 1e-7 },
  { .title = "one-sided, 1e-6",
    .model = FIGURE,
    .settings = "cone=elliptic",
    .measure = difference_error,
    .parameter = -1e-6 },
  { .title = "figure on the floor, inverse dynamics: force over weight",
    .model = FIGURE,
    .settings = "cone=elliptic;tolerance=1e-8",
    .measure = inverse_force },
  { .title = "stack, inverse dynamics",
    .model = STACK,
    .settings = "cone=elliptic",
    .measure = inverse_force },
  { .title = "stack, inverse dynamics, tolerance 0",
    .model = STACK,
    .settings = "cone=elliptic;tolerance=0;iterations=1000",
    .measure = inverse_force },
};

static const column solvers[] = {
  { "`newton`", "solver=newton;integrator=euler" },
  { "`cg`", "solver=cg;integrator=euler" },
  { "`pgs`", "solver=pgs;integrator=euler" },
};

static const row by_size[] = {
  { .title = "cubes and cylinders on flat faces, differences of 1e-4: largest entry",
    .model = "flat_contacts",
    .measure = largest_entry,
    .parameter = 1e-4 },
  { .title = "1e-5", .model = "flat_contacts", .measure = largest_entry, .parameter = 1e-5 },
  { .title = "1e-6", .model = "flat_contacts", .measure = largest_entry, .parameter = 1e-6 },
  { .title = "1e-7", .model = "flat_contacts", .measure = largest_entry, .parameter = 1e-7 },
  { .title = "stack of 5 cubes, 1e-4",
    .scene = stack_scene,
    .measure = largest_entry,
    .parameter = 1e-4 },
  { .title = "stack of 5 cubes, 1e-7",
    .scene = stack_scene,
    .measure = largest_entry,
    .parameter = 1e-7 },
  { .title = "stack of 5 cubes, 1e-9",
    .scene = stack_scene,
    .measure = largest_entry,
    .parameter = 1e-9 },
};

static const column profiles[] = {
  { "`mujoco-2.2`", "profile=mujoco-2.2" },
  { "default", "" },
  { "`robust`", "profile=robust" },
};

void derivatives_section(void) {
  TABLE("derivatives", by_solver, solvers);
  TABLE("derivative-sizes", by_size, profiles);
}
