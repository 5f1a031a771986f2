// SPDX-License-Identifier: Apache-2.0
//
// Meshes from definition to model: volume and inertia against closed forms, invariance under
// motions and mirrors, normals, fitted primitives, and mistakes in the numbers.
//
// Corners are sums of powers of two, which single precision holds, where a closed form is to be met
// to the last digits; what the compiler's own way of weighing adds to that is `single`.

#include "assets/meshes.h"
#include "suite.h"

static const double single = 6e-8;   // relative, half a step

// ------------------------------------------------------------------ what is measured

// A vertex of the model in the frame of its body.
static void seen_from_body(int64_t i, double *out) {
  sn_rotate(out, model->mesh_vert + 3 * i, model->geom_quat);
  sn_add3(out, out, model->geom_pos);
}

// Volume by the divergence theorem, of the model's triangles.
static double volume(void) {
  double sum = 0;
  for (int64_t f = 0; f < model->nmeshface; f++) {
    const double *p[3];
    double n[3];
    for (int k = 0; k < 3; k++) {
      p[k] = model->mesh_vert + 3 * (int64_t)model->mesh_face[3 * f + k];
    }
    sn_cross(n, p[1], p[2]);
    sum += sn_dot3(p[0], n) / 6;
  }
  return sum;
}

// ------------------------------------------------------------------ closed forms

START_TEST(box_is_a_box) {
  static const int32_t ways[] = { SN_MESH_EXACT, SN_MESH_LEGACY, SN_MESH_CONVEX,
                                  SN_MESH_AS_COMPILER, SN_MESH_AS_COMPILER };
  const double a = 0.375, b = 0.125, c = 0.25, mass = 8 * a * b * c;
  for (int i = 0; i < 5; i++) {
    make_box(a, b, c, 5, -7, 9);
    sn_mesh_def mesh = mesh_def();
    sn_geom_def geom = geom_def();
    mesh.inertia = ways[i];
    new_spec(i % 2);
    compile(&mesh, &geom);
    const double *I = model->body_inertia + 3, *size = model->geom_size;
    // a box of this size is 20 of its sizes away, as seen from where it was written
    const double loss = ways[i] == SN_MESH_AS_COMPILER ? 40 * single : 1e-13;
    NEAR(model->body_mass[1], mass, loss * mass);
    NEAR(I[0], mass * (a * a + c * c) / 3, loss * mass);
    NEAR(I[1], mass * (a * a + b * b) / 3, loss * mass);
    NEAR(I[2], mass * (c * c + b * b) / 3, loss * mass);
    NEAR(model->body_ipos[3], 5, loss);
    NEAR(model->body_ipos[4], -7, loss);
    // longest along z, shortest along x, as the moments descend
    NEAR(size[0], b, loss);
    NEAR(size[1], c, loss);
    NEAR(size[2], a, loss);
    NEAR(model->geom_rbound[0], sqrt(a * a + b * b + c * c), loss);
    ck_assert_int_eq(model->geom_dataid[0], 0);
  }
}
END_TEST

// However it is asked for: every face is seen from within, so there is one volume.
START_TEST(tetrahedron) {
  static const int32_t ways[] = { SN_MESH_EXACT, SN_MESH_LEGACY, SN_MESH_CONVEX,
                                  SN_MESH_AS_COMPILER, SN_MESH_AS_COMPILER };
  for (int i = 0; i < 5; i++) {
    make_tetrahedron();
    sn_mesh_def mesh = mesh_def();
    sn_geom_def geom = geom_def();
    mesh.inertia = ways[i];
    new_spec(i == 4);
    compile(&mesh, &geom);
    const double loss = ways[i] == SN_MESH_AS_COMPILER ? 4 * single : 1e-14;
    double edge = 2 * sqrt(2), mass = edge * edge * edge / (6 * sqrt(2));
    NEAR(model->body_mass[1], mass, loss);
    for (int k = 0; k < 3; k++) {
      NEAR(model->body_inertia[3 + k], mass * edge * edge / 20, loss);
      NEAR(model->body_ipos[3 + k], 0, loss);
    }
  }
}
END_TEST

