// SPDX-License-Identifier: Apache-2.0
//
// A template for contact modifiers: the sliding friction of all contacts is scaled by a factor, a
// parameter of the configuration. Replace the rule by your own. The kind is a draft: a plugin that
// uses it must be compiled for the version of Sinew that loads it.

#include <stddef.h>

#include "sinew/contact.h"
#include "sinew/instance.h"

typedef struct modifier {
  sn_instance base;   // first
  double factor;
} modifier;

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(modifier), self, error));
  ((modifier *)*self)->factor = values[0].real;
  return SN_OK;
}

// Nothing to do: leave *bound NULL, and the modifier costs nothing.
static sn_status bind(const void *self, const sn_model_view *model, const sn_value *values,
                      void **bound, sn_error *error) {
  const modifier *s = (const modifier *)self;
  (void)model;
  (void)values;
  return s->factor == 1 ? SN_OK : sn_instance_keep(self, &s->factor, sizeof(double), bound, error);
}

static sn_status modify(const void *self, const void *bound, const sn_data_view *data,
                        sn_contacts *contacts, sn_scratch *scratch) {
  const double factor = *(const double *)bound;
  (void)self;
  (void)data;
  (void)scratch;
  for (int64_t i = 0; i < contacts->n; i++) {
    contacts->friction[5 * i] *= factor;
    contacts->friction[5 * i + 1] *= factor;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param params[] = {
  { .name = "factor",
    .default_value = "0.5",
    .summary = "of the sliding friction of all contacts",
    .min = 0,
    .max = 1e3,
    .type = SN_PARAM_REAL },
  { .name = NULL },
};

static const sn_contact_ops ops = {
  .head = { .size = sizeof(sn_contact_ops),
            .summary = "scales the sliding friction of all contacts",
            .params = params,
            .create = create,
            .destroy = sn_instance_destroy },
  .bind = bind,
  .unbind = sn_instance_unbind,
  .modify = modify,
};

static const sn_provide provides[] = {
  SN_PROVIDE_CONTACT("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a contact modifier", .provides = provides)
