// SPDX-License-Identifier: Apache-2.0
//
// After a step, exact equality constraints are satisfied again: in position, r(q) = 0, and in
// velocity, J v = 0 (or the velocity that a plugin refers to). An integrator keeps J qacc = -c and
// so leaves an error of its own order, which would add up. Three corrections, each the smallest in
// the metric of M:
//
//   1  J0 x = r0 - r    J0, r0: at the start of the step; v <- v + x / h
//   2  J x = -r         again and again: Newton's method on the manifold
//   3  J dv = -J v
//
// 2 and 3 are coordinate projection (E. Eich, SIAM Journal on Numerical Analysis 30, 1993). With it
// alone Euler's method would gain energy: a point that runs around a circle at the rate w gets
// faster by (h w)^2 / 2 in each step, because the force of the constraint acts along the normal at
// the start, and the projection along that at the end. With 1 the path is that of a force along the
// normals at the start that leads back to r = 0, as in RATTLE (H. C. Andersen, Journal of
// Computational Physics 52, 1983), which loses and gains nothing. Integrators of order 3 and more
// leave so little that 1 would only add to it.
//
// These are constraint problems, with x or dv in place of the acceleration; the solver of the step
// solves them (solve.c). They are made in a simulation of their own, so that contacts, rows and all
// else that the step computed remain.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraint/constraint.h"
#include "dynamics/dynamics.h"
#include "model/element.h"
#include "sinew/numerics/tree.h"
#include "step/pipeline.h"

// Residuals, in m and rad, and speeds in m/s and rad/s: what counts as none, what may be due to
// rounding, what is reported.
static const double none = 1e-13, little = 1e-10, much = 1e-9;

// On which positions, and the velocities of plugins, depend.
enum {
  STATE = SN_STATE_TIME | SN_STATE_QPOS | SN_STATE_QVEL | SN_STATE_EQ_ENABLED | SN_STATE_MOCAP_POS |
          SN_STATE_MOCAP_QUAT
};

// Rows and residuals at the present position. M stays that of the start of the step.
static void evaluate(const sn_model *m, sn_data *d, si_worker *w) {
  si_dyn_kinematics(m, d);
  si_dyn_com(m, d);
  si_dyn_tendon(m, d);
  si_data_clear_step(d);
  si_constraint_make_exact(m, d, w);
  si_constraint_islands(m, d, w);
}

// *eq: the constraint that it is of; -1: there is none. May be NULL.
static double largest_residual(const sn_data *d, int32_t *eq) {
  double largest = 0;
  int32_t of = -1;
  for (int64_t i = 0; i < d->nefc; i++) {
    if (!(fabs(d->efc_pos[i]) <= largest)) {
      largest = fabs(d->efc_pos[i]);
      of = d->efc_id[i];
    }
  }
  if (eq) {
    *eq = of;
  }
  return largest;
}

// qacc = the least x in the metric of M with J x = efc_aref, but for 1e-8 of it, the softness of
// the rows: what is left is in the next residual.
static sn_status least(const sn_model *m, sn_data *d, si_worker *w) {
  const size_t dofs = (size_t)m->nv * sizeof(double);
  memset(d->qacc_warmstart, 0, dofs);
  memset(d->qacc_smooth, 0, dofs);
  memset(d->qfrc_smooth, 0, dofs);
  return si_solve(m, d, w);
}

// |x|^2 in the metric of M.
static double square(const sn_model *m, const sn_data *d, si_worker *w, const double *x) {
  const sn_inertia inertia = si_inertia_view(m, d);
  double *Mx = si_arena_reals(&w->scratch, m->nv), sum = 0;
  sn_tree_multiply(&inertia, x, Mx);
  for (int64_t i = 0; i < m->nv; i++) {
    sum += x[i] * Mx[i];
  }
  return sum;
}

// Correction 1, as often as it makes the residual much smaller. start: qpos at the start of the
// step, whose rows have the same structure. A residual that was there at the start, as of a loop
// that is open, is not the step's, and has no part in it. Where the rows at the start are nearly
// dependent, as of rods on a line, the correction can be larger than the step: it is left out.
static sn_status return_along_start(const sn_model *m, sn_data *d, si_worker *w,
                                    const double *start) {
  enum { MOST = 4 };
  static const double enough = 0.2;   // of the residual before
  static const double far = 0.5;      // of the way of the step
  double *after = si_arena_reals(&w->scratch, m->nq);
  memcpy(after, d->qpos, (size_t)m->nq * sizeof *after);
  memcpy(d->qpos, start, (size_t)m->nq * sizeof *after);
  si_position_smooth(m, d, w);
  evaluate(m, d, w);
  const int64_t nefc = d->nefc, nJ = d->nJ;
  double *J0 = si_arena_reals(&w->scratch, nJ), *r0 = si_arena_reals(&w->scratch, nefc);
  double *way = si_arena_reals(&w->scratch, m->nv);
  sn_differentiate_position(m, way, 1, start, after);
  const double longest = far * far * square(m, d, w, way);
  if (nefc > 0) {
    memcpy(J0, d->efc_J, (size_t)nJ * sizeof *J0);
    memcpy(r0, d->efc_pos, (size_t)nefc * sizeof *r0);
  }
  memcpy(d->qpos, after, (size_t)m->nq * sizeof *after);

  double before = INFINITY;
  for (int k = 0; k < MOST; k++) {
    double most = 0;
    evaluate(m, d, w);
    if (d->nefc != nefc || d->nJ != nJ) {
      return SN_OK;
    }
    for (int64_t i = 0; i < nefc; i++) {
      d->efc_aref[i] = r0[i] - d->efc_pos[i];
      most = fmax(most, fabs(d->efc_aref[i]));
    }
    if (most <= none || !(most < enough * before)) {
      return SN_OK;
    }
    before = most;
    memcpy(d->efc_J, J0, (size_t)nJ * sizeof *J0);
    SN_TRY(least(m, d, w));
    if (square(m, d, w, d->qacc) > longest) {
      return SN_OK;
    }
    sn_integrate_position(m, d->qpos, d->qacc, 1);
    for (int64_t i = 0; i < m->nv; i++) {
      d->qvel[i] += d->qacc[i] / m->opt.timestep;
    }
  }
  return SN_OK;
}

