// SPDX-License-Identifier: Apache-2.0
//
// sinew rollout: its files, what a killed run leaves, shards, variations and inputs. The truth is
// another way to the same bytes: another executor, a run that was not stopped, `sinew run`.

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinew/sinew.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// ------------------------------------------------------------------ calling

static char last_hash[32];
static double run_now, finished_before, missing;

// "sinew rollout ARGUMENTS" in the folder of the test.
static void rollout(int status, const char *arguments) {
  char line[2048];
  snprintf(line, sizeof line, "cd %s && %s/sinew rollout %s -q --json", folder, SN_TEST_BUILD,
           arguments);
  output o = run_line(line);
  expect(&o, status);
  const json_node *doc = root(&o);
  const json_node *hash = find(&o, doc, "hash");
  snprintf(last_hash, sizeof last_hash, "%s", hash && hash->text ? hash->text : "");
  run_now = hash ? number(&o, doc, "run") : 0;
  finished_before = hash ? number(&o, doc, "finished_before") : 0;
  missing = hash ? number(&o, doc, "missing") : 0;
  done(&o);
}

static void rejects(int status, const char *arguments, const char *words) {
  char line[2048];
  snprintf(line, sizeof line, "cd %s && %s/sinew rollout %s 2>&1", folder, SN_TEST_BUILD,
           arguments);
  output o = run_line(line);
  expect(&o, status);
  ck_assert_msg(strstr(o.text, words), "no \"%s\" in: %s", words, o.text);
  done(&o);
}

// The bytes of a file of the folder, to be freed; *n: how many. NULL: it is not there.
static char *read_file(const char *name, size_t *n) {
  FILE *file = fopen(in_folder(name), "rb");
  if (!file) {
    return NULL;
  }
  char *bytes = NULL;
  FILE *sink = open_memstream(&bytes, n);
  for (int c; (c = fgetc(file)) != EOF;) {
    fputc(c, sink);
  }
  fclose(file);
  fclose(sink);
  return bytes;
}

static void expect_same_files(const char *a, const char *b) {
  size_t na = 0, nb = 0;
  char *x = read_file(a, &na), *y = read_file(b, &nb);
  ck_assert_msg(x && y && na == nb && memcmp(x, y, na) == 0, "%s and %s differ", a, b);
  free(x);
  free(y);
}

// ------------------------------------------------------------------ one result

#define STUDY                                                                     \
  "figure --n 40 --steps 60 --every 20 --seed 3 --record qpos,xpos:trunk:2,ncon " \
  "--vary 'body_mass:trunk=uniform(8,12)' --vary 'geom_friction:floor:0=0.5,1'"

START_TEST(one_result) {
  rollout(0, STUDY " --executor serial --out serial.npy");
  char hash[32];
  strcpy(hash, last_hash);
  ck_assert_uint_eq(strlen(hash), 16);
  for (int workers = 1; workers <= 4; workers *= 2) {
    char line[1024];
    snprintf(line, sizeof line, STUDY " --executor threads --set plugin.threads.workers=%d",
             workers);
    rollout(0, line);
    ck_assert_str_eq(last_hash, hash);
  }
  for (int i = 1; i <= 3; i++) {
    char line[1024];
    snprintf(line, sizeof line, STUDY " --shard %d/3 --out parts.npy", i);
    rollout(0, line);
  }
  rollout(0, STUDY " --out parts.npy");
  ck_assert(run_now == 0 && finished_before == 40);
  ck_assert_str_eq(last_hash, hash);
  expect_same_files("parts.npy", "serial.npy");
}
END_TEST

// Killed when some rollouts are finished: the same command runs the rest, and no other.
START_TEST(killed_run_continues) {
  static const char study[] = "figure --n 60 --steps 100 --every 10 --seed 4";
  char line[2048];
  snprintf(line, sizeof line, "%s --out whole.npy", study);
  rollout(0, line);
  size_t size = 0, part = 0;
  char *whole = read_file("whole.npy", &size);
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    snprintf(line, sizeof line, "exec %s/sinew rollout %s --out killed.npy", SN_TEST_BUILD, study);
    if (chdir(folder) == 0) {
      execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    }
    _exit(1);
  }
  // the second rollout is in the file, byte for byte
  const size_t end = size - 58 * ((size - 64) / 60 / 8 * 8);
  for (int same = 0; !same;) {
    char *bytes = read_file("killed.npy", &part);
    same = bytes && part == size && memcmp(bytes, whole, end) == 0;
    free(bytes);
    usleep(1000);
  }
  kill(child, SIGKILL);
  int status;
  waitpid(child, &status, 0);
  free(whole);
  snprintf(line, sizeof line, "%s --out killed.npy", study);
  rollout(0, line);
  ck_assert_msg(finished_before >= 1 && run_now + finished_before == 60, "%g before, %g now",
                finished_before, run_now);
  expect_same_files("killed.npy", "whole.npy");

  // what the results depend on changes: they are computed again
  snprintf(line, sizeof line, "%s --set timestep=0.001 --out killed.npy", study);
  rollout(0, line);
  ck_assert(finished_before == 0 && run_now == 60);
  rejects(1, "figure --n 60 --steps 50 --every 10 --out killed.npy",
          "does not hold results of this command");
}
END_TEST

