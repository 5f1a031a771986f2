// SPDX-License-Identifier: Apache-2.0
//
// docs/contacts.md: depth, restitution, creep and friction of soft contacts against the closed
// forms of that page, and the numbers that the page prints against these measurements.

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "default_engine.h"
#include "model_file.h"
#include "sinew/sinew.h"
#include "suite.h"

static const double gravity = 9.81;

// The page has this text.
static void printed(const char *format, ...) {
  char want[160];
  va_list list;
  va_start(list, format);
  vsnprintf(want, sizeof want, format, list);
  va_end(list);
  FILE *file = fopen(SN_TEST_SOURCE "/docs/contacts.md", "rb");
  ck_assert(file != NULL);
  static char page[1 << 15];
  const size_t n = fread(page, 1, sizeof page - 1, file);
  fclose(file);
  page[n] = '\0';
  ck_assert_msg(strstr(page, want) != NULL, "docs/contacts.md does not have: %s", want);
}

static void set_option(sn_model *m, const char *name, const char *value) {
  OK(sn_model_parse_option(m, name, value, error));
}

// Writes the numbers of one row of a field of the model.
static void edit(sn_model *m, const char *field, int row, const double *value, int n) {
  sn_view view = { .size = sizeof view };
  OK(sn_model_field(m, field, &view));
  memcpy((double *)view.p + row * view.cols, value, (size_t)n * sizeof *value);
}

static void soften(sn_model *m, double timeconst, double ratio, double dmin, double dmax) {
  edit(m, "geom_solref", 0, (double[]){ timeconst, ratio }, 2);
  edit(m, "geom_solimp", 0, (double[]){ dmin, dmax }, 2);
}

// solimp with the default width 1 mm, midpoint 1/2 and power 2.
static double impedance(double depth, double dmin, double dmax) {
  const double x = fmin(depth / 0.001, 1);
  return dmin + (dmax - dmin) * (x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x));
}

static void simulate(const sn_model *m, sn_data *d, double time) {
  while (snd_time(d)[0] < time) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
  }
}

static const struct rest {
  double timeconst, dmin, dmax;
  const char *name;
} rests[] = {
  { 0.02, 0.9, 0.95, "0.02 1 | 0.9 0.95 (default)" }, { 0.01, 0.9, 0.95, "0.01 1 | 0.9 0.95" },
  { 0.004, 0.9, 0.95, "0.004 1 | 0.9 0.95" },         { 0.02, 0.99, 0.99, "0.02 1 | 0.99 0.99" },
  { 0.004, 0.99, 0.99, "0.004 1 | 0.99 0.99" },
};
enum { RESTS = sizeof rests / sizeof *rests };

START_TEST(depth_at_rest) {
  const struct rest *c = &rests[_i];
  sn_model *m = model_of(model_file("constraint/ball_on_floor"));
  sn_data *d = data_of(m);
  soften(m, c->timeconst, 1, c->dmin, c->dmax);
  simulate(m, d, 10);
  const double depth = 0.1 - snd_qpos(d)[2];
  const double impeded = impedance(depth, c->dmin, c->dmax);
  const double time = c->dmax * c->timeconst;
  const double want = gravity * (1 - impeded) * time * time / (impeded * impeded);
  ck_assert_double_eq_tol(depth, want, 1e-6 * want);
  printed("| %s | %.4g mm |", c->name, 1000 * depth);
  done_with(m, d);
}
END_TEST

static const double impedances[] = { 0.95, 0.5, 0.01 };
enum { IMPEDANCES = sizeof impedances / sizeof *impedances };

START_TEST(stiffness_in_newtons_per_meter) {
  const double impeded = impedances[_i];
  const double mass = 2, spring = 1e4, stiffness = spring * (1 - impeded) / mass;
  sn_model *m = model_of(model_file("constraint/ball_on_floor"));
  sn_data *d = data_of(m);
  soften(m, -stiffness, -2 * sqrt(stiffness), impeded, impeded);
  simulate(m, d, 10);
  const double depth = 0.1 - snd_qpos(d)[2];
  ck_assert_double_eq_tol(depth, mass * gravity / spring, 1e-9);
  printed("| %g | %g | %.4g mm |", impeded, stiffness, 1000 * depth);
  done_with(m, d);
}
END_TEST

static const double restitutions[] = { 0.3, 0.6, 0.9 };
enum { RESTITUTIONS = sizeof restitutions / sizeof *restitutions };

// The loss of a single bounce; a contact that cannot pull leaves more speed than the formula says.
START_TEST(restitution_from_damping) {
  const double wanted = restitutions[_i], stiffness = 4e4;
  const double ratio = -log(wanted) / hypot(acos(-1), log(wanted));
  sn_model *m = model_of(model_file("constraint/ball_on_floor"));
  set_option(m, "timestep", "0.0005");
  soften(m, -stiffness, -2 * ratio * sqrt(stiffness), 0.95, 0.95);
  sn_data *d = data_of(m);
  snd_qpos(d)[2] = 1.1;
  double fastest = 0, speed = -1;
  while (snd_time(d)[0] < 0.5) {
    ck_assert_int_eq(sn_step(m, d), SN_OK);
    fastest = fmin(fastest, snd_qvel(d)[2]);
    speed = fmax(speed, snd_qvel(d)[2]);
  }
  const double measured = -speed / fastest;
  ck_assert(measured > wanted);
  ck_assert_double_lt(measured - wanted, 0.1 * (1 - wanted) + 0.03);
  printed("| %g | %.4g | %.4g | %.3f |", wanted, ratio, 2 * ratio * sqrt(stiffness), measured);
  done_with(m, d);
}
END_TEST

