// SPDX-License-Identifier: Apache-2.0
//
// sinew convert: a model in another format, told by the name of the output.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "json.h"

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

static int print(const options *o, const sn_spec *spec, const char *format) {
  if (!o->json) {
    printf("%s: written as %s\n", o->out, format ? format : "a binary model");
    return DONE;
  }
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "file", o->out);
  json_text(&j, "format", format ? format : "binary");
  json_list(&j, "warnings");
  for (int64_t i = 0; spec && sn_spec_warning(spec, i); i++) {
    json_text(&j, NULL, sn_spec_warning(spec, i));
  }
  json_end(&j);
  json_list(&j, "notes");
  for (int64_t i = 0; spec && sn_spec_note(spec, i); i++) {
    json_text(&j, NULL, sn_spec_note(spec, i));
  }
  json_end(&j);
  return json_finish(&j) ? DONE : FAILED;
}

static int convert_text(session *s, const char *format) {
  const options *o = s->o;
  char *whole = realpath(o->operand[0], NULL);   // files that it names get their whole paths
  sn_spec *spec = sn_spec_load(s->engine, whole ? whole : o->operand[0], s->error);
  free(whole);
  int status = DONE;
  if (!spec || sn_spec_save(spec, format, o->out, s->error) < 0) {
    status = report(o, s->error);
  } else if (tell_warnings(o, NULL, spec) != DONE) {   // of reading and of writing
    remove(o->out);
    status = FAILED;
  }
  status = status == DONE ? print(o, spec, format) : status;
  sn_spec_free(spec);
  return status;
}

static int convert_binary(session *s) {
  int status = session_load(s, s->o->operand[0]);
  if (status == DONE && sn_model_save(s->model, s->o->out, s->error) < 0) {
    status = report(s->o, s->error);
  }
  return status == DONE ? print(s->o, NULL, NULL) : status;
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
  .accepts = "out strict config json",
  .story = "The name of the output says the format: .xml is MJCF, .x_xy.xml is x_xy, .snb is\n"
           "Sinew's binary file. What a format cannot say is an error that names it. Example:\n"
           "  sinew convert robot.urdf -o robot.xml\n",
  .min = 1,
  .max = 1,
  .run = convert,
};
