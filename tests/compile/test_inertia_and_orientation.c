// SPDX-License-Identifier: Apache-2.0
//
// The compiler: inertia of shapes against numerical integration over their volume, orientations
// against each other and by their definition.

#include "compile/compiling.h"
#include "sinew/numerics/principal_axes.h"
#include "suite.h"

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
  si_shape_inertia(type, size, 1, unit);
  NEAR(si_shape_volume(type, size), volume, 0.01 * volume);
  for (int k = 0; k < 3; k++) {
    NEAR(unit[k], moment[k] / volume, 0.01 * unit[k]);
  }
}
END_TEST

// Two halves of a box, each turned and moved, have the mass and inertia of the whole.
// Only a mesh can be a shell; where no inertia comes of it the word does no harm.
START_TEST(shells_are_meshes) {
  sn_geom_def floor, box;
  sn_default_geom(&floor);
  floor.type = SN_GEOM_PLANE;
  floor.shellinertia = 1;
  SN_SET(floor.size, 1, 1, 1);
  OK(sn_spec_add_geom(spec, &floor, NULL, NULL, error));
  compile();

  sn_default_geom(&box);
  box.body = add_body(0, "a");
  box.name = "shell";
  box.type = SN_GEOM_BOX;
  box.shellinertia = 1;
  SN_SET(box.size, 1, 1, 1);
  int32_t id;
  OK(sn_spec_add_geom(spec, &box, NULL, &id, error));
  rejected(SN_ECOMPILE, "geom 'shell'", "shellinertia requires a mesh");

  // looks only
  box.mass = 0;
  OK(sn_spec_set_geom(spec, id, &box, error));
  compile();

  // the body has an inertial
  box.mass = 1;
  OK(sn_spec_set_geom(spec, id, &box, error));
  sn_body_def body;
  sn_default_body(&body);
  body.inertial = 1;
  body.mass = 3;
  SN_SET(body.ipos, 0, 0, 0);
  SN_SET(body.diaginertia, 1, 1, 1);
  OK(sn_spec_set_body(spec, box.body, &body, error));
  compile();
  NEAR(model->body_mass[1], 3, 0);
}
END_TEST

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
  rejected(SN_ECOMPILE, "body 1", "balanceinertia");

  sn_compiler c = { .def_size = sizeof c };
  OK(sn_spec_get_compiler(spec, &c));
  c.balanceinertia = 1;
  OK(sn_spec_set_compiler(spec, &c, error));
  compile();
  NEAR(model->body_inertia[3], 6.5 / 3, 1e-15);

  c.settotalmass = 1;
  OK(sn_spec_set_compiler(spec, &c, error));
  compile();
  NEAR(model->body_mass[1], 1, 1e-15);
  NEAR(model->body_inertia[3], 6.5 / 6, 1e-15);

  c.settotalmass = -1;
  c.boundmass = 5;
  c.boundinertia = 3;
  OK(sn_spec_set_compiler(spec, &c, error));
  compile();
  NEAR(model->body_mass[1], 5, 0);
  NEAR(model->body_inertia[3], 3, 0);
  NEAR(model->body_inertia[5], 3.5, 0);
}
END_TEST

// As libmujoco does, but not silently.
START_TEST(negative_mass_is_a_warning) {
  sn_body_def body;
  sn_default_body(&body);
  body.inertial = 1;
  body.mass = _i ? 1 : -1;
  SN_SET(body.diaginertia, _i ? -1 : 1, 1, 1);
  OK(sn_spec_add_body(spec, &body, NULL, NULL, error));
  compile();
  NEAR(model->body_mass[1], _i ? 1 : 0, 0);
  NEAR(model->body_inertia[3], _i ? 0 : 1, 0);
  ck_assert_ptr_nonnull(sn_model_warning(model, 0));
  ck_assert_ptr_nonnull(
      strstr(sn_model_warning(model, 0), _i ? "a principal moment of -1 1 1 is negative; 0 is used"
                                            : "the mass -1 is negative; 0 is used"));
  // a body that moves cannot have it
  add_joint(1, "j", SN_JOINT_HINGE);
  rejected(SN_ECOMPILE, "body 1",
           _i ? "its diaginertia is -1 1 1; a body that moves needs positive moments of inertia"
              : "its mass is -1; a body that moves needs a positive mass");
}
END_TEST

// With fromto, only the radius is missing.
START_TEST(fromto_needs_a_radius) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.type = SN_GEOM_CAPSULE;
  memcpy(geom.fromto, (const double[6]){ 0, 0, 0, 0, 0, 1 }, sizeof geom.fromto);
  int32_t id;
  OK(sn_spec_add_geom(spec, &geom, NULL, &id, error));
  rejected(SN_ECOMPILE, "geom 0",
           "the radius of a capsule with fromto, the first number of size, is missing or 0");
  geom.size[0] = 0.1;
  OK(sn_spec_set_geom(spec, id, &geom, error));
  compile();
}
END_TEST

