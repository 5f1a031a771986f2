// SPDX-License-Identifier: Apache-2.0
//
// What the numbers of each array of a model may be, one rule for each row of SN_MODEL_FIELDS. A
// model that was read from a file is held against these rules (validate.c), so a number that
// becomes an index, a size or a divisor is checked before anything computes with it. A test fails
// for an array that has no rule.

#ifndef SI_MODEL_FIELD_RULES_H
#define SI_MODEL_FIELD_RULES_H

#include "model/model.h"

typedef enum si_rule_kind {
  SI_RULE_NONE = 0,    // the array has no rule: a mistake where the field was added
  SI_RULE_ID,          // least <= x < size
  SI_RULE_FIRST,       // with the numbers n of the partner: n >= 0, and n = 0 or [x, x + n) < size
  SI_RULE_COUNT,       // partner of an SI_RULE_FIRST, which checks it
  SI_RULE_RANGE,       // least <= x <= most
  SI_RULE_ELSEWHERE,   // depends on other arrays: validate.c or validate_tree.c has a function
  SI_RULE_ANY,         // bits, groups, flags, bytes: nothing is addressed or divided by it
  SI_RULE_FINITE,      // a finite real number
  SI_RULE_POSITIVE,    // finite and larger than 0: something is divided by it
  SI_RULE_DIRECTION,   // a finite row (quaternion, axis) whose length is not 0
  SI_RULE_FOLLOWS      // computed from other arrays by the compiler; may overflow
} si_rule_kind;

typedef struct si_field_rule {
  si_rule_kind kind;
  int32_t partner;   // SI_RULE_FIRST: index of the field with the numbers
  int64_t least, most;
  int64_t size;   // offset of the size in sn_model
} si_field_rule;

// By index of the field, as si_model_field_table.
extern const si_field_rule si_model_field_rules[SI_NMODELFIELD];

#endif