// Nor does it matter which way they are turned, if it is the same way for all.
START_TEST(tetrahedron_inside_out) {
  make_tetrahedron();
  for (int64_t f = 0; f < nface; f++) {
    const int32_t swap = face[3 * f];
    face[3 * f] = face[3 * f + 1];
    face[3 * f + 1] = swap;
  }
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  new_spec(0);
  compile(&mesh, &geom);
  NEAR(model->body_mass[1], 8.0 / 3, 4 * single);
  ck_assert_ptr_null(sn_model_warning(model, 0));
}
END_TEST

// Concave: exact finds the volume of the polyhedron, legacy fills the hole in part.
START_TEST(torus) {
  const double R = 1, r = 0.3;
  const int n = 120;
  make_torus(R, r, n, n);
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  new_spec(1);
  compile(&mesh, &geom);
  double smooth = 2 * SN_PI * SN_PI * R * r * r, mass = model->body_mass[1];
  // both circles are polygons of n corners: to the second order each loses (2 pi / n)^2 / 6
  double lost = 2 * pow(2 * SN_PI / n, 2) / 6;
  NEAR(mass / smooth, 1 - lost, 1e-4);
  NEAR(volume(), mass, 10 * single);
  NEAR(model->body_inertia[3] / mass, R * R + 0.75 * r * r, 2e-3);
  NEAR(model->body_inertia[4] / mass, 0.5 * R * R + 0.625 * r * r, 2e-3);

  new_spec(0);
  compile(&mesh, &geom);
  ck_assert_double_gt(model->body_mass[1], 1.05 * smooth);
}
END_TEST

START_TEST(shell_of_a_cube) {
  const double a = 0.5;
  make_box(a / 2, a / 2, a / 2, 1, 2, 3);
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  mesh.inertia = SN_MESH_EXACT;
  geom.shellinertia = 1;
  new_spec(0);
  compile(&mesh, &geom);
  double mass = 6 * a * a;
  NEAR(model->body_mass[1], mass, 1e-14);
  for (int k = 0; k < 3; k++) {
    NEAR(model->body_inertia[3 + k], mass * 5 * a * a / 18, 1e-14);
    NEAR(model->body_ipos[3 + k], k + 1, 1e-14);
  }
}
END_TEST

// An open box has no volume of its own that exact could give, and its surface has another center.
START_TEST(shell_and_solid_of_one_mesh) {
  make_box(0.5, 0.5, 0.5, 0, 0, 0);
  nface -= 2;   // without +x
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  geom.shellinertia = 1;
  new_spec(0);
  compile(&mesh, &geom);
  NEAR(model->body_mass[1], 5, 1e-14);
  NEAR(model->body_ipos[3], -0.1, single);
  double p[3];
  seen_from_body(0, p);
  NEAR(p[0], -0.5, single);   // where it was written
}
END_TEST

START_TEST(sheet_needs_shellinertia) {
  nvert = nface = 0;
  point(0, 0, 0), point(1, 0, 0), point(1, 2, 0), point(0, 2, 0);
  quad(0, 1, 2, 3);
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  geom.contype = geom.conaffinity = 0;
  new_spec(0);
  ck_assert(!try_mesh(&mesh, &geom));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "shellinertia"));
  geom.shellinertia = 1;
  new_spec(0);
  compile(&mesh, &geom);
  NEAR(model->body_mass[1], 2, 1e-14);
  NEAR(model->body_inertia[3], 2 * (1.0 + 4) / 12, 1e-14);
  NEAR(model->body_inertia[4], 2 * 4.0 / 12, 1e-14);
  NEAR(model->body_inertia[5], 2 * 1.0 / 12, 1e-14);
}
END_TEST

// ------------------------------------------------------------------ frames

static double frobenius(const double *quat, const double *I, int r, int c) {
  double R[9];
  sn_quat_mat(R, quat);
  return R[3 * r] * R[3 * c] * I[0] + R[3 * r + 1] * R[3 * c + 1] * I[1] +
         R[3 * r + 2] * R[3 * c + 2] * I[2];
}

