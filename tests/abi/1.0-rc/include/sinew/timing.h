// SPDX-License-Identifier: Apache-2.0
//
// Measures the time of a step: seconds and calls of each stage, to find out which part of a model
// or a plugin is slow. It is off by default, and then reads no clock.
//
//   sn_data_set_timing(d, 1);
//   ... sn_step(m, d) ...
//   sn_timing t = { .size = sizeof t };
//   for (int64_t i = 0; sn_data_timing_at(d, i, &t); i++) {
//     printf("%-14s %8lld calls %10.6f s\n", t.name, (long long)t.calls, t.seconds);
//   }
//
// Times are exclusive: where stages are nested, only the innermost one is measured. If an
// integrator evaluates the dynamics again, these evaluations count for their stages, and only its
// own work for stage "integrate". The times of all stages add up to the time of the calls, less the
// time that reading the clock takes.

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
  X(broadphase, "position", "candidate pairs of geoms; contact filters")              \
  X(narrowphase, "position", "contact points of these pairs: the colliders")          \
  X(collide, "position", "order and parameters of the contacts")                      \
  X(constraint, "position", "rows of the constraint problem")                         \
  X(island, "position", "islands of the constraint problem")                          \
  X(sleep, "position", "which trees sleep or wake, with the flag sleep")              \
  X(transmission, "position", "lengths and moment arms of actuators")                 \
  X(velocity, "velocity", "velocities of tendons and actuators")                      \
  X(comvel, "velocity", "velocities of bodies, rates of motion axes")                 \
  X(passive, "velocity", "passive forces")                                            \
  X(reference, "velocity", "reference acceleration of the rows")                      \
  X(rne, "velocity", "Coriolis, centrifugal and gravitational forces")                \
  X(control, "acceleration", "controls and forces of controllers")                    \
  X(actuation, "acceleration", "forces of actuators")                                 \
  X(smooth, "acceleration", "acceleration without constraints")                       \
  X(solve, "acceleration", "constraint forces: the solver")                           \
  X(postsolve, "acceleration", "the post-solver, if noslip_iterations > 0")           \
  X(inverse, "acceleration", "inverse dynamics, forward and inverse dynamics compared") \
  X(sensors, "sensors", "sensor values, noise and cutoff")                            \
  X(subtree, "sensors", "velocities of subtrees, if needed")                          \
  X(rnepost, "sensors", "accelerations and forces of bodies, if needed")              \
  X(energy, "sensors", "potential and kinetic energy")                                \
  X(integrate, "integration", "the integrator, without the evaluations that it makes") \
  X(other, "other", "checks, copies of the state, and everything else")

// The time that one stage took.
typedef struct sn_timing {
  uint32_t size;         // sizeof(sn_timing), set by the caller; no more bytes are written
  uint32_t reserved;
  const char *name;      // as in the table above: "kinematics"
  const char *group;     // "position"
  const char *meaning;
  double seconds;        // since timing was switched on
  int64_t calls;         // since then; for "other": calls of sn_step, sn_forward ...
} sn_timing;
SN_LAYOUT(sn_timing, 48);

// [step] Switches the measurement on (not 0) or off (0). In both cases all times and counts are set
// to zero. sn_reset keeps the times; sn_data_copy does not copy them.
SN_API void sn_data_set_timing(sn_data *data, int32_t on);
// [step] Times of the stage with this index, from 0, in the order of a step; returns 0 past the
// end. sn_data_timing: of the stage with this name; SN_ENOTFOUND: no such stage. The strings are
// constant.
SN_API int32_t sn_data_timing_at(const sn_data *data, int64_t index, sn_timing *timing);
SN_API sn_status sn_data_timing(const sn_data *data, const char *name, sn_timing *timing);

SN_END_DECLS

#endif
