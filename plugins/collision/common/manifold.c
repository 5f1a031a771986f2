// SPDX-License-Identifier: Apache-2.0
//
// What a shape shows along the normal is a polygon: a face, or an edge, or a corner, as far as it
// is at right angles to the normal within a few degrees. The polygon of the first shape is cut by
// the sides of that of the second (Sutherland, Hodgman, Reentrant polygon clipping, 1974); the
// corners that are left get the distance of the two planes there, and of them the four that span
// most are kept.
//
//      +-------+
//      |   x---+---.        x  touches
//      |   |   |   |
//      +---x---x   |  ...
//          '-------'
//
// All is said in a frame at the touch whose third axis is the normal.

#include "manifold.h"

enum { PATCH_MAX = 12, SEEN_MAX = 64, CLIP_MAX = 2 * PATCH_MAX + 2 };
static const double tilt = 0.08;   // sine of the angle at which a side is no longer shown

typedef struct patch {
  int n;
  double at[SEEN_MAX][3];   // in order around; third: height along the normal
} patch;

// ------------------------------------------------------------------ what a shape shows, local

static void box_patch(const sn_shape *s, const double *d, patch *p) {
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
  }
}

static void cylinder_patch(const sn_shape *s, const double *d, patch *p) {
  double across = hypot(d[0], d[1]), end = d[2] > 0 ? s->size[1] : -s->size[1];
  double c = across > SN_TINY ? d[0] / across : 1, e = across > SN_TINY ? d[1] / across : 0;
  if (across < tilt) {
    // the corner that leans most is one of them
    enum { CORNERS = 12 };
    p->n = CORNERS;
    for (int i = 0; i < CORNERS; i++) {
      double angle = 2 * SN_PI * i / CORNERS, x = cos(angle), y = sin(angle);
      p->at[i][0] = s->size[0] * (c * x - e * y);
      p->at[i][1] = s->size[0] * (e * x + c * y);
      p->at[i][2] = end;
    }
    return;
  }
  p->n = fabs(d[2]) < tilt ? 2 : 1;
  for (int i = 0; i < p->n; i++) {
    p->at[i][0] = s->size[0] * c;
    p->at[i][1] = s->size[0] * e;
    p->at[i][2] = i ? -end : end;
  }
}

static void capsule_patch(const sn_shape *s, const double *d, patch *p) {
  double end = d[2] > 0 ? s->size[1] : -s->size[1];
  p->n = fabs(d[2]) < tilt ? 2 : 1;
  for (int i = 0; i < p->n; i++) {
    sn_scale3(p->at[i], d, s->size[0]);
    p->at[i][2] += i ? -end : end;
  }
}

static int leans_little(const double *d, const double *top, const double *other) {
  double to[3];
  sn_sub3(to, top, other);
  return sn_dot3(to, d) <= tilt * sn_norm3(to);
}

// the vertices that lie nearly as high as the highest, found from neighbor to neighbor
static void mesh_patch(const sn_shape *s, const double *d, patch *p) {
  mesh_hull hull;
  int64_t seen[SEEN_MAX];
  mesh_hull_read(&hull, s->mesh);
  seen[0] = mesh_hull_support(&hull, d, 0);
  const double *top = mesh_hull_local(&hull, seen[0]);
  p->n = 1;
  for (int i = 0; i < p->n; i++) {
    int64_t count = mesh_hull_degree(&hull, seen[i]);
    for (int64_t k = 0; k < count && p->n < SEEN_MAX; k++) {
      int64_t other = mesh_hull_neighbor(&hull, seen[i], k);
      int known = 0;
      for (int j = 0; j < p->n && !known; j++) {
        known = seen[j] == other;
      }
      if (!known && leans_little(d, top, mesh_hull_local(&hull, other))) {
        seen[p->n++] = other;
      }
    }
  }
  for (int i = 0; i < p->n; i++) {
    sn_copy3(p->at[i], mesh_hull_local(&hull, seen[i]));
  }
}

typedef void patch_fn(const sn_shape *s, const double *direction, patch *p);

static patch_fn *const patches[SN_NGEOMTYPES] = {
  [SN_GEOM_CAPSULE] = capsule_patch,
  [SN_GEOM_CYLINDER] = cylinder_patch,
  [SN_GEOM_BOX] = box_patch,
  [SN_GEOM_MESH] = mesh_patch,
};

