// SPDX-License-Identifier: Apache-2.0
//
// Laws of whole runs on the sample models: energy and momentum are kept where nature keeps them,
// the same run has the same bits, a saved state continues as the original did, a step allocates
// nothing after warm-up, and a simulation that diverges is reset and counted.
//
// The integrator errs by O(h): what should be constant wanders, and twice as little when the time
// step is halved. That is tested, and so is the size.

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitized.h"
#include "scenes.h"
#include "settings.h"
#include "sinew/sinew.h"
#include "suite.h"

// ------------------------------------------------------------------ counting allocations

// the program's own malloc, calloc, realloc and aligned_alloc, over those of the C library, count
// while `counting` is set; the address sanitizer has its own
#ifndef SANITIZED
static atomic_int counting;
static _Atomic int64_t allocations;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes) {
  allocations += counting;
  return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes) {
  allocations += counting;
  return __libc_calloc(n, bytes);
}

void *realloc(void *p, size_t bytes) {
  allocations += counting;
  return __libc_realloc(p, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  allocations += counting;
  return __libc_memalign(alignment, bytes);
}
#endif

// ------------------------------------------------------------------ a simulation

typedef struct sim {
  sn_error *error;
  sn_engine *engine;
  sn_model *model;
  sn_data *data;
} sim;

static sim open_path(const char *path) {
  sim s = { .error = sn_error_new() };
  s.engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", s.error);
  ck_assert_msg(s.engine != NULL, "%s", sn_error_text(s.error));
  s.model = sn_load(s.engine, path, s.error);
  ck_assert_msg(s.model != NULL, "%s", sn_error_text(s.error));
  s.data = sn_data_new(s.model, s.error);
  ck_assert_ptr_nonnull(s.data);
  return s;
}

static void close_sim(sim *s) {
  sn_data_free(s->data);
  sn_model_free(s->model);
  sn_engine_close(s->engine);
  sn_error_free(s->error);
}

static void step_n(sim *s, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    ck_assert_int_ge(sn_step(s->model, s->data), 0);
  }
}

static double energy(sim *s) {
  ck_assert_int_ge(sn_forward(s->model, s->data), 0);
  ck_assert_int_ge(sn_compute_energy(s->model, s->data), 0);
  return snd_energy(s->data)[0] + snd_energy(s->data)[1];
}

// ------------------------------------------------------------------ conservation

// Largest change of the energy over a second, in largest kinetic energies.
static double energy_wander(const char *path, int key, double h) {
  sim s = open_path(path);
  sn_option opt = option_of(s.model);
  opt.timestep = h;
  ck_assert_msg(sn_model_set_option(s.model, &opt, s.error) == SN_OK, "%s", sn_error_text(s.error));
  if (key >= 0) {
    ck_assert_int_eq(sn_reset_key(s.model, s.data, key), SN_OK);
  }
  double start = energy(&s), wander = 0, kinetic = 0;
  for (int i = 0; i < (int)lround(1 / h); i++) {
    step_n(&s, 1);
    if (i % 10 == 9) {
      wander = fmax(wander, fabs(energy(&s) - start));
      kinetic = fmax(kinetic, snd_energy(s.data)[1]);
    }
  }
  close_sim(&s);
  ck_assert_double_gt(kinetic, 0);
  return wander / kinetic;
}

static const struct {
  const char *path;
  int key;
} conservative[] = {
  { SAMPLE("pendulum"), -1 },
  { SAMPLE("double_pendulum"), -1 },
  { SAMPLE("chain"), -1 },
  { SAMPLE("tumbling_box"), 0 },
};
enum { NCONSERVATIVE = sizeof conservative / sizeof conservative[0] };

