// SPDX-License-Identifier: Apache-2.0
//
// What the integrator asks of the actuators' laws.

#ifndef SI_DYNAMICS_ACTUATION_H
#define SI_DYNAMICS_ACTUATION_H

#include "model/data.h"

// next (na) = the activations after h with these rates (na): by the exact rule of the laws that
// have one, else act + h act_dot; clamped to actrange. next may be d->act.
void si_dyn_advance_activation(const sn_model *m, sn_data *d, si_worker *w, const double *act_dot,
                               double h, double *next);

// out (nu) = d force / d velocity of each actuator, as though its force had no range: so a servo
// that is at its limit still damps in an implicit step.
void si_dyn_actuator_slope(const sn_model *m, sn_data *d, si_worker *w, double *out);

#endif
