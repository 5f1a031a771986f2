// SPDX-License-Identifier: Apache-2.0
//
// What `sinew plugins inspect` says of a collider: the pairs of types that it supports, and those
// that the configuration has it compute.

#include "sinew/collider.h"

#include <stdio.h>
#include <string.h>

#include "plugins.h"
#include "tools/json/json.h"

// Calls `each` for the pairs that a collider supports, or for those that it computes.
typedef void each_pair(void *context, const char *pair);

static void supported(const sn_provider_info *p, each_pair *each, void *context) {
  for (const sn_collider_pair *q = ((const sn_collider_ops *)p->ops)->pairs; q->first; q++) {
    char pair[64];
    snprintf(pair, sizeof pair, "%s-%s", q->first, q->second);
    each(context, pair);
  }
}

static void computed(const sn_engine *engine, const sn_provider_info *p, each_pair *each,
                     void *context) {
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(engine, i, &info); i++) {
    if (strcmp(info.section, "collision") == 0 && strcmp(info.value, p->name) == 0) {
      each(context, info.key);
    }
  }
}

// ------------------------------------------------------------------ as text

typedef struct pair_list {
  char text[2048];
  size_t n;
} pair_list;

static void append(void *context, const char *pair) {
  pair_list *list = context;
  const size_t room = sizeof list->text - list->n;
  const int n = snprintf(list->text + list->n, room, "%s%s", list->n ? ", " : "", pair);
  list->n += (size_t)n < room ? (size_t)n : 0;
}

static void print_list(const char *title, const pair_list *list, const char *none) {
  enum { START = 11, END = 100 };
  print_wrapped(printf("  %-8s ", title), START, END, list->n ? list->text : none);
}

void collider_text(const sn_engine *engine, const sn_provider_info *p) {
  pair_list supports = { .n = 0 }, used = { .n = 0 };
  supported(p, append, &supports);
  computed(engine, p, append, &used);
  print_list("supports", &supports, "no pair of geom types");
  print_list("used for", &used, "no pair; select it in [collision] of the configuration");
}

// ------------------------------------------------------------------ as JSON

static void put(void *context, const char *pair) {
  json_text(context, NULL, pair);
}

void collider_json(const sn_engine *engine, const sn_provider_info *p, json *j) {
  json_list(j, "supports");
  supported(p, put, j);
  json_end(j);
  json_list(j, "used_for");
  computed(engine, p, put, j);
  json_end(j);
}
