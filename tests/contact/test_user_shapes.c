// SPDX-License-Identifier: Apache-2.0
//
// Shapes of plugins that are at fault end the step with an error that names shape, plugin and geom,
// whichever collider called them; and what runs is known as an operation of the shape.

#include <math.h>

#include "contact/contact.h"
#include "default_engine.h"
#include "sinew/collider.h"
#include "sinew/shape.h"
#include "suite.h"

// ------------------------------------------------------------------ a ball of radius 0.1

enum { SOUND, NOT_A_NUMBER, INFINITE, UNWRITTEN, TOO_LONG };
static int fault;
static char running[64];   // the operation that runs while the support function is called

static sn_status make(const void *self, const sn_value *values, sn_shape_info *info, void **data,
                      sn_error *e) {
  (void)self, (void)values, (void)data, (void)e;
  for (int k = 0; k < 3; k++) {
    info->half[k] = 0.1;
    info->inertia[k] = 0.004;
  }
  info->volume = 0.004;
  return SN_OK;
}

static void drop(const void *self, void *data) {
  (void)self, (void)data;
}

static void support(const void *self, const void *data, const double *direction, double *point) {
  (void)self, (void)data;
  sn_operation_info info = { .size = sizeof info };
  if (sn_running_operation(&info)) {
    snprintf(running, sizeof running, "%s %s of %s", info.operation, info.name, info.plugin);
  }
  for (int k = 0; k < (fault == UNWRITTEN ? 2 : fault == TOO_LONG ? 4 : 3); k++) {
    point[k] = k < 3 ? 0.1 * direction[k] : 1;
  }
  point[1] = fault == NOT_A_NUMBER ? NAN : fault == INFINITE ? INFINITY : point[1];
}

static const sn_shape_ops ball = {
  .head = { .size = sizeof ball, .summary = "a toy" },
  .make = make,
  .drop = drop,
  .support = support,
};

static const sn_provide provides[] = { { SN_KIND_SHAPE, "ball", &ball }, { NULL, NULL, NULL } };
static const sn_plugin plugin = { .magic = SN_PLUGIN_MAGIC,
                                  .size = sizeof plugin,
                                  .abi_major = SN_ABI_MAJOR,
                                  .real_size = sizeof(double),
                                  .name = "org.example.balls",
                                  .version = "1",
                                  .license = "none",
                                  .summary = "balls",
                                  .provides = provides };

static const sn_plugin *plugin_entry(void) {
  return &plugin;
}

static void open_with_balls(void) {
  fault = SOUND;
  running[0] = '\0';
  open_engine();
  OK(sn_engine_add_static(engine, plugin_entry, error));
}

// ------------------------------------------------------------------ faults

static const struct {
  const char *pair, *collider, *other;
} pairs[] = {
  { "plane-user", "primitive", "<geom type='plane' size='1 1 1'/>" },
  { "box-user", "gjk", "<geom type='box' size='1 1 1' pos='0 0 -1'/>" },
  { "box-user", "ccd", "<geom type='box' size='1 1 1' pos='0 0 -1'/>" },
  { "user-user", "gjk", "<geom type='user' shape='ball' pos='0 .05 -.05'/>" },
  { "user-user", "ccd", "<geom type='user' shape='ball' pos='0 .05 -.05'/>" },
  { "hfield-user", "hfield", "<geom type='hfield' hfield='flat'/>" },
};
enum { NPAIRS = sizeof pairs / sizeof pairs[0] };

static sn_model *model_of_pair(int i) {
  char text[1024];
  OK(sn_select(engine, pairs[i].pair, pairs[i].collider, error));
  snprintf(text, sizeof text,
           "<mujoco><asset><hfield name='flat' nrow='2' ncol='2' elevation='0 0 0 0' size='1 1 .3 "
           ".1'/></asset><worldbody>%s<body pos='0 0 .09'><freejoint/><geom name='egg' "
           "type='user' shape='ball'/></body></worldbody></mujoco>",
           pairs[i].other);
  return model_of(text);
}

static void expect_error(const sn_data *d, const char *words) {
  const char *message = sn_error_message(sn_data_error(d));
  ck_assert_msg(strstr(message, words) != NULL, "'%s' is not in: %s", words, message);
}

START_TEST(support_point_that_is_not_finite_ends_the_step) {
  sn_model *m = model_of_pair(_i);
  sn_data *d = sn_data_new(m, error);
  ck_assert_int_ge(sn_step(m, d), 0);
  ck_assert_int_ge(d->ncon, 1);
  ck_assert_str_eq(running, "support ball of org.example.balls");
  for (fault = NOT_A_NUMBER; fault <= TOO_LONG; fault++) {
    const double before = d->time[0];
    ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
    expect_error(d, "'ball' (sinew.shape/draft) of plugin 'org.example.balls'");
    expect_error(d, "its operation 'support'");
    expect_error(d, fault == TOO_LONG ? "wrote behind the 3 numbers" : "not finite");
    expect_error(d, strcmp(pairs[_i].pair, "user-user") == 0 ? "(geom" : "(geom 'egg')");
    ck_assert_double_eq(d->time[0], before);
  }
  fault = SOUND;
  ck_assert_int_ge(sn_step(m, d), 0);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// The distance of two geoms too.
START_TEST(distance_names_the_shape) {
  sn_model *m = model_of_pair(1);
  sn_data *d = sn_data_new(m, error);
  double points[6];
  sn_forward_position(m, d);
  ck_assert(fabs(sn_geom_distance(m, d, 0, 1, 1, points) - -0.01) < 1e-9);
  fault = NOT_A_NUMBER;
  sn_geom_distance(m, d, 0, 1, 1, points);
  expect_error(d, "'ball' (sinew.shape/draft) of plugin 'org.example.balls'");
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// A pose that is not finite is not the fault of the shape.
START_TEST(pose_is_not_the_fault_of_the_shape) {
  sn_model *m = model_of_pair(0);
  sn_data *d = sn_data_new(m, error);
  d->qpos[3] = NAN;
  if (sn_forward_position(m, d) < 0) {
    ck_assert_ptr_null(strstr(sn_error_message(sn_data_error(d)), "'support'"));
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_with_balls, close_engine);
  EACH(support_point_that_is_not_finite_ends_the_step, 0, NPAIRS);
  TEST(distance_names_the_shape);
  TEST(pose_is_not_the_fault_of_the_shape);
}
