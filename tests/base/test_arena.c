// SPDX-License-Identifier: Apache-2.0
//
// The arena: what was taken never moves or overlaps, alignment, marks, growth that ends, limits.

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "suite.h"

START_TEST(blocks_are_aligned) {
  si_arena a;
  si_arena_init(&a, 0);
  for (int64_t alignment = 1; alignment <= 64; alignment *= 2) {
    for (int64_t bytes = 0; bytes < 20; bytes++) {
      uint8_t *p = si_arena_take(&a, bytes, alignment);
      ck_assert_ptr_nonnull(p);
      ck_assert_uint_eq((uintptr_t)p % (uintptr_t)alignment, 0);
    }
  }
  ck_assert_ptr_nonnull(a.scratch.alloc(&a.scratch, 8, 8));
  si_arena_free(&a);
}
END_TEST

// fills blocks of many sizes with their number and finds all of them unharmed at the end
START_TEST(blocks_do_not_overlap) {
  enum { N = 400 };
  si_arena a;
  si_arena_init(&a, 0);
  uint8_t *block[N];
  for (int i = 0; i < N; i++) {
    block[i] = si_arena_take(&a, 1 + 37 * i, 8);
    memset(block[i], i & 255, (size_t)(1 + 37 * i));
  }
  int harmed = 0;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 1 + 37 * i; k++) {
      harmed += block[i][k] != (i & 255);
    }
  }
  ck_assert_int_eq(harmed, 0);
  si_arena_free(&a);
}
END_TEST

START_TEST(release_returns_to_mark) {
  si_arena a;
  si_arena_init(&a, 0);
  uint8_t *first = si_arena_take(&a, 100, 8);
  memset(first, 7, 100);
  si_mark mark = si_arena_mark(&a);
  int64_t used = a.used;
  void *p = si_arena_take(&a, 64, 64);
  si_arena_release(&a, mark);
  ck_assert_int_eq(a.used, used);
  ck_assert_ptr_eq(si_arena_take(&a, 64, 64), p);

  // across chunks: what is below the mark stays
  si_arena_release(&a, mark);
  for (int i = 0; i < 50; i++) {
    memset(si_arena_take(&a, 100000, 8), 9, 100000);
  }
  si_arena_release(&a, mark);
  ck_assert_int_eq(a.used, used);
  for (int i = 0; i < 100; i++) {
    ck_assert_int_eq(first[i], 7);
  }
  si_arena_free(&a);
}
END_TEST

// nested marks as the stages of a step have them
START_TEST(nested_marks) {
  si_arena a;
  si_arena_init(&a, 0);
  for (int round = 0; round < 5; round++) {
    si_mark outer = si_arena_mark(&a);
    double *x = si_arena_take(&a, 50000 * 8, 64);
    x[49999] = 1.5;
    for (int k = 0; k < 3; k++) {
      si_mark inner = si_arena_mark(&a);
      double *y = si_arena_take(&a, 90000 * 8, 64);
      memset(y, 0, 90000 * 8);
      si_mark deep = si_arena_mark(&a);
      memset(si_arena_take(&a, 300000, 64), 0, 300000);
      si_arena_release(&a, deep);
      si_arena_release(&a, inner);
      ck_assert_double_eq(x[49999], 1.5);
    }
    si_arena_release(&a, outer);
    ck_assert_int_eq(a.used, 0);
  }
  si_arena_free(&a);
}
END_TEST

// a step that repeats allocates no more after the first: one chunk holds it all
START_TEST(growth_ends) {
  si_arena a;
  si_arena_init(&a, 0);
  int64_t capacity = 0;
  const si_chunk *chunk = NULL;
  for (int step = 0; step < 10; step++) {
    for (int i = 0; i < 30; i++) {
      ck_assert_ptr_nonnull(si_arena_take(&a, 33000, 64));
    }
    si_arena_reset(&a);
    ck_assert_int_eq(a.used, 0);
    if (step > 0) {
      ck_assert_int_eq(si_arena_capacity(&a), capacity);
      ck_assert_ptr_eq(a.top, chunk);
    }
    capacity = si_arena_capacity(&a);
    chunk = a.top;
  }
  ck_assert_int_ge(a.peak, 30 * 33000);
  si_arena_free(&a);
}
END_TEST

// the same by mark and release, as scratch memory is used
START_TEST(growth_ends_with_marks) {
  si_arena a;
  si_arena_init(&a, 0);
  const si_chunk *chunk = NULL;
  for (int step = 0; step < 10; step++) {
    si_mark mark = si_arena_mark(&a);
    for (int i = 0; i < 30; i++) {
      ck_assert_ptr_nonnull(si_arena_take(&a, 33000, 64));
    }
    si_arena_release(&a, mark);
    if (step > 1) {
      ck_assert_ptr_eq(a.top, chunk);
    }
    chunk = a.top;
  }
  si_arena_free(&a);
}
END_TEST

START_TEST(limit) {
  si_arena a;
  si_arena_init(&a, 1000);
  ck_assert_ptr_nonnull(si_arena_take(&a, 600, 8));
  ck_assert_ptr_null(si_arena_take(&a, 600, 8));
  ck_assert_int_eq(a.failed, 1);
  ck_assert_ptr_nonnull(si_arena_take(&a, 400, 8));
  si_arena_reset(&a);
  ck_assert_ptr_nonnull(si_arena_take(&a, 1000, 8));
  si_arena_free(&a);
}
END_TEST

START_TEST(full_arena_jumps_to_the_guard) {
  static si_arena a;
  static volatile int jumped;
  static jmp_buf guard;
  jumped = 0;
  si_arena_init(&a, 1 << 16);
  a.guard = &guard;
  if (setjmp(guard) == 0) {
    for (;;) {
      ck_assert_ptr_nonnull(si_arena_take(&a, 5000, 8));
    }
  } else {
    jumped = 1;
  }
  ck_assert_int_eq(jumped, 1);
  ck_assert_int_eq(a.failed, 1);
  ck_assert_int_le(a.used, 1 << 16);
  si_arena_free(&a);
}
END_TEST

START_TEST(nonsense_is_rejected) {
  si_arena a;
  si_arena_init(&a, 0);
  ck_assert_ptr_null(si_arena_take(&a, -1, 8));
  ck_assert_ptr_null(si_arena_take(&a, INT64_MAX, 8));
  ck_assert_ptr_null(si_arena_take(&a, 8, 3));
  ck_assert_ptr_null(si_arena_take(&a, 8, 0));
  ck_assert_ptr_null(si_arena_take(&a, 8, 128));
  ck_assert_int_eq(a.used, 0);
  si_arena_free(&a);
}
END_TEST

TESTS() {
  TEST(blocks_are_aligned);
  TEST(blocks_do_not_overlap);
  TEST(release_returns_to_mark);
  TEST(nested_marks);
  TEST(growth_ends);
  TEST(growth_ends_with_marks);
  TEST(limit);
  TEST(full_arena_jumps_to_the_guard);
  TEST(nonsense_is_rejected);
}
