// SPDX-License-Identifier: Apache-2.0
//
// Actuators with random parameters and states, for the tests of dynamics, gain and bias.

#ifndef SINEW_CONFORMANCE_ACTUATOR_H
#define SINEW_CONFORMANCE_ACTUATOR_H

#include "conformance/calls.h"
#include "conformance/world/world.h"
#include "sinew/actuator.h"

enum {
  KIT_ACTUATORS = 5,   // of a batch
  KIT_MOST_ACT = 64,   // states of all of them
  KIT_MOST_CTRL = 2    // controls of each
};

typedef struct kit_batch {
  sn_actuators batch;
  double prm[KIT_ACTUATORS * SN_NACTPRM], act[KIT_MOST_ACT];
  double ctrl[KIT_ACTUATORS * KIT_MOST_CTRL];   // n x nctrl
  double length[KIT_ACTUATORS], velocity[KIT_ACTUATORS], lengthrange[2 * KIT_ACTUATORS];
  double acc0[KIT_ACTUATORS];
  int32_t id[KIT_ACTUATORS];
  void *alone[KIT_ACTUATORS];   // what bind returned for each actuator alone
} kit_batch;

// How the kit finds parameters that a provider accepts.
typedef struct kit_numbers {
  const sn_param *numbers;
  sn_status (*check)(const void *self, const double *prm, const sn_host *host, sn_error *error);
  int32_t (*states)(const void *self, const double *prm);   // NULL: none
} kit_numbers;

// What binds a batch, with attributes: the operations of a provider, and what they made.
typedef struct kit_actuator_binding {
  const sn_param *attributes;
  sn_status (*bind)(const void *self, const sn_model_view *model, int64_t n,
                    const sn_actuator *actuators, void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);
  kit_world world;
} kit_actuator_binding;

// Draws parameters, the first actuator's from the declared defaults if they are accepted, and
// lengthrange and acc0. False: a requirement is not met or no parameters were accepted, which was
// reported.
int kit_batch_new(kit *k, const kit_numbers *of, kit_batch *out);
// Draws controls, activations, lengths and velocities.
void kit_batch_move(kit *k, kit_batch *b);
// Actuator i alone.
void kit_batch_single(const kit_batch *b, int i, kit_batch *out);
// The same actuators with a second control each, which is any number. A function with a single
// control reads the first, so its results must not change.
void kit_batch_widen(const kit_batch *b, kit_batch *out);
// Binds the actuators of a batch together, and each alone, to the world of the kit, with attributes
// as declared, or set in other ways if it rejects those. False: it could not be bound, which was
// reported. Nothing is done for a provider without bind. bind.c
int kit_batch_bind(kit *k, kit_actuator_binding *binding, kit_batch *b);
void kit_batch_unbind(kit *k, kit_actuator_binding *binding, kit_batch *b);
// The inputs of a call with this batch.
void kit_batch_inputs(const kit_batch *b, kit_call *call);
// Reports the requirement on controls. wrong: what depends on the second control, see
// kit_batch_widen; "": nothing.
void kit_controls_report(kit *k, const char *wrong);
// Stores what depends on the second control, if nothing was stored before. call: made with a batch;
// widened: its context with the widened batch.
void kit_controls_compare(const kit_call *call, const void *widened, char *wrong, size_t capacity);

#endif
