// SPDX-License-Identifier: Apache-2.0
//
// What --set NAME=VALUE can become: options of models, keys of the configuration, pairs of geom
// types, parameters of plugins, and their values.

#include <stdio.h>
#include <string.h>

#include "complete.h"
#include "sinew/collider.h"

// The value of a parameter: its choices, or else its default.
static void offer_choices(line *l, const char *head, const char *provider, size_t n,
                          const char *name) {
  sn_provider_info p = { .size = sizeof p };
  for (int64_t i = 0; engine_of(l) && sn_engine_provider(l->engine, i, &p); i++) {
    const sn_param *q = strlen(p.name) == n && strncmp(p.name, provider, n) == 0 ? p.params : NULL;
    for (; q && q->name; q++) {
      if (strcmp(q->name, name) != 0) {
        continue;
      }
      const char *from = q->type == SN_PARAM_BOOL ? "true|false" : q->choices ? q->choices : "";
      for (; *from; from += strcspn(from, "|"), from += *from == '|') {
        char choice[64];
        snprintf(choice, sizeof choice, "%.*s", (int)strcspn(from, "|"), from);
        offer(l, head, choice, NULL);
      }
      if (q->type != SN_PARAM_BOOL && !q->choices) {
        offer(l, head, q->default_value ? q->default_value : "", "default");
      }
    }
  }
}

static void offer_setting_values(line *l, const char *key, const char *head) {
  const char *dot = strrchr(key, '.'), *last = dot ? dot + 1 : key;
  if (strncmp(key, "plugin.", 7) == 0 && dot > key + 6) {
    const char *provider = dot;   // the last word but one: "plugin.solver.newton.iterations"
    while (provider[-1] != '.') {
      provider--;
    }
    offer_choices(l, head, provider, (size_t)(dot - provider), last);
    return;
  }
  const char *kind = kind_selected(last), *word;
  if (kind) {
    offer_some(l, head, kind, strcmp(last, "post_solver") == 0);
  }
  for (int64_t i = 0; !dot && (word = sn_option_choice(key, i)); i++) {
    offer(l, head, word, NULL);
  }
}

// Keys of the configuration; of a section that the word does not name in full, the section alone.
static void offer_configuration(line *l) {
  char last[128] = "";
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; engine_of(l) && sn_engine_config(l->engine, i, &info); i++) {
    char key[192];
    const int n = snprintf(key, sizeof key, "%s.", info.section);
    if (!info.section[0] || strcmp(info.section, "plugins") == 0) {
      continue;   // not for one call, or --plugin
    }
    const int is_selection = strcmp(info.section, "select") == 0;
    if (is_selection || strncmp(key, l->word, (size_t)n) == 0) {
      snprintf(key + (is_selection ? 0 : n), sizeof key - (size_t)n, "%s=", info.key);
      offer(l, "", key, NULL);
    } else if (strcmp(last, key) != 0) {
      offer(l, "", key, NULL);
    }
    snprintf(last, sizeof last, "%s.", info.section);
  }
}

// Pairs of geom types that a collider names, with a dash in the word: there are many.
static void offer_pairs(line *l) {
  sn_provider_info p = { .size = sizeof p };
  for (int64_t i = 0; engine_of(l) && sn_engine_provider(l->engine, i, &p); i++) {
    const int is_collider = strcmp(p.kind, SN_KIND_COLLIDER) == 0;
    const sn_collider_pair *pair = is_collider ? ((const sn_collider_ops *)p.ops)->pairs : NULL;
    for (; pair && pair->first; pair++) {
      char key[96];
      snprintf(key, sizeof key, "%s-%s=", pair->first, pair->second);
      offer(l, "", key, p.name);
    }
  }
}

void offer_settings(line *l) {
  const char *equals = strchr(l->word, '='), *name;
  if (equals) {
    char key[128], head[192];
    snprintf(key, sizeof key, "%.*s", (int)(equals - l->word), l->word);
    snprintf(head, sizeof head, "%s=", key);
    offer_setting_values(l, key, head);
    return;
  }
  for (int64_t i = 0; l->c->takes_model && (name = sn_option_name(i)); i++) {
    char key[80];
    snprintf(key, sizeof key, "%s=", name);
    if (!kind_selected(name)) {
      offer(l, "", key, NULL);
    }
  }
  if (strchr(l->word, '-')) {
    offer_pairs(l);
  }
  offer_configuration(l);
}
