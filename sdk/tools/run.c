// SPDX-License-Identifier: Apache-2.0
//
// sinew run: simulates a model and prints a summary. The state is written to a file when asked
// for; on a terminal the progress is shown. Only the steps themselves are timed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "fields.h"
#include "record.h"

// What happened during a run.
typedef struct summary {
  int64_t steps, planned;
  double simulated, seconds;         // of the model, of the clock
  double contacts, rows, iterations; // sums over the steps
  int64_t most_contacts, most_rows, most_iterations;
  double energy[2];                  // at the start, at the end
  int64_t memory;                    // bytes of the data
  int interrupted;
} summary;

// ------------------------------------------------------------------ progress

typedef struct progress {
  int on;
  int64_t stride, next;   // look at the clock every `stride` steps
  double start, last;
} progress;

static void progress_show(progress *p, const session *s, const summary *sum) {
  static const double interval = 0.1;   // seconds between two lines
  double now = wall_clock();
  p->next = sum->steps + p->stride;
  if (now - p->last < interval) {
    p->stride = now - p->last < 0.5 * interval && p->stride < 4096 ? 2 * p->stride : p->stride;
    return;
  }
  p->stride = p->stride > 1 ? p->stride / 2 : 1;
  p->last = now;
  fprintf(stderr, "\r\033[K%8.2f s  %3.0f %%  %.0f steps/s  %lld contacts  %lld rows",
          snd_time(s->data)[0], 100.0 * (double)sum->steps / (double)sum->planned,
          (double)sum->steps / fmax(now - p->start, 1e-9), (long long)snd_ncon(s->data),
          (long long)snd_nefc(s->data));
  fflush(stderr);
}

// ------------------------------------------------------------------ the run

// Energy of a state, computed on a twin so that the run does not depend on it.
static int measure_energy(session *s, double *energy) {
  sn_data *twin = session_twin(s);
  if (!twin) {
    return FAILED;
  }
  sn_status status = sn_forward_position(s->model, twin);
  status = status < 0 ? status : sn_forward_velocity(s->model, twin);
  status = status < 0 ? status : sn_compute_energy(s->model, twin);
  *energy = snd_energy(twin)[0] + snd_energy(twin)[1];
  int result = status < 0 ? report_data(s->o, twin, status) : DONE;
  sn_data_free(twin);
  return result;
}

static void count(summary *sum, const sn_data *d) {
  int64_t ncon = snd_ncon(d), nefc = snd_nefc(d), iterations = snd_solver_iter(d);
  sum->steps++;
  sum->contacts += (double)ncon;
  sum->rows += (double)nefc;
  sum->iterations += (double)iterations;
  sum->most_contacts = ncon > sum->most_contacts ? ncon : sum->most_contacts;
  sum->most_rows = nefc > sum->most_rows ? nefc : sum->most_rows;
  sum->most_iterations = iterations > sum->most_iterations ? iterations : sum->most_iterations;
}

// What a run does besides its steps.
typedef struct plan {
  const double *controls;   // of each step; NULL: they stay
  const record *record;
  FILE *csv;                // NULL: none
} plan;

static int simulate(session *s, summary *sum, const plan *p) {
  const int64_t nu = snm_nu(s->model);
  double start = wall_clock(), other = 0;
  progress shown = { .on = shows_progress(s->o), .stride = 1, .start = start, .last = start };
  sn_status status = SN_OK;
  int64_t next = p->csv ? record_next(p->record, 1) : -1, last = 0;
  signals_catch();
  while (sum->steps < sum->planned && !signals_came() && !(p->csv && ferror(p->csv))) {
    if (p->controls && nu) {
      memcpy(snd_ctrl(s->data), p->controls + sum->steps * nu, (size_t)nu * sizeof(double));
    }
    status = sn_step(s->model, s->data);
    if (status < 0 && status != SN_EDIVERGED) {
      break;
    }
    count(sum, s->data);
    if (next == sum->steps) {
      double before = wall_clock();
      csv_row(p->csv, p->record, s->data);
      last = next;
      next = record_next(p->record, sum->steps + 1);
      other += wall_clock() - before;
    }
    if (shown.on && sum->steps >= shown.next) {
      progress_show(&shown, s, sum);
    }
  }
  sum->seconds = wall_clock() - start - other;
  sum->simulated = (double)sum->steps * model_options(s->model).timestep;
  sum->interrupted = signals_came();
  if (p->csv && sum->interrupted && last < sum->steps) {
    csv_row(p->csv, p->record, s->data);   // where it stopped
  }
  clear_progress(s->o);
  return status < 0 && status != SN_EDIVERGED ? report_data(s->o, s->data, status) : DONE;
}

