// SPDX-License-Identifier: Apache-2.0
//
// Orders of keys: sorted, and with the least ones first, for keys in random and in special orders.

#include "contact/collision.h"
#include "suite.h"

enum { MOST = 300 };

static uint64_t number_of(const char *order, int64_t i, int64_t n) {
  return strcmp(order, "rising") == 0    ? (uint64_t)i
         : strcmp(order, "falling") == 0 ? (uint64_t)(n - i)
         : strcmp(order, "equal") == 0   ? 7
         : strcmp(order, "waves") == 0   ? (uint64_t)(i % 5)
         : strcmp(order, "peak") == 0    ? (uint64_t)(i < n / 2 ? i : n - i)
                                         : (uint64_t)(2654435761u * (uint32_t)(i + 1) >> 8) % 100;
}

static const char *const orders[] = { "rising", "falling", "equal", "waves", "peak", "random" };

static void fill(si_sort_key *keys, const char *order, int64_t n, int is_unique) {
  for (int64_t i = 0; i < n; i++) {
    keys[i] = (si_sort_key){ number_of(order, i, n), is_unique ? (uint64_t)i : 0, i };
  }
}

static int is_less(const si_sort_key *x, const si_sort_key *y) {
  return x->a < y->a || (x->a == y->a && x->b < y->b);
}

START_TEST(sorted_keys_rise_and_equal_ones_keep_their_order) {
  si_sort_key keys[MOST], work[MOST];
  for (int64_t n = 0; n <= MOST; n += n < 40 ? 1 : 13) {
    fill(keys, orders[_i], n, 0);
    si_sort_keys(keys, work, n);
    for (int64_t i = 1; i < n; i++) {
      ck_assert(keys[i - 1].a < keys[i].a ||
                (keys[i - 1].a == keys[i].a && keys[i - 1].index < keys[i].index));
    }
  }
}
END_TEST

// As a sort puts them there, each index once.
START_TEST(selected_keys_are_the_least) {
  si_sort_key keys[MOST], sorted[MOST], work[MOST];
  for (int64_t n = 1; n <= MOST; n += n < 40 ? 1 : 13) {
    for (int64_t count = 0; count <= n; count += n < 40 ? 1 : 11) {
      fill(keys, orders[_i], n, 1);
      memcpy(sorted, keys, sizeof keys);
      si_sort_keys(sorted, work, n);
      si_select_keys(keys, work, n, count);
      int seen[MOST] = { 0 };
      for (int64_t i = 0; i < n; i++) {
        seen[keys[i].index]++;
        ck_assert_int_eq(i<count, count> 0 && !is_less(&sorted[count - 1], &keys[i]));
      }
      for (int64_t i = 0; i < n; i++) {
        ck_assert_int_eq(seen[i], 1);
      }
    }
  }
}
END_TEST

TESTS() {
  EACH(sorted_keys_rise_and_equal_ones_keep_their_order, 0, 6);
  EACH(selected_keys_are_the_least, 0, 6);
}
