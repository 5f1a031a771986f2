// SPDX-License-Identifier: Apache-2.0
//
// For a unit direction n two convex shapes A and B are apart by at least min n.b - max n.a = -h(n),
// with the support function h of their Minkowski difference A - B. The largest of these over all
// directions is the distance, or minus the penetration depth. It is found by branch and bound,
// without any collider:
//
//   the sphere of directions is cut into spherical triangles, each seen as its flat triangle of
//   corners v1 v2 v3; a triangle is cut in four until it cannot hold the smallest h any more
//
//            v1
//           /  |          h is convex, and where x_i is the point of A - B that is farthest in v_i,
//          /---|          h(n) >= x_i.n for all n; so for any weights l_i >= 0 with sum 1
//         /|  /|
//       v2-----v3           h(n) >= (sum l_i x_i).n >= min_j sum_i l_i x_i.v_j
//
// The best weights are those of a 3 x 3 matrix game with the matrix x_i.v_j. On the sphere n is at
// most as long as 1, and at least as long as the triangle's plane is far from the origin. Where h
// is smooth the bound is off by the square of the size of the triangle, at an edge or a corner of a
// polytope it is exact: so few triangles are left on each level. A sphere is its center and a
// capsule its segment: the radius is the same in all directions.

#include "separation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/shape.h"

enum { MOST_CELLS = 200000, LEVELS = 64 };

// A direction, and the support point of the Minkowski difference in this direction.
typedef struct corner {
  double n[3], x[3];
} corner;

typedef struct cell {
  corner at[3];
} cell;

typedef struct search {
  const sn_shape *a, *b;
  double best, n[3];   // the smallest h, and where
  cell *now, *next;
  int64_t nnext, capacity;
} search;

// ------------------------------------------------------------------ support points

static double radius_of(const sn_shape *s) {
  return s->type == SN_GEOM_SPHERE || s->type == SN_GEOM_CAPSULE ? s->size[0] : 0;
}

// the farthest point of a convex shape in a unit direction, global, without its radius
static void support(const sn_shape *s, const double *n, double *out) {
  double d[3], p[3] = { 0 };
  const double *z = s->size;
  sn_mul_matT_vec3(d, s->mat, n);
  double across = hypot(d[0], d[1]);
  if (s->type == SN_GEOM_MESH) {
    const double *top = s->mesh->vert;
    for (int64_t i = 1; i < s->mesh->nvert; i++) {
      const double *v = s->mesh->vert + 3 * i;
      top = sn_dot3(d, v) > sn_dot3(d, top) ? v : top;
    }
    sn_copy3(p, top);
  } else if (s->type == SN_GEOM_BOX) {
    for (int k = 0; k < 3; k++) {
      p[k] = copysign(z[k], d[k]);
    }
  } else if (s->type == SN_GEOM_ELLIPSOID) {
    const double scaled[3] = { z[0] * d[0], z[1] * d[1], z[2] * d[2] };
    double length = sn_norm3(scaled);
    for (int k = 0; k < 3 && length > 0; k++) {
      p[k] = z[k] * scaled[k] / length;
    }
  } else if (s->type == SN_GEOM_CYLINDER) {
    p[0] = across > 0 ? z[0] * d[0] / across : 0;
    p[1] = across > 0 ? z[0] * d[1] / across : 0;
    p[2] = copysign(z[1], d[2]);
  } else if (s->type == SN_GEOM_CAPSULE) {
    p[2] = copysign(z[1], d[2]);
  } else if (s->type == SN_GEOM_USER) {
    s->user->ops->support(s->user->self, s->user->data, d, p);
  }
  sn_mul_mat_vec3(out, s->mat, p);
  sn_add3(out, out, s->pos);
}

// fills a corner at a direction of any length
static void look(search *s, corner *c) {
  double a[3], b[3], back[3];
  sn_normalize3(c->n);
  sn_scale3(back, c->n, -1);
  support(s->a, c->n, a);
  support(s->b, back, b);
  sn_sub3(c->x, a, b);
  double h = sn_dot3(c->x, c->n);
  if (h < s->best) {
    s->best = h;
    sn_copy3(s->n, c->n);
  }
}

