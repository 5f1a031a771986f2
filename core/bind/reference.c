// SPDX-License-Identifier: Apache-2.0
//
// Attributes that name an element of the model: from the name to the id.

#include <string.h>

#include "base/words.h"
#include "bind/bind.h"

static sn_status find_element(const sn_model *m, const sn_param *p, sn_value *value,
                              sn_error *error) {
  const char *kinds = p->choices;
  si_word kind;
  for (int64_t place = 0; si_next_word(&kinds, &kind); place++) {
    value->integer = sn_find(m, kind.text, value->text);
    if (value->integer >= 0) {
      value->n = place;
      return SN_OK;
    }
  }
  return si_fail(error, SN_ENOTFOUND, "its attribute '%s' names '%s', but no %s has that name",
                 p->name, value->text, p->choices);
}

static sn_status missing(const sn_param *p, sn_error *error) {
  const int n = (int)strcspn(p->choices, "|");
  return si_fail(error, SN_EINVAL,
                 "it needs the attribute '%s', the name of a %s (%s); in MJCF, "
                 "<config key=\"%s\" value=\"NAME OF A %.*s\"/>",
                 p->name, p->choices, p->summary ? p->summary : "", p->name, n, p->choices);
}

sn_status si_bind_references(const sn_model *m, const sn_param *declared, sn_value *values,
                             sn_error *error) {
  for (int64_t i = 0; declared && declared[i].name; i++) {
    const sn_param *p = &declared[i];
    if (p->type == SN_PARAM_REFERENCE && values[i].text[0]) {
      SN_TRY(find_element(m, p, &values[i], error));
    } else if (p->type == SN_PARAM_REFERENCE && !p->default_value) {
      return missing(p, error);
    }
  }
  return SN_OK;
}
