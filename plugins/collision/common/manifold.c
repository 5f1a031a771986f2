// SPDX-License-Identifier: Apache-2.0
//
// The supporting feature of a shape along the contact normal is a face, an edge or a vertex: a
// polygon whose sides are perpendicular to the normal within a few degrees. The polygon of the
// first shape is clipped by the sides of that of the second (Sutherland, Hodgman, Reentrant polygon
// clipping, 1974). Of the vertices of the result, the four that enclose the largest area are kept.
// The distance at each is that of the two features there.
//
//      +-------+
//      |   x---+---.        x  contact points
//      |   |   |   |
//      +---x---x   |  ...
//          '-------'
//
// All of it is in a frame at the deepest contact point whose third axis is the normal.
//
// Shapes often touch in symmetrical poses, in which many choices are equally good; rounding errors
// must not choose, or a body at rest would be shaken and a step would have no derivative. So the
// first of several choices is taken unless a later one is better by more than `slack`, the order of
// the vertices follows a direction of the first shape that is no axis of symmetry, and the corners
// of round faces are fixed to the shape.
//
// Vertices and sides carry numbers of what they are on the two shapes; that of a contact point is
// made of them: of its vertex, or of the two sides that cross there. That of a single contact point
// is made of the vertices of the two supporting features.

#include "manifold.h"

// Vertices of a feature, at most, and those found before it is simplified.
enum { FEATURE_MAX = 12, FOUND_MAX = 64, CLIP_MAX = 2 * FEATURE_MAX + 2 };
// Sine of the angle between a side and the plane across the normal below which the side belongs
// to the feature.
static const double tilt = 0.08;
// Part of the reach of the vertices: a contact point deeper by more is kept besides them.
static const double deeper = 1e-6;
// Part of the size of an overlap: points that are nearer to each other are one.
static const double same_place = 1e-6;
// Part of an area: smaller differences do not decide.
static const double slack = 1e-3;

typedef struct feature {
  int n;
  double at[FOUND_MAX][3];   // vertices in order around; third: height along the normal
  uint32_t id[FOUND_MAX];    // of the vertex on the shape
} feature;

// A vertex of the overlap: its number, and that of the side from it to the next one.
typedef struct corner {
  double at[2];
  uint32_t id, side;
} corner;

// A number of two numbers, in whatever order: bits mixed as in splitmix64.
static uint32_t combine(uint32_t a, uint32_t b) {
  uint64_t z = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)(z ^ (z >> 31));
}

// ------------------------------------------------------------------ supporting features, local

