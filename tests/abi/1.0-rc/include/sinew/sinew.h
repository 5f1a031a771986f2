// SPDX-License-Identifier: Apache-2.0
//
// The application interface of Sinew, a physics engine for articulated bodies with contact. Models
// are built in code (spec.h) or read from files: MJCF, the XML format of MuJoCo
// (https://mujoco.readthedocs.io), URDF (https://wiki.ros.org/urdf/XML) and others by plugins.
//
//   sn_error *e = sn_error_new();
//   sn_engine *engine = sn_engine_open(NULL, e);              loads the plugins
//   sn_model *m = sn_load(engine, "humanoid.xml", e);         constant
//   sn_data *d = sn_data_new(m, e);                           one simulation
//   while (snd_time(d)[0] < 10 && sn_step(m, d) >= 0) { ... }
//   sn_data_free(d); sn_model_free(m); sn_engine_close(engine); sn_error_free(e);
//
// Conventions of all functions below, unless a function specifies otherwise:
//   errors    a function that can fail returns an sn_status or a pointer. If it fails, the status
//             is negative or the pointer NULL, and `error`, which may be NULL, says why. Status
//             codes are in abi.h. A call that fails has no effect
//   threads   [startup], [load], [step] and [any] are defined in abi.h
//   memory    strings and arrays that are passed in are copied if they are kept. Those that are
//             returned belong to the object they come from and are valid as long as it exists;
//             the addresses of the arrays in SN_STEP_FIELDS may change with each step
//   shapes    matrices are row-major, quaternions are w x y z, units are SI, angles are in radians
//             unless the table of fields gives the unit deg, positions are in global coordinates
//   arguments model, data, spec and engine must not be NULL, and data must belong to model: a
//             function that can report errors returns SN_EINVAL for data of another model. The
//             functions whose names end in _free accept NULL. An id that is out of range is an
//             error: the status is SN_EINVAL, or the result -1, 0 or NULL
// The library never prints, never exits, and writes no files except those that the caller requests.

#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "sinew/engine.h"
#include "sinew/executor.h"
#include "sinew/fields_data.h"
#include "sinew/fields_model.h"
#include "sinew/loader.h"
#include "sinew/rollout.h"
#include "sinew/solver.h"
#include "sinew/spec.h"
#include "sinew/timing.h"

SN_BEGIN_DECLS

// ------------------------------------------------------------------ errors [any]

// Creates an empty error; NULL when memory is exhausted. Freed by the caller. The
// functions below also accept NULL, and then behave as for an empty error.
SN_API sn_error *sn_error_new(void);
SN_API void sn_error_free(sn_error *error);
// The status of the most recent failure that is recorded in this error; a successful call does not
// clear it.
SN_API sn_status sn_error_code(const sn_error *error);        // SN_OK if there is none
SN_API const char *sn_error_message(const sn_error *error);   // "" if there is none
SN_API const char *sn_error_file(const sn_error *error);      // NULL: it does not refer to a file
SN_API int32_t sn_error_line(const sn_error *error);          // 0: not known
SN_API int32_t sn_error_column(const sn_error *error);        // 0: not known
// "file:line:column: message", without the parts that are unknown. Valid until the error changes.
SN_API const char *sn_error_text(const sn_error *error);

SN_API const char *sn_version(void);                   // [any] SN_VERSION of the library
SN_API const char *sn_status_name(
    sn_status status);   // [any] for example "SN_EPARSE"; "unknown status" for any other number

// ------------------------------------------------------------------ written files [any]

// Writes a file completely or not at all (atomically), as this library does with every file that it
// writes. The bytes go to a temporary file in the same folder, which replaces the destination once
// it is complete and stored on disk; until then an existing file keeps its content. Symbolic links
// are followed and permissions are kept; pipes, terminals and /dev/stdout are written directly.
// Returns NULL on failure; the error, SN_EIO, contains the path and the reason.
typedef struct sn_output sn_output;
SN_API sn_output *sn_output_open(const char *path, sn_error *error);
// The sink to write to, valid as long as the output. It buffers small writes.
SN_API sn_sink *sn_output_sink(sn_output *output);
// Closes and frees the output. status: the result of writing; if it is negative, the temporary file
// is removed and an existing file is kept. Returns this status, or SN_EIO with the path and the
// reason if any write failed. output may be NULL; the status is then returned.
SN_API sn_status sn_output_close(sn_output *output, sn_status status, sn_error *error);

// ------------------------------------------------------------------ spec [load]

