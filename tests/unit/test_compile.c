// SPDX-License-Identifier: Apache-2.0
//
// The compiler: inertia of shapes against numerical integration over their volume, orientations
// against each other and by their definition, order and addresses, and errors with place and cure.

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compile.h"
#include "sinew/math.h"
#include "toy_engine.h"

static sn_error *error;
static sn_engine *engine;
static sn_spec *spec;
static sn_model *model;

static void setup(void) {
  error = sn_error_new();
  engine = toy_engine(error);
  spec = sn_spec_new(engine, error);
  ck_assert_ptr_nonnull(spec);
  model = NULL;
}

static void teardown(void) {
  sn_model_free(model);
  sn_spec_free(spec);
  sn_engine_close(engine);
  sn_error_free(error);
}

#define OK(call) ck_assert_msg((call) >= 0, "%s: %s", #call, sn_error_text(error))
#define NEAR(a, b, tolerance) ck_assert_double_le(fabs((a) - (b)), tolerance)

static void compile(void) {
  sn_model_free(model);
  model = sn_compile(spec, error);
  ck_assert_msg(model != NULL, "%s", sn_error_text(error));
}

// Compiling fails, and the message has these words.
static void refused(sn_status code, const char *word1, const char *word2) {
  sn_model *m = sn_compile(spec, error);
  ck_assert_ptr_null(m);
  ck_assert_int_eq(sn_error_code(error), code);
  const char *text = sn_error_text(error);
  ck_assert_msg(strstr(text, word1) && strstr(text, word2), "%s", text);
}

static int32_t add_body(int32_t parent, const char *name) {
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.parent = parent;
  body.name = name;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  return id;
}

static void add_joint(int32_t body, const char *name, int32_t type) {
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = body;
  joint.name = name;
  joint.type = type;
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
}

static void add_geom(int32_t body, const char *name, int32_t type, double a, double b, double c) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.body = body;
  geom.name = name;
  geom.type = type;
  SN_SET(geom.size, a, b, c);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static void add_site(int32_t body, const char *name) {
  sn_site_def site;
  sn_default_site(&site);
  site.body = body;
  site.name = name;
  OK(sn_spec_add_site(spec, &site, NULL, NULL, error));
}

// ------------------------------------------------------------------ inertia

static int is_inside(int32_t type, const double *s, const double *p) {
  double r2 = p[0] * p[0] + p[1] * p[1];
  if (type == SN_GEOM_SPHERE) {
    return r2 + p[2] * p[2] <= s[0] * s[0];
  }
  if (type == SN_GEOM_CAPSULE) {
    double z = fmax(0, fabs(p[2]) - s[1]);
    return r2 + z * z <= s[0] * s[0];
  }
  if (type == SN_GEOM_CYLINDER) {
    return r2 <= s[0] * s[0] && fabs(p[2]) <= s[1];
  }
  double e = 0;
  for (int k = 0; k < 3; k++) {
    e += p[k] * p[k] / (s[k] * s[k]);
  }
  return type == SN_GEOM_ELLIPSOID ? e <= 1
                                   : fabs(p[0]) <= s[0] && fabs(p[1]) <= s[1] && fabs(p[2]) <= s[2];
}

// Sums over the points of a fine grid that are inside: an independent way to the same numbers.
START_TEST(inertia_of_shapes) {
  static const int32_t types[] = { SN_GEOM_SPHERE, SN_GEOM_CAPSULE, SN_GEOM_ELLIPSOID,
                                   SN_GEOM_CYLINDER, SN_GEOM_BOX };
  enum { N = 128 };   // the sizes are multiples of the step
  int32_t type = types[_i];
  const double size[3] = { 0.3, 0.5, 0.4 };
  const double reach = 0.8, step = 2 * reach / N, cell = step * step * step;
  double volume = 0, moment[3] = { 0 };
  for (int i = 0; i < N * N * N; i++) {
    const double p[3] = { -reach + step * (i % N + 0.5), -reach + step * (i / N % N + 0.5),
                          -reach + step * (i / N / N + 0.5) };
    if (is_inside(type, size, p)) {
      volume += cell;
      for (int k = 0; k < 3; k++) {
        moment[k] += cell * (sn_dot3(p, p) - p[k] * p[k]);
      }
    }
  }
  double unit[3];
  sn_shape_inertia(type, size, unit);
  NEAR(sn_shape_volume(type, size), volume, 0.01 * volume);
  for (int k = 0; k < 3; k++) {
    NEAR(unit[k], moment[k] / volume, 0.01 * unit[k]);
  }
}
END_TEST

