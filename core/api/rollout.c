// SPDX-License-Identifier: Apache-2.0
//
// Many independent simulations of one model, as tasks of an executor. A worker owns one sn_data;
// task i sets its initial state, steps, and writes its own part of the result, so the result does
// not depend on the executor.

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "host/calling.h"
#include "step/pipeline.h"

typedef struct rollout {
  const sn_model *model;
  sn_rollout_request request;   // as this version knows it
  atomic_flag failed;             // a worker that could not be made has filled the error
  sn_error *error;
} rollout;

// ------------------------------------------------------------------ tasks

// Workers are opened at the same time, so each has an error of its own; the first failure is kept.
static sn_status open_worker(sn_job *job, int64_t index, void **worker) {
  (void)index;
  rollout *r = job->context;
  sn_error *error = sn_error_new();
  *worker = sn_data_new(r->model, error);
  if (!*worker && !atomic_flag_test_and_set(&r->failed)) {
    si_error_assign(r->error, error);
  }
  sn_error_free(error);
  return *worker ? SN_OK : SN_ENOMEM;
}

static void close_worker(sn_job *job, void *worker) {
  (void)job;
  sn_data_free(worker);
}

static sn_status run_task(sn_job *job, void *worker, int64_t task, void *result, int64_t *reached) {
  const rollout *r = job->context;
  const sn_rollout_request *q = &r->request;
  const sn_model *m = r->model;
  sn_data *d = worker;
  double *out = result;
  const int64_t size = sn_state_size(m, q->result_mask);
  sn_status status = SN_OK;
  *reached = 0;
  if (task < 0 || task >= q->n || !d) {   // a fault of the executor
    return SN_EINVAL;
  }
  sn_reset(m, d);
  if (q->initial) {
    sn_state_set(m, d, q->initial_mask, q->initial + task * sn_state_size(m, q->initial_mask));
  }
  *reached = q->nstep;
  for (int64_t k = 0; k < q->nstep; k++) {
    for (int64_t i = 0; q->control && i < m->nu; i++) {
      d->ctrl[i] = q->control[(task * q->nstep + k) * m->nu + i];
    }
    const sn_status step = sn_step(m, d);
    if (step < 0 && status >= 0) {
      status = step;
      *reached = k;
    }
    if (out) {
      sn_state_get(m, d, q->result_mask, out + k * size);
    }
  }
  return status;
}

// ------------------------------------------------------------------ the request

enum { FIRST_REQUEST = 96 };   // bytes of the request of ABI 1.0, which no caller has less of

static sn_status read_request(sn_rollout_request *q, const sn_rollout_request *theirs,
                              sn_error *error) {
  const sn_status copied = si_copy_in(q, sizeof *q, theirs, FIRST_REQUEST);
  if (copied < 0) {
    return si_fail(error, copied,
                   copied == SN_EINVAL
                       ? "the size of the request of rollouts is not set"
                       : "the request of rollouts was written for a newer version of Sinew and has "
                         "members that this version does not know");
  }
  if (q->n < 0 || q->nstep < 0) {
    return si_fail(error, SN_EINVAL,
                   "the numbers of rollouts (%lld) and steps (%lld) must not be negative",
                   (long long)q->n, (long long)q->nstep);
  }
  if ((q->initial_mask | q->result_mask) & ~(uint32_t)SN_STATE_INTEGRATION) {
    return si_fail(
        error, SN_EINVAL,
        "initial_mask or result_mask of the rollout request has bits that are not SN_STATE_* "
        "flags");
  }
  if (q->reserved || q->seed) {
    return si_fail(error, SN_EUNSUPPORTED, "reserved and seed of rollouts must be 0");
  }
  return SN_OK;
}

static const si_provider *find_executor(const sn_model *model, const char *name, sn_error *error) {
  name = name ? name : si_engine_selected(model->engine, "executor");
  if (name) {
    return si_engine_find(model->engine, SN_KIND_EXECUTOR, name, error);
  }
  const si_provider *first = si_engine_each(model->engine, SN_KIND_EXECUTOR, 0);
  if (!first) {
    si_fail(error, SN_ENOTFOUND,
            "there is no executor; name a plugin that provides one in section [plugins] of the "
            "configuration");
  }
  return first;
}

// What the executor has written for each task.
static sn_status check_results(const si_provider *p, const sn_job *job, sn_error *error) {
  const int64_t most = job->request->nstep;
  char subject[SI_PROVIDER_TITLE];
  for (int64_t i = 0; i < job->ntask; i++) {
    if (!si_status_is_known(job->status[i]) || job->reached[i] < 0 || job->reached[i] > most) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: after its operation 'run', task %lld has status %d and %lld of %lld "
                     "steps, which cannot be",
                     si_provider_title(p, subject), (long long)i, (int)job->status[i],
                     (long long)job->reached[i], (long long)most);
    }
  }
  return SN_OK;
}

static sn_status run_job(const si_provider *p, sn_job *job, sn_error *error) {
  for (int64_t i = 0; i < job->ntask; i++) {
    job->status[i] = SN_EINVAL;   // of a task that is never run
    job->reached[i] = 0;
  }
  const sn_executor_ops *ops = p->ops;
  si_error_clear(error);   // a failure without a message must not show an earlier one
  const si_call call = si_call_enter(p, "run");
  SN_TRY(si_call_leave(&call, ops->run(p->self, job, error), error));
  return check_results(p, job, error);
}

sn_status sn_rollout(const sn_model *model, sn_rollout_request *request, sn_error *error) {
  rollout r = { .model = model, .failed = ATOMIC_FLAG_INIT, .error = error };
  const sn_rollout_request *q = &r.request;
  SN_TRY(read_request(&r.request, request, error));
  const si_provider *p = find_executor(model, q->executor, error);
  if (!p) {
    return SN_ENOTFOUND;
  }
  const size_t n = q->n > 0 ? (size_t)q->n : 1;
  int32_t *status = q->status ? NULL : malloc(n * sizeof *status);
  int64_t *reached = q->reached ? NULL : malloc(n * sizeof *reached);
  if ((!q->status && !status) || (!q->reached && !reached)) {
    free(status);
    free(reached);
    return si_fail(error, SN_ENOMEM, "out of memory for %lld rollouts", (long long)q->n);
  }
  sn_job job = {
    .size = sizeof job,
    .context = &r,
    .ntask = q->n,
    .results = q->states,
    .nresult = q->states ? q->nstep * sn_state_size(model, q->result_mask) * (int64_t)sizeof(double)
                         : 0,
    .status = q->status ? q->status : status,
    .reached = q->reached ? q->reached : reached,
    .open = open_worker,
    .close = close_worker,
    .run = run_task,
    .model = &model->view,
    .request = q,
  };
  sn_status done = run_job(p, &job, error);
  request->failed = 0;
  for (int64_t i = 0; i < q->n; i++) {
    request->failed += job.status[i] < 0;
  }
  free(status);
  free(reached);
  return si_error_settle(error, done);
}
