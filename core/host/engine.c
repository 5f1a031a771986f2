// SPDX-License-Identifier: Apache-2.0
//
// An engine's life.
//
//   open     inis found, trusted, read; their plugins loaded, each all or nothing
//   add ...  the application adds its own, selects
//   freeze   before the first model: everything that is named exists, every parameter is valid;
//            then every provider's instance is made, and nothing can be added
//   close    instances destroyed, fini called; shared objects stay mapped

#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "host/engine_state.h"
#include "host/watching.h"
#include "platform/fpenv.h"

// ------------------------------------------------------------------ plugins of the ini

static sn_status leave_out(sn_engine *engine, const si_entry *entry, const char *path,
                           sn_status status, const char *why, sn_error *error) {
  si_left_out *more = si_more(engine->left, engine->nleft, sizeof *more);
  if (!more) {
    return si_no_memory(error);
  }
  engine->left = more;
  si_left_out *left = &engine->left[engine->nleft++];
  *left = (si_left_out){ strdup(entry->key), strdup(path), strdup(why), status };
  // that a file is missing is what optional allows; that it is wrong deserves a warning
  const int absent = status == SN_EIO || status == SN_ENOTFOUND;
  si_engine_log(engine, absent ? SN_LOG_INFO : SN_LOG_WARNING, "plugin",
                "%s: the optional plugin '%s' is not loaded: %s", entry->origin, entry->key, why);
  return left->key && left->path && left->why ? SN_OK : si_no_memory(error);
}

// The last word of a line that should be `optional` but is misspelled; NULL: there is none.
static const char *misspelled_word(const char *value) {
  static const char *const words[] = { "optional" };
  const char *word = value + strlen(value);
  while (word > value && !strchr(" \t", word[-1])) {
    word--;
  }
  return word > value && si_nearest(word, words, 1) ? word : NULL;
}

static sn_status load_path(sn_engine *engine, const si_entry *entry, const char *path, int optional,
                           sn_error *error) {
  sn_error inner = { 0 };
  sn_status status = si_plugin_load(engine, entry->key, path, &inner);
  if (status >= 0) {
    return SN_OK;
  }
  const sn_location location = si_config_location(entry);
  if (status == SN_EIO && !optional) {
    sn_error plain = inner;
    const char *word = misspelled_word(entry->value);
    if (word) {
      si_fail(&inner, status, "unknown word '%s' after the path; did you mean 'optional'?", word);
    } else {
      si_fail(&inner, status,
              "%s; correct the path, or write `%s = %s optional` to load it only if it exists",
              plain.message, entry->key, entry->value);
    }
  }
  return (optional || engine->tolerant) && status != SN_ENOMEM
             ? leave_out(engine, entry, path, status, inner.message, error)
             : si_fail_at(error, status, &location, "%s", inner.message);
}

static sn_status load_entry(sn_engine *engine, const si_entry *entry, sn_error *error) {
  int optional = 0;
  char *path = si_config_plugin_path(entry, &optional);
  if (!path) {
    return si_no_memory(error);
  }
  sn_status status = load_path(engine, entry, path, optional, error);
  free(path);
  return status;
}

static sn_status open_config(sn_engine *engine, const sn_engine_request *request, sn_error *error) {
  SN_TRY(si_layers_read(engine, request, error));
  if (request->flags & SN_ENGINE_CHECKING) {
    SN_TRY(si_checks_set(engine, "yes", "SN_ENGINE_CHECKING", error));
  }
  SN_TRY(si_limits_read(engine, error));
  sn_status status = SN_OK;
  for (int64_t i = 0; i < engine->nentry && status >= 0; i++) {
    if (si_config_is_plugin(&engine->entry[i])) {
      status = load_entry(engine, &engine->entry[i], error);
    }
  }
  si_trusted_free(&engine->near);
  return status;
}

// ------------------------------------------------------------------ open and close

sn_engine *si_engine_open(const sn_host *host, const sn_engine_request *request, sn_error *error) {
  sn_engine *engine = calloc(1, sizeof *engine);
  if (!engine) {
    si_no_memory(error);
    return NULL;
  }
  engine->host = *host;
  si_limits_init(engine);
  engine->opening = engine;
  engine->tolerant = (request->flags & SN_ENGINE_TOLERANT) != 0;
  if (si_caching_init(engine, request, error) < 0) {
    sn_engine_close(engine);
    return NULL;
  }
  if (!request->config || request->config[0]) {
    SI_PLAIN_LOCALE;
    sn_status status = open_config(engine, request, error);
    if (status < 0) {
      sn_engine_close(engine);
      return si_error_settle_object(error, NULL);
    }
  }
  engine->opening = NULL;
  return engine;
}

