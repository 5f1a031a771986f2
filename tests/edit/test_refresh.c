// SPDX-License-Identifier: Apache-2.0
//
// Editing a compiled model: what takes effect at once, and sn_model_refresh. The truth is another
// model, compiled with the edited numbers.

#include <math.h>
#include <string.h>

#include "default_engine.h"
#include "model/model.h"
#include "suite.h"

enum { STEPS = 150 };

// %s: geom of the first body; mass of the second; friction and stiffness of the pendulum's joint.
static const char figure[] =
    "<mujoco><compiler autolimits='true'/><option integrator='implicit'/><worldbody>"
    "<geom name='floor' type='plane' size='5 5 .1'/>"
    "<geom name='step' type='box' size='.2 .2 .05' pos='%s'/>"
    "<body pos='0 0 .5'><freejoint/><geom name='ball' type='capsule' size='%s .1'/>"
    "<geom type='box' size='.05 .05 .3' pos='.2 0 0' contype='%s'/></body>"
    "<body name='arm' pos='1 0 1'><joint name='hinge' axis='0 1 0' damping='%s' stiffness='%s'/>"
    "<inertial pos='.3 0 0' mass='%s' diaginertia='.1 .2 .2'/><site name='tip' pos='.5 0 0'/>"
    "<geom type='sphere' size='.05' pos='.5 0 0'/><camera pos='0 0 .1'/></body>"
    "<site name='anchor' pos='1 0 1.5'/></worldbody>"
    "<tendon><spatial><site site='anchor'/><site site='tip'/></spatial></tendon>"
    "<actuator><position joint='hinge' kp='%s'/></actuator></mujoco>";

typedef struct numbers {
  const char *step, *radius, *contype, *damping, *stiffness, *mass, *kp;
} numbers;

static sn_model *figure_of(numbers n) {
  char text[4000];
  snprintf(text, sizeof text, figure, n.step, n.radius, n.contype, n.damping, n.stiffness, n.mass,
           n.kp);
  return model_of(text);
}

static const numbers plain = { "0 0 .05", ".1", "1", ".5", "2", "1", "10" };

static sn_view field(const sn_model *m, const char *name) {
  sn_view view = { .size = sizeof view };
  OK(sn_model_field(m, name, &view));
  return view;
}

static int64_t bytes_of(const sn_view *view) {
  const int64_t bytes[] = { [SN_REAL] = 8, [SN_INT] = 4, [SN_BYTE] = 1, [SN_CHAR] = 1 };
  return view->rows * view->cols * bytes[view->type];
}

// Writes an array of another model into this one.
static void edit(sn_model *m, const sn_model *from, const char *name) {
  const sn_view to = field(m, name), there = field(from, name);
  memcpy(to.p, there.p, (size_t)bytes_of(&to));
}

static void expect_same_arrays(const sn_model *a, const sn_model *b) {
  sn_view x = { .size = sizeof x }, y = { .size = sizeof y };
  for (int64_t i = 0; sn_model_field_at(a, i, &x) && sn_model_field_at(b, i, &y); i++) {
    ck_assert_msg(bytes_of(&x) == 0 || memcmp(x.p, y.p, (size_t)bytes_of(&x)) == 0, "%s", x.name);
  }
}

static void expect_same_run(const sn_model *a, const sn_model *b) {
  sn_data *da = data_of(a), *db = data_of(b);
  int64_t contacts = 0;
  for (int i = 0; i < STEPS; i++) {
    OK(sn_step(a, da));
    OK(sn_step(b, db));
    contacts += snd_ncon(da);
    ck_assert_int_eq(snd_ncon(da), snd_ncon(db));
    ck_assert_mem_eq(snd_qpos(da), snd_qpos(db), (size_t)snm_nq(a) * sizeof(double));
  }
  ck_assert_int_gt(contacts, 0);
  sn_data_free(da);
  sn_data_free(db);
}

