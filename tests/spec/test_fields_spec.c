// SPDX-License-Identifier: Apache-2.0
//
// The tables of fields_spec.h against the structs, the fields of the model, and models that are
// compiled and edited. A member without a row, or a row that differs from what the compiler does,
// fails here.

#include <stddef.h>

#include "compile/compile.h"
#include "default_engine.h"
#include "model/fields.h"
#include "model_file.h"
#include "suite.h"

static const si_def_member *members_of(int32_t kind) {
  return si_element_shape[kind].members;
}

// ------------------------------------------------------------------ rows and structs

static size_t bytes_of(const si_def_member *member) {
  const size_t number = sizeof(int64_t);
  return member->type == SI_DEF_TEXT || member->type == SI_DEF_NAME ? member->count * sizeof(char *)
         : member->type == SI_DEF_REAL                              ? member->count * sizeof(double)
         : member->type < SI_DEF_REAL                               ? member->count
                                                                    : sizeof(void *) + number;
}

// Members without a meaning, which keep the layout.
static const struct {
  int32_t kind;
  size_t offset;
} reserved[] = {
#define RESERVED(kind, member) \
  { SI_ELEMENT_##kind, offsetof(sn_##kind##_def, member) }
  RESERVED(body, reserved1),     RESERVED(geom, reserved1),     RESERVED(site, reserved1),
  RESERVED(light, reserved1),    RESERVED(mesh, reserved1),     RESERVED(texture, reserved1),
  RESERVED(material, reserved1), RESERVED(skin, reserved1),     RESERVED(pair, reserved1),
  RESERVED(tendon, reserved1),   RESERVED(actuator, reserved1), RESERVED(sensor, reserved1),
  RESERVED(body, reserved2),
};

START_TEST(every_member_has_one_row) {
  enum { HEAD = 8, LONGEST = 1024 };
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    const si_struct_shape *shape = &si_element_shape[kind];
    uint8_t rows[LONGEST] = { 0 };
    ck_assert_uint_le(shape->size, LONGEST);
    memset(rows, 1, HEAD);
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
      if (reserved[i].kind == kind) {
        memset(rows + reserved[i].offset, 1, sizeof(int32_t));
      }
    }
    for (const si_def_member *member = members_of(kind); member->type; member++) {
      const int counted = member->type >= SI_DEF_REALS;
      const size_t first = counted ? sizeof(void *) : bytes_of(member);
      for (size_t k = 0; k < first; k++) {
        rows[member->offset + k]++;
      }
      for (size_t k = 0; counted && k < sizeof(int64_t); k++) {
        rows[member->count + k]++;
      }
    }
    for (size_t k = 0; k < shape->size; k++) {
      ck_assert_msg(rows[k] == 1, "byte %zu of sn_%s_def has %d rows", k, shape->kind, rows[k]);
    }
  }
}
END_TEST

// ------------------------------------------------------------------ rows and fields

static void check_row(const si_def_member *member, const char *kind, const si_extent *extent) {
  const si_field_info *field = &si_model_field_table[member->field];
  const int real = member->type == SI_DEF_REAL || member->type == SI_DEF_REALS;
  ck_assert_msg(field->type == (real ? SN_REAL : SN_INT), "%s.%s", kind, member->name);
  if (member->type == SI_DEF_REAL) {
    ck_assert_msg(extent->cols == (int64_t)member->count, "%s.%s", kind, member->name);
  } else if (member->type != SI_DEF_REALS) {
    ck_assert_msg(extent->cols == 1, "%s.%s", kind, member->name);
  }
}

START_TEST(copies_have_the_type_and_columns_of_their_field) {
  sn_model *m = model_of("<mujoco/>");
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (const si_def_member *member = members_of(kind); member->type; member++) {
      const char *name = si_element_shape[kind].kind;
      ck_assert_msg((member->copy == SI_COPY_NONE) == (member->field < 0), "%s.%s", name,
                    member->name);
      if (member->copy > SI_COPY_CODE) {
        check_row(member, name, &extent[member->field]);
      }
      if (member->type == SI_DEF_LIMITED) {   // decided by a range that is there by then
        const si_def_member *range = si_range_of(kind, member);
        ck_assert_msg(range->type == SI_DEF_REAL && range->count == 2 && si_is_copied(range) &&
                          (member->copy == SI_COPY_CODE || range->copy == SI_COPY_COPY),
                      "%s.%s", name, member->name);
      }
    }
  }
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ models

