// SPDX-License-Identifier: Apache-2.0
//
// Rank 0: hands out the tasks of a job and stores their results; see mpi.h.
//
// Tasks are taken dynamically, in chunks that become smaller towards the end (guided
// self-scheduling, as in executor threads). A rank gets its next chunk when half of the present one
// is done, so that it does not wait while rank 0 runs a task itself.
//
// A rank that is silent although it has tasks is taken for dead: they become free again. If it
// only was slow, its results are welcome; the first result of a task counts, and all are equal.

#include "mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNKS = 8, MOST_TASKS = 64, MOST_BYTES = 1 << 20 };   // of a chunk
enum { FREE = -1, DONE = -2 };                                // owners that are no ranks

typedef struct peer {
  int ready, lost, worked;   // worked: a result of it came
  int64_t outstanding, chunk;   // tasks that it has; of the last message
  double heard;                 // when
} peer;

typedef struct dispatch {
  mpi *me;
  sn_job *job;
  int32_t *owner;         // of each task: a rank, FREE, DONE
  int64_t first, nfree;   // no task before `first` is free; free tasks
  int64_t done;
  peer *peers;   // of each rank; of rank 0 only its tasks count
  int nready;    // ranks that take tasks, beside this one
  void *worker;
  sn_status here;   // why there is no worker here
  uint8_t *result;
  int canceled, failed;   // failed: no memory for a message
} dispatch;

// ------------------------------------------------------------------ tasks

static int64_t take_task(dispatch *d, int rank) {
  while (d->owner[d->first] != FREE) {
    d->first++;
  }
  d->nfree--;
  d->owner[d->first] = rank;
  return d->first++;
}

// Appends "12, 17-32" for the rollouts `a` to `b`, if they fit.
static void name_rollouts(char *text, size_t capacity, int64_t a, int64_t b) {
  const size_t used = strlen(text);
  const char *comma = used ? ", " : "";
  if (used + 64 > capacity) {
    if (used + 8 < capacity && text[used - 1] != '.') {
      snprintf(text + used, capacity - used, " ...");
    }
  } else if (a == b) {
    snprintf(text + used, capacity - used, "%s%lld", comma, (long long)a);
  } else {
    snprintf(text + used, capacity - used, "%s%lld-%lld", comma, (long long)a, (long long)b);
  }
}

// The tasks of a rank are free again. `text` gets the numbers of their rollouts.
static int64_t release_tasks(dispatch *d, int rank, char *text, size_t capacity) {
  const sn_rollout_request *q = d->job->request;
  int64_t n = 0, start = -1, row = 0;
  text[0] = 0;
  for (int64_t task = 0; task < d->job->ntask; task++, row++) {
    int64_t skipped = 0;   // rows before that of this task
    while (q && q->skip && row < q->n && q->skip[row]) {
      row++;
      skipped++;
    }
    const int is_its = d->owner[task] == rank;
    if (start >= 0 && (!is_its || skipped)) {
      name_rollouts(text, capacity, start, (q ? q->first : 0) + row - skipped - 1);
      start = -1;
    }
    if (is_its) {
      d->owner[task] = FREE;
      d->first = n == 0 && task < d->first ? task : d->first;
      start = start < 0 ? (q ? q->first : 0) + row : start;
      n++;
    }
  }
  if (start >= 0) {
    name_rollouts(text, capacity, start, (q ? q->first : 0) + row - 1);
  }
  d->nfree += n;
  return n;
}

static int is_canceled(dispatch *d) {
  const sn_rollout_request *q = d->job->request;
  d->canceled = d->canceled || (q && q->cancel && __atomic_load_n(q->cancel, __ATOMIC_RELAXED));
  return d->canceled;
}

static void finish(dispatch *d, int64_t task) {
  d->owner[task] = DONE;
  d->done++;
  if (d->job->progress && d->job->progress(d->job, d->done)) {
    d->canceled = 1;
  }
}

// ------------------------------------------------------------------ messages

static void send_chunk(dispatch *d, int rank) {
  peer *p = &d->peers[rank];
  const int64_t bytes = mpi_task_bytes(d->job), room = MOST_BYTES / bytes;
  int64_t n = 1 + d->nfree / (CHUNKS * (d->nready + 1));
  n = n < MOST_TASKS ? n : MOST_TASKS;
  n = n < room ? n : room > 0 ? room : 1;
  n = n < d->nfree ? n : d->nfree;
  load *work = mpi_load(n * bytes);
  for (int64_t i = 0; work && i < n; i++) {
    const int64_t task = take_task(d, rank);
    memcpy(work->bytes + i * bytes, &task, sizeof task);
    d->job->get_row(d->job, task, work->bytes + i * bytes + sizeof task);
  }
  p->heard = p->outstanding > 0 ? p->heard : mpi_now();
  p->outstanding += n;
  p->chunk = n;
  d->failed = !work || !mpi_post(d->me, rank, WORK, work, 0, n * bytes);
  mpi_load_drop(work);
}

