// SPDX-License-Identifier: Apache-2.0
//
// The plugin `urdf`: its parameters, set in [plugin.urdf] of the configuration. Reading is in the
// other part (urdf.c), which is loaded with the library that parses XML with the first robot.

#include <string.h>

#include "sinew/part.h"
#include "sinew/xml/xml.h"
#include "urdf/parameters.h"

#define PART "parts/urdf.so"

// ------------------------------------------------------------------ parameters

enum {
  STRICT,
  FLOATING_BASE,
  INERTIA,
  MIMIC,
  ACTUATORS,
  KP,
  KV,
  TRANSMISSIONS,
  PACKAGE_PATH,
  MISSING_MESHES,
};

static const sn_param params_table[] = {
  [STRICT] = { .name = "strict",
               .default_value = "false",
               .type = SN_PARAM_BOOL,
               .min = 0,
               .max = 1,
               .summary = "warnings about changes of the motion that the file specifies are "
                          "errors" },
  [FLOATING_BASE] = { .name = "floating_base",
                      .default_value = "false",
                      .choices = "false|true|auto",
                      .type = SN_PARAM_TEXT,
                      .summary = "the root link has a free joint; auto: unless it is called "
                                 "'world'; true: links fixed to a root 'world' have it" },
  [INERTIA] = { .name = "inertia",
                .default_value = "reject",
                .choices = "reject|repair",
                .type = SN_PARAM_TEXT,
                .summary = "inertia that is not that of a rigid body, and a moving link without "
                           "inertia: an error, or changed as little as possible with a warning" },
  [MIMIC] = { .name = "mimic",
              .default_value = "true",
              .type = SN_PARAM_BOOL,
              .min = 0,
              .max = 1,
              .summary = "mimic joints are coupled by a constraint" },
  [ACTUATORS] = { .name = "actuators",
                  .default_value = "none",
                  .choices = "none|transmissions|motor|position",
                  .type = SN_PARAM_TEXT,
                  .summary = "motors of the transmissions, or a motor or a position servo for "
                             "each joint that moves and does not mimic" },
  [KP] = { .name = "kp",
           .default_value = "100",
           .type = SN_PARAM_REAL,
           .min = 0,
           .max = 1e12,
           .summary = "gain of position servos, N m/rad or N/m" },
  [KV] = { .name = "kv",
           .default_value = "-1",
           .type = SN_PARAM_REAL,
           .min = -1,
           .max = 1e12,
           .summary = "damping of position servos, N m s/rad or N s/m; below 0: critical" },
  [TRANSMISSIONS] = { .name = "transmissions",
                      .default_value = "false",
                      .type = SN_PARAM_BOOL,
                      .min = 0,
                      .max = 1,
                      .summary = "true has the same effect as actuators = transmissions" },
  [PACKAGE_PATH] = { .name = "package_path",
                     .default_value = "",
                     .type = SN_PARAM_TEXT,
                     .summary = "folders of packages, separated by ':', before those of the "
                                "environment" },
  [MISSING_MESHES] = { .name = "missing_meshes",
                       .default_value = "error",
                       .choices = "error|skip",
                       .type = SN_PARAM_TEXT,
                       .summary = "collision shapes whose mesh file is not found: an error, or "
                                  "omitted with a warning" },
  { .name = NULL },
};

typedef struct instance {
  urdf_params params;   // first: what the operations get
  const sn_host *host;
} instance;

static void urdf_destroy(void *self) {
  instance *i = self;
  i->host->free(i->host, i->params.package_path);
  i->host->free(i->host, i);
}

static int is(const sn_value *value, const char *word) {
  return strcmp(value->text, word) == 0;
}

static int32_t actuators_of(const sn_value *values) {
  const sn_value *v = &values[ACTUATORS];
  return is(v, "motor")                                                 ? URDF_MOTOR
         : is(v, "position")                                            ? URDF_POSITION
         : is(v, "transmissions") || values[TRANSMISSIONS].integer != 0 ? URDF_TRANSMISSIONS
                                                                        : URDF_NONE;
}

static sn_status urdf_create(const sn_host *host, const sn_value *values, void **self,
                             sn_error *error) {
  instance *i = host->alloc(host, sizeof *i);
  size_t n = strlen(values[PACKAGE_PATH].text) + 1;
  char *path = host->alloc(host, (int64_t)n);
  if (!i || !path) {
    host->free(host, i);
    host->free(host, path);
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for the loader of URDF");
  }
  memcpy(path, values[PACKAGE_PATH].text, n);
  i->host = host;
  i->params = (urdf_params){ .strict = values[STRICT].integer != 0,
                             .floating = is(&values[FLOATING_BASE], "true")   ? URDF_FLOATING
                                         : is(&values[FLOATING_BASE], "auto") ? URDF_AUTO
                                                                              : URDF_FIXED,
                             .repair = is(&values[INERTIA], "repair"),
                             .mimic = values[MIMIC].integer != 0,
                             .actuators = actuators_of(values),
                             .kp = values[KP].real,
                             .kv = values[KV].real,
                             .skip_missing = is(&values[MISSING_MESHES], "skip"),
                             .package_path = path };
  *self = i;
  return SN_OK;
}

// ------------------------------------------------------------------ the operations

static int32_t urdf_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, "robot") == 0 ? 100 : 0;
}

static sn_status urdf_load(const void *self, sn_source *source, const sn_builder *builder,
                           sn_error *error) {
  static const char here;
  const void *found;
  SN_TRY(sn_part_ops(builder->host, &here, PART, SN_KIND_LOADER, "urdf", &found, error));
  const sn_loader_ops *ops = found;
  return ops->load(self, source, builder, error);
}

static const sn_loader_ops urdf_ops = {
  .head = { .size = sizeof(sn_loader_ops),
            .summary = "reads URDF",
            .params = params_table,
            .create = urdf_create,
            .destroy = urdf_destroy },
  .extensions = "urdf|xml",
  .probe = urdf_probe,
  .load = urdf_load,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("urdf", &urdf_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.urdf", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "loads models in URDF format", .provides = provides, .part = PART)
