// SPDX-License-Identifier: Apache-2.0
//
// sinew schema: the elements and attributes of a format, as its loader describes them.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "tools/json/json.h"

// ------------------------------------------------------------------ JSON, from Markdown

// A line of a text; p is advanced behind it.
typedef struct line {
  const char *p;
  size_t n;
} line;

static int next_line(const char **p, line *l) {
  l->p = *p;
  l->n = strcspn(*p, "\n");
  *p += l->n + ((*p)[l->n] == '\n');
  return *l->p != '\0';
}

static void put_text(json *j, const char *key, const char *p, size_t n) {
  while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\n')) {
    n--;
  }
  char *text = strndup(p, n);
  json_text(j, key, text ? text : "");
  free(text);
}

// The cells of a row "| a | b |", with \| for a bar: a list, or members of these names.
enum { MOST_COLUMNS = 16, LONGEST_TITLE = 64 };
typedef char titles[MOST_COLUMNS][LONGEST_TITLE];

static int read_cells(line l, titles title, json *j) {
  const char *p = l.p + 1, *end = l.p + l.n;
  int n = 0;
  while (p < end && n < MOST_COLUMNS) {
    const char *bar = p;
    while (bar < end && !(*bar == '|' && bar[-1] != '\\')) {
      bar++;
    }
    p += strspn(p, " ");
    const size_t length = bar > p ? (size_t)(bar - p) : 0;
    if (j) {
      put_text(j, title[n], p, length);
    } else {
      snprintf(title[n], LONGEST_TITLE, "%.*s", (int)length, p);
      for (size_t k = strlen(title[n]); k > 0 && title[n][k - 1] == ' ';) {
        title[n][--k] = '\0';
      }
    }
    n++;
    p = bar + 1;
  }
  return n;
}

// A table: names of columns, a rule, rows. Returns what is behind it.
static const char *put_table(json *j, const char *p) {
  titles title = { "" };
  line l;
  next_line(&p, &l);
  read_cells(l, title, NULL);
  next_line(&p, &l);   // the rule
  json_list(j, "rows");
  while (*p == '|' && next_line(&p, &l)) {
    json_object(j, NULL);
    read_cells(l, title, j);
    json_end(j);
  }
  json_end(j);
  return p;
}

// A section: title, level, text, and the rows of its first table. Returns what is behind it.
static const char *put_section(json *j, const char *p) {
  line l;
  json_object(j, NULL);
  const size_t level = strspn(p, "#");
  if (level > 0) {
    next_line(&p, &l);
    put_text(j, "title", l.p + level + 1, l.n > level ? l.n - level - 1 : 0);
  } else {
    json_text(j, "title", "");
  }
  json_integer(j, "level", (int64_t)level);
  p += strspn(p, "\n");
  const char *start = p;
  while (*p && *p != '#' && *p != '|') {
    next_line(&p, &l);
  }
  put_text(j, "text", start, (size_t)(p - start));
  p = *p == '|' ? put_table(j, p) : p;
  while (*p && *p != '#') {   // text behind the table
    next_line(&p, &l);
  }
  json_end(j);
  return p;
}

static int print_json(const char *format, const char *text) {
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "format", format);
  json_list(&j, "sections");
  while (*text) {
    text = put_section(&j, text);
  }
  json_end(&j);
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ the subcommand

static sn_status append(sn_sink *sink, const void *bytes, int64_t count) {
  return fwrite(bytes, 1, (size_t)count, sink->context) == (size_t)count ? SN_OK : SN_ENOMEM;
}

static int describe(const session *s, const char *format) {
  char *text = NULL;
  size_t n;
  FILE *memory = open_memstream(&text, &n);
  sn_sink sink = { .size = sizeof sink, .write = append, .context = memory };
  if (!memory) {
    return report(s->o, NULL);
  }
  const sn_status status = sn_engine_describe(s->engine, format, &sink, s->error);
  int result = fclose(memory) == 0 ? DONE : report(s->o, NULL);
  if (result == DONE && status < 0) {
    result = report(s->o, s->error);
  } else if (result == DONE && s->o->json) {
    result = print_json(format, text);
  } else if (result == DONE) {
    fputs(text, stdout);
  }
  free(text);
  return result;
}

static int schema(const options *o) {
  session s;
  int status = session_open(&s, o);
  if (status == DONE) {
    status = describe(&s, o->noperand > 0 ? o->operand[0] : "mjcf");
  }
  session_close(&s);
  return status;
}

const command schema_command = {
  .name = "schema",
  .operands = "[FORMAT]",
  .summary = "prints what a format supports: elements, attributes, defaults",
  .accepts = "json",
  .story = "As Markdown, of MJCF when no format is named. With --json, its sections, each with a\n"
           "title, text, and the rows of its table.\n",
  .examples = "sinew schema mjcf\n"
              "sinew schema --json\n",
  .min = 0,
  .max = 1,
  .run = schema,
};
