// SPDX-License-Identifier: Apache-2.0
//
// The saved problems of tests/problems: their files, an engine with every solver, an answer judged.

#ifndef SAVED_PROBLEMS_H
#define SAVED_PROBLEMS_H

#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinew/sinew.h"

static const char folder[] = SN_TEST_SOURCE "/tests/problems";

enum { MOST_FILES = 64 };
static char file[MOST_FILES][512];
static int nfile;
static sn_engine *engine;
static sn_error *error;

// ------------------------------------------------------------------ setting up

static int compare_names(const void *a, const void *b) {
  return strcmp(a, b);
}

static void find_files(void) {
  DIR *dir = opendir(folder);
  ck_assert_msg(dir != NULL, "%s is missing", folder);
  nfile = 0;
  for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    const char *ending = strrchr(e->d_name, '.');
    if (ending && strcmp(ending, ".problems") == 0) {
      ck_assert_int_lt(nfile, MOST_FILES);
      snprintf(file[nfile++], sizeof file[0], "%s/%.200s", folder, e->d_name);
    }
  }
  closedir(dir);
  qsort(file, (size_t)nfile, sizeof file[0], compare_names);
}

static void open_engine(void) {
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_msg(sn_engine_load_plugin(engine, "admm", SN_TEST_BUILD "/samples/admm.so", error) >= 0,
                "%s", sn_error_text(error));
  find_files();
}

static void close_engine(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

static sn_problems *load(const char *path) {
  sn_problems *problems = sn_problems_load(path, error);
  ck_assert_msg(problems != NULL, "%s", sn_error_text(error));
  return problems;
}

typedef struct result {
  sn_solution solution;
  double scale;   // the largest force, at least 1
  double residual[2], cost;
} result;

static result solve(const char *solver, const sn_problem *p) {
  result r = { .solution = { .size = sizeof r.solution } };
  r.solution.qacc = calloc((size_t)p->nv + 1, sizeof(double));
  r.solution.force = calloc((size_t)p->nefc + 1, sizeof(double));
  r.solution.state = calloc((size_t)p->nefc + 1, sizeof(int32_t));
  ck_assert(r.solution.qacc && r.solution.force && r.solution.state);
  ck_assert_msg(sn_problem_solve(engine, solver, p, &r.solution, error) >= 0, "%s",
                sn_error_text(error));
  sn_problem_evaluate(p, &r.solution, &r.cost, r.residual);
  r.scale = 1;
  for (int64_t i = 0; i < p->nefc; i++) {
    r.scale = fmax(r.scale, fabs(r.solution.force[i]));
  }
  return r;
}

static void done(result *r) {
  free(r->solution.qacc);
  free(r->solution.force);
  free(r->solution.state);
}

#endif
