// SPDX-License-Identifier: Apache-2.0
//
// The smooth dynamics, stage by stage. Each function reads earlier fields of the data and writes
// those that fields_data.h names; core/step puts them in order.

#ifndef SI_DYNAMICS_DYNAMICS_H
#define SI_DYNAMICS_DYNAMICS_H

#include <string.h>

#include "data/data.h"
#include "sinew/kinematics.h"
#include "sinew/numerics/sparse.h"
#include "sinew/numerics/tree.h"

// position
void si_dyn_kinematics(const sn_model *m, sn_data *d);   // kinematics.c; normalizes quaternions
void si_dyn_com(const sn_model *m, sn_data *d);          // com.c: subtree_com, cinert, cdof
void si_dyn_camlight(const sn_model *m, sn_data *d);     // camlight.c
void si_dyn_tendon(const sn_model *m, sn_data *d);       // tendon.c
void si_dyn_composite(const sn_model *m, sn_data *d);              // crb.c: crb
void si_dyn_crb(const sn_model *m, sn_data *d);                    // crb.c: crb, qM without tendons
void si_dyn_articulate(const sn_model *m, sn_data *d);             // articulated.c: links
// factor.c. M by its entries, qM, or by recursion; its factor, and the entries if they are read.
void si_dyn_inertia(const sn_model *m, sn_data *d, si_worker *w);
void si_dyn_factor(const sn_model *m, sn_data *d, si_worker *w);
void si_dyn_crb_rows(const sn_model *m, sn_data *d, int32_t begin, int32_t end);   // crb.c
// The factor of A + h diag(dof_damping), for a matrix A with the entries of M, and x = A^-1 b, with
// x = b or not, for the dofs that are computed (data/sleep.h); the others need not be written.
void si_dyn_factor_runs(const sn_model *m, sn_data *d, const double *A, double h, double *L,
                        double *Dinv);
// Of the dofs from `begin` up to `end`, which A couples with no others.
void si_dyn_factor_part(const sn_model *m, const double *A, double h, int32_t begin, int32_t end,
                        double *L, double *Dinv);
void si_dyn_solve_runs(const sn_model *m, sn_data *d, const sn_inertia *A, const double *b,
                       double *x);
// Without the list of runs, where one is everything: a small model is not to pay for it.
static inline int si_dyn_is_one_run(const sn_model *m, const sn_data *d) {
  return m->first_tree || (d->sleep.nrun == 1 && !d->sleep.nasleep);
}
static inline void si_dyn_factor_tree(const sn_model *m, sn_data *d, const double *A, double h,
                                      double *L, double *Dinv) {
  if (si_dyn_is_one_run(m, d)) {
    si_dyn_factor_part(m, A, h, 0, (int32_t)m->nv, L, Dinv);
  } else {
    si_dyn_factor_runs(m, d, A, h, L, Dinv);
  }
}
static inline void si_dyn_solve_tree(const sn_model *m, sn_data *d, const sn_inertia *A,
                                     const double *b, double *x) {
  if (si_dyn_is_one_run(m, d) || sn_recursion_of(A)) {
    if (x != b) {
      memcpy(x, b, (size_t)m->nv * sizeof *x);
    }
    sn_tree_solve(A, x);
  } else {
    si_dyn_solve_runs(m, d, A, b, x);
  }
}
// qM, qLD, qLDiagInv, where M is used by recursion.
void si_dyn_need_inertia(const sn_model *m, sn_data *d);
// transmission.c; after collision
void si_dyn_transmission(const sn_model *m, sn_data *d, si_worker *w);

// velocity
void si_dyn_velocity(const sn_model *m, sn_data *d);   // velocity.c: tendons, actuators
void si_dyn_comvel(const sn_model *m, sn_data *d);     // comvel.c: cvel, cdof_dot
sn_status si_dyn_passive(const sn_model *m, sn_data *d, si_worker *w);   // passive.c: plugins
// The states of passive forces, at the end of a step.
void si_dyn_passive_advance(const sn_model *m, sn_data *d, si_worker *w, double h);
// The states of one plugin, if it has any; a result that is not finite is ignored, with a warning.
typedef sn_status si_advance_fn(const void *self, const void *bound, const sn_data_view *data,
                                double h, double *state, sn_scratch *scratch);
void si_dyn_advance_state(sn_data *d, si_worker *w, const si_binding *b, si_advance_fn *operation,
                          double h);
