// SPDX-License-Identifier: Apache-2.0
//
// What tests of whole models share: the engine with its plugins, models from text in memory,
// random states and finite differences by velocity.

#ifndef SN_TEST_RANDOM_STATE_H
#define SN_TEST_RANDOM_STATE_H

#include <math.h>
#include <stdlib.h>

#include "bind/bind.h"
#include "default_engine.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

static inline void set_option(sn_model *m, const char *name, const char *value) {
  ck_assert_msg(sn_model_parse_option(m, name, value, error) >= 0, "%s", sn_error_text(error));
}

// After a test changed arrays of a model.
static inline void bind_again(sn_model *m) {
  ck_assert_msg(si_model_bind(m, error) >= 0, "%s", sn_error_text(error));
}

// Uniform in [-1, 1), the same on every machine.
static inline double uniform(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)*seed / 2147483648.0 - 1;
}

// A state at some distance from the reset, with velocities and controls.
static inline void scramble(const sn_model *m, sn_data *d, uint32_t seed) {
  sn_reset(m, d);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qvel[i] = uniform(&seed);
  }
  sn_integrate_position(m, d->qpos, d->qvel, 0.7);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qvel[i] = 2 * uniform(&seed);
  }
  for (int64_t i = 0; i < m->nu; i++) {
    d->ctrl[i] = uniform(&seed);
  }
  for (int64_t i = 0; i < m->na; i++) {
    d->act[i] = 0.5 + 0.4 * uniform(&seed);
  }
}

// |a - b| <= tolerance (1 + |b|)
#define CLOSE(a, b, tolerance)                                           \
  do {                                                                   \
    double got_ = (a), want_ = (b);                                      \
    ck_assert_msg(fabs(got_ - want_) <= (tolerance) * (1 + fabs(want_)), \
                  "%s is %.17g, not %.17g (%s)", #a, got_, want_, #b);   \
  } while (0)

#endif
