// SPDX-License-Identifier: Apache-2.0
//
// The lanes of a group of simulations, between the files of this folder.

#ifndef SI_LANES_STATE_H
#define SI_LANES_STATE_H

#include "lanes/lane.h"
#include "sinew/integrator.h"

// Geoms that may collide; while their bounds are apart, they do not. cover.c
typedef struct si_lane_pair {
  int32_t geom1, geom2;   // of a plane and a sphere, the plane first
  int32_t is_plane;
  int32_t pair;           // explicit pair; -1: dynamic
  si_lane beyond;   // the distance above a plane, or the square of one, at which they are apart
} si_lane_pair;

// The actuators of a binding, as elements of one call: lane w of the k-th is element k SI_LANES +
// w. force.c
typedef struct si_lane_batch {
  const si_binding *binding;
  int64_t n;   // elements
  double *prm, *lengthrange, *acc0, *ctrl, *length, *velocity, *act, *out;
  int32_t *id;
} si_lane_batch;

typedef struct si_lane_batches {
  int64_t n;
  si_lane_batch *at;
} si_lane_batches;

// Arrays of the model in lanes, since each simulation may have a model of its own (variations of a
// rollout). All other numbers of the models are the same, or left to sn_step. numbers.c
#define SI_LANE_NUMBERS(X)                                                                        \
  X(qpos0) X(body_pos) X(body_quat) X(body_ipos) X(body_iquat) X(body_mass) X(body_subtreemass)   \
  X(body_inertia) X(jnt_pos) X(jnt_axis) X(jnt_range) X(jnt_margin) X(dof_armature)               \
  X(dof_damping) X(geom_pos) X(geom_quat) X(geom_size) X(site_pos) X(site_quat) X(tendon_range)   \
  X(tendon_margin) X(wrap_prm) X(actuator_gear) X(actuator_ctrlrange) X(actuator_forcerange)      \
  X(actuator_actrange)

typedef struct si_lane_numbers {
#define SN_X(name) si_lane *name;
  SI_LANE_NUMBERS(SN_X)
#undef SN_X
  si_lane gravity[3];
} si_lane_numbers;

typedef si_lane si_lane_real;
typedef int32_t si_lane_int;

struct si_lanes {
  const sn_model *m;                  // of integers and options
  const sn_model *models[SI_LANES];   // of each simulation
  int32_t differ;                     // do they?
  si_lane_mask usable;                // simulations whose models lanes cover
  si_lane_numbers numbers;
  // as those of sn_data: real numbers in lanes; integers, which are the same in all lanes, once
  union {
    struct {
#define SN_X(type, name, rows, cols, stage, unit, meaning) si_lane_##type *name;
      SN_DATA_FIELDS(SN_X)
#undef SN_X
    };
    void *field[SI_NDATAFIELD];
  };
  si_lane_mask covered;       // simulations whose step is covered so far
  si_lane_mask rubs;          // those whose models have friction loss
  si_lane_mask damped;        // those whose models have damping of joints
  si_lane_mask constrained;   // those with constraint rows in this evaluation
  si_lane *A, *L, *Dinv;  // M + h diag(damping) and its factor
  si_lane *work;          // 12 nbody + 2 nv + nu + 2 na: of one stage
  si_lane *clamped;       // nu: controls
  int64_t npair;
  si_lane_pair *pair;
  si_lane_batches dynamics, gain, bias;
  double now;             // the time of all of them
  int32_t unsupported;    // a plugin does not support lanes here
  sn_data *const *d;      // the simulations
  sn_data *first;         // the simulation whose worker the step uses
  si_worker *w;
  sn_data_view view;      // for plugins
  void *buffer;
  int64_t bytes;
};

// smooth_loops.h, once an instruction set
typedef struct si_lane_kernels {
  // From qpos: poses, inertia and its factor, tendons, moments of actuators.
  void (*position)(si_lanes *l);
  // From qvel: velocities of bodies, tendons, actuators; bias forces.
  void (*velocity)(si_lanes *l);
  // x = (M + h diag(damping))^-1 x, with h = 0: M.
  void (*solve)(si_lanes *l, double h, si_lane *x);
} si_lane_kernels;

extern const si_lane_kernels si_lane_kernels_base, si_lane_kernels_avx2;

// Memory in one buffer. lanes.c
typedef struct si_lane_place {
  uint8_t *base;   // NULL: only counts
  int64_t used;
} si_lane_place;
void *si_lane_take(si_lane_place *p, int64_t n, size_t bytes);

// lanes.c: the numbers of a simulation into its lane, and back
void si_lane_gather(si_lane *to, int64_t n, int lane, const double *from);
void si_lane_scatter(const si_lane *from, int64_t n, int lane, double *to);

// constraint.c: qacc, of the smooth dynamics, with constraints; qfrc_constraint
void si_lane_constrain(si_lanes *l);

// numbers.c
void si_lane_place_numbers(si_lanes *l, si_lane_place *p);
void si_lane_use_numbers(si_lanes *l);

// cover.c
int64_t si_lane_count_pairs(const sn_model *m, si_lane_pair *out);   // out: NULL, or room for all
// From the models: `usable`, and what of the pairs depends on them.
void si_lane_use_models(si_lanes *l);
// Finds the simulations in which a limit is reached; takes from `covered` those in which geoms are
// near each other.
void si_lane_check_position(si_lanes *l);
// Takes those with a number that is not between -limit and limit.
void si_lane_check_numbers(si_lanes *l, const si_lane *x, int64_t n, double limit);

// force.c
int si_lane_forces_cover(const sn_model *m);
int64_t si_lane_batch_elements(const sn_model *m);   // of all batches
enum { SI_LANE_ELEMENT = SN_NACTPRM + 8 };          // reals of an element
void si_lane_make_batches(si_lanes *l, si_lane_batch *batch, double *reals, int32_t *ids);
void si_lane_use_parameters(si_lanes *l);           // those of the models, into the batches
sn_status si_lane_passive(si_lanes *l);     // qfrc_passive
sn_status si_lane_actuation(si_lanes *l);   // act_dot, actuator_force, qfrc_actuator
// act (na) after a time h with these rates.
sn_status si_lane_advance_activation(si_lanes *l, const double *act_dot, double h);
void si_lane_clamp_activation(si_lanes *l);

#endif
