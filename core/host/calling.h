// SPDX-License-Identifier: Apache-2.0
//
// Around every call of an operation of a plugin: the operation is recorded for the thread before,
// and its status checked after. So whatever ends a process or leaves an operation in another
// way than by returning (exit, abort, an exception, a jump) can be named.
//
//   const si_call call = si_call_enter(provider, "bind");
//   sn_status status = si_call_leave(&call, ops->bind(...), error);
//
// In a step: si_worker_enter and si_worker_leave (data/worker.h).

#ifndef SI_HOST_CALLING_H
#define SI_HOST_CALLING_H

#include "host/engine.h"
#include "platform/fpenv.h"

// An operation that runs. It is over when the stack of the thread does not reach below `frame`.
typedef struct si_running {
  const si_provider *provider;   // NULL: none runs
  const char *operation;         // "solve"
  uintptr_t frame;               // an address in the stack of the host's function that called it
} si_running;

// The innermost operation of this thread.
extern _Thread_local si_running si_now __attribute__((tls_model("initial-exec")));

typedef struct si_call {
  si_running now, outer;
  uint32_t fpenv;   // si_fpenv_word before it
} si_call;

static inline si_call si_call_enter(const si_provider *provider, const char *operation) {
  const si_call call = { { provider, operation, (uintptr_t)__builtin_frame_address(0) },
                         si_now,
                         si_fpenv_word() };
  si_now = call.now;
  return call;
}

static inline void si_call_end(const si_call *call) {
  si_now = call->outer;
}

// Is it a status that the interface has?
static inline int si_status_is_known(sn_status status) {
  return status <= SN_MORE;
}

// After an operation: its status. A positive one that the interface does not have is an error, and
// so is a changed floating-point environment, which is restored.
sn_status si_call_leave(const si_call *call, sn_status status, sn_error *error);
sn_status si_fail_unknown_status(const si_running *operation, sn_status status, sn_error *error);
// SN_MORE is an error of an operation that has no output with a capacity.
sn_status si_fail_more(sn_status status, const char *operation, sn_error *error);

// A plugin as a whole, which stands for a provider while it is loaded: init, fini.
static inline si_provider si_whole_plugin(const char *key) {
  return (si_provider){ .kind = "", .name = key };
}

// "'newton' (sinew.solver/1) of plugin 'newton'", "plugin 'newton'".
enum { SI_PROVIDER_TITLE = 256 };
const char *si_provider_title(const si_provider *provider,
                              char *out);   // SI_PROVIDER_TITLE characters

#endif
