// SPDX-License-Identifier: Apache-2.0
//
// Tests a collider with batches of random pairs, close to contact, for every pair of types that it
// supports. The deepest contact point of a pair is compared if no other one is about as deep; the
// number and positions of the others are up to the collider. Requirements that need reference
// values are in collider_truth.c.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collider.h"

static const double depth_tolerance = 1e-4;   // between poses of the same pair, m
static const double normal_tolerance = 1e-2;
static const double general_share = 0.05,
                    general_normal = 0.1;   // of a method for all convex pairs
static const double lonely = 1e-3;   // a contact point is alone if the next is this much higher, m

// ------------------------------------------------------------------ scenes

void make_scene(kit *k, scene *sc, int type1, int type2) {
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

// ------------------------------------------------------------------ a batch

static void find_deepest(answer *a) {
  for (int i = 0; i < PAIRS; i++) {
    a->deepest[i] = -1;
    a->number[i] = 0;
  }
  for (int64_t t = 0; t < a->count; t++) {
    int32_t pair = a->point[t].pair;
    if (pair < 0 || pair >= PAIRS) {
      continue;
    }
    int32_t *best = &a->deepest[pair];
    a->number[pair]++;
    *best = *best < 0 || a->point[t].dist < a->point[*best].dist ? (int32_t)t : *best;
  }
  memcpy(a->alone, a->deepest, sizeof a->alone);
  for (int64_t t = 0; t < a->count; t++) {
    int32_t pair = a->point[t].pair;
    if (pair >= 0 && pair < PAIRS && a->deepest[pair] != t &&
        a->point[t].dist < a->point[a->deepest[pair]].dist + lonely) {
      a->alone[pair] = -1;
    }
  }
}

int64_t capacity_of(const kit *k) {
  const sn_collider_ops *ops = k->provider->ops;
  return (int64_t)PAIRS * (ops->max_points > 0 ? ops->max_points : 1);
}

void run_batch(kit *k, const scene *sc, int swap, int64_t capacity, answer *a) {
  const sn_collider_ops *ops = k->provider->ops;
  sn_batch batch = { .size = sizeof batch,
                     .n = PAIRS,
                     .first = swap ? sc->second : sc->first,
                     .second = swap ? sc->first : sc->second,
                     .margin = sc->margin,
                     .tolerance = 1e-10,
                     .iterations = 200 };
  *a = (answer){ .point = calloc((size_t)capacity + 1, sizeof(sn_contact_point)) };
  sn_contact_list out = { .size = sizeof out, .capacity = capacity, .point = a->point };
  a->status = a->point ? KIT_CALL(ops, collide)(k->self, &batch, &out, &k->scratch) : SN_ENOMEM;
  a->count = out.count;
  kit_scratch_clear(k);
  if (a->status == SN_OK && a->count <= capacity) {
    find_deepest(a);
  }
}

// ------------------------------------------------------------------ the same batch again

typedef struct collide_call {
  const scene *sc;
  int64_t capacity;
} collide_call;

enum { POINTS, COUNT };

static sn_status run_collide(const kit_call *call, sn_scratch *scratch) {
  const sn_collider_ops *ops = call->kit->provider->ops;
  const collide_call *c = call->context;
  const sn_batch batch = { .size = sizeof batch,
                           .n = PAIRS,
                           .first = c->sc->first,
                           .second = c->sc->second,
                           .margin = c->sc->margin,
                           .tolerance = 1e-10,
                           .iterations = 200 };
  sn_contact_list out = { .size = sizeof out,
                          .capacity = c->capacity,
                          .point = call->output[POINTS].memory };
  sn_contact_list before = out;
  const sn_status status = KIT_CALL(ops, collide)(call->kit->self, &batch, &out, scratch);
  memcpy(call->output[COUNT].memory, &out.count, sizeof out.count);
  before.count = out.count;
  before.dropped = out.dropped;
  return kit_same_struct(status, &out, &before, sizeof before);
}

// The points that are not written keep the zeros of before the call.
static void call_again(kit *k, kit_calls *calls, const scene *sc) {
  const collide_call context = { sc, capacity_of(k) };
  const int64_t points = context.capacity * (int64_t)sizeof(sn_contact_point);
  void *zeros = calloc(1, (size_t)(points + 8));
  kit_call call = {
    .operation = "collide",
    .run = run_collide,
    .context = &context,
    .ninput = 1,
    .input = { { "the batch", sc, sizeof *sc } },
    .noutput = 2,
    .output = { [POINTS] = { "point", points, zeros, NULL }, [COUNT] = { "count", 8, zeros, NULL } }
  };
  if (zeros) {
    kit_calls_make(k, calls, &call);
  }
  kit_call_free(&call);
  free(zeros);
}

// ------------------------------------------------------------------ findings

static int is_worse(double value, double than) {
  return !(value <= than);   // so is what is not a number
}

void update_worst(worst *w, const scene *sc, int pair, double value, const char *format, ...) {
  if (!is_worse(value, w->value)) {
    return;
  }
  w->value = isnan(value) ? INFINITY : value;
  int i = pair < 0 ? 0 : pair;
  const sn_shape *a = &sc->first[i], *b = &sc->second[i];
  int n = snprintf(w->where, sizeof w->where, "%s-%s", shape_name(a), shape_name(b));
  if (pair >= 0) {
    n += snprintf(w->where + n, sizeof w->where - (size_t)n,
                  " of sizes (%.3g %.3g %.3g) and (%.3g %.3g %.3g)", a->size[0], a->size[1],
                  a->size[2], b->size[0], b->size[1], b->size[2]);
  }
  n += snprintf(w->where + n, sizeof w->where - (size_t)n, ": ");
  va_list list;
  va_start(list, format);
  vsnprintf(w->where + n, sizeof w->where - (size_t)n, format, list);
  va_end(list);
}

void report_worst(kit *k, const char *requirement, const worst *w, double allowed,
                  const char *passed) {
  if (is_worse(w->value, allowed)) {
    kit_report(k, requirement, KIT_FAILED, "%s", w->where);
  } else {
    kit_report(k, requirement, KIT_PASSED, "%s %.1e", passed, w->value);
  }
}

// ------------------------------------------------------------------ requirements

// How far the normal is from unit length; infinite if the position or tangent is not finite. The
// core can make an orthonormal frame of a unit normal and any finite tangent.
static double frame_error(const sn_contact_point *t) {
  double n = 0;
  for (int i = 0; i < 3; i++) {
    n += t->normal[i] * t->normal[i];
    if (!isfinite(t->pos[i]) || !isfinite(t->tangent[i])) {
      return INFINITY;
    }
  }
  return fabs(sqrt(n) - 1);
}

void check_form(kit *k, const scene *sc, const answer *a, worst *w) {
  const sn_collider_ops *ops = k->provider->ops;
  int32_t previous = 0;
  for (int64_t t = 0; t < a->count; t++) {
    const sn_contact_point *x = &a->point[t];
    if (x->pair < previous || x->pair >= PAIRS) {
      update_worst(w, sc, -1, INFINITY, "contact point %lld belongs to pair %d after pair %d of %d",
                   (long long)t, (int)x->pair, (int)previous, PAIRS);
      return;
    }
    previous = x->pair;
    double off = frame_error(x);
    update_worst(
        w, sc, x->pair, off,
        "the normal (%.9g %.9g %.9g) is not of unit length, or the position or the tangent "
        "(%.3g %.3g %.3g) is not finite",
        x->normal[0], x->normal[1], x->normal[2], x->tangent[0], x->tangent[1], x->tangent[2]);
    double beyond = x->dist - sc->margin[x->pair];
    update_worst(w, sc, x->pair, isnan(beyond) ? beyond : fmax(0, beyond),
                 "a contact point has distance %.9g, but the margin is %g", x->dist,
                 sc->margin[x->pair]);
    if (a->number[x->pair] > ops->max_points) {
      update_worst(w, sc, x->pair, INFINITY, "%d contact points, but max_points is %d",
                   (int)a->number[x->pair], (int)ops->max_points);
    }
  }
}

// Compares the depths of the deepest contact points, and their normals: that of a is rotated by mat
// and multiplied by sign.
static void compare(const scene *sc, const answer *a, const answer *b, const double *mat,
                    double sign, const char *how, worst *depth, worst *normal) {
  for (int i = 0; i < PAIRS; i++) {
    if (a->alone[i] < 0 || b->alone[i] < 0) {
      continue;
    }
    const sn_contact_point *s = &a->point[a->alone[i]], *t = &b->point[b->alone[i]];
    double limit = shallow *
                   fmin(shape_smallest_size(&sc->first[i]), shape_smallest_size(&sc->second[i]));
    if (sc->general && s->dist < -limit) {
      continue;
    }
    double turned[3], off = 0;
    shape_multiply(mat, s->normal, turned, 1);
    for (int c = 0; c < 3; c++) {
      off = fmax(off, fabs(sign * turned[c] - t->normal[c]));
    }
    // an approximate method may stop elsewhere, as far as the depth from the margin allows
    double allowed = depth_tolerance + (sc->general ? general_share * (reach - s->dist) : 0);
    update_worst(depth, sc, i, fabs(s->dist - t->dist) / allowed,
                 "%s, the distance is %.9g instead of %.9g", how, t->dist, s->dist);
    off /= sc->general ? general_normal : normal_tolerance;
    update_worst(normal, sc, i, off, "%s, the normal is (%.6g %.6g %.6g) at the distance %.9g", how,
                 t->normal[0], t->normal[1], t->normal[2], s->dist);
  }
}

// spheres have a closed form against spheres and planes
static void check_closed_form(const scene *sc, const answer *a, worst *w) {
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
      double got = a->point[a->deepest[i]].dist;
      update_worst(w, sc, i, fabs(got - dist), "the distance is %.12g instead of %.12g", got, dist);
    } else if (dist < reach - form_tolerance) {
      update_worst(w, sc, i, INFINITY, "no contact point at distance %.9g", dist);
    }
  }
}

