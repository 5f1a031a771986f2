// SPDX-License-Identifier: Apache-2.0
//
// The contact modifiers of a model.

#include "bind/bind.h"
#include "bind/named.h"

static sn_status bind_modifier(sn_model *m, const si_provider *p, const char *attributes,
                               sn_error *error) {
  const sn_contact_ops *ops = p->ops;
  const si_named_ops named = { .word = "contact modifier",
                               .attributes = ops->attributes,
                               .bind = ops->bind,
                               .unbind = ops->unbind };
  return si_bind_named(m, p, &named, attributes, &m->bound.contact, error);
}

sn_status si_bind_contacts(sn_model *m, sn_error *error) {
  return si_bind_each(m, SN_KIND_CONTACT, bind_modifier, error);
}

void si_unbind_contacts(sn_model *m) {
  si_bindings *list = &m->bound.contact;
  for (int64_t i = 0; i < list->n; i++) {
    const sn_contact_ops *ops = list->at[i].provider->ops;
    si_bind_end(m, list->at[i].provider, ops->unbind, list->at[i].bound);
  }
  si_bind_free(list);
}
