// SPDX-License-Identifier: Apache-2.0
//
// Serving rollouts of other processes; the processes themselves are in tools/test_rollouts_mpi.c.

#include "default_engine.h"
#include "suite.h"

// An executor of threads has no other processes: this one is the one that calls sn_rollout.
START_TEST(threads_have_nothing_to_serve) {
  int32_t served = -1;
  ck_assert_int_eq(sn_rollout_serve(engine, "threads", &served, error), SN_OK);
  ck_assert_int_eq(served, 0);
  ck_assert_int_eq(sn_rollout_serve(engine, "nothing", &served, error), SN_ENOTFOUND);
  ck_assert_int_eq(served, 0);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(threads_have_nothing_to_serve);
}
