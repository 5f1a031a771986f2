// SPDX-License-Identifier: Apache-2.0
//
// Damping ratios of servos: the damping of each that makes its ratio, with the inertia that it
// moves at qpos0.

#include <math.h>

#include "base/finite.h"
#include "compile/actuator.h"
#include "dynamics/dynamics.h"
#include "host/calling.h"
#include "sinew/math.h"

// The inertia that an actuator moves, as it is felt through its transmission: of every dof on its
// own, M_jj / moment_j^2.
static double reflected_inertia(const sn_model *m, const sn_data *d, int64_t i) {
  const sn_sparse_row moment = si_actuator_row(d, i);
  double sum = 0;
  for (int32_t k = 0; k < moment.n; k++) {
    const double arm = moment.val[k];
    sum += fabs(arm) > SN_TINY ? m->dof_M0[moment.col[k]] / (arm * arm) : 0;
  }
  return sum;
}

static sn_status damp(si_build *b, int64_t i, const sn_data *d) {
  const double ratio = SI_DEF(b, actuator, i)->dampratio;
  const double *gain = b->m->actuator_gainprm + SN_NACTPRM * i;
  double *bias = b->m->actuator_biasprm + SN_NACTPRM * i;
  if (ratio == 0) {
    return SN_OK;
  }
  si_actuator_functions functions;
  SN_TRY(si_actuator_find_functions(b, i, &functions));
  const sn_force_ops *ops = functions.bias ? functions.bias->ops : NULL;
  if (ratio < 0) {
    return SI_FAIL(b, actuator, i, "the damping ratio must not be negative: %g", ratio);
  }
  if (!ops || !ops->damp) {
    return SI_FAIL(b, actuator, i,
                   "a damping ratio requires a bias that supports it, such as 'affine'");
  }
  const double inertia = reflected_inertia(b->m, d, i);
  const si_call call = si_call_enter(functions.bias, "damp");
  sn_status status = ops->damp(functions.bias->self, gain, inertia, ratio, bias,
                               sn_engine_host(b->engine), b->error);
  status = si_call_leave(&call, status, b->error);
  if (status < 0) {
    return si_build_blame(b, status, SI_ELEMENT_actuator, i);
  }
  return si_all_finite(bias, SN_NACTPRM)
             ? SN_OK
             : SI_FAIL(b, actuator, i,
                       "the damping that results from its damping ratio %g and the inertia %g is "
                       "not finite",
                       ratio, inertia);
}

sn_status si_compile_actuator_damping(si_build *b, const sn_data *d) {
  for (int64_t i = 0; i < b->m->nu; i++) {
    SN_TRY(damp(b, i, d));
  }
  return SN_OK;
}
