// SPDX-License-Identifier: Apache-2.0
//
// The engine: the plugins that are loaded, the providers that are selected, and their parameters.
// The conventions of sinew.h apply. Thread tag [startup] (abi.h), unless a function has another.

#ifndef SINEW_ENGINE_H
#define SINEW_ENGINE_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

// ------------------------------------------------------------------ open and close

// Opens an engine and loads the plugins of its configuration. The configuration has layers. Each
// layer sets only the values that it changes, and later layers in this list take precedence:
//
//   installed   sinew.ini of the installation, beside the library
//   profile     an .ini file that is selected by name: see below
//   user        $XDG_CONFIG_HOME/sinew/sinew.ini, or ~/.config/sinew/sinew.ini
//   named       the file `config`, or if that is NULL $SINEW_CONFIG
//   set         sn_engine_set, sn_select
//
// If a file of the layers user or named has the line `root = true` at its top, it replaces the
// installed one: of the layers above it in this list, only the profile is read. A file in the
// working folder is read only if it is named. config "": no layer is read; the engine has no
// plugins. If one of the plugins cannot be loaded, none is, and the error has file, line and a
// remedy. Closed by the caller. NULL on failure.
SN_API sn_engine *sn_engine_open(const char *config, sn_error *error);

enum {
  SN_ENGINE_TOLERANT = 1 << 0,   // a plugin that cannot be loaded is left out, as if its line ended
                                 // with `optional`; sn_engine_plugin has the reasons
  SN_ENGINE_ALONE = 1 << 1,      // neither environment variables nor the user's file are read
  SN_ENGINE_CHECKING = 1 << 2,   // check_plugins is on from the start, so the loading of plugins
                                 // is checked too
  SN_ENGINE_CACHING = 1 << 3,    // cache.models is yes, unless the configuration says no
};

// As sn_engine_open, with more options. profile: NAME selects the file NAME.ini in the folder
// profiles/ beside the installed sinew.ini or beside the user's; "none": no profile; NULL: that of
// $SINEW_PROFILE, else that of the last layer that has the line `profile = NAME` at its top. The
// strings are copied. SN_EINVAL: the size is not set, or an unknown flag.
typedef struct sn_engine_request {
  uint32_t size;
  uint32_t flags;       // SN_ENGINE_*
  const char *config;   // as above
  const char *profile;
} sn_engine_request;
SN_LAYOUT(sn_engine_request, 24);
SN_API sn_engine *sn_engine_open_with(const sn_engine_request *request, sn_error *error);
// Destroys the instances of all plugins and frees the engine. Its models, specs and data must be
// freed before.
SN_API void sn_engine_close(sn_engine *engine);

// ------------------------------------------------------------------ what applications add

// Registers an operation table (sn_solver_ops ...) of a kind (SN_KIND_SOLVER ...) under a name, as
// a plugin does. The table is copied; what it points to must remain valid. Only before the first
// model is created. SN_EINVAL: too late, an unknown kind, or a name that exists; SN_EPLUGIN: a
// required operation is NULL, or head.size is not a size of this kind's table, in this or another
// version (usually it is a table of another kind). Use SN_ENGINE_ADD where the kind is fixed.
SN_API sn_status sn_engine_add(sn_engine *engine, const char *kind, const char *name,
                               const void *ops, sn_error *error);

// The same for an entry of a plugin's list of providers (sn_provide, plugin.h).
static inline sn_status sn_engine_add_row(sn_engine *engine, sn_provide row, sn_error *error) {
  return sn_engine_add(engine, row.kind, row.name, row.ops, error);
}

// The same with the macro of the kind, SN_PROVIDE_*, which is in its header. A table of another
// kind does not compile:
//
//   sn_status status = SN_ENGINE_ADD(engine, SN_PROVIDE_SOLVER("mine", &ops), error);
#ifdef __cplusplus
#define SN_ENGINE_ADD(engine, row, error) sn_engine_add_row(engine, sn_provide row, error)
#else
#define SN_ENGINE_ADD(engine, row, error) sn_engine_add_row(engine, (sn_provide)row, error)
#endif

// Registers a plugin that is linked into the application, by its entry function. Only before the
// first model is created.
SN_API sn_status sn_engine_add_static(sn_engine *engine, sn_plugin_entry_fn *entry,
                                      sn_error *error);
// Loads another plugin from a shared object. name: as the key in section [plugins]. Only before the
// first model is created.
SN_API sn_status sn_engine_load_plugin(sn_engine *engine, const char *name, const char *path,
                                       sn_error *error);
