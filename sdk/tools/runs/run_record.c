// SPDX-License-Identifier: Apache-2.0
//
// The record of a run; see run_record.h.

#include "run_record.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/grow.h"
#include "sha256.h"
#include "tools/runs/csv.h"

// ------------------------------------------------------------------ dependencies

const char *const dependency_groups[] = { "engine", "plugins", "configuration",
                                          "files",  "machine", NULL };

__attribute__((format(printf, 4, 5))) static void add(dependencies *d, const char *group,
                                                      const char *name, const char *format, ...) {
  va_list list;
  char *value;
  dependency *items = grow(d->item, d->n + 1, &d->capacity, 128, sizeof *items);
  if (!items) {
    d->failed = 1;
    return;
  }
  d->item = items;
  va_start(list, format);
  const int n = vasprintf(&value, format, list);
  va_end(list);
  char *copy = strdup(name);
  if (n < 0 || !copy) {
    free(copy);
    d->failed = 1;
    return;
  }
  d->item[d->n++] = (dependency){ .group = group, .name = copy, .value = value };
}

// A path from the root on, so that the record can be used from any folder. A file in an archive has
// no path of its own; a file in memory has a name only.
static const char *whole_path(const char *path, char *out) {
  if (!path || !*path || realpath(path, out)) {
    return path && *path ? out : path;
  }
  const int is_relative = path[0] != '/' && strchr(path, '/') && !strstr(path, "://");
  if (!is_relative || !getcwd(out, PATH_MAX) || strlen(out) + strlen(path) + 2 > PATH_MAX) {
    return path;
  }
  strcat(out, "/");
  return strcat(out, path);
}

// A file is opened several times: to recognize its format, and to read it.
static void add_file(void *context, const char *name, const uint8_t *bytes, int64_t count) {
  dependencies *d = context;
  char hash[SHA256_TEXT], capacity[PATH_MAX];
  const char *path = whole_path(name, capacity);
  for (int64_t i = 0; i < d->n; i++) {
    if (strcmp(d->item[i].group, "files") == 0 && strcmp(d->item[i].name, path) == 0) {
      return;
    }
  }
  sha256_bytes(bytes, (size_t)count, hash);
  add(d, "files", path, "sha256:%s", hash);
}

void dependencies_watch(dependencies *d, session *s) {
  sn_engine_watch_files(s->engine, add_file, d);
}

// "sha256:..." of a file of code; "" without a file
static int hash_of(const session *s, const char *path, char *out, size_t capacity) {
  char hash[SHA256_TEXT] = "";
  if (path && !sha256_file(path, hash)) {
    return report_text(s->o, path, 0, 0, "cannot be read: %s", strerror(errno));
  }
  snprintf(out, capacity, "%s%s", path ? "sha256:" : "", hash);
  return DONE;
}

static int add_engine(dependencies *d, const session *s) {
  char hash[SHA256_TEXT + 8] = "";
  Dl_info object = { 0 };
  // a string of the library is in the file of the library
  const int found = dladdr(sn_version(), &object) && strstr(object.dli_fname, ".so");
  const int status = hash_of(s, found ? object.dli_fname : "/proc/self/exe", hash, sizeof hash);
  add(d, "engine", "version", "%s", sn_version());
  add(d, "engine", "plugin interface", "%d.%d", SN_ABI_MAJOR, SN_ABI_MINOR);
  add(d, "engine", "libsinew", "%s", hash);
  return status;
}

// That of the part of a plugin, sinew/part.h; "" if it is not installed.
static int hash_of_part(const session *s, const sn_plugin_info *p, char *out, size_t capacity) {
  char path[PATH_MAX];
  const char *slash = p->path ? strrchr(p->path, '/') : NULL;
  *out = '\0';
  if (!p->part || !slash) {
    return DONE;
  }
  snprintf(path, sizeof path, "%.*s/%s", (int)(slash - p->path), p->path, p->part);
  return access(path, F_OK) == 0 ? hash_of(s, path, out, capacity) : DONE;
}

static int add_plugins(dependencies *d, const session *s) {
  sn_plugin_info info = { .size = sizeof info };
  int status = DONE;
  for (int64_t i = 0; sn_engine_plugin(s->engine, i, &info) && status == DONE; i++) {
    char hash[SHA256_TEXT + 8] = "", part[SHA256_TEXT + 8] = "";
    if (info.status >= 0) {
      status = hash_of(s, info.path, hash, sizeof hash);
      status = status == DONE ? hash_of_part(s, &info, part, sizeof part) : status;
      add(d, "plugins", info.key, "%s %s%s%s", info.version ? info.version : "", hash,
          *part ? " part " : "", part);
    }
  }
  return status;
}

// Paths of plugins are left out: an installation may move; and where models are kept, which changes
// no result.
static void add_configuration(dependencies *d, const session *s) {
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(s->engine, i, &info); i++) {
    if (strcmp(info.section, "plugins") != 0 && strcmp(info.section, "cache") != 0) {
      char name[256];
      snprintf(name, sizeof name, "%s%s%s", info.section, *info.section ? "." : "", info.key);
      add(d, "configuration", name, "%s", info.value ? info.value : "");
    }
  }
}

static void add_machine(dependencies *d) {
  struct utsname system;
  if (uname(&system) == 0) {
    add(d, "machine", "system", "%s %s", system.sysname, system.machine);
  }
  add(d, "machine", "C library", "glibc %s", gnu_get_libc_version());
}

int dependencies_collect(dependencies *d, session *s) {
  sn_engine_watch_files(s->engine, NULL, NULL);
  int status = add_engine(d, s);
  status = status == DONE ? add_plugins(d, s) : status;
  add_configuration(d, s);
  add_machine(d);
  return status == DONE && d->failed ? report_text(s->o, NULL, 0, 0, "out of memory for the record")
                                     : status;
}

