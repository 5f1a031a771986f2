// SPDX-License-Identifier: Apache-2.0
//
// Dense loops on vectors of four. Each is written once, as an inline function over a vector type
// of the compiler; the wrappers at the foot compile it for an instruction set. Contraction of
// a*b + c is on in this file, so that machines with FMA use it.
//
// Panels are padded to whole vectors, so that no loop has a tail: what lies in the padding and
// above the diagonal is computed too, and never used.

#include "sinew/numerics/kernels.h"

typedef double lanes __attribute__((vector_size(32), aligned(32), may_alias));
typedef double loose __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))
#define AT(pointer, i) (*(lanes *)((pointer) + (i)))
#define READ(pointer, i) (*(const lanes *)((pointer) + (i)))
#define READ_LOOSE(pointer, i) (*(const loose *)((pointer) + (i)))
#define AT_LOOSE(pointer, i) (*(loose *)((pointer) + (i)))

// The lanes of a vector that starts at n - 4 and that whole vectors from 0 on have not reached.
INLINE void last_lanes(int32_t n, const double *x, lanes *out) {
  lanes tail = { 0 };
  for (int32_t q = n & 3; q > 0; q--) {
    tail[4 - q] = x[n - q];
  }
  *out = tail;
}

#define SUM_LANES(a) (((a)[0] + (a)[1]) + ((a)[2] + (a)[3]))

INLINE void rows_times(int32_t nrow, int32_t n, const double *A, const double *x, double *y) {
  int32_t whole = n & ~3;
  if (n < 4) {
    for (int32_t r = 0; r < nrow; r++, A += n) {
      double s = 0;
      for (int32_t k = 0; k < n; k++) {
        s += A[k] * x[k];
      }
      y[r] = s;
    }
    return;
  }
  lanes tail;
  last_lanes(n, x, &tail);
  int32_t r = 0;
  for (; r + 1 < nrow; r += 2, A += 2 * (int64_t)n) {
    lanes a = READ_LOOSE(A, n - 4) * tail, b = READ_LOOSE(A, 2 * n - 4) * tail;
    for (int32_t k = 0; k < whole; k += 4) {
      lanes v = READ_LOOSE(x, k);
      a += READ_LOOSE(A, k) * v;
      b += READ_LOOSE(A, n + k) * v;
    }
    y[r] = SUM_LANES(a);
    y[r + 1] = SUM_LANES(b);
  }
  if (r < nrow) {
    lanes a = READ_LOOSE(A, n - 4) * tail;
    for (int32_t k = 0; k < whole; k += 4) {
      a += READ_LOOSE(A, k) * READ_LOOSE(x, k);
    }
    y[r] = SUM_LANES(a);
  }
}

INLINE void times_rows(int32_t nrow, int32_t n, const double *A, const double *x, double *y) {
  // the last vector overlaps the one before, with the same result
  for (int32_t k = 0; n >= 4 && k < n; k += 4) {
    int32_t at = k + 4 <= n ? k : n - 4;
    lanes sum = { 0 };
    for (int32_t r = 0; r < nrow; r++) {
      sum += x[r] * READ_LOOSE(A, r * (int64_t)n + at);
    }
    AT_LOOSE(y, at) = sum;
  }
  for (int32_t k = 0; n < 4 && k < n; k++) {
    double sum = 0;
    for (int32_t r = 0; r < nrow; r++) {
      sum += x[r] * A[r * (int64_t)n + k];
    }
    y[k] = sum;
  }
}

INLINE void gram(int32_t nrow, int32_t n, int32_t ld, const double *B, const double *G, double *C) {
  for (int32_t j = 0; j < n; j += 4) {
    for (int32_t i = j; i < ld; i += 4) {
      lanes a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
      for (int32_t r = 0; r < nrow; r++) {
        lanes x = READ(G, r * ld + i);
        const double *w = B + r * ld + j;
        a += w[0] * x;
        b += w[1] * x;
        c += w[2] * x;
        d += w[3] * x;
      }
      AT(C, j * ld + i) = a;
      AT(C, (j + 1) * ld + i) = b;
      AT(C, (j + 2) * ld + i) = c;
      AT(C, (j + 3) * ld + i) = d;
    }
  }
}

// work[4 k + q] = L_k[row + q], q < count, else 0; the part of columns k < n in those rows.
INLINE void coefficients(int32_t n, int32_t ld, const double *panel, const double *Dinv,
                         int32_t row, int32_t count, double *work) {
  for (int32_t k = 0; k < n; k++) {
    for (int32_t q = 0; q < 4; q++) {
      work[4 * k + q] = q < count ? panel[(int64_t)k * ld + row + q] * Dinv[k] : 0;
    }
  }
}

// Four rows of four columns: what columns k < n take from them.
INLINE void four_by_four(int32_t n, int32_t ld, const double *panel, const double *work,
                         lanes *sum) {
  lanes a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
  for (int32_t k = 0; k < n; k++) {
    lanes x = READ(panel, (int64_t)k * ld);
    const double *w = work + 4 * k;
    a += w[0] * x;
    b += w[1] * x;
    c += w[2] * x;
    d += w[3] * x;
  }
  sum[0] = a;
  sum[1] = b;
  sum[2] = c;
  sum[3] = d;
}

