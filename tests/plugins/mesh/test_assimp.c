// SPDX-License-Identifier: Apache-2.0
//
// Meshes through the library assimp: a tetrahedron as PLY and as Collada, in centimetres, moved by
// a node and with an upward axis that must not turn it. Where the plugin was not built there is
// nothing to test.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/model.h"
#include "model_file.h"
#include "sanitized.h"
#include "sinew/sinew.h"
#include "sinew/spec.h"
#include "suite.h"

#define PLUGIN SN_TEST_BUILD "/plugins/assimp.so"
#define COLLADA model_file("plugins/mesh/collada")

static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                          "property float y\nproperty float z\nelement face 4\n"
                          "property list uchar int vertex_indices\nend_header\n"
                          "0 0 0\n3 0 0\n0 2 0\n0 0 1\n"
                          "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

static sn_error *error;
static sn_engine *engine;

static sn_model *compile(const char *file, const char *text, size_t count) {
  sn_spec *spec = sn_spec_new(engine, error);
  sn_compiler compiler = { .def_size = sizeof compiler };
  ck_assert_int_ge(sn_spec_get_compiler(spec, &compiler), 0);
  compiler.exactmeshinertia = 1;
  ck_assert_int_ge(sn_spec_set_compiler(spec, &compiler, error), 0);
  sn_mesh_def mesh;
  sn_geom_def geom;
  sn_body_def body;
  sn_default_body(&body);
  sn_default_mesh(&mesh);
  sn_default_geom(&geom);
  mesh.name = geom.mesh = "m";
  mesh.file = file;
  mesh.bytes = (const uint8_t *)text;
  mesh.nbytes = (int64_t)count;
  geom.type = SN_GEOM_MESH;
  geom.density = 1;
  ck_assert_int_ge(sn_spec_add_mesh(spec, &mesh, NULL, NULL, error), 0);
  ck_assert_int_ge(sn_spec_add_body(spec, &body, NULL, &geom.body, error), 0);
  ck_assert_int_ge(sn_spec_add_geom(spec, &geom, NULL, NULL, error), 0);
  sn_model *m = sn_compile(spec, error);
  sn_spec_free(spec);
  return m;
}

static void setup(void) {
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
}

static void teardown(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

START_TEST(tetrahedron_is_read) {
  const struct {
    const char *file, *text;
    double z;
  } files[] = { { "t.ply", ply, 0 }, { "t.dae", COLLADA, 5 } };
  sn_model *m = compile(files[_i].file, files[_i].text, strlen(files[_i].text));
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(m->nmeshface, 4);
  ck_assert_double_eq_tol(m->body_mass[1], 1, 1e-6);   // 3 x 2 x 1 / 6
  ck_assert_double_eq_tol(m->body_ipos[3], 0.75, 1e-6);
  ck_assert_double_eq_tol(m->body_ipos[4], 0.5, 1e-6);
  ck_assert_double_eq_tol(m->body_ipos[5], 0.25 + files[_i].z, 1e-6);
  sn_model_free(m);
}
END_TEST

START_TEST(files_of_nonsense_are_rejected) {
  static const char *const files[] = { "t.ply", "t.dae", "t.fbx" };
  ck_assert(!compile(files[_i], "nonsense", 8));
  ck_assert_msg(strstr(sn_error_text(error), files[_i]) != NULL, "%s", sn_error_text(error));
}
END_TEST

// A model is its file: what a file refers to is not read.
START_TEST(import_opens_no_other_file) {
  static const char gltf[] =
      "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"buffer.bin\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36}],\"accessors\":[{"
      "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
      "\"max\":[1,1,0]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
      "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0}";
  static const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  char folder[] = "assimp_XXXXXX";
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
  FILE *file = fopen("buffer.bin", "wb");
  ck_assert_uint_eq(fwrite(corners, 1, sizeof corners, file), sizeof corners);
  fclose(file);
  sn_model *m = compile("t.gltf", gltf, sizeof gltf - 1);
  ck_assert_int_eq(remove("buffer.bin"), 0);
  ck_assert_int_eq(chdir(".."), 0);
  ck_assert_int_eq(rmdir(folder), 0);
  ck_assert_msg(m == NULL, "the file beside it was read");
  ck_assert_msg(strstr(sn_error_text(error), "buffer.bin") != NULL, "%s", sn_error_text(error));
}
END_TEST

// Every import makes all the readers of assimp, a quarter of a second under sanitizers, which see
// none of them: there a third of the damages are left.
#ifdef SANITIZED
enum { STRIDE = 111 };
#else
enum { STRIDE = 37 };
#endif

// Cut anywhere, and with any byte changed: read or rejected.
START_TEST(damaged_files_are_read_or_rejected) {
  const char *const name = _i ? "t.dae" : "t.ply", *const text = _i ? COLLADA : ply;
  const size_t count = strlen(text);
  char *copy = malloc(count + 1);
  for (size_t i = 0; i < 2 * count; i += STRIDE) {
    memcpy(copy, text, count + 1);
    const size_t length = i < count ? i : count;
    if (i >= count) {
      copy[i - count] = (char)(copy[i - count] ^ (1 << i % 7));
    }
    sn_model *m = compile(name, copy, length);
    ck_assert(m || sn_error_message(error)[0] != '\0');
    sn_model_free(m);
  }
  free(copy);
}
END_TEST

TESTS() {
  NEEDS(access(PLUGIN, R_OK) == 0, "assimp.so was not built");
  FIXTURE(setup, teardown);
  EACH(tetrahedron_is_read, 0, 2);
  TEST(import_opens_no_other_file);
  EACH(damaged_files_are_read_or_rejected, 0, 2);
  EACH(files_of_nonsense_are_rejected, 0, 3);
}
