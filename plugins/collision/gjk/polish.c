// SPDX-License-Identifier: Apache-2.0
//
// The last digits where a surface is curved, by Newton's method for the direction.
//
// h(n), the height of the difference in a unit direction n, is the depth, or minus the distance,
// where it is least among its neighbors. What touches there is, of either shape, a corner, an edge,
// a side or a curved place, and the vertices that the caller has found so far tell which. So
//
//   - edges keep n at right angles to them; two of them leave nothing to seek;
//   - else, with T what is left of the two tangents of the sphere of directions at n, w(n) the
//     support point and K the sum of the second derivatives of both heights, the step is
//     n + T y with (T' (K - h I) T) y = -T' w
//   - a corner has K = 0. An ellipsoid with D = diag(radii) has the height |D n|, w = D^2 n / |D n|
//     and K = (D^2 - w w') / |D n|; the rim of a cylinder K = r (I - u u' - z z') / |n x z|, with
//     u the direction of n across the axis z.
//
// The answer is proved: all vertices, moved to the new direction, are at its height, none of the
// difference is higher, and their hull meets the line along n.

#include "gjk.h"

enum { STEPS = 12 };
static const double still = 1e-9;       // of the gradient along the sphere, parts of the scale
static const double settled = 1e-13;    // of heights and places, parts of the scale
static const double dependent = 1e-9;   // sine between edges that count as one
static const double upright = 1e-3;     // sine between normal and axis: the cap of a cylinder

static inline double across_of(double x, double y) {
  return sqrt(x * x + y * y);
}

// What of one shape touches. Its vertices do not move, but for those of curved places.
typedef enum place { PLACE_CORNERS, PLACE_ELLIPSOID, PLACE_RIM } place;

typedef struct state {
  const difference *m;
  int n;
  vertex at[4];
  place a, b;
  int nedge;
  double edge[2][3];   // unit, at right angles to each other
} state;

// ------------------------------------------------------------------ edges

// 0: there would be three
static int add_edge(state *s, const double *edge, double length) {
  double left[3];
  sn_copy3(left, edge);
  for (int i = 0; i < s->nedge; i++) {
    sn_addscale3(left, left, -sn_dot3(left, s->edge[i]), s->edge[i]);
  }
  double size = sn_norm3(left);
  if (!(size > dependent * length)) {
    return 1;
  }
  if (s->nedge == 2) {
    return 0;
  }
  sn_scale3(s->edge[s->nedge++], left, 1 / size);
  return 1;
}

// The place of a shape, and its edges. mat: its frame, NULL: that of the difference; normal: in its
// own frame. second: it is the second shape.
static int find_place(state *s, const convex *c, const double *normal, const double *mat,
                      int second, place *where) {
  double axis[3] = { 0, 0, 1 }, edge[3];
  *where = PLACE_CORNERS;
  if (c->type == SN_GEOM_ELLIPSOID) {
    *where = PLACE_ELLIPSOID;
    return 1;
  }
  if (c->type == SN_GEOM_CYLINDER && across_of(normal[0], normal[1]) > upright) {
    *where = PLACE_RIM;
    if (mat) {
      axis[0] = mat[2];
      axis[1] = mat[5];
      axis[2] = mat[8];
    }
    // points of both ends: the normal is across
    for (int i = 1; i < s->n; i++) {
      sn_sub3(edge, second ? s->at[i].b : s->at[i].a, second ? s->at[0].b : s->at[0].a);
      if (fabs(sn_dot3(edge, axis)) > c->size[1]) {
        return add_edge(s, axis, 1);
      }
    }
    return 1;
  }
  if (c->type == SN_GEOM_CYLINDER) {
    for (int k = 0; k < 2; k++) {
      const double local[3] = { k == 0, k == 1, 0 };
      sn_copy3(edge, local);
      if (mat) {
        sn_mul_mat_vec3(edge, mat, local);
      }
      if (!add_edge(s, edge, 1)) {
        return 0;
      }
    }
    return 1;
  }
  for (int i = 1; i < s->n; i++) {
    sn_sub3(edge, second ? s->at[i].b : s->at[i].a, second ? s->at[0].b : s->at[0].a);
    double length = sn_norm3(edge);
    if (length > 0 && !add_edge(s, edge, length)) {
      return 0;
    }
  }
  return 1;
}

// ------------------------------------------------------------------ curved places, local

// The vertex of a place, moved to the direction.
static void move_point(const convex *c, place where, const double *n, double *point) {
  if (where == PLACE_ELLIPSOID) {
    c->support(c, n, point);
  } else if (where == PLACE_RIM) {
    double across = across_of(n[0], n[1]);
    point[0] = n[0] / across * c->size[0];
    point[1] = n[1] / across * c->size[0];
  }
}

static void add_curvature(const convex *c, place where, const double *n, const double *point,
                          const double *mat, double *K) {
  double local[9] = { 0 }, half[9], turned[9], back[9];
  if (where == PLACE_ELLIPSOID) {
    double h = sn_dot3(n, point);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        local[3 * i + j] = ((i == j ? c->size[i] * c->size[i] : 0) - point[i] * point[j]) / h;
      }
    }
  } else if (where == PLACE_RIM) {
    double across = across_of(n[0], n[1]), x = -n[1] / across, y = n[0] / across;
    double k = c->size[0] / across;
    local[0] = k * x * x;
    local[1] = local[3] = k * x * y;
    local[4] = k * y * y;
  } else {
    return;
  }
  if (mat) {
    sn_mul_mat3(half, mat, local);
    sn_transpose3(back, mat);
    sn_mul_mat3(turned, half, back);
  }
  for (int i = 0; i < 9; i++) {
    K[i] += mat ? turned[i] : local[i];
  }
}

