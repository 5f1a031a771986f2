// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the fault of constraints with one fault each; gears and the sample
// have none.

#include "conformance.h"
#include "default_engine.h"
#include "german_locale.h"
#include "sinew/constraint.h"

enum {
  WRONG_SIGN = NKINDFAULTS,
  GLOBAL_AXES,   // J of a ball joint by the angular velocity in global axes
  HIDES_A_DOF,
  NO_ROWS,
  MANY_ROWS,
  SAME_DOF_TWICE,
  DOF_OF_NO_JOINT,
  DOFS_BEHIND,
  NOT_A_NUMBER,
  BY_VELOCITY,
  WRITES_BEHIND,
  MOVES_JOINTS,
  NO_REASON,
  UNKNOWN_KIND,
  KINDS_BEHIND,
  FORGETS_TIME,        // the residual moves with time, the reference velocity is zero
  WRONG_REFERENCE,
  REFERENCE_BEHIND,
  REFERENCE_BY_VELOCITY,
};

// Two rows, of the ball joint and of cart and pole:
//   r1 = x of the quaternion (w, x, y, z)     dr1 = (w, -z, y) omega / 2
//   r2 = cart + pole^2 - time / 2, a limit; its reference velocity is 1/2
typedef struct toy {
  sn_field qpos, qvel, time;
  int32_t quat, cart, pole;              // in qpos
  int32_t ball_dof, cart_dof, pole_dof;
  int64_t nv;
} toy;

static toy found;

static sn_status bind(const void *self, const sn_model_view *model, const sn_value *values,
                      void **bound, sn_error *e) {
  const sn_model *m = model->model;
  const sn_host *host = sn_engine_host(sn_model_engine(m));
  const sn_fields_service *fields = host->query(host, SN_SERVICE_FIELDS);
  const int32_t ball = sn_find(m, "joint", "shoulder"), cart = sn_find(m, "joint", "cart"),
                pole = sn_find(m, "joint", "pole");
  (void)self, (void)values;
  if (fault == NO_REASON) {
    return SN_EINVAL;
  }
  found = (toy){ .quat = snm_jnt_qposadr(m)[ball],
                 .cart = snm_jnt_qposadr(m)[cart],
                 .pole = snm_jnt_qposadr(m)[pole],
                 .ball_dof = snm_jnt_dofadr(m)[ball],
                 .cart_dof = snm_jnt_dofadr(m)[cart],
                 .pole_dof = snm_jnt_dofadr(m)[pole],
                 .nv = snm_nv(m) };
  *bound = &found;
  SN_TRY(fields->data_field(model, "qpos", SN_REAL, &found.qpos, e));
  SN_TRY(fields->data_field(model, "time", SN_REAL, &found.time, e));
  return fields->data_field(model, "qvel", SN_REAL, &found.qvel, e);
}

static void unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

static int64_t rows(const void *self, const void *bound) {
  (void)self, (void)bound;
  return fault == NO_ROWS ? 0 : fault == MANY_ROWS ? SN_MAX_CONSTRAINT_ROWS + 1 : 2;
}

static int64_t dofs(const void *self, const void *bound, int32_t *dof) {
  (void)self, (void)bound;
  for (int i = 0; i < 3; i++) {
    dof[i] = found.ball_dof + i;
  }
  dof[3] = found.cart_dof;
  dof[4] = fault == SAME_DOF_TWICE ? found.cart_dof : found.pole_dof;
  dof[4] = fault == DOF_OF_NO_JOINT ? -1 : dof[4];
  if (fault == DOFS_BEHIND) {
    dof[found.nv] = 0;
  }
  return fault == HIDES_A_DOF ? 4 : 5;
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *data,
                          double *residual, double *J, sn_scratch *scratch) {
  (void)self, (void)bound, (void)scratch;
  const double *qpos = sn_field_reals(data->fields, found.qpos), *q = qpos + found.quat;
  const double turn[2][3] = { { q[0], -q[3], q[2] }, { q[0], q[3], -q[2] } };
  residual[0] = q[1];
  residual[1] = qpos[found.cart] + qpos[found.pole] * qpos[found.pole] -
                sn_field_reals(data->fields, found.time)[0] / 2;
  for (int i = 0; i < 3; i++) {
    J[found.ball_dof + i] = turn[fault == GLOBAL_AXES][i] / 2;
  }
  J[found.nv + found.cart_dof] = fault == WRONG_SIGN ? -1 : 1;
  J[found.nv + found.pole_dof] = 2 * qpos[found.pole];
  residual[1] += common_fault();
  if (fault == NOT_A_NUMBER) {
    residual[0] = NAN;
  } else if (fault == BY_VELOCITY) {
    residual[0] += sn_field_reals(data->fields, found.qvel)[0];
  } else if (fault == WRITES_BEHIND) {
    residual[2] = 0;
  } else if (fault == MOVES_JOINTS) {
    ((double *)(uintptr_t)qpos)[found.cart] += 1;
  }
  return common_status();
}