INLINE int32_t factor(int32_t n, int32_t ld, double *panel, double *Dinv, double *work) {
  int32_t bad = 0;
  for (int32_t j = 0; j < n; j += 4) {
    int32_t count = n - j < 4 ? n - j : 4;
    double *block = panel + (int64_t)j * ld;

    // what earlier columns take from these four
    if (j > 0) {
      coefficients(j, ld, panel, Dinv, j, count, work);
      for (int32_t i = j; i < ld; i += 4) {
        lanes sum[4];
        four_by_four(j, ld, panel + i, work, sum);
        for (int32_t q = 0; q < count; q++) {
          AT(block + (int64_t)q * ld, i) -= sum[q];
        }
      }
    }
    // what they take from each other
    for (int32_t q = 0; q < count; q++) {
      double *column = block + (int64_t)q * ld;
      for (int32_t k = 0; k < q; k++) {
        const double *other = block + (int64_t)k * ld;
        double c = other[j + q] * Dinv[j + k];
        for (int32_t i = j; i < ld; i += 4) {
          AT(column, i) -= c * READ(other, i);
        }
      }
      if (!(column[j + q] > 0)) {
        column[j + q] = 1;
        bad++;
      }
      Dinv[j + q] = 1 / column[j + q];
    }
  }
  return bad;
}

INLINE void eliminate(int32_t n, int32_t ld, const double *panel, const double *Dinv, int32_t row,
                      int32_t count, double *work, double *out) {
  coefficients(n, ld, panel, Dinv, row, count, work);
  for (int32_t i = row & ~3; i < ld; i += 4) {
    lanes sum[4];
    four_by_four(n, ld, panel + i, work, sum);
    for (int32_t q = 0; q < count; q++) {
      AT(out + (int64_t)q * ld, i) = sum[q];
    }
  }
}

INLINE void forward(int32_t n, int32_t ld, const double *panel, const double *Dinv, double *x,
                    double *z) {
  for (int32_t j = 0; j < n; j++) {
    const double *column = panel + (int64_t)j * ld;
    z[j] = x[j] * Dinv[j];
    for (int32_t i = j & ~3; i < ld; i += 4) {
      AT(x, i) -= z[j] * READ(column, i);
    }
  }
}

INLINE void backward(int32_t n, int32_t ld, const double *panel, const double *Dinv, double *x,
                     const double *z) {
  for (int32_t j = n - 1; j >= 0; j--) {
    const double *column = panel + (int64_t)j * ld;
    lanes sum = { 0 };
    for (int32_t i = j & ~3; i < ld; i += 4) {
      sum += READ(column, i) * READ(x, i);
    }
    x[j] = z[j] - Dinv[j] * SUM_LANES(sum);
  }
}

// ------------------------------------------------------------------ instruction sets

// clang-format off
#define KERNEL_SET(set, ATTRIBUTE)                                                                \
  ATTRIBUTE static void set##_rows_times(int32_t nrow, int32_t n, const double *A,                \
                                         const double *x, double *y) {                            \
    rows_times(nrow, n, A, x, y);                                                                 \
  }                                                                                               \
  ATTRIBUTE static void set##_times_rows(int32_t nrow, int32_t n, const double *A,                \
                                         const double *x, double *y) {                            \
    times_rows(nrow, n, A, x, y);                                                                 \
  }                                                                                               \
  ATTRIBUTE static void set##_gram(int32_t nrow, int32_t n, int32_t ld, const double *B,          \
                                   const double *G, double *C) {                                  \
    gram(nrow, n, ld, B, G, C);                                                                   \
  }                                                                                               \
  ATTRIBUTE static int32_t set##_factor(int32_t n, int32_t ld, double *panel, double *Dinv,       \
                                        double *work) {                                           \
    return factor(n, ld, panel, Dinv, work);                                                      \
  }                                                                                               \
  ATTRIBUTE static void set##_eliminate(int32_t n, int32_t ld, const double *panel,               \
                                        const double *Dinv, int32_t row, int32_t count,           \
                                        double *work, double *out) {                              \
    eliminate(n, ld, panel, Dinv, row, count, work, out);                                         \
  }                                                                                               \
  ATTRIBUTE static void set##_forward(int32_t n, int32_t ld, const double *panel,                 \
                                      const double *Dinv, double *x, double *z) {                 \
    forward(n, ld, panel, Dinv, x, z);                                                            \
  }                                                                                               \
  ATTRIBUTE static void set##_backward(int32_t n, int32_t ld, const double *panel,                \
                                       const double *Dinv, double *x, const double *z) {          \
    backward(n, ld, panel, Dinv, x, z);                                                           \
  }                                                                                               \
  static const sn_kernels set##_kernels = {                                                       \
    .rows_times = set##_rows_times,                                                               \
    .times_rows = set##_times_rows,                                                               \
    .gram = set##_gram,                                                                           \
    .factor = set##_factor,                                                                       \
    .eliminate = set##_eliminate,                                                                 \
    .forward = set##_forward,                                                                     \
    .backward = set##_backward,                                                                   \
  };

KERNEL_SET(base, )
#ifdef __x86_64__
KERNEL_SET(avx2, __attribute__((target("avx2,fma"))))
#endif
// clang-format on

const sn_kernels *sn_kernels_for_machine(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return &avx2_kernels;
  }
#endif
  return &base_kernels;
}
