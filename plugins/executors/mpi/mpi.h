// SPDX-License-Identifier: Apache-2.0
//
// Executor "mpi": rollouts in the processes that mpirun started. Rank 0 hands out tasks and stores
// their results; the other ranks are in `serve`.
//
//   rank 0 (dispatch.c)                                    another rank (serve.c)
//   JOB      what `describe` writes                   ->   makes the same job, opens a worker
//                                                     <-   READY
//   WORK     numbers and inputs of a few tasks        ->   runs them
//   stores each                                       <-   RESULT of each task as it is there
//   END      nothing more of this job                 ->   closes the worker
//   QUIT     when the engine is closed                ->   waits for PART
//                                                     <-   BYE
//   PART     whether all have answered                ->   returns
//
// A result depends on the inputs of its task alone, so it does not matter which rank runs a task,
// or whether two ranks run it. Rank 0 therefore never waits for a certain rank: what a rank that
// died, or does not answer, has not finished is run again by the others. For the same reason the
// job is sent to each rank by itself, and not by MPI_Bcast, which waits for all; and MPI_Finalize,
// which does as well, is called only where all ranks have answered at the end.

#ifndef SINEW_EXECUTORS_MPI_H
#define SINEW_EXECUTORS_MPI_H

#include <mpi.h>

#include "sinew/executor.h"
#include "sinew/instance.h"

enum { JOB = 1, PIECE, READY, WORK, RESULT, END, QUIT, BYE, PART };   // tags of messages
enum { LONGEST_PIECE = 1 << 30 };                          // MPI counts bytes with an int

// Bytes that are sent, to one rank or to several; freed when nothing uses them any more.
typedef struct load {
  int64_t users, n, capacity;
  uint8_t *bytes;
} load;

// A message that is on its way.
typedef struct parcel parcel;
struct parcel {
  parcel *next;
  MPI_Request request;
  load *load;
};

typedef struct mpi {
  sn_instance base;
  const sn_executor_ops *part;   // NULL: not loaded yet
  int64_t dispatch;           // so many processes: rank 0 only hands out tasks
  double patience, slowest;   // seconds; of all tasks so far
  sn_job_service jobs;
  int ready, started;   // the communicator is there; MPI was started here
  MPI_Comm comm;
  int rank, size;
  int64_t job;   // number of the present job of rank 0
  parcel *parcels;
  int64_t worked;   // ranks that ran rollouts of the last job; 0: there was none
  int parted;   // a rank does not answer, so MPI cannot be finalized
} mpi;

// The start of JOB: the bytes of the description, which follow in pieces.
typedef struct letter {
  int64_t job, bytes;
} letter;

// READY, and the start of RESULT, before the results.
typedef struct answer {
  int64_t job, task, reached, status;
  double seconds;   // that the task took
} answer;

// parameters.c, in both files
extern const sn_param mpi_params[];
sn_status mpi_create(const sn_host *host, const sn_value *values, void **self, sn_error *error);
int64_t mpi_workers(const void *self);

// Starts MPI, if the program has not; again it does nothing. Without mpirun or another launcher
// `ready` stays 0, and this is the only process.
sn_status mpi_start(mpi *me, sn_error *error);
sn_status mpi_fail(const mpi *me, sn_error *error, sn_status status, const char *text);
void mpi_warn(const mpi *me, const char *text);
double mpi_limit(const mpi *me);   // seconds for which a rank may be silent
double mpi_now(void);    // seconds
void mpi_rest(int *n);   // after looking for messages in vain for the nth time; n grows

// The bytes of a task in WORK: its number, its inputs.
static inline int64_t mpi_task_bytes(const sn_job *job) {
  return 8 + job->row_bytes;
}

// start.c. A load with one user and room for some bytes; NULL: no memory.
load *mpi_load(int64_t capacity);
sn_status mpi_load_add(load *l, const void *bytes, int64_t count);
void mpi_load_drop(load *l);   // one user less
// Sends a part of a load without waiting. False: no memory.
int mpi_post(mpi *me, int rank, int tag, load *l, int64_t first, int64_t count);
void mpi_reap(mpi *me);   // frees what has arrived
// Receives a message that was found, since its sender waits for that, and drops it. False: no
// memory, and the message stays.
int mpi_discard(const mpi *me, const MPI_Status *message);

sn_status mpi_run(const void *self, sn_job *job, sn_error *error);         // dispatch.c
sn_status mpi_serve(const void *self, int32_t *served, sn_error *error);   // serve.c

#endif