START_TEST(mesh_lies_where_it_was_written) {
  for (int round = 0; round < 20; round++) {
    make_cloud(30);
    sn_mesh_def mesh = mesh_def();
    sn_geom_def geom = geom_def();
    double axis[3], q[4], pose[4];
    for (int k = 0; k < 3; k++) {
      mesh.refpos[k] = uniform();
      mesh.scale[k] = uniform() + 0.2;
      geom.pos[k] = 4 * uniform();
      axis[k] = uniform() - 0.5;
    }
    mesh.scale[round % 3] *= round % 2 ? -1 : 1;
    sn_normalize3(axis);
    sn_axisangle_quat(q, axis, 5 * uniform());
    sn_copy4(mesh.refquat, q);
    sn_axisangle_quat(pose, axis, 1);
    sn_copy4(geom.orient.quat, pose);
    new_spec(round % 2);
    compile(&mesh, &geom);
    ck_assert_double_gt(volume(), 0);   // a mirror does not turn it inside out
    for (int64_t i = 0; i < nvert; i++) {
      double expected[3], p[3];
      sn_sub3(p, vert + 3 * i, mesh.refpos);
      sn_rotate_inverse(p, p, q);
      for (int k = 0; k < 3; k++) {
        p[k] *= mesh.scale[k];
      }
      sn_rotate(expected, p, pose);
      sn_add3(expected, expected, geom.pos);
      seen_from_body(i, p);
      NEAR(sn_dist3(p, expected), 0, 10 * single);   // rounded four times
    }
  }
}
END_TEST

// The inertia of a turned and moved mesh is the turned tensor.
START_TEST(inertia_turns_with_the_mesh) {
  make_cloud(40);
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  for (int shell = 0; shell < 2; shell++) {
    geom.shellinertia = shell;
    sn_copy3(geom.pos, (const double[3]){ 0, 0, 0 });
    sn_identity_quat(geom.orient.quat);
    new_spec(1);
    compile(&mesh, &geom);
    double quat[4], I[3], com[3], mass = model->body_mass[1];
    sn_copy4(quat, model->body_iquat + 4);
    sn_copy3(I, model->body_inertia + 3);
    sn_copy3(com, model->body_ipos + 3);

    double turn[4], expected[4], p[3];
    sn_axisangle_quat(turn, (const double[3]){ 0.6, 0, 0.8 }, 1.1);
    sn_copy4(geom.orient.quat, turn);
    geom.pos[1] = 3;
    new_spec(1);
    compile(&mesh, &geom);
    sn_mul_quat(expected, turn, quat);
    sn_rotate(p, com, turn);
    p[1] += 3;
    NEAR(model->body_mass[1], mass, 1e-12 * mass);
    NEAR(sn_dist3(p, model->body_ipos + 3), 0, 1e-12);
    for (int k = 0; k < 9; k++) {
      NEAR(frobenius(model->body_iquat + 4, model->body_inertia + 3, k / 3, k % 3),
           frobenius(expected, I, k / 3, k % 3), 1e-12 * mass);
    }
  }
}
END_TEST

