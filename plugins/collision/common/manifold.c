// SPDX-License-Identifier: Apache-2.0
//
// The supporting features of two shapes along the contact normal (feature.h) are polygons. That of
// the first shape is clipped by the sides of that of the second (Sutherland, Hodgman, Reentrant
// polygon clipping, 1974). Of the vertices of the result, the four that enclose the largest area
// are kept. The distance at each is that of the two features there.
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
// first of several choices is taken unless a later one is better by more than `feature_slack`, the
// order of the vertices follows a direction of the first shape that is no axis of symmetry, and the
// corners of round faces are fixed to the shape.
//
// Vertices and sides carry numbers of what they are on the two shapes; that of a contact point is
// made of them: of its vertex, or of the two sides that cross there. That of a single contact point
// is made of the vertices of the two supporting features.

#include "manifold.h"

#include "feature.h"

enum { CLIP_MAX = 2 * FEATURE_MAX + 2 };
// Part of the reach of the vertices: a contact point deeper by more is kept besides them.
static const double deeper = 1e-6;
// Part of the size of an overlap: points that are nearer to each other are one.
static const double same_place = 1e-6;

// A vertex of the overlap: its number, and that of the side from it to the next one.
typedef struct corner {
  double at[2];
  uint32_t id, side;
} corner;

// Clips off what is right of the line from a to b, the line of a side with this number. Returns the
// number of vertices left.
static int clip(corner *at, int n, const double *a, const double *b, uint32_t side) {
  corner out[CLIP_MAX];
  double left[CLIP_MAX];
  int count = 0, inside = 0;
  for (int i = 0; i < n; i++) {
    left[i] = feature_orient(a, b, at[i].at);
    inside += left[i] >= 0;
  }
  if (inside == n) {
    return n;
  }
  for (int i = 0; i < n; i++) {
    const int next = i + 1 < n ? i + 1 : 0;
    const double *p = at[i].at, *q = at[next].at, x = left[i], y = left[next];
    if (x >= 0 && count < CLIP_MAX) {
      out[count++] = at[i];
    }
    if (((x < 0 && y > 0) || (x > 0 && y < 0)) && count < CLIP_MAX && (n > 2 || i == 0)) {
      const double t = x / (x - y);
      out[count].at[0] = p[0] + t * (q[0] - p[0]);
      out[count].at[1] = p[1] + t * (q[1] - p[1]);
      out[count].id = feature_combine(at[i].side, side);
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
                      feature_combine(p->id[i], p->id[(i + 1) % p->n]) };
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
      n = clip(at, n, other->at[i], other->at[next],
               feature_combine(other->id[i], other->id[next]));
    }
    return n;
  }
  // two segments: the lines across the ends of the second clip the first
  const double *a = other->at[0], *b = other->at[1];
  double dx = b[0] - a[0], dy = b[1] - a[1];
  double ex = at[1].at[0] - at[0].at[0], ey = at[1].at[1] - at[0].at[1];
  if (fabs(dx * ey - dy * ex) > feature_tilt * hypot(dx, dy) * hypot(ex, ey)) {
    return 0;
  }
  const double below[2] = { a[0] + dy, a[1] - dx }, above[2] = { b[0] - dy, b[1] + dx };
  n = clip(at, n, a, below, other->id[0]);
  return n > 0 ? clip(at, n, b, above, other->id[1]) : 0;
}

// ------------------------------------------------------------------ the vertices of an overlap

// Squared.
static double distance2(const double *a, const double *b) {
  const double dx = a[0] - b[0], dy = a[1] - b[1];
  return dx * dx + dy * dy;
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
    first = feature_is_before(at[i].at, at[first].at) ? i : first;
  }
  for (int i = 0; i < n; i++) {
    turned[i] = at[(first + i) % n];
  }
  memcpy(at, turned, (size_t)n * sizeof *at);
}

