// SPDX-License-Identifier: Apache-2.0
//
// Equality constraints of plugins: which provider computes the rows of each, how many there are,
// which of them are limits, and on which dofs they depend.

#include <stdlib.h>

#include "bind/bind.h"
#include "model/model_call.h"
#include "spec/spec.h"

static int ascending(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

// What each of the rows is.
static sn_status find_kinds(const sn_model *m, si_plugin_equality *e, sn_error *error) {
  const sn_constraint_ops *ops = e->provider->ops;
  e->kind = calloc((size_t)e->nrow, sizeof *e->kind);
  if (!e->kind) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  if (ops->kinds) {
    si_watch call;
    si_model_enter(&call, m, e->provider, "kinds");
    int32_t *lent = si_watch_lend(&call, "kind", e->kind, e->nrow * (int64_t)sizeof *e->kind);
    ops->kinds(e->provider->self, e->bound, lent);
    SN_TRY(si_watch_end(&call, SN_OK, error));
  }
  for (int32_t i = 0; i < e->nrow; i++) {
    const int32_t kind = e->kind[i];
    if (kind != SN_CONSTRAINT_EQUATION && kind != SN_CONSTRAINT_LIMIT) {
      return si_fail(error, SN_EPLUGIN,
                     "the constraint '%s' declares kind %d of row %d; it must be "
                     "SN_CONSTRAINT_EQUATION (%d) or SN_CONSTRAINT_LIMIT (%d)",
                     e->provider->name, kind, i, SN_CONSTRAINT_EQUATION, SN_CONSTRAINT_LIMIT);
    }
    e->nlimit += kind == SN_CONSTRAINT_LIMIT;
  }
  return SN_OK;
}

static sn_status find_rows(const sn_model *m, si_plugin_equality *e, sn_error *error) {
  const sn_constraint_ops *ops = e->provider->ops;
  si_watch call;
  si_model_enter(&call, m, e->provider, "rows");
  const int64_t nrow = ops->rows(e->provider->self, e->bound);
  SN_TRY(si_watch_end(&call, SN_OK, error));
  if (nrow < 1 || nrow > SN_MAX_CONSTRAINT_ROWS) {
    return si_fail(error, SN_EPLUGIN,
                   "the constraint '%s' declares %lld rows; the number must be from 1 to %d",
                   e->provider->name, (long long)nrow, SN_MAX_CONSTRAINT_ROWS);
  }
  e->nrow = (int32_t)nrow;
  return find_kinds(m, e, error);
}

// The dofs in ascending order.
static sn_status find_dofs(const sn_model *m, si_plugin_equality *e, sn_error *error) {
  const sn_constraint_ops *ops = e->provider->ops;
  e->dof = calloc((size_t)m->nv + 1, sizeof *e->dof);
  if (!e->dof) {
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  si_watch call;
  si_model_enter(&call, m, e->provider, "dofs");
  int32_t *lent = si_watch_lend(&call, "dof", e->dof, m->nv * (int64_t)sizeof *e->dof);
  const int64_t n = ops->dofs(e->provider->self, e->bound, lent);
  SN_TRY(si_watch_end(&call, SN_OK, error));
  int valid = n >= 0 && n <= m->nv;
  if (valid) {
    qsort(e->dof, (size_t)n, sizeof *e->dof, ascending);
  }
  for (int64_t i = 0; valid && i < n; i++) {
    valid = e->dof[i] >= 0 && e->dof[i] < m->nv && (i == 0 || e->dof[i] > e->dof[i - 1]);
  }
  if (!valid) {
    return si_fail(error, SN_EPLUGIN,
                   "the constraint '%s' must declare dofs of the model, each once; the model has "
                   "%lld dofs",
                   e->provider->name, (long long)m->nv);
  }
  e->ndof = (int32_t)n;
  return SN_OK;
}

static sn_status bind_one(sn_model *m, int64_t i, sn_error *error) {
  si_plugin_equality *e = &m->bound.equality[i];
  const si_provider *p = si_engine_find(m->engine, SN_KIND_CONSTRAINT, m->names + m->eq_typename[i],
                                        error);
  if (!p) {
    return SN_ENOTFOUND;
  }
  const sn_constraint_ops *ops = p->ops;
  const char *lines = m->names + m->eq_attradr[i];
  sn_value *values = NULL;
  SN_TRY(si_attributes_check(&ops->attributes, 1, lines, error));
  SN_TRY(si_attributes_read(ops->attributes, lines, &values, NULL, error));
  sn_status status = si_bind_references(m, ops->attributes, values, error);
  if (status >= 0) {
    si_watch call;
    si_model_enter(&call, m, p, "bind");
    status = si_watch_end(&call, ops->bind(p->self, &m->view, values, &e->bound, error), error);
  }
  free(values);
  SN_TRY(status);
  e->provider = p;
  SN_TRY(find_rows(m, e, error));
  return find_dofs(m, e, error);
}

sn_status si_bind_constraints(sn_model *m, sn_error *error) {
  for (int64_t i = 0; i < m->neq; i++) {
    if (m->eq_type[i] != SN_EQUALITY_PLUGIN) {
      continue;
    }
    if (!m->bound.equality) {
      m->bound.equality = calloc((size_t)m->neq, sizeof *m->bound.equality);
    }
    const sn_status status = m->bound.equality
                                 ? bind_one(m, i, error)
                                 : si_fail(error, SN_ENOMEM, "out of memory while binding a model");
    if (status < 0) {
      return si_bind_blame(m, SI_ELEMENT_equality, (int32_t)i, status);
    }
  }
  return SN_OK;
}

void si_unbind_constraints(sn_model *m) {
  for (int64_t i = 0; m->bound.equality && i < m->neq; i++) {
    si_plugin_equality *e = &m->bound.equality[i];
    if (e->provider) {
      const sn_constraint_ops *ops = e->provider->ops;
      si_bind_end(m, e->provider, ops->unbind, e->bound);
    }
    free(e->dof);
    free(e->kind);
  }
  free(m->bound.equality);
  m->bound.equality = NULL;
}
