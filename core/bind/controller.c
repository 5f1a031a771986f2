// SPDX-License-Identifier: Apache-2.0
//
// The controllers of a model. Their states follow those of the passive forces.

#include "bind/bind.h"
#include "bind/named.h"

static const sn_controller_ops *ops_of(const si_binding *b) {
  return b->provider->ops;
}

static si_named_ops named_ops(const si_provider *p) {
  const sn_controller_ops *ops = p->ops;
  return (si_named_ops){ "controller",  ops->attributes, ops->bind,           ops->unbind,
                         ops->states, ops->reset,      ops->advance != NULL };
}

static sn_status bind_controller(sn_model *m, const si_provider *p, const char *attributes,
                                 sn_error *error) {
  const si_named_ops ops = named_ops(p);
  return si_bind_named(m, p, &ops, attributes, &m->bound.controller, error);
}

sn_status si_bind_controllers(sn_model *m, sn_error *error) {
  return si_bind_each(m, SN_KIND_CONTROLLER, bind_controller, error);
}

sn_status si_bind_controller_start(sn_model *m, si_rest *rest, sn_error *error) {
  for (int64_t k = 0; k < m->bound.controller.n; k++) {
    const si_named_ops ops = named_ops(m->bound.controller.at[k].provider);
    SN_TRY(si_bind_named_start(m, &m->bound.controller.at[k], &ops, rest, error));
  }
  return SN_OK;
}

void si_unbind_controllers(sn_model *m) {
  si_bindings *list = &m->bound.controller;
  for (int64_t i = 0; i < list->n; i++) {
    si_bind_end(m, list->at[i].provider, ops_of(&list->at[i])->unbind, list->at[i].bound);
  }
  si_bind_free(list);
}
