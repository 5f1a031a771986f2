// SPDX-License-Identifier: Apache-2.0
//
// sinew convert: writes a model in another format, selected by the name of the output.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

// The longest ending that fits says the format. NULL: Sinew's binary file.
static const struct {
  const char *ending, *format;
} formats[] = {
  { ".x_xy.xml", "x_xy" }, { ".x_xy", "x_xy" }, { ".mjcf", "mjcf" },
  { ".xml", "mjcf" },      { ".urdf", "urdf" }, { ".snb", NULL },
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

static int format_of(const char *path) {
  size_t n = strlen(path);
  for (int i = 0; i < NFORMATS; i++) {
    size_t length = strlen(formats[i].ending);
    if (n > length && strcmp(path + n - length, formats[i].ending) == 0) {
      return i;
    }
  }
  return -1;
}

// How many warnings and notes reading a spec has listed so far.
typedef struct listed {
  int64_t warnings, notes;
} listed;

static listed count_listed(const sn_spec *spec) {
  listed n = { 0, 0 };
  while (sn_spec_warning(spec, n.warnings)) {
    n.warnings++;
  }
  while (sn_spec_note(spec, n.notes)) {
    n.notes++;
  }
  return n;
}

// The lists PREFIXwarnings and PREFIXnotes, of a spec, the first of them.
static void spec_json(json *j, const char *prefix, const sn_spec *spec, listed n) {
  char key[32];
  snprintf(key, sizeof key, "%swarnings", prefix);
  json_list(j, key);
  for (int64_t i = 0; i < n.warnings; i++) {
    json_text(j, NULL, sn_spec_warning(spec, i));
  }
  json_end(j);
  snprintf(key, sizeof key, "%snotes", prefix);
  json_list(j, key);
  for (int64_t i = 0; i < n.notes; i++) {
    json_text(j, NULL, sn_spec_note(spec, i));
  }
  json_end(j);
}

// spec: NULL for a binary file, made from the model.
static int print(const options *o, const sn_model *m, const sn_spec *spec, listed loading,
                 const char *format) {
  if (!o->json) {
    printf("%s: written as %s\n", o->out, format ? format : "a binary model");
    return DONE;
  }
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "file", o->out);
  json_text(&j, "format", format ? format : "binary");
  if (spec) {
    spec_json(&j, "", spec, count_listed(spec));   // of reading and of writing
    spec_json(&j, "load_", spec, loading);
  } else {
    loading_json(&j, "", m);
    loading_json(&j, "load_", m);
  }
  return json_finish(&j) ? DONE : FAILED;
}

static int convert_text(session *s, const char *format) {
  const options *o = s->o;
  char *whole = realpath(o->operand[0], NULL);   // files that it names get their whole paths
  sn_spec *spec = sn_spec_load(s->engine, whole ? whole : o->operand[0], s->error);
  free(whole);
  const listed loading = spec ? count_listed(spec) : (listed){ 0, 0 };
  sn_output *output = spec ? sn_output_open(o->out, s->error) : NULL;
  if (!output) {
    sn_spec_free(spec);
    return report(o, s->error);
  }
  // with --strict, what is listed of reading and of writing leaves an old file as it is
  sn_status written = sn_spec_write(spec, format, sn_output_sink(output), s->error);
  int status = written >= 0 ? tell_warnings(o, NULL, spec) : DONE;
  written = sn_output_close(output, status == DONE ? written : SN_EINVAL, s->error);
  if (status == DONE) {
    status = written < 0 ? report(o, s->error) : print(o, NULL, spec, loading, format);
  }
  sn_spec_free(spec);
  return status;
}

static int convert_binary(session *s) {
  int status = session_load(s, s->o->operand[0]);
  if (status == DONE && sn_model_save(s->model, s->o->out, s->error) < 0) {
    status = report(s->o, s->error);
  }
  return status == DONE ? print(s->o, s->model, NULL, (listed){ 0, 0 }, NULL) : status;
}

static int convert(const options *o) {
  int format = o->out ? format_of(o->out) : -1;
  if (format < 0) {
    return usage_error(o->command, o->out ? "the name of the output must end in .xml, .x_xy.xml, "
                                            ".urdf or .snb"
                                          : "--out FILE is missing");
  }
  session s;
  int status = session_open(&s, o);
  if (status == DONE) {
    status = formats[format].format ? convert_text(&s, formats[format].format) : convert_binary(&s);
  }
  session_close(&s);
  return status;
}

const command convert_command = {
  .name = "convert",
  .operands = "MODEL",
  .summary = "writes a model in another format",
  .accepts = "out strict json",
  .story =
      "The name of the output selects the format: .xml is MJCF, .x_xy.xml is x_xy, .snb is\n"
      "Sinew's binary file. What a format cannot express is an error. Trees that\n"
      "are nested deeper than 90 elements become several files of MJCF, which belong together:\n"
      "NAME.xml, NAME.part1.xml and so on.\n"
      "Example:\n"
      "  sinew convert robot.urdf -o robot.xml\n",
  .min = 1,
  .max = 1,
  .run = convert,
};
