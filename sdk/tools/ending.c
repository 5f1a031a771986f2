// SPDX-License-Identifier: Apache-2.0
//
// A plugin that ends the process: by exit, _exit or quick_exit, by abort or an exception that
// leaves it, by a fault of memory. The command cannot go on, but names the operation, and its exit
// status is that of a failure: 1 after exit, that of the signal otherwise.

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command.h"

static options shown;   // how errors are reported

// "the operation 'apply' of 'magnet' (sinew.passive/1) of plugin 'mine'", for the operation that
// runs; NULL: none does. May be called in a handler of signals, which must not use stdio.
static const char *running(void) {
  static char text[512];
  sn_operation_info r = { .size = sizeof r };
  if (!sn_running_operation(&r)) {
    return NULL;
  }
  const char *const whole[] = { "the operation '", r.operation, "' of plugin '", r.plugin, "'" };
  const char *const provider[] = { "the operation '", r.operation, "' of '", r.name, "' (", r.kind,
                                   ") of plugin '",   r.plugin,    "'" };
  const char *const *parts = *r.name ? provider : whole;
  const size_t n = *r.name ? sizeof provider / sizeof *provider : sizeof whole / sizeof *whole;
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t length = strnlen(parts[i], sizeof text - 1 - used);
    memcpy(text + used, parts[i], length);
    used += length;
  }
  text[used] = '\0';
  return text;
}

static pid_t watched;   // this process; 0: before endings_watch

static _Noreturn void end(int status) {
  for (;;) {
    syscall(SYS_exit_group, status);
  }
}

static int is_done;

// The command itself returns from main. What calls exit in another thread is one that a plugin has
// started.
static void report_exit(const char *function) {
  const char *operation = running();
  if (!is_done && getpid() == watched) {
    report_text(&shown, NULL, 0, 0, "%s was called in %s; a plugin must return a status instead",
                function, operation ? operation : "a thread of a plugin");
    end(FAILED);
  }
}

static void on_exit_within(void) {
  report_exit("exit");
}

static void on_quick_exit_within(void) {
  report_exit("quick_exit");
}

// In place of those of the C library, which call no handler. Plugins get these, since the dynamic
// linker looks first into the program. A process that a plugin forked ends as it wants to.
__attribute__((visibility("default"))) void _exit(int status) {
  if (getpid() == watched) {
    report_exit("_exit");
  }
  end(status);
}

__attribute__((visibility("default"))) void _Exit(int status) {
  if (getpid() == watched) {
    report_exit("_Exit");
  }
  end(status);
}

// ------------------------------------------------------------------ signals

static const struct {
  int number;
  const char *what;
} faults[] = {
  { SIGABRT, "abort, or an exception that left a plugin," },
  { SIGSEGV, "invalid access to memory" },
  { SIGBUS, "invalid access to memory" },
  { SIGFPE, "an arithmetic trap" },
  { SIGILL, "an invalid instruction" },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

static void put(const char *text) {
  const ssize_t n = write(STDERR_FILENO, text, strlen(text));
  (void)n;
}

static uintptr_t stack_top;   // of the main thread, about
volatile int32_t *stack_overflow;

// Whether an address lies just below the lowest one that the stack of the main thread may use.
static int is_stack_overflow(const siginfo_t *info) {
  struct rlimit limit;
  const uintptr_t at = (uintptr_t)info->si_addr, about = 1 << 20;
  return info->si_signo == SIGSEGV && getrlimit(RLIMIT_STACK, &limit) == 0 &&
         limit.rlim_cur != RLIM_INFINITY && at < stack_top &&
         stack_top - at > limit.rlim_cur - about && stack_top - at < limit.rlim_cur + about;
}

// The handler was removed when it was called: the signal comes again and ends the process.
static void on_fault(int number, siginfo_t *info, void *context) {
  const char *operation = running();
  const int is_overflow = is_stack_overflow(info);
  (void)context;
  if (stack_overflow) {
    *stack_overflow = is_overflow;
  }
  int i = 0;
  while (i + 1 < NFAULTS && faults[i].number != number) {
    i++;
  }
  if (operation) {
    put("sinew: ");
    put(is_overflow ? "stack overflow, by a recursion without end or a large array,"
                    : faults[i].what);
    put(" in ");
    put(operation);
    put("\n");
  }
  raise(number);
}

static void catch_fault(int number) {
  struct sigaction action = { .sa_sigaction = on_fault,
                              .sa_flags = (int)(SA_RESETHAND | SA_SIGINFO | SA_ONSTACK) };
  struct sigaction old;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
    sigaction(number, &action, NULL);
  }
}

// A handler needs a stack of its own where that of the thread is full.
static void use_other_stack(void) {
  static uint8_t memory[1 << 16];
  const stack_t other = { .ss_sp = memory, .ss_size = sizeof memory };
  stack_t old;
  if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE) {
    sigaltstack(&other, NULL);
  }
}

void endings_done(void) {
  is_done = 1;
}

void endings_watch(const options *o) {
  shown.json = o->json;
  watched = getpid();
  stack_top = (uintptr_t)__builtin_frame_address(0);
  use_other_stack();
  atexit(on_exit_within);
  (void)at_quick_exit(on_quick_exit_within);
  for (int i = 0; i < NFAULTS; i++) {
    catch_fault(faults[i].number);
  }
}
