// SPDX-License-Identifier: Apache-2.0
//
// The remaining digits where a surface is curved, by Newton's method for the direction.
//
// h(n), the height of the Minkowski difference in a unit direction n, is the depth, or minus the
// distance, where it has a local minimum. There each shape touches the other with a feature: a
// vertex, an edge, a face or a curved surface. The vertices that the caller has found show which:
//
//   - n is perpendicular to the edges; two edges determine it;
//   - otherwise, with T the tangents of the unit sphere at n that the edges leave, w(n) the support
//     point and K the sum of the second derivatives of both heights, the step is
//     n + T y with (T' (K - h I) T) y = -T' w
//   - a vertex has K = 0. An ellipsoid with D = diag(radii) has the height |D n|, w = D^2 n / |D n|
//     and K = (D^2 - w w') / |D n|; the rim of a cylinder K = r (I - u u' - z z') / |n x z|, with
//     u the direction of n across the axis z.
//
// The answer is verified: all vertices, moved to the new direction, are at the height of the
// support point there, and their convex hull meets the line along n.

#include "gjk.h"

enum { STEPS = 12 };
// Part of the scale: the gradient of h along the unit sphere at a minimum. Ten times more or less
// changes results within the tolerance; the conformance kit passes.
static const double converged = 1e-9;
// Part of the scale: differences of heights. Ten times more or less changes no result.
static const double same_height = 1e-13;
// Sine of the angle between edges that count as parallel. Ten times more or less changes no result.
static const double parallel = 1e-9;
// Sine of the angle between normal and axis below which the cap of a cylinder is the feature.
static const double cap_sine = 1e-3;

static inline double across_of(double x, double y) {
  return sqrt(x * x + y * y);
}

// The supporting feature of a shape. On curved ones the vertices move with the direction.
typedef enum feature { FEATURE_FLAT, FEATURE_ELLIPSOID, FEATURE_RIM } feature;

typedef struct state {
  const minkowski *m;
  int n;
  vertex at[4];
  feature a, b;
  int nedge;
  double edge[2][3];   // unit, perpendicular to each other
} state;

// One of the two shapes.
typedef struct side {
  const convex *c;
  const double *mat;   // its frame; NULL: the frame of the difference
  int second;
} side;

// ------------------------------------------------------------------ edges

// Adds the component of an edge that is perpendicular to those that there are. Returns 0 when there
// would be three.
static int add_edge(state *s, const double *edge, double length) {
  double left[3];
  sn_copy3(left, edge);
  for (int i = 0; i < s->nedge; i++) {
    sn_addscale3(left, left, -sn_dot3(left, s->edge[i]), s->edge[i]);
  }
  double size = sn_norm3(left);
  if (!(size > parallel * length)) {
    return 1;
  }
  if (s->nedge == 2) {
    return 0;
  }
  sn_scale3(s->edge[s->nedge++], left, 1 / size);
  return 1;
}

// From the first vertex of a shape to vertex i.
static void edge_to(const state *s, const side *d, int i, double *edge) {
  sn_sub3(edge, d->second ? s->at[i].b : s->at[i].a, d->second ? s->at[0].b : s->at[0].a);
}

static void local_axis(const side *d, int k, double *axis) {
  for (int i = 0; i < 3; i++) {
    axis[i] = d->mat ? d->mat[3 * i + k] : i == k;
  }
}

// The rim of a cylinder; if there are vertices of both ends, a line of its wall: the axis is an
// edge.
static int find_rim(state *s, const side *d) {
  double axis[3], edge[3];
  local_axis(d, 2, axis);
  for (int i = 1; i < s->n; i++) {
    edge_to(s, d, i, edge);
    if (fabs(sn_dot3(edge, axis)) > d->c->size[1]) {
      return add_edge(s, axis, 1);
    }
  }
  return 1;
}

// The cap of a cylinder: any two directions in it.
static int find_cap(state *s, const side *d) {
  for (int k = 0; k < 2; k++) {
    double edge[3];
    local_axis(d, k, edge);
    if (!add_edge(s, edge, 1)) {
      return 0;
    }
  }
  return 1;
}

static int find_edges(state *s, const side *d) {
  for (int i = 1; i < s->n; i++) {
    double edge[3];
    edge_to(s, d, i, edge);
    double length = sn_norm3(edge);
    if (length > 0 && !add_edge(s, edge, length)) {
      return 0;
    }
  }
  return 1;
}

// The supporting feature of a shape, and its edges. normal: in the frame of the shape. Returns 0
// when both shapes have three independent edges.
static int find_feature(state *s, const side *d, const double *normal, feature *found) {
  const int is_cylinder = d->c->type == SN_GEOM_CYLINDER;
  if (d->c->type == SN_GEOM_ELLIPSOID) {
    *found = FEATURE_ELLIPSOID;
    return 1;
  }
  if (is_cylinder && across_of(normal[0], normal[1]) > cap_sine) {
    *found = FEATURE_RIM;
    return find_rim(s, d);
  }
  *found = FEATURE_FLAT;
  return is_cylinder ? find_cap(s, d) : find_edges(s, d);
}

