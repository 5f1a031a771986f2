// SPDX-License-Identifier: Apache-2.0
//
// Comma-separated values (RFC 4180) in memory: a line of names, then lines of numbers.

#ifndef SINEW_TOOLS_TABLE_H
#define SINEW_TOOLS_TABLE_H

#include "tools/command.h"

// Names of columns, and their numbers, column by column: value[column * rows + row].
typedef struct table {
  const char *path;
  char *bytes;
  char **name;
  double *value;
  int64_t columns, rows;
} table;

// Reads a file. DONE, or FAILED after reporting. Free the table in either case.
int table_read(const options *o, table *t, const char *path);
void table_free(table *t);
// The cell at *p, without quotes and ended by a zero, in place; *p moves behind its comma or line.
// Returns what ended it: ',', '\n' or 0.
char table_cell(char **p, char **cell);
// The column of a name; -1: there is none.
int64_t table_column(const table *t, const char *name);

#endif
