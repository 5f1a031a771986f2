// SPDX-License-Identifier: Apache-2.0
//
// What the compiler does with the members of definitions by their tables (fields_spec.h), of every
// kind alike: it checks what they may be, counts user numbers, and copies into the arrays of the
// model. The files of the kinds do only what is more than that.

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "model/field_rules.h"
#include "model/fields.h"

static const si_def_member *members_of(int32_t kind) {
  return si_element_shape[kind].members;
}

static const void *at(const void *def, size_t offset) {
  return (const char *)def + offset;
}

// ------------------------------------------------------------------ checks

static sn_status check_reals(si_build *b, int32_t kind, int64_t i, const si_def_member *member) {
  const double *x = at(si_build_def(b, kind, i), member->offset);
  for (size_t k = 0; k < member->count && (member->about & SI_CHECK_NOT_NEGATIVE); k++) {
    if (x[k] < 0) {
      return si_build_fail(b, SN_ECOMPILE, kind, i, "its %s is %g; it cannot be negative",
                           member->name, x[k]);
    }
  }
  return SN_OK;
}

// What becomes an integer of the model is what that may be.
static sn_status check_int(si_build *b, int32_t kind, int64_t i, const si_def_member *member) {
  const si_field_rule *rule = &si_model_field_rules[member->field];
  int32_t x;
  memcpy(&x, at(si_build_def(b, kind, i), member->offset), sizeof x);
  if (rule->kind == SI_RULE_CONDIM && x != 1 && x != 3 && x != 4 && x != 6) {
    return si_build_fail(b, SN_ECOMPILE, kind, i, "its %s is %d; it must be 1, 3, 4 or 6",
                         member->name, x);
  }
  if (rule->kind == SI_RULE_RANGE && (x < rule->least || x >= rule->end)) {
    return si_build_fail(b, SN_ECOMPILE, kind, i,
                         "its %s is %d; it must be a number from %lld to %lld", member->name, x,
                         (long long)rule->least, (long long)rule->end - 1);
  }
  return SN_OK;
}

static sn_status check_element(si_build *b, int32_t kind, int64_t i) {
  for (const si_def_member *member = members_of(kind); member->type; member++) {
    if (member->type == SI_DEF_REAL) {
      SN_TRY(check_reals(b, kind, i, member));
    } else if (member->type == SI_DEF_INT && member->copy == SI_COPY_COPY) {
      SN_TRY(check_int(b, kind, i, member));
    }
  }
  return SN_OK;
}

static sn_status warn_reals(si_build *b, int32_t kind, int64_t i, const si_def_member *member) {
  const double *x = at(si_build_def(b, kind, i), member->offset);
  double least = 0;
  for (size_t k = 0; k < member->count; k++) {
    least = fmin(least, x[k]);
  }
  return si_build_warn_negative(b, kind, i, member->name, least);
}

// ------------------------------------------------------------------ user numbers

static int64_t *size_of(sn_model *sizes, const si_def_member *member) {
  return (int64_t *)(void *)((char *)sizes + si_model_size_table[member->about].offset);
}

static int64_t hint_of(const si_build *b, const si_def_member *member) {
  int64_t hint;
  memcpy(&hint, at(&b->spec->size_hint, member->other), sizeof hint);
  return hint;
}

static sn_status measure_user(si_build *b, int32_t kind, const si_def_member *member) {
  enum { LARGEST = 1000000 };   // more is a mistake
  const int64_t hint = hint_of(b, member);
  const char *name = si_model_size_table[member->about].name;
  int64_t longest = 0;
  if (hint > LARGEST || hint < -1) {
    return si_fail(b->error, SN_ECOMPILE,
                   "size: %s is %lld; it must be a number from 0 to %d, or -1 for the length of "
                   "the longest list",
                   name, (long long)hint, LARGEST);
  }
  for (int64_t i = 0; i < b->number[kind].n; i++) {
    const sn_reals *user = at(si_build_def(b, kind, i), member->offset);
    if (hint >= 0 && user->n > hint) {
      return si_build_fail(b, SN_ECOMPILE, kind, i,
                           "it has %lld user numbers, more than the size of the model, %s %lld, "
                           "allows; raise %s or remove it",
                           (long long)user->n, name, (long long)hint, name);
    }
    longest = user->n > longest ? user->n : longest;
  }
  *size_of(&b->size, member) = hint >= 0 ? hint : longest;
  return SN_OK;
}

// The total over all elements is limited, so that a number in a file cannot exhaust the memory.
static sn_status count_user(si_build *b, int32_t kind, const si_def_member *member, int64_t *sum) {
  const int64_t most = 100000000;   // numbers
  const int64_t each = *size_of(&b->size, member), n = b->number[kind].n;
  if (each > 0 && n > (most - *sum) / each) {
    return si_fail(
        b->error, SN_ECOMPILE,
        "size: %s is %lld, for each of %lld elements; the total of user numbers is limited to "
        "%lld; specify a smaller size, or remove it: then the largest number that any element has "
        "is used",
        si_model_size_table[member->about].name, (long long)each, (long long)n, (long long)most);
  }
  *sum += n * each;
  return SN_OK;
}

