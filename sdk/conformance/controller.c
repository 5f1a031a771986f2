// SPDX-License-Identifier: Apache-2.0
//
// Tests a controller, first operation by operation in random states of the kit's world; then as a
// part of the dynamics, in an engine of the kit: a simulation whose state is set back, one that is
// copied, and one with more evaluations than steps must all go on with the same bits.

#include "sinew/controller.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum { STATES = 5, STEPS = 20 };
static const double add_tolerance = 1e-9;   // relative; sums in another order

typedef struct bound_controller {
  const void *self, *bound;
  int64_t nu, nv, nstate;
  double *state;
} bound_controller;

typedef struct findings {
  kit_calls calls;
  int replaced, state_changed;
  int64_t nstate, runs;
  char finite[96];
  char states[96];           // what is wrong with their number
  char differs[160];         // of the closed loop
  char failure[256];
} findings;

// ------------------------------------------------------------------ operations

enum { CTRL, QFRC };

static sn_status run_control(const kit_call *call, sn_scratch *scratch) {
  const sn_controller_ops *ops = call->kit->provider->ops;
  const bound_controller *c = call->context;
  sn_controls out = { .size = sizeof out,
                      .ctrl = call->output[CTRL].memory,
                      .qfrc = call->output[QFRC].memory };
  const sn_controls before = out;
  const sn_status status = KIT_CALL(ops, control)(c->self, c->bound, &call->world->data_view,
                                                  c->nstate ? c->state : NULL, &out, scratch);
  return kit_same_struct(status, &out, &before, sizeof out);
}

static sn_status run_advance(const kit_call *call, sn_scratch *scratch) {
  const sn_controller_ops *ops = call->kit->provider->ops;
  const bound_controller *c = call->context;
  return KIT_CALL(ops, advance)(c->self, c->bound, &call->world->data_view, 0.002,
                                call->output[0].memory, scratch);
}

static sn_status run_reset(const kit_call *call, sn_scratch *scratch) {
  const sn_controller_ops *ops = call->kit->provider->ops;
  const bound_controller *c = call->context;
  (void)scratch;
  return KIT_CALL(ops, reset)(c->self, c->bound, &call->world->data_view, call->output[0].memory);
}

static kit_call control(const kit_world *w, const bound_controller *c, const double *ctrl,
                        const double *qfrc) {
  return (kit_call){ .operation = "control",
                     .run = run_control,
                     .context = c,
                     .world = w,
                     .noutput = 2,
                     .output = { [CTRL] = { "ctrl", 8 * c->nu, ctrl, NULL },
                                 [QFRC] = { "qfrc", 8 * c->nv, qfrc, NULL } } };
}

static void check_finite(const kit_call *call, int output, findings *f) {
  const kit_output *o = &call->output[output];
  kit_judge_finite(call->operation, o->name, o->memory, o->bytes / 8, f->finite, sizeof f->finite);
}

// Forces are added to those of earlier controllers, whatever they are.
static void test_control(kit *k, const kit_world *w, const bound_controller *c, findings *f) {
  double earlier[64], zeros[64] = { 0 };
  for (int i = 0; i < 64; i++) {
    earlier[i] = 10 * kit_random(k);
  }
  kit_call first = control(w, c, snd_ctrl(w->data), zeros);
  kit_call second = control(w, c, snd_ctrl(w->data), earlier);
  if (kit_calls_make(k, &f->calls, &first) && kit_calls_make(k, &f->calls, &second)) {
    const double *alone = first.output[QFRC].memory, *sum = second.output[QFRC].memory;
    check_finite(&first, CTRL, f);
    check_finite(&first, QFRC, f);
    for (int64_t i = 0; i < c->nv; i++) {
      f->replaced |= fabs(sum[i] - alone[i] - earlier[i]) >
                     add_tolerance * (10 + fabs(alone[i]) + fabs(sum[i]));
    }
  }
  kit_call_free(&first);
  kit_call_free(&second);
}

// One call of reset or advance, whose result is the new state.
static void test_state(kit *k, const kit_world *w, bound_controller *c, const char *operation,
                       sn_status (*run)(const kit_call *, sn_scratch *), findings *f) {
  kit_call call = { .operation = operation,
                    .run = run,
                    .context = c,
                    .world = w,
                    .noutput = 1,
                    .output = { { "state", 8 * c->nstate, c->state, NULL } } };
  if (kit_calls_make(k, &f->calls, &call)) {
    check_finite(&call, 0, f);
    memcpy(c->state, call.output[0].memory, (size_t)c->nstate * sizeof(double));
  }
  kit_call_free(&call);
}

