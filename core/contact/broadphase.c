// SPDX-License-Identifier: Apache-2.0
//
// Candidate pairs of geoms: explicit ones, and those whose bounding spheres are near.
//
//   rigid parts   geoms that move as one (rigid_part.c). Sweep and prune: the spheres of the parts
//                 are projected on the principal axis of the covariance of their centers, which
//                 spreads them most; sorted by the lower end; each meets only those that begin
//                 before it ends
//
//                      |---a---|
//                          |--b--|                a-b, b-c; not a-c
//                                |---c---|   -> axis
//
//                 of two parts that meet, the geoms of the smaller ask the tree of the larger; few
//                 are tried one by one
//   fixed         what never moves is a part too: each moving geom asks its tree
//   unbounded     planes: each meets every moving geom, by the distance to the plane
//   asleep        parts that sleep: each moving part asks their tree; see sleeping_parts.c
//
// The candidates depend on the present positions, and on what sleeps, alone.
// Sorting is O(n log n); memory is linear in geoms and candidates.

#include <stdlib.h>

#include "contact/collision.h"
#include "contact/guarded_shape.h"
#include "data/share.h"
#include "data/sleep.h"

// ------------------------------------------------------------------ made once

static void shape_new(const sn_model *m, int64_t g, sn_shape *shape) {
  int32_t data = m->geom_dataid[g];
  shape->type = m->geom_type[g];
  shape->id = (int32_t)g;
  sn_copy3(shape->size, m->geom_size + 3 * g);
  if (shape->type == SN_GEOM_MESH && data >= 0) {
    shape->mesh = m->bound.mesh_view + data;
  } else if (shape->type == SN_GEOM_HFIELD && data >= 0) {
    shape->hfield = m->bound.hfield_view + data;
  } else if (shape->type == SN_GEOM_USER) {
    shape->user = &m->bound.user_shape[g].face;
  }
}

static void list_unbounded(const sn_model *m, struct si_broadphase *b) {
  for (int32_t g = 0; g < m->ngeom; g++) {
    shape_new(m, g, &b->shape[g]);
    if (m->geom_rbound[g] <= 0 && (m->geom_contype[g] || m->geom_conaffinity[g])) {
      b->unbounded[b->nunbounded++] = g;
    }
  }
}

sn_status si_broadphase_new(const sn_model *m, struct si_broadphase **out, sn_error *error) {
  *out = NULL;
  struct si_broadphase *b = calloc(1, sizeof *b);
  size_t n = (size_t)m->ngeom + 1;
  if (b) {
    b->unbounded = calloc(n, sizeof *b->unbounded);
    b->shape = calloc(n, sizeof *b->shape);
  }
  if (!b || !b->unbounded || !b->shape) {
    si_broadphase_free(b);
    return si_fail(error, SN_ENOMEM, "out of memory for the broad phase of %lld geoms",
                   (long long)m->ngeom);
  }
  list_unbounded(m, b);
  sn_status status = si_filter_new(m, b, error);
  if (status >= 0) {
    status = si_rigid_new(m, b, error);
  }
  if (status < 0) {
    si_broadphase_free(b);
    return status;
  }
  *out = b;
  return SN_OK;
}

void si_broadphase_free(struct si_broadphase *b) {
  if (!b) {
    return;
  }
  si_rigid_free(b);
  free(b->unbounded);
  free(b->filter);
  free(b->shape);
  free(b->exclude);
  free(b->paired);
  free(b);
}

// ------------------------------------------------------------------ candidates

void si_candidates_add(si_candidates *list, si_candidate candidate) {
  if (list->n == list->capacity) {
    int64_t capacity = list->capacity ? 2 * list->capacity : 256;
    si_candidate *at = si_arena_take(list->arena, capacity * (int64_t)sizeof *at, 64);
    if (list->n) {
      memcpy(at, list->at, (size_t)list->n * sizeof *at);
    }
    list->at = at;
    list->capacity = capacity;
  }
  list->at[list->n++] = candidate;
}

