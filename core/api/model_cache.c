// SPDX-License-Identifier: Apache-2.0
//
// Compiled models in files of the user, one for each key. The key is what is known before a file is
// read; the entry says what was found while it was read, and is used only if all of that still
// holds:
//
//   key           version, paths of the program and the library, configuration with its origins,
//                 plugins, limits, search paths of the environment, floating-point mode, working
//                 folder, name
//   dependencies  stamps (platform/stamp.h) of the model's files, of folders that were listed, of
//                 the program and all shared objects of the process that wrote it, plugins among
//                 them; paths where nothing was found, of files and of libraries
//
//   entry         header  magic, version, byte order, bytes and hash of the head
//                 head    key; dependencies; warnings; notes
//                 model   as in a binary file (binary.c), with a hash of its own
//
// Not kept is what may differ next time although all of this is the same: models of engines with
// files in memory or providers of the application, which have no stamps; models whose loading
// logged something, which would be missing then; files that changed just before they were read.

#include "api/model_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/binary.h"
#include "api/load.h"
#include "base/hash.h"
#include "base/reader.h"
#include "files/files.h"
#include "platform/file.h"
#include "platform/fpenv.h"
#include "platform/loaded.h"
#include "platform/object.h"
#include "platform/process.h"
#include "platform/store.h"

static const char magic[8] = { 'S', 'I', 'N', 'E', 'W', 'M', 'D', 'L' };
static const char ending[] = ".sinew-model";
static const uint32_t byte_order = 0x01020304u;
enum {
  ENTRY_VERSION = 1,
  SHARE = 4,   // an entry has at most this part of all
  LONGEST_PATH = 4096
};

typedef struct header {
  char magic[8];
  uint32_t version;
  uint32_t byte_order;
  uint64_t head;   // bytes
  uint64_t hash;
} header;
SN_LAYOUT(header, 32);

// ------------------------------------------------------------------ the key

static void put_int(si_buffer *b, int64_t value) {
  si_buffer_add(b, &value, sizeof value);
}

// A text with its zero; NULL is another one than "".
static void put_text(si_buffer *b, const char *text) {
  const int64_t n = text ? (int64_t)strlen(text) + 1 : 0;
  put_int(b, n);
  si_buffer_add(b, text, (size_t)n);
}

// All settings but those of the cache.
static void put_configuration(si_buffer *b, const sn_engine *engine) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "cache") != 0) {
      put_text(b, e->section);
      put_text(b, e->key);
      put_text(b, e->value);
      put_text(b, e->origin);
    }
  }
  const char *name, *value, *origin;
  for (int64_t i = 0; si_limit_at(engine, i, &name, &value, &origin); i++) {
    put_text(b, value);
  }
  for (int64_t i = 0; i < engine->nplugin; i++) {
    put_text(b, engine->plugin[i]->key);
    put_text(b, engine->plugin[i]->path);
  }
}

// Variables that loaders, resources and the dynamic linker search in, NAME_PATH, and the one that
// replaces functions of libraries.
static void put_environment(si_buffer *b) {
  static const char end[] = "_PATH";
  const char *variable;
  for (int64_t i = 0; (variable = si_process_variable(i)); i++) {
    const size_t n = strcspn(variable, "="), m = sizeof end - 1;
    if ((n > m && strncmp(variable + n - m, end, m) == 0) ||
        strncmp(variable, "LD_PRELOAD=", n + 1) == 0) {
      put_text(b, variable);
    }
  }
}

static void put_key(si_buffer *b, const sn_engine *engine, const char *path) {
  char here[LONGEST_PATH] = "", program[LONGEST_PATH];
  b->failed |= path[0] != '/' && !si_process_working_folder(here, sizeof here);
  b->failed |= !si_loaded_program(program, sizeof program);
  put_int(b, ENTRY_VERSION);
  put_text(b, SN_VERSION);
  put_text(b, program);
  put_text(b, si_object_own_path());
  put_int(b, (int64_t)si_fpenv_word());
  put_text(b, here);
  put_text(b, path);
  put_configuration(b, engine);
  put_environment(b);
}

// ------------------------------------------------------------------ what is kept at all

static int is_of_files(const sn_engine *engine) {
  int all = engine->nresource == 0;
  for (int64_t i = 0; i < engine->nplugin; i++) {
    all &= engine->plugin[i]->path != NULL;
  }
  for (int64_t i = 0; i < engine->nrow; i++) {
    all &= engine->row[i]->provider.plugin != NULL;
  }
  return all;
}

static int is_wanted(sn_engine *engine, const char *path) {
  return engine && path && path[0] && si_caching_is_on(engine) && !si_engine_checks(engine) &&
         si_engine_freeze(engine, NULL) >= 0 && is_of_files(engine) &&
         si_provided_prefix(engine, path) == 0;
}

