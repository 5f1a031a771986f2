// SPDX-License-Identifier: Apache-2.0
//
// The builder of rows, and the order of the constraint stage: count what there may be, take the
// memory at once, add equality, friction loss, limits, contacts.

#include "constraint/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/contact.h"

#define START_COLUMNS 12   // numbers a row that J has room for at first

// Moves J to a larger place. The old one is garbage until the next step.
static void grow(si_rows *rows, int64_t need) {
  rows->capacityJ = 2 * rows->capacityJ > need ? 2 * rows->capacityJ : need;
  si_step_fields_take(rows->d, SI_COUNT_nJ, rows->capacityJ);
}

void si_rows_open(si_rows *rows, int64_t nrow) {
  sn_data *d = rows->d;
  rows->capacity = nrow;
  si_step_fields_take(d, SI_COUNT_nefc, nrow);
  d->block = si_arena_take(&d->results, nrow * (int64_t)sizeof *d->block, 64);
  grow(rows, START_COLUMNS * nrow);
}

int64_t si_rows_reserve(si_rows *rows, int32_t nrow, int32_t ncol) {
  sn_data *d = rows->d;
  const int64_t count = (int64_t)nrow * ncol, first = d->nefc;
  if (d->nJ + count > rows->capacityJ) {
    grow(rows, d->nJ + count);
  }
  for (int64_t i = first; i < first + nrow; i++) {
    d->efc_J_rownnz[i] = ncol;
    d->efc_J_rowadr[i] = (int32_t)d->nJ;
    d->nJ += ncol;
  }
  d->block[d->nblock++] = (sn_block){ .row = (int32_t)first, .nrow = nrow };
  d->nefc += nrow;
  return first;
}

double *si_rows_begin(sn_data *d, int64_t first, int32_t nrow, int32_t type, int32_t id,
                      const int32_t *col) {
  for (int64_t i = first; i < first + nrow; i++) {
    memcpy(d->efc_J_colind + d->efc_J_rowadr[i], col, (size_t)d->efc_J_rownnz[i] * sizeof *col);
    d->efc_type[i] = type;
    d->efc_id[i] = id;
    d->efc_state[i] = SN_ROWSTATE_SATISFIED;
    d->efc_island[i] = -1;
    d->efc_pos[i] = d->efc_margin[i] = d->efc_velref[i] = d->efc_frictionloss[i] = 0;
    d->efc_b[i] = d->efc_force[i] = d->efc_vel[i] = d->efc_aref[i] = 0;
  }
  return d->efc_J + d->efc_J_rowadr[first];
}

double *si_rows_block(si_rows *rows, int32_t type, int32_t id, int32_t nrow, int32_t ncol,
                      const int32_t *col) {
  return si_rows_begin(rows->d, si_rows_reserve(rows, nrow, ncol), nrow, type, id, col);
}

double *si_rows_add(si_rows *rows, int32_t type, int32_t id, double scale, sn_sparse_row row) {
  double *J = si_rows_block(rows, type, id, 1, row.n, row.col);
  for (int32_t k = 0; k < row.n; k++) {
    J[k] = scale * row.val[k];
  }
  return J;
}

void si_rows_undo(si_rows *rows) {
  sn_data *d = rows->d;
  sn_block block = d->block[--d->nblock];
  d->nefc = block.row;
  d->nJ = d->efc_J_rowadr[block.row];
}

int si_rows_drop_idle(si_rows *rows, const double *J) {
  const double *end = rows->d->efc_J + rows->d->nJ;
  while (J < end && *J == 0) {
    J++;
  }
  if (J == end) {
    si_rows_undo(rows);
  }
  return J == end;
}

void si_rows_regularize(si_rows *rows, int64_t row, double R) {
  sn_data *d = rows->d;
  double impedance = d->efc_KBIP[4 * row + 2];
  d->efc_R[row] = R;
  d->efc_D[row] = 1 / R;
  d->efc_diagApprox[row] = R * impedance / (1 - impedance);
}

// What a row belongs to.
static const char *title_of(const si_rows *rows, int64_t row, char *out, size_t capacity) {
  static const char *const kinds[SN_NROWTYPES] = { [SN_ROW_EQUALITY] = "equality",
                                                   [SN_ROW_LIMIT_JOINT] = "joint",
                                                   [SN_ROW_LIMIT_TENDON] = "tendon",
                                                   [SN_ROW_LIMIT_PLUGIN] = "equality" };
  const sn_model *m = rows->m;
  const sn_data *d = rows->d;
  const int32_t id = d->efc_id[row];
  const char *kind = kinds[d->efc_type[row]];
  if (kind) {
    char element[SI_MODEL_TITLE];
    snprintf(out, capacity, "the constraint of %s", si_model_title(m, kind, id, element));
  } else {
    char geom1[SI_GEOM_TITLE], geom2[SI_GEOM_TITLE];
    snprintf(out, capacity, "the contact of %s and %s",
             si_geom_title(m, d->contact_geom1[id], geom1),
             si_geom_title(m, d->contact_geom2[id], geom2));
  }
  return out;
}

