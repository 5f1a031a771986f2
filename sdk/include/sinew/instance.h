// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the code that nearly every plugin needs, inline: allocation with an error message, an
// instance that holds the services of the host, and access to fields of model and data by name.
//
//   typedef struct drag {
//     sn_instance base;   // first
//     double coefficient;
//   } drag;
//
//   create     SN_TRY(sn_instance_new(host, sizeof(drag), self, error));
//              ((drag *)*self)->coefficient = values[0].real;
//   bind       sn_lookup l = sn_lookup_start(self, model, error);
//              bound_drag b = { .nv = sn_lookup_size(&l, "nv"),
//                               .qvel = sn_lookup_data(&l, "qvel") };
//              SN_TRY(l.status);
//              return sn_instance_keep(self, &b, sizeof b, bound, error);
//   step       const double *v = sn_field_reals(data->fields, b->qvel);
//   unbind     sn_instance_unbind
//   destroy    sn_instance_destroy
//
// These structs are used inside a plugin only; they are not part of the binary interface.

#ifndef SINEW_INSTANCE_H
#define SINEW_INSTANCE_H

#include <stdio.h>
#include <string.h>

#include "sinew/plugin.h"

SN_BEGIN_DECLS

// ------------------------------------------------------------------ errors and memory

// [any] Fills `error`, without a source location, and returns `code`.
static inline sn_status sn_host_fail(const sn_host *host, sn_error *error, sn_status code,
                                     const char *text) {
  return host->error(host, error, code, NULL, 0, 0, text);
}

// [any] Allocates cleared memory, to be freed with host->free. NULL if memory is exhausted; `error`
// is filled then.
static inline void *sn_host_alloc(const sn_host *host, size_t bytes, sn_error *error) {
  void *memory = host->alloc(host, (int64_t)bytes);
  if (!memory) {
    sn_host_fail(host, error, SN_ENOMEM, "out of memory");
  }
  return memory;
}

// ------------------------------------------------------------------ instances

// The first member of an instance that uses the functions below.
typedef struct sn_instance {
  const sn_host *host;
  const sn_fields_service *fields;
} sn_instance;

// [load] For `create`: allocates an instance of `bytes` bytes that starts with an sn_instance; the
// rest is cleared. SN_ENOMEM: memory is exhausted; SN_EUNSUPPORTED: the engine does not provide
// SN_SERVICE_FIELDS.
static inline sn_status sn_instance_new(const sn_host *host, size_t bytes, void **self,
                                        sn_error *error) {
  const void *fields = host->query(host, SN_SERVICE_FIELDS);
  if (!fields) {
    return sn_host_fail(host, error, SN_EUNSUPPORTED,
                        "this engine lacks the service " SN_SERVICE_FIELDS);
  }
  sn_instance *made = (sn_instance *)sn_host_alloc(host, bytes, error);
  if (!made) {
    return SN_ENOMEM;
  }
  made->host = host;
  made->fields = (const sn_fields_service *)fields;
  *self = made;
  return SN_OK;
}

// [load] The operation `create` of a provider whose instance is an sn_instance and nothing more.
static inline sn_status sn_instance_create(const sn_host *host, const sn_value *values, void **self,
                                           sn_error *error) {
  (void)values;
  return sn_instance_new(host, sizeof(sn_instance), self, error);
}

// [load] The operation `destroy` of an instance that starts with an sn_instance and owns nothing.
static inline void sn_instance_destroy(void *self) {
  const sn_host *host = ((const sn_instance *)self)->host;
  host->free(host, self);
}

// [any] sn_host_fail and sn_host_alloc with the host of an instance, for its operations.
static inline sn_status sn_instance_fail(const void *self, sn_error *error, sn_status code,
                                         const char *text) {
  return sn_host_fail(((const sn_instance *)self)->host, error, code, text);
}

// [load] Allocates memory of the host. NULL, with an error, if memory is exhausted.
static inline void *sn_instance_alloc(const void *self, size_t bytes, sn_error *error) {
  return sn_host_alloc(((const sn_instance *)self)->host, bytes, error);
}