static void kinds(const void *self, const void *bound, int32_t *kind) {
  (void)self, (void)bound;
  kind[1] = fault == UNKNOWN_KIND ? 2 : SN_CONSTRAINT_LIMIT;
  if (fault == KINDS_BEHIND) {
    kind[2] = 0;
  }
}

static sn_status velocity(const void *self, const void *bound, const sn_data_view *data,
                          double *out, sn_scratch *scratch) {
  (void)self, (void)bound, (void)scratch;
  out[1] = fault == FORGETS_TIME ? 0 : fault == WRONG_REFERENCE ? -0.5 : 0.5;
  if (fault == REFERENCE_BEHIND) {
    out[2] = 0;
  } else if (fault == REFERENCE_BY_VELOCITY) {
    out[1] += 1e-12 * sn_field_reals(data->fields, found.qvel)[0];
  }
  return SN_OK;
}

static const sn_constraint_ops ops = {
  .head = { .size = sizeof ops, .summary = "a toy" },
  .bind = bind,
  .unbind = unbind,
  .rows = rows,
  .dofs = dofs,
  .evaluate = evaluate,
  .kinds = kinds,
  .velocity = velocity,
};

// ------------------------------------------------------------------ what is found

#define TOY SN_KIND_CONSTRAINT, &ops
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, FAILS, "calls", "evaluate returns SN_EINVAL", NULL },
  { TOY, FORGETS_NOTHING, "same bits", "residual differs",
    "|derivative|dofs|reference|positions only|" },
  { TOY, COLLIDES, "threads", "residual differs", NULL },
  { TOY, LOCALIZED, "locale", "residual differs", NULL },
  { TOY, WRONG_SIGN, "derivative", "J of row 1 at dof", NULL },
  { TOY, GLOBAL_AXES, "derivative", "J of row 0 at dof", NULL },
  { TOY, HIDES_A_DOF, "dofs", "row 1 depends on dof", NULL },
  { TOY, NO_ROWS, "sizes", "0 rows, 1 to 1000", NULL },
  { TOY, MANY_ROWS, "sizes", "1001 rows, 1 to 1000", NULL },
  { TOY, SAME_DOF_TWICE, "sizes", "was written before", NULL },
  { TOY, DOF_OF_NO_JOINT, "sizes", "dofs writes -1", NULL },
  { TOY, DOFS_BEHIND, "sizes", "outside of its memory", NULL },
  { TOY, NOT_A_NUMBER, "finite", "", "|derivative|" },
  { TOY, BY_VELOCITY, "positions only", "velocities", NULL },
  { TOY, WRITES_BEHIND, "outputs", "past the end of residual", NULL },
  { TOY, MOVES_JOINTS, "inputs", "changes qpos",
    "|same bits|derivative|dofs|reference|positions only|" },
  { TOY, NO_REASON, "bind", "without a message", NULL },
  { TOY, UNKNOWN_KIND, "sizes", "kinds writes 2", NULL },
  { TOY, KINDS_BEHIND, "sizes", "kinds writes outside", NULL },
  { TOY, FORGETS_TIME, "reference", "so it must be 0.5", NULL },
  { TOY, WRONG_REFERENCE, "reference", "so it must be 0.5", NULL },
  { TOY, REFERENCE_BEHIND, "outputs", "past the end of velocity", NULL },
  { TOY, REFERENCE_BY_VELOCITY, "positions only", "velocities", NULL },
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  if (fault != LOCALIZED || find_german()) {
    expect_finding(&faults[_i]);
  }
}
END_TEST

START_TEST(gear_and_sample_pass) {
  open_engine();
  OK(sn_engine_load_plugin(engine, "rod", SN_TEST_BUILD "/samples/rod.so", error));
  ck_assert_int_eq(expect_all_pass(engine, SN_KIND_CONSTRAINT), 2);
  close_engine();
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_CONSTRAINT, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(gear_and_sample_pass);
  TEST(each_requirement_has_a_fault);
}
