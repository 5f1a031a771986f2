// SPDX-License-Identifier: Apache-2.0
//
// sinew schema: the elements and attributes of a format, as its loader describes them.

#include <stdio.h>

#include "command.h"

static sn_status print(sn_sink *sink, const void *bytes, int64_t count) {
  (void)sink;
  return fwrite(bytes, 1, (size_t)count, stdout) == (size_t)count ? SN_OK : SN_EIO;
}

static int schema(const options *o) {
  session s;
  int status = session_open(&s, o);
  if (status == DONE) {
    sn_sink sink = { .size = sizeof sink, .write = print };
    const char *format = o->noperand > 0 ? o->operand[0] : "mjcf";
    if (sn_engine_describe(s.engine, format, &sink, s.error) < 0) {
      status = ferror(stdout) ? FAILED : report(o, s.error);   // main says it of standard output
    }
  }
  session_close(&s);
  return status;
}

const command schema_command = {
  .name = "schema",
  .operands = "[FORMAT]",
  .summary = "prints what a format supports: elements, attributes, defaults",
  .accepts = "",
  .story = "As Markdown, of MJCF when no format is named. Example:\n"
           "  sinew schema mjcf\n",
  .min = 0,
  .max = 1,
  .run = schema,
};