static void test_operations(kit *k, kit_world *w, bound_controller *c, findings *f) {
  const sn_controller_ops *ops = k->provider->ops;
  double *before = malloc((size_t)(c->nstate + 1) * sizeof *before);
  if (c->nstate > 0 && ops->reset) {
    test_state(k, w, c, "reset", run_reset, f);
  }
  for (int i = 0; i < STATES && before; i++) {
    kit_world_move(k, w);
    memcpy(before, c->state, (size_t)c->nstate * sizeof *before);
    test_control(k, w, c, f);
    f->state_changed |= memcmp(before, c->state, (size_t)c->nstate * sizeof *before) != 0;
    if (c->nstate > 0) {
      test_state(k, w, c, "advance", run_advance, f);
    }
  }
  free(before);
}

// ------------------------------------------------------------------ the closed loop

typedef struct loop {
  const sn_model *model;
  sn_data *data;
  int64_t n;   // numbers of a state
  double *start, *end, *other;
} loop;

// Steps from the state `start`, with that many more evaluations in each; the last state in `out`.
static void run_loop(loop *l, sn_data *data, const double *start, int more, double *out,
                     findings *f) {
  if (start) {
    sn_state_set(l->model, data, SN_STATE_INTEGRATION, start);
  }
  kit_note_operation("control");   // called by the engine
  for (int i = 0; i < STEPS; i++) {
    const sn_status status = sn_step(l->model, data);
    if (status < 0 && status != SN_EDIVERGED && !*f->failure) {
      strncpy(f->failure, sn_error_message(sn_data_error(data)), sizeof f->failure - 1);
    }
    for (int e = 0; e < more; e++) {
      sn_forward(l->model, data);
    }
  }
  sn_state_get(l->model, data, SN_STATE_INTEGRATION, out);
}

static void compare(const loop *l, const double *a, const double *b, const char *what,
                    findings *f) {
  if (memcmp(a, b, (size_t)l->n * sizeof *a) != 0 && !*f->differs) {
    strncpy(f->differs, what, sizeof f->differs - 1);
  }
}

static void test_copy(loop *l, findings *f) {
  sn_data *copy = sn_data_new(l->model, NULL);
  if (copy && sn_data_copy(l->model, copy, l->data) >= 0) {
    run_loop(l, l->data, NULL, 0, l->end, f);
    run_loop(l, copy, NULL, 0, l->other, f);
    compare(l, l->end, l->other, "a copy of a simulation continues differently", f);
  }
  sn_data_free(copy);
}

// A of the closed loop, twice, with steps of another simulation between.
static void test_derivatives(loop *l, findings *f) {
  const int64_t nv = snm_nv(l->model), n = 2 * nv + snm_na(l->model);
  double *A = calloc((size_t)(2 * n * n), sizeof *A);
  sn_state_set(l->model, l->data, SN_STATE_INTEGRATION, l->start);
  if (A && sn_transition_fd(l->model, l->data, 1e-6, 1, A, NULL, NULL, NULL) >= 0) {
    sn_forward(l->model, l->data);
    sn_state_set(l->model, l->data, SN_STATE_INTEGRATION, l->start);
    sn_transition_fd(l->model, l->data, 1e-6, 1, A + n * n, NULL, NULL, NULL);
    if (memcmp(A, A + n * n, (size_t)(n * n) * sizeof *A) != 0 && !*f->differs) {
      strcpy(f->differs, "derivatives at the same state differ");
    }
  }
  free(A);
}

static void test_reset(loop *l, findings *f) {
  sn_data *fresh = sn_data_new(l->model, NULL);
  const int64_t n = sn_state_size(l->model, SN_STATE_PLUGIN);
  sn_reset(l->model, l->data);
  sn_state_get(l->model, l->data, SN_STATE_PLUGIN, l->end);
  if (fresh) {
    sn_state_get(l->model, fresh, SN_STATE_PLUGIN, l->other);
    if (memcmp(l->end, l->other, (size_t)n * sizeof(double)) != 0 && !*f->differs) {
      strcpy(f->differs, "the state after a reset is not that of a new simulation");
    }
  }
  sn_data_free(fresh);
}

