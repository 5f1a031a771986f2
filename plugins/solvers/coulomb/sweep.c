// SPDX-License-Identifier: Apache-2.0
//
// Sweeps over the contacts; see sweep.h.

#include "sweep.h"

#include <math.h>
#include <string.h>

static double sweep_unit(dual *u, const dual_unit *unit) {
  const sn_problem *q = u->problem;
  double before[DUAL_ROWS], residual[DUAL_ROWS], decrease = 0;
  memcpy(before, u->force + unit->row, (size_t)unit->n * sizeof *before);
  dual_residual(u, unit, residual);
  if (unit->cone) {
    decrease = dual_update_row(u, unit, 0, 0, HUGE_VAL, residual);
    decrease += dual_update_friction(u, unit, residual);
  }
  for (int32_t i = 0; i < unit->n && !unit->cone; i++) {
    const int64_t row = unit->row + i;
    const double eta = q->frictionloss[row];
    const double low = row < q->ne ? -HUGE_VAL : row < q->ne + q->nf ? -eta : 0;
    const double high = row >= q->ne && row < q->ne + q->nf ? eta : HUGE_VAL;
    decrease += dual_update_row(u, unit, i, low, high, residual);
  }
  dual_changed(u, unit, before);
  return decrease;
}

double sweep_law(dual *u) {
  double decrease = 0;
  dual_begin(u);
  for (int64_t k = 0; k < u->nunit; k++) {
    decrease += sweep_unit(u, &u->unit[k]);
  }
  return decrease;
}
