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

// Has the body three moments, or some of them?
static int count_moments(const sn_body_def *d) {
  int n = 0;
  if (!d->inertial || !isnan(d->fullinertia[0])) {
    return d->inertial ? 3 : 0;   // a full matrix was checked when it was read
  }
  for (int k = 0; k < 3; k++) {
    n += d->diaginertia[k] > least;
  }
  return n;
}

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
  return d.mass > least && count_moments(&d) == 3;
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

// What is missing is given, and nothing else is changed.
static sn_status give_mass(urdf_reader *r, const urdf_link *link) {
  sn_body_def d;
  sn_default_body(&d);
  SN_TRY(r->b->get_body(r->b->spec, link->body, &d, r->xml.error));
  const double mass = d.inertial ? d.mass : 0;
  const int nmoments = count_moments(&d);
  d.mass = mass > least ? mass : small_mass;
  double old[3] = { 0 };
  for (int k = 0; k < 3 && nmoments < 3; k++) {
    // a rod has no moment about itself; zeros are an inertia that was never filled in
    old[k] = d.inertial ? d.diaginertia[k] : 0;
    d.diaginertia[k] = nmoments ? fmax(old[k], urdf_least_moment(d.mass)) : d.mass * small_gyration;
  }
  d.inertial = 1;
  for (int k = 0; k < 3; k++) {
    d.ipos[k] = isnan(d.ipos[k]) ? 0 : d.ipos[k];
  }
  SN_TRY(r->b->set_body(r->b->spec, link->body, &d, r->xml.error));
  if (nmoments == 3) {
    return urdf_leave(r, link->node, NULL,
                      "the link \"%.200s\" moves, and its mass is %g; it is set to %g, "
                      "as plugin.urdf.inertia = repair requests",
                      link->name, mass, d.mass);
  }
  return urdf_leave(r, link->node, NULL,
                    "the link \"%.200s\" moves, and has mass %g and principal moments %g %g %g; "
                    "they are set to %g and %g %g %g, as plugin.urdf.inertia = repair requests",
                    link->name, mass, old[0], old[1], old[2], d.mass, d.diaginertia[0],
                    d.diaginertia[1], d.diaginertia[2]);
}

sn_status urdf_check_masses(urdf_reader *r) {
  if (r->compiler.boundmass > 0 && r->compiler.boundinertia > 0) {
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
                      "has a positive mass and three positive principal moments; give it an "
                      "<inertial>, or set plugin.urdf.inertia to repair",
                      link->name);
    }
    SN_TRY(give_mass(r, link));
  }
  return SN_OK;
}
