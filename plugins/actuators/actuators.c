// SPDX-License-Identifier: Apache-2.0
//
// Dynamics, gain and bias of the actuators of MJCF: linear filters, affine forces, muscles.

#include <stddef.h>

#include "functions.h"

static const sn_provide provides[] = {
  SN_PROVIDE_DYNAMICS("integrator", &integrator_ops),
  SN_PROVIDE_DYNAMICS("filter", &filter_ops),
  SN_PROVIDE_DYNAMICS("filterexact", &filterexact_ops),
  SN_PROVIDE_DYNAMICS("muscle", &muscle_dynamics_ops),
  SN_PROVIDE_GAIN("fixed", &fixed_gain_ops),
  SN_PROVIDE_GAIN("affine", &affine_gain_ops),
  SN_PROVIDE_GAIN("muscle", &muscle_gain_ops),
  SN_PROVIDE_BIAS("affine", &affine_bias_ops),
  SN_PROVIDE_BIAS("muscle", &muscle_bias_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "actuators", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "dynamics, gain and bias of actuators: integrator, filters, affine forces, "
                     "muscles",
          .provides = provides)
