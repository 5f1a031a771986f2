// SPDX-License-Identifier: Apache-2.0
//
// What a thread writes while it steps a simulation, apart from the fields that its stage computes.
// Every thread has its own worker, so that several threads can share the work of one step
// (data/share.h). A stage takes (m, d, w): the model, the simulation, its worker.
//
// Warnings and errors are collected in the worker. si_data_merge adds them to the simulation, in
// the order of the workers, while no other thread works on it: at the end of every guarded call
// (step/guard.c), and before the reset of a simulation that diverged (step/check.c). Logs of the
// solver are compared by si_data_merge_solver_logs at the end of the solver's stage. The results of
// a step (sn_data) grow only in the first worker's thread.

#ifndef SI_DATA_WORKER_H
#define SI_DATA_WORKER_H

#include <locale.h>

#include "base/arena.h"
#include "base/error.h"
#include "data/checking.h"
#include "data/timing.h"
#include "host/calling.h"
#include "model/model.h"
#include "platform/fpenv.h"

// What the solver did in the problems that a worker solved in one step, islands or all rows.
typedef struct si_solver_log {
  int32_t iterations;              // of the problem that took the most
  int32_t island;                  // that problem; 0 where all rows are one problem
  int32_t nunconverged;            // problems whose solver stopped at its limit of iterations
  int64_t nsoftened;               // contacts that the solver made softer
  sn_iteration most[SN_SOLVER_LOG];      // its first iterations
  sn_iteration present[SN_SOLVER_LOG];   // of the problem that is being solved
} si_solver_log;

// What a plugin did that makes the results of a step invalid.
enum {
  SI_FAULT_NONE,
  SI_FAULT_FPENV,
  SI_FAULT_STATUS,
  SI_FAULT_LEFT,
  SI_FAULT_CHECK,
  SI_FAULT_ERROR
};
enum { SI_FAULT_TEXT = 512 };
typedef struct si_fault {
  si_running operation;
  int32_t what;       // SI_FAULT_*
  sn_status status;   // of SI_FAULT_STATUS: what it returned; of SI_FAULT_ERROR: its code
} si_fault;

// What the end of a guarded call needs to know, however it is left.
typedef struct si_guarded_call {
  uintptr_t frame;     // an address in the stack of its caller's side; 0: none runs
  uintptr_t returns;   // the address in its caller to which it returns
  const void *thread;  // that runs it
  si_running outer;    // the operation that it is called from, if any
  locale_t locale;     // of the thread, which a plugin may change
  si_mark mark;        // of the scratch memory
  uint32_t mask;       // the parts of the state that it writes
} si_guarded_call;

// The first warning of a kind that a worker met in a task, until its text is logged.
enum { SI_WARNING_TEXT = 512 };
typedef struct si_warning_note {
  int64_t task;   // -1: none
  char text[SI_WARNING_TEXT];
} si_warning_note;

typedef struct si_worker {
  sn_data *data;                   // the simulation that it works on
  si_arena scratch;                // temporary memory, taken between mark and release
  const si_provider *out_of_memory;   // the plugin whose request failed; NULL: the core's
  uint32_t fp_word;                // the floating-point environment at the start of the call
  si_fault fault;                  // the first fault of a plugin in this call, which fails it
  char fault_text[SI_FAULT_TEXT];  // of SI_FAULT_ERROR
  si_guarded_call call;            // the outermost; step/guard.c
  int64_t warning[SN_NWARNINGS];   // counts that are not merged yet
  int64_t nwarning;                // their sum
  int64_t task;                    // that it works on, where workers share a stage
  si_warning_note *note;           // SN_NWARNINGS; NULL: it works on no task, and may log
  sn_error error;                  // why a stage failed
  sn_status evaluation;            // negative: an evaluation that the integrator requested failed
  double *undo;                    // si_state_copy that a failure of the call restores; NULL: none
  double *undo_applied;            // xfrc_applied, likewise, of a step that resets; NULL: none
  int32_t exact;                   // solve to rounding errors: steps are differentiated
  int32_t once;                    // exact rows are solved once, as hard as they are
  int32_t is_impact;               // problems are about changes of velocity, not accelerations
  int32_t reserved;
  uint32_t derived[2];             // [si_variable] derivatives of passive forces, counted
  si_solver_log solver;
  si_checker *checker;             // of the checking mode; NULL: it is off
  void *(*alloc)(sn_scratch *scratch, int64_t bytes, int64_t alignment);   // of `scratch`
  si_timer timer;                  // where the time goes; see sn_data_set_timing
} si_worker;

