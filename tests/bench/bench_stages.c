// SPDX-License-Identifier: Apache-2.0
//
// ./dev bench stages and threads: where the time of a step goes in each scene, and what two threads
// gain in large ones. Both start where the comparison with the reference engine does.

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "crowds.h"
#include "scenes.h"

typedef struct subject {
  sn_model *model;
  const char *name;
  int key, settle, steps;
} subject;

typedef int measuring(const subject *s, int is_first);   // false: the simulation failed

static int run_file(sn_engine *engine, const char *path, subject s, measuring *measure, int first) {
  sn_error *error = sn_error_new();
  s.model = sn_load(engine, path, error);
  int done = s.model != NULL;
  if (done) {
    done = measure(&s, first);
    sn_model_free(s.model);
  } else {
    fprintf(stderr, "%s: %s\n", s.name, sn_error_text(error));
  }
  sn_error_free(error);
  return done;
}

static int run_crowd(sn_engine *engine, const crowd *c, measuring *measure, int first) {
  char path[64];
  if (!crowd_write(c, path)) {
    fprintf(stderr, "%s: its file cannot be written in /tmp\n", c->name);
    return 0;
  }
  const subject s = { NULL, c->name, -1, c->settle, c->steps };
  const int done = run_file(engine, path, s, measure, first);
  unlink(path);
  return done;
}

// All scenes, or those of these names. Returns whether all could be measured.
static int run_scenes(sn_engine *engine, const char *const *name, measuring *measure) {
  int ok = 1, n = 0;
  for (int i = 0; i < NSCENES + ncrowd; i++) {
    const char *own = i < NSCENES ? scenes[i].name : crowds[i - NSCENES].name;
    int is_chosen = !name;
    for (int k = 0; name && name[k]; k++) {
      is_chosen |= strcmp(name[k], own) == 0;
    }
    if (!is_chosen) {
      continue;
    }
    int done;
    if (i < NSCENES) {
      const subject s = { NULL, own, scenes[i].key, 0, scenes[i].steps };
      done = run_file(engine, scenes[i].path, s, measure, n == 0);
    } else {
      done = run_crowd(engine, &crowds[i - NSCENES], measure, n == 0);
    }
    n += done;
    ok &= done;
  }
  return ok;
}

static sn_status settle(const subject *s, sn_data *d) {
  sn_status status = s->key >= 0 ? sn_reset_key(s->model, d, s->key) : SN_OK;
  for (int i = 0; i < bench_steps(s->settle) && status >= 0; i++) {
    status = sn_step(s->model, d);
  }
  return status;
}

// ------------------------------------------------------------------ stages

enum { MOST_STAGES = 64, STAGE_ROUNDS = 5 };

typedef struct stage_times {
  const char *name[MOST_STAGES];
  double seconds[MOST_STAGES], sum;
  int n;
} stage_times;

static stage_times read_times(const sn_data *d) {
  sn_timing t = { .size = sizeof t };
  stage_times x = { .sum = 0 };
  for (; x.n < MOST_STAGES && sn_data_timing_at(d, x.n, &t); x.n++) {
    x.name[x.n] = t.name;
    x.seconds[x.n] = t.seconds;
    x.sum += t.seconds;
  }
  return x;
}

static void print_stages(const subject *s, const stage_times *x, int steps, int is_first) {
  printf(bench.as_json ? "%s{\"scene\": \"%s\", \"seconds\": %.4g, \"stages\": {"
                       : "%s%-18.18s %11.4g s ",
         bench.as_json && !is_first ? ",\n" : "", s->name, x->sum / steps);
  for (int i = 0; i < x->n; i++) {
    if (bench.as_json) {
      printf("%s\"%s\": %.5f", i ? ", " : "", x->name[i], x->seconds[i] / x->sum);
    } else if (x->seconds[i] > 0.02 * x->sum) {
      printf(" %s %.0f %%", x->name[i], 100 * x->seconds[i] / x->sum);
    }
  }
  puts(bench.as_json ? "}}" : "");
  fflush(stdout);
}

// Of each stage the least: in the other rounds it was interrupted.
static void keep_least(stage_times *least, const stage_times *x) {
  least->n = x->n;
  least->sum = 0;
  for (int i = 0; i < x->n; i++) {
    least->name[i] = x->name[i];
    least->seconds[i] = fmin(least->seconds[i], x->seconds[i]);
    least->sum += least->seconds[i];
  }
}

static int measure_stages(const subject *s, int is_first) {
  sn_error *error = sn_error_new();
  sn_data *d = sn_data_new(s->model, error);
  sn_status status = d ? SN_OK : SN_ENOMEM;
  const int steps = bench_steps(s->steps);
  stage_times least = { .n = 0 };
  for (int i = 0; i < MOST_STAGES; i++) {
    least.seconds[i] = HUGE_VAL;
  }
  for (int k = 0; k < STAGE_ROUNDS && status >= 0; k++) {
    status = sn_reset(s->model, d);
    status = status < 0 ? status : settle(s, d);
    sn_data_set_timing(d, 1);
    for (int i = 0; i < steps && status >= 0; i++) {
      status = sn_step(s->model, d);
    }
    const stage_times x = read_times(d);
    sn_data_set_timing(d, 0);
    keep_least(&least, &x);
  }
  if (status >= 0) {
    print_stages(s, &least, steps, is_first);
  } else {
    fprintf(stderr, "%s: %s\n", s->name, sn_error_text(d ? sn_data_error(d) : error));
  }
  sn_data_free(d);
  sn_error_free(error);
  return status >= 0;
}

