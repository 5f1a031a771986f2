// SPDX-License-Identifier: Apache-2.0
//
// Constraints of plugins: the sample rod against differences, closed forms and laws of
// conservation; switching, saving, all solvers; equations and limits in one constraint; plugins
// that fail or declare nonsense.

#include <math.h>
#include <stdlib.h>

#include "random_state.h"
#include "sinew/constraint.h"
#include "suite.h"
#include "temporary_folder.h"
#include "toy_plugin.h"

static void open_with_rod(void) {
  open_engine();
  OK(sn_engine_load_plugin(engine, "rod", SN_TEST_BUILD "/samples/rod.so", error));
}

#define ROD(name, a, b, length)                                                           \
  "<plugin type='rod' name='" name "' solref='.01 1'><config key='site1' value='" a "'/>" \
  "<config key='site2' value='" b "'/><config key='length' value='" length "'/></plugin>"

#define PENDULUM                                                                             \
  "<mujoco><option timestep='.001'/><worldbody><site name='post' pos='0 0 2'/><body "        \
  "pos='0 0 1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"         \
  "<joint type='slide' axis='0 0 1'/><geom size='.05' mass='3'/><site name='bob'/></body>" \
  "</worldbody><equality>" ROD("rod", "bob", "post", "1") "</equality></mujoco>"

// Rods within a branched tree and between trees, beside constraints of the engine.
static const char tangle[] =
    "<mujoco><worldbody><site name='w' pos='0 0 3'/><body name='base' pos='0 0 1'><freejoint/>"
    "<geom type='box' size='.1 .2 .3'/><body pos='.5 0 0'><joint type='ball'/>"
    "<geom size='.1' pos='.2 .1 0'/><site name='a' pos='.3 .2 .1'/></body><body pos='-.5 0 0'>"
    "<joint name='j' axis='1 2 0' pos='0 .1 0'/><geom size='.1' pos='0 .1 0'/>"
    "<site name='b' pos='.1 .2 .3'/></body></body><body name='other' pos='0 2 0'><joint name='k' "
    "axis='0 0 1'/><geom size='.1' pos='.1 0 0'/><site name='c' pos='.2 .1 0'/></body>"
    "</worldbody><equality><joint joint1='j' joint2='k'/>" ROD("ab", "a", "b", ".9")
        ROD("bc", "b", "c", "2") "<connect body1='base' body2='other' anchor='0 1 0'/>" ROD(
            "aw", "w", "a", "1.5") "</equality></mujoco>";

static int64_t row_of(const sn_model *m, const sn_data *d, const char *name) {
  const int32_t eq = sn_find(m, "equality", name);
  int64_t row = 0;
  ck_assert_int_ge(eq, 0);
  while (row < d->ne && d->efc_id[row] != eq) {
    row++;
  }
  ck_assert_int_lt(row, d->ne);
  return row;
}

START_TEST(rows_are_derivatives) {
  static const char *const names[] = { "ab", "bc", "aw" };
  const double h = 1e-6;
  sn_model *m = model_of(tangle);
  sn_data *d = data_of(m), *near = data_of(m);
  scramble(m, d, 7);
  sn_forward(m, d);
  ck_assert_int_eq(d->ne, 7);
  double *J = calloc((size_t)(d->nefc * m->nv), sizeof *J), along[32] = { 0 };
  sn_full_constraint_jacobian(m, d, J);
  for (int64_t i = 0; i < m->nv; i++) {
    double pos[2][3];
    along[i] = 1;
    for (int side = 0; side < 2; side++) {
      memcpy(near->qpos, d->qpos, (size_t)m->nq * sizeof(double));
      sn_integrate_position(m, near->qpos, along, side ? h : -h);
      sn_forward(m, near);
      for (int k = 0; k < 3; k++) {
        pos[side][k] = near->efc_pos[row_of(m, near, names[k])];
      }
    }
    along[i] = 0;
    for (int k = 0; k < 3; k++) {
      const int64_t row = row_of(m, d, names[k]);
      CLOSE(J[row * m->nv + i], (pos[1][k] - pos[0][k]) / (2 * h), 1e-8);
    }
  }
  // the rods connect both trees, so all is one island
  ck_assert_int_eq(d->nisland, 1);
  free(J);
  sn_data_free(near);
  done_with(m, d);
}
END_TEST

