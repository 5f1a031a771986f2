// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit detects faults: for colliders of spheres with one fault each, the requirement
// that the fault violates fails, with a message that names the pair and has numbers; the collider
// without a fault meets all. And the reference values of the kit agree with closed forms.

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "conformance/collision/separation.h"
#include "conformance/kit.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sanitized.h"
#include "sinew/collider.h"
#include "sinew/math.h"
#include "suite.h"

// ------------------------------------------------------------------ a collider of spheres

typedef enum fault {
  NONE,
  NOT_A_NUMBER,
  LONG_NORMAL,
  BEYOND_MARGIN,
  OUT_OF_ORDER,
  TOO_MANY,
  A_LITTLE_OFF,
  FORGETFUL,
  SEES_THE_WORLD,
  WORLD_NORMAL,
  UNEQUAL,
  ONE_WAY,
  NO_ROOM,
  TOO_DEEP,
  ONLY_OVERLAPS,
  JUMPS,
  CENTERED,
  DISTANCE_OFF,
  POINTS_OFF,
  RAY_OFF,
  INVERTED,    // attracts
  ELSEWHERE,   // the contact point
  FAILS,
  OVERWRITES,
  CHANGES_INPUTS,
  CROWDED,     // is right in one thread only
  LOCALIZED,
  NFAULT
} fault;

static int calls;

// Is this another thread than that of the first call?
static int is_crowded(void) {
  static int called;
  static pthread_t first;
  first = __atomic_fetch_add(&called, 1, __ATOMIC_SEQ_CST) == 0
              ? pthread_self()
              : first;   // before there are others
  return !pthread_equal(pthread_self(), first);
}

static int has_comma(void) {
  char text[16];
  snprintf(text, sizeof text, "%.1f", 0.5);
  return text[1] == ',';
}

// Distance and normal of two spheres, with the fault.
static double measure(fault f, const sn_shape *a, const sn_shape *b, double *normal) {
  sn_sub3(normal, b->pos, a->pos);
  double between = sn_norm3(normal), dist = between - a->size[0] - b->size[0];
  if (between > 0) {
    sn_scale3(normal, normal, 1 / between);
  } else {
    normal[0] = f == CENTERED ? NAN : 1;
  }
  switch (f) {
    case NOT_A_NUMBER: return dist < -0.1 ? NAN : dist;
    case LONG_NORMAL: sn_scale3(normal, normal, 1.001); return dist;
    case A_LITTLE_OFF: return dist + 1e-7;
    case CROWDED: return dist + 1e-12 * is_crowded();
    case LOCALIZED: return dist + 1e-12 * has_comma();
    case FORGETFUL: return dist + 1e-12 * (calls % 2);
    case SEES_THE_WORLD: return dist + 1e-3 * a->pos[2];
    case WORLD_NORMAL:
      normal[2] += 0.1;
      sn_normalize3(normal);
      return dist;
    case UNEQUAL: return dist + 1e-3 * a->size[0];
    case ONE_WAY: sn_scale3(normal, normal, normal[0] < 0 ? -1 : 1); return dist;
    case TOO_DEEP: return 2 * dist - 0.05;
    case INVERTED: sn_scale3(normal, normal, -1); return dist;
    case JUMPS: return floor(dist / 0.02) * 0.02;
    default: return dist;
  }
}

static sn_status collide_with(fault f, const sn_batch *batch, sn_contact_list *out) {
  out->count = 0;
  calls++;
  for (int64_t i = 0; i < batch->n; i++) {
    sn_contact_point t = { .pair = (int32_t)(f == OUT_OF_ORDER ? batch->n - 1 - i : i) };
    const sn_shape *a = &batch->first[i], *b = &batch->second[i];
    t.dist = measure(f, a, b, t.normal);
    double margin = f == ONLY_OVERLAPS ? 0 : batch->margin[i] + (f == BEYOND_MARGIN ? 0.01 : 0);
    if (t.dist > margin) {
      continue;
    }
    sn_addscale3(t.pos, a->pos, a->size[0] + 0.5 * t.dist + (f == ELSEWHERE ? 5 : 0), t.normal);
    for (int k = 0; k < (f == TOO_MANY && i == 0 ? 3 : 1); k++) {
      if (out->count < out->capacity) {
        out->point[out->count] = t;
      }
      out->count++;
    }
  }
  if (f == OVERWRITES) {
    out->point[out->capacity].dist = 0;
  } else if (f == CHANGES_INPUTS && batch->n > 0) {
    ((double *)(uintptr_t)batch->margin)[0] += 1e-12;
  } else if (f == FAILS) {
    return SN_EINVAL;
  }
  if (f == NO_ROOM && out->count > out->capacity) {
    out->count = out->capacity;
  }
  return out->count > out->capacity ? SN_MORE : SN_OK;
}

