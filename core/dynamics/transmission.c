// SPDX-License-Identifier: Apache-2.0
//
// Actuator lengths and moment arms, as sparse rows with ascending columns.
//
//   joint            gear' * position; of a ball: of its rotation vector; of a free joint: 0
//   jointinparent    the same, with the gear of a rotation given in the parent frame
//   slider-crank     travel of a slider that a rod of fixed length connects to the crank
//   tendon           gear * length
//   site             0; a force and torque, gear, in the frame of the site
//   site, refsite    gear' * pose of the site in the frame of the reference site; the force and
//                    torque act on the site, and back on the reference site
//   body             0; the mean pull of the body's contacts along their normals
//
// The transmissions form a table; each fills one row and returns the length. Rows of bodies depend
// on contacts, so the stage comes after collision detection.

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"
#include "sinew/numerics/sparse.h"

// One row of actuator_moment while it is being made.
typedef struct row {
  int32_t n;
  int32_t *col;
  double *val;
  si_worker *w;   // temporary memory
} row;

typedef double transmit_fn(const sn_model *m, sn_data *d, int32_t i, row *r);

// ------------------------------------------------------------------ joints

static void put(row *r, int32_t col, double val) {
  r->col[r->n] = col;
  r->val[r->n++] = val;
}

static double joint_length(const sn_model *m, const sn_data *d, int32_t i, row *r, int inparent) {
  int32_t j = m->actuator_trnid[2 * i], type = m->jnt_type[j], dof = m->jnt_dofadr[j];
  const double *gear = m->actuator_gear + 6 * i, *q = d->qpos + m->jnt_qposadr[j];
  double turned[3], axis[3], length = 0;

  // a slide or hinge
  if (type >= SN_JOINT_SLIDE) {
    put(r, dof, gear[0]);
    return gear[0] * q[0];
  }
  // translations of a free joint
  if (type == SN_JOINT_FREE) {
    for (int32_t k = 0; k < 3; k++) {
      put(r, dof++, gear[k]);
    }
    gear += 3;
    q += 3;
  }
  // rotations
  if (inparent) {
    sn_rotate_inverse(turned, gear, q);
  } else {
    sn_copy3(turned, gear);
  }
  for (int32_t k = 0; k < 3; k++) {
    put(r, dof++, turned[k]);
  }
  if (type == SN_JOINT_BALL) {
    sn_quat_vec(axis, q);
    length = sn_dot3(axis, gear);
  }
  return length;
}

static double transmit_joint(const sn_model *m, sn_data *d, int32_t i, row *r) {
  return joint_length(m, d, i, r, 0);
}

static double transmit_joint_in_parent(const sn_model *m, sn_data *d, int32_t i, row *r) {
  return joint_length(m, d, i, r, 1);
}

// ------------------------------------------------------------------ wrenches along chains

// The dofs that move both bodies. The two forces act at different points in version 2.2 of MuJoCo,
// so that they do work there.
static void put_both(const sn_model *m, const sn_data *d, row *r, si_chains *chains,
                     const double *wrench1, const double *wrench2) {
  int32_t dof;
  int moves;
  while ((dof = si_chains_either(m, chains, &moves)) >= 0) {
    const double *axis = d->cdof + 6 * dof;
    r->col[r->n] = dof;
    r->val[r->n++] = sn_dot6(axis, wrench1) + sn_dot6(axis, wrench2);
  }
}

// The row of the wrenches on two bodies, on the dofs that move one of them alone. What moves both
// moves them as one rigid body: a length between them does not change, and a force and its reaction
// do no work.
static void put_pair(const sn_model *m, const sn_data *d, row *r, int32_t body1,
                     const double *wrench1, int32_t body2, const double *wrench2) {
  si_chains chains = si_chains_of(m, body1, body2);
  int32_t dof;
  int moves;
  r->n = 0;
  while ((dof = si_chains_apart(m, &chains, &moves)) >= 0) {
    r->col[r->n] = dof;
    r->val[r->n++] = sn_dot6(d->cdof + 6 * dof, moves == SI_MOVES_1 ? wrench1 : wrench2);
  }
  // Matches MuJoCo 2.2.2: common-dofs
  if (m->opt.compatibility == SN_COMPATIBILITY_MUJOCO_2_2) {
    put_both(m, d, r, &chains, wrench1, wrench2);
  }
  si_chain_ascending(r->n, r->col, r->val);
}

// ------------------------------------------------------------------ slider-crank