static int simulate_to_file(session *s, summary *sum, plan *p) {
  const char *path = out_path(s->o);
  if (!path) {
    return simulate(s, sum, p);
  }
  sn_output *output = sn_output_open(path, s->error);
  if (!output) {
    return report(s->o, s->error);
  }
  p->csv = csv_open(sn_output_sink(output));
  int status = p->csv ? DONE : report_text(s->o, path, 0, 0, "no memory to write");
  if (p->csv) {
    csv_names(p->csv, s->model, p->record);
    if (record_next(p->record, 0) == 0) {
      csv_row(p->csv, p->record, s->data);
    }
    status = simulate(s, sum, p);
    fclose(p->csv);   // a write that failed is known to the output
  }
  // of a run that failed nothing is kept: an old file stays
  sn_status written = sn_output_close(output, status == DONE ? SN_OK : SN_EINVAL, s->error);
  return status == DONE && written < 0 ? report(s->o, s->error) : status;
}

// ------------------------------------------------------------------ the summary

// Why a run that came to its end is of no use; "" when it is. The warnings themselves were told
// when they were met, with names and numbers.
static const char *verdict(const sn_data *d) {
  static const int32_t divergence[] = { SN_WARN_BADTIME, SN_WARN_BADQPOS, SN_WARN_BADQVEL,
                                        SN_WARN_BADQACC };
  for (size_t i = 0; i < sizeof divergence / sizeof divergence[0]; i++) {
    if (sn_data_warning_count(d, divergence[i])) {
      return "the simulation diverged and was reset";
    }
  }
  return sn_data_warning_count(d, SN_WARN_PLUGIN)
             ? "a plugin returned invalid results, which were ignored"
             : "";
}

static void print_warnings(FILE *file, const sn_data *d) {
  int any = 0;
  fprintf(file, "warnings    ");
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    if (sn_data_warning_count(d, w)) {
      fprintf(file, "%s%s %lld", any ? ", " : "", sn_data_warning_name(w),
              (long long)sn_data_warning_count(d, w));
      any = 1;
    }
  }
  fputs(any ? "\n" : "none\n", file);
}

// 1234 with one or no decimal, as large numbers are read
static void print_rate(FILE *file, const char *before, double value, const char *after) {
  fprintf(file, "%s%.*f%s", before, value < 100 ? 2 : 0, value, after);
}

static void print_text(const session *s, const summary *sum) {
  const sn_model *m = s->model;
  double n = fmax((double)sum->steps, 1), rate = n / fmax(sum->seconds, 1e-9);
  const char *name = sn_model_name(m);
  FILE *file = report_stream(s->o);
  fprintf(file, "model       %s: %lld bodies, %lld degrees of freedom, %lld actuators\n",
          *name ? name : s->o->operand[0], (long long)snm_nbody(m), (long long)snm_nv(m),
          (long long)snm_nu(m));
  fprintf(file, "simulated   %g s in %lld step%s of %g s%s\n", sum->simulated,
          (long long)sum->steps, sum->steps == 1 ? "" : "s", model_options(s->model).timestep,
          sum->interrupted ? ", interrupted" : "");
  print_rate(file, "speed       ", rate, " steps/s");
  print_rate(file, ", ", sum->simulated / fmax(sum->seconds, 1e-9), " times real time\n");
  fprintf(file, "contacts    mean %.1f, max %lld\n", sum->contacts / n,
          (long long)sum->most_contacts);
  fprintf(file, "rows        mean %.1f, max %lld\n", sum->rows / n, (long long)sum->most_rows);
  fprintf(file, "iterations  mean %.1f, max %lld\n", sum->iterations / n,
          (long long)sum->most_iterations);
  fprintf(file, "energy      %.6g J at the start, %.6g J at the end, change %+.3g J\n",
          sum->energy[0], sum->energy[1], sum->energy[1] - sum->energy[0]);
  fprintf(file, "memory      %.0f kB\n", 1e-3 * (double)sum->memory);
  print_warnings(file, s->data);
  if (s->o->out && file == stdout) {
    fprintf(file, "written     %s\n", s->o->out);
  }
}