static void send_chunks(dispatch *d) {
  for (int r = 1; r < d->me->size && d->nfree > 0 && !d->failed; r++) {
    const peer *p = &d->peers[r];
    if (p->ready && !p->lost && p->outstanding <= (p->chunk + 1) / 2) {
      send_chunk(d, r);
    }
  }
  mpi_reap(d->me);
}

static void note_ready(dispatch *d, int rank, const answer *a) {
  if (a->job == d->me->job && a->status >= 0) {
    d->peers[rank].ready = 1;
    d->nready++;
  }
}

static void note_result(dispatch *d, int rank, const answer *a) {
  peer *p = &d->peers[rank];
  if (a->job != d->me->job || a->task < 0 || a->task >= d->job->ntask) {
    return;   // of a job that was canceled
  }
  d->nready += p->lost;
  p->lost = 0;
  p->worked = 1;
  p->heard = mpi_now();
  p->outstanding -= p->outstanding > 0;
  d->me->slowest = a->seconds > d->me->slowest ? a->seconds : d->me->slowest;
  const int32_t owner = d->owner[a->task];
  if (owner != DONE) {
    d->nfree -= owner == FREE;
    d->job->put(d->job, a->task, (sn_status)a->status, a->reached, d->result + sizeof *a);
    finish(d, a->task);
  }
}

// Takes all messages that are there; returns their number.
static int receive(dispatch *d) {
  int n = 0;
  for (;;) {
    int there = 0;
    MPI_Status s;
    answer a;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, d->me->comm, &there, &s);
    if (!there || is_canceled(d)) {
      return n;
    }
    int count;
    MPI_Get_count(&s, MPI_BYTE, &count);
    n++;
    if (count > (int64_t)sizeof a + d->job->result_bytes) {
      // of a job before this one, which had longer results
      d->failed = !mpi_discard(d->me, &s);
      if (d->failed) {
        return n;
      }
      continue;
    }
    MPI_Recv(d->result, count, MPI_BYTE, s.MPI_SOURCE, s.MPI_TAG, d->me->comm, MPI_STATUS_IGNORE);
    memcpy(&a, d->result, sizeof a);
    if (s.MPI_TAG == READY) {
      note_ready(d, s.MPI_SOURCE, &a);
    } else {
      note_result(d, s.MPI_SOURCE, &a);
    }
  }
}

static void look_for_lost(dispatch *d) {
  const double limit = mpi_limit(d->me), now = mpi_now();
  for (int r = 1; r < d->me->size && d->me->slowest > 0; r++) {
    peer *p = &d->peers[r];
    if (p->ready && !p->lost && p->outstanding > 0 && now - p->heard > limit) {
      char list[200], text[400];
      p->lost = 1;
      p->outstanding = 0;
      d->nready--;
      const int64_t n = release_tasks(d, r, list, sizeof list);
      snprintf(text, sizeof text,
               "rank %d has not answered for %.3g s; its %lld unfinished rollouts are run by "
               "other ranks: %s",
               r, now - p->heard, (long long)n, list);
      mpi_warn(d->me, text);
    }
  }
}

// ------------------------------------------------------------------ tasks that are run here

static void run_task(dispatch *d) {
  sn_job *job = d->job;
  const int64_t task = take_task(d, 0);
  uint8_t *results = job->results;
  const double start = mpi_now();
  job->status[task] = job->run(job, d->worker, task, results ? results + task * job->nresult : NULL,
                               &job->reached[task]);
  const double seconds = mpi_now() - start;
  d->me->slowest = seconds > d->me->slowest ? seconds : d->me->slowest;
  finish(d, task);
}

// Whether a task should be run here.
static int works(dispatch *d, double start) {
  if (d->nfree == 0 || d->here < 0) {
    return 0;
  }
  if (d->me->size < d->me->dispatch || (d->nready == 0 && mpi_now() - start > d->me->patience)) {
    d->here = d->worker ? SN_OK : d->job->open(d->job, 0, &d->worker);
    return d->here >= 0;
  }
  return 0;
}

static sn_status run_all(dispatch *d) {
  const double start = mpi_now();
  int idle = 0;
  while (d->done < d->job->ntask && !is_canceled(d) && !d->failed) {
    if (receive(d)) {
      idle = 0;
    }
    if (d->canceled) {
      break;
    }
    send_chunks(d);
    if (works(d, start)) {
      run_task(d);
      idle = 0;
    } else {
      look_for_lost(d);
      mpi_rest(&idle);
    }
    if (d->here < 0 && d->nready == 0 && mpi_now() - start > d->me->patience) {
      return d->here;   // no rank can run tasks
    }
  }
  return d->failed ? SN_ENOMEM : SN_OK;
}

