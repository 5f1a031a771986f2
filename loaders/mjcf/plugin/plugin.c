// SPDX-License-Identifier: Apache-2.0
//
// The plugin `mjcf`. It recognizes MJCF; all else is in the other part (load/mjcf.c), which is
// loaded with the library that parses XML when a model is first read or written.

#include <string.h>

#include "sinew/instance.h"
#include "sinew/loader.h"
#include "sinew/part.h"
#include "sinew/xml/xml.h"

#define PART "parts/mjcf.so"

static sn_status find_part(const sn_host *host, const sn_loader_ops **ops, sn_error *error) {
  static const char here;
  const void *found = NULL;
  SN_TRY(sn_part_ops(host, &here, PART, SN_KIND_LOADER, "mjcf", &found, error));
  *ops = found;
  return SN_OK;
}

static int32_t mjcf_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, "mujoco") == 0 ? 100 : 0;
}

static sn_status mjcf_load(const void *self, sn_source *source, const sn_builder *builder,
                           sn_error *error) {
  const sn_loader_ops *ops;
  SN_TRY(find_part(builder->host, &ops, error));
  return ops->load(self, source, builder, error);
}

static sn_status mjcf_save(const void *self, const sn_builder *builder, sn_sink *sink,
                           sn_error *error) {
  const sn_loader_ops *ops;
  SN_TRY(find_part(builder->host, &ops, error));
  return ops->save(self, builder, sink, error);
}

static sn_status mjcf_describe(const void *self, sn_sink *sink) {
  const sn_instance *instance = self;
  const sn_loader_ops *ops;
  SN_TRY(find_part(instance->host, &ops, NULL));
  return ops->describe(self, sink);
}

static const sn_loader_ops mjcf_ops = {
  .head = { .size = sizeof(sn_loader_ops),
            .summary = "reads and writes MJCF, version 2.2",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .extensions = "xml|mjcf",
  .probe = mjcf_probe,
  .load = mjcf_load,
  .save = mjcf_save,
  .describe = mjcf_describe,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("mjcf", &mjcf_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "mjcf", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "loader of MJCF models", .provides = provides, .part = PART)
