// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.executor/1: runs many independent tasks, for example on a pool of threads or on
// several machines. The host describes the tasks in an sn_job; the executor creates its workers,
// distributes the tasks among them and collects the results. The result of a task must not depend
// on the executor, on the number of workers or on the order of the tasks.

#ifndef SINEW_EXECUTOR_H
#define SINEW_EXECUTOR_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_EXECUTOR "sinew.executor/1"

typedef struct sn_job sn_job;
struct sn_job {
  uint32_t size;
  uint32_t reserved;
  void *context;                    // belongs to the host
  int64_t ntask;                    // number of tasks
  const void *broadcast;            // nbroadcast bytes that every worker needs; an executor with
  int64_t nbroadcast;               // several processes sends them to each. sn_rollout: NULL, 0
  void *results;                    // ntask x nresult bytes, written by the tasks
  int64_t nresult;                  // bytes of the result of one task
  // Creates worker number `index`. Called once for each worker, in the thread of that worker. On
  // failure *worker is NULL.
  sn_status (*open)(sn_job *job, int64_t index, void **worker, sn_error *error);
  void (*close)(sn_job *job, void *worker);
  // Runs one task on a worker and writes its result. If a task fails, the failure is counted and
  // the other tasks still run.
  sn_status (*run)(sn_job *job, void *worker, int64_t task, void *result);
  // Called between tasks with the number of finished tasks; a result other than 0 cancels the tasks
  // that have not started. May be NULL.
  int32_t (*progress)(sn_job *job, int64_t done);
};
SN_LAYOUT(sn_job, 88);

typedef struct sn_executor_ops {
  sn_ops head;
  int64_t (*workers)(const void *self);   // [any] number of workers
  // [any] Runs all tasks; returns when each has finished or was canceled. *failed: number of tasks
  // that failed.
  sn_status (*run)(const void *self, sn_job *job, int64_t *failed, sn_error *error);
} sn_executor_ops;
SN_LAYOUT(sn_executor_ops, 56);

SN_END_DECLS

#endif
