// SPDX-License-Identifier: Apache-2.0
//
// A spec to a file, in the format of a loader that can write; what its format can say.

#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "base/text.h"
#include "host/calling.h"
#include "spec/keyframe.h"
#include "spec/spec.h"

// The text grows in memory first, so that the sink gets nothing of a model that cannot be written.
typedef struct text {
  si_buffer bytes;
  sn_sink *to;   // where it goes in the end
} text;

static sn_status append(sn_sink *sink, const void *bytes, int64_t count) {
  text *t = sink->context;
  if (count < 0 || (count > 0 && !bytes)) {
    return SN_EINVAL;
  }
  si_buffer_add(&t->bytes, bytes, (size_t)count);
  return t->bytes.failed ? SN_ENOMEM : SN_OK;
}

static sn_status open_part(sn_sink *sink, const char *part, sn_sink **file, const char **name) {
  const text *t = sink->context;
  return t->to->open(t->to, part, file, name);
}

sn_status sn_spec_write(sn_spec *spec, const char *format, sn_sink *sink, sn_error *error) {
  si_error_clear(error);
  SN_TRY(si_engine_freeze(spec->engine, error));
  SN_TRY(si_key_complete(spec, error));
  const si_provider *loader = si_engine_find(spec->engine, SN_KIND_LOADER, format, error);
  if (!loader) {
    return SN_ENOTFOUND;
  }
  const sn_loader_ops *ops = loader->ops;
  if (!ops->save) {
    return si_fail(error, SN_EUNSUPPORTED,
                   "the loader '%s' cannot write models, only read "
                   "them",
                   format);
  }
  text t = { .to = sink };
  sn_sink memory = { .size = sizeof memory, .context = &t, .write = append };
  if (SN_HAS(sink, open) && sink->open) {
    memory.open = open_part;
  }
  SI_PLAIN_LOCALE;
  const si_call call = si_call_enter(loader, "save");
  sn_status status = ops->save(loader->self, &spec->builder, &memory, error);
  status = si_call_leave(&call, status, error);
  if (status < 0 && sn_error_code(error) >= 0) {
    si_fail(error, status, "the loader '%s' could not write the model%s", format,
            status == SN_ENOMEM ? ": there is not enough memory" : "");
  }
  if (status >= 0) {
    status = sink->write(sink, t.bytes.at, (int64_t)t.bytes.n);
    status = status < 0 ? si_fail(error, status, "the text of the model cannot be written") : SN_OK;
  }
  free(t.bytes.at);
  return status;
}

sn_status sn_spec_save(sn_spec *spec, const char *format, const char *path, sn_error *error) {
  sn_output *output = sn_output_open(path, error);
  return output ? sn_output_close(output,
                                  sn_spec_write(spec, format, sn_output_sink(output), error), error)
                : SN_EIO;
}

sn_status sn_engine_describe(sn_engine *engine, const char *format, sn_sink *sink,
                             sn_error *error) {
  si_error_clear(error);
  SN_TRY(si_engine_freeze(engine, error));
  const si_provider *loader = si_engine_find(engine, SN_KIND_LOADER, format, error);
  if (!loader) {
    return SN_ENOTFOUND;
  }
  const sn_loader_ops *ops = loader->ops;
  if (!ops->describe) {
    return si_fail(error, SN_EUNSUPPORTED,
                   "the loader '%s' provides no description of its "
                   "format",
                   format);
  }
  SI_PLAIN_LOCALE;
  const si_call call = si_call_enter(loader, "describe");
  sn_status status = si_call_leave(&call, ops->describe(loader->self, sink), error);
  if (status < 0 && sn_error_code(error) >= 0) {
    si_fail(error, status, "the description cannot be written");
  }
  return status < 0 ? status : SN_OK;
}
