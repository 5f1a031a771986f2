// SPDX-License-Identifier: Apache-2.0
//
// Random numbers by counting: number k of a stream is a function of (seed, stream, k) alone, so
// that any part of a stream can be made in any order on any thread.
//
//   block b = Philox4x32-10(key = seed, counter = (b, stream))   four words of 32 bits
//   numbers 2b, 2b + 1 = words (0, 1) and (2, 3), the upper 53 bits of each pair, over 2^53
//
// The generator: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011. Normal numbers: G. E. P. Box and M. E. Muller (1958), of the two
// uniform numbers of the same block.

#include "base/random.h"

#include <math.h>

#define PI 3.14159265358979323846

// constants of the paper: multipliers, and the steps of the key (golden ratio, sqrt 3 - 1)
#define MULTIPLY_0 0xD2511F53u
#define MULTIPLY_1 0xCD9E8D57u
#define KEY_0 0x9E3779B9u
#define KEY_1 0xBB67AE85u
enum { ROUNDS = 10 };

void si_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]) {
  uint32_t k0 = key[0], k1 = key[1];
  uint32_t c[4] = { counter[0], counter[1], counter[2], counter[3] };
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t p0 = (uint64_t)MULTIPLY_0 * c[0], p1 = (uint64_t)MULTIPLY_1 * c[2];
    c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k0;
    c[1] = (uint32_t)p1;
    c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k1;
    c[3] = (uint32_t)p0;
    k0 += KEY_0;
    k1 += KEY_1;
  }
  for (int i = 0; i < 4; i++) {
    out[i] = c[i];
  }
}

// Two numbers in [0, 1).
static void pair_of(uint64_t seed, uint64_t stream, uint64_t block, double u[2]) {
  const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
  const uint32_t counter[4] = { (uint32_t)block, (uint32_t)(block >> 32), (uint32_t)stream,
                                (uint32_t)(stream >> 32) };
  uint32_t word[4];
  si_philox(key, counter, word);
  for (int i = 0; i < 2; i++) {
    const uint64_t bits = ((uint64_t)word[2 * i + 1] << 32 | word[2 * i]) >> 11;
    u[i] = (double)bits * 0x1p-53;
  }
}

static void random_uniform(uint64_t seed, uint64_t stream, uint64_t counter, int64_t n,
                           double *out) {
  double u[2];
  for (int64_t i = 0; i < n; i++) {
    const uint64_t k = counter + (uint64_t)i;
    if (i == 0 || !(k & 1)) {
      pair_of(seed, stream, k >> 1, u);
    }
    out[i] = u[k & 1];
  }
}

static void random_normal(uint64_t seed, uint64_t stream, uint64_t counter, int64_t n,
                          double *out) {
  double u[2], z[2] = { 0, 0 };
  for (int64_t i = 0; i < n; i++) {
    const uint64_t k = counter + (uint64_t)i;
    if (i == 0 || !(k & 1)) {
      // 1 - u is in (0, 1]: its logarithm exists
      pair_of(seed, stream, k >> 1, u);
      const double radius = sqrt(-2.0 * log(1.0 - u[0])), angle = 2.0 * PI * u[1];
      z[0] = radius * cos(angle);
      z[1] = radius * sin(angle);
    }
    out[i] = z[k & 1];
  }
}

const sn_random_service si_random_service_table = {
  .size = sizeof(sn_random_service),
  .uniform = random_uniform,
  .normal = random_normal,
};
