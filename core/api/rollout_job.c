// SPDX-License-Identifier: Apache-2.0
//
// Rollouts as data: a description of a job, from which another process makes the same job, and the
// rows and results that the two exchange.
//
//   description   head, names, ranges of `stop`, then the model in its binary format
//   row           number, seed, initial state, controls, values of variations
//   result        states, then results
//
// All numbers have the byte order of this machine; both processes run the same version of Sinew.
// What a rollout computes from a row is what si_rollout_run computes here: see rollout_run.c.

#include "api/rollout_job.h"

#include <stdlib.h>
#include <string.h>

#include "api/binary.h"
#include "base/plain.h"
#include "base/reader.h"
#include "base/text.h"
#include "bind/bind.h"
#include "host/engine_state.h"

static const char magic[8] = { 'S', 'N', 'J', 'O', 'B', '0', '0', '1' };

typedef struct head {
  char magic[8];
  char version[24];
  int64_t nstep, every, control_every, ntask;
  int64_t nrecord, nvary, nstop, nmodel;
  uint32_t flags, initial_mask, result_mask;
  int32_t chosen;   // of the model
  int32_t has_initial, has_control, has_states, has_seed;
} head;

// ------------------------------------------------------------------ sizes

int64_t si_rollout_row_bytes(const si_rollout *r) {
  return 8 * (2 + (r->q.initial ? r->ninitial : 0) + (r->q.control ? r->ncontrol : 0) + r->nvalue);
}

int64_t si_rollout_result_bytes(const si_rollout *r) {
  return 8 * ((r->q.states ? r->q.nsample * r->nstate : 0) + r->q.nresult);
}

// ------------------------------------------------------------------ rows

static void *put(void *to, const void *from, int64_t n) {
  memcpy(to, from, (size_t)n * 8);
  return (char *)to + n * 8;
}

void si_rollout_put_row(const si_rollout *r, const si_rollout_row *row, void *to) {
  to = put(to, &row->number, 1);
  to = put(to, &row->seed, 1);
  to = row->initial ? put(to, row->initial, r->ninitial) : to;
  to = row->control ? put(to, row->control, r->ncontrol) : to;
  if (r->nvalue > 0) {
    put(to, row->values, r->nvalue);
  }
}

static si_rollout_row take_row(const si_rollout *r, const void *from, double *values) {
  si_rollout_row row = { .values = values };
  const double *at = from;
  memcpy(&row.number, at, 8);
  memcpy(&row.seed, at + 1, 8);
  at += 2;
  if (r->q.initial) {
    row.initial = at;
    at += r->ninitial;
  }
  if (r->q.control) {
    row.control = at;
    at += r->ncontrol;
  }
  if (r->nvalue > 0) {
    memcpy(values, at, (size_t)r->nvalue * 8);
  }
  return row;
}

// ------------------------------------------------------------------ writing

static sn_status add_bytes(sn_sink *sink, const void *bytes, int64_t count) {
  si_buffer *buffer = sink->context;
  si_buffer_add(buffer, bytes, (size_t)count);
  return buffer->failed ? SN_ENOMEM : SN_OK;
}

static sn_status put_name(sn_sink *sink, const char *name) {
  const int64_t n = (int64_t)strlen(name) + 1;
  SN_TRY(sink->write(sink, &n, 8));
  return sink->write(sink, name, n);
}

static sn_status put_names(const si_rollout *r, sn_sink *sink) {
  for (int64_t i = 0; i < r->q.nrecord; i++) {
    SN_TRY(put_name(sink, r->q.record[i].name));
  }
  for (int64_t i = 0; i < r->q.nvary; i++) {
    SN_TRY(put_name(sink, r->q.vary[i].name));
  }
  for (int64_t i = 0; i < r->q.nstop; i++) {
    SN_TRY(put_name(sink, r->q.stop[i].name));
    SN_TRY(sink->write(sink, &r->q.stop[i].min, 8));
    SN_TRY(sink->write(sink, &r->q.stop[i].max, 8));
  }
  return SN_OK;
}

