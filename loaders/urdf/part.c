// SPDX-License-Identifier: Apache-2.0
//
// The part of the plugin that reads; instances are those of plugin.c, which also recognizes files.

#include <string.h>

#include "urdf/urdf.h"

static int32_t urdf_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, "robot") == 0 ? 100 : 0;
}

static const sn_loader_ops ops = {
  .head = { .size = sizeof(sn_loader_ops), .summary = "reads URDF" },
  .extensions = "urdf|xml",
  .probe = urdf_probe,
  .load = urdf_load,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("urdf", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.urdf", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "loads models in URDF format", .provides = provides, .init = xml_init)
