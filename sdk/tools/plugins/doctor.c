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
//
// Code of a plugin may end the process or never return. So each is first tried in a process of its
// own, trial.h. If one fails there, the others are shown without the configuration, and no model is
// tried. Plugins are checked as with --check-plugins, loading as well.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins.h"
#include "sinew/suggest.h"
#include "tools/command.h"
#include "tools/json/json.h"
#include "trial.h"

enum { HOW = SN_ENGINE_TOLERANT | SN_ENGINE_CHECKING };
enum { LONGEST = 60 };   // s, for one plugin; loading and creating one takes less than 1 s

// A plugin of the configuration, and what ended its trial; "": nothing.
typedef struct tried {
  sn_plugin_info info;
  char why[160];
  char reason[1024];   // why it was not loaded after its trial
} tried;

typedef struct examination {
  const options *o;
  const char *only;   // the plugin of this name, or that provides this; NULL: all
  const sn_engine *engine;
  json *j;   // NULL: text
  const char *clash;   // of the one file with the configuration; NULL: none
  const char *ended;   // what ended the trial of all together; NULL: nothing
  const tried *row;    // the plugins, where one failed in its trial; NULL: those of the engine
  int64_t nrow;
  int loaded, failed;
} examination;

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
  show_rights(e->j, p->path);
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

// An engine with nothing, which checks.
static sn_engine *empty_engine(sn_error *error) {
  sn_engine *engine = sn_engine_open("", error);
  if (engine && sn_engine_set(engine, "check_plugins", "yes", error) < 0) {
    sn_engine_close(engine);
    return NULL;
  }
  return engine;
}

