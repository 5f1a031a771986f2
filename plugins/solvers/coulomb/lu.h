// SPDX-License-Identifier: Apache-2.0
//
// LU factorization of an unsymmetric matrix H whose pattern is symmetric, in the panels of
// newton/pattern.h: value holds the columns of the lower triangle, upper the rows of the upper one.
// There is no pivoting. hessian_solve solves with it.

#ifndef COULOMB_LU_H
#define COULOMB_LU_H

#include "newton/hessian.h"

// Factors H in place. Returns the sign of its determinant, 1 or -1.
int32_t lu_factor(hessian *h);

#endif
