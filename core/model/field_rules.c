// SPDX-License-Identifier: Apache-2.0
//
// The words of column `holds` in SN_MODEL_FIELDS (sinew/fields_model.h), each as a rule.

#include "model/field_rules.h"

#include <stddef.h>
#include <string.h>

#include "model/fields.h"
#include "spec/correspondence.h"

#define SIZE(n) .size = offsetof(sn_model, n)

#define DOMAIN_id(n) .kind = SI_RULE_ID, SIZE(n)
#define DOMAIN_adr(n) DOMAIN_id(n)
#define DOMAIN_id_or_none(n) .kind = SI_RULE_ID, .least = -1, SIZE(n)
#define DOMAIN_adr_or_none(n) DOMAIN_id_or_none(n)
#define DOMAIN_adr_of(num, n) .kind = SI_RULE_ADR_OF, .partner = SI_FIELD_##num, SIZE(n)
#define DOMAIN_of(field) .kind = SI_RULE_OF, .partner = SI_FIELD_##field
#define DOMAIN_count DOMAIN_count_from(0)
#define DOMAIN_count_from(low) DOMAIN_kind_from(low, INT64_C(1) << 31)
#define DOMAIN_kind(count) DOMAIN_kind_from(0, count)
#define DOMAIN_kind_from(low, count) .kind = SI_RULE_RANGE, .least = (low), .end = (count)
#define DOMAIN_condim .kind = SI_RULE_CONDIM
#define DOMAIN_flag DOMAIN_any
#define DOMAIN_bits DOMAIN_any
#define DOMAIN_bytes DOMAIN_any
#define DOMAIN_any .kind = SI_RULE_ANY
#define DOMAIN_finite .kind = SI_RULE_FINITE
#define DOMAIN_positive .kind = SI_RULE_POSITIVE
#define DOMAIN_nonnegative .kind = SI_RULE_NONNEGATIVE
#define DOMAIN_direction .kind = SI_RULE_DIRECTION
#define DOMAIN_derived .kind = SI_RULE_DERIVED
#define DOMAIN_other .kind = SI_RULE_OTHER

const si_field_rule si_model_field_rules[SI_NMODELFIELD] = {
#define SN_X(type, name, rows, cols, domain, unit, meaning) { DOMAIN_##domain },
  SN_MODEL_FIELDS(SN_X)
#undef SN_X
};

static const struct {
  const char *name, *source;
} sources[] = {
  { "body_subtreemass", "body_mass" },
  { "body_invweight0", "body_mass, body_inertia and dof_armature" },
  { "jnt_stiffness", "dof_stiffness" },
  { "dof_invweight0", "body_mass, body_inertia and dof_armature" },
  { "dof_M0", "body_mass, body_inertia and dof_armature" },
  { "geom_rbound", "geom_size" },
  { "cam_poscom0", "cam_pos" },
  { "cam_pos0", "cam_pos" },
  { "cam_mat0", "cam_quat" },
  { "light_poscom0", "light_pos" },
  { "light_pos0", "light_pos" },
  { "light_dir0", "light_dir" },
  { "tendon_length0", "qpos0" },
  { "tendon_invweight0", "body_mass, body_inertia and dof_armature" },
  { "actuator_acc0", "actuator_gear, body_mass, body_inertia and dof_armature" },
  { "actuator_length0", "qpos0" },
};

const char *si_model_field_source(int32_t field) {
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
    if (strcmp(sources[i].name, si_model_field_table[field].name) == 0) {
      return sources[i].source;
    }
  }
  return NULL;
}
