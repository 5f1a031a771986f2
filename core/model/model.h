// SPDX-License-Identifier: Apache-2.0
//
// The compiled model: constant arrays, global settings, and the plugins that it was bound to.
//
// The arrays are those of SN_MODEL_FIELDS, each a pointer into one buffer. `field[i]` is the i-th
// of them, for those who address fields by index. Sizes are those of SN_MODEL_SIZES.

#ifndef SI_MODEL_MODEL_H
#define SI_MODEL_MODEL_H

#include "host/engine.h"

enum { SI_NREFERENCE = 2, SI_NIMPEDANCE = 5 };   // numbers of solref, of solimp

#define SI_COUNT_FIELD(...) +1
enum {
  SI_NMODELSIZE = 0 SN_MODEL_SIZES(SI_COUNT_FIELD),
  SI_NMODELFIELD = 0 SN_MODEL_FIELDS(SI_COUNT_FIELD),
  SI_NDATACOUNT = 0 SN_DATA_COUNTS(SI_COUNT_FIELD),
  SI_NDATAFIELD = 0 SN_DATA_FIELDS(SI_COUNT_FIELD),
  SI_NSTEPFIELD = 0 SN_STEP_FIELDS(SI_COUNT_FIELD)
};

// A provider with the elements that use it: actuators, sensors, passive forces, filters.
typedef struct si_binding {
  const si_provider *provider;
  int64_t n;
  int32_t *id;        // n elements of the model, ascending
  void *bound;        // what bind of the provider kept for this model; NULL: nothing
  int32_t needs;      // of sensors: SI_HAS_*, what is computed before they are evaluated
  int32_t nstate;     // of actuators: activation states of each; of passive forces, and of all
                      // sensors of a binding: their states
  int64_t stateadr;   // of passive forces: first number in force_state of the data
} si_binding;

typedef struct si_bindings {
  int64_t n;
  si_binding *at;
} si_bindings;

// An equality constraint of a plugin. core/bind/constraint.c
typedef struct si_plugin_equality {
  const si_provider *provider;   // NULL: it is not one of a plugin
  void *bound;
  int32_t nrow, ndof;
  int32_t nlimit;   // rows that are limits
  int32_t *dof;     // ndof; ascending
  int32_t *kind;    // nrow; SN_CONSTRAINT_*
} si_plugin_equality;

// The tree along which M - h D is eliminated. Its rows have the layout of qM: row i holds dof i and
// its ancestors in this tree.
typedef struct si_elimination {
  int64_t n;               // entries of all rows
  const int32_t *parent;   // nv
  const int32_t *adr;      // nv
} si_elimination;

// Elements with consecutive indices: from those of `begin` up to those before `end`.
typedef struct si_place {
  int32_t body, joint, dof, position, geom, site;
} si_place;

typedef struct si_run {
  si_place begin, end;
} si_run;

// What hangs from one child of the world, if anything of it can move. data/sleep.h
typedef struct si_root {
  si_run run;
  si_place moving;     // the first body that moves
  int32_t may_sleep;   // by its policy
  int32_t sleeps;      // after a reset
} si_root;

typedef struct si_roots {
  int32_t n;
  int32_t nfixed;       // of `fixed`
  si_root *at;
  si_place first;       // after what belongs to the world itself
  si_run *fixed;        // what hangs from the world and never moves, neighbors joined; ascending
  int32_t *child;       // nfixed + 1: how many children of the world are fixed before each of these
  int32_t ncam, nlight;
  int32_t *cam;         // ncam: cameras that move, or may
  int32_t *light;       // nlight, likewise
  int32_t *of;          // nbody; -1: it hangs from no root
  int32_t *is_carried;   // nbody: a mocap body carries it
  double *length;        // nv: of rotations, how far what they move is from the axis at most, m;
                         // else 1
} si_roots;

