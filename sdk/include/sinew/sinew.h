// SPDX-License-Identifier: Apache-2.0
//
// The application interface of Sinew.
//
//   sn_error *e = sn_error_new();
//   sn_engine *engine = sn_engine_open(NULL, e);              plugins, from the ini
//   sn_model *m = sn_load(engine, "humanoid.xml", e);         constant
//   sn_data *d = sn_data_new(m, e);                           one simulation
//   while (snd_time(d)[0] < 10 && sn_step(m, d) >= 0) { ... }
//   sn_data_free(d); sn_model_free(m); sn_engine_close(engine); sn_error_free(e);
//
// Rules that hold for every function here and are not said again:
//   errors    those that can fail return sn_status, or NULL, and fill the sn_error when one is
//             given (NULL: nobody is told why); the code is one of abi.h. What failed changed
//             nothing
//   threads   [startup], [load], [step], [any] as in PLUGIN_API.md: one thread an engine; one call
//             at a time an engine; one call at a time a data; any thread at any time
//   memory    texts and arrays that are passed in are copied if they are kept. Texts and arrays
//             that are returned belong to the object they come from, and live as long; those of
//             SN_STEP_FIELDS move from step to step
//   shapes    matrices are row-major, quaternions w x y z, units SI, angles in radians; positions
//             are global where nothing else is said
//   arguments model, data, spec and engine are not NULL, and data was made for this model: where
//             a function has an sn_error or sn_data_error another model's data is SN_EINVAL. A free
//             function takes NULL. Ids are checked
// The library never prints, exits, or writes a file that was not asked for.

#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "sinew/fields_data.h"
#include "sinew/fields_model.h"
#include "sinew/loader.h"
#include "sinew/solver.h"
#include "sinew/spec.h"

SN_BEGIN_DECLS

// ------------------------------------------------------------------ errors [any]

// An error to be filled; NULL when there is no memory. Freed by the caller. Every function below
// takes NULL for an error, and answers as for one that is empty.
SN_API sn_error *sn_error_new(void);
SN_API void sn_error_free(sn_error *error);
// What the latest failure that was given this error said; a success does not clear it.
SN_API sn_status sn_error_code(const sn_error *error);        // SN_OK when nothing was reported
SN_API const char *sn_error_message(const sn_error *error);   // "" when nothing was reported
SN_API const char *sn_error_file(const sn_error *error);      // NULL: not about a file
SN_API int32_t sn_error_line(const sn_error *error);          // 0: not known
SN_API int32_t sn_error_column(const sn_error *error);        // 0: not known
// "file:line:column: message", as far as it is known. Valid until the error changes.
SN_API const char *sn_error_text(const sn_error *error);

SN_API const char *sn_version(void);                   // [any] SN_VERSION of the library
SN_API const char *sn_status_name(sn_status status);   // [any] "SN_EPARSE"; "unknown status"

// ------------------------------------------------------------------ written files [any]

// A file that is written whole or not at all, as all files that this library writes: the bytes go
// to a temporary file beside it, which takes its name when it is complete and on the disk. Until
// then an old file is as it was. Symbolic links are followed, permissions kept; pipes, terminals
// and /dev/stdout are written in place. NULL, SN_EIO: the error has the path and the reason.
typedef struct sn_output sn_output;
SN_API sn_output *sn_output_open(const char *path, sn_error *error);
// What to write to; as long as the output. The sink collects small pieces.
SN_API sn_sink *sn_output_sink(sn_output *output);
// Ends the output and frees it. status: what writing to it came to; when it is negative, the
// temporary file is removed and the old one stays. Returns the status, or SN_EIO where a write
// failed, now or before, with the path and the reason. NULL: nothing but the status.
SN_API sn_status sn_output_close(sn_output *output, sn_status status, sn_error *error);

// ------------------------------------------------------------------ engine [startup]

