// SPDX-License-Identifier: Apache-2.0
//
// Two boxes as in MuJoCo 2.2.2: the overlap of the two faces that look at each other along the axis
// of least overlap (box_axis.c). box_manifold.c is the default.
//
//   seen along the axis, the face of each box is a parallelogram; what they share is a polygon:
//
//        +---------+            x  a side of one crosses a side of the other
//        |   1   .-x-.          o  a corner of one lies within the other
//        |     .'  | '.
//        +----x----o   '.       each corner becomes a contact point; its depth is the distance
//              '.  2  .'        of the two faces along the axis there
//                '. .'
//
// Conventions, which decide how many contact points there are: along the normal of a face they have
// half the distance, an incident face that recedes by more than 30 degrees counts as an edge or a
// corner, and the foremost corner always is a contact point; along the product of two edges there
// is at most one, a corner of the first box; corners in one place are one contact point. Boxes that
// are apart and share nothing along the axis: box_gap.c.
//
// The feature of a contact point is the corner of a box, or the two edges that cross there. Corners
// and edges are numbered by box, not by face: the order within a face turns with rounding errors.
// Matches MuJoCo 2.2.2: box-half-depth

#include "box.h"

// The supporting feature of a box along the axis: center + a span[0] + b span[1], |a| <= 1, |b| <=
// 1; a face has two spans, an edge one, a vertex none. Third coordinate: height along the axis.
typedef struct box_face {
  double center[3], span[2][3];
  int n;
  int axis[2], sign[2];   // of the box, along each span; 1: positive
  int fixed;              // bit k: the feature is at the positive end of axis k
} box_face;

typedef struct polygon {
  int n;
  sn_contact_point *contact;
  double frame[9];   // rows: two directions across the axis, the axis
  double margin, scale;
  double same;                      // corners nearer than that are one
  double place[PRIMITIVE_MAX][2];   // of the contact points, across the axis
} polygon;

// ------------------------------------------------------------------ the polygon

static const double rounding = 1e-12;   // of a place, as a part of the size

// How a face is turned to look along the axis: its axes in the order of its spans and, on the
// negative or positive side, their signs. It decides which corner is the first.
static const struct {
  int axis[3];
  double sign[2][3];
} turn[3] = {
  { { 1, 2, 0 }, { { 1, 1, 1 }, { 1, -1, 1 } } },
  { { 2, 0, 1 }, { { 1, 1, 1 }, { -1, 1, 1 } } },
  { { 1, 0, 2 }, { { 1, -1, 1 }, { 1, 1, 1 } } },
};

// The supporting feature of a box in a direction, given in its own frame; the result is in the
// frame of the polygon around `origin`. It is the face whose normal is nearest to the direction. An
// incident face is cut down to the edge or the corner that is foremost where it recedes steeply,
// and its foremost corner is the first one.
static void find_face(const sn_shape *box, const double *local, const double *origin,
                      const double *frame, int incident, box_face *face) {
  const double steep = 0.5;   // sine of the angle
  double center[3], axis[3];
  int front = fabs(local[0]) > fabs(local[1]) ? 0 : 1;
  front = fabs(local[front]) >= fabs(local[2]) ? front : 2;
  *face = (box_face){ 0 };
  sn_sub3(center, box->pos, origin);
  for (int i = 0; i < 3; i++) {
    int k = turn[front].axis[i];
    shape_axis(axis, box, k);
    sn_scale3(axis, axis, box->size[k]);
    double towards = local[k] > 0 ? 1 : -1;
    if (k == front || (incident && fabs(local[k]) > steep)) {
      sn_addscale3(center, center, towards, axis);
      face->fixed |= (towards > 0) << k;
    } else {
      double sign = incident ? -towards : turn[front].sign[local[front] > 0][i];
      sn_scale3(axis, axis, sign);
      face->axis[face->n] = k;
      face->sign[face->n] = sign > 0;
      sn_mul_mat_vec3(face->span[face->n++], frame, axis);
    }
  }
  sn_mul_mat_vec3(face->center, frame, center);
}

static inline double cross2(const double *a, const double *b) {
  return a[0] * b[1] - a[1] * b[0];
}

