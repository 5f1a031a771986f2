// SPDX-License-Identifier: Apache-2.0
//
// Files of meshes: every format gives the same mesh; cut short or spoiled they give a model or an
// error; errors say where.

#include <stdio.h>

#include "assets/meshes.h"
#include "suite.h"

static void put_text(const char *text) {
  put(text, (int64_t)strlen(text));
}

static void write_binary_stl(void) {
  nbytes = 0;
  for (int i = 0; i < 20; i++) {
    put_text("soli");   // a header that looks like a text
  }
  put_int(nface);
  for (int64_t f = 0; f < nface; f++) {
    for (int k = 0; k < 3; k++) {
      put_float(0);
    }
    for (int k = 0; k < 9; k++) {
      put_float(vert[3 * face[3 * f + k / 3] + k % 3]);
    }
    put("\0", 2);
  }
}

static void write_text_stl(void) {
  char line[256];
  nbytes = 0;
  put_text("solid a name\n");
  for (int64_t f = 0; f < nface; f++) {
    put_text("  facet normal 0 0 1\n    outer loop\n");
    for (int k = 0; k < 3; k++) {
      const double *p = vert + 3 * (int64_t)face[3 * f + k];
      snprintf(line, sizeof line, "      VERTEX %.9g %.9g %.9g\r\n", p[0], p[1], p[2]);
      put_text(line);
    }
    put_text("    endloop\n  endfacet\n");
  }
  put_text("endsolid a name\n");
}

static void write_obj(void) {
  char line[256];
  nbytes = 0;
  put_text("# a comment\nmtllib nothing.mtl\no thing\n");
  for (int64_t i = 0; i < nvert; i++) {
    snprintf(line, sizeof line, "v %.17g %.17g %.17g\nvt 0.25 0.75\n", vert[3 * i], vert[3 * i + 1],
             vert[3 * i + 2]);
    put_text(line);
  }
  for (int64_t f = 0; f < nface; f++) {
    snprintf(line, sizeof line, "f %d/%d %d/1 %d/2\n", face[3 * f] + 1, face[3 * f] + 1,
             face[3 * f + 1] + 1, face[3 * f + 2] + 1);
    put_text(line);
  }
}

static void write_msh(void) {
  nbytes = 0;
  put_int(nvert), put_int(0), put_int(nvert), put_int(nface);
  for (int64_t i = 0; i < 3 * nvert; i++) {
    put_float(vert[i]);
  }
  for (int64_t i = 0; i < nvert; i++) {
    put_float(0.25), put_float(0.5);
  }
  for (int64_t i = 0; i < 3 * nface; i++) {
    put_int(face[i]);
  }
}

static const struct {
  const char *file;
  void (*write)(void);
} formats[] = { { "a.stl", write_binary_stl },
                { "a.STL", write_text_stl },
                { "b.obj", write_obj },
                { "c.d.msh", write_msh } };
enum { NFORMATS = sizeof formats / sizeof *formats };

static sn_mesh_def file_def(int format) {
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  mesh.name = "m";
  mesh.file = formats[format].file;
  mesh.bytes = bytes;
  mesh.nbytes = nbytes;
  return mesh;
}

START_TEST(formats_agree) {
  make_torus(1, 0.5, 12, 12);
  for (int64_t i = 0; i < 3 * nvert; i++) {
    vert[i] = (double)(float)vert[i];
  }
  formats[_i].write();
  sn_mesh_def mesh = file_def(_i);
  sn_geom_def geom = geom_def();
  new_spec(1);
  compile(&mesh, &geom);
  double mass = model->body_mass[1], I = model->body_inertia[3];
  int64_t n = model->nmeshvert;
  ck_assert_int_eq(model->nmeshface, nface);
  ck_assert_int_eq(n, strstr(mesh.file, "obj") ? 3 * nface : nvert);
  ck_assert_int_eq(model->nmeshtexvert, strstr(mesh.file, ".s") || _i == 1 ? 0 : n);

  mesh = mesh_def();
  new_spec(1);
  compile(&mesh, &geom);
  NEAR(model->body_mass[1], mass, 1e-6 * mass);
  NEAR(model->body_inertia[3], I, 1e-6 * I);
}
END_TEST

