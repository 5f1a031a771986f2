// SPDX-License-Identifier: Apache-2.0
//
// A round steps the model from its start, in slices that alternate between the engines, so that
// whatever else the machine does affects both; the ratio of a round is that of the processor times.
// An evaluation before each slice, whose time does not count, fills the caches, as they are in a
// program that has one engine: else the faster one, whose slices are shorter, waits for memory in a
// larger part of its time. The first round warms up and counts. Controls are filtered noise from a
// fixed seed, the same for both.

#include "versus.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MOST_STEPS = 100000, LEAST_STEPS = 24, COMPARED_STEPS = 50 };
static const double round_seconds = 0.5;   // of the reference engine
static const double noise_part = 0.1, noise_memory = 0.95;

typedef struct pair {
  sn_model *model;
  sn_data *data;
  mjModel *reference_model;
  mjData *reference_data;
  int key;
  double *control;   // steps x nu
  double *start;     // qpos, qvel; NULL: where a reset leaves them
  double *warmstart;   // nv: room for that of the reference engine
} pair;

static void quiet(const char *message) {
  (void)message;
}

// ------------------------------------------------------------------ a model

static int load(pair *p, sn_engine *engine, const char *path, char *why, size_t size) {
  sn_error *error = sn_error_new();
  p->model = sn_load(engine, path, error);
  p->data = p->model ? sn_data_new(p->model, error) : NULL;
  if (!p->data) {
    snprintf(why, size, "Sinew does not load it: %s", sn_error_text(error));
  } else {
    char text[300] = "";
    mju_user_warning = quiet;
    p->reference_model = mj_loadXML(path, NULL, text, sizeof text);
    p->reference_data = p->reference_model ? mj_makeData(p->reference_model) : NULL;
    if (!p->reference_data) {
      snprintf(why, size, "the reference engine does not load it: %s", text);
    }
  }
  sn_error_free(error);
  return p->reference_data != NULL;
}

static void unload(pair *p) {
  free(p->control);
  free(p->start);
  free(p->warmstart);
  sn_data_free(p->data);
  if (p->model) {
    sn_model_free(p->model);
  }
  mj_deleteData(p->reference_data);
  mj_deleteModel(p->reference_model);
}

static void reset(pair *p) {
  const mjModel *m = p->reference_model;
  mjData *d = p->reference_data;
  sn_reset(p->model, p->data);
  mj_resetData(m, d);
  if (p->key >= 0) {
    sn_reset_key(p->model, p->data, p->key);
    mj_resetDataKeyframe(m, d, p->key);
  }
  if (p->start) {
    const size_t nq = (size_t)m->nq * sizeof(double), nv = (size_t)m->nv * sizeof(double);
    memcpy(snd_qpos(p->data), p->start, nq);
    memcpy(snd_qvel(p->data), p->start + m->nq, nv);
    memcpy(d->qpos, p->start, nq);
    memcpy(d->qvel, p->start + m->nq, nv);
  }
}

// False: no memory, or the engines do not have the same coordinates.
static int settle(pair *p, int steps) {
  const mjModel *m = p->reference_model;
  if (steps == 0) {
    return 1;
  }
  double *start = calloc((size_t)(m->nq + m->nv) + 1, sizeof *start);
  if (!start || snm_nq(p->model) != m->nq || snm_nv(p->model) != m->nv) {
    free(start);
    return 0;
  }
  reset(p);
  for (int i = 0; i < steps; i++) {
    sn_step(p->model, p->data);
  }
  memcpy(start, snd_qpos(p->data), (size_t)m->nq * sizeof *start);
  memcpy(start + m->nq, snd_qvel(p->data), (size_t)m->nv * sizeof *start);
  p->start = start;
  return 1;
}

