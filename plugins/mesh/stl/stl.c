// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `stl`: triangles of an STL file.
//
//   binary   80 bytes of anything, then little-endian: uint32 count, and `count` facets of 50
//            bytes: 3 floats normal, 9 floats corners, uint16 attribute
//   text     solid NAME  (facet normal X Y Z  outer loop  (vertex X Y Z) x 3  endloop  endfacet)
//            ... endsolid NAME
//
// A file is binary when its size is exactly that of its count, for binary files may start with
// "solid" too. Normals are left out: they belong to facets and follow from them. Corners of the
// same place become one vertex (merge.h).
//
// Reference: 3D Systems, Stereolithography Interface Specification, 1989.

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "merge.h"
#include "sinew/number.h"

enum { HEAD = 84, FACET = 50, MOST_FACETS = 100000000 };

typedef struct triangles {
  const sn_host *host;
  sn_error *error;
  const char *name;
  double *xyz;        // 9 a facet
  int64_t n, capacity;    // facets
} triangles;

static sn_status reject(const triangles *t, sn_status code, int32_t line, const char *text) {
  return t->host->error(t->host, t->error, code, t->name, line, line > 0, text);
}

// ------------------------------------------------------------------ binary

static uint32_t read_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double read_float(const uint8_t *p) {
  uint32_t bits = read_u32(p);
  float x;
  memcpy(&x, &bits, sizeof x);
  return (double)x;
}

