// SPDX-License-Identifier: Apache-2.0
//
// Judges a collider: batches of random pairs of every pair of types that it serves, around
// touching. Compared is the deepest touch of a pair, where it is alone at its depth: how many
// touches there are, and where, is the collider's choice.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

enum { PAIRS = 64 };
static const double reach = 0.05;               // margin of the pairs, m
static const double form_tolerance = 1e-9;      // unit normals, closed forms
static const double depth_tolerance = 1e-4;     // between poses of the same pair, m
static const double normal_tolerance = 1e-2;
static const double alone = 1e-3;               // a touch is alone when the next is much higher
// deeper overlaps of general convex shapes have no unique answer; of the smallest size
static const double shallow = 0.1;

typedef struct scene {
  sn_shape first[PAIRS], second[PAIRS];
  pose first_pose[PAIRS], second_pose[PAIRS];
  double margin[PAIRS];
  int general;             // of a collider for every convex pair
} scene;

// what a collider said of each pair
typedef struct answer {
  sn_status status;
  int64_t count;
  sn_touch *touch;
  int32_t number[PAIRS], deepest[PAIRS];   // touches; index of the deepest, -1: none or not alone
} answer;

// ------------------------------------------------------------------ scenes

// second shapes at a distance of 0.3 to 1.2 mean radii: some deep, some near, some apart
static void make_scene(kit *k, scene *sc, int type1, int type2) {
  for (int i = 0; i < PAIRS; i++) {
    shape_random(k, &sc->first[i], &sc->first_pose[i], type1, 2 * i);
    shape_random(k, &sc->second[i], &sc->second_pose[i], type2, 2 * i + 1);
    sc->margin[i] = reach;
    double r = sc->first[i].size[0] + sc->second[i].size[0], d[3], n = 0;
    for (int c = 0; c < 3; c++) {
      d[c] = kit_random(k);
      n += d[c] * d[c];
    }
    double away = kit_between(k, 0.3, 1.2) * r / sqrt(fmax(n, 1e-12));
    for (int c = 0; c < 3; c++) {
      double step = type1 <= SN_GEOM_HFIELD ? r * d[c] : away * d[c];
      sc->second_pose[i].pos[c] = sc->first_pose[i].pos[c] + step;
    }
  }
}

// the same scene turned and shifted
static void move_scene(const scene *from, scene *to, const double *mat, const double *shift) {
  *to = *from;
  for (int i = 0; i < PAIRS; i++) {
    pose *moved[2] = { &to->first_pose[i], &to->second_pose[i] };
    const pose *old[2] = { &from->first_pose[i], &from->second_pose[i] };
    for (int s = 0; s < 2; s++) {
      shape_multiply(mat, old[s]->mat, moved[s]->mat, 3);
      shape_multiply(mat, old[s]->pos, moved[s]->pos, 1);
      for (int c = 0; c < 3; c++) {
        moved[s]->pos[c] += shift[c];
      }
    }
    to->first[i].pos = to->first_pose[i].pos;
    to->first[i].mat = to->first_pose[i].mat;
    to->second[i].pos = to->second_pose[i].pos;
    to->second[i].mat = to->second_pose[i].mat;
  }
}

// ------------------------------------------------------------------ asking

static void find_deepest(answer *a) {
  for (int i = 0; i < PAIRS; i++) {
    a->deepest[i] = -1;
    a->number[i] = 0;
  }
  for (int64_t t = 0; t < a->count; t++) {
    int32_t pair = a->touch[t].pair;
    if (pair < 0 || pair >= PAIRS) {
      continue;
    }
    int32_t *best = &a->deepest[pair];
    a->number[pair]++;
    *best = *best < 0 || a->touch[t].dist < a->touch[*best].dist ? (int32_t)t : *best;
  }
  for (int64_t t = 0; t < a->count; t++) {
    int32_t pair = a->touch[t].pair;
    if (pair >= 0 && pair < PAIRS && a->deepest[pair] >= 0 && a->deepest[pair] != t &&
        a->touch[t].dist < a->touch[a->deepest[pair]].dist + alone) {
      a->deepest[pair] = -1;
    }
  }
}

