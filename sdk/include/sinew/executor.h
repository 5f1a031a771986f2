// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.executor/1: runs many independent tasks. Task i has the same result on any executor.

#ifndef SINEW_EXECUTOR_H
#define SINEW_EXECUTOR_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_EXECUTOR "sinew.executor/1"

typedef struct sn_job sn_job;
struct sn_job {
  uint32_t size;
  uint32_t reserved;
  void *context;                    // of the host
  int64_t ntask;
  const void *broadcast;            // the same bytes for every worker; an executor that spans
  int64_t nbroadcast;               // processes sends them along. sn_rollout has none: NULL, 0
  void *results;                    // ntask x nresult bytes, written by the tasks
  int64_t nresult;
  // Called once for each worker, on the worker; NULL worker on failure.
  sn_status (*open)(sn_job *job, int64_t index, void **worker, sn_error *error);
  void (*close)(sn_job *job, void *worker);
  // Runs one task on a worker. A failed task is recorded and never ends the batch.
  sn_status (*run)(sn_job *job, void *worker, int64_t task, void *result);
  // Called between tasks; non-zero: cancel what has not started. May be NULL.
  int32_t (*progress)(sn_job *job, int64_t done);
};
SN_LAYOUT(sn_job, 88);

typedef struct sn_executor_ops {
  sn_ops head;
  int64_t (*workers)(const void *self);   // [any]
  // [any] Returns when every task has run or was cancelled; `failed` counts those that failed.
  sn_status (*run)(const void *self, sn_job *job, int64_t *failed, sn_error *error);
} sn_executor_ops;
SN_LAYOUT(sn_executor_ops, 56);

SN_END_DECLS

#endif
