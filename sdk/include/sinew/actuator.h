// SPDX-License-Identifier: Apache-2.0
//
// Kinds sinew.dynamics/1, sinew.gain/1, sinew.bias/1: the three functions that make up an actuator.
//
//   activation rate   dw/dt = dynamics(u, w, l, v)                        (optional)
//   force             p  = gain(l, v) * (u or w) + bias(l, v)
//
// with the control u, activation w, length l and velocity v of the transmission. The gain
// multiplies the last of the actuator's activations, or u if it has none. The force is in N or N m;
// the moment arms of the transmission, with `gear`, make it a generalized force. One call evaluates
// a batch: all actuators that use a function and have the same number of activations. Inputs are
// packed: entry i of every array belongs to actuator i of the batch.
//
// The parameters of a function are SN_NACTPRM numbers of the model (dynprm, gainprm, biasprm). A
// plugin may declare names and defaults for them in `numbers`; a model can then set them by name,
// in "key=value" lines of sn_actuator_def.attributes. A name sets the parameter in each of the
// three functions that declares it. A parameter that is not set by name keeps its number in
// dynprm, gainprm or biasprm; if all numbers of that array have their default values, it gets the
// default that the plugin declares.
//
// Parameters of other types, such as a string, an array or the name of an element, are declared in
// `attributes`. `bind` gets their values, once for each batch of a model; what it computes from
// them is passed as `bound` with this batch.

#ifndef SINEW_ACTUATOR_H
#define SINEW_ACTUATOR_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_DYNAMICS "sinew.dynamics/1"
#define SN_KIND_GAIN "sinew.gain/1"
#define SN_KIND_BIAS "sinew.bias/1"

enum { SN_NACTPRM = 10 };   // numbers of a parameter row: dynprm, gainprm, biasprm

// Actuators with the same function, which one call evaluates.
typedef struct sn_actuators {
  uint32_t size;
  int32_t nstate;             // number of activations of each of these actuators
  int64_t n;
  const double *prm;          // n x SN_NACTPRM, parameters of this function
  const double *ctrl;         // n x nctrl; clamped to ctrlrange
  const double *act;          // n x nstate
  const double *length;       // n
  const double *velocity;     // n
  const double *lengthrange;  // n x 2
  const double *acc0;         // n; norm of the joint acceleration caused by a unit force, at qpos0
  double h;                   // time step, s
  double time;                // s
  const int32_t *id;          // n; ids of the actuators in the model
  // Number of controls of each of these actuators; those of entry i start at ctrl[i * nctrl].
  // Always 1 in this version; a function with a single control reads the first.
  int32_t nctrl;
  int32_t reserved;
  // The pointer that `bind` returned. Entry i of the batch is entry i of the actuators that were
  // passed to `bind`. NULL: the function has no bind.
  const void *bound;
  // Fields of the simulation, to be read with handles from `bind`. Quantities that depend only on
  // qpos and qvel are up to date; accelerations and constraint forces are those of the previous
  // evaluation. In `reset`, it is a simulation at qpos0 with zero velocity at time 0, in which
  // everything that depends on positions alone has been computed, except inertia, contacts and
  // sensors.
  const sn_data_view *data;
} sn_actuators;
SN_LAYOUT(sn_actuators, 120);

// One actuator of a model, for `bind`. The layout of this struct is the same in all versions,
// because plugins get arrays of it.
typedef struct sn_actuator {
  int32_t id;               // in the model
  int32_t nstate;           // number of its activations
  const sn_value *values;   // of the declared attributes; valid during the call
} sn_actuator;
SN_LAYOUT(sn_actuator, 16);

enum { SN_ACTUATOR_LENGTHRANGE = 1 };   // sn_ops.flags: needs actuator_lengthrange