// In a chain of massless links each carries a fixed mass, which comes after the links below it; the
// one that carries none is named.
START_TEST(massless_links_carry_mass) {
  enum { N = 100 };
  int32_t link = 0, links[N];
  for (int i = 0; i < N; i++) {
    char name[16];
    snprintf(name, sizeof name, "link%d", i);
    links[i] = link = add_body(link, name);
    add_joint(link, NULL, SN_JOINT_HINGE);
  }
  for (int i = 0; i < N; i++) {
    if (i != 70) {
      add_geom(add_body(links[i], NULL), NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
    }
  }
  rejected(SN_ECOMPILE, "body 'link70'", "it moves but has no mass or inertia; add a geom");
  // a geom that inertiagrouprange leaves out is named as the cause
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.body = links[70];
  geom.size[0] = 0.1;
  geom.group = 9;
  int32_t id;
  OK(sn_spec_add_geom(spec, &geom, NULL, &id, error));
  rejected(SN_ECOMPILE, "body 'link70'", "inertiagrouprange, 0 5, excludes group 9 of its geom");
  geom.group = 5;
  OK(sn_spec_set_geom(spec, id, &geom, error));
  compile();
}
END_TEST

// Green's coefficients: a sphere drags along half of the fluid that it displaces; the added
// inertia of a body of revolution about its axis vanishes.
START_TEST(added_mass) {
  const double ball[3] = { 0.3, 0, 0 }, rod[3] = { 0.1, 0.1, 0.4 }, coef[5] = { 1, 2, 3, 4, 5 };
  double out[12];
  si_fluid_numbers(SN_GEOM_SPHERE, ball, coef, out);
  NEAR(out[6], 0.5 * si_shape_volume(SN_GEOM_SPHERE, ball), 1e-13);
  NEAR(out[9], 0, 0);
  NEAR(out[5], 5, 0);
  si_fluid_numbers(SN_GEOM_ELLIPSOID, rod, coef, out);
  NEAR(out[11], 0, 0);
  ck_assert(out[6] > out[8] && out[9] > 0);
  NEAR(out[6], out[7], 1e-15);
}
END_TEST

// ------------------------------------------------------------------ orientations

static void quat_of(const sn_orient *o, const sn_compiler *c, double *quat) {
  const char *wrong = si_orient_quat(o, c, quat);
  ck_assert_msg(wrong == NULL, "%s", wrong);
  NEAR(sn_dot3(quat + 1, quat + 1) + quat[0] * quat[0], 1, 1e-14);
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
  ck_assert_ptr_nonnull(si_orient_quat(&o, &c, fixed));
  strcpy(c.eulerseq, "xyz");
  SN_SET(o.zaxis, 1, 0, 0);
  ck_assert_ptr_nonnull(strstr(si_orient_quat(&o, &c, fixed), "more than once"));
}
END_TEST

START_TEST(from_to) {
  const double fromto[6] = { 1, 2, 3, -1, 0, 4 };
  double pos[3], quat[4], size[3] = { 0.1, 9, 9 }, tip[3], half[3] = { 0, 0, 0 };
  ck_assert_ptr_null(si_orient_fromto(fromto, SN_GEOM_CAPSULE, pos, quat, size));
  NEAR(size[1], 1.5, 1e-15);
  half[2] = size[1];
  sn_rotate(tip, half, quat);
  sn_add3(tip, tip, pos);
  for (int k = 0; k < 3; k++) {
    NEAR(tip[k], fromto[k], 1e-14);
  }
  ck_assert_ptr_null(si_orient_fromto(fromto, SN_GEOM_BOX, pos, quat, size));
  NEAR(size[1], 0.1, 0);
  NEAR(size[2], 1.5, 1e-15);
  ck_assert_ptr_nonnull(si_orient_fromto(fromto, SN_GEOM_SPHERE, pos, quat, size));

  // a geom with some of the numbers
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.body = add_body(0, "a");
  geom.name = "rod";
  geom.type = SN_GEOM_CAPSULE;
  geom.size[0] = 0.1;
  geom.fromto[5] = -1;
  ck_assert_int_eq(sn_spec_add_geom(spec, &geom, NULL, NULL, error), SN_OK);
  rejected(SN_ECOMPILE, "geom 'rod'", "fromto needs six numbers");
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  EACH(inertia_of_shapes, 0, 5);
  TEST(shells_are_meshes);
  TEST(halves_make_a_whole);
  EACH(principal_axes, 0, 4);
  TEST(repairs_of_inertia);
  EACH(negative_mass_is_a_warning, 0, 2);
  TEST(fromto_needs_a_radius);
  TEST(massless_links_carry_mass);
  TEST(added_mass);
  TEST(orientations_agree);
  EACH(euler_sequences, 0, 3);
  TEST(from_to);
}
