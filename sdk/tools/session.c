// SPDX-License-Identifier: Apache-2.0
//
// What subcommands share: opening the engine and the model, the start state, reporting errors.
//
// The layers of the configuration are those of sn_engine_open; --config and --profile name two of
// them, --plugin and --set come after all of them.

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "json.h"

// ------------------------------------------------------------------ errors

static void print_failure(const options *o, const char *file, int line, int column,
                          const char *message) {
  if (o->json) {
    json j;
    json_start(&j, stdout);
    json_bool(&j, "ok", 0);
    json_text(&j, "error", message);
    json_text(&j, "file", file);
    json_integer(&j, "line", line);
    json_integer(&j, "column", column);
    json_finish(&j);
    return;
  }
  fputs("sinew: ", stderr);
  if (file) {
    fprintf(stderr, "%s:", file);
    if (line > 0) {
      fprintf(stderr, "%d:", line);
    }
    if (line > 0 && column > 0) {
      fprintf(stderr, "%d:", column);
    }
    fputc(' ', stderr);
  }
  fprintf(stderr, "%s\n", message);
}

int report(const options *o, const sn_error *error) {
  const char *message = error ? sn_error_message(error) : "no memory";
  print_failure(o, error ? sn_error_file(error) : NULL, error ? sn_error_line(error) : 0,
                error ? sn_error_column(error) : 0, *message ? message : "it failed");
  return FAILED;
}

int report_text(const options *o, const char *file, int line, int column, const char *format, ...) {
  char message[512];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  print_failure(o, file, line, column, message);
  return FAILED;
}

int report_data(const options *o, const sn_data *d, sn_status status) {
  const sn_error *error = sn_data_error(d);
  if (error && *sn_error_message(error)) {
    return report(o, error);
  }
  return report_text(o, NULL, 0, 0, "the simulation failed: %s", sn_status_name(status));
}

// messages of the library, the first few of them: a run that goes wrong repeats itself
static void log_message(void *context, int32_t level, const char *topic, const char *text) {
  enum { MOST = 10 };
  static int printed;
  (void)context;
  if (level < SN_LOG_WARNING || printed > MOST) {
    return;
  }
  if (printed++ == MOST) {
    fputs("sinew: further warnings are not shown\n", stderr);
    return;
  }
  fprintf(stderr, "sinew: %s: %s\n", topic ? topic : "warning", text);
}

// ------------------------------------------------------------------ engine

static int is_layer(const sn_engine *engine, const char *path) {
  sn_layer_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_layer(engine, i, &info); i++) {
    if (strcmp(info.path, path) == 0) {
      return 1;
    }
  }
  return 0;
}

// An ini in the working folder may be meant, but names code that would run.
static void hint_at_local(const session *s) {
  char path[PATH_MAX];
  const char *named = getenv("SINEW_CONFIG");
  if (s->o->config || (named && *named) || !realpath("sinew.ini", path) ||
      (s->engine && is_layer(s->engine, path))) {
    return;
  }
  fputs("sinew: ./sinew.ini is not read by itself; to use it: --config ./sinew.ini\n", stderr);
}

// What is not a value of the configuration is an option of the model, and has neither dot nor dash
// in its name.
static int is_configuration(const char *name) {
  static const char *const words[] = { "solver",      "integrator",    "executor",
                                       "post_solver", "decomposition", "convex" };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strcmp(name, words[i]) == 0) {
      return 1;
    }
  }
  return strpbrk(name, ".-") != NULL;
}

enum { OVERRIDES, CONFIGURATION, MODEL };   // stages of --set

static int stage_of(const char *name) {
  return strncmp(name, "override.", 9) == 0 ? OVERRIDES
         : is_configuration(name)           ? CONFIGURATION
                                            : MODEL;
}

// applies those --set that belong to a stage
static int apply_sets(session *s, int stage) {
  for (int i = 0; i < s->o->nset; i++) {
    const char *equals = strchr(s->o->set[i], '=');
    char *name = strndup(s->o->set[i], (size_t)(equals - s->o->set[i]));
    sn_status status = SN_OK;
    if (name && stage_of(name) == stage) {
      status = stage == MODEL ? sn_model_parse_option(s->model, name, equals + 1, s->error)
                              : sn_engine_set(s->engine, name, equals + 1, s->error);
    }
    free(name);
    if (!name || status < 0) {
      return report(s->o, name ? s->error : NULL);
    }
  }
  return DONE;
}

// A command without a model has no use for its options.
static int check_sets(const options *o) {
  for (int i = 0; i < o->nset && !o->command->takes_model; i++) {
    const int n = (int)strcspn(o->set[i], "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", n, o->set[i]);
    if (stage_of(name) == MODEL) {
      return usage_error(o->command,
                         "'%s' is no value of the configuration, and this command changes no "
                         "options of a model",
                         name);
    }
  }
  return DONE;
}

