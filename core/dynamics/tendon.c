// SPDX-License-Identifier: Apache-2.0
//
// Tendon lengths and moment arms.
//
// A fixed tendon is a linear combination of joint positions. A spatial tendon is a path:
//
//     site --- site --( geom )-- site   pulley   site --- site
//        segment     wrapped or straight           next branch, length / divisor
//
// Where a path bends it pulls on a body; a straight segment from p on one body to p' on another
// gets longer at the rate u' (v' - v), u its direction. The dofs that move both bodies do not
// count: they turn p, p' and u together. On the surface of a geom the path stays with the geom.
//
//   wrap_obj, wrap_xpos    the points of all paths one after the other, from ten_wrapadr:
//                          -1 a site; -2 a pulley; a geom, twice: where it is reached and left
//   ten_J                  sparse rows with a constant pattern: pattern.h

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"
#include "dynamics/pattern.h"
#include "dynamics/wrap.h"
#include "sinew/numerics/sparse.h"

// One row of ten_J while it is being made.
typedef struct row {
  int32_t n;
  const int32_t *col;
  double *val;
} row;

// ------------------------------------------------------------------ paths

// Adds a straight segment from p1 on body1 to p2 on body2 to the row; returns its length.
static double add_segment(const sn_model *m, const sn_data *d, const row *r, double scale,
                          const double *p1, int32_t body1, const double *p2, int32_t body2) {
  double u[3];
  sn_sub3(u, p2, p1);
  double length = sn_normalize3(u);
  if (body1 == body2) {
    return length;
  }
  double wrench1[6], wrench2[6];
  sn_scale3(u, u, scale);
  si_wrench(wrench2, si_chain_origin(m, d, body2), p2, u);
  sn_scale3(u, u, -1);
  si_wrench(wrench1, si_chain_origin(m, d, body1), p1, u);

  // the columns of the row ascend
  si_chains chains = si_chains_of(m, body1, body2);
  int32_t dof, k = r->n;
  int moves;
  while ((dof = si_chains_apart(m, &chains, &moves)) >= 0) {
    do {
      k--;
    } while (r->col[k] != dof);
    r->val[k] += sn_dot6(d->cdof + 6 * dof, moves == SI_MOVES_1 ? wrench1 : wrench2);
  }
  return length;
}

static void add_point(sn_data *d, int32_t *n, int32_t object, const double *pos) {
  d->wrap_obj[*n] = object;
  sn_copy3(d->wrap_xpos + 3 * *n, pos);
  (*n)++;
}

// From the site of element e around the geom of e + 1 to the site of e + 2; returns the length.
static double add_wrapped(const sn_model *m, sn_data *d, const row *r, double scale, int32_t e,
                          int32_t *npoint) {
  int32_t s0 = m->wrap_objid[e], g = m->wrap_objid[e + 1], s1 = m->wrap_objid[e + 2];
  int32_t body0 = m->site_bodyid[s0], body = m->geom_bodyid[g], body1 = m->site_bodyid[s1];
  const double *x0 = d->site_xpos + 3 * s0, *x1 = d->site_xpos + 3 * s1;
  int32_t side = (int32_t)m->wrap_prm[e + 1];
  double first[3], last[3];

  double length = si_wrap(m->wrap_type[e + 1], x0, x1, d->geom_xpos + 3 * g, d->geom_xmat + 9 * g,
                          m->geom_size[3 * g], side >= 0 ? d->site_xpos + 3 * side : NULL, first,
                          last);
  if (length < 0) {
    return add_segment(m, d, r, scale, x0, body0, x1, body1);
  }
  add_point(d, npoint, g, first);
  add_point(d, npoint, g, last);
  length += add_segment(m, d, r, scale, x0, body0, first, body);
  return length + add_segment(m, d, r, scale, last, body, x1, body1);
}

static double spatial_length(const sn_model *m, sn_data *d, int32_t begin, int32_t end,
                             const row *r, int32_t *npoint) {
  const double nowhere[3] = { 0, 0, 0 };
  double length = 0, scale = 1;   // scale: 1 / divisor of the branch
  int32_t e = begin;
  while (e < end) {
    if (m->wrap_type[e] == SN_WRAP_PULLEY) {
      scale = 1 / m->wrap_prm[e];
      add_point(d, npoint, -2, nowhere);
      e++;
      continue;
    }
    int32_t s0 = m->wrap_objid[e];
    int32_t next = e + 1 < end ? m->wrap_type[e + 1] : SN_WRAP_NONE;
    add_point(d, npoint, -1, d->site_xpos + 3 * s0);
    if (next == SN_WRAP_SPHERE || next == SN_WRAP_CYLINDER) {
      length += scale * add_wrapped(m, d, r, scale, e, npoint);
      e += 2;
      continue;
    }
    if (next == SN_WRAP_SITE) {
      int32_t s1 = m->wrap_objid[e + 1];
      length += scale * add_segment(m, d, r, scale, d->site_xpos + 3 * s0, m->site_bodyid[s0],
                                    d->site_xpos + 3 * s1, m->site_bodyid[s1]);
    }
    e++;
  }
  return length;
}

// ------------------------------------------------------------------ fixed tendons

static double fixed_length(const sn_model *m, const sn_data *d, int32_t begin, int32_t end,
                           const row *r) {
  double length = 0;
  for (int32_t e = begin; e < end; e++) {
    int32_t j = m->wrap_objid[e], k = 0;
    while (r->col[k] != m->jnt_dofadr[j]) {
      k++;
    }
    r->val[k] += m->wrap_prm[e];
    length += m->wrap_prm[e] * d->qpos[m->jnt_qposadr[j]];
  }
  return length;
}

static void start_rows(const sn_model *m, sn_data *d) {
  const si_pattern *pattern = &m->bound.patterns->tendon;
  memcpy(d->ten_J_rownnz, pattern->nnz, (size_t)m->ntendon * sizeof(int32_t));
  memcpy(d->ten_J_rowadr, pattern->adr, (size_t)m->ntendon * sizeof(int32_t));
  memcpy(d->ten_J_colind, pattern->col, (size_t)pattern->n * sizeof(int32_t));
  memset(d->ten_J, 0, (size_t)pattern->n * sizeof(double));
}

void si_dyn_tendon(const sn_model *m, sn_data *d) {
  if (m->ntendon == 0) {
    return;
  }
  start_rows(m, d);
  int32_t npoint = 0;
  for (int64_t t = 0; t < m->ntendon; t++) {
    const int32_t begin = m->tendon_adr[t], end = begin + m->tendon_num[t];
    const int32_t adr = d->ten_J_rowadr[t];
    const row r = { d->ten_J_rownnz[t], d->ten_J_colind + adr, d->ten_J + adr };
    d->ten_wrapadr[t] = npoint;
    d->ten_length[t] = m->wrap_type[begin] == SN_WRAP_JOINT
                           ? fixed_length(m, d, begin, end, &r)
                           : spatial_length(m, d, begin, end, &r, &npoint);
    d->ten_wrapnum[t] = npoint - d->ten_wrapadr[t];
  }
}

sn_sparse si_tendon_jacobian(const sn_model *m, const sn_data *d) {
  return (sn_sparse){ .nnz = d->ten_J_rownnz,
                      .adr = d->ten_J_rowadr,
                      .col = d->ten_J_colind,
                      .val = d->ten_J,
                      .nrow = m->ntendon,
                      .ncol = m->nv };
}

void sn_full_tendon_jacobian(const sn_model *model, const sn_data *data, double *out) {
  const sn_sparse J = si_tendon_jacobian(model, data);
  sn_sparse_full(&J, out);
}
