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

typedef enum option_type { FLAG, TEXT, SECONDS, COUNT, SETTING, FILES, RECORD, LISTS } option_type;

typedef struct option_row {
  const char *name;
  char letter;         // short form; 0: none
  const char *value;   // as --help shows it; NULL for flags
  option_type type;
  size_t offset;   // of the member of options
  const char *meaning;
} option_row;

static const option_row rows[] = {
  { "time", 0, "SECONDS", SECONDS, offsetof(options, time), "simulated time" },
  { "steps", 0, "N", COUNT, offsetof(options, steps), "number of steps, instead of a time" },
  { "every", 0, "N", COUNT, offsetof(options, every),
    "record every Nth step, in addition to those that --record names" },
  { "solver", 0, "NAME,...", TEXT, offsetof(options, solver), "solvers, separated by commas" },
  { "integrator", 0, "NAME,...", TEXT, offsetof(options, integrator),
    "integrators, separated by commas" },
  { "collision", 0, "NAME,...", TEXT, offsetof(options, collision),
    "colliders of general convex pairs, or PAIR=NAME such as box-box=gjk" },
  { "vary", 0, "NAME=A,B,...", LISTS, offsetof(options, vary),
    "values of any other setting, as of --set: timestep=0.001,0.002; may be repeated" },
  { "n", 'n', "N", COUNT, offsetof(options, n), "number of rollouts" },
  { "seed", 0, "N", COUNT, offsetof(options, seed),
    "seed of the random numbers of --vary and of sensor noise, from which each rollout has its "
    "own; 0, the default: that of the model" },
  { "inputs", 0, "FILE.npy", TEXT, offsetof(options, inputs),
    "controls: an array of NumPy, rollouts x steps x controls" },
  { "stop", 0, "NAME=MIN:MAX,...", TEXT, offsetof(options, stop),
    "end a rollout when a quantity leaves a range" },
  { "executor", 0, "NAME", TEXT, offsetof(options, executor),
    "what runs the rollouts: serial, threads or another plugin" },
  { "shard", 0, "I/N", TEXT, offsetof(options, shard),
    "run the Ith of N parts; auto: according to the job array of a scheduler" },
  { "fine", 0, "N", COUNT, offsetof(options, fine),
    "also run the first choice with an Nth of its timestep, and compare all runs with that one" },
  { "plot", 0, "FILE", TEXT, offsetof(options, plot), "draw the result: .svg, .png or .pdf" },
  { "fps", 0, "N", COUNT, offsetof(options, fps),
    "images, or frames of a video, for each second of the run" },
  { "web", 0, NULL, FLAG, offsetof(options, web), "show the simulation in a browser" },
  { "port", 0, "N", COUNT, offsetof(options, port),
    "port of the loopback interface; one that is free if it is not given" },
  { "x", 0, "COLUMN", TEXT, offsetof(options, x), "column of the horizontal axis" },
  { "y", 0, "COLUMN,...", TEXT, offsetof(options, y),
    "columns to draw: names, arrays or patterns with * and ?" },
  { "title", 0, "TEXT", TEXT, offsetof(options, title), "title of the chart or page" },
  { "record", 0, "WHAT", RECORD, offsetof(options, record),
    "steps and arrays to record, separated by commas: all, last, 5, 1:10, 0:100:10, every 10, "
    "every 0.01s, and names of arrays such as qpos or sensordata; 0 is the start" },
  { "verify", 0, "FILE.json", TEXT, offsetof(options, verify),
    "repeat a recorded run, and list what differs" },
  { "key", 0, "NAME", TEXT, offsetof(options, key),
    "start from this keyframe: its name or number" },
  { "input", 0, "FILE", TEXT, offsetof(options, input),
    "JSON with time, qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, mocap_pos, mocap_quat, "
    "key; - reads standard input" },
  { "stages", 0, NULL, FLAG, offsetof(options, stages), "list the time of each stage of a step" },
  { "inverse", 0, NULL, FLAG, offsetof(options, inverse),
    "inverse dynamics as well: qfrc_inverse" },
  { "sample", 0, "FILE", TEXT, offsetof(options, sample),
    "for the check of loaders: a valid file of their format; damaged copies of it are tried as "
    "well" },
  { "language", 0, "LANGUAGE", TEXT, offsetof(options, language), "of a new plugin: c or c++" },
  { "out", 'o', "FILE", TEXT, offsetof(options, out), "file for the result; - is standard output" },
  { "camera", 0, "NAME", TEXT, offsetof(options, camera),
    "camera of the model, by name or number, or free, which sees the whole model" },
  { "size", 0, "WxH", TEXT, offsetof(options, size), "size of the image in pixels: 640x480" },
  { "depth", 0, "F.npy", TEXT, offsetof(options, depth), "file for the depth of each pixel" },
  { "segment", 0, "F.npy", TEXT, offsetof(options, segment),
    "file for the id of the geom at each pixel" },
  { "show", 0, "WHAT,...", TEXT, offsetof(options, show),
    "show as well: contact, contact-force, joint, inertia, skin ..." },
  { "hide", 0, "WHAT,...", TEXT, offsetof(options, hide),
    "do not show: shadow, texture, skybox ..." },
  { "label", 0, "KIND", TEXT, offsetof(options, label),
    "name the elements: body, geom, joint ..." },
  { "frame", 0, "KIND", TEXT, offsetof(options, frame),
    "show the frames of: body, geom, world ..." },
  { "groups", 0, "KIND=DIGITS,...", TEXT, offsetof(options, groups),
    "visible groups, instead of 0, 1 and 2: geom=0123,site=4" },
  { "format", 0, "FORMAT", TEXT, offsetof(options, format),
    "format of the result, instead of that of its name: mjcf, x_xy, binary" },
  { "set", 0, "NAME=VALUE", SETTING, offsetof(options, set),
    "an option of the model (timestep=0.001), a flag (contact=off), or a value of the "
    "configuration: solver, integrator, executor, the collider of a pair (box-box=NAME), a "
    "parameter of a plugin (plugin.urdf.mimic=true), a limit (limits.memory=8G); may be repeated" },
  { "check-plugins", 0, NULL, FLAG, offsetof(options, check_plugins),
    "check what plugins write in each step, and name those that write anything other than "
    "their results; slow" },
  { "no-cache", 0, NULL, FLAG, offsetof(options, no_cache),
    "read and compile the model, even if it is kept in a file; see sinew cache" },
  { "strict", 0, NULL, FLAG, offsetof(options, strict), "warnings of loaders are errors" },
  { "config", 0, "INI", TEXT, offsetof(options, config),
    "a configuration that overrides the user's and the installed one, instead of $SINEW_CONFIG" },
  { "profile", 0, "NAME", TEXT, offsetof(options, profile),
    "a set of settings with a name, such as mujoco-2.2, instead of $SINEW_PROFILE; or none" },
  { "plugin", 0, "FILE.so", FILES, offsetof(options, plugin),
    "load this plugin as well; may be repeated" },
  { "json", 0, NULL, FLAG, offsetof(options, json), "print JSON" },
  { "markdown", 0, NULL, FLAG, offsetof(options, markdown), "print Markdown" },
  { "quiet", 'q', NULL, FLAG, offsetof(options, quiet), "no warnings, notes or progress" },
  { "verbose", 'v', NULL, FLAG, offsetof(options, verbose),
    "messages of plugins and the files that are used" },
  { "help", 'h', NULL, FLAG, offsetof(options, help), "print this help" },
};
enum { NROWS = sizeof rows / sizeof rows[0] };
_Static_assert(NROWS < 64, "options.given has a bit for each option, and one more");

