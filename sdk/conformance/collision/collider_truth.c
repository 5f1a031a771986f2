// SPDX-License-Identifier: Apache-2.0
//
// Tests a collider against reference values (separation.c): it finds the pairs in contact and no
// others, with the right depth or distance; the depth is continuous along a path; degenerate shapes
// produce no NaN; rays end at the surface.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collider.h"
#include "separation.h"

static const double proof = 1e-9;   // error bound of the reference values, m
// A collider that lists both types by name is exact for shallow penetrations. For a method for all
// convex pairs, an error of this fraction of the depth below the margin is allowed (that of libccd
// is a fifth); also for boxes, whose reported depth is half of the overlap, and a larger one for
// the thin prisms of height fields.
static const double exact_depth = 1e-6, depth_share = 0.4, field_share = 0.6;
static const double distance_tolerance = 1e-6, ray_tolerance = 1e-6;   // m
static const double far = 1e3;                                         // limit of distances, m

static double truth_of(const scene *sc, int i, double enough) {
  return separation(&sc->first[i], &sc->second[i], proof, enough, NULL);
}

static double shallow_depth(const scene *sc, int i) {
  return shallow * fmin(shape_smallest_size(&sc->first[i]), shape_smallest_size(&sc->second[i]));
}

// ------------------------------------------------------------------ depth

// The fraction of the allowed depth error below the margin; see depth_share.
static double share_of(const scene *sc) {
  const int first = sc->first[0].type;
  return first == SN_GEOM_HFIELD               ? field_share
         : sc->general || first >= SN_GEOM_BOX ? depth_share
                                               : 0;
}

// There are contact points where the reference distance is below the margin, with this depth,
// within the error that is allowed.
static void check_depth(const scene *sc, const answer *a, const double *distance, worst *w) {
  const double share = share_of(sc);
  for (int i = 0; i < PAIRS; i++) {
    double truth = distance[i], got = INFINITY;
    if (a->deepest[i] >= 0) {
      got = a->point[a->deepest[i]].dist;
    }
    if (isinf(got)) {
      update_worst(w, sc, i, truth < reach - exact_depth ? INFINITY : 0,
                   "no contact point, but the distance is %.9g", truth);
    } else if (truth > -shallow_depth(sc, i)) {
      double allowed = exact_depth + share * (reach - truth);
      update_worst(w, sc, i, fabs(got - truth) / allowed, "the distance is %.9g instead of %.9g",
                   got, truth);
    } else {
      update_worst(w, sc, i, got < 0 ? 0 : INFINITY, "the distance is %.9g instead of %.9g", got,
                   truth);
    }
  }
}

// ------------------------------------------------------------------ normals and positions

// How much the distance grows when the second shape moves along the normal, relative to the motion:
// the cosine between the normal and the shortest translation that separates the shapes.
static double gain_along(const scene *sc, int i, const double *normal, double truth) {
  const double step = 1e-3 *
                      fmin(shape_smallest_size(&sc->first[i]), shape_smallest_size(&sc->second[i]));
  sn_shape moved = sc->second[i];
  double pos[3];
  for (int c = 0; c < 3; c++) {
    pos[c] = moved.pos[c] + step * normal[c];
  }
  moved.pos = pos;
  return (separation(&sc->first[i], &moved, proof, reach + 1, NULL) - truth) / step;
}

// How far a point is off the surface of a shape.
static double off_surface(const sn_shape *s, const double *point) {
  const sn_shape ball = { .type = SN_GEOM_SPHERE, .pos = point, .mat = s->mat };
  return fabs(s->type <= SN_GEOM_HFIELD ? separation(s, &ball, proof, far, NULL)
                                        : separation(&ball, s, proof, far, NULL));
}