START_TEST(rod_carries_a_weight) {
  sn_model *m = model_of(PENDULUM);
  set_option(m, "tolerance", "0");
  sn_data *d = data_of(m);
  for (int i = 0; i < 5000; i++) {
    sn_step(m, d);
  }
  sn_forward(m, d);
  ck_assert_int_eq(d->ne, 1);
  CLOSE(d->efc_force[0], -3 * 9.81, 1e-6);   // against a longer rod
  CLOSE(d->qfrc_constraint[2], 3 * 9.81, 1e-6);

  // the inverse of the forward dynamics: no other force acts
  sn_inverse(m, d);
  for (int i = 0; i < 3; i++) {
    CLOSE(d->qfrc_inverse[i], 0, 1e-9);
  }

  // switched off, it falls
  d->eq_enabled[0] = 0;
  sn_forward(m, d);
  ck_assert_int_eq(d->nefc, 0);
  CLOSE(d->qacc[2], -9.81, 1e-12);
  done_with(m, d);
}
END_TEST

// Small swings have the period 2 pi sqrt(L / g).
START_TEST(rod_swings_like_a_pendulum) {
  sn_model *m = model_of(PENDULUM);
  sn_data *d = data_of(m);
  const double period = 2 * SN_PI * sqrt(1 / 9.81);
  d->qvel[0] = 0.05;
  double crossing = 0, before = 0;
  for (int i = 0, n = 0; i < 10000 && n < 4; i++) {
    before = d->qpos[0];
    sn_step(m, d);
    if (before < 0 && d->qpos[0] >= 0) {
      crossing = d->time[0] - 0.001 * d->qpos[0] / (d->qpos[0] - before);
      n++;
    }
  }
  CLOSE(crossing / 4, period, 1e-3);
  done_with(m, d);
}
END_TEST

// A rope carries the weight and becomes slack when the weight is above its reach; on a winch the
// weight follows without lag.
START_TEST(rope_pulls_only) {
  sn_model *m = model_of(
      "<mujoco><option timestep='.001' tolerance='0'/><worldbody><site name='post' pos='0 0 2'/>"
      "<body pos='0 0 1'><joint type='slide' axis='0 0 1'/><geom size='.05' mass='3'/>"
      "<site name='bob'/></body></worldbody><equality><plugin type='rod' solref='.01 1'>"
      "<config key='site1' value='bob'/><config key='site2' value='post'/>"
      "<config key='rate' value='-.2'/><config key='rope' value='yes'/></plugin></equality>"
      "</mujoco>");
  sn_data *d = data_of(m);
  d->qpos[0] = 0.3;
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 0);
  CLOSE(d->qacc[0], -9.81, 1e-12);
  d->qpos[0] = 0;
  for (int i = 0; i < 1000; i++) {
    OK(sn_step(m, d));
  }
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nl, 1);
  CLOSE(d->efc_force[0], 3 * 9.81, 1e-6);
  CLOSE(d->qvel[0], 0.2, 1e-6);
  // g T^2 (1 - d) below the length of the rope
  CLOSE(d->efc_pos[0],
        -9.81 * 0.01 * 0.01 * (1 - d->efc_KBIP[2]) * (0.95 * 0.95) /
            (d->efc_KBIP[2] * d->efc_KBIP[2]),
        1e-6);
  done_with(m, d);
}
END_TEST

// Nothing pulls from outside: both momenta stay.
START_TEST(rod_keeps_momentum) {
  sn_model *m = model_of(
      "<mujoco><option gravity='0 0 0' timestep='.001'/><worldbody><body><freejoint/><geom "
      "type='box' size='.1 .2 .3'/><site name='a' pos='.1 .1 .1'/></body><body pos='1 0 0'>"
      "<freejoint/><geom type='box' size='.3 .1 .1'/><site name='b' pos='-.1 0 .2'/></body>"
      "</worldbody><equality>" ROD("rod", "a", "b", "1") "</equality><sensor><subtreelinvel "
                                                         "body='world'/></sensor></mujoco>");
  sn_data *d = data_of(m);
  for (int i = 0; i < 12; i++) {
    d->qvel[i] = sin(3 * i + 1);
  }
  sn_forward(m, d);
  double start[3], pulled = 0;
  memcpy(start, d->sensordata, sizeof start);
  for (int step = 0; step < 1000; step++) {
    sn_step(m, d);
    pulled = fmax(pulled, fabs(d->efc_force[0]));
  }
  sn_forward(m, d);
  for (int i = 0; i < 3; i++) {
    CLOSE(d->sensordata[i], start[i], 1e-12);
  }
  ck_assert_double_gt(pulled, 1);
  done_with(m, d);
}
END_TEST

