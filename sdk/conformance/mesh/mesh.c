// SPDX-License-Identifier: Apache-2.0
//
// Tests a mesh plugin. Files: an example of each format that the kit knows gives the tetrahedron or
// the image that is in it; truncated and changed examples, and random bytes, give a result or an
// error with a message and the file; an error of the sink is returned. STL files are read in all
// forms of the format, and files with an error are rejected. Hulls and convex pieces are in hull.c.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mesh_result.h"
#include "sinew/math.h"

enum { LONGEST = 300, RANDOM = 150, CHANGES = 400 };

static const char file_name[] = "conformance";
static const double time_limit = 0.1;   // s

typedef struct reading {
  int images;             // image, not decode
  const char *extension;
  int64_t inputs, errors, silent, without_file, unequal, changed;
} reading;

static sn_status read_bytes(kit *k, const reading *r, const uint8_t *bytes, int64_t n,
                            mesh_result *out, sn_error *error) {
  const sn_mesh_ops *ops = k->provider->ops;
  const sn_host *host = sn_engine_host(k->engine);
  char name[48];
  snprintf(name, sizeof name, "%s.%s", file_name, r->extension);
  const sn_status status = r->images ? KIT_CALL(ops, image)(k->self, bytes, n, name, 3, &out->sink,
                                                            host, error)
                                     : KIT_CALL(ops, decode)(k->self, bytes, n, name, &out->sink,
                                                             host, error);
  return kit_status(k, r->images ? "image" : "decode", status);
}

// Reads a copy that ends with its last byte, twice.
static void try_bytes(kit *k, reading *r, const uint8_t *bytes, int64_t n) {
  mesh_result first, second;
  sn_error *error = sn_error_new();
  uint8_t *copy = malloc((size_t)n + (n == 0));
  mesh_result_init(&first, 0);
  mesh_result_init(&second, 0);
  if (copy && error) {
    memcpy(copy, bytes, (size_t)n);
    const sn_status status = read_bytes(k, r, copy, n, &first, error);
    r->inputs++;
    r->errors += status < 0;
    r->silent += status < 0 && !*sn_error_message(error);
    r->without_file += status < 0 && status != SN_ENOMEM && !sn_error_file(error);
    r->changed += memcmp(copy, bytes, (size_t)n) != 0;
    second.sink.reserve = NULL;   // as in a host that does not limit memory
    if (status != SN_ENOMEM) {      // which may come from the limit
      r->unequal += read_bytes(k, r, copy, n, &second, error) != status;
      r->unequal += first.hash != second.hash;
    }
  }
  free(copy);
  mesh_result_free(&first);
  mesh_result_free(&second);
  sn_error_free(error);
}

// Seconds of a clock. Readers that start a process for each file are slow, so each kind of damage
// has a limit of time.
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void try_random(kit *k, reading *r) {
  uint8_t bytes[LONGEST];
  const double end = seconds() + time_limit;
  for (int i = 0; i < RANDOM && seconds() < end; i++) {
    const int64_t n = (int64_t)kit_between(k, 0, LONGEST);
    for (int64_t c = 0; c < n; c++) {
      bytes[c] = (uint8_t)kit_between(k, 0, 256);
    }
    try_bytes(k, r, bytes, n);
  }
}

// Truncated after any number of bytes.
static void try_truncated(kit *k, reading *r, const uint8_t *example, int64_t n) {
  const int64_t stride = 1009;   // a prime: all lengths, not in order
  const double end = seconds() + time_limit;
  for (int64_t i = 0; i < n && seconds() < end; i++) {
    try_bytes(k, r, example, i * stride % n);
  }
}

// With one byte changed, or four.
static void try_changed(kit *k, reading *r, const uint8_t *example, int64_t n) {
  uint8_t *bytes = malloc((size_t)n);
  const double end = seconds() + time_limit;
  for (int i = 0; i < CHANGES && bytes && seconds() < end; i++) {
    memcpy(bytes, example, (size_t)n);
    for (int many = 0; many < (i % 2 ? 1 : 4); many++) {
      bytes[(int64_t)kit_between(k, 0, (double)n)] = (uint8_t)kit_between(k, 0, 256);
    }
    try_bytes(k, r, bytes, n);
  }
  free(bytes);
}

// ------------------------------------------------------------------ examples

