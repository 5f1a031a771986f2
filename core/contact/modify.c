// SPDX-License-Identifier: Apache-2.0
//
// Contact modifiers: plugins that change the contacts of an evaluation, or remove some of them.
// They work on the contact_* fields themselves; what they wrote is checked after each of them.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/finite.h"
#include "contact/collision.h"
#include "data/fields.h"

static sn_contacts view_of(sn_data *d, int32_t *keep) {
  return (sn_contacts){ .size = sizeof(sn_contacts),
                        .n = d->ncon,
                        .geom1 = d->contact_geom1,
                        .geom2 = d->contact_geom2,
                        .pos = d->contact_pos,
                        .frame = d->contact_frame,
                        .dist = d->contact_dist,
                        .margin = d->contact_includemargin,
                        .friction = d->contact_friction,
                        .solref = d->contact_solref,
                        .solimp = d->contact_solimp,
                        .dim = d->contact_dim,
                        .velocity = d->contact_velocity,
                        .keep = keep,
                        .restitution = d->contact_restitution };
}

// ------------------------------------------------------------------ what was written

static const char *fault(const sn_data *d, int64_t i) {
  const int32_t dim = d->contact_dim[i];
  if (dim != 1 && dim != 3 && dim != 4 && dim != 6) {
    return "dim of a contact is not 1, 3, 4 or 6";
  }
  for (int k = 0; k < 5; k++) {
    if (!(d->contact_friction[5 * i + k] >= 0 && d->contact_friction[5 * i + k] < INFINITY)) {
      return "a friction coefficient is negative or not finite";
    }
  }
  if (!isfinite(d->contact_includemargin[i])) {
    return "the margin of a contact is not finite";
  }
  if (!(d->contact_restitution[i] >= 0 && d->contact_restitution[i] <= 1)) {
    return "the restitution of a contact is not from 0 to 1";
  }
  if (!si_all_finite(d->contact_velocity + 5 * i, 5)) {
    return "a surface velocity is not finite";
  }
  return si_all_finite(d->contact_solref + SI_NREFERENCE * i, SI_NREFERENCE) &&
                 si_all_finite(d->contact_solimp + SI_NIMPEDANCE * i, SI_NIMPEDANCE)
             ? NULL
             : "solref or solimp of a contact is not finite";
}

static sn_status check(const si_binding *b, sn_data *d, si_worker *w, const int32_t *keep) {
  for (int64_t i = 0; i < d->ncon; i++) {
    const char *what = keep[i] ? fault(d, i) : NULL;
    if (what) {
      char subject[SI_PROVIDER_TITLE], geom1[SI_GEOM_TITLE], geom2[SI_GEOM_TITLE];
      return si_fail(&w->error, SN_EPLUGIN, "%s: after its operation 'modify', %s (%s and %s)",
                     si_provider_title(b->provider, subject), what,
                     si_geom_title(d->model, d->contact_geom1[i], geom1),
                     si_geom_title(d->model, d->contact_geom2[i], geom2));
    }
    for (int k = 0; k < 5; k++) {
      d->contact_friction[5 * i + k] = sn_max(si_min_friction, d->contact_friction[5 * i + k]);
    }
    const double ahead = si_mix_speculative(d->model, d->contact_geom1[i], d->contact_geom2[i]);
    d->contact_exclude[i] = d->contact_dist[i] >= d->contact_includemargin[i] + ahead;
  }
  return SN_OK;
}

// Moves the rows that are kept to the front, of every field that has a row for each contact. Those
// of constraint rows are still empty.
static void remove_dropped(sn_data *d, const int32_t *keep) {
  si_extent extent[SI_NSTEPFIELD];
  int64_t n = 0;
  si_step_extents(d, extent);
  for (int f = 0; f < SI_NSTEPFIELD; f++) {
    char *rows = d->field[SI_NDATAFIELD + f];
    const size_t bytes = (size_t)extent[f].cols *
                         (size_t)si_data_field_table[SI_NDATAFIELD + f].bytes;
    char *to = rows;
    for (int64_t i = 0; rows && i < d->ncon; i++) {
      if (keep[i]) {
        memmove(to, rows + (size_t)i * bytes, bytes);
        to += bytes;
      }
    }
  }
  for (int64_t i = 0; i < d->ncon; i++) {
    n += keep[i] != 0;
  }
  d->ncon = n;
}

