// SPDX-License-Identifier: Apache-2.0
//
// A team has one gate. A run opens it; a member that passes it counts as inside until its work is
// done; the caller closes it after its own work and waits until no member is inside.
//
//   gate   CLOSED       no run, or its end without members inside
//          CLOSED + k   k members have to end
//          k            open, k members inside
//
// So a member that wakes late finds the gate closed, and costs the caller nothing. A member learns
// of a run by the number of runs, for which it looks a while before it sleeps on a condition.

#include "platform/team.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/clock.h"

enum { CLOSED = INT_MIN / 2 };

// Seconds that a thread looks before it sleeps: longer than the serial parts of most steps that are
// worth sharing, because waking a thread takes as long as many tasks.
static const double patience = 2e-4;

typedef struct member {
  si_team *team;
  int32_t index;
  unsigned seen;   // runs
  pthread_t thread;
} member;

struct si_team {
  int32_t n, nstarted;   // nstarted: 0 before the first run
  pid_t process;         // whose threads these are
  void (*work)(void *context, int32_t member);   // of the present run
  void *context;
  atomic_uint run;       // number of runs
  atomic_int gate;
  atomic_int asleep;     // members that wait for `wake`
  atomic_int waits;      // the caller waits for `empty`
  int stop;              // under `lock`
  pthread_mutex_t lock;
  pthread_cond_t wake, empty;
  member at[];
};

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Between two looks at what another thread will change; how many there were. 0: it took too long.
static inline int look_again(int looks, double end) {
  relax();
  return looks % 64 || si_clock() < end;
}

// ------------------------------------------------------------------ members

// Waits for another run than those that it has seen. 0: the team ends.
static int wait_for_run(si_team *t, member *me) {
  const double end = si_clock() + patience;
  for (int i = 1; atomic_load(&t->run) == me->seen && look_again(i, end); i++) {}
  if (atomic_load(&t->run) == me->seen) {
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (!t->stop && atomic_load(&t->run) == me->seen) {
      pthread_cond_wait(&t->wake, &t->lock);
    }
    atomic_fetch_sub(&t->asleep, 1);
    const int stop = t->stop;
    pthread_mutex_unlock(&t->lock);
    if (stop) {
      return 0;
    }
  }
  me->seen = atomic_load(&t->run);
  return 1;
}

static int enter(si_team *t) {
  int inside = atomic_load(&t->gate);
  while (inside >= 0) {
    if (atomic_compare_exchange_weak(&t->gate, &inside, inside + 1)) {
      return 1;
    }
  }
  return 0;
}

static void *live(void *context) {
  member *me = context;
  si_team *t = me->team;
  while (wait_for_run(t, me)) {
    if (enter(t)) {
      t->work(t->context, me->index);
      if (atomic_fetch_sub(&t->gate, 1) == CLOSED + 1 && atomic_load(&t->waits)) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_signal(&t->empty);
        pthread_mutex_unlock(&t->lock);
      }
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ the caller

// Those that cannot be started are left out.
static void start(si_team *t) {
  t->process = getpid();
  t->nstarted = 1;
  for (int32_t k = 1; k < t->n; k++) {
    member *m = &t->at[k];
    *m = (member){ .team = t, .index = k, .seen = atomic_load(&t->run) };
    if (pthread_create(&m->thread, NULL, live, m) != 0) {
      return;
    }
    t->nstarted++;
  }
}

static void reset(si_team *t) {
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->wake, NULL);
  pthread_cond_init(&t->empty, NULL);
  atomic_store(&t->gate, CLOSED);
  atomic_store(&t->asleep, 0);
  atomic_store(&t->waits, 0);
  t->nstarted = 0;
}

si_team *si_team_new(int32_t n) {
  si_team *t = calloc(1, sizeof *t + (size_t)n * sizeof t->at[0]);
  if (t) {
    t->n = n;
    reset(t);
  }
  return t;
}

void si_team_leave(si_team *t) {
  int expected = atomic_load(&t->gate);
  while (expected >= 0 && !atomic_compare_exchange_weak(&t->gate, &expected, expected + CLOSED)) {}
  const double end = si_clock() + patience;
  for (int i = 1; atomic_load(&t->gate) != CLOSED && look_again(i, end); i++) {}
  if (atomic_load(&t->gate) != CLOSED) {
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->waits, 1);
    while (atomic_load(&t->gate) != CLOSED) {
      pthread_cond_wait(&t->empty, &t->lock);
    }
    atomic_store(&t->waits, 0);
    pthread_mutex_unlock(&t->lock);
  }
}

static void leave(si_team **t) {
  si_team_leave(*t);
}

void si_team_run(si_team *t, void (*work)(void *context, int32_t member), void *context) {
  // after a fork the threads exist in the parent alone
  if (t->nstarted && t->process != getpid()) {
    reset(t);
  }
  if (!t->nstarted) {
    start(t);
  }
  t->work = work;
  t->context = context;
  // also where an exception ends the work of the caller
  __attribute__((cleanup(leave))) si_team *run = t;
  atomic_store(&t->gate, 0);
  atomic_fetch_add(&t->run, 1);
  if (atomic_load(&t->asleep) > 0) {
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
  }
  work(context, 0);
  (void)run;
}

void si_team_free(si_team *t) {
  if (!t) {
    return;
  }
  if (t->nstarted && t->process == getpid()) {
    pthread_mutex_lock(&t->lock);
    t->stop = 1;
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    atomic_fetch_add(&t->run, 1);
    for (int32_t k = 1; k < t->nstarted; k++) {
      pthread_join(t->at[k].thread, NULL);
    }
    pthread_cond_destroy(&t->wake);
    pthread_cond_destroy(&t->empty);
    pthread_mutex_destroy(&t->lock);
  }
  free(t);
}
