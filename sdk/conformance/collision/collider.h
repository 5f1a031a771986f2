// SPDX-License-Identifier: Apache-2.0
//
// What the two files that test colliders share: scenes of posed pairs, the contact points that a
// collider computes for a scene, and the largest error found for each requirement, with its pair.

#ifndef SINEW_CONFORMANCE_COLLIDER_H
#define SINEW_CONFORMANCE_COLLIDER_H

#include "conformance/calls.h"
#include "shapes.h"

enum { PAIRS = 64 };

static const double reach = 0.05;            // margin of the pairs, m
static const double form_tolerance = 1e-9;   // unit normals, closed forms
// a penetration is shallow up to this fraction of the smallest size; for deeper ones of general
// convex shapes the contact normal is not unique
static const double shallow = 0.1;

typedef struct scene {
  sn_shape first[PAIRS], second[PAIRS];
  pose first_pose[PAIRS], second_pose[PAIRS];
  double margin[PAIRS];
  int general;   // the collider lists the pair as "convex", or a shape is of a plugin
} scene;

// The contact points that a collider computed.
typedef struct answer {
  sn_status status;
  int64_t count;
  sn_contact_point *point;
  int32_t number[PAIRS];    // of contact points
  int32_t deepest[PAIRS];   // index of the deepest one; -1: none
  int32_t alone[PAIRS];     // the same, or -1 if another one is about as deep
} answer;

// The largest error of a requirement, and where it occurred.
typedef struct worst {
  double value;
  char where[224];
} worst;

typedef struct results {
  int pairs, npoint, failed, not_more;
  int known, declined;   // pairs with shapes of plugins that it computed, and declined
  char refused[224];     // it failed instead of declining such a pair
  kit_calls calls;
  worst form, closed, moved, moved_normal, swapped, swapped_normal;   // collider.c
  worst depth, normal, position, jump, degenerate, distance, points, ray;   // collider_truth.c
} results;

// collider.c. Random pairs whose centers are 0.3 to 1.2 mean radii apart: penetrating deeply, close
// to contact, or separated.
void make_scene(kit *k, scene *sc, int type1, int type2);
// Calls the collider for a scene, with a list of this capacity. The caller frees a->point.
void run_batch(kit *k, const scene *sc, int swap, int64_t capacity, answer *a);
int64_t capacity_of(const kit *k);
// Stores an error that is larger than the present one; pair -1: it belongs to no single pair.
void update_worst(worst *w, const scene *sc, int pair, double value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Reports a requirement: failed if the largest error exceeds `allowed`, with its pair; otherwise
// the text `passed` and the error.
void report_worst(kit *k, const char *requirement, const worst *w, double allowed,
                  const char *passed);
void check_form(kit *k, const scene *sc, const answer *a, worst *w);

// collider_truth.c. The requirements that are tested against reference values.
void test_truth(kit *k, int type1, int type2, int general, results *v);

void report_truth(kit *k, const results *v);

#endif