// Any bytes give a model or an error; sanitizers watch.
START_TEST(cut_short) {
  make_box(1, 2, 3, 0, 0, 0);
  formats[_i].write();
  int64_t whole = nbytes;
  const int64_t least = _i == 0 || _i == 3 ? whole : 1;   // a shorter binary file is never right
  for (nbytes = 0; nbytes < whole; nbytes++) {
    sn_mesh_def mesh = file_def(_i);
    sn_geom_def geom = geom_def();
    new_spec(0);
    if (try_mesh(&mesh, &geom)) {
      ck_assert_int_ge(nbytes, least);
    } else {
      ck_assert_str_ne(sn_error_message(error), "");
    }
  }
}
END_TEST

START_TEST(spoiled) {
  make_box(1, 2, 3, 0, 0, 0);
  static uint8_t right[sizeof bytes];
  formats[_i].write();
  memcpy(right, bytes, (size_t)nbytes);
  for (int round = 0; round < 1500; round++) {
    memcpy(bytes, right, (size_t)nbytes);
    for (int k = 0; k < 1 + round % 5; k++) {
      bytes[(int64_t)(uniform() * (double)nbytes)] = (uint8_t)(uniform() * 256);
    }
    sn_mesh_def mesh = file_def(_i);
    sn_geom_def geom = geom_def();
    new_spec(round % 2);
    if (!try_mesh(&mesh, &geom)) {
      ck_assert_str_ne(sn_error_message(error), "");
    }
  }
}
END_TEST

static void rejected_text(const char *file, const char *text, const char *word) {
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  mesh.name = "m";
  mesh.file = file;
  mesh.bytes = (const uint8_t *)text;
  mesh.nbytes = (int64_t)strlen(text);
  rejected(&mesh, word);
}

static void compile_obj(const char *text) {
  sn_mesh_def mesh;
  sn_geom_def geom = geom_def();
  sn_default_mesh(&mesh);
  mesh.name = "m";
  mesh.file = "a.obj";
  mesh.bytes = (const uint8_t *)text;
  mesh.nbytes = (int64_t)strlen(text);
  new_spec(0);
  compile(&mesh, &geom);
}

#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\n"
#define SIDES(a, b, c, d) \
  "f " #a " " #c " " #b "\nf " #a " " #b " " #d "\nf " #a " " #d " " #c "\nf " #b " " #c " " #d "\n"

// The file of a point cloud, or of a hull: its convex hull.
START_TEST(vertices_alone) {
  compile_obj(CORNERS "v .1 .1 .1\n");
  ck_assert_int_eq(model->nmeshvert, 5);
  ck_assert_int_eq(model->nmeshface, 4);
  const double mass = model->body_mass[1];
  compile_obj(CORNERS SIDES(1, 2, 3, 4));
  NEAR(mass, model->body_mass[1], 1e-6 * mass);
}
END_TEST

// All objects and groups of a file are one mesh.
START_TEST(several_objects) {
  compile_obj("o a\n" CORNERS SIDES(1, 2, 3, 4) "o b\n"
                                                "v 5 0 0\nv 6 0 0\nv 5 2 0\nv 5 0 3\ng c\n" SIDES(
                                                    5, 6, 7, 8));
  ck_assert_int_eq(model->nmeshface, 8);
  double low = INFINITY, high = -INFINITY;
  for (int64_t i = 0; i < model->nmeshvert; i++) {
    double p[3];
    sn_rotate(p, model->mesh_vert + 3 * i, model->geom_quat);
    low = fmin(low, p[0] + model->geom_pos[0]);
    high = fmax(high, p[0] + model->geom_pos[0]);
  }
  NEAR(low, 0, 1e-6);
  NEAR(high, 6, 1e-6);
}
END_TEST

START_TEST(errors_say_where) {
  rejected_text("a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 1 2\nfoo", "line 5");
  rejected_text("a.stl", "solid x\nfacet normal 0 0 1\nouter lop\n",
                "expected 'loop', found 'lop'");
  rejected_text("a.stl", "solid x\nfacet", "expected 'normal', found the end of file");
  rejected_text("a.stl", "solid x\nendsolid x\n", "no triangles");
  rejected_text("a.stl", "#VRML", "not an STL file");
  rejected_text("b.obj", "v 0 0 0\nf 1 2 3\n", "vertex 2, which does not exist");
  rejected_text("b.obj", "hello", "no vertices");
  rejected_text("c.msh", "short", "too short");
  rejected_text("d.xyz", "anything", "known extensions: stl, obj, msh");
  rejected_text("noextension", "anything", "convert the file to one of these formats");
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  EACH(formats_agree, 0, NFORMATS);
  EACH(cut_short, 0, NFORMATS);
  EACH(spoiled, 0, NFORMATS);
  TEST(errors_say_where);
  TEST(vertices_alone);
  TEST(several_objects);
}
