// SPDX-License-Identifier: Apache-2.0
//
// Paths around the outside of a circle, and from its plane back to space: wrap.c explains them. It
// includes this file, for one path, as core/lanes/tendon_loops.h does for the same path in several
// simulations; numerics/scalar.h explains how. Both define ARC before, an si_arc of NUMBERs.

static inline NUMBER dot2(const NUMBER *a, const NUMBER *b) {
  return a[0] * b[0] + a[1] * b[1];
}

static inline NUMBER cross2(const NUMBER *a, const NUMBER *b) {
  return a[0] * b[1] - a[1] * b[0];
}

// The point of the segment that is closest to the origin.
static inline void closest_to_origin(NUMBER *out, const NUMBER *d0, const NUMBER *d1) {
  const NUMBER along[2] = { d1[0] - d0[0], d1[1] - d0[1] }, none = SCALARS(all)(0);
  const NUMBER length2 = dot2(along, along);
  const NUMBER part = SCALARS(clamp)(-dot2(d0, along) / length2, none, SCALARS(all)(1));
  const NUMBER t = SCALARS(select)(length2 > none, part, none);
  out[0] = d0[0] + t * along[0];
  out[1] = d0[1] + t * along[1];
}

// Whether the segments a b and c d cross.
static inline MASK segments_cross(const NUMBER *a, const NUMBER *b, const NUMBER *c,
                                  const NUMBER *d) {
  const NUMBER u[2] = { b[0] - a[0], b[1] - a[1] }, v[2] = { d[0] - c[0], d[1] - c[1] };
  const NUMBER w[2] = { c[0] - a[0], c[1] - a[1] };
  const NUMBER det = cross2(u, v), none = SCALARS(all)(0), one = SCALARS(all)(1);
  const MASK parallel = SCALARS(abs)(det) < SCALARS(all)(SN_TINY);
  const NUMBER s = cross2(w, v) / det, t = cross2(w, u) / det;
  return SCALARS(not )(parallel) & (s >= none) & (s <= one) & (t >= none) & (t <= one);
}

// A point and the circle: the point, the cosine and the sine of the angle acos(r / |d|) times
// r / |d|.
typedef struct tangents {
  const NUMBER *d;
  NUMBER c, s;
} tangents;

static inline tangents tangents_of(const NUMBER *d, NUMBER r) {
  const NUMBER norm2 = dot2(d, d), part = r / norm2;
  return (tangents){ d, part * r, part * SCALARS(sqrt)(norm2 - r * r) };
}

// The tangent point: the direction of d turned by sign * acos(r / |d|).
static inline void touch(NUMBER *out, const tangents *t, double sign) {
  const NUMBER s = sign * t->s;
  out[0] = t->c * t->d[0] - s * t->d[1];
  out[1] = s * t->d[0] + t->c * t->d[1];
}

// Where the mask is set.
static inline NUMBER arc_length(MASK mask, const ARC *way, NUMBER r) {
  const NUMBER turned = way->turn * cross2(way->first, way->last), none = SCALARS(all)(0);
  const NUMBER angle = SCALARS(atan2)(mask, turned, dot2(way->first, way->last));
  return r * SCALARS(select)(angle < none, angle + 2 * SN_PI, angle);
}

// How well the way passes on the side of the side point: the more the better.
static inline NUMBER sidedness(const ARC *way, NUMBER r, const NUMBER *side) {
  const NUMBER middle[2] = { way->first[0] + way->last[0], way->first[1] + way->last[1] };
  const NUMBER norm = SCALARS(sqrt)(dot2(middle, middle));
  return SCALARS(select)(norm > SCALARS(all)(SN_TINY), dot2(middle, side) / norm, -r);
}

static inline void select_arc(MASK mask, ARC *arc, const ARC *way) {
  for (int i = 0; i < 2; i++) {
    arc->first[i] = SCALARS(select)(mask, way->first[i], arc->first[i]);
    arc->last[i] = SCALARS(select)(mask, way->last[i], arc->last[i]);
  }
  arc->turn = SCALARS(select)(mask, way->turn, arc->turn);
}

