// SPDX-License-Identifier: Apache-2.0
//
// The renderer `opengl`: colors, depths and ids of images whose pixels are known by closed forms.
// Without the plugin, or without OpenGL on this machine, the cases pass with nothing tested.

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance.h"
#include "drawn.h"

// False: there is no such renderer, or no device.
static int start(drawn *x, const char *text) {
  const sn_status status = open_canvas(x, "opengl", text);
  if (x->ops) {
    ck_assert_msg(status == SN_OK || status == SN_EUNSUPPORTED, "%s", sn_error_text(error));
  }
  if (status == SN_OK) {
    draw(x);
  }
  return status == SN_OK;
}

// ------------------------------------------------------------------ a driver with limits

// The plugin calls OpenGL through pointers of libepoxy, which point to the driver after the first
// call. Here one points to a function of the test until the test ends; *was: where it pointed to.
typedef void any_function(void);
static struct { any_function **pointer, *was; } replaced[8];
static int nreplaced;

static void replace(const char *name, any_function *by, any_function **was) {
  void *library = dlopen("libepoxy.so.0", RTLD_NOLOAD | RTLD_LAZY);
  any_function **pointer = library ? dlsym(library, name) : NULL;
  ck_assert_msg(pointer != NULL, "no %s", name);
  *was = replaced[nreplaced].was = *pointer;
  replaced[nreplaced++].pointer = pointer;
  *pointer = by;
}

static void restore(void) {
  while (nreplaced > 0) {
    nreplaced--;
    *replaced[nreplaced].pointer = replaced[nreplaced].was;
  }
}

static void stop(void) {
  restore();
  close_engine();
}

// A new canvas, on which everything is made again.
static void open_again(drawn *x) {
  x->ops->close(x->self, x->canvas);
  OK(x->ops->open(x->self, SN_CANVAS_OFFSCREEN, &x->canvas, error));
}

static int largest, ntoo_large;   // texture
static int nindices;              // buffers of the indices of shapes
static unsigned wrong;            // what glGetError returns next; 0: what the driver has
static any_function *get_integer, *image_2d, *image_3d, *get_error, *buffer_data;

static void limited_get(unsigned what, int *value) {
  const int is_size = what == 0x0D33 || what == 0x851C;   // GL_MAX_TEXTURE_SIZE, of cubes
  ((void (*)(unsigned, int *))get_integer)(what, value);
  *value = is_size && *value > largest ? largest : *value;
}

static void limited_image(unsigned at, int level, int inside, int w, int h, int border,
                          unsigned format, unsigned type, const void *pixels) {
  ntoo_large += w > largest || h > largest;
  ((void (*)(unsigned, int, int, int, int, int, unsigned, unsigned, const void *))image_2d)(
      at, level, inside, w, h, border, format, type, pixels);
}

static void limited_layers(unsigned at, int level, int inside, int w, int h, int layers, int border,
                           unsigned format, unsigned type, const void *pixels) {
  if (w > largest) {
    wrong = 0x0505;   // GL_OUT_OF_MEMORY
    return;
  }
  ((void (*)(unsigned, int, int, int, int, int, int, unsigned, unsigned, const void *))image_3d)(
      at, level, inside, w, h, layers, border, format, type, pixels);
}

static unsigned limited_error(void) {
  const unsigned now = wrong;
  wrong = 0;
  return now ? now : ((unsigned (*)(void))get_error)();
}

static void no_buffer(unsigned at, intptr_t size, const void *data, unsigned use) {
  (void)at, (void)size, (void)data, (void)use;
  wrong = 0x0505;
}

static void counted_buffer(unsigned at, intptr_t size, const void *data, unsigned use) {
  nindices += at == 0x8893;   // GL_ELEMENT_ARRAY_BUFFER
  ((void (*)(unsigned, intptr_t, const void *, unsigned))buffer_data)(at, size, data, use);
}

// The image again by a driver whose textures have at most this many pixels along a side.
static void limit_textures(drawn *x, int side) {
  largest = side;
  replace("epoxy_glGetIntegerv", (any_function *)limited_get, &get_integer);
  replace("epoxy_glTexImage2D", (any_function *)limited_image, &image_2d);
  open_again(x);
  draw(x);
  ck_assert_int_eq(ntoo_large, 0);
}

