// SPDX-License-Identifier: Apache-2.0
//
// Tests that a passive force gives several simulations at once (apply_lanes) the bits that it gives
// each alone (apply), added to other forces: in the kit's world, and in one with slides, hinges and
// tendons alone, since forces may leave other joints to `apply` (SN_EUNSUPPORTED).

#include <stdio.h>
#include <string.h>

#include "conformance/calls.h"
#include "sinew/passive.h"

enum { STATES = 5, WIDTH = 3, MOST_DOFS = 32 };

typedef struct findings {
  kit_calls *calls;
  int compared;       // states
  char wrong[160];
} findings;

// A bound force, states, and what it has to add to other forces in each.
typedef struct several {
  const void *self, *bound;
  int64_t nv;
  kit_lanes lanes;
  double start[MOST_DOFS * WIDTH], expected[MOST_DOFS * WIDTH];
} several;

static sn_status apply_to(const kit *k, const several *s, double *qfrc, sn_scratch *scratch) {
  const sn_passive_ops *ops = k->provider->ops;
  return KIT_CALL(ops, apply_lanes)(s->self, s->bound, &s->lanes.view, WIDTH, qfrc, scratch);
}

static sn_status run_lanes(const kit_call *call, sn_scratch *scratch) {
  return apply_to(call->kit, call->context, call->output[0].memory, scratch);
}

// Draws a state. False: `apply` failed, which is a finding of another test.
static int fill_lane(kit *k, kit_world *w, several *s, int64_t lane) {
  const sn_passive_ops *ops = k->provider->ops;
  double qfrc[MOST_DOFS];
  kit_world_move(k, w);
  for (int64_t i = 0; i < s->nv; i++) {
    s->start[i * WIDTH + lane] = qfrc[i] = kit_random(k);
  }
  const sn_status status = KIT_CALL(ops, apply)(s->self, s->bound, &w->data_view, NULL, qfrc,
                                                &k->scratch);
  kit_scratch_clear(k);
  for (int64_t i = 0; i < s->nv; i++) {
    s->expected[i * WIDTH + lane] = qfrc[i];
  }
  return status >= 0 && kit_world_to_lane(w, &s->lanes, lane);
}

static void compare(const several *s, const double *qfrc, findings *f) {
  f->compared++;
  for (int64_t i = 0; i < s->nv * WIDTH && !*f->wrong; i++) {
    if (memcmp(&qfrc[i], &s->expected[i], sizeof *qfrc) != 0) {
      snprintf(f->wrong, sizeof f->wrong,
               "apply_lanes makes qfrc %.17g, apply %.17g, on dof %lld of simulation %lld of %d",
               qfrc[i], s->expected[i], (long long)(i / WIDTH), (long long)(i % WIDTH), WIDTH);
    }
  }
}

static void test_states(kit *k, several *s, findings *f) {
  const int64_t bytes = s->nv * WIDTH * (int64_t)sizeof(double);
  double qfrc[MOST_DOFS * WIDTH];
  memcpy(qfrc, s->start, sizeof qfrc);
  const sn_status status = apply_to(k, s, qfrc, &k->scratch);
  kit_scratch_clear(k);
  if (status == SN_EUNSUPPORTED) {
    return;
  }
  kit_call call = { .operation = "apply_lanes",
                    .run = run_lanes,
                    .context = s,
                    .noutput = 1,
                    .output = { { "qfrc", bytes, s->start, NULL } } };
  if (kit_calls_make(k, f->calls, &call)) {
    compare(s, call.output[0].memory, f);
  }
  kit_call_free(&call);
}

static void test_bound(kit *k, kit_world *w, const void *bound, const kit_attributes *attributes,
                       void *context) {
  const sn_passive_ops *ops = k->provider->ops;
  findings *f = context;
  (void)attributes;
  if (ops->states && KIT_CALL(ops, states)(k->self, bound) != 0) {
    return;   // it is always called alone
  }
  for (int i = 0; i < STATES; i++) {
    several s = {
      .self = k->self, .bound = bound, .nv = snm_nv(w->model), .lanes = { .width = WIDTH }
    };
    int is_filled = s.nv <= MOST_DOFS;
    for (int64_t lane = 0; lane < WIDTH && is_filled; lane++) {
      is_filled = fill_lane(k, w, &s, lane);
    }
    if (is_filled) {
      test_states(k, &s, f);
    }
    kit_lanes_free(&s.lanes);
  }
}

void kit_passive_lanes(kit *k, kit_calls *calls) {
  const sn_passive_ops *ops = k->provider->ops;
  const kit_binding binding = { ops->attributes, ops->bind, ops->unbind };
  findings f = { .calls = calls };
  kit_bind_kind(k, KIT_WORLD, &binding, test_bound, &f);
  kit_bind_kind(k, KIT_JOINTED, &binding, test_bound, &f);
  kit_check(k, "lanes", !*f.wrong, "%s",
            *f.wrong       ? f.wrong
            : f.compared > 0 ? "each simulation gets the bits that it gets alone"
                             : "left to `apply` in the models of the kit");
}