// Creates a spec that contains only the world, body 0. engine NULL: the spec can be built and read,
// but not compiled. Freed by the caller.
SN_API sn_spec *sn_spec_new(sn_engine *engine, sn_error *error);
SN_API void sn_spec_free(sn_spec *spec);
// Reads a file with the loader that recognizes it, into a new spec, freed by the caller. Errors
// contain the location in the file. SN_EUNSUPPORTED: no loader recognizes it.
SN_API sn_spec *sn_spec_load(sn_engine *engine, const char *path, sn_error *error);
// The functions with which a loader fills this spec; valid as long as the spec.
SN_API const sn_builder *sn_spec_builder(sn_spec *spec);
// Writes a spec in the format of a loader ("mjcf"). It is an error if the format cannot express it.
SN_API sn_status sn_spec_save(sn_spec *spec, const char *format, const char *path, sn_error *error);
// Writes to a sink. The sink gets the complete text in one call, or nothing. Additional files that
// the loader opens through the sink are written before that text, in several calls.
SN_API sn_status sn_spec_write(sn_spec *spec, const char *format, sn_sink *sink, sn_error *error);

// Writes a description of a loader's format, in Markdown: every element and attribute.
// SN_EUNSUPPORTED: the loader has none.
SN_API sn_status sn_engine_describe(sn_engine *engine, const char *format, sn_sink *sink,
                                    sn_error *error);

// For each kind of element (spec.h). add: copies a definition, which must have been
// initialized with sn_default_<kind>(), into the spec; location (where it was read) and id
// (receives the id of the new element) may be NULL. get: copies a definition out; set def_size
// first. Its strings and arrays belong to the spec and are valid until the spec changes. set:
// replaces a definition; members that an older version of the struct lacks keep their values.
// SN_EINVAL: def is NULL, its def_size is invalid, its owner does not exist, a number is not
// finite, or a name is not valid UTF-8 or has control characters.
#define SN_SPEC_DECLARE(kind)                                                                \
  SN_API sn_status sn_spec_add_##kind(sn_spec *spec, const sn_##kind##_def *def,             \
                                      const sn_location *location, int32_t *id,              \
                                      sn_error *error);                                      \
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

// The name of the model; initially "". SN_EINVAL: not valid UTF-8, or control characters.
SN_API sn_status sn_spec_set_name(sn_spec *spec, const char *name);
SN_API const char *sn_spec_name(const sn_spec *spec);
// The number of elements of a kind ("body" includes the world); -1: unknown kind.
SN_API int64_t sn_spec_count(const sn_spec *spec, const char *kind);
// The id of an element by name; -1: there is none.
SN_API int32_t sn_spec_find(const sn_spec *spec, const char *kind, const char *name);
// Warnings from loading and compiling; NULL past the end.
SN_API const char *sn_spec_warning(const sn_spec *spec, int64_t index);
// Notes from loading: information that does not affect the motion, such as ignored elements of
// other programs. NULL past the end.
SN_API const char *sn_spec_note(const sn_spec *spec, int64_t index);

// Compiles a spec into a model. The spec is not changed. The model is freed by the caller, before
// the engine. Errors contain the location of the element. A model that needs a passive force
// which no loaded plugin computes is rejected; sn_model_warning lists the other properties that no
// loaded plugin supports, such as pairs of geom types without a collider.
SN_API sn_model *sn_compile(sn_spec *spec, sn_error *error);

// ------------------------------------------------------------------ editing a spec [load]

// A complete copy. NULL on failure.
SN_API sn_spec *sn_spec_copy(const sn_spec *spec, sn_error *error);
// Removes an element; the larger ids of its kind decrease by one. Its dependents are its contents,
// if it is a body, and all elements that refer to it and cannot exist without it: a sensor requires
// its site, but a geom whose material is removed remains, without a material. cascade: dependents
// are removed too; otherwise, if there are dependents, the call fails with SN_EINVAL, the error
// names the first dependent, and nothing changes. The corresponding values are removed from
// keyframes.
SN_API sn_status sn_spec_remove(sn_spec *spec, const char *kind, int32_t id, int32_t cascade,
                                sn_error *error);
