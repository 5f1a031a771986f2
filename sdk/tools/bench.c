// SPDX-License-Identifier: Apache-2.0
//
// sinew bench: steps per second of models, each the median of several runs from the same state;
// and where the time of a step goes, by a run more, in which the stages are measured.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

enum { RUNS = 5 };
static const double run_seconds = 0.3;   // of a run, if neither --steps nor --time is given
enum { MAX_STEPS = 1000000, MAX_STAGES = 64 };

typedef struct figures {
  int64_t steps;
  double rate, lowest, highest;        // steps/s: median, slowest, fastest run
  double contacts, rows;               // means a step
  int64_t nstage;
  sn_timing stage[MAX_STAGES];         // of the run that measures the stages
  double seconds;                      // of all stages
  double share[3];                     // of a step: positions, velocities, the rest
} figures;

// ------------------------------------------------------------------ measuring

// Steps from the start state. Returns the seconds it took; sums steps, contacts and rows when
// asked.
static double time_steps(session *s, int64_t n, figures *f, sn_status *status) {
  session_start(s);
  double start = wall_clock();
  for (int64_t i = 0; i < n && !signals_came(); i++) {
    sn_status step = sn_step(s->model, s->data);
    if (step < 0) {
      *status = step;
      break;
    }
    if (f) {
      f->steps++;
      f->contacts += (double)snd_ncon(s->data);
      f->rows += (double)snd_nefc(s->data);
    }
  }
  return wall_clock() - start;
}

// The times of the stages, along one more run.
static sn_status profile(session *s, int64_t n, figures *f) {
  sn_status status = SN_OK;
  sn_data_set_timing(s->data, 1);
  time_steps(s, n, NULL, &status);
  for (int64_t i = 0; i < MAX_STAGES; i++) {
    f->stage[i].size = sizeof f->stage[i];
  }
  while (f->nstage < MAX_STAGES && sn_data_timing_at(s->data, f->nstage, &f->stage[f->nstage])) {
    f->seconds += f->stage[f->nstage++].seconds;
  }
  sn_data_set_timing(s->data, 0);
  for (int64_t i = 0; i < f->nstage; i++) {
    const char *group = f->stage[i].group;
    int k = strcmp(group, "position") == 0 ? 0 : strcmp(group, "velocity") == 0 ? 1 : 2;
    f->share[k] += f->stage[i].seconds / fmax(f->seconds, 1e-12);
  }
  return status;
}

static int64_t choose_steps(session *s, sn_status *status) {
  int64_t n = 16;
  double seconds = time_steps(s, n, NULL, status);
  while (*status >= 0 && seconds < 0.1 * run_seconds && n < MAX_STEPS && !signals_came()) {
    n *= 2;
    seconds = time_steps(s, n, NULL, status);
  }
  double wish = (double)n * run_seconds / fmax(seconds, 1e-9);
  return wish < 1 ? 1 : wish > MAX_STEPS ? MAX_STEPS : (int64_t)wish;
}

static void show_progress(const session *s, int run) {
  if (shows_progress(s->o)) {
    const char *name = sn_model_name(s->model);
    fprintf(stderr, "\r\033[K%s: run %d of %d", *name ? name : "model", run, RUNS);
    fflush(stderr);
  }
}

// The first run warms up and counts; only if it is interrupted, it is measured as well.
static double count_steps(session *s, int64_t steps, figures *f, sn_status *status) {
  const double seconds = time_steps(s, steps, f, status);
  f->contacts /= fmax((double)f->steps, 1);
  f->rows /= fmax((double)f->steps, 1);
  return f->steps < steps ? (double)f->steps / fmax(seconds, 1e-9) : 0;
}

static sn_status measure(session *s, int64_t steps, figures *f) {
  sn_status status = SN_OK;
  double rate[RUNS];
  *f = (figures){ 0 };
  steps = steps > 0 ? steps : choose_steps(s, &status);
  rate[0] = status >= 0 ? count_steps(s, steps, f, &status) : 0;
  int n = rate[0] > 0;   // whole runs: fewer when interrupted
  while (n < RUNS && status >= 0 && !signals_came()) {
    show_progress(s, n + 1);
    rate[n] = (double)steps / fmax(time_steps(s, steps, NULL, &status), 1e-9);
    n += !signals_came();
  }
  if (status >= 0 && n > 0) {
    f->rate = median(rate, n);   // sorted from here on
    f->lowest = rate[0];
    f->highest = rate[n - 1];
    status = signals_came() ? status : profile(s, steps, f);
  }
  return status;
}

// ------------------------------------------------------------------ the subcommand

// A stage that was never called is left out.
static void print_stages(const figures *f) {
  printf("  %-14s %-13s %11s %10s %7s  %s\n", "stage", "group", "calls/step", "us/step", "share",
         "what it computes");
  for (int64_t i = 0; i < f->nstage; i++) {
    const sn_timing *t = &f->stage[i];
    if (t->calls > 0) {
      printf("  %-14s %-13s %11.2f %10.3f %5.1f %%  %s\n", t->name, t->group,
             (double)t->calls / (double)f->steps, 1e6 * t->seconds / (double)f->steps,
             100 * t->seconds / fmax(f->seconds, 1e-12), t->meaning);
    }
  }
}

