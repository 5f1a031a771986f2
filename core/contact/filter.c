// SPDX-License-Identifier: Apache-2.0
//
// The four documented filters of pairs of geoms:
//   1  some collider supports the two types
//   2  the bounding spheres, or a plane and a sphere, are within the margin
//   3  not of one body, nor of a body and its parent (bodies welded together are one body; the
//      world is not a parent here; SN_DISABLE_FILTERPARENT allows parents)
//   4  (contype1 & conaffinity2) || (contype2 & conaffinity1)
// and the excluded pairs of bodies. Explicit pairs pass 3, 4 and the exclusions unasked; what is
// an explicit pair is not generated dynamically too, unless only dynamic ones are. What is left, of
// either origin, is shown to the filters that are plugins.

#include <stdlib.h>

#include "contact/collision.h"

static si_filter_geom filter_geom(const sn_model *m, int64_t g) {
  int32_t body = m->geom_bodyid[g], weld = m->body_weldid[body];
  int32_t parent = m->body_weldid[m->body_parentid[weld]];
  return (si_filter_geom){
    .type = m->geom_type[g],
    .body = body,
    .weld = weld,
    .parent = parent > 0 ? parent : -1,
    .contype = m->geom_contype[g],
    .conaffinity = m->geom_conaffinity[g],
  };
}

