// SPDX-License-Identifier: Apache-2.0
//
// The memory of a simulation: making, copying, resetting.

#include "data/data.h"

#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "data/fields.h"
#include "data/share.h"
#include "data/sleep.h"
#include "host/limits.h"
#include "platform/thread.h"

// ------------------------------------------------------------------ links

enum { LINK_NUMBERS = 6 + 3 + 10 + SN_ARTICULATION_FACTOR + SN_ARTICULATION_WORK };

// Places the arrays of the links behind each other; returns how many numbers they have.
static int64_t place_links(const sn_model *m, double *at, si_links *links) {
  const int64_t nv = si_model_is_recursive(m) ? m->nv : 0;
  if (nv > 0 && at) {
    links->axis = at;
    links->shift = links->axis + 6 * nv;
    links->inertia = links->shift + 3 * nv;
    links->factor = links->inertia + 10 * nv;
    links->work = links->factor + SN_ARTICULATION_FACTOR * nv;
    links->view = (sn_articulation){ .nv = nv,
                                     .parent = m->dof_parentid,
                                     .axis = links->axis,
                                     .shift = links->shift,
                                     .inertia = links->inertia,
                                     .armature = m->dof_armature,
                                     .factor = links->factor,
                                     .work = links->work };
  }
  return LINK_NUMBERS * nv;
}

// ------------------------------------------------------------------ making

sn_data *sn_data_new(const sn_model *model, sn_error *error) {
  const int64_t threads = model->opt.threads;
  return si_data_new(model, (int32_t)(threads > 0 ? threads : si_processors()), error);
}

sn_data *si_data_new(const sn_model *model, int32_t nworker, sn_error *error) {
  si_extent extent[SI_NDATAFIELD];
  si_data_extents(model, extent);
  int64_t bytes = si_fields_place(si_data_field_table, extent, SI_NDATAFIELD, NULL, NULL);

  double needed = 0;   // in real numbers: their product may be larger than any integer
  const int64_t nstate = model->nforcestate + model->nintegratorstate;
  const int64_t more = nstate + place_links(model, NULL, NULL);
  const int64_t sleep = si_sleep_place(model, NULL, NULL);
  bytes += more * (int64_t)sizeof(double) + sleep;
  needed += (double)more * sizeof(double) + (double)sleep;
  for (int i = 0; i < SI_NDATAFIELD; i++) {
    needed += (double)extent[i].rows * (double)extent[i].cols * si_data_field_table[i].bytes;
  }
  if (si_limit_memory(model->engine, needed, NULL, "a simulation of this model", error) < 0) {
    return NULL;
  }

  sn_data *d = calloc(1, sizeof *d);
  si_worker *worker = calloc((size_t)nworker, sizeof *worker);
  si_sharing *sharing = nworker > 1 ? si_sharing_new(nworker) : NULL;
  void *buffer = aligned_alloc(64, (size_t)si_data_capacity(bytes));
  if (!d || !worker || !buffer || (nworker > 1 && !sharing)) {
    free(d);
    free(worker);
    si_sharing_free(sharing);
    free(buffer);
    si_fail(error, SN_ENOMEM, "out of memory for a simulation of %lld bytes", (long long)bytes);
    return NULL;
  }
  d->buffer = buffer;
  d->nbuffer = bytes;
  int64_t end = si_fields_place(si_data_field_table, extent, SI_NDATAFIELD, buffer, d->field);
  d->force_state = (double *)(void *)((char *)buffer + end);
  d->integrator_state = d->force_state + model->nforcestate;
  d->nintegratorstate = model->nintegratorstate;
  place_links(model, d->integrator_state + model->nintegratorstate, &d->links);
  si_sleep_place(model, d->force_state + more, &d->sleep);
  d->nstate = si_state_copy_size(model, d);
  d->model = model;
  d->view = (sn_data_view){ .size = sizeof d->view,
                            .data = d,
                            .fields = (const void *const *)d->field,
                            .model = &model->view };
  si_arena_init(&d->results, (int64_t)model->opt.memory);
  d->nworker = nworker;
  d->worker = worker;
  d->sharing = sharing;
  for (int32_t k = 0; k < nworker; k++) {
    si_worker_init(&worker[k], d);
  }
  d->results.neighbor = &worker->scratch;   // only the first worker takes memory of the results
  if (si_engine_checks(model->engine) && !(worker->checker = si_checker_new(worker))) {
    sn_data_free(d);
    si_fail(error, SN_ENOMEM, "out of memory while checking plugins");
    return NULL;
  }
  si_data_reset(model, d);
  return d;
}

