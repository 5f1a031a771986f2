// SPDX-License-Identifier: Apache-2.0
//
// What the command tells: errors, warnings, notes, progress, and where reports go. Errors are JSON
// on standard output with --json, else text on standard error, as all other messages.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "tools/json/json.h"

// Control characters, which a name may have, could do anything to a terminal.
void print_plain(FILE *file, const char *text) {
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    if ((*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f) {
      fprintf(file, "\\x%02x", *p);
    } else {
      fputc(*p, file);
    }
  }
}

// ------------------------------------------------------------------ errors

static void print_failure(const options *o, const char *file, int line, int column,
                          const char *message) {
  if (o->json) {
    json j;
    json_start(&j, stdout);
    json_bool(&j, "ok", 0);
    json_text(&j, "error", message);
    json_text(&j, "file", file);
    json_integer(&j, "line", line);
    json_integer(&j, "column", column);
    json_finish(&j);
    return;
  }
  fprintf(stderr, "%ssinew:%s ", styled(stderr, RED), styled(stderr, PLAIN));
  if (file) {
    print_plain(stderr, strcmp(file, "-") == 0 ? "standard input" : file);
    fputc(':', stderr);
    if (line > 0) {
      fprintf(stderr, "%d:", line);
    }
    if (line > 0 && column > 0) {
      fprintf(stderr, "%d:", column);
    }
    fputc(' ', stderr);
  }
  print_plain(stderr, message);
  fputc('\n', stderr);
}

int report(const options *o, const sn_error *error) {
  const char *message = error ? sn_error_message(error) : "out of memory";
  print_failure(o, error ? sn_error_file(error) : NULL, error ? sn_error_line(error) : 0,
                error ? sn_error_column(error) : 0, *message ? message : "it failed");
  return FAILED;
}

int report_text(const options *o, const char *file, int line, int column, const char *format, ...) {
  char message[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  print_failure(o, file, line, column, message);
  return FAILED;
}

int report_data(const options *o, const sn_data *d, sn_status status) {
  const sn_error *error = sn_data_error(d);
  if (error && *sn_error_message(error)) {
    return report(o, error);
  }
  return report_text(o, NULL, 0, 0, "the simulation failed: %s", sn_status_name(status));
}

// "sinew: warning: ..."
static void print_message(style color, const char *label, const char *format, va_list list) {
  char text[4096];
  vsnprintf(text, sizeof text, format, list);
  fprintf(stderr, "sinew: %s%s:%s ", styled(stderr, color), label, styled(stderr, PLAIN));
  print_plain(stderr, text);
  fputc('\n', stderr);
}

void note(const options *o, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (!o->json && !o->quiet) {
    print_message(CYAN, "note", format, list);
  }
  va_end(list);
}

void warn(const options *o, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (!o->quiet) {
    print_message(YELLOW, "warning", format, list);
  }
  va_end(list);
}

// ------------------------------------------------------------------ of the library

// The first few of them: a run that goes wrong repeats itself.
static void log_message(void *context, int32_t level, const char *topic, const char *text) {
  enum { MOST = 10 };
  static int printed;
  const options *o = context;
  if (o->quiet || (level < SN_LOG_WARNING && !o->verbose)) {
    return;
  }
  if (level >= SN_LOG_WARNING && !o->verbose && printed++ >= MOST) {
    if (printed == MOST + 1) {
      fputs("sinew: further warnings are not shown\n", stderr);
    }
    return;
  }
  const int is_warning = level >= SN_LOG_WARNING;
  const int is_error = level >= SN_LOG_ERROR;
  const char *label = is_error ? "error" : is_warning ? "warning" : topic ? topic : "note";
  const style color = is_error ? RED : is_warning ? YELLOW : PLAIN;
  fprintf(stderr, "sinew: %s%s:%s ", styled(stderr, color), label, styled(stderr, PLAIN));
  // topics of the library say nothing that the text does not; those of plugins are their names
  if (is_warning && topic && *topic && !in_list("step load plugin configuration rollout", topic)) {
    fprintf(stderr, "%s: ", topic);
  }
  print_plain(stderr, text);
  fputc('\n', stderr);
}

void messages_of(sn_engine *engine, const options *o) {
  sn_engine_set_log(engine, log_message, (void *)(uintptr_t)o);
}

static void log_of_twin(void *context, int32_t level, const char *topic, const char *text) {
  if (level != SN_LOG_WARNING || !topic || strcmp(topic, "step") != 0) {
    log_message(context, level, topic, text);
  }
}

void messages_of_twin(sn_engine *engine, const options *o) {
  sn_engine_set_log(engine, log_of_twin, (void *)(uintptr_t)o);
}

// ------------------------------------------------------------------ of a model

int tell_warnings(const options *o, const sn_model *m, const sn_spec *spec) {
  const char *text, *first = NULL;
  int64_t n = 0;
  for (int64_t i = 0; (text = m ? sn_model_note(m, i) : sn_spec_note(spec, i)); i++) {
    note(o, "%s", text);
  }
  for (; (text = m ? sn_model_warning(m, n) : sn_spec_warning(spec, n)); n++) {
    first = first ? first : text;
    if (o->strict && !o->json) {
      fprintf(stderr, "sinew: %serror:%s %s\n", styled(stderr, RED), styled(stderr, PLAIN), text);
    } else if (!o->json) {
      warn(o, "%s", text);
    }
  }
  if (n == 0 || !o->strict) {
    return DONE;
  }
  return o->json ? report_text(o, NULL, 0, 0, "%s (--strict: %lld warnings are errors)", first,
                               (long long)n)
                 : report_text(o, NULL, 0, 0, "--strict: %lld warning%s", (long long)n,
                               n == 1 ? " is an error" : "s are errors");
}

// ------------------------------------------------------------------ streams

const char *styled(FILE *stream, style s) {
  static const char *const sequences[] = { "\033[0m",  "\033[1m",  "\033[31;1m",
                                           "\033[33m", "\033[32m", "\033[36m" };
  const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  const int dumb = !terminal || strcmp(terminal, "dumb") == 0;
  return dumb || (none && *none) || !isatty(fileno(stream)) ? "" : sequences[s];
}

static int to_standard_output(const options *o) {
  return o->out && strcmp(o->out, "-") == 0;
}

// Not among the lines of a result on the same terminal.
int shows_progress(const options *o) {
  const int is_mixed = to_standard_output(o) && isatty(STDOUT_FILENO);
  return !o->json && !o->quiet && isatty(STDERR_FILENO) && !is_mixed;
}

void clear_progress(const options *o) {
  if (shows_progress(o)) {
    fputs("\r\033[K", stderr);
  }
}

const char *extension_of(const char *path) {
  const char *dot = path ? strrchr(path, '.') : NULL;
  return dot && dot != path && !strchr(dot, '/') && dot[-1] != '/' ? dot : "";
}

int check_extension(const options *o, const char *option, const char *path, const char *endings) {
  const char *extension = extension_of(path);
  return !*extension || in_list(endings, extension)
             ? DONE
             : usage_error(o->command, "--%s '%s': the name must end in %s", option, path, endings);
}

const char *out_path(const options *o) {
  return to_standard_output(o) ? "/dev/stdout" : o->out;
}

FILE *report_stream(const options *o) {
  return to_standard_output(o) ? stderr : stdout;
}