// What the model needs of the engine, resolved by si_model_bind. core/bind/bind.c
typedef struct si_bound {
  const si_provider *solver;
  const si_provider *post_solver;                             // with noslip iterations; NULL: none
  const si_provider *integrator;
  void *integrator_bound;
  const si_provider *collider[SN_NGEOMTYPES][SN_NGEOMTYPES];   // [type1 <= type2]; NULL: none
  const si_provider *ray[SN_NGEOMTYPES];                  // of rays; NULL: none
  si_bindings dynamics, gain, bias;                       // over actuators
  si_bindings sensor[SN_NSTAGES];                         // [SN_STAGE_NONE] is empty
  si_bindings passive;
  si_elimination coupled;                                 // parent NULL: no couplings, the own tree
  double *force_state0;                                   // nforcestate: after a reset
  double *sensor_state0;                                  // nsensorstate, likewise; NULL: zeros
  double *act0;                                           // na, likewise; NULL: zeros
  const si_provider *omitting;   // a force whose couplings D omits, without a warning so far
  const si_provider *coupling;   // a passive force in `coupled`, likewise, for SN_DERIV_TREE
  int32_t rejected_kind, rejected;                          // SI_ELEMENT_*; -1: none
  si_bindings filter;                                     // of contacts
  si_bindings contact;                                    // contact modifiers
  si_bindings controller;
  si_plugin_equality *equality;                           // neq; NULL: none is of a plugin
  struct si_guarded_shape *user_shape;                    // ngeom; NULL: no shape is of a plugin

  // what follows from integers, and from the shapes and poses of geoms
  struct si_broadphase *broadphase;                       // core/contact
  struct si_patterns *patterns;                           // core/dynamics/pattern.h
  sn_mesh_view *mesh_view;                                // nmesh
  struct si_bvh *mesh_tree;                               // nmesh; core/contact
  sn_hfield_view *hfield_view;                            // nhfield
  int64_t ntree;                                          // kinematic trees with dofs
  si_roots roots;
  int32_t wants_inertia;   // a plugin reads qM, qLD or qLDiagInv
  int32_t reserved;
  void (*form_inertia)(const sn_model *m, sn_data *d);    // core/dynamics/factor.c
} si_bound;

// Memory that a call keeps with the model for later calls, until the model is refreshed or freed.
typedef struct si_kept si_kept;
struct si_kept {
  si_kept *next;
  void (*free)(si_kept *kept);
};

enum { SI_CHOSEN_SOLVER = 1, SI_CHOSEN_INTEGRATOR = 2 };

struct sn_model {
#define SN_X(name, meaning) int64_t name;
  SN_MODEL_SIZES(SN_X)
#undef SN_X
  union {
    struct {
#define SN_X(type, name, rows, cols, domain, unit, meaning) sn_type_##type *name;
      SN_MODEL_FIELDS(SN_X)
#undef SN_X
    };
    void *field[SI_NMODELFIELD];
  };
  sn_option opt;
  sn_compiler compiler;          // as it was compiled, for saving
  sn_size_hint hint;
  sn_statistic stat;
  sn_visual vis;

  // not in the file: made by si_model_bind
  sn_engine *engine;
  int32_t chosen;                     // SI_CHOSEN_*: options set after loading win over the ini
  int32_t reserved;
  si_bound bound;
  int32_t *inertia_parent;            // nv: the next dof in a row of qM; inertia_rows.c
  int32_t *first_tree;                // ntree: the first that M couples it with; NULL: itself
  int64_t nforcestate;                // numbers of state that passive forces and controllers keep
  int64_t nintegratorstate;           // and the integrator
  sn_model_view view;                 // for plugins
  void *block;                        // what was allocated
  void *buffer;                       // of the arrays, in it
  int64_t nbuffer;                    // bytes
  int64_t edits;                      // how often sn_model_refresh was called
  int64_t nwarning, nnote;
  char **warning, **note;
  si_kept *kept;                      // what rollouts keep; not of the model's value
};

// The last dof that moves a body; -1: none does. The others are its ancestors: dof_parentid.
static inline int32_t si_chain_tip(const sn_model *m, int32_t body) {
  const int32_t top = m->body_weldid[body];
  return top > 0 ? m->body_dofadr[top] + m->body_dofnum[top] - 1 : -1;
}