// [load] For the end of `bind`: copies the struct of resolved fields to memory of the host and sets
// *bound to it.
static inline sn_status sn_instance_keep(const void *self, const void *found, size_t bytes,
                                         void **bound, sn_error *error) {
  *bound = sn_instance_alloc(self, bytes, error);
  if (!*bound) {
    return SN_ENOMEM;
  }
  memcpy(*bound, found, bytes);
  return SN_OK;
}

// [load] The operation `unbind`, if `bind` allocated one block of memory.
static inline void sn_instance_unbind(const void *self, void *bound) {
  const sn_host *host = ((const sn_instance *)self)->host;
  host->free(host, bound);
}

// ------------------------------------------------------------------ fields by name

// Resolves fields of a model and its data by name, in `bind`. After a failure the further calls
// have no effect, so that `status` needs to be checked only once, after the last one. All are
// [load].
typedef struct sn_lookup {
  const sn_instance *self;
  const sn_model_view *model;
  sn_error *error;
  sn_status status;
} sn_lookup;

// [load] Starts to resolve the fields of a model.
static inline sn_lookup sn_lookup_start(const void *self, const sn_model_view *model,
                                        sn_error *error) {
  const sn_lookup l = { (const sn_instance *)self, model, error, SN_OK };
  return l;
}

// A service of the host by its id, such as SN_SERVICE_KINEMATICS. NULL: this engine lacks it,
// or there was a failure before.
static inline const void *sn_lookup_service(sn_lookup *l, const char *id) {
  const void *service = l->status < 0 ? NULL : l->self->host->query(l->self->host, id);
  if (!service && l->status >= 0) {
    char text[96];
    snprintf(text, sizeof text, "this engine does not have the service '%.48s'", id);
    l->status = sn_instance_fail(l->self, l->error, SN_EUNSUPPORTED, text);
  }
  return service;
}

// type: SN_REAL ...; a field of another type is a failure.
static inline const void *sn_lookup_model(sn_lookup *l, const char *name, int32_t type) {
  sn_field field;
  if (l->status >= 0) {
    l->status = l->self->fields->model_field(l->model, name, type, &field, l->error);
  }
  return l->status < 0 ? NULL : l->model->fields[field.index];
}

// An array of the model; valid as long as the model. NULL after a failure.
static inline const double *sn_lookup_reals(sn_lookup *l, const char *name) {
  return (const double *)sn_lookup_model(l, name, SN_REAL);
}

// The same for integers.
static inline const int32_t *sn_lookup_ints(sn_lookup *l, const char *name) {
  return (const int32_t *)sn_lookup_model(l, name, SN_INT);
}

// The handle of a field of the data. In a step, sn_field_reals (real numbers) or sn_field_ints
// (integers) reads the field with it.
static inline sn_field sn_lookup_field(sn_lookup *l, const char *name, int32_t type) {
  sn_field field = { 0, 0, 0, 0 };
  if (l->status >= 0) {
    l->status = l->self->fields->data_field(l->model, name, type, &field, l->error);
  }
  return field;
}

// A field of real numbers of the simulation, for sn_field_reals.
static inline sn_field sn_lookup_data(sn_lookup *l, const char *name) {
  return sn_lookup_field(l, name, SN_REAL);
}

// The same for integers, for sn_field_ints.
static inline sn_field sn_lookup_data_ints(sn_lookup *l, const char *name) {
  return sn_lookup_field(l, name, SN_INT);
}

// The address of an option of the model; its value may change between steps.
static inline const double *sn_lookup_option(sn_lookup *l, const char *name) {
  const double *option = l->self->fields->option(l->model, name);
  if (!option && l->status >= 0) {
    char text[96];
    snprintf(text, sizeof text, "models of this engine have no option '%.48s'", name);
    l->status = sn_instance_fail(l->self, l->error, SN_ENOTFOUND, text);
  }
  return option;
}

// A size of the model, such as "nv"; -1 after a failure.
static inline int64_t sn_lookup_size(sn_lookup *l, const char *name) {
  const int64_t size = l->status < 0 ? -1 : l->self->fields->size_of(l->model, name);
  if (size < 0 && l->status >= 0) {
    char text[96];
    snprintf(text, sizeof text, "models of this engine have no size '%.48s'", name);
    l->status = sn_instance_fail(l->self, l->error, SN_ENOTFOUND, text);
  }
  return size;
}

SN_END_DECLS

#endif
