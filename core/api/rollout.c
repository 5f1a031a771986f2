// SPDX-License-Identifier: Apache-2.0
//
// Many independent simulations of one model, as tasks of an executor. A task takes its inputs from
// its row of the request and writes its own part of the results, so the results do not depend on
// the executor.
//
// A call needs memory: workers, and arrays with an entry for each task. It keeps them with the
// model, and the next call of the same model takes them, so that a sampling controller, which makes
// many small calls, allocates nothing. Calls at the same time have each their own.

#include "api/rollout.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "api/engine_use.h"
#include "api/rollout_job.h"
#include "base/sized.h"
#include "host/calling.h"
#include "platform/lock.h"

typedef struct batch {
  si_kept kept;
  si_rollout r;
  int64_t ntask;
  int64_t *row;       // ntask: rows that are run, if the request has rows to skip
  int32_t *status;    // ntask
  int64_t *reached;   // ntask
  double *values;     // of the variations of a row, for get_row
  int64_t room[4];    // entries that these arrays have memory for

  si_lock lock;      // of the workers
  si_rollout_worker *idle;   // that no thread has
  int64_t nworker;           // opened in this call
  int64_t nput;              // results that came from other processes
  int64_t nodd;              // closed though they were not open
  // Tasks that were run one by one, and in lanes. An executor may try both ways and then choose.
  _Atomic int64_t alone, together;

  atomic_flag failed;   // a worker that could not be made has filled the error
  sn_error *error;
  si_lock consumer;
  sn_status consumed;   // of consume, if it failed
} batch;

static int64_t row_of(const batch *b, int64_t task) {
  return b->r.q.skip ? b->row[task] : task;
}

// ------------------------------------------------------------------ workers

// An idle worker that suits this request; NULL: there is none. Others are of no use any more.
static si_rollout_worker *take_worker(batch *b) {
  si_rollout_worker *w, *unsuited = NULL;
  si_lock_take(&b->lock);
  b->nworker++;
  while ((w = b->idle)) {
    b->idle = w->next;
    if (si_rollout_worker_suits(&b->r, w)) {
      break;
    }
    w->next = unsuited;
    unsuited = w;
  }
  si_lock_release(&b->lock);
  while (unsuited) {
    si_rollout_worker *next = unsuited->next;
    si_rollout_worker_free(unsuited);
    unsuited = next;
  }
  return w;
}

// A worker that is closed twice must not be in the list twice.
static void keep_worker(batch *b, si_rollout_worker *w) {
  si_lock_take(&b->lock);
  const si_rollout_worker *same = b->idle;
  while (same && same != w) {
    same = same->next;
  }
  if (same) {
    b->nodd++;
  } else {
    w->next = b->idle;
    b->idle = w;
  }
  si_lock_release(&b->lock);
}

// Workers are opened at the same time, so each has an error of its own; the first failure is kept.
static sn_status open_worker(sn_job *job, int64_t index, void **worker) {
  (void)index;
  batch *b = job->context;
  si_rollout_worker *w = take_worker(b);
  *worker = w;
  if (w) {
    return SN_OK;
  }
  sn_error *error = sn_error_new();
  const sn_status status = si_rollout_worker_new(&b->r, &w, error);
  if (status < 0 && !atomic_flag_test_and_set(&b->failed)) {
    si_error_assign(b->error, error);
  }
  sn_error_free(error);
  *worker = w;
  return status;
}

static void close_worker(sn_job *job, void *worker) {
  if (worker) {
    keep_worker(job->context, worker);
  }
}

// ------------------------------------------------------------------ tasks

// Rollouts that a worker runs at a time, in the way in which most of them were run.
static int group_of(const batch *b) {
  return atomic_load(&b->together) > atomic_load(&b->alone) ? SI_LANES : 1;
}

