// SPDX-License-Identifier: Apache-2.0
//
// What the pretended ABI 1.1 adds to the library: a tally of events, observers, solvers of two
// revisions.

#include <stdatomic.h>
#include <string.h>

#include "step/pipeline.h"

// ------------------------------------------------------------------ tally

static struct {
  const char *what;
  atomic_llong count;
} tally[] = {
  { .what = "step" }, { .what = "solver/1" }, { .what = "solver/2" }, { .what = "polish" }
};

static void add(const char *what) {
  for (size_t i = 0; i < sizeof tally / sizeof tally[0]; i++) {
    if (strcmp(tally[i].what, what) == 0) {
      tally[i].count++;
    }
  }
}

const sn_tally_service si_tally_service_table = { .size = sizeof(sn_tally_service), .add = add };

int64_t sn_tally(const char *what) {
  for (size_t i = 0; i < sizeof tally / sizeof tally[0]; i++) {
    if (strcmp(tally[i].what, what) == 0) {
      return tally[i].count;
    }
  }
  return -1;
}

const char *si_host_appended(const sn_host *host) {
  (void)host;
  return "appended";
}

// ------------------------------------------------------------------ solvers

sn_status si_solve_1_or_2(const si_provider *provider, const sn_problem *problem,
                          sn_solution *solution, sn_scratch *scratch) {
  if (strcmp(provider->kind, SN_KIND_SOLVER_2) == 0) {
    const sn_solver_2_ops *ops = provider->ops;
    double residual = 0;
    add("solver/2");
    return ops->solve(provider->self, &residual, problem, solution, scratch);
  }
  const sn_solver_ops *ops = provider->ops;
  add("solver/1");
  sn_status status = ops->solve(provider->self, problem, solution, scratch);
  if (status >= 0 && ops->polish) {
    add("polish");
    status = ops->polish(provider->self, problem, solution);
  }
  return status;
}

// ------------------------------------------------------------------ observers

sn_status si_step_unobserved(const sn_model *model, sn_data *data);

sn_status sn_step(const sn_model *model, sn_data *data) {
  const sn_status status = si_step_unobserved(model, data);
  const si_provider *p;
  for (int64_t i = 0; (p = si_engine_each(model->engine, SN_KIND_OBSERVER, i)); i++) {
    ((const sn_observer_ops *)p->ops)->observe(p->self, data->time[0]);
  }
  return status;
}