typedef struct creep_case {
  const char *cone, *impratio, *noslip;
  const char *row;   // of the page, with the speeds of box and ball
  double scale;      // of the formula; 0: no creep
} creep_case;

static const creep_case creeps[] = {
  { "elliptic", "1", "0", "cone=\"elliptic\", impratio=\"1\" | 444 um/s | 1.54 mm/s |", 1 },
  { "elliptic", "10", "0", "cone=\"elliptic\", impratio=\"10\" | 44.4 um/s | 154 um/s |", 0.1 },
  { "elliptic", "100", "0", "cone=\"elliptic\", impratio=\"100\" | 4.44 um/s | 15.4 um/s |", 0.01 },
  { "elliptic", "1", "20", "cone=\"elliptic\", noslip_iterations=\"20\" | 0 | 0 |", 0 },
  { "pyramidal", "1", "0", "cone=\"pyramidal\", impratio=\"1\" (default) | 888 um/s | 3.08 mm/s |",
    2 },
};
enum { CREEPS = sizeof creeps / sizeof *creeps };

// F / (n m) (1 - d) dmax T / (2 d), of impratio 1, with d at the depth of rest on n contacts
static double creep_formula(int contacts) {
  const double slope = 10 * acos(-1) / 180, time = 0.95 * 0.02;
  double depth = 0;
  for (int i = 0; i < 200; i++) {
    const double impeded = impedance(depth, 0.9, 0.95);
    depth = gravity * cos(slope) / contacts * (1 - impeded) * time * time / (impeded * impeded);
  }
  const double impeded = impedance(depth, 0.9, 0.95);
  return gravity * sin(slope) / contacts * (1 - impeded) * time / (2 * impeded);
}

// A number of the row of the page: the one with the given place, in m/s.
static double printed_speed(const char *row, int place) {
  const char *cell = row;
  for (int i = 0; i <= place; i++) {
    cell = strchr(cell, '|') + 1;
  }
  char *unit;
  const double value = strtod(cell, &unit);
  return value * (strncmp(unit, " mm/s", 5) == 0 ? 1e-3 : 1e-6);
}

START_TEST(creep_on_a_slope) {
  const creep_case *c = &creeps[_i];
  sn_model *m = model_of(model_file("constraint/slope"));
  set_option(m, "cone", c->cone);
  set_option(m, "impratio", c->impratio);
  set_option(m, "noslip_iterations", c->noslip);
  sn_data *d = data_of(m);
  simulate(m, d, 6);
  for (int k = 0; k < 2; k++) {
    const double speed = snd_qvel(d)[3 * k], want = c->scale * creep_formula(k == 0 ? 4 : 1);
    ck_assert_double_eq_tol(speed, want, 1e-4 * want + 1e-12);
    ck_assert_double_eq_tol(speed, printed_speed(c->row, k), 0.005 * want + 1e-12);
  }
  printed("| %s", c->row);
  done_with(m, d);
}
END_TEST

static const struct sliding {
  const char *cone;
  double aligned, diagonal;   // friction along a tangent, and at 45 degrees to it
} slidings[] = {
  { "pyramidal", 0.2, 0.1414213562373095 },
  { "elliptic", 0.2, 0.2 },
};
enum { SLIDINGS = sizeof slidings / sizeof *slidings };

// The friction of the sliding box, from its acceleration on a slope of 20 degrees.
static double measured_friction(const char *cone, double direction) {
  const double slope = 20 * acos(-1) / 180;
  char g[80];
  snprintf(g, sizeof g, "%.17g %.17g %.17g", gravity * sin(slope) * cos(direction),
           gravity * sin(slope) * sin(direction), -gravity * cos(slope));
  sn_model *m = model_of(model_file("constraint/slope"));
  set_option(m, "cone", cone);
  set_option(m, "gravity", g);
  edit(m, "geom_friction", 0, (double[]){ 0.2, 0, 0 }, 3);
  edit(m, "geom_friction", 1, (double[]){ 0.2, 0, 0 }, 3);
  sn_data *d = data_of(m);
  simulate(m, d, 1);
  const double speed = hypot(snd_qvel(d)[0], snd_qvel(d)[1]), time = snd_time(d)[0];
  simulate(m, d, 2);
  const double gained = hypot(snd_qvel(d)[0], snd_qvel(d)[1]) - speed;
  const double acceleration = gained / (snd_time(d)[0] - time);
  done_with(m, d);
  return (gravity * sin(slope) - acceleration) / (gravity * cos(slope));
}

START_TEST(friction_by_direction) {
  const struct sliding *c = &slidings[_i];
  const double aligned = measured_friction(c->cone, 0);
  const double diagonal = measured_friction(c->cone, acos(-1) / 4);
  // the regularization of the edges of a pyramid adds 2 % to a cone that is cut at 45 degrees
  ck_assert_double_eq_tol(aligned, c->aligned, 0.01 * c->aligned);
  ck_assert_double_eq_tol(diagonal, c->diagonal, 0.03 * c->diagonal);
  printed("| %s | %.3f | %.3f |", c->cone, aligned, diagonal);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(depth_at_rest, 0, RESTS);
  EACH(stiffness_in_newtons_per_meter, 0, IMPEDANCES);
  EACH(restitution_from_damping, 0, RESTITUTIONS);
  EACH(creep_on_a_slope, 0, CREEPS);
  EACH(friction_by_direction, 0, SLIDINGS);
}
