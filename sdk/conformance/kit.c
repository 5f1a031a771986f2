// SPDX-License-Identifier: Apache-2.0
//
// What the tests of all kinds share: an instance with default parameters, scratch memory, random
// numbers, reports; and the requirements on every operation table.

#include "kit.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/actuator.h"
#include "sinew/constraint.h"
#include "sinew/contact.h"
#include "sinew/controller.h"
#include "sinew/filter.h"
#include "sinew/mesh.h"
#include "sinew/number.h"
#include "sinew/passive.h"
#include "sinew/renderer.h"
#include "sinew/resource.h"
#include "sinew/sensor.h"
#include "sinew/shape.h"

static const struct {
  const char *kind;
  void (*run)(kit *k);
} testers[] = {
  { SN_KIND_SOLVER, kit_solver },
  { SN_KIND_COLLIDER, kit_collider },
  { SN_KIND_INTEGRATOR, kit_integrator },
  { SN_KIND_EXECUTOR, kit_executor },
  { SN_KIND_SHAPE, kit_shape },
  { SN_KIND_LOADER, kit_loader },
  { SN_KIND_FILTER, kit_filter },
  { SN_KIND_CONTACT, kit_contact },
  { SN_KIND_CONSTRAINT, kit_constraint },
  { SN_KIND_CONTROLLER, kit_controller },
  { SN_KIND_RESOURCE, kit_resource },
  { SN_KIND_RENDERER, kit_renderer },
  { SN_KIND_MESH, kit_mesh },
  { SN_KIND_DYNAMICS, kit_dynamics },
  { SN_KIND_GAIN, kit_force },
  { SN_KIND_BIAS, kit_force },
  { SN_KIND_SENSOR, kit_sensor },
  { SN_KIND_PASSIVE, kit_passive },
};
enum { NTESTERS = sizeof testers / sizeof testers[0] };

kit_progress *kit_tested;

// ------------------------------------------------------------------ findings

static void report_list(kit *k, const char *requirement, int result, const char *format,
                        va_list list) {
  char detail[256];
  vsnprintf(detail, sizeof detail, format, list);
  k->failures += result == KIT_FAILED;
  k->report(k->context, requirement, result, detail);
}

void kit_report(kit *k, const char *requirement, int result, const char *format, ...) {
  va_list list;
  va_start(list, format);
  report_list(k, requirement, result, format, list);
  va_end(list);
}

void kit_check(kit *k, const char *requirement, int passed, const char *format, ...) {
  va_list list;
  va_start(list, format);
  report_list(k, requirement, passed ? KIT_PASSED : KIT_FAILED, format, list);
  va_end(list);
}

void kit_require(kit *k, const char *requirement, int is_met, const char *met, const char *format,
                 ...) {
  va_list list;
  va_start(list, format);
  if (is_met) {
    kit_report(k, requirement, KIT_PASSED, "%s", met);
  } else {
    report_list(k, requirement, KIT_FAILED, format, list);
  }
  va_end(list);
}

void kit_ignore(void *context, const char *requirement, int result, const char *detail) {
  (void)context, (void)requirement, (void)result, (void)detail;
}

// ------------------------------------------------------------------ random numbers

// splitmix64, Steele, Lea, Flood 2014
double kit_random(kit *k) {
  uint64_t z = k->seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1;
}

double kit_between(kit *k, double low, double high) {
  return low + (high - low) * 0.5 * (kit_random(k) + 1);
}

int kit_finite(const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

int kit_judge_finite(const char *operation, const char *output, const double *x, int64_t n,
                     char *wrong, size_t capacity) {
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      if (!*wrong) {
        snprintf(wrong, capacity, "%s writes %g to %s[%lld]; it must be finite", operation, x[i],
                 output, (long long)i);
      }
      return 0;
    }
  }
  return 1;
}

