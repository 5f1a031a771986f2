// SPDX-License-Identifier: Apache-2.0
//
// One rollout on a worker: reset, initial state, steps, samples. It depends on the model, the row
// and the variations alone, since the reset leaves nothing of the rollout before; and it allocates
// nothing, once the worker's simulation has its memory.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/rollout.h"

#include "data/fields.h"

// ------------------------------------------------------------------ workers

static int make_room(const si_rollout *r, si_rollout_worker *w) {
  return r->q.results || si_rollout_room(&w->results, &w->room[0], r->q.nresult, sizeof(double));
}

typedef struct si_rollout_place place;

static sn_status fill_place(const si_rollout *r, place *p, sn_error *error) {
  p->model = r->model;
  if (r->has_variant) {
    SN_TRY(si_variant_new(r->model, r->vary, r->q.nvary, &p->variant, error));
    p->model = si_variant_model(p->variant);
  }
  p->data = si_data_new(p->model, 1, error);   // the executor has threads
  return p->data ? SN_OK : SN_ENOMEM;          // the error says why
}

static void free_place(place *p) {
  sn_data_free(p->data);
  si_variant_free(p->variant);
  *p = (place){ 0 };
}

static sn_status fill_worker(const si_rollout *r, si_rollout_worker *w, sn_error *error) {
  SN_TRY(fill_place(r, &w->place[0], error));
  w->option = r->model->opt;
  w->values = calloc((size_t)(SI_LANES * r->nvalue) + 1, sizeof(double));
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
    si_lanes_free(w->lanes);
    for (int i = 0; i < SI_LANES; i++) {
      free_place(&w->place[i]);
    }
    free(w->values);
    free(w->results);
    free(w->others);
    free(w);
  }
}