// Opens an engine with the plugins of a configuration. config: path of an ini; NULL: searched as
// $SINEW_CONFIG, $XDG_CONFIG_HOME/sinew/sinew.ini, the installed default, never in the working
// folder; "": none, an empty engine for sn_engine_add. All plugins are loaded or none: a failure
// names file, line and cure. Closed by the caller. NULL on failure.
SN_API sn_engine *sn_engine_open(const char *config, sn_error *error);
// Destroys the instances of all plugins and frees the engine. Its models, specs and data must be
// gone before.
SN_API void sn_engine_close(sn_engine *engine);
// Registers an operations struct (sn_solver_ops ...) of a kind (SN_KIND_SOLVER ...) under a name,
// as a plugin would. The struct is copied; what it points to must stay. Before the first model.
// SN_EINVAL: too late, no such kind, a name that exists; SN_EPLUGIN: a required operation is NULL.
SN_API sn_status sn_engine_add(sn_engine *engine, const char *kind, const char *name,
                               const void *ops, sn_error *error);
// Registers a plugin that is linked into the application, by its entry. Before the first model.
SN_API sn_status sn_engine_add_static(sn_engine *engine, sn_plugin_entry_fn *entry,
                                      sn_error *error);
// Loads one more shared object. name: as the key of section [plugins]. Before the first model.
SN_API sn_status sn_engine_load_plugin(sn_engine *engine, const char *name, const char *path,
                                       sn_error *error);
// A file that loaders find by this name before they look on disk. The bytes are copied. On disk, a
// zip archive is as good as a folder: "robot.zip/arm.xml" is a file in it.
SN_API sn_status sn_engine_add_resource(sn_engine *engine, const char *name, const void *bytes,
                                        int64_t count, sn_error *error);
// What one file may ask for in total: "memory" in bytes, "elements", "time" in seconds of loading,
// and of compiling. value: a positive number, of memory and elements with K, M, G or T (powers of
// 1024), or "none". Lines of [limits] say the same; the defaults are 4G, 10000000 and 600. A model
// that exceeds a limit is refused with SN_ENOMEM, before memory is taken. [startup] [load]
SN_API sn_status sn_engine_set_limit(sn_engine *engine, const char *name, const char *value,
                                     sn_error *error);
// Its value: infinite for "none"; NaN: there is no such limit. [any]
SN_API double sn_engine_limit(const sn_engine *engine, const char *name);

// Selects a provider by name. `what` is "solver", "integrator", "executor", "post_solver" (which
// runs after the main solver), "decomposition" (the mesh plugin that splits concave meshes into
// convex pieces), or a pair of geom types as in section [collision] ("box-box", "mesh-*",
// "convex"). Overrides the configuration and the model's own options. It applies to models that
// are created afterwards (the executor: to rollouts); an existing model keeps its providers and is
// changed with sn_model_parse_option. SN_ENOTFOUND: no such name; the error lists the names that
// exist. SN_EINVAL: the provider does not support what it is selected for.
SN_API sn_status sn_select(sn_engine *engine, const char *what, const char *name, sn_error *error);
// Where messages go; NULL: nowhere. Called from any thread, also during steps: it must not call
// into the engine. The first call hears what was said before it.
typedef void sn_log_fn(void *context, int32_t level, const char *topic, const char *text);
SN_API void sn_engine_set_log(sn_engine *engine, sn_log_fn *log, void *context);
// [any] What plugins are handed: services, log, memory. As long as the engine.
SN_API const sn_host *sn_engine_host(const sn_engine *engine);

// What is loaded and selected, for listings. index from 0; false past the end. The caller sets
// `size` to that of its struct. Texts as long as the engine, or until something is selected.
typedef struct sn_provider_info {
  uint32_t size;
  uint32_t reserved;
  const char *kind, *name, *summary;
  const char *plugin, *version, *license, *path;   // path NULL: not from a file
  const sn_param *params;                          // NULL: none
  const void *ops;
} sn_provider_info;
SN_API int32_t sn_engine_provider(const sn_engine *engine, int64_t index, sn_provider_info *info);

typedef struct sn_config_info {
  uint32_t size;
  uint32_t reserved;
  const char *section, *key, *value;
  const char *origin;   // "default", "FILE:LINE", "sn_select"
} sn_config_info;
SN_API int32_t sn_engine_config(const sn_engine *engine, int64_t index, sn_config_info *info);