// Two halves of a box weigh what the whole weighs.
START_TEST(parts_add_up) {
  const double b = 0.25, c = 0.125;
  make_box(0.5, b, c, 0.5, 0, 0);
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  mesh.inertia = SN_MESH_EXACT;
  new_spec(0);
  sn_geom_def other = geom;
  other.pos[0] = -1;
  sn_body_def body;
  sn_default_body(&body);
  OK(sn_spec_add_body(spec, &body, NULL, &geom.body, error));
  other.body = geom.body;
  OK(sn_spec_add_mesh(spec, &mesh, NULL, NULL, error));
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  OK(sn_spec_add_geom(spec, &other, NULL, NULL, error));
  model = sn_compile(spec, error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  double mass = 8 * 1 * b * c;
  NEAR(model->body_mass[1], mass, 1e-14);
  NEAR(model->body_inertia[3], mass * (1 + b * b) / 3, 1e-14);
  NEAR(model->body_inertia[4], mass * (1 + c * c) / 3, 1e-14);
  NEAR(model->body_inertia[5], mass * (b * b + c * c) / 3, 1e-14);
}
END_TEST

// ------------------------------------------------------------------ normals

START_TEST(normals_of_a_box) {
  for (int smooth = 0; smooth < 2; smooth++) {
    make_box(0.05, 0.2, 0.3, 0, 0, 0);   // the corners belong to the large sides
    sn_mesh_def mesh = mesh_def();
    sn_geom_def geom = geom_def();
    mesh.smoothnormal = smooth;
    new_spec(1);
    compile(&mesh, &geom);
    for (int64_t i = 0; i < 8; i++) {
      const double *n = model->mesh_normal + 3 * i, *p = model->mesh_vert + 3 * i;
      NEAR(sn_norm3(n), 1, 1e-14);
      ck_assert_double_gt(sn_dot3(n, p), 0);
      if (smooth) {
        ck_assert_double_lt(fabs(n[0]), 0.99);
      } else {
        NEAR(fabs(n[0]), 1, 1e-14);
      }
    }
  }
}
END_TEST

// ------------------------------------------------------------------ fitted primitives

START_TEST(primitives_are_fitted) {
  static const int32_t types[] = { SN_GEOM_SPHERE, SN_GEOM_CAPSULE, SN_GEOM_ELLIPSOID,
                                   SN_GEOM_CYLINDER, SN_GEOM_BOX };
  static const double boxed[5][3] = {
    { 0 }, { 0 }, { 0.125, 0.25, 0.75 }, { 0 }, { 0.125, 0.25, 0.75 }
  };
  const double a = 0.125, b = 0.25, c = 0.75, mean = (a + b) / 2;
  double reach = sqrt(a * a + b * b + c * c), radius = sqrt(a * a + b * b);
  make_box(a, b, c, 1, 2, 3);
  for (int aabb = 0; aabb < 2; aabb++) {
    for (int i = 0; i < 5; i++) {
      sn_mesh_def mesh = mesh_def();
      sn_geom_def geom = geom_def();
      mesh.inertia = SN_MESH_LEGACY;
      geom.type = types[i];
      geom.fitscale = 2;
      new_spec(0);
      sn_compiler compiler = { .def_size = sizeof compiler };
      OK(sn_spec_get_compiler(spec, &compiler));
      compiler.fitaabb = aabb;
      OK(sn_spec_set_compiler(spec, &compiler, error));
      compile(&mesh, &geom);
      double expected[3];
      sn_copy3(expected, boxed[i]);
      if (types[i] == SN_GEOM_SPHERE) {
        expected[0] = aabb ? reach : (a + b + c) / 3;
      } else if (types[i] == SN_GEOM_CAPSULE) {
        expected[0] = aabb ? radius : mean;
        expected[1] = aabb ? c : c - mean / 2;
      } else if (types[i] == SN_GEOM_CYLINDER) {
        expected[0] = aabb ? radius : mean;
        expected[1] = c;
      }
      for (int k = 0; k < 3; k++) {
        NEAR(model->geom_size[k], 2 * expected[k], 1e-12);
        NEAR(model->geom_pos[k], aabb ? 0 : k + 1, 1e-12);   // see mesh_fit.c
      }
      ck_assert_int_eq(model->geom_dataid[0], -1);
    }
  }
}
END_TEST

// ------------------------------------------------------------------ mistakes

START_TEST(mistakes_in_numbers) {
  make_box(1, 1, 1, 0, 0, 0);
  sn_mesh_def mesh = mesh_def();
  mesh.scale[1] = 0;
  rejected(&mesh, "scale");
  mesh = mesh_def();
  mesh.face.n -= 1;
  rejected(&mesh, "multiple of 3");
  mesh = mesh_def();
  mesh.normal = (sn_reals){ vert, 6 };
  rejected(&mesh, "one for each vertex");
  face[7] = 8;
  mesh = mesh_def();
  rejected(&mesh, "face 2 refers to vertex 8");
  face[7] = -1;
  rejected(&mesh, "face 2 refers to vertex -1");

  // inside out, where it matters
  make_box(1, 1, 1, 0, 0, 0);
  for (int64_t f = 0; f < nface; f++) {
    int32_t swap = face[3 * f];
    face[3 * f] = face[3 * f + 1];
    face[3 * f + 1] = swap;
  }
  mesh = mesh_def();
  sn_geom_def geom = geom_def();
  new_spec(1);
  ck_assert(!try_mesh(&mesh, &geom));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "inside out"));
}
END_TEST