static si_rollout_row inputs_of(const batch *b, int64_t i, double *values) {
  const sn_rollout_request *q = &b->r.q;
  double *to = values;
  for (int64_t k = 0; k < q->nvary; k++) {
    const int64_t n = b->r.vary[k].n;
    memcpy(to, q->vary[k].values + i * n, (size_t)n * sizeof(double));
    to += n;
  }
  const int64_t initial = q->flags & SN_ROLLOUT_SAME_INITIAL ? 0 : i;
  const int64_t control = q->flags & SN_ROLLOUT_SAME_CONTROL ? 0 : i;
  return (si_rollout_row){ .number = q->first + i,
                           .seed = q->seeds ? q->seeds[i] : sn_rollout_seed(q->seed, q->first + i),
                           .initial = q->initial ? q->initial + initial * b->r.ninitial : NULL,
                           .control = q->control ? q->control + control * b->r.ncontrol : NULL,
                           .values = values };
}

static void consume(batch *b, int64_t i, sn_status status, int64_t reached, const double *results) {
  const sn_rollout_request *q = &b->r.q;
  si_lock_take(&b->consumer);
  const sn_status taken = b->consumed < 0 ? b->consumed
                                          : q->consume(q->context, i, status, reached, results);
  if (taken < 0) {
    b->consumed = taken;
    atomic_store(&b->r.canceled, 1);
  }
  si_lock_release(&b->consumer);
}

// Where the results of row i go; own: if the request has no array of them.
static si_rollout_out outputs_of(const batch *b, int64_t i, double *own) {
  const sn_rollout_request *q = &b->r.q;
  return (si_rollout_out){ q->states ? q->states + i * q->nsample * b->r.nstate : NULL,
                           q->results ? q->results + i * q->nresult : own };
}

static void hand_over(batch *b, int64_t i, sn_status status, int64_t reached,
                      const si_rollout_out *out) {
  if (b->r.q.consume && status != SN_ECANCELED) {
    consume(b, i, status, reached, out->results);
  }
}

static sn_status run_task(sn_job *job, void *worker, int64_t task, void *result, int64_t *reached) {
  (void)result;   // it is stored here
  batch *b = job->context;
  si_rollout_worker *w = worker;
  *reached = 0;
  if (task < 0 || task >= b->ntask || !w) {   // a fault of the executor
    return SN_EINVAL;
  }
  const int64_t i = row_of(b, task);
  const si_rollout_row row = inputs_of(b, i, w->values);
  const si_rollout_out out = outputs_of(b, i, w->results);
  const sn_status status = si_rollout_run(&b->r, w, &row, &out, reached);
  atomic_fetch_add(&b->alone, 1);
  hand_over(b, i, status, *reached, &out);
  return status;
}

// Up to SI_LANES tasks in lanes. False: there is no memory for several at a time.
static int run_in_lanes(sn_job *job, si_rollout_worker *w, int64_t task, int n) {
  batch *b = job->context;
  si_rollout_row row[SI_LANES];
  si_rollout_out out[SI_LANES];
  if (!si_rollout_make_group(&b->r, w)) {
    return 0;
  }
  atomic_fetch_add(&b->together, n);
  for (int k = 0; k < n; k++) {
    const int64_t i = row_of(b, task + k);
    row[k] = inputs_of(b, i, w->values + k * b->r.nvalue);
    out[k] = outputs_of(b, i, k == 0 ? w->results : w->others + (k - 1) * b->r.q.nresult);
  }
  si_rollout_run_group(&b->r, w, n, row, out, job->status + task, job->reached + task);
  for (int k = 0; k < n; k++) {
    hand_over(b, row_of(b, task + k), job->status[task + k], job->reached[task + k], &out[k]);
  }
  return 1;
}

static void run_group(sn_job *job, void *worker, int64_t task, int64_t n) {
  const batch *b = job->context;
  if (task < 0 || n < 0 || n > b->ntask - task || !worker) {   // a fault of the executor
    return;
  }
  for (int64_t k = task, end = task + n, count; k < end; k += count) {
    count = end - k < job->group ? end - k : job->group;
    if (count > 1 && run_in_lanes(job, worker, k, (int)count)) {
      continue;
    }
    for (int64_t i = k; i < k + count; i++) {
      job->status[i] = run_task(job, worker, i, NULL, &job->reached[i]);
    }
  }
}

