// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law by a path of interior points, for problems that Newton's method does not solve.
//
// For an elliptic contact, with the variables x = (f_0, g) and y = (z_0, w) of coulomb.c and the
// regularizers R = diag(R_0, e, e, ...), De Saxce's form of the law is a complementarity in the
// second-order cone K,
//
//   x in K,  v in K,  x'v = 0,   v = y + R x + (s, 0),   s = |w + e g|
//
// and for unilateral rows the same without s in one dimension. A friction-loss row has two such
// pairs, eta - x and eta + x with multipliers of their own; equality rows are linear. The path
// consists of the points inside of all cones with M (a - a0) = J'f and
//
//   x o v = mu (1, 0)   for each pair
//
// from a large mu, where there is one such point, to mu = 0, the law. At each point this system is
// solved by one step of Newton's method, s included, which makes the matrix unsymmetric:
//
//   H = M + J' S (B^-1 W^2 + R)^-1 S J        S = diag(1, friction); B = d(y + (s, 0)) / dy
//
// with W the scaling of lorentz.h. The path may turn, for the law is not monotone: then mu grows
// before it falls again. The sign of det H tells the direction, as in continuation methods:
// Allgower and Georg, Introduction to Numerical Continuation Methods (2003), chapter 2. Steps are
// limited by the length of the tangent dx/dmu, and near turning points the correction is kept
// orthogonal to it.
//
// References: Andersen et al. as in lorentz.h; Acary, Armand, Nguyen, Shpakovych, Second-order cone
// programming for frictional contact mechanics using interior point algorithm, Optim. Methods
// Softw. 39 (2024).

#ifndef COULOMB_PATH_H
#define COULOMB_PATH_H

#include "active.h"

// Follows the path from the accelerations and forces of the solution, which are those of the primal
// p, each force and rate moved into its cone by `inside` times their mean: little is a short path,
// but from far inside fewer end at the boundary of a cone. Its problem has the regularizers of the
// law; h and `end` are of the same problem, and h has room for `upper`. `end` makes the last steps.
// SN_OK: the solution has qacc, force, state; its iterations are counted on. SN_NOT_CONVERGED: the
// residuals stopped falling or the limit of iterations is reached; force and state are as they
// were, qacc is not. SN_ENOMEM
sn_status path_solve(primal *p, hessian *h, active *end, double inside, sn_solution *solution,
                     sn_scratch *mem);

#endif
