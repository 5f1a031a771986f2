// SPDX-License-Identifier: Apache-2.0
//
// Shapes of plugins that are at fault end the step with an error that names shape, plugin and geom,
// whichever collider called them; and what runs is known as an operation of the shape. Colliders
// that know one shape decline the others, which go to the next collider.

#include <fenv.h>
#include <math.h>

#include "contact/contact.h"
#include "default_engine.h"
#include "ray_distance.h"
#include "sinew/collider.h"
#include "sinew/scene.h"
#include "sinew/shape.h"
#include "suite.h"

// ------------------------------------------------------------------ a ball of radius 0.1

enum { SOUND, NOT_A_NUMBER, INFINITE, UNWRITTEN, TOO_LONG, ROUNDS, RAY_NAN, RAY_ROUNDS };
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
  if (fault == ROUNDS) {
    fesetround(FE_UPWARD);
  }
  point[1] = fault == NOT_A_NUMBER ? NAN : fault == INFINITE ? INFINITY : point[1];
}

// From outside, along z.
static double ray(const void *self, const void *data, const double *origin,
                  const double *direction) {
  (void)self, (void)data;
  if (fault == RAY_ROUNDS) {
    fesetround(FE_UPWARD);
  }
  return fault == RAY_NAN ? NAN : direction[2] < 0 ? origin[2] - 0.1 : -1;
}

static const sn_shape_ops ball = {
  .head = { .size = sizeof ball, .summary = "a toy" },
  .make = make,
  .drop = drop,
  .support = support,
  .ray = ray,
};

// ------------------------------------------------------------------ colliders of one shape each

// Touches a plane and its own shape alone; the feature of its contact points says which it is.
enum { BALLS = 11, EGGS = 22 };

static sn_status collide_own(const char *type, int32_t feature, const sn_batch *batch,
                             sn_contact_list *out) {
  out->count = 0;
  for (int64_t i = 0; i < batch->n; i++) {
    ck_assert_str_eq(batch->second[i].user->type, batch->second[0].user->type);
    if (strcmp(batch->second[i].user->type, type) != 0) {
      return SN_EUNSUPPORTED;
    }
    const double height = batch->second[i].pos[2];
    if (height - 0.1 <= batch->margin[i]) {
      const sn_contact_point point = {
        .pair = (int32_t)i, .feature = feature, .dist = height - 0.1, .normal = { 0, 0, 1 }
      };
      sn_contact_list_add(out, &point);
    }
  }
  return sn_contact_list_status(out);
}

static sn_status collide_balls(const void *self, const sn_batch *batch, sn_contact_list *out,
                               sn_scratch *scratch) {
  (void)self, (void)scratch;
  return collide_own("ball", BALLS, batch, out);
}

static sn_status collide_eggs(const void *self, const sn_batch *batch, sn_contact_list *out,
                              sn_scratch *scratch) {
  (void)self, (void)scratch;
  return collide_own("egg", EGGS, batch, out);
}

static sn_status decline(const void *self, const sn_batch *batch, sn_contact_list *out,
                         sn_scratch *scratch) {
  (void)self, (void)scratch, (void)batch;
  out->count = 77;   // of no meaning
  return SN_EUNSUPPORTED;
}

#define COLLIDER(list, function)                                                 \
  {                                                                              \
    .head = { .size = sizeof(sn_collider_ops) }, .pairs = list, .max_points = 1, \
    .collide = function                                                          \
  }
static const sn_collider_pair plane_user[] = { { "plane", "user" }, { NULL, NULL } };
static const sn_collider_pair spheres[] = { { "sphere", "sphere" }, { NULL, NULL } };
static const sn_collider_ops exact_balls = COLLIDER(plane_user, collide_balls);
static const sn_collider_ops exact_eggs = COLLIDER(plane_user, collide_eggs);
static const sn_collider_ops declines = COLLIDER(spheres, decline);

#define PLUGIN(id, title)                                                           \
  static const sn_plugin id = { .magic = SN_PLUGIN_MAGIC,                           \
                                .size = sizeof id,                                  \
                                .abi_major = SN_ABI_MAJOR,                          \
                                .real_size = sizeof(double),                        \
                                .name = title,                                      \
                                .version = "1",                                     \
                                .license = "none",                                  \
                                .summary = "toys",                                  \
                                .provides = id##_provides };                        \
  static const sn_plugin *id##_entry(void) {                                        \
    return &id;                                                                     \
  }

