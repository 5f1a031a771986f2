// SPDX-License-Identifier: Apache-2.0
//
// A template for constraints: a site stays at a height, as on a frictionless table that also holds
// it down.
//
//   r = z - height       J = (0, 0, 1) Jp
//
// J is the generalized force of the unit force (0, 0, 1) at the site. Replace the equation by your
// own. The kind is a draft: a plugin that uses it must be compiled for the version of Sinew that
// loads it.

#include <stddef.h>

#include "sinew/constraint.h"
#include "sinew/instance.h"
#include "sinew/kinematics.h"

enum { SITE, HEIGHT };   // attributes

// The data for one constraint of a model.
typedef struct bound_constraint {
  int32_t site, body;   // the body of the site
  double height;
  sn_field site_xpos;
  const sn_kinematics_service *kinematics;
  const sn_model_view *model;
} bound_constraint;

static sn_status bind(const void *self, const sn_model_view *model, const sn_value *values,
                      void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t *site_bodyid = sn_lookup_ints(&l, "site_bodyid");
  bound_constraint b = { .site = (int32_t)values[SITE].integer,
                         .height = values[HEIGHT].real,
                         .site_xpos = sn_lookup_data(&l, "site_xpos"),
                         .kinematics = (const sn_kinematics_service *)sn_lookup_service(
                             &l, SN_SERVICE_KINEMATICS),
                         .model = model };
  SN_TRY(l.status);
  b.body = site_bodyid[b.site];
  return sn_instance_keep(self, &b, sizeof b, bound, error);
}

static int64_t rows(const void *self, const void *bound) {
  (void)self;
  (void)bound;
  return 1;
}

static int64_t dofs(const void *self, const void *bound, int32_t *dof) {
  const bound_constraint *b = (const bound_constraint *)bound;
  (void)self;
  return b->kinematics->chain(b->model, b->body, dof);
}

static sn_status evaluate(const void *self, const void *bound, const sn_data_view *data,
                          double *residual, double *J, sn_scratch *scratch) {
  static const double up[3] = { 0, 0, 1 };
  const bound_constraint *b = (const bound_constraint *)bound;
  const double *pos = sn_field_reals(data->fields, b->site_xpos) + 3 * b->site;
  (void)self;
  (void)scratch;
  residual[0] = pos[2] - b->height;
  return b->kinematics->apply(data, b->body, pos, up, NULL, J);
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "site",   // without a default: the host rejects models that do not set it
    .choices = "site",
    .summary = "the site that stays at the height",
    .type = SN_PARAM_REFERENCE },
  { .name = "height",
    .default_value = "0",
    .summary = "z of the site, m",
    .min = -1e6,
    .max = 1e6,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_constraint_ops ops = {
  .head = { .size = sizeof(sn_constraint_ops),
            .summary = "a site stays at a height",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = bind,
  .unbind = sn_instance_unbind,
  .rows = rows,
  .dofs = dofs,
  .evaluate = evaluate,
};

static const sn_provide provides[] = {
  SN_PROVIDE_CONSTRAINT("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a constraint", .provides = provides)
