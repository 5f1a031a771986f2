// SPDX-License-Identifier: Apache-2.0
//
// Rows of contacts. S (dim x n) maps velocities to the motion of body 2 against body 1 at the
// contact, on the axes of its frame: 3 translations, 3 rotations. With mu_i the friction of
// direction i and c = 1 ... dim-1:
//
//   frictionless   1 row           S_0
//   elliptic       dim rows        S_0, S_1, ... S_c
//   pyramidal      2 (dim-1) rows  S_0 + mu_1 S_1, S_0 - mu_1 S_1, S_0 + mu_2 S_2, ...
//
// The force acts along +normal on body 2. The two bodies meet in one point, so that dofs that move
// both do not move one against the other: only those of one body have columns.
//
// Regularizers are tied to the first one, so that the inverse stays analytic (computation,
// "Parameters"):
//   elliptic    R_1 = R_0 / impratio,  R_i = R_1 mu_1^2 / mu_i^2,  cone mu = mu_1 sqrt(R_1 / R_0)
//   pyramidal   every row 2 mu^2 R_0,  mu = mu_1 / sqrt(impratio)

#include <math.h>

#include "constraint/constraint.h"
#include "constraint/rows.h"
#include "data/share.h"
#include "dynamics/chain.h"

enum { MAX_DIM = 6 };

// The dofs that move the contact: from body 1 with sign -1, from body 2 with +1.
typedef struct si_reach {
  int32_t n;
  int32_t body1, body2;
  int32_t *col;   // ascending
  double *sign;
} si_reach;

// A contact of bodies that no dof moves against each other has no rows: they would be zero, and
// their forces, which move nothing, as large as the regularization allows.
static int has_rows(const sn_model *m, const sn_data *d, int64_t contact) {
  return d->contact_exclude[contact] == 0 &&
         si_chain_tip(m, m->geom_bodyid[d->contact_geom1[contact]]) !=
             si_chain_tip(m, m->geom_bodyid[d->contact_geom2[contact]]);
}

static int32_t row_count(const sn_model *m, const sn_data *d, int64_t contact) {
  const int32_t dim = d->contact_dim[contact];
  return dim == 1 ? 1 : m->opt.cone == SN_CONE_ELLIPTIC ? dim : 2 * (dim - 1);
}

int64_t si_cone_count(const sn_model *m, const sn_data *d) {
  int64_t n = 0;
  for (int64_t i = 0; i < d->ncon; i++) {
    n += has_rows(m, d, i) ? row_count(m, d, i) : 0;
  }
  return n;
}

static void reach_bodies(const sn_model *m, int32_t body1, int32_t body2, si_reach *reach) {
  si_chains chains = si_chains_of(m, body1, body2);
  int32_t n = 0, dof;
  int moves;
  while ((dof = si_chains_apart(m, &chains, &moves)) >= 0) {
    reach->col[n] = dof;
    reach->sign[n++] = moves == SI_MOVES_1 ? -1 : 1;
  }
  si_chain_ascending(n, reach->col, reach->sign);
  reach->n = n;
  reach->body1 = body1;
  reach->body2 = body2;
}

// S, dim x n. A speculative contact, of geoms that are still apart, has a point on each of them.
static void motion(const sn_model *m, const sn_data *d, int64_t contact, int32_t dim,
                   const si_reach *reach, double *S) {
  const double *frame = d->contact_frame + 9 * contact, *pos = d->contact_pos + 3 * contact;
  int32_t n = reach->n;
  double arm[2][3];
  sn_sub3(arm[0], pos, si_chain_origin(m, d, reach->body1));
  sn_sub3(arm[1], pos, si_chain_origin(m, d, reach->body2));
  if (d->contact_dist[contact] > d->contact_includemargin[contact]) {
    sn_addscale3(arm[0], arm[0], -0.5 * d->contact_dist[contact], frame);
    sn_addscale3(arm[1], arm[1], 0.5 * d->contact_dist[contact], frame);
  }
  int32_t ntranslation = dim < 3 ? dim : 3;
  for (int32_t k = 0; k < n; k++) {
    const double *cdof = d->cdof + 6 * reach->col[k];
    double sign = reach->sign[k], v[3];
    sn_cross(v, cdof, arm[sign > 0]);
    sn_add3(v, v, cdof + 3);
    for (int32_t i = 0; i < ntranslation; i++) {
      S[i * n + k] = sign * sn_dot3(frame + 3 * i, v);
    }
    for (int32_t i = 3; i < dim; i++) {
      S[i * n + k] = sign * sn_dot3(frame + 3 * (i - 3), cdof);
    }
  }
}

