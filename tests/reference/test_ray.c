// SPDX-License-Identifier: Apache-2.0
//
// Rays against every type of geom, from outside and from inside, with all filters, beside the
// reference engine; what cannot be seen, by its color or that of its material, is not hit.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model_file.h"
#include "ray_distance.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

static double tolerance, lift;   // lift: of the origins of rays

static double uniform(uint64_t *state) {   // splitmix64, in [-1, 1)
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

// A mesh that is not convex, and a height field of a file, whose path goes into the format. It has
// as many rows as columns: else the reference reads the height of the walls at the ends of x from
// other cells than those there. Rays start above it: for one that starts inside, the reference
// knows a side between the base and the heights.
static const char assets[] =
    "<mujoco><asset><mesh name='m' vertex='0.5 0 0  -0.5 0.1 0  0 0.6 0  0 0.2 0.8  0.2 -0.4 0.1' "
    "face='0 2 3  2 1 3  1 4 3  4 0 3  0 4 2  4 1 2'/><hfield name='h' file='%s' "
    "size='2 1.5 0.8 0.3'/></asset><worldbody>"
    "<geom name='field' type='hfield' hfield='h' pos='0 0 -2' euler='5 10 15'/>"
    "<body pos='0.5 0.5 1' euler='30 20 10'><freejoint/><geom type='mesh' mesh='m'/></body>"
    "<body pos='-1 0.3 0.6' euler='70 20 90'><freejoint/>"
    "<geom type='mesh' mesh='m' group='2'/></body>"
    "</worldbody></mujoco>";

// An int32 for rows and columns each, then floats.
static void write_field(char *path) {
  enum { ROWS = 6, COLS = 6 };
  int32_t size[2] = { ROWS, COLS };
  float height[ROWS * COLS];
  uint64_t state = 5;
  for (int i = 0; i < ROWS * COLS; i++) {
    height[i] = (float)(0.5 + 0.5 * uniform(&state));
  }
  FILE *file = fdopen(mkstemps(path, 4), "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(size, sizeof size, 1, file), 1);
  ck_assert_uint_eq(fwrite(height, sizeof height, 1, file), 1);
  fclose(file);
}

// Casts the same rays with both engines; returns how many hit.
static int compare_rays(const char *text, int n) {
  char path[] = "/tmp/sinew-ray-XXXXXX.xml", why[1000] = "";
  int file = mkstemps(path, 4);
  ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  mjModel *rm = mj_loadXML(path, NULL, why, sizeof why);
  ck_assert_msg(rm, "%s", why);
  mjData *rd = mj_makeData(rm);
  mj_forward(rm, rd);

  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_model *m = engine ? sn_load(engine, path, error) : NULL;
  unlink(path);
  ck_assert_msg(m, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  sn_forward_position(m, d);

  uint64_t state = 1;
  int hits = 0;
  for (int i = 0; i < n; i++) {
    double origin[3], direction[3];
    for (int k = 0; k < 3; k++) {
      origin[k] = 3 * uniform(&state);
      direction[k] = 2 * uniform(&state);
    }
    origin[2] += lift;
    int without = i % 8 - 1, with_static = i % 3 != 0, geom_ref;
    mjtByte groups[6] = { 1, 1, 0, 1, 1, 1 };
    int32_t geom;
    double expected = mj_ray(rm, rd, origin, direction, i % 5 ? NULL : groups, (mjtByte)with_static,
                             without, &geom_ref);
    double got = ray_distance(m, d, origin, direction, i % 5 ? 0 : 0x3b, with_static, without,
                              &geom);
    ck_assert_msg(geom == geom_ref, "ray %d hits geom %d instead of %d (%g, %g)", i, geom, geom_ref,
                  got, expected);
    ck_assert_double_eq_tol(got, expected, tolerance * (1 + fabs(expected)));
    // directions may have any length
    for (int power = -200; power <= 200 && got >= 0; power += 400) {
      double far[3] = { direction[0], direction[1], direction[2] }, length = pow(10, power);
      sn_scale3(far, far, length);
      double again = ray_distance(m, d, origin, far, i % 5 ? 0 : 0x3b, with_static, without, NULL);
      ck_assert_double_eq_tol(again * length, got, tolerance * (1 + got));
    }
    hits += geom >= 0;
  }
  sn_data_free(d);
  sn_model_free(m);
  sn_engine_close(engine);
  sn_error_free(error);
  mj_deleteData(rd);
  mj_deleteModel(rm);
  return hits;
}

START_TEST(rays_agree) {
  tolerance = 1e-10;
  lift = 0;
  ck_assert_int_gt(compare_rays(model_file("reference/rays"), 20000), 5000);
}
END_TEST

// The reference keeps meshes and fields in single precision.
START_TEST(rays_of_assets_agree) {
  char path[] = "/tmp/sinew-ray-XXXXXX.bin", text[2000];
  write_field(path);
  snprintf(text, sizeof text, assets, path);
  tolerance = 1e-6;
  lift = 2.5;
  ck_assert_int_gt(compare_rays(text, 40000), 1000);
  unlink(path);
}
END_TEST

TESTS() {
  TEST(rays_agree);
  TEST(rays_of_assets_agree);
}
