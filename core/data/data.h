// SPDX-License-Identifier: Apache-2.0
//
// One simulation: everything that changes.
//
//   buffer      the arrays of SN_DATA_FIELDS, of constant size, and the states of passive
//               forces and of the integrator
//   results     arena of the present step: contacts, constraint rows (SN_STEP_FIELDS); emptied
//               by si_data_clear_step, at the start of collision detection
//   worker      what each thread of a step writes besides: temporary memory, warnings, errors
//   sharing     the threads of the workers but the first
//
// `field[i]` addresses the arrays by index: those of SN_DATA_FIELDS first, then SN_STEP_FIELDS.

#ifndef SI_DATA_DATA_H
#define SI_DATA_DATA_H

#include <float.h>

#include "data/worker.h"
#include "model/model.h"
#include "sinew/numerics/articulated.h"

typedef struct si_sharing si_sharing;
extern const sn_tasks_service si_tasks_service_table;   // share.c: `sharing` for plugins

typedef struct si_island {
  int32_t ndof, nrow;       // dofs and rows of the island
  const int32_t *dof;       // ndof, ascending
  const int32_t *row;       // nrow, ascending
} si_island;

// The arrays of an sn_articulation; NULL: in this simulation M is not used by recursion.
typedef struct si_links {
  double *axis, *shift, *inertia, *factor, *work;
  sn_articulation view;
} si_links;

// What sleeps, and what the stages compute; data/sleep.h. All but the counts and forces follows
// from them and the rest of the state.
typedef struct si_sleep {
  int32_t nroot;         // as it was in the model when this simulation was made
  int32_t nasleep;       // roots that sleep
  int32_t nrun;          // of `run`
  int32_t nspan;         // of `span`
  int32_t suspended;
  int32_t nfixed;        // of `fixed` of the model, as it was then
  int32_t nmoment;       // children of the world that never move, likewise
  int32_t is_fixed;      // what never moves is computed and left out of `run`
  int64_t fixed_edits;   // of the model, as it was then
  double *moment;        // 3 nmoment: mass times center of each child of the world that never moves
  int32_t *count;        // nroot; negative: awake, see SI_AWAKE; else the next root of those that
                         // fell asleep together, the last one names the first
  int32_t *computed;     // nroot: it sleeps, and its fields are complete
  double *force;         // nv: qfrc_smooth while it sleeps; SI_NO_FORCE: not known yet
  double *qpos;          // nq: where it sleeps
  double *ctrl;          // nu, as it was in the latest evaluation
  int32_t *eq_enabled;   // neq, likewise
  si_run *run;           // nroot + nfixed + 1: what the stages compute
  si_place *start;       // as many: where the kinematics of each run starts
  si_run *span;          // nroot: what sleeps, neighbors joined
  sn_option option;      // of the model, as it was in the latest evaluation
  int64_t edits;         // of the model, likewise
  int64_t version;       // changes with what sleeps
  struct si_sleeping_parts *parts;   // core/contact; made when something sleeps first
} si_sleep;

#define SI_NO_FORCE DBL_MAX

struct sn_data {
#define SN_X(name, stage, meaning) int64_t name;
  SN_DATA_COUNTS(SN_X)
#undef SN_X
  union {
    struct {
#define SN_X(type, name, rows, cols, stage, unit, meaning) sn_type_##type *name;
      SN_DATA_FIELDS(SN_X)
      SN_STEP_FIELDS(SN_X)
#undef SN_X
    };
    void *field[SI_NDATAFIELD + SI_NSTEPFIELD];
  };

  double *force_state;          // nforcestate of the model
  double *integrator_state;     // nintegratorstate
  int64_t nintegratorstate;     // as it was in the model when this simulation was made
  int64_t nstate;               // numbers of a copy, si_state_copy_size
  int64_t rollout;              // 1 + the number of the rollout that it computes, 0: none
  int ends;                     // this rollout ends where it diverges
  si_links links;               // for M by recursion: dynamics/articulated.c
  si_sleep sleep;

  // of the present step, in `results`
  sn_block *block;              // nblock
  sn_cone *cone;                // ncone
  si_island *island;            // nisland

  // of the latest solve, of the island that took the most iterations: sn_solver_log
  int64_t niteration;
  sn_iteration iteration[SN_SOLVER_LOG];

  const sn_model *model;
  sn_data_view view;            // for plugins
  si_arena results;
  int32_t nworker;              // as the option `threads` was when this simulation was made
  si_worker *worker;            // nworker; the first is that of the thread that calls
  si_sharing *sharing;          // data/share.h; NULL: one worker
  int32_t is_alone;             // the first worker runs the present step alone
  int64_t warning[SN_NWARNINGS];   // merged
  int32_t timing;               // the stages of the next call are measured
  int32_t computed;             // SI_HAS_*: optional quantities that are up to date
  int32_t wants_inertia;        // somebody reads qM, qLD or qLDiagInv: they are always computed
  sn_error error;               // of the latest call
  int32_t fd_logged;            // of sn_transition_fd: flaws that were logged
  sn_data *projection;          // of step/projection.c, which makes it; NULL: none was needed
  void *buffer;
  int64_t nbuffer;
};

enum {
  SI_HAS_BODY_FORCES = 1,
  SI_HAS_SUBTREE = 2,
  SI_HAS_ENERGY_POS = 4,
  SI_HAS_ENERGY_VEL = 8,
  SI_HAS_LINKS = 16,     // links; M is used by recursion
  SI_HAS_INERTIA = 32    // qM, qLD, qLDiagInv
};

// The bytes that are allocated for arrays of n bytes: a multiple of 64, with a gap at the end.
static inline int64_t si_data_capacity(int64_t n) {
  return (n / 64 + 2) * 64;
}

// sn_data_new, with this number of workers.
sn_data *si_data_new(const sn_model *model, int32_t nworker, sn_error *error);
// What sn_reset and sn_state_set do, also within a step.
void si_data_reset(const sn_model *model, sn_data *data);
void si_state_put(const sn_model *model, sn_data *data, uint32_t mask, const double *state);
// A copy of the parts of the state that a mask names, in a layout of its own. Its size, in numbers,
// suffices for all masks, whether the flag sleep is set or not.
int64_t si_state_copy_size(const sn_model *model, const sn_data *data);
void si_state_copy(const sn_model *model, const sn_data *data, uint32_t mask, double *copy);
void si_state_restore(const sn_model *model, sn_data *data, uint32_t mask, const double *copy);
// sn_data_copy, of simulations of one model.
sn_status si_data_copy(sn_data *to, const sn_data *from);

// The memory that it has now, without that of plugins.
int64_t si_data_bytes(const sn_data *data);

// Empties `results` and sets every count and step field to zero and NULL.
void si_data_clear_step(sn_data *data);

// Memory from `results` for `rows` rows of every step field whose rows this count of the table
// counts. Rows that exist already, as many as the count says, are copied to their new place.
enum {
#define SN_X(name, stage, meaning) SI_COUNT_##name,
  SN_DATA_COUNTS(SN_X)
#undef SN_X
};
void si_step_fields_take(sn_data *data, int32_t count, int64_t rows);   // fields.c

// Adds the warnings of the workers to the simulation, and takes over the first of their errors.
void si_data_merge(sn_data *data);
// solver_iter and sn_solver_log of the problem that took the most iterations on any worker; of
// equal ones the first island, so that the number of workers does not matter.
void si_data_merge_solver_logs(sn_data *data);

#endif
