// SPDX-License-Identifier: Apache-2.0
//
// Tables in Markdown on standard output, each after the line by which a page includes it; and files
// of numbers for plots.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_physics.h"

const char *data_folder;

void begin_table(const char *name, const char *corner, const column *columns, int ncolumn) {
  printf("\n<!-- bench physics %s -->\n\n| %s |", name, corner);
  for (int k = 0; k < ncolumn; k++) {
    printf(" %s |", columns[k].title);
  }
  printf("\n|---|");
  for (int k = 0; k < ncolumn; k++) {
    printf("---|");
  }
  printf("\n");
}

void print_text(const char *text) {
  printf(" %s |", text);
  fflush(stdout);
}

// A run that diverged, or ended beyond what makes sense, has no error of interest. Where a truth is
// beside it, more digits are.
static void print_digits(double x, int digits, const char *more) {
  char text[128];
  if (fabs(x) < 1e10) {
    snprintf(text, sizeof text, "%.*g%s", digits, x, more);
  } else {
    snprintf(text, sizeof text, "%s%s", x == FELL ? "fell" : "diverged", more);
  }
  print_text(text);
}

void print_number(double x) {
  print_digits(x, 2, "");
}

void end_row(void) {
  printf("\n");
}

double run_row(const row *r, const char *settings) {
  trial t = open_trial(r, settings);
  const double x = r->measure(&t);
  const int diverged = t.diverged;
  close_trial(&t);
  return diverged ? NAN : x;
}

// A cell of a row: of a column with these settings, or, NULL, of the row's cure.
static void print_result(const row *r, const char *settings) {
  const int digits = r->truth ? 4 : 2;
  char by[96] = "";
  if (!settings && !r->cure) {
    print_text("");
    return;
  }
  if (!settings) {
    snprintf(by, sizeof by, ", %s", r->by);
  }
  print_digits(run_row(r, settings ? settings : r->cure), digits, by);
}

void print_table(const char *name, const row *rows, int nrow, const column *columns, int ncolumn) {
  enum { MOST = 16 };
  column head[MOST];
  int with_truth = 0, n = 0;
  for (int i = 0; i < nrow; i++) {
    with_truth |= rows[i].truth != NULL;
  }
  if (with_truth) {
    head[n++] = (column){ "truth", NULL };
  }
  for (int k = 0; k < ncolumn && n < MOST; k++) {
    head[n++] = columns[k];
  }
  begin_table(name, "", head, n);
  for (int i = 0; i < nrow; i++) {
    printf("| %s |", rows[i].title);
    if (with_truth) {
      print_text(rows[i].truth ? rows[i].truth : "0");
    }
    for (int k = 0; k < ncolumn; k++) {
      print_result(&rows[i], columns[k].settings);
    }
    end_row();
  }
}

// ------------------------------------------------------------------ data

FILE *open_data(const char *name, const char *head) {
  if (!data_folder) {
    return NULL;
  }
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.csv", data_folder, name);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(1);
  }
  fprintf(file, "%s\n", head);
  return file;
}

void write_orders(const char *name, const row *r, const double *h, int nh, const column *columns,
                  int ncolumn) {
  FILE *file = open_data(name, "h");
  if (!file) {
    return;
  }
  for (int i = 0; i < nh; i++) {
    fprintf(file, "%.9g", h[i]);
    for (int k = 0; k < ncolumn; k++) {
      char settings[512];
      snprintf(settings, sizeof settings, "timestep=%.9g;%s", h[i], columns[k].settings);
      fprintf(file, ",%.9g", run_row(r, settings));
    }
    fprintf(file, "\n");
  }
  fclose(file);
}
