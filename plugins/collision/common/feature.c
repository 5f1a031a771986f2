// SPDX-License-Identifier: Apache-2.0
//
// The supporting features of the shapes in their own frames, then turned into the given one, and
// made a convex polygon of at most FEATURE_MAX vertices.

#include "feature.h"

// Bits mixed as in splitmix64.
uint32_t feature_combine(uint32_t a, uint32_t b) {
  uint64_t z = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)(z ^ (z >> 31));
}

// The polygon that stands for a round face.
enum { ROUND = 12 };
#define ROOT 0.86602540378443865   // half of the square root of 3
static const double cosine[ROUND] = { 1, ROOT, 0.5, 0, -0.5, -ROOT, -1, -ROOT, -0.5, 0, 0.5, ROOT };

// ------------------------------------------------------------------ supporting features, local

static void box_feature(const sn_shape *s, const double *d, feature *p) {
  static const double around[4][2] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };
  int wide[3], nwide = 0;
  double at[3];
  for (int k = 0; k < 3; k++) {
    at[k] = d[k] > 0 ? s->size[k] : -s->size[k];
    if (fabs(d[k]) < feature_tilt) {
      wide[nwide++] = k;
    }
  }
  p->n = nwide == 2 ? 4 : nwide == 1 ? 2 : 1;
  for (int i = 0; i < p->n; i++) {
    sn_copy3(p->at[i], at);
    for (int k = 0; k < nwide; k++) {
      p->at[i][wide[k]] = (nwide == 1 ? (i ? -1 : 1) : around[i][k]) * s->size[wide[k]];
    }
    p->id[i] = (uint32_t)((p->at[i][0] > 0) | (p->at[i][1] > 0) << 1 | (p->at[i][2] > 0) << 2);
  }
}

static void cylinder_feature(const sn_shape *s, const double *d, feature *p) {
  double across = hypot(d[0], d[1]), end = d[2] > 0 ? s->size[1] : -s->size[1];
  double c = across > SN_TINY ? d[0] / across : 1, e = across > SN_TINY ? d[1] / across : 0;
  if (across < feature_tilt) {
    p->n = ROUND;
    for (int i = 0; i < ROUND; i++) {
      p->at[i][0] = s->size[0] * cosine[i];
      p->at[i][1] = s->size[0] * cosine[(i + ROUND - 3) % ROUND];
      p->at[i][2] = end;
      p->id[i] = (uint32_t)(2 * i + (end > 0));
    }
    return;
  }
  p->n = fabs(d[2]) < feature_tilt ? 2 : 1;
  for (int i = 0; i < p->n; i++) {
    p->at[i][0] = s->size[0] * c;
    p->at[i][1] = s->size[0] * e;
    p->at[i][2] = i ? -end : end;
    p->id[i] = p->at[i][2] > 0;
  }
}

static void capsule_feature(const sn_shape *s, const double *d, feature *p) {
  double end = d[2] > 0 ? s->size[1] : -s->size[1];
  p->n = fabs(d[2]) < feature_tilt ? 2 : 1;
  for (int i = 0; i < p->n; i++) {
    sn_scale3(p->at[i], d, s->size[0]);
    p->at[i][2] += i ? -end : end;
    p->id[i] = (end > 0) != i;
  }
}

