// SPDX-License-Identifier: Apache-2.0
//
// Explicit pairs of geoms and excluded pairs of bodies, both sorted by their signature
//
//   ((lower body + 1) << 16) + higher body + 1
//
// so that filters can search. What a pair leaves unset is mixed from its two geoms, as for a
// contact that was found dynamically.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "contact/collision.h"

// ------------------------------------------------------------------ signatures

static void sort_two(int32_t *a, int32_t *b) {
  if (*a > *b) {
    int32_t swap = *a;
    *a = *b;
    *b = swap;
  }
}

static int32_t signature(int32_t body1, int32_t body2) {
  sort_two(&body1, &body2);
  return (int32_t)(((uint32_t)(body1 + 1) << 16) + (uint32_t)(body2 + 1));
}

static int32_t body_of_geom(const si_build *b, int32_t geom) {
  return b->number[SI_ELEMENT_body].model[SI_DEF(b, geom, geom)->body];
}

static sn_status find_pair(si_build *b, int64_t i, int32_t *id1, int32_t *id2) {
  const sn_pair_def *pair = SI_DEF(b, pair, i);
  SN_TRY(SI_REFER(b, pair, i, geom, pair->geom1, id1));
  SN_TRY(SI_REFER(b, pair, i, geom, pair->geom2, id2));
  if (body_of_geom(b, *id1) > body_of_geom(b, *id2)) {
    sort_two(id1, id2);
  }
  return SN_OK;
}

static sn_status find_exclude(si_build *b, int64_t i, int32_t *id1, int32_t *id2) {
  const sn_exclude_def *exclude = SI_DEF(b, exclude, i);
  SN_TRY(SI_REFER(b, exclude, i, body, exclude->body1, id1));
  SN_TRY(SI_REFER(b, exclude, i, body, exclude->body2, id2));
  sort_two(id1, id2);
  return SN_OK;
}

static sn_status pair_signature(si_build *b, int64_t i, int32_t *out) {
  int32_t id1, id2;
  SN_TRY(find_pair(b, i, &id1, &id2));
  *out = signature(body_of_geom(b, id1), body_of_geom(b, id2));
  return SN_OK;
}

static sn_status exclude_signature(si_build *b, int64_t i, int32_t *out) {
  int32_t id1, id2;
  SN_TRY(find_exclude(b, i, &id1, &id2));
  *out = signature(id1, id2);
  return SN_OK;
}

// ------------------------------------------------------------------ sorting

typedef struct keyed {
  uint32_t key;
  int32_t spec;
} keyed;

static int by_key(const void *a, const void *b) {
  const keyed *x = a, *y = b;
  int order = (x->key > y->key) - (x->key < y->key);
  return order ? order : (x->spec > y->spec) - (x->spec < y->spec);
}

static sn_status sort_kind(si_build *b, int32_t kind,
                           sn_status (*key_of)(si_build *b, int64_t i, int32_t *out)) {
  si_numbering *number = &b->number[kind];
  keyed *all = malloc((size_t)(number->n + 1) * sizeof *all);
  if (!all) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  for (int32_t i = 0; i < number->n; i++) {
    int32_t key;
    sn_status status = key_of(b, i, &key);
    if (status < 0) {
      free(all);
      return status;
    }
    all[i] = (keyed){ (uint32_t)key, i };
  }
  qsort(all, (size_t)number->n, sizeof *all, by_key);
  for (int32_t i = 0; i < number->n; i++) {
    number->spec[i] = all[i].spec;
    number->model[all[i].spec] = i;
  }
  free(all);
  return SN_OK;
}

sn_status si_compile_contact_measure(si_build *b) {
  b->size.npair = b->number[SI_ELEMENT_pair].n;
  b->size.nexclude = b->number[SI_ELEMENT_exclude].n;
  SN_TRY(sort_kind(b, SI_ELEMENT_pair, pair_signature));
  return sort_kind(b, SI_ELEMENT_exclude, exclude_signature);
}

// ------------------------------------------------------------------ filling

// Mixed numbers for those that are not set.
static void complete(double *out, const double *mixed, int n) {
  for (int k = 0; k < n; k++) {
    out[k] = isnan(out[k]) ? mixed[k] : out[k];
  }
}

static sn_status fill_pair(si_build *b, int64_t i) {
  sn_model *m = b->m;
  const sn_pair_def *pair = SI_DEF(b, pair, i);
  int32_t *geom1 = &m->pair_geom1[i], *geom2 = &m->pair_geom2[i];
  SN_TRY(find_pair(b, i, geom1, geom2));
  m->pair_signature[i] = signature(body_of_geom(b, *geom1), body_of_geom(b, *geom2));
  if (pair->condim < 0 || pair->condim > 6 || pair->condim == 2 || pair->condim == 5) {
    return SI_FAIL(b, pair, i, "condim must be 1, 3, 4 or 6, not %d", pair->condim);
  }

  SN_TRY(si_build_warn_friction(b, SI_ELEMENT_pair, i, pair->friction, 5));

  // as a dynamic contact of the two geoms, whatever the options override
  si_contact_params mixed;
  int64_t flags = m->opt.enableflags;
  m->opt.enableflags &= ~(int64_t)SN_ENABLE_OVERRIDE;
  const si_candidate candidate = { .geom1 = *geom1, .geom2 = *geom2, .pair = -1 };
  si_mix(m, &candidate, &mixed);
  const double margin = si_mix_margin(m, *geom1, *geom2, -1);
  const double gap = fmax(m->geom_gap[*geom1], m->geom_gap[*geom2]);
  m->opt.enableflags = flags;
  m->pair_dim[i] = pair->condim ? pair->condim : mixed.dim;
  complete(&m->pair_margin[i], &margin, 1);
  complete(&m->pair_gap[i], &gap, 1);
  complete(m->pair_solref + SI_NREFERENCE * i, mixed.solref, 2);
  complete(m->pair_solimp + SI_NIMPEDANCE * i, mixed.solimp, 5);
  complete(m->pair_friction + 5 * i, mixed.friction, 5);
  complete(&m->pair_restitution[i], &mixed.restitution, 1);
  return SN_OK;
}

sn_status si_compile_contact_fill(si_build *b) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < m->npair; i++) {
    SN_TRY(fill_pair(b, i));
  }
  for (int64_t i = 0; i < m->nexclude; i++) {
    SN_TRY(find_exclude(b, i, &m->exclude_body1[i], &m->exclude_body2[i]));
    m->exclude_signature[i] = signature(m->exclude_body1[i], m->exclude_body2[i]);
  }
  return SN_OK;
}