// ------------------------------------------------------------------ spec [load]

// A spec with nothing but the world, body 0. engine NULL: it can be built and read, not compiled.
// Freed by the caller.
SN_API sn_spec *sn_spec_new(sn_engine *engine, sn_error *error);
SN_API void sn_spec_free(sn_spec *spec);
// Reads a file with the loader that recognizes it, into a new spec, freed by the caller. Errors
// have the place in the file. SN_EUNSUPPORTED: no loader knows it.
SN_API sn_spec *sn_spec_load(sn_engine *engine, const char *path, sn_error *error);
// The table of functions that a loader fills this spec with; as long as the spec.
SN_API const sn_builder *sn_spec_builder(sn_spec *spec);
// Writes a spec in the format of a loader ("mjcf"). What the format cannot say is an error.
SN_API sn_status sn_spec_save(sn_spec *spec, const char *format, const char *path, sn_error *error);
// The same to a sink, which gets the whole text at once or nothing. Files that it opens for parts
// of the text get those first, piece by piece.
SN_API sn_status sn_spec_write(sn_spec *spec, const char *format, sn_sink *sink, sn_error *error);

// Writes what a loader's format can say: every element and attribute, as Markdown.
// SN_EUNSUPPORTED: the loader does not tell.
SN_API sn_status sn_engine_describe(sn_engine *engine, const char *format, sn_sink *sink,
                                    sn_error *error);

// For each kind of element (spec.h): add copies a definition, made from sn_default_<kind>(), into
// the spec; place (where it was read) and id (the new element's number) may be NULL. get copies it
// back: set def_size first, texts and arrays stay the spec's until it changes. set replaces it.
// SN_EINVAL: def is NULL, of a wrong size, with a wrong owner, a number that is not finite, or a
// name that is not UTF-8 or has control characters, which files cannot hold.
#define SN_SPEC_DECLARE(kind)                                                                \
  SN_API sn_status sn_spec_add_##kind(sn_spec *spec, const sn_##kind##_def *def,             \
                                      const sn_location *location, int32_t *id, sn_error *error);  \
  SN_API sn_status sn_spec_get_##kind(const sn_spec *spec, int32_t id, sn_##kind##_def *def, \
                                      sn_error *error);                                      \
  SN_API sn_status sn_spec_set_##kind(sn_spec *spec, int32_t id, const sn_##kind##_def *def, \
                                      sn_error *error);
SN_ELEMENTS(SN_SPEC_DECLARE)
#undef SN_SPEC_DECLARE

// The same for the settings of a spec: option, compiler, size_hint, statistic, visual.
#define SN_SPEC_DECLARE(kind)                                                    \
  SN_API sn_status sn_spec_get_##kind(const sn_spec *spec, sn_##kind *settings); \
  SN_API sn_status sn_spec_set_##kind(sn_spec *spec, const sn_##kind *settings, sn_error *error);
SN_SETTINGS(SN_SPEC_DECLARE)
#undef SN_SPEC_DECLARE

// The name of the model; "" at first. SN_EINVAL: it is not UTF-8 or has control characters.
SN_API sn_status sn_spec_set_name(sn_spec *spec, const char *name);
SN_API const char *sn_spec_name(const sn_spec *spec);
// How many elements of a kind ("body", the world included) there are; 0: no such kind.
SN_API int64_t sn_spec_count(const sn_spec *spec, const char *kind);
// The id of an element by name; -1: there is none.
SN_API int32_t sn_spec_find(const sn_spec *spec, const char *kind, const char *name);
// Warnings of loading and compiling; NULL past the end.
SN_API const char *sn_spec_warning(const sn_spec *spec, int64_t index);
// Notes of loading: what is worth knowing and changes nothing about the model's motion, such as
// elements of other programs that are left out. NULL past the end.
SN_API const char *sn_spec_note(const sn_spec *spec, int64_t index);

