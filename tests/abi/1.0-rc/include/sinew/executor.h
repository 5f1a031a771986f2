// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.executor/1: runs many independent tasks, for example on a pool of threads or on
// several machines. The host describes the tasks in an sn_job; the executor creates its workers,
// distributes the tasks among them and collects the results. The result of a task must not depend
// on the executor, on the number of workers or on the order of the tasks.
//
// A job can be run in three ways:
//   - by calls: open, run and close, in the process of the host. This is what threads do;
//   - by messages: `describe` writes the job as bytes, from which another process that runs the
//     same version of Sinew creates its own job (sn_job_service). For each task, get_row writes the
//     inputs in the process of the host, run_row runs the task in the other process, and put stores
//     the results in the process of the host;
//   - as data: model and request specify as arrays what is to be computed. An executor for a device
//     such as a GPU computes the same results in its own way. Both structs grow at their end: an
//     executor that does not call `run` or `run_row` must return SN_EUNSUPPORTED if the request is
//     larger than the struct it was compiled with and any byte beyond that is not 0.
//
// The executor fills status and reached, which lie in memory of the host.

#ifndef SINEW_EXECUTOR_H
#define SINEW_EXECUTOR_H

#include "sinew/loader.h"
#include "sinew/plugin.h"
#include "sinew/rollout.h"

SN_BEGIN_DECLS

#define SN_KIND_EXECUTOR "sinew.executor/1"

// The tasks that an executor runs.
typedef struct sn_job sn_job;
struct sn_job {
  uint32_t size;
  uint32_t reserved;
  void *context;   // belongs to the host
  int64_t ntask;   // number of tasks
  // nresult: the size of the result of one task in bytes. results: memory for the results, ntask x
  // nresult bytes. NULL: `run` stores them itself, and its argument `result` is NULL.
  int64_t nresult;
  void *results;
  // ntask each, never NULL, written by the executor: what `run` returned, and how far the task
  // got. The host presets both for tasks that are never run.
  int32_t *status;
  int64_t *reached;
  // Creates worker number `index`, in the thread of that worker; several threads may call it at the
  // same time, each with its own `worker`. A negative status: *worker is NULL, and the host keeps
  // the reason. The executor goes on with the workers that it has; if it has none, its own `run`
  // returns this status.
  sn_status (*open)(sn_job *job, int64_t index, void **worker);
  void (*close)(sn_job *job, void *worker);
  // Runs one task on a worker; different workers run at the same time. The task writes its result
  // to `result`: results + task * nresult, or other memory that the executor copies there. The
  // executor stores its status and how far it got in the arrays above. A task that fails does not
  // affect the others.
  sn_status (*run)(sn_job *job, void *worker, int64_t task, void *result, int64_t *reached);
  // Called by one thread at a time with the number of finished tasks; a nonzero result cancels the
  // tasks that have not started. May be NULL.
  int32_t (*progress)(sn_job *job, int64_t done);
  // The job as data; NULL: it can be run only by calls. Task i is simulation i.
  const sn_model_view *model;
  const sn_rollout_request *request;
  // The job by messages. The functions are NULL if it cannot be run in this way. Inputs and results
  // have the byte order of this machine.
  int64_t row_bytes, result_bytes;   // size of the inputs and of the results of each task
  // Writes everything that all tasks depend on. SN_EUNSUPPORTED, with a reason: the job needs
  // functions of this process.
  sn_status (*describe)(sn_job *job, sn_sink *sink, sn_error *error);
  // The inputs of a task, row_bytes.
  void (*get_row)(sn_job *job, int64_t task, void *row);
  // As `run`, with the inputs that get_row wrote in another process, aligned to 8 bytes, and
  // result_bytes for the results. Only in a job of sn_job_service, which has no `run`.
  sn_status (*run_row)(sn_job *job, void *worker, const void *row, void *result, int64_t *reached);
  // Stores the results of run_row, and sets status[task] and reached[task]. Called by one thread at
  // a time; results must be aligned to 8 bytes.
  void (*put)(sn_job *job, int64_t task, sn_status status, int64_t reached, const void *results);
  // Runs n tasks with consecutive numbers together on one worker, with the same results as `run`,
  // and stores their status and reached. group: the largest n. If run_group is NULL, group is 1 and
  // tasks are run one by one. Only available if `results` is NULL.
  void (*run_group)(sn_job *job, void *worker, int64_t task, int64_t n);
  int64_t group;
  // In a job of sn_job_service, set by the executor; NULL: none. run_row calls it before each step,
  // with this context; a nonzero result ends the task, which then returns SN_ECANCELED.
  int32_t (*is_canceled)(void *cancel_context);
  void *cancel_context;
};
SN_LAYOUT(sn_job, 184);

#define SN_SERVICE_JOB "sinew.job/1"
// The service SN_SERVICE_JOB: a job from the bytes that `describe` wrote in another process.
typedef struct sn_job_service {
  uint32_t size;
  uint32_t reserved;
  // [load] A job with open, close and run_row, of any number of workers; freed with `close`. The
  // bytes need not be kept. SN_EUNSUPPORTED: another version of Sinew wrote them; SN_EPARSE: they
  // are damaged.
  sn_status (*open)(const sn_host *host, const void *bytes, int64_t count, sn_job **job,
                    sn_error *error);
  void (*close)(sn_job *job);
} sn_job_service;
SN_LAYOUT(sn_job_service, 24);

// The operations of an executor.
typedef struct sn_executor_ops {
  sn_ops head;
  // [any] Number of workers of the next job.
  int64_t (*workers)(const void *self);
  // [any] Runs all tasks; returns when each has finished or was canceled. SN_OK if the tasks were
  // run, even if some of them failed. Several threads may call it at the same time. The host treats
  // `self` as constant; an executor that changes it, such as a pool of threads, must protect it
  // with a lock.
  sn_status (*run)(const void *self, sn_job *job, sn_error *error);
  // [any] optional. In a process that works for another one, the root, runs the tasks that the root
  // sends until there are no more, and sets *served to 1. In the root itself it returns at once,
  // with *served 0. A negative status: part of the work could not be done here, and the error has
  // the reason. See sn_rollout_serve.
  sn_status (*serve)(const void *self, int32_t *served, sn_error *error);
} sn_executor_ops;
SN_LAYOUT(sn_executor_ops, 64);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_EXECUTOR(name, ops) SN_PROVIDE(SN_KIND_EXECUTOR, name, sn_executor_ops, ops)

SN_END_DECLS

#endif
