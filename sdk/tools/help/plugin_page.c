// SPDX-License-Identifier: Apache-2.0
//
// Plugins as Markdown: the list of what is loaded, and the page of one plugin with the parameters
// and attributes of all that it provides. docs/plugins/shipped* are made with it.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/plugins/plugins.h"

// A kind without "sinew." and its revision: "solver" of "sinew.solver/1".
static const char *short_kind(const char *kind, int *n) {
  const char *dot = strchr(kind, '.'), *from = dot ? dot + 1 : kind;
  *n = (int)strcspn(from, "/");
  return from;
}

// A text in a cell of a table.
static void put_cell(const char *text) {
  for (; text && *text; text++) {
    printf("%s%c", strchr("|<>*_", *text) ? "\\" : "", *text);
  }
}

// ------------------------------------------------------------------ parameters

static void put_values(const sn_param *q) {
  static const char *const types[] = { "", "integer", "number", "", "text", "numbers", "" };
  if (q->choices) {
    const char *separator = q->type == SN_PARAM_REFERENCE ? "name of a " : "";
    for (const char *p = q->choices; *p; p += strcspn(p, "|"), p += *p == '|') {
      printf("%s`%.*s`", separator, (int)strcspn(p, "|"), p);
      separator = q->type == SN_PARAM_REFERENCE ? " or " : ", ";
    }
  } else if (q->type == SN_PARAM_BOOL) {
    printf("`true`, `false`");
  } else {
    printf("%s", q->type >= SN_PARAM_INT && q->type < SN_NPARAMTYPES ? types[q->type] : "");
    if (q->min < q->max) {
      printf(", %g to %g", q->min, q->max);
    }
  }
}

static void put_table(const char *title, const sn_provider_info *p, const char *where,
                      const sn_param *q) {
  if (!q || !q->name) {
    return;
  }
  int n;
  const char *kind = short_kind(p->kind, &n);
  printf("\n## %s of %.*s `%s`\n\n%s\n\n| name | default | values | meaning |\n|---|---|---|---|\n",
         title, n, kind, p->name, where);
  for (; q->name; q++) {
    const int is_set = q->default_value && *q->default_value;
    printf("| `%s` | %s%s%s | ", q->name, is_set ? "`" : "",
           is_set             ? q->default_value
           : q->default_value ? ""
                              : "required",
           is_set ? "`" : "");
    put_values(q);
    printf(" | ");
    put_cell(q->summary);
    printf(" |\n");
  }
}

static void put_provider_tables(const sn_engine *engine, const sn_provider_info *p) {
  char where[256];
  int n, same = 0;
  const char *kind = short_kind(p->kind, &n);
  sn_provider_info other = { .size = sizeof other };
  for (int64_t i = 0; sn_engine_provider(engine, i, &other); i++) {
    same += strcmp(other.name, p->name) == 0;
  }
  snprintf(where, sizeof where, "In section `[plugin.%.*s%s%s]` of a configuration.",
           same > 1 ? n : 0, kind, same > 1 ? "." : "", p->name);
  put_table("Parameters", p, where, p->params);
  snprintf(where, sizeof where, "The numbers `%.*sprm` of an actuator, in this order.",
           *kind == 'd' ? 3 : n, kind);   // dynprm, gainprm, biasprm
  put_table("Numbers", p, where, numbers_of(p));
  put_table("Attributes", p, "In a model, with `<config key= value=/>`.", attributes_of(p));
}

// ------------------------------------------------------------------ pages

static int find_plugin(const sn_engine *engine, const char *name, sn_plugin_info *out) {
  for (int64_t i = 0; sn_engine_plugin(engine, i, out); i++) {
    if (strcmp(out->key, name) == 0) {
      return 1;
    }
  }
  return 0;
}

int plugin_page(const sn_engine *engine, const char *name) {
  sn_plugin_info plugin = { .size = sizeof plugin };
  sn_provider_info p = { .size = sizeof p };
  if (!find_plugin(engine, name, &plugin)) {
    return 0;
  }
  printf("# Plugin %s\n\n", name);
  if (plugin.summary && *plugin.summary) {
    putchar(toupper((unsigned char)plugin.summary[0]));
    put_cell(plugin.summary + 1);
  }
  printf(".\n\n| kind | name | |\n|---|---|---|\n");
  for (int64_t i = 0; sn_engine_provider(engine, i, &p); i++) {
    if (strcmp(p.plugin, name) == 0) {
      char nature[256];
      int n;
      const char *kind = short_kind(p.kind, &n);
      put_nature(&p, nature, sizeof nature);
      printf("| %.*s | `%s` | ", n, kind, p.name);
      put_cell(p.summary);
      printf("%s", nature[0] ? "; " : "");
      put_cell(nature);
      printf(" |\n");
    }
  }
  for (int64_t i = 0; sn_engine_provider(engine, i, &p); i++) {
    if (strcmp(p.plugin, name) == 0) {
      put_provider_tables(engine, &p);
    }
  }
  return 1;
}

void plugin_list(const sn_engine *engine) {
  printf("# Plugins that are shipped\n\n"
         "What the installed configuration loads. `sinew plugins list` and `sinew plugins inspect "
         "NAME` print\nthe same for the configuration in effect.\n\n"
         "| plugin | | provides |\n|---|---|---|\n");
  sn_plugin_info plugin = { .size = sizeof plugin };
  for (int64_t i = 0; sn_engine_plugin(engine, i, &plugin); i++) {
    printf("| [%s](shipped/%s.md) | ", plugin.key, plugin.key);
    put_cell(plugin.summary);
    printf(" | ");
    sn_provider_info p = { .size = sizeof p };
    const char *last = "", *separator = "";
    for (int64_t k = 0; sn_engine_provider(engine, k, &p); k++) {
      if (strcmp(p.plugin, plugin.key) == 0) {
        int n;
        const char *kind = short_kind(p.kind, &n);
        const int is_new = strcmp(last, p.kind) != 0;
        printf("%s%.*s%s`%s`", is_new && *last ? "; " : separator, is_new ? n : 0, kind,
               is_new ? " " : "", p.name);
        last = p.kind;
        separator = ", ";
      }
    }
    printf(" |\n");
  }
}
