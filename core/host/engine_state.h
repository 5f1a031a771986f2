// SPDX-License-Identifier: Apache-2.0
//
// The engine itself, its registry, the lines of its ini file, and the plugins that it loaded. For
// this folder, core/files and the functions of core/api that are the engine's.
//
//   inis --config.c, layers.c--> entries --plugin_file.c--> plugins --registry.c--> rows
//   rows + entries --freeze (engine.c, params.c)--> instances
//   rows + entries --select.c, pairs.c--> what is used    --listing.c--> listings for users

#ifndef SI_HOST_ENGINE_STATE_H
#define SI_HOST_ENGINE_STATE_H

#include "base/text.h"
#include "host/engine.h"
#include "host/limits.h"
#include "platform/trust.h"

// ------------------------------------------------------------------ kinds (kinds.c)

enum {
  SI_OPS_REQUIRED = 1,
  SI_OPS_TEXT = 2,
  SI_OPS_PARAMS = 3,
  SI_OPS_NUMBERS = 4,
  SI_OPS_WORDS = 5,
  SI_OPS_PREFIXES = 6,
  SI_OPS_VALUES = 7,
  SI_OPS_RANGE = 8,
  SI_OPS_PAIRS = 9,
  SI_OPS_NEEDS = 10,
  SI_OPS_RESERVED = 11
};

// A pointer in an operations struct that must not be NULL; a text whose NULL means ""; a table of
// parameters, of numbers of an actuator's function, or of parameters without references (VALUES); a
// text like "site|body", of known words alone; a text like "package://|model://"; an integer from 0
// to `most`; the pairs of a collider; a pointer that requires another one (NEEDS); an integer that
// must be 0 in this version (RESERVED).
typedef struct si_ops_member {
  const char *name;
  uint32_t offset;
  uint32_t rule;       // SI_OPS_*
  const char *words;   // of SI_OPS_WORDS: what is known, "site|body|geom"; of NEEDS: the other one
  int32_t most;        // of SI_OPS_RANGE; of SI_OPS_NEEDS: the offset of the other one
} si_ops_member;

typedef struct si_kind {
  const char *id;                 // "sinew.solver/1"
  const char *word;               // "solver": in the ini and in messages
  uint32_t least;                 // bytes of the operations struct in ABI 1.0
  uint32_t size;                  // of the operations struct, as this host knows it
  const si_ops_member *members;   // ends with a NULL name
  const char *flags;              // names of the known flags, bit 0 first: "SN_A|SN_B"; NULL: none
} si_kind;

// NULL when there is none: the error lists the kinds.
const si_kind *si_kind_find(const char *id, sn_error *error);
const si_kind *si_kind_at(int64_t index);   // NULL past the end
// Are they one kind, perhaps in two revisions? Those have one word, and share their names: a plugin
// for older and newer engines provides a name in both revisions, and the newer counts.
int si_kind_same(const si_kind *a, const si_kind *b);
int32_t si_kind_revision(const si_kind *kind);   // 2 of "sinew.solver/2"; 0: a draft
// The ABI that a table was compiled for: this one or an older one, a newer one, or either.
typedef enum si_age { SI_AGE_KNOWN, SI_AGE_NEWER, SI_AGE_UNKNOWN } si_age;

// The host's own copy of a table: as long as kind->size, zero where the original ends, checked.
// Freed with free. `subject` starts the message.
void *si_kind_copy_ops(const si_kind *kind, const void *ops, si_age age, const char *subject,
                       sn_error *error);

// ------------------------------------------------------------------ the engine

// The layers of the configuration, from the weakest to the strongest.
enum { SI_LAYER_INSTALLED, SI_LAYER_PROFILE, SI_LAYER_USER, SI_LAYER_NAMED, SI_LAYER_SET };

