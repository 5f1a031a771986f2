// SPDX-License-Identifier: Apache-2.0
//
// Numbers over the last frames: energy, solver, a sensor; and the time of each stage.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parts.h"

// ------------------------------------------------------------------ numbers of a frame

// Position, velocity and energy of the same time, which a step does not have: its positions are
// those from before it.
static void energy_of(sn_viewer *v, double *energy) {
  plots *p = &v->plots;
  const int64_t n = sn_state_size(v->m, SN_STATE_INTEGRATION);
  double *state = malloc((size_t)n * sizeof *state + 1);
  p->twin = p->twin ? p->twin : sn_data_new(v->m, NULL);
  energy[0] = energy[1] = 0;
  if (state && p->twin) {
    sn_state_get(v->m, v->d, SN_STATE_INTEGRATION, state);
    sn_state_set(v->m, p->twin, SN_STATE_INTEGRATION, state);
    if (sn_forward_position(v->m, p->twin) >= 0 && sn_forward_velocity(v->m, p->twin) >= 0 &&
        sn_compute_energy(v->m, p->twin) >= 0) {
      energy[0] = snd_energy(p->twin)[0];
      energy[1] = snd_energy(p->twin)[1];
    }
  }
  free(state);
}

static int32_t sensor_size(const sn_viewer *v) {
  const int32_t dim = snm_nsensor(v->m) > v->plots.sensor_of
                          ? snm_sensor_dim(v->m)[v->plots.sensor_of]
                          : 0;
  return dim < MAX_SERIES ? dim : MAX_SERIES;
}

static int place(plots *p) {
  if (p->count < PLOT_LENGTH) {
    return (p->first + p->count++) % PLOT_LENGTH;
  }
  const int at = p->first;
  p->first = (p->first + 1) % PLOT_LENGTH;
  return at;
}

void plots_add(sn_viewer *v) {
  plots *p = &v->plots;
  double energy[2];
  int64_t niteration = 0;
  const double time = snd_time(v->d)[0];
  if (p->timed != v->show_plots) {
    sn_data_set_timing(v->d, v->show_plots);
    p->timed = v->show_plots;
    p->count = 0;
  }
  if (!v->show_plots || (p->count > 0 && time == p->time)) {
    return;
  }
  if (time < p->time) {
    p->count = 0;
  }
  p->time = time;
  const int i = place(p);
  energy_of(v, energy);
  p->energy[0][i] = (float)energy[0];
  p->energy[1][i] = (float)energy[1];
  p->energy[2][i] = (float)(energy[0] + energy[1]);
  const sn_iteration *log = sn_solver_log(v->d, &niteration);
  p->solver[0][i] = (float)snd_solver_iter(v->d);
  p->solver[1][i] = (float)snd_ncon(v->d);
  p->solver[2][i] = niteration > 0 ? (float)log10(fmax(log[niteration - 1].improvement, 1e-16))
                                   : -16;
  for (int32_t k = 0; k < sensor_size(v); k++) {
    p->sensor[k][i] = (float)snd_sensordata(v->d)[snm_sensor_adr(v->m)[p->sensor_of] + k];
  }
}

// ------------------------------------------------------------------ the panel

static void show_lines(sn_viewer *v, const char *label, float (*y)[PLOT_LENGTH],
                       const char *const *names, int n) {
  gui_line_plot lines[MAX_SERIES];
  for (int i = 0; i < n; i++) {
    lines[i] = (gui_line_plot){ names[i], y[i], PLOT_LENGTH, v->plots.first, v->plots.count };
  }
  gui_plot(label, lines, n, panels_bottom(v) / 2 - 1.8F * gui_line(v->gui));
}

static void show_sensor(sn_viewer *v) {
  static const char *const names[] = { "0", "1", "2", "3", "4", "5", "6", "7" };
  char label[64];
  if (snm_nsensor(v->m) == 0) {
    gui_dim("the model has no sensors");
    return;
  }
  viewer_label(v->m, "sensor", v->plots.sensor_of, label, sizeof label);
  show_lines(v, label, v->plots.sensor, names, sensor_size(v));
  if (gui_button("next sensor")) {
    v->plots.sensor_of = (int32_t)((v->plots.sensor_of + 1) % snm_nsensor(v->m));
    v->plots.count = 0;
  }
}

// The stages that take longest.
static void show_stages(sn_viewer *v) {
  enum { MOST = 64, SHOWN = 8 };
  sn_timing t = { .size = sizeof t }, all[MOST];
  char text[64];
  double sum = 0;
  int n = 0;
  for (int64_t i = 0; n < MOST && sn_data_timing_at(v->d, i, &t); i++) {
    sum += t.seconds;
    int k = n++;
    for (; k > 0 && all[k - 1].seconds < t.seconds; k--) {
      all[k] = all[k - 1];
    }
    all[k] = t;
  }
  gui_dim("time of a step, by stage");
  for (int i = 0; i < n && i < SHOWN && sum > 0; i++) {
    snprintf(text, sizeof text, "%.1f %%  %.2f us", 100 * all[i].seconds / sum,
             all[i].calls > 0 ? 1e6 * all[i].seconds / (double)all[i].calls : 0);
    gui_bar(all[i].name, all[i].seconds / sum, text);
    gui_tooltip(all[i].meaning);
  }
}

void panel_plots(sn_viewer *v) {
  static const char *const energies[] = { "potential", "kinetic", "total" };
  static const char *const solver[] = { "iterations", "contacts" };
  static const char *const residual[] = { "improvement" };
  if (gui_table("plots", 3, NULL, 0)) {
    gui_next_cell();
    show_lines(v, "energy, J", v->plots.energy, energies, 3);
    show_sensor(v);
    gui_next_cell();
    show_lines(v, "solver", v->plots.solver, solver, 2);
    show_lines(v, "log10 of the last improvement", v->plots.solver + 2, residual, 1);
    gui_next_cell();
    show_stages(v);
    gui_table_end();
  }
}
