// SPDX-License-Identifier: Apache-2.0
//
// Plugins one by one, with those that were left out and why: first the lines of [plugins] in their
// order, then what the application added.

#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "host/engine_state.h"

static const si_entry *line_of(const sn_engine *engine, const char *key) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "plugins") == 0 && strcmp(e->key, key) == 0) {
      return e;
    }
  }
  return NULL;
}

static sn_plugin_info info_of(const si_plugin_file *plugin) {
  return (sn_plugin_info){ .key = plugin->key,
                           .path = plugin->path,
                           .name = plugin->about.name,
                           .version = plugin->about.version,
                           .license = plugin->about.license,
                           .summary = plugin->about.summary,
                           .abi_major = plugin->about.abi_major,
                           .abi_minor_needed = plugin->about.abi_minor_needed,
                           .part = plugin->about.part };
}

// The plugin of a line of [plugins].
static sn_plugin_info line_info(const sn_engine *engine, const si_entry *line) {
  sn_plugin_info info = { .key = line->key };
  for (int64_t i = 0; i < engine->nplugin; i++) {
    if (strcmp(engine->plugin[i]->key, line->key) == 0) {
      info = info_of(engine->plugin[i]);
    }
  }
  for (int64_t i = 0; i < engine->nleft; i++) {
    const si_left_out *left = &engine->left[i];
    if (strcmp(left->key, line->key) == 0) {
      info.path = left->path;
      info.status = left->status;
      info.reason = left->why;
    }
  }
  info.origin = line->origin;
  int optional = 0;
  free(si_config_plugin_path(line, &optional));
  info.is_optional = optional;
  return info;
}

int32_t sn_engine_plugin(const sn_engine *engine, int64_t index, sn_plugin_info *info) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    if (si_config_is_plugin(&engine->entry[i]) && index-- == 0) {
      const sn_plugin_info all = line_info(engine, &engine->entry[i]);
      return si_copy_out(info, &all, sizeof all) == SN_OK;
    }
  }
  for (int64_t i = 0; i < engine->nplugin; i++) {
    const si_plugin_file *plugin = engine->plugin[i];
    if (!line_of(engine, plugin->key) && index-- == 0) {
      sn_plugin_info all = info_of(plugin);
      all.origin = plugin->path ? "sn_engine_load_plugin" : "sn_engine_add_static";
      return si_copy_out(info, &all, sizeof all) == SN_OK;
    }
  }
  return 0;
}
