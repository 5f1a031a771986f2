// SPDX-License-Identifier: Apache-2.0
//
// Declared parameters: what an implementation says it takes, checked before it is created. A
// declaration is checked too when it is registered, with its own default as the first value.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/character.h"
#include "base/words.h"
#include "host/engine_state.h"
#include "sinew/number.h"

static const char *const type_names[SN_NPARAMTYPES] = {
  "", "an integer", "a number", "a boolean", "a string", "a list of numbers", "a name"
};

// A range is inclusive; 0, 0 (or anything else that is not min < max) is no range.
static int has_range(const sn_param *p) {
  return p->min < p->max;
}

int64_t si_params_count(const sn_param *params) {
  int64_t n = 0;
  while (params && params[n].name) {
    n++;
  }
  return n;
}

const sn_param *si_params_find(const sn_param *params, const char *name) {
  for (const sn_param *p = params; p && p->name; p++) {
    if (strcmp(p->name, name) == 0) {
      return p;
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ values

static int read_real(const char *text, double *value) {
  const char *end = sn_read_number(text, value);
  return end != text && *end == '\0' && !isnan(*value);
}

static int read_integer(const char *text, int64_t *value) {
  char *end = NULL;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  *value = number;
  return end != text && *end == '\0' && errno == 0;
}

int si_param_bool(const char *text, int64_t *value) {
  static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1" };
  for (int i = 0; i < 8; i++) {
    if (strcmp(text, words[i]) == 0) {
      *value = i & 1;
      return 1;
    }
  }
  return 0;
}

static sn_status bad_choice(const sn_param *p, const char *text, const char *subject,
                            const sn_location *location, sn_error *error) {
  char cure[SI_SUGGESTION];
  return si_fail_at(error, SN_EINVAL, location, "%s '%s' cannot be " SI_QUOTED "%s", subject,
                    p->name, text,
                    si_suggest_listed(cure, sizeof cure, text, "available", p->choices));
}

static int in_range(const sn_param *p, double number) {
  return !has_range(p) || (number >= p->min && number <= p->max);
}

// Numbers separated by spaces, into *storage, which is moved behind them; NULL: only checked.
static sn_status parse_reals(const sn_param *p, const char *text, const char *subject,
                             const sn_location *location, sn_value *value, double **storage,
                             sn_error *error) {
  static const char spaces[] = " \t";
  value->reals = storage ? *storage : NULL;
  for (const char *at = text + strspn(text, spaces); *at; at += strspn(at, spaces)) {
    char word[64];
    double number = 0;
    const size_t n = strcspn(at, spaces);
    snprintf(word, sizeof word, "%.*s", (int)n, at);
    if (n >= sizeof word || !read_real(word, &number) || !in_range(p, number)) {
      char range[64] = "";
      if (has_range(p)) {
        snprintf(range, sizeof range, " from %g to %g", p->min, p->max);
      }
      return si_fail_at(error, SN_EINVAL, location, "%s '%s': " SI_QUOTED " is not a number%s",
                        subject, p->name, word, range);
    }
    value->real = value->n == 0 ? number : value->real;
    value->n++;
    if (storage) {
      *(*storage)++ = number;
    }
    at += n;
  }
  const int most = p->nmax > 0 ? p->nmax : INT32_MAX;
  if (value->n < p->nmin || value->n > most) {
    char count[48];
    snprintf(count, sizeof count,
             p->nmax == 0         ? "at least %d"
             : p->nmin == p->nmax ? "%d"
                                  : "%d to %d",
             p->nmin, p->nmax);
    return si_fail_at(error, SN_EINVAL, location, "%s '%s' takes %s numbers, not %lld", subject,
                      p->name, count, (long long)value->n);
  }
  return SN_OK;
}

int64_t si_param_capacity(const sn_param *p, const char *text) {
  return p->type == SN_PARAM_REALS && text ? ((int64_t)strlen(text) + 1) / 2 : 0;
}

sn_status si_param_parse(const sn_param *p, const char *text, const char *subject,
                         const sn_location *location, sn_value *value, double **storage,
                         sn_error *error) {
  *value = (sn_value){ .text = text ? text : "" };   // NULL: a reference without a default
  int valid = 1;
  if (p->type == SN_PARAM_REALS) {
    return parse_reals(p, text, subject, location, value, storage, error);
  }
  if (p->type == SN_PARAM_REFERENCE) {
    value->integer = -1;   // until a model is compiled
    return SN_OK;
  }
  if (p->type == SN_PARAM_INT) {
    valid = read_integer(text, &value->integer);
    value->real = (double)value->integer;
  } else if (p->type == SN_PARAM_REAL) {
    valid = read_real(text, &value->real);
  } else if (p->type == SN_PARAM_BOOL) {
    valid = si_param_bool(text, &value->integer);
    value->real = (double)value->integer;
  } else if (p->choices && !si_is_listed(p->choices, text)) {
    return bad_choice(p, text, subject, location, error);
  }
  if (!valid) {
    return si_fail_at(error, SN_EINVAL, location, "%s '%s' must be %s, not " SI_QUOTED "%s",
                      subject, p->name, type_names[p->type], text,
                      p->type == SN_PARAM_BOOL ? "; write true or false" : "");
  }
  const int number = p->type == SN_PARAM_INT || p->type == SN_PARAM_REAL;
  if (number && !in_range(p, value->real)) {
    return si_fail_at(error, SN_EINVAL, location, "%s '%s' is %s, outside of the range %g to %g",
                      subject, p->name, text, p->min, p->max);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ declarations

static int is_plain_name(const char *name) {
  const size_t n = strspn(name,
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
  return n > 0 && name[n] == '\0';
}

sn_status si_params_check(const sn_param *params, const char *subject, sn_error *error) {
  for (const sn_param *p = params; p && p->name; p++) {
    if (p->type < SN_PARAM_INT || p->type >= SN_NPARAMTYPES) {
      return si_fail(error, SN_EPLUGIN, "%s: its parameter " SI_QUOTED " is of unknown type %d",
                     subject, p->name, p->type);
    }
    if (!is_plain_name(p->name)) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: the name of its parameter " SI_QUOTED
                     " has other characters than letters, digits "
                     "and . _ -",
                     subject, p->name);
    }
    if (isnan(p->min) || isnan(p->max)) {
      return si_fail(error, SN_EPLUGIN, "%s: the range of its parameter '%s' is not a number",
                     subject, p->name);
    }
    if (p->choices && strstr(p->choices, "||")) {
      return si_fail(error, SN_EPLUGIN, "%s: the choices of its parameter '%s' have an empty word",
                     subject, p->name);
    }
    if (p->nmin < 0 || (p->nmax > 0 && p->nmax < p->nmin) || p->reserved || p->reserved2[0] ||
        p->reserved2[1]) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: its parameter '%s' has %d to %d values, or uses reserved members",
                     subject, p->name, p->nmin, p->nmax);
    }
    if (p->type == SN_PARAM_REFERENCE && !(p->choices && p->choices[0])) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: its parameter '%s' is a reference; list the kinds of elements in choices",
                     subject, p->name);
    }
    if (!p->default_value && p->type != SN_PARAM_REFERENCE) {
      return si_fail(error, SN_EPLUGIN,
                     "%s: its parameter '%s' has no default; set default_value, as only references "
                     "may be without one",
                     subject, p->name);
    }
    for (const sn_param *q = params; q < p; q++) {
      if (strcmp(q->name, p->name) == 0) {
        return si_fail(error, SN_EPLUGIN, "%s: it declares the parameter '%s' twice", subject,
                       p->name);
      }
    }
    sn_value value;
    sn_error inner = { 0 };
    if (si_param_parse(p, p->default_value, "parameter", NULL, &value, NULL, &inner) < 0) {
      return si_fail(error, SN_EPLUGIN, "%s: a default is invalid: %s", subject, inner.message);
    }
  }
  return SN_OK;
}

