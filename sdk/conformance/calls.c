// SPDX-License-Identifier: Apache-2.0
//
// Calls of an operation with the same input, which must give the same bits and change nothing but
// the outputs.

#include "calls.h"

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "common/hash.h"

enum { GUARD = 256, NTHREAD = 4, ROUNDS = 4 };
// Around outputs: as a double a tiny number, which arithmetic may leave as it is, and in repeated
// calls one near 1e-3.
enum { GUARD_BYTE = 0xa5, OTHER_GUARD_BYTE = 0x3f };

__attribute__((format(printf, 3, 4))) static void fail(kit_calls *calls, int check,
                                                       const char *format, ...) {
  char *text = calls->failure[check];
  va_list list;
  if (*text) {
    return;
  }
  va_start(list, format);
  vsnprintf(text, sizeof calls->failure[check], format, list);
  va_end(list);
}

// ------------------------------------------------------------------ outputs

// unspecified: what the memory holds before the call where the input does not say it.
static int outputs_new(kit_call *call, int unspecified) {
  for (int i = 0; i < call->noutput; i++) {
    kit_output *o = &call->output[i];
    unsigned char *block = malloc((size_t)o->bytes + 2 * GUARD);
    o->memory = block ? block + GUARD : NULL;
    if (!block) {
      return 0;
    }
    memset(block, call->guard, (size_t)o->bytes + 2 * GUARD);
    if (o->start) {
      memcpy(o->memory, o->start, (size_t)o->bytes);
    } else {
      memset(o->memory, unspecified, (size_t)o->bytes);
    }
  }
  return 1;
}

void kit_call_free(kit_call *call) {
  for (int i = 0; i < call->noutput; i++) {
    if (call->output[i].memory) {
      free((unsigned char *)call->output[i].memory - GUARD);
    }
    call->output[i].memory = NULL;
  }
}

// How far outside of its memory an output was written, in bytes; 0: it was not.
static int64_t stray(const kit_output *o, int guard) {
  const unsigned char *start = o->memory, *end = start + o->bytes;
  for (int64_t i = 0; i < GUARD; i++) {
    if (end[i] != guard) {
      return i + 1;
    }
    if (start[-1 - i] != guard) {
      return -1 - i;
    }
  }
  return 0;
}

