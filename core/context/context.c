// SPDX-License-Identifier: Apache-2.0
//
// Elements by their ids in the model, messages about them, references between them, and the memory
// that a compilation takes.

#include "context/context.h"
#include "base/text.h"
#include "sinew/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const void *si_build_def(const si_build *b, int32_t kind, int64_t id) {
  return b->spec->list[kind].at[b->number[kind].spec[id]].def;
}

sn_status si_build_fail(si_build *b, sn_status code, int32_t kind, int64_t id, const char *format,
                        ...) {
  char what[256], text[SI_ERROR_TEXT];
  int64_t spec_id = b->number[kind].spec[id];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return si_fail_at(b->error, code, &b->spec->list[kind].at[spec_id].location, "%s: %s",
                    si_element_title(b->spec, kind, spec_id, what, sizeof what), text);
}

sn_status si_build_warn(si_build *b, int32_t kind, int64_t id, const char *format, ...) {
  char what[256], text[SI_ERROR_TEXT], where[SI_ERROR_FILE + 32] = "";
  int64_t spec_id = b->number[kind].spec[id];
  const sn_location *location = &b->spec->list[kind].at[spec_id].location;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (location->file) {
    snprintf(where, sizeof where, "%s:%d:%d: ", location->file, location->line, location->column);
  }
  return si_model_warn(b->m, b->error, "%s%s: %s", where,
                       si_element_title(b->spec, kind, spec_id, what, sizeof what), text);
}

double si_build_bytes(const si_build *b) {
  return b->bytes + (double)b->given->nbyte;
}

sn_status si_build_take(si_build *b, double bytes, int32_t kind, int64_t id) {
  char what[256] = "the model's arrays";
  const sn_location *location = NULL;
  b->bytes += bytes;
  if (kind >= 0) {
    const int64_t spec_id = b->number[kind].spec[id];
    si_element_title(b->spec, kind, spec_id, what, sizeof what);
    location = &b->spec->list[kind].at[spec_id].location;
  }
  return si_limit_memory(b->engine, si_build_bytes(b), location, what, b->error);
}

sn_status si_build_ahead(si_build *b, double bytes, int32_t kind, int64_t id) {
  const double before = b->bytes;
  sn_status status = si_build_take(b, bytes, kind, id);
  b->bytes = before;
  return status;
}

sn_status si_build_blame(si_build *b, sn_status code, int32_t kind, int64_t id) {
  char text[SI_ERROR_TEXT];
  snprintf(text, sizeof text, "%s", b->error ? sn_error_message(b->error) : "");
  const char *none = code == SN_ENOMEM ? "there is not enough memory" : "rejected";
  return si_build_fail(b, code, kind, id, "%s", text[0] ? text : none);
}

// The end of a message about a wrong name: the nearest name, else those that there are.
static const char *suggest_name(char *out, size_t size, const sn_spec *spec, int32_t kind,
                                const char *name) {
  const si_elements *list = &spec->list[kind];
  const char **names = malloc((size_t)(list->n + 1) * sizeof *names);
  out[0] = '\0';
  if (!names) {
    return out;
  }
  int64_t n = 0;
  for (int64_t i = 0; i < list->n; i++) {
    const char *candidate = si_element_name(&list->at[i]);
    if (candidate[0]) {
      names[n++] = candidate;
    }
  }
  const char *near = si_nearest(name, names, n);
  if (near) {
    sn_suggest_text(out, size, near, NULL);
  } else if (n > 0) {
    si_suggest(out, size, name, "available", names, n);
  }
  free(names);
  return out;
}

sn_status si_build_refer(si_build *b, int32_t kind, int64_t id, int32_t wanted, const char *name,
                         int32_t *out) {
  const char *word = si_element_shape[wanted].kind;
  if (!name || !name[0]) {
    return si_build_fail(b, SN_ECOMPILE, kind, id, "it names no %s", word);
  }
  int32_t found = sn_spec_find(b->spec, word, name);
  if (found < 0) {
    char hint[SI_SUGGESTION];
    return si_build_fail(b, SN_ECOMPILE, kind, id, "there is no %s '%s'%s", word, name,
                         suggest_name(hint, sizeof hint, b->spec, wanted, name));
  }
  *out = b->number[wanted].model[found];
  return SN_OK;
}

sn_status si_build_refer_word(si_build *b, int32_t kind, int64_t id, const char *word,
                              const char *name, int32_t *out) {
  int32_t wanted = si_element_of(word);
  if (wanted < 0) {
    const char *words[SI_NELEMENTS];
    for (int i = 0; i < SI_NELEMENTS; i++) {
      words[i] = si_element_shape[i].kind;
    }
    char hint[SN_SUGGEST_TEXT];
    const char *near = si_nearest(word ? word : "", words, SI_NELEMENTS);
    return si_build_fail(b, SN_ECOMPILE, kind, id, "'%s' is not a kind of object%s",
                         word ? word : "", sn_suggest_text(hint, sizeof hint, near, NULL));
  }
  return si_build_refer(b, kind, id, wanted, name, out);
}
