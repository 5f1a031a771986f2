// SPDX-License-Identifier: Apache-2.0
//
// The model's binary file. Everything in it is named, so a file of an older version reads as long
// as its names are known; what is missing keeps its default.
//
//   header   magic, format version, byte order, bytes of the body, hash of the body
//   body     sizes     count, then { name[32], value }
//            settings  count, then { name[32], bytes, struct }
//            arrays    count, then { name[32], type, rows, cols, numbers }
//
// Reading trusts nothing: the hash tells an altered file, every length is checked against what is
// left, every id against the number of its objects.

#include "api/binary.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/reader.h"
#include "base/same.h"
#include "base/text.h"
#include "model/fields.h"
#include "model/validate.h"
#include "spec/spec.h"

static const char magic[8] = { 'S', 'I', 'N', 'E', 'W', 'B', 'I', 'N' };
enum { FORMAT_VERSION = 2, NAME_BYTES = 32 };
static const uint32_t byte_order = 0x01020304u;

typedef struct header {
  char magic[8];
  uint32_t version;
  uint32_t byte_order;
  uint64_t bytes;
  uint64_t hash;
} header;
SN_LAYOUT(header, 32);

// ------------------------------------------------------------------ the settings' structs

typedef struct setting {
  const char *name;
  size_t offset, bytes;   // in sn_model
} setting;

static const setting settings[] = {
  { "option", offsetof(sn_model, opt), sizeof(sn_option) },
  { "compiler", offsetof(sn_model, compiler), sizeof(sn_compiler) },
  { "size_hint", offsetof(sn_model, hint), sizeof(sn_size_hint) },
  { "statistic", offsetof(sn_model, stat), sizeof(sn_statistic) },
  { "visual", offsetof(sn_model, vis), sizeof(sn_visual) },
};
enum { NSETTINGS = sizeof settings / sizeof settings[0] };

// ------------------------------------------------------------------ writing

// Characters are stored as bytes.
static int32_t stored_type(const si_field_info *info) {
  return info->type == SN_CHAR ? SN_BYTE : info->type;
}

static void put_name(si_buffer *b, const char *name) {
  char text[NAME_BYTES] = { 0 };
  strncpy(text, name, NAME_BYTES - 1);
  si_buffer_add(b, text, NAME_BYTES);
}

static void put_int(si_buffer *b, int64_t value) {
  si_buffer_add(b, &value, sizeof value);
}

static void put_body(si_buffer *b, const sn_model *m) {
  put_int(b, SI_NMODELSIZE);
  for (int i = 0; i < SI_NMODELSIZE; i++) {
    put_name(b, si_model_size_table[i].name);
    si_buffer_add(b, (const char *)m + si_model_size_table[i].offset, sizeof(int64_t));
  }
  put_int(b, NSETTINGS);
  for (int i = 0; i < NSETTINGS; i++) {
    put_name(b, settings[i].name);
    put_int(b, (int64_t)settings[i].bytes);
    si_buffer_add(b, (const char *)m + settings[i].offset, settings[i].bytes);
  }
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  put_int(b, SI_NMODELFIELD);
  for (int i = 0; i < SI_NMODELFIELD; i++) {
    const si_field_info *info = &si_model_field_table[i];
    put_name(b, info->name);
    put_int(b, stored_type(info));
    put_int(b, extent[i].rows);
    put_int(b, extent[i].cols);
    si_buffer_add(b, m->field[i], (uint64_t)(extent[i].rows * extent[i].cols * info->bytes));
  }
}

sn_status si_model_write(const sn_model *model, sn_sink *sink, sn_error *error) {
  si_buffer body = { 0 };
  put_body(&body, model);
  if (body.failed) {
    free(body.at);
    return si_fail(error, SN_ENOMEM, "out of memory while writing a model");
  }
  header head = { .version = FORMAT_VERSION,
                  .byte_order = byte_order,
                  .bytes = body.n,
                  .hash = si_hash_words(SI_HASH_START, body.at, body.n) };
  memcpy(head.magic, magic, sizeof magic);
  sn_status status = sink->write(sink, &head, sizeof head);
  if (status >= 0) {
    status = sink->write(sink, body.at, (int64_t)body.n);
  }
  free(body.at);
  return status < 0 ? si_fail(error, status, "writing the model failed") : SN_OK;
}

