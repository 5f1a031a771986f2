// SPDX-License-Identifier: Apache-2.0
//
// Of the pretended ABI 1.1: the second revision of the kind solver, whose `solve` also returns a
// residual. The first revision is still supported.

#ifndef SINEW_SOLVER_2_H
#define SINEW_SOLVER_2_H

#include "sinew/solver.h"

SN_BEGIN_DECLS

#define SN_KIND_SOLVER_2 "sinew.solver/2"

typedef struct sn_solver_2_ops {
  sn_ops head;
  sn_status (*solve)(const void *self, double *residual, const sn_problem *problem,
                     sn_solution *solution, sn_scratch *scratch);
} sn_solver_2_ops;

SN_END_DECLS

#endif
