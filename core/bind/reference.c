// SPDX-License-Identifier: Apache-2.0
//
// Attributes that name an element of the model: from the name to the id.

#include <string.h>

#include "base/text.h"
#include "bind/bind.h"

static sn_status find_element(const sn_model *m, const sn_param *p, sn_value *value,
                              sn_error *error) {
  char kind[32];
  int64_t place = 0;
  for (const char *word = p->choices; *word; place++) {
    const size_t n = strcspn(word, "|");
    const size_t used = n < sizeof kind ? n : sizeof kind - 1;
    memcpy(kind, word, used);
    kind[used] = '\0';
    value->integer = sn_find(m, kind, value->text);
    if (value->integer >= 0) {
      value->n = place;
      return SN_OK;
    }
    word += n + (word[n] == '|');
  }
  return si_fail(error, SN_ENOTFOUND, "its attribute '%s' names '%s', but no %s has that name",
                 p->name, value->text, p->choices);
}

sn_status si_bind_references(const sn_model *m, const sn_param *declared, sn_value *values,
                             sn_error *error) {
  for (int64_t i = 0; declared && declared[i].name; i++) {
    if (declared[i].type == SN_PARAM_REFERENCE && values[i].text[0]) {
      SN_TRY(find_element(m, &declared[i], &values[i], error));
    }
  }
  return SN_OK;
}
