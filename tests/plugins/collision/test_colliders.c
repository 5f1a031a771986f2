// SPDX-License-Identifier: Apache-2.0
//
// The colliders that Sinew ships, as mathematics: closed forms, symmetry, invariance under rigid
// motions, degenerate shapes, and room that runs out.

#include <math.h>
#include <string.h>

#include "collider_pairs.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

enum { ROOM = 64, POSES = 400 };

static sn_engine *engine;

// The colliders that were asked for, and their instances.
enum { MOST = 4 };
static const sn_collider_ops *opened[MOST];
static void *instance[MOST];
static int nopened;

static void setup(void) {
  sn_error *error = sn_error_new();
  engine = sn_engine_open("", error);
  ck_assert_ptr_nonnull(engine);
  const char *const name[] = { "primitive", "ccd" };
  const char *const path[] = { SN_TEST_BUILD "/plugins/primitive.so",
                               SN_TEST_BUILD "/plugins/ccd.so" };
  for (int i = 0; i < 2; i++) {
    ck_assert_msg(sn_engine_load_plugin(engine, name[i], path[i], error) >= 0, "%s",
                  sn_error_text(error));
  }
  sn_error_free(error);
}

static void teardown(void) {
  while (nopened > 0) {
    nopened--;
    close_collider(opened[nopened], instance[nopened]);
  }
  sn_engine_close(engine);
}

static void *instance_of(const sn_collider_ops *ops) {
  int i = 0;
  while (i < nopened && opened[i] != ops) {
    i++;
  }
  if (i == nopened) {
    ck_assert_int_lt(nopened, MOST);
    opened[nopened] = ops;
    ck_assert(open_collider(engine, ops, 1, &instance[nopened++]));
  }
  return instance[i];
}

static const sn_collider_ops *collider(const char *name) {
  const sn_collider_ops *ops = find_collider(engine, name);
  ck_assert_msg(ops != NULL, "no collider %s", name);
  return ops;
}

// Numbers in [-1, 1) that are the same on every machine.
static uint64_t random_state;

