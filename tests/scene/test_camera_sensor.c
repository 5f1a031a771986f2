// SPDX-License-Identifier: Apache-2.0
//
// Camera sensors: images of what a closed form says, drawn on request, and recorded in rollouts.
// The renderer `svg` draws them, which needs no graphics library.

#include <math.h>
#include <stdlib.h>

#include "default_engine.h"
#include "sinew/camera_sensor.h"
#include "suite.h"

enum { W = 8, H = 6, HALF = H / 2 * W + W / 2 };

// A camera 2 m above a falling sphere of radius 0.5 on the axis of the image.
#define WORLD(size, output, more)                                                               \
  "<mujoco><option gravity='0 0 -10' timestep='0.01'/><worldbody>"                              \
  "<camera name='top' pos='0 0 2' fovy='45'/><body><joint name='z' type='slide' axis='0 0 1'/>" \
  "<geom name='other' size='.01' pos='9 9 0'/><geom name='ball' size='.5'/></body></worldbody>" \
  "<sensor><clock/><plugin type='camera' name='eye' objtype='camera' objname='top' " more ">"   \
  "<config key='resolution' value='" size "'/><config key='output' value='" output "'/>"        \
  "</plugin></sensor></mujoco>"

typedef struct scenario {
  sn_model *m;
  sn_data *d;
  sn_camera_sensors *cameras;
  const double *image;   // in sensordata
} scenario;

static void start(scenario *x, const char *text) {
  x->m = model_of(text);
  x->d = data_of(x->m);
  x->cameras = sn_camera_sensors_new(x->m, error);
  ck_assert_msg(x->cameras != NULL, "%s", sn_error_text(error));
  x->image = snd_sensordata(x->d) + 1;
}

static void end(scenario *x) {
  sn_camera_sensors_free(x->cameras);
  done_with(x->m, x->d);
}

static void draw(scenario *x) {
  OK(sn_forward(x->m, x->d));
  OK(sn_camera_sensors_draw(x->cameras, x->m, x->d, -1, error));
}

// The nearest point of the sphere is 1.5 m away, and 2 m once it has fallen by 0.5 m. Steps leave
// the image as it was drawn.
START_TEST(depth_of_a_falling_sphere) {
  scenario x;
  start(&x, WORLD("9 7", "depth", ""));
  const int32_t middle = 3 * 9 + 4;
  draw(&x);
  ck_assert_double_eq_tol(x.image[middle], 1.5, 0.01);   // its facets
  for (int i = 0; i < 10; i++) {
    OK(sn_step(x.m, x.d));
  }
  ck_assert_double_eq_tol(x.image[middle], 1.5, 0.01);
  snd_qpos(x.d)[0] = -0.5;
  draw(&x);
  ck_assert_double_eq_tol(x.image[middle], 2, 0.01);
  end(&x);
}
END_TEST

START_TEST(segmentation_has_ids_of_geoms) {
  scenario x;
  start(&x, WORLD("8 6", "segmentation", ""));
  draw(&x);
  ck_assert_double_eq(x.image[HALF], sn_find(x.m, "geom", "ball"));
  ck_assert_double_eq(x.image[0], -1);
  end(&x);
}
END_TEST

START_TEST(shape_and_range_of_colors) {
  scenario x;
  int32_t h, w, n;
  start(&x, WORLD("8 6", "rgb", ""));
  const int32_t eye = sn_find(x.m, "sensor", "eye");
  ck_assert_int_eq(sn_camera_sensor_next(x.m, -1), eye);
  ck_assert_int_eq(sn_camera_sensor_next(x.m, eye), -1);
  OK(sn_camera_sensor_shape(x.m, eye, &h, &w, &n));
  ck_assert_int_eq(h, H);
  ck_assert_int_eq(w, W);
  ck_assert_int_eq(n, 3);
  ck_assert_int_eq(snm_sensor_dim(x.m)[eye], H * W * 3);
  ck_assert_int_eq(sn_camera_sensor_shape(x.m, 0, &h, &w, &n), SN_EINVAL);
  ck_assert_int_eq(sn_camera_sensors_draw(x.cameras, x.m, x.d, 0, error), SN_EINVAL);
  draw(&x);
  ck_assert_double_gt(x.image[3 * HALF], 0.2);   // the lit sphere
  ck_assert_double_le(x.image[3 * HALF], 1);
  ck_assert_double_eq(x.image[0], 0);   // nothing is there
  end(&x);
}
END_TEST

