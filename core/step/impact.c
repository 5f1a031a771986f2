// SPDX-License-Identifier: Apache-2.0
//
// Impacts. Where a contact with restitution e closes faster than the option bouncespeed, or a
// speculative contact would close within the step, the velocity changes in an instant, at the start
// of the step, by impulses f of all constraints:
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
//
// A body that hits with a corner turns, and where it turns far within a step its center could pass
// the surface while the velocity of the corner does not. Then the contact acts on the centers.
//
// Newton's law can make energy, where friction or several contacts turn a body (Stronge, Rigid body
// collisions with friction, Proceedings of the Royal Society A 431, 1990), and so can a solver that
// does not converge. Then the impact is the mixture of it and the inelastic one that keeps the
// energy: both satisfy the conditions of contacts and friction, which are convex.

#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "contact/contact.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"
#include "sinew/numerics/tree.h"
#include "step/pipeline.h"

static const double softness = 1e-6;   // of the rows of an impact, relative to those of the step

// Positive: the geoms are apart, and the contact looks ahead.
static double gap_of(const sn_data *d, int64_t contact) {
  return fmax(0, d->contact_dist[contact] - d->contact_includemargin[contact]);
}

// The velocity at which the geoms of a contact may still move after an impact, without a bounce:
// they come most of the way in this step. With the whole way, rounding would decide whether they
// overlap after it.
static double limit_of(const sn_model *m, const sn_data *d, int64_t contact) {
  static const double most = 0.9;
  const double gap = gap_of(d, contact);
  return gap > 0 ? -most * gap / m->opt.timestep - m->opt.bouncespeed : 0;
}

static int is_speculative(const sn_model *m, const sn_data *d, int64_t contact) {
  return gap_of(d, contact) > 0 ||
         si_mix_speculative(m, d->contact_geom1[contact], d->contact_geom2[contact]) > 0;
}

static int bounces(const sn_model *m, const sn_data *d, int64_t contact, double speed) {
  return d->contact_restitution[contact] > 0 && speed < -m->opt.bouncespeed &&
         gap_of(d, contact) + m->opt.timestep * speed <= 0;
}

static int stops(const sn_model *m, const sn_data *d, int64_t contact, double speed) {
  return gap_of(d, contact) > 0 && d->contact_restitution[contact] == 0 &&
         speed < limit_of(m, d, contact);
}

// The row of the speed of the centers of mass, as si_contact_centers. *least: the speed with which
// they pass half of the way to the surface. Returns whether the velocity is beyond it.
static int centers_pass(const sn_model *m, sn_data *d, si_worker *w, int64_t contact, double *shift,
                        double *least) {
  const int32_t *col = d->efc_J_colind + d->efc_J_rowadr[d->contact_efc_address[contact]];
  double height, speed = si_contact_approach(m, d, contact).speed;
  const int32_t n = si_contact_centers(m, d, w, contact, shift, &height);
  for (int32_t k = 0; k < n; k++) {
    speed += shift[k] * d->qvel[col[k]];
  }
  const double way = d->contact_dist[contact] - d->contact_includemargin[contact] + 0.5 * height;
  *least = fmin(0, -way / m->opt.timestep);
  return height > 0 && speed < fmin(*least, -m->opt.bouncespeed);
}

static int begins(const sn_model *m, sn_data *d, si_worker *w, int64_t contact) {
  const double speed = si_contact_approach(m, d, contact).speed;
  if (bounces(m, d, contact, speed) || stops(m, d, contact, speed)) {
    return 1;
  }
  const si_mark mark = si_arena_mark(&w->scratch);
  double least, *shift = si_arena_reals(&w->scratch, m->nv);
  const int passes = is_speculative(m, d, contact) && centers_pass(m, d, w, contact, shift, &least);
  si_arena_release(&w->scratch, mark);
  return passes;
}

// Islands with an impact; the others keep their velocity. NULL: there is none.
static const int32_t *find_impacts(const sn_model *m, sn_data *d, si_worker *w) {
  int32_t *hit = si_arena_ints(&w->scratch, d->nisland);
  int known = 0, any = 0;
  memset(hit, 0, (size_t)d->nisland * sizeof *hit);
  for (int64_t i = 0; i < d->ncon; i++) {
    const int32_t row = d->contact_efc_address[i];
    if (row < 0 || d->efc_island[row] < 0 || hit[d->efc_island[row]] ||
        (d->contact_restitution[i] == 0 && !is_speculative(m, d, i))) {
      continue;
    }
    if (!known) {
      si_constraint_multiply(d, d->qvel, d->efc_vel);
      known = 1;
    }
    any |= hit[d->efc_island[row]] = begins(m, d, w, i);
  }
  return any ? hit : NULL;
}

static const double acting_at_point = 1;

