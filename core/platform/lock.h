// SPDX-License-Identifier: Apache-2.0
//
// A lock: one thread at a time has it, and the others wait.

#ifndef SI_PLATFORM_LOCK_H
#define SI_PLATFORM_LOCK_H

#include <pthread.h>

typedef struct si_lock {
  pthread_mutex_t mutex;
} si_lock;

// The thread that has it may take it again, and releases it as often as it took it.
#define SI_LOCK_RECURSIVE \
  { PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP }

static inline void si_lock_open(si_lock *lock) {
  pthread_mutex_init(&lock->mutex, NULL);
}

static inline void si_lock_close(si_lock *lock) {
  pthread_mutex_destroy(&lock->mutex);
}

static inline void si_lock_take(si_lock *lock) {
  pthread_mutex_lock(&lock->mutex);
}

static inline void si_lock_release(si_lock *lock) {
  pthread_mutex_unlock(&lock->mutex);
}

#endif
