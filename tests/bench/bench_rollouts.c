// SPDX-License-Identifier: Apache-2.0
//
// Many simulations of one model: steps per second of wall time by the executors of Sinew, and by
// the reference engine in the usual way, threads with an mjData each that take one rollout after
// the other. All start from the same state and get the same random controls. The ways alternate,
// round by round, so that whatever else the machine does affects all of them; printed are medians,
// and the ratio to `serial` with its range over the rounds.

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "scenes.h"

enum { ROLLOUTS = 64, HOLD = 10, REPEATS = 7, MOST_THREADS = 64, LEAST_STEPS = 20 };

static const scene models[] = {
  { "cart_pole", SAMPLE("cart_pole"), 0, 0, 0 },
  { "arm26", REFERENCE("tendon_arm/arm26"), -1, 0, 0 },
  { "humanoid", REFERENCE("humanoid/humanoid"), -1, 0, 0 },
  { "ant", SAMPLE("ant"), -1, 0, 0 },
};
enum { MODELS = sizeof models / sizeof models[0] };
static const double round_seconds = 0.3;   // of one thread of the reference engine

typedef struct contest {
  sn_model *model;
  mjModel *reference;
  int key, steps;
  double *control;   // ROLLOUTS x rows x nu
  int rows;          // of each rollout
  atomic_int next;   // rollout of the reference engine
  sn_error *error;
} contest;

// ------------------------------------------------------------------ the reference engine

static void *simulate(void *argument) {
  contest *c = argument;
  const mjModel *m = c->reference;
  mjData *d = mj_makeData(m);
  for (int i = atomic_fetch_add(&c->next, 1); i < ROLLOUTS; i = atomic_fetch_add(&c->next, 1)) {
    mj_resetData(m, d);
    if (c->key >= 0) {
      mj_resetDataKeyframe(m, d, c->key);
    }
    for (int k = 0; k < c->steps; k++) {
      memcpy(d->ctrl, c->control + ((int64_t)i * c->rows + k / HOLD) * m->nu,
             (size_t)m->nu * sizeof(double));
      mj_step(m, d);
    }
  }
  mj_deleteData(d);
  return NULL;
}

static int reference_run(contest *c, int threads) {
  pthread_t thread[MOST_THREADS];
  int n = 0;
  atomic_store(&c->next, 0);
  while (n + 1 < threads && pthread_create(&thread[n], NULL, simulate, c) == 0) {
    n++;
  }
  simulate(c);
  for (int k = 0; k < n; k++) {
    pthread_join(thread[k], NULL);
  }
  return 1;
}

// ------------------------------------------------------------------ Sinew

static int rollouts_run(contest *c, const char *executor) {
  sn_data *d = sn_data_new(c->model, NULL);
  const uint32_t mask = SN_STATE_FULLPHYSICS;
  double *initial = d ? calloc((size_t)sn_state_size(c->model, mask) + 1, sizeof *initial) : NULL;
  if (!initial) {
    return 0;
  }
  if (c->key >= 0) {
    sn_reset_key(c->model, d, c->key);
  }
  sn_state_get(c->model, d, mask, initial);
  sn_data_free(d);
  sn_rollout_request q = { .size = sizeof q,
                           .n = ROLLOUTS,
                           .nstep = c->steps,
                           .every = c->steps,
                           .initial_mask = mask,
                           .initial = initial,
                           .flags = SN_ROLLOUT_SAME_INITIAL,
                           .control = c->control,
                           .control_every = HOLD,
                           .executor = executor };
  const sn_status status = sn_rollout(c->model, &q, c->error);
  free(initial);
  if (status < 0) {
    fprintf(stderr, "%s: %s\n", executor, sn_error_text(c->error));
  }
  return status >= 0;
}

// ------------------------------------------------------------------ the ways

typedef struct way {
  const char *name, *executor;   // executor NULL: the reference engine
  int all;                       // of it: on all processors
} way;

static const way ways[] = {
  { "serial", "serial", 0 },          { "lanes", "lanes", 0 },
  { "threads", "threads", 0 },        { "auto", "auto", 0 },
  { "reference, 1 thread", NULL, 0 }, { "reference", NULL, 1 },
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static int threads_of(const way *w) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return !w->all ? 1 : n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (int)n;
}