// ------------------------------------------------------------------ formats

// The last line of a text, without its newline.
static char *last_line(char *text, size_t n) {
  ck_assert(n > 0 && text[n - 1] == '\n');
  text[n - 1] = 0;
  char *line = strrchr(text, '\n');
  return line ? line + 1 : text;
}

START_TEST(numbers_are_those_of_a_run) {
  rollout(0, "pendulum --n 1 --steps 100 --every 50 --record qpos,qvel --out a.csv");
  size_t n = 0;
  char *csv = read_file("a.csv", &n);
  ck_assert_int_eq(strncmp(csv, "rollout,step,seed,status,reached,qpos,qvel\n0,50,0,0,100,", 56),
                   0);
  char *here = strstr(last_line(csv, n), "0,100,0,0,100,");
  ck_assert_ptr_nonnull(here);
  output o = call("run pendulum -q --steps 100 --record last,qpos,qvel --out -");
  expect(&o, 0);
  char *there = strchr(last_line(o.text, o.n), ',');
  ck_assert_str_eq(here + strlen("0,100,0,0,100,"), there + 1);
  done(&o);
  free(csv);

  // the array of NumPy: its header, and the same numbers
  rollout(0, "pendulum --n 1 --steps 100 --every 50 --record qpos,qvel --out a.npy");
  char *npy = read_file("a.npy", &n);
  static const char header[] =
      "{'descr': [('key', '<u8'), ('seed', '<u8'), ('status', '<i8'), ('reached', '<i8'), "
      "('qpos', '<f8', (2,)), ('qvel', '<f8', (2,)), ], 'fortran_order': False, 'shape': (1,), }";
  ck_assert_int_eq(memcmp(npy, "\x93NUMPY\x02\x00", 8), 0);
  ck_assert_int_eq(memcmp(npy + 12, header, strlen(header)), 0);
  double numbers[4];
  memcpy(numbers, npy + n - sizeof numbers, sizeof numbers);
  char text[64];
  snprintf(text, sizeof text, "%.17g", numbers[1]);
  ck_assert_double_eq(strtod(here ? text : "0", NULL), numbers[1]);
  ck_assert(fabs(numbers[0]) > 0 && numbers[0] != numbers[1]);
  free(npy);
}
END_TEST

// ------------------------------------------------------------------ variations, inputs, ends

START_TEST(lists_are_combined) {
  rollout(0, "pendulum --vary gravity:2=-1,-2 --vary timestep=0.001,0.002,0.004 --steps 10 "
             "--every 10 --record time --out a.csv");
  size_t n = 0;
  char *csv = read_file("a.csv", &n);
  ck_assert_ptr_nonnull(strstr(csv, "\n0,10,0,0,10,-1,0.001,0.01"));
  ck_assert_ptr_nonnull(strstr(csv, "\n2,10,0,0,10,-1,0.004,0.04"));
  ck_assert_ptr_nonnull(strstr(csv, "\n3,10,0,0,10,-2,0.001,0.01"));
  free(csv);
}
END_TEST

// Controls of 2 rollouts, 5 steps and 2 actuators as an array of NumPy: the same number in all of
// rollout 0; in rollout 1 that and its index times the slope. The last bytes may be cut off.
static void put_array(const char *header, double same, double slope, size_t cut) {
  enum { N = 2, STEPS = 5, NU = 2, START = 128 };
  char bytes[START + N * STEPS * NU * sizeof(double)];
  memset(bytes, ' ', START);
  memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
  memcpy(bytes + 10, header, strlen(header));
  bytes[START - 1] = '\n';
  for (int i = 0; i < N * STEPS * NU; i++) {
    const double x = same + (i < STEPS * NU ? 0 : slope * i);
    memcpy(bytes + START + i * 8, &x, sizeof x);
  }
  put_bytes("u.npy", bytes, sizeof bytes - cut);
}

