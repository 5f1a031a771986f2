// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.constraint/draft: equality constraints and limits that plugins compute.
//
// This kind is a draft: it may change in every minor version. A plugin that uses it must be
// compiled for the version of Sinew that loads it.
//
// A constraint has one or more rows. A row is an equation r = 0 or a limit r >= 0, where the
// residual r depends on the positions and on time. The plugin computes r, its Jacobian J, and, if r
// depends on time, its reference velocity u:
//
//   dr/dt = J v - u        J = dr / dv,  u = -dr/dt at constant positions
//
// The host turns them into rows of the constraint problem, as it does with its own constraints.
// solref and solimp of the constraint give each row its impedance d, stiffness k and damping b, and
// with them the reference acceleration -b (J v - u) - k d r. The force of an equation may have
// either sign. A limit is a row only while r < 0, and its force is never negative, like that of a
// joint at its limit. Islands, solvers, inverse dynamics and the fields efc_* treat all rows alike.
//
// A model names the constraint among its equality constraints, where it can be disabled like the
// others:
//
//   <equality><plugin type="rod" name="link" solref=".01 1"><config key="site1" value="a"/> ...
//
//   r = |p1 - p2| - L       J = (p1 - p2)' (Jp1 - Jp2) / |p1 - p2|       see sinew/kinematics.h
//
// The equations of a constraint share one impedance, computed from the norm of their residuals, so
// these must all have the same unit. A limit has an impedance of its own. The regularization of a
// row uses the approximation sum_i J_i^2 dof_invweight0_i of the diagonal of J M^-1 J'.

#ifndef SINEW_CONSTRAINT_H
#define SINEW_CONSTRAINT_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_CONSTRAINT "sinew.constraint/draft"

enum { SN_MAX_CONSTRAINT_ROWS = 1000 };   // of one constraint

enum {                        // kinds of rows
  SN_CONSTRAINT_EQUATION = 0,   // r = 0
  SN_CONSTRAINT_LIMIT = 1       // r >= 0
};

// The operations of a constraint.
typedef struct sn_constraint_ops {
  sn_ops head;
  // optional. The attributes that a model may set; ends with a NULL name. The host checks them and
  // passes their values to `bind` in this order.
  const sn_param *attributes;
  // [load] Prepares one constraint of a model: finds the fields and ids that the other operations
  // need. values: one for each declared attribute; strings are valid during the call. *bound is
  // passed to the other operations. If it fails, the model is rejected.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load] frees what `bind` returned
  // [load] Returns the number of rows, 1 to SN_MAX_CONSTRAINT_ROWS, which may depend on the model
  // and on the attributes.
  int64_t (*rows)(const void *self, const void *bound);
  // [load] Writes the ids of the dofs that the rows may depend on to dof (capacity nv), each once,
  // in any order, and returns how many there are. A constraint without dofs has no rows.
  int64_t (*dofs)(const void *self, const void *bound, int32_t *dof);
  // [step] Writes the residuals (rows; m or rad) at the current positions and time, and their
  // derivatives J (rows x nv). Both are cleared before the call; numbers of J at dofs that were not
  // declared are ignored. If it fails or writes a number that is not finite or exceeds 1e10, the
  // constraint is left out of this evaluation, with a warning; in rows of limits that are not
  // violated, numbers may exceed 1e10. The positions of bodies, geoms, sites and tendons have been
  // computed; what depends on velocities has not. A constraint with rows of both kinds is evaluated
  // twice, for its equations and, unless that failed, for its limits.
  sn_status (*evaluate)(const void *self, const void *bound, const sn_data_view *data,
                        double *residual, double *J, sn_scratch *scratch);
  // [load] optional; NULL: all rows are equations. Writes the kind of each row, SN_CONSTRAINT_*, to
  // kind (rows), which is cleared before the call.
  void (*kinds)(const void *self, const void *bound, int32_t *kind);
  // [step] optional; NULL: 0. Writes the reference velocities u (rows; m/s or rad/s), which are
  // cleared before the call. Called after `evaluate`, under the same conditions.
  sn_status (*velocity)(const void *self, const void *bound, const sn_data_view *data,
                        double *velocity, sn_scratch *scratch);
} sn_constraint_ops;
SN_LAYOUT(sn_constraint_ops, 104);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_CONSTRAINT(name, ops) \
  SN_PROVIDE(SN_KIND_CONSTRAINT, name, sn_constraint_ops, ops)

SN_END_DECLS

#endif
