// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: the engine itself, its registry, the lines of its ini, the
// plugins it loaded. Nobody else includes this.
//
//   sinew.ini --config.c--> entries --plugin_file.c--> plugins --registry.c--> rows
//   rows + entries --freeze (engine.c, params.c)--> instances
//   rows + entries + choices --select.c--> who is used     --listing.c--> what users are told

#ifndef SN_HOST_ENGINE_STATE_H
#define SN_HOST_ENGINE_STATE_H

#include "host/engine.h"
#include "host/limits.h"

// ------------------------------------------------------------------ kinds (kinds.c)

enum { SN_MEMBER_REQUIRED = 1, SN_MEMBER_TEXT = 2, SN_MEMBER_PARAMS = 3, SN_MEMBER_NUMBERS = 4 };

// A pointer in an operations struct that must not be NULL; a text whose NULL means ""; a table of
// parameters, or of the numbers of a law.
typedef struct sn_member {
  const char *name;
  uint32_t offset;
  uint32_t rule;   // SN_MEMBER_*
} sn_member;

typedef struct sn_kind {
  const char *id;             // "sinew.solver/1"
  const char *word;           // "solver": in the ini and in messages
  uint32_t size;              // of the operations struct, as this host knows it
  const sn_member *members;   // ends with a NULL name
} sn_kind;

// NULL when there is none: the error lists the kinds.
const sn_kind *sn_kind_find(const char *id, sn_error *error);
const sn_kind *sn_kind_at(int64_t index);   // NULL past the end
// The host's own copy of a table: as long as kind->size, zero where the original ends, checked.
// Freed with free. `who` starts the message.
void *sn_kind_copy_ops(const sn_kind *kind, const void *ops, const char *who, sn_error *error);

// ------------------------------------------------------------------ the engine

// A line of the ini.
typedef struct sn_entry {
  char *section, *key, *value;
  char *origin;   // "FILE:LINE"
  int32_t line;
} sn_entry;

// A loaded plugin.
typedef struct sn_plugin_file {
  char *key;         // its name in [plugins]; of a static one: the name it gives itself
  char *path;        // NULL: linked into the application
  sn_plugin about;   // copy of what the entry returned, zero where that was shorter
  sn_plugin_entry_fn *entry;
} sn_plugin_file;

// A row of the registry with what only the host needs.
typedef struct sn_row {
  sn_provider provider;   // first
  const sn_kind *kind;
  char *name;
  char *section;        // "plugin.newton"
  char *long_section;   // "plugin.solver.newton"
  int made;             // the instance exists
} sn_row;

// What sn_select said.
typedef struct sn_choice {
  char *what, *name;
} sn_choice;

// A file in memory.
typedef struct sn_resource {
  char *name;
  uint8_t *bytes;   // count, and a zero
  int64_t count;
} sn_resource;

// An optional plugin that was left out.
typedef struct sn_left_out {
  char *key, *why;
} sn_left_out;

// A message from before the application said where messages go.
typedef struct sn_note {
  int32_t level;
  char *topic, *text;
} sn_note;

enum { SN_NOTES_MAX = 64 };

struct sn_engine {
  sn_host host;   // first: a plugin's handle to this engine
  sn_limit limit[SN_NLIMITS];
  char *config;   // canonical path of the ini; NULL: none
  char *folder;   // of the ini
  int64_t nentry, nplugin, nrow, nchoice, nresource, nleft, nnote;
  sn_entry *entry;
  sn_plugin_file **plugin;
  sn_row **row;
  sn_choice *choice;
  sn_resource *resource;
  sn_left_out *left;
  sn_note *note;
  sn_log_fn *log;
  void *log_context;
  int frozen;
  int opening;   // notes are kept
};

// ------------------------------------------------------------------ small things (text.c)

// printf into new memory; NULL: no memory.
char *sn_text(const char *format, ...) SN_PRINTF(1, 2);
// Makes room for one more element of `size` bytes; returns the array, NULL when there is no memory.
void *sn_more(void *array, int64_t n, size_t size);
// "a, b, c", cut when it grows too long. Never NULL: `out` has `room` bytes.
const char *sn_join(char *out, size_t room, const char *const *names, int64_t n);
// "; did you mean 'newton'? There are: newton, cg" when a name is near, "; there are: newton, cg"
// otherwise; `list` is "there are".
const char *sn_suggest(char *out, size_t room, const char *name, const char *list,
                       const char *const *names, int64_t n);
enum { SN_SUGGESTION = 1024 };   // bytes that sn_suggest is given
sn_status sn_no_memory(sn_error *error);

// ------------------------------------------------------------------ registry.c

// Adds a table under (kind, name). plugin NULL: the application.
sn_status sn_registry_add(sn_engine *engine, const char *kind, const char *name, const void *ops,
                          const sn_plugin_file *plugin, sn_error *error);
