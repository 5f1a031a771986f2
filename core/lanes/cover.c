// SPDX-License-Identifier: Apache-2.0
//
// What the lane form covers: models whose smooth dynamics it has, and of these the steps without
// constraint rows. Geoms that may collide are compared by their bounds, as in contact/filter.c.

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

int si_lanes_cover(const sn_model *m) {
  return m->nv > 0 && m->nmocap == 0 && m->neq == 0 && m->nsensorstate == 0 && joints_cover(m) &&
         options_cover(m) && integrator_covers(m) && !has_numbers(m->dof_frictionloss, m->nv) &&
         !has_numbers(m->tendon_frictionloss, m->ntendon) &&
         !has_numbers(m->tendon_armature, m->ntendon) && !si_model_is_recursive(m) &&
         si_lane_forces_cover(m) && si_lane_count_pairs(m, NULL) <= MOST_PAIRS;
}

// ------------------------------------------------------------------ pairs

// A pair whose bounds cannot be compared counts as too many.
static void add_pair(const sn_model *m, int32_t g1, int32_t g2, int32_t pair, si_lane_pair *out,
                     int64_t *n) {
  const int swap = m->geom_type[g2] == SN_GEOM_PLANE;
  const int32_t a = swap ? g2 : g1, b = swap ? g1 : g2;
  const double r1 = m->geom_rbound[a], r2 = m->geom_rbound[b];
  const int is_plane = m->geom_type[a] == SN_GEOM_PLANE;
  if (out) {
    out[*n] = (si_lane_pair){ .geom1 = a,
                              .geom2 = b,
                              .is_plane = is_plane,
                              .reach = (is_plane ? 0 : r1) + r2 + si_mix_reach(m, g1, g2, pair) };
  }
  *n += (r1 > 0 || is_plane) && r2 > 0 ? 1 : MOST_PAIRS + 1;
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

static si_lane_mask are_apart(const si_lanes *l, const si_lane_pair *p) {
  const double reach = p->reach, slack = si_bounds_slack;
  si_lane to[3];
  lane_sub3(to, l->geom_xpos + 3 * (int64_t)p->geom2, l->geom_xpos + 3 * (int64_t)p->geom1);
  if (p->is_plane) {
    const si_lane *mat = l->geom_xmat + 9 * (int64_t)p->geom1;
    const si_lane normal[3] = { mat[2], mat[5], mat[8] };
    return lane_dot3(to, normal) > lane_all(reach + slack * fabs(reach));
  }
  return lane_dot3(to, to) > lane_all(reach < 0 ? -1 : reach * reach * (1 + slack));
}

// ------------------------------------------------------------------ a step

static si_lane_mask is_between(si_lane x, const double *range, double margin) {
  return (x - range[0] >= lane_all(margin)) & (-1 * (x - range[1]) >= lane_all(margin));
}

void si_lane_check_position(si_lanes *l) {
  const sn_model *m = l->m;
  const int limits = !(m->opt.disableflags & (SN_DISABLE_CONSTRAINT | SN_DISABLE_LIMIT));
  for (int64_t j = 0; j < m->njnt && limits; j++) {
    if (m->jnt_limited[j]) {
      l->covered &= is_between(l->qpos[m->jnt_qposadr[j]], m->jnt_range + 2 * j, m->jnt_margin[j]);
    }
  }
  for (int64_t t = 0; t < m->ntendon && limits; t++) {
    if (m->tendon_limited[t]) {
      l->covered &= is_between(l->ten_length[t], m->tendon_range + 2 * t, m->tendon_margin[t]);
    }
  }
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
