// SPDX-License-Identifier: Apache-2.0
//
// Links that move and have nothing of mass: neither they nor what is fixed to them has an inertial,
// or a collision shape whose volume counts; shapes that were left out do not. No equation of motion
// can be solved for them. Frames that are fixed to another link need no mass.

#include <math.h>
#include <string.h>

#include "urdf/urdf.h"

static const double least = 1e-15;   // smaller is no mass and no inertia to the engine

// What such a link is given: a gram, as a ball of 5 cm has it.
static const double small_mass = 1e-3;       // kg
static const double small_gyration = 1e-3;   // m^2, moment over mass

static int has_mass(const urdf_reader *r, const urdf_link *link) {
  sn_body_def d;
  const int64_t from_geom = r->compiler.inertiafromgeom;
  const int shapes = link->nsolid > 0;
  sn_default_body(&d);
  if (from_geom == SN_TRUE || r->b->get_body(r->b->spec, link->body, &d, NULL) < 0) {
    return shapes;
  }
  if (!d.inertial) {
    return from_geom != SN_FALSE && shapes;
  }
  // a full matrix was checked when it was read
  const int full = !isnan(d.fullinertia[0]);
  return d.mass > least && (full || (d.diaginertia[0] > least && d.diaginertia[1] > least &&
                                     d.diaginertia[2] > least));
}

// Does the link, or what is fixed to it, have mass?
static int carries_mass(const urdf_reader *r, int32_t top) {
  int32_t i = top;
  for (;;) {
    const urdf_link *link = &r->link[i];
    const int part = i == top || urdf_is_fixed(link->joint);
    if (part && has_mass(r, link)) {
      return 1;
    }
    if (part && link->first >= 0) {
      i = link->first;
      continue;
    }
    while (i != top && r->link[i].next < 0) {
      i = r->link[i].parent;
    }
    if (i == top) {
      return 0;
    }
    i = r->link[i].next;
  }
}

static sn_status give_mass(urdf_reader *r, const urdf_link *link) {
  sn_body_def d;
  sn_default_body(&d);
  URDF_TRY(r->b->get_body(r->b->spec, link->body, &d, r->xml.error));
  const double mass = d.inertial && d.mass > least ? d.mass : small_mass;
  const double moment = mass * small_gyration;
  d.inertial = 1;
  d.mass = mass;
  for (int k = 0; k < 3; k++) {
    d.diaginertia[k] = moment;
    d.ipos[k] = isnan(d.ipos[k]) ? 0 : d.ipos[k];
  }
  for (int k = 0; k < 6; k++) {
    d.fullinertia[k] = NAN;
  }
  URDF_TRY(r->b->set_body(r->b->spec, link->body, &d, r->xml.error));
  return urdf_leave(r, link->node, NULL,
                    "the link \"%.200s\" moves and has no mass or inertia; it is given a mass of "
                    "%g and principal moments of %g (inertia = repair)",
                    link->name, mass, moment);
}

sn_status urdf_check_masses(urdf_reader *r) {
  if (r->compiler.boundmass[0] > 0 && r->compiler.boundinertia[0] > 0) {
    return SN_OK;   // which all bodies get
  }
  for (int32_t i = 0; i < r->nlink; i++) {
    const urdf_link *link = &r->link[i];
    if (!urdf_moves(r, link) || carries_mass(r, i)) {
      continue;
    }
    if (!r->params->repair) {
      return xml_fail(&r->xml, SN_EPARSE, link->node, NULL,
                      "the link \"%.200s\" moves, and neither it nor a link that is fixed to it "
                      "has mass or inertia; give it an <inertial>, or set inertia = repair in "
                      "[plugin.urdf]",
                      link->name);
    }
    URDF_TRY(give_mass(r, link));
  }
  return SN_OK;
}