// The same by one that has memory for shadow maps of this size only.
static void limit_shadows(drawn *x, int side) {
  largest = side;
  replace("epoxy_glTexImage3D", (any_function *)limited_layers, &image_3d);
  replace("epoxy_glGetError", (any_function *)limited_error, &get_error);
  open_again(x);
}

// ------------------------------------------------------------------ images

// What faces the headlight has the color (ambient + diffuse) rgba; what does not, less.
START_TEST(light_of_the_camera) {
  static drawn x;
  if (start(&x, LOOK_DOWN "<worldbody><geom name='ball' size='0.5' rgba='1 0.5 0.25 1'/>"
                          "</worldbody></mujoco>")) {
    ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 204), 2);
    ck_assert_int_le(abs(color(&x, MIDDLE, 1) - 102), 2);
    ck_assert_int_le(abs(color(&x, MIDDLE, 2) - 51), 2);
    ck_assert_double_eq_tol((double)x.depth[MIDDLE], 1, 0.01);   // 1.5 extents less the radius
    ck_assert_int_eq(x.segment[MIDDLE], 0);
    ck_assert_int_eq(x.segment[0], -1);
    ck_assert_double_eq((double)x.depth[0], 50);   // the far plane
    ck_assert_int_eq(color(&x, 0, 0), 0);
  }
  end(&x);
}
END_TEST

// Four boxes in four colors are where they belong: right and up, not mirrored.
START_TEST(directions) {
  static drawn x;
  if (start(&x, LOOK_DOWN "<worldbody>"
                          "<geom type='box' size='0.1 0.1 0.1' pos='0.4 0 0' rgba='1 0 0 1'/>"
                          "<geom type='box' size='0.1 0.1 0.1' pos='0 0.4 0' rgba='0 1 0 1'/>"
                          "<geom type='box' size='0.1 0.1 0.1' pos='-0.4 0 0' rgba='0 0 1 1'/>"
                          "</worldbody></mujoco>")) {
    const int shift = (int)(0.4 * H / (2 * tan(M_PI / 6) * 1.4));   // pixels
    ck_assert_int_eq(x.segment[MIDDLE + shift], 0);
    ck_assert_int_eq(x.segment[MIDDLE - shift * W], 1);
    ck_assert_int_eq(x.segment[MIDDLE - shift], 2);
    ck_assert_int_gt(color(&x, MIDDLE + shift, 0), 100);
    ck_assert_int_gt(color(&x, MIDDLE - shift * W, 1), 100);
    ck_assert_int_gt(color(&x, MIDDLE - shift, 2), 100);
    ck_assert_double_eq_tol((double)x.depth[MIDDLE + shift], 1.4, 1e-3);
  }
  end(&x);
}
END_TEST

// Depths of an infinite plane are along the view, not along the ray: equal when looking straight
// down.
START_TEST(infinite_planes) {
  static drawn x;
  if (start(&x, LOOK_DOWN "<worldbody><geom type='plane' size='0 0 1'/></worldbody>"
                          "</mujoco>")) {
    for (int i = 0; i < W * H; i += 77) {
      ck_assert_double_eq_tol((double)x.depth[i], 1.5, 1e-3);
      ck_assert_int_eq(x.segment[i], 0);
    }
    // from below it is translucent, but an id and a depth all the same
    x.camera.elevation = 90;
    draw(&x);
    ck_assert_double_eq_tol((double)x.depth[MIDDLE], 1.5, 1e-3);
    ck_assert_int_le(color(&x, MIDDLE, 0), 90);
  }
  end(&x);
}
END_TEST

// A ball over a plane shadows what is below it, in the light of a lamp far above; with smaller maps
// where the driver has no memory for finer ones.
START_TEST(shadows) {
  static drawn x;
  if (start(&x, "<mujoco><statistic extent='1' center='0 0 0'/><visual><global azimuth='90' "
                "elevation='-45'/><headlight active='0'/></visual><worldbody><light "
                "directional='true' dir='0 0 -1' pos='0 0 3' diffuse='0.8 0.8 0.8'/>"
                "<geom type='plane' size='0 0 1'/><geom size='0.2' pos='0 0 0.6'/>"
                "</worldbody></mujoco>")) {
    if (_i) {
      limit_shadows(&x, 256);
      draw(&x);
    }
    const int dark = color(&x, MIDDLE, 0);   // the point under the ball
    ck_assert_int_gt(color(&x, MIDDLE - 40, 0), 60);
    x.options.show[SN_SHOW_SHADOW] = 0;
    draw(&x);
    ck_assert_int_eq(x.segment[MIDDLE], 0);
    ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 102), 3);   // 0.8 x 0.5
    ck_assert_int_lt(dark, 20);
  }
  end(&x);
}
END_TEST

