// SPDX-License-Identifier: Apache-2.0
//
// Inverse dynamics: from positions, velocities and accelerations to the forces that were applied.
// The constraint force is analytic: given the acceleration, the problem of EQUATIONS (7) is
// separable over rows and cones, so f = -grad s(J qacc - aref).

#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "model/element.h"
#include "sinew/numerics/tree.h"
#include "step/pipeline.h"
#include "step/sensors.h"

static void constraint_force(const sn_model *m, sn_data *d, si_worker *w) {
  if (d->nefc == 0) {
    memset(d->qfrc_constraint, 0, (size_t)m->nv * sizeof(double));
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *jar = si_arena_reals(&w->scratch, d->nefc);
  si_constraint_multiply(d, d->qacc, jar);
  for (int64_t i = 0; i < d->nefc; i++) {
    jar[i] -= d->efc_aref[i];
  }
  for (int64_t i = 0; i < d->ne; i++) {
    if (si_equality_is_exact(m, d->efc_id[i])) {
      jar[i] = -d->efc_R[i] * d->efc_force[i];   // as in the forward dynamics
    }
  }
  si_constraint_force(d, jar);
  si_constraint_multiply_transposed(d, m->nv, d->efc_force, d->qfrc_constraint);
  si_arena_release(&w->scratch, mark);
}

// qfrc_inverse = M qacc + c - passive - J' f
static void explain(const sn_model *m, sn_data *d, si_worker *w) {
  constraint_force(m, d, w);
  si_sleep_balance(d);
  const sn_inertia inertia = si_inertia_view(m, d);
  sn_tree_multiply(&inertia, d->qacc, d->qfrc_inverse);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qfrc_inverse[i] += d->qfrc_bias[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
  }
}

// As if all were awake: the forces that explain an acceleration do not depend on what sleeps.
static sn_status inverse(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_sleep_suspend(m, d);
  SN_TRY(si_position(m, d, w));
  SI_TRY_TIMED(w, sensors, si_sense(m, d, w, SN_STAGE_POSITION));
  SN_TRY(si_velocities(m, d, w));
  SI_TRY_TIMED(w, sensors, si_sense(m, d, w, SN_STAGE_VELOCITY));
  const int32_t exact = si_any_exact(m, d);
  if (exact >= 0) {
    char title[SI_MODEL_TITLE];
    return si_fail(&w->error, SN_EUNSUPPORTED,
                   "%s is exact, so that no acceleration determines its force and "
                   "inverse dynamics has no unique solution; make it soft (exact = false), or "
                   "disable it",
                   si_model_title(m, "equality", exact, title));
  }
  SI_TIMED(w, inverse, explain(m, d, w));
  SI_TRY_TIMED(w, sensors, si_sense(m, d, w, SN_STAGE_ACCELERATION));
  return SN_OK;
}

sn_status sn_inverse(const sn_model *model, sn_data *data) {
  return si_guarded(inverse, model, data, SI_EVALUATION_WRITES, NULL);
}

// ------------------------------------------------------------------ forward against inverse

static double distance(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sqrt(sum);
}

void si_compare_inverse(const sn_model *m, sn_data *d, si_worker *w) {
  int64_t nv = m->nv, nefc = d->nefc;
  si_mark mark = si_arena_mark(&w->scratch);
  double *applied = si_arena_reals(&w->scratch, nv);
  double *constraint = si_arena_reals(&w->scratch, nv);
  double *force = si_arena_reals(&w->scratch, nefc);
  int32_t *state = si_arena_ints(&w->scratch, nefc);

  // the results of the forward dynamics
  for (int64_t i = 0; i < nv; i++) {
    applied[i] = d->qfrc_applied[i] + d->qfrc_actuator[i];
  }
  for (int64_t i = 0; m->bound.controller.n > 0 && i < nv; i++) {
    applied[i] += d->qfrc_controller[i];
  }
  si_dyn_add_xfrc(m, d, applied);
  memcpy(constraint, d->qfrc_constraint, (size_t)nv * sizeof(double));
  if (nefc) {
    memcpy(force, d->efc_force, (size_t)nefc * sizeof(double));
    memcpy(state, d->efc_state, (size_t)nefc * sizeof(int32_t));
  }

  explain(m, d, w);
  d->solver_fwdinv[0] = distance(constraint, d->qfrc_constraint, nv);
  d->solver_fwdinv[1] = distance(applied, d->qfrc_inverse, nv);

  memcpy(d->qfrc_constraint, constraint, (size_t)nv * sizeof(double));
  if (nefc) {
    memcpy(d->efc_force, force, (size_t)nefc * sizeof(double));
    memcpy(d->efc_state, state, (size_t)nefc * sizeof(int32_t));
  }
  si_arena_release(&w->scratch, mark);
}