static double uniform(uint64_t *state) {   // splitmix64, in [-1, 1)
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

// Around the middle of the control range, where there is one.
static int make_controls(pair *p, int steps) {
  const mjModel *m = p->reference_model;
  uint64_t state = 1;
  p->control = calloc((size_t)steps * (size_t)m->nu + 1, sizeof *p->control);
  for (int i = 0; p->control && i < m->nu; i++) {
    const double lo = m->actuator_ctrlrange[2 * i], hi = m->actuator_ctrlrange[2 * i + 1];
    const int limited = m->actuator_ctrllimited[i];
    const double middle = limited ? 0.5 * (lo + hi) : 0, half = limited ? 0.5 * (hi - lo) : 1;
    double noise = 0;
    for (int k = 0; k < steps; k++) {
      noise = noise_memory * noise + (1 - noise_memory) * uniform(&state);
      p->control[k * (int64_t)m->nu + i] = middle + noise_part * half * noise;
    }
  }
  p->warmstart = calloc((size_t)m->nv + 1, sizeof *p->warmstart);
  return p->control && p->warmstart;
}

// ------------------------------------------------------------------ slices

// Each steps from step `first` to `end` and returns the processor time. work: NULL, or sums.
static double step_ours(pair *p, int first, int end, versus_work *work) {
  const size_t bytes = (size_t)p->reference_model->nu * sizeof(double);
  double start = thread_clock();
  for (int i = first; i < end; i++) {
    memcpy(snd_ctrl(p->data), p->control + i * (int64_t)p->reference_model->nu, bytes);
    const sn_status status = sn_step(p->model, p->data);
    if (work) {
      work->contacts += (double)snd_ncon(p->data);
      work->rows += (double)snd_nefc(p->data);
      work->iterations += (double)snd_solver_iter(p->data);
      work->resets += status < 0;
    }
  }
  return thread_clock() - start;
}

static double step_theirs(pair *p, int first, int end, versus_work *work) {
  const mjModel *m = p->reference_model;
  mjData *d = p->reference_data;
  double start = thread_clock();
  for (int i = first; i < end; i++) {
    memcpy(d->ctrl, p->control + i * (int64_t)m->nu, (size_t)m->nu * sizeof(double));
    mj_step(m, d);
    if (work) {
      work->contacts += d->ncon;
      work->rows += d->nefc;
      work->iterations += d->solver_iter;
    }
  }
  return thread_clock() - start;
}

static void warm_ours(pair *p) {
  sn_forward(p->model, p->data);
}

// Its evaluation writes the warm start of the next step.
static void warm_theirs(pair *p) {
  mjData *d = p->reference_data;
  const size_t bytes = (size_t)p->reference_model->nv * sizeof(double);
  memcpy(p->warmstart, d->qacc_warmstart, bytes);
  mj_forward(p->reference_model, d);
  memcpy(d->qacc_warmstart, p->warmstart, bytes);
}

static int choose_steps(pair *p) {
  enum { TRIAL = 20 };
  make_controls(p, TRIAL);
  reset(p);
  const double seconds = step_theirs(p, 0, TRIAL, NULL);
  const double n = TRIAL * round_seconds / fmax(seconds, 1e-7);
  free(p->control);
  free(p->warmstart);
  p->control = p->warmstart = NULL;
  return n < LEAST_STEPS ? LEAST_STEPS : n > MOST_STEPS ? MOST_STEPS : (int)n;
}

// ------------------------------------------------------------------ rounds

// The first steps of both, beside each other.
static void compare_states(pair *p, int steps, versus_result *r) {
  reset(p);
  for (int i = 0; i < steps && i < COMPARED_STEPS; i++) {
    step_ours(p, i, i + 1, NULL);
    step_theirs(p, i, i + 1, NULL);
    r->contact_difference += fabs((double)snd_ncon(p->data) - p->reference_data->ncon);
  }
  const double *q = snd_qpos(p->data);
  for (int i = 0; i < p->reference_model->nq && snm_nq(p->model) == p->reference_model->nq; i++) {
    r->position_difference = fmax(r->position_difference, fabs(q[i] - p->reference_data->qpos[i]));
  }
}

static void run_round(pair *p, int steps, double *ours, double *theirs, versus_result *count) {
  reset(p);
  *ours = *theirs = 0;
  for (int k = 0; k < SLICES; k++) {
    const int first = (int)((int64_t)steps * k / SLICES),
              end = (int)((int64_t)steps * (k + 1) / SLICES);
    warm_ours(p);
    *ours += step_ours(p, first, end, count ? &count->ours : NULL);
    warm_theirs(p);
    *theirs += step_theirs(p, first, end, count ? &count->theirs : NULL);
  }
}

static void divide(versus_work *work, int steps) {
  work->contacts /= steps;
  work->rows /= steps;
  work->iterations /= steps;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x) {
  qsort(x, ROUNDS, sizeof *x, compare_numbers);
  return x[ROUNDS / 2];
}

int versus_run(sn_engine *engine, const versus_scene *scene, versus_result *result, char *why,
               size_t size) {
  pair p = { .key = scene->key };
  *result = (versus_result){ 0 };
  if (!load(&p, engine, scene->path, why, size)) {
    unload(&p);
    return 0;
  }
  const int steps = bench_steps(scene->steps > 0 ? scene->steps : choose_steps(&p));
  if (!make_controls(&p, steps) || !settle(&p, bench_steps(scene->settle))) {
    snprintf(why, size, "out of memory, or the engines do not have the same coordinates");
    unload(&p);
    return 0;
  }
  double ours[ROUNDS], theirs[ROUNDS], ratio[ROUNDS];
  compare_states(&p, steps, result);
  run_round(&p, steps, ours, theirs, result);
  for (int i = 0; i < ROUNDS; i++) {
    run_round(&p, steps, &ours[i], &theirs[i], NULL);
    ratio[i] = theirs[i] / ours[i];
  }
  divide(&result->ours, steps);
  divide(&result->theirs, steps);
  result->nv = snm_nv(p.model);
  result->steps = steps;
  result->rate = steps / median(ours);
  result->reference_rate = steps / median(theirs);
  result->ratio = median(ratio);
  result->lowest = ratio[0];
  result->highest = ratio[ROUNDS - 1];
  unload(&p);
  return 1;
}