START_TEST(energy_is_kept) {
  const char *path = conservative[_i].path;
  int key = conservative[_i].key;
  double coarse = energy_wander(path, key, 4e-4), fine = energy_wander(path, key, 2e-4);
  ck_assert_msg(fine < 5e-3, "%s: energy wanders by %g of the kinetic energy", path, fine);
  ck_assert_msg(coarse / fine > 1.7 && coarse / fine < 2.3,
                "%s: half the time step changes the error by %g instead of 2", path, coarse / fine);
}
END_TEST

// Momenta of everything in the world, after a time without gravity and contact.
static void momenta(const char *path, int key, double h, double out[6]) {
  sim s = open_path(path);
  sn_option opt = option_of(s.model);
  opt.timestep = h;
  opt.disableflags |= SN_DISABLE_GRAVITY | SN_DISABLE_CONTACT;
  ck_assert_msg(sn_model_set_option(s.model, &opt, s.error) == SN_OK, "%s", sn_error_text(s.error));
  if (key >= 0) {
    ck_assert_int_eq(sn_reset_key(s.model, s.data, key), SN_OK);
  }
  for (int64_t i = 0; i < snm_nv(s.model); i++) {
    snd_qvel(s.data)[i] += sin(1 + 2 * (double)i);
  }
  for (int64_t i = 0; i < snm_nu(s.model); i++) {
    snd_ctrl(s.data)[i] = 0.3;
  }
  step_n(&s, lround(0.5 / h));
  ck_assert_int_ge(sn_forward(s.model, s.data), 0);
  ck_assert_int_ge(sn_subtree_velocities(s.model, s.data), 0);
  // the first body is the root of the only tree; momentum is mass times the center's velocity
  for (int c = 0; c < 3; c++) {
    out[c] = snm_body_subtreemass(s.model)[1] * snd_subtree_linvel(s.data)[3 + c];
    out[3 + c] = snd_subtree_angmom(s.data)[3 + c];
  }
  close_sim(&s);
}

// internal forces (springs, dampers, limits, motors) change neither: extrapolated to h = 0, the
// momenta after half a second are those of the start
static void check_momenta(const char *path, int key) {
  double start[6], coarse[6], fine[6];
  momenta(path, key, 1e6, start);   // no step fits
  momenta(path, key, 2e-4, coarse);
  momenta(path, key, 1e-4, fine);
  double linear = 0, angular = 0;
  for (int c = 0; c < 3; c++) {
    linear = fmax(linear, fabs(start[c]));
    angular = fmax(angular, fabs(start[3 + c]));
  }
  ck_assert_double_gt(angular, 1e-3);
  for (int c = 0; c < 6; c++) {
    double size = c < 3 ? linear : angular;
    double limit = 2 * fine[c] - coarse[c];
    ck_assert_msg(fabs(fine[c] - start[c]) < 0.02 * size, "%s: component %d is %g instead of %g",
                  path, c, fine[c], start[c]);
    ck_assert_msg(fabs(limit - start[c]) < 1e-3 * size,
                  "%s: component %d tends to %g instead of %g", path, c, limit, start[c]);
  }
}

START_TEST(momentum_is_kept) {
  check_momenta(SAMPLE("tumbling_box"), 0);
  check_momenta(SAMPLE("figure"), -1);
}
END_TEST

// ------------------------------------------------------------------ bits

START_TEST(same_run_same_bits) {
  uint64_t hash[2];
  for (int run = 0; run < 2; run++) {
    sim s = open_path(scenes[_i].path);
    step_n(&s, 300);
    hash[run] = sn_state_hash(s.model, s.data, SN_STATE_INTEGRATION);
    close_sim(&s);
  }
  ck_assert_msg(hash[0] == hash[1], "%s: two runs differ", scenes[_i].name);
}
END_TEST