void si_worker_init(si_worker *worker, sn_data *data);
void si_worker_free(si_worker *worker);

// Scratch memory for a call into a plugin, with its function as it was at first: an earlier
// operation may have damaged it.
static inline sn_scratch *si_worker_lend(si_worker *worker) {
  worker->scratch.scratch.alloc = worker->alloc;
  return &worker->scratch.scratch;
}

// Around an operation of a plugin in a step:
//
//   si_worker_output(w, "qfrc", qfrc, bytes);   each array that it may write
//   const si_call call = si_worker_enter(w, provider, "apply");
//   sn_status status = si_worker_leave(w, &call, ops->apply(..., si_worker_lend(w)));
//
// After it: did the plugin change the floating-point environment? Then the environment is put back.
// Did it return a status that the interface does not have? Then it failed. In both cases the step
// ends with an error that names plugin and operation. Did it get less memory than it requested?
// Then the step ends here, whatever the plugin returned: the call does not return (step/guard.c).
// In the checking mode: did it write something else than its outputs? Then the step ends with an
// error as well.
static inline si_call si_worker_enter(si_worker *worker, const si_provider *provider,
                                      const char *operation) {
  if (worker->checker) {
    si_checker_begin(worker);
  }
  const si_call call = { { provider, operation, worker->call.frame }, si_now, worker->fp_word };
  si_now = call.now;
  return call;
}

static inline void si_worker_output(si_worker *worker, const char *name, void *output,
                                    int64_t bytes) {
  if (worker->checker) {
    si_checker_output(worker, name, output, bytes);
  }
}

// The same for an array beside which other outputs may lie: in the checking mode the operation gets
// a copy with guard bytes, which the caller copies back.
static inline void *si_worker_output_apart(si_worker *worker, const char *name, void *array,
                                           int64_t bytes) {
  return worker->checker ? si_checker_output_apart(worker, name, array, bytes) : array;
}

// Copies it back.
static inline void si_worker_take_back(void *array, const void *lent, int64_t bytes) {
  if (array != lent) {
    memcpy(array, lent, (size_t)bytes);
  }
}

// Pointers and sizes in a struct that the operation gets, which it may not replace.
static inline void si_worker_struct(si_worker *worker, const char *type, const void *member,
                                    int64_t bytes) {
  if (worker->checker) {
    si_checker_struct(worker, type, member, bytes);
  }
}

sn_status si_worker_examine(si_worker *worker, const si_call *call, sn_status status);
static inline sn_status si_worker_leave(si_worker *worker, const si_call *call, sn_status status) {
  si_call_end(call);
  return si_fpenv_word() == worker->fp_word && !worker->scratch.failed &&
                 si_status_is_known(status) && !worker->checker
             ? status
             : si_worker_examine(worker, call, status);
}
// Notes a fault, unless there was one before in this call.
void si_worker_blame(si_worker *worker, si_fault fault);
// The same for a fault that has an error already.
void si_worker_blame_error(si_worker *worker, si_running operation, const sn_error *error);

// Counts a warning, SN_WARN_*. The first of each kind since the last reset goes to the log.
void si_worker_warn(si_worker *worker, int32_t warning, const char *format, ...) SN_PRINTF(3, 4);
void si_worker_log(si_worker *worker, int32_t warning, const char *text);   // logs it

// The error, with this code, of a step that ends because an operation returned a negative status.
sn_status si_worker_fail(si_worker *worker, sn_status code, const si_provider *provider,
                         const char *operation, sn_status status);
// Warns of an operation whose result cannot be used: it returned a negative status, or `number` in
// an output, which has the name `output` unless it is a number of a field, is not finite. NULL: the
// output as a whole. instead: what the step does without the result.
//
//   'drag' (sinew.passive/1) of plugin 'water': its operation 'apply' wrote nan to qfrc_passive[2]
//   of joint 'knee'; this force is left out
void si_worker_warn_result(si_worker *worker, const si_provider *provider, const char *operation,
                           sn_status status, const char *output, const double *number,
                           const char *instead);

#endif