// ------------------------------------------------------------------ words

int in_list(const char *list, const char *word) {
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
  return in_list("help config profile plugin set quiet verbose", name) ||
         in_list(c->accepts, name) || (c->takes_model && strcmp(name, "no-cache") == 0);
}

const char *nearest_word(const char *word, const char *const *candidates, int n) {
  return sn_suggest_nearest(word, candidates, n);
}

int usage_error(const command *c, const char *format, ...) {
  char text[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fprintf(stderr, "sinew%s%s: ", c ? " " : "", c ? c->name : "");
  print_plain(stderr, text);
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

// The switches of what is drawn, SN_SCENE_SHOWS, are options of the commands that take --show:
// --contact or --contacts, --no-shadow. A word that is the name of another option, as camera, has
// the plural alone. The index of the switch; -1: it is none.
static int find_switch(const command *c, const char *name, size_t n) {
  const char *word;
  for (int i = 0; accepts(c, "show") && (word = sn_scene_show_word(i, NULL, NULL)); i++) {
    const size_t length = strlen(word);
    if (strncmp(word, name, length) == 0 &&
        (n == length || (n == length + 1 && name[length] == 's'))) {
      return i;
    }
  }
  return -1;
}

static const char *meaning_of(const command *c, const option_row *row) {
  for (const option_meaning *m = c->meanings; m && m->name; m++) {
    if (strcmp(m->name, row->name) == 0) {
      return m->meaning;
    }
  }
  return row->meaning;
}

const char *input_cure(const command *c, const char *name) {
  return accepts(c, "input") && (input_has(name) || strcmp(name, "ctrl_sequence") == 0)
             ? "; controls and states are set with --input FILE.json"
             : "";
}

// Lists the commands that have an option: "render, view"; returns how many there are.
static int list_owners(const char *option, char *out, size_t size) {
  const command *c;
  int count = 0;
  out[0] = '\0';
  for (int i = 0; (c = command_at(i)); i++) {
    if (!c->hidden && accepts(c, option)) {
      strncat(out, count++ ? ", " : "", size - strlen(out) - 1);
      strncat(out, c->name, size - strlen(out) - 1);
    }
  }
  return count;
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
  if (in_list("solver integrator executor renderer", word)) {
    return usage_error(c, "unknown option --%s; write --set %s=NAME", word, word);
  }
  const char *cure = input_cure(c, word);
  if (*cure) {
    return usage_error(c, "unknown option --%s%s", word, cure);
  }
  char owners[160];
  const int nowner = list_owners(word, owners, sizeof owners);
  if (nowner > 0) {
    return usage_error(c, "unknown option --%s; it is an option of the command%s %s", word,
                       nowner > 1 ? "s" : "", owners);
  }
  const char *near = nearest_word(word, names, count);
  for (int i = 0; i < count; i++) {   // --output means --out
    near = strncmp(names[i], word, strlen(names[i])) == 0 ? names[i] : near;
  }
  return usage_error(c, "unknown option --%s%s%s%s", word, near ? "; did you mean --" : "",
                     near ? near : "", near ? "?" : "");
}

// The record of a run has the name of a JSON file, unlike what is recorded of its steps.
static int names_run_record(const options *o, const option_row *row, const char *text) {
  const size_t n = strlen(text);
  return row->type == RECORD && accepts(o->command, "verify") && n > 5 &&
         strcmp(text + n - 5, ".json") == 0;
}

static int set_value(options *o, const option_row *row, const char *text) {
  char *target = (char *)o + row->offset, *end;
  if (names_run_record(o, row, text)) {
    o->record_file = text;
    return DONE;
  }
  if (row->type == TEXT || row->type == RECORD) {
    memcpy(target, &text, sizeof text);
    return DONE;
  }
  if (row->type == FILES) {
    o->plugin[o->nplugin++] = text;
    return DONE;
  }
  if (row->type == SETTING || row->type == LISTS) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
      return usage_error(o->command, "--%s takes %s, not '%s'", row->name, row->value, text);
    }
    if (row->type == LISTS) {
      o->vary[o->nvary++] = text;
    } else {
      o->set[o->nset++] = text;
    }
    return DONE;
  }
  errno = 0;
  if (row->type == SECONDS) {
    const double longest = 1e12;
    double value;
    const char *after = sn_read_number(text, &value);
    if (after == text || *after || !(value >= 0 && value <= longest)) {
      return usage_error(o->command, "--%s takes a number of seconds, from 0 to %g, not '%s'",
                         row->name, longest, text);
    }
    memcpy(target, &value, sizeof value);
    return DONE;
  }
  // without steps, as with --time 0, there is only the start
  const int may_be_0 = row->offset == offsetof(options, seed) ||
                       row->offset == offsetof(options, steps);
  int64_t value = strtoll(text, &end, 10);
  if (end == text || *end || errno || value < !may_be_0) {
    return usage_error(o->command, "--%s takes an integer, at least %d, not '%s'", row->name,
                       !may_be_0, text);
  }
  memcpy(target, &value, sizeof value);
  return DONE;
}

