// SPDX-License-Identifier: Apache-2.0
//
// From a spec to a model, part by part. Each part measures (adds to the sizes) and then fills
// (writes its arrays); compile.c puts them in order. Elements are numbered anew: bodies depth
// first, what a body owns by body, both in the order of adding; pairs and exclusions by bodies;
// everything else in the order of adding.

#ifndef SI_COMPILE_COMPILE_H
#define SI_COMPILE_COMPILE_H

#include "assets/assets.h"
#include "step/pipeline.h"

// ------------------------------------------------------------------ elements (compile.c)

// Warns of a negative number that only makes sense from 0 on; other engines take it too.
sn_status si_build_warn_friction(si_build *b, int32_t kind, int64_t id, const double *friction,
                                 int n);
sn_status si_build_warn_negative(si_build *b, int32_t kind, int64_t id, const char *what,
                                 double value);

// Whether an element is limited, by the field (SI_FIELD_*) of the LIMITED member. Where that is
// SN_AUTO, the range in the model and autolimits decide. The second also rejects an empty range
// that limits. member.c
sn_status si_build_limited(si_build *b, int32_t kind, int64_t id, int32_t field);
sn_status si_build_limit(si_build *b, int32_t kind, int64_t id, int32_t field);
// Reports the range, as written, of an element that is limited.
sn_status si_build_empty_range(si_build *b, int32_t kind, int64_t id, int32_t field,
                               const double *range);
// Copies the members that are rows of the model, where they are not empty. member.c
sn_status si_build_rows(si_build *b, int32_t kind, int64_t id);

// Chains of dofs, before the model exists: how many dofs move a body and were not marked with
// `mark` yet (stamp: nv); how many a joint has; how many move a point of a tendon's path.
int32_t si_build_mark_chain(const si_build *b, int32_t body, int32_t *stamp, int32_t mark);
int32_t si_build_joint_dofs(const si_build *b, int32_t joint);
sn_status si_build_tendon_capacity(si_build *b, int64_t i, int32_t *stamp, int32_t mark,
                                   int64_t *capacity);
// The kinds of a sensor's object and reference; NULL for none.
sn_status si_build_sensor_kinds(si_build *b, int64_t i, const char **object,
                                const char **reference);

// ------------------------------------------------------------------ parts

// Numbers all elements as the model will: b->number. tree.c
si_build_part si_compile_number;
si_build_part si_compile_member_measure, si_compile_member_fill;       // member.c
si_build_part si_compile_tree_measure, si_compile_tree_fill;           // tree.c
// key.c. Keyframes without activations have those of a reset, which are known after binding.
void si_compile_key_activations(si_build *b);
// actuator_damping.c. Damping from damping ratios; d: the configuration qpos0.
sn_status si_compile_actuator_damping(si_build *b, const sn_data *d);
si_build_part si_compile_joint_fill, si_compile_joint_springs;         // joint.c
si_build_part si_compile_geom_measure, si_compile_geom_fill;           // geom.c
si_build_part si_compile_inertia_fill;                                 // inertia.c
si_build_part si_compile_site_measure, si_compile_site_fill;           // site.c
si_build_part si_compile_asset_measure, si_compile_asset_fill;         // asset.c
si_build_part si_compile_contact_measure, si_compile_contact_fill;     // contact.c
si_build_part si_compile_equality_measure, si_compile_equality_fill;   // equality.c
si_build_part si_compile_equality_poses;
si_build_part si_compile_tendon_measure, si_compile_tendon_fill;   // tendon.c
si_build_part si_compile_tendon_springs;
si_build_part si_compile_rows_fill;   // rows of M; tree.c
si_build_part si_compile_actuator_measure, si_compile_actuator_fill;   // actuator.c
si_build_part si_compile_actuator_lengths;                             // actuator_range.c
si_build_part si_compile_sensor_measure, si_compile_sensor_fill,
    si_compile_sensor_sizes;                                      // sensor.c
si_build_part si_compile_custom_measure, si_compile_custom_fill;   // custom.c
si_build_part si_compile_key_measure, si_compile_key_fill;         // key.c
si_build_part si_compile_name_measure, si_compile_name_fill;       // name.c
si_build_part si_compile_statistic_fill;                           // statistic.c

// The spec without what fusestatic and discardvisual remove; NULL: neither is set. The caller
// frees it. fuse.c
sn_status si_compile_reduce(si_build *b, sn_spec **reduced);
// The spec in local coordinates; NULL: it already is. The caller frees it. global.c
sn_status si_compile_localize(si_build *b, sn_spec **local);
// Measures, allocates and fills as far as the inertia of bodies. compile.c
sn_status si_build_to_inertia(si_build *b);
// sn_compile that also returns the numbering, SI_NELEMENTS of them, to be freed with
// si_numbering_free; number may be NULL. compile.c
sn_model *si_compile_numbered(sn_spec *spec, si_numbering *number, sn_error *error);
// The operation inertia of sn_builder. spec_inertia.c
sn_status si_spec_inertia(sn_spec *spec, double *mass, double *ipos, double *iquat, double *moments,
                          sn_error *error);
// Frees the numbering and the model of a build that goes no further. compile.c
void si_build_clear(si_build *b);

// Everything that is known of the configuration qpos0: set0.c
sn_status si_compile_set0(si_build *b);
// The same for an edited model, without a spec: only what follows from its arrays. b: engine,
// model, deadline and error. data: of the model, in its reset state, with nv zeros, to compute in;
// NULL, both: they are allocated.
sn_status si_recompute_set0(si_build *b, sn_data *data, double *zeros);
// body_subtreemass. inertia.c
void si_subtree_masses(sn_model *m);

// lengthrange.c. The lengths that n actuators of a bound model can reach, by simulation, on several
// threads if the compiler may: into actuator_lengthrange. *failed: the first that has none.
sn_status si_lengthrange_find(sn_model *m, const sn_compiler *c, const si_deadline *deadline,
                              int64_t n, const int32_t *actuator, int64_t *failed, sn_error *error);

// ------------------------------------------------------------------ geometry

// geom.c. The radius of the bounding sphere; 0: none, it is unbounded.
double si_geom_bound(int32_t type, const double *size);
// inertia_of.c. Volume, and principal moments of a mass, of a geom type with a size.
double si_shape_volume(int32_t type, const double *size);
void si_shape_inertia(int32_t type, const double *size, double mass, double *inertia);
// Evaluates a stage of qpos0 under guard, so that exhausted memory is an error with its reason.
// set0.c
sn_status si_compile_evaluate(si_stage_fn *stage, const sn_model *m, sn_data *d, void *context,
                              sn_error *error);
// The twelve numbers of geom_fluid of an ellipsoid. fluid.c
void si_fluid_numbers(int32_t type, const double *size, const double *coef, double *out);

#endif
