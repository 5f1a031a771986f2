// SPDX-License-Identifier: Apache-2.0
//
// Learns to run: augmented random search (H. Mania, A. Guy, B. Recht, Advances in Neural
// Information Processing Systems 31, 2018) of a linear policy for a runner, a model whose first
// coordinate is the distance, such as sdk/python/sinew/envs/cheetah.xml. Each iteration runs a
// policy with noise added and subtracted, in several directions, and moves it along those that made
// a difference.
//
//   cc policy_search.c $(pkg-config --cflags --libs sinew) -lm -o policy_search
//   ./policy_search cheetah.xml [ITERATIONS [EXECUTOR]] > curve.csv
//   sinew plot curve.csv --x steps --y return -o curve.svg
//
// It writes the return of the policy without noise over the steps of simulation: the distance in
// meters, minus `effort` times the integral of the squares of the controls over time. Its status is
// 0 if the last return is at least 1 m better than the first.

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  DIRECTIONS = 12,   // of noise; each is added and subtracted
  BEST = 6,          // of these, the ones that are used
  ROWS = 2 * DIRECTIONS + 1,   // rollouts of an iteration; the last is without noise
  STEPS = 800,
  HOLD = 4,          // steps with the same controls
  NOBS = 64,         // at most: positions but the first, and velocities
  NU = 16            // at most
};

static const double noise = 0.03, rate = 0.02, effort = 0.05;

typedef double policy[NU][NOBS];

// What one rollout writes: its own entry, so that threads do not matter.
typedef struct tally {
  double spent, n, sum[NOBS], squares[NOBS];   // the cost of controls; observations
} tally;

typedef struct search {
  policy gain, direction[DIRECTIONS];
  double mean[NOBS], scale[NOBS];   // of observations; scale: 1 / their standard deviation
  double n, sum[NOBS], squares[NOBS];
  tally tally[ROWS];
  int64_t nobs, nu;
  double dt;   // seconds with the same controls
  uint64_t draws;
} search;

// Normally distributed (G. E. P. Box, M. E. Muller, 1958), from the numbers of sn_rollout_seed.
static double draw(search *s) {
  const double unit = ldexp(1, -53), turn = 2 * acos(-1);
  const double u = (double)sn_rollout_seed(1, (int64_t)s->draws++) * unit;
  const double v = (double)sn_rollout_seed(1, (int64_t)s->draws++) * unit;
  return sqrt(-2 * log1p(-u)) * cos(turn * v);
}

// The controls of the policy of a rollout, and what they cost. Called before each step.
static sn_status act(void *context, const sn_model *model, sn_data *data, int64_t row,
                     int64_t step) {
  search *s = (search *)context;
  tally *own = &s->tally[row];
  double seen[NOBS];
  policy *direction = &s->direction[row / 2 % DIRECTIONS];
  const double sign = row == ROWS - 1 ? 0 : row % 2 ? -noise : noise;
  if (step % HOLD) {
    return SN_OK;
  }
  const int64_t nq = snm_nq(model);
  for (int64_t k = 0; k < s->nobs; k++) {
    const double x = k < nq - 1 ? snd_qpos(data)[k + 1] : snd_qvel(data)[k - nq + 1];
    own->sum[k] += x;
    own->squares[k] += x * x;
    seen[k] = s->n > 0 ? (x - s->mean[k]) * s->scale[k] : x;
  }
  own->n++;
  for (int64_t i = 0; i < s->nu; i++) {
    double u = 0;
    for (int64_t k = 0; k < s->nobs; k++) {
      u += (s->gain[i][k] + sign * (*direction)[i][k]) * seen[k];
    }
    u = fmin(1, fmax(-1, u));
    snd_ctrl(data)[i] = u;
    own->spent += effort * u * u * s->dt;
  }
  return SN_OK;
}

