// SPDX-License-Identifier: Apache-2.0
//
// A template for passive forces: a drag force on every degree of freedom,
//
//   f_i = -coefficient |v_i| v_i,     df_i / dv_i = -2 coefficient |v_i|
//
// It has all parts of a plugin: parameters that are set in the ini file, an instance, fields that
// are looked up by name once and then read directly, and, at the end, the tables that the host
// reads. Enable it with these lines in the ini file:
//
//   [plugins]
//   my_plugin = /path/to/build/my_plugin.so
//   [plugin.my_plugin]
//   coefficient = 0.5
//
// Replace the names, the mathematics and the license by your own.

#include <math.h>
#include <stddef.h>

#include "sinew/instance.h"
#include "sinew/passive.h"

// The instance: one for all models, constant while simulations run.
typedef struct drag {
  sn_instance base;     // the host and its services; must come first
  double coefficient;   // N s^2/m^2 or N m s^2/rad^2
} drag;

// The data for one model.
typedef struct bound_drag {
  int64_t nv;
  sn_field qvel;
} bound_drag;

// ------------------------------------------------------------------ one model

static sn_status drag_bind(const void *self, const sn_model_view *model, const sn_value *values,
                           void **bound, sn_error *error) {
  const drag *d = (const drag *)self;
  (void)values;
  sn_lookup l = sn_lookup_start(self, model, error);
  const bound_drag b = { .nv = sn_lookup_size(&l, "nv"), .qvel = sn_lookup_data(&l, "qvel") };
  SN_TRY(l.status);

  // nothing to do: leave *bound NULL, and the force costs nothing
  if (d->coefficient == 0 || b.nv == 0) {
    return SN_OK;
  }
  return sn_instance_keep(self, &b, sizeof b, bound, error);
}

// ------------------------------------------------------------------ one step

static sn_status drag_apply(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, double *qfrc, sn_scratch *scratch) {
  const drag *d = (const drag *)self;
  const bound_drag *b = (const bound_drag *)bound;
  (void)state;
  (void)scratch;
  const double *qvel = sn_field_reals(data->fields, b->qvel);
  for (int64_t i = 0; i < b->nv; i++) {
    qfrc[i] -= d->coefficient * fabs(qvel[i]) * qvel[i];
  }
  return SN_OK;
}

// The velocity derivative, for implicit integrators: only the diagonal is nonzero.
static sn_status drag_derive(const void *self, const void *bound, const sn_data_view *data,
                             const double *state, const sn_sparse *pattern, double *D,
                             sn_scratch *scratch) {
  const drag *d = (const drag *)self;
  const bound_drag *b = (const bound_drag *)bound;
  (void)state;
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
  SN_TRY(sn_instance_new(host, sizeof(drag), self, error));
  drag *d = (drag *)*self;
  d->coefficient = values[0].real;   // in the order of drag_params
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param drag_params[] = {
  { .name = "coefficient",
    .default_value = "0.1",
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
            .destroy = sn_instance_destroy },
  .bind = drag_bind,
  .unbind = sn_instance_unbind,
  .apply = drag_apply,
  .derivative = drag_derive,
};

static const sn_provide provides[] = {
  SN_PROVIDE_PASSIVE("my_plugin", &drag_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a passive force", .provides = provides)
