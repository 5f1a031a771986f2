// SPDX-License-Identifier: Apache-2.0
//
// The Hessian of the primal problem, H = M + J' C J, in the panels of a pattern, and its factor.
// C is diagonal (D of quadratic rows), with a small dense block for each cone in the middle zone.
// Where M is not known by its entries, a lowrank takes the place of the panels.
//
// Other methods set C themselves (weight, block); it need not be symmetric then: `value` has the
// lower triangle of H, and `upper`, in the same panels, the upper one, transposed. That needs
// panels.

#ifndef NEWTON_HESSIAN_H
#define NEWTON_HESSIAN_H

#include "common/primal.h"
#include "lowrank.h"
#include "pattern.h"

// Columns of a group with consecutive places in one node, from sorted column `begin` on.
typedef struct run {
  int32_t node, begin, length, place;
} run;

// A piece of a column of J' C J and where it goes: sorted rows `begin` ... to row `row` of a panel.
typedef struct piece {
  int32_t begin, length, row;
} piece;

// How a group adds to the panels. Groups with the same columns share one.
typedef struct scatter {
  int32_t n, ld;     // columns of the group, padded
  int32_t *source;   // n; sorted column -> column of the group
  int32_t nrun;
  run *run;          // nrun, by place
  int32_t *npiece;   // nrun
  piece **piece;     // nrun; the pieces of the columns of each run
} scatter;

// Scratch of one thread.
typedef struct workspace {
  double *G, *B, *C;      // of one group
  double *columns;        // of one panel: SN_KERNEL_LANES columns
  double *coefficients;   // SN_KERNEL_LANES a column
  piece *pieces;          // most intervals below a node
} workspace;

// Nodes whose columns one thread assembles: a part of the elimination tree.
typedef struct panel_part {
  int32_t nnode, ndof, ngroup;
  int32_t bad;      // pivots that were not positive
  int32_t *node;    // nnode, ascending
  int32_t *dof;     // rows of M with numbers there
  int32_t *group;   // groups that add there
} panel_part;

// Where a node below the subtrees comes from: interval `interval` below node `node` is of it.
typedef struct source {
  int32_t node, interval;
} source;

// How threads share the panels (division.c). Subtrees of the elimination tree do not change each
// other's columns, so each is assembled and factored by one thread. The nodes that are left, the
// top, are a part as well when it comes to assembling. They are factored one after the other, from
// the columns of their sources, whose contributions to different columns threads share.
typedef struct division {
  int32_t npart;      // the last is the top
  int32_t most;       // slices of the columns of a node of the top
  panel_part *part;
  int32_t *part_of;   // by node
  int32_t *nslice;    // by node of the top: 1: it takes so little that sharing gains nothing
  int32_t *nsource;   // by node of the top
  source **source;
  workspace *work;    // larger of npart and most
} division;

typedef struct hessian {
  lowrank *lowrank;          // NULL: the panels
  pattern pattern;
  const primal *primal;
  const sn_kernels *kernel;
  const scatter **scatter;   // a group
  int32_t *cone_at;          // nefc; cone that starts at a row, -1: none; NULL without cones
  double *value;             // panels: H, after hessian_factor its factor
  double *upper;             // panels: the upper triangle of an unsymmetric H, or NULL
  double *inertia;           // panels: M, where H is made often, or NULL
  const double *weight;      // nefc: C of rows that are not of cones; NULL: C of the primal
  const double *block;       // ncone x 36: C of cones, dim x dim each, by rows
  double *Dinv;              // nv, by place
  workspace work;
  division *division;        // NULL: one thread
  double *local;             // one column
  double *permuted;          // nv
} hessian;

// SN_ENOMEM
sn_status hessian_make(hessian *h, const primal *p, const sn_kernels *kernel, int dense,
                       sn_scratch *mem);
// Of one thread: H may become unsymmetric, and is assembled in less time.
sn_status hessian_make_unsymmetric(hessian *h, sn_scratch *mem);
// H at the point of the primal.
void hessian_assemble(hessian *h);
// Its factor, in place. Returns the number of pivots that were not positive.
int32_t hessian_factor(hessian *h);   // factor.c
// out = -H^-1 g, by the factor of either
void hessian_solve(const hessian *h, const double *g, double *out);   // factor.c

// division.c: where threads share it, h->division.
sn_status hessian_divide(hessian *h, int64_t rows, int64_t widest, sn_scratch *mem);
// Scratch for groups of so many rows and columns.
sn_status hessian_workspace(const hessian *h, int64_t rows, int64_t widest, workspace *w,
                            sn_scratch *mem);

// Where the rows of a panel from interval i on belong in the panel of that interval's node: pieces
// of a column; returns their number.
int32_t hessian_pieces(const hessian *h, const node *a, int32_t i, piece *out);   // factor.c
// The entries of a vector, by place, that are below a node into one piece, padded with zeros, and
// back.
void hessian_gather(const hessian *h, const node *a, double *local);           // factor.c
void hessian_scatter(const hessian *h, const node *a, const double *local);   // factor.c

#endif
