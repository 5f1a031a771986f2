// SPDX-License-Identifier: Apache-2.0
//
// The service of tasks; see tasks.h. It belongs to scratch memory of the kit; that of a simulation
// has the service of the host.

#include "tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "kit.h"

static const void *(*query_of_host)(const sn_host *host, const char *service);
static const sn_tasks_service *service_of_host;
static _Thread_local int is_task;   // one runs on this thread

typedef void task_fn(void *context, int64_t k);

// The tasks first, first + step, ... until n of them have run.
typedef struct series {
  task_fn *task;
  void *context;
  int64_t first, step, n;
} series;

static void run_series(const series *s) {
  const int outer = is_task;
  is_task = 1;
  for (int64_t i = 0; i < s->n; i++) {
    s->task(s->context, s->first + i * s->step);
  }
  is_task = outer;
}

// ------------------------------------------------------------------ two threads

typedef struct half {
  series of;
  pthread_barrier_t *start;
} half;

// The threads take turns where there is only one processor.
static void *run_half(void *context) {
  half *h = context;
  series one = h->of;
  one.n = 1;
  pthread_barrier_wait(h->start);
  for (int64_t i = 0; i < h->of.n; i++, one.first += one.step) {
    run_series(&one);
    sched_yield();
  }
  return NULL;
}

static void run_at_once(const series *all) {
  pthread_barrier_t start;
  pthread_t thread;
  half low = { *all, &start }, high = low;
  low.of.n = all->n / 2;
  high.of.first += low.of.n;
  high.of.n -= low.of.n;
  if (pthread_barrier_init(&start, NULL, 2) != 0) {
    run_series(all);
    return;
  }
  if (pthread_create(&thread, NULL, run_half, &high) == 0) {
    run_half(&low);
    pthread_join(thread, NULL);
  } else {
    run_series(all);
  }
  pthread_barrier_destroy(&start);
}

// ------------------------------------------------------------------ the service

static int32_t count_threads(const sn_scratch *scratch) {
  kit *k = kit_of_scratch((sn_scratch *)(uintptr_t)scratch);
  if (!k) {
    return service_of_host->nthread(scratch);
  }
  atomic_fetch_add(&k->tasks.used, 1);
  return k->tasks.mode == KIT_ALONE || is_task ? 1 : 2;
}

static sn_status run_tasks(sn_scratch *scratch, int64_t n, task_fn *task, void *context) {
  kit *k = kit_of_scratch(scratch);
  series all = { .task = task, .context = context, .step = 1, .n = n };
  if (!k) {
    return service_of_host->run(scratch, n, task, context);
  }
  atomic_fetch_add(&k->tasks.used, 1);
  if (is_task) {
    atomic_fetch_add(&k->tasks.nested, 1);
    run_series(&all);
  } else if (k->tasks.mode == KIT_AT_ONCE && n > 1) {
    run_at_once(&all);
  } else {
    const int is_reversed = k->tasks.mode == KIT_REVERSED;
    all.first = is_reversed ? n - 1 : 0;
    all.step = is_reversed ? -1 : 1;
    run_series(&all);
  }
  return SN_OK;
}

static const sn_tasks_service service_of_kit = {
  .size = sizeof(sn_tasks_service),
  .nthread = count_threads,
  .run = run_tasks,
};

static const void *query(const sn_host *host, const char *service) {
  const int is_tasks = service && strcmp(service, SN_SERVICE_TASKS) == 0;
  return is_tasks ? &service_of_kit : query_of_host(host, service);
}

// The host is memory of the engine, which is not constant.
static sn_host *host_of(sn_engine *engine) {
  return (sn_host *)(uintptr_t)sn_engine_host(engine);
}

// All hosts of the process have the same query.
void kit_tasks_begin(sn_engine *engine) {
  sn_host *host = host_of(engine);
  if (host->query != query) {
    query_of_host = host->query;
    service_of_host = host->query(host, SN_SERVICE_TASKS);
    host->query = query;
  }
}

void kit_tasks_end(sn_engine *engine) {
  sn_host *host = host_of(engine);
  if (host->query == query) {
    host->query = query_of_host;
  }
}

// ------------------------------------------------------------------ what was noted

int kit_tasks_used(const kit_tasks *tasks) {
  return atomic_load(&tasks->used) > 0;
}

const char *kit_tasks_fault(const kit_tasks *tasks) {
  return atomic_load(&tasks->takes) > 0    ? "takes scratch memory, which it must not"
         : atomic_load(&tasks->nested) > 0 ? "runs tasks itself, which it must not"
                                           : NULL;
}

int kit_tasks_may_take(kit_tasks *tasks) {
  if (is_task) {
    atomic_fetch_add(&tasks->takes, 1);
  }
  return !is_task || tasks->mode != KIT_AT_ONCE;
}
