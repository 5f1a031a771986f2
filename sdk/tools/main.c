// SPDX-License-Identifier: Apache-2.0
//
// sinew: looks up the subcommand and hands it its arguments.

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "sinew/suggest.h"
#include "tools/json/json.h"

static const command *const commands[] = {
  &run_command,    &inspect_command, &state_command,   &trace_command,    &bench_command,
  &fields_command, &compile_command, &convert_command, &schema_command,   &plugins_command,
  &config_command, &problem_command, &compare_command, &rollout_command,  &plot_command,
  &render_command, &share_command,   &view_command,    &cache_command,    &manual_command,
  &complete_command,
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

const char sinew_story[] =
    "`sinew COMMAND --help` lists the options of a command, `sinew --version` prints the version,\n"
    "`sinew help --json` lists all commands, options and examples. A model is a file, a sample\n"
    "such as pendulum, or - for standard input.\n"
    "With --json, load_warnings lists what a loader changed or ignored, load_notes further\n"
    "information, and warnings counts those of the simulation by name.\n"
    "Terminals show colors, unless $NO_COLOR is set.\n"
    "Exit status: 0 done; 1 the model or the run failed, or the output cannot be written;\n"
    "2 wrong usage of the command; 130, 143: interrupted by SIGINT (Ctrl-C), SIGTERM.\n";

const command *command_at(int index) {
  return index < NCOMMANDS ? commands[index] : NULL;
}

static void print_help(FILE *file) {
  fprintf(file, "%susage:%s sinew COMMAND [ARGUMENT]...\n\n", styled(file, BOLD),
          styled(file, PLAIN));
  for (int i = 0; i < NCOMMANDS; i++) {
    if (!commands[i]->hidden) {
      fprintf(file, "  %s%-10s%s %s\n", styled(file, BOLD), commands[i]->name, styled(file, PLAIN),
              commands[i]->summary);
    }
  }
  fprintf(file, "\n%s", sinew_story);
}

static void list_options(json *j, const command *c) {
  option_help option;
  json_list(j, "options");
  for (int i = 0; option_at(c, i, &option); i++) {
    const char letter[2] = { option.letter };
    json_object(j, NULL);
    json_text(j, "name", option.name);
    json_text(j, "letter", letter);
    json_text(j, "value", option.value);
    json_text(j, "meaning", option.meaning);
    json_end(j);
  }
  json_end(j);
}

static void list_examples(json *j, const command *c) {
  json_list(j, "examples");
  for (const char *p = c->examples ? c->examples : ""; *p;) {
    const size_t n = strcspn(p, "\n");
    char *line = strndup(p, n);
    json_text(j, NULL, line);
    free(line);
    p += n + (p[n] == '\n');
  }
  json_end(j);
}

// The table of commands.
static int print_table(void) {
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_list(&j, "commands");
  for (int i = 0; i < NCOMMANDS; i++) {
    json_object(&j, NULL);
    json_text(&j, "name", commands[i]->name);
    json_text(&j, "operands", commands[i]->operands);
    json_text(&j, "summary", commands[i]->summary);
    json_text(&j, "story", commands[i]->story);
    json_bool(&j, "hidden", commands[i]->hidden);
    list_options(&j, commands[i]);
    list_examples(&j, commands[i]);
    json_end(&j);
  }
  json_end(&j);
  return json_finish(&j) ? DONE : FAILED;
}

static int print_version(int as_json) {
  if (!as_json) {
    printf("sinew %s, plugin interface %d.%d\n", sn_version(), SN_ABI_MAJOR, SN_ABI_MINOR);
    return DONE;
  }
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "version", sn_version());
  json_integer(&j, "abi_major", SN_ABI_MAJOR);
  json_integer(&j, "abi_minor", SN_ABI_MINOR);
  return json_finish(&j) ? DONE : FAILED;
}

const command *command_named(const char *name) {
  for (int i = 0; i < NCOMMANDS; i++) {
    if (strcmp(commands[i]->name, name) == 0) {
      return commands[i];
    }
  }
  return NULL;
}

static int unknown_command(const char *name) {
  if (name[0] == '-') {
    return usage_error(NULL, "unknown option '%s'; options follow the command", name);
  }
  const char *names[NCOMMANDS + 2] = { [NCOMMANDS] = "help", [NCOMMANDS + 1] = "version" };
  for (int i = 0; i < NCOMMANDS; i++) {
    names[i] = commands[i]->name;
  }
  char hint[SN_SUGGEST_TEXT];
  const char *near = nearest_word(name, names, NCOMMANDS + 2);
  return usage_error(NULL, "unknown command '%s'%s", name,
                     sn_suggest_text(hint, sizeof hint, near, NULL));
}

static int call(const command *c, int argc, char **argv) {
  options o;
  int status = options_read(&o, c, argc, argv);
  if (status == DONE && o.help) {
    options_help(c);
  } else if (status == DONE) {
    endings_watch(&o);
    status = c->run(&o);
  }
  options_free(&o);
  return status;
}

static int is_any(const char *word, const char *a, const char *b, const char *c) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

// sinew help [COMMAND], sinew help --json
static int help(const char *word) {
  if (!word) {
    print_help(stdout);
    return DONE;
  }
  if (strcmp(word, "--json") == 0) {
    return print_table();
  }
  const command *c = command_named(word);
  if (!c) {
    return unknown_command(word);
  }
  options_help(c);
  return DONE;
}

static int start(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return USAGE;
  }
  const char *word = argv[1], *next = argc > 2 ? argv[2] : NULL;
  if (is_any(word, "--version", "-V", "version")) {
    return print_version(next && strcmp(next, "--json") == 0);
  }
  if (is_any(word, "--help", "-h", "help")) {
    return help(next);
  }
  if (word[0] == '-' && next) {
    return usage_error(NULL, "'%s' must follow a command, as in: sinew %s %s", word, next, word);
  }
  const command *c = command_named(word);
  return c ? call(c, argc - 2, argv + 2) : unknown_command(word);
}

// The C library keeps freed blocks, and the larger the ones that were freed, the more: files and
// pixels that were read while a model is loaded would count until the end. A step frees nothing.
static void keep_little_memory(void) {
  enum { MOST_KEPT = 128 << 10 };
  mallopt(M_TRIM_THRESHOLD, MOST_KEPT);
}

int main(int argc, char **argv) {
  keep_little_memory();
  standard_open();
  const int status = standard_close(start(argc, argv));
  endings_done();
  return status;
}
