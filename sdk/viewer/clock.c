// SPDX-License-Identifier: Apache-2.0
//
// The speed of the simulation: each frame makes the steps up to the time of the clock, times the
// chosen speed. Where there is not enough time for them the simulation falls behind, and the
// image is drawn nevertheless.

#include <math.h>
#include <time.h>

#include "parts.h"

const double pace_speed[] = { 1, 2, 5, 10, 20, 33, 50, 75, 100, 150, 200, 300, 500, 1000 };
enum { NSPEEDS = sizeof pace_speed / sizeof pace_speed[0], NORMAL = 8 };

static const double longest_frame = 0.1;     // s; what is longer was no time of the simulation
static const double measured_time = 0.5;     // s, over which the factor is measured

int pace_speeds(void) {
  return NSPEEDS;
}

double viewer_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void pace_start(sn_viewer *v) {
  pace *p = &v->pace;
  p->speed = NORMAL;
  p->last = viewer_now();
  p->paused = (v->ask.flags & SN_VIEWER_PAUSED) != 0;
}

static double timestep(const sn_viewer *v) {
  sn_option option = { .def_size = sizeof option };
  sn_model_get_option(v->m, &option);
  return option.timestep;
}

static int step(sn_viewer *v) {
  if (v->ask.control) {
    v->ask.control(v->ask.context, v->m, v->d);
  }
  sn_scene_apply_perturbation(v->m, v->d, &v->image.pull);
  const sn_status status = sn_step(v->m, v->d);
  if (status == SN_EDIVERGED) {
    viewer_complain(v, "the simulation diverged and was reset: %s",
                    sn_error_text(sn_data_error(v->d)));
  } else if (status < 0) {
    viewer_complain(v, "the step failed, the simulation is paused: %s",
                    sn_error_text(sn_data_error(v->d)));
    v->pace.paused = 1;
    return 0;
  }
  return 1;
}

static void measure(sn_viewer *v, double dt, double simulated) {
  pace *p = &v->pace;
  p->wall += dt;
  p->simulated += simulated;
  if (p->wall > measured_time) {
    p->factor = p->simulated / p->wall;
    p->wall = p->simulated = 0;
  }
}

// Single steps, each of which can be undone.
static void run_single(sn_viewer *v) {
  for (; v->pace.single > 0 && step(v); v->pace.single--) {
    history_add(v);
  }
  v->pace.single = 0;
}

void pace_run(sn_viewer *v) {
  pace *p = &v->pace;
  const double start = viewer_now(), dt = fmin(start - p->last, longest_frame);
  const double h = timestep(v);
  p->last = start;
  if (p->single > 0) {
    run_single(v);
  }
  if (p->paused) {
    p->backlog = 0;
    measure(v, dt, 0);
    if (sn_forward(v->m, v->d) < 0) {
      viewer_complain(v, "%s", sn_error_text(sn_data_error(v->d)));
    }
    return;
  }
  // half of the time is for steps, where the image takes longer than the screen
  const double end = start + fmax(v->window.refresh - p->draw, fmax(p->draw, 0.004));
  double time = start, simulated = 0;
  int n = 0;
  p->backlog += dt * pace_speed[p->speed] / 100;
  while (p->backlog >= h && time < end && step(v)) {
    p->backlog -= h;
    simulated += h;
    n++;
    time = viewer_now();
  }
  if (n) {
    p->step = (time - start) / n;
    history_add(v);
  }
  p->backlog = fmin(p->backlog, 2 * v->window.refresh * pace_speed[p->speed] / 100 + h);
  measure(v, dt, simulated);
}
