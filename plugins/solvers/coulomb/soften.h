// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law by continuation in the regularizers. With those of the law, contacts are nearly
// rigid: where more of them touch than are needed, forces that cancel each other become large as
// soon as a state is wrong, and the method of active.h goes round in circles. With the regularizers
// of the convex problem, which are larger, it hardly ever does. So it starts with these and makes
// them smaller as long as the error of the law stays small:
//
//   R(level) = max(R of the law, level R of the problem)     level = 1, 0.1, 0.01, ... 0
//
// Where the error grows, they grow again. If the end is not reached in so many iterations, the
// solution is that of the smallest level at which there is one. It is one of Coulomb's law too, for
// the regularizers are the solver's choice (solver.h).
//
// Reference: Hintermueller, Kunisch, Path-following methods for a class of constrained minimization
// problems in function space, SIAM J. Optim. 17 (2006) 159-187.

#ifndef COULOMB_SOFTEN_H
#define COULOMB_SOFTEN_H

#include "active.h"

// From the accelerations and forces of the solution if the dynamics do not hold by at most
// `imbalance`, a small part of them, else from the warm start. SN_OK: the solution is written.
// SN_NOT_CONVERGED: only its iterations are. SN_ENOMEM
sn_status soften_solve(active *method, double imbalance, sn_solution *solution, sn_scratch *mem);

#endif
