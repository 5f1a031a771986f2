// SPDX-License-Identifier: Apache-2.0
//
// The kinds whose providers a model can name, and the order in which they are bound.

#include "bind/named.h"

#include <stddef.h>
#include <string.h>

#include "bind/bind.h"
#include "spec/spec.h"

static const si_named_kind kinds[] = {
  { "", SN_KIND_PASSIVE, SN_PASSIVE_NAMED, 0, offsetof(sn_passive_ops, attributes) },
  { "contact", SN_KIND_CONTACT, SN_CONTACT_NAMED, 0, offsetof(sn_contact_ops, attributes) },
};
enum { NKIND = sizeof kinds / sizeof kinds[0] };

const si_named_kind *si_named_kind_of(const char *type, const char **name) {
  *name = type;
  for (int i = 1; i < NKIND; i++) {
    const size_t n = strlen(kinds[i].word);
    if (strncmp(type, kinds[i].word, n) == 0 && type[n] == '/') {
      *name = type + n + 1;
      return &kinds[i];
    }
  }
  return &kinds[0];
}

const sn_param *si_named_attributes(const si_named_kind *kind, const si_provider *provider) {
  const sn_param *attributes;
  memcpy(&attributes, (const char *)provider->ops + kind->attributes, sizeof attributes);
  return attributes;
}

static sn_status bind_named(sn_model *m, const char *id, int64_t i, si_bind_fn *bind,
                            sn_error *error) {
  const char *name;
  const si_named_kind *kind = si_named_kind_of(m->names + m->force_typename[i], &name);
  if (strcmp(kind->id, id) != 0) {
    return SN_OK;
  }
  const si_provider *p = si_engine_find(m->engine, id, name, error);
  if (!p) {
    return SN_ENOTFOUND;
  }
  const sn_status status = bind(m, p, m->names + m->force_attradr[i], error);
  return status < 0 ? si_bind_blame(m, SI_ELEMENT_force, (int32_t)i, status) : SN_OK;
}

static uint32_t flag_of(const char *id) {
  int k = 0;
  while (strcmp(kinds[k].id, id) != 0) {
    k++;
  }
  return kinds[k].flag;
}

sn_status si_bind_each(sn_model *m, const char *id, si_bind_fn *bind, sn_error *error) {
  const uint32_t named = flag_of(id);
  const si_provider *p;
  for (int64_t i = 0; (p = si_engine_each(m->engine, id, i)); i++) {
    if (!(((const sn_ops *)p->ops)->flags & named)) {
      SN_TRY(bind(m, p, NULL, error));
    }
  }
  for (int64_t i = 0; i < m->nforce; i++) {
    SN_TRY(bind_named(m, id, i, bind, error));
  }
  return SN_OK;
}