START_TEST(saved_state_continues) {
  sim s = open_path(scenes[_i].path);
  size_t n = (size_t)sn_state_size(s.model, SN_STATE_INTEGRATION);
  double *state = calloc(n, sizeof *state);
  for (int64_t i = 0; i < snm_nu(s.model); i++) {
    snd_ctrl(s.data)[i] = 0.2;
  }
  step_n(&s, 150);
  sn_state_get(s.model, s.data, SN_STATE_INTEGRATION, state);
  step_n(&s, 150);
  uint64_t hash = sn_state_hash(s.model, s.data, SN_STATE_INTEGRATION);

  // in the same data, after other things happened, and in a new one
  sn_data *fresh = sn_data_new(s.model, s.error);
  sn_state_set(s.model, s.data, SN_STATE_INTEGRATION, state);
  sn_state_set(s.model, fresh, SN_STATE_INTEGRATION, state);
  step_n(&s, 150);
  for (int i = 0; i < 150; i++) {
    ck_assert_int_ge(sn_step(s.model, fresh), 0);
  }
  ck_assert_msg(sn_state_hash(s.model, s.data, SN_STATE_INTEGRATION) == hash,
                "%s: set back, it goes elsewhere", scenes[_i].name);
  ck_assert_msg(sn_state_hash(s.model, fresh, SN_STATE_INTEGRATION) == hash,
                "%s: in a new data, it goes elsewhere", scenes[_i].name);
  free(state);
  sn_data_free(fresh);
  close_sim(&s);
}
END_TEST

START_TEST(copy_continues) {
  sim s = open_path(scenes[_i].path);
  sn_data *copy = sn_data_new(s.model, s.error);
  for (int round = 0; round < 3; round++) {
    ck_assert_msg(sn_data_copy(s.model, copy, s.data) == SN_OK, "%s, round %d: %s", scenes[_i].name,
                  round, sn_error_message(sn_data_error(copy)));
    ck_assert_int_eq(snd_ncon(copy), snd_ncon(s.data));
    ck_assert_int_eq(snd_nefc(copy), snd_nefc(s.data));
    for (int64_t i = 0; i < snd_nefc(s.data); i++) {
      ck_assert_double_eq(snd_efc_force(copy)[i], snd_efc_force(s.data)[i]);
    }
    step_n(&s, 100);
    for (int i = 0; i < 100; i++) {
      ck_assert_int_ge(sn_step(s.model, copy), 0);
    }
    ck_assert(sn_state_hash(s.model, copy, SN_STATE_INTEGRATION) ==
              sn_state_hash(s.model, s.data, SN_STATE_INTEGRATION));
  }
  sn_data_free(copy);
  close_sim(&s);
}
END_TEST

// a run of the saved binary file is the run of the model
START_TEST(binary_file_same_run) {
  char path[] = "/tmp/sinew_test_XXXXXX";
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  sim s = open_path(scenes[_i].path);
  ck_assert_msg(sn_model_save(s.model, path, s.error) == SN_OK, "%s", sn_error_text(s.error));
  step_n(&s, 100);
  sim t = open_path(path);
  step_n(&t, 100);
  ck_assert(sn_state_hash(s.model, s.data, SN_STATE_INTEGRATION) ==
            sn_state_hash(t.model, t.data, SN_STATE_INTEGRATION));
  close_sim(&s);
  close_sim(&t);
  remove(path);
}
END_TEST

// ------------------------------------------------------------------ memory

START_TEST(steps_do_not_allocate) {
#ifndef SANITIZED
  sim s = open_path(scenes[_i].path);
  step_n(&s, 500);
  // the same again: every contact and row has been seen
  sn_reset(s.model, s.data);
  allocations = 0;
  counting = 1;
  for (int i = 0; i < 500; i++) {
    sn_step(s.model, s.data);
  }
  counting = 0;
  ck_assert_msg(allocations == 0, "%s: %lld allocations in 500 steps", scenes[_i].name,
                (long long)allocations);
  // the counter itself works
  counting = 1;
  sn_data *other = sn_data_new(s.model, s.error);
  counting = 0;
  ck_assert_int_gt(allocations, 0);
  sn_data_free(other);
  close_sim(&s);
#endif
}
END_TEST