// The friction of direction i of a contact, from 1.
static double friction(const sn_data *d, int64_t contact, int32_t i) {
  return sn_max(SN_TINY, d->contact_friction[5 * contact + i - 1]);
}

// A contact, and its first row.
typedef struct making {
  si_rows *rows;
  int64_t contact, row;
  const si_reach *reach;
  si_softness softness;
} making;

static void place(const making *k, int64_t row) {
  sn_data *d = k->rows->d;
  d->efc_pos[row] = d->contact_dist[k->contact];
  d->efc_margin[row] = d->contact_includemargin[k->contact];
}

static void frictionless(making *k, double *J) {
  motion(k->rows->m, k->rows->d, k->contact, 1, k->reach, J);
  place(k, k->row);
  si_rows_soften(k->rows, k->row, &k->softness);
}

static void elliptic(making *k, double *J) {
  const sn_model *m = k->rows->m;
  sn_data *d = k->rows->d;
  const int64_t row = k->row;
  int32_t dim = d->contact_dim[k->contact];
  motion(m, d, k->contact, dim, k->reach, J);
  place(k, row);

  // the softness of the normal row; friction rows have no residual
  si_rows_soften(k->rows, row, &k->softness);
  double mu1 = friction(d, k->contact, 1), R1 = d->efc_R[row] / m->opt.impratio;
  for (int32_t i = 1; i < dim; i++) {
    double mu = friction(d, k->contact, i);
    memcpy(d->efc_KBIP + 4 * (row + i), d->efc_KBIP + 4 * row, 4 * sizeof(double));
    d->efc_KBIP[4 * (row + i)] = 0;
    si_rows_regularize(k->rows, row + i, R1 * mu1 * mu1 / (mu * mu));
  }
  d->contact_mu[k->contact] = mu1 / sqrt(m->opt.impratio);
}

static void pyramidal(making *k, double *J) {
  const sn_model *m = k->rows->m;
  sn_data *d = k->rows->d;
  si_arena *arena = &k->rows->w->scratch;
  const int64_t row = k->row;
  int32_t dim = d->contact_dim[k->contact], n = k->reach->n, nedge = 2 * (dim - 1);

  // edges from the motion of the directions
  si_mark mark = si_arena_mark(arena);
  double *S = si_arena_reals(arena, (int64_t)dim * n);
  motion(m, d, k->contact, dim, k->reach, S);
  for (int32_t i = 1; i < dim; i++) {
    double mu = friction(d, k->contact, i), *plus = J + 2 * (i - 1) * n, *minus = plus + n;
    for (int32_t c = 0; c < n; c++) {
      plus[c] = S[c] + mu * S[i * n + c];
      minus[c] = S[c] - mu * S[i * n + c];
    }
  }
  si_arena_release(arena, mark);

  double mu1 = friction(d, k->contact, 1), mu = mu1 / sqrt(m->opt.impratio);
  k->softness.weight *= 1 + mu1 * mu1;
  si_rows_soften(k->rows, row, &k->softness);
  double R = 2 * mu * mu * d->efc_R[row];
  for (int64_t i = row; i < row + nedge; i++) {
    place(k, i);
    if (i > row) {
      memcpy(d->efc_KBIP + 4 * i, d->efc_KBIP + 4 * row, 4 * sizeof(double));
    }
    si_rows_regularize(k->rows, i, R);
  }
  d->contact_mu[k->contact] = mu;
}

// One way to make rows of a contact.
typedef struct cone_kind {
  int32_t type;
  void (*fill)(making *k, double *J);
} cone_kind;

static const cone_kind no_friction = { SN_ROW_CONTACT_FRICTIONLESS, frictionless };
static const cone_kind with_friction[] = {
  [SN_CONE_PYRAMIDAL] = { SN_ROW_CONTACT_PYRAMIDAL, pyramidal },
  [SN_CONE_ELLIPTIC] = { SN_ROW_CONTACT_ELLIPTIC, elliptic },
};

// How many contacts will have a cone.
static int64_t count_cones(const sn_model *m, const sn_data *d) {
  int64_t n = 0;
  if (m->opt.cone == SN_CONE_ELLIPTIC) {
    for (int64_t i = 0; i < d->ncon; i++) {
      n += has_rows(m, d, i) && d->contact_dim[i] > 1;
    }
  }
  return n;
}

static void add_cone(const sn_model *m, sn_data *d, int64_t contact, int64_t row) {
  sn_cone *cone = &d->cone[d->ncone++];
  *cone = (sn_cone){ .row = (int32_t)row,
                     .dim = d->contact_dim[contact],
                     .mu = friction(d, contact, 1) / sqrt(m->opt.impratio) };
  for (int32_t i = 1; i < cone->dim; i++) {
    cone->friction[i - 1] = friction(d, contact, i);
  }
}

