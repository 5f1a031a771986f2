// SPDX-License-Identifier: Apache-2.0
//
// One ini: trusted, read with inih into a list of lines, each with its place. Which inis there are
// is in layers.c; what depends on what is registered (names, parameters) is checked later, see
// engine.c for the order.
//
//   [plugins]        NAME = PATH [optional], or none
//   [select]         solver | integrator | executor | post_solver | decomposition | renderer = NAME
//   [option]         an option or flag of every model = VALUE; model/option.c
//   [collision]      TYPE-TYPE = NAME, either TYPE may be *
//   [override]       KIND.NAME = a name of [plugins]
//   [limits]         memory | elements | time = NUMBER, or none; limits.c
//   [cache]          models = yes | no, folder = PATH, size = BYTES; caching.c
//   [plugin.NAME]    declared parameters; [plugin.KIND.NAME] when several kinds have that name
//
// Before the first section:
//
//   include = FILE   reads another ini first; `installed` is that of the installation. A line
//                    replaces those of included files with the same section and key
//   root = true      this file takes the place of the installed configuration: layers.c
//   profile = NAME   selects a profile, as --profile does: layers.c
//   check_plugins = yes   operations of plugins are checked: checks.c

#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "base/same.h"
#include "host/engine_state.h"
#include "platform/file.h"
#include "platform/trust.h"
#include "sinew/suggest.h"

enum { CONFIG_MAX = 1 << 20, SECTION_MAX = 48 };   // bytes; SECTION_MAX is inih's

// ------------------------------------------------------------------ lines

typedef struct reader {
  const struct reader *parent;   // that includes this file; NULL: it is the first
  si_layer *layer;
  sn_error *error;
  const char *file;   // canonical path
  const char *next;
  int32_t line;
  int32_t head_line[3];   // of each key of `heads` that was set
  sn_status status;   // the first failure
} reader;

static const char *const sections[] = { "plugins", "select", "option",     "collision",
                                        "override", "limits", "cache",      "plugin.NAME" };
enum { NSECTION = sizeof sections / sizeof sections[0] };

static sn_status check_section(reader *r, const char *name) {
  const sn_location location = { r->file, r->line, 0 };
  for (int i = 0; i < NSECTION - 1; i++) {
    if (si_same(name, sections[i])) {
      return SN_OK;
    }
  }
  if (strncmp(name, "plugin.", 7) == 0 && name[7]) {
    return SN_OK;
  }
  char cure[SI_SUGGESTION];
  return si_fail_at(r->error, SN_EPARSE, &location, "unknown section '%s'%s", name,
                    si_suggest(cure, sizeof cure, name, "available", sections, NSECTION));
}

// A line that opens a section is checked here: inih tells only of lines with keys.
static sn_status look_at_line(reader *r, const char *line, size_t n, size_t capacity) {
  const sn_location location = { r->file, r->line, 0 };
  if (memchr(line, '\0', n)) {
    return si_fail_at(r->error, SN_EPARSE, &location, "a zero byte; this is not a text file");
  }
  if (n + 2 > capacity && line[0] != ';' && line[0] != '#') {
    return si_fail_at(
        r->error, SN_EPARSE, &location,
        "the line has %zu characters, but the limit is %zu; shorten it, for example with "
        "paths relative to this file",
        n, capacity - 2);
  }
  const char *end = line[0] == '[' ? memchr(line, ']', n) : NULL;
  if (line[0] == '[' && !end) {
    return si_fail_at(r->error, SN_EPARSE, &location, "a section header must end with ]");
  }
  if (end) {
    char name[SECTION_MAX + 1];
    const size_t length = (size_t)(end - line) - 1;
    if (length > SECTION_MAX) {
      return si_fail_at(r->error, SN_EPARSE, &location,
                        "the name of a section has at most %d "
                        "characters",
                        SECTION_MAX);
    }
    memcpy(name, line + 1, length);
    name[length] = '\0';
    return check_section(r, name);
  }
  return SN_OK;
}

