// SPDX-License-Identifier: Apache-2.0
//
// Tests an executor: every task runs once, on a worker that was opened; result and status of a
// task, and how far it came, are its own; if a task fails, the others still run; a job can be
// canceled; workers that cannot be opened are left out. All declared workers run at the same time;
// progress is reported by one thread at a time; several jobs may run at once.

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit.h"

// GUARD: entries around every output. QUIET: ms, after which no other thread is expected
enum { NTASK = 257, BAD_TASK = 13, GUARD = 16, JOBS = 300, QUIET = 200 };

static const unsigned char guard_byte = 0xa5;

enum { REJECT_NONE, REJECT_ALL, REJECT_FIRST, REJECT_OTHERS };

typedef struct counters {
  atomic_int opened, closed, runs[NTASK];
  double scale;
  int reject;          // which workers cannot be opened, REJECT_*
  int64_t cancel_at;   // finished tasks
  int64_t last;        // that were reported
  // tasks wait until this number of workers is open, or a time has passed
  int meeting;
  atomic_int met;   // of them, when the time had passed
  int holding;      // the first task of every worker but the first waits for the end of `run`
  atomic_int returned, ended;   // has `run`; so many tasks
  atomic_char held[NTASK];      // workers
  atomic_int gave_up, running, reporting, overlaps;
  atomic_int indices[NTASK], odd_indices;   // of workers: how often each was opened
  atomic_int odd_results;                   // `result` where there are no results
  char who[NTASK];                          // worker i is &who[i]
} counters;

static sn_status open_worker(sn_job *job, int64_t index, void **worker) {
  counters *c = job->context;
  if (c->reject == REJECT_ALL || (c->reject == REJECT_FIRST && index == 0) ||
      (c->reject == REJECT_OTHERS && index != 0)) {
    *worker = NULL;
    return SN_ENOMEM;
  }
  if (index < 0 || index >= NTASK || atomic_fetch_add(&c->indices[index], 1) > 0) {
    atomic_fetch_add(&c->odd_indices, 1);
  }
  atomic_fetch_add(&c->opened, 1);
  *worker = &c->who[index < 0 || index >= NTASK ? 0 : index];
  return SN_OK;
}

static int is_worker(const counters *c, const char *worker) {
  return worker >= c->who && worker < c->who + NTASK;
}

static void close_worker(sn_job *job, void *worker) {
  counters *c = job->context;
  atomic_fetch_add(&c->closed, is_worker(c, worker));
}

static double truth(int64_t task, double scale) {
  return scale * (double)(task * task) + 0.5;
}

// Waits for the other workers.
static void meet(counters *c) {
  enum { LONGEST = 2000 };   // ms
  for (int i = 0; atomic_load(&c->opened) < c->meeting && !atomic_load(&c->gave_up); i++) {
    usleep(1000);
    if (i == LONGEST) {
      atomic_store(&c->met, atomic_load(&c->opened));
      atomic_store(&c->gave_up, 1);
    }
  }
}

// A task that ends when `run` has returned, which it must not, or when no other task has ended for
// a while: then `run` waits for this one.
static void hold(counters *c, const char *worker) {
  if (!c->holding || !is_worker(c, worker) || worker == c->who ||
      atomic_exchange(&c->held[worker - c->who], 1)) {
    return;
  }
  int before = -1;
  for (int quiet = 0; quiet < QUIET && !atomic_load(&c->returned); quiet++) {
    const int ended = atomic_load(&c->ended);
    quiet = ended == before ? quiet : 0;
    before = ended;
    usleep(1000);
  }
}

