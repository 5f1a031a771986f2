// SPDX-License-Identifier: Apache-2.0
//
// Tests a constraint in random states of the kit's world: J against central differences of the
// residual along each dof, on the manifold of quaternions; reference velocities against differences
// of the residual by time; sizes and kinds of rows; that the result depends on positions and time
// alone.

#include "sinew/constraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum { STATES = 5, MOST_DOFS = 64, GUARD = 8 };
static const double step = 1e-6;         // of the differences, m or rad
static const double tolerance = 1e-6;    // of J, relative to its largest element and to 1

typedef struct bound_constraint {
  const void *self, *bound;
  int64_t rows, nv, limits;
  int declared[MOST_DOFS];
} bound_constraint;

typedef struct findings {
  kit_calls calls;
  int bad_sizes, by_velocity;
  double error, hidden;        // largest relative errors: of J, of dofs that were not declared
  double drift;                // largest error of a reference velocity
  int64_t drift_row;
  double velocity, by_time;    // there: the reference velocity, minus the derivative by time
  int64_t row[2], dof[2];      // where
  double J, difference;        // at the first
  int64_t rows, limits;
  int not_finite, ignored;     // ignored: J is not zero at a dof that was not declared
  int evaluated, moves;        // moves: J is not zero everywhere
} findings;

// ------------------------------------------------------------------ calls

enum { RESIDUAL, JACOBIAN, NOUTPUTS };

static sn_status run_evaluate(const kit_call *call, sn_scratch *scratch) {
  const sn_constraint_ops *ops = call->kit->provider->ops;
  const bound_constraint *c = call->context;
  return KIT_CALL(ops, evaluate)(c->self, c->bound, &call->world->data_view,
                                 call->output[RESIDUAL].memory, call->output[JACOBIAN].memory,
                                 scratch);
}

static kit_call evaluate(const kit_world *w, const bound_constraint *c, const double *zeros) {
  return (kit_call){ .operation = "evaluate",
                     .run = run_evaluate,
                     .context = c,
                     .world = w,
                     .noutput = NOUTPUTS,
                     .output = { { "residual", 8 * c->rows, zeros, NULL },
                                 { "J", 8 * c->rows * c->nv, zeros, NULL } } };
}

static sn_status run_velocity(const kit_call *call, sn_scratch *scratch) {
  const sn_constraint_ops *ops = call->kit->provider->ops;
  const bound_constraint *c = call->context;
  return KIT_CALL(ops, velocity)(c->self, c->bound, &call->world->data_view, call->output[0].memory,
                                 scratch);
}

static kit_call velocity(const kit_world *w, const bound_constraint *c, const double *zeros) {
  return (kit_call){ .operation = "velocity",
                     .run = run_velocity,
                     .context = c,
                     .world = w,
                     .noutput = 1,
                     .output = { { "velocity", 8 * c->rows, zeros, NULL } } };
}

// ------------------------------------------------------------------ J and the reference velocity

// The residual at the present state. There is room around the outputs, because what writes outside
// of them is already reported, and must not end the test.
static int residual_now(kit *k, kit_world *w, const kit_call *call, double *out) {
  enum { ROOM = 64 };
  const bound_constraint *c = call->context;
  const sn_constraint_ops *ops = k->provider->ops;
  double *memory = calloc((size_t)(c->rows + c->rows * c->nv + 3 * ROOM), sizeof *memory);
  if (!memory) {
    return 0;
  }
  double *residual = memory + ROOM, *J = residual + c->rows + ROOM;
  kit_world_look(w);
  const int done = KIT_CALL(ops, evaluate)(c->self, c->bound, &w->data_view, residual, J,
                                           &k->scratch) >= 0;
  memcpy(out, residual, (size_t)c->rows * sizeof *out);
  kit_scratch_clear(k);
  free(memory);
  return done;
}

// The residual at the position q, moved by h along a dof.
static int residual_at(kit *k, kit_world *w, const kit_call *call, const double *q, int64_t dof,
                       double h, double *out) {
  double along[MOST_DOFS] = { 0 };
  along[dof] = 1;
  memcpy(snd_qpos(w->data), q, (size_t)snm_nq(w->model) * sizeof *q);
  sn_integrate_position(w->model, snd_qpos(w->data), along, h);
  return residual_now(k, w, call, out);
}

// u = -dr/dt at constant positions.
static void test_velocity(kit *k, kit_world *w, const kit_call *call, const double *u,
                          findings *f) {
  const bound_constraint *c = call->context;
  double *low = calloc((size_t)(2 * c->rows), sizeof *low), *time = snd_time(w->data);
  if (!low) {
    return;
  }
  double *high = low + c->rows;
  const double now = *time;
  *time = now - step;
  int done = residual_now(k, w, call, low);
  const double before = *time;
  *time = now + step;
  const double interval = *time - before;
  done &= residual_now(k, w, call, high);
  for (int64_t row = 0; done && row < c->rows; row++) {
    const double found = (low[row] - high[row]) / interval;
    const double drift = fabs(u[row] - found) / fmax(1, fabs(found));
    if (drift > f->drift) {
      f->drift = drift;
      f->drift_row = row;
      f->velocity = u[row];
      f->by_time = found;
    }
  }
  *time = now;
  kit_world_look(w);
  free(low);
}

