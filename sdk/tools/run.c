// SPDX-License-Identifier: Apache-2.0
//
// sinew run: simulates a model and prints a summary. The state is written to a file when asked
// for; on a terminal the progress is shown. Only the steps themselves are timed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "fields.h"

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

static void progress_clear(const progress *p) {
  if (p->on) {
    fputs("\r\033[K", stderr);
  }
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

static int simulate(session *s, summary *sum, FILE *csv) {
  double start = wall_clock(), other = 0;
  progress p = {
    .on = !s->o->json && isatty(STDERR_FILENO), .stride = 1, .start = start, .last = start
  };
  sn_status status = SN_OK;
  signals_catch();
  while (sum->steps < sum->planned && !signals_came() && !(csv && ferror(csv))) {
    status = sn_step(s->model, s->data);
    if (status < 0 && status != SN_EDIVERGED) {
      break;
    }
    count(sum, s->data);
    if (csv) {
      double before = wall_clock();
      csv_row(csv, s->model, s->data);
      other += wall_clock() - before;
    }
    if (p.on && sum->steps >= p.next) {
      progress_show(&p, s, sum);
    }
  }
  sum->seconds = wall_clock() - start - other;
  sum->simulated = (double)sum->steps * model_options(s->model).timestep;
  sum->interrupted = signals_came();
  progress_clear(&p);
  return status < 0 && status != SN_EDIVERGED ? report_data(s->o, s->data, status) : DONE;
}

static int simulate_to_file(session *s, summary *sum) {
  const char *path = s->o->out;
  if (!path) {
    return simulate(s, sum, NULL);
  }
  sn_output *output = sn_output_open(path, s->error);
  if (!output) {
    return report(s->o, s->error);
  }
  FILE *csv = csv_open(sn_output_sink(output));
  int status = csv ? DONE : report_text(s->o, path, 0, 0, "no memory to write");
  if (csv) {
    csv_names(csv, s->model);
    csv_row(csv, s->model, s->data);
    status = simulate(s, sum, csv);
    fclose(csv);   // a write that failed is known to the output
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

static void print_warnings(const sn_data *d) {
  int any = 0;
  printf("warnings    ");
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    if (sn_data_warning_count(d, w)) {
      printf("%s%s %lld", any ? ", " : "", sn_data_warning_name(w),
             (long long)sn_data_warning_count(d, w));
      any = 1;
    }
  }
  puts(any ? "" : "none");
}

// 1234 with one or no decimal, as large numbers are read
static void print_rate(const char *before, double value, const char *after) {
  printf("%s%.*f%s", before, value < 100 ? 2 : 0, value, after);
}

static void print_text(const session *s, const summary *sum) {
  const sn_model *m = s->model;
  double n = fmax((double)sum->steps, 1), rate = n / fmax(sum->seconds, 1e-9);
  const char *name = sn_model_name(m);
  printf("model       %s: %lld bodies, %lld degrees of freedom, %lld actuators\n",
         *name ? name : s->o->operand[0], (long long)snm_nbody(m), (long long)snm_nv(m),
         (long long)snm_nu(m));
  printf("simulated   %g s in %lld steps of %g s%s\n", sum->simulated, (long long)sum->steps,
         model_options(s->model).timestep, sum->interrupted ? ", interrupted" : "");
  print_rate("speed       ", rate, " steps/s");
  print_rate(", ", sum->simulated / fmax(sum->seconds, 1e-9), " times real time\n");
  printf("contacts    mean %.1f, max %lld\n", sum->contacts / n, (long long)sum->most_contacts);
  printf("rows        mean %.1f, max %lld\n", sum->rows / n, (long long)sum->most_rows);
  printf("iterations  mean %.1f, max %lld\n", sum->iterations / n, (long long)sum->most_iterations);
  printf("energy      %.6g J at the start, %.6g J at the end, change %+.3g J\n", sum->energy[0],
         sum->energy[1], sum->energy[1] - sum->energy[0]);
  printf("memory      %.0f kB\n", 1e-3 * (double)sum->memory);
  print_warnings(s->data);
  if (s->o->out) {
    printf("written     %s\n", s->o->out);
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
  json_object(&j, "warnings");
  for (int32_t w = 0; w < SN_NWARNINGS; w++) {
    json_integer(&j, sn_data_warning_name(w), sn_data_warning_count(s->data, w));
  }
  json_end(&j);
  loading_json(&j, "load_", m);
  json_bool(&j, "interrupted", sum->interrupted);
  if (*verdict(s->data)) {
    json_text(&j, "error", verdict(s->data));
  }
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ the subcommand

static int run_model(session *s) {
  const double most = 0x1p53;   // steps that a double counts
  double h = model_options(s->model).timestep, seconds = s->o->time < 0 ? 10 : s->o->time;
  double steps = ceil(seconds / h - 1e-9);
  if (s->o->steps <= 0 && !(steps < most)) {
    return report_text(s->o, NULL, 0, 0,
                       "%g s in steps of %g s are too many; use --steps, a shorter --time or a "
                       "longer timestep",
                       seconds, h);
  }
  summary sum = { .planned = s->o->steps > 0 ? s->o->steps : (int64_t)steps };
  int64_t used;
  int status = measure_energy(s, &sum.energy[0]);
  status = status == DONE ? simulate_to_file(s, &sum) : status;
  status = status == DONE ? measure_energy(s, &sum.energy[1]) : status;
  if (status != DONE) {
    return status;
  }
  sn_data_memory(s->data, &sum.memory, &used);
  if (s->o->json) {
    status = print_json(s, &sum);
  } else {
    print_text(s, &sum);
    fflush(stdout);
    status = *verdict(s->data) ? report_text(s->o, NULL, 0, 0, "%s", verdict(s->data)) : status;
  }
  return *verdict(s->data) ? FAILED : signals_status(status);
}

static int run(const options *o) {
  if (o->time >= 0 && o->steps >= 0) {
    return usage_error(o->command, "--time and --steps cannot be combined; use one of them");
  }
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE ? input_apply(&s, o->input, NULL, NULL) : status;
  status = status == DONE ? run_model(&s) : status;
  session_close(&s);
  return status;
}

const command run_command = {
  .name = "run",
  .operands = "MODEL",
  .summary = "simulates a model and prints a summary",
  .accepts = "time steps key input out check-plugins strict json",
  .story =
      "--out writes time, qpos, qvel, act and sensordata after each step, comma-separated; the\n"
      "file appears, or replaces an old one, when the run is over. The exit status is 1 when\n"
      "the simulation diverged or a plugin returned invalid results; the last line says which.\n"
      "Ctrl-C ends the run with its summary and what was simulated so far. Example:\n"
      "  sinew run humanoid.xml --time 5 --set timestep=0.002 --out humanoid.csv\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = run,
};