static sn_status run_task(sn_job *job, void *worker, int64_t task, void *result, int64_t *reached) {
  counters *c = job->context;
  double value = is_worker(c, worker) ? truth(task, c->scale) : -1;
  atomic_fetch_add(&c->running, 1);
  meet(c);
  hold(c, worker);
  sched_yield();   // so that the workers take tasks at the same time
  atomic_fetch_sub(&c->running, 1);
  atomic_fetch_add(&c->runs[task], 1);
  atomic_fetch_add(&c->ended, 1);
  *reached = 3 * task;
  memcpy(result, &value, sizeof value);
  return task == BAD_TASK ? SN_EDIVERGED : SN_OK;
}

static void prepare(const sn_job *job, counters *c) {
  memset(c, 0, sizeof *c);
  c->scale = 3;
  for (int i = 0; i < NTASK; i++) {
    ((double *)job->results)[i] = 0;
    job->status[i] = SN_EINVAL;
    job->reached[i] = -1;
  }
}

static int all_ran_once(const counters *c) {
  int once = 1;
  for (int i = 0; i < NTASK; i++) {
    once = once && atomic_load(&c->runs[i]) == 1;
  }
  return once;
}

// That can be told apart.
static int count_workers(const kit *k) {
  const sn_executor_ops *ops = k->provider->ops;
  const int64_t workers = KIT_CALL(ops, workers)(k->self);
  return (int)(workers < NTASK ? workers : NTASK);
}

// A job whose tasks wait for all workers, and then those of all workers but the first for its end.
// False: `run` returned too early, and its threads may still use the job.
static int judge_end(kit *k, sn_job *job, counters *c, sn_error *error) {
  enum { LONGEST = 2000 };   // ms
  const sn_executor_ops *ops = k->provider->ops;
  prepare(job, c);
  c->meeting = count_workers(k);
  c->holding = 1;
  KIT_CALL(ops, run)(k->self, job, error);
  const int running = atomic_load(&c->running), closed = atomic_load(&c->closed);
  const int opened = atomic_load(&c->opened), ended = running == 0 && closed == opened;
  atomic_store(&c->returned, 1);
  kit_require(k, "end of run", ended, "when run returns, no task runs and all workers are closed",
              "when run returned, %d tasks ran and %d workers were not closed; wait for them",
              running, opened - closed);
  for (int i = 0; running > 0 && i < LONGEST && atomic_load(&c->closed) < opened; i++) {
    usleep(1000);
  }
  return running == 0;
}

static void judge_all(kit *k, sn_job *job, counters *c, sn_error *error) {
  const sn_executor_ops *ops = k->provider->ops;
  prepare(job, c);
  int64_t workers = KIT_CALL(ops, workers)(k->self);
  sn_status status = KIT_CALL(ops, run)(k->self, job, error);
  int right = 0, reported = 0, runs = 0;   // tasks from 0 on whose results, reports, runs are right
  for (int i = 0; i < NTASK; i++) {
    right += right == i && ((double *)job->results)[i] == truth(i, c->scale);
    reported += reported == i && job->status[i] == (i == BAD_TASK ? SN_EDIVERGED : SN_OK) &&
                job->reached[i] == 3 * i;
    runs += runs == i && atomic_load(&c->runs[i]) == 1;
  }
  kit_check(k, "workers", workers >= 1 && c->opened >= 1 && c->opened == c->closed,
            "%lld workers, %d opened, %d closed", (long long)workers, c->opened, c->closed);
  kit_require(k, "run once", runs == NTASK, "each task ran once",
              "task %d of %d ran %d times; each must run once", runs, NTASK,
              atomic_load(&c->runs[runs % NTASK]));
  kit_require(k, "results", right == NTASK && status >= 0, "result i was written by task i",
              "result %d of %d is not that of task %d%s%s", right % NTASK, NTASK, right % NTASK,
              status < 0 ? "; run failed: " : "", status < 0 ? sn_error_message(error) : "");
  kit_require(
      k, "failures", reported == NTASK, "status and progress of each task, of which 1 failed",
      "task %d has status %d and reached %lld; what its run returned was %d and %lld",
      reported % NTASK, job->status[reported % NTASK], (long long)job->reached[reported % NTASK],
      reported == BAD_TASK ? SN_EDIVERGED : SN_OK, 3LL * reported);
}

