// SPDX-License-Identifier: Apache-2.0
//
// The promise of the engine, as an application sees it: one line of the ini swaps the solver for
// one that was built elsewhere, nothing is rebuilt, and the physics is the same. One line swaps the
// integrator as well.
//
// The ini is that of the build tree with the plugins' paths made absolute, plus the other solver.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/objects.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

static char ini[128];
static sn_error *error;

static void set_up(void) {
  umask(022);
  open_folder();
  snprintf(ini, sizeof ini, "%s/sinew.ini", folder);
  error = sn_error_new();

  // short names for the folders of the build tree
  char path[256];
  static const char *const rooms[][2] = { { "plugins", SN_TEST_BUILD "/plugins" },
                                          { "loaders", SN_TEST_BUILD "/loaders" },
                                          { "abi", OBJECTS } };
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, rooms[i][0]);
    ck_assert_int_eq(symlink(rooms[i][1], path), 0);
  }
}

static void tear_down(void) {
  close_folder();
  sn_error_free(error);
}

// Writes the ini: the plugins of the build tree and the other solver; then this line of selection.
static void write_ini_line(const char *selection) {
  FILE *from = fopen(SN_TEST_BUILD "/sinew.ini", "r"), *to = fopen(ini, "w");
  ck_assert_ptr_nonnull(from);
  ck_assert_ptr_nonnull(to);
  char line[512];
  int on = 0;
  fputs("[plugins]\n", to);
  while (fgets(line, sizeof line, from)) {
    on = line[0] == '[' ? strncmp(line, "[plugins]", 9) == 0 : on;
    if (on && line[0] != '[') {
      fputs(line, to);
    }
  }
  fprintf(to, "descent = abi/descent.so\nnan = abi/nan.so\n[select]\n%s\n", selection);
  fclose(from);
  fclose(to);
}

static void write_ini(const char *solver) {
  char line[64];
  snprintf(line, sizeof line, "solver = %s", solver);
  write_ini_line(line);
}

enum { STEPS = 150, MAXQ = 32 };

// Simulates with this ini: qpos at the end, contacts and solver iterations summed.
static int64_t simulate(double *qpos, int64_t *ncontact) {
  sn_engine *engine = sn_engine_open(ini, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_load(engine, MODEL("abi/swap"), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  ck_assert_msg(d != NULL, "%s", sn_error_text(error));
  *ncontact = 0;
  for (int i = 0; i < STEPS; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
    *ncontact += snd_ncon(d);
  }
  const int64_t nq = snm_nq(m);
  ck_assert_int_le(nq, MAXQ);
  memcpy(qpos, snd_qpos(d), (size_t)nq * sizeof(double));
  sn_data_free(d);
  sn_model_free(m);
  sn_engine_close(engine);
  return nq;
}

START_TEST(one_line_swaps_the_solver) {
  double newton[MAXQ], descent[MAXQ];
  int64_t contacts = 0, others = 0, bits_differ = 0;
  write_ini("newton");
  const int64_t nq = simulate(newton, &contacts);
  write_ini("descent");
  ck_assert_int_eq(simulate(descent, &others), nq);
  ck_assert_int_gt(contacts, STEPS);
  ck_assert_int_eq(contacts, others);
  for (int64_t i = 0; i < nq; i++) {
    // two methods stop at different last digits; the trajectory is short and not chaotic
    ck_assert_double_lt(fabs(newton[i] - descent[i]), 1e-7);
    bits_differ += newton[i] != descent[i];
  }
  ck_assert_int_gt(bits_differ, 0);   // it was another solver
}
END_TEST

// The model selects Euler, the ini the same or another integrator; every other one goes another
// way, to nearly the same place.
START_TEST(one_line_swaps_the_integrator) {
  static const char *const lines[] = { "integrator = euler", "integrator = implicit",
                                       "integrator = implicitfast", "integrator = rk4" };
  double own[MAXQ], other[MAXQ];
  int64_t contacts = 0;
  write_ini_line("");
  const int64_t nq = simulate(own, &contacts);
  for (int k = 0; k < 4; k++) {
    write_ini_line(lines[k]);
    ck_assert_int_eq(simulate(other, &contacts), nq);
    double off = 0;
    for (int64_t i = 0; i < nq; i++) {
      off = fmax(off, fabs(own[i] - other[i]));
    }
    // without damping there is nothing that implicitfast would take implicitly
    int good = k == 0 ? off == 0 : k == 2 ? off < 1e-12 : off > 1e-9 && off < 0.05;
    ck_assert_msg(good, "'%s' ends %g away", lines[k], off);
  }
}
END_TEST

static void misspelt(const char *line, const char *choices) {
  write_ini_line(line);
  sn_engine *engine = sn_engine_open(ini, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_ptr_null(sn_load(engine, MODEL("abi/swap"), error));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), ini));
  ck_assert_msg(strstr(sn_error_text(error), choices) != NULL, "%s", sn_error_text(error));
  sn_engine_close(engine);
}