// Asks for the touches of a scene, with room for all or for `capacity`. Free touch.
static void ask(kit *k, const scene *sc, int swap, int64_t capacity, answer *a) {
  const sn_collider_ops *ops = k->provider->ops;
  size_t ncache = (size_t)(ops->cache_reals > 0 ? ops->cache_reals : 1) * PAIRS;
  double *cache = calloc(ncache, sizeof *cache);
  sn_batch batch = { .size = sizeof batch,
                     .n = PAIRS,
                     .first = swap ? sc->second : sc->first,
                     .second = swap ? sc->first : sc->second,
                     .margin = sc->margin,
                     .tolerance = 1e-10,
                     .iterations = 200,
                     .cache = ops->cache_reals > 0 ? cache : NULL };
  *a = (answer){ .touch = calloc((size_t)capacity + 1, sizeof(sn_touch)) };
  sn_touches out = { .size = sizeof out, .capacity = capacity, .touch = a->touch };
  a->status = cache && a->touch ? ops->collide(k->self, &batch, &out, &k->scratch) : SN_ENOMEM;
  a->count = out.count;
  kit_scratch_clear(k);
  free(cache);
  if (a->status == SN_OK && a->count <= capacity) {
    find_deepest(a);
  }
}

// ------------------------------------------------------------------ laws

// findings over all pairs of types
typedef struct verdicts {
  int pairs, touches, malformed, failed, unequal, misfits;
  double moved, moved_normal, swapped, swapped_normal, form;
} verdicts;

static int well_formed(const sn_touch *t, int32_t previous) {
  double n = 0;
  for (int i = 0; i < 3; i++) {
    n += t->normal[i] * t->normal[i];
    if (!isfinite(t->pos[i]) || !isfinite(t->tangent[i])) {
      return 0;
    }
  }
  return t->pair >= previous && t->pair < PAIRS && t->dist <= reach + form_tolerance &&
         fabs(sqrt(n) - 1) < form_tolerance;
}

static void check_form(const answer *a, int max_points, verdicts *v) {
  int32_t previous = 0;
  for (int64_t t = 0; t < a->count; t++) {
    v->malformed += !well_formed(&a->touch[t], previous);
    previous = a->touch[t].pair;
  }
  for (int i = 0; i < PAIRS; i++) {
    v->malformed += a->number[i] > max_points;
  }
  v->touches += (int)a->count;
}

// Compares the deepest touches: depth, and the normal as turned by mat, times sign.
static void compare(const scene *sc, const answer *a, const answer *b, const double *mat,
                    double sign, double *depth, double *normal) {
  for (int i = 0; i < PAIRS; i++) {
    if (a->deepest[i] < 0 || b->deepest[i] < 0) {
      continue;
    }
    const sn_touch *s = &a->touch[a->deepest[i]], *t = &b->touch[b->deepest[i]];
    double limit = shallow * fmin(shape_smallest_size(&sc->first[i]), shape_smallest_size(&sc->second[i]));
    if (sc->general && s->dist < -limit) {
      continue;
    }
    double turned[3], off = 0;
    shape_multiply(mat, s->normal, turned, 1);
    for (int c = 0; c < 3; c++) {
      off = fmax(off, fabs(sign * turned[c] - t->normal[c]));
    }
    *depth = fmax(*depth, fabs(s->dist - t->dist));
    *normal = fmax(*normal, off);
  }
}

