// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the decomposition share.
//
//   soup     convex polygons in space: the part of a surface that lies in a box
//   solid    the body that a closed surface encloses: what is inside, how much of it is in a box
//   hull     the convex hull of points: vertices, triangles, volume

#ifndef SOUP_H
#define SOUP_H

#include "sinew/mesh.h"

enum { DIM = 3 };

typedef struct soup {
  int64_t npoly, npoint;
  int32_t *count;   // npoly: corners of each polygon
  double *point;    // npoint x 3, polygon after polygon
} soup;

typedef struct box {
  double low[DIM], high[DIM];
} box;

// A surface as triangles, and the crossings of vertical lines with it: the lines go through the
// middles of an nx x ny grid, line l has crossings z[start[l]] ... z[start[l + 1] - 1], ascending.
typedef struct solid {
  int64_t nvert, nface;
  const double *vert;
  const int32_t *face;
  box bounds;
  int64_t nx, ny;
  int64_t *start;   // nx * ny + 1
  double *z;
} solid;

typedef struct hull {
  int64_t nvert, nface;
  double *vert;
  int32_t *face;
  double volume;
} hull;

// soup.c. All of a surface; what of a soup lies below (side 0) or above (side 1) a plane across an
// axis, where corners that are within `thin` of the plane lie in it. SN_ENOMEM, or SN_OK.
sn_status soup_new(const sn_host *host, const solid *s, soup *out);
sn_status soup_cut(const sn_host *host, const soup *from, int axis, double at, double thin,
                   int side, soup *out);
void soup_free(const sn_host *host, soup *p);

// solid.c. SN_EINVAL: the surface is not closed.
sn_status solid_measure(const sn_host *host, solid *s);
void solid_free(const sn_host *host, solid *s);
double solid_volume(const solid *s, const box *in);
// Does the solid reach into a corner of a box? Bit k of `corner`: the high end of axis k.
int solid_has_corner(const solid *s, const box *b, int corner);

// hull.c. SN_OK; SN_EINVAL when the points have no volume to speak of: *out is empty.
sn_status hull_of_points(const sn_host *host, int64_t n, const double *point, hull *out);
void hull_free(const sn_host *host, hull *h);

#endif
