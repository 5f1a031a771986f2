// SPDX-License-Identifier: Apache-2.0
//
// Who provides what: one list of rows (kind, name, own copy of the operations), in the order of
// registration. Rows are separate blocks, so that a provider's address never changes. Loading a
// plugin is all or nothing: a snapshot of the list is taken before and returned to on failure.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/character.h"
#include "host/calling.h"
#include "host/engine_state.h"

// ------------------------------------------------------------------ rows

static void free_row(si_row *row) {
  if (row) {
    free((void *)(uintptr_t)row->provider.ops);
    free(row->name);
    free(row->section);
    free(row->long_section);
    free(row);
  }
}

static const char *brought_by(const si_plugin_file *plugin) {
  return plugin ? plugin->key : "the application";
}

// Letters, digits and . _ + - so that a name fits an ini, a model and a command line.
static int good_name(const char *name) {
  size_t n = name ? strlen(name) : 0;
  for (size_t i = 0; i < n; i++) {
    if (!isalnum((unsigned char)name[i]) && !strchr("._+-", name[i])) {
      return 0;
    }
  }
  return n > 0 && n < SN_NAME_MAX;
}

static si_row *new_row(const si_kind *kind, const char *name, const void *ops,
                       const si_plugin_file *plugin, sn_error *error) {
  char subject[512];
  snprintf(subject, sizeof subject, "%s '%s' of %s%s%s", kind->word, name, plugin ? "plugin '" : "",
           brought_by(plugin), plugin ? "'" : "");
  // a fault in a table, such as one of another kind, has the name of the row
  const si_provider reading = { .kind = kind->id, .name = name, .ops = ops, .plugin = plugin };
  const si_call call = si_call_enter(&reading, "loading");
  const si_age age = !plugin                                   ? SI_AGE_UNKNOWN
                     : plugin->about.abi_minor > SN_ABI_MINOR ? SI_AGE_NEWER
                                                              : SI_AGE_KNOWN;
  void *copy = si_kind_copy_ops(kind, ops, age, subject, error);
  si_call_end(&call);
  if (!copy) {
    return NULL;
  }
  si_row *row = calloc(1, sizeof *row);
  if (!row) {
    free(copy);
    si_no_memory(error);
    return NULL;
  }
  row->kind = kind;
  row->name = strdup(name);
  row->section = si_text("plugin.%s", name);
  row->long_section = si_text("plugin.%s.%s", kind->word, name);
  row->provider = (si_provider){
    .kind = kind->id, .name = row->name, .ops = copy, .self = NULL, .plugin = plugin
  };
  if (!row->name || !row->section || !row->long_section) {
    free_row(row);
    si_no_memory(error);
    return NULL;
  }
  return row;
}

static int64_t position(const sn_engine *engine, const si_kind *kind, const char *name) {
  for (int64_t i = 0; i < engine->nrow; i++) {
    if (si_kind_same(engine->row[i]->kind, kind) && strcmp(engine->row[i]->name, name) == 0) {
      return i;
    }
  }
  return -1;
}

// The same with upper and lower case equal, as MJCF writes Newton and RK4; several such: -1.
static int64_t position_by_letters(const sn_engine *engine, const si_kind *kind, const char *name) {
  int64_t found = -1;
  for (int64_t i = 0; i < engine->nrow; i++) {
    if (si_kind_same(engine->row[i]->kind, kind) && strcasecmp(engine->row[i]->name, name) == 0) {
      if (found >= 0) {
        return -1;
      }
      found = i;
    }
  }
  return found;
}

// ------------------------------------------------------------------ adding

static sn_status clash(const si_row *old, const si_plugin_file *plugin, sn_error *error) {
  const char *word = old->kind->word, *name = old->name;
  if (!plugin || !old->provider.plugin) {
    return si_fail(error, SN_EINVAL,
                   "the %s '%s' already exists: %s%s%s provides it; choose "
                   "another name",
                   word, name, old->provider.plugin ? "plugin '" : "",
                   brought_by(old->provider.plugin), old->provider.plugin ? "'" : "");
  }
  return si_fail(error, SN_EPLUGIN,
                 "plugins '%s' and '%s' both provide the %s '%s'; select one in section "
                 "[override]: %s.%s = %s",
                 brought_by(old->provider.plugin), brought_by(plugin), word, name, word, name,
                 brought_by(plugin));
}

static int is_standin(const void *ops) {
  uint32_t head[2] = { 0, 0 };   // size, flags
  memcpy(head, ops, sizeof head);
  return (head[1] & SN_OPS_WEAK) != 0;
}

