// SPDX-License-Identifier: Apache-2.0
//
// Whether a simulation shares its steps among threads: the faster way is chosen, again and again,
// and stages that take little time are not shared.

#include "data/gain.h"
#include "platform/clock.h"
#include "suite.h"

static void work(double seconds) {
  const double end = si_clock() + seconds;
  while (si_clock() < end) {}
}

// Steps until the end of the next trial, of which those of one thread take as long as is said.
static void run_trial(si_gain *gain, double alone, double shared) {
  for (int is_trial = 0; !is_trial || gain->phase != 0;) {
    is_trial |= gain->phase != 0;
    const int is_alone = si_gain_begin(gain);
    work(gain->phase == 0 ? 0 : is_alone ? alone : shared);
    si_gain_end(gain);
  }
}

START_TEST(the_faster_way_is_chosen) {
  const double fast = 2e-5, slow = 2e-4;
  si_gain gain;
  si_gain_init(&gain);
  ck_assert(!si_gain_begin(&gain));
  run_trial(&gain, fast, slow);
  ck_assert(si_gain_begin(&gain));
  run_trial(&gain, fast, slow);
  ck_assert(si_gain_begin(&gain));
  run_trial(&gain, slow, fast);
  ck_assert(!si_gain_begin(&gain));
}
END_TEST

START_TEST(the_same_outcome_makes_trials_rare) {
  si_gain gain;
  si_gain_init(&gain);
  run_trial(&gain, 1e-5, 1e-4);   // the outcome is new
  const int32_t first = gain.period;
  for (int k = 0; k < 3; k++) {
    run_trial(&gain, 1e-5, 1e-4);
  }
  ck_assert_int_eq(gain.period, 8 * first);
  run_trial(&gain, 1e-4, 1e-5);
  ck_assert_int_eq(gain.period, first);
}
END_TEST

// A step that is interrupted, even the first of a trial, does not decide.
START_TEST(an_interruption_does_not_decide) {
  si_gain gain;
  si_gain_init(&gain);
  int32_t last = 0;
  for (int is_trial = 0; !is_trial || gain.phase != 0;) {
    is_trial |= gain.phase != 0;
    const int is_first = gain.phase != last, is_alone = si_gain_begin(&gain);
    last = gain.phase;
    work(gain.phase == 0 ? 0 : is_first && is_alone ? 5e-3 : is_alone ? 1e-5 : 1e-4);
    si_gain_end(&gain);
  }
  ck_assert(si_gain_is_alone(&gain));
}
END_TEST

START_TEST(small_stages_are_not_shared) {
  si_gain gain;
  si_gain_init(&gain);
  ck_assert(si_gain_expected(&gain, 1, 8));   // not measured yet
  while (!si_gain_measures(&gain)) {
    si_gain_begin(&gain);
    si_gain_end(&gain);
  }
  for (uintptr_t stage = 1; stage <= SI_GAIN_STAGES; stage++) {
    si_gain_note(&gain, stage, 8, 1e-6 * (double)stage);
    si_gain_note(&gain, stage, 4, 5e-7 * (double)stage);
  }
  ck_assert(!si_gain_expected(&gain, 2, 8));
  ck_assert(si_gain_expected(&gain, 2, 80));   // the same stage with more tasks
  ck_assert(si_gain_expected(&gain, 9, 8));
  si_gain_note(&gain, SI_GAIN_STAGES + 1, 8, 1e-9);   // there is no room for more
  ck_assert(si_gain_expected(&gain, SI_GAIN_STAGES + 1, 8));
}
END_TEST

TESTS() {
  TEST(the_faster_way_is_chosen);
  TEST(the_same_outcome_makes_trials_rare);
  TEST(an_interruption_does_not_decide);
  TEST(small_stages_are_not_shared);
}
