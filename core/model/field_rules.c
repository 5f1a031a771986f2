// SPDX-License-Identifier: Apache-2.0
//
// The words of column `holds` in SN_MODEL_FIELDS (sinew/fields_model.h), each as a rule.

#include "model/field_rules.h"

#include <stddef.h>

#include "spec/correspondence.h"

#define SIZE(n) .size = offsetof(sn_model, n)

#define HOLDS_id(n) .kind = SI_RULE_ID, SIZE(n)
#define HOLDS_adr(n) HOLDS_id(n)
#define HOLDS_id_or_none(n) .kind = SI_RULE_ID, .least = -1, SIZE(n)
#define HOLDS_adr_or_none(n) HOLDS_id_or_none(n)
#define HOLDS_adr_of(num, n) .kind = SI_RULE_ADR_OF, .partner = SI_FIELD_##num, SIZE(n)
#define HOLDS_of(field) .kind = SI_RULE_OF, .partner = SI_FIELD_##field
#define HOLDS_count HOLDS_count_from(0)
#define HOLDS_count_from(low) HOLDS_kind_from(low, INT64_C(1) << 31)
#define HOLDS_kind(count) HOLDS_kind_from(0, count)
#define HOLDS_kind_from(low, count) .kind = SI_RULE_RANGE, .least = (low), .end = (count)
#define HOLDS_condim .kind = SI_RULE_CONDIM
#define HOLDS_flag HOLDS_any
#define HOLDS_bits HOLDS_any
#define HOLDS_bytes HOLDS_any
#define HOLDS_any .kind = SI_RULE_ANY
#define HOLDS_finite .kind = SI_RULE_FINITE
#define HOLDS_positive .kind = SI_RULE_POSITIVE
#define HOLDS_direction .kind = SI_RULE_DIRECTION
#define HOLDS_follows .kind = SI_RULE_FOLLOWS
#define HOLDS_other .kind = SI_RULE_OTHER

const si_field_rule si_model_field_rules[SI_NMODELFIELD] = {
#define SN_X(type, name, rows, cols, holds, unit, meaning) { HOLDS_##holds },
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
};
