// SPDX-License-Identifier: Apache-2.0
//
// What the armature of tendons adds to the smooth dynamics. [step]

#ifndef SI_DYNAMICS_TENDON_ARMATURE_H
#define SI_DYNAMICS_TENDON_ARMATURE_H

#include "dynamics/derivative.h"
#include "dynamics/motion.h"

// The second derivative of the length of a spatial tendon under such a motion.
double si_tendon_acceleration(const sn_model *m, const sn_data *d, int64_t tendon,
                              const si_motion *of);

// Adds to qM.
void si_dyn_tendon_inertia(const sn_model *m, sn_data *d, si_worker *w);
// Adds J' armature l'' to out (nv); acc: accelerations of the bodies by qvel and qacc (NULL: 0).
void si_dyn_tendon_bias(const sn_model *m, const sn_data *d, const double *acc, const double *qacc,
                        double *out);
// Takes the derivative of that bias with respect to qvel from D. rates: u_j of derivative.c, the
// rates of the axes of the dofs (6 nv).
void si_derive_tendon_bias(const sn_model *m, const sn_data *d, si_worker *w, const double *rates,
                           sn_unsymmetric D);

#endif
