// SPDX-License-Identifier: Apache-2.0
//
// ./dev bench [MODEL]...: steps per second of Sinew and of the reference engine, side by side.
//
// Both step the same model from the same state as often, in turns, each with the settings of the
// model, one thread, controls at zero. Reported are medians of the turns and their ratio; only
// ratios mean much on a shared machine. Contacts and rows are means a step: they show whether both
// did the same work. A model is a scene of scenes.h by name, or a file.
//
// ./dev bench collision: see bench_collision.c and bench_spheres.c. ./dev bench chains:
// bench_chains.c.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "scenes.h"

enum { TURNS = 5, MOST_STEPS = 200000 };
static const double file_seconds = 0.5;   // of a turn with a file, which has no number of steps

typedef struct counts {
  double contacts, rows;   // means a step
  int resets;              // how often the simulation diverged
} counts;

typedef struct pair {
  sn_model *model;
  sn_data *data;
  mjModel *reference_model;
  mjData *reference_data;
  int key;
} pair;

// ------------------------------------------------------------------ time

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x) {
  qsort(x, TURNS, sizeof *x, compare);
  return x[TURNS / 2];
}

// ------------------------------------------------------------------ one turn

// seconds of n steps from the start state; counts when asked
static double step_sinew(pair *p, int n, counts *c) {
  sn_reset(p->model, p->data);
  if (p->key >= 0) {
    sn_reset_key(p->model, p->data, p->key);
  }
  double start = wall_clock();
  for (int i = 0; i < n; i++) {
    sn_status status = sn_step(p->model, p->data);
    if (c) {
      c->contacts += (double)snd_ncon(p->data) / n;
      c->rows += (double)snd_nefc(p->data) / n;
      c->resets += status < 0;
    }
  }
  return wall_clock() - start;
}

static double step_reference(pair *p, int n, counts *c) {
  const mjModel *m = p->reference_model;
  mjData *d = p->reference_data;
  mj_resetData(m, d);
  if (p->key >= 0) {
    mj_resetDataKeyframe(m, d, p->key);
  }
  double start = wall_clock();
  for (int i = 0; i < n; i++) {
    mj_step(m, d);
    if (c) {
      c->contacts += (double)d->ncon / n;
      c->rows += (double)d->nefc / n;
    }
  }
  return wall_clock() - start;
}

// ------------------------------------------------------------------ a model

static void quiet(const char *message) {
  (void)message;
}

static int load(pair *p, sn_engine *engine, const scene *s) {
  char why[300] = "";
  sn_error *error = sn_error_new();
  *p = (pair){ .key = s->key };
  p->model = sn_load(engine, s->path, error);
  p->data = p->model ? sn_data_new(p->model, error) : NULL;
  if (!p->data) {
    printf("%-18.18s  Sinew does not load it: %s\n", s->name, sn_error_text(error));
  } else {
    p->reference_model = mj_loadXML(s->path, NULL, why, sizeof why);
    p->reference_data = p->reference_model ? mj_makeData(p->reference_model) : NULL;
    if (!p->reference_data) {
      printf("%-18.18s  the reference does not load it: %s\n", s->name, why);
    }
  }
  sn_error_free(error);
  return p->reference_data != NULL;
}

static void unload(pair *p) {
  sn_data_free(p->data);
  if (p->model) {
    sn_model_free(p->model);
  }
  mj_deleteData(p->reference_data);
  mj_deleteModel(p->reference_model);
}

static int choose_steps(pair *p) {
  double seconds = step_reference(p, 20, NULL);
  double n = 20 * file_seconds / fmax(seconds, 1e-7);
  return n < 20 ? 20 : n > MOST_STEPS ? MOST_STEPS : (int)n;
}

static int run(sn_engine *engine, const scene *s) {
  pair p;
  if (!load(&p, engine, s)) {
    unload(&p);
    return 0;
  }
  int n = s->steps ? s->steps : choose_steps(&p);
  double ours[TURNS], theirs[TURNS];
  counts a = { 0 }, b = { 0 };
  // the first turn warms up and counts
  step_sinew(&p, n, &a);
  step_reference(&p, n, &b);
  for (int i = 0; i < TURNS; i++) {
    ours[i] = n / step_sinew(&p, n, NULL);
    theirs[i] = n / step_reference(&p, n, NULL);
  }
  double x = median(ours), y = median(theirs);
  printf("%-18.18s %6lld %6d  %7.1f %7.1f  %7.1f %7.1f  %9.0f %9.0f  %6.2f%s\n", s->name,
         (long long)snm_nv(p.model), n, a.contacts, b.contacts, a.rows, b.rows, x, y, x / y,
         a.resets ? "  diverged" : "");
  fflush(stdout);
  unload(&p);
  return 1;
}

// ------------------------------------------------------------------ which models

static scene find_scene(const char *word) {
  for (int i = 0; i < NSCENES; i++) {
    if (strcmp(scenes[i].name, word) == 0) {
      return scenes[i];
    }
  }
  const char *slash = strrchr(word, '/');
  return (scene){ .name = slash ? slash + 1 : word, .path = word, .key = -1 };
}

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] == '-') {
    if (strcmp(argv[1], "--help") != 0) {
      printf("there is no option %s\n", argv[1]);
    }
    puts("usage: bench collision | chains | load | [MODEL]...   a file, or one of the scenes:");
    for (int i = 0; i < NSCENES; i++) {
      printf("  %s\n", scenes[i].name);
    }
    return strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  sn_error *error = sn_error_new();
  const char *config = getenv("SINEW_CONFIG");
  sn_engine *engine = sn_engine_open(config && *config ? config : SN_TEST_BUILD "/sinew.ini",
                                     error);
  if (!engine) {
    fprintf(stderr, "bench: %s\n", sn_error_text(error));
    return 1;
  }
  mju_user_warning = quiet;
  if (argc > 1 && strcmp(argv[1], "load") == 0) {
    int done = bench_load(engine);
    sn_engine_close(engine);
    sn_error_free(error);
    return !done;
  }
  if (argc > 1 && strcmp(argv[1], "chains") == 0) {
    int done = bench_chains(engine);
    sn_engine_close(engine);
    sn_error_free(error);
    return !done;
  }
  if (argc > 1 && strcmp(argv[1], "collision") == 0) {
    int done = bench_collision(engine);
    done &= bench_spheres(engine);
    sn_engine_close(engine);
    sn_error_free(error);
    return done ? 0 : 1;
  }
  printf("%-18s %6s %6s  %15s  %15s  %9s %9s  %6s\n", "", "", "", "contacts", "rows", "steps/s",
         "steps/s", "");
  printf("%-18s %6s %6s  %7s %7s  %7s %7s  %9s %9s  %6s\n", "scene", "nv", "steps", "Sinew", "ref.",
         "Sinew", "ref.", "Sinew", "ref.", "ratio");
  int ok = 1;
  for (int i = 0; argc == 1 && i < NSCENES; i++) {
    ok &= !(scenes[i].flags & SCENE_BENCH) || run(engine, &scenes[i]);
  }
  for (int i = 1; i < argc; i++) {
    scene s = find_scene(argv[i]);
    ok &= run(engine, &s);
  }
  sn_engine_close(engine);
  sn_error_free(error);
  return ok ? 0 : 1;
}
