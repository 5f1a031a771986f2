// SPDX-License-Identifier: Apache-2.0
//
// A strut between two sites: a spring and a damper in parallel, and beside them a spring and a
// damper in series (Maxwell element), whose force relaxes when the strut is held:
//
//        +----[ k ]----+
//   o----+----[ c ]----+----o        f = k (L - L0) + c L' + F
//        +-[ k1 ][ c1 ]+             F' = k1 L' - F k1 / c1
//
// L is the distance of the sites, L' = J v with J = d L / d q. F is the state: a number in each
// simulation, if the strut has a series spring. Over a step h in which L' is constant it has a
// closed form, so that a short relaxation time t = c1 / k1 needs no small step:
//
//   F(h) = F exp(-h / t) + c1 L' (1 - exp(-h / t))
//
// The generalized force is -J' f, its derivative by velocity -c J' J. It ties the dofs of both
// sites together, also across branches of the tree, which is declared as a coupling: so implicit
// integrators keep the momentum of two bodies that only the strut connects.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/kinematics.h"
#include "sinew/math.h"
#include "sinew/passive.h"

enum { SITE1, SITE2, LENGTH, STIFFNESS, DAMPING, SERIES_STIFFNESS, SERIES_DAMPING };   // attributes

static const double shortest = 1e-9;   // m; a shorter strut has no direction and no force

typedef struct strut {
  int64_t nv;
  int32_t site[2], body[2];   // body: of the site
  const sn_kinematics_service *kinematics;
  const sn_model_view *model;
  sn_field site_xpos, qvel;
  double length, stiffness, damping, series_stiffness, series_damping;
} strut;

// ------------------------------------------------------------------ one model

static sn_status strut_bind(const void *self, const sn_model_view *model, const sn_value *values,
                            void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t *site_bodyid = sn_lookup_ints(&l, "site_bodyid");
  strut s = { .nv = sn_lookup_size(&l, "nv"),
              .kinematics = sn_lookup_service(&l, SN_SERVICE_KINEMATICS),
              .model = model,
              .site_xpos = sn_lookup_data(&l, "site_xpos"),
              .qvel = sn_lookup_data(&l, "qvel"),
              .length = values[LENGTH].real,
              .stiffness = values[STIFFNESS].real,
              .damping = values[DAMPING].real,
              .series_stiffness = values[SERIES_STIFFNESS].real,
              .series_damping = values[SERIES_DAMPING].real };
  SN_TRY(l.status);
  for (int k = 0; k < 2; k++) {
    s.site[k] = (int32_t)values[SITE1 + k].integer;
    s.body[k] = site_bodyid[s.site[k]];
  }
  return sn_instance_keep(self, &s, sizeof s, bound, error);
}

static int64_t strut_states(const void *self, const void *bound) {
  const strut *s = bound;
  (void)self;
  return s->series_stiffness > 0 && s->series_damping > 0 ? 1 : 0;
}

static sn_status strut_couples(const void *self, const void *bound, sn_couplings *couplings) {
  const strut *s = bound;
  const sn_host *host = ((const sn_instance *)self)->host;
  if (s->damping == 0) {
    return SN_OK;
  }
  // a dof that moves both sites is listed twice, which does no harm
  int32_t *dof = host->alloc(host, (2 * s->nv + 1) * (int64_t)sizeof *dof);
  if (!dof) {
    return SN_ENOMEM;
  }
  int64_t n = 0;
  for (int k = 0; k < 2; k++) {
    n += s->kinematics->chain(s->model, s->body[k], dof + n);
  }
  const sn_status status = couplings->add(couplings, n, dof);
  host->free(host, dof);
  return status;
}

// ------------------------------------------------------------------ one step