static double random_number(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(random_state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static void random_quat(double *quat) {
  for (int i = 0; i < 4; i++) {
    quat[i] = random_number();
  }
  sn_normalize4(quat);
}

// ------------------------------------------------------------------ shapes

typedef struct posed {
  sn_shape shape;
  double pos[3], quat[4], mat[9];
} posed;

static void place(posed *p) {
  sn_quat_mat(p->mat, p->quat);
  p->shape.pos = p->pos;
  p->shape.mat = p->mat;
}

static posed posed_at(int32_t type, double a, double b, double c, double x, double y, double z) {
  return (posed){ .shape = { .type = type, .size = { a, b, c } },
                  .pos = { x, y, z },
                  .quat = { 1, 0, 0, 0 } };
}

static int64_t collide_into(const sn_collider_ops *ops, posed *a, posed *b, double margin,
                            int64_t capacity, sn_contact_point *touch, sn_status *status) {
  place(a);
  place(b);
  sn_batch batch = { .size = sizeof batch,
                     .n = 1,
                     .first = &a->shape,
                     .second = &b->shape,
                     .margin = &margin,
                     .tolerance = 1e-6,
                     .iterations = 50 };
  sn_contact_list out = { .size = sizeof out, .capacity = capacity, .point = touch };
  *status = ops->collide(instance_of(ops), &batch, &out, NULL);
  return out.count;
}

static int64_t collide(const sn_collider_ops *ops, posed *a, posed *b, double margin,
                       sn_contact_point *touch) {
  sn_status status;
  int64_t n = collide_into(ops, a, b, margin, ROOM, touch, &status);
  ck_assert_int_eq(status, SN_OK);
  return n;
}

// ------------------------------------------------------------------ closed forms

START_TEST(sphere_sphere) {
  const sn_collider_ops *ops = collider("primitive");
  posed a = posed_at(SN_GEOM_SPHERE, 1, 0, 0, 0, 0, 0);
  posed b = posed_at(SN_GEOM_SPHERE, 2, 0, 0, 0, 2.5, 0);
  sn_contact_point t[ROOM];
  ck_assert_int_eq(collide(ops, &a, &b, 0, t), 1);
  ck_assert_double_eq_tol(t->dist, -0.5, 1e-15);
  ck_assert_double_eq_tol(t->normal[1], 1, 1e-15);
  ck_assert_double_eq_tol(t->pos[1], 0.75, 1e-15);   // between 1 and 0.5
  b.pos[1] = 3.1;
  ck_assert_int_eq(collide(ops, &a, &b, 0.05, t), 0);
  ck_assert_int_eq(collide(ops, &a, &b, 0.15, t), 1);
  ck_assert_double_eq_tol(t->dist, 0.1, 1e-14);
}
END_TEST

START_TEST(sphere_above_tilted_plane) {
  const sn_collider_ops *ops = collider("primitive");
  posed plane = posed_at(SN_GEOM_PLANE, 0, 0, 1, 1, 2, 3);
  posed ball = posed_at(SN_GEOM_SPHERE, 0.5, 0, 0, 0, 0, 0);
  const double x[3] = { 1, 0, 0 };
  sn_axisangle_quat(plane.quat, x, 0.7);
  place(&plane);
  const double normal[3] = { 0, -sin(0.7), cos(0.7) };
  sn_addscale3(ball.pos, plane.pos, 0.3, normal);
  sn_contact_point t[ROOM];
  ck_assert_int_eq(collide(ops, &plane, &ball, 0, t), 1);
  ck_assert_double_eq_tol(t->dist, -0.2, 1e-14);
  ck_assert_double_eq_tol(sn_dist3(t->normal, normal), 0, 1e-14);
  double middle[3];
  sn_addscale3(middle, plane.pos, -0.1, normal);
  ck_assert_double_eq_tol(sn_dist3(t->pos, middle), 0, 1e-14);
}
END_TEST

// A corner beside a corner: within the margin, though along the axis that parts the boxes most
// nothing of one is in front of the other.
START_TEST(boxes_apart_across_their_axes) {
  const sn_collider_ops *ops = collider("primitive");
  const double x[3] = { 1, 0, 0 }, gap[3] = { 0.03, 0.04, 0.02 }, dist = sn_norm3(gap);
  double normal[3];
  sn_contact_point t[ROOM];
  sn_scale3(normal, gap, 1 / dist);
  // the corner of the first one at (1, 1, 1), that of the second farther by the gap
  posed a = posed_at(SN_GEOM_BOX, 1, 1, 1, 0, 0, 0);
  posed b = posed_at(SN_GEOM_BOX, 1, 1, 1, 2 + gap[0], 1 + sqrt(2) + gap[1], 1 + gap[2]);
  sn_axisangle_quat(b.quat, x, SN_PI / 4);
  ck_assert_int_eq(collide(ops, &a, &b, dist - 1e-6, t), 0);
  ck_assert_int_eq(collide(ops, &a, &b, dist + 1e-6, t), 1);
  ck_assert_double_eq_tol(t->dist, dist, 1e-12);
  ck_assert_double_eq_tol(sn_dist3(t->normal, normal), 0, 1e-12);
  // and from the other side
  ck_assert_int_eq(collide(ops, &b, &a, dist + 1e-6, t), 1);
  ck_assert_double_eq_tol(t->dist, dist, 1e-12);
  ck_assert_double_eq_tol(sn_dot3(t->normal, normal), -1, 1e-12);
}
END_TEST

// Whatever lies flat stands on several points, whose mean is below its center.
START_TEST(flat_on_plane) {
  const struct {
    int32_t type;
    double size[3], height;
    int64_t n;
  } c[] = {
    { SN_GEOM_BOX, { 0.3, 0.2, 0.1 }, 0.1, 4 },
    { SN_GEOM_CYLINDER, { 0.3, 0.1, 0 }, 0.1, 3 },
    { SN_GEOM_ELLIPSOID, { 0.3, 0.2, 0.1 }, 0.1, 1 },
    { SN_GEOM_SPHERE, { 0.3, 0, 0 }, 0.3, 1 },
  };
  const sn_collider_ops *ops = collider("primitive");
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    posed plane = posed_at(SN_GEOM_PLANE, 0, 0, 1, 0, 0, 0);
    posed shape = posed_at(c[i].type, c[i].size[0], c[i].size[1], c[i].size[2], 1, 2,
                           c[i].height - 0.001);
    sn_contact_point t[ROOM];
    ck_assert_int_eq(collide(ops, &plane, &shape, 0, t), c[i].n);
    double mean[3] = { 0 };
    for (int64_t k = 0; k < c[i].n; k++) {
      ck_assert_double_eq_tol(t[k].dist, -0.001, 1e-12);
      ck_assert_double_eq_tol(t[k].pos[2], -0.0005, 1e-12);
      sn_addscale3(mean, mean, 1.0 / (double)c[i].n, t[k].pos);
    }
    ck_assert_double_eq_tol(mean[0], 1, 1e-12);
    ck_assert_double_eq_tol(mean[1], 2, 1e-12);
  }
}
END_TEST

// Two crossed capsules touch where their axes are nearest; parallel ones at both ends.
// A contact point of a box or mesh on a plane is known by its vertex, however the shape lies.
START_TEST(features_on_plane) {
  const sn_collider_ops *ops = collider("primitive");
  static const double vert[] = { .5, 0, 0, -.5, 0, 0, 0, .5, 0, 0, -.5, 0, 0, 0, .5, 0, 0, -.5 };
  const sn_mesh_view octahedron = { .size = sizeof octahedron, .nvert = 6, .vert = vert };
  for (int i = 0; i < 200; i++) {
    posed plane = posed_at(SN_GEOM_PLANE, 0, 0, 1, 0, 0, 0);
    posed b = posed_at(SN_GEOM_BOX, 0.3, 0.4, 0.5, 0, 0, 0.1);
    if (i % 2) {
      b = posed_at(SN_GEOM_MESH, 0.5, 0.5, 0.5, 0, 0, 0.1);
      b.shape.mesh = &octahedron;
    }
    random_quat(plane.quat);
    random_quat(b.quat);
    sn_contact_point t[ROOM];
    int64_t n = collide(ops, &plane, &b, 0, t);
    ck_assert_int_ge(n, 1);
    for (int64_t k = 0; k < n; k++) {
      // the vertex itself lies half the depth below the point
      double point[3], local[3], to[3];
      sn_addscale3(point, t[k].pos, 0.5 * t[k].dist, t[k].normal);
      sn_sub3(to, point, b.pos);
      sn_mul_matT_vec3(local, b.mat, to);
      const int id = t[k].feature - 1;
      ck_assert_int_ge(id, 0);
      for (int c = 0; c < 3; c++) {
        const double wanted = i % 2 ? vert[3 * id + c] : (id >> c & 1 ? 1 : -1) * b.shape.size[c];
        ck_assert_double_eq_tol(local[c], wanted, 1e-12);
      }
    }
  }
}
END_TEST

START_TEST(capsules) {
  const sn_collider_ops *ops = collider("primitive");
  posed a = posed_at(SN_GEOM_CAPSULE, 0.1, 1, 0, 0, 0, 0);
  posed b = posed_at(SN_GEOM_CAPSULE, 0.1, 1, 0, 0.15, 0.2, 0.3);
  const double x[3] = { 1, 0, 0 };
  sn_contact_point t[ROOM];
  ck_assert_int_eq(collide(ops, &a, &b, 0.2, t), 2);
  sn_axisangle_quat(b.quat, x, SN_PI / 2);
  ck_assert_int_eq(collide(ops, &a, &b, 0, t), 1);
  const double expected[3] = { 0.075, 0, 0.3 };
  ck_assert_double_eq_tol(t->dist, -0.05, 1e-14);
  ck_assert_double_eq_tol(sn_dist3(t->pos, expected), 0, 1e-14);
}
END_TEST

// Axes that meet in a point: the capsules part along the normal of the plane of the axes.
START_TEST(capsules_that_meet) {
  const sn_collider_ops *ops = collider("primitive");
  posed a = posed_at(SN_GEOM_CAPSULE, 0.1, 1, 0, 0, 0, 0);
  posed b = posed_at(SN_GEOM_CAPSULE, 0.1, 0.5, 0, 0, 0, 0);
  const double y[3] = { 0, 1, 0 };
  sn_contact_point t[ROOM];
  sn_axisangle_quat(b.quat, y, SN_PI / 2);
  for (int side = -1; side <= 1; side++) {
    b.pos[0] = 0.5 * side;   // by an end, by the middle, by the other end
    b.pos[2] = side;
    ck_assert_int_eq(collide(ops, &a, &b, 0, t), 1);
    ck_assert_double_eq_tol(t->dist, -0.2, 1e-14);
    ck_assert_double_eq_tol(t->normal[1], 1, 1e-12);
  }
}
END_TEST

// Crossed and parallel capsules from a tenth of a millimeter to a kilometer.
START_TEST(capsules_of_any_size) {
  const sn_collider_ops *ops = collider("primitive");
  const double z[3] = { 0, 0, 1 }, x[3] = { 1, 0, 0 };
  for (double half = 1e-4; half <= 1e3; half *= 10) {
    posed a = posed_at(SN_GEOM_CAPSULE, 0.1 * half, half, 0, 0, 0, 0);
    posed b = posed_at(SN_GEOM_CAPSULE, 0.1 * half, half, 0, 0.15 * half, 0, 0);
    sn_contact_point t[ROOM];
    double turn[4], tilt[4];
    sn_axisangle_quat(tilt, x, 0.7);
    for (int i = 0; i < 100; i++) {   // the axes are parallel but for the last bits
      sn_axisangle_quat(turn, z, 0.1 * i);
      sn_copy4(a.quat, tilt);
      sn_mul_quat(b.quat, tilt, turn);
      ck_assert_int_eq(collide(ops, &a, &b, 0, t), 2);
      ck_assert_double_eq_tol(t[0].dist, -0.05 * half, 1e-12 * half);
    }
    sn_identity_quat(a.quat);
    sn_axisangle_quat(b.quat, x, 1);
    ck_assert_int_eq(collide(ops, &a, &b, 0, t), 1);
    ck_assert_double_eq_tol(t->dist, -0.05 * half, 1e-12 * half);
  }
}
END_TEST

START_TEST(sphere_beside_cylinder) {
  const sn_collider_ops *ops = collider("primitive");
  posed ball = posed_at(SN_GEOM_SPHERE, 0.1, 0, 0, 0, 0, 0);
  posed can = posed_at(SN_GEOM_CYLINDER, 0.5, 1, 0, 0, 0, 0);
  sn_contact_point t[ROOM];
  // at the wall, above the cap, beyond the rim
  const double at[3][3] = { { 0.55, 0, 0.3 }, { 0.1, 0.2, -1.06 }, { 0.53, 0, 1.04 } };
  const double dist[3] = { -0.05, -0.04, -0.05 };
  const double normal[3][3] = { { -1, 0, 0 }, { 0, 0, 1 }, { -0.6, 0, -0.8 } };
  for (int i = 0; i < 3; i++) {
    sn_copy3(ball.pos, at[i]);
    ck_assert_int_eq(collide(ops, &ball, &can, 0, t), 1);
    ck_assert_double_eq_tol(t->dist, dist[i], 1e-14);
    ck_assert_double_eq_tol(sn_dist3(t->normal, normal[i]), 0, 1e-13);
  }
}
END_TEST

// Where the center is inside, the way out is the radius and what the center has to go to the
// nearest face.
START_TEST(sphere_inside_box) {
  const sn_collider_ops *ops = collider("primitive");
  posed ball = posed_at(SN_GEOM_SPHERE, 0.35, 0, 0, 0.95, 0.1, 0);
  posed box = posed_at(SN_GEOM_BOX, 1, 1, 1, 0, 0, 0);
  sn_contact_point t[ROOM];
  ck_assert_int_eq(collide(ops, &ball, &box, 0, t), 1);
  ck_assert_double_eq_tol(t->dist, -0.4, 1e-14);
  ck_assert_double_eq_tol(t->normal[0], -1, 1e-14);
  ck_assert_double_eq_tol(t->pos[0], 0.8, 1e-14);   // between 0.6 of the ball and the face at 1
  // without a jump where the center comes in, and on to the middle
  for (double x = 1.3; x > 0.11; x -= 0.01) {
    ball.pos[0] = x;
    ck_assert_int_eq(collide(ops, &ball, &box, 0, t), 1);
    ck_assert_double_eq_tol(t->dist, x - 1.35, 1e-12);
  }
}
END_TEST

// A capsule with an end inside: that end, as a ball.
START_TEST(capsule_inside_box) {
  const sn_collider_ops *ops = collider("primitive");
  posed rod = posed_at(SN_GEOM_CAPSULE, 0.1, 0.5, 0, 0.8, 0.1, 0.2);
  posed box = posed_at(SN_GEOM_BOX, 1, 1, 1, 0, 0, 0);
  sn_contact_point t[ROOM];
  ck_assert_int_eq(collide(ops, &rod, &box, 0, t), 1);
  ck_assert_double_eq_tol(t->dist, -0.3, 1e-14);
  ck_assert_double_eq_tol(t->pos[0], 0.85, 1e-14);
}
END_TEST

// Flat disks, and a ball in a disk, with one center or nearly: they part along the axis.
START_TEST(shapes_of_equal_centers) {
  const struct {
    int32_t type;
    double radius, half, depth;
  } c[] = {
    { SN_GEOM_CYLINDER, 1, 0.1, 0.2 },
    { SN_GEOM_CYLINDER, 0.5, 0.2, 0.3 },
    { SN_GEOM_SPHERE, 0.1, 0, 0.2 },
    { SN_GEOM_CAPSULE, 0.05, 0.1, 0.25 },
  };
  const double away[] = { 0, 1e-9, 1e-3 };
  const sn_collider_ops *ops = collider("ccd");
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    for (size_t k = 0; k < sizeof away / sizeof *away; k++) {
      posed disk = posed_at(SN_GEOM_CYLINDER, 0.9, 0.1, 0, 0, 0, 0);
      posed other = posed_at(c[i].type, c[i].radius, c[i].half, 0, away[k], 0, 0);
      posed *first = i < 2 ? &disk : &other, *second = i < 2 ? &other : &disk;
      sn_contact_point t[ROOM];
      const int64_t n = collide(ops, first, second, 0, t);
      ck_assert_int_ge(n, 1);
      for (int64_t j = 0; j < n; j++) {
        ck_assert_double_eq_tol(t[j].dist, -c[i].depth, 1e-9);
        ck_assert_double_eq_tol(fabs(t[j].normal[2]), 1, 1e-9);
      }
    }
  }
}
END_TEST

