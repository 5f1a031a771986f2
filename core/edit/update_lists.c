// SPDX-License-Identifier: Apache-2.0
//
// Copying back what a definition has a list of: the list is replaced, or a number in it.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "edit/update.h"
#include "model/fields.h"

// ------------------------------------------------------------------ whole lists

// A list of a definition, replaced where its numbers in the model were edited.
static sn_status update_list(const update *u, int32_t kind, int64_t id, size_t member,
                             const double *now, const double *was, int64_t n) {
  if (!differs(now, was, n)) {
    return SN_OK;
  }
  si_any_def def;
  int32_t spec_id = u->number[kind].spec[id];
  const sn_reals list = { now, n };
  memcpy(&def, u->spec->list[kind].at[spec_id].def, si_element_shape[kind].size);
  memcpy((char *)&def + member, &list, sizeof list);
  return si_spec_set_element(u->spec, kind, spec_id, &def, u->error);
}

// ------------------------------------------------------------------ entries of lists

// One number, or several, of each entry of an array of structs in a definition.
typedef struct entries {
  int32_t kind;
  size_t array;           // of the definition: pointer to structs
  size_t bytes, number;   // of one; where its numbers are
  int32_t cols;
} entries;

#define ENTRIES(kind, array, type, number)                                                     \
  {                                                                                            \
    SI_ELEMENT_##kind, offsetof(sn_##kind##_def, array), sizeof(type), offsetof(type, number), \
        (int32_t)(sizeof(((type *)0)->number) / sizeof(double))                                \
  }
static const entries wrap_numbers = ENTRIES(tendon, wrap, sn_wrap_def, prm);
static const entries tuple_numbers = ENTRIES(tuple, item, sn_tuple_item, prm);
static const entries bone_positions = ENTRIES(skin, bone, sn_bone_def, bindpos);
static const entries bone_quats = ENTRIES(skin, bone, sn_bone_def, bindquat);

// now, was: of n entries from the first of this element. The definition owns what it points to, so
// its entries are changed where they lie.
static void update_entries(const update *u, const entries *e, int64_t id, const double *now,
                           const double *was, int64_t n) {
  char *at;
  memcpy(&at, (char *)def_of(u, e->kind, id) + e->array, sizeof at);
  for (int64_t i = 0; i < n; i++) {
    if (differs(now + i * e->cols, was + i * e->cols, e->cols)) {
      memcpy(at + (size_t)i * e->bytes + e->number, now + i * e->cols,
             (size_t)e->cols * sizeof(double));
    }
  }
}

static void update_paths(const update *u) {
  const sn_model *m = u->m, *f = u->fresh;
  for (int64_t i = 0; i < m->ntendon; i++) {
    int32_t adr = m->tendon_adr[i];
    update_entries(u, &wrap_numbers, i, m->wrap_prm + adr, f->wrap_prm + adr, m->tendon_num[i]);
  }
  for (int64_t i = 0; i < m->ntuple; i++) {
    int32_t adr = m->tuple_adr[i];
    update_entries(u, &tuple_numbers, i, m->tuple_objprm + adr, f->tuple_objprm + adr,
                   m->tuple_size[i]);
  }
}

// Weights of a bone, which its definition owns.
static void update_weights(const update *u, int64_t i) {
  const sn_model *m = u->m;
  const sn_skin_def *def = DEF(u, skin, i);
  for (int64_t k = 0; k < def->nbone; k++) {
    int32_t bone = m->skin_boneadr[i] + (int32_t)k, adr = m->skin_bonevertadr[bone];
    int64_t n = m->skin_bonevertnum[bone];
    if (differs(m->skin_bonevertweight + adr, u->fresh->skin_bonevertweight + adr, n)) {
      memcpy((void *)(uintptr_t)def->bone[k].vertweight.p, m->skin_bonevertweight + adr,
             (size_t)n * sizeof(double));
    }
  }
}

static sn_status update_skins(const update *u) {
  const sn_model *m = u->m, *f = u->fresh;
  for (int64_t i = 0; i < m->nskin; i++) {
    const int64_t vert = 3 * (int64_t)m->skin_vertadr[i], bone = m->skin_boneadr[i];
    const int64_t coord = 2 * (int64_t)m->skin_texcoordadr[i];
    update_entries(u, &bone_positions, i, m->skin_bonebindpos + 3 * bone,
                   f->skin_bonebindpos + 3 * bone, m->skin_bonenum[i]);
    update_entries(u, &bone_quats, i, m->skin_bonebindquat + 4 * bone,
                   f->skin_bonebindquat + 4 * bone, m->skin_bonenum[i]);
    update_weights(u, i);
    SN_TRY(update_list(u, SI_ELEMENT_skin, i, offsetof(sn_skin_def, vert), m->skin_vert + vert,
                       f->skin_vert + vert, 3 * (int64_t)m->skin_vertnum[i]));
    if (coord >= 0) {
      SN_TRY(update_list(u, SI_ELEMENT_skin, i, offsetof(sn_skin_def, texcoord),
                         m->skin_texcoord + coord, f->skin_texcoord + coord,
                         2 * (int64_t)m->skin_vertnum[i]));
    }
  }
  return SN_OK;
}

// Edited heights take the place of the file that they came from.
static sn_status update_heights(const update *u) {
  const sn_model *m = u->m;
  for (int64_t i = 0; i < m->nhfield; i++) {
    const int32_t adr = m->hfield_adr[i];
    const int64_t n = (int64_t)m->hfield_nrow[i] * m->hfield_ncol[i];
    sn_hfield_def *def = DEF(u, hfield, i);
    if (differs(m->hfield_data + adr, u->fresh->hfield_data + adr, n)) {
      def->file = NULL;
      def->bytes = NULL;
      def->nbytes = 0;
      def->nrow = m->hfield_nrow[i];
      def->ncol = m->hfield_ncol[i];
      SN_TRY(update_list(u, SI_ELEMENT_hfield, i, offsetof(sn_hfield_def, data),
                         m->hfield_data + adr, u->fresh->hfield_data + adr, n));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ rows of a matrix

static sn_status update_row(const update *u, int32_t kind, const si_def_member *member,
                            int64_t cols) {
  const double *now = u->m->field[member->field], *was = u->fresh->field[member->field];
  for (int64_t i = 0; i < u->number[kind].n; i++) {
    SN_TRY(update_list(u, kind, i, member->offset, now + i * cols, was + i * cols, cols));
  }
  return SN_OK;
}

static sn_status update_rows(const update *u) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(u->m, extent);
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (const si_def_member *member = si_element_shape[kind].members; member->type; member++) {
      if (member->copy == SI_COPY_ROW || member->copy == SI_COPY_USER) {
        SN_TRY(update_row(u, kind, member, extent[member->field].cols));
      }
    }
  }
  return SN_OK;
}

sn_status si_spec_update_lists(const update *u) {
  update_paths(u);
  SN_TRY(update_skins(u));
  SN_TRY(update_heights(u));
  for (int64_t i = 0; i < u->m->nnumeric; i++) {
    int32_t adr = u->m->numeric_adr[i];
    SN_TRY(update_list(u, SI_ELEMENT_numeric, i, offsetof(sn_numeric_def, data),
                       u->m->numeric_data + adr, u->fresh->numeric_data + adr,
                       u->m->numeric_size[i]));
  }
  return update_rows(u);
}