static int32_t count_progress(sn_job *job, int64_t done) {
  counters *c = job->context;
  if (atomic_fetch_add(&c->reporting, 1) > 0 || done != c->last + 1) {
    atomic_fetch_add(&c->overlaps, 1);
  }
  // the first report waits for another, which must not come
  for (int i = 0; done == 1 && i < QUIET && atomic_load(&c->overlaps) == 0; i++) {
    usleep(1000);
  }
  c->last++;
  atomic_fetch_sub(&c->reporting, 1);
  return 0;
}

// A job whose tasks wait for all workers, and whose first report waits for another.
static void judge_together(kit *k, sn_job *job, counters *c, sn_error *error) {
  const sn_executor_ops *ops = k->provider->ops;
  const int64_t workers = KIT_CALL(ops, workers)(k->self);
  prepare(job, c);
  c->meeting = count_workers(k);
  job->progress = count_progress;
  KIT_CALL(ops, run)(k->self, job, error);
  kit_check(k, "at the same time", !c->gave_up && c->opened == c->meeting,
            "workers returns %lld, %d were open at the same time", (long long)workers,
            c->gave_up ? c->met : c->opened);
  kit_check(k, "indices of workers", c->odd_indices == 0,
            "%d workers had an index that is out of range or used by another", c->odd_indices);
  kit_require(k, "progress", c->overlaps == 0 && c->last == NTASK,
              "it is reported after each task by one thread at a time",
              "it is reported after each task by one thread at a time; %d of %d reports were not",
              c->overlaps ? c->overlaps : (int)(NTASK - c->last), NTASK);
  job->progress = NULL;
}

// Some of the workers cannot be opened: the others do all tasks.
static void judge_remaining(kit *k, sn_job *job, counters *c, sn_error *error) {
  static const char *const which[] = {
    [REJECT_FIRST] = "worker 0", [REJECT_OTHERS] = "all workers but the first"
  };
  const sn_executor_ops *ops = k->provider->ops;
  if (KIT_CALL(ops, workers)(k->self) < 2) {
    return;
  }
  for (int reject = REJECT_FIRST; reject <= REJECT_OTHERS; reject++) {
    sn_status status = SN_OK;
    int once = 1;
    for (int i = 0; i < JOBS && status >= 0 && once; i++) {
      prepare(job, c);
      c->reject = reject;
      status = KIT_CALL(ops, run)(k->self, job, error);
      once = all_ran_once(c);
    }
    kit_check(k, "remaining workers", status >= 0 && once,
              "%s cannot be opened; the others must run all tasks: %s", which[reject],
              status < 0 ? sn_status_name(status)
              : once     ? "done"
                         : "not all ran");
  }
}

// Results of other sizes: none, which the host stores itself, and three numbers.
static sn_status run_sized(sn_job *job, void *worker, int64_t task, void *result,
                           int64_t *reached) {
  (void)reached;
  counters *c = job->context;
  (void)worker;
  char *expected = job->results ? (char *)job->results + task * job->nresult : NULL;
  // other memory than that of the results is allowed, but none where there are no results
  if (!expected && result) {
    atomic_fetch_add(&c->odd_results, 1);
  }
  for (int64_t i = 0; result && i < job->nresult / 8; i++) {
    ((double *)result)[i] = truth(task, (double)(i + 1));
  }
  return SN_OK;
}

