// SPDX-License-Identifier: Apache-2.0
//
// Wrapping against closed forms, against paths that are searched for, and against its own
// tangents: the ends of the curved part must lie on the surface and its straight parts touch it.

#include <math.h>
#include <stdlib.h>

#include "dynamics/wrap.h"
#include "sinew/math.h"
#include "sinew/spec.h"
#include "suite.h"

static const double origin[3] = { 0, 0, 0 };
static const double upright[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

static uint64_t seed = 1;

static double uniform(double lo, double hi) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return lo + (hi - lo) * (double)(seed >> 11) / 9007199254740992.0;
}

static double path_length(int32_t type, const double *x0, const double *x1, double r,
                          const double *side) {
  double a[3], b[3];
  double on = si_wrap(type, x0, x1, origin, upright, r, side, a, b);
  return on < 0 ? sn_dist3(x0, x1) : sn_dist3(x0, a) + on + sn_dist3(b, x1);
}

// two points at the same distance D from the center, 2 a apart in angle: tangents sqrt(D^2 - r^2),
// arc r (2 a - 2 acos(r / D))
START_TEST(sphere_closed_form) {
  const double D = 2, r = 0.7, angle = 1.4;
  const double x0[3] = { D, 0, 0 };
  const double x1[3] = { D * cos(2 * angle), D * sin(2 * angle) * 0.6, D * sin(2 * angle) * 0.8 };
  double expected = 2 * sqrt(D * D - r * r) + r * (2 * angle - 2 * acos(r / D));
  ck_assert_double_le(fabs(path_length(SN_WRAP_SPHERE, x0, x1, r, NULL) - expected), 1e-14);
}
END_TEST

// the cylinder, unrolled, is the plane: the length is the hypotenuse of the length in the cross
// section and the rise
START_TEST(cylinder_closed_form) {
  const double D = 2, r = 0.7, angle = 1.4, rise = 1.3;
  const double x0[3] = { D, 0, 0.2 };
  const double x1[3] = { D * cos(2 * angle), D * sin(2 * angle), 0.2 + rise };
  double flat = 2 * sqrt(D * D - r * r) + r * (2 * angle - 2 * acos(r / D));
  double length = path_length(SN_WRAP_CYLINDER, x0, x1, r, NULL);
  ck_assert_double_le(fabs(length - sqrt(flat * flat + rise * rise)), 1e-14);
}
END_TEST

START_TEST(segment_beside_the_object) {
  const double x0[3] = { -1, 2, 0 }, x1[3] = { 1, 2, 0 }, within[3] = { 0.1, 0, 0 };
  const double below[3] = { 0, -3, 0 }, above[3] = { 0, 3, 0 };
  double a[3], b[3];
  for (int32_t type = SN_WRAP_SPHERE; type <= SN_WRAP_CYLINDER; type++) {
    // the segment misses the object
    ck_assert(si_wrap(type, x0, x1, origin, upright, 1, NULL, a, b) < 0);
    // ... on the side that is asked for, or on the other one
    ck_assert(si_wrap(type, x0, x1, origin, upright, 1, above, a, b) < 0);
    ck_assert(si_wrap(type, x0, x1, origin, upright, 1, below, a, b) > 0);
    // an end is within
    ck_assert(si_wrap(type, x0, within, origin, upright, 1, NULL, a, b) < 0);
  }
}
END_TEST

// the side decides the way round, whatever is shorter
START_TEST(side_decides_the_way) {
  const double x0[3] = { -2, 0.2, 0 }, x1[3] = { 2, 0.2, 0 };
  const double above[3] = { 0, 3, 0 }, below[3] = { 0, -3, 0 };
  for (int32_t type = SN_WRAP_SPHERE; type <= SN_WRAP_CYLINDER; type++) {
    double free_length = path_length(type, x0, x1, 1, NULL);
    ck_assert_double_eq(path_length(type, x0, x1, 1, above), free_length);
    ck_assert_double_gt(path_length(type, x0, x1, 1, below), free_length + 0.1);
  }
}
END_TEST

// a path through the object: the shortest over all points of the circle, found by looking at them
START_TEST(inside) {
  const double side[3] = { 0.05, 0.02, 0 };
  for (int i = 0; i < 200; i++) {
    double r = uniform(0.2, 0.6);
    const double x0[3] = { uniform(-2, 2), uniform(0.7, 2), 0 };
    const double x1[3] = { uniform(-2, 2), uniform(0.7, 2), 0 };
    double best = INFINITY;
    for (int k = 0; k < 20000; k++) {
      double t = SN_PI * k / 20000;
      const double p[3] = { r * cos(t), r * sin(t), 0 };
      best = fmin(best, sn_dist3(x0, p) + sn_dist3(p, x1));
    }
    double length = path_length(SN_WRAP_CYLINDER, x0, x1, r, side);
    ck_assert_double_le(length, best + 1e-12);
    ck_assert_double_ge(length, best - 1e-6);
    ck_assert_double_le(fabs(path_length(SN_WRAP_SPHERE, x0, x1, r, side) - length), 1e-12);
  }
}
END_TEST

