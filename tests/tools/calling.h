// SPDX-License-Identifier: Apache-2.0
//
// Calls of the `sinew` command, and the JSON that they print.

#ifndef SN_TEST_CALLING_H
#define SN_TEST_CALLING_H

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tools/json/json.h"

typedef struct output {
  int status;
  char *text;
  size_t n;
  json_document doc;
} output;

// A robot with one warning, that "lower 2 is above upper 1", and notes.
#define WARNED_ROBOT                                                              \
  "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>"    \
  "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"  \
  "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"           \
  "<limit lower='2' upper='1' effort='1' velocity='1'/></joint></robot>"

// ------------------------------------------------------------------ calling

// Runs a line of a shell. Its status is that of the shell.
static inline output run_line(const char *line) {
  output o = { 0 };
  FILE *sink = open_memstream(&o.text, &o.n), *pipe = popen(line, "r");
  ck_assert(sink && pipe);
  char buffer[4096];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, pipe)) > 0) {
    fwrite(buffer, 1, n, sink);
  }
  int status = pclose(pipe);
  fclose(sink);
  ck_assert_msg(WIFEXITED(status), "%s: ended by a signal", line);
  o.status = WEXITSTATUS(status);
  return o;
}

// Runs "sinew ARGUMENTS"; a shell reads the arguments.
static inline output call(const char *format, ...) {
  char arguments[2048], line[4096];
  va_list list;
  va_start(list, format);
  vsnprintf(arguments, sizeof arguments, format, list);
  va_end(list);
  snprintf(line, sizeof line, "%s/sinew %s", SN_TEST_BUILD, arguments);
  return run_line(line);
}

// Whether videos can be made, and looked at; where not, what is skipped is printed.
static inline int have_ffmpeg(const char *test) {
  output o = run_line("command -v ffmpeg && command -v ffprobe");
  const int is_there = o.status == 0;
  free(o.text);
  if (!is_there) {
    printf("%s is skipped: ffmpeg is not installed\n", test);
  }
  return is_there;
}

static inline void expect(const output *o, int status) {
  ck_assert_msg(o->status == status, "status %d instead of %d; it printed: %.300s", o->status,
                status, o->text);
}

static inline const json_node *root(output *o) {
  ck_assert_msg(json_read(&o->doc, o->text, (int64_t)o->n), "%d:%d: %s in: %.300s", o->doc.line,
                o->doc.column, o->doc.message, o->text);
  return &o->doc.node[0];
}

static inline const json_node *find(const output *o, const json_node *object, const char *key) {
  for (int32_t i = object->first; i; i = o->doc.node[i].next) {
    if (strcmp(o->doc.node[i].key, key) == 0) {
      return &o->doc.node[i];
    }
  }
  return NULL;
}

static inline const json_node *member(const output *o, const json_node *object, const char *key) {
  const json_node *found = find(o, object, key);
  ck_assert_msg(found != NULL, "there is no member '%s'", key);
  return found;
}

static inline double number(const output *o, const json_node *object, const char *key) {
  return member(o, object, key)->number;
}

// number i of an array {"shape", "data"}
static inline double element(const output *o, const json_node *object, const char *key, int i) {
  const json_node *data = member(o, member(o, object, key), "data");
  int32_t at = data->first;
  ck_assert_int_lt(i, data->count);
  while (i-- > 0) {
    at = o->doc.node[at].next;
  }
  return o->doc.node[at].number;
}

static inline void done(output *o) {
  free(o->text);
  json_free(&o->doc);
}

#endif
