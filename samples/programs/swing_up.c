// SPDX-License-Identifier: Apache-2.0
//
// Swings the pole of samples/models/cart_pole.xml up and balances it, by model predictive path
// integral control (G. Williams, A. Aldrich, E. A. Theodorou, Journal of Guidance, Control, and
// Dynamics 40, 2017): every 20 ms, simulate noisy variants of the plan, weight them by their cost,
// and apply the start of the mean.
//
//   cc swing_up.c $(pkg-config --cflags --libs sinew) -lm -o swing_up
//   ./swing_up cart_pole.xml [SECONDS [EXECUTOR]]
//
// It prints time, cart and pole, and how much of the time that passed was needed for planning;
// its status is 0 if the pole stayed within 0.2 rad of upright for the last second.

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  SAMPLES = 24,   // plans that are simulated
  KNOTS = 40,     // controls of a plan
  HOLD = 10,      // steps of each: 20 ms with the timestep of the model
  NU = 2,         // a motor and a brake, which is not used
  NQ = 2          // place of the cart, angle of the pole from upright
};

static const double noise = 0.4, temperature = 0.05;   // of controls from -1 to 1; of costs

typedef struct planner {
  sn_model *model;
  double plan[KNOTS];
  double control[SAMPLES][KNOTS][NU], result[SAMPLES][2 * NQ][KNOTS];   // x, angle, their speeds
  double *state;
  uint64_t draws;
} planner;

// Normally distributed (G. E. P. Box, M. E. Muller, 1958), from the numbers of sn_rollout_seed.
static double draw(planner *p) {
  const double pi = acos(-1), scale = ldexp(1, -53);
  const double u = (double)sn_rollout_seed(1, (int64_t)p->draws++) * scale;
  const double v = (double)sn_rollout_seed(1, (int64_t)p->draws++) * scale;
  return sqrt(-2 * log(1 - u)) * cos(2 * pi * v);
}

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double clip(double x) {
  return fmin(1, fmax(-1, x));
}

static double cost_of(const planner *p, int i) {
  double cost = 0;
  for (int k = 0; k < KNOTS; k++) {
    const double x = p->result[i][0][k], angle = p->result[i][1][k];
    const double dx = p->result[i][2][k], dangle = p->result[i][3][k];
    const double end = k == KNOTS - 1 ? 10 : 1;
    cost += end * (4 * (1 - cos(angle)) + x * x + 0.02 * dangle * dangle + 0.1 * dx * dx);
    cost += fabs(x) > 1.6 ? 20 : 0;   // the ends of the rail
  }
  return cost / KNOTS;
}

// A better plan from the present state of the plant.
static sn_status improve(planner *p, const sn_data *plant, const char *executor, sn_error *error) {
  sn_rollout_record record[] = { { .name = "qpos:slide" },
                                 { .name = "qpos:hinge" },
                                 { .name = "qvel:slide" },
                                 { .name = "qvel:hinge" } };
  sn_rollout_request r = { .size = sizeof r,
                           .n = SAMPLES,
                           .nstep = KNOTS * HOLD,
                           .every = HOLD,
                           .control_every = HOLD,
                           .flags = SN_ROLLOUT_SAME_INITIAL,
                           .initial_mask = SN_STATE_INTEGRATION,
                           .initial = p->state,
                           .control = &p->control[0][0][0],
                           .record = record,
                           .nrecord = 4,
                           .results = &p->result[0][0][0],
                           .executor = executor };
  sn_state_get(p->model, plant, SN_STATE_INTEGRATION, p->state);
  for (int i = 0; i < SAMPLES; i++) {
    for (int k = 0; k < KNOTS; k++) {   // the first sample is the plan itself
      p->control[i][k][0] = clip(p->plan[k] + (i ? noise * draw(p) : 0));
    }
  }
  if (sn_rollout_measure(p->model, &r, error) < 0 || sn_rollout(p->model, &r, error) < 0) {
    return SN_EINVAL;
  }
  double cost[SAMPLES], least = HUGE_VAL, sum = 0, mean[KNOTS] = { 0 };
  for (int i = 0; i < SAMPLES; i++) {
    cost[i] = cost_of(p, i);
    least = fmin(least, cost[i]);
  }
  for (int i = 0; i < SAMPLES; i++) {
    const double weight = exp(-(cost[i] - least) / temperature);
    sum += weight;
    for (int k = 0; k < KNOTS; k++) {
      mean[k] += weight * p->control[i][k][0];
    }
  }
  for (int k = 0; k < KNOTS; k++) {
    p->plan[k] = mean[k] / sum;
  }
  return SN_OK;
}

// Applies the first control of the plan, which then begins with the next one.
static void advance(planner *p, sn_data *plant) {
  snd_ctrl(plant)[0] = p->plan[0];
  for (int k = 0; k < HOLD; k++) {
    sn_step(p->model, plant);
  }
  memmove(p->plan, p->plan + 1, (KNOTS - 1) * sizeof *p->plan);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s cart_pole.xml [SECONDS [EXECUTOR]]\n", argv[0]);
    return 2;
  }
  const double seconds = argc > 2 ? atof(argv[2]) : 6;
  const char *executor = argc > 3 ? argv[3] : NULL;
  static planner p;
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  p.model = engine ? sn_load(engine, argv[1], error) : NULL;
  sn_data *plant = p.model ? sn_data_new(p.model, error) : NULL;
  sn_status status = plant ? SN_OK : SN_EINVAL;
  p.state = plant ? malloc((size_t)sn_state_size(p.model, SN_STATE_INTEGRATION) * sizeof(double))
                  : NULL;
  double planning = 0, tilt = 0;   // tilt: the largest angle of the last second

  if (plant) {
    sn_reset(p.model, plant);
    snd_qpos(plant)[1] = acos(-1);   // the pole hangs down
  }
  for (int64_t i = 0; status >= 0 && p.state && snd_time(plant)[0] < seconds; i++) {
    const double start = seconds_now();
    status = improve(&p, plant, executor, error);
    planning += seconds_now() - start;
    advance(&p, plant);
    const double *q = snd_qpos(plant), angle = remainder(q[1], 2 * acos(-1));
    if (snd_time(plant)[0] > seconds - 1) {
      tilt = fmax(tilt, fabs(angle));
    }
    if (i % 10 == 9) {
      printf("%5.2f s  cart %6.3f m  pole %6.1f degrees\n", snd_time(plant)[0], q[0],
             angle * 180 / acos(-1));
    }
  }
  if (status < 0) {
    fprintf(stderr, "%s\n", sn_error_text(error));
  } else {
    printf("planning took %.2f of the time; the pole %s\n", planning / seconds,
           tilt < 0.2 ? "stands" : "does not stand");
  }
  free(p.state);
  sn_data_free(plant);
  sn_model_free(p.model);
  sn_engine_close(engine);
  sn_error_free(error);
  return status < 0 || tilt >= 0.2;
}
