// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.solver/1: solves the convex optimization problem of the constraint forces. A problem
// does not depend on an engine or a model; it can be saved to a file and solved again.
//
//   minimize over a   1/2 (a - a0)' M (a - a0) + s(J a - aref)
//
// a0 = qacc_smooth is the acceleration without constraints. s is a sum over rows and cones:
//   equality rows             1/2 D z^2
//   friction-loss rows        1/2 D z^2 while |z| < R eta, beyond it linear with slope eta
//   unilateral rows           1/2 D z^2 where z < 0, else 0   (limits, contacts, pyramid edges)
// where z is the element of J a - aref of this row, D = 1 / R, and eta is the friction-loss bound
// of the row. The constraint force is f = -grad s, and at the solution M (a - a0) = J' f.
//
// A contact has a unilateral row if it is frictionless, and one for each edge of a pyramidal cone.
// For an elliptic contact, z and f are the vectors of its rows, and f lies in the friction cone
//
//   K = { f : f_0 >= 0,  sum_i>0 (f_i / friction_i)^2 <= f_0^2 }
//   s(z) = max over f in K of  -z' f - 1/2 f' diag(R) f,   which has one maximizer.
//
// The maximizer, which is the contact force, is the projection of -D z onto K in the metric of R.
// Here friction_i is sn_cone.friction[i - 1]. The regularization of friction row i is R_i = R_1
// (friction_1 / friction_i)^2, so K is a circular cone in the variables sqrt(R_i) f_i, with the
// friction coefficient mu, sn_cone.mu. With u_0 = mu z_0, u_i = friction_i z_i for i > 0, and t the
// Euclidean norm of (u_1, u_2, ...), s is
//
//   0                                          where u_0 >= mu t            (separating)
//   1/2 sum_i D_i z_i^2                        where mu u_0 + t <= 0        (sticking: f = -D z)
//   1/2 D_0 / (mu^2 (1 + mu^2)) (u_0 - mu t)^2   between them               (sliding)
//
// A solver with SN_SOLVER_COULOMB computes different forces for elliptic contacts: those of
// Coulomb's law. The complementarity condition of the normal direction does not contain the
// tangential elements of z (in s(z) it depends on them, through the term mu t), and the friction
// force maximizes dissipation for this normal force. With w_i = friction_i z_i and g_i = f_i /
// friction_i for i > 0:
//
//   f_0 >= 0, z_0 + r f_0 >= 0, f_0 (z_0 + r f_0) = 0
//   g maximizes  -w' g - 1/2 e g' g  over |g| <= f_0
//
// where the regularizers r in [0, R_0] and e in [0, R_1 friction_1^2] are the solver's choice; so
// is r for a contact without friction. No cost is minimized, and the solution need not be unique.
// If the parameters of the solver (sn_ops.params) specify r and e, and it uses larger ones for a
// contact, it counts that contact in sn_solution.nsoftened.
// sn_problem_evaluate_coulomb measures how far forces are from this law.
//
// Rows are in this order: equality (ne), friction loss (nf), limits, contacts. The rows of one
// contact are consecutive and have their nonzeros in the same columns. A problem is one island:
// constraints that do not interact are solved in separate calls, unless the solver sets
// SN_SOLVER_NO_ISLANDS. All numbers are in SI units: the normal and sliding rows of a contact have
// z in m/s^2 and f in N, its torsional and rolling rows rad/s^2 and N m.

#ifndef SINEW_SOLVER_H
#define SINEW_SOLVER_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_KIND_SOLVER "sinew.solver/1"

enum {                       // sn_ops.flags
  SN_SOLVER_NO_ISLANDS = 1,  // gets the whole problem, not one island at a time
  SN_SOLVER_DUAL = 2,        // works on forces: needs sn_problem.dual
  SN_SOLVER_POST = 4,        // a post-solver: runs after the main solver, on its result (noslip)
  SN_SOLVER_COULOMB = 8,     // elliptic contacts obey Coulomb's law, see above, instead of s(z)
  // Works with sn_inertia.recursion, without M, L and Dinv, which may then be NULL. They are
  // provided nevertheless if the number of rows with more than one nonzero exceeds nv / 2.
  SN_SOLVER_RECURSIVE = 16
};

// One elliptic contact.
typedef struct sn_cone {
  int32_t row;            // index of its first row, that of the normal force
  int32_t dim;            // number of rows: 3, 4 or 6
  double mu;              // of the regularized cone: friction[0] sqrt(R_1 / R_0), R_i of row i
  double friction[5];     // 2 sliding, torsional, 2 rolling
} sn_cone;
SN_LAYOUT(sn_cone, 56);