// A rod of length l connects the crank site with a pin that slides along the z axis of the slider
// site. With v from the slider site to the crank and a = v' axis, the pin is at
//   length = a - sqrt(a^2 + l^2 - v'v)
// on the axis. When the rod is too short to reach it, the root counts as zero.
static double transmit_slider_crank(const sn_model *m, sn_data *d, int32_t i, row *r) {
  int32_t crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
  const double *mat = d->site_xmat + 9 * slider, axis[3] = { mat[2], mat[5], mat[8] };
  double rod = m->actuator_cranklength[i], gear = m->actuator_gear[6 * i];
  double v[3];
  sn_sub3(v, d->site_xpos + 3 * crank, d->site_xpos + 3 * slider);
  double a = sn_dot3(v, axis), det = a * a + rod * rod - sn_dot3(v, v);
  double root = det > 0 ? sqrt(det) : 0;

  // d length = da - (a da - v' dv) / root, da = axis' dv + v' daxis; a broken crank: da
  double along = det > 0 ? 1 - a / root : 1, across = det > 0 ? 1 / root : 0;
  double force[3], torque[3], wrench1[6], wrench2[6];
  sn_scale3(force, axis, gear * along);
  sn_addscale3(force, force, gear * across, v);
  sn_cross(torque, axis, v);
  sn_scale3(torque, torque, gear * along);
  int32_t body1 = m->site_bodyid[crank], body2 = m->site_bodyid[slider];
  si_wrench(wrench1, si_chain_origin(m, d, body1), d->site_xpos + 3 * crank, force);
  sn_scale3(force, force, -1);
  si_wrench(wrench2, si_chain_origin(m, d, body2), d->site_xpos + 3 * slider, force);
  sn_add3(wrench2, wrench2, torque);
  put_pair(m, d, r, body1, wrench1, body2, wrench2);
  return gear * (a - root);
}

// ------------------------------------------------------------------ tendons and sites

static double transmit_tendon(const sn_model *m, sn_data *d, int32_t i, row *r) {
  const int32_t t = m->actuator_trnid[2 * i];
  const sn_sparse_row tendon = si_tendon_row(d, t);
  double gear = m->actuator_gear[6 * i];
  for (int32_t k = 0; k < tendon.n; k++) {
    put(r, tendon.col[k], gear * tendon.val[k]);
  }
  return gear * d->ten_length[t];
}

// The wrench on a site of the gear in the frame of another.
static void site_wrench(const sn_model *m, const sn_data *d, int32_t site, int32_t frame,
                        const double *gear, double *wrench) {
  double force[3], torque[3];
  sn_mul_mat_vec3(force, d->site_xmat + 9 * frame, gear);
  sn_mul_mat_vec3(torque, d->site_xmat + 9 * frame, gear + 3);
  si_wrench(wrench, si_chain_origin(m, d, m->site_bodyid[site]), d->site_xpos + 3 * site, force);
  sn_add3(wrench, wrench, torque);
}

static void site_quat(const sn_model *m, const sn_data *d, int32_t site, double *quat) {
  const double *body = d->xquat + 4 * m->site_bodyid[site], *local = m->site_quat + 4 * site;
  // Matches MuJoCo 2.2.2: site-quaternion
  if (m->opt.compatibility == SN_COMPATIBILITY_MUJOCO_2_2) {
    sn_mul_quat(quat, local, body);   // the wrong order
  } else {
    sn_mul_quat(quat, body, local);
  }
}

// gear' * [position; rotation vector] of a site in the frame of another.
static double site_difference(const sn_model *m, const sn_data *d, int32_t site, int32_t ref,
                              const double *gear) {
  double offset[3], turn[3], q1[4], q2[4];
  sn_sub3(offset, d->site_xpos + 3 * site, d->site_xpos + 3 * ref);
  sn_mul_matT_vec3(offset, d->site_xmat + 9 * ref, offset);
  site_quat(m, d, site, q1);
  site_quat(m, d, ref, q2);
  sn_conj_quat(q2, q2);
  sn_mul_quat(q1, q2, q1);
  sn_quat_vec(turn, q1);
  return sn_dot3(gear, offset) + sn_dot3(gear + 3, turn);
}

