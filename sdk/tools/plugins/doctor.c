// SPDX-License-Identifier: Apache-2.0
//
// sinew plugins doctor: for each plugin of the configuration, for one of them, or for one file,
// whether it loads, and if not, why and what to do; one that is optional and absent is no failure.
// The plugins are loaded as for a simulation, so the reasons are those that every command prints;
// here a plugin that fails does not hide the next. A part of a plugin, sinew/part.h, is tried in an
// engine of its own. Then everything that happens before the first model is tried: names of
// [select], parameters, instances; for the whole configuration also a model, since a model needs
// more than one plugin. A file that loads alone is also loaded with the plugins of the
// configuration, with which its names may clash.

#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins.h"
#include "sinew/suggest.h"
#include "tools/command.h"
#include "tools/json/json.h"

typedef struct examination {
  const options *o;
  const char *only;   // the plugin of this name, or that provides this; NULL: all
  const sn_engine *engine;
  json *j;   // NULL: text
  const char *clash;   // of the one file with the configuration; NULL: none
  int loaded, failed;
} examination;

// ------------------------------------------------------------------ owners and rights

static void put_rights(const struct stat *s, char *out, size_t capacity) {
  static const char letters[] = "rwxrwxrwx";
  char mode[10] = "---------";
  for (int i = 0; i < 9; i++) {
    mode[i] = s->st_mode & (0400u >> i) ? letters[i] : '-';
  }
  if (s->st_mode & S_ISVTX) {
    mode[8] = 't';
  }
  const struct passwd *user = getpwuid(s->st_uid);
  const struct group *group = getgrgid(s->st_gid);
  char number[2][24];
  snprintf(number[0], sizeof number[0], "%u", (unsigned)s->st_uid);
  snprintf(number[1], sizeof number[1], "%u", (unsigned)s->st_gid);
  snprintf(out, capacity, "%c%s %s %s", S_ISDIR(s->st_mode) ? 'd' : '-', mode,
           user ? user->pw_name : number[0], group ? group->gr_name : number[1]);
}

// A part of a path: folder by folder from the root, the file at last.
static int show_part(const examination *e, const char *path) {
  char rights[160] = "missing";
  struct stat s;
  const int exists = stat(path, &s) == 0;
  if (exists) {
    put_rights(&s, rights, sizeof rights);
  }
  if (e->j) {
    json_object(e->j, NULL);
    json_text(e->j, "path", path);
    json_text(e->j, "rights", rights);
    json_end(e->j);
  } else {
    printf("             %-28s %s\n", rights, path);
  }
  return exists;
}

static void show_path(const examination *e, const char *path) {
  char whole[PATH_MAX];
  if (!path || !(realpath(path, whole) || snprintf(whole, sizeof whole, "%s", path) > 0)) {
    return;
  }
  if (e->j) {
    json_list(e->j, "parts");
  }
  int exists = whole[0] != '/' || show_part(e, "/");
  for (char *slash = whole; exists && (slash = strchr(slash + 1, '/'));) {
    *slash = '\0';
    exists = show_part(e, whole);
    *slash = '/';
  }
  if (exists) {
    show_part(e, whole);
  }
  if (e->j) {
    json_end(e->j);
  }
}

// ------------------------------------------------------------------ one plugin

// "solver newton, solver cg"
static void put_providers(const examination *e, const char *key, char *out, size_t capacity) {
  sn_provider_info p = { .size = sizeof p };
  size_t used = 0;
  out[0] = '\0';
  for (int64_t i = 0; used + 1 < capacity && sn_engine_provider(e->engine, i, &p); i++) {
    if (strcmp(p.plugin, key) != 0) {
      continue;
    }
    const char *dot = strchr(p.kind, '.'), *word = dot ? dot + 1 : p.kind;
    const int n = snprintf(out + used, capacity - used, "%s%.*s %s", used ? ", " : "",
                           (int)strcspn(word, "/"), word, p.name);
    used += n > 0 ? (size_t)n : 0;
  }
}

