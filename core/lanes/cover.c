// SPDX-License-Identifier: Apache-2.0
//
// What the lane form covers: models whose smooth dynamics it has, and of these the steps without
// contacts. Geoms that may collide are compared by their bounds, as in contact/filter.c.

#include <math.h>

#include "contact/collision.h"
#include "dynamics/dynamics.h"
#include "lanes/state.h"
#include "sinew/math.h"

enum { MOST_PAIRS = 256 };   // with more, the comparison costs more than the broad phase

// ------------------------------------------------------------------ models

static int has_numbers(const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    if (x[i] != 0) {
      return 1;
    }
  }
  return 0;
}

static int joints_cover(const sn_model *m) {
  for (int64_t j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] != SN_JOINT_SLIDE && m->jnt_type[j] != SN_JOINT_HINGE) {
      return 0;
    }
  }
  return 1;
}

static int options_cover(const sn_model *m) {
  const int64_t off = SN_DISABLE_PASSIVE | SN_DISABLE_ACTUATION;
  const int64_t on = SN_ENABLE_FWDINV | SN_ENABLE_SLEEP | SN_ENABLE_EXACTEQUALITY;
  return !(m->opt.disableflags & off) && !(m->opt.enableflags & on);
}

static int integrator_covers(const sn_model *m) {
  const sn_integrator_ops *ops = m->bound.integrator->ops;
  const uint32_t uses = ops->uses ? ops->uses(m->bound.integrator->self) : ops->derivatives;
  return ops->head.flags & SN_INTEGRATOR_LANES && !m->bound.integrator_bound &&
         m->nintegratorstate == 0 && !(uses & ~(uint32_t)SN_DERIV_DAMPING);
}

static int numbers_cover(const sn_model *m) {
  return !has_numbers(m->tendon_armature, m->ntendon);
}

int si_lanes_cover(const sn_model *m) {
  return m->nv > 0 && m->nmocap == 0 && m->neq == 0 && m->nsensorstate == 0 && joints_cover(m) &&
         options_cover(m) && integrator_covers(m) && numbers_cover(m) &&
         !si_model_is_recursive(m) && si_lane_forces_cover(m) &&
         si_lane_count_pairs(m, NULL) <= MOST_PAIRS;
}

// ------------------------------------------------------------------ models that vary

static int same_providers(const si_bindings *a, const si_bindings *b) {
  for (int64_t k = 0; k < a->n && a->n == b->n; k++) {
    if (a->at[k].provider != b->at[k].provider) {
      return 0;
    }
  }
  return a->n == b->n;
}

// The side points of paths around geoms, which numbers of the model select.
static int same_sides(const sn_model *a, const sn_model *b) {
  for (int64_t i = 0; i < a->nwrap; i++) {
    const int is_geom = a->wrap_type[i] == SN_WRAP_SPHERE || a->wrap_type[i] == SN_WRAP_CYLINDER;
    if (is_geom && a->wrap_prm[i] != b->wrap_prm[i]) {
      return 0;
    }
  }
  return 1;
}

// Can a variant of a covered model be stepped with it?
static int variant_covers(const sn_model *base, const sn_model *m) {
  return m == base ||
         (m->opt.timestep == base->opt.timestep && numbers_cover(m) &&
          same_providers(&m->bound.passive, &base->bound.passive) && same_sides(base, m));
}

// ------------------------------------------------------------------ pairs

static int has_bounds(const sn_model *m, const si_lane_pair *p) {
  return (m->geom_rbound[p->geom1] > 0 || p->is_plane) && m->geom_rbound[p->geom2] > 0;
}

// A pair whose bounds cannot be compared counts as too many.
static void add_pair(const sn_model *m, int32_t g1, int32_t g2, int32_t pair, si_lane_pair *out,
                     int64_t *n) {
  const int swap = m->geom_type[g2] == SN_GEOM_PLANE;
  const si_lane_pair p = { .geom1 = swap ? g2 : g1,
                           .geom2 = swap ? g1 : g2,
                           .is_plane = swap || m->geom_type[g1] == SN_GEOM_PLANE,
                           .pair = pair };
  if (out) {
    out[*n] = p;
  }
  *n += has_bounds(m, &p) ? 1 : MOST_PAIRS + 1;
}

