// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a subcommand. There is one table of options; a subcommand names those that it
// accepts, and --help is made from the same table.

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "sinew/number.h"
#include "sinew/suggest.h"

typedef enum option_type { FLAG, TEXT, SECONDS, COUNT, SETTING, FILES } option_type;

typedef struct option_row {
  const char *name;
  const char *value;     // as --help shows it; NULL for flags
  option_type type;
  size_t offset;         // of the member of options
  const char *meaning;
} option_row;

static const option_row rows[] = {
  { "time", "SECONDS", SECONDS, offsetof(options, time), "simulated time (10)" },
  { "steps", "N", COUNT, offsetof(options, steps), "number of steps, instead of a time" },
  { "every", "N", COUNT, offsetof(options, every), "use every Nth step (1)" },
  { "solver", "NAME,...", TEXT, offsetof(options, solver), "solvers, separated by commas" },
  { "record", "I,J,...", TEXT, offsetof(options, record),
    "steps to print; the first is 1 (the last)" },
  { "key", "NAME", TEXT, offsetof(options, key), "start from this keyframe: its name or number" },
  { "input", "FILE", TEXT, offsetof(options, input),
    "JSON with qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, mocap_pos, mocap_quat, key; "
    "- reads standard input" },
  { "stages", NULL, FLAG, offsetof(options, stages), "list the time of each stage of a step" },
  { "inverse", NULL, FLAG, offsetof(options, inverse), "inverse dynamics as well: qfrc_inverse" },
  { "out", "FILE", TEXT, offsetof(options, out), "file for the result; also -o FILE" },
  { "set", "NAME=VALUE", SETTING, offsetof(options, set),
    "an option of the model (timestep=0.001), a flag (contact=disable), or a value of the "
    "configuration: solver, integrator, executor, the collider of a pair (box-box=NAME), a "
    "parameter of a plugin (plugin.urdf.mimic=true), a limit (limits.memory=8G); may be repeated" },
  { "check-plugins", NULL, FLAG, offsetof(options, check_plugins),
    "check what plugins write in each step, and name those that write something else than their "
    "results; slow" },
  { "strict", NULL, FLAG, offsetof(options, strict), "warnings of loaders are errors" },
  { "config", "INI", TEXT, offsetof(options, config),
    "a configuration over the user's and the installed one, instead of $SINEW_CONFIG" },
  { "profile", "NAME", TEXT, offsetof(options, profile),
    "a set of settings with a name, such as mujoco-2.2, instead of $SINEW_PROFILE; or none" },
  { "plugin", "FILE.so", FILES, offsetof(options, plugin),
    "load this plugin as well; may be repeated" },
  { "json", NULL, FLAG, offsetof(options, json), "print JSON" },
  { "markdown", NULL, FLAG, offsetof(options, markdown), "print Markdown" },
  { "help", NULL, FLAG, offsetof(options, help), "print this" },
};
enum { NROWS = sizeof rows / sizeof rows[0] };

// ------------------------------------------------------------------ words

// true when `word` is one of the words, separated by spaces, of `list`
static int in_list(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *p = strstr(list, word); p; p = strstr(p + 1, word)) {
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) {
      return 1;
    }
  }
  return 0;
}

// every command reads the configuration
static int accepts(const command *c, const char *name) {
  return in_list("help config profile plugin set", name) || in_list(c->accepts, name);
}

const char *nearest_word(const char *word, const char *const *candidates, int n) {
  return sn_suggest_nearest(word, candidates, n);
}

int usage_error(const command *c, const char *format, ...) {
  va_list list;
  fprintf(stderr, "sinew%s%s: ", c ? " " : "", c ? c->name : "");
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fprintf(stderr, "\nsee 'sinew%s%s --help'\n", c ? " " : "", c ? c->name : "");
  return USAGE;
}

// ------------------------------------------------------------------ reading

static const option_row *find_row(const command *c, const char *name, size_t n) {
  for (int i = 0; i < NROWS; i++) {
    if (strlen(rows[i].name) == n && strncmp(rows[i].name, name, n) == 0 &&
        accepts(c, rows[i].name)) {
      return &rows[i];
    }
  }
  return NULL;
}

static int unknown_option(const command *c, const char *argument, size_t n) {
  const char *names[NROWS];
  char word[48];
  int count = 0;
  for (int i = 0; i < NROWS; i++) {
    if (accepts(c, rows[i].name)) {
      names[count++] = rows[i].name;
    }
  }
  snprintf(word, sizeof word, "%.*s", (int)(n < 47 ? n : 47), argument);
  const char *near = nearest_word(word, names, count);
  return usage_error(c, "unknown option --%s%s%s%s", word, near ? "; did you mean --" : "",
                     near ? near : "", near ? "?" : "");
}

