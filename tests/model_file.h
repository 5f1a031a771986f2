// SPDX-License-Identifier: Apache-2.0
//
// The models of tests that are longer than a few lines: tests/models/ROOM/NAME.xml.

#ifndef SN_TEST_MODEL_FILE_H
#define SN_TEST_MODEL_FILE_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#define MODEL(name) SN_TEST_SOURCE "/tests/models/" name ".xml"

// The text of tests/models/<name>.xml, valid until four more are read.
static inline const char *model_file(const char *name) {
  static char text[4][1 << 14];
  static int next;
  char path[512];
  snprintf(path, sizeof path, SN_TEST_SOURCE "/tests/models/%s.xml", name);
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  next = (next + 1) & 3;
  const size_t n = fread(text[next], 1, sizeof text[next], file);
  fclose(file);
  ck_assert_msg(n > 0 && n < sizeof text[next], "%s has %zu bytes", path, n);
  text[next][n] = '\0';
  return text[next];
}

// The same with more elements before its end.
static inline const char *model_file_with(const char *name, const char *more) {
  static char text[2][1 << 14];
  static int next;
  const char *file = model_file(name), *end = strstr(file, "</mujoco>");
  ck_assert_ptr_nonnull(end);
  next = (next + 1) & 1;
  const int n = snprintf(text[next], sizeof text[next], "%.*s%s</mujoco>\n", (int)(end - file),
                         file, more);
  ck_assert_int_lt(n, (int)sizeof text[next]);
  return text[next];
}

// The elements of two models in one.
static inline const char *model_of_files(const char *first, const char *second) {
  static char more[1 << 14];
  const char *file = model_file(second), *begin = strstr(file, "<mujoco>");
  const char *end = strstr(file, "</mujoco>");
  ck_assert(begin && end);
  begin += strlen("<mujoco>");
  snprintf(more, sizeof more, "%.*s", (int)(end - begin), begin);
  return model_file_with(first, more);
}

#endif
