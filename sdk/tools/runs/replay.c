// SPDX-License-Identifier: Apache-2.0
//
// The states of a run; see replay.h. A frame is evaluated in a data of its own, so that the run has
// the same numbers as without frames.

#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate.h"
#include "tools/runs/csv.h"

// ------------------------------------------------------------------ opening

static int open_record(replay *p) {
  int status = recorded_run_read(&p->run, p->o, p->o->operand[0], NULL);
  status = status == DONE ? session_open(&p->s, &p->run.arguments) : status;
  status = status == DONE ? session_load(&p->s, p->run.arguments.operand[0]) : status;
  status = status == DONE ? recorded_start(&p->run, p->s.model, p->s.data) : status;
  status = status == DONE ? recorded_controls(&p->run, p->s.model) : status;
  p->controls = p->run.controls;
  p->run.controls = NULL;
  p->steps = p->run.steps;
  return status;
}

static int open_model(replay *p, double seconds) {
  int64_t sequence = -1;
  int status = session_open(&p->s, p->o);
  status = status == DONE ? session_load(&p->s, p->o->operand[0]) : status;
  status = status == DONE ? session_start(&p->s) : status;
  if (status == DONE && p->o->noperand > 1) {
    return table_read(p->o, &p->states, p->o->operand[1]);
  }
  status = status == DONE ? input_apply(&p->s, p->o->input, &p->controls, &sequence) : status;
  return status == DONE ? session_steps(&p->s, seconds, sequence, &p->steps) : status;
}

// What changes a run has no effect on one that is over.
static int check_operands(const options *o) {
  const int is_record = recorded_run_is(o->operand[0]), is_over = is_record || o->noperand > 1;
  if (is_record && o->noperand > 1) {
    return usage_error(o->command, "a record of a run has its own states; remove '%s'",
                       o->operand[1]);
  }
  if (is_over && (o->time >= 0 || o->steps >= 0 || o->key || o->input)) {
    return usage_error(o->command,
                       "--time, --steps, --key and --input cannot be combined with %s, which "
                       "contains the states already",
                       o->operand[is_record ? 0 : 1]);
  }
  return DONE;
}

int replay_open(replay *p, const options *o, double seconds) {
  *p = (replay){ .o = o, .s = { .o = o } };
  int status = check_operands(o);
  if (status != DONE) {
    return status;
  }
  status = recorded_run_is(o->operand[0]) ? open_record(p) : open_model(p, seconds);
  if (status == DONE) {
    p->shown = sn_data_new(p->s.model, p->s.error);
    status = p->shown ? DONE : report(o, p->s.error);
  }
  return status;
}

void replay_close(replay *p) {
  sn_data_free(p->shown);
  session_close(&p->s);
  recorded_run_free(&p->run);
  table_free(&p->states);
  free(p->controls);
}

// ------------------------------------------------------------------ frames

static int show(replay *p) {
  sn_status status = sn_forward(p->s.model, p->shown);
  status = status < 0 ? status : sn_compute_energy(p->s.model, p->shown);
  if (status < 0 && status != SN_EDIVERGED) {
    return report_data(p->o, p->shown, status);
  }
  return p->frame(p->context, p->s.model, p->shown);
}

static int show_present(replay *p) {
  double *state = malloc((size_t)sn_state_size(p->s.model, SN_STATE_INTEGRATION) * sizeof *state);
  if (!state) {
    return report(p->o, NULL);
  }
  sn_state_get(p->s.model, p->s.data, SN_STATE_INTEGRATION, state);
  sn_state_set(p->s.model, p->shown, SN_STATE_INTEGRATION, state);
  free(state);
  return show(p);
}

static int64_t next_frame(void *context, int64_t step) {
  const replay *p = context;
  const double rate = p->fps * model_options(p->s.model).timestep;   // frames a step
  if (rate >= 1) {
    return step;
  }
  int64_t k = (int64_t)floor((double)step * rate);
  k = k > 0 ? k - 1 : 0;
  while (llround((double)k / rate) < step) {
    k++;
  }
  return llround((double)k / rate);
}

static int observe(void *context, session *s, int64_t step) {
  replay *p = context;
  (void)s;
  (void)step;
  p->status = show_present(p);
  return p->status == DONE;
}

static int run_simulation(replay *p) {
  const int last = !(p->fps > 0);
  const plan frames = { .controls = p->controls,
                        .context = p,
                        .next = last ? NULL : next_frame,
                        .observe = last ? NULL : observe };
  summary sum = { .planned = p->steps };
  int status = last ? DONE : show_present(p);
  status = status == DONE ? simulate(&p->s, &sum, &frames) : status;
  status = status == DONE && last ? show_present(p) : status;
  if (status == DONE && *verdict(p->s.data)) {
    warn(p->o, "%s", verdict(p->s.data));
  }
  return status == DONE ? p->status : status;
}

