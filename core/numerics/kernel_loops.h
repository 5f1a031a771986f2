// SPDX-License-Identifier: Apache-2.0
//
// The loops of kernels.c, which includes this file once for each instruction set, with
//
//   NAME(kernel)             the name of a kernel of this set
//   TARGET                   the attribute that compiles a function for it
//   ADD_PRODUCT(sum, a, b)   sum += a b in each lane, rounded once
//
// Panels are padded to whole vectors, so that no loop has a tail: what lies in the padding and
// above the diagonal is computed too, and never used.

// The lanes of a vector that starts at n - 4 and that whole vectors from 0 on have not reached.
TARGET INLINE void NAME(last_lanes)(int32_t n, const double *x, lanes *out) {
  lanes tail = { 0 };
  for (int32_t q = n & 3; q > 0; q--) {
    tail[4 - q] = x[n - q];
  }
  *out = tail;
}

// sum_k A[k stride] x[k], for rows that are shorter than a vector: products are rounded in pairs,
// and only the last of an odd number is fused.
TARGET INLINE double NAME(short_sum)(int32_t n, const double *A, int32_t stride, const double *x) {
  double sum = 0;
  int32_t k = 0;
  for (; k + 1 < n; k += 2) {
    sum += A[k * (int64_t)stride] * x[k];
    sum += A[(k + 1) * (int64_t)stride] * x[k + 1];
  }
  return k < n ? __builtin_fma(A[k * (int64_t)stride], x[k], sum) : sum;
}

TARGET static void NAME(rows_times)(int32_t nrow, int32_t n, const double *A, const double *x,
                                    double *y) {
  int32_t whole = n & ~3;
  if (n < 4) {
    for (int32_t r = 0; r < nrow; r++, A += n) {
      y[r] = NAME(short_sum)(n, A, 1, x);
    }
    return;
  }
  lanes tail;
  NAME(last_lanes)(n, x, &tail);
  int32_t r = 0;
  for (; r + 1 < nrow; r += 2, A += 2 * (int64_t)n) {
    lanes a = READ_LOOSE(A, n - 4) * tail, b = READ_LOOSE(A, 2 * n - 4) * tail;
    for (int32_t k = 0; k < whole; k += 4) {
      lanes v = READ_LOOSE(x, k);
      ADD_PRODUCT(a, READ_LOOSE(A, k), v);
      ADD_PRODUCT(b, READ_LOOSE(A, n + k), v);
    }
    y[r] = SUM_LANES(a);
    y[r + 1] = SUM_LANES(b);
  }
  if (r < nrow) {
    lanes a = READ_LOOSE(A, n - 4) * tail;
    for (int32_t k = 0; k < whole; k += 4) {
      ADD_PRODUCT(a, READ_LOOSE(A, k), READ_LOOSE(x, k));
    }
    y[r] = SUM_LANES(a);
  }
}

TARGET static void NAME(times_rows)(int32_t nrow, int32_t n, const double *A, const double *x,
                                    double *y) {
  // the last vector overlaps the one before, with the same result
  for (int32_t k = 0; n >= 4 && k < n; k += 4) {
    int32_t at = k + 4 <= n ? k : n - 4;
    lanes sum = { 0 };
    for (int32_t r = 0; r < nrow; r++) {
      ADD_PRODUCT(sum, ALL(x[r]), READ_LOOSE(A, r * (int64_t)n + at));
    }
    AT_LOOSE(y, at) = sum;
  }
  for (int32_t k = 0; n < 4 && k < n; k++) {
    y[k] = NAME(short_sum)(nrow, A + k, n, x);
  }
}

TARGET static void NAME(gram)(int32_t nrow, int32_t n, int32_t ld, const double *B, const double *G,
                              double *C) {
  for (int32_t j = 0; j < n; j += 4) {
    for (int32_t i = j; i < ld; i += 4) {
      lanes a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
      for (int32_t r = 0; r < nrow; r++) {
        lanes x = READ(G, r * ld + i);
        const double *w = B + r * ld + j;
        ADD_PRODUCT(a, ALL(w[0]), x);
        ADD_PRODUCT(b, ALL(w[1]), x);
        ADD_PRODUCT(c, ALL(w[2]), x);
        ADD_PRODUCT(d, ALL(w[3]), x);
      }
      AT(C, j * ld + i) = a;
      AT(C, (j + 1) * ld + i) = b;
      AT(C, (j + 2) * ld + i) = c;
      AT(C, (j + 3) * ld + i) = d;
    }
  }
}