// Copies all elements of `part` into the spec. The contents of the world body of `part` are added
// to `body`; names and references get the prefix. Units of angles (degree), limits that are
// inferred from ranges (autolimits) and exact inertia of meshes (exactmeshinertia) are taken as the
// compiler settings of `part` define them. The other settings of `part` are ignored, including
// boundmass, boundinertia, balanceinertia and convexhull of its compiler: those of the spec apply.
// To attach in a frame other than that of the body, add a body for it first. Actuators with
// activation are placed after all others; keyframes of the spec and of `part` are completed with
// reset values for the elements of the other. SN_EINVAL, and nothing changes: a name exists
// already; something in `part` would have a different mass or shape because inertiafromgeom,
// inertiagrouprange or fitaabb differ, or because exactmeshinertia is set in the spec but not in
// `part`; or `part` sets settotalmass and the spec does not set it to the same value. A
// settotalmass that only the spec sets is valid: it scales everything, including `part`.
SN_API sn_status sn_spec_attach(sn_spec *spec, int32_t body, const sn_spec *part,
                                const char *prefix, sn_error *error);
// Copies edits of a model back to the spec that it was compiled from: every real number, and every
// option, statistic or visual setting, that differs from the compiled spec. An edited inertia
// becomes explicit. Not copied: integers, and quantities that follow from others (body_subtreemass,
// body_invweight0, dof_invweight0, dof_M0, geom_rbound, tendon_length0, tendon_invweight0,
// actuator_acc0, actuator_length0, and pos0, poscom0, mat0 and dir0 of cameras and lights). An edit
// that a spec cannot express (vertices of meshes, frame and size of a geom with a mesh, an axis or
// a quaternion that does not have length 1) is an error that names it, SN_EUNSUPPORTED; SN_ECOMPILE
// if the spec does not compile with the edit. Nothing changes on failure. SN_EINVAL: the model was
// compiled from another spec.
SN_API sn_status sn_spec_update(sn_spec *spec, const sn_model *model, sn_error *error);

// ------------------------------------------------------------------ model [load]

// Reads a model file of any supported format, or Sinew's own binary format: sn_spec_load and
// sn_compile in one call. Freed by the caller, before the engine and after its data.
SN_API sn_model *sn_load(sn_engine *engine, const char *path, sn_error *error);
SN_API void sn_model_free(sn_model *model);
// [any] Writes a model to Sinew's binary format. The file contains a format version and has the
// byte order of this machine; both, and the contents, are checked when it is loaded. SN_EIO: the
// file cannot be written.
SN_API sn_status sn_model_save(const sn_model *model, const char *path, sn_error *error);
SN_API const char *sn_model_name(const sn_model *model);    // [any] "" if it has no name
SN_API sn_engine *sn_model_engine(const sn_model *model);   // [any] the engine that created it
// [any] The id of an object by name, and back. kind: one of SN_MODEL_ELEMENTS
// (fields_model.h), "body", "joint", "geom" ... Without such an object sn_find returns -1, and
// sn_name "".
SN_API int32_t sn_find(const sn_model *model, const char *kind, const char *name);
SN_API const char *sn_name(const sn_model *model, const char *kind, int32_t id);
// [any] Warnings from loading and compiling the model, by index from 0; NULL past the end.
SN_API const char *sn_model_warning(const sn_model *model, int64_t index);
// [any] Notes from loading the model (sn_spec_note), by index from 0; NULL past the end.
SN_API const char *sn_model_note(const sn_model *model, int64_t index);

// [any] Copies out the options, statistics and visual settings of a model. The caller sets
// def_size, as sn_default_option() and the other default functions do: at most def_size bytes are
// written, and members that are newer than the library are set to zero. SN_EINVAL: def_size is
// invalid.
SN_API sn_status sn_model_get_option(const sn_model *model, sn_option *option);
SN_API sn_status sn_model_get_statistic(const sn_model *model, sn_statistic *statistic);
SN_API sn_status sn_model_get_visual(const sn_model *model, sn_visual *visual);
// Replaces the options of a model; start from sn_model_get_option. Options that an older version of
// the struct lacks keep their values. No simulation of the model may be executing a step.
// A changed solver or integrator is resolved immediately and takes precedence over the
// configuration and sn_select. On failure nothing changes. SN_EINVAL: out of range; SN_ENOTFOUND:
// no such solver or integrator.
SN_API sn_status sn_model_set_option(sn_model *model, const sn_option *option, sn_error *error);
// [any] The name of the provider that simulations of the model use; what: "solver", "integrator",
// "post_solver". NULL: none, or `what` is not one of these.
SN_API const char *sn_model_selected(const sn_model *model, const char *what);
// Sets one option by name, such as "timestep" or "cone", or one flag, such as name "contact" with
// value "disable"; the option --set of the command does the same. "gravity" is the name of an
// option and of a flag: three numbers set the option, a word sets the flag. value: text; numbers
// have a decimal point in every locale.
SN_API sn_status sn_model_parse_option(sn_model *model, const char *name, const char *value,
                                       sn_error *error);