// Two halves of a box, each turned and moved, have the mass and inertia of the whole.
START_TEST(halves_make_a_whole) {
  int32_t whole = add_body(0, "whole"), halves = add_body(0, "halves");
  add_geom(whole, NULL, SN_GEOM_BOX, 0.1, 0.2, 0.4);
  sn_geom_def half;
  sn_default_geom(&half);
  half.body = halves;
  half.type = SN_GEOM_BOX;
  SN_SET(half.size, 0.2, 0.2, 0.1);   // z of the half is x of the whole
  for (int k = 0; k < 2; k++) {
    SN_SET(half.pos, 0, 0, k ? 0.2 : -0.2);
    sn_default_orient(&half.orient);
    SN_SET(half.orient.zaxis, 1, 0, 0);
    OK(sn_spec_add_geom(spec, &half, NULL, NULL, error));
  }
  compile();
  const double *I = model->body_inertia;
  NEAR(model->body_mass[2], model->body_mass[1], 1e-12);
  double R[9], expected[3] = { I[3], I[4], I[5] };
  sn_quat_mat(R, model->body_iquat + 8);
  for (int p = 0; p < 3; p++) {
    for (int q = 0; q < 3; q++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        sum += R[3 * p + k] * R[3 * q + k] * I[6 + k];
      }
      NEAR(sum, p == q ? expected[p] : 0, 1e-12);
    }
  }
  ck_assert(I[6] >= I[7] && I[7] >= I[8]);
  NEAR(sn_norm3(model->body_ipos + 6), 0, 1e-15);
}
END_TEST

// A = R diag R' comes back as R and diag, whatever the axes, also for multiple values.
START_TEST(principal_axes) {
  static const double values[][3] = { { 3, 2, 1 }, { 1, 2, 3 }, { 2, 2, 1 }, { 1, 1, 1 } };
  const double axis[3] = { 0.48, -0.6, 0.64 };
  double turn[4], R[9], full[6] = { 0 }, found[3], quat[4], S[9];
  sn_axisangle_quat(turn, axis, 0.7 + _i);
  sn_quat_mat(R, turn);
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  for (int k = 0; k < 6; k++) {
    for (int j = 0; j < 3; j++) {
      full[k] += R[3 * row[k] + j] * values[_i][j] * R[3 * col[k] + j];
    }
  }
  sn_principal_axes(full, found, quat);
  ck_assert(found[0] >= found[1] && found[1] >= found[2]);
  sn_quat_mat(S, quat);
  for (int k = 0; k < 6; k++) {
    double sum = 0;
    for (int j = 0; j < 3; j++) {
      sum += S[3 * row[k] + j] * found[j] * S[3 * col[k] + j];
    }
    NEAR(sum, full[k], 1e-13);
  }
}
END_TEST

START_TEST(repairs_of_inertia) {
  sn_body_def body;
  sn_default_body(&body);
  body.inertial = 1;
  body.mass = 2;
  SN_SET(body.diaginertia, 1, 2, 3.5);
  OK(sn_spec_add_body(spec, &body, NULL, NULL, error));
  refused(SN_ECOMPILE, "body 1", "balanceinertia");

  sn_compiler c = { .def_size = sizeof c };
  OK(sn_spec_get_compiler(spec, &c));
  c.balanceinertia = 1;
  OK(sn_spec_set_compiler(spec, &c, error));
  compile();
  NEAR(model->body_inertia[3], 6.5 / 3, 1e-15);

  c.settotalmass[0] = 1;
  OK(sn_spec_set_compiler(spec, &c, error));
  compile();
  NEAR(model->body_mass[1], 1, 1e-15);
  NEAR(model->body_inertia[3], 6.5 / 6, 1e-15);

  c.settotalmass[0] = -1;
  c.boundmass[0] = 5;
  c.boundinertia[0] = 3;
  OK(sn_spec_set_compiler(spec, &c, error));
  compile();
  NEAR(model->body_mass[1], 5, 0);
  NEAR(model->body_inertia[3], 3, 0);
  NEAR(model->body_inertia[5], 3.5, 0);
}
END_TEST

