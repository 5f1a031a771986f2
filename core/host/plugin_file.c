// SPDX-License-Identifier: Apache-2.0
//
// From a path to rows of the registry, with every check on the way, each a rejection by name:
//
//   shared object (platform/object.c) -> entry -> descriptor -> rows -> init
//
// The floating-point environment is compared after each call into the plugin.
//
// All or nothing: what fails leaves the registry as it was. An object that was mapped is never
// unmapped, so that no pointer into it can dangle.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/character.h"
#include "host/engine_state.h"
#include "host/watching.h"
#include "platform/fpenv.h"
#include "platform/object.h"

#define ENTRY "sn_plugin_entry"

static sn_status check_numbers(const si_fpenv *before, const char *key, const char *when,
                               sn_error *error) {
  const char *changed = si_fpenv_restore(before);
  if (changed) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: its %s changed %s (an object that "
                   "was linked with -ffast-math does that)",
                   key, when, changed);
  }
  return SN_OK;
}

// After code of the plugin that has no provider yet: what it changed is an error, of several the
// first.
static sn_status end_loading(si_watch *call, const si_fpenv *before, const char *key,
                             const char *when, sn_status status, sn_error *error) {
  const sn_status numbers = check_numbers(before, key, when, status < 0 ? NULL : error);
  status = status < 0 ? status : numbers;
  const sn_status watched = si_watch_end(call, SN_OK, status < 0 ? NULL : error);
  return status < 0 ? status : watched;
}

// ------------------------------------------------------------------ the descriptor

static sn_status check_versions(const sn_plugin *p, const char *key, sn_error *error) {
  if (p->magic != SN_PLUGIN_MAGIC) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: the magic number of its descriptor is 0x%08x, not "
                   "SN_PLUGIN_MAGIC; define the descriptor with SN_PLUGIN of sinew/plugin.h",
                   key, p->magic);
  }
  if (p->abi_major != SN_ABI_MAJOR) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: it was built for ABI %u, this engine "
                   "has ABI %d; build it with the headers of Sinew %s",
                   key, p->abi_major, SN_ABI_MAJOR, SN_VERSION);
  }
  if (p->abi_minor_needed > SN_ABI_MINOR) {
    return si_fail(
        error, SN_EPLUGIN,
        "plugin '%s' is rejected: it needs ABI %u.%u, this engine has %d.%d; use a newer "
        "version of Sinew",
        key, p->abi_major, p->abi_minor_needed, SN_ABI_MAJOR, SN_ABI_MINOR);
  }
  if (p->real_size != sizeof(double)) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: its real numbers have %u bytes, those of this engine "
                   "%zu; build it with SN_PLUGIN, which sets real_size",
                   key, p->real_size, sizeof(double));
  }
  return SN_OK;
}

static sn_status check_texts(const sn_plugin *p, const char *key, sn_error *error) {
  const struct {
    const char *what, *text, *cure;
  } texts[] = {
    { "name", p->name, "a reverse domain such as \"org.example.my_plugin\"" },
    { "version", p->version, "the version of the plugin, such as \"1.0\"" },
    { "license", p->license, "an SPDX identifier such as \"Apache-2.0\"" },
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (!texts[i].text || !texts[i].text[0]) {
      return si_fail(error, SN_EPLUGIN,
                     "plugin '%s' is rejected: its descriptor has no %s; set it to %s", key,
                     texts[i].what, texts[i].cure);
    }
  }
  if (!p->provides || !p->provides[0].kind) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: it provides nothing; list its operation tables in "
                   "`provides` of the descriptor",
                   key);
  }
  return SN_OK;
}

// Copies what the entry returned; magic and size are read before anything that they promise.
static sn_status read_descriptor(const sn_plugin *returned, const char *key, sn_plugin *about,
                                 sn_error *error) {
  if (!returned) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: %s returned NULL; it must return the address of a "
                   "descriptor, as SN_PLUGIN of sinew/plugin.h does",
                   key, ENTRY);
  }
  *about = (sn_plugin){ 0 };
  memcpy(&about->magic, &returned->magic, sizeof about->magic);
  if (about->magic != SN_PLUGIN_MAGIC) {
    return check_versions(about, key, error);
  }
  const uint32_t size = returned->size, least = offsetof(sn_plugin, provides) + sizeof(void *);
  if (size < least) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: the size of its descriptor is %u bytes, at least %u "
                   "are required; set size to sizeof(sn_plugin)",
                   key, size, least);
  }
  memcpy(about, returned, size < sizeof *about ? size : sizeof *about);
  SN_TRY(check_versions(about, key, error));
  SN_TRY(check_texts(about, key, error));
  about->summary = about->summary ? about->summary : "";
  return SN_OK;
}

