// SPDX-License-Identifier: Apache-2.0
//
// Tendons and moment arms of actuators in lanes: core/dynamics/tendon.c, transmission.c. Whether a
// path is straight or wraps a geom differs from one simulation to the next; then both are computed,
// and each simulation gets what it needs. A part of smooth_loops.h.

#include "dynamics/chain.h"
#include "dynamics/pattern.h"
#include "dynamics/wrap.h"
#include "lanes/state.h"

typedef struct lane_arc {
  si_lane first[2], last[2], length, turn;
} lane_arc;
#define ARC lane_arc
#include "dynamics/wrap_loops.h"

typedef struct lane_row {
  int32_t n;
  const int32_t *col;
  si_lane *val;
} lane_row;

SI_INLINE lane_row row_at(const int32_t *nnz, const int32_t *adr, const int32_t *col, si_lane *val,
                          int64_t i) {
  return (lane_row){ nnz[i], col + adr[i], val + adr[i] };
}

SI_INLINE void wrench_of(const si_lanes *l, si_lane *out, int32_t body, const si_lane *point,
                         const si_lane *force) {
  si_lane arm[3];
  lane_sub3(arm, point, l->subtree_com + 3 * l->m->body_rootid[body]);
  lane_cross(out, arm, force);
  lane_copy(out + 3, force, 3);
}

// Adds a straight segment to the row, in the simulations of the mask; returns its length.
static si_lane add_segment(const si_lanes *l, const lane_row *r, si_lane_mask mask, si_lane scale,
                           const si_lane *p1, int32_t body1, const si_lane *p2, int32_t body2) {
  si_lane u[3], wrench1[6], wrench2[6];
  lane_sub3(u, p2, p1);
  const si_lane length = lane_normalize3(u);
  if (body1 == body2) {
    return length;
  }
  lane_scale3(u, u, scale);
  wrench_of(l, wrench2, body2, p2, u);
  lane_scale3(u, u, lane_all(-1));
  wrench_of(l, wrench1, body1, p1, u);
  si_chains chains = si_chains_of(l->m, body1, body2);
  int32_t dof, k = r->n;
  int moves;
  while ((dof = si_chains_apart(l->m, &chains, &moves)) >= 0) {
    do {
      k--;
    } while (r->col[k] != dof);
    const si_lane rate = lane_dot6(l->cdof + 6 * dof, moves == SI_MOVES_1 ? wrench1 : wrench2);
    r->val[k] = lane_select(mask, r->val[k] + rate, r->val[k]);
  }
  return length;
}

SI_INLINE void one_of(double *out, const si_lane *x, int n, int lane) {
  for (int i = 0; i < n; i++) {
    out[i] = x[i][lane];
  }
}

// Around a geom in one simulation: si_wrap.
SI_INLINE void wrap_alone(const si_lanes *l, int32_t e, int lane, const si_lane *x0,
                          const si_lane *x1, si_lane *length, si_lane *first, si_lane *last) {
  const sn_model *m = l->m;
  const int32_t g = m->wrap_objid[e], side = (int32_t)m->wrap_prm[e];
  double begin[3], end[3], pos[3], mat[9], at[3], t0[3] = { 0 }, t1[3] = { 0 };
  one_of(begin, x0, 3, lane);
  one_of(end, x1, 3, lane);
  one_of(pos, l->geom_xpos + 3 * g, 3, lane);
  one_of(mat, l->geom_xmat + 9 * g, 9, lane);
  one_of(at, l->site_xpos + 3 * (side >= 0 ? side : 0), 3, lane);
  (*length)[lane] = si_wrap(m->wrap_type[e], begin, end, pos, mat,
                            l->numbers.geom_size[3 * g][lane], side >= 0 ? at : NULL, t0, t1);
  for (int i = 0; i < 3; i++) {
    first[i][lane] = t0[i];
    last[i][lane] = t1[i];
  }
}

// Around a geom, as si_wrap; paths through it, and those of a sphere without a plane of their own,
// one by one. Returns the lengths; negative: straight.
static si_lane wrap(const si_lanes *l, int32_t e, const si_lane *x0, const si_lane *x1,
                    si_lane *first, si_lane *last) {
  const sn_model *m = l->m;
  const int32_t g = m->wrap_objid[e], side = (int32_t)m->wrap_prm[e];
  const si_lane *pos = l->geom_xpos + 3 * g, *mat = l->geom_xmat + 9 * g;
  const si_lane r = l->numbers.geom_size[3 * g], square = r * r;
  const int is_sphere = m->wrap_type[e] == SN_WRAP_SPHERE;
  si_lane q0[3], q1[3], qs[3], axes[9], length = lane_all(-1);
  si_lane_mask alone = { 0 };
  to_local(q0, x0, pos, mat);
  to_local(q1, x1, pos, mat);
  to_local(qs, l->site_xpos + 3 * (side >= 0 ? side : 0), pos, mat);
  if (is_sphere) {
    alone = plane_of(axes, q0, q1);
    lane_mul_mat_vec3(q0, axes, q0);
    lane_mul_mat_vec3(q1, axes, q1);
    lane_mul_mat_vec3(qs, axes, qs);
  }
  if (side >= 0) {
    alone |= dot2(qs, qs) < square;
  }
  lane_arc arc = { 0 };
  const si_lane_mask outside = ~(dot2(q0, q0) < square) & ~(dot2(q1, q1) < square);
  const si_lane_mask bent = wrap_around(outside & ~alone, &arc, q0, q1, r, side >= 0 ? qs : NULL);
  if (lane_any(bent)) {
    const si_lane curved = to_space(&arc, is_sphere ? axes : NULL, q0, q1, pos, mat, first, last);
    length = lane_select(bent, curved, length);
  }
  for (int w = 0; w < SI_LANES && lane_any(alone); w++) {
    if (alone[w]) {
      wrap_alone(l, e, w, x0, x1, &length, first, last);
    }
  }
  return length;
}

