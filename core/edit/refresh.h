// SPDX-License-Identifier: Apache-2.0
//
// What follows from edits of the arrays of a model, without the checks and the undoing of
// sn_model_refresh.

#ifndef SI_EDIT_REFRESH_H
#define SI_EDIT_REFRESH_H

#include "bind/bind.h"

// Everything: the arrays that are computed of others, then the binding. On failure the old binding
// stays.
sn_status si_refresh_all(sn_model *m, sn_error *error);
// The arrays alone. data: of the model, in its reset state; zeros: nv zeros. Allocates nothing.
sn_status si_refresh_quantities(sn_model *m, sn_data *data, double *zeros, sn_error *error);

#endif
