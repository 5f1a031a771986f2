// SPDX-License-Identifier: Apache-2.0
//
// sinew trace: steps a model and prints its state after chosen steps.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "fields.h"
#include "tools/runs/record.h"

// What was recorded: for each record the step, the time, and the numbers of all arrays.
typedef struct trace {
  const record *record;
  int64_t n, capacity, width;
  double *row;
} trace;

// ------------------------------------------------------------------ stepping

// The counts that are always printed, behind the step and the time.
static const char *const counts[] = { "ncon", "nefc", "solver_iter" };
enum { NCOUNTS = sizeof counts / sizeof counts[0], NHEAD = 2 + NCOUNTS };

static int take(const session *s, trace *t, int64_t step) {
  const sn_data *d = s->data;
  double *rows = grow(t->row, t->n + 1, &t->capacity, 16, (size_t)t->width * sizeof *rows);
  if (!rows) {
    return report_text(s->o, NULL, 0, 0, "out of memory for %lld records", (long long)t->n + 1);
  }
  t->row = rows;
  double *p = t->row + t->n++ * t->width;
  *p++ = (double)step;
  *p++ = snd_time(s->data)[0];
  for (int i = 0; i < NCOUNTS; i++) {
    *p++ = (double)sn_count(d, counts[i]);
  }
  for (int i = 0; i < t->record->nfield; i++) {
    for (int64_t k = 0; k < t->record->field[i].n; k++) {
      *p++ = record_number(t->record, i, d, k);
    }
  }
  return DONE;
}

static int step_all(session *s, trace *t, const double *controls) {
  const int64_t nu = snm_nu(s->model), steps = t->record->steps;
  int64_t next = record_next(t->record, 0);
  int64_t done = 0;
  int status = next == 0 ? take(s, t, 0) : DONE;
  next = record_next(t->record, 1);
  signals_catch();
  for (int64_t k = 0; k < steps && status == DONE && !signals_came(); k++) {
    if (controls && nu) {
      memcpy(snd_ctrl(s->data), controls + k * nu, (size_t)nu * sizeof(double));
    }
    const sn_status result = sn_step(s->model, s->data);
    if (result < 0 && result != SN_EDIVERGED) {
      return report_data(s->o, s->data, result);
    }
    done = k + 1;
    if (next == done) {
      status = take(s, t, done);
      next = record_next(t->record, done + 1);
    }
  }
  const int64_t last = t->n ? (int64_t)t->row[(t->n - 1) * t->width] : 0;
  // when interrupted, where it stopped
  return status == DONE && signals_came() && last < done ? take(s, t, done) : status;
}

// ------------------------------------------------------------------ printing

// The numbers from `at` on of each record, as an array; a table has two dimensions in any case.
static int print_array(json *j, const char *key, const trace *t, int64_t at, int64_t n, int table) {
  double *p = malloc((size_t)(t->n * n + 1) * sizeof *p);
  for (int64_t i = 0; p && n && i < t->n; i++) {
    memcpy(p + i * n, t->row + i * t->width + at, (size_t)n * sizeof *p);
  }
  if (p) {
    (table ? json_table : json_reals)(j, key, p, t->n, n);
  }
  free(p);
  return p != NULL;
}

static int print_json(const session *s, const trace *t) {
  int64_t at = NHEAD;
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  int ok = print_array(&j, "step", t, 0, 1, 0) && print_array(&j, "time", t, 1, 1, 0);
  for (int i = 0; i < t->record->nfield && ok; i++) {
    const recorded *f = &t->record->field[i];
    int is_head = strcmp(f->name, "time") == 0;
    for (int k = 0; k < NCOUNTS; k++) {
      is_head |= strcmp(f->name, counts[k]) == 0;
    }
    ok = is_head || print_array(&j, f->name, t, at, f->n, f->view.p || !f->n);
    at += f->n;
  }
  for (int i = 0; i < NCOUNTS && ok; i++) {
    ok = print_array(&j, counts[i], t, 2 + i, 1, 0);
  }
  if (!ok) {
    return report_text(s->o, NULL, 0, 0, "out of memory while printing the records");
  }
  counts_json(&j, s->data);
  loading_json(&j, "load_", s->model);
  json_bool(&j, "interrupted", signals_came());
  return json_finish(&j) ? DONE : FAILED;
}

static int print_text(const trace *t) {
  for (int64_t i = 0; i < t->n; i++) {
    const double *p = t->row + i * t->width;
    printf("step %.0f  time %g  contacts %.0f  rows %.0f\n", p[0], p[1], p[2], p[3]);
    p += NHEAD;
    for (int f = 0; f < t->record->nfield; f++) {
      const int64_t n = t->record->field[f].n;
      if (n > 0 && (t->record->names_fields || f < 2)) {   // otherwise qpos and qvel
        printf("  %s", t->record->field[f].name);
        for (int64_t k = 0; k < n; k++) {
          printf(" %.10g", p[k]);
        }
        putchar('\n');
      }
      p += n;
    }
  }
  return DONE;
}

// ------------------------------------------------------------------ the subcommand

static int trace_record(session *s, const record *r, const double *controls) {
  trace t = { .record = r, .width = NHEAD };
  for (int i = 0; i < r->nfield; i++) {
    t.width += r->field[i].n;
  }
  int status = step_all(s, &t, controls);
  if (status == DONE) {
    status = s->o->json ? print_json(s, &t) : print_text(&t);
  }
  free(t.row);
  return status;
}

static int trace_model(session *s) {
  double *controls = NULL;
  int64_t sequence = -1, steps = 0;
  record r = { 0 };
  int status = input_apply(s, s->o->input, &controls, &sequence);
  status = status == DONE ? session_steps(s, -1, sequence, &steps) : status;
  status = status == DONE ? record_open(&r, s, steps, "last") : status;
  status = status == DONE ? trace_record(s, &r, controls) : status;
  record_free(&r);
  free(controls);
  return status;
}

static int trace_run(const options *o) {
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE ? trace_model(&s) : status;
  session_close(&s);
  return signals_status(status);
}

const command trace_command = {
  .name = "trace",
  .operands = "MODEL",
  .summary = "steps a model and prints chosen states",
  .accepts = "time steps record every input key check-plugins strict json",
  .story =
      "Records the last step if --record names none. The input may have \"ctrl_sequence\", a\n"
      "list of controls for each step. Ctrl-C ends the steps; what was recorded is printed, with\n"
      "the state of that moment.\n",
  .examples = "sinew trace arm --steps 100 --record 1,10,100 --json\n"
              "sinew trace arm --time 1 --record 'every 0.1s,qpos,sensordata'\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = trace_run,
};