static void compare(findings *f, const bound_constraint *c, int64_t row, int64_t dof, double J,
                    double difference, double scale) {
  const double error = fabs(J - difference) / scale;
  f->moves |= J != 0;
  if (!c->declared[dof]) {
    f->ignored |= J != 0;
    if (fabs(difference) / scale > f->hidden) {
      f->hidden = fabs(difference) / scale;
      f->row[1] = row;
      f->dof[1] = dof;
    }
  } else if (error > f->error) {
    f->error = error;
    f->J = J;
    f->difference = difference;
    f->row[0] = row;
    f->dof[0] = dof;
  }
}

static void test_jacobian(kit *k, kit_world *w, const kit_call *call, findings *f) {
  const bound_constraint *c = call->context;
  const double *J = call->output[JACOBIAN].memory;
  const int64_t nq = snm_nq(w->model), rows = c->rows;
  double *q = malloc((size_t)(nq + 2 * rows) * sizeof *q), scale = 1;
  if (!q) {
    return;
  }
  double *low = q + nq, *high = low + rows;
  memcpy(q, snd_qpos(w->data), (size_t)nq * sizeof *q);
  for (int64_t i = 0; i < rows * c->nv; i++) {
    scale = fmax(scale, fabs(J[i]));
  }
  for (int64_t dof = 0; dof < c->nv; dof++) {
    if (residual_at(k, w, call, q, dof, -step, low) &&
        residual_at(k, w, call, q, dof, step, high)) {
      for (int64_t row = 0; row < rows; row++) {
        compare(f, c, row, dof, J[row * c->nv + dof], (high[row] - low[row]) / (2 * step), scale);
      }
    }
  }
  memcpy(snd_qpos(w->data), q, (size_t)nq * sizeof *q);
  kit_world_look(w);
  free(q);
}

// ------------------------------------------------------------------ tests

static int read_kinds(kit *k, bound_constraint *c) {
  const sn_constraint_ops *ops = k->provider->ops;
  int32_t *kind = calloc((size_t)c->rows + 2 * GUARD, sizeof *kind), wrong = 0;
  for (int64_t i = 0; kind && i < c->rows + 2 * GUARD; i++) {
    kind[i] = i < GUARD || i >= GUARD + c->rows ? (int32_t)0xa5a5a5a5 : 0;
  }
  if (kind && ops->kinds) {
    KIT_CALL(ops, kinds)(c->self, c->bound, kind + GUARD);
  }
  for (int64_t i = 0; kind && !wrong && i < c->rows + 2 * GUARD; i++) {
    const int inside = i >= GUARD && i < GUARD + c->rows;
    wrong = inside ? kind[i] != SN_CONSTRAINT_EQUATION && kind[i] != SN_CONSTRAINT_LIMIT
                   : kind[i] != (int32_t)0xa5a5a5a5;
    c->limits += inside && kind[i] == SN_CONSTRAINT_LIMIT;
    if (wrong) {
      kit_report(k, "sizes", KIT_FAILED,
                 inside ? "kinds writes %d, which is not a kind of rows"
                        : "kinds writes outside of its memory",
                 kind[i]);
    }
  }
  free(kind);
  return !wrong;
}

// rows, dofs and kinds; false: they are wrong, which was reported.
static int read_sizes(kit *k, const kit_world *w, bound_constraint *c) {
  const sn_constraint_ops *ops = k->provider->ops;
  int32_t dof[MOST_DOFS + 2 * GUARD];
  c->nv = snm_nv(w->model);
  c->rows = KIT_CALL(ops, rows)(c->self, c->bound);
  memset(dof, 0xa5, sizeof dof);
  const int64_t n = KIT_CALL(ops, dofs)(c->self, c->bound, dof + GUARD);
  if (c->rows < 1 || c->rows > SN_MAX_CONSTRAINT_ROWS || n < 0 || n > c->nv) {
    kit_report(k, "sizes", KIT_FAILED, "%lld rows, 1 to %d are allowed; %lld dofs of %lld",
               (long long)c->rows, SN_MAX_CONSTRAINT_ROWS, (long long)n, (long long)c->nv);
    return 0;
  }
  for (int64_t i = 0; i < MOST_DOFS + 2 * GUARD; i++) {
    const int64_t at = i - GUARD;
    const int inside = at >= 0 && at < n;
    const int valid = inside ? dof[i] >= 0 && dof[i] < c->nv && !c->declared[dof[i]]
                             : (at >= 0 && at < c->nv) || dof[i] == (int32_t)0xa5a5a5a5;
    if (!valid) {
      kit_report(k, "sizes", KIT_FAILED,
                 inside ? "dofs writes %d, which is not a dof of the model or was written before"
                        : "dofs writes outside of its memory",
                 dof[i]);
      return 0;
    }
    if (inside) {
      c->declared[dof[i]] = 1;
    }
  }
  return read_kinds(k, c);
}

