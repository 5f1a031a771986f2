// SPDX-License-Identifier: Apache-2.0
//
// The services of sinew/kinematics.h against finite differences and laws: which dofs move a body,
// the motion of a point, the power of a force, the forces of contacts.

#include "model_file.h"
#include "random_state.h"
#include "sinew/kinematics.h"
#include "suite.h"

enum { NV = 12 };   // of the model below

static const double local[3] = { 0.3, -0.2, 0.5 };   // a point in the frame of each body

static const void *service(const char *id) {
  const sn_host *host = sn_engine_host(engine);
  const void *table = host->query(host, id);
  ck_assert_ptr_nonnull(table);
  return table;
}

static void locate(const sn_data *d, int32_t body, double *point) {
  sn_mul_mat_vec3(point, d->xmat + 9 * body, local);
  sn_add3(point, point, d->xpos + 3 * body);
}

// Velocity of the point and angular velocity, when dof i moves with unit velocity; differences.
static void differentiate(const sn_model *m, const sn_data *d, sn_data *near, int32_t body,
                          int64_t i, double *velocity, double *spin) {
  const double h = 1e-6;
  double point[2][3], quat[2][4], along[NV] = { 0 }, turn[4];
  along[i] = 1;
  for (int side = 0; side < 2; side++) {
    memcpy(near->qpos, d->qpos, (size_t)m->nq * sizeof(double));
    sn_integrate_position(m, near->qpos, along, side ? h : -h);
    sn_forward_position(m, near);
    locate(near, body, point[side]);
    memcpy(quat[side], near->xquat + 4 * body, sizeof turn);
  }
  sn_conj_quat(turn, quat[0]);
  sn_mul_quat(turn, quat[1], turn);
  sn_quat_vec(spin, turn);
  for (int k = 0; k < 3; k++) {
    velocity[k] = (point[1][k] - point[0][k]) / (2 * h);
    spin[k] /= 2 * h;
  }
}

START_TEST(points_of_bodies) {
  const sn_kinematics_service *k = service(SN_SERVICE_KINEMATICS);
  const double force[3] = { 1, -2, 0.5 }, torque[3] = { -0.3, 0.7, 2 };
  sn_model *m = model_of(model_file("api/branched"));
  sn_data *d = data_of(m), *near = data_of(m);
  ck_assert_int_eq(m->nv, NV);
  scramble(m, d, 3);
  sn_forward_position(m, d);
  for (int32_t body = 0; body < m->nbody; body++) {
    double point[3], jacp[3 * NV], jacr[3 * NV], velocity[3], spin[3];
    double push[NV] = { 0 }, twist[NV] = { 0 };
    int32_t dof[NV], n = k->chain(&m->view, body, dof), listed = 0;
    ck_assert_int_eq(k->chain(&m->view, body, NULL), n);
    locate(d, body, point);
    // what is there stays: the Jacobians are added
    for (int i = 0; i < 3 * NV; i++) {
      jacp[i] = jacr[i] = 100;
    }
    OK(k->jacobian(&d->view, body, point, -2, jacp, jacr));
    OK(k->jacobian(&d->view, body, point, 1, NULL, NULL));
    OK(k->apply(&d->view, body, point, force, NULL, push));
    OK(k->apply(&d->view, body, point, force, torque, twist));
    for (int32_t i = 0; i < NV; i++) {
      differentiate(m, d, near, body, i, velocity, spin);
      for (int axis = 0; axis < 3; axis++) {
        CLOSE((100 - jacp[axis * NV + i]) / 2, velocity[axis], 1e-8);
        CLOSE((100 - jacr[axis * NV + i]) / 2, spin[axis], 1e-8);
      }
      // the power of a force is that of its generalized force
      CLOSE(push[i], sn_dot3(force, velocity), 1e-8);
      CLOSE(twist[i], sn_dot3(force, velocity) + sn_dot3(torque, spin), 1e-8);
      // the dofs that move the point are those of the chain, in ascending order
      const int moves = sn_norm3(velocity) + sn_norm3(spin) > 1e-6;
      const int is_next = listed < n && dof[listed] == i;
      ck_assert_int_eq(moves, is_next);
      listed += is_next;
    }
    ck_assert_int_eq(listed, n);
  }
  ck_assert_int_eq(k->chain(&m->view, -1, NULL), -1);
  ck_assert_int_eq(k->chain(&m->view, (int32_t)m->nbody, NULL), -1);
  ck_assert_int_eq(k->jacobian(&d->view, -1, force, 1, NULL, NULL), SN_EINVAL);
  ck_assert_int_eq(k->apply(&d->view, -1, force, force, NULL, d->qfrc_applied), SN_EINVAL);
  done_with(m, near);
  sn_data_free(d);
}
END_TEST

// At rest the forces of all contacts on a body carry its weight, whichever cone.
START_TEST(forces_of_contacts) {
  const sn_contact_force_service *c = service(SN_SERVICE_CONTACT_FORCE);
  sn_model *m = model_of(
      "<mujoco><worldbody><geom type='plane' size='3 3 1' euler='10 0 0'/>"
      "<body pos='0 0 .12' euler='10 0 0'><freejoint/><geom type='box' size='.2 .2 .1' mass='2'/>"
      "</body></worldbody></mujoco>");
  set_option(m, "cone", _i ? "elliptic" : "pyramidal");
  sn_data *d = data_of(m);
  for (int step = 0; step < 3000; step++) {
    sn_step(m, d);
  }
  sn_forward(m, d);
  double total[3] = { 0 }, force[6], global[3];
  ck_assert_int_eq(d->ncon, 4);
  for (int64_t i = 0; i < d->ncon; i++) {
    OK(c->get(&d->view, i, force));
    sn_mul_matT_vec3(global, d->contact_frame + 9 * i, force);
    sn_addscale3(total, total, d->contact_geom2[i] == 1 ? 1 : -1, global);
  }
  CLOSE(total[0], 0, 1e-3);
  CLOSE(total[1], 0, 1e-3);
  CLOSE(total[2], 2 * 9.81, 1e-3);
  ck_assert_int_eq(c->get(&d->view, d->ncon, force), SN_EINVAL);
  ck_assert_double_eq(force[0], 0);
  done_with(m, d);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(points_of_bodies);
  EACH(forces_of_contacts, 0, 2);
}
