// SPDX-License-Identifier: Apache-2.0
//
// The recursions of sinew/numerics/articulated.h. With s_i the axis of link i, and X_i the motion
// of its origin by that of the origin of its parent, X [w; v] = [w; v + w x shift]:
//
//   factor, from the tips   U_i = I_i s_i,  D_i = s_i' U_i + armature_i
//                           I_parent += X_i' (I_i - U_i U_i' / D_i) X_i
//   solve, from the tips    u_i = x_i - s_i' p_i,  p_parent += X_i' (p_i + U_i u_i / D_i)
//          from the root    x_i = (u_i - U_i' X_i a_parent) / D_i,  a_i = X_i a_parent + s_i x_i
//
// I_i is the articulated inertia of link i, p_i the force that the links beyond it exert. A link
// with one neighbor beyond it, the next one, takes over what that one left; only where the tree
// branches are sums kept in memory.
//
// The factor has four parts, one after the other:
//
//   Dinv nv | U 6 nv | inertia of branches 21 nv

#include "sinew/numerics/articulated.h"

#include <string.h>

#include "sinew/math.h"

// ------------------------------------------------------------------ inertia of six dimensions

// [A B; B' C] with A and C symmetric: [torque; force] = I [w; v].
typedef struct inertia6 {
  double A[6], B[9], C[6];   // symmetric ones xx yy zz xy xz yz; B by rows
} inertia6;

enum { BRANCH = 21 };   // numbers of inertia6

static inline void symmetric_times(double *out, const double *S, const double *x) {
  out[0] = S[0] * x[0] + S[3] * x[1] + S[4] * x[2];
  out[1] = S[3] * x[0] + S[1] * x[1] + S[5] * x[2];
  out[2] = S[4] * x[0] + S[5] * x[1] + S[2] * x[2];
}

static inline void inertia_times(double *out, const inertia6 *I, const double *x) {
  double t[3];
  symmetric_times(out, I->A, x);
  symmetric_times(out + 3, I->C, x + 3);
  for (int i = 0; i < 3; i++) {
    t[i] = I->B[3 * i] * x[3] + I->B[3 * i + 1] * x[4] + I->B[3 * i + 2] * x[5];
    out[3 + i] += I->B[i] * x[0] + I->B[3 + i] * x[1] + I->B[6 + i] * x[2];
  }
  sn_add3(out, out, t);
}

// S -= s x x'
static inline void symmetric_subtract(double *S, double s, const double *x) {
  const double a = s * x[0], b = s * x[1], c = s * x[2];
  S[0] -= a * x[0];
  S[1] -= b * x[1];
  S[2] -= c * x[2];
  S[3] -= a * x[1];
  S[4] -= a * x[2];
  S[5] -= b * x[2];
}

// I -= s U U'
static inline void inertia_subtract(inertia6 *I, double s, const double *U) {
  symmetric_subtract(I->A, s, U);
  symmetric_subtract(I->C, s, U + 3);
  for (int i = 0; i < 3; i++) {
    const double t = s * U[i];
    for (int k = 0; k < 3; k++) {
      I->B[3 * i + k] -= t * U[3 + k];
    }
  }
}

// I <- X' I X with the shift r: with G = B + [r] C, B becomes G and A becomes A - B [r] + [r] G'.
static inline void inertia_move(inertia6 *I, const double *r) {
  const double *C = I->C, *B = I->B;
  double G[9];
  G[0] = B[0] + r[1] * C[4] - r[2] * C[3];
  G[1] = B[1] + r[1] * C[5] - r[2] * C[1];
  G[2] = B[2] + r[1] * C[2] - r[2] * C[5];
  G[3] = B[3] + r[2] * C[0] - r[0] * C[4];
  G[4] = B[4] + r[2] * C[3] - r[0] * C[5];
  G[5] = B[5] + r[2] * C[4] - r[0] * C[2];
  G[6] = B[6] + r[0] * C[3] - r[1] * C[0];
  G[7] = B[7] + r[0] * C[1] - r[1] * C[3];
  G[8] = B[8] + r[0] * C[5] - r[1] * C[4];
  // row i of B [r] is the cross product of row i of B and r; [r] G' has the columns r x row of G
  I->A[0] += r[1] * G[2] - r[2] * G[1] - (B[1] * r[2] - B[2] * r[1]);
  I->A[1] += r[2] * G[3] - r[0] * G[5] - (B[5] * r[0] - B[3] * r[2]);
  I->A[2] += r[0] * G[7] - r[1] * G[6] - (B[6] * r[1] - B[7] * r[0]);
  I->A[3] += r[1] * G[5] - r[2] * G[4] - (B[2] * r[0] - B[0] * r[2]);
  I->A[4] += r[1] * G[8] - r[2] * G[7] - (B[0] * r[1] - B[1] * r[0]);
  I->A[5] += r[2] * G[6] - r[0] * G[8] - (B[3] * r[1] - B[4] * r[0]);
  memcpy(I->B, G, sizeof G);
}

