// SPDX-License-Identifier: Apache-2.0
//
// The setting check_plugins, a line before all sections: whether simulations check what the
// operations of plugins write (data/checking.h).

#include <string.h>

#include "host/engine_state.h"

static const char key[] = "check_plugins";

static const si_entry *find(const sn_engine *engine) {
  const si_entry *found = NULL;
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    found = !e->section[0] && strcmp(e->key, key) == 0 ? e : found;
  }
  return found;
}

int si_checks_are(const char *word) {
  return strcmp(word, key) == 0;
}

sn_status si_checks_check(const char *value, const sn_location *location, sn_error *error) {
  int64_t on;
  return si_param_bool(value, &on) ? SN_OK
                                   : si_fail_at(error, SN_EINVAL, location,
                                                "'%s' must be yes or no, not '%s'", key, value);
}

sn_status si_checks_set(sn_engine *engine, const char *value, const char *origin, sn_error *error) {
  SN_TRY(si_checks_check(value, NULL, error));
  return si_config_set(engine, "", key, value, origin, error);
}

int si_engine_checks(const sn_engine *engine) {
  const si_entry *e = engine ? find(engine) : NULL;
  int64_t on = 0;
  return e && si_param_bool(e->value, &on) && on;
}

void si_checks_list(const sn_engine *engine, const char **name, const char **value,
                    const char **origin) {
  const si_entry *e = find(engine);
  *name = key;
  *value = e ? e->value : "no";
  *origin = e ? e->origin : "default";
}