void sn_data_free(sn_data *data) {
  if (!data) {
    return;
  }
  sn_data_free(data->projection);
  si_sharing_free(data->sharing);
  si_arena_free(&data->results);
  free(data->sleep.parts);
  for (int32_t k = 0; k < data->nworker; k++) {
    si_worker_free(&data->worker[k]);
  }
  free(data->worker);
  free(data->buffer);
  free(data);
}

int64_t si_data_bytes(const sn_data *d) {
  int64_t bytes = (int64_t)sizeof *d + si_data_capacity(d->nbuffer);
  bytes += si_arena_capacity(&d->results);
  for (int32_t k = 0; k < d->nworker; k++) {
    bytes += (int64_t)sizeof d->worker[k] + si_arena_capacity(&d->worker[k].scratch);
  }
  return bytes + (d->projection ? si_data_bytes(d->projection) : 0);
}

void si_data_clear_step(sn_data *d) {
#define SN_X(name, stage, meaning) d->name = 0;
  int64_t nwarning = d->nwarning;
  SN_DATA_COUNTS(SN_X)
#undef SN_X
  d->nwarning = nwarning;
  memset(d->field + SI_NDATAFIELD, 0, SI_NSTEPFIELD * sizeof d->field[0]);
  d->block = NULL;
  d->cone = NULL;
  d->island = NULL;
  d->niteration = 0;
  si_arena_reset(&d->results);
}

// ------------------------------------------------------------------ reset

void si_data_reset(const sn_model *m, sn_data *d) {
  memset(d->buffer, 0, (size_t)d->nbuffer);
  si_data_clear_step(d);
  memset(d->warning, 0, sizeof d->warning);
  d->nwarning = 0;
  d->fd_logged = 0;
  d->computed = 0;
  si_error_clear(&d->error);

  // what does not start at zero
  memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
  if (m->bound.sensor_state0) {
    memcpy(d->sensor_state, m->bound.sensor_state0, (size_t)m->nsensorstate * sizeof(double));
  }
  if (m->bound.act0) {
    memcpy(d->act, m->bound.act0, (size_t)m->na * sizeof(double));
  }
  if (m->nforcestate > 0) {
    memcpy(d->force_state, m->bound.force_state0, (size_t)m->nforcestate * sizeof(double));
  }
  memcpy(d->eq_enabled, m->eq_active, (size_t)m->neq * sizeof(int32_t));
  for (int64_t i = 0; i < m->nbody; i++) {
    int32_t k = m->body_mocapid[i];
    if (k >= 0) {
      memcpy(d->mocap_pos + 3 * k, m->body_pos + 3 * i, 3 * sizeof(double));
      memcpy(d->mocap_quat + 4 * k, m->body_quat + 4 * i, 4 * sizeof(double));
    }
  }
  si_sleep_reset(m, d);
}

// ------------------------------------------------------------------ copy

static void *copy_results(sn_data *to, const void *from, int64_t bytes) {
  if (bytes == 0) {
    return NULL;
  }
  void *p = si_arena_take(&to->results, bytes, 64);
  if (p) {
    memcpy(p, from, (size_t)bytes);
  }
  return p;
}

static int copy_step(sn_data *to, const sn_data *from) {
  si_extent extent[SI_NSTEPFIELD];
  si_step_extents(from, extent);
  const si_field_info *info = si_data_field_table + SI_NDATAFIELD;
  int whole = 1;
  for (int i = 0; i < SI_NSTEPFIELD; i++) {
    const void *p = from->field[SI_NDATAFIELD + i];
    int64_t bytes = p ? extent[i].rows * extent[i].cols * info[i].bytes : 0;
    to->field[SI_NDATAFIELD + i] = copy_results(to, p, bytes);
    whole &= bytes == 0 || to->field[SI_NDATAFIELD + i];
  }
  to->block = copy_results(to, from->block, from->nblock * (int64_t)sizeof(sn_block));
  to->cone = copy_results(to, from->cone, from->ncone * (int64_t)sizeof(sn_cone));
  to->island = copy_results(to, from->island, from->nisland * (int64_t)sizeof(si_island));
  whole &= (from->nblock == 0 || to->block) && (from->ncone == 0 || to->cone);
  if (from->nisland > 0 && !to->island) {
    return 0;
  }
  for (int64_t k = 0; k < from->nisland; k++) {
    const si_island *island = &from->island[k];
    to->island[k].dof = copy_results(to, island->dof, island->ndof * (int64_t)sizeof(int32_t));
    to->island[k].row = copy_results(to, island->row, island->nrow * (int64_t)sizeof(int32_t));
    whole &= (island->ndof == 0 || to->island[k].dof) && (island->nrow == 0 || to->island[k].row);
  }
  return whole;
}

