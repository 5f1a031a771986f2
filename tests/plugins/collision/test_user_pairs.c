// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit tests colliders that list `user`: with shapes of its own, which a collider
// may decline, and with those of the collider's plugin. Here a plugin brings a ball and a collider
// for it.

#include <stdlib.h>

#include "conformance/kit.h"
#include "default_engine.h"
#include "sinew/collider.h"
#include "sinew/math.h"
#include "sinew/shape.h"
#include "suite.h"

enum { SOUND, BY_SUPPORT, A_LITTLE_OFF, FAILS, TAKES_ALL, DECLINES_ALL };
static int fault;

// ------------------------------------------------------------------ the ball

static sn_status make(const void *self, const sn_value *values, sn_shape_info *info, void **data,
                      sn_error *e) {
  const double r = values[0].real;
  double *own = malloc(sizeof *own);
  (void)self, (void)e;
  ck_assert_ptr_nonnull(own);
  *own = r;
  *data = own;
  for (int k = 0; k < 3; k++) {
    info->half[k] = r;
    info->inertia[k] = 0.4 * r * r;
  }
  info->volume = 4 * SN_PI / 3 * r * r * r;
  return SN_OK;
}

static void drop(const void *self, void *data) {
  (void)self;
  free(data);
}

static void support(const void *self, const void *data, const double *direction, double *point) {
  (void)self;
  sn_scale3(point, direction, *(const double *)data);
}

static const sn_param attributes[] = { { .name = "radius",
                                         .default_value = "0.3",
                                         .type = SN_PARAM_REAL,
                                         .min = 0.1,
                                         .max = 1,
                                         .summary = "radius, m" },
                                       { .name = NULL } };

static const sn_shape_ops ball = {
  .head = { .size = sizeof ball, .summary = "balls" },
  .attributes = attributes,
  .make = make,
  .drop = drop,
  .support = support,
};

// ------------------------------------------------------------------ the collider

// The lowest point of the shape.
static double height_of(const sn_shape *plane, const sn_shape *shape, const double *normal,
                        double *point) {
  double to[3], down[3], local[3];
  sn_scale3(down, normal, -1);
  if (fault == BY_SUPPORT) {
    sn_mul_matT_vec3(local, shape->mat, down);
    shape->user->ops->support(shape->user->self, shape->user->data, local, point);
    sn_mul_mat_vec3(point, shape->mat, point);
    sn_add3(point, point, shape->pos);
  } else {
    const double *radius = fault == TAKES_ALL ? shape->size : shape->user->data;
    sn_addscale3(point, shape->pos, *radius, down);
  }
  sn_sub3(to, point, plane->pos);
  return sn_dot3(to, normal) + (fault == A_LITTLE_OFF ? 1e-5 : 0);
}

static sn_status collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                         sn_scratch *scratch) {
  (void)self, (void)scratch;
  out->count = 0;
  const int is_mine = strcmp(batch->second[0].user->type, "own.ball") == 0;
  if (fault == DECLINES_ALL || (!is_mine && fault != TAKES_ALL && fault != BY_SUPPORT)) {
    return fault == FAILS ? SN_EINVAL : SN_EUNSUPPORTED;
  }
  for (int64_t i = 0; i < batch->n; i++) {
    const double *m = batch->first[i].mat;
    sn_contact_point point = { .pair = (int32_t)i, .normal = { m[2], m[5], m[8] } };
    point.dist = height_of(&batch->first[i], &batch->second[i], point.normal, point.pos);
    sn_addscale3(point.pos, point.pos, -0.5 * point.dist, point.normal);
    if (point.dist <= batch->margin[i]) {
      sn_contact_list_add(out, &point);
    }
  }
  return sn_contact_list_status(out);
}

static const sn_collider_pair pairs[] = { { "plane", "user" }, { NULL, NULL } };
static const sn_collider_ops exact = { .head = { .size = sizeof exact, .summary = "balls" },
                                       .pairs = pairs,
                                       .max_points = 1,
                                       .collide = collide };

static const sn_provide provides[] = { SN_PROVIDE_SHAPE("own.ball", &ball),
                                       SN_PROVIDE_COLLIDER("own.exact", &exact),
                                       { NULL, NULL, NULL } };
static const sn_plugin plugin = { .magic = SN_PLUGIN_MAGIC,
                                  .size = sizeof plugin,
                                  .abi_major = SN_ABI_MAJOR,
                                  .real_size = sizeof(double),
                                  .name = "org.example.own",
                                  .version = "1",
                                  .license = "none",
                                  .summary = "balls",
                                  .provides = provides };

static const sn_plugin *entry(void) {
  return &plugin;
}

// ------------------------------------------------------------------ what the kit reports

static const struct {
  int fault, result;
  const char *requirement, *detail;
} cases[] = {
  { SOUND, KIT_PASSED, "user shapes", "1 pairs with shapes of plugins, 3 declined" },
  { BY_SUPPORT, KIT_PASSED, "user shapes", "4 pairs with shapes of plugins, 0 declined" },
  { A_LITTLE_OFF, KIT_FAILED, "depth", "plane-own.ball" },
  { FAILS, KIT_FAILED, "user shapes", "plane-kit.ball: collide returned SN_EINVAL; decline" },
  { TAKES_ALL, KIT_FAILED, "depth", "plane-kit." },
  { DECLINES_ALL, KIT_SKIPPED, "user shapes", "its plugin has none that it accepts" },
};
enum { NCASES = sizeof cases / sizeof cases[0] };

typedef struct reports {
  int index, found;
  char all[4000];
} reports;

static void take(void *context, const char *requirement, int result, const char *detail) {
  reports *r = context;
  const size_t n = strlen(r->all);
  snprintf(r->all + n, sizeof r->all - n, "%d %s: %s\n", result, requirement, detail);
  r->found |= result == cases[r->index].result &&
              strcmp(requirement, cases[r->index].requirement) == 0 &&
              strstr(detail, cases[r->index].detail) != NULL;
}

START_TEST(kit_tests_shapes_of_plugins) {
  fault = cases[_i].fault;
  open_engine();
  OK(sn_engine_add_static(engine, entry, error));
  reports r = { .index = _i };
  sn_provider_info p = { .size = sizeof p };
  int failed = -1;
  for (int64_t i = 0; sn_engine_provider(engine, i, &p); i++) {
    if (strcmp(p.name, "own.exact") == 0) {
      failed = kit_test(engine, &p, take, &r);
    }
  }
  ck_assert_msg(r.found, "%s", r.all);
  ck_assert_msg((failed > 0) == (cases[_i].result == KIT_FAILED), "%s", r.all);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_tests_shapes_of_plugins, 0, NCASES);
}