// ends on the surface, tangent there, in order; nothing shorter goes round
START_TEST(tangents) {
  int wrapped = 0;
  for (int i = 0; i < 2000; i++) {
    int32_t type = i % 2 ? SN_WRAP_SPHERE : SN_WRAP_CYLINDER;
    double r = uniform(0.2, 0.9), x0[3], x1[3], a[3], b[3];
    for (int k = 0; k < 3; k++) {
      x0[k] = uniform(-2, 2);
      x1[k] = uniform(-2, 2);
    }
    double on = si_wrap(type, x0, x1, origin, upright, r, NULL, a, b);
    if (on < 0) {
      continue;
    }
    wrapped++;
    double end[2][3], straight[3];
    sn_copy3(end[0], a);
    sn_copy3(end[1], b);
    for (int k = 0; k < 2; k++) {
      if (type == SN_WRAP_CYLINDER) {
        end[k][2] = 0;   // the normal of the surface
      }
      ck_assert_double_le(fabs(sn_norm3(end[k]) - r), 1e-12);
      sn_sub3(straight, k ? b : a, k ? x1 : x0);
      ck_assert_double_le(fabs(sn_dot3(straight, end[k])), 1e-12);
    }
    ck_assert_double_ge(on, sn_dist3(a, b));
    ck_assert_double_ge(sn_dist3(x0, a) + on + sn_dist3(b, x1), sn_dist3(x0, x1));
    ck_assert_double_le(on, r * SN_PI + fabs(x1[2] - x0[2]));
  }
  ck_assert_int_gt(wrapped, 300);
}
END_TEST

// ------------------------------------------------------------------ rates

static void moved(double *out, const double *x, const double *v, const double *a, double t) {
  for (int i = 0; i < 3; i++) {
    out[i] = x[i] + t * v[i] + t * t / 2 * a[i];
  }
}

// The second derivative of the length of a path whose ends move, against differences.
START_TEST(acceleration_of_the_length) {
  static const int32_t types[2] = { SN_WRAP_SPHERE, SN_WRAP_CYLINDER };
  static const double at[4] = { -2, -1, 1, 2 }, weight[4] = { -1, 16, 16, -1 };
  const double h = 1e-3, r = 0.5;
  int count[2][3] = { { 0 } };   // around; on the side of a point; through the inside
  for (int trial = 0; trial < 6000; trial++) {
    const int type = trial % 2, kind = trial / 2 % 3;
    double x[2][3], v[2][3], a[2][3], side[3], q0[3], q1[3], local[4][3];
    for (int i = 0; i < 3; i++) {
      side[i] = uniform(-1, 1) * (kind == 2 ? 0.2 : 1);
      for (int k = 0; k < 2; k++) {
        x[k][i] = uniform(-2, 2);
        v[k][i] = uniform(-1, 1);
        a[k][i] = uniform(-1, 1);
      }
    }
    si_plane_path path;
    const double *passes = kind ? side : NULL;
    if (!si_wrap_plane(types[type], x[0], x[1], origin, upright, r, passes, &path)) {
      continue;
    }
    double second = -30 * path_length(types[type], x[0], x[1], r, passes);
    int same = 1;   // kind of path
    for (int k = 0; k < 4; k++) {
      si_plane_path other;
      moved(q0, x[0], v[0], a[0], at[k] * h);
      moved(q1, x[1], v[1], a[1], at[k] * h);
      second += weight[k] * path_length(types[type], q0, q1, r, passes);
      same = same && si_wrap_plane(types[type], q0, q1, origin, upright, r, passes, &other) &&
             other.arc.turn == path.arc.turn;
    }
    second /= 12 * h * h;
    const double *all[4] = { v[0], a[0], v[1], a[1] };
    for (int k = 0; k < 4; k++) {
      sn_mul_mat_vec3(local[k], path.axes, all[k]);
    }
    const double got = si_wrap_acceleration(types[type], &path, r, local[0], local[1], local[2],
                                            local[3]);
    // differences say little where an end is near the surface, or the ends near opposite directions
    if (same && fabs(second) < 10) {
      ck_assert_msg(fabs(got - second) < 1e-3 * (1 + fabs(second)), "trial %d: %.9g, not %.9g",
                    trial, got, second);
      count[type][kind]++;
    }
  }
  for (int type = 0; type < 2; type++) {
    for (int kind = 0; kind < 3; kind++) {
      ck_assert_int_gt(count[type][kind], 30);
    }
  }
}
END_TEST

TESTS() {
  TEST(sphere_closed_form);
  TEST(cylinder_closed_form);
  TEST(segment_beside_the_object);
  TEST(side_decides_the_way);
  TEST(inside);
  TEST(tangents);
  TEST(acceleration_of_the_length);
}