// Whether an option that may be given once was given before; reported. --record has two meanings.
static int is_repeated(options *o, const option_row *row, const char *text) {
  if (row->type == FILES || row->type == SETTING || row->type == LISTS) {
    return 0;
  }
  const uint64_t bit = names_run_record(o, row, text) ? 1ull << NROWS : 1ull << (row - rows);
  if (!(o->given & bit)) {
    o->given |= bit;
    return 0;
  }
  usage_error(o->command, "--%s is given twice%s", row->name,
              strstr(row->value, "...") || row->type == RECORD
                  ? "; separate the values of a list by commas"
                  : "");
  return 1;
}

static const option_row *find_letter(const command *c, char letter) {
  for (int i = 0; i < NROWS; i++) {
    if (rows[i].letter == letter && accepts(c, rows[i].name)) {
      return &rows[i];
    }
  }
  return NULL;
}

// Is this argument an option, and so no value of the one before? As a value, it is written
// --title=--text.
static int is_option(const command *c, const char *text) {
  const size_t n = strcspn(text, "=");
  return text[0] == '-' && text[1] == '-'
             ? n > 2 && find_row(c, text + 2, n - 2) != NULL
             : text[0] == '-' && text[1] && !text[2] && find_letter(c, text[1]);
}

// One option, whose value is `text`, or the next argument if it is NULL; *i is advanced then.
static int read_value(options *o, const option_row *row, const char *text, int argc, char **argv,
                      int *i) {
  if (row->type == FLAG) {
    *(int *)((char *)o + row->offset) = 1;
    return DONE;
  }
  if (!text && (*i + 1 >= argc || is_option(o->command, argv[*i + 1]))) {
    return usage_error(o->command, "--%s takes a value: --%s %s, %s", row->name, row->name,
                       row->value, meaning_of(o->command, row));
  }
  text = text ? text : argv[++*i];
  return is_repeated(o, row, text) ? USAGE : set_value(o, row, text);
}