static void print_count(json *j, const char *key, double sum, double n, int64_t most) {
  json_object(j, key);
  json_real(j, "mean", sum / n);
  json_integer(j, "max", most);
  json_end(j);
}

static int print_json(const session *s, const summary *sum) {
  const sn_model *m = s->model;
  double n = fmax((double)sum->steps, 1);
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", !*verdict(s->data));
  json_text(&j, "model", s->o->operand[0]);
  json_integer(&j, "nv", snm_nv(m));
  json_integer(&j, "nu", snm_nu(m));
  json_integer(&j, "steps", sum->steps);
  json_real(&j, "timestep", model_options(s->model).timestep);
  json_real(&j, "simulated", sum->simulated);
  json_real(&j, "seconds", sum->seconds);
  json_real(&j, "steps_per_second", n / fmax(sum->seconds, 1e-9));
  json_real(&j, "real_time_factor", sum->simulated / fmax(sum->seconds, 1e-9));
  print_count(&j, "contacts", sum->contacts, n, sum->most_contacts);
  print_count(&j, "rows", sum->rows, n, sum->most_rows);
  print_count(&j, "iterations", sum->iterations, n, sum->most_iterations);
  json_object(&j, "energy");
  json_real(&j, "start", sum->energy[0]);
  json_real(&j, "end", sum->energy[1]);
  json_real(&j, "change", sum->energy[1] - sum->energy[0]);
  json_end(&j);
  json_integer(&j, "memory", sum->memory);
  counts_json(&j, s->data);
  loading_json(&j, "load_", m);
  json_bool(&j, "interrupted", sum->interrupted);
  if (*verdict(s->data)) {
    json_text(&j, "error", verdict(s->data));
  }
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ the subcommand

static int print(const session *s, const summary *sum) {
  const char *wrong = verdict(s->data);
  int status = DONE;
  if (s->o->json) {
    status = print_json(s, sum);
  } else {
    print_text(s, sum);
    fflush(stdout);
    status = *wrong ? report_text(s->o, NULL, 0, 0, "%s", wrong) : DONE;
  }
  return *wrong ? FAILED : signals_status(status);
}

static int run_plan(session *s, plan *p, int64_t steps) {
  summary sum = { .planned = steps };
  int64_t used;
  int status = measure_energy(s, &sum.energy[0]);
  status = status == DONE ? simulate_to_file(s, &sum, p) : status;
  status = status == DONE ? measure_energy(s, &sum.energy[1]) : status;
  sn_data_memory(s->data, &sum.memory, &used);
  return status == DONE ? print(s, &sum) : status;
}

static int run_model(session *s) {
  double *controls = NULL;
  int64_t sequence = -1, steps = 0;
  record r = { 0 };
  int status = input_apply(s, s->o->input, &controls, &sequence);
  status = status == DONE ? session_steps(s, 10, sequence, &steps) : status;
  status = status == DONE ? record_open(&r, s, steps, "all") : status;
  if (status == DONE) {
    plan p = { .controls = controls, .record = &r };
    status = run_plan(s, &p, steps);
  }
  record_free(&r);
  free(controls);
  return status;
}

static int run(const options *o) {
  if (!o->out && (o->record || o->every > 0)) {
    return usage_error(o->command, "--record and --every need --out FILE");
  }
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE ? run_model(&s) : status;
  session_close(&s);
  return status;
}

const command run_command = {
  .name = "run",
  .operands = "MODEL",
  .summary = "simulates a model and prints a summary",
  .accepts = "time steps key input record every out check-plugins strict json",
  .story =
      "The simulated time is 10 s if neither --time nor --steps is given. --out writes time,\n"
      "qpos, qvel, act and sensordata of the start and of each step as comma-separated values,\n"
      "or what --record names; what a step computes, such as xpos or qacc, belongs to the state\n"
      "before that step. The file appears, or replaces an old one, when the run is over. The\n"
      "input may have \"ctrl_sequence\", a list of controls for each step. The exit status is 1\n"
      "when the simulation diverged or a plugin returned invalid results; the last line says\n"
      "which. Ctrl-C ends the run with its summary and what was simulated so far.\n",
  .examples = "sinew run arm --time 5 --set timestep=0.001 --out arm.csv\n"
              "sinew run figure --steps 100 --record 'every 10,qpos' --out - | head -n 3\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = run,
};