#ifndef SANITIZED
static void set_option(sim *s, const char *name, const char *value) {
  ck_assert_int_eq(sn_model_parse_option(s->model, name, value, s->error), SN_OK);
}

static sn_data *with_threads(sim *s, const char *n) {
  set_option(s, "threads", n);
  sn_data *d = sn_data_new(s->model, s->error);
  ck_assert_ptr_nonnull(d);
  return d;
}
#endif

// Likewise with threads, which take other tasks in each run.
START_TEST(shared_steps_do_not_allocate) {
#ifndef SANITIZED
  sim s = open_path(REFERENCE("humanoid/22_humanoids"));
  sn_data_free(s.data);
  s.data = with_threads(&s, "3");
  step_n(&s, 100);
  sn_reset(s.model, s.data);
  step_n(&s, 1);
  allocations = 0;
  counting = 1;
  for (int i = 0; i < 99; i++) {
    sn_step(s.model, s.data);
  }
  counting = 0;
  ck_assert_msg(allocations == 0, "%lld allocations in 99 steps", (long long)allocations);
  close_sim(&s);
#endif
}
END_TEST

// The memory that a step needs is known when one thread alone has computed such a step, as some do
// in which the gain of threads is measured (data/gain.c).
START_TEST(memory_of_steps_alone_counts) {
#ifndef SANITIZED
  enum { BEFORE_ALONE = 70, BEFORE_SHARED = 78 };   // steps
  sim s = open_path(REFERENCE("humanoid/22_humanoids"));
  step_n(&s, 400);
  sn_data *d = with_threads(&s, "3");
  memcpy(snd_qpos(d), snd_qpos(s.data), (size_t)snm_nq(s.model) * sizeof(double));
  sn_data_free(s.data);
  s.data = d;
  set_option(&s, "gravity", "0 0 0");
  for (int i = 0; i <= BEFORE_SHARED; i++) {
    const int has_contacts = i == BEFORE_ALONE || i == BEFORE_SHARED;
    set_option(&s, "contact", has_contacts ? "enable" : "disable");
    allocations = 0;
    counting = i == BEFORE_SHARED;
    sn_forward(s.model, s.data);
    counting = 0;
    set_option(&s, "contact", "disable");
    sn_step(s.model, s.data);
  }
  ck_assert_msg(allocations == 0, "%lld allocations", (long long)allocations);
  close_sim(&s);
#endif
}
END_TEST

// Each of the first two rollouts waits for the other one, so that both workers run.
static sn_status meet(void *context, const sn_model *model, sn_data *data, int64_t rollout,
                      int64_t step) {
  atomic_int *arrived = context;
  snd_ctrl(data)[0] = 0.3 * sin(0.1 * (double)step) * (double)(rollout % 3);
  (void)model;
  if (rollout < 2 && step == 0) {
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < 2) {
      sched_yield();
    }
  }
  return SN_OK;
}

// of which carts with poles are more, so that auto measures
enum {
  ROLLOUTS = 12,
  MOST_ROLLOUTS = 36,
  MOST_NUMBERS = 128,
  VARIED = 2,
  LANES = 4,
  NROLLKIND = 8,
  ALONE = 8
};

static void count(int on) {
#ifndef SANITIZED
  counting = on;
#else
  (void)on;
#endif
}

static sim open_with_two_workers(int kind) {
  sim s = { .error = sn_error_new() };
  s.engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", s.error);
  ck_assert_int_eq(sn_engine_set(s.engine, "plugin.threads.workers", "2", s.error), SN_OK);
  s.model = sn_load(s.engine, kind & LANES ? SAMPLE("cart_pole") : SAMPLE("figure"), s.error);
  ck_assert_msg(s.model != NULL, "%s", sn_error_text(s.error));
  return s;
}

