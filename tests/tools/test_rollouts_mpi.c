// SPDX-License-Identifier: Apache-2.0
//
// sinew rollout in several processes. The truth is the file and the hash of executor serial: on any
// number of ranks, after a rank was killed and the rest run again, and where the other ranks take
// over from it. Without Open MPI there is nothing to test.

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sinew/sinew.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// Open MPI keeps memory until the process ends, of libraries that it has unloaded by then: no
// suppression of the leak sanitizer can name it.
#define MPIRUN "env ASAN_OPTIONS=detect_leaks=0 mpirun --oversubscribe --allow-run-as-root "
#define STUDY                                                                \
  "figure --n 300 --steps 60 --every 20 --seed 3 --record qpos,xpos:trunk:2 " \
  "--vary 'body_mass:trunk=uniform(8,12)' --vary 'geom_friction:floor:0=0.5,1' --json -q "

enum { N = 300 };

static int has_mpi(void) {
  return access(SN_TEST_BUILD "/plugins/mpi.so", R_OK) == 0 &&
         system("mpirun --version 2> /dev/null | grep -q 'Open MPI'") == 0;
}

static int workers;   // in the last report

// Runs a line in the folder of the test, and copies the hash in its report; "": it has none.
static int hash_of(const char *line, char hash[32]) {
  char full[4096];
  snprintf(full, sizeof full, "cd %s && %s", folder, line);
  output o = run_line(full);
  const char *at = strstr(o.text, "\"hash\":\"");
  hash[0] = 0;
  if (at) {
    snprintf(hash, 17, "%s", at + strlen("\"hash\":\""));
  }
  const char *count = strstr(o.text, "\"workers\":");
  workers = count ? atoi(count + strlen("\"workers\":")) : -1;
  const int status = o.status;
  done(&o);
  return status;
}

static void expect_same_file(const char *name) {
  char line[512];
  snprintf(line, sizeof line, "cd %s && cmp %s serial.npy", folder, name);
  ck_assert_int_eq(system(line), 0);
}

static void run_serial(char hash[32]) {
  ck_assert_int_eq(
      hash_of(SN_TEST_BUILD "/sinew rollout " STUDY "--executor serial --out serial.npy", hash), 0);
  ck_assert_uint_eq(strlen(hash), 16);
}

// ------------------------------------------------------------------ ranks

START_TEST(any_number_of_ranks) {
  char hash[32], line[2048], other[32];
  if (!has_mpi()) {
    return;
  }
  run_serial(hash);
  for (int n = 1; n <= 4; n *= 2) {
    // with 4, rank 0 hands out rollouts only
    snprintf(line, sizeof line,
             MPIRUN "-n %d %s/sinew rollout " STUDY
                    "--executor mpi --set plugin.mpi.dispatch=4 --out ranks.npy",
             n, SN_TEST_BUILD);
    ck_assert_int_eq(hash_of(line, other), 0);
    ck_assert_str_eq(other, hash);
    expect_same_file("ranks.npy");
    ck_assert_int_le(workers, n < 4 ? n : 3);
    ck_assert_int_ge(workers, n < 4 ? 1 : 2);
    unlink(in_folder("ranks.npy"));
  }
  // without mpirun: one process
  ck_assert_int_eq(hash_of(SN_TEST_BUILD "/sinew rollout " STUDY "--executor mpi", other), 0);
  ck_assert_str_eq(other, hash);
}
END_TEST

// ------------------------------------------------------------------ a rank that is killed

// The records that a file of results has; -1: it is not there yet.
static int finished(const char *name) {
  FILE *file = fopen(in_folder(name), "rb");
  unsigned char start[12];
  int n = -1;
  if (file && fread(start, 1, sizeof start, file) == sizeof start &&
      fseek(file, 0, SEEK_END) == 0) {
    const long header = 12 + start[8] + 256L * start[9], width = (ftell(file) - header) / N;
    n = 0;
    for (int i = 0; i < N && width > 0; i++) {
      uint64_t key = 0;
      n += fseek(file, header + i * width, SEEK_SET) == 0 &&
           fread(&key, sizeof key, 1, file) == 1 && key != 0;
    }
  }
  if (file) {
    fclose(file);
  }
  return n;
}

