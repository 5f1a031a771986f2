// SPDX-License-Identifier: Apache-2.0
//
// Serving rollouts of other processes; the processes themselves are in tools/test_rollouts_mpi.c.

#include <string.h>

#include "default_engine.h"
#include "sinew/executor.h"
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

// ------------------------------------------------------------------ faults

static sn_status status_of_serve;
static int32_t served_by_serve;

static int64_t workers(const void *self) {
  (void)self;
  return 1;
}

static sn_status run(const void *self, sn_job *job, sn_error *e) {
  (void)self, (void)job, (void)e;
  return SN_OK;
}

static sn_status serve(const void *self, int32_t *served, sn_error *e) {
  (void)self, (void)e;
  *served = served_by_serve;
  return status_of_serve;
}

static const sn_executor_ops toy = {
  .head = { .size = sizeof toy, .summary = "a toy" },
  .workers = workers,
  .run = run,
  .serve = serve,
};

static const struct {
  sn_status status;
  int32_t served;
  const char *says;
} faults[] = {
  { SN_OK, 1, NULL },
  { SN_EIO, 1,
    "'toy' (sinew.executor/1): its operation 'serve' failed without a message (SN_EIO)" },
  { 4242, 0, "its operation 'serve' returned the status 4242" },
  { SN_OK, 7, "'toy' (sinew.executor/1): its operation 'serve' set *served to 7" },
  { SN_OK, -1, "its operation 'serve' set *served to -1" },
};

START_TEST(executor_is_named) {
  int32_t served = -1;
  status_of_serve = faults[_i].status;
  served_by_serve = faults[_i].served;
  OK(sn_engine_add(engine, SN_KIND_EXECUTOR, "toy", &toy, error));
  const sn_status status = sn_rollout_serve(engine, "toy", &served, error);
  ck_assert_int_eq(status < 0, faults[_i].says != NULL);
  ck_assert_msg(status >= 0 || strstr(sn_error_text(error), faults[_i].says), "%s",
                sn_error_text(error));
  ck_assert(served == 0 || served == 1);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(threads_have_nothing_to_serve);
  EACH(executor_is_named, 0, sizeof faults / sizeof faults[0]);
}