static void box_feature(const sn_shape *s, const double *d, feature *p) {
  static const double around[4][2] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };
  int wide[3], nwide = 0;
  double at[3];
  for (int k = 0; k < 3; k++) {
    at[k] = d[k] > 0 ? s->size[k] : -s->size[k];
    if (fabs(d[k]) < tilt) {
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
  if (across < tilt) {
    // a polygon for the circle of the cap
    enum { CORNERS = 12 };
    p->n = CORNERS;
    for (int i = 0; i < CORNERS; i++) {
      double angle = 2 * SN_PI * i / CORNERS;
      p->at[i][0] = s->size[0] * cos(angle);
      p->at[i][1] = s->size[0] * sin(angle);
      p->at[i][2] = end;
      p->id[i] = (uint32_t)(2 * i + (end > 0));
    }
    return;
  }
  p->n = fabs(d[2]) < tilt ? 2 : 1;
  for (int i = 0; i < p->n; i++) {
    p->at[i][0] = s->size[0] * c;
    p->at[i][1] = s->size[0] * e;
    p->at[i][2] = i ? -end : end;
    p->id[i] = p->at[i][2] > 0;
  }
}

static void capsule_feature(const sn_shape *s, const double *d, feature *p) {
  double end = d[2] > 0 ? s->size[1] : -s->size[1];
  p->n = fabs(d[2]) < tilt ? 2 : 1;
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
  return sn_dot3(to, d) <= tilt * sn_norm3(to);
}

// The vertices that are nearly as high as the support vertex, found from neighbor to neighbor.
static void mesh_feature(const sn_shape *s, const double *d, feature *p) {
  mesh_hull hull;
  int64_t found[FOUND_MAX];
  mesh_hull_read(&hull, s->mesh);
  found[0] = mesh_hull_support(&hull, d, 0);
  const double *top = mesh_hull_local(&hull, found[0]);
  p->n = 1;
  for (int i = 0; i < p->n; i++) {
    int64_t count = mesh_hull_degree(&hull, found[i]);
    for (int64_t k = 0; k < count && p->n < FOUND_MAX; k++) {
      int64_t other = mesh_hull_neighbor(&hull, found[i], k);
      int known = 0;
      for (int j = 0; j < p->n && !known; j++) {
        known = found[j] == other;
      }
      if (!known && is_across(d, top, mesh_hull_local(&hull, other))) {
        found[p->n++] = other;
      }
    }
  }
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

// ------------------------------------------------------------------ polygons

// Twice the signed area of a triangle: positive when c is left of the line from a to b.
static double orient(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int is_before(const double *a, const double *b) {
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

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
      const double area = orient(p->at[order[chain[(i + n - 1) % n]]], p->at[order[chain[i]]],
                                 p->at[order[chain[(i + 1) % n]]]);
      if (area < smallest * (1 - slack)) {
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
  int order[FOUND_MAX], chain[2 * FOUND_MAX], n = 0;
  for (int i = 0; i < p->n; i++) {
    int k = i;
    for (; k > 0 && is_before(p->at[i], p->at[order[k - 1]]); k--) {
      order[k] = order[k - 1];
    }
    order[k] = i;
  }
  for (int pass = 0; pass < 2; pass++) {
    const int start = n;
    for (int i = 0; i < p->n; i++) {
      const int next = pass ? p->n - 1 - i : i;
      while (n >= start + 2 && !(orient(p->at[order[chain[n - 2]]], p->at[order[chain[n - 1]]],
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

// The supporting feature of a shape in a direction, in a frame at `origin`. Its numbers are those
// on the shape, times `shapes`, plus `which`.
static void find_feature(const sn_shape *s, uint32_t shapes, uint32_t which,
                         const double *direction, const double *origin, const double *frame,
                         feature *p) {
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
  outline(p);
}

// The height of a feature at a point: along its line, or in the triangle of its vertices that
// contains the point. Where the vertices are not in one plane, as those of a mesh, the triangles
// are inside the shape.
static double height_at(const feature *p, const double *point) {
  const double *a = p->at[0];
  if (p->n == 2) {
    double dx = p->at[1][0] - a[0], dy = p->at[1][1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0 ? ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square : 0;
    return a[2] + sn_clamp(t, 0, 1) * (p->at[1][2] - a[2]);
  }
  int i = 1;
  while (i + 2 < p->n && orient(a, p->at[i + 1], point) > 0) {
    i++;
  }
  const double *b = p->at[i], *c = p->at[i + 1];
  const double area = orient(a, b, c);
  return area > 0
             ? a[2] + (orient(a, point, c) * (b[2] - a[2]) + orient(a, b, point) * (c[2] - a[2])) /
                          area
             : a[2];
}

// Clips off what is right of the line from a to b, the line of a side with this number. Returns the
// number of vertices left.
static int clip(corner *at, int n, const double *a, const double *b, uint32_t side) {
  corner out[CLIP_MAX];
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double *p = at[i].at, *q = at[(i + 1) % n].at;
    double x = orient(a, b, p), y = orient(a, b, q);
    if (x >= 0 && count < CLIP_MAX) {
      out[count++] = at[i];
    }
    if (((x < 0 && y > 0) || (x > 0 && y < 0)) && count < CLIP_MAX && (n > 2 || i == 0)) {
      double t = x / (x - y);
      out[count].at[0] = p[0] + t * (q[0] - p[0]);
      out[count].at[1] = p[1] + t * (q[1] - p[1]);
      out[count].id = combine(at[i].side, side);
      out[count++].side = x < 0 ? at[i].side : side;
    }
  }
  memcpy(at, out, (size_t)count * sizeof *out);
  return count;
}

static int corners_of(const feature *p, corner *at) {
  for (int i = 0; i < p->n; i++) {
    at[i] = (corner){ { p->at[i][0], p->at[i][1] },
                      p->id[i],
                      combine(p->id[i], p->id[(i + 1) % p->n]) };
  }
  return p->n;
}

// The overlap of two features, seen along the normal: a polygon or a segment. Two segments overlap
// when they are parallel within the tilt.
static int intersect(const feature *subject, const feature *other, corner *at) {
  int n = corners_of(subject, at);
  if (other->n > 2) {
    for (int i = 0; i < other->n && n > 0; i++) {
      const int next = (i + 1) % other->n;
      n = clip(at, n, other->at[i], other->at[next], combine(other->id[i], other->id[next]));
    }
    return n;
  }
  // two segments: the lines across the ends of the second clip the first
  const double *a = other->at[0], *b = other->at[1];
  double dx = b[0] - a[0], dy = b[1] - a[1];
  double ex = at[1].at[0] - at[0].at[0], ey = at[1].at[1] - at[0].at[1];
  if (fabs(dx * ey - dy * ex) > tilt * hypot(dx, dy) * hypot(ex, ey)) {
    return 0;
  }
  const double below[2] = { a[0] + dy, a[1] - dx }, above[2] = { b[0] - dy, b[1] + dx };
  n = clip(at, n, a, below, other->id[0]);
  return n > 0 ? clip(at, n, b, above, other->id[1]) : 0;
}

// ------------------------------------------------------------------ the vertices of an overlap

static double distance2(const double *a, const double *b) {
  return hypot(a[0] - b[0], a[1] - b[1]);
}

static void remove_corner(corner *at, int *n, int i) {
  --*n;
  memmove(at + i, at + i + 1, (size_t)(*n - i) * sizeof *at);
}

// Starts the polygon at its first vertex along the frame.
static void start_at_first(corner *at, int n) {
  corner turned[CLIP_MAX];
  int first = 0;
  for (int i = 1; i < n; i++) {
    first = is_before(at[i].at, at[first].at) ? i : first;
  }
  for (int i = 0; i < n; i++) {
    turned[i] = at[(first + i) % n];
  }
  memcpy(at, turned, (size_t)n * sizeof *at);
}

// Makes one of vertices in the same place, and removes those that cut off next to nothing, unless
// only a triangle is left.
static int merge(corner *at, int n, double near) {
  for (int i = 0; i < n && n > 1;) {
    if (distance2(at[i].at, at[(i + 1) % n].at) <= near) {
      remove_corner(at, &n, i);
    } else {
      i++;
    }
  }
  while (n > 3) {
    int least = 0;
    double smallest = INFINITY, whole = 0;
    for (int i = 0; i < n; i++) {
      const double area = orient(at[(i + n - 1) % n].at, at[i].at, at[(i + 1) % n].at);
      whole += i > 0 && i + 1 < n ? orient(at[0].at, at[i].at, at[i + 1].at) : 0;
      least = area < smallest ? i : least;
      smallest = fmin(smallest, area);
    }
    if (smallest > slack * whole) {
      break;
    }
    remove_corner(at, &n, least);
  }
  return n;
}

// The vertex strictly between two others that is farthest to the right of the line from a to b; -1:
// there is none. *area: twice that of the triangle.
static int farthest(const corner *at, int from, int to, const double *a, const double *b,
                    double *area) {
  int best = -1;
  *area = 0;
  for (int i = from + 1; i < to; i++) {
    const double other = -orient(a, b, at[i].at);
    if (other > *area * (1 + slack)) {
      *area = other;
      best = i;
    }
  }
  return best;
}

// Keeps the four vertices of a convex polygon that enclose the largest area.
static int reduce(corner *at, int n) {
  int pick[4] = { 0, 1, 2, 3 };
  double largest = 0, right, left;
  for (int i = 0; n > 4 && i + 3 < n; i++) {
    for (int j = i + 2; j + 1 < n; j++) {
      const int k = farthest(at, i, j, at[i].at, at[j].at, &right);
      const int l = farthest(at, j, n, at[j].at, at[i].at, &left);
      if (k >= 0 && l >= 0 && right + left > largest * (1 + slack)) {
        largest = right + left;
        memcpy(pick, (int[4]){ i, k, j, l }, sizeof pick);
      }
    }
  }
  for (int i = 0; n > 4 && i < 4; i++) {
    at[i] = at[pick[i]];
  }
  return n > 4 ? 4 : n;
}

// A vertex in the place of one of a feature has its number: where sides coincide, rounding decides
// whether it is found as that vertex or as a crossing.
static void number_corners(corner *at, int n, const feature *p, double near) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < p->n; k++) {
      at[i].id = distance2(at[i].at, p->at[k]) <= near ? p->id[k] : at[i].id;
    }
  }
}

static double reach_of(const corner *at, int n) {
  double reach = 0;
  for (int i = 0; i < n; i++) {
    reach = fmax(reach, distance2(at[i].at, at[0].at));
  }
  return reach;
}

// Up to four vertices of an overlap that span what all of them span.
static int choose_corners(corner *at, int n, const feature *p, const feature *q) {
  const double near = same_place * reach_of(at, n);
  n = merge(at, n, near);
  start_at_first(at, n);
  n = reduce(at, n);
  number_corners(at, n, p, near);
  number_corners(at, n, q, near);
  return n;
}

// ------------------------------------------------------------------ contact points

// The frame at a contact point: its third axis is the normal. The first follows a direction of a
// shape that is no axis of it, so that the order of vertices along the frame is the same whatever
// the rounding errors.
static void contact_frame(const sn_shape *shape, const double *normal, double *frame) {
  static const double askew[2][3] = { { 0.76, 0.53, 0.38 }, { -0.45, 0.83, -0.33 } };
  double *x = frame, *y = frame + 3, *z = frame + 6;
  sn_copy3(z, normal);
  sn_mul_mat_vec3(x, shape->mat, askew[0]);
  if (fabs(sn_dot3(x, z)) > 0.8) {
    sn_mul_mat_vec3(x, shape->mat, askew[1]);
  }
  sn_cross(y, z, x);
  sn_normalize3(y);
  sn_cross(x, y, z);
}

// Contact points at the vertices of an overlap where the features are no farther apart than the
// margin.
typedef struct lifted {
  int n;
  sn_contact_point at[4];
  double reach, lowest;   // the largest distance from `one`, the smallest dist
} lifted;

static void lift(const feature *p, const feature *q, const corner *corners, int count,
                 double margin, const sn_contact_point *one, const double *frame, lifted *out) {
  out->n = 0;
  out->reach = 0;
  out->lowest = INFINITY;
  for (int i = 0; i < count; i++) {
    const double *vertex = corners[i].at;
    double low = height_at(p, vertex), high = height_at(q, vertex);
    if (high - low <= margin) {
      const double local[3] = { vertex[0], vertex[1], 0.5 * (low + high) };
      sn_contact_point *c = &out->at[out->n++];
      *c = (sn_contact_point){ .feature = 1 + (int32_t)(corners[i].id % INT32_MAX),
                               .dist = high - low };
      sn_mul_matT_vec3(c->pos, frame, local);
      sn_add3(c->pos, c->pos, one->pos);
      sn_copy3(c->normal, one->normal);
      out->lowest = fmin(out->lowest, c->dist);
      out->reach = fmax(out->reach, hypot(vertex[0], vertex[1]));
    }
  }
}

// A number of the vertices of the supporting feature of a shape, in whatever order they were found;
// 0: it has none, as its surface is smooth.
static uint32_t number_of(const sn_shape *s, const double *direction) {
  feature p;
  double local[3];
  uint32_t number = 0;
  if (features[s->type]) {
    sn_mul_matT_vec3(local, s->mat, direction);
    features[s->type](s, local, &p);
    for (int i = 0; i < p.n; i++) {
      number += combine(p.id[i], UINT32_MAX);
    }
  }
  return number;
}

// Of the only contact point of a pair.
static int32_t single_feature(const sn_shape *first, const sn_shape *second, const double *normal) {
  double back[3];
  sn_scale3(back, normal, -1);
  const uint32_t a = number_of(first, normal), b = number_of(second, back);
  return 1 + (int32_t)(combine(a, b ^ 1) % INT32_MAX);
}

// Replaces the contact point by the vertices of the overlap of the supporting features. Returns the
// number of contact points.
static int spread(const sn_shape *first, const sn_shape *second, double margin,
                  sn_contact_point *contact) {
  feature p, q;
  lifted found;
  double frame[9], back[3];
  corner overlap[CLIP_MAX];
  if (!features[first->type] || !features[second->type]) {
    return 1;
  }
  const sn_contact_point one = contact[0];
  contact_frame(first, one.normal, frame);
  sn_scale3(back, one.normal, -1);
  const int on_plane = first->type == SN_GEOM_PLANE;
  find_feature(first, 2, 0, one.normal, one.pos, frame, &p);
  find_feature(second, on_plane ? 1 : 2, !on_plane, back, one.pos, frame, &q);
  if (p.n < 2 || q.n < 2) {
    return 1;
  }
  // a segment is clipped by a polygon
  int count = on_plane    ? corners_of(&q, overlap)
              : q.n < p.n ? intersect(&q, &p, overlap)
                          : intersect(&p, &q, overlap);
  count = count > 1 ? choose_corners(overlap, count, &p, &q) : 0;
  lift(&p, &q, overlap, count, margin, &one, frame, &found);
  if (found.n < 2) {
    return 1;
  }
  // a first contact point that is deeper than all vertices stays the first
  int keep = one.dist < found.lowest - deeper * found.reach;
  memcpy(contact + keep, found.at, (size_t)found.n * sizeof *contact);
  return found.n + keep;
}

int contact_manifold(const sn_shape *first, const sn_shape *second, double margin, int whole,
                     sn_contact_point *contact) {
  const int n = whole ? spread(first, second, margin, contact) : 1;
  if (!contact[0].feature) {
    contact[0].feature = single_feature(first, second, contact[0].normal);
  }
  return n;
}

// ------------------------------------------------------------------ a batch

sn_status manifold_collide(const sn_batch *batch, int whole, contact_fn *find, const void *context,
                           sn_contact_list *out) {
  out->count = 0;
  if (batch->n > 0 && (!convex_is(batch->first[0].type) || !convex_is(batch->second[0].type))) {
    return SN_EINVAL;
  }
  whole = whole || batch->flags & SN_BATCH_MULTICONTACT;
  for (int64_t i = 0; i < batch->n; i++) {
    const sn_shape *first = &batch->first[i], *second = &batch->second[i];
    sn_contact_point contact[MANIFOLD_MAX];
    int n = find(context, first, second, batch->margin[i], contact);
    n = n > 0 ? contact_manifold(first, second, batch->margin[i], whole, contact) : 0;
    for (int k = 0; k < n; k++) {
      contact[k].pair = (int32_t)i;
      sn_contact_list_add(out, &contact[k]);
    }
  }
  return sn_contact_list_status(out);
}
