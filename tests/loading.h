// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the loaders share: engines with parameters of a loader, models from text, and
// files in a folder of their own.

#ifndef SN_TEST_LOADING_H
#define SN_TEST_LOADING_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/math.h"
#include "sinew/sinew.h"

static sn_engine *engine;
static sn_error *error;
static char folder[256];   // of the files of a test
static int files;

// ------------------------------------------------------------------ files

// folder/name with a text; returns the path, good until the next call. Folders are made.
static inline const char *make_file(const char *name, const void *bytes, size_t count) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
  fclose(file);
  chmod(path, 0600);
  return path;
}

static inline const char *write_file(const char *name, const char *text) {
  return make_file(name, text, strlen(text));
}

static inline char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  char *text = calloc(1, 1 << 16);
  ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, file), 0);
  fclose(file);
  return text;
}

// The n-th block of a page of docs/ with this word after its fence, counted from 0. To be freed.
static inline char *block_of(const char *page, const char *kind, int n) {
  char fence[32], path[512];
  snprintf(path, sizeof path, SN_TEST_SOURCE "/docs/%s", page);
  snprintf(fence, sizeof fence, "\n```%s\n", kind);
  char *text = read_file(path), *at = text;
  for (int i = 0; at && i <= n; i++) {
    at = strstr(at + 1, fence);
  }
  ck_assert_msg(at != NULL, "%s has no block %d of %s", page, n, kind);
  char *start = at + strlen(fence), *end = strstr(start, "```");
  ck_assert_ptr_nonnull(end);
  char *block = strndup(start, (size_t)(end - start));
  free(text);
  return block;
}

// ------------------------------------------------------------------ engines

// The default configuration with more lines: "[plugin.urdf]\nmimic = true\n". A section of a plugin
// takes the place of the default's. Closed with close_engine.
static inline void open_engine(const char *more) {
  int replaced = 0;
  char *ini = read_file(SN_TEST_BUILD "/sinew.ini"), *text = calloc(1, 1 << 17);
  size_t n = 0;
  snprintf(folder, sizeof folder, "%s/loading_XXXXXX", SN_TEST_BUILD);
  ck_assert_ptr_nonnull(mkdtemp(folder));
  // plugins are named by absolute paths
  for (char *line = strtok(ini, "\n"); line; line = strtok(NULL, "\n")) {
    replaced = line[0] == '[' ? line[1] == 'p' && line[7] == '.' && strstr(more, line) : replaced;
    if (replaced) {
      continue;
    }
    char *path = strstr(line, "= loaders/") ? strstr(line, "= loaders/")
                                            : strstr(line, "= plugins/");
    if (path && line[0] != ';') {
      n += (size_t)sprintf(text + n, "%.*s= %s/%s\n", (int)(path - line), line, SN_TEST_BUILD,
                           path + 2);
    } else {
      n += (size_t)sprintf(text + n, "%s\n", line);
    }
  }
  sprintf(text + n, "%s", more);
  error = sn_error_new();
  engine = sn_engine_open(write_file("sinew.ini", text), error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  free(ini);
  free(text);
}

static inline void close_engine(void) {
  char command[300];
  sn_engine_close(engine);
  sn_error_free(error);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
}

// ------------------------------------------------------------------ models

// A spec of a text; NULL when it is rejected. The file is folder/mN.xml.
static inline sn_spec *spec_of(const char *text) {
  char name[32];
  snprintf(name, sizeof name, "m%d.xml", files++);
  return sn_spec_load(engine, write_file(name, text), error);
}

static inline sn_model *model_of(const char *text) {
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_compile(spec, error);
  sn_spec_free(spec);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  return m;
}

static inline sn_data *data_of(const sn_model *m) {
  sn_data *d = sn_data_new(m, error);
  ck_assert_msg(d != NULL, "%s", sn_error_text(error));
  return d;
}

static inline void close_to(const double *got, const double *want, int n, double tolerance,
                            const char *what) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(fabs(got[i] - want[i]) <= tolerance, "%s [%d]: %.12g instead of %.12g", what, i,
                  got[i], want[i]);
  }
}

static inline void done_with(sn_model *m, sn_data *d) {
  sn_data_free(d);
  sn_model_free(m);
}

// The text is rejected, at a place and with these words.
static inline void rejected(const char *text, int32_t line, int32_t column, const char *part) {
  sn_spec *spec = spec_of(text);
  sn_model *m = spec ? sn_compile(spec, error) : NULL;
  ck_assert_msg(m == NULL, "not rejected (%s): %s", part, text);
  sn_spec_free(spec);
  int32_t at_line = sn_error_line(error), at_column = sn_error_column(error);
  ck_assert_msg(strstr(sn_error_message(error), part) != NULL, "no \"%s\" in: %s", part,
                sn_error_text(error));
  ck_assert_msg(line == 0 || at_line == line, "line %d instead of %d: %s", at_line, line,
                sn_error_text(error));
  ck_assert_msg(column == 0 || at_column == column, "column %d instead of %d: %s", at_column,
                column, sn_error_text(error));
}

// A text that is rejected, where, and a part of the message; a row of a table of mistakes.
typedef struct mistake {
  const char *text;
  int32_t line, column;   // 0: anywhere
  const char *part;
} mistake;

static inline void is_rejected(const mistake *row) {
  rejected(row->text, row->line, row->column, row->part);
}

// Does a note of the spec hold these words?
static inline int noted(const sn_spec *spec, const char *part) {
  for (int64_t i = 0; sn_spec_note(spec, i); i++) {
    if (strstr(sn_spec_note(spec, i), part)) {
      return 1;
    }
  }
  return 0;
}

// Does a warning of the spec hold these words?
static inline int warned(const sn_spec *spec, const char *part) {
  for (int64_t i = 0; sn_spec_warning(spec, i); i++) {
    if (strstr(sn_spec_warning(spec, i), part)) {
      return 1;
    }
  }
  return 0;
}

#endif