// Makes a model of a spec. The spec stays as it is. Freed by the caller, before the engine. Errors
// have the place of the element. What the model says and no plugin does is in sn_model_warning.
SN_API sn_model *sn_compile(sn_spec *spec, sn_error *error);

// ------------------------------------------------------------------ editing a spec [load]

// A copy with everything that is in it. NULL on failure.
SN_API sn_spec *sn_spec_copy(const sn_spec *spec, sn_error *error);
// Removes an element; those behind it move down by one id. What depends on it is what a body
// holds, and whoever names the element and means nothing without it (a sensor, its site; not a
// geom, its material: it loses the material). cascade: that goes too; else it is SN_EINVAL, which
// names the first, and nothing changes. Keyframes lose the numbers of what is gone.
SN_API sn_status sn_spec_remove(sn_spec *spec, const char *kind, int32_t id, int32_t cascade,
                                sn_error *error);
// Copies all elements of `part` into the spec: what is in part's world comes into `body`, names
// and references get the prefix; angles, limits that follow from ranges and meshes of exact inertia
// stay what part's compiler makes of them. Other settings of part are left behind, also boundmass,
// boundinertia, balanceinertia and convexhull of its compiler: the spec's hold. For a frame other
// than the body's, add a body for it first. Actuators with activation come behind all others;
// keyframes of both are completed with the numbers of a reset. SN_EINVAL, and nothing changes: a
// name exists, or something of part would have another mass or shape, because the compilers differ
// in inertiafromgeom, inertiagrouprange, settotalmass, fitaabb or exactmeshinertia. (settotalmass
// of the spec scales everything, part included.)
SN_API sn_status sn_spec_attach(sn_spec *spec, int32_t body, const sn_spec *part,
                                const char *prefix, sn_error *error);
// Copies back what was edited in a model that was made of this spec: every real number, and every
// option, statistic or visual setting, that differs from what the spec compiles to. Edited inertia
// becomes explicit. Not copied back, and left alone: integers; what follows from other numbers
// (body_subtreemass, body_invweight0, dof_invweight0, dof_M0, geom_rbound, cam_ and light_ poscom0,
// pos0, mat0 and dir0, tendon_length0, tendon_invweight0, actuator_acc0, actuator_length0). An edit
// that the spec cannot say (vertices of meshes, the frame and size of a geom with a mesh, a
// quaternion or axis that is not of length 1) is an error that names it, SN_EUNSUPPORTED, or
// SN_ECOMPILE where the spec does not compile with it; nothing changes then. SN_EINVAL: the model
// is of another spec.
SN_API sn_status sn_spec_update(sn_spec *spec, const sn_model *model, sn_error *error);

// ------------------------------------------------------------------ model [load]

// Reads a model file of any known format, or Sinew's own binary file: sn_spec_load and sn_compile
// in one. Freed by the caller, before the engine and after its data.
SN_API sn_model *sn_load(sn_engine *engine, const char *path, sn_error *error);
SN_API void sn_model_free(sn_model *model);
// [any] Sinew's binary file: versioned, checked when it is read, for this architecture's byte
// order.
// SN_EIO: the file cannot be written.
SN_API sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error);
SN_API const char *sn_model_name(const sn_model *model);    // [any] ""
SN_API sn_engine *sn_model_engine(const sn_model *model);   // [any] the one that made it
// [any] The id of an object by name, and back. kind: "body", "joint", "geom" ...; -1, "": none.
SN_API int32_t sn_find(const sn_model *model, const char *kind, const char *name);
SN_API const char *sn_name(const sn_model *model, const char *kind, int32_t id);
// [any] Warnings of reading, compiling and binding it, from 0; NULL past the end.
SN_API const char *sn_model_warning(const sn_model *model, int64_t index);
// [any] Notes of reading it (sn_spec_note), from 0; NULL past the end.
SN_API const char *sn_model_note(const sn_model *model, int64_t index);