// One face of a box that is turned over, where the mass of a body comes of it.
START_TEST(turned_faces_are_warned_of) {
  make_box(1, 1, 1, 0, 0, 0);
  const int32_t swap = face[3 * 4];
  face[3 * 4] = face[3 * 4 + 1];
  face[3 * 4 + 1] = swap;
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  for (int exact = 0; exact < 2; exact++) {
    new_spec(exact);
    ck_assert_msg(try_mesh(&mesh, &geom), "%s", sn_error_text(error));
    const char *text = sn_model_warning(model, 0);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(
        strstr(text, "mesh 'm': the orientations of its 12 faces are not consistent: at 3 edges") &&
            strstr(text, "at faces 1 and 4;") &&
            strstr(text, exact ? "count as negative" : "counted as positive"),
        "%s", text);
    ck_assert_ptr_null(sn_model_warning(model, 1));
    if (!exact) {   // whichever way faces are turned
      NEAR(model->body_mass[1], 8, 1e-5);
      ck_assert_ptr_nonnull(strstr(text, "the mass is then that of the solid box"));
    }
  }
  geom.mass = 0;   // no mass comes of it
  geom.contype = geom.conaffinity = 0;
  new_spec(0);
  if (try_mesh(&mesh, &geom)) {
    ck_assert_ptr_null(sn_model_warning(model, 0));
  }
  geom = geom_def();
  mesh.inertia = SN_MESH_CONVEX;   // its hull has an outside
  new_spec(1);
  ck_assert_msg(try_mesh(&mesh, &geom), "%s", sn_error_text(error));
  ck_assert_ptr_null(sn_model_warning(model, 0));
}
END_TEST

// Vertices that each corner has for itself, as in OBJ, are one where they lie at one place.
START_TEST(turned_faces_of_corners) {
  static double corner[3 * 36];
  make_box(1, 1, 1, 0, 0, 0);
  for (int64_t i = 0; i < 36; i++) {
    const int64_t from = i < 3 ? 2 - i : i;   // the first face is turned
    sn_copy3(corner + 3 * i, vert + 3 * face[from]);
  }
  memcpy(vert, corner, sizeof corner);
  for (int32_t i = 0; i < 36; i++) {
    face[i] = i;
  }
  nvert = 36;
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  new_spec(0);
  compile(&mesh, &geom);
  ck_assert_ptr_nonnull(sn_model_warning(model, 0));
  ck_assert_ptr_nonnull(
      strstr(sn_model_warning(model, 0), "at 3 edges two faces have opposite orientations"));
}
END_TEST

// Two boxes that touch along an edge, and an open box, are sound.
START_TEST(rims_are_not_turned) {
  make_box(1, 1, 1, 0, 0, 0);
  const int64_t nv = nvert, nf = nface;
  memcpy(vert + 3 * nv, vert, (size_t)(3 * nv) * sizeof *vert);
  for (int64_t i = 0; i < nv; i++) {
    vert[3 * (nv + i)] += 2;
    vert[3 * (nv + i) + 1] += 2;
  }
  for (int64_t i = 0; i < 3 * nf; i++) {
    face[3 * nf + i] = face[i] + (int32_t)nv;
  }
  nvert = 2 * nv;
  nface = 2 * nf;
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  new_spec(0);
  compile(&mesh, &geom);
  ck_assert_ptr_null(sn_model_warning(model, 0));
  make_box(1, 1, 1, 0, 0, 0);
  nface -= 2;
  mesh = mesh_def();
  new_spec(0);
  compile(&mesh, &geom);
  ck_assert_ptr_null(sn_model_warning(model, 0));
}
END_TEST

