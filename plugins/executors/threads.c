// SPDX-License-Identifier: Apache-2.0
//
// Executor "threads": a worker on each of several threads. The threads are started when the first
// job needs them and wait for the next one afterwards; the calling thread is a worker too.
//
// Tasks are taken dynamically, in chunks that become smaller towards the end (guided
// self-scheduling: C. D. Polychronopoulos, D. J. Kuck, IEEE Transactions on Computers 36, 1987), so
// a slow task delays no other and short tasks cost little. A task writes only its own part of the
// results, and a worker is reset before each task: which worker runs a task changes nothing.

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "sinew/executor.h"
#include "sinew/instance.h"

enum { MOST_WORKERS = 1024, CHUNKS = 8 };   // CHUNKS: a worker takes 1/8 of its share at a time

// A job while it runs, on the stack of the calling thread.
typedef struct crew crew;
struct crew {
  sn_job *job;
  int64_t wanted;                // workers
  int64_t joined, inside;        // threads that have begun, that have not ended; under `lock`
  crew *next;                    // in the list of jobs; under `lock`
  _Atomic int64_t task;          // the first that is not taken
  atomic_int canceled, opened;   // opened: a worker could be opened
  sn_status first;               // why worker 0 could not be
  pthread_mutex_t progress;      // held while progress is reported
  int64_t done;                  // tasks, under `progress`
};

typedef struct threads {
  sn_instance base;
  int64_t workers;   // 0: one for each processor
  int pin;
  pthread_mutex_t lock;        // of everything below
  pthread_cond_t wake, idle;   // there is a job; a thread has left one
  crew *jobs;
  int64_t nthread;
  int stop;
  _Atomic pid_t process;   // whose threads these are; 0 while they are replaced after a fork
  pthread_t thread[MOST_WORKERS];
} threads;

static void set_up(threads *t) {
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->wake, NULL);
  pthread_cond_init(&t->idle, NULL);
  t->jobs = NULL;
  t->nthread = 0;
  atomic_store(&t->process, getpid());
}

// After a fork the threads exist in the parent alone. The lock and the conditions may still count
// them as owners and waiters, and jobs are on the stacks of threads that are gone: all begin anew.
static void renew_after_fork(threads *t) {
  const pid_t here = getpid();
  pid_t process = atomic_load(&t->process);
  while (process != here) {
    if (process != 0 && atomic_compare_exchange_strong(&t->process, &process, 0)) {
      set_up(t);
    } else {   // another thread of this process replaces them
      sched_yield();
    }
    process = atomic_load(&t->process);
  }
}

static int64_t threads_workers(const void *self) {
  const int64_t wanted = ((const threads *)self)->workers;
  const int64_t n = wanted > 0 ? wanted : (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > MOST_WORKERS ? MOST_WORKERS : n;
}

// ------------------------------------------------------------------ tasks

static void report(crew *c) {
  pthread_mutex_lock(&c->progress);
  if (c->job->progress(c->job, ++c->done)) {
    atomic_store(&c->canceled, 1);
  }
  pthread_mutex_unlock(&c->progress);
}

// Takes the next chunk, of which *end is the end.
static int64_t take_chunk(crew *c, int64_t *end) {
  int64_t task = atomic_load(&c->task);
  do {
    const int64_t rest = c->job->ntask - task;
    if (rest <= 0) {
      return *end = c->job->ntask;
    }
    *end = task + 1 + rest / (CHUNKS * c->wanted + 1);
  } while (!atomic_compare_exchange_weak(&c->task, &task, *end));
  return task;
}

static void work(crew *c, int64_t index) {
  sn_job *job = c->job;
  void *worker = NULL;
  const sn_status status = job->open(job, index, &worker);
  if (status < 0) {
    if (index == 0) {
      c->first = status;
    }
    return;
  }
  atomic_store(&c->opened, 1);
  uint8_t *results = job->results;
  int64_t end, task = take_chunk(c, &end);
  while (task < job->ntask && !atomic_load(&c->canceled)) {
    void *result = results ? results + task * job->nresult : NULL;
    job->status[task] = job->run(job, worker, task, result, &job->reached[task]);
    if (job->progress) {
      report(c);
    }
    if (++task == end) {
      task = take_chunk(c, &end);
    }
  }
  job->close(job, worker);
}

// ------------------------------------------------------------------ threads

static int wants_worker(crew *c) {
  return c->joined < c->wanted && atomic_load(&c->task) < c->job->ntask &&
         !atomic_load(&c->canceled);
}

// A job that wants another worker; NULL: none does.
static crew *next_job(const threads *t) {
  crew *c = t->jobs;
  while (c && !wants_worker(c)) {
    c = c->next;
  }
  return c;
}

static void *live(void *argument) {
  threads *t = argument;
  pthread_mutex_lock(&t->lock);
  while (!t->stop) {
    crew *c = next_job(t);
    if (!c) {
      pthread_cond_wait(&t->wake, &t->lock);
      continue;
    }
    const int64_t index = c->joined++;
    c->inside++;
    pthread_mutex_unlock(&t->lock);
    work(c, index);
    pthread_mutex_lock(&t->lock);
    c->inside--;
    pthread_cond_broadcast(&t->idle);
  }
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

// Binds thread number `index` to one of the processors that this process may use.
static void pin(pthread_t thread, int64_t index) {
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) == 0) {
    return;
  }
  int64_t skip = index % CPU_COUNT(&all);
  for (size_t i = 0; i < CPU_SETSIZE; i++) {
    if (CPU_ISSET(i, &all) && skip-- == 0) {
      CPU_ZERO(&one);
      CPU_SET(i, &one);
      pthread_setaffinity_np(thread, sizeof one, &one);
      return;
    }
  }
}