// Two of one name: SN_OK and *replace when the new one counts, SN_OK alone when the old one does.
static sn_status settle(const sn_engine *engine, const si_row *old, const si_row *row, int *replace,
                        sn_error *error) {
  const si_plugin_file *owner = old->provider.plugin, *plugin = row->provider.plugin;
  const si_entry *override = si_config_override(engine, old->kind->word, old->name);
  *replace = is_standin(old->provider.ops);
  if (*replace || is_standin(row->provider.ops)) {
    return SN_OK;
  }
  if (owner == plugin && old->kind != row->kind) {
    *replace = si_kind_revision(row->kind) > si_kind_revision(old->kind);
    return SN_OK;
  }
  if (override && owner && plugin && owner != plugin) {
    if (strcmp(override->value, plugin->key) == 0) {
      *replace = 1;
      return SN_OK;
    }
    if (strcmp(override->value, owner->key) == 0) {
      return SN_OK;
    }
  }
  if (owner && owner == plugin) {
    return si_fail(error, SN_EPLUGIN, "plugin '%s' provides the %s '%s' twice", owner->key,
                   old->kind->word, old->name);
  }
  return clash(old, plugin, error);
}

sn_status si_registry_add(sn_engine *engine, const char *kind_id, const char *name, const void *ops,
                          const si_plugin_file *plugin, sn_error *error) {
  sn_error inner = { 0 };
  const si_kind *kind = si_kind_find(kind_id, &inner);
  if (!kind) {
    return si_fail(error, plugin ? SN_EPLUGIN : SN_EINVAL, SI_QUOTED " of %s: %s", name ? name : "",
                   brought_by(plugin), inner.message);
  }
  if (!good_name(name)) {
    return si_fail(error, plugin ? SN_EPLUGIN : SN_EINVAL,
                   "%s provides a %s named " SI_QUOTED "; a name is "
                   "1 to %d letters, digits and . _ + -",
                   brought_by(plugin), kind->word, name ? name : "", SN_NAME_MAX - 1);
  }
  int64_t at = position(engine, kind, name);
  int replace = 0;
  si_row *row = new_row(kind, name, ops, plugin, error);
  if (!row) {
    return plugin ? SN_EPLUGIN : SN_EINVAL;
  }
  if (at >= 0) {
    sn_status status = settle(engine, engine->row[at], row, &replace, error);
    if (status < 0) {
      free_row(row);
      return status;
    }
    // the row that does not count goes; a snapshot still holds the one of another plugin
    if (replace) {
      if (engine->row[at]->provider.plugin == plugin || !plugin) {
        free_row(engine->row[at]);
      }
      engine->row[at] = row;
    } else {
      free_row(row);
    }
    return SN_OK;
  }
  si_row **more = si_more(engine->row, engine->nrow, sizeof *more);
  if (!more) {
    free_row(row);
    return si_no_memory(error);
  }
  engine->row = more;
  engine->row[engine->nrow++] = row;
  return SN_OK;
}

// ------------------------------------------------------------------ all or nothing

sn_status si_registry_snapshot(const sn_engine *engine, si_snapshot *snapshot, sn_error *error) {
  snapshot->nrow = engine->nrow;
  snapshot->row = calloc((size_t)engine->nrow + 1, sizeof *snapshot->row);
  if (!snapshot->row) {
    return si_no_memory(error);
  }
  for (int64_t i = 0; i < engine->nrow; i++) {
    snapshot->row[i] = engine->row[i];
  }
  return SN_OK;
}

void si_registry_restore(sn_engine *engine, si_snapshot *snapshot) {
  for (int64_t i = 0; i < engine->nrow; i++) {
    if (i >= snapshot->nrow || engine->row[i] != snapshot->row[i]) {
      free_row(engine->row[i]);
    }
  }
  free(engine->row);
  engine->row = snapshot->row;
  engine->nrow = snapshot->nrow;
  *snapshot = (si_snapshot){ 0 };
}

void si_registry_commit(sn_engine *engine, si_snapshot *snapshot) {
  for (int64_t i = 0; i < snapshot->nrow; i++) {
    if (engine->row[i] != snapshot->row[i]) {
      free_row(snapshot->row[i]);
    }
  }
  free(snapshot->row);
  *snapshot = (si_snapshot){ 0 };
}

void si_registry_free(sn_engine *engine) {
  for (int64_t i = 0; i < engine->nrow; i++) {
    free_row(engine->row[i]);
  }
  free(engine->row);
  engine->row = NULL;
  engine->nrow = 0;
}

// ------------------------------------------------------------------ asking

static uint32_t flags_of(const si_row *row) {
  return ((const sn_ops *)row->provider.ops)->flags;
}

