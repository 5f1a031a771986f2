// SPDX-License-Identifier: Apache-2.0
//
// Impacts. Where a contact with restitution e closes faster than the option bouncespeed, the
// velocity changes in an instant, at the start of a step, by impulses f of all constraints:
//
//   M (v+ - v) = J' f      normal rows     0 <= f,  J v+ >= -e J v,  one of them with equality
//                          friction rows   sticking, or the largest friction that f_0 allows
//                          limits, other contacts   the same with e = 0
//                          equality rows   J v+ is the reference velocity
//                          friction loss   nothing: a bounded force has no impulse
//
// That is Newton's law of impact in the form of Moreau (Unilateral contact and dry friction in
// finite freedom dynamics, 1988). It is the problem of the step's solver, with v+ - v in place of
// the acceleration, a0 = 0, and rows that are harder by the factor below. So it does not depend on
// the time step, the integrator, or solref and solimp. aref.c keeps the soft contact from acting
// before the impact, and from adding to the velocity after it.

#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "step/pipeline.h"

static const double softness = 1e-6;   // of the rows of an impact, relative to those of the step

// Positive: the geoms are apart, and the contact looks ahead.
static double gap_of(const sn_data *d, int64_t contact) {
  return fmax(0, d->contact_dist[contact] - d->contact_includemargin[contact]);
}

static int bounces(const sn_model *m, const sn_data *d, int64_t contact, double speed) {
  return d->contact_restitution[contact] > 0 && speed < -m->opt.bouncespeed &&
         gap_of(d, contact) + m->opt.timestep * speed <= 0;
}

static int any_impact(const sn_model *m, sn_data *d) {
  int possible = 0;
  for (int64_t i = 0; i < d->ncon && !possible; i++) {
    possible = d->contact_restitution[i] > 0 && d->contact_efc_address[i] >= 0;
  }
  if (!possible) {
    return 0;
  }
  si_constraint_multiply(d, d->qvel, d->efc_vel);
  for (int64_t i = 0; i < d->ncon; i++) {
    if (d->contact_efc_address[i] >= 0 && bounces(m, d, i, si_contact_approach(m, d, i).speed)) {
      return 1;
    }
  }
  return 0;
}

// How much faster than a frictionless one a sliding contact separates in the convex problem of the
// solver, where its velocity is in the dual of the friction cone (De Saxce, Feng, The bipotential
// method, 1998). change: J (v+ - v).
static double dilation(const sn_model *m, const sn_data *d, int64_t contact, const double *change) {
  const si_approach a = si_contact_approach(m, d, contact);
  const double *mu = d->contact_friction + 5 * contact, *u = d->contact_velocity + 5 * contact;
  double sum = 0, most = 0;
  for (int32_t k = 0; k < a.dim - 1; k++) {
    const int32_t row = a.row + (a.pyramid ? 2 * k : 1 + k);
    const double slip = a.pyramid ? (d->efc_vel[row] + change[row] - d->efc_vel[row + 1] -
                                     change[row + 1]) /
                                            2 -
                                        mu[k] * u[k]
                                  : mu[k] * (d->efc_vel[row] + change[row] - u[k]);
    sum += slip * slip;
    most = fmax(most, fabs(slip));
  }
  return a.pyramid ? most : sqrt(sum);
}

// aref of the rows of a contact: the change to the velocity -e J v along the normal, and to that of
// the surface along the directions of friction. shift: the dilation, which is taken off.
static void refer_contact(const sn_model *m, sn_data *d, int64_t contact, double shift) {
  const si_approach a = si_contact_approach(m, d, contact);
  const double e = bounces(m, d, contact, a.speed) ? d->contact_restitution[contact] : 0;
  const double least = -gap_of(d, contact) / m->opt.timestep;
  const double after = (e > 0 ? -e * a.speed : least) - shift;
  const double *u = d->contact_velocity + 5 * contact;
  const double *mu = d->contact_friction + 5 * contact, *vel = d->efc_vel + a.row;
  double *aref = d->efc_aref + a.row;
  if (!a.pyramid) {
    aref[0] = after - vel[0];
  }
  for (int32_t k = 0; k < a.dim - 1; k++) {
    if (a.pyramid) {
      aref[2 * k] = after + mu[k] * u[k] - vel[2 * k];
      aref[2 * k + 1] = after - mu[k] * u[k] - vel[2 * k + 1];
    } else {
      aref[1 + k] = u[k] - vel[1 + k];
    }
  }
}