// Adds a file in memory. When a loader opens a file, the name is looked up among these files first,
// then by plugins (resource.h), then on disk. The bytes are copied. An archive that a plugin reads
// works as a folder, in memory and on disk: "robot.zip/arm.xml" is a file in it.
SN_API sn_status sn_engine_add_resource(sn_engine *engine, const char *name, const void *bytes,
                                        int64_t count, sn_error *error);

// ------------------------------------------------------------------ settings

// Sets one value; it takes precedence over those of all files. key: the section, a dot and the key,
// as in an .ini file ("plugin.urdf.mimic", "collision.box-box", "select.solver",
// "override.solver.newton", "limits.memory"); "select." and "collision." can be omitted.
// Selections: see sn_select. A parameter of a plugin can be set after the plugin is loaded and
// before the first model is created. override.KIND.NAME = PLUGIN: which plugin is used if several
// provide the same name; it has an effect only if it is set before that plugin is loaded
// (sn_engine_load_plugin). SN_ENOTFOUND: there is no such key, plugin or name; SN_EINVAL: it is too
// late, or the value is wrong.
//
// check_plugins, "yes" or "no": whether the memory that operations of plugins write is checked, in
// simulations that are created afterwards and while models are loaded. Everything that is not an
// output of the operation (other fields, values of other sensors, the model, memory past the end of
// an output or of scratch memory) is compared with its content before the call. A change is undone,
// and the step or the loading fails with SN_EPLUGIN; the error names the plugin, operation, field
// and element. Slow; off by default, at no cost.
//
// cache.models "yes" or "no": whether sn_load keeps the models that it compiles in files of this
// user, and takes a model from there as long as nothing has changed that it depends on: the files
// it was read from, files that were looked for, the library, plugins and their parameters, the
// configuration. Off by default. The result is the same, but much faster. Other settings are
// "cache.folder", by default $XDG_CACHE_HOME/sinew/models or ~/.cache/sinew/models, and
// "cache.size", in bytes, by default 512M. Nothing is kept for engines with files in memory, with
// providers that the application registered, or with check_plugins; nor of models that are read by
// the prefix of a plugin (resource.h). See docs/cache.md.
//
// The limits apply to the loading of one file as a whole: "limits.memory" in bytes,
// "limits.elements", or "limits.time" in seconds for loading and again for compiling: a positive
// number, for memory and elements with an optional K, M, G or T (powers of 1024), or "none". The
// defaults are 4G, 10000000 and 600. A model that exceeds a limit is rejected with SN_ENOMEM, for
// memory before it is allocated. [startup] [load]
SN_API sn_status sn_engine_set(sn_engine *engine, const char *key, const char *value,
                               sn_error *error);
// The value of a limit; infinity for "none", NaN for an unknown name. [any]
SN_API double sn_engine_limit(const sn_engine *engine, const char *name);

// Selects a provider by name. `what` is "solver", "integrator", "executor", "post_solver" (which
// runs after the main solver), "decomposition" (the mesh plugin that splits concave meshes into
// convex pieces), "renderer", or a pair of geom types as in section [collision] ("box-box",
// "mesh-*", "convex"). Overrides the configuration and the model's own options. It applies to
// models that are created afterwards (the executor: to rollouts); an existing model keeps its
// providers; use sn_model_parse_option to change them. SN_ENOTFOUND: no such name; the error lists
// the names that exist. SN_EINVAL: the provider does not support what it is selected for.
SN_API sn_status sn_select(sn_engine *engine, const char *what, const char *name, sn_error *error);
// The operations and the instance of a provider, for programs that call it themselves, such as a
// renderer: the first argument of its operations is `self`; its header documents the others. kind:
// SN_KIND_*; name NULL: the one that is selected, else the first one. *ops has the size of the
// table of this version; operations that the plugin lacks are NULL. After this call no more plugins
// or providers can be added, as after the first model. Valid as long as the engine. SN_ENOTFOUND:
// there is none; the error lists the names that exist.
SN_API sn_status sn_engine_use(sn_engine *engine, const char *kind, const char *name,
                               const void **ops, const void **self, sn_error *error);
