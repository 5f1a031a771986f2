// SPDX-License-Identifier: Apache-2.0
//
// sinew compile: writes a model as Sinew's binary file, which loads faster.

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "fields.h"

static int print(const session *s) {
  struct stat info = { 0 };
  const char *out = s->o->out;
  if (strcmp(out, "-") == 0) {
    return DONE;
  }
  if (stat(out, &info) != 0) {
    return report_text(s->o, out, 0, 0, "was written, but it does not exist");
  }
  if (!s->o->json) {
    printf("%s: %lld bytes\n", out, (long long)info.st_size);
    return DONE;
  }
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_text(&j, "file", out);
  json_integer(&j, "bytes", info.st_size);
  loading_json(&j, "load_", s->model);
  return json_finish(&j) ? DONE : FAILED;
}

static int compile(const options *o) {
  if (!o->out) {
    return usage_error(o->command, "--out FILE is missing");
  }
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  if (status == DONE && sn_model_save(s.model, out_path(o), s.error) < 0) {
    status = report(o, s.error);
  }
  status = status == DONE ? print(&s) : status;
  session_close(&s);
  return status;
}

const command compile_command = {
  .name = "compile",
  .operands = "MODEL",
  .summary = "writes a model as a binary file, which loads faster",
  .accepts = "out strict json",
  .story = "Every command that simulates or inspects a model accepts this file. It cannot be\n"
           "converted back to text.\n",
  .examples = "sinew compile figure -o figure.snb\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = compile,
};
