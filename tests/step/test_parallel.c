// SPDX-License-Identifier: Apache-2.0
//
// What several threads may do at once: step simulations of one model, cast rays, roll out, load
// models with engines of their own, and load with an engine whose models others step. The results
// are those of one thread. Under the thread sanitizer these are the tests of `./dev tsan`.

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "default_engine.h"
#include "scenes.h"
#include "suite.h"
#include "toy_plugin.h"

enum { THREADS = 4, STEPS = 20, ROOM = 1000 };

typedef struct task {
  pthread_t thread;
  const char *path;
  const sn_model *model;
  const sn_data *rays;   // of one simulation that no thread changes
  double qpos[ROOM];
  double distance;
} task;

// check is not used in threads: it jumps out of the case.
static void run_all(void *(*work)(void *), task *tasks, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_int_eq(pthread_create(&tasks[i].thread, NULL, work, &tasks[i]), 0);
  }
  for (int i = 0; i < n; i++) {
    void *failed = NULL;
    ck_assert_int_eq(pthread_join(tasks[i].thread, &failed), 0);
    ck_assert_msg(!failed, "thread %d: %s", i, (const char *)failed);
  }
}

static void *simulate(void *context) {
  task *t = context;
  const int64_t nq = snm_nq(t->model);
  sn_data *d = sn_data_new(t->model, NULL);
  for (int k = 0; d && nq <= ROOM && k < STEPS; k++) {
    if (sn_step(t->model, d) < 0) {
      sn_data_free(d);
      return (void *)(uintptr_t) "a step failed";
    }
  }
  if (!d || nq > ROOM) {
    return (void *)(uintptr_t) "there is no simulation";
  }
  memcpy(t->qpos, snd_qpos(d), (size_t)nq * sizeof(double));
  sn_data_free(d);
  const double origin[] = { 0.1, 0.2, 3 }, direction[] = { 0, 0, -1 };
  t->distance = 0;
  if (t->rays &&
      sn_ray(t->model, t->rays, origin, direction, 0, 1, -1, &t->distance, NULL, NULL) < 0) {
    return (void *)(uintptr_t) "a ray failed";
  }
  return NULL;
}

static void *load_and_simulate(void *context) {
  task *t = context;
  sn_engine *own = sn_engine_open(SN_TEST_BUILD "/sinew.ini", NULL);
  sn_model *m = own ? sn_load(own, t->path, NULL) : NULL;
  t->model = m;
  void *failed = m ? simulate(t) : (void *)(uintptr_t) "the model was not loaded";
  sn_model_free(m);
  sn_engine_close(own);
  return failed;
}

static const char *const files[] = { SAMPLE("arm"), SAMPLE("figure"), SAMPLE("rows"),
                                     SAMPLE("cart_pole") };
enum { NFILES = sizeof files / sizeof files[0] };

static sn_model *load(const char *path) {
  sn_model *m = sn_load(engine, path, error);
  ck_assert_msg(m != NULL, "%s: %s", path, sn_error_text(error));
  return m;
}

// ------------------------------------------------------------------ cases

// Of each model, without and with the checking mode.
START_TEST(simulations_of_one_model) {
  static task tasks[THREADS + 1];
  OK(sn_engine_set(engine, "check_plugins", _i / NFILES ? "yes" : "no", error));
  sn_model *m = load(files[_i % NFILES]);
  sn_data *d = data_of(m);
  ck_assert_int_eq(sn_forward(m, d), SN_OK);
  for (int i = 0; i <= THREADS; i++) {
    tasks[i] = (task){ .model = m, .rays = d };
  }
  ck_assert_ptr_null(simulate(&tasks[THREADS]));
  run_all(simulate, tasks, THREADS);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_mem_eq(tasks[i].qpos, tasks[THREADS].qpos, sizeof tasks[i].qpos);
    ck_assert_double_eq(tasks[i].distance, tasks[THREADS].distance);
  }
  done_with(m, d);
}
END_TEST

START_TEST(engines_in_parallel) {
  static task tasks[THREADS], alone[THREADS];
  for (int i = 0; i < THREADS; i++) {
    tasks[i] = alone[i] = (task){ .path = files[(i + _i) % NFILES] };
    ck_assert_ptr_null(load_and_simulate(&alone[i]));
  }
  run_all(load_and_simulate, tasks, THREADS);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_mem_eq(tasks[i].qpos, alone[i].qpos, sizeof alone[i].qpos);
  }
}
END_TEST

