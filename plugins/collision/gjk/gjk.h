// SPDX-License-Identifier: Apache-2.0
//
// What the files of this collider share. The difference of two convex shapes A and B is the set of
// all a - b with a in A and b in B: convex too, and the origin is as far from it as A from B, or as
// deep in it as they overlap.
//
//   simplex.c    the point of a simplex that is nearest to the origin
//   distance.c   from simplex to simplex of the difference towards the origin
//   expand.c     when the origin is inside: out to the nearest face
//   polish.c     the last digits where a surface is curved
//
// All is said in the frame of A. A sphere is its center and a radius, a capsule its segment and a
// radius: only these cores meet, the radii are added in the end.

#ifndef GJK_H
#define GJK_H

#include "convex.h"

typedef struct difference {
  convex a, b;
  double mat[9], pos[3];   // frame of B in the frame of A
  double radius_a, radius_b;
  double scale;       // size of the difference, for tolerances
  double tolerance;   // of the distance
  int64_t iterations;
  int curved;   // a core is curved: its polytopes would never end
  int smooth;   // both are points or ellipsoids: no edges at all
  int64_t top_a, top_b;   // where climbing the meshes starts, and ended
} difference;

// Of the scale: what the digits of positions allow of a tolerance.
static const double difference_rounding = 4e-15;

// A point of the difference, w = a - b.
typedef struct vertex {
  double w[3], a[3], b[3];
  int64_t top_a, top_b;   // of meshes: the vertices
} vertex;

typedef struct simplex {
  int n;
  vertex at[4];
  double weight[4];   // of the point nearest to the origin
} simplex;

// The part of a simplex that its nearest point depends on: vertices, their weights, the point.
typedef struct part {
  int n, index[4];
  double weight[4], v[3], square;
} part;

// The cores: signed distance, unit normal from A to B, witness points; frame of A.
typedef struct nearest {
  double dist;
  double normal[3], a[3], b[3];
} nearest;

// From its operands a and b; tolerance and iterations are the caller's to set.
void difference_start(difference *m);

// The farthest point of the difference of the cores in a unit direction.
static inline void difference_support(const difference *m, const double *direction, vertex *out) {
  double local[3], point[3];
  m->a.support(&m->a, direction, out->a);
  sn_mul_matT_vec3(local, m->mat, direction);
  sn_scale3(local, local, -1);
  m->b.support(&m->b, local, point);
  sn_mul_mat_vec3(out->b, m->mat, point);
  sn_add3(out->b, out->b, m->pos);
  sn_sub3(out->w, out->a, out->b);
  out->top_a = m->top_a;
  out->top_b = m->top_b;
}

// simplex.c. The part that is nearest to the origin; returns whether the origin is inside, of a
// tetrahedron: then there is no part.
int simplex_nearest(const simplex *s, part *p);
// Leaves that part of a simplex.
void simplex_keep(simplex *s, const part *p);
// The points of both shapes at the weights.
void simplex_witness(const simplex *s, double *a, double *b);

// distance.c. GJK_APART: `out` is set; GJK_FAR: the distance is above the limit; GJK_OVERLAP: the
// origin is in the simplex, as far as numbers tell.
enum { GJK_APART, GJK_FAR, GJK_OVERLAP };
int core_distance(const difference *m, double limit, simplex *s, nearest *out);

// distance.c. The shapes themselves; 0: farther apart than the limit.
int difference_nearest(const difference *m, double limit, nearest *out);

// distance.c. The same for posed shapes, in global axes; 0 also when one of them is not convex.
int shapes_nearest(const sn_shape *first, const sn_shape *second, double limit, double tolerance,
                   int64_t iterations, nearest *out);

// expand.c. From a simplex around the origin to the least translation that separates.
void core_depth(const difference *m, simplex *s, nearest *out);

// polish.c. From a direction near that of the least distance, or depth, and the vertices of the
// difference that are farthest there, to the very one. 0: that fails, or would not help.
int polish(const difference *m, const double *normal, const simplex *s, nearest *out);

#endif