static int load_plugins(session *s) {
  for (int i = 0; i < s->o->nplugin; i++) {
    char name[64], path[PATH_MAX];
    plugin_name(s->o->plugin[i], name, sizeof name);
    const char *absolute = realpath(s->o->plugin[i], path) ? path : s->o->plugin[i];
    if (sn_engine_load_plugin(s->engine, name, absolute, s->error) < 0) {
      return report(s->o, s->error);
    }
  }
  return DONE;
}

sn_engine *session_engine(const options *o, uint32_t flags, sn_error *error) {
  const sn_engine_request request = {
    .size = sizeof request, .flags = flags, .config = o->config, .profile = o->profile
  };
  return sn_engine_open_with(&request, error);
}

int session_open(session *s, const options *o) {
  *s = (session){ .o = o, .error = sn_error_new() };
  if (!s->error) {
    return report(o, NULL);
  }
  int status = check_sets(o);
  if (status != DONE) {
    return status;
  }
  s->engine = session_engine(o, 0, s->error);
  hint_at_local(s);
  if (!s->engine) {
    return report(o, s->error);
  }
  sn_engine_set_log(s->engine, log_message, NULL);
  if (o->check_plugins && sn_engine_set(s->engine, "check_plugins", "yes", s->error) < 0) {
    return report(o, s->error);
  }
  status = apply_sets(s, OVERRIDES);
  status = status == DONE ? load_plugins(s) : status;
  return status == DONE ? apply_sets(s, CONFIGURATION) : status;
}

// ------------------------------------------------------------------ model

int tell_warnings(const options *o, const sn_model *m, const sn_spec *spec) {
  const char *text, *first = NULL;
  int64_t n = 0;
  for (int64_t i = 0; !o->json && (text = m ? sn_model_note(m, i) : sn_spec_note(spec, i)); i++) {
    fprintf(stderr, "sinew: note: %s\n", text);
  }
  for (; (text = m ? sn_model_warning(m, n) : sn_spec_warning(spec, n)); n++) {
    first = first ? first : text;
    if (!o->json) {
      fprintf(stderr, "sinew: %s: %s\n", o->strict ? "error" : "warning", text);
    }
  }
  if (n == 0 || !o->strict) {
    return DONE;
  }
  return o->json ? report_text(o, NULL, 0, 0, "%s (--strict: %lld warnings are errors)", first,
                               (long long)n)
                 : report_text(o, NULL, 0, 0, "--strict: %lld warning%s", (long long)n,
                               n == 1 ? " is an error" : "s are errors");
}

int session_load(session *s, const char *path) {
  s->model = sn_load(s->engine, path, s->error);
  if (!s->model) {
    return report(s->o, s->error);
  }
  int status = tell_warnings(s->o, s->model, NULL);
  status = status == DONE ? apply_sets(s, MODEL) : status;
  if (status == DONE) {
    s->data = sn_data_new(s->model, s->error);
    status = s->data ? DONE : report(s->o, s->error);
  }
  return status;
}

sn_data *session_twin(session *s) {
  sn_data *twin = sn_data_new(s->model, s->error);
  double *state = malloc((size_t)sn_state_size(s->model, SN_STATE_INTEGRATION) * sizeof *state);
  if (!twin || !state) {
    report(s->o, s->error);
    free(state);
    sn_data_free(twin);
    return NULL;
  }
  sn_state_get(s->model, s->data, SN_STATE_INTEGRATION, state);
  sn_state_set(s->model, twin, SN_STATE_INTEGRATION, state);
  free(state);
  return twin;
}

sn_option model_options(const sn_model *m) {
  sn_option option = { .def_size = sizeof option };
  sn_model_get_option(m, &option);
  return option;
}

int32_t find_key(const sn_model *m, const char *text) {
  int32_t key = sn_find(m, "key", text);
  if (key >= 0) {
    return key;
  }
  char *end;
  errno = 0;
  long index = strtol(text, &end, 10);
  return end != text && !*end && !errno && index >= 0 && index < snm_nkey(m) ? (int32_t)index : -1;
}

int session_start(session *s) {
  sn_reset(s->model, s->data);
  if (!s->o->key) {
    return DONE;
  }
  int32_t key = find_key(s->model, s->o->key);
  if (key < 0) {
    return report_text(s->o, NULL, 0, 0, "there is no keyframe '%s'; the model has %lld", s->o->key,
                       (long long)snm_nkey(s->model));
  }
  sn_reset_key(s->model, s->data, key);
  return DONE;
}

void session_close(session *s) {
  if (s->data) {
    sn_data_free(s->data);
  }
  if (s->model) {
    sn_model_free(s->model);
  }
  if (s->engine) {
    sn_engine_close(s->engine);
  }
  if (s->error) {
    sn_error_free(s->error);
  }
}

// ------------------------------------------------------------------ time

double wall_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_reals(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(double *x, int n) {
  qsort(x, (size_t)n, sizeof *x, compare_reals);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}
