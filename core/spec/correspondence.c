// SPDX-License-Identifier: Apache-2.0
//
// The rows of sinew/fields_spec.h, as they are in correspondence.h. Attributes are added there.

#include "spec/correspondence.h"

typedef sn_tuple_item sn_item_def;   // named as the other structs are

#define MEMBER(kind, type, member, field, copy, about, ...) \
  MEMBER_##type(kind, member, field, copy, about, __VA_ARGS__),

#define ROW(type_, member, at, field_, copy_, about_, count_, other_, item_)                      \
  {                                                                                               \
    .name = #member, .type = SI_DEF_##type_, .copy = SI_COPY_##copy_, .field = SI_FIELD_##field_, \
    .about = (about_), .offset = (at), .count = (count_), .other = (other_), .item = (item_)      \
  }
#define AT(kind, member) offsetof(sn_##kind##_def, member)
#define BYTES(kind, member) sizeof(((sn_##kind##_def *)0)->member)

enum { LOOSE = 0, DEPENDS = 1 };   // of a NAME

// clang-format off
#define MEMBER_TEXT(kind, member, field, copy, any, value) \
  ROW(TEXT, member, AT(kind, member), field, copy, 0, BYTES(kind, member) / sizeof(char *), 0, NULL)
#define MEMBER_TEXTS MEMBER_TEXT
#define MEMBER_NAME(kind, member, field, copy, wanted, need) \
  ROW(NAME, member, AT(kind, member), field, copy, SI_ELEMENT_##wanted, 1, need, NULL)

#define MEMBER_NUMBER(kind, type, member, field, copy) \
  ROW(type, member, AT(kind, member), field, copy, 0, BYTES(kind, member), 0, NULL)
#define MEMBER_OWNER(kind, member, field, copy, any, value) \
  MEMBER_NUMBER(kind, OWNER, member, field, copy)
#define MEMBER_INT(kind, member, field, copy, any, value) \
  MEMBER_NUMBER(kind, INT, member, field, copy)
#define MEMBER_FLAG(kind, member, field, copy, any, value) \
  MEMBER_NUMBER(kind, FLAG, member, field, copy)
#define MEMBER_LIMITED(kind, member, field, copy, range, value) \
  ROW(LIMITED, member, AT(kind, member), field, copy, 0, BYTES(kind, member), AT(kind, range), NULL)

#define MEMBER_REAL(kind, member, field, copy, check, ...) \
  ROW(REAL, member, AT(kind, member), field, copy, (int32_t)SI_CHECK_##check, \
      BYTES(kind, member) / sizeof(double), 0, NULL)
#define MEMBER_ORIENT(kind, member, field, copy, unset, identity) \
  MEMBER_REAL(kind, member.quat, field, copy, FINITE, 0), \
  MEMBER_REAL(kind, member.axisangle, field, copy, UNSET, 0), \
  MEMBER_REAL(kind, member.euler, field, copy, UNSET, 0), \
  MEMBER_REAL(kind, member.xyaxes, field, copy, UNSET, 0), \
  MEMBER_REAL(kind, member.zaxis, field, copy, UNSET, 0)

#define SIZE_USER(size) SI_SIZE_##size
#define SIZE_ROW(any) 0
#define SIZE_CODE(any) 0
#define HINT_USER(size) offsetof(sn_size_hint, size)
#define HINT_ROW(any) 0
#define HINT_CODE(any) 0
#define MEMBER_REALS(kind, member, field, copy, size, empty) \
  ROW(REALS, member, AT(kind, member.p), field, copy, SIZE_##copy(size), AT(kind, member.n), \
      HINT_##copy(size), NULL)
#define MEMBER_INTS(kind, member, field, copy, any, empty) \
  ROW(INTS, member, AT(kind, member.p), field, copy, 0, AT(kind, member.n), 0, NULL)
#define MEMBER_BYTES(kind, member, field, copy, number, empty) \
  ROW(BYTES, member, AT(kind, member), field, copy, 0, AT(kind, number), 0, NULL)
#define MEMBER_ITEMS(kind, member, field, copy, number, table) \
  ROW(ITEMS, member, AT(kind, member), field, copy, 0, AT(kind, number), 0, &table##_shape)

#define MEMBERS(kind) \
  static const si_def_member kind##_members[] = { SN_SPEC_FIELDS_##kind(MEMBER) { 0 } };
#define SHAPE(kind) { #kind, sizeof(sn_##kind##_def), kind##_members }
// clang-format on

MEMBERS(wrap)
MEMBERS(bone)
MEMBERS(item)
static const si_struct_shape wrap_shape = SHAPE(wrap), bone_shape = SHAPE(bone),
                             item_shape = SHAPE(item);

SN_ELEMENTS(MEMBERS)
#define SN_X(kind) SHAPE(kind),
const si_struct_shape si_element_shape[SI_NELEMENTS] = { SN_ELEMENTS(SN_X) };
#undef SN_X

const si_def_member *si_member_of(int32_t kind, int32_t field) {
  const si_def_member *member = si_element_shape[kind].members;
  while (member->type && member->field != field) {
    member++;
  }
  return member->type ? member : NULL;
}

const si_def_member *si_range_of(int32_t kind, const si_def_member *limited) {
  const si_def_member *member = si_element_shape[kind].members;
  while (member->type && member->offset != limited->other) {
    member++;
  }
  return member;
}
