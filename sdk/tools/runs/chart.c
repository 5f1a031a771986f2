// SPDX-License-Identifier: Apache-2.0
//
// Charts drawn by gnuplot; see chart.h. Names come from files and models: they are quoted, and are
// never read as commands or markup.

#include "chart.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/number.h"

extern char **environ;

// ------------------------------------------------------------------ the script

// The length of the UTF-8 character at p; 0: these bytes are none.
static int utf8_length(const unsigned char *p) {
  const int n = *p < 0x80 ? 1 : *p >= 0xf0 && *p < 0xf5 ? 4 : *p >= 0xe0 ? 3 : *p >= 0xc2 ? 2 : 0;
  for (int i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80) {
      return 0;
    }
  }
  return *p >= 0xf5 ? 0 : n;
}

// As a text in double quotes, in which every character that may have a meaning is an octal number.
static void put_quoted(FILE *f, const char *text) {
  fputc('"', f);
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    const int n = utf8_length(p);
    if (n == 0 || *p < ' ' || *p == 0x7f) {
      fputc(n == 0 ? '?' : ' ', f);
    } else if (n > 1 || isalnum(*p) || strchr(" ._-,:/()", *p)) {
      fprintf(f, "%.*s", n, (const char *)p);
    } else {
      fprintf(f, "\\%03o", *p);
    }
    p += n ? n : 1;
  }
  fputc('"', f);
}

static void put_label(FILE *f, const char *what, const char *text) {
  fprintf(f, "set %s ", what);
  put_quoted(f, text);
  fputc('\n', f);
}

static int is_drawn(double x, double y, int is_log) {
  return isfinite(x) && isfinite(y) && (!is_log || y > 0);
}

static void put_data(FILE *f, const panel *p, int index, int is_log) {
  for (int i = 0; i < p->nseries; i++) {
    const series *s = &p->series[i];
    fprintf(f, "$data_%d_%d << END_OF_DATA\n", index, i);
    for (int64_t k = 0; k < s->n; k++) {
      char x[SN_NUMBER_ROOM], y[SN_NUMBER_ROOM];
      if (is_drawn(s->x[k], s->y[k], is_log)) {
        sn_write_number(x, s->x[k], 0);
        sn_write_number(y, s->y[k], 0);
        fprintf(f, "%s %s\n", x, y);
      } else {
        fputs("NaN NaN\n", f);   // a gap
      }
    }
    fputs("END_OF_DATA\n", f);
  }
}

// Points that can be drawn.
static int64_t count_points(const panel *p, int is_log) {
  int64_t n = 0;
  for (int i = 0; i < p->nseries; i++) {
    for (int64_t k = 0; k < p->series[i].n; k++) {
      n += is_drawn(p->series[i].x[k], p->series[i].y[k], is_log);
    }
  }
  return n;
}

static void put_panel(FILE *f, const panel *p, int index) {
  enum { MOST_KEYS = 24 };
  const int is_log = p->is_log && count_points(p, 1) > 0, is_empty = count_points(p, is_log) == 0;
  put_data(f, p, index, is_log);
  put_label(f, "title", p->title);
  put_label(f, "xlabel", p->x);
  put_label(f, "ylabel", p->y);
  fprintf(f, "%s logscale y\nset format y %s\n", is_log ? "set" : "unset",
          is_log ? "'%.0e'" : "'%g'");
  fputs(p->nseries > MOST_KEYS ? "unset key\n" : "set key outside right top\n", f);
  // without a point gnuplot finds no range
  fputs(is_empty ? "set xrange [0:1]\nset yrange [0:1]\nplot 2 notitle\n"
                 : "set autoscale\nset autoscale xfix\nplot ",
        f);
  for (int i = 0; i < p->nseries && !is_empty; i++) {
    fprintf(f, "%s$data_%d_%d using 1:2 with lines linewidth 1.5 title ", i ? ", " : "", index, i);
    put_quoted(f, p->series[i].name);
  }
  fputc('\n', f);
}

