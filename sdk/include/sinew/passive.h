// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.passive/1: generalized forces that depend on position and velocity alone.

#ifndef SINEW_PASSIVE_H
#define SINEW_PASSIVE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_PASSIVE "sinew.passive/1"

enum {                       // flags of an operations struct
  SN_PASSIVE_NAMED = 1,      // acts only where a model asks for it by name; else on every model
  SN_PASSIVE_GRAVCOMP = 2    // on joints with actgravcomp it counts as a force of actuators
};

typedef struct sn_passive_ops {
  sn_ops head;
  // [load] Resolves what it needs. *bound NULL on return: nothing to do for this model, and it
  // then costs nothing. values: of the declared attributes, as the model has them.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [step] Adds its force to qfrc (nv).
  sn_status (*apply)(const void *self, const void *bound, const sn_data_view *data, double *qfrc,
                     sn_scratch *scratch);
  // [step] optional. Adds d force / d qvel to D, nv x nv, on the given pattern: row i has
  // nnz[i] entries, columns col[adr[i] + k], values D[adr[i] + k]. What is outside is dropped.
  sn_status (*derive)(const void *self, const void *bound, const sn_data_view *data,
                      const sn_sparse *pattern, double *D, sn_scratch *scratch);
  // optional. What a model may say to a named force, by name; ends with a NULL name. The host
  // checks it and hands it to bind in this order; texts are valid during bind.
  const sn_param *attributes;
} sn_passive_ops;
SN_LAYOUT(sn_passive_ops, 80);

SN_END_DECLS

#endif