// work[4 k + q] = L_k[row + q], q < count, else 0; the part of columns k < n in those rows.
TARGET INLINE void NAME(coefficients)(int32_t n, int32_t ld, const double *panel,
                                      const double *Dinv, int32_t row, int32_t count,
                                      double *work) {
  for (int32_t k = 0; k < n; k++) {
    for (int32_t q = 0; q < 4; q++) {
      work[4 * k + q] = q < count ? panel[(int64_t)k * ld + row + q] * Dinv[k] : 0;
    }
  }
}

// Four rows of four columns: what columns k < n take from them.
TARGET INLINE void NAME(four_by_four)(int32_t n, int32_t ld, const double *panel,
                                      const double *work, lanes *sum) {
  lanes a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };
  for (int32_t k = 0; k < n; k++) {
    lanes x = READ(panel, (int64_t)k * ld);
    const double *w = work + 4 * k;
    ADD_PRODUCT(a, ALL(w[0]), x);
    ADD_PRODUCT(b, ALL(w[1]), x);
    ADD_PRODUCT(c, ALL(w[2]), x);
    ADD_PRODUCT(d, ALL(w[3]), x);
  }
  sum[0] = a;
  sum[1] = b;
  sum[2] = c;
  sum[3] = d;
}

TARGET static int32_t NAME(factor)(int32_t n, int32_t ld, double *panel, double *Dinv,
                                   double *work) {
  int32_t bad = 0;
  for (int32_t j = 0; j < n; j += 4) {
    int32_t count = n - j < 4 ? n - j : 4;
    double *block = panel + (int64_t)j * ld;

    // what earlier columns take from these four
    if (j > 0) {
      NAME(coefficients)(j, ld, panel, Dinv, j, count, work);
      for (int32_t i = j; i < ld; i += 4) {
        lanes sum[4];
        NAME(four_by_four)(j, ld, panel + i, work, sum);
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
          ADD_PRODUCT(AT(column, i), ALL(-c), READ(other, i));
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

TARGET static void NAME(eliminate)(int32_t n, int32_t ld, const double *panel, const double *other,
                                   const double *Dinv, int32_t row, int32_t count, double *work,
                                   double *out) {
  NAME(coefficients)(n, ld, other, Dinv, row, count, work);
  for (int32_t i = row & ~3; i < ld; i += 4) {
    lanes sum[4];
    NAME(four_by_four)(n, ld, panel + i, work, sum);
    for (int32_t q = 0; q < count; q++) {
      AT(out + (int64_t)q * ld, i) = sum[q];
    }
  }
}

TARGET static void NAME(forward)(int32_t n, int32_t ld, const double *panel, const double *Dinv,
                                 double *x, double *z) {
  for (int32_t j = 0; j < n; j++) {
    const double *column = panel + (int64_t)j * ld;
    z[j] = x[j] * Dinv[j];
    for (int32_t i = j & ~3; i < ld; i += 4) {
      ADD_PRODUCT(AT(x, i), ALL(-z[j]), READ(column, i));
    }
  }
}

TARGET static void NAME(backward)(int32_t n, int32_t ld, const double *panel, const double *Dinv,
                                  double *x, const double *z) {
  for (int32_t j = n - 1; j >= 0; j--) {
    const double *column = panel + (int64_t)j * ld;
    lanes sum = { 0 };
    for (int32_t i = j & ~3; i < ld; i += 4) {
      ADD_PRODUCT(sum, READ(column, i), READ(x, i));
    }
    x[j] = __builtin_fma(-Dinv[j], SUM_LANES(sum), z[j]);
  }
}

static const sn_kernels NAME(kernels) = {
  .rows_times = NAME(rows_times),
  .times_rows = NAME(times_rows),
  .gram = NAME(gram),
  .factor = NAME(factor),
  .eliminate = NAME(eliminate),
  .forward = NAME(forward),
  .backward = NAME(backward),
};