// A flat sheet needs no mass and no hull where it is only shown: without mass of its own, in
// another group, or on a body with an inertia. It stays where it was written.
START_TEST(sheets_are_shown) {
  static const double square[] = { 1, 0, 2, 2, 0, 2, 2, 1, 2, 1, 1, 2 };
  static const int32_t halves[] = { 0, 1, 2, 0, 2, 3 };
  memcpy(vert, square, sizeof square);
  memcpy(face, halves, sizeof halves);
  nvert = 4;
  nface = 2;
  for (int way = 0; way < 5; way++) {
    sn_mesh_def mesh = mesh_def();
    sn_geom_def geom = geom_def(), ball;
    sn_body_def body = { .def_size = sizeof body };
    geom.contype = geom.conaffinity = way == 4;
    geom.mass = way == 0 ? 0 : SN_UNSET;
    geom.density = way == 1 ? 0 : 1;
    sn_default_geom(&ball);
    ball.size[0] = 1;
    new_spec(0);
    OK(sn_spec_add_geom(spec, &ball, NULL, NULL, error));
    if (try_mesh(&mesh, &geom)) {
      ck_assert_int_lt(way, 0);   // the body has no mass yet
    }
    ck_assert_int_eq(sn_spec_get_body(spec, geom.body, &body, error), SN_OK);
    body.inertial = way != 3;
    body.mass = body.diaginertia[0] = body.diaginertia[1] = body.diaginertia[2] = 1;
    sn_copy3(body.ipos, (const double[]){ 0, 0, 0 });
    OK(sn_spec_set_body(spec, geom.body, &body, error));
    model = sn_compile(spec, error);
    if (way < 3) {
      ck_assert_msg(model != NULL, "%d: %s", way, sn_error_text(error));
      ck_assert_int_eq(model->nmeshgraph, 0);
      for (int k = 0; k < 3; k++) {
        NEAR(model->geom_pos[3 + k], 0, 0);
        NEAR(model->mesh_vert[k], square[k], 0);
      }
    } else {
      ck_assert_ptr_null(model);
      ck_assert_ptr_nonnull(strstr(sn_error_message(error), way == 3 ? "no volume" : "plane"));
    }
  }
}
END_TEST

// The smallest sheet is one triangle.
START_TEST(triangle_is_shown) {
  static const double corners[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  static const int32_t one[] = { 0, 1, 2 };
  memcpy(vert, corners, sizeof corners);
  memcpy(face, one, sizeof one);
  nvert = 3;
  nface = 1;
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def(), ball;
  geom.contype = geom.conaffinity = 0;
  geom.mass = 0;
  new_spec(0);
  sn_default_geom(&ball);
  ball.size[0] = 1;
  ball.body = 0;
  OK(sn_spec_add_geom(spec, &ball, NULL, NULL, error));
  geom.body = 0;
  OK(sn_spec_add_mesh(spec, &mesh, NULL, NULL, error));
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  model = sn_compile(spec, error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(model->nmeshface, 1);
}
END_TEST

START_TEST(meshes_without_area) {
  static const double line[] = { 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0 };
  static const int32_t folded[] = { 0, 1, 2, 0, 2, 3 };
  memcpy(vert, line, sizeof line);
  memcpy(face, folded, sizeof folded);
  nvert = 4;
  nface = 2;
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom = geom_def();
  geom.contype = geom.conaffinity = 0;
  new_spec(0);
  ck_assert(!try_mesh(&mesh, &geom));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "mesh 'm': its faces have no area"));
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(box_is_a_box);
  TEST(turned_faces_are_warned_of);
  TEST(turned_faces_of_corners);
  TEST(rims_are_not_turned);
  TEST(sheets_are_shown);
  TEST(triangle_is_shown);
  TEST(meshes_without_area);
  TEST(tetrahedron);
  TEST(tetrahedron_inside_out);
  TEST(torus);
  TEST(shell_of_a_cube);
  TEST(shell_and_solid_of_one_mesh);
  TEST(sheet_needs_shellinertia);
  TEST(mesh_lies_where_it_was_written);
  TEST(inertia_turns_with_the_mesh);
  TEST(parts_add_up);
  TEST(normals_of_a_box);
  TEST(primitives_are_fitted);
  TEST(mistakes_in_numbers);
}
