// SPDX-License-Identifier: Apache-2.0
//
// sinew: looks up the subcommand and hands it its arguments.

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "json.h"

static const command *const commands[] = {
  &run_command,     &inspect_command, &state_command,    &trace_command,   &bench_command,
  &compile_command, &convert_command, &schema_command,   &plugins_command, &config_command,
  &problem_command, &manual_command,  &complete_command,
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

const char sinew_story[] =
    "sinew COMMAND --help lists the options of a command, --version prints the version.\n"
    "With --json, load_warnings lists what a loader changed or ignored, load_notes further\n"
    "information.\n"
    "Exit status: 0 done; 1 the model or the run failed, or the output cannot be written;\n"
    "2 wrong usage of the command; 130, 143: interrupted by SIGINT (Ctrl-C), SIGTERM.\n";

const command *command_at(int index) {
  return index < NCOMMANDS ? commands[index] : NULL;
}

static void print_help(FILE *file) {
  fputs("usage: sinew COMMAND [ARGUMENT]...\n\n", file);
  for (int i = 0; i < NCOMMANDS; i++) {
    if (!commands[i]->hidden) {
      fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
  }
  fprintf(file, "\n%s", sinew_story);
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
  const char *names[NCOMMANDS];
  for (int i = 0; i < NCOMMANDS; i++) {
    names[i] = commands[i]->name;
  }
  const char *near = nearest_word(name, names, NCOMMANDS);
  return usage_error(NULL, "unknown command '%s'%s%s%s", name, near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
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

static int start(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return USAGE;
  }
  const char *word = argv[1];
  int help = strcmp(word, "help") == 0;
  if (strcmp(word, "--version") == 0) {
    return print_version(argc > 2 && strcmp(argv[2], "--json") == 0);
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && argc < 3)) {
    print_help(stdout);
    return DONE;
  }
  const command *c = command_named(help ? argv[2] : word);
  if (!c) {
    return unknown_command(help ? argv[2] : word);
  }
  if (help) {
    options_help(c);
    return DONE;
  }
  return call(c, argc - 2, argv + 2);
}

int main(int argc, char **argv) {
  standard_open();
  return standard_close(start(argc, argv));
}