// A line of an ini, or of one that it includes, or a choice of sn_select or sn_engine_set.
typedef struct si_entry {
  char *section, *key, *value;
  char *file;      // canonical path; NULL: not of a file
  char *origin;    // "FILE:LINE", or the function
  int32_t line;    // 0: not of a file
  int32_t layer;   // SI_LAYER_*
  int32_t replaces;   // an entry of an included file of its layer
} si_entry;

// The lines of one ini with those that it includes.
typedef struct si_layer {
  int32_t layer;     // SI_LAYER_*
  int32_t is_root;   // it has `root = true`
  char *file;        // canonical path
  char *profile;     // the value of `profile =`; NULL: none
  char *profile_file;      // and its place
  int32_t profile_line;
  si_entry *entry;
  int64_t nentry;
} si_layer;

// A loaded plugin.
typedef struct si_plugin_file {
  char *key;         // its name in [plugins]; of a static one: the name it gives itself
  char *path;        // NULL: linked into the application
  sn_plugin about;   // copy of what the entry returned, zero where that was shorter
  sn_plugin_entry_fn *entry;
} si_plugin_file;

// A row of the registry with what only the host needs.
typedef struct si_row {
  si_provider provider;   // first
  const si_kind *kind;
  char *name;
  char *section;        // "plugin.newton"
  char *long_section;   // "plugin.solver.newton"
  int made;             // the instance exists
  void *guarded;        // what programs call instead, see api/engine_use.c; freed with `free`
} si_row;

// A file in memory.
typedef struct si_resource {
  char *name;
  uint8_t *bytes;   // count, and a zero
  int64_t count;
} si_resource;

// A plugin of the ini that was left out.
typedef struct si_left_out {
  char *key, *path, *why;
  sn_status status;
} si_left_out;

// What a plugin provides and this engine does not know the kind of.
typedef struct si_skipped {
  const sn_provide *row;   // of the plugin
  const si_plugin_file *plugin;
  char *why;
} si_skipped;

// A message from before the application has set a log function.
typedef struct si_note {
  int32_t level;
  char *topic, *text;
} si_note;

enum { SI_NOTES_MAX = 64 };

struct sn_engine {
  sn_host host;   // first: a plugin's handle to this engine
  si_limit limit[SI_NLIMITS];
  si_layer layer[SI_LAYER_SET];   // those that were read, in order; their entries are moved below
  char *config;                   // the ini that a user would edit, for messages; NULL: none
  int64_t nlayer, nentry, nplugin, nrow, nresource, nleft, nskipped, nnote;
  si_entry *entry;
  si_plugin_file **plugin;
  si_row **row;
  si_resource *resource;
  si_left_out *left;
  si_skipped *skipped;
  si_note *note;
  sn_log_fn *log;
  void *log_context;
  sn_file_fn *watch;
  void *watch_context;
  int frozen;
  sn_engine
      *opening;   // itself while sn_engine_open runs, in one thread: notes are kept; else NULL
  si_trusted near;   // while it is being opened: the folder of the last plugin
  int tolerant;  // plugins that cannot be loaded are left out, as if their lines had `optional`
  int caches;           // the default of cache.models
  char *cache_folder;   // and of cache.folder; NULL: there is none
  struct si_reading *reading;   // while a model that may be kept is loaded; files/reading.h
};

// ------------------------------------------------------------------ registry.c

// Adds a table under (kind, name). plugin NULL: the application.
sn_status si_registry_add(sn_engine *engine, const char *kind, const char *name, const void *ops,
                          const si_plugin_file *plugin, sn_error *error);
// The registry as it is now, to return to. restore frees the rows that are not in it.
typedef struct si_snapshot {
  si_row **row;
  int64_t nrow;
} si_snapshot;
sn_status si_registry_snapshot(const sn_engine *engine, si_snapshot *snapshot, sn_error *error);
void si_registry_restore(sn_engine *engine, si_snapshot *snapshot);
void si_registry_commit(sn_engine *engine, si_snapshot *snapshot);   // frees rows that went
void si_registry_free(sn_engine *engine);
// The row of an ini section "plugin.NAME" or "plugin.KIND.NAME"; NULL with an error otherwise.
si_row *si_registry_section(const sn_engine *engine, const char *section, sn_error *error);
sn_status si_registry_check_overrides(const sn_engine *engine, sn_error *error);

