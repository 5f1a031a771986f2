// SPDX-License-Identifier: Apache-2.0
//
// sn_geom_distance beside brute force, for every pair of types: signed, with the nearest points on
// the surfaces, in either order of the geoms, and up to a limit.

#include "conformance/collision/separation.h"
#include "contact/collision.h"
#include "model_file.h"
#include "random_state.h"
#include "ray_distance.h"
#include "suite.h"

#define SCENE model_file("contact/pairs_of_shapes")

enum { TYPES = 8, POSES = 60 };
static const double proof = 1e-10, allowed = 1e-7;   // m
// gjk of rims and edges, where Newton's method of its last digits finds no ground
static const double allowed_rims = 1e-5;

static void random_positions(sn_model *m, sn_data *d, double reach, uint32_t *seed) {
  for (int64_t k = 0; k < m->nq / 7; k++) {
    double *q = d->qpos + 7 * k;
    for (int i = 0; i < 7; i++) {
      q[i] = uniform(seed);
    }
    for (int i = 0; i < 3; i++) {
      q[i] *= reach;
    }
    sn_normalize4(q + 3);
  }
  sn_forward_position(m, d);
}

// The distance of a point to a geom, as that of a sphere without radius. Coarse: on a rim there are
// many directions to look at.
static double off_surface(const sn_shape *shape, const double *point) {
  static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const sn_shape ball = { .type = SN_GEOM_SPHERE, .pos = point, .mat = identity };
  return shape->type <= SN_GEOM_HFIELD ? separation(shape, &ball, 1e-6, 100, NULL)
                                       : separation(&ball, shape, 1e-6, 100, NULL);
}

static void check_pair(const sn_model *m, sn_data *d, int32_t g1, int32_t g2) {
  double fromto[6], back[6], between[3];
  sn_shape a = si_geom_shape(m, d, g1), b = si_geom_shape(m, d, g2);
  double truth = separation(&a, &b, proof, 100, NULL);
  double tolerance = a.type >= SN_GEOM_ELLIPSOID && b.type >= SN_GEOM_CYLINDER ? allowed_rims
                                                                               : allowed;
  double got = geom_distance(m, d, g1, g2, 100, fromto);
  ck_assert_msg(fabs(got - truth) <= tolerance, "geoms %d and %d: %.12g instead of %.12g", (int)g1,
                (int)g2, got, truth);

  // the points are on the surfaces, as far apart as it says
  sn_sub3(between, fromto + 3, fromto);
  ck_assert_msg(fabs(sn_norm3(between) - fabs(got)) <= tolerance, "geoms %d and %d: %.12g, %.12g",
                (int)g1, (int)g2, sn_norm3(between), got);
  if (a.type != SN_GEOM_HFIELD || got > 0) {   // else it is on a prism, maybe within another
    ck_assert_double_le(fabs(off_surface(&a, fromto)), 1e-4);
  }
  ck_assert_double_le(fabs(off_surface(&b, fromto + 3)), 1e-4);

  // in the other order, and below a limit
  double turned = a.type == b.type ? tolerance : 0;   // there the collider is asked the other way
  CLOSE(geom_distance(m, d, g2, g1, 100, back), got, turned);
  for (int k = 0; k < 3; k++) {
    CLOSE(back[k], fromto[3 + k], 100 * turned);
    CLOSE(back[3 + k], fromto[k], 100 * turned);
  }
  double limit = got - 0.01;
  ck_assert_double_eq(geom_distance(m, d, g1, g2, limit, fromto), limit);
  for (int k = 0; k < 6; k++) {
    ck_assert_double_eq(fromto[k], 0);
  }
}

START_TEST(distances_are_true) {
  open_engine();
  sn_model *m = model_of(SCENE);
  sn_data *d = data_of(m);
  uint32_t seed = 1;
  ck_assert_int_eq(m->ngeom, 2 + 2 * (TYPES - 2));
  for (int pose = 0; pose < POSES; pose++) {
    random_positions(m, d, 0.25, &seed);
    for (int32_t i = 0; i < TYPES; i++) {
      for (int32_t k = i < SN_GEOM_SPHERE ? SN_GEOM_SPHERE : i; k < TYPES; k++) {
        check_pair(m, d, i, i == k ? k + TYPES - 2 : k);
      }
    }
  }
  done_with(m, d);
  close_engine();
}
END_TEST

