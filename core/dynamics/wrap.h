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

// What the path has in common with the circle.
typedef struct si_arc {
  double first[2], last[2];   // where the path reaches and leaves the circle
  double length;              // between them, along the circle
  double turn;                // 1, -1: the way round, counterclockwise or not; 0: reflected
} si_arc;

// The same in the plane that it is solved in; 0: the segment is the path, which is not filled in.
// [any]
typedef struct si_plane_path {
  double axes[9];        // rows: two axes of the plane and its normal, in the geom's frame
  double q0[3], q1[3];   // the two points in these axes
  si_arc arc;
} si_plane_path;
int si_wrap_plane(int32_t type, const double *x0, const double *x1, const double *pos,
                  const double *mat, double r, const double *side, si_plane_path *path);

// wrap_rate.c. The second derivative of the length of a wrapped path, from velocities and
// accelerations of its ends relative to the geom, in the axes of the plane. [any]
double si_wrap_acceleration(int32_t type, const si_plane_path *path, double r, const double *v0,
                            const double *a0, const double *v1, const double *a1);

#endif
