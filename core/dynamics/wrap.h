// SPDX-License-Identifier: Apache-2.0
//
// The shortest path of a string around a sphere or an infinite cylinder, or through it.

#ifndef SI_DYNAMICS_WRAP_H
#define SI_DYNAMICS_WRAP_H

#include "sinew/abi.h"

// Path from x0 to x1 around a sphere (type SN_WRAP_SPHERE) or a cylinder along z
// (SN_WRAP_CYLINDER) of radius r with the pose (pos, mat). side: the point that says on which
// side to pass, or NULL; when it is inside the object the path has to pass through the object.
// Returns the length of the path on the surface and its first and last point; negative: the
// straight segment is the path. [any]
double si_wrap(int32_t type, const double *x0, const double *x1, const double *pos,
               const double *mat, double r, const double *side, double *first, double *last);

#endif
