// SPDX-License-Identifier: Apache-2.0
//
// Reading comma-separated values; see table.h.

#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/number.h"

char table_cell(char **p, char **cell) {
  char *from = *p, *to = *p;
  *cell = *p;
  for (int quoted = 0; *from && (quoted || (*from != ',' && *from != '\n')); from++) {
    if (*from != '"') {
      *to++ = *from;
    } else if (quoted && from[1] == '"') {
      *to++ = *from++;
    } else {
      quoted = !quoted;
    }
  }
  const char end = *from;
  *p = from + (end != '\0');
  if (to > *cell && to[-1] == '\r' && end != ',') {
    to--;
  }
  *to = '\0';
  return end;
}

// How many of a character are outside of quotes; up to the end of the first line, or of all.
static int64_t count_char(const char *p, char c, int whole) {
  int64_t n = 0;
  for (int quoted = 0; *p && (whole || quoted || *p != '\n'); p++) {
    quoted ^= *p == '"';
    n += *p == c && !quoted;
  }
  return n;
}

// The line of a quote that is not closed; 0: all are.
static int64_t open_quote(const char *p) {
  int64_t line = 1, at = 0;
  for (; *p; p++) {
    at = *p != '"' ? at : at ? 0 : line;
    line += *p == '\n';
  }
  return at;
}

static int read_number(const char *cell, double *out) {
  const char *end = sn_read_number(cell, out);
  if (end != cell && !*end) {
    return 1;
  }
  *out = NAN;
  return !*cell || strcmp(cell, "nan") == 0 || strcmp(cell, "inf") == 0 ||
         strcmp(cell, "-inf") == 0;
}

#define EXPECTED \
  "expected CSV: a line of column names, then lines of numbers, separated by commas"

static int read_row(const options *o, table *t, char **p, int64_t line) {
  char *cell, end = ',';
  for (int64_t i = 0; i < t->columns; i++) {
    if (end != ',') {
      return report_text(o, t->path, (int)line, 0, "this line has %lld values instead of %lld",
                         (long long)i, (long long)t->columns);
    }
    end = table_cell(p, &cell);
    if (!read_number(cell, &t->value[i * t->rows + line - 2])) {
      return report_text(o, t->path, (int)line, 0, "'%.60s' of column '%.60s' is not a number%s",
                         cell, t->name[i], line == 2 && i == 0 ? "; " EXPECTED : "");
    }
  }
  return end != ',' ? DONE
                    : report_text(o, t->path, (int)line, 0, "this line has more than %lld values",
                                  (long long)t->columns);
}

int table_read(const options *o, table *t, const char *path) {
  int64_t n;
  char end = ',', *whole, *p;
  t->path = path;
  t->bytes = read_whole(o, path, &n);
  whole = t->bytes ? realloc(t->bytes, (size_t)n + 1) : NULL;
  if (!whole) {
    return t->bytes ? report(o, NULL) : FAILED;
  }
  t->bytes = p = whole;
  p[n] = '\0';
  if (n == 0 || (int64_t)strlen(p) != n) {
    return report_text(o, path, 0, 0, EXPECTED);
  }
  const int64_t quote = open_quote(p);
  if (quote > 0) {
    return report_text(o, path, (int)quote, 0, "a quote in this line is not closed");
  }
  const int64_t cells = count_char(p, ',', 0) + 1;
  t->rows = count_char(p, '\n', 1) - (p[n - 1] == '\n');
  t->name = calloc((size_t)cells, sizeof *t->name);
  t->value = calloc((size_t)(cells * t->rows) + 1, sizeof *t->value);
  if (!t->name || !t->value) {
    return report(o, NULL);
  }
  while (end == ',') {
    end = table_cell(&p, &t->name[t->columns++]);
  }
  int status = t->rows > 0 ? DONE
                           : report_text(o, path, 0, 0, "there are no rows of numbers; " EXPECTED);
  for (int64_t line = 2; line < t->rows + 2 && status == DONE; line++) {
    status = read_row(o, t, &p, line);
  }
  return status;
}

int64_t table_column(const table *t, const char *name) {
  for (int64_t i = 0; i < t->columns; i++) {
    if (strcmp(t->name[i], name) == 0) {
      return i;
    }
  }
  return -1;
}

void table_free(table *t) {
  free(t->bytes);
  free(t->name);
  free(t->value);
}
