// SPDX-License-Identifier: Apache-2.0
//
// Centers of mass of the subtrees, and what is expressed about them: the inertia of each body and
// the motion axis of each dof.
//
//   cinert   xx yy zz xy xz yz of the rotational inertia about the origin c, mass (r - c), mass
//   cdof     [w; v]: angular velocity and velocity at c of the motion with unit rate
//
// c is the center of mass of the body's tree, subtree_com of body_rootid: close to every body of
// the tree, so that products of moments lose no digits however far the tree is from the origin.

#include "data/share.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

static void divide(const sn_model *m, sn_data *d, int32_t b) {
  double *com = d->subtree_com + 3 * b;
  if (m->body_subtreemass[b] < SN_TINY) {
    sn_copy3(com, d->xipos + 3 * b);
  } else {
    sn_scale3(com, com, 1 / m->body_subtreemass[b]);
  }
}

// The world contains what sleeps too, whose centers are where they were.
static void add_sleeping(const sn_model *m, sn_data *d) {
  for (int32_t k = 0; k < d->sleep.nroot; k++) {
    const int32_t b = m->bound.roots.at[k].run.begin.body;
    if (d->sleep.computed[k]) {
      sn_addscale3(d->subtree_com, d->subtree_com, m->body_subtreemass[b], d->subtree_com + 3 * b);
    }
  }
}

// Is one run everything?
static inline int is_whole(const sn_data *d) {
  return d->sleep.nrun == 1 && !si_any_fixed(d);
}

// Mass times center of the subtrees of a run, and where it is everything, of the world.
SI_TASK sn_status sum_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  (void)w, (void)context;
  double *com = d->subtree_com;
  const int32_t from = d->sleep.run[k].begin.body, to = d->sleep.run[k].end.body;
  const double *last = is_whole(d) ? com : com + 1;
  for (int32_t b = from; b < to; b++) {
    sn_scale3(com + 3 * b, d->xipos + 3 * b, m->body_mass[b]);
  }
  for (int32_t b = to - 1; b >= from; b--) {
    double *up = com + 3 * m->body_parentid[b];
    if (up >= last) {
      sn_add3(up, up, com + 3 * b);
    }
  }
  return SN_OK;
}

// Those of the children of the world that never move.
static void keep_moments(const sn_model *m, sn_data *d) {
  double *moment = d->sleep.moment;
  for (int32_t f = 0; f < d->sleep.nfixed; f++) {
    const si_run *fixed = &m->bound.roots.fixed[f];
    for (int32_t b = fixed->begin.body; b < fixed->end.body; b++) {
      if (m->body_parentid[b] == 0) {
        sn_copy3(moment, d->subtree_com + 3 * b);
        moment += 3;
      }
    }
  }
}

// Adds the moments of fixed bodies from the last one down to `body`. f: how many runs of fixed
// bodies are not added yet; returns how many are left.
static int32_t add_fixed_moments(const sn_model *m, sn_data *d, int32_t f, int32_t body) {
  const si_roots *roots = &m->bound.roots;
  double sum[3];
  sn_copy3(sum, d->subtree_com);
  while (f > 0 && roots->fixed[f - 1].begin.body >= body) {
    f--;
    for (int32_t i = roots->child[f + 1] - 1; i >= roots->child[f]; i--) {
      sn_add3(sum, sum, d->sleep.moment + 3 * (int64_t)i);
    }
  }
  sn_copy3(d->subtree_com, sum);
  return f;
}

// The world's from those of its children, in the same order.
static void sum_world(const sn_model *m, sn_data *d) {
  double *com = d->subtree_com;
  int32_t f = si_any_fixed(d) ? d->sleep.nfixed : 0;
  for (int32_t k = d->sleep.nrun - 1; k >= 0; k--) {
    f = add_fixed_moments(m, d, f, d->sleep.run[k].end.body);
    for (int32_t b = d->sleep.run[k].end.body - 1; b >= d->sleep.run[k].begin.body; b--) {
      if (m->body_parentid[b] == 0) {
        sn_add3(com, com, com + 3 * b);
      }
    }
  }
  add_fixed_moments(m, d, f, 0);
}