static void put_controls(double same, double slope) {
  put_array("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 5, 2), }", same, slope, 0);
}

// Rollout 1 has the controls of its row.
START_TEST(controls_of_inputs) {
  put_controls(0, 0.25);
  rollout(0, "cart_pole --inputs u.npy --record ctrl --out a.csv");
  size_t n = 0;
  char *csv = read_file("a.csv", &n);
  ck_assert_ptr_nonnull(strstr(csv, "\n0,3,0,0,5,0,0\n"));
  ck_assert_ptr_nonnull(strstr(csv, "\n1,5,0,0,5,4.5,4.75\n"));
  free(csv);
  rejects(1, "cart_pole --inputs u.npy --n 3", "it has controls of 2 rollouts instead of 3");
  rejects(1, "cart_pole --inputs u.npy --steps 4",
          "it has controls of 5 steps instead of 4; use --steps 5, or a shorter array");
  rejects(1, "cart_pole --inputs u.npy --steps 9",
          "u.npy: it has controls of 5 steps instead of 9; use --steps 5, or a longer array");
  static const struct {
    const char *header, *words;
    size_t missing;
  } faults[] = {
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 5, 2), }",
      "its type is '<f4', not float64; write it with numpy.save(F, a.astype('<f8'))", 0 },
    { "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 5, 2), }", "a structure", 0 },
    { "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 5, 2), }", "column by column", 0 },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 10), }",
      "it has 2 dimensions, not 3: rollouts, steps, controls", 0 },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (20,), }", "it has 1 dimension, not 3",
      0 },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 5, 2), }", "header is invalid", 0 },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 5, 2), }",
      "it is truncated: its shape needs 288 bytes, and it has 280", 8 },
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    put_array(faults[i].header, 0, 0, faults[i].missing);
    rejects(1, "cart_pole --inputs u.npy", faults[i].words);
  }
  put_text("u.npy", "no array");
  rejects(1, "cart_pole --inputs u.npy", "not a NumPy file");
}
END_TEST

// Many numbers that change in the same bit, here that of the sign, are a change.
START_TEST(negated_controls_are_run_again) {
  put_controls(1, 0);
  rollout(0, "cart_pole --inputs u.npy --record qpos --out a.npy");
  put_controls(-1, 0);
  rollout(0, "cart_pole --inputs u.npy --record qpos --out a.npy");
  ck_assert_double_eq(run_now, 2);
  ck_assert_double_eq(finished_before, 0);
  char negated[sizeof last_hash];
  memcpy(negated, last_hash, sizeof negated);
  rollout(0, "cart_pole --inputs u.npy --record qpos --out b.npy");
  ck_assert_str_eq(last_hash, negated);
  put_controls(1, 0);
  rollout(0, "cart_pole --inputs u.npy --record qpos --out c.npy");
  ck_assert_str_ne(last_hash, negated);
}
END_TEST

// In the header of the file, and in its entry of the directory at the end of the archive.
static void expect_names_in_utf8(const uint8_t *zip, size_t n) {
  static const char name[] = "xpos:Stäbchen:2.npy";
  const size_t length = sizeof name - 1;
  int found = 0;
  for (size_t i = 46; i + length <= n; i++) {
    if (memcmp(zip + i, name, length) != 0) {
      continue;
    }
    const uint8_t *local = zip + i - 30, *entry = zip + i - 46;
    const int is_local = memcmp(local, "PK\3\4", 4) == 0;
    ck_assert(is_local || memcmp(entry, "PK\1\2", 4) == 0);
    const uint8_t *flags = is_local ? local + 6 : entry + 8;
    ck_assert_msg(flags[1] & 8, "flags %#x", flags[0] | flags[1] << 8);
    found++;
  }
  ck_assert_int_eq(found, 2);
}