// The deepest contact point of a pair lies between the two surfaces, half of its distance from
// each, along a normal from the first shape to the second one.
static void check_points(const scene *sc, const answer *a, const double *distance, results *v) {
  const double share = share_of(sc), least_cosine = share > 0 ? 0.5 : 0.99;
  for (int i = 0; i < PAIRS; i++) {
    const double truth = distance[i];
    if (a->alone[i] < 0 || !(truth > -shallow_depth(sc, i))) {
      continue;
    }
    const sn_contact_point *t = &a->point[a->alone[i]];
    const double gain = gain_along(sc, i, t->normal, truth);
    // a method that finds one point of the shapes inflated by the margin is as far off as that
    const double allowed = exact_depth + share * fmax(reach, reach - truth);
    double ends[2][3];
    for (int c = 0; c < 3; c++) {
      ends[0][c] = t->pos[c] - 0.5 * t->dist * t->normal[c];
      ends[1][c] = t->pos[c] + 0.5 * t->dist * t->normal[c];
    }
    update_worst(&v->normal, sc, i, (1 - gain) / (1 - least_cosine),
                 "moved along the normal, the distance grows by %.3g of the motion", gain);
    const double off = fmax(off_surface(&sc->first[i], ends[0]),
                            off_surface(&sc->second[i], ends[1]));
    update_worst(&v->position, sc, i, off / allowed,
                 "pos -+ dist / 2 normal is %.3g m off a surface, with the distance %.6g", off,
                 t->dist);
  }
}

// ------------------------------------------------------------------ a path

// Makes a scene in which all pairs have the same shapes, and the second shape moves into the first
// from pair to pair. Returns the step.
static double make_path(kit *k, scene *sc, int type1, int type2) {
  double length = 0, u[3];
  make_scene(k, sc, type1, type2);
  for (int c = 0; c < 3; c++) {
    u[c] = type1 <= SN_GEOM_HFIELD ? sc->first_pose[0].mat[3 * c + 2] : kit_random(k);
    length += u[c] * u[c];
  }
  // it starts apart and ends where the depth is shallow
  sn_shape far_one = sc->second[0];
  pose place = sc->second_pose[0];
  far_one.pos = place.pos;
  far_one.mat = place.mat;
  double start = 2, end = 0;
  for (int turn = 0; turn < 40; turn++) {
    double middle = 0.5 * (start + end);
    for (int c = 0; c < 3; c++) {
      place.pos[c] = sc->first_pose[0].pos[c] + middle * u[c] / sqrt(length);
    }
    if (separation(&sc->first[0], &far_one, proof, far, NULL) > -shallow_depth(sc, 0)) {
      start = middle;
    } else {
      end = middle;
    }
  }
  double step = (2 * reach + shallow_depth(sc, 0)) / PAIRS;
  for (int i = 0; i < PAIRS; i++) {
    pose *p = &sc->first_pose[i], *q = &sc->second_pose[i];
    *p = sc->first_pose[0];
    memcpy(q->mat, place.mat, sizeof q->mat);
    for (int c = 0; c < 3; c++) {
      q->pos[c] = p->pos[c] + (start + step * i) * u[c] / sqrt(length);
    }
    sn_shape a = sc->first[0], b = sc->second[0];
    a.pos = p->pos;
    a.mat = p->mat;
    b.pos = q->pos;
    b.mat = q->mat;
    sc->first[i] = a;
    sc->second[i] = b;
  }
  return step;
}

// A distance changes by at most the length of the motion; that of an approximate method by a few
// times as much.
static void check_path(kit *k, int type1, int type2, worst *w) {
  static scene sc;
  answer a;
  double step = make_path(k, &sc, type1, type2), before = 0;
  run_batch(k, &sc, 0, capacity_of(k), &a);
  for (int i = 0; i < PAIRS && a.status == SN_OK; i++) {
    double now = a.deepest[i] >= 0 ? a.point[a.deepest[i]].dist : reach;
    if (i > 0) {
      update_worst(w, &sc, i, fabs(now - before) / step,
                   "moved by %.3g m, the distance is %.9g, before %.9g", step, now, before);
    }
    before = now;
  }
  free(a.point);
}

// ------------------------------------------------------------------ degenerate shapes

// Height fields that are flat, thin, of one cell, or a needle; from a nanometer to a kilometer.
static const sn_hfield_view *degenerate_field(int i) {
  static const double flat[4] = { 0, 0, 0, 0 }, step[9] = { 0, 0, 0, 0, 1, 1, 0, 1, 1 };
  static const sn_hfield_view fields[] = {
    { .size = sizeof(sn_hfield_view),
      .nrow = 2,
      .ncol = 2,
      .data = flat,
      .extent = { 1, 1, 1, 1e-9 } },
    { .size = sizeof(sn_hfield_view),
      .nrow = 3,
      .ncol = 3,
      .data = step,
      .extent = { 1e-9, 1e-9, 1e-9, 1e-9 } },
    { .size = sizeof(sn_hfield_view),
      .nrow = 3,
      .ncol = 3,
      .data = step,
      .extent = { 1e3, 1e-3, 1e3, 1e-3 } },
    { .size = sizeof(sn_hfield_view),
      .nrow = 3,
      .ncol = 3,
      .data = step,
      .extent = { 1e3, 1e3, 1e-300, 1e-300 } },
    { .size = sizeof(sn_hfield_view),
      .nrow = 2,
      .ncol = 2,
      .data = step,
      .extent = { 1e3, 1e3, 1e3, 1e3 } },
  };
  return &fields[i % (int)(sizeof fields / sizeof fields[0])];
}