void dependencies_free(dependencies *d) {
  for (int64_t i = 0; i < d->n; i++) {
    free(d->item[i].name);
    free(d->item[i].value);
  }
  free(d->item);
}

// ------------------------------------------------------------------ states

const char *state_part(int index, uint32_t *mask) {
  static const struct {
    uint32_t mask;
    const char *name;
  } parts[] = {
    { SN_STATE_TIME, "time" },
    { SN_STATE_QPOS, "qpos" },
    { SN_STATE_QVEL, "qvel" },
    { SN_STATE_ACT, "act" },
    { SN_STATE_WARMSTART, "qacc_warmstart" },
    { SN_STATE_CTRL, "ctrl" },
    { SN_STATE_QFRC_APPLIED, "qfrc_applied" },
    { SN_STATE_XFRC_APPLIED, "xfrc_applied" },
    { SN_STATE_EQ_ENABLED, "eq_enabled" },
    { SN_STATE_MOCAP_POS, "mocap_pos" },
    { SN_STATE_MOCAP_QUAT, "mocap_quat" },
    { SN_STATE_USERDATA, "userdata" },
    { SN_STATE_PLUGIN, "plugin" },
    { SN_STATE_SLEEP, "sleep" },
  };
  if (index >= (int)(sizeof parts / sizeof parts[0])) {
    return NULL;
  }
  *mask = parts[index].mask;
  return parts[index].name;
}

double *state_copy(session *s) {
  double *state = malloc((size_t)sn_state_size(s->model, SN_STATE_INTEGRATION) * sizeof *state);
  if (!state) {
    report(s->o, NULL);
    return NULL;
  }
  sn_state_get(s->model, s->data, SN_STATE_INTEGRATION, state);
  return state;
}

static void state_json(json *j, const char *key, const sn_model *m, const double *state) {
  const char *name;
  uint32_t mask;
  json_object(j, key);
  for (int i = 0; (name = state_part(i, &mask)); i++) {
    const int64_t n = sn_state_size(m, mask);
    json_vector(j, name, state, n);
    state += n;
  }
  json_end(j);
}

// ------------------------------------------------------------------ writing

static void dependencies_json(json *j, const dependencies *d) {
  for (int g = 0; dependency_groups[g]; g++) {
    json_object(j, dependency_groups[g]);
    for (int64_t i = 0; i < d->n; i++) {
      if (strcmp(d->item[i].group, dependency_groups[g]) == 0) {
        json_text(j, d->item[i].name, d->item[i].value);
      }
    }
    json_end(j);
  }
}

static void texts_json(json *j, const char *key, const char *const *text, int n, int are_paths) {
  char path[PATH_MAX];
  json_list(j, key);
  for (int i = 0; i < n; i++) {
    json_text(j, NULL, are_paths ? whole_path(text[i], path) : text[i]);
  }
  json_end(j);
}

static const char *given(const char *option, const char *variable) {
  const char *value = option ? option : getenv(variable);
  return value && (*value || option) ? value : NULL;
}

static void arguments_json(json *j, const session *s, const dependencies *d, const summary *sum) {
  const options *o = s->o;
  char path[PATH_MAX];
  json_object(j, "arguments");
  json_text(j, "model", is_descriptor(o->operand[0]) ? "-" : d->item[0].name);
  json_integer(j, "steps", sum->steps);
  json_real(j, "timestep", model_options(s->model).timestep);
  json_text(j, "config", whole_path(given(o->config, "SINEW_CONFIG"), path));
  json_text(j, "profile", given(o->profile, "SINEW_PROFILE"));
  texts_json(j, "set", o->set, o->nset, 0);
  texts_json(j, "plugin", o->plugin, o->nplugin, 1);
  json_bool(j, "check_plugins", o->check_plugins);
  json_end(j);
}

static void result_json(json *j, const session *s, const double *state, const summary *sum) {
  char hash[20];
  snprintf(hash, sizeof hash, "%016" PRIx64,
           sn_state_hash(s->model, s->data, SN_STATE_INTEGRATION));
  json_object(j, "result");
  json_integer(j, "steps", sum->steps);
  json_text(j, "hash", hash);
  json_real(j, "energy", sum->energy[1]);
  state_json(j, "state", s->model, state);
  json_end(j);
}

static int write_json(FILE *file, session *s, const dependencies *d, const double *start,
                      const plan *p, const summary *sum) {
  double *state = state_copy(s);
  json j;
  if (!state) {
    return FAILED;
  }
  json_start(&j, file);
  json_text(&j, "format", RUN_RECORD_FORMAT);
  dependencies_json(&j, d);
  arguments_json(&j, s, d, sum);
  state_json(&j, "start", s->model, start);
  if (p->controls) {
    json_table(&j, "controls", p->controls, sum->steps, snm_nu(s->model));
  }
  result_json(&j, s, state, sum);
  json_finish(&j);   // a write that failed is known to the output
  free(state);
  return DONE;
}

int run_record_write(session *s, const dependencies *d, const double *start, const plan *p,
                     const summary *sum) {
  sn_output *output = sn_output_open(s->o->record_file, s->error);
  FILE *file = output ? csv_open(sn_output_sink(output)) : NULL;
  if (!output) {
    return report(s->o, s->error);
  }
  const int status = file ? write_json(file, s, d, start, p, sum)
                          : report_text(s->o, s->o->record_file, 0, 0,
                                        "out of memory while writing");
  if (file) {
    fclose(file);
  }
  const sn_status written = sn_output_close(output, status == DONE ? SN_OK : SN_EINVAL, s->error);
  return status == DONE && written < 0 ? report(s->o, s->error) : status;
}