// No image is better than a wrong one.
START_TEST(drivers_without_memory) {
  static drawn x;
  sn_image image = { .size = sizeof image, .width = W, .height = H, .rgb = x.rgb };
  if (start(&x, "<mujoco><worldbody><light pos='0 0 3'/><geom size='0.2'/></worldbody></mujoco>")) {
    limit_shadows(&x, 0);
    ck_assert_int_eq(x.ops->render(x.self, x.canvas, x.scene, &image, error), SN_ENOMEM);
    ck_assert_msg(strstr(sn_error_text(error), "out of memory for the shadows of an image"), "%s",
                  sn_error_text(error));
    largest = 4096;
    draw(&x);
    wrong = 0x0505;   // of a call of the program before the image
    draw(&x);
    open_again(&x);
    replace("epoxy_glBufferData", (any_function *)no_buffer, &buffer_data);
    ck_assert_int_eq(x.ops->render(x.self, x.canvas, x.scene, &image, error), SN_ENOMEM);
    ck_assert_msg(strstr(sn_error_text(error), "the driver of OpenGL is out of memory"), "%s",
                  sn_error_text(error));
    restore();
    draw(&x);
    ck_assert_int_eq(x.segment[MIDDLE], 0);
  }
  end(&x);
}
END_TEST

// Translucent geoms cast shadows and receive none.
START_TEST(shadows_of_translucent_geoms) {
  static drawn x;
  if (start(&x, "<mujoco><statistic extent='1' center='0 0 0'/><visual><global azimuth='90' "
                "elevation='-45'/><headlight active='0'/></visual><worldbody><light "
                "directional='true' dir='0 0 -1' pos='0 0 3' diffuse='0.8 0.8 0.8'/>"
                "<geom type='plane' size='0 0 1'/><geom size='0.2' pos='0 0 0.6' rgba='1 1 1 .4'/>"
                "</worldbody></mujoco>")) {
    ck_assert_int_lt(color(&x, MIDDLE, 0), 20);
  }
  end(&x);
  if (start(&x, "<mujoco><statistic extent='1' center='0 0 0'/><visual><global azimuth='90' "
                "elevation='-45'/><headlight active='0'/></visual><worldbody><light "
                "directional='true' dir='0 0 -1' pos='0 0 3' diffuse='0.8 0.8 0.8' "
                "specular='0 0 0'/><geom size='0.2' pos='0 0 0.6'/>"
                "<geom type='box' size='0.5 0.5 0.1' pos='0 0 -0.1' rgba='1 1 1 0.5'/>"
                "</worldbody></mujoco>")) {
    ck_assert_int_eq(x.segment[MIDDLE], 1);
    ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 153), 3);   // 255 x 0.8 x (1 - 0.5^2)
  }
  end(&x);
}
END_TEST