static inline void inertia_add(double *restrict to, const inertia6 *from) {
  for (int k = 0; k < 6; k++) {
    to[k] += from->A[k];
    to[15 + k] += from->C[k];
  }
  for (int k = 0; k < 9; k++) {
    to[6 + k] += from->B[k];
  }
}

static inline void inertia_add_branch(inertia6 *to, const double *from) {
  for (int k = 0; k < 6; k++) {
    to->A[k] += from[k];
    to->C[k] += from[15 + k];
  }
  for (int k = 0; k < 9; k++) {
    to->B[k] += from[6 + k];
  }
}

// The inertia of a rigid body: B is [mass c], the matrix of the cross product, and C is diagonal.
static inline void inertia_add_body(inertia6 *to, const double *body) {
  const double *c = body + 6, mass = body[9];
  for (int k = 0; k < 6; k++) {
    to->A[k] += body[k];
  }
  to->B[1] -= c[2];
  to->B[2] += c[1];
  to->B[3] += c[2];
  to->B[5] -= c[0];
  to->B[6] -= c[1];
  to->B[7] += c[0];
  to->C[0] += mass;
  to->C[1] += mass;
  to->C[2] += mass;
}

// ------------------------------------------------------------------ factorization

static inline int is_zero3(const double *r) {
  return r[0] == 0 && r[1] == 0 && r[2] == 0;
}

void sn_articulation_factor(const sn_articulation *a, const double *extra, double *factor) {
  const int32_t nv = (int32_t)a->nv, *parent = a->parent;
  if (nv == 0) {
    return;
  }
  double *Dinv = factor, *U = factor + nv, *branch = factor + 7 * (int64_t)nv;
  // until its pivot is known, Dinv of a link is 1 where links other than the next hang on it
  memset(Dinv, 0, (size_t)nv * sizeof *Dinv);
  for (int32_t i = 0; i < nv; i++) {
    if (parent[i] >= 0 && parent[i] != i - 1) {
      Dinv[parent[i]] = 1;
      memset(branch + BRANCH * (int64_t)parent[i], 0, BRANCH * sizeof *branch);
    }
  }
  inertia6 I = { { 0 }, { 0 }, { 0 } };
  for (int32_t i = nv - 1; i >= 0; i--) {
    const double *s = a->axis + 6 * i;
    double *u = U + 6 * i;
    inertia_add_body(&I, a->inertia + 10 * i);
    if (Dinv[i] != 0) {
      inertia_add_branch(&I, branch + BRANCH * (int64_t)i);
    }
    inertia_times(u, &I, s);
    const double D = sn_dot6(s, u) + a->armature[i] + (extra ? extra[i] : 0);
    Dinv[i] = 1 / (D > SN_TINY ? D : SN_TINY);
    if (parent[i] >= 0) {
      inertia_subtract(&I, Dinv[i], u);
      if (!is_zero3(a->shift + 3 * i)) {
        inertia_move(&I, a->shift + 3 * i);
      }
    }
    if (parent[i] < 0 || parent[i] != i - 1) {
      if (parent[i] >= 0) {
        inertia_add(branch + BRANCH * (int64_t)parent[i], &I);
      }
      I = (inertia6){ { 0 }, { 0 }, { 0 } };
    }
  }
}

// ------------------------------------------------------------------ recursions of vectors

// [torque; force] about the origin of the parent
static inline void move_force(double *p, const double *r) {
  double t[3];
  sn_cross(t, r, p + 3);
  sn_add3(p, p, t);
}