// The batch of a pair with a shape of a plugin was declined, or the collider failed because of it.
static int is_declined(const scene *sc, const answer *a, results *v) {
  if (a->status == SN_EUNSUPPORTED) {
    v->declined++;
    return 1;
  }
  if (a->status < 0 && !v->refused[0]) {
    snprintf(v->refused, sizeof v->refused,
             "%s-%s: collide returned %s; decline shapes of plugins that it does not know with "
             "SN_EUNSUPPORTED",
             shape_name(&sc->first[0]), shape_name(&sc->second[0]), sn_status_name(a->status));
  }
  v->known += a->status >= 0;
  return a->status < 0;
}

static void test_pair(kit *k, int type1, int type2, int general, results *v) {
  static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  static scene here, there;
  answer a, b;
  double mat[9], shift[3] = { kit_random(k), kit_random(k), kit_random(k) };
  make_scene(k, &here, type1, type2);
  here.general = general;
  shape_rotation(k, mat);
  move_scene(&here, &there, mat, shift);

  run_batch(k, &here, 0, capacity_of(k), &a);
  if (type2 >= SN_GEOM_USER && is_declined(&here, &a, v)) {
    free(a.point);
    return;
  }
  v->pairs++;
  if (a.status != SN_OK || a.count > capacity_of(k)) {
    v->failed++;
    free(a.point);
    return;
  }
  v->npoint += (int)a.count;
  check_form(k, &here, &a, &v->form);
  check_closed_form(&here, &a, &v->closed);

  // the same batch again, then moved, with swapped shapes, and with too small a capacity
  call_again(k, &v->calls, &here);
  run_batch(k, &there, 0, capacity_of(k), &b);
  v->failed += b.status != SN_OK;
  compare(&here, &a, &b, mat, 1, "moved", &v->moved, &v->moved_normal);
  free(b.point);
  if (type1 == type2) {
    run_batch(k, &here, 1, capacity_of(k), &b);
    compare(&here, &a, &b, identity, -1, "swapped", &v->swapped, &v->swapped_normal);
    free(b.point);
  }
  if (a.count > 1) {
    run_batch(k, &here, 0, 1, &b);
    v->not_more += b.status != SN_MORE || b.count < a.count;
    free(b.point);
  }
  free(a.point);
  test_truth(k, type1, type2, general, v);
}