// Makes one of vertices in the same place, and removes those that cut off next to nothing, unless
// only a triangle is left. near, here and below: the square of a distance.
static int merge(corner *at, int n, double near) {
  for (int i = 0; i < n && n > 1;) {
    if (distance2(at[i].at, at[i + 1 < n ? i + 1 : 0].at) <= near) {
      remove_corner(at, &n, i);
    } else {
      i++;
    }
  }
  while (n > 3) {
    int least = 0;
    double smallest = INFINITY, whole = 0;
    for (int i = 0; i < n; i++) {
      const double *before = at[i > 0 ? i - 1 : n - 1].at, *after = at[i + 1 < n ? i + 1 : 0].at;
      const double area = feature_orient(before, at[i].at, after);
      whole += i > 0 && i + 1 < n ? feature_orient(at[0].at, at[i].at, after) : 0;
      least = area < smallest ? i : least;
      smallest = area < smallest ? area : smallest;
    }
    if (smallest > feature_slack * whole) {
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
    const double other = -feature_orient(a, b, at[i].at);
    if (other > *area * (1 + feature_slack)) {
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
      if (k >= 0 && l >= 0 && right + left > largest * (1 + feature_slack)) {
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

// The square of how far the vertices reach from the first.
static double reach_of(const corner *at, int n) {
  double reach = 0;
  for (int i = 1; i < n; i++) {
    const double other = distance2(at[i].at, at[0].at);
    reach = other > reach ? other : reach;
  }
  return reach;
}

// Up to four vertices of an overlap that span what all of them span.
static int choose_corners(corner *at, int n, const feature *p, const feature *q) {
  const double near = same_place * same_place * reach_of(at, n);
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
  double reach, lowest;   // the largest squared distance from `one`, the smallest dist
} lifted;

static void lift(const feature *p, const feature *q, const corner *corners, int count,
                 double margin, const sn_contact_point *one, const double *frame, lifted *out) {
  out->n = 0;
  out->reach = 0;
  out->lowest = INFINITY;
  for (int i = 0; i < count; i++) {
    const double *vertex = corners[i].at;
    double low = feature_height(p, vertex), high = feature_height(q, vertex);
    if (high - low <= margin) {
      const double local[3] = { vertex[0], vertex[1], 0.5 * (low + high) };
      sn_contact_point *c = &out->at[out->n++];
      *c = (sn_contact_point){ .feature = 1 + (int32_t)(corners[i].id % INT32_MAX),
                               .dist = high - low };
      sn_mul_matT_vec3(c->pos, frame, local);
      sn_add3(c->pos, c->pos, one->pos);
      sn_copy3(c->normal, one->normal);
      out->lowest = sn_min(out->lowest, c->dist);
      out->reach = sn_max(out->reach, vertex[0] * vertex[0] + vertex[1] * vertex[1]);
    }
  }
}

// Of the only contact point of a pair.
static int32_t single_feature(const sn_shape *first, const sn_shape *second, const double *normal) {
  double back[3];
  sn_scale3(back, normal, -1);
  const uint32_t a = feature_number(first, normal), b = feature_number(second, back);
  return 1 + (int32_t)(feature_combine(a, b ^ 1) % INT32_MAX);
}

// Replaces the contact point by the vertices of the overlap of the supporting features. Returns the
// number of contact points.
static int spread(const sn_shape *first, const sn_shape *second, double margin,
                  sn_contact_point *contact) {
  feature p, q;
  lifted found;
  double frame[9], back[3];
  corner overlap[CLIP_MAX];
  if (!feature_exists(first->type) || !feature_exists(second->type)) {
    return 1;
  }
  const sn_contact_point one = contact[0];
  contact_frame(first, one.normal, frame);
  sn_scale3(back, one.normal, -1);
  const int on_plane = first->type == SN_GEOM_PLANE;
  feature_find(first, 2, 0, one.normal, one.pos, frame, &p);
  feature_find(second, on_plane ? 1 : 2, !on_plane, back, one.pos, frame, &q);
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
  int keep = one.dist < found.lowest - deeper * sqrt(found.reach);
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
