// SPDX-License-Identifier: Apache-2.0
//
// Rays against every simple shape, from outside and from inside, beside the reference engine;
// what cannot be seen, by its color or that of its material, is not hit.

#include <check.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sinew/sinew.h"

static const char scene[] =
    "<mujoco><asset><material name='glass' rgba='1 1 1 0'/><material name='wood'/></asset>"
    "<worldbody>"
    "<geom type='plane' size='6 5 1' pos='0 0 -3'/>"
    "<geom type='plane' size='0 0 1' pos='0 0 -9' euler='10 20 0'/>"
    "<body pos='1 0 0'><freejoint/><geom type='sphere' size='0.7'/></body>"
    "<body pos='-1 1 0.5' euler='20 50 70'><freejoint/><geom type='capsule' size='0.4 0.8'/></body>"
    "<body pos='0 -2 1' euler='80 10 30'><freejoint/>"
    "<geom type='ellipsoid' size='0.4 0.9 0.6'/></body>"
    "<body pos='2 2 0' euler='40 10 5'><freejoint/><geom type='cylinder' size='0.5 0.7'/></body>"
    "<body pos='-2 -1 0' euler='15 25 35'><freejoint/>"
    "<geom type='box' size='0.5 0.3 0.9' group='2'/></body>"
    "<body pos='0 2 -1'><freejoint/><geom type='sphere' size='0.5' rgba='1 0 0 0'/></body>"
    "<body pos='1.5 1 1.5'><freejoint/><geom type='box' size='0.4 0.3 0.5' material='glass'/></body>"
    "<body pos='-1 -1 1.8'><freejoint/>"
    "<geom type='box' size='0.4 0.3 0.5' material='wood' rgba='1 0 0 0'/></body>"
    "</worldbody></mujoco>";

static double uniform(uint64_t *state) {   // splitmix64, in [-1, 1)
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

START_TEST(test_rays_agree) {
  char path[] = "/tmp/sinew-ray-XXXXXX.xml", why[1000] = "";
  int file = mkstemps(path, 4);
  ck_assert_int_eq(write(file, scene, sizeof scene - 1), (ssize_t)sizeof scene - 1);
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
  for (int i = 0; i < 20000; i++) {
    double origin[3], direction[3];
    for (int k = 0; k < 3; k++) {
      origin[k] = 3 * uniform(&state);
      direction[k] = 2 * uniform(&state);
    }
    int without = i % 8 - 1, with_static = i % 3 != 0, geom_ref;
    mjtByte groups[6] = { 1, 1, 0, 1, 1, 1 };
    int32_t geom;
    double expected = mj_ray(rm, rd, origin, direction, i % 5 ? NULL : groups, (mjtByte)with_static,
                             without, &geom_ref);
    double got = sn_ray(m, d, origin, direction, i % 5 ? 0 : 0x3b, with_static, without, &geom);
    ck_assert_msg(geom == geom_ref, "ray %d hits geom %d instead of %d (%g, %g)", i, geom, geom_ref,
                  got, expected);
    ck_assert_double_eq_tol(got, expected, 1e-10 * (1 + fabs(expected)));
    hits += geom >= 0;
  }
  ck_assert_int_gt(hits, 5000);

  sn_data_free(d);
  sn_model_free(m);
  sn_engine_close(engine);
  sn_error_free(error);
  mj_deleteData(rd);
  mj_deleteModel(rm);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("ray");
  tcase_add_test(tc, test_rays_agree);
  Suite *suite = suite_create("ray");
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
