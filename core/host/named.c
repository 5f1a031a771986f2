// SPDX-License-Identifier: Apache-2.0
//
// The table of kinds whose providers a model can name.

#include "host/named.h"

#include <string.h>

#include "sinew/contact.h"
#include "sinew/controller.h"

static const si_named_kind kinds[] = {
  { "", SN_KIND_PASSIVE, SN_PASSIVE_NAMED, 0, offsetof(sn_passive_ops, attributes) },
  { "contact", SN_KIND_CONTACT, SN_CONTACT_NAMED, 0, offsetof(sn_contact_ops, attributes) },
  { "controller", SN_KIND_CONTROLLER, SN_CONTROLLER_NAMED, 0,
    offsetof(sn_controller_ops, attributes) },
};
enum { NKIND = sizeof kinds / sizeof kinds[0] };

const si_named_kind *si_named_kind_find(const char *id) {
  for (int i = 0; i < NKIND; i++) {
    if (strcmp(kinds[i].id, id) == 0) {
      return &kinds[i];
    }
  }
  return NULL;
}

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