// Steps per second; 0: it failed.
static double rate_of(contest *c, const way *w) {
  const double start = wall_clock();
  const int done = w->executor ? rollouts_run(c, w->executor) : reference_run(c, threads_of(w));
  return done ? (double)ROLLOUTS * c->steps / (wall_clock() - start) : 0;
}

static int compare_reals(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_way(const way *w, double *rate, double *ratio) {
  qsort(rate, REPEATS, sizeof *rate, compare_reals);
  qsort(ratio, REPEATS, sizeof *ratio, compare_reals);
  printf("  %-20s %10.0f steps/s  %5.2f times serial [%.2f %.2f]\n", w->name, rate[REPEATS / 2],
         ratio[REPEATS / 2], ratio[0], ratio[REPEATS - 1]);
}

static int hold_contest(contest *c) {
  double rate[WAYS][REPEATS], ratio[WAYS][REPEATS];
  for (int k = -1; k < REPEATS; k++) {   // the first round warms up
    for (int i = 0; i < WAYS; i++) {
      const double r = rate_of(c, &ways[i]);
      if (r == 0) {
        return 0;
      }
      rate[i][k < 0 ? 0 : k] = r;
      ratio[i][k < 0 ? 0 : k] = r / rate[0][k < 0 ? 0 : k];
    }
  }
  for (int i = 0; i < WAYS; i++) {
    print_way(&ways[i], rate[i], ratio[i]);
  }
  return 1;
}

// ------------------------------------------------------------------ a model

static double uniform(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)*seed / 4294967296.0;
}

// Uniform in the range of each control, or in [-1, 1].
static void make_controls(contest *c) {
  const mjModel *m = c->reference;
  uint32_t seed = 1;
  for (int64_t i = 0; i < (int64_t)ROLLOUTS * c->rows * m->nu; i++) {
    const int k = (int)(i % m->nu);
    const double lo = m->actuator_ctrllimited[k] ? m->actuator_ctrlrange[2 * k] : -1;
    const double hi = m->actuator_ctrllimited[k] ? m->actuator_ctrlrange[2 * k + 1] : 1;
    c->control[i] = lo + (hi - lo) * uniform(&seed);
  }
}

static int prepare(contest *c, int steps) {
  free(c->control);
  c->steps = steps;
  c->rows = (steps + HOLD - 1) / HOLD;
  c->control = calloc((size_t)ROLLOUTS * (size_t)c->rows * (size_t)c->reference->nu + 1,
                      sizeof(double));
  if (c->control) {
    make_controls(c);
  }
  return c->control != NULL;
}

static int run_model(sn_engine *engine, const scene *s, sn_error *error) {
  char why[300] = "";
  contest c = { .key = s->key, .error = error };
  c.model = sn_load(engine, s->path, error);
  c.reference = c.model ? mj_loadXML(s->path, NULL, why, sizeof why) : NULL;
  int done = c.reference && prepare(&c, LEAST_STEPS);
  if (done) {
    const double rate = rate_of(&c, &ways[WAYS - 2]);
    const int steps = (int)(round_seconds * rate / ROLLOUTS);
    printf("%s\n", s->name);
    done = prepare(&c, steps < LEAST_STEPS ? LEAST_STEPS : steps) && hold_contest(&c);
  } else {
    fprintf(stderr, "%s: %s\n", s->name, c.model ? why : sn_error_text(error));
  }
  fflush(stdout);
  free(c.control);
  mj_deleteModel(c.reference);
  if (c.model) {
    sn_model_free(c.model);
  }
  return done;
}

int bench_rollouts(sn_engine *engine) {
  sn_error *error = sn_error_new();
  int done = 1;
  printf("%d rollouts, %ld processors\n", ROLLOUTS, sysconf(_SC_NPROCESSORS_ONLN));
  for (int k = 0; k < MODELS; k++) {
    done = run_model(engine, &models[k], error) && done;
  }
  sn_error_free(error);
  return done;
}