int bench_stages(sn_engine *engine) {
  if (bench.as_json) {
    puts("{\"stages\": [");
  }
  const int ok = run_scenes(engine, NULL, measure_stages);
  if (bench.as_json) {
    puts("\n]}");
  }
  return ok;
}

// ------------------------------------------------------------------ threads

// Slices in turns, by the clock: of a simulation with one thread, of one with two, and of two with
// one each at the same time, which shows what two threads of this machine can gain. A gain is the
// median of all slices: other work on the machine affects neighbors alike, and both have the same
// states.

enum { SLICES = 15, ONE = 0, TWO, BESIDE, BESIDE_TOO, NSIMULATION };

typedef struct slice {
  const sn_model *model;
  sn_data *data;
  int steps;
  sn_status status;
} slice;

static void *run_slice(void *context) {
  slice *x = context;
  for (int i = 0; i < x->steps && x->status >= 0; i++) {
    x->status = sn_step(x->model, x->data);
  }
  return NULL;
}

static double time_slice(slice *x) {
  const double start = wall_clock();
  run_slice(x);
  return wall_clock() - start;
}

static double time_both(slice *x, slice *y) {
  const double start = wall_clock();
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_slice, y) != 0) {
    y->status = SN_ENOMEM;
    return HUGE_VAL;
  }
  run_slice(x);
  pthread_join(thread, NULL);
  return wall_clock() - start;
}

static int compare_times(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_time(double *x) {
  qsort(x, SLICES, sizeof *x, compare_times);
  return x[SLICES / 2];
}

static void print_threads(const subject *s, const slice *x, double (*t)[SLICES], int is_first) {
  double gain[SLICES], possible[SLICES];
  for (int i = 0; i < SLICES; i++) {
    gain[i] = t[ONE][i] / t[TWO][i];
    possible[i] = 2 * t[ONE][i] / t[BESIDE][i];
  }
  const uint32_t state = SN_STATE_INTEGRATION;
  const int same = sn_state_hash(s->model, x[ONE].data, state) ==
                   sn_state_hash(s->model, x[TWO].data, state);
  printf(bench.as_json ? "%s{\"scene\": \"%s\", \"seconds\": [%.4g, %.4g], \"gain\": %.3f, "
                         "\"two_simulations\": %.3f, \"same\": %s}"
                       : "%s%-18s %10.4g s %10.4g s %6.2f  two simulations: %.2f  same bits: %s\n",
         bench.as_json && !is_first ? ",\n" : "", s->name, median_time(t[ONE]) / x->steps,
         median_time(t[TWO]) / x->steps, median_time(gain), median_time(possible),
         same ? "true" : "false");
  fflush(stdout);
}

static int measure_threads(const subject *s, int is_first) {
  sn_error *error = sn_error_new();
  const int steps = bench_steps(s->steps < 100 ? s->steps : 100);
  slice x[NSIMULATION] = { { 0 } };
  double t[BESIDE + 1][SLICES];
  sn_status status = SN_OK;
  for (int k = 0; k < NSIMULATION && status >= 0; k++) {
    x[k] = (slice){ s->model, NULL, steps, SN_OK };
    status = sn_model_parse_option(s->model, "threads", k == TWO ? "2" : "1", error);
    x[k].data = status < 0 ? NULL : sn_data_new(s->model, error);
    status = x[k].data ? settle(s, x[k].data) : SN_ENOMEM;
  }
  for (int i = 0; i < SLICES && status >= 0; i++) {
    t[ONE][i] = time_slice(&x[ONE]);
    t[TWO][i] = time_slice(&x[TWO]);
    t[BESIDE][i] = time_both(&x[BESIDE], &x[BESIDE_TOO]);
    for (int k = 0; k < NSIMULATION; k++) {
      status = x[k].status < status ? x[k].status : status;
    }
  }
  if (status >= 0) {
    print_threads(s, x, t, is_first);
  } else {
    fprintf(stderr, "%s: %s\n", s->name,
            sn_error_text(x[TWO].data ? sn_data_error(x[TWO].data) : error));
  }
  for (int k = 0; k < NSIMULATION; k++) {
    sn_data_free(x[k].data);
  }
  sn_error_free(error);
  return status >= 0;
}

int bench_threads(sn_engine *engine) {
  static const char *const large[] = { "22_humanoids", "humanoid100", "particle", "robots", "bowl",
                                       "dominoes", "pile_newton", "pile_cg", NULL };
  if (bench.as_json) {
    puts("{\"threads\": [");
  }
  const int ok = run_scenes(engine, large, measure_threads);
  if (bench.as_json) {
    puts("\n]}");
  }
  return ok;
}