// A spring of this stiffness has less than a sixth of its period in a step: it gains energy in each
// bounce. Rows of friction have no spring.
static void check_stiffness(si_rows *rows, int64_t row, const double *KBIP) {
  const double h = rows->m->opt.timestep, stiffness = KBIP[0] * KBIP[2] * KBIP[2];
  const int32_t type = rows->d->efc_type[row];
  if (stiffness * h * h <= 1 || type == SN_ROW_FRICTION_DOF || type == SN_ROW_FRICTION_TENDON) {
    return;
  }
  char title[3 * SI_GEOM_TITLE];
  si_worker_warn(
      rows->w, SN_WARN_STIFF,
      "the solref of %s gives it a stiffness of %.3g 1/s^2, with which it gains energy at the "
      "timestep %g; use a timestep of at most %.2g s, or a softer solref",
      title_of(rows, row, title, sizeof title), stiffness, h, 1 / sqrt(stiffness));
}

// Softness of exact rows: R relative to the diagonal of J M^-1 J'. Smaller is sooner exact, but the
// equations of the solver lose as many digits.
#define EXACT_SOFTNESS 1e-8

void si_rows_soften(si_rows *rows, int64_t row, const si_softness *softness) {
  double *KBIP = rows->d->efc_KBIP + 4 * row;
  if (softness->exact) {
    KBIP[0] = KBIP[1] = KBIP[3] = 0;
    KBIP[2] = 1 / (1 + EXACT_SOFTNESS);
    si_rows_regularize(rows, row, sn_max(SN_TINY, EXACT_SOFTNESS * softness->weight));
    return;
  }
  si_impedance_spring(rows->m, softness->solref, softness->solimp, &KBIP[0], &KBIP[1]);
  KBIP[2] = si_impedance(softness->solimp, softness->distance, &KBIP[3]);
  check_stiffness(rows, row, KBIP);
  si_rows_regularize(rows, row, sn_max(SN_TINY, (1 - KBIP[2]) / KBIP[2] * softness->weight));
}

// ------------------------------------------------------------------ the stage

// One kind of rows, in the documented order.
typedef struct si_row_kind {
  int32_t disabled_by;
  int64_t (*count)(const sn_model *m, const sn_data *d);
  void (*make)(si_rows *rows);
} si_row_kind;

enum { EQUALITY, FRICTION, LIMIT, CONTACT, NKIND };

static const si_row_kind row_kind[NKIND] = {
  [EQUALITY] = { SN_DISABLE_EQUALITY, si_equality_count, si_equality_rows },
  [FRICTION] = { SN_DISABLE_FRICTIONLOSS, si_friction_count, si_friction_rows },
  [LIMIT] = { SN_DISABLE_LIMIT, si_limit_count, si_limit_rows },
  [CONTACT] = { SN_DISABLE_CONTACT, si_cone_count, si_cone_rows },
};

static void clear(sn_data *d) {
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->ncone = d->nblock = d->nisland = 0;
  for (int64_t i = 0; i < d->ncon; i++) {
    d->contact_efc_address[i] = -1;
    d->contact_mu[i] = 0;
  }
}

sn_status si_constraint_make_exact(const sn_model *m, sn_data *d, si_worker *w) {
  int64_t total = 0;
  clear(d);
  for (int64_t i = 0; i < m->neq; i++) {
    total += d->eq_enabled[i] && si_equality_is_exact(m, i) ? si_equality_row_count(m, i) : 0;
  }
  if (total == 0) {
    return SN_OK;
  }
  si_rows rows = { .m = m, .d = d, .w = w };
  si_rows_open(&rows, total);
  for (int32_t i = 0; i < (int32_t)m->neq; i++) {
    if (d->eq_enabled[i] && si_equality_is_exact(m, i)) {
      si_equality_row(&rows, i);
    }
  }
  d->ne = d->nefc;
  return SN_OK;
}

sn_status si_constraint_make(const sn_model *m, sn_data *d, si_worker *w) {
  int64_t total = 0, made[NKIND] = { 0 };
  int64_t disabled = m->opt.disableflags;

  clear(d);
  if (disabled & SN_DISABLE_CONSTRAINT) {
    return SN_OK;
  }
  for (int k = 0; k < NKIND; k++) {
    if (!(disabled & row_kind[k].disabled_by)) {
      total += row_kind[k].count(m, d);
    }
  }
  if (total == 0) {
    return SN_OK;
  }

  si_rows rows = { .m = m, .d = d, .w = w };
  const si_mark mark = si_arena_mark(&w->scratch);
  if (si_plugin_limit_count(m, d) > 0) {
    rows.left_out = si_arena_ints(&w->scratch, m->neq);
    memset(rows.left_out, 0, (size_t)m->neq * sizeof *rows.left_out);
  }
  si_rows_open(&rows, total);
  for (int k = 0; k < NKIND; k++) {
    int64_t before = d->nefc;
    if (!(disabled & row_kind[k].disabled_by)) {
      row_kind[k].make(&rows);
    }
    made[k] = d->nefc - before;
  }
  d->ne = made[EQUALITY];
  d->nf = made[FRICTION];
  d->nl = made[LIMIT];
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}
