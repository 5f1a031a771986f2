// SPDX-License-Identifier: Apache-2.0
//
// The inertia matrix M of a tree of bodies by recursion along the bodies: products with M and M^-1
// without the numbers of M. The cost is linear in the number of dofs, also where the tree is deep,
// while the rows of M (sinew/numerics/tree.h) are as long as the tree is deep.
//
// Each dof is a link of its own, with an origin; links of the dofs of one body share the origin of
// the body, and only the last of them has an inertia. All vectors have global axes:
//
//   axis      [w; v]: angular velocity, and velocity at the origin, of the motion with unit rate
//   shift     from the origin of the parent to that of the link
//   inertia   xx yy zz xy xz yz about the origin, mass times the center of mass (3), mass
//
// Solutions follow the articulated-body algorithm, products the recursive Newton-Euler algorithm:
// Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 7 and 5. Because the origins are
// close to the bodies, moments in a long chain lose no digits.
//
// Not part of the ABI: see sinew/numerics.h. [step]: `work` is used by one thread at a time.

#ifndef SINEW_NUMERICS_ARTICULATED_H
#define SINEW_NUMERICS_ARTICULATED_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

typedef struct sn_articulation {
  int64_t nv;
  const int32_t *parent;    // nv; parent[i] < i, -1 at a root
  const double *axis;       // 6 nv
  const double *shift;      // 3 nv; of roots: not used
  const double *inertia;    // 10 nv
  const double *armature;   // nv; added to the diagonal of M
  const double *factor;     // SN_ARTICULATION_FACTOR nv: of M, see sn_articulation_factor
  double *work;             // SN_ARTICULATION_WORK nv: scratch
} sn_articulation;

enum { SN_ARTICULATION_FACTOR = 28, SN_ARTICULATION_WORK = 12 };   // numbers for each dof

// Prepares solutions with M + diag(extra). extra: nv; NULL: zeros. Its first nv numbers are 1 / D,
// the inverse pivots; a pivot below SN_TINY is replaced by SN_TINY.
void sn_articulation_factor(const sn_articulation *a, const double *extra, double *factor);
// x = (M + diag(extra))^-1 x, in place, with such a factor.
void sn_articulation_solve(const sn_articulation *a, const double *factor, double *x);
// y = M x; x and y do not overlap.
void sn_articulation_multiply(const sn_articulation *a, const double *x, double *y);

// The same as operations of sn_inertia, whose `links` is an sn_articulation.
extern const sn_inertia_recursion sn_articulation_recursion;

SN_END_DECLS

#endif
