// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the conformance kit share: providers with one fault each, and the requirement
// by which the kit must find it.

#ifndef SN_TEST_CONFORMANCE_H
#define SN_TEST_CONFORMANCE_H

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/kit.h"
#include "sanitized.h"
#include "suite.h"

// A fault, the requirement that must fail, and a part of its message. also: requirements that may
// fail, too, "|a|b|". A NULL requirement: there is no fault, and all must be met.
typedef struct planted {
  const char *kind;
  const void *ops;
  int fault;
  const char *requirement, *says, *also;
} planted;

typedef struct kit_findings {
  const planted *p;
  int found, others, skipped;
  char all[4096];
} kit_findings;

static inline void take_finding(void *context, const char *requirement, int result,
                                const char *detail) {
  kit_findings *f = context;
  const size_t used = strlen(f->all);
  char name[64];
  f->skipped += result == KIT_SKIPPED && strcmp(requirement, "locale") != 0;
  if (result != KIT_PASSED) {
    snprintf(f->all + used, sizeof f->all - used, "\n%s: %s", requirement, detail);
  }
  if (result != KIT_FAILED) {
    return;
  }
  snprintf(name, sizeof name, "|%s|", requirement);
  if (f->p && f->p->requirement && strcmp(requirement, f->p->requirement) == 0) {
    f->found |= strstr(detail, f->p->says) != NULL;
  } else {
    f->others += !f->p || !f->p->also || !strstr(f->p->also, name);
  }
}

// Tests a provider that has the fault.
static inline void expect_finding(const planted *p) {
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open("", error);
  const sn_provider_info provider = {
    .size = sizeof provider, .kind = p->kind, .name = "toy", .ops = p->ops
  };
  kit_findings f = { .p = p };
  kit_file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  // the kit calls solvers through the engine
  ck_assert(sn_engine_add(engine, p->kind, "toy", p->ops, error) >= 0 || p->requirement);
  const int failed = kit_test(engine, &provider, take_finding, &f);
  close(kit_file);
  kit_file = -1;
  ck_assert_msg((failed == 0) == (p->requirement == NULL), "fault %d:%s", p->fault, f.all);
  ck_assert_msg(f.others == 0 && f.skipped == 0, "fault %d:%s", p->fault, f.all);
  ck_assert_msg(!p->requirement || f.found, "fault %d is not found by '%s':%s", p->fault,
                p->requirement, f.all);
  sn_engine_close(engine);
  sn_error_free(error);
}

// Every provider of this kind in an engine meets all requirements, and is tested. How many.
static inline int expect_all_pass(sn_engine *engine, const char *kind) {
  sn_provider_info provider = { .size = sizeof provider };
  int n = 0;
  for (int64_t i = 0; sn_engine_provider(engine, i, &provider); i++) {
    if (strcmp(provider.kind, kind) == 0) {
      kit_findings f = { .p = NULL };
      const int failed = kit_test(engine, &provider, take_finding, &f);
      ck_assert_msg(failed == 0 && f.skipped == 0, "%s: %s", provider.name, f.all);
      n++;
    }
  }
  return n;
}

// ------------------------------------------------------------------ a fault for each requirement

typedef struct requirements {
  char names[2048];   // "|a|b|"
} requirements;

static inline void take_requirement(void *context, const char *requirement, int result,
                                    const char *detail) {
  requirements *r = context;
  char name[64];
  (void)result, (void)detail;
  snprintf(name, sizeof name, "|%s|", requirement);
  if (!strstr(r->names, name)) {
    const size_t used = strlen(r->names);
    snprintf(r->names + used, sizeof r->names - used, "%s%s", used ? "" : "|", name + !!used);
  }
}

static inline const planted *at_row(const planted *list, int i, size_t stride) {
  return (const planted *)(const void *)((const char *)list + (size_t)i * stride);
}

// What the kit tests of the providers of a kind, those of Sinew and those of the list without a
// fault, has a planted fault in the list. The table is not asked for: its faults are in
// test_kit_tables.c. stride: bytes from one fault of the list to the next.
static inline void expect_covered(sn_engine *engine, const char *kind, const planted *list, int n,
                                  size_t stride) {
  static requirements r;
  sn_provider_info provider = { .size = sizeof provider };
  char missing[1024] = "", *next;
  strcpy(r.names, "");
  for (int64_t i = 0; sn_engine_provider(engine, i, &provider); i++) {
    if (strcmp(provider.kind, kind) == 0) {
      kit_test(engine, &provider, take_requirement, &r);
    }
  }
  for (int i = 0; i < n; i++) {
    const planted *p = at_row(list, i, stride);
    if (!p->requirement && strcmp(p->kind, kind) == 0) {
      provider = (sn_provider_info){
        .size = sizeof provider, .kind = p->kind, .name = "toy", .ops = p->ops
      };
      kit_test(engine, &provider, take_requirement, &r);
    }
  }
  ck_assert(*r.names);
  for (char *name = strtok_r(r.names, "|", &next); name; name = strtok_r(NULL, "|", &next)) {
    int found = strcmp(name, "table") == 0 || strcmp(name, "instances") == 0;
#ifdef SANITIZED   // which has an allocator that tells nothing
    found |= strcmp(name, "memory") == 0;
#endif
    for (int i = 0; i < n && !found; i++) {
      const planted *p = at_row(list, i, stride);
      found = p->requirement && strcmp(p->kind, kind) == 0 && strcmp(p->requirement, name) == 0;
    }
    if (!found) {
      snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " '%s'", name);
    }
  }
  ck_assert_msg(!*missing, "%s: no fault is planted for%s", kind, missing);
}