static sn_status read_binary(triangles *t, const uint8_t *bytes) {
  t->n = read_u32(bytes + HEAD - 4);
  t->xyz = t->host->alloc(t->host, (9 * t->n + 1) * (int64_t)sizeof *t->xyz);
  if (!t->xyz) {
    return reject(t, SN_ENOMEM, 0, "out of memory for a mesh");
  }
  for (int64_t i = 0; i < 9 * t->n; i++) {
    t->xyz[i] = read_float(bytes + HEAD + i / 9 * FACET + 12 + i % 9 * 4);
    if (!isfinite(t->xyz[i])) {
      char text[96];
      snprintf(text, sizeof text, "facet %lld: a coordinate is not finite", (long long)i / 9 + 1);
      return reject(t, SN_EPARSE, 0, text);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ text

typedef struct scanner {
  const char *at, *end;
  int32_t line;
} scanner;

// The next word; NULL at the end.
static const char *next_word(scanner *s, size_t *n) {
  while (s->at < s->end && isspace((unsigned char)*s->at)) {
    s->line += *s->at++ == '\n';
  }
  const char *begin = s->at;
  while (s->at < s->end && !isspace((unsigned char)*s->at)) {
    s->at++;
  }
  *n = (size_t)(s->at - begin);
  return *n ? begin : NULL;
}

static int word_is(const char *word, size_t n, const char *expected) {
  if (!word || n != strlen(expected)) {
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    if (tolower((unsigned char)word[i]) != expected[i]) {
      return 0;
    }
  }
  return 1;
}

static sn_status expect(triangles *t, scanner *s, const char *expected) {
  size_t n;
  const char *word = next_word(s, &n);
  if (word_is(word, n, expected)) {
    return SN_OK;
  }
  char text[160];
  snprintf(text, sizeof text, word ? "expected '%s', found '%.*s'" : "expected '%s', found %.*s",
           expected, (int)(word ? (n < 60 ? n : 60) : 15), word ? word : "the end of file");
  return reject(t, SN_EPARSE, s->line, text);
}

static sn_status read_number(triangles *t, scanner *s, double *out) {
  char number[64];
  size_t n;
  const char *word = next_word(s, &n);
  if (word && n < sizeof number) {
    memcpy(number, word, n);
    number[n] = '\0';
    if (*sn_read_number(number, out) == '\0' && isfinite(*out)) {
      return SN_OK;
    }
  }
  return reject(t, SN_EPARSE, s->line, "expected three finite numbers");
}

static sn_status grow(triangles *t) {
  if (t->n < t->capacity) {
    return SN_OK;
  }
  int64_t capacity = t->capacity ? 2 * t->capacity : 256;
  double *xyz = t->host->alloc(t->host, 9 * capacity * (int64_t)sizeof *xyz);
  if (!xyz) {
    return reject(t, SN_ENOMEM, 0, "out of memory for a mesh");
  }
  if (t->n > 0) {
    memcpy(xyz, t->xyz, (size_t)(9 * t->n) * sizeof *xyz);
  }
  t->host->free(t->host, t->xyz);
  t->xyz = xyz;
  t->capacity = capacity;
  return SN_OK;
}

static sn_status read_facet(triangles *t, scanner *s) {
  double normal;
  SN_TRY(expect(t, s, "normal"));
  for (int k = 0; k < 3; k++) {
    SN_TRY(read_number(t, s, &normal));
  }
  SN_TRY(expect(t, s, "outer"));
  SN_TRY(expect(t, s, "loop"));
  SN_TRY(grow(t));
  for (int k = 0; k < 9; k++) {
    if (k % 3 == 0) {
      SN_TRY(expect(t, s, "vertex"));
    }
    SN_TRY(read_number(t, s, t->xyz + 9 * t->n + k));
  }
  SN_TRY(expect(t, s, "endloop"));
  SN_TRY(expect(t, s, "endfacet"));
  t->n++;
  return SN_OK;
}

static void skip_line(scanner *s) {
  while (s->at < s->end && *s->at != '\n') {
    s->at++;
  }
}

// Any number of solids after each other.
static sn_status read_text(triangles *t, const char *bytes, int64_t count) {
  scanner s = { bytes, bytes + count, 1 };
  size_t n;
  for (;;) {
    const char *word = next_word(&s, &n);
    if (!word) {
      return SN_OK;
    }
    if (!word_is(word, n, "solid")) {
      return reject(t, SN_EPARSE, s.line, "expected 'solid'");
    }
    skip_line(&s);   // its name
    while (word = next_word(&s, &n), word_is(word, n, "facet")) {
      SN_TRY(read_facet(t, &s));
    }
    if (!word_is(word, n, "endsolid")) {
      return reject(t, SN_EPARSE, s.line, "expected 'facet' or 'endsolid'");
    }
    skip_line(&s);
  }
}

// ------------------------------------------------------------------ the operation

static sn_status read_any(triangles *t, const uint8_t *bytes, int64_t count) {
  int64_t n = count >= HEAD ? (int64_t)read_u32(bytes + HEAD - 4) : -1;
  if (n >= 0 && count == HEAD + n * FACET) {
    return n > MOST_FACETS ? reject(t, SN_EPARSE, 0, "more than 100 million facets")
                           : read_binary(t, bytes);
  }
  scanner start = { (const char *)bytes, (const char *)bytes + count, 1 };
  size_t length;
  const char *word = next_word(&start, &length);
  if (word_is(word, length, "solid")) {
    return read_text(t, (const char *)bytes, count);
  }
  char text[192];
  if (n < 0) {
    snprintf(text, sizeof text,
             "not an STL file: it has %lld bytes; a binary file has at least %d, and a text file "
             "starts with 'solid'",
             (long long)count, HEAD);
  } else {
    snprintf(text, sizeof text,
             "not an STL file: a binary file with %lld facets has %lld bytes, this one has %lld; a "
             "text file starts with 'solid'",
             (long long)n, HEAD + (long long)n * FACET, (long long)count);
  }
  return reject(t, SN_EPARSE, 0, text);
}

static sn_status give(triangles *t, sn_mesh_sink *sink) {
  if (t->n == 0) {
    return reject(t, SN_EPARSE, 0, "it has no triangles");
  }
  int32_t *face = t->host->alloc(t->host, 3 * t->n * (int64_t)sizeof *face);
  int64_t nvert = face ? stl_merge(t->host, 3 * t->n, t->xyz, face) : -1;
  sn_status status = nvert < 0 ? reject(t, SN_ENOMEM, 0, "out of memory for a mesh")
                               : sink->vertices(sink, nvert, t->xyz);
  status = status < 0 ? status : sink->faces(sink, t->n, face);
  t->host->free(t->host, face);
  return status;
}

static sn_status stl_decode(const void *self, const void *bytes, int64_t count, const char *name,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  (void)self;
  triangles t = { .host = host, .error = error, .name = name };
  sn_status status = read_any(&t, bytes, count);
  status = status < 0 ? status : give(&t, sink);
  host->free(host, t.xyz);
  return status;
}

static const sn_mesh_ops stl_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "triangles of STL files, binary and text" },
  .extensions = "stl",
  .decode = stl_decode,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("stl", &stl_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "stl", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "meshes from STL files", .provides = provides)
