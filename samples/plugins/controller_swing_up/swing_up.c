// SPDX-License-Identifier: Apache-2.0
//
// Swings up and balances a pole on a cart. x: position of the cart; q: angle of the pole, 0 when it
// is upright; M, m: their masses; l: distance of the pole's center of mass from its joint; J: its
// inertia about the joint. With the acceleration a of the cart,
//
//   J q'' = m g l sin q - m l a cos q
//   F = (M + m) a + m l (q'' cos q - q'^2 sin q)      the force of the motor
//
// Far from upright the energy of the pole, E = J q'^2 / 2 + m g l (cos q - 1), is brought to that
// of the upright pole, 0, because E' = -m l q' a cos q:
//
//   a = k E q' cos q / (m l) - p^2 x / 4 - p x'
//
// Near upright, with c = m l / J and w^2 = g c, the linear system has all four poles at -p with
//
//   a = k1 x + k2 x' + k3 q + k4 q'
//   k1 = p^4 / w^2   k2 = 4 p^3 / w^2   k3 = (6 p^2 + w^2 + k1) / c   k4 = (4 p + k2) / c
//
// Reference: Astrom, Furuta, Swinging up a pendulum by energy control, Automatica 36, 2000.

#include <math.h>
#include <stddef.h>

#include "sinew/controller.h"
#include "sinew/enums.h"
#include "sinew/instance.h"

enum { CART, POLE, MOTOR, SPEED, PUMP };   // attributes

typedef struct swing_up {
  int32_t cart, pole, motor;           // the motor is an actuator
  int32_t qpos[2], dof[2];             // of cart and pole
  int32_t body[2];
  double speed, pump;                  // p, k
  sn_field positions, velocities;
  const double *mass, *ipos, *inertia, *gear, *gravity;   // of the model
} swing_up;

// Cart and pole are a slide joint and a hinge on the next body, and the motor drives the cart.
static sn_status check_joints(sn_lookup *l, const swing_up *s) {
  const int32_t *type = sn_lookup_ints(l, "jnt_type"), *parent = sn_lookup_ints(l, "body_parentid");
  const int32_t *trntype = sn_lookup_ints(l, "actuator_trntype");
  const int32_t *trnid = sn_lookup_ints(l, "actuator_trnid");
  SN_TRY(l->status);
  const int good = type[s->cart] == SN_JOINT_SLIDE && type[s->pole] == SN_JOINT_HINGE &&
                   parent[s->body[1]] == s->body[0] && trntype[s->motor] == SN_TRN_JOINT &&
                   trnid[2 * s->motor] == s->cart;
  return good ? SN_OK
              : sn_instance_fail(l->self, l->error, SN_EINVAL,
                                 "swing_up: 'cart' must name a slide joint, 'pole' a hinge of a "
                                 "body on the cart, 'motor' an actuator of the cart");
}

static sn_status swing_up_bind(const void *self, const sn_model_view *model, const sn_value *values,
                               void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t *qposadr = sn_lookup_ints(&l, "jnt_qposadr");
  const int32_t *dofadr = sn_lookup_ints(&l, "jnt_dofadr"),
                *bodyid = sn_lookup_ints(&l, "jnt_bodyid");
  swing_up s = { .cart = (int32_t)values[CART].integer,
                 .pole = (int32_t)values[POLE].integer,
                 .motor = (int32_t)values[MOTOR].integer,
                 .speed = values[SPEED].real,
                 .pump = values[PUMP].real,
                 .positions = sn_lookup_data(&l, "qpos"),
                 .velocities = sn_lookup_data(&l, "qvel"),
                 .mass = sn_lookup_reals(&l, "body_mass"),
                 .ipos = sn_lookup_reals(&l, "body_ipos"),
                 .inertia = sn_lookup_reals(&l, "body_inertia"),
                 .gear = sn_lookup_reals(&l, "actuator_gear"),
                 .gravity = sn_lookup_option(&l, "gravity") };
  SN_TRY(l.status);
  const int32_t joint[2] = { s.cart, s.pole };
  for (int i = 0; i < 2; i++) {
    s.qpos[i] = qposadr[joint[i]];
    s.dof[i] = dofadr[joint[i]];
    s.body[i] = bodyid[joint[i]];
  }
  SN_TRY(check_joints(&l, &s));
  return sn_instance_keep(self, &s, sizeof s, bound, error);
}

// The acceleration of the cart. near: the linear law acts.
static double acceleration(const swing_up *s, double x, double v, double q, double rate, double ml,
                           double J) {
  const double g = -s->gravity[2], p = s->speed, c = ml / J, w2 = g * c;
  const double energy = 0.5 * J * rate * rate + ml * g * (cos(q) - 1);
  const int near = cos(q) > 0.9 && fabs(energy) < 0.3 * ml * g;
  if (!near) {
    return s->pump * energy * rate * cos(q) / ml - 0.25 * p * p * x - p * v;
  }
  const double k1 = p * p * p * p / w2, k2 = 4 * p * p * p / w2;
  return k1 * x + k2 * v + (6 * p * p + w2 + k1) / c * sin(q) + (4 * p + k2) / c * rate;
}

static sn_status swing_up_control(const void *self, const void *bound, const sn_data_view *data,
                                  const double *state, sn_controls *controls, sn_scratch *scratch) {
  const swing_up *s = bound;
  const double *qpos = sn_field_reals(data->fields, s->positions);
  const double *qvel = sn_field_reals(data->fields, s->velocities);
  const double x = qpos[s->qpos[0]], q = qpos[s->qpos[1]];
  const double v = qvel[s->dof[0]], rate = qvel[s->dof[1]];
  const double M = s->mass[s->body[0]], m = s->mass[s->body[1]], l = s->ipos[3 * s->body[1] + 2];
  const double ml = m * l, J = s->inertia[3 * s->body[1]] + ml * l;
  (void)self;
  (void)state;
  (void)scratch;
  const double a = acceleration(s, x, v, q, rate, ml, J);
  const double turn = (-ml * s->gravity[2] * sin(q) - ml * a * cos(q)) / J;
  const double force = (M + m) * a + ml * (turn * cos(q) - rate * rate * sin(q));
  controls->ctrl[s->motor] = force / s->gear[6 * s->motor];
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "cart",
    .choices = "joint",
    .type = SN_PARAM_REFERENCE,
    .summary = "slide joint of the cart" },
  { .name = "pole",
    .choices = "joint",
    .type = SN_PARAM_REFERENCE,
    .summary = "hinge of the pole" },
  { .name = "motor",
    .choices = "actuator",
    .type = SN_PARAM_REFERENCE,
    .summary = "actuator of the cart" },
  { .name = "speed",
    .default_value = "3",
    .min = 0.01,
    .max = 100,
    .type = SN_PARAM_REAL,
    .summary = "p: the rate at which the upright pole and the cart return, 1/s" },
  { .name = "pump",
    .default_value = "10",
    .min = 0,
    .max = 1e6,
    .type = SN_PARAM_REAL,
    .summary = "k: how fast energy is brought to the pole, 1/(kg m)" },
  { .name = NULL },
};

static const sn_controller_ops ops = {
  .head = { .size = sizeof(sn_controller_ops),
            .flags = SN_CONTROLLER_NAMED,
            .summary = "swings up and balances a pole on a cart",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = swing_up_bind,
  .unbind = sn_instance_unbind,
  .control = swing_up_control,
};

static const sn_provide provides[] = {
  SN_PROVIDE_CONTROLLER("swing_up", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.swing_up", .version = "1.0", .license = "Apache-2.0",
          .summary = "swinging up a pole on a cart", .provides = provides)