static void print_head(void) {
  printf("%s%-28s %6s %9s %11s %11s %7s  %s%s\n", styled(stdout, BOLD), "model", "nv", "contacts",
         "constraints", "steps/s", "+-", "positions, velocities, forces", styled(stdout, PLAIN));
}

static void print_text(const session *s, const char *path, const figures *f) {
  const char *name = sn_model_name(s->model);
  printf("%-28.28s %6lld %9.1f %11.1f %11.0f %5.1f %%  ", *name ? name : path,
         (long long)snm_nv(s->model), f->contacts, f->rows, f->rate,
         50 * (f->highest - f->lowest) / f->rate);
  const int has_shares = f->share[0] + f->share[1] + f->share[2] > 0;   // else interrupted before
  printf(has_shares ? "%.0f %%, %.0f %%, %.0f %%\n" : "-\n", 100 * f->share[0], 100 * f->share[1],
         100 * f->share[2]);
  if (s->o->stages) {
    print_stages(f);
  }
  fflush(stdout);
}

static void json_stages(json *j, const figures *f) {
  json_list(j, "stages");
  for (int64_t i = 0; i < f->nstage; i++) {
    json_object(j, NULL);
    json_text(j, "name", f->stage[i].name);
    json_text(j, "group", f->stage[i].group);
    json_real(j, "calls_per_step", (double)f->stage[i].calls / (double)f->steps);
    json_real(j, "seconds_per_step", f->stage[i].seconds / (double)f->steps);
    json_end(j);
  }
  json_end(j);
}

static void print_json(json *j, const session *s, const char *path, const figures *f) {
  json_object(j, NULL);
  json_text(j, "model", path);
  json_integer(j, "nv", snm_nv(s->model));
  json_integer(j, "steps", f->steps);
  json_real(j, "contacts", f->contacts);
  json_real(j, "rows", f->rows);
  json_real(j, "steps_per_second", f->rate);
  json_real(j, "lowest", f->lowest);
  json_real(j, "highest", f->highest);
  json_object(j, "share");
  json_real(j, "positions", f->share[0]);
  json_real(j, "velocities", f->share[1]);
  json_real(j, "forces", f->share[2]);
  json_end(j);
  if (s->o->stages) {
    json_stages(j, f);
  }
  loading_json(j, "load_", s->model);
  json_end(j);
}

static int bench_one(const options *o, int i, figures *f, json *j) {
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[i]) : status;
  status = status == DONE ? session_start(&s) : status;
  int64_t steps = 0;
  if (status == DONE && !j && i == 0) {
    print_head();   // before what may be interrupted
  }
  if (status == DONE && (o->steps >= 0 || o->time >= 0)) {
    status = session_steps(&s, -1, -1, &steps);
  }
  if (status == DONE) {
    sn_status result = measure(&s, steps, f);
    clear_progress(o);
    status = result < 0 ? report_data(o, s.data, result) : DONE;
  }
  const int measured = status == DONE && f->rate > 0;   // not when interrupted before
  if (measured) {
    j ? print_json(j, &s, o->operand[i], f) : print_text(&s, o->operand[i], f);
  }
  session_close(&s);
  return status;
}

static int bench(const options *o) {
  json j;
  figures f;
  int status = DONE;
  signals_catch();
  if (!o->json) {
    for (int i = 0; i < o->noperand && status == DONE && !signals_came(); i++) {
      status = bench_one(o, i, &f, NULL);
    }
    return signals_status(status);
  }
  // nothing reaches the output before the first 64 kB or the end: a failure can still replace it
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_list(&j, "models");
  for (int i = 0; i < o->noperand && status == DONE && !signals_came(); i++) {
    status = bench_one(o, i, &f, &j);
  }
  if (status != DONE) {
    return status;
  }
  json_end(&j);
  json_bool(&j, "interrupted", signals_came());
  return signals_status(json_finish(&j) ? DONE : FAILED);
}

const command bench_command = {
  .name = "bench",
  .operands = "MODEL...",
  .summary = "measures steps per second",
  .accepts = "time steps stages key strict json",
  .story =
      "Medians of five runs from the same state, and the share of positions (with contacts\n"
      "and constraint rows), velocities, and forces (with the solver, sensors and the\n"
      "integrator) in a step. The shares are those of one more run, in which the clock is read\n"
      "before and after each stage; --stages lists them all: calls and microseconds of a step.\n"
      "With --json the list is `stages`: name, group, calls_per_step, seconds_per_step. Ctrl-C\n"
      "ends it with what was measured so far.\n",
  .examples = "sinew bench --steps 2000 --stages pendulum arm\n",
  .min = 1,
  .max = -1,
  .takes_model = 1,
  .run = bench,
};
