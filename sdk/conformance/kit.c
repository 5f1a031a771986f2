// SPDX-License-Identifier: Apache-2.0
//
// What the judges of all kinds share: an instance with default parameters, scratch memory, random
// numbers, findings; and the laws of every operations table.

#include "kit.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *kind;
  void (*judge)(kit *k);
} judges[] = {
  { SN_KIND_SOLVER, kit_solver },         { SN_KIND_COLLIDER, kit_collider },
  { SN_KIND_INTEGRATOR, kit_integrator }, { SN_KIND_EXECUTOR, kit_executor },
  { SN_KIND_LOADER, kit_loader },
};
enum { NJUDGES = sizeof judges / sizeof judges[0] };

// ------------------------------------------------------------------ findings

static void say(kit *k, const char *law, int verdict, const char *format, va_list list) {
  char detail[256];
  vsnprintf(detail, sizeof detail, format, list);
  k->broken += verdict == KIT_BROKEN;
  k->report(k->context, law, verdict, detail);
}

void kit_say(kit *k, const char *law, int verdict, const char *format, ...) {
  va_list list;
  va_start(list, format);
  say(k, law, verdict, format, list);
  va_end(list);
}

void kit_law(kit *k, const char *law, int kept, const char *format, ...) {
  va_list list;
  va_start(list, format);
  say(k, law, kept ? KIT_KEPT : KIT_BROKEN, format, list);
  va_end(list);
}

// ------------------------------------------------------------------ random numbers

// splitmix64, Steele, Lea, Flood 2014
double kit_random(kit *k) {
  uint64_t z = k->seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1;
}

double kit_between(kit *k, double low, double high) {
  return low + (high - low) * 0.5 * (kit_random(k) + 1);
}

// ------------------------------------------------------------------ scratch

typedef struct block {
  struct block *next;
} block;

static void *take(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  kit *k = (kit *)(void *)((char *)scratch - offsetof(kit, scratch));
  size_t a = alignment < 64 ? 64 : (size_t)alignment, n = ((size_t)bytes + a - 1) / a * a;
  block *b = aligned_alloc(a, n + a);
  if (!b) {
    return NULL;
  }
  memset(b, 0x5a, n + a);   // not cleared, as in a simulation
  b->next = k->blocks;
  k->blocks = b;
  return (char *)b + a;
}

void kit_scratch_clear(kit *k) {
  for (block *b = k->blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  k->blocks = NULL;
}

// ------------------------------------------------------------------ parameters

static int in_choices(const char *choices, const char *word) {
  size_t n = strlen(word);
  for (const char *p = choices; p; p = strchr(p, '|'), p = p ? p + 1 : NULL) {
    if (strncmp(p, word, n) == 0 && (p[n] == '|' || p[n] == '\0')) {
      return 1;
    }
  }
  return 0;
}

// The default of a parameter as a value; false when it breaks its own declaration.
static int default_value(const sn_param *p, sn_value *value) {
  static const char yes[] = "true|yes|on|1", no[] = "false|no|off|0";
  const char *text = p->default_value;
  char *end = NULL;
  *value = (sn_value){ .text = text };
  if (!text || !p->name || !p->summary) {
    return 0;
  }
  if (p->type == SN_PARAM_TEXT) {
    return !p->choices || in_choices(p->choices, text);
  }
  if (p->type == SN_PARAM_BOOL) {
    value->integer = in_choices(yes, text);
    value->real = (double)value->integer;
    return value->integer || in_choices(no, text);
  }
  value->real = strtod(text, &end);
  value->integer = p->type == SN_PARAM_INT ? strtoll(text, &end, 10) : (int64_t)value->real;
  return (p->type == SN_PARAM_INT || p->type == SN_PARAM_REAL) && end != text && !*end &&
         value->real >= p->min && value->real <= p->max;
}

// The instance. False when it cannot be made.
static int make_instance(kit *k) {
  enum { MOST = 64 };
  const sn_ops *head = k->provider->ops;
  sn_value values[MOST];
  int n = 0;
  for (const sn_param *p = head->params; p && p->name && n < MOST; p++, n++) {
    if (!default_value(p, &values[n])) {
      kit_say(k, "table", KIT_BROKEN, "parameter '%s' has a default that it does not allow: '%s'",
              p->name, p->default_value ? p->default_value : "");
      return 0;
    }
  }
  if (!head->create) {
    return 1;
  }
  sn_error *error = sn_error_new();
  sn_status status = head->create(sn_engine_host(k->engine), values, &k->self, error);
  if (status < 0) {
    kit_say(k, "table", KIT_BROKEN, "create failed with default parameters: %s",
            sn_error_message(error));
  }
  sn_error_free(error);
  return status >= 0;
}

static int table_law(kit *k) {
  const sn_ops *head = k->provider->ops;
  if (head->size < sizeof *head) {
    kit_say(k, "table", KIT_BROKEN, "its size is %u bytes, less than the head has", head->size);
    return 0;
  }
  if (!head->summary || !*head->summary) {
    kit_say(k, "table", KIT_BROKEN, "it has no summary");
    return 0;
  }
  if (!head->create != !head->destroy) {
    kit_say(k, "table", KIT_BROKEN, "create and destroy come together or not at all");
    return 0;
  }
  return 1;
}

// ------------------------------------------------------------------ judging

int kit_judge(sn_engine *engine, const sn_provider_info *provider, kit_finding *report,
              void *context) {
  kit k = { .engine = engine,
            .provider = provider,
            .report = report,
            .context = context,
            .seed = 1,
            .scratch = { .size = sizeof(sn_scratch), .alloc = take } };
  const sn_ops *head = provider->ops;
  if (!table_law(&k) || !make_instance(&k)) {
    return k.broken;
  }
  kit_say(&k, "table", KIT_KEPT, "%u bytes", head->size);
  int judged = 0;
  for (int i = 0; i < NJUDGES; i++) {
    if (strcmp(judges[i].kind, provider->kind) == 0) {
      judges[i].judge(&k);
      judged = 1;
    }
  }
  if (!judged) {
    kit_say(&k, "laws", KIT_SKIPPED, "the kit does not judge this kind yet");
  }
  kit_scratch_clear(&k);
  if (head->create) {
    head->destroy(k.self);
  }
  return k.broken;
}
