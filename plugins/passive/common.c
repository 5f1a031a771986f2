// SPDX-License-Identifier: Apache-2.0
//
// See common.h. Derivatives: bodies b of the subtree of dof k, the later one of dofs i and j, are
// those that both move, so the entry (i, j) is S_i' (sum of B_b) S_j: sums towards the root once,
// then one product an entry.

#include "common.h"

#include <stddef.h>

#include "sinew/math.h"

// ------------------------------------------------------------------ instances

sn_status instance_create(const sn_host *host, const sn_value *values, void **self,
                          sn_error *error) {
  (void)values;
  instance *made = host->alloc(host, (int64_t)sizeof *made);
  if (!made) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory for a passive force");
  }
  made->host = host;
  made->fields = host->query(host, SN_SERVICE_FIELDS);
  *self = made;
  return SN_OK;
}

void instance_destroy(void *self) {
  instance *made = self;
  if (made) {
    made->host->free(made->host, made);
  }
}

void *instance_alloc(const instance *self, int64_t bytes, sn_error *error) {
  void *memory = self->host->alloc(self->host, bytes);
  if (!memory) {
    self->host->error(self->host, error, SN_ENOMEM, NULL, 0, 0, "no memory for a passive force");
  }
  return memory;
}

// ------------------------------------------------------------------ fields

static const void *find_model(finder *f, const char *name) {
  sn_field field;
  if (f->status < 0) {
    return NULL;
  }
  f->status = f->self->fields->model_field(f->model, name, &field, f->error);
  return f->status < 0 ? NULL : f->model->fields[field.index];
}

const double *find_reals(finder *f, const char *name) {
  return find_model(f, name);
}

const int32_t *find_ints(finder *f, const char *name) {
  return find_model(f, name);
}

sn_field find_data(finder *f, const char *name) {
  sn_field field = { 0 };
  if (f->status >= 0) {
    f->status = f->self->fields->data_field(f->model, name, &field, f->error);
  }
  return field;
}

const double *find_option(finder *f, const char *name) {
  const double *option = f->self->fields->option(f->model, name);
  if (!option && f->status >= 0) {
    f->status = f->self->host->error(f->self->host, f->error, SN_ENOTFOUND, NULL, 0, 0,
                                     "this engine lacks an option that a passive force needs");
  }
  return option;
}

int64_t find_size(const finder *f, const char *name) {
  return f->self->fields->size_of(f->model, name);
}

// ------------------------------------------------------------------ the tree

tree find_tree(finder *f) {
  return (tree){ .nv = find_size(f, "nv"),
                 .nbody = find_size(f, "nbody"),
                 .body_parentid = find_ints(f, "body_parentid"),
                 .body_rootid = find_ints(f, "body_rootid"),
                 .body_weldid = find_ints(f, "body_weldid"),
                 .body_dofadr = find_ints(f, "body_dofadr"),
                 .body_dofnum = find_ints(f, "body_dofnum"),
                 .dof_parentid = find_ints(f, "dof_parentid"),
                 .dof_bodyid = find_ints(f, "dof_bodyid"),
                 .cdof = find_data(f, "cdof"),
                 .subtree_com = find_data(f, "subtree_com"),
                 .cvel = find_data(f, "cvel"),
                 .xipos = find_data(f, "xipos") };
}

const double *tree_origin(const tree *t, const sn_data_view *data, int32_t body) {
  return sn_field_reals(data->fields, t->subtree_com) + 3 * t->body_rootid[body];
}

void tree_apply(const tree *t, const sn_data_view *data, int32_t body, const double *wrench,
                double *qfrc) {
  const double *cdof = sn_field_reals(data->fields, t->cdof);
  int32_t top = t->body_weldid[body];
  if (top == 0) {
    return;
  }
  int32_t tip = t->body_dofadr[top] + t->body_dofnum[top] - 1;
  for (int32_t i = tip; i >= 0; i = t->dof_parentid[i]) {
    qfrc[i] += sn_dot6(cdof + 6 * i, wrench);
  }
}

void tree_derive(const tree *t, const sn_data_view *data, double *B, const sn_sparse *pattern,
                 double *D) {
  const double *S = sn_field_reals(data->fields, t->cdof);
  for (int64_t b = t->nbody - 1; b > 0; b--) {
    double *up = B + 36 * t->body_parentid[b];
    for (int i = 0; i < 36 && t->body_parentid[b] > 0; i++) {
      up[i] += B[36 * b + i];
    }
  }
  for (int64_t i = 0; i < t->nv; i++) {
    for (int32_t p = 0; p < pattern->nnz[i]; p++) {
      int64_t j = pattern->col[pattern->adr[i] + p], later = i > j ? i : j;
      const double *sum = B + 36 * t->dof_bodyid[later];
      double value = 0;
      for (int r = 0; r < 6; r++) {
        value += S[6 * i + r] * sn_dot6(sum + 6 * r, S + 6 * j);
      }
      D[pattern->adr[i] + p] += value;
    }
  }
}
