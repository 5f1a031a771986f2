// SPDX-License-Identifier: Apache-2.0
//
// Executor "threads": a worker on each of several threads. The threads are started for a job and
// joined at its end; each takes the next task that is free, so a slow task delays no other. A
// task writes only its own part of the results, and a worker is reset before each task:
// which worker runs a task changes nothing.

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "sinew/executor.h"
#include "sinew/instance.h"

enum { MOST_WORKERS = 1024 };

typedef struct threads {
  sn_instance base;
  int64_t workers;   // 0: one for each processor
} threads;

// A job while it runs.
typedef struct pool {
  sn_job *job;
  _Atomic int64_t next;        // task that the next free worker takes
  pthread_mutex_t progress;    // held while progress is reported
  int64_t done;                // tasks, under `progress`
} pool;

typedef struct thread {
  pool *pool;
  pthread_t handle;
  int64_t index;
  sn_status opened;
} thread;

static int64_t threads_workers(const void *self) {
  const int64_t wanted = ((const threads *)self)->workers;
  const int64_t n = wanted > 0 ? wanted : (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > MOST_WORKERS ? MOST_WORKERS : n;
}

// Counts a finished task; returns whether the job is canceled.
static int report(pool *p) {
  pthread_mutex_lock(&p->progress);
  const int canceled = p->job->progress(p->job, ++p->done) != 0;
  if (canceled) {
    atomic_store(&p->next, p->job->ntask);
  }
  pthread_mutex_unlock(&p->progress);
  return canceled;
}

static void *work(void *argument) {
  thread *t = argument;
  sn_job *job = t->pool->job;
  void *worker = NULL;
  t->opened = job->open(job, t->index, &worker);
  if (t->opened < 0) {
    return NULL;
  }
  uint8_t *results = job->results;
  for (;;) {
    const int64_t task = atomic_fetch_add(&t->pool->next, 1);
    if (task >= job->ntask) {
      break;
    }
    void *result = results ? results + task * job->nresult : NULL;
    job->status[task] = job->run(job, worker, task, result, &job->reached[task]);
    if (job->progress && report(t->pool)) {
      break;
    }
  }
  job->close(job, worker);
  return NULL;
}

static sn_status threads_run(const void *self, sn_job *job, sn_error *error) {
  (void)error;
  thread each[MOST_WORKERS];
  pool p = { .job = job };
  const int64_t most = threads_workers(self);
  const int64_t n = job->ntask < most ? (job->ntask > 0 ? job->ntask : 1) : most;
  pthread_mutex_init(&p.progress, NULL);

  // the calling thread is worker 0; threads that cannot be started are done without
  int64_t started = 1;
  for (int64_t i = 0; i < n; i++) {
    each[i] = (thread){ .pool = &p, .index = i };
  }
  while (started < n && pthread_create(&each[started].handle, NULL, work, &each[started]) == 0) {
    started++;
  }
  work(&each[0]);
  int opened = each[0].opened >= 0;
  for (int64_t i = 1; i < started; i++) {
    pthread_join(each[i].handle, NULL);
    opened |= each[i].opened >= 0;
  }
  pthread_mutex_destroy(&p.progress);
  return opened ? SN_OK : each[0].opened;
}

// ------------------------------------------------------------------ the table

static const sn_param params[] = {
  { .name = "workers",
    .type = SN_PARAM_INT,
    .default_value = "0",
    .min = 0,
    .max = MOST_WORKERS,
    .summary = "threads; 0: one for each processor" },
  { .name = NULL },
};

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(threads), self, error));
  ((threads *)*self)->workers = values[0].integer;
  return SN_OK;
}

static const sn_executor_ops threads_ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "tasks on several threads",
            .params = params,
            .create = create,
            .destroy = sn_instance_destroy },
  .workers = threads_workers,
  .run = threads_run,
};

static const sn_provide provides[] = {
  { SN_KIND_EXECUTOR, "threads", &threads_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.threads", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "runs rollouts on several threads", .provides = provides)
