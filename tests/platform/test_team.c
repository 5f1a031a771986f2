// SPDX-License-Identifier: Apache-2.0
//
// A team of threads: each run ends when all members that take part in it have ended; also with
// more members than processors, pauses between runs, and runs that are left.

#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <time.h>

#include "platform/team.h"
#include "suite.h"

enum { MEMBERS = 5, ITEMS = 100, RUNS = 2000 };

typedef struct job {
  _Atomic int next;
  int taken[ITEMS];   // by how many members
  atomic_int inside;
  atomic_uint present;
} job;

static void take(void *context, int32_t member) {
  job *j = context;
  atomic_fetch_add(&j->inside, 1);
  atomic_fetch_or(&j->present, 1u << member);
  for (int i; (i = atomic_fetch_add(&j->next, 1)) < ITEMS;) {
    j->taken[i]++;
  }
  atomic_fetch_sub(&j->inside, 1);
}

START_TEST(every_item_once) {
  si_team *t = si_team_new(MEMBERS);
  unsigned present = 0;
  for (int k = 0; k < RUNS; k++) {
    job j = { 0 };
    si_team_run(t, take, &j);
    ck_assert_int_eq(atomic_load(&j.inside), 0);
    for (int i = 0; i < ITEMS; i++) {
      ck_assert_int_eq(j.taken[i], 1);
    }
    ck_assert_msg(atomic_load(&j.present) & 1, "the caller is a member");
    present |= atomic_load(&j.present);
    if (k % 100 == 0) {   // longer than members look before they sleep
      nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
    }
  }
  ck_assert_int_lt(present, 1 << MEMBERS);
  si_team_free(t);
}
END_TEST

// The caller waits for a member before it ends its own part: so both must run at once.
static void meet(void *context, int32_t member) {
  job *j = context;
  atomic_fetch_or(&j->present, 1u << member);
  while (member == 0 && atomic_load(&j->present) == 1) {
    sched_yield();
  }
}

START_TEST(members_run_at_once) {
  si_team *t = si_team_new(2);
  for (int k = 0; k < 50; k++) {
    job j = { 0 };
    si_team_run(t, meet, &j);
    ck_assert_int_eq(atomic_load(&j.present), 3);
  }
  si_team_free(t);
}
END_TEST

static jmp_buf away;

static void jump(void *context, int32_t member) {
  job *j = context;
  atomic_fetch_or(&j->present, 1u << member);
  while (atomic_load(&j->present) != 3) {
    sched_yield();
  }
  if (member == 0) {
    longjmp(away, 1);
  }
  atomic_fetch_add(&j->next, 1);
}

// A run that the caller left by a jump is over after si_team_leave, and the team works on.
START_TEST(a_run_that_is_left) {
  static job j;
  si_team *t = si_team_new(2);
  if (setjmp(away) == 0) {
    si_team_run(t, jump, &j);
    ck_abort_msg("the jump returned");
  }
  si_team_leave(t);
  ck_assert_int_eq(atomic_load(&j.next), 1);
  job again = { 0 };
  si_team_run(t, meet, &again);
  ck_assert_int_eq(atomic_load(&again.present), 3);
  si_team_free(t);
}
END_TEST

TESTS() {
  TEST(every_item_once);
  TEST(members_run_at_once);
  TEST(a_run_that_is_left);
}