static void show_loaded(examination *e, const sn_plugin_info *p) {
  char providers[4096];
  put_providers(e, p->key, providers, sizeof providers);
  e->loaded++;
  if (e->j) {
    json_text(e->j, "plugin", p->name);
    json_text(e->j, "version", p->version);
    json_integer(e->j, "abi_major", p->abi_major);
    json_integer(e->j, "abi_minor_needed", p->abi_minor_needed);
    json_text(e->j, "provides", providers);
    return;
  }
  printf("loaded       %s: %s\n             %s %s, needs ABI %u.%u; provides %s\n", p->key,
         p->path ? p->path : "linked in", p->name, p->version, p->abi_major, p->abi_minor_needed,
         providers[0] ? providers : "nothing: other plugins replace all of it");
}

static void show_failed(examination *e, const sn_plugin_info *p) {
  e->failed++;
  if (e->j) {
    json_text(e->j, "reason", p->reason);
  } else {
    printf("NOT LOADED   %s: %s\n             %s: %s\n", p->key, p->path ? p->path : "",
           p->origin ? p->origin : "", p->reason);
  }
  show_path(e, p->path);
}

// Is it missing, or a library that it needs, and its line of [plugins] allows that?
static int is_allowed_to_miss(const sn_plugin_info *p) {
  return p->is_optional && (p->status == SN_EIO || p->status == SN_ENOTFOUND);
}

static void show_absent(const examination *e, const sn_plugin_info *p) {
  if (e->j) {
    json_text(e->j, "reason", p->reason);
    return;
  }
  printf("absent       %s: %s\n             %s: it is optional and left out: %s\n", p->key, p->path,
         p->origin, p->reason);
}

// Does it provide all that the plugin does?
static int provides_same(const examination *e, const char *key, const sn_engine *part) {
  sn_provider_info p = { .size = sizeof p }, q = { .size = sizeof q };
  int same = 1;
  for (int64_t i = 0; same && sn_engine_provider(e->engine, i, &p); i++) {
    if (strcmp(p.plugin, key) == 0) {
      same = 0;
      for (int64_t k = 0; !same && sn_engine_provider(part, k, &q); k++) {
        same = strcmp(p.kind, q.kind) == 0 && strcmp(p.name, q.name) == 0;
      }
    }
  }
  return same;
}

// Its part, of this path.
static sn_status try_part(const examination *e, const sn_plugin_info *p, const char *path,
                          char *reason, size_t capacity) {
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open("", error);
  sn_status status = engine ? sn_engine_load_plugin(engine, p->key, path, error)
                            : sn_error_code(error);
  if (status < 0) {
    snprintf(reason, capacity, "its part cannot be used: %s", sn_error_text(error));
    status = status == SN_EIO ? SN_EPLUGIN : status;   // one file of two is no absent plugin
  } else if (!provides_same(e, p->key, engine)) {
    status = SN_EPLUGIN;
    snprintf(reason, capacity,
             "its part cannot be used: it does not provide the same; install all files of the "
             "plugin again");
  }
  sn_engine_close(engine);
  sn_error_free(error);
  return status;
}

static void show_plugin(examination *e, const sn_plugin_info *of) {
  sn_plugin_info whole = *of;
  const sn_plugin_info *p = &whole;
  char path[PATH_MAX], reason[2048];
  const char *slash = of->path ? strrchr(of->path, '/') : NULL;
  if (!of->reason && of->part && slash) {
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - of->path), of->path, of->part);
    whole.status = try_part(e, of, path, reason, sizeof reason);
    if (whole.status < 0) {
      whole.path = path;
      whole.reason = reason;
    }
  }
  const int is_absent = p->reason && is_allowed_to_miss(p);
  if (e->j) {
    json_object(e->j, NULL);
    json_text(e->j, "name", p->key);
    json_text(e->j, "path", p->path);
    json_text(e->j, "origin", p->origin);
    json_bool(e->j, "loaded", !p->reason);
    json_bool(e->j, "absent", is_absent);
  }
  if (is_absent) {
    show_absent(e, p);
  } else if (p->reason) {
    show_failed(e, p);
  } else {
    show_loaded(e, p);
  }
  if (e->j) {
    json_end(e->j);
  }
}