static void judge_sizes(kit *k, sn_job *job, counters *c, sn_error *error) {
  enum { WIDTH = 3 };
  const sn_executor_ops *ops = k->provider->ops;
  const sn_job kept = *job;
  double results[NTASK * WIDTH];
  prepare(job, c);
  memset(results, 0, sizeof results);
  job->run = run_sized;
  job->results = results;
  job->nresult = WIDTH * 8;
  const int threads = kit_threads();
  sn_status status = KIT_CALL(ops, run)(k->self, job, error);
  const int left = kit_threads_more(threads), again = kit_threads();
  int right = status >= 0;
  for (int i = 0; i < NTASK * WIDTH; i++) {
    right = right && results[i] == truth(i / WIDTH, i % WIDTH + 1);
  }
  job->results = NULL;
  job->nresult = 0;
  status = KIT_CALL(ops, run)(k->self, job, error);
  if (left && kit_threads_more(again)) {   // once may be a pool, which is kept
    kit_report(k, "process", KIT_FAILED,
               "each call of run leaves a thread behind; end it before returning");
  }
  kit_require(
      k, "results", right && status >= 0 && c->odd_results == 0,
      "results of 24 bytes, and a job without results, for which `result` is NULL",
      !right ? "results of 24 bytes (nresult) are wrong; task i writes to results + i * nresult"
      : status < 0 ? "a job without results (results NULL) fails"
                   : "in a job without results, run of the job got a `result` that is not NULL");
  *job = kept;
}

// Several threads call `run` at the same time, many times.
typedef struct many_jobs {
  kit *k;
  sn_job job;
  counters count;
  double results[NTASK];
  int32_t status[NTASK];
  int64_t reached[NTASK];
  int wrong;
} many_jobs;

static void *run_many(void *argument) {
  many_jobs *m = argument;
  const sn_executor_ops *ops = m->k->provider->ops;
  sn_error *error = sn_error_new();
  for (int i = 0; i < JOBS; i++) {
    prepare(&m->job, &m->count);
    const sn_status status = ops->run(m->k->self, &m->job, error);
    int right = status >= 0 && all_ran_once(&m->count);
    for (int task = 0; task < NTASK; task++) {
      right = right && m->results[task] == truth(task, m->count.scale);
    }
    m->wrong += !right;
  }
  sn_error_free(error);
  return NULL;
}