// [w; v] at the origin of the child
static inline void move_motion(double *a, const double *r) {
  double t[3];
  sn_cross(t, a, r);
  sn_add3(a + 3, a + 3, t);
}

static inline void add6(double *to, const double *from) {
  for (int k = 0; k < 6; k++) {
    to[k] += from[k];
  }
}

// The motion of the parent of a link, at the origin of the link. `last`: that of the link before.
static inline void parent_motion(const sn_articulation *a, int32_t i, const double *motion,
                                 double *last) {
  const int32_t up = a->parent[i];
  if (up < 0) {
    memset(last, 0, 6 * sizeof *last);
    return;
  }
  if (up != i - 1) {
    memcpy(last, motion + 6 * up, 6 * sizeof *last);
  }
  move_motion(last, a->shift + 3 * i);
}

// Hands the force p of a link on to its parent; p of the next link begins with it, or with nothing.
static inline void hand_on(const sn_articulation *a, int32_t i, double *p, double *branch) {
  const int32_t up = a->parent[i];
  if (up >= 0) {
    move_force(p, a->shift + 3 * i);
  }
  if (up < 0 || up != i - 1) {
    if (up >= 0) {
      add6(branch + 6 * up, p);
    }
    memset(p, 0, 6 * sizeof *p);
  }
}

void sn_articulation_solve(const sn_articulation *a, const double *factor, double *x) {
  const int32_t nv = (int32_t)a->nv;
  if (nv == 0) {
    return;
  }
  const double *Dinv = factor, *U = factor + nv;
  double *branch = a->work, *motion = a->work + 6 * (int64_t)nv, p[6] = { 0 }, last[6] = { 0 };
  memset(branch, 0, 6 * (size_t)nv * sizeof *branch);
  for (int32_t i = nv - 1; i >= 0; i--) {
    add6(p, branch + 6 * i);
    x[i] -= sn_dot6(a->axis + 6 * i, p);
    sn_addscale6(p, p, Dinv[i] * x[i], U + 6 * i);
    hand_on(a, i, p, branch);
  }
  for (int32_t i = 0; i < nv; i++) {
    parent_motion(a, i, motion, last);
    x[i] = Dinv[i] * (x[i] - sn_dot6(U + 6 * i, last));
    sn_addscale6(last, last, x[i], a->axis + 6 * i);
    memcpy(motion + 6 * i, last, sizeof last);
  }
}

void sn_articulation_multiply(const sn_articulation *a, const double *x, double *y) {
  const int32_t nv = (int32_t)a->nv;
  if (nv == 0) {
    return;
  }
  double *branch = a->work, *motion = a->work + 6 * (int64_t)nv, p[6] = { 0 }, last[6] = { 0 };
  for (int32_t i = 0; i < nv; i++) {
    parent_motion(a, i, motion, last);
    sn_addscale6(last, last, x[i], a->axis + 6 * i);
    memcpy(motion + 6 * i, last, sizeof last);
  }
  memset(branch, 0, 6 * (size_t)nv * sizeof *branch);
  for (int32_t i = nv - 1; i >= 0; i--) {
    double own[6];
    add6(p, branch + 6 * i);
    sn_mul_inertia(own, a->inertia + 10 * i, motion + 6 * i);
    add6(p, own);
    y[i] = sn_dot6(a->axis + 6 * i, p) + a->armature[i] * x[i];
    hand_on(a, i, p, branch);
  }
}

// ------------------------------------------------------------------ as operations of sn_inertia

static void recursion_multiply(const sn_inertia *inertia, const double *x, double *y) {
  sn_articulation_multiply(inertia->links, x, y);
}

static int64_t recursion_size(const sn_inertia *inertia) {
  return SN_ARTICULATION_FACTOR * inertia->nv;
}

static void recursion_factor(const sn_inertia *inertia, const double *extra, double *factor) {
  sn_articulation_factor(inertia->links, extra, factor);
}

static void recursion_solve(const sn_inertia *inertia, const double *factor, double *x) {
  const sn_articulation *a = inertia->links;
  sn_articulation_solve(a, factor ? factor : a->factor, x);
}

const sn_inertia_recursion sn_articulation_recursion = {
  .size = sizeof(sn_inertia_recursion),
  .multiply = recursion_multiply,
  .factor_size = recursion_size,
  .factor = recursion_factor,
  .solve = recursion_solve,
};