// Green's coefficients: a sphere drags along half of the fluid that it displaces; the added
// inertia of a body of revolution about its axis vanishes.
START_TEST(added_mass) {
  const double ball[3] = { 0.3, 0, 0 }, rod[3] = { 0.1, 0.1, 0.4 }, coef[5] = { 1, 2, 3, 4, 5 };
  double out[12];
  sn_fluid_numbers(SN_GEOM_SPHERE, ball, coef, out);
  NEAR(out[6], 0.5 * sn_shape_volume(SN_GEOM_SPHERE, ball), 1e-13);
  NEAR(out[9], 0, 0);
  NEAR(out[5], 5, 0);
  sn_fluid_numbers(SN_GEOM_ELLIPSOID, rod, coef, out);
  NEAR(out[11], 0, 0);
  ck_assert(out[6] > out[8] && out[9] > 0);
  NEAR(out[6], out[7], 1e-15);
}
END_TEST

// ------------------------------------------------------------------ orientations

static void quat_of(const sn_orient *o, const sn_compiler *c, double *quat) {
  const char *wrong = sn_orient_quat(o, c, quat);
  ck_assert_msg(wrong == NULL, "%s", wrong);
  NEAR(sn_dot3(quat + 1, quat + 1) + quat[0] * quat[0], 1, 1e-14);
}

static void same_rotation(const double *a, const double *b) {
  double dot = a[0] * b[0] + sn_dot3(a + 1, b + 1);
  NEAR(fabs(dot), 1, 1e-14);
}

START_TEST(orientations_agree) {
  sn_compiler c;
  sn_default_compiler(&c);
  sn_orient o;
  double turn[4], other[4], R[9];
  sn_default_orient(&o);
  SN_SET(o.axisangle, 2, -1, 0.5, 0.8);   // of any length
  quat_of(&o, &c, turn);
  sn_quat_mat(R, turn);

  // the quaternion, scaled
  sn_default_orient(&o);
  for (int k = 0; k < 4; k++) {
    o.quat[k] = 3 * turn[k];
  }
  quat_of(&o, &c, other);
  same_rotation(turn, other);

  // its axes; y leans towards x and is not of unit length
  sn_default_orient(&o);
  for (int k = 0; k < 3; k++) {
    o.xyaxes[k] = 5 * R[3 * k];
    o.xyaxes[3 + k] = 2 * R[3 * k + 1] + 0.7 * R[3 * k];
  }
  quat_of(&o, &c, other);
  same_rotation(turn, other);

  // z goes to zaxis and the axis of that rotation is level
  sn_default_orient(&o);
  for (int k = 0; k < 3; k++) {
    o.zaxis[k] = 4 * R[3 * k + 2];
  }
  quat_of(&o, &c, other);
  double S[9];
  sn_quat_mat(S, other);
  for (int k = 0; k < 3; k++) {
    NEAR(S[3 * k + 2], R[3 * k + 2], 1e-14);
  }
  NEAR(other[3], 0, 1e-15);

  // degrees
  sn_default_orient(&o);
  SN_SET(o.axisangle, 2, -1, 0.5, 0.8 * 180 / SN_PI);
  c.degree = 1;
  quat_of(&o, &c, other);
  same_rotation(turn, other);
}
END_TEST

// Rotations about moving axes a b c are those about fixed axes c b a.
START_TEST(euler_sequences) {
  static const char *const pairs[][2] = { { "xyz", "ZYX" }, { "zxz", "ZXZ" }, { "yzx", "XZY" } };
  sn_compiler c;
  sn_default_compiler(&c);
  sn_orient o;
  double moving[4], fixed[4];
  sn_default_orient(&o);
  SN_SET(o.euler, 0.3, -0.5, 1.1);
  strcpy(c.eulerseq, pairs[_i][0]);
  quat_of(&o, &c, moving);
  SN_SET(o.euler, 1.1, -0.5, 0.3);
  strcpy(c.eulerseq, pairs[_i][1]);
  quat_of(&o, &c, fixed);
  same_rotation(moving, fixed);

  strcpy(c.eulerseq, "xyq");
  ck_assert_ptr_nonnull(sn_orient_quat(&o, &c, fixed));
  strcpy(c.eulerseq, "xyz");
  SN_SET(o.zaxis, 1, 0, 0);
  ck_assert_ptr_nonnull(strstr(sn_orient_quat(&o, &c, fixed), "more than once"));
}
END_TEST

