// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law by a semismooth Newton method on accelerations and forces together, for problems
// that move: the states of all contacts change at once, and the next states follow from the
// solution with these. With x = (f_0, g), y = (z_0, w) and regularizers R = (r, e, e, ...) of an
// elliptic contact, as in path.h, the law is that of Alart and Curnier,
//
//   x_0 = max(0, p_0),  p_0 = x_0 - rho_0 (y_0 + r x_0)
//   x_t = q  where |q| <= p_0,  else  p_0 q / |q|,   q = x_t - rho (y_t + e x_t)
//
// for any rho > 0; here about the inverse of the acceleration by a unit force. That is what makes
// the method converge where Newton's method on accelerations alone does not: there the law is a
// function of y whose slopes are 1 / R, so that the least error of an acceleration is a large force
// and changes a state. Rows without friction are x = clamp(x - rho (y + R x)) to their bounds.
//
// With the states that follow, the law is linear or nearly so: dx = push - C dy, and
// M (a - a0) = J'f becomes
//
//   (M + J' S C S J) da = J' S push - (M (a - a0) - J'f),   S = diag(1, friction)
//
// which is not symmetric where a contact slides. After a full step the dynamics hold.
//
// A contact sticks where |y_t| <= e p_0, whatever its force. Elsewhere |y_t| x_t = -p_0 y_t, with
// p_0 = x_0 after the step, is made linear: with u = y_t / |y_t| and v = x_t / max(p_0, |x_t|),
//
//   dx_t = -x_t - (x_0 + dx_0) u - p_0 / |y_t| (1 + (v u' + u v') / 2) dy_t
//
// At the solution v is -u, and this is Newton's method. With -u in the place of v it would find its
// way only from nearby, for the direction of a small slip turns in each step, and with nearly rigid
// contacts many slips are small. That v is the direction of the force, of a length of at most 1,
// makes the matrix of friction positive semidefinite and the method converge from afar. It is the
// method of Hintermueller and Stadler, and of Hueeber, Stadler and Wohlmuth, of which the first
// solves problems of image restoration with the same nonlinearity.
//
// The other form, is_projected, has the states by q and the slopes of the projection. With large
// regularizers and masses that differ much it finds some solutions that the first does not. If many
// states change in one step, those after it may be farther from the solution: two contacts that
// slide, for instance, where one of them must. So a careful method shortens the step until at most
// half of these states change.
//
// References: Alart, Curnier, A mixed formulation for frictional contact problems prone to Newton
// like solution methods, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353-375. Hintermueller, Ito,
// Kunisch, The primal-dual active set strategy as a semismooth Newton method, SIAM J. Optim. 13
// (2003) 865-888. Hintermueller, Stadler, An infeasible primal-dual algorithm for total bounded
// variation-based inf-convolution-type image restoration, SIAM J. Sci. Comput. 28 (2006) 1-23.
// Hueeber, Stadler, Wohlmuth, A primal-dual active set algorithm for three-dimensional contact
// problems with Coulomb friction, SIAM J. Sci. Comput. 30 (2008) 572-596.

#ifndef COULOMB_ACTIVE_H
#define COULOMB_ACTIVE_H

#include "lorentz.h"
#include "lu.h"

// Where an iteration more is cheap, solutions are this part of the tolerance from the law: what is
// left of an error decides whether a contact that hardly touches is there in the next step, and
// that can set stiff stacks rattling.
#define COULOMB_FINE 1e-4

// For active_solve, near a solution.
enum { ACTIVE_FEW = 8, ACTIVE_IDLE = 3 };

// A row, or the rows of an elliptic contact.
typedef struct active_unit {
  int32_t row, n;
  int32_t cone;       // index of the cone, -1: none
  int32_t state;      // SN_ROWSTATE_*
  int32_t before;     // the state before the last step
  double low, high;   // bounds of the force of a row
  double rho[2];      // of its first row and of the others
  double p, q[LORENTZ_MOST];   // p_0 and q of a contact
} active_unit;

typedef struct active {
  const sn_problem *problem;
  const primal *primal;
  hessian *h;
  const double *D;          // nefc; of the problem, without the regularizers of the law
  active_unit *unit;
  int64_t nunit;
  int is_projected;         // contacts stick or slide by the projection
  int is_careful;           // steps are shortened where many states would change
  double length;            // of the last step; 1: the whole
  double *S, *R;            // nefc; scale of rows, regularizers of scaled rows
  double *size;             // nefc; length of a row of S J
  double *a, *da;           // nv
  double *x, *y;            // nefc
  double *push;             // nefc
  double *rest;             // nefc; x minus what the law makes of it
  double *weight, *block;   // C, see hessian.h
  double *scaled, *sum;     // nefc, nv: scratch
  double error, terms, rounding;   // |J' S rest|, what it is a sum of, what rounding leaves of it
} active;

// p: its problem has the regularizers of the law; h of the same problem, with room for `upper`.
// SN_ENOMEM
sn_status active_make(active *s, const primal *p, hessian *h, const double *D, sn_scratch *mem);
// Scaled forces that belong to the accelerations a by the law.
void active_forces(active *s, const double *a, double *x);

// Where iterations start: accelerations and scaled forces.
void active_place(active *s, const double *a, const double *x);
// Starts at the solution if its imbalance |M (a - a0) - J'f| is small, and returns 0; else at the
// warm start. Its forces are those of the regularizers with which they are nearest to balance, and
// the level of these, see active_soften, is returned.
double active_start(active *s, const sn_solution *solution, double imbalance);
// Goes on with the regularizers of the law, but at least the part `level` of 1 / D.
void active_soften(active *s, double level);
// One iteration, which is counted. Returns whether numbers are finite.
int active_step(active *s, sn_solution *solution);
// At most `most` iterations, and `idle` in a row in which the error does not fall to half. SN_OK:
// the solution, whose iterations are counted on, has it. SN_NOT_CONVERGED: only they are written.
sn_status active_solve(active *s, int32_t most, int32_t idle, sn_solution *solution);

#endif
