// SPDX-License-Identifier: Apache-2.0
//
// The ini: found, trusted, read with inih into a list of lines, each with its place. What depends
// on what is registered (names, parameters) is checked later; see engine.c for the order.
//
//   [plugins]        NAME = PATH [optional]
//   [select]         solver | integrator | executor | post_solver | decomposition = NAME
//   [collision]      TYPE-TYPE = NAME, either TYPE may be *
//   [override]       KIND.NAME = a name of [plugins]
//   [limits]         memory | elements | time = NUMBER, or none; limits.c
//   [plugin.NAME]    declared parameters; [plugin.KIND.NAME] when several kinds have that name
//
// Before the first section, `include = FILE` reads another ini first, and `include = installed`
// that of the installation. A line replaces those of included files with the same section and key.

#include <errno.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"
#include "platform/file.h"
#include "platform/object.h"
#include "platform/trust.h"

enum { CONFIG_MAX = 1 << 20, SECTION_MAX = 48 };   // bytes; SECTION_MAX is inih's

// ------------------------------------------------------------------ where it is

// The installed default lies in the folder sinew/ beside the library, wherever both were put; that
// of a build tree beside the library itself.
static char *beside_library(void) {
  static const char *const names[] = { "sinew/sinew.ini", "sinew.ini" };
  const char *own = si_object_own_path(), *slash = own ? strrchr(own, '/') : NULL;
  for (size_t i = 0; slash && i < sizeof names / sizeof names[0]; i++) {
    char *path = si_text("%.*s/%s", (int)(slash - own), own, names[i]);
    if (path && si_file_exists(path)) {
      return path;
    }
    free(path);
  }
  return strdup(SN_DEFAULT_CONFIG);
}

// The places of sinew.h in their order. In a set-user-id program only the installed default. The
// working folder is none of them: it may be one that was unpacked to look at a model, and an ini
// names code to run.
static sn_status search(char **found, sn_error *error) {
  const char *named = secure_getenv("SINEW_CONFIG");
  if (named && named[0]) {
    *found = strdup(named);
    return *found ? SN_OK : si_no_memory(error);
  }
  const char *xdg = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");
  char *places[2] = { NULL, NULL };
  if (xdg && xdg[0] == '/') {
    places[0] = si_text("%s/sinew/sinew.ini", xdg);
  } else if (home && home[0] == '/') {
    places[0] = si_text("%s/.config/sinew/sinew.ini", home);
  }
  places[1] = beside_library();
  for (int i = 0; i < 2 && !*found; i++) {
    if (si_file_exists(places[i])) {
      *found = places[i];
      places[i] = NULL;
    }
  }
  if (!*found) {
    si_fail(error, SN_ENOTFOUND,
            "there is no sinew.ini; looked for $SINEW_CONFIG, %s, %s; name one with --config or "
            "$SINEW_CONFIG (the working folder is not searched), or install Sinew",
            places[0] ? places[0] : "(no XDG_CONFIG_HOME)", places[1] ? places[1] : "");
  }
  free(places[0]);
  free(places[1]);
  return *found ? SN_OK : SN_ENOTFOUND;
}

