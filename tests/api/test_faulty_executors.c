// SPDX-License-Identifier: Apache-2.0
//
// Executors that run tasks that do not exist, leave some out, or write what cannot be, are named by
// sn_rollout; tasks that are left out after a cancellation are no fault.

#include "default_engine.h"
#include "sinew/executor.h"
#include "suite.h"

enum { SOUND, BEYOND, NEGATIVE, STATUS, STEPS, SILENT, CLOSES_TWICE, LEAVES_OUT };
static int fault;

static int64_t workers(const void *self) {
  (void)self;
  return 1;
}

static sn_status run(const void *self, sn_job *job, sn_error *e) {
  void *worker = NULL;
  int64_t reached = 7;
  (void)self, (void)e;
  SN_TRY(job->open(job, 0, &worker));
  const int64_t n = fault == LEAVES_OUT ? job->ntask - 2 : job->ntask;
  for (int64_t i = 0; i < n; i++) {
    char *result = (char *)job->results + i * job->nresult;
    job->status[i] = job->run(job, worker, i, result, &job->reached[i]);
    if (job->progress && job->progress(job, i + 1)) {
      break;
    }
  }
  const int64_t other = fault == BEYOND ? job->ntask + 7 : -1;
  if (fault == BEYOND || fault == NEGATIVE) {
    ck_assert_int_lt(job->run(job, worker, other, job->results, &reached), 0);
    ck_assert_int_eq(reached, 0);
  } else if (fault == STATUS) {
    job->status[1] = 12345;
  } else if (fault == STEPS) {
    job->reached[1] = -77;
  }
  job->close(job, worker);
  if (fault == CLOSES_TWICE) {
    job->close(job, worker);
  }
  return fault == SILENT ? SN_EINVAL : SN_OK;
}

static const sn_executor_ops toy = {
  .head = { .size = sizeof toy, .summary = "a toy" },
  .workers = workers,
  .run = run,
};

static const char *const says[] = {
  [SOUND] = NULL,
  [BEYOND] = NULL,
  [NEGATIVE] = NULL,
  [STATUS] = "'toy' (sinew.executor/1): after its operation 'run', task 1 has status 12345",
  [STEPS] = "task 1 has status 0 and -77 of 2 steps",
  [CLOSES_TWICE] = "its operation 'run' closed a worker that was not open",
  [SILENT] = "its operation 'run' failed without a message (SN_EINVAL)",
  [LEAVES_OUT] = "'toy' (sinew.executor/1): its operation 'run' reported no error, but task 1 was "
                 "not run",
};
enum { NFAULTS = sizeof says / sizeof says[0] };

enum { N = 3, NSTEP = 2, ROOM = 64 };

static sn_model *start(void) {
  open_engine();
  OK(sn_engine_add(engine, SN_KIND_EXECUTOR, "toy", &toy, error));
  return model_of("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody>"
                  "</mujoco>");
}

START_TEST(executor_is_named) {
  double states[N * NSTEP * ROOM];
  sn_model *m = start();
  fault = _i;
  sn_rollout_request request = { .size = sizeof request,
                                 .n = N,
                                 .nstep = NSTEP,
                                 .result_mask = SN_STATE_FULLPHYSICS,
                                 .executor = "toy",
                                 .states = states };
  ck_assert_ptr_null(sn_load(engine, "nothing.xml", error));   // leaves an error
  const sn_status status = sn_rollout(m, &request, error);
  ck_assert_msg((status == SN_OK) == (says[fault] == NULL), "%s", sn_error_text(error));
  ck_assert_msg(!says[fault] || strstr(sn_error_text(error), says[fault]), "%s",
                sn_error_text(error));
  sn_model_free(m);
  close_engine();
}
END_TEST

static int32_t cancel(void *context, int64_t done, int64_t n) {
  (void)context, (void)n;
  return done == 1;
}

// The same executor, but canceled: what was not run has reached no step.
START_TEST(canceled_tasks_may_be_left_out) {
  int32_t status[N];
  int64_t reached[N];
  sn_model *m = start();
  fault = LEAVES_OUT;
  sn_rollout_request request = { .size = sizeof request,
                                 .n = N,
                                 .nstep = NSTEP,
                                 .executor = "toy",
                                 .progress = cancel,
                                 .status = status,
                                 .reached = reached };
  OK(sn_rollout(m, &request, error));
  ck_assert_int_eq(request.done, 1);
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(status[i], i == 0 ? SN_OK : SN_ECANCELED);
    ck_assert_int_eq(reached[i], i == 0 ? NSTEP : 0);
  }
  sn_model_free(m);
  close_engine();
}
END_TEST

TESTS() {
  TEST(canceled_tasks_may_be_left_out);
  EACH(executor_is_named, 0, NFAULTS);
}
