// SPDX-License-Identifier: Apache-2.0
//
// Finds the coefficient of friction with which a recorded run was made: least squares over the
// positions, by simulating several values at once and narrowing the range around the best.
//
//   sinew rollout slider --n 1 --key push --vary geom_friction:box:0=0.37 --time 1.5 --every 10
//     --record qpos:free:0 --out run.csv
//   cc identify.c $(pkg-config --cflags --libs sinew) -lm -o identify
//   ./identify slider.xml run.csv geom_friction:box:0 0.05 1
//
// The last column of the file has the positions qpos:free:0 after every 10 steps.

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 16, EVERY = 10, MOST = 10000, ROUNDS = 30 };

static int fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  return 1;
}

// The last number of each line but the first; returns how many there are.
static int64_t read_run(const char *path, double *out) {
  FILE *file = fopen(path, "r");
  char line[4096];
  int64_t n = 0;
  for (int first = 1; file && n < MOST && fgets(line, sizeof line, file); first = 0) {
    const char *comma = strrchr(line, ',');
    if (!first && comma) {
      out[n++] = atof(comma + 1);
    }
  }
  if (file) {
    fclose(file);
  }
  return n;
}

// The errors of VALUES simulations with values from `low` to `high`.
static sn_status try_values(const sn_model *model, const char *name, double low, double high,
                            const double *run, int64_t n, double values[VALUES],
                            double errors[VALUES], sn_error *error) {
  sn_rollout_variation vary = { .name = name, .values = values };
  sn_rollout_record record = { .name = "qpos:free:0" };
  double start[13] = { 0 };   // qpos and qvel of the keyframe
  memcpy(start, snm_key_qpos(model), 7 * sizeof *start);
  memcpy(start + 7, snm_key_qvel(model), 6 * sizeof *start);
  sn_rollout_request r = { .size = sizeof r,
                           .n = VALUES,
                           .nstep = n * EVERY,
                           .every = EVERY,
                           .flags = SN_ROLLOUT_SAME_INITIAL,
                           .initial_mask = SN_STATE_QPOS | SN_STATE_QVEL,
                           .initial = start,
                           .record = &record,
                           .nrecord = 1,
                           .vary = &vary,
                           .nvary = 1 };
  for (int i = 0; i < VALUES; i++) {
    values[i] = low + (high - low) * i / (VALUES - 1);
  }
  double *x = malloc((size_t)(VALUES * n) * sizeof *x);
  r.results = x;
  sn_status status = x ? sn_rollout(model, &r, error) : SN_ENOMEM;
  for (int i = 0; i < VALUES && status >= 0; i++) {
    errors[i] = 0;
    for (int64_t k = 0; k < n; k++) {
      errors[i] += pow(x[i * n + k] - run[k], 2);
    }
  }
  free(x);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    return fail("usage: identify slider.xml RUN.csv NAME LOW HIGH");
  }
  static double run[MOST];
  const int64_t n = read_run(argv[2], run);
  double low = atof(argv[4]), high = atof(argv[5]);
  if (n == 0 || !(low < high)) {
    return fail("the run has no lines, or the range is empty");
  }
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_model *model = engine ? sn_load(engine, argv[1], error) : NULL;
  double values[VALUES], errors[VALUES];
  sn_status status = model ? SN_OK : SN_EINVAL;
  int best = 0;
  for (int round = 0; round < ROUNDS && status >= 0 && high - low > 1e-6; round++) {
    status = try_values(model, argv[3], low, high, run, n, values, errors, error);
    best = 0;
    for (int i = 1; i < VALUES && status >= 0; i++) {
      best = errors[i] < errors[best] ? i : best;
    }
    low = values[best > 0 ? best - 1 : 0];   // the least lies between the neighbors
    high = values[best < VALUES - 1 ? best + 1 : best];
  }
  if (status < 0) {
    fail(sn_error_text(error));
  } else {
    printf("%s = %.6f  (%.3g mm from the run)\n", argv[3], values[best],
           1000 * sqrt(errors[best] / (double)n));
  }
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
  return status < 0;
}