// Runs all rollouts; returns[row] is what each returns.
static sn_status run(search *s, const sn_model *model, const char *executor, double *returns,
                     sn_error *error) {
  sn_rollout_record record = { .name = "qpos:0:0" };   // of joint 0
  sn_rollout_request r = { .size = sizeof r,
                           .n = ROWS,
                           .nstep = STEPS,
                           .every = STEPS,
                           .record = &record,
                           .nrecord = 1,
                           .results = returns,
                           .before_step = act,
                           .context = s,
                           .executor = executor };
  memset(s->tally, 0, sizeof s->tally);
  const sn_status status = sn_rollout(model, &r, error);
  for (int row = 0; row < ROWS && status >= 0; row++) {
    returns[row] -= s->tally[row].spent;
  }
  return status;
}

// The larger of the two returns of a direction decides.
static int is_among_best(const double *returns, int direction) {
  const double own = fmax(returns[2 * direction], returns[2 * direction + 1]);
  for (int i = 0, better = 0; i < DIRECTIONS; i++) {
    better += fmax(returns[2 * i], returns[2 * i + 1]) > own;
    if (better == BEST) {
      return 0;
    }
  }
  return 1;
}

static void improve(search *s, const double *returns) {
  double mean = 0, variance = 0;
  for (int row = 0; row < ROWS - 1; row++) {
    const double x = is_among_best(returns, row / 2) ? returns[row] : 0;
    mean += x / (2 * BEST);
    variance += x * x / (2 * BEST);
  }
  const double deviation = sqrt(fmax(variance - mean * mean, 1e-12));
  for (int d = 0; d < DIRECTIONS; d++) {
    const double gain = rate / (BEST * deviation) * (returns[2 * d] - returns[2 * d + 1]);
    for (int64_t i = 0; i < s->nu && is_among_best(returns, d); i++) {
      for (int64_t k = 0; k < s->nobs; k++) {
        s->gain[i][k] += gain * s->direction[d][i][k];
      }
    }
  }
  for (int row = 0; row < ROWS; row++) {
    s->n += s->tally[row].n;
    for (int64_t k = 0; k < s->nobs; k++) {
      s->sum[k] += s->tally[row].sum[k];
      s->squares[k] += s->tally[row].squares[k];
      s->mean[k] = s->sum[k] / s->n;
      s->scale[k] = 1 / sqrt(fmax(s->squares[k] / s->n - s->mean[k] * s->mean[k], 1e-6));
    }
  }
}

static sn_status learn(search *s, const sn_model *model, int iterations, const char *executor,
                       double ends[2], sn_error *error) {
  double returns[ROWS];
  printf("steps,return\n");
  for (int i = 0; i < iterations; i++) {
    for (int k = 0; k < DIRECTIONS * NU * NOBS; k++) {
      s->direction[k / (NU * NOBS)][k / NOBS % NU][k % NOBS] = draw(s);
    }
    SN_TRY(run(s, model, executor, returns, error));
    ends[i > 0] = returns[ROWS - 1];
    printf("%d,%.4f\n", i * ROWS * STEPS, returns[ROWS - 1]);
    improve(s, returns);
  }
  return SN_OK;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s cheetah.xml [ITERATIONS [EXECUTOR]]\n", argv[0]);
    return 2;
  }
  static search s;
  double ends[2] = { 0 };
  sn_option option = { .def_size = sizeof option };
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_model *model = engine ? sn_load(engine, argv[1], error) : NULL;
  sn_status status = model ? sn_model_get_option(model, &option) : SN_EINVAL;
  if (model) {
    s.nobs = snm_nq(model) - 1 + snm_nv(model);
    s.nu = snm_nu(model);
    s.dt = HOLD * option.timestep;
  }
  if (s.nobs > NOBS || s.nu > NU) {
    fprintf(stderr, "the model has more than %d coordinates or %d controls\n", NOBS, NU);
    status = SN_EUNSUPPORTED;
  }
  if (status >= 0) {
    const int iterations = argc > 2 ? atoi(argv[2]) : 40;
    status = learn(&s, model, iterations, argc > 3 ? argv[3] : NULL, ends, error);
  }
  if (sn_error_code(error)) {
    fprintf(stderr, "%s\n", sn_error_text(error));
  }
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
  return status < 0 || ends[1] < ends[0] + 1;
}
