// SPDX-License-Identifier: Apache-2.0
//
// sinew trace: steps a model and prints its state after chosen steps.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

// What was recorded, one row a record.
typedef struct trace {
  int64_t n, room;
  double *step, *time, *ncon, *nefc, *iterations;
  double *qpos, *qvel, *act, *sensordata;
} trace;

// ------------------------------------------------------------------ which steps

// Reads "1,2,5" into ascending numbers. NULL after a usage error.
static int64_t *read_record(const options *o, int64_t *n) {
  int64_t *steps = malloc((o->record ? strlen(o->record) + 1 : 1) * sizeof *steps);
  *n = 0;
  if (!steps) {
    report_text(o, NULL, 0, 0, "no memory");
    return NULL;
  }
  if (!o->record) {
    steps[(*n)++] = o->steps;
    return steps;
  }
  const char *p = o->record;
  for (;;) {
    char *end;
    long long value = strtoll(p, &end, 10);
    if (end == p || (*end && *end != ',') || value < 1 || value > o->steps ||
        (*n && value <= steps[*n - 1])) {
      usage_error(o->command, "--record takes ascending steps from 1 to %lld, not '%s'",
                  (long long)o->steps, o->record);
      free(steps);
      return NULL;
    }
    steps[(*n)++] = value;
    if (!*end) {
      return steps;
    }
    p = end + 1;
  }
}

// ------------------------------------------------------------------ stepping

static int allocate(const session *s, trace *t, int64_t room) {
  const sn_model *m = s->model;
  double **arrays[] = { &t->step, &t->time, &t->ncon, &t->nefc,      &t->iterations,
                        &t->qpos, &t->qvel, &t->act,  &t->sensordata };
  const int64_t cols[] = { 1, 1, 1, 1, 1, snm_nq(m), snm_nv(m), snm_na(m), snm_nsensordata(m) };
  *t = (trace){ .room = room };
  int ok = 1;
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    *arrays[i] = calloc((size_t)(room * cols[i]) + 1, sizeof(double));
    ok = ok && *arrays[i];
  }
  return ok ? DONE : report_text(s->o, NULL, 0, 0, "no memory for the records");
}

static void release(trace *t) {
  double *arrays[] = { t->step, t->time, t->ncon, t->nefc,      t->iterations,
                       t->qpos, t->qvel, t->act,  t->sensordata };
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    free(arrays[i]);
  }
}

static void copy_row(double *to, const double *from, int64_t row, int64_t n) {
  if (n) {
    memcpy(to + row * n, from, (size_t)n * sizeof(double));
  }
}

static void record(const session *s, trace *t, int64_t step) {
  const sn_model *m = s->model;
  sn_data *d = s->data;
  int64_t i = t->n++;
  t->step[i] = (double)step;
  t->time[i] = snd_time(d)[0];
  t->ncon[i] = (double)snd_ncon(d);
  t->nefc[i] = (double)snd_nefc(d);
  t->iterations[i] = (double)snd_solver_iter(d);
  copy_row(t->qpos, snd_qpos(d), i, snm_nq(m));
  copy_row(t->qvel, snd_qvel(d), i, snm_nv(m));
  copy_row(t->act, snd_act(d), i, snm_na(m));
  copy_row(t->sensordata, snd_sensordata(d), i, snm_nsensordata(m));
}

static int step_all(session *s, trace *t, const int64_t *at, const double *controls) {
  int64_t nu = snm_nu(s->model);
  signals_catch();
  for (int64_t k = 0; k < s->o->steps && !signals_came(); k++) {
    if (controls) {
      memcpy(snd_ctrl(s->data), controls + k * nu, (size_t)nu * sizeof(double));
    }
    sn_status status = sn_step(s->model, s->data);
    if (status < 0 && status != SN_EDIVERGED) {
      return report_data(s->o, s->data, status);
    }
    // when interrupted, where it stopped
    if (t->n < t->room && (at[t->n] == k + 1 || signals_came())) {
      record(s, t, k + 1);
    }
  }
  return DONE;
}

// ------------------------------------------------------------------ printing

static int print_json(const session *s, const trace *t) {
  const sn_model *m = s->model;
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_reals(&j, "step", t->step, t->n, 1);
  json_reals(&j, "time", t->time, t->n, 1);
  json_table(&j, "qpos", t->qpos, t->n, snm_nq(m));
  json_table(&j, "qvel", t->qvel, t->n, snm_nv(m));
  json_table(&j, "act", t->act, t->n, snm_na(m));
  json_table(&j, "sensordata", t->sensordata, t->n, snm_nsensordata(m));
  json_reals(&j, "ncon", t->ncon, t->n, 1);
  json_reals(&j, "nefc", t->nefc, t->n, 1);
  json_reals(&j, "solver_iter", t->iterations, t->n, 1);
  json_object(&j, "warnings");
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    if (sn_data_warning_count(s->data, w)) {
      json_integer(&j, sn_data_warning_name(w), sn_data_warning_count(s->data, w));
    }
  }
  json_end(&j);
  loading_json(&j, "load_", m);
  json_bool(&j, "interrupted", signals_came());
  return json_finish(&j) ? DONE : FAILED;
}

static int print_text(const session *s, const trace *t) {
  int64_t nq = snm_nq(s->model), nv = snm_nv(s->model);
  for (int64_t i = 0; i < t->n; i++) {
    printf("step %.0f  time %g  contacts %.0f  rows %.0f\n  qpos", t->step[i], t->time[i],
           t->ncon[i], t->nefc[i]);
    for (int64_t k = 0; k < nq; k++) {
      printf(" %.10g", t->qpos[i * nq + k]);
    }
    printf("\n  qvel");
    for (int64_t k = 0; k < nv; k++) {
      printf(" %.10g", t->qvel[i * nv + k]);
    }
    putchar('\n');
  }
  return DONE;
}

// ------------------------------------------------------------------ the subcommand

static int trace_model(session *s, const int64_t *at, int64_t n) {
  double *controls = NULL;
  int64_t nstep = -1;
  trace t = { 0 };
  int status = input_apply(s, s->o->input, &controls, &nstep);
  if (status == DONE && nstep >= 0 && nstep < s->o->steps) {
    status = report_text(s->o, s->o->input, 0, 0, "ctrl_sequence has %lld steps instead of %lld",
                         (long long)nstep, (long long)s->o->steps);
  }
  status = status == DONE ? allocate(s, &t, n) : status;
  status = status == DONE ? step_all(s, &t, at, controls) : status;
  if (status == DONE) {
    status = s->o->json ? print_json(s, &t) : print_text(s, &t);
  }
  release(&t);
  free(controls);
  return status;
}

static int trace_run(const options *o) {
  if (o->steps < 0) {
    return usage_error(o->command, "--steps is missing");
  }
  int64_t n;
  int64_t *at = read_record(o, &n);
  if (!at) {
    return USAGE;
  }
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE ? trace_model(&s, at, n) : status;
  session_close(&s);
  free(at);
  return signals_status(status);
}

const command trace_command = {
  .name = "trace",
  .operands = "MODEL",
  .summary = "steps a model and prints chosen states",
  .accepts = "steps record input key check-plugins strict json",
  .story =
      "The input may have \"ctrl_sequence\": a list of controls for each step. Ctrl-C ends the\n"
      "steps; what was recorded is printed, with the state of that moment. Example:\n"
      "  sinew trace arm.xml --steps 100 --record 1,10,100 --json\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = trace_run,
};
