// SPDX-License-Identifier: Apache-2.0
//
// ./dev bench [OPTION] [SCENE]...: steps per second of Sinew and of the reference engine, side by
// side (versus.c): each with the settings of the model, one thread. Only ratios mean much on a
// shared machine. Contacts, rows and iterations are means a step: they show whether both did the
// same work. A scene is one of scenes.h or of crowds.c by name, or a file.
//
// The other benchmarks have a file each: bench_NAME.c.

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "crowds.h"
#include "scenes.h"
#include "versus.h"

// ------------------------------------------------------------------ a line of the table

bench_settings bench;

typedef struct table {
  sn_engine *engine;
  int lines, is_complete;
  double log_ratio;   // sum
} table;

static void head(void) {
  if (bench.as_json) {
    puts("{\"scenes\": [");
    return;
  }
  printf("%-18s %5s %6s  %15s  %15s  %11s  %9s %9s  %6s %13s  %8s\n", "", "", "", "contacts",
         "rows", "iterations", "steps/s", "steps/s", "", "", "qpos");
  printf("%-18s %5s %6s  %7s %7s  %7s %7s  %5s %5s  %9s %9s  %6s %13s  %8s\n", "scene", "nv",
         "steps", "Sinew", "ref.", "Sinew", "ref.", "Sinew", "ref.", "Sinew", "ref.", "ratio",
         "range", "differs");
}

static void print_text(const char *name, const versus_result *r) {
  printf(
      "%-18.18s %5lld %6d  %7.1f %7.1f  %7.1f %7.1f  %5.1f %5.1f  %9.0f %9.0f  %6.2f [%5.2f %5.2f]"
      "  %8.1e%s\n",
      name, (long long)r->nv, r->steps, r->ours.contacts, r->theirs.contacts, r->ours.rows,
      r->theirs.rows, r->ours.iterations, r->theirs.iterations, r->rate, r->reference_rate,
      r->ratio, r->lowest, r->highest, r->position_difference, r->ours.resets ? "  diverged" : "");
}

static void print_json(const char *name, const char *group, const versus_result *r, int is_first) {
  printf("%s{\"scene\": \"%s\", \"group\": \"%s\", \"nv\": %lld, \"steps\": %d,\n"
         " \"contacts\": [%.6g, %.6g], \"rows\": [%.6g, %.6g], \"iterations\": [%.6g, %.6g],\n"
         " \"steps_per_second\": [%.6g, %.6g], \"ratio\": %.5g, \"range\": [%.5g, %.5g],\n"
         " \"contact_difference\": %.6g, \"position_difference\": %.3g}",
         is_first ? "" : ",\n", name, group, (long long)r->nv, r->steps, r->ours.contacts,
         r->theirs.contacts, r->ours.rows, r->theirs.rows, r->ours.iterations, r->theirs.iterations,
         r->rate, r->reference_rate, r->ratio, r->lowest, r->highest, r->contact_difference,
         r->position_difference);
}

static void run(table *t, const char *name, const char *group, versus_scene start) {
  versus_result r;
  char why[600] = "";
  if (!versus_run(t->engine, &start, &r, why, sizeof why)) {
    fprintf(stderr, "%s: %s\n", name, why);
    t->is_complete = 0;
    return;
  }
  if (bench.as_json) {
    print_json(name, group, &r, t->lines == 0);
  } else {
    print_text(name, &r);
  }
  fflush(stdout);
  t->lines++;
  t->log_ratio += log(r.ratio);
}

static void finish(const table *t) {
  if (bench.as_json) {
    puts("\n]}");
  } else if (t->lines > 1) {
    printf("geometric mean of %d ratios: %.2f\n", t->lines, exp(t->log_ratio / t->lines));
  }
}

// ------------------------------------------------------------------ scenes

static void run_crowd(table *t, const crowd *c) {
  char path[64];
  if (!crowd_write(c, path)) {
    fprintf(stderr, "%s: its file cannot be written in /tmp\n", c->name);
    t->is_complete = 0;
    return;
  }
  run(t, c->name, "objects",
      (versus_scene){ .path = path, .key = -1, .settle = c->settle, .steps = c->steps });
  unlink(path);
}

static int is_reference(const scene *s) {
  return strncmp(s->path, "/usr/", 5) == 0;
}

static void run_model(table *t, const scene *s) {
  run(t, s->name, is_reference(s) ? "models" : "samples",
      (versus_scene){ .path = s->path, .key = s->key, .steps = s->steps });
}

// Every model in a folder and those below it that both engines load.
static table *in_folder;
static int run_found(const char *path, const struct stat *about, int type, struct FTW *where) {
  (void)about;
  const char *name = path + where->base;
  const size_t n = strlen(name);
  const int is_model = n > 4 && (strcmp(name + n - 4, ".xml") == 0 ||
                                 (n > 5 && strcmp(name + n - 5, ".urdf") == 0));
  if (type == FTW_F && is_model) {
    const int is_complete = in_folder->is_complete;
    run(in_folder, name, "files", (versus_scene){ .path = path, .key = -1 });
    in_folder->is_complete = is_complete;   // folders contain parts of models, too
  }
  return 0;
}