// Sets the log callback; NULL: none. It may be called from any thread, also during steps, and must
// not call into the engine. The first callback also gets the messages that were logged before it
// was set.
typedef void sn_log_fn(void *context, int32_t level, const char *topic, const char *text);
SN_API void sn_engine_set_log(sn_engine *engine, sn_log_fn *log, void *context);
// Sets a callback for the files that models are read from, so that a program can record on which
// files a result depends. It is called for each file that is opened from then on, by the library or
// a loader, from disk, from memory, from an archive or from a plugin; NULL: none. A file may be
// opened several times. path: as in messages. bytes: valid during the call. It is called in the
// threads that load models, and must not call into the engine.
typedef void sn_file_fn(void *context, const char *path, const uint8_t *bytes, int64_t count);
SN_API void sn_engine_watch_files(sn_engine *engine, sn_file_fn *watch, void *context);
// [any] The host that plugins get: services, log, memory. Valid as long as the engine.
SN_API const sn_host *sn_engine_host(const sn_engine *engine);

// ------------------------------------------------------------------ listings

// Lists providers and configuration, by index from 0; returns 0 past the end. The caller sets
// `size` to sizeof of its struct: at most this many bytes are written, and bytes that this version
// does not know become zero. If size is 0, the call returns 0. Strings are valid as long as the
// engine, or until the selection changes.
typedef struct sn_provider_info {
  uint32_t size;
  uint32_t reserved;
  const char *kind, *name, *summary;
  const char *plugin, *version, *license, *path;   // path NULL: not loaded from a file
  const sn_param *params;                          // NULL: none
  const void *ops;
} sn_provider_info;
SN_LAYOUT(sn_provider_info, 80);
SN_API int32_t sn_engine_provider(const sn_engine *engine, int64_t index, sn_provider_info *info);
// The same for providers of loaded plugins that this engine ignores because it does not know their
// kind: summary contains this reason, params and ops are NULL.
SN_API int32_t sn_engine_skipped(const sn_engine *engine, int64_t index, sn_provider_info *info);

// A plugin of the configuration, loaded or left out, in the order of section [plugins]; after those
// the plugins that the application added.
typedef struct sn_plugin_info {
  uint32_t size;
  int32_t status;           // SN_OK: loaded; otherwise why not
  const char *key, *path;   // name in [plugins], absolute path; path NULL: no file
  const char *origin;       // "FILE:LINE", "sn_engine_load_plugin", "sn_engine_add_static"
  const char *reason;       // why it is not loaded, and what to do; NULL: it is loaded
  const char *name, *version, *license, *summary;   // of its descriptor; NULL: not loaded
  uint32_t abi_major;                               // of its descriptor; 0: not loaded
  uint32_t abi_minor_needed;
  int32_t is_optional;   // 1: its line ends with `optional`: left out if it cannot be loaded
  int32_t reserved;      // 0
  const char *part;      // of its descriptor; NULL: it has none, or is not loaded
} sn_plugin_info;
SN_LAYOUT(sn_plugin_info, 96);
SN_API int32_t sn_engine_plugin(const sn_engine *engine, int64_t index, sn_plugin_info *info);

// A value of the configuration in effect.
typedef struct sn_config_info {
  uint32_t size;
  uint32_t reserved;
  const char *section, *key, *value;
  const char *origin;   // "default", "FILE:LINE", "sn_select", "sn_engine_set"
} sn_config_info;
SN_LAYOUT(sn_config_info, 40);
SN_API int32_t sn_engine_config(const sn_engine *engine, int64_t index, sn_config_info *info);

// A file of the configuration, in the order of the layers, the weakest first. Files that it
// includes are not listed.
typedef struct sn_layer_info {
  uint32_t size;
  uint32_t reserved;
  const char *name;   // "installed", "profile", "user", "named"
  const char *path;   // canonical
} sn_layer_info;
SN_LAYOUT(sn_layer_info, 24);
SN_API int32_t sn_engine_layer(const sn_engine *engine, int64_t index, sn_layer_info *info);

// ------------------------------------------------------------------ the running operation

// The operation of a plugin that the calling thread is executing. For handlers (atexit, signal,
// std::terminate) that are called because the process ends inside a plugin. Takes no lock and
// allocates nothing. Returns 0 if the thread executes none. Strings are valid as long as the
// engine. [any]
typedef struct sn_operation_info {
  uint32_t size;
  uint32_t reserved;
  const char *operation;   // "solve"; "loading": code that runs while the object is loaded
  const char *kind;        // of the provider: "sinew.solver/1"; "": the plugin as a whole
  const char *name;        // of the provider: "newton"
  const char *plugin;      // its name in [plugins]; "": the application registered the provider
} sn_operation_info;
SN_LAYOUT(sn_operation_info, 40);
SN_API int32_t sn_running_operation(sn_operation_info *info);

SN_END_DECLS

#endif
