// SPDX-License-Identifier: Apache-2.0
//
// Services of the host for plugins that act on bodies: which dofs move a body, Jacobians of points,
// generalized forces of forces at points, forces of contacts.
//
// A force f and a torque t at a point p of a body are the generalized force
//
//   qfrc = Jp' f + Jr' t        Jp, Jr (3 x nv): velocity of p = Jp v, angular velocity = Jr v
//
// which is zero except at the dofs that move the body: the dofs of its joints and of those of its
// ancestors. `apply` computes it without the Jacobians. It also computes rows of Jacobians: with
// u = (p1 - p2) / |p1 - p2| the derivative of the distance of two points is Jp1' u - Jp2' u, that
// is, `apply` with the force u at p1 and -u at p2.
//
//   bind     drag->kinematics = sn_lookup_service(&lookup, SN_SERVICE_KINEMATICS);
//   apply    drag->kinematics->apply(data, body, point, force, NULL, qfrc);
//
// Points, forces and Jacobians are in global axes. The model view that an operation `bind` gets is
// valid as long as the bound object, so it may be kept for `chain`.

#ifndef SINEW_KINEMATICS_H
#define SINEW_KINEMATICS_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_SERVICE_KINEMATICS "sinew.kinematics/1"
// The service SN_SERVICE_KINEMATICS.
typedef struct sn_kinematics_service {
  uint32_t size;
  uint32_t reserved;
  // [any] Writes the dofs that move a body, ascending, to dof (capacity nv; NULL: they are only
  // counted), and returns how many there are: 0 for a body that cannot move; -1: there is no such
  // body.
  int32_t (*chain)(const sn_model_view *model, int32_t body, int32_t *dof);
  // [step] Adds `scale` times the Jacobians of a point (3) of a body to jacp and jacr, 3 x nv each;
  // either may be NULL. After the position stage. SN_EINVAL: there is no such body.
  sn_status (*jacobian)(const sn_data_view *data, int32_t body, const double *point, double scale,
                        double *jacp, double *jacr);
  // [step] Adds the generalized force of a force and a torque (3 each; either may be NULL) at a
  // point (3) of a body to qfrc (nv). After the position stage. SN_EINVAL: there is no such body.
  sn_status (*apply)(const sn_data_view *data, int32_t body, const double *point,
                     const double *force, const double *torque, double *qfrc);
} sn_kinematics_service;
SN_LAYOUT(sn_kinematics_service, 32);

#define SN_SERVICE_CONTACT_FORCE "sinew.contact_force/1"
// The service SN_SERVICE_CONTACT_FORCE.
typedef struct sn_contact_force_service {
  uint32_t size;
  uint32_t reserved;
  // [step] Force and torque of a contact on its second geom, in the frame of the contact (normal,
  // two tangents): 6 numbers. After the solver: in sensors of the acceleration stage. SN_EINVAL:
  // there is no such contact; the force is zero.
  sn_status (*get)(const sn_data_view *data, int64_t contact, double *force);
} sn_contact_force_service;
SN_LAYOUT(sn_contact_force_service, 16);

SN_END_DECLS

#endif