// ------------------------------------------------------------------ laws

static const struct {
  const char *collider;
  int32_t first, second;
} served[] = {
  { "primitive", SN_GEOM_PLANE, SN_GEOM_SPHERE },
  { "primitive", SN_GEOM_PLANE, SN_GEOM_CAPSULE },
  { "primitive", SN_GEOM_PLANE, SN_GEOM_ELLIPSOID },
  { "primitive", SN_GEOM_PLANE, SN_GEOM_CYLINDER },
  { "primitive", SN_GEOM_PLANE, SN_GEOM_BOX },
  { "primitive", SN_GEOM_SPHERE, SN_GEOM_SPHERE },
  { "primitive", SN_GEOM_SPHERE, SN_GEOM_CAPSULE },
  { "primitive", SN_GEOM_SPHERE, SN_GEOM_CYLINDER },
  { "primitive", SN_GEOM_SPHERE, SN_GEOM_BOX },
  { "primitive", SN_GEOM_CAPSULE, SN_GEOM_CAPSULE },
  { "primitive", SN_GEOM_CAPSULE, SN_GEOM_BOX },
  { "primitive", SN_GEOM_BOX, SN_GEOM_BOX },
  { "ccd", SN_GEOM_SPHERE, SN_GEOM_ELLIPSOID },
  { "ccd", SN_GEOM_CAPSULE, SN_GEOM_CYLINDER },
  { "ccd", SN_GEOM_ELLIPSOID, SN_GEOM_ELLIPSOID },
  { "ccd", SN_GEOM_CYLINDER, SN_GEOM_BOX },
};
enum { NSERVED = sizeof served / sizeof *served };

