// SPDX-License-Identifier: Apache-2.0
//
// Workers: what several threads would note is merged into their simulation, in their order.

#include <stdlib.h>

#include "default_engine.h"
#include "model/data.h"
#include "suite.h"

enum { NWORKER = 3 };

static const char pendulum[] = "<mujoco><worldbody><body><joint/><geom size='.1'/></body>"
                               "</worldbody></mujoco>";

static int told;

static void count_warnings(void *context, int32_t level, const char *topic, const char *text) {
  (void)context, (void)text;
  told += level == SN_LOG_WARNING && strcmp(topic, "step") == 0;
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
  told = 0;
  sn_engine_set_log(engine, count_warnings, NULL);
  si_worker_warn(&d->worker[2], SN_WARN_PLUGIN, "of the last");
  si_worker_warn(&d->worker[0], SN_WARN_PLUGIN, "of the first");
  si_worker_warn(&d->worker[0], SN_WARN_PLUGIN, "of the first, again");
  si_worker_warn(&d->worker[1], SN_WARN_BADCTRL, "of the second");
  ck_assert_int_eq(told, 3);   // the first of each kind that a worker sees

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
  ck_assert_int_eq(told, 3);
  si_data_merge(d);
  sn_reset(m, d);
  si_worker_warn(&d->worker[1], SN_WARN_PLUGIN, "new");
  ck_assert_int_eq(told, 4);
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

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(worker_warnings_add_up);
  TEST(worker_warnings_are_copied);
  TEST(worker_first_error_counts);
}
