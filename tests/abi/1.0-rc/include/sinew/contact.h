// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.contact/draft: contact modifiers. They change the contacts that collision detection
// found, before these become constraint rows: friction, solver parameters, the velocity of a
// surface (conveyor belts), and which contact points count (one-way platforms).
//
// This kind is a draft: it may change in every minor version. A plugin that uses it must be
// compiled for the version of Sinew that loads it.
//
//   geoms --> colliders --> contact points, parameters mixed from the two geoms
//         --> modifiers, in order --> contact_* fields of the data --> constraint rows
//
// Modifiers that act in every model are called first, in the order of registration, then those that
// the model names, in its order. Each gets the contacts as the previous ones have changed them.
// Inverse dynamics calls them as forward dynamics does.

#ifndef SINEW_CONTACT_H
#define SINEW_CONTACT_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_CONTACT "sinew.contact/draft"

enum {                    // sn_ops.flags
  SN_CONTACT_NAMED = 1    // acts only in models that name it; otherwise in every model
};

// All contacts of one evaluation, in their final order: ascending by pair of bodies, then by pair
// of geoms. Arrays have one row for each contact. Positions and axes are global.
typedef struct sn_contacts {
  uint32_t size;
  uint32_t reserved;
  int64_t n;              // at least 1
  const int32_t *geom1;   // n
  const int32_t *geom2;   // n
  const double *pos;      // n x 3, m: midpoint between the surfaces
  const double *frame;    // n x 9, rows: normal from geom 1 to geom 2, two tangents
  const double *dist;     // n, m; negative: penetration

  // The members from here on may be changed. They have the values that follow from the parameters
  // of the two geoms, or those that earlier modifiers wrote.
  double *margin;         // n, m: contact_includemargin, active below this distance
  double *friction;       // n x 5: 2 sliding, 1 torsional (m), 2 rolling (m); at least 1e-5 is used
  double *solref;         // n x 2
  double *solimp;         // n x 5
  int32_t *dim;           // n: 1, 3, 4 or 6; friction acts along the first dim - 1 directions
  // n x 5, 0 at first: the velocity of geom 2 relative to geom 1 at which friction vanishes, in the
  // directions of friction: m/s along the first and second tangent, rad/s about the normal and
  // about the first and second tangent. For a conveyor belt that is geom 1 and moves with the
  // global velocity u, these are the products of u with each tangent; if the belt is geom 2,
  // their negatives.
  double *velocity;
  int32_t *keep;          // n, 1 at first. 0: the contact is removed, after this modifier
  double *restitution;    // n, 0 to 1: ratio of the normal speeds after and before a bounce
} sn_contacts;
SN_LAYOUT(sn_contacts, 120);

// The operations of a contact modifier.
typedef struct sn_contact_ops {
  sn_ops head;
  // optional. The attributes that a model may set for a named modifier; ends with a NULL name. The
  // host checks them and passes their values to `bind` in this order.
  const sn_param *attributes;
  // [load] Finds the fields and ids that `modify` needs. values: those of the declared attributes
  // in this model; strings are valid during the call. *bound is passed to `modify`; if it is NULL
  // on return, the modifier has nothing to do in this model and is not called.
  sn_status (*bind)(const void *self, const sn_model_view *model, const sn_value *values,
                    void **bound, sn_error *error);
  void (*unbind)(const void *self, void *bound);   // [load] frees what `bind` returned
  // [step] Changes the contacts. Called in each evaluation that has contacts. The result may depend
  // on positions, time, mocap bodies and userdata, but not on velocities, activations and controls:
  // collision detection is not repeated when only those change (sn_transition_fd), and what follows
  // from velocities (cvel ...) has not been computed yet. The step fails with SN_EPLUGIN if it
  // fails, a number is not finite, a friction coefficient is negative, or dim is not 1, 3, 4 or 6.
  sn_status (*modify)(const void *self, const void *bound, const sn_data_view *data,
                      sn_contacts *contacts, sn_scratch *scratch);
} sn_contact_ops;
SN_LAYOUT(sn_contact_ops, 72);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_CONTACT(name, ops) SN_PROVIDE(SN_KIND_CONTACT, name, sn_contact_ops, ops)

SN_END_DECLS

#endif