static sn_status distance_with(fault f, const sn_shape *a, const sn_shape *b, double limit,
                               double *distance, double *point1, double *point2) {
  double normal[3];
  *distance = limit;
  sn_zero3(point1);
  sn_zero3(point2);
  double dist = measure(NONE, a, b, normal) + (f == DISTANCE_OFF ? 1e-5 : 0);
  if (dist < limit) {
    *distance = dist;
    sn_addscale3(point1, a->pos, a->size[0], normal);
    sn_addscale3(point2, b->pos, f == POINTS_OFF ? 0 : -b->size[0], normal);
  }
  return SN_OK;
}

static double ray_with(fault f, const sn_shape *s, const double *origin, const double *direction) {
  double to[3];
  sn_sub3(to, s->pos, origin);
  double ahead = sn_dot3(to, direction), radius = s->size[0] + (f == RAY_OFF ? 1e-4 : 0);
  double square = radius * radius - sn_dot3(to, to) + ahead * ahead;
  double x = square < 0 ? -1 : ahead - sqrt(square);
  return x >= 0 ? x : square < 0 ? -1 : ahead + sqrt(square);
}

// ------------------------------------------------------------------ one table a fault

static const sn_collider_pair spheres[] = { { "sphere", "sphere" }, { NULL, NULL } };

#define TOY(f)                                                                                  \
  static sn_status collide_##f(const void *self, const sn_batch *batch, sn_contact_list *out,   \
                               sn_scratch *scratch) {                                           \
    (void)self, (void)scratch;                                                                  \
    return collide_with(f, batch, out);                                                         \
  }                                                                                             \
  static sn_status distance_##f(const void *self, const sn_shape *a, const sn_shape *b,         \
                                double limit, double *distance, double *point1, double *point2, \
                                sn_scratch *scratch) {                                          \
    (void)self, (void)scratch;                                                                  \
    return distance_with(f, a, b, limit, distance, point1, point2);                             \
  }                                                                                             \
  static sn_status ray_##f(const void *self, const sn_shape *s, const double *origin,           \
                           const double *direction, double *distance) {                         \
    (void)self;                                                                                 \
    *distance = ray_with(f, s, origin, direction);                                              \
    return SN_OK;                                                                               \
  }                                                                                             \
  static const sn_collider_ops ops_##f = {                                                      \
    .head = { .size = sizeof ops_##f, .summary = "spheres, with a fault" },                     \
    .pairs = spheres,                                                                           \
    .max_points = 2,                                                                            \
    .collide = collide_##f,                                                                     \
    .distance = distance_##f,                                                                   \
    .ray = ray_##f,                                                                             \
  }

TOY(NONE);
TOY(NOT_A_NUMBER);
TOY(LONG_NORMAL);
TOY(BEYOND_MARGIN);
TOY(OUT_OF_ORDER);
TOY(TOO_MANY);
TOY(A_LITTLE_OFF);
TOY(FORGETFUL);
TOY(SEES_THE_WORLD);
TOY(WORLD_NORMAL);
TOY(UNEQUAL);
TOY(ONE_WAY);
TOY(NO_ROOM);
TOY(TOO_DEEP);
TOY(ONLY_OVERLAPS);
TOY(JUMPS);
TOY(CENTERED);
TOY(DISTANCE_OFF);
TOY(POINTS_OFF);
TOY(RAY_OFF);
TOY(INVERTED);
TOY(ELSEWHERE);
TOY(FAILS);
TOY(OVERWRITES);
TOY(CHANGES_INPUTS);
TOY(CROWDED);
TOY(LOCALIZED);