// inih's reader: one line a call, without white space at its start (a key never continues).
static char *next_line(char *to, int capacity, void *context) {
  reader *r = context;
  if (!*r->next || r->status < 0) {
    return NULL;
  }
  r->line++;
  const char *start = r->next;
  size_t n = strcspn(start, "\n");
  r->next = start + n + (start[n] == '\n');
  while (n > 0 && (*start == ' ' || *start == '\t')) {
    start++;
    n--;
  }
  r->status = look_at_line(r, start, n, (size_t)capacity);
  if (r->status < 0) {
    return NULL;
  }
  n = n + 2 > (size_t)capacity ? (size_t)capacity - 2 : n;
  memcpy(to, start, n);
  to[n] = '\n';
  to[n + 1] = '\0';
  return to;
}

static void free_entry(si_entry *e) {
  free(e->section);
  free(e->key);
  free(e->value);
  free(e->file);
  free(e->origin);
}

static si_entry *find(si_entry *list, int64_t n, const char *section, const char *key) {
  for (si_entry *e = list; e < list + n; e++) {
    if (si_same(e->key, key) && si_same(e->section, section)) {
      return e;
    }
  }
  return NULL;
}

static sn_status check_key(const reader *r, const char *section, const char *key,
                           const char *value) {
  const sn_location location = { r->file, r->line, 0 };
  if (!value[0]) {
    return si_fail_at(r->error, SN_EPARSE, &location, "'%s' has no value; write %s = value", key,
                      key);
  }
  const si_entry *e = find(r->layer->entry, r->layer->nentry, section, key);
  if (e && strcmp(e->file, r->file) == 0) {
    return si_fail_at(r->error, SN_EPARSE, &location,
                      "%s%s%s%s is set twice, first in line %d; remove one", section[0] ? "[" : "",
                      section, section[0] ? "] " : "", key, e->line);
  }
  if (!section[0] && si_checks_are(key)) {
    return si_checks_check(value, &location, r->error);
  }
  if (!section[0]) {
    return si_fail_at(r->error, SN_EPARSE, &location,
                      "'%s' is outside any section; move it below [plugins], [select] ... (only "
                      "include, root, profile and check_plugins stand before them)",
                      key);
  }
  if (strcmp(section, "cache") == 0) {
    return si_caching_check(key, value, &location, r->error);
  }
  return si_select_check_key(section, key, &location, r->error);
}

// The place of a new entry. An older one with the same key goes: a plugin is loaded at the place of
// the line that it replaces, everything else counts as the last line.
static si_entry *place_entry(si_entry **list, int64_t *n, const char *section, const char *key) {
  si_entry *old = find(*list, *n, section, key);
  if (!old) {
    si_entry *more = si_more(*list, *n, sizeof *more);
    *list = more ? more : *list;
    return more ? &(*list)[(*n)++] : NULL;
  }
  free_entry(old);
  if (strcmp(section, "plugins") == 0) {
    return old;
  }
  si_entry *last = &(*list)[*n - 1];
  memmove(old, old + 1, (size_t)(last - old) * sizeof *old);
  return last;
}

sn_status si_config_put(si_entry **list, int64_t *n, si_entry *entry, sn_error *error) {
  const int whole = entry->section && entry->key && entry->value && entry->origin &&
                    (entry->file || entry->line == 0);
  si_entry *e = whole ? place_entry(list, n, entry->section, entry->key) : NULL;
  if (e) {
    *e = *entry;
  } else {
    free_entry(entry);
  }
  *entry = (si_entry){ .line = 0 };
  return e ? SN_OK : si_no_memory(error);
}

static sn_status add_entry(const reader *r, const char *section, const char *key,
                           const char *value) {
  SN_TRY(check_key(r, section, key, value));
  const int replaces = find(r->layer->entry, r->layer->nentry, section, key) != NULL;
  si_entry e = { .section = strdup(section),
                 .key = strdup(key),
                 .value = strdup(value),
                 .file = strdup(r->file),
                 .origin = si_text("%s:%d", r->file, r->line),
                 .line = r->line,
                 .layer = r->layer->layer,
                 .replaces = replaces };
  return si_config_put(&r->layer->entry, &r->layer->nentry, &e, r->error);
}