// The registry as it is now, to return to. restore frees the rows that are not in it.
typedef struct sn_snapshot {
  sn_row **row;
  int64_t nrow;
} sn_snapshot;
sn_status sn_registry_snapshot(const sn_engine *engine, sn_snapshot *snapshot, sn_error *error);
void sn_registry_restore(sn_engine *engine, sn_snapshot *snapshot);
void sn_registry_commit(sn_engine *engine, sn_snapshot *snapshot);   // frees rows that went
void sn_registry_free(sn_engine *engine);
// The row of an ini section "plugin.NAME" or "plugin.KIND.NAME"; NULL with an error otherwise.
sn_row *sn_registry_section(const sn_engine *engine, const char *section, sn_error *error);
// Names of a kind's providers, or of all; the array (not the names) is freed by the caller.
const char **sn_registry_names(const sn_engine *engine, const char *kind, int64_t *n);
sn_status sn_registry_check_overrides(const sn_engine *engine, sn_error *error);

// ------------------------------------------------------------------ config.c

// Finds the ini, by the path given or by the search of sinew.h; sets engine->config and folder.
sn_status sn_config_locate(sn_engine *engine, const char *path, sn_error *error);
// Reads engine->config into engine->entry; checks sections and the keys that are always the same.
sn_status sn_config_read(sn_engine *engine, sn_error *error);
void sn_config_free(sn_engine *engine);
sn_place sn_config_place(const sn_engine *engine, const sn_entry *entry);
// "KIND.NAME" of [override]; NULL: not said.
const sn_entry *sn_config_override(const sn_engine *engine, const char *word, const char *name);

// ------------------------------------------------------------------ trust.c, elf.c, needed.c

// Opens a regular file that no other user can change or replace: its descriptor, or a status.
// kind: "plugin" ..., for messages.
int sn_trust_open(const char *path, const char *kind, sn_error *error);
// Refuses a path of a file that does not exist when another user could make it.
sn_status sn_trust_absent(const char *path, const char *kind, sn_error *error);
// Refuses a file that is not a whole shared object for this machine.
sn_status sn_elf_check(int descriptor, const char *path, sn_error *error);
// Finds the libraries that an object accepted by sn_elf_check asks for in its run path, and theirs;
// refuses those that another user can change. path is absolute.
sn_status sn_needed_check(int descriptor, const char *path, sn_error *error);

// ------------------------------------------------------------------ plugin_file.c

// Loads a shared object and registers what it provides; all or nothing.
sn_status sn_plugin_load(sn_engine *engine, const char *key, const char *path, sn_error *error);
sn_status sn_plugin_add(sn_engine *engine, const char *key, const char *path,
                        sn_plugin_entry_fn *entry, sn_error *error);
void sn_plugins_free(sn_engine *engine);

// ------------------------------------------------------------------ params.c

// Refuses declarations that make no sense: no name, a default out of its own range.
sn_status sn_params_check(const sn_param *params, const char *who, sn_error *error);
int64_t sn_params_count(const sn_param *params);
const sn_param *sn_params_find(const sn_param *params, const char *name);
// A value as written; place may be NULL.
sn_status sn_param_parse(const sn_param *param, const char *text, const char *who,
                         const sn_place *place, sn_value *value, sn_error *error);
// The line that sets a parameter of a row; NULL: none, the default stands.
const sn_entry *sn_params_entry(const sn_engine *engine, const sn_row *row, const sn_param *param);
// All values of a row, in the order of declaration; freed by the caller.
sn_status sn_params_values(const sn_engine *engine, const sn_row *row, sn_value **values,
                           sn_error *error);
// Every line of a [plugin.*] section belongs to a declared parameter.
sn_status sn_params_check_entries(sn_engine *engine, sn_error *error);

// ------------------------------------------------------------------ select.c

// What can be selected: a word of [select] and the kind it selects from.
typedef struct sn_selectable {
  const char *what, *kind;
} sn_selectable;
const sn_selectable *sn_selectable_at(int64_t index);   // NULL past the end
// Shape of a line of [select] or [collision]; does not look at what is registered.
sn_status sn_select_check_key(const char *section, const char *key, const sn_place *place,
                              sn_error *error);
// Everything that is selected exists, and a solver or refiner is one.
sn_status sn_select_check(const sn_engine *engine, sn_error *error);
const sn_entry *sn_select_entry(const sn_engine *engine, const char *what);
const sn_choice *sn_select_choice(const sn_engine *engine, const char *what);

// ------------------------------------------------------------------ pairs.c

// Whether it is of pairs that something says who serves: "sphere-box", "mesh-*", "convex".
int sn_pair_is(const char *what);
// Its types are types that there are.
sn_status sn_pair_check(const char *pair, const sn_place *place, sn_error *error);
// A collider serves a pair that is meant.
sn_status sn_pair_check_served(const sn_engine *engine, const char *key,
                               const sn_provider *collider, const sn_place *place, sn_error *error);

// ------------------------------------------------------------------ services.c, random.c, log.c

void sn_host_init(sn_host *host);
extern const sn_random_service sn_random_service_table;
// Philox4x32-10: four random words of a key and a counter.
void sn_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);
void sn_log_text(const sn_engine *engine, int32_t level, const char *topic, const char *text);
void sn_log_free(sn_engine *engine);

// ------------------------------------------------------------------ source.c

void sn_resources_free(sn_engine *engine);
// The path of `name` relative to the folder of `base`, without "." and with ".." taken back where
// it can be. NULL: no memory. source.c
char *sn_source_path(const char *base, const char *name);
// The operation `list` of a source, with a whole path. folder.c
sn_status sn_folder_list(const sn_engine *engine, const char *path, void *context,
                         void (*each)(void *context, const char *name, int32_t is_folder));

#endif
