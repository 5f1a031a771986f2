// SPDX-License-Identifier: Apache-2.0
//
// One process for each call that fails. The parent does the work once before, so that what is made
// once in a process (plugins, tables of the C library) is there, and blocks that are left over
// afterwards are leaks; with --cold it does not, and leaks are not judged.
//
// Counted as errors: a signal, an exit, a call that fails without a reason, or again although
// nothing fails any more, another final state, blocks left over, a process that takes too long.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults.h"

enum { SAMPLED = 40, MOST_SHOWN = 20, SECONDS = 60 };

typedef struct verdict {
  outcome out;
  int64_t calls, leaked;
  int32_t hit;
} verdict;

typedef struct tally {
  int64_t points, clean, signals, exits, aborts, empty, repeated, states, leaks;
} tally;

static const char *const mode_names[] = { "once", "on", "short" };

static void run_child(const char *kind, int64_t point, int32_t mode, int to) {
  verdict v = { 0 };
  const int64_t live = fault.live;
  alarm(SECONDS);
  fault.calls = 0;
  fault.hit = 0;
  fault.mode = mode;
  fault.armed = point;
  work_do(kind, &v.out);
  fault.armed = -1;
  v.calls = fault.calls;
  v.hit = fault.hit;
  v.leaked = fault.live - live;
  if (write(to, &v, sizeof v) != (ssize_t)sizeof v) {
    _exit(3);
  }
  _exit(0);
}

// Forks, and waits. The status of wait; *v is what the child reported, else zeros.
static int run_point(const char *kind, int64_t point, int32_t mode, verdict *v) {
  int ends[2], status = 0;
  memset(v, 0, sizeof *v);
  fflush(NULL);
  if (pipe(ends) != 0) {
    perror("pipe");
    exit(2);
  }
  const pid_t child = fork();
  if (child < 0) {
    perror("fork");
    exit(2);
  }
  if (child == 0) {
    close(ends[0]);
    run_child(kind, point, mode, ends[1]);
  }
  close(ends[1]);
  if (read(ends[0], v, sizeof *v) < 0) {
    perror("read");
  }
  close(ends[0]);
  waitpid(child, &status, 0);
  return status;
}

static void show(const char *kind, int64_t point, int32_t mode, const char *what, int64_t number) {
  static int shown;
  if (shown++ < MOST_SHOWN) {
    printf("  %s, call %lld fails (%s): %s %lld\n", kind, (long long)point, mode_names[mode], what,
           (long long)number);
  }
}