// ------------------------------------------------------------------ reading

typedef struct reader {
  si_reader bytes;
  const char *file;
  sn_error *error;
} reader;

static sn_status broken(const reader *r, const char *why) {
  const sn_location location = { .file = r->file };
  return si_fail_at(r->error, SN_EPARSE, &location,
                    "this model file is corrupt: %s; compile it again from its source", why);
}

static sn_status take(reader *r, void *out, int64_t n) {
  return si_reader_copy(&r->bytes, out, n) ? SN_OK : broken(r, "it ends early");
}

static sn_status take_name(reader *r, char *out) {
  SN_TRY(take(r, out, NAME_BYTES));
  out[NAME_BYTES - 1] = 0;
  return SN_OK;
}

static sn_status read_header(reader *r) {
  header head;
  SN_TRY(take(r, &head, sizeof head));
  if (head.byte_order != byte_order) {
    return broken(r, "it was written on a machine with another byte order");
  }
  if (head.version != FORMAT_VERSION) {
    return broken(r, "it has another version of the format");
  }
  const uint64_t left = (uint64_t)r->bytes.left;
  if (head.bytes != left) {
    return broken(r, head.bytes > left ? "it is truncated" : "bytes follow its end");
  }
  const uint64_t hash = si_hash_words(SI_HASH_START, r->bytes.at, left);
  return head.hash == hash ? SN_OK : broken(r, "its checksum does not match");
}

static sn_status read_sizes(reader *r, sn_model *sizes) {
  int64_t n = 0;
  SN_TRY(take(r, &n, sizeof n));
  for (int64_t i = 0; i < n; i++) {
    char name[NAME_BYTES];
    int64_t value = 0;
    SN_TRY(take_name(r, name));
    SN_TRY(take(r, &value, sizeof value));
    if (value < 0 || value > INT32_MAX) {
      return broken(r, "a size is out of range");
    }
    for (int k = 0; k < SI_NMODELSIZE; k++) {
      if (si_same(si_model_size_table[k].name, name)) {
        memcpy((char *)sizes + si_model_size_table[k].offset, &value, sizeof value);
      }
    }
  }
  return SN_OK;
}

// The arrays must fit into what is left of the file before memory is taken for them.
static sn_status plausible(reader *r, const sn_model *sizes) {
  const uint64_t left = (uint64_t)r->bytes.left;
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(sizes, extent);
  uint64_t bytes = 0;
  for (int i = 0; i < SI_NMODELFIELD; i++) {
    uint64_t rows = (uint64_t)extent[i].rows, cols = (uint64_t)extent[i].cols;
    if (cols && rows > left / cols) {
      return broken(r, "its sizes exceed its bytes");
    }
    bytes += rows * cols * (uint64_t)si_model_field_table[i].bytes;
  }
  return bytes <= left ? SN_OK : broken(r, "its sizes exceed its bytes");
}

// Would the arrays be as large if this size were 0? Then the bytes of the file do not limit it: it
// is the size of something that only a simulation has, such as nuserdata.
static int unlimited(const sn_model *sizes, int64_t offset) {
  si_extent extent[SI_NMODELFIELD], without[SI_NMODELFIELD];
  sn_model other = *sizes;
  memset((char *)&other + offset, 0, sizeof(int64_t));
  si_model_extents(sizes, extent);
  si_model_extents(&other, without);
  for (int i = 0; i < SI_NMODELFIELD; i++) {
    if (extent[i].rows * extent[i].cols != without[i].rows * without[i].cols) {
      return 0;
    }
  }
  return 1;
}

static sn_status check_sizes(reader *r, const sn_model *sizes) {
  static const int64_t largest = 100000000;   // of a size that the file does not limit
  SN_TRY(plausible(r, sizes));
  for (int i = 0; i < SI_NMODELSIZE; i++) {
    const int64_t offset = (int64_t)si_model_size_table[i].offset;
    int64_t value = 0;
    memcpy(&value, (const char *)sizes + offset, sizeof value);
    if (value > largest && unlimited(sizes, offset)) {
      return broken(r, "a size is out of range");
    }
  }
  return SN_OK;
}