// ------------------------------------------------------------------ tasks of other processes

static sn_status describe(sn_job *job, sn_sink *sink, sn_error *error) {
  const batch *b = job->context;
  return si_rollout_describe(&b->r, b->ntask, sink, error);
}

static void get_row(sn_job *job, int64_t task, void *row) {
  batch *b = job->context;
  const si_rollout_row inputs = inputs_of(b, row_of(b, task), b->values);
  si_rollout_put_row(&b->r, &inputs, row);
}

static void put(sn_job *job, int64_t task, sn_status status, int64_t reached, const void *results) {
  batch *b = job->context;
  const sn_rollout_request *q = &b->r.q;
  if (task < 0 || task >= b->ntask) {   // a fault of the executor
    return;
  }
  const int64_t i = row_of(b, task), nstates = q->nsample * b->r.nstate;
  const double *from = results;
  job->status[task] = status;
  job->reached[task] = reached;
  b->nput++;
  if (q->states && nstates > 0) {
    memcpy(q->states + i * nstates, from, (size_t)nstates * sizeof(double));
    from += nstates;
  }
  if (q->results && q->nresult > 0) {
    memcpy(q->results + i * q->nresult, from, (size_t)q->nresult * sizeof(double));
  }
  if (q->consume && status != SN_ECANCELED) {
    consume(b, i, status, reached, from);
  }
}

// ------------------------------------------------------------------ progress

static int32_t progress(sn_job *job, int64_t done) {
  batch *b = job->context;
  const sn_rollout_request *q = &b->r.q;
  if (q->progress && q->progress(q->context, done, b->ntask)) {
    atomic_store(&b->r.canceled, 1);
  }
  return si_rollout_is_canceled(&b->r);
}

// ------------------------------------------------------------------ the executor

static const si_provider *find_executor(const sn_model *model, const char *name, sn_error *error) {
  name = name ? name : si_engine_selected(model->engine, "executor");
  if (name) {
    return si_engine_find(model->engine, SN_KIND_EXECUTOR, name, error);
  }
  const si_provider *first = si_engine_each(model->engine, SN_KIND_EXECUTOR, 0);
  if (!first) {
    si_fail(error, SN_ENOTFOUND,
            "there is no executor; add a plugin that provides one to section [plugins] of the "
            "configuration");
  }
  return first;
}

// Steps of a task until it is run.
enum { NOT_RUN = -1 };

// The first task that was not run, -1: none. Each of them has reached no step.
static int64_t settle_not_run(const sn_job *job) {
  int64_t first = -1;
  for (int64_t i = job->ntask; i-- > 0;) {
    if (job->status[i] == SN_ECANCELED && job->reached[i] == NOT_RUN) {
      job->reached[i] = 0;
      first = i;
    }
  }
  return first;
}

// What the executor has written for each task. left: the first that was not run, -1: none.
static sn_status check_results(const si_provider *p, const sn_job *job, int64_t left,
                               sn_error *error) {
  const int64_t most = job->request->nstep;
  const batch *b = job->context;
  char subject[SI_PROVIDER_TITLE];
  if (b->nodd > 0) {
    return si_fail(error, SN_EPLUGIN, "%s: its operation 'run' closed a worker that was not open",
                   si_provider_title(p, subject));
  }
  if (left >= 0 && !si_rollout_is_canceled(&b->r)) {
    return si_fail(error, SN_EPLUGIN,
                   "%s: its operation 'run' reported no error, but task %lld was not run",
                   si_provider_title(p, subject), (long long)left);
  }
  for (int64_t i = 0; i < job->ntask; i++) {
    if (!si_status_is_known(job->status[i]) || job->reached[i] < 0 || job->reached[i] > most) {
      return si_fail(
          error, SN_EPLUGIN,
          "%s: after its operation 'run', task %lld has status %d and %lld of %lld steps, which is "
          "impossible",
          si_provider_title(p, subject), (long long)i, (int)job->status[i],
          (long long)job->reached[i], (long long)most);
    }
  }
  return SN_OK;
}

