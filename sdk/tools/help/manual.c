// SPDX-License-Identifier: Apache-2.0
//
// sinew manual: the pages of the manual in roff (groff_man(7)): sinew(1), sinew-COMMAND(1) and
// sinew.ini(5). They are made from the tables of --help and from ini.c. The build installs them.
//
// The text of a command is read as --help shows it, and flows.

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ini.h"
#include "tools/command.h"

enum { PAGE_NAME = 64 };

// ------------------------------------------------------------------ text in roff

// One character, where `at_start` at the start of a line.
static void put_char(FILE *f, char c, int at_start) {
  if (at_start && (c == '.' || c == '\'')) {
    fputs("\\&", f);
  }
  switch (c) {
    case '\\': fputs("\\e", f); break;
    case '-': fputs("\\-", f); break;
    case '~': fputs("\\(ti", f); break;
    case '^': fputs("\\(ha", f); break;
    case '\'': fputs("\\(aq", f); break;
    case '`': fputs("\\(ga", f); break;
    default: fputc(c, f);
  }
}

static void put(FILE *f, const char *text) {
  for (const char *p = text; *p; p++) {
    put_char(f, *p, p == text);
  }
}

// A text that flows; what is between backquotes is bold. The first n characters of it.
static void put_prose(FILE *f, const char *text, size_t n) {
  int bold = 0;
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '`') {
      bold = !bold;
      fputs(bold ? "\\fB" : "\\fR", f);
    } else {
      put_char(f, text[i], i == 0 || text[i - 1] == '\n');
    }
  }
}

// A usage: names that stand for something are italic, what is typed is bold.
static void put_usage(FILE *f, const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    size_t length = 1;
    if (isalnum((unsigned char)text[i])) {
      while (i + length < n && strchr(" |[],=", text[i + length]) == NULL) {
        length++;
      }
      if (length > 3 && strncmp(text + i + length - 3, "...", 3) == 0) {
        length -= 3;
      }
      fputs(isupper((unsigned char)text[i]) ? "\\fI" : "\\fB", f);
    }
    for (size_t k = 0; k < length; k++) {
      put_char(f, text[i + k], 0);
    }
    if (isalnum((unsigned char)text[i])) {
      fputs("\\fR", f);
    }
    i += length;
  }
}

static void open_page(FILE *f, const char *name, const char *section, const char *summary) {
  char capital[PAGE_NAME];
  size_t n = 0;
  for (; name[n] && n < sizeof capital - 1; n++) {
    capital[n] = (char)toupper((unsigned char)name[n]);
  }
  capital[n] = '\0';
  fputs(".\\\" written by `sinew manual`\n.TH ", f);
  put(f, capital);
  fprintf(f, " %s \"\" \"Sinew %s\" \"Sinew\"\n.SH NAME\n", section, sn_version());
  put(f, name);
  fputs(" \\- ", f);
  put(f, summary);
  fputc('\n', f);
}

// ------------------------------------------------------------------ the text of a command