// [any] The options, statistics and visual settings that a model has.
SN_API const sn_option *sn_model_option(const sn_model *model);
SN_API const sn_statistic *sn_model_statistic(const sn_model *model);
SN_API const sn_visual *sn_model_visual(const sn_model *model);
// Replaces the options of a model; start from a copy of sn_model_option. While none of its
// simulations is in a step. Another solver or integrator is resolved at once, and counts over the
// configuration and sn_select. All or nothing. SN_EINVAL: out of range; SN_ENOTFOUND: no such name.
SN_API sn_status sn_model_set_option(sn_model *model, const sn_option *option, sn_error *error);
// [any] The name of the provider that simulations of the model use; what: "solver", "integrator",
// "post_solver". NULL: none, or `what` is not one of these.
SN_API const char *sn_model_selected(const sn_model *model, const char *what);
// sn_model_set_option for one option by name, as `--set`: "timestep", "cone", "gravity", a flag
// ("contact", "disable"). value as text, in the C locale.
SN_API sn_status sn_model_parse_option(sn_model *model, const char *name, const char *value,
                                       sn_error *error);

// ------------------------------------------------------------------ simulation [step]

// [any] A simulation in the state of a reset; freed by the caller, before the model. One model may
// have many, each stepped by one thread at a time.
SN_API sn_data *sn_data_new(const sn_model *model, sn_error *error);
SN_API void sn_data_free(sn_data *data);   // [any]
// Everything of one simulation into another of the same model; both go on with the same bits.
SN_API sn_status sn_data_copy(const sn_model *model, sn_data *to, const sn_data *from);
// A new data of a model with the state of what it has in common with another one, found by name:
// positions and velocities of joints (unnamed ones: by their body's name and their place in it),
// controls and activations of actuators, frames of mocap bodies, applied forces, switches of
// equalities, time. The rest is as after a reset. NULL on failure. [load]
SN_API sn_data *sn_data_transfer(const sn_model *model, const sn_model *from_model,
                                 const sn_data *from, sn_error *error);
// The state of the model's definition: time 0, qpos0, nothing moves, no inputs, no warnings.
SN_API void sn_reset(const sn_model *model, sn_data *data);
// key: of a keyframe. SN_EINVAL when there is none.
SN_API sn_status sn_reset_key(const sn_model *model, sn_data *data, int32_t key);

// Advances one time step. SN_OK. SN_EDIVERGED: a position, velocity or acceleration was not finite
// or beyond 1e10, or the time, the frame of a mocap body or a row of the constraints was not finite
// (the acceleration is NaN then); a warning was counted, the state was reset (sn_reset, but for the
// warnings) and the step made from there. Negative otherwise, SN_ENOMEM, SN_EPLUGIN or what an
// integrator returned: state and inputs are as they were before, though the step began with a
// reset; there are no contacts and constraint rows; warnings stay counted; sn_data_error says why.
// The evaluations below fail in the same way.
SN_API sn_status sn_step(const sn_model *model, sn_data *data);
// Evaluates everything at the present state without advancing time.
SN_API sn_status sn_forward(const sn_model *model, sn_data *data);
// From qpos, qvel, qacc to qfrc_inverse. Analytic.
SN_API sn_status sn_inverse(const sn_model *model, sn_data *data);
// Stages, for those who need a part: what depends on qpos; and then on qvel.
SN_API sn_status sn_forward_position(const sn_model *model, sn_data *data);
SN_API sn_status sn_forward_velocity(const sn_model *model, sn_data *data);
// Quantities on request: cacc, cfrc_int, cfrc_ext; subtree_linvel, subtree_angmom; energy.
SN_API sn_status sn_body_forces(const sn_model *model, sn_data *data);
SN_API sn_status sn_subtree_velocities(const sn_model *model, sn_data *data);
SN_API sn_status sn_compute_energy(const sn_model *model, sn_data *data);
// The error of the latest failed call on this data; empty when the latest succeeded.
SN_API const sn_error *sn_data_error(const sn_data *data);
// What the solver did in the latest forward dynamics, iteration by iteration, as far as it tells;
// of several islands, in the one that took the most. *n: how many are recorded, at most
// SN_SOLVER_LOG. Valid until the data is used again.
enum { SN_SOLVER_LOG = 100 };
SN_API const sn_iteration *sn_solver_log(const sn_data *data, int64_t *n);
// Memory of the data in bytes: what it holds, the most its steps have used.
SN_API void sn_data_memory(const sn_data *data, int64_t *total, int64_t *used);

