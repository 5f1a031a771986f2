// SPDX-License-Identifier: Apache-2.0
//
// Tests a passive force in random states of the kit's world: it adds to the forces before it; its
// derivative by velocity agrees with differences along each dof, on a dense pattern and on that of
// the tree; its stiffness agrees with them where it is largest; couplings between branches are
// declared; only `advance` changes the state, and less for a shorter time step. Forces of several
// simulations at once: passive_lanes.c.

#include "sinew/passive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/calls.h"
#include "conformance/difference.h"

enum { STATES = 5, MOST_DOFS = 32, MOST_KEPT = 4096 };
static const double add_tolerance = 1e-9;    // relative; sums in another order
static const double same_tolerance = 1e-12;  // relative; the same entry on two patterns
static const double stiff_tolerance = 0.1;   // relative; a part that is not stiff may be left out
static const double step = 0.002, shortest = 1e-11;   // s
static const double step_tolerance = 1e-3;   // of the change in the shortest step; relative

typedef struct pattern {
  sn_sparse rows;
  int32_t nnz[MOST_DOFS], adr[MOST_DOFS], col[MOST_DOFS * MOST_DOFS];
  int64_t n;   // entries
} pattern;

typedef struct bound_force {
  const void *self, *bound;
  int64_t nv, nstate;
  double *state;
  double h;                            // of `advance`, s
  int coupled[MOST_DOFS][MOST_DOFS];   // one is an ancestor of the other, or declared
  int stiff[MOST_DOFS][MOST_DOFS];     // the same, or declared for `stiffness`
  pattern dense, tree, wide;           // wide: with what is declared for `stiffness`
} bound_force;

typedef struct findings {
  kit_calls calls;
  int replaced, bad_couplings, compared;
  int64_t nstate;
  int advanced, stiff;   // how many were compared
  char states[96], finite[96], wrong[160], undeclared[160], patterns[128], jumps[128], soft[128];
} findings;

// ------------------------------------------------------------------ calls

static sn_status run_apply(const kit_call *call, sn_scratch *scratch) {
  const sn_passive_ops *ops = call->kit->provider->ops;
  const bound_force *b = call->context;
  return KIT_CALL(ops, apply)(b->self, b->bound, &call->world->data_view,
                              b->nstate ? b->state : NULL, call->output[0].memory, scratch);
}

static sn_status derive_on(const kit_call *call, const sn_sparse *rows, sn_scratch *scratch) {
  const sn_passive_ops *ops = call->kit->provider->ops;
  const bound_force *b = call->context;
  return KIT_CALL(ops, derivative)(b->self, b->bound, &call->world->data_view,
                                   b->nstate ? b->state : NULL, rows, call->output[0].memory,
                                   scratch);
}

static sn_status run_dense(const kit_call *call, sn_scratch *scratch) {
  return derive_on(call, &((const bound_force *)call->context)->dense.rows, scratch);
}

static sn_status run_tree(const kit_call *call, sn_scratch *scratch) {
  return derive_on(call, &((const bound_force *)call->context)->tree.rows, scratch);
}

static sn_status stiffness_on(const kit_call *call, const sn_sparse *rows, sn_scratch *scratch) {
  const sn_passive_ops *ops = call->kit->provider->ops;
  const bound_force *b = call->context;
  return KIT_CALL(ops, stiffness)(b->self, b->bound, &call->world->data_view,
                                  b->nstate ? b->state : NULL, rows, call->output[0].memory,
                                  scratch);
}

static sn_status run_stiffness(const kit_call *call, sn_scratch *scratch) {
  return stiffness_on(call, &((const bound_force *)call->context)->dense.rows, scratch);
}

static sn_status run_wide(const kit_call *call, sn_scratch *scratch) {
  return stiffness_on(call, &((const bound_force *)call->context)->wide.rows, scratch);
}

static sn_status run_advance(const kit_call *call, sn_scratch *scratch) {
  const sn_passive_ops *ops = call->kit->provider->ops;
  const bound_force *b = call->context;
  return KIT_CALL(ops, advance)(b->self, b->bound, &call->world->data_view, b->h,
                                call->output[0].memory, scratch);
}

static sn_status run_reset(const kit_call *call, sn_scratch *scratch) {
  const sn_passive_ops *ops = call->kit->provider->ops;
  const bound_force *b = call->context;
  (void)scratch;
  return KIT_CALL(ops, reset)(b->self, b->bound, &call->world->data_view, call->output[0].memory);
}

