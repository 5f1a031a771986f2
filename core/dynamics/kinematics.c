// SPDX-License-Identifier: Apache-2.0
//
// Forward kinematics: from qpos to the global poses of bodies, inertial frames, joints, geoms and
// sites. Parents come before their children, so one pass in the order of indices does it.
//
// A body starts at its pose in the parent; then its joints move it, one after the other:
//   slide    translates along the axis by qpos - qpos0
//   hinge    turns about the axis by qpos - qpos0, the anchor stays where it is
//   ball     turns by the quaternion, the anchor stays where it is
//   free     the pose is qpos itself; the only joint of its body
// xanchor and xaxis are those before the joint's own motion.

#include "data/share.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

// Whether a local rotation changes nothing.
static inline int is_identity(const double *quat) {
  return quat[0] == 1;   // unit quaternions
}

static inline int is_zero(const double *v) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

// Back to unit length what products of unit quaternions have moved by roundings.
static inline void renormalize(double *q) {
  double scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) {
    q[i] *= scale;
  }
}

// The pose of a body between its joints.
typedef struct pose {
  double *pos, *quat;
} pose;

// Turns a body about an anchor that is fixed in it.
static void turn(const pose *p, const double *rotation, const double *anchor,
                 const double *local_anchor) {
  sn_mul_quat(p->quat, p->quat, rotation);
  if (!is_zero(local_anchor)) {
    double arm[3];
    sn_rotate(arm, local_anchor, p->quat);
    sn_sub3(p->pos, anchor, arm);
  }
}

static void place_joint(const sn_model *m, sn_data *d, int32_t j, const pose *p) {
  double *q = d->qpos + m->jnt_qposadr[j];
  const double *local_anchor = m->jnt_pos + 3 * j, *local_axis = m->jnt_axis + 3 * j;
  double *anchor = d->xanchor + 3 * j, *axis = d->xaxis + 3 * j;
  int32_t type = m->jnt_type[j];

  sn_rotate(axis, local_axis, p->quat);
  sn_copy3(anchor, p->pos);
  if (!is_zero(local_anchor)) {
    double arm[3];
    sn_rotate(arm, local_anchor, p->quat);
    sn_add3(anchor, anchor, arm);
  }
  if (type == SN_JOINT_SLIDE) {
    sn_addscale3(p->pos, p->pos, q[0] - m->qpos0[m->jnt_qposadr[j]], axis);
  } else if (type == SN_JOINT_HINGE) {
    double rotation[4];
    sn_axisangle_quat(rotation, local_axis, q[0] - m->qpos0[m->jnt_qposadr[j]]);
    turn(p, rotation, anchor, local_anchor);
  } else {
    sn_normalize4(q);
    turn(p, q, anchor, local_anchor);
  }
}

// A free body is where its joint says.
static void place_free(const sn_model *m, sn_data *d, int32_t j, const pose *p) {
  double *q = d->qpos + m->jnt_qposadr[j];
  sn_normalize4(q + 3);
  sn_copy3(p->pos, q);
  sn_copy4(p->quat, q + 3);
  sn_copy3(d->xanchor + 3 * j, p->pos);
  sn_zero3(d->xaxis + 3 * j);
  d->xaxis[3 * j + 2] = 1;
}

// Where a body is without its joints.
static void place_in_parent(const sn_model *m, sn_data *d, int32_t b, const pose *p) {
  int32_t parent = m->body_parentid[b], mocap = m->body_mocapid[b];
  if (mocap >= 0) {
    sn_copy3(p->pos, d->mocap_pos + 3 * mocap);
    sn_copy4(p->quat, d->mocap_quat + 4 * mocap);
  } else {
    sn_mul_mat_vec3(p->pos, d->xmat + 9 * parent, m->body_pos + 3 * b);
    sn_add3(p->pos, p->pos, d->xpos + 3 * parent);
    sn_mul_quat(p->quat, d->xquat + 4 * parent, m->body_quat + 4 * b);
  }
}

SI_TASK void place_body(const sn_model *m, sn_data *d, int32_t b) {
  const pose p = { d->xpos + 3 * b, d->xquat + 4 * b };
  int32_t begin = m->body_jntadr[b], end = begin + m->body_jntnum[b];

  if (begin < end && m->jnt_type[begin] == SN_JOINT_FREE) {
    place_free(m, d, begin, &p);
  } else {
    place_in_parent(m, d, b, &p);
    for (int32_t j = begin; j < end; j++) {
      place_joint(m, d, j, &p);
    }
  }
  renormalize(p.quat);
  double *mat = d->xmat + 9 * b;
  sn_quat_mat(mat, p.quat);

  // the center of mass
  sn_mul_mat_vec3(d->xipos + 3 * b, mat, m->body_ipos + 3 * b);
  sn_add3(d->xipos + 3 * b, d->xipos + 3 * b, p.pos);
}

// Orientation of a frame that is fixed in a body.
static inline void place_frame(const sn_data *d, int32_t body, const double *quat, double *mat) {
  if (is_identity(quat)) {
    memcpy(mat, d->xmat + 9 * body, 9 * sizeof(double));
  } else {
    double global[4];
    sn_mul_quat(global, d->xquat + 4 * body, quat);
    sn_quat_mat(mat, global);
  }
}

static void place_fixed(const sn_data *d, int64_t begin, int64_t end, const int32_t *body,
                        const double *pos, const double *quat, double *xpos, double *xmat) {
  for (int64_t i = begin; i < end; i++) {
    int32_t b = body[i];
    sn_mul_mat_vec3(xpos + 3 * i, d->xmat + 9 * b, pos + 3 * i);
    sn_add3(xpos + 3 * i, xpos + 3 * i, d->xpos + 3 * b);
    place_frame(d, b, quat + 4 * i, xmat + 9 * i);
  }
}

SI_TASK sn_status place_run(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  (void)w, (void)context;
  const si_place *from = &d->sleep.start[k], *to = &d->sleep.run[k].end;
  for (int32_t b = from->body; b < to->body; b++) {
    place_body(m, d, b);
    place_frame(d, b, m->body_iquat + 4 * b, d->ximat + 9 * b);
  }
  place_fixed(d, from->geom, to->geom, m->geom_bodyid, m->geom_pos, m->geom_quat, d->geom_xpos,
              d->geom_xmat);
  place_fixed(d, from->site, to->site, m->site_bodyid, m->site_pos, m->site_quat, d->site_xpos,
              d->site_xmat);
  return SN_OK;
}

static void place_world(sn_data *d) {
  sn_zero3(d->xpos);
  sn_zero3(d->xipos);
  sn_identity_quat(d->xquat);
  sn_identity3(d->xmat);
  sn_identity3(d->ximat);
}

void si_dyn_kinematics(const sn_model *m, sn_data *d) {
  si_runs_begin(m, d);
  if (!d->sleep.is_fixed) {
    place_world(d);
  }
  for (int64_t i = 0; i < m->nmocap; i++) {
    sn_normalize4(d->mocap_quat + 4 * i);
  }
  si_share_runs(m, d, place_run, NULL);
}
