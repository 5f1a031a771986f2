// SPDX-License-Identifier: Apache-2.0
//
// Listings for users: everything that is loaded, and every effective value with its origin. They
// are made row by row; nothing is stored for them.

#include <string.h>

#include "base/sized.h"
#include "host/engine_state.h"

int32_t sn_engine_provider(const sn_engine *engine, int64_t index, sn_provider_info *info) {
  if (index < 0 || index >= engine->nrow) {
    return 0;
  }
  const si_row *row = engine->row[index];
  const si_plugin_file *plugin = row->provider.plugin;
  const sn_ops *head = row->provider.ops;
  const sn_provider_info all = {
    .kind = row->kind->id,
    .name = row->name,
    .summary = head->summary,
    .plugin = plugin ? plugin->key : "",
    .version = plugin ? plugin->about.version : "",
    .license = plugin ? plugin->about.license : "",
    .path = plugin ? plugin->path : NULL,
    .params = head->params,
    .ops = row->provider.ops,
  };
  return si_copy_out(info, &all, sizeof all) == SN_OK;
}

int32_t sn_engine_skipped(const sn_engine *engine, int64_t index, sn_provider_info *info) {
  if (index < 0 || index >= engine->nskipped) {
    return 0;
  }
  const si_skipped *s = &engine->skipped[index];
  const sn_provider_info all = {
    .kind = s->row->kind,
    .name = s->row->name ? s->row->name : "",
    .summary = s->why,
    .plugin = s->plugin->key,
    .version = s->plugin->about.version,
    .license = s->plugin->about.license,
    .path = s->plugin->path,
  };
  return si_copy_out(info, &all, sizeof all) == SN_OK;
}

// ------------------------------------------------------------------ values

// A list of which one is wanted: `left` counts down to it.
typedef struct cursor {
  int64_t left;
  sn_config_info info;
} cursor;

static int pass(cursor *c, const char *section, const char *key, const char *value,
                const char *origin) {
  if (c->left-- != 0) {
    return 0;
  }
  c->info = (sn_config_info){ .section = section, .key = key, .value = value, .origin = origin };
  return 1;
}

static int pass_plugins(const sn_engine *engine, cursor *c) {
  for (int64_t i = 0; i < engine->nplugin; i++) {
    const si_plugin_file *plugin = engine->plugin[i];
    const char *origin = plugin->path ? "sn_engine_load_plugin" : "sn_engine_add_static";
    for (int64_t k = 0; k < engine->nentry; k++) {
      const si_entry *e = &engine->entry[k];
      if (strcmp(e->section, "plugins") == 0 && strcmp(e->key, plugin->key) == 0) {
        origin = e->origin;
      }
    }
    if (pass(c, "plugins", plugin->key, plugin->path ? plugin->path : "", origin)) {
      return 1;
    }
  }
  return 0;
}

// What no model chooses: an executor, a renderer.
static int is_free_of_models(const char *kind) {
  return strcmp(kind, SN_KIND_EXECUTOR) == 0 || strcmp(kind, SN_KIND_RENDERER) == 0;
}

// Nothing selected: a model's own choice is used; of what no model chooses, the first is taken;
// pieces are not made.
static int pass_selected(const sn_engine *engine, cursor *c) {
  const si_selectable *s;
  for (int64_t i = 0; (s = si_selectable_at(i)); i++) {
    const si_entry *entry = si_select_entry(engine, s->what);
    const si_provider *first = si_engine_each(engine, s->kind, 0);
    const char *unset = strcmp(s->kind, SN_KIND_MESH) == 0 ? "(none)"
                        : !is_free_of_models(s->kind)      ? "(the model's)"
                        : first                            ? first->name
                                                           : "(none)";
    if (pass(c, "select", s->what, entry ? entry->value : unset,
             entry ? entry->origin : "default")) {
      return 1;
    }
  }
  return 0;
}

// The collider of each pair that one supports. Which one is computed only where it is wanted: a
// list is read by one call for each line.
static int pass_pairs(const sn_engine *engine, cursor *c) {
  uint8_t supported[SN_NGEOMTYPES][SN_NGEOMTYPES];
  si_pairs_supported(engine, supported);
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    for (int j = i; j < SN_NGEOMTYPES; j++) {
      const si_provider *p = NULL;
      const char *origin = "default";
      if (supported[i][j] && c->left == 0) {
        si_engine_collider(engine, i, j, &p, &origin, NULL);
      }
      if (supported[i][j] &&
          pass(c, "collision", si_pair_name(i, j), p ? p->name : "(none)", origin)) {
        return 1;
      }
    }
  }
  return 0;
}

static int pass_options(const sn_engine *engine, cursor *c) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "option") == 0 && pass(c, "option", e->key, e->value, e->origin)) {
      return 1;
    }
  }
  return 0;
}

static int pass_overrides(const sn_engine *engine, cursor *c) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "override") == 0 && pass(c, "override", e->key, e->value, e->origin)) {
      return 1;
    }
  }
  return 0;
}

static int pass_parameters(const sn_engine *engine, cursor *c) {
  for (int64_t i = 0; i < engine->nrow; i++) {
    const si_row *row = engine->row[i];
    const sn_param *params = ((const sn_ops *)row->provider.ops)->params;
    const int short_is_it = si_registry_section(engine, row->section, NULL) == row;
    const char *section = short_is_it ? row->section : row->long_section;
    for (const sn_param *p = params; p && p->name; p++) {
      const si_entry *e = si_params_entry(engine, row, p);
      if (pass(c, section, p->name, e ? e->value : p->default_value, e ? e->origin : "default")) {
        return 1;
      }
    }
  }
  return 0;
}

static int pass_limits(const sn_engine *engine, cursor *c) {
  const char *name, *value, *origin;
  for (int64_t i = 0; si_limit_at(engine, i, &name, &value, &origin); i++) {
    if (pass(c, "limits", name, value, origin)) {
      return 1;
    }
  }
  return 0;
}

static int pass_caching(const sn_engine *engine, cursor *c) {
  const char *key, *value, *origin;
  for (int64_t i = 0; si_caching_at(engine, i, &key, &value, &origin); i++) {
    if (pass(c, "cache", key, value, origin)) {
      return 1;
    }
  }
  return 0;
}

static int pass_checks(const sn_engine *engine, cursor *c) {
  const char *name, *value, *origin;
  si_checks_list(engine, &name, &value, &origin);
  return pass(c, "", name, value, origin);
}

int32_t sn_engine_config(const sn_engine *engine, int64_t index, sn_config_info *info) {
  cursor c = { .left = index };
  if (index < 0 ||
      !(pass_checks(engine, &c) || pass_plugins(engine, &c) || pass_selected(engine, &c) ||
        pass_options(engine, &c) || pass_pairs(engine, &c) || pass_overrides(engine, &c) ||
        pass_limits(engine, &c) || pass_caching(engine, &c) || pass_parameters(engine, &c))) {
    return 0;
  }
  return si_copy_out(info, &c.info, sizeof c.info) == SN_OK;
}

int32_t sn_engine_layer(const sn_engine *engine, int64_t index, sn_layer_info *info) {
  static const char *const names[SI_LAYER_SET] = { "installed", "profile", "user", "named" };
  if (index < 0 || index >= engine->nlayer) {
    return 0;
  }
  const si_layer *layer = &engine->layer[index];
  const sn_layer_info all = { .name = names[layer->layer], .path = layer->file };
  return si_copy_out(info, &all, sizeof all) == SN_OK;
}