// an argument that starts with "--"
static int read_long(options *o, int argc, char **argv, int *i) {
  const char *name = argv[*i] + 2, *equals = strchr(name, '=');
  size_t n = equals ? (size_t)(equals - name) : strlen(name);
  const option_row *row = find_row(o->command, name, n);
  const int off = n > 3 && strncmp(name, "no-", 3) == 0 ? 3 : 0;
  const int shown = row ? -1 : find_switch(o->command, name + off, n - (size_t)off);
  if (!row && shown < 0) {
    return unknown_option(o->command, name, n);
  }
  if (equals && (!row || row->type == FLAG)) {
    return usage_error(o->command, "--%.*s takes no value", (int)n, name);
  }
  if (!row) {
    o->shown[shown] = off ? -1 : 1;
    return DONE;
  }
  return read_value(o, row, equals ? equals + 1 : NULL, argc, argv, i);
}

// an argument of letters: "-q", "-qv", "-oFILE"
static int read_letters(options *o, int argc, char **argv, int *i) {
  for (const char *p = argv[*i] + 1; *p; p++) {
    const option_row *row = find_letter(o->command, *p);
    if (!row) {
      return argv[*i][2] ? usage_error(o->command, "unknown option -%c in '%s'", *p, argv[*i])
                         : usage_error(o->command, "unknown option -%c", *p);
    }
    if (row->type != FLAG) {
      return read_value(o, row, p[1] ? p + 1 : NULL, argc, argv, i);
    }
    read_value(o, row, NULL, argc, argv, i);
  }
  return DONE;
}

// ------------------------------------------------------------------ usage

// The end of the first of the alternatives, which " | " separates outside of brackets.
static const char *alternative_end(const char *p) {
  for (int depth = 0; *p && (depth || strncmp(p, " | ", 3) != 0); p++) {
    depth += (*p == '[') - (*p == ']');
  }
  return p;
}

// Whether the first operand is an action, such as list.
static int has_actions(const command *c) {
  return *alternative_end(c->operands) != '\0';
}

static void print_usage(FILE *file, const command *c) {
  const char *p = c->operands, *title = "usage:";
  do {
    const char *end = alternative_end(p);
    fprintf(file, "%s%s%s sinew %s%s%.*s [OPTION]...\n", styled(file, BOLD), title,
            styled(file, PLAIN), c->name, end > p ? " " : "", (int)(end - p), p);
    title = "      ";
    p = end + (*end ? 3 : 0);
  } while (*p);
}

static int check_operands(const options *o) {
  const command *c = o->command;
  if (o->noperand < c->min) {
    if (has_actions(c)) {
      print_usage(stderr, c);
      fprintf(stderr, "see 'sinew %s --help'\n", c->name);
      return USAGE;
    }
    return usage_error(c, "%.*s is missing", (int)strcspn(c->operands, " "), c->operands);
  }
  if (c->max >= 0 && o->noperand > c->max) {
    return usage_error(c, "unexpected argument '%s'", o->operand[c->max]);
  }
  if (o->time >= 0 && o->steps >= 0) {
    return usage_error(c, "--time and --steps cannot be combined; use one of them");
  }
  if (o->json && o->out && strcmp(o->out, "-") == 0) {
    return usage_error(c, "--json and --out - would both write to standard output");
  }
  return DONE;
}