// Names of those whose flags within the mask are these.
static const char **names_of(const sn_engine *engine, const si_kind *kind, uint32_t mask,
                             uint32_t flags, int64_t *n) {
  const char **names = calloc((size_t)engine->nrow + 1, sizeof *names);
  *n = 0;
  for (int64_t i = 0; names && i < engine->nrow; i++) {
    const si_row *row = engine->row[i];
    if (!kind || (si_kind_same(row->kind, kind) && (flags_of(row) & mask) == flags)) {
      names[(*n)++] = row->name;
    }
  }
  return names;
}

// Keeps the first of equal names, as of an actuator's gain and bias; returns how many are left.
static int64_t without_duplicates(const char **names, int64_t n) {
  int64_t kept = 0;
  for (int64_t i = 0; i < n; i++) {
    int64_t k = 0;
    while (k < kept && strcmp(names[k], names[i]) != 0) {
      k++;
    }
    if (k == kept) {
      names[kept++] = names[i];
    }
  }
  return kept;
}

// "; left out: a (why), b (why)" of optional plugins: one of them may have the missing name.
static const char *left_out(const sn_engine *engine, char *out, size_t size) {
  size_t used = 0;
  out[0] = '\0';
  for (int64_t i = 0; i < engine->nleft && used + 1 < size; i++) {
    int n = snprintf(out + used, size - used, "%s'%s' (%s)",
                     i ? ", " : "; optional plugins that were not loaded: ", engine->left[i].key,
                     engine->left[i].why);
    used += n > 0 ? (size_t)n : 0;
  }
  return out;
}

// Why the optional plugin at `path` was not loaded. NULL: no line of the configuration names it.
static const char *reason_left_out(const sn_engine *engine, const char *path) {
  for (int64_t i = 0; i < engine->nleft; i++) {
    if (strcmp(engine->left[i].path, path) == 0) {
      return engine->left[i].why;
    }
  }
  return NULL;
}

// A file beside those loaded may be all that is missing. True: the error says so.
static int blame_missing(const sn_engine *engine, const si_kind *kind, const char *name,
                         sn_error *error) {
  char *path = name && engine->config ? si_engine_missing(engine, kind->id, name) : NULL;
  if (!path) {
    return 0;
  }
  const char *why = reason_left_out(engine, path);
  const char *slash = strrchr(path, '/');
  if (why) {
    si_fail(error, SN_ENOTFOUND, "no %s is named '%s' among the plugins that are loaded; %s",
            kind->word, name, why);
  } else {
    si_fail(
        error, SN_ENOTFOUND,
        "no %s is named '%s' among the plugins that are loaded; %s provides it: add it to section "
        "[plugins] of %s, %.*s = %s",
        kind->word, name, path, engine->config, (int)(strlen(slash + 1) - strlen(".so")), slash + 1,
        path);
  }
  free(path);
  return 1;
}

const si_provider *si_engine_find(const sn_engine *engine, const char *kind_id, const char *name,
                                  sn_error *error) {
  return si_engine_find_among(engine, kind_id, name, 0, 0, error);
}

const si_provider *si_engine_find_among(const sn_engine *engine, const char *kind_id,
                                        const char *name, uint32_t mask, uint32_t flags,
                                        sn_error *error) {
  const si_kind *kind = si_kind_find(kind_id, error);
  if (!kind) {
    return NULL;
  }
  int64_t at = name ? position(engine, kind, name) : -1;
  at = at < 0 && name ? position_by_letters(engine, kind, name) : at;
  if (at >= 0) {
    return &engine->row[at]->provider;
  }
  if (!error || blame_missing(engine, kind, name, error)) {
    return NULL;
  }

  int64_t n = 0;
  const char **names = names_of(engine, kind, mask, flags, &n);
  char cure[SI_SUGGESTION], missing[512];
  left_out(engine, missing, sizeof missing);
  if (names && n > 0) {
    si_fail(error, SN_ENOTFOUND,
            "no %s is named '%s'%s; if another plugin provides it, load that plugin with --plugin "
            "FILE.so or in section [plugins] of the configuration%s",
            kind->word, name ? name : "",
            si_suggest(cure, sizeof cure, name, "available", names, n), missing);
  } else {
    si_fail(
        error, SN_ENOTFOUND,
        "no %s is named '%s', and no loaded plugin provides one; add a plugin that does to section "
        "[plugins] of %s%s",
        kind->word, name ? name : "", engine->config ? engine->config : "a sinew.ini", missing);
  }
  free(names);
  return NULL;
}