// The order of a pair: lower type first, then lower id.
static si_candidate candidate_of(const sn_model *m, int32_t g1, int32_t g2, int32_t pair) {
  int32_t t1 = m->geom_type[g1], t2 = m->geom_type[g2];
  int swap = t1 > t2 || (t1 == t2 && g1 > g2);
  return (si_candidate){
    .geom1 = swap ? g2 : g1,
    .geom2 = swap ? g1 : g2,
    .pair = pair,
    .margin = si_mix_reach(m, g1, g2, pair),
  };
}

// A part in the sweep: its sphere, in the order along the axis.
typedef struct interval {
  double lo, hi;
  double pos[3];
  double reach, margin;
  int32_t contype, conaffinity;
  const si_rigid *part;
} interval;

typedef struct sweep {
  const sn_model *m;
  const sn_data *d;
  si_candidates *out;
  int32_t geom;   // the moving geom that asks a tree
  int32_t any_asleep;
  int32_t parents_collide;   // with their children
  int32_t unbounded;         // the geom that meets bounded ones
  int64_t nfixed, n;         // the first part that moves; parts of the sweep
  const interval *x;         // n, sorted
  const si_rigid *fixed;     // what never moves; NULL
  double fixed_margin;       // its part_margin
  const interval *moving;   // the part that asks the tree of those that sleep
  const si_bvh *asleep;   // over the parts that sleep; NULL: they are among the others
} sweep;

// Does it move, or may it? What is welded to the world moves only if a mocap body carries it.
static int is_mobile(const sn_model *m, const sn_data *d, int32_t body) {
  return (m->body_weldid[body] != 0 && !d->body_asleep[body]) || m->bound.roots.is_carried[body];
}

// One of both sleeps, and nothing that moves could wake it. Not inline: a pair where nothing
// sleeps is not to pay for it.
__attribute__((noinline)) static int is_resting(const sn_model *m, const sn_data *d, int32_t g1,
                                                int32_t g2) {
  const int32_t b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  return (d->body_asleep[b1] || d->body_asleep[b2]) && !is_mobile(m, d, b1) && !is_mobile(m, d, b2);
}

// applies all filters to a dynamic pair
static void consider(const sweep *s, int32_t g1, int32_t g2) {
  if (s->any_asleep && is_resting(s->m, s->d, g1, g2)) {
    return;
  }
  if (!si_filter_kinds(s->m, s->m->bound.broadphase, g1, g2)) {
    return;
  }
  si_candidate candidate = candidate_of(s->m, g1, g2, -1);
  if (si_filter_bounds(s->m, s->d, g1, g2, candidate.margin)) {
    si_candidates_add(s->out, candidate);
  }
}

static void consider_item(void *context, int32_t item) {
  const sweep *s = context;
  consider(s, s->geom, item);
}

// The largest reach of the geoms of a part, at least zero. Margins may be edited between steps, so
// they are not stored with the part.
static double part_margin(const sn_model *m, const si_rigid *part) {
  double largest = 0;
  for (int32_t i = 0; i < part->n; i++) {
    largest = sn_max(si_geom_reach(m, part->geom[i]), largest);
  }
  return largest;
}

// The same of a part with many geoms: four chains of comparisons, which do not wait for each other.
static double margin_of_many(const sn_model *m, const si_rigid *part) {
  double largest[4] = { 0 };
  int32_t i = 0;
  for (; i + 4 <= part->n; i += 4) {
    for (int32_t k = 0; k < 4; k++) {
      largest[k] = sn_max(si_geom_reach(m, part->geom[i + k]), largest[k]);
    }
  }
  for (; i < part->n; i++) {
    largest[0] = sn_max(si_geom_reach(m, part->geom[i]), largest[0]);
  }
  return sn_max(sn_max(largest[0], largest[1]), sn_max(largest[2], largest[3]));
}

