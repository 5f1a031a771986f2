// SPDX-License-Identifier: Apache-2.0
//
// The supporting feature of a shape along the contact normal is a face, an edge or a vertex: a
// polygon whose sides are perpendicular to the normal within a few degrees. The polygon of the
// first shape is clipped by the sides of that of the second (Sutherland, Hodgman, Reentrant polygon
// clipping, 1974). The distance at each vertex of the result is that of the two planes there; of
// these points the four that span most are kept.
//
//      +-------+
//      |   x---+---.        x  contact points
//      |   |   |   |
//      +---x---x   |  ...
//          '-------'
//
// All of it is in a frame at the first contact point whose third axis is the normal.
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
    // a polygon for the circle of the cap, with a vertex at the support point
    enum { CORNERS = 12 };
    p->n = CORNERS;
    for (int i = 0; i < CORNERS; i++) {
      double angle = 2 * SN_PI * i / CORNERS, x = cos(angle), y = sin(angle);
      p->at[i][0] = s->size[0] * (c * x - e * y);
      p->at[i][1] = s->size[0] * (e * x + c * y);
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
  [SN_GEOM_CAPSULE] = capsule_feature,
  [SN_GEOM_CYLINDER] = cylinder_feature,
  [SN_GEOM_BOX] = box_feature,
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

// Removes the flattest vertices of a convex polygon until FEATURE_MAX are left.
static int simplify(double (*at)[3], int *chain, int n) {
  while (n > FEATURE_MAX) {
    int least = 0;
    double smallest = INFINITY;
    for (int i = 0; i < n; i++) {
      double area = orient(at[chain[(i + n - 1) % n]], at[chain[i]], at[chain[(i + 1) % n]]);
      if (area < smallest) {
        smallest = area;
        least = i;
      }
    }
    n--;
    memmove(chain + least, chain + least + 1, (size_t)(n - least) * sizeof *chain);
  }
  return n;
}

// Convex hull of the vertices, counterclockwise (Andrew, Another efficient algorithm for convex
// hulls in two dimensions, 1979), of at most FEATURE_MAX vertices.
static void outline(feature *p) {
  double sorted[FOUND_MAX][3];
  uint32_t id[FOUND_MAX];
  for (int i = 0; i < p->n; i++) {
    int k = i;
    for (; k > 0 && is_before(p->at[i], sorted[k - 1]); k--) {
      sn_copy3(sorted[k], sorted[k - 1]);
      id[k] = id[k - 1];
    }
    sn_copy3(sorted[k], p->at[i]);
    id[k] = p->id[i];
  }
  int count = p->n, chain[2 * FOUND_MAX], n = 0;
  for (int pass = 0; pass < 2; pass++) {
    int start = n;
    for (int i = 0; i < count; i++) {
      int next = pass ? count - 1 - i : i;
      while (n >= start + 2 &&
             !(orient(sorted[chain[n - 2]], sorted[chain[n - 1]], sorted[next]) > 0)) {
        n--;
      }
      chain[n++] = next;
    }
    n--;
  }
  p->n = simplify(sorted, chain, n < 1 ? 1 : n);
  for (int i = 0; i < p->n; i++) {
    sn_copy3(p->at[i], sorted[chain[i]]);
    p->id[i] = id[chain[i]];
  }
}

// The supporting feature of a shape (0: the first, 1: the second) in a direction, in a frame at
// `origin`.
static void find_feature(const sn_shape *s, uint32_t which, const double *direction,
                         const double *origin, const double *frame, feature *p) {
  double local[3], global[3];
  sn_mul_matT_vec3(local, s->mat, direction);
  features[s->type](s, local, p);
  for (int i = 0; i < p->n; i++) {
    sn_mul_mat_vec3(global, s->mat, p->at[i]);
    sn_add3(global, global, s->pos);
    sn_sub3(global, global, origin);
    sn_mul_mat_vec3(p->at[i], frame, global);
    p->id[i] = 2 * p->id[i] + which;
  }
  outline(p);
}

// The height of a feature at a point: of its plane, or along its line.
static double height_at(const feature *p, const double *point) {
  const double *a = p->at[0];
  if (p->n == 2) {
    double dx = p->at[1][0] - a[0], dy = p->at[1][1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0 ? ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square : 0;
    return a[2] + sn_clamp(t, 0, 1) * (p->at[1][2] - a[2]);
  }
  // the plane of the largest triangle at the first vertex
  double best = 0, height = a[2];
  for (int i = 1; i + 1 < p->n; i++) {
    const double *b = p->at[i], *c = p->at[i + 1];
    double area = orient(a, b, c);
    if (area > best) {
      best = area;
      height = a[2] +
               (orient(a, point, c) * (b[2] - a[2]) + orient(a, b, point) * (c[2] - a[2])) / area;
    }
  }
  return height;
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

// The overlap of two features, seen along the normal: a polygon or a segment. Two segments overlap
// when they are parallel within the tilt.
static int intersect(const feature *subject, const feature *other, corner *at) {
  int n = subject->n;
  for (int i = 0; i < n; i++) {
    at[i] = (corner){ { subject->at[i][0], subject->at[i][1] },
                      subject->id[i],
                      combine(subject->id[i], subject->id[(i + 1) % n]) };
  }
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

// ------------------------------------------------------------------ contact points

// Keeps the deepest of n contact points, the one farthest from it, and the farthest on either side
// of the line between these two.
static int reduce(sn_contact_point *contact, int n, const double *normal) {
  if (n <= 4) {
    return n;
  }
  int pick[4] = { 0, 0, -1, -1 };
  double far = 0, side[2] = { 0, 0 }, line[3], across[3], to[3];
  for (int i = 1; i < n; i++) {
    pick[0] = contact[i].dist < contact[pick[0]].dist ? i : pick[0];
  }
  for (int i = 0; i < n; i++) {
    double distance = sn_dist3(contact[i].pos, contact[pick[0]].pos);
    if (distance > far) {
      far = distance;
      pick[1] = i;
    }
  }
  sn_sub3(line, contact[pick[1]].pos, contact[pick[0]].pos);
  sn_cross(across, normal, line);
  for (int i = 0; i < n; i++) {
    sn_sub3(to, contact[i].pos, contact[pick[0]].pos);
    double off = sn_dot3(to, across);
    int k = off < 0;
    if (fabs(off) > side[k]) {
      side[k] = fabs(off);
      pick[2 + k] = i;
    }
  }
  sn_contact_point chosen[4];
  int count = 0;
  for (int k = 0; k < 4; k++) {
    if (pick[k] >= 0) {
      chosen[count++] = contact[pick[k]];
    }
  }
  memcpy(contact, chosen, (size_t)count * sizeof *contact);
  return count;
}

// The frame at a contact point: its third axis is the normal.
static void contact_frame(const double *normal, double *frame) {
  double *x = frame, *y = frame + 3, *z = frame + 6;
  sn_copy3(z, normal);
  sn_zero3(x);
  x[fabs(z[0]) < 0.5 ? 0 : 1] = 1;
  sn_cross(y, z, x);
  sn_normalize3(y);
  sn_cross(x, y, z);
}

// Contact points at the vertices of an overlap where the features are no farther apart than the
// margin.
typedef struct lifted {
  int n;
  sn_contact_point at[CLIP_MAX];
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

int contact_manifold(const sn_shape *first, const sn_shape *second, double margin,
                     sn_contact_point *contact) {
  feature p, q;
  lifted found;
  double frame[9], back[3];
  corner overlap[CLIP_MAX];
  if (!features[first->type] || !features[second->type]) {
    return 1;
  }
  const sn_contact_point one = contact[0];
  contact_frame(one.normal, frame);
  sn_scale3(back, one.normal, -1);
  find_feature(first, 0, one.normal, one.pos, frame, &p);
  find_feature(second, 1, back, one.pos, frame, &q);
  if (p.n < 2 || q.n < 2) {
    return 1;
  }
  int swap = q.n < p.n;   // a segment is clipped by a polygon
  int count = swap ? intersect(&q, &p, overlap) : intersect(&p, &q, overlap);
  lift(&p, &q, overlap, count, margin, &one, frame, &found);
  if (found.n < 2) {
    return 1;
  }
  int n = reduce(found.at, found.n, one.normal);
  // a first contact point that is deeper than all vertices stays the first
  int keep = one.dist < found.lowest - deeper * found.reach;
  memcpy(contact + keep, found.at, (size_t)n * sizeof *contact);
  return n + keep;
}

// ------------------------------------------------------------------ a batch

sn_status manifold_collide(const sn_batch *batch, contact_fn *find, const void *context,
                           sn_contact_list *out) {
  out->count = 0;
  if (batch->n > 0 && (!convex_is(batch->first[0].type) || !convex_is(batch->second[0].type))) {
    return SN_EINVAL;
  }
  for (int64_t i = 0; i < batch->n; i++) {
    const sn_shape *first = &batch->first[i], *second = &batch->second[i];
    sn_contact_point contact[MANIFOLD_MAX];
    int n = find(context, first, second, batch->margin[i], contact);
    if (n > 0 && batch->flags & SN_BATCH_MULTICONTACT) {
      n = contact_manifold(first, second, batch->margin[i], contact);
    }
    if (n > 0 && !contact[0].feature) {
      contact[0].feature = single_feature(first, second, contact[0].normal);
    }
    for (int k = 0; k < n; k++) {
      contact[k].pair = (int32_t)i;
      sn_contact_list_add(out, &contact[k]);
    }
  }
  return sn_contact_list_status(out);
}
