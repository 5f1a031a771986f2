// SPDX-License-Identifier: Apache-2.0
//
// Candidates to contacts. Candidates are put in bins, one a pair of types; each bin is a batch,
// one call of the collider of this pair of types. Shapes of plugins are in batches of one kind of
// shape, so that a collider can decline those that it does not know; where several workers share
// the batches, large ones are split. The pairs in contact are then sorted, and their contact points
// written to the contact_* fields.
//
//   candidates  (box,box) (plane,sphere) (box,box) ...
//   batches     plane-sphere [..] -> contact points    box-box [....] -> contact points
//   hits        one a pair in contact: key, candidate, its run of contact points
//   contacts    hits in the order of their keys
//
// The contact frame has rows normal, first tangent, second tangent. The collider may give a hint
// of the first tangent; else it is the y axis, or the z axis when the normal is near y, made
// orthogonal to the normal. The second one is normal x first.

#include <stdio.h>

#include "base/plain.h"
#include "contact/collision.h"
#include "contact/guarded_shape.h"
#include "data/share.h"

enum { NBIN = SN_NGEOMTYPES * SN_NGEOMTYPES };
enum {
  MOST_POINTS = 1 << 16
};   // of a pair: a limit of sanity, a collider that needs more is at fault

// Candidates for one call of a collider, and what it found.
typedef struct pair_batch {
  const si_candidate *candidate;
  int64_t n;
  int32_t waits, reserved;   // until no other batch runs
  sn_contact_list points;
} pair_batch;

// A pair in contact.
typedef struct hit {
  const si_candidate *candidate;
  const sn_contact_point *point;
  int64_t n;
} hit;

typedef struct hits {
  hit *at;   // room for every candidate
  si_sort_key *key;
  int64_t n;
  int64_t npoint;
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
    .flags = m->opt.enableflags & SN_ENABLE_MULTICCD ? SN_BATCH_MULTICONTACT : 0,
    .n = n,
    .first = first,
    .second = second,
    .margin = margin,
    .tolerance = m->opt.mpr_tolerance,
    .iterations = m->opt.mpr_iterations,
  };
}

const char *si_geom_title(const sn_model *m, int64_t geom, char out[SI_GEOM_TITLE]) {
  return si_model_title(m, "geom", (int32_t)geom, out);
}

// The error names the collider, its plugin and the geoms.
static sn_status blame(si_worker *w, const si_provider *provider, const si_candidate *c,
                       const char *format, ...) {
  const sn_model *m = w->data->model;
  char subject[SI_PROVIDER_TITLE], geom1[SI_GEOM_TITLE], geom2[SI_GEOM_TITLE], what[256];
  va_list list;
  va_start(list, format);
  si_plain_print(what, sizeof what, format, list);
  va_end(list);
  return si_fail(&w->error, SN_EPLUGIN, "%s: its operation 'collide' %s (%s and %s)",
                 si_provider_title(provider, subject), what, si_geom_title(m, c->geom1, geom1),
                 si_geom_title(m, c->geom2, geom2));
}

