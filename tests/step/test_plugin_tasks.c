// SPDX-License-Identifier: Apache-2.0
//
// The service sinew.tasks/1: an operation shares its work with the threads of its simulation, where
// it is the only one that runs; a task that changes the floating-point environment fails the step.
// Under the thread sanitizer too.

#include <fenv.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "default_engine.h"
#include "sinew/solver.h"
#include "suite.h"

enum { NTASK = 64 };
static const sn_tasks_service *service;
static atomic_int inside, most;   // tasks that run
static int waits;                 // the first tasks wait for another, at most this many seconds
static int rounds_up;             // the last task changes the rounding
static int only_asks;             // the solver runs no tasks
static int gluttonous, returned;  // the solver asks for too much memory first; run returned to it
static atomic_int least, largest; // threads that the solver was told
static int32_t calls[NTASK];      // of each task
static double part[NTASK];

static void task(void *context, int64_t k) {
  const sn_problem *p = context;
  const int now = atomic_fetch_add(&inside, 1) + 1;
  int before = atomic_load(&most);
  while (before < now && !atomic_compare_exchange_weak(&most, &before, now)) {}
  const time_t end = time(NULL) + waits;
  while (waits && atomic_load(&most) < 2 && time(NULL) < end) {
    sched_yield();
  }
  calls[k]++;
  part[k] = (double)k * p->qacc_smooth[2];
  if (rounds_up && k == NTASK - 1) {
    fesetround(FE_UPWARD);
  }
  atomic_fetch_sub(&inside, 1);
}

static void note_threads(int n) {
  int known = atomic_load(&least);
  while (n < known && !atomic_compare_exchange_weak(&least, &known, n)) {}
  known = atomic_load(&largest);
  while (n > known && !atomic_compare_exchange_weak(&largest, &known, n)) {}
}

static void forget_threads(void) {
  atomic_store(&least, NTASK);
  atomic_store(&largest, 0);
}

static sn_status sharing_solve(const void *self, const sn_problem *p, sn_solution *s,
                               sn_scratch *scratch) {
  (void)self;
  sn_status status = SN_OK;
  note_threads(service->nthread(scratch));
  if (!only_asks) {
    memset(calls, 0, sizeof calls);
    ck_assert(!gluttonous || !scratch->alloc(scratch, (int64_t)1 << 30, 64));
    status = service->run(scratch, NTASK, task, (void *)(uintptr_t)p);
    returned++;
  }
  memcpy(s->qacc, p->qacc_smooth, (size_t)p->nv * sizeof(double));
  memset(s->force, 0, (size_t)p->nefc * sizeof(double));
  memset(s->state, 0, (size_t)p->nefc * sizeof(int32_t));
  s->iterations = 1;
  return status;
}

static sn_status find_service(const sn_host *host, const sn_value *values, void **self,
                              sn_error *e) {
  (void)values, (void)self, (void)e;
  service = host->query(host, SN_SERVICE_TASKS);
  return service ? SN_OK : SN_ENOTFOUND;
}

static void forget(void *self) {
  (void)self;
}

static const sn_solver_ops sharing_ops = {
  .head = { .size = sizeof(sn_solver_ops), .create = find_service, .destroy = forget },
  .solve = sharing_solve,
};

// n boxes that touch the ground: n islands.
static sn_model *boxes(int n) {
  char text[8192];
  OK(sn_engine_add(engine, SN_KIND_SOLVER, "sharing", &sharing_ops, error));
  int used = snprintf(text, sizeof text, "<mujoco><worldbody><geom type='plane' size='9 9 1'/>");
  for (int k = 0; k < n; k++) {
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "<body pos='%d 0 .099'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
                     k);
  }
  snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
  sn_model *m = model_of(text);
  OK(sn_model_parse_option(m, "solver", "sharing", error));
  return m;
}

static sn_data *data_with(sn_model *m, const char *threads) {
  OK(sn_model_parse_option(m, "threads", threads, error));
  return data_of(m);
}

