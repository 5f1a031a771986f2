// SPDX-License-Identifier: Apache-2.0
//
// The order of things. Forward dynamics is forward.c, one call a stage; a step is step.c.

#ifndef SN_STEP_PIPELINE_H
#define SN_STEP_PIPELINE_H

#include "model/data.h"

typedef sn_status sn_stage_fn(const sn_model *m, sn_data *d, void *context);

// Runs a stage so that exhausted memory ends it with SN_ENOMEM instead of the process: the
// arenas jump back to here. mask: SN_STATE_*, what the stage writes of the state; when it fails,
// that is as before, and what it computed is dropped. 0: it asks something of what was computed,
// which stays. Within a guarded call it just calls. guard.c
sn_status sn_guarded(sn_stage_fn *stage, const sn_model *m, sn_data *d, uint32_t mask,
                     void *context);
// What an evaluation writes of the state.
enum { SN_EVALUATION_WRITES = SN_STATE_MOCAP_QUAT | SN_STATE_PLUGIN };

// forward.c
sn_status sn_position(const sn_model *m, sn_data *d);
sn_status sn_velocities(const sn_model *m, sn_data *d);
sn_status sn_accelerations(const sn_model *m, sn_data *d);
sn_status sn_forward_all(const sn_model *m, sn_data *d, int skip_sensors);
// done: SN_STAGE_POSITION or SN_STAGE_VELOCITY, up to which the data is right; 0: nothing is.
sn_status sn_forward_from(const sn_model *m, sn_data *d, int done, int skip_sensors);
sn_status sn_integrate(const sn_model *m, sn_data *d);   // step.c: calls the bound integrator

sn_status sn_solve(const sn_model *m, sn_data *d);   // solve.c: qacc, efc_force, qfrc_constraint
// The problem of the present state; its arrays are those of the data. start: nv, warm start.
sn_problem sn_problem_view(const sn_model *m, const sn_data *d, const double *start);

// dual.c: A = J M^-1 J' of a problem, dense rows in sparse form, from scratch memory. At most
// SN_DUAL_ROWS rows: what can be addressed.
enum { SN_DUAL_ROWS = 46340 };
sn_sparse sn_dual(const sn_problem *problem, sn_scratch *scratch);

// check.c: counts a warning and resets when the state has left the range of the numbers.
// What was bad; NULL: nothing.
const char *sn_check_state(const sn_model *m, sn_data *d);
const char *sn_check_acceleration(const sn_model *m, sn_data *d);
// The same numbers, activations and controls, as an error that names the first bad one:
// SN_EDIVERGED.
sn_status sn_refuse_state(const sn_model *m, sn_data *d);
sn_status sn_refuse_acceleration(const sn_model *m, sn_data *d);

void sn_compare_inverse(const sn_model *m, sn_data *d);   // inverse.c: solver_fwdinv

#endif
