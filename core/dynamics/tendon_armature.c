// SPDX-License-Identifier: Apache-2.0
//
// Armature of tendons: a tendon with armature a and length l(q) has the kinetic energy a l'^2 / 2.
// With l' = J qvel, Lagrange's equations add to M qacc + c
//
//   J' a l'',   l'' = J qacc + b,   b = (dJ/dt) qvel
//
// so M += a J'J, and c += a J' b. For fixed tendons b = 0. Of a spatial tendon l'' is the sum of
// those of its parts, from velocities v and accelerations a of points of the bodies: of a straight
// part along u, with d the difference between its ends,
//
//   u' d(a) + (d(v)^2 - (u' d(v))^2) / length
//
// and wrap_rate.c has the wrapped ones, seen from their geom. What is common to all bodies, as
// the upward acceleration of rne.c, has no effect.

#include "dynamics/tendon_armature.h"

#include "dynamics/chain.h"
#include "dynamics/dynamics.h"
#include "dynamics/wrap.h"
#include "sinew/numerics/tree.h"

// ------------------------------------------------------------------ M

// Into the row of M of the last dof of J: it runs from that dof to the root, and the columns of J
// ascend.
static int add_row(const sn_model *m, sn_data *d, double armature, sn_sparse_row J) {
  int32_t k = J.n - 1;
  const double scale = armature * J.val[k];
  double *entry = d->qM + m->dof_Madr[J.col[k]];
  for (int32_t i = J.col[k]; i >= 0 && k >= 0; i = m->inertia_parent[i], entry++) {
    if (i == J.col[k]) {
      *entry += scale * J.val[k--];
    }
  }
  return k < 0;
}

void si_dyn_tendon_inertia(const sn_model *m, sn_data *d, si_worker *w) {
  for (int64_t t = 0; t < m->ntendon; t++) {
    const double armature = m->tendon_armature[t];
    int placed = 1;
    for (sn_sparse_row J = si_tendon_row(d, t); J.n > 0 && armature != 0; J.n--) {
      placed &= add_row(m, d, armature, J);
    }
    if (!placed) {
      si_worker_warn(w, SN_WARN_INERTIA,
                     "tendon %lld '%s' got its armature after the model was compiled, and couples "
                     "different branches; set it in the spec and compile that",
                     (long long)t, sn_name(m, "tendon", (int32_t)t));
    }
  }
}

// ------------------------------------------------------------------ the second derivative

static double straight(const si_moving_point *p, const si_moving_point *q) {
  double u[3], v[3], a[3];
  sn_sub3(u, q->x, p->x);
  sn_sub3(v, q->v, p->v);
  sn_sub3(a, q->a, p->a);
  const double length = sn_normalize3(u), rate = sn_dot3(u, v);
  return p->body == q->body || length < SN_TINY
             ? 0
             : sn_dot3(u, a) + (sn_dot3(v, v) - rate * rate) / length;
}

// Velocity and acceleration of a point as a geom sees them, in the axes of the plane of a path.
static void seen_from(const sn_model *m, const sn_data *d, const si_motion *of, int32_t geom,
                      const double *axes, const si_moving_point *p, double *v, double *a) {
  const int32_t body = m->geom_bodyid[geom];
  const si_moving_point carried = si_moving_point_at(m, d, of, body, p->x);
  double turn[3];
  sn_sub3(v, p->v, carried.v);
  sn_sub3(a, p->a, carried.a);
  sn_cross(turn, of->vel + 6 * body, v);
  sn_addscale3(a, a, -2, turn);
  sn_mul_matT_vec3(v, d->geom_xmat + 9 * geom, v);
  sn_mul_matT_vec3(a, d->geom_xmat + 9 * geom, a);
  sn_mul_mat_vec3(v, axes, v);
  sn_mul_mat_vec3(a, axes, a);
}

static si_moving_point site_point(const sn_model *m, const sn_data *d, const si_motion *of,
                                  int32_t site) {
  return si_moving_point_at(m, d, of, m->site_bodyid[site], d->site_xpos + 3 * site);
}

// Between the sites of elements e and e + 2, around the geom of e + 1.
static double wrapped(const sn_model *m, const sn_data *d, const si_motion *of, int32_t e) {
  const si_moving_point p = site_point(m, d, of, m->wrap_objid[e]);
  const si_moving_point q = site_point(m, d, of, m->wrap_objid[e + 2]);
  const int32_t geom = m->wrap_objid[e + 1], side = (int32_t)m->wrap_prm[e + 1];
  const int32_t type = m->wrap_type[e + 1];
  const double radius = m->geom_size[3 * geom];
  si_plane_path path;
  if (!si_wrap_plane(type, p.x, q.x, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom, radius,
                     side >= 0 ? d->site_xpos + 3 * side : NULL, &path)) {
    return straight(&p, &q);
  }
  double v0[3], a0[3], v1[3], a1[3];
  seen_from(m, d, of, geom, path.axes, &p, v0, a0);
  seen_from(m, d, of, geom, path.axes, &q, v1, a1);
  return si_wrap_acceleration(type, &path, radius, v0, a0, v1, a1);
}

