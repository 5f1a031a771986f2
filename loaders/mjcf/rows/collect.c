// SPDX-License-Identifier: Apache-2.0
//
// Several problems in one run. While a file is checked, the reader reports to a stand-in for the
// host, which keeps the first problems; at the end they are one error, a line each:
//
//   robot.xml:3:8: geom: no attribute "color" here (in mujoco/worldbody/body 'arm'/geom)
//   robot.xml:9:5: <body> cannot contain <gem>; did you mean <geom>? (in mujoco/worldbody/gem)
//   3 more

#include <stdio.h>
#include <string.h>

#include "mjcf/rows/reader.h"

static int is_known(const mjcf_collector *c, const char *file, int32_t line, int32_t column) {
  for (int64_t i = 0; i < c->n && i < MJCF_COLLECT; i++) {
    const char *other = c->at[i].file;
    if (c->at[i].line == line && c->at[i].column == column &&
        (other == file || (other && file && strcmp(other, file) == 0))) {
      return 1;
    }
  }
  return 0;
}

static sn_status keep(const sn_host *host, sn_error *error, sn_status code, const char *file,
                      int32_t line, int32_t column, const char *text) {
  mjcf_collector *c = (mjcf_collector *)(void *)(uintptr_t)host;   // its first member
  char *copy = xml_copy(&c->reader->doc.arena, text, strlen(text));
  if (!copy) {
    return c->real->error(c->real, error, SN_ENOMEM, file, line, column, "out of memory");
  }
  if (is_known(c, file, line, column)) {
    return code;
  }
  if (c->n < MJCF_COLLECT) {
    c->at[c->n].code = code;
    c->at[c->n].file = file;
    c->at[c->n].line = line;
    c->at[c->n].column = column;
    c->at[c->n].text = copy;
  }
  c->n++;
  return code;
}

void mjcf_collect_begin(mjcf_reader *r) {
  mjcf_collector *c = &r->collector;
  *c = (mjcf_collector){ .host = *r->xml.host, .real = r->xml.host, .reader = r };
  c->host.error = keep;
  r->xml.host = &c->host;
}

sn_status mjcf_collect_end(mjcf_reader *r) {
  enum { EACH = 260, PATH = 100, ALL = 2000 };   // characters
  mjcf_collector *c = &r->collector;
  char text[ALL] = "";
  if (!c->real) {
    return SN_OK;
  }
  r->xml.host = c->real;
  if (c->n == 0) {
    return SN_OK;
  }
  size_t used = (size_t)snprintf(text, sizeof text, "%.*s", c->n > 1 ? 600 : ALL - 1,
                                 c->at[0].text);
  int64_t listed = 1;
  for (; listed < c->n && listed < MJCF_COLLECT && used + EACH + 160 < sizeof text; listed++) {
    // of a long path its end, which tells files apart
    const char *file = c->at[listed].file ? c->at[listed].file : "";
    size_t length = strlen(file);
    int n = snprintf(text + used, sizeof text - used, "\n%s%s:%d:%d: %.*s",
                     length > PATH ? "..." : "", length > PATH ? file + length - PATH : file,
                     c->at[listed].line, c->at[listed].column, EACH, c->at[listed].text);
    used += n > 0 ? (size_t)n : 0;
  }
  if (c->n > listed) {
    snprintf(text + used, sizeof text - used, "\n%lld more", (long long)(c->n - listed));
  }
  return c->real->error(c->real, r->error, c->at[0].code, c->at[0].file, c->at[0].line,
                        c->at[0].column, text);
}
