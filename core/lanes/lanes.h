// SPDX-License-Identifier: Apache-2.0
//
// Steps of several simulations of one model together: each number is SI_LANES numbers side by side,
// one of each simulation, so that one instruction serves all.
//
//   qpos[0]  [ sim 0 | sim 1 | sim 2 | sim 3 ]
//   qpos[1]  [ sim 0 | sim 1 | sim 2 | sim 3 ]
//
// The lane form covers smooth dynamics: hinges and slides, tendons, springs and dampers, actuators.
// Limits and friction loss are computed one simulation after the other. A step in which a
// simulation needs more than that (geoms come near each other, a number is bad) is left to sn_step
// for that simulation alone; its state is untouched, so the result is as if lanes did not exist.
// Models that need more in every step are not covered.
//
//   cover.c       which models, and which simulations of a step
//   numbers.c     the numbers of the models, each simulation's own
//   smooth.c      positions, inertia, velocities, bias forces: kernels, once an instruction set
//   tendon_loops  tendons, lengths and moment arms of actuators
//   force.c       passive forces and actuators: plugins, which get the lanes as more elements
//   constraint.c  limits and friction loss
//   lanes.c       a step: from the simulations to lanes, integrator, and back

#ifndef SI_LANES_LANES_H
#define SI_LANES_LANES_H

#include "data/data.h"

enum { SI_LANES = 4 };

typedef struct si_lanes si_lanes;

// Does the lane form cover steps of this model, with its present options?
int si_lanes_cover(const sn_model *m);
// NULL: there is no memory.
si_lanes *si_lanes_new(const sn_model *m);
void si_lanes_free(si_lanes *l);
int64_t si_lanes_bytes(const si_lanes *l);

// Simulation i has the model models[i], which differs from that of si_lanes_new in numbers alone;
// at first all have that one. Models live as long as they are used.
void si_lanes_use(si_lanes *l, const sn_model *const *models);

// One step of the simulations whose bit is set in `wanted`, in place of sn_step: of each that is
// covered, the state and qacc are those at the end of the step, and other fields are not computed.
// Returns the bits of those; the others are as they were. d: SI_LANES simulations, NULL where the
// bit is not set.
uint32_t si_lanes_step(si_lanes *l, sn_data *const *d, uint32_t wanted);

#endif