// ------------------------------------------------------------------ layers.c

// Finds and reads every layer, into engine->layer and engine->entry.
sn_status si_layers_read(sn_engine *engine, const sn_engine_request *request, sn_error *error);
void si_layers_free(sn_engine *engine);
// The path of the installed ini, which may not exist. Freed by the caller; NULL: no memory.
char *si_layers_installed(void);

// ------------------------------------------------------------------ config.c

// Reads the ini layer->file and what it includes; checks sections and the keys that are always the
// same.
sn_status si_config_read(si_layer *layer, sn_error *error);
void si_config_warn_removed(const sn_engine *engine, const si_entry *entry);
// Moves an entry to the end of a list, in place of what it replaces; on failure it is freed.
sn_status si_config_put(si_entry **list, int64_t *n, si_entry *entry, sn_error *error);
void si_config_free(si_entry *list, int64_t n);
// Adds an entry that no file says. location.file NULL.
sn_status si_config_set(sn_engine *engine, const char *section, const char *key, const char *value,
                        const char *origin, sn_error *error);
// Is it a line of [plugins] that names a file? One whose value is `none` removes the plugin.
int si_config_is_plugin(const si_entry *entry);
// The path of a line of [plugins], absolute; *optional: it ends with that word. NULL: no memory.
char *si_config_plugin_path(const si_entry *entry, int *optional);
sn_location si_config_location(const si_entry *entry);
// The first n characters of a path, relative to the folder of an ini. NULL: no memory.
char *si_config_path(const char *file, const char *path, size_t n);
// "KIND.NAME" of [override]; NULL: not set.
const si_entry *si_config_override(const sn_engine *engine, const char *word, const char *name);

// ------------------------------------------------------------------ plugin_file.c

// Loads a shared object and registers what it provides; all or nothing.
sn_status si_plugin_load(sn_engine *engine, const char *key, const char *path, sn_error *error);
// The same for one that is linked into the application.
sn_status si_plugin_add(sn_engine *engine, sn_plugin_entry_fn *entry, sn_error *error);
// Loads a shared object and copies its descriptor. canonical: its path, freed by the caller, also
// after an error.
sn_status si_plugin_read(const sn_engine *engine, const char *key, const char *path,
                         char **canonical, sn_plugin_entry_fn **entry, sn_plugin *about,
                         sn_error *error);
void si_plugins_free(sn_engine *engine);

// ------------------------------------------------------------------ params.c

// Rejects declarations that make no sense: no name, a default out of its own range.
sn_status si_params_check(const sn_param *params, const char *subject, sn_error *error);
int64_t si_params_count(const sn_param *params);
const sn_param *si_params_find(const sn_param *params, const char *name);
// Reads a value as it is written. subject: what messages call the parameter, before its name, such
// as "attribute". location may be NULL. storage: where the numbers of SN_PARAM_REALS go, moved
// behind them; NULL: they are only checked.
sn_status si_param_parse(const sn_param *param, const char *text, const char *subject,
                         const sn_location *location, sn_value *value, double **storage,
                         sn_error *error);
// Numbers that a text of this parameter has at most, if they are stored.
int64_t si_param_capacity(const sn_param *param, const char *text);
// The line that sets a parameter of a row; NULL: none, the default stands.
const si_entry *si_params_entry(const sn_engine *engine, const si_row *row, const sn_param *param);
// All values of a row, in the order of declaration; freed by the caller.
sn_status si_params_values(const sn_engine *engine, const si_row *row, sn_value **values,
                           sn_error *error);
