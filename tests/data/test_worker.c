// SPDX-License-Identifier: Apache-2.0
//
// Workers: what several threads would note is merged into their simulation, in their order.

#include <stdlib.h>

#include "data/data.h"
#include "default_engine.h"
#include "suite.h"

enum { NWORKER = 3 };

static const char pendulum[] = "<mujoco><worldbody><body><joint/><geom size='.1'/></body>"
                               "</worldbody></mujoco>";

static int warned;

static void count_warnings(void *context, int32_t level, const char *topic, const char *text) {
  (void)context, (void)text;
  warned += level == SN_LOG_WARNING && strcmp(topic, "step") == 0;
}

// A simulation with several workers.
static sn_data *shared_data(const sn_model *m) {
  sn_data *d = data_of(m);
  si_worker *workers = calloc(NWORKER, sizeof *workers);
  ck_assert_ptr_nonnull(workers);
  for (int k = 0; k < NWORKER; k++) {
    si_worker_init(&workers[k], d);
  }
  si_worker_free(d->worker);
  free(d->worker);
  d->worker = workers;
  d->nworker = NWORKER;
  d->results.neighbor = &workers[0].scratch;
  return d;
}

START_TEST(worker_warnings_add_up) {
  sn_model *m = model_of(pendulum);
  sn_data *d = shared_data(m);
  warned = 0;
  sn_engine_set_log(engine, count_warnings, NULL);
  si_worker_warn(&d->worker[2], SN_WARN_PLUGIN, "of the last");
  si_worker_warn(&d->worker[0], SN_WARN_PLUGIN, "of the first");
  si_worker_warn(&d->worker[0], SN_WARN_PLUGIN, "of the first, again");
  si_worker_warn(&d->worker[1], SN_WARN_BADCTRL, "of the second");
  ck_assert_int_eq(warned, 3);   // the first of each kind that a worker sees

  // they count before they are merged, and once
  for (int merged = 0; merged < 2; merged++) {
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), 3);
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_BADCTRL), 1);
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_BADQPOS), 0);
    ck_assert_int_eq(snd_nwarning(d), merged ? 4 : 0);
    si_data_merge(d);
  }
  si_data_merge(d);
  ck_assert_int_eq(snd_nwarning(d), 4);

  // once it was counted, a warning is not logged again until a reset
  si_worker_warn(&d->worker[1], SN_WARN_PLUGIN, "known");
  ck_assert_int_eq(warned, 3);
  si_data_merge(d);
  sn_reset(m, d);
  si_worker_warn(&d->worker[1], SN_WARN_PLUGIN, "new");
  ck_assert_int_eq(warned, 4);
  sn_engine_set_log(engine, NULL, NULL);
  done_with(m, d);
}
END_TEST

START_TEST(worker_warnings_are_copied) {
  sn_model *m = model_of(pendulum);
  sn_data *d = shared_data(m), *copy = data_of(m);
  si_worker_warn(&d->worker[0], SN_WARN_PLUGIN, "merged");
  si_data_merge(d);
  si_worker_warn(&d->worker[1], SN_WARN_PLUGIN, "not merged yet");
  OK(sn_data_copy(m, copy, d));
  ck_assert_int_eq(sn_data_warning_count(copy, SN_WARN_PLUGIN), 2);
  ck_assert_int_eq(snd_nwarning(copy), 2);
  sn_data_free(copy);
  done_with(m, d);
}
END_TEST

// A call returns the error of the failed worker with the lowest index, whichever failed first.
START_TEST(worker_first_error_counts) {
  sn_model *m = model_of(pendulum);
  sn_data *d = shared_data(m);
  si_fail(&d->worker[2].error, SN_EPLUGIN, "of the last");
  si_fail(&d->worker[1].error, SN_ENOMEM, "of the second");
  si_data_merge(d);
  ck_assert_int_eq(sn_error_code(sn_data_error(d)), SN_ENOMEM);
  ck_assert_str_eq(sn_error_message(sn_data_error(d)), "of the second");
  OK(sn_forward(m, d));   // clears it
  ck_assert_int_eq(sn_error_code(sn_data_error(d)), SN_OK);
  done_with(m, d);
}
END_TEST

// The log is that of the island with the most iterations, and of the first of several: on whichever
// worker it was solved.
START_TEST(worker_solver_logs_are_compared) {
  static const struct {
    int32_t iterations[NWORKER], island[NWORKER], expected;
  } cases[] = {
    { { 2, 5, 3 }, { 0, 1, 2 }, 1 },
    { { 4, 4, 4 }, { 2, 0, 1 }, 1 },
    { { 0, 0, 7 }, { 0, 0, 0 }, 2 },
    { { 0, 0, 0 }, { 0, 0, 0 }, 0 },
    { { 3, SN_SOLVER_LOG + 50, 3 }, { 0, 2, 1 }, 1 },   // more than are recorded
  };
  sn_model *m = model_of(pendulum);
  sn_data *d = shared_data(m);
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    for (int k = 0; k < NWORKER; k++) {
      si_solver_log *log = &d->worker[k].solver;
      log->iterations = cases[c].iterations[k];
      log->island = cases[c].island[k];
      for (int i = 0; i < SN_SOLVER_LOG; i++) {
        log->most[i].improvement = 100 * k + i;
      }
    }
    si_data_merge_solver_logs(d);
    const int32_t iterations = cases[c].iterations[cases[c].expected];
    const int recorded = iterations < SN_SOLVER_LOG ? iterations : SN_SOLVER_LOG;
    int64_t n;
    const sn_iteration *log = sn_solver_log(d, &n);
    ck_assert_int_eq(snd_solver_iter(d), iterations);
    ck_assert_int_eq(n, recorded);
    for (int i = 0; i < n; i++) {
      ck_assert_double_eq(log[i].improvement, 100 * cases[c].expected + i);
    }
  }
  done_with(m, d);
}
END_TEST

// Scratch memory of each worker and the results share the limit of memory; that of another worker
// does not count.
START_TEST(worker_memory_is_limited_one_by_one) {
  enum { LIMIT = 1 << 20 };
  sn_model *m = model_of(pendulum);
  sn_data *d = shared_data(m);
  OK(sn_model_parse_option(m, "memory", "1048576", error));
  OK(sn_forward(m, d));   // from now on the limit holds
  si_mark mark[NWORKER];
  for (int k = 0; k < NWORKER; k++) {
    si_arena *scratch = &d->worker[k].scratch;
    mark[k] = si_arena_mark(scratch);
    ck_assert_ptr_nonnull(si_arena_take(scratch, LIMIT / 2, 64));
    ck_assert_ptr_null(si_arena_take(scratch, LIMIT, 64));
  }
  ck_assert_ptr_null(si_arena_take(&d->results, LIMIT / 2 + 64, 64));
  for (int k = 0; k < NWORKER; k++) {
    si_arena_release(&d->worker[k].scratch, mark[k]);
  }
  ck_assert_ptr_nonnull(si_arena_take(&d->results, LIMIT / 2 + 64, 64));
  for (int k = 0; k < NWORKER; k++) {
    ck_assert_ptr_null(si_arena_take(&d->worker[k].scratch, LIMIT / 2, 64));
  }
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(worker_warnings_add_up);
  TEST(worker_warnings_are_copied);
  TEST(worker_first_error_counts);
  TEST(worker_solver_logs_are_compared);
  TEST(worker_memory_is_limited_one_by_one);
}
