// SPDX-License-Identifier: Apache-2.0
//
// maxhullvert, the most vertices of the hull of a mesh: hulls keep to it, are made of points of the
// mesh, and so lie within the whole hull; classes inherit it; saving keeps it.

#include "random_state.h"
#include "spec/spec.h"
#include "suite.h"

enum { POINTS = 60, MOST_TEXT = 16384 };

// Points of a ball, of which most are corners of its hull. limit: attributes of mesh `limited`.
static const char *scene(const char *class_attributes, const char *limit) {
  static char text[MOST_TEXT];
  uint32_t seed = 7;
  char points[MOST_TEXT / 4] = "";
  for (int i = 0; i < POINTS; i++) {
    double p[3] = { uniform(&seed), uniform(&seed), uniform(&seed) };
    sn_normalize3(p);
    size_t n = strlen(points);
    snprintf(points + n, sizeof points - n, "%.6f %.6f %.6f  ", p[0], p[1], p[2]);
  }
  snprintf(text, sizeof text,
           "<mujoco><default>%s</default><asset><mesh name='whole' vertex='%s'/>"
           "<mesh name='limited' %s vertex='%s'/></asset><worldbody>"
           "<body><geom type='mesh' mesh='whole'/><geom type='mesh' mesh='limited'/></body>"
           "</worldbody></mujoco>",
           class_attributes, points, limit, points);
  return text;
}

static int32_t hull_size(const sn_model *m, int mesh) {
  return m->mesh_graph[m->mesh_graphadr[mesh]];
}

// The height of a hull in a direction of the frame of the points.
static double height(const sn_model *m, int mesh, const double *direction) {
  const int32_t *graph = m->mesh_graph + m->mesh_graphadr[mesh], n = graph[0];
  const double *vert = m->mesh_vert + 3 * (int64_t)m->mesh_vertadr[mesh];
  double local[3], top = -INFINITY, R[9];
  sn_quat_mat(R, m->geom_quat + 4 * mesh);
  sn_mul_matT_vec3(local, R, direction);
  for (int32_t i = 0; i < n; i++) {
    top = fmax(top, sn_dot3(local, vert + 3 * (int64_t)graph[2 + n + i]));
  }
  return top + sn_dot3(direction, m->geom_pos + 3 * mesh);
}

START_TEST(hulls_keep_to_the_limit) {
  open_engine();
  static const int limits[] = { 4, 5, 12, 30 };
  for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
    char limit[32];
    snprintf(limit, sizeof limit, "maxhullvert='%d'", limits[k]);
    sn_model *m = model_of(scene("", limit));
    ck_assert_int_gt(hull_size(m, 0), 50);
    ck_assert_int_le(hull_size(m, 1), limits[k]);
    ck_assert_int_ge(hull_size(m, 1), 4);
    double worst = 0;
    uint32_t seed = 3;
    for (int i = 0; i < 500; i++) {
      double u[3] = { uniform(&seed), uniform(&seed), uniform(&seed) };
      sn_normalize3(u);
      double more = height(m, 0, u) - height(m, 1, u);
      ck_assert_msg(more > -1e-7, "the hull of few is %g outside of that of all", -more);
      worst = fmax(worst, more);
    }
    ck_assert_double_gt(worst, 1e-3);
    sn_model_free(m);
  }
  close_engine();
}
END_TEST

START_TEST(hulls_are_whole_without_a_limit) {
  open_engine();
  sn_model *m = model_of(scene("", "maxhullvert='-1'"));
  ck_assert_int_eq(hull_size(m, 0), hull_size(m, 1));
  sn_model_free(m);
  close_engine();
}
END_TEST

START_TEST(classes_hand_it_on) {
  open_engine();
  sn_model *m = model_of(scene("<mesh maxhullvert='9'/>", "maxhullvert='-1'"));
  ck_assert_int_le(hull_size(m, 0), 9);
  ck_assert_int_gt(hull_size(m, 1), 50);
  sn_model_free(m);
  close_engine();
}
END_TEST

START_TEST(hull_has_four_corners_at_least) {
  open_engine();
  static const char *const bad[] = { "maxhullvert='3'", "maxhullvert='-2'" };
  for (size_t i = 0; i < 2; i++) {
    const char *xml = scene("", bad[i]);
    char name[16];
    snprintf(name, sizeof name, "bad%d.xml", (int)i);
    ck_assert_int_ge(sn_engine_add_resource(engine, name, xml, (int64_t)strlen(xml), error), 0);
    ck_assert_ptr_null(sn_load(engine, name, error));
    ck_assert_msg(strstr(sn_error_text(error), "must be at least 4") != NULL, "%s",
                  sn_error_text(error));
    ck_assert_int_eq(sn_error_line(error), 1);
  }
  close_engine();
}
END_TEST

START_TEST(limit_is_saved) {
  open_engine();
  const char *xml = scene("", "maxhullvert='12'"), *path = SN_TEST_BUILD "/hull_limit.xml";
  ck_assert_int_ge(sn_engine_add_resource(engine, "h.xml", xml, (int64_t)strlen(xml), error), 0);
  sn_spec *spec = sn_spec_load(engine, "h.xml", error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  sn_model *m = sn_compile(spec, error), *again = sn_load(engine, path, error);
  ck_assert_msg(m && again, "%s", sn_error_text(error));
  ck_assert_int_le(hull_size(again, 1), 12);
  ck_assert_int_eq(hull_size(m, 0), hull_size(again, 0));
  ck_assert_int_eq(hull_size(m, 1), hull_size(again, 1));
  sn_model_free(again);
  sn_model_free(m);
  sn_spec_free(spec);
  remove(path);
  close_engine();
}
END_TEST

TESTS() {
  TEST(hulls_keep_to_the_limit);
  TEST(hulls_are_whole_without_a_limit);
  TEST(classes_hand_it_on);
  TEST(hull_has_four_corners_at_least);
  TEST(limit_is_saved);
}