// Where the mask is set. The result is not set where the segment is the path.
static inline MASK wrap_around(MASK mask, ARC *arc, const NUMBER *d0, const NUMBER *d1, NUMBER r,
                               const NUMBER *side) {
  NUMBER near[2], best = { 0 };
  closest_to_origin(near, d0, d1);
  MASK beside = dot2(near, near) >= r * r;
  if (side) {
    beside &= dot2(near, side) >= SCALARS(all)(0);
  }
  const MASK bends = mask & SCALARS(not )(beside);
  MASK found = { 0 };
  if (!SCALARS(any)(bends)) {
    return found;
  }

  // the better of the two ways whose straight parts do not cross
  const tangents t0 = tangents_of(d0, r), t1 = tangents_of(d1, r);
  for (int i = 0; i < 2; i++) {
    const double sign = i == 0 ? 1 : -1;
    ARC way = { .turn = SCALARS(all)(sign) };
    touch(way.first, &t0, sign);
    touch(way.last, &t1, -sign);
    const MASK good = bends & SCALARS(not )(segments_cross(d0, way.first, d1, way.last));
    if (!SCALARS(any)(good)) {
      continue;
    }
    const NUMBER merit = side ? sidedness(&way, r, side) : -arc_length(good, &way, r);
    const MASK better = good & (SCALARS(not )(found) | (merit > best));
    best = SCALARS(select)(better, merit, best);
    select_arc(better, arc, &way);
    found |= good;
  }
  if (SCALARS(any)(found)) {
    arc->length = side ? arc_length(found, arc, r) : -best;
  }
  return found;
}

// ------------------------------------------------------------------ the plane

// Rows: two axes of the plane of a sphere, and its normal. Set: the two points are on a line with
// the center, and any plane through it would do.
static inline MASK plane_of(NUMBER *axes, const NUMBER *p0, const NUMBER *p1) {
  VECTORS(copy3)(axes, p0);
  VECTORS(normalize3)(axes);
  VECTORS(cross)(axes + 6, p0, p1);
  const MASK straight = VECTORS(normalize3)(axes + 6) < SCALARS(all)(SN_TINY);
  VECTORS(cross)(axes + 3, axes + 6, axes);
  VECTORS(normalize3)(axes + 3);
  return straight;
}

// out = the point in the frame of the geom
static inline void to_local(NUMBER *out, const NUMBER *point, const NUMBER *pos,
                            const NUMBER *mat) {
  VECTORS(sub3)(out, point, pos);
  VECTORS(mul_matT_vec3)(out, mat, out);
}

// Height of a point of the unrolled path: from z0 to z1 in proportion to the length in the plane.
static inline NUMBER unrolled(NUMBER z0, NUMBER z1, NUMBER part, NUMBER whole) {
  return SCALARS(select)(whole > SCALARS(all)(SN_TINY), z0 + (z1 - z0) * part / whole, z0);
}

static inline NUMBER distance2(const NUMBER *a, const NUMBER *b) {
  const NUMBER e[2] = { b[0] - a[0], b[1] - a[1] };
  return SCALARS(sqrt)(dot2(e, e));
}

// Back to space: where the path from q0 to q1 reaches and leaves the geom; returns its length
// there. Along a cylinder it rises evenly. axes: of the plane of a sphere; NULL: a cylinder.
static inline NUMBER to_space(const ARC *arc, const NUMBER *axes, const NUMBER *q0,
                              const NUMBER *q1, const NUMBER *pos, const NUMBER *mat, NUMBER *first,
                              NUMBER *last) {
  NUMBER z0 = SCALARS(all)(0), z1 = SCALARS(all)(0);
  if (!axes) {
    const NUMBER part = distance2(q0, arc->first);
    const NUMBER whole = part + arc->length + distance2(q1, arc->last);
    z0 = unrolled(q0[2], q1[2], part, whole);
    z1 = unrolled(q0[2], q1[2], part + arc->length, whole);
  }
  const NUMBER t0[3] = { arc->first[0], arc->first[1], z0 };
  const NUMBER t1[3] = { arc->last[0], arc->last[1], z1 };
  VECTORS(copy3)(first, t0);
  VECTORS(copy3)(last, t1);
  if (axes) {
    VECTORS(mul_matT_vec3)(first, axes, first);
    VECTORS(mul_matT_vec3)(last, axes, last);
  }
  VECTORS(mul_mat_vec3)(first, mat, first);
  VECTORS(mul_mat_vec3)(last, mat, last);
  VECTORS(add3)(first, first, pos);
  VECTORS(add3)(last, last, pos);
  return SCALARS(sqrt)(arc->length * arc->length + (z1 - z0) * (z1 - z0));
}
