// SPDX-License-Identifier: Apache-2.0
//
// Limits on the resources that one file may use: a few bytes can specify an image or a height field
// of any size, or a chain of joints whose inertia matrix takes hours to factor. Each limit has a
// name, a default that large models stay well below, and the same ways to change it:
//
//   [limits]                  in the configuration
//   memory   = 16G            K, M, G, T: powers of 1024; none: no limit
//   elements = 50000000
//   time     = none
//
// An error states what is needed, the limit, and how to raise it. docs/limits.md is for users.

#include "host/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "host/calling.h"
#include "host/engine_state.h"
#include "platform/clock.h"
#include "sinew/number.h"

static const struct {
  const char *name, *default_value;
  int is_whole;   // takes K, M, G, T
} table[SI_NLIMITS] = {
  [SI_LIMIT_MEMORY] = { "memory", "4G", 1 },   // bytes
  [SI_LIMIT_ELEMENTS] = { "elements", "10000000", 1 },
  [SI_LIMIT_TIME] = { "time", "600", 0 },   // seconds
};

// ------------------------------------------------------------------ values as text

static int find(const char *name) {
  for (int i = 0; i < SI_NLIMITS; i++) {
    if (name && strcmp(table[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

// False: no positive number, nor "none".
static int parse(int limit, const char *text, double *value) {
  static const char units[] = "KMGT";
  if (strcmp(text, "none") == 0) {
    *value = INFINITY;
    return 1;
  }
  double x;
  const char *end = sn_read_number(text, &x);
  const char *unit = table[limit].is_whole && *end ? strchr(units, *end) : NULL;
  if (unit) {
    x *= pow(1024, (double)(unit - units + 1));
    end++;
  }
  *value = x;
  return end != text && *end == '\0' && isfinite(x) && x > 0;
}

int si_limit_parse_bytes(const char *text, double *bytes) {
  return parse(SI_LIMIT_MEMORY, text, bytes);
}

static const char *bytes_text(double bytes, char *out, size_t size) {
  static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB" };
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
    bytes /= 1024;
    unit++;
  }
  SI_PLAIN_LOCALE;
  snprintf(out, size, "%.*f %s", unit > 0 && bytes < 100 ? 1 : 0, bytes, units[unit]);
  return out;
}

// ------------------------------------------------------------------ setting and asking

static sn_status set(sn_engine *engine, const char *name, const char *text,
                     const sn_location *location, const char *origin, sn_error *error) {
  const int limit = find(name);
  if (limit < 0) {
    const char *names[SI_NLIMITS];
    char cure[SI_SUGGESTION];
    for (int i = 0; i < SI_NLIMITS; i++) {
      names[i] = table[i].name;
    }
    return si_fail_at(
        error, SN_EINVAL, location, "there is no limit '%s'%s", name ? name : "",
        si_suggest(cure, sizeof cure, name ? name : "", "available", names, SI_NLIMITS));
  }
  double value;
  if (!text || !parse(limit, text, &value)) {
    return si_fail_at(error, SN_EINVAL, location,
                      "limits.%s must be a positive number%s or the word 'none', not '%s'", name,
                      table[limit].is_whole ? ", such as 8G (suffixes: K, M, G, T)," : "",
                      text ? text : "");
  }
  char *copy = strdup(text), *from = strdup(origin);
  if (!copy || !from) {
    free(copy);
    free(from);
    return si_no_memory(error);
  }
  si_limit *l = &engine->limit[limit];
  free(l->text);
  free(l->origin);
  *l = (si_limit){ .value = value, .text = copy, .origin = from };
  return SN_OK;
}

void si_limits_init(sn_engine *engine) {
  for (int i = 0; i < SI_NLIMITS; i++) {
    parse(i, table[i].default_value, &engine->limit[i].value);
  }
}

void si_limits_free(sn_engine *engine) {
  for (int i = 0; i < SI_NLIMITS; i++) {
    free(engine->limit[i].text);
    free(engine->limit[i].origin);
  }
}

sn_status si_limits_read(sn_engine *engine, sn_error *error) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "limits") == 0) {
      const sn_location location = si_config_location(e);
      SN_TRY(set(engine, e->key, e->value, &location, e->origin, error));
    }
  }
  return SN_OK;
}

int si_limit_at(const sn_engine *engine, int64_t index, const char **name, const char **value,
                const char **origin) {
  if (index < 0 || index >= SI_NLIMITS) {
    return 0;
  }
  const si_limit *l = &engine->limit[index];
  *name = table[index].name;
  *value = l->text ? l->text : table[index].default_value;
  *origin = l->origin ? l->origin : "default";
  return 1;
}

sn_status si_limit_set(sn_engine *engine, const char *name, const char *value, const char *origin,
                       sn_error *error) {
  return set(engine, name, value, NULL, origin, error);
}

double sn_engine_limit(const sn_engine *engine, const char *name) {
  const int limit = find(name);
  return limit < 0 ? NAN : engine->limit[limit].value;
}

// ------------------------------------------------------------------ judging

// The end of each message, with the name of the limit.
#define RAISE \
  "; to allow it, raise limits.%s: with --set, or in section [limits] of a configuration"

double si_limit_value(const sn_engine *engine, int limit) {
  return engine ? engine->limit[limit].value : INFINITY;
}

sn_status si_limit_memory(const sn_engine *engine, double bytes, const sn_location *location,
                          const char *what, sn_error *error) {
  const double most = si_limit_value(engine, SI_LIMIT_MEMORY);
  char needs[32], has[32];
  return bytes <= most
             ? SN_OK
             : si_fail_at(
                   error, SN_ENOMEM, location,
                   "%s: %s of memory are needed, more than limits.memory, %s for one file" RAISE,
                   what, bytes_text(bytes, needs, sizeof needs), bytes_text(most, has, sizeof has),
                   "memory");
}

sn_status si_limit_states(const sn_engine *engine, const si_provider *provider, int64_t numbers,
                          sn_error *error) {
  char subject[SI_PROVIDER_TITLE], what[SI_PROVIDER_TITLE + 64];
  snprintf(what, sizeof what, "a simulation with the numbers that %s declares",
           si_provider_title(provider, subject));
  return si_limit_memory(engine, (double)numbers * (double)sizeof(double), NULL, what, error);
}

sn_status si_limit_elements(const sn_engine *engine, int64_t n, const sn_location *location,
                            sn_error *error) {
  const double most = si_limit_value(engine, SI_LIMIT_ELEMENTS);
  return (double)n <= most
             ? SN_OK
             : si_fail_at(error, SN_ENOMEM, location,
                          "the model has more elements than limits.elements, %.0f" RAISE, most,
                          "elements");
}

si_deadline si_limit_start(const sn_engine *engine) {
  const double most = si_limit_value(engine, SI_LIMIT_TIME);
  return (si_deadline){ .most = most, .end = isfinite(most) ? si_clock() + most : 0 };
}

int si_limit_passed(const si_deadline *deadline, double ahead) {
  return deadline->end > 0 && si_clock() + ahead > deadline->end;
}

sn_status si_limit_time(const si_deadline *deadline, double ahead, sn_error *error) {
  if (!si_limit_passed(deadline, ahead)) {
    return SN_OK;
  }
  char estimate[64] = "";
  if (ahead > 0) {
    snprintf(estimate, sizeof estimate, "at least %.0f seconds, ", ahead);
  }
  return si_fail(
      error, SN_ENOMEM,
      "this model takes %slonger to load or compile than limits.time allows, %g seconds" RAISE,
      estimate, deadline->most, "time");
}