// Consecutive rows that have their nonzeros in the same columns: those of one contact, or of one
// other constraint.
typedef struct sn_block {
  int32_t row;
  int32_t nrow;
} sn_block;
SN_LAYOUT(sn_block, 8);

// One constraint problem, in the notation above.
typedef struct sn_problem {
  uint32_t size;
  int32_t jacobian;              // SN_JACOBIAN_*: the user's preference for dense or sparse algebra
  int64_t nv, nefc, ne, nf;
  const double *qacc_smooth;     // nv
  const double *qfrc_smooth;     // nv; M qacc_smooth
  const double *qacc_start;      // nv; warm start
  const sn_inertia *inertia;     // M and its factor, or operations with them
  sn_sparse J;                   // nefc x nv
  int64_t nblock;
  const sn_block *block;         // nblock; in order, covering every row
  const int32_t *type;           // nefc; SN_ROW_*
  const double *D, *R;           // nefc; D = 1 / R
  const double *aref;            // nefc
  const double *frictionloss;    // nefc; eta, 0 for rows without friction loss
  int64_t ncone;
  const sn_cone *cone;           // ncone
  double tolerance;              // stop if scale * improvement or scale * gradient is below it
  double scale;                  // 1 / (stat.meaninertia * max(1, nv of the model))
  double noslip_tolerance;
  int32_t iterations;            // limit of iterations
  int32_t noslip_iterations;
  const sn_sparse *dual;         // with SN_SOLVER_DUAL: A = J M^-1 J', without R; else NULL
  // nefc; forces to start from. With SN_SOLVER_POST: those of the main solver. For other solvers
  // NULL in ABI 1.0, because forces are not part of the state of a simulation; a solver that works
  // on forces starts from -grad s at qacc_start.
  const double *force_start;
  // What the rows belong to, for solvers that use results of earlier steps; NULL and 0 if it is not
  // known. id, nefc: for a row of a contact the index of the contact in the arrays below; for other
  // rows the id of the equality constraint, dof, joint or tendon.
  const int32_t *id;
  int64_t ncontact;   // of the simulation, in all its islands
  // ncontact each: the two geoms, and which of their contact points it is, see
  // sn_contact_point.feature. The three numbers identify a contact from step to step; feature 0:
  // not known.
  const int32_t *geom1, *geom2, *feature;
} sn_problem;
SN_LAYOUT(sn_problem, 280);

// Statistics of one iteration, for tuning. The cost is the one above, or its dual for solvers that
// work on forces; it need not decrease. Members that a solver does not use stay 0.
typedef struct sn_iteration {
  double improvement;    // scaled decrease of the cost
  double gradient;       // scaled norm
  double lineslope;      // scaled derivative of the cost at the end of the line search
  int32_t nactive;       // rows in the state QUADRATIC or CONE of SN_ROWSTATE_*
  int32_t nchange;       // rows whose state changed
  int32_t neval;         // evaluations of the cost in the line search
  int32_t reserved;
} sn_iteration;
SN_LAYOUT(sn_iteration, 40);

// The solver writes all of qacc, force and state. Their content before the call is unspecified,
// except for a post-solver, which gets the result of the main solver in them.
typedef struct sn_solution {
  uint32_t size;
  int32_t iterations;        // written: iterations used
  double *qacc;              // nv, written
  double *force;             // nefc, written
  int32_t *state;            // nefc, written: SN_ROWSTATE_*
  sn_iteration *iteration;   // written: statistics of the first ncapacity iterations; may be NULL
  int64_t ncapacity;
  // written: the number of contacts for which the solver used larger regularizers than its
  // parameters specify, because it found no solution with those. It is 0 when `solve` is called,
  // and a solver without such parameters does not write it.
  int64_t nsoftened;
} sn_solution;
SN_LAYOUT(sn_solution, 56);

// The operations of a solver.
typedef struct sn_solver_ops {
  sn_ops head;
  // [step] Solves the problem. Returns SN_OK, or SN_NOT_CONVERGED with the best solution that was
  // found. The solution must be deterministic, bit for bit. With a tolerance of 0 the solver
  // iterates until the improvement is of the size of rounding errors. If it returns a negative
  // status, a number that is not finite or an invalid state, the host counts a warning that names
  // the solver and sets the constraint forces to zero or, after a post-solver, keeps the result of
  // the main solver.
  sn_status (*solve)(const void *self, const sn_problem *problem, sn_solution *solution,
                     sn_scratch *scratch);
} sn_solver_ops;
SN_LAYOUT(sn_solver_ops, 48);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_SOLVER(name, ops) SN_PROVIDE(SN_KIND_SOLVER, name, sn_solver_ops, ops)

SN_END_DECLS

#endif
