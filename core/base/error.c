// SPDX-License-Identifier: Apache-2.0
//
// Errors: what, where, the cure; and the nearest valid name.
//
// A message is formatted aside before it is stored, so that it may quote the error it replaces.

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "sinew/suggest.h"

// ------------------------------------------------------------------ filling

static void compose_text(sn_error *error) {
  int n = 0;
  const size_t size = sizeof error->text;
  if (error->file[0]) {
    n += snprintf(error->text, size, "%s:", error->file);
    if (error->line > 0) {
      n += snprintf(error->text + n, size - (size_t)n, "%d:", error->line);
    }
    if (error->line > 0 && error->column > 0) {
      n += snprintf(error->text + n, size - (size_t)n, "%d:", error->column);
    }
    n += snprintf(error->text + n, size - (size_t)n, " ");
  }
  snprintf(error->text + n, size - (size_t)n, "%s", error->message);
}

SN_PRINTF(4, 0)
static void store(sn_error *error, sn_status code, const sn_location *location, const char *format,
                  va_list list) {
  char file[SI_ERROR_FILE], message[SI_ERROR_TEXT];
  si_plain_print(message, sizeof message, format, list);
  snprintf(file, sizeof file, "%s", location && location->file ? location->file : "");
  error->code = code;
  error->line = location ? location->line : 0;
  error->column = location ? location->column : 0;
  memcpy(error->file, file, sizeof file);
  snprintf(error->message, sizeof error->message, "%s", message);
  compose_text(error);
}

sn_status(si_fail)(sn_error *error, sn_status code, const char *format, ...) {
  if (error) {
    va_list list;
    va_start(list, format);
    store(error, code, NULL, format, list);
    va_end(list);
  }
  return code;
}

void si_error_in(sn_error *error, const char *file) {
  if (error && !error->file[0]) {
    snprintf(error->file, sizeof error->file, "%s", file);
    compose_text(error);
  }
}

sn_status si_fail_at(sn_error *error, sn_status code, const sn_location *location,
                     const char *format, ...) {
  if (error) {
    va_list list;
    va_start(list, format);
    store(error, code, location, format, list);
    va_end(list);
  }
  return code;
}

sn_status si_error_settle(sn_error *error, sn_status status) {
  if (status >= 0 || !error || error->message[0]) {
    return status;
  }
  return status == SN_ENOMEM
             ? (si_fail)(error, status, "there is not enough memory")
             : (si_fail)(error, status, "it failed without a message (%s)", sn_status_name(status));
}

void *si_error_settle_object(sn_error *error, void *object) {
  if (!object && error) {
    si_error_settle(error, error->code < 0 ? error->code : SN_ENOMEM);
  }
  return object;
}

void si_error_clear(sn_error *error) {
  if (error) {   // before each step: without formatting
    error->code = SN_OK;
    error->line = error->column = 0;
    error->file[0] = error->message[0] = error->text[0] = '\0';
  }
}

void si_error_assign(sn_error *to, const sn_error *from) {
  if (to && from && to != from) {
    *to = *from;
  } else if (to && !from) {
    si_error_clear(to);
  }
}

// ------------------------------------------------------------------ reading

sn_error *sn_error_new(void) {
  return calloc(1, sizeof(sn_error));
}

void sn_error_free(sn_error *error) {
  free(error);
}

sn_status sn_error_code(const sn_error *error) {
  return error ? error->code : SN_OK;
}

const char *sn_error_message(const sn_error *error) {
  return error ? error->message : "";
}

const char *sn_error_file(const sn_error *error) {
  return error && error->file[0] ? error->file : NULL;
}

int32_t sn_error_line(const sn_error *error) {
  return error ? error->line : 0;
}

int32_t sn_error_column(const sn_error *error) {
  return error ? error->column : 0;
}

const char *sn_error_text(const sn_error *error) {
  return error ? error->text : "";
}

const char *sn_version(void) {
  return SN_VERSION;
}

const char *sn_status_name(sn_status status) {
  static const struct {
    sn_status status;
    const char *name;
  } names[] = {
    { SN_OK, "SN_OK" },
    { SN_NOT_CONVERGED, "SN_NOT_CONVERGED" },
    { SN_CLAMPED, "SN_CLAMPED" },
    { SN_MORE, "SN_MORE" },
    { SN_EINVAL, "SN_EINVAL" },
    { SN_ENOMEM, "SN_ENOMEM" },
    { SN_EIO, "SN_EIO" },
    { SN_EPARSE, "SN_EPARSE" },
    { SN_ECOMPILE, "SN_ECOMPILE" },
    { SN_EPLUGIN, "SN_EPLUGIN" },
    { SN_ENOTFOUND, "SN_ENOTFOUND" },
    { SN_EUNSUPPORTED, "SN_EUNSUPPORTED" },
    { SN_EDIVERGED, "SN_EDIVERGED" },
    { SN_ECANCELED, "SN_ECANCELED" },
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (names[i].status == status) {
      return names[i].name;
    }
  }
  return "unknown status";
}

// ------------------------------------------------------------------ did you mean

const char *si_nearest(const char *name, const char *const *candidates, int64_t n) {
  return sn_suggest_nearest(name, candidates, n);
}