START_TEST(solvers_agree) {
  static const char *const solvers[] = { "newton", "cg", "pgs" };
  double qacc[3][32];
  for (int i = 0; i < 3; i++) {
    sn_model *m = model_of(tangle);
    set_option(m, "solver", solvers[i]);
    set_option(m, "iterations", "5000");
    set_option(m, "tolerance", "0");
    sn_data *d = data_of(m);
    scramble(m, d, 7);
    sn_forward(m, d);
    memcpy(qacc[i], d->qacc, (size_t)m->nv * sizeof(double));
    for (int64_t k = 0; k < m->nv; k++) {
      CLOSE(qacc[i][k], qacc[0][k], 1e-5);
    }
    done_with(m, d);
  }
}
END_TEST

// A saved file and a compiled model give the same simulation, bit by bit.
START_TEST(survives_saving) {
  open_folder();
  sn_spec *spec = good_spec(tangle);
  sn_model *m[3] = { compiled(spec) };
  OK(sn_spec_save(spec, "mjcf", in_folder("m.xml"), error));
  OK(sn_model_save(m[0], in_folder("m.bin"), error));
  uint64_t hash[3];
  for (int i = 0; i < 3; i++) {
    if (i > 0) {
      m[i] = sn_load(engine, in_folder(i == 1 ? "m.xml" : "m.bin"), error);
      ck_assert_msg(m[i] != NULL, "%s", sn_error_text(error));
    }
    sn_data *d = data_of(m[i]);
    for (int step = 0; step < 50; step++) {
      sn_step(m[i], d);
    }
    ck_assert_int_eq(d->ne, 7);
    hash[i] = sn_state_hash(m[i], d, SN_STATE_FULLPHYSICS);
    ck_assert_uint_eq(hash[i], hash[0]);
    done_with(m[i], d);
  }
  sn_spec_free(spec);
  close_folder();
}
END_TEST

// The sites of a part are renamed with it, and stay as long as a rod needs them.
START_TEST(attached_parts_keep_their_rods) {
  sn_spec *part = good_spec(tangle);
  sn_spec *host = good_spec("<mujoco><worldbody><site name='h'/></worldbody></mujoco>");
  ck_assert_int_lt(sn_spec_remove(part, "site", sn_spec_find(part, "site", "c"), 0, error), 0);
  OK(sn_spec_attach(host, 0, part, "l_", error));
  sn_model *m = compiled(host);
  ck_assert_int_ge(sn_find(m, "equality", "l_ab"), 0);
  done_with(m, NULL);
  sn_spec_free(host);
  sn_spec_free(part);
}
END_TEST

START_TEST(wrong_models) {
#define WORLD(equality) \
  "<mujoco><worldbody><site name='s'/></worldbody><equality>" equality "</equality></mujoco>"
  reject_text(WORLD("<plugin type='rode'/>"), "rode");
  reject_text(WORLD("<plugin type='rod'/>"), "it needs the attribute 'site1', the name of a site");
  reject_text(WORLD("<plugin type='rod' name='r'><config key='site3' value='s'/></plugin>"),
              "site3");
  reject_text(WORLD("<plugin name='r'/>"), "type");
  // between two things that cannot move there are no rows
  sn_model *m = model_of(
      "<mujoco><worldbody><site name='s'/><site name='t' pos='1 1 1'/><body><freejoint/>"
      "<geom size='1'/></body></worldbody><equality>" ROD("r", "s", "t",
                                                          "1") "</equality></mujoco>");
  sn_data *d = data_of(m);
  OK(sn_step(m, d));
  ck_assert_int_eq(d->nefc, 0);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ plugins that misbehave

static struct {
  int64_t rows, ndof;
  int32_t dof[2];
  sn_status status;
  double residual, slope;
} toy;

static int64_t toy_rows(const void *self, const void *bound) {
  (void)self, (void)bound;
  return toy.rows;
}

static int64_t toy_dofs(const void *self, const void *bound, int32_t *dof) {
  (void)self, (void)bound;
  memcpy(dof, toy.dof, 2 * sizeof *dof);
  return toy.ndof;
}

static sn_status toy_evaluate(const void *self, const void *bound, const sn_data_view *data,
                              double *residual, double *J, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)scratch;
  residual[0] = toy.residual;
  J[0] = toy.slope;
  J[2] = 5;   // not declared
  return toy.status;
}

