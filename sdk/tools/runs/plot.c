// SPDX-License-Identifier: Apache-2.0
//
// sinew plot: draws columns of comma-separated values, as `sinew run --out` writes them. Columns of
// one array (qpos.hip, qpos.knee) share a pair of axes, whose unit is that of the array.

#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "sinew/suggest.h"
#include "table.h"

enum { MOST_PANELS = 12, MOST_SERIES = 512 };

typedef struct drawing {
  const options *o;
  table *table;
  int ntable;
  panel panel[MOST_PANELS];
  series series[MOST_PANELS][MOST_SERIES];
  char *text[MOST_PANELS * MOST_SERIES];   // names of series and labels, owned
  int npanel, ntext;
} drawing;

// ------------------------------------------------------------------ columns

static int unknown_column(const drawing *d, const table *t, const char *name) {
  char hint[SN_SUGGEST_TEXT + 640], columns[640];
  const char *near = nearest_word(name, (const char *const *)t->name, (int)t->columns);
  int n = snprintf(columns, sizeof columns, "the columns are");
  for (int64_t i = 0; i < t->columns && n < (int)sizeof columns - 64; i++) {
    n += snprintf(columns + n, 64, "%s %.56s", i ? "," : "", t->name[i]);
    i = i == 7 ? t->columns : i;   // of many the first
  }
  return report_text(d->o, t->path, 0, 0, "there is no column '%s'%s", name,
                     sn_suggest_text(hint, sizeof hint, near, columns));
}

// A name, an array ("qpos" of qpos.hip), or a pattern with * and ?.
static int matches(const char *name, const char *pattern) {
  const size_t n = strlen(pattern);
  return fnmatch(pattern, name, 0) == 0 || (strncmp(name, pattern, n) == 0 && name[n] == '.');
}

// Whether --y, or all but x, has a column.
static int is_wanted(const drawing *d, const char *name, const char *x) {
  if (!d->o->y) {
    return strcmp(name, x) != 0;
  }
  for (const char *p = d->o->y; *p;) {
    char pattern[256];
    const size_t n = strcspn(p, ",");
    snprintf(pattern, sizeof pattern, "%.*s", (int)n, p);
    if (matches(name, pattern)) {
      return 1;
    }
    p += n + (p[n] == ',');
  }
  return 0;
}

// Each item of --y must be there.
static int check_wanted(const drawing *d, const table *t) {
  for (const char *p = d->o->y ? d->o->y : ""; *p;) {
    char pattern[256];
    const size_t n = strcspn(p, ",");
    int found = 0;
    snprintf(pattern, sizeof pattern, "%.*s", (int)n, p);
    for (int64_t i = 0; i < t->columns; i++) {
      found |= matches(t->name[i], pattern);
    }
    if (!found) {
      return unknown_column(d, t, pattern);
    }
    p += n + (p[n] == ',');
  }
  return DONE;
}

// ------------------------------------------------------------------ axes

static char *keep(drawing *d, char *text) {
  if (text && d->ntext < MOST_PANELS * MOST_SERIES) {
    d->text[d->ntext++] = text;
    return text;
  }
  free(text);
  return NULL;
}

__attribute__((format(printf, 2, 3))) static char *make_text(drawing *d, const char *format, ...) {
  va_list list;
  char *text;
  va_start(list, format);
  const int n = vasprintf(&text, format, list);
  va_end(list);
  return keep(d, n < 0 ? NULL : text);
}

// The array that a column is part of: "qpos" of "qpos.hip".
static int array_length(const char *name) {
  return (int)strcspn(name, ".");
}

// "time (s)": a column or an array with the unit of the field of that name.
static char *axis_label(drawing *d, const char *name, int n) {
  static const struct {
    const char *name, *unit;
  } units[] = {
#define FIELD(type, name, rows, cols, stage, unit, meaning) { #name, unit },
    SN_DATA_FIELDS(FIELD) SN_STEP_FIELDS(FIELD)
#undef FIELD
  };
  const int array = array_length(name);
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if ((int)strlen(units[i].name) == array && strncmp(units[i].name, name, (size_t)array) == 0) {
      return *units[i].unit ? make_text(d, "%.*s (%s)", n, name, units[i].unit)
                            : make_text(d, "%.*s", n, name);
    }
  }
  return make_text(d, "%.*s", n, name);
}