// Three points of it: a plane has no vertices.
static void plane_feature(const sn_shape *s, const double *d, feature *p) {
  (void)s, (void)d;
  static const double points[3][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
  p->n = 3;
  memcpy(p->at, points, sizeof points);
  memset(p->id, 0, 3 * sizeof *p->id);
}

// Whether the edge between two vertices is perpendicular to the direction, within the tilt.
static int is_across(const double *d, const double *top, const double *other) {
  double to[3];
  sn_sub3(to, top, other);
  return sn_dot3(to, d) <= feature_tilt * sn_norm3(to);
}

static int64_t add_new(int64_t *found, int64_t n, int64_t vertex) {
  for (int64_t i = 0; i < n; i++) {
    if (found[i] == vertex) {
      return n;
    }
  }
  found[n] = vertex;
  return n + 1;
}

// Of a feature with many vertices: those that are foremost in directions around.
static int64_t find_around(const mesh_hull *hull, const double *d, int64_t *found) {
  double x[3] = { 0 }, y[3], direction[3];
  const int64_t top = found[0];
  int64_t n = 1;
  x[fabs(d[0]) < 0.55 ? 0 : 1] = 1;
  sn_cross(y, d, x);
  sn_normalize3(y);
  sn_cross(x, y, d);
  for (int i = 0; i < ROUND; i++) {
    sn_copy3(direction, d);
    sn_addscale3(direction, direction, 0.5 * feature_tilt * cosine[i], x);
    sn_addscale3(direction, direction, 0.5 * feature_tilt * cosine[(i + ROUND - 3) % ROUND], y);
    const int64_t vertex = mesh_hull_support(hull, direction, top);
    if (is_across(d, mesh_hull_local(hull, top), mesh_hull_local(hull, vertex))) {
      n = add_new(found, n, vertex);
    }
  }
  return n;
}

// The vertices that are nearly as high as the support vertex, found from neighbor to neighbor.
static void mesh_feature(const sn_shape *s, const double *d, feature *p) {
  mesh_hull hull;
  int64_t found[FEATURE_FOUND_MAX], n = 1;
  mesh_hull_read(&hull, s->mesh);
  found[0] = mesh_hull_support(&hull, d, 0);
  const double *top = mesh_hull_local(&hull, found[0]);
  for (int64_t i = 0; i < n; i++) {
    int64_t count = mesh_hull_degree(&hull, found[i]);
    for (int64_t k = 0; k < count && n < FEATURE_FOUND_MAX; k++) {
      int64_t other = mesh_hull_neighbor(&hull, found[i], k);
      if (is_across(d, top, mesh_hull_local(&hull, other))) {
        n = add_new(found, n, other);
      }
    }
  }
  p->n = (int)(n < FEATURE_FOUND_MAX ? n : find_around(&hull, d, found));
  for (int i = 0; i < p->n; i++) {
    sn_copy3(p->at[i], mesh_hull_local(&hull, found[i]));
    p->id[i] = (uint32_t)found[i];
  }
}

typedef void feature_fn(const sn_shape *s, const double *direction, feature *p);

static feature_fn *const features[SN_NGEOMTYPES] = {
  [SN_GEOM_PLANE] = plane_feature,       [SN_GEOM_CAPSULE] = capsule_feature,
  [SN_GEOM_CYLINDER] = cylinder_feature, [SN_GEOM_BOX] = box_feature,
  [SN_GEOM_MESH] = mesh_feature,
};

int feature_exists(int32_t type) {
  return features[type] != NULL;
}

// ------------------------------------------------------------------ polygons

// Removes the flattest vertices of a convex polygon until FEATURE_MAX are left; of equally flat
// ones the first after the vertex with the smallest number.
static int simplify(const feature *p, const int *order, int *chain, int n) {
  int first = 0;
  for (int i = 1; i < n; i++) {
    first = p->id[order[chain[i]]] < p->id[order[chain[first]]] ? i : first;
  }
  while (n > FEATURE_MAX) {
    int least = first;
    double smallest = INFINITY;
    for (int k = 0; k < n; k++) {
      const int i = (first + k) % n;
      const double area = feature_orient(p->at[order[chain[(i + n - 1) % n]]],
                                         p->at[order[chain[i]]], p->at[order[chain[(i + 1) % n]]]);
      if (area < smallest * (1 - feature_slack)) {
        smallest = area;
        least = i;
      }
    }
    n--;
    memmove(chain + least, chain + least + 1, (size_t)(n - least) * sizeof *chain);
    first = (least < first ? first - 1 : first) % n;
  }
  return n;
}

// Convex hull of the vertices, counterclockwise (Andrew, Another efficient algorithm for convex
// hulls in two dimensions, 1979), of at most FEATURE_MAX vertices.
static void outline(feature *p) {
  int order[FEATURE_FOUND_MAX], chain[2 * FEATURE_FOUND_MAX], n = 0;
  for (int i = 0; i < p->n; i++) {
    int k = i;
    for (; k > 0 && feature_is_before(p->at[i], p->at[order[k - 1]]); k--) {
      order[k] = order[k - 1];
    }
    order[k] = i;
  }
  for (int pass = 0; pass < 2; pass++) {
    const int start = n;
    for (int i = 0; i < p->n; i++) {
      const int next = pass ? p->n - 1 - i : i;
      while (n >= start + 2 &&
             !(feature_orient(p->at[order[chain[n - 2]]], p->at[order[chain[n - 1]]],
                              p->at[order[next]]) > 0)) {
        n--;
      }
      chain[n++] = next;
    }
    n--;
  }
  n = simplify(p, order, chain, n < 1 ? 1 : n);
  feature out;
  for (int i = 0; i < n; i++) {
    sn_copy3(out.at[i], p->at[order[chain[i]]]);
    out.id[i] = p->id[order[chain[i]]];
  }
  p->n = n;
  memcpy(p->at, out.at, (size_t)n * sizeof *out.at);
  memcpy(p->id, out.id, (size_t)n * sizeof *out.id);
}

// Makes a polygon whose vertices are in order around counterclockwise. Returns 0 where it has no
// area.
static int turn_left(feature *p) {
  const double area = feature_orient(p->at[0], p->at[1], p->at[2]);
  for (int i = 0, k = p->n - 1; area < 0 && i < k; i++, k--) {
    double at[3];
    sn_copy3(at, p->at[i]);
    sn_copy3(p->at[i], p->at[k]);
    sn_copy3(p->at[k], at);
    const uint32_t id = p->id[i];
    p->id[i] = p->id[k];
    p->id[k] = id;
  }
  return fabs(area) > 0;
}

void feature_find(const sn_shape *s, uint32_t shapes, uint32_t which, const double *direction,
                  const double *origin, const double *frame, feature *p) {
  double local[3], global[3];
  sn_mul_matT_vec3(local, s->mat, direction);
  features[s->type](s, local, p);
  for (int i = 0; i < p->n; i++) {
    sn_mul_mat_vec3(global, s->mat, p->at[i]);
    sn_add3(global, global, s->pos);
    sn_sub3(global, global, origin);
    sn_mul_mat_vec3(p->at[i], frame, global);
    p->id[i] = shapes * p->id[i] + which;
  }
  if (s->type == SN_GEOM_MESH || p->n < 3 || !turn_left(p)) {
    outline(p);
  }
}

// Along the line of an edge, or in the triangle of vertices that contains the point. Where the
// vertices are not in one plane, as those of a mesh, the triangles are inside the shape.
double feature_height(const feature *p, const double *point) {
  const double *a = p->at[0];
  if (p->n == 2) {
    double dx = p->at[1][0] - a[0], dy = p->at[1][1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0 ? ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square : 0;
    return a[2] + sn_clamp(t, 0, 1) * (p->at[1][2] - a[2]);
  }
  int i = 1;
  while (i + 2 < p->n && feature_orient(a, p->at[i + 1], point) > 0) {
    i++;
  }
  const double *b = p->at[i], *c = p->at[i + 1];
  const double area = feature_orient(a, b, c);
  return area > 0 ? a[2] + (feature_orient(a, point, c) * (b[2] - a[2]) +
                            feature_orient(a, b, point) * (c[2] - a[2])) /
                               area
                  : a[2];
}

uint32_t feature_number(const sn_shape *s, const double *direction) {
  feature p;
  double local[3];
  uint32_t number = 0;
  if (features[s->type]) {
    sn_mul_matT_vec3(local, s->mat, direction);
    features[s->type](s, local, &p);
    for (int i = 0; i < p.n; i++) {
      number += feature_combine(p.id[i], UINT32_MAX);
    }
  }
  return number;
}