// ROLLOUTS that fall onto the floor, each in its way. kind: 0 serial, 1 threads; with VARIED, each
// has a mass and a seed of its own; with LANES, carts with poles: lanes, auto. counts: allocations
// of sn_rollout are counted. Returns how many could run at the same time.
static int64_t roll(sim *s, int kind, int counts, double *results) {
  static const char *const alone[] = { "serial", "threads" }, *const together[] = { "lanes",
                                                                                    "auto" };
  const int n = kind & LANES ? MOST_ROLLOUTS : ROLLOUTS;
  double mass[MOST_ROLLOUTS];
  atomic_int arrived = kind & 1 ? 0 : 2;
  sn_rollout_record record = { .name = "qpos" };
  sn_rollout_variation vary = { .name = "body_mass:1", .values = mass };
  sn_rollout_request q = { .size = sizeof q,
                           .n = n,
                           .nstep = 200,
                           .every = 100,
                           .record = &record,
                           .nrecord = 1,
                           .results = results,
                           .executor = alone[kind & 1],
                           .before_step = meet,
                           .context = &arrived };
  double control[2 * MOST_ROLLOUTS] = { 0 };
  for (int i = 0; i < n; i++) {
    mass[i] = 5 + i;
    control[2 * i] = 0.1 * i;
  }
  if (kind & LANES) {
    ck_assert_int_eq((int)snm_nu(s->model), 2);
    q.executor = (kind & ALONE ? alone : together)[kind & 1];
    q.before_step = NULL;
    q.control = control;
    q.control_every = q.nstep;
  }
  if (kind & VARIED) {
    q.vary = &vary;
    q.nvary = 1;
    q.seed = 9;
  }
  ck_assert_int_eq(snm_nq(s->model) * 2 <= MOST_NUMBERS, 1);
  count(counts);
  const sn_status status = sn_rollout(s->model, &q, s->error);
  count(0);
  ck_assert_msg(status == SN_OK, "%s", sn_error_text(s->error));
  ck_assert(q.done == n && (kind & LANES || q.nworker == 1 + (kind & 1)));
  ck_assert_int_gt(q.worker_bytes, 8 * snm_nv(s->model));
  return q.nworker;
}

#ifndef SANITIZED
// Threads, simulations and arrays are kept with the model. Rollouts touch the floor at different
// times, so a worker that runs others than before needs what any worker needed.
START_TEST(rollouts_do_not_allocate_again) {
  static double results[2][MOST_ROLLOUTS * MOST_NUMBERS];
  sim s = open_with_two_workers(_i);
  int64_t workers = 0;   // a thread that began after the last rollout has none yet
  for (int k = 0; k < 1000 && workers < 1 + (_i & 1); k++) {
    workers = roll(&s, _i | ALONE, 0, results[0]);
  }
  ck_assert_int_eq(workers, 1 + (_i & 1));
  if (_i & LANES) {   // one worker runs several rollouts at a time, then each may
    roll(&s, _i & ~1, 0, results[0]);
  }
  for (int k = 0; k < 10; k++) {   // auto chooses anew each time
    allocations = 0;
    roll(&s, _i, 1, results[1]);
    ck_assert_msg(allocations == 0, "%lld allocations, call %d", (long long)allocations, k);
  }
  ck_assert_mem_eq(results[0], results[1], sizeof results[0]);
  close_sim(&s);
}
END_TEST
#endif

static void edit_at(sim *s, const char *field, int64_t i, double factor) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(s->model, field, &view), SN_OK);
  ((double *)view.p)[i] *= factor;
}