static double with_slack(double reach) {
  return reach * (1 + si_bounds_slack);
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

// Does a part take part in the sweep? What sleeps is in a tree of its own.
static int is_swept(const sweep *s, const si_rigid *part) {
  return (part->has_partner || s->parents_collide) && (!s->asleep || !si_part_asleep(s->d, part));
}

// Where a moving part is. A single geom is where the kinematics has it, to the last bit; of others
// the center follows from the carrier, with a rounding more.
__attribute__((always_inline)) static inline void locate(const sn_model *m, const sn_data *d,
                                                         const si_rigid *part, interval *out) {
  out->part = part;
  out->contype = part->contype;
  out->conaffinity = part->conaffinity;
  out->margin = part_margin(m, part);
  out->reach = with_slack(part->radius + out->margin);
  if (part->n == 1) {
    sn_copy3(out->pos, d->geom_xpos + 3 * (int64_t)part->geom[0]);
    return;
  }
  const double *origin = d->xpos + 3 * (int64_t)part->carrier;
  sn_mul_mat_vec3(out->pos, d->xmat + 9 * (int64_t)part->carrier, part->center);
  sn_add3(out->pos, out->pos, origin);
  out->reach += 1e-9 * (out->reach + fabs(origin[0]) + fabs(origin[1]) + fabs(origin[2]));
}

void si_part_sphere(const sn_model *m, const sn_data *d, const si_rigid *part, double *center,
                    double *reach) {
  interval x;
  locate(m, d, part, &x);
  sn_copy3(center, x.pos);
  *reach = x.reach;
}

static void spread_axis(int64_t n, const interval *x, double *axis) {
  double mean[3] = { 0 }, C[9] = { 0 };
  for (int64_t i = 0; i < n; i++) {
    sn_add3(mean, mean, x[i].pos);
  }
  sn_scale3(mean, mean, 1 / (double)n);
  for (int64_t i = 0; i < n; i++) {
    double r[3];
    sn_sub3(r, x[i].pos, mean);
    for (int k = 0; k < 3; k++) {
      sn_addscale3(C + 3 * k, C + 3 * k, r[k], r);
    }
  }
  principal_axis(axis, C);
}

// n: parts; then those of the sweep.
static interval *sorted_intervals(const sweep *s, int64_t *count, const si_rigid *part,
                                  si_arena *arena) {
  double axis[3] = { 1, 0, 0 };
  int64_t n = *count, k = 0;
  interval *x = si_arena_take(arena, n * (int64_t)sizeof *x, 64);
  interval *out = si_arena_take(arena, n * (int64_t)sizeof *out, 64);
  si_sort_key *key = si_arena_take(arena, n * (int64_t)sizeof *key, 64);
  si_sort_key *work = si_arena_take(arena, n * (int64_t)sizeof *work, 64);
  for (int64_t i = 0; i < n; i++) {
    if (is_swept(s, &part[i])) {
      locate(s->m, s->d, &part[i], &x[k++]);
    }
  }
  *count = n = k;
  if (n > 0) {
    spread_axis(n, x, axis);
  }
  for (int64_t i = 0; i < n; i++) {
    double center = sn_dot3(axis, x[i].pos);
    x[i].lo = center - x[i].reach;
    x[i].hi = center + x[i].reach;
    key[i] = (si_sort_key){ si_sort_bits(x[i].lo), (uint64_t)i, i };
  }
  si_sort_keys(key, work, n);
  for (int64_t i = 0; i < n; i++) {
    out[i] = x[key[i].index];
  }
  return out;
}

static int spheres_meet(const double *a, const double *b, double reach) {
  double to[3];
  sn_sub3(to, b, a);
  return sn_dot3(to, to) <= reach * reach;
}

// One geom asks the tree of a part about what is near. margin: the largest of both.
static void ask_tree(sweep *s, int32_t geom, const si_rigid *part, double margin) {
  const double *pos = s->d->geom_xpos + 3 * (int64_t)geom;
  double reach = with_slack(s->m->geom_rbound[geom] + margin), local[3], lo[3], hi[3];
  sn_copy3(local, pos);
  if (part->carrier > 0) {
    sn_sub3(local, pos, s->d->xpos + 3 * (int64_t)part->carrier);
    sn_mul_matT_vec3(local, s->d->xmat + 9 * (int64_t)part->carrier, local);
    reach += 1e-9 * (fabs(pos[0]) + fabs(pos[1]) + fabs(pos[2]));
  }
  for (int k = 0; k < 3; k++) {
    lo[k] = local[k] - reach;
    hi[k] = local[k] + reach;
  }
  s->geom = geom;
  si_bvh_query(&part->tree, lo, hi, consider_item, s);
}

// The geoms of two moving parts whose spheres meet.
static void meet_parts(sweep *s, const interval *x, const interval *y) {
  const sn_model *m = s->m;
  const si_rigid *a = x->part, *b = y->part;
  if (!si_filter_parts(m, m->bound.broadphase, a->geom[0], b->geom[0])) {
    return;
  }
  if (b->n < a->n) {
    const interval *other = x;
    x = y;
    y = other;
    a = x->part;
    b = y->part;
  }
  double margin = sn_max(x->margin, y->margin);
  for (int32_t i = 0; i < a->n; i++) {
    int32_t g = a->geom[i];
    const double *pos = s->d->geom_xpos + 3 * (int64_t)g;
    double reach = with_slack(m->geom_rbound[g] + x->margin);
    if (a->n > 1 && !spheres_meet(pos, y->pos, reach + y->reach)) {
      continue;
    }
    if (b->tree.nnode) {
      ask_tree(s, g, b, margin);
      continue;
    }
    for (int32_t k = 0; k < b->n; k++) {
      consider(s, g, b->geom[k]);
    }
  }
}

SI_TASK void sweep_parts(sweep *s, int64_t begin, int64_t end) {
  const interval *x = s->x;
  for (int64_t i = begin; i < end; i++) {
    for (int64_t j = i + 1; j < s->n && x[j].lo <= x[i].hi; j++) {
      if (!si_excluded_by_masks(x[i].contype, x[i].conaffinity, x[j].contype, x[j].conaffinity) &&
          spheres_meet(x[i].pos, x[j].pos, x[i].reach + x[j].reach)) {
        meet_parts(s, &x[i], &x[j]);
      }
    }
  }
}

// The moving part x and one that sleeps.
static void meet_sleeping(void *context, int32_t item) {
  sweep *s = context;
  const interval *x = s->moving;
  interval y;
  locate(s->m, s->d, &s->m->bound.broadphase->rigid[item], &y);
  if (!si_excluded_by_masks(x->contype, x->conaffinity, y.contype, y.conaffinity) &&
      spheres_meet(x->pos, y.pos, x->reach + y.reach)) {
    meet_parts(s, x, &y);
  }
}

static void ask_sleeping(sweep *s, int64_t begin, int64_t end) {
  const interval *x = s->x;
  for (int64_t i = begin; i < end; i++) {
    double lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
      lo[k] = x[i].pos[k] - x[i].reach;
      hi[k] = x[i].pos[k] + x[i].reach;
    }
    s->moving = &x[i];
    si_bvh_query(s->asleep, lo, hi, meet_sleeping, s);
  }
}