// Noise belongs to values that a step computes; a cutoff limits the depth.
START_TEST(cutoff_limits_an_image) {
  scenario x;
  start(&x, WORLD("8 6", "depth", "cutoff='1.25' noise='1'"));
  draw(&x);
  ck_assert_double_eq(x.image[HALF], 1.25);
  OK(sn_step(x.m, x.d));
  ck_assert_double_eq(x.image[HALF], 1.25);
  end(&x);
}
END_TEST

START_TEST(resolutions_that_cannot_be) {
  reject_text(WORLD("8.5 6", "rgb", ""), "whole numbers");
  reject_text(WORLD("16384 16384", "rgb", ""), "resolution is too high");
  reject_text(WORLD("8 6", "colour", ""), "colour");
}
END_TEST

// Each rollout starts at another height; the image of a sample is that of the state before its
// step, as all that a step computes. With any number of threads, bit for bit.
START_TEST(images_recorded_in_rollouts) {
  enum { N = 5, STEPS = 3 };
  scenario x;
  start(&x, WORLD("9 7", "depth", ""));
  const double z[N] = { 0, -0.1, -0.2, -0.3, -0.4 };
  double initial[N][2] = { { 0 } }, *kept[2];
  ck_assert_int_eq(sn_state_size(x.m, SN_STATE_QPOS | SN_STATE_QVEL), 2);
  for (int i = 0; i < N; i++) {
    initial[i][0] = z[i];
  }
  for (int k = 0; k < 2; k++) {
    sn_rollout_record record = { .name = "sensordata:eye" };
    sn_rollout_request q = { .size = sizeof q,
                             .n = N,
                             .nstep = STEPS,
                             .initial_mask = SN_STATE_QPOS | SN_STATE_QVEL,
                             .initial = initial[0],
                             .record = &record,
                             .nrecord = 1,
                             .executor = k ? "threads" : "serial",
                             .before_sample = sn_camera_sensors_sample,
                             .sample_context = x.cameras };
    OK(sn_rollout_measure(x.m, &q, error));
    ck_assert_int_eq(record.width, 63);
    q.results = kept[k] = calloc((size_t)(q.n * q.nresult), sizeof(double));
    OK(sn_rollout(x.m, &q, error));
    for (int i = 0; i < N; i++) {
      const double *image = q.results + i * q.nresult + 63 * (STEPS - 1);
      const double fallen = 10 * 0.01 * 0.01 * 3;   // after two steps: 1 + 2 times g h^2
      ck_assert_double_eq_tol(image[31], 1.5 - z[i] + fallen, 0.01);
    }
  }
  ck_assert_mem_eq(kept[0], kept[1], N * STEPS * 63 * sizeof(double));
  free(kept[0]);
  free(kept[1]);
  end(&x);
}
END_TEST

START_TEST(quantities_with_images) {
  static const struct {
    const char *name;
    int has;
  } cases[] = { { "sensordata", 1 },     { "sensordata:eye", 1 },  { "sensordata:eye:3", 1 },
                { "sensordata:1", 1 },   { "sensordata:1:0", 1 },  { "sensordata:0", 0 },
                { "sensordata:ey", 0 },  { "sensordata:eyes", 0 }, { "sensordata:", 0 },
                { "sensordata_eye", 0 }, { "sensor_adr:eye", 0 },  { "qpos", 0 } };
  scenario x;
  start(&x, WORLD("9 7", "depth", ""));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sn_rollout_record record[2] = { { .name = "qvel" }, { .name = cases[i].name } };
    sn_rollout_request q = { .size = sizeof q, .record = record, .nrecord = 2 };
    ck_assert_msg(sn_camera_sensors_recorded(x.m, &q) == cases[i].has, "%s", cases[i].name);
  }
  end(&x);
}
END_TEST

static void open_engine_with_svg(void) {
  open_engine();
  OK(sn_engine_set(engine, "select.renderer", "svg", error));
}

TESTS() {
  FIXTURE(open_engine_with_svg, close_engine);
  TEST(depth_of_a_falling_sphere);
  TEST(segmentation_has_ids_of_geoms);
  TEST(shape_and_range_of_colors);
  TEST(cutoff_limits_an_image);
  TEST(resolutions_that_cannot_be);
  TEST(images_recorded_in_rollouts);
  TEST(quantities_with_images);
}
