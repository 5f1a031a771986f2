// SPDX-License-Identifier: Apache-2.0
//
// What the numbers of each array of a model may be: column `holds` of SN_MODEL_FIELDS as data. A
// model that was read from a file or edited is checked against these rules (validate.c), so a
// number that becomes an index, a size or a divisor is checked before anything computes with it.

#ifndef SI_MODEL_FIELD_RULES_H
#define SI_MODEL_FIELD_RULES_H

#include "model/model.h"

typedef enum si_rule_kind {
  SI_RULE_ID,            // least <= x < size
  SI_RULE_ADR_OF,        // with n = partner[i]: n <= 0, or 0 <= x and x + n <= size
  SI_RULE_RANGE,         // least <= x < end
  SI_RULE_CONDIM,        // 1, 3, 4 or 6
  SI_RULE_OF,            // depends on the kind in the partner: validate.c has a function
  SI_RULE_OTHER,         // depends on other arrays: validate.c or validate_tree.c has a function
  SI_RULE_ANY,           // bits, groups, flags, bytes: nothing is addressed or divided by it
  SI_RULE_FINITE,        // a finite real number
  SI_RULE_POSITIVE,      // finite and larger than 0: something is divided by it
  SI_RULE_NONNEGATIVE,   // finite and 0 or larger: masses
  SI_RULE_DIRECTION,     // a finite row (quaternion, axis) whose length is not 0
  SI_RULE_DERIVED,       // computed from other arrays by the compiler; may overflow
  SI_NRULES
} si_rule_kind;

typedef struct si_field_rule {
  si_rule_kind kind;
  int32_t partner;   // SI_RULE_ADR_OF, SI_RULE_OF: index of the other field
  int64_t least, end;
  int64_t size;   // offset of the size in sn_model
} si_field_rule;

// By index of the field, as si_model_field_table.
extern const si_field_rule si_model_field_rules[SI_NMODELFIELD];

// The arrays that an array only shows something of, such as "geom_size" for geom_rbound; to edit it
// has no effect. NULL: it has a meaning of its own.
const char *si_model_field_source(int32_t field);

#endif
