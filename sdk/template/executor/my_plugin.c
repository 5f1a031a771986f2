// SPDX-License-Identifier: Apache-2.0
//
// A template for executors: threads of one process. Each thread opens a worker and takes the next
// task until none is left. The result of a task does not depend on the thread that runs it.

#include <pthread.h>
#include <stddef.h>

#include "sinew/executor.h"
#include "sinew/instance.h"

enum { MOST = 256 };   // threads

typedef struct executor {
  sn_instance base;
  int64_t threads;
} executor;

typedef struct crew {
  sn_job *job;
  pthread_mutex_t lock;   // of the members below
  sn_status status;       // of the first worker that could not be opened
  int64_t opened, next, done;
  int canceled;
} crew;

typedef struct member {
  crew *of;
  int64_t index;
} member;

static void *open_worker(crew *c, int64_t index) {
  void *worker = NULL;
  const sn_status status = c->job->open(c->job, index, &worker);
  pthread_mutex_lock(&c->lock);
  c->opened += status >= 0;
  c->status = c->status < 0 ? c->status : status;
  pthread_mutex_unlock(&c->lock);
  return status < 0 ? NULL : worker;
}

// -1: none is left.
static int64_t next_task(crew *c) {
  pthread_mutex_lock(&c->lock);
  const int64_t task = c->canceled || c->next >= c->job->ntask ? -1 : c->next++;
  pthread_mutex_unlock(&c->lock);
  return task;
}

static void report(crew *c) {
  sn_job *job = c->job;
  pthread_mutex_lock(&c->lock);
  c->done++;
  if (job->progress && job->progress(job, c->done)) {
    c->canceled = 1;
  }
  pthread_mutex_unlock(&c->lock);
}

static void *work(void *argument) {
  const member *m = (const member *)argument;
  crew *c = m->of;
  sn_job *job = c->job;
  void *worker = open_worker(c, m->index);
  for (int64_t task; worker && (task = next_task(c)) >= 0;) {
    char *results = (char *)job->results;
    job->status[task] = job->run(job, worker, task, results ? results + task * job->nresult : NULL,
                                 &job->reached[task]);
    report(c);
  }
  if (worker) {
    job->close(job, worker);
  }
  return NULL;
}

static int64_t workers(const void *self) {
  return ((const executor *)self)->threads;
}

static sn_status run(const void *self, sn_job *job, sn_error *error) {
  const executor *e = (const executor *)self;
  crew c = { .job = job, .status = SN_OK };
  pthread_t thread[MOST];
  member m[MOST];
  int started[MOST] = { 0 };
  (void)error;   // the host keeps the reason why a worker cannot be opened
  pthread_mutex_init(&c.lock, NULL);
  for (int64_t i = 0; i < e->threads; i++) {
    m[i] = (member){ &c, i };
    started[i] = i > 0 && pthread_create(&thread[i], NULL, work, &m[i]) == 0;
  }
  work(&m[0]);   // the calling thread is a worker too: without others it runs all tasks
  for (int64_t i = 1; i < e->threads; i++) {
    if (started[i]) {
      pthread_join(thread[i], NULL);
    }
  }
  pthread_mutex_destroy(&c.lock);
  return c.opened > 0 ? SN_OK : c.status;
}

// ------------------------------------------------------------------ the instance

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(executor), self, error));
  ((executor *)*self)->threads = values[0].integer;
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param params[] = {
  { .name = "threads",
    .default_value = "4",
    .summary = "number of threads",
    .min = 1,
    .max = MOST,
    .type = SN_PARAM_INT },
  { .name = NULL },
};

static const sn_executor_ops ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "threads of one process",
            .params = params,
            .create = create,
            .destroy = sn_instance_destroy },
  .workers = workers,
  .run = run,
};

static const sn_provide provides[] = {
  SN_PROVIDE_EXECUTOR("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "an executor", .provides = provides)