// The names of files in an archive are marked as UTF-8: bit 11 of the flags in each header. NumPy
// names the arrays of an archive as the command does then, whatever the letters.
START_TEST(names_in_archives) {
  put_text("swing.xml", "<mujoco><worldbody><body name='Stäbchen'><joint/>"
                        "<geom size='.1'/></body></worldbody></mujoco>");
  put_text("read.py", "import numpy\n"
                      "a = numpy.load('a.npz')\n"
                      "print(sorted(a.files), a['xpos:Stäbchen:2'].shape)\n");
  rollout(0, "swing.xml --n 3 --steps 4 --record xpos:Stäbchen:2 --out a.npz");
  size_t size = 0;
  char *zip = read_file("a.npz", &size);
  ck_assert(zip != NULL);
  expect_names_in_utf8((const uint8_t *)zip, size);
  free(zip);
  if (system("/usr/bin/python3 -c 'import numpy' 2> /dev/null") != 0) {
    return;   // NumPy is not installed
  }
  char line[512];
  snprintf(line, sizeof line, "cd %s && PYTHONIOENCODING=utf-8 /usr/bin/python3 read.py", folder);
  output o = run_line(line);
  expect(&o, 0);
  ck_assert_str_eq(o.text, "['reached', 'seed', 'status', 'xpos:Stäbchen:2'] (3, 4)\n");
  done(&o);
}
END_TEST

// Values that a model cannot have are explained, and the command fails.
START_TEST(invalid_values) {
  rejects(1, "pendulum --n 2 --vary timestep=-1 --steps 2",
          "rollout 0 was not run, because of a variation: option 'timestep' must be from 1e-12");
  rejects(1, "cart_pole --n 2 --vary body_mass:pole=-1 --steps 2",
          "body_mass[2] of body 'pole' is -1; it must be 0 or greater");
  rejects(1, "cart_pole --n 2 --vary body_inertia:pole:1=-1 --steps 2",
          "body_inertia[2, 1] of body 'pole'");
  rejects(1, "cart_pole --n 2 --vary dof_armature:hinge=-1 --steps 2", "run         0\n");
  rejects(1, "cart_pole --n 2 --vary dof_armature:hinge=-1 --steps 2",
          "failed      2, 2 of them not run, because a value of --vary is out of range");
  rejects(0, "cart_pole --n 2 --vary body_mass:pole=0.3 --steps 2", "failed      0\n");
  rejects(0, "pendulum --n 1", "each rollout lasts 10 s, 10000 steps");
  // those that diverge end, and the message names them
  rejects(0, "pendulum --n 2 --steps 5 --vary gravity:2=-1e15",
          "rollout 1: bad qacc at time 0 s: ");
  rejects(0, "pendulum --n 2 --steps 5 --vary gravity:2=-1e15", "; the rollout ends here. ");
  rejects(0, "pendulum --n 2 --steps 5 --vary gravity:2=-1e15",
          "failed      2: they diverged, and ended there\n");
}
END_TEST

START_TEST(limits_stop) {
  rollout(0, "pendulum --n 1 --steps 1000 --every 1000 --record time --stop time=:0.1 --out a.csv");
  size_t n = 0;
  char *csv = read_file("a.csv", &n);
  const char *reached = strstr(csv, "\n0,1000,0,0,");
  ck_assert_msg(reached && strtol(reached + 12, NULL, 10) < 1000 && strstr(reached, ",nan"), "%s",
                csv);
  free(csv);
}
END_TEST

START_TEST(shards_of_job_arrays) {
  static const struct {
    const char *environment, *file;
  } arrays[] = {
    { "SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=6 SLURM_ARRAY_TASK_STEP=2",
      "a.3-of-3.npy" },
    { "SGE_TASK_ID=1 SGE_TASK_FIRST=1 SGE_TASK_LAST=4 SGE_TASK_STEPSIZE=1", "a.1-of-4.npy" },
  };
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    char line[1024];
    snprintf(line, sizeof line,
             "cd %s && %s %s/sinew rollout pendulum -q --n 8 --steps 5 --out a.npy --shard auto",
             folder, arrays[i].environment, SN_TEST_BUILD);
    output o = run_line(line);
    expect(&o, 0);
    done(&o);
    ck_assert_int_eq(access(in_folder(arrays[i].file), R_OK), 0);
  }
}
END_TEST

