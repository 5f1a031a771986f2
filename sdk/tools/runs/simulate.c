// SPDX-License-Identifier: Apache-2.0
//
// A simulation with counts and progress; see simulate.h.

#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
  fprintf(stderr, "\r\033[K%8.2f s  %3.0f %%  %.0f steps/s  %lld contacts  %lld constraints",
          snd_time(s->data)[0], 100.0 * (double)sum->steps / (double)sum->planned,
          (double)sum->steps / fmax(now - p->start, 1e-9), (long long)snd_ncon(s->data),
          (long long)snd_nefc(s->data));
  fflush(stderr);
}

// ------------------------------------------------------------------ the run

int measure_energy(session *s, double *energy) {
  sn_data *twin = session_twin(s);
  if (!twin) {
    return FAILED;
  }
  messages_of_twin(s->engine, s->o);
  sn_status status = sn_forward_position(s->model, twin);
  status = status < 0 ? status : sn_forward_velocity(s->model, twin);
  status = status < 0 ? status : sn_compute_energy(s->model, twin);
  messages_of(s->engine, s->o);
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
  sum->unconverged += snd_nunconverged(d) > 0;
  sum->softened += snd_nsoftened(d) > 0;
  sum->most_iterations = iterations > sum->most_iterations ? iterations : sum->most_iterations;
}

int simulate(session *s, summary *sum, const plan *p) {
  const int64_t nu = snm_nu(s->model);
  double start = wall_clock(), other = 0;
  progress shown = { .on = shows_progress(s->o), .stride = 1, .start = start, .last = start };
  sn_status status = SN_OK;
  int64_t next = p->next ? p->next(p->context, 1) : -1, last = 0;
  int goes_on = 1;
  signals_catch();
  while (sum->steps < sum->planned && !signals_came() && goes_on) {
    if (p->controls && nu) {
      memcpy(snd_ctrl(s->data), p->controls + sum->steps * nu, (size_t)nu * sizeof(double));
    }
    const double time = snd_time(s->data)[0];
    status = sn_step(s->model, s->data);
    if (status == SN_EDIVERGED && sum->diverged++ == 0) {
      sum->diverged_at = time;
    }
    if (status < 0 && status != SN_EDIVERGED) {
      break;
    }
    count(sum, s->data);
    if (next == sum->steps) {
      double before = wall_clock();
      goes_on = p->observe(p->context, s, sum->steps);
      last = next;
      next = p->next(p->context, sum->steps + 1);
      other += wall_clock() - before;
    }
    if (shown.on && sum->steps >= shown.next) {
      progress_show(&shown, s, sum);
    }
  }
  sum->seconds = wall_clock() - start - other;
  sum->simulated = (double)sum->steps * model_options(s->model).timestep;
  sum->interrupted = signals_came();
  if (p->observe && sum->interrupted && last < sum->steps) {
    p->observe(p->context, s, sum->steps);   // where it stopped
  }
  clear_progress(s->o);
  return status < 0 && status != SN_EDIVERGED ? report_data(s->o, s->data, status) : DONE;
}

// ------------------------------------------------------------------ the result

// The warnings themselves were printed when they occurred, with names and numbers.
const char *verdict(const sn_data *d) {
  static const int32_t divergence[] = { SN_WARN_BADTIME, SN_WARN_BADQPOS, SN_WARN_BADQVEL,
                                        SN_WARN_BADQACC };
  for (size_t i = 0; i < sizeof divergence / sizeof divergence[0]; i++) {
    if (sn_data_warning_count(d, divergence[i])) {
      return "the simulation diverged and was reset";
    }
  }
  return sn_data_warning_count(d, SN_WARN_PLUGIN)
             ? "a plugin returned invalid results; the first warning names it"
             : "";
}
