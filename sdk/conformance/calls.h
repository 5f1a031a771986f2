// SPDX-License-Identifier: Apache-2.0
//
// How the kit calls an operation of a step, whatever its kind: with guard bytes around each output,
// with a hash of everything that it may only read, again with the same input, with other numbers
// around each field of model and data, from several threads at once, in a locale with a decimal
// comma, and with the tasks that it shares in other orders. All must give the same bits.
//
//   kit_call call = { .operation = "select", .run = run_select, .context = &pairs, .noutput = 1,
//                     .output = { { .name = "keep", .bytes = n * 4, .start = ones } } };
//   if (kit_calls_make(k, &calls, &call)) { ... call.output[0].memory ... }
//   kit_call_free(&call);
//   ...
//   kit_calls_report(k, &calls);

#ifndef SINEW_CONFORMANCE_CALLS_H
#define SINEW_CONFORMANCE_CALLS_H

#include <string.h>

#include "conformance/world/world.h"

enum { KIT_MOST_OUTPUTS = 10, KIT_MOST_INPUTS = 32 };

typedef struct kit_output {
  const char *name;
  int64_t bytes;
  const void *start;   // its content before the call; NULL: not specified
  void *memory;        // set by the kit, and its content after the call
} kit_output;

// Memory that the operation may only read.
typedef struct kit_input {
  const char *name;
  const void *memory;
  int64_t bytes;
} kit_input;

typedef struct kit_call kit_call;
struct kit_call {
  const char *operation;
  // Calls the operation, with call->output[i].memory.
  sn_status (*run)(const kit_call *call, sn_scratch *scratch);
  const void *context;
  const kit *kit;           // set by the kit
  int guard;                // likewise: the bytes around outputs
  const kit_world *world;   // NULL, or what the operation may read, all of which is constant
  int ninput;               // what the operation may only read beside the world
  kit_input input[KIT_MOST_INPUTS];
  int noutput;
  kit_output output[KIT_MOST_OUTPUTS];
};

// What `run` returns if the operation changed a struct of its arguments, which it may only read:
// the outputs are what its pointers point to. Else the status. Members that are outputs are made
// equal before.
enum { KIT_STRUCT_CHANGED = -1000 };
static inline sn_status kit_same_struct(sn_status status, const void *now, const void *before,
                                        size_t bytes) {
  return memcmp(now, before, bytes) == 0 ? status : KIT_STRUCT_CHANGED;
}

// What the calls of one provider showed: for each requirement the first failure.
enum {
  KIT_STATUS,
  KIT_MEMORY,
  KIT_INPUTS,
  KIT_READS,
  KIT_REPEAT,
  KIT_THREADS,
  KIT_LOCALE,
  KIT_TASKS,
  KIT_PROCESS,
  KIT_NCALLCHECKS
};
typedef struct kit_calls {
  int made, has_locale, has_inputs;
  char failure[KIT_NCALLCHECKS][224];
} kit_calls;

// Makes the calls. False if the operation failed or wrote outside of its outputs; otherwise the
// outputs are those of the first call.
int kit_calls_make(kit *k, kit_calls *calls, kit_call *call);
// Makes a call that kit_calls_make has made again, with another context. The name of the first
// output that differs, the status if it failed, or NULL: it gave the same bits.
const char *kit_call_differs(const kit_call *call, const void *context);
void kit_call_free(kit_call *call);
// Around an operation that may only read the world, such as bind: the name of a field that has
// changed since kit_world_keep, or NULL. Frees what keep returned; of NULL, no memory, NULL.
void *kit_world_keep(const kit_world *world);
const char *kit_world_changed(const kit_world *world, void *kept);
void kit_calls_report(kit *k, const kit_calls *calls);

#endif