int64_t si_lane_count_pairs(const sn_model *m, si_lane_pair *out) {
  int64_t n = 0;
  if (m->opt.disableflags & (SN_DISABLE_CONSTRAINT | SN_DISABLE_CONTACT)) {
    return 0;
  }
  for (int32_t i = 0; i < m->npair && m->opt.collision != SN_COLLISION_DYNAMIC; i++) {
    add_pair(m, m->pair_geom1[i], m->pair_geom2[i], i, out, &n);
  }
  for (int32_t i = 0; i < m->ngeom && m->opt.collision != SN_COLLISION_PAIR; i++) {
    for (int32_t k = 0; k < i && n <= MOST_PAIRS; k++) {
      if (si_filter_kinds(m, m->bound.broadphase, k, i)) {
        add_pair(m, k, i, -1, out, &n);
      }
    }
  }
  return n;
}

// What are_apart compares with, as contact/filter.c does.
static double beyond(const sn_model *m, const si_lane_pair *p) {
  const double r1 = p->is_plane ? 0 : m->geom_rbound[p->geom1], r2 = m->geom_rbound[p->geom2];
  const double reach = r1 + r2 + si_mix_reach(m, p->geom1, p->geom2, p->pair);
  const double slack = si_bounds_slack;
  return p->is_plane ? reach + slack * fabs(reach) : (reach < 0 ? -1 : reach * reach * (1 + slack));
}

void si_lane_use_models(si_lanes *l) {
  for (int w = 0; w < SI_LANES; w++) {
    const sn_model *m = l->models[w];
    int usable = variant_covers(l->m, m);
    for (int64_t i = 0; i < l->npair; i++) {
      usable = usable && has_bounds(m, &l->pair[i]);
      l->pair[i].beyond[w] = beyond(m, &l->pair[i]);
    }
    l->usable[w] = usable ? -1 : 0;
    l->damped[w] = has_numbers(m->dof_damping, m->nv) ? -1 : 0;
    l->rubs[w] = has_numbers(m->dof_frictionloss, m->nv) ||
                         has_numbers(m->tendon_frictionloss, m->ntendon)
                     ? -1
                     : 0;
  }
}

static si_lane_mask are_apart(const si_lanes *l, const si_lane_pair *p) {
  si_lane to[3];
  lane_sub3(to, l->geom_xpos + 3 * (int64_t)p->geom2, l->geom_xpos + 3 * (int64_t)p->geom1);
  if (p->is_plane) {
    const si_lane *mat = l->geom_xmat + 9 * (int64_t)p->geom1;
    const si_lane normal[3] = { mat[2], mat[5], mat[8] };
    return lane_dot3(to, normal) > p->beyond;
  }
  return lane_dot3(to, to) > p->beyond;
}

// ------------------------------------------------------------------ a step

static si_lane_mask is_between(si_lane x, const si_lane *range, si_lane margin) {
  return (x - range[0] >= margin) & (-1 * (x - range[1]) >= margin);
}

void si_lane_check_position(si_lanes *l) {
  const sn_model *m = l->m;
  const si_lane_numbers *p = &l->numbers;
  const int limits = !(m->opt.disableflags & (SN_DISABLE_CONSTRAINT | SN_DISABLE_LIMIT));
  si_lane_mask free = ~l->rubs;
  for (int64_t j = 0; j < m->njnt && limits; j++) {
    if (m->jnt_limited[j]) {
      free &= is_between(l->qpos[m->jnt_qposadr[j]], p->jnt_range + 2 * j, p->jnt_margin[j]);
    }
  }
  for (int64_t t = 0; t < m->ntendon && limits; t++) {
    if (m->tendon_limited[t]) {
      free &= is_between(l->ten_length[t], p->tendon_range + 2 * t, p->tendon_margin[t]);
    }
  }
  l->constrained = ~free;
  for (int64_t i = 0; i < l->npair; i++) {
    l->covered &= are_apart(l, &l->pair[i]);
  }
  // a pivot that was too small deserves a warning: dynamics/factor.c
  si_lane_check_numbers(l, l->qLDiagInv, m->nv, 1 / SN_TINY);
}

void si_lane_check_numbers(si_lanes *l, const si_lane *x, int64_t n, double limit) {
  for (int64_t i = 0; i < n; i++) {
    l->covered &= lane_within(x[i], limit);
  }
}
