// SPDX-License-Identifier: Apache-2.0
//
// Several threads in one step (option `threads`): the same bits, warnings and errors as with one;
// plugins with the flag SN_OPS_SERIAL run one call at a time. Under the thread sanitizer too.

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "data/data.h"
#include "default_engine.h"
#include "sanitized.h"
#include "scenes.h"
#include "sinew/collider.h"
#include "sinew/solver.h"
#include "suite.h"

static sn_data *data_with(sn_model *m, const char *threads) {
  OK(sn_model_parse_option(m, "threads", threads, error));
  return data_of(m);
}

// A field of steps and boxes on which n bodies of two parts lie: they make as many islands.
static sn_model *field_of_bodies(int n, const char *option) {
  static char text[65536];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "<mujoco><option %s/><worldbody><geom type='plane' size='9 9 1'/>",
                                 option);
  for (int k = 0; k < n; k++) {
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "<body pos='%d %d .11'><freejoint/><geom type='box' size='.1 .1 .1'/>"
                             "<body pos='.2 0 0'><joint axis='0 1 0' damping='.1'/>"
                             "<geom type='capsule' size='.05 .1'/></body></body>",
                             k % 8, k / 8);
  }
  snprintf(text + used, sizeof text - used, "</worldbody></mujoco>");
  return model_of(text);
}

// ------------------------------------------------------------------ the same bits

typedef struct way {
  const char *path, *option[4];   // names and values
  int steps;
} way;

static const way ways[] = {
  { REFERENCE("humanoid/22_humanoids"), { "solver", "newton" }, 120 },
  { REFERENCE("humanoid/22_humanoids"), { "solver", "cg", "cone", "elliptic" }, 80 },
  { REFERENCE("humanoid/22_humanoids"), { "integrator", "implicit", "sleep", "on" }, 60 },
  { REFERENCE("humanoid/22_humanoids"), { "integrator", "rk4", "noslip_iterations", "3" }, 30 },
  { REFERENCE("humanoid100/humanoid100"), { "solver", "newton" }, 150 },
  { REFERENCE("composite/particle"), { "solver", "cg" }, 40 },
  { REFERENCE("composite/softbox"), { "solver", "newton" }, 30 },
  { REFERENCE("adhesion/active_adhesion"), { "solver", "pgs" }, 30 },
  { REFERENCE("composite/cloth"), { "integrator", "implicitfast" }, 60 },
  { SAMPLE("tray"), { "solver", "newton" }, 100 },
  { SAMPLE("figure"), { "inertia", "recursive" }, 100 },
  { SAMPLE("cart_pole"), { "solver", "newton" }, 100 },
};
enum { NWAYS = sizeof ways / sizeof ways[0] };
#ifdef SANITIZED
enum { SHARE_OF_STEPS = 6 };
#else
enum { SHARE_OF_STEPS = 1 };
#endif

