// SPDX-License-Identifier: Apache-2.0
//
// Loading: from a file to a compiled model, beside the reference engine. The best of several runs,
// taken in turns, so that what else the machine does falls on both.

#include <mujoco/mujoco.h>
#include <stdio.h>

#include "bench.h"

enum { RUNS = 7 };
static const char folder[] = "/usr/share/mujoco/model/";

static const char *const models[] = {
  "humanoid/humanoid.xml",  "humanoid/22_humanoids.xml", "humanoid100/humanoid100.xml",
  "composite/particle.xml", "composite/cloth.xml",       "tendon_arm/arm26.xml",
};

// Seconds; negative: it could not be loaded.
static double load_ours(sn_engine *engine, const char *path, double *parse) {
  sn_error *error = sn_error_new();
  double start = wall_clock();
  sn_spec *spec = sn_spec_load(engine, path, error);
  *parse = wall_clock() - start;
  sn_model *m = spec ? sn_compile(spec, error) : NULL;
  double time = m ? wall_clock() - start : -1;
  if (!m) {
    printf("%s\n", sn_error_text(error));
  }
  sn_model_free(m);
  sn_spec_free(spec);
  sn_error_free(error);
  return time;
}

static double load_theirs(const char *path) {
  char text[1000] = "";
  double start = wall_clock();
  mjModel *m = mj_loadXML(path, NULL, text, sizeof text);
  double time = m ? wall_clock() - start : -1;
  mj_deleteModel(m);
  return time;
}

static void keep_best(double *best, double time) {
  *best = *best < 0 || time < *best ? time : *best;
}

int bench_load(sn_engine *engine) {
  int good = 1;
  printf("loading, ms                      reading  compiling      sinew  reference   ratio\n");
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    char path[256];
    double ours = -1, theirs = -1, reading = -1;
    snprintf(path, sizeof path, "%s%s", folder, models[i]);
    for (int k = 0; k < RUNS; k++) {
      double parse;
      double time = load_ours(engine, path, &parse);
      if (time < 0) {
        good = 0;
        break;
      }
      keep_best(&reading, parse);
      keep_best(&ours, time);
      keep_best(&theirs, load_theirs(path));
    }
    if (ours > 0 && theirs > 0) {
      printf("%-30s %9.2f  %9.2f  %9.2f  %9.2f  %6.2f\n", models[i], 1e3 * reading,
             1e3 * (ours - reading), 1e3 * ours, 1e3 * theirs, ours / theirs);
    }
  }
  return good;
}
