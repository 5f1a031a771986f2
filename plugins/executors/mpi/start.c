// SPDX-License-Identifier: Apache-2.0
//
// Starting and ending MPI, messages on their way, and the operations of the part; see mpi.h.

#include "common/grow.h"
#include "mpi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ------------------------------------------------------------------ helpers of both sides

sn_status mpi_fail(const mpi *me, sn_error *error, sn_status status, const char *text) {
  return sn_host_fail(me->base.host, error, status, text);
}

void mpi_warn(const mpi *me, const char *text) {
  me->base.host->log(me->base.host, SN_LOG_WARNING, "mpi", text);
}

double mpi_limit(const mpi *me) {
  return me->patience + 4 * me->slowest;
}

double mpi_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// MPI's own waiting keeps a processor busy, which another rank may need.
void mpi_rest(int *n) {
  enum { SPINS = 100 };
  if (++*n > SPINS) {
    const struct timespec t = { 0, *n < 10 * SPINS ? 20000 : 500000 };
    nanosleep(&t, NULL);
  }
}

// ------------------------------------------------------------------ messages on their way

load *mpi_load(int64_t capacity) {
  load *l = malloc(sizeof *l);
  uint8_t *bytes = malloc((size_t)capacity + 1);
  if (!l || !bytes) {
    free(l);
    free(bytes);
    return NULL;
  }
  *l = (load){ .users = 1, .capacity = capacity, .bytes = bytes };
  return l;
}

sn_status mpi_load_add(load *l, const void *bytes, int64_t count) {
  uint8_t *bytes_of_load = grow(l->bytes, l->n + count, &l->capacity, 4096, 1);
  if (!bytes_of_load) {
    return SN_ENOMEM;
  }
  l->bytes = bytes_of_load;
  memcpy(l->bytes + l->n, bytes, (size_t)count);
  l->n += count;
  return SN_OK;
}

void mpi_load_drop(load *l) {
  if (l && --l->users == 0) {
    free(l->bytes);
    free(l);
  }
}

int mpi_post(mpi *me, int rank, int tag, load *l, int64_t first, int64_t count) {
  parcel *p = malloc(sizeof *p);
  if (!p) {
    return 0;
  }
  *p = (parcel){ .next = me->parcels, .load = l };
  l->users++;
  MPI_Isend(l->bytes + first, (int)count, MPI_BYTE, rank, tag, me->comm, &p->request);
  me->parcels = p;
  return 1;
}

void mpi_reap(mpi *me) {
  for (parcel **at = &me->parcels; *at;) {
    parcel *p = *at;
    int done = 0;
    MPI_Test(&p->request, &done, MPI_STATUS_IGNORE);
    if (done) {
      *at = p->next;
      mpi_load_drop(p->load);
      free(p);
    } else {
      at = &p->next;
    }
  }
}

int mpi_discard(const mpi *me, const MPI_Status *message) {
  int count;
  MPI_Get_count(message, MPI_BYTE, &count);
  void *bytes = malloc((size_t)count + 1);
  if (bytes) {
    MPI_Recv(bytes, count, MPI_BYTE, message->MPI_SOURCE, message->MPI_TAG, me->comm,
             MPI_STATUS_IGNORE);
  }
  free(bytes);
  return bytes != NULL;
}

// ------------------------------------------------------------------ start and end

// Plugins are loaded with RTLD_LOCAL, but components that MPI loads itself may look for its names
// among those of the whole program.
static void make_global(void) {
  Dl_info info;
  if (dladdr((void *)(uintptr_t)&MPI_Init_thread, &info) && info.dli_fname) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }
}

// Whether a launcher of MPI has started this process. Without one there is no other process, and
// MPI_Init would start a daemon for this one.
static int is_launched(void) {
  static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK",
                                       "PMI_SIZE" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (getenv(names[i])) {
      return 1;
    }
  }
  return 0;
}

sn_status mpi_start(mpi *me, sn_error *error) {
  int initialized = 0, finalized = 0, provided = 0;
  if (me->ready) {
    return SN_OK;
  }
  MPI_Initialized(&initialized);
  if (!initialized && !is_launched()) {
    me->size = 1;
    return SN_OK;
  }
  make_global();
  MPI_Finalized(&finalized);
  if (finalized) {
    return mpi_fail(me, error, SN_EINVAL,
                    "the program has called MPI_Finalize; use the executor mpi before that");
  }
  if (!initialized) {
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
      return mpi_fail(me, error, SN_EPLUGIN, "MPI_Init_thread failed");
    }
    me->started = 1;
  }
  if (MPI_Comm_dup(MPI_COMM_WORLD, &me->comm) != MPI_SUCCESS) {
    return mpi_fail(me, error, SN_EPLUGIN, "MPI_Comm_dup of MPI_COMM_WORLD failed");
  }
  MPI_Comm_set_errhandler(me->comm, MPI_ERRORS_RETURN);   // a rank that died ends no other
  MPI_Comm_rank(me->comm, &me->rank);
  MPI_Comm_size(me->comm, &me->size);
  me->ready = 1;
  return SN_OK;
}

// Rank 0 tells the others that it ends, and whether all of them have answered to that. A rank
// answers when its results have been taken, even those of rollouts that were canceled.
static void part(mpi *me) {
  const double start = mpi_now();
  int left = me->size - 1, n = 0;
  for (int r = 1; r < me->size; r++) {
    MPI_Send(NULL, 0, MPI_BYTE, r, QUIT, me->comm);   // empty, so this does not block
  }
  while (left > 0 && mpi_now() - start < mpi_limit(me)) {
    int there = 0;
    MPI_Status s;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, me->comm, &there, &s);
    if (there && mpi_discard(me, &s)) {
      left -= s.MPI_TAG == BYE;
      n = 0;
    } else {
      mpi_rest(&n);
    }
  }
  me->parted = left > 0;
  for (int r = 1; r < me->size; r++) {
    MPI_Send(&me->parted, 1, MPI_INT, r, PART, me->comm);
  }
}

static void end(mpi *me) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized) {
    return;
  }
  if (me->rank == 0) {
    part(me);
  }
  mpi_reap(me);
  if (me->started && !me->parted) {
    MPI_Finalize();
  }
}

// ------------------------------------------------------------------ the instance

static void destroy(void *self) {
  mpi *me = self;
  if (me->ready) {
    end(me);
  }
  sn_instance_destroy(self);
}

static const sn_executor_ops ops = {
  .head = { .size = sizeof(sn_executor_ops),
            .params = mpi_params,
            .create = mpi_create,
            .destroy = destroy },
  .workers = mpi_workers,
  .run = mpi_run,
  .serve = mpi_serve,
};

static const sn_provide provides[] = {
  SN_PROVIDE_EXECUTOR("mpi", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.mpi", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "rollouts on many machines, by MPI", .provides = provides)
