// SPDX-License-Identifier: Apache-2.0
//
// Candidate pairs of geoms: explicit ones, and those whose bounding spheres are near.
//
//   moving      bounded geoms of bodies that may move. Sweep and prune: their spheres are projected
//               on the principal axis of the covariance of their centers, which spreads them most;
//               sorted by the lower end; each meets only those that begin before it ends
//
//                    |---a---|
//                        |--b--|                a-b, b-c; not a-c
//                              |---c---|   -> axis
//
//   fixed       bounded geoms of bodies that never move: a tree made once (bvh.c) that each moving
//               geom asks
//   unbounded   planes: each meets every moving geom, by the distance to the plane
//
// Nothing is kept from step to step, so the candidates depend on the present positions alone.
// Sorting is O(n log n); memory is linear in geoms and candidates.

#include <stdlib.h>

#include "contact/broadphase.h"

// ------------------------------------------------------------------ made once

// Mocap bodies and what is welded to them may move, although they have no degrees of freedom.
static int is_fixed(const sn_model *m, int32_t body) {
  if (m->body_weldid[body] != 0) {
    return 0;
  }
  for (int32_t b = body; b > 0; b = m->body_parentid[b]) {
    if (m->body_mocapid[b] >= 0) {
      return 0;
    }
  }
  return 1;
}

static void fixed_position(const sn_model *m, int64_t geom, double *pos) {
  double quat[4];
  sn_identity_quat(quat);
  sn_copy3(pos, m->geom_pos + 3 * geom);
  for (int64_t b = m->geom_bodyid[geom]; b > 0; b = m->body_parentid[b]) {
    sn_mul_pose(pos, quat, m->body_pos + 3 * b, m->body_quat + 4 * b, pos, quat);
  }
}

static sn_status fixed_new(const sn_model *m, struct sn_broadphase *b, int32_t n,
                           const int32_t *item, sn_error *error) {
  double *box = calloc(6 * (size_t)n + 1, sizeof *box);
  if (!box) {
    return sn_fail(error, SN_ENOMEM, "no memory for the boxes of %d fixed geoms", (int)n);
  }
  for (int32_t i = 0; i < n; i++) {
    double pos[3];
    fixed_position(m, item[i], pos);
    for (int k = 0; k < 3; k++) {
      // positions are computed in another order than by the kinematics: allow for the rounding
      double reach = m->geom_rbound[item[i]] + fmax(0, m->geom_margin[item[i]]);
      reach += 1e-9 * (reach + fabs(pos[k]) + 1);
      box[6 * (int64_t)i + k] = pos[k] - reach;
      box[6 * (int64_t)i + 3 + k] = pos[k] + reach;
    }
  }
  sn_status status = sn_bvh_new(&b->fixed, n, item, box, error);
  free(box);
  return status;
}

static void shape_new(const sn_model *m, int64_t g, sn_shape *shape) {
  int32_t data = m->geom_dataid[g];
  shape->type = m->geom_type[g];
  shape->id = (int32_t)g;
  sn_copy3(shape->size, m->geom_size + 3 * g);
  if (shape->type == SN_GEOM_MESH && data >= 0) {
    shape->mesh = m->mesh_view + data;
  } else if (shape->type == SN_GEOM_HFIELD && data >= 0) {
    shape->hfield = m->hfield_view + data;
  }
}

// sorts the geoms that the dynamic mechanism may use into the three lists
static sn_status lists_new(const sn_model *m, struct sn_broadphase *b, sn_error *error) {
  int32_t *fixed = calloc((size_t)m->ngeom + 1, sizeof *fixed), nfixed = 0;
  if (!fixed) {
    return sn_fail(error, SN_ENOMEM, "no memory for %lld geoms", (long long)m->ngeom);
  }
  for (int32_t g = 0; g < m->ngeom; g++) {
    shape_new(m, g, &b->shape[g]);
    if (!m->geom_contype[g] && !m->geom_conaffinity[g]) {
      continue;
    }
    if (m->geom_rbound[g] <= 0) {
      b->unbounded[b->nunbounded++] = g;
    } else if (is_fixed(m, m->geom_bodyid[g])) {
      fixed[nfixed++] = g;
    } else {
      b->moving[b->nmoving++] = g;
    }
  }
  sn_status status = fixed_new(m, b, nfixed, fixed, error);
  free(fixed);
  return status;
}