sn_status si_compile_member_measure(si_build *b) {
  int64_t sum = 0;
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (const si_def_member *member = members_of(kind); member->type; member++) {
      if (member->copy == SI_COPY_USER) {
        SN_TRY(measure_user(b, kind, member));
        SN_TRY(count_user(b, kind, member, &sum));
      }
    }
    for (int64_t i = 0; i < b->number[kind].n; i++) {
      SN_TRY(check_element(b, kind, i));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ copies

// A number, or the id of an element, as an integer of the model.
static sn_status copy_int(si_build *b, int32_t kind, int64_t i, const si_def_member *member) {
  const void *from = at(si_build_def(b, kind, i), member->offset);
  int32_t *to = (int32_t *)b->m->field[member->field] + i;
  if (member->type == SI_DEF_NAME) {
    const char *name;
    memcpy(&name, from, sizeof name);
    *to = -1;
    return name && name[0] ? si_build_refer(b, kind, i, member->about, name, to) : SN_OK;
  }
  memcpy(to, from, sizeof *to);
  if (member->type == SI_DEF_OWNER) {
    const int is_world = kind == SI_ELEMENT_body && i == 0;
    *to = is_world ? 0 : b->number[SI_ELEMENT_body].model[*to];
  } else if (member->type == SI_DEF_FLAG) {
    *to = *to != 0;
  }
  return SN_OK;
}

static sn_status copy_element(si_build *b, int32_t kind, int64_t i) {
  const void *def = si_build_def(b, kind, i);
  for (const si_def_member *member = members_of(kind); member->type; member++) {
    if (member->type == SI_DEF_REAL && (member->about & SI_CHECK_WARN_NEGATIVE)) {
      SN_TRY(warn_reals(b, kind, i, member));
    }
    if (!si_is_copied(member) || member->type == SI_DEF_LIMITED) {
      continue;
    }
    if (member->type == SI_DEF_REAL) {
      memcpy((double *)b->m->field[member->field] + (size_t)i * member->count,
             at(def, member->offset), member->count * sizeof(double));
    } else {
      SN_TRY(copy_int(b, kind, i, member));
    }
  }
  return SN_OK;
}

// When all ranges are there.
static sn_status limit_element(si_build *b, int32_t kind, int64_t i) {
  for (const si_def_member *member = members_of(kind); member->type; member++) {
    if (member->type == SI_DEF_LIMITED && member->copy == SI_COPY_COPY) {
      SN_TRY(si_build_limit(b, kind, i, member->field));
    }
  }
  return SN_OK;
}

static void copy_user(si_build *b, int32_t kind, const si_def_member *member) {
  const int64_t cols = *size_of(b->m, member);
  for (int64_t i = 0; i < b->number[kind].n; i++) {
    const sn_reals *user = at(si_build_def(b, kind, i), member->offset);
    if (user->n > 0) {
      memcpy((double *)b->m->field[member->field] + i * cols, user->p,
             (size_t)user->n * sizeof(double));
    }
  }
}

sn_status si_compile_member_fill(si_build *b) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    for (int64_t i = 0; i < b->number[kind].n; i++) {
      SN_TRY(copy_element(b, kind, i));
      SN_TRY(limit_element(b, kind, i));
    }
    for (const si_def_member *member = members_of(kind); member->type; member++) {
      if (member->copy == SI_COPY_USER) {
        copy_user(b, kind, member);
      }
    }
  }
  return SN_OK;
}

sn_status si_build_rows(si_build *b, int32_t kind, int64_t i) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(b->m, extent);
  for (const si_def_member *member = members_of(kind); member->type; member++) {
    if (member->copy != SI_COPY_ROW) {
      continue;
    }
    const sn_reals *row = at(si_build_def(b, kind, i), member->offset);
    const int64_t cols = extent[member->field].cols;
    if (row->n != 0 && row->n != cols) {
      return si_build_fail(b, SN_ECOMPILE, kind, i, "%s has %lld numbers; the model needs %lld",
                           member->name, (long long)row->n, (long long)cols);
    }
    if (row->n != 0) {
      memcpy((double *)b->m->field[member->field] + i * cols, row->p,
             (size_t)cols * sizeof(double));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ limits

sn_status si_build_limited(si_build *b, int32_t kind, int64_t i, int32_t field) {
  const si_def_member *member = si_member_of(kind, field), *of = si_range_of(kind, member);
  const double *range = (const double *)b->m->field[of->field] + 2 * i;
  int32_t *out = (int32_t *)b->m->field[field] + i, limited;
  memcpy(&limited, at(si_build_def(b, kind, i), member->offset), sizeof limited);
  const int given = range[0] != 0 || range[1] != 0;
  *out = limited == SN_AUTO ? given : limited != SN_FALSE;
  if (limited == SN_AUTO && given && !b->spec->compiler.autolimits) {
    return si_build_fail(b, SN_ECOMPILE, kind, i,
                         "it has a %s but does not specify whether it is limited, and the "
                         "compiler's autolimits is false; set %s to true or false, or remove the "
                         "range",
                         of->name, member->name);
  }
  return SN_OK;
}

sn_status si_build_empty_range(si_build *b, int32_t kind, int64_t i, int32_t field,
                               const double *range) {
  const si_def_member *member = si_member_of(kind, field), *of = si_range_of(kind, member);
  return range[0] == 0 && range[1] == 0
             ? si_build_fail(b, SN_ECOMPILE, kind, i,
                             "%s is true, but its %s is empty (0 0); set %s", member->name,
                             of->name, of->name)
             : si_build_fail(b, SN_ECOMPILE, kind, i,
                             "its %s, %g %g, is empty; the first number must be smaller", of->name,
                             range[0], range[1]);
}

sn_status si_build_limit(si_build *b, int32_t kind, int64_t i, int32_t field) {
  SN_TRY(si_build_limited(b, kind, i, field));
  const si_def_member *of = si_range_of(kind, si_member_of(kind, field));
  const double *range = (const double *)b->m->field[of->field] + 2 * i;
  return !((const int32_t *)b->m->field[field])[i] || range[0] < range[1]
             ? SN_OK
             : si_build_empty_range(b, kind, i, field, range);
}
