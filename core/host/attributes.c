// SPDX-License-Identifier: Apache-2.0
//
// What a model says to one element of a plugin: lines "key=value", read as the values of the
// parameters that the plugin declares for it.
//
//   declared   site, strength     lines   "strength=2"     values   [ fallback of site, 2 ]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"

// One line: its key and value, both copied to `text`, which has room. NULL: no more lines.
static const char *next_pair(const char *lines, char *text, const char **key, const char **value) {
  lines += strspn(lines, "\n");
  const size_t n = strcspn(lines, "\n");
  if (n == 0) {
    return NULL;
  }
  memcpy(text, lines, n);
  text[n] = '\0';
  char *sign = strchr(text, '=');
  *key = text;
  *value = sign ? sign + 1 : "";
  if (sign) {
    *sign = '\0';
  }
  return lines + n;
}

static sn_status unknown_key(const sn_param *const *declared, int n, const char *key,
                             sn_error *error) {
  enum { MOST = 64 };
  const char *names[MOST];
  int64_t count = 0;
  for (int i = 0; i < n; i++) {
    for (const sn_param *p = declared[i]; p && p->name && count < MOST; p++) {
      names[count++] = p->name;
    }
  }
  if (count == 0) {
    return si_fail(error, SN_ENOTFOUND, "it takes no attributes, but '%s' is set", key);
  }
  char cure[SI_SUGGESTION];
  return si_fail(error, SN_ENOTFOUND, "it has no attribute '%s'%s", key,
                 si_suggest(cure, sizeof cure, key, "available", names, count));
}

sn_status si_attributes_check(const sn_param *const *declared, int n, const char *lines,
                              sn_error *error) {
  if (!lines) {
    return SN_OK;
  }
  char *text = malloc(strlen(lines) + 1);
  if (!text) {
    return si_no_memory(error);
  }
  sn_status status = SN_OK;
  const char *key, *value;
  for (const char *at = lines; status >= 0 && (at = next_pair(at, text, &key, &value));) {
    int known = 0;
    for (int i = 0; i < n; i++) {
      known |= si_params_find(declared[i], key) != NULL;
    }
    status = known ? SN_OK : unknown_key(declared, n, key, error);
  }
  free(text);
  return status;
}

sn_status si_attributes_read(const sn_param *declared, const char *lines, sn_value **values,
                             int32_t *given, sn_error *error) {
  // one block: the values, then the numbers and texts that they point to
  const int64_t n = si_params_count(declared);
  int64_t numbers = lines ? (int64_t)strlen(lines) / 2 + 1 : 0;
  for (int64_t i = 0; i < n; i++) {
    numbers += si_param_capacity(&declared[i], declared[i].default_value);
  }
  const size_t bytes = (size_t)(n + 1) * sizeof(sn_value);
  const size_t real_bytes = (size_t)numbers * sizeof(double);
  *values = malloc(bytes + real_bytes + (lines ? 2 * strlen(lines) : 0) + 2);
  if (!*values) {
    return si_no_memory(error);
  }
  double *storage = (double *)(*values + n + 1);
  char *text = (char *)*values + bytes + real_bytes;
  sn_status status = SN_OK;
  for (int64_t i = 0; i < n && status >= 0; i++) {
    status = si_param_parse(&declared[i], declared[i].default_value, "attribute", NULL,
                            &(*values)[i], &storage, error);
    if (given) {
      given[i] = 0;
    }
  }
  const char *key, *value;
  for (const char *at = lines ? lines : "";
       status >= 0 && (at = next_pair(at, text, &key, &value));) {
    const sn_param *p = si_params_find(declared, key);
    if (p) {
      status = si_param_parse(p, value, "attribute", NULL, &(*values)[p - declared], &storage,
                              error);
      text += strlen(key) + strlen(value) + 2;
    }
    if (p && given) {
      given[p - declared] = 1;
    }
  }
  if (status < 0) {
    free(*values);
    *values = NULL;
  }
  return status;
}