// A call with one output of n numbers, which are `start` before it.
static kit_call with_output(const char *operation, sn_status (*run)(const kit_call *, sn_scratch *),
                            const kit_world *w, const bound_force *b, const char *name, int64_t n,
                            const double *start) {
  return (kit_call){ .operation = operation,
                     .run = run,
                     .context = b,
                     .world = w,
                     .ninput = b->nstate > 0,
                     .input = { { "the state", b->state, 8 * b->nstate } },
                     .noutput = 1,
                     .output = { { name, 8 * n, start, NULL } } };
}

static void check_finite(const kit_call *call, findings *f) {
  const kit_output *o = &call->output[0];
  kit_judge_finite(call->operation, o->name, o->memory, o->bytes / 8, f->finite, sizeof f->finite);
}

// ------------------------------------------------------------------ forces

static int test_apply(kit *k, const kit_world *w, const bound_force *b, findings *f) {
  static const double zeros[MOST_DOFS];
  double earlier[MOST_DOFS];
  for (int i = 0; i < MOST_DOFS; i++) {
    earlier[i] = 10 * kit_random(k);
  }
  kit_call first = with_output("apply", run_apply, w, b, "qfrc", b->nv, zeros);
  kit_call second = with_output("apply", run_apply, w, b, "qfrc", b->nv, earlier);
  const int done = kit_calls_make(k, &f->calls, &first) && kit_calls_make(k, &f->calls, &second);
  if (done) {
    const double *alone = first.output[0].memory, *sum = second.output[0].memory;
    check_finite(&first, f);
    for (int64_t i = 0; i < b->nv; i++) {
      f->replaced |= fabs(sum[i] - alone[i] - earlier[i]) >
                     add_tolerance * (10 + fabs(alone[i]) + fabs(sum[i]));
    }
  }
  kit_call_free(&first);
  kit_call_free(&second);
  return done && !*f->finite;
}

// ------------------------------------------------------------------ derivatives

typedef struct along {
  kit *k;
  kit_world *w;
  const bound_force *b;
  int64_t dof;
  const double *direction;   // nv; of a change of position
} along;

static int force_at(void *context, double x, double *out) {
  const along *a = context;
  const sn_passive_ops *ops = a->k->provider->ops;
  const bound_force *b = a->b;
  snd_qvel(a->w->data)[a->dof] = x;
  kit_world_look(a->w);
  memset(out, 0, (size_t)b->nv * sizeof *out);
  const sn_status status = KIT_CALL(ops, apply)(b->self, b->bound, &a->w->data_view,
                                                b->nstate ? b->state : NULL, out, &a->k->scratch);
  kit_scratch_clear(a->k);
  return status >= 0;
}

// Column `dof` of D.
static void compare(const along *a, const double *D, const kit_slopes *truth, findings *f) {
  const bound_force *b = a->b;
  for (int64_t i = 0; i < b->nv; i++) {
    const double d = D[i * b->nv + a->dof];
    const int agrees = d >= truth->low[i] && d <= truth->high[i];
    f->compared++;
    // what is not declared has no place in the pattern of a simulation, even if it is written here
    const int is_undeclared = !b->coupled[i][a->dof] && (d != 0 || !agrees);
    if (agrees && !is_undeclared) {
      continue;
    }
    if (is_undeclared && !*f->undeclared) {
      snprintf(f->undeclared, sizeof f->undeclared,
               "the force on dof %lld depends on the velocity of dof %lld, which is in another "
               "branch of the tree; declare both dofs in `couples`",
               (long long)i, (long long)a->dof);
    }
    if (!agrees && (b->coupled[i][a->dof] || d != 0) && !*f->wrong) {
      snprintf(f->wrong, sizeof f->wrong,
               "d qfrc[%lld] / d qvel[%lld] is %.9g; differences of apply give %.9g", (long long)i,
               (long long)a->dof, d, truth->value[i]);
    }
  }
}

static void compare_columns(kit *k, kit_world *w, const bound_force *b, const double *D,
                            findings *f) {
  for (int64_t dof = 0; dof < b->nv; dof++) {
    along a = { .k = k, .w = w, .b = b, .dof = dof };
    const double before = snd_qvel(w->data)[dof];
    kit_slopes truth;
    if (kit_difference(force_at, &a, before, b->nv, &truth)) {
      compare(&a, D, &truth, f);
    }
    snd_qvel(w->data)[dof] = before;
  }
  kit_world_look(w);
}