// The outputs of two calls are the same bits.
static int same_outputs(const kit_call *a, const kit_call *b) {
  int same = 1;
  for (int i = 0; i < a->noutput; i++) {
    same &= memcmp(a->output[i].memory, b->output[i].memory, (size_t)a->output[i].bytes) == 0;
  }
  return same;
}

// Calls `velocity` in the present state and after velocities have changed; first: the call of
// `evaluate` in this state.
static void test_reference(kit *k, kit_world *w, const bound_constraint *c, const double *zeros,
                           const kit_call *first, findings *f) {
  const sn_constraint_ops *ops = k->provider->ops;
  kit_call now = velocity(w, c, zeros), later = velocity(w, c, zeros);
  if (!ops->velocity) {
    test_velocity(k, w, first, zeros, f);
  } else if (kit_calls_make(k, &f->calls, &now)) {
    f->not_finite |= !kit_finite(now.output[0].memory, c->rows);
    test_velocity(k, w, first, now.output[0].memory, f);
    kit_world_push(k, w);
    f->by_velocity |= kit_calls_make(k, &f->calls, &later) && !same_outputs(&now, &later);
  }
  kit_call_free(&now);
  kit_call_free(&later);
}

static void test_state(kit *k, kit_world *w, const bound_constraint *c, const double *zeros,
                       findings *f) {
  kit_call first = evaluate(w, c, zeros), other = evaluate(w, c, zeros);
  if (kit_calls_make(k, &f->calls, &first)) {
    f->not_finite |= !kit_finite(first.output[0].memory, c->rows) ||
                     !kit_finite(first.output[1].memory, c->rows * c->nv);
    f->evaluated = 1;
    test_jacobian(k, w, &first, f);
    kit_world_push(k, w);
    f->by_velocity |= kit_calls_make(k, &f->calls, &other) && !same_outputs(&first, &other);
    test_reference(k, w, c, zeros, &first, f);
  }
  kit_call_free(&first);
  kit_call_free(&other);
}

static void test_bound(kit *k, kit_world *w, const void *bound, const kit_attributes *attributes,
                       void *context) {
  findings *f = context;
  bound_constraint c = { .self = k->self, .bound = bound };
  (void)attributes;
  if (snm_nv(w->model) > MOST_DOFS || !read_sizes(k, w, &c)) {
    f->bad_sizes++;
    return;
  }
  double *zeros = calloc((size_t)(c.rows * c.nv), sizeof *zeros);
  f->rows = c.rows > f->rows ? c.rows : f->rows;
  f->limits = c.limits > f->limits ? c.limits : f->limits;
  for (int i = 0; i < STATES && zeros; i++) {
    kit_world_move(k, w);
    test_state(k, w, &c, zeros, f);
  }
  free(zeros);
}

static void report(kit *k, const findings *f) {
  if (f->bad_sizes > 0) {
    return;   // which was reported
  }
  kit_report(k, "sizes", KIT_PASSED, "at most %lld rows, %lld of them limits; dofs are valid",
             (long long)f->rows, (long long)f->limits);
  kit_require(k, "finite", !f->not_finite, "all numbers are finite",
              "a residual, a number of J or a reference velocity is not finite");
  if (f->evaluated && !f->moves) {
    kit_report(k, "derivative", KIT_SKIPPED, "J is zero in all states of the model of the kit");
  } else if (f->error <= tolerance) {
    kit_report(k, "derivative", KIT_PASSED, "J and differences of the residual differ by %.1e",
               f->error);
  } else {
    kit_report(k, "derivative", KIT_FAILED,
               "J of row %lld at dof %lld is %.9g, differences of the residual give %.9g",
               (long long)f->row[0], (long long)f->dof[0], f->J, f->difference);
  }
  if (f->hidden > tolerance || f->ignored) {
    kit_report(k, "dofs", KIT_FAILED,
               "row %lld depends on dof %lld, which is not among its declared dofs",
               (long long)f->row[1], (long long)f->dof[1]);
  } else {
    kit_report(k, "dofs", KIT_PASSED, "the rows depend on the declared dofs only");
  }
  if (f->drift <= tolerance) {
    kit_report(k, "reference", KIT_PASSED,
               "reference velocities and differences of the residual by time differ by %.1e",
               f->drift);
  } else {
    kit_report(k, "reference", KIT_FAILED,
               "the reference velocity of row %lld is %.9g; the residual changes with time by %.9g "
               "per second, so it must be %.9g",
               (long long)f->drift_row, f->velocity, -f->by_time, f->by_time);
  }
  kit_check(k, "positions only", !f->by_velocity,
            f->by_velocity ? "the result depends on velocities or controls; it may depend on "
                             "positions and time only"
                           : "at other velocities, the same bits");
  kit_calls_report(k, &f->calls);
}

void kit_constraint(kit *k) {
  const sn_constraint_ops *ops = k->provider->ops;
  const kit_binding binding = { ops->attributes, ops->bind, ops->unbind };
  findings f = { .error = 0 };
  if (kit_bind_each(k, &binding, test_bound, &f) > 0) {
    report(k, &f);
  }
}
