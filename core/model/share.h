// SPDX-License-Identifier: Apache-2.0
//
// Several threads in one step. A stage whose work falls apart into tasks that neither read what
// another one writes nor write what another one reads gives them to the workers of the simulation,
// each a thread (the option `threads`). With one worker, or where there are too few tasks, it is
// a loop.
//
//   task   0 1 2 3 4 5 6 7 8
//   worker 0 1 1 0 1 0 0 1 0      a free worker takes the next one
//
// The result does not depend on the number of workers:
//   - a task gets its number, and writes at the place of its number; sums over tasks are made
//     afterwards, in the order of the tasks;
//   - of several errors, faults of plugins or first warnings of a kind that of the first task
//     counts. A task that is before one that failed was taken before, and is finished.
// Checked steps (model/checking.h) have one worker: they compare all memory of a simulation.

#ifndef SI_MODEL_SHARE_H
#define SI_MODEL_SHARE_H

#include "model/data.h"

// Of tasks of one worker, the compiler makes the loop that they are: small models are not to pay.
#define SI_TASK __attribute__((always_inline)) static inline

// Negative: w->error says why, and later tasks are left out.
typedef sn_status si_task_fn(const sn_model *m, sn_data *d, si_worker *w, int64_t task,
                             void *context);

sn_status si_share_tasks(const sn_model *m, sn_data *d, int64_t n, si_task_fn *task, void *context);

static inline int si_shares(const sn_data *d) {
  return d->sharing && !d->worker[0].checker;
}

si_sharing *si_sharing_new(int32_t nworker);   // NULL: no memory
void si_sharing_free(si_sharing *sharing);
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

// The same for what cannot fail.
__attribute__((always_inline)) static inline void si_share_runs(const sn_model *m, sn_data *d,
                                                                si_task_fn *task, void *context) {
  si_share(m, d, d->sleep.nrun, task, context);
}

#endif