static si_reach new_reach(const sn_model *m, si_arena *arena) {
  return (si_reach){ .body1 = -1,
                     .body2 = -1,
                     .col = si_arena_ints(arena, m->nv),
                     .sign = si_arena_reals(arena, m->nv) };
}

static void reach_contact(const sn_model *m, const sn_data *d, int64_t contact, si_reach *reach) {
  const int32_t body1 = m->geom_bodyid[d->contact_geom1[contact]];
  const int32_t body2 = m->geom_bodyid[d->contact_geom2[contact]];
  if (body1 != reach->body1 || body2 != reach->body2) {
    reach_bodies(m, body1, body2, reach);
  }
}

int32_t si_contact_centers(const sn_model *m, sn_data *d, si_worker *w, int64_t contact,
                           double *shift, double *height) {
  si_reach reach = new_reach(m, &w->scratch);
  reach_contact(m, d, contact, &reach);
  const double *normal = d->contact_frame + 9 * contact, *pos = d->contact_pos + 3 * contact;
  const int32_t body[2] = { reach.body1, reach.body2 };
  double arm[2][3];
  *height = INFINITY;
  for (int i = 0; i < 2; i++) {
    sn_sub3(arm[i], d->xipos + 3 * body[i], pos);
    if (si_chain_tip(m, body[i]) >= 0) {
      *height = fmin(*height, fabs(sn_dot3(normal, arm[i])) - 0.5 * d->contact_dist[contact]);
    }
  }
  for (int32_t k = 0; k < reach.n; k++) {
    double v[3];
    sn_cross(v, d->cdof + 6 * reach.col[k], arm[reach.sign[k] > 0]);
    shift[k] = reach.sign[k] * sn_dot3(normal, v);
  }
  return reach.n;
}

static void reserve_rows(si_rows *rows, int64_t contact, si_reach *reach) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  reach_contact(m, d, contact, reach);
  const int64_t row = si_rows_reserve(rows, row_count(m, d, contact), reach->n);
  d->contact_efc_address[contact] = (int32_t)row;
  if (d->contact_dim[contact] > 1 && m->opt.cone == SN_CONE_ELLIPTIC) {
    add_cone(m, d, contact, row);
  }
}

static void fill_rows(si_rows *rows, int64_t contact, si_reach *reach) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  reach_contact(m, d, contact, reach);
  const cone_kind *kind = d->contact_dim[contact] == 1
                              ? &no_friction
                              : &with_friction[m->opt.cone == SN_CONE_ELLIPTIC];
  making k = {
    .rows = rows,
    .contact = contact,
    .row = d->contact_efc_address[contact],
    .reach = reach,
    .softness = { .solref = d->contact_solref + SI_NREFERENCE * contact,
                  .solimp = d->contact_solimp + SI_NIMPEDANCE * contact,
                  .distance = d->contact_dist[contact] - d->contact_includemargin[contact],
                  .weight = m->body_invweight0[2 * reach->body1] +
                            m->body_invweight0[2 * reach->body2] },
  };
  kind->fill(&k, si_rows_begin(d, k.row, row_count(m, d, contact), kind->type, (int32_t)contact,
                               reach->col));
}

SI_TASK sn_status fill_part(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  const si_range part = si_part(context, k);
  si_rows rows = { .m = m, .d = d, .w = w };
  const si_mark mark = si_arena_mark(&w->scratch);
  si_reach reach = new_reach(m, &w->scratch);
  for (int64_t i = part.begin; i < part.end; i++) {
    if (d->contact_efc_address[i] >= 0) {
      fill_rows(&rows, i, &reach);
    }
  }
  si_arena_release(&w->scratch, mark);
  return SN_OK;
}

void si_cone_rows(si_rows *rows) {
  enum { CONTACTS = 8 };   // of a task
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  si_mark mark = si_arena_mark(&rows->w->scratch);
  si_reach reach = new_reach(m, &rows->w->scratch);
  int64_t ncone = count_cones(m, d);
  if (ncone) {
    d->cone = si_arena_take(&d->results, ncone * (int64_t)sizeof *d->cone, 64);
  }
  const si_parts parts = si_parts_of(d, d->ncon, CONTACTS);
  for (int64_t i = 0; i < d->ncon; i++) {
    if (has_rows(m, d, i)) {
      reserve_rows(rows, i, &reach);
      if (parts.n == 1) {
        fill_rows(rows, i, &reach);
      }
    }
  }
  if (parts.n > 1) {
    si_share(m, d, parts.n, fill_part, (void *)(uintptr_t)&parts);
  }
  si_arena_release(&rows->w->scratch, mark);
}
