// SPDX-License-Identifier: Apache-2.0
//
// What the two files that judge colliders share: scenes of posed pairs, a collider's answer to one,
// and the worst that was found of each law, with the pair and the numbers.

#ifndef SINEW_CONFORMANCE_TOUCHING_H
#define SINEW_CONFORMANCE_TOUCHING_H

#include "shapes.h"

enum { PAIRS = 64 };

static const double reach = 0.05;            // margin of the pairs, m
static const double form_tolerance = 1e-9;   // unit normals, closed forms
// deeper overlaps of general convex shapes have no unique answer; of the smallest size
static const double shallow = 0.1;

typedef struct scene {
  sn_shape first[PAIRS], second[PAIRS];
  pose first_pose[PAIRS], second_pose[PAIRS];
  double margin[PAIRS];
  int general;   // of a collider for every convex pair
} scene;

// What a collider said of each pair.
typedef struct answer {
  sn_status status;
  int64_t count;
  sn_contact_point *touch;
  int32_t number[PAIRS];    // touches
  int32_t deepest[PAIRS];   // index of the deepest; -1: none
  int32_t alone[PAIRS];     // the same; -1 also when others are about as deep
} answer;

// The worst that was found: how bad, and of which pair.
typedef struct worst {
  double value;
  char where[224];
} worst;

typedef struct verdicts {
  int pairs, touches, failed, unequal, misfits;
  worst form, closed, moved, moved_normal, swapped, swapped_normal;   // collider.c
  worst depth, jump, degenerate, distance, points, ray;               // collider_truth.c
} verdicts;

// collider.c. Random pairs at a distance of 0.3 to 1.2 mean radii: some deep, some near, some
// apart.
void make_scene(kit *k, scene *sc, int type1, int type2);
// Asks for the touches of a scene, with room for `capacity`. Free touch.
void ask(kit *k, const scene *sc, int swap, int64_t capacity, answer *a);
int64_t room_of(const kit *k);
// Keeps a value that is worse than what is there, or none; pair -1: of no single pair.
void keep_worst(worst *w, const scene *sc, int pair, double value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Says a law: broken when the worst is above what is allowed, with its pair; else `kept` and the
// figure.
void say_worst(kit *k, const char *law, const worst *w, double allowed, const char *kept);
void check_form(kit *k, const scene *sc, const answer *a, worst *w);

// collider_truth.c. The laws that need to know the truth about a pair of types.
void judge_truth(kit *k, int type1, int type2, int general, verdicts *v);

void say_truth(kit *k, const verdicts *v);

#endif
