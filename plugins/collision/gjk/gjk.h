// SPDX-License-Identifier: Apache-2.0
//
// What the files of this collider share. The Minkowski difference of two convex shapes A and B is
// the set of all a - b with a in A and b in B. It is convex too. If A and B are disjoint, the
// origin is outside, as far from it as A from B; if they overlap, the origin is inside, as deep as
// they overlap.
//
//   simplex.c    the point of a simplex that is nearest to the origin
//   distance.c   GJK: simplices of the difference, each nearer to the origin than the last
//   epa.c        when the origin is inside: EPA, a polytope that expands to the nearest face
//   polish.c     Newton's method for the remaining digits where a surface is curved
//
// All quantities are in the frame of A. A sphere is its center and a radius, a capsule its segment
// and a radius: the methods work on these cores, and the radii are added at the end.

#ifndef GJK_H
#define GJK_H

#include "convex.h"

typedef struct minkowski {
  convex a, b;
  double mat[9], pos[3];   // frame of B in the frame of A
  double radius_a, radius_b;
  double scale;       // size of the difference, for tolerances
  double tolerance;   // of the distance, length
  int64_t iterations;
  int curved;   // a core has a curved surface: no polytope equals it
  int smooth;   // both are points or ellipsoids: no edges at all
  int64_t hint_a, hint_b;   // where hill climbing on meshes starts, and ended
} minkowski;

// Part of the scale: the smallest tolerance that the rounding of positions allows.
static const double minkowski_rounding = 4e-15;

// A point of the difference, w = a - b.
typedef struct vertex {
  double w[3], a[3], b[3];
  int64_t hint_a, hint_b;   // of meshes: the vertices
} vertex;

typedef struct simplex {
  int n;
  vertex at[4];
  double weight[4];   // barycentric, of the point nearest to the origin
} simplex;

// The vertices of a simplex that span its point nearest to the origin, with the weights of that
// point, the point v and |v|^2.
typedef struct subsimplex {
  int n, index[4];
  double weight[4], v[3], square;
} subsimplex;

// Signed distance, unit normal from A to B, witness points.
typedef struct separation {
  double dist;
  double normal[3], a[3], b[3];
} separation;

// Fills in what follows from the operands a and b. The caller sets tolerance and iterations.
void minkowski_start(minkowski *m);

// The support point of the difference of the cores in a unit direction.
static inline void minkowski_support(const minkowski *m, const double *direction, vertex *out) {
  double local[3], point[3];
  m->a.support(&m->a, direction, out->a);
  sn_mul_matT_vec3(local, m->mat, direction);
  sn_scale3(local, local, -1);
  m->b.support(&m->b, local, point);
  sn_mul_mat_vec3(out->b, m->mat, point);
  sn_add3(out->b, out->b, m->pos);
  sn_sub3(out->w, out->a, out->b);
  out->hint_a = m->hint_a;
  out->hint_b = m->hint_b;
}

// simplex.c. The subsimplex nearest to the origin. Returns 1 when the origin is inside a
// tetrahedron: then there is none.
int simplex_nearest(const simplex *s, subsimplex *nearest);
// Reduces a simplex to a subsimplex.
void simplex_reduce(simplex *s, const subsimplex *keep);
// The points of both shapes at the weights.
void simplex_witness(const simplex *s, double *a, double *b);

// distance.c. The cores. GJK_DISJOINT: `out` is set; GJK_BEYOND_LIMIT: the distance is above the
// limit; GJK_OVERLAP: the origin is in the simplex, within rounding.
enum { GJK_DISJOINT, GJK_BEYOND_LIMIT, GJK_OVERLAP };
int core_distance(const minkowski *m, double limit, simplex *s, separation *out);

// distance.c. The shapes themselves. Returns 0 when they are farther apart than the limit.
int minkowski_separation(const minkowski *m, double limit, separation *out);

// distance.c. The same for posed shapes, in global axes; returns 0 also when one is not convex.
int shape_separation(const sn_shape *first, const sn_shape *second, double limit, double tolerance,
                     int64_t iterations, separation *out);

// The contact point half way between the witness points.
static inline void separation_contact(const separation *s, sn_contact_point *contact) {
  *contact = (sn_contact_point){ .dist = s->dist };
  sn_copy3(contact->normal, s->normal);
  sn_add3(contact->pos, s->a, s->b);
  sn_scale3(contact->pos, contact->pos, 0.5);
}

// epa.c. From a simplex around the origin to the least translation that separates the cores.
void core_depth(const minkowski *m, simplex *s, separation *out);

// polish.c. Starts from a direction near that of the least distance or depth, with the support
// points of the difference near it, and finds the exact direction. Returns 0 when that fails.
int polish(const minkowski *m, const double *normal, const simplex *near_by, separation *out);

#endif