// [any] The names that sn_model_parse_option accepts, options and flags, by index from 0; NULL past
// the end.
SN_API const char *sn_option_name(int64_t index);
// [any] The words that an option or flag accepts instead of a number, by index from 0; NULL past
// the end.
SN_API const char *sn_option_choice(const char *name, int64_t index);

// ------------------------------------------------------------------ simulation [step]

// [any] Creates a simulation in its reset state; freed by the caller, before the model. A model may
// have many, each used by one thread at a time.
SN_API sn_data *sn_data_new(const sn_model *model, sn_error *error);
SN_API void sn_data_free(sn_data *data);   // [any]
// Copies one simulation to another of the same model; both continue with identical results.
SN_API sn_status sn_data_copy(const sn_model *model, sn_data *to, const sn_data *from);
// Creates a simulation of a model and transfers the state from a simulation of another model, as
// far as both have the same elements, matched by name: positions and velocities of joints (unnamed
// joints: by the name of their body and their order in it), controls and activations of actuators,
// poses of mocap bodies, applied forces, enabled equality constraints, states of sensors, time; and
// the states of passive forces and controllers, matched by provider and, for each provider, by
// order. Everything else is in its reset state. NULL on failure. [load]
SN_API sn_data *sn_data_transfer(const sn_model *model, const sn_model *from_model,
                                 const sn_data *from, sn_error *error);
// Resets the state: time 0, qpos0, zero velocities, controls and applied forces; mocap bodies and
// equality constraints as in the model; no warnings. This function, sn_reset_key, sn_data_copy and
// sn_state_set fail with SN_EINVAL and change nothing if they are called within a step of this
// simulation, for example by a callback.
SN_API sn_status sn_reset(const sn_model *model, sn_data *data);
// Resets to a keyframe. SN_EINVAL: there is no such keyframe.
SN_API sn_status sn_reset_key(const sn_model *model, sn_data *data, int32_t key);

// Advances one time step. SN_OK: done. SN_EDIVERGED: a position, velocity or acceleration was not
// finite or exceeded 1e10, or the time, the pose of a mocap body or a constraint row was not
// finite. SN_EDIVERGED is negative, but the call has an effect: a warning is counted, the state is
// reset as by sn_reset (the counts of warnings are kept), and one step is made from the reset
// state. Any other negative status (SN_ENOMEM, SN_EPLUGIN, or the status of the integrator): the
// step was not made. State and inputs are as before the call, even if the step began with a reset;
// ncon and nefc are 0, the counts of warnings are kept, and sn_data_error has the reason.
SN_API sn_status sn_step(const sn_model *model, sn_data *data);

// The evaluations below do not check for divergence: they never return SN_EDIVERGED and never reset
// the state. Any other failure is as for sn_step.
//
// Forward dynamics: computes the same quantities as a step, at the current state, without advancing
// time.
SN_API sn_status sn_forward(const sn_model *model, sn_data *data);
// Inverse dynamics: computes qfrc_inverse from qpos, qvel and qacc, analytically.
SN_API sn_status sn_inverse(const sn_model *model, sn_data *data);
// Individual stages: the quantities that depend on qpos only, then those that also depend on qvel.
SN_API sn_status sn_forward_position(const sn_model *model, sn_data *data);
SN_API sn_status sn_forward_velocity(const sn_model *model, sn_data *data);
// Quantities that a step, sn_forward and sn_inverse compute only when a sensor or an option needs
// them: cacc, cfrc_int and cfrc_ext; subtree_linvel and subtree_angmom; energy.
SN_API sn_status sn_body_forces(const sn_model *model, sn_data *data);
SN_API sn_status sn_subtree_velocities(const sn_model *model, sn_data *data);
SN_API sn_status sn_compute_energy(const sn_model *model, sn_data *data);
// The error of the latest call on this data if that failed; empty if it succeeded.
SN_API const sn_error *sn_data_error(const sn_data *data);
// Statistics of each solver iteration in the latest forward dynamics, as far as the solver provides
// them; with several islands, of the one with the most iterations. *n: number of entries, at most
// SN_SOLVER_LOG. Valid until the data is used again.
enum { SN_SOLVER_LOG = 100 };
SN_API const sn_iteration *sn_solver_log(const sn_data *data, int64_t *n);
// Memory of the data in bytes: allocated, and the maximum used by its steps.
SN_API void sn_data_memory(const sn_data *data, int64_t *total, int64_t *used);

