// SPDX-License-Identifier: Apache-2.0
//
// The kernels give the bits of their definition: sums in lanes of four, each term added with one
// rounding. The tests write the definition with fma of the C library, one number at a time, so a
// compiler, its options, a sanitizer or an instruction set that rounds otherwise is noticed.

#include "sinew/numerics/kernels.h"

#include <math.h>
#include <string.h>

#include "random_state.h"
#include "suite.h"

enum { MOST = 13, LD = 16, ROWS = 7 };

static double A[LD * LD] __attribute__((aligned(32))), B[LD * LD] __attribute__((aligned(32)));
static double x[LD] __attribute__((aligned(32))), y[LD], Dinv[LD], z[LD];
static double got[LD * LD] __attribute__((aligned(32)));

static void fill(uint32_t seed) {
  for (int i = 0; i < LD * LD; i++) {
    A[i] = uniform(&seed);
    B[i] = uniform(&seed);
  }
  for (int i = 0; i < LD; i++) {
    x[i] = uniform(&seed);
    Dinv[i] = 0.5 + 0.1 * uniform(&seed);
    z[i] = uniform(&seed);
  }
}

// Pairs of rounded products, and the last one fused.
static double short_sum(int n, const double *a, int stride, const double *b) {
  double sum = 0;
  for (int k = 0; k < n; k++) {
    const volatile double product = a[k * stride] * b[k];
    sum = n % 2 && k == n - 1 ? fma(a[k * stride], b[k], sum) : sum + product;
  }
  return sum;
}

// The last lanes of the end first, then whole vectors.
static double row_sum(int n, const double *a, const double *b) {
  double lane[4] = { 0 };
  if (n < 4) {
    return short_sum(n, a, 1, b);
  }
  for (int q = n % 4; q > 0; q--) {
    lane[4 - q] = a[n - q] * b[n - q];
  }
  for (int k = 0; k < n / 4 * 4; k++) {
    lane[k % 4] = fma(a[k], b[k], lane[k % 4]);
  }
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

START_TEST(rows_times_has_the_bits) {
  const sn_kernels *kernel = sn_kernels_for_machine();
  for (int n = 1; n <= MOST; n++) {
    fill((uint32_t)n);
    kernel->rows_times(ROWS, n, A, x, y);
    for (int r = 0; r < ROWS; r++) {
      const double want = row_sum(n, A + r * n, x);
      ck_assert_msg(y[r] == want, "n %d, row %d: %.17g, not %.17g", n, r, y[r], want);
    }
  }
}
END_TEST

START_TEST(times_rows_has_the_bits) {
  const sn_kernels *kernel = sn_kernels_for_machine();
  for (int n = 1; n <= MOST; n++) {
    fill((uint32_t)(20 + n));
    kernel->times_rows(ROWS, n, A, x, y);
    for (int k = 0; k < n; k++) {
      double want = 0;
      for (int r = 0; r < ROWS; r++) {
        want = fma(x[r], A[r * n + k], want);
      }
      want = n < 4 ? short_sum(ROWS, A + k, n, x) : want;
      ck_assert_msg(y[k] == want, "n %d, column %d: %.17g, not %.17g", n, k, y[k], want);
    }
  }
}
END_TEST

START_TEST(gram_has_the_bits) {
  const sn_kernels *kernel = sn_kernels_for_machine();
  for (int n = 1; n <= MOST; n++) {
    const int ld = sn_kernel_pad(n);
    fill((uint32_t)(40 + n));
    kernel->gram(ROWS, n, ld, B, A, got);
    for (int j = 0; j < n; j++) {
      for (int i = j; i < n; i++) {
        double want = 0;
        for (int r = 0; r < ROWS; r++) {
          want = fma(B[r * ld + j], A[r * ld + i], want);
        }
        ck_assert_msg(got[j * ld + i] == want, "n %d, %d %d", n, j, i);
      }
    }
  }
}
END_TEST

START_TEST(substitution_has_the_bits) {
  const sn_kernels *kernel = sn_kernels_for_machine();
  for (int n = 1; n <= MOST; n++) {
    const int ld = sn_kernel_pad(n);
    double want[LD], out[LD], at[LD] __attribute__((aligned(32)));
    fill((uint32_t)(60 + n));
    memcpy(at, x, sizeof at);
    memcpy(want, x, sizeof want);
    kernel->forward(n, ld, A, Dinv, at, out);
    for (int j = 0; j < n; j++) {
      const double c = want[j] * Dinv[j];
      ck_assert_msg(out[j] == c, "forward: n %d, %d", n, j);
      for (int i = j + 1; i < n; i++) {
        want[i] = fma(-c, A[j * ld + i], want[i]);
      }
    }
    memset(at, 0, sizeof at);
    kernel->backward(n, ld, A, Dinv, at, z);
    memset(want, 0, sizeof want);
    for (int j = n - 1; j >= 0; j--) {
      double lane[4] = { 0 };
      for (int i = j / 4 * 4; i < ld; i++) {
        lane[i % 4] = fma(A[j * ld + i], want[i], lane[i % 4]);
      }
      want[j] = fma(-Dinv[j], (lane[0] + lane[1]) + (lane[2] + lane[3]), z[j]);
      ck_assert_msg(at[j] == want[j], "backward: n %d, %d", n, j);
    }
  }
}
END_TEST

TESTS() {
  TEST(rows_times_has_the_bits);
  TEST(times_rows_has_the_bits);
  TEST(gram_has_the_bits);
  TEST(substitution_has_the_bits);
}