sn_status si_config_locate(sn_engine *engine, const char *path, sn_error *error) {
  char *found = NULL;
  if (path) {
    found = strdup(path);
  } else {
    SN_TRY(search(&found, error));
  }
  if (!found) {
    return si_no_memory(error);
  }
  // a path that does not resolve is kept as it is, for the message of who opens it
  engine->config = realpath(found, NULL);
  if (engine->config) {
    free(found);
  } else {
    engine->config = found;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ lines

typedef struct reader {
  const struct reader *parent;   // that includes this file; NULL: it is the first
  sn_engine *engine;
  sn_error *error;
  const char *file;   // canonical path
  const char *next;
  int32_t line;
  sn_status status;   // the first failure
} reader;

static const char *const sections[] = { "plugins",  "select", "collision",
                                        "override", "limits", "plugin.NAME" };
enum { NSECTION = sizeof sections / sizeof sections[0] };

static sn_status check_section(reader *r, const char *name) {
  const sn_location location = { r->file, r->line, 0 };
  for (int i = 0; i < NSECTION - 1; i++) {
    if (strcmp(name, sections[i]) == 0) {
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
static sn_status look_at_line(reader *r, const char *line, size_t n, size_t room) {
  const sn_location location = { r->file, r->line, 0 };
  if (memchr(line, '\0', n)) {
    return si_fail_at(r->error, SN_EPARSE, &location, "a zero byte; this is not a text file");
  }
  if (n + 2 > room && line[0] != ';' && line[0] != '#') {
    return si_fail_at(r->error, SN_EPARSE, &location,
                      "the line has %zu characters, the limit is %zu; paths may be relative to "
                      "this file",
                      n, room - 2);
  }
  const char *end = line[0] == '[' ? memchr(line, ']', n) : NULL;
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
static char *next_line(char *to, int room, void *context) {
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
  r->status = look_at_line(r, start, n, (size_t)room);
  if (r->status < 0) {
    return NULL;
  }
  n = n + 2 > (size_t)room ? (size_t)room - 2 : n;
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

static si_entry *find(const sn_engine *engine, const char *section, const char *key) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    si_entry *e = &engine->entry[i];
    if (strcmp(e->section, section) == 0 && strcmp(e->key, key) == 0) {
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
  const si_entry *e = find(r->engine, section, key);
  if (e && strcmp(e->file, r->file) == 0) {
    return si_fail_at(r->error, SN_EPARSE, &location,
                      "[%s] %s is set twice, first in line %d; "
                      "remove one",
                      section, key, e->line);
  }
  if (!section[0]) {
    return si_fail_at(r->error, SN_EPARSE, &location,
                      "'%s' is outside any section; move it below [plugins], [select] ... (only "
                      "include = FILE stands before them)",
                      key);
  }
  return si_select_check_key(section, key, &location, r->error);
}

// The place of a new entry. One of an included file with the same key goes: a plugin is loaded at
// the place of the line that it replaces, everything else counts as the last line.
static si_entry *place_entry(sn_engine *engine, const char *section, const char *key) {
  si_entry *old = find(engine, section, key);
  if (!old) {
    si_entry *more = si_more(engine->entry, engine->nentry, sizeof *more);
    engine->entry = more ? more : engine->entry;
    return more ? &engine->entry[engine->nentry++] : NULL;
  }
  free_entry(old);
  if (strcmp(section, "plugins") == 0) {
    return old;
  }
  si_entry *last = &engine->entry[engine->nentry - 1];
  memmove(old, old + 1, (size_t)(last - old) * sizeof *old);
  return last;
}

static sn_status add_entry(const reader *r, const char *section, const char *key,
                           const char *value) {
  SN_TRY(check_key(r, section, key, value));
  si_entry *e = place_entry(r->engine, section, key);
  if (!e) {
    return si_no_memory(r->error);
  }
  *e = (si_entry){ .section = strdup(section),
                   .key = strdup(key),
                   .value = strdup(value),
                   .file = strdup(r->file),
                   .origin = si_text("%s:%d", r->file, r->line),
                   .line = r->line };
  return e->section && e->key && e->value && e->file && e->origin ? SN_OK : si_no_memory(r->error);
}

static sn_status include(const reader *r, const char *value);

static int take_line(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  if (r->status >= 0) {
    const int includes = !section[0] && strcmp(key, "include") == 0 && value[0];
    r->status = includes ? include(r, value) : add_entry(r, section, key, value);
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

static sn_status read_file(sn_engine *engine, const char *file, const reader *parent,
                           sn_error *error) {
  char *text = NULL;
  SN_TRY(read_text(file, &text, error));
  reader r = { .parent = parent, .engine = engine, .error = error, .file = file, .next = text };
  int bad = ini_parse_stream(next_line, &r, take_line, &r);
  free(text);
  if (r.status < 0) {
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
  char *named = strcmp(value, "installed") == 0 ? beside_library()
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
    status = read_file(r->engine, file, r, r->error);
  }
  free(named);
  free(file);
  return status;
}

sn_status si_config_read(sn_engine *engine, sn_error *error) {
  return read_file(engine, engine->config, NULL, error);
}

void si_config_free(sn_engine *engine) {
  for (int64_t i = 0; i < engine->nentry; i++) {
    free_entry(&engine->entry[i]);
  }
  free(engine->entry);
  free(engine->config);
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