// The length, and J (nv).
static double measure(const strut *s, const sn_data_view *data, double *J) {
  const double *xpos = sn_field_reals(data->fields, s->site_xpos);
  double along[3];
  sn_sub3(along, xpos + 3 * s->site[0], xpos + 3 * s->site[1]);
  const double length = sn_norm3(along);
  memset(J, 0, (size_t)s->nv * sizeof(double));
  if (length < shortest) {
    return length;
  }
  for (int k = 0; k < 2; k++) {
    double unit[3];   // a unit force that makes the strut longer
    sn_scale3(unit, along, (k == 0 ? 1 : -1) / length);
    s->kinematics->apply(data, s->body[k], xpos + 3 * s->site[k], unit, NULL, J);
  }
  return length;
}

static double rate(const strut *s, const sn_data_view *data, const double *J) {
  const double *qvel = sn_field_reals(data->fields, s->qvel);
  double sum = 0;
  for (int64_t i = 0; i < s->nv; i++) {
    sum += J[i] * qvel[i];
  }
  return sum;
}

static sn_status strut_apply(const void *self, const void *bound, const sn_data_view *data,
                             const double *state, double *qfrc, sn_scratch *scratch) {
  const strut *s = bound;
  (void)self;
  double *J;
  SN_ALLOC(J, scratch, s->nv);
  double force = s->stiffness * (measure(s, data, J) - s->length);
  force += s->damping * rate(s, data, J) + (state ? state[0] : 0);
  for (int64_t i = 0; i < s->nv; i++) {
    qfrc[i] -= J[i] * force;
  }
  return SN_OK;
}

static sn_status strut_derive(const void *self, const void *bound, const sn_data_view *data,
                              const double *state, const sn_sparse *pattern, double *D,
                              sn_scratch *scratch) {
  const strut *s = bound;
  (void)self;
  (void)state;
  double *J;
  SN_ALLOC(J, scratch, s->nv);
  measure(s, data, J);
  for (int64_t i = 0; i < s->nv; i++) {
    for (int32_t k = 0; k < pattern->nnz[i]; k++) {
      int64_t at = pattern->adr[i] + k;
      D[at] -= s->damping * J[i] * J[pattern->col[at]];
    }
  }
  return SN_OK;
}

static sn_status strut_advance(const void *self, const void *bound, const sn_data_view *data,
                               double h, double *state, sn_scratch *scratch) {
  const strut *s = bound;
  (void)self;
  double *J;
  SN_ALLOC(J, scratch, s->nv);
  measure(s, data, J);
  const double x = -h * s->series_stiffness / s->series_damping;
  state[0] = state[0] * exp(x) - s->series_damping * rate(s, data, J) * expm1(x);
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

#define NUMBER(key, meaning)                                                      \
  { .name = key, .default_value = "0", .type = SN_PARAM_REAL, .min = 0, .max = 1e12, \
    .summary = meaning }

static const sn_param attributes[] = {
  { .name = "site1", .choices = "site", .type = SN_PARAM_REFERENCE, .summary = "site at one end" },
  { .name = "site2",
    .choices = "site",
    .type = SN_PARAM_REFERENCE,
    .summary = "site at the other end" },
  NUMBER("length", "L0, length without force of the parallel spring, m"),
  NUMBER("stiffness", "k of the parallel spring, N / m"),
  NUMBER("damping", "c of the parallel damper, N s / m"),
  NUMBER("series_stiffness", "k1 of the spring in series, N / m; 0: none"),
  NUMBER("series_damping", "c1 of the damper in series, N s / m; 0: none"),
  { .name = NULL },
};

static const sn_passive_ops ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .flags = SN_PASSIVE_NAMED | SN_PASSIVE_INTERNAL,
            .summary = "a viscoelastic strut between two sites",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = strut_bind,
  .unbind = sn_instance_unbind,
  .states = strut_states,
  .couples = strut_couples,
  .apply = strut_apply,
  .derivative = strut_derive,
  .advance = strut_advance,
};

static const sn_provide provides[] = {
  SN_PROVIDE_PASSIVE("strut", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.strut", .version = "1.0", .license = "Apache-2.0",
          .summary = "viscoelastic struts between sites", .provides = provides)