// The ray from the camera at 45 degrees to the origin is reflected by the plane to a ball, whose
// color, times the reflectance, is added to that of the plane.
START_TEST(reflections) {
  static drawn x;
  static const char *const mirrors[] = {
    "<geom type='plane' size='0 0 1' material='m'/>",
    "<geom type='plane' size='1 1 0.3' material='m'/>",
    "<geom type='box' size='1 1 0.2' pos='0 0 -0.2' material='m'/>",
  };
  char text[1024];
  snprintf(text, sizeof text,
           "<mujoco><statistic extent='1' center='0 0 0'/><visual><global azimuth='90' "
           "elevation='-45'/><headlight ambient='1 1 1' diffuse='0 0 0' specular='0 0 0'/></visual>"
           "<asset><material name='m' rgba='0.4 0.2 0.1 1' reflectance='0.5'/></asset><worldbody>"
           "%s<geom size='0.1' pos='0 0.5 0.5' rgba='0.2 0.6 0.8 1'/></worldbody></mujoco>",
           mirrors[_i]);
  if (start(&x, text)) {
    ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 128), 3);   // 255 (0.4 + 0.5 x 0.2)
    ck_assert_int_le(abs(color(&x, MIDDLE, 1) - 128), 3);
    ck_assert_int_le(abs(color(&x, MIDDLE, 2) - 128), 3);
    ck_assert_int_eq(x.segment[MIDDLE], 0);
    const int away = MIDDLE + 30;   // nothing is reflected
    ck_assert_int_le(abs(color(&x, away, 0) - 102), 2);
    ck_assert_int_le(abs(color(&x, away, 1) - 51), 2);
    x.options.show[SN_SHOW_REFLECTION] = 0;
    draw(&x);
    ck_assert_int_le(abs(color(&x, MIDDLE, 1) - 51), 2);
  }
  end(&x);
}
END_TEST

// The first geom that reflects is a mirror, and further ones if the parameter allows it.
START_TEST(second_mirrors) {
  static drawn x;
  OK(sn_engine_set(engine, "plugin.opengl.mirrors", _i ? "2" : "1", error));
  if (start(
          &x,
          "<mujoco><statistic extent='1' center='0 0 0'/><visual><global azimuth='90' "
          "elevation='-45'/><headlight ambient='1 1 1' diffuse='0 0 0' specular='0 0 0'/></visual>"
          "<asset><material name='m' rgba='0.4 0.2 0.1 1' reflectance='0.5'/></asset><worldbody>"
          "<geom type='box' size='0.1 0.1 0.1' pos='1 0 0' material='m'/>"
          "<geom type='plane' size='1 1 0.3' material='m'/>"
          "<geom size='0.1' pos='0 0.5 0.5' rgba='0.2 0.6 0.8 1'/></worldbody></mujoco>")) {
    ck_assert_int_le(abs(color(&x, MIDDLE, 1) - (_i ? 128 : 51)), 3);   // 255 (0.2 + 0.5 x 0.6)
  }
  end(&x);
}
END_TEST

// A plane covers 0.3 of what is behind it, seen from its back.
START_TEST(planes_from_behind) {
  static drawn x;
  if (start(&x, LOOK_DOWN "<worldbody><geom type='plane' size='1 1 1' pos='0 0 .5' zaxis='0 0 -1'/>"
                          "<geom size='0.3' rgba='1 0 0 1'/></worldbody></mujoco>")) {
    const int red = color(&x, MIDDLE, 0) - color(&x, MIDDLE, 1);
    ck_assert_int_le(abs(red - 143), 4);   // 0.7 x 204
    ck_assert_int_eq(x.segment[MIDDLE], 0);
  }
  end(&x);
}
END_TEST

START_TEST(the_last_of_equal_boxes) {
  static drawn x;
  if (start(&x, LOOK_DOWN "<worldbody><geom type='box' size='.2 .2 .2' rgba='1 0 0 1'/>"
                          "<geom type='box' size='.3 .2 .2' pos='.05 0 0' rgba='0 1 0 1'/>"
                          "</worldbody></mujoco>")) {
    ck_assert_int_eq(x.segment[MIDDLE], 1);
    ck_assert_int_eq(color(&x, MIDDLE, 0), 0);
    ck_assert_int_gt(color(&x, MIDDLE, 1), 100);
  }
  end(&x);
}
END_TEST

// Light that has shadows is limited apart: min(1, headlight) + min(1, lamp), times the texture.
START_TEST(light_is_limited) {
  static drawn x;
  if (start(&x, LOOK_DOWN
            "<asset><texture name='t' type='2d' builtin='flat' width='8' height='8' "
            "rgb1='0.25 0.25 0.25'/><material name='m' texture='t' rgba='1 1 1 1' specular='0'/>"
            "</asset><worldbody><light directional='true' dir='0 0 -1' pos='0 0 1' diffuse='3 3 3' "
            "specular='0 0 0'/><geom type='plane' size='1 1 1' material='m'/></worldbody>"
            "</mujoco>")) {
    ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 115), 3);   // 255 x 0.25 (0.8 + 1)
    x.options.show[SN_SHOW_SHADOW] = 0;
    draw(&x);
    ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 64), 3);   // 255 x 0.25 min(1, 0.8 + 3)
  }
  end(&x);
}
END_TEST