sn_status si_engine_find_type(const sn_engine *engine, const char *kind, const char *name,
                              const si_provider **provider, sn_error *error) {
  *provider = NULL;
  if (strcmp(name, "none") == 0) {
    return SN_OK;
  }
  const int user = strcmp(name, "user") == 0;
  *provider = si_engine_find(engine, kind, name, user ? NULL : error);
  return *provider || user ? SN_OK : SN_ENOTFOUND;
}

const si_provider *si_engine_each(const sn_engine *engine, const char *kind_id, int64_t index) {
  const si_kind *kind = si_kind_find(kind_id, NULL);
  for (int64_t i = 0; kind && i < engine->nrow; i++) {
    if (si_kind_same(engine->row[i]->kind, kind) && index-- == 0) {
      return &engine->row[i]->provider;
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ sections of the ini

// Of rows with this name the one that is meant: the only one, or the only one with parameters.
static si_row *only_row(const sn_engine *engine, const char *name, int *several) {
  si_row *any = NULL, *declaring = NULL;
  int nany = 0, ndeclaring = 0;
  for (int64_t i = 0; i < engine->nrow; i++) {
    si_row *row = engine->row[i];
    if (strcmp(row->name, name) == 0) {
      any = row;
      nany++;
      if (si_params_count(((const sn_ops *)row->provider.ops)->params) > 0) {
        declaring = row;
        ndeclaring++;
      }
    }
  }
  *several = nany > 1 && ndeclaring != 1;
  return ndeclaring == 1 ? declaring : (nany == 1 ? any : NULL);
}

si_row *si_registry_section(const sn_engine *engine, const char *section, sn_error *error) {
  const char *name = section + strlen("plugin.");
  int several = 0;
  si_row *row = only_row(engine, name, &several);
  for (int64_t i = 0; i < engine->nrow && !row; i++) {
    row = strcmp(engine->row[i]->long_section, section) == 0 ? engine->row[i] : NULL;
  }
  if (row || !error) {
    return row;
  }
  if (several) {
    si_fail(error, SN_EINVAL,
            "several kinds have a provider '%s'; specify which one, as in "
            "[plugin.solver.%s]",
            name, name);
    return NULL;
  }
  int64_t n = 0;
  const char **names = names_of(engine, NULL, 0, 0, &n);
  n = names ? without_duplicates(names, n) : 0;
  char cure[SI_SUGGESTION], missing[512];
  si_fail(error, SN_ENOTFOUND, "[%s]: no loaded plugin provides '%s'%s%s", section, name,
          si_suggest(cure, sizeof cure, name, "available", names, n),
          left_out(engine, missing, sizeof missing));
  free(names);
  return NULL;
}

static int is_of_plugin(const si_row *row, const char *key) {
  return row->provider.plugin && strcmp(row->provider.plugin->key, key) == 0;
}

// Which plugin, or which provider of it, does not exist.
static sn_status fail_override(const sn_engine *engine, const si_entry *entry, sn_error *error) {
  const sn_location location = si_config_location(entry);
  const char *keys[64];
  int64_t n = 0;
  int is_loaded = 0;
  for (int64_t i = 0; i < engine->nplugin; i++) {
    is_loaded = is_loaded || strcmp(engine->plugin[i]->key, entry->value) == 0;
    if (n < (int64_t)(sizeof keys / sizeof *keys)) {
      keys[n++] = engine->plugin[i]->key;
    }
  }
  if (!is_loaded) {
    char cure[SI_SUGGESTION];
    return si_fail_at(error, SN_ENOTFOUND, &location,
                      "[override] %s = %s: no plugin is named '%s'%s", entry->key, entry->value,
                      entry->value, si_suggest(cure, sizeof cure, entry->value, "loaded", keys, n));
  }
  char list[512] = "";
  size_t used = 0;
  for (int64_t i = 0; i < engine->nrow && used < sizeof list; i++) {
    if (is_of_plugin(engine->row[i], entry->value)) {
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                               engine->row[i]->long_section + strlen("plugin."));
    }
  }
  return si_fail_at(error, SN_ENOTFOUND, &location,
                    "[override] %s = %s: the plugin '%s' does not provide %s; it provides: %s",
                    entry->key, entry->value, entry->value, entry->key, *list ? list : "nothing");
}

sn_status si_registry_check_overrides(const sn_engine *engine, sn_error *error) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *entry = &engine->entry[i];
    if (strcmp(entry->section, "override") != 0) {
      continue;
    }
    int served = 0;
    for (int64_t k = 0; k < engine->nrow && !served; k++) {
      const si_row *row = engine->row[k];
      served = strcmp(row->long_section + strlen("plugin."), entry->key) == 0 &&
               is_of_plugin(row, entry->value);
    }
    if (!served && engine->nleft == 0) {
      return fail_override(engine, entry, error);
    }
  }
  return SN_OK;
}
