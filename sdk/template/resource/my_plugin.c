// SPDX-License-Identifier: Apache-2.0
//
// A template for resources: files whose content the plugin has itself, under names that begin with
// "my_plugin:". Replace the table by the place that your files come from. The kind is a draft: a
// plugin that uses it must be compiled for the version of Sinew that loads it.

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/resource.h"

static const char prefix[] = "my_plugin:";

typedef struct entry {
  const char *name, *text;
} entry;

static const entry entries[] = {
  { "wheel.xml",
    "<mujoco><worldbody><body name='wheel' pos='0 0 0.5'><joint name='axle' axis='0 1 0'/>"
    "<geom type='mesh' mesh='wedge'/></body></worldbody>"
    "<asset><mesh name='wedge' file='my_plugin:mesh/wedge.obj'/></asset></mujoco>" },
  { "mesh/wedge.obj", "v 0 0 0\nv 0.3 0 0\nv 0 0.1 0\nv 0 0 0.4\n"
                      "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n" },
};
enum { NENTRY = sizeof entries / sizeof entries[0] };

static sn_status open_file(const void *self, const sn_source *archive, const char *name,
                           void **file, int64_t *count, sn_error *error) {
  (void)archive;
  for (int i = 0; i < NENTRY; i++) {
    if (strcmp(name + sizeof prefix - 1, entries[i].name) == 0) {
      *file = (void *)&entries[i];
      *count = (int64_t)strlen(entries[i].text);
      return SN_OK;
    }
  }
  char text[256];
  snprintf(text, sizeof text, "there is no such file; available: %s%s and %s%s", prefix,
           entries[0].name, prefix, entries[1].name);
  return sn_instance_fail(self, error, SN_ENOTFOUND, text);
}

static sn_status read_file(const void *self, void *file, uint8_t *bytes, sn_error *error) {
  const entry *e = (const entry *)file;
  (void)self;
  (void)error;
  memcpy(bytes, e->text, strlen(e->text));
  return SN_OK;
}

static void close_file(const void *self, void *file) {
  (void)self;
  (void)file;
}

// The first part of each path below the folder: "mesh" of "mesh/wedge.obj" at the top.
static sn_status list(const void *self, const sn_source *archive, const char *folder, void *context,
                      sn_status (*each)(void *context, const char *name, int32_t is_folder)) {
  const char *below = folder + sizeof prefix - 1;
  const size_t n = strlen(below);
  sn_status result = n == 0 ? SN_OK : SN_ENOTFOUND;
  (void)self;
  (void)archive;
  for (int i = 0; i < NENTRY; i++) {
    const char *rest = entries[i].name;
    if (n > 0 && (strncmp(rest, below, n) != 0 || rest[n] != '/')) {
      continue;
    }
    rest += n > 0 ? n + 1 : 0;
    const size_t length = strcspn(rest, "/");
    char part[64] = "";
    memcpy(part, rest, length < sizeof part ? length : sizeof part - 1);
    SN_TRY(each(context, part, strchr(rest, '/') != NULL));
    result = SN_OK;
  }
  return result;
}

// ------------------------------------------------------------------ the plugin

static const sn_resource_ops ops = {
  .head = { .size = sizeof(sn_resource_ops),
            .summary = "files of my own",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .prefixes = prefix,
  .open = open_file,
  .read = read_file,
  .close = close_file,
  .list = list,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RESOURCE("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a place where files come from", .provides = provides)
