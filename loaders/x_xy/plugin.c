// SPDX-License-Identifier: Apache-2.0
//
// The plugin `x_xy`: its parameters. Reading and writing are in the other part (x_xy.c), which is
// loaded with the library that parses XML when it is first used.

#include <string.h>

#include "sinew/part.h"
#include "sinew/xml/xml.h"
#include "x_xy/parameters.h"

#define PART "parts/x_xy.so"

// ------------------------------------------------------------------ the instance

typedef struct instance {
  x_params params;   // first: what the operations get
  const sn_host *host;
} instance;

static sn_status x_xy_create(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  instance *i = host->alloc(host, sizeof *i);
  size_t n = strlen(values[4].text) + 1;
  char *joints = host->alloc(host, (int64_t)n);
  if (!i || !joints) {
    host->free(host, i);
    host->free(host, joints);
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for the loader of x_xy");
  }
  memcpy(joints, values[4].text, n);
  i->params = (x_params){ .seed = values[0].integer,
                          .collide = values[1].integer != 0,
                          .randomize_pos = values[2].integer != 0,
                          .lossy = values[3].integer != 0,
                          .joints = joints };
  i->host = host;
  *self = i;
  return SN_OK;
}

static void x_xy_destroy(void *self) {
  instance *i = self;
  i->host->free(i->host, i->params.joints);
  i->host->free(i->host, i);
}

// ------------------------------------------------------------------ operations of the part

static sn_status find_part(const sn_host *host, const sn_loader_ops **ops, sn_error *error) {
  static const char here;
  const void *found = NULL;
  SN_TRY(sn_part_ops(host, &here, PART, SN_KIND_LOADER, "x_xy", &found, error));
  *ops = found;
  return SN_OK;
}

static int32_t x_xy_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, "x_xy") == 0 ? 100 : 0;
}

static sn_status x_xy_load(const void *self, sn_source *source, const sn_builder *builder,
                           sn_error *error) {
  const sn_loader_ops *ops;
  SN_TRY(find_part(builder->host, &ops, error));
  return ops->load(self, source, builder, error);
}

static sn_status x_xy_save(const void *self, const sn_builder *builder, sn_sink *sink,
                           sn_error *error) {
  const sn_loader_ops *ops;
  SN_TRY(find_part(builder->host, &ops, error));
  return ops->save(self, builder, sink, error);
}

// ------------------------------------------------------------------ the plugin

static const sn_param x_xy_params[] = {
  { .name = "seed",
    .default_value = "1",
    .type = SN_PARAM_INT,
    .min = 0,
    .max = 9007199254740992.0,
    .summary = "seed of random axes and positions" },
  { .name = "collide",
    .default_value = "false",
    .type = SN_PARAM_BOOL,
    .min = 0,
    .max = 1,
    .summary = "all geoms collide (x_xy has no contacts)" },
  { .name = "randomize_pos",
    .default_value = "false",
    .type = SN_PARAM_BOOL,
    .min = 0,
    .max = 1,
    .summary = "choose random positions between pos_min and pos_max" },
  { .name = "lossy",
    .default_value = "false",
    .type = SN_PARAM_BOOL,
    .min = 0,
    .max = 1,
    .summary = "write what x_xy can express of a model and list the rest as warnings" },
  { .name = "joints",
    .default_value = "",
    .type = SN_PARAM_TEXT,
    .summary = "file with more joints, NAME = JOINT JOINT ..., relative to the model's folder" },
  { .name = NULL },
};

static const sn_loader_ops x_xy_ops = {
  .head = { .size = sizeof(sn_loader_ops),
            .summary = "reads and writes x_xy",
            .params = x_xy_params,
            .create = x_xy_create,
            .destroy = x_xy_destroy },
  .extensions = "x_xy|xml",
  .probe = x_xy_probe,
  .load = x_xy_load,
  .save = x_xy_save,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("x_xy", &x_xy_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.x_xy", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "loader of x_xy models", .provides = provides, .part = PART)
