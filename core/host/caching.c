// SPDX-License-Identifier: Apache-2.0
//
// The settings of compiled models that are kept in files (api/model_cache.c):
//
//   [cache]
//   models = yes      whether they are kept and used; the default is a flag of sn_engine_open_with
//   folder = PATH     where; absolute
//   size   = 512M     bytes of all of them, as in [limits]

#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"

enum { MODELS, FOLDER, SIZE, NKEYS };
static const char *const keys[NKEYS] = { "models", "folder", "size" };
static const char section[] = "cache", default_size[] = "512M";

// A program with the rights of another user has no home.
sn_status si_caching_init(sn_engine *engine, const sn_engine_request *request, sn_error *error) {
  const char *xdg = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  const int in_xdg = xdg && xdg[0] == '/', in_home = home && home[0] == '/';
  engine->caches = (request->flags & SN_ENGINE_CACHING) != 0;
  if ((request->flags & SN_ENGINE_ALONE) || !(in_xdg || in_home)) {
    return SN_OK;
  }
  engine->cache_folder = in_xdg ? si_text("%s/sinew/models", xdg)
                                : si_text("%s/.cache/sinew/models", home);
  return engine->cache_folder ? SN_OK : si_no_memory(error);
}

sn_status si_caching_check(const char *key, const char *value, const sn_location *location,
                           sn_error *error) {
  int64_t on;
  double bytes;
  char cure[SI_SUGGESTION];
  if (strcmp(key, keys[MODELS]) == 0) {
    return si_param_bool(value, &on) ? SN_OK
                                     : si_fail_at(error, SN_EINVAL, location,
                                                  "cache.models is yes or no, not '%s'", value);
  }
  if (strcmp(key, keys[SIZE]) == 0) {
    return si_limit_parse_bytes(value, &bytes)
               ? SN_OK
               : si_fail_at(error, SN_EINVAL, location,
                            "cache.size must be a positive number, such as 8G (suffixes: K, M, G, "
                            "T), or the word 'none', not '%s'",
                            value);
  }
  if (strcmp(key, keys[FOLDER]) == 0) {
    return value[0] == '/' ? SN_OK
                           : si_fail_at(error, SN_EINVAL, location,
                                        "cache.folder must be an absolute path, not '%s'", value);
  }
  return si_fail_at(error, location ? SN_EPARSE : SN_ENOTFOUND, location,
                    "[cache] has no key '%s'%s", key,
                    si_suggest(cure, sizeof cure, key, "available", keys, NKEYS));
}

sn_status si_caching_set(sn_engine *engine, const char *key, const char *value, sn_error *error) {
  SN_TRY(si_caching_check(key, value, NULL, error));
  return si_config_set(engine, section, key, value, "sn_engine_set", error);
}

static const si_entry *find(const sn_engine *engine, int key) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, section) == 0 && strcmp(e->key, keys[key]) == 0) {
      return e;
    }
  }
  return NULL;
}

int si_caching_is_on(const sn_engine *engine) {
  const si_entry *e = find(engine, MODELS);
  int64_t on = engine->caches;
  return (!e || si_param_bool(e->value, &on)) && on;
}

const char *si_caching_folder(const sn_engine *engine) {
  const si_entry *e = find(engine, FOLDER);
  return e ? e->value : engine->cache_folder;
}

double si_caching_size(const sn_engine *engine) {
  const si_entry *e = find(engine, SIZE);
  double bytes = 0;
  si_limit_parse_bytes(e ? e->value : default_size, &bytes);
  return bytes;
}

int si_caching_at(const sn_engine *engine, int64_t index, const char **key, const char **value,
                  const char **origin) {
  if (index < 0 || index >= NKEYS) {
    return 0;
  }
  const char *defaults[NKEYS] = { engine->caches ? "yes" : "no",
                                  engine->cache_folder ? engine->cache_folder : "(none)",
                                  default_size };
  const si_entry *e = find(engine, (int)index);
  *key = keys[index];
  *value = e ? e->value : defaults[index];
  *origin = e ? e->origin : "default";
  return 1;
}
