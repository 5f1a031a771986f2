// SPDX-License-Identifier: Apache-2.0
//
// Two magnets, each at a site, in a conducting medium: they attract each other as two dipoles on
// one axis do, and eddy currents damp their relative motion:
//
//   r = p1 - p2, d = |r|      force on the first   f = -(s / d^4) r / d - (e / d^6) r'
//
// With J = d r / d q, the difference of the Jacobians of the two points, r' = J v, and
//
//   generalized force   J' f          velocity derivative   -(e / d^6) J' J
//
// so that implicit integrators stay stable when the magnets come close; J' J couples the dofs of
// both sites, which is declared. The force acts only in
// models that name it: SN_PASSIVE_NAMED.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/kinematics.h"
#include "sinew/math.h"
#include "sinew/passive.h"

enum { SITE1, SITE2, STRENGTH, EDDY };   // attributes

static const double closest = 1e-6;   // m; a smaller distance is replaced by this one

typedef struct magnets {
  int64_t nv;
  int32_t site[2], body[2];   // body: of the site
  const sn_kinematics_service *kinematics;
  const sn_model_view *model;
  sn_field site_xpos, qvel;
  double strength, eddy;
} magnets;

// ------------------------------------------------------------------ one model

static sn_status magnet_bind(const void *self, const sn_model_view *model, const sn_value *values,
                             void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t *site_bodyid = sn_lookup_ints(&l, "site_bodyid");
  magnets m = { .nv = sn_lookup_size(&l, "nv"),
                .kinematics = sn_lookup_service(&l, SN_SERVICE_KINEMATICS),
                .model = model,
                .site_xpos = sn_lookup_data(&l, "site_xpos"),
                .qvel = sn_lookup_data(&l, "qvel"),
                .strength = values[STRENGTH].real,
                .eddy = values[EDDY].real };
  SN_TRY(l.status);
  for (int k = 0; k < 2; k++) {
    m.site[k] = (int32_t)values[SITE1 + k].integer;
    m.body[k] = site_bodyid[m.site[k]];
  }
  return sn_instance_keep(self, &m, sizeof m, bound, error);
}

static sn_status magnet_couples(const void *self, const void *bound, sn_couplings *couplings) {
  const magnets *m = bound;
  const sn_host *host = ((const sn_instance *)self)->host;
  // a dof that moves both sites is listed twice, which does no harm
  int32_t *dof = host->alloc(host, (2 * m->nv + 1) * (int64_t)sizeof *dof);
  if (!dof) {
    return SN_ENOMEM;
  }
  int64_t n = 0;
  for (int k = 0; k < 2 && m->eddy > 0; k++) {
    n += m->kinematics->chain(m->model, m->body[k], dof + n);
  }
  const sn_status status = couplings->add(couplings, n, dof);
  host->free(host, dof);
  return status;
}

// ------------------------------------------------------------------ one step

// Returns d; writes r and J (3 x nv).
static double relative_position(const magnets *m, const sn_data_view *data, double *r, double *J) {
  const double *xpos = sn_field_reals(data->fields, m->site_xpos);
  memset(J, 0, (size_t)(3 * m->nv) * sizeof(double));
  for (int k = 0; k < 2; k++) {
    const double *point = xpos + 3 * m->site[k];
    m->kinematics->jacobian(data, m->body[k], point, k == 0 ? 1 : -1, J, NULL);
  }
  sn_sub3(r, xpos + 3 * m->site[0], xpos + 3 * m->site[1]);
  return fmax(closest, sn_norm3(r));
}

static sn_status magnet_apply(const void *self, const void *bound, const sn_data_view *data,
                              const double *state, double *qfrc, sn_scratch *scratch) {
  const magnets *m = bound;
  (void)self;
  (void)state;
  const double *qvel = sn_field_reals(data->fields, m->qvel);
  double *J, r[3], velocity[3] = { 0 }, force[3];
  SN_ALLOC(J, scratch, 3 * m->nv);
  double d = relative_position(m, data, r, J);
  for (int k = 0; k < 3; k++) {
    for (int64_t i = 0; i < m->nv; i++) {
      velocity[k] += J[k * m->nv + i] * qvel[i];
    }
  }
  sn_scale3(force, r, -m->strength / pow(d, 5));
  sn_addscale3(force, force, -m->eddy / pow(d, 6), velocity);
  for (int k = 0; k < 3; k++) {
    for (int64_t i = 0; i < m->nv; i++) {
      qfrc[i] += J[k * m->nv + i] * force[k];
    }
  }
  return SN_OK;
}

static sn_status magnet_derive(const void *self, const void *bound, const sn_data_view *data,
                               const double *state, const sn_sparse *pattern, double *D,
                               sn_scratch *scratch) {
  const magnets *m = bound;
  (void)self;
  (void)state;
  double *J, r[3];
  SN_ALLOC(J, scratch, 3 * m->nv);
  double brake = m->eddy / pow(relative_position(m, data, r, J), 6);
  for (int64_t i = 0; i < m->nv; i++) {
    for (int32_t k = 0; k < pattern->nnz[i]; k++) {
      const int64_t at = pattern->adr[i] + k, j = pattern->col[at];
      for (int axis = 0; axis < 3; axis++) {
        D[at] -= brake * J[axis * m->nv + i] * J[axis * m->nv + j];
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "site1",
    .choices = "site",
    .type = SN_PARAM_REFERENCE,
    .summary = "site of the first magnet" },
  { .name = "site2",
    .choices = "site",
    .type = SN_PARAM_REFERENCE,
    .summary = "site of the second" },
  { .name = "strength",
    .default_value = "1e-6",
    .type = SN_PARAM_REAL,
    .summary = "s of the attraction s / r^4, N m^4; negative: repulsion" },
  { .name = "eddy",
    .default_value = "0",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "e of the damping e / r^6 by eddy currents, N s m^5" },
  { .name = NULL },
};

static const sn_passive_ops ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .flags = SN_PASSIVE_NAMED,
            .summary = "two magnets, with eddy currents",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .bind = magnet_bind,
  .unbind = sn_instance_unbind,
  .couples = magnet_couples,
  .apply = magnet_apply,
  .derivative = magnet_derive,
  .attributes = attributes,
};

static const sn_provide provides[] = {
  SN_PROVIDE_PASSIVE("magnet", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.magnet", .version = "1.0", .license = "Apache-2.0",
          .summary = "magnets at sites", .provides = provides)
