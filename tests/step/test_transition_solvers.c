// SPDX-License-Identifier: Apache-2.0
//
// sn_transition_fd with an iterative solver and the default tolerance gives the derivatives of the
// exact step: those of Newton's method. Differences of steps that are solved to the tolerance only
// would be dominated by its errors.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "default_engine.h"
#include "scenes.h"
#include "sinew/sinew.h"
#include "suite.h"

static const char *const solvers[] = { "cg", "pgs" };

// Steps that are solved to rounding, with the same contacts, cause no warning.
static void reject_flaw(void *context, int32_t level, const char *topic, const char *text) {
  (void)context;
  ck_assert_msg(level != SN_LOG_WARNING || strcmp(topic, "derivatives") != 0, "%s", text);
}

// A by centered differences after some steps on the ground. The solver of the steps is Newton's.
static double *derivatives(const char *solver, int64_t *n) {
  sn_model *m = sn_load(engine, SAMPLE("figure"), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  for (int i = 0; i < 300; i++) {
    OK(sn_step(m, d));
  }
  ck_assert_int_gt(snd_ncon(d), 0);
  OK(sn_model_parse_option(m, "solver", solver, error));
  *n = 2 * snm_nv(m) + snm_na(m);
  double *A = malloc((size_t)(*n * *n) * sizeof *A);
  sn_engine_set_log(engine, reject_flaw, NULL);
  OK(sn_transition_fd(m, d, 1e-6, 1, A, NULL, NULL, NULL));
  sn_engine_set_log(engine, NULL, NULL);
  sn_data_free(d);
  sn_model_free(m);
  return A;
}

START_TEST(solver_does_not_matter) {
  int64_t n, same;
  open_engine();
  double *expected = derivatives("newton", &n), *A = derivatives(solvers[_i], &same);
  double largest = 0, apart = 0;
  ck_assert_int_eq(same, n);
  for (int64_t i = 0; i < n * n; i++) {
    largest = fmax(largest, fabs(expected[i]));
    apart = fmax(apart, fabs(A[i] - expected[i]));
  }
  ck_assert_msg(apart < 1e-5 * largest, "%s: A differs by %g of %g", solvers[_i], apart, largest);
  free(expected);
  free(A);
  close_engine();
}
END_TEST

TESTS() {
  EACH(solver_does_not_matter, 0, 2);
}