static const sn_constraint_ops toy_ops = { .head = { .size = sizeof(sn_constraint_ops) },
                                           .bind = toy_bind,
                                           .unbind = toy_unbind,
                                           .rows = toy_rows,
                                           .dofs = toy_dofs,
                                           .evaluate = toy_evaluate };

#define TOY                                                                                \
  "<mujoco><worldbody><body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>" \
  "<joint type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody>"                \
  "<equality><plugin type='toy' name='bad'/></equality></mujoco>"

START_TEST(bad_plugins) {
  OK(sn_engine_add(engine, SN_KIND_CONSTRAINT, "toy", &toy_ops, error));
  toy.ndof = 2;
  toy.dof[1] = 1;
  reject_text(TOY, "0 rows");
  toy.rows = SN_MAX_CONSTRAINT_ROWS + 1;
  reject_text(TOY, "1001 rows");
  toy.rows = 1;
  toy.dof[1] = 3;
  reject_text(TOY, "dofs of the model");
  toy.dof[1] = 0;
  reject_text(TOY, "dofs of the model");
  toy.ndof = -1;
  reject_text(TOY, "dofs of the model");
  toy.ndof = 2;
  toy.dof[0] = 1;

  // what was not declared is not in the row
  sn_model *m = model_of(TOY);
  sn_data *d = data_of(m);
  toy.slope = 1;
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 1);
  ck_assert_double_eq(d->qfrc_constraint[2], 0);

  // a failure or a number that is not finite leaves the constraint out, with a warning
  toy.status = SN_EPLUGIN;
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 0);
  toy.status = SN_OK;
  toy.slope = NAN;
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 0);
  toy.slope = 1e200;   // finite, but solvers would overflow
  hear_warnings();
  sn_reset(m, d);
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 0);
  ck_assert_ptr_nonnull(strstr(heard(), "'toy' (sinew.constraint/draft): its operation 'evaluate' "
                                        "wrote 1e+200 to J; this constraint is left out"));
  toy.slope = 1;
  toy.residual = -1e200;
  sn_reset(m, d);
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 0);
  ck_assert_ptr_nonnull(strstr(heard(), "wrote -1e+200 to residual;"));
  toy.residual = 0;
  toy.slope = 0;   // moves nothing
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 0);
  CLOSE(d->qacc[2], -9.81, 1e-12);
  done_with(m, d);
}
END_TEST

// Five rows, of z, x, y, z, x: two equations in one block among the equality constraints, and the
// violated ones of three limits, each with its own impedance, behind the limits of joints.
static struct {
  int evaluated;
  sn_status status;
  int32_t kind[5];
  double residual[5], velocity[5], slope, first;   // first: a factor of the slope of row 0
} mixed;

static int64_t mixed_rows(const void *self, const void *bound) {
  (void)self, (void)bound;
  return 5;
}

static int64_t mixed_dofs(const void *self, const void *bound, int32_t *dof) {
  (void)self, (void)bound;
  memcpy(dof, (int32_t[]){ 2, 0, 1 }, 3 * sizeof *dof);
  return 3;
}

