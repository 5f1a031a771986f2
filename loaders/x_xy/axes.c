// SPDX-License-Identifier: Apache-2.0
//
// Axes drawn at random, the same that the original draws for the same seed: the generator of JAX
// before 0.5. Its keys are split per random joint type, in the order of first appearance, and
// every link consumes one key of the split, whether it draws or not.
//
//   K = (0, seed); for each random type: ks = split(K, links + 1), K = ks[0], link i uses ks[i+1]
//
// Threefry-2x32 with 20 rounds: Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as
// 1, 2, 3, 2011. Inverse error function in single precision: Giles, Approximating the erfinv
// function, 2012. Numbers are float32 as in the original.

#include <math.h>
#include <stdlib.h>

#include "sinew/math.h"
#include "x_xy/x_xy.h"

typedef struct key {
  uint32_t k[2];
} key;

// ------------------------------------------------------------------ the generator

static uint32_t turn(uint32_t x, int n) {
  return x << n | x >> (32 - n);
}

static void threefry(key k, uint32_t *x0, uint32_t *x1) {
  static const int rotation[2][4] = { { 13, 15, 26, 6 }, { 17, 29, 16, 24 } };
  const uint32_t schedule[3] = { k.k[0], k.k[1], k.k[0] ^ k.k[1] ^ 0x1bd11bdau };
  uint32_t a = *x0 + schedule[0], b = *x1 + schedule[1];
  for (int group = 0; group < 5; group++) {
    for (int i = 0; i < 4; i++) {
      a += b;
      b = turn(b, rotation[group % 2][i]) ^ a;
    }
    a += schedule[(group + 1) % 3];
    b += schedule[(group + 2) % 3] + (uint32_t)group + 1;
  }
  *x0 = a;
  *x1 = b;
}

// Word i of n random words: the counters 0 .. n-1 (one more zero when n is odd) are hashed in
// pairs of the first and second half.
static uint32_t word(key k, uint32_t n, uint32_t i) {
  // cppcheck-suppress zerodivcond ; n is at least 1
  uint32_t half = (n + 1) / 2, at = i % half;
  uint32_t x0 = at, x1 = at + half < n ? at + half : 0;
  threefry(k, &x0, &x1);
  return i < half ? x0 : x1;
}

static key split(key k, uint32_t n, uint32_t i) {
  return (key){ { word(k, 2 * n, 2 * i), word(k, 2 * n, 2 * i + 1) } };
}

static float unit_float(uint32_t bits) {   // in [0, 1)
  return (float)(bits >> 9) * 0x1p-23f;
}

static float inverse_erf(float x) {
  static const float central[9] = { 2.81022636e-08f,  3.43273939e-07f, -3.5233877e-06f,
                                    -4.39150654e-06f, 0.00021858087f,  -0.00125372503f,
                                    -0.00417768164f,  0.246640727f,    1.50140941f };
  static const float tail[9] = { -0.000200214257f, 0.000100950558f, 0.00134934322f,
                                 -0.00367342844f,  0.00573950773f,  -0.0076224613f,
                                 0.00943887047f,   1.00167406f,     2.83297682f };
  float w = -log1pf(-x * x);
  const float *c = w < 5 ? central : tail;
  w = w < 5 ? w - 2.5f : sqrtf(w) - 3;
  float p = c[0];
  for (int i = 1; i < 9; i++) {
    p = c[i] + p * w;
  }
  return p * x;
}

static float normal(key k, uint32_t n, uint32_t i) {
  float low = nextafterf(-1, 0);
  float u = fmaxf(low, unit_float(word(k, n, i)) * (1 - low) + low);
  return sqrtf(2) * inverse_erf(u);
}

// ------------------------------------------------------------------ directions

// v turned by the quaternion of normals first .. first + 3 of n.
static void turn_uniformly(key k, uint32_t n, uint32_t first, const double *v, double *out) {
  double q[4];
  for (uint32_t i = 0; i < 4; i++) {
    q[i] = (double)normal(k, n, first + i);
  }
  sn_normalize4(q);
  sn_rotate(out, v, q);
}

static void draw(int32_t draws, key k, double axis[2][3]) {
  const double x[3] = { 1, 0, 0 }, z[3] = { 0, 0, 1 };
  if (draws == X_DRAW_RR) {
    turn_uniformly(k, 4, 0, x, axis[0]);
  } else if (draws == X_DRAW_RR_IMP) {
    double f = 2 * SN_PI * (double)unit_float(word(split(k, 2, 0), 1, 0));
    const double residual[3] = { cos(f), sin(f), 0 };
    turn_uniformly(split(k, 2, 1), 4, 0, z, axis[0]);
    turn_uniformly(split(k, 2, 1), 4, 0, residual, axis[1]);
  } else if (draws == X_DRAW_RSADDLE) {
    turn_uniformly(k, 8, 0, x, axis[0]);
    turn_uniformly(k, 8, 4, x, axis[1]);
  }
}

sn_status x_draw_axes(x_loader *l) {
  key k = { { (uint32_t)((uint64_t)l->params->seed >> 32), (uint32_t)l->params->seed } };
  int done[X_NDRAWS] = { 1, 0, 0, 0 };
  uint32_t n = (uint32_t)l->nlink + 1;
  for (int64_t first = 0; first < l->nlink; first++) {
    int32_t type = l->link[first].joint->draws;
    if (done[type]) {
      continue;
    }
    done[type] = 1;
    for (int64_t i = 0; i < l->nlink; i++) {
      if (l->link[i].joint->draws == type) {
        draw(type, split(k, n, (uint32_t)i + 1), l->link[i].axis);
      }
    }
    k = split(k, n, 0);
  }
  return SN_OK;
}

double x_draw_uniform(int64_t seed, int64_t link, int64_t i) {
  const key k = { { (uint32_t)seed, (uint32_t)link } };
  return (double)unit_float(word(k, 3, (uint32_t)i));
}
