// SPDX-License-Identifier: Apache-2.0
//
// Rigid parts: the bounded geoms of bodies that are welded together, which move as one. Made once,
// in the frame of the body that carries the part: a sphere around all of its geoms, and a tree over
// them when they are many. What is carried by the world and may not move is one part of its own.

#include <stdlib.h>

#include "contact/collision.h"

enum { FEW = 8 };   // geoms of a part without a tree

// The body in whose frame the geoms of this body never move. Mocap bodies and what is welded to
// them may move, although they have no degrees of freedom.
static int32_t carrier_of(const sn_model *m, int32_t body) {
  if (m->body_weldid[body] != 0) {
    return m->body_weldid[body];
  }
  for (int32_t b = body; b > 0; b = m->body_parentid[b]) {
    if (m->body_mocapid[b] >= 0) {
      return b;
    }
  }
  return 0;
}

static void position_in_carrier(const sn_model *m, int64_t geom, int32_t carrier, double *pos) {
  double quat[4];
  sn_identity_quat(quat);
  sn_copy3(pos, m->geom_pos + 3 * geom);
  for (int64_t b = m->geom_bodyid[geom]; b != carrier; b = m->body_parentid[b]) {
    sn_mul_pose(pos, quat, m->body_pos + 3 * b, m->body_quat + 4 * b, pos, quat);
  }
}

// box: 6 n; bounding spheres.
static void find_boxes(const sn_model *m, const si_rigid *part, double *box) {
  for (int32_t i = 0; i < part->n; i++) {
    double pos[3];
    int32_t g = part->geom[i];
    position_in_carrier(m, g, part->carrier, pos);
    for (int k = 0; k < 3; k++) {
      // positions are computed in another order than by the kinematics: allow for the rounding
      double reach = m->geom_rbound[g];
      reach += 1e-9 * (reach + fabs(pos[k]) + 1);
      box[6 * (int64_t)i + k] = pos[k] - reach;
      box[6 * (int64_t)i + 3 + k] = pos[k] + reach;
    }
  }
}

// A sphere about the middle of all boxes.
static void find_sphere(const sn_model *m, si_rigid *part, const double *box) {
  double lo[3] = { INFINITY, INFINITY, INFINITY }, hi[3] = { -INFINITY, -INFINITY, -INFINITY };
  for (int32_t i = 0; i < part->n; i++) {
    for (int k = 0; k < 3; k++) {
      lo[k] = fmin(lo[k], box[6 * (int64_t)i + k]);
      hi[k] = fmax(hi[k], box[6 * (int64_t)i + 3 + k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    part->center[k] = 0.5 * (lo[k] + hi[k]);
  }
  for (int32_t i = 0; i < part->n; i++) {
    double pos[3], to[3];
    position_in_carrier(m, part->geom[i], part->carrier, pos);
    sn_sub3(to, pos, part->center);
    part->radius = fmax(part->radius, sn_norm3(to) + m->geom_rbound[part->geom[i]]);
  }
}

static sn_status finish_part(const sn_model *m, si_rigid *part, sn_error *error) {
  double *box = calloc(6 * (size_t)part->n, sizeof *box);
  if (!box) {
    return si_fail(error, SN_ENOMEM, "out of memory for the boxes of %d geoms", (int)part->n);
  }
  find_boxes(m, part, box);
  find_sphere(m, part, box);
  sn_status status = SN_OK;
  if (part->n > FEW || part->carrier == 0) {
    status = si_bvh_new(&part->tree, part->n, part->geom, box, SI_BVH_GEOMS, error);
  }
  free(box);
  return status;
}

// Whether the dynamic mechanism may use a geom that has bounds.
static int takes_part(const sn_model *m, int64_t g) {
  return m->geom_rbound[g] > 0 && (m->geom_contype[g] || m->geom_conaffinity[g]);
}

// carrier, at: ngeom, nbody; scratch. Geoms are sorted by carrier, then by id.
static void deal_geoms(const sn_model *m, struct si_broadphase *b, int32_t *carrier, int32_t *at) {
  for (int64_t g = 0; g < m->ngeom; g++) {
    carrier[g] = takes_part(m, g) ? carrier_of(m, m->geom_bodyid[g]) : -1;
    at[carrier[g] + 1] += carrier[g] >= 0;
  }
  // at[c + 1] is the number of geoms of c; the parts follow in the order of their carriers
  int32_t first = 0;
  for (int32_t c = 0; c < m->nbody; c++) {
    int32_t n = at[c + 1];
    at[c + 1] = -1;
    if (n > 0) {
      b->rigid[b->nrigid] = (si_rigid){ .carrier = c, .geom = b->bounded + first };
      at[c + 1] = (int32_t)b->nrigid++;
    }
    first += n;
  }
  for (int32_t g = 0; g < m->ngeom; g++) {
    if (carrier[g] >= 0) {
      si_rigid *part = &b->rigid[at[carrier[g] + 1]];
      part->geom[part->n++] = g;
      part->contype |= m->geom_contype[g];
      part->conaffinity |= m->geom_conaffinity[g];
    }
  }
  b->nbounded = first;
}

// Whether the documented filters 3 and 4 let geoms of two parts collide, wherever they are.
static int may_collide(const sn_model *m, const struct si_broadphase *b, const si_rigid *x,
                       const si_rigid *y) {
  return !si_excluded_by_masks(x->contype, x->conaffinity, y->contype, y->conaffinity) &&
         si_filter_parts(m, b, x->geom[0], y->geom[0]);
}

// Few parts have to look farther than at the next one: where no mask allows a part any other, none
// is looked at.
static void find_partners(const sn_model *m, struct si_broadphase *b) {
  int32_t contype = 0, conaffinity = 0;
  for (int64_t i = 0; i < b->nrigid; i++) {
    contype |= b->rigid[i].contype;
    conaffinity |= b->rigid[i].conaffinity;
  }
  for (int64_t i = 0; i < b->nrigid; i++) {
    si_rigid *x = &b->rigid[i];
    if (si_excluded_by_masks(x->contype, x->conaffinity, contype, conaffinity)) {
      continue;
    }
    for (int64_t k = 1; k < b->nrigid && !x->has_partner; k++) {
      x->has_partner = may_collide(m, b, x, &b->rigid[(i + k) % b->nrigid]);
    }
    b->any_partner |= x->has_partner;
  }
}

sn_status si_rigid_new(const sn_model *m, struct si_broadphase *b, sn_error *error) {
  size_t ngeom = (size_t)m->ngeom + 1, nbody = (size_t)m->nbody + 1;
  int32_t *carrier = calloc(ngeom, sizeof *carrier), *at = calloc(nbody, sizeof *at);
  b->bounded = calloc(ngeom, sizeof *b->bounded);
  b->rigid = calloc(nbody, sizeof *b->rigid);
  sn_status status = SN_OK;
  if (!carrier || !at || !b->bounded || !b->rigid) {
    status = si_fail(error, SN_ENOMEM, "out of memory for the broad phase of %lld geoms",
                     (long long)m->ngeom);
  } else {
    deal_geoms(m, b, carrier, at);
    find_partners(m, b);
  }
  free(carrier);
  free(at);
  for (int64_t i = 0; i < b->nrigid && status >= 0; i++) {
    status = finish_part(m, &b->rigid[i], error);
  }
  return status;
}

void si_rigid_free(struct si_broadphase *b) {
  for (int64_t i = 0; i < b->nrigid; i++) {
    si_bvh_free(&b->rigid[i].tree);
  }
  free(b->rigid);
  free(b->bounded);
}