// Exit 127 is the C library's: it cannot have memory for variables of a thread.
static void judge(tally *t, const char *kind, int64_t point, int32_t mode, int status,
                  const verdict *v, const verdict *sound, int cold) {
  const tally before = *t;
  const int once = mode != FAULT_ON;
  t->points++;
  if (WIFSIGNALED(status)) {
    t->signals++;
    show(kind, point, mode, "signal", WTERMSIG(status));
  } else if (WEXITSTATUS(status) == 127) {
    t->aborts++;
  } else if (WEXITSTATUS(status) != 0) {
    t->exits++;
    show(kind, point, mode, "exit", WEXITSTATUS(status));
  } else {
    t->empty += v->out.empty > 0;
    t->repeated += once && v->out.repeated > 0;
    t->states += (once || !v->out.failed) && v->out.hash != sound->out.hash;
    t->leaks += !cold && v->leaked > sound->leaked;
  }
  const int64_t bad = t->empty - before.empty + t->repeated - before.repeated + t->states -
                      before.states + t->leaks - before.leaks;
  if (t->empty > before.empty) {
    show(kind, point, mode, "failed without a reason:", v->out.empty);
  }
  if (t->repeated > before.repeated) {
    show(kind, point, mode, "failed again:", v->out.repeated);
  } else if (t->states > before.states) {
    show(kind, point, mode, "another final state", 0);
  }
  if (t->leaks > before.leaks) {
    show(kind, point, mode, "blocks left over:", v->leaked - sound->leaked);
  }
  t->clean += status == 0 && bad == 0;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// One call fails in this process, for a debugger; with FAULT_ON all that follow too.
static int64_t run_here(const char *kind, int32_t mode, int64_t call) {
  outcome out;
  work_do(kind, &out);
  work_do(kind, &out);
  fault.calls = 0;
  fault.mode = mode;
  fault.armed = call;
  work_do(kind, &out);
  fault.armed = -1;
  printf("%d calls failed, %d without a reason, %d again\n", out.failed, out.empty, out.repeated);
  return out.empty;
}

// every: all calls from `every` / 2 on that are so far apart; 0: about SAMPLED of them.
static int64_t run_kind(const char *kind, const int32_t *modes, int64_t every, int cold) {
  verdict sound;
  int64_t bad = 0;
  if (!cold) {   // twice: what the first makes, the second grows
    outcome out;
    work_do(kind, &out);
    work_do(kind, &out);
  }
  const int status = run_point(kind, -1, FAULT_ONCE, &sound);
  if (status != 0 || sound.out.failed > 0 || sound.out.hash == 0) {
    printf("%s: it fails without any fault: %d calls\n", kind, sound.out.failed);
    return 1;
  }
  for (const int32_t *mode = modes; *mode >= 0; mode++) {
    tally t = { 0 };
    const double start = seconds();
    const int64_t step = every > 0 ? every : 1 + sound.calls / SAMPLED;
    for (int64_t point = step / 2; point < sound.calls; point += step) {
      verdict v;
      const int end = run_point(kind, point, *mode, &v);
      judge(&t, kind, point, *mode, end, &v, &sound, cold);
    }
    printf("%-6s %-5s %lld calls, %lld tried, %lld clean, signals %lld, exits %lld, aborts of the "
           "C library %lld, no reason %lld, failed again %lld, other states %lld, leaks %lld; "
           "%.1f s\n",
           kind, mode_names[*mode], (long long)sound.calls, (long long)t.points, (long long)t.clean,
           (long long)t.signals, (long long)t.exits, (long long)t.aborts, (long long)t.empty,
           (long long)t.repeated, (long long)t.states, (long long)t.leaks, seconds() - start);
    bad += t.points - t.clean - t.aborts;
  }
  return bad;
}

int faults_main(int argc, char **argv, const char *what, const int32_t *modes) {
  int64_t every = getenv("SINEW_TEST_COMPLETE") ? 1 : 0, bad = 0;
  const char *only = NULL;
  int cold = 0;
  int64_t call = -1, on = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--complete") == 0) {
      every = 1;
    } else if (strcmp(argv[i], "--cold") == 0) {
      cold = 1;
    } else if (strcmp(argv[i], "--every") == 0 && i + 1 < argc) {
      every = atoll(argv[++i]);
    } else if (strcmp(argv[i], "--call") == 0 && i + 1 < argc) {
      call = atoll(argv[++i]);
    } else if (strcmp(argv[i], "--on") == 0) {
      on = 1;
    } else if (strcmp(argv[i], "--kind") == 0 && i + 1 < argc) {
      only = argv[++i];
    } else {
      fprintf(stderr,
              "usage: %s [--complete | --every N] [--kind NAME] [--cold]\n"
              "       %s --kind NAME --call N [--on]   in one process, for a debugger\n",
              what, what);
      return 2;
    }
  }
  setvbuf(stdout, NULL, _IOLBF, 1 << 12);
  fault.armed = -1;
  work_prepare();
  for (const char *const *kind = work_kinds; *kind; kind++) {
    if (!only || strcmp(only, *kind) == 0) {
      bad += call >= 0 ? run_here(*kind, on ? FAULT_ON : FAULT_ONCE, call)
                       : run_kind(*kind, modes, every, cold);
    }
  }
  work_clean();
  printf("%s: %lld calls whose failure is not handled\n", what, (long long)bad);
  return bad ? 1 : 0;
}
