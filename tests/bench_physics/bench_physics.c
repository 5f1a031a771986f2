// SPDX-License-Identifier: Apache-2.0
//
// Errors against closed forms and conservation laws, as tables in Markdown: contacts with each
// profile, smooth motion with each integrator. The models and what they are compared with are those
// of tests/physics, which has the derivations.
//
//   bench_physics            all tables
//
// A cell is the error of one run; "diverged" if the run was reset.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/sinew.h"

static const double gravity = 9.81;

// One column of a table.
typedef struct setting {
  const char *title, *profile, *integrator;
  const char *options;   // as of a problem
} setting;

// One run.
typedef struct trial {
  sn_engine *engine;
  sn_model *m;
  sn_data *d;
  sn_error *error;
  int diverged;
} trial;

typedef double measure_fn(trial *t);

typedef struct problem {
  const char *title, *model, *options;   // options: "name=value;name=value"
  measure_fn *measure;
} problem;

// ------------------------------------------------------------------ runs

static void quit(const sn_error *error) {
  fprintf(stderr, "bench_physics: %s\n", sn_error_text(error));
  exit(1);
}

static void set(trial *t, const char *name, const char *value) {
  if (sn_model_parse_option(t->m, name, value, t->error) < 0) {
    quit(t->error);
  }
}

