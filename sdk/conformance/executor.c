// SPDX-License-Identifier: Apache-2.0
//
// Tests an executor: every task runs once, on a worker that was opened; result and status of a
// task, and how far it came, are its own; if a task fails, the others still run; a job can be
// canceled; workers that cannot be opened are left out.

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"

enum { NTASK = 257, BAD_TASK = 13, GUARD = 16 };   // GUARD: entries around every output

static const unsigned char guard_byte = 0xa5;

typedef struct counters {
  atomic_int opened, closed, runs[NTASK];
  double scale;
  int reject;          // no worker can be opened
  int64_t cancel_at;   // finished tasks
  int64_t last;        // that were reported; progress is reported by one thread at a time
} counters;

static sn_status open_worker(sn_job *job, int64_t index, void **worker) {
  (void)index;
  counters *c = job->context;
  if (c->reject) {
    *worker = NULL;
    return SN_ENOMEM;
  }
  atomic_fetch_add(&c->opened, 1);
  *worker = c;
  return SN_OK;
}

static void close_worker(sn_job *job, void *worker) {
  counters *c = job->context;
  atomic_fetch_add(&c->closed, worker == c);
}

static double truth(int64_t task, double scale) {
  return scale * (double)(task * task) + 0.5;
}

static sn_status run_task(sn_job *job, void *worker, int64_t task, void *result, int64_t *reached) {
  counters *c = job->context;
  double value = worker == c ? truth(task, c->scale) : -1;
  atomic_fetch_add(&c->runs[task], 1);
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

static void judge_all(kit *k, sn_job *job, counters *c, sn_error *error) {
  const sn_executor_ops *ops = k->provider->ops;
  prepare(job, c);
  int64_t workers = KIT_CALL(ops, workers)(k->self);
  sn_status status = KIT_CALL(ops, run)(k->self, job, error);
  int right = status >= 0, once = 1, reported = 1;
  for (int i = 0; i < NTASK; i++) {
    right = right && ((double *)job->results)[i] == truth(i, c->scale);
    once = once && atomic_load(&c->runs[i]) == 1;
    reported = reported && job->status[i] == (i == BAD_TASK ? SN_EDIVERGED : SN_OK) &&
               job->reached[i] == 3 * i;
  }
  kit_check(k, "workers", workers >= 1 && c->opened >= 1 && c->opened == c->closed,
            "%lld workers, %d opened, %d closed", (long long)workers, c->opened, c->closed);
  kit_check(k, "run once", once, "%d tasks", NTASK);
  kit_check(k, "results", right, "result i was written by task i%s%s", status < 0 ? ": " : "",
            status < 0 ? sn_error_message(error) : "");
  kit_check(k, "failures", reported, "status and progress of each task, of which 1 failed");
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
  const int64_t most = c->cancel_at + KIT_CALL(ops, workers)(k->self);
  kit_check(k, "cancel", status >= 0 && c->last >= 5 && run <= most && run + idle == NTASK,
            "canceled after 5 tasks, %lld ran", (long long)run);
  prepare(job, c);
  c->reject = 1;
  job->progress = NULL;
  status = KIT_CALL(ops, run)(k->self, job, error);
  kit_check(k, "no workers", status == SN_ENOMEM && c->closed == 0, "no worker can be opened: %s",
            sn_status_name(status));
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
  sn_job job = { .size = sizeof job,
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
  judge_all(k, &job, &c, error);
  judge_part(k, &job, &c, error);
  const char *outside = !is_kept(output.result, sizeof(double))    ? "results"
                        : !is_kept(output.status, sizeof(int32_t)) ? "status"
                        : !is_kept(output.reached, sizeof(int64_t)) ? "reached"
                                                                    : NULL;
  kit_check(k, "outputs", !outside, "%s%s",
            outside ? "it writes outside of " : "nothing outside of the outputs was written",
            outside ? outside : "");
  sn_error_free(error);
}
