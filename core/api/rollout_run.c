// SPDX-License-Identifier: Apache-2.0
//
// One rollout on a worker: reset, initial state, steps, samples. It depends on the model, the row
// and the variations alone, since the reset leaves nothing of the rollout before; and it allocates
// nothing, once the worker's simulation has its memory.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/rollout.h"

// ------------------------------------------------------------------ workers

static int make_room(const si_rollout *r, si_rollout_worker *w) {
  return r->q.results || si_rollout_room(&w->results, &w->room, r->q.nresult, sizeof(double));
}

static sn_status fill_worker(const si_rollout *r, si_rollout_worker *w, sn_error *error) {
  w->model = r->model;
  if (r->has_variant) {
    SN_TRY(si_variant_new(r->model, r->vary, r->q.nvary, &w->variant, error));
    w->model = si_variant_model(w->variant);
  }
  w->data = sn_data_new(w->model, error);
  if (!w->data) {
    return SN_ENOMEM;   // the error says why
  }
  w->option = r->model->opt;
  w->values = calloc((size_t)r->nvalue + 1, sizeof(double));
  return w->values && make_room(r, w)
             ? SN_OK
             : si_fail(error, SN_ENOMEM, "out of memory for a worker of rollouts");
}

sn_status si_rollout_worker_new(const si_rollout *r, si_rollout_worker **out, sn_error *error) {
  si_rollout_worker *w = calloc(1, sizeof *w);
  *out = NULL;
  if (!w) {
    return si_fail(error, SN_ENOMEM, "out of memory for a worker of rollouts");
  }
  const sn_status status = fill_worker(r, w, error);
  if (status < 0) {
    si_rollout_worker_free(w);
    return status;
  }
  *out = w;
  return SN_OK;
}

void si_rollout_worker_free(si_rollout_worker *w) {
  if (w) {
    sn_data_free(w->data);
    si_variant_free(w->variant);
    free(w->values);
    free(w->results);
    free(w);
  }
}

// Options decide what a simulation has memory for, and which algorithms a variant uses. Other edits
// of a model are followed by sn_model_refresh, which frees all workers.
int si_rollout_worker_suits(const si_rollout *r, si_rollout_worker *w) {
  const sn_model *m = r->model;
  return memcmp(&w->option, &m->opt, sizeof m->opt) == 0 &&
         r->has_variant == (w->variant != NULL) &&
         (!w->variant || si_variant_has(w->variant, r->vary, r->q.nvary)) && make_room(r, w);
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

int64_t si_rollout_workers_settle(si_rollout_worker *list) {
  int64_t results = 0, scratch = 0, most = 0;
  for (si_rollout_worker *w = list; w; w = w->next) {
    sn_reset(w->model, w->data);   // joins what it got in pieces
    results = larger(results, si_arena_capacity(&w->data->results));
    scratch = larger(scratch, si_arena_capacity(&w->data->worker->scratch));
  }
  for (si_rollout_worker *w = list; w; w = w->next) {
    si_arena_reserve(&w->data->results, results);
    si_arena_reserve(&w->data->worker->scratch, scratch);
    most = larger(most, (int64_t)sizeof *w + w->room * (int64_t)sizeof(double) +
                            si_data_bytes(w->data) +
                            (w->variant ? si_variant_bytes(w->variant) : 0));
  }
  return most;
}

// ------------------------------------------------------------------ samples

static void take_sample(const si_rollout *r, const sn_model *m, const sn_data *d, int64_t sample,
                        const si_rollout_out *out) {
  if (out->states) {
    sn_state_get(m, d, r->q.result_mask, out->states + sample * r->nstate);
  }
  double *to = out->results;
  for (int64_t i = 0; to && i < r->q.nrecord; i++) {
    const si_part *p = &r->record[i];
    for (int64_t k = 0; k < p->n; k++) {
      to[sample * p->n + k] = si_part_number(p, d, k);
    }
    to += r->q.nsample * p->n;
  }
}

static void fill(double *to, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    to[i] = NAN;
  }
}

// Samples from this one on, which a rollout did not reach.
static void leave_samples(const si_rollout *r, int64_t sample, const si_rollout_out *out) {
  const int64_t rest = r->q.nsample - sample;
  if (rest <= 0) {
    return;
  }
  if (out->states) {
    fill(out->states + sample * r->nstate, rest * r->nstate);
  }
  double *to = out->results;
  for (int64_t i = 0; to && i < r->q.nrecord; i++) {
    fill(to + sample * r->record[i].n, rest * r->record[i].n);
    to += r->q.nsample * r->record[i].n;
  }
}