// Each part of the sweep asks the tree of what never moves.
static void ask_fixed(sweep *s, int64_t begin, int64_t end) {
  const si_rigid *fixed = s->fixed;
  for (int64_t i = begin; i < end; i++) {
    const si_rigid *part = s->x[i].part;
    if (si_excluded_by_masks(part->contype, part->conaffinity, fixed->contype,
                             fixed->conaffinity)) {
      continue;
    }
    for (int32_t k = 0; k < part->n; k++) {
      ask_tree(s, part->geom[k], fixed, sn_max(s->fixed_margin, s->x[i].margin));
    }
  }
}

// An unbounded geom and the bounded ones that move. What sleeps is left out as a whole where the
// geom does not move.
SI_TASK void meet_bounded(sweep *s, int64_t begin, int64_t end) {
  const struct si_broadphase *b = s->m->bound.broadphase;
  const int all = !s->any_asleep || is_mobile(s->m, s->d, s->m->geom_bodyid[s->unbounded]);
  for (int64_t i = s->nfixed + begin; i < s->nfixed + end; i++) {
    const si_rigid *part = &b->rigid[i];
    for (int32_t k = 0; k < part->n && (all || !si_part_asleep(s->d, part)); k++) {
      consider(s, s->unbounded, part->geom[k]);
    }
  }
}

// ------------------------------------------------------------------ on several threads

// Finds the candidates of things from `begin` up to `end`.
typedef void find_fn(sweep *s, int64_t begin, int64_t end);

