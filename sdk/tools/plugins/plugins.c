// SPDX-License-Identifier: Apache-2.0
//
// sinew plugins: what is loaded (list) and what one implementation takes (inspect).

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins.h"
#include "sinew/actuator.h"
#include "sinew/collider.h"
#include "sinew/constraint.h"
#include "sinew/contact.h"
#include "sinew/controller.h"
#include "sinew/passive.h"
#include "sinew/renderer.h"
#include "sinew/resource.h"
#include "sinew/sensor.h"
#include "sinew/shape.h"
#include "sinew/suggest.h"
#include "tools/command.h"
#include "tools/json/json.h"

static const char *or_empty(const char *text) {
  return text ? text : "";
}

void plugin_name(const char *path, char *out, size_t capacity) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t n = strlen(name);
  n = n > 3 && strcmp(name + n - 3, ".so") == 0 ? n - 3 : n;
  snprintf(out, capacity, "%.*s", (int)n, name);
}

// ------------------------------------------------------------------ list

static void provider_json(json *j, const sn_provider_info *p) {
  json_text(j, "kind", p->kind);
  json_text(j, "name", p->name);
  json_text(j, "summary", p->summary);
  json_text(j, "plugin", p->plugin);
  json_text(j, "version", p->version);
  json_text(j, "license", p->license);
  json_text(j, "path", p->path);
}

static void provider_text(const options *o, const sn_provider_info *p) {
  enum { START = 61, END = 100 };
  char plugin[40];
  snprintf(plugin, sizeof plugin, "%s %s", or_empty(p->plugin), or_empty(p->version));
  const int column = printf("%-22s %-18s %-18s ", or_empty(p->kind), or_empty(p->name), plugin);
  print_wrapped(column, START, END, or_empty(p->summary));
  if (o->verbose) {
    printf("%*s%s\n", START, "", p->path ? p->path : "linked in");
  }
}

static int list(const session *s) {
  if (s->o->markdown) {
    plugin_list(s->engine);
    return DONE;
  }
  sn_provider_info p = { .size = sizeof p };
  if (s->o->json) {
    json j;
    json_start(&j, stdout);
    json_bool(&j, "ok", 1);
    json_list(&j, "plugins");
    for (int64_t i = 0; sn_engine_provider(s->engine, i, &p); i++) {
      json_object(&j, NULL);
      provider_json(&j, &p);
      json_end(&j);
    }
    json_end(&j);
    json_list(&j, "left_out");
    for (int64_t i = 0; sn_engine_skipped(s->engine, i, &p); i++) {
      json_object(&j, NULL);
      provider_json(&j, &p);
      json_end(&j);
    }
    json_end(&j);
    return json_finish(&j) ? DONE : FAILED;
  }
  printf("%s%-22s %-18s %-18s %s%s\n", styled(stdout, BOLD), "kind", "name", "plugin", "summary",
         styled(stdout, PLAIN));
  for (int64_t i = 0; sn_engine_provider(s->engine, i, &p); i++) {
    provider_text(s->o, &p);
  }
  for (int64_t i = 0; sn_engine_skipped(s->engine, i, &p); i++) {
    provider_text(s->o, &p);
  }
  return DONE;
}

// ------------------------------------------------------------------ inspect

static const char *type_word(int32_t type) {
  static const char *const words[] = { "?",    "integer", "real",     "boolean",
                                       "text", "reals",   "reference" };
  return words[type >= SN_PARAM_INT && type < SN_NPARAMTYPES ? type : 0];
}

// The value in effect of a parameter of a provider, as `sinew config` prints it.
static const char *value_of(const sn_engine *engine, const sn_provider_info *p, const sn_param *q) {
  const char *value = or_empty(q->default_value);
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(engine, i, &info); i++) {
    const char *name = strrchr(info.section, '.');
    if (strncmp(info.section, "plugin.", 7) == 0 && strcmp(name + 1, p->name) == 0 &&
        strcmp(info.key, q->name) == 0) {
      value = or_empty(info.value);
    }
  }
  return value;
}

static void param_json(json *j, const sn_param *q) {
  json_object(j, NULL);
  json_text(j, "name", q->name);
  json_text(j, "type", type_word(q->type));
  json_text(j, "default", q->default_value);
  if (q->min < q->max) {
    json_real(j, "min", q->min);
    json_real(j, "max", q->max);
  }
  if (q->choices) {
    json_text(j, "choices", q->choices);
  }
  json_text(j, "meaning", q->summary);
  json_end(j);
}

