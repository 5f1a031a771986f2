// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of shapes with one fault each.

#include "conformance.h"
#include "default_engine.h"
#include "sinew/shape.h"

enum {
  SOUND,
  SILENT,             // a rejection without a reason
  NO_VOLUME,
  LARGER_VOLUME,
  OTHER_INERTIA,      // that of a hollow box
  SMALL_BOX,          // half sizes
  NOT_THE_FARTHEST,   // the support point of a rounded box
  REMEMBERS,
  NOT_A_NUMBER,
  NO_RAYS_FROM_INSIDE,
  LONG_RAYS
};
static int fault;

// A box; h: its half sizes.
static const double h[3] = { 0.1, 0.2, 0.3 };

static sn_status make(const void *self, const sn_value *values, sn_shape_info *info, void **data,
                      sn_error *e) {
  (void)self, (void)values, (void)data, (void)e;
  for (int k = 0; k < 3; k++) {
    const double b = h[(k + 1) % 3], c = h[(k + 2) % 3];
    info->half[k] = fault == SMALL_BOX ? 0.99 * h[k] : h[k];
    info->inertia[k] = (b * b + c * c) / (fault == OTHER_INERTIA ? 2 : 3);
  }
  info->volume = fault == NO_VOLUME ? 0 : 8 * h[0] * h[1] * h[2];
  info->volume *= fault == LARGER_VOLUME ? 1.1 : 1;
  return fault == SILENT ? SN_EINVAL : SN_OK;
}

static void drop(const void *self, void *data) {
  (void)self, (void)data;
}

static void support(const void *self, const void *data, const double *direction, double *point) {
  static int calls;
  (void)self, (void)data;
  calls++;
  for (int k = 0; k < 3; k++) {
    point[k] = copysign(h[k], direction[k]);
  }
  point[0] *= fault == NOT_THE_FARTHEST && direction[2] < -0.5 ? 0.999 : 1;
  point[1] -= fault == REMEMBERS ? 1e-14 * (calls % 2) : 0;
  point[2] = fault == NOT_A_NUMBER ? NAN : point[2];
}

static double ray(const void *self, const void *data, const double *o, const double *d) {
  double enter = -INFINITY, leave = INFINITY;
  (void)self, (void)data;
  for (int k = 0; k < 3; k++) {
    const double a = (-h[k] - o[k]) / d[k], b = (h[k] - o[k]) / d[k];
    enter = fmax(enter, fmin(a, b));
    leave = fmin(leave, fmax(a, b));
  }
  if (enter > leave || leave < 0) {
    return -1;
  }
  const double inside = fault == NO_RAYS_FROM_INSIDE ? -1 : leave;
  return enter >= 0 ? enter : fault == LONG_RAYS ? 1.001 * inside : inside;
}

static const sn_shape_ops box = {
  .head = { .size = sizeof box, .summary = "a toy" },
  .make = make,
  .drop = drop,
  .support = support,
  .ray = ray,
};

#define BOX SN_KIND_SHAPE, &box
static const planted faults[] = {
  { BOX, SOUND, NULL, NULL, NULL },
  { BOX, SILENT, "make", "SN_EINVAL", NULL },
  { BOX, NO_VOLUME, "solid", "must be positive; make wrote half", NULL },
  { BOX, LARGER_VOLUME, "volume", "that of the support points", NULL },
  { BOX, OTHER_INERTIA, "inertia", "that of the solid", NULL },
  { BOX, SMALL_BOX, "box", "outside of the box by 0.003 m; ", NULL },
  { BOX, NOT_THE_FARTHEST, "support", "is farther by", "|rays|" },
  { BOX, REMEMBERS, "same bits", "same direction returns two points", NULL },
  { BOX, NOT_A_NUMBER, "finite", "support points are not finite",
    "|same bits|box|support|volume|inertia|rays|" },
  { BOX, NO_RAYS_FROM_INSIDE, "rays", "0 of 400 rays meet", NULL },
  { BOX, LONG_RAYS, "rays", "is outside of the solid by", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  expect_finding(&faults[_i]);
}
END_TEST

START_TEST(sample_passes) {
  open_engine();
  ck_assert_msg(sn_engine_load_plugin(engine, "superquadric",
                                      SN_TEST_BUILD "/samples/superquadric.so", error) >= 0,
                "%s", sn_error_text(error));
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_SHAPE), 1);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  expect_covered(engine, SN_KIND_SHAPE, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(sample_passes);
  TEST(each_requirement_has_a_fault);
}