// A line that removes a plugin which no weaker line names has no effect: it may be misspelt.
void si_config_warn_removed(const sn_engine *engine, const si_entry *entry) {
  const int is_idle = strcmp(entry->section, "plugins") == 0 && strcmp(entry->value, "none") == 0 &&
                      !entry->replaces &&
                      !find(engine->entry, engine->nentry, entry->section, entry->key);
  const char **names = is_idle ? calloc((size_t)engine->nentry + 1, sizeof *names) : NULL;
  char cure[SN_SUGGEST_TEXT];
  int n = 0;
  for (int64_t i = 0; names && i < engine->nentry; i++) {
    if (si_same(engine->entry[i].section, "plugins")) {
      names[n++] = engine->entry[i].key;
    }
  }
  if (names) {
    si_engine_log(
        engine, SN_LOG_WARNING, "configuration",
        "%s: %s = none has no effect: no weaker configuration names this plugin%s", entry->origin,
        entry->key,
        sn_suggest_text(cure, sizeof cure, sn_suggest_nearest(entry->key, names, n), NULL));
  }
  free(names);
}

sn_status si_config_set(sn_engine *engine, const char *section, const char *key, const char *value,
                        const char *origin, sn_error *error) {
  si_entry e = { .section = strdup(section),
                 .key = strdup(key),
                 .value = strdup(value),
                 .origin = strdup(origin),
                 .layer = SI_LAYER_SET };
  return si_config_put(&engine->entry, &engine->nentry, &e, error);
}

// ------------------------------------------------------------------ before the first section

static sn_status include(const reader *r, const char *value);

// In an included file the line has no effect, so that a file with `root = true` can be included.
static sn_status take_root(const reader *r, const char *value) {
  const int is_true = strcmp(value, "true") == 0;
  if (!is_true && strcmp(value, "false") != 0) {
    const sn_location location = { r->file, r->line, 0 };
    return si_fail_at(r->error, SN_EPARSE, &location, "'root' must be true or false, not '%s'",
                      value);
  }
  if (!r->parent) {
    r->layer->is_root = is_true;
  }
  return SN_OK;
}

static sn_status take_profile(const reader *r, const char *value) {
  const sn_location location = { r->file, r->line, 0 };
  if (r->layer->layer == SI_LAYER_PROFILE) {
    return si_fail_at(r->error, SN_EPARSE, &location,
                      "a profile cannot select another profile; include its file instead");
  }
  free(r->layer->profile);
  free(r->layer->profile_file);
  r->layer->profile = strdup(value);
  r->layer->profile_file = strdup(r->file);
  r->layer->profile_line = r->line;
  return r->layer->profile && r->layer->profile_file ? SN_OK : si_no_memory(r->error);
}

static const struct {
  const char *key;
  sn_status (*take)(const reader *r, const char *value);
  int is_repeated;
} heads[] = { { "include", include, 1 }, { "root", take_root, 0 }, { "profile", take_profile, 0 } };
enum { NHEADS = sizeof heads / sizeof heads[0] };
_Static_assert(NHEADS == sizeof((reader){ 0 }.head_line) / sizeof(int32_t), "a line for each");

static sn_status take_head(reader *r, int i, const char *value) {
  const int32_t before = r->head_line[i];
  if (before > 0 && !heads[i].is_repeated) {
    const sn_location location = { r->file, r->line, 0 };
    return si_fail_at(r->error, SN_EPARSE, &location,
                      "%s is set twice, first in line %d; remove one", heads[i].key, before);
  }
  r->head_line[i] = r->line;
  return heads[i].take(r, value);
}

static sn_status take(reader *r, const char *section, const char *key, const char *value) {
  for (int i = 0; i < NHEADS; i++) {
    if (!section[0] && value[0] && strcmp(key, heads[i].key) == 0) {
      return take_head(r, i, value);
    }
  }
  return add_entry(r, section, key, value);
}

static int take_line(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  if (r->status >= 0) {
    r->status = take(r, section, key, value);
  }
  return r->status >= 0;
}

// ------------------------------------------------------------------ the file

