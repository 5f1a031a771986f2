// SPDX-License-Identifier: Apache-2.0
//
// The tables of sinew/fields_spec.h as data: what each member of a definition is, what it may be,
// and which array of the model it becomes. Copying and checking definitions (reflect.c), references
// between elements (links.c), compiling and copying back (compile/member.c, edit/update.c) walk
// it.

#ifndef SI_SPEC_CORRESPONDENCE_H
#define SI_SPEC_CORRESPONDENCE_H

#include <stddef.h>

#include "sinew/fields_model.h"
#include "sinew/spec.h"

enum {
#define SN_X(kind) SI_ELEMENT_##kind,
  SN_ELEMENTS(SN_X)
#undef SN_X
      SI_NELEMENTS
};

// Fields and sizes of the model by their index.
enum {
  SI_FIELD_none = -1,
#define SN_X(type, name, ...) SI_FIELD_##name,
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
};
enum {
#define SN_X(name, meaning) SI_SIZE_##name,
  SN_MODEL_SIZES(SN_X)
#undef SN_X
};

typedef enum si_def_type {
  SI_DEF_END = 0,
  SI_DEF_TEXT,   // one string or several
  SI_DEF_NAME,
  SI_DEF_OWNER,
  SI_DEF_INT,
  SI_DEF_FLAG,
  SI_DEF_LIMITED,
  SI_DEF_REAL,
  SI_DEF_REALS,   // this and the following: a pointer, with an int64 count at `count`
  SI_DEF_INTS,
  SI_DEF_BYTES,
  SI_DEF_ITEMS
} si_def_type;

typedef enum si_def_copy {
  SI_COPY_NONE = 0,
  SI_COPY_CODE,
  SI_COPY_COPY,
  SI_COPY_START,
  SI_COPY_ROW,
  SI_COPY_USER
} si_def_copy;

// What numbers may be: bits.
typedef enum si_def_check {
  SI_CHECK_FINITE = 0,
  SI_CHECK_UNSET = 1,   // or not set
  SI_CHECK_NOT_NEGATIVE = 2,
  SI_CHECK_WARN_NEGATIVE = 4,   // taken all the same
  SI_CHECK_UNSET_OR_NOT_NEGATIVE = SI_CHECK_UNSET | SI_CHECK_NOT_NEGATIVE,
  SI_CHECK_UNSET_OR_WARN_NEGATIVE = SI_CHECK_UNSET | SI_CHECK_WARN_NEGATIVE
} si_def_check;

typedef struct si_def_member {
  const char *name;
  si_def_type type;
  si_def_copy copy;
  int32_t field;   // SI_FIELD_*
  int32_t about;   // REAL: si_def_check; NAME: SI_ELEMENT_* of what it names; USER: SI_SIZE_*
  size_t offset;
  size_t count;   // TEXT, NAME, REAL: how many; REALS and on: offset of their number; else bytes
  size_t other;   // LIMITED: offset of its range; USER: offset in sn_size_hint of the hint of its
                  // size; NAME: 1: the element has no meaning without what it names
  const struct si_struct_shape *item;
} si_def_member;

typedef struct si_struct_shape {
  const char *kind;   // "geom"
  size_t size;
  const si_def_member *members;   // ends with SI_DEF_END
} si_struct_shape;

extern const si_struct_shape si_element_shape[SI_NELEMENTS];

// Is the model's array first what the definition says?
static inline int si_is_copied(const si_def_member *member) {
  return member->copy == SI_COPY_COPY || member->copy == SI_COPY_START;
}
// The member of a kind that becomes a field; the range that a LIMITED is of. NULL: there is none.
const si_def_member *si_member_of(int32_t kind, int32_t field);
const si_def_member *si_range_of(int32_t kind, const si_def_member *limited);

#endif