// The operations of activation dynamics.
typedef struct sn_dynamics_ops {
  sn_ops head;
  // [load] Number of activations of an actuator with these parameters, 0 to SN_MAX_STATES.
  int32_t (*states)(const void *self, const double *prm);
  // [step] Computes the rates of the activations; act_dot: n x nstate, 1/s.
  sn_status (*rate)(const void *self, const sn_actuators *batch, double *act_dot,
                    sn_scratch *scratch);
  // [step] optional. The activations after a time h, if they can be integrated exactly; NULL: act +
  // h act_dot. The batch and act_dot are those of the start of the step. A rate that depends on the
  // length must be integrated with the length at time t, length + t velocity: using the length at
  // the start of the step alone causes an error of order h, such as additional damping.
  sn_status (*advance)(const void *self, const sn_actuators *batch, const double *act_dot, double h,
                       double *act_next, sn_scratch *scratch);
  // [load] optional. Rejects invalid parameters, with the reason.
  sn_status (*check)(const void *self, const double *prm, const sn_host *host, sn_error *error);
  // optional. Names and defaults of prm[0], prm[1] ...: at most SN_NACTPRM entries, all of numeric
  // type; ends with a NULL name.
  const sn_param *numbers;
  // optional. The transmissions that it supports, separated by "|": joint, jointinparent,
  // slidercrank, tendon, site, refsite (a site with a reference site), body; NULL or "": all.
  const char *transmissions;
  // [step] optional; NULL: not known, taken as zero. Derivatives of the rate with respect to act, n
  // x nstate x nstate, row-major, and to ctrl, length and velocity, n x nstate each, cleared before
  // the call.
  sn_status (*derivative)(const void *self, const sn_actuators *batch, double *by_act,
                          double *by_ctrl, double *by_length, double *by_velocity,
                          sn_scratch *scratch);
  // [load] optional; NULL: zeros. The activations after a reset, n x nstate, cleared before the
  // call. Choose them so that they are in a steady state at qpos0 with control 0. The batch has the
  // length at qpos0 (actuator_length0), velocity, ctrl and time 0, and act NULL. Keyframes that
  // specify activations take precedence; a keyframe without them has the activations of qpos0,
  // whatever its own qpos is.
  sn_status (*reset)(const void *self, const sn_actuators *batch, double *act);
  // optional. Attributes of any type that a model may set by name, like those in `numbers`, for an
  // actuator with this function; ends with a NULL name. The host checks them. Requires bind.
  const sn_param *attributes;
  // [load] optional. Resolves attributes, fields and ids for all actuators of a model that have
  // this function and the same number of activations. The other operations get batches of these
  // actuators in this order. *bound NULL on return: nothing was kept, and unbind is not called.
  sn_status (*bind)(const void *self, const sn_model_view *model, int64_t n,
                    const sn_actuator *actuators, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load] required with bind
} sn_dynamics_ops;
SN_LAYOUT(sn_dynamics_ops, 128);

// The operations of a gain or a bias.
typedef struct sn_force_ops {
  sn_ops head;
  // [step] Computes the gain or bias; out: n.
  sn_status (*value)(const void *self, const sn_actuators *batch, double *out, sn_scratch *scratch);
  // [step] optional. d value / d velocity, n; NULL: zero.
  sn_status (*dvelocity)(const void *self, const sn_actuators *batch, double *out,
                         sn_scratch *scratch);
  // [load] optional. Rejects invalid parameters, with the reason.
  sn_status (*check)(const void *self, const double *prm, const sn_host *host, sn_error *error);
  const sn_param *numbers;     // optional, as above
  const char *transmissions;   // optional, as above
  // [step] optional. d value / d length, n; NULL: not known, taken as zero.
  sn_status (*dlength)(const void *self, const sn_actuators *batch, double *out,
                       sn_scratch *scratch);
  // [load] optional, for a bias only. Sets the damping coefficient in prm so that the actuator has
  // this damping ratio (above 0; 1: critically damped) when it moves this inertia; gainprm: the
  // parameters of its gain. Fails if the parameters are not those of a servo. NULL: no damping
  // ratio can be set.
  sn_status (*damp)(const void *self, const double *gainprm, double inertia, double ratio,
                    double *prm, const sn_host *host, sn_error *error);
  const sn_param *attributes;   // optional, as above
  // [load] optional, as above
  sn_status (*bind)(const void *self, const sn_model_view *model, int64_t n,
                    const sn_actuator *actuators, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load] required with bind
} sn_force_ops;
SN_LAYOUT(sn_force_ops, 120);

// Entries for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_DYNAMICS(name, ops) SN_PROVIDE(SN_KIND_DYNAMICS, name, sn_dynamics_ops, ops)
#define SN_PROVIDE_GAIN(name, ops) SN_PROVIDE(SN_KIND_GAIN, name, sn_force_ops, ops)
#define SN_PROVIDE_BIAS(name, ops) SN_PROVIDE(SN_KIND_BIAS, name, sn_force_ops, ops)

SN_END_DECLS

#endif
