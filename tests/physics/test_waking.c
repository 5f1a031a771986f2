// SPDX-License-Identifier: Apache-2.0
//
// What wakes in a step takes part in it. When nothing sleeps any more, the step ends all the same.

#include "default_engine.h"
#include "sinew/sinew.h"
#include "suite.h"

static int number_asleep(const sn_model *m, sn_data *d) {
  int n = 0;
  for (int64_t i = 0; i < sn_size(m, "nbody"); i++) {
    n += snd_body_asleep(d)[i];
  }
  return n;
}

START_TEST(the_last_sleeper_wakes) {
  sn_model *m = model_of(
      "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body pos='0 0 .0999'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='0 0 1'><freejoint/><geom size='.05'/></body></worldbody></mujoco>");
  sn_data *d = data_of(m);
  int slept = 0, woken = 0;
  for (int i = 0; i < 250; i++) {   // the ball reaches the box after 200 steps
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    slept |= number_asleep(m, d) == 1;
    woken |= slept && number_asleep(m, d) == 0;
  }
  ck_assert(slept && woken);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(the_last_sleeper_wakes);
}
