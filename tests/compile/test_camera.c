// SPDX-License-Identifier: Apache-2.0
//
// The field of view of cameras with a lens: an image plane of height h behind a focal length f sees
// the angle 2 atan(h / 2f). In pixels, both are parts of the resolution.

#include <math.h>

#include "default_engine.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

static const struct {
  const char *attributes;
  double h, f;   // h of 0: fovy, which is 45 degrees by default
  int warned;
} lenses[] = {
  { "focal='.01 .02' sensorsize='.03 .04' resolution='200 100'", .04, .02, 0 },
  { "focal='.01 .02' sensorsize='.03 .04'", .04, .02, 0 },
  { "focal='.01 .02' sensorsize='.03 .04' principal='.001 .002'", .04, .02, 0 },
  { "focalpixel='100 120' sensorsize='.03 .04' resolution='200 100'", 100, 120, 0 },
  { "focalpixel='10 12' focal='.01 .02' sensorsize='.03 .04' resolution='200 100'", 100, 12, 0 },
  { "sensorsize='.03 .04'", .04, 0, 0 },
  { "resolution='200 100'", 0, 1, 0 },
  { "focal='.01 .02'", 0, 1, 1 },
};

START_TEST(fields_of_view) {
  char text[300];
  snprintf(text, sizeof text, "<mujoco><worldbody><camera %s/></worldbody></mujoco>",
           lenses[_i].attributes);
  sn_model *m = model_of(text);
  double half = lenses[_i].h > 0 ? atan2(0.5 * lenses[_i].h, lenses[_i].f) : SN_PI / 8;
  ck_assert_double_eq_tol(snm_cam_fovy(m)[0], 2 * half * 180 / SN_PI, 1e-10);
  ck_assert_int_eq(warning_with(m, "camera: a lens requires")[0] != 0, lenses[_i].warned);
  sn_model_free(m);
}
END_TEST

START_TEST(lenses_are_inherited) {
  sn_model *m = model_of("<mujoco><default><camera focal='.01 .02' sensorsize='.03 .04'/></default>"
                         "<worldbody><camera/></worldbody></mujoco>");
  ck_assert_double_eq_tol(snm_cam_fovy(m)[0], 90, 1e-10);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(fields_of_view, 0, sizeof lenses / sizeof *lenses);
  TEST(lenses_are_inherited);
}
