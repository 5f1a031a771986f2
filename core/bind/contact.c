// SPDX-License-Identifier: Apache-2.0
//
// The contact modifiers of a model.

#include <stdlib.h>

#include "bind/bind.h"
#include "bind/named.h"

static sn_status bind_modifier(sn_model *m, const si_provider *p, const char *attributes,
                               sn_error *error) {
  const sn_contact_ops *ops = p->ops;
  sn_value *values = NULL;
  void *bound = NULL;
  SN_TRY(si_attributes_read(ops->attributes, attributes, &values, NULL, error));
  sn_status status = si_bind_references(m, ops->attributes, values, error);
  if (status >= 0) {
    const si_call call = si_call_enter(p, "bind");
    status = si_call_leave(&call, ops->bind(p->self, &m->view, values, &bound, error), error);
  }
  free(values);
  SN_TRY(status);
  if (!bound) {
    return SN_OK;
  }
  si_binding *b = si_bind_add(&m->bound.contact, p, 0);
  if (!b) {
    si_bind_end(p, ops->unbind, bound);
    return si_fail(error, SN_ENOMEM, "no memory to bind a model");
  }
  b->bound = bound;
  return SN_OK;
}

sn_status si_bind_contacts(sn_model *m, sn_error *error) {
  return si_bind_each(m, SN_KIND_CONTACT, bind_modifier, error);
}

void si_unbind_contacts(sn_model *m) {
  si_bindings *list = &m->bound.contact;
  for (int64_t i = 0; i < list->n; i++) {
    const sn_contact_ops *ops = list->at[i].provider->ops;
    si_bind_end(list->at[i].provider, ops->unbind, list->at[i].bound);
  }
  si_bind_free(list);
}