// ------------------------------------------------------------------ steps

static int is_canceled(const si_rollout *r) {
  return atomic_load_explicit(&r->canceled, memory_order_relaxed) || (r->q.cancel && *r->q.cancel);
}

static int is_beyond(const si_rollout *r, const sn_data *d) {
  for (int64_t i = 0; i < r->q.nstop; i++) {
    for (int64_t k = 0; k < r->limit[i].n; k++) {
      const double x = si_part_number(&r->limit[i], d, k);
      if (!(x >= r->q.stop[i].min && x <= r->q.stop[i].max)) {
        return 1;
      }
    }
  }
  return 0;
}

// One step with its inputs. *ends: the rollout is over.
static sn_status step(const si_rollout *r, const sn_model *m, sn_data *d, const si_rollout_row *row,
                      int64_t k, int *ends) {
  if (row->control && m->nu > 0) {
    memcpy(d->ctrl, row->control + k / r->q.control_every * m->nu, (size_t)m->nu * sizeof(double));
  }
  if (r->q.before_step) {
    const sn_status status = r->q.before_step(r->q.context, m, d, row->number, k);
    if (status != SN_OK) {
      *ends = 1;
      return status;
    }
  }
  const sn_status status = sn_step(m, d);
  *ends = status < 0 && (r->q.flags & SN_ROLLOUT_STOP);
  return status;
}

// What no step computes.
static sn_status before_sample(const si_rollout *r, const sn_model *m, sn_data *d,
                               const si_rollout_row *row, int64_t k) {
  return r->q.before_sample ? r->q.before_sample(r->q.sample_context, m, d, row->number, k) : SN_OK;
}

static sn_status steps(const si_rollout *r, const sn_model *m, sn_data *d,
                       const si_rollout_row *row, const si_rollout_out *out, int64_t *reached) {
  sn_status first = SN_OK;
  int64_t k = 0;
  for (int ends = 0; k < r->q.nstep && !ends; k++) {
    if (is_canceled(r)) {
      *reached = k;
      return SN_ECANCELED;
    }
    const sn_status status = step(r, m, d, row, k, &ends);
    if (status < 0 && first >= 0) {
      first = status;
      *reached = k;
    }
    if (ends) {
      break;   // this step was not made, or does not count
    }
    if ((k + 1) % r->q.every == 0) {
      const sn_status sampled = before_sample(r, m, d, row, k);
      if (sampled != SN_OK) {
        *reached = first < 0 ? *reached : k;
        first = first < 0 ? first : sampled < 0 ? sampled : SN_OK;
        break;
      }
      take_sample(r, m, d, k / r->q.every, out);
    }
    ends = is_beyond(r, d);
  }
  leave_samples(r, k / r->q.every, out);
  *reached = first < 0 ? *reached : k;
  return first;
}

// The first rollout of a request whose values are out of range is explained, in the log: the others
// probably have the same reason.
static sn_status set_values(const si_rollout *r, si_rollout_worker *w, const si_rollout_row *row) {
  atomic_flag *warned = &((si_rollout *)(uintptr_t)r)->warned;
  const sn_status status = si_variant_set(w->variant, w->values, NULL);
  if (status < 0 && !atomic_flag_test_and_set(warned)) {
    sn_error *error = sn_error_new();
    si_variant_set(w->variant, w->values, error);
    si_engine_log(r->model->engine, SN_LOG_WARNING, "sn_rollout", "rollout %lld is not run: %s",
                  (long long)row->number, sn_error_message(error));
    sn_error_free(error);
  }
  return status;
}

sn_status si_rollout_run(const si_rollout *r, si_rollout_worker *w, const si_rollout_row *row,
                         const si_rollout_out *out, int64_t *reached) {
  sn_data *d = w->data;
  *reached = 0;
  if (w->variant) {
    sn_model *m = si_variant_model(w->variant);
    const sn_status status = set_values(r, w, row);
    if (status < 0) {
      leave_samples(r, 0, out);
      return status;
    }
    if (r->q.seed || r->q.seeds) {
      m->opt.noise_seed = (int64_t)row->seed;
    }
  }
  sn_reset(w->model, d);
  if (row->initial) {
    sn_state_set(w->model, d, r->q.initial_mask, row->initial);
  }
  return steps(r, w->model, d, row, out, reached);
}