// Its part, of this path.
static sn_status try_part(const examination *e, const sn_plugin_info *p, const char *path,
                          char *reason, size_t capacity) {
  sn_error *error = sn_error_new();
  sn_engine *engine = empty_engine(error);
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

// The path of its part. 0: it has none.
static int part_path(const sn_plugin_info *p, char *out, size_t capacity) {
  const char *slash = p->path ? strrchr(p->path, '/') : NULL;
  if (p->reason || !p->part || !slash) {
    return 0;
  }
  snprintf(out, capacity, "%.*s/%s", (int)(slash - p->path), p->path, p->part);
  return 1;
}

static void show_plugin(examination *e, const sn_plugin_info *of) {
  sn_plugin_info whole = *of;
  const sn_plugin_info *p = &whole;
  char path[PATH_MAX], reason[2048];
  if (part_path(of, path, sizeof path)) {
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

static int plugin_at(const examination *e, int64_t i, sn_plugin_info *p) {
  if (!e->row) {
    return sn_engine_plugin(e->engine, i, p);
  }
  if (i < e->nrow) {
    *p = e->row[i].info;
  }
  return i < e->nrow;
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
  while (n < MOST && plugin_at(e, n, &p)) {
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

static void show_ended(examination *e) {
  e->failed++;
  if (e->j) {
    json_text(e->j, "model", e->ended);
  } else {
    printf("FAILED       before the first model: %s\n", e->ended);
  }
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
  for (int64_t i = 0; plugin_at(e, i, &p); i++) {
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
  if (e->ended) {
    show_ended(e);
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

// ------------------------------------------------------------------ trials

// What is known of a plugin that was loaded under this name.
static int find_loaded(const sn_engine *engine, const char *key, sn_plugin_info *p) {
  int64_t i = 0;
  while (sn_engine_plugin(engine, i, p) && strcmp(p->key, key) != 0) {
    i++;
  }
  return sn_engine_plugin(engine, i, p);
}

// Whether it fails is found later; here, whether it returns.
static void try_plugin(void *context, trial_stage *stage) {
  const sn_plugin_info *listed = context;
  sn_plugin_info p = { .size = sizeof p };
  char path[PATH_MAX], reason[2048];
  *stage = "the preparation";
  sn_engine *engine = empty_engine(NULL);
  *stage = "its loading or 'init'";
  if (!engine || sn_engine_load_plugin(engine, listed->key, listed->path, NULL) < 0) {
    return;
  }
  *stage = "the loading of its part";
  if (find_loaded(engine, listed->key, &p) && part_path(&p, path, sizeof path)) {
    try_part(&(examination){ .engine = engine }, &p, path, reason, sizeof reason);
  }
  *stage = "its 'create'";
  try_instances(engine, NULL);
  *stage = "its 'destroy' or 'fini'";
  sn_engine_close(engine);
}

static int try_listed(const sn_engine *listed, const sn_plugin_info *p, char *why, size_t n) {
  return !p->path || try_apart(try_plugin, (void *)(uintptr_t)p,
                               fmin(LONGEST, sn_engine_limit(listed, "time")), why, n);
}

// The same for all of a configuration. *nfailed: how many did not return. NULL: they cannot be
// listed, or there are none; the reason comes when the configuration is opened.
static tried *try_configured(const sn_engine *listed, int64_t *n, int *nfailed) {
  sn_plugin_info p = { .size = sizeof p };
  *n = *nfailed = 0;
  while (listed && sn_engine_plugin(listed, *n, &p)) {
    ++*n;
  }
  tried *all = *n > 0 ? calloc((size_t)*n, sizeof *all) : NULL;
  for (int64_t i = 0; all && i < *n; i++) {
    all[i].info.size = sizeof all[i].info;
    sn_engine_plugin(listed, i, &all[i].info);
    *nfailed += !try_listed(listed, &all[i].info, all[i].why, sizeof all[i].why);
  }
  return all;
}

// Those that returned are loaded into an engine of their own.
static int examine_tried(examination *e, tried *all, int64_t n, sn_error *error) {
  sn_engine *engine = empty_engine(error);
  if (!engine) {
    return report(e->o, error);
  }
  for (int64_t i = 0; i < n; i++) {
    tried *t = &all[i];
    const sn_plugin_info listed = t->info;
    sn_status status = SN_EPLUGIN;
    if (t->why[0]) {
      snprintf(t->reason, sizeof t->reason, "%s; do not load this plugin", t->why);
    } else {
      status = sn_engine_load_plugin(engine, listed.key, listed.path, error);
      snprintf(t->reason, sizeof t->reason, "%s", status < 0 ? sn_error_text(error) : "");
    }
    if (status >= 0) {
      find_loaded(engine, listed.key, &t->info);
    }
    t->info.origin = listed.origin;
    t->info.is_optional = listed.is_optional;
    t->info.status = status;
    t->info.reason = status < 0 ? t->reason : NULL;
  }
  e->row = all;
  e->nrow = n;
  const int status = examine(e, engine, NULL, NULL, 0);
  sn_engine_close(engine);
  return status;
}

// All of the configuration and of the command line, with its parameters.
static void try_together(void *context, trial_stage *stage) {
  const options *o = context;
  sn_error *error = sn_error_new();
  *stage = "the loading of all plugins together";
  session s = { .o = o, .error = error, .engine = session_engine(o, HOW, error) };
  if (!s.engine || session_prepare(&s) != DONE) {
    return;
  }
  *stage = "a 'create' with the parameters of the configuration";
  try_model(s.engine, error);
  *stage = "a 'destroy' or 'fini'";
  sn_engine_close(s.engine);
}

static sn_engine *list_configured(const options *o) {
  const sn_engine_request request = { .size = sizeof request,
                                      .config = o->config,
                                      .profile = o->profile };
  return engine_without_plugins(&request);
}

// ------------------------------------------------------------------ a file, or the configuration

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

// The engine of the configuration. NULL: it cannot be opened, or a plugin of it ended its trial.
static sn_engine *configured_engine(const examination *e, sn_error *error) {
  int64_t n;
  int nfailed;
  sn_engine *listed = list_configured(e->o), *engine = NULL;
  free(try_configured(listed, &n, &nfailed));
  sn_engine_close(listed);
  if (nfailed > 0) {
    warn(e->o, "the plugin was not tried with a configuration: `sinew plugins doctor` shows which "
               "plugins of the configuration end the process or do not return");
  } else if (!(engine = session_engine(e->o, HOW, error))) {
    warn(e->o, "the plugin was not tried with a configuration: %s", sn_error_text(error));
  }
  return engine;
}

// One file, in an engine with nothing else; then with the configuration.
static int examine_file(examination *e, const char *file, sn_error *error) {
  char path[PATH_MAX], name[64], why[160], reason[256];
  sn_engine *engine = empty_engine(error);
  if (!engine) {
    return report(e->o, error);
  }
  const char *absolute = realpath(file, path) ? path : file;
  plugin_name(file, name, sizeof name);
  sn_plugin_info rejected = { .key = name, .path = absolute, .origin = "command line" };
  if (try_listed(engine, &rejected, why, sizeof why)) {
    rejected.status = sn_engine_load_plugin(engine, name, absolute, error);
    rejected.reason = rejected.status < 0 ? sn_error_text(error) : NULL;
  } else {
    rejected.status = SN_EPLUGIN;
    snprintf(reason, sizeof reason, "%s; do not load this plugin", why);
    rejected.reason = reason;
  }
  if (rejected.reason) {
    const int status = examine(e, engine, &rejected, NULL, 0);
    sn_engine_close(engine);
    return status;
  }
  // with its parameters, if the configuration sets them
  sn_engine *configured = configured_engine(e, error);
  e->clash = configured ? clash_of(configured, name, absolute, error) : NULL;
  sn_engine *used = e->clash ? NULL : configured ? configured : engine;
  const int status = examine(e, engine, NULL, used, 0);
  sn_engine_close(configured);
  sn_engine_close(engine);
  return status;
}

static int examine_configuration(examination *e, int whole, sn_error *error) {
  options silent = *e->o;   // what the library warns of is part of the output
  silent.quiet = 1;
  session s = { .o = &silent, .error = error, .engine = session_engine(e->o, HOW, error) };
  int status = s.engine ? session_prepare(&s) : report(e->o, error);
  status = status == DONE ? examine(e, s.engine, NULL, s.engine, whole) : status;
  sn_engine_close(s.engine);
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
    int64_t n;
    int nfailed;
    sn_engine *listed = list_configured(o);
    tried *all = try_configured(listed, &n, &nfailed);
    char why[160];
    const int together = nfailed > 0 || !listed ||
                         try_apart(try_together, (void *)(uintptr_t)o,
                                   fmin(LONGEST, sn_engine_limit(listed, "time")), why, sizeof why);
    e.ended = together ? NULL : why;
    status = nfailed > 0 || !together ? examine_tried(&e, all, n, error)
                                      : examine_configuration(&e, !word, error);
    free(all);
    sn_engine_close(listed);
  }
  sn_error_free(error);
  return status;
}
