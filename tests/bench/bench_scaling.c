// SPDX-License-Identifier: Apache-2.0
//
// ./dev bench scaling: how the time of a step grows with the number of things, by the slope of log
// time over log n, by least squares. The processor time of a step is the least of several batches,
// after the things have settled.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "crowds.h"

enum { NSIZES = 4, BATCHES = 5, LEAST_STEPS = 2 };
static const double seconds = 0.05;   // of a batch

typedef struct series {
  const char *name, *what;
  double target;         // of the exponent
  int settle;            // steps
  int size[NSIZES];
  const char *crowd;     // of crowds.h, or NULL
  sn_model *(*build)(sn_engine *engine, int n, sn_error *error);
} series;

static const series all[] = {
  { "chain", "hinges in one chain", 1.15, 20, { 10, 50, 200, 1000 }, NULL, bench_chain },
  { "robots", "robots that stand apart", 1.05, 60, { 3, 10, 30, 100 }, "robots", NULL },
  { "spheres",
    "spheres that fall in a box",
    1.05,
    60,
    { 100, 300, 1000, 3000 },
    NULL,
    bench_spheres_model },
  { "static", "fixed boxes below ten balls", 0.2, 60, { 10, 100, 1000, 10000 }, "static", NULL },
  { "pile_newton",
    "balls in a settled pile, Newton",
    1.3,
    250,
    { 30, 100, 300, 600 },
    "pile_newton",
    NULL },
};
enum { NSERIES = sizeof all / sizeof all[0] };

static sn_model *load_crowd(sn_engine *engine, const char *name, int n, sn_error *error) {
  for (int i = 0; i < ncrowd; i++) {
    if (strcmp(crowds[i].name, name) == 0) {
      crowd c = crowds[i];
      char path[64];
      c.n = n;
      sn_model *m = crowd_write(&c, path) ? sn_load(engine, path, error) : NULL;
      unlink(path);
      return m;
    }
  }
  return NULL;
}

// Seconds of a step; 0: the simulation failed.
static double measure(const series *s, const sn_model *m, sn_data *d) {
  sn_status status = SN_OK;
  double least = HUGE_VAL;
  for (int i = 0; i < bench_steps(s->settle) && status >= 0; i++) {
    status = sn_step(m, d);
  }
  for (int k = 0; k < BATCHES && status >= 0; k++) {
    const double start = thread_clock();
    double time = 0;
    int steps = 0;
    while (status >= 0 && (time < (bench.is_quick ? 0 : seconds) || steps < LEAST_STEPS)) {
      status = sn_step(m, d);
      steps++;
      time = thread_clock() - start;
    }
    least = fmin(least, time / steps);
  }
  return status < 0 ? 0 : least;
}

static int run_size(sn_engine *engine, const series *s, int n, double *time, double *rows) {
  sn_error *error = sn_error_new();
  sn_model *m = s->crowd ? load_crowd(engine, s->crowd, n, error) : s->build(engine, n, error);
  sn_data *d = m ? sn_data_new(m, error) : NULL;
  *time = d ? measure(s, m, d) : 0;
  *rows = d ? (double)snd_nefc(d) : 0;
  if (!(*time > 0)) {
    fprintf(stderr, "%s %d: %s\n", s->name, n, sn_error_text(d ? sn_data_error(d) : error));
  }
  sn_data_free(d);
  if (m) {
    sn_model_free(m);
  }
  sn_error_free(error);
  return *time > 0;
}

static int run_series(sn_engine *engine, const series *s, int is_first) {
  double x[NSIZES], y[NSIZES], time[NSIZES], rows[NSIZES];
  for (int i = 0; i < NSIZES; i++) {
    if (!run_size(engine, s, s->size[i], &time[i], &rows[i])) {
      return 0;
    }
    x[i] = log(s->size[i]);
    y[i] = log(time[i]);
  }
  const double exponent = bench_slope(NSIZES, x, y);
  if (bench.as_json) {
    printf("%s{\"series\": \"%s\", \"what\": \"%s\", \"target\": %g, \"exponent\": %.3f,\n"
           " \"points\": [",
           is_first ? "" : ",\n", s->name, s->what, s->target, exponent);
    for (int i = 0; i < NSIZES; i++) {
      printf("%s[%d, %.0f, %.4g]", i ? ", " : "", s->size[i], rows[i], time[i]);
    }
    printf("]}");
  } else {
    for (int i = 0; i < NSIZES; i++) {
      printf("%-12s %6d %8.0f %12.2f\n", s->name, s->size[i], rows[i], 1e6 * time[i]);
    }
    printf("%-12s exponent %.2f, target at most %.2f\n", s->name, exponent, s->target);
  }
  fflush(stdout);
  return 1;
}

int bench_scaling(sn_engine *engine) {
  int ok = 1, n = 0;
  if (bench.as_json) {
    puts("{\"scaling\": [");
  } else {
    printf("%-12s %6s %8s %12s\n", "series", "n", "rows", "step, us");
  }
  for (int i = 0; i < NSERIES; i++) {
    const int done = run_series(engine, &all[i], n == 0);
    n += done;
    ok &= done;
  }
  if (bench.as_json) {
    puts("\n]}");
  }
  return ok;
}