// Above, beside and below a height field, and in it.
START_TEST(fields_are_measured) {
  open_engine();
  sn_model *m = model_of(SCENE);
  sn_data *d = data_of(m);
  uint32_t seed = 5;
  int above = 0;
  for (int pose = 0; pose < POSES; pose += 4) {
    random_positions(m, d, 0.4 + 1.6 * pose / POSES, &seed);
    for (int32_t k = 2; k < m->ngeom; k++) {
      check_pair(m, d, SN_GEOM_HFIELD, k);
      above += geom_distance(m, d, SN_GEOM_HFIELD, k, 100, NULL) > 0;
    }
  }
  ck_assert_int_gt(above, POSES / 2);
  done_with(m, d);
  close_engine();
}
END_TEST

// No collider measures a plane and a height field, which is an error.
START_TEST(distance_unsupported_is_an_error) {
  open_engine();
  sn_model *m = model_of(SCENE);
  sn_data *d = data_of(m);
  sn_forward_position(m, d);
  ck_assert_double_nan(geom_distance(m, d, 0, 1, 1, NULL));
  const char *message = sn_error_message(sn_data_error(d));
  ck_assert_msg(strstr(message, "no loaded collider supports the distance") != NULL, "%s", message);
  ck_assert_double_nan(geom_distance(m, d, 0, 99, 1, NULL));
  ck_assert_double_nan(geom_distance(m, d, 2, 3, NAN, NULL));
  ck_assert_int_eq(sn_error_code(sn_data_error(d)), SN_EINVAL);
  done_with(m, d);
  close_engine();
}
END_TEST

// A pose that is not a number has no distance, by any collider and from either side.
START_TEST(distance_exists_in_every_pose) {
  open_engine();
  sn_model *m = model_of(SCENE);
  sn_data *d = data_of(m);
  const double bad[] = { NAN, INFINITY };
  for (int32_t k = SN_GEOM_SPHERE; k < TYPES; k++) {
    for (int32_t i = 0; i < TYPES; i++) {
      for (int place = (k + i) % 5; place < 24; place += 5) {
        int32_t other = i == k ? k + TYPES - 2 : i;
        sn_forward_position(m, d);
        double *pose = place < 6 ? d->geom_xpos + 3 * k + place / 2
                                 : d->geom_xmat + 9 * k + (place - 6) / 2;
        *pose = bad[place % 2];
        double points[6];
        ck_assert_double_nan(geom_distance(m, d, other, k, 1, points));
        ck_assert_double_nan(geom_distance(m, d, k, other, 1, points));
        const char *message = sn_error_message(sn_data_error(d));
        ck_assert_msg(strstr(message, "is not finite") != NULL, "%s", message);
      }
    }
  }
  done_with(m, d);
  close_engine();
}
END_TEST

// Shapes with one center part in many ways: the nearest points are those of the reported one.
START_TEST(distance_of_equal_centers_has_nearest_points) {
  open_engine();
  sn_model *m = model_of(
      "<mujoco><worldbody>"
      "<geom type='cylinder' size='.2 .3'/><geom type='cylinder' size='.2 .3'/>"
      "<geom type='box' size='.2 .2 .1'/><geom type='box' size='.2 .2 .1'/>"
      "<geom type='ellipsoid' size='.2 .1 .1'/><geom type='capsule' size='.2 .1'/>"
      "</worldbody></mujoco>");
  sn_data *d = data_of(m);
  sn_forward_position(m, d);
  for (int32_t i = 0; i < 6; i++) {
    for (int32_t j = i; j < 6; j++) {
      double points[6], apart[3];
      double depth = -geom_distance(m, d, i, j, 1, points);
      sn_sub3(apart, points, points + 3);
      ck_assert_double_gt(depth, 0.1);
      ck_assert_double_eq_tol(sn_norm3(apart), depth, 1e-9);
    }
  }
  done_with(m, d);
  close_engine();
}
END_TEST

TESTS() {
  TEST(distances_are_true);
  TEST(fields_are_measured);
  TEST(distance_unsupported_is_an_error);
  TEST(distance_exists_in_every_pose);
  TEST(distance_of_equal_centers_has_nearest_points);
}
