// SPDX-License-Identifier: Apache-2.0
//
// Friction, loads, flat contacts and thin walls against closed forms of rigid bodies, by profile,
// and with the plugin or attribute that is meant for the case. The grip is the subject of MuJoCo
// issue 3328.

#include <math.h>
#include <stdio.h>

#include "bench_physics.h"
#include "scenes.h"
#include "sinew/math.h"

static const double gravity = 9.81;

// ------------------------------------------------------------------ slopes

static double creep(trial *t) {
  incline(t, 0.25);
  simulate(t, 3);
  return fabs(snd_qvel(t->d)[0]);
}

// On a slope below the angle of friction, along the diagonal of a pyramid: the way in a second, m.
static double diagonal_slide(trial *t) {
  const double tangent = 0.49, c = gravity / sqrt(1 + tangent * tangent);
  char text[96];
  simulate(t, 0.5);
  const double x = snd_qpos(t->d)[0], y = snd_qpos(t->d)[1];
  snprintf(text, sizeof text, "%.17g %.17g %.17g", c * tangent * sqrt(0.5), c * tangent * sqrt(0.5),
           -c);
  set_option(t, "gravity", text);
  simulate(t, 1);
  return hypot(snd_qpos(t->d)[0] - x, snd_qpos(t->d)[1] - y);
}

// Above the angle of friction: the acceleration over the true one.
static double slope_acceleration(trial *t) {
  const double tangent = t->parameter;
  const double truth = gravity * (tangent - 0.5) / sqrt(1 + tangent * tangent);
  incline(t, tangent);
  simulate(t, 1);
  const double before = snd_qvel(t->d)[0];
  simulate(t, 1);
  return (snd_qvel(t->d)[0] - before) / truth;
}

// ------------------------------------------------------------------ spinning and rolling

// A ball of 1 kg that spins about the vertical, or rolls: its deceleration over the true one. The
// torques of friction are its coefficients, 0.005 m and 0.002 m, times the weight.
static double slow_down(trial *t, const double axis[3], double truth) {
  const double radius = 0.1, spin = 20;
  double v[6] = { spin * radius * axis[1], -spin * radius * axis[0], 0,
                  spin * axis[0],          spin * axis[1],           spin * axis[2] };
  simulate(t, 1);
  for (int i = 0; i < 6; i++) {
    snd_qvel(t->d)[i] = v[i];
  }
  simulate(t, 0.1);
  const double before = sn_norm3(snd_qvel(t->d) + 3);
  simulate(t, 0.5);
  return (before - sn_norm3(snd_qvel(t->d) + 3)) / 0.5 / truth;
}

static const double own = 0.4 * 0.1 * 0.1;   // moment of inertia

static double spinning(trial *t) {
  const double axis[3] = { 0, 0, 1 };
  return slow_down(t, axis, 0.005 * gravity / own);
}

static double rolling(trial *t) {
  const double axis[3] = { 0, 1, 0 };
  return slow_down(t, axis, 0.002 * gravity / (own + 0.1 * 0.1));
}

static double rolling_diagonally(trial *t) {
  const double axis[3] = { -sqrt(0.5), sqrt(0.5), 0 };
  return slow_down(t, axis, 0.002 * gravity / (own + 0.1 * 0.1));
}

// ------------------------------------------------------------------ sliding

static double hop(trial *t) {
  simulate(t, 1);
  const double height = snd_qpos(t->d)[2];
  double top = height;
  snd_qvel(t->d)[0] = t->parameter;
  for (int i = 0; i < 2000 && !t->diverged; i++) {
    step(t);
    top = fmax(top, snd_qpos(t->d)[2]);
  }
  return top - height;
}

// The way of a box over the true one, v^2 / (2 mu g).
static double stopping_distance(trial *t) {
  const double speed = t->parameter;
  simulate(t, 1);
  const double start = snd_qpos(t->d)[0];
  snd_qvel(t->d)[0] = speed;
  simulate(t, 2 * speed / gravity + 1);
  return (snd_qpos(t->d)[0] - start) / (speed * speed / (2 * gravity));
}

static double slip(trial *t) {
  snd_ctrl(t->d)[0] = snd_ctrl(t->d)[1] = 1;
  simulate(t, 3);
  return fabs(snd_qvel(t->d)[4]);
}

// ------------------------------------------------------------------ loads

static double sinking(trial *t) {
  simulate(t, 3);
  const double lower = snd_qpos(t->d)[2], upper = snd_qpos(t->d)[9];
  return fmax(0.1 - lower, 0.2 - (upper - lower));
}