static sn_status read_settings(reader *r, sn_model *m) {
  int64_t n = 0;
  SN_TRY(take(r, &n, sizeof n));
  for (int64_t i = 0; i < n; i++) {
    char name[NAME_BYTES];
    int64_t bytes = 0;
    SN_TRY(take_name(r, name));
    SN_TRY(take(r, &bytes, sizeof bytes));
    const void *from = si_reader_take(&r->bytes, bytes);
    if (!from) {
      return broken(r, "it ends early");
    }
    for (int k = 0; k < NSETTINGS; k++) {
      if (si_same(settings[k].name, name)) {
        uint64_t known = settings[k].bytes < (uint64_t)bytes ? settings[k].bytes : (uint64_t)bytes;
        memcpy((char *)m + settings[k].offset, from, known);
        uint32_t own = (uint32_t)settings[k].bytes;
        memcpy((char *)m + settings[k].offset, &own, sizeof own);
      }
    }
  }
  m->opt.solver[SN_NAME_MAX - 1] = m->opt.integrator[SN_NAME_MAX - 1] = 0;
  m->compiler.eulerseq[SN_NAME_MAX - 1] = 0;
  m->compiler.meshdir[SN_NAME_MAX - 1] = m->compiler.texturedir[SN_NAME_MAX - 1] = 0;
  return si_option_check(&m->opt, r->error) < 0 ? broken(r, "an option is out of range") : SN_OK;
}

// A file has the arrays in the order of the table, except for those that one of the two lacks: the
// search begins at `from`. SI_NMODELFIELD: there is no such array.
static int find_field(const char *name, int from) {
  for (int i = 0; i < SI_NMODELFIELD; i++) {
    const int k = (from + i) % SI_NMODELFIELD;
    if (si_same(si_model_field_table[k].name, name)) {
      return k;
    }
  }
  return SI_NMODELFIELD;
}

static sn_status read_arrays(reader *r, sn_model *m) {
  si_extent extent[SI_NMODELFIELD];
  si_model_extents(m, extent);
  int64_t n = 0;
  int k = -1;
  SN_TRY(take(r, &n, sizeof n));
  for (int64_t i = 0; i < n; i++) {
    char name[NAME_BYTES];
    int64_t shape[3] = { 0 };   // type, rows, cols
    SN_TRY(take_name(r, name));
    SN_TRY(take(r, shape, sizeof shape));
    k = find_field(name, k + 1);
    if (k == SI_NMODELFIELD) {
      return broken(r, "it has an array that is unknown to this version");
    }
    if (shape[0] != stored_type(&si_model_field_table[k]) || shape[1] != extent[k].rows ||
        shape[2] != extent[k].cols) {
      return broken(r, "the shape of an array does not match its sizes");
    }
    SN_TRY(take(r, m->field[k], shape[1] * shape[2] * si_model_field_table[k].bytes));
  }
  return r->bytes.left == 0 ? SN_OK : broken(r, "bytes follow its end");
}

int si_model_is_binary(const uint8_t *bytes, int64_t count) {
  return count >= (int64_t)sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

sn_model *si_model_read(sn_engine *engine, const uint8_t *bytes, int64_t count, const char *name,
                        sn_error *error) {
  reader r = { { bytes, count }, name, error };
  sn_model *sizes = calloc(1, sizeof *sizes), *m = NULL;
  if (!sizes) {
    si_fail(error, SN_ENOMEM, "out of memory while reading a model");
    return NULL;
  }
  if (read_header(&r) >= 0 && read_sizes(&r, sizes) >= 0 && check_sizes(&r, sizes) >= 0) {
    m = si_model_alloc(engine, sizes, error);
  }
  free(sizes);
  if (!m) {
    return NULL;
  }
  const sn_location location = { .file = name };
  if (read_settings(&r, m) < 0 || read_arrays(&r, m) < 0 ||
      si_model_validate(m, &location, error) < 0 || si_model_make_rows(m, error) < 0 ||
      si_model_validate_providers(m, &location, error) < 0) {
    si_model_drop(m);
    return NULL;
  }
  return m;
}

// ------------------------------------------------------------------ to a file

sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error) {
  sn_output *output = sn_output_open(path, error);
  return output
             ? sn_output_close(output, si_model_write(model, sn_output_sink(output), error), error)
             : SN_EIO;
}
