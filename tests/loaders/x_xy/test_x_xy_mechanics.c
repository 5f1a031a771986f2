// SPDX-License-Identifier: Apache-2.0
//
// The mechanics of x_xy: closed forms, numbers of the original's own tests, conventions, and where
// the original departs from mechanics and Sinew does not.

#include "loaders/x_xy/x_xy_text.h"
#include "suite.h"

static void setup(void) {
  open_engine("");
}

// ------------------------------------------------------------------ closed forms

// v' = v + h (k (z - x) - d v) / (m + a + d h + 1e-6),  x' = x + h v'
START_TEST(spring_damped_is_the_documented_recursion) {
  const double mass = 2.5, a = 0.3, damping = 0.7, k = 11, z = 0.4, h = 0.02;
  sn_model *m = model_of("<x_xy><options gravity='0 0 0' dt='0.02'/><worldbody>"
                         "<body name='a' joint='px' damping='0.7' armature='0.3'"
                         " spring_stiff='11' spring_zero='0.4'>"
                         "<geom type='sphere' mass='2.5' dim='0.1'/></body></worldbody></x_xy>");
  sn_data *d = data_of(m);
  double x = snd_qpos(d)[0] = -0.3, v = snd_qvel(d)[0] = 1.5;
  for (int i = 0; i < 300; i++) {
    v += h * (k * (z - x) - damping * v) / (mass + a + damping * h + 1e-6);
    x += h * v;
    ck_assert_int_ge(sn_step(m, d), 0);
    ck_assert_double_eq_tol(snd_qvel(d)[0], v, 1e-12);
    ck_assert_double_eq_tol(snd_qpos(d)[0], x, 1e-12);
  }
  done_with(m, d);
}
END_TEST

// z_n = z_0 + n h v_0 - h^2 g n (n + 1) / 2 m / (m + 1e-6); gravity 0 0 9.81 pulls down
START_TEST(free_fall_is_the_documented_series) {
  const double h = 0.01, v0 = 2, mass = 0.5;
  sn_model *m = model_of(X("<body name='a' joint='free' pos='0 0 3'>"
                           "<geom type='sphere' mass='0.5' dim='0.1'/></body>"));
  sn_data *d = data_of(m);
  ck_assert_int_eq(snm_nq(m), 7);
  ck_assert_int_eq(snm_nv(m), 6);
  snd_qvel(d)[2] = v0;
  for (int n = 1; n <= 200; n++) {
    ck_assert_int_ge(sn_step(m, d), 0);
    double z = n * h * v0 - h * h * 9.81 * n * (n + 1) / 2 * mass / (mass + 1e-6);
    ck_assert_double_eq_tol(snd_qpos(d)[2], z, 1e-12 * n);
  }
  sn_forward(m, d);
  ck_assert_double_eq_tol(position(d, m, "a")[2], 3 + snd_qpos(d)[2], 1e-12);
  done_with(m, d);
}
END_TEST

// 2 pi sqrt(I / (m g d)) for small angles
START_TEST(pendulum_has_the_period_of_small_angles) {
  const double h = 1e-4, mass = 2, l = 0.8, side = 0.1;
  sn_model *m = model_of("<x_xy><options dt='0.0001'/><worldbody><body name='a' joint='rx'>"
                         "<geom type='box' mass='2' dim='0.1 0.1 0.1' pos='0 0 -0.8'/></body>"
                         "</worldbody></x_xy>");
  sn_data *d = data_of(m);
  double inertia = mass * side * side / 6 + mass * l * l + 1e-6;
  double period = 2 * SN_PI * sqrt(inertia / (mass * 9.81 * l));
  snd_qpos(d)[0] = 1e-3;
  double last = 1e-3, first = 0, crossing = 0;
  int crossings = 0;
  for (int i = 1; crossings < 11; i++) {
    ck_assert_int_ge(sn_step(m, d), 0);
    double x = snd_qpos(d)[0];
    if ((x < 0) != (last < 0)) {
      crossing = h * (i - 1 + last / (last - x));
      first = crossings++ == 0 ? crossing : first;
    }
    last = x;
  }
  ck_assert_double_eq_tol((crossing - first) / 5, period, 1e-6 * period);
  done_with(m, d);
}
END_TEST