// Where a place lies on a face, seen along the axis: coordinates (a, b), and the height there.
// 0: it is no face, or seen from its side.
static int locate(const box_face *face, const double *place, double *ab, double *height) {
  const double *u = face->span[0], *v = face->span[1];
  double det = cross2(u, v);
  if (face->n < 2 || fabs(det) < SN_TINY) {
    return 0;
  }
  const double to[2] = { place[0] - face->center[0], place[1] - face->center[1] };
  ab[0] = cross2(to, v) / det;
  ab[1] = cross2(u, to) / det;
  *height = face->center[2] + ab[0] * u[2] + ab[1] * v[2];
  return 1;
}

// Where sides end together, a corner is found as a crossing, twice, and as a corner within.
static int has_corner(const polygon *p, const double *place) {
  for (int i = 0; i < p->n; i++) {
    if (fabs(p->place[i][0] - place[0]) <= p->same && fabs(p->place[i][1] - place[1]) <= p->same) {
      return 1;
    }
  }
  return 0;
}

// Features: the corners of the first box from 1 on, of the second from 9, two edges from 17.
enum { BOX_CORNERS = 8, BOX_EDGES = 24 };

// Bits: whether corner i of a face is at the positive end of each axis of the box.
static int corner_id(const box_face *face, int i) {
  int id = face->fixed;
  for (int k = 0; k < face->n; k++) {
    id |= ((i >> k & 1) == face->sign[k]) << face->axis[k];
  }
  return id;
}

// Side i: its axis, and the corner at its lower end.
static int edge_id(const box_face *face, int i) {
  const int along = i / 2, across = face->n == 2 && (i & 1) ? 1 << (1 - along) : 0;
  return 8 * face->axis[along] + (corner_id(face, across) & ~(1 << face->axis[along]));
}

static int has_feature(const polygon *p, int feature) {
  int found = 0;
  for (int i = 0; i < p->n; i++) {
    found |= p->contact[i].feature == feature;
  }
  return found;
}

// The corner at the end of side i where s is near 1 or -1; 0: none, or it has a contact point.
static int end_feature(const polygon *p, const box_face *face, int i, double s, int first) {
  const double near = 1 - 1e-6;
  const int across = face->n == 2 && (i & 1) ? 1 << (1 - i / 2) : 0;
  const int feature = first + corner_id(face, across | (s > 0) << i / 2);
  return fabs(s) > near && !has_feature(p, feature) ? feature : 0;
}

// Where sides i of f and j of g cross, at s and t of them: a corner of a box if one of them ends
// there, because rounding decides which sides are found to cross at a corner.
static int crossing_feature(const polygon *p, const box_face *f, const box_face *g, int i, int j,
                            double s, double t) {
  const int of_f = end_feature(p, f, i, s, 1);
  const int of_g = of_f ? 0 : end_feature(p, g, j, t, 1 + BOX_CORNERS);
  return of_f   ? of_f
         : of_g ? of_g
                : 1 + 2 * BOX_CORNERS + BOX_EDGES * edge_id(f, i) + edge_id(g, j);
}

// A corner of the polygon, with the heights of both faces above it.
static void add_corner(polygon *p, const double *place, double height1, double height2,
                       int feature) {
  double gap = height2 - height1;
  if (p->n == PRIMITIVE_MAX || !(gap <= p->margin) || has_corner(p, place)) {
    return;
  }
  p->place[p->n][0] = place[0];
  p->place[p->n][1] = place[1];
  const double local[3] = { place[0], place[1], 0.5 * (height1 + height2) };
  sn_contact_point *t = &p->contact[p->n++];
  *t = (sn_contact_point){ .feature = feature, .dist = p->scale * gap };
  sn_mul_matT_vec3(t->pos, p->frame, local);
}

// Corner i of a face, edge or corner; the first span turns fastest.
static void corner_of(const box_face *face, int i, double *corner) {
  sn_copy3(corner, face->center);
  for (int k = 0; k < face->n; k++) {
    sn_addscale3(corner, corner, i >> k & 1 ? 1 : -1, face->span[k]);
  }
}

// Which corners count: those that lie within the other face; of them the first one alone; or, not
// asking where it lies, the first one, and the others within.
enum { CORNERS_WITHIN, CORNERS_ONE, CORNERS_FOREMOST };