// ------------------------------------------------------------------ curved features, local

// Moves a vertex of a feature to the support point of a direction.
static void move_point(const convex *c, feature where, const double *n, double *point) {
  if (where == FEATURE_ELLIPSOID) {
    c->support(c, n, point);
  } else if (where == FEATURE_RIM) {
    double across = across_of(n[0], n[1]);
    point[0] = n[0] / across * c->size[0];
    point[1] = n[1] / across * c->size[0];
  }
}

static void add_curvature(const convex *c, feature where, const double *n, const double *point,
                          const double *mat, double *K) {
  double local[9] = { 0 }, half[9], turned[9], transposed[9];
  if (where == FEATURE_ELLIPSOID) {
    double h = sn_dot3(n, point);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        local[3 * i + j] = ((i == j ? c->size[i] * c->size[i] : 0) - point[i] * point[j]) / h;
      }
    }
  } else if (where == FEATURE_RIM) {
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
    sn_transpose3(transposed, mat);
    sn_mul_mat3(turned, half, transposed);
  }
  for (int i = 0; i < 9; i++) {
    K[i] += mat ? turned[i] : local[i];
  }
}

// Moves all vertices to the support points of a direction; K: the second derivative there.
static void move_vertices(state *s, const double *n, double *K) {
  const minkowski *m = s->m;
  double back[3], local[3], to[3];
  memset(K, 0, 9 * sizeof *K);
  sn_mul_matT_vec3(back, m->mat, n);
  sn_scale3(back, back, -1);
  for (int i = 0; i < s->n; i++) {
    vertex *v = &s->at[i];
    move_point(&m->a, s->a, n, v->a);
    if (s->b != FEATURE_FLAT) {
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

// A step along the one tangent that an edge leaves. Returns 1 when it has converged, -1 when the
// second derivative is not positive: no minimum is near.
static int step_across(const state *s, const double *K, double *n) {
  double t[3];
  const double *w = s->at[0].w;
  sn_cross(t, s->edge[0], n);
  double h = sn_dot3(n, w), slope = sn_dot3(t, w), curve = form(K, t, t) - h;
  if (!(curve > 0)) {
    return -1;
  }
  if (fabs(slope) <= converged * s->m->scale) {
    return 1;
  }
  sn_addscale3(n, n, -slope / curve, t);
  sn_normalize3(n);
  return 0;
}

// A step along both tangents.
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
  if (across_of(gt, gu) <= converged * s->m->scale) {
    return 1;
  }
  sn_addscale3(n, n, -(uu * gt - tu * gu) / det, t);
  sn_addscale3(n, n, -(tt * gu - tu * gt) / det, u);
  sn_normalize3(n);
  return 0;
}

// Returns 0 when it does not converge to a minimum.
static int find_minimum(state *s, double *n) {
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

// ------------------------------------------------------------------ the answer

// Returns 0 when n is not the direction of a minimum.
static int verify(const state *s, const double *n, separation *out) {
  const minkowski *m = s->m;
  vertex top;
  subsimplex nearest;
  minkowski_support(m, n, &top);
  double h = sn_dot3(n, top.w);
  simplex feature_points = { .n = s->n };
  for (int i = 0; i < s->n; i++) {
    feature_points.at[i] = s->at[i];
    if (fabs(sn_dot3(n, s->at[i].w) - h) > same_height * m->scale) {
      return 0;
    }
    sn_addscale3(feature_points.at[i].w, s->at[i].w, -h, n);
  }
  simplex_nearest(&feature_points, &nearest);
  if (!(nearest.square <= 4 * converged * converged * m->scale * m->scale)) {
    return 0;
  }
  simplex_reduce(&feature_points, &nearest);
  simplex_witness(&feature_points, out->a, out->b);
  out->dist = -h;
  sn_copy3(out->normal, n);
  // the weights of a degenerate simplex may be imprecise: check the witness points themselves
  double between[3];
  sn_sub3(between, out->a, out->b);
  sn_addscale3(between, between, -h, n);
  return sn_norm3(between) <= 4 * converged * m->scale;
}

int polish(const minkowski *m, const double *normal, const simplex *near_by, separation *out) {
  state s = { .m = m, .n = near_by->n };
  const side a = { .c = &m->a }, b = { .c = &m->b, .mat = m->mat, .second = 1 };
  double n[3], back[3];
  memcpy(s.at, near_by->at, (size_t)s.n * sizeof *s.at);
  sn_copy3(n, normal);
  sn_mul_matT_vec3(back, m->mat, n);
  return s.n < 4 && find_feature(&s, &a, n, &s.a) && find_feature(&s, &b, back, &s.b) &&
         find_minimum(&s, n) && verify(&s, n, out);
}