static sn_status read_text(const char *path, char **text, sn_error *error) {
  int descriptor = si_trust_open(path, "configuration", error);
  SN_TRY(descriptor);
  char *bytes = malloc(CONFIG_MAX + 1);
  const int64_t n = bytes ? si_file_read(descriptor, bytes, CONFIG_MAX) : 0;
  si_file_close(descriptor);
  if (!bytes) {
    return si_no_memory(error);
  }
  if (n < 0 || n == CONFIG_MAX) {
    free(bytes);
    return si_fail(error, SN_EIO, "cannot read the configuration %s%s", path,
                   n == CONFIG_MAX ? ": it is larger than 1 MiB" : "");
  }
  bytes[n] = '\0';
  if ((int64_t)strlen(bytes) != n) {
    free(bytes);
    return si_fail(error, SN_EPARSE,
                   "the configuration %s contains a zero byte; it is not a text file", path);
  }
  *text = bytes;
  return SN_OK;
}

static sn_status read_file(si_layer *layer, const char *file, const reader *parent,
                           sn_error *error) {
  char *text = NULL;
  SN_TRY(read_text(file, &text, error));
  reader r = { .parent = parent, .layer = layer, .error = error, .file = file, .next = text };
  int bad = ini_parse_stream(next_line, &r, take_line, &r);   // the first faulty line
  free(text);
  if (r.status < 0 && (bad <= 0 || bad >= r.line)) {
    return r.status;
  }
  if (bad > 0) {
    const sn_location location = { file, bad, 0 };
    return si_fail_at(error, SN_EPARSE, &location, "expected [section] or key = value");
  }
  return bad < 0 ? si_no_memory(error) : SN_OK;
}

char *si_config_path(const char *file, const char *path, size_t n) {
  const char *slash = path[0] != '/' ? strrchr(file, '/') : NULL;
  return si_text("%.*s%.*s", slash ? (int)(slash - file + 1) : 0, file, (int)n, path);
}

int si_config_is_plugin(const si_entry *entry) {
  return strcmp(entry->section, "plugins") == 0 && strcmp(entry->value, "none") != 0;
}

char *si_config_plugin_path(const si_entry *entry, int *optional) {
  static const char word[] = "optional";
  const char *value = entry->value;
  size_t n = strlen(value);
  const size_t w = sizeof word - 1;
  *optional = 0;
  if (n > w && strcmp(value + n - w, word) == 0 && strchr(" \t", value[n - w - 1])) {
    *optional = 1;
    n -= w;
    while (n > 0 && strchr(" \t", value[n - 1])) {
      n--;
    }
  }
  return si_config_path(entry->file, value, n);
}

static sn_status include(const reader *r, const char *value) {
  const sn_location location = { r->file, r->line, 0 };
  char *named = strcmp(value, "installed") == 0 ? si_layers_installed()
                                                : si_config_path(r->file, value, strlen(value));
  char *file = named ? realpath(named, NULL) : NULL;
  sn_status status = SN_OK;
  if (!file) {
    status = !named || errno == ENOMEM
                 ? si_no_memory(r->error)
                 : si_fail_at(r->error, SN_EIO, &location,
                              "cannot open the included configuration %s: %s; correct the path",
                              named, strerror(errno));
  }
  for (const reader *p = r; p && status >= 0; p = p->parent) {
    if (strcmp(p->file, file) == 0) {
      status = si_fail_at(r->error, SN_EPARSE, &location,
                          "%s includes itself through this line; remove it", file);
    }
  }
  if (status >= 0) {
    status = read_file(r->layer, file, r, r->error);
  }
  free(named);
  free(file);
  return status;
}

sn_status si_config_read(si_layer *layer, sn_error *error) {
  return read_file(layer, layer->file, NULL, error);
}

void si_config_free(si_entry *list, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    free_entry(&list[i]);
  }
  free(list);
}

sn_location si_config_location(const si_entry *entry) {
  return (sn_location){ entry->file, entry->line, 0 };
}

const si_entry *si_config_override(const sn_engine *engine, const char *word, const char *name) {
  const size_t n = strlen(word);
  for (int64_t i = 0; i < engine->nentry; i++) {
    const si_entry *e = &engine->entry[i];
    if (strcmp(e->section, "override") == 0 && strncmp(e->key, word, n) == 0 && e->key[n] == '.' &&
        strcmp(e->key + n + 1, name) == 0) {
      return e;
    }
  }
  return NULL;
}