void kit_judge_states(int64_t n, int64_t again, int has_advance, char *wrong, size_t capacity) {
  *wrong = '\0';
  if (n != again) {
    snprintf(wrong, capacity, "states returns %lld, then %lld; the number must not change",
             (long long)n, (long long)again);
  } else if (n < 0 || n > SN_MAX_STATES) {
    snprintf(wrong, capacity, "states returns %lld; it must be from 0 to %d", (long long)n,
             SN_MAX_STATES);
  } else if (n > 0 && !has_advance) {
    snprintf(wrong, capacity, "states returns %lld, but the operation 'advance' is missing",
             (long long)n);
  }
}

// ------------------------------------------------------------------ scratch

// Before the memory that a plugin gets; behind it are guard bytes.
typedef struct block {
  struct block *next;
  unsigned char *memory;
  int64_t bytes;
} block;

enum { SCRATCH_GUARD = 256, LARGEST_ALIGNMENT = 64 };
static const int64_t LARGEST_REQUEST = (int64_t)1 << 40;   // no model of the kit needs as much
static const unsigned char guard_byte = 0xa5;

static void *take(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  kit *k = kit_of_scratch(scratch);
  if (!kit_tasks_may_take(&k->tasks)) {
    return NULL;
  }
  if (bytes < 0 || bytes > LARGEST_REQUEST || alignment < 1 || alignment > LARGEST_ALIGNMENT ||
      (alignment & (alignment - 1))) {
    k->bad_request = (kit_request){ bytes, alignment, 1 };
    return NULL;
  }
  size_t a = alignment < 64 ? 64 : (size_t)alignment;
  size_t n = ((size_t)bytes + SCRATCH_GUARD + a - 1) / a * a;
  block *b = aligned_alloc(a, n + a);
  if (!b) {
    return NULL;
  }
  *b = (block){ k->blocks, (unsigned char *)b + a, bytes };
  memset(b->memory, 0x5a, (size_t)bytes);   // not cleared, as in a simulation
  memset(b->memory + bytes, guard_byte, SCRATCH_GUARD);
  k->blocks = b;
  return b->memory;
}

kit *kit_of_scratch(sn_scratch *scratch) {
  const int is_own = scratch && scratch->alloc == take;
  return is_own ? (kit *)(void *)((char *)scratch - offsetof(kit, scratch)) : NULL;
}

int64_t kit_scratch_stray(const kit *k) {
  for (const block *b = k->blocks; b; b = b->next) {
    for (int64_t i = 0; i < SCRATCH_GUARD; i++) {
      if (b->memory[b->bytes + i] != guard_byte) {
        return i + 1;
      }
    }
  }
  return 0;
}