// The sky is everywhere where nothing is, below the horizon as well. Haze covers it at the end of
// an infinite plane.
START_TEST(sky_and_haze) {
  static drawn x;
  static const char text[] =
      "<mujoco><statistic extent='1' center='0 0 2'/><visual><global azimuth='90' elevation='%d'/>"
      "<map haze='0.5'/></visual><asset><texture type='skybox' builtin='gradient' rgb1='0 0.5 0' "
      "rgb2='0 0.5 0' width='16' height='96'/></asset><worldbody>%s</worldbody></mujoco>";
  char model[1024];
  snprintf(model, sizeof model, text, -60, "");
  if (start(&x, model)) {
    if (_i) {
      limit_textures(&x, 12);
    }
    ck_assert_int_eq(x.segment[MIDDLE], -1);
    ck_assert_int_le(color(&x, MIDDLE, 0), 2);
    ck_assert_int_le(abs(color(&x, MIDDLE, 1) - 128), 3);
  }
  end(&x);
  snprintf(model, sizeof model, text, 0, "<geom type='plane' size='0 0 1' rgba='0 0 0.2 1'/>");
  if (start(&x, model)) {
    int brightest = 0;
    for (int y = 0; y < H; y++) {
      const int red = color(&x, y * W + W / 2, 0);
      brightest = red > brightest ? red : brightest;
    }
    ck_assert_int_gt(brightest, 150);   // white haze
    ck_assert_int_le(color(&x, W / 2, 0), 2);
    ck_assert_int_le(color(&x, (H - 1) * W + W / 2, 1), 2);
    x.options.show[SN_SHOW_HAZE] = 0;
    draw(&x);
    for (int y = 0; y < H; y++) {
      ck_assert_int_le(color(&x, y * W + W / 2, 0), 2);
    }
  }
  end(&x);
}
END_TEST

// A fine checker on a ball becomes even where its squares are smaller than pixels: no grains.
START_TEST(cube_textures_far_away) {
  static drawn x;
  if (start(&x, LOOK_DOWN
            "<asset><texture name='t' type='cube' builtin='checker' mark='random' "
            "random='0.5' markrgb='1 1 1' width='512' "
            "height='3072' rgb1='0 0 0' rgb2='0 0 0'/><material name='m' texture='t' "
            "rgba='1 1 1 1'/></asset><worldbody><geom size='0.2' material='m'/></worldbody>"
            "</mujoco>")) {
    int least = 255, most = 0;
    for (int i = -5; i <= 5; i++) {
      const int c = color(&x, MIDDLE + i, 0);
      least = c < least ? c : least;
      most = c > most ? c : most;
    }
    ck_assert_int_gt(least, 70);   // 255 x 0.8 / 2 = 102
    ck_assert_int_lt(most, 135);
  }
  end(&x);
}
END_TEST

// A checker is repeated as the material says; the first row of a texture is at the largest y; also
// where the driver allows smaller textures only.
START_TEST(textures) {
  static drawn x;
  if (start(&x, LOOK_DOWN
            "<asset><texture name='t' type='2d' builtin='checker' width='64' height='64' "
            "rgb1='1 0 0' rgb2='0 0 1'/><material name='m' texture='t' rgba='1 1 1 1'/></asset>"
            "<worldbody><geom type='plane' size='0.5 0.5 1' material='m'/></worldbody></mujoco>")) {
    if (_i) {
      limit_textures(&x, 24);
    }
    const int q = (int)(0.25 * H / (2 * tan(M_PI / 6) * 1.5));
    const int upper_left = MIDDLE - q * W - q, upper_right = MIDDLE - q * W + q;
    const int lower_left = MIDDLE + q * W - q, lower_right = MIDDLE + q * W + q;
    ck_assert_int_eq(color(&x, upper_left, 0) > 100, color(&x, lower_right, 0) > 100);
    ck_assert_int_eq(color(&x, upper_right, 2) > 100, color(&x, lower_left, 2) > 100);
    ck_assert_int_ne(color(&x, upper_left, 0) > 100, color(&x, upper_right, 0) > 100);
    x.options.show[SN_SHOW_TEXTURE] = 0;
    draw(&x);
    ck_assert_int_eq(color(&x, upper_left, 0), color(&x, upper_left, 2));
  }
  end(&x);
}
END_TEST