// value: in effect; the default is printed too where it is another one.
static void param_text(const sn_param *q, const char *value) {
  enum { START = 48, END = 100 };
  int column = printf("  %-22s = %-10s %-8s  ", q->name, value, type_word(q->type));
  if (q->default_value && strcmp(value, q->default_value) != 0) {
    column += printf("default %s  ", *q->default_value ? q->default_value : "empty");
  }
  if (q->min < q->max) {
    column += printf("%g .. %g  ", q->min, q->max);
  }
  if (q->choices) {
    column += printf("%s  ", q->choices);
  }
  print_wrapped(column, START, END, or_empty(q->summary));
}

int is_selected(const sn_provider_info *p, const char *word) {
  return strcmp(or_empty(p->name), word) == 0 || strcmp(or_empty(p->plugin), word) == 0;
}

static const char load_more[] =
    "`sinew plugins list` lists those that are loaded; --plugin FILE.so or "
    "--config FILE.ini loads more";

int unknown_plugin(const session *s, const char *word, const char *otherwise) {
  enum { MOST = 256 };
  const char *names[MOST];
  int n = 0;
  sn_provider_info p = { .size = sizeof p };
  for (int64_t i = 0; n < MOST && sn_engine_provider(s->engine, i, &p); i++) {
    names[n++] = or_empty(p.name);
  }
  char hint[SN_SUGGEST_TEXT];
  const char *near = nearest_word(word, names, n);
  return report_text(s->o, NULL, 0, 0, "there is no plugin, kind or provider '%s'%s", word,
                     sn_suggest_text(hint, sizeof hint, near, otherwise));
}

static int is_kind(const sn_provider_info *p, const char *kind) {
  return strcmp(p->kind, kind) == 0;
}

// The attributes that a model can set for an element of the provider; NULL: none.
const sn_param *attributes_of(const sn_provider_info *p) {
  return is_kind(p, SN_KIND_SENSOR)       ? ((const sn_sensor_ops *)p->ops)->attributes
         : is_kind(p, SN_KIND_PASSIVE)    ? ((const sn_passive_ops *)p->ops)->attributes
         : is_kind(p, SN_KIND_CONTACT)    ? ((const sn_contact_ops *)p->ops)->attributes
         : is_kind(p, SN_KIND_CONSTRAINT) ? ((const sn_constraint_ops *)p->ops)->attributes
         : is_kind(p, SN_KIND_CONTROLLER) ? ((const sn_controller_ops *)p->ops)->attributes
         : is_kind(p, SN_KIND_SHAPE)      ? ((const sn_shape_ops *)p->ops)->attributes
         : is_kind(p, SN_KIND_DYNAMICS)   ? ((const sn_dynamics_ops *)p->ops)->attributes
         : is_kind(p, SN_KIND_GAIN) || is_kind(p, SN_KIND_BIAS)
             ? ((const sn_force_ops *)p->ops)->attributes
             : NULL;
}

// Those of an actuator that are numbers of its parameter row; NULL: none.
const sn_param *numbers_of(const sn_provider_info *p) {
  return is_kind(p, SN_KIND_DYNAMICS) ? ((const sn_dynamics_ops *)p->ops)->numbers
         : is_kind(p, SN_KIND_GAIN) || is_kind(p, SN_KIND_BIAS)
             ? ((const sn_force_ops *)p->ops)->numbers
             : NULL;
}

static void attributes_text(const sn_param *q) {
  for (; q && q->name; q++) {
    param_text(q, q->default_value ? q->default_value : "(required)");
  }
}

static void params_json(json *j, const sn_param *q) {
  for (; q && q->name; q++) {
    param_json(j, q);
  }
}

static void put_sensor(const sn_sensor_ops *ops, char *out, size_t capacity) {
  static const char *const stages[] = { "none", "position", "velocity", "acceleration" };
  static const char *const data[] = { "real", "positive", "axis", "quaternion" };
  char values[64] = "as many values as the model specifies";
  if (ops->dim == 0 && ops->sizes) {
    snprintf(values, sizeof values, "as many values as its attributes specify");
  } else if (ops->dim > 0) {
    snprintf(values, sizeof values, "%d value%s, %s", ops->dim, ops->dim > 1 ? "s" : "",
             data[ops->datatype & 3]);
  }
  snprintf(out, capacity, "%s; stage %s; of %s%s%s", values, stages[ops->stage & 3],
           ops->objects[0] ? ops->objects : "the simulation",
           ops->references[0] ? "; relative to " : "", ops->references);
}

