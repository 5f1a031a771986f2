// SPDX-License-Identifier: Apache-2.0
//
// A plugin that passes nonsense to the sink of a mesh, and ignores that the sink rejects it, fails
// and is named. So is one whose vertex graph of the hull would be read out of its bounds.

#include "default_engine.h"
#include "sinew/mesh.h"
#include "suite.h"

static sn_mesh_sink *sink;

static const double corners[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
static const int32_t faces[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };

static void well(void) {}

static void too_many(void) {
  sink->vertices(sink, INT64_MAX, corners);
}

static void beyond_the_limit(void) {
  sink->vertices(sink, INT32_MAX / 3 - 4, NULL);
}

static void negative(void) {
  sink->faces(sink, -5, faces);
}

static void graph(void) {
  sink->graph(sink, 12, faces);
}

static void piece(void) {
  sink->piece(sink);
}

static void pixels(void) {
  sink->pixels(sink, 1 << 20, 1 << 20, 3, NULL);
}

static const struct {
  void (*act)(void);
  const char *says;   // NULL: the mesh is read
} acts[] = {
  { well, NULL },
  { too_many, "'toy' (sinew.mesh/1): more than 715827882 vertices" },
  { beyond_the_limit, "vertices: 16.0 GiB of memory are needed, more than limits.memory" },
  { negative, "'toy' (sinew.mesh/1): it passed -5 triangles" },
  { graph, "the plugin 'toy' returned an invalid vertex graph for 'tetrahedron.toy'" },
  { piece, "the plugin 'toy' returned convex pieces for 'tetrahedron.toy'" },
  { pixels, "an image of 1048576 x 1048576 pixels with 3 channels" },
};
enum { NACTS = sizeof acts / sizeof acts[0] };

enum { NGRAPH = 2 + 3 * 4 + 6 * 4, START = 2, VERTEX = START + 4, EDGE = VERTEX + 4, FACE = 26 };
static const int32_t tetrahedron[NGRAPH] = { 4, 4,  0, 4, 8,  12, 0, 1,  2, 3, 1, 2, 3,
                                             -1, 0, 2, 3, -1, 0,  1, 3,  -1, 0, 1, 2, -1,
                                             0, 2,  1, 0, 1,  3,  0, 3,  2, 1, 2, 3 };

// The graph with one number replaced, and its length.
static const struct {
  int at, value, n, is_valid;
} graphs[] = {
  { 0, 4, NGRAPH, 1 },          { FACE, 3, NGRAPH, 1 },
  { 0, 4, NGRAPH - 1, 0 },      { 0, 4, 1, 0 },
  { 0, 5, NGRAPH, 0 },          { 1, -4, NGRAPH, 0 },
  { START + 1, 16, NGRAPH, 0 }, { START + 3, -1, NGRAPH, 0 },
  { VERTEX, 4, NGRAPH, 0 },     { VERTEX + 2, -1, NGRAPH, 0 },
  { EDGE, 4, NGRAPH, 0 },       { EDGE + 1, -2, NGRAPH, 0 },
  { FACE - 1, 0, NGRAPH, 0 },   // the last list has no end
  { FACE, 4, NGRAPH, 0 },       { NGRAPH - 1, -1, NGRAPH, 0 },
};
enum { NGRAPHS = sizeof graphs / sizeof graphs[0] };

static int act, graph_row;

static void given_graph(void) {
  int32_t changed[NGRAPH];
  memcpy(changed, tetrahedron, sizeof changed);
  changed[graphs[graph_row].at] = graphs[graph_row].value;
  sink->graph(sink, graphs[graph_row].n, changed);
}

static sn_status decode(const void *self, const void *bytes, int64_t count, const char *name,
                        sn_mesh_sink *to, const sn_host *host, sn_error *e) {
  (void)self, (void)bytes, (void)count, (void)name, (void)host, (void)e;
  sink = to;
  SN_TRY(sink->vertices(sink, 4, corners));
  SN_TRY(sink->faces(sink, 4, faces));
  if (graph_row >= 0) {
    given_graph();
  } else {
    acts[act].act();
  }
  return SN_OK;
}

static const sn_mesh_ops toy = {
  .head = { .size = sizeof toy, .summary = "a toy" },
  .extensions = "toy",
  .decode = decode,
  .images = "",
};

static const char model_text[] =
    "<mujoco><asset><mesh name='m' file='tetrahedron.toy'/></asset><worldbody>"
    "<geom type='mesh' mesh='m'/></worldbody></mujoco>";

static void read_mesh(const char *says) {
  open_engine();
  ck_assert(sn_engine_add(engine, SN_KIND_MESH, "toy", &toy, error) >= 0);
  ck_assert(sn_engine_set(engine, "limits.memory", "1G", error) >= 0);
  ck_assert(sn_engine_add_resource(engine, "tetrahedron.toy", "toy", 3, error) >= 0);
  ck_assert(sn_engine_add_resource(engine, "m.xml", model_text, sizeof model_text - 1, error) >= 0);
  sn_model *m = sn_load(engine, "m.xml", error);
  ck_assert_msg((m != NULL) == (says == NULL), "%s", sn_error_text(error));
  ck_assert_msg(m || strstr(sn_error_text(error), says), "%s", sn_error_text(error));
  sn_model_free(m);
  close_engine();
}

START_TEST(ignored_failure_is_reported) {
  act = _i;
  graph_row = -1;
  read_mesh(acts[_i].says);
}
END_TEST

START_TEST(graph_is_checked) {
  graph_row = _i;
  read_mesh(graphs[_i].is_valid ? NULL
                                : "the plugin 'toy' returned an invalid vertex graph for "
                                  "'tetrahedron.toy'");
}
END_TEST

TESTS() {
  EACH(graph_is_checked, 0, NGRAPHS);
  EACH(ignored_failure_is_reported, 0, NACTS);
}