static const struct {
  const char *ending, *terminal;
  double scale;   // of the sizes in pixels
  const char *unit;
} formats[] = {
  { ".svg", "svg background rgb 'white' noenhanced", 1, "" },
  { ".png", "pngcairo noenhanced", 1, "" },
  { ".pdf", "pdfcairo noenhanced", 0.01, "in" },
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

static int find_format(const char *path) {
  const char *dot = strrchr(path, '.');
  for (int i = 0; i < NFORMATS; i++) {
    if (strcmp(path, "-") == 0 || (dot && strcmp(dot, formats[i].ending) == 0)) {
      return i;
    }
  }
  return -1;
}

static void put_script(FILE *f, int format, const char *title, const panel *panels, int n) {
  const double width = 960 * formats[format].scale;
  const double height = (n == 1 ? 480 : 260 * n + 40) * formats[format].scale;
  const char *unit = formats[format].unit;
  fprintf(f, "set encoding utf8\nset terminal %s size %g%s,%g%s\nset grid\nset lmargin 12\n",
          formats[format].terminal, width, unit, height, unit);
  fprintf(f, "set multiplot layout %d,1 title ", n);
  put_quoted(f, title ? title : "");
  fputc('\n', f);
  for (int i = 0; i < n; i++) {
    put_panel(f, &panels[i], i);
  }
  fputs("unset multiplot\n", f);
}

// ------------------------------------------------------------------ gnuplot

// A stream without a name, whose descriptor is inherited by no program that is not handed it.
static FILE *temporary(const options *o) {
  FILE *file = tmpfile();
  if (!file) {
    report_text(o, NULL, 0, 0, "cannot make a temporary file: %s", strerror(errno));
  }
  return file;
}

static pid_t start_gnuplot(const options *o, FILE *script, FILE *messages, int out) {
  char *const arguments[] = { "gnuplot", "-d", "-", NULL };   // -d: no settings of the user
  posix_spawn_file_actions_t actions;
  pid_t pid = -1;
  rewind(script);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(messages), STDERR_FILENO);
  const int failed = posix_spawnp(&pid, "gnuplot", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT) {
    report_text(o, NULL, 0, 0,
                "gnuplot, which draws the chart, is not installed: install the package "
                "gnuplot-nox, or draw the CSV file with another program");
  } else if (failed) {
    report_text(o, NULL, 0, 0, "gnuplot cannot be started: %s", strerror(failed));
  }
  return failed ? -1 : pid;
}

// Waits for gnuplot, and reports its first message, behind a copy of the command, if it failed.
static int end_gnuplot(const options *o, pid_t pid, FILE *messages) {
  char line[300] = "it has no message";
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return DONE;
  }
  rewind(messages);
  while (fgets(line, sizeof line, messages) && strspn(line, " \t\n^") == strlen(line)) {}
  line[strcspn(line, "\n")] = '\0';
  return report_text(o, NULL, 0, 0, "gnuplot failed: %s", line);
}

static int pass_on(const options *o, int from, sn_output *output) {
  uint8_t bytes[1 << 14];
  sn_sink *sink = sn_output_sink(output);
  ssize_t n;
  while ((n = read(from, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0 && sink->write(sink, bytes, n) < 0) {
      break;   // known to the output
    }
  }
  return n < 0 && errno != EINTR
             ? report_text(o, NULL, 0, 0, "cannot read from gnuplot: %s", strerror(errno))
             : DONE;
}

static int run_gnuplot(const options *o, FILE *script, FILE *messages, sn_output *output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) {
    return report_text(o, NULL, 0, 0, "cannot make a pipe: %s", strerror(errno));
  }
  const pid_t pid = start_gnuplot(o, script, messages, ends[1]);
  close(ends[1]);
  int status = pid < 0 ? FAILED : pass_on(o, ends[0], output);
  close(ends[0]);
  if (pid >= 0) {
    const int ended = end_gnuplot(o, pid, messages);
    status = status == DONE ? ended : status;
  }
  return status;
}

int chart_draw(const options *o, const char *path, const char *title, const panel *panels, int n) {
  const int format = find_format(path);
  if (format < 0) {
    return usage_error(o->command, "a chart is a file .svg, .png or .pdf, not '%s'", path);
  }
  sn_error *error = sn_error_new();
  FILE *script = temporary(o), *messages = temporary(o);
  sn_output *output = NULL;
  int status = script && messages ? DONE : FAILED;
  if (status == DONE) {
    put_script(script, format, title, panels, n);
    status = fflush(script) == 0
                 ? DONE
                 : report_text(o, NULL, 0, 0, "cannot write a temporary file: %s", strerror(errno));
  }
  if (status == DONE) {
    output = sn_output_open(strcmp(path, "-") == 0 ? "/dev/stdout" : path, error);
    status = output ? run_gnuplot(o, script, messages, output) : report(o, error);
  }
  if (output) {
    const sn_status written = sn_output_close(output, status == DONE ? SN_OK : SN_EINVAL, error);
    status = status == DONE && written < 0 ? report(o, error) : status;
  }
  if (script) {
    fclose(script);
  }
  if (messages) {
    fclose(messages);
  }
  sn_error_free(error);
  return status;
}