START_TEST(from_to) {
  const double fromto[6] = { 1, 2, 3, -1, 0, 4 };
  double pos[3], quat[4], size[3] = { 0.1, 9, 9 }, tip[3], half[3] = { 0, 0, 0 };
  ck_assert_ptr_null(sn_orient_fromto(fromto, SN_GEOM_CAPSULE, pos, quat, size));
  NEAR(size[1], 1.5, 1e-15);
  half[2] = size[1];
  sn_rotate(tip, half, quat);
  sn_add3(tip, tip, pos);
  for (int k = 0; k < 3; k++) {
    NEAR(tip[k], fromto[k], 1e-14);
  }
  ck_assert_ptr_null(sn_orient_fromto(fromto, SN_GEOM_BOX, pos, quat, size));
  NEAR(size[1], 0.1, 0);
  NEAR(size[2], 1.5, 1e-15);
  ck_assert_ptr_nonnull(sn_orient_fromto(fromto, SN_GEOM_SPHERE, pos, quat, size));
}
END_TEST

// ------------------------------------------------------------------ the tree

// Bodies are added out of order; a model numbers them depth first, and everything follows.
START_TEST(depth_first) {
  int32_t a = add_body(0, "a"), b = add_body(0, "b"), a1 = add_body(a, "a1");
  int32_t b1 = add_body(b, "b1"), a11 = add_body(a1, "a11");
  add_joint(b, "jb", SN_JOINT_FREE);
  add_joint(a11, "ja11", SN_JOINT_BALL);
  add_joint(a1, "ja1", SN_JOINT_SLIDE);
  add_joint(a1, "ka1", SN_JOINT_HINGE);
  add_geom(b1, "gb1", SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(0, "gw", SN_GEOM_PLANE, 1, 1, 1);
  add_geom(a1, "ga1", SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(b, "gb", SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(a11, "ga11", SN_GEOM_SPHERE, 0.1, 0, 0);
  compile();
  static const char *const bodies[] = { "world", "a", "a1", "a11", "b", "b1" };
  static const char *const joints[] = { "ja1", "ka1", "ja11", "jb" };
  static const char *const geoms[] = { "gw", "ga1", "ga11", "gb", "gb1" };
  for (int32_t i = 0; i < 6; i++) {
    ck_assert_str_eq(sn_name(model, "body", i), bodies[i]);
  }
  for (int32_t i = 0; i < 4; i++) {
    ck_assert_str_eq(sn_name(model, "joint", i), joints[i]);
  }
  for (int32_t i = 0; i < 5; i++) {
    ck_assert_str_eq(sn_name(model, "geom", i), geoms[i]);
  }
  ck_assert_int_eq(model->nv, 1 + 1 + 3 + 6);
  ck_assert_int_eq(model->nq, 1 + 1 + 4 + 7);
  ck_assert_int_eq(model->nM, (1 + 2 + 3 + 4 + 5) + (1 + 2 + 3 + 4 + 5 + 6));
  static const int32_t parents[] = { -1, 0, 1, 2, 3, -1, 5, 6, 7, 8, 9 };
  for (int i = 0; i < 11; i++) {
    ck_assert_int_eq(model->dof_parentid[i], parents[i]);
    ck_assert_int_eq(model->dof_treeid[i], i < 5 ? 0 : 1);
  }
  // a is fixed to the world, b1 to b
  static const int32_t weld[] = { 0, 0, 2, 3, 4, 4 }, root[] = { 0, 1, 1, 1, 4, 4 };
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(model->body_weldid[i], weld[i]);
    ck_assert_int_eq(model->body_rootid[i], root[i]);
  }
  NEAR(model->body_subtreemass[1], 2 * model->body_mass[2], 1e-12);
  NEAR(model->qpos0[2], 1, 0);   // of the ball joint
}
END_TEST

// A time constant and damping ratio: x'' + d/I x' + k/I x decays with exp(-t/T) at z <= 1.
START_TEST(spring_of_a_time_constant) {
  int32_t a = add_body(0, "a");
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = a;
  SN_SET(joint.springdamper, 0.25, 0.8);
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
  add_geom(a, NULL, SN_GEOM_BOX, 0.1, 0.2, 0.3);
  compile();
  double I = model->dof_M0[0], d = model->dof_damping[0], k = model->jnt_stiffness[0];
  NEAR(d / (2 * I), 1 / 0.25, 1e-12);
  NEAR(d / (2 * sqrt(k * I)), 0.8, 1e-12);
}
END_TEST

// A weld without a pose and a connect hold at qpos0: both anchors are one global point.
START_TEST(equality_holds_at_the_start) {
  sn_body_def body;
  int32_t ids[2];
  for (int k = 0; k < 2; k++) {
    sn_default_body(&body);
    body.name = k ? "b" : "a";
    SN_SET(body.pos, 1 + k, 2, 3 * k);
    SN_SET(body.orient.quat, 0.8, 0.1, -0.4 * k, 0.2);
    OK(sn_spec_add_body(spec, &body, NULL, &ids[k], error));
    add_geom(ids[k], NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
    add_joint(ids[k], NULL, SN_JOINT_FREE);
  }
  sn_equality_def eq;
  sn_default_equality(&eq);
  eq.obj1 = "a";
  eq.obj2 = "b";
  SN_SET(eq.anchor, 0.3, -0.2, 0.1);
  eq.type = SN_EQUALITY_CONNECT;
  OK(sn_spec_add_equality(spec, &eq, NULL, NULL, error));
  eq.type = SN_EQUALITY_WELD;
  OK(sn_spec_add_equality(spec, &eq, NULL, NULL, error));
  compile();
  const double *pos = model->body_pos, *quat = model->body_quat;
  const double *connect = model->eq_data, *weld = model->eq_data + 11;
  double p[3], q[3], turn[4];
  sn_rotate(p, connect, quat + 4);
  sn_add3(p, p, pos + 3);
  sn_rotate(q, connect + 3, quat + 8);
  sn_add3(q, q, pos + 6);
  NEAR(sn_dist3(p, q), 0, 1e-14);
  sn_rotate(p, weld, quat + 8);
  sn_add3(p, p, pos + 6);
  sn_rotate(q, weld + 3, quat + 4);
  sn_add3(q, q, pos + 3);
  NEAR(sn_dist3(p, q), 0, 1e-14);
  sn_mul_quat(turn, quat + 4, weld + 6);
  same_rotation(turn, quat + 8);
}
END_TEST

// ------------------------------------------------------------------ pairs

// What a pair leaves unset is mixed from its geoms, and pairs are sorted by their bodies.
START_TEST(pairs_are_mixed_and_sorted) {
  int32_t a = add_body(0, "a"), b = add_body(0, "b");
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.size[0] = 0.1;
  geom.body = a;
  geom.name = "ga";
  geom.condim = 4;
  geom.margin = 0.3;
  geom.solmix = 3;
  SN_SET(geom.friction, 0.5, 0.1, 0.2);
  SN_SET(geom.solref, 0.1, 0.5);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  sn_default_geom(&geom);
  geom.size[0] = 0.1;
  geom.body = b;
  geom.name = "gb";
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  add_geom(0, "gw", SN_GEOM_PLANE, 1, 1, 1);

  sn_pair_def pair;
  sn_default_pair(&pair);
  pair.geom1 = "gb";
  pair.geom2 = "ga";
  pair.gap = 0.05;
  OK(sn_spec_add_pair(spec, &pair, NULL, NULL, error));
  pair.name = "floor";
  pair.geom2 = "gw";
  OK(sn_spec_add_pair(spec, &pair, NULL, NULL, error));
  compile();
  ck_assert_str_eq(sn_name(model, "pair", 0), "floor");
  ck_assert_int_eq(model->pair_geom1[0], 0);
  ck_assert_int_eq(model->pair_signature[1], (2 << 16) + 3);
  ck_assert_int_eq(model->pair_geom1[1], 1);
  ck_assert_int_eq(model->pair_dim[1], 4);
  NEAR(model->pair_margin[1], 0.3, 0);
  NEAR(model->pair_gap[1], 0.05, 0);
  NEAR(model->pair_solref[2], 0.75 * 0.1 + 0.25 * 0.02, 1e-15);
  NEAR(model->pair_friction[5], 1, 0);
  NEAR(model->pair_friction[7], 0.1, 0);
}
END_TEST

// ------------------------------------------------------------------ actuators and sensors

static void add_actuator(const char *name, const char *joint, const char *dyntype, double states) {
  sn_actuator_def actuator;
  sn_default_actuator(&actuator);
  actuator.name = name;
  actuator.target = joint;
  actuator.dyntype = dyntype;
  actuator.dynprm[0] = states;
  OK(sn_spec_add_actuator(spec, &actuator, NULL, NULL, error));
}

START_TEST(laws_decide) {
  int32_t a = add_body(0, "a");
  add_joint(a, "turn", SN_JOINT_HINGE);
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_actuator("plain", "turn", "none", 0);
  add_actuator("two", "turn", "states", 2);
  add_actuator("three", "turn", "states", 3);
  compile();
  static const int32_t adr[] = { -1, 0, 2 }, num[] = { 0, 2, 3 };
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(model->actuator_actadr[i], adr[i]);
    ck_assert_int_eq(model->actuator_actnum[i], num[i]);
  }
  ck_assert_int_eq(model->na, 5);
  ck_assert_str_eq(model->names + model->actuator_dynname[2], "states");
  NEAR(model->actuator_acc0[0], model->dof_invweight0[0], 1e-9);

  add_actuator("late", "turn", "none", 0);
  refused(SN_ECOMPILE, "actuator 'late'", "before");
}
END_TEST

START_TEST(laws_refuse) {
  int32_t a = add_body(0, "a");
  add_joint(a, "turn", SN_JOINT_HINGE);
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  sn_actuator_def actuator;
  sn_default_actuator(&actuator);
  actuator.name = "m";
  actuator.target = "turn";
  const sn_place place = { "m.xml", 8, 2 };
  int32_t id;
  OK(sn_spec_add_actuator(spec, &actuator, &place, &id, error));

  // a plugin's own words, with the place of the element
  actuator.gainprm[0] = -1;
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  refused(SN_ECOMPILE, "m.xml:8:2", "gain must not be negative");
  actuator.gaintype = "fixd";
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  refused(SN_ENOTFOUND, "actuator 'm'", "fixed");
  actuator.gaintype = "long";
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  refused(SN_ECOMPILE, "actuator 'm'", "lengthrange");   // the toys do not move
  sn_compiler c = { .def_size = sizeof c };
  OK(sn_spec_get_compiler(spec, &c));
  c.lr_timestep[0] = 0;
  OK(sn_spec_set_compiler(spec, &c, error));
  refused(SN_ECOMPILE, "lengthrange", "timestep 0");
  c.lr_timestep[0] = 0.01;
  OK(sn_spec_set_compiler(spec, &c, error));
  SN_SET(actuator.lengthrange, 1, 2);
  actuator.actlimited = SN_TRUE;
  SN_SET(actuator.actrange, 0, 1);
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  refused(SN_ECOMPILE, "activation", "none");
  actuator.actlimited = SN_FALSE;
  actuator.target = "trn";
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  refused(SN_ECOMPILE, "no joint 'trn'", "did you mean 'turn'");
}
END_TEST

START_TEST(sensors_are_placed) {
  int32_t a = add_body(0, "a");
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_site(a, "s");
  sn_sensor_def sensor;
  sn_default_sensor(&sensor);
  sensor.type = "open";
  sensor.dim = 3;
  sensor.stage = SN_STAGE_VELOCITY;
  sensor.datatype = SN_DATA_AXIS;
  int32_t id;
  OK(sn_spec_add_sensor(spec, &sensor, NULL, NULL, error));
  sn_default_sensor(&sensor);
  sensor.type = "frame";
  sensor.name = "f";
  sensor.objtype = "site";
  sensor.object = "s";
  sensor.refobject = "s";   // its type accepts one kind, which need not be said
  sensor.attributes = "key=value";
  OK(sn_spec_add_sensor(spec, &sensor, NULL, &id, error));
  compile();
  ck_assert_int_eq(model->nsensordata, 7);
  ck_assert_int_eq(model->nsensorstate, 2);
  ck_assert_int_eq(model->sensor_needstage[0], SN_STAGE_VELOCITY);
  ck_assert_int_eq(model->sensor_datatype[0], SN_DATA_AXIS);
  ck_assert_int_eq(model->sensor_adr[1], 3);
  ck_assert_int_eq(model->sensor_refid[1], 0);
  ck_assert_str_eq(model->names + model->sensor_refname[1], "site");
  ck_assert_str_eq(model->names + model->sensor_attradr[1], "key=value");

  // what is said to it is checked against what it declares
  sensor.attributes = "key=a=b\ngain=much\n";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  refused(SN_EINVAL, "sensor 'f'", "'gain' is a number, not 'much'");
  sensor.attributes = "gian=2";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  refused(SN_ENOTFOUND, "sensor 'f'", "did you mean 'gain'");
  sensor.attributes = NULL;

  sensor.cutoff = 1;
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  refused(SN_ECOMPILE, "sensor 'f'", "cutoff");
  sensor.cutoff = 0;
  sensor.objtype = "geom";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  refused(SN_ECOMPILE, "sensor 'f'", "site|body");
  sensor.type = "fram";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  refused(SN_ENOTFOUND, "sensor 'f'", "frame");
}
END_TEST

// ------------------------------------------------------------------ keyframes, names, errors

START_TEST(keyframes) {
  int32_t a = add_body(0, "a");
  add_joint(a, "turn", SN_JOINT_BALL);
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  sn_body_def mocap;
  sn_default_body(&mocap);
  mocap.mocap = 1;
  SN_SET(mocap.pos, 7, 8, 9);
  OK(sn_spec_add_body(spec, &mocap, NULL, NULL, error));
  const double qpos[] = { 2, 0, 0, 2 };
  sn_key_def key;
  sn_default_key(&key);
  key.name = "k";
  key.qpos = (sn_reals){ qpos, 4 };
  int32_t id;
  OK(sn_spec_add_key(spec, &key, NULL, &id, error));
  compile();
  NEAR(model->key_qpos[0], sqrt(0.5), 1e-15);
  NEAR(model->key_mpos[1], 8, 0);
  NEAR(model->key_mquat[0], 1, 0);
  key.qpos.n = 3;
  OK(sn_spec_set_key(spec, id, &key, error));
  refused(SN_ECOMPILE, "key 'k'", "the model needs 4");
}
END_TEST

START_TEST(names_are_unique) {
  sn_site_def site;
  sn_default_site(&site);
  site.name = "s";
  const sn_place first = { "a.xml", 1, 2 }, second = { "b.xml", 3, 4 };
  OK(sn_spec_add_site(spec, &site, &first, NULL, error));
  OK(sn_spec_add_site(spec, &site, &second, NULL, error));
  refused(SN_ECOMPILE, "b.xml:3:4", "a.xml:1:2");
}
END_TEST

typedef struct mistake {
  const char *word1, *word2;
  sn_status code;
  void (*make)(void);
} mistake;

static void moving_without_mass(void) {
  add_joint(add_body(0, "a"), "j", SN_JOINT_HINGE);
}

static void free_joint_below(void) {
  int32_t a = add_body(0, "a"), b = add_body(a, "b");
  add_geom(b, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_joint(b, "j", SN_JOINT_FREE);
}

static void too_many_dofs(void) {
  int32_t a = add_body(0, "a");
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_joint(a, "j", SN_JOINT_FREE);
  add_joint(a, "k", SN_JOINT_HINGE);
}

static void moving_plane(void) {
  int32_t a = add_body(0, "a");
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(a, "p", SN_GEOM_PLANE, 1, 1, 1);
  add_joint(a, "j", SN_JOINT_FREE);
}

static void flat_box(void) {
  add_geom(0, "g", SN_GEOM_BOX, 1, 1, 0);
}

static void no_material(void) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.name = "g";
  geom.size[0] = 1;
  geom.material = "stel";
  sn_material_def material;
  sn_default_material(&material);
  material.name = "steel";
  OK(sn_spec_add_material(spec, &material, NULL, NULL, error));
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static void lonely_geom(void) {
  add_geom(0, "g", SN_GEOM_SPHERE, 1, 0, 0);
  add_site(0, "s");
  const sn_wrap_def wrap[2] = { { .type = SN_WRAP_SITE, .object = "s" },
                                { .type = SN_WRAP_SPHERE, .object = "g" } };
  sn_tendon_def tendon;
  sn_default_tendon(&tendon);
  tendon.name = "t";
  tendon.wrap = wrap;
  tendon.nwrap = 2;
  OK(sn_spec_add_tendon(spec, &tendon, NULL, NULL, error));
}

static void empty_mesh(void) {
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  mesh.name = "m";
  OK(sn_spec_add_mesh(spec, &mesh, NULL, NULL, error));
}

static void moving_mocap(void) {
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.name = "m";
  body.mocap = 1;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  add_geom(id, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_joint(id, "j", SN_JOINT_HINGE);
}

static void huge_size(void) {
  sn_size_hint hint = { .def_size = sizeof hint };
  OK(sn_spec_get_size_hint(spec, &hint));
  hint.nuser_geom = INT64_MAX;
  OK(sn_spec_set_size_hint(spec, &hint, error));
}

static const mistake mistakes[] = {
  { "body 'a'", "inertial", SN_ECOMPILE, moving_without_mass },
  { "joint 'j'", "children of the world", SN_ECOMPILE, free_joint_below },
  { "body 'a'", "more than 6", SN_ECOMPILE, too_many_dofs },
  { "geom 'p'", "without joints", SN_ECOMPILE, moving_plane },
  { "geom 'g'", "size 3", SN_ECOMPILE, flat_box },
  { "geom 'g'", "did you mean 'steel'?", SN_ECOMPILE, no_material },
  { "tendon 't'", "between two sites", SN_ECOMPILE, lonely_geom },
  { "mesh 'm'", "at least 4", SN_ECOMPILE, empty_mesh },
  { "body 'm'", "without joints", SN_ECOMPILE, moving_mocap },
  { "size", "too large", SN_ECOMPILE, huge_size },
};
enum { NMISTAKES = sizeof mistakes / sizeof mistakes[0] };

START_TEST(mistakes_are_named) {
  const mistake *m = &mistakes[_i];
  m->make();
  refused(m->code, m->word1, m->word2);
}
END_TEST

// The same spec gives the same bytes.
START_TEST(same_bytes) {
  int32_t a = add_body(0, "a");
  add_joint(a, "j", SN_JOINT_FREE);
  add_geom(a, "g", SN_GEOM_CAPSULE, 0.1, 0.3, 0);
  add_geom(a, "h", SN_GEOM_BOX, 0.1, 0.3, 0.2);
  compile();
  sn_model *again = sn_compile(spec, error);
  ck_assert_ptr_nonnull(again);
  ck_assert_int_eq(again->nbuffer, model->nbuffer);
  ck_assert_mem_eq(again->buffer, model->buffer, (size_t)model->nbuffer);
  sn_model_free(again);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("compile");
  TCase *tcase = tcase_create("compile");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_loop_test(tcase, inertia_of_shapes, 0, 5);
  tcase_add_test(tcase, halves_make_a_whole);
  tcase_add_loop_test(tcase, principal_axes, 0, 4);
  tcase_add_test(tcase, repairs_of_inertia);
  tcase_add_test(tcase, added_mass);
  tcase_add_test(tcase, orientations_agree);
  tcase_add_loop_test(tcase, euler_sequences, 0, 3);
  tcase_add_test(tcase, from_to);
  tcase_add_test(tcase, depth_first);
  tcase_add_test(tcase, spring_of_a_time_constant);
  tcase_add_test(tcase, equality_holds_at_the_start);
  tcase_add_test(tcase, pairs_are_mixed_and_sorted);
  tcase_add_test(tcase, laws_decide);
  tcase_add_test(tcase, laws_refuse);
  tcase_add_test(tcase, sensors_are_placed);
  tcase_add_test(tcase, keyframes);
  tcase_add_test(tcase, names_are_unique);
  tcase_add_loop_test(tcase, mistakes_are_named, 0, NMISTAKES);
  tcase_add_test(tcase, same_bytes);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
