// SPDX-License-Identifier: Apache-2.0
//
// Instances of the solvers; see instance.h.

#include "instance.h"

enum { LINESEARCH_ITERATIONS, LINESEARCH_TOLERANCE };

const sn_param linesearch_params[] = {
  [LINESEARCH_ITERATIONS] = { .name = "linesearch_iterations",
                              .default_value = "50",
                              .summary = "largest number of evaluations in a line search",
                              .min = 1,
                              .max = 1000,
                              .type = SN_PARAM_INT },
  [LINESEARCH_TOLERANCE] = { .name = "linesearch_tolerance",
                             .default_value = "0.01",
                             .summary = "a line search stops when the slope along a direction of "
                                        "unit length is below this fraction of the tolerance",
                             .min = 0,
                             .max = 1,
                             .type = SN_PARAM_REAL },
  { .name = NULL },
};

sn_status solver_create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  (void)values;
  solver_instance *s = host->alloc(host, (int64_t)sizeof *s);
  if (!s) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for a solver");
  }
  s->host = host;
  s->kernel = sn_kernels_for_machine();
  s->tasks = host->query(host, SN_SERVICE_TASKS);
  *self = s;
  return SN_OK;
}

sn_status linesearch_create(const sn_host *host, const sn_value *values, void **self,
                            sn_error *error) {
  sn_status status = solver_create(host, values, self, error);
  if (status >= 0) {
    solver_instance *s = *self;
    s->linesearch_iterations = (int32_t)values[LINESEARCH_ITERATIONS].integer;
    s->linesearch_tolerance = values[LINESEARCH_TOLERANCE].real;
  }
  return status;
}

void solver_destroy(void *self) {
  solver_instance *s = self;
  s->host->free(s->host, s);
}
