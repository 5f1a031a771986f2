// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of executors with one fault each: of one with two threads.

#include <pthread.h>

#include "conformance.h"
#include "default_engine.h"
#include "sinew/executor.h"

enum {
  WRITES_BEHIND = NKINDFAULTS,
  NEVER_CLOSES,      // a worker
  RUNS_TWICE,        // a task
  MIXES_RESULTS,
  HIDES_FAILURE,     // of a task
  IGNORES_CANCEL,
  IGNORES_WORKERS,   // that cannot be opened
  TAKES_TURNS,       // worker 1 starts when worker 0 has ended
  SAME_INDEX,        // of both workers
  REPORTS_AT_ONCE,
  LEAVES_EARLY,      // while worker 1 runs
  NEEDS_FIRST,       // worker
  ONE_JOB,           // at a time
  FIXED_SIZE,        // of results
  SERVES,            // although no process needs it
  SERVE_FAILS,
  SERVE_UNKNOWN,     // status
  SERVES_BESIDE      // its output
};

// ------------------------------------------------------------------ an executor

typedef struct pool {
  sn_job *job;
  pthread_mutex_t lock, progress;
  int64_t task, done;   // under lock, under progress
  int canceled, opened;
  sn_status reason;
} pool;

static int64_t shared_task;   // of all jobs

static int64_t workers(const void *self) {
  (void)self;
  return 2;
}

static int64_t take_task(pool *p) {
  pthread_mutex_lock(&p->lock);
  const int64_t task = fault == ONE_JOB ? shared_task++ : p->task++;
  const int end = p->canceled && fault != IGNORES_CANCEL;
  pthread_mutex_unlock(&p->lock);
  return end ? p->job->ntask : task;
}

static void report_task(pool *p, int32_t (*progress)(sn_job *, int64_t)) {
  if (fault != REPORTS_AT_ONCE) {
    pthread_mutex_lock(&p->progress);
  }
  if (progress(p->job, ++p->done)) {
    p->canceled = 1;
  }
  if (fault != REPORTS_AT_ONCE) {
    pthread_mutex_unlock(&p->progress);
  }
}

static void run_task(pool *p, void *worker, int64_t i) {
  sn_job *job = p->job;
  char *results = job->results;
  const int64_t at = fault == MIXES_RESULTS ? job->ntask - 1 - i : i;
  char *result = results ? results + at * (fault == FIXED_SIZE ? 8 : job->nresult) : NULL;
  job->status[i] = job->run(job, worker, i, result, &job->reached[i]);
  if (fault == RUNS_TWICE && i == 3) {
    job->run(job, worker, i, result, &job->reached[i]);
  } else if (fault == HIDES_FAILURE) {
    job->status[i] = SN_OK;
  }
  // the kit takes it away when the job has ended, for LEAVES_EARLY too early
  int32_t (*progress)(sn_job *, int64_t) = job->progress;
  if (progress) {
    report_task(p, progress);
  }
}

static void work(pool *p, int64_t index) {
  sn_job *job = p->job;
  void *worker = NULL;
  const sn_status status = job->open(job, fault == SAME_INDEX ? 0 : index, &worker);
  pthread_mutex_lock(&p->lock);
  p->opened += status >= 0;
  p->reason = status < 0 ? status : p->reason;
  pthread_mutex_unlock(&p->lock);
  if (status < 0) {
    return;
  }
  for (int64_t i = take_task(p); i < job->ntask; i = take_task(p)) {
    run_task(p, worker, i);
  }
  if (fault != NEVER_CLOSES) {
    job->close(job, worker);
  }
}

static void *live(void *argument) {
  work(argument, 1);
  return NULL;
}

static pool *late;   // its second worker still runs
static pthread_t late_thread;

static void wait_for_late(void) {
  if (late) {
    pthread_join(late_thread, NULL);
    late = NULL;
  }
}