// ------------------------------------------------------------------ reading an entry

typedef struct reader {
  si_reader bytes;
  int failed;   // the entry ends early, or a text has no end
} reader;

static const void *take(reader *r, int64_t n) {
  const void *at = r->failed ? NULL : si_reader_take(&r->bytes, n);
  r->failed |= !at;
  return at;
}

static int64_t take_int(reader *r) {
  int64_t value = 0;
  const void *at = take(r, sizeof value);
  if (at) {
    memcpy(&value, at, sizeof value);
  }
  return value;
}

// Bytes of the entry; NULL: it is broken.
static const char *take_text(reader *r) {
  const int64_t n = take_int(r);
  const char *text = n > 0 ? take(r, n) : NULL;
  r->failed |= !text || text[n - 1] != '\0';
  return r->failed ? NULL : text;
}

static int take_dependency(reader *r, si_dependency *d) {
  d->kind = (int32_t)take_int(r);
  const void *stamp = take(r, sizeof d->stamp);
  if (stamp) {
    memcpy(&d->stamp, stamp, sizeof d->stamp);
  }
  d->path = (char *)(uintptr_t)take_text(r);
  return !r->failed && d->kind >= 0 && d->kind < SI_NREADS;
}

static int do_hold(reader *r) {
  for (int64_t n = take_int(r); n > 0 && !r->failed; n--) {
    si_dependency d;
    if (!take_dependency(r, &d) || !si_dependency_holds(&d)) {
      return 0;
    }
  }
  return !r->failed;
}

// Who watches the files of models gets those of the entry.
static int pass_file(const sn_engine *engine, const char *path) {
  const char *why;
  int64_t count = 0;
  const int descriptor = si_file_open(path, &count, &why);
  uint8_t *bytes = descriptor < 0 ? NULL : malloc((size_t)count + 1);
  const int done = bytes && si_file_read(descriptor, bytes, count) == count;
  if (done) {
    bytes[count] = 0;
    engine->watch(engine->watch_context, path, bytes, count);
  }
  free(bytes);
  if (descriptor >= 0) {
    si_file_close(descriptor);
  }
  return done;
}

static int pass_files(const sn_engine *engine, reader r) {
  const int has_members = (int)take_int(&r);
  int done = !engine->watch || !has_members;
  for (int64_t n = engine->watch ? take_int(&r) : 0; n > 0 && done; n--) {
    si_dependency d;
    done = take_dependency(&r, &d) && (d.kind != SI_READ_FILE || pass_file(engine, d.path));
  }
  return done;
}

// The texts that the model had when it was kept, in place of those of its binding now, which are
// among them.
static int take_texts(reader *r, sn_model *m) {
  si_model_drop_texts(m);
  sn_status status = SN_OK;
  for (int64_t n = take_int(r); n > 0 && !r->failed; n--) {
    const char *text = take_text(r);
    status = text && status >= 0 ? si_model_warn(m, NULL, "%s", text) : status;
  }
  for (int64_t n = take_int(r); n > 0 && !r->failed; n--) {
    const char *text = take_text(r);
    status = text && status >= 0 ? si_model_add_note(m, text, NULL) : status;
  }
  return !r->failed && status >= 0;
}

// The head of a whole entry with this key, and the model behind it.
static int read_head(const si_model_cache *c, const si_stored *stored, reader *head,
                     si_reader *model) {
  si_reader all = { stored->bytes, (int64_t)stored->count };
  header h;
  if (!si_reader_copy(&all, &h, sizeof h) || memcmp(h.magic, magic, sizeof magic) != 0 ||
      h.version != ENTRY_VERSION || h.byte_order != byte_order || h.head > (uint64_t)all.left ||
      si_hash_words(SI_HASH_START, all.at, h.head) != h.hash) {
    return 0;
  }
  const int64_t n = (int64_t)h.head;
  *head = (reader){ .bytes = { all.at, n } };
  *model = (si_reader){ all.at + n, all.left - n };
  const int64_t nkey = take_int(head);
  const void *key = nkey == (int64_t)c->key.n ? take(head, nkey) : NULL;
  return key && memcmp(key, c->key.at, c->key.n) == 0;
}

static sn_model *read_entry(const si_model_cache *c, const si_stored *stored, const char *path) {
  reader head;
  si_reader body;
  if (!read_head(c, stored, &head, &body)) {
    return NULL;
  }
  const reader start = head;
  take_int(&head);
  if (!do_hold(&head)) {
    return NULL;
  }
  sn_model *m = si_model_load(c->engine, body.at, body.left, path, NULL);
  if (m && !(take_texts(&head, m) && pass_files(c->engine, start))) {
    sn_model_free(m);
    m = NULL;
  }
  return m;
}

