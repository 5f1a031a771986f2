// SPDX-License-Identifier: Apache-2.0
//
// An application of the pretended ABI 1.1, with its library and its plugin: what is new works, and
// so do both revisions of a kind beside each other.
//
//   application INI MODEL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/observer.h"
#include "sinew/sinew.h"

static sn_error *error;

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (!(condition)) {                                                               \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition,              \
              sn_error_text(error));                                                  \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)

enum { STEPS = 300, ROOM = 100 };   // the sphere reaches the plane

static const char *const tallies[] = { "solver/1", "solver/2", "polish" };

// How often the solvers of each revision were called in a run with this solver.
static void run(const char *ini, const char *path, const char *solver, int64_t calls[3]) {
  sn_engine *engine = sn_engine_open(ini, error);
  CHECK(engine);
  CHECK(sn_select(engine, "solver", solver, error) == SN_OK);
  sn_model *model = sn_load(engine, path, error);
  CHECK(model);
  sn_data *data = sn_data_new(model, error);
  CHECK(data);
  for (int i = 0; i < 3; i++) {
    calls[i] = -sn_tally(tallies[i]);
  }
  const int64_t before = sn_tally("step");
  for (int i = 0; i < STEPS; i++) {
    CHECK(sn_step(model, data) == SN_OK);
  }
  CHECK(sn_tally("step") == before + STEPS);   // the observer
  for (int i = 0; i < 3; i++) {
    calls[i] += sn_tally(tallies[i]);
  }
  CHECK(snm_geom_bounce(model)[1] == 0.5);
  sn_data_free(data);
  sn_model_free(model);
  sn_engine_close(engine);
}

// The same for a problem that is solved outside of a step.
static void solve(const char *ini, const char *path, const char *solver, int64_t calls[3]) {
  sn_engine *engine = sn_engine_open(ini, error);
  CHECK(engine);
  sn_model *model = sn_load(engine, path, error);
  CHECK(model);
  sn_data *data = sn_data_new(model, error);
  CHECK(data);
  for (int i = 0; i < STEPS; i++) {
    CHECK(sn_step(model, data) == SN_OK);
  }
  CHECK(sn_forward(model, data) == SN_OK);
  sn_problems *problems = sn_problems_new(error);
  CHECK(problems && sn_problems_add(problems, model, data, error) == SN_OK);
  const sn_problem *problem = sn_problems_at(problems, 0);
  CHECK(problem && problem->nv <= ROOM && problem->nefc <= ROOM);
  static double qacc[ROOM], force[ROOM];
  static int32_t state[ROOM];
  sn_solution solution = { .size = sizeof solution, .qacc = qacc, .force = force, .state = state };
  for (int i = 0; i < 3; i++) {
    calls[i] = -sn_tally(tallies[i]);
  }
  CHECK(sn_problem_solve(engine, solver, problem, &solution, error) >= 0);
  for (int i = 0; i < 3; i++) {
    calls[i] += sn_tally(tallies[i]);
  }
  sn_problems_free(problems);
  sn_data_free(data);
  sn_model_free(model);
  sn_engine_close(engine);
}

static void check_problems(const char *ini, const char *path) {
  int64_t calls[3];
  solve(ini, path, "newton", calls);
  CHECK(calls[0] == 1 && calls[1] == 0 && calls[2] == 0);
  solve(ini, path, "once", calls);
  CHECK(calls[0] == 1 && calls[1] == 0 && calls[2] == 1);
  solve(ini, path, "twice", calls);
  CHECK(calls[0] == 0 && calls[1] == 1 && calls[2] == 0);
}

static void check_solvers(const char *ini, const char *path) {
  int64_t calls[3];
  run(ini, path, "newton", calls);   // of 1.0, without the appended operation
  CHECK(calls[0] > 0 && calls[1] == 0 && calls[2] == 0);
  run(ini, path, "once", calls);
  CHECK(calls[0] > 0 && calls[1] == 0 && calls[2] == calls[0]);
  run(ini, path, "twice", calls);   // the newer of two revisions
  CHECK(calls[0] == 0 && calls[1] > 0 && calls[2] == 0);
}

static void check_spec(const char *ini, const char *path) {
  sn_engine *engine = sn_engine_open(ini, error);
  CHECK(engine);
  sn_provider_info info = { .size = sizeof info };
  CHECK(!sn_engine_skipped(engine, 0, &info));
  int64_t nlisted = 0;
  for (int64_t i = 0; sn_engine_provider(engine, i, &info); i++) {
    nlisted += strcmp(info.name, "twice") == 0 && strcmp(info.kind, "sinew.solver/2") == 0;
    CHECK(strcmp(info.name, "twice") != 0 || strcmp(info.kind, "sinew.solver/1") != 0);
  }
  CHECK(nlisted == 1);

  const sn_host *host = sn_engine_host(engine);
  CHECK(host->abi_minor == 1 && strcmp(host->appended(host), "appended") == 0);
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  CHECK(fields->size == sizeof *fields && fields->appended);

  sn_spec *spec = sn_spec_load(engine, path, error);
  CHECK(spec);
  CHECK(sn_spec_count(spec, "marker") == 1 && sn_spec_find(spec, "marker", "here") == 0);
  sn_option option;
  sn_default_option(&option);
  CHECK(sn_spec_get_option(spec, &option) == SN_OK && option.appended == 3);
  sn_climate climate;
  sn_default_climate(&climate);
  climate.temperature = 250;
  CHECK(sn_spec_set_climate(spec, &climate, error) == SN_OK);
  sn_default_climate(&climate);
  CHECK(sn_spec_get_climate(spec, &climate) == SN_OK && climate.temperature == 250);
  sn_spec_free(spec);
  sn_engine_close(engine);
}

int main(int argc, char **argv) {
  error = sn_error_new();
  CHECK(argc == 3);
  check_spec(argv[1], argv[2]);
  check_solvers(argv[1], argv[2]);
  check_problems(argv[1], argv[2]);
  sn_error_free(error);
  return 0;
}