static double volume(const mesh_result *m) {
  double sum = 0;
  for (int64_t f = 0; f < m->nface; f++) {
    const double *a = m->vert + 3 * m->face[3 * f], *b = m->vert + 3 * m->face[3 * f + 1],
                 *c = m->vert + 3 * m->face[3 * f + 2];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

// Whether each vertex is a corner of a copy of the tetrahedron; coordinates may be of single
// precision.
static int are_corners(const mesh_result *m) {
  static const double corner[4][3] = {
    { 0.25, 0, 0 }, { 1.25, 0, 0 }, { 0.25, 1.5, 0 }, { 0.25, 0, 1 }
  };
  for (int64_t i = 0; i < m->nvert; i++) {
    const double *v = m->vert + 3 * i;
    const double p[3] = { v[0] - MESH_SHIFT_X * floor(v[0] / MESH_SHIFT_X),
                          v[1] - MESH_SHIFT_Y * floor(v[1] / MESH_SHIFT_Y), v[2] };
    double nearest = INFINITY;
    for (int k = 0; k < 4; k++) {
      nearest = fmin(nearest, sn_dist3(p, corner[k]));
    }
    if (nearest > 1e-6) {
      return 0;
    }
  }
  return 1;
}

// What is wrong with the tetrahedra of an example; NULL: nothing.
static const char *tetrahedron_fault(const mesh_result *m, int64_t copies) {
  for (int64_t i = 0; i < 3 * m->nface; i++) {
    if (m->face[i] < 0 || m->face[i] >= m->nvert) {
      return "a triangle has a vertex that does not exist";
    }
  }
  if (m->not_finite || m->nface != 4 * copies) {
    return m->not_finite ? "a number is not finite" : "there are not 4 triangles";
  }
  if ((m->nnormal != 0 && m->nnormal != m->nvert) ||
      (m->ntexcoord != 0 && m->ntexcoord != m->nvert)) {
    return "there are normals or texture coordinates, but not one for each vertex";
  }
  if (!are_corners(m)) {
    return "a coordinate is wrong";
  }
  return fabs(volume(m) / (double)copies - 0.25) < 1e-6 ? NULL
                                                        : "a triangle is not counter-clockwise";
}

static const char *image_fault(const mesh_result *m) {
  static const uint8_t pixels[] = { 10, 20,  30, 50, 20,  30, 90, 20,  30,
                                    10, 120, 30, 50, 120, 35, 90, 120, 40 };
  if (m->image_calls != 1 || m->width != 3 || m->height != 2 || m->channels != 3) {
    return "the image of 3 x 2 pixels has another size, or not 3 channels";
  }
  return memcmp(m->pixels, pixels, sizeof pixels) ? "a pixel has another color" : NULL;
}

static void test_example(kit *k, const reading *r, const uint8_t *example, int64_t n) {
  mesh_result m;
  sn_error *error = sn_error_new();
  mesh_result_init(&m, 0);
  const sn_status status = read_bytes(k, r, example, n, &m, error);
  const char *fault = status < 0    ? sn_error_message(error)
                      : r->images ? image_fault(&m)
                                  : tetrahedron_fault(&m, 1);
  kit_check(k, "example", !fault, "%s: %s", r->extension,
            fault       ? fault
            : r->images ? "an image of 3 x 2 pixels"
                        : "a tetrahedron of the kit");
  mesh_result_free(&m);
  sn_error_free(error);
}

// Each call of the sink fails in turn.
static void test_sink(kit *k, const reading *r, const uint8_t *example, int64_t n) {
  enum { MOST_CALLS = 100 };
  int64_t made = MOST_CALLS;
  for (int64_t fail_at = 1; fail_at <= made && fail_at < MOST_CALLS; fail_at++) {
    mesh_result m;
    sn_error *error = sn_error_new();
    mesh_result_init(&m, fail_at);
    const sn_status status = read_bytes(k, r, example, n, &m, error);
    made = m.calls < fail_at ? m.calls : made;
    mesh_result_free(&m);
    sn_error_free(error);
    if (status >= 0 && made >= fail_at) {
      kit_report(k, "sink", KIT_FAILED, "%s: call %lld of the sink failed, but %s returned %s",
                 r->extension, (long long)fail_at, r->images ? "image" : "decode",
                 sn_status_name(status));
      return;
    }
  }
  kit_report(k, "sink", KIT_PASSED, "%s: an error of the sink is returned", r->extension);
}

// ------------------------------------------------------------------ STL files

static void test_forms(kit *k, const reading *r) {
  const char *name, *fault = NULL;
  int64_t n = 0, copies = 0;
  int forms = 0;
  char text[160];
  uint8_t *bytes;
  for (; !fault && (bytes = mesh_stl_form(forms, &name, &n, &copies)); forms++) {
    mesh_result m;
    sn_error *error = sn_error_new();
    mesh_result_init(&m, 0);
    const sn_status status = read_bytes(k, r, bytes, n, &m, error);
    fault = status < 0 ? sn_error_message(error) : tetrahedron_fault(&m, copies);
    if (fault) {
      snprintf(text, sizeof text, "%s: %s", name, fault);
    }
    mesh_result_free(&m);
    sn_error_free(error);
    free(bytes);
  }
  kit_check(k, "forms of the format", !fault, "%s: %s", r->extension,
            fault ? text : "text and binary files of many triangles");
}

static void test_errors(kit *k, const reading *r) {
  const char *what, *missed = NULL, *misplaced = NULL;
  int64_t n = 0;
  int32_t line = 0, said = 0;
  uint8_t *bytes;
  for (int i = 0; (bytes = mesh_stl_wrong(i, &what, &n, &line)); i++) {
    mesh_result m;
    sn_error *error = sn_error_new();
    mesh_result_init(&m, 0);
    const sn_status status = read_bytes(k, r, bytes, n, &m, error);
    // a line that the reader does not know is 0
    const int32_t at = sn_error_line(error);
    missed = status >= 0 ? what : missed;
    if (status < 0 && line > 0 && at > 0 && at != line) {
      misplaced = what;
      said = at;
    }
    mesh_result_free(&m);
    sn_error_free(error);
    free(bytes);
  }
  kit_check(k, "errors of the format", !missed, "%s: %s", r->extension,
            missed ? missed : "files with one error each are rejected");
  if (misplaced) {
    kit_report(k, "line of errors", KIT_FAILED, "%s: %s, by its message in line %d", r->extension,
               misplaced, said);
  } else {
    kit_report(k, "line of errors", KIT_PASSED, "%s: it is right, or not given", r->extension);
  }
}

// ------------------------------------------------------------------ memory

typedef struct repeated {
  kit *k;
  const reading *r;
  const uint8_t *bytes;
  int64_t n;
} repeated;

static void read_once(void *context) {
  const repeated *c = context;
  mesh_result m;
  sn_error *error = sn_error_new();
  mesh_result_init(&m, 0);
  read_bytes(c->k, c->r, c->bytes, c->n, &m, error);
  mesh_result_free(&m);
  sn_error_free(error);
}

// A whole file, and one that ends early.
static void test_memory(kit *k, const reading *r, const uint8_t *example, int64_t n) {
  repeated c = { k, r, example, n };
  const int64_t whole = kit_leak(read_once, &c);
  c.n = n * 2 / 3;
  const int64_t cut = kit_leak(read_once, &c);
  kit_check(k, "memory", whole == 0 && cut == 0,
            "%s: each call leaves %lld bytes allocated, each call that fails %lld", r->extension,
            (long long)whole, (long long)cut);
}

static void report_reading(kit *k, const reading *r) {
  kit_check(k, "any input", r->silent == 0,
            "%s: of %lld inputs %lld are errors, %lld without a message", r->extension,
            (long long)r->inputs, (long long)r->errors, (long long)r->silent);
  kit_check(k, "location of errors", r->without_file == 0,
            "%s: of %lld errors %lld do not name the file", r->extension, (long long)r->errors,
            (long long)r->without_file);
  kit_check(k, "same bits", r->unequal == 0, "%s: two calls with the same bytes%s", r->extension,
            r->unequal ? " differ" : "");
  kit_check(k, "inputs", r->changed == 0, "%s: the bytes of the file were %s", r->extension,
            r->changed ? "changed" : "not changed");
}

static void test_extension(kit *k, const char *extension, int images) {
  reading r = { .images = images, .extension = extension };
  int64_t n = 0;
  uint8_t *example = mesh_example(extension, &n);
  if (example) {
    test_example(k, &r, example, n);
    test_sink(k, &r, example, n);
    test_memory(k, &r, example, n);
    try_truncated(k, &r, example, n);
    try_changed(k, &r, example, n);
  }
  if (strcmp(extension, "stl") == 0) {
    test_forms(k, &r);
    test_errors(k, &r);
  }
  try_random(k, &r);
  report_reading(k, &r);
  free(example);
}

static void test_list(kit *k, const char *list, int images) {
  char extension[16];
  for (const char *at = list; *at;) {
    const size_t n = strcspn(at, "|");
    snprintf(extension, sizeof extension, "%.*s", (int)n, at);
    test_extension(k, extension, images);
    at += n + (at[n] == '|');
  }
}

void kit_mesh(kit *k) {
  const sn_mesh_ops *ops = k->provider->ops;
  const int reads = ops->extensions && *ops->extensions, images = ops->images && *ops->images;
  if ((reads && !ops->decode) || (images && !ops->image)) {
    kit_report(k, "operations", KIT_FAILED, "it lists extensions, but has no operation '%s'",
               reads && !ops->decode ? "decode" : "image");
    return;
  }
  if (!reads && !images && !ops->hull && !ops->decompose) {
    kit_report(k, "operations", KIT_FAILED, "it has none of decode, image, hull and decompose");
    return;
  }
  test_list(k, reads ? ops->extensions : "", 0);
  test_list(k, images ? ops->images : "", 1);
  if (ops->hull) {
    kit_hull(k);
  }
  if (ops->decompose) {
    kit_decompose(k);
  }
}