void put_nature(const sn_provider_info *p, char *out, size_t capacity) {
  const char *accepted = "";
  out[0] = '\0';
  if (strcmp(p->kind, SN_KIND_SENSOR) == 0) {
    put_sensor(p->ops, out, capacity);
    return;
  }
  if (strcmp(p->kind, SN_KIND_PASSIVE) == 0) {
    const sn_passive_ops *ops = p->ops;
    snprintf(out, capacity, "%s%s",
             ops->head.flags & SN_PASSIVE_NAMED ? "acts in models that name it, <force type=/>"
                                                : "acts in every model to which it applies",
             ops->derivative ? "; has a derivative with respect to velocity" : "");
    return;
  }
  if (strcmp(p->kind, SN_KIND_CONTACT) == 0) {
    const sn_contact_ops *ops = p->ops;
    snprintf(out, capacity, "acts %s",
             ops->head.flags & SN_CONTACT_NAMED ? "where a model names it, <contact type=/>"
                                                : "on every model that has something for it");
    return;
  }
  if (strcmp(p->kind, SN_KIND_CONTROLLER) == 0) {
    const sn_controller_ops *ops = p->ops;
    snprintf(out, capacity, "acts %s",
             ops->head.flags & SN_CONTROLLER_NAMED ? "where a model names it, <controller type=/>"
                                                   : "on every model that has something for it");
    return;
  }
  if (strcmp(p->kind, SN_KIND_RESOURCE) == 0) {
    const sn_resource_ops *ops = p->ops;
    snprintf(out, capacity, "%s%s%s%s", ops->prefixes[0] ? "names that begin with " : "",
             ops->prefixes, ops->prefixes[0] && ops->probe ? "; " : "",
             ops->probe ? "files in archives" : "");
    return;
  }
  if (strcmp(p->kind, SN_KIND_RENDERER) == 0) {
    const sn_renderer_ops *ops = p->ops;
    snprintf(out, capacity, "%s%s%s%s", ops->render ? "pixels" : "",
             ops->draw ? "; in windows" : "", ops->write ? "; files " : "",
             ops->write ? ops->extensions : "");
    return;
  }
  if (strcmp(p->kind, SN_KIND_DYNAMICS) == 0) {
    accepted = ((const sn_dynamics_ops *)p->ops)->transmissions;
  } else if (strcmp(p->kind, SN_KIND_GAIN) == 0 || strcmp(p->kind, SN_KIND_BIAS) == 0) {
    accepted = ((const sn_force_ops *)p->ops)->transmissions;
  }
  if (accepted[0]) {
    snprintf(out, capacity, "transmissions: %s", accepted);
  }
}

static void inspect_text(const sn_engine *engine, const sn_provider_info *p) {
  char nature[256];
  put_nature(p, nature, sizeof nature);
  printf("%s  %s\n  %s\n%s%s%s  plugin %s %s, %s\n  %s\n", p->name, p->kind, or_empty(p->summary),
         nature[0] ? "  " : "", nature, nature[0] ? "\n" : "", or_empty(p->plugin),
         or_empty(p->version), or_empty(p->license), p->path ? p->path : "linked in");
  if (is_kind(p, SN_KIND_COLLIDER)) {
    collider_text(engine, p);
  }
  puts(p->params && p->params->name ? "parameters, to be set in its section of the configuration:"
                                    : "no parameters");
  for (const sn_param *q = p->params; q && q->name; q++) {
    param_text(q, value_of(engine, p, q));
  }
  if (attributes_of(p) || numbers_of(p)) {
    puts("attributes, to be set in a model with <config key= value=/>:");
    attributes_text(numbers_of(p));
    attributes_text(attributes_of(p));
  }
}

// word: a name of a provider or a plugin.
static int inspect(const session *s, const char *word) {
  if (s->o->markdown) {
    return plugin_page(s->engine, word) ? DONE : unknown_plugin(s, word, load_more);
  }
  sn_provider_info p = { .size = sizeof p };
  int found = 0;
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_list(&j, "plugins");
  for (int64_t i = 0; sn_engine_provider(s->engine, i, &p); i++) {
    if (!is_selected(&p, word)) {
      continue;
    }
    if (!s->o->json) {
      inspect_text(s->engine, &p);
    }
    found = 1;
    json_object(&j, NULL);
    provider_json(&j, &p);
    if (is_kind(&p, SN_KIND_COLLIDER)) {
      collider_json(s->engine, &p, &j);
    }
    json_list(&j, "parameters");
    params_json(&j, p.params);
    json_end(&j);
    json_list(&j, "attributes");
    params_json(&j, numbers_of(&p));
    params_json(&j, attributes_of(&p));
    json_end(&j);
    json_end(&j);
  }
  if (!found) {
    return unknown_plugin(s, word, load_more);
  }
  return !s->o->json || json_finish(&j) ? DONE : FAILED;
}