static const sn_collider_pair unknown[] = { { "sphere", "spehre" }, { NULL, NULL } };
static const sn_collider_ops misspelled = {
  .head = { .size = sizeof misspelled, .summary = "a pair that does not exist" },
  .pairs = unknown,
  .max_points = 2,
  .collide = collide_NONE,
};

// The requirement that fails, and a part of the message.
static const struct {
  const sn_collider_ops *ops;
  const char *requirement, *says;
} toys[NFAULT + 1] = {
  [NONE] = { &ops_NONE, NULL, NULL },
  [NOT_A_NUMBER] = { &ops_NOT_A_NUMBER, "well formed", "distance -nan|distance nan" },
  [LONG_NORMAL] = { &ops_LONG_NORMAL, "well formed", "is not of unit length" },
  [BEYOND_MARGIN] = { &ops_BEYOND_MARGIN, "well formed", "but the margin is 0.05" },
  [OUT_OF_ORDER] = { &ops_OUT_OF_ORDER, "well formed", "after pair" },
  [TOO_MANY] = { &ops_TOO_MANY, "well formed", "3 contact points, but max_points is 2" },
  [A_LITTLE_OFF] = { &ops_A_LITTLE_OFF, "closed form", "instead of" },
  [FORGETFUL] = { &ops_FORGETFUL, "same bits", "" },
  [SEES_THE_WORLD] = { &ops_SEES_THE_WORLD, "motion depth", "moved, the distance is" },
  [WORLD_NORMAL] = { &ops_WORLD_NORMAL, "motion normal", "moved, the normal is" },
  [UNEQUAL] = { &ops_UNEQUAL, "swap depth", "swapped, the distance is" },
  [ONE_WAY] = { &ops_ONE_WAY, "swap normal", "swapped, the normal is" },
  [NO_ROOM] = { &ops_NO_ROOM, "capacity", "" },
  [TOO_DEEP] = { &ops_TOO_DEEP, "depth", "instead of" },
  [ONLY_OVERLAPS] = { &ops_ONLY_OVERLAPS, "depth", "no contact point, but the distance is" },
  [JUMPS] = { &ops_JUMPS, "continuous", "m, the distance is" },
  [CENTERED] = { &ops_CENTERED, "degenerate", "is not of unit length" },
  [DISTANCE_OFF] = { &ops_DISTANCE_OFF, "distance", "`distance` returned" },
  [POINTS_OFF] = { &ops_POINTS_OFF, "nearest points", "apart at the distance" },
  [RAY_OFF] = { &ops_RAY_OFF, "rays", "off its surface" },
  [INVERTED] = { &ops_INVERTED, "normals", "the distance grows by -1 of the motion" },
  [ELSEWHERE] = { &ops_ELSEWHERE, "positions", "m off a surface" },
  [FAILS] = { &ops_FAILS, "collide", "1 calls failed" },
  [OVERWRITES] = { &ops_OVERWRITES, "outputs", "past the end of point" },
  [CHANGES_INPUTS] = { &ops_CHANGES_INPUTS, "inputs", "collide changes the batch" },
  [CROWDED] = { &ops_CROWDED, "threads", "point differs" },
  [LOCALIZED] = { &ops_LOCALIZED, "locale", "point differs" },
  [NFAULT] = { &misspelled, "pairs", "1 pairs have" },
};

// ------------------------------------------------------------------ the reports

typedef struct failures {
  const char *requirement;
  char detail[300], all[2000];
  int caught;
} failures;

static void take(void *context, const char *requirement, int result, const char *detail) {
  failures *v = context;
  if (result != KIT_FAILED) {
    return;
  }
  size_t n = strlen(v->all);
  snprintf(v->all + n, sizeof v->all - n, "%s: %s; ", requirement, detail);
  if (v->requirement && strcmp(requirement, v->requirement) == 0) {
    v->caught = 1;
    snprintf(v->detail, sizeof v->detail, "%s", detail);
  }
}

// one of the parts between bars
static int says(const char *text, const char *parts) {
  char part[64];
  for (const char *p = parts;; p += strlen(part) + 1) {
    snprintf(part, sizeof part, "%.*s", (int)strcspn(p, "|"), p);
    if (strstr(text, part)) {
      return 1;
    }
    if (!p[strlen(part)]) {
      return 0;
    }
  }
}