// The entries on a sparse pattern are those on the dense one, added to what was there.
static void compare_patterns(const bound_force *b, const pattern *p, const char *matrix,
                             const double *dense, const double *sparse, findings *f) {
  for (int64_t i = 0; i < b->nv; i++) {
    for (int32_t n = 0; n < p->nnz[i]; n++) {
      const int64_t at = p->adr[i] + n, col = p->col[at];
      const double a = dense[i * b->nv + col], t = sparse[at] - 1;
      if (!(fabs(a - t) <= same_tolerance * (1 + fabs(a))) && !*f->patterns) {
        snprintf(f->patterns, sizeof f->patterns,
                 "%.9g is added to entry (%lld, %lld) of %s on a dense pattern, %.9g on a sparse "
                 "one",
                 a, (long long)i, (long long)col, matrix, t);
      }
    }
  }
}

static void find_undeclared(const bound_force *b, const double *K, findings *f) {
  for (int64_t i = 0; i < b->nv; i++) {
    for (int64_t j = 0; j < b->nv; j++) {
      if (K[i * b->nv + j] != 0 && !b->stiff[i][j] && !*f->undeclared) {
        snprintf(f->undeclared, sizeof f->undeclared,
                 "stiffness writes entry (%lld, %lld) of K, of dofs in two branches of the tree; "
                 "declare both dofs in `couples`",
                 (long long)i, (long long)j);
      }
    }
  }
}

static void test_stiffness(kit *k, const kit_world *w, const bound_force *b, findings *f) {
  static const double zeros[MOST_DOFS * MOST_DOFS];
  double ones[MOST_DOFS * MOST_DOFS];
  for (int i = 0; i < MOST_DOFS * MOST_DOFS; i++) {
    ones[i] = 1;
  }
  kit_call dense = with_output("stiffness", run_stiffness, w, b, "K", b->dense.n, zeros);
  kit_call wide = with_output("stiffness", run_wide, w, b, "K", b->wide.n, ones);
  if (kit_calls_make(k, &f->calls, &dense)) {
    check_finite(&dense, f);
    find_undeclared(b, dense.output[0].memory, f);
    if (kit_calls_make(k, &f->calls, &wide)) {
      compare_patterns(b, &b->wide, "K", dense.output[0].memory, wide.output[0].memory, f);
    }
  }
  kit_call_free(&dense);
  kit_call_free(&wide);
}

// The force along a direction, at the position that is reached from qpos0 in this direction.
static int force_along(void *context, double x, double *out) {
  const along *a = context;
  const sn_passive_ops *ops = a->k->provider->ops;
  const bound_force *b = a->b;
  const sn_model *m = a->w->model;
  double force[MOST_DOFS] = { 0 };
  memcpy(snd_qpos(a->w->data), snm_qpos0(m), (size_t)snm_nq(m) * sizeof(double));
  sn_integrate_position(m, snd_qpos(a->w->data), a->direction, x);
  kit_world_look(a->w);
  const sn_status status = KIT_CALL(ops, apply)(b->self, b->bound, &a->w->data_view,
                                                b->nstate ? b->state : NULL, force, &a->k->scratch);
  kit_scratch_clear(a->k);
  out[0] = 0;
  for (int64_t i = 0; i < b->nv; i++) {
    out[0] += a->direction[i] * force[i];
  }
  return status >= 0;
}

// The eigenvector of (K + K') / 2 with the largest eigenvalue, which it returns, by iteration from
// its largest column. direction: nv, a unit vector.
static double find_stiffest(const double *K, int64_t nv, double *direction) {
  enum { ITERATIONS = 200 };
  double value = 0, product[MOST_DOFS];
  for (int64_t j = 0; j < nv; j++) {
    double column[MOST_DOFS], square = 0;
    for (int64_t i = 0; i < nv; i++) {
      column[i] = (K[i * nv + j] + K[j * nv + i]) / 2;
      square += column[i] * column[i];
    }
    if (square > value) {
      value = square;
      memcpy(direction, column, (size_t)nv * sizeof *column);
    }
  }
  for (int n = 0; n < ITERATIONS && value != 0; n++) {
    double square = 0;
    for (int64_t i = 0; i < nv; i++) {
      square += direction[i] * direction[i];
    }
    value = 0;
    for (int64_t i = 0; i < nv; i++) {
      direction[i] /= sqrt(square);
    }
    for (int64_t i = 0; i < nv; i++) {
      product[i] = 0;
      for (int64_t j = 0; j < nv; j++) {
        product[i] += (K[i * nv + j] + K[j * nv + i]) / 2 * direction[j];
      }
      value += direction[i] * product[i];
    }
    if (n + 1 < ITERATIONS) {
      memcpy(direction, product, (size_t)nv * sizeof *product);
    }
  }
  return value;
}