sn_model *si_model_cache_begin(si_model_cache *cache, sn_engine *engine, const char *path) {
  *cache = (si_model_cache){ .engine = engine };
  if (!is_wanted(engine, path)) {
    return NULL;
  }
  put_key(&cache->key, engine, path);
  cache->folder = cache->key.failed ? NULL : si_caching_folder(engine);
  if (!cache->folder) {
    return NULL;
  }
  snprintf(cache->name, sizeof cache->name, "%016llx%s",
           (unsigned long long)si_hash_bytes(SI_HASH_START, cache->key.at, cache->key.n), ending);
  const int store = si_store_open(cache->folder, 0);
  const double most = si_caching_size(engine);
  si_stored stored = { .bytes = NULL };
  if (store >= 0) {
    stored = si_store_read(store, cache->name, most / SHARE);
  }
  if (stored.is_first_use) {
    si_store_shrink(store, ending, most);   // it may have been lowered
  }
  si_store_close(store);
  sn_model *model = stored.bytes ? read_entry(cache, &stored, path) : NULL;
  si_store_release(&stored);
  if (model) {
    cache->folder = NULL;
  } else {
    cache->nlogged = si_log_count();
    engine->reading = &cache->reading;
  }
  return model;
}

// ------------------------------------------------------------------ writing an entry

static void add_code(void *context, const char *path, uint64_t inode) {
  si_reading_add_code(context, path, inode);
}

static void add_place(void *context, const char *path, int is_folder) {
  si_reading_add(context,
                 is_folder                   ? SI_READ_NO_FOLDER
                 : si_file_is_regular(path) ? SI_READ_CODE
                                            : SI_READ_NO_FILE,
                 path);
}

static void add_all_code(si_reading *r) {
  si_loaded_each(add_code, r);
  if (!si_loaded_search(add_place, r)) {
    si_reading_open(r);
  }
}

static void put_head(si_buffer *b, const si_model_cache *c, const sn_model *m) {
  put_int(b, (int64_t)c->key.n);
  si_buffer_add(b, c->key.at, c->key.n);
  put_int(b, c->reading.has_members);
  put_int(b, c->reading.n);
  for (int64_t i = 0; i < c->reading.n; i++) {
    const si_dependency *d = &c->reading.at[i];
    put_int(b, d->kind);
    si_buffer_add(b, &d->stamp, sizeof d->stamp);
    put_text(b, d->path);
  }
  put_int(b, m->nwarning);
  for (int64_t i = 0; i < m->nwarning; i++) {
    put_text(b, m->warning[i]);
  }
  put_int(b, m->nnote);
  for (int64_t i = 0; i < m->nnote; i++) {
    put_text(b, m->note[i]);
  }
}

static sn_status keep_bytes(sn_sink *sink, const void *bytes, int64_t count) {
  si_buffer *b = sink->context;
  si_buffer_add(b, bytes, (size_t)count);
  return b->failed ? SN_ENOMEM : SN_OK;
}

static void write_entry(const si_model_cache *c, const si_buffer *head, const si_buffer *body) {
  header h = { .version = ENTRY_VERSION,
               .byte_order = byte_order,
               .head = head->n,
               .hash = si_hash_words(SI_HASH_START, head->at, head->n) };
  memcpy(h.magic, magic, sizeof magic);
  const si_store_part parts[] = { { &h, sizeof h }, { head->at, head->n }, { body->at, body->n } };
  const double most = si_caching_size(c->engine), bytes = (double)(sizeof h + head->n + body->n);
  const int store = bytes * SHARE <= most ? si_store_open(c->folder, 1) : -1;
  if (store >= 0 && si_store_write(store, c->name, parts, 3)) {
    si_store_shrink(store, ending, most);
  }
  si_store_close(store);
}

static void keep(si_model_cache *c, const sn_model *m) {
  si_buffer head = { 0 }, body = { 0 };
  sn_sink sink = { .size = sizeof sink, .context = &body, .write = keep_bytes };
  add_all_code(&c->reading);
  put_head(&head, c, m);
  if (!c->reading.is_open && !head.failed && si_model_write(m, &sink, NULL) >= 0) {
    write_entry(c, &head, &body);
  }
  free(head.at);
  free(body.at);
}

void si_model_cache_end(si_model_cache *cache, const sn_model *model) {
  if (cache->folder) {
    cache->engine->reading = NULL;
  }
  if (cache->folder && model && !cache->reading.is_open && si_log_count() == cache->nlogged) {
    keep(cache, model);
  }
  si_reading_free(&cache->reading);
  free(cache->key.at);
}