enum {   // warnings, counted since the last reset
  SN_WARN_BADQPOS = 0,    // not finite or too large
  SN_WARN_BADQVEL = 1,    // not finite or too large
  SN_WARN_BADQACC = 2,    // not finite or too large
  SN_WARN_BADCTRL = 3,    // not finite or too large; zero controls were used
  SN_WARN_INERTIA = 4,    // the inertia matrix is not positive definite
  SN_WARN_PLUGIN = 5,     // a plugin failed or returned invalid results
  SN_WARN_CONTACTS = 6,   // a collider omitted contact points of a pair
  SN_WARN_BADTIME = 7,    // not finite
  SN_WARN_STIFF = 8,      // a constraint is too stiff for the time step
  SN_WARN_EQUALITY = 9,   // an exact equality constraint cannot be satisfied
  // a solver of Coulomb's law was used with pyramidal cones; it needs cone="elliptic"
  SN_WARN_PYRAMID = 10,
  SN_WARN_SOFTENED = 11   // the solver made contacts softer than specified
};
enum { SN_NWARNINGS = 12 };
SN_API int64_t sn_data_warning_count(const sn_data *data,
                                     int32_t warning);                   // SN_WARN_*
SN_API const char *sn_data_warning_name(
    int32_t warning);   // [any] for example "bad qpos"; "": not in SN_WARN_*

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
  SN_STATE_SLEEP = 1 << 13,   // which bodies are asleep; empty without SN_ENABLE_SLEEP
  SN_STATE_FULLPHYSICS = 0x100f,  // time, qpos, qvel, act, plugin
  SN_STATE_USER = 0x0fe0,         // all inputs
  SN_STATE_INTEGRATION = 0x3fff   // everything that the next step depends on
};
// [any] Number of doubles in a state of this mask: its parts in the order of their bits. The size
// of SN_STATE_SLEEP is 0 without SN_ENABLE_SLEEP: change that flag before this call, not between it
// and sn_state_get or sn_state_set.
SN_API int64_t sn_state_size(const sn_model *model, uint32_t mask);
// Copies a state out of, or into, a simulation: sn_state_size doubles. An element of eq_enabled is
// true if it is not 0. Only the state is set; quantities that depend on it are computed by the next
// step or sn_forward. SN_STATE_SLEEP restores which bodies are asleep, with the positions and
// inputs that are set in the same call or were set before. Without it, bodies that were asleep wake
// where the new positions or inputs differ from those with which they fell asleep.
SN_API void sn_state_get(const sn_model *model, const sn_data *data, uint32_t mask, double *state);
SN_API sn_status sn_state_set(const sn_model *model, sn_data *data, uint32_t mask,
                              const double *state);
// A hash of every bit of a state (FNV-1a).
SN_API uint64_t sn_state_hash(const sn_model *model, const sn_data *data, uint32_t mask);

// [step] Wakes the kinematic tree of a body and the trees that fell asleep together with it; body
// -1: all trees. It is needed only after the arrays of a model were edited in place: the next step
// detects changes of the state, of inputs and of options, and calls of sn_model_refresh. SN_EINVAL:
// there is no such body, or the call comes from within a step.
SN_API sn_status sn_wake(const sn_model *model, sn_data *data, int32_t body);

// ------------------------------------------------------------------ Jacobians, inertia [step]

// Jacobians of a point fixed to a body: of the velocity of the point (jacp) and of the angular
// velocity of the body (jacr), in global axes, 3 x nv each; either may be NULL. point: 3, global;
// sn_jacobian_com: the center of mass of the body. After sn_forward_position. SN_EINVAL: no such
// body; the Jacobians are zero.
SN_API sn_status sn_jacobian(const sn_model *model, const sn_data *data, double *jacp, double *jacr,
                             const double *point, int32_t body);
SN_API sn_status sn_jacobian_com(const sn_model *model, const sn_data *data, double *jacp,
                                 double *jacr, int32_t body);
// sn_multiply_inertia: out = M x; out must not be x. sn_solve_inertia: replaces x by M^-1 x. All
// have nv elements. After sn_forward_position.
SN_API void sn_multiply_inertia(const sn_model *model, const sn_data *data, const double *x,
                                double *out);
SN_API void sn_solve_inertia(const sn_model *model, const sn_data *data, double *x);
// Force and torque of a contact on its second geom, in the contact frame (normal, two tangents): 6
// elements, N and N m. After sn_forward or sn_step. SN_EINVAL: no such contact; the force is zero.
SN_API sn_status sn_contact_force(const sn_model *model, const sn_data *data, int64_t contact,
                                  double *force);