// One thread may load with an engine while others step what it has loaded before.
START_TEST(loading_while_others_step) {
  static task tasks[THREADS];
  sn_model *m = load(files[_i]);
  for (int i = 0; i < THREADS; i++) {
    tasks[i] = (task){ .model = m };
    ck_assert_int_eq(pthread_create(&tasks[i].thread, NULL, simulate, &tasks[i]), 0);
  }
  for (int i = 0; i < NFILES; i++) {
    sn_model_free(load(files[i]));
  }
  for (int i = 0; i < THREADS; i++) {
    void *failed = NULL;
    ck_assert_int_eq(pthread_join(tasks[i].thread, &failed), 0);
    ck_assert_ptr_null(failed);
    ck_assert_mem_eq(tasks[i].qpos, tasks[0].qpos, sizeof tasks[i].qpos);
  }
  sn_model_free(m);
}
END_TEST

START_TEST(rollout_on_two_threads) {
  enum { N = 16 };
  OK(sn_engine_set(engine, "plugin.threads.workers", "2", error));
  sn_model *m = load(files[_i]);
  const int64_t size = sn_state_size(m, SN_STATE_FULLPHYSICS);
  double *states[2];
  for (int i = 0; i < 2; i++) {
    states[i] = calloc((size_t)(N * STEPS * size), sizeof(double));
    sn_rollout_request request = { .size = sizeof request,
                                   .n = N,
                                   .nstep = STEPS,
                                   .result_mask = SN_STATE_FULLPHYSICS,
                                   .executor = i ? "threads" : "serial",
                                   .states = states[i] };
    ck_assert_msg(sn_rollout(m, &request, error) == SN_OK, "%s", sn_error_text(error));
  }
  ck_assert_mem_eq(states[0], states[1], (size_t)(N * STEPS * size) * sizeof(double));
  free(states[0]);
  free(states[1]);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ SN_OPS_SERIAL

// Calls that run: of all simulations, and of each.
static atomic_int inside, together, overlaps;
static struct {
  _Atomic(const void *) simulation;
  atomic_int inside;
} calls[THREADS];

static int place_of(const void *simulation) {
  for (int i = 0; i < THREADS; i++) {
    const void *none = NULL;
    if (atomic_load(&calls[i].simulation) == simulation ||
        atomic_compare_exchange_strong(&calls[i].simulation, &none, simulation)) {
      return i;
    }
  }
  return 0;   // and an overlap
}

// Waits until the operation runs for another simulation too, at most two seconds in all.
static sn_status apply_alone(const void *self, const void *bound, const sn_data_view *d,
                             const double *state, double *qfrc, sn_scratch *scratch) {
  static atomic_int waits;
  (void)self, (void)bound, (void)state, (void)qfrc, (void)scratch;
  const int i = place_of(d);
  atomic_fetch_add(&inside, 1);
  atomic_fetch_add(&overlaps, atomic_fetch_add(&calls[i].inside, 1) > 0);
  while (!atomic_load(&together) && atomic_fetch_add(&waits, 1) < 2000) {
    atomic_fetch_or(&together, atomic_load(&inside) > 1);
    usleep(1000);
  }
  atomic_fetch_sub(&calls[i].inside, 1);
  atomic_fetch_sub(&inside, 1);
  return SN_OK;
}

// With the flag the operations of one simulation run one at a time, those of different simulations
// at the same time.
START_TEST(serial_operations) {
  static task tasks[THREADS];
  sn_passive_ops ops = TOY_FORCE(apply_alone);
  ops.head.flags = SN_OPS_SERIAL;
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "alone", &ops, error));
  sn_model *m = load(SAMPLE("cart_pole"));
  for (int i = 0; i < THREADS; i++) {
    tasks[i] = (task){ .model = m };
  }
  run_all(simulate, tasks, THREADS);
  ck_assert_int_eq(atomic_load(&overlaps), 0);
  ck_assert_int_eq(atomic_load(&together), 1);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(simulations_of_one_model, 0, 2 * NFILES);
  EACH(engines_in_parallel, 0, 2);
  EACH(loading_while_others_step, 0, NFILES);
  EACH(rollout_on_two_threads, 0, NFILES);
  TEST(serial_operations);
}
