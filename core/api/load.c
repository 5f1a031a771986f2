// SPDX-License-Identifier: Apache-2.0
//
// A file to a model: a binary file is read and bound; any other becomes a spec, which is compiled.
//
// A file to a spec, by the loader with the highest confidence. If none recognizes it, the message
// says what the file seems to be, which loaders are loaded, and which plugin might read it.

#include "api/load.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/binary.h"
#include "api/model_cache.h"
#include "base/plain.h"
#include "bind/bind.h"
#include "files/files.h"
#include "files/probe.h"
#include "files/reading.h"
#include "host/watching.h"
#include "platform/fpenv.h"
#include "platform/pages.h"
#include "spec/keyframe.h"

// ------------------------------------------------------------------ what a file seems to be

// Past blanks, declarations and comments of markup: at the '<' of the first element, or nowhere.
static const char *first_element(const char *p) {
  static const char *const skipped[][2] = { { "<!--", "-->" }, { "<?", "?>" }, { "<!", ">" } };
  if (strncmp(p, "\xef\xbb\xbf", 3) == 0) {
    p += 3;
  }
  for (;;) {
    p += strspn(p, " \t\r\n");
    const char *end = NULL;
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0] && !end; i++) {
      if (strncmp(p, skipped[i][0], strlen(skipped[i][0])) == 0) {
        const char *bracket = i == 2 ? strchr(p, '[') : NULL;   // declarations of a document type
        end = strstr(p, skipped[i][1]);
        if (bracket && end && bracket < end) {
          end = strstr(bracket, "]");
          end = end ? strstr(end, ">") : NULL;
        }
        if (!end) {
          return NULL;
        }
        end += strlen(skipped[i][1]);
      }
    }
    if (!end) {
      return p[0] == '<' ? p : NULL;
    }
    p = end;
  }
}

// The name of the root element; "" if the file is not XML.
static const char *root_of(const sn_source *source, char *out, size_t capacity) {
  const char *p = first_element((const char *)source->bytes);
  size_t n = 0;
  for (p = p ? p + 1 : "";
       n + 1 < capacity && *p && (isalnum((unsigned char)*p) || strchr("_-.:", *p)); p++) {
    out[n++] = *p;
  }
  out[n] = '\0';
  return out;
}

// ------------------------------------------------------------------ no loader for the file

static const char *loaders_of(const sn_engine *engine, char *out, size_t capacity) {
  const si_provider *p;
  size_t used = 0;
  snprintf(out, capacity, "none");
  for (int64_t i = 0; (p = si_engine_each(engine, SN_KIND_LOADER, i)) && used < capacity; i++) {
    int n = snprintf(out + used, capacity - used, "%s%s", i ? ", " : "", p->name);
    used += n > 0 ? (size_t)n : 0;
  }
  return out;
}

// A plugin that is not loaded: one named like the root element, else all that are loaders.
static char *hint(const sn_engine *engine, const char *root) {
  char *found = root[0] ? si_engine_missing(engine, SN_KIND_LOADER, root) : NULL;
  return found ? found : si_engine_missing(engine, SN_KIND_LOADER, NULL);
}

// By its byte order mark, or by the zero beside the first '<'.
static int is_utf16(const sn_source *source) {
  const uint8_t *p = source->bytes;
  return source->count >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff) ||
                                (p[0] == '<' && p[1] == 0) || (p[0] == 0 && p[1] == '<'));
}

static int is_compressed(const sn_source *source) {
  return source->count >= 2 && source->bytes[0] == 0x1f && source->bytes[1] == 0x8b;
}

static void fail_unknown(const sn_engine *engine, const sn_source *source, sn_error *error) {
  const sn_location location = { source->name, 0, 0 };
  char root[64], names[400];
  root_of(source, root, sizeof root);
  if (si_source_is_archive(engine, source)) {
    si_fail_at(error, SN_EPARSE, &location,
               "this file is an archive; name a file in it, such as '%.500s/robot.xml'",
               source->name);
    return;
  }
  if (si_model_is_binary(source->bytes, source->count)) {
    si_fail_at(error, SN_EPARSE, &location,
               "this file is a compiled model, which can be simulated, but not be converted back");
    return;
  }
  const char *wrong = source->count == 0      ? "the file is empty"
                      : is_utf16(source)      ? "the file is in UTF-16; save it as UTF-8"
                      : is_compressed(source) ? "the file is compressed; unpack it with gunzip"
                                              : NULL;
  if (wrong) {
    si_fail_at(error, SN_EPARSE, &location, "%s", wrong);
    return;
  }
  char *missing = hint(engine, root);
  si_fail_at(error, SN_EPARSE, &location,
             "no loader recognizes this file, %s%s%s; formats with a loader: %s. %s%s%s",
             root[0] ? "whose root element is <"
                     : "which is neither XML nor a binary model of Sinew",
             root, root[0] ? ">" : "", loaders_of(engine, names, sizeof names),
             missing ? "Plugins that are not loaded, but may read it: "
                     : "Convert the model to one of these, or load a plugin for its format",
             missing ? missing : "", missing ? "; add it to [plugins] of the configuration" : "");
  free(missing);
}