// Moves all vertices to the direction; K: the curvature there.
static void move_vertices(state *s, const double *n, double *K) {
  const difference *m = s->m;
  double back[3], local[3], to[3];
  memset(K, 0, 9 * sizeof *K);
  sn_mul_matT_vec3(back, m->mat, n);
  sn_scale3(back, back, -1);
  for (int i = 0; i < s->n; i++) {
    vertex *v = &s->at[i];
    move_point(&m->a, s->a, n, v->a);
    if (s->b != PLACE_CORNERS) {
      sn_sub3(to, v->b, m->pos);
      sn_mul_matT_vec3(local, m->mat, to);
      move_point(&m->b, s->b, back, local);
      sn_mul_mat_vec3(v->b, m->mat, local);
      sn_add3(v->b, v->b, m->pos);
    }
    sn_sub3(v->w, v->a, v->b);
    if (i == 0) {
      add_curvature(&m->a, s->a, n, v->a, NULL, K);
      add_curvature(&m->b, s->b, back, local, m->mat, K);
    }
  }
}

// ------------------------------------------------------------------ the direction

static double form(const double *K, const double *x, const double *y) {
  double Ky[3];
  sn_mul_mat_vec3(Ky, K, y);
  return sn_dot3(x, Ky);
}

// One step along the only tangent that an edge leaves. 1: there is no need; -1: no minimum.
static int step_across(const state *s, const double *K, double *n) {
  double t[3];
  const double *w = s->at[0].w;
  sn_cross(t, s->edge[0], n);
  double h = sn_dot3(n, w), slope = sn_dot3(t, w), curve = form(K, t, t) - h;
  if (!(curve > 0)) {
    return -1;
  }
  if (fabs(slope) <= still * s->m->scale) {
    return 1;
  }
  sn_addscale3(n, n, -slope / curve, t);
  sn_normalize3(n);
  return 0;
}

static int step_free(const state *s, const double *K, double *n) {
  double t[3] = { 0 }, u[3];
  const double *w = s->at[0].w;
  t[fabs(n[0]) < 0.5 ? 0 : 1] = 1;
  sn_cross(u, n, t);
  sn_normalize3(u);
  sn_cross(t, u, n);
  double h = sn_dot3(n, w), gt = sn_dot3(t, w), gu = sn_dot3(u, w);
  double tt = form(K, t, t) - h, tu = form(K, t, u), uu = form(K, u, u) - h;
  double det = tt * uu - tu * tu;
  if (!(det > 0) || !(tt > 0)) {
    return -1;
  }
  if (across_of(gt, gu) <= still * s->m->scale) {
    return 1;
  }
  sn_addscale3(n, n, -(uu * gt - tu * gu) / det, t);
  sn_addscale3(n, n, -(tt * gu - tu * gt) / det, u);
  sn_normalize3(n);
  return 0;
}

static int seek(state *s, double *n) {
  double K[9], normal[3];
  if (s->nedge == 2) {
    sn_cross(normal, s->edge[0], s->edge[1]);
    sn_scale3(n, normal, sn_dot3(normal, n) < 0 ? -1 : 1);
    sn_normalize3(n);
    move_vertices(s, n, K);
    return 1;
  }
  if (s->nedge == 1) {
    sn_addscale3(n, n, -sn_dot3(n, s->edge[0]), s->edge[0]);
    sn_normalize3(n);
  }
  for (int k = 0; k < STEPS; k++) {
    move_vertices(s, n, K);
    int verdict = s->nedge ? step_across(s, K, n) : step_free(s, K, n);
    if (verdict) {
      return verdict > 0;
    }
  }
  return 0;
}

// ------------------------------------------------------------------

// Whether n is what was sought; if so, the answer.
static int prove(const state *s, const double *n, nearest *out) {
  const difference *m = s->m;
  vertex top;
  part p;
  difference_support(m, n, &top);
  double h = sn_dot3(n, top.w);
  simplex side = { .n = s->n };
  for (int i = 0; i < s->n; i++) {
    side.at[i] = s->at[i];
    if (fabs(sn_dot3(n, s->at[i].w) - h) > settled * m->scale) {
      return 0;
    }
    sn_addscale3(side.at[i].w, s->at[i].w, -h, n);
  }
  simplex_nearest(&side, &p);
  if (!(p.square <= 4 * still * still * m->scale * m->scale)) {
    return 0;
  }
  simplex_keep(&side, &p);
  simplex_witness(&side, out->a, out->b);
  out->dist = -h;
  sn_copy3(out->normal, n);
  // the weights of a sliver may have no digits: the points are what counts
  double between[3];
  sn_sub3(between, out->a, out->b);
  sn_addscale3(between, between, -h, n);
  return sn_norm3(between) <= 4 * still * m->scale;
}

int polish(const difference *m, const double *normal, const simplex *simplex_there, nearest *out) {
  state s = { .m = m, .n = simplex_there->n };
  double n[3], back[3];
  memcpy(s.at, simplex_there->at, (size_t)s.n * sizeof *s.at);
  sn_copy3(n, normal);
  sn_mul_matT_vec3(back, m->mat, n);
  return s.n < 4 && find_place(&s, &m->a, n, NULL, 0, &s.a) &&
         find_place(&s, &m->b, back, m->mat, 1, &s.b) && seek(&s, n) && prove(&s, n, out);
}