typedef struct finding {
  const sweep *sweep;
  find_fn *find;
  const si_parts *parts;
  si_candidates *list;   // of each part
} finding;

SI_TASK sn_status find_part(const sn_model *m, sn_data *d, si_worker *w, int64_t k, void *context) {
  (void)m, (void)d;
  const finding *f = context;
  const si_range part = si_part(f->parts, k);
  sweep own = *f->sweep;
  f->list[k] = (si_candidates){ .arena = &w->scratch };
  own.out = &f->list[k];
  f->find(&own, part.begin, part.end);
  return SN_OK;
}

// The same candidates in the same order as of find(s, 0, total).
__attribute__((always_inline)) static inline void find_all(sn_data *d, sweep *s, int64_t total,
                                                           int64_t least, find_fn *find) {
  const si_parts parts = si_parts_of(d, total, least);
  if (parts.n == 1) {
    find(s, 0, total);
    return;
  }
  si_candidates *list = si_arena_take(s->out->arena, parts.n * (int64_t)sizeof *list, 64);
  si_share(s->m, d, parts.n, find_part, &(finding){ s, find, &parts, list });
  for (int64_t k = 0; k < parts.n; k++) {
    for (int64_t i = 0; i < list[k].n; i++) {
      si_candidates_add(s->out, list[k].at[i]);
    }
  }
}

enum { PARTS = 32 };   // of a task

static void meet_unbounded(sn_data *d, sweep *s) {
  const struct si_broadphase *b = s->m->bound.broadphase;
  for (int64_t i = 0; i < b->nunbounded; i++) {
    s->unbounded = b->unbounded[i];
    find_all(d, s, b->nrigid - s->nfixed, PARTS, meet_bounded);
    for (int64_t j = i + 1; j < b->nunbounded; j++) {
      consider(s, b->unbounded[i], b->unbounded[j]);
    }
    // an unbounded geom may itself move against fixed ones
    if (s->fixed && b->filter[b->unbounded[i]].weld != 0) {
      for (int32_t j = 0; j < s->fixed->n; j++) {
        consider(s, b->unbounded[i], s->fixed->geom[j]);
      }
    }
  }
}

static void find_explicit(const sweep *s) {
  const sn_model *m = s->m;
  for (int32_t i = 0; i < m->npair; i++) {
    si_candidate c = candidate_of(m, m->pair_geom1[i], m->pair_geom2[i], i);
    if (s->any_asleep && is_resting(m, s->d, c.geom1, c.geom2)) {
      continue;
    }
    if (m->bound.collider[m->geom_type[c.geom1]][m->geom_type[c.geom2]] &&
        si_filter_bounds(m, s->d, c.geom1, c.geom2, c.margin)) {
      si_candidates_add(s->out, c);
    }
  }
}

void si_candidates_find(const sn_model *m, sn_data *d, si_candidates *out) {
  const struct si_broadphase *b = m->bound.broadphase;
  sweep s = { .m = m, .d = d, .out = out, .any_asleep = si_any_asleep(d) };
  if (m->opt.collision != SN_COLLISION_DYNAMIC) {
    find_explicit(&s);
  }
  if (m->opt.collision == SN_COLLISION_PAIR) {
    return;
  }
  s.fixed = b->nrigid && b->rigid[0].carrier == 0 ? b->rigid : NULL;
  s.nfixed = s.fixed ? 1 : 0;
  s.n = b->nrigid - s.nfixed;
  meet_unbounded(d, &s);
  s.parents_collide = (m->opt.disableflags & SN_DISABLE_FILTERPARENT) != 0;
  if (s.n == 0 || !(b->any_partner || s.parents_collide)) {
    return;
  }
  s.asleep = s.any_asleep ? si_sleeping_parts(m, d) : NULL;
  s.x = sorted_intervals(&s, &s.n, b->rigid + s.nfixed, out->arena);
  find_all(d, &s, s.n, PARTS, sweep_parts);
  if (s.asleep) {
    find_all(d, &s, s.n, PARTS, ask_sleeping);
  }
  if (s.fixed) {
    s.fixed_margin = margin_of_many(m, s.fixed);
    find_all(d, &s, s.n, PARTS, ask_fixed);
  }
}
