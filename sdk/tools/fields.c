// SPDX-License-Identifier: Apache-2.0
//
// Arrays of a model or a simulation, printed as JSON or as text; see fields.h.

#include "fields.h"
#include "sinew/suggest.h"

#include <stdio.h>
#include <string.h>

void field_json(json *j, const sn_view *view) {
  if (view->type >= SN_BYTE || view->rows * view->cols > LARGEST_ARRAY) {
    return;
  }
  if (view->type == SN_REAL) {
    json_reals(j, view->name, view->p, view->rows, view->cols);
  } else {
    json_ints(j, view->name, view->p, view->rows, view->cols);
  }
}

void loading_json(json *j, const char *prefix, const sn_model *m) {
  char key[32];
  snprintf(key, sizeof key, "%swarnings", prefix);
  json_list(j, key);
  for (int64_t i = 0; sn_model_warning(m, i); i++) {
    json_text(j, NULL, sn_model_warning(m, i));
  }
  json_end(j);
  snprintf(key, sizeof key, "%snotes", prefix);
  json_list(j, key);
  for (int64_t i = 0; sn_model_note(m, i); i++) {
    json_text(j, NULL, sn_model_note(m, i));
  }
  json_end(j);
}

void counts_json(json *j, const sn_data *d) {
  json_object(j, "warnings");
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    json_integer(j, sn_data_warning_name(w), sn_data_warning_count(d, w));
  }
  json_end(j);
}

void field_text(const sn_view *view) {
  printf("%s", view->name);
  if (view->cols == 1) {
    printf("  [%lld]", (long long)view->rows);
  } else {
    printf("  [%lld x %lld]", (long long)view->rows, (long long)view->cols);
  }
  printf("%s%s  %s\n", *view->unit ? "  " : "", view->unit, view->meaning);
  if (view->type >= SN_BYTE) {
    return;
  }
  for (int64_t r = 0; r < view->rows; r++) {
    printf("%6lld ", (long long)r);
    for (int64_t c = 0; c < view->cols; c++) {
      int64_t i = r * view->cols + c;
      if (view->type == SN_REAL) {
        printf(" %13.6g", ((const double *)view->p)[i]);
      } else {
        printf(" %6d", ((const int32_t *)view->p)[i]);
      }
    }
    putchar('\n');
  }
}

// A field of the state is no field of the model, which `inspect` prints.
static const char *rest_of(const options *o, const char *name, char *out, size_t size) {
  static const char *const names[] = {
#define NAME(type, name, ...) #name,
    SN_DATA_FIELDS(NAME) SN_STEP_FIELDS(NAME)
#undef NAME
#define NAME(name, ...) #name,
        SN_DATA_COUNTS(NAME)
#undef NAME
  };
  snprintf(out, size, "`sinew fields` lists those of the model and of the state");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) {
      snprintf(out, size, "it is a field of the state: sinew state %.60s %s", o->operand[0], name);
    }
  }
  return out;
}

int fields_check(const options *o, int first, int32_t (*at)(void *context, int64_t i, sn_view *v),
                 void *context) {
  enum { MOST = 1024 };
  const char *names[MOST];
  int n = 0;
  sn_view view = { .size = sizeof view };
  for (int64_t i = 0; n < MOST && at(context, i, &view); i++) {
    names[n++] = view.name;
  }
  for (int k = first; k < o->noperand; k++) {
    int found = 0;
    for (int i = 0; i < n && !found; i++) {
      found = strcmp(names[i], o->operand[k]) == 0;
    }
    if (!found) {
      char hint[SN_SUGGEST_TEXT], rest[128];
      const char *near = nearest_word(o->operand[k], names, n);
      return usage_error(
          o->command, "there is no field '%s'%s", o->operand[k],
          sn_suggest_text(hint, sizeof hint, near, rest_of(o, o->operand[k], rest, sizeof rest)));
    }
  }
  return DONE;
}