static void add_corners(polygon *p, const box_face *from, const box_face *other, int swapped,
                        int which) {
  for (int i = 0; i < 1 << from->n; i++) {
    double corner[3], ab[2], height;
    corner_of(from, i, corner);
    if (!locate(other, corner, ab, &height)) {
      continue;
    }
    int within = fabs(ab[0]) < 1 && fabs(ab[1]) < 1;
    if (within || (which == CORNERS_FOREMOST && i == 0)) {
      add_corner(p, corner, swapped ? height : corner[2], swapped ? corner[2] : height,
                 1 + (swapped ? BOX_CORNERS : 0) + corner_id(from, i));
    }
    if (within && which == CORNERS_ONE) {
      return;
    }
  }
}

// Side i of a face, or the edge itself: middle + t step, |t| <= 1. Returns 0 past the last.
static int side_of_face(const box_face *face, int i, double *middle, double *step) {
  int sides = face->n == 2 ? 4 : face->n;
  if (i >= sides) {
    return 0;
  }
  sn_copy3(step, face->span[i / 2]);
  sn_copy3(middle, face->center);
  if (face->n == 2) {
    sn_addscale3(middle, middle, i & 1 ? 1 : -1, face->span[1 - i / 2]);
  }
  return 1;
}

static void add_crossings(polygon *p, const box_face *f, const box_face *g) {
  double a[3], da[3], b[3], db[3];
  for (int i = 0; side_of_face(f, i, a, da); i++) {
    for (int j = 0; side_of_face(g, j, b, db); j++) {
      double det = cross2(da, db);
      if (fabs(det) < SN_TINY) {
        continue;
      }
      const double to[2] = { b[0] - a[0], b[1] - a[1] };
      double s = cross2(to, db) / det, t = cross2(to, da) / det;
      if (fabs(s) <= 1 + rounding && fabs(t) <= 1 + rounding) {
        double place[3];
        sn_addscale3(place, a, s, da);
        add_corner(p, place, place[2], b[2] + t * db[2], crossing_feature(p, f, g, i, j, s, t));
      }
    }
  }
}

// ------------------------------------------------------------------

// A frame with the axis last.
static void axis_frame(double *frame, const double *axis) {
  double *x = frame, *y = frame + 3, *z = frame + 6;
  sn_copy3(z, axis);
  sn_zero3(x);
  x[fabs(z[0]) < 0.5 ? 0 : 1] = 1;
  sn_cross(y, z, x);
  sn_normalize3(y);
  sn_cross(x, y, z);
}

int box_box(const sn_shape *a, const sn_shape *b, double margin, sn_contact_point *contact) {
  box_pose r;
  box_axis best;
  box_face face_a, face_b;
  double axis[3], back[3];
  if (!box_axis_find(a, b, margin, &r, &best)) {
    return 0;
  }
  // along the normal of a face a contact point has half the distance
  polygon p;
  p.n = 0;
  p.contact = contact;
  p.margin = margin;
  p.scale = best.owner < 0 ? 1 : 0.5;
  p.same = rounding * (a->size[0] + a->size[1] + a->size[2]);
  sn_mul_mat_vec3(axis, a->mat, best.local);
  axis_frame(p.frame, axis);
  sn_mul_matT_vec3(back, r.mat, best.local);
  sn_scale3(back, back, -1);
  find_face(a, best.local, a->pos, p.frame, best.owner == 1, &face_a);
  find_face(b, back, a->pos, p.frame, best.owner == 0, &face_b);
  add_crossings(&p, &face_a, &face_b);
  if (best.owner < 0) {
    add_corners(&p, &face_a, &face_b, 0, CORNERS_ONE);
    add_corners(&p, &face_b, &face_a, 1, CORNERS_WITHIN);
  } else if (best.owner == 0) {
    add_corners(&p, &face_a, &face_b, 0, CORNERS_WITHIN);
    add_corners(&p, &face_b, &face_a, 1, CORNERS_FOREMOST);
  } else {
    add_corners(&p, &face_b, &face_a, 1, CORNERS_WITHIN);
    add_corners(&p, &face_a, &face_b, 0, CORNERS_FOREMOST);
  }
  if (p.n == 0 && best.separation > 0) {
    return box_gap(a, b, margin, contact);
  }
  for (int i = 0; i < p.n; i++) {
    sn_add3(contact[i].pos, contact[i].pos, a->pos);
    sn_copy3(contact[i].normal, axis);
  }
  return p.n;
}
