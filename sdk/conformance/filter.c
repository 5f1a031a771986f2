// SPDX-License-Identifier: Apache-2.0
//
// Tests a contact filter with all pairs of geoms of the kit's world: the decision about a pair is 0
// or 1 and does not depend on the order of the pairs, of the geoms in a pair, nor on which other
// pairs there are.

#include "sinew/filter.h"

#include <string.h>

#include "calls.h"

enum { MOST_GEOMS = 16, MOST_PAIRS = MOST_GEOMS * MOST_GEOMS, STATES = 5 };

typedef struct pairs {
  const void *self, *bound;
  int64_t n;
  int32_t geom1[MOST_PAIRS], geom2[MOST_PAIRS];
} pairs;

static sn_status run_select(const kit_call *call, sn_scratch *scratch) {
  const sn_filter_ops *ops = call->kit->provider->ops;
  const pairs *p = call->context;
  return KIT_CALL(ops, select)(p->self, p->bound, &call->world->data_view, p->n, p->geom1, p->geom2,
                               call->output[0].memory, scratch);
}

static void add_pair(pairs *p, int32_t geom1, int32_t geom2) {
  p->geom1[p->n] = geom1;
  p->geom2[p->n] = geom2;
  p->n++;
}

static void all_pairs(const kit_world *w, pairs *p) {
  const int32_t n = (int32_t)snm_ngeom(w->model);
  p->n = 0;
  for (int32_t a = 0; a < n && n <= MOST_GEOMS; a++) {
    for (int32_t b = a + 1; b < n; b++) {
      add_pair(p, a, b);
    }
  }
}

typedef struct findings {
  kit_calls calls;
  int wrong;           // values other than 0 and 1
  int64_t removed, unequal, swapped;
  int32_t pair[2];     // the first that is decided differently
} findings;

// Selects; keep (p->n) gets the decisions.
static int select_pairs(kit *k, findings *f, const kit_world *w, const pairs *p, int32_t *keep) {
  int32_t ones[MOST_PAIRS];
  for (int i = 0; i < MOST_PAIRS; i++) {
    ones[i] = 1;
  }
  kit_call call = { .operation = "select",
                    .run = run_select,
                    .context = p,
                    .world = w,
                    .ninput = 2,
                    .input = { { "geom1", p->geom1, p->n * 4 }, { "geom2", p->geom2, p->n * 4 } },
                    .noutput = 1,
                    .output = { { .name = "keep", .bytes = p->n * 4, .start = ones } } };
  const int done = kit_calls_make(k, &f->calls, &call);
  if (done) {
    memcpy(keep, call.output[0].memory, (size_t)p->n * sizeof *keep);
  }
  kit_call_free(&call);
  return done;
}

static void compare(findings *f, const pairs *p, int64_t i, int equal, int64_t *count) {
  if (!equal) {
    f->pair[0] = p->geom1[i];
    f->pair[1] = p->geom2[i];
    ++*count;
  }
}

// The same pairs backwards, with their geoms swapped, and every third of them.
static void test_state(kit *k, findings *f, const kit_world *w, pairs *p) {
  int32_t keep[MOST_PAIRS], other[MOST_PAIRS];
  pairs back = *p, swapped = *p, few = *p;
  back.n = swapped.n = few.n = 0;
  if (!select_pairs(k, f, w, p, keep)) {
    return;
  }
  for (int64_t i = 0; i < p->n; i++) {
    f->wrong += keep[i] != 0 && keep[i] != 1;
    f->removed += keep[i] == 0;
    add_pair(&back, p->geom1[p->n - 1 - i], p->geom2[p->n - 1 - i]);
    add_pair(&swapped, p->geom2[i], p->geom1[i]);
    if (i % 3 == 0) {
      add_pair(&few, p->geom1[i], p->geom2[i]);
    }
  }
  if (select_pairs(k, f, w, &back, other)) {
    for (int64_t i = 0; i < p->n; i++) {
      compare(f, p, i, other[p->n - 1 - i] == keep[i], &f->unequal);
    }
  }
  if (select_pairs(k, f, w, &few, other)) {
    for (int64_t i = 0; i < p->n; i += 3) {
      compare(f, p, i, other[i / 3] == keep[i], &f->unequal);
    }
  }
  if (select_pairs(k, f, w, &swapped, other)) {
    for (int64_t i = 0; i < p->n; i++) {
      compare(f, p, i, other[i] == keep[i], &f->swapped);
    }
  }
}

static void report(kit *k, const findings *f, const kit_world *w) {
  const char *first = sn_name(w->model, "geom", f->pair[0]);
  const char *second = sn_name(w->model, "geom", f->pair[1]);
  kit_check(k, "keep", f->wrong == 0, "every decision is 0 or 1; %lld pairs were removed",
            (long long)f->removed);
  if (f->unequal > 0) {
    kit_report(k, "order", KIT_FAILED,
               "whether %s and %s collide depends on the order of the pairs, or on other pairs",
               first, second);
  } else {
    kit_report(k, "order", KIT_PASSED, "in another order, and with fewer pairs, the same decision");
  }
  if (f->swapped > 0) {
    kit_report(k, "swapped", KIT_FAILED, "%s and %s collide, or not, depending on which is first",
               first, second);
  } else {
    kit_report(k, "swapped", KIT_PASSED, "with the geoms of a pair swapped, the same decision");
  }
  kit_calls_report(k, &f->calls);
}

void kit_filter(kit *k) {
  const sn_filter_ops *ops = k->provider->ops;
  findings f = { .wrong = 0 };
  pairs p = { .self = k->self };
  kit_world w;
  void *bound = NULL;
  sn_error *error = sn_error_new();
  const int failed = !kit_world_new(k, &w, NULL, error) ||
                     KIT_CALL(ops, bind)(k->self, &w.model_view, &bound, error) < 0;
  if (failed) {
    kit_report(k, "bind", KIT_FAILED, "%s", sn_error_message(error));
  } else if (!bound) {
    kit_report(k, "bind", KIT_SKIPPED, "it has nothing to do in the model of the kit");
  } else {
    p.bound = bound;
    all_pairs(&w, &p);
    for (int i = 0; i < STATES; i++) {
      kit_world_move(k, &w);
      test_state(k, &f, &w, &p);
    }
    report(k, &f, &w);
    KIT_CALL(ops, unbind)(k->self, bound);
  }
  kit_world_free(&w);
  sn_error_free(error);
}