// ------------------------------------------------------------------

// What a modifier may change: the arrays of all contacts, one after another in memory.
typedef struct changed {
  const char *name;
  size_t member;   // of sn_contacts: a pointer to the array
  size_t row;      // bytes
} changed;
static const changed arrays[] = {
  { "margin", offsetof(sn_contacts, margin), sizeof(double) },
  { "friction", offsetof(sn_contacts, friction), 5 * sizeof(double) },
  { "solref", offsetof(sn_contacts, solref), SI_NREFERENCE * sizeof(double) },
  { "solimp", offsetof(sn_contacts, solimp), SI_NIMPEDANCE * sizeof(double) },
  { "dim", offsetof(sn_contacts, dim), sizeof(int32_t) },
  { "velocity", offsetof(sn_contacts, velocity), 5 * sizeof(double) },
  { "restitution", offsetof(sn_contacts, restitution), sizeof(double) },
  { "keep", offsetof(sn_contacts, keep), sizeof(int32_t) },
};
enum { NARRAY = sizeof arrays / sizeof arrays[0] };

static void *array_of(const sn_contacts *contacts, const changed *a) {
  void *array;
  memcpy(&array, (const char *)contacts + a->member, sizeof array);
  return array;
}

// The arrays as the operation gets them.
static sn_contacts lend_arrays(const sn_contacts *own, si_worker *w) {
  sn_contacts lent = *own;
  for (int k = 0; k < NARRAY; k++) {
    void *array = si_worker_output_apart(w, arrays[k].name, array_of(own, &arrays[k]),
                                         own->n * (int64_t)arrays[k].row);
    memcpy((char *)&lent + arrays[k].member, &array, sizeof array);
  }
  return lent;
}

static void take_back(const sn_contacts *own, const sn_contacts *lent) {
  for (int k = 0; k < NARRAY; k++) {
    void *to = array_of(own, &arrays[k]);
    const void *from = array_of(lent, &arrays[k]);
    si_worker_take_back(to, from, own->n * (int64_t)arrays[k].row);
  }
}

static sn_status modify(const si_binding *b, sn_data *d, si_worker *w) {
  const sn_contact_ops *ops = b->provider->ops;
  int32_t *keep = si_arena_ints(&w->scratch, d->ncon);
  for (int64_t i = 0; i < d->ncon; i++) {
    keep[i] = 1;
  }
  const sn_contacts own = view_of(d, keep), lent = lend_arrays(&own, w);
  sn_contacts contacts = lent;
  si_worker_struct(w, "sn_contacts", &contacts, sizeof contacts);
  const si_call call = si_worker_enter(w, b->provider, "modify");
  sn_status status = ops->modify(b->provider->self, b->bound, &d->view, &contacts,
                                 si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  take_back(&own, &lent);
  if (status < 0) {
    return si_worker_fail(w, SN_EPLUGIN, b->provider, "modify", status);
  }
  SN_TRY(check(b, d, w, keep));
  remove_dropped(d, keep);
  return SN_OK;
}

sn_status si_contact_modify(const sn_model *m, sn_data *d, si_worker *w) {
  for (int64_t k = 0; k < m->bound.contact.n && d->ncon > 0; k++) {
    si_mark mark = si_arena_mark(&w->scratch);
    const sn_status status = modify(&m->bound.contact.at[k], d, w);
    si_arena_release(&w->scratch, mark);
    SN_TRY(status);
  }
  return SN_OK;
}