sn_status sn_broadphase_new(const sn_model *m, struct sn_broadphase **out, sn_error *error) {
  *out = NULL;
  struct sn_broadphase *b = calloc(1, sizeof *b);
  size_t n = (size_t)m->ngeom + 1;
  if (b) {
    b->moving = calloc(n, sizeof *b->moving);
    b->unbounded = calloc(n, sizeof *b->unbounded);
    b->shape = calloc(n, sizeof *b->shape);
  }
  if (!b || !b->moving || !b->unbounded || !b->shape) {
    sn_broadphase_free(b);
    return sn_fail(error, SN_ENOMEM, "no memory for the broad phase of %lld geoms",
                   (long long)m->ngeom);
  }
  sn_status status = sn_filter_new(m, b, error);
  if (status >= 0) {
    status = lists_new(m, b, error);
  }
  if (status < 0) {
    sn_broadphase_free(b);
    return status;
  }
  *out = b;
  return SN_OK;
}

void sn_broadphase_free(struct sn_broadphase *b) {
  if (!b) {
    return;
  }
  free(b->moving);
  free(b->unbounded);
  free(b->filter);
  free(b->shape);
  free(b->exclude);
  free(b->paired);
  sn_bvh_free(&b->fixed);
  free(b);
}

// ------------------------------------------------------------------ candidates

void sn_candidates_add(sn_candidates *list, sn_candidate candidate) {
  if (list->n == list->capacity) {
    int64_t capacity = list->capacity ? 2 * list->capacity : 256;
    sn_candidate *at = sn_arena_take(list->arena, capacity * (int64_t)sizeof *at, 64);
    if (list->n) {
      memcpy(at, list->at, (size_t)list->n * sizeof *at);
    }
    list->at = at;
    list->capacity = capacity;
  }
  list->at[list->n++] = candidate;
}

// The order of a pair: lower type first, then lower id.
static sn_candidate candidate_of(const sn_model *m, int32_t g1, int32_t g2, int32_t pair) {
  int32_t t1 = m->geom_type[g1], t2 = m->geom_type[g2];
  int swap = t1 > t2 || (t1 == t2 && g1 > g2);
  return (sn_candidate){
    .geom1 = swap ? g2 : g1,
    .geom2 = swap ? g1 : g2,
    .pair = pair,
    .margin = sn_mix_margin(m, g1, g2, pair),
  };
}

typedef struct sweep {
  const sn_model *m;
  const sn_data *d;
  sn_candidates *out;
  int32_t geom;   // the moving geom that asks
} sweep;

// applies all filters to a dynamic pair
static void consider(const sweep *s, int32_t g1, int32_t g2) {
  if (!sn_filter_kinds(s->m, s->m->broadphase, g1, g2)) {
    return;
  }
  sn_candidate candidate = candidate_of(s->m, g1, g2, -1);
  if (sn_filter_bounds(s->m, s->d, g1, g2, candidate.margin)) {
    sn_candidates_add(s->out, candidate);
  }
}

static void consider_fixed(void *context, int32_t item) {
  const sweep *s = context;
  consider(s, s->geom, item);
}

// How far a geom reaches from its center. With the override all margins are one.
static double reach_of(const sn_model *m, int64_t g) {
  double margin = m->geom_margin[g];
  if (m->opt.enableflags & SN_ENABLE_OVERRIDE) {
    margin = m->opt.o_margin[0];
  }
  return (m->geom_rbound[g] + fmax(0, margin)) * (1 + sn_bounds_slack);
}

// The dominant eigenvector of a symmetric positive semidefinite matrix, by squaring it: after
// five times the other ones have faded with the 32nd power of the ratio. Any axis would be valid.
static void principal_axis(double *axis, double *C) {
  for (int turn = 0; turn < 5; turn++) {
    double trace = C[0] + C[4] + C[8], square[9];
    if (!(trace > 0)) {
      break;
    }
    for (int k = 0; k < 9; k++) {
      C[k] /= trace;
    }
    sn_mul_mat3(square, C, C);
    memcpy(C, square, sizeof square);
  }
  int best = 0;
  for (int k = 1; k < 3; k++) {
    if (C[4 * k] > C[4 * best]) {
      best = k;
    }
  }
  sn_copy3(axis, C + 3 * best);
  sn_normalize3(axis);
}

static void spread_axis(const sn_data *d, const struct sn_broadphase *b, double *axis) {
  double mean[3] = { 0 }, C[9] = { 0 };
  for (int64_t i = 0; i < b->nmoving; i++) {
    sn_add3(mean, mean, d->geom_xpos + 3 * (int64_t)b->moving[i]);
  }
  sn_scale3(mean, mean, 1 / (double)b->nmoving);
  for (int64_t i = 0; i < b->nmoving; i++) {
    double r[3];
    sn_sub3(r, d->geom_xpos + 3 * (int64_t)b->moving[i], mean);
    for (int k = 0; k < 3; k++) {
      sn_addscale3(C + 3 * k, C + 3 * k, r[k], r);
    }
  }
  principal_axis(axis, C);
}