static int same(const double *a, const double *b, int64_t n) {
  return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

// All that a step computes of contacts and rows, and the whole state.
static void compare(const sn_model *m, sn_data *d, sn_data *e, const char *path, int step) {
  const int64_t ncon = sn_count(d, "ncon"), nefc = sn_count(d, "nefc");
  ck_assert_int_eq(sn_count(e, "ncon"), ncon);
  ck_assert_int_eq(sn_count(e, "nefc"), nefc);
  ck_assert_msg(same(snd_contact_pos(d), snd_contact_pos(e), 3 * ncon) &&
                    same(snd_contact_frame(d), snd_contact_frame(e), 9 * ncon) &&
                    same(snd_efc_force(d), snd_efc_force(e), nefc) &&
                    same(snd_subtree_com(d), snd_subtree_com(e), 3) &&
                    same(snd_qfrc_bias(d), snd_qfrc_bias(e), sn_size(m, "nv")),
                "%s, step %d: contacts, rows or forces differ", path, step);
  ck_assert_int_eq(sn_count(d, "solver_iter"), sn_count(e, "solver_iter"));
  ck_assert_int_eq(sn_count(d, "nunconverged"), sn_count(e, "nunconverged"));
  int64_t n, other;
  const sn_iteration *log = sn_solver_log(d, &n), *log2 = sn_solver_log(e, &other);
  ck_assert_int_eq(n, other);
  ck_assert(n == 0 || memcmp(log, log2, (size_t)n * sizeof *log) == 0);
  ck_assert_msg(sn_state_hash(m, d, SN_STATE_INTEGRATION) ==
                    sn_state_hash(m, e, SN_STATE_INTEGRATION),
                "%s, step %d: the states differ", path, step);
}

START_TEST(same_bits) {
  const way *w = &ways[_i];
  sn_model *m = sn_load(engine, w->path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  for (int k = 0; k < 4 && w->option[k]; k += 2) {
    OK(sn_model_parse_option(m, w->option[k], w->option[k + 1], error));
  }
  sn_data *d[] = { data_with(m, "1"), data_with(m, "2"), data_with(m, "4") };
  for (int i = 0; i < w->steps / SHARE_OF_STEPS; i++) {
    for (int k = 0; k < 3; k++) {
      ck_assert_msg(sn_step(m, d[k]) >= 0, "%s", sn_error_text(sn_data_error(d[k])));
    }
    compare(m, d[0], d[1], w->path, i);
    compare(m, d[0], d[2], w->path, i);
  }
  for (int k = 0; k < 3; k++) {
    sn_data_free(d[k]);
  }
  sn_model_free(m);
}
END_TEST

// Balls that lie on each other: one island, which the solver itself divides. And one beside them.
static sn_model *pile(int layers) {
  static char text[65536];
  size_t used = (size_t)snprintf(text, sizeof text,
                                 "<mujoco><option timestep='.005' cone='elliptic'/><worldbody>"
                                 "<geom type='plane' size='9 9 1'/>");
  used += (size_t)snprintf(text + used, sizeof text - used,
                           "<body pos='3 0 .049'><freejoint/><geom size='.05'/></body>");
  for (int i = 0; i < 64 * layers; i++) {
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "<body pos='%g %g %g'><freejoint/><geom size='.05'/></body>",
                             .099 * (i % 8 - 3.5) + .0002 * (i % 5), .099 * (i / 8 % 8 - 3.5),
                             .049 + .098 * (i / 64));
  }
  snprintf(text + used, sizeof text - used, "</worldbody></mujoco>");
  return model_of(text);
}

START_TEST(same_bits_of_a_pile) {
  static const char *const solvers_of_piles[] = { "newton", "cg", "coulomb" };
  enum { STEPS = 12, LAYERS = 4 };
  sn_model *m = pile(_i == 1 ? 2 * LAYERS : LAYERS);
  OK(sn_model_parse_option(m, "solver", solvers_of_piles[_i], error));
  sn_data *d[] = { data_with(m, "1"), data_with(m, "2"), data_with(m, "4") };
  for (int i = 0; i < STEPS; i++) {
    for (int k = 0; k < 3; k++) {
      ck_assert_msg(sn_step(m, d[k]) >= 0, "%s", sn_error_text(sn_data_error(d[k])));
    }
    compare(m, d[0], d[1], "pile", i);
    compare(m, d[0], d[2], "pile", i);
  }
  ck_assert_int_eq(snd_nisland(d[0]), 2);
  ck_assert_int_gt(snd_nefc(d[0]), 64 * LAYERS * 3);
  for (int k = 0; k < 3; k++) {
    sn_data_free(d[k]);
  }
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ one call at a time

static atomic_int inside, most;   // calls that run
static int waits;                 // for another call that runs too, at most this many seconds

static void begin_call(void) {
  const int now = atomic_fetch_add(&inside, 1) + 1;
  int before = atomic_load(&most);
  while (before < now && !atomic_compare_exchange_weak(&most, &before, now)) {}
  const time_t end = time(NULL) + waits;
  while (waits && atomic_load(&most) < 2 && time(NULL) < end) {
    sched_yield();
  }
}

static void end_call(void) {
  sched_yield();
  atomic_fetch_sub(&inside, 1);
}

static int fails_from;   // the number of the island's first row; 0: none fails

static sn_status toy_solve(const void *self, const sn_problem *p, sn_solution *s,
                           sn_scratch *scratch) {
  (void)self, (void)scratch;
  begin_call();
  memcpy(s->qacc, p->qacc_smooth, (size_t)p->nv * sizeof(double));
  memset(s->force, 0, (size_t)p->nefc * sizeof(double));
  memset(s->state, 0, (size_t)p->nefc * sizeof(int32_t));
  s->iterations = 1;
  end_call();
  return fails_from && p->id[0] >= fails_from ? SN_ENOTFOUND : SN_OK;
}

static int bad_geom = -1;

static sn_status toy_meet(const void *self, const sn_batch *batch, sn_contact_list *out,
                          sn_scratch *scratch) {
  (void)self, (void)scratch;
  begin_call();
  out->count = 0;
  for (int64_t i = 0; i < batch->n; i++) {
    const double *x = batch->second[i].pos;
    sn_contact_point *p = &out->point[out->count++];
    *p = (sn_contact_point){ .pair = (int32_t)i, .dist = x[2] - 0.2, .normal = { 0, 0, 1 } };
    memcpy(p->pos, x, sizeof p->pos);
    p->normal[2] = bad_geom >= 0 && x[0] >= bad_geom ? 2 : 1;
  }
  end_call();
  return SN_OK;
}

static const sn_collider_pair pairs[] = { { "plane", "box" }, { NULL, NULL } };

static const sn_solver_ops solvers[2] = {
  { .head = { .size = sizeof(sn_solver_ops) }, .solve = toy_solve },
  { .head = { .size = sizeof(sn_solver_ops), .flags = SN_OPS_SERIAL }, .solve = toy_solve },
};
static const sn_collider_ops colliders[2] = {
  { .head = { .size = sizeof(sn_collider_ops) },
    .pairs = pairs,
    .max_points = 1,
    .collide = toy_meet },
  { .head = { .size = sizeof(sn_collider_ops), .flags = SN_OPS_SERIAL },
    .pairs = pairs,
    .max_points = 1,
    .collide = toy_meet },
};

enum { SOLVER = 1, COLLIDER = 2 };

static sn_model *toy_model(int toys, int serial) {
  if (toys & SOLVER) {
    OK(sn_engine_add(engine, SN_KIND_SOLVER, "toy", &solvers[serial], error));
  }
  if (toys & COLLIDER) {
    OK(sn_engine_add(engine, SN_KIND_COLLIDER, "toy", &colliders[serial], error));
    OK(sn_engine_set(engine, "collision.plane-box", "toy", error));
  }
  sn_model *m = field_of_bodies(96, "timestep='.001'");
  if (toys & SOLVER) {
    OK(sn_model_parse_option(m, "solver", "toy", error));
  }
  return m;
}

// Without the flag, two calls meet; with it, they never do.
START_TEST(serial_plugins_run_alone) {
  const int toys = _i & 1 ? SOLVER : COLLIDER, serial = _i >> 1;
  sn_model *m = toy_model(toys, serial);
  sn_data *d = data_with(m, "4"), *e = data_with(m, "1");
  atomic_store(&most, 0);
  waits = serial ? 0 : 20;
  for (int i = 0; i < 5; i++) {
    OK(sn_step(m, d));
  }
  ck_assert_int_eq(atomic_load(&most) > 1, !serial);
  waits = 0;
  for (int i = 0; i < 5; i++) {
    OK(sn_step(m, e));
  }
  compare(m, d, e, "toy", 5);
  sn_data_free(e);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ warnings, errors, memory

static int nheard;
static char first_heard[512];

static void hear(void *context, int32_t level, const char *topic, const char *text) {
  (void)context, (void)topic;
  if (level >= SN_LOG_WARNING && nheard++ == 0) {
    snprintf(first_heard, sizeof first_heard, "%s", text);
  }
}

// Islands whose solver fails: their number, and the one text that goes to the log.
START_TEST(same_warnings) {
  static const char *const threads[] = { "1", "2", "4" };
  char text[512] = "";
  int64_t count = 0;
  sn_model *m = toy_model(SOLVER, 0);
  sn_engine_set_log(engine, hear, NULL);
  fails_from = 20;
  for (int k = 0; k < 3; k++) {
    sn_data *d = data_with(m, threads[k]);
    nheard = 0;
    for (int i = 0; i < 3; i++) {
      OK(sn_step(m, d));
    }
    ck_assert_int_eq(nheard, 1);
    ck_assert_int_gt(sn_data_warning_count(d, SN_WARN_PLUGIN), 100);
    if (k == 0) {
      count = sn_data_warning_count(d, SN_WARN_PLUGIN);
      memcpy(text, first_heard, sizeof text);
    }
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), count);
    ck_assert_str_eq(first_heard, text);
    sn_data_free(d);
  }
  fails_from = 0;
  sn_engine_set_log(engine, NULL, NULL);
  sn_model_free(m);
}
END_TEST

// A step fails with the error of its first batch that fails, and can be repeated.
START_TEST(same_errors) {
  char text[512] = "";
  sn_model *m = toy_model(COLLIDER, 0);
  for (int threads = 1; threads <= 4; threads *= 2) {
    char number[2] = { (char)('0' + threads) };
    sn_data *d = data_with(m, number);
    bad_geom = 3;
    ck_assert_int_eq(sn_step(m, d), SN_EPLUGIN);
    if (threads == 1) {
      snprintf(text, sizeof text, "%s", sn_error_text(sn_data_error(d)));
    }
    ck_assert_str_eq(sn_error_text(sn_data_error(d)), text);
    bad_geom = -1;
    OK(sn_step(m, d));
    sn_data_free(d);
  }
  sn_model_free(m);
}
END_TEST

START_TEST(too_little_memory) {
  sn_model *m = field_of_bodies(96, "timestep='.001'");
  sn_data *d = data_with(m, "4");
  const uint64_t start = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  OK(sn_model_parse_option(m, "memory", "90000", error));
  ck_assert_int_eq(sn_step(m, d), SN_ENOMEM);
  ck_assert_msg(strstr(sn_error_text(sn_data_error(d)), "memory"), "%s",
                sn_error_text(sn_data_error(d)));
  ck_assert(sn_state_hash(m, d, SN_STATE_INTEGRATION) == start);
  OK(sn_model_parse_option(m, "memory", "0", error));
  OK(sn_step(m, d));
  done_with(m, d);
}
END_TEST

// Whether a step fits a limit does not depend on the number of threads.
START_TEST(memory_needed) {
  sn_model *m = field_of_bodies(96, "timestep='.001'");
  sn_data *d = data_with(m, "1"), *e = data_with(m, "4");
  int failed = 0, made = 0;
  for (int limit = 90000; limit < 600000; limit += 5000) {
    char text[16];
    snprintf(text, sizeof text, "%d", limit);
    OK(sn_model_parse_option(m, "memory", text, error));
    OK(sn_reset(m, d));
    OK(sn_reset(m, e));
    const sn_status status = sn_step(m, d);
    ck_assert_int_eq(sn_step(m, e), status);
    failed += status == SN_ENOMEM;
    made += status == SN_OK;
  }
  ck_assert(failed > 0 && made > 0);
  sn_data_free(e);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ threads

START_TEST(number_of_threads) {
  sn_model *m = field_of_bodies(2, "timestep='.001'");
  sn_data *d = data_with(m, "0");
  ck_assert_int_ge(d->nworker, 1);
  sn_data_free(d);
  d = data_with(m, "3");
  ck_assert_int_eq(d->nworker, 3);
  ck_assert_int_lt(sn_model_parse_option(m, "threads", "-1", error), 0);
  ck_assert_int_lt(sn_model_parse_option(m, "threads", "257", error), 0);
  done_with(m, d);
}
END_TEST

// The threads of a simulation are those of the process that made it; a child makes new ones.
START_TEST(after_a_fork) {
#ifndef SANITIZED
  sn_model *m = field_of_bodies(96, "timestep='.001'");
  sn_data *d = data_with(m, "4");
  OK(sn_step(m, d));
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  OK(sn_step(m, d));
  const uint64_t after = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  if (child == 0) {
    alarm(60);
    sn_data *e = data_with(m, "1");
    int failed = sn_step(m, e) < 0 || sn_step(m, e) < 0;
    failed |= sn_state_hash(m, e, SN_STATE_INTEGRATION) != after;
    sn_data_free(e);
    sn_data_free(d);
    _exit(failed);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child failed: %x", status);
  done_with(m, d);
#endif
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(same_bits, 0, NWAYS);
  EACH(same_bits_of_a_pile, 0, 3);
  EACH(serial_plugins_run_alone, 0, 4);
  TEST(same_warnings);
  TEST(same_errors);
  TEST(too_little_memory);
  TEST(memory_needed);
  TEST(number_of_threads);
  TEST(after_a_fork);
}