// ------------------------------------------------------------------ recorded states

static const char *const state_fields[] = {
  "qpos", "qvel", "act", "mocap_pos", "mocap_quat", "ctrl"
};
enum { NSTATEFIELDS = sizeof state_fields / sizeof state_fields[0] };

typedef struct columns {
  int64_t *column;                     // of each number of all fields
  double *value[NSTATEFIELDS];
  int64_t n[NSTATEFIELDS], total;      // n: 0 where the file does not have the field
} columns;

// The names of the columns of a field, as `sinew run --out` writes them: "time,qpos.hip,...".
static char *column_names(const sn_model *m, const sn_view *view) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  record r = { .nfield = 1 };
  r.field[0] = (recorded){ .name = view->name, .view = *view, .n = view->rows * view->cols };
  if (file) {
    csv_names(file, m, &r);
    fclose(file);
  }
  return text;
}

// Finds the columns of a field. DONE, also where the file has none of them; FAILED after reporting.
static int find_columns(replay *p, columns *c, int field) {
  sn_view view = { .size = sizeof view };
  sn_data_field(p->s.model, p->shown, state_fields[field], &view);
  const int64_t n = view.rows * view.cols;
  char *names = column_names(p->s.model, &view), *at = names, *name;
  if (!names) {
    return report(p->o, NULL);
  }
  int64_t found = 0, k = 0;
  int status = DONE;
  for (char end = table_cell(&at, &name); end == ',' && k < n && status == DONE; k++) {
    end = table_cell(&at, &name);
    c->column[c->total + k] = table_column(&p->states, name);
    found += c->column[c->total + k] >= 0;
    if (c->column[c->total + k] < 0 && (field == 0 || found)) {
      status = report_text(p->o, p->states.path, 0, 0,
                           "there is no column '%s'; the states must be those of this model", name);
    }
  }
  free(names);
  c->value[field] = view.p;
  c->n[field] = found == n ? n : 0;
  c->total += c->n[field];
  return status;
}

static void set_row(replay *p, const columns *c, int64_t time, int64_t row) {
  const table *t = &p->states;
  int64_t k = 0;
  snd_time(p->shown)[0] = t->value[time * t->rows + row];
  for (int f = 0; f < NSTATEFIELDS; f++) {
    for (int64_t i = 0; i < c->n[f]; i++, k++) {
      c->value[f][i] = t->value[c->column[k] * t->rows + row];
    }
  }
}

static int show_rows(replay *p, const columns *c) {
  const table *t = &p->states;
  const int64_t time = table_column(t, "time");
  if (time < 0) {
    return report_text(p->o, t->path, 0, 0, "there is no column 'time'");
  }
  if (!(p->fps > 0) && t->rows > 0) {
    set_row(p, c, time, t->rows - 1);
    return show(p);
  }
  const double *x = t->value + time * t->rows;
  int status = DONE;
  int64_t shown = 0;
  for (int64_t row = 0; row < t->rows && status == DONE; row++) {
    if (shown > 0 && signals_came()) {
      break;
    }
    // the row that is nearest to the time of the next frame
    const int64_t after = row + 1 < t->rows ? row + 1 : row, before = after > 0 ? after - 1 : 0;
    const double next = x[0] + (double)shown / p->fps, step = x[after] - x[before];
    if (next - x[row] < 0.5 * step || t->rows == 1) {
      set_row(p, c, time, row);
      status = show(p);
      shown = (int64_t)floor((x[row] + 0.5 * step - x[0]) * p->fps) + 1;
    }
  }
  return status;
}

static int run_states(replay *p) {
  const int64_t most = sn_state_size(p->s.model, SN_STATE_INTEGRATION);
  columns c = { .column = calloc((size_t)most + 1, sizeof *c.column) };
  int status = c.column ? DONE : report(p->o, NULL);
  sn_reset(p->s.model, p->shown);
  for (int f = 0; f < NSTATEFIELDS && status == DONE; f++) {
    status = find_columns(p, &c, f);
  }
  status = status == DONE ? show_rows(p, &c) : status;
  free(c.column);
  return status;
}

double replay_rate(const replay *p, double fps) {
  const table *t = &p->states;
  const int64_t time = p->o->noperand > 1 ? table_column(t, "time") : -1;
  double step = model_options(p->s.model).timestep;
  if (time >= 0 && t->rows > 1) {
    const double *x = t->value + time * t->rows;
    step = (x[t->rows - 1] - x[0]) / (double)(t->rows - 1);
  }
  return fps * step > 1 + 1e-6 ? 1 / step : fps;
}

int replay_run(replay *p, double fps, void *context,
               int (*frame)(void *context, const sn_model *m, sn_data *d)) {
  p->fps = fps;
  p->context = context;
  p->frame = frame;
  return p->o->noperand > 1 ? run_states(p) : run_simulation(p);
}
