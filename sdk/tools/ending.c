// SPDX-License-Identifier: Apache-2.0
//
// A plugin that ends the process: by exit, by abort or an exception that leaves it, by a fault of
// memory. The command cannot go on, but names the operation, and its exit status is that of a
// failure: 1 after exit, that of the signal otherwise.

#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

static void on_exit_within(void) {
  const char *operation = running();
  if (operation) {
    report_text(&shown, NULL, 0, 0, "exit was called in %s; a plugin must return a status instead",
                operation);
    _exit(FAILED);
  }
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

// The handler was removed when it was called: the signal comes again and ends the process.
static void on_fault(int number) {
  const char *operation = running();
  int i = 0;
  while (i + 1 < NFAULTS && faults[i].number != number) {
    i++;
  }
  if (operation) {
    put("sinew: ");
    put(faults[i].what);
    put(" in ");
    put(operation);
    put("\n");
  }
  raise(number);
}

// Where a sanitizer or a debugger has a handler of its own, that one stays.
static void catch_fault(int number) {
  struct sigaction action = { .sa_handler = on_fault, .sa_flags = (int)SA_RESETHAND }, old;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
    sigaction(number, &action, NULL);
  }
}

void endings_watch(const options *o) {
  shown.json = o->json;
  atexit(on_exit_within);
  for (int i = 0; i < NFAULTS; i++) {
    catch_fault(faults[i].number);
  }
}