static void random_pair(int pair, posed *a, posed *b) {
  posed *p[2] = { a, b };
  for (int i = 0; i < 2; i++) {
    double size[3];
    for (int k = 0; k < 3; k++) {
      size[k] = 0.2 + 0.1 * random_number();
    }
    *p[i] = posed_at(i ? served[pair].second : served[pair].first, size[0], size[1], size[2],
                     0.25 * random_number(), 0.25 * random_number(), 0.25 * random_number());
    random_quat(p[i]->quat);
  }
}

static int has_touch(const sn_contact_point *touch, int64_t n, const sn_contact_point *wanted,
                     double tolerance) {
  for (int64_t i = 0; i < n; i++) {
    if (sn_dist3(touch[i].pos, wanted->pos) < tolerance &&
        fabs(touch[i].dist - wanted->dist) < tolerance &&
        sn_dist3(touch[i].normal, wanted->normal) < tolerance) {
      return 1;
    }
  }
  return 0;
}

// A rigid motion of both shapes moves the touches with them. The iterative method stops within its
// tolerance, wherever that is.
START_TEST(rigid_motion) {
  double pos[3], quat[4];
  random_state = (uint64_t)_i;
  int exact = strcmp(served[_i].collider, "primitive") == 0;
  int64_t touched = 0, lost = 0;
  for (int pose = 0; pose < POSES; pose++) {
    posed a, b;
    sn_contact_point before[ROOM], after[ROOM];
    random_pair(_i, &a, &b);
    int64_t n = collide(collider(served[_i].collider), &a, &b, 0.01, before);
    random_quat(quat);
    for (int k = 0; k < 3; k++) {
      pos[k] = random_number();
    }
    sn_mul_pose(a.pos, a.quat, pos, quat, a.pos, a.quat);
    sn_mul_pose(b.pos, b.quat, pos, quat, b.pos, b.quat);
    int64_t m = collide(collider(served[_i].collider), &a, &b, 0.01, after);
    touched += n;
    lost += n != m;
    for (int64_t i = 0; i < n && n == m; i++) {
      sn_contact_point moved = before[i];
      sn_rotate(moved.pos, moved.pos, quat);
      sn_add3(moved.pos, moved.pos, pos);
      sn_rotate(moved.normal, moved.normal, quat);
      lost += exact && !has_touch(after, m, &moved, 1e-9);
      lost += !exact && fabs(after[i].dist - moved.dist) > 0.02;
    }
  }
  ck_assert_int_gt(touched, POSES / 4);
  ck_assert_int_le(lost, exact ? 0 : touched / 50);
}
END_TEST

