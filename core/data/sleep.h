// SPDX-License-Identifier: Apache-2.0
//
// Sleeping: what sleeps, and what the stages compute. The rules are step/sleep.c.
//
// What hangs from one child of the world, with all its bodies, joints and geoms, is a root: it
// sleeps and wakes as a whole, because its motion axes are about one center of mass. Elements of a
// root have consecutive indices, so what the stages compute is a list of runs:
//
//   bodies    0 | 1 2 3 | 4 5 | 6 7 8 | 9        4 5 sleep
//   runs          1 ... 3       6 ... 9
//
// A root that has just fallen asleep or was restored from a saved state is computed once more, at
// rest; then its fields keep their values.
//
// What hangs from the world and never moves, and what belongs to the world itself, is not computed
// in each step either. It depends on arrays of the model alone whose edits take effect when the
// model is refreshed: it is computed in the first evaluation after a reset or a refresh, and left
// out of the runs from then on. runs.c. sn_forward and sn_forward_position compute it too: programs
// for MuJoCo edit poses and call mj_forward.

#ifndef SI_DATA_SLEEP_H
#define SI_DATA_SLEEP_H

#include "data/data.h"

// How often a root must have been at rest, one step after the other, before it sleeps.
enum { SI_SLEEP_STEPS = 10, SI_AWAKE = -1 - SI_SLEEP_STEPS, SI_SLEEPY = -1 };

typedef void si_root_fn(void *context, int32_t root);

// runs.c. The list of runs, after a change of what sleeps or of what never moves.
void si_runs_list(const sn_model *m, sn_data *d);
// At the start of an evaluation: what never moves is computed again, always, or if the model was
// refreshed.
static inline void si_runs_forget(const sn_model *m, sn_data *d) {
  if (d->sleep.is_fixed) {
    d->sleep.is_fixed = 0;
    si_runs_list(m, d);
  }
}
static inline void si_runs_begin(const sn_model *m, sn_data *d) {
  if (d->sleep.fixed_edits != m->edits) {
    si_runs_forget(m, d);
  }
}
// What never moves is complete, in all that the runs of the stages of positions compute.
void si_runs_settle(const sn_model *m, sn_data *d);

// Are there bodies that never move and are not in the runs?
static inline int si_any_fixed(const sn_data *d) {
  return d->sleep.is_fixed && d->sleep.nfixed > 0;
}

// Made when the model is bound, when its arrays are complete.
sn_status si_roots_new(const sn_model *m, si_roots *out, sn_error *error);
void si_roots_free(si_roots *roots);

// May the roots of this simulation sleep?
static inline int si_may_sleep(const sn_model *m, const sn_data *d) {
  return (m->opt.enableflags & SN_ENABLE_SLEEP) && d->sleep.nroot > 0 &&
         d->sleep.nroot == m->bound.roots.n && !d->sleep.suspended;
}

// Is there something to do for sleeping? Also where the flag was cleared while things slept.
static inline int si_sleep_in_use(const sn_model *m, const sn_data *d) {
  return (m->opt.enableflags & SN_ENABLE_SLEEP) || d->sleep.nasleep > 0;
}

static inline int si_any_asleep(const sn_data *d) {
  return d->sleep.nasleep > 0;
}

static inline int si_dof_asleep(const sn_model *m, const sn_data *d, int32_t dof) {
  return si_any_asleep(d) && d->body_asleep[m->dof_bodyid[dof]];
}

// Do all of these dofs sleep? Without dofs: no.
int si_all_asleep(const sn_model *m, const sn_data *d, int32_t n, const int32_t *dof);
static inline int si_dofs_asleep(const sn_model *m, const sn_data *d, int32_t n,
                                 const int32_t *dof) {
  return si_any_asleep(d) && si_all_asleep(m, d, n, dof);
}

// The arrays of d->sleep behind each other; returns their bytes. at NULL: only counts.
int64_t si_sleep_place(const sn_model *m, void *at, si_sleep *out);
// After a reset, when the rest of the state is there.
void si_sleep_reset(const sn_model *m, sn_data *d);
// After a part of the state was set; mask: SN_STATE_*.
void si_sleep_restore(const sn_model *m, sn_data *d, uint32_t mask);
// After the arrays of a simulation were copied.
void si_sleep_copy(const sn_model *m, sn_data *to, const sn_data *from);

// A root, with those that fell asleep with it, wakes; the roots whose counts lead from `first` to
// `first` again fall asleep. After one or several of these, si_sleep_update.
void si_sleep_wake(sn_data *d, int32_t root);
void si_sleep_begin(const sn_model *m, sn_data *d, int32_t first);
void si_sleep_update(const sn_model *m, sn_data *d);
void si_sleep_wake_all(const sn_model *m, sn_data *d);
// The fields of the roots that sleep are complete: they are not computed any more.
void si_sleep_settle(const sn_model *m, sn_data *d);

// Are any of n numbers not zero? Any forces applied to a run?
int si_any_nonzero(const double *x, int64_t n);
int si_any_applied(const sn_data *d, const si_run *run);

// Calls wake for each sleeping root whose state, inputs or equality constraints are no longer those
// that it fell asleep with; a root may be named more than once.
void si_sleep_edits(const sn_model *m, const sn_data *d, si_root_fn *wake, void *context);
// Those of the present are known from now on.
void si_sleep_note_inputs(const sn_model *m, sn_data *d);
// The counts as they would be after the next step noticed the edits: for a saved state.
void si_sleep_counts(const sn_model *m, const sn_data *d, double *out);

// Until the resumption, everything is computed as if all were awake; what sleeps is not forgotten.
void si_sleep_suspend(const sn_model *m, sn_data *d);
void si_sleep_resume(const sn_model *m, sn_data *d);

#endif
