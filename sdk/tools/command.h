// SPDX-License-Identifier: Apache-2.0
//
// The `sinew` command. Each subcommand is a file with a table row at its foot; main.c looks the
// row up, options.c reads the arguments that the row accepts, session.c opens the engine and the
// model. Everything is written against the public interface alone.
//
// Exit status: 0 done; 1 the model or the run failed, or standard output could not be written; 2
// the command was called wrongly; 130, 143: interrupted by SIGINT or SIGTERM.

#ifndef SINEW_COMMAND_H
#define SINEW_COMMAND_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sinew/scene.h"
#include "sinew/sinew.h"

enum { DONE = 0, FAILED = 1, USAGE = 2 };

typedef struct options options;

// A subcommand.
// What an option means to one command, where that is not what it means to the others.
typedef struct option_meaning {
  const char *name, *meaning;
} option_meaning;

typedef struct command {
  const char *name;
  const char *operands;    // as in the usage line: "MODEL [FIELD]..."
  const char *summary;     // one line
  const char *accepts;     // names of its options, "json config set"
  const char *story;       // what --help says besides
  const char *examples;    // lines of a shell; each works by itself in an empty folder, tested
  int min, max;            // operands; max -1: any number
  int takes_model;         // --set reaches the options of the model
  int hidden;              // for build files and shells: not listed by --help
  const option_meaning *meanings;   // of some of its options, up to one without a name; or NULL
  int (*run)(const options *o);
} command;

extern const command run_command, inspect_command, state_command, trace_command, bench_command;
extern const command compile_command, convert_command, plugins_command, config_command;
extern const command problem_command, schema_command, fields_command, manual_command;
extern const command complete_command, plot_command, compare_command, share_command;
extern const command view_command, rollout_command, render_command, cache_command;

// The table of commands, hidden ones last, by index from 0. NULL: there are no more.
const command *command_at(int index);
const command *command_named(const char *name);
// What --help says below the list of commands.
extern const char sinew_story[];

// The arguments of one call. Texts belong to the argument vector.
struct options {
  const command *command;
  const char *config;      // --config INI; NULL: $SINEW_CONFIG
  const char *profile;     // --profile NAME; NULL: $SINEW_PROFILE, or what an ini says
  const char *input;       // --input FILE; NULL: none, "-": standard input
  const char *out;         // --out FILE
  const char *key;         // --key: name or index of a keyframe
  const char *record;      // --record: see record.h
  const char *record_file; // --record FILE.json, the record of the run: see run_record.h
  const char *verify;      // --verify FILE.json
  const char *sample;      // --sample FILE
  const char *language;    // --language c|c++
  const char *x, *y;       // --x COLUMN, --y COLUMN,...
  const char *title;       // --title TEXT
  const char *plot;        // --plot FILE
  const char *integrator, *collision;   // what `compare` compares, as --solver
  int64_t fine;            // --fine N; 0: not given
  const char *camera, *size, *depth, *segment;   // of images
  const char *show, *hide, *label, *frame, *groups;
  int8_t shown[SN_SHOWS_CAPACITY];   // --contact: 1, --no-contact: -1, for each SN_SHOW_*
  const char *format;      // --format NAME
  double time;             // --time: seconds; negative: not given
  int64_t steps;           // --steps; negative: not given
  int64_t every;           // --every; 0: not given
  int64_t fps;             // --fps; 0: not given
  int64_t port;            // --port; 0: not given
  int64_t n, seed;         // --n, --seed; 0: not given
  const char *executor;    // --executor NAME
  const char *inputs;      // --inputs FILE.npy
  const char *stop;        // --stop NAME=MIN:MAX,...
  const char *shard;       // --shard I/N
  const char *solver;      // --solver a,b,c
  int no_cache;            // --no-cache
  int json, inverse, strict, stages, check_plugins, markdown, quiet, verbose, help, web;
  const char **set;        // --set NAME=VALUE, in order
  const char **vary;       // --vary NAME=A,B,..., in order
  const char **plugin;     // --plugin FILE, in order
  const char **operand;
  const char **listed;     // nlisted: whose lists the last ones of `set` are from: "solver", "vary"
  int nset, nvary, nplugin, noperand, nlisted;
  uint64_t given;          // of options.c: those that were given
};