// The world's angular momentum of a tumbling body; the error is of the integrator, of order h.
static double momentum_drift(double h) {
  char text[600];
  snprintf(text, sizeof text,
           "<x_xy><options gravity='0 0 0' dt='%.10g'/><worldbody>"
           "<body name='a' joint='free' armature='-1e-6 -1e-6 -1e-6 -1e-6 -1e-6 -1e-6'>"
           "<geom type='box' mass='1' dim='0.3 0.5 0.8'/></body></worldbody></x_xy>",
           h);
  sn_model *m = model_of(text);
  sn_data *d = data_of(m);
  const double w[3] = { 1, 2, -0.5 }, box[3] = { 0.3, 0.5, 0.8 };
  double I[3], before[3], after[3], change[3];
  for (int i = 0; i < 3; i++) {
    double b = box[(i + 1) % 3], c = box[(i + 2) % 3];
    I[i] = (b * b + c * c) / 12;
    before[i] = I[i] * w[i];
    snd_qvel(d)[3 + i] = w[i];
  }
  steps(m, d, (int)(1 / h + 0.5));
  for (int i = 0; i < 3; i++) {
    after[i] = I[i] * snd_qvel(d)[3 + i];
  }
  sn_rotate(after, after, snd_qpos(d) + 3);
  sn_sub3(change, after, before);
  done_with(m, d);
  return sn_norm3(change) / sn_norm3(before);
}

START_TEST(torque_free_angular_momentum_is_kept) {
  double coarse = momentum_drift(1e-3), fine = momentum_drift(5e-4);
  ck_assert_double_lt(coarse, 2e-3);
  ck_assert_msg(coarse / fine > 1.9 && coarse / fine < 2.1, "drift %g, %g", coarse, fine);
}
END_TEST

// ------------------------------------------------------------------ numbers of the original

START_TEST(bias_and_inertia_of_two_hinges) {
  sn_model *m = model_of(X("<body name='upper' joint='rx' pos='0 1 0'>"
                           "<geom type='box' mass='10' dim='1 1 1' pos='1 1 1'/>"
                           "<body name='lower' joint='rz' pos='0 1 0'>"
                           "<geom type='box' mass='10' dim='1 1 1' pos='1 1 1'/></body></body>"));
  sn_data *d = data_of(m);
  double M[4];
  snd_qpos(d)[0] = -SN_PI / 2;
  ck_assert_int_ge(sn_forward(m, d), 0);
  close_to(snd_qfrc_bias(d), (const double[]){ 196.2, -98.1 }, 2, 1e-9, "bias");
  sn_full_inertia(m, d, M);
  const double ridge = 1e-6;   // the original's print is without
  close_to(M, (const double[]){ 220.0 / 3 + ridge, -10, -10, 65.0 / 3 + ridge }, 4, 1e-9, "M");
  done_with(m, d);
}
END_TEST

START_TEST(links_are_numbered_as_they_are_written) {
  sn_model *m = model_of(X("<body name='seg2' joint='free'>" BOX "<body name='seg1' joint='ry'>" BOX
                           "<body name='imu1' joint='frozen'/>"
                           "</body><body name='seg3' joint='rz'>" BOX
                           "<body name='imu2' joint='frozen'/></body></body>"));
  static const char *const names[] = { "world", "seg2", "seg1", "imu1", "seg3", "imu2" };
  ck_assert_int_eq(snm_nbody(m), 6);
  for (int i = 0; i < 6; i++) {
    ck_assert_str_eq(sn_name(m, "body", i), names[i]);
  }
  ck_assert_int_eq(snm_jnt_qposadr(m)[sn_find(m, "joint", "seg1")], 7);
  ck_assert_int_eq(snm_jnt_qposadr(m)[sn_find(m, "joint", "seg3")], 8);
  ck_assert_int_eq(snm_jnt_dofadr(m)[sn_find(m, "joint", "seg1")], 6);
  ck_assert_int_eq(snm_jnt_dofadr(m)[sn_find(m, "joint", "seg3")], 7);
  sn_model_free(m);
}
END_TEST

