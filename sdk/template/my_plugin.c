// SPDX-License-Identifier: Apache-2.0
//
// A plugin to start from: a force that brakes every degree of freedom,
//
//   f_i = -coefficient |v_i| v_i,     df_i / dv_i = -2 coefficient |v_i|
//
// It shows all that a plugin consists of: parameters that the ini sets, an instance, fields that
// are found by name once and read fast afterwards, and at the foot the tables that the host reads.
//
//   [plugins]
//   my_plugin = /path/to/build/my_plugin.so
//   [plugin.my_drag]
//   coefficient = 0.5
//
// Replace the names, the mathematics and the license by your own.

#include <math.h>
#include <stddef.h>

#include "sinew/passive.h"

// What this provider knows: the same for all models, constant while they run.
typedef struct drag {
  const sn_host *host;
  const sn_fields_service *fields;
  double coefficient;   // N s^2/m^2 or N m s^2/rad^2
} drag;

// What it knows of one model.
typedef struct bound_drag {
  int64_t nv;
  sn_field qvel;
} bound_drag;

// ------------------------------------------------------------------ one model

static sn_status drag_bind(const void *self, const sn_model_view *model, const sn_value *values,
                           void **bound, sn_error *error) {
  const drag *d = self;
  (void)values;

  // nothing to do: leave *bound NULL, and the force costs nothing
  const int64_t nv = d->fields->size_of(model, "nv");
  if (d->coefficient == 0 || nv <= 0) {
    return SN_OK;
  }
  sn_field qvel;
  sn_status status = d->fields->data_field(model, "qvel", &qvel, error);
  if (status < 0) {
    return status;
  }
  bound_drag *b = d->host->alloc(d->host, sizeof *b);
  if (!b) {
    return d->host->error(d->host, error, SN_ENOMEM, NULL, 0, 0, "no memory for my_drag");
  }
  b->nv = nv;
  b->qvel = qvel;
  *bound = b;
  return SN_OK;
}

static void drag_unbind(const void *self, void *bound) {
  const drag *d = self;
  d->host->free(d->host, bound);
}

// ------------------------------------------------------------------ one step

static sn_status drag_apply(const void *self, const void *bound, const sn_data_view *data,
                            double *qfrc, sn_scratch *scratch) {
  const drag *d = self;
  const bound_drag *b = bound;
  (void)scratch;
  const double *qvel = sn_field_reals(data->fields, b->qvel);
  for (int64_t i = 0; i < b->nv; i++) {
    qfrc[i] -= d->coefficient * fabs(qvel[i]) * qvel[i];
  }
  return SN_OK;
}

// The derivative by velocity, for integrators that ask for it: here only the diagonal.
static sn_status drag_derive(const void *self, const void *bound, const sn_data_view *data,
                             const sn_sparse *pattern, double *D, sn_scratch *scratch) {
  const drag *d = self;
  const bound_drag *b = bound;
  (void)scratch;
  const double *qvel = sn_field_reals(data->fields, b->qvel);
  for (int64_t i = 0; i < b->nv; i++) {
    for (int32_t k = 0; k < pattern->nnz[i]; k++) {
      if (pattern->col[pattern->adr[i] + k] == i) {
        D[pattern->adr[i] + k] -= 2 * d->coefficient * fabs(qvel[i]);
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the instance

static sn_status drag_create(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  drag *d = host->alloc(host, sizeof *d);
  if (!d) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory for my_drag");
  }
  d->host = host;
  d->fields = host->query(host, SN_SERVICE_FIELDS);
  d->coefficient = values[0].real;   // in the order of drag_params
  if (!d->fields) {
    host->free(host, d);
    return host->error(host, error, SN_EUNSUPPORTED, NULL, 0, 0,
                       "my_drag needs the service " SN_SERVICE_FIELDS);
  }
  *self = d;
  return SN_OK;
}

static void drag_destroy(void *self) {
  drag *d = self;
  d->host->free(d->host, d);
}

// ------------------------------------------------------------------ what the host reads

static const sn_param drag_params[] = {
  { .name = "coefficient",
    .fallback = "0.1",
    .summary = "quadratic drag of every degree of freedom, N s^2/m^2 or N m s^2/rad^2",
    .min = 0,
    .max = 1e6,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_passive_ops drag_ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .summary = "quadratic drag of every degree of freedom",
            .params = drag_params,
            .create = drag_create,
            .destroy = drag_destroy },
  .bind = drag_bind,
  .unbind = drag_unbind,
  .apply = drag_apply,
  .derive = drag_derive,
};

static const sn_provide provides[] = {
  { SN_KIND_PASSIVE, "my_drag", &drag_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a plugin to start from", .provides = provides)