START_TEST(misspelt_names) {
  misspelt("solver = descnt",
           "did you mean 'descent'? Available: newton, coulomb, cg, pgs, descent, nan");
  misspelt(
      "integrator = rk5",
      "did you mean 'rk4'? Available: euler, implicit, implicitfast, backward_euler, momentum, "
      "rk4");
}
END_TEST

static void count_named(void *context, int32_t level, const char *topic, const char *text) {
  (void)topic;
  *(int64_t *)context += level >= SN_LOG_WARNING && strstr(text, "'nan' (sinew.solver/1)") != NULL;
}

// a solver that returns nonsense is named, and the process lives: another engine works as ever
START_TEST(nonsense_is_named) {
  write_ini("nan");
  sn_engine *engine = sn_engine_open(ini, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  int64_t named = 0;
  sn_engine_set_log(engine, count_named, &named);
  sn_model *m = sn_load(engine, MODEL("abi/swap"), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = sn_data_new(m, error);
  for (int i = 0; i < STEPS; i++) {
    sn_step(m, d);
  }
  ck_assert_int_gt(named, 0);
  sn_data_free(d);
  sn_model_free(m);
  sn_engine_close(engine);

  double qpos[MAXQ];
  int64_t contacts = 0;
  write_ini("newton");
  const int64_t nq = simulate(qpos, &contacts);
  for (int64_t i = 0; i < nq; i++) {
    ck_assert(isfinite(qpos[i]));
  }
}
END_TEST

// sinew run reports it in its last line, and by its exit status, as it does a divergence
START_TEST(run_fails_with_nonsense) {
  static const struct {
    const char *solver, *options, *last;
    int status;
  } runs[] = {
    { "newton", "", "none", 0 },
    { "nan", "", "sinew: a plugin returned invalid results; the first warning names it", 1 },
    { "newton", "--set timestep=0.5 --set gravity=0,0,-1e12",
      "sinew: the simulation diverged and was reset", 1 },
  };
  char line[1024], last[256] = "";
  write_ini(runs[_i].solver);
  snprintf(line, sizeof line,
           "%s/sinew run %s/samples/models/stack.xml --steps 5 --config %s %s 2>&1", SN_TEST_BUILD,
           SN_TEST_SOURCE, ini, runs[_i].options);
  FILE *pipe = popen(line, "r");
  ck_assert_ptr_nonnull(pipe);
  while (fgets(line, sizeof line, pipe)) {
    snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
  }
  int status = pclose(pipe);
  ck_assert(WIFEXITED(status));
  ck_assert_msg(WEXITSTATUS(status) == runs[_i].status, "status %d: %s", WEXITSTATUS(status), last);
  ck_assert_msg(strstr(last, runs[_i].last) != NULL, "the last line is '%s'", last);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  TEST(one_line_swaps_the_solver);
  TEST(one_line_swaps_the_integrator);
  TEST(misspelt_names);
  TEST(nonsense_is_named);
  EACH(run_fails_with_nonsense, 0, 3);
}
