// SPDX-License-Identifier: Apache-2.0
//
// Shared by the files of this folder: the constant part of collision, candidates, sorting.

#ifndef SI_CONTACT_COLLISION_H
#define SI_CONTACT_COLLISION_H

#include "contact/bvh.h"
#include "contact/contact.h"
#include "sinew/math.h"

// Bounding volumes are wider by this part: rounding must not part what just touches.
static const double si_bounds_slack = 1e-10;

// Keeps friction cones from degenerating.
static const double si_min_friction = 1e-5;

// Bounded geoms that move as one; in the frame of the body that carries them.
typedef struct si_rigid {
  int32_t carrier;   // 0: they never move
  int32_t n;
  int32_t *geom;                  // ascending
  double center[3], radius;       // a sphere around all
  int32_t contype, conaffinity;   // bits that any of them has
  int32_t has_partner;            // may collide with another part, see si_rigid_new
  si_bvh tree;                    // of many, and of those that never move
} si_rigid;

// What the filters ask about one geom.
typedef struct si_filter_geom {
  int32_t type, body;
  int32_t weld;     // body_weldid of the body: geoms with one weld never move against each other
  int32_t parent;   // weld of the parent of the weld; -1: the world, which filters nothing
  int32_t contype, conaffinity;
  int32_t excluded;   // the body is in an exclude element
  int32_t paired;     // the geom is in an explicit pair
} si_filter_geom;

struct si_broadphase {
  int64_t nrigid;   // by their carriers: what never moves is first, when there is such
  si_rigid *rigid;
  int32_t any_partner;   // of some part
  int64_t nbounded;   // bounded geoms that may collide, by their parts
  int32_t *bounded;
  int64_t nunbounded;   // planes and the like
  int32_t *unbounded;
  si_filter_geom *filter;   // ngeom
  sn_shape *shape;          // ngeom; pos and mat are those of a simulation
  int64_t nexclude;
  uint64_t *exclude;   // body pairs, ascending
  int64_t npaired;
  uint64_t *paired;   // geom pairs, ascending
};

// A pair of geoms to collide: types ascending, then ids.
typedef struct si_candidate {
  int32_t geom1, geom2;
  int32_t pair;   // explicit pair; -1: dynamic
  int32_t reserved;
  double margin;
} si_candidate;

// Candidates of one step, in the scratch arena; grows.
typedef struct si_candidates {
  si_arena *arena;
  si_candidate *at;
  int64_t n, capacity;
} si_candidates;

// Two ids as one number that sorts by the lower, then by the higher.
static inline uint64_t si_pair_key(int32_t a, int32_t b) {
  uint32_t lo = (uint32_t)(a < b ? a : b), hi = (uint32_t)(a < b ? b : a);
  return (uint64_t)lo << 32 | hi;
}

// broadphase.c. All candidates of the present positions, in no promised order.
void si_candidates_find(const sn_model *m, sn_data *d, si_candidates *out);
void si_candidates_add(si_candidates *list, si_candidate candidate);

// A sphere around a part that moves, with the margins of its geoms; broadphase.c.
void si_part_sphere(const sn_model *m, const sn_data *d, const si_rigid *part, double *center,
                    double *reach);
static inline int si_part_asleep(const sn_data *d, const si_rigid *part) {
  return d->body_asleep[part->carrier];
}

// sleeping_parts.c. A tree over the parts that sleep, whose items are their indices; NULL: there is
// no memory for it.
const si_bvh *si_sleeping_parts(const sn_model *m, sn_data *d);

// No geom of one part may collide with one of the other: most pairs of soft bodies and of robots
// end here, before their spheres are read.
static inline int si_excluded_by_masks(int32_t contype1, int32_t conaffinity1, int32_t contype2,
                                       int32_t conaffinity2) {
  return !((contype1 & conaffinity2) | (contype2 & conaffinity1));
}

// rigid_part.c. A part without a partner can be left out while SN_DISABLE_FILTERPARENT is not set.
sn_status si_rigid_new(const sn_model *m, struct si_broadphase *b, sn_error *error);
void si_rigid_free(struct si_broadphase *b);

// filter.c
sn_status si_filter_new(const sn_model *m, struct si_broadphase *b, sn_error *error);
// Whether geoms of the rigid parts of these two may collide at all (filter 3).
int si_filter_parts(const sn_model *m, const struct si_broadphase *b, int32_t geom1, int32_t geom2);
// Whether the dynamic mechanism wants to collide two geoms, wherever they are (filters 3, 4).
int si_filter_wants(const sn_model *m, const struct si_broadphase *b, int32_t geom1, int32_t geom2);
// The same, and some collider supports them (filter 1).
int si_filter_kinds(const sn_model *m, const struct si_broadphase *b, int32_t geom1, int32_t geom2);
// Whether their bounding volumes are within the margin (filter 2).
int si_filter_bounds(const sn_model *m, const sn_data *d, int32_t geom1, int32_t geom2,
                     double margin);
// Asks the filters that are plugins; takes out what one of them rejects.
sn_status si_filter_select(const sn_model *m, const sn_data *d, si_worker *w, si_candidates *list);

// modify.c: lets the plugins that modify contacts change those of the data.
sn_status si_contact_modify(const sn_model *m, sn_data *d, si_worker *w);

// contact_params.c
typedef struct si_contact_params {
  double includemargin, speculative;
  double friction[5], solref[2], solimp[5], restitution;
  int32_t dim;
} si_contact_params;
double si_mix_margin(const sn_model *m, int32_t geom1, int32_t geom2, int32_t pair);
// The distance up to which contact points are computed: the margin, and how far to look ahead; of
// a geom, and of two.
static inline int si_is_override(const sn_model *m) {
  return (m->opt.enableflags & SN_ENABLE_OVERRIDE) != 0;
}
static inline double si_geom_reach(const sn_model *m, int32_t geom) {
  const double margin = si_is_override(m) ? m->opt.o_margin : m->geom_margin[geom];
  return margin + m->geom_speculative[geom];
}
double si_mix_reach(const sn_model *m, int32_t geom1, int32_t geom2, int32_t pair);
void si_mix(const sn_model *m, const si_candidate *candidate, si_contact_params *out);

// sort.c. Ascending by (a, b); equal ones keep their order. work: n.
typedef struct si_sort_key {
  uint64_t a, b;
  int64_t index;
} si_sort_key;
void si_sort_keys(si_sort_key *keys, si_sort_key *work, int64_t n);
// Puts the `count` least keys first, in any order. work: n.
void si_select_keys(si_sort_key *keys, si_sort_key *work, int64_t n, int64_t count);
uint64_t si_sort_bits(double x);   // orders as x does; NaN is last

// A geom of a simulation as colliders see it.
static inline sn_shape si_geom_shape(const sn_model *m, const sn_data *d, int64_t geom) {
  sn_shape shape = m->bound.broadphase->shape[geom];
  shape.pos = d->geom_xpos + 3 * geom;
  shape.mat = d->geom_xmat + 9 * geom;
  return shape;
}

#endif
