// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of mesh plugins with one fault each: those of Sinew, with
// something wrong in what they write. Without it they pass, and so do all others.

#include "conformance.h"
#include "conformance/mesh/mesh_result.h"
#include "default_engine.h"
#include "sanitized.h"

enum {
  REVERSED = NKINDFAULTS,   // one triangle
  INSIDE_OUT,
  LOSES_A_TRIANGLE,
  POINT_OUTSIDE,
  WRONG_GRAPH,
  NO_LIMIT,
  FLAT_HULL,
  NO_REASON,
  NO_FILE,
  MOVES_POINTS,
  SCALES,
  IGNORES_SINK,
  UPSIDE_DOWN,
  ONE_CONCAVE_PIECE,
  LOSES_A_PIECE,
  PIECE_TWICE,
  TEXT_ONLY,         // reads no binary files
  TAKES_ANYTHING,    // that is wrong in a file
  WRONG_LINE,
  LOSES_MEMORY,
};

static const sn_mesh_ops *real;   // those of Sinew
static sn_mesh_ops toy;

// ------------------------------------------------------------------ what is wrong

static void reverse(int32_t *face, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    const int32_t a = face[3 * i];
    face[3 * i] = face[3 * i + 1];
    face[3 * i + 1] = a;
  }
}

// The triangles of the vertex graph are those of the faces.
static void spoil(mesh_result *m) {
  static int calls;
  int32_t *copy = m->ngraph > 0 ? m->graph + m->ngraph - 3 * m->nface : NULL;
  if (m->nface == 0) {
    return;
  }
  switch (fault) {
    case REVERSED: reverse(m->face, 1); break;
    case INSIDE_OUT: reverse(m->face, m->nface); break;
    case LOSES_A_TRIANGLE: m->nface--; break;
    case WRONG_GRAPH: m->graph[2 + 2 * m->graph[0]] = m->graph[3 + 2 * m->graph[0]]; break;
    case SCALES: m->vert[3] *= 1.01; break;
    case LOSES_A_PIECE:
      if (m->npiece > 1) {
        m->npiece--;
        m->nvert = m->first_vert[m->npiece];
        m->nface = m->first_face[m->npiece];
      }
      break;
    case FORGETS_NOTHING:
      if (++calls % 2) {   // starts with another corner
        const int32_t first[3] = { m->face[1], m->face[2], m->face[0] };
        memcpy(m->face, first, sizeof first);
        if (copy) {
          memcpy(copy, first, sizeof first);
        }
      }
      break;
    default: break;
  }
}

static sn_status pass_piece(const mesh_result *m, int64_t i, sn_mesh_sink *sink) {
  const int last = i + 1 == m->npiece;
  const int64_t vert = m->first_vert[i], face = m->first_face[i];
  SN_TRY(sink->piece(sink));
  SN_TRY(sink->vertices(sink, (last ? m->nvert : m->first_vert[i + 1]) - vert, m->vert + 3 * vert));
  return sink->faces(sink, (last ? m->nface : m->first_face[i + 1]) - face, m->face + 3 * face);
}

static sn_status pass_on(const mesh_result *m, sn_mesh_sink *sink) {
  for (int64_t i = 0; i < m->npiece; i++) {
    SN_TRY(pass_piece(m, i, sink));
  }
  if (m->npiece > 0) {
    return fault == PIECE_TWICE ? pass_piece(m, 0, sink) : SN_OK;
  }
  SN_TRY(m->nvert > 0 ? sink->vertices(sink, m->nvert, m->vert) : SN_OK);
  SN_TRY(sink->faces(sink, m->nface, m->face));
  return m->ngraph > 0 ? sink->graph(sink, m->ngraph, m->graph) : SN_OK;
}

// What the operation wrote, with something wrong in it.
static sn_status finish(sn_status status, mesh_result *m, sn_mesh_sink *sink, const sn_host *host,
                        sn_error *own, sn_error *e) {
  if (status >= 0) {
    spoil(m);
    status = pass_on(m, sink);
    status = fault == IGNORES_SINK ? SN_OK : status;
  } else if (fault == FLAT_HULL) {
    status = SN_OK;
  } else if (fault != NO_REASON) {
    host->error(host, e, status, fault == NO_FILE ? NULL : sn_error_file(own),
                fault == WRONG_LINE ? 1 : sn_error_line(own), 0, sn_error_message(own));
  }
  mesh_result_free(m);
  sn_error_free(own);
  return status;
}

