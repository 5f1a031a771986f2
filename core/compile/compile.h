// SPDX-License-Identifier: Apache-2.0
//
// From a spec to a model, part by part. Each part measures (adds to the sizes) and then fills
// (writes its arrays); compile.c puts them in order. Elements are numbered anew: bodies depth
// first, what a body owns by body, both in the order of adding; pairs and exclusions by bodies;
// everything else in the order of adding.

#ifndef SI_COMPILE_COMPILE_H
#define SI_COMPILE_COMPILE_H

#include "host/limits.h"
#include "spec/spec.h"
#include "step/pipeline.h"

// Ids of one kind, in both directions.
typedef struct si_numbering {
  int64_t n;
  int32_t *spec;    // by id in the model
  int32_t *model;   // by id in the spec
} si_numbering;

// What files and plugins gave, until the model has it. mesh.h
typedef struct si_assets {
  int64_t nmesh, ntexture, nhfield;
  struct si_mesh_part *mesh;        // by id in the model
  struct si_mesh_result *texture;   // the pixels, as in the model; none where it is built in
  struct si_mesh_result *hfield;    // vert: heights, one number each; width x height
} si_assets;

typedef struct si_build {
  const sn_spec *given;   // as the caller made it
  sn_spec *spec;          // that is compiled: the same, or what compile_fuse.c left of it
  sn_engine *engine;
  sn_error *error;
  sn_model size;   // while measuring: only the sizes are used
  sn_model *m;     // while filling
  si_numbering number[SI_NELEMENTS];
  int32_t *body_last;    // nbody: the last dof that moves a body; -1: none
  int32_t *dof_parent;   // nv: the next dof towards the root
  si_assets assets;
  double bytes;           // taken for assets and arrays, beside those of the spec
  si_deadline deadline;   // when compiling must have ended
} si_build;

// Adds to the bytes of a build for the sake of an element (kind -1: of the whole), or refuses.
sn_status si_build_take(si_build *b, double bytes, int32_t kind, int64_t id);
// Would so many more be too much? Adds nothing: what is judged is taken later.
sn_status si_build_ahead(si_build *b, double bytes, int32_t kind, int64_t id);
// All that the file asked for until now: its definitions too.
double si_build_bytes(const si_build *b);

// ------------------------------------------------------------------ elements (compile.c)

// The definition of an element by its id in the model.
const void *si_build_def(const si_build *b, int32_t kind, int64_t id);
#define SI_DEF(b, kind, id) ((const sn_##kind##_def *)si_build_def(b, SI_ELEMENT_##kind, id))

// An error about an element of the model: "geom 'floor': ...", with its place.
sn_status si_build_fail(si_build *b, sn_status code, int32_t kind, int64_t id, const char *format,
                        ...) SN_PRINTF(5, 6);
#define SI_FAIL(b, kind, id, ...) si_build_fail(b, SN_ECOMPILE, SI_ELEMENT_##kind, id, __VA_ARGS__)
// A warning about an element, for the model's list.
sn_status si_build_warn(si_build *b, int32_t kind, int64_t id, const char *format, ...)
    SN_PRINTF(4, 5);
// Warns of a negative number that only makes sense from 0 on; other engines take it too.
sn_status si_build_warn_negative(si_build *b, int32_t kind, int64_t id, const char *what,
                                 double value);
// The same as si_build_fail for an error that a plugin has filled: says whose it is.
sn_status si_build_blame(si_build *b, sn_status code, int32_t kind, int64_t id);

// The id in the model of an element that another one refers to by name.
sn_status si_build_refer(si_build *b, int32_t kind, int64_t id, int32_t wanted, const char *name,
                         int32_t *out);