// A hinge with a rate of 2: what two inertial sensors on it measure.
START_TEST(sensors_on_a_turning_hinge) {
  const double h = 1e-4;
  sn_model *m = model_of("<x_xy><options gravity='0 0 0' dt='0.0001'/><worldbody>"
                         "<body name='hinge' joint='ry'>" BOX
                         "<body name='imu1' joint='frozen' pos='1 0 0'/>"
                         "<body name='imu2' joint='frozen' pos='2 0 0' euler='0 0 90'/></body>"
                         "</worldbody></x_xy>");
  sn_data *d = data_of(m);
  const struct {
    const char *name;
    double gyr[3], acc[3];
  } imus[] = { { "imu1", { 0, 2, 0 }, { -4, 0, 0 } }, { "imu2", { 2, 0, 0 }, { 0, 8, 0 } } };
  for (int i = 0; i < 2; i++) {
    int32_t id = sn_find(m, "body", imus[i].name);
    double x[3][3], quat[4], w[3] = { 0, 2, 0 }, acc[3];
    for (int k = 0; k < 3; k++) {
      snd_qpos(d)[0] = 0.3 + 2 * h * (k - 1);
      sn_forward(m, d);
      sn_copy3(x[k], snd_xpos(d) + 3 * id);
      if (k == 1) {
        sn_copy4(quat, snd_xquat(d) + 4 * id);
      }
    }
    for (int k = 0; k < 3; k++) {
      acc[k] = (x[0][k] - 2 * x[1][k] + x[2][k]) / (h * h);
    }
    sn_rotate_inverse(acc, acc, quat);
    sn_rotate_inverse(w, w, quat);
    close_to(acc, imus[i].acc, 3, 5e-3, "acc");
    close_to(w, imus[i].gyr, 3, 1e-12, "gyr");
  }
  done_with(m, d);
}
END_TEST

// The same hinge at rest, hanging: it stays, and the sensors feel what holds them against gravity.
START_TEST(sensors_on_a_hanging_hinge) {
  sn_model *m = model_of(X("<body name='hinge' joint='ry' euler='0 90 0'>"
                           "<geom type='box' mass='1' dim='1 .25 .2' pos='.5 0 0'/>"
                           "<body name='imu1' joint='frozen' pos='1 0 0'/>"
                           "<body name='imu2' joint='frozen' pos='2 0 0' euler='0 0 90'/></body>"));
  sn_data *d = data_of(m);
  steps(m, d, 100);
  ck_assert_double_eq_tol(snd_qpos(d)[0], 0, 1e-12);
  const double up[3] = { 0, 0, 9.81 };
  const struct {
    const char *name;
    double acc[3];
  } imus[] = { { "imu1", { -9.81, 0, 0 } }, { "imu2", { 0, 9.81, 0 } } };
  sn_forward(m, d);
  for (int i = 0; i < 2; i++) {
    double acc[3];
    sn_rotate_inverse(acc, up, snd_xquat(d) + 4 * sn_find(m, "body", imus[i].name));
    close_to(acc, imus[i].acc, 3, 1e-9, imus[i].name);
  }
  done_with(m, d);
}
END_TEST

// A sensor on soft flesh: a massless ball joint and slides with springs and dampers, where they let
// it sink by m g / k under its weight.
START_TEST(sensor_on_springs_sinks_by_its_weight) {
  sn_model *m = model_of(X("<body name='ball' joint='spherical' spring_stiff='.3 .3 .3'"
                           " damping='.03 .03 .03'>"
                           "<body name='imu' joint='p3d' spring_stiff='50 50 50' damping='5 5 5'>"
                           "<geom type='box' mass='0.1' dim='.05 .05 .02'/></body></body>"));
  sn_data *d = data_of(m);
  ck_assert_double_lt(snm_body_mass(m)[1], 1e-11);
  steps(m, d, 1000);
  sn_forward(m, d);
  close_to(position(d, m, "imu"), (const double[]){ 0, 0, -0.1 * 9.81 / 50 }, 3, 1e-6, "imu");
  done_with(m, d);
}
END_TEST

START_TEST(systems_in_one_file_do_not_interact) {
#define ONE                                  \
  "<body name='a' joint='rx' damping='0.1'>" \
  "<geom type='box' mass='2' dim='1 .2 .3' pos='0 .5 .1'/></body>"
#define TWO                                      \
  "<body name='b' joint='saddle' pos='0.1 0 0'>" \
  "<geom type='box' mass='1' dim='.2 .2 1' pos='.4 0 0'/></body>"
  sn_model *both = model_of(X(ONE TWO)), *one = model_of(X(ONE)), *two = model_of(X(TWO));
  sn_data *d = data_of(both), *d1 = data_of(one), *d2 = data_of(two);
  steps(both, d, 100);
  steps(one, d1, 100);
  steps(two, d2, 100);
  close_to(snd_qpos(d), snd_qpos(d1), 1, 1e-12, "first");
  close_to(snd_qpos(d) + 1, snd_qpos(d2), 2, 1e-12, "second");
  done_with(both, d);
  done_with(one, d1);
  done_with(two, d2);
}
END_TEST

