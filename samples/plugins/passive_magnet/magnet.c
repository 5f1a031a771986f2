// SPDX-License-Identifier: Apache-2.0
//
// Two magnets, each at a site, in a world that conducts: they attract each other as dipoles on one
// axis do, and eddy currents brake their motion against each other:
//
//   r = p1 - p2, d = |r|      force on the first   f = -(s / d^4) r / d - (e / d^6) r'
//
// With J = d r / d q, which has the columns of both points' Jacobians, r' = J v, and
//
//   generalized force   J' f          its derivative by velocity   -(e / d^6) J' J
//
// so that implicit integrators stay stable when the magnets come close. A force that a model asks
// for by name: SN_PASSIVE_NAMED.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/passive.h"

enum { SITE1, SITE2, STRENGTH, EDDY };   // attributes

typedef struct instance {
  const sn_host *host;
  const sn_fields_service *fields;
} instance;

typedef struct magnets {
  int64_t nv;
  int32_t site[2], root[2], tip[2];   // tip: the last dof that moves the site's body; -1: none
  const int32_t *dof_parentid;
  sn_field site_xpos, subtree_com, cdof, qvel;
  double strength, eddy;
} magnets;

static sn_status magnet_create(const sn_host *host, const sn_value *values, void **self,
                               sn_error *error) {
  (void)values;
  instance *made = host->alloc(host, sizeof *made);
  if (!made) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory for a magnet");
  }
  *made = (instance){ .host = host, .fields = host->query(host, SN_SERVICE_FIELDS) };
  *self = made;
  return SN_OK;
}

static void magnet_destroy(void *self) {
  const sn_host *host = ((instance *)self)->host;
  host->free(host, self);
}

// ------------------------------------------------------------------ one model

enum { BODY, WELD, ROOT, DOFADR, DOFNUM, PARENT, TREE };

// The arrays that tell how a site moves.
static sn_status find_tree(const instance *s, const sn_model_view *model, const int32_t **tree,
                           sn_error *error) {
  static const char *const names[TREE] = { "site_bodyid", "body_weldid", "body_rootid",
                                           "body_dofadr", "body_dofnum", "dof_parentid" };
  for (int k = 0; k < TREE; k++) {
    sn_field field;
    sn_status status = s->fields->model_field(model, names[k], &field, error);
    if (status < 0) {
      return status;
    }
    tree[k] = sn_field_ints(model->fields, field);
  }
  return SN_OK;
}

static sn_status magnet_bind(const void *self, const sn_model_view *model, const sn_value *values,
                             void **bound, sn_error *error) {
  const instance *s = self;
  magnets m = { .nv = s->fields->size_of(model, "nv"),
                .strength = values[STRENGTH].real,
                .eddy = values[EDDY].real };
  const int32_t *tree[TREE];
  sn_status status = find_tree(s, model, tree, error);
  if (status < 0) {
    return status;
  }
  m.dof_parentid = tree[PARENT];
  for (int k = 0; k < 2; k++) {
    m.site[k] = s->fields->find(model, "site", values[SITE1 + k].text);
    if (m.site[k] < 0) {
      return s->host->error(s->host, error, SN_ENOTFOUND, NULL, 0, 0,
                            "magnet: say the names of two sites, site1 and site2");
    }
    int32_t body = tree[BODY][m.site[k]], moved = tree[WELD][body];   // moved: it has the dofs
    m.root[k] = tree[ROOT][body];
    m.tip[k] = moved == 0 ? -1 : tree[DOFADR][moved] + tree[DOFNUM][moved] - 1;
  }
  if (s->fields->data_field(model, "site_xpos", &m.site_xpos, error) < 0 ||
      s->fields->data_field(model, "subtree_com", &m.subtree_com, error) < 0 ||
      s->fields->data_field(model, "cdof", &m.cdof, error) < 0 ||
      s->fields->data_field(model, "qvel", &m.qvel, error) < 0) {
    return SN_ENOTFOUND;
  }
  magnets *kept = s->host->alloc(s->host, sizeof *kept);
  if (!kept) {
    return s->host->error(s->host, error, SN_ENOMEM, NULL, 0, 0, "no memory for a magnet");
  }
  *kept = m;
  *bound = kept;
  return SN_OK;
}