sn_status si_rollout_describe(const si_rollout *r, int64_t ntask, sn_sink *sink, sn_error *error) {
  const sn_rollout_request *q = &r->q;
  if (q->before_step || q->before_sample) {
    return si_fail(
        error, SN_EUNSUPPORTED,
        "%s is a function of this process and cannot be called in another one; select an executor "
        "that runs rollouts in this process%s",
        q->before_step ? "before_step" : "before_sample",
        q->before_step ? ", or write a controller" : "");
  }
  si_buffer model = { 0 };
  sn_sink memory = { .size = sizeof memory, .context = &model, .write = add_bytes };
  sn_status status = si_model_write(r->model, &memory, error);
  head h = { .version = SN_VERSION,
             .nstep = q->nstep,
             .every = q->every,
             .control_every = q->control_every,
             .ntask = ntask,
             .nrecord = q->nrecord,
             .nvary = q->nvary,
             .nstop = q->nstop,
             .nmodel = (int64_t)model.n,
             .flags = q->flags,
             .initial_mask = q->initial_mask,
             .result_mask = q->result_mask,
             .chosen = r->model->chosen,
             .has_initial = q->initial != NULL,
             .has_control = q->control != NULL,
             .has_states = q->states != NULL,
             .has_seed = q->seed || q->seeds };
  memcpy(h.magic, magic, sizeof magic);
  status = status < 0 ? status : sink->write(sink, &h, sizeof h);
  status = status < 0 ? status : put_names(r, sink);
  status = status < 0 ? status : sink->write(sink, model.at, (int64_t)model.n);
  free(model.at);
  return si_error_settle(error, status);
}

// ------------------------------------------------------------------ a job of a description

typedef struct remote {
  sn_job job;
  si_rollout r;
  sn_model *model;
  char *names;   // of all quantities
  sn_rollout_record *record;
  sn_rollout_variation *vary;
  sn_rollout_limit *stop;
} remote;

static sn_status open_worker(sn_job *job, int64_t index, void **worker) {
  (void)index;
  si_rollout_worker *w = NULL;
  const remote *me = job->context;
  const sn_status status = si_rollout_worker_new(&me->r, &w, NULL);
  *worker = w;
  return status;
}

static void close_worker(sn_job *job, void *worker) {
  (void)job;
  si_rollout_worker_free(worker);
}

static sn_status run_row(sn_job *job, void *worker, const void *row, void *result,
                         int64_t *reached) {
  const remote *me = job->context;
  const si_rollout *r = &me->r;
  si_rollout_worker *w = worker;
  const si_rollout_row inputs = take_row(r, row, w->values);
  const int64_t nstates = r->q.states ? r->q.nsample * r->nstate : 0;
  double *to = result;
  const si_rollout_out out = { nstates ? to : NULL, r->q.nresult ? to + nstates : NULL };
  return si_rollout_run(r, w, &inputs, &out, reached);
}

static sn_status stop_if_canceled(void *context, const sn_model *model, sn_data *data,
                                  int64_t rollout, int64_t step) {
  (void)model, (void)data, (void)rollout, (void)step;
  const sn_job *job = context;
  return job->is_canceled && job->is_canceled(job->cancel_context) ? SN_ECANCELED : SN_OK;
}

static const char *take_name(si_reader *r) {
  int64_t n;
  const char *name = si_reader_copy(r, &n, 8) ? si_reader_take(r, n) : NULL;
  return name && n > 0 && !name[n - 1] ? name : NULL;
}

static int take_names(remote *me, const head *h, si_reader *r) {
  for (int64_t i = 0; i < h->nrecord; i++) {
    me->record[i].name = take_name(r);
    if (!me->record[i].name) {
      return 0;
    }
  }
  for (int64_t i = 0; i < h->nvary; i++) {
    me->vary[i].name = take_name(r);
    if (!me->vary[i].name) {
      return 0;
    }
  }
  for (int64_t i = 0; i < h->nstop; i++) {
    me->stop[i].name = take_name(r);
    if (!me->stop[i].name || !si_reader_copy(r, &me->stop[i].min, 16)) {
      return 0;
    }
  }
  return 1;
}

