// SPDX-License-Identifier: Apache-2.0
//
// Concave meshes that collide as they look: what is inside the mesh is inside a piece, the pieces
// enclose little else, mass is what it was, and a ball falls into a bowl and stays there.

#include "assets/mesh.h"
#include "assets/mesh_shapes.h"
#include "data/data.h"
#include "default_engine.h"
#include "suite.h"

static sn_model *model;

static void setup(void) {
  open_engine();
  model = NULL;
}

static void teardown(void) {
  sn_model_free(model);
  close_engine();
}

static double between(double low, double high) {
  return low + (high - low) * uniform();
}

// ------------------------------------------------------------------ shapes

// 2 x 3 x 1 without a quarter of 1 x 2 x 1: volume 4.
static void make_l(void) {
  static const double corner[6][2] = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 3 }, { 0, 3 } };
  nvert = nface = 0;
  for (int i = 0; i < 12; i++) {
    point(corner[i % 6][0], corner[i % 6][1], i / 6);
  }
  for (int i = 1; i < 5; i++) {
    triangle(0, i + 1, i);
    triangle(6, i + 6, i + 7);
  }
  for (int i = 0; i < 6; i++) {
    int k = (i + 1) % 6;
    quad(i, k, k + 6, i + 6);
  }
}

static int in_l(const double *p) {
  return p[0] > 0 && p[1] > 0 && p[2] > 0 && p[2] < 1 && p[0] < 2 && p[1] < 3 &&
         (p[0] < 1 || p[1] < 1);
}

static int in_torus(const double *p) {
  double off = hypot(p[0], p[1]) - 1;
  return off * off + p[2] * p[2] < 0.28 * 0.28;   // the polyhedron is a little less than the torus
}

// Half a sphere of radius 1, hollow from radius 0.8 on.
static void make_bowl(void) {
  enum { STEPS = 6 };
  double corner[2 * STEPS + 2][2];
  for (int k = 0; k <= STEPS; k++) {
    double s = sin(SN_PI / 2 * k / STEPS), c = cos(SN_PI / 2 * k / STEPS);
    corner[k][0] = corner[2 * STEPS + 1 - k][0] = s;
    corner[k][1] = -c;
    corner[2 * STEPS + 1 - k][0] = 0.8 * s;
    corner[2 * STEPS + 1 - k][1] = -0.8 * c;
  }
  revolve(2 * STEPS + 2, corner, 20, 0);
}

static void turn(const double *quat) {
  for (int64_t i = 0; i < nvert; i++) {
    double v[3];
    sn_copy3(v, vert + 3 * i);
    sn_rotate(vert + 3 * i, v, quat);
  }
}

// ------------------------------------------------------------------ models

static sn_spec *new_scene(void) {
  sn_spec *spec = sn_spec_new(engine, error);
  sn_body_def body;
  sn_joint_def joint;
  sn_mesh_def mesh = mesh_def();
  sn_geom_def geom, ball;
  OK(sn_spec_add_mesh(spec, &mesh, NULL, NULL, error));
  sn_default_body(&body);
  int32_t id;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  sn_default_geom(&geom);
  geom.name = "whole";
  geom.type = SN_GEOM_MESH;
  geom.mesh = "m";
  geom.body = id;
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  body.pos[0] = 0.1;
  body.pos[1] = 0.05;
  body.pos[2] = 0.3;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  sn_default_joint(&joint);
  joint.type = SN_JOINT_FREE;
  joint.body = id;
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
  sn_default_geom(&ball);
  ball.name = "ball";
  ball.type = SN_GEOM_SPHERE;
  ball.size[0] = 0.25;
  ball.body = id;
  OK(sn_spec_add_geom(spec, &ball, NULL, NULL, error));
  return spec;
}

static void compile(sn_spec *spec) {
  sn_model_free(model);
  model = sn_compile(spec, error);
  sn_spec_free(spec);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
}

static void select_pieces(void) {
  OK(sn_select(engine, "decomposition", "decompose", error));
}

// ------------------------------------------------------------------ what the pieces are

static int is_piece(int64_t geom) {
  return model->geom_type[geom] == SN_GEOM_MESH && model->geom_dataid[geom] > 0;
}