double si_tendon_acceleration(const sn_model *m, const sn_data *d, int64_t t, const si_motion *of) {
  const int32_t end = m->tendon_adr[t] + m->tendon_num[t];
  double sum = 0, scale = 1;
  for (int32_t e = m->tendon_adr[t]; e < end; e++) {
    const int32_t next = e + 1 < end ? m->wrap_type[e + 1] : SN_WRAP_NONE;
    if (m->wrap_type[e] == SN_WRAP_PULLEY) {
      scale = 1 / m->wrap_prm[e];
    } else if (m->wrap_type[e] != SN_WRAP_SITE) {
      continue;   // a geom, between two sites
    } else if (next == SN_WRAP_SPHERE || next == SN_WRAP_CYLINDER) {
      sum += scale * wrapped(m, d, of, e);
    } else if (next == SN_WRAP_SITE) {
      const si_moving_point p = site_point(m, d, of, m->wrap_objid[e]);
      const si_moving_point q = site_point(m, d, of, m->wrap_objid[e + 1]);
      sum += scale * straight(&p, &q);
    }
  }
  return sum;
}

// ------------------------------------------------------------------ bias

void si_dyn_tendon_bias(const sn_model *m, const sn_data *d, const double *acc, const double *qacc,
                        double *out) {
  const si_motion of = { d->cvel, acc };
  for (int64_t t = 0; t < m->ntendon; t++) {
    const sn_sparse_row J = si_tendon_row(d, t);
    const int fixed = m->wrap_type[m->tendon_adr[t]] == SN_WRAP_JOINT;
    if (m->tendon_armature[t] == 0) {
      continue;
    }
    const double acceleration = !fixed ? si_tendon_acceleration(m, d, t, &of)
                                : qacc ? sn_row_dot(J, qacc)
                                       : 0;
    sn_row_add(J, m->tendon_armature[t] * acceleration, out);
  }
}

// ------------------------------------------------------------------ its derivative

// b is linear in accelerations and quadratic in velocities, so half the difference between its
// values with the motion of dof k added and taken away is its derivative with respect to qvel_k.
// That motion moves the bodies after k by S_k and accelerates them by u_k + S_k x v, derivative.c.
static double slope(const sn_model *m, const sn_data *d, int64_t t, int32_t k, const double *rates,
                    double *vel, double *acc) {
  double side[2];
  for (int i = 0; i < 2; i++) {
    const double sign = i ? -1 : 1;
    memset(acc, 0, 6 * (size_t)m->nbody * sizeof(double));
    memcpy(vel, d->cvel, 6 * (size_t)m->nbody * sizeof(double));
    for (int32_t b = m->dof_bodyid[k]; b < (int32_t)m->nbody; b++) {
      double turn[6];
      if (!sn_tree_is_ancestor(m->dof_parentid, k, si_chain_tip(m, b))) {
        continue;
      }
      sn_cross_motion(turn, d->cdof + 6 * k, d->cvel + 6 * b);
      sn_addscale6(vel + 6 * b, vel + 6 * b, sign, d->cdof + 6 * k);
      sn_addscale6(acc + 6 * b, rates + 6 * k, 1, turn);
      sn_scale3(acc + 6 * b, acc + 6 * b, sign);
      sn_scale3(acc + 6 * b + 3, acc + 6 * b + 3, sign);
    }
    const si_motion of = { vel, acc };
    side[i] = si_tendon_acceleration(m, d, t, &of);
  }
  return 0.5 * (side[0] - side[1]);
}

void si_derive_tendon_bias(const sn_model *m, const sn_data *d, si_worker *w, const double *rates,
                           sn_unsymmetric D) {
  si_mark mark = si_arena_mark(&w->scratch);
  double *vel = si_arena_reals(&w->scratch, 6 * m->nbody);
  double *acc = si_arena_reals(&w->scratch, 6 * m->nbody);
  double *db = si_arena_reals(&w->scratch, m->nv);
  for (int64_t t = 0; t < m->ntendon; t++) {
    const sn_sparse_row J = si_tendon_row(d, t);
    const double armature = m->tendon_armature[t];
    if (armature == 0 || m->wrap_type[m->tendon_adr[t]] == SN_WRAP_JOINT) {
      continue;
    }
    for (int32_t k = 0; k < J.n; k++) {
      db[k] = armature * slope(m, d, t, J.col[k], rates, vel, acc);
    }
    for (int32_t k = J.n - 1, p = k; k >= 0; p = --k) {
      const int32_t dof = J.col[k];
      double *low = D.lower + m->dof_Madr[dof], *up = D.upper + m->dof_Madr[dof];
      for (int32_t i = dof; i >= 0 && p >= 0; i = m->inertia_parent[i], low++, up++) {
        if (i == J.col[p]) {
          *low -= J.val[k] * db[p];
          *up -= J.val[p] * db[k];
          p--;
        }
      }
    }
  }
  si_arena_release(&w->scratch, mark);
}
