// SPDX-License-Identifier: Apache-2.0
//
// From controls to forces: the parts of the stage of actuation (actuation.c), and what integrators
// need of actuators.

#ifndef SI_DYNAMICS_ACTUATION_H
#define SI_DYNAMICS_ACTUATION_H

#include "data/data.h"

// ------------------------------------------------------------------ parts of the stage

// Whether the group of an actuator is disabled.
int si_actuator_is_off(const sn_model *m, int64_t actuator);
// nu controls for the functions, in scratch memory: clamped to ctrlrange, zero for actuators
// that are off. A single control that is bad turns all of them to zero; those of actuators that are
// off do not count.
double *si_actuator_controls(const sn_model *m, sn_data *d, si_worker *w);

// activation.c: act_dot
void si_activation_rates(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl);
// out (na): the derivatives of the rates by velocity.
void si_activation_rate_slopes(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                               double *out);
// si_dyn_advance_activation with given controls.
void si_activation_advance(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                           const double *act_dot, double h, double *next);

// actuator_force.c: force (nu), before any clamping
void si_actuator_force(const sn_model *m, sn_data *d, si_worker *w, const double *ctrl,
                       double *force);

// ------------------------------------------------------------------ for integrators

// next (na) = the activations after h with these rates (na): by the exact solution for dynamics
// that have one, else act + h act_dot; clamped to actrange. next may be d->act.
void si_dyn_advance_activation(const sn_model *m, sn_data *d, si_worker *w, const double *act_dot,
                               double h, double *next);

// Clamps the activations to actrange; those of actuators that are off stay as they are.
void si_dyn_clamp_activation(const sn_model *m, sn_data *d);

// What a force is derived by.
typedef enum si_variable { SI_BY_VELOCITY, SI_BY_POSITION } si_variable;

// out (nu) = d force / d velocity, or d force / d length, of each actuator, as though its force had
// no range: so a servo that is at its limit still damps in an implicit step.
void si_dyn_actuator_slope(const sn_model *m, sn_data *d, si_worker *w, si_variable by,
                           double *out);

#endif