const si_provider *si_engine_parameter_owner(const sn_engine *engine, const char *name) {
  for (int64_t i = 0; i < engine->nrow; i++) {
    const si_provider *p = &engine->row[i]->provider;
    if (si_params_find(((const sn_ops *)p->ops)->params, name)) {
      return p;
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ lines of the ini

static int is_plugin_section(const char *section) {
  return strncmp(section, "plugin.", 7) == 0;
}

const si_entry *si_params_entry(const sn_engine *engine, const si_row *row, const sn_param *param) {
  const si_entry *found = NULL;
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *entry = &engine->entry[i];
    if (is_plugin_section(entry->section) && strcmp(entry->key, param->name) == 0 &&
        si_registry_section(engine, entry->section, NULL) == row) {
      found = entry;
    }
  }
  return found;
}

enum { SUBJECT = 128 };

// How a message about the value of a parameter starts: "[plugin.newton] parameter".
static const char *parameter_of(const si_row *row, char *subject) {
  snprintf(subject, SUBJECT, "[%s] parameter", row->section);
  return subject;
}

sn_status si_params_values(const sn_engine *engine, const si_row *row, sn_value **values,
                           sn_error *error) {
  const sn_param *params = ((const sn_ops *)row->provider.ops)->params;
  const int64_t n = si_params_count(params);
  // one block: the values, then the numbers that they point to
  int64_t numbers = 0;
  for (int64_t i = 0; i < n; i++) {
    const si_entry *entry = si_params_entry(engine, row, &params[i]);
    numbers += si_param_capacity(&params[i], entry ? entry->value : params[i].default_value);
  }
  *values = calloc(1, (size_t)(n + 1) * sizeof **values + (size_t)numbers * sizeof(double));
  if (!*values) {
    return si_no_memory(error);
  }
  double *storage = (double *)(*values + n + 1);
  for (int64_t i = 0; i < n; i++) {
    const si_entry *entry = si_params_entry(engine, row, &params[i]);
    sn_location location = { 0 };
    if (entry) {
      location = si_config_location(entry);
    }
    char subject[SUBJECT];
    sn_status status = si_param_parse(&params[i], entry ? entry->value : params[i].default_value,
                                      parameter_of(row, subject), &location, &(*values)[i],
                                      &storage, error);
    if (status < 0) {
      free(*values);
      *values = NULL;
      return status;
    }
  }
  return SN_OK;
}

static sn_status unknown_parameter(const si_row *row, const char *key, const sn_location *location,
                                   sn_error *error) {
  const sn_param *params = ((const sn_ops *)row->provider.ops)->params;
  const int64_t n = si_params_count(params);
  if (n == 0) {
    return si_fail_at(error, SN_ENOTFOUND, location, "the %s '%s' has no parameters; remove '%s'",
                      row->kind->word, row->name, key);
  }
  const char **names = calloc((size_t)n, sizeof *names);
  if (!names) {
    return si_no_memory(error);
  }
  for (int64_t i = 0; i < n; i++) {
    names[i] = params[i].name;
  }
  char cure[SI_SUGGESTION];
  si_fail_at(error, SN_ENOTFOUND, location, "the %s '%s' has no parameter '%s'%s", row->kind->word,
             row->name, key, si_suggest(cure, sizeof cure, key, "it has", names, n));
  free(names);
  return SN_ENOTFOUND;
}

// [plugin.newton] and [plugin.solver.newton] may be the same provider: within a layer, a parameter
// may be set in one of them only.
static sn_status check_set_once(const sn_engine *engine, const si_row *row, int64_t index,
                                sn_error *error) {
  const si_entry *entry = &engine->entry[index];
  for (int64_t i = 0; i < index; i++) {
    const si_entry *other = &engine->entry[i];
    if (other->layer == entry->layer && strcmp(other->key, entry->key) == 0 &&
        is_plugin_section(other->section) &&
        si_registry_section(engine, other->section, NULL) == row) {
      const sn_location location = si_config_location(entry);
      return si_fail_at(error, SN_EINVAL, &location,
                        "[%s] %s: the same parameter is set at %s in [%s]; remove one of the two",
                        entry->section, entry->key, other->origin, other->section);
    }
  }
  return SN_OK;
}

static sn_status check_entry(sn_engine *engine, int64_t index, sn_error *error) {
  const si_entry *entry = &engine->entry[index];
  const sn_location location = si_config_location(entry);
  sn_error inner = { 0 };
  const si_row *row = si_registry_section(engine, entry->section, &inner);
  if (!row && inner.code == SN_ENOTFOUND && engine->nleft > 0) {
    si_engine_log(engine, SN_LOG_WARNING, "configuration", "%s: %s", entry->origin, inner.message);
    return SN_OK;
  }
  if (!row) {
    return si_fail_at(error, inner.code, &location, "%s", inner.message);
  }
  SN_TRY(check_set_once(engine, row, index, error));
  return si_params_check_value(row, entry->key, entry->value, &location, error);
}

sn_status si_params_check_value(const si_row *row, const char *key, const char *text,
                                const sn_location *location, sn_error *error) {
  const sn_param *p = si_params_find(((const sn_ops *)row->provider.ops)->params, key);
  sn_value value;
  char subject[SUBJECT];
  return p ? si_param_parse(p, text, parameter_of(row, subject), location, &value, NULL, error)
           : unknown_parameter(row, key, location, error);
}

sn_status si_params_check_entries(sn_engine *engine, sn_error *error) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    if (is_plugin_section(engine->entry[i].section)) {
      SN_TRY(check_entry(engine, i, error));
    }
  }
  return SN_OK;
}