// ------------------------------------------------------------------ bounds

// The weights of the rows of M under which the smallest column is largest: the best so far, and
// what they prove.
typedef struct mix {
  double l[3], least;
} mix;

static void try_weights(double M[3][3], const double *l, mix *best) {
  double least = INFINITY;
  for (int j = 0; j < 3; j++) {
    least = fmin(least, l[0] * M[0][j] + l[1] * M[1][j] + l[2] * M[2][j]);
  }
  if (least > best->least) {
    best->least = least;
    sn_copy3(best->l, l);
  }
}

// weights of two rows that make two columns equal
static void try_two(double M[3][3], int i, int k, mix *best) {
  for (int j = 0; j < 3; j++) {
    int m = (j + 1) % 3;
    double l[3] = { 0 }, below = M[i][j] - M[i][m] + M[k][m] - M[k][j];
    l[i] = below != 0 ? (M[k][m] - M[k][j]) / below : -1;
    l[k] = 1 - l[i];
    if (l[i] >= 0 && l[k] >= 0) {
      try_weights(M, l, best);
    }
  }
}

static mix play(double M[3][3]) {
  mix best = { .least = -INFINITY };
  for (int i = 0; i < 3; i++) {
    const double pure[3] = { i == 0, i == 1, i == 2 };
    try_weights(M, pure, &best);
    try_two(M, i, (i + 1) % 3, &best);
  }
  const double u[3] = { M[0][0] - M[0][1], M[1][0] - M[1][1], M[2][0] - M[2][1] };
  const double v[3] = { M[0][0] - M[0][2], M[1][0] - M[1][2], M[2][0] - M[2][2] };
  double l[3];
  sn_cross(l, u, v);
  double sum = l[0] + l[1] + l[2];
  if (sum != 0 && l[0] / sum >= 0 && l[1] / sum >= 0 && l[2] / sum >= 0) {
    sn_scale3(l, l, 1 / sum);
    try_weights(M, l, &best);
  }
  return best;
}

// h is at least this on the spherical triangle; n: where it may be that small
static double bound_of(const cell *c, double *n) {
  double M[3][3], other[3][3], u[3], v[3], across[3];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      M[i][j] = sn_dot3(c->at[i].x, c->at[j].n);
      other[j][i] = -M[i][j];
    }
  }
  double least = play(M).least;
  mix where = play(other);
  sn_zero3(n);
  for (int j = 0; j < 3; j++) {
    sn_addscale3(n, n, where.l[j], c->at[j].n);
  }
  sn_sub3(u, c->at[1].n, c->at[0].n);
  sn_sub3(v, c->at[2].n, c->at[0].n);
  sn_cross(across, u, v);
  double length = sn_norm3(across);
  double plane = length > 0 ? fabs(sn_dot3(across, c->at[0].n)) / length : 1;
  return least >= 0 ? least : least / fmax(plane, 0.5);
}

// ------------------------------------------------------------------ branching

static int keep(search *s, const cell *c) {
  if (s->nnext == s->capacity) {
    int64_t capacity = 2 * s->capacity;
    cell *more = capacity > MOST_CELLS ? NULL : realloc(s->next, (size_t)capacity * sizeof *more);
    if (!more) {
      return 0;
    }
    s->next = more;
    more = realloc(s->now, (size_t)capacity * sizeof *more);
    if (!more) {
      return 0;
    }
    s->now = more;
    s->capacity = capacity;
  }
  s->next[s->nnext++] = *c;
  return 1;
}

// divides a triangle into four; 0: there is no capacity left
static int cut(search *s, cell c) {
  corner mid[3];
  for (int i = 0; i < 3; i++) {
    sn_add3(mid[i].n, c.at[i].n, c.at[(i + 1) % 3].n);
    look(s, &mid[i]);
  }
  int good = keep(s, &(cell){ .at = { mid[0], mid[1], mid[2] } });
  for (int i = 0; i < 3; i++) {
    good = good && keep(s, &(cell){ .at = { c.at[i], mid[i], mid[(i + 2) % 3] } });
  }
  return good;
}

