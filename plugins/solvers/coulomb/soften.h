// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law with the regularizers of the law, and where that fails, by continuation in the
// regularizers. With those of the law, contacts are nearly rigid: where more of them touch than are
// needed, normal forces that cancel each other become large as soon as a state is wrong, and the
// method of active.h may go round in circles. With the regularizers of the convex problem, which
// are larger, it hardly ever does. So it goes through
//
//   R(level) = max(R of the law, level R of the problem)     0 <= level <= 1
//
// from the level at which the forces of the warm start are nearest to balance down to 0. Where the
// error of a level does not fall, it turns back to the last one that was solved, and makes shorter
// steps. If the end is not reached before so many iterations have solved no level, the solution is
// that of the smallest level at which there is one. It is one of Coulomb's law too, for the
// regularizers are the solver's choice (solver.h).
//
// A body that rests on softer contacts is too deep for those of the law, which would throw it out:
// their forces are no start. Those of the last level are, and the level falls further in each step,
// until the forces of the law hold.
//
// Reference: Hintermueller, Kunisch, Path-following methods for a class of constrained minimization
// problems in function space, SIAM J. Optim. 17 (2006) 159-187.

#ifndef COULOMB_SOFTEN_H
#define COULOMB_SOFTEN_H

#include "active.h"

// From the solution if its imbalance is small, else from the warm start. SN_OK: the solution is
// written. SN_NOT_CONVERGED: only its iterations are. SN_ENOMEM
sn_status soften_solve(active *method, double imbalance, sn_solution *solution, sn_scratch *mem);

#endif
