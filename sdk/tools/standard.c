// SPDX-License-Identifier: Apache-2.0
//
// Standard output, and the signals that end a command.
//
// What a command prints is looked at once, at its end: a program that cannot tell its result must
// not claim success. A reader that goes away ends the program by SIGPIPE, silently, as usual.

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

// ------------------------------------------------------------------ standard output

void standard_open(void) {
  // A descriptor that the caller closed would be the next file's, and messages would go there. It
  // is opened the wrong way round instead, so that using it fails.
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      const int null = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
      (void)null;   // the lowest free number: this one
    }
  }
  // numbers have a decimal point, whatever a library or a plugin makes the locale of the program
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain) {
    uselocale(plain);
  }
}

int standard_close(int status) {
  const int flushed = fflush(stdout) == 0;
  int reason = flushed ? 0 : errno;
  if (flushed && !ferror(stdout)) {
    return status;
  }
  // a write that failed earlier kept no reason: one more fails for the same one
  if (!reason && write(STDOUT_FILENO, "\n", 1) < 0) {
    reason = errno;
  }
  fprintf(stderr, "sinew: standard output cannot be written%s%s\n", reason ? ": " : "",
          reason ? strerror(reason) : "");
  return status == USAGE ? USAGE : FAILED;
}

// ------------------------------------------------------------------ signals

_Static_assert(sizeof(sig_atomic_t) == sizeof(int32_t), "signals_flag is one");
static volatile int32_t signal_number;

// The second signal ends the program, when this returns. SA_RESETHAND would do the same, but the
// first signal would change the handler, which the checks of plugins take for a change by a plugin.
static void on_signal(int number) {
  if (signal_number) {
    signal(number, SIG_DFL);
    raise(number);
  }
  signal_number = number;
}

void signals_catch(void) {
  // system calls go on, so that no output is cut in the middle
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

int signals_came(void) {
  return signal_number != 0;
}

const volatile int32_t *signals_flag(void) {
  return &signal_number;
}

int signals_status(int status) {
  return signal_number && status == DONE ? 128 + (int)signal_number : status;
}
