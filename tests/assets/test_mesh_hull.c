// SPDX-License-Identifier: Apache-2.0
//
// Convex hulls of meshes against their definition: every point is behind every face, and climbing
// the graph finds the farthest vertex. Where a hull cannot be, and where none is needed.

#include "assets/meshes.h"
#include "suite.h"

static const sn_mesh_ops *provider(const char *name, const void **self) {
  const si_provider *p = si_engine_find(engine, SN_KIND_MESH, name, error);
  ck_assert_msg(p != NULL, "%s", sn_error_text(error));
  *self = p->self;
  return p->ops;
}

static sn_status hull_of(int64_t limit, si_mesh_result *out) {
  const void *self;
  const sn_mesh_ops *ops = provider("qhull", &self);
  si_mesh_result_init(out);
  return ops->hull(self, nvert, vert, limit, &out->sink, sn_engine_host(engine), error);
}

// Every point is behind every face, and every edge has two faces.
static void is_hull(const si_mesh_result *hull) {
  for (int64_t f = 0; f < hull->nface; f++) {
    const double *p[3];
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
      p[k] = vert + 3 * (int64_t)hull->face[3 * f + k];
    }
    sn_sub3(u, p[1], p[0]);
    sn_sub3(v, p[2], p[0]);
    sn_cross(n, u, v);
    sn_normalize3(n);
    for (int64_t i = 0; i < nvert; i++) {
      sn_sub3(u, vert + 3 * i, p[0]);
      ck_assert_double_le(sn_dot3(u, n), 1e-12);
    }
  }
  // Euler: n - 3/2 f + f = 2
  ck_assert_int_eq(2 * hull->graph[0], hull->nface + 4);
}

// Neighbors by the graph are those by the faces.
static void is_graph_of(const si_mesh_result *hull) {
  int64_t n = hull->graph[0], f = hull->graph[1];
  const int32_t *start = hull->graph + 2, *vertex = start + n, *edge = vertex + n;
  ck_assert_int_eq(hull->ngraph, 2 + 3 * n + 6 * f);
  ck_assert_int_eq(f, hull->nface);
  ck_assert_int_eq(memcmp(edge + n + 3 * f, hull->face, (size_t)(3 * f) * sizeof *edge), 0);
  for (int64_t k = 0; k < 3 * f; k++) {
    int32_t from = hull->face[k], to = hull->face[k / 3 * 3 + (k + 1) % 3];
    int64_t i = 0;
    while (i < n && vertex[i] != from) {
      i++;
    }
    ck_assert_int_lt(i, n);
    const int32_t *e = edge + start[i];
    while (*e >= 0 && vertex[*e] != to) {
      e++;
    }
    ck_assert_msg(*e >= 0, "%d is no neighbor of %d", to, from);
  }
}

static int64_t climb(const si_mesh_result *hull, const double *direction) {
  int64_t n = hull->graph[0], at = 0;
  const int32_t *start = hull->graph + 2, *vertex = start + n, *edge = vertex + n;
  for (int64_t last = -1; last != at;) {
    last = at;
    for (const int32_t *e = edge + start[last]; *e >= 0; e++) {
      if (sn_dot3(direction, vert + 3 * (int64_t)vertex[*e]) >
          sn_dot3(direction, vert + 3 * (int64_t)vertex[at])) {
        at = *e;
      }
    }
  }
  return vertex[at];
}

START_TEST(hull_of_points) {
  for (int n = 4; n < 2000; n = 2 * n + 1) {
    make_cloud(n);
    si_mesh_result hull, again;
    OK(hull_of(0, &hull));
    is_hull(&hull);
    is_graph_of(&hull);
    for (int round = 0; round < 50; round++) {
      double direction[3] = { uniform() - 0.5, uniform() - 0.5, uniform() - 0.5 }, top = -INFINITY;
      for (int64_t i = 0; i < nvert; i++) {
        top = fmax(top, sn_dot3(direction, vert + 3 * i));
      }
      NEAR(sn_dot3(direction, vert + 3 * climb(&hull, direction)), top, 1e-12);
    }
    // the same points, the same hull
    OK(hull_of(0, &again));
    ck_assert_int_eq(again.ngraph, hull.ngraph);
    ck_assert_int_eq(memcmp(again.graph, hull.graph, (size_t)hull.ngraph * sizeof(int32_t)), 0);
    si_mesh_result_free(&again);
    si_mesh_result_free(&hull);
  }
}
END_TEST

START_TEST(hull_with_a_limit) {
  nvert = 0;
  for (int i = 0; i < 500; i++) {
    double p[3] = { uniform() - 0.5, uniform() - 0.5, uniform() - 0.5 };
    sn_normalize3(p);
    point(p[0], p[1], p[2]);
  }
  for (int64_t limit = 4; limit < 200; limit += 28) {
    si_mesh_result hull;
    OK(hull_of(limit, &hull));
    ck_assert_int_eq(hull.graph[0], limit);
    is_graph_of(&hull);
    si_mesh_result_free(&hull);
  }
}
END_TEST

START_TEST(flat_points_have_no_hull) {
  sn_mesh_def mesh;
  const char *const words[] = { "at least 4", "plane", "plane", "plane" };
  for (int kind = 0; kind < 4; kind++) {
    make_cloud(kind == 0 ? 3 : 12);
    for (int64_t i = 0; i < nvert; i++) {
      double *p = vert + 3 * i;
      if (kind == 1) {   // a plane across an axis
        p[2] = 7;
      } else if (kind == 2) {   // a tilted plane
        p[2] = 0.3 * p[0] - 0.7 * p[1] + 0.1;
      } else if (kind == 3) {   // a line
        p[1] = 2 * p[0], p[2] = -p[0];
      }
    }
    mesh = mesh_def();
    rejected(&mesh, words[kind]);
  }
  si_mesh_result hull;
  make_cloud(9);
  vert[7] = NAN;
  ck_assert_int_lt(hull_of(0, &hull), 0);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "finite"));
}
END_TEST

START_TEST(graph_where_it_is_needed) {
  make_box(1, 1, 1, 0, 0, 0);
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  new_spec(0);
  compile(&mesh, &geom);
  ck_assert_int_eq(model->nmeshgraph, 2 + 3 * 8 + 6 * 12);
  ck_assert_int_eq(model->bound.mesh_view[0].ngraph, model->nmeshgraph);
  ck_assert_int_eq(model->bound.mesh_view[0].graph[0], 8);

  geom.contype = geom.conaffinity = 0;
  new_spec(0);
  compile(&mesh, &geom);
  ck_assert_int_eq(model->nmeshgraph, 0);
  ck_assert_int_eq(model->mesh_graphadr[0], -1);
  ck_assert_int_eq(model->bound.mesh_view[0].ngraph, 0);
  ck_assert_int_eq(model->bound.mesh_view[0].nvert, 8);
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(hull_of_points);
  TEST(hull_with_a_limit);
  TEST(flat_points_have_no_hull);
  TEST(graph_where_it_is_needed);
}