static void magnet_unbind(const void *self, void *bound) {
  const instance *s = self;
  s->host->free(s->host, bound);
}

// ------------------------------------------------------------------ one step

// r and J (a row of 3 for each dof), and d.
static double approach(const magnets *m, const sn_data_view *data, double *r, double *J) {
  const double *xpos = sn_field_reals(data->fields, m->site_xpos);
  const double *com = sn_field_reals(data->fields, m->subtree_com);
  const double *cdof = sn_field_reals(data->fields, m->cdof);
  memset(J, 0, (size_t)(3 * m->nv) * sizeof(double));
  for (int k = 0; k < 2; k++) {
    double arm[3], turn[3], sign = k == 0 ? 1 : -1;
    sn_sub3(arm, xpos + 3 * m->site[k], com + 3 * m->root[k]);
    for (int32_t i = m->tip[k]; i >= 0; i = m->dof_parentid[i]) {
      // a dof is [rotation; translation of what is at the tree's center of mass]
      sn_cross(turn, cdof + 6 * i, arm);
      sn_addscale3(J + 3 * i, J + 3 * i, sign, turn);
      sn_addscale3(J + 3 * i, J + 3 * i, sign, cdof + 6 * i + 3);
    }
  }
  sn_sub3(r, xpos + 3 * m->site[0], xpos + 3 * m->site[1]);
  return fmax(1e-6, sn_norm3(r));
}

static sn_status magnet_apply(const void *self, const void *bound, const sn_data_view *data,
                              double *qfrc, sn_scratch *scratch) {
  const magnets *m = bound;
  (void)self;
  const double *qvel = sn_field_reals(data->fields, m->qvel);
  double *J = sn_take_reals(scratch, 3 * m->nv), r[3], velocity[3] = { 0 }, force[3];
  double d = approach(m, data, r, J);
  for (int64_t i = 0; i < m->nv; i++) {
    sn_addscale3(velocity, velocity, qvel[i], J + 3 * i);
  }
  sn_scale3(force, r, -m->strength / pow(d, 5));
  sn_addscale3(force, force, -m->eddy / pow(d, 6), velocity);
  for (int64_t i = 0; i < m->nv; i++) {
    qfrc[i] += sn_dot3(J + 3 * i, force);
  }
  return SN_OK;
}

static sn_status magnet_derive(const void *self, const void *bound, const sn_data_view *data,
                               const sn_sparse *pattern, double *D, sn_scratch *scratch) {
  const magnets *m = bound;
  (void)self;
  double *J = sn_take_reals(scratch, 3 * m->nv), r[3];
  double brake = m->eddy / pow(approach(m, data, r, J), 6);
  for (int64_t i = 0; i < m->nv; i++) {
    for (int32_t k = 0; k < pattern->nnz[i]; k++) {
      int64_t at = pattern->adr[i] + k;
      D[at] -= brake * sn_dot3(J + 3 * i, J + 3 * pattern->col[at]);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param attributes[] = {
  { .name = "site1", .fallback = "", .type = SN_PARAM_TEXT, .summary = "site of the first magnet" },
  { .name = "site2", .fallback = "", .type = SN_PARAM_TEXT, .summary = "site of the second" },
  { .name = "strength",
    .fallback = "1e-6",
    .type = SN_PARAM_REAL,
    .summary = "s of the pull s / r^4, N m^4; negative: they repel" },
  { .name = "eddy",
    .fallback = "0",
    .type = SN_PARAM_REAL,
    .min = 0,
    .max = 1e6,
    .summary = "e of the drag by eddy currents, N s m^5" },
  { .name = NULL },
};

static const sn_passive_ops ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .flags = SN_PASSIVE_NAMED,
            .summary = "two magnets, with eddy currents",
            .create = magnet_create,
            .destroy = magnet_destroy },
  .bind = magnet_bind,
  .unbind = magnet_unbind,
  .apply = magnet_apply,
  .derive = magnet_derive,
  .attributes = attributes,
};

static const sn_provide provides[] = {
  { SN_KIND_PASSIVE, "magnet", &ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.magnet", .version = "1.0", .license = "Apache-2.0",
          .summary = "magnets at sites", .provides = provides)
