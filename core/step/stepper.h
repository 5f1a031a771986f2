// SPDX-License-Identifier: Apache-2.0
//
// The services that an integrator is handed: see sinew/integrator.h.

#ifndef SI_STEP_STEPPER_H
#define SI_STEP_STEPPER_H

#include "data/data.h"

// A stepper of this simulation, valid for one step.
void si_stepper_init(const sn_model *m, sn_data *d, si_worker *w, sn_stepper *out);
// Its service `implicit`. implicit.c
sn_status si_stepper_implicit(sn_stepper *stepper, uint32_t which, double h, double *out);

#endif
