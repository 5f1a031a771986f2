// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: the constant part of collision, candidates, sorting.

#ifndef SN_CONTACT_COLLISION_H
#define SN_CONTACT_COLLISION_H

#include "contact/contact.h"
#include "sinew/math.h"

// Bounding volumes are wider by this part: rounding must not part what just touches.
static const double sn_bounds_slack = 1e-10;

// A node of a tree over geoms of one part: an inner node has its children at `first` and
// `first + 1`, a leaf (count > 0) has the geoms item[first] ... item[first + count - 1].
typedef struct sn_bvh_node {
  double lo[3], hi[3];   // holds the bounding spheres, in the part's frame
  int32_t first;
  int32_t count;   // 0: inner node
} sn_bvh_node;

typedef struct sn_bvh {
  int32_t nnode, nitem;
  sn_bvh_node *node;   // root first; none when there are no items
  int32_t *item;
} sn_bvh;

// Bounded geoms that move as one; in the frame of the body that carries them.
typedef struct sn_rigid {
  int32_t carrier;   // 0: they never move
  int32_t n;
  int32_t *geom;              // ascending
  double center[3], radius;   // a sphere around all
  sn_bvh tree;                // of many, and of those that never move
} sn_rigid;

// What the filters ask about one geom.
typedef struct sn_filter_geom {
  int32_t type, body;
  int32_t weld;     // body_weldid of the body: geoms with one weld never move against each other
  int32_t parent;   // weld of the parent of the weld; -1: the world, which filters nothing
  int32_t contype, conaffinity;
  int32_t excluded;   // the body is in an exclude element
  int32_t paired;     // the geom is in an explicit pair
} sn_filter_geom;

struct sn_broadphase {
  int64_t nrigid;   // by their carriers: what never moves is first, when there is such
  sn_rigid *rigid;
  int64_t nbounded;   // bounded geoms that may collide, by their parts
  int32_t *bounded;
  int64_t nunbounded;   // planes and the like
  int32_t *unbounded;
  sn_filter_geom *filter;   // ngeom
  sn_shape *shape;          // ngeom; pos and mat are those of a simulation
  int64_t nexclude;
  uint64_t *exclude;   // body pairs, ascending
  int64_t npaired;
  uint64_t *paired;   // geom pairs, ascending
};

// A pair of geoms to collide: types ascending, then ids.
typedef struct sn_candidate {
  int32_t geom1, geom2;
  int32_t pair;   // explicit pair; -1: dynamic
  int32_t reserved;
  double margin;
} sn_candidate;

// Candidates of one step, in the scratch arena; grows.
typedef struct sn_candidates {
  sn_arena *arena;
  sn_candidate *at;
  int64_t n, capacity;
} sn_candidates;

// Two ids as one number that sorts by the lower, then by the higher.
static inline uint64_t sn_pair_key(int32_t a, int32_t b) {
  uint32_t lo = (uint32_t)(a < b ? a : b), hi = (uint32_t)(a < b ? b : a);
  return (uint64_t)lo << 32 | hi;
}

// broadphase.c. All candidates of the present positions, in no promised order.
void sn_candidates_find(const sn_model *m, const sn_data *d, sn_candidates *out);
void sn_candidates_add(sn_candidates *list, sn_candidate candidate);

// rigid.c
sn_status sn_rigid_new(const sn_model *m, struct sn_broadphase *b, sn_error *error);
void sn_rigid_free(struct sn_broadphase *b);

// filter.c
sn_status sn_filter_new(const sn_model *m, struct sn_broadphase *b, sn_error *error);
// Whether geoms of the rigid parts of these two may collide at all (filter 3).
int sn_filter_parts(const sn_model *m, const struct sn_broadphase *b, int32_t geom1, int32_t geom2);
// Whether the dynamic mechanism wants to collide two geoms, wherever they are (filters 3, 4).
int sn_filter_wants(const sn_model *m, const struct sn_broadphase *b, int32_t geom1, int32_t geom2);
// The same, and some collider serves them (filter 1): whether it may.
int sn_filter_kinds(const sn_model *m, const struct sn_broadphase *b, int32_t geom1, int32_t geom2);
// Whether their bounding volumes are within the margin (filter 2).
int sn_filter_bounds(const sn_model *m, const sn_data *d, int32_t geom1, int32_t geom2,
                     double margin);
// Asks the filters that are plugins; takes out what one of them refuses.
sn_status sn_filter_select(const sn_model *m, sn_data *d, sn_candidates *list);

// mixing.c
typedef struct sn_contact_params {
  double includemargin;
  double friction[5], solref[2], solimp[5];
  int32_t dim;
} sn_contact_params;
double sn_mix_margin(const sn_model *m, int32_t geom1, int32_t geom2, int32_t pair);
void sn_mix(const sn_model *m, const sn_candidate *candidate, sn_contact_params *out);

// bvh.c. The arrays of box are n x 6 (lo, hi); item: what the tree is over, n.
sn_status sn_bvh_new(sn_bvh *bvh, int32_t n, const int32_t *item, const double *box,
                     sn_error *error);
void sn_bvh_free(sn_bvh *bvh);
// Calls visit(context, item) for each item of a leaf whose box meets the box lo, hi.
void sn_bvh_query(const sn_bvh *bvh, const double *lo, const double *hi,
                  void (*visit)(void *context, int32_t item), void *context);

// sort.c. Ascending by (a, b); equal ones keep their order. work: n.
typedef struct sn_sort_key {
  uint64_t a, b;
  int64_t index;
} sn_sort_key;
void sn_sort_keys(sn_sort_key *keys, sn_sort_key *work, int64_t n);
uint64_t sn_sort_bits(double x);   // orders as x does; NaN is last

// A geom of a simulation as colliders see it.
static inline sn_shape sn_geom_shape(const sn_model *m, const sn_data *d, int64_t geom) {
  sn_shape shape = m->broadphase->shape[geom];
  shape.pos = d->geom_xpos + 3 * geom;
  shape.mat = d->geom_xmat + 9 * geom;
  return shape;
}

#endif
