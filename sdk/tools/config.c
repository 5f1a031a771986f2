// SPDX-License-Identifier: Apache-2.0
//
// sinew config: every effective value of the configuration, and where it came from.

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "tools/json/json.h"

// The functions of the library have options of the command.
static const char *origin_of(const sn_config_info *info) {
  const char *origin = info->origin ? info->origin : "";
  return strcmp(origin, "sn_engine_load_plugin") == 0                               ? "--plugin"
         : strcmp(origin, "sn_engine_set") == 0 || strcmp(origin, "sn_select") == 0 ? "--set"

                                                                                    : origin;
}

static int print_json(const session *s) {
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_list(&j, "layers");
  sn_layer_info layer = { .size = sizeof layer };
  for (int64_t i = 0; sn_engine_layer(s->engine, i, &layer); i++) {
    json_object(&j, NULL);
    json_text(&j, "name", layer.name);
    json_text(&j, "path", layer.path);
    json_end(&j);
  }
  json_end(&j);
  json_list(&j, "config");
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(s->engine, i, &info); i++) {
    json_object(&j, NULL);
    json_text(&j, "section", info.section);
    json_text(&j, "key", info.key);
    json_text(&j, "value", info.value);
    json_text(&j, "origin", origin_of(&info));
    json_end(&j);
  }
  json_end(&j);
  return json_finish(&j) ? DONE : FAILED;
}

static int print_text(const session *s) {
  char section[128] = "";
  sn_config_info info = { .size = sizeof info };
  sn_layer_info layer = { .size = sizeof layer };
  for (int64_t i = 0; sn_engine_layer(s->engine, i, &layer); i++) {
    printf("; %-9s  %s\n", layer.name, layer.path);
  }
  puts("root = true");
  for (int64_t i = 0; sn_engine_config(s->engine, i, &info); i++) {
    if (strncmp(section, info.section, sizeof section - 1) != 0) {
      printf("\n[%s]\n", info.section);
      snprintf(section, sizeof section, "%s", info.section);
    }
    // what has no value of its own is a comment, so that the whole can be read as an ini
    const char *value = info.value ? info.value : "";
    const char *none = *value == '\0' || *value == '(' ? "; " : "";
    printf("%s%-20s = %-36s ; %s\n", none, info.key, value, origin_of(&info));
  }
  return DONE;
}

// Selections of providers that do not exist, or do not support what they are selected for, are
// errors of the first model: here an empty one is made to find them.
static int check_selections(const session *s) {
  sn_spec *spec = sn_spec_new(s->engine, s->error);
  sn_model *m = spec ? sn_compile(spec, s->error) : NULL;
  int status = m ? DONE : report(s->o, s->error);
  sn_model_free(m);
  sn_spec_free(spec);
  return status;
}

static int config(const options *o) {
  session s;
  int status = session_open(&s, o);
  if (status == DONE) {
    status = check_selections(&s);
  }
  if (status == DONE) {
    status = o->json ? print_json(&s) : print_text(&s);
  }
  session_close(&s);
  return status;
}

const command config_command = {
  .name = "config",
  .operands = "",
  .summary = "prints every effective setting and its origin",
  .accepts = "json",
  .story =
      "First the files in use, the one with the lowest priority first, then the values in the\n"
      "form of an ini, each with its origin.\n",
  .examples = "sinew config --profile mujoco-2.2 --set solver=newton\n",
  .min = 0,
  .max = 0,
  .run = config,
};