static void test_loop(loop *l, findings *f) {
  const char *back =
      "after the state is restored, the same steps end differently: the controller keeps something "
      "that is not in its declared state";
  sn_state_get(l->model, l->data, SN_STATE_INTEGRATION, l->start);
  run_loop(l, l->data, l->start, 0, l->end, f);
  run_loop(l, l->data, l->start, 0, l->other, f);
  compare(l, l->end, l->other, back, f);
  run_loop(l, l->data, l->start, 2, l->other, f);
  compare(l, l->end, l->other, "more evaluations between the steps change the result", f);
  if (sn_data_warning_count(l->data, SN_WARN_PLUGIN) > 0 && !*f->failure) {
    strcpy(f->failure, "the engine ignored results of the controller, with a warning");
  }
  test_copy(l, f);
  test_derivatives(l, f);
  test_reset(l, f);
  f->runs++;
}

static void test_engine(kit *k, const char *attributes, findings *f) {
  kit_world w;
  sn_error *error = sn_error_new();
  if (kit_world_new(k, &w, attributes, error)) {
    loop l = { .model = w.model, .data = w.data };
    l.n = sn_state_size(w.model, SN_STATE_INTEGRATION);
    l.start = malloc((size_t)(3 * l.n) * sizeof *l.start);
    l.end = l.start + l.n;
    l.other = l.end + l.n;
    if (l.start) {
      test_loop(&l, f);
    }
    free(l.start);
  } else if (!*f->failure) {
    strncpy(f->failure, sn_error_message(error), sizeof f->failure - 1);
  }
  kit_world_free(&w);
  sn_error_free(error);
}

// ------------------------------------------------------------------ tests

static void test_bound(kit *k, kit_world *w, const void *bound, const kit_attributes *attributes,
                       void *context) {
  const sn_controller_ops *ops = k->provider->ops;
  findings *f = context;
  bound_controller c = { .self = k->self, .bound = bound };
  c.nu = snm_nu(w->model);
  c.nv = snm_nv(w->model);
  c.nstate = ops->states ? KIT_CALL(ops, states)(k->self, bound) : 0;
  const int64_t again = ops->states ? KIT_CALL(ops, states)(k->self, bound) : 0;
  if (!*f->states) {
    kit_judge_states(c.nstate, again, ops->advance != NULL, f->states, sizeof f->states);
  }
  if (*f->states) {
    return;
  }
  f->nstate = c.nstate > f->nstate ? c.nstate : f->nstate;
  c.state = calloc((size_t)c.nstate + 1, sizeof *c.state);
  if (c.state) {
    test_operations(k, w, &c, f);
  }
  free(c.state);
  test_engine(k, attributes->lines, f);
}

// Of what depends on more than its input, nothing else follows.
static void report(kit *k, const findings *f) {
  if (*f->calls.failure[KIT_REPEAT] && !f->state_changed) {
    kit_calls_report(k, &f->calls);
    return;
  }
  if (*f->states) {
    kit_report(k, "states", KIT_FAILED, "%s", f->states);
    return;
  }
  kit_check(k, "states", !f->state_changed,
            f->state_changed ? "control changes the state; only advance may"
                             : "%lld state variables",
            (long long)f->nstate);
  kit_check(k, "finite", !*f->finite, "%s", *f->finite ? f->finite : "all numbers are finite");
  kit_check(k, "forces", !f->replaced,
            f->replaced ? "control overwrites what is in qfrc before the call; it must add to it"
                        : "control adds to what is in qfrc");
  if (f->runs > 0 || *f->failure) {
    const char *wrong = *f->failure ? f->failure : f->differs;
    kit_check(k, "closed loop", !*wrong, "%s",
              *wrong ? wrong : "steps, copies and derivatives are the same when repeated");
  }
  kit_calls_report(k, &f->calls);
}

void kit_controller(kit *k) {
  const sn_controller_ops *ops = k->provider->ops;
  const kit_binding binding = { ops->attributes, ops->bind, ops->unbind };
  findings f = { .runs = 0 };
  if (kit_bind_each(k, &binding, test_bound, &f) > 0) {
    report(k, &f);
  }
}
