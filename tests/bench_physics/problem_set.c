// SPDX-License-Identifier: Apache-2.0
//
// The sets of problems: scenes, and the instants at which their problems are saved.

#include "problem_set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_physics.h"
#include "scenes.h"

const char *const problem_families[PROBLEM_FAMILIES] = {
  "heaps", "towers", "heavy on light", "stacks", "walls", "arches", "grasps", "loops", "machines",
};
enum { HEAPS, TOWERS, HEAVY, STACKS, WALLS, ARCHES, GRASPS, LOOPS, MACHINES };

// One scene. x and y are the parameters of its family.
typedef struct source {
  int family;
  double x, y;
  const char *model;   // of a file
  const char *settings;
} source;

#define STIFF "contacts=.004,1,.99,.99"

static const source sources[] = {
  { HEAPS, 10, 1, NULL, NULL },
  { HEAPS, 20, 1, NULL, NULL },
  { HEAPS, 60, 1, NULL, NULL },
  { HEAPS, 10, 1e3, NULL, NULL },
  { HEAPS, 20, 1e3, NULL, NULL },
  { HEAPS, 60, 1e3, NULL, NULL },
  { HEAPS, 10, 1e6, NULL, NULL },
  { HEAPS, 20, 1e6, NULL, NULL },
  { HEAPS, 60, 1e6, NULL, NULL },
  { HEAPS, 20, 1, NULL, STIFF },
  { HEAPS, 20, 1e3, NULL, STIFF },
  { HEAPS, 20, 1e6, NULL, STIFF },
  { TOWERS, 3, 1e3, NULL, NULL },
  { TOWERS, 5, 31.6, NULL, NULL },
  { TOWERS, 7, 10, NULL, NULL },
  { TOWERS, 4, 10, NULL, NULL },
  { TOWERS, 7, 0.1, NULL, NULL },
  { TOWERS, 3, 1e3, NULL, STIFF },
  { TOWERS, 5, 31.6, NULL, STIFF },
  { TOWERS, 7, 10, NULL, STIFF },
  { HEAVY, 10, 0, NULL, NULL },
  { HEAVY, 1e2, 0, NULL, NULL },
  { HEAVY, 1e3, 0, NULL, NULL },
  { HEAVY, 1e4, 0, NULL, NULL },
  { HEAVY, 1e5, 0, NULL, NULL },
  { HEAVY, 1e6, 0, NULL, NULL },
  { HEAVY, 1e3, 0, NULL, STIFF },
  { HEAVY, 1e6, 0, NULL, STIFF },
  { STACKS, 5, 0, NULL, NULL },
  { STACKS, 10, 0, NULL, NULL },
  { STACKS, 20, 0, NULL, NULL },
  { STACKS, -10, 0, NULL, NULL },
  { STACKS, 10, 0, NULL, STIFF },
  { STACKS, -20, 0, NULL, STIFF },
  { WALLS, 3, 3, NULL, NULL },
  { WALLS, 5, 4, NULL, NULL },
  { WALLS, 7, 5, NULL, NULL },
  { WALLS, 5, 4, NULL, STIFF },
  { ARCHES, 0.20, 0, NULL, NULL },
  { ARCHES, 0.15, 0, NULL, NULL },
  { ARCHES, 0.11, 0, NULL, NULL },
  { ARCHES, 0.08, 0, NULL, NULL },
  { ARCHES, 0.15, 0, NULL, STIFF },
  { GRASPS, 0.045, 3, NULL, NULL },
  { GRASPS, 0.045, 4, NULL, NULL },
  { GRASPS, 0.045, 6, NULL, NULL },
  { GRASPS, 2, 4, NULL, NULL },
  { GRASPS, 2, 6, NULL, STIFF },
  { LOOPS, 2, 0, NULL, NULL },
  { LOOPS, 10, 0, NULL, NULL },
  { LOOPS, 40, 0, NULL, NULL },
  { LOOPS, 10, 0, NULL, "equality=stiff" },
  { LOOPS, 0, 0, "bricard", NULL },
  { LOOPS, 0, 0, "andrews", "timestep=1e-4" },
  { MACHINES, 0, 0, "balls_on_plate", NULL },
  { MACHINES, 0, 0, "samples/models/figure", "cone=elliptic" },
  { MACHINES, 0, 0, "samples/models/rows", "cone=elliptic" },
  { MACHINES, 0, 0, "samples/models/tray", "cone=elliptic" },
};
enum { SOURCES = sizeof sources / sizeof *sources, INSTANTS = 5 };

static const source *current;
static int held_out;

// Of the problems held out, numbers, masses and thicknesses are others. A heap has its number of
// bodies as its seed.
static const char *text_of(double unused) {
  const source *s = current;
  const int k = held_out;
  (void)unused;
  switch (s->family) {
    case HEAPS: return heap_scene((int)s->x + 3 * k, s->y);
    case TOWERS: return tower_scene((int)s->x, k ? pow(s->y, 0.9) : s->y);
    case HEAVY: return heavy_box_scene(k ? 0.3 * s->x : s->x);
    case STACKS: return stack_scene(s->x + copysign(2 * k, s->x));
    case WALLS: return wall_scene((int)s->x, (int)s->y + k);
    case ARCHES: return arch_scene(s->x + 0.02 * k);
    case GRASPS: return grasp_scene(k ? 0.6 * s->x : s->x, (int)s->y);
    default: return parallelograms_scene(s->x + 3 * k);
  }
}

static void save_instants(const source *s, problem_set *set) {
  const row r = { .model = s->model, .scene = s->model ? NULL : text_of, .settings = s->settings };
  current = s;
  held_out = set->held_out;
  trial t = open_trial(&r, "integrator=euler;solver=newton");
  if (snm_nkey(t.m) > 0) {
    sn_reset_key(t.m, t.d, 0);
  }
  const int every = s->family == HEAPS ? 120 : 40;   // until the last ones have fallen
  for (int i = 0; i < INSTANTS; i++) {
    for (int k = i == 0 && held_out ? every / 2 : 0; k < every; k++) {
      step(&t);
    }
    const int64_t before = sn_problems_count(set->problems);
    if (sn_forward(t.m, t.d) < 0 || sn_problems_add(set->problems, t.m, t.d, t.error) < 0) {
      quit(t.error);
    }
    if (sn_problems_count(set->problems) > before) {
      set->family[before] = s->family;
    }
  }
  close_trial(&t);
}

problem_set make_problem_set(int is_held_out, int share) {
  problem_set set = { .held_out = is_held_out,
                      .problems = sn_problems_new(NULL),
                      .family = malloc((size_t)SOURCES * INSTANTS * sizeof(int)) };
  if (!set.problems || !set.family) {
    abort();
  }
  for (int i = 0; i < SOURCES; i += share) {
    save_instants(&sources[i], &set);
  }
  return set;
}

void free_problem_set(problem_set *set) {
  sn_problems_free(set->problems);
  free(set->family);
}

void save_problem_set(const char *path, int is_held_out) {
  problem_set set = make_problem_set(is_held_out, 1);
  sn_error *error = sn_error_new();
  if (sn_problems_save(set.problems, path, error) < 0) {
    quit(error);
  }
  printf("%s: %lld problems\n", path, (long long)sn_problems_count(set.problems));
  sn_error_free(error);
  free_problem_set(&set);
}