static double transmit_site(const sn_model *m, sn_data *d, int32_t i, row *r) {
  int32_t site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
  const double *gear = m->actuator_gear + 6 * i;
  double wrench[6], reaction[6];

  if (ref < 0) {
    site_wrench(m, d, site, site, gear, wrench);
    r->n = si_body_chain(m, m->site_bodyid[site], r->col);
    for (int32_t k = 0; k < r->n; k++) {
      r->val[k] = sn_dot6(d->cdof + 6 * r->col[k], wrench);
    }
    return 0;
  }
  site_wrench(m, d, site, ref, gear, wrench);
  site_wrench(m, d, ref, ref, gear, reaction);
  for (int k = 0; k < 6; k++) {
    reaction[k] = -reaction[k];
  }
  put_pair(m, d, r, m->site_bodyid[site], wrench, m->site_bodyid[ref], reaction);
  return site_difference(m, d, site, ref, gear);
}

// ------------------------------------------------------------------ adhesion

// Adds to a dense row the rate at which a contact closes: n' (J1 - J2).
static void add_closing(const sn_model *m, const sn_data *d, int64_t contact, double *dense) {
  const double *normal = d->contact_frame + 9 * contact, *pos = d->contact_pos + 3 * contact;
  int32_t body1 = m->geom_bodyid[d->contact_geom1[contact]];
  int32_t body2 = m->geom_bodyid[d->contact_geom2[contact]];
  double wrench1[6], wrench2[6];
  si_wrench(wrench1, si_chain_origin(m, d, body1), pos, normal);
  si_wrench(wrench2, si_chain_origin(m, d, body2), pos, normal);

  // the dofs that move both bodies move both sides of the contact alike
  si_chains chains = si_chains_of(m, body1, body2);
  int32_t dof;
  int moves;
  while ((dof = si_chains_apart(m, &chains, &moves)) >= 0) {
    if (moves == SI_MOVES_1) {
      dense[dof] += sn_dot6(d->cdof + 6 * dof, wrench1);
    } else {
      dense[dof] -= sn_dot6(d->cdof + 6 * dof, wrench2);
    }
  }
}

// A positive force pulls the body to what it touches, or nearly touches: contacts in the gap
// count, those that move nothing do not.
static double transmit_body(const sn_model *m, sn_data *d, int32_t i, row *r) {
  int32_t body = m->actuator_trnid[2 * i];
  int64_t count = 0;
  si_mark mark = si_arena_mark(&r->w->scratch);
  double *dense = si_arena_reals(&r->w->scratch, m->nv);
  memset(dense, 0, (size_t)m->nv * sizeof(double));

  for (int64_t k = 0; k < d->ncon; k++) {
    int touches = m->geom_bodyid[d->contact_geom1[k]] == body ||
                  m->geom_bodyid[d->contact_geom2[k]] == body;
    if (touches && d->contact_exclude[k] <= 1) {
      add_closing(m, d, k, dense);
      count++;
    }
  }
  for (int32_t k = 0; count > 0 && k < (int32_t)m->nv; k++) {
    if (dense[k] != 0) {
      put(r, k, dense[k] / (double)count);
    }
  }
  si_arena_release(&r->w->scratch, mark);
  return 0;
}

// ------------------------------------------------------------------ all

static transmit_fn *const transmissions[] = {
  [SN_TRN_JOINT] = transmit_joint,
  [SN_TRN_JOINTINPARENT] = transmit_joint_in_parent,
  [SN_TRN_SLIDERCRANK] = transmit_slider_crank,
  [SN_TRN_TENDON] = transmit_tendon,
  [SN_TRN_SITE] = transmit_site,
  [SN_TRN_BODY] = transmit_body,
};

void si_dyn_transmission(const sn_model *m, sn_data *d, si_worker *w) {
  int32_t adr = 0;
  for (int32_t i = 0; i < (int32_t)m->nu; i++) {
    row r = { 0, d->actuator_moment_colind + adr, d->actuator_moment + adr, w };
    d->actuator_length[i] = transmissions[m->actuator_trntype[i]](m, d, i, &r);
    d->actuator_moment_rowadr[i] = adr;
    d->actuator_moment_rownnz[i] = r.n;
    adr += r.n;
  }
}

sn_sparse si_actuator_moment(const sn_model *m, const sn_data *d) {
  return (sn_sparse){ .nnz = d->actuator_moment_rownnz,
                      .adr = d->actuator_moment_rowadr,
                      .col = d->actuator_moment_colind,
                      .val = d->actuator_moment,
                      .nrow = m->nu,
                      .ncol = m->nv };
}

void sn_full_actuator_moment(const sn_model *model, const sn_data *data, double *out) {
  const sn_sparse J = si_actuator_moment(model, data);
  sn_sparse_full(&J, out);
}