// Options decide what a simulation has memory for, and which algorithms a variant uses. Other edits
// of a model are followed by sn_model_refresh, which frees all workers.
int si_rollout_worker_suits(const si_rollout *r, si_rollout_worker *w) {
  const sn_model *m = r->model;
  const si_variant *variant = w->place[0].variant;
  return memcmp(&w->option, &m->opt, sizeof m->opt) == 0 && r->has_variant == (variant != NULL) &&
         (!variant || si_variant_has(variant, r->vary, r->q.nvary)) && make_room(r, w);
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

// Of one of the rollouts that run together.
static int64_t bytes_of(const si_rollout_worker *w, int group) {
  const int64_t numbers = w->room[0] + (group > 1 ? w->room[1] : 0);
  int64_t bytes = (int64_t)sizeof *w + numbers * (int64_t)sizeof(double);
  for (int i = 0; i < group; i++) {
    const place *p = &w->place[i];
    bytes += p->data ? si_data_bytes(p->data) : 0;
    bytes += p->variant ? si_variant_bytes(p->variant) : 0;
  }
  bytes += group > 1 && w->lanes ? si_lanes_bytes(w->lanes) : 0;
  return (bytes + group - 1) / group;
}

int64_t si_rollout_workers_settle(const si_rollout *r, si_rollout_worker *list, int group) {
  int64_t results = 0, scratch = 0, most = 0;
  for (si_rollout_worker *w = list; w; w = w->next) {
    if (group > 1 && si_rollout_worker_suits(r, w)) {
      si_rollout_make_group(r, w);   // without memory, its rollouts run one by one
    }
    for (int i = 0; i < SI_LANES && w->place[i].data; i++) {
      sn_data *d = w->place[i].data;
      sn_reset(w->place[i].model, d);   // joins what it got in pieces
      results = larger(results, si_arena_capacity(&d->results));
      scratch = larger(scratch, si_arena_capacity(&d->worker->scratch));
    }
  }
  for (si_rollout_worker *w = list; w; w = w->next) {
    for (int i = 0; i < SI_LANES && w->place[i].data; i++) {
      si_arena_reserve(&w->place[i].data->results, results);
      si_arena_reserve(&w->place[i].data->worker->scratch, scratch);
    }
    most = larger(most, bytes_of(w, group));
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

void si_rollout_leave_samples(const si_rollout *r, int64_t sample, const si_rollout_out *out) {
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

int si_rollout_is_canceled(const si_rollout *r) {
  return atomic_load_explicit(&r->canceled, memory_order_relaxed) ||
         (r->q.cancel && __atomic_load_n(r->q.cancel, __ATOMIC_RELAXED));
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

// A rollout under way.
typedef struct course {
  const sn_model *m;
  sn_data *d;
  const si_rollout_row *row;
  const si_rollout_out *out;
  int64_t k;         // steps that were made
  int64_t reached;   // if one failed
  sn_status first;   // of the first that failed
  int ends;
} course;

static int goes_on(const si_rollout *r, const course *c) {
  return !c->ends && c->k < r->q.nstep;
}

// The inputs of the next step. What is not SN_OK ends the rollout.
static sn_status set_inputs(const si_rollout *r, const course *c) {
  const sn_model *m = c->m;
  if (c->row->control && m->nu > 0) {
    memcpy(c->d->ctrl, c->row->control + c->k / r->q.control_every * m->nu,
           (size_t)m->nu * sizeof(double));
  }
  return r->q.before_step ? r->q.before_step(r->q.context, m, c->d, c->row->number, c->k) : SN_OK;
}

// A cancel counts although a step failed before: the rollout was not run to its end.
static void note_failure(course *c, sn_status status) {
  if (status < 0 && (c->first >= 0 || status == SN_ECANCELED)) {
    c->first = status;
    c->reached = c->k;
  }
}

// What no step computes.
static sn_status before_sample(const si_rollout *r, const course *c) {
  return r->q.before_sample
             ? r->q.before_sample(r->q.sample_context, c->m, c->d, c->row->number, c->k)
             : SN_OK;
}

// After a step with this status.
static void finish_step(const si_rollout *r, course *c, sn_status status) {
  note_failure(c, status);
  if (status < 0 && r->q.flags & SN_ROLLOUT_STOP) {
    c->ends = 1;   // it does not count
    return;
  }
  if ((c->k + 1) % r->q.every == 0) {
    const sn_status sampled = before_sample(r, c);
    if (sampled != SN_OK) {
      note_failure(c, sampled);
      c->ends = 1;
      return;
    }
    take_sample(r, c->m, c->d, c->k / r->q.every, c->out);
  }
  c->k++;
  c->ends = is_beyond(r, c->d);
}

static sn_status finish(const si_rollout *r, const course *c, int64_t *reached) {
  si_rollout_leave_samples(r, c->k / r->q.every, c->out);
  *reached = c->first < 0 ? c->reached : c->k;
  return c->first;
}

static sn_status steps(const si_rollout *r, course *c, int64_t *reached) {
  while (goes_on(r, c)) {
    if (si_rollout_is_canceled(r)) {
      *reached = c->k;
      return SN_ECANCELED;
    }
    const sn_status status = set_inputs(r, c);
    if (status != SN_OK) {
      note_failure(c, status);
      break;
    }
    finish_step(r, c, sn_step(c->m, c->d));
  }
  return finish(r, c, reached);
}

// The first rollout of a request whose values are out of range is explained, in the log: the others
// probably have the same reason.
static sn_status set_values(const si_rollout *r, si_variant *variant, const si_rollout_row *row) {
  atomic_flag *warned = &((si_rollout *)(uintptr_t)r)->warned;
  const sn_status status = si_variant_set(variant, row->values, NULL);
  if (status < 0 && !atomic_flag_test_and_set(warned)) {
    sn_error *error = sn_error_new();
    si_variant_set(variant, row->values, error);
    si_engine_log(r->model->engine, SN_LOG_WARNING, "rollout",
                  "rollout %lld was not run, because of a variation: %s", (long long)row->number,
                  sn_error_message(error));
    sn_error_free(error);
  }
  return status;
}

// A rollout whose values are out of range ends before its first step.
static course begin(const si_rollout *r, const place *p, const si_rollout_row *row,
                    const si_rollout_out *out) {
  course c = { .m = p->model, .d = p->data, .row = row, .out = out };
  c.d->rollout = row->number + 1;   // for messages, as is `ends`
  c.d->ends = (r->q.flags & SN_ROLLOUT_STOP) != 0;
  if (p->variant) {
    const sn_status status = set_values(r, p->variant, row);
    if (status < 0) {
      note_failure(&c, status);
      c.ends = 1;
      return c;
    }
    if (r->q.seed || r->q.seeds) {
      si_variant_model(p->variant)->opt.noise_seed = (int64_t)row->seed;
    }
  }
  sn_reset(c.m, c.d);
  if (row->initial) {
    sn_state_set(c.m, c.d, r->q.initial_mask, row->initial);
  }
  return c;
}

sn_status si_rollout_run(const si_rollout *r, si_rollout_worker *w, const si_rollout_row *row,
                         const si_rollout_out *out, int64_t *reached) {
  course c = begin(r, &w->place[0], row, out);
  return steps(r, &c, reached);
}

// ------------------------------------------------------------------ several at once

// The quantities that a step in lanes computes: the state, and the inputs.
static int is_of_state(const si_part *p) {
  static const char *const names[] = { "time", "qpos", "qvel",           "act",
                                       "ctrl", "qacc", "qacc_warmstart", "qfrc_applied" };
  for (size_t i = 0; p->what == SI_PART_FIELD && i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(si_data_field_table[p->field].name, names[i]) == 0) {
      return 1;
    }
  }
  return 0;
}

static int are_of_state(const si_part *parts, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    if (!is_of_state(&parts[i])) {
      return 0;
    }
  }
  return 1;
}

// Can samples be taken after a step in lanes?
static int samples_state(const si_rollout *r) {
  return are_of_state(r->record, r->q.nrecord) && !r->q.before_sample;
}

int si_rollout_in_lanes(const si_rollout *r) {
  return !r->q.before_step && are_of_state(r->limit, r->q.nstop) &&
         (r->q.every > 1 || samples_state(r)) && si_lanes_cover(r->model);
}

int si_rollout_make_group(const si_rollout *r, si_rollout_worker *w) {
  for (int i = 1; i < SI_LANES; i++) {
    if (!w->place[i].data && fill_place(r, &w->place[i], NULL) < 0) {
      free_place(&w->place[i]);
      return 0;
    }
  }
  w->lanes = w->lanes ? w->lanes : si_lanes_new(r->model);
  const int64_t n = r->q.results ? 0 : (SI_LANES - 1) * r->q.nresult;
  return w->lanes && si_rollout_room(&w->others, &w->room[1], n, sizeof(double));
}

static int any_goes_on(const si_rollout *r, const course *c) {
  return goes_on(r, &c[0]) || goes_on(r, &c[1]) || goes_on(r, &c[2]) || goes_on(r, &c[3]);
}

// Steps once each rollout that goes on: in lanes unless the results of the step are recorded that
// lanes do not compute, and one by one what lanes left.
static void step_group(const si_rollout *r, si_rollout_worker *w, course *c, int by_step) {
  sn_data *d[SI_LANES] = { NULL };
  uint32_t wanted = 0;
  for (int i = 0; i < SI_LANES; i++) {
    if (goes_on(r, &c[i])) {
      set_inputs(r, &c[i]);
      d[i] = c[i].d;
      wanted |= 1u << i;
    }
  }
  const uint32_t done = by_step ? 0 : si_lanes_step(w->lanes, d, wanted);
  for (int i = 0; i < SI_LANES; i++) {
    if (wanted >> i & 1) {
      finish_step(r, &c[i], done >> i & 1 ? SN_OK : sn_step(c[i].m, d[i]));
    }
  }
}

void si_rollout_run_group(const si_rollout *r, si_rollout_worker *w, int n,
                          const si_rollout_row *row, const si_rollout_out *out, int32_t *status,
                          int64_t *reached) {
  course c[SI_LANES];
  const sn_model *models[SI_LANES];
  const int of_state = samples_state(r);
  for (int i = 0; i < SI_LANES; i++) {
    c[i] = i < n ? begin(r, &w->place[i], &row[i], &out[i]) : (course){ .ends = 1 };
    models[i] = c[i].ends ? r->model : c[i].m;
  }
  si_lanes_use(w->lanes, models);   // numbers may have been edited since the last call
  int canceled = 0;
  for (int64_t k = 1; any_goes_on(r, c) && !(canceled = si_rollout_is_canceled(r)); k++) {
    step_group(r, w, c, !of_state && k % r->q.every == 0);
  }
  for (int i = 0; i < n; i++) {
    reached[i] = c[i].k;
    status[i] = canceled && goes_on(r, &c[i]) ? SN_ECANCELED : finish(r, &c[i], &reached[i]);
  }
}
