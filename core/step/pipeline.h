// SPDX-License-Identifier: Apache-2.0
//
// The stages of forward dynamics, which forward.c calls in order, and what encloses them: a step is
// step.c. The parts of the stage of the solver are in solve.h.

#ifndef SI_STEP_PIPELINE_H
#define SI_STEP_PIPELINE_H

#include "data/data.h"

typedef sn_status si_stage_fn(const sn_model *m, sn_data *d, si_worker *w, void *context);

// Runs a stage on the first worker, so that exhausted memory ends it with SN_ENOMEM instead of the
// process: the arenas jump back to here. mask: SN_STATE_*, the parts of the state that the stage
// writes; when it fails they are restored, and what it computed is dropped. 0: it only reads what
// was computed, which stays. Afterwards warnings and errors are merged into the simulation. Within
// a guarded call it just calls. guard.c
sn_status si_guarded(si_stage_fn *stage, const sn_model *m, sn_data *d, uint32_t mask,
                     void *context);
// The same within a guarded call, for what a plugin calls: exhausted memory is returned as
// SN_ENOMEM, over no frame of the plugin, and the guarded call ends with it when the plugin
// returns. guard.c
sn_status si_guarded_again(si_stage_fn *stage, const sn_model *m, sn_data *d, si_worker *w,
                           void *context);
// Before a step resets. Nothing else in a step writes the forces applied to bodies, of which there
// may be many, so they are copied only then. guard.c
void si_keep_applied(const sn_model *m, sn_data *d, si_worker *w);
// SN_EINVAL, with an error: the simulation is in the middle of a step. A step that was left by a
// jump is ended. guard.c
sn_status si_require_idle(sn_data *d);
// What an evaluation writes of the state.
enum { SI_EVALUATION_WRITES = SN_STATE_MOCAP_QUAT | SN_STATE_PLUGIN | SN_STATE_SLEEP };

// forward.c
// What depends on positions alone, without contacts and constraints.
void si_position_smooth(const sn_model *m, sn_data *d, si_worker *w);
sn_status si_position(const sn_model *m, sn_data *d, si_worker *w);
sn_status si_velocities(const sn_model *m, sn_data *d, si_worker *w);
sn_status si_accelerations(const sn_model *m, sn_data *d, si_worker *w);
sn_status si_forward_all(const sn_model *m, sn_data *d, si_worker *w, int skip_sensors);
// The stage of positions, with its sensors and energy.
sn_status si_forward_position(const sn_model *m, sn_data *d, si_worker *w, int skip_sensors);
// done: SN_STAGE_POSITION or SN_STAGE_VELOCITY, up to which the data is right; 0: nothing is.
sn_status si_forward_from(const sn_model *m, sn_data *d, si_worker *w, int done, int skip_sensors);
// impact.c: what contacts with restitution do in an instant, to qvel, after the stage of positions.
sn_status si_impact(const sn_model *m, sn_data *d, si_worker *w);
sn_status si_integrate(const sn_model *m, sn_data *d,
                       si_worker *w);   // step.c: calls the bound integrator

// projection.c: moves qpos and qvel, after a step, to where exact equality constraints hold. start:
// qpos of before.
sn_status si_project(const sn_model *m, sn_data *d, si_worker *w, const double *start);

sn_status si_solve(const sn_model *m, sn_data *d,
                   si_worker *w);   // solve.c: qacc, efc_force, qfrc_constraint

// check.c: counts a warning and resets when the state has left the range of the numbers.
// What was bad; NULL: nothing.
const char *si_check_state(const sn_model *m, sn_data *d, si_worker *w);
const char *si_check_acceleration(const sn_model *m, sn_data *d, si_worker *w);
// The same numbers, activations and controls, as an error that names the first bad one:
// SN_EDIVERGED.
sn_status si_reject_state(const sn_model *m, sn_data *d, si_worker *w);
sn_status si_reject_acceleration(const sn_model *m, sn_data *d, si_worker *w);

// forward.c: quantities that are computed on request, once an evaluation.
// cacc, cfrc_int, cfrc_ext; subtree_linvel, subtree_angmom
void si_need_body_forces(const sn_model *m, sn_data *d, si_worker *w);
void si_need_subtree_velocities(const sn_model *m, sn_data *d, si_worker *w);

// sleep.c: what sleeps and what wakes, where the flag sleep is set; its head has the rules.
void si_sleep_wake_edited(const sn_model *m, sn_data *d);    // rule 1
int si_sleep_wake_touched(const sn_model *m, sn_data *d);    // rule 2: did anything wake?
void si_sleep_hold(const sn_model *m, sn_data *d);           // what sleeps is held; rule 3
void si_sleep_balance(const sn_data *d);                     // its qfrc_constraint
void si_sleep_fall(const sn_model *m, sn_data *d, si_worker *w);   // at the end of a step

// inverse.c: solver_fwdinv
void si_compare_inverse(const sn_model *m, sn_data *d, si_worker *w);

#endif