// hit: of islands. center: for each contact that acts on the centers of mass, the least speed of
// these after the impact; acting_at_point for the others. J: as it was; NULL: it was not changed.
typedef struct impact {
  const int32_t *hit;
  double *center;
  const double *J;
} impact;

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
static void refer_contact(const sn_model *m, sn_data *d, int64_t contact, double least,
                          double shift) {
  const si_approach a = si_contact_approach(m, d, contact);
  const double after = least - shift;
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

// The least speed along the normal after the impact.
static double least_after(const sn_model *m, const sn_data *d, const impact *x, int64_t contact,
                          int elastic) {
  const double speed = si_contact_approach(m, d, contact).speed;
  if (x->center[contact] <= 0) {
    return x->center[contact];
  }
  return elastic && bounces(m, d, contact, speed) ? -d->contact_restitution[contact] * speed
                                                  : limit_of(m, d, contact);
}

// qacc = v+ - v. A fixed point: the shifts follow from the solution, until they stay. A solver of
// Coulomb's law needs none for its cones, which are not pyramids.
static sn_status solve_impact(const sn_model *m, sn_data *d, si_worker *w, const impact *x,
                              int elastic) {
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
        refer_contact(m, d, i, least_after(m, d, x, i, elastic), shift[i]);
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

// Islands without an impact keep their velocity.
static void stay(const sn_data *d, const int32_t *hit) {
  for (int64_t k = 0; k < d->nisland; k++) {
    for (int32_t i = 0; i < d->island[k].ndof && !hit[k]; i++) {
      d->qacc[d->island[k].dof[i]] = 0;
    }
  }
}

// ------------------------------------------------------------------ centers of mass

// Lets a contact act on the centers of mass if these pass.
static int center(const sn_model *m, sn_data *d, si_worker *w, impact *x, int64_t contact) {
  const si_mark mark = si_arena_mark(&w->scratch);
  double least, *shift = si_arena_reals(&w->scratch, m->nv);
  const int passes = centers_pass(m, d, w, contact, shift, &least);
  const si_approach a = si_contact_approach(m, d, contact);
  for (int32_t i = a.row; i < a.end && passes; i++) {
    for (int32_t k = 0; k < d->efc_J_rownnz[i]; k++) {
      d->efc_J[d->efc_J_rowadr[i] + k] += shift[k];
    }
  }
  x->center[contact] = passes ? least : acting_at_point;
  si_arena_release(&w->scratch, mark);
  return passes;
}

// By the velocities after the impact. Returns whether any contact changed.
static int center_contacts(const sn_model *m, sn_data *d, si_worker *w, impact *x) {
  int any = 0;
  const double *before = keep(w, d->qvel, m->nv), *J = x->J ? x->J : keep(w, d->efc_J, d->nJ);
  for (int64_t i = 0; i < m->nv; i++) {
    d->qvel[i] += d->qacc[i];
  }
  si_constraint_multiply(d, d->qvel, d->efc_vel);
  for (int64_t i = 0; i < d->ncon; i++) {
    const int32_t row = d->contact_efc_address[i];
    if (row >= 0 && d->efc_island[row] >= 0 && x->hit[d->efc_island[row]] && x->center[i] > 0 &&
        is_speculative(m, d, i)) {
      any |= center(m, d, w, x, i);
    }
  }
  memcpy(d->qvel, before, (size_t)m->nv * sizeof *before);
  x->J = any ? J : x->J;
  si_constraint_multiply(d, d->qvel, d->efc_vel);
  return any;
}

// ------------------------------------------------------------------ energy

// Of an island: the change x of the velocity adds a + b to the kinetic energy, and t x adds
// a t + b t^2. is_driven: surfaces or constraints that move may do work.
typedef struct work {
  double a, b;
  int is_driven;
} work;

// M couples no dofs of two islands.
static work *works_of(const sn_model *m, const sn_data *d, si_worker *w, const double *velocity,
                      const double *x) {
  const sn_inertia inertia = si_inertia_view(m, d);
  double *Mx = si_arena_reals(&w->scratch, m->nv);
  work *out = si_arena_take(&w->scratch, d->nisland * (int64_t)sizeof *out, 64);
  sn_tree_multiply(&inertia, x, Mx);
  for (int64_t k = 0; k < d->nisland; k++) {
    const si_island *island = &d->island[k];
    out[k] = (work){ 0 };
    for (int32_t i = 0; i < island->ndof; i++) {
      const int32_t dof = island->dof[i];
      out[k].a += velocity[dof] * Mx[dof];
      out[k].b += 0.5 * x[dof] * Mx[dof];
    }
    for (int32_t i = 0; i < island->nrow; i++) {
      out[k].is_driven |= d->efc_velref[island->row[i]] != 0;
    }
  }
  for (int64_t i = 0; i < d->ncon; i++) {
    const int32_t row = d->contact_efc_address[i], k = row < 0 ? -1 : d->efc_island[row];
    for (int32_t j = 0; j < 5 && k >= 0; j++) {
      out[k].is_driven |= d->contact_velocity[5 * i + j] != 0;
    }
  }
  return out;
}

static int adds_energy(const work *k) {
  static const double rounding = 1e-6;   // of the energy that is exchanged
  return !k->is_driven && k->a + k->b > rounding * k->b;
}

static int any_adds_energy(const sn_data *d, const work *of) {
  int any = 0;
  for (int64_t k = 0; k < d->nisland; k++) {
    any |= adds_energy(&of[k]);
  }
  return any;
}

// The largest t from 0 to 1 with c + a t + b t^2 <= 0, where c <= 0 and a + b + c > 0.
static double largest_part(double a, double b, double c) {
  const double root = sqrt(fmax(0, a * a - 4 * b * c));
  return sn_clamp(a > 0 ? -2 * c / (a + root) : (root - a) / (2 * b), 0, 1);
}

// On the dofs of an island, qacc becomes p qacc + t more.
static void mix(sn_data *d, const si_island *island, double p, double t, const double *more) {
  for (int32_t i = 0; i < island->ndof; i++) {
    const int32_t dof = island->dof[i];
    d->qacc[dof] = p * d->qacc[dof] + t * more[dof];
  }
}

// qacc = v+ - v, of impacts that made energy in some islands: there, what keeps it.
static sn_status keep_energy(const sn_model *m, sn_data *d, si_worker *w, const impact *x,
                             const work *elastic) {
  double *more = keep(w, d->qacc, m->nv), *velocity = si_arena_reals(&w->scratch, m->nv);
  memset(d->qacc_warmstart, 0, (size_t)m->nv * sizeof *velocity);
  SN_TRY(solve_impact(m, d, w, x, 0));
  stay(d, x->hit);
  for (int64_t i = 0; i < m->nv; i++) {
    velocity[i] = d->qvel[i] + d->qacc[i];
    more[i] -= d->qacc[i];
  }
  const work *plastic = works_of(m, d, w, d->qvel, d->qacc);
  const work *rest = works_of(m, d, w, velocity, more);
  for (int64_t k = 0; k < d->nisland; k++) {
    const double c = fmin(0, plastic[k].a + plastic[k].b);
    if (!adds_energy(&elastic[k])) {
      mix(d, &d->island[k], 1, 1, more);
    } else if (adds_energy(&plastic[k])) {
      mix(d, &d->island[k], largest_part(plastic[k].a, plastic[k].b, 0), 0, more);
    } else {
      mix(d, &d->island[k], 1, largest_part(rest[k].a, rest[k].b, c), more);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the impact

static sn_status find_change(const sn_model *m, sn_data *d, si_worker *w, impact *x) {
  enum { MOST = 3 };
  int k = 0;
  do {
    memset(d->qacc_warmstart, 0, (size_t)m->nv * sizeof *d->qacc_warmstart);
    SN_TRY(solve_impact(m, d, w, x, 1));
    stay(d, x->hit);
  } while (k++ < MOST && center_contacts(m, d, w, x));
  const work *of = works_of(m, d, w, d->qvel, d->qacc);
  return any_adds_energy(d, of) ? keep_energy(m, d, w, x, of) : SN_OK;
}

sn_status si_impact(const sn_model *m, sn_data *d, si_worker *w) {
  if (d->nisland == 0) {
    return SN_OK;
  }
  const si_mark mark = si_arena_mark(&w->scratch);
  impact x = { .hit = find_impacts(m, d, w) };
  if (!x.hit) {
    si_arena_release(&w->scratch, mark);
    return SN_OK;
  }
  x.center = si_arena_reals(&w->scratch, d->ncon);
  for (int64_t i = 0; i < d->ncon; i++) {
    x.center[i] = acting_at_point;
  }
  const size_t rows = (size_t)d->nefc * sizeof(double), dofs = (size_t)m->nv * sizeof(double);
  const double *R = keep(w, d->efc_R, d->nefc), *D = keep(w, d->efc_D, d->nefc);
  const double *loss = keep(w, d->efc_frictionloss, d->nefc);
  const double *start = keep(w, d->qacc_warmstart, m->nv);
  memset(d->qacc_smooth, 0, dofs);
  memset(d->qfrc_smooth, 0, dofs);
  refer_rows(d);
  sn_status status;
  w->is_impact = 1;
  SI_TIMED(w, solve, status = find_change(m, d, w, &x));
  w->is_impact = 0;
  for (int64_t i = 0; i < m->nv && status >= 0; i++) {
    d->qvel[i] += d->qacc[i];
  }
  if (x.J) {
    memcpy(d->efc_J, x.J, (size_t)d->nJ * sizeof *x.J);
  }
  memcpy(d->efc_R, R, rows);
  memcpy(d->efc_D, D, rows);
  memcpy(d->efc_frictionloss, loss, rows);
  memcpy(d->qacc_warmstart, start, dofs);
  si_arena_release(&w->scratch, mark);
  return status;
}
