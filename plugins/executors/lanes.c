// SPDX-License-Identifier: Apache-2.0
//
// Executor "lanes": one worker on the calling thread, as "serial", which runs several tasks
// together where the host can: sn_job.run_group.

#include <stddef.h>

#include "sinew/executor.h"

static int64_t lanes_workers(const void *self) {
  (void)self;
  return 1;
}

// Tasks from this one on that are run together.
static int64_t group_at(const sn_job *job, int64_t task) {
  const int64_t rest = job->ntask - task;
  const int can = SN_HAS(job, group) && job->run_group && !job->results && job->group > 1;
  return !can ? 1 : rest < job->group ? rest : job->group;
}

static void run(sn_job *job, void *worker, int64_t task, int64_t n) {
  uint8_t *results = job->results;
  if (n > 1) {
    job->run_group(job, worker, task, n);
  } else {
    void *result = results ? results + task * job->nresult : NULL;
    job->status[task] = job->run(job, worker, task, result, &job->reached[task]);
  }
}

static sn_status lanes_run(const void *self, sn_job *job, sn_error *error) {
  (void)self, (void)error;
  void *worker = NULL;
  SN_TRY(job->open(job, 0, &worker));
  for (int64_t task = 0, n; task < job->ntask; task += n) {
    n = group_at(job, task);
    run(job, worker, task, n);
    if (job->progress && job->progress(job, task + n)) {
      break;
    }
  }
  job->close(job, worker);
  return SN_OK;
}

static const sn_executor_ops lanes_ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "several tasks at once, in the lanes of vector instructions" },
  .workers = lanes_workers,
  .run = lanes_run,
};

static const sn_provide provides[] = {
  SN_PROVIDE_EXECUTOR("lanes", &lanes_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.lanes", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "runs several rollouts at once on the calling thread", .provides = provides)
