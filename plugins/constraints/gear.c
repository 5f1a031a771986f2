// SPDX-License-Identifier: Apache-2.0
//
// A gear with backlash between two joints, each a hinge or a slide: two gear wheels, rack and
// pinion, a spindle drive. With the joint positions q1, q2 measured from qpos0,
//
//   e = q1 - ratio q2 - speed t
//
//   without backlash    e = 0                              an equation
//   with backlash c     e + c/2 >= 0,  c/2 - e >= 0        two limits: the flanks of a tooth
//
//            ___              ___
//           /   \   c/2 c/2  /   \        joint 1
//      ____/     \_        _/     \____
//                  \ ____ /
//                   |tooth|               joint 2, ratio times
//
// J = (1, -ratio) on the dofs of joint 1 and joint 2. The generalized forces of the gear are thus
// f at joint 1 and -ratio f at joint 2, and do no work where the teeth do not move against each
// other. speed is that of a third shaft, as of a planetary gear; its reference velocity is `speed`.

#include <stddef.h>

#include "sinew/constraint.h"
#include "sinew/enums.h"
#include "sinew/instance.h"

enum { JOINT1, JOINT2, RATIO, BACKLASH, SPEED };   // attributes

typedef struct gear {
  int64_t nv;
  int32_t dof[2], qpos[2];   // addresses of the joints; dof[1] < 0: there is one joint
  double start[2];           // qpos0
  double ratio, backlash, speed;
  sn_field position, time;
} gear;

static sn_status find_joint(sn_lookup *l, const sn_value *value, const char *attribute, int k,
                            gear *g) {
  const int32_t *type = sn_lookup_ints(l, "jnt_type"), *adr = sn_lookup_ints(l, "jnt_qposadr");
  const int32_t *dof = sn_lookup_ints(l, "jnt_dofadr");
  const double *qpos0 = sn_lookup_reals(l, "qpos0");
  const int64_t joint = value->integer;
  SN_TRY(l->status);
  if (type[joint] != SN_JOINT_HINGE && type[joint] != SN_JOINT_SLIDE) {
    return sn_instance_fail(l->self, l->error, SN_EUNSUPPORTED, attribute);
  }
  g->dof[k] = dof[joint];
  g->qpos[k] = adr[joint];
  g->start[k] = qpos0[adr[joint]];
  return SN_OK;
}

static sn_status gear_bind(const void *self, const sn_model_view *model, const sn_value *values,
                           void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  gear g = { .nv = sn_lookup_size(&l, "nv"),
             .dof = { -1, -1 },
             .ratio = values[RATIO].real,
             .backlash = values[BACKLASH].real,
             .speed = values[SPEED].real,
             .position = sn_lookup_data(&l, "qpos"),
             .time = sn_lookup_data(&l, "time") };
  SN_TRY(l.status);
  if (values[JOINT2].integer == values[JOINT1].integer) {
    return sn_instance_fail(self, error, SN_EINVAL,
                            "gear: joint1 and joint2 must be two different joints");
  }
  SN_TRY(find_joint(&l, &values[JOINT1], "gear: joint1 must be a hinge or a slide", 0, &g));
  if (values[JOINT2].integer >= 0) {
    SN_TRY(find_joint(&l, &values[JOINT2], "gear: joint2 must be a hinge or a slide", 1, &g));
  }
  return sn_instance_keep(self, &g, sizeof g, bound, error);
}

static int64_t gear_rows(const void *self, const void *bound) {
  (void)self;
  return ((const gear *)bound)->backlash > 0 ? 2 : 1;
}

static void gear_kinds(const void *self, const void *bound, int32_t *kind) {
  (void)self;
  if (((const gear *)bound)->backlash > 0) {
    kind[0] = kind[1] = SN_CONSTRAINT_LIMIT;
  }
}

static int64_t gear_dofs(const void *self, const void *bound, int32_t *dof) {
  const gear *g = bound;
  (void)self;
  dof[0] = g->dof[0];
  if (g->dof[1] < 0) {
    return 1;
  }
  dof[1] = g->dof[1];
  return 2;
}

// A row of e, with this sign.
static void write_row(const gear *g, double sign, double *J) {
  J[g->dof[0]] = sign;
  if (g->dof[1] >= 0) {
    J[g->dof[1]] = -sign * g->ratio;
  }
}

static sn_status gear_evaluate(const void *self, const void *bound, const sn_data_view *data,
                               double *residual, double *J, sn_scratch *scratch) {
  const gear *g = bound;
  const double *qpos = sn_field_reals(data->fields, g->position);
  const double time = sn_field_reals(data->fields, g->time)[0];
  double e = qpos[g->qpos[0]] - g->start[0] - g->speed * time;
  (void)self;
  (void)scratch;
  if (g->dof[1] >= 0) {
    e -= g->ratio * (qpos[g->qpos[1]] - g->start[1]);
  }
  residual[0] = e + g->backlash / 2;
  write_row(g, 1, J);
  if (g->backlash > 0) {
    residual[1] = g->backlash / 2 - e;
    write_row(g, -1, J + g->nv);
  }
  return SN_OK;
}

static sn_status gear_velocity(const void *self, const void *bound, const sn_data_view *data,
                               double *velocity, sn_scratch *scratch) {
  const gear *g = bound;
  (void)self;
  (void)data;
  (void)scratch;
  velocity[0] = g->speed;
  if (g->backlash > 0) {
    velocity[1] = -g->speed;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "joint1",
    .choices = "joint",
    .type = SN_PARAM_REFERENCE,
    .summary = "hinge or slide that the gear moves" },
  { .name = "joint2",
    .default_value = "",
    .choices = "joint",
    .type = SN_PARAM_REFERENCE,
    .summary = "hinge or slide that drives it; empty: none, and joint1 moves at `speed`" },
  { .name = "ratio",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .min = -1e6,
    .max = 1e6,
    .summary = "velocity of joint1 divided by that of joint2; of a rack: radius of its pinion, m" },
  { .name = "backlash",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "free play of joint1, rad or m" },
  { .name = "speed",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .min = -1e6,
    .max = 1e6,
    .summary = "velocity of joint1 while joint2 is at rest, rad/s or m/s" },
  { .name = NULL },
};

static const sn_constraint_ops ops = {
  .head = { .size = sizeof(sn_constraint_ops),
            .summary = "a gear with backlash between two joints",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = gear_bind,
  .unbind = sn_instance_unbind,
  .rows = gear_rows,
  .dofs = gear_dofs,
  .evaluate = gear_evaluate,
  .kinds = gear_kinds,
  .velocity = gear_velocity,
};

static const sn_provide provides[] = {
  SN_PROVIDE_CONSTRAINT("gear", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "constraints", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "constraints that models name: gears with backlash", .provides = provides)
