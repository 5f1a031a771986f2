// SPDX-License-Identifier: Apache-2.0
//
// A template for mesh formats: text files *.xyz with the three coordinates of one point in each
// line. The mesh is the convex hull of the points. Replace the extension and the format by your
// own; the other operations of sinew/mesh.h make hulls, convex pieces and images.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/mesh.h"
#include "sinew/number.h"

// A position in the file.
typedef struct reader {
  const char *at, *end;
  const char *name;
  int32_t line;
  const sn_host *host;
  sn_error *error;
} reader;

static sn_status fail(const reader *r, const char *text) {
  return r->host->error(r->host, r->error, SN_EPARSE, r->name, r->line, 0, text);
}

// Copies the next line, without its end, to `line`; *found: there was one.
static sn_status next_line(reader *r, char *line, size_t capacity, int *found) {
  *found = r->at < r->end;
  if (!*found) {
    return SN_OK;
  }
  const size_t left = (size_t)(r->end - r->at);
  const char *newline = (const char *)memchr(r->at, '\n', left);
  const size_t n = newline ? (size_t)(newline - r->at) : left;
  r->line++;
  if (n >= capacity || memchr(r->at, '\0', n)) {
    return fail(r, "the line is too long or not text; expected three coordinates");
  }
  memcpy(line, r->at, n);
  line[n] = '\0';
  r->at += n + (newline != NULL);
  return SN_OK;
}

// Three finite numbers and nothing else, with a decimal point in every locale.
static sn_status read_point(const reader *r, const char *line, double *point) {
  const char *at = line;
  for (int i = 0; i < 3; i++) {
    const char *end = sn_read_number(at, &point[i]);
    if (end == at || !isfinite(point[i])) {
      return fail(r, "expected three finite coordinates");
    }
    at = end;
  }
  return at[strspn(at, " \t\r")] ? fail(r, "the line has more than three coordinates") : SN_OK;
}

static sn_status decode(const void *self, const void *bytes, int64_t count, const char *name,
                        sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  reader r = { .at = (const char *)bytes, .name = name, .host = host, .error = error };
  r.end = r.at + count;
  char line[256];
  int found;
  int64_t points = 0;
  (void)self;
  for (;;) {
    SN_TRY(next_line(&r, line, sizeof line, &found));
    if (!found) {
      break;
    }
    if (line[strspn(line, " \t\r")] == '\0') {
      continue;   // an empty line
    }
    double point[3];
    SN_TRY(read_point(&r, line, point));
    SN_TRY(sink->vertices(sink, 1, point));
    points++;
  }
  return points >= 4 ? SN_OK : fail(&r, "a mesh requires at least four points");
}

// ------------------------------------------------------------------ the plugin

static const sn_mesh_ops ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "points in text files, *.xyz" },
  .extensions = "xyz",
  .decode = decode,
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a mesh format", .provides = provides)
