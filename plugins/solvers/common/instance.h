// SPDX-License-Identifier: Apache-2.0
//
// What an instance of the solvers here holds, and how it is made.

#ifndef SOLVERS_INSTANCE_H
#define SOLVERS_INSTANCE_H

#include "sinew/numerics/kernels.h"
#include "sinew/solver.h"

typedef struct solver_instance {
  const sn_host *host;
  const sn_kernels *kernel;
  const sn_tasks_service *tasks;   // NULL: the host lacks it
  int32_t linesearch_iterations;   // of solvers that search along lines; else 0
  int32_t reserved;
  double linesearch_tolerance;
} solver_instance;

// `create` of a solver without parameters, and of one with linesearch_params; `destroy` of both.
sn_status solver_create(const sn_host *host, const sn_value *values, void **self, sn_error *error);
sn_status linesearch_create(const sn_host *host, const sn_value *values, void **self,
                            sn_error *error);
void solver_destroy(void *self);

extern const sn_param linesearch_params[];

#endif
