// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.constraint/draft: equality constraints of plugins.
//
// This kind is a draft: it may change in every minor version, and its id with it. A plugin that
// uses it must be compiled for the version of Sinew that loads it.
//
// A constraint is one or more equations r(q) = 0. The plugin computes the residual r and its
// derivative J = d r / d v; the host makes rows of the constraint problem of them as of any other
// equality constraint: impedance by solref and solimp, reference acceleration, islands, solver,
// inverse dynamics, the fields efc_*. A model names it among its equality constraints, where it can
// be switched on and off like the others:
//
//   <equality><plugin type="rod" name="link" solref=".01 1"><config key="site1" value="a"/> ...
//
//   r = |p1 - p2| - L       J = (p1 - p2)' (Jp1 - Jp2) / |p1 - p2|       see sinew/kinematics.h
//
// All rows of a constraint share one impedance, computed from the norm of the residual, so they
// should all have the same unit. The regularization of a row uses the approximation sum_i J_i^2
// dof_invweight0_i of the diagonal of J M^-1 J'.

#ifndef SINEW_CONSTRAINT_H
#define SINEW_CONSTRAINT_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_CONSTRAINT "sinew.constraint/draft"

enum { SN_MOST_CONSTRAINT_ROWS = 1000 };   // of one constraint

typedef struct sn_constraint_ops {
  sn_ops head;
  // optional. The attributes that a model may set; ends with a NULL name. The host checks them and
  // passes them to bind in this order; strings are valid during bind.
  const sn_param *attributes;
  // [load] Resolves fields and ids. values: the values of the declared attributes in this model.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load]
  // [load] The number of rows, 1 to SN_MOST_CONSTRAINT_ROWS. It may depend on the model and on the
  // attributes.
  int64_t (*rows)(const void *self, const void *bound);
  // [load] Writes the dofs that the rows may depend on to dof (room for nv), each once, in any
  // order, and returns how many there are. A constraint without dofs has no rows.
  int64_t (*dofs)(const void *self, const void *bound, int32_t *dof);
  // [step] The residual (rows) and its derivative J (rows x nv) at the present position: in meters
  // or radians, J by qvel. Both are cleared before the call; entries of J at dofs that were not
  // declared are ignored. If it fails or writes a number that is not finite, the constraint is left
  // out of this step, with a warning. Called after the position stage of kinematics and tendons.
  sn_status (*evaluate)(const void *self, const void *bound, const sn_data_view *data,
                        double *residual, double *J, sn_scratch *scratch);
} sn_constraint_ops;
SN_LAYOUT(sn_constraint_ops, 88);

SN_END_DECLS

#endif