// I = R diag(inertia) R' + mass (r'r 1 - r r'), with r from the origin to the center of mass.
static void inertia_about(double *I, const double *R, const double *inertia, double mass,
                          const double *r) {
  double a[9];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      a[3 * i + k] = R[3 * i + k] * inertia[k];
    }
  }
  I[0] = sn_dot3(a, R) + mass * (r[1] * r[1] + r[2] * r[2]);
  I[1] = sn_dot3(a + 3, R + 3) + mass * (r[0] * r[0] + r[2] * r[2]);
  I[2] = sn_dot3(a + 6, R + 6) + mass * (r[0] * r[0] + r[1] * r[1]);
  I[3] = sn_dot3(a, R + 3) - mass * r[0] * r[1];
  I[4] = sn_dot3(a, R + 6) - mass * r[0] * r[2];
  I[5] = sn_dot3(a + 3, R + 6) - mass * r[1] * r[2];
  sn_scale3(I + 6, r, mass);
  I[9] = mass;
}

static inline void rotation_axis(double *cdof, const double *axis, const double *arm) {
  sn_copy3(cdof, axis);
  sn_cross(cdof + 3, axis, arm);
}

// Rotations about the three axes of the body.
static void body_axes(double *cdof, const double *mat, const double *arm) {
  for (int k = 0; k < 3; k++) {
    const double axis[3] = { mat[k], mat[3 + k], mat[6 + k] };
    rotation_axis(cdof + 6 * k, axis, arm);
  }
}

void si_joint_axes(const sn_model *m, const sn_data *d, int32_t j, const double *point,
                   double *cdof) {
  int32_t body = m->jnt_bodyid[j], type = m->jnt_type[j];
  const double *axis = d->xaxis + 3 * j;
  double arm[3];   // from the anchor to the origin
  sn_sub3(arm, point, d->xanchor + 3 * j);

  if (type == SN_JOINT_HINGE) {
    rotation_axis(cdof, axis, arm);
  } else if (type == SN_JOINT_SLIDE) {
    sn_zero3(cdof);
    sn_copy3(cdof + 3, axis);
  } else if (type == SN_JOINT_BALL) {
    body_axes(cdof, d->xmat + 9 * body, arm);
  } else {
    memset(cdof, 0, 18 * sizeof(double));
    cdof[3] = cdof[10] = cdof[17] = 1;
    body_axes(cdof + 18, d->xmat + 9 * body, arm);
  }
}

void si_body_inertia(const sn_model *m, const sn_data *d, int32_t b, const double *r, double *I) {
  inertia_about(I, d->ximat + 9 * b, m->body_inertia + 3 * b, m->body_mass[b], r);
}

SI_TASK sn_status center_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k,
                             void *context) {
  (void)w, (void)context;
  const si_place *from = &d->sleep.run[k].begin, *to = &d->sleep.run[k].end;
  for (int32_t b = from->body; b < to->body; b++) {
    divide(m, d, b);
  }
  for (int32_t b = from->body; b < to->body; b++) {
    double r[3];
    sn_sub3(r, d->xipos + 3 * b, d->subtree_com + 3 * m->body_rootid[b]);
    si_body_inertia(m, d, b, r, d->cinert + 10 * b);
  }
  for (int32_t j = from->joint; j < to->joint; j++) {
    si_joint_axes(m, d, j, d->subtree_com + 3 * m->body_rootid[m->jnt_bodyid[j]],
                  d->cdof + 6 * m->jnt_dofadr[j]);
  }
  return SN_OK;
}

void si_dyn_com(const sn_model *m, sn_data *d) {
  sn_scale3(d->subtree_com, d->xipos, m->body_mass[0]);
  si_share_runs(m, d, sum_run, NULL);
  if (!is_whole(d)) {
    sum_world(m, d);
  }
  if (!d->sleep.is_fixed) {
    keep_moments(m, d);
  }
  if (si_any_asleep(d)) {
    add_sleeping(m, d);
  }
  divide(m, d, 0);
  memset(d->cinert, 0, 10 * sizeof(double));
  si_share_runs(m, d, center_run, NULL);
}
