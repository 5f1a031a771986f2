// SPDX-License-Identifier: Apache-2.0
//
// A rod without mass between two sites, an equation that keeps their distance; or a rope, a limit
// that keeps it from becoming larger. Both may change their length at a constant rate, like a
// hydraulic cylinder or a rope on a winch.
//
//   rod    r = |p1 - p2| - (L + rate t) = 0       J = n' (Jp1 - Jp2),  n = (p1 - p2) / |p1 - p2|
//   rope   r = (L + rate t) - |p1 - p2| >= 0      J = -n' (Jp1 - Jp2)
//
// J is the generalized force of a unit force along n at the first site and the opposite force at
// the second. The reference velocity is -dr/dt at constant positions: rate, and for a rope -rate.

#include <stddef.h>

#include "sinew/constraint.h"
#include "sinew/instance.h"
#include "sinew/kinematics.h"
#include "sinew/math.h"

enum { SITE1, SITE2, LENGTH, RATE, ROPE };   // attributes

typedef struct rod {
  int64_t nv;
  int32_t site[2], body[2];   // body: of the site
  double length, rate;
  double sign;                // of r: -1 for a rope
  sn_field site_xpos, time;
  const sn_kinematics_service *kinematics;
  const sn_model_view *model;
} rod;

static sn_status rod_bind(const void *self, const sn_model_view *model, const sn_value *values,
                          void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t *site_bodyid = sn_lookup_ints(&l, "site_bodyid");
  rod r = { .nv = sn_lookup_size(&l, "nv"),
            .length = values[LENGTH].real,
            .rate = values[RATE].real,
            .sign = values[ROPE].integer ? -1 : 1,
            .site_xpos = sn_lookup_data(&l, "site_xpos"),
            .time = sn_lookup_data(&l, "time"),
            .kinematics = sn_lookup_service(&l, SN_SERVICE_KINEMATICS),
            .model = model };
  SN_TRY(l.status);
  for (int k = 0; k < 2; k++) {
    r.site[k] = (int32_t)values[SITE1 + k].integer;
    r.body[k] = site_bodyid[r.site[k]];
  }
  if (r.length <= 0) {
    return sn_instance_fail(self, error, SN_EINVAL, "rod: length must be greater than 0");
  }
  return sn_instance_keep(self, &r, sizeof r, bound, error);
}

static int64_t rod_rows(const void *self, const void *bound) {
  (void)self;
  (void)bound;
  return 1;
}

static void rod_kinds(const void *self, const void *bound, int32_t *kind) {
  (void)self;
  kind[0] = ((const rod *)bound)->sign < 0 ? SN_CONSTRAINT_LIMIT : SN_CONSTRAINT_EQUATION;
}

// The dofs that move one of the bodies: both lists are ascending, and merged.
static int64_t rod_dofs(const void *self, const void *bound, int32_t *dof) {
  const rod *r = bound;
  const sn_host *host = ((const sn_instance *)self)->host;
  int32_t *other = host->alloc(host, (r->nv + 1) * (int64_t)sizeof *other);
  if (!other) {
    return -1;
  }
  const int32_t m = r->kinematics->chain(r->model, r->body[1], other);
  int32_t n = r->kinematics->chain(r->model, r->body[0], dof);
  for (int32_t i = 0, k = 0, first = n; i < m; i++) {
    while (k < first && dof[k] < other[i]) {
      k++;
    }
    if (k == first || dof[k] != other[i]) {
      dof[n++] = other[i];
    }
  }
  host->free(host, other);
  return n;
}

static sn_status rod_evaluate(const void *self, const void *bound, const sn_data_view *data,
                              double *residual, double *J, sn_scratch *scratch) {
  const rod *r = bound;
  (void)self;
  (void)scratch;
  const double *xpos = sn_field_reals(data->fields, r->site_xpos);
  const double *p1 = xpos + 3 * r->site[0], *p2 = xpos + 3 * r->site[1];
  const double length = r->length + r->rate * sn_field_reals(data->fields, r->time)[0];
  double n[3], back[3];
  sn_sub3(n, p1, p2);
  residual[0] = r->sign * (sn_normalize3(n) - length);
  sn_scale3(n, n, r->sign);
  sn_scale3(back, n, -1);
  r->kinematics->apply(data, r->body[0], p1, n, NULL, J);
  r->kinematics->apply(data, r->body[1], p2, back, NULL, J);
  return SN_OK;
}

static sn_status rod_velocity(const void *self, const void *bound, const sn_data_view *data,
                              double *velocity, sn_scratch *scratch) {
  const rod *r = bound;
  (void)self;
  (void)data;
  (void)scratch;
  velocity[0] = r->sign * r->rate;
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "site1", .choices = "site", .type = SN_PARAM_REFERENCE, .summary = "site at one end" },
  { .name = "site2",
    .choices = "site",
    .type = SN_PARAM_REFERENCE,
    .summary = "site at the other end" },
  { .name = "length",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "L, the length at time 0, m" },
  { .name = "rate",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .min = -1e6,
    .max = 1e6,
    .summary = "change of the length, m/s" },
  { .name = "rope",
    .default_value = "no",
    .type = SN_PARAM_BOOL,
    .summary = "it pulls and does not push" },
  { .name = NULL },
};

static const sn_constraint_ops ops = {
  .head = { .size = sizeof(sn_constraint_ops),
            .summary = "a rod or rope without mass between two sites",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = rod_bind,
  .unbind = sn_instance_unbind,
  .rows = rod_rows,
  .dofs = rod_dofs,
  .evaluate = rod_evaluate,
  .kinds = rod_kinds,
  .velocity = rod_velocity,
};

static const sn_provide provides[] = {
  SN_PROVIDE_CONSTRAINT("rod", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.rod", .version = "1.0", .license = "Apache-2.0",
          .summary = "rods and ropes between sites", .provides = provides)
