// SPDX-License-Identifier: Apache-2.0
//
// A brushed direct current motor, driven by a voltage u:
//
//   winding     L i' = V - R i - K v       V: u, clamped to the supply; v: velocity of the
//                                          transmission; i: the activation
//   torque      K i                        the gain K times the activation i
//   friction    -c tanh(v / s) - d v       smooth Coulomb friction and viscous friction
//
// With V and v constant during a step, the current has a closed form, which is exact however short
// the time constant L / R is compared with the step:
//
//   i(h) = e + (i - e) exp(-h R / L),      e = (V - K v) / R
//
// Dynamics, gain and bias have the same name, dcmotor; an actuator uses all three. `constant` is a
// parameter of dynamics and gain: the model sets it once for both.

#include <math.h>
#include <stddef.h>

#include "sinew/actuator.h"

enum { RESISTANCE, INDUCTANCE, EMF, SUPPLY };   // parameters of the dynamics
enum { COULOMB, SLIP, VISCOUS };                // of the bias; the gain has only the constant

#define NUMBER(key, otherwise, meaning) \
  { .name = key, .default_value = otherwise, .type = SN_PARAM_REAL, .summary = meaning }

static const sn_param dynamics_numbers[] = {
  NUMBER("resistance", "1", "R, Ohm"),
  NUMBER("inductance", "0.001", "L, H"),
  NUMBER("constant", "0.05", "K, N m / A, and V s / rad"),
  NUMBER("supply", "12", "largest voltage, V"),
  { .name = NULL },
};

static const sn_param gain_numbers[] = {
  NUMBER("constant", "0.05", "K, N m / A, and V s / rad"),
  { .name = NULL },
};

static const sn_param bias_numbers[] = {
  NUMBER("coulomb", "0.001", "c, N m"),
  NUMBER("slip", "0.01", "s, rad / s: speed at which friction is 3/4 of c"),
  NUMBER("viscous", "0", "d, N m s / rad"),
  { .name = NULL },
};

// ------------------------------------------------------------------ winding

static int32_t motor_states(const void *self, const double *prm) {
  (void)self;
  (void)prm;
  return 1;
}

// The steady-state current e.
static double settled(const sn_actuators *b, int64_t i) {
  const double *prm = b->prm + i * SN_NACTPRM;
  double voltage = fmax(-prm[SUPPLY], fmin(prm[SUPPLY], b->ctrl[i * b->nctrl]));
  return (voltage - prm[EMF] * b->velocity[i]) / prm[RESISTANCE];
}

static sn_status motor_rate(const void *self, const sn_actuators *b, double *act_dot,
                            sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + i * SN_NACTPRM;
    act_dot[i] = (settled(b, i) - b->act[i]) * prm[RESISTANCE] / prm[INDUCTANCE];
  }
  return SN_OK;
}

static sn_status motor_advance(const void *self, const sn_actuators *b, const double *act_dot,
                               double h, double *act_next, sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + i * SN_NACTPRM;
    double t = prm[INDUCTANCE] / prm[RESISTANCE];
    act_next[i] = b->act[i] - act_dot[i] * t * expm1(-h / t);
  }
  return SN_OK;
}

static sn_status motor_check(const void *self, const double *prm, const sn_host *host,
                             sn_error *error) {
  (void)self;
  if (prm[RESISTANCE] > 0 && prm[INDUCTANCE] > 0 && prm[SUPPLY] >= 0) {
    return SN_OK;
  }
  return host->error(host, error, SN_EINVAL, NULL, 0, 0,
                     "resistance and inductance must be positive, supply not negative");
}

// ------------------------------------------------------------------ torque

static sn_status torque_value(const void *self, const sn_actuators *b, double *out,
                              sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    out[i] = b->prm[i * SN_NACTPRM];
  }
  return SN_OK;
}

// ------------------------------------------------------------------ friction

static sn_status friction_value(const void *self, const sn_actuators *b, double *out,
                                sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + i * SN_NACTPRM, v = b->velocity[i];
    out[i] = -prm[COULOMB] * tanh(v / prm[SLIP]) - prm[VISCOUS] * v;
  }
  return SN_OK;
}

static sn_status friction_dvelocity(const void *self, const sn_actuators *b, double *out,
                                    sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  for (int64_t i = 0; i < b->n; i++) {
    const double *prm = b->prm + i * SN_NACTPRM, t = tanh(b->velocity[i] / prm[SLIP]);
    out[i] = -prm[COULOMB] * (1 - t * t) / prm[SLIP] - prm[VISCOUS];
  }
  return SN_OK;
}

static sn_status friction_check(const void *self, const double *prm, const sn_host *host,
                                sn_error *error) {
  (void)self;
  return prm[SLIP] > 0 ? SN_OK
                       : host->error(host, error, SN_EINVAL, NULL, 0, 0, "slip must be positive");
}

// ------------------------------------------------------------------ the plugin

static const sn_dynamics_ops dynamics_ops = {
  .head = { .size = sizeof(sn_dynamics_ops), .summary = "current in the winding of a motor" },
  .states = motor_states,
  .rate = motor_rate,
  .advance = motor_advance,
  .check = motor_check,
  .numbers = dynamics_numbers,
  .transmissions = "joint|jointinparent|tendon|slidercrank",
};

static const sn_force_ops gain_ops = {
  .head = { .size = sizeof(sn_force_ops), .summary = "torque of a motor" },
  .value = torque_value,
  .numbers = gain_numbers,
};

static const sn_force_ops bias_ops = {
  .head = { .size = sizeof(sn_force_ops), .summary = "friction of a motor" },
  .value = friction_value,
  .dvelocity = friction_dvelocity,
  .check = friction_check,
  .numbers = bias_numbers,
};

static const sn_provide provides[] = {
  SN_PROVIDE_DYNAMICS("dcmotor", &dynamics_ops),
  SN_PROVIDE_GAIN("dcmotor", &gain_ops),
  SN_PROVIDE_BIAS("dcmotor", &bias_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.dcmotor", .version = "1.0", .license = "Apache-2.0",
          .summary = "a direct current motor", .provides = provides)
