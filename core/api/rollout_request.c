// SPDX-License-Identifier: Apache-2.0
//
// Reads a request of rollouts: sizes, ranges, and names of quantities; see rollout.h.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "api/rollout.h"
#include "base/random.h"
#include "base/sized.h"
#include "host/engine_state.h"
#include "model/field_rules.h"

enum { FIRST_REQUEST = 96 };   // bytes of the request of ABI 1.0, which no caller has less of

uint64_t sn_rollout_seed(uint64_t seed, int64_t rollout) {
  const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
  const uint32_t counter[4] = { (uint32_t)(uint64_t)rollout, (uint32_t)((uint64_t)rollout >> 32),
                                0x726f6c6cu, 0x6f757473u };   // a stream of its own: "roll", "outs"
  uint32_t word[4];
  si_philox(key, counter, word);
  return ((uint64_t)word[1] << 32 | word[0]) >> 11;
}

// ------------------------------------------------------------------ numbers

static sn_status check_counts(const sn_rollout_request *q, sn_error *error) {
  const struct {
    const char *name;
    int64_t value;
    const void *array;
  } counts[] = { { "nrecord", q->nrecord, q->record },
                 { "nvary", q->nvary, q->vary },
                 { "nstop", q->nstop, q->stop },
                 { "every", q->every, q },
                 { "control_every", q->control_every, q } };
  if (q->n < 0 || q->nstep < 0) {
    return si_fail(error, SN_EINVAL,
                   "the numbers of rollouts (%lld) and steps (%lld) must not be negative",
                   (long long)q->n, (long long)q->nstep);
  }
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    if (counts[i].value < 0 || (counts[i].value > 0 && !counts[i].array)) {
      return si_fail(error, SN_EINVAL, "%s of the rollout request is %lld%s", counts[i].name,
                     (long long)counts[i].value,
                     counts[i].value < 0 ? "; it must not be negative" : ", but its array is NULL");
    }
  }
  if ((q->initial_mask | q->result_mask) & ~(uint32_t)SN_STATE_INTEGRATION) {
    return si_fail(error, SN_EINVAL,
                   "initial_mask or result_mask of the rollout request has bits that are not "
                   "SN_STATE_* flags");
  }
  const uint32_t known = SN_ROLLOUT_STOP | SN_ROLLOUT_SAME_INITIAL | SN_ROLLOUT_SAME_CONTROL;
  if (q->flags & ~known) {
    return si_fail(error, SN_EUNSUPPORTED,
                   "flags of the rollout request has bits that this version does not know");
  }
  return SN_OK;
}

// An array of a request may have this many numbers: sums of several, in bytes, are int64_t too.
static const int64_t most_numbers = INT64_MAX / 64;

// *product = a b, neither of which is negative.
static sn_status multiply(int64_t *product, int64_t a, int64_t b, const char *member,
                          sn_error *error) {
  if (a > 0 && b > most_numbers / a) {
    return si_fail(error, SN_EINVAL,
                   "%s of the rollout request: %lld times %lld numbers are more than an array can "
                   "have; make fewer steps or rollouts, or set `every` to sample fewer steps",
                   member, (long long)a, (long long)b);
  }
  *product = a * b;
  return SN_OK;
}

// The sizes of arrays, of one rollout and, where the request has the array, of all.
static sn_status measure_arrays(si_rollout *r, sn_error *error) {
  const sn_rollout_request *q = &r->q;
  const int64_t ninitial = q->flags & SN_ROLLOUT_SAME_INITIAL ? 1 : q->n;
  const int64_t ncontrol = q->flags & SN_ROLLOUT_SAME_CONTROL ? 1 : q->n;
  int64_t size = 0;
  SN_TRY(multiply(&size, q->nsample, r->nstate, "states", error));
  SN_TRY(multiply(&size, q->states ? q->n : 1, size, "states", error));
  SN_TRY(multiply(&size, q->initial ? ninitial : 1, r->ninitial, "initial", error));
  SN_TRY(multiply(&size, q->results ? q->n : 1, q->nresult, "results", error));
  if (q->control && q->nstep > 0) {
    const int64_t rows = (q->nstep - 1) / q->control_every + 1;
    SN_TRY(multiply(&r->ncontrol, rows, r->model->nu, "control", error));
    SN_TRY(multiply(&size, ncontrol, r->ncontrol, "control", error));
  }
  return multiply(&size, q->n, r->nvalue, "vary", error);
}

// ------------------------------------------------------------------ names

static sn_status resolve_records(si_rollout *r, sn_error *error) {
  int64_t width = 0;
  for (int64_t i = 0; i < r->q.nrecord; i++) {
    SN_TRY(si_part_of_data(r->model, r->q.record[i].name, &r->record[i], error));
    if (r->record[i].type != SN_REAL && r->record[i].type != SN_INT) {
      return si_fail(error, SN_EUNSUPPORTED, "'%s': only numbers can be recorded",
                     r->q.record[i].name);
    }
    width += r->record[i].n;
  }
  return multiply(&r->q.nresult, width, r->q.nsample, "results", error);
}

