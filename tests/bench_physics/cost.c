// SPDX-License-Identifier: Apache-2.0
//
// What accuracy costs: CPU time of this process. Times are of the machine that measures, and vary
// from run to run; everything else that this program prints does not.

#include <math.h>
#include <stdio.h>

#include "bench_physics.h"
#include "scenes.h"

// CPU seconds for a simulated one, after this time.
static double cost_after(trial *t, double start, double time) {
  simulate(t, start);
  const double begin = cpu_clock();
  simulate(t, time);
  return (cpu_clock() - begin) / time;
}

static double short_cost(trial *t) {
  if (snm_nkey(t->m) > 0) {
    sn_reset_key(t->m, t->d, 0);
  }
  return cost_after(t, 0, 0.2);
}

static double falling_cost(trial *t) {
  return cost_after(t, 0, 1);
}

static double rest_cost(trial *t) {
  return cost_after(t, 2, 0.5);
}

static double rolling_cost(trial *t) {
  simulate(t, 1);
  snd_qfrc_applied(t->d)[0] = 150;
  return cost_after(t, 0, 1);
}

static const row by_solver[] = {
  { .title = "Rolling, 10 ms",
    .model = "balls_on_plate",
    .settings = "timestep=.01",
    .measure = rolling_cost },
  { .title = "666, 10 ms",
    .scene = balls_scene,
    .settings = "timestep=.01",
    .measure = falling_cost,
    .parameter = 0.8 },
  { .title = "666, pyramidal, 10 ms",
    .scene = balls_scene,
    .settings = "timestep=.01;cone=pyramidal",
    .measure = falling_cost,
    .parameter = 0.8 },
  { .title = "stack of 30 at rest, 2 ms",
    .scene = stack_scene,
    .measure = rest_cost,
    .parameter = 30 },
};

static const column solvers[] = {
  { "`newton`", "solver=newton" },   { "`cg`", "solver=cg" },          { "`pgs`", "solver=pgs" },
  { "`coulomb`", "solver=coulomb" }, { "`robust`", "profile=robust" },
};

static const row by_closing[] = {
  { .title = "A02, 2 parallelograms, 1 ms",
    .scene = parallelograms_scene,
    .settings = "timestep=.001",
    .measure = short_cost,
    .parameter = 2 },
  { .title = "A02, 40 parallelograms, 1 ms",
    .scene = parallelograms_scene,
    .settings = "timestep=.001",
    .measure = short_cost,
    .parameter = 40 },
  { .title = "A03, Andrews' mechanism, 0.1 ms",
    .model = "andrews",
    .settings = "timestep=1e-4",
    .measure = short_cost },
  { .title = "A04, Bricard's mechanism, 1 ms",
    .model = "bricard_cut",
    .settings = "timestep=.001",
    .measure = short_cost },
};

static const column closings[] = {
  { "soft, `euler`", "integrator=euler" },
  { "soft, `rk4`", "integrator=rk4" },
  { "exact, `euler`", "integrator=euler;exactequality=on" },
  { "exact, `momentum`", "integrator=momentum;exactequality=on" },
  { "exact, `rk4`", "integrator=rk4;exactequality=on" },
};

enum { STEPS = 5 };

// Microseconds of a step.
static double chain_step(trial *t) {
  step(t);
  const double begin = cpu_clock();
  simulate(t, STEPS * t->h);
  return (cpu_clock() - begin) / STEPS * 1e6;
}

static const row chains[] = {
  { .title = "chain of 50 links: us for a step",
    .scene = chain_scene,
    .measure = chain_step,
    .parameter = 50 },
  { .title = "300 links", .scene = chain_scene, .measure = chain_step, .parameter = 300 },
  { .title = "1000 links", .scene = chain_scene, .measure = chain_step, .parameter = 1000 },
};

static const column chain_columns[] = {
  { "`euler`", "integrator=euler" },
  { "`rk4`", "integrator=rk4" },
};

void cost_section(void) {
  TABLE("cost-contacts", by_solver, solvers);
  TABLE("cost-loops", by_closing, closings);
  TABLE("cost-chains", chains, chain_columns);
}
