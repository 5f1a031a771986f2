// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.passive/1: passive forces, that is, generalized forces that depend on positions and
// velocities alone, such as springs, dampers and fluid forces.

#ifndef SINEW_PASSIVE_H
#define SINEW_PASSIVE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_PASSIVE "sinew.passive/1"

enum {                       // sn_ops.flags
  SN_PASSIVE_NAMED = 1,      // acts only in models that name it; otherwise in every model
  SN_PASSIVE_GRAVCOMP = 2    // gravity compensation: part of qfrc_actuator where actgravcomp is set
};

typedef struct sn_passive_ops {
  sn_ops head;
  // [load] Resolves fields and ids. *bound NULL on return: the force has nothing to do for this
  // model and is not called. values: the values of the declared attributes in this model.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [step] Adds its force to qfrc (nv).
  sn_status (*apply)(const void *self, const void *bound, const sn_data_view *data, double *qfrc,
                     sn_scratch *scratch);
  // [step] optional. Adds d(force)/d(qvel) to D, an nv x nv matrix with the sparsity pattern
  // `pattern`: row i has nnz[i] entries with columns col[adr[i] + k] and values D[adr[i] + k].
  // Derivatives outside the pattern are ignored.
  sn_status (*derive)(const void *self, const void *bound, const sn_data_view *data,
                      const sn_sparse *pattern, double *D, sn_scratch *scratch);
  // optional. The attributes that a model may set for a named force; ends with a NULL name. The
  // host checks them and passes them to bind in this order; strings are valid during bind.
  const sn_param *attributes;
} sn_passive_ops;
SN_LAYOUT(sn_passive_ops, 80);

SN_END_DECLS

#endif
