// SPDX-License-Identifier: Apache-2.0
//
// Errors against closed forms, conservation laws, published solutions and independent equations of
// motion, as tables in Markdown: the tables of docs/accuracy.md.
//
//   bench_physics [--data FOLDER] [SECTION]...    all sections, or these
//   bench_physics --save-problems FILE            the set of problems of section solvers
//   bench_physics --save-held-out FILE            the set that is held out
//
// With --data, files of numbers for the plots are written as well.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_physics.h"
#include "problem_set.h"

static const struct {
  const char *name;
  void (*print)(void);
} sections[] = {
  { "mechanisms", mechanisms_section }, { "motion", motion_section },
  { "contacts", contacts_section },     { "friction", friction_section },
  { "forces", forces_section },         { "derivatives", derivatives_section },
  { "solvers", solvers_section },       { "cost", cost_section },
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static int find_section(const char *name) {
  for (int i = 0; i < SECTIONS; i++) {
    if (strcmp(name, sections[i].name) == 0) {
      return i;
    }
  }
  fprintf(stderr, "bench_physics: no section is named '%s'; available:", name);
  for (int i = 0; i < SECTIONS; i++) {
    fprintf(stderr, " %s", sections[i].name);
  }
  fprintf(stderr, "\n");
  exit(2);
}

int main(int argc, char **argv) {
  int wanted[SECTIONS] = { 0 }, any = 0;
  for (int i = 1; i < argc; i++) {
    const int is_held_out = strcmp(argv[i], "--save-held-out") == 0;
    if ((is_held_out || strcmp(argv[i], "--save-problems") == 0) && i + 1 < argc) {
      save_problem_set(argv[++i], is_held_out);
      return 0;
    }
    if (strcmp(argv[i], "--data") == 0 && i + 1 < argc) {
      data_folder = argv[++i];
      continue;
    }
    wanted[find_section(argv[i])] = any = 1;
  }
  for (int i = 0; i < SECTIONS; i++) {
    if (wanted[i] || !any) {
      sections[i].print();
    }
  }
  return 0;
}