// Sizes from zero to a kilometer, one shape inside the other or separated, in equal or random
// orientations.
static void check_degenerate(kit *k, int type1, int type2, worst *w) {
  static const double sizes[] = { 0, 1e-300, 1e-9, 1e-3, 1e3 };
  static const double point[3] = { 0.1, 0.2, 0.3 };
  static const sn_mesh_view dot = { .size = sizeof(sn_mesh_view), .nvert = 1, .vert = point };
  static scene sc;
  answer a;
  make_scene(k, &sc, type1, type2);
  for (int i = 0; i < PAIRS; i++) {
    sn_shape *s[2] = { &sc.first[i], &sc.second[i] };
    for (int side = 0; side < 2; side++) {
      for (int c = 0; c < 3; c++) {
        s[side]->size[c] = sizes[(i + (side && i % 3 ? i / 5 : 0) + (i % 4 ? 0 : c)) % 5];
      }
      shape_fit(s[side], side ? &sc.second_pose[i] : &sc.first_pose[i]);
      if (s[side]->mesh && i % 2) {
        s[side]->mesh = &dot;
      }
      if (s[side]->hfield) {
        s[side]->hfield = degenerate_field(i / 2);
      }
    }
    if (i / 8 % 2) {
      memcpy(sc.second_pose[i].mat, sc.first_pose[i].mat, sizeof sc.first_pose[i].mat);
    }
    for (int c = 0; c < 3; c++) {
      double away = i / 16 == 0 ? 0 : i / 16 == 1 ? s[1]->size[0] : kit_random(k);
      sc.second_pose[i].pos[c] = sc.first_pose[i].pos[c] + away;
    }
  }
  run_batch(k, &sc, 0, capacity_of(k), &a);
  if (a.status != SN_OK || a.count > capacity_of(k)) {
    update_worst(w, &sc, -1, INFINITY, "status %d, %lld contact points", (int)a.status,
                 (long long)a.count);
  } else {
    check_form(k, &sc, &a, w);
    for (int64_t t = 0; t < a.count; t++) {
      update_worst(w, &sc, a.point[t].pair, isfinite(a.point[t].dist) ? 0 : INFINITY,
                   "the distance is %g", a.point[t].dist);
    }
  }
  free(a.point);
}

// ------------------------------------------------------------------ distances and rays

static void check_distance(kit *k, const scene *sc, int i, results *v) {
  const sn_collider_ops *ops = k->provider->ops;
  double got = 0, p[6] = { 0 }, between = 0;
  sn_status status = KIT_CALL(ops, distance)(k->self, &sc->first[i], &sc->second[i], far, &got, p,
                                             p + 3, &k->scratch);
  status = kit_status(k, "distance", status);
  kit_scratch_clear(k);
  if (status == SN_EUNSUPPORTED) {
    return;
  }
  double truth = truth_of(sc, i, far);
  for (int c = 0; c < 3; c++) {
    between += (p[c] - p[3 + c]) * (p[c] - p[3 + c]);
  }
  update_worst(&v->distance, sc, i, status < 0 ? INFINITY : fabs(got - truth),
               "`distance` returned %.9g instead of %.9g", got, truth);
  update_worst(&v->points, sc, i, status < 0 ? INFINITY : fabs(sqrt(between) - fabs(got)),
               "the nearest points are %.9g apart at the distance %.9g", sqrt(between), got);

  // with a limit below the distance, the result is the limit, and no points
  double limit = truth - 0.01;
  status = KIT_CALL(ops, distance)(k->self, &sc->first[i], &sc->second[i], limit, &got, p, p + 3,
                                   &k->scratch);
  status = kit_status(k, "distance", status);
  kit_scratch_clear(k);
  int limited = status >= 0 && got == limit;
  for (int c = 0; c < 6; c++) {
    limited = limited && p[c] == 0;
  }
  update_worst(&v->points, sc, i, limited || truth < 0 ? 0 : INFINITY,
               "with a limit of %.9g, below the distance, `distance` returned %.9g and points",
               limit, got);
}

