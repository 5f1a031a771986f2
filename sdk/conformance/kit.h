// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit: judges an implementation, ours or a stranger's, by the laws that the header
// of its kind states. Nothing is known of it but its operations. Each kind is a file with a row in
// the table of kit.c; `sinew plugins check` prints the findings.

#ifndef SINEW_CONFORMANCE_KIT_H
#define SINEW_CONFORMANCE_KIT_H

#include "sinew/executor.h"
#include "sinew/integrator.h"
#include "sinew/sinew.h"

// One law: kept, broken, or not judged.
enum { KIT_KEPT = 0, KIT_BROKEN = 1, KIT_SKIPPED = 2 };
typedef void kit_finding(void *context, const char *law, int verdict, const char *detail);

typedef struct kit {
  sn_engine *engine;
  const sn_provider_info *provider;
  void *self;           // an instance with default parameters
  sn_scratch scratch;   // first in memory of the kit's own, see kit_scratch_clear
  void *blocks;
  kit_finding *report;
  void *context;
  int broken;
  uint64_t seed;
} kit;

// Judges one provider. Returns the number of broken laws.
int kit_judge(sn_engine *engine, const sn_provider_info *provider, kit_finding *report,
              void *context);

// For the files of the kinds.
void kit_say(kit *k, const char *law, int verdict, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void kit_law(kit *k, const char *law, int kept, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
double kit_random(kit *k);   // uniform in [-1, 1)
double kit_between(kit *k, double low, double high);
void kit_scratch_clear(kit *k);   // ends the life of what `scratch` gave

void kit_solver(kit *k);
void kit_collider(kit *k);
void kit_integrator(kit *k);
void kit_executor(kit *k);
void kit_loader(kit *k);

#endif