// At qpos0, where few forces have parts that depend on the direction of a stretched spring.
static void test_stiffest(kit *k, kit_world *w, const bound_force *b, findings *f) {
  static const double zeros[MOST_DOFS * MOST_DOFS];
  double direction[MOST_DOFS] = { 0 };
  along a = { .k = k, .w = w, .b = b, .direction = direction };
  double force;
  memset(snd_qvel(w->data), 0, (size_t)b->nv * sizeof(double));
  kit_call call = with_output("stiffness", run_stiffness, w, b, "K", b->dense.n, zeros);
  if (force_along(&a, 0, &force) && kit_calls_make(k, &f->calls, &call)) {
    const double value = find_stiffest(call.output[0].memory, b->nv, direction);
    const double capacity = stiff_tolerance * fabs(value);
    kit_slopes truth;
    if (value != 0 && kit_difference(force_along, &a, 0, 1, &truth)) {
      f->stiff++;
      if (!(value >= truth.low[0] - capacity && value <= truth.high[0] + capacity) && !*f->soft) {
        snprintf(f->soft, sizeof f->soft,
                 "in the direction in which K is largest it is %.4g; differences of apply give "
                 "%.4g",
                 value, truth.value[0]);
      }
    }
  }
  kit_call_free(&call);
}

static void test_derive(kit *k, kit_world *w, const bound_force *b, findings *f) {
  static const double zeros[MOST_DOFS * MOST_DOFS];
  double ones[MOST_DOFS * MOST_DOFS];
  for (int i = 0; i < MOST_DOFS * MOST_DOFS; i++) {
    ones[i] = 1;
  }
  kit_call dense = with_output("derivative", run_dense, w, b, "D", b->dense.n, zeros);
  kit_call tree = with_output("derivative", run_tree, w, b, "D", b->tree.n, ones);
  dense.input[dense.ninput++] = (kit_input){ "the pattern", &b->dense, sizeof b->dense };
  tree.input[tree.ninput++] = (kit_input){ "the pattern", &b->tree, sizeof b->tree };
  if (kit_calls_make(k, &f->calls, &dense)) {
    check_finite(&dense, f);
    if (kit_calls_make(k, &f->calls, &tree)) {
      compare_patterns(b, &b->tree, "D", dense.output[0].memory, tree.output[0].memory, f);
    }
    if (!*f->calls.failure[KIT_REPEAT] && !*f->finite) {
      compare_columns(k, w, b, dense.output[0].memory, f);
    }
  }
  kit_call_free(&dense);
  kit_call_free(&tree);
}

// ------------------------------------------------------------------ patterns

static sn_status couple(bound_force *b, int (*coupled)[MOST_DOFS], int64_t n, const int32_t *dof) {
  for (int64_t i = 0; i < n; i++) {
    if (dof[i] < 0 || dof[i] >= b->nv) {
      return SN_EPLUGIN;
    }
  }
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < n; j++) {
      coupled[dof[i]][dof[j]] = 1;
    }
  }
  return SN_OK;
}

static sn_status add_coupling(sn_couplings *couplings, int64_t n, const int32_t *dof) {
  bound_force *b = couplings->context;
  return couple(b, b->stiff, n, dof) < 0 ? SN_EPLUGIN : couple(b, b->coupled, n, dof);
}

static sn_status add_stiff(sn_couplings *couplings, int64_t n, const int32_t *dof) {
  bound_force *b = couplings->context;
  return couple(b, b->stiff, n, dof);
}