// Each task runs once, and two of them at the same time.
START_TEST(tasks_run_once) {
  sn_model *m = boxes(1);
  double with_one[NTASK];
  for (int threads = 1; threads <= 4; threads *= 2) {
    const char number[2] = { (char)('0' + threads) };
    sn_data *d = data_with(m, number);
    atomic_store(&most, 0);
    forget_threads();
    waits = threads > 1 ? 20 : 0;
    OK(sn_step(m, d));
    waits = 0;
    ck_assert_int_eq(atomic_load(&least), threads);
    ck_assert_int_eq(atomic_load(&largest), threads);
    ck_assert_int_eq(atomic_load(&most) > 1, threads > 1);
    for (int k = 0; k < NTASK; k++) {
      ck_assert_int_eq(calls[k], 1);
    }
    if (threads == 1) {
      memcpy(with_one, part, sizeof part);
    }
    ck_assert(memcmp(with_one, part, sizeof part) == 0);
    sn_data_free(d);
  }
  sn_model_free(m);
}
END_TEST

// Where islands share the stage, their solvers have one thread each.
START_TEST(islands_do_not_share_twice) {
  enum { ISLANDS = 16 };
  sn_model *m = boxes(ISLANDS);
  sn_data *d = data_with(m, "4");
  only_asks = 1;
  forget_threads();
  OK(sn_step(m, d));
  only_asks = 0;
  ck_assert_int_eq(snd_nisland(d), ISLANDS);
  ck_assert_int_eq(atomic_load(&largest), 1);
  done_with(m, d);
}
END_TEST

START_TEST(changed_rounding_is_named) {
  sn_model *m = boxes(1);
  for (int threads = 1; threads <= 2; threads++) {
    const char number[2] = { (char)('0' + threads) };
    sn_data *d = data_with(m, number);
    rounds_up = 1;
    ck_assert_int_lt(sn_step(m, d), 0);
    rounds_up = 0;
    const char *text = sn_error_text(sn_data_error(d));
    ck_assert_msg(strstr(text, "sharing") && strstr(text, "solve"), "%s", text);
    ck_assert_int_eq(fegetround(), FE_TONEAREST);
    OK(sn_step(m, d));
    sn_data_free(d);
  }
  sn_model_free(m);
}
END_TEST

// Memory is exhausted before the tasks: the solver gets its turn to release what it holds.
START_TEST(nothing_jumps_over_the_operation) {
  sn_model *m = boxes(1);
  OK(sn_model_parse_option(m, "memory", "100000000", error));
  for (int threads = 1; threads <= 2; threads++) {
    const char number[2] = { (char)('0' + threads) };
    sn_data *d = data_with(m, number);
    gluttonous = 1;
    returned = 0;
    ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
    ck_assert_int_eq(returned, 1);
    gluttonous = 0;
    OK(sn_step(m, d));
    sn_data_free(d);
  }
  sn_model_free(m);
}
END_TEST

// Scratch memory of another kind belongs to no simulation.
static void *no_memory(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  (void)scratch, (void)bytes, (void)alignment;
  return NULL;
}

static void count(void *context, int64_t k) {
  (void)k;
  ++*(int *)context;
}

START_TEST(other_scratch_has_one_thread) {
  sn_model *m = boxes(1);
  sn_scratch own = { .size = sizeof own, .alloc = no_memory };
  int n = 0;
  ck_assert_int_eq(service->nthread(&own), 1);
  ck_assert_int_eq(service->run(&own, NTASK, count, &n), SN_OK);
  ck_assert_int_eq(n, NTASK);
  ck_assert_int_eq(service->run(&own, 0, count, &n), SN_OK);
  ck_assert_int_eq(n, NTASK);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(tasks_run_once);
  TEST(islands_do_not_share_twice);
  TEST(changed_rounding_is_named);
  TEST(nothing_jumps_over_the_operation);
  TEST(other_scratch_has_one_thread);
}