// [any] sn_integrate_position: qpos <- qpos + h v, with quaternions integrated on the rotation
// group. sn_differentiate_position: the v that leads from `from` to `to` in the time h. qpos, from,
// to: nq; v: nv; h: s.
SN_API void sn_integrate_position(const sn_model *model, double *qpos, const double *v, double h);
SN_API void sn_differentiate_position(const sn_model *model, double *v, double h,
                                      const double *from, const double *to);
// Adds to qfrc (nv) the generalized force of a force and a torque (3 each, global; either may be
// NULL) at a global point (3) of a body. After sn_forward_position. SN_EINVAL: no such body,
// nothing is added.
SN_API sn_status sn_apply_force(const sn_model *model, const sn_data *data, const double *force,
                                const double *torque, const double *point, int32_t body,
                                double *qfrc);
// Derivatives of a step by finite differences, with n = 2 nv + na and the state differences x =
// (position in the tangent space, velocity, activation): A = dy/dx (n x n), B = dy/du (n x nu), C =
// ds/dx (nsensordata x n), D = ds/du (nsensordata x nu). u: the controls; y: the state at the end
// of the step; s: the sensor values that the step computes, those of the state at its start. Each
// matrix may be NULL. eps: size of the perturbation, from 1e-12 to 1; 1e-6 is usual.
// centered: second order, at twice the cost. A control at the end of its range is perturbed
// inwards. The constraints are solved to machine precision, whatever the option `tolerance` is: an
// error of the solver would be divided by eps.
//
// State and inputs are restored in every case; quantities that depend on them (xpos, contacts, qacc
// ...) are those of a perturbed state afterwards; sn_forward computes them again. SN_EINVAL: eps is
// out of range. SN_EDIVERGED: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat or qacc has a
// number that is not finite or, for qpos, qvel, ctrl and qacc, exceeds 1e10; the error names it,
// and nothing is reset or counted. SN_ENOMEM, SN_EPLUGIN: as for sn_step. After an error the
// matrices are partly written.
SN_API sn_status sn_transition_fd(const sn_model *model, sn_data *data, double eps,
                                  int32_t centered, double *A, double *B, double *C, double *D);
// Copy a matrix that the latest sn_forward or sn_step computed into a dense array. The sizes of
// `out` are, in this order: nv x nv, nefc x nv, nu x nv, ntendon x nv.
SN_API void sn_full_inertia(const sn_model *model, const sn_data *data, double *out);
SN_API void sn_full_constraint_jacobian(const sn_model *model, const sn_data *data, double *out);
SN_API void sn_full_actuator_moment(const sn_model *model, const sn_data *data, double *out);
SN_API void sn_full_tendon_jacobian(const sn_model *model, const sn_data *data, double *out);

// ------------------------------------------------------------------ rays and distances [step]

// Casts a ray. *distance: the smallest x >= 0 for which origin + x direction (3 each, global) is on
// the surface of a geom, in units of the length of `direction`: in meters if that is a unit vector;
// -1: the ray hits none, or the direction is zero or not finite. *geom (may be NULL): the geom that
// was hit, or -1. Geoms that are invisible, by an alpha of 0 in their color or material, are
// ignored, and so are types of geoms whose collider does not support rays. After
// sn_forward_position. groups: bit k includes geoms of group k (bit 5: group 5 and above), 0
// includes all. with_static: includes geoms of bodies that cannot move. without_body: a body whose
// geoms are excluded; -1: no body is excluded. Several threads may cast rays in one simulation at
// the same time, if none changes it. SN_EPLUGIN, or the status of the plugin: a collider or a shape
// failed, or returned a number that is not finite; *distance is -1 then.
SN_API sn_status sn_ray(const sn_model *model, const sn_data *data, const double *origin,
                        const double *direction, uint32_t groups, int32_t with_static,
                        int32_t without_body, double *distance, int32_t *geom, sn_error *error);

// *distance: signed distance between two geoms, at most `limit`; negative: minus the penetration
// depth, the length of the shortest translation that separates them. After sn_forward_position.
// fromto (6, may be NULL): the nearest points of geom1 and geom2, global; zeros if the distance is
// not below the limit. SN_EINVAL: there is no such geom, or the limit is NaN; SN_EUNSUPPORTED: no
// loaded collider supports the pair; SN_EPLUGIN, SN_ENOMEM or the status of the plugin: a collider
// or a shape failed. *distance is NaN then, and sn_data_error has the reason.
SN_API sn_status sn_geom_distance(const sn_model *model, sn_data *data, int32_t geom1,
                                  int32_t geom2, double limit, double *distance, double *fromto);

