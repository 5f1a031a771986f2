// SPDX-License-Identifier: Apache-2.0
//
// Candidates to contacts. Candidates are put in bins, one a pair of types; each bin is a batch,
// one call of the collider that serves it. What touches is then sorted, and written to the
// contact_* fields.
//
//   candidates  (box,box) (plane,sphere) (box,box) ...
//   batches     plane-sphere [..] -> touches    box-box [....] -> touches
//   hits        one a pair that touches: key, candidate, its run of touches
//   contacts    hits in the order of their keys
//
// The contact frame has rows normal, first tangent, second tangent. The collider may give a hint
// of the first tangent; else it is the y axis, or the z axis when the normal is near y, made
// orthogonal to the normal. The second one is normal x first.

#include "contact/collision.h"

enum { NBIN = SN_NGEOMTYPES * SN_NGEOMTYPES };
enum { MOST_POINTS = 1 << 16 };   // of a pair; who asks for more asks for nonsense

// A pair that touches.
typedef struct hit {
  const si_candidate *candidate;
  const sn_touch *touch;
  int64_t n;
} hit;

typedef struct hits {
  hit *at;   // room for every candidate
  si_sort_key *key;
  int64_t n;
  int64_t ntouch;
} hits;

static int32_t bin_of(const sn_model *m, const si_candidate *c) {
  return m->geom_type[c->geom1] * SN_NGEOMTYPES + m->geom_type[c->geom2];
}

// Stable: candidates of one bin keep their order. start: NBIN + 1.
static si_candidate *bin_candidates(const sn_model *m, si_arena *arena, const si_candidates *list,
                                    int64_t *start) {
  int64_t next[NBIN] = { 0 };
  for (int64_t i = 0; i < list->n; i++) {
    next[bin_of(m, &list->at[i])]++;
  }
  start[0] = 0;
  for (int k = 0; k < NBIN; k++) {
    start[k + 1] = start[k] + next[k];
    next[k] = start[k];
  }
  si_candidate *out = si_arena_take(arena, list->n * (int64_t)sizeof *out, 64);
  for (int64_t i = 0; i < list->n; i++) {
    out[next[bin_of(m, &list->at[i])]++] = list->at[i];
  }
  return out;
}

// ------------------------------------------------------------------ batches

static void batch_shapes(const sn_model *m, const sn_data *d, si_arena *arena, int64_t n,
                         const si_candidate *candidate, sn_batch *batch) {
  sn_shape *first = si_arena_take(arena, n * (int64_t)sizeof *first, 64);
  sn_shape *second = si_arena_take(arena, n * (int64_t)sizeof *second, 64);
  double *margin = si_arena_reals(arena, n);
  for (int64_t i = 0; i < n; i++) {
    first[i] = si_geom_shape(m, d, candidate[i].geom1);
    second[i] = si_geom_shape(m, d, candidate[i].geom2);
    margin[i] = candidate[i].margin;
  }
  *batch = (sn_batch){
    .size = sizeof *batch,
    .flags = m->opt.enableflags & SN_ENABLE_MULTICCD ? SN_BATCH_MULTI : 0,
    .n = n,
    .first = first,
    .second = second,
    .margin = margin,
    .tolerance = m->opt.mpr_tolerance[0],
    .iterations = m->opt.mpr_iterations,
  };
}

static sn_status blame(sn_data *d, const si_provider *provider, const char *what,
                       const si_candidate *c) {
  return si_fail(&d->error, SN_EPLUGIN, "collider %s: %s (geoms %d and %d)", provider->name, what,
                 (int)c->geom1, (int)c->geom2);
}