START_TEST(wrong_arguments) {
  static const struct {
    int status;
    const char *arguments, *words;
  } calls[] = {
    { 2, "pendulum", "--n is missing" },
    { 2, "pendulum --n 3 --out a.txt", "must end in .npy, .npz or .csv" },
    { 2, "pendulum --n 3 --shard 1/2", "--shard needs --out" },
    { 2, "pendulum --n 3 --out a.npy --shard 3/2",
      "there is no shard 3 of 2; shards are numbered from 1" },
    { 2, "pendulum --n 3 --vary 'timestep=uniform(1)'", "a distribution has two numbers" },
    { 2, "pendulum --n 3 --vary timestep=1,x", "a value is not a number" },
    { 2, "pendulum --n 3 --vary 'timestep=gauss(1,2)'",
      "there is no distribution 'gauss'; did you mean 'normal'?" },
    { 2, "pendulum --n 3 --vary 'timestep=unifrom(1,2)'", "did you mean 'uniform'?" },
    { 2, "pendulum --n 3 --vary 'timestep=zipf(1,2)'",
      "there is no distribution 'zipf'; write NAME=uniform(A,B)" },
    { 1, "pendulum --n 3 --record qpos:0:9", "without a component '9'" },
    { 2, "pendulum --n 3 --stop time=5", "write NAME=MIN:MAX" },
    { 2, "pendulum --n 3 --record qpos,", "an item is empty" },
    { 2, "pendulum --n 3 --record qpos,qvel,qpos --out a.npy", "--record qpos is given twice" },
    { 2, "pendulum --n 3 --out a.npy --shard 1/9000000000000000000", "shards are too many" },
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)   // they end the process
    { 1, "pendulum --n 4000000000000000000 --out a.npy --shard 7/8", "out of memory" },
#endif
    { 2, "pendulum --n 3 --record 'every 10'",
      "these are steps, not an array; all rollouts record the same steps: every Nth, with "
      "--every N" },
    { 1, "pendulum --n 3 --record qpoz", "did you mean 'qpos'?" },
    { 1, "pendulum --n 3 --executor no_such", "no_such" },
    { 2, "pendulum --n 3 --out a.npy --shard auto/2", "works only in a job array" },
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    rejects(calls[i].status, calls[i].arguments, calls[i].words);
  }
}
END_TEST

// What a run prints: a title, 12 columns wide, and a text.
static void prints(const char *arguments, const char *title, const char *text) {
  char line[2048], want[256];
  snprintf(line, sizeof line, "cd %s && %s/sinew rollout %s -q", folder, SN_TEST_BUILD, arguments);
  output o = run_line(line);
  snprintf(want, sizeof want, "%-12s%s\n", title, text);
  ck_assert_msg(strstr(o.text, want) != NULL, "no \"%s\" in: %s", want, o.text);
  done(&o);
}

// The same plugin built in another way, here with a byte at the end of its file.
START_TEST(a_plugin_that_changed_is_noticed) {
  char line[512];
  snprintf(line, sizeof line, "cp %s/plugins/newton.so %s", SN_TEST_BUILD, in_folder(""));
  ck_assert_int_eq(system(line), 0);
  put_text("own.ini", "[plugins]\nnewton = newton.so\n");
  rollout(0, "pendulum --config own.ini --n 2 --steps 2 --out a.npy");
  rollout(0, "pendulum --config own.ini --n 2 --steps 2 --out a.npy");
  ck_assert_double_eq(finished_before, 2);
  snprintf(line, sizeof line, "printf x >> %s", in_folder("newton.so"));
  ck_assert_int_eq(system(line), 0);
  rollout(0, "pendulum --config own.ini --n 2 --steps 2 --out a.npy");
  ck_assert_double_eq(finished_before, 0);
}
END_TEST

START_TEST(summary) {
  prints("pendulum --n 3 --steps 5", "rollouts", "3, each of 5 steps");
  prints("pendulum --n 3 --steps 5", "run", "3");
  prints("pendulum --n 3 --steps 5", "failed", "0");
  prints("pendulum --n 4 --steps 1 --out a.npy --shard 2/2", "rollouts",
         "2, each of 1 step, shard 2 of 2");
  prints("pendulum --n 4 --steps 1 --out a.npy", "run", "2, 2 were finished before");
  prints("pendulum --n 2 --steps 5 --vary timestep=-1,0.001", "failed",
         "1, 1 of them not run, because a value of --vary is out of range");
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  TEST(one_result);
  TEST(killed_run_continues);
  TEST(numbers_are_those_of_a_run);
  TEST(lists_are_combined);
  TEST(controls_of_inputs);
  TEST(negated_controls_are_run_again);
  TEST(names_in_archives);
  TEST(invalid_values);
  TEST(limits_stop);
  TEST(shards_of_job_arrays);
  TEST(wrong_arguments);
  TEST(a_plugin_that_changed_is_noticed);
  TEST(summary);
}