// Swapped, the normal is the opposite and nothing else changes.
START_TEST(shapes_swapped) {
  int32_t type = _i ? SN_GEOM_CAPSULE : SN_GEOM_SPHERE;
  const sn_collider_ops *ops = collider("primitive");
  random_state = 7;
  for (int pose = 0; pose < POSES; pose++) {
    posed a, b;
    sn_contact_point one[ROOM], other[ROOM];
    random_pair(0, &a, &b);
    a.shape.type = b.shape.type = type;
    int64_t n = collide(ops, &a, &b, 0.01, one);
    ck_assert_int_eq(collide(ops, &b, &a, 0.01, other), n);
    for (int64_t i = 0; i < n; i++) {
      sn_scale3(one[i].normal, one[i].normal, -1);
      ck_assert(has_touch(other, n, &one[i], 1e-12));
    }
  }
}
END_TEST

// Pushing the second shape out along the normal, by the largest depth, ends the penetration. Of two
// boxes half of the overlap is reported.
START_TEST(depth_separates) {
  const int pairs[] = { 5, 6, 8, 9, 11 };
  const sn_collider_ops *ops = collider("primitive");
  random_state = 11;
  for (int pose = 0; pose < POSES; pose++) {
    posed a, b;
    sn_contact_point t[ROOM];
    int pair = pairs[_i];
    random_pair(pair, &a, &b);
    int64_t n = collide(ops, &a, &b, 0, t);
    if (n == 0) {
      continue;
    }
    double depth = 0;
    for (int64_t i = 0; i < n; i++) {
      depth = fmax(depth, -t[i].dist);
    }
    sn_addscale3(b.pos, b.pos, depth * (pair == 11 ? 2 : 1) + 1e-9, t->normal);
    ck_assert_int_eq(collide(ops, &a, &b, 0, t), 0);
  }
}
END_TEST

