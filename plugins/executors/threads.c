// SPDX-License-Identifier: Apache-2.0
//
// Executors "threads" and "auto": a worker on each of several threads. They are started when the
// first job needs them and wait for the next one afterwards; the calling thread is a worker too.
//
// Tasks are taken dynamically, in chunks that become smaller towards the end (guided
// self-scheduling: C. D. Polychronopoulos, D. J. Kuck, IEEE Transactions on Computers 36, 1987), so
// a slow task delays no other and short tasks cost little. A task writes only its own part of the
// results, and a worker is reset before each task: which worker runs a task changes nothing.
//
// Where tasks can be run together, in lanes (sn_job.run_group), "auto" measures the first ones on
// the calling thread, one by one and together, and runs the rest in the faster way. A message in
// the log says what it chose.

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "sinew/executor.h"
#include "sinew/instance.h"

enum { MOST_WORKERS = 1024, CHUNKS = 8 };   // CHUNKS: a worker takes 1/8 of its share at a time

// A job while it runs, on the stack of the calling thread.
typedef struct crew crew;
struct crew {
  sn_job *job;
  int64_t wanted;                // workers
  int64_t group;                 // tasks that a worker runs together
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

static void report(crew *c, int64_t n) {
  pthread_mutex_lock(&c->progress);
  c->done += n;
  if (c->job->progress && c->job->progress(c->job, c->done)) {
    atomic_store(&c->canceled, 1);
  }
  pthread_mutex_unlock(&c->progress);
}

// Runs n tasks, together if there are several.
static void run_tasks(crew *c, void *worker, int64_t task, int64_t n) {
  sn_job *job = c->job;
  uint8_t *results = job->results;
  if (n > 1) {
    job->run_group(job, worker, task, n);
  } else {
    void *result = results ? results + task * job->nresult : NULL;
    job->status[task] = job->run(job, worker, task, result, &job->reached[task]);
  }
  report(c, n);
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

// Takes the next chunk, whole groups, of which *end is the end.
static int64_t take_chunk(crew *c, int64_t *end) {
  int64_t task = atomic_load(&c->task);
  do {
    const int64_t rest = c->job->ntask - task;
    if (rest <= 0) {
      return *end = c->job->ntask;
    }
    const int64_t groups = 1 + rest / ((CHUNKS * c->wanted + 1) * c->group);
    *end = task + smaller(groups * c->group, rest);
  } while (!atomic_compare_exchange_weak(&c->task, &task, *end));
  return task;
}

static void run_chunks(crew *c, void *worker) {
  int64_t end, task = take_chunk(c, &end);
  while (task < c->job->ntask && !atomic_load(&c->canceled)) {
    const int64_t n = smaller(c->group, end - task);
    run_tasks(c, worker, task, n);
    task += n;
    if (task == end) {
      task = take_chunk(c, &end);
    }
  }
}

// NULL: it could not be opened.
static void *open_worker(crew *c, int64_t index) {
  void *worker = NULL;
  const sn_status status = c->job->open(c->job, index, &worker);
  if (status < 0 && index == 0) {
    c->first = status;
  }
  if (status >= 0) {
    atomic_store(&c->opened, 1);
  }
  return status < 0 ? NULL : worker;
}

static void work(crew *c, int64_t index) {
  void *worker = open_worker(c, index);
  if (worker) {
    run_chunks(c, worker);
    c->job->close(c->job, worker);
  }
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

// Runs the tasks that the crew has not run yet. worker: that of the calling thread; NULL: it is not
// opened yet, or could not be.
static sn_status run_crew(threads *t, crew *c, void *worker) {
  renew_after_fork(t);
  c->joined = 1;
  pthread_mutex_lock(&t->lock);
  start_threads(t, c->wanted - 1);
  c->next = t->jobs;
  t->jobs = c;
  pthread_cond_broadcast(&t->wake);
  pthread_mutex_unlock(&t->lock);

  if (worker) {
    run_chunks(c, worker);
    c->job->close(c->job, worker);
  } else if (c->first >= 0) {
    work(c, 0);
  }

  // without a worker here, the others have to begin; then no more join, and they finish their tasks
  pthread_mutex_lock(&t->lock);
  while (c->first < 0 && t->nthread > 0 && wants_worker(c)) {
    pthread_cond_wait(&t->idle, &t->lock);
  }
  crew **at = &t->jobs;
  while (*at != c) {
    at = &(*at)->next;
  }
  *at = c->next;
  while (c->inside > 0) {
    pthread_cond_wait(&t->idle, &t->lock);
  }
  pthread_mutex_unlock(&t->lock);
  return atomic_load(&c->opened) ? SN_OK : c->first;
}

static sn_status threads_run(const void *self, sn_job *job, sn_error *error) {
  (void)error;   // the host keeps the reason why a worker cannot be opened
  const int64_t most = threads_workers(self);
  crew c = { .job = job, .wanted = smaller(job->ntask, most), .group = 1 };
  pthread_mutex_init(&c.progress, NULL);
  const sn_status status = run_crew((threads *)(uintptr_t)self, &c, NULL);
  pthread_mutex_destroy(&c.progress);
  return status;
}

// ------------------------------------------------------------------ by measuring

enum { MOST_ROUNDS = 3, TRIAL_PART = 8 };   // a trial takes at most 1/8 of the tasks for each way

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds a task, of the next `count` tasks, n at a time.
static double measure(crew *c, void *worker, int64_t count, int64_t n) {
  const int64_t first = atomic_load(&c->task);
  const double start = seconds();
  for (int64_t k = 0; k < count && !atomic_load(&c->canceled); k += n) {
    run_tasks(c, worker, first + k, n);
  }
  atomic_store(&c->task, first + count);
  return (seconds() - start) / (double)count;
}

static double least(double a, double b) {
  return a < b ? a : b;
}

// The least time of each way: what else the machine does only adds to it. The first tasks of each
// way also make what it needs, and are not measured. Too few tasks to measure: together.
static void choose(const threads *t, crew *c, void *worker, int64_t group) {
  double single = 0, together = 0;
  const int64_t rounds = smaller(c->job->ntask / (TRIAL_PART * group), MOST_ROUNDS);
  for (int64_t k = -1; k < rounds && rounds > 0 && !atomic_load(&c->canceled); k++) {
    const double a = measure(c, worker, k < 0 ? 1 : group, 1);
    const double b = measure(c, worker, group, group);
    single = k <= 0 ? a : least(a, single);
    together = k <= 0 ? b : least(b, together);
  }
  c->group = together <= single ? group : 1;
  char text[200];
  snprintf(text, sizeof text, "%s: a task takes %.3g s alone, %.3g s as one of %lld%s",
           c->group > 1 ? "tasks together" : "tasks one by one", single, together, (long long)group,
           rounds > 0 ? "" : "; too few tasks to measure");
  t->base.host->log(t->base.host, SN_LOG_INFO, "auto", text);
}

static sn_status auto_run(const void *self, sn_job *job, sn_error *error) {
  (void)error;
  threads *t = (threads *)(uintptr_t)self;
  const int can = SN_HAS(job, group) && job->run_group && !job->results && job->group > 1;
  crew c = { .job = job, .wanted = smaller(job->ntask, threads_workers(self)), .group = 1 };
  pthread_mutex_init(&c.progress, NULL);
  void *worker = can ? open_worker(&c, 0) : NULL;
  if (worker) {
    choose(t, &c, worker, job->group);
  }
  const sn_status status = run_crew(t, &c, worker);
  pthread_mutex_destroy(&c.progress);
  return status;
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

// ------------------------------------------------------------------ the tables

static const sn_executor_ops threads_ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "tasks on several threads",
            .params = params,
            .create = create,
            .destroy = destroy },
  .workers = threads_workers,
  .run = threads_run,
};

static const sn_executor_ops auto_ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .summary = "tasks on several threads, one by one or in lanes, by measuring",
            .params = params,
            .create = create,
            .destroy = destroy },
  .workers = threads_workers,
  .run = auto_run,
};

static const sn_provide provides[] = {
  SN_PROVIDE_EXECUTOR("threads", &threads_ops),
  SN_PROVIDE_EXECUTOR("auto", &auto_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.threads", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "runs rollouts on several threads", .provides = provides)
