// SPDX-License-Identifier: Apache-2.0
//
// One simulation: everything that changes.
//
//   buffer      the arrays of SN_DATA_FIELDS, of constant size
//   results     arena of the present step: contacts, constraint rows (SN_STEP_FIELDS); emptied
//               by si_data_clear_step, at the start of collision detection
//   scratch     arena for temporary memory: every function that takes from it marks and releases
//
// `field[i]` addresses the arrays by index: those of SN_DATA_FIELDS first, then SN_STEP_FIELDS.

#ifndef SI_MODEL_DATA_H
#define SI_MODEL_DATA_H

#include "base/arena.h"
#include "model/model.h"
#include "platform/fpenv.h"

typedef struct si_island {
  int32_t ndof, nrow;       // dofs and rows of the island
  const int32_t *dof;       // ndof, ascending
  const int32_t *row;       // nrow, ascending
} si_island;

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

  // of the present step, in `results`
  sn_block *block;              // nblock
  sn_cone *cone;                // ncone
  si_island *island;            // nisland

  // of the latest solve, of the island that took the most iterations
  int64_t niteration;           // recorded
  sn_iteration iteration[SN_SOLVER_LOG];

  const sn_model *model;
  sn_data_view view;            // for plugins
  si_arena results;
  si_arena scratch;
  int64_t warning[SN_NWARNINGS];
  int32_t computed;             // SI_HAS_*: optional quantities that are up to date
  uint32_t fp_word;             // the floating-point environment at the start of the step
  const si_provider *fp_culprit;   // who changed it in this step; NULL: nobody
  const si_provider *borrower;     // to whom the scratch memory was lent last
  double *undo;                 // within a call: the state that a failure brings back; NULL: none
  sn_error error;
  void *buffer;
  int64_t nbuffer;
};

enum { SI_HAS_BODY_FORCES = 1, SI_HAS_SUBTREE = 2, SI_HAS_ENERGY_POS = 4, SI_HAS_ENERGY_VEL = 8 };

// Empties `results` and sets every count and step field to zero and NULL.
void si_data_clear_step(sn_data *data);

// Typed memory from an arena.
static inline double *si_arena_reals(si_arena *arena, int64_t n) {
  return (double *)si_arena_take(arena, n * (int64_t)sizeof(double), 64);
}

static inline int32_t *si_arena_ints(si_arena *arena, int64_t n) {
  return (int32_t *)si_arena_take(arena, n * (int64_t)sizeof(int32_t), 64);
}

// Scratch memory for a call into a plugin, which is told by name when it asks for too much.
static inline sn_scratch *si_data_lend(sn_data *data, const si_provider *provider) {
  data->borrower = provider;
  return &data->scratch.scratch;
}

// After a call into a plugin in a step: did it change the floating-point environment? Then it is
// put back and the step ends with an error that names the plugin (pipeline/guard.c).
void si_data_fp_changed(sn_data *data, const si_provider *provider);
static inline void si_data_watch(sn_data *data, const si_provider *provider) {
  if (si_fpenv_word() != data->fp_word) {
    si_data_fp_changed(data, provider);
  }
}

// Counts a warning and tells the log, once a kind until the next reset.
void si_data_warn(sn_data *data, int32_t warning, const char *format, ...) SN_PRINTF(3, 4);

#endif
