// SPDX-License-Identifier: Apache-2.0
//
// Charts of lines, drawn by gnuplot, which is run as a program and gets its commands and numbers on
// standard input.

#ifndef SINEW_TOOLS_CHART_H
#define SINEW_TOOLS_CHART_H

#include "tools/command.h"

// A line of n points; what is not finite is left out.
typedef struct series {
  const char *name;
  const double *x, *y;
  int64_t n;
} series;

// A pair of axes.
typedef struct panel {
  const char *title, *x, *y;   // texts above it, and at its axes with units
  int is_log;                  // logarithmic y: what is not positive is left out
  const series *series;
  int nseries;
} panel;

// Draws panels, one below another, into a file. Its ending says the format: .svg, .png or .pdf; "-"
// is SVG on standard output. DONE, or FAILED or USAGE after reporting.
int chart_draw(const options *o, const char *path, const char *title, const panel *panels, int n);

#endif