// By its name in the configuration, its own name, or the name of what it provides.
static int is_wanted(const examination *e, const sn_plugin_info *p) {
  const char *word = e->only;
  sn_provider_info q = { .size = sizeof q };
  int wanted = !word || strcmp(p->key, word) == 0 || (p->name && strcmp(p->name, word) == 0);
  for (int64_t i = 0; !wanted && sn_engine_provider(e->engine, i, &q); i++) {
    wanted = strcmp(q.plugin, p->key) == 0 && strcmp(q.name, word) == 0;
  }
  return wanted;
}

// No plugin of the configuration is wanted: the nearest name of one.
static int unknown(const examination *e) {
  enum { MOST = 256 };
  const char *names[MOST];
  int n = 0;
  sn_plugin_info p = { .size = sizeof p };
  while (n < MOST && sn_engine_plugin(e->engine, n, &p)) {
    if (is_wanted(e, &p)) {
      return 0;
    }
    names[n++] = p.key;
  }
  char hint[SN_SUGGEST_TEXT];
  report_text(e->o, NULL, 0, 0, "the configuration has no plugin '%s'%s", e->only,
              sn_suggest_text(hint, sizeof hint, nearest_word(e->only, names, n),
                              "`sinew plugins doctor` shows all; " FILE_HINT));
  return 1;
}

// ------------------------------------------------------------------ the whole

static void show_overrides(const examination *e) {
  sn_config_info c = { .size = sizeof c };
  for (int64_t i = 0; !e->j && sn_engine_config(e->engine, i, &c); i++) {
    if (strcmp(c.section, "override") == 0) {
      printf("override     %s is that of plugin '%s' (%s)\n", c.key, c.value, c.origin);
    }
  }
}

// What loaded plugins provide of kinds that this engine does not know.
static void show_skipped(const examination *e) {
  sn_provider_info p = { .size = sizeof p };
  if (e->j) {
    json_list(e->j, "left_out");
  }
  for (int64_t i = 0; sn_engine_skipped(e->engine, i, &p); i++) {
    if (!e->j) {
      printf("left out     '%s' of plugin '%s': %s\n", p.name, p.plugin, p.summary);
      continue;
    }
    json_object(e->j, NULL);
    json_text(e->j, "name", p.name);
    json_text(e->j, "plugin", p.plugin);
    json_text(e->j, "reason", p.summary);
    json_end(e->j);
  }
  if (e->j) {
    json_end(e->j);
  }
}

static sn_status try_model(sn_engine *engine, sn_error *error) {
  sn_spec *spec = sn_spec_new(engine, error);
  sn_model *model = spec ? sn_compile(spec, error) : NULL;
  const sn_status status = model ? SN_OK : sn_error_code(error);
  sn_model_free(model);
  sn_spec_free(spec);
  return status;
}

static sn_status try_instances(sn_engine *engine, sn_error *error) {
  const void *ops, *self;
  sn_provider_info p = { .size = sizeof p };
  return sn_engine_provider(engine, 0, &p)
             ? sn_engine_use(engine, p.kind, p.name, &ops, &self, error)
             : SN_OK;
}

// The first use closes the registries: every name must exist, every instance is created.
static void try_use(examination *e, sn_engine *engine, int whole) {
  sn_error *error = sn_error_new();
  const sn_status status = whole ? try_model(engine, error) : try_instances(engine, error);
  e->failed += status < 0;
  if (e->j) {
    json_text(e->j, "model", status < 0 ? sn_error_text(error) : "ok");
  } else if (status < 0) {
    printf("FAILED       before the first model: %s\n", sn_error_text(error));
  }
  sn_error_free(error);
}

static void show_clash(examination *e) {
  e->failed++;
  if (e->j) {
    json_text(e->j, "clash", e->clash);
  } else {
    printf("CLASH        it cannot be loaded with this configuration: %s\n", e->clash);
  }
}