static void refer_rows(sn_data *d) {
  for (int64_t i = 0; i < d->nefc; i++) {
    d->efc_aref[i] = d->efc_velref[i] - d->efc_vel[i];
    d->efc_R[i] *= softness;
    d->efc_D[i] /= softness;
    d->efc_frictionloss[i] = 0;
  }
}

// qacc = v+ - v. A fixed point: the shifts follow from the solution, until they stay. A solver of
// Coulomb's law needs none for its cones, which are not pyramids.
static sn_status solve_impact(const sn_model *m, sn_data *d, si_worker *w) {
  enum { MOST = 50 };
  static const double enough = 1e-6;   // m/s
  const sn_solver_ops *solver = m->bound.solver->ops;
  const int exact = solver->head.flags & SN_SOLVER_COULOMB && m->opt.cone != SN_CONE_PYRAMIDAL;
  double *shift = si_arena_reals(&w->scratch, d->ncon);
  double *change = si_arena_reals(&w->scratch, d->nefc), moved = INFINITY;
  memset(shift, 0, (size_t)d->ncon * sizeof *shift);
  for (int k = 0; k < MOST && moved > enough; k++) {
    for (int64_t i = 0; i < d->ncon; i++) {
      if (d->contact_efc_address[i] >= 0) {
        refer_contact(m, d, i, shift[i]);
      }
    }
    SN_TRY(si_solve(m, d, w));
    si_constraint_multiply(d, d->qacc, change);
    moved = 0;
    for (int64_t i = 0; i < d->ncon && !exact; i++) {
      if (d->contact_efc_address[i] >= 0 && d->contact_dim[i] > 1) {
        const double next = dilation(m, d, i, change);
        moved = fmax(moved, fabs(next - shift[i]));
        shift[i] = next;
      }
    }
  }
  return SN_OK;
}

static double *keep(si_worker *w, const double *x, int64_t n) {
  double *copy = si_arena_reals(&w->scratch, n);
  memcpy(copy, x, (size_t)n * sizeof *copy);
  return copy;
}

sn_status si_impact(const sn_model *m, sn_data *d, si_worker *w) {
  if (!any_impact(m, d)) {
    return SN_OK;
  }
  const size_t rows = (size_t)d->nefc * sizeof(double), dofs = (size_t)m->nv * sizeof(double);
  si_mark mark = si_arena_mark(&w->scratch);
  const double *R = keep(w, d->efc_R, d->nefc), *D = keep(w, d->efc_D, d->nefc);
  const double *loss = keep(w, d->efc_frictionloss, d->nefc);
  const double *start = keep(w, d->qacc_warmstart, m->nv);
  memset(d->qacc_warmstart, 0, dofs);
  memset(d->qacc_smooth, 0, dofs);
  memset(d->qfrc_smooth, 0, dofs);
  refer_rows(d);
  sn_status status;
  SI_TIMED(w, solve, status = solve_impact(m, d, w));
  for (int64_t i = 0; i < m->nv && status >= 0; i++) {
    d->qvel[i] += d->qacc[i];
  }
  memcpy(d->efc_R, R, rows);
  memcpy(d->efc_D, D, rows);
  memcpy(d->efc_frictionloss, loss, rows);
  memcpy(d->qacc_warmstart, start, dofs);
  si_arena_release(&w->scratch, mark);
  return status;
}
