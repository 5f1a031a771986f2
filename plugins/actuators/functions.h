// SPDX-License-Identifier: Apache-2.0
//
// The functions of this plugin (dynamics, gain, bias): one operation table each, by family.

#ifndef LAWS_H
#define LAWS_H

#include "sinew/actuator.h"

extern const sn_dynamics_ops integrator_ops, filter_ops, filterexact_ops;     // dynamics.c
extern const sn_force_ops fixed_gain_ops, affine_gain_ops, affine_bias_ops;   // force.c
extern const sn_dynamics_ops muscle_dynamics_ops;                             // muscle.c
extern const sn_force_ops muscle_gain_ops, muscle_bias_ops;

#endif
