// SPDX-License-Identifier: Apache-2.0
//
// The renderer `svg`: its pixels against rays and closed forms, its files by their text.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawn.h"

enum { LONGEST = 1 << 18 };
static char file[LONGEST];
static int64_t written;

static sn_status keep(sn_sink *sink, const void *bytes, int64_t count) {
  (void)sink;
  ck_assert_int_lt(written + count, LONGEST);
  memcpy(file + written, bytes, (size_t)count);
  written += count;
  file[written] = 0;
  return SN_OK;
}

static void write_file(drawn *x) {
  sn_sink sink = { .size = sizeof sink, .write = keep };
  written = 0;
  OK(x->ops->write(x->self, x->canvas, x->scene, W, H, ".svg", &sink, error));
}

static void start_with(drawn *x, const char *text, int32_t label) {
  OK(open_canvas(x, "svg", text));
  x->options.label = label;
  draw(x);
  write_file(x);
}

static void start(drawn *x, const char *text) {
  start_with(x, text, SN_LABEL_NONE);
}

// What faces the headlight has the color (ambient + diffuse) rgba.
START_TEST(light_of_the_camera) {
  static drawn x;
  start(&x, LOOK_DOWN "<worldbody><geom type='box' size='0.5 0.5 0.5' rgba='1 0.5 0.25 1'/>"
                      "</worldbody></mujoco>");
  ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 204), 1);
  ck_assert_int_le(abs(color(&x, MIDDLE, 1) - 102), 1);
  ck_assert_int_le(abs(color(&x, MIDDLE, 2) - 51), 1);
  ck_assert_double_eq_tol((double)x.depth[MIDDLE], 1, 1e-5);
  ck_assert_double_eq((double)x.depth[0], 50);   // the far plane
  ck_assert_int_eq(x.segment[0], -1);
  end(&x);
}
END_TEST

// Ids and depths are those of rays through the pixels, at those that are on no edge.
START_TEST(shapes_by_rays) {
  static drawn x;
  static int32_t hit[W * H];
  static double depth[W * H];
  start(&x, "<mujoco><statistic extent='2' center='0 0 0.5'/><visual><global azimuth='120' "
            "elevation='-25'/></visual><worldbody>"
            "<geom type='plane' size='0 0 1'/>"
            "<geom type='sphere' size='0.3' pos='0 0 0.3'/>"
            "<geom type='capsule' size='0.15 0.3' pos='0.6 0 0.5' euler='30 0 0'/>"
            "<geom type='ellipsoid' size='0.25 0.3 0.4' pos='-0.8 0.2 0.5' euler='0 20 0'/>"
            "<geom type='cylinder' size='0.2 0.1' pos='0 0.6 0.8' euler='50 10 0'/>"
            "<geom type='box' size='0.1 0.3 0.2' pos='0 -0.6 0.6' euler='10 20 30'/>"
            "</worldbody></mujoco>");
  const float *eye = x.scene->eye.pos, *forward = x.scene->eye.forward;
  for (int i = 0; i < W * H; i++) {
    const int row = i / W;
    double distance, p[3];
    OK(sn_scene_pick(x.scene, x.m, x.d, &x.options, (double)W / H, (i % W + 0.5) / W,
                     (row + 0.5) / H, &hit[i], &distance, p, error));
    depth[i] = 0;
    for (int k = 0; k < 3; k++) {
      depth[i] += (p[k] - (double)eye[k]) * (double)forward[k];
    }
  }
  int judged = 0, seen[6] = { 0 };
  for (int i = 0; i < W * H; i++) {
    int is_edge = i % W < 2 || i % W >= W - 2 || i / W < 2 || i / W >= H - 2;
    for (int k = 0; k < 25 && !is_edge; k++) {
      is_edge = hit[i + (k / 5 - 2) * W + k % 5 - 2] != hit[i];
    }
    if (!is_edge && (hit[i] < 0 || depth[i] < 20)) {
      ck_assert_msg(x.segment[i] == hit[i], "pixel %d: geom %d, not %d", i, x.segment[i], hit[i]);
      judged++;
      if (hit[i] >= 0) {
        seen[hit[i]]++;
        ck_assert_double_eq_tol((double)x.depth[i], depth[i], 0.01 * depth[i]);
      }
    }
  }
  ck_assert_int_gt(judged, W * H / 2);
  for (int i = 0; i < 6; i++) {
    ck_assert_msg(seen[i] > 20, "geom %d: %d pixels", i, seen[i]);
  }
  end(&x);
}
END_TEST

// Both sides of a translucent body cover (1 - alpha)^2 of what is behind it.
START_TEST(translucent_geoms) {
  static drawn x;
  start(&x,
        LOOK_DOWN "<worldbody><geom type='box' size='0.5 0.5 0.1' rgba='1 0 0 1'/>"
                  "<geom type='box' size='0.2 0.2 0.1' pos='0 0 0.5' rgba='0 1 0 0.5'/></worldbody>"
                  "</mujoco>");
  ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 51), 2);    // 0.8 / 4
  ck_assert_int_le(abs(color(&x, MIDDLE, 1) - 153), 2);   // 0.8 * 3 / 4
  ck_assert_int_eq(x.segment[MIDDLE], 1);                 // the nearest, translucent or not
  ck_assert_ptr_nonnull(strstr(file, "fill=\"#00cc00\" fill-opacity=\"75%\""));
  end(&x);
}
END_TEST