// Runs the study on 3 ranks and kills one of them when some rollouts are finished.
static int run_and_kill(int rank, const char *options, const char *arguments, const char *name) {
  char line[4096];
  snprintf(line, sizeof line,
           "cd %s && exec " MPIRUN "%s -n 3 sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; "
           "exec \"$@\"' sh %s/sinew rollout " STUDY
           "--executor mpi %s --out %s > report 2> /dev/null",
           folder, options, SN_TEST_BUILD, arguments, name);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  int status, n;
  while ((n = finished(name)) < 20) {
    ck_assert_msg(waitpid(child, &status, WNOHANG) == 0, "it ended with status %#x", status);
    usleep(500);
  }
  char file_name[32];
  snprintf(file_name, sizeof file_name, "pid.%d", rank);
  FILE *file = fopen(in_folder(file_name), "r");
  int pid = 0;
  ck_assert(file && fscanf(file, "%d", &pid) == 1 && pid > 1);
  fclose(file);
  kill(pid, SIGKILL);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return status;
}

// mpirun ends all ranks when one dies: the report names what is missing, and the same command runs
// it, and no more.
START_TEST(rest_is_run_again) {
  char hash[32], other[32];
  if (!has_mpi()) {
    return;
  }
  run_serial(hash);
  const int status = run_and_kill(1, "", "", "killed.npy");
  const int n = finished("killed.npy");
  ck_assert_msg(status != 0 || n == N, "status 0 with %d rollouts", n);
  ck_assert_int_ge(n, 20);
  ck_assert_int_eq(hash_of(MPIRUN "-n 2 " SN_TEST_BUILD "/sinew rollout " STUDY
                                  "--executor mpi --out killed.npy > report; cat report",
                           other),
                   0);
  ck_assert_str_eq(other, hash);
  expect_same_file("killed.npy");
  char line[256];
  snprintf(line, sizeof line, "cd %s && grep -q '\"finished_before\":%d,' report", folder, n);
  ck_assert_int_eq(system(line), 0);
}
END_TEST

// With --enable-recovery, the other ranks run what the dead one has not finished.
START_TEST(others_take_over) {
  char hash[32], line[256];
  if (!has_mpi()) {
    return;
  }
  run_serial(hash);
  run_and_kill(2, "--enable-recovery", "--set plugin.mpi.patience=0.1", "recovered.npy");
  ck_assert_int_eq(finished("recovered.npy"), N);
  expect_same_file("recovered.npy");
  snprintf(line, sizeof line, "cd %s && grep -q '%s' report", folder, hash);
  ck_assert_int_eq(system(line), 0);
}
END_TEST

// ------------------------------------------------------------------ an interrupt

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The process of rank 0, a child of mpirun, ends soon after an interrupt of it alone, when so many
// rollouts are finished.
static void expect_quick_end(int least, const char *arguments) {
  char line[2048];
  snprintf(line, sizeof line,
           "cd %s && rm -f pid && " MPIRUN
           "-n 3 sh -c 'test $OMPI_COMM_WORLD_RANK -gt 0 || echo $$ > pid; exec \"$@\"' sh "
           "%s/sinew rollout figure -q --executor mpi --out canceled.npy %s > report 2>&1",
           folder, SN_TEST_BUILD, arguments);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  int status, pid = 0;
  while (finished("canceled.npy") < least) {
    ck_assert_msg(waitpid(child, &status, WNOHANG) == 0, "it ended with status %#x", status);
    usleep(10000);
  }
  usleep(1000000);   // the other ranks are within rollouts, and have results to send
  FILE *file = fopen(in_folder("pid"), "r");
  ck_assert(file && fscanf(file, "%d", &pid) == 1 && pid > 1);
  fclose(file);
  const double start = seconds();
  kill(pid, SIGINT);
  while (kill(pid, 0) == 0 && seconds() - start < 60) {
    usleep(1000);
  }
  const double taken = seconds() - start;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 130, "status %#x", status);
  unlink(in_folder("canceled.npy"));
  // rank 0 waits for the answers of the others, at most for `patience`, 10 s
  ck_assert_msg(taken < 5, "it took %g s: %s", taken, arguments);
}

// Neither results that are too large to be sent before they are received nor rollouts that would
// last for minutes delay it.
START_TEST(interrupt_ends_soon) {
  if (!has_mpi()) {
    return;
  }
  expect_quick_end(4, "--n 300 --steps 4000 --every 1 --record qpos,xpos:trunk");
  expect_quick_end(0, "--n 300 --steps 100000000 --every 50000000 --record qpos");
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  TEST(any_number_of_ranks);
  TEST(rest_is_run_again);
  TEST(others_take_over);
  TEST(interrupt_ends_soon);
}