// control.c: ctrl_effective and qfrc_controller of models with controllers, plugins
sn_status si_dyn_control(const sn_model *m, sn_data *d, si_worker *w);
void si_dyn_control_advance(const sn_model *m, sn_data *d, si_worker *w, double h);
// rne.c: out (nv) = M a + c; a NULL: out = c
void si_dyn_rne(const sn_model *m, sn_data *d, si_worker *w, const double *qacc, double *out);
// Accelerations of the bodies (6 nbody) by qvel alone: without gravity, with qacc = 0.
void si_dyn_bias_acceleration(const sn_model *m, const sn_data *d, double *acc);

// free_motion.c: moves qpos and qvel as though no force acted for the time h. The fields that
// depend on positions must be those of qpos; afterwards they are not.
void si_dyn_free_motion(const sn_model *m, sn_data *d, si_worker *w, double h);
// smooth.c: adds to qfrc the part of qfrc_bias that depends on velocity
void si_dyn_add_inertial(const sn_model *m, const sn_data *d, double *qfrc);

// acceleration
sn_status si_dyn_actuation(const sn_model *m, sn_data *d, si_worker *w);   // actuation.c: plugins
void si_dyn_smooth(const sn_model *m, sn_data *d);   // smooth.c: qfrc_smooth, qacc_smooth
void si_dyn_add_xfrc(const sn_model *m, const sn_data *d, double *qfrc);   // smooth.c

// on request
void si_dyn_energy_position(const sn_model *m, sn_data *d);                 // energy.c
void si_dyn_energy_velocity(const sn_model *m, sn_data *d, si_worker *w);   // energy.c
void si_dyn_subtree(const sn_model *m, sn_data *d);                         // subtree.c
void si_dyn_rne_post(const sn_model *m, sn_data *d);   // rnepost.c: cacc, cfrc_int, cfrc_ext

// com.c. The motion axes of the dofs of a joint, [w; v] with the velocity at a point; as cdof.
void si_joint_axes(const sn_model *m, const sn_data *d, int32_t joint, const double *point,
                   double *axes);
// [xx yy zz xy xz yz, mass times r, mass] of a body, about the point from which its center of mass
// is at r.
void si_body_inertia(const sn_model *m, const sn_data *d, int32_t body, const double *r, double *I);

// The inertia of the present state, for plugins and numerics. Where M is used by recursion, its
// entries are NULL unless they are computed.
sn_inertia si_inertia_view(const sn_model *m, const sn_data *d);       // factor.c

// manifold.c: out = du/dt, if q0 advanced by u has the velocity v; see `dexpinv` of
// sinew/integrator.h.
void si_transport(const sn_model *m, const double *u, const double *v, double *out);

// Sparse rows of the present state: ntendon x nv (tendon.c), nu x nv (transmission.c).
sn_sparse si_tendon_jacobian(const sn_model *m, const sn_data *d);
sn_sparse si_actuator_moment(const sn_model *m, const sn_data *d);

// One row of each: how fast a tendon or an actuator gets longer, by the velocities of dofs.
static inline sn_sparse_row si_tendon_row(const sn_data *d, int64_t tendon) {
  const int32_t adr = d->ten_J_rowadr[tendon];
  return (sn_sparse_row){ d->ten_J_rownnz[tendon], d->ten_J_colind + adr, d->ten_J + adr };
}

static inline sn_sparse_row si_actuator_row(const sn_data *d, int64_t actuator) {
  const int32_t adr = d->actuator_moment_rowadr[actuator];
  return (sn_sparse_row){ d->actuator_moment_rownnz[actuator], d->actuator_moment_colind + adr,
                          d->actuator_moment + adr };
}

// jacobian.c. The dofs that move a body, ascending, into col; returns their number.
int32_t si_body_chain(const sn_model *m, int32_t body, int32_t *col);
// The dofs that move either body: the union of both chains, ascending; returns their number.
int32_t si_merge_chain(const sn_model *m, int32_t body1, int32_t body2, int32_t *col);

// A point that is fixed to a body, in global axes.
typedef struct si_attachment {
  int32_t body;
  double point[3];
} si_attachment;

// Jacobian of `to` minus that of `from` on the n columns of the merged chain of their bodies:
// translation jacp 3 x n, rotation jacr 3 x n (either NULL).
void si_jacobian_difference(const sn_model *m, const sn_data *d, const si_attachment *from,
                            const si_attachment *to, int32_t n, double *jacp, double *jacr);
extern const sn_kinematics_service si_kinematics_service_table;

#endif