// Correction 2. Newton's method; a step that increases the largest residual is halved. At the end,
// residual and constraint are those that are left.
typedef struct outcome {
  double residual;
  int32_t eq;
} outcome;

static sn_status place(const sn_model *m, sn_data *d, si_worker *w, outcome *out) {
  enum { MOST = 30 };
  static const double shortest = 1e-3;   // fraction of a step
  double *from = si_arena_reals(&w->scratch, m->nq), *x = si_arena_reals(&w->scratch, m->nv);
  double length = 0;
  *out = (outcome){ .residual = INFINITY, .eq = -1 };
  for (int32_t k = 0; k < MOST; k++) {
    evaluate(m, d, w);
    int32_t eq;
    const double residual = largest_residual(d, &eq);
    if (residual < out->residual) {
      const int slow = residual > 0.5 * out->residual && length == 1;
      *out = (outcome){ residual, eq };
      if (residual <= none || slow) {
        return SN_OK;
      }
      for (int64_t i = 0; i < d->nefc; i++) {
        d->efc_aref[i] = -d->efc_pos[i];
      }
      SN_TRY(least(m, d, w));
      memcpy(from, d->qpos, (size_t)m->nq * sizeof *from);
      memcpy(x, d->qacc, (size_t)m->nv * sizeof *x);
      length = 1;
    } else {
      length *= 0.5;
    }
    memcpy(d->qpos, from, (size_t)m->nq * sizeof *from);
    if (length < shortest || (length < 1 && out->residual < little)) {
      break;
    }
    sn_integrate_position(m, d->qpos, x, length);
  }
  memcpy(d->qpos, from, (size_t)m->nq * sizeof *from);
  evaluate(m, d, w);
  return SN_OK;
}

// Correction 3.
static sn_status turn_velocity(const sn_model *m, sn_data *d, si_worker *w) {
  enum { MOST = 3 };
  if (d->nefc == 0) {
    return SN_OK;
  }
  si_dyn_inertia(m, d, w);
  si_dyn_factor(m, d, w);
  double before = INFINITY;
  for (int k = 0; k < MOST; k++) {
    double most = 0;
    si_constraint_multiply(d, d->qvel, d->efc_vel);
    for (int64_t i = 0; i < d->nefc; i++) {
      d->efc_aref[i] = d->efc_velref[i] - d->efc_vel[i];
      most = fmax(most, fabs(d->efc_aref[i]));
    }
    if (most <= none || !(most < 0.5 * before)) {
      break;
    }
    before = most;
    SN_TRY(least(m, d, w));
    for (int64_t i = 0; i < m->nv; i++) {
      d->qvel[i] += d->qacc[i];
    }
  }
  return SN_OK;
}

typedef struct request {
  const double *start;
  outcome left;
} request;

static sn_status project(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  request *r = context;
  w->once = 1;
  if (((const sn_integrator_ops *)m->bound.integrator->ops)->order < 3) {
    SN_TRY(return_along_start(m, d, w, r->start));
  } else {
    si_position_smooth(m, d, w);
  }
  SN_TRY(place(m, d, w, &r->left));
  return turn_velocity(m, d, w);
}

static void take_warnings(si_worker *w, sn_data *from) {
  for (int32_t i = 0; i < SN_NWARNINGS; i++) {
    w->warning[i] += from->warning[i];
    w->nwarning += from->warning[i];
    from->warning[i] = 0;
  }
}

// slow: the solver did not converge.
static void warn(const sn_model *m, si_worker *w, const outcome *left, int slow) {
  char title[SI_MODEL_TITLE];
  char why[192] = "it contradicts other constraints or is out of reach; make one of them soft "
                  "(exact = false)";
  if (slow) {
    snprintf(why, sizeof why,
             "the solver '%s' does not converge; increase the option iterations, or select another "
             "solver",
             m->bound.solver->name);
  }
  si_worker_warn(w, SN_WARN_EQUALITY,
                 "the exact constraint of %s has a residual of %.2g that cannot be "
                 "removed: %s",
                 si_model_title(m, "equality", left->eq, title), left->residual, why);
}

sn_status si_project(const sn_model *m, sn_data *d, si_worker *w, const double *start) {
  if (!d->projection && !(d->projection = si_data_new(m, 1, &w->error))) {
    return SN_ENOMEM;
  }
  sn_data *p = d->projection;
  double *state = si_arena_reals(&w->scratch, sn_state_size(m, STATE));
  request r = { .start = start };
  sn_state_get(m, d, STATE, state);
  si_state_put(m, p, STATE, state);
  sn_status status = si_guarded(project, m, p, 0, &r);
  take_warnings(w, p);
  if (status < 0) {
    w->error = *sn_data_error(p);
    return status;
  }
  memcpy(d->qpos, p->qpos, (size_t)m->nq * sizeof(double));
  memcpy(d->qvel, p->qvel, (size_t)m->nv * sizeof(double));
  if (r.left.residual > much) {
    warn(m, w, &r.left, p->nunconverged > 0);
  }
  return SN_OK;
}