// spheres have a closed form against spheres and planes
static void check_closed_form(const scene *sc, const answer *a, verdicts *v) {
  int type = sc->first[0].type;
  if (sc->second[0].type != SN_GEOM_SPHERE || (type != SN_GEOM_SPHERE && type != SN_GEOM_PLANE)) {
    return;
  }
  for (int i = 0; i < PAIRS; i++) {
    const double *p = sc->first[i].pos, *q = sc->second[i].pos, *mat = sc->first[i].mat;
    double d[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
    double dist = type == SN_GEOM_SPHERE
                      ? sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - sc->first[i].size[0]
                      : d[0] * mat[2] + d[1] * mat[5] + d[2] * mat[8];
    dist -= sc->second[i].size[0];
    if (a->deepest[i] >= 0) {
      v->form = fmax(v->form, fabs(a->touch[a->deepest[i]].dist - dist));
    } else if (dist < reach - form_tolerance) {
      v->form = INFINITY;
    }
  }
}

static void judge_pair(kit *k, int type1, int type2, int general, verdicts *v) {
  static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const sn_collider_ops *ops = k->provider->ops;
  int64_t room = (int64_t)PAIRS * (ops->max_points > 0 ? ops->max_points : 1);
  static scene here, there;
  answer a, b;
  double mat[9], shift[3] = { kit_random(k), kit_random(k), kit_random(k) };
  make_scene(k, &here, type1, type2);
  here.general = general;
  shape_rotation(k, mat);
  move_scene(&here, &there, mat, shift);
  v->pairs++;

  ask(k, &here, 0, room, &a);
  if (a.status != SN_OK || a.count > room) {
    v->failed++;
    free(a.touch);
    return;
  }
  check_form(&a, ops->max_points, v);
  check_closed_form(&here, &a, v);

  // the same batch, then moved, swapped, and without room
  ask(k, &here, 0, room, &b);
  v->unequal += b.count != a.count ||
                memcmp(a.touch, b.touch, (size_t)a.count * sizeof *a.touch) != 0;
  free(b.touch);
  ask(k, &there, 0, room, &b);
  v->failed += b.status != SN_OK;
  compare(&here, &a, &b, mat, 1, &v->moved, &v->moved_normal);
  free(b.touch);
  if (type1 == type2) {
    ask(k, &here, 1, room, &b);
    compare(&here, &a, &b, identity, -1, &v->swapped, &v->swapped_normal);
    free(b.touch);
  }
  if (a.count > 1) {
    ask(k, &here, 0, 1, &b);
    v->misfits += b.status != SN_MORE || b.count < a.count;
    free(b.touch);
  }
  free(a.touch);
}

// ------------------------------------------------------------------ types

static int stands_for(const char *name, int type) {
  return strcmp(name, "convex") == 0 ? type >= SN_GEOM_SPHERE : shape_type_of(name) == type;
}

static int judge_pairs(kit *k, verdicts *v) {
  const sn_collider_ops *ops = k->provider->ops;
  int unknown = 0;
  for (const sn_collider_pair *p = ops->pairs; p->first && p->second; p++) {
    unknown += (strcmp(p->first, "convex") != 0 && shape_type_of(p->first) < 0) ||
               (strcmp(p->second, "convex") != 0 && shape_type_of(p->second) < 0);
    for (int i = 0; i < SN_NGEOMTYPES; i++) {
      for (int j = i; j < SN_NGEOMTYPES; j++) {
        if (stands_for(p->first, i) && stands_for(p->second, j)) {
          judge_pair(k, i, j, strcmp(p->first, "convex") == 0, v);
        }
      }
    }
  }
  return unknown;
}

void kit_collider(kit *k) {
  const sn_collider_ops *ops = k->provider->ops;
  if (!ops->collide || !ops->pairs || ops->max_points < 1) {
    kit_say(k, "operations", KIT_BROKEN, "collide, pairs and max_points must be given");
    return;
  }
  verdicts v = { 0 };
  int unknown = judge_pairs(k, &v);
  kit_law(k, "pairs", unknown == 0, "%d with unknown types", unknown);
  if (v.pairs == 0) {
    kit_say(k, "laws", KIT_SKIPPED, "the kit has no shapes for these types yet");
    return;
  }
  kit_law(k, "collides", v.failed == 0 && v.touches > 0, "%d pairs of types, %d touches, %d failed",
          v.pairs, v.touches, v.failed);
  kit_law(k, "well formed", v.malformed == 0,
          "%d touches beyond the margin, out of order, too many, or without a unit normal",
          v.malformed);
  kit_law(k, "closed form", v.form < form_tolerance, "distances of spheres are off by %.1e",
          v.form);
  kit_law(k, "same bits", v.unequal == 0, "the same batch twice");
  kit_law(k, "moves along", v.moved < depth_tolerance && v.moved_normal < normal_tolerance,
          "after a rigid motion depths differ by %.1e, normals by %.1e", v.moved, v.moved_normal);
  kit_law(k, "swaps", v.swapped < depth_tolerance && v.swapped_normal < normal_tolerance,
          "swapped shapes: depths differ by %.1e, normals by %.1e", v.swapped, v.swapped_normal);
  kit_law(k, "asks for room", v.misfits == 0, "SN_MORE when the touches do not fit");
}