static sn_status run_job(const void *self, sn_job *job, sn_error *e) {
  static pool of_late;
  pool here = { .job = job }, *p = fault == LEAVES_EARLY ? &of_late : &here;
  pthread_t thread;
  (void)self, (void)e;
  change_process();
  if (fault == LEAVES_EARLY) {
    wait_for_late();
  }
  *p = here;
  pthread_mutex_init(&p->lock, NULL);
  pthread_mutex_init(&p->progress, NULL);
  shared_task = 0;
  if (fault == TAKES_TURNS) {
    work(p, 0);
    live(p);
  } else {
    ck_assert_int_eq(pthread_create(&thread, NULL, live, p), 0);
    work(p, 0);
    if (fault == LEAVES_EARLY) {
      late = p;
      late_thread = thread;
      return SN_OK;
    }
    pthread_join(thread, NULL);
  }
  if (fault == WRITES_BEHIND) {
    job->status[job->ntask] = 0;
  }
  if (fault == NEEDS_FIRST && p->opened < 2) {
    return p->reason;
  }
  return p->opened > 0 || fault == IGNORES_WORKERS ? SN_OK : p->reason;
}

static sn_status serve(const void *self, int32_t *served, sn_error *e) {
  (void)self, (void)e;
  *served = fault == SERVES ? 7 : 0;
  served[1] = fault == SERVES_BESIDE ? 7 : served[1];
  return fault == SERVE_FAILS ? SN_EIO : fault == SERVE_UNKNOWN ? 4242 : SN_OK;
}

static const sn_executor_ops two_threads = {
  .head = { .size = sizeof two_threads, .summary = "a toy" },
  .workers = workers,
  .run = run_job,
  .serve = serve,
};

// ------------------------------------------------------------------ what is found

#define TOY SN_KIND_EXECUTOR, &two_threads
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, NEVER_CLOSES, "workers", "0 closed", "|end of run|" },
  { TOY, RUNS_TWICE, "run once", "of 257 ran 2 times; each must run once",
    "|cancel|remaining workers|several jobs|" },
  { TOY, MIXES_RESULTS, "results", "of 257 is not that of task", "|several jobs|" },
  { TOY, HIDES_FAILURE, "failures",
    "has status 0 and reached 39; what its run returned was -9 and 39", NULL },
  { TOY, IGNORES_CANCEL, "cancel", "257 ran", NULL },
  { TOY, IGNORES_WORKERS, "no workers", "SN_OK", NULL },
  { TOY, TAKES_TURNS, "at the same time", "workers returns 2, 1 were open", NULL },
  { TOY, SAME_INDEX, "indices of workers", "1 workers had an index", "|remaining workers|" },
  { TOY, REPORTS_AT_ONCE, "progress", "by one thread at a time", "|cancel|" },
  { TOY, LEAVES_EARLY, "end of run", "1 tasks ran and 1 workers were not closed", NULL },
  { TOY, NEEDS_FIRST, "remaining workers", "worker 0 cannot be opened", NULL },
  { TOY, FIXED_SIZE, "results", "24 bytes", NULL },
  { TOY, ONE_JOB, "several jobs", "of them have wrong results", NULL },
  { TOY, CHANGES_UMASK, "process", "run changed the umask", NULL },
  { TOY, LEAVES_THREADS, "process", "each call of run leaves a thread behind", NULL },
  { TOY, WRITES_BEHIND, "outputs", "outside of status", NULL },
  { TOY, SERVES, "serve", "serve sets *served to 7", NULL },
  { TOY, SERVE_FAILS, "serve", "serve returns -3 (SN_EIO) in the only process", NULL },
  { TOY, SERVE_UNKNOWN, "serve", "serve returns 4242", NULL },
  { TOY, SERVES_BESIDE, "serve", "serve writes outside of *served", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  open_engine();
  fault = faults[_i].fault;
  expect_finding(&faults[_i]);
  wait_for_late();
  close_engine();
}
END_TEST

START_TEST(executors_of_sinew_pass) {
  open_engine();
  ck_assert_int_ge(expect_all_pass(engine, SN_KIND_EXECUTOR), 2);   // mpi is optional
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_EXECUTOR, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(executors_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
