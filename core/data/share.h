// SPDX-License-Identifier: Apache-2.0
//
// Several threads in one step. A stage whose work falls apart into tasks that neither read what
// another one writes nor write what another one reads gives them to the workers of the simulation,
// each a thread (the option `threads`). With one worker, or where there are too few tasks, it is
// a loop.
//
//   task   0 1 2 3 4 5 6 7 8
//   worker 0 0 0 0 1 1 1 1 0      a worker takes its own, then those that others have left
//
// In most stages tasks of one number are about the same trees. What a worker wrote is then in the
// cache of its processor when it reads it: fetching it from another one takes as long as tasks do.
//
// The result does not depend on the number of workers:
//   - a task gets its number, and writes at the place of its number; sums over tasks are made
//     afterwards, in the order of the tasks;
//   - of several errors, faults of plugins or first warnings of a kind that of the first task
//     counts. Tasks before one that failed are finished.
// Checked steps (data/checking.h) have one worker: they compare all memory of a simulation. So have
// steps with a limit of memory, and those in which the others would save no time (data/gain.h).

#ifndef SI_DATA_SHARE_H
#define SI_DATA_SHARE_H

#include "data/data.h"

// Of tasks of one worker, the compiler makes the loop that they are: small models are not to pay.
#define SI_TASK __attribute__((always_inline)) static inline

// Negative: w->error says why, and later tasks are left out.
typedef sn_status si_task_fn(const sn_model *m, sn_data *d, si_worker *w, int64_t task,
                             void *context);

sn_status si_share_tasks(const sn_model *m, sn_data *d, int64_t n, si_task_fn *task, void *context);

// Has this simulation several workers, and do they share the present step?
static inline int si_may_share(const sn_data *d) {
  return d->sharing && !d->worker[0].checker;
}

static inline int si_shares(const sn_data *d) {
  return si_may_share(d) && !d->is_alone;
}

si_sharing *si_sharing_new(int32_t nworker);   // NULL: no memory
void si_sharing_free(si_sharing *sharing);
// Around a call that computes: decides whether it is shared. Only steps are measured. A simulation
// whose memory is limited has one thread: what fits must not depend on the number of threads.
void si_sharing_begin(sn_data *d, int is_step);
void si_sharing_end(sn_data *d, int is_step);
// Waits for the other workers, where a plugin left a call in the thread of the first.
void si_sharing_leave(si_sharing *sharing);

// Runs tasks 0 ... n - 1. Scratch memory that they take and do not release stays until the next
// call; of the results (sn_data) they take none. Only within a stage, not within a task.
__attribute__((always_inline)) static inline sn_status si_share(const sn_model *m, sn_data *d,
                                                                int64_t n, si_task_fn *task,
                                                                void *context) {
  if (n > 1 && si_shares(d)) {
    return si_share_tasks(m, d, n, task, context);
  }
  for (int64_t k = 0; k < n; k++) {
    SN_TRY(task(m, d, &d->worker[0], k, context));
  }
  return SN_OK;
}

// Of things that are numbered, parts that are tasks: a few for each worker, so that they end
// together, but none with fewer than `least` things, which take less time than to share them.
typedef struct si_parts {
  int64_t total, n;   // things, parts
} si_parts;

typedef struct si_range {
  int64_t begin, end;
} si_range;

static inline si_parts si_parts_of(const sn_data *d, int64_t total, int64_t least) {
  enum { TASKS = 4 };   // of a worker
  if (!si_shares(d) || total < 2 * least) {
    return (si_parts){ total, 1 };
  }
  const int64_t most = (int64_t)TASKS * d->nworker, n = total / least;
  return (si_parts){ total, n < most ? n : most };
}

static inline si_range si_part(const si_parts *parts, int64_t k) {
  if (parts->n == 1) {
    return (si_range){ 0, parts->total };
  }
  return (si_range){ parts->total * k / parts->n, parts->total * (k + 1) / parts->n };
}

// The same for what cannot fail.
__attribute__((always_inline)) static inline void si_share_runs(const sn_model *m, sn_data *d,
                                                                si_task_fn *task, void *context) {
  si_share(m, d, d->sleep.nrun, task, context);
}

#endif