static sn_status resolve_limits(si_rollout *r, sn_error *error) {
  for (int64_t i = 0; i < r->q.nstop; i++) {
    const sn_rollout_limit *s = &r->q.stop[i];
    SN_TRY(si_part_of_data(r->model, s->name, &r->limit[i], error));
    if (!(s->min <= s->max)) {
      return si_fail(error, SN_EINVAL,
                     "the range of '%s' beyond which rollouts end is empty: the minimum %g is not "
                     "below the maximum %g",
                     s->name, s->min, s->max);
    }
  }
  return SN_OK;
}

static sn_status resolve_variations(si_rollout *r, sn_error *error) {
  for (int64_t i = 0; i < r->q.nvary; i++) {
    const si_part *p = &r->vary[i];
    SN_TRY(si_part_of_model(r->model, r->q.vary[i].name, &r->vary[i], error));
    const char *source = p->what == SI_PART_FIELD ? si_model_field_source(p->field) : NULL;
    if (source) {
      return si_fail(error, SN_EINVAL,
                     "a variation of '%s' has no effect, because it is computed from %s; vary %s",
                     r->q.vary[i].name, source, strchr(source, ' ') ? "these" : "that");
    }
    r->nvalue += p->n;
  }
  return SN_OK;
}

int si_rollout_room(void *array, int64_t *room, int64_t n, size_t bytes) {
  void *p;
  memcpy(&p, array, sizeof p);
  if (!p || *room < n) {
    free(p);
    p = calloc((size_t)n + 1, bytes);
    *room = p ? n : 0;
    memcpy(array, &p, sizeof p);
  }
  return p != NULL;
}

static sn_status resolve_names(si_rollout *r, sn_error *error) {
  if (!si_rollout_room(&r->record, &r->room[0], r->q.nrecord, sizeof *r->record) ||
      !si_rollout_room(&r->limit, &r->room[1], r->q.nstop, sizeof *r->limit) ||
      !si_rollout_room(&r->vary, &r->room[2], r->q.nvary, sizeof *r->vary)) {
    return si_fail(error, SN_ENOMEM, "out of memory for a rollout request");
  }
  SN_TRY(resolve_records(r, error));
  SN_TRY(resolve_limits(r, error));
  return resolve_variations(r, error);
}

// ------------------------------------------------------------------ all of it

sn_status si_rollout_read(si_rollout *r, const sn_model *model, const sn_rollout_request *request,
                          sn_error *error) {
  sn_rollout_request *q = &r->q;
  *r = (si_rollout){ .model = model,
                     .record = r->record,
                     .limit = r->limit,
                     .vary = r->vary,
                     .room = { r->room[0], r->room[1], r->room[2] },
                     .warned = ATOMIC_FLAG_INIT };
  const sn_status copied = si_copy_in(q, sizeof *q, request, FIRST_REQUEST);
  if (copied < 0) {
    return si_fail(
        error, copied,
        copied == SN_EINVAL
            ? "the size of the rollout request is not set; set it to sizeof(sn_rollout_request)"
            : "the rollout request was written for a newer version of Sinew and has "
              "members that this version does not know");
  }
  SN_TRY(check_counts(q, error));
  q->every = q->every > 0 ? q->every : 1;
  q->control_every = q->control_every > 0 ? q->control_every : 1;
  q->nsample = q->nstep / q->every;
  q->nresult = 0;
  r->ninitial = sn_state_size(model, q->initial_mask);
  r->nstate = sn_state_size(model, q->result_mask);
  r->has_variant = q->nvary > 0 || q->seed || q->seeds;
  SN_TRY(resolve_names(r, error));
  return measure_arrays(r, error);
}

void si_rollout_free(si_rollout *r) {
  free(r->record);
  free(r->limit);
  free(r->vary);
}

sn_status sn_rollout_measure(const sn_model *model, sn_rollout_request *request, sn_error *error) {
  si_rollout r = { 0 };
  si_error_clear(error);
  sn_status status = si_rollout_read(&r, model, request, error);
  if (status >= 0 && !SN_HAS(request, nresult)) {
    status = si_fail(error, SN_EINVAL,
                     "the rollout request is too small to be measured: it ends before nresult");
  }
  if (status >= 0) {
    int64_t offset = 0;
    for (int64_t i = 0; i < r.q.nrecord; i++) {
      request->record[i].width = r.record[i].n;
      request->record[i].offset = offset;
      offset += r.record[i].n * r.q.nsample;
    }
    for (int64_t i = 0; i < r.q.nvary; i++) {
      request->vary[i].width = r.vary[i].n;
    }
    request->nsample = r.q.nsample;
    request->nresult = r.q.nresult;
  }
  si_rollout_free(&r);
  return status;
}
