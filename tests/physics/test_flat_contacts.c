// SPDX-License-Identifier: Apache-2.0
//
// Contact manifolds, which colliders compute by default: shapes that stand on a face come to rest,
// a masonry arch stands or falls as limit analysis says, a step has a derivative, the last bit of a
// pose moves no contact point, and depths, normals and corners are those of brute force. Models:
// models/physics.

#include <math.h>

#include "conformance/collision/separation.h"
#include "data/data.h"
#include "model_file.h"
#include "random_state.h"
#include "sinew/math.h"
#include "sinew/sinew.h"
#include "suite.h"

static void open_single(void) {
  static const char *const colliders[] = { "ccd", "gjk", "primitive" };
  open_engine();
  for (int i = 0; i < 3; i++) {
    char key[64];
    snprintf(key, sizeof key, "plugin.%s.manifold", colliders[i]);
    OK(sn_engine_set(engine, key, "false", error));
  }
}

static void simulate(const sn_model *m, sn_data *d, double time) {
  while (d->time[0] < time - 1e-9) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

// ------------------------------------------------------------------ rest

static double fastest_rotation(const sn_model *m, const sn_data *d, int64_t *body) {
  double fastest = 0;
  for (int64_t i = 0; i < m->nv; i += 6) {
    const double w = sn_norm3(d->qvel + i + 3);
    *body = w > fastest ? i / 6 : *body;
    fastest = fmax(fastest, w);
  }
  return fastest;
}

START_TEST(shapes_on_faces_rest) {
  sn_model *m = model_of(model_file("physics/flat_contacts"));
  sn_data *d = data_of(m);
  int64_t body = 0;
  simulate(m, d, 3);
  const double w = fastest_rotation(m, d, &body);
  ck_assert_msg(w < 1e-6, "body %lld turns by %g rad/s", (long long)body, w);
  ck_assert_int_eq(d->ncon, 4 * m->nv / 6);
  done_with(m, d);
}
END_TEST

// As in profile mujoco-2.2.
START_TEST(single_contact_points_shake) {
  sn_model *m = model_of(model_file("physics/flat_contacts"));
  sn_data *d = data_of(m);
  int64_t body = 0;
  simulate(m, d, 3);
  ck_assert_double_gt(fastest_rotation(m, d, &body), 0.1);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ an arch

enum { VOUSSOIRS = 11 };

// Adds the corners of a voussoir between two angles, about a point of its middle.
static int add_corners(char *text, size_t room, double thickness, double from, double to) {
  const double middle = 0.5 * (from + to);
  int n = 0;
  for (int i = 0; i < 8; i++) {
    const double radius = 1 + (i & 1 ? 0.5 : -0.5) * thickness, angle = i & 2 ? to : from;
    n += snprintf(text + n, room - (size_t)n, " %.17g %g %.17g", radius * cos(angle) - cos(middle),
                  i & 4 ? 0.2 : -0.2, radius * sin(angle) - sin(middle));
  }
  return n;
}

// A semicircular arch of radius 1 m between abutments that stop its feet but do not hold them down.
static sn_model *arch(double thickness) {
  static char text[1 << 14], meshes[1 << 13], bodies[1 << 12];
  int n = 0, k = 0;
  for (int i = 0; i < VOUSSOIRS; i++) {
    const double from = SN_PI * i / VOUSSOIRS, to = SN_PI * (i + 1) / VOUSSOIRS;
    n += snprintf(meshes + n, sizeof meshes - (size_t)n, "<mesh name='v%d' vertex='", i);
    n += add_corners(meshes + n, sizeof meshes - (size_t)n, thickness, from, to);
    n += snprintf(meshes + n, sizeof meshes - (size_t)n, "'/>");
    k += snprintf(bodies + k, sizeof bodies - (size_t)k,
                  "<body pos='%.17g 0 %.17g'><freejoint/><geom type='mesh' mesh='v%d'/></body>",
                  cos(0.5 * (from + to)), sin(0.5 * (from + to)), i);
  }
  const double stop = 1 + 0.5 * thickness + 0.1;
  snprintf(text, sizeof text,
           "<mujoco><asset>%s</asset><worldbody><geom type='box' size='2 .3 .1' pos='0 0 -.1'/>"
           "<geom type='box' size='.1 .3 .05' pos='%g 0 .05' priority='1' condim='1'/>"
           "<geom type='box' size='.1 .3 .05' pos='%g 0 .05' priority='1' condim='1'/>"
           "%s</worldbody></mujoco>",
           meshes, stop, -stop, bodies);
  return model_of(text);
}

// The least thickness is 0.1075 of the radius (Milankovitch, Theorie der Druckkurven, 1907).
START_TEST(arch_stands_if_it_is_thick) {
  static const struct {
    double thickness;
    int stands;
  } arches[] = { { 0.20, 1 }, { 0.15, 1 }, { 0.08, 0 } };
  sn_model *m = arch(arches[_i].thickness);
  sn_data *d = data_of(m);
  simulate(m, d, 2);
  const double crown = d->qpos[7 * (VOUSSOIRS / 2) + 2];
  ck_assert_msg(arches[_i].stands ? crown > 0.97 : crown < 0.5, "the crown is %g m high", crown);
  done_with(m, d);
}
END_TEST

// How fast the crown of an arch of elliptic contacts sinks after it has settled, m/s.
static double sinking(double impratio, double timestep) {
  sn_model *m = arch(0.15);
  m->opt.cone = SN_CONE_ELLIPTIC;
  m->opt.impratio = impratio;
  m->opt.timestep = timestep;
  sn_data *d = data_of(m);
  const double *crown = d->qpos + 7 * (VOUSSOIRS / 2) + 2;
  simulate(m, d, 1);
  const double height = *crown;
  simulate(m, d, 1.5);
  const double speed = (height - *crown) / 0.5;
  done_with(m, d);
  return speed;
}

// An arch that stands sinks, because the friction of the soft contact model creeps: at a rate that
// is proportional to the regularizer of friction, 1 / impratio, whatever the time step. So it falls
// in the end.
START_TEST(arch_sinks_as_its_friction_creeps) {
  const double rate = sinking(100, 0.002);
  ck_assert_double_gt(rate, 1e-5);
  ck_assert_double_eq_tol(sinking(1000, 0.002), rate / 10, 1e-2 * rate / 10);
  ck_assert_double_eq_tol(sinking(100, 0.001), rate, 1e-2 * rate);
}
END_TEST

// ------------------------------------------------------------------ derivatives

// The largest entry of the derivative of a step.
static double largest_derivative(const sn_model *m, sn_data *d, double eps) {
  const int64_t n = 4 * m->nv * m->nv;
  double *A = malloc((size_t)n * sizeof *A), largest = 0;
  OK(sn_transition_fd(m, d, eps, 1, A, NULL, NULL, NULL));
  for (int64_t i = 0; i < n; i++) {
    largest = fmax(largest, fabs(A[i]));
  }
  free(A);
  return largest;
}

START_TEST(steps_have_derivatives) {
  sn_model *m = model_of(model_file("physics/flat_contacts"));
  sn_data *d = data_of(m);
  simulate(m, d, 2);
  double finer = largest_derivative(m, d, 1e-7);
  for (double eps = 1e-6; eps < 2e-4; eps *= 10) {
    const double coarse = largest_derivative(m, d, eps);
    ck_assert_msg(coarse < 500, "%g with steps of %g, %g with finer ones", coarse, eps, finer);
    ck_assert_msg(eps > 2e-6 || fabs(coarse - finer) < 1e-2 * finer, "%g and %g", coarse, finer);
    finer = coarse;
  }
  done_with(m, d);
}
END_TEST

START_TEST(single_contact_points_have_no_derivatives) {
  sn_model *m = model_of(model_file("physics/flat_contacts"));
  sn_data *d = data_of(m);
  simulate(m, d, 2);
  ck_assert_double_gt(largest_derivative(m, d, 1e-7), 1e3);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ the last bit

START_TEST(last_bits_move_no_contact_point) {
  sn_model *m = model_of(model_file("physics/flat_contacts"));
  sn_data *d = data_of(m), *other = data_of(m);
  uint32_t seed = 1;
  simulate(m, d, 1);
  OK(sn_forward(m, d));
  for (int turn = 0; turn < 50; turn++) {
    OK(sn_data_copy(m, other, d));
    for (int64_t i = 0; i < m->nq; i++) {
      other->qpos[i] += 1e-15 * uniform(&seed);
    }
    OK(sn_forward(m, other));
    ck_assert_int_eq(other->ncon, d->ncon);
    for (int64_t i = 0; i < d->ncon; i++) {
      const double moved = sn_dist3(other->contact_pos + 3 * i, d->contact_pos + 3 * i);
      ck_assert_msg(moved < 1e-9, "contact point %lld moves by %g m", (long long)i, moved);
      ck_assert_int_eq(other->contact_feature[i], d->contact_feature[i]);
    }
  }
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ brute force

static const double proof = 1e-9;   // of the truth, m

static sn_shape shape_at(const sn_model *m, const sn_data *d, int64_t geom) {
  sn_shape s = { .type = m->geom_type[geom],
                 .pos = d->geom_xpos + 3 * geom,
                 .mat = d->geom_xmat + 9 * geom };
  memcpy(s.size, m->geom_size + 3 * geom, sizeof s.size);
  return s;
}

// Two random poses that overlap by up to `deep`.
static double overlap_randomly(const sn_model *m, sn_data *d, double deep, uint32_t *seed,
                               double *normal) {
  for (;;) {
    for (int64_t i = 0; i < m->nq; i++) {
      d->qpos[i] = (i % 7 < 3 ? 0.4 : 1) * uniform(seed);
    }
    OK(sn_forward_position(m, d));
    const sn_shape a = shape_at(m, d, 0), b = shape_at(m, d, 1);
    const double truth = separation(&a, &b, proof, 0.1, normal);
    if (truth < -1e-3 * deep && truth > -deep) {
      return truth;
    }
  }
}

static int64_t deepest_contact(const sn_data *d) {
  int64_t best = 0;
  for (int64_t i = 1; i < d->ncon; i++) {
    best = d->contact_dist[i] < d->contact_dist[best] ? i : best;
  }
  return best;
}

static void expect_truth(const char *model, double deep, int poses) {
  sn_model *m = model_of(model_file(model));
  sn_data *d = data_of(m);
  uint32_t seed = 3;
  for (int i = 0; i < poses; i++) {
    double normal[3];
    const double truth = overlap_randomly(m, d, deep, &seed, normal);
    ck_assert_int_ge(d->ncon, 1);
    const int64_t k = deepest_contact(d);
    const double off = sn_dist3(d->contact_frame + 9 * k, normal);
    ck_assert_msg(fabs(d->contact_dist[k] - truth) < 1e-6, "pose %d: depth %.9g instead of %.9g", i,
                  d->contact_dist[k], truth);
    // within the tolerance of the depth another direction is as good
    ck_assert_msg(off < 2e-3 || truth > -1e-3, "pose %d: the normal is %g off", i, off);
  }
  done_with(m, d);
}

START_TEST(balls_and_cylinders_have_the_true_normal) {
  expect_truth("physics/ball_and_cylinder", 0.02, 300);
}
END_TEST

START_TEST(boxes_have_their_full_depth) {
  expect_truth("physics/two_boxes", 0.02, 300);
}
END_TEST

// How many sides of the face of a box that is across the z axis a point is on; -1: it is outside.
static int sides_at(const sn_model *m, const sn_data *d, int64_t geom, const double *point) {
  double to[3], local[3];
  int sides = 0;
  sn_sub3(to, point, d->geom_xpos + 3 * geom);
  sn_mul_matT_vec3(local, d->geom_xmat + 9 * geom, to);
  for (int k = 0; k < 2; k++) {
    const double inside = m->geom_size[3 * geom + k] - fabs(local[k]);
    if (inside < -1e-9) {
      return -1;
    }
    sides += inside < 1e-9;
  }
  return sides;
}

// The part of a square around the boxes that both cover, counted on a grid.
static double shared_area(const sn_model *m, const sn_data *d) {
  enum { GRID = 200 };
  const double half = 0.4;
  int inside = 0;
  for (int i = 0; i < GRID * GRID; i++) {
    const double point[3] = { half * (2 * (i % GRID + 0.5) / GRID - 1),
                              half * (2 * (i / GRID + 0.5) / GRID - 1), 0 };
    inside += sides_at(m, d, 0, point) >= 0 && sides_at(m, d, 1, point) >= 0;
  }
  return 4 * half * half * inside / (GRID * GRID);
}

// Of contact points in the order around: the area of their polygon.
static double spanned_area(const sn_data *d) {
  double area = 0, a[3], b[3], cross[3];
  for (int64_t i = 1; i + 1 < d->ncon; i++) {
    sn_sub3(a, d->contact_pos + 3 * i, d->contact_pos);
    sn_sub3(b, d->contact_pos + 3 * i + 3, d->contact_pos);
    sn_cross(cross, a, b);
    area += 0.5 * cross[2];
  }
  return fabs(area);
}

// Boxes that lie flat on each other, shifted and turned: each contact point is a corner of what the
// two faces share, once, and no four corners of an octagon span less than half of it.
START_TEST(corners_of_shared_faces) {
  sn_model *m = model_of(model_file("physics/two_boxes"));
  sn_data *d = data_of(m);
  uint32_t seed = 5;
  for (int pose = 0; pose < 300; pose++) {
    const double angle = pose % 3 ? SN_PI * uniform(&seed) : 0.5 * SN_PI * (pose % 4);
    const double z[3] = { 0, 0, 1 };
    sn_reset(m, d);
    d->qpos[7] = 0.2 * uniform(&seed);
    d->qpos[8] = 0.2 * uniform(&seed);
    d->qpos[9] = 0.2 + 0.1 - 1e-3;
    sn_axisangle_quat(d->qpos + 10, z, angle);
    OK(sn_forward_position(m, d));
    const double area = shared_area(m, d);
    if (area < 1e-3) {
      continue;
    }
    ck_assert_int_ge(d->ncon, 3);
    ck_assert_int_le(d->ncon, 4);
    for (int64_t i = 0; i < d->ncon; i++) {
      const double *point = d->contact_pos + 3 * i;
      const int first = sides_at(m, d, 0, point), second = sides_at(m, d, 1, point);
      ck_assert_msg(first >= 0 && second >= 0 && first + second >= 2,
                    "pose %d: point %lld is no corner: %d, %d", pose, (long long)i, first, second);
      ck_assert_double_eq_tol(d->contact_dist[i], -1e-3, 1e-12);
      ck_assert_double_eq_tol(point[2], 0.2 - 5e-4, 1e-12);
      for (int64_t k = 0; k < i; k++) {
        ck_assert_double_gt(sn_dist3(point, d->contact_pos + 3 * k), 1e-6);
      }
    }
    const double spanned = spanned_area(d);
    ck_assert_msg(spanned > 0.5 * area && spanned < 1.1 * area, "pose %d: %g of %g m2", pose,
                  spanned, area);
  }
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(shapes_on_faces_rest);
  EACH(arch_stands_if_it_is_thick, 0, 3);
  TEST(arch_sinks_as_its_friction_creeps);
  TEST(steps_have_derivatives);
  TEST(last_bits_move_no_contact_point);
  TEST(balls_and_cylinders_have_the_true_normal);
  TEST(boxes_have_their_full_depth);
  TEST(corners_of_shared_faces);
  FIXTURE(open_single, close_engine);
  TEST(single_contact_points_shake);
  TEST(single_contact_points_have_no_derivatives);
}