// Reads argv[0..argc-1], which follow the subcommand. DONE or USAGE, then with a message printed.
int options_read(options *o, const command *c, int argc, char **argv);
void options_free(options *o);
// Prints usage, options and examples of a subcommand on standard output.
void options_help(const command *c);
// The options that a command accepts, by index from 0; 0: there are no more. value: as --help shows
// it, "FILE"; NULL for flags.
typedef struct option_help {
  char name[32];
  const char *value, *meaning;
  char letter;   // short form, 'o' of -o; 0: none
} option_help;
int option_at(const command *c, int index, option_help *out);
// Prints a text and a newline, broken at spaces before column `end`; further lines start at column
// `start`. column: where the text starts.
void print_wrapped(int column, int start, int end, const char *text);
// Prints "sinew COMMAND: message" and a hint on standard error. USAGE.
int usage_error(const command *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The candidate that differs least from a misspelt word; NULL: none is near.
const char *nearest_word(const char *word, const char *const *candidates, int n);

// What a subcommand works with. Close it in any case.
typedef struct session {
  const options *o;
  sn_error *error;
  sn_engine *engine;
  sn_model *model;
  sn_data *data;
} session;

// Each returns DONE, or FAILED or USAGE after reporting.
int session_open(session *s, const options *o);            // engine, with --plugin and --set
int session_prepare(session *s);                           // an open engine: --plugin and --set
int session_set_options(session *s);                       // a loaded model: --set
// The engine alone, of --config and --profile. flags: SN_ENGINE_*. NULL, with an error.
sn_engine *session_engine(const options *o, uint32_t flags, sn_error *error);
int session_load(session *s, const char *name);            // model and data, with --set options
int session_start(session *s);                             // state: --key
void session_close(session *s);
// Steps to simulate: --steps, or --time in steps of the model; if neither is given, those of the
// ctrl_sequence, or `seconds`. sequence: steps of the ctrl_sequence, which must be enough; -1:
// there is none. seconds negative: one of the options is needed. DONE, or FAILED or USAGE after
// reporting.
int session_steps(const session *s, double seconds, int64_t sequence, int64_t *steps);
// A further data of the same model at the same state; nothing is evaluated. NULL after reporting.
sn_data *session_twin(session *s);

// The name that a plugin gets from its file: "newton" of "newton", "solvers/newton.so".
void plugin_name(const char *path, char *out, size_t capacity);

// message.c
// Reports an error: JSON on standard output with --json, else text on standard error. FAILED.
int report(const options *o, const sn_error *error);
int report_text(const options *o, const char *file, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Prints notes and warnings of a model, or of a spec where it is NULL. FAILED: there are warnings,
// --strict makes errors of them.
int tell_warnings(const options *o, const sn_model *m, const sn_spec *spec);
// The level of messages of the library: warnings; all of them with --verbose, none with --quiet.
void messages_of(sn_engine *engine, const options *o);
// The same without warnings of steps, until messages_of: for a twin, whose simulation has the same.
void messages_of_twin(sn_engine *engine, const options *o);
// Prints a text with its control characters, but for lines and tabs, as \x1b.
void print_plain(FILE *file, const char *text);
// Prints "sinew: note: ..." on standard error, unless --quiet or --json.
void note(const options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Prints "sinew: warning: ..." on standard error, unless --quiet.
void warn(const options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Whether the progress of a command is shown: on a terminal.
int shows_progress(const options *o);
// Ends the line of progress.
void clear_progress(const options *o);
// The step or evaluation of a data failed: reports why.
int report_data(const options *o, const sn_data *d, sn_status status);

// Escape sequences of a terminal; "" where the stream is none, or $NO_COLOR is set.
typedef enum style { PLAIN, BOLD, RED, YELLOW, GREEN, CYAN } style;
const char *styled(FILE *stream, style s);

// model.c
// The file of a model that is named: the file itself, with an ending added, else a sample. Standard
// input and what shells hand over (/dev/fd/3) become files in memory of the engine. DONE, or FAILED
// after reporting, with similar names. whole: 0, or MODEL_WHOLE_PATH.
enum { MODEL_WHOLE_PATH = 1 };
int model_find(session *s, const char *name, int whole, char *path, size_t capacity);
// The folder of the sample models, in PATH_MAX bytes. False: there is none.
int sample_folder(char *out);
// A path relative to the folder of this program. False: it is too long.
int beside_program(char *out, size_t capacity, const char *relative);
// The whole of a file, of standard input ("-", /dev/stdin) or of a descriptor (/dev/fd/3), to be
// freed; NULL after reporting.
char *read_whole(const options *o, const char *path, int64_t *count);
// Whether a path is standard input or a descriptor.
int is_descriptor(const char *path);

// Where the result goes: --out, /dev/stdout for "-".
const char *out_path(const options *o);
// The extension of a file's name, ".npy"; "" without one, as of /dev/stdout.
const char *extension_of(const char *path);
// DONE where a name, or NULL, has no extension, or one of these, such as ".html or .htm"; else
// USAGE after reporting.
int check_extension(const options *o, const char *option, const char *path, const char *endings);
// Where the report goes: standard output, or standard error where the result is on standard output.
FILE *report_stream(const options *o);

// Reads --input into the data. When `controls` is not NULL the file may have a ctrl_sequence: it
// is returned, nstep x nu numbers, to be freed. DONE, or FAILED after reporting.
int input_apply(session *s, const char *path, double **controls, int64_t *nstep);
// Is this a member of the file of --input that sets controls or the state?
int input_has(const char *name);
// The end of a message about an unknown option that is such a member; "": it is none, or the
// command has no --input.
const char *input_cure(const command *c, const char *name);

// The options of a model.
sn_option model_options(const sn_model *m);
// Index of a keyframe by name or number; -1 when there is none.
int32_t find_key(const sn_model *m, const char *text);
// All keyframes in one line, for messages.
const char *list_keys(const sn_model *m, char *out, size_t capacity);

// standard.c: at the start and the end of the program. standard_close returns the exit status;
// where standard output could not be written that is FAILED, after a message.
void standard_open(void);
int standard_close(int status);
// ending.c: from now on a plugin that ends the process, by exit or a fault, is named.
void endings_watch(const options *o);
void endings_done(void);   // the command is about to return from main
// Where the handler of a fault notes whether it is a stack overflow, for the parent of a process;
// NULL: nowhere.
extern volatile int32_t *stack_overflow;
// From now on the first SIGINT or SIGTERM asks the command to stop: it ends its loop and prints
// what it has; its exit status is signals_status(DONE), 128 + the number of the signal.
void signals_catch(void);
int signals_came(void);
const volatile int32_t *signals_flag(void);   // another value than 0: a signal came
int signals_status(int status);

// Seconds of a clock that only goes forward.
double wall_clock(void);
// The middle of n numbers, which are sorted in place.
double median(double *x, int n);
// Is the word among the n operands from `first` on? True as well when there are none.
int wanted(const options *o, int first, const char *word);
// Is the word one of those, separated by spaces, of the list?
int in_list(const char *list, const char *word);

#endif