// rejected: a file that was not loaded; NULL: none. used: the engine whose instances are created;
// NULL: none is.
static int examine(examination *e, sn_engine *engine, const sn_plugin_info *rejected,
                   sn_engine *used, int whole) {
  json j;
  e->engine = engine;
  if (e->only && unknown(e)) {
    return FAILED;
  }
  e->j = e->o->json ? &j : NULL;
  if (e->j) {
    json_start(&j, stdout);
    json_list(&j, "plugins");
  }
  sn_plugin_info p = { .size = sizeof p };
  for (int64_t i = 0; sn_engine_plugin(engine, i, &p); i++) {
    if (is_wanted(e, &p)) {
      show_plugin(e, &p);
    }
  }
  if (rejected) {
    show_plugin(e, rejected);
  }
  if (e->j) {
    json_end(&j);
  }
  if (!e->only) {
    show_overrides(e);
    show_skipped(e);
  }
  if (e->clash) {
    show_clash(e);
  }
  if (used) {
    try_use(e, used, whole);
  }
  const int failed = e->failed > 0;
  if (e->j) {
    json_bool(&j, "ok", !failed);
    json_integer(&j, "loaded", e->loaded);
    json_integer(&j, "failed", e->failed);
    return json_finish(&j) && !failed ? DONE : FAILED;
  }
  printf("%d plugin%s loaded, %d failed; this engine has ABI %d.%d\n", e->loaded,
         e->loaded == 1 ? "" : "s", e->failed, SN_ABI_MAJOR, SN_ABI_MINOR);
  return failed ? FAILED : DONE;
}

// Why a file that loads alone cannot be loaded with the plugins of the configuration, as --plugin
// does: another one has its name, or provides the same. NULL: it can, or is one of them.
static const char *clash_of(sn_engine *configured, const char *name, const char *path,
                            sn_error *error) {
  int is_listed = 0;
  sn_plugin_info p = { .size = sizeof p };
  for (int64_t i = 0; sn_engine_plugin(configured, i, &p); i++) {
    is_listed |= p.path && strcmp(p.path, path) == 0;
  }
  return !is_listed && sn_engine_load_plugin(configured, name, path, error) < 0
             ? sn_error_text(error)
             : NULL;
}

// One file, in an engine with nothing else; then with the configuration.
static int examine_file(examination *e, const char *file, sn_error *error) {
  char path[PATH_MAX], name[64];
  sn_engine *engine = sn_engine_open("", error);
  if (!engine) {
    return report(e->o, error);
  }
  const char *absolute = realpath(file, path) ? path : file;
  plugin_name(file, name, sizeof name);
  sn_plugin_info rejected = { .key = name, .path = absolute, .origin = "command line" };
  rejected.status = sn_engine_load_plugin(engine, name, absolute, error);
  rejected.reason = rejected.status < 0 ? sn_error_text(error) : NULL;
  if (rejected.reason) {
    const int status = examine(e, engine, &rejected, NULL, 0);
    sn_engine_close(engine);
    return status;
  }
  // with its parameters, if the configuration sets them
  sn_engine *configured = session_engine(e->o, SN_ENGINE_TOLERANT, error);
  if (configured) {
    e->clash = clash_of(configured, name, absolute, error);
  } else {
    warn(e->o, "the plugin was not tried with a configuration: %s", sn_error_text(error));
  }
  sn_engine *used = e->clash ? NULL : configured ? configured : engine;
  const int status = examine(e, engine, NULL, used, 0);
  sn_engine_close(configured);
  sn_engine_close(engine);
  return status;
}

int doctor(const options *o) {
  examination e = { .o = o };
  if (o->noperand > 2) {
    return usage_error(o->command, "doctor takes at most one NAME or FILE.so");
  }
  sn_error *error = sn_error_new();
  int status;
  const char *word = o->noperand == 2 ? o->operand[1] : NULL;
  if (word && names_plugin_file(word)) {
    status = examine_file(&e, word, error);
  } else {
    e.only = word;
    options silent = *o;   // what the library warns of is part of the output
    silent.quiet = 1;
    session s = { .o = &silent,
                  .error = error,
                  .engine = session_engine(o, SN_ENGINE_TOLERANT, error) };
    status = s.engine ? session_prepare(&s) : report(o, error);
    status = status == DONE ? examine(&e, s.engine, NULL, s.engine, !word) : status;
    sn_engine_close(s.engine);
  }
  sn_error_free(error);
  return status;
}