enum {   // warnings, counted since the last reset
  SN_WARN_BADQPOS = 0,
  SN_WARN_BADQVEL = 1,
  SN_WARN_BADQACC = 2,
  SN_WARN_BADCTRL = 3,
  SN_WARN_INERTIA = 4,
  SN_WARN_PLUGIN = 5,
  SN_WARN_CONTACTS = 6,
  SN_WARN_BADTIME = 7,
  SN_NWARNINGS = 8
};
SN_API int64_t sn_data_warning_count(const sn_data *data,
                                     int32_t warning);                   // SN_WARN_*; 0: no such
SN_API const char *sn_data_warning_name(int32_t warning);   // [any] "bad qpos"; "": no such

// ------------------------------------------------------------------ state [step]

enum {
  SN_STATE_TIME = 1 << 0,
  SN_STATE_QPOS = 1 << 1,
  SN_STATE_QVEL = 1 << 2,
  SN_STATE_ACT = 1 << 3,
  SN_STATE_WARMSTART = 1 << 4,
  SN_STATE_CTRL = 1 << 5,
  SN_STATE_QFRC_APPLIED = 1 << 6,
  SN_STATE_XFRC_APPLIED = 1 << 7,
  SN_STATE_EQ_ENABLED = 1 << 8,
  SN_STATE_MOCAP_POS = 1 << 9,
  SN_STATE_MOCAP_QUAT = 1 << 10,
  SN_STATE_USERDATA = 1 << 11,
  SN_STATE_PLUGIN = 1 << 12,
  SN_STATE_PHYSICS = 0x100f,      // time, qpos, qvel, act, plugin
  SN_STATE_USER = 0x0fe0,         // every input
  SN_STATE_INTEGRATION = 0x1fff   // everything that the future depends on
};
// [any] Doubles that a state of this mask has: the parts in the order of their bits.
SN_API int64_t sn_state_size(const sn_model *model, uint32_t mask);
// Copies a state out and back, sn_state_size doubles. A switch (eq_enabled) is on when not 0. Sets
// the state alone: what depends on it is computed by the next step or sn_forward.
SN_API void sn_state_get(const sn_model *model, const sn_data *data, uint32_t mask, double *state);
SN_API void sn_state_set(const sn_model *model, sn_data *data, uint32_t mask, const double *state);
// A number that depends on every bit of a state (FNV-1a).
SN_API uint64_t sn_state_hash(const sn_model *model, const sn_data *data, uint32_t mask);

// ------------------------------------------------------------------ mathematics of a state [step]

// Jacobians of a global point fixed to a body: velocity of the point, angular velocity of the
// body, in global axes. point: 3; _com: the body's center of mass. jacp, jacr: 3 x nv, either may
// be NULL. After sn_forward_position. SN_EINVAL: no such body; the Jacobians are zero.
SN_API sn_status sn_jacobian(const sn_model *model, const sn_data *data, double *jacp, double *jacr,
                             const double *point, int32_t body);
SN_API sn_status sn_jacobian_com(const sn_model *model, const sn_data *data, double *jacp,
                                 double *jacr, int32_t body);
// out = M x, out is not x; x = M^-1 x. nv numbers. After sn_forward_position.
SN_API void sn_multiply_inertia(const sn_model *model, const sn_data *data, const double *x,
                                double *out);
SN_API void sn_solve_inertia(const sn_model *model, const sn_data *data, double *x);
// Force and torque of contact i on its second geom, in the contact frame (normal, two tangents): 6
// numbers. After sn_forward or sn_step. SN_EINVAL: no such contact; the force is zero.
SN_API sn_status sn_contact_force(const sn_model *model, const sn_data *data, int64_t contact,
                                  double *force);
// [any] qpos <- qpos + h v on the manifold; v = (to - from) / h. qpos, from, to: nq; v: nv.
SN_API void sn_integrate_position(const sn_model *model, double *qpos, const double *v, double h);
SN_API void sn_differentiate_position(const sn_model *model, double *v, double h,
                                      const double *from, const double *to);