void kit_scratch_clear(kit *k) {
  for (block *b = k->blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  k->blocks = NULL;
}

// ------------------------------------------------------------------ memory

// Bytes that are allocated; 0 where it is not known.
static int64_t bytes_in_use(void) {
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

// Of a number of calls.
static int64_t growth(void (*call)(void *context), void *context) {
  enum { CALLS = 16 };
  const int64_t start = bytes_in_use();
  for (int i = 0; i < CALLS; i++) {
    call(context);
  }
  return (bytes_in_use() - start) / CALLS;
}

// The first calls may fill what is kept for later ones; a leak is in all that follow.
int64_t kit_leak(void (*call)(void *context), void *context) {
  enum { SERIES = 4 };
  int64_t least = INT64_MAX;
  for (int i = 0; i < SERIES; i++) {
    const int64_t grown = growth(call, context);
    least = grown < least ? grown : least;
  }
  return least > 0 ? least : 0;
}

// ------------------------------------------------------------------ parameters

static int in_choices(const char *choices, const char *word) {
  size_t n = strlen(word);
  for (const char *p = choices; p; p = strchr(p, '|'), p = p ? p + 1 : NULL) {
    if (strncmp(p, word, n) == 0 && (p[n] == '|' || p[n] == '\0')) {
      return 1;
    }
  }
  return 0;
}

// min = max = 0 is no range, as in the configuration.
static int in_range(const sn_param *p, double number) {
  return p->min >= p->max || (number >= p->min && number <= p->max);
}

enum { MOST_PARAMS = 64, MOST_REALS = 1024 };

typedef struct defaults {
  sn_value values[MOST_PARAMS];
  double reals[MOST_REALS];   // of all lists of numbers
  int n;                      // used of reals
} defaults;

// Numbers separated by spaces, as many as are declared.
static int default_reals(const sn_param *p, defaults *d, sn_value *value) {
  value->reals = d->reals + d->n;
  const char *at = value->text + strspn(value->text, " \t");
  while (*at) {
    double number;
    const char *end = sn_read_number(at, &number);
    if (end == at || !in_range(p, number) || d->n == MOST_REALS) {
      return 0;
    }
    d->reals[d->n++] = number;
    value->n++;
    at = end + strspn(end, " \t");
  }
  value->real = value->n > 0 ? value->reals[0] : 0;
  return value->n >= p->nmin && (p->nmax == 0 || value->n <= p->nmax);
}

// The default of a parameter as a value; false if its declaration does not allow it.
static int default_value(const sn_param *p, defaults *d, sn_value *value) {
  static const char yes[] = "true|yes|on|1", no[] = "false|no|off|0";
  const char *text = p->default_value;
  char *end = NULL;
  *value = (sn_value){ .text = text };
  if (!text || !p->name || !p->summary) {
    return 0;
  }
  if (p->type == SN_PARAM_TEXT) {
    return !p->choices || in_choices(p->choices, text);
  }
  if (p->type == SN_PARAM_REALS) {
    return default_reals(p, d, value);
  }
  if (p->type == SN_PARAM_BOOL) {
    value->integer = in_choices(yes, text);
    value->real = (double)value->integer;
    return value->integer || in_choices(no, text);
  }
  const char *after = sn_read_number(text, &value->real);
  value->integer = p->type == SN_PARAM_INT ? strtoll(text, &end, 10) : (int64_t)value->real;
  after = p->type == SN_PARAM_INT ? end : after;
  return (p->type == SN_PARAM_INT || p->type == SN_PARAM_REAL) && after != text && !*after &&
         in_range(p, value->real);
}

// ------------------------------------------------------------------ the process

static kit *tested;        // the one that runs
static pthread_t tester;   // its thread

void kit_judge_process(kit *k) {
  const char *changed = kit_process_changed(&k->process);
  if (changed && !k->has_changed) {
    k->has_changed = 1;
    kit_report(k, "process", KIT_FAILED, "%s %s", k->noted, changed);
  }
}

// Other threads call what their tester has called, which waits for them. Of many calls of the same
// operation, only the last is judged: `support` of a shape may be called a million times.
void kit_note_operation(const char *name) {
  if (tested && pthread_equal(pthread_self(), tester)) {
    if (tested->noted && strcmp(tested->noted, name) != 0) {
      kit_judge_process(tested);
    }
    tested->noted = name;
  }
  if (kit_tested) {
    kit_tested->operation = name;
    atomic_fetch_add_explicit(&kit_tested->ncall, 1, memory_order_relaxed);
  }
}

sn_status kit_status(kit *k, const char *operation, sn_status status) {
  if (status <= SN_MORE) {
    return status;
  }
  if (!k->has_odd_status) {
    k->has_odd_status = 1;
    kit_report(k, "calls", KIT_FAILED,
               "%s returns %d, which is not a status of enum SN_* in sinew/abi.h", operation,
               (int)status);
  }
  return SN_EPLUGIN;
}

// ------------------------------------------------------------------ instances

int kit_instance(kit *k) {
  const sn_ops *head = k->provider->ops;
  defaults d = { .n = 0 };
  int n = 0;
  for (const sn_param *p = head->params; p && p->name && n < MOST_PARAMS; p++, n++) {
    if (!default_value(p, &d, &d.values[n])) {
      kit_report(k, "table", KIT_FAILED,
                 "the declaration of parameter '%s' does not allow its default '%s'", p->name,
                 p->default_value ? p->default_value : "");
      return 0;
    }
  }
  if (!head->create) {
    return 1;
  }
  sn_error *error = sn_error_new();
  sn_status status = KIT_CALL(head, create)(sn_engine_host(k->engine), d.values, &k->self, error);
  if (status < 0) {
    kit_report(k, "table", KIT_FAILED, "create failed with default parameters: %s",
               sn_error_message(error));
  }
  sn_error_free(error);
  if (status > SN_MORE) {
    kit_report(k, "table", KIT_FAILED,
               "create returns %d, which is not a status of enum SN_* in sinew/abi.h", (int)status);
  }
  return status >= 0 && status <= SN_MORE;
}

// Makes another instance and destroys it.
static void make_another(void *context) {
  kit other = *(const kit *)context;
  other.report = kit_ignore;
  other.self = NULL;
  if (kit_instance(&other)) {
    const sn_ops *head = other.provider->ops;
    KIT_CALL(head, destroy)(other.self);
  }
}

// A second instance beside the first one, as in a program with two engines, and no memory lost.
static void test_instances(kit *k) {
  const sn_ops *head = k->provider->ops;
  if (head->create) {
    make_another(k);
    const int threads = kit_threads();
    const int64_t lost = kit_leak(make_another, k);
    const int more = kit_threads_more(threads);
    kit_check(k, "instances", lost == 0 && !more,
              "%lld bytes%s are lost with each create and destroy", (long long)lost,
              more ? " and a thread" : "");
  }
}

// What was changed of the process, or runs after everything was closed.
static void test_process(kit *k) {
  if (k->noted) {
    kit_judge_process(k);
  }
  if (kit_threads_run(&k->process)) {
    kit_report(k, "process", KIT_FAILED,
               "a thread that an operation started still runs after everything was closed");
  }
  kit_process_free(&k->process);
  kit_tasks_end(k->engine);
  tested = NULL;
}

static int table_requirement(kit *k) {
  const sn_ops *head = k->provider->ops;
  if (!SN_HAS(head, destroy)) {
    kit_report(
        k, "table", KIT_FAILED,
        "head.size is %u bytes, less than the size of sn_ops; set it to the sizeof of the table",
        head->size);
    return 0;
  }
  if (!head->summary || !*head->summary) {
    kit_report(k, "table", KIT_FAILED, "head.summary is missing");
    return 0;
  }
  if (!head->create != !head->destroy) {
    kit_report(k, "table", KIT_FAILED,
               "only one of create and destroy is provided; provide both or none");
    return 0;
  }
  return 1;
}

// ------------------------------------------------------------------ tests

int kit_test(sn_engine *engine, const sn_provider_info *provider, kit_finding *report,
             void *context) {
  kit k = { .engine = engine,
            .provider = provider,
            .report = report,
            .context = context,
            .seed = 1,
            .scratch = { .size = sizeof(sn_scratch), .alloc = take } };
  const sn_ops *head = provider->ops;
  kit_process_note(&k.process);
  tested = &k;
  tester = pthread_self();
  kit_tasks_begin(engine);
  if (!table_requirement(&k) || !kit_instance(&k)) {
    test_process(&k);
    return k.failures;
  }
  kit_report(&k, "table", KIT_PASSED, "%u bytes", head->size);
  test_instances(&k);
  int has_tests = 0;
  for (int i = 0; i < NTESTERS; i++) {
    if (strcmp(testers[i].kind, provider->kind) == 0) {
      testers[i].run(&k);
      has_tests = 1;
    }
  }
  if (!has_tests) {
    kit_report(&k, "kind", KIT_SKIPPED, "there are no tests for this kind yet");
  }
  kit_scratch_clear(&k);
  if (head->create) {
    KIT_CALL(head, destroy)(k.self);
  }
  test_process(&k);
  return k.failures;
}
