// SPDX-License-Identifier: Apache-2.0
//
// Eigenvalues and eigenvectors of a symmetric 3x3 matrix, up to rounding errors. For inertia
// matrices whose axes must be those of MuJoCo, use principal_axes.h. Not part of the ABI: see
// sinew/numerics.h. [any]

#ifndef SINEW_NUMERICS_SYMMETRIC_H
#define SINEW_NUMERICS_SYMMETRIC_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

// Eigenvalues (3, not sorted) of the matrix xx yy zz xy xz yz, and a rotation matrix (9,
// row-major): column i is the eigenvector of value i.
void sn_symmetric_axes(const double *full, double *values, double *axes);

SN_END_DECLS

#endif
