// SPDX-License-Identifier: Apache-2.0
//
// A model and a simulation of it, for the kinds whose operations are called within a simulation. It
// is made in code and needs no other plugin:
//
//   world -- base (free) -- arm (ball) -- hand (hinge)      boxes, capsules, spheres, a plane,
//        |               `- slider (slide)                  sites, a camera, two tendons, five
//        |- cart (slide) -- pole (hinge)                    motors, a keyframe, user data
//        `- target (mocap)
//
// It also has sensors, and an element of every other kind that a provider may name.
//
// The world of pendulums has two hinges and an activation that decays, the world of the top a ball
// joint, and nothing else: integrators are bound to them.
//
// The floating world has a free joint in place of the first slide, and neither plane nor target, so
// that nothing connects base and cart with the ground; free joints have no springs and dampers.
//
// The jointed world has a slide with a hinge on it and the two tendons, and nothing else.

#ifndef SINEW_CONFORMANCE_WORLD_H
#define SINEW_CONFORMANCE_WORLD_H

#include "conformance/kit.h"

enum { KIT_MOST_FIELDS = 512 };   // of a model, and of a simulation

// The fields of a model or of a simulation as operations get them: copies, with guards around each.
// What is read from a guard is no number, or an index that leads to another guard.
typedef struct kit_copies {
  unsigned char *memory;
  size_t bytes;
  int n;
  struct kit_copy {
    const char *name;
    unsigned char *p;
    size_t bytes, guard;   // guard: before and behind
    int32_t type, index;   // SN_REAL ...; in the table of pointers of the view
  } field[KIT_MOST_FIELDS];
} kit_copies;

enum { KIT_WORLD, KIT_FLOATING, KIT_PENDULUMS, KIT_TOP, KIT_JOINTED };
typedef struct kit_world {
  sn_engine *engine;   // of its own, with nothing but what the model needs
  sn_model *model;
  sn_data *data;
  int kind;            // KIT_WORLD ...
  sn_model_view model_view;
  sn_data_view data_view;
  const void *model_fields[KIT_MOST_FIELDS], *data_fields[KIT_MOST_FIELDS];
  kit_copies model_copies, data_copies;
} kit_world;

// Makes a world. attributes: NULL, or the attributes with which the model has the provider that is
// tested, lines "key=value"; the provider is registered in the engine of the world then, and always
// if it is a passive force that implements parameters of models, which the model then has. False on
// failure; the reason is in `error`. To be freed in either case.
int kit_world_new(kit *k, kit_world *world, const char *attributes, sn_error *error);
// One of the others, without the provider.
int kit_world_new_kind(kit *k, kit_world *world, int kind, sn_error *error);
void kit_world_free(kit_world *world);
// The engine of a world: with what its models need, and with the provider or without. NULL on
// failure, with the reason in `error`.
sn_engine *kit_world_engine(const kit *k, int with_provider, sn_error *error);

// Draws positions, velocities, controls and time at random and computes what depends on them.
void kit_world_move(kit *k, kit_world *world);
// Draws velocities and controls only, and computes what depends on them.
void kit_world_push(kit *k, kit_world *world);
// Draws controls only, and computes what depends on them.
void kit_world_pull(kit *k, kit_world *world);
// Computes what depends on the present state.
void kit_world_look(kit_world *world);

// Sets the table of fields of the view to copies of what the model or the simulation has now.
void kit_world_see_model(kit_world *world);
void kit_world_see_data(kit_world *world);
// What is in the guards: no numbers, and indexes -1; zeros; large numbers, and indexes 1, since a
// comparison such as x > 0.5 is as false for what is no number as it is for 0.
enum { KIT_GUARD_NONE, KIT_GUARD_ZEROS, KIT_GUARD_LARGE, KIT_NGUARDS };
void kit_world_guard(const kit_world *world, int filling);

// Several states of a world side by side, as operations get them that work on several simulations:
// number i of state k of a field of real numbers is number i * width + k; integers are those of the
// last state.
typedef struct kit_lanes {
  int64_t width;   // set by the caller, the rest zero
  sn_data_view view;
  const void *fields[KIT_MOST_FIELDS];
  double *reals[KIT_MOST_FIELDS];   // of those of real numbers
} kit_lanes;
// Makes the present state of the world one of them. False: there is no memory.
int kit_world_to_lane(const kit_world *world, kit_lanes *lanes, int64_t lane);
void kit_lanes_free(kit_lanes *lanes);

// ------------------------------------------------------------------ attributes

// The ways in which the kit sets the attributes of a provider.
enum {
  KIT_DEFAULTS = 0,   // as declared; what has no default names the first element
  KIT_NAMED = 1,      // references, and texts such as "geom1" and "site", name the first elements
  KIT_BRANCHED = 2,   // others, in different branches of the tree
  KIT_DRAWN = 3,      // also numbers, at random
  KIT_NUMBERS = 4,    // numbers at random, the rest as declared: where KIT_DRAWN is rejected
  KIT_NWAYS = 5
};

enum { KIT_MOST_ATTRIBUTES = 32, KIT_MOST_NUMBERS = 64 };
typedef struct kit_attributes {
  sn_value values[KIT_MOST_ATTRIBUTES];
  double numbers[KIT_MOST_NUMBERS];
  char text[2048], lines[2048];   // values as written; "key=value" of all attributes
} kit_attributes;

// Sets the attributes of a table (NULL: none) in one of the ways. False: the same as in the way
// before, too many attributes, or an attribute must name an element of a kind that the world lacks.
int kit_attributes_set(kit *k, const kit_world *world, const sn_param *table, int way,
                       kit_attributes *out);

// The operations `bind` and `unbind` of the kinds that models name.
typedef struct kit_binding {
  const sn_param *attributes;
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);
} kit_binding;
typedef void kit_bound_test(kit *k, kit_world *world, const void *bound,
                            const kit_attributes *attributes, void *context);

// Binds the provider to a world with the attributes set in each way, and calls the test for each
// that succeeds. Reports errors without a message, and if nothing could be bound. Returns the
// number of tests.
int kit_bind_each(kit *k, const kit_binding *binding, kit_bound_test *test, void *context);
// The same with another kind of world; it reports nothing if nothing could be bound.
int kit_bind_kind(kit *k, int kind, const kit_binding *binding, kit_bound_test *test,
                  void *context);

#endif