static int is_finite3(const double *a) {
  return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

// What a collider returned makes sense, or it is named.
static sn_status check_touches(sn_data *d, const si_provider *provider, int64_t n,
                               const si_candidate *candidate, const sn_touches *touches) {
  const double unit_tolerance = 1e-6;   // of the square of the length of a normal
  int32_t last = 0;
  for (int64_t i = 0; i < touches->count; i++) {
    const sn_touch *t = &touches->touch[i];
    if (t->pair < last || t->pair >= n) {
      return si_fail(&d->error, SN_EPLUGIN,
                     "collider %s: touch %lld of a batch of %lld pairs "
                     "belongs to pair %d, which is out of range or out of order",
                     provider->name, (long long)i, (long long)n, (int)t->pair);
    }
    last = t->pair;
    if (!isfinite(t->dist) || !is_finite3(t->pos) || !is_finite3(t->tangent)) {
      return blame(d, provider, "a touch is not finite", &candidate[t->pair]);
    }
    if (!(fabs(sn_dot3(t->normal, t->normal) - 1) < unit_tolerance)) {
      return blame(d, provider, "a normal is not of unit length", &candidate[t->pair]);
    }
  }
  return SN_OK;
}

// One call of a collider, repeated with more room when it asks for it.
static sn_status run_batch(const sn_model *m, sn_data *d, const si_provider *provider, int64_t n,
                           const si_candidate *candidate, sn_touches *touches) {
  const int64_t eager = 4096;   // touches that are reserved without being asked for
  const sn_collider_ops *ops = provider->ops;
  int64_t most = n * (ops->max_points > 0 ? ops->max_points : 8);
  *touches = (sn_touches){ .size = sizeof *touches,
                           .capacity = most < eager ? most : eager + 2 * n };
  for (;;) {
    touches->touch = si_arena_take(&d->scratch, touches->capacity * (int64_t)sizeof(sn_touch), 64);
    touches->count = 0;
    touches->dropped = 0;
    si_mark mark = si_arena_mark(&d->scratch);
    sn_batch batch;
    batch_shapes(m, d, &d->scratch, n, candidate, &batch);
    sn_status status = ops->collide(provider->self, &batch, touches, si_data_lend(d, provider));
    si_data_watch(d, provider);
    si_arena_release(&d->scratch, mark);
    if (status < 0) {
      return blame(d, provider, sn_status_name(status), candidate);
    }
    if (status != SN_MORE && touches->count >= 0 && touches->count <= touches->capacity) {
      if (touches->dropped) {
        si_data_warn(d, SN_WARN_CONTACTS,
                     "collider %s keeps the first %d of a pair; at least %u more", provider->name,
                     (int)ops->max_points, (unsigned)touches->dropped);
      }
      return check_touches(d, provider, n, candidate, touches);
    }
    if (touches->count <= touches->capacity) {
      return blame(d, provider, "it asks for more room than it says it needs", candidate);
    }
    if (touches->count / n > MOST_POINTS) {
      return blame(d, provider, "it asks for room for more points than a pair can have", candidate);
    }
    touches->capacity = touches->count;
  }
}

// ------------------------------------------------------------------ hits

static void add_hits(const sn_model *m, const si_candidate *candidate, const sn_touches *touches,
                     hits *out) {
  for (int64_t i = 0; i < touches->count;) {
    const si_candidate *c = &candidate[touches->touch[i].pair];
    hit h = { .candidate = c, .touch = &touches->touch[i] };
    for (; i < touches->count && touches->touch[i].pair == h.touch->pair; i++) {
      h.n++;
      out->ntouch += touches->touch[i].dist <= c->margin;
    }
    out->key[out->n] = (si_sort_key){ si_pair_key(m->geom_bodyid[c->geom1],
                                                  m->geom_bodyid[c->geom2]),
                                      si_pair_key(c->geom1, c->geom2), out->n };
    out->at[out->n++] = h;
  }
}

// ------------------------------------------------------------------ contacts

static void make_frame(double *frame, const double *normal, const double *hint) {
  double *x = frame, *y = frame + 3, *z = frame + 6;
  sn_copy3(x, normal);
  sn_normalize3(x);
  sn_copy3(y, hint);
  sn_addscale3(y, y, -sn_dot3(x, y), x);
  if (sn_norm3(y) < SN_TINY) {
    sn_zero3(y);
    y[fabs(x[1]) < 0.5 ? 1 : 2] = 1;
    sn_addscale3(y, y, -sn_dot3(x, y), x);
  }
  sn_normalize3(y);
  sn_cross(z, x, y);
}

static void take_fields(sn_data *d, int64_t n) {
  si_arena *a = &d->results;
  d->contact_dist = si_arena_reals(a, n);
  d->contact_pos = si_arena_reals(a, 3 * n);
  d->contact_frame = si_arena_reals(a, 9 * n);
  d->contact_includemargin = si_arena_reals(a, n);
  d->contact_friction = si_arena_reals(a, 5 * n);
  d->contact_solref = si_arena_reals(a, 2 * n);
  d->contact_solimp = si_arena_reals(a, 5 * n);
  d->contact_mu = si_arena_reals(a, n);
  d->contact_dim = si_arena_ints(a, n);
  d->contact_geom1 = si_arena_ints(a, n);
  d->contact_geom2 = si_arena_ints(a, n);
  d->contact_exclude = si_arena_ints(a, n);
  d->contact_efc_address = si_arena_ints(a, n);
}

static void write_contact(sn_data *d, int64_t i, const si_candidate *c, const sn_touch *t,
                          const si_contact_params *p) {
  d->contact_dist[i] = t->dist;
  sn_copy3(d->contact_pos + 3 * i, t->pos);
  make_frame(d->contact_frame + 9 * i, t->normal, t->tangent);
  d->contact_includemargin[i] = p->includemargin;
  memcpy(d->contact_friction + 5 * i, p->friction, sizeof p->friction);
  memcpy(d->contact_solref + 2 * i, p->solref, sizeof p->solref);
  memcpy(d->contact_solimp + 5 * i, p->solimp, sizeof p->solimp);
  d->contact_mu[i] = 0;
  d->contact_dim[i] = p->dim;
  d->contact_geom1[i] = c->geom1;
  d->contact_geom2[i] = c->geom2;
  d->contact_exclude[i] = t->dist >= p->includemargin;
  d->contact_efc_address[i] = -1;
}

static void write_contacts(const sn_model *m, sn_data *d, const hits *h) {
  take_fields(d, h->ntouch);
  for (int64_t i = 0; i < h->n; i++) {
    const hit *x = &h->at[h->key[i].index];
    si_contact_params params;
    si_mix(m, x->candidate, &params);
    for (int64_t k = 0; k < x->n; k++) {
      if (x->touch[k].dist <= x->candidate->margin) {
        write_contact(d, d->ncon++, x->candidate, &x->touch[k], &params);
      }
    }
  }
}

// ------------------------------------------------------------------

static sn_status collide_candidates(const sn_model *m, sn_data *d, const si_candidates *list) {
  int64_t start[NBIN + 1];
  const si_candidate *candidate = bin_candidates(m, &d->scratch, list, start);
  hits h = { 0 };
  h.at = si_arena_take(&d->scratch, list->n * (int64_t)sizeof *h.at, 64);
  h.key = si_arena_take(&d->scratch, list->n * (int64_t)sizeof *h.key, 64);
  for (int k = 0; k < NBIN; k++) {
    int64_t n = start[k + 1] - start[k];
    if (n == 0) {
      continue;
    }
    const si_provider *provider = m->bound.collider[k / SN_NGEOMTYPES][k % SN_NGEOMTYPES];
    sn_touches touches;
    SN_TRY(run_batch(m, d, provider, n, candidate + start[k], &touches));
    add_hits(m, candidate + start[k], &touches, &h);
  }
  if (h.n) {
    si_sort_key *work = si_arena_take(&d->scratch, h.n * (int64_t)sizeof *work, 64);
    si_sort_keys(h.key, work, h.n);
    write_contacts(m, d, &h);
  }
  return SN_OK;
}

sn_status si_collide(const sn_model *m, sn_data *d) {
  si_data_clear_step(d);
  if (m->opt.disableflags & (SN_DISABLE_CONSTRAINT | SN_DISABLE_CONTACT)) {
    return SN_OK;
  }
  si_mark mark = si_arena_mark(&d->scratch);
  si_candidates list = { .arena = &d->scratch };
  si_candidates_find(m, d, &list);
  sn_status status = si_filter_select(m, d, &list);
  if (status >= 0 && list.n) {
    status = collide_candidates(m, d, &list);
  }
  si_arena_release(&d->scratch, mark);
  return status;
}
