// SPDX-License-Identifier: Apache-2.0
//
// What subcommands share: opening the engine and the model, the start state.
//
// The layers of the configuration are those of sn_engine_open; --config and --profile name two of
// them, --plugin and --set come after all of them.

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "sinew/math.h"

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
  note(s->o, "./sinew.ini is not read by itself; to use it: --config ./sinew.ini");
}

// What is not a value of the configuration is an option of the model, and has neither dot nor dash
// in its name.
static int is_configuration(const char *name) {
  static const char *const words[] = { "solver",        "integrator",    "executor",
                                       "post_solver",   "decomposition", "convex",
                                       "check_plugins", "renderer" };
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

// The error of a setting, with the option that it comes from: --set, or a list of `sinew compare`.
static int report_setting(const session *s, int i) {
  const options *o = s->o;
  const int k = i - (o->nset - o->nlisted);
  const char *option = k < 0 ? "set" : o->listed[k], *value = o->set[i];
  if (in_list("solver integrator collision", option)) {
    value = strchr(value, '=') + 1;
  }
  return report_text(o, sn_error_file(s->error), sn_error_line(s->error), sn_error_column(s->error),
                     "--%s %s: %s", option, value, sn_error_message(s->error));
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
      return name ? report_setting(s, i) : report(s->o, NULL);
    }
  }
  return DONE;
}

// Lines of a configuration file that --set cannot replace, and what does.
static const char *instead_of_set(const char *name) {
  static const struct {
    const char *name, *instead;
  } lines[] = {
    { "profile", "use --profile NAME" },
    { "config", "use --config INI" },
    { "root", "it belongs in a file that --config names" },
    { "include", "it belongs in a file that --config names" },
    { "plugins", "use --plugin FILE.so, or a file that --config names" },
    { "select", "write solver=NAME, integrator=NAME ..." },
  };
  const size_t n = strcspn(name, ".");
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    const int is_whole = name[n] == '\0' || strcmp(lines[i].name, "plugins") == 0;
    if (strlen(lines[i].name) == n && strncmp(lines[i].name, name, n) == 0 && is_whole) {
      return lines[i].instead;
    }
  }
  return NULL;
}

// A command without a model has no use for its options.
static int check_sets(const options *o) {
  for (int i = 0; i < o->nset; i++) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(o->set[i], "="), o->set[i]);
    const char *instead = instead_of_set(name);
    if (instead) {
      return usage_error(o->command, "--set %s: '%s' cannot be set in this way; %s", o->set[i],
                         name, instead);
    }
    const char *cure = input_cure(o->command, name);
    if (*cure) {
      return usage_error(o->command, "--set %s: '%s' is not an option of the model%s", o->set[i],
                         name, cure);
    }
  }
  for (int i = 0; i < o->nset && !o->command->takes_model; i++) {
    const int n = (int)strcspn(o->set[i], "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", n, o->set[i]);
    if (stage_of(name) == MODEL) {
      return usage_error(
          o->command,
          "--set %s: '%s' cannot be set here; options of a model, such as timestep, have "
          "no effect in this command, because it loads no model",
          o->set[i], name);
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
    .size = sizeof request,
    .flags = flags | SN_ENGINE_CACHING | (o->check_plugins ? SN_ENGINE_CHECKING : 0),
    .config = o->config,
    .profile = o->profile,
  };
  return sn_engine_open_with(&request, error);
}

static void tell_layers(const session *s) {
  sn_layer_info info = { .size = sizeof info };
  for (int64_t i = 0; s->o->verbose && sn_engine_layer(s->engine, i, &info); i++) {
    note(s->o, "configuration: %s: %s", info.name, info.path);
  }
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
  tell_layers(s);
  return session_prepare(s);
}

int session_prepare(session *s) {
  messages_of(s->engine, s->o);
  if (s->o->check_plugins && sn_engine_set(s->engine, "check_plugins", "yes", s->error) < 0) {
    return report(s->o, s->error);
  }
  if (s->o->no_cache && sn_engine_set(s->engine, "cache.models", "no", s->error) < 0) {
    return report(s->o, s->error);
  }
  int status = apply_sets(s, OVERRIDES);
  status = status == DONE ? load_plugins(s) : status;
  return status == DONE ? apply_sets(s, CONFIGURATION) : status;
}