// ------------------------------------------------------------------ types

static int covers(const char *name, int type) {
  return strcmp(name, "convex") == 0
             ? type >= SN_GEOM_SPHERE && type <= SN_GEOM_MESH
             : shape_type_of(name) == (type < SN_GEOM_USER ? type : SN_GEOM_USER);
}

enum { WITHOUT_PLUGINS, WITH_SHAPES_OF_KIT, WITH_OWN_SHAPES };

static int group_of(int type2) {
  return type2 == SHAPE_OWN       ? WITH_OWN_SHAPES
         : type2 >= SN_GEOM_USER ? WITH_SHAPES_OF_KIT
                                 : WITHOUT_PLUGINS;
}

// The pairs of a group that a collider lists.
static void test_pairs(kit *k, int group, results *v) {
  const sn_collider_ops *ops = k->provider->ops;
  for (const sn_collider_pair *p = ops->pairs; p->first && p->second; p++) {
    for (int i = 0; i < SHAPE_NTYPES; i++) {
      for (int j = i; j < SHAPE_NTYPES; j++) {
        if (group_of(j) == group && covers(p->first, i) && covers(p->second, j)) {
          const int is_general = i >= SN_GEOM_SPHERE && group != WITHOUT_PLUGINS;
          test_pair(k, i, j, is_general || strcmp(p->first, "convex") == 0, v);
        }
      }
    }
  }
}

