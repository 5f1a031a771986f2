// SPDX-License-Identifier: Apache-2.0
//
// A fixture: an engine of the default configuration. Models come from texts in memory; loading.h
// is for texts that need files beside them, or parameters of a loader.

#ifndef SN_TEST_DEFAULT_ENGINE_H
#define SN_TEST_DEFAULT_ENGINE_H

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static sn_engine *engine;
static sn_error *error;

#define OK(call) ck_assert_msg((call) >= 0, "%s: %s", #call, sn_error_text(error))

static inline void open_engine(void) {
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
}

static inline void close_engine(void) {
  sn_engine_close(engine);
  sn_error_free(error);
}

// A name for a text: an engine keeps what it was given.
static inline const char *hold_text(const char *text) {
  static int count;
  static char name[32];
  snprintf(name, sizeof name, "m%d.xml", count++);
  OK(sn_engine_add_resource(engine, name, text, (int64_t)strlen(text), error));
  return name;
}

// NULL when the text is rejected.
static inline sn_spec *spec_of(const char *text) {
  si_error_clear(error);
  return sn_spec_load(engine, hold_text(text), error);
}

static inline sn_spec *good_spec(const char *text) {
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s: %s", text, sn_error_text(error));
  return spec;
}

static inline sn_model *compiled(sn_spec *spec) {
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  return m;
}

// NULL when the text is rejected.
static inline sn_model *try_text(const char *text) {
  si_error_clear(error);
  return sn_load(engine, hold_text(text), error);
}

static inline sn_model *model_of(const char *text) {
  sn_model *m = try_text(text);
  ck_assert_msg(m != NULL, "%s: %s", text, sn_error_text(error));
  return m;
}

static inline sn_data *data_of(const sn_model *m) {
  sn_data *d = sn_data_new(m, error);
  ck_assert_msg(d != NULL, "%s", sn_error_text(error));
  return d;
}

static inline void done_with(sn_model *m, sn_data *d) {
  sn_data_free(d);
  sn_model_free(m);
}

// The first warning of a model with these words; "" when there is none.
static inline const char *warning_with(const sn_model *m, const char *part) {
  for (int64_t i = 0; sn_model_warning(m, i); i++) {
    if (strstr(sn_model_warning(m, i), part)) {
      return sn_model_warning(m, i);
    }
  }
  return "";
}

// The text is rejected, with this word in the message.
static inline void reject_text(const char *text, const char *word) {
  sn_model *m = try_text(text);
  ck_assert_msg(m == NULL, "not rejected: %s", text);
  ck_assert_msg(strstr(sn_error_text(error), word) != NULL, "no \"%s\" in: %s", word,
                sn_error_text(error));
}

// The last warning of the log, from hear_warnings on.
static inline char *heard(void) {
  static char text[2048];
  return text;
}

static inline void keep_warning(void *context, int32_t level, const char *topic, const char *text) {
  (void)context, (void)topic;
  if (level >= SN_LOG_WARNING) {
    snprintf(heard(), 2048, "%s", text);
  }
}

static inline void hear_warnings(void) {
  heard()[0] = '\0';
  sn_engine_set_log(engine, keep_warning, NULL);
}

#endif