// The start of the next line, or the end.
static const char *line_after(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

// A line "Exit status: ..." starts a section.
static void put_story(FILE *f, const char *story) {
  static const char status[] = "Exit status: ";
  for (const char *line = story; *line; line = line_after(line)) {
    if (strncmp(line, status, sizeof status - 1) == 0) {
      fputs(".SH EXIT STATUS\n", f);
      line += sizeof status - 1;
    }
    put_prose(f, line, strcspn(line, "\n"));
    fputc('\n', f);
  }
}

// Lines that are copied as they are.
static void put_examples(FILE *f, const char *examples) {
  fputs(".SH EXAMPLES\n.nf\n", f);
  for (const char *line = examples; *line; line = line_after(line)) {
    const size_t n = strcspn(line, "\n");
    for (size_t i = 0; i < n; i++) {
      put_char(f, line[i], i == 0);
    }
    fputc('\n', f);
  }
  fputs(".fi\n", f);
}

// ------------------------------------------------------------------ sinew-COMMAND(1)

// One line for each alternative of the operands, "list | inspect NAME | check [NAME | FILE.so]".
static void put_synopsis(FILE *f, const command *c) {
  const char *from = c->operands;
  fputs(".SH SYNOPSIS\n.nf\n", f);
  for (const char *p = from, *depth = NULL;; p++) {
    if (*p == '[') {
      depth = p;
    } else if (*p == ']') {
      depth = NULL;
    }
    if (*p == '\0' || (!depth && strncmp(p, " | ", 3) == 0)) {
      fprintf(f, "\\fBsinew %s\\fR ", c->name);
      put_usage(f, from, (size_t)(p - from));
      fprintf(f, "%s[\\fIOPTION\\fR]...\n", p > from ? " " : "");
      if (!*p) {
        break;
      }
      from = p + 3;
      p += 2;
    }
  }
  fputs(".fi\n", f);
}

static void put_options(FILE *f, const command *c) {
  option_help row;
  fputs(".SH OPTIONS\n", f);
  for (int i = 0; option_at(c, i, &row); i++) {
    fputs(".TP\n", f);
    if (row.letter) {
      fprintf(f, "\\fB\\-%c\\fR, ", row.letter);
    }
    fputs("\\fB\\-\\-", f);
    put(f, row.name);
    fputs("\\fR", f);
    if (row.value) {
      fputs(" \\fI", f);
      put(f, row.value);
      fputs("\\fR", f);
    }
    fputc('\n', f);
    put_prose(f, row.meaning, strlen(row.meaning));
    fputc('\n', f);
  }
}

static void put_command(FILE *f, const char *name) {
  const command *c = command_named(name + strlen("sinew-"));
  open_page(f, name, "1", c->summary);
  put_synopsis(f, c);
  fputs(".SH DESCRIPTION\n", f);
  fprintf(f, "\\fBsinew %s\\fR ", c->name);
  put_prose(f, c->summary, strlen(c->summary));
  fputs(".\n", f);
  put_story(f, c->story);
  put_options(f, c);
  if (c->examples) {
    put_examples(f, c->examples);
  }
  fputs(".SH SEE ALSO\n.BR sinew (1),\n.BR sinew.ini (5)\n", f);
}

// ------------------------------------------------------------------ sinew(1)

static void put_variables(FILE *f) {
  fputs(".SH ENVIRONMENT\n", f);
  for (const ini_variable *v = ini_variables; v->name; v++) {
    fprintf(f, ".TP\n\\fB%s\\fR\n", v->name);
    put_prose(f, v->meaning, strlen(v->meaning));
    fputc('\n', f);
  }
}

static void put_sinew(FILE *f, const char *name) {
  open_page(f, name, "1", "simulates articulated bodies with contact");
  fputs(".SH SYNOPSIS\n.nf\n\\fBsinew\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR]...\n.fi\n"
        ".SH DESCRIPTION\n",
        f);
  put_story(f, sinew_story);
  fputs(".SH COMMANDS\n", f);
  const command *c;
  for (int i = 0; (c = command_at(i)); i++) {
    if (!c->hidden) {
      fputs(".TP\n\\fBsinew\\-", f);
      put(f, c->name);
      fputs("\\fR(1)\n", f);
      put_prose(f, c->summary, strlen(c->summary));
      fputc('\n', f);
    }
  }
  put_variables(f);
  fputs(".SH SEE ALSO\n.BR sinew.ini (5)\n", f);
}

// ------------------------------------------------------------------ sinew.ini(5)

static void put_rows(FILE *f) {
  const char *section = "";
  fputs(".SH BEFORE THE FIRST SECTION\n", f);
  for (const ini_row *row = ini_rows; row->section; row++) {
    if (strcmp(row->section, section) != 0) {
      fputs(".SH [", f);
      put(f, section = row->section);
      fputs("]\n", f);
    }
    fputs(".TP\n", f);
    put_usage(f, row->key, strlen(row->key));
    fputs(" = ", f);
    put_usage(f, row->value, strlen(row->value));
    fputc('\n', f);
    put_prose(f, row->meaning, strlen(row->meaning));
    fputc('\n', f);
  }
}

static void put_ini(FILE *f, const char *name) {
  open_page(f, name, "5", "configuration of Sinew: plugins, what is selected, parameters");
  fputs(".SH DESCRIPTION\n", f);
  for (int i = 0; ini_rules[i]; i++) {
    put_prose(f, ini_rules[i], strlen(ini_rules[i]));
    fputs(ini_rules[i + 1] ? "\n.PP\n" : "\n", f);
  }
  fputs(".SH FILES\nThe layers of the configuration; a later one takes precedence.\n", f);
  for (const ini_layer *layer = ini_layers; layer->name; layer++) {
    fprintf(f, ".TP\n\\fB%s\\fR\n", layer->name);
    put_prose(f, layer->origin, strlen(layer->origin));
    fputc('\n', f);
  }
  put_rows(f);
  put_variables(f);
  fputs(".SH SEE ALSO\n.BR sinew (1),\n.BR sinew\\-config (1),\n.BR sinew\\-plugins (1)\n", f);
}

// ------------------------------------------------------------------ Markdown

// The tables of sinew.ini(5), for docs/configuration.md.
static int put_markdown(const char *table) {
  if (strcmp(table, "layers") == 0) {
    puts("| layer | file |\n|---|---|");
    for (const ini_layer *layer = ini_layers; layer->name; layer++) {
      printf("| %s | %s |\n", layer->name, layer->origin);
    }
    return DONE;
  }
  puts("| section | line | meaning |\n|---|---|---|");
  for (const ini_row *row = ini_rows; row->section; row++) {
    printf("| %s%s%s | `%s = ", *row->section ? "`[" : "", row->section, *row->section ? "]`" : "",
           row->key);
    for (const char *p = row->value; *p; p++) {
      printf("%s%c", *p == '|' ? "\\" : "", *p);   // a bar would end the cell
    }
    printf("` | %s |\n", row->meaning);
  }
  return DONE;
}

// ------------------------------------------------------------------ the subcommand

typedef struct page {
  char name[PAGE_NAME];   // without its section
  int section;
  void (*put)(FILE *f, const char *name);
} page;

// The pages, by index from 0. 0: there are no more.
static int page_at(int index, page *p) {
  if (index < 2) {
    *p = index == 0 ? (page){ "sinew", 1, put_sinew } : (page){ "sinew.ini", 5, put_ini };
    return 1;
  }
  const command *c = command_at(index - 2);
  if (!c || c->hidden) {
    return 0;
  }
  *p = (page){ .section = 1, .put = put_command };
  snprintf(p->name, sizeof p->name, "sinew-%s", c->name);
  return 1;
}

static int write_page(const options *o, const page *p) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s.%d", o->out, p->name, p->section);
  FILE *f = fopen(path, "we");
  if (f) {
    p->put(f, p->name);
  }
  const int failed = !f || ferror(f) != 0;
  if ((f && fclose(f) != 0) || failed) {
    return report_text(o, NULL, 0, 0, "cannot write %s: %s", path, strerror(errno));
  }
  return DONE;
}

static int manual(const options *o) {
  const char *wanted_page = o->noperand ? o->operand[0] : NULL;
  if (o->markdown) {
    return put_markdown(wanted_page ? wanted_page : "");
  }
  int status = DONE, found = 0;
  page p;
  for (int i = 0; status == DONE && page_at(i, &p); i++) {
    char file[PAGE_NAME + 8];
    snprintf(file, sizeof file, "%s.%d", p.name, p.section);
    if (wanted_page && strcmp(wanted_page, file) != 0) {
      continue;
    }
    found = 1;
    if (o->out) {
      status = write_page(o, &p);
    } else if (wanted_page) {
      p.put(stdout, p.name);
    } else {
      puts(file);
    }
  }
  return found ? status : usage_error(o->command, "there is no page '%s'", wanted_page);
}

const command manual_command = {
  .name = "manual",
  .operands = "[PAGE]",
  .summary = "writes the pages of the manual",
  .accepts = "out markdown",
  .story = "Without a page, their names. With --out, a file for each page in that folder. With\n"
           "--markdown, the table of layers or of sections of an ini.\n",
  .examples = "sinew manual sinew-run.1\n",
  .min = 0,
  .max = 1,
  .hidden = 1,
  .run = manual,
};