// inertia_rows.c. Merges the paths of two dofs to the root of an elimination tree into one; -1: a
// dof that is not there.
void si_rows_merge(int32_t *parent, int32_t a, int32_t b);
// Where each row along such a tree begins (nv); returns how many entries there are in all, or, if
// they are too many for an int32_t, a number that is too large for one.
int64_t si_rows_place(int64_t nv, const int32_t *parent, int32_t *adr);
// The next dof in a row of qM (-1: it ends), and where each row begins (nv each); returns as
// si_rows_place.
int64_t si_inertia_rows(const sn_model *m, int32_t *parent, int32_t *adr);
// The same into the model: inertia_parent, dof_Madr, nM. Once, when dofs and tendons are there.
sn_status si_model_make_rows(sn_model *m, sn_error *error);
// Is M used by recursion along the bodies, in simulations that are made now?
int si_model_is_recursive(const sn_model *m);
// May it still be, in a simulation that was made for it?
int si_model_allows_recursion(const sn_model *m);

// Bytes of its arrays.
double si_model_bytes(const sn_model *sizes);
// A model with these sizes (taken from `sizes`, whose arrays are ignored) and cleared arrays.
sn_model *si_model_alloc(sn_engine *engine, const sn_model *sizes, sn_error *error);

// What was kept last, which then belongs to the caller; NULL: nothing is. From any thread. kept.c
si_kept *si_model_take(const sn_model *model);
void si_model_keep(const sn_model *model, si_kept *kept);
void si_model_free_kept(sn_model *model);

// Frees a model that is not bound: sn_model_free unbinds it before.
void si_model_drop(sn_model *model);

// Are all options in their ranges? option.c
sn_status si_option_check(const sn_option *option, sn_error *error);
// Sets an option or flag by its name, from text. *chosen: which of SI_CHOSEN_* it names. The ranges
// of numbers are not checked. option.c
sn_status si_option_parse(sn_option *option, const char *name, const char *value, int32_t *chosen,
                          sn_error *error);
// Applies the lines of [option] of the configuration. option.c
sn_status si_option_configure(sn_option *option, const sn_engine *engine, sn_error *error);
// One note of the model about pyramidal cones, if it has them: because a program asked for them, or
// a configuration. What loaders read is noted by them.
sn_status si_model_note_cone(sn_model *m, sn_error *error);
sn_status si_model_note_configured_cone(sn_model *m, sn_error *error);
// sensor_sizes.c. The sizes of a sensor by its type. open_dim: the number of values that a model
// specifies, of a type that leaves it open.
sn_status si_sensor_sizes(const sn_model *m, const si_provider *type, const sn_sensor *sensor,
                          int32_t open_dim, int32_t *dim, int32_t *nstate, sn_error *error);
int si_sensor_is_open(const si_provider *type);
// shape.c. Makes a shape of a plugin from the lines of its attributes. *data: for si_shape_drop.
sn_status si_shape_make(const si_provider *shape, const char *lines, sn_shape_info *info,
                        void **data, sn_error *error);
void si_shape_drop(const si_provider *shape, void *data);
// actuator_functions.c. What dynamics, a gain or a bias say about their parameters.
int32_t si_dynamics_states(const si_provider *dynamics, const double *prm);
sn_status si_dynamics_check(const si_provider *dynamics, const double *prm, const sn_host *host,
                            sn_error *error);
sn_status si_force_check(const si_provider *force, const double *prm, const sn_host *host,
                         sn_error *error);
// State variables of a sensor of a compiled model.
int32_t si_sensor_states(const sn_model *m, int64_t sensor);
// One more of the model's warnings (sn_model_warning). model.c
sn_status si_model_warn(sn_model *model, sn_error *error, const char *format, ...) SN_PRINTF(3, 4);
// One more of the model's notes (sn_model_note). model.c
sn_status si_model_add_note(sn_model *model, const char *text, sn_error *error);
// Removes all warnings and notes. model.c
void si_model_drop_texts(sn_model *model);
// Is it the vertex graph of a hull, in the layout of sinew/mesh.h, as far as climbing needs it?
// validate_assets.c
int si_is_hull_graph(int64_t nvert, int64_t ngraph, const int32_t *graph);

// Documented integers of named functions, types and kinds of objects, those of MuJoCo.
// Not found: the number of "user". core/model/enums.c
int32_t si_dynamics_number(const char *name);
int32_t si_gain_number(const char *name);
int32_t si_bias_number(const char *name);
int32_t si_sensor_number(const char *name);
int32_t si_object_number(const char *kind);   // "body" 1, "xbody" 2, "joint" 3 ...; 0: unknown
const char *si_object_kind(int32_t number);   // the way back; NULL: unknown

#endif