static const sn_provide balls_provides[] = { SN_PROVIDE_SHAPE("ball", &ball),
                                             SN_PROVIDE_COLLIDER("exact_balls", &exact_balls),
                                             { NULL, NULL, NULL } };
static const sn_provide eggs_provides[] = { SN_PROVIDE_SHAPE("egg", &ball),
                                            SN_PROVIDE_SHAPE("stone", &ball),
                                            SN_PROVIDE_COLLIDER("exact_eggs", &exact_eggs),
                                            { NULL, NULL, NULL } };
PLUGIN(balls, "org.example.balls")
PLUGIN(eggs, "org.example.eggs")

static void open_with_balls(void) {
  fault = SOUND;
  running[0] = '\0';
  open_engine();
  OK(sn_engine_add_static(engine, balls_entry, error));
  OK(sn_engine_add_static(engine, eggs_entry, error));
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
  for (fault = NOT_A_NUMBER; fault <= ROUNDS; fault++) {
    const double before = d->time[0];
    ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
    expect_error(d, "'ball' (sinew.shape/draft) of plugin 'org.example.balls'");
    expect_error(d, "its operation 'support'");
    expect_error(d, fault == TOO_LONG ? "wrote past the 3 numbers"
                    : fault == ROUNDS ? "changed the floating-point environment"
                                      : "not finite");
    ck_assert_int_eq(fegetround(), FE_TONEAREST);
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
  ck_assert(fabs(geom_distance(m, d, 0, 1, 1, points) - -0.01) < 1e-9);
  fault = NOT_A_NUMBER;
  geom_distance(m, d, 0, 1, 1, points);
  expect_error(d, "'ball' (sinew.shape/draft) of plugin 'org.example.balls'");
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// A ray that a shape spoils fails, in a sensor with the step. Nothing is wrong with a miss.
START_TEST(ray_names_the_shape) {
  sn_model *m = model_of("<mujoco><worldbody><body><freejoint/><geom name='egg' type='user' "
                         "shape='ball'/></body><site name='eye' pos='0 0 1' euler='180 0 0'/>"
                         "</worldbody><sensor><rangefinder site='eye'/></sensor></mujoco>");
  sn_data *d = sn_data_new(m, error);
  const double from[3] = { 0, 0, 1 }, down[3] = { 0, 0, -1 }, up[3] = { 0, 0, 1 };
  double x;
  ck_assert_int_ge(sn_step(m, d), 0);
  ck_assert(fabs(snd_sensordata(d)[0] - 0.9) < 1e-3);
  OK(sn_ray(m, d, from, up, 0, 1, -1, &x, NULL, error));
  ck_assert_double_eq(x, -1);
  for (fault = RAY_NAN; fault <= RAY_ROUNDS; fault++) {
    const double before = d->time[0];
    const char *words = fault == RAY_NAN ? "its operation 'ray' returned the distance nan"
                                         : "its operation 'ray' changed the floating-point";
    ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
    expect_error(d, "'ball' (sinew.shape/draft) of plugin 'org.example.balls'");
    expect_error(d, words);
    expect_error(d, "(geom 'egg')");
    ck_assert_double_eq(d->time[0], before);
    ck_assert_int_eq(sn_ray(m, d, from, down, 0, 1, -1, &x, NULL, error), SN_EPLUGIN);
    ck_assert_ptr_nonnull(strstr(sn_error_message(error), words));
    ck_assert_double_eq(x, -1);
    ck_assert_int_eq(fegetround(), FE_TONEAREST);
  }
  fault = SOUND;
  ck_assert_int_ge(sn_step(m, d), 0);
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// So does picking at a point of an image: it is no miss.
START_TEST(pick_names_the_shape) {
  sn_model *m = model_of_pair(0);
  sn_data *d = sn_data_new(m, error);
  sn_scene *scene = sn_scene_new(m, error);
  sn_scene_options options = sn_scene_default_options();
  const sn_scene_camera camera = sn_scene_default_camera(m);
  sn_perturbation p;
  double x, point[3];
  int32_t geom;
  OK(sn_forward(m, d));
  OK(sn_scene_update(scene, m, d, &options, &camera, NULL, error));
  OK(sn_scene_pick(scene, m, d, &options, 1, 0.5, 0.5, &geom, &x, point, error));
  ck_assert_int_ge(geom, 0);
  fault = RAY_NAN;
  ck_assert_int_eq(sn_scene_pick(scene, m, d, &options, 1, 0.5, 0.5, &geom, &x, point, error),
                   SN_EPLUGIN);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "its operation 'ray' returned"));
  ck_assert(geom == -1 && x == -1);
  ck_assert_int_eq(sn_scene_select(scene, m, d, &options, 1, 0.5, 0.5, &p, error), SN_EPLUGIN);
  ck_assert_int_eq(p.geom, -1);
  fault = SOUND;
  sn_scene_free(scene);
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

// ------------------------------------------------------------------ declined pairs

static const struct {
  const char *collider;   // of plane-user; NULL: none is selected
  int32_t ball, egg;      // the features of contacts
} choices[] = { { NULL, 0, 0 },
                { "primitive", 0, 0 },
                { "exact_balls", BALLS, EGGS },
                { "exact_eggs", BALLS, EGGS } };
enum { NCHOICES = sizeof choices / sizeof choices[0] };

#define SHAPE(name, x)                                                                     \
  "<body pos='" x " 0 .09'><freejoint/><geom name='" name x "' type='user' shape='" name "'/>" \
  "</body>"

START_TEST(declined_shapes_go_to_the_next_collider) {
  if (choices[_i].collider) {
    OK(sn_select(engine, "plane-user", choices[_i].collider, error));
  }
  sn_model *m = model_of("<mujoco><worldbody><geom type='plane' size='1 1 1'/>" SHAPE("egg", "0")
                             SHAPE("ball", "1") SHAPE("stone", "2") SHAPE("ball", "3")
                                 SHAPE("egg", "4") "</worldbody></mujoco>");
  sn_data *d = sn_data_new(m, error);
  ck_assert_msg(sn_forward(m, d) >= 0, "%s", sn_error_message(sn_data_error(d)));
  ck_assert_int_eq(d->ncon, 5);
  const int32_t egg = choices[_i].egg, one = choices[_i].ball;
  const int32_t wanted[] = { egg, one, 0, one, egg };
  for (int32_t i = 0; i < 5; i++) {
    ck_assert_int_eq(d->contact_geom2[i], i + 1);
    ck_assert_int_eq(d->contact_feature[i], wanted[i]);
    ck_assert_double_eq_tol(d->contact_dist[i], -0.01, 1e-12);
  }
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

// A pair that is declined by all that support it.
START_TEST(pair_that_all_decline_is_an_error) {
  static const char *const needed[] = { "loaders/mjcf", "plugins/newton", "plugins/euler" };
  close_engine();
  error = sn_error_new();
  engine = sn_engine_open("", error);
  for (int i = 0; i < 3; i++) {
    char path[512];
    snprintf(path, sizeof path, SN_TEST_BUILD "/%s.so", needed[i]);
    OK(sn_engine_load_plugin(engine, strchr(needed[i], '/') + 1, path, error));
  }
  OK(sn_engine_add(engine, SN_KIND_COLLIDER, "declines", &declines, error));
  sn_model *m = model_of("<mujoco><worldbody><geom size='.1'/><body pos='0 0 .1'><freejoint/>"
                         "<geom name='top' size='.1'/></body></worldbody></mujoco>");
  sn_data *d = sn_data_new(m, error);
  ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
  expect_error(d, "'declines' (sinew.collider/1): its operation 'collide' declined a pair that no "
                  "other collider supports (geom 0 and geom 'top')");
  sn_data_free(d);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_with_balls, close_engine);
  EACH(support_point_that_is_not_finite_ends_the_step, 0, NPAIRS);
  TEST(distance_names_the_shape);
  TEST(ray_names_the_shape);
  TEST(pick_names_the_shape);
  TEST(pose_is_not_the_fault_of_the_shape);
  EACH(declined_shapes_go_to_the_next_collider, 0, NCHOICES);
  TEST(pair_that_all_decline_is_an_error);
}