// The support points of a geom with a shape of a plugin (SN_GEOM_USER, shape.h): for each of n
// directions (n x 3, of unit length) the point of the shape that lies farthest in that direction (n
// x 3), both in the frame of the geom. SN_EUNSUPPORTED: the geom has another type; SN_EINVAL: there
// is no such geom; SN_EPLUGIN: the shape failed. [any]
SN_API sn_status sn_geom_support(const sn_model *model, int32_t geom, int64_t n,
                                 const double *direction, double *point, sn_error *error);

// ------------------------------------------------------------------ fields [any]

// An array of a model or a simulation.
typedef struct sn_view {
  uint32_t size;   // sizeof(sn_view), set by the caller: at most this many bytes are written
  uint32_t reserved;
  const char *name, *unit, *meaning;
  void *p;
  int64_t rows, cols;
  int32_t type;      // SN_REAL, SN_INT, SN_BYTE, SN_CHAR
  int32_t dynamic;   // 1: the address and the number of rows may change with each step
} sn_view;
SN_LAYOUT(sn_view, 64);

// An application may edit real numbers of a model between steps, through the views of its fields:
//   takes effect at the next step:
//                           friction, solref, solimp, margin, gap, friction loss, ranges of joints,
//                           tendons, controls and forces; gains, biases, dynprm, gears; stiffness,
//                           damping and other coefficients of passive forces, except where they
//                           were zero; sensor noise and cutoff; options (sn_model_set_option)
//   after sn_model_refresh: all others: masses, inertias, armature, poses and sizes of bodies,
//                           joints, geoms, sites and tendons, qpos0, a coefficient that was zero;
//                           and integers that do not change the size of an array, such as contype
// sn_model_refresh checks the arrays, recomputes what depends on them (body_subtreemass,
// geom_rbound, tendon_length0, dof_M0, actuator_acc0 and length0, every invweight0, and pos0,
// poscom0, mat0 and dir0 of cameras and lights), and binds the plugins again. Not recomputed: the
// statistics, the rest lengths of springs, actuator_lengthrange, the values in keyframes,
// geom_fluid, the inertia of a body whose geoms were edited. [load] No simulation of the model may
// be executing a step; the states of simulations are kept. On failure the edits remain in the
// arrays, and nothing else changes. SN_EINVAL: a number is out of range; SN_EUNSUPPORTED: a passive
// force would need a different number of state variables.
SN_API sn_status sn_model_refresh(sn_model *model, sn_error *error);

// A field by name: of a model [any], or of a simulation [step]. p is NULL if the field has no rows.
// SN_ENOTFOUND: no field has that name. SN_EINVAL: view->size is not set.
SN_API sn_status sn_model_field(const sn_model *model, const char *name, sn_view *view);
SN_API sn_status sn_data_field(const sn_model *model, sn_data *data, const char *name,
                               sn_view *view);
// A field by index from 0, to list all fields; returns 0 past the end.
SN_API int32_t sn_model_field_at(const sn_model *model, int64_t index, sn_view *view);
SN_API int32_t sn_data_field_at(const sn_model *model, sn_data *data, int64_t index, sn_view *view);
// A size of a model by name ("nv"), or by index to list all; a count of a simulation by name
// ("ncon"). If there is none, sn_size and sn_count return -1, and sn_size_at 0.
SN_API int64_t sn_size(const sn_model *model, const char *name);
SN_API int32_t sn_size_at(const sn_model *model, int64_t index, const char **name, int64_t *value);
SN_API int64_t sn_count(const sn_data *data, const char *name);

// Accessors, one for each entry of the field tables: snm_nv(m), snm_body_mass(m), snd_qpos(d),
// snd_ncon(d), snd_contact_dist(d) ...; the tables list the numbers of rows and columns. State and
// inputs may be written between steps; other fields are read-only. NULL if an array has no rows.
typedef double sn_type_real;
typedef int32_t sn_type_int;
typedef uint8_t sn_type_byte;
typedef char sn_type_char;
#define SN_ACCESS_SIZE(name, meaning) SN_API int64_t snm_##name(const sn_model *model);
#define SN_ACCESS_MODEL(type, name, rows, cols, domain, unit, meaning) \
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