// A body of alpha 0.5 has two such surfaces: a quarter of what is behind it comes through; its id
// and depth are its own.
START_TEST(translucent_geoms) {
  static drawn x;
  if (start(&x, LOOK_DOWN "<worldbody><geom type='box' size='0.3 0.3 0.1' rgba='1 0 0 1'/>"
                          "<geom type='box' size='0.3 0.3 0.1' pos='0 0 0.5' rgba='0 0 1 0.5'/>"
                          "</worldbody></mujoco>")) {
    ck_assert_int_le(abs(color(&x, MIDDLE, 0) - 51), 3);
    ck_assert_int_le(abs(color(&x, MIDDLE, 2) - 153), 3);
    ck_assert_int_eq(x.segment[MIDDLE], 1);
    ck_assert_double_eq_tol((double)x.depth[MIDDLE], 0.9, 1e-3);
  }
  end(&x);
}
END_TEST

START_TEST(labels) {
  static drawn x;
  if (start(&x, LOOK_DOWN "<worldbody><geom name='LLL' size='0.4' rgba='1 0 0 1'/></worldbody>"
                          "</mujoco>")) {
    x.options.label = SN_LABEL_GEOM;
    draw(&x);
    expect_label(&x);
  }
  end(&x);
}
END_TEST

// Finer shapes than can be seen are as fine as those can be, and are made once.
START_TEST(huge_quality) {
  static drawn x;
  if (start(&x,
            "<mujoco><statistic extent='1' center='0 0 0'/><visual><quality numslices='1000000' "
            "numstacks='1000000' numquads='1000000' shadowsize='1000000000'/></visual>"
            "<worldbody><light pos='0 0 3' dir='0 0 -1'/><geom type='box' size='.4 .4 .4'/>"
            "</worldbody></mujoco>")) {
    ck_assert_int_eq(x.segment[MIDDLE], 0);
    replace("epoxy_glBufferData", (any_function *)counted_buffer, &buffer_data);
    open_again(&x);
    draw(&x);
    const int once = nindices;
    ck_assert_int_gt(once, 0);
    draw(&x);
    ck_assert_int_eq(nindices, once);
  }
  end(&x);
}
END_TEST

// Drawing does not change the results of a simulation, in which the driver must leave the
// floating-point environment as it is.
START_TEST(simulations_keep_their_bits) {
  static const char text[] =
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.3'>"
      "<freejoint/><geom size='0.1 0.2 0.05' type='ellipsoid'/></body>"
      "</worldbody></mujoco>";
  static drawn x;
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  if (start(&x, text)) {
    for (int i = 0; i < 200; i++) {
      OK(sn_step(x.m, x.d));
      OK(sn_step(m, d));
      if (i % 50 == 0) {
        draw(&x);
      }
    }
    ck_assert_uint_eq(sn_state_hash(x.m, x.d, SN_STATE_INTEGRATION),
                      sn_state_hash(m, d, SN_STATE_INTEGRATION));
  }
  end(&x);
  done_with(m, d);
}
END_TEST

START_TEST(it_passes_the_kit) {
  drawn x;
  if (start(&x, LOOK_DOWN "</mujoco>")) {
    ck_assert_int_ge(expect_all_pass(engine, SN_KIND_RENDERER), 1);
  }
  end(&x);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, stop);
  TEST(light_of_the_camera);
  TEST(directions);
  TEST(infinite_planes);
  EACH(shadows, 0, 2);
  TEST(drivers_without_memory);
  TEST(shadows_of_translucent_geoms);
  EACH(reflections, 0, 3);
  EACH(second_mirrors, 0, 2);
  TEST(planes_from_behind);
  TEST(the_last_of_equal_boxes);
  TEST(light_is_limited);
  EACH(sky_and_haze, 0, 2);
  TEST(cube_textures_far_away);
  EACH(textures, 0, 2);
  TEST(translucent_geoms);
  TEST(labels);
  TEST(huge_quality);
  TEST(simulations_keep_their_bits);
  TEST(it_passes_the_kit);
}
