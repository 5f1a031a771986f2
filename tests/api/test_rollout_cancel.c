// SPDX-License-Identifier: Apache-2.0
//
// A canceled rollout has the status SN_ECANCELED, although a step failed before: here each step
// diverges, and the rollout goes on from the reset state.

#include <stdlib.h>
#include <string.h>

#include "default_engine.h"
#include "sinew/executor.h"
#include "suite.h"

enum { N = 4, STEPS = 8, AT = 4 };

static const char wild[] =
    "<mujoco><option gravity='0 0 -1e15'/><worldbody><body><joint axis='0 1 0'/>"
    "<geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>";

static sn_model *m;
static int32_t status[N], canceled;
static int64_t reached[N];

// ------------------------------------------------------------------ by messages

static const sn_host *host_of_twin;
static int64_t asked;

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *e) {
  (void)values, (void)e;
  host_of_twin = host;
  *self = &host_of_twin;
  return SN_OK;
}

static void destroy(void *self) {
  (void)self;
}

static int64_t workers(const void *self) {
  (void)self;
  return 1;
}

typedef struct bytes {
  int64_t n;
  uint64_t at[1 << 13];   // aligned
} bytes;

static sn_status add(sn_sink *sink, const void *from, int64_t count) {
  bytes *b = sink->context;
  ck_assert_int_le(b->n + count, (int64_t)sizeof b->at);
  memcpy((char *)b->at + b->n, from, (size_t)count);
  b->n += count;
  return SN_OK;
}

// It is asked before each step.
static int32_t from_step(void *context) {
  (void)context;
  return asked++ >= AT;
}

// What another process does with a job, here in the same one.
static sn_status run_twin(const void *self, sn_job *job, sn_error *e) {
  static bytes description;
  static double row[64], result[64];
  const sn_job_service *jobs = host_of_twin->query(host_of_twin, SN_SERVICE_JOB);
  sn_sink sink = { .size = sizeof sink, .context = &description, .write = add };
  sn_job *twin = NULL;
  void *worker = NULL;
  (void)self;
  description.n = 0;
  OK(job->describe(job, &sink, e));
  OK(jobs->open(host_of_twin, description.at, description.n, &twin, e));
  ck_assert(job->row_bytes <= (int64_t)sizeof row && job->result_bytes <= (int64_t)sizeof result);
  twin->is_canceled = from_step;
  OK(twin->open(twin, 0, &worker));
  for (int64_t task = 0; task < job->ntask; task++) {
    int64_t steps = -1;
    asked = 0;
    job->get_row(job, task, row);
    const sn_status s = twin->run_row(twin, worker, row, result, &steps);
    job->put(job, task, s, steps, result);
  }
  twin->close(twin, worker);
  jobs->close(twin);
  return SN_OK;
}

static const sn_executor_ops twin_ops = {
  .head = { .size = sizeof twin_ops, .create = create, .destroy = destroy },
  .workers = workers,
  .run = run_twin,
};

// ------------------------------------------------------------------ in this process

static sn_status end_step(void *context, const sn_model *model, sn_data *d, int64_t i, int64_t k) {
  (void)context, (void)model, (void)d, (void)i;
  return k == AT ? SN_ECANCELED : SN_OK;
}

// Before the sample of step AT - 1.
static sn_status set_cancel(void *context, const sn_model *model, sn_data *d, int64_t i,
                            int64_t k) {
  (void)context, (void)model, (void)d, (void)i;
  canceled = k == AT - 1;
  return SN_OK;
}

static int32_t taken;
static sn_status consume(void *context, int64_t i, int32_t s, int64_t n, const double *results) {
  (void)context, (void)i, (void)s, (void)n, (void)results;
  taken++;
  return SN_OK;
}

// ------------------------------------------------------------------ tests

static void start(void) {
  open_engine();
  OK(sn_engine_add(engine, SN_KIND_EXECUTOR, "twin", &twin_ops, error));
  m = model_of(wild);
  canceled = taken = 0;
}

static void end(void) {
  sn_model_free(m);
  close_engine();
}

static sn_rollout_request request(const char *executor) {
  static double results[N * STEPS];
  static sn_rollout_record record = { .name = "time" };
  return (sn_rollout_request){ .size = sizeof(sn_rollout_request),
                               .n = N,
                               .nstep = STEPS,
                               .every = 2,
                               .record = &record,
                               .nrecord = 1,
                               .results = results,
                               .executor = executor,
                               .consume = consume,
                               .status = status,
                               .reached = reached };
}

static void expect_canceled(const sn_rollout_request *q, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(status[i] == SN_ECANCELED, "rollout %d: %d", i, status[i]);
    ck_assert_int_eq(reached[i], AT);
  }
  ck_assert(q->done == 0 && q->failed == 0 && taken == 0);
}

static const char *const executors[] = { "serial", "threads", "lanes", "auto", "twin" };
enum { NEXECUTOR = sizeof executors / sizeof executors[0] };

// Otherwise they would fail.
START_TEST(rollouts_diverge) {
  sn_rollout_request q = request(executors[_i]);
  q.nstep = AT;   // the twin is not asked often enough
  OK(sn_rollout(m, &q, error));
  ck_assert(q.done == N && q.failed == N && taken == N);
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(status[i], SN_EDIVERGED);
    ck_assert_int_eq(reached[i], 0);
  }
}
END_TEST

START_TEST(canceled_in_another_process) {
  sn_rollout_request q = request("twin");
  OK(sn_rollout(m, &q, error));
  expect_canceled(&q, N);
}
END_TEST

START_TEST(canceled_by_a_function) {
  sn_rollout_request q = request(executors[_i]);
  q.before_step = end_step;
  OK(sn_rollout(m, &q, error));
  expect_canceled(&q, N);
}
END_TEST

// With threads, it is chance which rollout comes to the step first.
static void expect_one_canceled(void) {
  int first = 0;
  for (int i = 1; i < N; i++) {
    first = reached[i] > reached[first] ? i : first;
  }
  ck_assert_int_eq(reached[first], AT);
  ck_assert_int_eq(status[first], SN_ECANCELED);
}

// In lanes all four are under way.
START_TEST(canceled_between_steps) {
  const int together = strcmp(executors[_i], "lanes") == 0;
  sn_rollout_request q = request(executors[_i]);
  q.before_sample = set_cancel;
  q.cancel = &canceled;
  OK(sn_rollout(m, &q, error));
  if (strcmp(executors[_i], "threads") == 0) {
    expect_one_canceled();
  } else {
    expect_canceled(&q, together ? N : 1);
  }
}
END_TEST

TESTS() {
  FIXTURE(start, end);
  EACH(rollouts_diverge, 0, NEXECUTOR);
  TEST(canceled_in_another_process);
  EACH(canceled_by_a_function, 0, 4);
  EACH(canceled_between_steps, 0, 3);
}
