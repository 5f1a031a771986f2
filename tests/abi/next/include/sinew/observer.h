// SPDX-License-Identifier: Apache-2.0
//
// Of the pretended ABI 1.1: a kind, observers of steps, and a service that counts events.

#ifndef SINEW_OBSERVER_H
#define SINEW_OBSERVER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_OBSERVER "sinew.observer/1"

typedef struct sn_observer_ops {
  sn_ops head;
  void (*observe)(const void *self, double time);   // [step] after each step
} sn_observer_ops;

#define SN_SERVICE_TALLY "sinew.tally/1"
typedef struct sn_tally_service {
  uint32_t size;
  uint32_t reserved;
  void (*add)(const char *what);   // [any] one more event
} sn_tally_service;

SN_END_DECLS

#endif