// Threads that cannot be started are left out.
static void start_threads(threads *t, int64_t n) {
  while (t->nthread < n && pthread_create(&t->thread[t->nthread], NULL, live, t) == 0) {
    t->nthread++;
    if (t->pin) {
      pin(t->thread[t->nthread - 1], t->nthread);
    }
  }
}

static sn_status threads_run(const void *self, sn_job *job, sn_error *error) {
  (void)error;   // the host keeps the reason why a worker cannot be opened
  threads *t = (threads *)(uintptr_t)self;
  renew_after_fork(t);
  const int64_t most = threads_workers(self);
  crew c = { .job = job, .wanted = job->ntask < most ? job->ntask : most, .joined = 1 };
  pthread_mutex_init(&c.progress, NULL);
  pthread_mutex_lock(&t->lock);
  start_threads(t, c.wanted - 1);
  c.next = t->jobs;
  t->jobs = &c;
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);

  work(&c, 0);

  // without a worker here, the others have to begin; then no more join, and they finish their tasks
  pthread_mutex_lock(&t->lock);
  while (c.first < 0 && t->nthread > 0 && wants_worker(&c)) {
    pthread_cond_wait(&t->idle, &t->lock);
  }
  crew **at = &t->jobs;
  while (*at != &c) {
    at = &(*at)->next;
  }
  *at = c.next;
  while (c.inside > 0) {
    pthread_cond_wait(&t->idle, &t->lock);
  }
  pthread_mutex_unlock(&t->lock);
  pthread_mutex_destroy(&c.progress);
  return atomic_load(&c.opened) ? SN_OK : c.first;
}

// ------------------------------------------------------------------ the instance

static const sn_param params[] = {
  { .name = "workers",
    .type = SN_PARAM_INT,
    .default_value = "0",
    .min = 0,
    .max = MOST_WORKERS,
    .summary = "threads; 0: one for each processor" },
  { .name = "pin",
    .type = SN_PARAM_BOOL,
    .default_value = "false",
    .summary = "bind each thread to a processor, except the thread that calls sn_rollout" },
  { .name = NULL },
};

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(threads), self, error));
  threads *t = *self;
  t->workers = values[0].integer;
  t->pin = values[1].integer != 0;
  set_up(t);
  return SN_OK;
}

static void destroy(void *self) {
  threads *t = self;
  renew_after_fork(t);
  pthread_mutex_lock(&t->lock);
  t->stop = 1;
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);
  for (int64_t i = 0; i < t->nthread; i++) {
    pthread_join(t->thread[i], NULL);
  }
  pthread_cond_destroy(&t->wake);
  pthread_cond_destroy(&t->idle);
  pthread_mutex_destroy(&t->lock);
  sn_instance_destroy(self);
}

// ------------------------------------------------------------------ the table

static const sn_executor_ops threads_ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "tasks on several threads",
            .params = params,
            .create = create,
            .destroy = destroy },
  .workers = threads_workers,
  .run = threads_run,
};

static const sn_provide provides[] = {
  { SN_KIND_EXECUTOR, "threads", &threads_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.threads", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "runs rollouts on several threads", .provides = provides)