// A sphere of the sweep, in the order along the axis.
typedef struct interval {
  double lo, hi;
  double pos[3];
  double reach;
  int32_t geom;
  int32_t reserved;
} interval;

static interval *sorted_intervals(const sn_model *m, const sn_data *d, sn_arena *arena) {
  const struct sn_broadphase *b = m->broadphase;
  int64_t n = b->nmoving;
  double axis[3];
  spread_axis(d, b, axis);
  sn_sort_key *key = sn_arena_take(arena, n * (int64_t)sizeof *key, 64);
  sn_sort_key *work = sn_arena_take(arena, n * (int64_t)sizeof *work, 64);
  interval *out = sn_arena_take(arena, n * (int64_t)sizeof *out, 64);
  for (int64_t i = 0; i < n; i++) {
    int64_t g = b->moving[i];
    double lo = sn_dot3(axis, d->geom_xpos + 3 * g) - reach_of(m, g);
    key[i] = (sn_sort_key){ sn_sort_bits(lo), (uint64_t)i, g };
  }
  sn_sort_keys(key, work, n);
  for (int64_t i = 0; i < n; i++) {
    int64_t g = key[i].index;
    interval *x = &out[i];
    sn_copy3(x->pos, d->geom_xpos + 3 * g);
    x->reach = reach_of(m, g);
    double center = sn_dot3(axis, x->pos);
    x->lo = center - x->reach;
    x->hi = center + x->reach;
    x->geom = (int32_t)g;
  }
  return out;
}

static void sweep_moving(const sweep *s, int64_t n, const interval *x) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = i + 1; j < n && x[j].lo <= x[i].hi; j++) {
      double to[3], reach = x[i].reach + x[j].reach;
      sn_sub3(to, x[j].pos, x[i].pos);
      if (sn_dot3(to, to) <= reach * reach) {
        consider(s, x[i].geom, x[j].geom);
      }
    }
  }
}

static void ask_fixed(sweep *s, int64_t n, const interval *x) {
  const struct sn_broadphase *b = s->m->broadphase;
  for (int64_t i = 0; i < n; i++) {
    double lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
      lo[k] = x[i].pos[k] - x[i].reach;
      hi[k] = x[i].pos[k] + x[i].reach;
    }
    s->geom = x[i].geom;
    sn_bvh_query(&b->fixed, lo, hi, consider_fixed, s);
  }
}

static void meet_unbounded(const sweep *s) {
  const struct sn_broadphase *b = s->m->broadphase;
  for (int64_t i = 0; i < b->nunbounded; i++) {
    for (int64_t j = 0; j < b->nmoving; j++) {
      consider(s, b->unbounded[i], b->moving[j]);
    }
    for (int64_t j = i + 1; j < b->nunbounded; j++) {
      consider(s, b->unbounded[i], b->unbounded[j]);
    }
    // an unbounded geom may itself move against fixed ones
    if (b->filter[b->unbounded[i]].weld != 0) {
      for (int32_t j = 0; j < b->fixed.nitem; j++) {
        consider(s, b->unbounded[i], b->fixed.item[j]);
      }
    }
  }
}

static void find_explicit(const sweep *s) {
  const sn_model *m = s->m;
  for (int32_t i = 0; i < m->npair; i++) {
    sn_candidate c = candidate_of(m, m->pair_geom1[i], m->pair_geom2[i], i);
    if (m->bound.collider[m->geom_type[c.geom1]][m->geom_type[c.geom2]] &&
        sn_filter_bounds(m, s->d, c.geom1, c.geom2, c.margin)) {
      sn_candidates_add(s->out, c);
    }
  }
}

void sn_candidates_find(const sn_model *m, const sn_data *d, sn_candidates *out) {
  const struct sn_broadphase *b = m->broadphase;
  sweep s = { .m = m, .d = d, .out = out };
  if (m->opt.collision != SN_COLLISION_DYNAMIC) {
    find_explicit(&s);
  }
  if (m->opt.collision != SN_COLLISION_PAIR) {
    meet_unbounded(&s);
    if (b->nmoving) {
      interval *x = sorted_intervals(m, d, out->arena);
      sweep_moving(&s, b->nmoving, x);
      ask_fixed(&s, b->nmoving, x);
    }
  }
}
