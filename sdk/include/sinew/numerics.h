// SPDX-License-Identifier: Apache-2.0
//
// The numerical helpers that Sinew itself is built on: products and solutions with an inertia
// matrix along the kinematic tree, sparse rows, dense kernels, principal axes, the penalty of the
// constraint problem. The core and the plugins that Sinew ships share them, and so can any plugin.
//
// They are no part of the ABI. Each shared object links its own hidden copy, from the static
// library sinew_numerics (target sinew::numerics in CMake, -lsinew_numerics otherwise); what is
// `static inline` needs no library. A newer Sinew may change or remove a function: a plugin that is
// built from source follows, and one that was built before keeps the copy that it has.
//
// They know numbers, never a model or a simulation, and depend on nothing but the public headers.
// No function allocates memory or keeps state. The same inputs give the same bits in every caller.

#ifndef SINEW_NUMERICS_H
#define SINEW_NUMERICS_H

#include "sinew/numerics/kernels.h"          // dense loops, for the instruction set of the machine
#include "sinew/numerics/principal_axes.h"   // eigenvectors of symmetric 3x3 matrices
#include "sinew/numerics/sparse.h"           // products with sparse rows
#include "sinew/numerics/tree.h"             // M along the tree: factor, solution, product

#endif
