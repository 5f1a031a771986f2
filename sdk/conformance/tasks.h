// SPDX-License-Identifier: Apache-2.0
//
// The service sinew.tasks/1 as the kit offers it to the provider that it tests. Its number of
// threads is two, and the tasks of an operation run in the order that the test wants.

#ifndef SINEW_CONFORMANCE_TASKS_H
#define SINEW_CONFORMANCE_TASKS_H

#include "sinew/sinew.h"

enum {
  KIT_IN_ORDER,   // from the first to the last
  KIT_ALONE,      // likewise, and the number of threads is one
  KIT_REVERSED,
  KIT_AT_ONCE,    // on two threads
  KIT_NTASKMODES
};

typedef struct kit_tasks {
  int mode;
  // of the operations that were called with it
  _Atomic int used;            // how often they asked the service
  _Atomic int takes, nested;   // how often a task took scratch memory, or ran tasks itself
} kit_tasks;

// Between the two, the host of this engine offers the service of the kit. The kit's own engines, of
// its worlds, offer it until they are closed.
void kit_tasks_begin(sn_engine *engine);
void kit_tasks_end(sn_engine *engine);

int kit_tasks_used(const kit_tasks *tasks);
// What a task did that it must not, as the rest of a sentence; NULL: nothing.
const char *kit_tasks_fault(const kit_tasks *tasks);
// Before scratch memory is lent. False: a task wants it, which was noted, while others may run.
int kit_tasks_may_take(kit_tasks *tasks);

#endif