static int is_finite3(const double *a) {
  return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

// Checks what a collider returned; the error names the collider.
static sn_status check_points(si_worker *w, const si_provider *provider, int64_t n,
                              const si_candidate *candidate, const sn_contact_list *points) {
  const double unit_tolerance = 1e-6;   // of the square of the length of a normal
  int32_t last = 0;
  for (int64_t i = 0; i < points->count; i++) {
    const sn_contact_point *t = &points->point[i];
    if (t->pair < last || t->pair >= n) {
      return blame(w, provider, candidate,
                   "returned contact point %lld of a batch of %lld pairs for pair %d, which is out "
                   "of range or out of order; the first pair is",
                   (long long)i, (long long)n, (int)t->pair);
    }
    last = t->pair;
    if (!isfinite(t->dist) || !is_finite3(t->pos) || !is_finite3(t->tangent)) {
      return blame(w, provider, &candidate[t->pair], "returned a contact point that is not finite");
    }
    if (!(fabs(sn_dot3(t->normal, t->normal) - 1) < unit_tolerance)) {
      return blame(w, provider, &candidate[t->pair],
                   "returned a normal that is not of unit length");
    }
  }
  return SN_OK;
}

// Of a batch: whether one of its two types is that of shapes of plugins. It is the higher one.
static int has_user_shapes(const sn_model *m, const si_candidate *first) {
  return m->geom_type[first->geom2] == SN_GEOM_USER;
}

static void warn_dropped(si_worker *w, const si_provider *provider, const sn_contact_list *points) {
  if (points->dropped) {
    si_worker_warn(w, SN_WARN_CONTACTS,
                   "collider %s: only the first %d contact points of a pair are kept; there are at "
                   "least %u more",
                   provider->name, (int)((const sn_collider_ops *)provider->ops)->max_points,
                   (unsigned)points->dropped);
  }
}

// Of a call with too many contact points for the capacity: whether it can be repeated.
static sn_status check_count(si_worker *w, const si_provider *provider, int64_t n,
                             const si_candidate *candidate, const sn_contact_list *points,
                             int is_repeated) {
  if (points->count < 0) {
    return blame(w, provider, candidate, "returned a negative number of contact points, %lld",
                 (long long)points->count);
  }
  if (points->count <= points->capacity) {
    return blame(w, provider, candidate,
                 "returned SN_MORE, but its %lld contact points fit the capacity of %lld",
                 (long long)points->count, (long long)points->capacity);
  }
  if (points->count / n > MOST_POINTS) {
    return blame(w, provider, candidate,
                 "returned %lld contact points for %lld pairs; the limit is %d for a pair",
                 (long long)points->count, (long long)n, MOST_POINTS);
  }
  if (is_repeated) {
    return blame(w, provider, candidate,
                 "returned SN_MORE for %lld contact points, and when it was called with that "
                 "capacity, for %lld",
                 (long long)points->capacity, (long long)points->count);
  }
  return SN_OK;
}

// One call of a collider, repeated once with the capacity that it needs when that was too small.
// SN_EUNSUPPORTED, without an error: it declines the batch.
static sn_status run_batch(const sn_model *m, const sn_data *d, si_worker *w,
                           const si_provider *provider, int64_t n, const si_candidate *candidate,
                           sn_contact_list *points) {
  const int64_t eager = 4096;   // contact points that are reserved at first, at most
  const sn_collider_ops *ops = provider->ops;
  const int has_shapes = has_user_shapes(m, candidate);
  int64_t most = n * (ops->max_points > 0 ? ops->max_points : 8);
  *points = (sn_contact_list){ .size = sizeof *points,
                               .capacity = most < eager ? most : eager + 2 * n };
  for (int is_repeated = 0;; is_repeated = 1) {
    const si_mark before = si_arena_mark(&w->scratch);
    points->point = si_arena_take(&w->scratch, points->capacity * (int64_t)sizeof(sn_contact_point),
                                  64);
    points->count = 0;
    points->dropped = 0;
    si_mark mark = si_arena_mark(&w->scratch);
    sn_batch batch;
    batch_shapes(m, d, &w->scratch, n, candidate, &batch);
    si_worker_output(w, "point", points->point, points->capacity * (int64_t)sizeof *points->point);
    si_worker_struct(w, "sn_contact_list", &points->point, sizeof points->point);
    si_worker_struct(w, "sn_contact_list", &points->capacity, sizeof points->capacity);
    if (has_shapes) {
      si_guarded_shapes_start();
    }
    const si_call call = si_worker_enter(w, provider, "collide");
    sn_status status = ops->collide(provider->self, &batch, points, si_worker_lend(w));
    status = si_worker_leave(w, &call, status);
    si_arena_release(&w->scratch, mark);
    SN_TRY(has_shapes ? si_guarded_shapes_end(m, &w->error) : SN_OK);
    if (status < 0) {
      return status == SN_EUNSUPPORTED
                 ? status
                 : blame(w, provider, candidate, "returned %s", sn_status_name(status));
    }
    if (status != SN_MORE && points->count >= 0 && points->count <= points->capacity) {
      warn_dropped(w, provider, points);
      return check_points(w, provider, n, candidate, points);
    }
    SN_TRY(check_count(w, provider, n, candidate, points, is_repeated));
    si_arena_release(&w->scratch, before);
    points->capacity = points->count;
  }
}

static int runs_serially(const si_provider *p) {
  return p && ((const sn_ops *)p->ops)->flags & SN_OPS_SERIAL;
}

// Must the batch wait until no other one runs, because of its collider or a shape?
static int must_wait(const sn_model *m, const si_worker *w, const si_provider *collider,
                     const si_candidate *first) {
  return w->note && (runs_serially(collider) || runs_serially(si_geom_provider(m, first->geom1)) ||
                     runs_serially(si_geom_provider(m, first->geom2)));
}

// The batch goes to the next collider in line when one declines it.
static sn_status ask_colliders(const sn_model *m, const sn_data *d, si_worker *w, pair_batch *b) {
  const si_collider_line line = si_collider_line_of(m, b->candidate->geom1, b->candidate->geom2);
  const si_provider *p = line.chosen;
  while (p) {
    b->waits = must_wait(m, w, p, b->candidate);
    if (b->waits) {
      return SN_OK;
    }
    sn_contact_list points;   // on the stack: scratch memory is what the checking mode compares
    const sn_status status = run_batch(m, d, w, p, b->n, b->candidate, &points);
    if (status != SN_EUNSUPPORTED) {
      b->points = points;
      return status;
    }
    p = si_collider_next(m->engine, &line, p);
  }
  return blame(w, line.chosen, b->candidate, "declined a pair that no other collider supports");
}

// Moves the candidates whose shapes are of the same plugins' kinds as those of the first to the
// front, in their order, and returns their number.
static int64_t gather_kind(const sn_model *m, si_arena *arena, si_candidate *at, int64_t n) {
  if (!has_user_shapes(m, at)) {
    return n;
  }
  const si_provider *first = si_geom_provider(m, at->geom1);
  const si_provider *second = si_geom_provider(m, at->geom2);
  const si_mark mark = si_arena_mark(arena);
  si_candidate *rest = si_arena_take(arena, n * (int64_t)sizeof *rest, 64);
  int64_t same = 0, other = 0;
  for (int64_t i = 0; i < n; i++) {
    const int is_same = si_geom_provider(m, at[i].geom1) == first &&
                        si_geom_provider(m, at[i].geom2) == second;
    *(is_same ? &at[same++] : &rest[other++]) = at[i];
  }
  memcpy(at + same, rest, (size_t)other * sizeof *rest);
  si_arena_release(arena, mark);
  return same;
}

// ------------------------------------------------------------------ the list of batches

// Of candidates of one bin.
static void add_batches(const sn_model *m, const sn_data *d, si_arena *arena, si_candidate *at,
                        int64_t n, pair_batch *list, int64_t *nbatch) {
  enum { PAIRS = 32 };   // of a batch for one of several workers
  for (int64_t i = 0, same; i < n; i += same) {
    same = gather_kind(m, arena, at + i, n - i);
    const int64_t most = si_shares(d) ? PAIRS : same;
    for (int64_t k = 0; k < same; k += most) {
      list[(*nbatch)++] = (pair_batch){ .candidate = at + i + k,
                                        .n = same - k < most ? same - k : most };
    }
  }
}

SI_TASK sn_status collide_batch(const sn_model *m, sn_data *d, si_worker *w, int64_t k,
                                void *context) {
  return ask_colliders(m, d, w, (pair_batch *)context + k);
}

static sn_status collide_batches(const sn_model *m, sn_data *d, si_worker *w, int64_t n,
                                 pair_batch *list) {
  SN_TRY(si_share(m, d, n, collide_batch, list));
  for (int64_t k = 0; k < n; k++) {
    if (list[k].waits) {
      SN_TRY(ask_colliders(m, d, w, &list[k]));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ hits

static void add_hits(const sn_model *m, const pair_batch *b, hits *out) {
  const sn_contact_list *points = &b->points;
  for (int64_t i = 0; i < points->count;) {
    const si_candidate *c = &b->candidate[points->point[i].pair];
    hit h = { .candidate = c, .point = &points->point[i] };
    for (; i < points->count && points->point[i].pair == h.point->pair; i++) {
      h.n++;
      out->npoint += points->point[i].dist <= c->margin;
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

static void write_contact(sn_data *d, int64_t i, const si_candidate *c, const sn_contact_point *t,
                          const si_contact_params *p) {
  d->contact_dist[i] = t->dist;
  sn_copy3(d->contact_pos + 3 * i, t->pos);
  make_frame(d->contact_frame + 9 * i, t->normal, t->tangent);
  d->contact_includemargin[i] = p->includemargin;
  memcpy(d->contact_friction + 5 * i, p->friction, sizeof p->friction);
  memcpy(d->contact_solref + SI_NREFERENCE * i, p->solref, sizeof p->solref);
  memcpy(d->contact_solimp + SI_NIMPEDANCE * i, p->solimp, sizeof p->solimp);
  memset(d->contact_velocity + 5 * i, 0, 5 * sizeof(double));
  d->contact_restitution[i] = p->restitution;
  d->contact_mu[i] = 0;
  d->contact_dim[i] = p->dim;
  d->contact_geom1[i] = c->geom1;
  d->contact_geom2[i] = c->geom2;
  d->contact_feature[i] = t->feature > 0 ? t->feature : 0;
  d->contact_exclude[i] = t->dist >= p->includemargin + p->speculative;
  d->contact_efc_address[i] = -1;
}

static void write_contacts(const sn_model *m, sn_data *d, const hits *h) {
  si_step_fields_take(d, SI_COUNT_ncon, h->npoint);
  for (int64_t i = 0; i < h->n; i++) {
    const hit *x = &h->at[h->key[i].index];
    si_contact_params params;
    si_mix(m, x->candidate, &params);
    for (int64_t k = 0; k < x->n; k++) {
      if (x->point[k].dist <= x->candidate->margin) {
        write_contact(d, d->ncon++, x->candidate, &x->point[k], &params);
      }
    }
  }
}

// ------------------------------------------------------------------

static sn_status collide_candidates(const sn_model *m, sn_data *d, si_worker *w,
                                    const si_candidates *all) {
  int64_t start[NBIN + 1];
  si_candidate *candidate = bin_candidates(m, &w->scratch, all, start);
  hits h = { 0 };
  h.at = si_arena_take(&w->scratch, all->n * (int64_t)sizeof *h.at, 64);
  h.key = si_arena_take(&w->scratch, all->n * (int64_t)sizeof *h.key, 64);
  pair_batch *list = si_arena_take(&w->scratch, all->n * (int64_t)sizeof *list, 64);
  int64_t nbatch = 0;
  for (int64_t i = 0, end; i < all->n; i = end) {
    end = start[bin_of(m, &candidate[i]) + 1];
    add_batches(m, d, &w->scratch, candidate + i, end - i, list, &nbatch);
  }
  SI_TRY_TIMED(w, narrowphase, collide_batches(m, d, w, nbatch, list));
  for (int64_t k = 0; k < nbatch; k++) {
    add_hits(m, &list[k], &h);
  }
  if (h.n) {
    si_sort_key *work = si_arena_take(&w->scratch, h.n * (int64_t)sizeof *work, 64);
    si_sort_keys(h.key, work, h.n);
    write_contacts(m, d, &h);
    return si_contact_modify(m, d, w);
  }
  return SN_OK;
}

static sn_status find_candidates(const sn_model *m, sn_data *d, si_worker *w, si_candidates *list) {
  si_candidates_find(m, d, list);
  return si_filter_select(m, d, w, list);
}

sn_status si_collide(const sn_model *m, sn_data *d, si_worker *w) {
  si_data_clear_step(d);
  if (m->opt.disableflags & (SN_DISABLE_CONSTRAINT | SN_DISABLE_CONTACT)) {
    return SN_OK;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  si_candidates list = { .arena = &w->scratch };
  sn_status status;
  SI_TIMED(w, broadphase, status = find_candidates(m, d, w, &list));
  if (status >= 0 && list.n) {
    status = collide_candidates(m, d, w, &list);
  }
  si_arena_release(&w->scratch, mark);
  return status;
}