static sn_status run_job(const si_provider *p, sn_job *job, sn_error *error) {
  for (int64_t i = 0; i < job->ntask; i++) {
    job->status[i] = SN_ECANCELED;   // of a task that is never run
    job->reached[i] = NOT_RUN;
  }
  const sn_executor_ops *ops = p->ops;
  si_error_clear(error);   // a failure without a message must not show an earlier one
  const si_call call = si_call_enter(p, "run");
  const sn_status status = si_call_leave(&call, ops->run(p->self, job, error), error);
  const int64_t left = settle_not_run(job);
  return status < 0 ? status : check_results(p, job, left, error);
}

// ------------------------------------------------------------------ all of it

static sn_status choose_rows(batch *b, sn_error *error) {
  const sn_rollout_request *q = &b->r.q;
  b->ntask = q->n;
  if (!q->skip) {
    return SN_OK;
  }
  if (!si_rollout_room(&b->row, &b->room[0], q->n, sizeof *b->row)) {
    return si_fail(error, SN_ENOMEM, "out of memory for %lld rollouts", (long long)q->n);
  }
  b->ntask = 0;
  for (int64_t i = 0; i < q->n; i++) {
    if (!q->skip[i]) {
      b->row[b->ntask++] = i;
    }
  }
  return SN_OK;
}

// Rollouts that ran at the same time. Of other processes only the executor knows it.
static int64_t count_workers(const batch *b, const si_provider *p) {
  const sn_executor_ops *ops = p->ops;
  if (b->ntask == 0 || b->nput == 0) {
    return b->ntask == 0 ? 0 : b->nworker * group_of(b);
  }
  const si_call call = si_call_enter(p, "workers");
  const int64_t n = ops->workers(p->self);
  return si_call_leave(&call, SN_OK, NULL) < 0 ? b->nworker : n;
}

// The statuses of tasks are those of their rows.
static void report(const batch *b, const si_provider *p, const sn_job *job,
                   sn_rollout_request *request) {
  const sn_rollout_request *q = &b->r.q;
  int64_t done = 0, failed = 0;
  for (int64_t task = 0; task < b->ntask; task++) {
    const int64_t i = row_of(b, task);
    const sn_status status = job->status[task];
    done += status != SN_ECANCELED;
    failed += status < 0 && status != SN_ECANCELED;
    if (status == SN_ECANCELED) {
      const si_rollout_out out = outputs_of(b, i, NULL);
      si_rollout_leave_samples(&b->r, job->reached[task] / q->every, &out);
    }
    if (q->status) {
      q->status[i] = status;
    }
    if (q->reached) {
      q->reached[i] = job->reached[task];
    }
  }
  request->failed = failed;
  if (SN_HAS(request, done)) {
    request->done = done;
  }
  if (SN_HAS(request, nworker)) {
    request->nworker = count_workers(b, p);
  }
}

static sn_status check_arrays(const si_rollout *r, sn_error *error) {
  for (int64_t k = 0; k < r->q.nvary; k++) {
    if (!r->q.vary[k].values && r->q.n > 0 && r->vary[k].n > 0) {
      return si_fail(error, SN_EINVAL, "variation '%s' of the rollout request has no values",
                     r->q.vary[k].name);
    }
  }
  return SN_OK;
}

