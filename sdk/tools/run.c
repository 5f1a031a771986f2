// SPDX-License-Identifier: Apache-2.0
//
// sinew run: simulates a model and prints a summary. The state is written to a file when asked
// for; on a terminal the progress is shown. Only the steps themselves are timed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "tools/runs/csv.h"
#include "tools/runs/record.h"
#include "tools/runs/run_record.h"
#include "tools/runs/simulate.h"

// ------------------------------------------------------------------ the file of states

typedef struct trajectory {
  const record *record;
  FILE *csv;
} trajectory;

static int64_t next_row(void *context, int64_t step) {
  const trajectory *t = context;
  return record_next(t->record, step);
}

static int put_row(void *context, session *s, int64_t step) {
  const trajectory *t = context;
  (void)step;
  csv_row(t->csv, t->record, s->data);
  return !ferror(t->csv);
}

static int simulate_to_file(session *s, summary *sum, const plan *p) {
  trajectory *t = p->context;
  const char *path = out_path(s->o);
  if (!path) {
    return simulate(s, sum, p);
  }
  sn_output *output = sn_output_open(path, s->error);
  if (!output) {
    return report(s->o, s->error);
  }
  t->csv = csv_open(sn_output_sink(output));
  int status = t->csv ? DONE : report_text(s->o, path, 0, 0, "out of memory while writing");
  if (t->csv) {
    csv_names(t->csv, s->model, t->record);
    if (record_next(t->record, 0) == 0) {
      csv_row(t->csv, t->record, s->data);
    }
    status = simulate(s, sum, p);
    fclose(t->csv);   // a write that failed is known to the output
  }
  // of a run that failed nothing is kept: an old file stays
  sn_status written = sn_output_close(output, status == DONE ? SN_OK : SN_EINVAL, s->error);
  return status == DONE && written < 0 ? report(s->o, s->error) : status;
}

// ------------------------------------------------------------------ the summary

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
  const int64_t nbody = snm_nbody(m), nv = snm_nv(m), nu = snm_nu(m);
  fprintf(file, "model       %s: %lld %s, %lld %s of freedom, %lld actuator%s\n",
          *name ? name : s->o->operand[0], (long long)nbody, nbody == 1 ? "body" : "bodies",
          (long long)nv, nv == 1 ? "degree" : "degrees", (long long)nu, nu == 1 ? "" : "s");
  fprintf(file, "simulated   %g s in %lld step%s of %g s%s\n", sum->simulated,
          (long long)sum->steps, sum->steps == 1 ? "" : "s", model_options(s->model).timestep,
          sum->interrupted ? ", interrupted" : "");
  print_rate(file, "speed       ", rate, " steps/s");
  print_rate(file, ", ", sum->simulated / fmax(sum->seconds, 1e-9), " times real time\n");
  fprintf(file, "contacts    mean %.1f, max %lld\n", sum->contacts / n,
          (long long)sum->most_contacts);
  fprintf(file, "constraints mean %.1f, max %lld\n", sum->rows / n, (long long)sum->most_rows);
  fprintf(file, "iterations  mean %.1f, max %lld", sum->iterations / n,
          (long long)sum->most_iterations);
  if (sum->unconverged > 0) {
    fprintf(file, "; the solver did not converge in %lld step%s", (long long)sum->unconverged,
            sum->unconverged == 1 ? "" : "s");
  }
  if (sum->softened > 0) {
    fprintf(file, "; contacts were softer in %lld step%s", (long long)sum->softened,
            sum->softened == 1 ? "" : "s");
  }
  fputc('\n', file);
  fprintf(file, "energy      %.6g J at the start, %.6g J at the end, change %+.3g J%s\n",
          sum->energy[0], sum->energy[1], sum->energy[1] - sum->energy[0],
          sum->diverged > 0 ? "; the simulation was reset in between" : "");
  fprintf(file, "memory      %.0f kB\n", 1e-3 * (double)sum->memory);
  print_warnings(file, s->data);
  if (s->o->out && file == stdout) {
    fprintf(file, "written     %s\n", s->o->out);
  }
}

// What is wrong with the run, as verdict(), with the time of the first reset.
static const char *explain(const session *s, const summary *sum, char *text, size_t size) {
  if (sum->diverged < 1) {
    return verdict(s->data);
  }
  char times[48] = "";
  if (sum->diverged > 1) {
    snprintf(times, sizeof times, " %lld times, first", (long long)sum->diverged);
  }
  snprintf(text, size, "the simulation diverged and was reset%s at %g s", times, sum->diverged_at);
  return text;
}

static void print_count(json *j, const char *key, double sum, double n, int64_t most) {
  json_object(j, key);
  json_real(j, "mean", sum / n);
  json_integer(j, "max", most);
  json_end(j);
}

