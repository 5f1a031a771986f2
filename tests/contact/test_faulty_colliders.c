// SPDX-License-Identifier: Apache-2.0
//
// Colliders that return invalid contact points, and one that needs more capacity.

#include <math.h>
#include <string.h>

#include "default_engine.h"
#include "sinew/collider.h"
#include "sinew/sinew.h"
#include "suite.h"

static int calls;

static sn_contact_point points[2];
static sn_status given_status;

static sn_status given_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                               sn_scratch *scratch) {
  (void)self, (void)batch, (void)scratch;
  calls++;
  memcpy(out->point, points, sizeof points);
  out->count = 2;
  return given_status;
}

// Needs more room at first, then touches in each pair three times.
static sn_status many_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                              sn_scratch *scratch) {
  (void)self, (void)scratch;
  calls++;
  out->count = 3 * batch->n;
  if (out->count > out->capacity) {
    return SN_MORE;
  }
  for (int64_t i = 0; i < out->count; i++) {
    out->point[i] = (sn_contact_point){ .pair = (int32_t)(i / 3),
                                        .dist = -0.1 * (double)(i % 3),
                                        .normal = { 1, 0, 0 } };
  }
  return SN_OK;
}

static const sn_collider_pair spheres[] = { { "sphere", "sphere" }, { NULL, NULL } };

static sn_status boundless_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                                   sn_scratch *scratch) {
  (void)self, (void)batch, (void)scratch;
  calls++;
  out->count = INT64_C(1) << 61;
  return SN_MORE;
}

// Needs one more than it gets, again and again.
static sn_status greedy_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                                sn_scratch *scratch) {
  (void)self, (void)batch, (void)scratch;
  calls++;
  out->count = out->capacity + 1;
  return SN_MORE;
}

static sn_status negative_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                                  sn_scratch *scratch) {
  (void)self, (void)batch, (void)scratch;
  calls++;
  out->count = -5;
  return SN_OK;
}

#define SPHERES_BY(function)                                                        \
  {                                                                                 \
    .head = { .size = sizeof(sn_collider_ops) }, .pairs = spheres, .max_points = 1, \
    .collide = function                                                             \
  }
static const sn_collider_ops given_ops = SPHERES_BY(given_collide);
static const sn_collider_ops many_ops = SPHERES_BY(many_collide);
static const sn_collider_ops boundless_ops = SPHERES_BY(boundless_collide);
static const sn_collider_ops greedy_ops = SPHERES_BY(greedy_collide);
static const sn_collider_ops negative_ops = SPHERES_BY(negative_collide);

// Three balls that touch one another.
static sn_model *model_with(const char *name, const sn_collider_ops *ops) {
  calls = 0;
  OK(sn_engine_add(engine, SN_KIND_COLLIDER, name, ops, error));
  OK(sn_select(engine, "sphere-sphere", name, error));
  return model_of("<mujoco><worldbody>"
                  "<body><freejoint/><geom name='a' size='.1'/></body>"
                  "<body pos='.1 0 0'><freejoint/><geom name='b' size='.1'/></body>"
                  "<body pos='0 .1 0'><freejoint/><geom name='c' size='.1'/></body>"
                  "</worldbody></mujoco>");
}

static const struct {
  const sn_collider_ops *ops;
  const char *words;
  int calls;
} invalid[] = {
  { &boundless_ops, "contact points for", 1 },
  { &greedy_ops, "and when it was called with that capacity, for", 2 },
  { &negative_ops, "returned a negative number of contact points, -5 (geom 'a' and geom '", 1 },
};
enum { NINVALID = sizeof invalid / sizeof invalid[0] };

START_TEST(collider_with_invalid_contacts_is_named) {
  sn_model *m = model_with("test.bad", invalid[_i].ops);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_forward_position(m, d), SN_EPLUGIN);
  ck_assert_int_eq(calls, invalid[_i].calls);
  const char *message = sn_error_message(sn_data_error(d));
  ck_assert_msg(strstr(message, "'test.bad' (sinew.collider/1)") != NULL &&
                    strstr(message, invalid[_i].words) != NULL,
                "%s", message);
  done_with(m, d);
}
END_TEST

// Points of three pairs.
static const struct {
  sn_contact_point first, second;
  sn_status status;
  const char *words;
} faults[] = {
#define POINT(...) \
  { .normal = { 1, 0, 0 }, __VA_ARGS__ }
  { POINT(.dist = NAN), POINT(.pair = 1), SN_OK, "returned a contact point that is not finite" },
  { POINT(.pair = 0), POINT(.pair = 2, .pos = { 0, INFINITY, 0 }), SN_OK, "that is not finite" },
  { POINT(.pair = 0), POINT(.pair = 2, .tangent = { 0, 0, NAN }), SN_OK, "that is not finite" },
  { POINT(.pair = 0), { .normal = { 1, 1e-2, 0 } }, SN_OK, "a normal that is not of unit length" },
  { POINT(.pair = 0), { .normal = { NAN, 0, 0 } }, SN_OK, "a normal that is not of unit length" },
  { POINT(.pair = 1), POINT(.pair = 0), SN_OK,
    "contact point 1 of a batch of 3 pairs for pair 0, which is out of range or out of order" },
  { POINT(.pair = 0), POINT(.pair = 3), SN_OK, "for pair 3, which is out of range" },
  { POINT(.pair = -1), POINT(.pair = 0), SN_OK, "for pair -1, which is out of range" },
  { POINT(.pair = 0), POINT(.pair = 1), SN_MORE, "returned SN_MORE, but its 2 contact points fit" },
  { POINT(.pair = 0), POINT(.pair = 1), 12345, "returned the status 12345" },
#undef POINT
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(contact_point_that_is_invalid_is_an_error) {
  sn_model *m = model_with("test.given", &given_ops);
  sn_data *d = data_of(m);
  points[0] = faults[_i].first;
  points[1] = faults[_i].second;
  given_status = faults[_i].status;
  ck_assert_int_eq(sn_forward_position(m, d), SN_EPLUGIN);
  const char *message = sn_error_message(sn_data_error(d));
  ck_assert_msg(strstr(message, "'test.given' (sinew.collider/1)") != NULL &&
                    strstr(message, faults[_i].words) != NULL,
                "%s", message);
  done_with(m, d);
}
END_TEST

START_TEST(collider_gets_more_capacity) {
  sn_model *m = model_with("test.many", &many_ops);
  sn_data *d = data_of(m);
  OK(sn_forward_position(m, d));
  ck_assert_int_eq(calls, 2);
  ck_assert_int_eq(snd_ncon(d), 9);
  for (int64_t i = 0; i < 9; i++) {
    ck_assert_double_eq_tol(snd_contact_dist(d)[i], -0.1 * (double)(i % 3), 1e-15);
  }
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(collider_with_invalid_contacts_is_named, 0, NINVALID);
  EACH(contact_point_that_is_invalid_is_an_error, 0, NFAULTS);
  TEST(collider_gets_more_capacity);
}
