// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM: a command ends with what it has, in whole lines, and with the exit status
// that shells give to a program that such a signal ended.

#include <signal.h>
#include <unistd.h>

#include "scenes.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// Runs the command until it catches signals, a minute at most, and half a second longer, then sends
// one to all of its process group, as a terminal does.
static output interrupt(const char *name, const char *arguments) {
  return call("--version >/dev/null; cd %s; setsid %s/sinew %s & i=0; "
              "until [ $i -ge 1200 ] || grep -q 'SigCgt:.*[2367abef]$' /proc/$!/status; do "
              "i=$((i + 1)); sleep 0.05; done; sleep 0.5; kill -s %s -- -$!; wait $!",
              folder, SN_TEST_BUILD, arguments, name);
}

static const struct {
  const char *arguments;
  const char *member;   // that is there after an interruption
} rows[] = {
  { "run " SAMPLE("arm") " --time 1e9 --json", "steps" },
  { "trace " SAMPLE("arm") " --steps 1000000000 --record 1 --json", "qpos" },
  { "bench " SAMPLE("pendulum") " " SAMPLE("stack") " --steps 1000000000 --json", "models" },
  { "problem save " SAMPLE("stack") " --steps 1000000000 --every 10 -o saved.prb --json",
    "problems" },
  { "run " SAMPLE("stack") " --time 1e9 --check-plugins --json", "steps" },
};
enum { NROWS = sizeof rows / sizeof rows[0] };

START_TEST(interrupted) {
  static const struct {
    const char *name;
    int number;
  } signals[] = { { "INT", SIGINT }, { "TERM", SIGTERM } };
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    output o = interrupt(signals[i].name, rows[_i].arguments);
    expect(&o, 128 + signals[i].number);
    const json_node *r = root(&o);
    ck_assert_double_eq(number(&o, r, "ok"), 1);
    ck_assert_double_eq(number(&o, r, "interrupted"), 1);
    ck_assert_ptr_nonnull(find(&o, r, rows[_i].member));
    done(&o);
  }
}
END_TEST

// The file has a line for each step that the summary counts; nothing else is left.
START_TEST(interrupted_run_keeps_its_rows) {
  output o = interrupt("INT", "run " SAMPLE("arm") " --time 1e9 --out run.csv --json");
  expect(&o, 130);
  const double steps = number(&o, root(&o), "steps");
  ck_assert_double_gt(steps, 0);
  done(&o);
  o = call("--version >/dev/null; cd %s; wc -l <run.csv; tail -c 1 run.csv; head -c 5 run.csv; "
           "ls -A",
           folder);
  char expected[64];
  snprintf(expected, sizeof expected, "%.0f\n\ntime,run.csv\n", steps + 2);
  ck_assert_str_eq(o.text, expected);
  done(&o);
}
END_TEST

// What was saved when it was interrupted can be solved; solving reports how far it came, too.
START_TEST(interrupted_save_is_whole) {
  output o = interrupt("INT", rows[3].arguments);
  expect(&o, 130);
  const int saved = (int)number(&o, root(&o), "problems");
  ck_assert_int_ge(saved, 1);
  done(&o);
  o = call("problem solve %s/saved.prb --solver newton --json", folder);
  expect(&o, 0);
  const json_node *r = root(&o);
  ck_assert_int_eq(member(&o, r, "problems")->count, saved);
  ck_assert_double_eq(number(&o, r, "interrupted"), 0);
  done(&o);
}
END_TEST

// A video ends with the frames that were drawn, and can be played.
START_TEST(interrupted_video_is_whole) {
  if (!have_ffmpeg("interrupted_video_is_whole")) {
    return;
  }
  output o = interrupt("INT",
                       "render " SAMPLE("pendulum") " --set renderer=svg --time 1e9 --size 64x48 "
                                                    "--fps 100 -o video.mp4 2>&1");
  expect(&o, 130);
  long long frames = 0;
  char expected[32];
  ck_assert_msg(sscanf(o.text, "video.mp4: %lld frames", &frames) == 1 && frames > 0 &&
                    strstr(o.text, ", interrupted"),
                "%s", o.text);
  done(&o);
  o = call("--version >/dev/null; ffprobe -v error -count_frames -show_entries "
           "stream=nb_read_frames -of csv=p=0 %s/video.mp4 2>&1",
           folder);
  snprintf(expected, sizeof expected, "%lld\n", frames);
  ck_assert_str_eq(o.text, expected);
  done(&o);
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  EACH(interrupted, 0, NROWS);
  TEST(interrupted_run_keeps_its_rows);
  TEST(interrupted_save_is_whole);
  TEST(interrupted_video_is_whole);
}
