// SPDX-License-Identifier: Apache-2.0
//
// Superquadrics: with p = 2 / e2 and q = 2 / e1, the solids
//
//   g(x, y, z) = ( (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q )^(1/q)  <=  1
//
// which are convex for 0 < e1, e2 < 2: e1 = e2 = 1 is an ellipsoid, small exponents approach a box,
// e1 small and e2 = 1 a cylinder, exponents near 2 a double pyramid.
//
// g is a norm, made of two norms, so the support function is the dual norm, with p' = p / (p - 1)
// and q' = q / (q - 1), and the support point its gradient:
//
//   n = ||(a dx, b dy)||_p'      N = ||(n, c dz)||_q'
//   x = a sign(dx) (n / N)^(q' - 1) (|a dx| / n)^(p' - 1)      z = c sign(dz) (|c dz| / N)^(q' - 1)
//
// Volume and moments of inertia: Jaklic, Leonardis, Solina, Segmentation and Recovery of
// Superquadrics (2000), chapter 2.

#include <math.h>
#include <stddef.h>

#include "sinew/instance.h"
#include "sinew/shape.h"

enum { RADII, EXPONENTS };   // attributes

typedef struct superquadric {
  double radius[3];
  double e1, e2;
} superquadric;

// ------------------------------------------------------------------ properties

static double beta(double x, double y) {
  return tgamma(x) * tgamma(y) / tgamma(x + y);
}

static void measure(const superquadric *s, sn_shape_info *info) {
  const double *r = s->radius, e1 = s->e1, e2 = s->e2;
  const double a2 = r[0] * r[0], b2 = r[1] * r[1], c2 = r[2] * r[2], product = r[0] * r[1] * r[2];
  const double across = beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2 * e1 + 1);
  const double along = 4 * beta(0.5 * e2, 0.5 * e2 + 1) * beta(1.5 * e1, e1 + 1);
  info->volume = 2 * product * e1 * e2 * beta(0.5 * e1 + 1, e1) * beta(0.5 * e2, 0.5 * e2);
  const double factor = 0.5 * product * e1 * e2 / info->volume;   // for a mass of 1
  info->inertia[0] = factor * (b2 * across + c2 * along);
  info->inertia[1] = factor * (a2 * across + c2 * along);
  info->inertia[2] = factor * (a2 + b2) * across;
  memcpy(info->half, r, sizeof info->half);
}

static sn_status superquadric_make(const void *self, const sn_value *values, sn_shape_info *info,
                                   void **data, sn_error *error) {
  const double *r = values[RADII].reals, *e = values[EXPONENTS].reals;
  const superquadric s = { .radius = { r[0], r[1], r[2] }, .e1 = e[0], .e2 = e[1] };
  measure(&s, info);
  return sn_instance_keep(self, &s, sizeof s, data, error);
}

// ------------------------------------------------------------------ the surface

// The norm of two numbers, both not negative.
static double norm2(double x, double y, double exponent) {
  const double most = fmax(x, y), least = fmin(x, y);
  return most > 0 ? most * pow(1 + pow(least / most, exponent), 1 / exponent) : 0;
}

static double gauge(const superquadric *s, const double *point) {
  const double *r = s->radius;
  const double across = norm2(fabs(point[0]) / r[0], fabs(point[1]) / r[1], 2 / s->e2);
  return norm2(across, fabs(point[2]) / r[2], 2 / s->e1);
}

static void superquadric_support(const void *self, const void *data, const double *direction,
                                 double *point) {
  const superquadric *s = data;
  (void)self;
  // the dual of the exponent 2 / e is 2 / (2 - e), and one less than that e / (2 - e)
  const double slope1 = s->e1 / (2 - s->e1), slope2 = s->e2 / (2 - s->e2);
  double v[3];
  for (int k = 0; k < 3; k++) {
    v[k] = fabs(direction[k]) * s->radius[k];
  }
  const double n = norm2(v[0], v[1], 2 / (2 - s->e2)), N = norm2(n, v[2], 2 / (2 - s->e1));
  const double across = n > 0 ? pow(n / N, slope1) : 0;
  const double weight[3] = { n > 0 ? across * pow(v[0] / n, slope2) : 0,
                             n > 0 ? across * pow(v[1] / n, slope2) : 0, pow(v[2] / N, slope1) };
  for (int k = 0; k < 3; k++) {
    point[k] = copysign(s->radius[k] * weight[k], direction[k]);
  }
}

// ------------------------------------------------------------------ rays

static double gauge_at(const superquadric *s, const double *origin, const double *direction,
                       double t) {
  double point[3];
  for (int k = 0; k < 3; k++) {
    point[k] = origin[k] + t * direction[k];
  }
  return gauge(s, point);
}

// The gauge is convex along the ray. Its minimum, or the first place where it is at most 1.
static double find_inside(const superquadric *s, const double *origin, const double *direction,
                          double low, double high) {
  enum { STEPS = 120 };
  for (int i = 0; i < STEPS; i++) {
    const double first = low + (high - low) / 3, second = high - (high - low) / 3;
    const double at_first = gauge_at(s, origin, direction, first);
    const double at_second = gauge_at(s, origin, direction, second);
    if (at_first <= 1 || at_second <= 1) {
      return at_first <= 1 ? first : second;
    }
    low = at_first < at_second ? low : first;
    high = at_first < at_second ? second : high;
  }
  return -1;
}

// Between a place inside and one outside, in any order.
static double bisect(const superquadric *s, const double *origin, const double *direction,
                     double inside, double outside) {
  enum { STEPS = 60 };
  for (int i = 0; i < STEPS; i++) {
    const double middle = 0.5 * (inside + outside);
    if (gauge_at(s, origin, direction, middle) <= 1) {
      inside = middle;
    } else {
      outside = middle;
    }
  }
  return inside;
}

static double superquadric_ray(const void *self, const void *data, const double *origin,
                               const double *direction) {
  const superquadric *s = data;
  const double *r = s->radius, *o = origin;
  (void)self;
  const double far = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]) +
                     sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (gauge(s, origin) <= 1) {
    return bisect(s, origin, direction, 0, far);
  }
  const double inside = find_inside(s, origin, direction, 0, far);
  return inside < 0 ? -1 : bisect(s, origin, direction, inside, 0);
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "radii",
    .default_value = "0.1 0.1 0.1",
    .type = SN_PARAM_REALS,
    .nmin = 3,
    .nmax = 3,
    .min = 1e-6,
    .max = 1e6,
    .summary = "a, b, c, m" },
  { .name = "exponents",
    .default_value = "1 1",
    .type = SN_PARAM_REALS,
    .nmin = 2,
    .nmax = 2,
    .min = 0.05,
    .max = 1.95,
    .summary = "e1 along z, e2 across" },
  { .name = NULL },
};

static const sn_shape_ops ops = {
  .head = { .size = sizeof(sn_shape_ops),
            .summary = "superquadrics",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .make = superquadric_make,
  .drop = sn_instance_unbind,
  .support = superquadric_support,
  .ray = superquadric_ray,
};

static const sn_provide provides[] = {
  SN_PROVIDE_SHAPE("superquadric", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.superquadric", .version = "1.0", .license = "Apache-2.0",
          .summary = "superquadric shapes", .provides = provides)