// ------------------------------------------------------------------ operations

static sn_status toy_hull(const void *self, int64_t nvert, const double *vert, int64_t limit,
                          sn_mesh_sink *sink, const sn_host *host, sn_error *e) {
  mesh_result m;
  sn_error *own = sn_error_new();
  mesh_result_init(&m, 0);
  limit = fault == NO_LIMIT ? 0 : fault == POINT_OUTSIDE && limit == 0 ? 6 : limit;
  sn_status status = real->hull(self, nvert, vert, limit, &m.sink, host, own);
  if (fault == MOVES_POINTS && status >= 0) {
    ((double *)(uintptr_t)vert)[0] = vert[0] * 0.999999;
  } else if (fault == FAILS && nvert > 100) {
    status = host->error(host, own, SN_EINVAL, NULL, 0, 0, "too many points");
  }
  return finish(status, &m, sink, host, own, e);
}

static void *lost[1 << 14];   // memory that no one frees
static int nlost;

static sn_status toy_decode(const void *self, const void *bytes, int64_t count, const char *name,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *e) {
  mesh_result m;
  sn_error *own = sn_error_new();
  mesh_result_init(&m, 0);
  sn_status status = real->decode(self, bytes, count, name, &m.sink, host, own);
  if (fault == MOVES_POINTS && count > 0) {
    ((uint8_t *)(uintptr_t)bytes)[count - 1] ^= 1;
  } else if ((fault == FAILS && status >= 0) ||
             (fault == TEXT_ONLY && count > 80 && memchr(bytes, 0, (size_t)count))) {
    status = host->error(host, own, SN_EPARSE, name, 0, 0, "it is a mesh");
  } else if (fault == TAKES_ANYTHING && status < 0) {
    status = SN_OK;
  } else if (fault == LOSES_MEMORY) {
    lost[nlost++ % (1 << 14)] = host->alloc(host, 40);
  }
  return finish(status, &m, sink, host, own, e);
}

static sn_status toy_image(const void *self, const void *bytes, int64_t count, const char *name,
                           int64_t channels, sn_mesh_sink *sink, const sn_host *host, sn_error *e) {
  mesh_result m;
  uint8_t turned[64];
  mesh_result_init(&m, 0);
  const sn_status status = real->image(self, bytes, count, name, channels, &m.sink, host, e);
  const int64_t row = m.width * m.channels;
  if (status < 0 || row * m.height > (int64_t)sizeof turned) {
    return status < 0 ? status : sink->pixels(sink, 1, 1, 1, m.pixels);
  }
  for (int64_t y = 0; y < m.height; y++) {
    const int64_t from = fault == UPSIDE_DOWN ? m.height - 1 - y : y;
    memcpy(turned + y * row, m.pixels + from * row, (size_t)row);
  }
  return sink->pixels(sink, m.width, m.height, m.channels, turned);
}

static sn_status toy_decompose(const void *self, int64_t nvert, const double *vert, int64_t nface,
                               const int32_t *face, int64_t limit, sn_mesh_sink *sink,
                               const sn_host *host, sn_error *e) {
  mesh_result m;
  if (fault == ONE_CONCAVE_PIECE) {
    SN_TRY(sink->piece(sink));
    SN_TRY(sink->vertices(sink, nvert, vert));
    return sink->faces(sink, nface, face);
  }
  sn_error *own = sn_error_new();
  mesh_result_init(&m, 0);
  const sn_status status = real->decompose(self, nvert, vert, nface, face,
                                           fault == NO_LIMIT ? 0 : limit, &m.sink, host, own);
  return finish(status, &m, sink, host, own, e);
}

// ------------------------------------------------------------------ what is found

typedef struct planted_mesh {
  const char *provider;   // the one of Sinew that is spoiled
  planted p;
} planted_mesh;

#define TOY(name, ...)                \
  {                                   \
    name, {                           \
      SN_KIND_MESH, &toy, __VA_ARGS__ \
    }                                 \
  }
