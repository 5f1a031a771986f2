// SPDX-License-Identifier: Apache-2.0
//
// Batches of actuators: parameters that a provider accepts, random states.

#include "actuator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/number.h"

enum { TRIES = 20000 };

// Declared defaults, or numbers around them; without a declaration any numbers.
static void draw_numbers(kit *k, const sn_param *numbers, int random, double *prm) {
  for (int i = 0; i < SN_NACTPRM; i++) {
    prm[i] = numbers || !random ? 0 : kit_random(k);
  }
  for (int i = 0; numbers && i < SN_NACTPRM && numbers[i].name; i++) {
    const sn_param *p = &numbers[i];
    double value = 0;
    sn_read_number(p->default_value ? p->default_value : "", &value);
    const double reach = random ? 2 * (1 + fabs(value)) : 0;
    const int has_range = p->min < p->max;
    const double low = has_range ? fmax(p->min, value - reach) : value - reach;
    const double high = has_range ? fmin(p->max, value + reach) : value + reach;
    prm[i] = kit_between(k, low, high);
  }
}

// Whether the provider accepts the parameters; a rejection must have a reason.
static int accepts(kit *k, const kit_numbers *of, const double *prm, int *reasons_missing) {
  sn_error *error = sn_error_new();
  const sn_status status = of->check ? of->check(k->self, prm, sn_engine_host(k->engine), error)
                                     : SN_OK;
  *reasons_missing += status < 0 && !*sn_error_message(error);
  sn_error_free(error);
  return status >= 0;
}

static int32_t states_of(const kit *k, const kit_numbers *of, const double *prm) {
  return of->states ? of->states(k->self, prm) : 0;
}

static int states_requirement(kit *k, const kit_numbers *of, const double *prm, int32_t n) {
  const int32_t again = states_of(k, of, prm);
  const int most = KIT_MOST_ACT / KIT_ACTUATORS;
  if (n < 0 || n > SN_MAX_STATES) {
    kit_report(k, "states", KIT_FAILED, "it declares %d activations; from 0 to %d are allowed", n,
               SN_MAX_STATES);
    return 0;
  }
  if (again != n) {
    kit_report(k, "states", KIT_FAILED, "it declares %d activations, then %d", n, again);
    return 0;
  }
  if (n > most) {
    kit_report(k, "states", KIT_SKIPPED, "%d activations; the kit tests at most %d", n, most);
    return 0;
  }
  return 1;
}

static void draw_rest(kit *k, kit_batch *b, int32_t nstate) {
  for (int i = 0; i < KIT_ACTUATORS; i++) {
    b->lengthrange[2 * i] = kit_between(k, 0.3, 0.6);
    b->lengthrange[2 * i + 1] = kit_between(k, 1, 1.5);
    b->acc0[i] = kit_between(k, 0.5, 2);
    b->id[i] = i;
  }
  b->batch = (sn_actuators){ .size = sizeof b->batch,
                             .nstate = nstate,
                             .n = KIT_ACTUATORS,
                             .prm = b->prm,
                             .ctrl = b->ctrl,
                             .act = b->act,
                             .length = b->length,
                             .velocity = b->velocity,
                             .lengthrange = b->lengthrange,
                             .acc0 = b->acc0,
                             .h = 0.002,
                             .id = b->id,
                             .nctrl = 1 };
}

int kit_batch_new(kit *k, const kit_numbers *of, kit_batch *b) {
  int32_t nstate = -1;
  int found = 0, missing = 0;
  memset(b, 0, sizeof *b);
  for (int try = 0; try < TRIES && found < KIT_ACTUATORS; try++) {
    double *prm = b->prm + (ptrdiff_t)found * SN_NACTPRM;
    draw_numbers(k, of->numbers, try > 0, prm);
    if (!accepts(k, of, prm, &missing)) {
      continue;
    }
    const int32_t n = states_of(k, of, prm);
    if (found == 0 && !states_requirement(k, of, prm, n)) {
      return 0;
    }
    nstate = found == 0 ? n : nstate;
    found += n == nstate;   // those of a batch have as many activations
  }
  kit_check(k, "parameters", missing == 0, "%s",
            missing ? "check rejects parameters without a reason" : "every rejection has a reason");
  if (found < KIT_ACTUATORS && missing == 0) {
    kit_report(k, "parameters", KIT_SKIPPED, "of %d random rows of parameters, it accepts %d",
               TRIES, found);
  }
  draw_rest(k, b, nstate);
  return found == KIT_ACTUATORS && missing == 0;
}

void kit_batch_move(kit *k, kit_batch *b) {
  for (int i = 0; i < KIT_ACTUATORS; i++) {
    const double *range = b->lengthrange + (ptrdiff_t)2 * i;
    b->ctrl[i] = kit_random(k);
    b->length[i] = kit_between(k, range[0], range[1]);
    b->velocity[i] = kit_random(k);
  }
  for (int i = 0; i < KIT_ACTUATORS * b->batch.nstate; i++) {
    b->act[i] = kit_random(k);
  }
  b->batch.time = kit_between(k, 0, 2);
}

void kit_batch_single(const kit_batch *b, int i, kit_batch *out) {
  *out = *b;
  sn_actuators *one = &out->batch;
  one->n = 1;
  one->prm = out->prm + (ptrdiff_t)i * SN_NACTPRM;
  one->ctrl = out->ctrl + i;
  one->act = out->act + (ptrdiff_t)i * one->nstate;
  one->length = out->length + i;
  one->velocity = out->velocity + i;
  one->lengthrange = out->lengthrange + (ptrdiff_t)2 * i;
  one->acc0 = out->acc0 + i;
  one->id = out->id + i;
  one->bound = b->alone[i];
}

void kit_batch_widen(const kit_batch *b, kit_batch *out) {
  *out = *b;
  out->batch.nctrl = KIT_MOST_CTRL;
  out->batch.ctrl = out->ctrl;
  for (int i = 0; i < b->batch.n; i++) {
    out->ctrl[KIT_MOST_CTRL * i] = b->batch.ctrl[i];
    out->ctrl[KIT_MOST_CTRL * i + 1] = i % 2 ? NAN : -1e3 - i;
  }
}

void kit_controls_compare(const kit_call *call, const void *widened, char *wrong, size_t capacity) {
  const char *what = *wrong ? NULL : kit_call_differs(call, widened);
  if (what) {
    snprintf(wrong, capacity,
             "%s: %s differs if each actuator has two controls (nctrl = 2); read the first of "
             "actuator i at ctrl[i * nctrl]",
             call->operation, what);
  }
}

void kit_controls_report(kit *k, const char *wrong) {
  kit_check(k, "controls", !*wrong, "%s",
            *wrong ? wrong : "the same bits with a second control that has any value");
}

void kit_batch_inputs(const kit_batch *b, kit_call *call) {
  const sn_actuators *a = &b->batch;
  const kit_input inputs[] = {
    { "the batch", a, sizeof *a },
    { "prm", a->prm, 8 * a->n * SN_NACTPRM },
    { "ctrl", a->ctrl, 8 * a->n * a->nctrl },
    { "act", a->act, a->act ? 8 * a->n * a->nstate : 0 },
    { "length", a->length, 8 * a->n },
    { "velocity", a->velocity, 8 * a->n },
    { "lengthrange", a->lengthrange, 16 * a->n },
    { "acc0", a->acc0, 8 * a->n },
    { "id", a->id, 4 * a->n },
  };
  call->ninput = sizeof inputs / sizeof inputs[0];
  memcpy(call->input, inputs, sizeof inputs);
}