// coupled: NULL for all entries.
static void fill_pattern(const bound_force *b, int (*coupled)[MOST_DOFS], pattern *p) {
  p->n = 0;
  for (int64_t i = 0; i < b->nv; i++) {
    p->adr[i] = (int32_t)p->n;
    for (int64_t j = 0; j < b->nv; j++) {
      if (!coupled || coupled[i][j]) {
        p->col[p->n++] = (int32_t)j;
      }
    }
    p->nnz[i] = (int32_t)p->n - p->adr[i];
  }
  p->rows = (sn_sparse){
    .nnz = p->nnz, .adr = p->adr, .col = p->col, .nrow = b->nv, .ncol = b->nv
  };
}

// The pattern of the tree has no declared couplings: with SN_PASSIVE_TREE_ONLY they are left out.
static void make_patterns(const kit *k, const kit_world *w, bound_force *b, findings *f) {
  const sn_passive_ops *ops = k->provider->ops;
  const int32_t *parent = snm_dof_parentid(w->model);
  sn_couplings couplings = {
    .size = sizeof couplings, .context = b, .add = add_coupling, .add_stiff = add_stiff
  };
  for (int32_t i = 0; i < b->nv; i++) {
    for (int32_t j = i; j >= 0; j = parent[j]) {
      const int32_t pair[2] = { i, j };
      add_coupling(&couplings, 2, pair);
    }
  }
  const int is_tree = (ops->head.flags & SN_PASSIVE_TREE_ONLY) != 0;
  if (is_tree) {
    fill_pattern(b, b->coupled, &b->tree);
  }
  f->bad_couplings |= ops->couples && KIT_CALL(ops, couples)(b->self, b->bound, &couplings) < 0;
  if (!is_tree) {
    fill_pattern(b, b->coupled, &b->tree);
  }
  fill_pattern(b, b->stiff, &b->wide);
  fill_pattern(b, NULL, &b->dense);
}

// ------------------------------------------------------------------ tests

// One call of reset or advance, whose result is the new state.
static void set_state(kit *k, const kit_world *w, bound_force *b, const char *operation,
                      sn_status (*run)(const kit_call *, sn_scratch *), findings *f) {
  kit_call call = with_output(operation, run, w, b, "state", b->nstate, b->state);
  if (kit_calls_make(k, &f->calls, &call)) {
    check_finite(&call, f);
    memcpy(b->state, call.output[0].memory, (size_t)b->nstate * sizeof *b->state);
  }
  kit_call_free(&call);
}

// A state that depends on the time step changes less in a shorter one. One that does not, such as a
// velocity that is kept, may be anything.
static void test_advance(kit *k, const kit_world *w, bound_force *b, findings *f) {
  const double *before = b->state;
  b->h = shortest;
  kit_call least = with_output("advance", run_advance, w, b, "state", b->nstate, before);
  const int is_made = kit_calls_make(k, &f->calls, &least);
  b->h = step;
  kit_call most = with_output("advance", run_advance, w, b, "state", b->nstate, before);
  if (is_made && kit_calls_make(k, &f->calls, &most)) {
    const double *after = most.output[0].memory, *soon = least.output[0].memory;
    for (int64_t i = 0; i < b->nstate; i++) {
      const double change = fabs(soon[i] - before[i]);
      f->advanced += soon[i] != after[i];
      if (soon[i] != after[i] && !*f->jumps &&
          !(change <=
            step_tolerance * fabs(after[i] - before[i]) + add_tolerance * (1 + fabs(before[i])))) {
        snprintf(f->jumps, sizeof f->jumps,
                 "in a step of %g s, state[%lld] changes by %.4g; the change must go to zero with "
                 "the time step",
                 shortest, (long long)i, soon[i] - before[i]);
      }
    }
  }
  kit_call_free(&least);
  kit_call_free(&most);
}

static void test_states(kit *k, kit_world *w, bound_force *b, findings *f) {
  const sn_passive_ops *ops = k->provider->ops;
  if (b->nstate > 0 && ops->reset) {
    set_state(k, w, b, "reset", run_reset, f);
  }
  for (int i = 0; i < STATES && !*f->finite; i++) {
    kit_world_move(k, w);
    if (test_apply(k, w, b, f) && ops->derivative) {
      test_derive(k, w, b, f);
    }
    if (ops->stiffness && !*f->finite) {
      test_stiffness(k, w, b, f);
    }
    if (b->nstate > 0) {
      test_advance(k, w, b, f);
      set_state(k, w, b, "advance", run_advance, f);
    }
  }
}