// Shapes without extent, at one place, or turned alike: never a number that is none.
START_TEST(shapes_degenerate) {
  const sn_collider_ops *ops = collider(served[_i].collider);
  const double sizes[] = { 0, 1e-300, 1e-9, 0.1, 1e6 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int apart = 0; apart < 3; apart++) {
      double s = sizes[i];
      posed a = posed_at(served[_i].first, s, s, s, 0, 0, 0);
      posed b = posed_at(served[_i].second, s, s, s, apart == 1 ? s : 0, 0, apart == 2 ? 2 * s : 0);
      sn_contact_point t[ROOM];
      int64_t n = collide(ops, &a, &b, 0.01, t);
      ck_assert_int_le(n, ops->max_points);
      for (int64_t k = 0; k < n; k++) {
        ck_assert(isfinite(t[k].dist) && isfinite(t[k].pos[0] + t[k].pos[1] + t[k].pos[2]));
        ck_assert_double_eq_tol(sn_norm3(t[k].normal), 1, 1e-9);
      }
    }
  }
}
END_TEST

// With too little room a collider says how much it needs, and with that much it gives the same.
START_TEST(collider_with_more_capacity) {
  const sn_collider_ops *ops = collider(served[_i].collider);
  random_state = 3;
  int asked = 0;
  for (int pose = 0; pose < 50; pose++) {
    posed a, b;
    sn_contact_point all[ROOM], few[ROOM];
    sn_status status;
    random_pair(_i, &a, &b);
    int64_t n = collide(ops, &a, &b, 0.01, all);
    if (n == 0) {
      continue;
    }
    ck_assert_int_eq(collide_into(ops, &a, &b, 0.01, n - 1, few, &status), n);
    ck_assert_int_eq(status, SN_MORE);
    ck_assert_int_eq(collide_into(ops, &a, &b, 0.01, n, few, &status), n);
    ck_assert_int_eq(status, SN_OK);
    ck_assert_mem_eq(few, all, (size_t)n * sizeof *all);
    asked++;
  }
  ck_assert_int_gt(asked, 5);
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(sphere_sphere);
  TEST(sphere_above_tilted_plane);
  TEST(boxes_apart_across_their_axes);
  TEST(flat_on_plane);
  TEST(features_on_plane);
  TEST(capsules);
  TEST(capsules_that_meet);
  TEST(capsules_of_any_size);
  TEST(sphere_beside_cylinder);
  TEST(shapes_of_equal_centers);
  TEST(sphere_inside_box);
  TEST(capsule_inside_box);
  EACH(rigid_motion, 0, NSERVED);
  EACH(shapes_swapped, 0, 2);
  EACH(depth_separates, 0, 5);
  EACH(shapes_degenerate, 0, NSERVED);
  EACH(collider_with_more_capacity, 0, NSERVED);
}