static sn_status run_batch(batch *b, sn_rollout_request *request, sn_error *error) {
  const sn_model *model = b->r.model;
  SN_TRY(check_arrays(&b->r, error));
  const si_provider *p = find_executor(model, b->r.q.executor, error);
  if (!p) {
    return SN_ENOTFOUND;
  }
  SN_TRY(choose_rows(b, error));
  if (!si_rollout_room(&b->status, &b->room[1], b->ntask, sizeof *b->status) ||
      !si_rollout_room(&b->reached, &b->room[2], b->ntask, sizeof *b->reached) ||
      !si_rollout_room(&b->values, &b->room[3], b->r.nvalue, sizeof *b->values)) {
    return si_fail(error, SN_ENOMEM, "out of memory for %lld rollouts", (long long)b->ntask);
  }
  sn_job job = { .size = sizeof job,
                 .context = b,
                 .ntask = b->ntask,
                 .status = b->status,
                 .reached = b->reached,
                 .open = open_worker,
                 .close = close_worker,
                 .run = run_task,
                 .progress = progress,
                 .model = &model->view,
                 .request = &b->r.q,
                 .row_bytes = si_rollout_row_bytes(&b->r),
                 .result_bytes = si_rollout_result_bytes(&b->r),
                 .describe = describe,
                 .get_row = get_row,
                 .put = put,
                 .run_group = run_group,
                 .group = si_rollout_in_lanes(&b->r) ? SI_LANES : 1 };
  const sn_status done = run_job(p, &job, error);
  report(b, p, &job, request);
  return done < 0 ? done : b->consumed;
}

static void free_batch(si_kept *kept) {
  batch *b = (batch *)kept;
  while (b->idle) {
    si_rollout_worker *next = b->idle->next;
    si_rollout_worker_free(b->idle);
    b->idle = next;
  }
  si_lock_close(&b->lock);
  si_lock_close(&b->consumer);
  si_rollout_free(&b->r);
  free(b->row);
  free(b->status);
  free(b->reached);
  free(b->values);
  free(b);
}

static batch *new_batch(void) {
  batch *b = calloc(1, sizeof *b);
  if (b) {
    b->kept.free = free_batch;
    si_lock_open(&b->lock);
    si_lock_open(&b->consumer);
  }
  return b;
}

sn_status sn_rollout(const sn_model *model, sn_rollout_request *request, sn_error *error) {
  batch *b = (batch *)si_model_take(model);
  b = b ? b : new_batch();
  if (!b) {
    return si_fail(error, SN_ENOMEM, "out of memory for rollouts");
  }
  b->error = error;
  b->nworker = b->nput = b->nodd = b->ntask = 0;
  atomic_store(&b->alone, 0);
  atomic_store(&b->together, 0);
  b->consumed = SN_OK;
  atomic_flag_clear(&b->failed);
  sn_status status = si_rollout_read(&b->r, model, request, error);
  status = status < 0 ? status : run_batch(b, request, error);
  const int64_t bytes = si_rollout_workers_settle(&b->r, b->idle, group_of(b));
  if (request && SN_HAS(request, worker_bytes)) {
    request->worker_bytes = b->nworker > 0 && b->ntask > 0 ? bytes : 0;
  }
  b->error = NULL;
  si_model_keep(model, &b->kept);
  return si_error_settle(error, status);
}

sn_status sn_rollout_serve(sn_engine *engine, const char *executor, int32_t *served,
                           sn_error *error) {
  *served = 0;
  si_error_clear(error);
  const si_provider *p = NULL;
  SN_TRY(si_engine_provider_used(engine, SN_KIND_EXECUTOR, executor, &p, error));
  const sn_executor_ops *ops = p->ops;
  if (!ops->serve) {
    return SN_OK;
  }
  const si_call call = si_call_enter(p, "serve");
  SN_TRY(si_call_leave(&call, ops->serve(p->self, served, error), error));
  if (*served != 0 && *served != 1) {
    const int32_t odd = *served;
    char subject[SI_PROVIDER_TITLE];
    *served = 0;
    return si_fail(error, SN_EPLUGIN,
                   "%s: its operation 'serve' set *served to %d; it must be 0 or 1",
                   si_provider_title(p, subject), (int)odd);
  }
  return SN_OK;
}
