// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit: tests a provider, of Sinew or of anybody else, against the requirements in
// the header of its kind. It uses nothing but the operations of the provider. Each kind has a file,
// and a row in the table of kit.c; `sinew plugins check` prints the results.

#ifndef SINEW_CONFORMANCE_KIT_H
#define SINEW_CONFORMANCE_KIT_H

#include "conformance/process.h"
#include "conformance/tasks.h"
#include "sinew/executor.h"
#include "sinew/integrator.h"
#include "sinew/sinew.h"

// The result of one requirement.
enum { KIT_PASSED = 0, KIT_FAILED = 1, KIT_SKIPPED = 2 };
typedef void kit_finding(void *context, const char *requirement, int result, const char *detail);

// A request of scratch memory that no host grants.
typedef struct kit_request {
  int64_t bytes, alignment;
  int made;
} kit_request;

typedef struct kit {
  sn_engine *engine;
  const sn_provider_info *provider;
  void *self;           // an instance with default parameters
  sn_scratch scratch;   // first in memory of the kit's own, see kit_scratch_clear
  void *blocks;
  kit_tasks tasks;      // how those of an operation with this scratch memory are run
  kit_request bad_request;
  kit_process process;   // before the tests
  int has_changed;       // it was, and this was reported
  int has_odd_status;    // an operation returned one, and this was reported
  const char *noted;     // the operation that was called last
  kit_finding *report;
  void *context;
  int failures;
  uint64_t seed;
} kit;

// How far the tests are, for the report of a process that does not return from an operation. The
// caller of kit_test points it to memory that outlives the process; NULL: not noted.
typedef struct kit_progress {
  const char *volatile operation;   // that was called last; NULL: none was
  _Atomic uint32_t ncall;           // how often operations were called; it may wrap
} kit_progress;
extern kit_progress *kit_tested;
// ops->NAME, to be called at once.
#define KIT_CALL(ops, name) (kit_note_operation(#name), (ops)->name)

// A file of the format of the loaders that are tested: they must read it, and any damaged version
// of it. is_for_any: only those loaders that recognize it must. path NULL: there is none.
typedef struct kit_sample {
  const char *path;
  const uint8_t *bytes;   // n, and a zero behind
  int64_t n;
  int is_for_any;
} kit_sample;
extern kit_sample kit_loader_sample;

// Before an operation: what another one before it changed of the process is reported.
void kit_note_operation(const char *name);

// Tests one provider. Returns the number of requirements that it does not meet.
int kit_test(sn_engine *engine, const sn_provider_info *provider, kit_finding *report,
             void *context);

// For the files of the kinds.
// What the operation that was noted last changed of the process is put back; the first change is
// reported.
void kit_judge_process(kit *k);
// What an operation returned. A number that is not a status is reported, and is SN_EPLUGIN.
sn_status kit_status(kit *k, const char *operation, sn_status status);
int kit_instance(kit *k);   // sets `self`; false: it cannot be created with default parameters
void kit_ignore(void *context, const char *requirement, int result, const char *detail);
void kit_report(kit *k, const char *requirement, int result, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void kit_check(kit *k, const char *requirement, int passed, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same with two texts: `met` where the requirement is met, otherwise the rest, which says what
// is wrong, with the number that was found and the one that is allowed.
void kit_require(kit *k, const char *requirement, int is_met, const char *met, const char *format,
                 ...) __attribute__((format(printf, 5, 6)));
double kit_random(kit *k);   // uniform in [-1, 1)
double kit_between(kit *k, double low, double high);
int kit_finite(const double *x, int64_t n);   // all n numbers
// Whether all n numbers that an operation wrote to `output` are finite. If not, `wrong` says which
// one is not, unless it has a text already.
int kit_judge_finite(const char *operation, const char *output, const double *x, int64_t n,
                     char *wrong, size_t capacity);
// What is wrong with the number of state variables that `states` gave in two calls; "": nothing.
void kit_judge_states(int64_t n, int64_t again, int has_advance, char *wrong, size_t capacity);
// The bytes that each call leaves allocated, from several calls after the first ones; 0 where the C
// library does not tell.
int64_t kit_leak(void (*call)(void *context), void *context);
void kit_scratch_clear(kit *k);   // frees the memory allocated from `scratch`
kit *kit_of_scratch(sn_scratch *scratch);   // whose `scratch` it is; NULL: it is not one of a kit
// Where behind memory allocated from `scratch` something was written, in bytes; 0: nowhere.
int64_t kit_scratch_stray(const kit *k);

void kit_solver(kit *k);
void kit_collider(kit *k);
void kit_integrator(kit *k);
void kit_executor(kit *k);
void kit_loader(kit *k);
void kit_filter(kit *k);
void kit_contact(kit *k);
void kit_constraint(kit *k);
void kit_controller(kit *k);
void kit_resource(kit *k);
void kit_renderer(kit *k);
void kit_mesh(kit *k);
void kit_sensor(kit *k);
void kit_passive(kit *k);
void kit_momentum(kit *k);   // of an internal passive force
struct kit_calls;
void kit_passive_lanes(kit *k, struct kit_calls *calls);   // of one for several simulations at once
void kit_shape(kit *k);
void kit_dynamics(kit *k);
void kit_force(kit *k);   // gain and bias

#endif
