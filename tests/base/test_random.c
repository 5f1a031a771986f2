// SPDX-License-Identifier: Apache-2.0
//
// The random service: the published answers of Philox, independence of how a stream is cut,
// moments of the distributions.

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "suite.h"

static const sn_random_service *random_service(void) {
  return &si_random_service_table;
}

// known answers of the authors' distribution (Random123, kat_vectors)
START_TEST(known_answers) {
  static const struct {
    uint32_t counter[4], key[2], answer[4];
  } known[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u } },
    { { ~0u, ~0u, ~0u, ~0u },
      { ~0u, ~0u },
      { 0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu } },
    { { 0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u },
      { 0xa4093822u, 0x299f31d0u },
      { 0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u } },
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    uint32_t out[4];
    si_philox(known[i].key, known[i].counter, out);
    for (int k = 0; k < 4; k++) {
      ck_assert_uint_eq(out[k], known[i].answer[k]);
    }
  }
}
END_TEST

// number k does not depend on where the call began
START_TEST(any_cut_gives_the_same) {
  enum { N = 101 };
  double whole[N], part[N];
  const sn_random_service *r = random_service();
  for (int kind = 0; kind < 2; kind++) {
    void (*make)(uint64_t, uint64_t, uint64_t, int64_t, double *) = kind ? r->normal : r->uniform;
    make(12345, 6, 1000, N, whole);
    for (int cut = 0; cut <= N; cut += 7) {
      make(12345, 6, 1000, cut, part);
      make(12345, 6, 1000 + (uint64_t)cut, N - cut, part + cut);
      for (int i = 0; i < N; i++) {
        ck_assert_double_eq(part[i], whole[i]);
      }
    }
  }
}
END_TEST

START_TEST(streams_differ) {
  double a[8], b[8], c[8];
  random_service()->uniform(1, 0, 0, 8, a);
  random_service()->uniform(1, 1, 0, 8, b);
  random_service()->uniform(2, 0, 0, 8, c);
  for (int i = 0; i < 8; i++) {
    ck_assert(a[i] != b[i] && a[i] != c[i]);
  }
}
END_TEST

// sample moments lie within five standard errors
START_TEST(moments) {
  enum { N = 200000 };
  double *x = malloc(N * sizeof *x);
  double mean = 0, square = 0, lag = 0;
  random_service()->uniform(42, 3, 0, N, x);
  for (int i = 0; i < N; i++) {
    ck_assert(x[i] >= 0 && x[i] < 1);
    mean += x[i] / N;
    square += (x[i] - 0.5) * (x[i] - 0.5) / N;
    lag += i ? (x[i] - 0.5) * (x[i - 1] - 0.5) / N : 0;
  }
  ck_assert_double_lt(fabs(mean - 0.5), 5 * sqrt(1.0 / 12 / N));
  ck_assert_double_lt(fabs(square - 1.0 / 12), 5 * sqrt(1.0 / 180 / N));
  ck_assert_double_lt(fabs(lag), 5 * (1.0 / 12) / sqrt(N));

  double fourth = 0;
  mean = square = lag = 0;
  random_service()->normal(42, 4, 0, N, x);
  for (int i = 0; i < N; i++) {
    ck_assert(isfinite(x[i]));
    mean += x[i] / N;
    square += x[i] * x[i] / N;
    fourth += x[i] * x[i] * x[i] * x[i] / N;
    lag += i ? x[i] * x[i - 1] / N : 0;
  }
  ck_assert_double_lt(fabs(mean), 5 / sqrt(N));
  ck_assert_double_lt(fabs(square - 1), 5 * sqrt(2.0 / N));
  ck_assert_double_lt(fabs(fourth - 3), 5 * sqrt(96.0 / N));
  ck_assert_double_lt(fabs(lag), 5 / sqrt(N));
  free(x);
}
END_TEST

TESTS() {
  TEST(known_answers);
  TEST(any_cut_gives_the_same);
  TEST(streams_differ);
  TEST(moments);
}