static const void *in_def(const sn_spec *spec, const si_numbering *number, int32_t kind, int64_t id,
                          size_t offset) {
  return (const char *)spec->list[kind].at[number[kind].spec[id]].def + offset;
}

START_TEST(the_model_has_what_definitions_say) {
  sn_spec *spec = good_spec(model_file("spec/every_member"));
  si_numbering number[SI_NELEMENTS] = { 0 };
  sn_model *m = si_compile_numbered(spec, number, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (const si_def_member *member = members_of(kind); member->type; member++) {
      for (int64_t i = 0; member->copy == SI_COPY_COPY && i < number[kind].n; i++) {
        const void *def = in_def(spec, number, kind, i, member->offset);
        const char *name = si_element_shape[kind].kind;
        const int32_t *ints = m->field[member->field];
        if (member->type == SI_DEF_REAL) {
          const double *reals = (const double *)m->field[member->field] +
                                i * (int64_t)member->count;
          ck_assert_msg(memcmp(def, reals, member->count * sizeof(double)) == 0, "%s.%s", name,
                        member->name);
        } else if (member->type == SI_DEF_INT) {
          ck_assert_msg(memcmp(def, ints + i, sizeof *ints) == 0, "%s.%s", name, member->name);
        } else if (member->type == SI_DEF_FLAG) {
          const int32_t *flag = def;
          ck_assert_msg((*flag != 0) == ints[i], "%s.%s", name, member->name);
        } else if (member->type == SI_DEF_NAME) {
          const char *const *other = def;
          const int32_t id = *other ? number[member->about].model[sn_spec_find(
                                          spec, si_element_shape[member->about].kind, *other)]
                                    : -1;
          ck_assert_msg(ints[i] == id, "%s.%s", name, member->name);
        }
      }
    }
  }
  si_numbering_free(number);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// One number at a time of each field that has a copy is edited: the definition gets it.
START_TEST(edited_numbers_go_back) {
  int edits = 0;
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (const si_def_member *member = members_of(kind); member->type; member++) {
      if (member->type != SI_DEF_REAL || member->copy != SI_COPY_COPY) {
        continue;
      }
      sn_spec *spec = good_spec(model_file("spec/every_member"));
      si_numbering number[SI_NELEMENTS] = { 0 };
      sn_model *m = si_compile_numbered(spec, number, error);
      double *numbers = m->field[member->field];
      for (int64_t i = 0; i < (number[kind].n > 0); i++) {
        numbers[0] += 0.0625;
        const double edited = numbers[0];
        OK(sn_spec_update(spec, m, error));
        const double *def = in_def(spec, number, kind, 0, member->offset);
        ck_assert_msg(*def == edited, "%s.%s", si_element_shape[kind].kind, member->name);
        edits++;
      }
      si_numbering_free(number);
      sn_model_free(m);
      sn_spec_free(spec);
    }
  }
  ck_assert_int_gt(edits, 40);
}
END_TEST

// ------------------------------------------------------------------ defaults

START_TEST(shorter_defaults_are_continued_by_their_last_number) {
  sn_actuator_def actuator;
  sn_default_actuator(&actuator);
  ck_assert(actuator.gear[0] == 1 && actuator.gear[1] == 0 && actuator.gear[5] == 0);
  ck_assert_str_eq(actuator.gaintype, "fixed");
  sn_site_def site;
  sn_default_site(&site);
  ck_assert(site.size[0] == 0.005 && site.size[2] == 0.005);
  sn_geom_def geom;
  sn_default_geom(&geom);
  ck_assert(geom.fromto[0] != geom.fromto[0] && geom.fromto[5] != geom.fromto[5]);
  ck_assert(geom.friction[2] == 0.0001 && geom.solimp[4] == 2 && geom.solref[1] == 1);
  ck_assert_uint_eq(geom.def_size, sizeof geom);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(every_member_has_one_row);
  TEST(copies_have_the_type_and_columns_of_their_field);
  TEST(the_model_has_what_definitions_say);
  TEST(edited_numbers_go_back);
  TEST(shorter_defaults_are_continued_by_their_last_number);
}