// ------------------------------------------------------------------ faults of every kind

enum {   // faults; those of a kind follow
  NO_FAULT,
  FAILS,
  FORGETS_NOTHING,   // depends on earlier calls
  COLLIDES,          // is right in one thread only
  LOCALIZED,
  CHANGES_UMASK,
  CLOSES_OUTPUT,
  CLOSES_FILE,
  HANDLES_SIGNAL,
  HANDLES_REALTIME,
  CHANGES_FLAGS,
  CHANGES_BLOCKED,
  PUTS_HANDLERS_BACK,   // no fault
  BLOCKS_SIGNALS,
  LEAVES_THREADS,
  THREADS_END_LATE,   // no fault
  NKINDFAULTS
};

static int fault;

// A thread that outlives the operation that starts it, and the kit.
static inline void *outlive(void *context) {
  for (;;) {
    pause();
  }
  return context;
}

// One that ends, but not before the operation: the kit waits for it.
static inline void *end_late(void *context) {
  for (volatile int i = 0; i < 1000000;) {
    i++;
  }
  return context;
}

// The handler that the host has for SIGUSR2.
static inline void handle(int number) {
  (void)number;
}

static inline void set_handler(int flags, int blocked) {
  struct sigaction action = { .sa_handler = handle, .sa_flags = flags };
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, blocked);
  sigaction(SIGUSR2, &action, NULL);
}

// Handlers belong to the process: without the lock, another thread would put SIG_IGN back.
static inline void put_handlers_back(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct sigaction before;
  pthread_mutex_lock(&lock);
  sigaction(SIGUSR2, NULL, &before);
  signal(SIGUSR2, SIG_IGN);
  sigaction(SIGUSR2, &before, NULL);
  signal(SIGUSR1, signal(SIGUSR1, SIG_IGN));
  pthread_mutex_unlock(&lock);
}

static inline void change_process(void) {
  pthread_t thread;
  if (fault == CHANGES_UMASK) {
    umask(0);
  } else if (fault == CLOSES_OUTPUT) {
    close(STDOUT_FILENO);
  } else if (fault == CLOSES_FILE) {
    close(kit_file);
  } else if (fault == HANDLES_SIGNAL) {
    signal(SIGUSR1, SIG_IGN);
  } else if (fault == HANDLES_REALTIME) {
    signal(SIGRTMAX, SIG_IGN);
  } else if (fault == CHANGES_FLAGS) {
    set_handler(0, SIGALRM);
  } else if (fault == CHANGES_BLOCKED) {
    set_handler(SA_RESTART, SIGRTMAX);
  } else if (fault == PUTS_HANDLERS_BACK) {
    put_handlers_back();
  } else if (fault == BLOCKS_SIGNALS) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  } else if (fault == LEAVES_THREADS || fault == THREADS_END_LATE) {
    void *(*const run)(void *) = fault == LEAVES_THREADS ? outlive : end_late;
    if (pthread_create(&thread, NULL, run, NULL) == 0) {
      pthread_detach(thread);
    }
  }
}

// 0, unless the fault makes a call depend on what it must not depend on.
static inline double common_fault(void) {
  static int calls, collisions;
  static pthread_t first;
  char text[16];
  double wrong = 0;
  change_process();
  if (fault == FORGETS_NOTHING) {
    wrong = ++calls;
  } else if (fault == COLLIDES) {
    first = __atomic_fetch_add(&collisions, 1, __ATOMIC_SEQ_CST) == 0
                ? pthread_self()
                : first;   // before there are others
    wrong = !pthread_equal(pthread_self(), first);
  } else if (fault == LOCALIZED) {
    snprintf(text, sizeof text, "%.1f", 0.5);
    wrong = text[1] == ',';
  }
  return wrong;
}

static inline sn_status common_status(void) {
  return fault == FAILS ? SN_EINVAL : SN_OK;
}

#endif