static sn_status make_model(remote *me, sn_engine *engine, const head *h, const si_reader *r,
                            sn_error *error) {
  if (r->left != h->nmodel) {
    return si_fail(error, SN_EPARSE, "the description of rollouts is damaged");
  }
  SI_PLAIN_LOCALE;
  SN_TRY(si_engine_freeze(engine, error));
  me->model = si_model_read(engine, r->at, r->left, "the model of a job", error);
  if (!me->model) {
    return SN_EPARSE;
  }
  me->model->chosen = h->chosen;
  return si_model_bind(me->model, error);
}

static sn_status fill(remote *me, sn_engine *engine, si_reader r, sn_error *error) {
  head h;
  if (!si_reader_copy(&r, &h, sizeof h)) {
    return si_fail(error, SN_EPARSE, "the description of rollouts is too short");
  }
  h.version[sizeof h.version - 1] = 0;
  if (memcmp(h.magic, magic, sizeof magic) != 0 || strcmp(h.version, SN_VERSION) != 0) {
    return si_fail(error, SN_EUNSUPPORTED,
                   "the description of rollouts is of another version of Sinew; run the same "
                   "version in all processes");
  }
  if (h.nrecord < 0 || h.nvary < 0 || h.nstop < 0 || h.nrecord > r.left || h.nvary > r.left ||
      h.nstop > r.left) {
    return si_fail(error, SN_EPARSE, "the description of rollouts is damaged");
  }
  me->names = malloc((size_t)r.left + 1);
  me->record = calloc((size_t)h.nrecord + 1, sizeof *me->record);
  me->vary = calloc((size_t)h.nvary + 1, sizeof *me->vary);
  me->stop = calloc((size_t)h.nstop + 1, sizeof *me->stop);
  if (!me->names || !me->record || !me->vary || !me->stop) {
    return si_fail(error, SN_ENOMEM, "out of memory for the description of rollouts");
  }
  memcpy(me->names, r.at, (size_t)r.left);
  r.at = (const uint8_t *)me->names;
  if (!take_names(me, &h, &r)) {
    return si_fail(error, SN_EPARSE, "the description of rollouts is damaged");
  }
  SN_TRY(make_model(me, engine, &h, &r, error));
  static double present[1];   // an address, for what rows and results have
  const sn_rollout_request q = { .size = sizeof q,
                                 .n = h.ntask,
                                 .nstep = h.nstep,
                                 .every = h.every,
                                 .control_every = h.control_every,
                                 .flags = h.flags,
                                 .initial_mask = h.initial_mask,
                                 .result_mask = h.result_mask,
                                 .record = me->record,
                                 .nrecord = h.nrecord,
                                 .vary = me->vary,
                                 .nvary = h.nvary,
                                 .stop = me->stop,
                                 .nstop = h.nstop,
                                 .before_step = stop_if_canceled,
                                 .context = &me->job,
                                 .seed = (uint64_t)h.has_seed,
                                 .initial = h.has_initial ? present : NULL,
                                 .control = h.has_control ? present : NULL,
                                 .states = h.has_states ? present : NULL };
  return si_rollout_read(&me->r, me->model, &q, error);
}

static void job_close(sn_job *job) {
  remote *me = job ? job->context : NULL;
  if (me) {
    si_rollout_free(&me->r);
    sn_model_free(me->model);
    free(me->names);
    free(me->record);
    free(me->vary);
    free(me->stop);
    free(me);
  }
}

static sn_status job_open(const sn_host *host, const void *bytes, int64_t count, sn_job **job,
                          sn_error *error) {
  remote *me = calloc(1, sizeof *me);
  *job = NULL;
  if (!me) {
    return si_fail(error, SN_ENOMEM, "out of memory for the description of rollouts");
  }
  me->job = (sn_job){ .size = sizeof me->job,
                      .context = me,
                      .open = open_worker,
                      .close = close_worker,
                      .run_row = run_row };
  const sn_status status = fill(me, (sn_engine *)(uintptr_t)host, (si_reader){ bytes, count },
                                error);
  if (status < 0) {
    job_close(&me->job);
    return si_error_settle(error, status);
  }
  me->job.ntask = me->r.q.n;
  me->job.row_bytes = si_rollout_row_bytes(&me->r);
  me->job.result_bytes = si_rollout_result_bytes(&me->r);
  *job = &me->job;
  return SN_OK;
}

const sn_job_service si_job_service_table = {
  .size = sizeof(sn_job_service),
  .open = job_open,
  .close = job_close,
};
