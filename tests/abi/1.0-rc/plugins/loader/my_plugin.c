// SPDX-License-Identifier: Apache-2.0
//
// A template for loaders: a text format with one element in each line, for boxes on a floor,
//
//   # my_plugin
//   floor
//   box MASS  X Y Z  SIZEX SIZEY SIZEZ       kg, m; a free body at X Y Z, with its whole lengths
//
// Replace the format by your own.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/loader.h"
#include "sinew/number.h"

static const char mark[] = "# my_plugin";   // the first line of every file

typedef struct reader {
  const sn_builder *b;
  const char *name;
  int32_t line;
  sn_error *error;
} reader;

static sn_status fail(const reader *r, const char *text) {
  return r->b->host->error(r->b->host, r->error, SN_EPARSE, r->name, r->line, 0, text);
}

static int32_t probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  const int64_t n = (int64_t)sizeof mark - 1;
  return count >= n && memcmp(bytes, mark, (size_t)n) == 0 ? 100 : 0;
}

// n finite numbers and nothing else, with a decimal point in every locale.
static sn_status read_numbers(const reader *r, const char *text, double *out, int n) {
  for (int i = 0; i < n; i++) {
    const char *end = sn_read_number(text, &out[i]);
    if (end == text || !isfinite(out[i])) {
      return fail(r, "expected: box MASS X Y Z SIZEX SIZEY SIZEZ");
    }
    text = end;
  }
  return text[strspn(text, " \t\r")] ? fail(r, "the line has more than 7 numbers") : SN_OK;
}

static sn_status add_floor(const reader *r, const sn_location *location) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.type = SN_GEOM_PLANE;
  geom.size[0] = geom.size[1] = 10;
  geom.size[2] = 0.1;
  return r->b->add_geom(r->b->spec, &geom, location, NULL, r->error);
}

static sn_status add_box(const reader *r, const char *text, const sn_location *location) {
  double x[7];
  sn_body_def body;
  sn_joint_def joint;
  sn_geom_def geom;
  sn_default_body(&body);
  sn_default_joint(&joint);
  sn_default_geom(&geom);
  SN_TRY(read_numbers(r, text, x, 7));
  memcpy(body.pos, x + 1, sizeof body.pos);
  SN_TRY(r->b->add_body(r->b->spec, &body, location, &joint.body, r->error));
  joint.type = SN_JOINT_FREE;
  SN_TRY(r->b->add_joint(r->b->spec, &joint, location, NULL, r->error));
  geom.body = joint.body;
  geom.type = SN_GEOM_BOX;
  geom.mass = x[0];
  for (int i = 0; i < 3; i++) {
    geom.size[i] = 0.5 * x[4 + i];
  }
  return r->b->add_geom(r->b->spec, &geom, location, NULL, r->error);
}

static sn_status read_line(const reader *r, const char *line) {
  const sn_location location = { r->name, r->line, 1 };
  const size_t n = strcspn(line, " \t\r");
  if (line[0] == '#' || line[strspn(line, " \t\r")] == '\0') {
    return SN_OK;   // a comment, or nothing
  }
  if (n == 5 && strncmp(line, "floor", n) == 0) {
    return line[n + strspn(line + n, " \t\r")] ? fail(r, "floor has no numbers")
                                               : add_floor(r, &location);
  }
  if (n == 3 && strncmp(line, "box", n) == 0) {
    return add_box(r, line + n, &location);
  }
  return fail(r, "unknown element; available: floor, box");
}

static sn_status load(const void *self, sn_source *source, const sn_builder *builder,
                      sn_error *error) {
  reader r = { .b = builder, .name = source->name, .line = 1, .error = error };
  const char *at = (const char *)source->bytes, *end = at + source->count;
  char line[512];
  if (probe(self, source->bytes, source->count, source->name) == 0) {
    return fail(&r, "the first line is not '# my_plugin'");
  }
  for (; at < end; r.line++) {
    const char *newline = (const char *)memchr(at, '\n', (size_t)(end - at));
    const size_t n = (size_t)((newline ? newline : end) - at);
    if (n >= sizeof line || memchr(at, '\0', n)) {
      return fail(&r, "the line is too long, or not text");
    }
    memcpy(line, at, n);
    line[n] = '\0';
    SN_TRY(read_line(&r, line));
    at += n + 1;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_loader_ops ops = {
  .head = { .size = sizeof(sn_loader_ops), .summary = "boxes on a floor, as text" },
  .extensions = "txt",
  .probe = probe,
  .load = load,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a file format", .provides = provides)
