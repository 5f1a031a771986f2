// SPDX-License-Identifier: Apache-2.0
//
// Eigenvalues and eigenvectors of a symmetric 3x3 matrix, as they are used for inertia.
// Source-level: see sinew/numerics.h. All [any].

#ifndef SINEW_NUMERICS_PRINCIPAL_AXES_H
#define SINEW_NUMERICS_PRINCIPAL_AXES_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

// Eigenvalues in descending order and the axes that belong to them (columns of the rotation quat)
// of a symmetric matrix xx yy zz xy xz yz, of a mass's inertia in kg m^2.
void sn_principal_axes(const double *full, double *inertia, double *quat);
// The same axes to about a microradian, for frames that need not be exactly principal.
void sn_frame_axes(const double *full, double *quat);

SN_END_DECLS

#endif
