// SPDX-License-Identifier: Apache-2.0
//
// Meshes of files that readers of MJCF do not know are saved as vertices and faces: the model comes
// back in an engine that lacks the plugin for the files. The plugin here reads a format of its own,
// "toy": a tetrahedron with normals and texture coordinates, or a fault.

#include "loading.h"
#include "sinew/mesh.h"
#include "suite.h"

// ------------------------------------------------------------------ a format for meshes

static const double corner[12] = { 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1 };
static const double normal[12] = { 0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
static const double texcoord[8] = { 0, 0, 1, 0, 0, 1, .25, .75 };
static const int32_t face[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };

static sn_status toy_decode(const void *self, const void *bytes, int64_t count, const char *name,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *err) {
  (void)self;
  if (count < 2 || memcmp(bytes, "t", 1) != 0) {
    return host->error(host, err, SN_EPARSE, name, 0, 0, "it is no tetrahedron");
  }
  sn_status status = sink->vertices(sink, 4, corner);
  status = status < 0 ? status : sink->normals(sink, 4, normal);
  status = status < 0 ? status : sink->texcoords(sink, 4, texcoord);
  return status < 0 ? status : sink->faces(sink, 4, face);
}

static const sn_mesh_ops toy = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "tetrahedra" },
  .extensions = "toy",
  .decode = toy_decode,
  .images = "",
};

static void setup(void) {
  open_engine("");
  ck_assert_msg(sn_engine_add(engine, SN_KIND_MESH, "toy", &toy, error) >= 0, "%s",
                sn_error_text(error));
}

// ------------------------------------------------------------------ there and back

#define MESH(name)                                                                               \
  "<mujoco><asset><mesh file='" name "' scale='2 1 1' refpos='.1 0 0' inertia='exact'/></asset>" \
  "<worldbody><body><freejoint/><geom type='mesh' mesh='t'/></body></worldbody></mujoco>"

static double number(const sn_view *view, int64_t i) {
  return view->type == SN_REAL  ? ((const double *)view->p)[i]
         : view->type == SN_INT ? ((const int32_t *)view->p)[i]
                                : ((const uint8_t *)view->p)[i];
}

static void same_arrays(const sn_model *a, const sn_model *b) {
  sn_view x = { .size = sizeof x }, y = { .size = sizeof y };
  for (int64_t k = 0; sn_model_field_at(a, k, &x); k++) {
    ck_assert(sn_model_field_at(b, k, &y));
    ck_assert_msg(x.rows == y.rows && x.cols == y.cols, "%s", x.name);
    for (int64_t i = 0; i < x.rows * x.cols; i++) {
      ck_assert_msg(number(&x, i) == number(&y, i), "%s[%lld]: %.17g instead of %.17g", x.name,
                    (long long)i, number(&y, i), number(&x, i));
    }
  }
}

START_TEST(mesh_of_another_format_is_written_as_triangles) {
  write_file("t.toy", "t\n");
  sn_spec *spec = spec_of(MESH("t.toy"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(snm_nmeshvert(m), 4);
  ck_assert_double_eq_tol(snm_body_mass(m)[1], 2000, 1e-3);   // 1000 kg/m^3, 6 x 2 x 1 / 6 m^3
  char path[512];
  snprintf(path, sizeof path, "%s/saved.xml", folder);
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));

  // the spec still has the file
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  ck_assert_int_ge(sn_spec_get_mesh(spec, 0, &mesh, error), 0);
  ck_assert_ptr_nonnull(mesh.bytes);
  ck_assert_int_eq(mesh.vert.n, 0);
  sn_spec_free(spec);

  sn_error *other_error = sn_error_new();
  sn_engine *other = sn_engine_open(SN_TEST_BUILD "/sinew.ini", other_error);
  sn_model *again = sn_load(other, path, other_error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(other_error));
  ck_assert_str_eq(sn_name(again, "mesh", 0), "t");
  same_arrays(m, again);
  sn_model_free(again);
  sn_engine_close(other);
  sn_error_free(other_error);
  sn_model_free(m);
}
END_TEST

// A text with a mesh, loaded and saved. To be freed.
static char *saved(const char *text) {
  char path[512];
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  snprintf(path, sizeof path, "%s/saved.xml", folder);
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  sn_spec_free(spec);
  return read_file(path);
}

static void write_stl(void) {
  unsigned char stl[84 + 4 * 50] = { 0 };
  char facets[1200] = "solid t\n";
  stl[80] = 4;
  for (int f = 0; f < 4; f++) {
    strcat(facets, "facet normal 0 0 0\nouter loop\n");
    for (int v = 0; v < 3; v++) {
      const double *p = corner + 3 * face[3 * f + v];
      const float single[3] = { (float)p[0], (float)p[1], (float)p[2] };
      memcpy(stl + 84 + 50 * f + 12 + 12 * v, single, 12);
      sprintf(facets + strlen(facets), "vertex %g %g %g\n", p[0], p[1], p[2]);
    }
    strcat(facets, "endloop\nendfacet\n");
  }
  strcat(facets, "endsolid t\n");
  make_file("t.stl", stl, sizeof stl);
  write_file("u.stl", facets);
}

// Other readers take STL in binary only.
START_TEST(mesh_of_the_format_stays_a_file) {
  static const struct {
    const char *text, *file;
    int stays;
  } rows[] = { { MESH("t.OBJ"), "t.OBJ", 1 },
               { MESH("t.stl"), "t.stl", 1 },
               { "<mujoco><asset><mesh file='u.stl'/></asset></mujoco>", "u.stl", 0 } };
  write_file("t.OBJ", "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write_stl();
  for (int i = 0; i < 3; i++) {
    char *text = saved(rows[i].text);
    ck_assert_msg((strstr(text, rows[i].file) != NULL) == rows[i].stays, "%s", text);
    ck_assert_msg((strstr(text, "vertex=") == NULL) == rows[i].stays, "%s", text);
    free(text);
  }
}
END_TEST

// ------------------------------------------------------------------ mistakes

START_TEST(file_that_cannot_be_read_is_an_error_of_saving) {
  write_file("t.toy", "?\n");
  sn_spec *spec = spec_of(MESH("t.toy"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  char path[512];
  snprintf(path, sizeof path, "%s/saved.xml", folder);
  ck_assert_int_eq(sn_spec_save(spec, "mjcf", path, error), SN_EPARSE);
  ck_assert_msg(strstr(sn_error_text(error), "mesh 't'") != NULL &&
                    strstr(sn_error_text(error), "it is no tetrahedron") != NULL,
                "%s", sn_error_text(error));
  ck_assert_int_ne(access(path, F_OK), 0);
  sn_spec_free(spec);
}
END_TEST

START_TEST(mesh_without_a_file_has_nothing_to_decode) {
  sn_spec *spec = sn_spec_new(engine, error);
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  mesh.name = "t";
  mesh.vert = (sn_reals){ corner, 12 };
  ck_assert_int_ge(sn_spec_add_mesh(spec, &mesh, NULL, NULL, error), 0);
  const sn_builder *b = sn_spec_builder(spec);
  ck_assert_int_eq(b->decode_mesh(spec, 0, &mesh, error), SN_EINVAL);
  ck_assert_msg(strstr(sn_error_message(error), "no file") != NULL, "%s", sn_error_message(error));
  sn_spec_free(spec);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(mesh_of_another_format_is_written_as_triangles);
  TEST(mesh_of_the_format_stays_a_file);
  TEST(file_that_cannot_be_read_is_an_error_of_saving);
  TEST(mesh_without_a_file_has_nothing_to_decode);
}