START_TEST(pendulum_inverted_of_the_documentation) {
  sn_model *m = sn_load(engine, SN_TEST_SOURCE "/samples/models/x_xy/inv_pendulum.xml", error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_data *d = data_of(m);
  ck_assert_str_eq(sn_model_name(m), "inv_pendulum");
  snd_qpos(d)[0] = 0.1;
  snd_qpos(d)[1] = 0.2;
  steps(m, d, 200);
  close_to(snd_qpos(d), (const double[]){ 0.197185, 4.58668 }, 2, 5e-6, "q after 200 steps");
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ conventions

START_TEST(orientations_are_those_of_the_format) {
  sn_model *m = model_of(X("<body name='e' joint='frozen' euler='0 90 0'/>"
                           "<body name='x' joint='frozen' euler='30 40 50'/>"
                           "<body name='q' joint='frozen' quat='0.7071067811865476 0 0 "
                           "-0.7071067811865476'/>"
                           "<body name='z' joint='frozen' euler='0 0 90'/>"));
  const double *quat = snm_body_quat(m);
  double v[3], R[9], want[9], turn[4];
  sn_rotate(v, (const double[]){ 1, 0, 0 }, quat + 4);
  close_to(v, (const double[]){ 0, 0, -1 }, 3, 1e-12, "x turned by 90 degrees about y");

  // Rz Ry Rx
  sn_quat_mat(R, quat + 8);
  sn_quat_mat(want, (const double[]){ 1, 0, 0, 0 });
  for (int i = 0; i < 3; i++) {
    const double axis[3] = { i == 0, i == 1, i == 2 };
    double next[9], before[9];
    sn_axisangle_quat(turn, axis, (30 + 10 * i) * SN_PI / 180);
    sn_quat_mat(next, turn);
    memcpy(before, want, sizeof before);
    sn_mul_mat3(want, next, before);
  }
  close_to(R, want, 9, 1e-12, "euler");
  close_to(quat + 12, quat + 16, 4, 1e-12, "quat against euler");
  sn_model_free(m);
}
END_TEST

// R = Ry(q0) Rz(q1) of a saddle; slides before the rotation of free_2d; cor as two bodies
START_TEST(joints_move_as_the_table_says) {
  sn_model *m = model_of(X("<body name='s' joint='saddle'>" BOX "</body>"
                           "<body name='f' joint='free_2d'>" BOX "</body>"
                           "<body name='p' joint='p3d'>" BOX "</body>"
                           "<body name='c' joint='cor'>" BOX "</body>"));
  sn_data *d = data_of(m);
  ck_assert_int_eq(snm_nq(m), 2 + 3 + 3 + 10);
  ck_assert_int_eq(snm_nv(m), 2 + 3 + 3 + 9);
  const double q[] = { 0.3, 0.7, 0.2, -0.1, 0.5, 1, 2, 3, 4, 5, 6, 0.8, 0.6, 0, 0, 0.1, 0.2, 0.3 };
  memcpy(snd_qpos(d), q, sizeof q);
  sn_forward(m, d);
  double y[4], z[4], want[4];
  sn_axisangle_quat(y, (const double[]){ 0, 1, 0 }, 0.3);
  sn_axisangle_quat(z, (const double[]){ 0, 0, 1 }, 0.7);
  sn_mul_quat(want, y, z);
  close_to(snd_xquat(d) + 4 * sn_find(m, "body", "s"), want, 4, 1e-12, "saddle");
  close_to(position(d, m, "f"), (const double[]){ 0, 0.2, -0.1 }, 3, 1e-12, "free_2d");
  sn_axisangle_quat(want, (const double[]){ 1, 0, 0 }, 0.5);
  close_to(snd_xquat(d) + 4 * sn_find(m, "body", "f"), want, 4, 1e-12, "free_2d");
  close_to(position(d, m, "p"), (const double[]){ 1, 2, 3 }, 3, 1e-12, "p3d");
  double inner[3];
  sn_rotate(inner, (const double[]){ 0.1, 0.2, 0.3 }, q + 11);
  sn_add3(inner, inner, (const double[]){ 4, 5, 6 });
  close_to(position(d, m, "c"), inner, 3, 1e-12, "cor: pos + R corpos");
  done_with(m, d);
}
END_TEST

// Moments about the center of mass, cylinders and capsules along x.
START_TEST(shapes_have_the_documented_inertia) {
  const double m = 3, r = 0.2, h = 0.7;
  const double vc = SN_PI * r * r * h, vs = 4.0 / 3 * SN_PI * r * r * r;
  const double mc = m * vc / (vc + vs), ms = m - mc;
  const struct {
    const char *geom;
    double I[3];
  } shapes[] = {
    { "type='box' dim='0.1 0.2 0.3'", { m / 12 * 0.13, m / 12 * 0.10, m / 12 * 0.05 } },
    { "type='sphere' dim='0.2'", { 0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r } },
    { "type='cylinder' dim='0.2 0.7'",
      { m * r * r / 2, m * (3 * r * r + h * h) / 12, m * (3 * r * r + h * h) / 12 } },
    { "type='capsule' dim='0.2 0.7'",
      { (mc / 2 + 0.4 * ms) * r * r,
        mc * (r * r / 4 + h * h / 12) + ms * (0.4 * r * r + 0.375 * r * h + 0.25 * h * h),
        mc * (r * r / 4 + h * h / 12) + ms * (0.4 * r * r + 0.375 * r * h + 0.25 * h * h) } },
  };
  for (int i = 0; i < 4; i++) {
    char text[400];
    snprintf(text, sizeof text, X("<body name='a' joint='spherical'><geom mass='3' %s/></body>"),
             shapes[i].geom);
    sn_model *model = model_of(text);
    sn_data *d = data_of(model);
    double M[9];
    sn_forward(model, d);
    sn_full_inertia(model, d, M);
    for (int k = 0; k < 3; k++) {
      ck_assert_double_eq_tol(M[4 * k], shapes[i].I[k] + 1e-6, 1e-12);
    }
    done_with(model, d);
  }
}
END_TEST

// ------------------------------------------------------------------ where the original departs

// A body that is turned falls down; the original moves it along its own axes.
START_TEST(body_turned_falls_down) {
  sn_model *m = model_of(X("<body name='a' joint='free' euler='0 90 0'>" BOX "</body>"));
  sn_data *d = data_of(m);
  steps(m, d, 100);
  sn_forward(m, d);
  close_to(position(d, m, "a"), (const double[]){ 0, 0, -4.95405 / (1 + 1e-6) }, 3, 1e-9, "fall");
  done_with(m, d);
}
END_TEST

// A turning ball goes straight on.
START_TEST(ball_turning_goes_straight_on) {
  sn_model *m = model_of("<x_xy><options gravity='0 0 0'/><worldbody><body name='a' joint='free'>"
                         "<geom type='sphere' mass='1' dim='.2'/></body></worldbody></x_xy>");
  sn_data *d = data_of(m);
  snd_qvel(d)[0] = 1;
  snd_qvel(d)[5] = 2;
  steps(m, d, 100);
  close_to(snd_qpos(d), (const double[]){ 1, 0, 0 }, 3, 1e-12, "way");
  done_with(m, d);
}
END_TEST

// The second hinge of a saddle turned, the first one swings without damping: energy is kept, with
// an error that halves with the step.
static double saddle_drift(const char *dt) {
  char text[600];
  snprintf(text, sizeof text,
           "<x_xy><options dt='%s'/><worldbody><body name='a' joint='saddle'>"
           "<geom type='box' mass='1' dim='.8 .1 .05' pos='.4 .1 -.2'/></body></worldbody></x_xy>",
           dt);
  sn_model *m = model_of(text);
  ck_assert_int_ge(sn_model_parse_option(m, "energy", "enable", error), 0);
  sn_data *d = data_of(m);
  snd_qpos(d)[1] = 0.8;
  snd_qvel(d)[0] = 2;
  sn_forward(m, d);
  double start = snd_energy(d)[0] + snd_energy(d)[1];
  steps(m, d, (int)(0.5 / strtod(dt, NULL) + 0.5));
  sn_forward(m, d);
  double drift = fabs(snd_energy(d)[0] + snd_energy(d)[1] - start);
  done_with(m, d);
  return drift;
}

START_TEST(saddle_keeps_its_energy) {
  double coarse = saddle_drift("0.0002"), fine = saddle_drift("0.0001");
  ck_assert_double_lt(coarse, 5e-3);
  ck_assert_msg(coarse / fine > 1.8 && coarse / fine < 2.2, "drift %g, %g", coarse, fine);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(spring_damped_is_the_documented_recursion);
  TEST(free_fall_is_the_documented_series);
  TEST(pendulum_has_the_period_of_small_angles);
  TEST(torque_free_angular_momentum_is_kept);
  TEST(bias_and_inertia_of_two_hinges);
  TEST(links_are_numbered_as_they_are_written);
  TEST(sensors_on_a_turning_hinge);
  TEST(sensors_on_a_hanging_hinge);
  TEST(sensor_on_springs_sinks_by_its_weight);
  TEST(systems_in_one_file_do_not_interact);
  TEST(pendulum_inverted_of_the_documentation);
  TEST(orientations_are_those_of_the_format);
  TEST(joints_move_as_the_table_says);
  TEST(shapes_have_the_documented_inertia);
  TEST(body_turned_falls_down);
  TEST(ball_turning_goes_straight_on);
  TEST(saddle_keeps_its_energy);
}