// ------------------------------------------------------------------ a job

static sn_status add(sn_sink *sink, const void *bytes, int64_t count) {
  return mpi_load_add(sink->context, bytes, count);
}

// To all ranks. What a rank has not received when the job ends is kept until it has.
static sn_status send_job(mpi *me, load *description) {
  const letter l = { .job = ++me->job, .bytes = description->n };
  load *head = mpi_load(sizeof l);
  int sent = head && mpi_load_add(head, &l, sizeof l) >= 0;
  for (int r = 1; r < me->size && sent; r++) {
    sent = mpi_post(me, r, JOB, head, 0, head->n);
    for (int64_t at = 0; at < description->n && sent; at += LONGEST_PIECE) {
      const int64_t rest = description->n - at;
      sent = mpi_post(me, r, PIECE, description, at, rest < LONGEST_PIECE ? rest : LONGEST_PIECE);
    }
  }
  mpi_load_drop(head);
  return sent ? SN_OK : SN_ENOMEM;
}

static int64_t count_workers(const dispatch *d) {
  int64_t n = d->worker != NULL;
  for (int r = 1; r < d->me->size; r++) {
    n += d->peers[r].worked;
  }
  return n;
}

static void end_job(mpi *me) {
  for (int r = 1; r < me->size; r++) {
    MPI_Send(NULL, 0, MPI_BYTE, r, END, me->comm);   // empty, so this does not block
  }
  mpi_reap(me);
}

static sn_status run_described(dispatch *d, load *description, sn_error *error) {
  mpi *me = d->me;
  sn_job *job = d->job;
  const size_t n = (size_t)job->ntask;
  d->owner = malloc((n + 1) * sizeof *d->owner);
  d->peers = calloc((size_t)me->size, sizeof *d->peers);
  d->result = malloc(sizeof(answer) + (size_t)job->result_bytes);
  sn_status status = SN_ENOMEM;
  if (d->owner && d->peers && d->result) {
    for (size_t i = 0; i < n; i++) {
      d->owner[i] = FREE;
    }
    d->nfree = job->ntask;
    status = send_job(me, description);
    status = status < 0 ? status : run_all(d);
    end_job(me);
    me->worked = count_workers(d);
  }
  if (d->worker) {
    job->close(job, d->worker);
  }
  free(d->owner);
  free(d->peers);
  free(d->result);
  return status == SN_ENOMEM && d->here >= 0
             ? mpi_fail(me, error, status, "out of memory for the messages of rollouts")
             : status;
}

// Without other processes: one task after another.
static sn_status run_here(sn_job *job) {
  void *worker = NULL;
  SN_TRY(job->open(job, 0, &worker));
  uint8_t *results = job->results;
  for (int64_t i = 0; i < job->ntask; i++) {
    job->status[i] = job->run(job, worker, i, results ? results + i * job->nresult : NULL,
                              &job->reached[i]);
    if (job->progress && job->progress(job, i + 1)) {
      break;
    }
  }
  job->close(job, worker);
  return SN_OK;
}

sn_status mpi_run(const void *self, sn_job *job, sn_error *error) {
  mpi *me = (mpi *)(uintptr_t)self;
  SN_TRY(mpi_start(me, error));
  if (me->rank > 0) {
    return mpi_fail(
        me, error, SN_EINVAL,
        "only the process of rank 0 can start rollouts: call sn_rollout_serve in all processes "
        "first, then sn_rollout where it has set *served to 0");
  }
  const int described = SN_HAS(job, put) && job->describe && job->get_row && job->put;
  if (me->size == 1 || !described) {
    return run_here(job);
  }
  const int64_t most = INT32_MAX - (int64_t)sizeof(answer);
  if (job->result_bytes > most || mpi_task_bytes(job) > most) {
    return mpi_fail(me, error, SN_EUNSUPPORTED,
                    "a rollout has more than 2 GiB of results or of inputs; record less often");
  }
  load *description = mpi_load(1 << 16);
  if (!description) {
    return mpi_fail(me, error, SN_ENOMEM, "out of memory for the description of rollouts");
  }
  sn_sink sink = { .size = sizeof sink, .context = description, .write = add };
  sn_status status = job->describe(job, &sink, error);
  if (status >= 0) {
    dispatch d = { .me = me, .job = job };
    status = run_described(&d, description, error);
  }
  mpi_load_drop(description);
  return status;
}