// Adds to qfrc (nv) the generalized force of a force and a torque (3 each, global; either may be
// NULL) at a global point (3) of a body. After sn_forward_position. SN_EINVAL: no such body,
// nothing is added.
SN_API sn_status sn_apply_force(const sn_model *model, const sn_data *data, const double *force,
                                const double *torque, const double *point, int32_t body,
                                double *qfrc);
// Derivatives of a step by finite differences, with n = 2 nv + na and the state differences
// x = (position in the tangent space, velocity, activation): A = dy/dx (n x n), B = dy/du
// (n x nu), C = ds/dx (nsensordata x n), D = ds/du (nsensordata x nu), for the next state y,
// controls u and sensor values s. Each may be NULL. eps: size of a change, from 1e-12 to 1; 1e-6 is
// usual. centered: second order, twice the work. A control at the end of its range is changed
// inwards.
//
// The state and the inputs are left as they were found, whatever happens; what follows from them
// (xpos, contacts, qacc ...) is that of some changed state: sn_forward makes it anew. SN_EINVAL:
// eps is out of its range. SN_EDIVERGED: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat or qacc
// has a number that is not finite or, for qpos, qvel, ctrl and qacc, beyond 1e10; the error names
// it, nothing is reset or counted. SN_ENOMEM, SN_EPLUGIN: as sn_step. After an error the matrices
// are partly written.
SN_API sn_status sn_transition_fd(const sn_model *model, sn_data *data, double eps,
                                  int32_t centered, double *A, double *B, double *C, double *D);
// Dense copies of what the latest sn_forward or sn_step left: nv x nv; nefc x nv; nu x nv;
// ntendon x nv.
SN_API void sn_full_inertia(const sn_model *model, const sn_data *data, double *out);
SN_API void sn_full_constraint_jacobian(const sn_model *model, const sn_data *data, double *out);
SN_API void sn_full_moment(const sn_model *model, const sn_data *data, double *out);
SN_API void sn_full_tendon_jacobian(const sn_model *model, const sn_data *data, double *out);

// ------------------------------------------------------------------ geometry of a state [step]

// The smallest x >= 0 for which origin + x direction (global, any length) meets a visible geom;
// -1: none. After sn_forward_position. groups: bit k admits geoms of group k (5: and above), 0
// admits all. with_static: bodies that cannot move count too. without_body: its geoms are left
// out; -1. *geom (may be NULL): what was hit, -1. Types without a collider that knows rays are
// passed.
SN_API double sn_ray(const sn_model *model, const sn_data *data, const double *origin,
                     const double *direction, uint32_t groups, int32_t with_static,
                     int32_t without_body, int32_t *geom);

// Signed distance of two geoms, at most `limit`; negative: the depth of their overlap, the least
// translation that parts them. After sn_forward_position. fromto (6, may be NULL): the nearest
// points, global, of geom1 and of geom2; zeros when the distance is not below the limit. NaN, and
// sn_data_error says why: no such geom, or no loaded collider measures such a pair.
SN_API double sn_geom_distance(const sn_model *model, sn_data *data, int32_t geom1, int32_t geom2,
                               double limit, double *fromto);

// ------------------------------------------------------------------ fields [any]

typedef struct sn_view {
  const char *name, *unit, *meaning;
  void *p;
  int64_t rows, cols;
  int32_t type;      // SN_REAL, SN_INT, SN_BYTE
  int32_t dynamic;   // moves from step to step
} sn_view;
SN_LAYOUT(sn_view, 56);

// [any] [step] A field by name; p is NULL where it has no rows. SN_ENOTFOUND: no such name.
SN_API sn_status sn_model_field(const sn_model *model, const char *name, sn_view *view);
SN_API sn_status sn_field_view(const sn_model *model, sn_data *data, const char *name,
                               sn_view *view);