// ------------------------------------------------------------------ registering

static void free_plugin(si_plugin_file *plugin) {
  if (plugin) {
    free(plugin->key);
    free(plugin->path);
    free(plugin);
  }
}

// A provider of an unknown kind is left out, so that a plugin for newer engines works too.
static sn_status skip_row(sn_engine *engine, const si_plugin_file *plugin, const sn_provide *row,
                          sn_error *error) {
  si_skipped *more = si_more(engine->skipped, engine->nskipped, sizeof *more);
  if (!more) {
    return si_no_memory(error);
  }
  engine->skipped = more;
  sn_error inner = { 0 };
  si_kind_find(row->kind, &inner);
  char *why = si_text("%s", inner.message);
  if (!why) {
    return si_no_memory(error);
  }
  engine->skipped[engine->nskipped++] = (si_skipped){ row, plugin, why };
  si_engine_log(engine, SN_LOG_WARNING, "plugin", SI_QUOTED " of plugin '%s' is left out: %s",
                row->name ? row->name : "", plugin->key, why);
  return SN_OK;
}

static void forget_skipped(sn_engine *engine, int64_t first) {
  while (engine->nskipped > first) {
    free(engine->skipped[--engine->nskipped].why);
  }
}

static sn_status register_rows(sn_engine *engine, const si_plugin_file *plugin, sn_error *error) {
  int known = 0;
  for (const sn_provide *p = plugin->about.provides; p->kind; p++) {
    known |= si_kind_find(p->kind, NULL) != NULL;
  }
  for (const sn_provide *p = plugin->about.provides; p->kind; p++) {
    SN_TRY(known && !si_kind_find(p->kind, NULL)
               ? skip_row(engine, plugin, p, error)
               : si_registry_add(engine, p->kind, p->name, p->ops, plugin, error));
  }
  return SN_OK;
}

static void finish(sn_engine *engine, const si_plugin_file *plugin) {
  if (plugin->about.fini) {
    const si_provider whole = si_whole_plugin(plugin->key);
    si_watch call;
    si_watch_begin(&call, engine, &whole, "fini");
    plugin->about.fini(&engine->host);
    si_watch_warn(&call, engine);
  }
}

static sn_status initialize(sn_engine *engine, const si_plugin_file *plugin, sn_error *error) {
  if (!plugin->about.init) {
    return SN_OK;
  }
  si_fpenv before;
  si_fpenv_save(&before);
  sn_error inner = { 0 };
  const si_provider whole = si_whole_plugin(plugin->key);
  si_watch call;
  si_watch_begin(&call, engine, &whole, "init");
  sn_status status = si_watch_end(&call, plugin->about.init(&engine->host, &inner), &inner);
  status = si_fail_more(status, "init", &inner);
  sn_status numbers = check_numbers(&before, plugin->key, "init", error);
  if (status < 0) {
    return si_fail(error, SN_EPLUGIN, "plugin '%s' is rejected: its init failed: %s", plugin->key,
                   inner.message[0] ? inner.message : "out of memory");
  }
  if (numbers < 0) {
    finish(engine, plugin);
  }
  return numbers;
}

// Rows, then init: code of the plugin runs only when everything it says was accepted.
static sn_status admit(sn_engine *engine, si_plugin_file *plugin, sn_error *error) {
  si_plugin_file **more = si_more(engine->plugin, engine->nplugin, sizeof *more);
  if (!more) {
    return si_no_memory(error);
  }
  engine->plugin = more;
  si_snapshot snapshot;
  const int64_t nskipped = engine->nskipped;
  SN_TRY(si_registry_snapshot(engine, &snapshot, error));
  sn_status status = register_rows(engine, plugin, error);
  if (status >= 0) {
    status = initialize(engine, plugin, error);
  }
  if (status < 0) {
    si_registry_restore(engine, &snapshot);
    forget_skipped(engine, nskipped);
    return status;
  }
  si_registry_commit(engine, &snapshot);
  engine->plugin[engine->nplugin++] = plugin;
  return SN_OK;
}