int options_read(options *o, const command *c, int argc, char **argv) {
  *o = (options){ .command = c, .time = -1, .steps = -1 };
  o->set = calloc((size_t)argc + 1, sizeof *o->set);
  o->vary = calloc((size_t)argc + 1, sizeof *o->vary);
  o->plugin = calloc((size_t)argc + 1, sizeof *o->plugin);
  o->operand = calloc((size_t)argc + 1, sizeof *o->operand);
  if (!o->set || !o->vary || !o->plugin || !o->operand) {
    return report_text(o, NULL, 0, 0, "out of memory for the arguments");
  }
  int only_operands = 0, status = DONE;
  for (int i = 0; i < argc && status == DONE; i++) {
    if (only_operands || argv[i][0] != '-' || !argv[i][1]) {
      o->operand[o->noperand++] = argv[i];
    } else if (strcmp(argv[i], "--") == 0) {
      only_operands = 1;
    } else {
      status = (argv[i][1] == '-' ? read_long : read_letters)(o, argc, argv, &i);
    }
  }
  return status != DONE || o->help ? status : check_operands(o);
}

void options_free(options *o) {
  free(o->set);
  free(o->vary);
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

void print_wrapped(int column, int start, int end, const char *text) {
  int first = 1;
  while (*text) {
    int n = (int)strcspn(text, " ");
    if (column + n + !first > end) {
      printf("\n%*s", start, "");
      column = start;
      first = 1;
    }
    column += printf("%s%.*s", first ? "" : " ", n, text);
    first = 0;
    text += n + (text[n] == ' ');
  }
  putchar('\n');
}

// The option that changes a switch: --no-shadow where shadows are on by default.
static int switch_at(const command *c, int index, option_help *out) {
#define SWITCH_ON_OFF(name, word, key, value, meaning) \
  value ? "draw without " meaning : "draw with " meaning,
  static const char *const meanings[] = { SN_SCENE_SHOWS(SWITCH_ON_OFF) };
#undef SWITCH_ON_OFF
  const sn_scene_options standard = sn_scene_default_options();
  const char *word = accepts(c, "show") ? sn_scene_show_word(index, NULL, NULL) : NULL;
  if (!word) {
    return 0;
  }
  *out = (option_help){ .meaning = meanings[index] };
  snprintf(out->name, sizeof out->name, "%s%s%s", standard.show[index] ? "no-" : "", word,
           find_row(c, word, strlen(word)) ? "s" : "");
  return 1;
}

int option_at(const command *c, int index, option_help *out) {
  for (int i = 0; i < NROWS; i++) {
    if (accepts(c, rows[i].name) && index-- == 0) {
      *out = (option_help){ .value = rows[i].value,
                            .meaning = meaning_of(c, &rows[i]),
                            .letter = rows[i].letter };
      snprintf(out->name, sizeof out->name, "%s", rows[i].name);
      return 1;
    }
  }
  return switch_at(c, index, out);
}

static void print_option(const option_help *option) {
  char head[48];
  snprintf(head, sizeof head, "--%s%s%s", option->name, option->value ? " " : "",
           option->value ? option->value : "");
  printf("  %c%c%s%-19s ", option->letter ? '-' : ' ', option->letter ? option->letter : ' ',
         option->letter ? ", " : "  ", head);
  print_wrapped(26, 26, 98, option->meaning);
}

// lines, each after two spaces
static void print_lines(const char *title, const char *lines) {
  printf("\n%s%s%s\n", styled(stdout, BOLD), title, styled(stdout, PLAIN));
  while (*lines) {
    const int n = (int)strcspn(lines, "\n");
    printf("  %.*s\n", n, lines);
    lines += n + (lines[n] == '\n');
  }
}

void options_help(const command *c) {
  option_help option;
  print_usage(stdout, c);
  printf("\n%s.\n\n", c->summary);
  for (int i = 0; option_at(c, i, &option); i++) {
    print_option(&option);
  }
  printf("%s%s", *c->story ? "\n" : "", c->story);
  if (c->examples) {
    print_lines("Examples:", c->examples);
  }
}
