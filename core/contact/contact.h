// SPDX-License-Identifier: Apache-2.0
//
// From posed geoms to contacts: candidate pairs (broadphase.c), filters (filter.c), colliders by
// batches of one pair of types (narrowphase.c), parameters of the contacts (contact_params.c),
// changes by contact modifiers (modify.c).

#ifndef SI_CONTACT_CONTACT_H
#define SI_CONTACT_CONTACT_H

#include "data/data.h"
#include "model/element.h"

// What can be known before the first step: which geoms never move, which pairs are excluded.
// After the fields of the model, mesh_view and hfield_view are made.
sn_status si_broadphase_new(const sn_model *m, struct si_broadphase **out, sn_error *error);
void si_broadphase_free(struct si_broadphase *broadphase);

// Empties the results of the step, then fills ncon and the contact_* fields. The order of contacts
// depends on nothing but the geoms: ascending by (body pair, geom pair, explicit pairs first,
// touch). SN_EPLUGIN when a collider fails or returns nonsense: the text is in d->error.
sn_status si_collide(const sn_model *m, sn_data *d, si_worker *w);

// How far beyond its margin a contact still stops the geoms before they pass through each other.
// contact_params.c
double si_mix_speculative(const sn_model *m, int32_t geom1, int32_t geom2);

extern const sn_ray_service si_ray_service_table;   // ray.c

// distance.c. A stage: the distance of two geoms that exist, and where it is below the limit the
// nearest points of them, which else stay as they are.
typedef struct si_distance_query {
  int32_t geom1, geom2;
  double limit, distance, fromto[6];
} si_distance_query;
sn_status si_find_distance(const sn_model *m, sn_data *d, si_worker *w, void *query);

// "geom 'floor'" or "geom 3"; returns out. narrowphase.c
enum { SI_GEOM_TITLE = SI_MODEL_TITLE };
const char *si_geom_title(const sn_model *m, int64_t geom, char out[SI_GEOM_TITLE]);

#endif
