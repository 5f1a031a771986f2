// SPDX-License-Identifier: Apache-2.0
//
// Threads that work on one thing, processors, and the clock.

#include <stdatomic.h>

#include "platform/clock.h"
#include "platform/thread.h"
#include "suite.h"

typedef struct work {
  atomic_llong next, sum, threads;
} work;

enum { ITEMS = 100000 };

static void add_up(void *context) {
  work *w = context;
  atomic_fetch_add(&w->threads, 1);
  for (long long k; (k = atomic_fetch_add(&w->next, 1)) < ITEMS;) {
    atomic_fetch_add(&w->sum, k);
  }
}

// Each item is worked on once, all threads have ended, and none is more than was asked for.
START_TEST(threads_finish_the_work) {
  static const int64_t counts[] = { 0, 1, 2, 7, 1000 };
  work w = { 0 };
  si_threads_run(counts[_i], add_up, &w);
  ck_assert_int_eq(atomic_load(&w.sum), (long long)ITEMS * (ITEMS - 1) / 2);
  ck_assert_int_ge(atomic_load(&w.threads), 1);
  ck_assert_int_le(atomic_load(&w.threads), counts[_i] > 1 ? counts[_i] : 1);
}
END_TEST

START_TEST(processors_are_counted) {
  ck_assert_int_ge(si_processors(), 1);
}
END_TEST

START_TEST(clock_runs_forwards) {
  double last = si_clock();
  for (int i = 0; i < 1000; i++) {
    const double now = si_clock();
    ck_assert_double_ge(now, last);
    last = now;
  }
}
END_TEST

TESTS() {
  EACH(threads_finish_the_work, 0, 5);
  TEST(processors_are_counted);
  TEST(clock_runs_forwards);
}