static si_lane add_wrapped(const si_lanes *l, const lane_row *r, si_lane scale, int32_t e) {
  const sn_model *m = l->m;
  const int32_t s0 = m->wrap_objid[e], s1 = m->wrap_objid[e + 2];
  const int32_t body0 = m->site_bodyid[s0], body1 = m->site_bodyid[s1];
  const int32_t body = m->geom_bodyid[m->wrap_objid[e + 1]];
  const si_lane *x0 = l->site_xpos + 3 * s0, *x1 = l->site_xpos + 3 * s1;
  si_lane first[3] = { 0 }, last[3] = { 0 }, length = wrap(l, e + 1, x0, x1, first, last);
  const si_lane_mask straight = length < (si_lane){ 0 };
  const uint32_t bits = lane_bits(straight);
  if (bits != (1u << SI_LANES) - 1) {
    length += add_segment(l, r, ~straight, scale, x0, body0, first, body);
    length = length + add_segment(l, r, ~straight, scale, last, body, x1, body1);
  }
  return bits ? lane_select(straight, add_segment(l, r, straight, scale, x0, body0, x1, body1),
                            length)
              : length;
}

static si_lane spatial_length(const si_lanes *l, int32_t begin, int32_t end, const lane_row *r) {
  const sn_model *m = l->m;
  const si_lane_mask all = { -1, -1, -1, -1 };
  si_lane length = { 0 };
  si_lane scale = lane_all(1);   // 1 / divisor of the branch
  for (int32_t e = begin; e < end; e++) {
    const int32_t next = e + 1 < end ? m->wrap_type[e + 1] : SN_WRAP_NONE;
    if (m->wrap_type[e] == SN_WRAP_PULLEY) {
      scale = 1 / l->numbers.wrap_prm[e];
    } else if (next == SN_WRAP_SPHERE || next == SN_WRAP_CYLINDER) {
      length += scale * add_wrapped(l, r, scale, e);
      e++;
    } else if (next == SN_WRAP_SITE) {
      const int32_t s0 = m->wrap_objid[e], s1 = m->wrap_objid[e + 1];
      length += scale * add_segment(l, r, all, scale, l->site_xpos + 3 * s0, m->site_bodyid[s0],
                                    l->site_xpos + 3 * s1, m->site_bodyid[s1]);
    }
  }
  return length;
}

static si_lane fixed_length(const si_lanes *l, int32_t begin, int32_t end, const lane_row *r) {
  const sn_model *m = l->m;
  si_lane length = { 0 };
  for (int32_t e = begin; e < end; e++) {
    const int32_t j = m->wrap_objid[e];
    int32_t k = 0;
    while (r->col[k] != m->jnt_dofadr[j]) {
      k++;
    }
    r->val[k] += l->numbers.wrap_prm[e];
    length += l->numbers.wrap_prm[e] * l->qpos[m->jnt_qposadr[j]];
  }
  return length;
}

static void tendons(si_lanes *l) {
  const sn_model *m = l->m;
  lane_zero(l->ten_J, (int)m->bound.patterns->tendon.n);
  for (int64_t t = 0; t < m->ntendon; t++) {
    const int32_t begin = m->tendon_adr[t], end = begin + m->tendon_num[t];
    const lane_row r = row_at(l->ten_J_rownnz, l->ten_J_rowadr, l->ten_J_colind, l->ten_J, t);
    l->ten_length[t] = m->wrap_type[begin] == SN_WRAP_JOINT ? fixed_length(l, begin, end, &r)
                                                            : spatial_length(l, begin, end, &r);
  }
}

// ------------------------------------------------------------------ actuators

static void transmissions(si_lanes *l) {
  const sn_model *m = l->m;
  for (int64_t i = 0; i < m->nu; i++) {
    const lane_row r = row_at(l->actuator_moment_rownnz, l->actuator_moment_rowadr,
                              l->actuator_moment_colind, l->actuator_moment, i);
    const int32_t id = m->actuator_trnid[2 * i];
    const si_lane gear = l->numbers.actuator_gear[6 * i];
    if (m->actuator_trntype[i] == SN_TRN_TENDON) {
      const si_lane *J = l->ten_J + l->ten_J_rowadr[id];
      for (int32_t k = 0; k < r.n; k++) {
        r.val[k] = gear * J[k];
      }
      l->actuator_length[i] = gear * l->ten_length[id];
    } else {
      r.val[0] = gear;
      l->actuator_length[i] = gear * l->qpos[m->jnt_qposadr[id]];
    }
  }
}

SI_INLINE si_lane row_dot(lane_row a, const si_lane *x) {
  si_lane sum = { 0 };
  for (int32_t k = 0; k < a.n; k++) {
    sum += a.val[k] * x[a.col[k]];
  }
  return sum;
}

static void lengthening(si_lanes *l) {
  const sn_model *m = l->m;
  for (int64_t t = 0; t < m->ntendon; t++) {
    l->ten_velocity[t] = row_dot(
        row_at(l->ten_J_rownnz, l->ten_J_rowadr, l->ten_J_colind, l->ten_J, t), l->qvel);
  }
  for (int64_t i = 0; i < m->nu; i++) {
    l->actuator_velocity[i] = row_dot(row_at(l->actuator_moment_rownnz, l->actuator_moment_rowadr,
                                             l->actuator_moment_colind, l->actuator_moment, i),
                                      l->qvel);
  }
}
