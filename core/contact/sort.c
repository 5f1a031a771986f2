// SPDX-License-Identifier: Apache-2.0
//
// A stable merge sort without memory of its own: runs of eight by insertion, then merged pairwise
// from one array into the other and back. And the least keys without their order: Hoare's
// quickselect (Algorithm 65: Find, Comm. ACM 4, 1961).

#include "contact/collision.h"

enum { SORT_RUN = 8 };

static inline int key_less(const si_sort_key *x, const si_sort_key *y) {
  return x->a < y->a || (x->a == y->a && x->b < y->b);
}

static void sort_run(si_sort_key *keys, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    si_sort_key key = keys[i];
    int64_t j = i;
    while (j > 0 && key_less(&key, &keys[j - 1])) {
      keys[j] = keys[j - 1];
      j--;
    }
    keys[j] = key;
  }
}

// to[lo, hi) = the merged from[lo, mid) and from[mid, hi)
static void merge_runs(const si_sort_key *from, si_sort_key *to, int64_t lo, int64_t mid,
                       int64_t hi) {
  int64_t i = lo, j = mid;
  for (int64_t k = lo; k < hi; k++) {
    if (i < mid && (j >= hi || !key_less(&from[j], &from[i]))) {
      to[k] = from[i++];
    } else {
      to[k] = from[j++];
    }
  }
}

void si_sort_keys(si_sort_key *keys, si_sort_key *work, int64_t n) {
  for (int64_t lo = 0; lo < n; lo += SORT_RUN) {
    sort_run(keys + lo, n - lo < SORT_RUN ? n - lo : SORT_RUN);
  }
  si_sort_key *from = keys, *to = work;
  for (int64_t width = SORT_RUN; width < n; width *= 2) {
    for (int64_t lo = 0; lo < n; lo += 2 * width) {
      int64_t mid = lo + width < n ? lo + width : n;
      int64_t hi = lo + 2 * width < n ? lo + 2 * width : n;
      merge_runs(from, to, lo, mid, hi);
    }
    si_sort_key *swap = from;
    from = to;
    to = swap;
  }
  if (from != keys) {
    memcpy(keys, from, (size_t)n * sizeof *keys);
  }
}

static si_sort_key median_of(const si_sort_key *x, const si_sort_key *y, const si_sort_key *z) {
  const si_sort_key *low = key_less(y, x) ? y : x, *high = low == x ? y : x;
  return key_less(z, low) ? *low : key_less(high, z) ? *high : *z;
}

void si_select_keys(si_sort_key *keys, si_sort_key *work, int64_t n, int64_t count) {
  enum { ROUNDS = 64 };   // far more than keys need unless their order is made to need them
  int64_t lo = 0, hi = n;
  for (int round = 0; hi - lo > SORT_RUN && round < ROUNDS; round++) {
    const si_sort_key pivot = median_of(&keys[lo], &keys[(lo + hi) / 2], &keys[hi - 1]);
    int64_t i = lo, j = hi - 1;
    while (i <= j) {
      while (key_less(&keys[i], &pivot)) {
        i++;
      }
      while (key_less(&pivot, &keys[j])) {
        j--;
      }
      if (i <= j) {
        const si_sort_key key = keys[i];
        keys[i++] = keys[j];
        keys[j--] = key;
      }
    }
    // keys [lo, j] <= pivot, between them and [i, hi) == pivot, [i, hi) >= pivot
    if (count > j && count <= i) {
      return;
    }
    if (count <= j) {
      hi = j + 1;
    } else {
      lo = i;
    }
  }
  si_sort_keys(keys + lo, work, hi - lo);
}

uint64_t si_sort_bits(double x) {
  uint64_t bits;
  if (x != x) {
    return UINT64_MAX;
  }
  // negative numbers: all bits flip, positive ones: above the negative
  memcpy(&bits, &x, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}