static int compare_keys(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

static int has_key(const uint64_t *keys, int64_t n, uint64_t key) {
  int64_t lo = 0, hi = n;
  while (lo < hi) {
    int64_t mid = (lo + hi) / 2;
    if (keys[mid] < key) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo < n && keys[lo] == key;
}

// The ids are (first[i], second[i]); out: n keys, ascending.
static uint64_t *sorted_keys(int64_t n, const int32_t *first, const int32_t *second) {
  uint64_t *keys = calloc((size_t)n + 1, sizeof *keys);
  if (keys) {
    for (int64_t i = 0; i < n; i++) {
      keys[i] = si_pair_key(first[i], second[i]);
    }
    qsort(keys, (size_t)n, sizeof *keys, compare_keys);
  }
  return keys;
}

sn_status si_filter_new(const sn_model *m, struct si_broadphase *b, sn_error *error) {
  b->filter = calloc((size_t)m->ngeom + 1, sizeof *b->filter);
  b->exclude = sorted_keys(m->nexclude, m->exclude_body1, m->exclude_body2);
  b->paired = sorted_keys(m->npair, m->pair_geom1, m->pair_geom2);
  uint8_t *excluded = calloc((size_t)m->nbody + 1, 1);
  if (!b->filter || !b->exclude || !b->paired || !excluded) {
    free(excluded);
    return si_fail(error, SN_ENOMEM, "out of memory for the contact filters of %lld geoms",
                   (long long)m->ngeom);
  }
  b->nexclude = m->nexclude;
  b->npaired = m->npair;
  for (int64_t i = 0; i < m->nexclude; i++) {
    excluded[m->exclude_body1[i]] = excluded[m->exclude_body2[i]] = 1;
  }
  for (int64_t g = 0; g < m->ngeom; g++) {
    b->filter[g] = filter_geom(m, g);
    b->filter[g].excluded = excluded[m->geom_bodyid[g]];
  }
  for (int64_t i = 0; i < m->npair; i++) {
    b->filter[m->pair_geom1[i]].paired = b->filter[m->pair_geom2[i]].paired = 1;
  }
  free(excluded);
  return SN_OK;
}

int si_filter_parts(const sn_model *m, const struct si_broadphase *b, int32_t geom1,
                    int32_t geom2) {
  const si_filter_geom *x = &b->filter[geom1], *y = &b->filter[geom2];
  return x->weld != y->weld && ((x->weld != y->parent && y->weld != x->parent) ||
                                m->opt.disableflags & SN_DISABLE_FILTERPARENT);
}

int si_filter_wants(const sn_model *m, const struct si_broadphase *b, int32_t geom1,
                    int32_t geom2) {
  const si_filter_geom *x = &b->filter[geom1], *y = &b->filter[geom2];
  if (!((x->contype & y->conaffinity) || (y->contype & x->conaffinity)) ||
      !si_filter_parts(m, b, geom1, geom2)) {
    return 0;
  }
  if (x->excluded && y->excluded &&
      has_key(b->exclude, b->nexclude, si_pair_key(x->body, y->body))) {
    return 0;
  }
  return !(x->paired && y->paired && m->opt.collision == SN_COLLISION_ALL &&
           has_key(b->paired, b->npaired, si_pair_key(geom1, geom2)));
}

int si_filter_kinds(const sn_model *m, const struct si_broadphase *b, int32_t geom1,
                    int32_t geom2) {
  int32_t type1 = b->filter[geom1].type, type2 = b->filter[geom2].type;
  int32_t lo = type1 < type2 ? type1 : type2, hi = type1 < type2 ? type2 : type1;
  return m->bound.collider[lo][hi] && si_filter_wants(m, b, geom1, geom2);
}

// The center of a bounding sphere above a plane is at most this far.
static int plane_meets(const sn_data *d, int64_t plane, int64_t geom, double reach) {
  const double *mat = d->geom_xmat + 9 * plane;
  const double normal[3] = { mat[2], mat[5], mat[8] };
  double to[3];
  sn_sub3(to, d->geom_xpos + 3 * geom, d->geom_xpos + 3 * plane);
  return sn_dot3(to, normal) <= reach + si_bounds_slack * fabs(reach);
}

int si_filter_bounds(const sn_model *m, const sn_data *d, int32_t geom1, int32_t geom2,
                     double margin) {
  double r1 = m->geom_rbound[geom1], r2 = m->geom_rbound[geom2];
  if (r1 > 0 && r2 > 0) {
    double to[3], reach = r1 + r2 + margin;
    sn_sub3(to, d->geom_xpos + 3 * (int64_t)geom2, d->geom_xpos + 3 * (int64_t)geom1);
    return reach >= 0 && sn_dot3(to, to) <= reach * reach * (1 + si_bounds_slack);
  }
  if (r2 > 0 && m->geom_type[geom1] == SN_GEOM_PLANE) {
    return plane_meets(d, geom1, geom2, r2 + margin);
  }
  if (r1 > 0 && m->geom_type[geom2] == SN_GEOM_PLANE) {
    return plane_meets(d, geom2, geom1, r1 + margin);
  }
  return 1;
}

// ------------------------------------------------------------------ plugins

// what one filter keeps moves to the front
static sn_status ask_filter(const si_binding *b, const sn_data *d, si_worker *w,
                            si_candidates *list) {
  const sn_filter_ops *ops = b->provider->ops;
  const int64_t bytes = list->n * (int64_t)sizeof(int32_t);
  int32_t *geom1 = si_arena_take(&w->scratch, bytes, 64);
  int32_t *geom2 = si_arena_take(&w->scratch, bytes, 64);
  int32_t *keep = si_arena_take(&w->scratch, bytes, 64);
  for (int64_t i = 0; i < list->n; i++) {
    geom1[i] = list->at[i].geom1;
    geom2[i] = list->at[i].geom2;
    keep[i] = 1;
  }
  si_worker_output(w, "keep", keep, bytes);
  const si_call call = si_worker_enter(w, b->provider, "select");
  sn_status status = ops->select(b->provider->self, b->bound, &d->view, list->n, geom1, geom2, keep,
                                 si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  if (status < 0) {
    return si_worker_fail(w, SN_EPLUGIN, b->provider, "select", status);
  }
  int64_t n = 0;
  for (int64_t i = 0; i < list->n; i++) {
    if (keep[i]) {
      list->at[n++] = list->at[i];
    }
  }
  list->n = n;
  return SN_OK;
}

sn_status si_filter_select(const sn_model *m, const sn_data *d, si_worker *w, si_candidates *list) {
  for (int64_t k = 0; k < m->bound.filter.n && list->n > 0; k++) {
    si_mark mark = si_arena_mark(&w->scratch);
    sn_status status = ask_filter(&m->bound.filter.at[k], d, w, list);
    si_arena_release(&w->scratch, mark);
    SN_TRY(status);
  }
  return SN_OK;
}