// FILE.so is loaded, unless the configuration has loaded it.
static int inspect_file(const options *o) {
  char name[64], path[PATH_MAX];
  const char *file = realpath(o->operand[1], path) ? path : o->operand[1];
  session s;
  int status = session_open(&s, o);
  sn_plugin_info info = { .size = sizeof info };
  plugin_name(file, name, sizeof name);
  for (int64_t i = 0; status == DONE && sn_engine_plugin(s.engine, i, &info); i++) {
    if (info.path && strcmp(info.path, file) == 0) {
      status = inspect(&s, info.key);
      session_close(&s);
      return status;
    }
  }
  if (status == DONE && sn_engine_load_plugin(s.engine, name, file, s.error) < 0) {
    status = report(o, s.error);
  }
  status = status == DONE ? inspect(&s, name) : status;
  session_close(&s);
  return status;
}

// ------------------------------------------------------------------ the subcommand

// An action whose operands are judged by itself, without the session of this file.
static const struct {
  const char *name;
  int (*run)(const options *o);
} actions[] = { { "check", check_plugins }, { "new", new_plugin }, { "doctor", doctor } };

static int plugins(const options *o) {
  const char *what = o->operand[0], *word = o->noperand > 1 ? o->operand[1] : NULL;
  if (o->sample && strcmp(what, "check") != 0) {
    return usage_error(o->command, "--sample belongs to plugins check");
  }
  if (o->language && strcmp(what, "new") != 0) {
    return usage_error(o->command, "--language belongs to plugins new KIND NAME");
  }
  for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
    if (strcmp(what, actions[i].name) == 0) {
      return actions[i].run(o);
    }
  }
  int is_list = strcmp(what, "list") == 0, is_inspect = strcmp(what, "inspect") == 0;
  if (!is_list && !is_inspect) {
    return usage_error(o->command,
                       "the first argument must be list, inspect, check, doctor or new, not '%s'",
                       what);
  }
  if ((is_list && word) || (is_inspect && !word) || o->noperand > 2) {
    return usage_error(o->command, is_list ? "list takes no argument" : "inspect takes a NAME");
  }
  if (is_inspect && names_plugin_file(word)) {
    return inspect_file(o);
  }
  session s;
  int status = session_open(&s, o);
  if (status == DONE) {
    status = is_list ? list(&s) : inspect(&s, word);
  }
  session_close(&s);
  return status;
}

const command plugins_command = {
  .name = "plugins",
  .operands =
      "list | inspect [NAME | FILE.so] | check [NAME | FILE.so] | doctor [NAME | FILE.so] | "
      "new KIND NAME [FOLDER]",
  .summary = "lists, describes, tests and creates plugins",
  .accepts = "json markdown sample language",
  .story =
      "list shows what is loaded, with --verbose also the files.\n"
      "check tests the requirements of each kind: that the result of a solver is optimal,\n"
      "that contact points move with the shapes, that an integrator has its declared order. It\n"
      "loads the plugin as a simulation does, after the same checks of its file, and runs its\n"
      "code, each provider in a process of its own. Ctrl-C ends it with the findings so far.\n"
      "With --quiet it prints only what failed, and the last line. With --sample FILE the loader\n"
      "NAME, or each loader that recognizes the file, must read it, and gets damaged copies.\n"
      "doctor says for each configured plugin, for one of them, or for a file, whether it loads,\n"
      "and if not, why and what to do.\n"
      "new writes a folder with a small plugin of that kind, which builds with make or CMake,\n"
      "passes the check and runs. It is in C, or with --language c++ in C++. FOLDER is NAME if it\n"
      "is not given.\n",
  .examples = "sinew plugins list\n"
              "sinew plugins inspect newton\n"
              "sinew plugins check newton\n"
              "sinew plugins doctor\n"
              "sinew plugins doctor newton\n"
              "sinew plugins new solver my_solver\n"
              "sinew plugins new sensor my_sensor --language c++\n",
  .min = 1,
  .max = 4,
  .run = plugins,
};