static double difference(const sn_model *a, const sn_model *b) {
  sn_data *da = data_of(a), *db = data_of(b);
  double sum = 0;
  for (int i = 0; i < STEPS; i++) {
    OK(sn_step(a, da));
    OK(sn_step(b, db));
  }
  for (int64_t i = 0; i < snm_nq(a); i++) {
    sum += fabs(snd_qpos(da)[i] - snd_qpos(db)[i]);
  }
  sn_data_free(da);
  sn_data_free(db);
  return sum;
}

// Gains, damping and stiffness that were not zero, friction and margins are read in every step.
START_TEST(model_edits_take_effect_at_once) {
  numbers other = plain;
  other.damping = ".1";
  other.stiffness = "9";
  other.kp = "30";
  sn_model *m = figure_of(plain), *aim = figure_of(other);
  ck_assert_double_gt(difference(m, aim), 1e-3);
  static const char *const edited[] = { "dof_damping",      "dof_stiffness",    "jnt_stiffness",
                                        "actuator_gainprm", "actuator_biasprm", "geom_friction",
                                        "geom_margin" };
  double *friction = field(aim, "geom_friction").p, *margin = field(aim, "geom_margin").p;
  friction[0] = 0.3;
  margin[1] = 0.02;
  for (size_t i = 0; i < sizeof edited / sizeof edited[0]; i++) {
    edit(m, aim, edited[i]);
  }
  expect_same_arrays(m, aim);
  expect_same_run(m, aim);
  sn_model_free(aim);
  sn_model_free(m);
}
END_TEST

// Poses, sizes, masses, filters, coefficients that were zero: the arrays that follow from them and
// the steps are those of a model that was compiled so.
START_TEST(model_refresh_as_compiled) {
  static const char *const edited[] = { "geom_pos",     "geom_size",     "geom_contype",
                                        "dof_damping",  "dof_stiffness", "jnt_stiffness",
                                        "body_mass",    "body_inertia",  "body_ipos",
                                        "body_iquat",   "body_inertia",  "geom_aabb" };
  const numbers before = { "0 0 .05", ".1", "0", "0", "0", "1", "10" };
  const numbers after = { ".1 .05 .1", ".13", "1", ".3", "4", "2.5", "10" };
  sn_model *m = figure_of(before), *aim = figure_of(after);
  sn_data *d = data_of(m);   // outlives the refresh
  OK(sn_step(m, d));
  sn_reset(m, d);
  ck_assert_double_gt(difference(m, aim), 1e-3);
  for (size_t i = 0; i < sizeof edited / sizeof edited[0]; i++) {
    if (sn_model_field(m, edited[i], &(sn_view){ .size = sizeof(sn_view) }) >= 0) {
      edit(m, aim, edited[i]);
    }
  }
  m->stat = aim->stat;   // they are not computed again
  OK(sn_model_refresh(m, error));
  expect_same_arrays(m, aim);
  expect_same_run(m, aim);
  sn_data *expected = data_of(aim);
  for (int i = 0; i < STEPS; i++) {
    OK(sn_step(m, d));
    OK(sn_step(aim, expected));
  }
  ck_assert_mem_eq(snd_qpos(d), snd_qpos(expected), (size_t)snm_nq(m) * sizeof(double));
  sn_data_free(expected);
  sn_data_free(d);
  sn_model_free(aim);
  sn_model_free(m);
}
END_TEST

// A number that no step could use is rejected by name; the model goes on as it was bound.
START_TEST(model_refresh_rejects_bad_numbers) {
  sn_model *m = figure_of(plain), *same = figure_of(plain);
  int32_t *type = field(m, "geom_type").p;
  const int32_t kept = type[1];
  type[1] = 1000;
  ck_assert_int_eq(sn_model_refresh(m, error), SN_EINVAL);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "geom_type[1]"));
  type[1] = kept;
  expect_same_run(m, same);
  for (int i = 0; i < 3; i++) {   // and as often as one likes
    OK(sn_model_refresh(m, error));
  }
  expect_same_arrays(m, same);
  expect_same_run(m, same);
  sn_model_free(same);
  sn_model_free(m);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(model_edits_take_effect_at_once);
  TEST(model_refresh_as_compiled);
  TEST(model_refresh_rejects_bad_numbers);
}