static int set_value(options *o, const option_row *row, const char *text) {
  char *target = (char *)o + row->offset, *end;
  if (row->type == TEXT) {
    memcpy(target, &text, sizeof text);
    return DONE;
  }
  if (row->type == FILES) {
    o->plugin[o->nplugin++] = text;
    return DONE;
  }
  if (row->type == SETTING) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
      return usage_error(o->command, "--%s takes %s, not '%s'", row->name, row->value, text);
    }
    o->set[o->nset++] = text;
    return DONE;
  }
  errno = 0;
  if (row->type == SECONDS) {
    double value;
    const char *after = sn_read_number(text, &value);
    if (after == text || *after || !(value >= 0 && value < 1e12)) {
      return usage_error(o->command, "--%s takes a number of seconds, not '%s'", row->name, text);
    }
    memcpy(target, &value, sizeof value);
    return DONE;
  }
  int64_t value = strtoll(text, &end, 10);
  if (end == text || *end || errno || value < 1) {
    return usage_error(o->command, "--%s takes a positive integer, not '%s'", row->name, text);
  }
  memcpy(target, &value, sizeof value);
  return DONE;
}

// one argument that starts with "--", and the next one when it is the value; *i is advanced
static int read_option(options *o, int argc, char **argv, int *i) {
  const char *name = argv[*i] + 2, *equals = strchr(name, '=');
  size_t n = equals ? (size_t)(equals - name) : strlen(name);
  const option_row *row = find_row(o->command, name, n);
  if (!row) {
    return unknown_option(o->command, name, n);
  }
  if (row->type == FLAG) {
    if (equals) {
      return usage_error(o->command, "--%s takes no value", row->name);
    }
    *(int *)((char *)o + row->offset) = 1;
    return DONE;
  }
  if (!equals && *i + 1 >= argc) {
    return usage_error(o->command, "--%s takes a value: --%s %s", row->name, row->name, row->value);
  }
  return set_value(o, row, equals ? equals + 1 : argv[++*i]);
}

int options_read(options *o, const command *c, int argc, char **argv) {
  *o = (options){ .command = c, .time = -1, .steps = -1 };
  o->set = calloc((size_t)argc + 1, sizeof *o->set);
  o->plugin = calloc((size_t)argc + 1, sizeof *o->plugin);
  o->operand = calloc((size_t)argc + 1, sizeof *o->operand);
  if (!o->set || !o->plugin || !o->operand) {
    return report_text(o, NULL, 0, 0, "no memory for the arguments");
  }
  int only_operands = 0;
  for (int i = 0; i < argc; i++) {
    if (!only_operands && strcmp(argv[i], "--") == 0) {
      only_operands = 1;
    } else if (!only_operands && strcmp(argv[i], "-h") == 0) {
      o->help = 1;
    } else if (!only_operands && strcmp(argv[i], "-o") == 0 && accepts(c, "out")) {
      if (i + 1 >= argc) {
        return usage_error(c, "-o takes a value: -o FILE");
      }
      o->out = argv[++i];
    } else if (!only_operands && strncmp(argv[i], "--", 2) == 0) {
      if (read_option(o, argc, argv, &i) != DONE) {
        return USAGE;
      }
    } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
      return usage_error(c, "unknown option %s", argv[i]);
    } else {
      o->operand[o->noperand++] = argv[i];
    }
  }
  if (o->help) {
    return DONE;
  }
  if (o->noperand < c->min) {
    return usage_error(c, "%s is missing", c->operands);
  }
  if (c->max >= 0 && o->noperand > c->max) {
    return usage_error(c, "unexpected argument '%s'", o->operand[c->max]);
  }
  return DONE;
}

void options_free(options *o) {
  free(o->set);
  free(o->plugin);
  free(o->operand);
}

int wanted(const options *o, int first, const char *word) {
  for (int i = first; i < o->noperand; i++) {
    if (strcmp(o->operand[i], word) == 0) {
      return 1;
    }
  }
  return o->noperand <= first;
}

// ------------------------------------------------------------------ help

int option_at(const command *c, int index, option_help *out) {
  for (int i = 0; i < NROWS; i++) {
    if (accepts(c, rows[i].name) && index-- == 0) {
      *out = (option_help){ rows[i].name, rows[i].value, rows[i].meaning };
      return 1;
    }
  }
  return 0;
}

// prints a text from column 26 on, broken at spaces
static void print_meaning(const char *text) {
  enum { START = 26, END = 98 };
  int column = START;
  while (*text) {
    int n = (int)strcspn(text, " ");
    if (column + n > END) {
      printf("\n%*s", START, "");
      column = START;
    }
    printf("%s%.*s", column > START ? " " : "", n, text);
    column += n + 1;
    text += n + (text[n] == ' ');
  }
  putchar('\n');
}

void options_help(const command *c) {
  printf("usage: sinew %s%s%s [OPTION]...\n\n%s.\n\n", c->name, *c->operands ? " " : "",
         c->operands, c->summary);
  option_help row;
  for (int i = 0; option_at(c, i, &row); i++) {
    char head[40];
    snprintf(head, sizeof head, "--%s%s%s", row.name, row.value ? " " : "",
             row.value ? row.value : "");
    printf("  %-24s", head);
    print_meaning(row.meaning);
  }
  printf("\n%s", c->story);
}