// What is kept must not remember a model as it was before an edit.
START_TEST(rollouts_follow_edits) {
  static double results[3][MOST_ROLLOUTS * MOST_NUMBERS];
  sim old = open_with_two_workers(_i), fresh = open_with_two_workers(_i);
  roll(&old, _i, 0, results[0]);
  // an array, refreshed; an option, checked by every step; an array that every step reads
  for (int k = 0; k < 3; k++) {
    sim *const both[] = { &old, &fresh };
    for (int i = 0; i < 2; i++) {
      const int64_t last = snm_nv(both[i]->model) - 1;
      edit_at(both[i], k == 0 ? "body_mass" : "dof_damping", k == 0 ? 2 : last, k == 1 ? 1 : 3);
      ck_assert_int_eq(
          k == 0   ? sn_model_refresh(both[i]->model, both[i]->error)
          : k == 1 ? sn_model_parse_option(both[i]->model, "gravity", "0 0 -5", both[i]->error)
                   : SN_OK,
          SN_OK);
      roll(both[i], _i, 0, results[1 + i]);
    }
    if (_i & LANES) {   // of both they would remember the same
      roll(&fresh, _i | ALONE, 0, results[2]);
    }
    ck_assert_mem_eq(results[1], results[2], sizeof results[1]);
    ck_assert_mem_ne(results[1], results[0], sizeof results[1]);
    memcpy(results[0], results[1], sizeof results[0]);
  }
  close_sim(&fresh);
  close_sim(&old);
}
END_TEST

// ------------------------------------------------------------------ divergence

static const struct {
  int32_t warning;
  double value;
} bad[] = {
  { SN_WARN_BADQPOS, NAN },  { SN_WARN_BADQVEL, NAN },  { SN_WARN_BADQVEL, INFINITY },
  { SN_WARN_BADQVEL, 1e11 }, { SN_WARN_BADQACC, 1e13 },
};
enum { NBAD = sizeof bad / sizeof bad[0] };

START_TEST(divergence_resets) {
  sim s = open_path(SAMPLE("figure"));
  const double h = option_of(s.model).timestep;
  step_n(&s, 10);
  double *where = bad[_i].warning == SN_WARN_BADQPOS   ? snd_qpos(s.data)
                  : bad[_i].warning == SN_WARN_BADQVEL ? snd_qvel(s.data)
                                                       : snd_qfrc_applied(s.data);
  where[2] = bad[_i].value;
  ck_assert_int_eq(sn_step(s.model, s.data), SN_EDIVERGED);
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    ck_assert_msg(sn_data_warning_count(s.data, w) == (w == bad[_i].warning),
                  "%s: counted %lld times", sn_data_warning_name(w),
                  (long long)sn_data_warning_count(s.data, w));
  }
  ck_assert_double_eq_tol(snd_time(s.data)[0], h, 1e-12);

  // it goes on as a fresh simulation does
  sim fresh = open_path(SAMPLE("figure"));
  step_n(&fresh, 1);
  ck_assert(sn_state_hash(s.model, s.data, SN_STATE_FULLPHYSICS) ==
            sn_state_hash(fresh.model, fresh.data, SN_STATE_FULLPHYSICS));
  step_n(&s, 10);
  sn_reset(s.model, s.data);
  ck_assert_int_eq(sn_data_warning_count(s.data, bad[_i].warning), 0);
  close_sim(&fresh);
  close_sim(&s);
}
END_TEST

TESTS() {
  enum { NSAMPLES = 10 };   // the first scenes
  EACH(energy_is_kept, 0, NCONSERVATIVE);
  TEST(momentum_is_kept);
  EACH(same_run_same_bits, 0, NSAMPLES);
  EACH(saved_state_continues, 0, NSAMPLES);
  EACH(copy_continues, 0, NSAMPLES);
  EACH(binary_file_same_run, 0, NSAMPLES);
  EACH(steps_do_not_allocate, 0, NSAMPLES);
  TEST(shared_steps_do_not_allocate);
  TEST(memory_of_steps_alone_counts);
#ifndef SANITIZED
  EACH(rollouts_do_not_allocate_again, 0, NROLLKIND);
#endif
  EACH(rollouts_follow_edits, 0, NROLLKIND);
  EACH(divergence_resets, 0, NBAD);
}
