// SPDX-License-Identifier: Apache-2.0
//
// Where the time of a step goes: seconds and calls of each stage, for those who tune a model or a
// plugin. Off by default; then no clock is read.
//
//   sn_data_set_timing(d, 1);
//   ... sn_step(m, d) ...
//   sn_timing t;
//   for (int64_t i = 0; sn_data_timing_at(d, i, &t); i++) {
//     printf("%-14s %8lld calls %10.6f s\n", t.name, (long long)t.calls, t.seconds);
//   }
//
// Every moment of a call counts for one stage: the innermost. An integrator that evaluates the
// dynamics again is charged for its own work only, the evaluations count for their stages. So the
// times of all stages add up to the time of the calls.

#ifndef SINEW_TIMING_H
#define SINEW_TIMING_H

#include "sinew/abi.h"

SN_BEGIN_DECLS

// X(name, group, meaning), in the order of a step. fields_data.h names the stage of each field.
#define SN_TIMED_STAGES(X)                                                            \
  X(kinematics, "position", "poses of bodies, joints, geoms and sites")               \
  X(com, "position", "centers of mass; inertia and motion axes about them")           \
  X(camlight, "position", "poses of cameras and lights")                              \
  X(tendon, "position", "lengths and Jacobians of tendons")                           \
  X(inertia, "position", "composite inertia and the inertia matrix")                  \
  X(factor, "position", "factorization of the inertia matrix")                        \
  X(broadphase, "position", "pairs of geoms that may touch; contact filters")         \
  X(narrowphase, "position", "contact points of these pairs: the colliders")          \
  X(collide, "position", "order and parameters of the contacts")                      \
  X(constraint, "position", "rows of the constraint problem")                         \
  X(island, "position", "islands of the constraint problem")                          \
  X(transmission, "position", "lengths and moment arms of actuators")                 \
  X(velocity, "velocity", "velocities of tendons and actuators")                      \
  X(comvel, "velocity", "velocities of bodies, rates of motion axes")                 \
  X(passive, "velocity", "passive forces")                                            \
  X(reference, "velocity", "reference acceleration of the rows")                      \
  X(rne, "velocity", "Coriolis, centrifugal and gravitational forces")                \
  X(actuation, "acceleration", "forces of actuators")                                 \
  X(smooth, "acceleration", "acceleration without constraints")                       \
  X(solve, "acceleration", "constraint forces: the solver")                           \
  X(postsolve, "acceleration", "the post-solver, with noslip_iterations")             \
  X(inverse, "acceleration", "inverse dynamics, forward and inverse dynamics compared") \
  X(sensors, "sensors", "sensor values, noise and cutoff")                            \
  X(subtree, "sensors", "velocities of subtrees, on request")                         \
  X(rnepost, "sensors", "accelerations and forces of bodies, on request")             \
  X(energy, "sensors", "potential and kinetic energy")                                \
  X(integrate, "integration", "the integrator, without what it evaluates")            \
  X(other, "other", "checks, copies of the state, and what is between the stages")

typedef struct sn_timing {
  const char *name;      // "kinematics"
  const char *group;     // "position", as in the table
  const char *meaning;
  double seconds;        // since timing was switched on
  int64_t calls;         // likewise; of "other": calls of sn_step, sn_forward ...
} sn_timing;
SN_LAYOUT(sn_timing, 40);

// [step] on: measures what follows, from zero. 0: stops, and all times and counts are zero. They
// belong to this data alone: a reset keeps them, a copy does not get them.
SN_API void sn_data_set_timing(sn_data *data, int32_t on);
// [step] The stages by index from 0, in the order of a step; false past the end. And one by name;
// SN_ENOTFOUND: no such stage. The texts are constant.
SN_API int32_t sn_data_timing_at(const sn_data *data, int64_t index, sn_timing *timing);
SN_API sn_status sn_data_timing(const sn_data *data, const char *name, sn_timing *timing);

SN_END_DECLS

#endif