static void set_options(trial *t, const char *options) {
  char copy[256], *save = NULL;
  snprintf(copy, sizeof copy, "%s", options);
  for (char *word = strtok_r(copy, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
    char *value = strchr(word, '=');
    *value = '\0';
    set(t, word, value + 1);
  }
}

static trial open_trial(const problem *p, const setting *s) {
  trial t = { .error = sn_error_new() };
  char path[512];
  const sn_engine_request options = { .size = sizeof options,
                                      .config = SN_TEST_BUILD "/sinew.ini",
                                      .profile = s->profile };
  snprintf(path, sizeof path, SN_TEST_SOURCE "/tests/models/physics/%s.xml", p->model);
  t.engine = sn_engine_open_with(&options, t.error);
  t.m = t.engine ? sn_load(t.engine, path, t.error) : NULL;
  if (!t.m) {
    quit(t.error);
  }
  set_options(&t, p->options);
  set_options(&t, s->options);
  if (s->integrator) {
    set(&t, "integrator", s->integrator);
  }
  t.d = sn_data_new(t.m, t.error);
  if (!t.d) {
    quit(t.error);
  }
  return t;
}

static void close_trial(trial *t) {
  sn_data_free(t->d);
  sn_model_free(t->m);
  sn_engine_close(t->engine);
  sn_error_free(t->error);
}

static void step(trial *t) {
  t->diverged |= sn_step(t->m, t->d) < 0;
}

static void simulate(trial *t, double time) {
  const double end = snd_time(t->d)[0] + time;
  while (snd_time(t->d)[0] < end - 1e-9 && !t->diverged) {
    step(t);
  }
}

static double energy(trial *t) {
  sn_forward(t->m, t->d);
  sn_compute_energy(t->m, t->d);
  return snd_energy(t->d)[0] + snd_energy(t->d)[1];
}

// ------------------------------------------------------------------ contacts

// The mean squared error of velocity.
static double rolling(trial *t) {
  enum { BALLS = 25 };
  const double push = 50, acceleration = push / (10 + BALLS * 0.35);
  simulate(t, 2);
  const double begin = snd_time(t->d)[0];
  double sum = 0;
  int64_t n = 0;
  snd_qfrc_applied(t->d)[0] = push;
  while (snd_time(t->d)[0] < begin + 1 && !t->diverged) {
    step(t);
    const double speed = acceleration * (snd_time(t->d)[0] - begin);
    for (int i = 0; i <= BALLS; i++, n++) {
      const double off = snd_qvel(t->d)[6 * i] - (i ? speed / 2 : speed);
      sum += off * off;
    }
  }
  return sum / (double)n;
}

static double hop(trial *t) {
  simulate(t, 1);
  const double height = snd_qpos(t->d)[2];
  double top = height;
  snd_qvel(t->d)[0] = 20;
  for (int i = 0; i < 2000; i++) {
    step(t);
    top = fmax(top, snd_qpos(t->d)[2]);
  }
  return top - height;
}

static double stopping_distance(trial *t) {
  simulate(t, 1);
  const double start = snd_qpos(t->d)[0];
  snd_qvel(t->d)[0] = 5;
  simulate(t, 4);
  return fabs((snd_qpos(t->d)[0] - start) / (25 / (2 * gravity)) - 1);
}

static void incline(trial *t, double tangent) {
  const double c = 1 / sqrt(1 + tangent * tangent);
  char text[96];
  snprintf(text, sizeof text, "%.17g 0 %.17g", gravity * tangent * c, -gravity * c);
  set(t, "gravity", text);
}

static double slope_acceleration(trial *t) {
  const double tangent = 0.6, truth = gravity * (tangent - 0.5) / sqrt(1 + tangent * tangent);
  incline(t, tangent);
  simulate(t, 1);
  const double before = snd_qvel(t->d)[0], begin = snd_time(t->d)[0];
  simulate(t, 1);
  return fabs((snd_qvel(t->d)[0] - before) / (snd_time(t->d)[0] - begin) / truth - 1);
}

static double creep(trial *t) {
  incline(t, 0.25);
  simulate(t, 3);
  return fabs(snd_qvel(t->d)[0]);
}

static double slip(trial *t) {
  snd_ctrl(t->d)[0] = snd_ctrl(t->d)[1] = 1;
  simulate(t, 3);
  return fabs(snd_qvel(t->d)[4]);
}

static double sinking(trial *t) {
  simulate(t, 3);
  const double lower = snd_qpos(t->d)[2], upper = snd_qpos(t->d)[9];
  return fmax(0.1 - lower, 0.2 - (upper - lower));
}

static double turning(trial *t) {
  double most = 0;
  simulate(t, 3);
  for (int64_t i = 0; i < snm_nv(t->m); i += 6) {
    most = fmax(most, sn_norm3(snd_qvel(t->d) + i + 3));
  }
  return most;
}

// Of the ball with restitution 0.5.
static double bounce(trial *t) {
  const double h = 0.01, e = 0.5;
  for (int i = 0; i < 200; i++) {
    const double before = snd_qvel(t->d)[6 + 2];
    step(t);
    if (snd_qvel(t->d)[6 + 2] > before) {
      return fabs(-(snd_qvel(t->d)[6 + 2] + gravity * h) / before - e);
    }
  }
  return INFINITY;
}

static const problem contacts[] = {
  { "plate of 10 kg on 25 rolling balls, 50 N, 10 ms: mean squared error of velocity, m2/s2",
    "rolling", "", rolling },
  { "box sliding at 20 m/s, 2 ms: hop, m", "sliding_box", "", hop },
  { "box sliding at 5 m/s: error of the stopping distance, relative", "sliding_box", "",
    stopping_distance },
  { "box on a slope of tan 0.6, friction 0.5: error of acceleration, relative", "box_on_slope", "",
    slope_acceleration },
  { "the same, tan 0.25: creep, m/s", "box_on_slope", "", creep },
  { "grip by two fingers: slip, m/s", "grip", "", slip },
  { "1000 kg on 1 kg: largest depth, m", "heavy_on_light", "", sinking },
  { "cubes and cylinders on flat faces after 3 s: rotation, rad/s", "flat_contacts", "", turning },
  { "ball with restitution 0.5, 10 ms: error of the coefficient", "bounce", "timestep=.01",
    bounce },
};

static const setting profiles[] = {
  { "default", "none", NULL, "" },
  { "`mujoco-2.2`", "mujoco-2.2", NULL, "" },
  { "`robust`", "robust", NULL, "" },
};

// ------------------------------------------------------------------ smooth motion

// A body that turns over for 1000 s: the change of its angular momentum, relative.
static double turning_over(trial *t) {
  static const double w[3] = { 0.01, 5, 0.01 }, inertia[3] = { 0.02, 0.03, 0.045 };
  double L[2][3];
  memcpy(snd_qvel(t->d) + 3, w, sizeof w);
  for (int i = 0; i < 2; i++) {
    const double *v = snd_qvel(t->d) + 3;
    const double own[3] = { inertia[0] * v[0], inertia[1] * v[1], inertia[2] * v[2] };
    sn_rotate(L[i], own, snd_qpos(t->d) + 3);
    if (i == 0) {
      simulate(t, 1000);
    }
  }
  sn_sub3(L[1], L[1], L[0]);
  return sn_norm3(L[1]) / sn_norm3(L[0]);
}

// A heavy top in steady precession, after a second: its angle from the closed form.
static double heavy_top(trial *t) {
  static const double A = 0.26, C = 0.02, weight = 9.81 * 0.5, tilt = 0.5, precession = 2;
  static const double x[3] = { 1, 0, 0 }, z[3] = { 0, 0, 1 };
  const double r = (weight / precession + A * precession * cos(tilt)) / C;
  const double own = r - precession * cos(tilt);
  double swing[4], lean[4], spin[4], want[4], off[4], angle[3];
  sn_axisangle_quat(lean, x, tilt);
  sn_copy4(snd_qpos(t->d), lean);
  snd_qvel(t->d)[0] = 0;
  snd_qvel(t->d)[1] = precession * sin(tilt);
  snd_qvel(t->d)[2] = r;
  simulate(t, 1);
  sn_axisangle_quat(swing, z, precession);
  sn_axisangle_quat(spin, z, own);
  sn_mul_quat(want, swing, lean);
  sn_mul_quat(want, want, spin);
  sn_conj_quat(off, want);
  sn_mul_quat(off, off, snd_qpos(t->d));
  sn_quat_vec(angle, off);
  return sn_norm3(angle);
}

// The largest change of energy in 1000 s, in units of m g l.
static double pendulum_energy(trial *t) {
  const double first = energy(t);
  double most = 0;
  for (int i = 0; i < 100000 && !t->diverged; i++) {
    step(t);
    if (i % 100 == 99) {
      most = fmax(most, fabs(energy(t) - first) / gravity);
    }
  }
  return most;
}

static double slider[200];   // of the governor, every 10 ms of 2 s, by rk4 with 0.1 ms

static void govern(trial *t, double *out) {
  snd_qvel(t->d)[0] = 6.283185307179586;
  for (int i = 0; i < 200; i++) {
    simulate(t, 0.01);
    out[i] = snd_qpos(t->d)[3];
  }
}

static double governor(trial *t) {
  double x[200], most = 0;
  govern(t, x);
  for (int i = 0; i < 200; i++) {
    most = fmax(most, fabs(x[i] - slider[i]));
  }
  return most;
}

static double governor_truth(trial *t) {
  govern(t, slider);
  return 0;
}

// A spring of 1e6 N/m on 1 kg, critically damped: how far from rest after 0.2 s.
static double stiff_spring(trial *t) {
  snd_qpos(t->d)[0] = 0.1;
  simulate(t, 0.2);
  return fabs(snd_qpos(t->d)[0]);
}

// The largest change of angular momentum in 10 s.
static double floating(trial *t) {
  double first[3], most = 0;
  for (int64_t i = 0; i < snm_nv(t->m); i++) {
    snd_qvel(t->d)[i] = i < 3 ? 0.1 * (double)(i + 1) : sin((double)i);
  }
  for (int k = 0; k < 100 && !t->diverged; k++) {
    sn_forward(t->m, t->d);
    sn_subtree_velocities(t->m, t->d);
    for (int i = 0; i < 3; i++) {
      const double L = snd_subtree_angmom(t->d)[3 + i];
      first[i] = k ? first[i] : L;
      most = fmax(most, fabs(L - first[i]));
    }
    for (int64_t u = 0; u < snm_nu(t->m); u++) {
      snd_ctrl(t->d)[u] = sin((1.3 + 0.7 * (double)u) * snd_time(t->d)[0] + (double)u);
    }
    simulate(t, 0.1);
  }
  return most;
}

static const problem motions[] = {
  { "heavy top, 1 ms, 1 s: angle, rad", "heavy_top", "timestep=.001", heavy_top },
  { "body that turns over, 10 ms, 1000 s: angular momentum, relative", "free_body", "timestep=.01",
    turning_over },
  { "floating body with motors, 5 ms, 10 s: angular momentum, kg m2/s", "floating", "timestep=.005",
    floating },
  { "double pendulum, 10 ms, 1000 s: energy, m g l", "double_pendulum", "timestep=.01",
    pendulum_energy },
  { "flyball governor, 1 ms, 2 s: slider, m", "governor", "timestep=.001", governor },
  { "flyball governor, 10 ms, 2 s: slider, m", "governor", "timestep=.01", governor },
  { "spring of 1e6 N/m on 1 kg, 20 ms: m from rest after 0.2 s", "stiff", "timestep=.02",
    stiff_spring },
};

static const setting integrators[] = {
  { "`euler`", "none", "euler", "" },
  { "`implicit`", "none", "implicit", "" },
  { "`implicitfast`", "none", "implicitfast", "" },
  { "`backward_euler`", "none", "backward_euler", "" },
  { "`rk4`", "none", "rk4", "" },
  { "`momentum`", "none", "momentum", "" },
};

static const setting reference[] = {
  { "`euler`", "mujoco-2.2", "euler", "" },
  { "`implicit`", "mujoco-2.2", "implicit", "" },
  { "`rk4`", "mujoco-2.2", "rk4", "" },
};

// ------------------------------------------------------------------ closed loops

// Andrews' mechanism: the largest error of an angle after 30 ms.
static double andrews(trial *t) {
  static const double published[7] = { 15.81077119629904,  -15.75637105984298, 0.04082224013073101,
                                       0.5244099658805304, -0.5347301163226948, 1.048080741042263,
                                       0.5347301163226948 };
  double most = 0;
  sn_reset_key(t->m, t->d, 0);
  simulate(t, 0.03);
  for (int i = 0; i < 7; i++) {
    most = fmax(most, fabs(snd_qpos(t->d)[i] - published[i]));
  }
  return most;
}

// The angle of the parallelograms after 10 s.
static double parallelograms(trial *t) {
  const double truth = 31.75059718698490;   // test_loops.c: parallelogram_angle(10)
  sn_reset_key(t->m, t->d, 0);
  simulate(t, 10);
  return fabs(snd_qpos(t->d)[0] - truth);
}

// The angle of Bricard's mechanism after 2.3 s, where `bricard` and `bricard_cut` agree.
static double bricard(trial *t) {
  const double truth = 3.1047483609516;
  simulate(t, 2.3);
  return fabs(snd_qpos(t->d)[0] - truth);
}

static const problem loops[] = {
  { "Andrews' mechanism (A03), 0.1 ms, 30 ms: largest error of an angle, rad", "andrews",
    "timestep=1e-4", andrews },
  { "the same, 0.01 ms", "andrews", "timestep=1e-5", andrews },
  { "two parallelograms (A02), 1 ms, 10 s: angle, rad", "four_bars", "timestep=1e-3",
    parallelograms },
  { "Bricard's mechanism (A04), 1 ms, 2.3 s: angle, rad", "bricard_cut", "timestep=1e-3", bricard },
};

static const setting closings[] = {
  { "`euler`, soft", "none", "euler", "" },
  { "`rk4`, soft", "none", "rk4", "" },
  { "`euler`, exact", "none", "euler", "exactequality=on" },
  { "`momentum`, exact", "none", "momentum", "exactequality=on" },
  { "`rk4`, exact", "none", "rk4", "exactequality=on" },
};

// ------------------------------------------------------------------ tables

static void print_cell(const problem *p, const setting *s) {
  trial t = open_trial(p, s);
  const double error = p->measure(&t);
  if (t.diverged) {
    printf(" diverged |");
  } else {
    printf(" %.2g |", error);
  }
  fflush(stdout);
  close_trial(&t);
}

static void print_table(const problem *p, size_t nproblem, const setting *s, size_t nsetting) {
  printf("| |");
  for (size_t k = 0; k < nsetting; k++) {
    printf(" %s |", s[k].title);
  }
  printf("\n|---|");
  for (size_t k = 0; k < nsetting; k++) {
    printf("---|");
  }
  printf("\n");
  for (size_t i = 0; i < nproblem; i++) {
    printf("| %s |", p[i].title);
    for (size_t k = 0; k < nsetting; k++) {
      print_cell(&p[i], &s[k]);
    }
    printf("\n");
  }
}

#define TABLE(problems, settings)                                                     \
  print_table(problems, sizeof problems / sizeof problems[0], settings,               \
              sizeof settings / sizeof settings[0])

int main(void) {
  const problem truth = { "", "governor", "timestep=.0001", governor_truth };
  const setting fine = { "", "none", "rk4", "" };
  trial t = open_trial(&truth, &fine);
  truth.measure(&t);
  close_trial(&t);
  printf("Contacts, by profile:\n\n");
  TABLE(contacts, profiles);
  printf("\nSmooth motion, by integrator:\n\n");
  TABLE(motions, integrators);
  printf("\nClosed loops:\n\n");
  TABLE(loops, closings);
  printf("\nSmooth motion with the profile `mujoco-2.2`, by integrator:\n\n");
  TABLE(motions, reference);
  return 0;
}
