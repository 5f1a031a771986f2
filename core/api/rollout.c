// SPDX-License-Identifier: Apache-2.0
//
// Many independent simulations of one model, as tasks of the selected executor. A worker owns one
// sn_data; task i sets its initial state, steps, and writes its own part of the result, so the
// result does not depend on the executor.

#include "step/pipeline.h"

typedef struct rollout {
  const sn_model *model;
  int64_t nstep;
  uint32_t mask;
  const double *initial, *control;
  double *states;
} rollout;

static sn_status open_worker(sn_job *job, int64_t index, void **worker, sn_error *error) {
  (void)index;
  const rollout *r = job->context;
  *worker = sn_data_new(r->model, error);
  return *worker ? SN_OK : SN_ENOMEM;
}

static void close_worker(sn_job *job, void *worker) {
  (void)job;
  sn_data_free(worker);
}

static sn_status run_task(sn_job *job, void *worker, int64_t task, void *result) {
  const rollout *r = job->context;
  const sn_model *m = r->model;
  sn_data *d = worker;
  double *out = result;
  int64_t size = sn_state_size(m, SN_STATE_PHYSICS);
  sn_status status = SN_OK;
  sn_reset(m, d);
  if (r->initial) {
    sn_state_set(m, d, r->mask, r->initial + task * sn_state_size(m, r->mask));
  }
  for (int64_t k = 0; k < r->nstep; k++) {
    for (int64_t i = 0; r->control && i < m->nu; i++) {
      d->ctrl[i] = r->control[(task * r->nstep + k) * m->nu + i];
    }
    sn_status step = sn_step(m, d);
    status = step < 0 ? step : status;
    sn_state_get(m, d, SN_STATE_PHYSICS, out + k * size);
  }
  return status;
}

sn_status sn_rollout(const sn_model *model, int64_t n, int64_t nstep, uint32_t mask,
                     const double *initial, const double *control, double *states, int64_t *failed,
                     sn_error *error) {
  if (n < 0 || nstep < 0 || (!states && n > 0 && nstep > 0)) {
    return si_fail(error, SN_EINVAL, "%lld rollouts of %lld steps cannot be run%s", (long long)n,
                   (long long)nstep,
                   states ? ""
                          : "; the numbers of their states cannot be "
                            "stored");
  }
  const char *name = si_engine_selected(model->engine, "executor");
  const si_provider *p = name ? si_engine_find(model->engine, SN_KIND_EXECUTOR, name, error)
                              : si_engine_each(model->engine, SN_KIND_EXECUTOR, 0);
  if (!p) {
    return name ? SN_ENOTFOUND
                : si_fail(error, SN_ENOTFOUND,
                          "there is no executor; name a plugin that provides "
                          "one in section [plugins] of the configuration");
  }
  rollout r = { model, nstep, mask, initial, control, states };
  sn_job job = {
    .size = sizeof job,
    .context = &r,
    .ntask = n,
    .results = states,
    .nresult = nstep * sn_state_size(model, SN_STATE_PHYSICS) * (int64_t)sizeof(double),
    .open = open_worker,
    .close = close_worker,
    .run = run_task,
  };
  const sn_executor_ops *ops = p->ops;
  int64_t unwanted;
  return si_error_settle(error, ops->run(p->self, &job, failed ? failed : &unwanted, error));
}
