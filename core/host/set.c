// SPDX-License-Identifier: Apache-2.0
//
// sn_engine_set: one value of the configuration by the name of its section and key.

#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "host/engine_state.h"

static const char origin[] = "sn_engine_set";

// "plugin.solver.newton.iterations": all but the last word name the provider.
static sn_status set_parameter(sn_engine *engine, const char *key, const char *value,
                               sn_error *error) {
  const char *dot = strrchr(key, '.');
  const size_t n = (size_t)(dot - key);
  if (n <= strlen("plugin")) {
    return si_fail(error, SN_ENOTFOUND, "'%s': write plugin.NAME.PARAMETER", key);
  }
  if (engine->frozen) {
    return si_fail(error, SN_EINVAL,
                   "%s: parameters of plugins must be set before the engine makes its first model",
                   key);
  }
  char *section = strndup(key, n);
  if (!section) {
    return si_no_memory(error);
  }
  const si_row *row = si_registry_section(engine, section, error);
  sn_status status = row ? si_params_check_value(row, dot + 1, value, NULL, error) : SN_ENOTFOUND;
  if (status >= 0) {
    status = si_config_set(engine, section, dot + 1, value, origin, error);
  }
  free(section);
  return status;
}

static sn_status set_override(sn_engine *engine, const char *key, const char *value,
                              sn_error *error) {
  SN_TRY(si_select_check_key("override", key, NULL, error));
  return si_config_set(engine, "override", key, value, origin, error);
}

static sn_status set_option(sn_engine *engine, const char *key, const char *value,
                            sn_error *error) {
  return si_config_set(engine, "option", key, value, origin, error);
}

static sn_status set_limit(sn_engine *engine, const char *key, const char *value, sn_error *error) {
  return si_limit_set(engine, key, value, origin, error);
}

static const struct {
  const char *section;   // with its dot
  sn_status (*set)(sn_engine *engine, const char *key, const char *value, sn_error *error);
} sections[] = {
  { "select.", sn_select },      { "option.", set_option }, { "collision.", sn_select },
  { "override.", set_override }, { "limits.", set_limit },  { "cache.", si_caching_set },
};

static sn_status fail_unknown_section(const sn_engine *engine, const char *key, sn_error *error) {
  const int is_parameter = si_engine_parameter_owner(engine, strrchr(key, '.') + 1) != NULL;
  return si_fail(error, SN_ENOTFOUND,
                 "'%s' cannot be set; %s%s%ssections are plugin.NAME, select, option, collision, "
                 "override, limits and cache",
                 key, is_parameter ? "did you mean 'plugin." : "", is_parameter ? key : "",
                 is_parameter ? "'? The " : "");
}

static sn_status set(sn_engine *engine, const char *key, const char *value, sn_error *error) {
  if (strncmp(key, "plugin.", 7) == 0) {
    return set_parameter(engine, key, value, error);
  }
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
    const size_t n = strlen(sections[i].section);
    if (strncmp(key, sections[i].section, n) == 0) {
      return sections[i].set(engine, key + n, value, error);
    }
  }
  if (si_checks_are(key)) {
    return si_checks_set(engine, value, origin, error);
  }
  return strchr(key, '.') ? fail_unknown_section(engine, key, error)
                          : sn_select(engine, key, value, error);
}

sn_status sn_engine_set(sn_engine *engine, const char *key, const char *value, sn_error *error) {
  if (!key || !value) {
    return si_fail(error, SN_EINVAL, "sn_engine_set requires a key and a value");
  }
  SI_PLAIN_LOCALE;
  return set(engine, key, value, error);
}