static const char *first_difference(const kit_call *a, const kit_call *b) {
  for (int i = 0; i < a->noutput; i++) {
    if (memcmp(a->output[i].memory, b->output[i].memory, (size_t)a->output[i].bytes) != 0) {
      return a->output[i].name;
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ inputs

typedef struct copy_hashes {
  uint64_t field[KIT_MOST_FIELDS], guard[KIT_MOST_FIELDS];
} copy_hashes;

typedef struct hashes {
  uint64_t model[KIT_MOST_FIELDS], data[KIT_MOST_FIELDS], input[KIT_MOST_INPUTS], option;
  copy_hashes model_copy, data_copy;
} hashes;

static uint64_t hash_of(const unsigned char *p, int64_t n) {
  return hash_bytes(HASH_START, p, p && n > 0 ? (size_t)n : 0);
}

static uint64_t hash_of_view(const sn_view *view) {
  static const int64_t bytes_of[] = { [SN_REAL] = 8, [SN_INT] = 4, [SN_BYTE] = 1, [SN_CHAR] = 1 };
  return hash_of(view->p, view->rows * view->cols * bytes_of[view->type]);
}

// Those of the copies that operations get, and of the guards around them; see hash_fields.
static const char *hash_copies(const kit_copies *c, copy_hashes *now, const copy_hashes *before) {
  static _Thread_local char beside[96];
  const char *changed = NULL;
  for (int i = 0; i < c->n; i++) {
    const struct kit_copy *f = &c->field[i];
    now->field[i] = hash_of(f->p, (int64_t)f->bytes);
    now->guard[i] = hash_bytes(hash_of(f->p - f->guard, (int64_t)f->guard), f->p + f->bytes,
                               f->guard);
    if (!changed && before && before->field[i] != now->field[i]) {
      changed = f->name;
    } else if (!changed && before && before->guard[i] != now->guard[i]) {
      snprintf(beside, sizeof beside, "memory before or behind %s", f->name);
      changed = beside;
    }
  }
  return changed;
}

// Hashes of all fields; with `before`, the name of the first one that has changed, or NULL.
static const char *hash_fields(const kit_world *w, hashes *now, const hashes *before) {
  sn_view view = { .size = sizeof view };
  const char *changed = NULL;
  sn_option option = { .def_size = sizeof option };
  sn_model_get_option(w->model, &option);
  now->option = hash_of((const unsigned char *)&option, sizeof option);
  changed = before && before->option != now->option ? "the options of the model" : NULL;
  for (int64_t i = 0; i < KIT_MOST_FIELDS && sn_model_field_at(w->model, i, &view); i++) {
    now->model[i] = hash_of_view(&view);
    changed = !changed && before && before->model[i] != now->model[i] ? view.name : changed;
  }
  for (int64_t i = 0; i < KIT_MOST_FIELDS && sn_data_field_at(w->model, w->data, i, &view); i++) {
    now->data[i] = hash_of_view(&view);
    changed = !changed && before && before->data[i] != now->data[i] ? view.name : changed;
  }
  const char *copies[] = {
    hash_copies(&w->model_copies, &now->model_copy, before ? &before->model_copy : NULL),
    hash_copies(&w->data_copies, &now->data_copy, before ? &before->data_copy : NULL)
  };
  return changed ? changed : copies[0] ? copies[0] : copies[1];
}

static const char *hash_inputs(const kit_call *call, hashes *now, const hashes *before) {
  const char *changed = call->world ? hash_fields(call->world, now, before) : NULL;
  for (int i = 0; i < call->ninput; i++) {
    const kit_input *in = &call->input[i];
    now->input[i] = hash_of(in->memory, in->bytes);
    changed = !changed && before && before->input[i] != now->input[i] ? in->name : changed;
  }
  return changed;
}

void *kit_world_keep(const kit_world *world) {
  hashes *kept = malloc(sizeof *kept);
  if (kept) {
    hash_fields(world, kept, NULL);
  }
  return kept;
}

const char *kit_world_changed(const kit_world *world, void *kept) {
  hashes now;
  const char *changed = kept ? hash_fields(world, &now, kept) : NULL;
  free(kept);
  return changed;
}

// ------------------------------------------------------------------ locale

typedef struct locales {
  char process[256];
  locale_t thread;
} locales;

static locales locales_now(void) {
  locales now = { .thread = uselocale((locale_t)0) };
  snprintf(now.process, sizeof now.process, "%s", setlocale(LC_ALL, NULL));
  return now;
}

// Whether the operation changed a locale, which is restored.
static void check_locales(kit_calls *calls, const kit_call *call, const locales *before) {
  const locales now = locales_now();
  if (strcmp(now.process, before->process) != 0) {
    fail(calls, KIT_LOCALE, "%s changes the locale of the process from '%s' to '%s'",
         call->operation, before->process, now.process);
    setlocale(LC_ALL, before->process);
  }
  if (now.thread != before->thread) {
    fail(calls, KIT_LOCALE, "%s changes the locale of the thread", call->operation);
    uselocale(before->thread);
  }
}

// ------------------------------------------------------------------ floating-point environment

// Rounding, flushing to zero and traps, without the flags of exceptions: MXCSR on x86-64.
static unsigned settings_of(void) {
#if defined(__x86_64__)
  return _mm_getcsr() & 0xffc0u;
#else
  return (unsigned)fegetround();
#endif
}

// Whether the operation changed the floating-point environment, which is restored.
static int changes_floating(kit_calls *calls, const kit_call *call, const fenv_t *before,
                            unsigned settings) {
  if (settings_of() != settings) {
    fail(calls, KIT_MEMORY,
         "%s changes the floating-point environment (rounding, flushing to zero or traps)",
         call->operation);
    fesetenv(before);
    return 1;
  }
  return 0;
}

// ------------------------------------------------------------------ calls

// One call with memory of its own, compared with the first one: the name of the output that
// differs, or the status if it failed; NULL: the same bits. tasks: KIT_IN_ORDER ...
static const char *compare_again(const kit_call *first, const void *context, int unspecified,
                                 int tasks) {
  kit_call again = *first;
  kit local = { .scratch = first->kit->scratch, .tasks = { .mode = tasks } };
  const char *name = sn_status_name(SN_ENOMEM);
  again.context = context;
  again.guard = OTHER_GUARD_BYTE;
  if (outputs_new(&again, unspecified)) {
    const sn_status status = again.run(&again, &local.scratch);
    name = first_difference(first, &again);
    for (int i = 0; i < again.noutput && !name; i++) {
      name = stray(&again.output[i], again.guard) ? "memory beside an output" : NULL;
    }
    name = !name && status < 0 ? sn_status_name(status) : name;
  }
  kit_scratch_clear(&local);
  kit_call_free(&again);
  return name;
}

const char *kit_call_differs(const kit_call *call, const void *context) {
  return compare_again(call, context, 0, KIT_IN_ORDER);
}

// False: the same bits.
static int differs_with(const kit_call *first, int unspecified, int tasks, char *what,
                        size_t capacity) {
  const char *name = compare_again(first, first->context, unspecified, tasks);
  if (name) {
    snprintf(what, capacity, "%s: %s %s", first->operation, name,
             strncmp(name, "SN_", 3) == 0 ? "in a repeated call" : "differs");
  }
  return name != NULL;
}

static int differs(const kit_call *first, int unspecified, char *what, size_t capacity) {
  return differs_with(first, unspecified, KIT_IN_ORDER, what, capacity);
}

typedef struct thread {
  pthread_t id;
  const kit_call *first;
  int bad;
  char what[128];
} thread;

static void *run_thread(void *context) {
  thread *t = context;
  for (int i = 0; i < ROUNDS && !t->bad; i++) {
    t->bad = differs(t->first, i, t->what, sizeof t->what);
  }
  return NULL;
}

static void call_from_threads(const kit *k, kit_calls *calls, const kit_call *first) {
  thread threads[NTHREAD];
  int started[NTHREAD] = { 0 };
  if (((const sn_ops *)k->provider->ops)->flags & SN_OPS_SERIAL) {
    return;
  }
  for (int i = 0; i < NTHREAD; i++) {
    threads[i] = (thread){ .first = first };
    started[i] = pthread_create(&threads[i].id, NULL, run_thread, &threads[i]) == 0;
  }
  for (int i = 0; i < NTHREAD; i++) {
    if (started[i]) {
      pthread_join(threads[i].id, NULL);
    }
    if (started[i] && threads[i].bad) {
      fail(calls, KIT_THREADS, "%d threads at once, %s", NTHREAD, threads[i].what);
    }
  }
}

// Sets a locale with a decimal comma, if there is one. The thread must use that of the process.
static int set_comma(void) {
  static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "it_IT.UTF-8",
                                       "nl_NL.UTF-8", "pl_PL.UTF-8", "de_DE",       "fr_FR" };
  char text[16];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (setlocale(LC_ALL, names[i])) {
      snprintf(text, sizeof text, "%.1f", 0.5);
      if (strcmp(text, "0,5") == 0) {
        return 1;
      }
    }
  }
  return 0;
}

// With numbers around the fields of the world, where none were.
static void call_with_guards(kit_calls *calls, const kit_call *first) {
  char what[128];
  for (int filling = KIT_GUARD_ZEROS; first->world && filling < KIT_NGUARDS; filling++) {
    kit_world_guard(first->world, filling);
    if (differs(first, 0, what, sizeof what)) {
      fail(calls, KIT_READS,
           "%s with other numbers around the arrays of model and data: it reads an element that an "
           "array does not have, such as that of the id -1",
           what);
    }
    kit_world_guard(first->world, KIT_GUARD_NONE);
  }
}

// If it uses the service of tasks. False: what it does with them is wrong.
static int call_with_tasks(const kit *k, kit_calls *calls, const kit_call *first) {
  static const char *const modes[KIT_NTASKMODES] = {
    [KIT_ALONE] = "with one thread for its tasks",
    [KIT_REVERSED] = "with its tasks in reverse order",
    [KIT_AT_ONCE] = "with its tasks on two threads",
  };
  const char *wrong = kit_tasks_fault(&k->tasks);
  char what[128];
  if (wrong) {
    fail(calls, KIT_TASKS, "a task of %s %s", first->operation, wrong);
  }
  for (int mode = KIT_ALONE; !wrong && kit_tasks_used(&k->tasks) && mode < KIT_NTASKMODES; mode++) {
    if (differs_with(first, 0, mode, what, sizeof what)) {
      fail(calls, KIT_TASKS,
           "%s, %s: a task may not depend on another one, nor the result on the "
           "number of threads",
           modes[mode], what);
      return 0;
    }
  }
  return !wrong;
}

static void call_with_comma(kit_calls *calls, const kit_call *first) {
  char what[128], before[256];
  snprintf(before, sizeof before, "%s", setlocale(LC_ALL, NULL));
  // a locale of the thread, which the `sinew` command has, would take precedence
  const locale_t own = uselocale(LC_GLOBAL_LOCALE);
  if (set_comma()) {
    calls->has_locale = 1;
    if (differs(first, 0, what, sizeof what)) {
      fail(calls, KIT_LOCALE, "with a decimal comma, %s", what);
    }
  }
  setlocale(LC_ALL, before);
  uselocale(own);
}

// What the call wrote beside its outputs: into scratch memory and around the outputs. Whether other
// calls, which have no guard bytes, can be made.
static int check_memory(kit *k, kit_calls *calls, const kit_call *call) {
  const int64_t behind = kit_scratch_stray(k);
  int inside = 1;
  kit_scratch_clear(k);
  if (k->bad_request.made) {
    fail(calls, KIT_MEMORY,
         "%s requests %lld bytes of scratch memory with alignment %lld, which is invalid",
         call->operation, (long long)k->bad_request.bytes, (long long)k->bad_request.alignment);
    return 0;
  }
  if (behind > 0) {
    fail(calls, KIT_MEMORY, "%s writes byte %lld past the scratch memory that it requested",
         call->operation, (long long)behind);
    inside = 0;
  }
  for (int i = 0; i < call->noutput; i++) {
    const int64_t off = stray(&call->output[i], call->guard);
    if (off != 0) {
      fail(calls, KIT_MEMORY, "%s writes %lld byte%s %s %s, which has %lld bytes", call->operation,
           (long long)llabs(off), llabs(off) == 1 ? "" : "s",
           off > 0 ? "past the end of" : "before the start of", call->output[i].name,
           (long long)call->output[i].bytes);
      inside = 0;
    }
  }
  return inside;
}

static int check_status(kit_calls *calls, const kit_call *call, sn_status status) {
  if (status == KIT_STRUCT_CHANGED) {
    fail(calls, KIT_INPUTS, "%s changes a struct of its arguments, which it may only read",
         call->operation);
  } else if (status < 0) {
    fail(calls, KIT_STATUS, "%s returns %s", call->operation, sn_status_name(status));
  } else if (status > SN_MORE) {
    fail(calls, KIT_STATUS, "%s returns %d, which is not a status of enum SN_* in sinew/abi.h",
         call->operation, (int)status);
  }
  return status >= 0 && status <= SN_MORE;
}

// The first call, with all checks that need no other. Whether others can follow.
static int call_first(kit *k, kit_calls *calls, const kit_call *call) {
  hashes before, after;
  fenv_t environment;
  hash_inputs(call, &before, NULL);
  const locales locale = locales_now();
  const unsigned settings = settings_of();
  fegetenv(&environment);
  k->bad_request = (kit_request){ 0 };
  k->tasks = (kit_tasks){ .mode = KIT_IN_ORDER };
  const sn_scratch scratch = k->scratch;
  const sn_status status = call->run(call, &k->scratch);
  const int is_damaged = memcmp(&scratch, &k->scratch, sizeof scratch) != 0;
  k->scratch = scratch;
  if (is_damaged) {
    fail(calls, KIT_INPUTS, "%s changes the struct sn_scratch, which it may only read",
         call->operation);
    return 0;
  }
  kit_judge_process(k);
  const int rounds = changes_floating(calls, call, &environment, settings);
  check_locales(calls, call, &locale);
  calls->made++;
  const int inside = check_memory(k, calls, call);
  const char *changed = hash_inputs(call, &after, &before);
  if (changed) {
    fail(calls, KIT_INPUTS, "%s changes %s, which it may only read", call->operation, changed);
  }
  return !k->bad_request.made && check_status(calls, call, status) && inside && !rounds;
}

int kit_calls_make(kit *k, kit_calls *calls, kit_call *call) {
  char what[128];
  const int threads = kit_threads();
  call->kit = k;
  call->guard = GUARD_BYTE;
  if (!outputs_new(call, 0)) {
    fail(calls, KIT_STATUS, "memory is exhausted");
    return 0;
  }
  calls->has_inputs |= call->ninput > 0 || call->world;
  if (!call_first(k, calls, call)) {
    return 0;
  }
  const int left = kit_threads_more(threads), again = kit_threads();
  if (differs(call, 0xff, what, sizeof what)) {
    fail(calls, KIT_REPEAT, "two calls with the same input, %s", what);
    return 1;   // of what depends on more than its input, nothing follows from the rest
  }
  if (!call_with_tasks(k, calls, call)) {
    return 1;
  }
  if (left && kit_threads_more(again)) {   // once may be the pool of a library
    fail(calls, KIT_PROCESS, "each call of %s leaves a thread behind; end it before returning",
         call->operation);
    return 1;
  }
  call_with_guards(calls, call);
  call_from_threads(k, calls, call);
  call_with_comma(calls, call);
  return 1;
}

void kit_calls_report(kit *k, const kit_calls *calls) {
  static const struct {
    const char *requirement, *passed;
  } checks[KIT_NCALLCHECKS] = {
    [KIT_STATUS] = { "calls", "no call failed" },
    [KIT_MEMORY] = { "outputs", "only the outputs were changed" },
    [KIT_INPUTS] = { "inputs", "no input was changed" },
    [KIT_READS] = { "reads", NULL },   // reported if it fails
    [KIT_REPEAT] = { "same bits", "two calls with the same input" },
    [KIT_THREADS] = { "threads", "the same bits from several threads at once" },
    [KIT_LOCALE] = { "locale", "the same bits with a decimal comma" },
    [KIT_TASKS] = { "tasks", NULL },       // likewise
    [KIT_PROCESS] = { "process", NULL },   // likewise
  };
  const int serial = (((const sn_ops *)k->provider->ops)->flags & SN_OPS_SERIAL) != 0;
  for (int i = 0; i < KIT_NCALLCHECKS && calls->made > 0; i++) {
    if (!*calls->failure[i] && (!checks[i].passed || (i == KIT_INPUTS && !calls->has_inputs))) {
      continue;   // without inputs, the calls of this kind get copies
    }
    const int untested = (i == KIT_THREADS && serial) || (i == KIT_LOCALE && !calls->has_locale);
    if (untested && !*calls->failure[i]) {
      kit_report(k, checks[i].requirement, KIT_SKIPPED, "%s",
                 i == KIT_THREADS ? "the plugin has the flag SN_OPS_SERIAL"
                                  : "no locale with a decimal comma is installed");
    } else if (*calls->failure[i]) {
      kit_report(k, checks[i].requirement, KIT_FAILED, "%s", calls->failure[i]);
    } else {
      kit_report(k, checks[i].requirement, KIT_PASSED, "%s (%d inputs)", checks[i].passed,
                 calls->made);
    }
  }
}
