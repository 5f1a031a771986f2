// SPDX-License-Identifier: Apache-2.0
//
// Executor "serial": one worker, which runs the tasks in order on the calling thread. It is the
// reference for other executors.

#include <stddef.h>

#include "sinew/executor.h"

static int64_t serial_workers(const void *self) {
  (void)self;
  return 1;
}

static sn_status serial_run(const void *self, sn_job *job, sn_error *error) {
  (void)self, (void)error;
  void *worker = NULL;
  SN_TRY(job->open(job, 0, &worker));
  uint8_t *results = job->results;
  for (int64_t task = 0; task < job->ntask; task++) {
    void *result = results ? results + task * job->nresult : NULL;
    job->status[task] = job->run(job, worker, task, result, &job->reached[task]);
    if (job->progress && job->progress(job, task + 1)) {
      break;
    }
  }
  job->close(job, worker);
  return SN_OK;
}

static const sn_executor_ops serial_ops = {
  .head = { .size = sizeof(sn_executor_ops), .summary = "one task after another" },
  .workers = serial_workers,
  .run = serial_run,
};

static const sn_provide provides[] = {
  SN_PROVIDE_EXECUTOR("serial", &serial_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.serial", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "runs rollouts on the calling thread", .provides = provides)