static sn_status mixed_evaluate(const void *self, const void *bound, const sn_data_view *data,
                                double *residual, double *J, sn_scratch *scratch) {
  static const int axis[] = { 2, 0, 1, 2, 0 };
  (void)self, (void)bound, (void)data, (void)scratch;
  memcpy(residual, mixed.residual, sizeof mixed.residual);
  for (int r = 0; r < 5; r++) {
    J[3 * r + axis[r]] = mixed.slope * (1 + r) * (r == 0 ? mixed.first : 1);
  }
  mixed.evaluated++;
  return mixed.status;
}

static void mixed_kinds(const void *self, const void *bound, int32_t *kind) {
  (void)self, (void)bound;
  memcpy(kind, mixed.kind, sizeof mixed.kind);
}

static sn_status mixed_velocity(const void *self, const void *bound, const sn_data_view *data,
                                double *velocity, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)scratch;
  memcpy(velocity, mixed.velocity, sizeof mixed.velocity);
  return SN_OK;
}

static const sn_constraint_ops mixed_ops = { .head = { .size = sizeof(sn_constraint_ops) },
                                             .bind = toy_bind,
                                             .unbind = toy_unbind,
                                             .rows = mixed_rows,
                                             .dofs = mixed_dofs,
                                             .evaluate = mixed_evaluate,
                                             .kinds = mixed_kinds,
                                             .velocity = mixed_velocity };

#define MIXED                                                                                 \
  "<mujoco><worldbody><body><joint type='slide' axis='1 0 0' range='1 2' limited='true'/>"    \
  "<joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/><geom size='.1'/></body>" \
  "</worldbody><equality><plugin type='mixed' solref='.02 1' solimp='.5 .9 1 .5 1'/></equality>" \
  "</mujoco>"

static sn_model *mixed_model(void) {
  memcpy(mixed.kind, (int32_t[]){ 1, 0, 1, 1, 0 }, sizeof mixed.kind);
  memcpy(mixed.residual, (double[]){ -0.2, 0.3, 0, -0.1, 0.4 }, sizeof mixed.residual);
  memset(mixed.velocity, 0, sizeof mixed.velocity);
  mixed.slope = mixed.first = 1;
  mixed.status = SN_OK;
  OK(sn_engine_add(engine, SN_KIND_CONSTRAINT, "mixed", &mixed_ops, error));
  return model_of(MIXED);
}

// A plugin that reports its failures itself reports each once, also where its equations and its
// limits are rows at different places.
START_TEST(a_failure_is_not_repeated) {
  sn_model *m = mixed_model();
  sn_data *d = data_of(m);
  mixed.status = SN_EPLUGIN;
  for (int i = 1; i <= 2; i++) {
    mixed.evaluated = 0;
    OK(sn_step(m, d));
    ck_assert_int_eq(mixed.evaluated, 1);
    ck_assert_int_eq(sn_data_warning_count(d, SN_WARN_PLUGIN), i);
    ck_assert_int_eq(d->nefc, 1);   // the limit of the joint
  }
  mixed.status = SN_OK;
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 5);
  done_with(m, d);
}
END_TEST

// Numbers that no solver can work with are reported as those of the constraint.
START_TEST(absurd_numbers_name_the_constraint) {
  static const double sizes[] = { 2e10, 1e50, 1e100, 1e150, 1e200, INFINITY };
  static const char *const outputs[] = { "residual", "J", "velocity" };
  sn_model *m = mixed_model();
  sn_data *d = data_of(m);
  double *const written[] = { &mixed.residual[1], &mixed.slope, &mixed.velocity[1] };
  double *number = written[_i];
  const double before = *number;
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    char expected[160];
    snprintf(expected, sizeof expected, "wrote %g to %s; this constraint is left out", sizes[k],
             outputs[_i]);
    sn_reset(m, d);
    hear_warnings();
    *number = sizes[k];
    OK(sn_forward(m, d));
    ck_assert_msg(strstr(heard(), "'mixed' (sinew.constraint/draft): its operation") != NULL,
                  "%g: %s", sizes[k], heard());
    ck_assert_msg(strstr(heard(), expected) != NULL, "%g: %s", sizes[k], heard());
    *number = before;
  }

  done_with(m, d);
}
END_TEST