static void destroy_instances(sn_engine *engine) {
  for (int64_t i = engine->nrow - 1; i >= 0; i--) {
    si_row *row = engine->row[i];
    const sn_ops *head = row->provider.ops;
    if (row->made && head->destroy) {
      si_watch call;
      si_watch_begin(&call, engine, &row->provider, "destroy");
      head->destroy(row->provider.self);
      si_watch_warn(&call, engine);
    }
    free(row->guarded);
    row->guarded = NULL;
    row->made = 0;
    row->provider.self = NULL;
  }
}

void sn_engine_close(sn_engine *engine) {
  if (!engine) {
    return;
  }
  destroy_instances(engine);
  si_registry_free(engine);
  si_plugins_free(engine);
  si_resources_free(engine);
  si_layers_free(engine);
  si_limits_free(engine);
  for (int64_t i = 0; i < engine->nleft; i++) {
    free(engine->left[i].key);
    free(engine->left[i].path);
    free(engine->left[i].why);
  }
  free(engine->left);
  si_log_free(engine);
  free(engine->cache_folder);
  free(engine);
}

// ------------------------------------------------------------------ what applications add

static sn_status check_open(const sn_engine *engine, const char *what, sn_error *error) {
  if (engine->frozen) {
    return si_fail(error, SN_EINVAL,
                   "%s: providers and plugins must be added before the engine makes its first "
                   "model",
                   what);
  }
  return SN_OK;
}

sn_status sn_engine_add(sn_engine *engine, const char *kind, const char *name, const void *ops,
                        sn_error *error) {
  SN_TRY(check_open(engine, "sn_engine_add", error));
  return si_registry_add(engine, kind, name, ops, NULL, error);
}

sn_status sn_engine_add_static(sn_engine *engine, sn_plugin_entry_fn *entry, sn_error *error) {
  SN_TRY(check_open(engine, "sn_engine_add_static", error));
  if (!entry) {
    return si_fail(error, SN_EINVAL, "sn_engine_add_static: the entry function is NULL");
  }
  SI_PLAIN_LOCALE;
  return si_plugin_add(engine, entry, error);
}

sn_status sn_engine_load_plugin(sn_engine *engine, const char *name, const char *path,
                                sn_error *error) {
  SN_TRY(check_open(engine, "sn_engine_load_plugin", error));
  if (!name || !name[0] || !path || !path[0]) {
    return si_fail(error, SN_EINVAL, "a plugin requires a name and a path");
  }
  SI_PLAIN_LOCALE;
  return si_plugin_load(engine, name, path, error);
}

const sn_host *sn_engine_host(const sn_engine *engine) {
  return &engine->host;
}

// ------------------------------------------------------------------ freeze

static sn_status make_instance(sn_engine *engine, si_row *row, sn_error *error) {
  const sn_ops *head = row->provider.ops;
  sn_value *values = NULL;
  SN_TRY(si_params_values(engine, row, &values, error));
  si_fpenv before;
  si_fpenv_save(&before);
  sn_error inner = { 0 };
  sn_status status = SN_OK;
  if (head->create) {
    si_watch call;
    si_watch_begin(&call, engine, &row->provider, "create");
    status = head->create(&engine->host, values, &row->provider.self, &inner);
    row->made = status >= 0 && status < SN_MORE;   // also if it is rejected now
    status = si_watch_end(&call, status, &inner);
    status = si_fail_more(status, "create", &inner);
  }
  free(values);
  const char *changed = si_fpenv_restore(&before);
  const char *owner = row->provider.plugin ? row->provider.plugin->key : "the application";
  if (status < 0) {
    row->provider.self = row->made ? row->provider.self : NULL;
    return si_fail(error, status, "the %s '%s' of %s cannot be created: %s", row->kind->word,
                   row->name, owner, inner.message[0] ? inner.message : "it returned no message");
  }
  row->made = 1;
  if (changed) {
    return si_fail(error, SN_EPLUGIN,
                   "the %s '%s' of %s is rejected: its function create changed "
                   "%s",
                   row->kind->word, row->name, owner, changed);
  }
  return SN_OK;
}

static sn_status freeze(sn_engine *engine, sn_error *error) {
  SN_TRY(si_registry_check_overrides(engine, error));
  SN_TRY(si_select_check(engine, error));
  SN_TRY(si_params_check_entries(engine, error));
  for (int64_t i = 0; i < engine->nrow; i++) {
    sn_status status = make_instance(engine, engine->row[i], error);
    if (status < 0) {
      destroy_instances(engine);
      return status;
    }
  }
  engine->frozen = 1;
  si_pairs_warn_unused(engine);
  return SN_OK;
}

sn_status si_engine_freeze(sn_engine *engine, sn_error *error) {
  if (engine->frozen) {
    return SN_OK;
  }
  SI_PLAIN_LOCALE;
  return freeze(engine, error);
}