static sn_status check_unique(const sn_engine *engine, const char *key, sn_plugin_entry_fn *entry,
                              sn_error *error) {
  for (int64_t i = 0; i < engine->nplugin; i++) {
    const si_plugin_file *other = engine->plugin[i];
    if (other->entry == entry) {
      return si_fail(error, SN_EINVAL, "plugin '%s' is already loaded as '%s'; list it once", key,
                     other->key);
    }
    if (strcmp(other->key, key) == 0) {
      return si_fail(error, SN_EINVAL, "a plugin named '%s' is already loaded; choose another name",
                     key);
    }
  }
  return SN_OK;
}

// Calls the entry, whose descriptor is copied.
static sn_status call_entry(const sn_engine *engine, const char *key, sn_plugin_entry_fn *entry,
                            sn_plugin *about, sn_error *error) {
  si_fpenv before;
  si_fpenv_save(&before);
  const si_provider whole = si_whole_plugin(key);
  si_watch call;
  si_watch_begin(&call, engine, &whole, ENTRY);
  const sn_plugin *returned = entry();
  SN_TRY(end_loading(&call, &before, key, ENTRY, SN_OK, error));
  return read_descriptor(returned, key, about, error);
}

static sn_status add(sn_engine *engine, const char *key, const char *path, const sn_plugin *about,
                     sn_plugin_entry_fn *entry, sn_error *error) {
  SN_TRY(check_unique(engine, key, entry, error));
  si_plugin_file *plugin = calloc(1, sizeof *plugin);
  if (!plugin) {
    return si_no_memory(error);
  }
  *plugin = (si_plugin_file){
    .key = strdup(key), .path = path ? strdup(path) : NULL, .about = *about, .entry = entry
  };
  sn_status status = plugin->key && (!path || plugin->path) ? admit(engine, plugin, error)
                                                            : si_no_memory(error);
  if (status < 0) {
    free_plugin(plugin);
    return status;
  }
  si_engine_log(engine, SN_LOG_DEBUG, "plugin", "loaded '%s' %s (%s)", plugin->key,
                plugin->about.version, path ? path : "static");
  return SN_OK;
}

sn_status si_plugin_add(sn_engine *engine, sn_plugin_entry_fn *entry, sn_error *error) {
  sn_plugin about;
  SN_TRY(call_entry(engine, "(static)", entry, &about, error));
  return add(engine, about.name, NULL, &about, entry, error);
}

// ------------------------------------------------------------------ the shared object

static sn_status load_object(const sn_engine *engine, const char *key, const char *path,
                             char **canonical, sn_plugin_entry_fn **entry, sn_error *error) {
  void (*function)(void) = NULL;
  si_fpenv before;
  si_fpenv_save(&before);
  const si_provider whole = si_whole_plugin(key);
  si_watch call;
  si_watch_begin(&call, engine, &whole, "loading");
  const si_object_request what = { .plugin = key,
                                   .path = path,
                                   .symbol = ENTRY,
                                   .near = engine->opening ? &engine->opening->near : NULL };
  sn_status status = si_object_load(&what, canonical, &function, error);
  status = end_loading(&call, &before, key, "loading", status, error);
  *entry = (sn_plugin_entry_fn *)function;
  return status;
}

sn_status si_plugin_read(const sn_engine *engine, const char *key, const char *path,
                         char **canonical, sn_plugin_entry_fn **entry, sn_plugin *about,
                         sn_error *error) {
  SN_TRY(load_object(engine, key, path, canonical, entry, error));
  return call_entry(engine, key, *entry, about, error);
}

sn_status si_plugin_load(sn_engine *engine, const char *key, const char *path, sn_error *error) {
  char *canonical = NULL;
  sn_plugin_entry_fn *entry = NULL;
  sn_plugin about;
  sn_status status = si_plugin_read(engine, key, path, &canonical, &entry, &about, error);
  status = status < 0 ? status : add(engine, key, canonical, &about, entry, error);
  free(canonical);
  return status;
}

void si_plugins_free(sn_engine *engine) {
  // in reverse: a later plugin may use what an earlier one started
  for (int64_t i = engine->nplugin - 1; i >= 0; i--) {
    finish(engine, engine->plugin[i]);
    free_plugin(engine->plugin[i]);
  }
  forget_skipped(engine, 0);
  free(engine->plugin);
  free(engine->skipped);
  engine->plugin = NULL;
  engine->skipped = NULL;
  engine->nplugin = 0;
}