// ------------------------------------------------------------------ polygons

static double turn(const double *a, const double *b, const double *c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int is_before(const double *a, const double *b) {
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

// Convex outline, counterclockwise (Andrew, Another efficient algorithm for convex hulls in two
// dimensions, 1979); of more corners than PATCH_MAX the flattest go.
static void outline(patch *p) {
  double sorted[SEEN_MAX][3];
  for (int i = 0; i < p->n; i++) {
    int k = i;
    for (; k > 0 && is_before(p->at[i], sorted[k - 1]); k--) {
      sn_copy3(sorted[k], sorted[k - 1]);
    }
    sn_copy3(sorted[k], p->at[i]);
  }
  int count = p->n, chain[2 * SEEN_MAX], n = 0;
  for (int pass = 0; pass < 2; pass++) {
    int start = n;
    for (int i = 0; i < count; i++) {
      int next = pass ? count - 1 - i : i;
      while (n >= start + 2 &&
             !(turn(sorted[chain[n - 2]], sorted[chain[n - 1]], sorted[next]) > 0)) {
        n--;
      }
      chain[n++] = next;
    }
    n--;
  }
  if (n < 1) {
    n = 1;
  }
  while (n > PATCH_MAX) {
    int least = 0;
    double smallest = INFINITY;
    for (int i = 0; i < n; i++) {
      double area = turn(sorted[chain[(i + n - 1) % n]], sorted[chain[i]],
                         sorted[chain[(i + 1) % n]]);
      if (area < smallest) {
        smallest = area;
        least = i;
      }
    }
    n--;
    memmove(chain + least, chain + least + 1, (size_t)(n - least) * sizeof *chain);
  }
  p->n = n;
  for (int i = 0; i < n; i++) {
    sn_copy3(p->at[i], sorted[chain[i]]);
  }
}

static void make_patch(const sn_shape *s, const double *direction, const double *origin,
                       const double *frame, patch *p) {
  double local[3], global[3];
  sn_mul_matT_vec3(local, s->mat, direction);
  patches[s->type](s, local, p);
  for (int i = 0; i < p->n; i++) {
    sn_mul_mat_vec3(global, s->mat, p->at[i]);
    sn_add3(global, global, s->pos);
    sn_sub3(global, global, origin);
    sn_mul_mat_vec3(p->at[i], frame, global);
  }
  outline(p);
}

// The height of a patch at a place: of its plane, or along its line.
static double height_at(const patch *p, const double *place) {
  const double *a = p->at[0];
  if (p->n == 2) {
    double dx = p->at[1][0] - a[0], dy = p->at[1][1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0 ? ((place[0] - a[0]) * dx + (place[1] - a[1]) * dy) / square : 0;
    return a[2] + sn_clamp(t, 0, 1) * (p->at[1][2] - a[2]);
  }
  // the widest triangle on the first corner
  double best = 0, height = a[2];
  for (int i = 1; i + 1 < p->n; i++) {
    const double *b = p->at[i], *c = p->at[i + 1];
    double area = turn(a, b, c);
    if (area > best) {
      best = area;
      height = a[2] +
               (turn(a, place, c) * (b[2] - a[2]) + turn(a, b, place) * (c[2] - a[2])) / area;
    }
  }
  return height;
}

// Cuts what is right of the line from a to b. Returns the number of corners left.
static int cut(double (*at)[2], int n, const double *a, const double *b) {
  double out[CLIP_MAX][2];
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double *p = at[i], *q = at[(i + 1) % n];
    double x = turn(a, b, p), y = turn(a, b, q);
    if (x >= 0 && count < CLIP_MAX) {
      memcpy(out[count++], p, sizeof *out);
    }
    if (((x < 0 && y > 0) || (x > 0 && y < 0)) && count < CLIP_MAX && (n > 2 || i == 0)) {
      double t = x / (x - y);
      out[count][0] = p[0] + t * (q[0] - p[0]);
      out[count++][1] = p[1] + t * (q[1] - p[1]);
    }
  }
  memcpy(at, out, (size_t)count * sizeof *out);
  return count;
}

// What two outlines share; the subject is a polygon or a segment, the other has an area, or is a
// segment along the subject.
static int share(const patch *subject, const patch *other, double (*at)[2]) {
  int n = subject->n;
  for (int i = 0; i < n; i++) {
    memcpy(at[i], subject->at[i], sizeof *at);
  }
  if (other->n > 2) {
    for (int i = 0; i < other->n && n > 0; i++) {
      n = cut(at, n, other->at[i], other->at[(i + 1) % other->n]);
    }
    return n;
  }
  // two segments: the second cuts the first at right angles through its ends, if they run together
  const double *a = other->at[0], *b = other->at[1];
  double dx = b[0] - a[0], dy = b[1] - a[1];
  double ex = at[1][0] - at[0][0], ey = at[1][1] - at[0][1];
  if (fabs(dx * ey - dy * ex) > tilt * hypot(dx, dy) * hypot(ex, ey)) {
    return 0;
  }
  const double below[2] = { a[0] + dy, a[1] - dx }, above[2] = { b[0] - dy, b[1] + dx };
  n = cut(at, n, a, below);
  return n > 0 ? cut(at, n, b, above) : 0;
}

// ------------------------------------------------------------------ choosing

// Of n touches the deepest, the one farthest from it, and the farthest on either side of their
// line.
static int choose(sn_contact_point *touch, int n, const double *normal) {
  if (n <= 4) {
    return n;
  }
  int pick[4] = { 0, 0, -1, -1 };
  double far = 0, side[2] = { 0, 0 }, line[3], across[3], to[3];
  for (int i = 1; i < n; i++) {
    pick[0] = touch[i].dist < touch[pick[0]].dist ? i : pick[0];
  }
  for (int i = 0; i < n; i++) {
    double distance = sn_dist3(touch[i].pos, touch[pick[0]].pos);
    if (distance > far) {
      far = distance;
      pick[1] = i;
    }
  }
  sn_sub3(line, touch[pick[1]].pos, touch[pick[0]].pos);
  sn_cross(across, normal, line);
  for (int i = 0; i < n; i++) {
    sn_sub3(to, touch[i].pos, touch[pick[0]].pos);
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
      chosen[count++] = touch[pick[k]];
    }
  }
  memcpy(touch, chosen, (size_t)count * sizeof *touch);
  return count;
}

int manifold(const sn_shape *first, const sn_shape *second, double margin,
             sn_contact_point *touch) {
  static const double deeper = 1e-6;   // of the reach of the corners: a touch of its own
  patch p, q;
  double frame[9], back[3], at[CLIP_MAX][2];
  if (!patches[first->type] || !patches[second->type]) {
    return 1;
  }
  const sn_contact_point one = touch[0];
  double *x = frame, *y = frame + 3, *z = frame + 6;
  sn_copy3(z, one.normal);
  sn_zero3(x);
  x[fabs(z[0]) < 0.5 ? 0 : 1] = 1;
  sn_cross(y, z, x);
  sn_normalize3(y);
  sn_cross(x, y, z);
  sn_scale3(back, z, -1);
  make_patch(first, z, one.pos, frame, &p);
  make_patch(second, back, one.pos, frame, &q);
  if (p.n < 2 || q.n < 2) {
    return 1;
  }
  int swap = q.n < p.n;   // a segment is cut by a polygon
  int corners = swap ? share(&q, &p, at) : share(&p, &q, at);
  sn_contact_point found[CLIP_MAX];
  int n = 0;
  double reach = 0, lowest = INFINITY;
  for (int i = 0; i < corners; i++) {
    double low = height_at(&p, at[i]), high = height_at(&q, at[i]);
    if (high - low <= margin) {
      const double local[3] = { at[i][0], at[i][1], 0.5 * (low + high) };
      found[n] = (sn_contact_point){ .dist = high - low };
      sn_mul_matT_vec3(found[n].pos, frame, local);
      sn_add3(found[n].pos, found[n].pos, one.pos);
      sn_copy3(found[n].normal, one.normal);
      lowest = fmin(lowest, found[n].dist);
      reach = fmax(reach, hypot(at[i][0], at[i][1]));
      n++;
    }
  }
  if (n < 2) {
    return 1;
  }
  n = choose(found, n, one.normal);
  int keep = one.dist < lowest - deeper * reach;   // deeper than all corners: it stays the first
  memcpy(touch + keep, found, (size_t)n * sizeof *touch);
  return n + keep;
}
