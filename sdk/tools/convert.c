// SPDX-License-Identifier: Apache-2.0
//
// sinew convert: writes a model in another format, selected by the name of the output.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

static const char binary[] = "binary";   // Sinew's own format

// The first ending that fits determines the format.
static const struct {
  const char *ending, *format;
} formats[] = {
  { ".x_xy.xml", "x_xy" }, { ".x_xy", "x_xy" }, { ".mjcf", "mjcf" },
  { ".xml", "mjcf" },      { ".urdf", "urdf" }, { ".snb", binary },
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

// NULL: unknown.
static const char *format_of(const options *o) {
  const size_t n = strlen(o->out);
  for (int i = 0; i < NFORMATS && !o->format; i++) {
    const size_t length = strlen(formats[i].ending);
    if (n > length && strcmp(o->out + n - length, formats[i].ending) == 0) {
      return formats[i].format;
    }
  }
  return o->format;
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

// The lists PREFIXwarnings and PREFIXnotes of a spec: those from `first` to before `n`.
static void spec_json(json *j, const char *prefix, const sn_spec *spec, listed first, listed n) {
  char key[32];
  snprintf(key, sizeof key, "%swarnings", prefix);
  json_list(j, key);
  for (int64_t i = first.warnings; i < n.warnings; i++) {
    json_text(j, NULL, sn_spec_warning(spec, i));
  }
  json_end(j);
  snprintf(key, sizeof key, "%snotes", prefix);
  json_list(j, key);
  for (int64_t i = first.notes; i < n.notes; i++) {
    json_text(j, NULL, sn_spec_note(spec, i));
  }
  json_end(j);
}

// spec: NULL for a binary file, made from the model.
static int print(const options *o, const sn_model *m, const sn_spec *spec, listed loading,
                 const char *format) {
  if (!o->json) {
    if (report_stream(o) == stdout) {
      printf("%s: written as %s\n", o->out, format == binary ? "a binary model" : format);
    }
    return DONE;
  }
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "file", o->out);
  json_text(&j, "format", format);
  if (spec) {
    spec_json(&j, "load_", spec, (listed){ 0, 0 }, loading);
    spec_json(&j, "write_", spec, loading, count_listed(spec));
  } else {
    loading_json(&j, "load_", m);
  }
  return json_finish(&j) ? DONE : FAILED;
}

static int convert_text(session *s, const char *format) {
  const options *o = s->o;
  char path[PATH_MAX];
  if (model_find(s, o->operand[0], MODEL_WHOLE_PATH, path, sizeof path) != DONE) {
    return FAILED;
  }
  sn_spec *spec = sn_spec_load(s->engine, path, s->error);
  const listed loading = spec ? count_listed(spec) : (listed){ 0, 0 };
  sn_output *output = spec ? sn_output_open(out_path(o), s->error) : NULL;
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
  if (status == DONE && sn_model_save(s->model, out_path(s->o), s->error) < 0) {
    status = report(s->o, s->error);
  }
  return status == DONE ? print(s->o, s->model, NULL, (listed){ 0, 0 }, binary) : status;
}

static int convert(const options *o) {
  const char *format = o->out ? format_of(o) : NULL;
  if (!format) {
    return usage_error(o->command, o->out ? "the name of the output must end in .xml, .x_xy.xml or "
                                            ".snb, or --format must name a format"
                                          : "--out FILE is missing");
  }
  session s;
  int status = session_open(&s, o);
  if (status == DONE) {
    status = strcmp(format, binary) == 0 ? convert_binary(&s) : convert_text(&s, format);
  }
  session_close(&s);
  return status;
}

const command convert_command = {
  .name = "convert",
  .operands = "MODEL",
  .summary = "writes a model in another format",
  .accepts = "out format strict json",
  .story =
      "The name of the output selects the format, or --format does: .xml is MJCF, .x_xy.xml is\n"
      "x_xy, .snb is Sinew's binary file. A binary file cannot be converted back to text. What a\n"
      "format cannot express is an error. Files that the model refers to get absolute paths. With\n"
      "--json, write_warnings and write_notes list what the new format changes. Trees that are\n"
      "nested deeper than 90 elements become several files of MJCF, which belong together:\n"
      "NAME.xml, NAME.part1.xml and so on.\n",
  .examples = "sinew convert arm -o arm.snb\n"
              "sinew convert x_xy/inv_pendulum --format mjcf --out -\n",
  .min = 1,
  .max = 1,
  .run = convert,
};