// the eight faces of an octahedron
static int begin(search *s) {
  int good = 1;
  for (int i = 0; i < 8; i++) {
    cell c;
    for (int k = 0; k < 3; k++) {
      sn_zero3(c.at[k].n);
      c.at[k].n[k] = i >> k & 1 ? 1 : -1;
      look(s, &c.at[k]);
    }
    good = good && keep(s, &c);
  }
  return good;
}

static double convex_separation(const sn_shape *a, const sn_shape *b, double tolerance,
                                double enough, double *normal) {
  search s = { .a = a, .b = b, .best = INFINITY, .capacity = 512 };
  double radii = radius_of(a) + radius_of(b);
  s.now = malloc((size_t)s.capacity * sizeof *s.now);
  s.next = malloc((size_t)s.capacity * sizeof *s.next);
  int good = s.now && s.next && begin(&s);
  for (int level = 0; good && s.nnext > 0 && -s.best <= enough + radii; level++) {
    int64_t n = s.nnext;
    cell *swap = s.now;
    s.now = s.next;
    s.next = swap;
    s.nnext = 0;
    good = level < LEVELS;
    for (int64_t i = 0; good && i < n; i++) {
      corner lowest;
      if (bound_of(&s.now[i], lowest.n) < s.best - tolerance) {
        look(&s, &lowest);
        good = cut(&s, s.now[i]);
      }
    }
  }
  free(s.now);
  free(s.next);
  if (normal) {
    sn_copy3(normal, s.n);
  }
  return good ? -s.best - radii : NAN;
}

// ------------------------------------------------------------------ planes, height fields

static double plane_separation(const sn_shape *plane, const sn_shape *b, double *normal) {
  const double *m = plane->mat;
  const double up[3] = { m[2], m[5], m[8] }, down[3] = { -m[2], -m[5], -m[8] };
  double point[3];
  support(b, down, point);
  sn_sub3(point, point, plane->pos);
  if (normal) {
    sn_copy3(normal, up);
  }
  return sn_dot3(up, point) - radius_of(b);
}

// the two prisms of a cell of the field: 6 points each
static void cell_prisms(const sn_hfield_view *f, int64_t row, int64_t col, double prism[2][18]) {
  static const int around[2][3][2] = { { { 0, 0 }, { 1, 0 }, { 1, 1 } },
                                       { { 0, 0 }, { 1, 1 }, { 0, 1 } } };
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < 3; i++) {
      int64_t r = row + around[t][i][0], c = col + around[t][i][1];
      double *low = prism[t] + 3 * i, *high = low + 9;
      low[0] = high[0] = (2 * (double)c / (double)(f->ncol - 1) - 1) * f->extent[0];
      low[1] = high[1] = (2 * (double)r / (double)(f->nrow - 1) - 1) * f->extent[1];
      low[2] = -f->extent[3];
      high[2] = f->data[r * f->ncol + c] * f->extent[2];
    }
  }
}

static double field_separation(const sn_shape *field, const sn_shape *b, double tolerance,
                               double enough, double *normal) {
  const sn_hfield_view *f = field->hfield;
  double best = INFINITY, prism[2][18], n[3];
  for (int64_t i = 0; i < 2 * (f->nrow - 1) * (f->ncol - 1); i++) {
    cell_prisms(f, i / 2 / (f->ncol - 1), i / 2 % (f->ncol - 1), prism);
    const sn_mesh_view view = { .size = sizeof(sn_mesh_view), .nvert = 6, .vert = prism[i % 2] };
    sn_shape solid = *field;
    solid.type = SN_GEOM_MESH;
    solid.mesh = &view;
    // what is above the best one so far need not be known
    double value = convex_separation(&solid, b, tolerance, fmin(best, enough), n);
    if (!(value >= best)) {   // keeps a NaN
      best = value;
      if (normal) {
        sn_copy3(normal, n);
      }
    }
  }
  return best;
}

double separation(const sn_shape *first, const sn_shape *second, double tolerance, double enough,
                  double *normal) {
  return first->type == SN_GEOM_PLANE ? plane_separation(first, second, normal)
         : first->type == SN_GEOM_HFIELD
             ? field_separation(first, second, tolerance, enough, normal)
             : convex_separation(first, second, tolerance, enough, normal);
}