// The end of a ray, as a sphere of radius zero, is at the surface, and a ray towards the center
// hits. A collider without rays for a type returns SN_EUNSUPPORTED for all shapes of it.
static void check_rays(kit *k, const scene *sc, worst *w) {
  const sn_collider_ops *ops = k->provider->ops;
  int missed = -1, unsupported = 0;
  for (int i = 0; i < PAIRS; i++) {
    const sn_shape *s = &sc->second[i];
    double end[3], origin[3], direction[3], length = 0;
    for (int c = 0; c < 3; c++) {
      origin[c] = s->pos[c] + 3 * kit_random(k);
      direction[c] = s->pos[c] - origin[c];
      length += direction[c] * direction[c];
    }
    for (int c = 0; c < 3; c++) {
      direction[c] /= sqrt(length);
    }
    double x = NAN;
    const sn_status status = kit_status(k, "ray",
                                        KIT_CALL(ops, ray)(k->self, s, origin, direction, &x));
    unsupported += status == SN_EUNSUPPORTED;
    if (status == SN_EUNSUPPORTED) {
      continue;
    }
    if (status < 0 || !(x >= 0)) {
      missed = i;
      continue;
    }
    for (int c = 0; c < 3; c++) {
      end[c] = origin[c] + x * direction[c];
    }
    const sn_shape ball = { .type = SN_GEOM_SPHERE, .pos = end, .mat = s->mat };
    double off = fabs(separation(&ball, s, proof, far, NULL));
    update_worst(w, sc, i, off,
                 "a ray to the center of the %s ends %.3g m off its surface, after %.9g m",
                 shape_name(s), off, x);
  }
  if (unsupported > 0 && unsupported < PAIRS) {
    update_worst(w, sc, 0, INFINITY, "rays to a %s are supported for some shapes only",
                 shape_name(&sc->second[0]));
  }
  if (missed >= 0) {
    update_worst(w, sc, missed, INFINITY, "a ray to the center of the %s misses it",
                 shape_name(&sc->second[missed]));
  }
}

// ------------------------------------------------------------------

void test_truth(kit *k, int type1, int type2, int general, results *v) {
  const sn_collider_ops *ops = k->provider->ops;
  static scene sc;
  answer a;
  make_scene(k, &sc, type1, type2);
  sc.general = general;
  run_batch(k, &sc, 0, capacity_of(k), &a);
  if (a.status == SN_OK && a.count <= capacity_of(k)) {
    double distance[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
      distance[i] = truth_of(&sc, i, reach + 1);
    }
    check_depth(&sc, &a, distance, &v->depth);
    check_points(&sc, &a, distance, v);
  }
  free(a.point);
  check_path(k, type1, type2, &v->jump);
  check_degenerate(k, type1, type2, &v->degenerate);
  for (int i = 0; i < PAIRS; i++) {
    if (ops->distance) {
      check_distance(k, &sc, i, v);
    }
  }
  if (ops->ray && type2 != SN_GEOM_MESH) {
    check_rays(k, &sc, &v->ray);
  }
}

void report_truth(kit *k, const results *v) {
  const sn_collider_ops *ops = k->provider->ops;
  report_worst(k, "depth", &v->depth, 1,
               "compared with brute force, error relative to the tolerance:");
  report_worst(k, "normals", &v->normal, 1,
               "by the distance after a motion along them, error relative to the tolerance:");
  report_worst(k, "positions", &v->position, 1,
               "half of the distance from both surfaces, error relative to the tolerance:");
  report_worst(k, "continuous", &v->jump, 3,
               "change of the depth along a path, relative to the motion:");
  report_worst(k, "degenerate", &v->degenerate, form_tolerance,
               "degenerate shapes, largest error of normals and margins:");
  if (ops->distance) {
    report_worst(k, "distance", &v->distance, distance_tolerance,
                 "compared with brute force, largest error of `distance`:");
    report_worst(k, "nearest points", &v->points, distance_tolerance,
                 "largest error of their distance:");
  }
  if (ops->ray) {
    report_worst(k, "rays", &v->ray, ray_tolerance,
                 "largest distance of their ends to the surface:");
  }
}