static void judge_many(kit *k, const sn_job *job) {
  enum { THREADS = 3 };
  static many_jobs m[THREADS];
  pthread_t thread[THREADS];
  int started = 0, wrong = 0;
  kit_note_operation("run");
  for (int i = 0; i < THREADS; i++) {
    m[i].k = k;
    m[i].wrong = 0;
    m[i].job = *job;
    m[i].job.context = &m[i].count;
    m[i].job.results = m[i].results;
    m[i].job.status = m[i].status;
    m[i].job.reached = m[i].reached;
    started += pthread_create(&thread[started], NULL, run_many, &m[i]) == 0;
  }
  for (int i = 0; i < started; i++) {
    pthread_join(thread[i], NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    wrong += m[i].wrong;
  }
  kit_check(k, "several jobs", wrong == 0,
            "%d threads at once run %d jobs each; %d of them have wrong results", started, JOBS,
            wrong);
}

static int32_t cancel(sn_job *job, int64_t done) {
  counters *c = job->context;
  c->last = done == c->last + 1 ? done : -1;
  return done >= c->cancel_at;
}

// A job that is canceled, and one whose workers cannot be opened.
static void judge_part(kit *k, sn_job *job, counters *c, sn_error *error) {
  const sn_executor_ops *ops = k->provider->ops;
  prepare(job, c);
  c->cancel_at = 5;
  job->progress = cancel;
  sn_status status = KIT_CALL(ops, run)(k->self, job, error);
  int64_t run = 0, idle = 0;
  for (int i = 0; i < NTASK; i++) {
    run += atomic_load(&c->runs[i]);
    idle += job->status[i] == SN_EINVAL;
  }
  // a worker may have begun another task before the others are stopped
  const int64_t most = c->cancel_at + count_workers(k);
  kit_check(k, "cancel", status >= 0 && c->last >= 5 && run <= most && run + idle == NTASK,
            "canceled after 5 tasks, %lld ran, at most %lld are allowed; %lld of the others keep "
            "their status",
            (long long)run, (long long)most, (long long)idle);
  prepare(job, c);
  c->reject = REJECT_ALL;
  job->progress = NULL;
  status = KIT_CALL(ops, run)(k->self, job, error);
  kit_check(k, "no workers", status == SN_ENOMEM && c->closed == 0,
            "open fails with SN_ENOMEM for every worker: run returns %s, and %d workers are closed",
            sn_status_name(status), c->closed);
}

// In this process, which no other one has started, there is nothing to serve.
static void judge_serve(kit *k, sn_error *error) {
  const sn_executor_ops *ops = k->provider->ops;
  if (!ops->serve) {
    return;
  }
  int32_t served[2 * GUARD + 1];
  memset(served, guard_byte, sizeof served);
  served[GUARD] = 0;
  const sn_status status = KIT_CALL(ops, serve)(k->self, &served[GUARD], error);
  const int32_t got = served[GUARD];
  memset(&served[GUARD], guard_byte, sizeof *served);
  int inside = 1;
  for (int i = 0; i < 2 * GUARD + 1; i++) {
    inside = inside && memcmp(&served[i], &served[GUARD], sizeof *served) == 0;
  }
  if (status < 0 || status > SN_MORE) {
    kit_report(k, "serve", KIT_FAILED,
               "serve returns %d (%s) in the only process; it must be SN_OK", (int)status,
               sn_status_name(status));
  } else {
    kit_require(k, "serve", inside && got == 0, "in the only process it returns at once",
                !inside ? "serve writes outside of *served, which it set to %d"
                        : "serve sets *served to %d; in the only process it must be 0",
                (int)got);
  }
}

// Whether nothing was written around an array of NTASK entries.
static int is_kept(const void *array, size_t entry) {
  const unsigned char *start = array, *end = start + (GUARD + NTASK) * entry;
  for (size_t i = 0; i < GUARD * entry; i++) {
    if (start[i] != guard_byte || end[i] != guard_byte) {
      return 0;
    }
  }
  return 1;
}

void kit_executor(kit *k) {
  const sn_executor_ops *ops = k->provider->ops;
  if (!ops->workers || !ops->run) {
    kit_report(k, "operations", KIT_FAILED, "workers or run is missing");
    return;
  }
  static counters c;
  static struct {
    double result[NTASK + 2 * GUARD];
    int32_t status[NTASK + 2 * GUARD];
    int64_t reached[NTASK + 2 * GUARD];
  } output;
  memset(&output, guard_byte, sizeof output);
  static sn_job job;   // as the outputs, for threads that outlive `run`
  job = (sn_job){ .size = sizeof job,
                  .context = &c,
                  .ntask = NTASK,
                  .nresult = sizeof(double),
                  .results = output.result + GUARD,
                  .status = output.status + GUARD,
                  .reached = output.reached + GUARD,
                  .open = open_worker,
                  .close = close_worker,
                  .run = run_task };
  sn_error *error = sn_error_new();
  if (!judge_end(k, &job, &c, error)) {
    sn_error_free(error);
    return;
  }
  judge_all(k, &job, &c, error);
  judge_part(k, &job, &c, error);
  judge_together(k, &job, &c, error);
  judge_remaining(k, &job, &c, error);
  judge_sizes(k, &job, &c, error);
  judge_many(k, &job);
  judge_serve(k, error);
  const char *outside = !is_kept(output.result, sizeof(double))    ? "results"
                        : !is_kept(output.status, sizeof(int32_t)) ? "status"
                        : !is_kept(output.reached, sizeof(int64_t)) ? "reached"
                                                                    : NULL;
  kit_check(k, "outputs", !outside, "%s%s",
            outside ? "it writes outside of " : "nothing outside of the outputs was written",
            outside ? outside : "");
  sn_error_free(error);
}
