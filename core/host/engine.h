// SPDX-License-Identifier: Apache-2.0
//
// The engine: what was loaded, what it provides, what was selected. Everything else in the core
// asks here by kind and name, and gets an operations struct with its instance.

#ifndef SI_HOST_ENGINE_H
#define SI_HOST_ENGINE_H

#include "base/error.h"
#include "sinew/actuator.h"
#include "sinew/collider.h"
#include "sinew/constraint.h"
#include "sinew/contact.h"
#include "sinew/controller.h"
#include "sinew/executor.h"
#include "sinew/filter.h"
#include "sinew/integrator.h"
#include "sinew/loader.h"
#include "sinew/mesh.h"
#include "sinew/passive.h"
#include "sinew/renderer.h"
#include "sinew/resource.h"
#include "sinew/sensor.h"
#include "sinew/shape.h"
#include "sinew/sinew.h"
#include "sinew/solver.h"

// One row of a registry. `ops` is the host's own copy of the plugin's table: as long as this
// host's struct, zero where the plugin's was shorter; so its optional operations can be tested
// for NULL whatever the age of the plugin. `self` exists once the engine is frozen. Of a kind with
// several revisions the functions below find providers of each: `kind` says which one it is.
typedef struct si_provider {
  const char *kind;
  const char *name;
  const void *ops;
  void *self;
  const struct si_plugin_file *plugin;   // the file of the plugin; NULL: sn_engine_add
} si_provider;

// Opens an engine whose plugins are given this host; core/api/services.c has its operations.
sn_engine *si_engine_open(const sn_host *host, const sn_engine_request *request, sn_error *error);

// The provider of a kind by name. NULL when there is none: the error lists the names that exist.
const si_provider *si_engine_find(const sn_engine *engine, const char *kind, const char *name,
                                  sn_error *error);
// The same; as choices the error lists those alone whose flags (sn_ops) within the mask are these.
const si_provider *si_engine_find_among(const sn_engine *engine, const char *kind, const char *name,
                                        uint32_t mask, uint32_t flags, sn_error *error);
// A function of an actuator, or the type of a sensor. NULL, and SN_OK: it is "none", or it is
// "user" and not registered; then an actuator's gain and bias are zero and its activation is
// constant.
sn_status si_engine_find_type(const sn_engine *engine, const char *kind, const char *name,
                              const si_provider **provider, sn_error *error);
// The providers of a kind in the order of registration: index from 0, NULL past the end.
const si_provider *si_engine_each(const sn_engine *engine, const char *kind, int64_t index);

// A file that is not loaded and provides (kind, name), beside those that are; name NULL: all files
// that provide something of the kind, with commas. Freed by the caller; NULL: none is known.
char *si_engine_missing(const sn_engine *engine, const char *kind, const char *name);

// The first provider that declares a parameter of this name, for messages; NULL: none does.
const si_provider *si_engine_parameter_owner(const sn_engine *engine, const char *name);

// Freezes the registries and makes the instances. Called before the first model is made; again
// it does nothing.
sn_status si_engine_freeze(sn_engine *engine, sn_error *error);

// What is selected for "solver", "integrator", "executor", "renderer" ..., by sn_select or by the
// configuration; NULL: nothing, and the model's own option (the first executor) counts.
const char *si_engine_selected(const sn_engine *engine, const char *what);
// Line `index` of the section [option]: its key and value, and where it is. False: there are no
// more.
int si_engine_option(const sn_engine *engine, int64_t index, const char **key, const char **value,
                     sn_location *location);
// The collider of a pair of types, the lower one first, and the origin of that setting; NULL: no
// collider supports the pair. pairs.c. An error: the pair is assigned to a collider that does not
// support it.
sn_status si_engine_collider(const sn_engine *engine, int type1, int type2,
                             const si_provider **collider, const char **origin, sn_error *error);
// How a collider supports a pair of types, the lower one first: 2 by name, 1 as convex shapes, 0
// not at all.
int si_collider_supports(const si_provider *provider, int type1, int type2);
// A pair that is passed to colliders, in this order until one does not decline it: the collider of
// its types; colliders of the plugins of its shapes; those that name both types; the others. Among
// equals, in the order of registration.
typedef struct si_collider_line {
  const si_provider *chosen;     // of the types; NULL: none supports them
  const si_provider *shape[2];   // of shapes of plugins; NULL: another shape
  int type1, type2;              // the lower one first
} si_collider_line;
// The first of them after another one; after NULL: the first of all. NULL: none is left.
const si_provider *si_collider_next(const sn_engine *engine, const si_collider_line *line,
                                    const si_provider *after);
// The first collider, after another one, that supports the type in some pair and has rays; it may
// still not have them for this type. NULL: none is left.
const si_provider *si_engine_ray_collider(const sn_engine *engine, int type,
                                          const si_provider *after);
// The documented name of a geom type (NULL: no such type), and of a pair as in [collision]. pairs.c
const char *si_geom_type_name(int32_t type);
const char *si_pair_name(int first, int second);

// What a model says to one element of a plugin, lines "key=value" (NULL: nothing), against what the
// plugin declares; attributes.c. Every key is in one of the n tables (a table may be NULL); the
// error lists the keys that are.
sn_status si_attributes_check(const sn_param *const *declared, int n, const char *lines,
                              sn_error *error);
// The values of one table, in its order, freed with free; keys of others are passed over. given
// (may be NULL): which ones are given.
sn_status si_attributes_read(const sn_param *declared, const char *lines, sn_value **values,
                             int32_t *given, sn_error *error);

// Are the operations of plugins checked, as the setting check_plugins says? checks.c
int si_engine_checks(const sn_engine *engine);

void si_engine_log(const sn_engine *engine, int32_t level, const char *topic, const char *format,
                   ...) SN_PRINTF(4, 5);

#endif
