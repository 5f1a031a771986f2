// SPDX-License-Identifier: Apache-2.0
//
// Actuators with random parameters and states, for the tests of dynamics, gain and bias.

#ifndef SINEW_CONFORMANCE_ACTUATOR_H
#define SINEW_CONFORMANCE_ACTUATOR_H

#include "calls.h"
#include "sinew/actuator.h"

enum { KIT_ACTUATORS = 5, KIT_MOST_ACT = 64 };   // of a batch; states of all of them

typedef struct kit_batch {
  sn_actuators batch;
  double prm[KIT_ACTUATORS * SN_NACTPRM], ctrl[KIT_ACTUATORS], act[KIT_MOST_ACT];
  double length[KIT_ACTUATORS], velocity[KIT_ACTUATORS], lengthrange[2 * KIT_ACTUATORS];
  double acc0[KIT_ACTUATORS];
  int32_t id[KIT_ACTUATORS];
} kit_batch;

// How the kit finds parameters that a provider accepts.
typedef struct kit_numbers {
  const sn_param *numbers;
  sn_status (*check)(const void *self, const double *prm, const sn_host *host, sn_error *error);
  int32_t (*states)(const void *self, const double *prm);   // NULL: none
} kit_numbers;

// Draws parameters, the first actuator's from the declared defaults if they are accepted, and
// lengthrange and acc0. False: a requirement is not met or no parameters were accepted, which was
// reported.
int kit_batch_new(kit *k, const kit_numbers *of, kit_batch *out);
// Draws controls, activations, lengths and velocities.
void kit_batch_move(kit *k, kit_batch *b);
// Actuator i alone.
void kit_batch_single(const kit_batch *b, int i, kit_batch *out);
// The inputs of a call with this batch.
void kit_batch_inputs(const kit_batch *b, kit_call *call);

#endif