// The fastest number of the velocity after 5 s.
static double restless(trial *t) {
  double most = 0;
  simulate(t, 5);
  for (int64_t i = 0; i < snm_nv(t->m); i++) {
    most = fmax(most, fabs(snd_qvel(t->d)[i]));
  }
  return most;
}

// How far the top of a stack has moved sideways after 5 s.
static double leaning(trial *t) {
  const int64_t top = snm_nq(t->m) - 7;
  const double x = snd_qpos(t->d)[top], y = snd_qpos(t->d)[top + 1];
  simulate(t, 5);
  return hypot(snd_qpos(t->d)[top] - x, snd_qpos(t->d)[top + 1] - y);
}

// The depth of a body on four contact points over that of one on a single point.
static double depth_of_four(trial *t) {
  simulate(t, 3);
  return (0.1 - snd_qpos(t->d)[7 + 2]) / (0.1 - snd_qpos(t->d)[2]);
}

// ------------------------------------------------------------------ flat contacts

static double turning(trial *t) {
  double most = 0;
  simulate(t, 3);
  for (int64_t i = 0; i < snm_nv(t->m); i += 6) {
    most = fmax(most, sn_norm3(snd_qvel(t->d) + i + 3));
  }
  return most;
}

// How high the crown of an arch is, of 1 m. The least thickness is 0.1075 (Milankovitch, Theorie
// der Druckkurven, 1907). Where the stones of a fallen arch end is decided by rounding.
static double crown_at(trial *t, double time) {
  simulate(t, time);
  const double height = snd_qpos(t->d)[7 * 5 + 2];
  return height < 0.5 ? FELL : height;
}

static double crown(trial *t) {
  return crown_at(t, 2);
}

static double late_crown(trial *t) {
  return crown_at(t, 30);
}

// How fast it sinks once it has settled.
static double crown_speed(trial *t) {
  const double height = crown_at(t, 1), later = crown_at(t, 1);
  return later == FELL ? FELL : height - later;
}

// The largest speed at which a wall of this thickness stops a ball of 1 cm from each of several
// places.
static double fastest_stopped(trial *t) {
  static const double speeds[] = { 1, 2, 5, 7, 10, 15, 20, 30, 50, 100 };
  double *size = edit_field(t, "geom_size");
  double stopped = 0;
  size[0] = 0.5 * t->parameter;
  sn_model_refresh(t->m, t->error);
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    for (int k = 0; k < 20; k++) {
      sn_reset(t->m, t->d);
      snd_qpos(t->d)[0] = -0.3 - 0.004 * k - 0.5 * t->parameter;
      snd_qvel(t->d)[0] = speeds[i];
      simulate(t, 0.5 / speeds[i] + 0.05);
      if (snd_qpos(t->d)[0] > 0) {
        return stopped;
      }
    }
    stopped = speeds[i];
  }
  return stopped;
}

static double fastest_without(trial *t) {
  double *speculative = edit_field(t, "geom_speculative");
  for (int64_t i = 0; i < snm_ngeom(t->m); i++) {
    speculative[i] = 0;
  }
  return fastest_stopped(t);
}

// ------------------------------------------------------------------ tables

#define COULOMB "solver=coulomb"
#define BY_COULOMB "`coulomb`"

