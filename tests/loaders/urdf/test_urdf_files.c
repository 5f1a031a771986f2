// SPDX-License-Identifier: Apache-2.0
//
// The robots of tests/robots with the default configuration: each loads or is rejected as its table
// says, and one that loads is the same model after it was written as MJCF and read again.

#include "loading.h"
#include "robots/table.h"
#include "suite.h"

// ------------------------------------------------------------------ one robot

static char path[600];   // of the robot
static sn_spec *spec;
static sn_model *model;   // NULL when it is rejected

static int has_plugin(const char *name) {
  char file[600];
  snprintf(file, sizeof file, SN_TEST_BUILD "/plugins/%s.so", name);
  return access(file, R_OK) == 0;
}

// more: lines of the configuration beside those of the row
static void load(const robot_row *row, const char *more) {
  char lines[300], packages[600];
  // the section of the default configuration stays where nothing else is asked for
  snprintf(lines, sizeof lines, "%s%s%s", row->lines[0] || more[0] ? "[plugin.urdf]\n" : "",
           row->lines, more);
  snprintf(path, sizeof path, SN_TEST_SOURCE "/tests/robots/%s", row->file);
  open_engine(lines);
  unsetenv("AMENT_PREFIX_PATH");
  unsetenv("ROS_PACKAGE_PATH");
  if (row->packages) {
    snprintf(packages, sizeof packages, SN_TEST_SOURCE "/tests/robots/%s", row->packages);
    setenv("ROS_PACKAGE_PATH", packages, 1);
  }
  spec = sn_spec_load(engine, path, error);
  model = spec ? sn_compile(spec, error) : NULL;
}

static void unload(void) {
  sn_model_free(model);
  sn_spec_free(spec);
  close_engine();
}

static double mass_of(const sn_model *m) {
  double mass = 0;
  for (int64_t i = 1; i < snm_nbody(m); i++) {
    mass += snm_body_mass(m)[i];
  }
  return mass;
}

static void is_rejected_as(const robot_row *row) {
  ck_assert_msg(model == NULL, "%s: not rejected (%s)", row->file, row->rejected);
  ck_assert_msg(strstr(sn_error_text(error), row->rejected) != NULL, "no \"%s\" in: %s",
                row->rejected, sn_error_text(error));
  ck_assert_msg(strstr(sn_error_text(error), row->file) != NULL, "no file in: %s",
                sn_error_text(error));
}

static void is_loaded_as(const robot_row *row) {
  ck_assert_msg(model != NULL, "%s: %s", row->file, sn_error_text(error));
  const double mass = mass_of(model);
  ck_assert_msg(snm_nq(model) == row->nq && snm_nv(model) == row->nv,
                "%s: nq %lld nv %lld instead of %d %d", row->file, (long long)snm_nq(model),
                (long long)snm_nv(model), row->nq, row->nv);
  // vertices of meshes have single precision
  ck_assert_msg(fabs(mass - row->mass) <= 1e-6 * row->mass, "%s: mass %.12g instead of %.12g",
                row->file, mass, row->mass);
  const char *first = sn_model_warning(model, 0);
  const int expected = !row->warning ? 0 : row->warnings ? row->warnings : 1;
  int count = 0;
  while (sn_model_warning(model, count)) {
    count++;
  }
  ck_assert_msg(count == expected, "%s: %d warnings instead of %d: %s", row->file, count, expected,
                first ? first : "");
  ck_assert_msg(!row->warning || strstr(first, row->warning), "%s: no \"%s\" in: %s", row->file,
                row->warning, first);
}

START_TEST(robots_load_or_are_rejected) {
  const robot_row *row = &robots[_i];
  if (!(row->flags & ROBOT_ASSIMP) || has_plugin("assimp")) {
    load(row, "");
    (row->rejected ? is_rejected_as : is_loaded_as)(row);
    unload();
  }
}
END_TEST

// Notes are of what a simulation has no use for: they are no errors.
START_TEST(robots_without_a_warning_are_strictly_right) {
  const robot_row *row = &robots[_i];
  if (!row->rejected && !row->warning && (!(row->flags & ROBOT_ASSIMP) || has_plugin("assimp"))) {
    load(row, "strict = true\n");
    is_loaded_as(row);
    unload();
  }
}
END_TEST

// ------------------------------------------------------------------ there and back

static double number(const sn_view *view, int64_t i) {
  return view->type == SN_REAL  ? ((const double *)view->p)[i]
         : view->type == SN_INT ? ((const int32_t *)view->p)[i]
                                : ((const uint8_t *)view->p)[i];
}

// Limits of the forces of actuators are not written for joints that no actuator moves.
static int is_left_out(const sn_model *m, const char *field) {
  return snm_nu(m) < snm_njnt(m) && strncmp(field, "jnt_actfrc", 10) == 0;
}

static void same_fields(const char *file, const sn_model *a, const sn_model *b) {
  sn_view x = { .size = sizeof x }, y = { .size = sizeof y };
  for (int64_t k = 0; sn_model_field_at(a, k, &x); k++) {
    if (is_left_out(a, x.name)) {
      continue;
    }
    ck_assert(sn_model_field_at(b, k, &y));
    ck_assert_msg(x.rows == y.rows && x.cols == y.cols, "%s: %s has %lld instead of %lld rows",
                  file, x.name, (long long)y.rows, (long long)x.rows);
    for (int64_t i = 0; i < x.rows * x.cols; i++) {
      double before = number(&x, i), after = number(&y, i);
      if (!(fabs(after - before) <= 1e-12 * fmax(1, fabs(before)))) {
        ck_abort_msg("%s: %s[%lld] is %.17g instead of %.17g", file, x.name, (long long)i, after,
                     before);
      }
    }
  }
}

START_TEST(robots_come_back_from_mjcf) {
  const robot_row *row = &robots[_i];
  char written[512];
  if (row->rejected || ((row->flags & ROBOT_ASSIMP) && !has_plugin("assimp"))) {
    return;
  }
  load(row, "");
  ck_assert_msg(model != NULL, "%s: %s", row->file, sn_error_text(error));
  snprintf(written, sizeof written, "%s/written.xml", folder);
  ck_assert_msg(sn_spec_save(spec, "mjcf", written, error) >= 0, "%s: %s", row->file,
                sn_error_text(error));
  sn_model *again = sn_load(engine, written, error);
  ck_assert_msg(again != NULL, "%s: %s", row->file, sn_error_text(error));
  same_fields(row->file, model, again);
  sn_model_free(again);
  unload();
}
END_TEST

TESTS() {
  EACH(robots_load_or_are_rejected, 0, NROBOTS);
  EACH(robots_without_a_warning_are_strictly_right, 0, NROBOTS);
  EACH(robots_come_back_from_mjcf, 0, NROBOTS);
}
