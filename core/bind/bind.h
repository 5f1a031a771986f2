// SPDX-License-Identifier: Apache-2.0
//
// A model and the plugins of its engine: what its simulations will call.

#ifndef SI_BIND_BIND_H
#define SI_BIND_BIND_H

#include "model/model.h"

// Resolves solver, integrator, colliders, laws, sensors and passive forces in the frozen engine,
// and makes what is not stored. After compiling and after reading the binary file.
sn_status si_model_bind(sn_model *model, sn_error *error);
void si_model_unbind(sn_model *model);
// Only solver and integrator, by the options and what is selected.
sn_status si_model_bind_algorithms(sn_model *model, sn_error *error);
// Refuses a bound model, or warns of it, for what it says and no plugin does. unserved.c
sn_status si_model_check_served(sn_model *model, sn_error *error);

#endif