sn_status si_data_copy(sn_data *to, const sn_data *from) {
  if (to->nintegratorstate != from->nintegratorstate) {
    return si_fail(&to->error, SN_EINVAL,
                   "these simulations were created with different integrators");
  }
  if (!to->links.axis != !from->links.axis) {
    return si_fail(&to->error, SN_EINVAL,
                   "these simulations were created with different values of the option 'inertia'");
  }
  if (to == from) {
    return SN_OK;
  }
  memcpy(to->buffer, from->buffer, (size_t)from->nbuffer);
  si_data_clear_step(to);
  if (!copy_step(to, from)) {
    si_data_clear_step(to);
    return si_fail(&to->error, SN_ENOMEM, "out of memory while copying a simulation");
  }
#define SN_X(name, stage, meaning) to->name = from->name;
  SN_DATA_COUNTS(SN_X)
#undef SN_X
  to->nwarning = 0;
  for (int i = 0; i < SN_NWARNINGS; i++) {
    to->warning[i] = sn_data_warning_count(from, i);
    to->nwarning += to->warning[i];
  }
  si_sleep_copy(from->model, to, from);
  memcpy(to->iteration, from->iteration, sizeof to->iteration);
  to->niteration = from->niteration;
  to->computed = from->computed;
  return SN_OK;
}

// ------------------------------------------------------------------ warnings and errors

static const char *const warning_names[SN_NWARNINGS] = {
  [SN_WARN_BADQPOS] = "bad qpos",
  [SN_WARN_BADQVEL] = "bad qvel",
  [SN_WARN_BADQACC] = "bad qacc",
  [SN_WARN_BADCTRL] = "bad ctrl",
  [SN_WARN_INERTIA] = "inertia is not positive",
  [SN_WARN_PLUGIN] = "a plugin returned invalid results",
  [SN_WARN_CONTACTS] = "contacts omitted",
  [SN_WARN_BADTIME] = "bad time",
  [SN_WARN_STIFF] = "too stiff for the time step",
  [SN_WARN_EQUALITY] = "exact equality not satisfied",
  [SN_WARN_PYRAMID] = "pyramidal cones",
  [SN_WARN_SOFTENED] = "softer contacts",
};

const char *sn_data_warning_name(int32_t warning) {
  return warning >= 0 && warning < SN_NWARNINGS ? warning_names[warning] : "";
}

// Within a step, those that are not merged yet count too.
int64_t sn_data_warning_count(const sn_data *data, int32_t warning) {
  if (warning < 0 || warning >= SN_NWARNINGS) {
    return 0;
  }
  int64_t n = data->warning[warning];
  for (int32_t k = 0; k < data->nworker; k++) {
    n += data->worker[k].warning[warning];
  }
  return n;
}

void si_data_merge(sn_data *d) {
  for (int32_t k = 0; k < d->nworker; k++) {
    si_worker *w = &d->worker[k];
    for (int i = 0; w->nwarning && i < SN_NWARNINGS; i++) {
      d->warning[i] += w->warning[i];
      w->warning[i] = 0;
    }
    d->nwarning += w->nwarning;
    w->nwarning = 0;
    if (sn_error_code(&w->error) < 0) {
      if (sn_error_code(&d->error) >= 0) {
        si_error_assign(&d->error, &w->error);
      }
      si_error_clear(&w->error);
    }
  }
}

void si_data_merge_solver_logs(sn_data *d) {
  const si_solver_log *best = &d->worker[0].solver;
  d->nunconverged = best->nunconverged;
  d->nsoftened = best->nsoftened;
  for (int32_t k = 1; k < d->nworker; k++) {
    const si_solver_log *log = &d->worker[k].solver;
    d->nunconverged += log->nunconverged;
    d->nsoftened += log->nsoftened;
    if (log->iterations > best->iterations ||
        (log->iterations == best->iterations && log->island < best->island)) {
      best = log;
    }
  }
  d->solver_iter = best->iterations;
  d->niteration = best->iterations < SN_SOLVER_LOG ? best->iterations : SN_SOLVER_LOG;
  memcpy(d->iteration, best->most, (size_t)d->niteration * sizeof(sn_iteration));
}

const sn_error *sn_data_error(const sn_data *data) {
  return &data->error;
}

const sn_iteration *sn_solver_log(const sn_data *data, int64_t *n) {
  *n = data->niteration;
  return data->iteration;
}

void sn_data_memory(const sn_data *data, int64_t *total, int64_t *used) {
  *total = (int64_t)sizeof *data + data->nbuffer + si_arena_capacity(&data->results);
  *used = data->results.peak;
  for (int32_t k = 0; k < data->nworker; k++) {
    *total += (int64_t)sizeof data->worker[k] + si_arena_capacity(&data->worker[k].scratch);
    *used += data->worker[k].scratch.peak;
  }
  if (data->projection) {
    int64_t more, peak;
    sn_data_memory(data->projection, &more, &peak);
    *total += more;
    *used += peak;
  }
}
