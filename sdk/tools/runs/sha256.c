// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4, sections 4.1.2, 5.1.1 and 6.2); see sha256.h. The message is hashed in
// blocks of 64 bytes; the last ones are filled with a bit 1, zeros, and the length in bits.

#include "sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

typedef struct sha256 {
  uint32_t h[8];
  uint64_t bytes;
} sha256;

// The first 32 bits of the fraction of the cube roots of the first 64 primes (4.2.2).
static const uint32_t constants[ROUNDS] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t rotate(uint32_t x, int n) {
  return x >> n | x << (32 - n);
}

static void add_block(sha256 *s, const uint8_t *p) {
  uint32_t w[ROUNDS];
  for (int i = 0; i < 16; i++) {
    const uint8_t *q = p + (ptrdiff_t)4 * i;
    w[i] = (uint32_t)q[0] << 24 | (uint32_t)q[1] << 16 | (uint32_t)q[2] << 8 | q[3];
  }
  for (int i = 16; i < ROUNDS; i++) {
    const uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[i - 7] +
           (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
  }
  uint32_t a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3];
  uint32_t e = s->h[4], f = s->h[5], g = s->h[6], h = s->h[7];
  for (int i = 0; i < ROUNDS; i++) {
    const uint32_t t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) +
                        constants[i] + w[i];
    const uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                        ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const uint32_t sum[] = { a, b, c, d, e, f, g, h };
  for (int i = 0; i < 8; i++) {
    s->h[i] += sum[i];
  }
}

static sha256 start(void) {
  // of the square roots of the first 8 primes (5.3.3)
  return (sha256){ .h = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                          0x1f83d9ab, 0x5be0cd19 } };
}

// Whole blocks.
static void add_blocks(sha256 *s, const uint8_t *p, size_t n) {
  s->bytes += n;
  for (; n >= BLOCK; n -= BLOCK, p += BLOCK) {
    add_block(s, p);
  }
}

// The rest, less than a block, and the end of the message.
static void finish(sha256 *s, const uint8_t *rest, size_t n, char *out) {
  uint8_t last[2 * BLOCK] = { 0 };
  const uint64_t bits = 8 * (s->bytes + n);
  const size_t end = n + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  memcpy(last, rest, n);
  last[n] = 0x80;
  for (size_t i = 0; i < 8; i++) {
    last[end - 1 - i] = (uint8_t)(bits >> 8 * i);
  }
  add_blocks(s, last, end);
  for (int i = 0; i < 8; i++) {
    snprintf(out + (ptrdiff_t)8 * i, 9, "%08x", s->h[i]);
  }
}

void sha256_bytes(const void *bytes, size_t n, char *out) {
  sha256 s = start();
  const size_t whole = n - n % BLOCK;
  add_blocks(&s, bytes, whole);
  finish(&s, n > whole ? (const uint8_t *)bytes + whole : (const uint8_t *)"", n - whole, out);
}

int sha256_file(const char *path, char *out) {
  uint8_t buffer[256 * BLOCK];
  sha256 s = start();
  FILE *file = fopen(path, "rbe");
  if (!file) {
    return 0;
  }
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, file)) == sizeof buffer) {
    add_blocks(&s, buffer, n);
  }
  const int ok = !ferror(file);
  fclose(file);
  const size_t whole = n - n % BLOCK;
  add_blocks(&s, buffer, whole);
  finish(&s, buffer + whole, n - whole, out);
  return ok;
}
