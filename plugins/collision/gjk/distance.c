// SPDX-License-Identifier: Apache-2.0
//
// Distance of two convex shapes (Gilbert, Johnson, Keerthi, A fast procedure for computing the
// distance between complex objects in three-dimensional space, 1988).
//
// v is the point nearest to the origin of a simplex in the difference: |v| is an upper bound of the
// distance. The plane through the farthest point w against v has the whole difference beyond it:
// v.w / |v| is a lower bound. Where they meet, v is the answer.
//
//            |
//     o----->|-----x v       the difference is on the right
//            | w

#include "gjk.h"

// of the scale: nearer than that the direction of v is noise
static const double touching = 1e-13;
// of the scale: the gap between the bounds at which the last digits are asked for at once
static const double coarse = 1e-2;
static const double patience = 0.05;   // of the gap: when they are asked for again

// How far from its frame an operand may reach, about.
static double extent_of(const convex *c) {
  const double *s = c->size;
  if (c->type == SN_GEOM_MESH) {
    return fmax(sn_norm3(s), sn_norm3(mesh_hull_local(&c->hull, 0)));
  }
  if (!s) {   // a prism
    double most = 0;
    for (int i = 0; i < 6; i++) {
      most = fmax(most, sn_norm3(c->point + 3 * i));
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

void difference_start(difference *m) {
  double to[3];
  m->a.flat = m->b.flat = 1;
  m->top_a = m->top_b = 0;
  m->a.start = &m->top_a;
  m->b.start = &m->top_b;
  m->scale = extent_of(&m->a) + extent_of(&m->b);
  m->smooth = is_smooth(&m->a) && is_smooth(&m->b);
  m->curved = is_curved(&m->a) || is_curved(&m->b);
  m->radius_a = convex_core(&m->a);
  m->radius_b = convex_core(&m->b);
  sn_sub3(to, m->b.pos, m->a.pos);
  sn_mul_matT_vec3(m->pos, m->a.mat, to);
  sn_mul_matT_mat3(m->mat, m->a.mat, m->b.mat);
}

static int is_new(const simplex *s, const vertex *w) {
  for (int i = 0; i < s->n; i++) {
    if (s->at[i].w[0] == w->w[0] && s->at[i].w[1] == w->w[1] && s->at[i].w[2] == w->w[2]) {
      return 0;
    }
  }
  return 1;
}

int core_distance(const difference *m, double limit, simplex *s, nearest *out) {
  double v[3], direction[3], small = touching * m->scale;
  s->n = 0;
  sn_scale3(v, m->pos, -1);
  double length = sn_norm3(v), enough = m->curved ? coarse * m->scale : 0;
  if (!(length > small)) {
    v[0] = length = 1;
    v[1] = v[2] = 0;
  }
  for (int64_t k = 0; k < m->iterations; k++) {
    vertex *w = &s->at[s->n];
    sn_scale3(direction, v, -1 / length);
    difference_support(m, direction, w);
    double lower = -sn_dot3(direction, w->w), gap = length - lower;
    if (lower > limit) {
      return GJK_FAR;
    }
    if (s->n > 0) {
      if (gap <= m->tolerance || !is_new(s, w)) {
        break;
      }
      if (gap < enough && lower > 0) {
        // what fails is tried again only much nearer
        enough = patience * gap;
        if (polish(m, direction, s, out) && out->dist > small) {
          return GJK_APART;
        }
      }
    }
    part p;
    int first = s->n++ == 0;
    if (simplex_nearest(s, &p)) {
      return GJK_OVERLAP;
    }
    double now = sqrt(p.square);
    if (!first && now >= length) {
      s->n--;
      break;
    }
    simplex_keep(s, &p);
    if (!(now > small)) {
      return GJK_OVERLAP;
    }
    sn_copy3(v, p.v);
    length = now;
  }
  simplex_witness(s, out->a, out->b);
  out->dist = length;
  sn_scale3(out->normal, v, -1 / length);
  return GJK_APART;
}

int difference_nearest(const difference *m, double limit, nearest *out) {
  simplex s;
  double radii = m->radius_a + m->radius_b;
  int verdict = core_distance(m, limit + radii, &s, out);
  if (verdict == GJK_FAR) {
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

int shapes_nearest(const sn_shape *first, const sn_shape *second, double limit, double tolerance,
                   int64_t iterations, nearest *out) {
  difference m;
  if (!convex_of_shape(&m.a, first) || !convex_of_shape(&m.b, second)) {
    return 0;
  }
  difference_start(&m);
  m.tolerance = fmax(tolerance, difference_rounding * m.scale);
  m.iterations = iterations;
  if (!difference_nearest(&m, limit, out)) {
    return 0;
  }
  sn_mul_mat_vec3(out->normal, first->mat, out->normal);
  sn_mul_mat_vec3(out->a, first->mat, out->a);
  sn_mul_mat_vec3(out->b, first->mat, out->b);
  sn_add3(out->a, out->a, first->pos);
  sn_add3(out->b, out->b, first->pos);
  return 1;
}
