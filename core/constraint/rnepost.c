// SPDX-License-Identifier: Apache-2.0
//
// Accelerations of the bodies and the forces between them, once qacc and the constraint forces
// are known. All about the origin of the tree, [rotation; translation]:
//
//   cacc       as in rne.c, so that a body at rest accelerates upwards by -gravity
//   cfrc_ext   xfrc_applied, contacts, connect and weld constraints
//   cfrc_int   I cacc + v x* (I v) - cfrc_ext, and what the children take: what the parent gives

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"

// Adds sign times a force and torque (may be NULL) at a global point to a body.
static void add_external(const sn_model *m, sn_data *d, int32_t body, double sign,
                         const double *point, const double *force, const double *torque) {
  if (body == 0) {
    return;   // the world takes everything
  }
  double wrench[6];
  si_wrench(wrench, si_chain_origin(m, d, body), point, force);
  if (torque) {
    sn_add3(wrench, wrench, torque);
  }
  sn_addscale6(d->cfrc_ext + 6 * body, d->cfrc_ext + 6 * body, sign, wrench);
}

static void add_contacts(const sn_model *m, sn_data *d) {
  for (int64_t i = 0; i < d->ncon; i++) {
    double local[6], force[3], torque[3];
    if (d->contact_efc_address[i] < 0) {
      continue;
    }
    const double *frame = d->contact_frame + 9 * i, *pos = d->contact_pos + 3 * i;
    sn_contact_force(m, d, i, local);
    sn_mul_matT_vec3(force, frame, local);
    sn_mul_matT_vec3(torque, frame, local + 3);
    add_external(m, d, m->geom_bodyid[d->contact_geom2[i]], 1, pos, force, torque);
    add_external(m, d, m->geom_bodyid[d->contact_geom1[i]], -1, pos, force, torque);
  }
}

// The torque on body 1 that does the work of the rows of a weld's rotation. They measure the
// imaginary part of (q2 f)* q1 rel f, see constraint/equality.c, so with their forces F it is
// torquescale / 2 of the imaginary part of q2 f (0, F) (q1 rel f)*.
static void weld_torque(const sn_model *m, const sn_data *d, int32_t eq, const double *force,
                        double *torque) {
  const double *data = m->eq_data + 11 * eq, *frame = m->eq_frame + 4 * eq;
  double q2[4], q1[4], turned[4] = { 0, force[0], force[1], force[2] };
  sn_mul_quat(q2, d->xquat + 4 * m->eq_obj2id[eq], frame);
  sn_mul_quat(q1, d->xquat + 4 * m->eq_obj1id[eq], data + 6);
  sn_mul_quat(q1, q1, frame);
  sn_conj_quat(q1, q1);
  sn_mul_quat(turned, q2, turned);
  sn_mul_quat(turned, turned, q1);
  sn_scale3(torque, turned + 1, 0.5 * data[10]);
}

// Connect and weld constraints hold body 1 at an anchor and body 2 at another.
static void add_equalities(const sn_model *m, sn_data *d) {
  int32_t rows;
  for (int32_t row = 0; row < (int32_t)d->ne; row += rows) {
    int32_t eq = d->efc_id[row], type = m->eq_type[eq];
    if (type != SN_EQUALITY_CONNECT && type != SN_EQUALITY_WELD) {
      rows = 1;
      continue;
    }
    int weld = type == SN_EQUALITY_WELD;
    rows = weld ? 6 : 3;
    int32_t body1 = m->eq_obj1id[eq], body2 = m->eq_obj2id[eq];
    const double *data = m->eq_data + 11 * eq, *force = d->efc_force + row;
    double point1[3], point2[3], torque[3] = { 0 };
    // Matches MuJoCo 2.2.2: weld-torque
    if (weld && m->opt.compatibility == SN_COMPATIBILITY_MUJOCO_2_2) {
      sn_copy3(torque, force + 3);   // as though the rows were torques
    } else if (weld) {
      weld_torque(m, d, eq, force + 3, torque);
    }
    sn_mul_mat_vec3(point1, d->xmat + 9 * body1, data + (weld ? 3 : 0));
    sn_add3(point1, point1, d->xpos + 3 * body1);
    sn_mul_mat_vec3(point2, d->xmat + 9 * body2, data + (weld ? 0 : 3));
    sn_add3(point2, point2, d->xpos + 3 * body2);
    add_external(m, d, body1, 1, point1, force, torque);
    add_external(m, d, body2, -1, point2, force, torque);
  }
}

static void external_forces(const sn_model *m, sn_data *d) {
  memset(d->cfrc_ext, 0, 6 * (size_t)m->nbody * sizeof(double));
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    const double *x = d->xfrc_applied + 6 * b;
    add_external(m, d, b, 1, d->xipos + 3 * b, x, x + 3);
  }
  if (d->nefc > 0) {
    add_contacts(m, d);
    add_equalities(m, d);
  }
}

static void accelerations(const sn_model *m, sn_data *d) {
  memset(d->cacc, 0, 6 * sizeof(double));
  if (!(m->opt.disableflags & SN_DISABLE_GRAVITY)) {
    sn_scale3(d->cacc + 3, m->opt.gravity, -1);
  }
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    double *acc = d->cacc + 6 * b;
    memcpy(acc, d->cacc + 6 * m->body_parentid[b], 6 * sizeof(double));
    int32_t begin = m->body_dofadr[b], end = begin + m->body_dofnum[b];
    for (int32_t i = begin; i < end; i++) {
      sn_addscale6(acc, acc, d->qvel[i], d->cdof_dot + 6 * i);
      sn_addscale6(acc, acc, d->qacc[i], d->cdof + 6 * i);
    }
  }
}

void si_dyn_rne_post(const sn_model *m, sn_data *d) {
  external_forces(m, d);
  accelerations(m, d);

  memset(d->cfrc_int, 0, 6 * sizeof(double));
  for (int32_t b = 1; b < (int32_t)m->nbody; b++) {
    double *force = d->cfrc_int + 6 * b, momentum[6], rate[6];
    sn_mul_inertia(force, d->cinert + 10 * b, d->cacc + 6 * b);
    sn_mul_inertia(momentum, d->cinert + 10 * b, d->cvel + 6 * b);
    sn_cross_force(rate, d->cvel + 6 * b, momentum);
    sn_addscale6(force, force, 1, rate);
    sn_addscale6(force, force, -1, d->cfrc_ext + 6 * b);
  }
  for (int32_t b = (int32_t)m->nbody - 1; b > 0; b--) {
    double *up = d->cfrc_int + 6 * m->body_parentid[b];
    sn_addscale6(up, up, 1, d->cfrc_int + 6 * b);
  }
}