static const double *corner_of(int64_t mesh, int64_t f, int k) {
  int64_t v = model->mesh_face[3 * (model->mesh_faceadr[mesh] + f) + k];
  return model->mesh_vert + 3 * (model->mesh_vertadr[mesh] + v);
}

// Of all pieces, by the divergence theorem.
static double volume_of_pieces(void) {
  double sum = 0;
  for (int64_t mesh = 1; mesh < model->nmesh; mesh++) {
    for (int64_t f = 0; f < model->mesh_facenum[mesh]; f++) {
      double n[3];
      sn_cross(n, corner_of(mesh, f, 1), corner_of(mesh, f, 2));
      sum += sn_dot3(corner_of(mesh, f, 0), n) / 6;
    }
  }
  return sum;
}

// Is a point, in the frame of the mesh's body, within a piece or at most so far outside?
static int in_piece(const double *p, double allowed) {
  for (int64_t g = 0; g < model->ngeom; g++) {
    if (!is_piece(g)) {
      continue;
    }
    double inverse[4], to[3], local[3];
    int64_t mesh = model->geom_dataid[g];
    sn_conj_quat(inverse, model->geom_quat + 4 * g);
    sn_sub3(to, p, model->geom_pos + 3 * g);
    sn_rotate(local, to, inverse);
    int inside = 1;
    for (int64_t f = 0; f < model->mesh_facenum[mesh] && inside; f++) {
      double u[3], v[3], n[3], off[3];
      sn_sub3(u, corner_of(mesh, f, 1), corner_of(mesh, f, 0));
      sn_sub3(v, corner_of(mesh, f, 2), corner_of(mesh, f, 0));
      sn_cross(n, u, v);
      sn_sub3(off, local, corner_of(mesh, f, 0));
      // of a sliver the normal is what rounding makes it
      inside = sn_normalize3(n) < 1e-6 || sn_dot3(n, off) <= allowed;
    }
    if (inside) {
      return 1;
    }
  }
  return 0;
}

static int64_t count_pieces(void) {
  int64_t n = 0;
  for (int64_t g = 0; g < model->ngeom; g++) {
    n += is_piece(g);
  }
  return n;
}

START_TEST(pieces_of_an_l_are_two_boxes) {
  double identity[4] = { 1, 0, 0, 0 }, turned[4] = { 0.6, 0.2, -0.5, 0.3 };
  sn_normalize4(turned);
  select_pieces();
  for (int i = 0; i < 2; i++) {
    const double *quat = i ? turned : identity;
    double inverse[4];
    sn_conj_quat(inverse, quat);
    make_l();
    turn(quat);
    compile(new_scene());
    ck_assert_int_eq(count_pieces(), 2);
    ck_assert_msg(fabs(volume_of_pieces() - 4) < 1e-5, "volume %g", volume_of_pieces());
    for (int k = 0; k < 20000; k++) {
      const double p[3] = { between(-0.5, 2.5), between(-0.5, 3.5), between(-0.5, 1.5) };
      double q[3];
      sn_rotate(q, p, quat);
      ck_assert_int_eq(in_piece(q, in_l(p) ? 1e-5 : -1e-5), in_l(p));
    }
  }
}
END_TEST

START_TEST(pieces_cover_a_torus) {
  select_pieces();
  make_torus(1, 0.3, 12, 24);
  compile(new_scene());
  double exact = 0;
  for (int64_t f = 0; f < nface; f++) {
    double n[3];
    sn_cross(n, vert + 3 * (int64_t)face[3 * f + 1], vert + 3 * (int64_t)face[3 * f + 2]);
    exact += sn_dot3(vert + 3 * (int64_t)face[3 * f], n) / 6;
  }
  double pieces = volume_of_pieces();
  ck_assert_msg(pieces > exact * 0.999 && pieces < exact * 1.04, "%g instead of %g", pieces, exact);
  ck_assert_int_gt(count_pieces(), 8);
  ck_assert_int_le(count_pieces(), 64);
  for (int k = 0; k < 20000; k++) {
    const double p[3] = { between(-1.3, 1.3), between(-1.3, 1.3), between(-0.3, 0.3) };
    ck_assert(!in_torus(p) || in_piece(p, 1e-5) || hypot(p[0], p[1]) > 1.25);
    ck_assert(hypot(p[0], p[1]) > 0.5 || !in_piece(p, 0));
  }
}
END_TEST