// Constraint problems that are independent of their model: they can be saved, solved again by any
// solver, and evaluated.
typedef struct sn_problems sn_problems;
// An empty set; freed by the caller.
SN_API sn_problems *sn_problems_new(sn_error *error);
SN_API void sn_problems_free(sn_problems *problems);
// Adds a copy of the problem of all constraints at the current state, after sn_forward. Without
// constraints nothing is added. [step]
SN_API sn_status sn_problems_add(sn_problems *problems, const sn_model *model, sn_data *data,
                                 sn_error *error);
// Reads a set from a file, to be freed by the caller, or writes one. SN_EIO: the file cannot be
// read or written; SN_EPARSE: it is damaged or truncated.
SN_API sn_problems *sn_problems_load(const char *path, sn_error *error);
SN_API sn_status sn_problems_save(const sn_problems *problems, const char *path, sn_error *error);
SN_API int64_t sn_problems_count(const sn_problems *problems);
// Valid until the set is freed. NULL past the end.
SN_API const sn_problem *sn_problems_at(const sn_problems *problems, int64_t index);
// Solves a whole problem with the solver of this name. The caller provides the arrays of the
// solution. Returns the status of the solver.
SN_API sn_status sn_problem_solve(sn_engine *engine, const char *solver, const sn_problem *problem,
                                  sn_solution *solution, sn_error *error);
// Evaluates a solution: the cost defined in solver.h, and the residuals of the optimality
// conditions: the largest elements of |M (a - a0) - J' f| and of |f + grad s(J a - aref)|.
SN_API void sn_problem_evaluate(const sn_problem *problem, const sn_solution *solution,
                                double *cost, double residual[2]);
// The same for Coulomb's law, which solvers with SN_SOLVER_COULOMB obey and which has no cost.
// residual[0] is the largest element of |M (a - a0) - J' f|, residual[1], in N, that of
//
//   |x - P(x - D_0 v)|,   x = (f_0, g),   v = (z_0 + r f_0 + |w + e g|, w + e g)
//
// over all elliptic contacts, and |f_0 - max(0, f_0 - D_0 (z_0 + r f_0))| over all contacts without
// friction, with the symbols of solver.h: the natural map of De Saxce's form of the law. P projects
// onto the cone x_0 >= |(x_1, x_2, ...)|. The regularizers r and e are those of the ranges 0 to R_0
// and 0 to R_1 friction_1^2 for which the residual is smallest. For all other rows, such as limits
// and edges of pyramids, residual[1] has |f + grad s| instead.
SN_API void sn_problem_evaluate_coulomb(const sn_problem *problem, const sn_solution *solution,
                                        double residual[2]);

// ------------------------------------------------------------------ rollouts [any]

// Runs many independent simulations of a model on an executor; the request (rollout.h) specifies
// what to run and where to store the results. Rollout i has the same result on every executor.
// SN_OK: the executor has run them, even if some failed or all were canceled: see `failed`,
// `done`, `status` and `reached` of the request. SN_EINVAL: a value in the request is invalid;
// SN_EUNSUPPORTED: it has members that this version does not know, or the executor cannot run it;
// SN_ENOTFOUND: there is no such executor or quantity. A negative status of `consume` is returned
// as it is. Some variations bind plugins again, as sn_model_refresh does (docs/rollouts.md says
// which). During a call that has one of these, do not load or compile models of this engine
// ([load], abi.h). The memory of a call, simulations and their buffers, is kept with the model for
// the next call until sn_model_refresh or sn_model_free.
SN_API sn_status sn_rollout(const sn_model *model, sn_rollout_request *request, sn_error *error);
// Checks the names and numbers of a request, and writes nsample, nresult, the width and offset of
// each record, and the width of each variation. Arrays that have a row for each rollout are not
// read and may be NULL.
SN_API sn_status sn_rollout_measure(const sn_model *model, sn_rollout_request *request,
                                    sn_error *error);
// The option noise_seed of a rollout: a random number from 0 to 2^53 - 1 that depends on the seed
// of the request and the number of the rollout alone.
SN_API uint64_t sn_rollout_seed(uint64_t seed, int64_t rollout);
// For executors of several processes, such as mpi: call it in all of them, before sn_rollout.
// executor: a name; NULL: the selected one. *served is 0 in the root process, which then calls
// sn_rollout, and with executors that use one process. In all other processes the call runs
// rollouts for the root process. It returns, with *served 1, once the root has closed its engine;
// the process can then exit. A negative status with *served 1: this process could not finish all
// of its rollouts; other processes ran them.
SN_API sn_status sn_rollout_serve(sn_engine *engine, const char *executor, int32_t *served,
                                  sn_error *error);

SN_END_DECLS

#endif
