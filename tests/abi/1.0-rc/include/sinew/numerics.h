// SPDX-License-Identifier: Apache-2.0
//
// Numerical functions that the core and the plugins of Sinew share, and that any plugin may use:
// product with the inertia matrix and its inverse, sparse rows, dense kernels, principal axes, the
// penalty of constraints.
//
// They are not part of the ABI. Each shared object links its own hidden copy from the static
// library sinew_numerics (target sinew::numerics in CMake, otherwise -lsinew_numerics); `static
// inline` functions need no library. A newer version of Sinew may change or remove a function: then
// plugins must be adapted when they are compiled again, while compiled plugins keep their copy.
//
// They work on plain arrays, not on a model or a simulation, and depend on the public headers only.
// No function allocates memory or has a state. The same inputs give bitwise identical results.

#ifndef SINEW_NUMERICS_H
#define SINEW_NUMERICS_H

#include "sinew/numerics/articulated.h"       // M by recursion along the bodies
#include "sinew/numerics/kernels.h"          // dense loops, for the instruction set of the machine
#include "sinew/numerics/penalty.h"          // s(z) of the constraint problem
#include "sinew/numerics/principal_axes.h"   // axes of inertia matrices, those of MuJoCo
#include "sinew/numerics/sparse.h"           // products with sparse rows
#include "sinew/numerics/symmetric.h"        // eigenvectors of symmetric 3x3 matrices
#include "sinew/numerics/tree.h"             // M along the tree: factor, solution, product

#endif
