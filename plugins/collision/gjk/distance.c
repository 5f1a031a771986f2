// SPDX-License-Identifier: Apache-2.0
//
// Distance of two convex shapes (Gilbert, Johnson, Keerthi, A fast procedure for computing the
// distance between complex objects in three-dimensional space, 1988).
//
// v is the point nearest to the origin of a simplex in the Minkowski difference: |v| is an upper
// bound of the distance. The difference lies entirely beyond the plane that is perpendicular to v
// and contains w, the support point in the direction -v: v.w / |v| is a lower bound. When the
// bounds are equal, v is the answer.
//
//            |
//     o----->|-----x v       the difference is on the right
//            | w

#include "gjk.h"

// Part of the scale: below it the direction of v is noise. For this and the next constant ten times
// more or less changes results within the tolerance; the conformance kit passes.
static const double touching = 1e-13;
// Part of the scale: the gap between the bounds below which polishing is tried.
static const double polish_gap = 1e-2;
// Part of the gap at which polishing failed: when it is tried again.
static const double repolish_ratio = 0.05;

// About how far an operand reaches from the origin of its frame.
static double extent_of(const convex *c) {
  const double *s = c->size;
  if (c->type == SN_GEOM_MESH) {
    return sn_max(sn_norm3(s), sn_norm3(mesh_hull_local(&c->hull, 0)));
  }
  if (!s) {   // a prism
    double most = 0;
    for (int i = 0; i < 6; i++) {
      most = sn_max(most, sn_norm3(c->point + 3 * i));
    }
    return most;
  }
  return c->type == SN_GEOM_SPHERE                                   ? s[0]
         : c->type == SN_GEOM_CAPSULE || c->type == SN_GEOM_CYLINDER ? s[0] + s[1]
                                                                     : sn_norm3(s);
}

static int is_smooth(const convex *c) {
  return c->type == SN_GEOM_SPHERE || c->type == SN_GEOM_ELLIPSOID;
}

static int is_curved(const convex *c) {
  return c->type == SN_GEOM_ELLIPSOID || c->type == SN_GEOM_CYLINDER;
}

void minkowski_start(minkowski *m) {
  double to[3];
  m->a.zero_sign = m->b.zero_sign = 1;
  m->hint_a = m->hint_b = 0;
  m->a.hint = &m->hint_a;
  m->b.hint = &m->hint_b;
  m->scale = extent_of(&m->a) + extent_of(&m->b);
  m->smooth = is_smooth(&m->a) && is_smooth(&m->b);
  m->curved = is_curved(&m->a) || is_curved(&m->b);
  m->radius_a = convex_core(&m->a);
  m->radius_b = convex_core(&m->b);
  sn_sub3(to, m->b.pos, m->a.pos);
  sn_mul_matT_vec3(m->pos, m->a.mat, to);
  sn_mul_matT_mat3(m->mat, m->a.mat, m->b.mat);
}

// ------------------------------------------------------------------ cores

// The upper bound, and the gap below which polishing is tried.
typedef struct progress {
  double v[3], length;   // length = |v|
  double polish_below;
} progress;

// v is any point of the difference at first, here between the two centers.
static progress start_at_centers(const minkowski *m) {
  progress p = { .polish_below = m->curved ? polish_gap * m->scale : 0 };
  sn_scale3(p.v, m->pos, -1);
  p.length = sn_norm3(p.v);
  if (!(p.length > touching * m->scale)) {
    p.v[0] = p.length = 1;
    p.v[1] = p.v[2] = 0;
  }
  return p;
}

static int is_new(const simplex *s, const vertex *w) {
  for (int i = 0; i < s->n; i++) {
    if (s->at[i].w[0] == w->w[0] && s->at[i].w[1] == w->w[1] && s->at[i].w[2] == w->w[2]) {
      return 0;
    }
  }
  return 1;
}

// Newton's method near the end. When it fails, it is tried again only with a much smaller gap.
static int try_polish(const minkowski *m, const double *direction, double gap, const simplex *s,
                      progress *p, separation *out) {
  if (!(gap < p->polish_below)) {
    return 0;
  }
  p->polish_below = repolish_ratio * gap;
  return polish(m, direction, s, out) && out->dist > touching * m->scale;
}

// Adds the vertex after the last to the simplex, and moves v to its nearest point.
enum { STEP_CLOSER, STEP_NO_CLOSER, STEP_INSIDE };

static int step(const minkowski *m, simplex *s, progress *p) {
  subsimplex nearest;
  int first = s->n++ == 0;
  if (simplex_nearest(s, &nearest)) {
    return STEP_INSIDE;
  }
  double length = sqrt(nearest.square);
  if (!first && length >= p->length) {
    s->n--;
    return STEP_NO_CLOSER;
  }
  simplex_reduce(s, &nearest);
  if (!(length > touching * m->scale)) {
    return STEP_INSIDE;
  }
  sn_copy3(p->v, nearest.v);
  p->length = length;
  return STEP_CLOSER;
}

int core_distance(const minkowski *m, double limit, simplex *s, separation *out) {
  progress p = start_at_centers(m);
  s->n = 0;
  for (int64_t k = 0; k < m->iterations; k++) {
    vertex *w = &s->at[s->n];
    double direction[3];
    sn_scale3(direction, p.v, -1 / p.length);
    minkowski_support(m, direction, w);
    double lower = -sn_dot3(direction, w->w), gap = p.length - lower;
    if (lower > limit) {
      return GJK_BEYOND_LIMIT;
    }
    if (s->n > 0 && (gap <= m->tolerance || !is_new(s, w))) {
      break;
    }
    if (s->n > 0 && lower > 0 && try_polish(m, direction, gap, s, &p, out)) {
      return GJK_DISJOINT;
    }
    int result = step(m, s, &p);
    if (result == STEP_INSIDE) {
      return GJK_OVERLAP;
    }
    if (result == STEP_NO_CLOSER) {
      break;
    }
  }
  simplex_witness(s, out->a, out->b);
  out->dist = p.length;
  sn_scale3(out->normal, p.v, -1 / p.length);
  return GJK_DISJOINT;
}

// ------------------------------------------------------------------ shapes

int minkowski_separation(const minkowski *m, double limit, separation *out) {
  simplex s;
  double radii = m->radius_a + m->radius_b;
  int verdict = core_distance(m, limit + radii, &s, out);
  if (verdict == GJK_BEYOND_LIMIT) {
    return 0;
  }
  if (verdict == GJK_OVERLAP) {
    core_depth(m, &s, out);
  }
  sn_addscale3(out->a, out->a, m->radius_a, out->normal);
  sn_addscale3(out->b, out->b, -m->radius_b, out->normal);
  out->dist -= radii;
  return out->dist <= limit && isfinite(out->dist);
}

int shape_separation(const sn_shape *first, const sn_shape *second, double limit, double tolerance,
                     int64_t iterations, separation *out) {
  minkowski m;
  if (!convex_of_shape(&m.a, first) || !convex_of_shape(&m.b, second)) {
    return 0;
  }
  minkowski_start(&m);
  m.tolerance = sn_max(tolerance, minkowski_rounding * m.scale);
  m.iterations = iterations;
  if (!minkowski_separation(&m, limit, out)) {
    return 0;
  }
  sn_mul_mat_vec3(out->normal, first->mat, out->normal);
  sn_mul_mat_vec3(out->a, first->mat, out->a);
  sn_mul_mat_vec3(out->b, first->mat, out->b);
  sn_add3(out->a, out->a, first->pos);
  sn_add3(out->b, out->b, first->pos);
  return 1;
}