static void test_own(kit *k, void *context) {
  test_pairs(k, WITH_OWN_SHAPES, context);
}

static int count_unknown(const sn_collider_ops *ops) {
  int unknown = 0;
  for (const sn_collider_pair *p = ops->pairs; p->first && p->second; p++) {
    unknown += (strcmp(p->first, "convex") != 0 && shape_type_of(p->first) < 0) ||
               (strcmp(p->second, "convex") != 0 && shape_type_of(p->second) < 0);
  }
  return unknown;
}

// Shapes of plugins: those of the kit, which it knows by their support function or declines, and
// those of its own plugin.
static void report_shapes(kit *k, const results *v) {
  if (v->refused[0]) {
    kit_report(k, "user shapes", KIT_FAILED, "%s", v->refused);
  } else if (v->known) {
    kit_report(k, "user shapes", KIT_PASSED, "%d pairs with shapes of plugins, %d declined",
               v->known, v->declined);
  } else if (v->declined) {
    kit_report(k, "user shapes", KIT_SKIPPED,
               "it declines the shapes of the kit, and its plugin has none that it accepts");
  }
}

void kit_collider(kit *k) {
  const sn_collider_ops *ops = k->provider->ops;
  if (!ops->collide || !ops->pairs || ops->max_points < 1) {
    kit_report(k, "operations", KIT_FAILED,
               "collide, pairs or max_points (%d, at least 1) is missing", ops->max_points);
    return;
  }
  results v = { 0 };
  const int unknown = count_unknown(ops);
  test_pairs(k, WITHOUT_PLUGINS, &v);
  test_pairs(k, WITH_SHAPES_OF_KIT, &v);
  shape_each_own(k, test_own, &v);
  kit_check(k, "pairs", unknown == 0, "%d pairs have a geom type that is unknown", unknown);
  report_shapes(k, &v);
  if (v.pairs == 0) {
    return;
  }
  kit_check(k, "collide", v.failed == 0 && v.npoint > 0,
            "%d pairs of types, %d contact points, %d calls failed", v.pairs, v.npoint, v.failed);
  report_worst(k, "well formed", &v.form, form_tolerance, "largest error of normals and margins:");
  report_worst(k, "closed form", &v.closed, form_tolerance,
               "largest error of the distances of spheres:");
  kit_calls_report(k, &v.calls);
  report_worst(k, "motion depth", &v.moved, 1,
               "change of depths by a rigid motion, relative to the tolerance:");
  report_worst(k, "motion normal", &v.moved_normal, 1,
               "change of normals by a rigid motion, relative to the tolerance:");
  report_worst(k, "swap depth", &v.swapped, 1,
               "change of depths by swapping the shapes, relative to the tolerance:");
  report_worst(k, "swap normal", &v.swapped_normal, 1,
               "change of normals by swapping the shapes, relative to the tolerance:");
  kit_require(
      k, "capacity", v.not_more == 0, "SN_MORE if the contact points exceed the capacity",
      "%d calls with a capacity below the number of contact points did not return SN_MORE; return "
      "sn_contact_list_status",
      v.not_more);
  report_truth(k, &v);
}
