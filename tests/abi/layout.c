// SPDX-License-Identifier: Apache-2.0
//
// The layout of every public struct: where each member lies and how many bytes it has. Printed
// without an argument; with one, compared with that list, which may only grow at the ends:
//
//   sn_contact_point 88 frozen   elements of arrays and parts of other structs: never change
//   sn_plugin 80                 starts with its size or is given out by pointer: may grow
//   sn_plugin.magic 0 4          member: offset, bytes
//
// After appending members: abi_layout > layout.txt

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

enum { NLINE = 2048, NTEXT = 96 };

static char lines[NLINE][NTEXT];
static int nline;
static char current[48];   // the struct whose members follow

void show_struct(const char *name, size_t bytes, int frozen) {
  snprintf(current, sizeof current, "%s", name);
  snprintf(lines[nline++ % NLINE], NTEXT, "%s %zu%s", name, bytes, frozen ? " frozen" : "");
}

void show_member(const char *name, size_t offset, size_t bytes) {
  snprintf(lines[nline++ % NLINE], NTEXT, "%s.%s %zu %zu", current, name, offset, bytes);
}

// ------------------------------------------------------------------ comparing

static const char *find_line(const char *name, size_t n) {
  for (int i = 0; i < nline; i++) {
    if (strncmp(lines[i], name, n) == 0 && lines[i][n] == ' ') {
      return lines[i];
    }
  }
  return NULL;
}

// One promised line against what is. 0: kept; 1: grew; 2: broken.
static int compare(const char *promised) {
  const size_t n = strcspn(promised, " ");
  const char *is = find_line(promised, n);
  if (!is) {
    printf("gone: %s\n", promised);
    return 2;
  }
  if (strcmp(is, promised) == 0) {
    return 0;
  }
  const int member = memchr(promised, '.', n) != NULL, frozen = strstr(promised, "frozen") != NULL;
  if (!member && !frozen && atol(is + n) > atol(promised + n)) {
    printf("grew: %s was %s bytes\n", is, promised + n + 1);
    return 1;
  }
  printf("changed: %s, was %s\n", is, promised);
  return 2;
}

static int compare_all(FILE *file) {
  static char promised[NLINE][NTEXT];
  int worst = 0, npromised = 0;
  while (npromised < NLINE && fgets(promised[npromised], NTEXT, file)) {
    char *line = promised[npromised];
    line[strcspn(line, "\n")] = '\0';
    if (line[0] && line[0] != '#') {
      const int verdict = compare(line);
      worst = verdict > worst ? verdict : worst;
      npromised++;
    }
  }

  // what is new must be promised too
  for (int i = 0; i < nline; i++) {
    const size_t n = strcspn(lines[i], " ");
    int known = 0;
    for (int k = 0; k < npromised && !known; k++) {
      known = strncmp(promised[k], lines[i], n + 1) == 0;
    }
    if (!known) {
      printf("new: %s\n", lines[i]);
      worst = worst ? worst : 1;
    }
  }
  if (worst == 1) {
    printf("Only growth: write the list again with abi_layout > tests/abi/layout.txt\n");
  } else if (worst == 2) {
    printf("This breaks every plugin that exists. Append at the end, or make a new kind.\n");
  }
  return worst;
}

int main(int argc, char **argv) {
  show_all();
  if (nline > NLINE) {
    printf("more than %d lines; raise NLINE\n", NLINE);
    return EXIT_FAILURE;
  }
  if (argc < 2) {
    printf("# SPDX-License-Identifier: Apache-2.0\n");
    for (int i = 0; i < nline; i++) {
      printf("%s\n", lines[i]);
    }
    return EXIT_SUCCESS;
  }
  FILE *file = fopen(argv[1], "r");
  if (!file) {
    perror(argv[1]);
    return EXIT_FAILURE;
  }
  const int worst = compare_all(file);
  fclose(file);
  return worst ? EXIT_FAILURE : EXIT_SUCCESS;
}