// The upper face of a box of half width a, z below the camera, ends at focal a / z from the middle.
START_TEST(corners_of_a_file) {
  static drawn x;
  start(&x, LOOK_DOWN "<visual><quality numquads='1'/></visual><worldbody>"
                      "<geom type='box' size='0.4 0.4 0.5' rgba='1 0 0 1'/></worldbody></mujoco>");
  const double focal = H / 2.0 / tan(M_PI / 6);   // pixels
  const long side = lround(10 * focal * 0.4);     // 1 m below; a unit is a tenth of a pixel
  char want[2][64];
  snprintf(want[0], 64, "%ld %ld", 10 * W / 2 - side, 10 * H / 2 - side);
  snprintf(want[1], 64, "%ld %ld", 10 * W / 2 + side, 10 * H / 2 + side);
  ck_assert_ptr_nonnull(strstr(file, "width=\"120\" height=\"90\" viewBox=\"0 0 1200 900\""));
  ck_assert_ptr_nonnull(strstr(file, "fill=\"#cc0000\""));
  ck_assert_ptr_nonnull(strstr(file, want[0]));
  ck_assert_ptr_nonnull(strstr(file, want[1]));
  ck_assert_ptr_nonnull(strstr(file, "</svg>\n"));
  end(&x);
}
END_TEST

// Near faces follow far ones; what is hidden is left out; the same scene gives the same file.
START_TEST(order_of_a_file) {
  static drawn x;
  static char first[LONGEST];
  start(&x,
        LOOK_DOWN "<worldbody><geom type='box' size='0.1 0.1 0.1' pos='0 0 0.6' rgba='0 1 0 1'/>"
                  "<geom type='box' size='0.5 0.5 0.1' rgba='1 0 0 1'/>"
                  "<geom type='box' size='0.3 0.3 0.1' pos='0 0 -0.6' rgba='0 0 1 1'/>"
                  "</worldbody></mujoco>");
  const char *below = strstr(file, "#cc0000"), *above = strstr(file, "#00cc00");
  ck_assert(below && above && below < above);
  ck_assert_ptr_null(strstr(file, "#0000cc"));
  memcpy(first, file, sizeof first);
  write_file(&x);
  ck_assert_str_eq(file, first);
  end(&x);
}
END_TEST

START_TEST(labels_of_a_file) {
  static drawn x;
  start_with(&x,
             LOOK_DOWN "<worldbody><geom name='a &lt; b &amp; c' size='0.1'/></worldbody></mujoco>",
             SN_LABEL_GEOM);
  ck_assert_ptr_nonnull(strstr(file, ">a &lt; b &amp; c</text>"));
  end(&x);
}
END_TEST

// White letters with black edges, in the middle of the image where the ball is.
START_TEST(labels_in_pixels) {
  static drawn x;
  start_with(&x,
             LOOK_DOWN "<worldbody><geom name='LLL' size='0.4' rgba='1 0 0 1'/></worldbody>"
                       "</mujoco>",
             SN_LABEL_GEOM);
  expect_label(&x);
  end(&x);
}
END_TEST

// The sky of a gradient: its color above, another one below.
START_TEST(sky) {
  static drawn x;
  start(&x, "<mujoco><visual><global elevation='0'/></visual><asset><texture type='skybox' "
            "builtin='gradient' rgb1='0 0 1' rgb2='1 0 0' width='32' height='192'/></asset>"
            "</mujoco>");
  const uint8_t *above = x.rgb, *below = x.rgb + 3 * W * (H - 1);
  ck_assert_int_gt(above[2], below[2] + 50);
  ck_assert_int_lt(above[0] + 50, below[0]);
  end(&x);
}
END_TEST

START_TEST(what_it_rejects) {
  static drawn x;
  void *canvas = NULL;
  start(&x, LOOK_DOWN "</mujoco>");
  ck_assert_int_eq(x.ops->open(x.self, SN_CANVAS_CURRENT, &canvas, error), SN_EUNSUPPORTED);
  ck_assert_str_eq(sn_error_message(error),
                   "the renderer svg draws into no window; select the renderer opengl");
  sn_image image = { .size = sizeof image, .width = 0, .height = 5 };
  ck_assert_int_eq(x.ops->render(x.self, x.canvas, x.scene, &image, error), SN_EINVAL);
  ck_assert_str_eq(sn_error_message(error), "an image needs 1 to 16384 pixels on each side");
  end(&x);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(light_of_the_camera);
  TEST(shapes_by_rays);
  TEST(translucent_geoms);
  TEST(corners_of_a_file);
  TEST(order_of_a_file);
  TEST(labels_of_a_file);
  TEST(labels_in_pixels);
  TEST(sky);
  TEST(what_it_rejects);
}
