// SPDX-License-Identifier: Apache-2.0
//
// Principal moments and axes of inertia matrices. Where moments are equal or nearly so, the axes
// are those of MuJoCo; symmetric.h has eigenvectors without such a convention. Not part of the ABI:
// see sinew/numerics.h. All [any].

#ifndef SINEW_NUMERICS_PRINCIPAL_AXES_H
#define SINEW_NUMERICS_PRINCIPAL_AXES_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

// Principal moments (3, descending) and the unit quaternion (4) of the principal axes of an inertia
// matrix xx yy zz xy xz yz, kg m^2. Column i of the rotation is the axis of moment i.
void sn_principal_axes(const double *full, double *inertia, double *quat);
// The same axes with an error of about a microradian, for frames that need not be exactly
// principal.
void sn_frame_axes(const double *full, double *quat);

SN_END_DECLS

#endif
