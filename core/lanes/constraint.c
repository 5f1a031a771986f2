// SPDX-License-Identifier: Apache-2.0
//
// Limits and friction loss: rows and solver work on one simulation, which gets what they read of
// the smooth dynamics, and its lane gets the acceleration and the constraint forces. Meanwhile its
// state is that of the evaluation, which may be one within a step.

#include <string.h>

#include "constraint/constraint.h"
#include "dynamics/pattern.h"
#include "lanes/state.h"
#include "step/pipeline.h"

// As si_position, si_velocities and si_accelerations do it, where there are no contacts.
static sn_status constrain(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_data_clear_step(d);
  SN_TRY(si_constraint_make(m, d, w));
  si_constraint_islands(m, d, w);
  si_constraint_reference(m, d, w);
  return si_solve(m, d, w);
}

static void hand_tendons(const si_lanes *l, int lane, sn_data *d) {
  const sn_model *m = l->m;
  const int64_t n = m->bound.patterns->tendon.n;
  const size_t bytes = (size_t)m->ntendon * sizeof(int32_t);
  memcpy(d->ten_J_rownnz, l->ten_J_rownnz, bytes);
  memcpy(d->ten_J_rowadr, l->ten_J_rowadr, bytes);
  memcpy(d->ten_J_colind, l->ten_J_colind, (size_t)n * sizeof(int32_t));
  si_lane_scatter(l->ten_J, n, lane, d->ten_J);
  si_lane_scatter(l->ten_length, m->ntendon, lane, d->ten_length);
}

static void hand_over(const si_lanes *l, int lane, sn_data *d) {
  const sn_model *m = l->m;
  d->computed = 0;
  si_lane_scatter(l->qM, m->nM, lane, d->qM);
  si_lane_scatter(l->qLD, m->nM, lane, d->qLD);
  si_lane_scatter(l->qLDiagInv, m->nv, lane, d->qLDiagInv);
  si_lane_scatter(l->qfrc_smooth, m->nv, lane, d->qfrc_smooth);
  si_lane_scatter(l->qacc, m->nv, lane, d->qacc_smooth);
  if (m->ntendon > 0) {
    hand_tendons(l, lane, d);
  }
}

// Exchanges the state that constraints depend on with that of the lane.
static void swap_state(si_lanes *l, int lane, sn_data *d) {
  const struct {
    si_lane *lane;
    double *own;
    int64_t n;
  } parts[] = { { l->qpos, d->qpos, l->m->nq },
                { l->qvel, d->qvel, l->m->nv },
                { l->qacc_warmstart, d->qacc_warmstart, l->m->nv } };
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
    for (int64_t i = 0; i < parts[k].n; i++) {
      const double own = parts[k].own[i];
      parts[k].own[i] = parts[k].lane[i][lane];
      parts[k].lane[i][lane] = own;
    }
  }
}

void si_lane_constrain(si_lanes *l) {
  const sn_model *m = l->m;
  const uint32_t bits = lane_bits(l->covered & l->constrained);
  memset(l->qfrc_constraint, 0, (size_t)m->nv * sizeof(si_lane));
  for (int w = 0; w < SI_LANES; w++) {
    if (!(bits >> w & 1)) {
      continue;
    }
    sn_data *d = l->d[w];
    hand_over(l, w, d);
    swap_state(l, w, d);
    const sn_status status = si_guarded(constrain, l->models[w], d, 0, NULL);
    swap_state(l, w, d);
    l->covered[w] = status < 0 ? 0 : -1;
    for (int64_t i = 0; i < m->nv; i++) {
      l->qacc[i][w] = d->qacc[i];
      l->qfrc_constraint[i][w] = d->qfrc_constraint[i];
    }
  }
}