// ------------------------------------------------------------------ loading

static si_probe_fn *probe_of(const void *ops) {
  return ((const sn_loader_ops *)ops)->probe;
}

static sn_status recognize(sn_engine *engine, const sn_source *source, const si_provider **loader,
                           sn_error *error) {
  SN_TRY(si_engine_probe(engine, SN_KIND_LOADER, source, probe_of, loader, error));
  if (!*loader) {
    fail_unknown(engine, source, error);
  }
  return *loader ? SN_OK : SN_EPARSE;
}

sn_status si_spec_read(sn_spec *spec, sn_source *source, sn_error *error) {
  const si_provider *loader;
  const sn_status found = recognize(spec->engine, source, &loader, error);
  if (found < 0) {
    return si_error_settle(error, found);
  }
  const sn_loader_ops *ops = loader->ops;
  si_fpenv before;
  si_fpenv_save(&before);
  si_watch call;
  si_watch_source(&call, spec->engine, source);
  si_watch_enter(&call, loader, "load");
  sn_status status = ops->load(loader->self, source, &spec->builder, error);
  status = si_watch_end(&call, status, error);
  const sn_status numbers = si_fpenv_check(&before, loader->kind, loader->name, error);
  status = status < 0 ? status : numbers;
  status = status < 0 ? status : si_key_complete(spec, error);
  if (status < 0) {
    si_error_settle(error, status);
    si_error_in(error, source->name);
  }
  return status;
}

static sn_spec *load_spec(sn_engine *engine, const char *path, sn_error *error) {
  sn_source *source = NULL;
  si_error_clear(error);
  if (si_engine_freeze(engine, error) < 0 ||
      si_engine_open_source(engine, NULL, path, &source, error) < 0) {
    return NULL;
  }
  sn_spec *spec = sn_spec_new(engine, error);
  if (spec) {
    spec->deadline = si_limit_start(engine);
    const sn_status status = si_spec_read(spec, source, error);
    spec->deadline = (si_deadline){ 0 };
    if (status < 0) {
      sn_spec_free(spec);
      spec = NULL;
    }
  }
  source->close(source);
  return si_error_settle_object(error, spec);
}

sn_spec *sn_spec_load(sn_engine *engine, const char *path, sn_error *error) {
  SI_PLAIN_LOCALE;
  return load_spec(engine, path, error);
}

// ------------------------------------------------------------------ models

// When a plugin rejects an element, the error names the file and the element.
static sn_status bind_read(sn_model *m, const char *file, sn_error *error) {
  sn_status status = si_option_configure(&m->opt, m->engine, error);
  status = status < 0 ? status : si_model_note_configured_cone(m, error);
  if (status < 0) {
    return status;
  }
  status = si_model_bind(m, error);
  if (status >= 0 || !error || m->bound.rejected < 0) {
    return status;
  }
  const sn_location location = { .file = file };
  char text[SI_ERROR_TEXT];
  snprintf(text, sizeof text, "%s", sn_error_message(error));
  return si_fail_at(error, status, &location, "%s %d: %s",
                    si_element_shape[m->bound.rejected_kind].kind, m->bound.rejected, text);
}

sn_model *si_model_load(sn_engine *engine, const uint8_t *bytes, int64_t count, const char *name,
                        sn_error *error) {
  sn_model *model = si_model_read(engine, bytes, count, name, error);
  if (model && bind_read(model, name, error) < 0) {
    sn_model_free(model);
    return NULL;
  }
  return model;
}

// What was read from large files and computed from it took several times the memory of the model,
// which the process would keep.
static void return_memory(const sn_model *model) {
  enum { LARGE = 1 << 20 };   // bytes
  if (model && si_model_bytes(model) > LARGE) {
    si_pages_return();
  }
}

static sn_model *load_model(sn_engine *engine, const char *path, sn_error *error) {
  sn_source *source = NULL;
  sn_model *model = NULL;
  si_error_clear(error);
  if (si_engine_freeze(engine, error) < 0 ||
      si_engine_open_source(engine, NULL, path, &source, error) < 0) {
    return NULL;
  }
  if (si_model_is_binary(source->bytes, source->count)) {
    model = si_model_load(engine, source->bytes, source->count, source->name, error);
    source->close(source);
    si_reading_open(engine->reading);   // it is compiled already
    return si_error_settle_object(error, model);
  }
  source->close(source);
  sn_spec *spec = sn_spec_load(engine, path, error);
  if (spec) {
    spec->once = 1;
    model = sn_compile(spec, error);
    if (!model) {
      si_error_in(error, path);
    }
    sn_spec_free(spec);
    return_memory(model);
  }
  return si_error_settle_object(error, model);
}

sn_model *sn_load(sn_engine *engine, const char *path, sn_error *error) {
  SI_PLAIN_LOCALE;
  si_model_cache cache;
  sn_model *model = si_model_cache_begin(&cache, engine, path);
  model = model ? model : load_model(engine, path, error);
  si_model_cache_end(&cache, model);
  return model;
}