START_TEST(mass_stays) {
  make_torus(1, 0.3, 12, 24);
  compile(new_scene());
  ck_assert_int_eq(count_pieces(), 0);   // not selected
  double before[7];
  before[0] = model->body_mass[1];
  sn_copy3(before + 1, model->body_inertia + 3);
  sn_copy3(before + 4, model->body_ipos + 3);
  select_pieces();
  compile(new_scene());
  ck_assert_int_gt(count_pieces(), 0);
  ck_assert_double_eq(model->body_mass[1], before[0]);
  for (int k = 0; k < 3; k++) {
    ck_assert_double_eq_tol(model->body_inertia[3 + k], before[1 + k], 1e-12 * before[1]);
    ck_assert_double_eq_tol(model->body_ipos[3 + k], before[4 + k], 1e-12);
  }
}
END_TEST

START_TEST(convex_meshes_stay) {
  double corner[4][2] = { { 0, -1 }, { 1, -1 }, { 1, 1 }, { 0, 1 } };   // a cylinder
  select_pieces();
  revolve(4, corner, 12, 0);
  compile(new_scene());
  ck_assert_int_eq(model->ngeom, 2);
  ck_assert_int_eq(model->geom_contype[0], 1);
}
END_TEST

// ------------------------------------------------------------------ what they do

static double fall(double *pos) {
  sn_data *d = sn_data_new(model, error);
  ck_assert_msg(d != NULL, "%s", sn_error_text(error));
  double highest = -INFINITY;
  for (int i = 0; i < 3000; i++) {
    OK(sn_step(model, d));
    highest = i > 2000 ? fmax(highest, d->qpos[2]) : highest;
  }
  sn_copy3(pos, d->qpos);
  sn_data_free(d);
  return highest;
}

START_TEST(bowl_holds_a_ball) {
  double pos[3];
  make_bowl();
  compile(new_scene());
  ck_assert_double_gt(fall(pos), 0.2);   // on the hull, which is full
  select_pieces();
  compile(new_scene());
  ck_assert_double_lt(fall(pos), -0.4);   // a perfect bowl: -0.55 at its bottom
  ck_assert_double_gt(pos[2], -0.6);
  ck_assert_double_lt(hypot(pos[0], pos[1]), 0.5);
}
END_TEST

START_TEST(pairs_become_pairs_of_pieces) {
  select_pieces();
  make_bowl();
  sn_spec *spec = new_scene();
  sn_pair_def pair;
  sn_default_pair(&pair);
  pair.geom1 = "whole";
  pair.geom2 = "ball";
  pair.condim = 1;
  OK(sn_spec_add_pair(spec, &pair, NULL, NULL, error));
  sn_option option = { .def_size = sizeof option };
  OK(sn_spec_get_option(spec, &option));
  option.collision = SN_COLLISION_PAIR;
  OK(sn_spec_set_option(spec, &option, error));
  compile(spec);
  double pos[3];
  ck_assert_int_eq(model->npair, count_pieces());
  ck_assert_double_lt(fall(pos), -0.4);
}
END_TEST

START_TEST(open_surfaces_are_rejected) {
  select_pieces();
  make_l();
  nface -= 2;   // one side
  model = NULL;
  sn_spec *spec = new_scene();
  model = sn_compile(spec, error);
  sn_spec_free(spec);
  ck_assert(model == NULL);
  ck_assert_msg(strstr(sn_error_text(error), "mesh 'm'") && strstr(sn_error_text(error), "closed"),
                "%s", sn_error_text(error));
}
END_TEST

START_TEST(decomposer_without_pieces_is_named) {
  OK(sn_select(engine, "decomposition", "qhull", error));
  make_l();
  sn_spec *spec = new_scene();
  model = sn_compile(spec, error);
  sn_spec_free(spec);
  ck_assert(model == NULL);
  ck_assert_msg(strstr(sn_error_text(error), "'qhull'") != NULL, "%s", sn_error_text(error));
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(pieces_of_an_l_are_two_boxes);
  TEST(pieces_cover_a_torus);
  TEST(mass_stays);
  TEST(convex_meshes_stay);
  TEST(bowl_holds_a_ball);
  TEST(pairs_become_pairs_of_pieces);
  TEST(open_surfaces_are_rejected);
  TEST(decomposer_without_pieces_is_named);
}