static const row slopes[] = {
  { .title = "slope of tan 0.25, friction 0.5: creep, m/s",
    .model = "box_on_slope",
    .measure = creep,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "the same, impratio 10",
    .model = "box_on_slope",
    .settings = "impratio=10",
    .measure = creep,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "impratio 100",
    .model = "box_on_slope",
    .settings = "impratio=100",
    .measure = creep,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "`noslip` of 10 iterations",
    .model = "box_on_slope",
    .settings = "noslip_iterations=10",
    .measure = creep },
  { .title = "pyramidal",
    .model = "box_on_slope",
    .settings = "cone=pyramidal",
    .measure = creep,
    .cure = "cone=elliptic;solver=coulomb",
    .by = "`coulomb`, elliptic" },
  { .title = "pyramidal, `noslip` of 10 iterations",
    .model = "box_on_slope",
    .settings = "cone=pyramidal;noslip_iterations=10",
    .measure = creep,
    .cure = "cone=elliptic;solver=coulomb;noslip_iterations=0",
    .by = "`coulomb`, elliptic" },
  { .title = "slope of tan 0.49, pyramidal, on the diagonal: way in 1 s, m",
    .model = "box_on_slope",
    .settings = "cone=pyramidal",
    .measure = diagonal_slide,
    .cure = "cone=elliptic;solver=coulomb",
    .by = "`coulomb`, elliptic" },
  { .title = "slope of tan 0.51: acceleration over truth",
    .model = "box_on_slope",
    .measure = slope_acceleration,
    .parameter = 0.51,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
  { .title = "tan 0.75",
    .model = "box_on_slope",
    .measure = slope_acceleration,
    .parameter = 0.75,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
  { .title = "tan 0.51, `cg`",
    .model = "box_on_slope",
    .settings = "solver=cg",
    .measure = slope_acceleration,
    .parameter = 0.51,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
  { .title = "tan 0.51, `pgs`",
    .model = "box_on_slope",
    .settings = "solver=pgs",
    .measure = slope_acceleration,
    .parameter = 0.51,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
  { .title = "ball that spins: deceleration over truth",
    .model = "rolling_ball",
    .measure = spinning,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
  { .title = "ball that rolls",
    .model = "rolling_ball",
    .measure = rolling,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
  { .title = "ball that rolls on the diagonal, pyramidal",
    .model = "rolling_ball",
    .settings = "cone=pyramidal",
    .measure = rolling_diagonally,
    .cure = "cone=elliptic;solver=coulomb",
    .by = "`coulomb`, elliptic",
    .truth = "1" },
  { .title = "grip by two fingers: slip, m/s",
    .model = "grip",
    .measure = slip,
    .cure = COULOMB,
    .by = BY_COULOMB },
};

static const row sliding[] = {
  { .title = "box sliding at 1 m/s, 2 ms: hop, m",
    .model = "sliding_box",
    .settings = "contacts=.02,1,.9,.95",
    .measure = hop,
    .parameter = 1,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "5 m/s",
    .model = "sliding_box",
    .settings = "contacts=.02,1,.9,.95",
    .measure = hop,
    .parameter = 5,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "20 m/s",
    .model = "sliding_box",
    .settings = "contacts=.02,1,.9,.95",
    .measure = hop,
    .parameter = 20,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "1 m/s, stiff contacts",
    .model = "sliding_box",
    .measure = hop,
    .parameter = 1,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "5 m/s, stiff contacts",
    .model = "sliding_box",
    .measure = hop,
    .parameter = 5,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "20 m/s, stiff contacts",
    .model = "sliding_box",
    .measure = hop,
    .parameter = 20,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "1 m/s, impedance 0.9999",
    .model = "sliding_box",
    .settings = "contacts=.02,1,.9999,.9999",
    .measure = hop,
    .parameter = 1,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "20 m/s: stopping distance over truth",
    .model = "sliding_box",
    .measure = stopping_distance,
    .parameter = 20,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
};

#define STIFF_LOAD "solver=coulomb;plugin.coulomb.normal=1e-5"
#define BY_STIFF "`coulomb`, normal 1e-5"
#define STIFF_CONTACTS "contacts=.004,1,.9999,.9999"

static const row loads[] = {
  { .title = "1 kg on 1 kg: largest depth, m",
    .scene = heavy_box_scene,
    .measure = sinking,
    .parameter = 1,
    .cure = STIFF_LOAD,
    .by = BY_STIFF },
  { .title = "10 kg on 1 kg",
    .scene = heavy_box_scene,
    .measure = sinking,
    .parameter = 10,
    .cure = STIFF_LOAD,
    .by = BY_STIFF },
  { .title = "100 kg on 1 kg",
    .scene = heavy_box_scene,
    .measure = sinking,
    .parameter = 100,
    .cure = STIFF_LOAD,
    .by = BY_STIFF },
  { .title = "1000 kg on 1 kg",
    .scene = heavy_box_scene,
    .measure = sinking,
    .parameter = 1000,
    .cure = STIFF_LOAD,
    .by = BY_STIFF },
  { .title = "1e6 kg on 1 kg",
    .scene = heavy_box_scene,
    .measure = sinking,
    .parameter = 1e6,
    .cure = STIFF_LOAD,
    .by = BY_STIFF },
  { .title = "1e6 kg on 1 kg, stiff contacts",
    .scene = heavy_box_scene,
    .settings = STIFF_CONTACTS,
    .measure = sinking,
    .parameter = 1e6,
    .cure = STIFF_LOAD,
    .by = BY_STIFF },
  { .title = "10 kg on 1 kg, stiff contacts, `pgs`: speed after 5 s, m/s",
    .scene = heavy_box_scene,
    .settings = "solver=pgs;" STIFF_CONTACTS,
    .measure = restless,
    .parameter = 10,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "30 boxes, aligned: speed after 5 s, m/s",
    .scene = stack_scene,
    .measure = restless,
    .parameter = 30,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "the same, pyramidal",
    .scene = stack_scene,
    .settings = "cone=pyramidal",
    .measure = restless,
    .parameter = 30,
    .cure = "cone=elliptic;solver=coulomb",
    .by = "`coulomb`, elliptic" },
  { .title = "the same, `cg`",
    .scene = stack_scene,
    .settings = "solver=cg",
    .measure = restless,
    .parameter = 30,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "30 boxes, shifted by 1 mm: lean after 5 s, m",
    .scene = stack_scene,
    .measure = leaning,
    .parameter = -30,
    .cure = STIFF_LOAD,
    .by = BY_STIFF },
  { .title = "10 boxes, `cg`: speed after 5 s, m/s",
    .scene = stack_scene,
    .settings = "solver=cg",
    .measure = restless,
    .parameter = 10,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "the same, pyramidal",
    .scene = stack_scene,
    .settings = "solver=cg;cone=pyramidal",
    .measure = restless,
    .parameter = 10,
    .cure = "cone=elliptic;solver=coulomb",
    .by = "`coulomb`, elliptic" },
};

static const row flats[] = {
  { .title = "cubes and cylinders on flat faces after 3 s: rotation, rad/s",
    .model = "flat_contacts",
    .measure = turning },
  { .title = "arch, thickness 0.20 of the radius: height after 2 s",
    .scene = arch_scene,
    .measure = crown,
    .parameter = 0.20,
    .truth = "1" },
  { .title = "thickness 0.15",
    .scene = arch_scene,
    .measure = crown,
    .parameter = 0.15,
    .truth = "1" },
  { .title = "thickness 0.15 after 30 s",
    .scene = arch_scene,
    .measure = late_crown,
    .parameter = 0.15,
    .cure = COULOMB,
    .by = BY_COULOMB,
    .truth = "1" },
  { .title = "thickness 0.15: speed at which the crown sinks, m/s",
    .scene = arch_scene,
    .measure = crown_speed,
    .parameter = 0.15,
    .cure = COULOMB,
    .by = BY_COULOMB },
  { .title = "the same, impratio 10",
    .scene = arch_scene,
    .settings = "impratio=10",
    .measure = crown_speed,
    .parameter = 0.15 },
  { .title = "impratio 100",
    .scene = arch_scene,
    .settings = "impratio=100",
    .measure = crown_speed,
    .parameter = 0.15 },
  { .title = "thickness 0.08",
    .scene = arch_scene,
    .measure = crown,
    .parameter = 0.08,
    .truth = "fell" },
  { .title = "depth on 4 contact points over that on 1",
    .scene = weights_scene,
    .measure = depth_of_four,
    .parameter = 0 },
  { .title = "the same, `shared_stiffness`",
    .scene = weights_scene,
    .measure = depth_of_four,
    .parameter = 1,
    .truth = "1" },
};

static const row walls[] = {
  { .title = "wall of 2 mm, ball of 1 cm, 2 ms: fastest that stops, m/s",
    .model = "fast_ball",
    .measure = fastest_without,
    .parameter = 0.002,
    .truth = "any" },
  { .title = "wall of 2 cm",
    .model = "fast_ball",
    .measure = fastest_without,
    .parameter = 0.02,
    .truth = "any" },
  { .title = "wall of 10 cm",
    .model = "fast_ball",
    .measure = fastest_without,
    .parameter = 0.1,
    .truth = "any" },
  { .title = "wall of 2 mm, `speculative`",
    .model = "fast_ball",
    .measure = fastest_stopped,
    .parameter = 0.002,
    .truth = "any" },
};

static const column profiles[] = {
  { "`mujoco-2.2`", "profile=mujoco-2.2" },
  { "default", "" },
  { "cure", NULL },
  { "`robust`", "profile=robust;solver=coulomb;integrator=backward_euler" },
};
static const column plain_profiles[] = {
  { "`mujoco-2.2`", "profile=mujoco-2.2" },
  { "default", "" },
  { "`robust`", "profile=robust;solver=coulomb;integrator=backward_euler" },
};

void friction_section(void) {
  TABLE("slopes", slopes, profiles);
  TABLE("sliding", sliding, profiles);
  TABLE("loads", loads, profiles);
  TABLE("flat", flats, profiles);
  TABLE("walls", walls, plain_profiles);
}
