// SPDX-License-Identifier: Apache-2.0
//
// The nearest point of a simplex by signed volumes (Montanari, Petrinic, Barbieri, Improving the
// GJK algorithm for faster and more reliable distance queries between convex objects, 2017). The
// weight of a vertex is proportional to the signed volume (area, length) of the simplex with the
// origin in place of the vertex. Where its sign differs from that of the whole simplex, the origin
// is beyond the side opposite to the vertex. All are computed from edges, so that small simplices
// far from the origin keep their precision.

#include "gjk.h"

// Of a squared sine: below it a triangle counts as a segment, a tetrahedron as a triangle.
// 1e-14 of a sine, some fifty units of rounding; ten times more or less changes no result on the
// poses of the conformance kit.
static const double degenerate = 1e-28;

static void fill_point(const simplex *s, subsimplex *p) {
  sn_zero3(p->v);
  for (int i = 0; i < p->n; i++) {
    sn_addscale3(p->v, p->v, p->weight[i], s->at[p->index[i]].w);
  }
  p->square = sn_dot3(p->v, p->v);
}

static void keep_nearer(subsimplex *best, const subsimplex *other) {
  if (other->square < best->square) {
    *best = *other;
  }
}

static void solve_point(const simplex *s, int i, subsimplex *p) {
  *p = (subsimplex){ .n = 1, .index = { i }, .weight = { 1 } };
  fill_point(s, p);
}

static void solve_segment(const simplex *s, int i, int j, subsimplex *p) {
  double edge[3];
  const double *a = s->at[i].w, *b = s->at[j].w;
  sn_sub3(edge, b, a);
  double along = -sn_dot3(edge, a), back = sn_dot3(edge, b), square = along + back;
  if (!(along > 0)) {
    solve_point(s, i, p);
  } else if (!(back > 0)) {
    solve_point(s, j, p);
  } else {
    *p = (subsimplex){ .n = 2, .index = { i, j }, .weight = { back / square, along / square } };
    fill_point(s, p);
  }
}

static void solve_triangle(const simplex *s, const int *index, subsimplex *p) {
  const double *at[3] = { s->at[index[0]].w, s->at[index[1]].w, s->at[index[2]].w };
  double edge[3][3], normal[3], area[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    sn_sub3(edge[i], at[(i + 2) % 3], at[(i + 1) % 3]);   // opposite to vertex i
  }
  sn_cross(normal, edge[0], edge[1]);
  int flat = !(sn_dot3(normal, normal) >
               degenerate * sn_dot3(edge[0], edge[0]) * sn_dot3(edge[1], edge[1]));
  for (int i = 0; i < 3; i++) {
    double cross[3];
    sn_cross(cross, at[(i + 1) % 3], edge[i]);
    area[i] = sn_dot3(normal, cross);
    sum += area[i];
  }
  if (!flat && area[0] > 0 && area[1] > 0 && area[2] > 0) {
    *p = (subsimplex){ .n = 3 };
    for (int i = 0; i < 3; i++) {
      p->index[i] = index[i];
      p->weight[i] = area[i] / sum;
    }
    // the point lies along the normal: more precise than the weighted sum
    double square = sn_dot3(normal, normal), height = sn_dot3(normal, at[0]) / square;
    sn_scale3(p->v, normal, height);
    p->square = sn_dot3(p->v, p->v);
    return;
  }
  p->square = INFINITY;
  for (int i = 0; i < 3; i++) {
    subsimplex other;
    if (flat || !(area[i] > 0)) {
      solve_segment(s, index[(i + 1) % 3], index[(i + 2) % 3], &other);
      keep_nearer(p, &other);
    }
  }
}

// The side opposite to each vertex, with its normal towards the vertex in a positive tetrahedron.
static const int side[4][3] = { { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } };

static int solve_tetrahedron(const simplex *s, subsimplex *p) {
  double volume[4], whole = 0, bound = 0;   // bound: |whole| if normal and edge were parallel
  for (int i = 0; i < 4; i++) {
    const double *a = s->at[side[i][0]].w;
    double ab[3], ac[3], normal[3], to[3];
    sn_sub3(ab, s->at[side[i][1]].w, a);
    sn_sub3(ac, s->at[side[i][2]].w, a);
    sn_cross(normal, ab, ac);
    volume[i] = -sn_dot3(normal, a);
    if (i == 3) {
      sn_sub3(to, s->at[3].w, a);
      whole = sn_dot3(normal, to);
      bound = sn_norm3(normal) * sn_norm3(to);
    }
  }
  int flat = !(whole * whole > degenerate * bound * bound), inside = !flat;
  p->square = INFINITY;
  for (int i = 0; i < 4; i++) {
    subsimplex other;
    if (flat || !(volume[i] * whole > 0)) {
      inside = 0;
      solve_triangle(s, side[i], &other);
      keep_nearer(p, &other);
    }
  }
  return inside;
}

int simplex_nearest(const simplex *s, subsimplex *nearest) {
  static const int all[3] = { 0, 1, 2 };
  if (s->n == 4) {
    return solve_tetrahedron(s, nearest);
  }
  if (s->n == 3) {
    solve_triangle(s, all, nearest);
  } else if (s->n == 2) {
    solve_segment(s, 0, 1, nearest);
  } else {
    solve_point(s, 0, nearest);
  }
  return 0;
}

void simplex_reduce(simplex *s, const subsimplex *keep) {
  double weight[4];
  int wanted[4] = { 0 };
  for (int i = 0; i < keep->n; i++) {
    wanted[keep->index[i]] = 1;
    weight[keep->index[i]] = keep->weight[i];
  }
  int n = 0;
  for (int i = 0; i < s->n; i++) {
    if (wanted[i]) {
      if (n < i) {
        s->at[n] = s->at[i];
      }
      s->weight[n++] = weight[i];
    }
  }
  s->n = n;
}

void simplex_witness(const simplex *s, double *a, double *b) {
  sn_zero3(a);
  sn_zero3(b);
  for (int i = 0; i < s->n; i++) {
    sn_addscale3(a, a, s->weight[i], s->at[i].a);
    sn_addscale3(b, b, s->weight[i], s->at[i].b);
  }
}
