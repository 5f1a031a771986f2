// SPDX-License-Identifier: Apache-2.0
//
// Forces that are affine in length l and velocity v of the transmission:
//
//   fixed     prm[0]
//   affine    prm[0] + prm[1] l + prm[2] v
//
// So position servos (gain fixed kp; bias affine 0, -kp, -kv), velocity servos, springs, dampers.

#include "laws.h"

static sn_status fixed_value(const void *self, const sn_actuators *b, double *out,
                             sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->prm[SN_NACTPRM * i];
  }
  return SN_OK;
}

static sn_status affine_value(const void *self, const sn_actuators *b, double *out,
                              sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + SN_NACTPRM * i;
    out[i] = prm[0] + prm[1] * b->length[i] + prm[2] * b->velocity[i];
  }
  return SN_OK;
}

static sn_status affine_dvelocity(const void *self, const sn_actuators *b, double *out,
                                  sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->prm[SN_NACTPRM * i + 2];
  }
  return SN_OK;
}

const sn_force_ops fixed_gain_ops = {
  .head = { .size = sizeof(sn_force_ops), .summary = "gainprm[0]" },
  .value = fixed_value,
};

const sn_force_ops affine_gain_ops = {
  .head = { .size = sizeof(sn_force_ops),
            .summary = "gainprm[0] + gainprm[1] length + gainprm[2] velocity" },
  .value = affine_value,
  .dvelocity = affine_dvelocity,
};

const sn_force_ops affine_bias_ops = {
  .head = { .size = sizeof(sn_force_ops),
            .summary = "biasprm[0] + biasprm[1] length + biasprm[2] velocity" },
  .value = affine_value,
  .dvelocity = affine_dvelocity,
};