// ------------------------------------------------------------------ model

// Settings that are taken, but have no effect.
static void note_unused(const session *s) {
  const sn_option option = model_options(s->model);
  for (int i = 0; i < s->o->nset; i++) {
    const int n = (int)strcspn(s->o->set[i], "=");
    if (strncmp(s->o->set[i], "o_", 2) == 0 && !(option.enableflags & SN_ENABLE_OVERRIDE)) {
      warn(s->o, "%.*s has no effect without --set override=on", n, s->o->set[i]);
    }
  }
}

int session_set_options(session *s) {
  return apply_sets(s, MODEL);
}

int session_load(session *s, const char *name) {
  char path[PATH_MAX];
  int status = model_find(s, name, 0, path, sizeof path);
  if (status != DONE) {
    return status;
  }
  s->model = sn_load(s->engine, path, s->error);
  if (!s->model) {
    return report(s->o, s->error);
  }
  status = session_set_options(s);   // which may add a note
  status = status == DONE ? tell_warnings(s->o, s->model, NULL) : status;
  if (status == DONE) {
    note_unused(s);
  }
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

// "none", or "'squat' (0), 1, 'jump' (2)": a name and a number each, or the number alone.
const char *list_keys(const sn_model *m, char *out, size_t capacity) {
  size_t used = 0;
  snprintf(out, capacity, "none");
  for (int32_t i = 0; i < snm_nkey(m) && used < capacity - 1; i++) {
    const char *name = sn_name(m, "key", i);
    const int n = *name
                      ? snprintf(out + used, capacity - used, "%s'%s' (%d)", i ? ", " : "", name, i)
                      : snprintf(out + used, capacity - used, "%s%d", i ? ", " : "", i);
    used += n > 0 ? (size_t)n : 0;
  }
  if (used >= capacity) {
    memcpy(out + capacity - 4, "...", 4);
  }
  return out;
}

static void warn_of_long_step(const session *s, const sn_option *o) {
  const double falls = 0.5 * sn_norm3(o->gravity) * o->timestep * o->timestep;
  sn_statistic statistic = { .def_size = sizeof statistic };
  sn_model_get_statistic(s->model, &statistic);
  if (falls > 0.1 * statistic.extent) {
    warn(s->o,
         "the timestep, %g s, is long for this model: a body at rest falls %.2g m in one step, "
         "and the extent of the model is about %.2g m; typical values are 0.001 to 0.01 s",
         o->timestep, falls, statistic.extent);
  }
}

int session_steps(const session *s, double seconds, int64_t sequence, int64_t *steps) {
  const double most = 0x1p53;   // steps that a double counts
  const sn_option option = model_options(s->model);
  const double h = option.timestep, time = s->o->time < 0 ? seconds : s->o->time;
  const double n = ceil(time / h - 1e-9);
  const int is_given = s->o->steps >= 0 || s->o->time >= 0;
  *steps = s->o->steps >= 0 ? s->o->steps : !is_given && sequence >= 0 ? sequence : -1;
  if (*steps < 0 && time < 0) {
    return usage_error(s->o->command, "--time or --steps is missing");
  }
  if (*steps < 0 && !(n < most)) {
    return report_text(
        s->o, NULL, 0, 0,
        "%g s with a timestep of %g s is too many steps; use --steps, a shorter --time or a "
        "longer timestep",
        time, h);
  }
  *steps = *steps < 0 ? (int64_t)n : *steps;
  warn_of_long_step(s, &option);
  if (sequence >= 0 && sequence < *steps && !s->o->inputs) {
    return report_text(s->o, s->o->input, 0, 0,
                       "ctrl_sequence has controls for %lld step%s, but the run has %lld",
                       (long long)sequence, sequence == 1 ? "" : "s", (long long)*steps);
  }
  return DONE;
}

int session_start(session *s) {
  sn_reset(s->model, s->data);
  if (!s->o->key) {
    return DONE;
  }
  int32_t key = find_key(s->model, s->o->key);
  if (key < 0) {
    char keys[256];
    return report_text(s->o, NULL, 0, 0, "there is no keyframe '%s'; keyframes of the model: %s",
                       s->o->key, list_keys(s->model, keys, sizeof keys));
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