// The panel of an array, made when it is new. NULL: there are too many, or no memory.
static panel *panel_of(drawing *d, const char *name, const char *x) {
  const int n = array_length(name);
  for (int i = 0; i < d->npanel; i++) {
    if ((int)strlen(d->panel[i].title) == n && strncmp(d->panel[i].title, name, (size_t)n) == 0) {
      return &d->panel[i];
    }
  }
  panel *p = d->npanel < MOST_PANELS ? &d->panel[d->npanel] : NULL;
  if (p) {
    *p = (panel){ .title = make_text(d, "%.*s", n, name),
                  .x = axis_label(d, x, (int)strlen(x)),
                  .y = axis_label(d, name, n),
                  .series = d->series[d->npanel] };
    d->npanel += p->title && p->x && p->y;
  }
  return p && p->title && p->x && p->y ? p : NULL;
}

static int add_series(drawing *d, const table *t, int64_t x, int64_t y) {
  panel *p = panel_of(d, t->name[y], t->name[x]);
  if (!p || p->nseries == MOST_SERIES) {
    return report_text(d->o, t->path, 0, 0,
                       "there are more than %d arrays, or %d columns of one; choose some by --y",
                       MOST_PANELS, MOST_SERIES);
  }
  const char *name = d->ntable > 1 ? make_text(d, "%s %s", t->path, t->name[y]) : t->name[y];
  d->series[p - d->panel][p->nseries++] = (series){
    .name = name ? name : "", .x = t->value + x * t->rows, .y = t->value + y * t->rows, .n = t->rows
  };
  return DONE;
}

static int add_table(drawing *d, const table *t) {
  const char *name = d->o->x ? d->o->x : table_column(t, "time") >= 0 ? "time" : t->name[0];
  const int64_t x = table_column(t, name);
  int status = x < 0 ? unknown_column(d, t, name) : check_wanted(d, t);
  for (int64_t i = 0; i < t->columns && status == DONE; i++) {
    if (is_wanted(d, t->name[i], name)) {
      status = add_series(d, t, x, i);
    }
  }
  return status;
}

// ------------------------------------------------------------------ the subcommand

static int draw(drawing *d) {
  const options *o = d->o;
  int status = DONE;
  for (int i = 0; i < d->ntable && status == DONE; i++) {
    status = table_read(o, &d->table[i], o->operand[i]);
    status = status == DONE ? add_table(d, &d->table[i]) : status;
  }
  if (status == DONE && d->npanel == 0) {
    return report_text(o, o->operand[0], 0, 0, "there is no column besides '%s'",
                       d->table[0].name[0]);
  }
  const char *title = o->title ? o->title : o->noperand == 1 ? o->operand[0] : "";
  status = status == DONE ? chart_draw(o, o->out, title, d->panel, d->npanel) : status;
  if (status == DONE && o->json) {
    int64_t n = 0;
    for (int i = 0; i < d->npanel; i++) {
      n += d->panel[i].nseries;
    }
    printf("{\"ok\":true,\n\"panels\":%d,\n\"lines\":%lld}\n", d->npanel, (long long)n);
  }
  return status;
}

static int plot(const options *o) {
  if (!o->out) {
    return usage_error(o->command, "--out FILE is missing, such as -o chart.svg");
  }
  drawing *d = calloc(1, sizeof *d);
  table *tables = calloc((size_t)o->noperand, sizeof *tables);
  if (d && tables) {
    *d = (drawing){ .o = o, .table = tables, .ntable = o->noperand };
  }
  const int status = d && tables ? draw(d) : report(o, NULL);
  for (int i = 0; d && i < d->ntext; i++) {
    free(d->text[i]);
  }
  for (int i = 0; tables && i < o->noperand; i++) {
    table_free(&tables[i]);
  }
  free(tables);
  free(d);
  return status;
}

const command plot_command = {
  .name = "plot",
  .operands = "FILE.csv...",
  .summary = "draws comma-separated values as a chart",
  .accepts = "x y title out json",
  .story =
      "Draws the columns that --y names over that of --x, which is time if there is such a\n"
      "column, else the first; - reads standard input. The first line of a file has the\n"
      "names. A name is a column (qpos.hip), an array (qpos: all of its columns), or a\n"
      "pattern (sensor.*). Each array has axes of its own, with its unit. gnuplot draws: it\n"
      "must be installed (package gnuplot-nox). The extension of --out selects the format: .svg,\n"
      ".png or .pdf.\n",
  .examples = "sinew run pendulum -q --time 2 --out - | sinew plot - --y qpos -o pendulum.svg\n",
  .min = 1,
  .max = -1,
  .run = plot,
};