// By index from 0, for those who list them; false past the end.
SN_API int32_t sn_model_field_at(const sn_model *model, int64_t index, sn_view *view);
SN_API int32_t sn_data_field_at(const sn_model *model, sn_data *data, int64_t index, sn_view *view);
// Sizes of a model by name ("nv") and by index, and counts of a data ("ncon"); -1, false: none.
SN_API int64_t sn_size(const sn_model *model, const char *name);
SN_API int32_t sn_size_at(const sn_model *model, int64_t index, const char **name, int64_t *value);
SN_API int64_t sn_count(const sn_data *data, const char *name);

// Accessors, one for each line of the tables: snm_nv(m), snm_body_mass(m), snd_qpos(d),
// snd_ncon(d), snd_contact_dist(d) ...; rows x cols as the tables say. State and inputs may be
// written between steps; the rest is for reading. NULL where there are no rows.
typedef double sn_type_real;
typedef int32_t sn_type_int;
typedef uint8_t sn_type_byte;
typedef char sn_type_char;
#define SN_ACCESS_SIZE(name, meaning) SN_API int64_t snm_##name(const sn_model *model);
#define SN_ACCESS_MODEL(type, name, rows, cols, holds, unit, meaning) \
  SN_API const sn_type_##type *snm_##name(const sn_model *model);
#define SN_ACCESS_COUNT(name, stage, meaning) SN_API int64_t snd_##name(const sn_data *data);
#define SN_ACCESS_DATA(type, name, rows, cols, stage, unit, meaning) \
  SN_API sn_type_##type *snd_##name(sn_data *data);
SN_MODEL_SIZES(SN_ACCESS_SIZE)
SN_MODEL_FIELDS(SN_ACCESS_MODEL)
SN_DATA_COUNTS(SN_ACCESS_COUNT)
SN_DATA_FIELDS(SN_ACCESS_DATA)
SN_STEP_FIELDS(SN_ACCESS_DATA)

// ------------------------------------------------------------------ saved problems [any]

// Constraint problems without the model that they came from: to be saved, solved again by any
// solver, and judged.
typedef struct sn_problems sn_problems;
// An empty set; freed by the caller.
SN_API sn_problems *sn_problems_new(sn_error *error);
SN_API void sn_problems_free(sn_problems *problems);
// Adds a copy of the whole problem of the present state, after sn_forward. Nothing is added when
// there are no constraints. [step]
SN_API sn_status sn_problems_add(sn_problems *problems, const sn_model *model, sn_data *data,
                                 sn_error *error);
// A set from a file, freed by the caller; to a file. SN_EIO; SN_EPARSE: altered or cut short.
SN_API sn_problems *sn_problems_load(const char *path, sn_error *error);
SN_API sn_status sn_problems_save(const sn_problems *problems, const char *path, sn_error *error);
SN_API int64_t sn_problems_count(const sn_problems *problems);
// Valid until the set is freed. NULL past the end.
SN_API const sn_problem *sn_problems_at(const sn_problems *problems, int64_t index);
// Solves a problem with the solver of this name, whole. The arrays of the solution are the
// caller's. Returns the solver's status.
SN_API sn_status sn_problem_solve(sn_engine *engine, const char *solver, const sn_problem *problem,
                                  sn_solution *solution, sn_error *error);
// The cost that solver.h defines at the solution's acceleration, and how far it is from the
// conditions of optimality: the largest of |M (a - a0) - J' f|, and of |f + grad s(J a - aref)|.
SN_API void sn_problem_evaluate(const sn_problem *problem, const sn_solution *solution,
                                double *cost, double residual[2]);

// ------------------------------------------------------------------ rollouts [any]

// Runs n independent simulations of nstep steps on the selected executor, each from a reset.
// initial: n states of `mask`, NULL: none; control: n x nstep x nu, NULL: none; states: n x nstep
// states of SN_STATE_PHYSICS, written. failed (may be NULL): how many had a step that failed; they
// run on. Task i has the same result on every executor.
SN_API sn_status sn_rollout(const sn_model *model, int64_t n, int64_t nstep, uint32_t mask,
                            const double *initial, const double *control, double *states,
                            int64_t *failed, sn_error *error);

SN_END_DECLS

#endif