// A limit that is not violated, or just reached, is no row, so that its numbers do not matter if
// they are numbers.
START_TEST(numbers_of_far_limits_are_ignored) {
  sn_model *m = mixed_model();
  sn_data *d = data_of(m);
  double *const written[] = { &mixed.residual[0], &mixed.first, &mixed.velocity[0] };
  mixed.residual[0] = _i < 3 ? 5 : 0;
  hear_warnings();
  *written[_i % 3] = 1e100;
  OK(sn_forward(m, d));
  ck_assert_str_eq(heard(), "");
  ck_assert_int_eq(d->nefc, 4);
  *written[_i % 3] = INFINITY;
  OK(sn_forward(m, d));
  ck_assert_ptr_nonnull(strstr(heard(), "this constraint is left out"));
  done_with(m, d);
}
END_TEST

START_TEST(equations_and_limits) {
  mixed.slope = mixed.first = 1;
  mixed.evaluated = 0;
  OK(sn_engine_add(engine, SN_KIND_CONSTRAINT, "mixed", &mixed_ops, error));
  mixed.kind[1] = 7;
  reject_text(MIXED, "declares kind 7 of row 1");
  memcpy(mixed.kind, (int32_t[]){ 1, 0, 1, 1, 0 }, sizeof mixed.kind);
  sn_model *m = model_of(MIXED);
  sn_data *d = data_of(m);
  memcpy(mixed.residual, (double[]){ -0.2, 0.3, 0, -0.1, 0.4 }, sizeof mixed.residual);
  memcpy(mixed.velocity, (double[]){ 1, 2, 3, 4, 5 }, sizeof mixed.velocity);
  for (int i = 0; i < 3; i++) {
    d->qvel[i] = 1;
  }
  OK(sn_forward(m, d));
  ck_assert_int_eq(mixed.evaluated, 2);
  ck_assert_int_eq(d->nefc, 5);
  ck_assert_int_eq(d->ne, 2);
  ck_assert_int_eq(d->nl, 3);
  ck_assert_int_eq(d->efc_type[2], SN_ROW_LIMIT_JOINT);
  static const int row[] = { 0, 1, 3, 4 }, of[] = { 1, 4, 0, 3 };
  // 1 / weight of a slide is the mass
  const double mass = m->body_mass[1], distance[] = { 0.5, 0.5, -0.2, -0.1 };
  double J[5 * 3];
  sn_full_constraint_jacobian(m, d, J);
  for (int i = 0; i < 4; i++) {
    const int r = of[i], at = row[i];
    const double impedance = 0.5 + 0.4 * fabs(distance[i]), b = 2 / (0.9 * 0.02),
                 k = 1 / pow(0.9 * 0.02, 2);
    ck_assert_int_eq(d->efc_type[at], i < 2 ? SN_ROW_EQUALITY : SN_ROW_LIMIT_PLUGIN);
    CLOSE(d->efc_pos[at], mixed.residual[r], 0);
    CLOSE(d->efc_velref[at], mixed.velocity[r], 0);
    CLOSE(J[3 * at] + J[3 * at + 1] + J[3 * at + 2], 1 + r, 0);
    CLOSE(d->efc_KBIP[4 * at + 2], impedance, 1e-14);
    CLOSE(d->efc_R[at], (1 - impedance) / impedance * (1 + r) * (1 + r) / mass, 1e-12);
    CLOSE(d->efc_aref[at], -b * (1 + r - mixed.velocity[r]) - k * impedance * mixed.residual[r],
          1e-12);
  }

  // a reference velocity that is not finite leaves all of the constraint out
  mixed.velocity[2] = NAN;
  OK(sn_forward(m, d));
  ck_assert_int_eq(d->nefc, 1);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_with_rod, close_engine);
  TEST(rows_are_derivatives);
  TEST(rod_carries_a_weight);
  TEST(rod_swings_like_a_pendulum);
  TEST(rope_pulls_only);
  TEST(rod_keeps_momentum);
  TEST(solvers_agree);
  TEST(survives_saving);
  TEST(attached_parts_keep_their_rods);
  TEST(wrong_models);
  TEST(equations_and_limits);
  TEST(bad_plugins);
  TEST(a_failure_is_not_repeated);
  EACH(absurd_numbers_name_the_constraint, 0, 3);
  EACH(numbers_of_far_limits_are_ignored, 0, 6);
}
