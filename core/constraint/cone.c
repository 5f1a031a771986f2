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

#include "constraint/rows.h"
#include "dynamics/chain.h"

enum { MAX_DIM = 6 };

// The dofs that move the contact: from body 1 with sign -1, from body 2 with +1.
typedef struct si_reach {
  int32_t n;
  int32_t body1, body2;
  int32_t *col;   // ascending
  double *sign;
} si_reach;

// Of contacts that look ahead (aref.c): hard, so that nothing gets through.
static const double stop_solimp[SI_NIMPEDANCE] = { 0.9999, 0.9999, 0.001, 0.5, 2 };

// A contact of bodies that no dof moves against each other has no rows: they would be zero, and
// their forces, which move nothing, as large as the regularization allows.
static int has_rows(const sn_model *m, const sn_data *d, int64_t contact) {
  return d->contact_exclude[contact] == 0 &&
         si_chain_tip(m, m->geom_bodyid[d->contact_geom1[contact]]) !=
             si_chain_tip(m, m->geom_bodyid[d->contact_geom2[contact]]);
}

int64_t si_cone_count(const sn_model *m, const sn_data *d) {
  int64_t n = 0;
  for (int64_t i = 0; i < d->ncon; i++) {
    int32_t dim = d->contact_dim[i];
    if (has_rows(m, d, i)) {
      n += dim == 1 ? 1 : m->opt.cone == SN_CONE_ELLIPTIC ? dim : 2 * (dim - 1);
    }
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

// S, dim x n.
static void motion(const sn_model *m, const sn_data *d, int64_t contact, int32_t dim,
                   const si_reach *reach, double *S) {
  const double *frame = d->contact_frame + 9 * contact, *pos = d->contact_pos + 3 * contact;
  int32_t n = reach->n;
  double arm[2][3];
  sn_sub3(arm[0], pos, si_chain_origin(m, d, reach->body1));
  sn_sub3(arm[1], pos, si_chain_origin(m, d, reach->body2));
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

static void frictionless(si_rows *rows, int64_t contact, const si_reach *reach,
                         si_softness *softness) {
  sn_data *d = rows->d;
  double *J = si_rows_block(rows, SN_ROW_CONTACT_FRICTIONLESS, (int32_t)contact, 1, reach->n,
                            reach->col);
  int64_t row = d->nefc - 1;
  motion(rows->m, d, contact, 1, reach, J);
  d->efc_pos[row] = d->contact_dist[contact];
  d->efc_margin[row] = d->contact_includemargin[contact];
  si_rows_soften(rows, row, softness);
}

static void elliptic(si_rows *rows, int64_t contact, const si_reach *reach, si_softness *softness) {
  sn_data *d = rows->d;
  int32_t dim = d->contact_dim[contact];
  double *J = si_rows_block(rows, SN_ROW_CONTACT_ELLIPTIC, (int32_t)contact, dim, reach->n,
                            reach->col);
  int64_t row = d->nefc - dim;
  motion(rows->m, d, contact, dim, reach, J);
  d->efc_pos[row] = d->contact_dist[contact];
  d->efc_margin[row] = d->contact_includemargin[contact];

  // the softness of the normal row; friction rows have no residual
  si_rows_soften(rows, row, softness);
  double mu1 = friction(d, contact, 1), R1 = d->efc_R[row] / rows->m->opt.impratio;
  sn_cone *cone = &d->cone[d->ncone++];
  *cone = (sn_cone){ .row = (int32_t)row, .dim = dim, .mu = mu1 / sqrt(rows->m->opt.impratio) };
  for (int32_t i = 1; i < dim; i++) {
    double mu = cone->friction[i - 1] = friction(d, contact, i);
    memcpy(d->efc_KBIP + 4 * (row + i), d->efc_KBIP + 4 * row, 4 * sizeof(double));
    d->efc_KBIP[4 * (row + i)] = 0;
    si_rows_regularize(rows, row + i, R1 * mu1 * mu1 / (mu * mu));
  }
  d->contact_mu[contact] = cone->mu;
}

static void pyramidal(si_rows *rows, int64_t contact, const si_reach *reach,
                      si_softness *softness) {
  sn_data *d = rows->d;
  int32_t dim = d->contact_dim[contact], n = reach->n, nedge = 2 * (dim - 1);
  double *J = si_rows_block(rows, SN_ROW_CONTACT_PYRAMIDAL, (int32_t)contact, nedge, n, reach->col);
  int64_t row = d->nefc - nedge;

  // edges from the motion of the directions
  si_mark mark = si_arena_mark(&rows->w->scratch);
  double *S = si_arena_reals(&rows->w->scratch, (int64_t)dim * n);
  motion(rows->m, d, contact, dim, reach, S);
  for (int32_t i = 1; i < dim; i++) {
    double mu = friction(d, contact, i), *plus = J + 2 * (i - 1) * n, *minus = plus + n;
    for (int32_t k = 0; k < n; k++) {
      plus[k] = S[k] + mu * S[i * n + k];
      minus[k] = S[k] - mu * S[i * n + k];
    }
  }
  si_arena_release(&rows->w->scratch, mark);

  double mu1 = friction(d, contact, 1), mu = mu1 / sqrt(rows->m->opt.impratio);
  softness->weight *= 1 + mu1 * mu1;
  si_rows_soften(rows, row, softness);
  double R = 2 * mu * mu * d->efc_R[row];
  for (int64_t i = row; i < d->nefc; i++) {
    d->efc_pos[i] = d->contact_dist[contact];
    d->efc_margin[i] = d->contact_includemargin[contact];
    if (i > row) {
      memcpy(d->efc_KBIP + 4 * i, d->efc_KBIP + 4 * row, 4 * sizeof(double));
    }
    si_rows_regularize(rows, i, R);
  }
  d->contact_mu[contact] = mu;
}

typedef void si_cone_maker(si_rows *rows, int64_t contact, const si_reach *reach,
                           si_softness *softness);
static si_cone_maker *const maker[] = {
  [SN_CONE_PYRAMIDAL] = pyramidal,
  [SN_CONE_ELLIPTIC] = elliptic,
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

void si_cone_rows(si_rows *rows) {
  const sn_model *m = rows->m;
  sn_data *d = rows->d;
  si_mark mark = si_arena_mark(&rows->w->scratch);
  si_reach reach = { .body1 = -1,
                     .body2 = -1,
                     .col = si_arena_ints(&rows->w->scratch, m->nv),
                     .sign = si_arena_reals(&rows->w->scratch, m->nv) };
  int64_t ncone = count_cones(m, d);
  if (ncone) {
    d->cone = si_arena_take(&d->results, ncone * (int64_t)sizeof *d->cone, 64);
  }

  for (int64_t i = 0; i < d->ncon; i++) {
    if (!has_rows(m, d, i)) {
      continue;
    }
    int32_t body1 = m->geom_bodyid[d->contact_geom1[i]];
    int32_t body2 = m->geom_bodyid[d->contact_geom2[i]];
    if (body1 != reach.body1 || body2 != reach.body2) {
      reach_bodies(m, body1, body2, &reach);
    }
    const double gap = d->contact_dist[i] - d->contact_includemargin[i];
    si_softness softness = {
      .solref = d->contact_solref + SI_NREFERENCE * i,
      .solimp = gap > 0 ? stop_solimp : d->contact_solimp + SI_NIMPEDANCE * i,
      .distance = gap,
      .weight = m->body_invweight0[2 * body1] + m->body_invweight0[2 * body2]
    };
    si_cone_maker *make = d->contact_dim[i] == 1 ? frictionless
                                                 : maker[m->opt.cone == SN_CONE_ELLIPTIC];
    d->contact_efc_address[i] = (int32_t)d->nefc;
    make(rows, i, &reach, &softness);
  }
  si_arena_release(&rows->w->scratch, mark);
}
