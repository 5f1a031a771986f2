// SPDX-License-Identifier: Apache-2.0
//
// The nearest point of a simplex by signed volumes (Montanari, Petrinic, Barbieri, Improving the
// GJK algorithm for faster and more reliable distance queries between convex objects, 2017): the
// volume, area or length that the origin, put in the place of a vertex, spans with the others is
// the weight of that vertex; where a sign differs from that of the whole, the origin is beyond the
// side without the vertex. All are computed from edges, so that small simplices far away keep their
// digits.

#include "gjk.h"

// of a squared sine: a triangle is a segment, a tetrahedron a triangle
static const double degenerate = 1e-28;

static void finish(const simplex *s, part *p) {
  sn_zero3(p->v);
  for (int i = 0; i < p->n; i++) {
    sn_addscale3(p->v, p->v, p->weight[i], s->at[p->index[i]].w);
  }
  p->square = sn_dot3(p->v, p->v);
}

static void keep_nearer(part *best, const part *other) {
  if (other->square < best->square) {
    *best = *other;
  }
}

static void solve_point(const simplex *s, int i, part *p) {
  *p = (part){ .n = 1, .index = { i }, .weight = { 1 } };
  finish(s, p);
}

static void solve_segment(const simplex *s, int i, int j, part *p) {
  double edge[3];
  const double *a = s->at[i].w, *b = s->at[j].w;
  sn_sub3(edge, b, a);
  double along = -sn_dot3(edge, a), back = sn_dot3(edge, b), square = along + back;
  if (!(along > 0)) {
    solve_point(s, i, p);
  } else if (!(back > 0)) {
    solve_point(s, j, p);
  } else {
    *p = (part){ .n = 2, .index = { i, j }, .weight = { back / square, along / square } };
    finish(s, p);
  }
}

static void solve_triangle(const simplex *s, const int *index, part *p) {
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
    *p = (part){ .n = 3 };
    for (int i = 0; i < 3; i++) {
      p->index[i] = index[i];
      p->weight[i] = area[i] / sum;
    }
    // along the normal, which is where the point is, its digits are better than as a sum
    double square = sn_dot3(normal, normal), height = sn_dot3(normal, at[0]) / square;
    sn_scale3(p->v, normal, height);
    p->square = sn_dot3(p->v, p->v);
    return;
  }
  p->square = INFINITY;
  for (int i = 0; i < 3; i++) {
    part other;
    if (flat || !(area[i] > 0)) {
      solve_segment(s, index[(i + 1) % 3], index[(i + 2) % 3], &other);
      keep_nearer(p, &other);
    }
  }
}

// The side opposite to each vertex, with its normal towards the vertex in a positive tetrahedron.
static const int side[4][3] = { { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } };

static int solve_tetrahedron(const simplex *s, part *p) {
  double volume[4], whole = 0, bulk = 0;
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
      bulk = sn_norm3(normal) * sn_norm3(to);
    }
  }
  int flat = !(whole * whole > degenerate * bulk * bulk), inside = !flat;
  p->square = INFINITY;
  for (int i = 0; i < 4; i++) {
    part other;
    if (flat || !(volume[i] * whole > 0)) {
      inside = 0;
      solve_triangle(s, side[i], &other);
      keep_nearer(p, &other);
    }
  }
  return inside;
}

int simplex_nearest(const simplex *s, part *p) {
  static const int all[3] = { 0, 1, 2 };
  if (s->n == 4) {
    return solve_tetrahedron(s, p);
  }
  if (s->n == 3) {
    solve_triangle(s, all, p);
  } else if (s->n == 2) {
    solve_segment(s, 0, 1, p);
  } else {
    solve_point(s, 0, p);
  }
  return 0;
}

void simplex_keep(simplex *s, const part *p) {
  double weight[4];
  int wanted[4] = { 0 };
  for (int i = 0; i < p->n; i++) {
    wanted[p->index[i]] = 1;
    weight[p->index[i]] = p->weight[i];
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