static void test_bound(kit *k, kit_world *w, const void *bound, const kit_attributes *attributes,
                       void *context) {
  const sn_passive_ops *ops = k->provider->ops;
  findings *f = context;
  bound_force *b = calloc(1, sizeof *b);
  (void)attributes;
  if (!b) {
    return;
  }
  b->self = k->self;
  b->bound = bound;
  b->nv = snm_nv(w->model);
  b->h = step;
  b->nstate = ops->states ? KIT_CALL(ops, states)(k->self, bound) : 0;
  const int64_t again = ops->states ? KIT_CALL(ops, states)(k->self, bound) : 0;
  if (!*f->states) {
    kit_judge_states(b->nstate, again, ops->advance != NULL, f->states, sizeof f->states);
  }
  f->nstate = b->nstate > f->nstate ? b->nstate : f->nstate;
  const int is_tested = !*f->states && b->nstate <= MOST_KEPT;
  b->state = is_tested ? calloc((size_t)b->nstate + 1, sizeof *b->state) : NULL;
  if (b->state && b->nv <= MOST_DOFS) {
    make_patterns(k, w, b, f);
    test_states(k, w, b, f);
    if (ops->stiffness && !*f->finite) {
      test_stiffest(k, w, b, f);
    }
  }
  free(b->state);
  free(b);
}

static void report_states(kit *k, const findings *f) {
  if (*f->states) {
    kit_report(k, "states", KIT_FAILED, "%s", f->states);
  } else if (f->nstate > MOST_KEPT) {
    kit_report(k, "states", KIT_SKIPPED, "%lld state variables; the kit tests at most %d",
               (long long)f->nstate, MOST_KEPT);
  } else {
    kit_report(k, "states", KIT_PASSED, "%lld state variables", (long long)f->nstate);
  }
}

// Of what depends on more than its input, nothing else follows.
static void report(kit *k, const findings *f) {
  if (*f->calls.failure[KIT_REPEAT]) {
    kit_calls_report(k, &f->calls);
    return;
  }
  const sn_passive_ops *ops = k->provider->ops;
  report_states(k, f);
  kit_check(k, "finite", !*f->finite, "%s", *f->finite ? f->finite : "all numbers are finite");
  kit_check(k, "forces", !f->replaced, "%s",
            f->replaced ? "apply overwrites what is in qfrc before the call; it must add to it"
                        : "apply adds to what is in qfrc");
  if (ops->couples || *f->undeclared) {
    kit_check(k, "couplings", !f->bad_couplings && !*f->undeclared, "%s",
              f->bad_couplings   ? "couples fails, or declares a dof that the model does not have"
              : *f->undeclared ? f->undeclared
                               : "all that the force has between branches are declared");
  }
  if (f->compared > 0) {
    kit_check(k, "derivative", !*f->wrong, "%s",
              *f->wrong ? f->wrong : "D agrees with differences of the force");
  }
  if (f->compared > 0 || ops->stiffness) {
    kit_check(k, "pattern", !*f->patterns, "%s",
              *f->patterns ? f->patterns
                           : "entries are the same on a dense and on a sparse pattern");
  }
  if (f->stiff > 0) {
    kit_check(k, "stiffness", !*f->soft, "%s",
              *f->soft ? f->soft : "where K is largest, it agrees with differences of the force");
  }
  if (f->advanced > 0) {
    kit_check(k, "advance", !*f->jumps, "%s",
              *f->jumps ? f->jumps : "the change of the state goes to zero with the time step");
  }
  kit_calls_report(k, &f->calls);
}

void kit_passive(kit *k) {
  const sn_passive_ops *ops = k->provider->ops;
  const kit_binding binding = { ops->attributes, ops->bind, ops->unbind };
  findings f = { .nstate = 0 };
  if (!ops->bind || !ops->unbind || !ops->apply) {
    kit_report(k, "operations", KIT_FAILED, "bind, unbind or apply is missing");
  } else if (kit_bind_each(k, &binding, test_bound, &f) > 0) {
    if (ops->apply_lanes) {
      kit_passive_lanes(k, &f.calls);
    }
    report(k, &f);
    if (ops->head.flags & SN_PASSIVE_INTERNAL && !*f.calls.failure[KIT_STATUS] &&
        !*f.calls.failure[KIT_MEMORY] && !*f.calls.failure[KIT_REPEAT] && !*f.finite) {
      kit_momentum(k);
    }
  }
}