#define SI_REFER(b, kind, id, wanted, name, out) \
  si_build_refer(b, SI_ELEMENT_##kind, id, SI_ELEMENT_##wanted, name, out)
// Objects of any kind of a sensor or tuple: the kind is a word.
sn_status si_build_refer_word(si_build *b, int32_t kind, int64_t id, const char *word,
                              const char *name, int32_t *out);

// Whether an element is limited, by the field (SI_FIELD_*) of the LIMITED member. Where that is
// SN_AUTO, the range in the model and autolimits decide. The second also refuses an empty range
// that limits. member.c
sn_status si_build_limited(si_build *b, int32_t kind, int64_t id, int32_t field);
sn_status si_build_limit(si_build *b, int32_t kind, int64_t id, int32_t field);
// Copies the members that are rows of the model, where they are not empty. member.c
sn_status si_build_rows(si_build *b, int32_t kind, int64_t id);

// Chains of dofs, before the model exists: how many dofs move a body and were not marked with
// `mark` yet (stamp: nv); how many a joint has; how many move a point of a tendon's path.
int32_t si_build_mark_chain(const si_build *b, int32_t body, int32_t *stamp, int32_t mark);
int32_t si_build_joint_dofs(const si_build *b, int32_t joint);
sn_status si_build_tendon_room(si_build *b, int64_t i, int32_t *stamp, int32_t mark, int64_t *room);
// The kinds of a sensor's object and reference; NULL for none.
sn_status si_build_sensor_kinds(si_build *b, int64_t i, const char **object,
                                const char **reference);

// ------------------------------------------------------------------ parts

typedef sn_status si_build_part(si_build *b);

// Numbers all elements as the model will: b->number. tree.c
si_build_part si_compile_number;
si_build_part si_compile_member_measure, si_compile_member_fill;       // member.c
si_build_part si_compile_tree_measure, si_compile_tree_fill;           // compile_tree.c
// actuator_damping.c. Damping from damping ratios; d: the configuration qpos0.
sn_status si_compile_actuator_damping(si_build *b, const sn_data *d);
si_build_part si_compile_joint_fill, si_compile_joint_springs;         // compile_joint.c
si_build_part si_compile_geom_measure, si_compile_geom_fill;           // compile_geom.c
si_build_part si_compile_inertia_fill;                                 // compile_inertia.c
si_build_part si_compile_site_measure, si_compile_site_fill;           // compile_site.c
si_build_part si_compile_asset_measure, si_compile_asset_fill;         // compile_asset.c
si_build_part si_compile_mesh_measure, si_compile_mesh_fill;           // compile_mesh.c
si_build_part si_compile_hfield_measure, si_compile_hfield_fill;       // compile_hfield.c
si_build_part si_compile_skin_measure, si_compile_skin_fill;           // compile_skin.c
si_build_part si_compile_contact_measure, si_compile_contact_fill;     // compile_contact.c
si_build_part si_compile_equality_measure, si_compile_equality_fill;   // compile_equality.c
si_build_part si_compile_equality_poses;
si_build_part si_compile_tendon_measure, si_compile_tendon_fill;   // compile_tendon.c
si_build_part si_compile_tendon_springs;
si_build_part si_compile_actuator_measure, si_compile_actuator_fill;   // compile_actuator.c
si_build_part si_compile_actuator_lengths;                             // actuator_range.c
si_build_part si_compile_sensor_measure, si_compile_sensor_fill;   // compile_sensor.c
si_build_part si_compile_custom_measure, si_compile_custom_fill;   // compile_custom.c
si_build_part si_compile_key_measure, si_compile_key_fill;         // compile_key.c
si_build_part si_compile_name_measure, si_compile_name_fill;       // compile_name.c
si_build_part si_compile_statistic_fill;                           // compile_statistic.c

// The spec without what fusestatic and discardvisual take away; NULL: neither is asked for. The
// caller frees it. compile_fuse.c
sn_status si_compile_reduce(si_build *b, sn_spec **reduced);
// The spec in local coordinates; NULL: it is. The caller frees it. compile_global.c
sn_status si_compile_localize(si_build *b, sn_spec **local);
// The spec with geoms for the convex pieces of meshes that collide; NULL: none are selected, or no
// mesh needs any. The caller frees it. compile_pieces.c
sn_status si_compile_split(si_build *b, sn_spec **split);
// Measures, allocates and fills as far as the inertia of bodies. compile.c
sn_status si_build_to_inertia(si_build *b);
// sn_compile that also hands over the numbering, SI_NELEMENTS of them, to be freed by
// si_numbering_free; number NULL: nobody asks. compile.c
sn_model *si_compile_numbered(sn_spec *spec, si_numbering *number, sn_error *error);
void si_numbering_free(si_numbering *number);
// Frees the numbering and the model of a build that goes no further. compile.c
void si_build_clear(si_build *b);

// Everything that is known of the configuration qpos0: set0.c
sn_status si_compile_set0(si_build *b);

// lengthrange.c. The lengths that n actuators of a bound model can reach, by simulation, on several
// threads if the compiler may: into actuator_lengthrange. *failed: the first that has none.
sn_status si_lengthrange_find(sn_model *m, const sn_compiler *c, const si_deadline *deadline,
                              int64_t n, const int32_t *actuator, int64_t *failed, sn_error *error);

// ------------------------------------------------------------------ geometry

// orient.c. The unit quaternion of an orientation; NULL, or what is wrong with it.
const char *si_orient_quat(const sn_orient *orient, const sn_compiler *compiler, double *quat);
// Is one of the alternatives to quat given?
int si_orient_given(const sn_orient *orient);
// orient.c. Frame and size of a shape whose z axis goes along a segment. NULL, or what is wrong.
const char *si_orient_fromto(const double *fromto, int32_t type, double *pos, double *quat,
                             double *size);

// inertia_of.c. Volume, and principal moments of a mass, of a geom type with a size.
double si_shape_volume(int32_t type, const double *size);
void si_shape_inertia(int32_t type, const double *size, double mass, double *inertia);
// Evaluates a stage of qpos0 under guard, so that exhausted memory is an error with its reason.
// set0.c
sn_status si_compile_evaluate(si_stage_fn *stage, const sn_model *m, sn_data *d, void *context,
                              sn_error *error);
// The twelve numbers of geom_fluid of an ellipsoid. compile_fluid.c
void si_fluid_numbers(int32_t type, const double *size, const double *coef, double *out);

// texture.c. Pixels (3 bytes each, rows from the top) of a built-in texture.
void si_texture_builtin(const sn_texture_def *def, int32_t width, int32_t height, uint8_t *rgb);

#endif