START_TEST(kit_catches_each_fault) {
  open_engine();
  sn_provider_info provider = {
    .size = sizeof provider, .kind = SN_KIND_COLLIDER, .name = "toy", .ops = toys[_i].ops
  };
  failures v = { .requirement = toys[_i].requirement };
  const int has_locale = _i != LOCALIZED || find_german();
  int failed = kit_test(engine, &provider, take, &v);
  if (!toys[_i].requirement) {
    ck_assert_msg(failed == 0, "%s", v.all);
  } else if (has_locale) {
    ck_assert_msg(v.caught, "'%s' does not catch fault %d, but: %s", toys[_i].requirement, _i,
                  v.all);
    ck_assert_msg(says(v.detail, toys[_i].says), "%s", v.detail);
    ck_assert_msg(!*toys[_i].says || _i >= FAILS || strstr(v.detail, "sphere-sphere"), "%s",
                  v.detail);
  }
  close_engine();
}
END_TEST

// What the kit tests of the colliders of Sinew has a fault above. 'table' and 'instances' have
// their faults in test_kit_tables.c and 'user shapes' in test_user_pairs.c; a call that fails ends
// the test before 'calls'.
static void expect_fault(void *context, const char *requirement, int result, const char *detail) {
  (void)context, (void)result, (void)detail;
  int found = strcmp(requirement, "table") == 0 || strcmp(requirement, "calls") == 0 ||
              strcmp(requirement, "instances") == 0 || strcmp(requirement, "user shapes") == 0;
  for (int i = 0; i <= NFAULT && !found; i++) {
    found = toys[i].requirement && strcmp(toys[i].requirement, requirement) == 0;
  }
  ck_assert_msg(found, "no fault is planted for '%s'", requirement);
}

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  sn_provider_info provider = { .size = sizeof provider };
  for (int64_t i = 0; sn_engine_provider(engine, i, &provider); i++) {
    if (strcmp(provider.kind, SN_KIND_COLLIDER) == 0) {
      kit_test(engine, &provider, expect_fault, NULL);
    }
  }
  close_engine();
}
END_TEST

// ------------------------------------------------------------------ the truth

static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

static double random_number(void) {
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

// the point of a box in its frame that is nearest to another outside, or the way out of it
static double box_distance(const double *half, const double *point) {
  double outside = 0, inside = -INFINITY;
  for (int k = 0; k < 3; k++) {
    double over = fabs(point[k]) - half[k];
    outside += over > 0 ? over * over : 0;
    inside = fmax(inside, over);
  }
  return outside > 0 ? sqrt(outside) : inside;
}

// Spheres and boxes at random, apart and in one another, beside their closed forms.
START_TEST(kit_truth_is_that_of_closed_forms) {
  const double proof = 1e-10;
  for (int i = 0; i < SOME(2000); i++) {
    double p[2][3], mat[9], quat[4], local[3], normal[3];
    for (int k = 0; k < 4; k++) {
      quat[k] = random_number();
    }
    sn_normalize4(quat);
    sn_quat_mat(mat, quat);
    sn_shape a = { .type = SN_GEOM_SPHERE, .pos = p[0], .mat = identity };
    sn_shape b = { .type = i % 2 ? SN_GEOM_BOX : SN_GEOM_SPHERE, .pos = p[1], .mat = mat };
    for (int k = 0; k < 3; k++) {
      a.size[k] = 0.3 + 0.2 * random_number();
      b.size[k] = 0.3 + 0.2 * random_number();
      p[0][k] = 0.5 * random_number();
      p[1][k] = 0.5 * random_number();
    }
    sn_sub3(local, p[0], p[1]);
    sn_mul_matT_vec3(local, mat, local);
    double expected = i % 2 ? box_distance(b.size, local) : sn_norm3(local) - b.size[0];
    double got = separation(&a, &b, proof, 10, normal);
    ck_assert_double_le(got, expected - a.size[0] + 1e-14);
    ck_assert_double_ge(got, expected - a.size[0] - proof - 1e-14);
    ck_assert_double_eq_tol(sn_norm3(normal), 1, 1e-14);
  }
}
END_TEST

TESTS() {
  EACH(kit_catches_each_fault, 0, SOME(NFAULT + 1));
  TEST(each_requirement_has_a_fault);
  TEST(kit_truth_is_that_of_closed_forms);
}
