// SPDX-License-Identifier: Apache-2.0
//
// Ranks other than 0: they run what rank 0 sends, one job after another; see mpi.h. Results are
// sent from one of several buffers in turn, so that the next task need not wait until rank 0 has
// received them.

#include "mpi.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 8, BUFFERED = 1 << 26 };   // BUFFERED: bytes of all buffers, beside the first

typedef struct server {
  mpi *me;
  int64_t number;   // of the job
  sn_job *job;      // NULL: there is none
  void *worker;
  double looked;   // when it last looked whether the job has ended
  int nbuffer, next;
  uint8_t *buffer[MOST_BUFFERS];
  MPI_Request request[MOST_BUFFERS];   // MPI_REQUEST_NULL: the buffer is free
} server;

// ------------------------------------------------------------------ messages

// Waits for a message of rank 0; its tag.
static int wait_message(const mpi *me, int *count) {
  MPI_Status s;
  for (int there = 0, n = 0; !there; mpi_rest(&n)) {
    MPI_Iprobe(0, MPI_ANY_TAG, me->comm, &there, &s);
  }
  MPI_Get_count(&s, MPI_BYTE, count);
  return s.MPI_TAG;
}

static int is_ended(const mpi *me) {
  int there = 0;
  MPI_Iprobe(0, END, me->comm, &there, MPI_STATUS_IGNORE);
  return there;
}

// The description of a job, to be freed; NULL: no memory, and its pieces are dropped.
static uint8_t *receive_job(const mpi *me, letter *l) {
  MPI_Recv(l, sizeof *l, MPI_BYTE, 0, JOB, me->comm, MPI_STATUS_IGNORE);
  uint8_t *bytes = malloc((size_t)l->bytes + 1);
  for (int64_t at = 0; at < l->bytes; at += LONGEST_PIECE) {
    const int64_t n = l->bytes - at < LONGEST_PIECE ? l->bytes - at : LONGEST_PIECE;
    uint8_t nothing;
    MPI_Recv(bytes ? bytes + at : &nothing, bytes ? (int)n : 0, MPI_BYTE, 0, PIECE, me->comm,
             MPI_STATUS_IGNORE);
  }
  return bytes;
}

// Before each step, which may take less time than looking for a message.
static int32_t is_canceled(void *context) {
  server *s = context;
  const double now = mpi_now();
  if (now - s->looked < 1e-3) {
    return 0;
  }
  s->looked = now;
  return is_ended(s->me);
}

// ------------------------------------------------------------------ one job

static void close_job(server *s) {
  for (int i = 0; i < s->nbuffer; i++) {
    MPI_Wait(&s->request[i], MPI_STATUS_IGNORE);
    free(s->buffer[i]);
  }
  if (s->worker) {
    s->job->close(s->job, s->worker);
  }
  if (s->job) {
    s->me->jobs.close(s->job);
  }
  *s = (server){ .me = s->me };
}

static sn_status make_buffers(server *s) {
  const int64_t bytes = (int64_t)sizeof(answer) + s->job->result_bytes;
  const int64_t n = 1 + BUFFERED / bytes;
  while (s->nbuffer < MOST_BUFFERS && s->nbuffer < n) {
    s->request[s->nbuffer] = MPI_REQUEST_NULL;
    s->buffer[s->nbuffer] = malloc((size_t)bytes);
    if (!s->buffer[s->nbuffer]) {
      return s->nbuffer > 0 ? SN_OK : SN_ENOMEM;
    }
    s->nbuffer++;
  }
  return SN_OK;
}

static sn_status open_job(server *s, sn_error *error) {
  mpi *me = s->me;
  letter l;
  uint8_t *bytes = receive_job(me, &l);
  sn_status status = bytes ? SN_OK : SN_ENOMEM;
  s->number = l.job;
  status = status < 0 ? status : me->jobs.open(me->base.host, bytes, l.bytes, &s->job, error);
  free(bytes);
  if (status >= 0 && SN_HAS(s->job, cancel_context)) {
    s->job->is_canceled = is_canceled;
    s->job->cancel_context = s;
  }
  status = status < 0 ? status : s->job->open(s->job, me->rank, &s->worker);
  status = status < 0 ? status : make_buffers(s);
  if (status == SN_ENOMEM) {
    mpi_fail(me, error, status, "out of memory for rollouts of another process");
  }
  const answer a = { .job = l.job, .status = status };
  MPI_Send(&a, sizeof a, MPI_BYTE, 0, READY, me->comm);
  if (status < 0) {
    close_job(s);
  }
  return status;
}

// ------------------------------------------------------------------ tasks

static void run_task(server *s, const uint8_t *work) {
  const int i = s->next;
  s->next = (i + 1) % s->nbuffer;
  MPI_Wait(&s->request[i], MPI_STATUS_IGNORE);
  answer a = { .job = s->number };
  memcpy(&a.task, work, sizeof a.task);
  const double start = mpi_now();
  a.status = s->job->run_row(s->job, s->worker, work + sizeof a.task, s->buffer[i] + sizeof a,
                             &a.reached);
  if (a.status == SN_ECANCELED) {
    return;
  }
  a.seconds = mpi_now() - start;
  memcpy(s->buffer[i], &a, sizeof a);
  MPI_Isend(s->buffer[i], (int)((int64_t)sizeof a + s->job->result_bytes), MPI_BYTE, 0, RESULT,
            s->me->comm, &s->request[i]);
}

// A message of tasks. Those that remain when the job has ended are dropped.
static void run_tasks(server *s, int count) {
  uint8_t *work = malloc((size_t)count + 1);
  MPI_Recv(work, work ? count : 0, MPI_BYTE, 0, WORK, s->me->comm, MPI_STATUS_IGNORE);
  for (int64_t at = 0; work && s->job && at < count && !is_ended(s->me);
       at += mpi_task_bytes(s->job)) {
    run_task(s, work + at);
  }
  free(work);   // without memory for them, rank 0 gives the tasks to others
}

sn_status mpi_serve(const void *self, int32_t *served, sn_error *error) {
  mpi *me = (mpi *)(uintptr_t)self;
  server s = { .me = me };
  sn_status status = SN_OK;
  SN_TRY(mpi_start(me, error));
  if (!me->ready) {
    mpi_warn(me, "this process was not started by mpirun or srun, so it is the only one");
  }
  *served = me->rank > 0;
  while (*served) {
    int count;
    const int tag = wait_message(me, &count);
    if (tag == JOB) {
      const sn_status opened = open_job(&s, error);
      status = status < 0 ? status : opened;
    } else if (tag == WORK) {
      run_tasks(&s, count);
    } else {
      MPI_Recv(NULL, 0, MPI_BYTE, 0, tag, me->comm, MPI_STATUS_IGNORE);
      close_job(&s);
      if (tag == QUIT) {
        MPI_Send(NULL, 0, MPI_BYTE, 0, BYE, me->comm);
        MPI_Recv(&me->parted, 1, MPI_INT, 0, PART, me->comm, MPI_STATUS_IGNORE);
        break;
      }
    }
  }
  return status;
}
