// SPDX-License-Identifier: Apache-2.0
//
// The order in which providers that a model can name are bound.

#include "bind/named.h"

#include <string.h>

#include "bind/bind.h"
#include "spec/spec.h"

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

sn_status si_bind_each(sn_model *m, const char *id, si_bind_fn *bind, sn_error *error) {
  const uint32_t named = si_named_kind_find(id)->flag;
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