static void run_folder(table *t, const char *folder) {
  enum { OPEN_FOLDERS = 8 };
  in_folder = t;
  if (nftw(folder, run_found, OPEN_FOLDERS, FTW_PHYS) != 0) {
    fprintf(stderr, "%s: cannot be read\n", folder);
    t->is_complete = 0;
  }
}

static void run_word(table *t, const char *word) {
  for (int i = 0; i < NSCENES; i++) {
    if (strcmp(scenes[i].name, word) == 0) {
      run_model(t, &scenes[i]);
      return;
    }
  }
  for (int i = 0; i < ncrowd; i++) {
    if (strcmp(crowds[i].name, word) == 0) {
      run_crowd(t, &crowds[i]);
      return;
    }
  }
  struct stat about;
  if (stat(word, &about) == 0 && S_ISDIR(about.st_mode)) {
    run_folder(t, word);
    return;
  }
  const char *slash = strrchr(word, '/');
  run(t, slash ? slash + 1 : word, "files", (versus_scene){ .path = word, .key = -1 });
}

static void run_all(table *t) {
  for (int i = 0; i < NSCENES; i++) {
    run_model(t, &scenes[i]);
  }
  for (int i = 0; i < ncrowd; i++) {
    run_crowd(t, &crowds[i]);
  }
}

// ------------------------------------------------------------------ the command line

static const struct {
  const char *name;
  int (*run)(sn_engine *engine);   // false: it could not be completed
} others[] = {
  { "chains", bench_chains },   { "collision", bench_collision }, { "load", bench_load },
  { "spheres", bench_spheres }, { "sleep", bench_sleep },         { "rollouts", bench_rollouts },
  { "stages", bench_stages },   { "threads", bench_threads },     { "scaling", bench_scaling },
};
enum { NOTHERS = sizeof others / sizeof others[0] };

static void usage(FILE *out) {
  fputs(
      "usage: bench [--json] [--quick] [SCENE]...   one of the scenes, a file, or a folder: all models\n"
      "                                             in it; without any, all scenes. --quick: few\n"
      "                                             steps, to see whether it works\n",
      out);
  for (int i = 0; i < NOTHERS; i++) {
    fprintf(out, "       bench %s\n", others[i].name);
  }
#ifdef SINEW_BENCH_IMAGES
  fputs("       bench images [FILE]...\n", out);
#endif
  for (int i = 0; i < NSCENES; i++) {
    fprintf(out, "  %s\n", scenes[i].name);
  }
  for (int i = 0; i < ncrowd; i++) {
    fprintf(out, "  %-16s %s\n", crowds[i].name, crowds[i].what);
  }
}

static sn_engine *open_engine(void) {
  sn_error *error = sn_error_new();
  const char *config = getenv("SINEW_CONFIG");
  sn_engine *engine = sn_engine_open(config && *config ? config : SN_TEST_BUILD "/sinew.ini",
                                     error);
  if (!engine) {
    fprintf(stderr, "bench: %s\n", sn_error_text(error));
  }
  sn_error_free(error);
  return engine;
}

// The options; returns the first word behind them, or -1: an unknown one.
static int read_options(int argc, char **argv) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (strcmp(argv[i], "--json") == 0) {
      bench.as_json = 1;
    } else if (strcmp(argv[i], "--quick") == 0) {
      bench.is_quick = 1;
    } else {
      fprintf(stderr, "bench: unknown option %s\n", argv[i]);
      return -1;
    }
  }
  return i;
}

// -1: the word is none of the other benchmarks.
static int run_other(sn_engine *engine, int argc, char **argv) {
#ifdef SINEW_BENCH_IMAGES
  if (argc > 0 && strcmp(argv[0], "images") == 0) {
    return bench_images(engine, argc - 1, argv + 1);
  }
#endif
  for (int i = 0; i < NOTHERS && argc > 0; i++) {
    if (strcmp(argv[0], others[i].name) == 0) {
      return others[i].run(engine);
    }
  }
  return -1;
}

int main(int argc, char **argv) {
  table t = { .is_complete = 1 };
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    usage(stdout);
    return 0;
  }
  const int first = read_options(argc, argv);
  if (first < 0) {
    usage(stderr);
    return 2;
  }
  t.engine = open_engine();
  if (!t.engine) {
    return 1;
  }
  const int other = run_other(t.engine, argc - first, argv + first);
  if (other < 0) {
    head();
    for (int i = first; i < argc; i++) {
      run_word(&t, argv[i]);
    }
    if (first == argc) {
      run_all(&t);
    }
    finish(&t);
  }
  sn_engine_close(t.engine);
  return other < 0 ? !t.is_complete : !other;
}