static const planted_mesh faults[] = {
  TOY("qhull", NO_FAULT, NULL, NULL, NULL),
  TOY("qhull", FAILS, "hulls", "points on a sphere: too many points", NULL),
  TOY("qhull", FORGETS_NOTHING, "same bits", "", NULL),
  TOY("qhull", REVERSED, "surface", "not closed", NULL),
  TOY("qhull", INSIDE_OUT, "surface", "not outward", NULL),
  TOY("qhull", LOSES_A_TRIANGLE, "surface", "not closed", NULL),
  TOY("qhull", POINT_OUTSIDE, "surface", "a point is outside", NULL),
  TOY("qhull", WRONG_GRAPH, "vertex graph", "", NULL),
  TOY("qhull", NO_LIMIT, "limit", "of which 4 are allowed", NULL),
  TOY("qhull", FLAT_HULL, "degenerate", "it succeeded", NULL),
  TOY("qhull", NO_REASON, "degenerate", "without a message", NULL),
  TOY("qhull", MOVES_POINTS, "inputs", "", "|surface|vertex graph|"),
  TOY("stl", NO_FAULT, NULL, NULL, NULL),
  TOY("stl", FAILS, "example", "it is a mesh", "|forms of the format|"),
  TOY("stl", FORGETS_NOTHING, "same bits", "", NULL),
  TOY("stl", INSIDE_OUT, "example", "not counter-clockwise", "|forms of the format|"),
  TOY("stl", LOSES_A_TRIANGLE, "example", "not 4 triangles", "|forms of the format|"),
  TOY("stl", SCALES, "example", "a coordinate is wrong", "|forms of the format|"),
  TOY("stl", IGNORES_SINK, "sink", "call 1 of the sink failed", NULL),
  TOY("stl", NO_REASON, "any input", "without a message", "|location of errors|"),
  TOY("stl", NO_FILE, "location of errors", "do not name the file", NULL),
  TOY("stl", MOVES_POINTS, "inputs", "", "|same bits|"),
  TOY("stl", TEXT_ONLY, "forms of the format", "stl: binary: it is a mesh", NULL),
  TOY("stl", TAKES_ANYTHING, "errors of the format", "stl: a binary file", NULL),
  TOY("stl", WRONG_LINE, "line of errors", "by its message in line 1", NULL),
#ifndef SANITIZED
  TOY("stl", LOSES_MEMORY, "memory", "stl: each call leaves", NULL),
#endif
  TOY("png", NO_FAULT, NULL, NULL, NULL),
  TOY("png", UPSIDE_DOWN, "example", "another color", NULL),
  TOY("decompose", NO_FAULT, NULL, NULL, NULL),
  TOY("decompose", FORGETS_NOTHING, "same bits", "", NULL),
  TOY("decompose", INSIDE_OUT, "pieces", "not outward", NULL),
  TOY("decompose", ONE_CONCAVE_PIECE, "pieces", "not convex", NULL),
  TOY("decompose", LOSES_A_PIECE, "pieces", "in no piece", NULL),
  TOY("decompose", PIECE_TWICE, "pieces", "more than one piece", NULL),
  TOY("decompose", NO_LIMIT, "pieces", "more pieces than allowed", NULL),
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

// The toy calls this plugin of the engine.
static void use(const char *name) {
  sn_provider_info provider = { .size = sizeof provider };
  for (int64_t i = 0; sn_engine_provider(engine, i, &provider); i++) {
    if (strcmp(provider.kind, SN_KIND_MESH) == 0 && strcmp(provider.name, name) == 0) {
      real = provider.ops;
      toy = *real;
      toy.hull = real->hull ? toy_hull : NULL;
      toy.decode = real->decode ? toy_decode : NULL;
      toy.image = real->image ? toy_image : NULL;
      toy.decompose = real->decompose ? toy_decompose : NULL;
    }
  }
}

START_TEST(kit_finds_the_fault) {
  open_engine();
  use(faults[_i].provider);
  fault = faults[_i].p.fault;
  expect_finding(&faults[_i].p);
  close_engine();
}
END_TEST

START_TEST(mesh_plugins_of_sinew_pass) {
  open_engine();
  ck_assert_int_ge(expect_all_pass(engine, SN_KIND_MESH), 6);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  use("qhull");
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_MESH, &faults[0].p, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(mesh_plugins_of_sinew_pass);
  TEST(each_requirement_has_a_fault);
}
