// SPDX-License-Identifier: Apache-2.0
//
// Tests an executor: every task runs once, on a worker that was opened; each result is that of its
// task; a task that fails is counted, and the others still run.

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"

enum { NTASK = 257, BAD_TASK = 13 };

typedef struct counters {
  atomic_int opened, closed, runs[NTASK];
} counters;

static sn_status open_worker(sn_job *job, int64_t index, void **worker, sn_error *error) {
  (void)index;
  (void)error;
  counters *c = job->context;
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

static sn_status run_task(sn_job *job, void *worker, int64_t task, void *result) {
  counters *c = job->context;
  double value = worker == c ? truth(task, *(const double *)job->broadcast) : -1;
  atomic_fetch_add(&c->runs[task], 1);
  memcpy(result, &value, sizeof value);
  return task == BAD_TASK ? SN_EDIVERGED : SN_OK;
}

void kit_executor(kit *k) {
  const sn_executor_ops *ops = k->provider->ops;
  if (!ops->workers || !ops->run) {
    kit_report(k, "operations", KIT_FAILED, "workers or run is missing");
    return;
  }
  static counters c;
  double results[NTASK] = { 0 }, scale = 3;
  int64_t failed = -1;
  memset(&c, 0, sizeof c);
  sn_job job = { .size = sizeof job,
                 .context = &c,
                 .ntask = NTASK,
                 .broadcast = &scale,
                 .nbroadcast = sizeof scale,
                 .results = results,
                 .nresult = sizeof(double),
                 .open = open_worker,
                 .close = close_worker,
                 .run = run_task };
  sn_error *error = sn_error_new();
  int64_t workers = ops->workers(k->self);
  sn_status status = ops->run(k->self, &job, &failed, error);
  int right = status >= 0, once = 1;
  for (int i = 0; i < NTASK; i++) {
    right = right && results[i] == truth(i, scale);
    once = once && atomic_load(&c.runs[i]) == 1;
  }
  kit_check(k, "workers", workers >= 1 && c.opened >= 1 && c.opened == c.closed,
            "%lld workers, %d opened, %d closed", (long long)workers, c.opened, c.closed);
  kit_check(k, "run once", once, "%d tasks", NTASK);
  kit_check(k, "results", right, "result i was written by task i%s%s", status < 0 ? ": " : "",
            status < 0 ? sn_error_message(error) : "");
  kit_check(k, "failures", failed == 1, "1 task failed, the executor counted %lld",
            (long long)failed);
  sn_error_free(error);
}