// Checks a text for one of a row's parameters. location NULL: none.
sn_status si_params_check_value(const si_row *row, const char *key, const char *text,
                                const sn_location *location, sn_error *error);
// Every line of a [plugin.*] section belongs to a declared parameter.
sn_status si_params_check_entries(sn_engine *engine, sn_error *error);

// "yes", "no", "true" ...; 0: it is none of them.
int si_param_bool(const char *text, int64_t *value);

// ------------------------------------------------------------------ checks.c

// Is this the key of the setting check_plugins? May it have this value?
int si_checks_are(const char *key);
sn_status si_checks_check(const char *value, const sn_location *location, sn_error *error);
sn_status si_checks_set(sn_engine *engine, const char *value, const char *origin, sn_error *error);
void si_checks_list(const sn_engine *engine, const char **name, const char **value,
                    const char **origin);

// ------------------------------------------------------------------ caching.c

// The settings of [cache], for api/model_cache.c. request: for the defaults.
sn_status si_caching_init(sn_engine *engine, const sn_engine_request *request, sn_error *error);
sn_status si_caching_check(const char *key, const char *value, const sn_location *location,
                           sn_error *error);
sn_status si_caching_set(sn_engine *engine, const char *key, const char *value, sn_error *error);
int si_caching_is_on(const sn_engine *engine);
const char *si_caching_folder(const sn_engine *engine);   // NULL: there is none
double si_caching_size(const sn_engine *engine);    // bytes
// For listings; 0 past the end.
int si_caching_at(const sn_engine *engine, int64_t index, const char **key, const char **value,
                  const char **origin);

// ------------------------------------------------------------------ select.c

// What can be selected: a word of [select] and the kind it selects from.
typedef struct si_selectable {
  const char *what, *kind;
} si_selectable;
const si_selectable *si_selectable_at(int64_t index);   // NULL past the end
// Shape of a line of [select] or [collision]; does not look at what is registered.
sn_status si_select_check_key(const char *section, const char *key, const sn_location *location,
                              sn_error *error);
// Checks that every selected provider exists, and that solvers and post-solvers have that role.
sn_status si_select_check(const sn_engine *engine, sn_error *error);
const si_entry *si_select_entry(const sn_engine *engine, const char *what);

// ------------------------------------------------------------------ pairs.c

// True if `what` selects pairs of geom types: "sphere-box", "mesh-*", "convex".
int si_pair_is(const char *what);
// Checks the list of a collider. subject: of messages.
sn_status si_pairs_check(const sn_collider_pair *pairs, const char *subject, sn_error *error);
// Checks that the types of a pair exist.
sn_status si_pair_check(const char *pair, const sn_location *location, sn_error *error);
// Checks that a collider supports at least one of the selected pairs.
sn_status si_pair_check_served(const sn_engine *engine, const char *key,
                               const si_provider *collider, const sn_location *location,
                               sn_error *error);

// Sets supported[i][j], i <= j, where any collider supports the pair.
void si_pairs_supported(const sn_engine *engine, uint8_t supported[SN_NGEOMTYPES][SN_NGEOMTYPES]);
// Logs a warning for each collider that no pair of types gets because others were registered first.
void si_pairs_warn_unused(const sn_engine *engine);

// ------------------------------------------------------------------ log.c

void si_log_text(const sn_engine *engine, int32_t level, const char *topic, const char *text);
void si_log_free(sn_engine *engine);
// Messages that were logged in this process until now, without those of the level SN_LOG_DEBUG.
int64_t si_log_count(void);

// ------------------------------------------------------------------ memory_files.c

enum { SI_SOURCE_MAX = 1 << 30 };   // bytes: a file of more is rejected
const si_resource *si_resource_find(const sn_engine *engine, const char *name);
// Takes over `name`, freed with free; copies the bytes.
sn_status si_resource_add(sn_engine *engine, char *name, const void *bytes, int64_t count,
                          sn_error *error);
void si_resources_free(sn_engine *engine);

#endif