static int print_json(const session *s, const summary *sum, const char *wrong) {
  const sn_model *m = s->model;
  double n = fmax((double)sum->steps, 1);
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", !*wrong);
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
  json_integer(&j, "unconverged_steps", sum->unconverged);
  json_integer(&j, "softened_steps", sum->softened);
  json_object(&j, "energy");
  json_real(&j, "start", sum->energy[0]);
  json_real(&j, "end", sum->energy[1]);
  json_real(&j, "change", sum->energy[1] - sum->energy[0]);
  json_end(&j);
  json_integer(&j, "memory", sum->memory);
  counts_json(&j, s->data);
  loading_json(&j, "load_", m);
  json_bool(&j, "interrupted", sum->interrupted);
  if (*wrong) {
    json_text(&j, "error", wrong);
  }
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ the subcommand

static int print(const session *s, const summary *sum) {
  char text[160];
  const char *wrong = explain(s, sum, text, sizeof text);
  int status = DONE;
  if (s->o->json) {
    status = print_json(s, sum, wrong);
  } else {
    print_text(s, sum);
    fflush(stdout);
    status = *wrong ? report_text(s->o, NULL, 0, 0, "%s", wrong) : DONE;
  }
  return *wrong ? FAILED : signals_status(status);
}

static int run_plan(session *s, dependencies *d, const plan *p, int64_t steps) {
  summary sum = { .planned = steps };
  int64_t used;
  double *start = s->o->record_file ? state_copy(s) : NULL;
  int status = s->o->record_file && !start ? FAILED : measure_energy(s, &sum.energy[0]);
  status = status == DONE ? simulate_to_file(s, &sum, p) : status;
  status = status == DONE ? measure_energy(s, &sum.energy[1]) : status;
  sn_data_memory(s->data, &sum.memory, &used);
  if (status == DONE && start) {
    status = run_record_write(s, d, start, p, &sum);
  }
  free(start);
  return status == DONE ? print(s, &sum) : status;
}

static int run_model(session *s, dependencies *d) {
  double *controls = NULL;
  int64_t sequence = -1, steps = 0;
  record r = { 0 };
  int status = input_apply(s, s->o->input, &controls, &sequence);
  status = status == DONE ? session_steps(s, 10, sequence, &steps) : status;
  status = status == DONE ? record_open(&r, s, steps, "all") : status;
  if (status == DONE) {
    trajectory t = { .record = &r };
    plan p = { .controls = controls, .context = &t };
    if (s->o->out) {
      p.next = next_row;
      p.observe = put_row;
    }
    status = run_plan(s, d, &p, steps);
  }
  record_free(&r);
  free(controls);
  return status;
}

static int simulate_model(const options *o) {
  session s;
  dependencies d = { 0 };
  int status = session_open(&s, o);
  if (status == DONE && o->record_file) {
    dependencies_watch(&d, &s);
  }
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE && o->record_file ? dependencies_collect(&d, &s) : status;
  status = status == DONE ? run_model(&s, &d) : status;
  session_close(&s);
  dependencies_free(&d);
  return status;
}

static int run(const options *o) {
  if (o->verify) {
    return run_verify(o);
  }
  if (o->noperand < 1) {
    return usage_error(o->command, "MODEL is missing");
  }
  if (!o->out && (o->record || o->every > 0)) {
    return usage_error(o->command,
                       "--every, and --record with steps or arrays, require --out FILE");
  }
  const char *extension = extension_of(o->out);
  if (*extension && !in_list(".csv .txt .dat", extension)) {
    warn(o, "%s: comma-separated values (CSV) are written, whatever the name of the file", o->out);
  }
  return simulate_model(o);
}

static const option_meaning meanings[] = {
  { "record",
    "steps and arrays to record in --out, separated by commas: all, last, 5, 1:10, 0:100:10, "
    "every 10, every 0.01s, and names of arrays such as qpos or sensordata; 0 is the start. With "
    "FILE.json: write a record of the whole run there, for --verify" },
  { NULL, NULL },
};

const command run_command = {
  .name = "run",
  .operands = "MODEL",
  .summary = "simulates a model and prints a summary",
  .meanings = meanings,
  .accepts = "time steps key input record every out verify check-plugins strict json",
  .story =
      "The simulated time is 10 s if neither --time nor --steps is given. --out writes time,\n"
      "qpos, qvel, act and sensordata of the start and of each step as comma-separated values,\n"
      "or what --record names; what a step computes, such as xpos or qacc, belongs to the state\n"
      "before that step. The file appears, or replaces an old one, when the run is over. The\n"
      "input may have \"ctrl_sequence\", a list of controls for each step. The exit status is 1\n"
      "when the simulation diverged or a plugin returned invalid results; the last line says\n"
      "which. Ctrl-C ends the run with its summary and what was simulated so far.\n"
      "\n"
      "--record FILE.json writes a record of the run: versions and SHA-256 hashes of the engine,\n"
      "the plugins and all files of the model, the effective configuration, the arguments, and\n"
      "the states of start and end. It may be given in addition to --record of steps and arrays.\n"
      "--verify FILE.json repeats the run, of the model of the record or of MODEL, and lists\n"
      "what differs, the first cause first: engine, plugins, configuration, files, state. The\n"
      "exit status is 0 if nothing differs, else 1.\n",
  .examples = "sinew run arm --time 5 --set timestep=0.001 --out arm.csv\n"
              "sinew run figure --steps 100 --record 'every 10,qpos' --out -\n"
              "sinew run arm --steps 100 --record run.json\n",
  .min = 0,
  .max = 1,
  .takes_model = 1,
  .run = run,
};
