// SPDX-License-Identifier: Apache-2.0
//
// What subcommands share: opening the engine and the model, the start state, reporting errors.
//
// The configuration is --config, else what the library finds ($SINEW_CONFIG, the user's, the
// installed one). Run from a build tree, where sinew.ini lies beside the program, that one comes
// before the user's and the installed one.

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

static int named_by_environment(void) {
  const char *environment = getenv("SINEW_CONFIG");
  return environment && *environment;
}

// The ini beside the program, when the user names none. NULL: the library's search.
static const char *beside_program(char *path, size_t room) {
  if (named_by_environment()) {
    return NULL;
  }
  ssize_t n = readlink("/proc/self/exe", path, room - 1);
  if (n <= 0 || (size_t)n >= room - 1) {
    return NULL;
  }
  path[n] = '\0';
  char *slash = strrchr(path, '/');
  if (!slash || (size_t)(slash - path) + sizeof "/sinew.ini" > room) {
    return NULL;
  }
  memcpy(slash, "/sinew.ini", sizeof "/sinew.ini");
  return access(path, R_OK) == 0 ? path : NULL;
}

// Whether a line of this file, which is canonical, is in effect.
static int is_in_effect(const sn_engine *engine, const char *file) {
  const size_t n = strlen(file);
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(engine, i, &info); i++) {
    if (info.origin && strncmp(info.origin, file, n) == 0 && info.origin[n] == ':') {
      return 1;
    }
  }
  return 0;
}

// An ini in the working folder may be meant, but names code that would run.
static void hint_at_local(const session *s) {
  char path[PATH_MAX];
  if (s->o->config || named_by_environment() || !realpath("sinew.ini", path) ||
      (s->engine && is_in_effect(s->engine, path))) {
    return;
  }
  fputs("sinew: ./sinew.ini is not read by itself; to use it: --config ./sinew.ini\n", stderr);
}

static int is_limit(const char *name) {
  return strncmp(name, "limits.", 7) == 0;
}

// solvers, integrators, executors, pairs and limits are the engine's; the rest are options of the
// model
static int is_selection(const char *name) {
  return strcmp(name, "solver") == 0 || strcmp(name, "integrator") == 0 ||
         strcmp(name, "executor") == 0 || strcmp(name, "post_solver") == 0 ||
         strcmp(name, "convex") == 0 || strchr(name, '-') != NULL || is_limit(name);
}

// applies those --set that are selections, or those that are not
static int apply_sets(session *s, int selections) {
  for (int i = 0; i < s->o->nset; i++) {
    char name[64];
    const char *equals = strchr(s->o->set[i], '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - s->o->set[i]), s->o->set[i]);
    if (is_selection(name) != selections) {
      continue;
    }
    sn_status status = is_limit(name)
                           ? sn_engine_set_limit(s->engine, name + 7, equals + 1, s->error)
                       : selections ? sn_select(s->engine, name, equals + 1, s->error)
                                    : sn_model_parse_option(s->model, name, equals + 1, s->error);
    if (status < 0) {
      return report(s->o, s->error);
    }
  }
  return DONE;
}

const char *session_config(const options *o, char *path, size_t room) {
  return o->config ? o->config : beside_program(path, room);
}

int session_open(session *s, const options *o) {
  char path[PATH_MAX];
  *s = (session){ .o = o, .error = sn_error_new() };
  if (!s->error) {
    return report(o, NULL);
  }
  s->engine = sn_engine_open(session_config(o, path, sizeof path), s->error);
  hint_at_local(s);
  if (!s->engine) {
    return report(o, s->error);
  }
  sn_engine_set_log(s->engine, log_message, NULL);
  return apply_sets(s, 1);
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
  status = status == DONE ? apply_sets(s, 0) : status;
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
