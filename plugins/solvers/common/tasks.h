// SPDX-License-Identifier: Apache-2.0
//
// Parts of a solution on several threads: the service sinew.tasks/1 with the scratch memory of the
// call that uses it.

#ifndef SOLVERS_TASKS_H
#define SOLVERS_TASKS_H

#include "sinew/plugin.h"

typedef struct tasks {
  const sn_tasks_service *service;
  sn_scratch *scratch;   // of the host
  int32_t nthread;       // 1: there is nothing to gain
  int32_t reserved;
} tasks;

// service: NULL: the host lacks it.
static inline tasks tasks_with(const sn_tasks_service *service, sn_scratch *scratch) {
  return (tasks){ service, scratch, service ? service->nthread(scratch) : 1, 0 };
}

// The tasks change no floating-point environment, so nothing can fail.
static inline void tasks_run(const tasks *t, int64_t n, void (*task)(void *context, int64_t k),
                             void *context) {
  if (t->nthread > 1 && n > 1) {
    t->service->run(t->scratch, n, task, context);
    return;
  }
  for (int64_t k = 0; k < n; k++) {
    task(context, k);
  }
}

#endif
