// SPDX-License-Identifier: Apache-2.0

#include "platform/thread.h"

#include <pthread.h>
#include <unistd.h>

int64_t si_processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 1 ? n : 1;
}

typedef struct job {
  void (*work)(void *context);
  void *context;
} job;

static void *run(void *context) {
  const job *j = context;
  j->work(j->context);
  return NULL;
}

void si_threads_run(int64_t n, void (*work)(void *context), void *context) {
  enum { MOST = 64 };
  pthread_t thread[MOST];
  job j = { work, context };
  int64_t started = 0;
  while (started < n - 1 && started < MOST &&
         pthread_create(&thread[started], NULL, run, &j) == 0) {
    started++;
  }
  work(context);
  for (int64_t k = 0; k < started; k++) {
    pthread_join(thread[k], NULL);
  }
}
